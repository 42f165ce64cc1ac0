// The board on the page: a labelled grid of cells for screen readers and keyboards, and above it the tiles
// that slide. In mode 'play' tiles are clicked, dragged, swiped or moved by arrow keys; in mode 'edit' cells
// are chosen; in mode 'show' nothing can be done.

import { h, s } from './dom.js';
import { OPPOSITE, WORDS, legal, line, placeOf, slide, target } from './game.js';

const KEYS = { ArrowUp: 'D', ArrowDown: 'U', ArrowLeft: 'R', ArrowRight: 'L' }; // the tile moves as the arrow points, the blank the other way
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SWIPE = 24; // pixels
const ENOUGH = 0.35; // of a cell: a tile released beyond this finishes its move

export class BoardView {
	/** Options: label, mode, onmoves(moves) in play, onchoose(cell) and onkey(event, cell) in edit. */
	constructor(options) {
		this.options = options;
		this.mode = options.mode ?? 'show';
		this.grid = h('div.grid', { role: 'grid', 'aria-label': options.label });
		this.layer = h('div.tiles', { 'aria-hidden': 'true' });
		this.over = s('svg.over', { 'aria-hidden': 'true' });
		this.root = h('div', { class: `board ${this.mode === 'play' ? '' : 'still'}` }, this.grid, this.layer, this.over);
		this.element = h('div.board-frame', this.root);
		this.tiles = new Map();
		this.cells = [];
		this.focused = 0;
		this.goal = null;
		this.marks = new Map();
		if (this.mode === 'play') this.listenToPlayers();
		if (this.mode === 'edit') this.listenToEditors();
	}

	/** Show a board; with a goal, tiles at home are coloured. */
	show(board, goal = this.goal) {
		this.goal = goal;
		if (!this.board || this.board.rows !== board.rows || this.board.columns !== board.columns) this.build(board);
		this.board = board;
		board.tiles.forEach((tile, cell) => {
			this.describe(cell, tile);
			if (tile) this.place(tile, cell);
		});
	}

	build(board) {
		const { rows, columns } = board;
		this.element.style.setProperty('--rows', rows);
		this.element.style.setProperty('--columns', columns);
		this.grid.setAttribute('aria-rowcount', rows);
		this.grid.setAttribute('aria-colcount', columns);
		this.cells = board.tiles.map((_, cell) => h('div.cell', { role: 'gridcell', 'data-cell': cell, 'aria-colindex': (cell % columns) + 1 }));
		const lines = Array.from({ length: rows }, (_, row) =>
			h('div.cells', { role: 'row', 'aria-rowindex': row + 1 }, ...this.cells.slice(row * columns, (row + 1) * columns)),
		);
		this.grid.replaceChildren(...lines);
		if (this.mode === 'play') this.grid.tabIndex = 0;
		if (this.mode === 'edit') {
			this.focused = Math.min(this.focused, this.cells.length - 1);
			this.cells[this.focused].tabIndex = 0;
		}
		this.tiles = new Map();
		this.layer.replaceChildren();
		this.board = null;
		this.paint();
	}

	describe(cell, tile) {
		const element = this.cells[cell];
		let name = tile ? `${tile}` : 'blank';
		if (this.mode === 'play' && this.canMove?.has(tile)) name += `, can move ${this.canMove.get(tile)}`;
		if (tile && this.goal) name += tile === this.goal.tiles[cell] ? ', at home' : '';
		element.setAttribute('aria-label', name);
		element.textContent = tile || '';
	}

	/** To a cell, and a part of one further. */
	shift(cell, right = 0, down = 0) {
		const [x, y] = placeOf(cell, this.board);
		return `translate(${(x + right) * 100}%, ${(y + down) * 100}%)`;
	}

	place(tile, cell) {
		let element = this.tiles.get(tile);
		if (!element) {
			element = h('div.tile', h('span', `${tile}`));
			this.tiles.set(tile, element);
			this.layer.append(element);
			this.paintTile(tile, element);
		}
		element.style.transform = this.shift(cell);
		element.classList.toggle('home', this.goal?.tiles[cell] === tile);
		const mark = this.marks.get(tile);
		for (const name of ['mark', 'wrong', 'picked']) element.classList.toggle(name, mark === name);
	}

	/** Mark tiles: a Map of tile -> 'mark', 'wrong' or 'picked'. */
	mark(marks = new Map()) {
		this.marks = marks;
		if (this.board) this.show(this.board);
	}

	/** Outline cells. */
	outline(cells = []) {
		this.layer.querySelectorAll('.area').forEach((area) => area.remove());
		for (const cell of cells) {
			const area = h('div.area');
			area.style.transform = this.shift(cell);
			this.layer.append(area);
		}
	}

