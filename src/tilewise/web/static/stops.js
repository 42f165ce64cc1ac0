// Where a replay stops: at a node, a board, the next f, a duplicate, a re-opening, the n-th expansion; and finding a node.

import { request } from './api.js';
import { button, field, h, toast } from './dom.js';

const KINDS = [['f', 'a larger f'], ['duplicate', 'a duplicate'], ['reopen', 're-opening']];

export class Stops {
	/** `actions`: run(to) goes to a step, find(node) shows a node. */
	constructor(app, actions) {
		Object.assign(this, { app, actions, on: new Set(), board: null });
		const boxes = KINDS.map(([kind, words]) => h('label.check', h('input', { type: 'checkbox', onchange: (event) => (event.target.checked ? this.on.add(kind) : this.on.delete(kind)) }), words));
		this.node = h('input', { type: 'number', min: 0, placeholder: '#' });
		this.expansion = h('input', { type: 'number', min: 1 });
		this.boardText = h('input', { type: 'text', spellcheck: 'false', placeholder: 'in any notation', onchange: () => this.readBoard() });
		this.wanted = h('input', { type: 'text', spellcheck: 'false', placeholder: 'a number or a board', onkeydown: (event) => event.key === 'Enter' && this.find() });
		this.element = h(
			'details.menu.stops',
			h('summary', { 'aria-label': 'Stops and finding', title: 'Stops and finding' }),
			h('div.popover.stack.tight', h('h2', 'Playing stops at'), h('div.checks', ...boxes), h('div.fields', field('Node', this.node), field('Expansion', this.expansion)), field('Board', this.boardText), button('Run to the next stop', () => this.next(), { class: 'main' }), h('h2', 'Find'), h('div.row.nowrap', this.wanted, button('Find', () => this.find()))),
		);
		this.wanted.setAttribute('aria-label', 'Find a node by number or board');
	}

	use(replay) {
		this.replay = replay;
		let most = -Infinity;
		this.larger = [false]; // by step: f is larger than ever before
		for (let step = 1; step <= replay.last; step += 1) {
			const event = replay.taken[step - 1];
			const f = replay.g[event] + replay.h[event];
			this.larger.push(step > 1 && f > most);
			most = Math.max(most, f);
		}
	}

	get active() {
		return this.on.size > 0 || this.node.value !== '' || this.expansion.value !== '' || Boolean(this.board);
	}

	/** The first step after `from` and not after `to` at which to stop, or null. */
	between(from, to) {
		if (!this.active || !this.replay) return null;
		for (let step = from + 1; step <= to; step += 1) if (this.stopsAt(step)) return step;
		return null;
	}

	stopsAt(step) {
		const { replay, on } = this;
		if (on.has('f') && this.larger[step]) return true;
		if (this.expansion.value !== '' && Number(this.expansion.value) === step) return true;
		const taken = replay.node[replay.taken[step - 1]];
		if (this.board && replay.trace.boards[taken] === this.board) return true;
		const node = this.node.value === '' ? -1 : Number(this.node.value);
		const [first, end] = replay.stepEvents(step);
		for (let event = first; event < end; event += 1) {
			const kind = replay.kind[event];
			if (on.has(kind)) return true;
			if (replay.node[event] === node && kind !== 'duplicate') return true;
		}
		return false;
	}

	next() {
		if (!this.replay) return;
		if (!this.active) return toast('Choose first where to stop.');
		const found = this.between(this.replay.at, this.replay.last);
		if (found === null) return toast('There is no such step after this one.');
		return this.actions.run(found);
	}

	/** The text of a board as the trace codes it. */
	async code(text) {
		const { board } = await request('/api/board', { board: text, goal: this.app.goalText() });
		return board.tiles.map((tile) => String.fromCharCode(48 + tile)).join('');
	}

	async readBoard() {
		this.board = null;
		const text = this.boardText.value.trim();
		if (!text) return;
		try {
			const board = await this.code(text);
			if (text === this.boardText.value.trim()) this.board = board;
		} catch (error) {
			this.app.failed(error);
		}
	}

	async find() {
		const { replay } = this;
		const text = this.wanted.value.trim();
		if (!replay || !text) return;
		try {
			const node = /^#?\d{1,7}$/.test(text) ? Number(text.replace('#', '')) : replay.trace.boards.indexOf(await this.code(text));
			if (replay !== this.replay || !this.element.isConnected) return; // another search is shown by now
			if (node < 0 || node >= replay.nodes) toast('There is no such node in this search.');
			else this.actions.find(node);
		} catch (error) {
			this.app.failed(error);
		}
	}
}
