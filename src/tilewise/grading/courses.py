"""The four courses as a grader sees them: their methods, their model answers, their words.

Nothing here knows a number in advance: a model answer is what the profile finds when it is asked.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from tilewise.core.limits import Limits
from tilewise.core.result import Status
from tilewise.courses import PROFILES, columbia
from tilewise.courses.cs170 import search as cs170
from tilewise.courses.eecs391 import search as eecs391
from tilewise.puzzle.board import Board, Goal

PATIENCE = 60.0
"""Seconds that a profile may search for one model answer."""
COUNTERS = ("expanded", "generated", "stored", "max_frontier", "max_depth")
"""The counters that an assignment may ask for, as tilewise names them."""


@dataclass(frozen=True)
class Found:
    """What a profile's search found: the moves, if any, and its counters."""

    status: Status
    moves: str | None
    counts: dict[str, int]


@dataclass(frozen=True)
class Course:
    """A profile, with what grading needs to know of it.

    `read_method` gives the name of a method however it is spelt, or None. `searched` names the
    algorithm and heuristic for the count doctor, None where it does not know the search.
    """

    profile: str
    methods: str
    read_method: Callable[[str], str | None]
    solve: Callable[[Board, str, int | None], Found]
    command: Callable[[Board, str, int | None], str]
    searched: Callable[[str], tuple[str, str | None] | None]
    words: Mapping[str, str]
    notation: str = "eecs391"
    any_shape: bool = False

    def goal(self, board: Board) -> Goal:
        """The course's goal, for the shape of a board."""
        return Goal.named(PROFILES[self.profile].goal, board.rows, board.columns)

    def text(self, board: Board) -> str:
        """A board as the course writes it."""
        return board.to(self.notation)

    def word(self, item: str) -> str:
        """What the course calls an item, such as nodes_expanded for expanded."""
        return self.words.get(item, item)


def _columbia_method(text: str) -> str | None:
    word = text.strip().lower()
    word = {"astar": "ast", "a*": "ast", "idastar": "ida", "ida*": "ida"}.get(word, word)
    return word if word in columbia.METHODS else None


def _columbia_solve(board: Board, method: str, max_nodes: int | None) -> Found:
    limits = Limits(generated=max_nodes, seconds=PATIENCE)
    result = columbia.run(method, board, limits=limits)
    return Found(
        result.status, result.moves, {name: getattr(result.stats, name) for name in COUNTERS}
    )


def _columbia_command(board: Board, method: str, max_nodes: int | None) -> str:
    return f"tilewise driver {method} {board.to('columbia')} --output -"


def _columbia_searched(method: str) -> tuple[str, str | None] | None:
    heuristic = "manhattan" if method == "ast" else None
    return None if method == "ida" else (columbia.METHODS[method], heuristic)


_ASTAR = re.compile(r"(?:solve)?\s*a(?:star|\*)?\W*(h[12])|(h[12])", re.IGNORECASE)
_BEAM = re.compile(r"(?:solve)?\s*beam[\s\w=(]{0,20}?(\d{1,9})\)?", re.IGNORECASE)


def _eecs391_method(text: str) -> str | None:
    clean = text.strip().lstrip("-")[:60]
    if found := _ASTAR.fullmatch(clean):
        return f"solveAStar {(found[1] or found[2]).lower()}"
    if (found := _BEAM.fullmatch(clean)) and int(found[1]):
        return f"solveBeam {int(found[1])}"
    return None


def _eecs391_solve(profile: str, board: Board, method: str, max_nodes: int | None) -> Found:
    """A run of its own: the generator starts at the seed of the course."""
    dialect = eecs391.DIALECTS[profile]
    actions = eecs391.Actions(dialect, random.Random(eecs391.DEFAULT_SEED))
    limit = max_nodes or eecs391.DEFAULT_MAX_NODES
    word, argument = method.split()
    if word == "solveAStar":
        answer = eecs391.astar(board, eecs391.HEURISTICS[argument](), actions, limit)
    else:
        answer = eecs391.beam(board, int(argument), dialect, actions, limit)
    return Found(answer.status, answer.moves, {"generated": answer.nodes})


def _eecs391_command(profile: str, board: Board, method: str, max_nodes: int | None) -> str:
    version = "" if profile == "eecs391" else f" --profile {profile}"
    limit = f" -maxNodes {max_nodes}" if max_nodes else ""
    return f'tilewise classic{version} -setState "{board.to("eecs391")}" -{method}{limit}'


def _eecs391_searched(method: str) -> tuple[str, str | None] | None:
    word, argument = method.split()
    known = {"h1": "misplaced", "h2": "manhattan"}
    return ("astar", known[argument]) if word == "solveAStar" else None


_CS170 = {"ucs": "1", "misplaced": "2", "manhattan": "3"}
_CS170_WORDS = {"uniform": "ucs", "ucs": "ucs", "misplaced": "misplaced", "manhattan": "manhattan"}


def _cs170_method(text: str) -> str | None:
    clean = text.strip().lower()[:60]
    named = [name for word, name in _CS170_WORDS.items() if word in clean]
    numbered = [name for name, number in _CS170.items() if number == clean]
    return next(iter(named + numbered), None)


def _cs170_solve(board: Board, method: str, max_nodes: int | None) -> Found:
    limits = Limits(generated=max_nodes, seconds=PATIENCE)
    found = cs170.solve(board, cs170.HEURISTICS[_CS170[method]], limits)
    return Found(found.status, found.moves, {name: getattr(found.stats, name) for name in COUNTERS})


def _cs170_command(board: Board, method: str, max_nodes: int | None) -> str:
    rows = r"\n".join(" ".join(map(str, row)) for row in board.grid())
    return rf"printf '2\n{rows}\n{_CS170[method]}\n2\n' | tilewise menu"


def _cs170_searched(method: str) -> tuple[str, str | None] | None:
    return ("ucs", None) if method == "ucs" else ("astar", method)


def _eecs391_course(profile: str) -> Course:
    return Course(
        profile=profile,
        methods="solveAStar h1, solveAStar h2 or solveBeam K",
        read_method=_eecs391_method,
        solve=partial(_eecs391_solve, profile),
        command=partial(_eecs391_command, profile),
        searched=_eecs391_searched,
        words={"length": "Solution Length", "generated": "Total nodes generated"},
    )


COURSES: dict[str, Course] = {
    "columbia": Course(
        profile="columbia",
        methods="bfs, dfs, ast or ida",
        read_method=_columbia_method,
        solve=_columbia_solve,
        command=_columbia_command,
        searched=_columbia_searched,
        words={
            "path": "path_to_goal",
            "length": "cost_of_path",
            "expanded": "nodes_expanded",
            "max_depth": "max_search_depth",
        },
        notation="columbia",
        any_shape=True,
    ),
    "eecs391": _eecs391_course("eecs391"),
    "eecs391-table": _eecs391_course("eecs391-table"),
    "cs170": Course(
        profile="cs170",
        methods="ucs, misplaced or manhattan",
        read_method=_cs170_method,
        solve=_cs170_solve,
        command=_cs170_command,
        searched=_cs170_searched,
        words={
            "length": "steps",
            "expanded": "Number of nodes expanded",
            "max_frontier": "Max size of queue",
        },
        notation="slidysim",
    ),
}
