"""Plain Python functions as heuristics: how they are called, and what their values may be.

A function claims nothing: with it alone no solution is called optimal. One that is to be believed
is registered by `tilewise.heuristic`.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from typing import Any

from tilewise.core.entries import HeuristicEntry
from tilewise.core.made_heuristic import LARGEST_ESTIMATE, Heuristic
from tilewise.core.problem import State
from tilewise.core.registry import HEURISTICS, heuristic
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
_TILES = {"tiles", "state", "puzzle", "node", "tuple", "list", "config", "s", "flat"}
_GRIDS = {"grid", "rows", "matrix"}
_IN_SPECS = re.compile(r"[^\s(),=]+\.py:\w+")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.+\-]")

HeuristicFunction = Callable[[State], float]


def calling_convention(function: Callable[..., Any], name: str, takes: str = "auto") -> str:
    """What a function is called with: one of `TAKES`."""
    how = _by_parameters(function, name) if takes == "auto" else takes
    if how not in TAKES:
        raise SpecError(f"expected --takes auto, {'; '.join(TAKES)}; got {shortened(takes)}")
    return how


def on_tiles(function: Callable[..., Any], name: str, how: str, goal: Goal) -> HeuristicFunction:
    """A function as one of a plain tuple of tiles, for a goal; what is wrong with it is an error.

    Its values are finite numbers; whole ones are `int`.
    """
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
        except KeyboardInterrupt:
            raise
        except BaseException as error:
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


def function_of_file(path: str, name: str) -> Callable[..., Any] | HeuristicEntry:
    """A function of a Python file by its name, or the heuristic that the file registers by it."""
    module = load_file(path)
    found = getattr(module, name, None)
    for entry in HEURISTICS.values():
        if not entry.built_in and (entry.factory is found or entry.name == name):
            return entry
    if found is None:
        names = [each for each in vars(module) if callable(getattr(module, each))]
        known = ", ".join(each for each in names if not each.startswith("_")) or "none"
        raise SpecError(
            f"expected a function of {shortened(path)} ({known}), got {shortened(name)}"
        )
    if not callable(found):
        raise SpecError(f"expected a function, got {shortened(found)} as {shortened(name)}")
    return found  # type: ignore[no-any-return]


def with_functions_of_files(spec: str) -> str:
    """A spec in which `FILE.py:NAME` stands for a function: it is loaded and registered.

    The name under which it is registered is that of the file without its folder, and the
    function's: `mine.py:crow`.
    """
    return _IN_SPECS.sub(lambda match: _registered(match[0]), spec)


def heuristic_of(function: Callable[..., Any], goal: Goal) -> Heuristic:
    """A function as a heuristic for a goal; it is not registered."""
    name = _NOT_IN_NAMES.sub("", str(getattr(function, "__name__", ""))) or "function"
    how = calling_convention(function, name)
    estimate = _never_negative(name, on_tiles(function, name, how, goal))
    return Heuristic(name, goal, estimate, admissible=False, consistent=False, fractions=True)


def _registered(text: str) -> str:
    path, _, name = text.rpartition(":")
    found = function_of_file(path, name)
    if isinstance(found, HeuristicEntry):
        return found.name
    file = _NOT_IN_NAMES.sub("_", re.split(r"[\\/]", path)[-1])
    full_name = f"{file}:{name}"
    how = calling_convention(found, full_name)

    def make(goal: Goal) -> HeuristicFunction:
        return on_tiles(found, full_name, how, goal)

    make.__doc__ = getattr(found, "__doc__", None)
    make.__module__ = str(getattr(found, "__module__", "of a file"))
    heuristic(full_name, on_boards=False, fractions=True)(make)
    return full_name


def _never_negative(name: str, function: HeuristicFunction) -> Callable[[State], Any]:
    def estimate(state: State) -> float:
        value = function(state)
        if value < 0:
            raise SpecError(f"expected a number of at least 0 from {name}, got {value}")
        return value

    return estimate


def _by_parameters(function: Callable[..., Any], name: str) -> str:
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


def _number(name: str, value: Any) -> float:
    if isinstance(value, str | bytes):
        raise SpecError(f"expected a number from {name}, got {shortened(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    except Exception:  # the value may be of a class of the user's own
        raise SpecError(f"expected a number from {name}, got {shortened(value)}") from None
    if not math.isfinite(number):
        raise SpecError(f"expected a finite number from {name}, got {shortened(value)}")
    return int(number) if number.is_integer() else number


def _called(name: str, board: Board, function: Callable[..., Any], *given: Any) -> Any:
    try:
        return function(*given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _failed(name, board, error) from error


def _failed(name: str, board: Board, error: BaseException) -> TilewiseError:
    return SpecError(f"heuristic {name} failed on {board}: {in_one_line(error)}")
