"""Course: everything that tilewise knows about one course, as data with a few functions.

A course is a package here; `tilewise.courses` has the table of them. Nothing outside of it names
one: commands, laboratory, grader, count doctor, traces and page read what they need from `Course`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.made_heuristic import heuristic_name
from tilewise.core.result import Outcome, Result
from tilewise.core.rules import Rules
from tilewise.core.spec import Spec
from tilewise.courses.answers import Answer
from tilewise.courses.templates import Template
from tilewise.errors import SpecError, TilewiseError, shortened
from tilewise.puzzle.board import Board, Goal

ONE_LINE = "slidysim"
"""The notation of boards on one line, where a course's own has several."""
WIDEST = 1_000_000
"""The widest beam of a course."""


class Queue(Protocol):
    """A priority queue of a course's own: its entries are f and the number of a node."""

    def __len__(self) -> int: ...

    @property
    def top(self) -> tuple[int, int]:
        """The entry that is taken next."""

    def push(self, f: int, node: int) -> None:
        """Add a node."""

    def pop(self) -> tuple[int, int]:
        """Take the entry at the top."""

    def copy(self) -> Queue:
        """A queue with the same entries, which leave it in the same order."""


@dataclass(frozen=True)
class OwnFrontier:
    """How the nodes of a course's own search wait; traces rebuild it from the events.

    `kind`: `queue`, `heap` or `layers`. `queue` makes the queue that decides between nodes of
    equal f; without one the oldest is taken, and `ties` and `last_resort` are the words for that.
    `start_stays`: the start is expanded at once and waits on the open list as a second node.
    `followed`: five knobs say how successors are treated, so that a trace is checked step by step
    and can leave them out; other traces are compared with a run. `takes` is the sentence of a
    worksheet, empty where there is none.
    """

    kind: str
    queue: Callable[[], Queue] | None = None
    ties: str = "oldest"
    last_resort: str = "oldest"
    start_stays: bool = False
    followed: bool = False
    takes: str = ""


@dataclass(frozen=True)
class Task:
    """What a search of a course's own gets: the board and the goal, its option and its limits.

    `most` is the limit of nodes, for programs that count nodes differently.
    """

    board: Board
    goal: Goal
    width: int | None
    meter: Meter
    most: int | None
    random: Random
    observer: Observer | None


def nodes_generated(result: Outcome | Result) -> int:
    """The nodes generated, as tilewise counts them."""
    return result.stats.generated


@dataclass(frozen=True)
class OwnSearch:
    """A search that the five knobs cannot say.

    `name` is what `Result.algorithm` says. `optimal`: a solution that it finds is a shortest one.
    `generated` is the number of nodes that the course's program counts as generated.
    """

    name: str
    run: Callable[[Task], Outcome]
    frontier: OwnFrontier
    optimal: bool
    generated: Callable[[Outcome | Result], int] = nodes_generated


@dataclass(frozen=True)
class Method:
    """One search of a course, and the words for it.

    `name` is the course's word (`bfs`, `solveBeam`), `title` is how it is offered to people.
    `algorithm` is the search of tilewise that it is or resembles, `heuristic` the course's name of
    its heuristic, `estimate` what `Result.heuristic` says. `diagnosed` names the algorithm and the
    heuristic for the count doctor, None where it does not know the search; `blank_counted`: the
    heuristic counts the blank as a tile. `rules` are its own where they are not the course's;
    `aliases` are other words for it.
    """

    name: str
    algorithm: str
    heuristic: str | None = None
    estimate: str | None = None
    title: str = ""
    width: int | None = None
    own: OwnSearch | None = None
    diagnosed: tuple[str, str | None] | None = None
    blank_counted: bool = False
    rules: Rules | None = None
    aliases: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The course's word with its number: `solveBeam 10`."""
        return self.name if self.width is None else f"{self.name} {self.width}"

    @property
    def spec(self) -> str:
        """The algorithm with its option: `beam(width=10)`."""
        return self.algorithm + self._option

    @property
    def search(self) -> str:
        """The search as `Result.algorithm` names it: `cs170`, `eecs391-beam(width=10)`."""
        return (self.own.name if self.own else self.algorithm) + self._option

    @property
    def _option(self) -> str:
        return "" if self.width is None else f"(width={self.width})"

    def generated(self, result: Outcome | Result) -> int:
        """The nodes generated, as the course counts them."""
        return (self.own.generated if self.own else nodes_generated)(result)