	/** Put a picture on the tiles: at the goal it is whole. Null removes it. */
	picture(url, bare = false) {
		this.url = url;
		this.root.classList.toggle('pictured', Boolean(url));
		this.root.classList.toggle('bare', Boolean(url) && bare);
		this.paint();
	}

	paint() {
		for (const [tile, element] of this.tiles) this.paintTile(tile, element);
	}

	paintTile(tile, element) {
		const face = element.firstChild;
		if (!this.url || !this.goal) {
			face.style.backgroundImage = '';
			return;
		}
		const [x, y] = placeOf(this.goal.tiles.indexOf(tile), this.goal);
		const { rows, columns } = this.goal;
		face.style.backgroundImage = `url("${this.url}")`;
		face.style.backgroundPosition = `${(x / (columns - 1)) * 100}% ${(y / (rows - 1)) * 100}%`;
	}

	/** At the end the tiles rise in a wave, and a picture is shown whole; null ends that. */
	celebrate(on = true) {
		this.root.classList.remove('done');
		this.root.classList.toggle('whole', on && Boolean(this.url));
		this.layer.style.backgroundImage = on && this.url ? `url("${this.url}")` : '';
		if (!on) return;
		this.board.tiles.forEach((tile, cell) => {
			const [x, y] = placeOf(cell, this.board);
			this.tiles.get(tile)?.style.setProperty('--wait', `${(x + y) * 45}ms`);
		});
		requestAnimationFrame(() => this.root.classList.add('done'));
	}

	// ---- playing

	listenToPlayers() {
		this.root.addEventListener('pointerdown', (event) => this.grab(event));
		// a click without a pointer comes from a screen reader
		this.grid.addEventListener('click', (event) => {
			const cell = event.detail === 0 && event.target.closest('.cell');
			if (cell) this.options.onmoves(line(this.board, Number(cell.dataset.cell)));
		});
	}

	/** The move that a key means, '' if no tile can go that way, or null. */
	moveOfKey(event, blankWay) {
		if (event.ctrlKey || event.altKey || event.metaKey) return null;
		const key = { w: 'ArrowUp', s: 'ArrowDown', a: 'ArrowLeft', d: 'ArrowRight' }[event.key.toLowerCase()] ?? event.key;
		if (!(key in KEYS)) return null;
		const move = blankWay ? OPPOSITE[KEYS[key]] : KEYS[key];
		return target(this.board, move) >= 0 ? move : '';
	}

	cellAt(event) {
		const box = this.layer.getBoundingClientRect();
		const column = Math.floor(((event.clientX - box.left) / box.width) * this.board.columns);
		const row = Math.floor(((event.clientY - box.top) / box.height) * this.board.rows);
		if (row < 0 || column < 0 || row >= this.board.rows || column >= this.board.columns) return -1;
		return row * this.board.columns + column;
	}

	grab(event) {
		if (event.button !== 0 || this.drag || !this.board) return;
		const cell = this.cellAt(event);
		const moves = cell < 0 ? '' : line(this.board, cell);
		const box = this.layer.getBoundingClientRect();
		const drag = { cell, moves, id: event.pointerId, x: event.clientX, y: event.clientY, part: 0, size: moves && 'UD'.includes(moves[0]) ? box.height / this.board.rows : box.width / this.board.columns };
		drag.group = this.group(moves);
		this.drag = drag;
		this.root.setPointerCapture(event.pointerId);
		const move = (next) => next.pointerId === drag.id && this.pull(drag, next);
		const end = (last) => {
			if (last.pointerId !== drag.id) return;
			for (const [name, listener] of listeners) this.root.removeEventListener(name, listener);
			this.drag = null;
			this.release(drag, last);
		};
		const listeners = [['pointermove', move], ['pointerup', end], ['pointercancel', end]];
		for (const [name, listener] of listeners) this.root.addEventListener(name, listener);
	}

	/** The tiles that slide together when the blank makes these moves. */
	group(moves) {
		const tiles = [];
		let board = this.board;
		for (const move of moves) {
			tiles.push(board.tiles[target(board, move)]);
			board = slide(board, move);
		}
		return tiles;
	}

