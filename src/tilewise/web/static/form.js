// The choice of a search: algorithm with its options, heuristic, rules or profile, limits.

import { progressText } from './api.js';
import { button, capitalised, field, fold, h, labelOf, select, setOptions } from './dom.js';
import { heuristicName, readSpec, rulesName } from './words.js';

const OWN = 'own';
const COURSE = 'course:'; // before the name of a profile whose own search runs

export class SearchForm {
	/** Options: automatic (offer 'best for the board'), traced (only algorithms with events), limits, onchange, onprofile(profile). */
	constructor(schema, values = {}, options = {}) {
		this.schema = schema;
		this.options = options;
		this.values = { ...values };
		this.element = h('div.stack.tight');
		this.build();
	}

	build() {
		const { schema, options, values } = this;
		const algorithms = schema.algorithms.filter((entry) => entry.has_events || !options.traced);
		const spec = readSpec(values.algorithm);
		const found = algorithms.find((entry) => entry.name === spec.name);
		const known = found ? spec.name : options.automatic ? '' : 'astar';
		this.problem = this.unknown(values, spec, found);
		this.given = spec.options;
		this.algorithm = select([...(options.automatic ? [['', 'Best for this board']] : []), ...algorithms.map((entry) => [entry.name, entry.title])], known, () => this.changedAlgorithm());
		this.about = h('p.hint');
		this.specOptions = h('div.fields');
		const names = schema.heuristics.filter((entry) => !entry.combines).map((entry) => entry.name);
		const chosen = values.heuristic && !names.includes(values.heuristic) ? OWN : (values.heuristic ?? '');
		this.heuristic = select([], '', () => this.changedHeuristic());
		this.names = names;
		this.ownHeuristic = h('input', { type: 'text', value: chosen === OWN ? values.heuristic : 'max(manhattan, gaschnig)', spellcheck: 'false', oninput: () => this.changed() });
		this.ownHeuristicField = field('Combination', this.ownHeuristic, this.combinations());
		this.heuristicField = field('Heuristic', this.heuristic);
		this.algorithmFields = h('div.fields', field('Algorithm', this.algorithm), this.heuristicField);
		this.courseFields = h('div.fields', { hidden: true });
		this.element.append(this.algorithmFields, this.courseFields, this.ownHeuristicField, this.specOptions, this.about);
		const open = Boolean(values.rules || values.profile || values.nodes || values.seconds);
		this.element.append(fold(options.limits ? 'Rules, profile, limits' : 'Rules or profile', { open }, ...this.rulesFields(), options.limits ? this.limitFields() : null));
		this.offerHeuristics(chosen);
		this.showCourse();
	}

	/** What a link names that is not here, in words; null if all is well. */
	unknown(values, spec, found) {
		const { schema } = this;
		const course = schema.profiles.some((each) => each.name === values.profile);
		if (values.profile && !course) return `The link names the course “${values.profile}”, which is not here. Choose a search.`;
		if (values.algorithm && !found && !course) {
			const here = schema.algorithms.find((entry) => entry.name === spec.name);
			return here ? `${here.title} reports no single steps, so it cannot be shown here. Choose another algorithm.` : `The link names the algorithm “${values.algorithm}”, which is not here. Choose one.`;
		}
		if (values.rules && !values.rules.includes('=') && !schema.rules.named.some((each) => each.name === values.rules)) return `The link names the rules “${values.rules}”, which are not here. Choose some.`;
		return null;
	}

	/** The profile whose own search is chosen. */
	get course() {
		return this.schema.profiles.find((each) => COURSE + each.name === this.rules.value);
	}

	/** A course has its own searches instead of algorithms and heuristics. */
	showCourse() {
		const { course, values } = this;
		this.algorithmFields.hidden = Boolean(course);
		this.courseFields.hidden = !course;
		this.showAlgorithm();
		if (!course) return;
		this.ownHeuristicField.hidden = this.specOptions.hidden = true;
		this.about.textContent = '';
		const { name, options } = readSpec(values.algorithm);
		// a link or a trace may leave the algorithm or the heuristic open, or name the latter as results do
		const named = (search) => values.profile === course.name && (!values.algorithm || [name, values.algorithm].includes(search.algorithm) || search.name === values.algorithm);
		const estimates = (search) => [search.heuristic ?? '', search.estimate].includes(values.heuristic ?? '');
		const index = (...tests) => course.searches.findIndex((search) => tests.every((test) => test(search)));
		const usual = Math.max(0, index((search) => search.usual));
		const found = [index(named, estimates), values.algorithm ? index(named) : -1].find((place) => place >= 0) ?? -1;
		this.width = h('input', { type: 'number', min: 1, value: options.width ?? course.searches.find((search) => search.width !== null)?.width, oninput: () => this.changed() });
		const width = field('Width', this.width);
		const show = () => (width.hidden = course.searches[this.method.value].width === null);
		this.method = select(course.searches.map((search, index) => [index, search.called]), found < 0 ? usual : found, () => {
			show();
			this.changed();
		});
		this.courseFields.replaceChildren(field('Search of the course', this.method), width);
		show();
	}

