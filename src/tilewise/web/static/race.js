// Race: two to four searches on one board, on a common clock of expansions, with a verdict.

import { stream } from './api.js';
import { mini } from './board.js';
import { Chart, upTo } from './chart.js';
import { announce, button, field, figures, fold, h, icon, iconButton, message, number, plural, quietMotion, segments, setOptions } from './dom.js';
import { SearchForm, runner, unreachable } from './form.js';
import { decode } from './game.js';
import { Player } from './player.js';
import { FGH, algorithmName, counterMeaning, headline, rulesName, titleOf } from './words.js';

const FIRST = [{ algorithm: 'astar', heuristic: 'manhattan' }, { algorithm: 'greedy', heuristic: 'manhattan' }, { algorithm: 'bfs' }];
const MOST = 4;
const LEAST = 2;
const MARKS = [['algorithm', ' '], ['heuristic', ' with '], ['rules', ' under '], ['profile', ' of ']]; // in a link
const NAMES = ['A', 'B', 'C', 'D'];
const METRICS = [
	['generated', 'Nodes', 'Nodes generated'],
	['frontier', 'Frontier', 'Nodes that wait on the open list'],
	['stored', 'Memory', 'States that were stored'],
	['h', 'h', 'The estimate of the node just taken'],
	['g', 'Depth', 'Moves from the start to the node just taken; at the goal the length of the solution'],
];
const APART = 20; // times as many expansions: then logarithmic scales show both
const DURATIONS = [[20, 'slow'], [8, 'normal'], [3, 'fast']];

export default class Race {
	constructor(app, params) {
		this.app = app;
		const settings = (app.settings.race ??= { searches: FIRST, log: null });
		if (params.searches) {
			settings.searches = readSearches(params.searches, settings.searches);
			Object.assign(settings, { nodes: params.nodes, seconds: params.seconds });
		}
		this.settings = settings;
		this.wanted = params.at === undefined ? null : Number(params.at);
		this.runner = runner('Race', (signal, progress) => this.work(signal, progress));
		this.player = new Player({ noun: 'expansion', show: (at) => this.show(at), speeds: [[1, 'normal']], onrest: () => this.app.sync() });
		this.metric = 'generated';
		this.chart = new Chart('Nodes generated');
		this.element = h('div.race', this.setup(), this.track());
	}

	get keys() {
		return this.player.keys;
	}

	mounted() {
		const problem = this.forms.map((form) => form.problem).find(Boolean);
		if (!problem) return this.runner.run();
		this.choice.open = true;
		this.notice.replaceChildren(message(problem, 'bad'));
		return announce(problem);
	}

	key(event) {
		return this.player.key(event);
	}

	/** The server is back: what it did not answer is asked again. */
	back() {
		if (!this.answer) this.runner.run();
	}

	unmount() {
		this.runner.stop();
		this.player.pause();
	}

	setup() {
		this.list = h('div.racers');
		this.add = button([icon('plus'), 'Add a search'], () => this.change([...this.searches(), { algorithm: 'idastar' }]));
		this.drawForms();
		const { budgets } = this.app.schema;
		const limit = (name, label, least, most, usual) => field(label, h('input', { type: 'number', min: least, max: most, step: least, value: this.settings[name] ?? '', placeholder: usual, oninput: (event) => this.setLimit(name, event.target.value) }));
		const limits = [limit('nodes', 'Most nodes', 1, budgets.max_nodes, budgets.default_nodes_compared), limit('seconds', 'Most seconds', 0.1, budgets.seconds, budgets.default_seconds)];
		const open = Boolean(this.settings.nodes || this.settings.seconds);
		this.title = h('span', 'Searches');
		this.choice = fold([icon('tune'), this.title], { class: 'choice card' }, this.list, fold('Limits of each search', { open }, h('div.fields', ...limits)), h('div.row.apart', this.runner.element, this.add));
		return this.choice;
	}

	setLimit(name, value) {
		this.settings[name] = value;
		this.app.sync();
	}

	searches() {
		return this.forms.map((form) => form.value);
	}

	limits() {
		const { nodes, seconds } = this.settings;
		return { ...(nodes && { max_nodes: Number(nodes) }), ...(seconds && { seconds: Number(seconds) }) };
	}

	change(searches) {
		this.settings.searches = searches;
		this.drawForms();
		this.app.sync();
	}

