// A search that improves: the best solution falls, the proved bound rises, until they meet.

import { figures, h, number, refill, s } from './dom.js';
import { gapWords } from './words.js';

const [WIDE, HIGH] = [300, 110];

export class Improving {
	constructor() {
		this.words = h('p.headline');
		this.figures = [
			['found', h('dd', '–'), 'Moves of the best solution so far'],
			['at least', h('dd', '–'), 'Moves that are proved to be needed'],
			['gap', h('dd', '–'), 'Their difference; 0 is a proved shortest solution'],
		];
		this.svg = s('svg.gap-chart', { viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img' });
		this.element = h('div.stack.tight', this.words, figures(this.figures), this.svg);
		this.begin();
	}

	begin() {
		this.points = [];
		this.best = null;
	}

	/** Take a progress event. */
	add({ seconds, incumbent }) {
		// a search that was moved to another queue begins again: what was found and proved stays
		const kept = this.best?.moves && this.best.cost <= (incumbent.cost ?? Infinity) ? this.best : incumbent;
		const { cost } = kept;
		const bound = Math.max(incumbent.bound, this.best?.bound ?? 0);
		this.best = { ...kept, bound, gap: cost === null ? null : cost - bound };
		this.points.push({ seconds: Math.max(seconds, this.points.at(-1)?.seconds ?? 0), cost, bound });
		const [found, least, gap] = this.figures.map(([, value]) => value);
		found.textContent = cost === null ? '–' : number(cost);
		least.textContent = bound ? number(bound) : '–';
		gap.textContent = cost === null ? '–' : number(cost - bound);
		this.words.textContent = gapWords(cost, bound);
		this.draw();
	}

	draw() {
		const { points } = this;
		const until = Math.max(1, points.at(-1).seconds);
		const costs = points.map((point) => point.cost).filter((cost) => cost !== null);
		const most = Math.max(1, ...costs, ...points.map((point) => point.bound));
		const least = Math.min(...points.map((point) => point.bound));
		const low = Math.max(0, least - (most - least) * 0.15);
		const x = (seconds) => 34 + (seconds / until) * (WIDE - 44);
		const y = (value) => 10 + (1 - (value - low) / Math.max(1, most - low)) * (HIGH - 32);
		const line = (name) => {
			const known = points.filter((point) => point[name] !== null);
			return known.map((point, i) => (i ? `H${x(point.seconds).toFixed(1)}V${y(point[name]).toFixed(1)}` : `M${x(point.seconds).toFixed(1)} ${y(point[name]).toFixed(1)}`)).join('');
		};
		const last = points.at(-1);
		const label = (value, text) => (value === null ? null : s('text', { x: 30, y: y(value) + 4, 'text-anchor': 'end' }, text));
		refill(
			this.svg,
			s('path.axis', { d: `M34 10V${HIGH - 22}H${WIDE - 10}` }),
			label(last.cost, number(last.cost ?? 0)),
			Math.abs(y(last.cost ?? most) - y(last.bound)) > 12 || last.cost === null ? label(last.bound, number(last.bound)) : null,
			s('text', { x: WIDE - 10, y: HIGH - 6, 'text-anchor': 'end' }, `${until.toFixed(0)} s`),
			s('text', { x: 34, y: HIGH - 6 }, 'found (solid), proved (dashed)'),
			s('path.found', { d: line('cost') }),
			s('path.proved', { d: line('bound') }),
		);
		this.svg.setAttribute('aria-label', gapWords(last.cost, last.bound));
	}

	/** What stays to see when the search has ended with a gap. */
	summary({ cost, bound }) {
		const words = h('p.small', gapWords(cost, bound));
		return this.points.length > 1 ? h('div.stack.tight', words, this.svg) : words;
	}
}
