"""How `tilewise check` shows its findings: a page for one board, a line for each of many."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from tilewise.checking import BoardCheck, HeuristicValue, PathCheck, known_distance
from tilewise.cli import render
from tilewise.cli.progress import shown_tables
from tilewise.errors import shortened
from tilewise.puzzle.board import Goal
from tilewise.puzzle.parity import nearest_solvable, why_unsolvable
from tilewise.puzzle.position import Position, board_text, text_for

INDENT = "    "
LONGEST_PATH = 200


def page(position: Position, checked: BoardCheck, width: int) -> Iterator[str]:
    """All about one board."""
    board, goal = position.board, position.goal
    if position.note:
        yield position.note
    yield f"{board.shape} board in {position.notation} notation, goal {goal.name}"
    yield ""
    yield from render.side_by_side([board, goal.board], ["board", "goal"], width)
    yield ""
    if checked.solvable:
        yield solvable(checked.distance)
    else:
        yield from _unsolvable(checked, width)
    yield ""
    yield from heuristic_lines(checked, width)


def _unsolvable(checked: BoardCheck, width: int) -> Iterator[str]:
    """The parity argument, and what would mend it."""
    board, goal = checked.board, checked.goal
    yield from textwrap.wrap(f"unsolvable: {why_unsolvable(board, goal)}", width)
    yield from textwrap.wrap("Two tiles lifted out and swapped make it solvable:", width)
    for first, second, mended in nearest_solvable(board, goal):
        yield f"  {text_for(mended, goal)}   (swap {first} and {second})"


def solvable(distance: int | None) -> str:
    """That a board can be solved, and in how many moves where that is known."""
    if distance is None:
        return "solvable"
    if distance == 0:
        return "solved: this is the goal"
    return f"solvable: the shortest solutions have {_moves(distance)}"


def heuristic_lines(checked: BoardCheck, width: int) -> Iterator[str]:
    """The value of each heuristic; one that cannot serve the board says why."""
    title = "heuristic"
    column = max(len(title), *(len(each.name) for each in checked.heuristics))
    yield f"{title:<{column}}  value"
    for each in sorted(checked.heuristics, key=_weakest_first):
        if each.value is None:
            yield f"{each.name:<{column}}      -"
            why_not = each.why_not or ""
            yield from textwrap.wrap(
                why_not, width, initial_indent=INDENT, subsequent_indent=INDENT
            )
            continue
        notes = [] if each.admissible else ["may overestimate"]
        if checked.distance is not None and each.value > checked.distance:
            notes = ["overestimates here, so it is not admissible"]
        yield f"{each.name:<{column}}  {each.value:>5}  {'; '.join(notes)}".rstrip()


def _weakest_first(each: HeuristicValue) -> tuple[bool, int]:
    return each.value is None, each.value or 0


def path_lines(played: PathCheck, goal: Goal, perspective: str, width: int) -> Iterator[str]:
    """How the path of one board was understood, and the verdict."""
    moves = shortened(render.moves_text(played.moves, perspective), LONGEST_PATH).strip("'")
    whose = "tiles" if perspective == "tile" else "blank"
    yield from textwrap.wrap(f"path (moves of the {whose}): {moves or 'none'}", width)
    for line in verdict(played, goal, perspective):
        yield from textwrap.wrap(line, width)


def one_line(position: Position, played: PathCheck | None, perspective: str) -> str:
    """The verdict on one of many, and the remark about its goal."""
    note = f"  ({position.note})" if position.note else ""
    return f"{_one_verdict(position, played, perspective)}{note}"


def _one_verdict(position: Position, played: PathCheck | None, perspective: str) -> str:
    board, goal = position.board, position.goal
    if not position.solvable:
        return f"unsolvable: {why_unsolvable(board, goal)}"
    if played is None:
        return solvable(known_distance(board, goal, shown_tables()))
    return "; ".join(verdict(played, goal, perspective))


def verdict(played: PathCheck, goal: Goal, perspective: str) -> Iterator[str]:
    """Whether a path is legal, reaches the goal and is as short as can be."""
    if played.illegal_at is not None:
        yield _illegal(played, goal, played.illegal_at, perspective)
    elif not played.reaches_goal:
        yield _elsewhere(played, goal)
    else:
        yield _solution(played)
    if played.solves_as_tile_moves:
        other, whose = ("blank", "blank") if perspective == "tile" else ("tile", "tiles")
        yield f"as moves of the {whose} it is a solution: --moves {other}"


def _illegal(played: PathCheck, goal: Goal, number: int, perspective: str) -> str:
    came = render.moves_text(played.moves[number - 1], perspective)
    legal = render.moves_text("".join(played.end.legal_moves()), perspective)
    possible = f"{', '.join(legal[:-1])} or {legal[-1]}"
    where = board_text(played.end, goal)
    return f"illegal: move {number} is {came}, but on {where} it can be {possible}"


def _elsewhere(played: PathCheck, goal: Goal) -> str:
    passes = played.passes_goal_at
    on_the_way = "" if passes is None else f" (it was there after {_moves(passes)})"
    return (
        f"no solution: legal, but {_moves(len(played.moves))} lead to "
        f"{board_text(played.end, goal)}, not to {board_text(goal.board, goal)}{on_the_way}"
    )


def _solution(played: PathCheck) -> str:
    length, too_long = len(played.moves), played.too_long
    if too_long is None:
        return (
            f"legal: a solution of {_moves(length)}; whether fewer are enough was not found out "
            f"within the limits (at least {played.lower_bound} are needed)"
        )
    if too_long:
        enough = f"{played.optimum} {'is' if played.optimum == 1 else 'are'} enough"
        return f"{_moves(too_long)} too long: a solution of {_moves(length)}, but {enough}"
    return f"optimal: a solution of {_moves(length)}, and none is shorter"


def _moves(number: int) -> str:
    return f"{number:,} move{'' if number == 1 else 's'}"