	drawForms() {
		const { searches } = this.settings;
		const options = { traced: true, onchange: () => (this.settings.searches = this.forms.map((form) => form.link)), onprofile: (profile) => this.app.useGoalOf(profile) };
		this.forms = searches.map((search) => new SearchForm(this.app.schema, search, options));
		this.list.replaceChildren(
			...this.forms.map((form, index) => {
				const remove = iconButton('close', `Remove search ${NAMES[index]}`, () => this.change(this.searches().filter((_, other) => other !== index)), { class: 'icon quiet' });
				remove.hidden = searches.length <= LEAST;
				return h('div.racer-form', { role: 'group', 'aria-label': `Search ${NAMES[index]}` }, h('div.row.apart', h('h2', { class: `racer-name racer-${index}` }, NAMES[index]), remove), form.element);
			}),
		);
		this.add.hidden = searches.length >= MOST;
	}

	track() {
		this.cards = h('div.racer-cards');
		const log = h('input', { type: 'checkbox', onchange: () => this.setLog((this.settings.log = log.checked)) });
		this.log = log;
		this.notice = h('div.notice');
		this.outcome = h('p.verdict-line', { role: 'status' }, 'All searches start at once. One tick of the clock is one expansion for each.');
		const metrics = segments('What the chart shows', 'metric', METRICS, this.metric, (metric) => this.setMetric(metric));
		return h('div.stack.tight.track', this.notice, h('div.card.race-bar', this.player.element), this.outcome, this.cards, h('div.card.stack.tight', h('div.row.apart', metrics, h('label.check', log, h('span', 'Log', h('span.rest', 'arithmic')))), this.chart.element));
	}

	setMetric(metric) {
		this.metric = metric;
		const [, , title] = METRICS.find(([name]) => name === metric);
		this.chart.title = title;
		if (this.answer) this.drawChart();
	}

	drawChart() {
		const { searches } = this.answer;
		this.chart.use(searches.map((search, index) => ({ name: `${NAMES[index]} ${titleOf(search.result)}`, short: `${NAMES[index]} ${algorithmName(search.result.algorithm)}`, ...drawn(search.series, this.metric, this.last) })), this.last);
		this.chart.at(this.player.at);
	}

	setLog(on) {
		this.log.checked = on;
		this.chart.logarithmic = on;
		this.chart.draw();
	}

	async work(signal, progress) {
		await this.app.settling;
		this.notice.replaceChildren();
		this.player.pause();
		let answer;
		try {
			answer = await stream('/api/compare', { ...this.app.problem(), searches: this.searches(), ...this.limits(), points: this.app.schema.budgets.points }, progress, signal);
		} catch (error) {
			if (error.name !== 'AbortError') this.notice.replaceChildren(message(error.message, 'bad'));
			return;
		}
		if (answer.searches.every((search) => search.result.status === 'unsolvable')) {
			this.notice.replaceChildren(unreachable(this.app, 'This goal cannot be reached, so there is no race.'));
			return;
		}
		this.begin(answer);
	}

	begin(answer) {
		this.answer = answer;
		this.settings.searches = this.forms.map((form) => form.link);
		const focused = this.choice.contains(document.activeElement);
		if (focused) this.choice.open = false;
		const { rows, columns } = answer.board;
		this.shape = [rows, columns];
		this.runners = answer.searches.map((search, index) => this.card(search, index));
		this.cards.replaceChildren(...this.runners.map((each) => each.element));
		const totals = answer.searches.map((search) => search.result.stats.expanded);
		const last = (this.last = Math.max(...totals));
		this.title.textContent = answer.searches.map((search) => titleOf(search.result)).join(' · ');
		this.setLog(this.settings.log ?? last > APART * Math.max(1, Math.min(...totals)));
		setOptions(this.player.speed, DURATIONS.map(([seconds, label]) => [Math.max(1, last / seconds), label]), Math.max(1, last / 8));
		this.player.rate = Math.max(1, last / 8);
		this.player.reset(last, this.wanted ?? 0);
		this.drawChart();
		if (focused) this.player.toggle.focus({ preventScroll: true });
		if (this.wanted === null && !quietMotion()) this.player.play();
		this.wanted = null;
		announce(`The race is on: ${answer.searches.length} searches.`);
	}

	card(search, index) {
		const face = h('div.face');
		const state = h('p.small.state', { title: FGH });
		const done = h('div.track-bar', h('div', { class: `racer-${index}` }));
		const counts = ['expanded', 'generated', 'frontier'].map((name) => [name, h('dd'), counterMeaning(name)]);
		const element = h(
			'section.card.stack.tight.racer-card',
			{ 'aria-label': `Search ${NAMES[index]}` },
			h('div.row.apart.nowrap', h('div', h('h2', { class: `racer-name racer-${index}` }, NAMES[index]), h('p.small', titleOf(search.result), search.result.rules === 'default' ? '' : `, ${rulesName(search.result.rules)}`)), face),
			done,
			figures(counts, 'small'),
			state,
		);
		return { search, element, face, state, bar: done.firstChild, counts };
	}

