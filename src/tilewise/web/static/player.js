// Going through numbered steps: buttons, a scrub bar, play and pause at a speed, and keys.

import { h, iconButton, quietMotion, select, swapIcon } from './dom.js';

/** Steps 0..last; show(at) draws one. `speeds` are [steps a second, label] pairs. */
export class Player {
  constructor({ noun, show, speeds, speed, describe }) {
    this.noun = noun;
    this.draw = show;
    this.describe = describe ?? ((at) => `${noun} ${at} of ${this.last}`);
    this.at = 0;
    this.last = 0;
    this.rate = Number(speed) || speeds[0][0];
    this.range = h('input', { type: 'range', min: 0, max: 0, step: 1, value: 0, 'aria-label': `${noun[0].toUpperCase()}${noun.slice(1)}`, oninput: () => this.go(Number(this.range.value)) });
    this.toggle = iconButton('start', 'Play', () => (this.playing ? this.pause() : this.play()));
    this.buttons = {
      first: iconButton('first', 'To the start', () => this.go(0)),
      back: iconButton('back', `One ${noun} back`, () => this.go(this.at - 1)),
      forward: iconButton('forward', `One ${noun} forward`, () => this.go(this.at + 1)),
      end: iconButton('last', 'To the end', () => this.go(this.last)),
    };
    this.place = h('output', { class: 'numbers small soft place' });
    this.speed = select(speeds, this.rate, (value) => (this.rate = Number(value)));
    this.speed.setAttribute('aria-label', 'Speed');
    const { first, back, forward, end } = this.buttons;
    this.element = h(
      'div',
      { class: 'player', role: 'group', 'aria-label': `Go through the ${noun}s` },
      h('div', { class: 'row apart' }, h('div', { class: 'row keys' }, first, back, this.toggle, forward, end), h('div', { class: 'row' }, this.place, this.speed)),
      this.range,
    );
  }

  /** Begin with another sequence. */
  reset(last, at = 0) {
    this.pause();
    this.last = last;
    this.range.max = last;
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
    this.place.textContent = `${next.toLocaleString('en')} / ${this.last.toLocaleString('en')}`;
    this.buttons.first.disabled = this.buttons.back.disabled = next === 0;
    this.buttons.end.disabled = this.buttons.forward.disabled = next === this.last;
    this.draw(next);
  }

  play() {
    if (this.at >= this.last) this.jump(0);
    if (this.last === 0) return;
    this.playing = true;
    swapIcon(this.toggle, 'pause');
    this.toggle.setAttribute('aria-label', 'Pause');
    this.toggle.title = 'Pause';
    let since = performance.now();
    let owed = quietMotion() ? 0 : 1;
    const tick = (now) => {
      if (!this.playing) return;
      owed += ((now - since) / 1000) * this.rate;
      since = now;
      if (owed >= 1) {
        this.jump(this.at + Math.floor(owed));
        owed %= 1;
      }
      if (this.at >= this.last) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.playing = false;
    swapIcon(this.toggle, 'start');
    this.toggle.setAttribute('aria-label', 'Play');
    this.toggle.title = 'Play';
  }

  /** Keys while something inside `element` has the focus: arrows and space. */
  listen(element) {
    element.addEventListener('keydown', (event) => {
      if (event.target.matches('input, select, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = {
        ArrowLeft: () => this.go(this.at - 1),
        ArrowRight: () => this.go(this.at + 1),
        Home: () => this.go(0),
        End: () => this.go(this.last),
        ' ': () => !event.target.matches('button, a, summary') && (this.playing ? this.pause() : this.play(), true),
      }[event.key];
      if (action && action() !== false) event.preventDefault();
    });
  }
}
