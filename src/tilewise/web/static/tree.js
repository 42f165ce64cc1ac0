// The search tree: drawn as it grows, and only the part that is seen; where it gets small, as a density of points.

import { Face, UNIT } from './board.js';
import { Density } from './density.js';
import { h, iconButton, quietMotion, s } from './dom.js';
import { moveSign } from './game.js';
import { CLOSED, CUT, GOAL, OPEN, REPLACED, SKIPPED, SUPERSEDED } from './replay.js';
import { listen } from './treehands.js';
import { Items } from './treelayout.js';
import { FGH } from './words.js';

const NAMES = { [OPEN]: 'open', [CLOSED]: 'closed', [SUPERSEDED]: 'superseded', [SKIPPED]: 'skipped', [CUT]: 'cut', [REPLACED]: 'replaced', [GOAL]: 'goal' };
const PASSED_OVER = { [SUPERSEDED]: 'superseded', [SKIPPED]: 'skipped', [CUT]: 'cut off' };
export const STEP_X = 92; // pixels between nodes at full size
export const STEP_Y = 118;
const LEAST = 1e-5;
const MOST = 2.2;
const DETAIL = 0.42; // below this size a node is a point
const GROWING = 60; // nodes up to which the whole tree is kept in view
const MOST_LINES = 6000; // edges between points
const ANEW = 250; // milliseconds after which points of a quick replay are drawn anew
const MANY_CELLS = 36; // boards with more cells are shown by their number only
const MAP = [150, 90]; // pixels of the map in the corner

export class Tree {
	/** `quiz`: nodes show g and h, not their sum. */
	constructor({ onchoose, quiz = false }) {
		Object.assign(this, { onchoose, quiz });
		this.edges = s('path.edges');
		this.pathEdges = s('path.edges.solution');
		this.nodes = s('g', s('title', FGH));
		this.scene = s('g', this.edges, this.pathEdges, this.nodes);
		this.trail = s('path.trail'); // to the node just taken, among points
		this.svg = s('svg.tree', { role: 'img', tabindex: '0', 'aria-label': 'Search tree' }, this.scene, this.trail);
		this.points = new Density({ class: 'points', 'aria-hidden': 'true' });
		this.map = new Density({ class: 'map', 'aria-hidden': 'true', title: 'The whole tree; press to go there' });
		this.mapFrame = h('div.map-frame', { 'aria-hidden': 'true', hidden: true }, this.map.canvas, (this.mapView = h('div.map-view')));
		this.followButton = iconButton('aim', 'Follow the search', () => this.follow(!this.following), { 'aria-pressed': 'true' });
		const zoom = [iconButton('plus', 'Larger', () => this.zoom(1.3)), iconButton('minus', 'Smaller', () => this.zoom(1 / 1.3)), iconButton('fit', 'The whole tree', () => this.fit()), this.followButton];
		this.element = h('div.tree-frame', this.points.canvas, this.svg, this.mapFrame, h('div.zoom', { role: 'group', 'aria-label': 'View of the tree' }, ...zoom));
		this.camera = { x: 0, y: 0, scale: 0.9, sy: DETAIL };
		this.following = true;
		this.shown = new Map(); // item -> group
		this.free = [];
		listen(this);
		new ResizeObserver(() => this.resized()).observe(this.svg);
	}

	use(replay) {
		this.replay = replay;
		this.items = new Items(replay);
		const { rows, columns } = replay.trace.result.board;
		Object.assign(this, { rows, columns, detailed: rows * columns <= MANY_CELLS });
		for (const group of this.shown.values()) group.root.remove();
		this.shown.clear();
		this.free = [];
		this.chosen = this.departs = -1;
		this.layout = null;
		// larger where the letters are, as on a projector
		const letters = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
		this.usual = (this.box().width < 500 ? 0.72 : 0.95) * letters;
		this.camera.scale = this.usual;
		this.onPath = new Set();
	}

	box() {
		return { width: this.width || this.svg.clientWidth || 600, height: this.height || this.svg.clientHeight || 400 };
	}

	resized() {
		this.width = this.svg.clientWidth;
		this.height = this.svg.clientHeight;
		if (this.replay) this.show(true);
	}

