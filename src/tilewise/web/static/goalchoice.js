// The choice of a goal: one that has a name, or a board in any notation.

import { field, h, select } from './dom.js';

const OWN = 'own';

export class GoalChoice {
	/** `automatic` offers the goal of the notation too; `onchange()` when another one is chosen, `oninput()` when one is typed. */
	constructor(app, { automatic = false, onchange, oninput } = {}) {
		const known = Boolean(app.namedGoal());
		const named = app.schema.goals.filter((each) => automatic || app.namedGoal(each.name)).map(({ name, title }) => [name, title]);
		this.select = select([...named, [OWN, 'your own …']], known ? app.goal.name : OWN, () => {
			this.show();
			onchange?.();
		});
		this.own = h('input', { type: 'text', value: known ? '' : app.goal.text, placeholder: '1 2 3/4 0 5/6 7 8', spellcheck: 'false', oninput });
		this.element = field('Goal', this.select);
		this.ownField = field('Goal board', this.own, 'In any notation.');
		this.show();
	}

	show() {
		this.ownField.hidden = this.name !== OWN;
	}

	/** The name of the goal, or 'own'. */
	get name() {
		return this.select.value;
	}

	set name(name) {
		this.select.value = name;
		this.show();
	}

	/** The goal as a request has it. */
	get text() {
		return this.name === OWN ? this.own.value : this.name;
	}
}
