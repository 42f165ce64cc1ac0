"""Sample assignments: boards of exact depth for each course, drawn from a seed."""

from __future__ import annotations

from random import Random

from tilewise.courses import course_named
from tilewise.courses.course import Course, Draft
from tilewise.puzzle.board import Board
from tilewise.scrambling import scramble

_POLICY = """\
[policy]
counts = "profile"   # the course's own only; "sound", "known": also what other rules give
tolerance = 0        # how far a count may be off: a number of nodes, or a share as in "5%"
diagnose = 30        # seconds for the count doctor and one wrong count; 0: do not ask it
diagnose_all = 300   # seconds for the count doctor and the whole class
moves = "blank"      # the students' moves are those of the blank, or of the "tile"
megabytes = 8        # the most that is read of each student's files
"""


def sample(profile: str, seed: int) -> str:
    """The text of a sample assignment; the same seed gives the same boards."""
    course, random = course_named(profile), Random(seed)
    parts = [
        f"# An assignment for tilewise grade. Boards of exact depth, drawn with the seed {seed}.",
        f'title = "The 8-puzzle, {profile}"',
        f'profile = "{profile}"',
        "",
        _POLICY,
    ]
    for number, draft in enumerate(course.grading.sample, start=1):
        board = _board(course, draft, random.getrandbits(32))
        depth = "cannot be solved" if draft.depth is None else f"depth {draft.depth}"
        parts += [
            "[[questions]]",
            f'name = "q{number}"',
            f'board = "{course.text(board)}"   # {depth}',
            f'method = "{draft.method}"',
            *([f"max_nodes = {draft.max_nodes}"] if draft.max_nodes else []),
            f"points = {{ {draft.points} }}",
            "",
        ]
    return "\n".join(parts)


def _board(course: Course, draft: Draft, seed: int) -> Board:
    board = next(scramble("3x3", goal=course.goal, depth=draft.depth or 10, seed=seed))
    if draft.depth is not None:
        return board
    tiles = list(board.tiles)  # two tiles change places, and the parity is wrong
    first, second = (cell for cell in range(9) if tiles[cell] in (1, 2))
    tiles[first], tiles[second] = tiles[second], tiles[first]
    return Board(3, 3, tuple(tiles))