	/** Draw the tree as it is after the step of the replay. */
	show(still = false) {
		const { replay, items } = this;
		const event = replay.done;
		const layout = items.layoutAt(event);
		const current = replay.current < 0 ? items.segments[0].from : items.byEvent[replay.current];
		const changed = layout !== this.layout;
		this.layout = layout;
		this.current = current;
		this.onPath = new Set();
		for (let item = current; item >= layout.from; item = items.parent[item]) this.onPath.add(item);
		this.svg.setAttribute('aria-label', this.describe());
		if (this.whole) this.fit(true);
		else if (this.following && current >= 0) this.aim(still || changed);
		else this.draw();
	}

	describe() {
		const { replay, items } = this;
		const count = items.bornBefore(replay.done);
		if (replay.current < 0) return 'Search tree: the start alone';
		const node = replay.node[replay.current];
		return `Search tree: ${count} drawn so far, node ${node} at depth ${replay.g[replay.current]} taken last. The lists beside it hold the same.`;
	}

	point(item) {
		return [this.layout.place(item) * STEP_X, this.items.depth[item] * STEP_Y];
	}

	/** The box of items, in places of a node and depths. */
	extent(list) {
		const box = { low: Infinity, high: -Infinity, top: Infinity, bottom: -Infinity };
		for (const item of list) {
			const x = this.layout.place(item);
			const y = this.items.depth[item];
			box.low = Math.min(box.low, x);
			box.high = Math.max(box.high, x);
			box.top = Math.min(box.top, y);
			box.bottom = Math.max(box.bottom, y);
		}
		return box;
	}

	/** The item after the last one so far of the tree that is shown. */
	get end() {
		return Math.min(this.items.bornBefore(this.replay.done), this.layout.to);
	}

	/** All items so far of the tree that is shown. */
	*grown() {
		const { end } = this;
		for (let item = this.layout.from; item < end; item += 1) yield item;
	}

	/** The node just taken and all that came with it. */
	fresh() {
		const [from] = this.replay.stepEvents();
		const found = [this.current];
		for (let event = from; event < this.replay.done; event += 1) if (this.items.byEvent[event] >= this.layout.from) found.push(this.items.byEvent[event]);
		return found;
	}

	scaleFor(box, most) {
		const { width, height } = this.box();
		return Math.min(most, width / ((box.high - box.low + 1.1) * STEP_X), height / ((box.bottom - box.top + 1.15) * STEP_Y));
	}

	/** Keep a small tree whole, and of a large one the newest nodes, in view. */
	aim(jump) {
		const { camera } = this;
		this.run = null; // a glide to somewhere else ends here
		const count = this.end - this.layout.from;
		let box = count <= GROWING ? this.extent(this.grown()) : null;
		let scale = box ? this.scaleFor(box, this.usual) : 0;
		if (scale < DETAIL && this.racing) return this.showAll(this.room());
		if (scale < DETAIL) {
			box = this.extent(this.fresh());
			scale = this.scaleFor(box, this.usual);
			// a camera that keeps its scale is calmer, and letters need not be laid out anew
			if (camera.scale <= scale * 1.02 && camera.scale > scale * 0.6) {
				if (this.inView(box)) return this.draw();
				scale = camera.scale;
			}
		}
		const to = { x: ((box.low + box.high) / 2) * STEP_X, y: ((box.top + box.bottom) / 2 + 0.05) * STEP_Y, scale, sy: scale };
		if (jump || quietMotion() || this.hurried) {
			Object.assign(camera, to);
			return this.draw();
		}
		return this.glide(to);
	}

	inView(box) {
		const { width, height } = this.box();
		const [x, y] = [(place) => this.px(place), (depth) => this.py(depth)];
		const half = (STEP_X / 2) * this.camera.scale;
		return x(box.low) > half && x(box.high) < width - half && y(box.top) > half && y(box.bottom) < height - half * 1.3;
	}

	px(place) {
		return (place * STEP_X - this.camera.x) * this.camera.scale + this.box().width / 2;
	}

	/** Where points are drawn, the distance of rows has a scale of its own. */
	get high() {
		const { scale, sy } = this.camera;
		return scale >= DETAIL ? scale : Math.min(DETAIL, sy);
	}

