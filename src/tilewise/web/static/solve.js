// Solve: the solution plays by itself, with a scrub bar, all moves, and text to copy. A search that improves its
// answer shows the best so far, what is proved, and the gap; Stop keeps the best.

import { stream } from './api.js';
import { BoardView } from './board.js';
import { announce, button, copy, field, figures, fold, h, message, number, quietMotion, refill, select } from './dom.js';
import { SearchForm, runner, searchOf } from './form.js';
import { moveInWords, moveSign, slide } from './game.js';
import { Improving } from './improving.js';
import { paintBoard } from './pictures.js';
import { Player } from './player.js';
import { counterMeaning, counterName, headline, rulesName, searchTitle, titleOf } from './words.js';

const SPEEDS = [[1.5, 'slow'], [4, 'normal'], [10, 'fast'], [30, 'very fast']];
const NORMAL = 4;
const LONG_LIST = 1200; // moves that are listed one by one

export default class Solve {
	constructor(app, params) {
		this.app = app;
		this.start = app.board;
		this.wanted = Number(params.at) || 0;
		const settings = (app.settings.solve ??= {});
		const named = searchOf(params);
		settings.search = named ?? settings.search;
		if (params.speed) settings.speed = Number(params.speed);
		this.settings = settings;
		this.run = params.run || params.solved || !named;
		this.form = new SearchForm(app.schema, settings.search, { automatic: true, limits: true, onchange: () => this.changed(), onprofile: (profile) => this.useProfile(profile) });
		this.runner = runner('Solve', (signal, progress) => this.work(signal, progress));
		this.player = new Player({ noun: 'move', show: (at) => this.show(at), speeds: SPEEDS, speed: settings.speed ?? NORMAL, describe: (at) => this.describe(at), onrest: () => this.app.sync(), onspeed: (rate) => (settings.speed = rate) });
		this.view = new BoardView({ label: 'Board' });
		this.improving = new Improving();
		this.element = h('div.solve', h('div.stage.stack.tight', this.view.element, this.player.element), ...this.panel());
	}

	get keys() {
		return this.player.keys;
	}

	mounted() {
		this.view.show(this.start, this.app.goal);
		paintBoard(this.app, this.view, this.start);
		this.view.grid.setAttribute('aria-label', `Board, ${this.start.rows} by ${this.start.columns}`);
		if (this.form.problem) this.tell(this.form.problem, 'bad');
		else if (this.run) this.runner.run();
	}

	/** The server is back: what it did not answer is asked again. */
	back() {
		if (!this.result) this.runner.run();
	}

	unmount() {
		this.left = true;
		this.runner.stop();
		this.player.pause();
		this.app.board = this.start;
	}

	key(event) {
		return this.result?.moves ? this.player.key(event) : false;
	}

	panel() {
		this.answer = h('div.result.stack.tight');
		this.moves = h('div.moves-part');
		this.title = h('span');
		this.choice = fold(this.title, { class: 'choice', open: Boolean(this.form.problem) || !this.run }, this.form.element);
		this.more = h('div.more-part.stack');
		this.showTitle();
		return [this.answer, this.moves, h('section.card.stack.tight.search-part', { 'aria-label': 'Search' }, this.choice, this.runner.element), this.more];
	}

	showTitle() {
		this.title.textContent = searchTitle(this.form.value);
	}

	tell(text, kind = '') {
		this.answer.replaceChildren(message(text, kind));
		announce(text);
	}

	async useProfile(profile) {
		await this.app.useGoalOf(profile, this.start);
		this.start = this.app.board;
		this.view.show(this.start, this.app.goal);
	}

	changed() {
		this.settings.search = this.form.link;
		this.showTitle();
		this.app.sync();
	}

	async work(signal, progress) {
		await this.app.settling;
		this.result = null;
		this.moves.replaceChildren();
		this.more.replaceChildren();
		this.player.off();
		this.view.show(this.start, this.app.goal);
		this.improving.begin();
		const search = this.form.value;
		const listen = (event) => {
			progress(event);
			if (!event.incumbent) return;
			this.improving.add(event);
			this.answer.replaceChildren(this.improving.element);
		};
		this.answer.replaceChildren(h('p.lead', { role: 'status' }, 'Searching …'));
		try {
			this.result = await stream('/api/solve', { ...this.app.problem(this.start), ...search }, listen, signal);
		} catch (error) {
			if (this.left) return undefined;
			if (error.name !== 'AbortError') return this.tell(error.message, 'bad');
			const kept = this.improving.best;
			if (!kept?.moves) return this.tell('Stopped.');
			this.result = this.stopped(kept, search);
		}
		this.settings.search = this.form.link;
		this.present(this.result);
		return this.app.sync();
	}

	/** The best solution of a search that was stopped, as a result. */
	stopped({ moves, cost, bound, gap }, { algorithm = 'anytime', heuristic = null }) {
		return { status: 'solved', stopped: true, moves, cost, bound, optimal: gap === 0, algorithm, heuristic, rules: 'default', stats: {} };
	}

