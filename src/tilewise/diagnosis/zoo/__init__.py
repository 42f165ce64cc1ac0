"""The bug zoo: wrong solvers and heuristics that people really write, each with its symptom.

The doctors are tested on them, and they are exercises: find out what is wrong from outside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewise.core.entries import Estimate
from tilewise.diagnosis.audited import CLAIMS, AuditedHeuristic
from tilewise.diagnosis.audited import chosen_claims as chosen
from tilewise.diagnosis.zoo import heuristics, solvers
from tilewise.diagnosis.zoo.solvers import Printed
from tilewise.errors import SpecError, did_you_mean, shortened
from tilewise.puzzle.board import Board, Goal

PREFIX = "zoo:"
BOARD = Board(3, 3, (8, 6, 4, 2, 1, 3, 5, 7, 0))
"""The board on which solvers are shown."""


@dataclass(frozen=True)
class Creature:
    """A wrong heuristic or solver: what is wrong with it, and the observation that betrays it."""

    name: str
    wrong: str
    betrayed_by: str
    estimate: Callable[[Goal], Estimate] | None = None
    solver: Callable[[Board, Goal], Printed] | None = None

    @property
    def kind(self) -> str:
        return "heuristic" if self.estimate else "solver"

    @property
    def command(self) -> str:
        """The command that examines it."""
        if self.estimate:
            return f"tilewise audit {PREFIX}{self.name}"
        return f"tilewise zoo {self.name} BOARD, then tilewise why BOARD --count N"


ZOO = {
    creature.name: creature
    for creature in (
        Creature(
            "blank-counted",
            "Misplaced tiles that count the blank as a tile.",
            "One move from the goal it says 2. A* still finds shortest solutions with it, since h "
            "is 1 too large at most and path lengths differ by 2; its counts are other ones.",
            estimate=heuristics.blank_counted,
        ),
        Creature(
            "blank-walks",
            "Manhattan distance with the blank's own steps added.",
            "One move from the goal it says 2; a blank that is far away makes it worse.",
            estimate=heuristics.blank_walks,
        ),
        Creature(
            "pairwise-conflicts",
            "Linear conflict that adds 2 for each pair of tiles in conflict.",
            "Overestimates 7 states of 3x3: a tile that stands in the way of two others steps "
            "aside once.",
            estimate=heuristics.pairwise_conflicts,
        ),
        Creature(
            "running-maximum",
            "Linear conflict that adds 2 for each tile behind a larger one of its line.",
            "Admissible on all of 3x3, though not consistent; it overestimates on 4x4: a proof for "
            "small boards says nothing of larger ones.",
            estimate=heuristics.running_maximum,
        ),
        Creature(
            "added-up",
            "The sum of misplaced tiles and Manhattan distance.",
            "One move from the goal it says 2: the same tile is counted twice.",
            estimate=heuristics.added_up,
        ),
        Creature(
            "wrong-home",
            "Manhattan distance to the homes of the other goal (blank last for blank first).",
            "It is not 0 at the goal.",
            estimate=heuristics.wrong_home,
        ),
        Creature(
            "two-minds",
            "Manhattan distance on some states, misplaced tiles on the others, whichever is fast.",
            "Admissible, for both parts are, but not consistent: it jumps by more than one move.",
            estimate=heuristics.two_minds,
        ),
        Creature(
            "greedy-called-astar",
            "A search that is called A* and takes the smallest h, without g.",
            "Few nodes, long solutions; the count is that of greedy search.",
            solver=solvers.greedy_called_astar,
        ),
        Creature(
            "skip-if-in-frontier",
            "A* that skips a state that is on the open list even when the new path is cheaper.",
            "Misses the optimum now and then; the count is that of skip-if-in-frontier.",
            solver=solvers.skip_if_in_frontier,
        ),
        Creature(
            "closed-when-generated",
            "A* that marks a state as visited when it is generated, as breadth-first search may.",
            "Misses the optimum now and then; the count is that of closed-when-generated.",
            solver=solvers.closed_when_generated,
        ),
        Creature(
            "g-forgotten",
            "A* that notes the better parent of a state on the open list and forgets its g.",
            "It prints a cost that is larger than the number of its own moves; the count is that "
            "of skip-if-in-frontier.",
            solver=solvers.g_forgotten,
        ),
        Creature(
            "no-closed-list",
            "A* that knows no state again but the one it just came from.",
            "Shortest solutions, several times the nodes; the count is that of ancestors(2).",
            solver=solvers.no_closed_list,
        ),
        Creature(
            "goal-counted",
            "A* that tests the goal when it generates it, and counts the goal as expanded.",
            "Shortest solutions; the count is that of goal_test=generated, and one more.",
            solver=solvers.goal_counted,
        ),
        Creature(
            "parity-of-the-wrong-goal",
            "A* behind a test of solvability that was made for the other goal: even inversions, "
            "with the row of the blank counted from the wrong side.",
            "On boards with an even number of columns it calls a board unsolvable that is one move "
            "from the goal; on 3x3 it makes no difference.",
            solver=solvers.parity_of_the_wrong_goal,
        ),
    )
}


def creature(name: str) -> Creature:
    """The creature of that name."""
    if name not in ZOO:
        hint = did_you_mean(name, ZOO) or f" (known: {', '.join(ZOO)})"
        raise SpecError(f"expected a name of the zoo, got {shortened(name)}{hint}")
    return ZOO[name]


def heuristic_of(text: str, claims: str | None = None) -> AuditedHeuristic | None:
    """The heuristic that `zoo:NAME` means, None for other texts."""
    if not text.startswith(PREFIX):
        return None
    found = creature(text.removeprefix(PREFIX))
    if found.estimate is None:
        raise SpecError(
            f"expected a heuristic of the zoo, got a solver: tilewise zoo {found.name} shows it"
        )
    return AuditedHeuristic(text, chosen(claims, CLAIMS), found.estimate, knows_goals=True)
