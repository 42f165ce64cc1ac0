// Small helpers for building the page.

/** An element: h('button', {class: 'quiet', onclick: f}, 'text', child, ...). */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const SVG = 'http://www.w3.org/2000/svg';

/** An SVG element, made like `h`. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function icon(name) {
  return s('svg', { 'aria-hidden': 'true', class: 'glyph' }, s('use', { href: `/static/icons.svg#${name}` }));
}

/** A button with an icon and a name that is read out. */
export function iconButton(name, label, onclick, extra = {}) {
  return h('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, onclick, ...extra }, icon(name));
}

export function button(label, onclick, extra = {}) {
  return h('button', { type: 'button', onclick, ...extra }, label);
}

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
    children.push(h('p', { class: 'hint', id: `${id}-hint` }, hint));
  }
  return h('div', { class: 'field' }, ...children);
}

/** A select; options are texts or [value, text] pairs. */
export function select(options, value, onchange) {
  const control = h('select', { onchange: () => onchange?.(control.value) });
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

const live = () => document.getElementById('live');
let announced = 0;

/** Have screen readers read a text out, also if it is the same as before. */
export function announce(text) {
  live().textContent = ++announced % 2 ? text : `${text}\u00a0`;
}

let toastTimer = 0;

/** A short message at the bottom of the page. */
export function toast(text) {
  const box = document.getElementById('toast');
  box.textContent = text;
  box.hidden = false;
  announce(text);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 4000);
}

/** A name of the schema as a label: 'goal_test' is 'goal test'. */
export const labelOf = (name) => name.replaceAll('_', ' ');

export const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

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

export const quietMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Put a text on the clipboard, also where the clipboard interface is missing. */
export async function copy(text, message) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', { class: 'unseen', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (!done) return toast('The browser did not allow copying.');
  }
  return toast(message);
}
