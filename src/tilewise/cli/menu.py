"""`tilewise menu`: the course program that asks for a puzzle and traces its search (cs170)."""

from __future__ import annotations

import io
import sys
from typing import TextIO

from tilewise.cli import commands, exit_codes
from tilewise.core.events import Key, Kind
from tilewise.core.limits import Limits
from tilewise.core.problem import State
from tilewise.core.result import Outcome, Status
from tilewise.courses.cs170 import search as cs170
from tilewise.errors import shortened
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.parity import why_unsolvable

WELCOME = "Welcome to the tilewise 8-puzzle solver."
SOURCE = 'Type "1" to use a default puzzle, or "2" to enter your own puzzle.'
OWN_PUZZLE = "Enter your puzzle, use a zero to represent the blank"
ROW = "Enter row {}, use space or tabs between numbers    "
ALGORITHM = """\
Enter your choice of algorithm
1. Uniform Cost Search
2. A* with the Misplaced Tile heuristic
3. A* with the Manhattan distance heuristic"""
AGAIN = 'Type "1" to run solver again, or "2" to exit.'
NO_SOLUTION = "This problem has no solution!"
SIDE = 3

_TILES = {str(tile): tile for tile in range(SIDE * SIDE)} | dict.fromkeys("bB_.", 0)
_SHOWN = ("b", *map(str, range(1, SIDE * SIDE)))
_GRID = "\n".join([" ".join(["%s"] * SIDE)] * SIDE)


@commands.command("menu")
def command() -> int:
    """Solve 8-puzzles in a dialogue, with a trace of every expanded node (profile cs170).

    The goal is 1 2 3/4 5 6/7 8 b. Answers may be piped in; the dialogue ends with its input.

    Examples:

        tilewise menu

        tilewise menu < answers.txt
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a binary file is a wrong answer, not a crash
    return Dialogue(sys.stdin, sys.stdout, sys.stderr).run()


class Dialogue:
    """Asks, solves, asks again; the exit code is that of the worst of its boards."""

    def __init__(
        self, answers: TextIO, out: TextIO, errors: TextIO, limits: Limits | None = None
    ) -> None:
        self._answers, self._out, self._errors = answers, out, errors
        self._limits = limits
        # A terminal shows what is typed, with its line end; for piped answers nobody does.
        self._typed = answers.isatty()
        self._refused = False

    def run(self) -> int:
        """Hold the whole dialogue and return the exit code."""
        worst = exit_codes.OK
        self._say(WELCOME)
        try:
            while True:
                own = self._choose(SOURCE, "2") == "2"
                board = self._read_board() if own else cs170.DEFAULT_BOARD
                choice = self._choose(ALGORITHM, "3")
                worst = max(worst, self._solve(board, cs170.HEURISTICS[choice]))
                if self._choose(AGAIN, "2") == "2":
                    return worst
        except EOFError:
            # An answer that was refused and never put right is bad input.
            return max(worst, exit_codes.BAD_INPUT) if self._refused else worst

    def _choose(self, question: str, last: str) -> str:
        """A number from 1 to the last one; asks until it gets one."""
        while True:
            self._say(question)
            answer = self._read()
            if answer in ("1", "2", "3") and answer <= last:
                self._refused = False
                return answer
            choices = '"1" or "2"' if last == "2" else '"1", "2" or "3"'
            self._refuse(f"expected {choices}, got {shortened(answer)}", answer)

    def _read_board(self) -> Board:
        self._say(OWN_PUZZLE)
        tiles: list[int] = []
        while len(tiles) < SIDE * SIDE:
            self._out.write(ROW.format(len(tiles) // SIDE + 1))
            answer = self._read(same_line=True)
            trouble = _row_trouble(answer.split(), tiles)
            if trouble:
                self._refuse(f"{trouble}: {shortened(answer)}", answer)
            else:
                self._refused = False
                tiles.extend(_TILES[word] for word in answer.split())
        return Board(SIDE, SIDE, tuple(tiles))

    def _solve(self, board: Board, heuristic: str) -> int:
        """Search with a trace, report, and return the exit code for this board."""
        outcome = cs170.solve(board, heuristic, self._limits, self._trace)
        if outcome.status is Status.UNSOLVABLE:
            self._say(NO_SOLUTION)
            self._say(why_unsolvable(board, Goal.blank_last(SIDE, SIDE)))
        else:
            self._report(outcome)
        return exit_codes.OF_STATUS[outcome.status]

    def _report(self, outcome: Outcome) -> None:
        if outcome.moves is None:
            self._say("Stopped at the memory limit, without a solution.")
        else:
            self._say(f"Solved in {len(outcome.moves)} steps!")
        self._say(f"Number of nodes expanded: {outcome.stats.expanded}")
        self._say(f"Max size of queue: {outcome.stats.max_frontier}")

    def _trace(
        self,
        kind: Kind,
        node: int,
        parent: int = -1,
        move: str = "",
        g: int = 0,
        h: int = 0,
        key: Key = (0, 0),
        board: State = (),
    ) -> None:
        """The observer of the search: a block for each expanded node and one for the goal."""
        if kind is Kind.EXPAND:
            first = f"The best state to expand with a g(n) = {g} and h(n) = {h}"
            headline = first if node else "Expanding Node"
        elif kind is Kind.GOAL:
            headline = "Goal State Reached!!"
        else:
            return
        grid = _GRID % tuple([_SHOWN[tile] for tile in board])
        self._out.write(f"{headline}\n{grid}\n\n")

    def _read(self, *, same_line: bool = False) -> str:
        """The next answer, without the white space around it; EOFError when there is none."""
        self._out.flush()
        line = self._answers.readline()
        if not line if self._typed else same_line:
            self._out.write("\n")
        if not line:
            raise EOFError
        return line.removeprefix("\ufeff").strip()

    def _refuse(self, message: str, answer: str) -> None:
        self._refused = self._refused or bool(answer)
        self._out.flush()
        self._errors.write(message + "\n")
        self._errors.flush()

    def _say(self, text: str) -> None:
        self._out.write(text + "\n")


def _row_trouble(words: list[str], above: list[int]) -> str | None:
    """What is wrong with a row, or None; tiles of the rows above must not come again."""
    if len(words) != SIDE:
        return f"expected {SIDE} numbers with spaces or tabs between them, got {len(words)}"
    row: list[int] = []
    for word in words:
        if word not in _TILES:
            return f"expected numbers 0 to {SIDE * SIDE - 1}, got {shortened(word)}"
        row.append(_TILES[word])
    for tile in row:
        if tile in above or row.count(tile) > 1:
            place = "in a row above as well" if tile in above else "twice"
            return f"expected each tile once, got {tile or 'the blank'} {place}"
    return None
