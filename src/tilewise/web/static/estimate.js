// The current board, large, with what each tile adds to h drawn on it.

import { request } from './api.js';
import { h, number, put, s } from './dom.js';
import { placeOf, token } from './game.js';
import { heuristicName } from './words.js';

const CELL = 40;
const GROUPS = 4; // colours

export class EstimateBoard {
	constructor() {
		this.svg = s('svg.estimate', { role: 'img' });
		this.sum = h('p.small.estimate-sum');
		this.element = h('figure.estimate-box', this.svg, this.sum);
		this.known = new Map();
	}

	/** Show a board; `heuristic` is the spec that h comes from, `value` its value here. */
	show(board, goal, heuristic, value, hurried) {
		const name = `${token(board)} ${token(goal)} ${heuristic}`;
		if (this.name !== name) {
			this.name = name;
			clearTimeout(this.waiting);
			this.waiting = null;
			this.draw(board, goal, this.known.get(name) ?? null, heuristic, value);
		}
		if (!heuristic || this.known.has(name) || hurried || this.waiting) return;
		this.waiting = setTimeout(() => this.ask(name, board, goal, heuristic, value), 90);
	}

	async ask(name, board, goal, heuristic, value) {
		this.waiting = null;
		try {
			const { shares } = await request('/api/estimate', { board: token(board), goal: token(goal), heuristic });
			this.known.set(name, shares ?? []);
		} catch {
			return; // the board is there without it
		}
		if (this.name === name) this.draw(board, goal, this.known.get(name), heuristic, value);
	}

	/** The parts of each cell, which are filled in anew for every board. */
	build(rows, columns) {
		this.columns = columns;
		this.cells = Array.from({ length: rows * columns }, (_, cell) => {
			const [x, y] = placeOf(cell, { columns }).map((place) => place * CELL);
			const digit = s('text', { x: x + CELL / 2, y: y + CELL / 2 + 6, class: 'digit' });
			const share = s('text', { x: x + CELL - 5, y: y + 12, class: 'share' });
			const mark = s('path', { d: `M${x + 7} ${y + CELL - 5}h${CELL - 14}` });
			return { digit, share, mark, root: s('g', s('rect', { x: x + 1.5, y: y + 1.5, width: CELL - 3, height: CELL - 3, rx: 6 }), digit, share, mark) };
		});
		this.crossings = s('g');
		this.svg.setAttribute('viewBox', `0 0 ${columns * CELL} ${rows * CELL}`);
		this.svg.replaceChildren(...this.cells.map((each) => each.root), this.crossings);
	}

	draw(board, goal, shares, heuristic, value) {
		const { rows, columns, tiles } = board;
		if (this.cells?.length !== tiles.length || this.columns !== columns) this.build(rows, columns);
		const middle = (tile) => placeOf(tiles.indexOf(tile), board).map((place) => (place + 0.5) * CELL);
		const single = new Map((shares ?? []).filter((share) => share.tiles.length === 1).map((share) => [share.tiles[0], share.value]));
		const conflicts = (shares ?? []).filter((share) => share.tiles.length > 1 && single.size);
		const groups = single.size ? [] : (shares ?? []).filter((share) => share.tiles.length > 1);
		const groupOf = new Map(groups.flatMap((share, index) => share.tiles.map((tile) => [tile, index])));
		this.cells.forEach(({ root, digit, share, mark }, cell) => {
			const tile = tiles[cell];
			const group = groupOf.get(tile);
			put(digit, tile || '');
			put(share, single.get(tile) ?? '');
			root.setAttribute('class', tile ? (tile === goal.tiles[cell] ? 'home' : '') : 'gap');
			mark.setAttribute('class', group === undefined ? 'gap' : `group-mark g${group % GROUPS}`);
		});
		const crossings = conflicts.map((share) => {
			const [[x, y], [u, v]] = [share.tiles[0], share.tiles.at(-1)].map(middle);
			return s('path.crossing', { d: `M${x} ${y + 14}L${u} ${v + 14}` });
		});
		this.crossings.replaceChildren(...crossings);
		const words = this.words(shares, single, conflicts, groups, heuristic, value);
		put(this.sum, words);
		this.svg.setAttribute('aria-label', `Board of the node just taken: ${tiles.join(' ')}. ${words}`);
	}

	/** h as the sum that it is. */
	words(shares, single, conflicts, groups, heuristic, value) {
		if (!heuristic) return 'This search uses no estimate.';
		const title = heuristicName(heuristic);
		if (value === null) return title;
		const terms = [...single.values(), ...groups.map((share) => share.value)];
		const extra = conflicts.reduce((sum, share) => sum + share.value, 0);
		if (!shares || !terms.length || terms.length > 16) return `h = ${number(value)}: ${title}`;
		if (extra) terms.push(extra);
		const sum = terms.length > 1 ? `${terms.join(' + ')} = ` : '';
		return `h = ${sum}${number(value)}: ${title}, ${groups.length ? 'a sum over groups of tiles' : 'tile by tile'}${extra ? `, and ${extra} for tiles that must pass each other` : ''}`;
	}
}
