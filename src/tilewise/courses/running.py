"""The searches of the courses, run like any other: limits, events, cancelling, a Result."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from threading import Event as CancelFlag
from typing import NamedTuple

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.events import Observer
from tilewise.core.limits import Limits, Meter, Progress
from tilewise.core.problem import Problem
from tilewise.core.registry import build_algorithm, build_heuristic
from tilewise.core.result import Result, Status
from tilewise.core.spec import Spec
from tilewise.core.stats import Stats, effective_branching_factor
from tilewise.courses import PROFILES, columbia
from tilewise.courses.cs170 import search as cs170
from tilewise.courses.eecs391 import search as eecs391
from tilewise.errors import BoardError, SpecError, shortened
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.parity import why_unsolvable
from tilewise.solving import solve

DEFAULT_WIDTH, WIDEST = 10, 1_000_000
BLANK_COUNTED = "h1 with the blank"
"""How the heuristic h1 of eecs391 is told apart from the sound one of that name."""


class Method(NamedTuple):
    """What a course calls one of its searches, and what `run_profile` is told to run it."""

    called: str
    algorithm: str | None
    heuristic: str | None


_EECS391 = (
    Method("solveAStar h1", "astar", "h1"),
    Method("solveAStar h2", "astar", "h2"),
    Method("solveBeam", "beam", None),
)
METHODS: dict[str, tuple[Method, ...]] = {
    "eecs391": _EECS391,
    "eecs391-table": _EECS391,
    "columbia": tuple(Method(word, name, None) for word, name in columbia.METHODS.items()),
    "cs170": (
        Method("Uniform Cost Search", None, "zero"),
        Method("Misplaced Tile heuristic", None, "misplaced"),
        Method("Manhattan Distance heuristic", None, "manhattan"),
    ),
}
"""The searches of each profile."""


class Own(NamedTuple):
    """A search of a profile's own, as `Result.algorithm` names it: cs170, eecs391-beam(width=5)."""

    profile: str
    kind: str
    width: int | None = None

    @property
    def method(self) -> str | None:
        """What `run_profile` is told as its algorithm."""
        if self.profile == "cs170":
            return None
        return self.kind if self.width is None else f"{self.kind}(width={self.width})"

    def __str__(self) -> str:
        return self.profile if self.method is None else f"{self.profile}-{self.method}"


def own_search(text: str) -> Own | None:
    """The profile's own search of that name; None for every other text."""
    if text == "cs170":
        return Own("cs170", "astar")
    name, _, _ = text.partition("(")
    for profile in eecs391.DIALECTS:
        for kind in ("astar", "beam"):
            if name == f"{profile}-{kind}":
                return _eecs391(profile, text.removeprefix(f"{profile}-"))
    return None


def _eecs391(profile: str, algorithm: str) -> Own:
    spec = Spec.parse(algorithm)
    options = dict(spec.options)
    if spec.name == "astar" and not options and not spec.parts:
        return Own(profile, "astar")
    text = options.pop("width", str(spec.parts[0]) if spec.parts else str(DEFAULT_WIDTH))
    if spec.name != "beam" or options or not text.isdecimal() or not 1 <= int(text) <= WIDEST:
        raise SpecError(
            f"expected astar or beam(width={DEFAULT_WIDTH}) for the profile {profile}, "
            f"got {shortened(algorithm)}"
        )
    return Own(profile, "beam", int(text))


def search_name(profile: str, algorithm: str | None) -> str:
    """The name of a course's search, as `Result.algorithm` has it; refuses what there is not."""
    if profile not in PROFILES:
        raise SpecError(f"expected a profile {', '.join(PROFILES)}; got {shortened(profile)}")
    if profile == "columbia":
        return columbia.METHODS.get(algorithm or "ast", algorithm or "astar")
    return str(
        Own(profile, "astar") if profile == "cs170" else _eecs391(profile, algorithm or "astar")
    )


