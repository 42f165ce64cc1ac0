// Play: move the tiles, with a clock, the moves from here, hints, and what a move cost.

import { request } from './api.js';
import { BoardView, mini } from './board.js';
import { announce, button, field, h, icon, iconButton, number, plural, select, toast } from './dom.js';
import { moveInWords, replay, same, shape, slide, token } from './game.js';

const LARGEST_SIDE = 6; // larger boards can be entered, but take hours to play
const HINTS = ['Hint', 'Where?', 'Which tile?', 'Which way?', 'Do it'];

export default class Play {
  constructor(app, params) {
    this.app = app;
    this.resume(params);
    this.settings = app.settings.play ??= { by: 'depth', depth: 20, arrows: 'tile' };
    this.known = app.distances ??= new Map();
    this.element = h('div', {}, h('div', { class: 'title' }, h('h1', {}, 'Play')), h('div', { class: 'pair' }, this.stage(), this.panel()));
  }

  mounted() {
    this.show();
    this.measure();
    this.clock = setInterval(() => this.showTime(), 250);
  }

  unmount() {
    clearInterval(this.clock);
    this.pending?.abort();
  }

  /** Continue the game of a link or the last one, or begin a game with the current board. */
  resume(params) {
    const { app } = this;
    const moves = /^[UDLR]*$/.test(params.moves ?? '') ? (params.moves ?? '') : '';
    if (params.board && replay(app.board, moves)) this.begin(app.board, moves, Number(params.helped) || 0);
    else if (app.game && same(app.game.now, app.board)) this.game = app.game;
    else this.begin(app.board);
  }

  begin(start, moves = '', helped = 0) {
    this.game = { start, moves, helped, undone: '', now: replay(start, moves), began: 0, spent: 0, over: false };
    this.app.game = this.game;
    this.app.setBoard(this.game.now);
    this.hint = 0;
  }

  stage() {
    this.view = new BoardView({ label: '', mode: 'play', onmoves: (moves) => this.move(moves) });
    this.view.blankWay = () => this.settings.arrows === 'blank';
    if (this.app.picture) this.view.picture(this.app.picture.url, this.app.picture.bare);
    return h('div', { class: 'stage' }, this.view.element);
  }

  panel() {
    this.time = h('dd', {}, '0:00');
    this.count = h('dd', {}, '0');
    this.left = h('dd', {}, '–');
    this.message = h('p', { class: 'message', id: 'play-message' });
    this.undoButton = iconButton('undo', 'Undo', () => this.undo());
    this.redoButton = iconButton('redo', 'Redo', () => this.redo());
    this.hintButton = h('button', { type: 'button', class: 'main', onclick: () => this.askHint() }, icon('bulb'), h('span', {}, 'Hint'));
    return h(
      'div',
      { class: 'stack' },
      h(
        'section',
        { class: 'card stack', 'aria-label': 'This game' },
        h('dl', { class: 'figures' }, h('div', {}, h('dt', {}, 'Time'), this.time), h('div', {}, h('dt', {}, 'Moves'), this.count), h('div', {}, h('dt', {}, 'From here'), this.left)),
        this.message,
        h('div', { class: 'row' }, this.hintButton, this.undoButton, this.redoButton, button('Restart', () => this.restart())),
        h('div', { class: 'row asides' }, button('Solve it for me', () => this.app.go('solve', { run: '1' }), { class: 'quiet' }), button('Watch a search', () => this.app.go('watch', { run: '1' }), { class: 'quiet' })),
      ),
      this.newGame(),
      this.looks(),
    );
  }

  newGame() {
    const { board } = this.app;
    const { settings } = this;
    const { least } = this.app.schema.shapes;
    const sizes = Array.from({ length: LARGEST_SIDE - least + 1 }, (_, i) => least + i);
    this.rows = select(sizes, Math.min(LARGEST_SIDE, board.rows));
    this.columns = select(sizes, Math.min(LARGEST_SIDE, board.columns));
    const known = Boolean(this.app.namedGoal());
    this.goal = select(this.app.goalChoices(), known ? this.app.goal.name : 'own', () => (ownField.hidden = this.goal.value !== 'own'));
    this.own = h('input', { type: 'text', value: known ? '' : this.app.goal.text, placeholder: '1 2 3/4 0 5/6 7 8', spellcheck: 'false' });
    const ownField = field('Goal board', this.own, 'In any notation.');
    ownField.hidden = known;
    this.depth = h('input', { type: 'number', min: 0, max: 80, value: settings.depth, 'aria-label': 'Moves from the goal' });
    const choice = (value, label) =>
      h('label', {}, h('input', { type: 'radio', name: 'scramble', value, checked: settings.by === value, onchange: () => this.setScramble(value) }), label);
    this.depthField = field('Moves from the goal', this.depth);
    this.setScramble(settings.by);
    this.goalPicture = h('div', { class: 'row' });
    return h(
      'section',
      { class: 'card stack', 'aria-labelledby': 'new-title' },
      h('h2', { id: 'new-title' }, 'New board'),
      h('div', { class: 'fields' }, field('Rows', this.rows), field('Columns', this.columns), field('Goal', this.goal)),
      ownField,
      h('fieldset', {}, h('legend', { class: 'unseen' }, 'Scramble'), h('div', { class: 'segments' }, choice('depth', 'By depth'), choice('uniform', 'Any board'))),
      this.depthField,
      h('div', { class: 'row' }, button('Scramble', () => this.scramble(), { class: 'main' }), this.goalPicture),
    );
  }

