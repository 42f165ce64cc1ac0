// Before the first paint: the theme that was chosen earlier, else the system's, also when that changes.
(() => {
	const system = matchMedia('(prefers-color-scheme: dark)');
	const stored = () => {
		try {
			return localStorage.getItem('tilewise-theme');
		} catch {
			return null; // a browser without storage follows the system
		}
	};
	const show = () => {
		const chosen = ['light', 'dark'].find((theme) => stored()?.includes(theme));
		document.documentElement.dataset.theme = chosen ?? (system.matches ? 'dark' : 'light');
	};
	show();
	system.addEventListener('change', show);
})();