def run_profile(
    profile: str,
    board: Board,
    *,
    algorithm: str | None = None,
    heuristic: str | None = None,
    goal: Goal | str = "auto",
    limits: Limits | None = None,
    observer: Observer | None = None,
    cancel: CancelFlag | None = None,
    progress: Progress | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
) -> Result:
    """Solve a board as a course's program does.

    columbia: bfs, dfs, astar, idastar; cs170: the heuristics zero, misplaced, manhattan; the two
    of eecs391: astar with h1 or h2, beam(width=10), on 3x3, stopped at 10,000 nodes if no limit
    is set, its random numbers those of a program just started.
    """
    name = search_name(profile, algorithm)
    limits = limits or Limits()
    if profile == "columbia":
        needs = build_algorithm(name).entry.needs_heuristic
        return solve(
            board,
            goal=PROFILES[profile].goal if goal == "auto" else goal,
            algorithm=name,
            heuristic=heuristic or (PROFILES[profile].heuristics["ast"] if needs else None),
            rules=profile,
            limits=limits,
            observer=observer,
            cancel=cancel,
            progress=progress,
            context=context,
        )
    target = Goal.named(PROFILES[profile].goal, board.rows, board.columns)
    if goal != "auto" and goal not in (target, target.name):
        other = goal.name if isinstance(goal, Goal) else goal
        raise SpecError(f"expected the goal {target.name} of {profile}, got {shortened(other)}")
    search = _cs170 if profile == "cs170" else _of_eecs391
    draft, run = search(profile, board, target, algorithm, heuristic)
    if not target.reachable_from(board):
        return replace(draft, note=why_unsolvable(board, target))
    most = limits.generated or eecs391.DEFAULT_MAX_NODES
    if profile in eecs391.DIALECTS:  # which count what they make, by a rule of their own
        limits = replace(limits, generated=None)
    meter = Meter(limits, len(board.tiles), cancel, progress)
    return _finished(run(meter, most, observer), meter)


Run = Callable[[Meter, int, Observer | None], Result]
"""A search within a meter, and a number of nodes for programs that count them in their own way."""


def _cs170(
    profile: str, board: Board, goal: Goal, algorithm: str | None, heuristic: str | None
) -> tuple[Result, Run]:
    if algorithm is not None:
        raise SpecError(
            f"expected nothing but a heuristic beside the profile {profile}, which has its own "
            f"search; got {shortened(algorithm)}"
        )
    h = build_heuristic(heuristic or "manhattan", goal)
    draft = _draft(board, goal, Own(profile, "astar"), h.spec)

    def run(meter: Meter, most: int, observer: Observer | None) -> Result:
        outcome = cs170.search(Problem(board, goal), h.estimate, meter, observer)
        solved = outcome.status is Status.SOLVED
        return replace(
            draft,
            status=outcome.status,
            moves=outcome.moves,
            stats=outcome.stats,
            optimal=solved and h.admissible,
        )

    return draft, run


def _of_eecs391(
    profile: str, board: Board, goal: Goal, algorithm: str | None, heuristic: str | None
) -> tuple[Result, Run]:
    own = _eecs391(profile, algorithm or "astar")
    if board.shape != eecs391.GOAL.board.shape:
        raise BoardError(f"expected a 3x3 board for the profile {profile}, got {board.shape}")
    names = {"h1": "h1", BLANK_COUNTED: "h1", None: "h2", "h2": "h2", "manhattan": "h2"}
    if own.kind == "astar" and heuristic not in names:
        raise SpecError(f"expected the heuristic h1 or h2 for {own}, got {shortened(heuristic)}")
    if own.kind == "beam" and heuristic not in (None, "h1 + h2"):
        raise SpecError(f"expected no heuristic for {own}, which has h1 + h2")
    name = names.get(heuristic, "h2")
    told = {"h1": BLANK_COUNTED, "h2": "manhattan"}[name] if own.kind == "astar" else "h1 + h2"
    draft = _draft(board, goal, own, told)

    def run(meter: Meter, most: int, observer: Observer | None) -> Result:
        dialect, stats = eecs391.DIALECTS[profile], Stats()
        actions = eecs391.Actions(dialect, random.Random(eecs391.DEFAULT_SEED))
        if own.width is None:
            h = eecs391.HEURISTICS[name]()
            answer = eecs391.astar(board, h, actions, most, meter, observer, stats)
        else:
            answer = eecs391.beam(board, own.width, dialect, actions, most, meter, observer, stats)
        solved = answer.status is Status.SOLVED
        counted = f"the course's program counts {answer.nodes:,} nodes generated"
        return replace(
            draft,
            status=answer.status,
            moves=answer.moves,
            stats=stats,
            optimal=solved and told == "manhattan",
            note=counted if solved or answer.status is Status.STUCK else None,
        )

    return draft, run


def _draft(board: Board, goal: Goal, own: Own, heuristic: str) -> Result:
    return Result(
        status=Status.UNSOLVABLE,
        moves=None,
        board=board,
        goal=goal,
        algorithm=str(own),
        heuristic=heuristic,
        rules=own.profile,
        engine="python",
        optimal=False,
    )


def _finished(result: Result, meter: Meter) -> Result:
    stats = result.stats
    stats.seconds = meter.seconds
    stats.peak_memory = stats.peak_stored * meter.bytes_per_state
    if result.moves is not None:
        depth = len(result.moves)
        stats.effective_branching_factor = effective_branching_factor(stats.generated, depth)
    return result