  setScramble(value) {
    this.settings.by = value;
    this.depthField.hidden = value !== 'depth';
  }

  looks() {
    const file = h('input', { type: 'file', accept: 'image/*', class: 'unseen', tabindex: '-1', 'aria-hidden': 'true', onchange: () => this.usePicture(file.files[0]) });
    const bare = h('input', { type: 'checkbox', checked: Boolean(this.app.picture?.bare), onchange: () => this.hideNumbers(bare.checked) });
    const off = button('Remove', () => this.removePicture(), { class: 'quiet' });
    this.pictureOff = off;
    this.bareLabel = h('label', { class: 'check' }, bare, 'Hide the numbers');
    off.hidden = this.bareLabel.hidden = !this.app.picture;
    const arrows = select([['tile', 'move the tile'], ['blank', 'move the gap']], this.settings.arrows, (value) => (this.settings.arrows = value));
    return h(
      'details',
      { class: 'card' },
      h('summary', {}, 'Picture and keys'),
      h(
        'div',
        { class: 'inside stack tight' },
        h('div', { class: 'row' }, button('Put a picture on the tiles', () => file.click()), off, file),
        this.bareLabel,
        h('p', { class: 'hint' }, 'The picture stays in this browser; it is not part of a link.'),
        field('Arrow keys', arrows, 'Also W A S D; U undoes, Y redoes, H hints while the board has the focus.'),
      ),
    );
  }

  // ---- the game

  move(moves) {
    const { game } = this;
    if (!moves) {
      if (game.over) return;
      this.view.show(game.now);
      announce('No tile can move that way.');
      return;
    }
    if (!game.over && !game.began) game.began = performance.now();
    const before = game.now;
    const words = moveInWords(before, moves[0]);
    for (const move of moves) game.now = slide(game.now, move);
    game.moves += moves;
    game.undone = '';
    this.changed(before, moves, moves.length > 1 ? `${plural(moves.length, 'tile')} moved` : words);
  }

  undo() {
    const { game } = this;
    if (!game.moves) return;
    const last = game.moves.at(-1);
    game.moves = game.moves.slice(0, -1);
    game.undone = last + game.undone;
    game.now = replay(game.start, game.moves);
    this.changed(null, '', 'Undone');
  }

  redo() {
    const { game } = this;
    if (!game.undone) return;
    const next = game.undone[0];
    game.undone = game.undone.slice(1);
    game.moves += next;
    game.now = slide(game.now, next);
    this.changed(null, '', 'Done again');
  }

  restart() {
    this.begin(this.game.start);
    this.show();
    this.measure();
    this.app.sync();
    announce('Back at the start.');
  }

  changed(before, moves, words) {
    this.hint = 0;
    this.last = before && { before: token(before), moves };
    this.app.setBoard(this.game.now);
    this.show();
    this.app.sync();
    const solved = same(this.game.now, this.app.goal);
    if (solved && moves) this.finish();
    else announce(words);
    this.measure(words);
  }

  finish() {
    const { game } = this;
    this.showTime();
    if (!game.over) game.spent = game.began ? performance.now() - game.began : 0;
    game.over = true;
    this.view.celebrate();
    announce(this.ending());
  }

  /** What to say at the goal; moves that the page made are not counted for the player. */
  ending() {
    const { moves, helped } = this.game;
    const all = plural(moves.length, 'move');
    if (!helped) return `Solved in ${all}. Well done.`;
    return helped < moves.length ? `Solved in ${all}, ${number(helped)} of them made for you.` : `Solved for you in ${all}.`;
  }

