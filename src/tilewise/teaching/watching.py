"""A search with its events and what it was asked to do, for explain, worksheets and traces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Event as CancelFlag

from tilewise.board import Board, Goal
from tilewise.errors import SpecError, shortened
from tilewise.events import Event, Recorder
from tilewise.limits import Limits, Progress
from tilewise.profiles import PROFILES, cs170
from tilewise.registry import build_algorithm, build_heuristic
from tilewise.result import Status
from tilewise.rules import DEFAULT, KNOBS, Rules, named
from tilewise.solving import choose_goal, solve
from tilewise.teaching.open_list import USUAL_TIES

DEFAULT_ALGORITHM = "astar"
MOST_SUCCESSORS = 4
EVENTS_AN_EXPANSION = 12
"""An expansion, its successors, as many entries that become stale, a bound, the first and last."""


@dataclass(frozen=True)
class Watched:
    """A recorded search. `rules` are the knobs in force, ties of a queue or a stack included."""

    board: Board
    goal: Goal
    algorithm: str
    heuristic: str | None
    rules: Rules
    events: tuple[Event, ...]
    count: int
    status: Status
    moves: str | None
    note: str | None = None

    @property
    def rules_text(self) -> str:
        """The knobs that depart from the default; ties that belong to a queue do not count."""
        usual = USUAL_TIES.get(self.algorithm, DEFAULT.ties)
        knobs = [
            f"{knob}={getattr(self.rules, knob)}"
            for knob in KNOBS
            if getattr(self.rules, knob) != (usual if knob == "ties" else getattr(DEFAULT, knob))
        ]
        return ",".join(knobs)

    @property
    def whole(self) -> bool:
        """Whether all events were kept."""
        return self.count == len(self.events)


def watch(
    board: Board,
    *,
    goal: Goal | str = "auto",
    preferred_goal: str = "first",
    algorithm: str | None = None,
    heuristic: str | None = None,
    rules: str | None = None,
    profile: str | None = None,
    steps: int | None = None,
    events: int = 1_000_000,
    limits: Limits | None = None,
    cancel: CancelFlag | None = None,
    progress: Progress | None = None,
) -> Watched:
    """Search and keep the events: the first ones, or those of the first `steps` expansions."""
    limits = limits or Limits()
    if steps is not None:
        events = EVENTS_AN_EXPANSION * (steps + 1)
        enough = MOST_SUCCESSORS * (steps + 1)
        limits = replace(limits, generated=min(enough, limits.generated or enough))
    recorder = Recorder(events, board.rows, board.columns)
    if profile == "cs170":
        return _watch_cs170(board, goal, algorithm, heuristic, rules, limits, recorder)
    if profile is not None:
        goal, heuristic, rules = _of_profile(profile, goal, algorithm, heuristic, rules)
    target, note = choose_goal(board, goal, preferred_goal)
    in_force = DEFAULT if rules is None else Rules.parse(rules)
    result = solve(
        board,
        goal=target,
        algorithm=algorithm or DEFAULT_ALGORITHM,
        heuristic=heuristic,
        rules=in_force,
        limits=limits,
        observer=recorder,
        cancel=cancel,
        progress=progress,
    )
    return Watched(
        board=board,
        goal=target,
        algorithm=result.algorithm,
        heuristic=result.heuristic,
        rules=in_force_for(result.algorithm, in_force),
        events=tuple(recorder.events),
        count=recorder.count,
        status=result.status,
        moves=result.moves,
        note="; ".join(filter(None, (note, result.note))) or None,
    )


def in_force_for(algorithm: str, rules: Rules) -> Rules:
    """The rules as an algorithm obeys them, every knob as if it were set on purpose."""
    entry = build_algorithm(algorithm).entry
    usual = USUAL_TIES.get(entry.name)
    knobs = {
        knob: getattr(rules, knob) if knob in entry.knobs else getattr(DEFAULT, knob)
        for knob in KNOBS
    }
    if usual:
        knobs["ties"] = rules.ties_or(usual)
    return Rules(**knobs, given=frozenset(entry.knobs))


def _of_profile(
    profile: str,
    goal: Goal | str,
    algorithm: str | None,
    heuristic: str | None,
    rules: str | None,
) -> tuple[Goal | str, str | None, str]:
    """Goal, heuristic and rules of a profile whose searches are ordinary ones."""
    if profile not in PROFILES:
        raise SpecError(f"expected a profile {', '.join(PROFILES)}; got {shortened(profile)}")
    if profile != "columbia":
        raise SpecError(
            f"expected a profile whose search can be watched, columbia or cs170; "
            f"the nearest to {profile} is --rules {profile}"
        )
    if rules is not None:
        raise SpecError("expected --profile or --rules, got both")
    needs = build_algorithm(algorithm or DEFAULT_ALGORITHM).entry.needs_heuristic
    manhattan = PROFILES[profile].heuristics["ast"] if needs else None
    return PROFILES[profile].goal if goal == "auto" else goal, heuristic or manhattan, profile


def _watch_cs170(
    board: Board,
    goal: Goal | str,
    algorithm: str | None,
    heuristic: str | None,
    rules: str | None,
    limits: Limits,
    recorder: Recorder,
) -> Watched:
    """The menu program's own search, whose goal and rules are fixed."""
    if algorithm is not None or rules is not None or goal not in ("auto", "last"):
        raise SpecError(
            "expected nothing but a heuristic beside --profile cs170, which has its own"
        )
    target = Goal.blank_last(board.rows, board.columns)
    spec = build_heuristic(heuristic or "manhattan", target).spec
    outcome = cs170.solve(board, spec, limits, recorder)
    return Watched(
        board=board,
        goal=target,
        algorithm="cs170",
        heuristic=spec,
        rules=replace(named("cs170"), given=frozenset()),
        events=tuple(recorder.events),
        count=recorder.count,
        status=outcome.status,
        moves=outcome.moves,
    )
