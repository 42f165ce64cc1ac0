"""The part that looks for shorter solutions: row by row first, then beams, then windows."""

from __future__ import annotations

import time
from bisect import bisect
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, islice

from tilewise import native
from tilewise.anytime import segments, windows
from tilewise.anytime.division import core_of, problem_of_core
from tilewise.anytime.parts import RacePart
from tilewise.anytime.proving import PROVABLE_CELLS
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.limits import Limits, Meter
from tilewise.core.problem import Problem
from tilewise.core.result import Outcome
from tilewise.core.rules import DEFAULT
from tilewise.core.stats import Stats
from tilewise.errors import CancelledError
from tilewise.learning.learned_beam import (
    MOST_WIDTH,
    Beam,
    bytes_for,
    learned_beam,
    way_towards,
)
from tilewise.learning.models import MOST_CELLS, model_for
from tilewise.puzzle.board import Goal

FIRST_WIDTH, GROWTH = 100, 4
LEAST_WIDTH = 10
"""Of the first beams, where a limit of nodes leaves room for no wider ones."""
SAFE = 0.8
"""The share of what is left that the last pass is sized to: a beam that does not end is lost."""
SAFE_BEAMS, MORE_THAN_EXPECTED = 0.97, 2
"""The same for beams that become narrower when they are slow, and how much wider than expected they
may be when they are fast."""
ROOM_FOR_LAST = 40
"""The last beams come when what is left is at most this many times what the ones before took, or
one round later if the proof still runs beside them then: what they took says little."""
NARROWING_FROM = 20_000
"""The least width of beams that become narrower in the last third of the way. Narrower ones lose
the path there, too, and so do beams by values that are stretched."""
FOR_WINDOWS = 0.15
"""The share of a beam's time that windows get after it."""
FOR_SWEEPS = 0.5
"""The same for beams over segments, on boards that are too large for a beam to come to the goal."""
SWEEPS, NARROWER = 4, 8
"""Sweeps over segments that follow the beams of a width on other boards: segments are shorter, so
that beams of an eighth of the width serve them."""
LINE_WIDTH = 4
"""Boards that are kept after each placement of tiles of the outer lines."""
LEAST_GROWTH = 1.2
"""A beam that could not be wider than this times the one before is not worth its time."""
FEWEST_NODES = 200
"""A share of nodes is used up when it leaves fewer than this to a window."""
FEWEST_CELLS = 17
"""On smaller boards windows alone find all that segments would."""
PATIENT_ROUNDS = 3
"""Rounds without a gain after which windows are given up."""


def improve(part: RacePart) -> None:
    """Shorten the incumbent until the race is over or the part's share of nodes is used up."""
    _first_answer(part)
    if part.engine == "python":
        improve_by_parts(part)
        return
    width = _widen(part, _by_division if _is_large(part) else _whole_board)
    width = segments.FIRST_WIDTH if _is_large(part) else _for_segments(width)
    improve_by_parts(part, width)
    while not part.over and len(part.race.problem.start) > PROVABLE_CELLS:
        improve_by_parts(part, width)  # the bound is left alone there: nothing else uses the time


def _is_large(part: RacePart) -> bool:
    return len(part.race.problem.start) > MOST_CELLS


def _first_answer(part: RacePart) -> None:
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


Pass = Callable[[RacePart, int], float]
"""Looks for a solution by beams of a width, and offers it. Returns how long the last one took."""


