"""The dialogue of the menu: it asks for a puzzle and a search, and traces every expanded node."""

from __future__ import annotations

from tilewise.core.events import Key, Kind
from tilewise.core.limits import Limits
from tilewise.core.problem import State
from tilewise.core.result import Result, Status
from tilewise.courses.course import Course, Method
from tilewise.courses.program_screen import BAD_INPUT, Ending, Terminal
from tilewise.courses.running import run_course
from tilewise.errors import shortened
from tilewise.puzzle.board import Board
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
DEFAULT_BOARD = Board(SIDE, SIDE, (1, 2, 3, 4, 8, 0, 7, 6, 5))

_TILES = {str(tile): tile for tile in range(SIDE * SIDE)} | dict.fromkeys("bB_.", 0)
_SHOWN = ("b", *map(str, range(1, SIDE * SIDE)))
_GRID = "\n".join([" ".join(["%s"] * SIDE)] * SIDE)


class Dialogue:
    """Asks, solves, asks again."""

    def __init__(self, course: Course, terminal: Terminal, limits: Limits | None = None) -> None:
        self._course, self._terminal, self._limits = course, terminal, limits
        self._refused = False

    def run(self) -> list[Ending]:
        """Hold the whole dialogue and return how each board ended.

        The last one is bad input where an answer was refused and never put right.
        """
        endings: list[Ending] = []
        self._say(WELCOME)
        try:
            while True:
                own = self._choose(SOURCE, "2") == "2"
                board = self._read_board() if own else DEFAULT_BOARD
                number = int(self._choose(ALGORITHM, "3"))
                endings.append(self._solve(board, self._course.methods[number - 1]))
                if self._choose(AGAIN, "2") == "2":
                    return endings
        except EOFError:
            return [*endings, BAD_INPUT] if self._refused else endings

    def _choose(self, question: str, last: str) -> str:
        """A number from 1 to the last one; asks until it gets one."""
        while True:
            answer = self._terminal.ask(f"{question}\n")
            if answer in ("1", "2", "3") and answer <= last:
                self._refused = False
                return answer
            choices = '"1" or "2"' if last == "2" else '"1", "2" or "3"'
            self._refuse(f"expected {choices}, got {shortened(answer)}", answer)

    def _read_board(self) -> Board:
        self._say(OWN_PUZZLE)
        tiles: list[int] = []
        while len(tiles) < SIDE * SIDE:
            answer = self._terminal.ask(ROW.format(len(tiles) // SIDE + 1))
            trouble = _row_trouble(answer.split(), tiles)
            if trouble:
                self._refuse(f"{trouble}: {shortened(answer)}", answer)
            else:
                self._refused = False
                tiles.extend(_TILES[word] for word in answer.split())
        return Board(SIDE, SIDE, tuple(tiles))

    def _solve(self, board: Board, method: Method) -> Status:
        """Search with a trace, report, and return how it ended."""
        result = run_course(self._course, method, board, limits=self._limits, observer=self._trace)
        if result.status is Status.UNSOLVABLE:
            self._say(NO_SOLUTION)
            self._say(why_unsolvable(board, result.goal))
        else:
            self._report(result)
        return result.status

    def _report(self, result: Result) -> None:
        if result.moves is None:
            self._say("Stopped at the memory limit, without a solution.")
        else:
            self._say(f"Solved in {len(result.moves)} steps!")
        self._say(f"Number of nodes expanded: {result.stats.expanded}")
        self._say(f"Max size of queue: {result.stats.max_frontier}")

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
        self._say(f"{headline}\n{grid}\n")

    def _refuse(self, message: str, answer: str) -> None:
        self._refused = self._refused or bool(answer)
        self._terminal.note(message)

    def _say(self, text: str) -> None:
        self._terminal.say(text)


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
