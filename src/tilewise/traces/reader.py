"""Reads a trace in JSON Lines; everything that can be computed may be left out of the file.

The size of the input is limited, and every error names its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tilewise import heuristics, search  # noqa: F401  (registers them)
from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.entries import AlgorithmEntry
from tilewise.core.events import Event, Kind
from tilewise.core.made_heuristic import LARGEST_ESTIMATE, Heuristic, build_heuristic
from tilewise.core.problem import Problem, State
from tilewise.core.rules import DEFAULT, Rules
from tilewise.courses import own_search
from tilewise.courses.course import Method
from tilewise.errors import TilewiseError, TraceError, shortened
from tilewise.puzzle.board import Board, Move
from tilewise.puzzle.position import read_position
from tilewise.traces.closed_list import ClosedList, KnownNode, Successor
from tilewise.traces.fields import (
    board_of,
    key_of,
    kind_of,
    name_of,
    number_of,
    text_of,
    text_of_board,
)
from tilewise.traces.json_lines import CLAIMED_KNOBS, FORMAT, VERSION, ReadTrace, TraceHeader
from tilewise.traces.open_list import Order
from tilewise.traces.watched import in_force_for

MOST_EVENTS, LONGEST_LINE = 200_000, 20_000
MAKES = (Kind.GENERATE, Kind.REOPEN)

Between = Callable[[], None]
"""Called before each event; it raises an error to stop the work."""


class TraceLine(NamedTuple):
    """The JSON object of one line, and the number of the line."""

    number: int
    record: dict[str, Any]


def go_on() -> None:
    """The default for `between`: do nothing."""


def read_trace(
    text: str, between: Between = go_on, context: BuildContext = DEFAULT_CONTEXT
) -> ReadTrace:
    """Read a trace; what follows from the rest may be missing in it.

    Args:
        text: The trace, one JSON object a line.
        between: Called before each event; it may raise an error to stop the work.
        context: How tables may be built for its heuristic.

    Raises:
        TraceError: The text is not a trace; the message names the line.

    Example:
        >>> header = '{"format": "tilewise-trace", "version": 1, "board": "1b2 345 678"}'
        >>> [event.kind.value for event in read_trace(header + '\\n{"kind": "expand", "node": 0}')]
        ['start', 'expand', 'generate', 'generate', 'generate']
    """
    return read_lines(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), between, context)


def read_lines(
    lines: Iterable[str], between: Between = go_on, context: BuildContext = DEFAULT_CONTEXT
) -> ReadTrace:
    """Read a trace line by line; no more than `MOST_EVENTS` events are read."""
    objects = _objects(lines)
    if not objects:
        raise TraceError("expected a trace in JSON Lines, got nothing")
    first, *rest = objects
    header = _at(first, _header)
    reader = _TraceReader(header, _needs_successors(header, rest), context)
    for line in rest:
        between()
        reader.read(line)
    return reader.finished()


def _objects(lines: Iterable[str]) -> list[TraceLine]:
    found: list[TraceLine] = []
    for number, text in enumerate(lines, start=1):
        if number > 2 * MOST_EVENTS or len(found) > MOST_EVENTS:
            raise TraceError(f"expected at most {MOST_EVENTS:,} events, got more")
        if len(text) > LONGEST_LINE:
            raise TraceError(
                f"line {number}: expected at most {LONGEST_LINE:,} characters, got {len(text):,}"
            )
        if not text.strip():
            continue
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            raise TraceError(f"line {number}: expected JSON, got {shortened(text)}") from None
        if not isinstance(record, dict):
            raise TraceError(f"line {number}: expected a JSON object, got {shortened(text)}")
        found.append(TraceLine(number, record))
    return found


def _at(line: TraceLine, read: Any) -> Any:
    """Read something of a line; errors name the line."""
    try:
        return read(line.record)
    except TilewiseError as error:
        raise TraceError(f"line {line.number}: {error}") from None


def _header(record: dict[str, Any]) -> TraceHeader:
    """The header; only the format, its version and the board must be there."""
    if record.get("format") != FORMAT:
        raise TraceError(
            f'expected a header with "format": "{FORMAT}", got {shortened(record.get("format"))}'
        )
    if record.get("version") != VERSION or isinstance(record.get("version"), bool):
        raise TraceError(f"expected version {VERSION}, got {shortened(record.get('version'))}")
    if not isinstance(record.get("goal"), str | None):
        raise TraceError(f"expected the goal as text, got {shortened(record['goal'])}")
    position = read_position(text_of_board(record, "board"), record.get("goal"))
    algorithm = text_of(record, "algorithm")
    heuristic = text_of(record, "heuristic")
    rules, stated = _rules(record.get("rules"))
    own = None if algorithm is None else own_search(algorithm)
    if own is not None:
        course, _ = own
        rules, stated = course.rules, frozenset(CLAIMED_KNOBS)
    elif algorithm is not None:
        configured = build_algorithm(algorithm)
        algorithm, rules = configured.spec, in_force_for(algorithm, rules)
        if configured.entry.needs_heuristic and heuristic is None:
            raise TraceError(f"expected the heuristic of {algorithm} in the header, got none")
    return TraceHeader(
        board=position.board,
        goal=position.goal,
        algorithm=algorithm,
        heuristic=heuristic,
        rules=rules,
        stated=stated,
        program=text_of(record, "program"),
        note=position.note,
    )


def _rules(given: Any) -> tuple[Rules, frozenset[str]]:
    """The rules, and the knobs that are stated: all in a text, those present in an object."""
    if given is None:
        return DEFAULT, frozenset()
    if isinstance(given, str):
        return Rules.parse(given), frozenset(CLAIMED_KNOBS)
    if not isinstance(given, dict) or not set(given) <= {*CLAIMED_KNOBS, "count"}:
        raise TraceError(
            f"expected rules as text or with {', '.join(CLAIMED_KNOBS)}; got {shortened(given)}"
        )
    for knob, value in given.items():
        if not isinstance(value, str):
            raise TraceError(f"expected the rule {knob} as text, got {shortened(value)}")
    return Rules(**given, given=frozenset(given)), frozenset(given) & frozenset(CLAIMED_KNOBS)


def _needs_successors(header: TraceHeader, rest: list[TraceLine]) -> bool:
    """Whether the file has expansions only, so that successors must be made by the rules."""
    if any(line.record.get("kind") in MAKES for line in rest):
        return False
    expansions = len([line for line in rest if line.record.get("kind") == Kind.EXPAND])
    if expansions > 1 and header.algorithm is not None and not _keeps_states(header.algorithm):
        name = header.algorithm.partition("(")[0]
        raise TraceError(f"expected generate events in a trace of {name}, got none")
    return expansions > 0


def _keeps_states(algorithm: str) -> bool:
    """Whether the search keeps one node of each state, so that its successors can be filled in."""
    own = own_search(algorithm)
    if own is not None:
        _, method = own
        return method.own is not None and method.own.frontier.followed
    frontier = build_algorithm(algorithm).frontier
    return frontier.best_first or frontier.kind is FrontierKind.LAYERS


class _TraceReader:
    """Turns lines into events and fills in what they leave out."""

    def __init__(self, claims: TraceHeader, made_up: bool, context: BuildContext) -> None:
        self.claims = claims
        self.made_up = made_up
        self.events: list[Event] = []
        self.lines: list[int] = []
        self.given: list[frozenset[str]] = []
        self._boards: list[Board] = []
        self._depths: list[int] = []
        self._parents: list[tuple[int, str]] = []
        self._numbers: dict[object, int] = {}
        self._latest: dict[State, int] = {}
        self._read: dict[str, Board] = {}
        self._expanding: int | None = None
        self._order = order_of(claims)
        self._known = closed_list_of(claims, self._order)
        self._heuristic = known_heuristic(claims, context)

    def finished(self) -> ReadTrace:
        return ReadTrace(
            self.claims, tuple(self.events), tuple(self.lines), tuple(self.given), self.made_up
        )

    def read(self, line: TraceLine) -> None:
        """Take one more line."""
        try:
            kind = kind_of(line.record)
            if not self._boards and kind is not Kind.START:
                self._start(line, {"node": line.record.get("node")} if kind is Kind.EXPAND else {})
            if kind is Kind.START:
                self._start(line, line.record)
            elif kind in (*MAKES, Kind.DUPLICATE):
                self._made(line, kind)
            elif kind is Kind.STOP:
                self._keep(line, kind, 0, {})
            elif kind is Kind.BOUND:
                self._keep(line, kind, 0, line.record)
            else:
                self._taken(line, kind)
        except TilewiseError as error:
            raise TraceError(f"line {line.number}: {error}") from None

    def _start(self, line: TraceLine, record: dict[str, Any]) -> None:
        board = self._board(record) if "board" in record else None
        start = self.claims.board
        if len(self.events) == 1 and _frontier_kind(self.claims) is FrontierKind.TWO_SIDED:
            start = self.claims.goal.board
        elif self._boards and not (len(self.events) == 1 and self._starts_twice):
            raise TraceError("expected one start, got another")
        if board not in (None, start):
            raise TraceError(f"expected the start on {start}, got {board}")
        self._new(name_of(record, "node"), start, -1, "", 0)
        self._keep(line, Kind.START, len(self._boards) - 1, record)

    @property
    def _starts_twice(self) -> bool:
        """Whether the start is expanded and stays on the open list, as in one course."""
        method = own_method(self.claims)
        return bool(method and method.own and method.own.frontier.start_stays)

    def _made(self, line: TraceLine, kind: Kind) -> None:
        record = line.record
        parent = self._node(record, "parent", self._expanding)
        move, board = self._step(record, parent)
        name = name_of(record, "node")
        if kind is Kind.DUPLICATE:
            node = self._node(record, "node", self._latest.get(board.tiles))
            if self._boards[node] != board:
                raise TraceError(f"expected the node that has {board}, got {shortened(name)}")
            self._keep(line, kind, node, record, parent, move, self._depths[parent] + 1)
            return
        if name in self._numbers and self._boards[self._numbers[name]] != board:
            raise TraceError(f"expected a new node for {board}, got {shortened(name)} again")
        node = self._new(name, board, parent, move, self._depths[parent] + 1)
        self._keep(line, kind, node, record, parent, move)

    def _taken(self, line: TraceLine, kind: Kind) -> None:
        record = line.record
        node = None
        if "board" in record and (self.made_up or record.get("node") is None):
            wanted = self._board(record)
            node = self._latest.get(wanted.tiles)
            if node is None:
                raise TraceError(f"expected a board that was generated before, got {wanted}")
        if node is None:
            node = self._node(record, "node", None)
        board = self._boards[node]
        if "board" in record and self._board(record) != board:
            raise TraceError(f"expected {board}, the board of that node, got {record['board']}")
        parent, move = self._parents[node]
        if record.get("parent") is not None and self._node(record, "parent", None) != parent:
            raise TraceError(f"expected the parent that made the node, got {record['parent']}")
        if record.get("move") not in (None, move):
            raise TraceError(f"expected the move that made the node, got {record['move']}")
        self._keep(line, kind, node, record, parent, move)
        if kind is Kind.EXPAND:
            self._expanding = node
            if self.made_up:
                self._make_successors(line, node)

    def _make_successors(self, line: TraceLine, node: int) -> None:
        for successor in self._known.expand(node):
            self._make(line, node, successor)
            early = self.claims.rules.goal_test == "generated"
            if early and successor.state == self.claims.goal.board.tiles:
                break

    def _make(self, line: TraceLine, parent: int, successor: Successor) -> None:
        board = self._known.problem.board(successor.state)
        depth = self._depths[parent] + 1
        if successor.kind is Kind.DUPLICATE and successor.known is not None:
            node = successor.known
            self._keep(line, successor.kind, node, {}, parent, successor.move, depth)
            return
        node = self._new(None, board, parent, successor.move, depth)
        self._keep(line, successor.kind, node, {}, parent, successor.move)

    def _step(self, record: dict[str, Any], parent: int) -> tuple[str, Board]:
        """The move of a successor and its board; each may be left out, not both."""
        before = self._boards[parent]
        wanted = self._board(record) if "board" in record else None
        if record.get("move") is not None:
            move = record["move"]
            if not isinstance(move, str):
                raise TraceError(f"expected a move U, D, L or R, got {shortened(move)}")
            board = before.move(move)
            if wanted not in (None, board):
                raise TraceError(f"expected {board} after {move} from {before}, got {wanted}")
            return Move(move).value, board
        if wanted is None:
            raise TraceError("expected a move or a board, got neither")
        for move in before.legal_moves():
            if before.move(move) == wanted:
                return move.value, wanted
        raise TraceError(f"expected a board one move from {before}, got {wanted}")

    def _board(self, record: dict[str, Any]) -> Board:
        """The board of a line; each text is read once."""
        text = record["board"]
        if not isinstance(text, str):
            return board_of(record, "board", self.claims.board)
        if text not in self._read:
            self._read[text] = board_of(record, "board", self.claims.board)
        return self._read[text]

    def _node(self, record: dict[str, Any], field: str, otherwise: int | None) -> int:
        name = name_of(record, field)
        if name is None:
            if otherwise is None:
                raise TraceError(f"expected the {field} of this event, got none")
            return otherwise
        if name not in self._numbers:
            raise TraceError(f"expected a {field} that was made before, got {shortened(name)}")
        return self._numbers[name]

    def _new(self, name: object, board: Board, parent: int, move: str, g: int) -> int:
        number = len(self._boards)
        self._boards.append(board)
        self._depths.append(g)
        self._parents.append((parent, move))
        self._latest[board.tiles] = number
        self._numbers[number if name is None else name] = number
        if self.made_up:
            self._known.add(number, KnownNode(board.tiles, parent, g))
        return number

    def _keep(
        self,
        line: TraceLine,
        kind: Kind,
        node: int,
        record: dict[str, Any],
        parent: int = -1,
        move: str = "",
        depth: int | None = None,
    ) -> None:
        board = self._boards[node]
        g = number_of(record, "g", self._depths[node] if depth is None else depth)
        h = number_of(record, "h", None, LARGEST_ESTIMATE)
        if h is None:
            h = 0 if kind in (Kind.STOP, Kind.BOUND) else self._estimate(board)
        key, by_h = key_of(record), _frontier_kind(self.claims) is FrontierKind.LAYERS
        if key is None:
            key = self._order.key(g or 0, h) if self._order else (h if by_h else (g or 0) + h, 0)
        self.events.append(Event(len(self.events), kind, node, parent, move, g or 0, h, key, board))
        self.lines.append(line.number)
        self.given.append(frozenset(record))

    def _estimate(self, board: Board) -> int:
        if self.claims.heuristic is None:
            return 0
        if self._heuristic is None:
            raise TraceError(f"expected h, because {self.claims.heuristic} is not known here")
        return self._heuristic(board)


def _frontier_kind(header: TraceHeader) -> FrontierKind | None:
    """The kind of frontier of the search that is claimed, None where none is claimed."""
    if header.algorithm is None:
        return None
    method = own_method(header)
    if method is not None:
        return FrontierKind.PRIORITY_QUEUE if method.width is None else FrontierKind.LAYERS
    return build_algorithm(header.algorithm).frontier.kind


def own_method(claims: TraceHeader) -> Method | None:
    """The method of a course whose own search is claimed."""
    own = own_search(claims.algorithm, claims.heuristic)
    return own[1] if own else None


def order_of(claims: TraceHeader) -> Order | None:
    """The order of the open list that is claimed, None where there is none."""
    method = own_method(claims)
    if method is not None and method.own is not None:
        return Order(Frontier(g=1, h=1), claims.rules) if method.own.frontier.followed else None
    if claims.algorithm is None:
        return None
    configured = build_algorithm(claims.algorithm)
    return Order.of(configured, claims.rules) if configured.frontier.best_first else None


def has_own_values(claims: TraceHeader) -> bool:
    """Whether h is not just that of the heuristic in the claimed search."""
    entry = _entry_of(claims)
    return entry is not None and entry.own_values


def has_two_sides(claims: TraceHeader) -> bool:
    """Whether the claimed search begins at both ends."""
    entry = _entry_of(claims)
    return entry is not None and entry.frontier.kind is FrontierKind.TWO_SIDED


def is_anytime(claims: TraceHeader) -> bool:
    """Whether the claimed search goes on after a first solution."""
    entry = _entry_of(claims)
    return entry is not None and entry.anytime


def _entry_of(claims: TraceHeader) -> AlgorithmEntry | None:
    if claims.algorithm is None or own_method(claims) is not None:
        return None
    return build_algorithm(claims.algorithm).entry


def closed_list_of(claims: TraceHeader, order: Order | None) -> ClosedList:
    """What the claimed search knows of its states; a beam keeps each state once."""
    problem = Problem(claims.board, claims.goal, claims.rules.order)
    once = order.stored_once if order else claims.algorithm is not None
    return ClosedList(
        problem, claims.rules, once, order is not None and order.frontier.pushes_reversed
    )


def known_heuristic(claims: TraceHeader, context: BuildContext) -> Heuristic | None:
    """The heuristic that is claimed, None where it is not registered here."""
    if claims.heuristic is None:
        return None
    try:
        return build_heuristic(claims.heuristic, claims.goal, context)
    except TilewiseError:
        return None
