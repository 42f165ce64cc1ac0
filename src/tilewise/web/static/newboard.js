// New boards at one press: a size, a level; and a form for any other shape, goal and depth.

import { button, field, fold, h, select, working } from './dom.js';
import { shape as shapeOf } from './game.js';
import { GoalChoice } from './goalchoice.js';

const SIZES = ['3x3', '4x4', '5x5'];
const LEVELS = [['easy', 'Easy'], ['medium', 'Medium'], ['hard', 'Hard'], ['any', 'Any']];
const LARGEST_SIDE = 8; // larger boards can be entered, but take hours to play

export class NewBoard {
	/** `deal(wanted)` asks the server for a board and begins a game with it. */
	constructor(app, settings, deal) {
		Object.assign(this, { app, settings, deal });
		this.sizes = new Map(SIZES.map((shape) => [shape, button(shape, () => this.press(this.sizes.get(shape), { shape }))]));
		this.levels = new Map(LEVELS.map(([level, label]) => [level, button(label, () => this.press(this.levels.get(level), { level }), { title: level === 'any' ? 'Every board of this shape has the same chance' : null })]));
		this.another = button('New board', () => this.press(this.another, {}), { class: 'main' });
		this.own = fold('Own shape, goal, depth', {}, ...this.form());
		this.element = h(
			'section.card.stack.tight',
			{ 'aria-label': 'Another board' },
			h('div.presses', { role: 'group', 'aria-label': 'Size' }, ...this.sizes.values()),
			h('div.presses', { role: 'group', 'aria-label': 'Level' }, ...this.levels.values()),
			this.another,
			this.own,
		);
		this.show();
	}

	form() {
		const { board } = this.app;
		const { least } = this.app.schema.shapes;
		const sizes = Array.from({ length: LARGEST_SIDE - least + 1 }, (_, i) => least + i);
		this.rows = select(sizes, Math.min(LARGEST_SIDE, board.rows));
		this.columns = select(sizes, Math.min(LARGEST_SIDE, board.columns));
		this.goal = new GoalChoice(this.app);
		this.depth = h('input', { type: 'number', min: 0, max: 80, placeholder: 'by level', value: this.settings.depth ?? '' });
		const make = button('Make this board', () => this.press(make, { shape: `${this.rows.value}x${this.columns.value}`, exact: true }));
		return [h('div.fields', field('Rows', this.rows), field('Columns', this.columns), this.goal.element), this.goal.ownField, field('Moves from the goal', this.depth, 'Leave it open to draw by the level above.'), h('div', make)];
	}

	/** Deal a board by what was pressed; what was pressed stays chosen. */
	async press(pressed, { shape, level, exact }) {
		const { settings } = this;
		if (shape) settings.shape = shape;
		if (level) settings.level = level;
		settings.depth = exact ? this.depth.value : '';
		const wanted = { shape: settings.shape, goal: this.goal.text };
		if (!exact && this.goal.name === 'own') wanted.goal = this.app.goalText().includes(':') && settings.shape !== shapeOf(this.app.goal) ? 'last' : this.app.goalText();
		if (settings.depth !== '') wanted.depth = Number(settings.depth);
		else if (settings.level !== 'any') wanted.level = settings.level;
		this.show();
		try {
			await working(pressed, this.deal(wanted));
		} catch (error) {
			this.app.failed(error);
		}
	}

	show() {
		for (const [shape, each] of this.sizes) each.setAttribute('aria-pressed', shape === this.settings.shape);
		for (const [level, each] of this.levels) each.setAttribute('aria-pressed', level === this.settings.level);
	}
}
