// What stays in this browser: personal bests, progress in the lessons, the theme. Nothing is sent anywhere.

const PREFIX = 'tilewise-';

/** What was kept under a name, or `otherwise`. */
export function recall(name, otherwise) {
	try {
		return JSON.parse(localStorage.getItem(PREFIX + name)) ?? otherwise;
	} catch {
		return otherwise;
	}
}

/** Keep a value; where the browser keeps nothing, it lasts as long as the page. */
export function remember(name, value) {
	try {
		if (value === null) localStorage.removeItem(PREFIX + name);
		else localStorage.setItem(PREFIX + name, JSON.stringify(value));
	} catch {
		// private windows may refuse
	}
}
