// Small helpers for building the page.

/** An element: h('button.quiet', {onclick: f}, 'text', child, ...); the attributes can be left out. */
export function h(tag, ...parts) {
	return build((name) => document.createElement(name), tag, parts);
}

const SVG = 'http://www.w3.org/2000/svg';

/** An SVG element, made like `h`. */
export function s(tag, ...parts) {
	return build((name) => document.createElementNS(SVG, name), tag, parts);
}

function build(create, tag, parts) {
	const [name, ...classes] = tag.split('.');
	const element = create(name);
	if (classes.length) element.setAttribute('class', classes.join(' '));
	const attributes = parts[0]?.constructor === Object ? parts.shift() : {};
	for (const [key, value] of Object.entries(attributes)) {
		if ((value ?? false) === false) continue;
		if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
		else if (key === 'value') element.value = value;
		else element.setAttribute(key, value === true ? '' : value);
	}
	element.append(...parts.flat().filter((child) => (child ?? null) !== null));
	return element;
}

/** Replace what is in an element; null is nothing. */
export function refill(element, ...children) {
	element.replaceChildren(...children.filter(Boolean));
}

/** Write a text where it is another one than before. */
export function put(element, text) {
	const next = String(text);
	if (element.textContent !== next) element.textContent = next;
}

export function icon(name) {
	return s('svg', { 'aria-hidden': 'true', class: 'glyph', viewBox: '0 0 24 24' }, s('use', { href: `/static/icons.svg#${name}` }));
}

/** A button with an icon and a name that is read out. */
export function iconButton(name, label, onclick, extra = {}) {
	return h('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, onclick, ...extra }, icon(name));
}

export function button(label, onclick, extra = {}) {
	return h('button', { type: 'button', onclick, ...extra }, label);
}

/** A paragraph that says something; `kind` is good, bad or nothing. */
export const message = (text, kind = '') => h('p', { class: `message ${kind}` }, text);

export function swapIcon(element, name) {
	element.querySelector('use').setAttribute('href', `/static/icons.svg#${name}`);
}

let fields = 0;

/** A labelled control; `hint` is read out with it. */
export function field(label, control, hint) {
	const id = `field-${++fields}`;
	control.id = id;
	const children = [h('label', { for: id }, label), control];
	if (hint) {
		control.setAttribute('aria-describedby', `${id}-hint`);
		children.push(h('p.hint', { id: `${id}-hint` }, hint));
	}
	return h('div.field', ...children);
}

/** A select; options are texts or [value, text] pairs. It needs a label where no field has one. */
export function select(options, value, onchange, label) {
	const control = h('select', { 'aria-label': label, onchange: () => onchange?.(control.value) });
	setOptions(control, options, value);
	return control;
}

export function setOptions(control, options, value) {
	control.replaceChildren(
		...options.map((option) => {
			const [key, text] = Array.isArray(option) ? option : [option, option];
			return h('option', { value: key, selected: String(key) === String(value) }, text);
		}),
	);
	control.value = value;
}

/** Show that a button is working until a promise ends; it cannot be pressed twice. */
export async function working(element, promise) {
	element.setAttribute('aria-busy', 'true');
	try {
		return await promise;
	} finally {
		element.removeAttribute('aria-busy');
	}
}

/** Something that unfolds. */
export function fold(summary, attributes, ...children) {
	return h('details', attributes, h('summary', summary), h('div.inside.stack.tight', ...children));
}

/** Names and figures: [[name, value element, title?], ...]; `kind` is small or nothing. */
export function figures(entries, kind = '') {
	return h('dl', { class: `figures ${kind}` }, ...entries.map(([name, value, title]) => h('div', { title }, h('dt', name), value)));
}

/** Radio buttons in a row, one of [[value, label, title?], ...] chosen. */
export function segments(legend, name, choices, value, onchange) {
	const labels = choices.map(([key, label, title]) => h('label', { title }, h('input', { type: 'radio', name, value: key, checked: key === value, onchange: () => onchange(key) }), label));
	return h('fieldset.choose', h('legend.unseen', legend), h('div.segments', ...labels));
}

/** A dialog that closes by its button, by Escape, or by a press beside it. */
export function dialog(title, ...children) {
	const close = iconButton('close', 'Close', () => box.close(), { class: 'icon quiet' });
	const box = h('dialog', { 'aria-label': title }, h('div.row.apart.nowrap', h('h2', title), close), ...children);
	box.addEventListener('click', (event) => event.target === box && box.close());
	box.addEventListener('close', () => box.remove());
	document.body.append(box);
	box.showModal();
	return box;
}

/** Offer a text or a blob as a file. */
export function download(name, content, type) {
	const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
	h('a', { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const live = () => document.getElementById('live');
let announced = 0;

/** Have screen readers read a text out, also if it is the same as before. */
export function announce(text) {
	live().textContent = ++announced % 2 ? text : `${text}\u00a0`;
}

const toastBox = document.getElementById('toast');
let toastTimer = 0;

/** A short message at the bottom of the page, also of what is on full screen. */
export function toast(text) {
	(document.fullscreenElement ?? document.body).append(toastBox);
	toastBox.textContent = text;
	toastBox.hidden = false;
	announce(text);
	clearTimeout(toastTimer);
	toastTimer = setTimeout(() => (toastBox.hidden = true), Math.max(4000, text.length * 70));
}

/** A name of the schema as a label: 'goal_test' is 'goal test'. */
export const labelOf = (name) => name.replaceAll('_', ' ');

export const capitalised = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

const numbers = new Intl.NumberFormat('en');

export const number = (value) => numbers.format(value);

export function plural(count, noun, many = `${noun}s`) {
	return `${number(count)} ${count === 1 ? noun : many}`;
}

/** With a capital and a full stop; f, g and h stay small. */
export function sentence(words) {
	const first = /^[fgh]\b/.test(words) ? words[0] : words[0].toUpperCase();
	return `${first}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
}

/** The first of `count` places, in order, at which `late(place)` is true; `count` if there is none. */
export function firstPlace(count, late) {
	let low = 0;
	for (let high = count; low < high; ) {
		const middle = (low + high) >> 1;
		if (late(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

export const quietMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Put a text on the clipboard, also where the clipboard interface is missing. */
export async function copy(text, message) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = h('textarea.unseen', { 'aria-hidden': 'true' });
		area.value = text;
		document.body.append(area);
		area.select();
		const done = document.execCommand('copy');
		area.remove();
		if (!done) return toast('The browser did not allow copying.');
	}
	return toast(message);
}
