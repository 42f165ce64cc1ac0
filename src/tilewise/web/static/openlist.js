// Open lists as the searches keep them, replayed from events: every change can be taken back.

import { firstPlace } from './dom.js';

/** Buckets by (priority, tie), the smallest first; in a bucket the newest or the oldest node first. */
export class Buckets {
	constructor(newest) {
		this.newest = newest;
		this.keys = []; // [priority, tie], sorted
		this.buckets = new Map();
		this.size = 0;
	}

	/** What the counter of the largest frontier looks at after an expansion. */
	get counted() {
		return this.size;
	}

	push(key, node) {
		this.bucket(key).push(node);
		this.size += 1;
	}

	/** Take a push back. */
	unpush(key, node) {
		const bucket = this.bucket(key);
		const last = bucket.pop();
		if (last !== node) throw new Error('the trace was replayed out of order');
		this.drop(key, bucket);
		this.size -= 1;
	}

	/** Take a node out; returns where it stood, for `restore`. */
	take(key, node) {
		const bucket = this.bucket(key);
		const place = this.newest ? bucket.lastIndexOf(node) : bucket.indexOf(node);
		if (place < 0) {
			this.drop(key, bucket);
			return -1;
		}
		bucket.splice(place, 1);
		this.drop(key, bucket);
		this.size -= 1;
		return place;
	}

	restore(key, node, place) {
		if (place < 0) return;
		this.bucket(key).splice(place, 0, node);
		this.size += 1;
	}

	bucket(key) {
		const name = `${key[0]},${key[1]}`;
		let bucket = this.buckets.get(name);
		if (!bucket) {
			bucket = [];
			this.buckets.set(name, bucket);
			const after = ([priority, tie]) => priority > key[0] || (priority === key[0] && tie > key[1]);
			const low = firstPlace(this.keys.length, (place) => after(this.keys[place]));
			this.keys.splice(low, 0, key);
		}
		return bucket;
	}

	drop(key, bucket) {
		if (bucket.length) return;
		this.buckets.delete(`${key[0]},${key[1]}`);
		this.keys.splice(this.keys.findIndex((other) => other[0] === key[0] && other[1] === key[1]), 1);
	}

	/** The nodes in the order they will be taken, from a place on. */
	slice(from, count) {
		const nodes = [];
		let skipped = 0;
		for (const key of this.keys) {
			const bucket = this.buckets.get(`${key[0]},${key[1]}`);
			if (skipped + bucket.length <= from) {
				skipped += bucket.length;
				continue;
			}
			for (let i = Math.max(0, from - skipped); i < bucket.length && nodes.length < count; i += 1) {
				nodes.push(bucket[this.newest ? bucket.length - 1 - i : i]);
			}
			skipped += bucket.length;
			if (nodes.length === count) break;
		}
		return nodes;
	}
}

/** The heap of C++'s priority_queue, which compares f alone: its places decide between equal ones. */
export class Heap {
	constructor() {
		this.heap = []; // [f, node]
		this.journal = []; // what each change overwrote: [length, [place, entry], ...]
	}

	get size() {
		return this.heap.length;
	}

	get counted() {
		return this.size;
	}

	put(place, entry) {
		this.journal.at(-1)?.push([place, this.heap[place]]);
		this.heap[place] = entry;
	}

	rise(from, entry) {
		let hole = from;
		for (let above = (hole - 1) >> 1; hole && this.heap[above][0] > entry[0]; above = (hole - 1) >> 1) {
			this.put(hole, this.heap[above]);
			hole = above;
		}
		this.put(hole, entry);
	}

	push(key, node) {
		this.journal.push([this.size]);
		this.rise(this.size, [key[0], node]);
	}

	pop() {
		const { heap } = this;
		const [top] = heap;
		const last = heap.at(-1);
		this.put(heap.length - 1, last);
		heap.pop();
		if (!heap.length) return top;
		let hole = 0;
		let right = 2;
		for (; right < heap.length; right = 2 * hole + 2) {
			const child = heap[right][0] > heap[right - 1][0] ? right - 1 : right;
			this.put(hole, heap[child]);
			hole = child;
		}
		if (right === heap.length) {
			this.put(hole, heap[right - 1]);
			hole = right - 1;
		}
		this.rise(hole, last);
		return top;
	}

