// Learn: short lessons with a live search, each ending in questions that the real search answers; and practice.

import { request } from './api.js';
import { goalFigure } from './board.js';
import { announce, button, h, icon, message, refill } from './dom.js';
import { EstimateBoard } from './estimate.js';
import { LESSONS } from './lessons.js';
import { Player } from './player.js';
import { Practice } from './practice.js';
import { makeQuestion, questionBox, traceOf } from './questions.js';
import { recall, remember } from './store.js';
import { Tree } from './tree.js';
import { searchTitle } from './words.js';

const PRACTICE = 'practice';
const GOAL = 'last'; // of the lessons

export default class Learn {
	constructor(app, params) {
		this.app = app;
		this.done = recall('lessons', {});
		const known = LESSONS.some((lesson) => lesson.id === params.lesson);
		// links from before the lessons name a search
		this.at = known ? params.lesson : params.algorithm || params.profile || params.at !== undefined ? PRACTICE : (LESSONS.find((lesson) => !this.done[lesson.id]) ?? LESSONS[0]).id;
		this.params = params;
		this.list = h('ol.lessons');
		this.room = h('div.lesson.stack');
		this.element = h('div.learn', h('nav.lesson-list', { 'aria-label': 'Lessons' }, this.list), this.room);
	}

	get keys() {
		return this.player?.keys;
	}

	mounted() {
		this.show(this.at, this.params);
	}

	unmount() {
		this.pending?.abort();
		this.practice?.unmount();
		this.player?.pause();
	}

	key(event) {
		return this.player && this.at !== PRACTICE ? this.player.key(event) : false;
	}

	drawList() {
		const entry = (id, title, number) => {
			const mark = this.done[id] ? icon('check') : h('span.lesson-number', number);
			const words = [mark, h('span', title), this.done[id] ? h('span.unseen', ', done') : null];
			return h('li', button(words, () => this.show(id), { class: 'quiet', 'aria-current': id === this.at ? 'true' : null }));
		};
		const focused = this.list.contains(document.activeElement);
		this.list.replaceChildren(...LESSONS.map((lesson, index) => entry(lesson.id, lesson.title, `${index + 1}`)), entry(PRACTICE, 'Practise on your board', '+'));
		const current = this.list.querySelector('[aria-current]');
		this.list.parentElement.scrollLeft = current.offsetLeft - 40; // on a phone the list is a row
		if (focused) current.focus({ preventScroll: true });
	}

	async show(id, params = {}) {
		this.unmount();
		this.player = this.practice = null;
		this.at = id;
		this.drawList();
		if (id === PRACTICE) {
			this.practice = new Practice(this.app, params);
			this.room.replaceChildren(this.practice.element);
			this.practice.mounted();
			return this.app.sync();
		}
		this.pending = new AbortController();
		this.app.sync();
		return this.attempt(this.room, () => this.teach(LESSONS.find((lesson) => lesson.id === id), this.pending.signal));
	}

	/** Do something that asks the server; where it fails, say so in `place`, and offer to try again. */
	async attempt(place, work) {
		this.again = null;
		try {
			await work();
		} catch (error) {
			if (error.name === 'AbortError') return;
			this.again = () => this.attempt(place, work);
			place.replaceChildren(message(error.message, 'bad'), h('div', button('Try again', this.again)));
		}
	}

	/** The server is back: what it did not answer is asked again. */
	back() {
		if (this.practice) this.practice.back();
		else this.again?.();
	}

	async teach(lesson, signal) {
		const title = h('h2.lesson-title', { tabindex: -1 }, lesson.title);
		const focused = this.room.contains(document.activeElement);
		this.room.replaceChildren(title, ...lesson.words.map((text) => h('p', text)));
		if (focused) title.focus();
		const { board, goal } = await request('/api/board', { board: lesson.board, goal: GOAL }, signal);
		const problem = { board: board.text, goal: GOAL };
		const replay = await traceOf(problem, lesson.search, signal);
		this.replay = replay;
		this.tree = new Tree({ onchoose: () => {} });
		this.estimate = new EstimateBoard();
		this.player = new Player({ noun: 'expansion', show: (at) => this.step(at), speeds: [[1, 'slow'], [3, 'normal'], [10, 'fast']], speed: 3 });
		this.reason = h('p.lesson-reason');
		const live = h('figure.card.live', h('figcaption.small.soft', searchTitle(lesson.search)), this.player.element, h('div.live-room', this.tree.element, h('div.live-side', this.estimate.element, goalFigure(goal, 60))), this.reason);
		this.questions = h('div.stack');
		this.room.append(live, this.questions);
		this.tree.use(replay);
		this.tree.resized();
		this.player.reset(replay.last, 0);
		this.asked = 0;
		await this.ask({ lesson, problem, goal, signal });
	}

	step(at) {
		const { replay } = this;
		replay.go(at);
		this.tree.show();
		const event = replay.current;
		const { result } = replay.trace;
		this.estimate.show(replay.board(event < 0 ? 0 : replay.node[event]), result.goal, result.heuristic, replay.h[Math.max(0, event)], false);
		this.reason.textContent = event < 0 ? 'The start is on the open list. Step forward.' : `Expanded #${replay.node[event]}: ${replay.reason() ?? 'next along the path'}.`;
	}

	async ask(asked) {
		const { lesson, problem, goal, signal } = asked;
		const index = this.asked % lesson.questions.length;
		// a replay of its own: the one above can be stepped through while the question stands
		const replay = await traceOf(problem, lesson.search, signal);
		const question = await makeQuestion(lesson.questions[index], replay, { app: this.app, problem, goal, search: lesson.search, heuristic: lesson.heuristics?.[index], signal });
		if (question.at !== undefined) this.player.jump(question.at);
		const more = h('div.row');
		const box = questionBox(question, (good) => {
			this.asked += 1;
			const all = this.asked >= lesson.questions.length && good;
			if (all) this.finish(lesson);
			const next = LESSONS[LESSONS.indexOf(lesson) + 1];
			refill(more, button(all ? 'Another question' : 'Next question', () => this.attempt(this.questions, () => this.ask(asked))), all ? button(next ? `Next lesson: ${next.title}` : 'Practise on your board', () => this.show(next?.id ?? PRACTICE), { class: 'main' }) : null);
			box.append(more);
			box.querySelector('.verdict-box').scrollIntoView({ block: 'nearest' });
		});
		const focused = this.questions.contains(document.activeElement);
		this.questions.replaceChildren(box);
		if (focused) box.querySelector('button, input').focus({ preventScroll: true });
	}

	finish(lesson) {
		this.done[lesson.id] = true;
		remember('lessons', this.done);
		this.drawList();
		announce(`The lesson ${lesson.title} is done.`);
	}

	link() {
		return this.at === PRACTICE ? (this.practice?.link() ?? {}) : { lesson: this.at };
	}
}
