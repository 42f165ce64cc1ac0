// The page: the table of its views, the board and goal that they share, and the link to all of it.

import { request } from './api.js';
import { copy, h, icon, toast } from './dom.js';
import { token } from './game.js';

/**
 * The views in the order of the navigation. A view is the module NAME.js, whose default export is a class:
 * `new View(app, params)` has an `element` with one h1, and may have `mounted()`, `unmount()` and `link()`, the
 * parameters of a link to it. `icon` is a symbol of icons.svg.
 */
const VIEWS = [
  { name: 'play', title: 'Play', icon: 'play' },
  { name: 'enter', title: 'Enter', icon: 'enter' },
  { name: 'solve', title: 'Solve', icon: 'solve' },
  { name: 'watch', title: 'Watch', icon: 'watch' },
  { name: 'race', title: 'Race', icon: 'race' },
  { name: 'learn', title: 'Learn', icon: 'learn' },
];
const AUTO = 'auto'; // the goal that belongs to the notation
const FIRST_SHAPE = '3x3';
const FIRST_DEPTH = 14;

class App {
  constructor() {
    this.main = document.getElementById('main');
    this.name = null; // of the view that is open
    this.view = null;
    this.board = null; // the current one
    this.goal = null; // {name, rows, columns, tiles, text}
    this.settings = {}; // what each view remembers while the page is open
  }

  async start() {
    this.drawViews();
    this.listen();
    try {
      this.schema = await request('/api/schema');
      await this.follow(location.hash);
    } catch (error) {
      this.main.replaceChildren(h('div', { class: 'message bad', role: 'alert' }, error.message));
    }
  }

  drawViews() {
    this.links = new Map(VIEWS.map((view) => [view.name, h('a', { href: `#${view.name}` }, icon(view.icon), h('span', {}, view.title))]));
    document.getElementById('views').replaceChildren(...this.links.values());
  }

  listen() {
    addEventListener('hashchange', () => this.follow(location.hash).catch((error) => toast(error.message)));
    document.getElementById('share').addEventListener('click', () => {
      this.write();
      copy(location.href, 'The link is on the clipboard. It holds the whole situation.');
    });
    const theme = document.getElementById('theme');
    const showTheme = () => theme.setAttribute('aria-pressed', document.documentElement.dataset.theme === 'dark');
    theme.addEventListener('click', () => {
      const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
      document.documentElement.dataset.theme = next;
      try {
        localStorage.setItem('tilewise-theme', next);
      } catch {
        // it lasts as long as the page is open
      }
      showTheme();
    });
    showTheme();
    document.querySelector('.skip').addEventListener('click', (event) => {
      event.preventDefault();
      this.main.focus();
    });
  }

  /** Go where a hash says: #watch, or #watch?board=...&goal=...&at=12. */
  async follow(hash) {
    const [name, query = ''] = hash.replace(/^#/, '').split('?');
    const view = VIEWS.find((each) => each.name === name) ?? VIEWS[0];
    const params = Object.fromEntries(new URLSearchParams(query));
    if (hash === this.shown) return;
    const first = this.view === null;
    if (params.board) {
      try {
        await this.load(params.board, params.goal);
      } catch (error) {
        toast(error.message);
      }
    }
    if (!this.board) await this.scramble({ shape: FIRST_SHAPE, goal: 'last', depth: FIRST_DEPTH });
    await this.open(view, params, first);
  }

  async open({ name, title }, params, first) {
    const { default: View } = await import(`./${name}.js`);
    this.view?.unmount?.();
    this.name = name;
    this.main.replaceChildren();
    for (const [each, link] of this.links) {
      if (each === name) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    document.title = `${title} · tilewise`;
    this.view = new View(this, params);
    this.main.append(this.view.element);
    this.view.mounted?.();
    this.write();
    if (!first) {
      const heading = this.main.querySelector('h1');
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    this.main.dataset.ready = name;
  }

  /** Have the server read a board; it becomes the current one. */
  async load(text, goal = AUTO, signal) {
    const answer = await request('/api/board', { board: text, goal: goal || AUTO }, signal);
    this.board = answer.board;
    this.goal = answer.goal;
    this.game = null;
    return answer;
  }

  /** Replace the goal by that of a course. */
  useGoalOf(profile, board = this.board) {
    this.settling = this.setGoalOf(profile, board); // a search that is started meanwhile waits
    return this.settling;
  }

  async setGoalOf(profile, board) {
    try {
      await this.load(token(board), profile.goal);
      toast(`The goal is now that of ${profile.name}: ${this.goalName()}.`);
      this.sync();
    } catch (error) {
      toast(error.message);
    }
  }

  async scramble(wanted) {
    const answer = await request('/api/scramble', wanted);
    if (!answer.boards.length) throw new Error('No board of that depth was found in time. Ask for less.');
    [this.board] = answer.boards;
    this.goal = answer.goal;
    this.game = null;
    return answer;
  }

  setBoard(board) {
    this.board = board;
  }

  /** The board and the goal as a request has them. */
  problem(board = this.board) {
    return { board: token(board), goal: this.goalText() };
  }

  goalText() {
    return this.namedGoal() ? this.goal.name : token(this.goal);
  }

  goalName() {
    return this.namedGoal()?.title ?? 'your own';
  }

  /** The named goal of this name, if there is one. */
  namedGoal(name = this.goal.name) {
    return this.schema.goals.find((each) => each.name === name && name !== AUTO);
  }

  /** Goals to choose from; without `automatic` those alone that do not depend on a notation. */
  goalChoices({ automatic = false } = {}) {
    const goals = this.schema.goals.filter((each) => automatic || each.name !== AUTO);
    return [...goals.map(({ name, title }) => [name, title]), ['own', 'your own …']];
  }

  /** Write the whole situation into the address, soon: browsers refuse hundreds of changes a second. */
  sync() {
    this.soon ??= setTimeout(() => this.write(), 150);
  }

  write() {
    clearTimeout(this.soon);
    this.soon = null;
    if (!this.view) return;
    const params = { board: token(this.board), goal: this.goalText(), ...this.view.link?.() };
    const kept = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '');
    // commas and colons are legal in a fragment and easier to read
    const query = new URLSearchParams(kept).toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%28', '(').replaceAll('%29', ')');
    this.shown = `#${this.name}?${query}`;
    history.replaceState(null, '', this.shown);
  }

  /** Show another view, with the same board. */
  go(name, params = {}) {
    history.pushState(null, '', `#${name}`); // so that Back leads here
    return this.open(VIEWS.find((each) => each.name === name), params, false);
  }
}

new App().start();
