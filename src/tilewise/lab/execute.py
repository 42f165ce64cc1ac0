"""execute_run(): a search of the registry, the search of a course, or a measurement."""

from __future__ import annotations

import json
import platform
from dataclasses import replace
from functools import lru_cache
from threading import Event as CancelFlag
from typing import Any

from tilewise.core.limits import Limits
from tilewise.core.result import Result, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import effective_branching_factor
from tilewise.courses import course_named
from tilewise.courses.running import run_course
from tilewise.errors import EngineError, TilewiseError, in_one_line, shortened
from tilewise.lab.measurement_names import PROOF, measurement
from tilewise.lab.outcome import FAILED, MEASURED, RunOutcome
from tilewise.lab.proof_runs import ProofSetting, proved
from tilewise.lab.run import Run
from tilewise.native import NATIVE
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.position import read_position
from tilewise.solving import solve

ENGINES = ("auto", "python")
"""`auto`: the native engine wherever it has the search, never silently without it."""


def execute_run(
    run: Run,
    engine: str = "auto",
    memory: int | None = None,
    cancel: CancelFlag | None = None,
    proofs: ProofSetting | None = None,
) -> RunOutcome | None:
    """What comes of a run; None when it was cancelled.

    A run that breaks has the status `failed` and the reason, so that the others go on.
    `memory`: the limit in bytes of runs that name none. `proofs`: how proofs are done here.
    """
    try:
        if run.measure == PROOF:
            outcome = proved(run, _limits(run, memory), cancel, proofs or ProofSetting())
        else:
            outcome = _outcome(run, engine, memory, cancel)
    except EngineError:
        raise
    except (Exception, SystemExit) as error:
        text = str(error) if isinstance(error, TilewiseError) else in_one_line(error)
        outcome = RunOutcome(FAILED, reason=text, engine="python")
    if outcome.status == Status.CANCELLED.value:
        return None
    return replace(outcome, version=version(), machine=_machine())


def _outcome(run: Run, engine: str, memory: int | None, cancel: CancelFlag | None) -> RunOutcome:
    if run.measure:
        return RunOutcome(MEASURED, measured=_measured(run), engine="python")
    if run.profile:
        return _of_course(run, engine, memory, cancel)
    return RunOutcome.from_result(_as_registered(run, engine, memory, cancel))


def lost(reason: str) -> RunOutcome:
    """The outcome of a run that never came back."""
    return RunOutcome(FAILED, reason=reason, version=version())


def _measured(run: Run) -> dict[str, Any]:
    """The values of a measurement, as JSON gives them back; others make the run fail."""
    values: dict[str, Any] = json.loads(json.dumps(measurement(run.measure)(run)))
    return values


def check_engine(engine: str, run: Run) -> None:
    """Refuse an unknown engine, and default rules where the native engine is not built."""
    if engine not in ENGINES:
        raise EngineError(f"expected engine auto or python, got {shortened(engine)}")
    _engine_of(run, engine)


@lru_cache(maxsize=1)
def version() -> str:
    """The version of tilewise, looked up once."""
    import tilewise

    return str(tilewise.__version__)


@lru_cache(maxsize=1)
def _machine() -> str:
    return platform.node() or "unknown"


def _engine_of(run: Run, engine: str) -> str:
    """The engine to use; default rules demand that the native one is there."""
    usual = not run.measure and not run.profile and _has_usual_rules(run.rules)
    if engine == "auto" and usual and not NATIVE:
        raise EngineError(
            "expected the native engine, which runs under default rules demand, but this "
            "installation has none (engine python runs all of them in Python)"
        )
    return engine


@lru_cache(maxsize=256)
def _has_usual_rules(text: str) -> bool:
    return set(Rules.parse(text).departures()) <= {"order"}


@lru_cache(maxsize=4096)
def _start(board: str, goal: str) -> tuple[Board, Goal]:
    """The board and the goal that texts say; many runs are about the same."""
    position = read_position(board, goal)
    return position.board, position.goal


def _as_registered(run: Run, engine: str, memory: int | None, cancel: CancelFlag | None) -> Result:
    board, goal = _start(run.board, run.goal)
    return solve(
        board,
        goal=goal,
        algorithm=run.algorithm,
        heuristic=run.heuristic or None,
        rules=run.rules,
        limits=_limits(run, memory),
        engine=_engine_of(run, engine),
        cancel=cancel,
    )


def _limits(run: Run, memory: int | None) -> Limits:
    return Limits(run.max_nodes, run.max_seconds, run.max_memory or memory)


def _of_course(run: Run, engine: str, memory: int | None, cancel: CancelFlag | None) -> RunOutcome:
    """A search of a course, with the counters that its program has, as it counts them.

    The random numbers of its program start with the seed of the run.
    """
    board, goal = _start(run.board, run.goal)
    course = course_named(run.profile)
    method = course.method(run.algorithm, run.heuristic or None)
    result = run_course(
        course,
        method,
        board,
        goal=goal,
        engine=engine,
        seed=run.seed,
        limits=_limits(run, memory),
        cancel=cancel,
    )
    outcome, generated = RunOutcome.from_result(result), method.generated(result)
    factor = None if result.cost is None else effective_branching_factor(generated, result.cost)
    counters: dict[str, int | float | None] = {
        **{name: value if course.has(name) else None for name, value in outcome.counters.items()},
        "generated": generated,
        "seconds": result.stats.seconds,
        "effective_branching_factor": factor,
    }
    return replace(outcome, counters=counters)
