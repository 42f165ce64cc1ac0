// Enter: a board in any notation or by choosing tiles; why it cannot be solved is drawn on it.

import { request } from './api.js';
import { BoardView } from './board.js';
import { announce, button, capitalised, copy, field, h, number, plural, s, select } from './dom.js';
import { same, shape, token } from './game.js';
import { heuristicName } from './words.js';

const PATIENCE = 250; // milliseconds after the last key

export default class Enter {
	constructor(app) {
		this.app = app;
		this.picked = -1;
		this.typed = '';
		this.shown = 'mends';
		this.view = new BoardView({ label: '', mode: 'edit', onchoose: (cell) => this.choose(cell), onkey: (event, cell) => this.key(event, cell) });
		this.element = h('div', { class: 'enter' }, h('div', { class: 'stage' }, this.view.element), ...this.parts());
	}

	mounted() {
		this.text.value = this.app.board.text ?? token(this.app.board);
		this.view.show(this.app.board, this.app.goal);
		this.read(token(this.app.board), this.app.goalText());
	}

	unmount() {
		clearTimeout(this.timer);
		this.pending?.abort();
	}

	/** Beside the board: its text, the verdict, and what to do with it. */
	parts() {
		this.verdict = h('div', { class: 'verdict-part stack tight' });
		this.text = h('textarea', { rows: 3, spellcheck: 'false', autocapitalize: 'off', oninput: () => this.typing() });
		this.understood = h('p', { class: 'hint' });
		const examples = this.app.schema.formats.map((format) => [format.example, `${format.name}: ${format.example.split('\n').join(' / ')}`]);
		const example = select([['', 'An example of each notation …'], ...examples], '', (value) => value && this.use(value));
		example.setAttribute('aria-label', 'Examples');
		const known = Boolean(this.app.namedGoal());
		this.goal = select(this.app.goalChoices({ automatic: true }), known ? this.app.goal.name : 'own', () => this.changedGoal());
		this.own = h('input', { type: 'text', value: known ? '' : this.app.goal.text, spellcheck: 'false', placeholder: '1 2 3/4 0 5/6 7 8', oninput: () => this.typing() });
		this.ownField = field('Goal board', this.own, 'In any notation.');
		this.ownField.hidden = known;
		const { least, most } = this.app.schema.shapes;
		const sizes = Array.from({ length: most - least + 1 }, (_, i) => least + i);
		this.rows = select(sizes, this.app.board.rows, () => this.reshape());
		this.columns = select(sizes, this.app.board.columns, () => this.reshape());
		this.written = h('div', {});
		this.estimates = h('div', {});
		const text = h(
			'section',
			{ class: 'text-part card stack tight', 'aria-label': 'Board as text' },
			h('p', { class: 'lead small' }, 'Type a board in any notation, or choose two tiles to swap them.'),
			field('Board', this.text),
			this.understood,
			example,
			h('div', { class: 'fields' }, field('Rows', this.rows), field('Columns', this.columns), field('Goal', this.goal)),
			this.ownField,
		);
		const more = h(
			'div',
			{ class: 'more-part stack' },
			h('div', { class: 'row' }, button('Play it', () => this.app.go('play'), { class: 'main' }), button('Solve it', () => this.app.go('solve', { run: '1' })), button('Watch a search', () => this.app.go('watch', { run: '1' }))),
			h('details', { class: 'card' }, h('summary', {}, 'In every notation'), this.written),
			h('details', { class: 'card' }, h('summary', {}, 'What the heuristics say'), this.estimates),
		);
		return [text, this.verdict, more];
	}

	goalText() {
		return this.goal.value === 'own' ? this.own.value : this.goal.value;
	}

