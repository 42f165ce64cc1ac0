// Race: two to four searches on one board, on a common clock of expansions.

import { progressText, stream } from './api.js';
import { mini } from './board.js';
import { Chart, upTo } from './chart.js';
import { announce, button, field, h, icon, iconButton, labelOf, number, setOptions } from './dom.js';
import { SearchForm, runner, searchName } from './form.js';
import { decode } from './game.js';
import { Player } from './player.js';

const FIRST = [{ algorithm: 'astar', heuristic: 'manhattan' }, { algorithm: 'greedy', heuristic: 'manhattan' }, { algorithm: 'bfs' }];
const MOST = 4;
const LEAST = 2;
const MARKS = [['algorithm', ' '], ['heuristic', ' with '], ['rules', ' under '], ['profile', ' of ']]; // in a link
const NAMES = ['A', 'B', 'C', 'D'];
const APART = 20; // times as many expansions: then logarithmic scales show both
const DURATIONS = [[20, 'slow'], [8, 'normal'], [3, 'fast']];

export default class Race {
  constructor(app, params) {
    this.app = app;
    const settings = (app.settings.race ??= { searches: FIRST, log: null });
    if (params.searches) {
      settings.searches = readSearches(params.searches, settings.searches);
      Object.assign(settings, { nodes: params.nodes, seconds: params.seconds });
    }
    this.settings = settings;
    this.wanted = params.at === undefined ? null : Number(params.at);
    this.run = params.run || params.at !== undefined;
    this.runner = runner('Race', (signal, progress) => this.work(signal, progress), progressText);
    this.player = new Player({ noun: 'expansion', show: (at) => this.show(at), speeds: [[1, 'normal']] });
    this.charts = [new Chart('Nodes generated'), new Chart('Frontier')];
    this.element = h('div', {}, h('div', { class: 'title' }, h('h1', {}, 'Race'), h('p', { class: 'lead' }, 'Two to four searches on this board. One tick of the clock is one expansion for each.')), this.setup(), this.track());
  }

  mounted() {
    if (this.run) this.runner.run();
  }

  unmount() {
    this.runner.stop();
    this.player.pause();
  }

  setup() {
    this.list = h('div', { class: 'racers' });
    this.add = h('button', { type: 'button', onclick: () => this.change([...this.searches(), { algorithm: 'idastar' }]) }, icon('plus'), 'Add a search');
    this.drawForms();
    const { budgets } = this.app.schema;
    const limit = (name, label, least, most, usual) => field(label, h('input', { type: 'number', min: least, max: most, step: least, value: this.settings[name] ?? '', placeholder: usual, oninput: (event) => this.setLimit(name, event.target.value) }));
    const limits = [limit('nodes', 'Most nodes', 1, budgets.max_nodes, budgets.default_nodes_compared), limit('seconds', 'Most seconds', 0.1, budgets.seconds, budgets.default_seconds)];
    const open = Boolean(this.settings.nodes || this.settings.seconds);
    return h('section', { class: 'card stack', 'aria-label': 'Searches' }, this.list, h('details', { open }, h('summary', {}, 'Limits of each search'), h('div', { class: 'inside fields' }, ...limits)), h('div', { class: 'row apart' }, this.runner.element, this.add));
  }

  setLimit(name, value) {
    this.settings[name] = value;
    this.app.sync();
  }

  searches() {
    return this.forms.map((form) => form.value);
  }

  limits() {
    const { nodes, seconds } = this.settings;
    return { ...(nodes && { max_nodes: Number(nodes) }), ...(seconds && { seconds: Number(seconds) }) };
  }

  change(searches) {
    this.settings.searches = searches;
    this.drawForms();
    this.app.sync();
  }

  drawForms() {
    const { searches } = this.settings;
    const options = { traced: true, onchange: () => (this.settings.searches = this.forms.map((form) => form.link)), onprofile: (profile) => this.app.useGoalOf(profile) };
    this.forms = searches.map((search) => new SearchForm(this.app.schema, search, options));
    this.list.replaceChildren(
      ...this.forms.map((form, index) => {
        const remove = iconButton('close', `Remove search ${NAMES[index]}`, () => this.change(this.searches().filter((_, other) => other !== index)), { class: 'icon quiet' });
        remove.hidden = searches.length <= LEAST;
        return h('div', { class: 'racer-form', role: 'group', 'aria-label': `Search ${NAMES[index]}` }, h('div', { class: 'row apart' }, h('h2', { class: `racer-name racer-${index}` }, NAMES[index]), remove), form.element);
      }),
    );
    this.add.hidden = searches.length >= MOST;
  }

  track() {
    this.cards = h('div', { class: 'racer-cards' });
    const log = h('input', { type: 'checkbox', onchange: () => this.setLog((this.settings.log = log.checked)) });
    this.log = log;
    this.notice = h('div', { class: 'notice' });
    this.box = h('div', { class: 'stack', hidden: true }, h('div', { class: 'card' }, this.player.element), this.cards, h('div', { class: 'charts' }, ...this.charts.map((chart) => chart.element)), h('label', { class: 'check' }, log, 'Logarithmic scales'));
    this.emptyBox = h('div', { class: 'empty' }, icon('race'), h('p', {}, 'Press Race. All searches start at once; the chart shows what each of them spends.'));
    this.player.listen(this.box);
    return h('div', { class: 'stack below' }, this.notice, this.emptyBox, this.box);
  }

  setLog(on) {
    this.log.checked = on;
    for (const chart of this.charts) {
      chart.logarithmic = on;
      chart.draw();
    }
  }

