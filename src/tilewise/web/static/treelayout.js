// Where the nodes of a growing search tree stand. Places are computed for the first 16, 32, 64, ... steps at
// a time, so a tree stays where it is while it grows and is laid out anew only when it has doubled.

import { firstPlace } from './dom.js';

const FIRST_STAGE = 16;
const GHOST = 0.6; // room for a duplicate, in places of a node

/** The items of a trace: its nodes and the duplicates it threw away, tree by tree (one for each bound). */
export class Items {
	constructor(replay) {
		const { kind, node, parent, length } = replay;
		this.replay = replay;
		this.node = [];
		this.born = []; // event
		this.parent = []; // item
		this.ghost = [];
		this.depth = [];
		this.segments = [{ from: 0, event: 0 }];
		this.byEvent = new Int32Array(length).fill(-1);
		let itemOf = new Map();
		const add = (event, of, above, ghost) => {
			const item = this.node.length;
			this.node.push(of);
			this.born.push(event);
			this.parent.push(above);
			this.ghost.push(ghost);
			this.depth.push(above < 0 ? 0 : this.depth[above] + 1);
			this.byEvent[event] = item;
			return item;
		};
		for (let i = 0; i < length; i += 1) {
			if (kind[i] === 'start') itemOf.set(node[i], add(i, node[i], -1, false));
			else if (kind[i] === 'bound' && replay.openKind === 'path') {
				if (this.segments.length > 1 || this.node.length > 1) {
					this.segments.push({ from: this.node.length, event: i });
					itemOf = new Map([[0, add(i, 0, -1, false)]]);
				}
			} else if (kind[i] === 'generate' || kind[i] === 'reopen') itemOf.set(node[i], add(i, node[i], itemOf.get(parent[i]) ?? -1, false));
			else if (kind[i] === 'duplicate') add(i, node[i], itemOf.get(parent[i]) ?? -1, true);
			else if (kind[i] === 'expand' || kind[i] === 'goal') this.byEvent[i] = itemOf.get(node[i]) ?? -1;
		}
		this.count = this.node.length;
		this.layouts = new Map();
	}

	/** The tree that an event belongs to. */
	segmentOf(event) {
		return firstPlace(this.segments.length, (place) => this.segments[place].event > event) - 1;
	}

	/** The layout that holds all items born before an event. */
	layoutAt(event) {
		const segment = this.segmentOf(Math.max(0, event - 1));
		const { from } = this.segments[segment];
		const end = this.segments[segment + 1]?.from ?? this.count;
		const seen = this.bornBefore(event) - from;
		let stage = FIRST_STAGE;
		while (stage < seen) stage *= 2;
		const to = Math.min(end, from + stage);
		const name = `${from}:${to}`;
		if (!this.layouts.has(name)) {
			if (this.layouts.size > 4) this.layouts.delete(this.layouts.keys().next().value);
			this.layouts.set(name, new Layout(this, from, to));
		}
		return this.layouts.get(name);
	}

	bornBefore(event) {
		return firstPlace(this.count, (place) => this.born[place] >= event);
	}
}

/**
 * Places for the items from..to: x in places of a node, rows by depth, each row sorted by x. Subtrees stand as
 * close together as their outlines allow (Reingold and Tilford 1981). An outline is the left and the right end of
 * each level, the root's level last, so that two of them are merged in the depth of the shallower one.
 */
class Layout {
	constructor(items, from, to) {
		const count = to - from;
		Object.assign(this, { from, to, items });
		this.x = new Float64Array(count);
		const offset = new Float64Array(count); // from the parent, after its children were placed
		const children = Array.from({ length: count }, () => null);
		const outlines = Array.from({ length: count }, () => null);
		const parentOf = (i) => items.parent[from + i] - from;
		for (let i = 0; i < count; i += 1) if (parentOf(i) >= 0) (children[parentOf(i)] ??= []).push(i);
		for (let i = count - 1; i >= 0; i -= 1) {
			const half = (items.ghost[from + i] ? GHOST : 1) / 2;
			let outline = null;
			for (const child of children[i] ?? []) {
				offset[child] = outline ? merge(outline, outlines[child]) : 0;
				if (!outline || outlines[child].left.length > outline.left.length) outline = outlines[child];
				outlines[child] = null;
			}
			const under = children[i];
			const middle = under ? (offset[under[0]] + offset[under.at(-1)]) / 2 : 0;
			for (const child of under ?? []) offset[child] -= middle;
			outline ??= { left: [], right: [], at: 0 };
			outline.at -= middle;
			outline.left.push(-half - outline.at);
			outline.right.push(half - outline.at);
			outlines[i] = outline;
		}
		let edge = 0;
		for (let i = 0; i < count; i += 1) {
			if (parentOf(i) >= 0) this.x[i] = this.x[parentOf(i)] + offset[i];
			else {
				const { left, right, at } = outlines[i];
				this.x[i] = edge - reduced(left, Math.min) - at;
				edge = this.x[i] + at + reduced(right, Math.max) + 1;
			}
		}
		[this.low, this.high] = [reduced(this.x, Math.min), reduced(this.x, Math.max)];
		this.rows = [];
		for (let i = 0; i < count; i += 1) (this.rows[items.depth[from + i]] ??= []).push(i);
		for (const row of this.rows) row.sort((a, b) => this.x[a] - this.x[b]);
	}

	place(item) {
		return this.x[item - this.from];
	}

	/** Items of a row between two places that were born before an event. */
	*row(depth, low, high, event) {
		const row = this.rows[depth];
		if (!row) return;
		const { x, from, items } = this;
		let at = firstPlace(row.length, (place) => x[row[place]] >= low);
		while (at < row.length && x[row[at]] <= high) {
			const item = from + row[at];
			if (items.born[item] < event) yield item;
			at += 1;
		}
	}
}

/** Place an outline at the right of another; returns how far, and the deeper one of the two becomes the outline of both. */
function merge(outline, other) {
	const levels = Math.min(outline.left.length, other.left.length);
	let shift = -Infinity;
	for (let level = 1; level <= levels; level += 1) shift = Math.max(shift, outline.right.at(-level) + outline.at - other.left.at(-level) - other.at);
	other.at += shift;
	for (let level = 1; level <= levels; level += 1) {
		if (other.left.length > outline.left.length) other.left[other.left.length - level] = outline.left.at(-level) + outline.at - other.at;
		else outline.right[outline.right.length - level] = other.right.at(-level) + other.at - outline.at;
	}
	return shift;
}

function reduced(values, choose) {
	let found = values.length ? values[0] : 0;
	for (const value of values) found = choose(found, value);
	return found;
}
