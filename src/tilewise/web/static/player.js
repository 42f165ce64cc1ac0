// Going through numbered steps: buttons, a scrub bar, play and pause at a speed, and keys.

import { capitalised, h, iconButton, number, quietMotion, select, swapIcon } from './dom.js';

/** Steps 0..last; show(at) draws one. `speeds` are [steps a second, label] pairs. */
export class Player {
	constructor({ noun, show, speeds, speed, describe, ...listeners }) {
		Object.assign(this, { noun, draw: show, ...listeners }); // onrest, onspeed, stopAt
		this.describe = describe ?? ((at) => `${noun} ${at} of ${this.last}`);
		this.at = 0;
		this.last = 0;
		this.rate = Number(speed) || speeds[0][0];
		this.range = h('input', { type: 'range', min: 0, max: 0, step: 1, value: 0, 'aria-label': capitalised(noun), oninput: () => this.go(Number(this.range.value)) });
		this.toggle = iconButton('start', 'Play', () => (this.playing ? this.pause() : this.play()));
		this.buttons = {
			first: iconButton('first', 'To the start', () => this.go(0)),
			back: iconButton('back', `One ${noun} back`, () => this.go(this.at - 1)),
			forward: iconButton('forward', `One ${noun} forward`, () => this.go(this.at + 1)),
			end: iconButton('last', 'To the end', () => this.go(this.last)),
		};
		this.place = h('output.numbers.small.soft.place');
		this.speed = select(speeds, this.rate, (value) => {
			this.rate = Number(value);
			this.onspeed?.(this.rate);
			this.onrest?.();
		}, 'Speed');
		const { first, back, forward, end } = this.buttons;
		this.element = h(
			'div.player',
			{ role: 'group', 'aria-label': `Go through the ${noun}s` },
			h('div.row.keys', first, back, this.toggle, forward, end),
			this.range,
			h('div.row.nowrap.pace', this.place, this.speed),
		);
		this.off();
	}

	/** The keys that go through the steps, for the list of keys. */
	get keys() {
		return [['← →', `one ${this.noun} back or forward`], ['Space', 'play or pause'], ['Home End', 'to the start, to the end']];
	}

	/** Nothing to go through yet: everything is in its place, but cannot be used. */
	off() {
		this.pause();
		this.at = this.last = 0;
		this.range.max = this.range.value = 0;
		this.place.textContent = '0 / 0';
		for (const each of [...Object.values(this.buttons), this.toggle, this.range]) each.disabled = true;
	}

	setRate(rate) {
		this.rate = rate;
		this.speed.value = String(rate);
	}

	/** Begin with another sequence. */
	reset(last, at = 0) {
		this.pause();
		this.last = last;
		this.range.max = last;
		this.range.disabled = false;
		this.toggle.disabled = last === 0;
		this.place.style.minWidth = `${2 * number(last).length + 3}ch`;
		this.jump(at, true);
	}

	/** Go there on a person's wish, which ends playing. */
	go(at) {
		this.pause();
		this.jump(at);
	}

	jump(at, anyway = false) {
		const next = Math.max(0, Math.min(this.last, at));
		if (next === this.at && !anyway) return;
		this.at = next;
		this.range.value = next;
		const words = this.describe(next);
		this.range.setAttribute('aria-valuetext', words);
		this.place.textContent = `${number(next)} / ${number(this.last)}`;
		const { first, back, forward, end } = this.buttons;
		const focused = document.activeElement;
		first.disabled = back.disabled = next === 0;
		end.disabled = forward.disabled = next === this.last;
		if (focused?.disabled) this.toggle.focus(); // a button that cannot be pressed any more loses the focus
		this.draw(next);
	}

	play() {
		if (this.at >= this.last) this.jump(0);
		if (this.last === 0) return;
		this.playing = true;
		this.showPlaying();
		let since = performance.now();
		let owed = quietMotion() ? 0 : 1;
		const tick = (now) => {
			if (!this.playing) return undefined;
			owed += ((now - since) / 1000) * this.rate;
			since = now;
			if (owed >= 1) {
				const next = this.at + Math.floor(owed);
				const stop = this.stopAt?.(this.at, Math.min(this.last, next)) ?? null;
				this.jump(stop ?? next);
				if (stop !== null) return this.pause();
				owed %= 1;
			}
			if (this.at >= this.last) return this.pause();
			return requestAnimationFrame(tick);
		};
		requestAnimationFrame(tick);
	}

	pause() {
		if (!this.playing) return;
		this.playing = false;
		this.showPlaying();
		this.onrest?.();
	}

	showPlaying() {
		swapIcon(this.toggle, this.playing ? 'pause' : 'start');
		this.toggle.title = this.playing ? 'Pause' : 'Play';
		this.toggle.setAttribute('aria-label', this.toggle.title);
	}

	/** Keys: arrows, Home, End and the space bar; whether this was one of them. */
	key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
		const action = {
			ArrowLeft: () => this.go(this.at - 1),
			ArrowRight: () => this.go(this.at + 1),
			Home: () => this.go(0),
			End: () => this.go(this.last),
			' ': () => !event.target.matches?.('button, a, summary, input') && (this.playing ? this.pause() : this.play(), true),
		}[event.key];
		return Boolean(action) && action() !== false;
	}
}
