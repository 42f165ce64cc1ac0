"""Puzzles drawn for a course: a random walk from its goal, with two tiles swapped or not."""

from __future__ import annotations

from random import Random

from tilewise.courses.course import Course
from tilewise.errors import SpecError
from tilewise.puzzle import formats
from tilewise.puzzle.board import MAX_SIDE, MIN_SIDE, Board, Goal

ITERATIONS = 10_000


def generate(
    course: Course, size: int, *, solvable: bool, iterations: int = ITERATIONS, seed: int
) -> Board:
    """A square board that moves can solve, or cannot.

    It begins with the course's goal; an unsolvable one has two tiles swapped first, which no move
    undoes. Then the blank makes random moves, one for each iteration.

    Args:
        course: Whose goal it begins with.
        size: Rows and columns.
        solvable: Whether the goal can be reached.
        iterations: The number of random moves.
        seed: The same seed gives the same board.

    Raises:
        SpecError: There is no board of that size.

    Example:
        >>> from tilewise.courses import course_named
        >>> course = course_named("n-puzzle")
        >>> board = generate(course, 3, solvable=False, iterations=100, seed=1)
        >>> course.goal_for(board).reachable_from(board)
        False
    """
    if not MIN_SIDE <= size <= MAX_SIDE:
        raise SpecError(f"expected a size from {MIN_SIDE} to {MAX_SIDE}, got {size}")
    board = Goal.named(course.goal, size, size).board
    if not solvable:
        tiles = list(board.tiles)
        first, second = [place for place, tile in enumerate(tiles) if tile][:2]
        tiles[first], tiles[second] = tiles[second], tiles[first]
        board = Board(size, size, tuple(tiles))
    random = Random(seed)
    for _ in range(iterations):
        board = board.after(random.choice(board.legal_moves()))
    return board


def puzzle_text(course: Course, board: Board) -> str:
    """The file of a puzzle; where the notation has comments, one says whether it is solvable."""
    comment = formats.notation(course.grading.notation).comment
    can = "solvable" if course.goal_for(board).reachable_from(board) else "unsolvable"
    first = f"{comment} This puzzle is {can}\n" if comment else ""
    return first + board.to(course.grading.notation)
