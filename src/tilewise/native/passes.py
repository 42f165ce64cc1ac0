"""Single passes of IDA* in parts: the roots of their subtrees, and the subtrees one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tilewise.core.build_context import never
from tilewise.core.made_heuristic import Heuristic
from tilewise.core.problem import Problem
from tilewise.errors import EngineError
from tilewise.native.built_from import why_absent
from tilewise.native.compiled import NATIVE, compiled
from tilewise.native.searching import automaton_for
from tilewise.native.statuses import LARGEST
from tilewise.native.twins import estimate_for, parts_of


class SubtreeCount(NamedTuple):
    """What searching one subtree whole came to."""

    number: int
    """Its place among the roots that were given."""
    expanded: int
    generated: int
    max_depth: int
    least_above: int | None
    """The least f above the bound, None if nothing was cut off."""


class PassTop(NamedTuple):
    """The top of a pass: what was expanded there, and the roots of all that is below it."""

    roots: list[str]
    stopped: bool
    moves: str | None
    """A solution, if the goal is in the top."""
    least_above: int | None
    expanded: int
    generated: int
    max_depth: int


Report = Callable[[list[SubtreeCount], int], bool]
"""Called about every 50 ms with what is done since, and all nodes so far; True stops."""


MOST_CELLS = 25
"""Of boards whose passes can be made in parts, as in cpp/include/tilewise/patterns/followed.hpp."""


def check_served(heuristic: Heuristic) -> None:
    """Refuse a heuristic with which passes cannot be made in parts."""
    if not NATIVE:
        raise EngineError(f"a proof needs the native engine, which is not here: {why_absent()}")
    parts = parts_of(heuristic.spec)
    tables = parts is not None and parts[1] in (("pdb",), ("manhattan",))
    if not (heuristic.built_in and tables):
        raise EngineError(f"expected pdb(...) or manhattan for a proof, got {heuristic.spec}")
    board = heuristic.goal.board
    if len(board.tiles) > MOST_CELLS:
        raise EngineError(f"expected a board of at most {MOST_CELLS} cells, got {board.shape}")


def top_of_pass(
    problem: Problem,
    heuristic: Heuristic,
    *,
    bound: int,
    wanted: int,
    words: int,
    ended: Callable[[], bool] = never,
) -> PassTop:
    """The top of a pass: at least `wanted` roots, unless the pass is smaller."""
    return PassTop(
        *compiled.roots(
            estimate_for(heuristic, heuristic.goal, ended),
            bytes(problem.start),
            bound=bound,
            wanted=wanted,
            order=problem.order,
            automaton=automaton_for(words, problem.order, ended),
            poll=ended,
        )
    )


def probe_roots(
    problem: Problem, heuristic: Heuristic, bound: int, nodes: int, ended: Callable[[], bool]
) -> PassTop:
    """Open nodes of a best-first search of this many nodes, smallest h first; or a solution."""
    return PassTop(
        *compiled.probe_roots(
            estimate_for(heuristic, heuristic.goal, ended),
            bytes(problem.start),
            bound=bound,
            nodes=nodes,
            wanted=nodes,
            order=problem.order,
            poll=ended,
        )
    )


def search_subtrees(
    problem: Problem,
    heuristic: Heuristic,
    roots: Sequence[str],
    *,
    bound: int,
    words: int,
    threads: int,
    memory: int,
    expected: int,
    report: Report,
) -> tuple[bool, str | None]:
    """Search subtrees of a pass: whether it was stopped, and a solution if one was found.

    `expected` are the nodes that they have about: for many, faster tables are made first.
    """
    return compiled.search_roots(
        estimate_for(heuristic, heuristic.goal),
        bytes(problem.start),
        list(roots),
        bound=bound,
        order=problem.order,
        automaton=automaton_for(words, problem.order, never),
        threads=threads,
        memory=min(memory, LARGEST),
        expected=min(expected, LARGEST),
        poll=lambda done, generated: report([SubtreeCount(*each) for each in done], generated),
    )
