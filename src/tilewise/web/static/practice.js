// Practice: which node is expanded next, on the board of the page, by any search with an open list.

import { announce, button, fold, h, message, plural } from './dom.js';
import { SearchForm, runner, searchOf } from './form.js';
import { makeQuestion, questionBox, traceOf } from './questions.js';
import { Tree } from './tree.js';
import { searchTitle } from './words.js';

export class Practice {
	constructor(app, params) {
		this.app = app;
		const settings = (app.settings.learn ??= { search: { algorithm: 'astar', heuristic: 'manhattan' }, strict: false });
		settings.search = searchOf(params) ?? settings.search;
		if (params.strict) settings.strict = true;
		this.settings = settings;
		this.wanted = params.at === undefined ? null : Number(params.at);
		// a question needs an open list with an order
		const { algorithms, profiles } = app.schema;
		const listed = algorithms.filter((entry) => entry.best_first && entry.has_events);
		const courses = profiles.map((each) => ({ ...each, searches: each.searches.filter((search) => listed.some((entry) => entry.name === search.resembles)) })).filter((each) => each.searches.length);
		this.form = new SearchForm({ ...app.schema, algorithms: listed, profiles: courses }, settings.search, { traced: true, onchange: () => (settings.search = this.form.link), onprofile: (profile) => app.useGoalOf(profile) });
		this.runner = runner('Ask me', (signal) => this.work(signal));
		const strict = h('input', { type: 'checkbox', checked: settings.strict, onchange: () => (settings.strict = strict.checked) });
		this.title = h('span', searchTitle(settings.search));
		this.choice = fold(this.title, { class: 'card choice' }, this.form.element, h('label.check', strict, 'Only the node that these rules take counts, also among ties'));
		this.notice = h('div.notice');
		this.score = h('p.soft.numbers');
		this.question = h('div.stack');
		this.element = h('div.stack', h('p.lead', 'Be the search on your own board: choose the node it expands next.'), this.choice, this.runner.element, this.notice, this.question);
		this.asked = this.right = 0;
	}

	mounted() {
		if (this.form.problem) this.say(this.form.problem);
		else if (this.wanted !== null) this.runner.run();
	}

	back() {
		if (!this.replay) this.runner.run();
	}

	unmount() {
		this.runner.stop();
	}

	say(text) {
		this.notice.replaceChildren(message(text, 'bad'));
		announce(text);
	}

	async work(signal) {
		await this.app.settling;
		this.notice.replaceChildren();
		try {
			const replay = await traceOf(this.app.problem(), this.form.value, signal);
			if (replay.last < 3) return this.say('There is nothing to ask on this board: take one that is further from its goal, and that can reach it.');
			this.title.textContent = searchTitle(replay.trace.result);
			this.asked = this.right = 0;
			this.replay = replay;
			return this.ask();
		} catch (error) {
			return error.name === 'AbortError' ? undefined : this.say(error.message);
		}
	}

	ask() {
		const { replay } = this;
		const question = makeQuestion('next', replay, { step: this.wanted, strict: this.settings.strict });
		this.wanted = null;
		this.step = question.at;
		this.app.sync();
		const tree = new Tree({ onchoose: () => {}, quiz: true });
		tree.use(replay);
		const more = h('div.row');
		const box = questionBox(question, (good) => {
			this.asked += 1;
			this.right += good;
			this.score.textContent = `${this.right} of ${this.asked} right`;
			const next = button('Next question', () => this.ask(), { class: 'main' });
			more.replaceChildren(next, button('See it in Watch', () => this.app.go('watch', { ...this.form.link, at: String(this.step + 1) })), this.score);
			next.focus({ preventScroll: true });
		});
		box.append(more);
		this.question.replaceChildren(box, h('figure.card.practice-tree', tree.element, h('figcaption.small.soft', `The tree so far: ${plural(replay.at, 'expansion')}.`)));
		tree.show(true);
		announce(question.words);
	}

	link() {
		return { ...this.form.link, strict: this.settings.strict ? 1 : undefined, at: this.step ?? this.wanted ?? undefined };
	}
}
