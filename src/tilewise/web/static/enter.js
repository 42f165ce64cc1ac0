// Enter: a board in any notation or by choosing tiles; why it cannot be solved is drawn on it.

import { request } from './api.js';
import { BoardView } from './board.js';
import { announce, button, capitalised, copy, field, h, message, number, plural, s, segments, select } from './dom.js';
import { placeOf, same, shape, token } from './game.js';
import { GoalChoice } from './goalchoice.js';
import { heuristicName } from './words.js';

const PATIENCE = 250; // milliseconds after the last key

export default class Enter {
	constructor(app) {
		this.app = app;
		this.picked = -1;
		this.typed = '';
		this.shown = 'mends';
		this.view = new BoardView({ label: '', mode: 'edit', onchoose: (cell) => this.choose(cell), onkey: (event, cell) => this.key(event, cell) });
		this.element = h('div.enter', h('div.stage', this.view.element), ...this.parts());
	}

	mounted() {
		this.text.value = this.app.board.text ?? token(this.app.board);
		this.view.show(this.app.board, this.app.goal);
		this.read(token(this.app.board), this.app.goalText());
	}

	/** The server is back: what it did not answer is asked again. */
	back() {
		this.readText();
	}

	unmount() {
		clearTimeout(this.timer);
		this.pending?.abort();
	}

	/** Beside the board: its text, the verdict, and what to do with it. */
	parts() {
		this.verdict = h('div.verdict-part.stack.tight');
		this.text = h('textarea', { rows: 3, spellcheck: 'false', autocapitalize: 'off', oninput: () => this.typing() });
		this.understood = h('p.hint');
		const examples = this.app.schema.formats.map((format) => [format.example, `${format.name}: ${format.example.split('\n').join(' / ')}`]);
		const example = select([['', 'An example of each notation …'], ...examples], '', (value) => value && this.use(value), 'Examples');
		this.goal = new GoalChoice(this.app, { automatic: true, onchange: () => this.changedGoal(), oninput: () => this.typing() });
		const { least, most } = this.app.schema.shapes;
		const sizes = Array.from({ length: most - least + 1 }, (_, i) => least + i);
		this.rows = select(sizes, this.app.board.rows, () => this.reshape());
		this.columns = select(sizes, this.app.board.columns, () => this.reshape());
		this.written = h('div');
		this.estimates = h('div');
		const text = h(
			'section.text-part.card.stack.tight',
			{ 'aria-label': 'Board as text' },
			h('p.lead.small', 'Type a board in any notation, or choose two tiles to swap them.'),
			field('Board', this.text),
			this.understood,
			example,
			h('div.fields', field('Rows', this.rows), field('Columns', this.columns), this.goal.element),
			this.goal.ownField,
		);
		const more = h(
			'div.more-part.stack',
			h('div.row', button('Play it', () => this.leaveFor('play'), { class: 'main' }), button('Solve it', () => this.leaveFor('solve')), button('Watch a search', () => this.leaveFor('watch'))),
			h('details.card', h('summary', 'In every notation'), this.written),
			h('details.card', h('summary', 'What the heuristics say'), this.estimates),
		);
		return [text, this.verdict, more];
	}

