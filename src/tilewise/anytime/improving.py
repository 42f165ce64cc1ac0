"""The part that looks for shorter solutions: row by row first, then beams, then windows."""

from __future__ import annotations

import time
from collections.abc import Callable

from tilewise import native
from tilewise.anytime import windows
from tilewise.anytime.division import core_of, problem_of_core
from tilewise.anytime.parts import Part
from tilewise.core.limits import Limits, Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import build_algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import DEFAULT
from tilewise.core.stats import Stats
from tilewise.learning.beam import bytes_for, learned_beam
from tilewise.learning.models import MOST_CELLS, model_for
from tilewise.puzzle.board import Goal

FIRST_WIDTH, GROWTH = 100, 4
SAFE = 0.7
"""The share of what is left that the last beam is sized to: one that does not end is lost."""
FOR_WINDOWS = 0.15
"""The share of a beam's time that windows get after it."""
LEAST_GROWTH = 1.2
"""A beam that could not be wider than this times the one before is not worth its time."""
FEWEST_NODES = 200
"""A share of nodes is used up when it leaves fewer than this to a window."""
PATIENT_ROUNDS = 3
"""Rounds without a gain after which windows are given up."""


def improve(part: Part) -> None:
    """Shorten the incumbent until the race is over or the part's share of nodes is used up."""
    _first_answer(part)
    if part.engine == "python":
        improve_by_windows(part)
        return
    if len(part.race.problem.start) <= MOST_CELLS:
        _widen(part, _whole_board)
    else:
        _widen(part, _by_division)
    improve_by_windows(part)


def _first_answer(part: Part) -> None:
    """Row by row, in milliseconds: it is there however short the limit of time is."""
    if part.nodes is not None:
        part.search("human", None, part.limits())
        return
    problem = part.race.problem
    meter = Meter(Limits(), len(problem.start))
    outcome = native.run("python", build_algorithm("human"), problem, None, meter, DEFAULT, None)
    part.spend(outcome.stats)
    if outcome.moves is not None:
        part.race.offer(outcome.moves, "row by row")


Pass = Callable[[Part, int], None]
"""Looks for a solution by beams of a width, and offers it."""


def _widen(part: Part, search: Pass) -> None:
    """Wider and wider beams, each followed by windows; the last one sized to what is left."""
    rounds = windows.rounds()
    width = FIRST_WIDTH
    _load_model(part)
    while not part.over:
        began, nodes = time.perf_counter(), part.nodes
        search(part, width)
        spent = time.perf_counter() - began
        shorten(part, next(rounds), seconds=max(0.02, FOR_WINDOWS * spent))
        if nodes is not None and part.nodes is not None:
            room = part.nodes / max(1, nodes - part.nodes)
        else:
            room = part.race.seconds_left / max(1e-3, time.perf_counter() - began)
        growth = GROWTH if room > GROWTH * (1 + GROWTH) else SAFE * room
        widest = _widest(part)
        if growth < LEAST_GROWTH or width >= widest:
            return
        width = min(int(width * growth), widest)


def _load_model(part: Part) -> None:
    """Read the model now, so that the time of the first beam is its own."""
    problem = part.race.problem
    if len(problem.start) > MOST_CELLS:
        problem = problem_of_core(problem, problem.goal, core_of(problem))
    model_for(Goal(problem.board(problem.goal)))


def _widest(part: Part) -> int:
    """The widest beam that the memory allows."""
    cells, moves = len(part.race.problem.start), part.race.cost or 0
    each = bytes_for(min(cells, MOST_CELLS), 10_000, moves) / 10_000
    return max(FIRST_WIDTH, int(part.memory / each))


def _beam(part: Part, problem: Problem, width: int, most_moves: int | None) -> Outcome:
    outcome = learned_beam(
        problem.board(problem.start),
        Goal(problem.board(problem.goal)),
        width=width,
        most_moves=most_moves,
        limits=part.limits(),
        threads=part.threads,
        cancelled=lambda: part.over,
    )
    part.spend(outcome.stats)
    return outcome


def _whole_board(part: Part, width: int) -> None:
    """A beam over the whole board, which gives up where it cannot be shorter any more."""
    cost = part.race.cost
    outcome = _beam(part, part.race.problem, width, None if cost is None else cost - 1)
    if outcome.moves is not None:
        part.race.offer(outcome.moves, f"beam of width {width:,}")


def _by_division(part: Part, width: int) -> None:
    """The outer lines by placing pairs of tiles, the core by a beam."""
    problem = part.race.problem
    core = core_of(problem)
    lines = native.solve_lines(
        problem,
        core,
        width=max(1, width // FIRST_WIDTH),
        threads=part.threads,
        seconds=part.race.seconds_left,
        stopped=lambda: part.over,
    )
    part.spend(Stats(generated=len(lines)))
    state = problem.replay(lines)
    if any(
        state[cell] != problem.goal[cell] for cell in _outside(problem, core.cells(problem.columns))
    ):
        return
    outcome = _beam(part, problem_of_core(problem, state, core), width, None)
    if outcome.moves is not None:
        part.race.offer(lines + outcome.moves, f"outer lines, then a beam of width {width:,}")


def _outside(problem: Problem, core: list[int]) -> list[int]:
    inside = set(core)
    return [cell for cell in range(len(problem.start)) if cell not in inside]


def improve_by_windows(part: Part) -> None:
    """Rounds of windows over the incumbent, until the longest ones find nothing any more."""
    fruitless = 0
    for what in windows.rounds():
        before = part.race.cost
        shorten(part, what)
        fruitless = fruitless + 1 if part.race.cost == before else 0
        if part.over or (what.length >= windows.LONGEST and fruitless >= PATIENT_ROUNDS):
            return


def shorten(part: Part, what: windows.Round, seconds: float = 1e9) -> None:
    """One round of windows over the incumbent."""
    moves = part.race.moves
    if moves is None or part.over:
        return
    if part.nodes is not None:
        what = windows.within(what, len(moves), part.nodes)
        if what.nodes < FEWEST_NODES:
            part.nodes = 0
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
    part.race.offer(shorter, f"windows of {what.length} moves")
