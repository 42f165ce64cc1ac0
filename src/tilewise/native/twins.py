"""The native twins of registered algorithms and heuristics."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from tilewise.core.build_context import never
from tilewise.core.memo import Memo
from tilewise.core.pattern_sum import PatternSum
from tilewise.core.registry import ConfiguredAlgorithm, Heuristic
from tilewise.core.spec import Spec
from tilewise.errors import CancelledError, EngineError
from tilewise.native.compiled import CHANGES_BY_ONE, LOOPS, compiled
from tilewise.puzzle.board import Goal


class Twin(NamedTuple):
    """A search of the native engine: its kind, and by what its open list is sorted."""

    kind: str
    for_g: int
    for_h: int
    reopen: bool
    """Whether cheaper paths re-open states."""


def twin_of(algorithm: ConfiguredAlgorithm) -> Twin:
    """The native search of an algorithm that has one, as its frontier says."""
    frontier = algorithm.frontier
    return Twin(str(algorithm.entry.native), *frontier.weights, reopen=frontier.reopens)


def loops_with_options(algorithm: ConfiguredAlgorithm) -> list[compiled.Loop]:
    """The loops that take the options of an algorithm that only the native engine has."""
    kind, options = algorithm.entry.native, {*algorithm.native_options}
    return [row for row in LOOPS if row.search.name == kind and options <= {*row.options}]


_MOST_HEURISTICS = 64
"""As in cpp/bind/module.cpp; more are left to the Python engine."""


@lru_cache(maxsize=256)
def parts_of(spec_text: str) -> tuple[str, tuple[str, ...]] | None:
    """How a heuristic is combined, and of what, if all of it is native."""
    spec = Spec.parse(spec_text)
    combined = spec.name if spec.name in ("max", "sum") else "max"
    parts = spec.parts if spec.name in ("max", "sum") else (spec,)
    names = tuple(part.name for part in parts)
    served = set(names) <= {*CHANGES_BY_ONE} and len(names) <= _MOST_HEURISTICS
    return (combined, names) if served else None


class _Estimate(NamedTuple):
    """A native heuristic, and the bytes of the tables that it was given."""

    native: compiled.Estimate
    given: int


_estimates: Memo[tuple[str, Goal], _Estimate] = Memo(
    64, lambda each: each.native.nbytes + each.given
)


def estimate_for(
    heuristic: Heuristic | None, goal: Goal, ended: Callable[[], bool] = never
) -> compiled.Estimate:
    """The native heuristic; its tables are made once for a goal, unless that is `ended`."""
    key = (heuristic.spec if heuristic else "zero", goal)
    return _estimates.get(key, lambda: _made(heuristic, key[0], goal, ended), ended).native


def _made(
    heuristic: Heuristic | None, spec: str, goal: Goal, ended: Callable[[], bool]
) -> _Estimate:
    parts = parts_of(spec)
    if parts is None:
        raise EngineError(f"expected a native heuristic, got {spec}")
    try:
        made = compiled.Estimate(
            goal.board.rows,
            goal.board.columns,
            bytes(goal.board.tiles),
            list(parts[1]),
            parts[0],
            [_pattern_groups(part) for part in _with_tables(heuristic)],
            ended,
        )
    except compiled.Ended:
        raise CancelledError("stopped while the tables of a heuristic were being made") from None
    return _Estimate(made, heuristic.table_bytes if heuristic else 0)


def _with_tables(heuristic: Heuristic | None) -> list[PatternSum]:
    """The parts of a heuristic that use pattern databases."""
    parts = () if heuristic is None else heuristic.parts or (heuristic,)
    return [part.estimate for part in parts if isinstance(part.estimate, PatternSum)]


def _pattern_groups(estimate: PatternSum) -> list[list[tuple[Any, list[int], list[int]]]]:
    return [
        [(lookup.table, list(lookup.cells), list(lookup.tiles)) for lookup in view]
        for view in estimate.views
    ]
