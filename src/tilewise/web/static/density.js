// The tree as points on a canvas: where nodes are smaller than a pixel, the darker the more of them.

import { h } from './dom.js';
import { CLOSED, GOAL, REPLACED } from './replay.js';

const KINDS = ['open', 'closed'];
const FAINT = 120; // of 255: a point alone
const sharpness = () => Math.min(2, devicePixelRatio || 1);

/** The colours of the theme, read again when it changes. */
function colours() {
	const theme = document.documentElement.dataset.theme;
	if (colours.theme !== theme) {
		const style = getComputedStyle(document.documentElement);
		const read = (name) => {
			const text = style.getPropertyValue(name).trim();
			return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
		};
		Object.assign(colours, { theme, open: read('--accent'), closed: read('--edge') });
	}
	return colours;
}

export class Density {
	constructor(attributes) {
		this.canvas = h('canvas', attributes);
		this.context = this.canvas.getContext('2d');
	}

	/** Draw all items of a tree born before `end`; x(item) and y(depth) are pixels. */
	draw({ tree, end, width, height, x, y, size }) {
		const ratio = sharpness();
		const [wide, high] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
		if (this.canvas.width !== wide || this.canvas.height !== high) Object.assign(this.canvas, { width: wide, height: high });
		const { context } = this;
		const { items, layout, replay } = tree;
		const counts = KINDS.map(() => new Uint16Array(wide * high));
		const across = Math.max(1, Math.round(size * ratio));
		for (let item = layout.from; item < end; item += 1) {
			const left = Math.round(x(item) * ratio - across / 2);
			const top = Math.round(y(items.depth[item]) * ratio - across / 2);
			const status = replay.status[items.node[item]];
			const kind = status === CLOSED || status === REPLACED || status === GOAL || items.ghost[item] ? 1 : 0;
			for (let row = Math.max(0, top); row < Math.min(high, top + across); row += 1) {
				for (let column = Math.max(0, left); column < Math.min(wide, left + across); column += 1) counts[kind][row * wide + column] += 1;
			}
		}
		const image = context.createImageData(wide, high);
		const shades = KINDS.map((kind) => colours()[kind]);
		for (let pixel = 0; pixel < wide * high; pixel += 1) {
			const many = counts[0][pixel] + counts[1][pixel];
			if (!many) continue;
			const [r, g, b] = shades[counts[0][pixel] ? 0 : 1];
			image.data.set([r, g, b, Math.min(255, FAINT + 45 * Math.log2(many))], pixel * 4);
		}
		context.putImageData(image, 0, 0);
	}

	/** Add the items from..end to what is drawn already: all of them are open. */
	add({ tree, from, end, x, y, size }) {
		const { context } = this;
		const ratio = sharpness();
		context.fillStyle = `rgb(${colours().open.join(' ')} / ${FAINT / 255})`;
		const across = Math.max(1, Math.round(size * ratio));
		for (let item = from; item < end; item += 1) context.fillRect(Math.round(x(item) * ratio - across / 2), Math.round(y(tree.items.depth[item]) * ratio - across / 2), across, across);
	}

	/** Lines between nodes and their parents, where there are not too many. */
	lines({ tree, end, x, y }) {
		const ratio = sharpness();
		const { items, layout } = tree;
		const { context } = this;
		context.save();
		context.scale(ratio, ratio);
		context.globalCompositeOperation = 'destination-over';
		context.strokeStyle = `rgb(${colours().closed.join(' ')} / 45%)`;
		context.lineWidth = 0.8;
		context.beginPath();
		for (let item = layout.from; item < end; item += 1) {
			const above = items.parent[item];
			if (above < layout.from) continue;
			context.moveTo(x(above), y(items.depth[above]));
			context.lineTo(x(item), y(items.depth[item]));
		}
		context.stroke();
		context.restore();
	}
}
