"""The session of the command language: the current board, and a table of its commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tilewise.core.limits import Limits
from tilewise.core.result import Result, Status
from tilewise.courses.course import Course, Method
from tilewise.courses.eecs391 import search
from tilewise.courses.eecs391 import wording as texts
from tilewise.courses.eecs391.commands import (
    Call,
    CommandError,
    Word,
    bind_limits,
    in_order_of_effect,
    read_calls,
    read_file,
    whole_number,
)
from tilewise.courses.program_screen import BAD_INPUT, Ending, Screen
from tilewise.courses.running import run_course
from tilewise.errors import BoardError, TilewiseError, shortened
from tilewise.puzzle.board import Board
from tilewise.puzzle.parity import why_unsolvable

LARGEST_NUMBER = 1_000_000_000
LARGEST_SEED = 2**32 - 1
LONGEST_WALK = 10_000_000  # some thirty seconds
DEEPEST_FILE = 20


class CommandSession:
    """One run: the board, the generator, the limit, the last solution and the first failure."""

    def __init__(self, course: Course, screen: Screen) -> None:
        self.course = course
        self.wording = texts.WORDINGS[course.name]
        self.board = search.GOAL.board
        self.max_nodes = search.DEFAULT_MAX_NODES
        self.random = Random(course.seed)
        self.solution: list[Board] | None = None
        self.failure: Ending | None = None
        self._screen = screen
        self.commands = command_table(self.wording)
        self._takes_argument = {name: bool(each.needs) for name, each in self.commands.items()}
        self._files: list[Path] = []

    def run_arguments(self, arguments: Iterable[str]) -> None:
        """Carry out a command line: in the order of effects, whatever the order of the words."""
        calls = read_calls(map(Word, arguments), self._takes_argument)
        for call in in_order_of_effect(calls, lambda name: self.commands[name].stage):
            self._attempt(call)

    def run_words(self, words: Iterable[Word]) -> None:
        """Carry out the words of a file or a line, one command after the other."""
        for call in bind_limits(read_calls(words, self._takes_argument)):
            self._attempt(call)

    def report(self, message: str) -> None:
        """Say what is wrong; the run goes on."""
        self._screen.note(f"error: {message}")
        self._fail(BAD_INPUT)

    def _attempt(self, call: Call) -> None:
        place = f"{call.where}: " if call.where else ""
        if call.fault:
            self.report(place + call.fault)
            return
        command = self.commands[call.name]
        try:
            if command.needs and not call.argument:
                raise CommandError(f"expected {command.needs}, got nothing")
            self._fail(command.run(self, call))
        except TilewiseError as error:
            self.report(f"{place}{call.name}: {error}")

    def _fail(self, ending: Ending | None) -> None:
        if ending is not Status.SOLVED:
            self.failure = self.failure or ending

    @property
    def _actions(self) -> search.Actions:
        """The legal actions, by the generator that the whole run has."""
        return search.Actions(search.DIALECTS[self.course.name], self.random)

    def set_seed(self, call: Call) -> None:
        """Start the random generator again."""
        self.random = Random(whole_number(call.argument, 0, LARGEST_SEED))

    def set_max_nodes(self, call: Call) -> None:
        """Change the limit of the solves that follow; a bound one is for the solve before it."""
        number = whole_number(call.argument, 1, LARGEST_NUMBER)
        if not call.bound:
            self.max_nodes = number

    def set_state(self, call: Call) -> None:
        """Set the board; a text that is no 3x3 board changes nothing."""
        board = Board.parse(call.argument)
        if board.shape != search.GOAL.board.shape:
            raise BoardError(
                f"expected a 3x3 board, since the goal is {search.GOAL.board}, "
                f"got a {board.shape} board: {shortened(call.argument)}"
            )
        self.board = board

    def randomize_state(self, call: Call) -> None:
        """Walk from the goal, whatever board is set."""
        steps = whole_number(call.argument, 0, LONGEST_WALK)
        self.board = Board.trusted(3, 3, self._actions.random_walk(steps))

    def move(self, call: Call) -> Ending | None:
        """Move the blank, or say that it cannot go there."""
        word = call.argument.lower()
        if word not in texts.LETTERS:
            raise CommandError(
                f"expected up, down, left or right, got {shortened(call.argument, 40)}"
            )
        legal = dict(self._actions.look_up(self.board.tiles))
        tiles = legal.get(texts.LETTERS[word])
        if tiles is None:
            self._screen.say(
                self.wording.move_refused.format([texts.WORDS[letter] for letter in legal])
            )
            return BAD_INPUT
        self.board = Board.trusted(3, 3, tiles)
        return None

    def print_state(self, call: Call) -> None:
        """Print the board on one line."""
        self._screen.say(f"Current puzzle state:\n{self.board}")

    def pretty_print_state(self, call: Call) -> None:
        """Print the board as a grid."""
        self._screen.say(texts.block("Current State", self.board))

    def pretty_print_solution(self, call: Call) -> Ending | None:
        """Print every board of the last solution."""
        if self.solution is None:
            self._screen.say(texts.NO_SOLUTION)
            return BAD_INPUT
        for block in texts.solution_blocks(self.wording, self.solution):
            self._screen.say(block)
        return None

    def solve_astar(self, call: Call) -> Ending:
        """Solve with A* and the heuristic named."""
        if call.argument.lower() not in search.HEURISTICS:
            known = " or ".join(search.HEURISTICS)
            raise CommandError(f"expected a heuristic {known}, got {shortened(call.argument, 40)}")
        return self._solve(call, self.course.by_word(f"{call.name} {call.argument.lower()}"))

    def solve_beam(self, call: Call) -> Ending:
        """Solve with a beam of the width given."""
        width = whole_number(call.argument, 1, LARGEST_NUMBER)
        return self._solve(call, self.course.by_word(f"{call.name} {width}"))

    def _solve(self, call: Call, method: Method) -> Ending:
        """Search as the course's program does, also where parity says that it is vain."""
        limit = self._limit_of(call)
        result = run_course(
            self.course,
            method,
            self.board,
            random=self.random,
            limits=Limits(generated=limit),
            try_unsolvable=True,
        )
        self._show(result, method, limit)
        return result.status

    def _limit_of(self, solve: Call) -> int:
        """Its own maxNodes if it has one; a wrong number there is reported when its turn comes."""
        try:
            return whole_number(solve.limit, 1, LARGEST_NUMBER)
        except CommandError:
            return self.max_nodes

    def _show(self, result: Result, method: Method, limit: int) -> None:
        """Say how a search ended and keep its solution; the current board stays as it is."""
        nodes = method.generated(result)
        self.solution = result.boards() or None
        if result.moves is not None:
            self._screen.say(texts.success(self.wording, result.moves, nodes))
            return
        beam = method.width is not None
        self._screen.say(texts.failure(self.wording, result.status, beam, limit, nodes))
        if not search.GOAL.reachable_from(self.board):
            self._screen.note(f"unsolvable: {why_unsolvable(self.board, search.GOAL)}")

    def read_commands(self, call: Call) -> None:
        """Carry out a command file; one that reads itself is refused."""
        words = read_file(call.argument)
        path = Path(call.argument).resolve()
        if path in self._files:
            raise CommandError(
                f"expected a file that is not being read already, got {shortened(call.argument)}"
            )
        if len(self._files) == DEEPEST_FILE:
            raise CommandError(
                f"expected at most {DEEPEST_FILE} command files inside each other, "
                f"got one more: {shortened(call.argument)}"
            )
        self._files.append(path)
        self.run_words(words)
        self._files.pop()

    def show_help(self, call: Call) -> None:
        """Print the table of commands, in the order of their effects on a command line."""
        for name, command in sorted(self.commands.items(), key=lambda item: item[1].stage):
            self._screen.say(f"{name + ' ' + command.argument:<24}{command.about}")


