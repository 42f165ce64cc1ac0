// Lines over a clock: they differ in colour, dash and the name at their end.

import { firstPlace, h, number, s } from './dom.js';

const LEFT = 58;
const TOP = 14;
const BOTTOM = 30;
const LONGEST = 29; // letters beside a line

export class Chart {
	constructor(title) {
		this.title = title;
		this.svg = s('svg.chart', { role: 'img' });
		this.element = h('figure', this.svg);
		this.logarithmic = false;
		new ResizeObserver(() => this.draw()).observe(this.svg);
	}

	/** Series: [{name, short, x: [...], y: [...]}]. */
	use(series, last) {
		this.series = series;
		this.last = Math.max(1, last);
		this.draw();
	}

	at(clock) {
		this.clock = clock;
		this.move();
	}

	scale(value, most, pixels) {
		if (!this.logarithmic) return (value / most) * pixels;
		return (Math.log1p(value) / Math.log1p(most)) * pixels;
	}

	ticks(most) {
		if (this.logarithmic) {
			const ticks = [0];
			for (let value = 1; value <= most; value *= 10) ticks.push(value);
			return ticks;
		}
		const rough = most / 4;
		const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
		const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough));
		return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
	}

	draw() {
		if (!this.series) return;
		const wide = Math.max(240, this.svg.clientWidth || 480);
		const RIGHT = wide < 560 ? 30 : 205; // the names at the ends of the lines
		const high = this.svg.clientHeight || 216;
		const across = wide - LEFT - RIGHT;
		const up = high - TOP - BOTTOM;
		const most = Math.max(1, ...this.series.flatMap((line) => line.y));
		this.svg.setAttribute('viewBox', `0 0 ${wide} ${high}`);
		const x = (value) => LEFT + this.scale(value, this.last, across);
		const y = (value) => TOP + up - this.scale(value, most, up);
		Object.assign(this, { x, y });
		const short = (value) => (value >= 1e6 ? `${+(value / 1e6).toFixed(1)}M` : value >= 1e4 ? `${+(value / 1e3).toFixed(0)}k` : number(value));
		const grid = this.ticks(most).slice(this.logarithmic ? 1 : 0).map((value) => s('g.tick', s('line', { x1: LEFT, x2: wide - RIGHT, y1: y(value), y2: y(value) }), s('text', { x: LEFT - 8, y: y(value) + 4, 'text-anchor': 'end' }, short(value))));
		const below = this.ticks(this.last).map((value) => s('text.tick-text', { x: x(value), y: high - 8, 'text-anchor': value === 0 ? 'start' : 'middle' }, short(value)));
		this.lines = this.series.map((line, index) => s('path', { class: `line racer-${index}` }));
		this.heads = this.series.map((line, index) => s('circle', { class: `head racer-${index}`, r: line.x.length ? 4.5 : 0 }));
		this.labels = this.series.map((line, index) => s('text', { class: `end racer-${index}` }, !line.x.length ? '' : wide < 560 ? line.name[0] : line.name.length > LONGEST ? line.short.slice(0, LONGEST) : line.name));
		this.hand = s('line.hand', { y1: TOP, y2: TOP + up });
		const axis = s('text', { x: wide - RIGHT, y: TOP + up - 6, 'text-anchor': 'end' }, 'expansions');
		this.edge = wide - RIGHT;
		this.svg.replaceChildren(...grid, ...below, axis, this.hand, ...this.lines, ...this.heads, ...this.labels);
		this.svg.setAttribute('aria-label', `${this.title}, over expansions. ${this.series.map((line) => (line.x.length ? `${line.name}: ${number(line.y.at(-1))} at ${number(line.x.at(-1))}` : `${line.name}: not known`)).join('; ')}.`);
		this.move();
	}

	move() {
		if (!this.lines) return;
		const clock = this.clock ?? this.last;
		this.hand.setAttribute('x1', this.x(clock));
		this.hand.setAttribute('x2', this.x(clock));
		const known = this.series.map((line, index) => ({ line, index })).filter(({ line }) => line.x.length);
		const ends = known.map(({ line, index }) => {
			const count = upTo(line.x, clock);
			let d = '';
			for (let i = 0; i < count; i += 1) d += `${i ? 'L' : 'M'}${this.x(line.x[i]).toFixed(1)} ${this.y(line.y[i]).toFixed(1)}`;
			this.lines[index].setAttribute('d', d);
			const last = Math.max(0, count - 1);
			const end = [this.x(line.x[last] ?? 0), this.y(line.y[last] ?? 0)];
			this.heads[index].setAttribute('cx', end[0]);
			this.heads[index].setAttribute('cy', end[1]);
			return { index, x: end[0], y: end[1] };
		});
		// names that would lie upon each other stand below each other
		let floor = -Infinity;
		for (const end of ends.sort((a, b) => a.y - b.y)) {
			const y = Math.max(end.y, floor + 15);
			floor = y;
			this.labels[end.index].setAttribute('x', Math.min(this.edge, end.x) + 9);
			this.labels[end.index].setAttribute('y', y + 4);
		}
	}
}

/** How many samples are not later than a time. */
export const upTo = (times, time) => firstPlace(times.length, (place) => times[place] > time);
