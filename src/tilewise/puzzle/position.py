"""A position is a board with its goal. One rule reads it from text, one writes it back.

With no goal named, the goal is the one that the notation of the text implies; a `Board` implies
blank first. Where that goal cannot be reached but the other of first and last can, the other one
is taken. A board that is itself one of the named goals is solved, whatever its notation.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewise.errors import GoalError, shortened
from tilewise.puzzle import formats
from tilewise.puzzle.board import FLAT, NAMED_GOALS, Board, Goal, named_goals

GOAL_MARK = "--goal"
"""A text may carry its goal behind the board, as in `123 456 78b --goal first`."""
_USUAL = "first"
_OTHER_CORNER = {"first": "last", "last": "first"}

WantedGoal = Goal | Board | str | None
"""A goal, a board to reach, a name or the text of a board; None and "auto" leave it open."""


@dataclass(frozen=True)
class Position:
    """A board and its goal. `str(position)` is a text that `read_position` reads back.

    Example:
        >>> position = read_position("1 2 3/4 0 6/7 5 8")
        >>> position.goal.name, str(position)
        ('last', '1 2 3/4 0 6/7 5 8')
    """

    board: Board
    """The board."""
    goal: Goal
    """The goal."""
    note: str | None = None
    """A remark about the goal, where the notation alone would mean another one."""
    notation: str | None = None
    """The notation of the text, None for a `Board`."""

    @property
    def solvable(self) -> bool:
        """Whether moves lead from the board to the goal."""
        return self.goal.reachable_from(self.board)

    def reversed(self) -> Position:
        """The same puzzle from the goal to the board."""
        return Position(self.goal.board, Goal(self.board))

    def __str__(self) -> str:
        return text_for(self.board, self.goal)


def read_position(given: Position | Board | str, goal: WantedGoal = None) -> Position:
    """The position that a text or a board means.

    Args:
        given: A board, its text, or a position.
        goal: A name, a board or a `Goal`; it goes before all others. None and `"auto"` leave the
            choice to the text: see "Goals, and which one is meant" in the concepts.

    Raises:
        BoardError: The text is not a board.
        GoalError: The goal is unknown or has another shape.

    Example:
        >>> read_position("b12 345 678", goal="last").goal.name
        'last'
    """
    named = goal is not None and goal != "auto"
    if isinstance(given, Position):
        if not named:
            return given
        return Position(given.board, _wanted(goal, given.board), None, given.notation)
    if isinstance(given, Board):
        board, notation, carried = given, None, None
    else:
        text, carried = without_goal(given)
        reading = formats.read(text)
        board, notation = Board.from_reading(reading, text), reading.notation
    if named or carried is not None:
        wanted = _wanted(goal if named else carried, board)
        return Position(board, wanted, None, notation)
    implied = _USUAL if notation is None else _implied_by(notation)
    return Position(board, *_automatic(board, implied), notation)


def text_for(
    board: Board, goal: Goal, notation: str | None = None, *, one_word: bool = False
) -> str:
    """A board as one text that `read_position` reads back to the same board and goal.

    Where no notation implies the goal, or another notation is demanded, the goal stands behind
    the board. `one_word`: without spaces in the board, to be copied to a command line.

    >>> print(text_for(Board.parse("123 456 78b"), Goal.blank_first(3, 3)))
    123 456 78b --goal first
    """
    text, implied = _written(board, goal, notation, one_word)
    if _automatic(board, implied)[0] == goal:
        return text
    name = goal.name if goal.name in NAMED_GOALS else goal.board.to(FLAT)
    comment = "" if notation is None else formats.notation(notation).comment
    return " ".join(part for part in (text, comment, GOAL_MARK, name) if part)


def board_text(
    board: Board, goal: Goal, notation: str | None = None, *, one_word: bool = False
) -> str:
    """The board alone as `text_for` writes it, for lines that name the goal beside it."""
    return _written(board, goal, notation, one_word)[0]


def without_goal(text: str) -> tuple[str, str | None]:
    """A text without the goal that it may carry, and that goal."""
    if not isinstance(text, str) or GOAL_MARK not in text:
        return text, None
    board, _, goal = text.partition(GOAL_MARK)
    goal = goal.lstrip(" \t=").rstrip()
    return board.rstrip(), None if goal == "auto" else goal


def _wanted(goal: WantedGoal, board: Board) -> Goal:
    if isinstance(goal, Goal | Board):
        return Goal.of(goal)
    if not isinstance(goal, str):
        raise GoalError(
            f"expected a goal {', '.join(NAMED_GOALS)} or a board, got {shortened(goal)}"
        )
    return Goal.named(goal, board.rows, board.columns)


def _implied_by(notation: str) -> str:
    return formats.notation(notation).goal or _USUAL


def _automatic(board: Board, implied: str) -> tuple[Goal, str | None]:
    """The goal where none is named, and the remark about it."""
    goals = named_goals(board.rows, board.columns)
    if goals[implied].board.tiles == board.tiles:
        return goals[implied], None
    for name, goal in goals.items():
        if goal.board.tiles == board.tiles:
            return goal, f"goal: {name} (this board already is that goal)"
    other = _OTHER_CORNER.get(implied)
    if (
        other is not None
        and not goals[implied].reachable_from(board)
        and goals[other].reachable_from(board)
    ):
        return (
            goals[other],
            f"goal: {other} (the goal {implied} cannot be reached from this board)",
        )
    return goals[implied], None


def _written(board: Board, goal: Goal, notation: str | None, one_word: bool) -> tuple[str, str]:
    """A board in the notation named, or in one that implies the goal; and the goal implied."""
    if notation is not None:
        return board.to(notation), _implied_by(formats.notation(notation).name)
    if goal.name == "last":
        text = board.to("slidysim")
        return text.replace(" ", ",") if one_word else text, "last"
    return board.to("columbia") if one_word else str(board), _USUAL
