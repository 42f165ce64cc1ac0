// The search tree: drawn as it grows, and only the part that is seen.

import { Face, UNIT } from './board.js';
import { h, iconButton, quietMotion, s } from './dom.js';
import { CLOSED, CUT, GOAL, OPEN, REPLACED, SKIPPED, SUPERSEDED } from './replay.js';
import { Items } from './treelayout.js';

const NAMES = { [OPEN]: 'open', [CLOSED]: 'closed', [SUPERSEDED]: 'superseded', [SKIPPED]: 'skipped', [CUT]: 'cut', [REPLACED]: 'replaced', [GOAL]: 'goal' };
const STEP_X = 92; // pixels between nodes at full size
const STEP_Y = 118;
const LEAST = 0.02;
const MOST = 2.2;
const DETAIL = 0.42; // below this size a node is a dot
const MANY_CELLS = 36; // boards with more cells are shown by their number only

export class Tree {
  /** `quiz`: nodes show g and h, not their sum. */
  constructor({ onchoose, quiz = false }) {
    Object.assign(this, { onchoose, quiz });
    this.edges = s('path', { class: 'edges' });
    this.pathEdges = s('path', { class: 'edges solution' });
    this.dots = s('g', {});
    this.nodes = s('g', {});
    this.scene = s('g', {}, this.edges, this.pathEdges, this.dots, this.nodes);
    this.svg = s('svg', { class: 'tree', role: 'img', tabindex: '0', 'aria-label': 'Search tree' }, this.scene);
    this.followButton = iconButton('aim', 'Follow the search', () => this.follow(!this.following), { 'aria-pressed': 'true' });
    const zoom = [iconButton('plus', 'Larger', () => this.zoom(1.3)), iconButton('minus', 'Smaller', () => this.zoom(1 / 1.3)), iconButton('fit', 'The whole tree', () => this.fit()), this.followButton];
    this.element = h('div', { class: 'tree-frame' }, this.svg, h('div', { class: 'zoom', role: 'group', 'aria-label': 'View of the tree' }, ...zoom));
    this.camera = { x: 0, y: 0, scale: 0.9 };
    this.following = true;
    this.shown = new Map(); // item -> group
    this.free = [];
    this.listen();
    new ResizeObserver(() => this.resized()).observe(this.svg);
  }

  use(replay) {
    this.replay = replay;
    this.items = new Items(replay);
    const { rows, columns } = replay.trace.result.board;
    Object.assign(this, { rows, columns, detailed: rows * columns <= MANY_CELLS });
    for (const group of this.shown.values()) group.root.remove();
    this.shown.clear();
    this.free = [];
    this.chosen = this.departs = -1;
    this.layout = null;
    // larger where the letters are, as on a projector
    const letters = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    this.camera.scale = (this.box().width < 500 ? 0.72 : 0.95) * letters;
  }

  box() {
    return { width: this.width || this.svg.clientWidth || 600, height: this.height || this.svg.clientHeight || 400 };
  }

  resized() {
    this.width = this.svg.clientWidth;
    this.height = this.svg.clientHeight;
    if (this.replay) this.show(true);
  }

  /** Draw the tree as it is after the step of the replay. */
  show(still = false) {
    const { replay, items } = this;
    const event = replay.done;
    const layout = items.layoutAt(event);
    const current = replay.current < 0 ? items.segments[0].from : items.byEvent[replay.current];
    const changed = layout !== this.layout;
    this.layout = layout;
    this.current = current;
    this.onPath = new Set();
    for (let item = current; item >= layout.from; item = items.parent[item]) this.onPath.add(item);
    this.svg.setAttribute('aria-label', this.describe());
    if (this.following && current >= 0) this.aim(current, still || changed);
    else this.draw();
  }

  describe() {
    const { replay, items } = this;
    const count = items.bornBefore(replay.done);
    if (replay.current < 0) return 'Search tree: the start alone';
    const node = replay.node[replay.current];
    return `Search tree: ${count} drawn so far, node ${node} at depth ${replay.g[replay.current]} taken last. The lists beside it hold the same.`;
  }