@dataclass(frozen=True)
class SessionCommand:
    """What a command word does. `stage` is its place in the order of effects of a command line."""

    run: Callable[[CommandSession, Call], Ending | None]
    stage: int
    about: str
    argument: str = ""
    needs: str = ""


def command_table(wording: texts.Wording) -> dict[str, SessionCommand]:
    """The commands of a version."""
    steps, nodes = "a number of moves such as 50", "a number of nodes such as 10000"
    table = {
        "setState": SessionCommand(
            CommandSession.set_state, 1, "set the board", "STATE", 'a state such as "b12 345 678"'
        ),
        "randomizeState": SessionCommand(
            CommandSession.randomize_state, 1, "walk N random moves from the goal", "N", steps
        ),
        "readCommands": SessionCommand(
            CommandSession.read_commands,
            8,
            "carry out a file of commands",
            "FILE",
            "the name of a file",
        ),
        "move": SessionCommand(
            CommandSession.move, 3, "move the blank", "DIRECTION", "up, down, left or right"
        ),
        "printState": SessionCommand(CommandSession.print_state, 4, "print the board on one line"),
        "solveAStar": SessionCommand(
            CommandSession.solve_astar, 6, "solve with A* and h1 or h2", "H", "a heuristic h1 or h2"
        ),
        "solveBeam": SessionCommand(
            CommandSession.solve_beam, 6, "solve with a beam of K states", "K", "a width such as 10"
        ),
        "maxNodes": SessionCommand(
            CommandSession.set_max_nodes, 0, "stop a search after N nodes (10000)", "N", nodes
        ),
        "seed": SessionCommand(
            CommandSession.set_seed,
            0,
            "start the random generator again (42)",
            "N",
            "a seed such as 42",
        ),
        "help": SessionCommand(CommandSession.show_help, 9, "print this list"),
    }
    for prefix in wording.pretty_names:
        table[f"{prefix}State"] = SessionCommand(
            CommandSession.pretty_print_state, 5, "print the board as a grid"
        )
        table[f"{prefix}Solution"] = SessionCommand(
            CommandSession.pretty_print_solution, 7, "print the boards of the last solution"
        )
    return table
