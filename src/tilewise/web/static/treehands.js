// Fingers, mouse and wheel on the search tree.

import { STEP_X, STEP_Y } from './tree.js';

/** Panning, pinching, choosing nodes, and the map. */
export function listen(tree) {
	const { svg } = tree;
	const fingers = new Map();
	let moved = 0;
	svg.addEventListener('pointerdown', (event) => {
		if (!tree.replay) return;
		fingers.set(event.pointerId, event);
		svg.setPointerCapture(event.pointerId);
		moved = 0;
		tree.touched = event.target.closest?.('[data-item]');
	});
	svg.addEventListener('pointermove', (event) => {
		const before = fingers.get(event.pointerId);
		if (!before) return;
		const others = [...fingers.values()].filter((finger) => finger.pointerId !== event.pointerId);
		if (others.length) {
			const spread = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
			const box = svg.getBoundingClientRect();
			tree.zoom(spread(event, others[0]) / Math.max(1, spread(before, others[0])), [(event.clientX + others[0].clientX) / 2 - box.left, (event.clientY + others[0].clientY) / 2 - box.top]);
		} else {
			tree.pan(before.clientX - event.clientX, before.clientY - event.clientY);
		}
		moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
		if (moved > 8 && tree.following) tree.follow(false);
		fingers.set(event.pointerId, event);
	});
	const end = (event) => {
		if (fingers.delete(event.pointerId) && moved <= 8 && event.type === 'pointerup') {
			const item = tree.touched ? Number(tree.touched.dataset.item) : tree.itemAt(event);
			if (item < 0) return;
			tree.choose(item);
			tree.onchoose(tree.items.node[item]);
		}
	};
	svg.addEventListener('pointerup', end);
	svg.addEventListener('pointercancel', end);
	svg.addEventListener(
		'wheel',
		(event) => {
			if (!tree.replay) return;
			event.preventDefault();
			const box = svg.getBoundingClientRect();
			tree.zoom(Math.exp(-event.deltaY * 0.0015), [event.clientX - box.left, event.clientY - box.top]);
		},
		{ passive: false },
	);
	svg.addEventListener('keydown', (event) => tree.key(event));
	const jump = (event) => {
		if (event.type === 'pointermove' && !event.buttons) return;
		const box = tree.map.canvas.getBoundingClientRect();
		const { layout } = tree;
		tree.follow(false);
		tree.camera.x = (layout.low - 0.5 + ((event.clientX - box.left) / box.width) * (layout.high - layout.low + 1)) * STEP_X;
		tree.camera.y = (((event.clientY - box.top) / box.height) * layout.rows.length - 0.5) * STEP_Y;
		tree.draw();
	};
	for (const name of ['pointerdown', 'pointermove']) tree.mapFrame.addEventListener(name, jump);
}
