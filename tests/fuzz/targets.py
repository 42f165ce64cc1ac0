"""What the fuzzer throws bytes at: every reader, the JSON of strangers, the native searches.

A target takes any bytes. Only a TilewiseError whose message is one line may come out of it;
everything else is a defect, and so is a promise that does not hold: a text that is read, written
and read again must be the same, and the engines must agree.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from functools import cache
from unittest import mock

from tests.fuzz import asgi
from tilewise import Board, Goal, Limits, Rules, Spec, TilewiseError, solve
from tilewise.cli import app, typed, verify_certificate
from tilewise.cli.boards_with_paths import boards_with_paths
from tilewise.core.build_context import BuildContext
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.events import Recorder
from tilewise.core.stats import COUNTERS
from tilewise.courses import COURSES
from tilewise.courses.eecs391 import commands
from tilewise.errors import visible
from tilewise.grading import Assignment, read_assignment
from tilewise.grading.matching import read_submission
from tilewise.grading.sample_assignments import sample
from tilewise.grading.submissions import Document, Submission
from tilewise.lab.definitions import from_toml
from tilewise.puzzle import formats
from tilewise.puzzle.board_files import decoded, entries
from tilewise.puzzle.position import read_position
from tilewise.puzzle.shapes import read_shape
from tilewise.tables.patterns.partitions import patterns_of
from tilewise.tables.table_header import read_page
from tilewise.traces.conformance import check_trace
from tilewise.traces.reader import read_trace

Target = Callable[[bytes], None]
QUICK = BuildContext(memory=2**26, quick=True)
FEW = Limits(generated=2_000)
LITTLE = 100_000
"""Cells for the verifier on larger boards: with more it would prove more, and take longer."""


def text_of(data: bytes) -> str:
    """The bytes as text, wrong ones as lone surrogates, as they come from a command line."""
    return data.decode("utf-8", errors="surrogateescape")


def position(data: bytes) -> None:
    """A board with its goal, read, written and read again."""
    found = read_position(text_of(data))
    again = read_position(str(found))
    if (again.board, again.goal) != (found.board, found.goal):
        raise RuntimeError(f"{found} was read again as {again}")
    if eval(repr(found.board), {"Board": Board}) != found.board:
        raise RuntimeError(f"{found.board!r} is not the call that makes it")


def goal(data: bytes) -> None:
    """A goal by its name or as a board, and a shape."""
    text = text_of(data)
    with contextlib.suppress(TilewiseError):
        Goal.named(text, 3, 3)
    read_shape(text)


def moves(data: bytes) -> None:
    """Moves, written in every style and read again."""
    found = formats.read_moves(text_of(data))
    if len(found) > 2_000:
        return  # up to ten million are read, which takes its time
    for style in formats.MOVE_STYLES:
        if formats.read_moves(formats.write_moves(found, style)) != found:
            raise RuntimeError(f"{found} changed as {style}")


def spec(data: bytes) -> None:
    """An algorithm, a heuristic or rules as text, read, written and read again."""
    text = text_of(data)
    with contextlib.suppress(TilewiseError):
        build_algorithm(text)
    with contextlib.suppress(TilewiseError):
        Rules.parse(text)
    found = Spec.parse(text)
    if Spec.parse(str(found)) != found:
        raise RuntimeError(f"{text!r} is not what its own text {found} says")


def board_file(data: bytes) -> None:
    """A file of boards: one a line, drawn, or CSV; and as a file with paths."""
    for entry in entries("file", decoded("file", io.BytesIO(data))):
        with contextlib.suppress(TilewiseError):
            read_position(entry.text)
    for answer in boards_with_paths("file", decoded("file", io.BytesIO(data))):
        with contextlib.suppress(TilewiseError):
            formats.read_moves(answer.path or "")


def drawing(data: bytes) -> None:
    """A partition of tiles, as sizes or drawn."""
    text = text_of(data)
    with contextlib.suppress(TilewiseError):
        patterns_of(Goal.blank_first(4, 4), text)
    patterns_of(Goal.blank_first(3, 4), text)


def definition(data: bytes) -> None:
    """The TOML file of an experiment; its code is not loaded."""
    from_toml(text_of(data)).to_dict()


def assignment(data: bytes) -> None:
    """The TOML file of an assignment."""
    read_assignment(text_of(data))


def answers(data: bytes) -> None:
    """What a student handed in, for every course: transcripts, statistics, CSV and JSON."""
    for wanted in assignments():
        text = data.decode("utf-8", errors="replace")
        read_submission(wanted, Submission("ann", [Document("answer.txt", text)]))


def command_file(data: bytes) -> None:
    """A command file of a course, and the same as typed lines."""
    words = [
        word
        for line in typed.lines(io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        for word in commands.split_line(line)
    ]
    commands.read_calls(words, COMMAND_NAMES)


def certificate(data: bytes) -> None:
    """A certificate; what the verifier says of it is one line in ASCII."""
    try:
        claim = json.loads(data)
        large = isinstance(claim, dict) and len(str(claim.get("board"))) > len(str([*range(9)]))
        cells = LITTLE if large else verify_certificate.CELLS
        with mock.patch.object(verify_certificate, "CELLS", cells):
            said = verify_certificate.verify(claim)
    except verify_certificate.RejectedError as error:
        said = str(error)
    except (ValueError, RecursionError):
        return
    if not said.isascii() or not said.isprintable():
        raise RuntimeError(f"the verdict {said!r} can deceive")


def trace(data: bytes) -> None:
    """A trace in JSON Lines, read and checked."""
    found = read_trace(text_of(data), context=QUICK)
    check_trace(found, limits=FEW, context=QUICK)


def table_header(data: bytes) -> None:
    """The first page of a table file."""
    read_page(data, "file")


def request(data: bytes) -> None:
    """The JSON of a request to the server; the first byte chooses which one."""
    if data:
        asgi.post(data[0], data[1:])


def command_line(data: bytes) -> None:
    """A whole command line, its words parted by NUL; only what writes no files."""
    words = [word[:300] for word in text_of(data).split("\0")][:12]
    name = QUIET_COMMANDS[len(words[0]) % len(QUIET_COMMANDS)]
    if any(word.startswith(WRITES) for word in words[1:]):
        return
    limits = ["--max-nodes", "300", "--seconds", "0.2"] if name in ("solve", "check") else []
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = app.run([name, *words[1:], *limits])
    if code not in (0, 1, 2, 10, 20):
        raise RuntimeError(f"exit code {code}: {errors.getvalue()}")
    for line in (out.getvalue() + errors.getvalue()).splitlines():
        if visible(line.replace("\t", " ")) != line.replace("\t", " "):
            raise RuntimeError(f"the output {line!r} can deceive")


def native_search(data: bytes) -> None:
    """A small board, a search and its options: both engines do the same."""
    if len(data) < 6:
        return
    rows, columns = 2 + data[0] % 3, 2 + data[1] % 3
    algorithm = SEARCHES[data[2] % len(SEARCHES)]
    heuristic = ESTIMATES[data[3] % len(ESTIMATES)]
    target = (Goal.blank_first, Goal.blank_last)[data[4] % 2](rows, columns)
    board = target.board
    for step in data[6:60]:
        legal = board.legal_moves()
        board = board.move(legal[step % len(legal)])
    if not build_algorithm(algorithm).entry.needs_heuristic:
        heuristic = None
    limits = Limits(generated=1 + 8 * data[5])
    runs = []
    for engine in ("python", "native"):
        recorder = Recorder(20, rows, columns)
        runs.append(
            (
                solve(
                    board,
                    algorithm=algorithm,
                    heuristic=heuristic,
                    goal=target,
                    limits=limits,
                    engine=engine,
                    observer=recorder,
                ),
                recorder.digest,
            )
        )
    (python, seen), (compiled, seen_too) = runs
    same = all(getattr(python.stats, n) == getattr(compiled.stats, n) for n in COMPARED)
    if not same or (python.moves, python.status) != (compiled.moves, compiled.status):
        raise RuntimeError(f"{board} {algorithm} {heuristic} {limits}: the engines differ")
    if seen != seen_too:
        raise RuntimeError(f"{board} {algorithm} {heuristic} {limits}: the events differ")


@cache
def assignments() -> list[Assignment]:
    """One of each course; their boards are drawn when the first text is to be graded."""
    return [read_assignment(sample(name, 1)) for name in COURSES]


COMMAND_NAMES = {"setState": True, "printState": False, "move": True, "solveBeam": True}
QUIET_COMMANDS = ("solve", "check", "convert", "list", "zoo", "explain")
WRITES = ("-o", "--o", "--s", "--c", "--l", "--w", "--th")
COMPARED = [each.name for each in COUNTERS if each.name not in ("seconds", "peak_memory")]
_SPECS = "astar bfs dfs greedy idastar ids ucs beam(width=3) hill_climbing wastar(weight=3)"
SEARCHES = [*_SPECS.split(), "wastar(weight=0.7)"]
ESTIMATES: tuple[str | None, ...] = ("manhattan", "linear_conflict", "misplaced", "gaschnig")

TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        position,
        goal,
        moves,
        spec,
        board_file,
        drawing,
        definition,
        assignment,
        answers,
        command_file,
        certificate,
        trace,
        table_header,
        request,
        command_line,
        native_search,
    )
}


def run(name: str, data: bytes) -> None:
    """Throw bytes at a target; an error that is not ours, or not of one line, is raised."""
    try:
        TARGETS[name](data)
    except TilewiseError as error:
        if len(str(error).splitlines()) > 1:
            raise RuntimeError(f"a message of several lines: {error!r}") from error
