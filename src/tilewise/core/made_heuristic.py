"""Heuristics made from their specs, each for one goal. A user's own are checked at each call."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.entries import CONTEXT_OPTION, Estimate, HeuristicEntry, Tabled
from tilewise.core.memo import Memo
from tilewise.core.problem import State
from tilewise.core.registry import HEURISTICS, WHEN_CHANGED, find, spec_of
from tilewise.core.spec import Spec
from tilewise.core.spec_options import completed, option_text
from tilewise.errors import BoardError, SpecError, TilewiseError, in_one_line, shortened
from tilewise.puzzle.board import Board, Goal

LARGEST_ESTIMATE = 1_000_000
MOST_KEPT = 64
"""Heuristics that are kept after they were built, the last used ones."""


@dataclass(frozen=True)
class Heuristic:
    """An estimate of the moves to one goal. Call it with a `Board`; `make_heuristic` makes one.

    Example:
        >>> import tilewise as tw
        >>> h = tw.make_heuristic("manhattan", tw.Goal.blank_first(3, 3))
        >>> h(tw.Board.parse("8b6 547 231")), h.admissible, h.consistent
        (21, True, True)
    """

    spec: str
    """Its spec in the normal form."""
    goal: Goal
    """The goal that it was made for."""
    estimate: Estimate
    """The same on plain tuples of tiles, as searches call it."""
    admissible: bool
    """Whether it is declared never to exceed the distance."""
    consistent: bool
    """Whether it is declared to change by at most 1 with a move."""
    built_in: bool = False
    """Whether it comes with tilewise."""
    parts: tuple[Heuristic, ...] = ()
    """The heuristics that it combines."""
    changes_by_one: bool = False
    """Whether it is declared to change by exactly 1 with every move."""
    table_bytes: int = 0
    """The memory of its tables, without those that are mapped from files."""
    fractions: bool = False
    """Whether its values may be fractions."""
    version: Hashable = None
    """Which file it was made of, where that can change."""

    def __call__(self, board: Board) -> int:
        if not isinstance(board, Board):
            raise BoardError(f"expected a Board, got {shortened(board)}")
        if (board.rows, board.columns) != (self.goal.board.rows, self.goal.board.columns):
            raise BoardError(f"expected a {self.goal.board.shape} board, got {board.shape}")
        return self.estimate(board.tiles)


_heuristics_made: Memo[tuple[Spec, tuple[int, ...], int, Hashable], Heuristic] = Memo(
    MOST_KEPT, lambda made: made.table_bytes
)
WHEN_CHANGED.append(_heuristics_made.clear)


def build_heuristic(
    text: str | Spec, goal: Goal, context: BuildContext = DEFAULT_CONTEXT
) -> Heuristic:
    """The heuristic that a spec names, made for a goal; its tables are built in the context.

    A finished heuristic is kept for all callers, whatever their contexts; one whose building
    failed or was cancelled is not, and contexts are never kept.
    """
    spec = spec_of(text, "heuristic")
    version = _version(spec, goal)
    return _heuristics_made.get(
        (spec, goal.board.tiles, goal.board.rows, version),
        lambda: replace(_built(spec, goal, context), version=version),
        context.cancelled,
    )


def _version(spec: Spec, goal: Goal) -> Hashable:
    """What a heuristic would be made of now, where that can change."""
    entry: HeuristicEntry = find(HEURISTICS, spec.name, "heuristic")
    if entry.combines:
        return tuple([_version(part, goal) for part in spec.parts])
    if entry.version is None:
        return None
    return entry.version(goal, **completed(entry.name, entry.options, spec))


def estimate_from_start(heuristic: Heuristic, start: Goal, otherwise: str) -> Estimate:
    """An estimate of the moves between the start and a state, for a search from the goal.

    The same heuristic, made for the start as its goal. One that needs tables for each goal, or is
    not registered, is replaced by the one that is named.
    """
    whole = [heuristic, *heuristic.parts]
    entries = [HEURISTICS.get(Spec.parse(each.spec).name) for each in whole]
    made_easily = all(entry and not entry.builds_tables for entry in entries)
    spec = heuristic.spec if made_easily and heuristic.admissible else otherwise
    return _built(Spec.parse(spec), start, DEFAULT_CONTEXT).estimate  # not kept: starts differ


def _built(spec: Spec, goal: Goal, context: BuildContext) -> Heuristic:
    entry: HeuristicEntry = find(HEURISTICS, spec.name, "heuristic")
    if not entry.combines:
        options = completed(entry.name, entry.options, spec)
        for_tables = {CONTEXT_OPTION: context} if entry.builds_tables else {}
        by_place = _by_place(entry, options)
        by_name = {name: value for name, value in options.items() if name not in by_place}
        places = [each for value in by_place.values() for each in value]
        estimate, table_bytes = _made(entry, goal, *places, **by_name, **for_tables)
        return Heuristic(
            _heuristic_spec(entry, options),
            goal,
            estimate,
            entry.admissible,
            entry.consistent,
            entry.built_in,
            changes_by_one=entry.changes_by_one,
            table_bytes=table_bytes,
            fractions=entry.fractions,
        )
    if spec.options:
        raise SpecError(f"expected no options for heuristic {entry.name}, got {spec}")
    if not spec.parts:
        raise SpecError(
            f"expected heuristics to combine, such as {entry.name}(manhattan, gaschnig)"
        )
    parts = [build_heuristic(part, goal, context) for part in spec.parts]
    return Heuristic(
        f"{entry.name}({', '.join(part.spec for part in parts)})",
        goal,
        _made(
            replace(entry, fractions=any(part.fractions for part in parts)),
            goal,
            *(part.estimate for part in parts),
        ).estimate,
        entry.admissible and all(part.admissible for part in parts),
        entry.consistent and all(part.consistent for part in parts),
        entry.built_in and all(part.built_in for part in parts),
        tuple(parts),
        entry.changes_by_one and all(part.changes_by_one for part in parts),
        sum(part.table_bytes for part in parts),
        any(part.fractions for part in parts),
    )


def heuristic_name(text: str) -> str:
    """The spec of a heuristic in its normal form, as `Heuristic.spec` has it."""
    spec = spec_of(text, "heuristic")
    entry: HeuristicEntry = find(HEURISTICS, spec.name, "heuristic")
    if not entry.combines:
        return _heuristic_spec(entry, completed(entry.name, entry.options, spec))
    parts = tuple(Spec.parse(heuristic_name(str(part))) for part in spec.parts)
    return str(Spec(entry.name, parts))


def _heuristic_spec(entry: HeuristicEntry, options: dict[str, Any]) -> str:
    """The normal form: options at their defaults are not shown, the first one has no name."""
    by_place = _by_place(entry, options)
    given = {
        name: option_text(value)
        for name, value in options.items()
        if name not in by_place and value != entry.options[name].default
    }
    first = next(iter(options), "")
    parts: tuple[Spec, ...] = (Spec(given.pop(first)),) if first in given else ()
    if entry.rest is not None and options[entry.rest]:
        parts = tuple(Spec(text) for texts in by_place.values() for text in texts)
    return str(Spec(entry.name, parts, tuple(given.items())))


def _by_place(entry: HeuristicEntry, options: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """The options that stand before further parts of a spec, and those parts."""
    if entry.rest is None or not options[entry.rest]:
        return {} if entry.rest is None else {entry.rest: ()}
    before = list(entry.options)[: list(entry.options).index(entry.rest)]
    return {name: (options[name],) for name in before} | {entry.rest: options[entry.rest]}


def _made(entry: HeuristicEntry, goal: Goal, *parts: Any, **options: Any) -> Tabled:
    """What the factory of a heuristic makes; a user's own may fail."""
    made: Any
    try:
        made = entry.factory(goal, *parts, **options)
    except TilewiseError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if entry.built_in:
            raise
        raise SpecError(f"heuristic {entry.name} failed: {in_one_line(error)}") from error
    tabled = made if isinstance(made, Tabled) else Tabled(made, 0)
    if not callable(tabled.estimate):
        raise SpecError(
            f"expected heuristic {entry.name} to make a function of a board, got {shortened(made)}"
        )
    if entry.built_in and not entry.on_boards:
        return tabled
    return tabled._replace(estimate=_checked(entry, tabled.estimate, goal))


def _checked(entry: HeuristicEntry, function: Callable[[Any], int], goal: Goal) -> Estimate:
    """A user's own estimate on raw states; what is wrong with it is an error that names it."""
    rows, columns, name = goal.board.rows, goal.board.columns, entry.name
    on_boards = entry.on_boards and not entry.combines

    def estimate(state: State) -> int:
        try:
            value = function(Board.trusted(rows, columns, state) if on_boards else state)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if isinstance(error, TilewiseError) and (entry.combines or entry.fractions):
                raise  # of a part or a plain function, whose name it has
            board = Board.trusted(rows, columns, state)
            raise SpecError(f"heuristic {name} failed on {board}: {in_one_line(error)}") from error
        number = type(value) is int or (entry.fractions and type(value) is float)
        if not number or not 0 <= value <= LARGEST_ESTIMATE:
            large = number and value > 0
            bound = f"at most {LARGEST_ESTIMATE:,}" if large else "at least 0"
            wanted = "number" if entry.fractions else "whole number"
            raise SpecError(
                f"expected a {wanted} of {bound} from heuristic {name}, got {shortened(value)}"
            )
        return value

    return estimate