	typing() {
		this.pending?.abort(); // its answer would replace what is typed
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.readText(), PATIENCE);
	}

	readText() {
		return this.read(this.text.value, this.goal.text, 'text');
	}

	/** Go to another view with the board that is here; what was typed a moment ago is read first. */
	async leaveFor(name) {
		if (this.timer) this.readText();
		await this.reading;
		if (!this.text.matches('[aria-invalid]')) this.app.go(name, { run: '1' });
	}

	use(text) {
		this.text.value = text;
		this.goal.name = 'auto';
		this.readText();
	}

	changedGoal() {
		if (!this.goal.text) this.goal.own.focus();
		else this.readText();
	}

	/** Take the goal of another shape as the board. */
	reshape() {
		const [rows, columns] = [Number(this.rows.value), Number(this.columns.value)];
		const tiles = [...Array.from({ length: rows * columns - 1 }, (_, i) => i + 1), 0];
		this.goal.name = this.app.namedGoal(this.goal.name)?.name ?? 'last';
		this.read(token({ rows, columns, tiles }), this.goal.name);
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
		this.app.board = { rows: board.rows, columns: board.columns, tiles };
		this.view.mark();
		this.view.over.replaceChildren();
		this.view.show(this.app.board);
		this.read(token(this.app.board), this.goal.text);
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

	read(text, goal, source = 'board') {
		clearTimeout(this.timer);
		this.timer = null;
		this.pending?.abort();
		this.pending = new AbortController();
		this.reading = this.understand(text, goal, source, this.pending.signal);
	}

	async understand(text, goal, source, signal) {
		if (!text.trim()) return this.misread('Type a board, for example 8b6 547 231.');
		let answer;
		try {
			answer = await request('/api/board', { board: text, goal, heuristics: true }, signal);
		} catch (error) {
			return error.name === 'AbortError' ? undefined : this.misread(error.message);
		}
		this.answer = answer;
		if (!same(this.app.board, answer.board)) this.putDown();
		this.app.board = answer.board;
		this.app.goal = answer.goal;
		this.app.game = null;
		this.text.removeAttribute('aria-invalid');
		if (source === 'board') this.text.value = answer.board.text;
		this.rows.value = answer.board.rows;
		this.columns.value = answer.board.columns;
		this.understood.textContent = [source === 'text' ? `Read as ${answer.notation}` : null, shape(answer.board), `goal: ${this.app.goalName()}`, answer.note].filter(Boolean).join(' · ');
		this.understood.classList.remove('bad');
		this.draw();
		return this.app.sync();
	}

	misread(words) {
		this.text.setAttribute('aria-invalid', 'true');
		this.understood.textContent = words;
		this.understood.classList.add('bad');
		// what was true of the board before is not said of this text
		this.verdict.replaceChildren(message('The board shown is the last one that could be read.'));
		announce(words);
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
		return [message(`Solvable. ${far}`, 'good')];
	}

	unsolvable(answer) {
		const why = answer.explanation;
		const parity = (count) => (count % 2 ? 'odd' : 'even');
		const mends = why.mends.map(({ swap, board }) =>
			button(`Swap ${swap[0]} and ${swap[1]}`, () => this.read(token(board), this.goal.text)),
		);
		this.explain(this.shown);
		return [
			h(
				'div.message.bad.stack.tight',
				h('p', h('strong', 'This goal cannot be reached.')),
				h('p', `The tiles are ${plural(why.swaps, 'swap')} away from it (${parity(why.swaps)}), the blank ${plural(why.blank_steps, 'step')} (${parity(why.blank_steps)}). Every move changes both from odd to even or back, so they would have to agree.`),
			),
			segments('Show on the board', 'why', [['mends', 'What mends it'], ['cycles', 'The swaps'], ['blank', "The blank's path"]], this.shown, (what) => this.explain(what)),
			h('div.row', ...mends),
		];
	}

	/** Draw the reason over the tiles. */
	explain(what) {
		this.shown = what;
		const { board, goal, explanation } = this.answer;
		const centre = (cell) => placeOf(cell, board).map((place) => place + 0.5);
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
		this.view.over.replaceChildren(s('defs', tip), ...parts);
		this.view.mark(marks);
	}

	drawNotations(answer) {
		const rows = Object.entries(answer.notations).map(([name, text]) =>
			h('tr', h('th', { scope: 'row' }, name), h('td', text ? h('pre', text) : h('span.soft.small', 'cannot express this board')), h('td.n', text ? button('Copy', () => copy(text, `Copied as ${name}.`), { class: 'quiet', 'aria-label': `Copy as ${name}` }) : '')),
		);
		this.written.replaceChildren(h('div.scroll', h('table', h('tbody', ...rows))));
	}

	drawEstimates(answer) {
		const rows = answer.heuristics.map((each) => h('tr', h('th', { scope: 'row' }, capitalised(heuristicName(each.name))), h('td.n', each.value === null ? '–' : number(each.value)), h('td.soft.small', each.why_not ?? (each.admissible ? 'never too large' : 'may be too large'))));
		this.estimates.replaceChildren(h('table', h('thead', h('tr', h('th', { scope: 'col' }, 'Heuristic'), h('th', { scope: 'col', class: 'n' }, 'h'), h('th', { scope: 'col' }, ''))), h('tbody', ...rows)));
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
