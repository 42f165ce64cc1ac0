"""What a part of a run works with: the race, its share of the limits, its engine and threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tilewise import native
from tilewise.anytime.race import Race
from tilewise.core.build_context import BuildContext
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.limits import Limits, Meter
from tilewise.core.made_heuristic import Heuristic
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import DEFAULT
from tilewise.core.stats import Stats
from tilewise.errors import EngineError
from tilewise.puzzle.board import Goal


@dataclass
class RacePart:
    """One of the parts that run side by side; `nodes` is what is left of its share, if limited."""

    name: str
    race: Race
    engine: str
    threads: int
    memory: int
    nodes: int | None = None

    def __post_init__(self) -> None:
        self._counted = Stats()

    @property
    def goal(self) -> Goal:
        return Goal(self.race.problem.board(self.race.problem.goal))

    @property
    def over(self) -> bool:
        """Whether the run is over for this part."""
        return self.race.over.is_set() or not self.race.seconds_left or self.nodes == 0

    @property
    def context(self) -> BuildContext:
        """Tables are built within the part's memory, until the race is over."""
        return BuildContext(memory=self.memory, cancelled=lambda: self.over, quick=True)

    def limits(self, seconds: float = 1e9, nodes: int | None = None) -> Limits:
        """The limits of a search that the part runs now."""
        seconds = max(1e-3, min(seconds, self.race.seconds_left))
        shares = [share for share in (self.nodes, nodes) if share is not None]
        return Limits(
            generated=max(1, min(shares)) if shares else None,
            seconds=None if seconds > 1e8 else seconds,
            memory=self.memory,
        )

    def serves(self, spec: str, heuristic: Heuristic) -> bool:
        """Whether the native engine has this search with its options."""
        try:
            native.choose(self.engine, build_algorithm(spec), heuristic, DEFAULT, None)
        except EngineError:
            return False
        return True

    def spend(self, stats: Stats) -> None:
        """Count a search that has ended."""
        self._counted.include(stats)
        if self.nodes is not None:
            self.nodes = max(0, self.nodes - stats.generated)
        self.race.count(self.name, replace(self._counted))

    def search(
        self,
        spec: str,
        heuristic: Heuristic | None,
        limits: Limits,
        watch: Callable[[Stats], None] = lambda stats: None,
        called: str = "",
    ) -> Outcome:
        """Run a search of the registry; a solution is offered under the name it is called."""
        problem = self.race.problem
        configured = build_algorithm(spec)
        engine = native.choose(
            "python" if self.engine == "python" else "auto", configured, heuristic, DEFAULT, None
        )

        def running(stats: Stats) -> None:
            total = replace(self._counted)
            total.include(stats)
            self.race.count(self.name, total)
            watch(stats)

        meter = Meter(limits, len(problem.start), self.race.over, running)
        outcome = native.run(engine, configured, problem, heuristic, meter, DEFAULT, None)
        self.spend(outcome.stats)
        if outcome.status is Status.SOLVED and outcome.moves is not None:
            self.race.offer(outcome.moves, called or configured.entry.title)
        return outcome
