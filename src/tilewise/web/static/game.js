// The rules of the game on plain data: a board is {rows, columns, tiles, text}, 0 is the blank, and a
// move is the direction of the blank. This is playing and replaying; searching is the server's work.

export const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L' };
export const WORDS = { U: 'up', D: 'down', L: 'left', R: 'right' };

/** Column and row of a cell. */
export const placeOf = (cell, { columns }) => [cell % columns, Math.floor(cell / columns)];

/** The cell the blank would go to, or -1. */
export function target(board, move) {
	const blank = board.tiles.indexOf(0);
	const column = blank % board.columns;
	if (move === 'U') return blank - board.columns;
	if (move === 'D') return blank + board.columns < board.tiles.length ? blank + board.columns : -1;
	if (move === 'L') return column > 0 ? blank - 1 : -1;
	return column < board.columns - 1 ? blank + 1 : -1;
}

export const legal = (board) => ['U', 'D', 'L', 'R'].filter((move) => target(board, move) >= 0);

/** The board after one move that is legal. */
export function slide(board, move) {
	const tiles = board.tiles.slice();
	const to = target(board, move);
	tiles[tiles.indexOf(0)] = tiles[to];
	tiles[to] = 0;
	return { rows: board.rows, columns: board.columns, tiles };
}

export function replay(board, moves) {
	let now = board;
	for (const move of moves) {
		if (target(now, move) < 0) return null;
		now = slide(now, move);
	}
	return now;
}

/** The moves that bring the blank to a cell in its row or column, sliding all tiles between; else ''. */
export function line(board, cell) {
	const blank = board.tiles.indexOf(0);
	const [x, y] = placeOf(cell, board);
	const [u, v] = placeOf(blank, board);
	const [right, down] = [x - u, y - v];
	if (down && right) return '';
	if (down) return (down < 0 ? 'U' : 'D').repeat(Math.abs(down));
	return (right < 0 ? 'L' : 'R').repeat(Math.abs(right));
}

export const same = (a, b) => a.tiles.length === b.tiles.length && a.columns === b.columns && a.tiles.every((tile, i) => tile === b.tiles[i]);

/** A spelling of a board that says its shape, for requests and links. */
export const token = (board) => `${board.rows}x${board.columns}:${board.tiles.join(',')}`;

export const shape = (board) => `${board.rows}x${board.columns}`;

/** The tiles of a board that the server coded as one character each. */
export function decode(code, rows, columns) {
	return { rows, columns, tiles: Array.from(code, (letter) => letter.charCodeAt(0) - 48) };
}

/** A move in words: which tile goes where. */
export function moveInWords(board, move) {
	return `${board.tiles[target(board, move)]} ${WORDS[OPPOSITE[move]]}`;
}

const SIGNS = { U: '↑', D: '↓', L: '←', R: '→' };

/** A move as a sign: the tile and an arrow for where it goes. */
export function moveSign(board, move) {
	return `${board.tiles[target(board, move)]}${SIGNS[OPPOSITE[move]]}`;
}
