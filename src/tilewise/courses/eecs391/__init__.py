"""The course EECS 391: a command language in two versions, with A* and a beam of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tilewise.courses.answers import Answer
from tilewise.courses.course import Course, Method, OwnFrontier, OwnSearch
from tilewise.courses.eecs391 import methods, search
from tilewise.courses.eecs391.search import DIALECTS, Dialect
from tilewise.courses.form import packaged

FIRST, SECOND = "eecs391", "eecs391-table"
WIDTH = 10
BLANK_COUNTED = "h1 with the blank"
"""The name of the course's h1, which counts the blank; the sound h1 does not."""


def _read_answers(file: str, text: str) -> list[Answer]:
    from tilewise.courses.eecs391.transcripts import read_answers

    return read_answers(file, text)


def _methods(dialect: Dialect, form: Course) -> tuple[Method, ...]:
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
    first, second, third = form.methods
    return (
        replace(
            first,
            heuristic="h1",
            estimate=BLANK_COUNTED,
            own=astar("h1", optimal=False),
            blank_counted=True,
        ),
        replace(second, heuristic="h2", own=astar("h2", optimal=True)),
        replace(
            third,
            algorithm="beam",
            heuristic=None,
            estimate="h1 + h2",
            width=WIDTH,
            own=beam,
            diagnosed=None,
        ),
    )


def _course(file: str, command: str, diagnosis: str) -> Course:
    form = packaged(__file__, file)
    found = _methods(DIALECTS[form.name], form)
    return replace(
        form,
        command=command,
        heuristics={"h1": "misplaced, the blank counted", "h2": "manhattan"},
        methods=found,
        usual=found[1],
        max_nodes=search.DEFAULT_MAX_NODES,
        seed=search.DEFAULT_SEED,
        shape=(search.GOAL.board.rows, search.GOAL.board.columns),
        any_goal=False,
        diagnosis=diagnosis,
        grading=replace(
            form.grading,
            methods="solveAStar h1, solveAStar h2 or solveBeam K",
            read_method=methods.read_method,
            read_answers=_read_answers,
            command=partial(methods.command_line, command),
            points={},
        ),
    )


COURSES = (
    _course(
        "course.toml",
        "tilewise classic",
        "the search of the profile eecs391: a node is a pair (parent state, state), "
        "successors are shuffled, ties oldest first",
    ),
    _course(
        "table.toml",
        f"tilewise classic --profile {SECOND}",
        "the search of the profile eecs391-table: a node is a pair (parent state, "
        "state), successors in the order U D L R, ties oldest first",
    ),
)
