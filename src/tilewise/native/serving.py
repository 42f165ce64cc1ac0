"""Which engine serves a request, and the reason if the native one cannot."""

from __future__ import annotations

from collections.abc import Callable

from tilewise.core.algorithm_facts import FrontierKind
from tilewise.core.configured_algorithm import ConfiguredAlgorithm, build_algorithm
from tilewise.core.events import Observer, Recorder
from tilewise.core.made_heuristic import Heuristic, heuristic_name
from tilewise.core.rules import DEFAULT, Rules
from tilewise.errors import EngineError, shortened
from tilewise.native.built_from import why_absent
from tilewise.native.compiled import ENGINES, NATIVE
from tilewise.native.twins import loops_with_options, parts_of
from tilewise.native.wide_beam import is_wide_beam

_NAMES = ("auto", *ENGINES)
_FINEST_WEIGHT = 1000


def choose(
    name: str,
    algorithm: ConfiguredAlgorithm,
    heuristic: Heuristic | None,
    rules: Rules,
    observer: Observer | None,
) -> str:
    """The engine that serves a request; only `auto` leaves the choice to us."""
    if name not in _NAMES:
        raise EngineError(f"expected engine auto, python or native, got {shortened(name)}")
    if name == "python":
        if algorithm.native_options:
            raise EngineError(f"expected the native engine{_why_native(algorithm)}; got python")
        return name
    obstacle = _obstacle(algorithm, heuristic, rules, observer)
    if obstacle is None:
        return "native"
    if name == "native" or algorithm.native_options:
        why = _why_native(algorithm)
        raise EngineError(f"expected a request that the native engine{why} serves; {obstacle}")
    return "python"


def _why_native(algorithm: ConfiguredAlgorithm) -> str:
    demanded = ", ".join(algorithm.native_options)
    return f", which alone has {demanded}" if demanded else ""


def may_serve(
    name: str,
    algorithm: str | None,
    heuristic: Heuristic | str | Callable[..., float] | None,
    rules: Rules | str | None,
) -> bool:
    """Whether requests of this kind can go to the native engine, whatever the board."""
    if name == "python" or not NATIVE:
        return False
    if rules is not None and not _usual(Rules.parse(rules) if isinstance(rules, str) else rules):
        return False
    if algorithm is not None:
        configured = build_algorithm(algorithm)
        if configured.native_loop is None and not configured.entry.combines:
            return False
    if callable(heuristic) and not isinstance(heuristic, Heuristic):
        return False
    spec = heuristic.spec if isinstance(heuristic, Heuristic) else heuristic
    return spec is None or parts_of(heuristic_name(spec)) is not None


def _obstacle(
    algorithm: ConfiguredAlgorithm,
    heuristic: Heuristic | None,
    rules: Rules,
    observer: Observer | None,
) -> str | None:
    """Why the native engine cannot serve a request, or None where it can."""
    if not NATIVE:
        return f"this installation has none: {why_absent()}"
    if algorithm.entry.combines:
        return None
    if algorithm.native_loop is None or not algorithm.entry.built_in:
        name, needed = algorithm.entry.name, " or ".join(algorithm.entry.native_options)
        return f"it has no {name}" + (f" without {needed}" if needed else "")
    if not _usual(rules):
        return f"it has the default rules, in any order of successors, not {rules}"
    if algorithm.frontier.kind is FrontierKind.QUEUE and "ties" in (rules.given or ()):
        name = algorithm.entry.name
        return f"its {name} is a queue, which takes the oldest, not ties={rules.ties}"
    if heuristic is not None and (not heuristic.built_in or parts_of(heuristic.spec) is None):
        return f"it has no heuristic {heuristic.spec}"
    if observer is not None and not isinstance(observer, Recorder):
        return "it can only be watched by a recorder"
    if algorithm.native_options:
        if observer is not None:
            return f"it cannot be watched with {', '.join(algorithm.native_options)}"
        if heuristic is not None:
            return _obstacle_to_options(algorithm, heuristic)
    if max(map(abs, algorithm.frontier.weights)) > _FINEST_WEIGHT:
        weight = algorithm.frontier.h
        return f"its weights are ratios of numbers up to {_FINEST_WEIGHT}, not {weight}"
    return None


def _obstacle_to_options(algorithm: ConfiguredAlgorithm, heuristic: Heuristic) -> str | None:
    """Why no loop with the options that only the native engine has serves a heuristic."""
    if is_wide_beam(algorithm):
        return None
    rows = loops_with_options(algorithm)
    if any(row.heuristic == row.shape == "any" for row in rows):
        return None
    names = ", ".join(algorithm.native_options)
    if not heuristic.changes_by_one:
        return f"{names} needs heuristics that change by odd numbers, not {heuristic.spec}"
    most_cells = max((row.most_cells for row in rows), default=0)
    if len(heuristic.goal.board.tiles) > most_cells:
        return (
            f"{names} serves boards of up to {most_cells} cells, not {heuristic.goal.board.shape}"
        )
    return None


def _usual(rules: Rules) -> bool:
    """Whether at most the order of successors departs from the default rules."""
    return rules is DEFAULT or set(rules.departures()) <= {"order"}
