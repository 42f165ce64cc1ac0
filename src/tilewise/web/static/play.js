// Play: move the tiles, with a clock, the moves from here, hints, what a move cost, and a review at the end.

import { request } from './api.js';
import { BoardView, mini } from './board.js';
import { announce, button, capitalised, figures, fold, h, icon, iconButton, number, plural, select, toast } from './dom.js';
import { Ending } from './ending.js';
import { moveInWords, replay, same, shape, slide, token } from './game.js';
import { NewBoard } from './newboard.js';
import { DRAWN, drawnUrl, forget, ownPicture, paintBoard } from './pictures.js';

const HINTS = ['Hint', 'Where?', 'Which tile?', 'Which way?', 'Do it'];

export default class Play {
	constructor(app, params) {
		this.app = app;
		this.settings = app.settings.play ??= { shape: shape(app.board), level: 'easy', arrows: 'tile' };
		this.known = app.distances ??= new Map();
		this.ending = new Ending(app, { again: () => this.restart(), another: () => this.fresh.press(this.fresh.another, {}), look: (at) => this.look(at), distance: (board, signal) => this.distance(board, signal) });
		this.fresh = new NewBoard(app, this.settings, (wanted) => this.deal(wanted));
		this.resume(params);
		this.element = h('div.play', this.aim(), this.stage(), this.panel());
	}

	get keys() {
		return [['← ↑ → ↓', `move a ${this.settings.arrows === 'tile' ? 'tile' : 'gap'}, wherever the focus is; so do W A S D`], ['H', 'hint; press again for more'], ['U Ctrl+Z', 'undo'], ['Y Ctrl+Y', 'redo'], ['R', 'restart'], ['N', 'new board']];
	}

	mounted() {
		this.show();
		this.measure();
		if (this.game.over) this.ending.show(this.game);
		this.clock = setInterval(() => this.showTime(), 250);
	}

	unmount() {
		clearInterval(this.clock);
		this.pending?.abort();
		this.ending.stop();
	}

	/** The server is back: what it did not answer is asked again. */
	back() {
		this.say('');
		this.measure();
	}

	/** Continue the game of a link or the last one, or begin a game with the current board. */
	resume(params) {
		const { app } = this;
		const moves = /^[UDLR]*$/.test(params.moves ?? '') ? (params.moves ?? '') : '';
		const kept = app.games.get(this.nameOf(app.board));
		if (params.board && kept?.moves === moves) this.take(kept); // with its clock and what can be redone
		else if (params.board && replay(app.board, moves)) this.begin(app.board, moves, Number(params.helped) || 0);
		else if (app.game && same(app.game.now, app.board)) this.take(app.game);
		else this.begin(app.board);
	}

	take(game) {
		this.game = this.app.game = game;
		this.app.board = game.now;
		this.hint = 0;
		this.last = null;
	}

	begin(start, moves = '', helped = 0) {
		const now = replay(start, moves);
		const game = { start, moves, helped, undone: '', now, began: 0, spent: 0, over: Boolean(moves) && same(now, this.app.goal) };
		this.app.games.set(this.nameOf(start), game);
		this.ending.stop();
		this.take(game);
	}

	// ---- what is seen

	/** What to do: the goal, and the figures of this game. */
	aim() {
		this.goalPicture = h('div.goal-face');
		this.time = h('dd', '0:00');
		this.count = h('dd', '0');
		this.left = h('dd', '–');
		const counts = figures([['Time', this.time], ['Moves', this.count], ['From here', this.left, 'Moves of a shortest solution from here']]);
		return h('section.aim', { 'aria-label': 'This game' }, this.goalPicture, h('div', h('p.task', 'Slide the tiles into this order.'), counts));
	}

	stage() {
		this.view = new BoardView({ label: '', mode: 'play', onmoves: (moves) => this.move(moves) });
		return h('div.stage', this.view.element);
	}

	panel() {
		this.message = h('p.message', { id: 'play-message' });
		this.undoButton = iconButton('undo', 'Undo', () => this.undo());
		this.redoButton = iconButton('redo', 'Redo', () => this.redo());
		this.hintButton = button([icon('bulb'), h('span', 'Hint')], () => this.askHint(), { class: 'main hint-button' });
		const restart = iconButton('restart', 'Restart', () => this.restart());
		const others = h('div.row.asides', button('Solve it for me', () => this.app.go('solve', { run: '1' }), { class: 'quiet' }), button('Watch a search', () => this.app.go('watch', { run: '1' }), { class: 'quiet' }));
		this.controls = h('section.stack.tight', { 'aria-label': 'Moves and hints' }, h('div.row', this.hintButton, this.undoButton, this.redoButton, restart), others);
		return h('div.panel.stack', this.message, this.ending.element, this.controls, this.fresh.element, this.looks());
	}

