"""What the count doctor is given and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewise.core.rules import Rules
from tilewise.diagnosis.counterexamples import Counterexample, Finding
from tilewise.diagnosis.rule_variants import COUNTERS, Counting, RuleVariant
from tilewise.errors import BoardError, LimitsError, SpecError, shortened
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.position import text_for

MOST_COUNTED = 10**9


@dataclass(frozen=True)
class Observation:
    """A number that a program printed for a board.

    Raises:
        LimitsError: The count is negative or too large.
        SpecError: The counter is unknown.

    Example:
        >>> Observation(Board.parse("312 475 68b"), 12, "generated").count
        12
    """

    board: Board
    """The board."""
    count: int
    """The number."""
    counter: str | None = None
    """What it counts: `expanded`, `generated` and so on; None where that is not known."""
    goal: Goal | None = None
    """The goal of this board, where it is not that of the others."""

    def __post_init__(self) -> None:
        if not isinstance(self.board, Board):
            raise BoardError(f"expected a Board, got {shortened(self.board)}")
        if type(self.count) is not int or not 0 <= self.count <= MOST_COUNTED:
            raise LimitsError(
                f"expected a count from 0 to {MOST_COUNTED:,}, got {shortened(self.count)}"
            )
        if self.counter is not None and self.counter not in COUNTERS:
            raise SpecError(
                f"expected a counter {', '.join(COUNTERS)}; got {shortened(self.counter)}"
            )


@dataclass(frozen=True)
class Explanation:
    """A variant and how it counts, the orders of successors that all serve, what it counts."""

    variant: RuleVariant
    counting: Counting
    counter: str
    orders: tuple[str, ...]
    counts: tuple[int | None, ...]
    departures: int
    finding: Finding | None = None

    @property
    def algorithm(self) -> str:
        return self.variant.algorithm

    @property
    def heuristic(self) -> str | None:
        return self.variant.heuristic

    @property
    def profile(self) -> str | None:
        """The profile whose own search it is, or whose rules these are."""
        named = self.variant.named_rules
        return named if named not in ("default", "fifo") else None

    @property
    def rules(self) -> str | None:
        """The rules as `--rules` reads them; None where knobs cannot say it."""
        text = self.variant.rules_text
        rule = self.counting.rule
        if text is None or rule in (None, "none"):
            return text
        return f"count={rule}" if text == "default" else f"{text},count={rule}"

    @property
    def sound(self) -> bool:
        """Whether the variant always finds a shortest solution."""
        return self.variant.sound

    @property
    def counterexample(self) -> Counterexample | None:
        """The smallest board on which it misses the optimum, if one was looked for and found."""
        return self.finding.counterexample if self.finding else None

    @property
    def name(self) -> str | None:
        """What the rules are called."""
        if self.variant.profile is not None:  # its words say so
            return None
        named = self.variant.named_rules
        texts = {"default": "the default rules", "fifo": "the rule set fifo"}
        return texts.get(named, f"the rules of the profile {named}") if named else None

    @property
    def parts(self) -> list[str]:
        """What is special about it, in words, part by part."""
        return [part for part in (*self.variant.parts(self.orders), self.counting.words) if part]

    @property
    def words(self) -> str:
        """All of it in one line."""
        name = f" ({self.name})" if self.name else ""
        return f"{self.variant.who}: {'; '.join(self.parts)}{name}"

    @property
    def verdict(self) -> str:
        """Whether it is sound, with the proof that it is not."""
        if self.sound:
            return f"sound: always a shortest solution{self._in_spite_of()}"
        if self.counterexample is not None:
            return f"can miss the optimum: {self.counterexample}"
        if self.finding is None:
            return "can miss the optimum"
        return (
            "not sure to find a shortest solution, but it does on all boards "
            f"of up to {self.finding.depth} moves"
        )

    def _in_spite_of(self) -> str:
        if self.variant.profile is None and self.variant.blank:
            return " (h is 1 too large at most, and path lengths differ by 2)"
        if self.variant.heuristic is not None and self.variant.rules.goal_test == "generated":
            return " (path lengths differ by 2, so the early test does no harm)"
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers, lists and None only."""
        example = self.counterexample
        return {
            "words": self.words,
            "departures": self.departures,
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "blank_counted": self.variant.blank,
            "rules": self.rules,
            "orders": list(self.orders),
            "profile": self.profile,
            "counter": self.counter,
            "counting": self.counting.words or None,
            "counts": list(self.counts),
            "sound": self.sound,
            "counterexample": example.to_dict() if example else None,
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class Apart:
    """A board on which explanations count differently, and what each of them counts there."""

    board: Board
    goal: Goal
    counts: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers and lists only."""
        return {
            "board": text_for(self.board, self.goal, one_word=True),
            "goal": self.goal.name,
            "counts": list(self.counts),
        }


@dataclass(frozen=True)
class Diagnosis:
    """What was found.

    `matched` is the number of observations that the explanations give, `runs` the number of
    searches that there were to compare. `ended`: why it ended before all of them were, time,
    memory or interrupted; `left` are those, by algorithm and heuristic. `skipped` is what was not
    looked for, or not to the end.
    """

    observations: tuple[Observation, ...]
    goals: tuple[Goal, ...]
    explanations: tuple[Explanation, ...]
    nearest: tuple[Explanation, ...]
    matched: int
    runs: int
    default: tuple[int | None, ...]
    ended: str
    left: tuple[tuple[str, int], ...]
    skipped: tuple[str, ...]
    apart: Apart | None

    @property
    def complete(self) -> bool:
        """Whether all searches were compared with all counts."""
        return not self.ended

    @property
    def compared(self) -> int:
        """The searches that were compared."""
        return self.runs - sum(count for _, count in self.left)

    @property
    def sentence(self) -> str:
        """The finding in one line."""
        numbers = " and ".join(
            f"{each.count:,}{f' {each.counter}' if each.counter else ''}"
            for each in self.observations
        )
        if self.explanations:
            best = self.explanations[0]
            more = len(self.explanations) - 1
            others = f" ({more:,} more ways to get it)" if more else ""
            return f"{numbers} is what this gives: {best.words}; {best.verdict}{others}"
        if not self.complete:
            limit = {"memory": "memory"}.get(self.ended, "time")
            return f"{numbers}: not explained within the {limit} allowed"
        if not self.nearest:
            return f"{numbers}: no rule known here gives it"
        near = self.nearest[0]
        value = near.counts[-1]
        return f"{numbers}: no rule known here gives it; the nearest is {value:,}, {near.words}"

    def to_dict(self) -> dict[str, Any]:
        """One JSON object."""
        return {
            "observations": [
                {
                    "board": text_for(each.board, goal, one_word=True),
                    "goal": goal.name,
                    "count": each.count,
                    "counter": each.counter,
                    "default": default,
                }
                for each, goal, default in zip(
                    self.observations, self.goals, self.default, strict=True
                )
            ],
            "sentence": self.sentence,
            "complete": self.complete,
            "ended": self.ended or None,
            "runs": self.runs,
            "compared": self.compared,
            "left": dict(self.left),
            "skipped": list(self.skipped),
            "matched": self.matched,
            "explanations": [each.to_dict() for each in self.explanations],
            "nearest": [each.to_dict() for each in self.nearest],
            "tell_apart": self.apart and self.apart.to_dict(),
        }


def default_rules(ties: str) -> Rules:
    """The default rules, with the ties that belong to an algorithm's open list."""
    return Rules(ties=ties, given=frozenset({"ties"}))