	present(result) {
		const solved = result.moves !== null;
		const words = headline(result);
		refill(
			this.answer,
			h('p.headline', words),
			solved && !result.optimal && result.bound ? this.improving.summary(result) : null,
			h('p.soft.small', [titleOf(result), result.rules === 'default' ? null : rulesName(result.rules), result.stopped ? 'stopped by you; this is the best so far' : null].filter(Boolean).join(' · ')),
			result.note && !result.explanation ? message(result.note) : null,
			result.explanation ? h('div.row', button('Show why on the board', () => this.app.go('enter'))) : null,
		);
		refill(this.more, solved ? this.copying(result) : null, result.stopped ? null : this.counters(result));
		announce(words);
		if (!solved) return;
		this.boards = [this.start];
		for (const move of result.moves) this.boards.push(slide(this.boards.at(-1), move));
		this.moves.replaceChildren(this.list(result));
		if (!this.settings.speed) this.player.setRate(result.moves.length > 120 ? 30 : result.moves.length > 45 ? 10 : NORMAL);
		const at = Math.min(this.wanted, result.moves.length);
		this.player.reset(result.moves.length, at);
		if (!at && result.moves.length && !quietMotion()) this.player.play();
		this.wanted = 0;
	}

	describe(at) {
		if (at === 0 || !this.result?.moves) return 'Start';
		return `Move ${at} of ${this.result.moves.length}: ${moveInWords(this.boards[at - 1], this.result.moves[at - 1])}`;
	}

	show(at) {
		if (!this.boards || !this.result) return;
		this.view.show(this.boards[at], this.app.goal);
		this.view.celebrate(at === this.player.last && Boolean(this.app.picture));
		if (!this.player.playing) announce(this.describe(at));
		else if (at === this.player.last) announce('Solved.');
		this.marked?.removeAttribute('aria-current');
		this.marked = this.steps?.children[at - 1];
		if (this.marked) {
			this.marked.setAttribute('aria-current', 'step');
			const { offsetTop, offsetHeight } = this.marked;
			const { scrollTop, clientHeight } = this.steps;
			if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) this.steps.scrollTop = offsetTop - clientHeight / 2;
		}
		if (!this.player.playing) this.app.sync();
	}

	/** All moves; a press on one goes there. */
	list(result) {
		let board = this.start;
		const listed = result.moves.slice(0, LONG_LIST);
		this.marked = null;
		this.steps = h('ol.steps', { tabindex: '0', 'aria-label': 'Moves' });
		Array.from(listed).forEach((move, index) => {
			this.steps.append(h('li', { 'aria-label': moveInWords(board, move), onclick: () => this.player.go(index + 1) }, moveSign(board, move)));
			board = slide(board, move);
		});
		this.steps.addEventListener('keydown', (event) => {
			const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
			if (!step) return;
			event.preventDefault();
			this.player.go(this.player.at + step);
		});
		const more = result.moves.length - listed.length;
		return h('section.stack.tight', { 'aria-label': 'All moves' }, this.steps, h('p.hint', `A number is a tile, the arrow is the way it slides.${more > 0 ? ` ${number(more)} more are on the bar under the board.` : ''}`));
	}

	copying(result) {
		const styles = this.app.schema.move_styles;
		const style = select(styles.map(({ name, example }) => [name, `${name}: ${example}`]), styles[0].name, () => refresh());
		const whose = select([['tile', 'of the tiles'], ['blank', 'of the gap']], 'tile', () => refresh());
		const text = h('output.mono.moves');
		const refresh = () => (text.textContent = result.written ? result.written[style.value][whose.value] : result.moves);
		refresh();
		const fields = result.written ? h('div.fields', field('Notation', style), field('Directions', whose)) : h('p.hint', 'Directions of the gap.');
		return fold('Copy the moves', { class: 'card' }, fields, h('div.row', text, button('Copy', () => copy(text.textContent, 'The moves are on the clipboard.'), { 'aria-label': 'Copy the moves' })));
	}

	counters(result) {
		const rows = this.app.schema.counters
			.map(({ name, unit }) => [name, unit, result.stats[name] ?? null])
			.filter(([, , value]) => value !== null)
			.map(([name, unit, value]) => h('tr', h('th', { scope: 'row' }, counterName(name)), h('td.n', Number.isInteger(value) ? number(value) : value.toFixed(4)), h('td.soft.small', `${counterMeaning(name)} (${unit})`)));
		const head = ['expanded', 'generated', 'seconds'].map((name) => [name, h('dd', name !== 'seconds' ? number(result.stats[name]) : result.stats.seconds < 0.001 ? '< 0.001' : result.stats.seconds.toFixed(3)), counterMeaning(name)]);
		return h('section.card.stack.tight', { 'aria-label': 'Counters' }, figures(head), fold('All counters, and what they mean', {}, h('div.scroll', h('table', h('tbody', ...rows)))));
	}

	link() {
		const at = (this.result ? this.player.at : this.wanted) || undefined;
		const solved = this.result || this.wanted ? { solved: 1, at, speed: this.settings.speed === NORMAL ? undefined : this.settings.speed } : {};
		return { board: this.app.problem(this.start).board, ...this.form.link, ...solved };
	}
}