	looks() {
		const file = h('input', { type: 'file', accept: 'image/*', class: 'unseen', tabindex: '-1', 'aria-hidden': 'true', onchange: () => this.useFile(file.files[0]) });
		const bare = h('input', { type: 'checkbox', checked: Boolean(this.app.picture?.bare), onchange: () => this.hideNumbers(bare.checked) });
		this.bareBox = bare;
		const drawn = DRAWN.map(([name], index) => button(h('img', { src: drawnUrl(index), alt: '', width: 52, height: 52 }), () => this.usePicture({ drawn: index, bare: this.app.picture?.bare ?? false }), { class: 'picture', 'aria-label': name, title: name }));
		this.pictureOff = button('No picture', () => this.usePicture(null), { class: 'quiet' });
		this.bareLabel = h('label.check', bare, 'Hide the numbers');
		this.showPictureControls();
		const arrows = select([['tile', 'move the tile'], ['blank', 'move the gap']], this.settings.arrows, (value) => (this.settings.arrows = value), 'Arrow keys');
		return fold(
			'Picture, arrow keys',
			{ class: 'card' },
			h('div.row', ...drawn, button('Your own …', () => file.click()), file),
			h('div.row', this.bareLabel, this.pictureOff),
			h('p.hint', 'A picture of yours stays in this browser; it is not part of a link.'),
			h('label.row.nowrap', h('span.soft.small', 'Arrow keys'), arrows),
		);
	}

	show() {
		const { game } = this;
		this.view.mark();
		this.view.outline();
		this.view.grid.setAttribute('aria-label', `Board, ${game.now.rows} by ${game.now.columns}. Arrow keys slide tiles.`);
		this.view.show(game.now, this.app.goal);
		if (this.painted !== this.painting) this.paint();
		if (!game.over) this.view.celebrate(false);
		this.controls.hidden = game.over;
		this.count.textContent = number(game.moves.length);
		this.undoButton.disabled = !game.moves || game.over;
		this.redoButton.disabled = !game.undone || game.over;
		this.hintButton.disabled = same(game.now, this.app.goal);
		this.hintButton.lastChild.textContent = HINTS[this.hint];
		this.showTime();
	}

	get painting() {
		return `${shape(this.game.now)} ${this.app.goalText()}`;
	}

	async paint() {
		this.painted = this.painting;
		this.goalPicture.replaceChildren(mini(this.app.goal, 120, `The goal: ${this.app.goalName()}`));
		await paintBoard(this.app, this.view, this.game.now);
	}

	key(event) {
		const key = event.key.toLowerCase();
		if ((event.ctrlKey || event.metaKey) && !event.altKey) {
			const action = key === 'z' ? (event.shiftKey ? 'redo' : 'undo') : key === 'y' ? 'redo' : null;
			if (action) this[action]();
			return Boolean(action);
		}
		const move = this.view.moveOfKey(event, this.settings.arrows === 'blank');
		if (move !== null) this.move(move);
		const action = event.altKey ? null : { u: () => this.undo(), y: () => this.redo(), h: () => this.askHint(), r: () => this.restart(), n: () => this.fresh.press(this.fresh.another, {}) }[key];
		if (move === null) action?.();
		return move !== null || Boolean(action);
	}

	showTime() {
		const { game } = this;
		const seconds = Math.floor((game.over ? game.spent : game.began ? performance.now() - game.began : 0) / 1000);
		this.time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
	}

	say(text, kind = '') {
		this.message.textContent = text;
		this.message.className = `message ${kind}`;
	}

	// ---- the game

	move(moves) {
		const { game } = this;
		if (game.over) return;
		if (!moves) {
			this.view.show(game.now);
			announce('No tile can move that way.');
			return;
		}
		if (!game.began) game.began = performance.now();
		const before = game.now;
		const words = moveInWords(before, moves[0]);
		for (const move of moves) game.now = slide(game.now, move);
		game.moves += moves;
		game.undone = '';
		this.changed(before, moves, moves.length > 1 ? `${plural(moves.length, 'tile')} moved` : words);
	}

	undo() {
		const { game } = this;
		if (!game.moves || game.over) return;
		game.undone = game.moves.at(-1) + game.undone;
		game.moves = game.moves.slice(0, -1);
		game.now = replay(game.start, game.moves);
		this.changed(null, '', 'Undone');
	}

	redo() {
		const { game } = this;
		if (!game.undone || game.over) return;
		game.moves += game.undone[0];
		game.now = slide(game.now, game.undone[0]);
		game.undone = game.undone.slice(1);
		this.changed(null, 'redone', 'Done again');
	}

	restart() {
		this.begin(this.game.start);
		this.show();
		this.measure();
		this.app.sync();
		this.lookUp();
		announce('Back at the start.');
		if (!this.element.contains(document.activeElement)) this.view.grid.focus({ preventScroll: true });
	}

	changed(before, moves, words) {
		this.hint = 0;
		this.last = before && { before, moves };
		this.app.board = this.game.now;
		const solved = moves && same(this.game.now, this.app.goal);
		if (solved) this.finish();
		else announce(words);
		this.show();
		this.app.sync();
		this.measure(words);
	}

	finish() {
		const { game } = this;
		game.spent = game.began ? performance.now() - game.began : 0;
		game.over = true;
		this.view.show(game.now, this.app.goal);
		this.view.celebrate();
		this.ending.record(game);
		this.ending.show(game);
		announce(this.ending.words(game));
	}

