// The page: which of the six uses is shown, the board and goal they share, and the link to all of it.

import { ask } from './api.js';
import { copy, h, toast } from './dom.js';
import { token } from './game.js';

const USES = ['play', 'enter', 'solve', 'watch', 'race', 'learn'];
const NAMED_GOALS = ['first', 'last', 'snail'];
const FIRST_SHAPE = '3x3';
const FIRST_DEPTH = 14;

class App {
  constructor() {
    this.main = document.getElementById('main');
    this.use = null;
    this.view = null;
    this.board = null; // in front of the person
    this.goal = null; // {name, rows, columns, tiles, text}
    this.settings = {}; // what each use remembers while the page is open
  }

  async start() {
    this.listen();
    try {
      this.schema = await ask('/api/schema');
      await this.follow(location.hash);
    } catch (error) {
      this.main.replaceChildren(h('div', { class: 'message bad', role: 'alert' }, error.message));
    }
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
    const use = USES.includes(name) ? name : 'play';
    const params = Object.fromEntries(new URLSearchParams(query));
    if (hash === this.shown) return;
    const first = this.use === null;
    if (params.board) {
      try {
        await this.load(params.board, params.goal);
      } catch (error) {
        toast(error.message);
      }
    }
    if (!this.board) await this.scramble({ shape: FIRST_SHAPE, goal: 'last', depth: FIRST_DEPTH });
    await this.open(use, params, first);
  }

  async open(use, params, first) {
    const { default: View } = await import(`./${use}.js`);
    this.view?.unmount?.();
    this.use = use;
    this.main.replaceChildren();
    this.main.className = `use-${use}`;
    for (const link of document.querySelectorAll('[data-use]')) {
      if (link.dataset.use === use) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const name = use[0].toUpperCase() + use.slice(1);
    document.title = `${name} · tilewise`;
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
    this.main.dataset.ready = use;
  }

  /** Have the server read a board; it becomes the one in front of the person. */
  async load(text, goal = 'auto', signal) {
    const answer = await ask('/api/board', { board: text, goal: goal || 'auto' }, signal);
    this.board = answer.board;
    this.goal = answer.goal;
    this.game = null;
    return answer;
  }

  /** The goal of a course instead of the one there is. */
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

  async scramble(request) {
    const answer = await ask('/api/scramble', request);
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
    return NAMED_GOALS.includes(this.goal.name) ? this.goal.name : token(this.goal);
  }

  goalName() {
    return { first: 'blank first', last: 'blank last', snail: 'snail' }[this.goal.name] ?? 'your own';
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
    this.shown = `#${this.use}?${query}`;
    history.replaceState(null, '', this.shown);
  }

  /** Show another use, with the same board. */
  go(use, params = {}) {
    history.pushState(null, '', `#${use}`); // so that Back leads here
    return this.open(use, params, false);
  }
}

new App().start();