	pull(drag, event) {
		if (!drag.moves) return;
		const tileWay = OPPOSITE[drag.moves[0]];
		const along = { U: drag.y - event.clientY, D: event.clientY - drag.y, L: drag.x - event.clientX, R: event.clientX - drag.x }[tileWay];
		drag.part = Math.max(0, Math.min(1, along / drag.size));
		const [down, right] = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] }[tileWay];
		for (const tile of drag.group) {
			const element = this.tiles.get(tile);
			element.classList.add('held');
			element.style.transform = this.shift(this.board.tiles.indexOf(tile), right * drag.part, down * drag.part);
		}
	}

	release(drag, event) {
		for (const tile of drag.group) this.tiles.get(tile)?.classList.remove('held');
		const right = event.clientX - drag.x;
		const down = event.clientY - drag.y;
		const far = Math.max(Math.abs(right), Math.abs(down));
		if (event.type === 'pointercancel') return this.show(this.board);
		if (far < 6 || (drag.moves && drag.part > ENOUGH)) return this.options.onmoves(drag.moves);
		if (far >= SWIPE && drag.part === 0) {
			const tileWay = Math.abs(right) > Math.abs(down) ? (right > 0 ? 'R' : 'L') : down > 0 ? 'D' : 'U';
			if (target(this.board, OPPOSITE[tileWay]) >= 0) return this.options.onmoves(OPPOSITE[tileWay]);
		}
		return this.show(this.board);
	}

	/** Which tiles can move, for their descriptions. */
	get canMove() {
		return this.board && new Map(legal(this.board).map((move) => [this.board.tiles[target(this.board, move)], WORDS[OPPOSITE[move]]]));
	}

	// ---- choosing cells

	listenToEditors() {
		this.grid.addEventListener('click', (event) => {
			const cell = event.target.closest('.cell');
			if (!cell) return;
			this.focusCell(Number(cell.dataset.cell));
			this.options.onchoose(Number(cell.dataset.cell));
		});
		this.grid.addEventListener('keydown', (event) => {
			if (event.key in ARROWS) {
				const [down, right] = ARROWS[event.key];
				const { rows, columns } = this.board;
				const [x, y] = placeOf(this.focused, this.board);
				const [column, row] = [x + right, y + down];
				if (row >= 0 && row < rows && column >= 0 && column < columns) this.focusCell(row * columns + column);
				event.preventDefault();
			} else if (event.key === 'Enter' || event.key === ' ') {
				event.preventDefault();
				this.options.onchoose(this.focused);
			} else this.options.onkey?.(event, this.focused);
		});
	}

	focusCell(cell) {
		this.cells[this.focused].removeAttribute('tabindex');
		this.focused = cell;
		this.cells[cell].tabIndex = 0;
		this.cells[cell].focus();
	}
}

/** A board as a small drawing: `size` is its width in pixels; without a label it is not read out. */
export function mini({ rows, columns, tiles }, size, label = null) {
	const { svg, face } = miniature(rows, columns, size, label);
	face.show(tiles);
	return svg;
}

/** The goal, small, and that it is the goal. */
export const goalFigure = (goal, size) => h('figure.face', mini(goal, size, `The goal: ${goal.tiles.join(' ')}`), h('figcaption.small.soft', 'Goal'));

/** An empty drawing, whose face can show one board after the other. */
export function miniature(rows, columns, size, label = null) {
	const attributes = { class: 'mini', viewBox: `-1 -1 ${columns * UNIT + 2} ${rows * UNIT + 2}`, width: size, height: Math.round((size * rows) / columns) };
	if (label === null) attributes['aria-hidden'] = 'true';
	else Object.assign(attributes, { role: 'img', 'aria-label': label });
	const face = new Face(rows, columns);
	return { face, svg: s('svg', attributes, s('rect.b', { x: -0.5, y: -0.5, width: columns * UNIT + 1, height: rows * UNIT + 1, rx: 1.5 }), face.squares, face.digits) };
}

export const UNIT = 10; // of a cell in a small drawing

/** The tiles of a small drawing: one path and one text, so that hundreds can change in a frame. */
export class Face {
	constructor(rows, columns) {
		Object.assign(this, { rows, columns });
		this.squares = s('path.squares');
		this.digits = s('text.digits', { 'font-size': UNIT * (rows * columns > 100 ? 0.42 : 0.58) });
		const cells = Array.from({ length: rows * columns }, (_, i) => i);
		this.x = cells.map((i) => ((i % columns) + 0.5) * UNIT);
		this.y = cells.map((i) => (Math.floor(i / columns) + 0.5) * UNIT + UNIT * 0.2);
		this.single = cells.length <= 10;
		if (this.single) {
			this.digits.setAttribute('x', this.x.join(' '));
			this.digits.setAttribute('y', this.y.join(' '));
		} else {
			this.spans = cells.map((i) => s('tspan', { x: this.x[i], y: this.y[i] }));
			this.digits.append(...this.spans);
		}
	}

	show(tiles) {
		const side = UNIT - 0.8;
		let d = '';
		tiles.forEach((tile, i) => {
			if (tile) d += `M${(i % this.columns) * UNIT + 0.4} ${Math.floor(i / this.columns) * UNIT + 0.4}h${side}v${side}h${-side}z`;
			if (this.spans) this.spans[i].textContent = tile || '';
		});
		this.squares.setAttribute('d', d);
		// the blank is a figure space: it keeps its place among the characters
		if (this.single) this.digits.textContent = tiles.map((tile) => tile || '\u2007').join('');
	}
}
