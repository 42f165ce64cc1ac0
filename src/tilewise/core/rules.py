"""Rules: what textbooks leave open about a search, as five knobs with names.

`order`: the order of successors, the letters U D L R in any order.
`ties`: which of equal priority is taken: `h-newest` (smaller h, then newest), `h-oldest`,
`largeh-newest`, `largeh-oldest`, `newest` (also `lifo`) or `oldest` (also `fifo`).
`duplicates`: `full`, `skip-if-in-frontier`, `closed-when-generated` or `ancestors(n)`.
`goal_test`: when a node is `taken` from the open list, or when it is `generated`.
`count`: what is counted beside the default: `none`, `root` (as generated and stored), `goal`
(as expanded) or `root+goal`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from importlib import import_module

from tilewise.core.problem import DEFAULT_ORDER
from tilewise.errors import SpecError, did_you_mean, shortened

TIES = ("h-newest", "h-oldest", "largeh-newest", "largeh-oldest", "newest", "oldest")
DUPLICATES = ("full", "skip-if-in-frontier", "closed-when-generated", "ancestors(n)")
GOAL_TESTS = ("taken", "generated")
COUNTS = ("none", "root", "goal", "root+goal")
_TIE_ALIASES = {"lifo": "newest", "fifo": "oldest"}
_ANCESTORS = re.compile(r"ancestors\((\d{1,4})\)")


@dataclass(frozen=True)
class Rules:
    """One setting of the five knobs.

    `duplicates` decides when a successor is thrown away:
    `full`: its state is known with a path that is not longer;
    `skip-if-in-frontier`: as full, but also whenever its state is on the open list;
    `closed-when-generated`: its state was generated before;
    `ancestors(n)`: its state is one of its n nearest ancestors, the parent being the first, so
    `ancestors(1)` is plain tree search and `ancestors(2)` forbids only the step straight back.

    Raises:
        SpecError: A knob has an unknown setting.

    Example:
        >>> Rules.parse("order=LRUD,ties=fifo")
        Rules(order='LRUD', ties='oldest', duplicates='full', goal_test='taken', count='none')
        >>> str(Rules(ties="oldest"))
        'fifo'
    """

    order: str = DEFAULT_ORDER
    """The order of successors: the letters U D L R in any order."""
    ties: str = "h-newest"
    """Which of the nodes with equal priority is taken."""
    duplicates: str = "full"
    """When a successor is thrown away."""
    goal_test: str = "taken"
    """When the goal is tested: `taken` or `generated`."""
    count: str = "none"
    """What is counted beside the default: `none`, `root`, `goal` or `root+goal`."""
    given: frozenset[str] | None = field(default=None, compare=False, repr=False)
    """The knobs that were set on purpose, as opposed to those that a named set brings along."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", self.order.upper())
        object.__setattr__(self, "ties", _TIE_ALIASES.get(self.ties, self.ties))
        if sorted(self.order) != sorted(DEFAULT_ORDER):
            raise SpecError(
                f"expected order with U, D, L, R once each, got {shortened(self.order)}"
            )
        for knob, allowed in (
            ("ties", (*TIES, *_TIE_ALIASES)),
            ("goal_test", GOAL_TESTS),
            ("count", COUNTS),
        ):
            if getattr(self, knob) not in allowed:
                raise _unknown(f"{knob} as", getattr(self, knob), allowed)
        if self.duplicates not in DUPLICATES[:3] and self.ancestors is None:
            raise _unknown("duplicates as", self.duplicates, DUPLICATES)
        if self.given is None:
            object.__setattr__(self, "given", frozenset(self.departures()))

    @property
    def ancestors(self) -> int | None:
        """The n of `ancestors(n)`, None for other duplicate detection."""
        match = _ANCESTORS.fullmatch(self.duplicates)
        return int(match.group(1)) if match and int(match.group(1)) > 0 else None

    def ties_or(self, usual: str) -> str:
        """The ties that were set on purpose, else those that belong to the open list."""
        return self.ties if self.given and "ties" in self.given else usual

    @property
    def tie_sign(self) -> int:
        """1 where a tie goes to the smaller h, -1 to the larger, 0 where h does not matter."""
        return {"h": 1, "largeh": -1}.get(self.ties.partition("-")[0], 0)

    @property
    def newest_first(self) -> bool:
        """Whether the newest of equal nodes is taken, or the oldest."""
        return self.ties.endswith("newest")

    @property
    def astar_stays_optimal(self) -> bool:
        """Whether A* under these rules finds the optimum with an admissible heuristic."""
        finds_cheaper_paths = self.duplicates == "full" or self.ancestors is not None
        return finds_cheaper_paths and self.goal_test == "taken"

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read a rule set.

        Args:
            text: A name, knobs such as `order=LRUD,ties=fifo`, or a name followed by knobs.

        Raises:
            SpecError: A name, a knob or a setting is unknown.
        """
        if not isinstance(text, str) or not text.strip():
            raise SpecError("expected a rule set such as default, fifo or order=LRUD,ties=fifo")
        rules = DEFAULT
        given: dict[str, str] = {}
        for position, item in enumerate(part.strip() for part in text.split(",")):
            knob, equals, value = (piece.strip() for piece in item.partition("="))
            if not equals and position == 0:
                rules = named(knob)
            elif knob in given:
                raise SpecError(f"expected {knob} once, got it twice in {shortened(text)}")
            elif knob in KNOBS and equals:
                given[knob] = value
            else:
                raise _unknown("a knob", item, KNOBS)
        return replace(rules, **given, given=frozenset(given))

    def __str__(self) -> str:
        """The name if there is one, else the knobs that differ from the default."""
        if self is DEFAULT:
            return "default"
        known = NAMED if self in NAMED.values() else rule_sets()
        return next((name for name, rules in known.items() if rules == self), self.knobs_text())

    def knobs_text(self) -> str:
        """The knobs that are not set as in the default rules, as text that `parse` reads."""
        return ",".join(f"{knob}={getattr(self, knob)}" for knob in self.departures())

    def departures(self) -> list[str]:
        """The knobs that are not set as in the default rules."""
        return [f.name for f in fields(self) if f.compare and getattr(self, f.name) != f.default]


KNOBS = tuple(f.name for f in fields(Rules) if f.compare)
DEFAULT = Rules()
NAMED: dict[str, Rules] = {
    "default": replace(DEFAULT, given=frozenset()),
    "fifo": Rules(ties="oldest", given=frozenset()),
}
"""The rule sets that have a name, as far as they are known by now; `rule_sets()` has all."""
_REFUSED: dict[str, str] = {}
_MODULES = ["tilewise.courses"]
"""Packages that add rule sets; one is imported when a name is not known without it."""


def rule_sets() -> dict[str, Rules]:
    """All rule sets that have a name."""
    for module in _MODULES:
        import_module(module)
    return NAMED


def add_rule_set(name: str, rules: Rules) -> None:
    """Give a name to rules."""
    NAMED[name] = replace(rules, given=frozenset())


def refuse_rule_set(name: str, instead: str) -> None:
    """Say what to use in place of a name that is no rule set although people may expect one."""
    _REFUSED[name] = instead


def named(name: str) -> Rules:
    """The rule set of that name."""
    if name not in NAMED and name not in rule_sets():
        if name in _REFUSED:
            raise SpecError(f"expected a rule set, got {name}: {_REFUSED[name]}")
        raise _unknown("a rule set", name, tuple(NAMED))
    return NAMED[name]


def _unknown(what: str, came: str, known: tuple[str, ...]) -> SpecError:
    hint = did_you_mean(came, known)
    return SpecError(f"expected {what} {', '.join(known)}; got {shortened(came)}{hint}")
