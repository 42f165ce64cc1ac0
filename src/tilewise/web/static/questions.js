// Questions that the real searches answer: made from traces, judged by them, explained by them.

import { request, stream } from './api.js';
import { goalFigure, mini } from './board.js';
import { announce, button, capitalised, h, plural, sentence } from './dom.js';
import { legal, moveInWords, slide, token } from './game.js';
import { OPEN, Replay } from './replay.js';
import { FGH, algorithmName, heuristicName } from './words.js';

const CHOICES = 5;
const MAX_NODES = 1_500;

const shuffled = (list) => list.map((each) => [Math.random(), each]).sort((a, b) => a[0] - b[0]).map(([, each]) => each);

/** The node taken, at most one that is as good, and others, in no order that gives anything away. */
function choicesFor(taken, open, tied) {
	const asGood = tied.filter((node) => node !== taken);
	const others = open.filter((node) => !tied.includes(node));
	return shuffled([taken, ...shuffled(asGood).slice(0, 1), ...shuffled(others).slice(0, CHOICES - 2)]);
}

export async function traceOf(problem, search, signal) {
	return new Replay(await stream('/api/trace', { ...problem, ...search, max_nodes: MAX_NODES, events: 4 * MAX_NODES, reasons: true }, null, signal));
}

/** A question: its words, what to choose from or a number to write, the right ones, and why. */
const MAKERS = {
	/** Which node next? At a step at which at most two are right. */
	next(replay, { step = null, strict = false } = {}) {
		const steps = shuffled(Array.from({ length: Math.max(1, Math.min(replay.last - 2, 40)) }, (_, i) => i + 2));
		const listed = (step) => {
			replay.go(step);
			const open = replay.open.slice(0, replay.open.size).filter((node) => replay.status[node] === OPEN);
			const taken = replay.node[replay.taken[step]];
			const tied = open.filter((node) => replay.facts(node).priority === replay.facts(taken).priority);
			return { step, open, taken, tied };
		};
		const wanted = step === null ? null : listed(Math.max(1, Math.min(step, replay.last - 1)));
		const found = wanted ?? steps.map(listed).find(({ open, tied }) => open.length > 3 && tied.length <= 2) ?? listed(1);
		replay.go(found.step);
		const choices = choicesFor(found.taken, found.open, found.tied);
		const right = strict ? [found.taken] : choices.filter((node) => found.tied.includes(node));
		return {
			at: found.step,
			words: `${plural(found.step, 'node')} expanded. Which one does ${algorithmName(replay.trace.result.algorithm)} expand next?`,
			choices: choices.map((node) => nodeChoice(replay, node)),
			right,
			why: `${right.length > 1 ? `Two are as good; these rules take #${found.taken}. ` : `It is #${found.taken}. `}${sentence(replay.reason(found.step + 1) ?? 'it is the next one on the open list')}`,
		};
	},

	/** Which successors are duplicates? All of them, and only they. */
	duplicate(replay) {
		const steps = Array.from({ length: replay.last - 1 }, (_, i) => i + 1);
		const made = (step) => {
			const [from, to] = replay.stepEvents(step);
			return Array.from({ length: to - from }, (_, i) => from + i).filter((event) => ['generate', 'duplicate', 'reopen'].includes(replay.kind[event]));
		};
		const step = shuffled(steps.filter((each) => made(each).some((event) => replay.kind[event] === 'duplicate') && made(each).length > 2))[0] ?? 1;
		replay.go(step - 1);
		const node = replay.node[replay.taken[step - 1]];
		const board = replay.board(node);
		return {
			at: step - 1,
			many: true,
			words: `Node #${node} is expanded now. Which of its successors are states that the search knows already?`,
			board,
			choices: made(step).map((event) => ({ value: event, label: moveInWords(board, replay.move[event]), face: mini(slide(board, replay.move[event]), 72) })),
			right: made(step).filter((event) => replay.kind[event] === 'duplicate'),
			why: made(step).map((event) => `${moveInWords(board, replay.move[event])}: ${replay.kind[event] === 'duplicate' ? `known as #${replay.node[event]}` : 'new'}`).join(', ') + '.',
		};
	},

	/** What changes when ties go to the oldest: the first node that differs. */
	async ties(replay, { problem, search, signal }) {
		const other = await traceOf(problem, { ...search, rules: 'fifo' }, signal);
		let step = 0;
		while (step < Math.min(replay.last, other.last) - 1 && replay.node[replay.taken[step]] === other.node[other.taken[step]]) step += 1;
		other.go(step);
		replay.go(step);
		const taken = other.node[other.taken[step]];
		const usual = replay.node[replay.taken[step]];
		const open = other.open.slice(0, other.open.size);
		const tied = open.filter((node) => other.facts(node).priority === other.facts(taken).priority);
		return {
			at: step,
			words: `The usual rules take #${usual} now: the newest of those with the smallest f and h. Which one is taken if ties go to the oldest?`,
			choices: shuffled([taken, ...shuffled(tied.filter((node) => node !== taken)).slice(0, CHOICES - 1)]).map((node) => nodeChoice(other, node)),
			right: [taken],
			why: `${sentence(other.reason(step + 1) ?? 'the oldest of those with the smallest f')} The order of ties changes which nodes are expanded, never the length of the solution of A*.`,
		};
	},

	/** Compute h of a board. */
	async h(replay, { goal, problem, heuristic, signal }) {
		const { boards } = await request('/api/scramble', { shape: '3x3', goal: problem.goal, level: 'medium' }, signal);
		const { value, shares } = await request('/api/estimate', { board: token(boards[0]), goal: problem.goal, heuristic }, signal);
		const terms = (shares ?? []).map((share) => `${share.tiles.join(', ')} ${share.tiles.length > 1 ? 'add' : 'adds'} ${share.value}`).join('; ');
		return { words: `What is h of this board by ${heuristicName(heuristic)}?`, board: boards[0], goal, number: value, why: `h = ${value}. ${terms ? `Tile ${terms}.` : ''}` };
	},

	/** The bound of the next pass of a search that deepens. */
	bound(replay) {
		const bounds = replay.kind.map((kind, event) => (kind === 'bound' ? replay.priority[event] : null)).filter((bound) => bound !== null);
		const pass = Math.max(0, Math.min(bounds.length - 2, 1));
		const next = bounds[pass + 1] ?? bounds[pass];
		const start = replay.kind.indexOf('bound');
		const beyond = [];
		for (let event = start, seen = -1; event < replay.length; event += 1) {
			if (replay.kind[event] === 'bound') seen += 1;
			if (seen === pass && replay.kind[event] === 'generate' && replay.priority[event] > bounds[pass]) beyond.push(replay.priority[event]);
		}
		const shown = shuffled([...new Set(beyond)]).join(', ');
		return { words: `This pass has the bound ${bounds[pass]}. The nodes it cut off have these values of f: ${shown}. What is the bound of the next pass?`, number: next, why: `It is the smallest f that was beyond the bound: ${next}. A larger one could miss the shortest solution, a smaller one would repeat the same pass.` };
	},

	/** States after two moves. */
	states(replay) {
		const board = replay.board(replay.node[replay.taken[Math.floor(Math.random() * Math.min(6, replay.last))]]);
		const after = new Set();
		for (const move of legal(board)) {
			const next = slide(board, move);
			for (const other of legal(next)) after.add(token(slide(next, other)));
		}
		after.delete(token(board));
		return { words: 'How many different boards can follow after exactly two moves from here, the board itself not counted?', board, number: after.size, why: `There are ${legal(board).length} moves, and after each of them all but the one straight back lead to new boards: ${after.size} in all.` };
	},

	/** Which of these never say too much? */
	admissible(replay, { app }) {
		const { heuristics } = app.schema;
		const plain = heuristics.filter((each) => !each.combines);
		const sound = shuffled(plain.filter((each) => each.admissible)).slice(0, 3);
		const combined = heuristics.filter((each) => each.combines && !each.admissible).map((each) => ({ name: `${each.name}(misplaced, manhattan)`, title: `${each.name} of misplaced tiles and Manhattan distance`, admissible: false }));
		const unsound = shuffled([...plain.filter((each) => !each.admissible), ...combined]).slice(0, 2);
		const offered = shuffled([...sound, ...unsound]);
		return {
			many: true,
			words: 'Which of these are admissible: never larger than the true number of moves?',
			choices: offered.map((each) => ({ value: each.name, label: capitalised(each.title) })),
			right: offered.filter((each) => each.admissible).map((each) => each.name),
			why: `${unsound.map((each) => capitalised(each.title)).join(' and ')} can be larger than the true distance; the others never are.`,
		};
	},
};

function nodeChoice(replay, node) {
	const facts = replay.facts(node);
	return { value: node, label: `#${node}  g ${facts.g}  h ${facts.h}`, face: mini(replay.board(node), 72), spoken: `Node ${node}, g ${facts.g}, h ${facts.h}` };
}

export const makeQuestion = (kind, replay, context) => MAKERS[kind](replay, context);

/** The element of a question; `onjudged(good)` is called once. */
export function questionBox(question, onjudged) {
	const verdict = h('div.verdict-box', { role: 'status' });
	const chosen = new Set();
	let judged = false;
	const judge = (good, mine) => {
		if (judged) return;
		judged = true;
		const words = good ? 'Right.' : question.number !== undefined ? `Not ${mine}.` : question.many ? 'Not quite.' : 'Not this one.';
		verdict.replaceChildren(h('p', { class: `message ${good ? 'good' : 'bad'}` }, h('strong', words), ` ${question.why}`));
		announce(`${words} ${question.why}`);
		onjudged(good);
	};
	const parts = [h('h3.question-words', question.words), question.board ? h('div.row', mini(question.board, 132, `Board ${question.board.tiles.join(' ')}`), question.goal ? goalFigure(question.goal, 72) : null) : null];
	if (question.number !== undefined) {
		const input = h('input', { type: 'number', 'aria-label': 'Your answer', onkeydown: (event) => event.key === 'Enter' && answer() });
		const answer = () => input.value !== '' && judge(Number(input.value) === question.number, input.value);
		parts.push(h('div.row.nowrap.answer', input, button('Check', answer, { class: 'main' })));
	} else {
		const cards = question.choices.map((choice) => {
			const press = () => {
				if (judged) return;
				if (!question.many) return show([choice.value]);
				if (!chosen.delete(choice.value)) chosen.add(choice.value);
				card.setAttribute('aria-pressed', chosen.has(choice.value));
			};
			const card = button([choice.face, h('span.numbers', { title: choice.spoken && FGH }, choice.label)], press, { class: 'choice-card', 'aria-label': choice.spoken ?? choice.label, 'aria-pressed': question.many ? 'false' : null });
			return [choice, card];
		});
		const show = (mine) => {
			const good = question.many ? mine.length === question.right.length && mine.every((each) => question.right.includes(each)) : question.right.includes(mine[0]);
			for (const [choice, card] of cards) {
				card.classList.toggle('right', question.right.includes(choice.value));
				card.classList.toggle('wrong', mine.includes(choice.value) && !question.right.includes(choice.value));
				card.classList.toggle('mine', mine.includes(choice.value));
			}
			judge(good);
		};
		parts.push(h('div.choices', ...cards.map(([, card]) => card)));
		if (question.many) parts.push(h('div', button('Check', () => show([...chosen]), { class: 'main' })));
	}
	return h('section.card.stack.tight.question', { 'aria-label': 'Question' }, ...parts, verdict);
}
