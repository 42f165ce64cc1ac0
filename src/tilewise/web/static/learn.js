// Learn: which node is expanded next? The real search judges.

import { stream, progressText } from './api.js';
import { mini } from './board.js';
import { announce, button, h, icon, plural, sentence } from './dom.js';
import { SearchForm, runner, searchName, searchOf } from './form.js';
import { OPEN, Replay } from './replay.js';
import { Tree } from './tree.js';

const CHOICES = 6;
const QUESTIONS = 8;
const MAX_NODES = 2_000;

export default class Learn {
  constructor(app, params) {
    this.app = app;
    const settings = (app.settings.learn ??= { search: { algorithm: 'astar', heuristic: 'manhattan' }, strict: false });
    if (params.algorithm || params.rules || params.profile) settings.search = searchOf(params);
    if (params.strict) settings.strict = true;
    this.settings = settings;
    this.wanted = Number(params.at) || 0;
    this.run = params.run || params.at !== undefined;
    // a question needs an open list with an order
    const { algorithms, profiles } = app.schema;
    const listed = algorithms.filter((entry) => entry.best_first && entry.has_events);
    const asks = (search) => listed.some((entry) => entry.name === search.algorithm);
    const courses = profiles.map((each) => ({ ...each, searches: each.searches.filter(asks) }));
    const schema = { ...app.schema, algorithms: listed, profiles: courses };
    this.form = new SearchForm(schema, settings.search, { traced: true, onchange: () => (settings.search = this.form.link), onprofile: (profile) => app.useGoalOf(profile) });
    this.runner = runner('Ask me', (signal, progress) => this.work(signal, progress), progressText);
    this.element = h('div', {}, h('div', { class: 'title' }, h('h1', {}, 'Learn'), h('p', { class: 'lead' }, 'Be the search: choose the node it expands next. Where several are right, all of them count.')), this.setup(), this.room());
  }

  mounted() {
    if (this.run) this.runner.run();
  }

  unmount() {
    this.runner.stop();
  }

  setup() {
    const strict = h('input', { type: 'checkbox', checked: this.settings.strict, onchange: () => (this.settings.strict = strict.checked) });
    this.choice = h('details', { class: 'card choice', open: true }, h('summary', {}, h('span', {}, 'Search')), h('div', { class: 'inside stack' }, this.form.element, h('label', { class: 'check' }, strict, 'Only the node that these rules take counts, also among ties'), this.runner.element));
    return this.choice;
  }

  room() {
    this.notice = h('div', { class: 'notice' });
    this.emptyBox = h('div', { class: 'empty' }, icon('learn'), h('p', {}, `Press Ask me: ${QUESTIONS} questions about this board.`));
    this.question = h('section', { class: 'stack', 'aria-label': 'Question', hidden: true });
    return h('div', { class: 'stack below' }, this.notice, this.emptyBox, this.question);
  }

  async work(signal, progress) {
    await this.app.settling;
    this.notice.replaceChildren();
    let trace;
    try {
      trace = await stream('/api/trace', { ...this.app.problem(), ...this.form.value, max_nodes: MAX_NODES, events: 4 * MAX_NODES, reasons: true }, progress, signal);
    } catch (error) {
      if (error.name !== 'AbortError') this.notice.replaceChildren(h('p', { class: 'message bad' }, error.message));
      return;
    }
    if (trace.result.status === 'unsolvable' || trace.expansions.length < 2) {
      const why = trace.result.status === 'unsolvable' ? 'This goal cannot be reached from this board.' : 'This board is solved at once; take one that is further away.';
      this.notice.replaceChildren(h('div', { class: 'message bad row' }, why, button('Another board', () => this.app.go('play'))));
      announce(why);
      return;
    }
    this.begin(new Replay(trace));
  }

  begin(replay) {
    this.replay = replay;
    this.settings.search = this.form.link;
    this.choice.open = false;
    this.choice.firstChild.firstChild.textContent = `${searchName(replay.trace.result)}${replay.trace.result.rules === 'default' ? '' : `, rules ${replay.trace.result.rules}`}`;
    this.emptyBox.hidden = true;
    this.element.classList.add('running');
    this.tree = new Tree({ onchoose: (node) => replay.status[node] === OPEN && this.judge(node), quiz: true });
    this.tree.use(replay);
    this.question.hidden = false;
    this.number = 0;
    this.right = 0;
    const usable = Math.max(1, replay.last - 1);
    this.stride = Math.max(1, Math.floor(Math.min(usable, 40) / QUESTIONS));
    this.ask(Math.max(1, Math.min(this.wanted || 1, replay.last - 1)));
    this.wanted = 0;
  }