@dataclass(frozen=True)
class Draft:
    """A question of a sample assignment. Depth None: a board that cannot be solved."""

    method: str
    depth: int | None = None
    points: str = ""
    max_nodes: int | None = None


@dataclass(frozen=True)
class Grading:
    """How answers of a course are written and read.

    `methods` lists its words. `read_method` gives the word of a method however it is spelt, or
    None; `read_answers` the answers in a text in the course's own form, from the name of the file
    and its text. `command` is the command line that gives the model answer. `words` are the
    course's words for what an assignment asks for, `notation` is how it writes boards. `shape`:
    that of the boards it asks for, None for any. `points`, `tolerance` and `counts` hold for
    assignments that name none.
    """

    methods: str
    read_method: Callable[[str], str | None]
    read_answers: Callable[[str, str], list[Answer]]
    command: Callable[[Board, Method, int | None], str]
    words: Mapping[str, str]
    notation: str
    sample: tuple[Draft, ...]
    shape: tuple[int, int] | None = (3, 3)
    points: Mapping[str, float] = field(default_factory=dict)
    tolerance: int | str = 0
    counts: str = "profile"


@dataclass(frozen=True)
class Example:
    """What a course's program prints for a board, as its makers published it."""

    board: str
    method: str
    output: str
    name: str = ""


@dataclass(frozen=True)
class Output:
    """What a course's program prints, as templates.

    `solved` is for a solution, `unsolvable` and `limit` for a board without one; `step` is for
    each board of `{boards}`. `also` are other spellings of lines that answers may have,
    `also_unsolvable` those of the sentence that there is no solution. `moves` is the style of
    moves and `moves_of` says of what they are, the blank or the tile. `cell_width` and `blank`:
    how `{grid}` draws a board.
    """

    solved: Template
    unsolvable: Template
    limit: Template
    step: Template
    also: tuple[Template, ...] = ()
    also_unsolvable: tuple[str, ...] = ()
    moves: str = "letters"
    moves_of: str = "blank"
    cell_width: int = 1
    blank: str = "0"


