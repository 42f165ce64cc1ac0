// Solve: choose a search; its solution is an animation, a list of steps, and text to copy.

import { progressText, stream } from './api.js';
import { BoardView } from './board.js';
import { announce, button, copy, field, h, icon, labelOf, number, select, sentence } from './dom.js';
import { SearchForm, runner, searchName, searchOf } from './form.js';
import { moveInWords, slide } from './game.js';
import { Player } from './player.js';

const SPEEDS = [[1, 'slow'], [3, 'normal'], [8, 'fast'], [30, 'very fast']];
const LONG_LIST = 600; // steps that are listed one by one

export default class Solve {
  constructor(app, params) {
    this.app = app;
    this.start = app.board;
    this.wanted = Number(params.at) || 0;
    const settings = (app.settings.solve ??= {});
    if (params.algorithm || params.rules || params.profile) settings.search = searchOf(params);
    if (params.speed) settings.speed = params.speed;
    this.settings = settings;
    this.run = params.run || params.solved;
    this.form = new SearchForm(app.schema, settings.search, { automatic: true, limits: true, onchange: () => this.changed(), onprofile: (profile) => this.useProfile(profile) });
    this.runner = runner('Solve', (signal, progress) => this.work(signal, progress), progressText);
    this.player = new Player({ noun: 'move', show: (at) => this.show(at), speeds: SPEEDS, speed: settings.speed ?? 3, describe: (at) => this.describe(at) });
    this.view = new BoardView({ label: 'Board' });
    this.element = h('div', {}, h('div', { class: 'title' }, h('h1', {}, 'Solve')), h('div', { class: 'pair' }, this.stage(), this.panel()));
  }

  mounted() {
    this.view.show(this.start, this.app.goal);
    this.view.grid.setAttribute('aria-label', `Board, ${this.start.rows} by ${this.start.columns}`);
    if (this.run) this.runner.run();
  }

  unmount() {
    this.runner.stop();
    this.player.pause();
    this.app.setBoard(this.start);
  }

  stage() {
    this.player.element.hidden = true;
    this.player.listen(this.player.element);
    return h('div', { class: 'stage stack' }, this.view.element, this.player.element);
  }

  panel() {
    this.answer = h('div', { class: 'stack' }, this.empty());
    return h('div', { class: 'stack' }, h('section', { class: 'card stack', 'aria-label': 'Search' }, this.form.element, this.runner.element), this.answer);
  }

  empty() {
    return h('div', { class: 'card empty' }, icon('solve'), h('p', {}, `Goal: ${this.app.goalName()}. The solution appears here.`));
  }

  async useProfile(profile) {
    await this.app.useGoalOf(profile, this.start);
    this.start = this.app.board;
    this.view.show(this.start, this.app.goal);
  }

  changed() {
    this.settings.search = this.form.link;
    this.app.sync();
  }

  async work(signal, progress) {
    await this.app.settling;
    this.answer.replaceChildren();
    this.player.element.hidden = true;
    this.player.pause();
    this.view.show(this.start, this.app.goal);
    try {
      this.result = await stream('/api/solve', { ...this.app.problem(this.start), ...this.form.value }, progress, signal);
    } catch (error) {
      this.result = null;
      const text = error.name === 'AbortError' ? 'Stopped.' : error.message;
      this.answer.replaceChildren(h('p', { class: `message ${error.name === 'AbortError' ? '' : 'bad'}` }, text));
      announce(text);
      return;
    }
    this.settings.search = this.form.link;
    this.present(this.result);
    this.app.sync();
  }

  present(result) {
    const solved = result.moves !== null;
    const headline = solved ? result.headline : sentence(result.headline);
    this.answer.replaceChildren(
      h(
        'section',
        { class: 'card stack', 'aria-label': 'Solution' },
        h('p', { class: 'headline' }, headline),
        h('p', { class: 'soft small' }, `${searchName(result)} · rules ${result.rules} · ${result.engine} engine`),
        result.note ? h('p', { class: 'message' }, result.note) : null,
        result.explanation ? h('div', { class: 'row' }, button('Show why on the board', () => this.app.go('enter'))) : null,
        ...(solved ? [this.copying(result), this.list(result)] : []),
      ),
      this.counters(result),
    );
    if (!solved) return announce(headline);
    this.boards = [this.start];
    for (const move of result.moves) this.boards.push(slide(this.boards.at(-1), move));
    this.player.element.hidden = false;
    const at = Math.min(this.wanted, result.moves.length);
    this.wanted = 0;
    this.player.reset(result.moves.length, at);
    return announce(headline);
  }

