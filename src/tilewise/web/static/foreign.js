// Traces of other solvers in Watch: opened as a file or dropped, checked by the server, replayed.

import { stream } from './api.js';
import { announce, button, h, number } from './dom.js';
import { searchTitle } from './words.js';

/** Take files that are dropped on the view. */
export function takeDrops(watch) {
	const { element } = watch;
	const over = (on) => element.classList.toggle('dropping', on);
	element.addEventListener('dragover', (event) => {
		if (!event.dataTransfer.types.includes('Files')) return;
		event.preventDefault();
		over(true);
	});
	element.addEventListener('dragleave', () => over(false));
	element.addEventListener('drop', (event) => {
		over(false);
		if (!event.dataTransfer.files.length) return;
		event.preventDefault();
		openTrace(watch, event.dataTransfer.files[0]);
	});
}

/** Have the server check the trace of another solver, and replay it. */
export async function openTrace(watch, file) {
	if (!file) return;
	watch.runner.stop();
	watch.reading?.abort();
	watch.reading = new AbortController();
	const { signal } = watch.reading;
	watch.player.pause();
	if (watch.resting) watch.rest(); // the last step is announced first, and not over what is said here
	watch.say(`Checking ${file.name}.`);
	try {
		const most = watch.app.schema.budgets.trace_body;
		const trace = file.size > most ? '' : await file.text();
		if (file.size > most || JSON.stringify(trace).length > most - 100) throw new Error(`too large: at most ${number(most)} bytes can be opened here; tilewise trace check reads more`);
		const answer = await stream('/api/trace/check', { trace }, null, signal);
		if (!signal.aborted) showTrace(watch, file.name, answer);
	} catch (error) {
		if (error.name !== 'AbortError') watch.say(`${file.name}: ${error.message}`, 'bad');
	} finally {
		watch.file.value = '';
	}
}

function showTrace(watch, name, answer) {
	const { claims, verdict } = answer;
	if (!answer.expansions.length) return watch.say(`${name}: there is no expansion to step through.`, 'bad');
	Object.assign(watch.app, { board: claims.board, goal: claims.goal, game: null });
	// the same search by tilewise is one press of Watch away
	const { profile, method, algorithm, heuristic, rules } = claims;
	if (algorithm) watch.settings.search = profile ? { profile, algorithm: method, heuristic } : { algorithm, heuristic: heuristic ?? undefined, rules: rules === 'default' ? undefined : rules };
	const old = watch.form;
	watch.form = watch.makeForm();
	old.element.replaceWith(watch.form.element);
	watch.choice.open = false;
	const claimed = claims.algorithm ? searchTitle({ ...claims, profile: null }) : 'no algorithm claimed';
	watch.begin({ ...answer, result: claims }, `${name}: ${claimed}`, [verdictBox(watch, verdict)], answer);
	return announce(verdict.ok ? `${name} does what it claims.` : `${name} departs from its claims. Line ${verdict.line}: ${verdict.deviation}`);
}

function verdictBox(watch, verdict) {
	if (!verdict.ok) return h('div.message.bad.stack.tight', h('p', h('strong', 'It departs from what it claims. '), `Line ${verdict.line}: ${verdict.deviation}.`), h('div', button('Show where', () => watch.player.go(watch.departs))));
	const list = (title, items) => (items.length ? [h('p', title), h('ul.plain', ...items.map((text) => h('li', text)))] : []);
	return h('div.message.good.stack.tight', h('strong', 'It does what it claims.'), h('details', h('summary', 'What was checked'), h('div.small', ...list('Checked:', verdict.checked), ...list('Not checked:', verdict.not_checked))));
}