@dataclass(frozen=True)
class Course:
    """A course's dialect: goal, rules, searches, words, and how it is graded.

    `rule_set` names the rules nearest to it; they have the course's name where the five knobs say
    what matters. `counters` are those that its program has, empty for all. `max_nodes`: the
    program stops at this number of nodes if no other is named, and counts them in its own way.
    `seed` starts the random numbers of its program. `shape`: the only one it knows, None for all.
    `any_goal`: it can be run for other goals than its own. `diagnosis` are the words of the count
    doctor for its own search. `output` is what its program prints, `examples` what it must print,
    `source` the file that it was read from, empty for one of the package; `form` is its file in
    either case.
    """

    name: str
    about: str
    command: str
    goal: str
    heuristics: Mapping[str, str]
    differences: tuple[str, ...]
    methods: tuple[Method, ...]
    usual: Method
    rule_set: str
    rules: Rules
    grading: Grading
    counters: tuple[str, ...] = ()
    max_nodes: int | None = None
    seed: int = 0
    shape: tuple[int, int] | None = None
    any_goal: bool = False
    diagnosis: str = ""
    output: Output | None = None
    examples: tuple[Example, ...] = ()
    source: str = ""
    form: str = ""

    def goal_for(self, board: Board) -> Goal:
        """The course's goal, for the shape of a board."""
        return Goal.named(self.goal, board.rows, board.columns)

    def checked_goal(self, board: Board, wanted: Goal | str = "auto") -> Goal:
        """The goal that is wanted; a course that has one goal only refuses all others."""
        own = self.goal_for(board)
        if wanted == "auto" or wanted in (own, own.name):
            return own
        if not self.any_goal:
            name = wanted.name if isinstance(wanted, Goal) else wanted
            raise SpecError(f"expected the goal {own.name} of {self.name}, got {shortened(name)}")
        if isinstance(wanted, Goal):
            return wanted
        return Goal.named(wanted, board.rows, board.columns)

    def serves(self, goal: Goal) -> bool:
        """Whether its searches can look for a goal: those for one shape know one goal only."""
        return self.shape is None or goal == Goal.named(self.goal, *self.shape)

    def has(self, counter: str) -> bool:
        """Whether its program counts something."""
        return not self.counters or counter in self.counters

    def word(self, item: str) -> str:
        """What the course calls a counter or another item of an answer."""
        return self.grading.words.get(item, item)

    def text(self, board: Board) -> str:
        """A board as the course writes it, on one line."""
        written = board.to(self.grading.notation)
        return board.to(ONE_LINE) if "\n" in written else written

    def rules_for(self, method: Method) -> Rules:
        """The rules of a method: its own, or the course's."""
        return self.rules if method.rules is None else method.rules

    def by_word(self, word: str) -> Method:
        """The method of a word such as `solveBeam 10`, as `Grading.read_method` gives it."""
        for method in self.methods:
            if word == method.word:
                return method
            name, _, width = word.rpartition(" ")
            if method.width is not None and name == method.name and width.isdecimal():
                return replace(method, width=int(width))
        raise SpecError(f"expected a method {self.grading.methods}, got {shortened(word)}")

    def with_algorithm(self, algorithm: str) -> tuple[Method, ...]:
        """The methods that an algorithm, such as `beam(width=7)`, or a word names."""
        exact = [each for each in self.methods if algorithm in (each.algorithm, each.spec)]
        words = [each for each in self.methods if algorithm in (each.name, *each.aliases)]
        if words and not (exact or words[0].width):
            return tuple(words)
        if exact and not any(each.width for each in exact):
            return tuple(words + [each for each in exact if each not in words])
        spec = Spec.parse(algorithm)
        options = dict(spec.options)
        width = options.pop("width", str(spec.parts[0]) if spec.parts else None)
        found = [each for each in self.methods if spec.name in (each.algorithm, each.name)]
        if width is not None:
            fits = width.isdecimal() and 1 <= int(width) <= WIDEST
            found = [
                replace(each, width=int(width)) for each in found if fits and each.width is not None
            ]
        if not found or options:
            known = _either(dict.fromkeys(each.spec for each in self.methods))
            raise SpecError(
                f"expected {known} for the profile {self.name}, got {shortened(algorithm)}"
            )
        return tuple(found)

    def request_name(self, method: Method) -> str:
        """What a request calls one of the methods, beside its heuristic.

        That is the algorithm without its width, or the method's own name where two methods differ
        in their rules only.
        """
        same = [
            each
            for each in self.methods
            if (each.algorithm, each.heuristic) == (method.algorithm, method.heuristic)
        ]
        found = self.method(method.algorithm, method.heuristic)
        alone = len(same) == 1 and found.name == method.name
        return method.algorithm if alone else method.name

    def method(
        self, algorithm: str | None = None, heuristic: str | None = None, *, usual: bool = True
    ) -> Method:
        """The method of an algorithm and a heuristic.

        `usual`: the course's usual one stands for what is not named, and a heuristic may also be
        named as in `Result.heuristic`. Without it only what is not ambiguous may be left out.
        """
        if usual and algorithm is None and heuristic is None:
            return self.usual
        found = self.methods if algorithm is None else self.with_algorithm(algorithm)
        if heuristic is None:
            called = [each for each in found if each.name == algorithm]
            if len(found) == 1 or len(called) == 1:
                return (called or found)[0]
            if usual:
                return self.usual if self.usual in found else found[0]
        names = [(each, each.heuristic) for each in found]
        if usual:
            names += [(each, each.estimate) for each in found]
        for wanted in (heuristic, _usual_name(heuristic) if usual else None):
            for each, name in names:
                if name is not None and name == wanted:
                    return each
        known = _either(each.heuristic for each in found if each.heuristic)
        expected = f"the heuristic {known}" if known else "no heuristic"
        raise SpecError(
            f"expected {expected} for {found[0].algorithm} in the profile {self.name}, "
            f"got {shortened(heuristic or '')}"
        )


def _usual_name(heuristic: str | None) -> str | None:
    """The name that a heuristic has everywhere: `manhattan` for `h2`; None for an unknown one."""
    try:
        return None if heuristic is None else heuristic_name(heuristic)
    except TilewiseError:
        return None


def _either(words: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, last = list(words) or [""]
    return f"{', '.join(most)} or {last}" if most else last
