// Calls to the server. Long work is a stream of events; aborting it stops the search.

import { forPeople } from './words.js';

class ApiError extends Error {
	/** `gone`: the server did not answer at all. */
	constructor(message, gone = false) {
		super(message);
		this.gone = gone;
	}
}

export const GONE = 'The server does not answer. Is tilewise serve still running? This page goes on as soon as it is back.';
let lost = null; // what the page does when the server is gone

export function whenGone(listener) {
	lost = listener;
}

async function failure(response) {
	try {
		return new ApiError(forPeople((await response.json()).error));
	} catch {
		return new ApiError(`the server answered ${response.status}`);
	}
}

async function send(path, body, accept, signal) {
	try {
		return await fetch(path, {
			method: body ? 'POST' : 'GET',
			headers: body ? { 'Content-Type': 'application/json', Accept: accept } : {},
			body: body && JSON.stringify(body),
			signal,
		});
	} catch (error) {
		if (error.name === 'AbortError') throw error;
		lost?.();
		throw new ApiError(GONE, true);
	}
}

/** Send a request and return the response. */
export async function request(path, body, signal) {
	const response = await send(path, body, 'application/json', signal);
	if (!response.ok) throw await failure(response);
	return response.json();
}

/** Send a request for long work: onprogress gets each event on the way, the result is returned. */
export async function stream(path, body, onprogress, signal) {
	const response = await send(path, body, 'text/event-stream', signal);
	if (!response.ok) throw await failure(response);
	if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) return response.json();
	let event = '';
	let data = [];
	for await (const text of lines(response.body)) {
		if (text.startsWith('event:')) event = text.slice(6).trim();
		else if (text.startsWith('data:')) data.push(text.slice(5).trimStart());
		else if (text === '' && event) {
			const value = JSON.parse(data.join('\n'));
			if (event === 'result') return value;
			if (event === 'error') throw new ApiError(forPeople(value.error));
			onprogress?.(value);
			event = '';
			data = [];
		}
	}
	lost?.();
	throw new ApiError('The answer broke off before its end.', true);
}

async function* lines(body) {
	const reader = body.pipeThrough(new TextDecoderStream()).getReader();
	let pieces = [];
	for (;;) {
		const { done, value } = await reader.read().catch((error) => {
			if (error.name === 'AbortError') throw error;
			lost?.();
			throw new ApiError(GONE, true);
		});
		if (done) return;
		const parts = value.split('\n');
		for (const part of parts.slice(0, -1)) {
			pieces.push(part);
			yield pieces.join('').replace(/\r$/, '');
			pieces = [];
		}
		pieces.push(parts.at(-1));
	}
}

/** Progress in words. */
export function progressText(progress) {
	if (progress.state === 'waiting') return progress.waiting ? `Waiting; ${progress.waiting} before it` : 'Waiting';
	const stats = progress.stats ?? {};
	const nodes = stats.generated ? `${stats.generated.toLocaleString('en')} nodes` : 'Searching';
	return `${nodes}, ${(progress.seconds ?? 0).toFixed(1)} s`;
}
