// Watch: the tree of a search is the stage; beside it the board, the reason, the pseudo-code, counters and open list.

import { stream } from './api.js';
import { goalFigure, mini } from './board.js';
import { announce, field, figures, h, icon, iconButton, message, number, plural, put, quietMotion, sentence } from './dom.js';
import { EstimateBoard } from './estimate.js';
import { saveMenu } from './export.js';
import { openTrace, takeDrops } from './foreign.js';
import { SearchForm, runner, searchOf, unreachable } from './form.js';
import { moveInWords, moveSign } from './game.js';
import { NodeList } from './nodelist.js';
import { Player } from './player.js';
import { Replay, STATUS_WORDS } from './replay.js';
import { Stops } from './stops.js';
import { Tree } from './tree.js';
import { FGH, counterMeaning, counterName, headline, readSpec, rulesName, searchTitle, titleOf } from './words.js';

const SPEEDS = [[1, '1 / s'], [3, '3 / s'], [10, '10 / s'], [30, '30 / s'], [60, '60 / s'], [300, '300 / s']];
const NORMAL = 3;
const EVENTS = 60_000;
const MAX_NODES = 100_000; // unless the person sets a limit
const HURRIED = 8; // steps a second beyond which the view jumps instead of gliding
const RACING = 30; // steps a second beyond which a large tree is shown whole, as points
const STREAK = 12; // quick steps in a row by hand that are as fast
const QUICK = 60; // milliseconds between steps
const REST = 150;
const READ = 400; // lists that change more often cannot be read
const COUNTERS = ['expanded', 'generated', 'stored', 'duplicates', 'reopened', 'max_frontier', 'max_depth', 'iterations'];
const TITLES = { 'two-sided': 'Open lists', path: 'Path', own: 'Path' };
const ORDER = {
	queue: 'In the order it will be taken.',
	heap: 'In the order it will be taken; between equal f the heap decides.',
	layers: 'The rest of this layer, then the next, sorted. The beam keeps the first.',
	'two-sided': 'The end in work first, then the other.',
	path: 'This search has no open list; it keeps the path to the current node.',
	own: 'This search has a list in an order of its own; here is the path to the current node.',
};

export default class Watch {
	constructor(app, params) {
		this.app = app;
		const settings = (app.settings.watch ??= { search: { algorithm: 'astar', heuristic: 'manhattan' } });
		settings.search = searchOf(params) ?? settings.search;
		this.settings = settings;
		this.wanted = Number(params.at) || 0;
		this.still = params.at !== undefined; // a link leads to its step; without one the search plays
		this.form = this.makeForm();
		this.runner = runner('Watch', (signal, progress) => this.work(signal, progress));
		this.player = new Player({ noun: 'expansion', show: (at) => this.show(at), speeds: SPEEDS, speed: params.speed ?? settings.speed ?? NORMAL, onrest: () => this.replay && (this.player.playing ? this.showLists() : this.rest()), stopAt: (from, to) => this.stops.between(from, to) });
		this.tree = new Tree({ onchoose: (node) => this.inspect(node) });
		this.board = new EstimateBoard();
		this.stops = new Stops(app, { run: (step) => this.player.go(step), find: (node) => this.find(node) });
		this.open = new NodeList({ label: 'Open list', onchoose: (node) => this.inspect(node) });
		this.closed = new NodeList({ label: 'Closed set', onchoose: (node) => this.inspect(node) });
		this.element = h('div.watch', this.bar(), this.lab());
		takeDrops(this);
	}

	get keys() {
		return [...this.player.keys, ['0', 'the whole tree'], ['F', 'follow the search'], ['+ -', 'larger, smaller'], ['Shift+arrows', 'move the view, while the tree has the focus']];
	}

	makeForm() {
		const { settings } = this;
		return new SearchForm(this.app.schema, settings.search, { traced: true, limits: true, onchange: () => {
				settings.search = this.form.link;
				this.app.sync();
			}, onprofile: (profile) => this.app.useGoalOf(profile) });
	}

	mounted() {
		if (!this.form.problem) return this.runner.run();
		this.choice.open = true;
		return this.say(this.form.problem, 'bad');
	}

	key(event) {
		if (!this.replay) return false;
		return this.player.key(event) || this.tree.key(event);
	}

