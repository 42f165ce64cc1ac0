"""anytime: one part improves the incumbent, another raises the bound, until they meet."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from threading import Event, Thread

from tilewise.anytime.parts import RacePart
from tilewise.anytime.proving import PROVABLE_CELLS, prove
from tilewise.anytime.race import Race
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.incumbent import Gap
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status, StoppedBy
from tilewise.core.rules import Rules

LOOK_EVERY = 0.02
"""Seconds between two looks at the clock and at what has improved."""
PARTING, AT_CTRL_C = 0.1, 0.05
"""Seconds that parts get to end in when the time is up, and at Ctrl-C. One that loads tables then
is left alone with them: it looks at the race when it has them, and ends."""


@algorithm(
    "anytime",
    complete=True,
    combines=True,
    takes_incumbent=True,
    knobs=(),
    title="Anytime",
    choice="runs other searches side by side: beams and windows shorten the best solution so far, "
    "passes of IDA* raise the number of moves that is proved to be needed",
    pseudo_code="""
        take a quick solution as the incumbent, and a heuristic of the start as the bound
        side by side, until the incumbent is as long as the bound or a limit comes:
            look for a shorter solution by wider and wider beams, and solve parts of it again
            prove a higher bound by passes of iterative deepening
        return the incumbent and the bound
        """,
)
def anytime(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    engine: str = "python",
) -> Outcome:
    """A good solution at once, a better one every second, and a bound that is proved.

    The solution and the bound are reported as they improve; the search ends when they meet, when
    their gap is small enough, or at a limit. A limit of nodes is split between the parts
    beforehand, which then run one after the other, so that such a run can be repeated.
    """
    race = Race(problem, meter, Gap.parse(meter.limits.gap or 0))
    if meter.incumbent is not None:
        race.offer(meter.incumbent, "given")
    improving, proving = _parts(race, meter, engine)
    status = Status.SOLVED
    try:
        if meter.limits.generated is None:
            side_by_side(race, [(_improve, improving), (prove, proving)])
        else:
            side_by_side(race, [(_improve, improving)])
            side_by_side(race, [(prove, proving)])
    except KeyboardInterrupt:
        status = Status.CANCELLED
    race.report()
    return _outcome(race, meter, status)


def _improve(part: RacePart) -> None:
    """Not imported before: every search would wait for its modules."""
    from tilewise.anytime.shortening import improve

    improve(part)


def _parts(race: Race, meter: Meter, engine: str) -> tuple[RacePart, RacePart]:
    """Half of the memory and of the nodes for each of the parts.

    Up to 25 cells a core is left to the proof; on larger boards the two seldom meet, and the proof
    runs beside beams on all cores.
    """
    cores = os.cpu_count() or 1
    nodes = meter.limits.generated
    if nodes is not None:
        threads = 1
    elif len(race.problem.start) <= PROVABLE_CELLS:
        threads = max(1, cores - 1)
    else:
        threads = cores
    share = None if nodes is None else nodes // 2
    rest = None if nodes is None else nodes - nodes // 2
    return (
        RacePart("improving", race, engine, threads, meter.memory // 2, rest),
        RacePart("proving", race, engine, 1, meter.memory // 2, share),
    )


def side_by_side(race: Race, parts: list[tuple[Callable[[RacePart], None], RacePart]]) -> None:
    """Run the parts in threads of their own; this one reports, and looks at time and cancelling."""
    failures: list[BaseException] = []
    # Not Thread.join: after Ctrl-C in it, Python takes a thread that runs for one that has ended.
    ended = [Event() for _ in parts]

    def guarded(work: Callable[[RacePart], None], part: RacePart, ends: Event) -> None:
        try:
            work(part)
        except MemoryError:  # the system gives no more: what was found stays
            pass
        except BaseException as error:
            failures.append(error)
            race.over.set()
        finally:
            ends.set()

    for (work, part), ends in zip(parts, ended, strict=True):
        Thread(target=guarded, args=(work, part, ends), daemon=True).start()
    try:
        while not _wait_for(ended, LOOK_EVERY):
            race.report()
            if race.check() and race.moves is not None:  # the first answer is waited for
                _wait_for(ended, PARTING)
                break
        race.report()
    except BaseException:
        race.over.set()
        _wait_for(ended, AT_CTRL_C)
        raise
    if failures:
        raise failures[0]


def _wait_for(ended: list[Event], seconds: float) -> bool:
    """Wait for all of them, but no longer than the seconds; whether all have ended."""
    latest = time.monotonic() + seconds
    return all(each.wait(max(0.0, latest - time.monotonic())) for each in ended)


def _outcome(race: Race, meter: Meter, status: Status) -> Outcome:
    stats = race.stats()
    if status is Status.SOLVED and meter.cancelled:
        status = Status.CANCELLED
    elif status is Status.SOLVED and race.cost != race.bound:
        meter.stopped_by = _limit(race, meter)
        status = Status.LIMIT if race.moves is None else status
    return Outcome(status, race.moves, stats, race.bound)


def _limit(race: Race, meter: Meter) -> StoppedBy:
    if race.finished:
        return StoppedBy.GAP
    if not race.seconds_left:
        return StoppedBy.SECONDS
    return StoppedBy.MEMORY if meter.limits.generated is None else StoppedBy.NODES