	py(depth) {
		return (depth * STEP_Y - this.camera.y) * this.high + this.box().height / 2;
	}

	glide(to) {
		const from = { ...this.camera };
		const began = performance.now();
		const run = (this.run = {});
		const tick = (now) => {
			if (this.run !== run) return;
			const part = Math.min(1, Math.max(0, (now - began) / 220));
			const eased = 1 - (1 - part) ** 3;
			for (const name of ['x', 'y', 'scale', 'sy']) this.camera[name] = from[name] + (to[name] - from[name]) * eased;
			this.draw();
			if (part < 1) requestAnimationFrame(tick);
		};
		requestAnimationFrame(tick);
	}

	// ---- drawing

	draw() {
		const { width, height } = this.box();
		const { camera, layout } = this;
		const { scale } = camera;
		const detail = scale >= DETAIL;
		this.scene.style.display = detail ? '' : 'none';
		this.trail.style.display = detail ? 'none' : '';
		this.points.canvas.hidden = detail;
		this.element.dataset.drawn = detail ? 'nodes' : 'points';
		if (detail) {
			this.scene.setAttribute('transform', `translate(${(width / 2 - camera.x * scale).toFixed(2)} ${(height / 2 - camera.y * scale).toFixed(2)}) scale(${scale})`);
			const [left, right] = [-1, 1].map((side) => camera.x + (side * width) / 2 / scale);
			const [above, below] = [-1, 1].map((side) => camera.y + (side * height) / 2 / scale);
			const top = Math.max(0, Math.floor(above / STEP_Y - 1));
			const bottom = Math.min(layout.rows.length - 1, Math.ceil(below / STEP_Y + 1));
			const seen = [];
			for (let depth = top; depth <= bottom; depth += 1) seen.push(...layout.row(depth, left / STEP_X - 1, right / STEP_X + 1, this.replay.done));
			this.drawEdges(seen);
			// edges lead out of sight, nodes do not
			this.drawNodes(
				seen.filter((item) => {
					const [x, y] = this.point(item);
					return x > left - 36 && x < right + 36 && y > above - 53 && y < below + 35;
				}),
			);
		} else this.drawPoints();
		this.drawMap();
	}

	/** The tree as points. */
	drawPoints() {
		const { width, height } = this.box();
		const { end } = this;
		const x = (item) => this.px(this.layout.place(item));
		const y = (depth) => this.py(depth);
		const size = Math.max(1, Math.min(7, this.camera.scale * STEP_X * 0.6, this.high * STEP_Y * 0.3));
		const view = [this.layout.from, this.layout.to, width, height, ...Object.values(this.camera)].join();
		const now = performance.now();
		const last = this.pointed;
		if (this.racing && last?.view === view && last.end <= end && now - last.at < ANEW) {
			this.points.add({ tree: this, from: last.end, end, x, y, size });
			last.end = end;
		} else {
			this.pointed = { view, end, at: now };
			this.points.draw({ tree: this, end, width, height, x, y, size });
			if (end - this.layout.from <= MOST_LINES) this.points.lines({ tree: this, end, x, y });
		}
		const trail = [...this.onPath].map((item) => `${x(item).toFixed(1)} ${y(this.items.depth[item]).toFixed(1)}`);
		this.trail.setAttribute('d', trail.length ? `M${trail[0]}m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M${trail.join('L')}` : '');
	}

