// Words for people: what the schema and the results name by identifiers, as a person would say it.

import { capitalised, labelOf, number, plural } from './dom.js';

/** 'wastar(weight=2)' as a name and its options. */
export function readSpec(text) {
	const found = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/s.exec(text ?? '');
	if (!found) return { name: '', options: {} };
	const options = {};
	for (const part of (found[2] ?? '').split(',')) {
		const [name, value] = part.split('=').map((piece) => piece.trim());
		if (name && value) options[name] = value;
	}
	return { name: found[1], options };
}

let schema = { algorithms: [], heuristics: [], goals: [], counters: [] };

/** The schema that names are looked up in. */
export function learnWords(given) {
	schema = given;
}

/** 'wastar(weight=2)' is 'Weighted A*, weight 2'. */
export function algorithmName(spec) {
	const { name, options } = readSpec(spec);
	const entry = schema.algorithms.find((each) => each.name === name);
	if (!entry) return spec ?? '';
	const usual = Object.fromEntries(entry.options.map((option) => [option.name, option.default]));
	const set = Object.entries(options).filter(([key, value]) => usual[key] !== value || ['weight', 'width'].includes(key));
	return [entry.title, ...set.map(([key, value]) => `${labelOf(key)} ${value}`)].join(', ');
}

/** 'max(manhattan, pdb(4-4))' is 'max(Manhattan distance, pattern databases 4-4)'. */
export function heuristicName(spec) {
	const titled = (name) => schema.heuristics.find((each) => !each.combines && (each.name === name || each.aliases.includes(name)))?.title;
	return (spec ?? '').replace(/([a-z_]\w*)(?:\(([\d-]+)\))?/gi, (whole, name, tiles) => (titled(name) ? [titled(name), tiles].filter(Boolean).join(' ') : whole));
}

/** 'A* with Manhattan distance'. */
export function searchTitle({ algorithm, heuristic, rules, profile }) {
	const named = algorithm ? algorithmName(algorithm) : profile ? '' : 'Best for this board';
	if (/-/.test(named) && named === algorithm) return named; // a course's own search has its own name
	const parts = [named, heuristic ? `with ${heuristicName(heuristic)}` : '', rules && rules !== 'default' ? `(${rulesName(rules)})` : '', profile ? `of ${profile}` : ''];
	return capitalised(parts.filter(Boolean).join(' '));
}

/** The same for a result, without its rules. */
export const titleOf = (result) => searchTitle({ ...result, rules: 'default' });

/** 'order=LRUD,ties=oldest' is 'order of successors LRUD, ties go to the oldest'. */
export function rulesName(rules) {
	if (rules === 'default') return 'the usual rules';
	if (rules === 'fifo') return 'ties to the oldest';
	if (!rules.includes('=')) return `rules ${rules}`;
	return rules.split(',').map((part) => part.split('=')).map(([knob, choice]) => `${schema.rules.titles[knob]?.toLowerCase() ?? knob} ${schema.rules.words[knob]?.[choice] ?? choice}`).join(', ');
}

const ENDINGS = {
	unsolvable: 'This goal cannot be reached from this board.',
	stuck: 'The search got stuck: nothing was left to expand.',
	cancelled: 'Stopped.',
};

/** What a search came to, in a sentence. */
export function headline(result) {
	const { status, moves, cost, bound, optimal, stats } = result;
	if (moves !== null && optimal) return cost ? `${plural(cost, 'move')}, the shortest there is` : 'This is the goal already';
	if (moves !== null) return bound ? `${plural(cost, 'move')}; at least ${number(bound)} are needed` : `${plural(cost, 'move')}`;
	if (ENDINGS[status]) return ENDINGS[status];
	const limits = { nodes: `${number(stats.generated)} nodes`, seconds: `${Number(stats.seconds.toFixed(1))} seconds`, memory: 'memory' };
	const limit = limits[result.stopped_by];
	return `Stopped at its limit${limit ? ` of ${limit}` : ''}.${bound ? ` At least ${plural(bound, 'move')} are needed.` : ''}`;
}

/** The gap between the best solution and what is proved. */
export function gapWords(cost, bound) {
	if (cost === null || cost === undefined) return `At least ${plural(bound, 'move')} are needed.`;
	if (!bound) return `${plural(cost, 'move')} found; what is needed is not proved yet.`;
	if (cost === bound) return `${plural(cost, 'move')}: proved to be the shortest.`;
	return `${plural(cost, 'move')} found, at least ${number(bound)} are needed: a gap of ${number(cost - bound)}.`;
}

const COUNTER_NAMES = { max_frontier: 'largest frontier', max_depth: 'greatest depth', peak_stored: 'most states held', iterations: 'passes', reopened: 're-opened', peak_memory: 'memory', expanded_below_cost: 'expanded below the cost', effective_branching_factor: 'branching factor' };

/** The label of a counter. */
export const counterName = (name) => COUNTER_NAMES[name] ?? labelOf(name);

export const counterMeaning = (name) => (schema.counters.find((each) => each.name === name)?.meaning ?? '').replace(/[a-z]+_[a-z_]+/g, counterName);

/** A message of the library as a sentence for the page. */
export function forPeople(message) {
	const text = message
		.replace(/^expected a depth of at most (\d+) for (\w+)[\s\S]*$/, (_, most, shape) => `No ${shape} board is that far from its goal: ${most} moves are the most`)
		.replace(/^expected ([\s\S]*?)[,;] got ([\s\S]*)$/, (_, wanted, got) => `Expected ${wanted}, but got ${got}`);
	return /[.!?…]$/.test(text) ? capitalised(text) : `${capitalised(text)}.`;
}

/** What the symbols at nodes mean. */
export const FGH = 'f = g + h: the length of the best path through this node, as far as it is known. g: moves from the start to it. h: the estimate of the moves from it to the goal.';
