"""The course EECS 391: a command language in two versions, with A* and a beam of its own."""

from __future__ import annotations

from functools import partial

from tilewise.core.rules import Rules
from tilewise.courses.answers import Answer
from tilewise.courses.course import Course, Draft, Grading, Method, OwnFrontier, OwnSearch
from tilewise.courses.eecs391 import methods, search
from tilewise.courses.eecs391.search import DIALECTS, Dialect

FIRST, SECOND = "eecs391", "eecs391-table"
WIDTH = 10
BLANK_COUNTED = "h1 with the blank"
"""The name of the course's h1, which counts the blank; the sound h1 does not."""

_BEST = "path = 3, optimal = 3, length = 1, generated = 2, output = 1"
_SAMPLE = (
    Draft("solveAStar h1", 8, _BEST),
    Draft("solveAStar h2", 14, _BEST),
    Draft("solveBeam 10", 10, "path = 4, length = 1, generated = 4, output = 1"),
    Draft("solveAStar h1", 20, "no_solution = 10", max_nodes=50),
)


def _read_answers(file: str, text: str) -> list[Answer]:
    from tilewise.courses.eecs391.transcripts import read_answers

    return read_answers(file, text)


def _methods(dialect: Dialect) -> tuple[Method, ...]:
    """A* with the two heuristics, and the beam."""
    waiting = OwnFrontier("queue", start_stays=True)

    def astar(heuristic: str, optimal: bool) -> OwnSearch:
        run = partial(search.run_astar, dialect, heuristic)
        return OwnSearch(f"{dialect.name}-astar", run, waiting, optimal, search.nodes_made)

    beam = OwnSearch(
        f"{dialect.name}-beam",
        partial(search.run_beam, dialect),
        OwnFrontier("layers"),
        False,
        partial(search.beam_nodes_made, dialect),
    )
    return (
        Method(
            "solveAStar h1",
            "astar",
            "h1",
            BLANK_COUNTED,
            own=astar("h1", optimal=False),
            diagnosed=("astar", "misplaced"),
            blank_counted=True,
        ),
        Method(
            "solveAStar h2",
            "astar",
            "h2",
            "manhattan",
            own=astar("h2", optimal=True),
            diagnosed=("astar", "manhattan"),
        ),
        Method("solveBeam", "beam", None, "h1 + h2", width=WIDTH, own=beam),
    )


def _course(
    name: str, about: str, command: str, differences: tuple[str, ...], diagnosis: str
) -> Course:
    found = _methods(DIALECTS[name])
    return Course(
        name=name,
        about=about,
        command=command,
        goal="first",
        heuristics={"h1": "misplaced, the blank counted", "h2": "manhattan"},
        differences=differences,
        methods=found,
        usual=found[1],
        rule_set="fifo",
        rules=Rules(ties="oldest", given=frozenset()),
        counters=("generated",),
        max_nodes=search.DEFAULT_MAX_NODES,
        seed=search.DEFAULT_SEED,
        shape=(search.GOAL.board.rows, search.GOAL.board.columns),
        diagnosis=diagnosis,
        grading=Grading(
            methods="solveAStar h1, solveAStar h2 or solveBeam K",
            read_method=methods.read_method,
            read_answers=_read_answers,
            command=partial(methods.command_line, command),
            words={"length": "Solution Length", "generated": "Total nodes generated"},
            notation="eecs391",
            sample=_SAMPLE,
        ),
    )


COURSES = (
    _course(
        FIRST,
        "the command language: setState, randomizeState, move, solveAStar, solveBeam",
        "tilewise classic",
        (
            "successors are shuffled at every look-up of the legal moves, by Random(42)",
            "a node is a pair (parent state, state), made at most once; the count is of pairs",
            "only the first expansion of a state makes children; the root is expanded untested",
            "ties go to the oldest node",
            "h1 counts the blank, so it is not admissible",
            "beam: one state may fill two places; its limit is tested between layers only",
        ),
        "the search of the profile eecs391: a node is a pair (parent state, state), "
        "successors are shuffled, ties oldest first",
    ),
    _course(
        SECOND,
        "the second version of the command language, with tables for pretty printing",
        f"tilewise classic --profile {SECOND}",
        (
            "as eecs391, but successors come in the order U D L R, not shuffled",
            "a random step is one choice among the legal moves",
            "beam stops when the goal is generated and does not count it",
            "its own wording",
        ),
        "the search of the profile eecs391-table: a node is a pair (parent state, "
        "state), successors in the order U D L R, ties oldest first",
    ),
)