def _widen(part: RacePart, search: Pass) -> int:
    """Wider and wider beams, each followed by parts; the last one is sized to what is left.

    Returns its width.
    """
    rounds, sweeps, numbers = windows.rounds(), segments.sweeps(), count()
    width = _first_width(part)
    _load_model(part)
    while not part.over:
        began, nodes = time.perf_counter(), part.nodes
        last = search(part, width)
        spent = time.perf_counter() - began
        if _is_large(part):
            improve_by_sweeps(part, sweeps, FOR_SWEEPS * spent)
        else:
            for number in islice(numbers, SWEEPS):
                _sweep(part, segments.Sweep(number, _for_segments(width)))
        shorten(part, next(rounds), seconds=max(0.02, FOR_WINDOWS * spent))
        if nodes is not None and part.nodes is not None:
            room = part.nodes / max(1, nodes - part.nodes)
        else:
            room = part.race.seconds_left / max(1e-3, time.perf_counter() - began)
        growth: float = GROWTH
        if _beams_have_the_time(part):
            if room <= ROOM_FOR_LAST / (1 if part.race.proof_ended.is_set() else GROWTH):
                return _last_beams(part, width, last)
        elif room <= GROWTH * (1 + GROWTH):
            growth = SAFE * room
        widest = _widest(part)
        if growth < LEAST_GROWTH or width >= widest:
            break
        width = min(int(width * growth), widest)
    return width


def _beams_have_the_time(part: RacePart) -> bool:
    """Whether no proof runs beside the last beams, nor long sweeps after them."""
    cells = len(part.race.problem.start)
    return part.nodes is None and PROVABLE_CELLS < cells <= MOST_CELLS


def _last_beams(part: RacePart, width: int, seconds: float) -> int:
    """A beam from each side, which share the time that is left; returns how wide they are, about.

    A beam of this width took the seconds. It says how wide they could be; they keep fewer boards if
    it takes that to end in time.
    """
    for backwards, share in ((False, 0.5), (True, 1.0)):
        ends_in = SAFE_BEAMS * share * part.race.seconds_left
        wider = width * ends_in / max(1e-3, seconds)
        if part.over or wider < LEAST_GROWTH * width:
            return width
        widest = min(int(MORE_THAN_EXPECTED * wider), _widest(part))
        _one_side(part, widest, backwards=backwards, ends_in=ends_in)
    return int(wider)


