// The end of a game: moves against the shortest, time, personal bests, and a review of every move.

import { announce, button, h, iconButton, number, plural, refill, s } from './dom.js';
import { moveInWords, replay, shape } from './game.js';
import { recall, remember } from './store.js';

const MOST_REVIEWED = 240; // positions that the server is asked about
const HIGH = 96;
const AT_ONCE = 3;

const clockText = (milliseconds) => {
	const seconds = milliseconds / 1000;
	return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`;
};

export class Ending {
	/** `actions`: again(), another(), look(at) shows a position, distance(board, signal) is how far it is. */
	constructor(app, actions) {
		Object.assign(this, { app, actions });
		this.element = h('section.card.stack.tight.ending', { 'aria-label': 'The end', hidden: true });
	}

	stop() {
		this.pending?.abort();
		this.element.hidden = true;
	}

	/** What to say at the goal; moves that the page made are not counted for the player. */
	words({ moves, helped }) {
		const all = plural(moves.length, 'move');
		if (!helped) return `Solved in ${all}. Well done.`;
		return helped < moves.length ? `Solved in ${all}, ${number(helped)} of them made for you.` : `Solved for you in ${all}.`;
	}

	/** Keep what is a personal best; games with help do not count. */
	record(game) {
		this.fresh = new Set();
		if (game.helped || !game.began || game.recorded) return;
		game.recorded = true;
		const bests = recall('bests', {});
		const best = (bests[shape(game.start)] ??= { games: 0 });
		best.games += 1;
		if (best.time === undefined || game.spent < best.time) {
			best.time = Math.round(game.spent);
			this.fresh.add('time');
		}
		remember('bests', bests);
	}

	recordExcess(game, excess) {
		if (game.helped || !game.recorded) return;
		const bests = recall('bests', {});
		const best = bests[shape(game.start)];
		if (!best || (best.excess !== undefined && best.excess <= excess)) return;
		best.excess = excess;
		this.fresh?.add('excess');
		remember('bests', bests);
	}

	show(game) {
		this.game = game;
		this.pending?.abort();
		this.pending = new AbortController();
		const { moves } = game;
		this.count = h('strong.big', number(moves.length));
		this.against = h('span.soft', ' moves');
		this.bestLine = h('div.row.apart.small.soft.bests');
		this.graph = s('svg.review', { role: 'img', 'aria-label': 'Moves from the goal after every move', viewBox: `0 0 300 ${HIGH}` });
		this.lost = h('div.lost.row');
		this.element.hidden = false;
		refill(
			this.element,
			h('div.row.apart.nowrap', h('h2', 'Solved'), iconButton('close', 'Close', () => (this.element.hidden = true), { class: 'icon quiet' })),
			h('p.score', this.count, this.against, game.began ? h('span.score-time', clockText(game.spent)) : null),
			game.helped ? h('p.soft.small', this.words(game)) : null,
			h('div.row', button('Try again', () => this.actions.again()), button('New board', () => this.actions.another(), { class: 'main' }), button('Share', () => this.app.share(), { class: 'quiet', 'aria-label': 'Copy a link to this game' })),
			h('figure.stack.tight', this.graph, this.lost),
			this.bestLine,
		);
		this.showBests();
		this.element.scrollIntoView?.({ block: 'nearest' });
		this.review(game, this.pending.signal).catch((error) => error.name !== 'AbortError' && this.lost.replaceChildren(h('span.small.soft', error.message)));
	}

	showBests() {
		const name = shape(this.game.start);
		const best = recall('bests', {})[name];
		if (!best) return this.bestLine.replaceChildren();
		const mark = (what) => (this.fresh?.has(what) ? ' (new)' : '');
		const excess = best.excess === undefined ? null : best.excess ? `${plural(best.excess, 'move')} over the shortest${mark('excess')}` : `a shortest solution${mark('excess')}`;
		const parts = [`Your best on ${name}: ${clockText(best.time)}${mark('time')}`, excess, plural(best.games, 'game')].filter(Boolean);
		const clear = button('Clear', () => {
			remember('bests', null);
			this.bestLine.replaceChildren(h('span', 'Personal bests are cleared.'));
			announce('Personal bests are cleared.');
		}, { class: 'quiet small', 'aria-label': 'Clear personal bests' });
		return this.bestLine.replaceChildren(h('span', parts.join(' · ')), clear);
	}

	/** How far the goal was after every move, and which moves lost something. */
	async review(game, signal) {
		const boards = [game.start];
		for (const move of game.moves) boards.push(replay(boards.at(-1), move));
		const stride = Math.max(1, Math.ceil(boards.length / MOST_REVIEWED));
		const places = boards.map((_, at) => at).filter((at) => at % stride === 0 || at === boards.length - 1);
		const found = new Array(boards.length).fill(null);
		const ask = async (at) => (found[at] = await this.actions.distance(boards[at], signal));
		this.judge(game, await ask(0));
		this.draw(game, found, stride);
		for (let i = 0; i < places.length; i += AT_ONCE) {
			await Promise.all(places.slice(i, i + AT_ONCE).map(ask));
			if (signal.aborted) return;
			if (i % 12 === 0 || i + AT_ONCE >= places.length) this.draw(game, found, stride);
		}
		this.listLosses(game, boards, found, stride);
	}

	/** The player's moves against the shortest, or what is known of it. */
	judge(game, start) {
		const { length } = game.moves;
		if (start.exact) {
			const excess = length - start.distance;
			this.against.textContent = excess ? ` moves; the shortest takes ${number(start.distance)}` : ' moves: a shortest solution!';
			this.recordExcess(game, excess);
		} else {
			const best = Math.min(length, start.upper_bound ?? length);
			this.against.textContent = ` moves; the best known takes ${number(best)}, at least ${number(start.lower_bound)} are needed`;
		}
		this.showBests();
	}

	draw(game, found, stride) {
		const { length } = game.moves;
		const value = (each) => (each.exact ? each.distance : each.lower_bound);
		const most = Math.max(1, length, ...found.filter(Boolean).map(value));
		const x = (at) => 24 + (at / Math.max(1, length)) * 268;
		const y = (far) => 8 + (1 - far / most) * (HIGH - 26);
		const known = found.map((each, at) => [at, each]).filter(([, each]) => each);
		const line = known.map(([at, each], i) => `${i ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value(each)).toFixed(1)}`).join('');
		const losses = this.losses(found, stride).map(([at]) => s('circle.loss', { cx: x(at), cy: y(value(found[at])), r: 3.4 }));
		const start = found[0] && value(found[0]);
		const ideal = found[0]?.exact ? s('path.ideal', { d: `M${x(0)} ${y(start)}L${x(Math.min(start, length))} ${y(Math.max(0, start - length))}` }) : null;
		refill(
			this.graph,
			s('path.axis', { d: `M24 8V${HIGH - 18}H292` }),
			s('text', { x: 20, y: 14, 'text-anchor': 'end' }, number(most)),
			s('text', { x: 20, y: HIGH - 16, 'text-anchor': 'end' }, '0'),
			s('text', { x: 292, y: HIGH - 4, 'text-anchor': 'end' }, `move ${number(length)}`),
			s('text', { x: 24, y: HIGH - 4 }, 'moves from the goal, after every move'),
			ideal,
			s('path.way', { d: line }),
			...losses,
		);
	}

	/** Moves after which the goal was no nearer: [after how many moves, what it cost]. */
	losses(found, stride) {
		if (stride > 1) return [];
		const losses = [];
		for (let at = 1; at < found.length; at += 1) {
			const [before, now] = [found[at - 1], found[at]];
			if (before?.exact && now?.exact && now.distance >= before.distance) losses.push([at, 1 + now.distance - before.distance]);
		}
		return losses;
	}

	listLosses(game, boards, found, stride) {
		const losses = this.losses(found, stride);
		if (!losses.length) {
			const all = found.every((each) => each?.exact);
			this.lost.replaceChildren(h('span.small.soft', all ? 'No move was wasted.' : 'Some distances are lower bounds only, so wasted moves cannot all be named.'));
			return;
		}
		const shown = losses.slice(0, 12).map(([at, cost]) => button(`${at}: ${moveInWords(boards[at - 1], game.moves[at - 1])}`, () => this.actions.look(at), { class: 'chip', title: `Cost ${cost}. Shows the board after this move.` }));
		const total = losses.reduce((sum, [, cost]) => sum + cost, 0);
		this.lost.replaceChildren(h('span.small.soft', `${plural(losses.length, 'move')} lost ${number(total)} in all${losses.length > shown.length ? ', the first of them' : ''}:`), ...shown, button('The end', () => this.actions.look(game.moves.length), { class: 'chip' }));
		this.graph.setAttribute('aria-label', `Moves from the goal after every move; ${plural(losses.length, 'move')} lost ${number(total)} in all`);
	}
}
