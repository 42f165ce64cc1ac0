"""What a course's program prints for a result, by the templates of its output."""

from __future__ import annotations

from collections.abc import Iterator

from tilewise.core.result import Result, Status
from tilewise.core.stats import COUNTERS
from tilewise.courses.course import Course, Method, Output
from tilewise.courses.templates import Template
from tilewise.errors import InternalError
from tilewise.puzzle import formats
from tilewise.puzzle.board import Board

FIELDS: dict[str, str] = {
    "board": "the start, in the course's notation",
    "goal": "the goal, in the course's notation",
    "size": "the number of rows",
    "method": "the course's word for the method",
    "length": "the moves of the solution",
    "path": "the moves, in the style that the key `moves` names",
    "boards": "every board from the start to the goal, each as the key `step` says",
    "seconds": "seconds of the search, with eight decimals",
    "megabytes": "megabytes of the search's own structures, with eight decimals",
    "branching": "the effective branching factor, with two decimals",
    **{
        counter.name: counter.meaning
        for counter in COUNTERS
        if counter.unit in ("nodes", "moves", "passes")
    },
}
"""The fields of an output template, with their meanings."""
UNSOLVED_FIELDS = ("board", "goal", "size", "method", "seconds", "expanded", "generated")
"""Those of the templates for a board without a solution."""
STEP_FIELDS: dict[str, str] = {
    "number": "the number of the board, the start being 0",
    "move": "the move that leads to it, empty for the start",
    "board": "the board in the course's notation",
    "grid": "the board as rows of cells, by the keys `cell_width` and `blank`",
    "size": "the number of rows",
}
"""The fields of the template `step`."""
QUOTED = "quoted"
MOVE_STYLES = (*formats.MOVE_STYLES, QUOTED)
"""The styles of `{path}`: those of moves everywhere, and words in quotes with commas between."""
_MEGABYTE = 2**20


def output_text(course: Course, method: Method, result: Result) -> str:
    """What the course's program prints, without a line break at its end."""
    output = course.output
    if output is None:
        raise InternalError(f"{course.name} has no templates")
    values = _values(course, method, result)
    if result.moves is not None:
        boards = result.boards() if "boards" in output.solved.fields else []
        values["boards"] = "\n".join(_steps(course, output, boards or [], result.moves))
        values["path"] = _moves_text(output, result.moves)
        return output.solved.written(values).rstrip("\n")
    unsolvable = result.status is Status.UNSOLVABLE
    return (output.unsolvable if unsolvable else output.limit).written(values).rstrip("\n")


def _values(course: Course, method: Method, result: Result) -> dict[str, str]:
    stats = result.stats
    notation = course.grading.notation
    factor = stats.effective_branching_factor
    values = {
        counter.name: str(getattr(stats, counter.name))
        for counter in COUNTERS
        if counter.name in FIELDS
    }
    return {
        **values,
        "generated": str(method.generated(result)),
        "board": result.board.to(notation),
        "goal": result.goal.board.to(notation),
        "size": str(result.board.rows),
        "method": method.word,
        "length": str(len(result.moves or "")),
        "seconds": f"{stats.seconds:.8f}",
        "megabytes": f"{stats.peak_memory / _MEGABYTE:.8f}",
        "branching": "-" if factor is None else f"{factor:.2f}",
    }


def _moves_text(output: Output, moves: str) -> str:
    if output.moves != QUOTED:
        return formats.write_moves(moves, output.moves, output.moves_of)
    words = formats.write_moves(moves, "words", output.moves_of).split()
    return ", ".join(f"'{word}'" for word in words)


def _steps(course: Course, output: Output, boards: list[Board], moves: str) -> Iterator[str]:
    for number, board in enumerate(boards):
        move = moves[number - 1] if number else ""
        words = _moves_text(output, move) if move else ""
        yield output.step.written(
            {
                "number": str(number),
                "move": words,
                "board": board.to(course.grading.notation),
                "grid": grid_text(output, board),
                "size": str(board.rows),
            }
        )


def grid_text(output: Output, board: Board) -> str:
    """The rows of a board, its cells as wide as the course has them."""
    return "\n".join(
        " ".join((str(tile) if tile else output.blank).rjust(output.cell_width) for tile in row)
        for row in board.grid()
    )


def differing_line(expected: str, came: str) -> tuple[int, str, str] | None:
    """The first line in which an output differs from the expected one, and both; None for none.

    White space at the ends of lines and empty lines at the end do not count; `...` stands for
    whatever changes from run to run.
    """
    wanted, found = (
        [line.rstrip() for line in text.rstrip().split("\n")] for text in (expected, came)
    )
    for number in range(max(len(wanted), len(found))):
        left = wanted[number] if number < len(wanted) else "the end"
        right = found[number] if number < len(found) else "the end"
        if number >= min(len(wanted), len(found)) or not _alike(left, right):
            return number + 1, left, right
    return None


def _alike(expected: str, came: str) -> bool:
    """Whether a line is as expected, `...` standing for any text."""
    first, *others = expected.split("...")
    if not others:
        return expected == came
    if not came.startswith(first):
        return False
    place = len(first)
    for part in others[:-1]:
        found = came.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return came.endswith(others[-1]) and len(came) - len(others[-1]) >= place


def template(text: str, known: tuple[str, ...] | dict[str, str]) -> Template:
    """A template of an output."""
    return Template.parsed(text.strip("\n"), tuple(known))
