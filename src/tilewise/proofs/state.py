"""ProofState: all that a proof has come to, as it stands in its checkpoint."""

from __future__ import annotations

import math
import zlib
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from tilewise.core.stats import Stats

Side = Literal["start", "goal"]
SMALL_PASS = 100_000
"""After a pass of fewer nodes the next one is not cut into subtrees."""
COMPARED_PASS = 200_000
"""A pass of as many nodes shows which heuristic and which side has fewer of them."""
LONG_PASS = 10_000_000
"""After a pass of more nodes the next one takes seconds."""
LONG_PROOF = 4_000_000_000
"""For as many nodes by one partition, tables of further partitions are worth being built: that
takes as long as a billion of these nodes, and saves only a part of what is left."""
GROWTH = 8
"""A pass has about this many times the nodes of the one before."""
MOST_AHEAD = 6
"""Passes ahead that are looked at: a first solution may be far too long."""
MOST_GROWTH = 100
"""The logarithm of the growth over all passes up to which the time left is estimated."""
LOOK_SHARE = 0.125
"""The part of the time that passes may take which a look for a better solution is worth."""
PROBE = 1
"""A probe has this many times the nodes of the last pass, which are about an eighth of those of the
next one: all probes together are a small part of a proof."""
NODES_A_SUBTREE, MOST_SUBTREES = 1_000, 100_000