	/** Which combinations of admissible heuristics are admissible. */
	combinations() {
		const said = this.schema.heuristics.filter((each) => each.combines).map((each) => `${each.name}(…) ${each.admissible ? 'stays admissible' : 'does not'}`);
		return `${said.join(', ')}.`;
	}

	get entry() {
		return this.schema.algorithms.find((entry) => entry.name === this.algorithm.value);
	}

	offerHeuristics(value) {
		const usual = this.entry?.default_heuristic;
		const titled = this.names.map((name) => [name, capitalised(heuristicName(name))]);
		setOptions(this.heuristic, [['', usual ? `Usual: ${heuristicName(usual)}` : 'Usual'], ...titled, [OWN, 'A combination …']], value);
	}

	showAlgorithm() {
		const { entry } = this;
		this.heuristicField.hidden = !entry?.needs_heuristic;
		this.ownHeuristicField.hidden = this.heuristicField.hidden || this.heuristic.value !== OWN;
		this.specOptions.hidden = !entry?.options.length;
		this.optionInputs = (entry?.options ?? []).map((option) => [
			option.name,
			h('input', { type: 'text', inputmode: 'decimal', value: this.given[option.name] ?? option.default, oninput: () => this.changed() }),
		]);
		this.specOptions.replaceChildren(...this.optionInputs.map(([name, input]) => field(capitalised(labelOf(name)), input)));
		const heuristic = this.schema.heuristics.find((each) => each.name === this.heuristic.value);
		this.about.textContent = [entry?.about ?? 'A* where all states fit in memory, pattern databases up to 5x5, and on larger boards a quick answer that improves with a proved bound.', entry?.needs_heuristic && heuristic?.about]
			.filter(Boolean)
			.join(' ');
	}

	changedAlgorithm() {
		this.given = {};
		this.offerHeuristics(this.heuristic.value);
		this.showAlgorithm();
		this.changed();
	}

	changedHeuristic() {
		this.showAlgorithm();
		this.changed();
	}

	changed() {
		this.problem = null;
		this.options.onchange?.(this.value);
	}

	rulesFields() {
		const { schema, values } = this;
		const profiles = schema.profiles.map((profile) => profile.name);
		const known = schema.rules.named.map((rules) => rules.name).filter((name) => name !== 'default');
		const named = known.filter((name) => !profiles.includes(name));
		const nearest = known.filter((name) => profiles.includes(name));
		const value = profiles.includes(values.profile) ? COURSE + values.profile : !values.rules ? '' : known.includes(values.rules) ? values.rules : OWN;
		this.rules = select([], '', () => this.changedRules());
		this.rules.replaceChildren(
			h('option', { value: '' }, 'The usual rules'),
			...named.map((name) => h('option', { value: name }, capitalised(rulesName(name)))),
			h('option', { value: OWN }, 'Your own …'),
			h('optgroup', { label: 'Profile of a course: its own searches' }, ...profiles.map((name) => h('option', { value: COURSE + name }, `profile ${name}`))),
			h('optgroup', { label: 'Rules nearest to a course' }, ...nearest.map((name) => h('option', { value: name }, name))),
		);
		this.rules.value = value;
		const given = Object.fromEntries((value === OWN ? values.rules : '').split(',').map((part) => part.split('=').map((piece) => piece.trim())));
		this.knobs = Object.keys(schema.rules.knobs).map((knob) => {
			const usual = schema.rules.named.find((rules) => rules.name === 'default')?.[knob];
			const offered = Object.entries(schema.rules.words[knob]).map(([choice, words]) => [choice === usual ? '' : choice, words]);
			const control = offered.length
				? select(offered, given[knob] ?? '', () => this.changed())
				: h('input', { type: 'text', value: given[knob] ?? usual ?? '', maxlength: 4, oninput: () => this.changed() });
			return [knob, control, usual];
		});
		this.knobFields = h('div.fields', ...this.knobs.map(([knob, control]) => field(schema.rules.titles[knob], control, knob === 'order' ? 'As the blank goes: up, down, left, right.' : undefined)));
		this.rulesAbout = h('div.hint');
		this.showRules();
		return [field('Rules or profile', this.rules), this.knobFields, this.rulesAbout];
	}

