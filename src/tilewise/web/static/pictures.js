// Pictures for the tiles: a few that are drawn here, and those of the player. None of them leaves the browser.

import { shape } from './game.js';

const MOST = 1200; // pixels of the longer side

const hills = (y, amplitude, step, colour) => {
	let d = `M0 ${y}`;
	for (let x = 0; x < 400; x += step) d += `Q${x + step / 2} ${y - amplitude} ${x + step} ${y}`;
	return `<path d="${d}V400H0z" fill="${colour}"/>`;
};
const petals = Array.from({ length: 12 }, (_, i) => `<ellipse cx="200" cy="105" rx="34" ry="96" fill="hsl(${i * 30} 70% ${i % 2 ? 62 : 52}%)" transform="rotate(${i * 30} 200 200)"/>`).join('');
const squares = Array.from({ length: 64 }, (_, i) => `<rect x="${(i % 8) * 50}" y="${Math.floor(i / 8) * 50}" width="50" height="50" fill="hsl(${(i % 8) * 22 + 190} ${45 + Math.floor(i / 8) * 6}% ${34 + Math.floor(i / 8) * 6}%)"/>`).join('');

/** Name and drawing, 400 by 400. */
export const DRAWN = [
	['Evening', `<rect width="400" height="400" fill="#f7b267"/><rect width="400" height="170" fill="#f4845f"/><circle cx="285" cy="165" r="62" fill="#ffe8a3"/>${hills(235, 90, 200, '#7b4b94')}${hills(285, 70, 134, '#553772')}${hills(335, 45, 100, '#2f1f4f')}<path d="M60 120q14-14 28 0 14-14 28 0M140 80q11-11 22 0 11-11 22 0" fill="none" stroke="#2f1f4f" stroke-width="5" stroke-linecap="round"/>`],
	['Flower', `<rect width="400" height="400" fill="#12343b"/>${petals}<circle cx="200" cy="200" r="52" fill="#f6e7b4"/><circle cx="200" cy="200" r="30" fill="#c86b3c"/>`],
	['Mosaic', squares],
];

const svg = (drawing, width, height) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 400 400" preserveAspectRatio="xMidYMid slice">${drawing}</svg>`;

/** The address of a drawn picture, cut to a board of this shape. */
export const drawnUrl = (index, rows = 1, columns = 1) => `data:image/svg+xml,${encodeURIComponent(svg(DRAWN[index][1], columns * 160, rows * 160))}`;

/** The picture of a player: {bitmap} from a file. */
export async function ownPicture(file) {
	return { bitmap: await createImageBitmap(file), bare: false, urls: new Map() };
}

/** The address of a picture for a board; its middle is cut out in the board's proportions, never stretched. */
async function urlFor(picture, { rows, columns }) {
	if (picture.drawn !== undefined) return drawnUrl(picture.drawn, rows, columns);
	const key = shape({ rows, columns });
	if (!picture.urls.has(key)) picture.urls.set(key, await cut(picture.bitmap, rows, columns));
	return picture.urls.get(key);
}

async function cut(bitmap, rows, columns) {
	const scale = Math.min(bitmap.width / columns, bitmap.height / rows);
	const [wide, high] = [scale * columns, scale * rows];
	const part = Math.min(1, MOST / Math.max(wide, high));
	const canvas = new OffscreenCanvas(Math.max(1, Math.round(wide * part)), Math.max(1, Math.round(high * part)));
	canvas.getContext('2d').drawImage(bitmap, (bitmap.width - wide) / 2, (bitmap.height - high) / 2, wide, high, 0, 0, canvas.width, canvas.height);
	return URL.createObjectURL(await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.88 }));
}

/** Put the picture of the page, if there is one, on a board. */
export async function paintBoard(app, view, board) {
	const { picture } = app;
	const url = picture ? await urlFor(picture, board) : null;
	if (picture === app.picture && shape(view.board) === shape(board)) view.picture(url, picture?.bare);
}

/** Forget a picture. */
export function forget(picture) {
	for (const url of picture?.urls?.values() ?? []) URL.revokeObjectURL(url);
	picture?.bitmap?.close();
}