	show(at) {
		if (!this.runners) return;
		for (const runner of this.runners) this.showRacer(runner, at);
		this.chart.at(at);
		const over = at === this.player.last;
		this.outcome.textContent = over ? this.verdict() : `After ${plural(at, 'expansion')} of each.`;
		if (this.player.playing && !over) return;
		if (over) announce(this.outcome.textContent);
		this.app.sync();
	}

	/** The counters of a search after its first `at` expansions: they are the search's own, at every tick. */
	showRacer({ search, element, face, state, bar, counts }, at) {
		const { series, result } = search;
		const over = at >= result.stats.expanded;
		const sample = upTo(series.expanded, at) - 1;
		for (const [name, value] of counts) {
			const known = over && name !== 'frontier' ? result.stats[name] : sample < 0 ? 0 : series[name]?.[sample];
			value.textContent = known === undefined ? '–' : number(known);
		}
		bar.style.transform = `scaleX(${over ? 1 : Math.min(1, at / Math.max(1, result.stats.expanded))})`;
		element.classList.toggle('over', over);
		element.classList.toggle('won', over && result.status === 'solved');
		state.textContent = over ? headline(result) : sample < 0 ? 'at the start' : `expanding g = ${series.g[sample]}, h = ${series.h[sample]}`;
		const place = upTo(series.board_at, Math.max(0, sample)) - 1;
		const code = over && result.status === 'solved' ? null : series.board[place];
		face.replaceChildren(mini(code ? decode(code, ...this.shape) : over ? this.answer.goal : this.answer.board, 56));
	}

	/** Who won, in words. */
	verdict() {
		const searches = this.answer.searches.map(({ result }) => algorithmName(result.algorithm));
		const alone = (name) => searches.filter((each) => each === name).length === 1; // else its heuristic tells it apart
		const named = this.answer.searches.map(({ result }, index) => ({ ...result, title: `${NAMES[index]} (${alone(searches[index]) ? searches[index] : titleOf(result)})` }));
		const solved = named.filter((each) => each.moves !== null).sort((a, b) => a.stats.expanded - b.stats.expanded);
		const failed = named.filter((each) => each.moves === null);
		if (!solved.length) return 'No search has found a solution within its limits.';
		const [first] = solved;
		const shortest = solved.reduce((best, each) => (each.cost < best.cost ? each : best));
		const words = [`${first.title} is first, after ${plural(first.stats.expanded, 'expansion')}, with ${plural(first.cost, 'move')}${first.optimal ? ', the shortest there is' : ''}.`];
		if (shortest.cost < first.cost) words.push(`But ${shortest.title} finds ${plural(shortest.cost, 'move')}${shortest.optimal ? ', the shortest there is,' : ''} after ${number(shortest.stats.expanded)}.`);
		const other = solved.find((each) => each !== first && each !== shortest && each.cost === shortest.cost) ?? solved.find((each) => each !== first && each !== shortest);
		if (other) words.push(`${other.title} needs ${number(Math.round((other.stats.expanded / Math.max(1, first.stats.expanded)) * 10) / 10)} times as many expansions as the first.`);
		if (failed.length) words.push(`${failed.map((each) => each.title).join(' and ')} ${failed.length > 1 ? 'have' : 'has'} found none.`);
		return words.join(' ');
	}

	link() {
		const written = (search) => MARKS.map(([field, word]) => (search[field] ? `${word}${search[field]}` : '')).join('').trim();
		const { nodes, seconds } = this.settings;
		return { searches: this.searches().map(written).join(' vs '), nodes, seconds, at: this.answer ? this.player.at : (this.wanted ?? undefined) };
	}
}

/** A line of some hundred points, evenly on both scales, its last one among them. */
function drawn({ expanded: x, ...series }, metric, last) {
	const y = series[metric];
	if (!y) return { x: [], y: [] }; // not told by the events of a search with an order of its own
	const cell = (value) => `${Math.floor((300 * value) / last)} ${Math.floor((300 * Math.log1p(value)) / Math.log1p(last))}`;
	const kept = x.map(cell).map((each, place, cells) => each !== cells[place - 1] || place === x.length - 1);
	return { x: x.filter((_, place) => kept[place]), y: y.filter((_, place) => kept[place]) };
}

/** 'astar with manhattan vs bfs under fifo vs with misplaced of cs170' as searches. */
function readSearches(text, otherwise) {
	const searches = text.split(' vs ').map((part) => {
		const search = {};
		let rest = ` ${part.trim()}`;
		for (const [field, word] of MARKS.toReversed()) {
			const at = field === 'algorithm' ? 0 : rest.lastIndexOf(word);
			if (at < 0 || rest.length <= word.length) continue;
			search[field] = rest.slice(at + word.length).trim();
			rest = rest.slice(0, at);
		}
		return search;
	});
	return searches.length >= LEAST && searches.length <= MOST ? searches : otherwise;
}
