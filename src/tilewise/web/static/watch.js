// Watch: step through a search: its tree, its open list, why it takes the node it takes.

import { progressText, stream } from './api.js';
import { mini } from './board.js';
import { announce, button, field, h, icon, labelOf, number, plural, sentence } from './dom.js';
import { SearchForm, readSpec, runner, searchName, searchOf } from './form.js';
import { WORDS } from './game.js';
import { NodeList } from './nodelist.js';
import { Player } from './player.js';
import { Replay, STATUS_WORDS } from './replay.js';
import { Tree } from './tree.js';

const SPEEDS = [[1, '1 a second'], [3, '3 a second'], [10, '10 a second'], [30, '30 a second'], [60, '60 a second'], [300, '300 a second']];
const EVENTS = 60_000;
const MAX_NODES = 100_000; // unless the person sets a limit
const HURRIED = 8; // steps a second beyond which the view jumps instead of gliding
const QUICK = 60; // milliseconds between steps
const REST = 150;
const COUNTERS = ['expanded', 'generated', 'stored', 'duplicates', 'reopened', 'max_frontier', 'max_depth', 'iterations'];
const TITLES = { 'two-sided': 'Open lists', path: 'Path' };
const ORDER = {
  queue: 'In the order it will be taken.',
  heap: 'In the order it will be taken; between equal f the heap decides.',
  layers: 'The rest of this layer, then the next, sorted. The beam keeps the first.',
  'two-sided': 'The end in work first, then the other.',
  path: 'This search has no open list; it keeps the path to the current node.',
};

export default class Watch {
  constructor(app, params) {
    this.app = app;
    const settings = (app.settings.watch ??= { search: { algorithm: 'astar', heuristic: 'manhattan' } });
    if (params.algorithm || params.rules || params.profile) settings.search = searchOf(params);
    this.settings = settings;
    this.wanted = Number(params.at) || 0;
    this.run = params.run || params.at !== undefined;
    this.form = this.makeForm();
    this.runner = runner('Watch', (signal, progress) => this.work(signal, progress), progressText);
    this.player = new Player({ noun: 'expansion', show: (at) => this.show(at), speeds: SPEEDS, speed: params.speed ?? settings.speed ?? 3 });
    this.tree = new Tree({ onchoose: (node) => this.inspect(node) });
    this.open = new NodeList({ label: 'Open list', onchoose: (node) => this.inspect(node) });
    this.closed = new NodeList({ label: 'Closed set', onchoose: (node) => this.inspect(node) });
    this.element = h('div', {}, h('div', { class: 'title' }, h('h1', {}, 'Watch'), h('p', { class: 'lead' }, 'A search, one expansion at a time, forward and back.')), this.setup(), this.lab());
    this.takeDrops();
  }

  makeForm() {
    const { settings } = this;
    return new SearchForm(this.app.schema, settings.search, { traced: true, limits: true, onchange: () => (settings.search = this.form.link), onprofile: (profile) => this.useProfile(profile) });
  }

  mounted() {
    if (this.run) this.runner.run();
  }

  unmount() {
    this.runner.stop();
    this.reading?.abort();
    this.player.pause();
    clearTimeout(this.soon);
    this.settings.speed = this.player.rate;
  }

  setup() {
    this.startFace = h('div', { class: 'row faces' });
    this.drawFaces();
    this.file = h('input', { type: 'file', accept: '.jsonl,.ndjson,.json,.txt', onchange: () => this.openTrace(this.file.files[0]) });
    const file = field('Or open the trace of another solver', this.file, 'JSON Lines, as tilewise trace check reads it. It can also be dropped here.');
    this.choice = h('details', { class: 'card choice', open: true }, h('summary', {}, h('span', {}, 'Search')), h('div', { class: 'inside pair-wide' }, h('div', { class: 'stack' }, this.form.element, this.runner.element, file), this.startFace));
    return this.choice;
  }

