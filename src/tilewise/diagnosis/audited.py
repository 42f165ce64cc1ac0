"""Turns a heuristic by name, or any Python function, into one that can be audited."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tilewise import heuristics  # noqa: F401  (registers them)
from tilewise.core.problem import State
from tilewise.core.registry import HEURISTICS, LARGEST_ESTIMATE, build_heuristic
from tilewise.errors import SpecError, TilewiseError, in_one_line, shortened
from tilewise.plugins import load_file
from tilewise.puzzle.board import Board, Goal

TAKES = {
    "board": "h(board), a tilewise Board",
    "tiles": "h(tiles), a tuple of numbers row by row, 0 for the blank",
    "grid": "h(grid), a list of rows",
    "goal": "make(goal), which returns h(board)",
    "board,goal": "h(board, goal), two Boards",
    "tiles,goal": "h(tiles, goal), two tuples",
    "grid,goal": "h(grid, goal), two lists of rows",
}
"""The calling conventions of a heuristic, by the word of the option `--takes`."""
CLAIMS = ("admissible", "consistent")
_TILES = {"tiles", "state", "puzzle", "node", "tuple", "list", "config", "s", "flat"}
_GRIDS = {"grid", "rows", "matrix"}
GOALS = ("first", "last", "snail")
SMALL = 10
"""Shapes of at most this many cells are examined completely."""

HeuristicFunction = Callable[[State], float]


@dataclass(frozen=True)
class AuditedHeuristic:
    """A heuristic under audit: its name, what it claims, and how to make it for a goal."""

    name: str
    claims: frozenset[str]
    make: Callable[[Goal], HeuristicFunction]
    knows_goals: bool
    """Whether it is made for any goal, or has one built in."""

    def goals_for(self, rows: int, columns: int, wanted: str) -> list[Goal]:
        """The goal by that name; with `auto` blank first, on larger boards blank last too.

        With a goal built in: the one where the heuristic is 0.
        """
        if wanted != "auto":
            return [Goal.named(wanted, rows, columns)]
        goals = [Goal.named(name, rows, columns) for name in GOALS]
        if self.knows_goals:
            return goals[:1] if rows * columns <= SMALL else goals[:2]
        zero = [goal for goal in goals if self.make(goal)(goal.board.tiles) == 0]
        return (zero or goals)[:1]


def read_audited(text: str, takes: str = "auto", claims: str | None = None) -> AuditedHeuristic:
    """Take a heuristic by name or spec, or as FILE.py:NAME, for an audit.

    Args:
        text: Such as `manhattan` or `mine.py:my_heuristic`.
        takes: How a function is called; `auto` goes by its parameters.
        claims: `admissible`, `consistent` or both with a comma: what must hold. With None, what a
            registered heuristic declares, and both for a function.

    Raises:
        SpecError: There is no such heuristic, file or function.

    Example:
        >>> sorted(read_audited("manhattan").claims)
        ['admissible', 'consistent']
    """
    path, colon, name = text.rpartition(":")
    if colon and path.endswith(".py"):
        return from_file(path, name, takes, claims)
    if text.endswith(".py"):
        raise SpecError(f"expected FILE.py:NAME, got no name in {shortened(text)}")
    return _registered(text, claims)


def from_file(path: str, name: str, takes: str, claims: str | None) -> AuditedHeuristic:
    """A function of a file; one that it registers is audited as it is registered."""
    module = load_file(path)
    found = getattr(module, name, None)
    for entry in HEURISTICS.values():
        if not entry.built_in and (entry.factory is found or entry.name == name):
            return _registered(entry.name, claims)
    if found is None:
        names = [each for each in vars(module) if callable(getattr(module, each))]
        known = ", ".join(each for each in names if not each.startswith("_")) or "none"
        raise SpecError(
            f"expected a function of {shortened(path)} ({known}), got {shortened(name)}"
        )
    if not callable(found):
        raise SpecError(f"expected a function, got {shortened(found)} as {shortened(name)}")
    return from_callable(found, name, takes, claims)


def from_callable(
    function: Callable[..., Any], name: str, takes: str = "auto", claims: str | None = None
) -> AuditedHeuristic:
    """Take a function as a heuristic, for an audit.

    Args:
        function: A function of a board, or of a board and a goal.
        name: What to call it.
        takes: `board`, `tiles`, `grid` or `goal`: what it is called with. `auto` goes by its
            parameters.
        claims: As for `read_audited`.

    Raises:
        SpecError: It has too many parameters, or `takes` or `claims` is unknown.

    Example:
        >>> from_callable(lambda tiles: sum(t != i for i, t in enumerate(tiles) if t), "mine").name
        'mine'
    """
    how = _calling_convention(function, name) if takes == "auto" else takes
    if how not in TAKES:
        raise SpecError(f"expected --takes auto, {'; '.join(TAKES)}; got {shortened(takes)}")

    def make(goal: Goal) -> HeuristicFunction:
        board = goal.board
        rows, columns = board.rows, board.columns
        call = function
        kind, _, with_goal = how.partition(",")
        if how == "goal":
            call = _called(name, goal.board, function, goal)
            if not callable(call):
                raise SpecError(f"expected {name}(goal) to return h(board), got {shortened(call)}")
        shown: Callable[[State], Any] = {
            "tiles": lambda state: state,
            "grid": lambda state: [
                list(state[i : i + columns]) for i in range(0, rows * columns, columns)
            ],
        }.get(kind, lambda state: Board.trusted(rows, columns, state))
        rest = (shown(board.tiles),) if with_goal else ()

        def value(state: State) -> float:
            try:
                number = call(shown(state), *rest)
            except (Exception, SystemExit) as error:
                raise _failed(name, Board.trusted(rows, columns, state), error) from error
            if type(number) is not int:
                number = _number(name, number)
            if not -LARGEST_ESTIMATE <= number <= LARGEST_ESTIMATE:
                raise SpecError(
                    f"expected numbers of at most {LARGEST_ESTIMATE:,} from {name}, "
                    f"got {shortened(number)}"
                )
            return number  # type: ignore[no-any-return]

        return value

    return AuditedHeuristic(name, chosen_claims(claims, CLAIMS), make, knows_goals="goal" in how)


def _registered(text: str, claims: str | None) -> AuditedHeuristic:
    sample = build_heuristic(text, Goal.blank_first(3, 3))
    declared = [name for name in CLAIMS if getattr(sample, name)]

    def make(goal: Goal) -> HeuristicFunction:
        return build_heuristic(text, goal).estimate

    return AuditedHeuristic(sample.spec, chosen_claims(claims, declared), make, knows_goals=True)


def _calling_convention(function: Callable[..., Any], name: str) -> str:
    """By the number of parameters without a default, by their annotations, then their names."""
    try:
        parameters = [
            each
            for each in inspect.signature(function).parameters.values()
            if each.default is each.empty
            and each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
        ]
    except (TypeError, ValueError):
        return "board"
    if len(parameters) not in (1, 2):
        raise SpecError(
            f"expected {name} to take a board, or a board and a goal, got {len(parameters)} "
            "parameters"
        )
    first = parameters[0]
    annotation = str(getattr(first.annotation, "__name__", first.annotation)).lower()
    if len(parameters) == 1 and (annotation == "goal" or first.name == "goal"):
        return "goal"
    nested = annotation.count("list") + annotation.count("tuple") + annotation.count("sequence")
    kind = "board"
    if nested > 1 or first.name.lower() in _GRIDS:
        kind = "grid"
    elif nested == 1 or annotation == "state" or first.name.lower() in _TILES:
        kind = "board" if annotation.endswith("board") else "tiles"
    return f"{kind},goal" if len(parameters) == 2 else kind


def chosen_claims(text: str | None, usual: Iterable[str]) -> frozenset[str]:
    """The properties that must hold: those named, else the usual ones."""
    if text is None:
        return frozenset(usual)
    words = [word.strip() for word in text.split(",") if word.strip()]
    if words == ["none"]:
        return frozenset()
    for word in words:
        if word not in CLAIMS:
            raise SpecError(
                f"expected --claims none, {' or '.join(CLAIMS)}, or both with a comma, "
                f"got {shortened(text)}"
            )
    return frozenset(words)


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    except Exception:  # the value may be of a class of the user's own
        raise SpecError(f"expected a number from {name}, got {shortened(value)}") from None
    if not math.isfinite(number):
        raise SpecError(f"expected a finite number from {name}, got {shortened(value)}")
    return number


def _called(name: str, board: Board, function: Callable[..., Any], *given: Any) -> Any:
    try:
        return function(*given)
    except (Exception, SystemExit) as error:
        raise _failed(name, board, error) from error


def _failed(name: str, board: Board, error: BaseException) -> TilewiseError:
    return SpecError(f"heuristic {name} failed on {board}: {in_one_line(error)}")