  /** Ask which node comes after `step` expansions. */
  ask(step) {
    const { replay } = this;
    this.step = step;
    replay.go(step);
    const taken = replay.node[replay.taken[step]];
    const open = replay.open.slice(0, replay.open.size).filter((node) => replay.status[node] === OPEN);
    const priority = (node) => replay.facts(node).priority;
    this.answer = taken;
    this.accepted = this.settings.strict ? [taken] : open.filter((node) => priority(node) === priority(taken));
    const others = open.filter((node) => node !== taken);
    // the answer, what comes right after it, and some from the rest of the list
    const near = others.slice(0, 3);
    const far = others.slice(3).filter((_, index, rest) => index % Math.max(1, Math.floor(rest.length / 2)) === 0);
    this.choices = [taken, ...near, ...far].slice(0, CHOICES).sort((a, b) => a - b);
    this.number += 1;
    this.judged = false;
    this.draw();
    this.app.sync();
  }

  draw() {
    const { replay } = this;
    const { result } = replay.trace;
    this.feedback = h('div', { class: 'stack tight' });
    this.buttons = this.choices.map((node) => {
      const facts = replay.facts(node);
      const label = `Node ${node}, g ${facts.g}, h ${facts.h}, made ${facts.parent >= 0 ? `by moving the blank from node ${facts.parent}` : 'at the start'}`;
      return h(
        'button',
        { type: 'button', class: 'choice-card', 'aria-label': label, onclick: () => this.judge(node) },
        mini(replay.board(node), 88),
        h('span', { class: 'numbers' }, h('strong', {}, `#${node}`), h('span', { class: 'soft' }, ` g ${facts.g}  h ${facts.h}`)),
        h('span', { class: 'verdict small' }),
      );
    });
    const last = replay.node[replay.current];
    this.score = h('p', { class: 'soft numbers' });
    this.showScore();
    this.question.replaceChildren(
      h('div', { class: 'row apart' }, h('h2', { class: 'headline', tabindex: '-1' }, `Which node does ${result.algorithm} expand next?`), this.score),
      h('p', { class: 'soft' }, `${plural(replay.at, 'node')} expanded so far, #${last} last. ${plural(replay.openSize, 'node')} on the open list; ${this.choices.length} of them are here.`),
      h('div', { class: 'choices' }, ...this.buttons),
      this.feedback,
      h('figure', { class: 'card flush' }, this.tree.element, h('figcaption', { class: 'legend small soft' }, 'The tree so far. An open node can be chosen here, too.')),
    );
    this.tree.show();
    announce(`Question ${this.number}: which node is expanded next?`);
  }

  showScore() {
    this.score.textContent = `${Math.min(this.number, QUESTIONS)} of ${QUESTIONS} · ${this.right} right`;
  }

  judge(node) {
    if (this.judged) return;
    this.judged = true;
    const { replay } = this;
    const good = this.accepted.includes(node);
    if (good) this.right += 1;
    this.showScore();
    const why = replay.reason(this.step + 1);
    const reason = why ? sentence(why) : '';
    const verdict = node === this.answer ? `Right: #${node}.` : good ? `Right: #${node} is as good. These rules take #${this.answer}.` : `Not #${node}: the search takes #${this.answer}.`;
    this.buttons.forEach((each, index) => {
      const choice = this.choices[index];
      const facts = replay.facts(choice);
      each.disabled = choice !== node;
      each.classList.toggle('right', this.accepted.includes(choice));
      each.classList.toggle('wrong', choice === node && !good);
      each.classList.toggle('mine', choice === node);
      each.lastChild.textContent = [`f ${facts.g + facts.h}`, choice === this.answer ? 'taken' : this.accepted.includes(choice) ? 'also right' : null].filter(Boolean).join(' · ');
    });
    const over = this.number >= QUESTIONS || this.step + this.stride >= replay.last;
    const next = over ? button('Once more', () => this.again(), { class: 'main' }) : button('Next question', () => this.next(), { class: 'main' });
    this.feedback.replaceChildren(
      h('p', { class: `message ${good ? 'good' : 'bad'}` }, h('strong', {}, verdict), ` ${reason}`),
      h('div', { class: 'row' }, next, button('See it in Watch', () => this.app.go('watch', { ...this.form.link, at: String(this.step + 1) })), over ? h('p', {}, `${this.right} of ${this.number} right.`) : null),
    );
    next.focus({ preventScroll: true });
    announce(`${verdict} ${reason}${over ? ` ${this.right} of ${this.number} right.` : ''}`);
  }

  next() {
    this.ask(this.step + this.stride);
    this.question.querySelector('h2').focus({ preventScroll: true });
  }

  again() {
    this.number = 0;
    this.right = 0;
    this.ask(1 + Math.floor(Math.random() * Math.max(1, this.replay.last - 1 - this.stride * QUESTIONS)));
    this.question.querySelector('h2').focus({ preventScroll: true });
  }

  link() {
    return { ...this.form.link, strict: this.settings.strict ? 1 : undefined, at: this.replay ? this.step : undefined };
  }
}