	/** Take a node out; one that is not on top, in the trace of another solver, leaves a heap of the others. */
	take(key, node) {
		const place = this.heap.findIndex((entry) => entry[1] === node);
		this.journal.push([this.size]);
		if (place === 0) this.pop();
		else if (place > 0) {
			const others = this.heap.filter((entry) => entry[1] !== node);
			this.heap.forEach((entry, index) => this.put(index, entry));
			this.heap = [];
			for (const entry of others) this.rise(this.heap.length, entry);
		}
		return place;
	}

	unpush() {
		const [length, ...changes] = this.journal.pop();
		for (const [place, entry] of changes.reverse()) this.heap[place] = entry;
		this.heap.length = length;
	}

	restore() {
		this.unpush();
	}

	slice(from, count) {
		if (!from && count === 1) return this.heap.slice(0, 1).map((entry) => entry[1]);
		const rest = new Heap();
		rest.heap = this.heap.slice();
		const nodes = [];
		for (let i = 0; i < from + count && rest.size; i += 1) {
			const [, node] = rest.pop();
			if (i >= from) nodes.push(node);
		}
		return nodes;
	}
}

/** Beam: what is left of this layer, then the next one, sorted; only its first `width` will be kept. */
export class Layers {
	constructor(width) {
		this.width = width;
		this.layer = [];
		this.depth = 0;
		this.next = new Buckets(false);
	}

	get size() {
		return this.layer.length + this.next.size;
	}

	get counted() {
		return this.next.size;
	}

	push(key, node, depth) {
		if (depth === 0) this.layer.push(node);
		else this.next.push(key, node);
	}

	unpush(key, node, depth) {
		if (depth === 0) this.layer.pop();
		else this.next.unpush(key, node);
	}

	/** Take a node of a layer; the first of a new layer makes it the present one. */
	take(node, depth) {
		const undo = { layer: this.layer, depth: this.depth, next: this.next, cut: [], newLayer: depth > this.depth || depth === 0 };
		let { layer } = this;
		if (depth > this.depth) {
			const sorted = this.next.slice(0, this.next.size);
			layer = sorted.slice(0, this.width);
			undo.cut = sorted.slice(this.width);
			this.next = new Buckets(false);
			this.depth = depth;
		}
		this.layer = layer.filter((other) => other !== node);
		return undo;
	}

	restore({ layer, depth, next }) {
		Object.assign(this, { layer, depth, next });
	}

	slice(from, count) {
		const here = this.layer.slice(from, from + count);
		return [...here, ...this.next.slice(Math.max(0, from - this.layer.length), count - here.length)];
	}
}

/** Breadth-first from both ends: a queue for each; the one in work first, then the shorter. */
export class TwoSided {
	constructor() {
		this.queues = [[], []];
		this.sideOf = new Map();
		this.work = [0, -1]; // side and depth of the layer in work
		this.depthOf = new Map();
	}

	get size() {
		return this.queues[0].length + this.queues[1].length;
	}

	get unfinished() {
		const [side, depth] = this.work;
		return this.queues[side].length > 0 && this.depthOf.get(this.queues[side][0]) === depth;
	}

	get counted() {
		return this.unfinished ? 0 : this.size;
	}

	push(node, parent, depth) {
		const side = parent < 0 ? node : this.sideOf.get(parent);
		this.sideOf.set(node, side);
		this.depthOf.set(node, depth);
		this.queues[side].push(node);
	}

	unpush(node) {
		this.queues[this.sideOf.get(node)].pop();
	}

	take(node) {
		const side = this.sideOf.get(node);
		const depth = this.depthOf.get(node);
		const undo = { side, queue: this.queues[side], work: this.work, newLayer: side !== this.work[0] || depth !== this.work[1] };
		this.queues[side] = this.queues[side].filter((other) => other !== node);
		this.work = [side, depth];
		return undo;
	}

	restore({ side, queue, work }) {
		this.queues[side] = queue;
		this.work = work;
	}

	slice(from, count) {
		const [side] = this.work;
		const [mine, other] = [this.queues[side], this.queues[1 - side]];
		const first = this.unfinished ? side : this.queues[0].length <= this.queues[1].length ? 0 : 1;
		return (first === side ? [...mine, ...other] : [...other, ...mine]).slice(from, from + count);
	}
}
