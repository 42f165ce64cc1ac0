"""What an algorithm says about itself: its contract, its open list and its pseudo-code.

`explain`, worksheets, the count doctor, the trace reader, the native engine, the documents and the
page read these facts; none of them knows an algorithm by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from textwrap import dedent
from typing import Any

from tilewise.core.events import Kind
from tilewise.core.rules import Rules
from tilewise.errors import SpecError, shortened

Priority = Callable[[int, int], int]
"""The number of which the smallest is taken, from g and h."""


class Contract(StrEnum):
    """What a second implementation of an algorithm must have in common with the Python one."""

    EXACT = "EXACT"
    OPTIMAL = "OPTIMAL"
    BOUNDED = "BOUNDED"
    VALID = "VALID"


class FrontierKind(StrEnum):
    """Where an algorithm keeps the nodes that wait to be expanded."""

    PRIORITY_QUEUE = "priority queue"
    QUEUE = "queue"
    STACK = "stack"
    LAYERS = "layers"
    DEEPENING = "path below a bound"
    RECURSION = "path with its alternatives"
    TWO_SIDED = "two sides"
    OWN_ORDER = "open list in an order of its own"
    WALK = "current state"
    NONE = "none"


BEST_FIRST = (FrontierKind.PRIORITY_QUEUE, FrontierKind.QUEUE, FrontierKind.STACK)
"""The kinds that take the node of least priority: an open list that is sorted by g and h."""


@dataclass(frozen=True)
class Frontier:
    """The nodes that wait: what they are sorted by, which of equal ones is taken, which come back.

    `g` and `h` are weights: the node with the smallest g * weight + h * weight is taken, with a
    weight of g below 0 the one with the largest g. The weight of h, and the width of a beam, may
    be the name of an option. `ties` are those of a queue or a stack, which hold unless others are
    set on purpose. Without `reopens` a state is stored once, even if a cheaper path to it is found
    later. With `pushes_reversed` the last successor is pushed first.
    """

    kind: FrontierKind = FrontierKind.PRIORITY_QUEUE
    g: int = 0
    h: int | Fraction | str = 0
    ties: str | None = None
    reopens: bool = True
    pushes_reversed: bool = False
    width: int | str | None = None

    @property
    def best_first(self) -> bool:
        """Whether there is an open list that is sorted by g and h."""
        return self.kind in BEST_FIRST

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the algorithm that it depends on."""
        return tuple(name for name in (self.h, self.width) if isinstance(name, str))

    def configured(self, options: Mapping[str, Any]) -> Frontier:
        """The frontier with the values of its options in place of their names."""
        h = options[self.h] if isinstance(self.h, str) else self.h
        width = options[self.width] if isinstance(self.width, str) else self.width
        return replace(self, h=h, width=width)

    @cached_property
    def weights(self) -> tuple[int, int]:
        """The weights of g and h as whole numbers in the same ratio."""
        if isinstance(self.h, str):
            raise SpecError(f"expected the option {self.h} to have a value")
        ratio = Fraction(self.h)
        return self.g * ratio.denominator, ratio.numerator

    def priority(self) -> Priority:
        """The priority as a function; the usual ones without a multiplication."""
        for_g, for_h = self.weights
        usual: dict[tuple[int, int], Priority] = {
            (1, 1): lambda g, h: g + h,
            (1, 0): lambda g, h: g,
            (0, 1): lambda g, h: h,
            (-1, 0): lambda g, h: -g,
        }
        return usual.get((for_g, for_h), lambda g, h: for_g * g + for_h * h)

    def with_ties(self, rules: Rules) -> Rules:
        """The rules with the ties of this frontier, unless others are set on purpose."""
        return replace(rules, ties=rules.ties_or(self.ties)) if self.ties else rules

    @property
    def usual_ties(self) -> str:
        """The ties where none are set on purpose."""
        return self.ties or Rules().ties

    @property
    def ties_look_at_h(self) -> bool:
        """Whether nodes of equal priority can differ in h."""
        return bool(self.g and self.h)

    @property
    def finds_cheaper_paths(self) -> bool:
        """Whether a later path to a known state can be cheaper, and counts.

        Every move costs 1. So a search that takes the smallest g, and does not look at h, comes
        to each state on a shortest path first.
        """
        return self.reopens and (bool(self.h) or self.g < 0)

    @property
    def name(self) -> str:
        """What is compared: `f`, `g`, `h` or a formula such as `g + 1.5h`."""
        if (self.g, self.h) == (1, 1):
            return "f"
        if isinstance(self.h, str):
            return f"{_term(self.g, 'g')} + {self.h} * h"
        terms = [
            _term(weight, letter)
            for weight, letter in ((abs(self.g), "g"), (self.h, "h"))
            if weight
        ]
        return " + ".join(terms)

    @property
    def formula(self) -> str:
        """What is compared, in full: `f = g + h`."""
        return "f = g + h" if self.name == "f" else self.name

    @property
    def best(self) -> str:
        """Whether the smallest or the largest value is taken."""
        return "largest" if self.g < 0 else "smallest"

    def value(self, g: int, h: int) -> str:
        """What is compared, with its value for a node: `f = 12`."""
        for_g, for_h = self.weights
        total = abs(for_g * g + for_h * h)
        scale = Fraction(self.h).denominator
        return f"{self.name} = {total if scale == 1 else _decimal(Fraction(total, scale))}"


def _term(weight: int | Fraction, letter: str) -> str:
    return letter if weight == 1 else f"{_decimal(Fraction(weight))}{letter}"


def _decimal(number: Fraction) -> str:
    """1.5 rather than 3/2 where a decimal fraction is exact."""
    short = f"{float(number):g}"
    return short if Fraction(short) == number else str(number)


@dataclass(frozen=True)
class PseudoCode:
    """An algorithm in a few lines, and the line that each kind of event belongs to."""

    lines: tuple[str, ...] = ()
    line_of: Mapping[Kind, int] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> PseudoCode:
        """Read lines of which some end in the kinds of events that they make: `<- expand, goal`."""
        lines: list[str] = []
        line_of: dict[Kind, int] = {}
        for line in dedent(text).strip().splitlines():
            shown, _, kinds = line.partition("<-")
            lines.append(shown.rstrip())
            for name in filter(None, (each.strip() for each in kinds.split(","))):
                if name not in set(Kind):
                    raise SpecError(
                        f"expected a kind of event {', '.join(Kind)} after '<-', "
                        f"got {shortened(name)}"
                    )
                line_of[Kind(name)] = len(lines)
        return cls(tuple(lines), line_of)

    def line(self, kind: Kind) -> int | None:
        """The number of the line, from 1, that an event of this kind belongs to."""
        return self.line_of.get(kind)
