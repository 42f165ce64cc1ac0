"""Sample assignments: boards of exact depth for each course, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tilewise.courses import PROFILES
from tilewise.grading.courses import COURSES
from tilewise.puzzle.board import Board
from tilewise.scrambling import scramble


@dataclass(frozen=True)
class Draft:
    """A question before its board is drawn. Depth None: a board that cannot be solved."""

    method: str
    depth: int | None
    points: str
    max_nodes: int | None = None


_COLUMBIA = "path = 4, length = 1, expanded = 3, max_depth = 1, output = 1"
_COLUMBIA_BEST = "path = 3, optimal = 2, length = 1, expanded = 2, max_depth = 1, output = 1"
_EECS391 = "path = 4, length = 1, generated = 4, output = 1"
_EECS391_BEST = "path = 3, optimal = 3, length = 1, generated = 2, output = 1"
_CS170 = "length = 3, expanded = 4, max_frontier = 2, output = 1"
_COMMANDS = (
    Draft("solveAStar h1", 8, _EECS391_BEST),
    Draft("solveAStar h2", 14, _EECS391_BEST),
    Draft("solveBeam 10", 10, _EECS391),
    Draft("solveAStar h1", 20, "no_solution = 10", max_nodes=50),
)

DRAFTS: dict[str, tuple[Draft, ...]] = {
    "columbia": (
        Draft("bfs", 6, _COLUMBIA_BEST),
        Draft("dfs", 6, _COLUMBIA),
        Draft("ast", 14, _COLUMBIA),
        Draft("ast", 20, _COLUMBIA),
    ),
    "eecs391": _COMMANDS,
    "eecs391-table": _COMMANDS,
    "cs170": (
        Draft("ucs", 8, _CS170),
        Draft("misplaced", 10, _CS170),
        Draft("manhattan", 14, _CS170),
        Draft("manhattan", None, "no_solution = 10"),
    ),
}
"""The questions of the sample of each course."""

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
    random = Random(seed)
    parts = [
        f"# An assignment for tilewise grade. Boards of exact depth, drawn with the seed {seed}.",
        f'title = "The 8-puzzle, {profile}"',
        f'profile = "{profile}"',
        "",
        _POLICY,
    ]
    for number, draft in enumerate(DRAFTS[profile], start=1):
        board = _board(profile, draft, random.getrandbits(32))
        depth = "cannot be solved" if draft.depth is None else f"depth {draft.depth}"
        parts += [
            "[[questions]]",
            f'name = "q{number}"',
            f'board = "{COURSES[profile].text(board)}"   # {depth}',
            f'method = "{draft.method}"',
            *([f"max_nodes = {draft.max_nodes}"] if draft.max_nodes else []),
            f"points = {{ {draft.points} }}",
            "",
        ]
    return "\n".join(parts)


def _board(profile: str, draft: Draft, seed: int) -> Board:
    goal = PROFILES[profile].goal
    board = next(scramble("3x3", goal=goal, depth=draft.depth or 10, seed=seed))
    if draft.depth is not None:
        return board
    tiles = list(board.tiles)  # two tiles change places, and the parity is wrong
    first, second = (cell for cell in range(9) if tiles[cell] in (1, 2))
    tiles[first], tiles[second] = tiles[second], tiles[first]
    return Board(3, 3, tuple(tiles))
