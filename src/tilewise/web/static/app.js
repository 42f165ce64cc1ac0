// The page: the table of its views, the board and goal that they share, and the link to all of it.

import { GONE, request, whenGone } from './api.js';
import { button, copy, dialog, h, icon, iconButton, toast } from './dom.js';
import { token } from './game.js';
import { remember } from './store.js';
import { learnWords } from './words.js';

/**
 * The views in the order of the navigation. A view is the module NAME.js, whose default export is a class:
 * `new View(app, params)` has an `element`, and may have `mounted()`, `unmount()`, `link()`, the
 * parameters of a link to it, `key(event)` for keys wherever the focus is, `keys`, which `?` shows, and
 * `back()`, which does again what failed while the server was gone.
 * `icon` is a group of icons.svg.
 */
const VIEWS = [
	{ name: 'play', title: 'Play', icon: 'play' },
	{ name: 'enter', title: 'Enter', icon: 'enter' },
	{ name: 'solve', title: 'Solve', icon: 'solve' },
	{ name: 'watch', title: 'Watch', icon: 'watch' },
	{ name: 'race', title: 'Race', icon: 'race' },
	{ name: 'learn', title: 'Learn', icon: 'learn' },
];
const AUTO = 'auto'; // the goal that belongs to the notation
const FIRST = { shape: '3x3', goal: 'last', level: 'easy' };
const LOOK_AGAIN = 1500; // milliseconds between two looks whether the server is back
const EVERYWHERE = [['?', 'these keys'], ['Escape', 'closes what is open']];

class App {
	constructor() {
		this.main = document.getElementById('main');
		this.name = null; // of the view that is open
		this.view = null;
		this.board = null; // the current one
		this.goal = null; // {name, rows, columns, tiles, text}
		this.settings = {}; // what each view remembers while the page is open
		this.games = new Map(); // by their start and goal
		this.turn = 0; // counts the links that were followed
	}

	async start() {
		this.drawViews();
		this.listen();
		whenGone(() => this.lost());
		await this.begin();
	}

	/** Get the schema and show the first view; without a server wait for it. */
	async begin() {
		try {
			const linked = new URLSearchParams(location.hash.split('?')[1]).has('board');
			[this.schema] = await Promise.all([request('/api/schema'), linked ? null : this.scramble(FIRST)]);
			learnWords(this.schema);
			await this.follow(location.hash);
			// the other views are here before anybody needs them, also when the server is gone by then
			setTimeout(() => VIEWS.forEach(({ name }) => import(`./${name}.js`).catch(() => {})), 400);
		} catch (error) {
			this.failed(error);
		}
	}

	drawViews() {
		this.links = new Map(VIEWS.map((view) => [view.name, h('a', { href: `#${view.name}`, onclick: () => this.write() }, icon(view.icon), h('span', view.title))]));
		document.getElementById('views').replaceChildren(...this.links.values());
	}

	listen() {
		addEventListener('hashchange', () => {
			if (!this.schema) return; // begin() follows it
			this.follow(location.hash).catch((error) => this.failed(error));
		});
		const tool = (name, label, press) => iconButton(name, label, press, { class: 'icon quiet' });
		const theme = tool('theme', 'Dark theme', () => {
			const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
			document.documentElement.dataset.theme = next;
			remember('theme', next);
			showTheme();
		});
		const showTheme = () => theme.setAttribute('aria-pressed', document.documentElement.dataset.theme === 'dark');
		showTheme();
		document.getElementById('tools').append(tool('keys', 'Keys', () => this.showKeys()), tool('link', 'Copy a link to this situation', () => this.share()), theme);
		document.querySelector('.skip').addEventListener('click', (event) => {
			event.preventDefault();
			this.main.focus();
		});
		document.addEventListener('keydown', (event) => this.key(event));
	}

	/** Keys work wherever the focus is, but not where they write or choose. */
	key(event) {
		if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
		if (event.target.matches?.('input:not([type=radio], [type=checkbox], [type=range]), select, textarea')) return;
		if (event.target.matches?.('input[type=radio], input[type=range]') && event.key.startsWith('Arrow')) return;
		if (event.key === '?') this.showKeys();
		else if (!this.view?.key?.(event)) return;
		event.preventDefault();
	}

	showKeys() {
		const rows = [...(this.view?.keys ?? []), ...EVERYWHERE].map(([keys, what]) => h('tr', h('th', { scope: 'row' }, ...keys.split(' ').map((key) => h('kbd', key))), h('td', what)));
		dialog('Keys', h('table.keys-table', h('tbody', ...rows)));
	}

	async share() {
		await this.settling; // the goal of a course may be coming
		this.write();
		return copy(location.href, 'The link is on the clipboard. It holds the whole situation.');
	}

	// ---- a server that is gone

	/** Say what went wrong; what was given up for something newer is not worth a word. */
	failed(error) {
		if (error.gone || error.name === 'TypeError') this.lost();
		else if (error.name !== 'AbortError') toast(error.message);
	}

	/** Say that the server is gone, and go on as soon as it is back. */
	lost() {
		if (this.waiting) return;
		const notice = document.getElementById('gone');
		notice.replaceChildren(h('span', GONE), button('Try again', () => this.look(), { class: 'quiet' }));
		notice.hidden = false;
		this.waiting = setInterval(() => this.look(), LOOK_AGAIN);
	}

