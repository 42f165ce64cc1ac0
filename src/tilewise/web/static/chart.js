// Lines over a clock: they differ in colour, dash and the name at their end.

import { h, number, s } from './dom.js';

const HIGH = 240;
const LEFT = 58;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 30;

export class Chart {
  constructor(title) {
    this.title = title;
    this.svg = s('svg', { class: 'chart', role: 'img' });
    this.element = h('figure', { class: 'card stack tight' }, h('figcaption', {}, h('h2', {}, title)), this.svg);
    this.logarithmic = false;
    new ResizeObserver(() => this.draw()).observe(this.svg);
  }

  /** Series: [{name, x: [...], y: [...]}]. */
  use(series, last) {
    this.series = series;
    this.last = Math.max(1, last);
    this.draw();
  }

  at(clock) {
    this.clock = clock;
    this.move();
  }

  scale(value, most, pixels) {
    if (!this.logarithmic) return (value / most) * pixels;
    return (Math.log1p(value) / Math.log1p(most)) * pixels;
  }

  ticks(most) {
    if (this.logarithmic) {
      const ticks = [0];
      for (let value = 1; value <= most; value *= 10) ticks.push(value);
      return ticks;
    }
    const rough = most / 4;
    const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
    const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough));
    return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  }

  draw() {
    if (!this.series) return;
    const wide = Math.max(240, this.svg.clientWidth || 480);
    const across = wide - LEFT - RIGHT;
    const up = HIGH - TOP - BOTTOM;
    const most = Math.max(1, ...this.series.flatMap((line) => line.y));
    this.svg.setAttribute('viewBox', `0 0 ${wide} ${HIGH}`);
    const x = (value) => LEFT + this.scale(value, this.last, across);
    const y = (value) => TOP + up - this.scale(value, most, up);
    Object.assign(this, { x, y });
    const short = (value) => (value >= 1e6 ? `${+(value / 1e6).toFixed(1)}M` : value >= 1e4 ? `${+(value / 1e3).toFixed(0)}k` : number(value));
    const grid = this.ticks(most).slice(this.logarithmic ? 1 : 0).map((value) => s('g', { class: 'tick' }, s('line', { x1: LEFT, x2: wide - RIGHT, y1: y(value), y2: y(value) }), s('text', { x: LEFT - 8, y: y(value) + 4, 'text-anchor': 'end' }, short(value))));
    const below = this.ticks(this.last).map((value) => s('text', { class: 'tick-text', x: x(value), y: HIGH - 8, 'text-anchor': value === 0 ? 'start' : 'middle' }, short(value)));
    this.lines = this.series.map((line, index) => s('path', { class: `line racer-${index}` }));
    this.heads = this.series.map((line, index) => s('circle', { class: `head racer-${index}`, r: 4.5 }));
    this.hand = s('line', { class: 'hand', y1: TOP, y2: TOP + up });
    const axis = s('text', { x: wide - RIGHT, y: TOP + up - 6, 'text-anchor': 'end' }, 'expansions');
    this.svg.replaceChildren(...grid, ...below, axis, this.hand, ...this.lines, ...this.heads);
    this.svg.setAttribute('aria-label', `${this.title}, over expansions. ${this.series.map((line) => `${line.name}: ${number(line.y.at(-1) ?? 0)} at ${number(line.x.at(-1) ?? 0)}`).join('; ')}.`);
    this.move();
  }

  move() {
    if (!this.lines) return;
    const clock = this.clock ?? this.last;
    this.hand.setAttribute('x1', this.x(clock));
    this.hand.setAttribute('x2', this.x(clock));
    this.series.forEach((line, index) => {
      const count = upTo(line.x, clock);
      let d = '';
      for (let i = 0; i < count; i += 1) d += `${i ? 'L' : 'M'}${this.x(line.x[i]).toFixed(1)} ${this.y(line.y[i]).toFixed(1)}`;
      this.lines[index].setAttribute('d', d);
      const last = Math.max(0, count - 1);
      this.heads[index].setAttribute('cx', this.x(line.x[last] ?? 0));
      this.heads[index].setAttribute('cy', this.y(line.y[last] ?? 0));
    });
  }
}

/** How many samples are not later than a time. */
export function upTo(times, time) {
  let low = 0;
  for (let high = times.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
