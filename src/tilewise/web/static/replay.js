// A trace replayed: any number of expansions forward and back. What is known of a node comes from the
// events alone; the page computes no estimate and no successor.

import { decode } from './game.js';
import { Buckets, Heap, Layers, TwoSided } from './openlist.js';

// What has become of a node; 0 is not yet generated.
export const OPEN = 1;
export const CLOSED = 2;
export const SUPERSEDED = 3; // a cheaper copy is on the open list; this entry will be skipped
export const SKIPPED = 4;
export const CUT = 5; // beyond the bound, or outside the beam
export const REPLACED = 6; // was expanded, and re-opened by a cheaper path as another node
export const GOAL = 7;

// Counters that the events of every search tell; the others need its open list.
const TOLD = ['expanded', 'generated', 'duplicates', 'reopened'];

export const STATUS_WORDS = ['not yet generated', 'open', 'closed', 'open, but a cheaper copy will be taken first', 'skipped: a cheaper copy was there', 'cut off', 'closed, then re-opened by a cheaper path', 'the goal'];

export class Replay {
	constructor(trace) {
		this.trace = trace;
		Object.assign(this, trace.events); // kind, node, parent, move, g, h, priority, tie: a list each
		this.kind = this.kind.map((index) => trace.kinds[index]);
		this.length = this.kind.length;
		this.openKind = trace.open_list.kind;
		this.hasList = this.openKind !== 'path' && this.openKind !== 'own';
		this.index();
		this.open = this.emptyOpen();
		this.status = new Uint8Array(this.nodes);
		this.byBoard = new Map(); // the live node of each state
		this.history = [];
		this.at = 0; // steps done
		this.done = 0; // events applied
		this.counters = { expanded: 0, generated: 0, stored: 0, duplicates: 0, reopened: 0, max_frontier: 0, max_depth: 0, iterations: 0 };
		this.closed = [];
		this.bound = null;
		this.unexpected = 0;
		const counted = /count=([\w+]+)/.exec(trace.result.rules)?.[1] ?? '';
		if (counted.includes('root')) this.counters.generated = this.counters.stored = 1;
		this.testsWhenGenerated = trace.result.rules.includes('goal_test=generated');
		this.countsGoal = counted.includes('goal');
		this.apply(this.steps[0]);
	}

	/** Where each step begins, and which event made each node. */
	index() {
		this.nodes = 0;
		for (const node of this.node) this.nodes = Math.max(this.nodes, node + 1);
		this.made = new Int32Array(this.nodes).fill(-1); // the event that made a node
		const starts = [];
		for (let i = 0; i < this.length; i += 1) {
			const kind = this.kind[i];
			if (kind === 'start' || kind === 'generate' || kind === 'reopen') this.made[this.node[i]] = i;
			if (kind === 'expand' || kind === 'goal') {
				let first = i;
				while (first > 0 && (this.kind[first - 1] === 'stale' || this.kind[first - 1] === 'bound')) first -= 1;
				starts.push(first);
			}
		}
		this.taken = this.trace.expansions; // the event of each step
		this.steps = [...starts, this.length];
		this.last = starts.length;
	}

	emptyOpen() {
		const { kind, last, width } = this.trace.open_list;
		if (kind === 'layers') return new Layers(width);
		if (kind === 'two-sided') return new TwoSided();
		if (kind === 'heap') return new Heap();
		return new Buckets(last === 'newest');
	}

	key(i) {
		return [this.priority[i], this.tie[i]];
	}

	/** Go to the state after `step` expansions. */
	go(step) {
		while (this.at < step) this.forward();
		while (this.at > step) this.back();
	}

	forward() {
		this.at += 1;
		this.apply(this.steps[this.at]);
	}

	/** Apply the events before `end`, and keep how to undo them. */
	apply(end) {
		const undo = [];
		const before = { ...this.counters, bound: this.bound, done: this.done, closed: this.closed.length };
		for (; this.done < end; this.done += 1) this.event(this.done, undo);
		if (this.at && this.hasList && this.wholeExpansion(end)) this.counters.max_frontier = Math.max(this.counters.max_frontier, this.open.counted);
		this.history.push([before, undo]);
	}

	/** Whether the expansion was finished: neither a limit nor a generated goal ended it. */
	wholeExpansion(end) {
		if (this.kind[this.current] === 'expand' && this.kind[end - 1] === 'stop') return false;
		const early = this.testsWhenGenerated || this.openKind === 'two-sided';
		return !(early && [this.kind[end], this.kind[this.current]].includes('goal'));
	}

	back() {
		const [before, undo] = this.history.pop();
		for (let i = undo.length - 1; i >= 0; i -= 1) undo[i]();
		const { bound, done, closed, ...counters } = before;
		Object.assign(this, { counters, bound, done });
		this.closed.length = closed;
		this.at -= 1;
	}

	set(node, status, undo) {
		const old = this.status[node];
		this.status[node] = status;
		undo.push(() => (this.status[node] = old));
	}

