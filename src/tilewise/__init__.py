"""tilewise: solve sliding-tile puzzles and study heuristic search.

>>> import tilewise as tw
>>> board = tw.Board.parse("8b6 547 231")
>>> result = tw.solve(board)
>>> result.cost, result.optimal
(31, True)
>>> tw.solve(board, algorithm="wastar(weight=3)").cost
39
>>> tw.make_heuristic("max(manhattan, gaschnig)", tw.Goal.blank_first(3, 3))(board)
21
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes 10 ms to import
if TYPE_CHECKING:
    from typing import Any

    from tilewise.batch import solve_many
    from tilewise.core.build_context import BuildContext
    from tilewise.core.events import Event, Kind, Observer, Recorder
    from tilewise.core.incumbent import Incumbent
    from tilewise.core.limits import Limits, Meter
    from tilewise.core.made_heuristic import Heuristic
    from tilewise.core.problem import Problem
    from tilewise.core.registry import algorithm
    from tilewise.core.result import Outcome, Result, Status, Stop, StoppedBy
    from tilewise.core.rules import Rules
    from tilewise.core.spec import Spec
    from tilewise.core.stats import COUNTERS, Stats
    from tilewise.errors import TilewiseError
    from tilewise.improving import improve
    from tilewise.making import heuristic, make_heuristic
    from tilewise.plugins import load_file
    from tilewise.puzzle.board import Board, Goal, Move
    from tilewise.puzzle.position import Position, read_position
    from tilewise.solving import solve
    from tilewise.tracing import Trace, trace

__all__ = [
    "COUNTERS",
    "Board",
    "BuildContext",
    "Event",
    "Goal",
    "Heuristic",
    "Incumbent",
    "Kind",
    "Limits",
    "Meter",
    "Move",
    "Observer",
    "Outcome",
    "Position",
    "Problem",
    "Recorder",
    "Result",
    "Rules",
    "Spec",
    "Stats",
    "Status",
    "Stop",
    "StoppedBy",
    "TilewiseError",
    "Trace",
    "algorithm",
    "heuristic",
    "improve",
    "load_file",
    "make_heuristic",
    "read_position",
    "solve",
    "solve_many",
    "trace",
]


_HOMES = {
    "batch": "solve_many",
    "core.build_context": "BuildContext",
    "core.events": "Event Kind Observer Recorder",
    "core.incumbent": "Incumbent",
    "core.limits": "Limits Meter",
    "core.problem": "Problem",
    "core.made_heuristic": "Heuristic",
    "core.registry": "algorithm",
    "core.result": "Outcome Result Status Stop StoppedBy",
    "core.rules": "Rules",
    "core.spec": "Spec",
    "core.stats": "COUNTERS Stats",
    "errors": "TilewiseError",
    "improving": "improve",
    "making": "heuristic make_heuristic",
    "plugins": "load_file",
    "puzzle.board": "Board Goal Move",
    "puzzle.position": "Position read_position",
    "solving": "solve",
    "tracing": "Trace trace",
}
"""Where the public names are. They are loaded on first use: the program, which also imports this
package, must come to its own first line quickly, or Ctrl-C would show a traceback."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """A public name on its first use, or `tilewise.__version__`, which takes long to look up."""
    if name in _HOME_OF:
        from importlib import import_module

        found = getattr(import_module(f"tilewise.{_HOME_OF[name]}"), name)
        globals()[name] = found
        return found
    if name != "__version__":
        raise AttributeError(f"module 'tilewise' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("tilewise")
    except PackageNotFoundError:
        return "0+source (not installed)"


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__, "__version__"})