	/** The server is back: what it did not answer is asked again. */
	back() {
		if (!this.replay) this.runner.run();
	}

	unmount() {
		this.runner.stop();
		this.reading?.abort();
		this.player.pause();
		clearTimeout(this.soon);
		clearTimeout(this.resting);
		document.removeEventListener('pointerdown', this.pressed);
		this.settings.speed = this.player.rate;
	}

	/** One slim bar: the search, the transport, stops, saving, full screen. */
	bar() {
		this.file = h('input', { type: 'file', accept: '.jsonl,.ndjson,.json,.txt', onchange: () => openTrace(this, this.file.files[0]) });
		const file = field('Or open the trace of another solver', this.file, 'JSON Lines, as tilewise trace check reads it. It can also be dropped here.');
		this.title = h('span', searchTitle(this.form.value));
		this.choice = h('details.choice.menu', h('summary', icon('tune'), this.title), h('div.popover.stack', this.form.element, this.runner.element, file));
		this.full = iconButton('screen', 'Full screen', () => (document.fullscreenElement ? document.exitFullscreen() : this.element.requestFullscreen?.()));
		const save = saveMenu(this);
		this.stops.element.firstChild.append(icon('stopat'));
		save.firstChild.append(icon('save'));
		const menus = [this.choice, this.stops.element, save];
		// one menu at a time; a press elsewhere closes them
		for (const menu of menus) menu.addEventListener('toggle', () => menu.open && menus.filter((each) => each !== menu).forEach((each) => (each.open = false)));
		this.pressed = (event) => menus.forEach((each) => !each.contains(event.target) && (each.open = false));
		document.addEventListener('pointerdown', this.pressed);
		return h('div.watch-bar', this.choice, this.player.element, h('div.row.nowrap.watch-tools', this.stops.element, save, this.full));
	}

	say(text, kind = '') {
		this.notice.replaceChildren(message(text, kind));
		announce(text);
	}

	lab() {
		const sum = h('span.soft.numbers', { title: FGH });
		this.words = { taken: h('span'), sum, reason: h('p.reason'), outcome: h('p.soft.small'), departs: h('p') };
		const { taken, reason, outcome, departs } = this.words;
		this.why = h('div.why.stack.tight', { 'aria-label': 'This expansion' }, h('p.headline', taken, sum), reason, outcome, departs);
		this.figures = COUNTERS.map((name) => [counterName(name), h('dd'), counterMeaning(name), name]);
		this.code = h('ol.code.small');
		this.codeBox = h('section.part', { 'aria-label': 'Pseudo-code' }, this.code);
		this.openTitle = h('h2', 'Open list');
		this.openHint = h('p.hint');
		this.closedTitle = h('summary', h('span', 'Closed set'));
		this.detail = h('div.part', { hidden: true });
		this.goalFace = h('div.goal-face');
		const legend = [['open', 'open'], ['closed', 'closed'], ['current', 'just taken'], ['ghost', 'duplicate'], ['reopened', 're-opened'], ['departs', 'departs from its claims']].map(([name, words]) => h('span.key', h('i', { class: `swatch ${name}` }), words));
		this.departsKey = legend.at(-1);
		this.departsKey.hidden = true;
		this.notice = h('div.notice');
		const legendBar = h('p.legend.small.soft', ...legend, h('span.key', { title: FGH }, 'f = g + h'), h('span.key', 'an arrow is the way the tile slides'));
		this.stage = h('div.tree-stage', this.tree.element, legendBar);
		this.side = h(
			'div.side',
			{ hidden: true },
			this.why,
			h('div.now', this.board.element, this.goalFace),
			this.detail,
			this.codeBox,
			h('section.part', { 'aria-label': 'Counters' }, figures(this.figures, 'small counters')),
			h('section.part.stack.tight', this.openTitle, this.openHint, this.open.element),
			h('details.part', { ontoggle: () => this.closed.show() }, this.closedTitle, this.closed.element),
		);
		return h('div.watch-room', this.notice, this.stage, this.side);
	}