  takeDrops() {
    const { element } = this;
    const over = (on) => element.classList.toggle('dropping', on);
    element.addEventListener('dragover', (event) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      over(true);
    });
    element.addEventListener('dragleave', () => over(false));
    element.addEventListener('drop', (event) => {
      over(false);
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      this.openTrace(event.dataTransfer.files[0]);
    });
  }

  /** Have the server check the trace of another solver, and replay it. */
  async openTrace(file) {
    if (!file) return;
    this.runner.stop();
    this.reading?.abort();
    this.reading = new AbortController();
    const { signal } = this.reading;
    this.player.pause();
    if (this.soon) this.showLists(); // announce the last step first
    this.say(`Checking ${file.name}.`);
    try {
      const most = this.app.schema.budgets.trace_body;
      const trace = file.size > most ? '' : await file.text();
      if (file.size > most || JSON.stringify(trace).length > most - 100) throw new Error(`too large: at most ${number(most)} bytes can be opened here; tilewise trace check reads more`);
      const answer = await stream('/api/trace/check', { trace }, null, signal);
      if (!signal.aborted) this.showTrace(file.name, answer);
    } catch (error) {
      if (error.name !== 'AbortError') this.say(`${file.name}: ${error.message}`, 'bad');
    } finally {
      this.file.value = '';
    }
  }

  say(text, kind = '') {
    this.notice.replaceChildren(h('p', { class: `message ${kind}` }, text));
    announce(text);
  }

  showTrace(name, answer) {
    const { claims, verdict } = answer;
    if (!answer.expansions.length) return this.say(`${name}: there is no expansion to step through.`, 'bad');
    Object.assign(this.app, { board: claims.board, goal: claims.goal, game: null });
    this.drawFaces();
    // the same search by tilewise is one press of Watch away
    const { profile, method, algorithm, heuristic, rules } = claims;
    if (algorithm) this.settings.search = profile ? { profile, algorithm: method, heuristic } : { algorithm, heuristic: heuristic ?? undefined, rules: rules === 'default' ? undefined : rules };
    const old = this.form;
    this.form = this.makeForm();
    old.element.replaceWith(this.form.element);
    const claimed = claims.algorithm ? `${searchName(claims)}, rules ${claims.rules}` : 'no algorithm claimed';
    this.begin({ ...answer, result: claims }, `${name}: ${claimed}`, [this.verdict(verdict)], answer);
    return announce(verdict.ok ? `${name} does what it claims.` : `${name} departs from its claims. Line ${verdict.line}: ${verdict.deviation}`);
  }

  verdict(verdict) {
    if (!verdict.ok) return h('div', { class: 'message bad stack tight' }, h('p', {}, h('strong', {}, 'It departs from what it claims. '), `Line ${verdict.line}: ${verdict.deviation}.`), h('div', {}, button('Show where', () => this.player.go(this.departs))));
    const list = (title, items) => (items.length ? [h('p', {}, title), h('ul', { class: 'plain' }, ...items.map((text) => h('li', {}, text)))] : []);
    return h('div', { class: 'message good stack tight' }, h('strong', {}, 'It does what it claims.'), h('details', {}, h('summary', {}, 'What was checked'), h('div', { class: 'small' }, ...list('Checked:', verdict.checked), ...list('Not checked:', verdict.not_checked))));
  }

  drawFaces() {
    const face = (board, name) => h('figure', { class: 'face' }, mini(board, 96, `${name}: ${board.text ?? board.tiles.join(' ')}`), h('figcaption', { class: 'small soft' }, name));
    this.startFace.replaceChildren(face(this.app.board, 'Start'), face(this.app.goal, 'Goal'));
  }

  lab() {
    this.why = h('div', { class: 'card why stack tight', 'aria-label': 'This expansion' });
    this.counters = h('dl', { class: 'figures small' });
    this.figures = COUNTERS.map((name) => {
      const value = h('dd', {});
      const meaning = this.app.schema.counters.find((counter) => counter.name === name)?.meaning;
      this.counters.append(h('div', { title: meaning }, h('dt', {}, labelOf(name)), value));
      return [name, value];
    });
    this.code = h('ol', { class: 'code small' });
    this.codeTitle = h('summary', {}, h('span', {}, 'Pseudo-code'));
    this.codeBox = h('details', { class: 'card', open: true }, this.codeTitle, this.code);
    this.openTitle = h('h2', {}, 'Open list');
    this.openHint = h('p', { class: 'hint' });
    this.closedTitle = h('summary', {}, h('span', {}, 'Closed set'));
    this.detail = h('div', { class: 'card', hidden: true });
    const legend = [['open', 'open'], ['closed', 'closed'], ['current', 'just taken'], ['ghost', 'duplicate'], ['reopened', 're-opened'], ['departs', 'departs from its claims']].map(([name, words]) => h('span', { class: 'key' }, h('i', { class: `swatch ${name}` }), words));
    this.departsKey = legend.at(-1);
    this.labBox = h(
      'div',
      { class: 'lab', hidden: true },
      h('div', { class: 'stack tight main-part' }, this.why, h('div', { class: 'card flush' }, this.player.element, this.tree.element, h('p', { class: 'legend small soft' }, ...legend, h('span', { class: 'key' }, 'f = g + h')))),
      h('div', { class: 'stack tight side-part' }, h('section', { class: 'card', 'aria-label': 'Counters' }, this.counters), this.detail, this.codeBox, h('section', { class: 'card stack tight' }, this.openTitle, this.openHint, this.open.element), h('details', { class: 'card', ontoggle: () => this.closed.show() }, this.closedTitle, this.closed.element)),
    );
    this.player.listen(this.labBox);
    this.notice = h('div', { class: 'notice' });
    this.emptyBox = h('div', { class: 'empty' }, icon('watch'), h('p', {}, 'Press Watch, or open a trace. The tree grows here, one expansion at a time.'));
    return h('div', { class: 'stack' }, this.notice, this.emptyBox, this.labBox);
  }

  async useProfile(profile) {
    await this.app.useGoalOf(profile);
    this.drawFaces();
  }

  async work(signal, progress) {
    await this.app.settling;
    this.reading?.abort();
    this.notice.replaceChildren();
    this.player.pause();
    const search = this.form.value;
    // some courses' programs have a number of nodes of their own
    const course = this.app.schema.profiles.find((each) => each.name === search.profile);
    const most = course?.max_nodes ? {} : { max_nodes: MAX_NODES };
    const request = { ...this.app.problem(), ...most, ...search, events: EVENTS, reasons: true };
    let trace;
    try {
      trace = await stream('/api/trace', request, progress, signal);
    } catch (error) {
      if (error.name !== 'AbortError') this.say(error.message, 'bad');
      return;
    }
    if (!trace.events.kind.length) {
      const why = trace.result.status === 'unsolvable' ? 'This goal cannot be reached, so there is no search to watch.' : 'There is nothing to watch.';
      this.labBox.hidden = true;
      this.notice.replaceChildren(h('div', { class: 'message bad row' }, why, button('Show why on the board', () => this.app.go('enter'))));
      announce(why);
      return;
    }
    this.settings.search = this.form.link;
    const { result } = trace;
    const more = trace.count - trace.kept;
    const notes = [more > 0 && `The first ${number(trace.kept)} of ${number(trace.count)} events are here.`, result.note].filter(Boolean);
    this.begin(trace, `${searchName(result)}${result.rules === 'default' ? '' : `, rules ${result.rules}`}: ${result.headline}`, notes.map((note) => h('p', { class: 'message' }, note)));
  }

  /** Replay a trace; `uploaded` has the claims and the verdict of one that came as a file. */
  begin(trace, title, notes, uploaded = null) {
    this.replay = new Replay(trace);
    const { replay } = this;
    this.uploaded = uploaded;
    const departure = uploaded?.verdict.event ?? null;
    this.departs = departure === null ? -1 : replay.stepOf(departure);
    this.choice.open = false;
    this.choice.firstChild.firstChild.textContent = title;
    this.notice.replaceChildren(...notes);
    this.emptyBox.hidden = true;
    this.labBox.hidden = false;
    this.openTitle.textContent = TITLES[replay.openKind] ?? 'Open list';
    const open = uploaded && (!uploaded.claims.algorithm || (replay.openKind === 'queue' && !uploaded.claims.stated.includes('ties')));
    this.openHint.textContent = open ? 'The header leaves ties open; of the smallest any may be taken.' : (ORDER[replay.openKind] ?? '');
    this.departsKey.hidden = this.departs < 0;
    this.writeCode(readSpec(trace.result.algorithm).name);
    this.tree.use(replay);
    this.tree.departs = departure === null ? -1 : this.tree.items.byEvent[departure];
    this.tree.resized();
    this.open.use(replay, (from, count) => replay.openSlice(from, count), () => replay.openSize);
    this.closed.use(replay, (from, count) => newestFirst(replay.closed, from, count), () => replay.closed.length);
    const at = Math.min(this.wanted, replay.last);
    this.wanted = 0;
    this.player.reset(replay.last, at);
    this.element.classList.add('running');
    announce(`${plural(replay.last, 'expansion')} to step through.`);
  }

  show(at) {
    const { replay } = this;
    if (!replay) return;
    replay.go(at);
    this.tree.hurried = this.player.playing && this.player.rate >= HURRIED;
    this.tree.show();
    this.explain();
    this.markLine();
    for (const [name, value] of this.figures) {
      const text = number(replay.counters[name]);
      if (value.textContent !== text) value.textContent = text;
    }
    const now = performance.now();
    const quick = now - this.shownAt < QUICK;
    this.shownAt = now;
    if (!quick) this.showLists();
    else this.soon ??= setTimeout(() => this.showLists(), REST);
  }

  /** What is updated only when the steps pause: the lists, the announcement, the link. */
  showLists() {
    clearTimeout(this.soon);
    this.soon = null;
    const { replay } = this;
    this.openTitle.textContent = `${TITLES[replay.openKind] ?? 'Open list'} · ${number(replay.openSize)}`;
    this.closedTitle.firstChild.textContent = `Closed set · ${number(replay.closed.length)}`;
    this.open.show();
    if (this.closedTitle.parentElement.open) this.closed.show();
    if (this.player.playing) return;
    announce(this.spoken());
    this.app.sync();
  }

  /** The pseudo-code of the algorithm; a course's own search has none here. */
  writeCode(name) {
    const entry = this.app.schema.algorithms.find((each) => each.name === name);
    this.lineOf = entry?.pseudo_code.line_of ?? {};
    this.codeBox.hidden = !entry?.pseudo_code.lines.length;
    this.codeTitle.firstChild.textContent = `Pseudo-code · ${entry?.title ?? ''}`;
    this.code.replaceChildren(...(entry?.pseudo_code.lines ?? []).map((line) => h('li', {}, line)));
  }

  /** Mark the line that this step carries out. */
  markLine() {
    const { replay } = this;
    const line = this.lineOf[replay.current < 0 ? 'start' : replay.kind[replay.current]];
    [...this.code.children].forEach((each, index) => (index + 1 === line ? each.setAttribute('aria-current', 'step') : each.removeAttribute('aria-current')));
  }

  /** The node that was taken, why, and its successors. */
  explain() {
    const { replay } = this;
    const departs = this.departure() && h('p', { class: 'message bad' }, this.departure());
    if (replay.current < 0) {
      this.why.replaceChildren(h('p', { class: 'headline' }, 'The start is on the open list.'), h('p', { class: 'soft' }, 'Step forward to expand it.'), departs);
      return;
    }
    const event = replay.current;
    const [node, g, hh] = [replay.node[event], replay.g[event], replay.h[event]];
    const verb = replay.kind[event] === 'goal' ? 'Goal' : 'Expanded';
    const bound = replay.bound === null ? '' : `, bound ${replay.bound}`;
    this.why.replaceChildren(
      h('p', { class: 'headline' }, `${verb} #${node}`, h('span', { class: 'soft numbers' }, `  f = ${g + hh}, g = ${g}, h = ${hh}${bound}`)),
      h('p', { class: 'reason' }, this.reason()),
      h('p', { class: 'soft small' }, this.outcome()),
      departs,
    );
  }

  departure() {
    return this.replay.at === this.departs ? `Here it departs: ${this.uploaded.verdict.deviation}.` : '';
  }

  reason() {
    const { replay } = this;
    const words = replay.reason();
    if (words) return sentence(words);
    return replay.bound === null ? 'Next along the path.' : `Next along the path: the first successor left with f at most ${replay.bound}.`;
  }

  /** The successors of this step in words. */
  outcome() {
    const { replay } = this;
    const [from, to] = replay.stepEvents();
    const parts = [];
    for (let i = from; i < to; i += 1) {
      const kind = replay.kind[i];
      const move = WORDS[replay.move[i]];
      if (kind === 'generate') parts.push(`${move}: new #${replay.node[i]}`);
      else if (kind === 'duplicate') parts.push(`${move}: known as #${replay.node[i]}`);
      else if (kind === 'reopen') parts.push(`${move}: cheaper path, re-opened as #${replay.node[i]}`);
      else if (kind === 'stale') parts.push(`#${replay.node[i]} skipped, a cheaper copy was taken`);
      else if (kind === 'bound') parts.push(`a new pass with bound ${replay.priority[i]}`);
    }
    return parts.join(' · ');
  }

  spoken() {
    const { replay } = this;
    if (replay.current < 0) return 'The start is on the open list.';
    const event = replay.current;
    return `Expansion ${replay.at}: node ${replay.node[event]}, f ${replay.g[event] + replay.h[event]}. ${this.reason()} ${this.departure()}`;
  }

  inspect(node) {
    const { replay } = this;
    const facts = replay.facts(node);
    const moves = replay.path(node).slice(1).map((each) => replay.facts(each).move).join('');
    const item = replay.made[node] < 0 ? -1 : this.tree.items.byEvent[replay.made[node]];
    if (item >= 0) this.tree.choose(item);
    this.detail.hidden = false;
    this.detail.replaceChildren(
      h(
        'div',
        { class: 'row inspect' },
        mini(replay.board(node), 96, `Board of node ${node}`),
        h('div', { class: 'grow stack tight' }, h('h2', {}, `Node #${node}`), h('p', { class: 'numbers' }, `f ${facts.g + facts.h} = g ${facts.g} + h ${facts.h}`), h('p', { class: 'small soft' }, STATUS_WORDS[facts.status]), h('p', { class: 'mono small moves' }, moves || 'the start')),
        h('button', { type: 'button', class: 'quiet icon', 'aria-label': 'Close', onclick: () => (this.detail.hidden = true) }, icon('close')),
      ),
    );
  }

  link() {
    if (this.uploaded) return {}; // the file is not part of a link
    return { ...this.form.link, at: this.replay ? this.player.at : undefined, speed: this.player.rate === 3 ? undefined : this.player.rate };
  }
}

function newestFirst(nodes, from, count) {
  const slice = [];
  for (let i = nodes.length - 1 - from; i >= 0 && slice.length < count; i -= 1) slice.push(nodes[i]);
  return slice;
}