  point(item) {
    return [this.layout.place(item) * STEP_X, this.items.depth[item] * STEP_Y];
  }

  /** Bring an item into the middle, unless it is well in sight. */
  aim(item, jump) {
    const { width, height } = this.box();
    const { camera } = this;
    this.run = null; // a glide to somewhere else ends here
    const [x, y] = this.point(item);
    const px = (x - camera.x) * camera.scale + width / 2;
    const py = (y - camera.y) * camera.scale + height / 2;
    const below = STEP_Y * camera.scale;
    const calm = !jump && px > width * 0.2 && px < width * 0.8 && py > height * 0.12 && py + below < height * 0.92;
    if (calm) return this.draw();
    const to = { x, y: y + STEP_Y * 0.4 };
    if (jump || quietMotion() || this.hurried) {
      Object.assign(camera, to);
      return this.draw();
    }
    return this.glide(to);
  }

  glide(to) {
    const from = { x: this.camera.x, y: this.camera.y };
    const began = performance.now();
    const run = (this.run = {});
    const tick = (now) => {
      if (this.run !== run) return;
      const part = Math.min(1, Math.max(0, (now - began) / 220));
      const eased = 1 - (1 - part) ** 3;
      this.camera.x = from.x + (to.x - from.x) * eased;
      this.camera.y = from.y + (to.y - from.y) * eased;
      this.draw();
      if (part < 1) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  // ---- drawing

  draw() {
    const { width, height } = this.box();
    const { camera, layout } = this;
    const { scale } = camera;
    this.scene.setAttribute('transform', `translate(${(width / 2 - camera.x * scale).toFixed(2)} ${(height / 2 - camera.y * scale).toFixed(2)}) scale(${scale})`);
    const margin = STEP_X;
    const low = (camera.x - width / 2 / scale - margin) / STEP_X;
    const high = (camera.x + width / 2 / scale + margin) / STEP_X;
    const top = Math.max(0, Math.floor((camera.y - height / 2 / scale) / STEP_Y - 1));
    const bottom = Math.min(layout.rows.length - 1, Math.ceil((camera.y + height / 2 / scale) / STEP_Y + 1));
    const detail = scale >= DETAIL;
    const gap = detail ? 0 : 4 / scale / STEP_X;
    const stride = Math.max(1, Math.floor(4 / (scale * STEP_Y)));
    const seen = [];
    for (let depth = top; depth <= bottom; depth += stride) for (const item of layout.row(depth, low, high, this.replay.done, gap)) seen.push(item);
    this.drawEdges(seen, stride);
    // edges lead out of sight, nodes do not
    const [left, right] = [camera.x - width / 2 / scale - 36, camera.x + width / 2 / scale + 36];
    const [above, below] = [camera.y - height / 2 / scale - 53, camera.y + height / 2 / scale + 35];
    const inSight = (item) => {
      const [x, y] = this.point(item);
      return x > left && x < right && y > above && y < below;
    };
    if (detail) this.drawNodes(seen.filter(inSight));
    else this.drawDots(seen);
    this.nodes.style.display = detail ? '' : 'none';
    this.dots.style.display = detail ? 'none' : '';
  }

  drawEdges(seen, stride) {
    const plain = [];
    const taken = [];
    const drop = this.camera.scale >= DETAIL ? 34 : 0;
    for (const item of seen) {
      const above = this.items.parent[item];
      if (above < this.layout.from) continue;
      if (stride > 1) continue;
      const [x, y] = this.point(item);
      const [u, v] = this.point(above);
      const middle = (y + v) / 2;
      (this.onPath.has(item) ? taken : plain).push(`M${u.toFixed(1)} ${v + drop}C${u.toFixed(1)} ${middle} ${x.toFixed(1)} ${middle} ${x.toFixed(1)} ${y - drop}`);
    }
    this.edges.setAttribute('d', plain.join(''));
    this.pathEdges.setAttribute('d', taken.join(''));
  }

  drawNodes(seen) {
    const wanted = new Set(seen);
    for (const [item, group] of this.shown) {
      if (wanted.has(item)) continue;
      this.shown.delete(item);
      this.free.push(group);
      group.root.style.display = 'none';
    }
    for (const item of seen) {
      let group = this.shown.get(item);
      if (!group) {
        group = this.free.pop() ?? this.makeGroup();
        this.shown.set(item, group);
        this.fillGroup(group, item);
        group.root.style.display = '';
      }
      this.placeGroup(group, item);
    }
  }

  makeGroup() {
    const face = this.detailed ? new Face(this.rows, this.columns) : null;
    const size = 56 / (Math.max(this.rows, this.columns, 3) * UNIT);
    const card = s('rect', { class: 'card-back', x: -35, y: -34, width: 70, height: 86, rx: 8 });
    const board = s('g', { transform: `translate(${(-this.columns * UNIT * size) / 2} -30) scale(${size})` });
    if (face) board.append(face.squares, face.digits);
    const label = s('text', { class: 'label', y: 38 });
    const extra = s('text', { class: 'extra', y: 48.5 });
    const root = s('g', { class: 'node' }, card, board, label, extra);
    this.nodes.append(root);
    return { root, face, label, extra };
  }

  fillGroup(group, item) {
    const { replay, items } = this;
    const node = items.node[item];
    group.face?.show(replay.board(node).tiles);
    const event = items.born[item];
    const [g, h] = [replay.g[event], replay.h[event]];
    const sum = this.quiz ? `g ${g}  h ${h}` : `${g + h} = ${g} + ${h}`;
    group.label.textContent = items.ghost[item] ? `= #${node}` : sum;
    group.root.dataset.item = item;
    group.move = replay.move[event] === '-' ? '' : `${replay.move[event]} · `;
    group.status = null;
  }

  placeGroup(group, item) {
    const { replay, items } = this;
    const [x, y] = this.point(item);
    const place = `translate(${x.toFixed(1)} ${y})`;
    if (group.place !== place) group.root.setAttribute('transform', (group.place = place));
    const node = items.node[item];
    const ghost = items.ghost[item];
    const kind = replay.kind[items.born[item]];
    let name = ghost ? 'ghost' : (NAMES[replay.status[node]] ?? 'open');
    if (kind === 'reopen' && !ghost) name += ' reopened';
    if (item === this.current) name += ' current';
    if (item === this.chosen) name += ' chosen';
    if (item === this.departs) name += ' departs';
    if (items.born[item] >= replay.stepEvents()[0] && !ghost) name += ' fresh';
    if (group.status === name) return;
    group.status = name;
    group.root.setAttribute('class', `node ${name}`);
    const words = ghost ? 'duplicate' : kind === 'reopen' ? 're-opened' : replay.status[node] === SUPERSEDED ? 'superseded' : replay.status[node] === SKIPPED ? 'skipped' : replay.status[node] === CUT ? 'cut off' : `#${node}`;
    group.extra.textContent = group.move + words;
  }

  drawDots(seen) {
    for (const group of this.shown.values()) {
      group.root.style.display = 'none';
      this.free.push(group);
    }
    this.shown.clear();
    const used = Math.min(seen.length, 4000);
    const radius = 3.2 / this.camera.scale;
    while (this.dots.childNodes.length < used) this.dots.append(s('circle', {}));
    this.dots.childNodes.forEach((dot, index) => {
      if (index >= used) {
        if (dot.style.display !== 'none') dot.style.display = 'none';
        return;
      }
      const item = seen[index];
      const [x, y] = this.point(item);
      dot.style.display = '';
      dot.setAttribute('cx', x.toFixed(1));
      dot.setAttribute('cy', y);
      const current = item === this.current;
      dot.setAttribute('r', (current ? 2.2 : 1) * radius);
      const name = `dot ${this.items.ghost[item] ? 'ghost' : NAMES[this.replay.status[this.items.node[item]]]} ${current ? 'current' : ''}`;
      if (dot.name !== name) dot.setAttribute('class', (dot.name = name));
      dot.dataset.item = item;
    });
  }

  // ---- moving about

  follow(on) {
    this.following = on;
    this.followButton.setAttribute('aria-pressed', on);
    if (on && this.replay) this.show();
  }

  zoom(factor, at = null) {
    const { camera } = this;
    const { width, height } = this.box();
    const scale = Math.max(LEAST, Math.min(MOST, camera.scale * factor));
    const [px, py] = at ?? [width / 2, height / 2];
    const wx = camera.x + (px - width / 2) / camera.scale;
    const wy = camera.y + (py - height / 2) / camera.scale;
    camera.x = wx - (px - width / 2) / scale;
    camera.y = wy - (py - height / 2) / scale;
    camera.scale = scale;
    this.run = null;
    if (this.replay) this.draw();
  }

  /** The whole tree, as far as it has grown. */
  fit() {
    const { width, height } = this.box();
    const { layout, items } = this;
    if (!layout) return;
    let [low, high, deep] = [Infinity, -Infinity, 0];
    const end = items.bornBefore(this.replay.done);
    for (let item = layout.from; item < Math.min(end, layout.to); item += 1) {
      low = Math.min(low, layout.place(item));
      high = Math.max(high, layout.place(item));
      deep = Math.max(deep, items.depth[item]);
    }
    this.follow(false);
    this.run = null;
    this.camera.scale = Math.max(LEAST, Math.min(1.1, width / ((high - low + 1.2) * STEP_X), height / ((deep + 1.2) * STEP_Y)));
    this.camera.x = ((low + high) / 2) * STEP_X;
    this.camera.y = (deep / 2) * STEP_Y;
    this.draw();
  }

  choose(item) {
    this.chosen = item;
    this.draw();
  }

  listen() {
    const { svg } = this;
    const fingers = new Map();
    let moved = 0;
    svg.addEventListener('pointerdown', (event) => {
      if (!this.replay) return;
      fingers.set(event.pointerId, event);
      svg.setPointerCapture(event.pointerId);
      moved = 0;
      this.touched = event.target.closest?.('[data-item]');
    });
    svg.addEventListener('pointermove', (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const others = [...fingers.values()].filter((finger) => finger.pointerId !== event.pointerId);
      if (others.length) {
        const spread = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        const box = svg.getBoundingClientRect();
        this.zoom(spread(event, others[0]) / Math.max(1, spread(before, others[0])), [(event.clientX + others[0].clientX) / 2 - box.left, (event.clientY + others[0].clientY) / 2 - box.top]);
      } else {
        this.pan(before.clientX - event.clientX, before.clientY - event.clientY);
      }
      moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
      if (moved > 8 && this.following) this.follow(false);
      fingers.set(event.pointerId, event);
    });
    const end = (event) => {
      if (fingers.delete(event.pointerId) && moved <= 8 && this.touched && event.type === 'pointerup') {
        const item = Number(this.touched.dataset.item);
        this.choose(item);
        this.onchoose(this.items.node[item]);
      }
    };
    svg.addEventListener('pointerup', end);
    svg.addEventListener('pointercancel', end);
    svg.addEventListener(
      'wheel',
      (event) => {
        if (!this.replay) return;
        event.preventDefault();
        const box = svg.getBoundingClientRect();
        this.zoom(Math.exp(-event.deltaY * 0.0015), [event.clientX - box.left, event.clientY - box.top]);
      },
      { passive: false },
    );
    svg.addEventListener('keydown', (event) => this.key(event));
  }

  pan(x, y) {
    this.run = null;
    this.camera.x += x / this.camera.scale;
    this.camera.y += y / this.camera.scale;
    this.draw();
  }

  key(event) {
    if (!this.replay || event.ctrlKey || event.metaKey || event.altKey) return;
    const shifts = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] };
    if (event.shiftKey && event.key in shifts) {
      this.follow(false);
      this.pan(...shifts[event.key]);
    } else if (event.key === '+' || event.key === '=') this.zoom(1.3);
    else if (event.key === '-') this.zoom(1 / 1.3);
    else if (event.key === '0') this.fit();
    else if (event.key === 'f') this.follow(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
