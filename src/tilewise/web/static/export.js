// What Watch can save: the picture of the tree as SVG or PNG, and the trace as JSON Lines.

import { button, download, h, toast } from './dom.js';
import { decode, token } from './game.js';

const STYLED = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-size', 'font-family', 'font-weight', 'text-anchor', 'display'];

/** The tree as it is seen, as the text of an SVG file. */
function treePicture(tree) {
	const { width, height } = tree.box();
	const copy = tree.svg.cloneNode(true);
	const [from, to] = [tree.svg, copy].map((root) => [root, ...root.querySelectorAll('*')]);
	from.forEach((element, index) => {
		const style = getComputedStyle(element);
		for (const name of STYLED) to[index].setAttribute(name, style.getPropertyValue(name));
		for (const name of ['class', 'style', 'tabindex', 'data-item']) to[index].removeAttribute(name);
	});
	copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
	copy.setAttribute('width', width);
	copy.setAttribute('height', height);
	copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
	const paper = getComputedStyle(tree.element).backgroundColor;
	const parts = [`<rect width="100%" height="100%" fill="${paper}"/>`];
	if (tree.element.dataset.drawn === 'points') parts.push(`<image width="${width}" height="${height}" href="${tree.points.canvas.toDataURL()}"/>`);
	return new XMLSerializer().serializeToString(copy).replace('>', `>${parts.join('')}`);
}

/** The picture as a PNG file, twice as large for projectors. */
async function png(tree) {
	const { width, height } = tree.box();
	const image = new Image();
	image.src = `data:image/svg+xml,${encodeURIComponent(treePicture(tree))}`;
	await image.decode();
	const canvas = new OffscreenCanvas(width * 2, height * 2);
	canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
	return canvas.convertToBlob({ type: 'image/png' });
}

/** The trace in the open format that `tilewise trace check` reads. */
function traceLines(trace, rules) {
	const { result, events, kinds } = trace;
	const { rows, columns } = result.board;
	const knobs = Object.fromEntries(['order', 'ties', 'duplicates', 'goal_test'].filter((knob) => rules?.[knob]).map((knob) => [knob, rules[knob]]));
	const header = { format: 'tilewise-trace', version: 1, program: 'tilewise page', board: token(result.board), goal: token(result.goal), algorithm: result.algorithm, heuristic: result.heuristic, rules: knobs, status: result.status, moves: result.moves, events: trace.count, complete: trace.count === trace.kept };
	const lines = events.kind.map((code, i) => {
		const kind = kinds[code];
		if (kind === 'stop') return { kind };
		return { kind, node: events.node[i], ...(events.parent[i] >= 0 && { parent: events.parent[i] }), ...(events.move[i] !== '-' && { move: events.move[i] }), g: events.g[i], h: events.h[i], key: [events.priority[i], events.tie[i]], board: token(decode(trace.boards[events.node[i]], rows, columns)) };
	});
	return [header, ...lines].map((line) => JSON.stringify(line)).join('\n');
}

/** A menu that saves what `watch` shows. */
export function saveMenu(watch) {
	const named = (kind) => `tilewise-${watch.replay?.trace.result.algorithm?.replace(/\W+/g, '-') ?? 'trace'}.${kind}`;
	const save = (work) => async () => {
		if (!watch.replay) return toast('There is nothing to save yet.');
		return work();
	};
	const rules = () => watch.app.schema.rules.named.find((each) => each.name === watch.replay.trace.result.rules);
	const choices = [
		button('Picture as SVG', save(() => download(named('svg'), treePicture(watch.tree), 'image/svg+xml')), { class: 'quiet' }),
		button('Picture as PNG', save(async () => download(named('png'), await png(watch.tree))), { class: 'quiet' }),
		button('Trace as JSON Lines', save(() => download(named('jsonl'), traceLines(watch.replay.trace, rules()), 'application/x-ndjson')), { class: 'quiet' }),
	];
	return h('details.menu.save', h('summary', { 'aria-label': 'Save', title: 'Save the picture or the trace' }), h('div.popover.stack.tight', ...choices));
}