  async work(signal, progress) {
    await this.app.settling;
    this.notice.replaceChildren();
    this.player.pause();
    let answer;
    try {
      answer = await stream('/api/compare', { ...this.app.problem(), searches: this.searches(), ...this.limits(), points: this.app.schema.budgets.points }, progress, signal);
    } catch (error) {
      if (error.name !== 'AbortError') this.notice.replaceChildren(h('p', { class: 'message bad' }, error.message));
      return;
    }
    if (answer.searches.every((search) => search.result.status === 'unsolvable')) {
      this.box.hidden = true;
      this.notice.replaceChildren(h('div', { class: 'message bad row' }, 'This goal cannot be reached, so there is no race.', button('Show why on the board', () => this.app.go('enter'))));
      return;
    }
    this.begin(answer);
  }

  begin(answer) {
    this.answer = answer;
    this.settings.searches = this.forms.map((form) => form.link);
    this.emptyBox.hidden = true;
    this.box.hidden = false;
    const { rows, columns } = answer.board;
    this.shape = [rows, columns];
    this.runners = answer.searches.map((search, index) => this.card(search, index));
    this.cards.replaceChildren(...this.runners.map((each) => each.element));
    const last = Math.max(...answer.searches.map((search) => search.series.expanded.at(-1) ?? 0));
    const least = Math.min(...answer.searches.map((search) => search.series.expanded.at(-1) ?? 0));
    this.setLog(this.settings.log ?? last > APART * Math.max(1, least));
    const lines = (column) => answer.searches.map((search, index) => ({ name: `${NAMES[index]}, ${searchName(search.result)}`, x: search.series.expanded, y: search.series[column] }));
    this.charts[0].use(lines('generated'), last);
    this.charts[1].use(lines('frontier'), last);
    setOptions(this.player.speed, DURATIONS.map(([seconds, label]) => [Math.max(1, last / seconds), label]), Math.max(1, last / 8));
    this.player.rate = Math.max(1, last / 8);
    this.player.reset(last, this.wanted ?? 0);
    if (this.wanted === null) this.player.play();
    this.wanted = null;
    announce(`The race is on: ${answer.searches.length} searches.`);
  }

  card(search, index) {
    const face = h('div', { class: 'face' });
    const state = h('p', { class: 'small' });
    const done = h('div', { class: 'track-bar' }, h('div', { class: `racer-${index}` }));
    const figures = ['expanded', 'generated', 'frontier'].map((name) => [name, h('dd', {})]);
    const element = h(
      'section',
      { class: 'card stack tight racer-card', 'aria-label': `Search ${NAMES[index]}` },
      h('div', { class: 'row apart nowrap' }, h('div', {}, h('h2', { class: `racer-name racer-${index}` }, NAMES[index]), h('p', { class: 'small' }, searchName(search.result))), face),
      done,
      h('dl', { class: 'figures small' }, ...figures.map(([name, value]) => h('div', {}, h('dt', {}, labelOf(name)), value))),
      state,
    );
    return { search, element, face, state, bar: done.firstChild, figures };
  }

  show(at) {
    if (!this.runners) return;
    for (const runner of this.runners) this.showRacer(runner, at);
    for (const chart of this.charts) chart.at(at);
    if (this.player.playing && at < this.player.last) return;
    announce(at === this.player.last ? `The race is over. ${this.runners.map((runner, index) => `${NAMES[index]} ${this.verdict(runner.search)}`).join('. ')}.` : `After ${number(at)} expansions.`);
    this.app.sync();
  }

  showRacer({ search, element, face, state, bar, figures }, at) {
    const { series, result } = search;
    const sample = Math.max(0, upTo(series.expanded, at) - 1);
    const total = result.stats.expanded;
    const over = at >= (series.expanded.at(-1) ?? 0);
    for (const [name, value] of figures) {
      const known = over && name !== 'frontier' ? result.stats[name] : (series[name][sample] ?? 0);
      value.textContent = number(name === 'expanded' && !over ? at : known);
    }
    bar.style.transform = `scaleX(${over ? 1 : Math.min(1, at / Math.max(1, total))})`;
    element.classList.toggle('over', over);
    element.classList.toggle('won', over && result.status === 'solved');
    state.textContent = over ? this.verdict(search) : `expanding g = ${series.g[sample] ?? 0}, h = ${series.h[sample] ?? 0}`;
    const code = over && result.status === 'solved' ? null : series.board[sample];
    const board = code ? decode(code, ...this.shape) : this.answer.goal;
    face.replaceChildren(mini(board, 64));
  }

  verdict({ result }) {
    return `${result.headline}, after ${number(result.stats.expanded)} expansions`;
  }

  link() {
    const written = (search) => MARKS.map(([field, word]) => (search[field] ? `${word}${search[field]}` : '')).join('').trim();
    const { nodes, seconds } = this.settings;
    return { searches: this.searches().map(written).join(' vs '), nodes, seconds, at: this.answer ? this.player.at : undefined };
  }
}

/** 'astar with manhattan vs bfs under fifo vs with misplaced of cs170' as searches. */
function readSearches(text, otherwise) {
  const searches = text.split(' vs ').map((part) => {
    const search = {};
    let rest = ` ${part.trim()}`;
    for (const [field, word] of MARKS.toReversed()) {
      const at = field === 'algorithm' ? 0 : rest.lastIndexOf(word);
      if (at < 0 || rest.length <= word.length) continue;
      search[field] = rest.slice(at + word.length).trim();
      rest = rest.slice(0, at);
    }
    return search;
  });
  return searches.length >= LEAST && searches.length <= MOST ? searches : otherwise;
}
