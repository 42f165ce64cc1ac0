// Where the nodes of a growing search tree stand. Places are computed for the first 16, 32, 64, ... steps at
// a time, so a tree stays where it is while it grows and is laid out anew only when it has doubled.

const FIRST_STAGE = 16;
const GHOST = 0.6; // room for a duplicate, in places of a node

/** The items of a trace: its nodes and the duplicates it threw away, tree by tree (one for each bound). */
export class Items {
  constructor(replay) {
    const { kind, node, parent, length } = replay;
    this.replay = replay;
    this.node = [];
    this.born = []; // event
    this.parent = []; // item
    this.ghost = [];
    this.depth = [];
    this.segments = [{ from: 0, event: 0 }];
    this.byEvent = new Int32Array(length).fill(-1);
    let itemOf = new Map();
    const add = (event, of, above, ghost) => {
      const item = this.node.length;
      this.node.push(of);
      this.born.push(event);
      this.parent.push(above);
      this.ghost.push(ghost);
      this.depth.push(above < 0 ? 0 : this.depth[above] + 1);
      this.byEvent[event] = item;
      return item;
    };
    for (let i = 0; i < length; i += 1) {
      if (kind[i] === 'start') itemOf.set(node[i], add(i, node[i], -1, false));
      else if (kind[i] === 'bound') {
        if (this.segments.length > 1 || this.node.length > 1) {
          this.segments.push({ from: this.node.length, event: i });
          itemOf = new Map([[0, add(i, 0, -1, false)]]);
        }
      } else if (kind[i] === 'generate' || kind[i] === 'reopen') itemOf.set(node[i], add(i, node[i], itemOf.get(parent[i]) ?? -1, false));
      else if (kind[i] === 'duplicate') add(i, node[i], itemOf.get(parent[i]) ?? -1, true);
      else if (kind[i] === 'expand' || kind[i] === 'goal') this.byEvent[i] = itemOf.get(node[i]) ?? -1;
    }
    this.count = this.node.length;
    this.layouts = new Map();
  }

  /** The tree that an event belongs to. */
  segmentOf(event) {
    let low = 0;
    for (let high = this.segments.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.segments[middle].event <= event) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The layout that holds all items born before an event. */
  layoutAt(event) {
    const segment = this.segmentOf(Math.max(0, event - 1));
    const { from } = this.segments[segment];
    const end = this.segments[segment + 1]?.from ?? this.count;
    const seen = this.bornBefore(event) - from;
    let stage = FIRST_STAGE;
    while (stage < seen) stage *= 2;
    const to = Math.min(end, from + stage);
    const name = `${from}:${to}`;
    if (!this.layouts.has(name)) {
      if (this.layouts.size > 4) this.layouts.delete(this.layouts.keys().next().value);
      this.layouts.set(name, new Layout(this, from, to));
    }
    return this.layouts.get(name);
  }

  bornBefore(event) {
    let low = 0;
    for (let high = this.count; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.born[middle] < event) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Places for the items from..to: x in places of a node, rows by depth, each row sorted by x. */
class Layout {
  constructor(items, from, to) {
    const count = to - from;
    Object.assign(this, { from, to });
    const width = new Float64Array(count);
    const left = new Float64Array(count);
    const cursor = new Float64Array(count);
    this.x = new Float64Array(count);
    const parentOf = (i) => items.parent[from + i] - from;
    const own = (i) => (items.ghost[from + i] ? GHOST : 1);
    for (let i = count - 1; i >= 0; i -= 1) {
      width[i] = Math.max(width[i], own(i));
      if (parentOf(i) >= 0) width[parentOf(i)] += width[i];
    }
    let roots = 0;
    const first = new Float64Array(count).fill(NaN);
    const last = new Float64Array(count).fill(NaN);
    for (let i = 0; i < count; i += 1) {
      const above = parentOf(i);
      left[i] = above >= 0 ? cursor[above] : roots;
      if (above >= 0) cursor[above] += width[i];
      else roots += width[i] + 1;
      cursor[i] = left[i];
    }
    // a parent stands over the middle of its outermost children
    for (let i = count - 1; i >= 0; i -= 1) {
      this.x[i] = Number.isNaN(first[i]) ? left[i] + width[i] / 2 : (first[i] + last[i]) / 2;
      const above = parentOf(i);
      if (above < 0) continue;
      first[above] = this.x[i];
      if (Number.isNaN(last[above])) last[above] = this.x[i];
    }
    this.width = roots;
    this.rows = [];
    for (let i = 0; i < count; i += 1) (this.rows[items.depth[from + i]] ??= []).push(i);
    for (const row of this.rows) row.sort((a, b) => this.x[a] - this.x[b]);
    this.items = items;
  }

  place(item) {
    return this.x[item - this.from];
  }

  /** Items of a row between two places that were born before an event, at least `gap` apart. */
  *row(depth, low, high, event, gap) {
    const row = this.rows[depth];
    if (!row) return;
    const { x, from, items } = this;
    let at = lowerBound(row, x, low);
    while (at < row.length && x[row[at]] <= high) {
      const item = from + row[at];
      if (items.born[item] < event) {
        yield item;
        at = gap ? Math.max(at + 1, lowerBound(row, x, x[row[at]] + gap)) : at + 1;
      } else at += 1;
    }
  }
}

function lowerBound(row, x, value) {
  let low = 0;
  for (let high = row.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (x[row[middle]] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