  show() {
    const { game } = this;
    this.view.mark();
    this.view.outline();
    this.view.grid.setAttribute('aria-label', `Board, ${game.now.rows} by ${game.now.columns}. Arrow keys slide tiles.`);
    this.view.show(game.now, this.app.goal);
    if (this.app.picture) this.view.paint();
    this.count.textContent = number(game.moves.length);
    this.undoButton.disabled = !game.moves;
    this.redoButton.disabled = !game.undone;
    this.hintButton.disabled = same(game.now, this.app.goal);
    this.hintButton.lastChild.textContent = HINTS[this.hint];
    this.goalPicture.replaceChildren(h('span', { class: 'soft small' }, 'Goal'), mini(this.app.goal, 56, `The goal: ${this.app.goalName()}`));
    this.view.grid.onkeydown = (event) => this.key(event);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = { u: () => this.undo(), y: () => this.redo(), h: () => this.askHint() }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  showTime() {
    const { game } = this;
    const spent = game.over ? game.spent : game.began ? performance.now() - game.began : 0;
    const seconds = Math.floor(spent / 1000);
    this.time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }

  say(text, kind = '') {
    this.message.textContent = text;
    this.message.className = `message ${kind}`;
  }

  // ---- how far it is, and what the last move cost

  async measure(words) {
    const { game } = this;
    const here = token(game.now);
    this.pending?.abort();
    this.pending = new AbortController();
    try {
      if (!this.known.has(`${here} ${this.app.goalText()}`)) {
        const answer = await request('/api/distance', this.app.problem(game.now), this.pending.signal);
        this.known.set(`${here} ${this.app.goalText()}`, answer);
      }
    } catch (error) {
      if (error.name !== 'AbortError') this.say(error.message, 'bad');
      return;
    }
    if (game === this.game && here === token(game.now)) this.judge(this.known.get(`${here} ${this.app.goalText()}`), words);
  }

  judge(now, words) {
    const { game } = this;
    if (!now.solvable) {
      this.left.textContent = '∞';
      return this.say('This goal cannot be reached from here. Enter explains why.', 'bad');
    }
    this.left.textContent = now.exact ? number(now.distance) : `≥ ${number(now.lower_bound)}`;
    this.left.title = now.exact ? 'moves of a shortest solution' : 'at least; no shortest solution was found at once';
    if (now.solved) return this.say(game.moves ? this.ending() : 'This is the goal. Scramble it, or enter a board of your own.', 'good');
    const before = this.last && this.known.get(`${this.last.before} ${this.app.goalText()}`);
    if (!before?.exact || !now.exact) {
      return this.say(game.moves || !now.exact ? `${now.exact ? plural(now.distance, 'move') + ' from here.' : `At least ${plural(now.lower_bound, 'move')} from here.`}` : `Bring the tiles in order. ${plural(now.distance, 'move')} are enough.`);
    }
    const cost = this.last.moves.length + now.distance - before.distance;
    const text = cost ? `That ${this.last.moves.length > 1 ? 'slide' : 'move'} cost ${cost}.` : 'Closer: on a shortest path.';
    this.say(cost ? `${text} ${plural(now.distance, 'move')} from here.` : text, cost ? '' : 'good');
    if (words) announce(`${words}. ${text} ${plural(now.distance, 'move')} from here.`);
    return undefined;
  }

  // ---- hints

  async askHint() {
    const { game } = this;
    if (this.hint === HINTS.length - 1) {
      game.helped += 1;
      return this.move(this.hinted);
    }
    const here = token(game.now);
    const level = this.hint + 1;
    try {
      const answer = await request('/api/hint', { ...this.app.problem(game.now), level });
      if (game !== this.game || here !== token(game.now)) return undefined; // an answer for a board that is gone
      this.hint = level;
      this.hinted = answer.move;
      this.hintButton.lastChild.textContent = HINTS[level] ?? 'Hint';
      this.view.outline(level === 2 ? (answer.area ?? []) : []);
      this.view.mark(answer.tile ? new Map([[answer.tile, 'mark']]) : new Map());
      this.say(answer.text);
      announce(answer.text);
    } catch (error) {
      toast(error.message);
    }
    return undefined;
  }

  // ---- another board, another look

  async scramble() {
    const wanted = { shape: `${this.rows.value}x${this.columns.value}`, goal: this.goal.value === 'own' ? this.own.value : this.goal.value };
    if (this.settings.by === 'depth') {
      this.settings.depth = Number(this.depth.value);
      wanted.depth = this.settings.depth;
    }
    try {
      await this.app.scramble(wanted);
    } catch (error) {
      toast(error.message);
      return;
    }
    this.last = null;
    this.begin(this.app.board);
    this.show();
    this.measure();
    this.app.sync();
    announce(`A new ${shape(this.app.board)} board.`);
    this.view.grid.focus();
  }

  async usePicture(file) {
    if (!file) return;
    try {
      const image = await createImageBitmap(file);
      const most = 1200 / Math.max(image.width, image.height);
      const canvas = h('canvas', { width: Math.round(image.width * Math.min(1, most)), height: Math.round(image.height * Math.min(1, most)) });
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.88));
      this.removePicture();
      this.app.picture = { url: URL.createObjectURL(blob), bare: false };
      this.view.picture(this.app.picture.url);
      this.pictureOff.hidden = this.bareLabel.hidden = false;
      announce('The picture is on the tiles.');
    } catch {
      toast('That file is not a picture this browser can read.');
    }
  }

  hideNumbers(bare) {
    if (!this.app.picture) return;
    this.app.picture.bare = bare;
    this.view.picture(this.app.picture.url, bare);
  }

  removePicture() {
    if (!this.app.picture) return;
    URL.revokeObjectURL(this.app.picture.url);
    this.app.picture = null;
    this.view.picture(null);
    this.pictureOff.hidden = this.bareLabel.hidden = true;
  }

  link() {
    const { start, moves, helped } = this.game;
    return { board: token(start), moves, ...(helped && { helped }) };
  }
}