	async look() {
		const answer = await fetch('/api/status').catch(() => null);
		if (!answer?.ok || !this.waiting) return;
		clearInterval(this.waiting);
		this.waiting = null;
		document.getElementById('gone').hidden = true;
		// a module that could not be fetched is remembered by the browser as missing: start afresh, with the board
		if (!this.schema || !this.view || this.missed) {
			const hash = location.hash || '#play';
			if (this.schema && this.board && !hash.includes('board=')) history.replaceState(null, '', `${hash}${hash.includes('?') ? '&' : '?'}${this.query()}`);
			location.reload();
		} else {
			toast('The server is back.');
			this.view.back?.();
		}
	}

	// ---- going from view to view

	/** Go where a hash says: #watch, or #watch?board=...&goal=...&at=12. */
	async follow(hash) {
		const [name, query = ''] = hash.replace(/^#/, '').split('?');
		const view = VIEWS.find((each) => each.name === name) ?? VIEWS[0];
		const params = Object.fromEntries(new URLSearchParams(query));
		if (hash === this.shown) return;
		this.shown = location.hash;
		clearTimeout(this.soon); // the old view's link is not written over this one
		this.soon = null;
		const turn = ++this.turn;
		const first = this.view === null;
		const module = await this.module(view.name);
		if (turn !== this.turn) return;
		this.leave(); // before the board of the link is there: a view puts its own back
		if (params.board) {
			try {
				const course = this.schema.profiles.find((each) => each.name === params.profile);
				await this.load(params.board, params.goal ?? course?.goal);
			} catch (error) {
				if (error.gone || turn !== this.turn) throw error;
				toast(error.message);
			}
		}
		if (!this.board) await this.scramble(FIRST);
		if (turn === this.turn) this.open(view, module, params, first);
	}

	async module(name) {
		try {
			return await import(`./${name}.js`);
		} catch (error) {
			this.missed = true;
			throw error;
		}
	}

	leave() {
		this.asking?.abort();
		this.view?.unmount?.();
		this.view = null;
		clearTimeout(this.soon);
		this.soon = null;
	}

	open({ name, title }, { default: View }, params, first) {
		this.leave();
		this.name = name;
		this.main.replaceChildren();
		for (const [each, link] of this.links) {
			if (each === name) link.setAttribute('aria-current', 'page');
			else link.removeAttribute('aria-current');
		}
		document.title = `${title} · tilewise`;
		document.body.dataset.view = name;
		this.view = new View(this, params);
		const heading = h('h1.unseen', { tabindex: -1 }, title);
		this.main.append(heading, this.view.element);
		this.view.mounted?.();
		this.write();
		if (!first) {
			heading.focus({ preventScroll: true });
			scrollTo(0, 0);
		}
		this.main.dataset.ready = name;
	}

	/** Show another view, with the same board. */
	async go(name, params = {}) {
		const turn = ++this.turn;
		try {
			const module = await this.module(name);
			if (turn !== this.turn) return;
			this.write(); // what Back leads to
			history.pushState(null, '', `#${name}`);
			this.shown = location.hash;
			this.open(VIEWS.find((each) => each.name === name), module, params, false);
		} catch (error) {
			this.failed(error);
		}
	}

	// ---- the board and its goal

	/** Ask for a board. A later question or another view ends this one: its answer would come too late. */
	ask(path, body) {
		this.asking?.abort();
		this.asking = new AbortController();
		return request(path, body, this.asking.signal);
	}

	/** Have the server read a board; it becomes the current one. */
	async load(text, goal) {
		const answer = await this.ask('/api/board', { board: text, goal: goal || AUTO });
		Object.assign(this, { board: answer.board, goal: answer.goal, game: null });
	}

	/** Replace the goal by that of a course. */
	useGoalOf(profile, board = this.board) {
		this.settling = this.setGoalOf(profile, board); // a search that is started meanwhile waits
		return this.settling;
	}

	async setGoalOf(profile, board) {
		try {
			await this.load(token(board), profile.goal);
			toast(`The goal is now that of ${profile.name}: ${this.goalName()}.`);
			this.sync();
		} catch (error) {
			this.failed(error);
		}
	}

	/** Draw a board; with `step` it is a new place in the history, so that Back leads to the one before. */
	async scramble(wanted, step = false) {
		const { boards, goal } = await this.ask('/api/scramble', wanted);
		if (!boards.length) throw new Error('No board of that depth was found in time. Choose fewer moves.');
		if (step) {
			this.write();
			history.pushState(null, '', location.hash);
		}
		Object.assign(this, { board: boards[0], goal, game: null });
	}

	/** The board and the goal as a request has them. */
	problem(board = this.board) {
		return { board: token(board), goal: this.goalText() };
	}

	goalText() {
		return this.namedGoal() ? this.goal.name : token(this.goal);
	}

	goalName() {
		return this.namedGoal()?.title ?? 'your own';
	}

	/** The goal of this name, if there is one that does not depend on a notation. */
	namedGoal(name = this.goal.name) {
		return this.schema.goals.find((each) => each.name === name && name !== AUTO);
	}

	/** Write the whole situation into the address, soon: browsers refuse hundreds of changes a second. */
	sync() {
		this.soon ??= setTimeout(() => this.write(), 150);
	}

	write() {
		clearTimeout(this.soon);
		this.soon = null;
		if (!this.view || this.shown !== location.hash) return; // Back was pressed: it is not overwritten
		this.shown = `#${this.name}?${this.query(this.view.link?.())}`;
		history.replaceState(null, '', this.shown);
	}

	/** The parameters of a link: board, goal and those of a view. */
	query(more) {
		const params = Object.entries({ board: token(this.board), goal: this.goalText(), ...more });
		const kept = new URLSearchParams(params.filter(([, value]) => (value ?? '') !== ''));
		return kept.toString().replace(/%(2C|3A|28|29)/g, decodeURIComponent); // , : ( ) are legal in a fragment and easier to read
	}
}

window.tilewise = new App();
window.tilewise.start();
