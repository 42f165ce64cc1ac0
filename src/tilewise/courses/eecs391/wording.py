"""What the two eecs391 programs print, as data, and the few texts that are made from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewise.core.result import Status
from tilewise.puzzle.board import Board

WORDS = {"U": "up", "D": "down", "L": "left", "R": "right"}
"""The names of the blank's moves, in the order in which they are looked up."""

LETTERS = {word: letter for letter, word in WORDS.items()}
RULE = "-------------"


@dataclass(frozen=True)
class Wording:
    """The lines of one version."""

    found: str
    length: str
    deeper: str
    goal: str
    move_refused: str
    astar_limit: str
    beam_limit: str
    closing_rule: bool
    pretty_names: tuple[str, ...]


EECS391 = Wording(
    found="Solution found!",
    length="Solution Length:  {}",
    deeper="Depth: {}",
    goal="GOAL!!!!!!!!!",
    move_refused="Move not allowed\nAllowed moves: {}",
    astar_limit="No Solution Found in first {limit} nodes generated",
    beam_limit="No Solution Found in first {limit} generated nodes",
    closing_rule=False,
    pretty_names=("prettyPrint",),
)
EECS391_TABLE = Wording(
    found="Solution is below",
    length="Solution Length: {}",
    deeper="The current depth is: {}",
    goal="We have reached the goal",
    move_refused="This move is not allowed",
    astar_limit="This solution could not be found in {limit} nodes",
    beam_limit="The solution was not found in the first {limit} generated nodes",
    closing_rule=True,
    pretty_names=("tablePrint", "prettyPrint"),
)
WORDINGS = {"eecs391": EECS391, "eecs391-table": EECS391_TABLE}

# The course programs have no words for these ends.
ALL_GENERATED = "No Solution Found: all {nodes} nodes that can be generated were generated"
BEAM_EMPTY = "No Solution Found: the beam became empty after {nodes} generated nodes"
OUT_OF_MEMORY = "No Solution Found: the memory was used up after {nodes} generated nodes"
NO_SOLUTION = "No solution to print"


def failure(wording: Wording, status: Status, beam: bool, limit: int, nodes: int) -> str:
    """The line for a search that found nothing."""
    if status is Status.STUCK:
        return BEAM_EMPTY.format(nodes=nodes)
    if status is Status.UNSOLVABLE:
        return ALL_GENERATED.format(nodes=nodes)
    if nodes < limit:
        return OUT_OF_MEMORY.format(nodes=nodes)
    return (wording.beam_limit if beam else wording.astar_limit).format(limit=limit)


def success(wording: Wording, moves: str, nodes: int) -> str:
    """The four lines for a solution."""
    path = ["start", *(WORDS[move] for move in moves), "goal"]
    return "\n".join(
        (
            wording.found,
            wording.length.format(len(moves)),
            f"Solution Path {path}",
            f"Total nodes generated: {nodes}",
        )
    )


def block(title: str, board: Board, closing_rule: bool = False) -> str:
    """A blank line, a title and the board between rules."""
    lines = ["", title]
    for row in board.grid():
        lines += [RULE, "| " + " | ".join(map(str, row)) + " |"]
    return "\n".join([*lines, RULE] if closing_rule else lines)


def solution_blocks(wording: Wording, boards: list[Board]) -> Iterator[str]:
    """A block for each board on the way; even length 0 has a start and a goal block."""
    start, *between = boards[:-1] or boards
    yield block("Starting State", start, wording.closing_rule)
    for depth, board in enumerate(between, start=1):
        yield block(wording.deeper.format(depth), board, wording.closing_rule)
    yield block(wording.goal, boards[-1], wording.closing_rule)