	showRules() {
		this.knobFields.hidden = this.rules.value !== OWN;
		const profile = this.schema.profiles.find((each) => each.name === this.rules.value.replace(COURSE, ''));
		this.rulesAbout.hidden = !profile;
		this.rulesAbout.replaceChildren(
			...(profile ? [h('p', `${profile.about}. Its own program: `, h('code', profile.command))] : []),
			...(profile?.differences?.length ? [h('ul.plain', ...profile.differences.map((text) => h('li', text)))] : []),
		);
		return profile;
	}

	changedRules() {
		const profile = this.showRules();
		this.showCourse();
		if (profile) this.options.onprofile?.(profile);
		this.changed();
	}

	limitFields() {
		const { budgets } = this.schema;
		this.nodes = h('input', { type: 'number', min: 1, max: budgets.max_nodes, value: this.values.nodes ?? '', placeholder: 'none', oninput: () => this.changed() });
		this.seconds = h('input', { type: 'number', min: 0.1, max: budgets.seconds, step: 0.1, value: this.values.seconds ?? '', placeholder: `${budgets.default_seconds}`, oninput: () => this.changed() });
		return h('div.fields', field('Most nodes', this.nodes), field('Most seconds', this.seconds));
	}

	/** The fields of a request; those left open are missing. */
	get value() {
		const value = {};
		if (this.course) {
			const { algorithm, heuristic, width } = this.course.searches[this.method.value];
			value.profile = this.course.name;
			value.algorithm = width === null ? algorithm : `${algorithm}(width=${this.width.value})`;
			if (heuristic) value.heuristic = heuristic;
		} else if (this.entry) {
			const options = this.optionInputs.map(([name, input]) => `${name}=${input.value.trim()}`);
			value.algorithm = options.length ? `${this.entry.name}(${options.join(', ')})` : this.entry.name;
		}
		if (!this.course && this.entry?.needs_heuristic && this.heuristic.value) value.heuristic = this.heuristic.value === OWN ? this.ownHeuristic.value : this.heuristic.value;
		if (this.rules.value && !this.course) value.rules = this.rules.value === OWN ? this.knobText() : this.rules.value;
		if (!value.rules) delete value.rules;
		if (this.nodes?.value) value.max_nodes = Number(this.nodes.value);
		if (this.seconds?.value) value.seconds = Number(this.seconds.value);
		return value;
	}

	knobText() {
		return this.knobs
			.filter(([, control, usual]) => control.value && control.value !== usual)
			.map(([knob, control]) => `${knob}=${control.value.trim()}`)
			.join(',');
	}

	/** For the link, and to fill the form again. */
	get link() {
		const { max_nodes: nodes, ...others } = this.value;
		return { ...others, nodes };
	}
}

/** The search of a link, as the form takes it; undefined if it names none. */
export function searchOf({ profile, algorithm, heuristic, rules, nodes, seconds }) {
	return algorithm || rules || profile ? { profile, algorithm, heuristic, rules, nodes, seconds } : undefined;
}

/** That there is nothing to show, and a way to the reason. */
export function unreachable(app, words) {
	return h('div.message.bad.row', words, button('Show why on the board', () => app.go('enter')));
}

/** A start button that is a stop button during the work, which is `work(signal, onprogress)`. */
export function runner(label, work) {
	let controller = null;
	let pressed = null; // the work when a press began: if it has ended since, Stop was meant
	const progress = h('span.soft.small.numbers', { 'aria-hidden': 'true' });
	const bar = h('div.bar', { hidden: true });
	const meant = () => {
		if (!pressed || pressed === controller) run();
		pressed = null;
	};
	const start = button(label, meant, { class: 'main run' });
	start.addEventListener('pointerdown', () => (pressed = controller));
	const element = h('div.stack.tight', h('div.row', start, progress), bar);

	async function run() {
		if (controller) return controller.abort();
		controller = new AbortController();
		const mine = controller;
		start.textContent = 'Stop';
		start.classList.remove('main');
		bar.hidden = false;
		try {
			await work(mine.signal, (event) => (progress.textContent = progressText(event)));
		} finally {
			controller = null;
			start.textContent = label;
			start.classList.add('main');
			bar.hidden = true;
			progress.textContent = '';
		}
		return undefined;
	}

	return { element, run, stop: () => controller?.abort(), start };
}