	async work(signal, progress) {
		await this.app.settling;
		this.title.textContent = searchTitle(this.form.value);
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
			this.side.hidden = true;
			this.notice.replaceChildren(unreachable(this.app, why));
			announce(why);
			return;
		}
		this.settings.search = this.form.link;
		const { result } = trace;
		const more = trace.count - trace.kept;
		const notes = [more > 0 && `The search goes on: these are its first ${plural(trace.expansions.length, 'expansion')}.`, result.note].filter(Boolean);
		this.begin(trace, `${titleOf(result)}${result.rules === 'default' ? '' : `, ${rulesName(result.rules)}`}: ${headline(result).replace(/^[A-Z]/, (letter) => letter.toLowerCase())}`, notes.map((note) => message(note)));
		if (!this.still && !quietMotion()) this.player.play();
		this.still = false;
	}

	/** Replay a trace; `uploaded` has the claims and the verdict of one that came as a file. */
	begin(trace, title, notes, uploaded = null) {
		this.replay = new Replay(trace);
		const { replay } = this;
		this.uploaded = uploaded;
		const departure = uploaded?.verdict.event ?? null;
		this.departs = departure === null ? -1 : replay.stepOf(departure);
		const focused = this.choice.contains(document.activeElement);
		if (focused) this.choice.open = false;
		this.title.textContent = title;
		this.title.title = title;
		this.notice.replaceChildren(...notes);
		this.side.hidden = false;
		this.goalFace.replaceChildren(goalFigure(trace.result.goal, 84));
		this.stops.use(replay);
		this.openTitle.textContent = TITLES[replay.openKind] ?? 'Open list';
		const open = uploaded && (!uploaded.claims.algorithm || (replay.openKind === 'queue' && !uploaded.claims.stated.includes('ties')));
		this.openHint.textContent = open ? 'The header leaves ties open; of the smallest any may be taken.' : (ORDER[replay.openKind] ?? '');
		this.departsKey.hidden = this.departs < 0;
		this.writeCode(readSpec(trace.result.algorithm).name);
		this.tree.use(replay);
		this.tree.departs = departure === null ? -1 : this.tree.items.byEvent[departure];
		this.tree.resized();
		this.open.use(replay, (from, count) => replay.openSlice(from, count), () => replay.openSize);
		this.closed.use(replay, (from, count) => replay.closed.slice(0, replay.closed.length - from).reverse().slice(0, count), () => replay.closed.length);
		const at = Math.min(this.wanted, replay.last);
		this.wanted = 0;
		this.player.reset(replay.last, at);
		if (focused) this.player.toggle.focus({ preventScroll: true }); // not lost with the menu
		announce(`${plural(replay.last, 'expansion')} to step through.`);
	}

	show(at) {
		const { replay } = this;
		if (!replay) return;
		const now = performance.now();
		const gap = now - this.shownAt;
		const quick = gap < QUICK;
		this.shownAt = now;
		replay.go(at);
		const { playing, rate } = this.player;
		this.streak = gap < REST ? this.streak + 1 : 0; // as when a key is held down
		this.tree.hurried = quick || (playing && rate >= HURRIED);
		this.tree.racing = playing ? rate >= RACING : this.streak >= STREAK;
		this.tree.show();
		this.drawBoard();
		this.explain();
		this.markLine();
		for (const [, value, , name] of this.figures) {
			const count = replay.counter(name);
			put(value, count === null ? '–' : number(count));
		}
		clearTimeout(this.resting);
		this.resting = null;
		if (quick || this.tree.racing) this.soon ??= setTimeout(() => this.showLists(), this.tree.racing ? READ : REST);
		else if (playing) this.showLists();
		else this.rest();
		if (!playing && this.soon) this.resting = setTimeout(() => this.rest(), REST);
	}

	/** The board of the node just taken, with h drawn on it. */
	drawBoard() {
		const { replay } = this;
		const event = replay.current;
		const { result } = replay.trace;
		const node = event < 0 ? 0 : replay.node[event];
		this.board.show(replay.board(node), result.goal, result.heuristic, event < 0 ? replay.h[0] : replay.h[event], this.tree.hurried);
	}

	showLists() {
		clearTimeout(this.soon);
		this.soon = null;
		const { replay } = this;
		this.openTitle.textContent = `${TITLES[replay.openKind] ?? 'Open list'} · ${number(replay.openSize)}`;
		this.closedTitle.firstChild.textContent = `Closed set · ${number(replay.closed.length)}`;
		this.open.show();
		if (this.closedTitle.parentElement.open) this.closed.show();
	}

	/** When the steps pause: the lists, h on the board, close to the tree again, the announcement, the link. */
	rest() {
		clearTimeout(this.resting);
		this.resting = null;
		this.showLists();
		const raced = this.tree.racing;
		this.tree.hurried = this.tree.racing = false;
		if (raced) this.tree.show();
		this.drawBoard();
		announce(this.spoken());
		this.app.sync();
	}

	/** The pseudo-code of the algorithm; a course's own search has none here. */
	writeCode(name) {
		const entry = this.app.schema.algorithms.find((each) => each.name === name);
		this.lineOf = entry?.pseudo_code.line_of ?? {};
		this.marked = null;
		const lines = entry?.pseudo_code.lines ?? [];
		this.codeBox.hidden = !lines.length;
		this.code.replaceChildren(...lines.map((line) => h('li', line.trim().replaceAll('`', ''))));
		lines.forEach((line, index) => this.code.children[index].style.setProperty('--deep', line.search(/\S/)));
	}

	/** Mark the line that this step carries out. */
	markLine() {
		const { replay } = this;
		const line = this.lineOf[replay.current < 0 ? 'start' : replay.kind[replay.current]];
		if (line === this.marked) return;
		this.marked = line;
		[...this.code.children].forEach((each, index) => (index + 1 === line ? each.setAttribute('aria-current', 'step') : each.removeAttribute('aria-current')));
	}

	/** The node that was taken, why, and its successors. */
	explain() {
		const { replay, words } = this;
		const event = replay.current;
		const started = event >= 0;
		const [node, g, hh] = started ? [replay.node[event], replay.g[event], replay.h[event]] : [];
		const bound = replay.bound === null ? '' : `, bound ${replay.bound}`;
		put(words.taken, started ? `${replay.kind[event] === 'goal' ? 'Goal' : 'Expanded'} #${node}` : 'The start is on the open list.');
		put(words.sum, started ? `  f = ${g + hh}, g = ${g}, h = ${hh}${bound}` : '');
		put(words.reason, started ? this.reason() : 'Step forward to expand it.');
		put(words.outcome, started ? this.outcome() : '');
		put(words.departs, this.departure());
		words.departs.className = this.departure() && 'message bad';
	}

	departure() {
		return this.replay.at === this.departs ? `Here it departs: ${this.uploaded.verdict.deviation}.` : '';
	}

	reason() {
		const { replay } = this;
		// the library names moves of the blank; here they are those of the tiles
		const words = replay.reason()?.replace(/([UDLR]) is the next successor of node (\d+) in the order [UDLR ]+/, (_, move, node) => `${moveSign(replay.board(node), move)} is the next successor of #${node}`);
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
			const move = replay.move[i] === '-' || replay.parent[i] < 0 ? '' : moveInWords(replay.board(replay.parent[i]), replay.move[i]);
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
				'div.row.inspect',
				mini(replay.board(node), 96, `Board of node ${node}`),
				h('div.grow.stack.tight', h('h2', `Node #${node}`), h('p.numbers', `f ${facts.g + facts.h} = g ${facts.g} + h ${facts.h}`), h('p.small.soft', STATUS_WORDS[facts.status]), h('p.small.soft', moves.length ? `${plural(moves.length, 'move')} from the start` : 'the start')),
				iconButton('close', 'Close', () => (this.detail.hidden = true), { class: 'quiet icon' }),
			),
		);
	}

	/** Show a node that was looked for, at a step at which it is there. */
	find(node) {
		const { replay } = this;
		const made = replay.made[node];
		if (made >= replay.done) this.player.go(replay.stepOf(made));
		this.stops.element.open = false;
		const item = this.tree.items.byEvent[made];
		if (item >= this.tree.layout.from) this.tree.centre(item);
		this.inspect(node);
	}

	link() {
		if (this.uploaded) return {}; // the file is not part of a link
		const at = this.replay ? this.player.at : this.still ? this.wanted : undefined; // kept while it computes
		return { ...this.form.link, at, speed: this.player.rate === NORMAL ? undefined : this.player.rate };
	}
}
