"""The part that looks for shorter solutions: row by row first, then beams, then windows."""

from __future__ import annotations

import time

from tilewise.anytime import windows
from tilewise.anytime.parts import Part
from tilewise.core.registry import build_heuristic
from tilewise.core.stats import Stats

BEAM_HEURISTIC = "sum(misplaced, manhattan)"
FIRST_WIDTH, GROWTH = 100, 5
FIRST_ROUNDS = 3
"""Rounds of windows over the first answer before it is shown."""


def improve(part: Part) -> None:
    """Shorten the incumbent until the race is over or the part's share of nodes is used up."""
    _as_people_do(part)
    rounds = windows.rounds()
    h = build_heuristic(BEAM_HEURISTIC, part.goal)
    width, stuck = FIRST_WIDTH, False
    while not part.over:
        began = time.perf_counter()
        if not stuck:
            outcome = part.search(f"beam(width={width})", h, part.limits())
            stuck = outcome.moves is None
            width *= GROWTH
        spent = time.perf_counter() - began
        shorten(part, next(rounds), seconds=max(0.05, spent))


def _as_people_do(part: Part) -> None:
    """The first answer: a long one, at once, with its worst detours taken out."""
    outcome = part.search("human", None, part.limits())
    del outcome


def shorten(part: Part, what: windows.Round, seconds: float) -> None:
    """One round of windows over the incumbent."""
    moves = part.race.moves
    if moves is None or part.over:
        return
    shorter, generated = windows.shorten(
        part.race.problem,
        moves,
        what,
        engine=part.engine,
        threads=part.threads,
        seconds=min(seconds, part.race.seconds_left),
        stopped=lambda: part.over,
    )
    part.spend(Stats(generated=generated))
    part.race.offer(shorter, "windows")