	/** The map in the corner, while not all of the tree is in view. */
	drawMap() {
		const { layout, end } = this;
		const { width, height } = this.box();
		const deep = layout.rows.length - 1;
		// a small tree is looked at as far as it has grown, a large one with the room it has
		const all = this.inView(end - layout.from <= GROWING ? this.extent(this.grown()) : this.room());
		const hidden = this.whole || all || end - layout.from < 12;
		if (this.mapFrame.hidden !== hidden) this.mapFrame.hidden = hidden;
		if (hidden) return;
		const across = MAP[0] / Math.max(1, layout.high - layout.low + 1);
		const down = MAP[1] / (deep + 1);
		const now = performance.now();
		// a large tree is not drawn anew at every step of a quick replay
		if (this.mapped?.layout !== layout || (end - layout.from < 3000 && !this.hurried) || now - this.mapped.at > ANEW) {
			this.mapped = { layout, at: now };
			this.map.draw({ tree: this, end, width: MAP[0], height: MAP[1], x: (item) => (layout.place(item) - layout.low + 0.5) * across, y: (depth) => (depth + 0.5) * down, size: Math.max(1, Math.min(4, across, down * 0.6)) });
		}
		const left = (this.camera.x - width / 2 / this.camera.scale) / STEP_X;
		const top = (this.camera.y - height / 2 / this.high) / STEP_Y;
		const place = [(left - layout.low + 0.5) * across, (top + 0.5) * down, (width / this.camera.scale / STEP_X) * across, (height / this.high / STEP_Y) * down];
		const [x, y] = [Math.max(0, Math.min(MAP[0] - 4, place[0])), Math.max(0, Math.min(MAP[1] - 4, place[1]))];
		this.mapView.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
		this.mapView.style.width = `${Math.max(4, Math.min(MAP[0], place[0] + place[2]) - x).toFixed(1)}px`;
		this.mapView.style.height = `${Math.max(4, Math.min(MAP[1], place[1] + place[3]) - y).toFixed(1)}px`;
	}

	drawEdges(seen) {
		const plain = [];
		const taken = [];
		const drop = 34;
		for (const item of seen) {
			const above = this.items.parent[item];
			if (above < this.layout.from) continue;
			const [x, y] = this.point(item);
			const [u, v] = this.point(above);
			const middle = (y + v) / 2;
			(this.onPath.has(item) ? taken : plain).push(`M${u.toFixed(1)} ${v + drop}C${u.toFixed(1)} ${middle} ${x.toFixed(1)} ${middle} ${x.toFixed(1)} ${y - drop}`);
		}
		this.edges.setAttribute('d', plain.join(''));
		this.pathEdges.setAttribute('d', taken.join(''));
	}

	drawNodes(seen) {
		const wanted = new Set(seen);
		for (const [item, group] of this.shown) {
			if (wanted.has(item)) continue;
			this.shown.delete(item);
			this.free.push(group);
			group.root.style.display = 'none';
		}
		for (const item of seen) {
			let group = this.shown.get(item);
			if (!group) {
				group = this.free.pop() ?? this.makeGroup();
				this.shown.set(item, group);
				this.fillGroup(group, item);
				group.root.style.display = '';
			}
			this.placeGroup(group, item);
		}
	}

	makeGroup() {
		const face = this.detailed ? new Face(this.rows, this.columns) : null;
		const size = 56 / (Math.max(this.rows, this.columns, 3) * UNIT);
		const card = s('rect.card-back', { x: -35, y: -34, width: 70, height: 86, rx: 8 });
		const board = s('g', { transform: `translate(${(-this.columns * UNIT * size) / 2} -30) scale(${size})` });
		if (face) board.append(face.squares, face.digits);
		const label = s('text.label', { y: 38 });
		const extra = s('text.extra', { y: 48.5 });
		const root = s('g.node', card, board, label, extra);
		this.nodes.append(root);
		return { root, face, label, extra };
	}

	fillGroup(group, item) {
		const { replay, items } = this;
		const node = items.node[item];
		group.face?.show(replay.board(node).tiles);
		const event = items.born[item];
		const [g, h] = [replay.g[event], replay.h[event]];
		const sum = this.quiz ? `g ${g}  h ${h}` : `${g + h} = ${g} + ${h}`;
		group.label.textContent = items.ghost[item] ? `= #${node}` : sum;
		group.root.dataset.item = item;
		group.move = replay.move[event] === '-' || replay.parent[event] < 0 ? '' : `${moveSign(replay.board(replay.parent[event]), replay.move[event])} · `;
		group.status = null;
	}