  describe(at) {
    if (at === 0 || !this.result?.moves) return 'Start';
    return `Move ${at} of ${this.result.moves.length}: ${moveInWords(this.boards[at - 1], this.result.moves[at - 1])}`;
  }

  show(at) {
    if (!this.boards) return;
    this.view.show(this.boards[at], this.app.goal);
    if (!this.player.playing) announce(this.describe(at));
    else if (at === this.player.last) announce('Solved.');
    const current = this.steps?.querySelector('[aria-current]');
    current?.removeAttribute('aria-current');
    const next = this.steps?.children[at - 1]?.firstChild;
    if (next) {
      next.setAttribute('aria-current', 'step');
      const { offsetTop, offsetHeight } = next.parentElement;
      const { scrollTop, clientHeight } = this.steps;
      if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) this.steps.scrollTop = offsetTop - clientHeight / 2;
    }
    if (!this.player.playing) this.app.sync();
  }

  copying(result) {
    const styles = this.app.schema.move_styles;
    const style = select(styles.map(({ name, example }) => [name, `${name}: ${example}`]), styles[0].name, () => refresh());
    const whose = select([['blank', 'of the blank'], ['tile', 'of the tiles']], 'blank', () => refresh());
    const text = h('output', { class: 'mono moves' });
    const refresh = () => (text.textContent = result.written ? result.written[style.value][whose.value] : result.moves);
    refresh();
    return h(
      'div',
      { class: 'stack tight' },
      h('div', { class: 'fields' }, field('Notation', style), field('Moves', whose)),
      h('div', { class: 'row' }, text, button('Copy', () => copy(text.textContent, 'The moves are on the clipboard.'), { 'aria-label': 'Copy the moves' })),
    );
  }

  list(result) {
    let board = this.start;
    const listed = result.moves.slice(0, LONG_LIST);
    this.steps = h('ol', { class: 'steps', tabindex: '0', 'aria-label': 'Steps' });
    Array.from(listed).forEach((move, index) => {
      this.steps.append(h('li', {}, button(moveInWords(board, move), () => this.player.jump(index + 1), { class: 'quiet', tabindex: '-1' })));
      board = slide(board, move);
    });
    this.steps.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.player.jump(this.player.at + step);
    });
    const more = result.moves.length - listed.length;
    return h('div', { class: 'stack tight' }, h('h2', {}, 'Step by step'), this.steps, more > 0 ? h('p', { class: 'hint' }, `and ${number(more)} more; the bar under the board has them all`) : null);
  }

  counters(result) {
    const rows = this.app.schema.counters
      .filter((counter) => result.stats[counter.name] !== null && result.stats[counter.name] !== undefined)
      .map((counter) => {
        const value = result.stats[counter.name];
        const text = Number.isInteger(value) ? number(value) : value.toFixed(4);
        return h('tr', {}, h('th', { scope: 'row' }, labelOf(counter.name)), h('td', { class: 'n' }, text), h('td', { class: 'soft small' }, `${counter.meaning} (${counter.unit})`));
      });
    const head = h('dl', { class: 'figures' }, ...['expanded', 'generated', 'seconds'].map((name) => h('div', {}, h('dt', {}, name), h('dd', {}, name === 'seconds' ? result.stats.seconds.toFixed(3) : number(result.stats[name])))));
    return h('section', { class: 'card stack tight', 'aria-label': 'Counters' }, head, h('details', {}, h('summary', {}, 'All counters, and what they mean'), h('div', { class: 'scroll' }, h('table', {}, h('tbody', {}, ...rows)))));
  }

  link() {
    const solved = this.result ? { solved: 1, at: this.player.at || undefined, speed: this.player.rate === 3 ? undefined : this.player.rate } : {};
    return { board: this.app.problem(this.start).board, ...this.form.link, ...solved };
  }
}