def _first_width(part: RacePart) -> int:
    """The first beams must come to the goal within the nodes: two of half of the cost's depth."""
    if part.nodes is None or part.race.cost is None or _is_large(part):
        return FIRST_WIDTH
    return max(LEAST_WIDTH, min(FIRST_WIDTH, part.nodes // (2 * part.race.cost)))


def _for_segments(width: int) -> int:
    """How wide beams over segments are, beside beams of a width over the whole board."""
    return max(segments.FIRST_WIDTH, width // NARROWER)


def _load_model(part: RacePart) -> None:
    """Read the model now, so that the time of the first beam is its own."""
    problem = part.race.problem
    if _is_large(part):  # the core's model is ready first, and is enough for a good answer
        _finish(part, "", FIRST_WIDTH, f"outer lines, then a beam of width {FIRST_WIDTH}")
    with suppress(CancelledError):
        model_for(Goal(problem.board(problem.goal)), lambda: part.over)


def _widest(part: RacePart) -> int:
    """The widest beam that the memory allows."""
    cells, moves = len(part.race.problem.start), part.race.cost or 0
    widths = range(FIRST_WIDTH, MOST_WIDTH + 1)
    fitting = bisect(widths, part.memory, key=lambda width: bytes_for(cells, width, moves))
    return widths[max(0, fitting - 1)]


def _beam(
    part: RacePart,
    problem: Problem,
    width: int,
    most_moves: int | None,
    *,
    backwards: bool = False,
    ends_in: float = 0.0,
) -> Outcome:
    goal = Goal(problem.board(problem.goal))
    outcome = learned_beam(
        problem.board(problem.start),
        goal,
        width=width,
        most_moves=most_moves,
        limits=part.limits(),
        threads=part.threads,
        cancelled=lambda: part.over,
        backwards=backwards,
        narrows=_may_narrow(part, goal, width),
        ends_in=ends_in,
    )
    part.spend(outcome.stats)
    return outcome


def _may_narrow(part: RacePart, goal: Goal, width: int) -> bool:
    if len(part.race.problem.start) <= PROVABLE_CELLS or width < NARROWING_FROM:
        return False
    return model_for(goal, lambda: part.over).trained


def _whole_board(part: RacePart, width: int) -> float:
    """Beams from both sides, which give up where they cannot be shorter any more."""
    seconds = _one_side(part, width, backwards=False)
    return seconds if part.over else _one_side(part, width, backwards=True)


def _one_side(part: RacePart, width: int, *, backwards: bool, ends_in: float = 0.0) -> float:
    """Returns how long it took."""
    began, cost = time.perf_counter(), part.race.cost
    most = None if cost is None else cost - 1
    outcome = _beam(part, part.race.problem, width, most, backwards=backwards, ends_in=ends_in)
    if outcome.moves is not None:
        side = ", backwards" if backwards else ""
        part.race.offer(outcome.moves, f"beam of width {width:,}{side}")
    return time.perf_counter() - began


def _by_division(part: RacePart, width: int) -> float:
    """A beam over the whole board as far as it leads, then the outer lines, then the core."""
    began = time.perf_counter()
    problem = part.race.problem
    board, goal = problem.board(problem.start), Goal(problem.board(problem.goal))
    most = None if part.race.cost is None else part.race.cost - 1
    half = None if part.nodes is None else part.nodes // 2
    limits = part.limits(nodes=half)
    beam = Beam(width, most, limits, part.threads, cancelled=lambda: part.over)
    way, stats = way_towards(board, goal, beam)
    part.spend(stats)
    _finish(part, way, width, f"beam of width {width:,}")
    return time.perf_counter() - began


def _finish(part: RacePart, way: str, width: int, called: str) -> None:
    """From where a way leads to: the outer lines by placing pairs of tiles, the core by a beam."""
    problem = part.race.problem
    left = Problem(problem.board(problem.replay(way)), Goal(problem.board(problem.goal)))
    core = core_of(problem)
    lines = native.solve_lines(
        left,
        core,
        width=LINE_WIDTH,
        threads=part.threads,
        seconds=part.race.seconds_left,
        stopped=lambda: part.over,
    )
    part.spend(Stats(generated=len(lines)))
    state = left.replay(lines)
    inside = set(core.cells(problem.columns))
    if any(state[cell] != home for cell, home in enumerate(problem.goal) if cell not in inside):
        return
    outcome = _beam(part, problem_of_core(problem, state, core), width, None)
    if outcome.moves is not None:
        part.race.offer(way + lines + outcome.moves, called)


def improve_by_sweeps(part: RacePart, sweeps: Iterator[segments.Sweep], seconds: float) -> None:
    """Sweeps of beams over segments of the incumbent, for a time or at least once."""
    ends = time.perf_counter() + seconds
    while part.race.moves is not None and not part.over:
        _sweep(part, next(sweeps))
        if part.nodes is not None or time.perf_counter() >= ends:
            return


def _sweep(part: RacePart, sweep: segments.Sweep) -> None:
    if part.race.moves is None or part.over:
        return
    path = segments.sweep_over(
        part.race.problem,
        part.race.moves,
        sweep,
        threads=part.threads,
        limits=part.limits,
        stopped=lambda: part.over,
        spend=part.spend,
    )
    part.race.offer(path, f"beams of width {sweep.width:,} over segments")


def improve_by_parts(part: RacePart, width: int = segments.FIRST_WIDTH) -> None:
    """Windows and segments of the incumbent, until the longest windows find nothing any more.

    The first beams over segments have this width.
    """
    fruitless, sweeps = 0, segments.sweeps(width)
    for what in windows.rounds():
        before = part.race.cost
        shorten(part, what)
        if part.engine == "native" and len(part.race.problem.start) >= FEWEST_CELLS:
            improve_by_sweeps(part, sweeps, 0.0)
        fruitless = fruitless + 1 if part.race.cost == before else 0
        if part.over or (what.length >= windows.LONGEST and fruitless >= PATIENT_ROUNDS):
            return


def shorten(part: RacePart, what: windows.Round, seconds: float = 1e9) -> None:
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