	placeGroup(group, item) {
		const { replay, items } = this;
		const [x, y] = this.point(item);
		const place = `translate(${x.toFixed(1)} ${y})`;
		if (group.place !== place) group.root.setAttribute('transform', (group.place = place));
		const node = items.node[item];
		const ghost = items.ghost[item];
		const kind = replay.kind[items.born[item]];
		let name = ghost ? 'ghost' : (NAMES[replay.status[node]] ?? 'open');
		if (kind === 'reopen' && !ghost) name += ' reopened';
		if (item === this.current) name += ' current';
		if (item === this.chosen) name += ' chosen';
		if (item === this.departs) name += ' departs';
		if (items.born[item] >= replay.stepEvents()[0] && !ghost) name += ' fresh';
		if (group.status === name) return;
		group.status = name;
		group.root.setAttribute('class', `node ${name}`);
		const words = ghost ? 'duplicate' : kind === 'reopen' ? 're-opened' : (PASSED_OVER[replay.status[node]] ?? `#${node}`);
		group.extra.textContent = group.move + words;
	}

	// ---- moving about

	follow(on) {
		this.following = on;
		this.whole = false;
		this.followButton.setAttribute('aria-pressed', on);
		if (on && this.replay) this.show();
	}

	zoom(factor, at = null) {
		const { camera } = this;
		const { width, height } = this.box();
		const [px, py] = at ?? [width / 2, height / 2];
		const wx = camera.x + (px - width / 2) / camera.scale;
		const wy = camera.y + (py - height / 2) / this.high;
		camera.scale = Math.max(LEAST, Math.min(MOST, camera.scale * factor));
		camera.sy = Math.max(LEAST, camera.sy * factor);
		camera.x = wx - (px - width / 2) / camera.scale;
		camera.y = wy - (py - height / 2) / this.high;
		this.whole = false;
		this.run = null;
		if (this.replay) this.draw();
	}

	/** The whole tree, as far as it has grown, at any size; it stays whole while it grows. */
	fit(again = false) {
		if (!this.layout) return;
		if (!again) this.follow(false);
		this.whole = true;
		this.run = null;
		this.showAll(this.racing ? this.room() : this.extent(this.grown()));
	}

	/** The box of all that this layout has places for: it does not change at every step. */
	room() {
		const { low, high, rows } = this.layout;
		return { low, high, top: 0, bottom: rows.length - 1 };
	}

	showAll(box) {
		const { width, height } = this.box();
		Object.assign(this.camera, { scale: Math.max(LEAST, this.scaleFor(box, 1.1)), x: ((box.low + box.high) / 2) * STEP_X, y: ((box.top + box.bottom) / 2) * STEP_Y });
		if (this.camera.scale < DETAIL) Object.assign(this.camera, { scale: Math.max(LEAST, Math.min(DETAIL * 0.99, (width - 24) / ((box.high - box.low + 1) * STEP_X))), sy: (height - 24) / ((box.bottom - box.top + 1) * STEP_Y) });
		this.draw();
	}

	/** Bring an item into the middle, large enough to read. */
	centre(item) {
		this.follow(false);
		const [x, y] = this.point(item);
		Object.assign(this.camera, { x, y, scale: Math.max(this.usual, DETAIL) });
		this.draw();
	}

	choose(item) {
		this.chosen = item;
		this.draw();
	}

	/** The item under a pointer where the tree is drawn as points, or -1. */
	itemAt(event) {
		if (this.camera.scale >= DETAIL) return -1;
		const box = this.svg.getBoundingClientRect();
		const [px, py] = [event.clientX - box.left, event.clientY - box.top];
		let [best, near] = [-1, 14];
		for (const item of this.grown()) {
			const far = Math.hypot(this.px(this.layout.place(item)) - px, this.py(this.items.depth[item]) - py);
			if (far < near) [best, near] = [item, far];
		}
		return best;
	}

	pan(x, y) {
		this.run = null;
		this.camera.x += x / this.camera.scale;
		this.camera.y += y / this.high;
		this.draw();
	}

	key(event) {
		if (!this.replay || event.ctrlKey || event.metaKey || event.altKey) return;
		const shifts = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] };
		if (event.shiftKey && event.key in shifts) {
			this.follow(false);
			this.pan(...shifts[event.key]);
		} else if (event.key === '+' || event.key === '=') this.zoom(1.3);
		else if (event.key === '-') this.zoom(1 / 1.3);
		else if (event.key === '0') this.fit();
		else if (event.key === 'f') this.follow(true);
		else return;
		event.preventDefault();
		event.stopPropagation();
	}
}