@dataclass
class PassState:
    """A pass: its bound, its subtrees, and the counters of those that are done."""

    bound: int
    wanted: int
    """Roots that were wanted; they follow from this number, so they need not be kept."""
    roots: int = 0
    digest: int = 0
    """A checksum of the roots."""
    done: set[int] = field(default_factory=set)
    expanded: int = 0
    generated: int = 0
    max_depth: int = 0
    least_above: int | None = None
    seconds: float = 0.0
    heuristic: str = ""
    """What it was made with; a long proof goes on with more tables than it began with."""
    side: Side = "start"
    """Where it began: at the board, or at the goal and led to the board."""

    def add(self, expanded: int, generated: int, max_depth: int, least_above: int | None) -> None:
        """Count what is done: a subtree, or the top."""
        self.expanded += expanded
        self.generated += generated
        self.max_depth = max(self.max_depth, max_depth)
        if least_above is not None:
            self.least_above = min(least_above, self.least_above or least_above)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the subtrees that are done as the bits of a number."""
        bits = bytearray((self.roots + 7) // 8)
        for number in self.done:
            bits[number // 8] |= 1 << number % 8
        return {**asdict(self), "done": bits.hex()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> PassState:
        """What `to_dict` made."""
        bits = bytes.fromhex(values["done"])
        done = {n for n in range(values["roots"]) if bits[n // 8] >> n % 8 & 1}
        return cls(**{**values, "done": done})


@dataclass
class ProofState:
    """A proof: what is to be proved and how, the best solution, the passes that are done."""

    board: str
    goal: str
    heuristic: str
    """For the pass that is made now."""
    words: int
    order: str
    incumbent: str | None
    bound: int
    """Moves that are proved to be needed."""
    tables: dict[str, int] = field(default_factory=dict)
    """The tables by name, with the checksum of all entries."""
    passes: list[PassState] = field(default_factory=list)
    """Those that are done, without the subtrees."""
    current: PassState | None = None
    machines: list[str] = field(default_factory=list)
    first_cost: int | None = None
    """The length of the solution that the passes began with."""
    looked: float = 0.0
    """Seconds of looking for a solution by beams."""
    found_after: float = 0.0
    """Seconds after which the shortest solution so far was found."""
    probed: int = 0
    """Nodes of probes for a shorter solution; they prove nothing and are in no other counter."""
    heuristic_if_long: str | None = None
    """With more tables; they are worth being built only if many nodes are left."""
    heuristic_by_cells: str | None = None
    """With look-ups by cells; compared with the other before the first pass that is worth it."""
    side: Side = "start"
    """Where the pass that is made now begins."""

    @property
    def cost(self) -> int | None:
        return None if self.incumbent is None else len(self.incumbent)

    @property
    def proved(self) -> bool:
        """Whether the incumbent is as short as the bound."""
        return self.incumbent is not None and len(self.incumbent) <= self.bound

    @property
    def counted(self) -> list[PassState]:
        """All passes, the current one included."""
        return [*self.passes, *([] if self.current is None else [self.current])]

    @property
    def generated(self) -> int:
        return sum(each.generated for each in self.counted)

    @property
    def seconds(self) -> float:
        """The time that all runs have spent in passes."""
        return sum(each.seconds for each in self.counted)

    @property
    def nodes_left(self) -> int:
        """Nodes that the passes from now on have, about, the current one as a whole."""
        last = self.passes[-1].generated if self.passes else 0
        passes = 1 if self.cost is None else max(1, (self.cost - self.bound) // 2)
        ahead = range(1, min(passes, MOST_AHEAD) + 1)
        return last * sum(int(GROWTH**number) for number in ahead)

    @property
    def before_long_pass(self) -> bool:
        """Whether the next pass takes seconds by all that is known."""
        long = bool(self.passes) and self.passes[-1].generated >= LONG_PASS
        return long and self.current is None and not self.proved

    @property
    def worth_more_tables(self) -> bool:
        """Whether so much is left that it pays to build the tables for long proofs."""
        return self.heuristic_if_long is not None and self.long

    @property
    def long(self) -> bool:
        """Whether so much is left that building tables takes little of it."""
        return self.before_long_pass and self.nodes_left >= LONG_PROOF

    @property
    def worth_comparing(self) -> bool:
        """Whether it pays to find out how many nodes the last pass has with look-ups by cells."""
        wanted = self.heuristic_by_cells is not None and self.heuristic_if_long is None
        large = bool(self.passes) and self.passes[-1].generated >= COMPARED_PASS
        return wanted and large and self.current is None and not self.proved

    @property
    def worth_looking(self) -> float:
        """Seconds that looking for a better solution is worth, those before included.

        A solution that was given is taken as it is.
        """
        if not (self.before_long_pass and self.looked > 0):
            return 0.0
        last = self.passes[-1]
        return LOOK_SHARE * self.nodes_left * last.seconds / last.generated

    @property
    def nodes_of_probe(self) -> int:
        """Nodes that are worth a look for a shorter solution before the next pass; 0 for none.

        Where the pass is the last one that is needed, it finds what there is by itself.
        """
        last = self.passes[-1].generated if self.passes else 0
        if self.cost is None or self.bound >= self.cost - 2 or last < SMALL_PASS:
            return 0
        return PROBE * last

    @property
    def next_pass(self) -> PassState:
        """The pass that is to be made now."""
        last = self.passes[-1].generated if self.passes else 0
        wanted = 1 if last < SMALL_PASS else min(MOST_SUBTREES, last // NODES_A_SUBTREE)
        return PassState(self.bound, wanted, heuristic=self.heuristic, side=self.side)

    def finish(self) -> None:
        """All subtrees of the current pass are done, without a solution: the bound rises."""
        if self.current is None or len(self.current.done) != self.current.roots:
            raise ValueError("a pass is done only when all of its subtrees are")
        if self.current.least_above is None:
            raise ValueError("a pass that cuts nothing off must find the goal")
        self.bound = self.current.least_above
        self.current.done = set()
        self.passes.append(self.current)
        self.current = None

    def stats(self) -> Stats:
        """The counters of all that is done."""
        return Stats(
            expanded=sum(each.expanded for each in self.counted),
            generated=self.generated,
            max_depth=max((each.max_depth for each in self.counted), default=0),
            iterations=len(self.counted),
            bound=self.bound,
            expanded_below_cost=sum(each.expanded for each in self.passes),
        )

    @property
    def seconds_left(self) -> float | None:
        """An estimate by the growth of the last passes; None where nothing can be said."""
        if self.incumbent is None or len(self.passes) < 2 or self.passes[-2].generated < 1000:
            return None
        last, before = self.passes[-1].generated, self.passes[-2].generated
        growth = max(1.5, last / before)
        passes = (len(self.incumbent) - self.bound + 1) // 2
        if passes * math.log(growth) > MOST_GROWTH:
            return None
        nodes = sum(last * growth ** (number + 1) for number in range(passes))
        if self.current is not None:
            nodes = max(0.0, nodes - self.current.generated)
        rate = self.generated / self.seconds if self.seconds else 0.0
        return nodes / rate if rate else None


def digest_of(roots: list[str]) -> int:
    """A checksum of roots, so that another program does not go on with other ones."""
    return zlib.crc32("\n".join(roots).encode())
