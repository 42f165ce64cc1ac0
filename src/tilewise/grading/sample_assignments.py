"""Sample assignments: boards of exact depth for each course, drawn from a seed."""

from __future__ import annotations

from random import Random

from tilewise.courses.course import Course, Draft
from tilewise.courses.files import find_course
from tilewise.puzzle.board import Board
from tilewise.scrambling import scramble

USUAL_DEPTH, MOST_DEPTH, DEEPEST_2X2 = 10, 31, 6
_POLICY = """\
[policy]
counts = "profile"   # the course's own only; "sound", "known": also what other rules give
tolerance = 0        # how far a count may be off: a number of nodes, or a share as in "5%"
diagnose = 30        # seconds for the count doctor and one wrong count; 0: do not ask it
diagnose_all = 300   # seconds for the count doctor and the whole class
moves = "blank"      # the students' moves are those of the blank, or of the "tile"
megabytes = 8        # the most that is read of each student's files
"""


def sample(profile: str, seed: int, name: str = "") -> str:
    """The text of a sample assignment; the same seed gives the same boards.

    `name` is what the assignment calls the course, where that is not its profile.
    """
    course, random = find_course(profile), Random(seed)
    policy = _POLICY.replace('"profile" ', f'"{course.grading.counts}" ')
    policy = policy.replace("tolerance = 0 ", f"tolerance = {course.grading.tolerance!r} ")
    if course.output is not None:
        policy = policy.replace('moves = "blank"', f'moves = "{course.output.moves_of}"')
    rows, columns = course.grading.shape or (3, 3)
    parts = [
        f"# An assignment for tilewise grade. Boards of exact depth, drawn with the seed {seed}.",
        f'title = "The {rows * columns - 1}-puzzle, {course.name}"',
        f'profile = "{name or profile}"',
        "",
        policy,
    ]
    for number, draft in enumerate(course.grading.sample, start=1):
        deep = min(draft.depth or USUAL_DEPTH, DEEPEST_2X2 if rows * columns == 4 else MOST_DEPTH)
        board = _board(course, draft, deep, random.getrandbits(32))
        depth = "cannot be solved" if draft.depth is None else f"depth {deep}"
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


def _board(course: Course, draft: Draft, depth: int, seed: int) -> Board:
    rows, columns = course.grading.shape or (3, 3)
    board = next(scramble(f"{rows}x{columns}", goal=course.goal, depth=depth, seed=seed))
    if draft.depth is not None:
        return board
    tiles = list(board.tiles)  # two tiles change places, and the parity is wrong
    first, second = (cell for cell, tile in enumerate(tiles) if tile in (1, 2))
    tiles[first], tiles[second] = tiles[second], tiles[first]
    return Board(rows, columns, tuple(tiles))
