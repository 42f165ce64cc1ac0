"""compare(): one board, several searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.limits import Limits
from tilewise.core.made_heuristic import build_heuristic, heuristic_name
from tilewise.core.result import Result
from tilewise.core.rules import DEFAULT, Rules
from tilewise.core.stats import COUNTERS
from tilewise.defaults import default_algorithm
from tilewise.errors import CancelledError, SpecError, shortened
from tilewise.puzzle.board import Board
from tilewise.puzzle.position import Position, WantedGoal, read_position
from tilewise.solving import solve


class Pairing(NamedTuple):
    """An algorithm and the heuristic that it is run with.

    Example:
        >>> Pairing("astar", "manhattan").heuristic
        'manhattan'
    """

    algorithm: str
    """The spec of the algorithm."""
    heuristic: str | None
    """The spec of the heuristic; None is the algorithm's default, or none at all."""


USUAL = (
    Pairing("bfs", None),
    Pairing("bidirectional", None),
    Pairing("ids", None),
    Pairing("astar", "misplaced"),
    Pairing("astar", "manhattan"),
    Pairing("astar", "linear_conflict"),
    Pairing("idastar", "manhattan"),
    Pairing("idastar", "linear_conflict"),
    Pairing("wastar", "linear_conflict"),
    Pairing("greedy", "linear_conflict"),
    Pairing("beam", None),
    Pairing("human", None),
)
"""What is compared when nothing is named: blind, informed, and not optimal."""

SORT_KEYS = ("cost", *(counter.name for counter in COUNTERS))


def pairings(
    board: Board, algorithms: Sequence[str] = (), heuristics: Sequence[str] = ()
) -> list[Pairing]:
    """Pair each algorithm with each heuristic; algorithms that use none come once.

    Args:
        board: The board; without `algorithms` it decides which one is taken.
        algorithms: Specs. With neither these nor heuristics, a dozen usual searches.
        heuristics: Specs. With none, each algorithm has its default.

    Raises:
        SpecError: A spec is unknown, or no algorithm uses a heuristic.

    Example:
        >>> board = Board.parse("8b6 547 231")
        >>> [tuple(pairing) for pairing in pairings(board, ["bfs", "astar"], ["manhattan"])]
        [('bfs', None), ('astar', 'manhattan')]
    """
    if not algorithms and not heuristics:
        return list(USUAL)
    chosen = []
    for algorithm in algorithms or [default_algorithm(board)]:
        if heuristics and build_algorithm(algorithm).entry.needs_heuristic:
            chosen += [Pairing(algorithm, heuristic) for heuristic in heuristics]
        else:
            chosen.append(Pairing(algorithm, None))
    if heuristics and not any(pairing.heuristic for pairing in chosen):
        raise SpecError(
            f"expected an algorithm that uses a heuristic beside {heuristics[0]}, "
            f"got {', '.join(algorithms)}"
        )
    return list(dict.fromkeys(chosen))


def compare(
    board: Position | Board | str,
    goal: WantedGoal,
    chosen: Sequence[Pairing],
    *,
    rules: Rules | str | None = None,
    limits: Limits | None = None,
    engine: str = "auto",
    context: BuildContext = DEFAULT_CONTEXT,
) -> Iterator[Result]:
    """Run several searches on one board.

    Args:
        board: A board, a position or a text.
        goal: As for `solve`; None leaves it to the board.
        chosen: The searches, as `pairings` makes them.
        rules: The rules; a knob that an algorithm does not have is not used there.
        limits: The limits of each search. Tables are built before the first one, unless there is
            a limit of time: then that is one for a search and its tables.
        engine: As for `solve`.
        context: How tables may be built.

    Returns:
        The results, each when its search has ended.

    Raises:
        SpecError: A spec is unknown; all are checked before the first search runs.

    Example:
        >>> board = Board.parse("8b6 547 231")
        >>> results = compare(board, None, pairings(board, ["astar", "greedy"]))
        >>> [(result.algorithm, result.cost) for result in results]
        [('astar', 31), ('greedy', 45)]
    """
    position = read_position(board, goal)
    limited = limits is not None and limits.seconds is not None
    ahead = replace(context, cancelled=lambda: True) if limited else context
    for pairing in chosen:
        build_algorithm(pairing.algorithm)
        if pairing.heuristic:
            heuristic_name(pairing.heuristic)
            with suppress(CancelledError):
                build_heuristic(pairing.heuristic, position.goal, ahead)
    context.check()
    rules = Rules.parse(rules) if isinstance(rules, str) else rules or DEFAULT
    everywhere = replace(rules, given=frozenset())
    return (
        solve(
            position,
            algorithm=pairing.algorithm,
            heuristic=pairing.heuristic,
            rules=everywhere,
            limits=limits,
            engine=engine,
            context=context,
        )
        for pairing in chosen
    )


def ranked(results: Sequence[Result], by: str) -> list[Result]:
    """Sort results, the least first; those without a solution come last.

    Args:
        results: What `compare` gave.
        by: `cost` or the name of a counter.

    Raises:
        SpecError: There is no such counter.

    Example:
        >>> board = Board.parse("8b6 547 231")
        >>> results = list(compare(board, None, pairings(board, ["astar", "greedy"])))
        >>> [result.algorithm for result in ranked(results, "expanded")]
        ['greedy', 'astar']
    """
    if by not in SORT_KEYS:
        raise SpecError(f"expected one of {', '.join(SORT_KEYS)} to sort by, got {shortened(by)}")

    def key(result: Result) -> tuple[bool, float]:
        value = result.cost if by == "cost" else getattr(result.stats, by)
        return not result.solved, float("inf") if value is None else value

    return sorted(results, key=key)
