"""The native twins of registered algorithms and heuristics."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from tilewise.core.build_context import never
from tilewise.core.configured_algorithm import ConfiguredAlgorithm
from tilewise.core.learned_estimate import LearnedEstimate
from tilewise.core.made_heuristic import Heuristic
from tilewise.core.memo import Memo
from tilewise.core.pattern_sum import PatternSum, View
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
    return Twin(str(algorithm.native_loop), *frontier.weights, reopen=frontier.reopens)


def loops_with_options(algorithm: ConfiguredAlgorithm) -> list[compiled.Loop]:
    """The loops that take the options of an algorithm that only the native engine has."""
    kind, options = algorithm.native_loop, {*algorithm.native_options}
    return [row for row in LOOPS if row.search.name == kind and options <= {*row.options}]


_MOST_HEURISTICS = 64
"""As in cpp/bind/module.cpp; more are left to the Python engine."""


@lru_cache(maxsize=256)
def parts_of(spec_text: str) -> tuple[str, tuple[str, ...]] | None:
    """How a heuristic is combined, and of what, if all of it is native."""
    spec = Spec.parse(spec_text)
    combined = spec.name if spec.name in ("max", "sum") else "max"
    parts = spec.parts if spec.name in ("max", "sum") else (spec,)
    served = all(map(_is_native, parts)) and len(parts) <= _MOST_HEURISTICS
    return (combined, tuple(part.name for part in parts)) if served else None


def _is_native(part: Spec) -> bool:
    """Whether a heuristic is native: of learned ones, all that do not weigh other heuristics."""
    return part.name in CHANGES_BY_ONE and Spec("linear") not in part.parts


class _Estimate(NamedTuple):
    """A native heuristic, and the bytes of the tables that it was given."""

    native: compiled.Estimate
    given: int


_estimates: Memo[tuple[str, tuple[int, ...], int, Hashable], _Estimate] = Memo(
    64, lambda each: each.native.nbytes + each.given
)


def estimate_for(
    heuristic: Heuristic | None, goal: Goal, ended: Callable[[], bool] = never
) -> compiled.Estimate:
    """The native heuristic; its tables are made once for a goal, unless that is `ended`."""
    spec, version = (heuristic.spec, heuristic.version) if heuristic else ("zero", None)
    key = (spec, goal.board.tiles, goal.board.rows, version)
    return _estimates.get(key, lambda: _made(heuristic, spec, goal, ended), ended).native


@lru_cache(maxsize=1)
def _spread_tables() -> compiled.SpreadTables:
    return compiled.SpreadTables()


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
            [_pattern_groups(part) for part in _estimates_of(heuristic, PatternSum)],
            [part.model for part in _estimates_of(heuristic, LearnedEstimate)],
            ended,
            _spread_tables(),
        )
    except compiled.Ended:
        raise CancelledError("stopped while the tables of a heuristic were being made") from None
    return _Estimate(made, heuristic.table_bytes if heuristic else 0)


Kind = TypeVar("Kind")


def _estimates_of(heuristic: Heuristic | None, kind: type[Kind]) -> list[Kind]:
    """The estimates of a kind among the parts of a heuristic, such as those with tables."""
    parts = () if heuristic is None else heuristic.parts or (heuristic,)
    return [part.estimate for part in parts if isinstance(part.estimate, kind)]


_Groups = list[list[tuple[Any, list[int], list[int]]]]


def _pattern_groups(estimate: PatternSum) -> tuple[_Groups, list[_Groups]]:
    return _groups(estimate.views), [_groups(views) for views in estimate.by_cells]


def _groups(views: tuple[View, ...]) -> _Groups:
    return [
        [(lookup.table, list(lookup.cells), list(lookup.tiles)) for lookup in view]
        for view in views
    ]