	event(i, undo) {
		const kind = this.kind[i];
		const node = this.node[i];
		const { counters } = this;
		if (kind === 'start') this.store(i, node, undo);
		else if (kind === 'generate' || kind === 'reopen') {
			counters.generated += 1;
			if (this.hasList) counters.stored += 1;
			if (kind === 'reopen') counters.reopened += 1;
			const kept = this.bound === null || this.priority[i] <= this.bound;
			if (kept) counters.max_depth = Math.max(counters.max_depth, this.g[i]);
			this.store(i, node, undo);
		} else if (kind === 'duplicate') {
			counters.generated += 1;
			counters.duplicates += 1;
		} else if (kind === 'expand') {
			counters.expanded += 1;
			this.takeOut(i, node, undo);
			this.set(node, CLOSED, undo);
			this.closed.push(node);
		} else if (kind === 'stale') {
			this.takeOut(i, node, undo);
			this.set(node, SKIPPED, undo);
		} else if (kind === 'bound') {
			counters.iterations += 1;
			this.bound = this.priority[i];
		} else if (kind === 'goal') {
			if (this.countsGoal) counters.expanded += 1;
			this.takeOut(i, node, undo);
			this.set(node, GOAL, undo);
		}
	}

	/** A node enters the open list; a dearer copy of its state is superseded. */
	store(i, node, undo) {
		const cut = this.openKind === 'path' && this.bound !== null && this.priority[i] > this.bound;
		this.set(node, cut ? CUT : OPEN, undo);
		if (!this.hasList) return;
		const state = this.trace.boards[node];
		const known = this.byBoard.get(state);
		if (this.openKind === 'queue' && known !== undefined) {
			if (this.status[known] === CLOSED) this.set(known, this.kind[i] === 'reopen' ? REPLACED : CLOSED, undo);
			else if (this.status[known] === OPEN && this.keepsOne()) this.set(known, SUPERSEDED, undo);
		}
		this.byBoard.set(state, node);
		undo.push(() => (known === undefined ? this.byBoard.delete(state) : this.byBoard.set(state, known)));
		const key = this.key(i);
		if (this.openKind === 'two-sided') this.open.push(node, this.parent[i], this.g[i]);
		else this.open.push(key, node, this.g[i]);
		undo.push(() => (this.openKind === 'two-sided' ? this.open.unpush(node) : this.open.unpush(key, node, this.g[i])));
	}

	/** Whether a state has one live node; tree searches keep every copy. */
	keepsOne() {
		return !this.trace.open_list.copies;
	}

	takeOut(i, node, undo) {
		if (!this.hasList) return;
		if (this.openKind === 'queue' || this.openKind === 'heap') {
			if (this.open.slice(0, 1)[0] !== node && this.kind[i] !== 'goal') this.unexpected += 1;
			const key = this.key(this.made[node]);
			const place = this.open.take(key, node);
			undo.push(() => this.open.restore(key, node, place));
			return;
		}
		const change = this.openKind === 'layers' ? this.open.take(node, this.g[i]) : this.open.take(node);
		for (const other of change.cut ?? []) this.set(other, CUT, undo);
		undo.push(() => this.open.restore(change));
		if (change.newLayer && this.kind[i] === 'expand') this.counters.iterations += 1;
	}

	// ---- queries

	/** A counter of the search, or null where the events do not tell it before the end. */
	counter(name) {
		if (this.openKind !== 'own' || TOLD.includes(name)) return this.counters[name];
		return this.at === this.last ? (this.trace.result.stats?.[name] ?? null) : null;
	}

	/** The event that took the node of this step: an index, or -1 before the first. */
	get current() {
		return this.at ? this.taken[this.at - 1] : -1;
	}

	/** The events of this step. */
	stepEvents(step = this.at) {
		if (!step) return [0, this.steps[0]];
		return [this.steps[step - 1], this.steps[step]];
	}

	/** The step that an event belongs to. */
	stepOf(event) {
		return this.steps.findIndex((end) => event < end);
	}

	reason(step = this.at) {
		return step ? (this.trace.reasons?.[step - 1] ?? null) : null;
	}

	board(node) {
		const { rows, columns } = this.trace.result.board;
		return decode(this.trace.boards[node], rows, columns);
	}

	facts(node) {
		const i = this.made[node];
		return { node, parent: this.parent[i], move: this.move[i] === '-' ? '' : this.move[i], g: this.g[i], h: this.h[i], priority: this.priority[i], status: this.status[node] };
	}

	/** The nodes from the root to a node. */
	path(node) {
		const nodes = [];
		for (let at = node; at >= 0 && nodes.length <= this.nodes; at = this.made[at] < 0 ? -1 : this.parent[this.made[at]]) nodes.push(at);
		return nodes.reverse();
	}

	/** The open list in the order it will be taken; where there is none, the path to the current node. */
	openSlice(from, count) {
		if (this.hasList) return this.open.slice(from, count);
		const current = this.current;
		return current < 0 ? [0] : this.path(this.node[current]).slice(from, from + count);
	}

	get openSize() {
		if (this.hasList) return this.open.size;
		return this.current < 0 ? 1 : this.path(this.node[this.current]).length;
	}
}