	/** Show the board as it was after some moves of the game that is over. */
	look(at) {
		const { game } = this;
		this.view.celebrate(at >= game.moves.length);
		this.view.show(replay(game.start, game.moves.slice(0, at)), this.app.goal);
	}

	/** A new board; Back leads to the one before. */
	async deal(wanted) {
		await this.app.scramble(wanted, true);
		this.begin(this.app.board);
		this.say('');
		this.left.textContent = '–';
		this.show();
		this.measure();
		this.app.write();
		this.lookUp();
		announce(`A new ${shape(this.app.board)} board.`);
	}

	/** On a phone the board may be above the window. */
	lookUp() {
		if (this.view.root.getBoundingClientRect().top < 0) scrollTo({ top: 0, behavior: 'smooth' });
	}

	// ---- how far it is, and what the last move cost

	/** A board with the goal, as the key of what is known about it. */
	nameOf(board) {
		return `${token(board)} ${this.app.goalText()}`;
	}

	async distance(board, signal) {
		const name = this.nameOf(board);
		if (!this.known.has(name)) this.known.set(name, await request('/api/distance', this.app.problem(board), signal));
		return this.known.get(name);
	}

	async measure(words) {
		const { game } = this;
		const here = game.now;
		this.pending?.abort();
		this.pending = new AbortController();
		const { signal } = this.pending;
		try {
			// a quick move may come before it is known how far the board before it was
			const [found] = await Promise.all([here, this.last?.before].filter(Boolean).map((board) => this.distance(board, signal)));
			if (game === this.game && here === game.now) this.judge(found, words);
		} catch (error) {
			if (error.name !== 'AbortError') this.say(error.message, 'bad');
		}
	}

	judge(now, words) {
		const { game } = this;
		if (!now.solvable) {
			this.left.textContent = '∞';
			return this.say('This goal cannot be reached from here. Enter explains why.', 'bad');
		}
		this.left.textContent = now.exact ? number(now.distance) : `≥ ${number(now.lower_bound)}`;
		this.left.parentElement.title = now.exact ? 'Moves of a shortest solution from here' : 'No solution is shorter than this; a shortest one was not found at once';
		if (now.solved) return this.say(game.moves ? this.ending.words(game) : 'This is the goal. Press New board.', 'good');
		const far = now.exact ? plural(now.distance, 'move') : `at least ${plural(now.lower_bound, 'move')}`;
		const before = this.last && this.known.get(this.nameOf(this.last.before));
		if (!before?.exact || !now.exact) {
			const enough = now.distance === 1 ? 'is enough' : 'are enough';
			const hands = matchMedia('(pointer: coarse)').matches ? 'Tap, drag or swipe.' : 'Arrow keys, click, drag or swipe.';
			return this.say(game.moves ? `${capitalised(far)} from here.` : `${now.exact ? `${far} ${enough}` : `It takes ${far}`}. ${hands}`);
		}
		const cost = this.last.moves.length + now.distance - before.distance;
		const text = cost ? `That ${this.last.moves.length > 1 ? 'slide' : 'move'} cost ${cost}.` : 'Closer: on a shortest path.';
		this.say(`${text} ${plural(now.distance, 'move')} from here.`, cost ? '' : 'good');
		if (words) announce(`${words}. ${text} ${plural(now.distance, 'move')} from here.`);
		return undefined;
	}

	// ---- hints

	async askHint() {
		const { game } = this;
		if (game.over || same(game.now, this.app.goal)) return;
		if (this.hint === HINTS.length - 1) {
			game.helped += 1;
			this.move(this.hinted);
			return;
		}
		const here = game.now;
		const level = this.hint + 1;
		try {
			const answer = await request('/api/hint', { ...this.app.problem(here), level }, this.pending.signal);
			if (game !== this.game || here !== game.now) return; // an answer for a board that is gone
			this.hint = level;
			this.hinted = answer.move;
			this.hintButton.lastChild.textContent = HINTS[level] ?? 'Hint';
			this.view.outline(level === 2 ? (answer.area ?? []) : []);
			this.view.mark(answer.tile ? new Map([[answer.tile, 'mark']]) : new Map());
			this.say(answer.text);
			announce(answer.text);
		} catch (error) {
			this.app.failed(error);
		}
	}

	// ---- pictures

	async useFile(file) {
		if (!file) return;
		try {
			await this.usePicture(await ownPicture(file));
		} catch {
			toast('That file is not a picture this browser can read.');
		}
	}

	async usePicture(picture) {
		forget(this.app.picture);
		this.app.picture = picture;
		this.showPictureControls();
		await this.paint();
		if (this.game.over) this.view.celebrate();
		announce(picture ? 'The picture is on the tiles.' : 'No picture.');
	}

	showPictureControls() {
		this.pictureOff.hidden = this.bareLabel.hidden = !this.app.picture;
		this.bareBox.checked = Boolean(this.app.picture?.bare);
	}

	hideNumbers(bare) {
		if (!this.app.picture) return;
		this.app.picture.bare = bare;
		this.paint();
	}

	link() {
		const { start, moves, helped } = this.game;
		return { board: token(start), moves, ...(helped && { helped }) };
	}
}
