// A long list of nodes of which only the rows in sight exist.

import { miniature } from './board.js';
import { button, h } from './dom.js';
import { moveSign } from './game.js';
import { REPLACED, SKIPPED, STATUS_WORDS, SUPERSEDED } from './replay.js';
import { FGH } from './words.js';

const ROW = 60; // pixels

export class NodeList {
	/** `slice(from, count)` gives nodes, `size()` how many there are. */
	constructor({ label, onchoose }) {
		this.onchoose = onchoose;
		this.spacer = h('div.spacer', { role: 'presentation' });
		this.element = h('div.nodes', { role: 'list', tabindex: '0', 'aria-label': label, onscroll: () => this.scrolled() }, this.spacer);
		this.rows = [];
		// kept here: to ask the element for them at every step would lay out the page twice
		this.top = 0;
		this.height = 0;
		new ResizeObserver(([entry]) => {
			this.height = entry.contentRect.height;
			this.show();
		}).observe(this.element);
	}

	scrolled() {
		this.top = this.element.scrollTop;
		this.show();
	}

	use(replay, slice, size) {
		Object.assign(this, { replay, slice, size });
		this.element.scrollTop = 0;
		this.top = 0;
		this.rows.forEach((row) => row.remove());
		this.rows = [];
		this.show();
	}

	show() {
		if (!this.replay) return;
		const count = this.size();
		const first = Math.max(0, Math.floor(this.top / ROW) - 1);
		const room = Math.ceil((this.height || 300) / ROW) + 2;
		const nodes = this.slice(first, Math.min(room, count - first));
		if (this.count !== count) this.spacer.style.height = `${count * ROW}px`;
		this.count = count;
		while (this.rows.length < nodes.length) this.rows.push(this.row());
		this.rows.forEach((row, index) => {
			row.hidden = index >= nodes.length;
			if (!row.hidden) this.fill(row, nodes[index], first + index, count);
		});
	}

	row() {
		const { rows, columns } = this.replay.trace.result.board;
		const drawing = miniature(rows, columns, 44);
		const face = h('span.face', drawing.svg);
		const f = h('strong.numbers', { title: FGH });
		const about = h('span.soft.small');
		const place = h('span.place.numbers.small.soft');
		const inside = button([place, face, h('span.words', f, about)], () => this.onchoose(row.node), { class: 'quiet', tabindex: '-1' });
		const row = h('div.node-row', { role: 'listitem' }, inside);
		Object.assign(row, { drawing, f, about, place });
		this.element.append(row);
		return row;
	}

	fill(row, node, place, count) {
		row.style.transform = `translateY(${place * ROW}px)`;
		const facts = this.replay.facts(node);
		const name = `${node} ${place} ${facts.status} ${count}`;
		if (row.name === name) return;
		row.name = name;
		row.setAttribute('aria-setsize', count);
		row.setAttribute('aria-posinset', place + 1);
		row.place.textContent = place + 1;
		if (row.node !== node) row.drawing.face.show(this.replay.board(node).tiles);
		row.node = node;
		row.f.textContent = `${facts.g + facts.h} = ${facts.g} + ${facts.h}`;
		const odd = [SUPERSEDED, SKIPPED, REPLACED].includes(facts.status) ? STATUS_WORDS[facts.status] : null;
		row.about.textContent = [`#${node}`, facts.parent >= 0 ? `${moveSign(this.replay.board(facts.parent), facts.move)} from #${facts.parent}` : 'start', odd].filter(Boolean).join(' · ');
		row.classList.toggle('odd', Boolean(odd));
	}
}