	typing() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.read(this.text.value, this.goalText(), 'text'), PATIENCE);
	}

	use(text) {
		this.text.value = text;
		this.goal.value = 'auto';
		this.ownField.hidden = true;
		this.read(text, 'auto', 'text');
	}

	changedGoal() {
		this.ownField.hidden = this.goal.value !== 'own';
		if (this.goal.value === 'own' && !this.own.value) return this.own.focus();
		return this.read(this.text.value, this.goalText(), 'text');
	}

	/** Take the goal of another shape as the board. */
	reshape() {
		const [rows, columns] = [Number(this.rows.value), Number(this.columns.value)];
		const tiles = [...Array.from({ length: rows * columns - 1 }, (_, i) => i + 1), 0];
		const goal = this.app.namedGoal(this.goal.value)?.name ?? 'last';
		this.goal.value = goal;
		this.ownField.hidden = true;
		this.read(token({ rows, columns, tiles }), goal);
	}

	// ---- choosing tiles

	choose(cell) {
		const { board } = this.app;
		if (this.picked < 0) {
			this.picked = cell;
			this.view.cells[cell].setAttribute('aria-selected', 'true');
			this.view.mark(new Map([[board.tiles[cell], 'picked']]));
			announce(`${board.tiles[cell] || 'Blank'} picked up. Choose where it goes.`);
			return;
		}
		const from = this.picked;
		this.putDown();
		if (from !== cell) this.swap(from, cell);
		else this.draw();
	}

	putDown() {
		if (this.picked >= 0) this.view.cells[this.picked].removeAttribute('aria-selected');
		this.picked = -1;
	}

	swap(a, b) {
		const { board } = this.app;
		const tiles = board.tiles.slice();
		[tiles[a], tiles[b]] = [tiles[b], tiles[a]];
		announce(`${board.tiles[a] || 'Blank'} and ${board.tiles[b] || 'blank'} swapped.`);
		// shown at once; the server says what it means
		this.app.setBoard({ rows: board.rows, columns: board.columns, tiles });
		this.view.mark();
		this.view.over.replaceChildren();
		this.view.show(this.app.board);
		this.read(token(this.app.board), this.goalText());
	}

	/** A number typed on a cell brings that tile there. */
	key(event, cell) {
		if (event.key === 'Escape') {
			this.putDown();
			return this.draw();
		}
		if (!/^[0-9b]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return undefined;
		event.preventDefault();
		clearTimeout(this.forget);
		this.forget = setTimeout(() => (this.typed = ''), 900);
		const digit = event.key === 'b' ? '0' : event.key;
		const { tiles } = this.app.board;
		let tile = Number(this.typed + digit);
		if (tile >= tiles.length) tile = Number(digit);
		if (tile >= tiles.length) return undefined;
		this.typed = String(tile);
		this.putDown();
		const from = tiles.indexOf(tile);
		if (from !== cell) this.swap(from, cell);
		return undefined;
	}

	// ---- what it means

	async read(text, goal, source = 'board') {
		this.pending?.abort();
		this.pending = new AbortController();
		if (!text.trim()) return this.misread('Type a board, for example 8b6 547 231.');
		let answer;
		try {
			answer = await request('/api/board', { board: text, goal, heuristics: true }, this.pending.signal);
		} catch (error) {
			if (error.name !== 'AbortError') this.misread(error.message);
			return undefined;
		}
		this.answer = answer;
		if (!same(this.app.board, answer.board)) this.putDown();
		this.app.setBoard(answer.board);
		this.app.goal = answer.goal;
		this.app.game = null;
		this.text.removeAttribute('aria-invalid');
		if (source === 'board') this.text.value = answer.board.text;
		this.rows.value = answer.board.rows;
		this.columns.value = answer.board.columns;
		this.understood.textContent = [source === 'text' ? `Read as ${answer.notation}` : null, shape(answer.board), `goal: ${this.app.goalName()}`, answer.note].filter(Boolean).join(' · ');
		this.understood.classList.remove('bad');
		this.draw();
		this.app.sync();
		return undefined;
	}

	misread(message) {
		this.text.setAttribute('aria-invalid', 'true');
		this.understood.textContent = message;
		this.understood.classList.add('bad');
		// what was true of the board before is not said of this text
		this.verdict.replaceChildren(h('p', { class: 'message' }, 'The board shown is the last one that could be read.'));
		announce(message);
	}

	draw() {
		const { answer } = this;
		if (!answer) return;
		this.view.grid.setAttribute('aria-label', `Board, ${answer.board.rows} by ${answer.board.columns}. Arrow keys go from cell to cell; Enter picks a tile up and puts it down; a number brings that tile here.`);
		this.view.mark();
		this.view.show(answer.board, answer.goal);
		this.view.over.replaceChildren();
		this.verdict.replaceChildren(...(answer.solvable ? this.solvable(answer) : this.unsolvable(answer)));
		if (this.picked >= 0) this.view.mark(new Map([...this.view.marks, [answer.board.tiles[this.picked], 'picked']]));
		this.drawNotations(answer);
		this.drawEstimates(answer);
	}

	solvable(answer) {
		const far = answer.distance === 0 ? 'This is the goal.' : answer.distance ? `${plural(answer.distance, 'move')} from the goal.` : `At least ${plural(answer.lower_bound ?? 0, 'move')} from the goal.`;
		return [h('p', { class: 'message good' }, `Solvable. ${far}`)];
	}

	unsolvable(answer) {
		const why = answer.explanation;
		const parity = (count) => (count % 2 ? 'odd' : 'even');
		const choice = (value, label) => h('label', {}, h('input', { type: 'radio', name: 'why', checked: this.shown === value, onchange: () => this.explain(value) }), label);
		const mends = why.mends.map(({ swap, board }) =>
			button(`Swap ${swap[0]} and ${swap[1]}`, () => this.read(token(board), this.goalText())),
		);
		this.explain(this.shown);
		return [
			h(
				'div',
				{ class: 'message bad stack tight' },
				h('p', {}, h('strong', {}, 'This goal cannot be reached.')),
				h('p', {}, `The tiles are ${plural(why.swaps, 'swap')} away from it (${parity(why.swaps)}), the blank ${plural(why.blank_steps, 'step')} (${parity(why.blank_steps)}). Every move changes both from odd to even or back, so they would have to agree.`),
			),
			h('fieldset', {}, h('legend', { class: 'unseen' }, 'Show on the board'), h('div', { class: 'segments' }, choice('mends', 'What mends it'), choice('cycles', 'The swaps'), choice('blank', "The blank's path"))),
			h('div', { class: 'row' }, ...mends),
		];
	}

	/** Draw the reason over the tiles. */
	explain(what) {
		this.shown = what;
		const { board, goal, explanation } = this.answer;
		const centre = (cell) => [(cell % board.columns) + 0.5, Math.floor(cell / board.columns) + 0.5];
		const cellOf = (tile) => board.tiles.indexOf(tile);
		const home = (tile) => goal.tiles.indexOf(tile);
		const parts = [];
		const marks = new Map();
		if (what === 'mends' && explanation.mends.length) {
			const [a, b] = explanation.mends[0].swap;
			marks.set(a, 'wrong').set(b, 'wrong');
			parts.push(curve(centre(cellOf(a)), centre(cellOf(b)), true));
		} else if (what === 'cycles') {
			for (const cycle of explanation.cycles) {
				for (const tile of cycle) {
					if (tile) marks.set(tile, 'wrong');
					parts.push(curve(centre(cellOf(tile)), centre(home(tile)), false));
				}
			}
		} else if (what === 'blank') {
			const [x, y] = centre(cellOf(0));
			const [u, v] = centre(home(0));
			parts.push(s('circle', { cx: x, cy: y, r: 0.1, class: 'spot' }));
			if (x !== u || y !== v) parts.push(s('path', { d: `M${x} ${y}H${u}V${v}`, class: 'route', 'marker-end': 'url(#tip)' }));
		}
		const tip = s('marker', { id: 'tip', viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 3.4, markerHeight: 3.4, orient: 'auto-start-reverse' }, s('path', { d: 'M0 0 10 5 0 10z', class: 'tip' }));
		this.view.over.setAttribute('viewBox', `0 0 ${board.columns} ${board.rows}`);
		this.view.over.replaceChildren(s('defs', {}, tip), ...parts);
		this.view.mark(marks);
	}

	drawNotations(answer) {
		const rows = Object.entries(answer.notations).map(([name, text]) =>
			h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, text ? h('pre', {}, text) : h('span', { class: 'soft small' }, 'cannot express this board')), h('td', { class: 'n' }, text ? button('Copy', () => copy(text, `Copied as ${name}.`), { class: 'quiet', 'aria-label': `Copy as ${name}` }) : '')),
		);
		this.written.replaceChildren(h('div', { class: 'scroll' }, h('table', {}, h('tbody', {}, ...rows))));
	}

	drawEstimates(answer) {
		const rows = answer.heuristics.map((each) => h('tr', {}, h('th', { scope: 'row' }, capitalised(heuristicName(each.name))), h('td', { class: 'n' }, each.value === null ? '–' : number(each.value)), h('td', { class: 'soft small' }, each.why_not ?? (each.admissible ? 'never too large' : 'may be too large'))));
		this.estimates.replaceChildren(h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Heuristic'), h('th', { scope: 'col', class: 'n' }, 'h'), h('th', { scope: 'col' }, ''))), h('tbody', {}, ...rows)));
	}
}

/** An arrow from one cell's middle to another's, bent a little; with two heads it is a swap. */
function curve([x, y], [u, v], both) {
	const [dx, dy] = [u - x, v - y];
	const length = Math.hypot(dx, dy) || 1;
	const [ox, oy] = [(-dy / length) * 0.22, (dx / length) * 0.22];
	const trim = 0.28 / length;
	const d = `M${x + dx * trim} ${y + dy * trim}Q${(x + u) / 2 + ox} ${(y + v) / 2 + oy} ${u - dx * trim} ${v - dy * trim}`;
	return s('path', { d, class: 'route', 'marker-end': 'url(#tip)', 'marker-start': both ? 'url(#tip)' : null });
}
