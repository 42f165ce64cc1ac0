"""Records a search for the page: its events as columns, or samples of its counters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tilewise.core.events import Event, EventFields, Key, Kind, Recorder
from tilewise.core.problem import State
from tilewise.puzzle.board import Board
from tilewise.web.responses import CounterSeries, Events

KINDS = tuple(Kind)
_CODE = {kind: code for code, kind in enumerate(KINDS)}
_FIRST_CHARACTER = 48
_TAKEN = {_CODE[Kind.EXPAND], _CODE[Kind.GOAL]}
MOST_BOARDS = 400
"""Boards that go with the samples of a search."""


def coded(state: State) -> str:
    """A state as one character a tile: the blank is 0, tile 9 is 9, tile 10 the one after it."""
    return "".join([chr(_FIRST_CHARACTER + tile) for tile in state])


class Columns(Recorder):
    """Keeps the first events as columns, and the state of each node once.

    Its attributes have the names that a `Replayable` response reads.
    """

    def __init__(self, keep: int, rows: int, columns: int) -> None:
        super().__init__(keep, rows, columns)
        self.kind: list[int] = []
        self.node: list[int] = []
        self.parent: list[int] = []
        self.move: list[str] = []
        self.g: list[int] = []
        self.h: list[int] = []
        self.key: list[Key] = []
        self._states: dict[int, State] = {}
        self._rows, self._columns = rows, columns

    def keep_event(self, *step: *EventFields) -> None:
        """Keep one more event."""
        kind, node, parent, move, g, h, key, board = step
        self.kind.append(_CODE[kind])
        self.node.append(node)
        self.parent.append(parent)
        self.move.append(move or "-")
        self.g.append(g)
        self.h.append(h)
        self.key.append(key)
        self._states.setdefault(node, board)

    def __iter__(self) -> Iterator[Event]:
        """The events one after the other, made when they are needed."""
        boards = {
            node: Board.trusted(self._rows, self._columns, state)
            for node, state in self._states.items()
        }
        for seq, (kind, node, parent, move, g, h, key) in enumerate(
            zip(self.kind, self.node, self.parent, self.move, self.g, self.h, self.key, strict=True)
        ):
            letter = "" if move == "-" else move
            yield Event(seq, KINDS[kind], node, parent, letter, g, h, key, boards[node])

    @property
    def kept(self) -> int:
        """How many events are kept."""
        return len(self.kind)

    @property
    def kinds(self) -> list[str]:
        """The kinds of events; the column `kind` has their places."""
        return [kind.value for kind in KINDS]

    def as_columns(self) -> Events:
        """The events that are kept."""
        return Events.from_object(
            self,
            move="".join(self.move),
            priority=[priority for priority, _ in self.key],
            tie=[tie for _, tie in self.key],
        )

    @property
    def boards(self) -> list[str | None]:
        """The board of each node."""
        states = self._states
        return [
            coded(states[node]) if node in states else None
            for node in range(max(states, default=-1) + 1)
        ]

    @property
    def expansions(self) -> list[int]:
        """Which events take a node from the open list."""
        return [seq for seq, kind in enumerate(self.kind) if kind in _TAKEN]


class CounterSample(NamedTuple):
    """The counters after an expansion, and the node that was expanded."""

    expanded: int
    generated: int
    stored: int
    frontier: int
    g: int
    h: int
    board: State


class Samples:
    """Counts along with a search, and keeps the counters after its expansions.

    When there are twice as many samples as wanted, every second one is dropped, so any length
    of search is covered evenly. The frontier is the open list; in a search by layers what the
    layer has made so far, in one along a path the length of that. Of a search with an order of
    its own the events tell neither what is stored nor what waits. It is a plain observer, so
    the Python engine runs: it is called at every event of the search, however long that is.
    """

    def __init__(self, points: int, open_list: str) -> None:
        self._points = points
        self._open_list = open_list
        self._every = 1
        self._expanded = self._generated = self._stored = self._open = 0
        self._at: tuple[int, int, State] = (-1, 0, ())
        self._samples: list[CounterSample] = []

    def __call__(
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
        """Count one more event."""
        if kind in (Kind.GENERATE, Kind.REOPEN):
            self._generated += 1
            self._stored += 1
            self._open += 1
        elif kind is Kind.DUPLICATE:
            self._generated += 1
        elif kind is Kind.START:
            self._open += 1
        elif kind is Kind.STALE:
            self._open -= 1
        elif kind is Kind.EXPAND:
            self._sample()
            self._expanded += 1
            if self._open_list != "layers":
                self._open -= 1
            elif self._at[0] != g:  # the first of a new layer
                self._open = 0
            self._at = g, h, board

    def _sample(self) -> None:
        """Keep the counters after the last expansion, if its turn has come."""
        if self._expanded == 1 or (self._expanded and self._expanded % self._every == 0):
            self._samples.append(self._now())
        if len(self._samples) >= 2 * self._points:
            self._every *= 2
            self._samples = [
                row for row in self._samples if row.expanded == 1 or row.expanded % self._every == 0
            ]

    def _now(self) -> CounterSample:
        g, h, board = self._at
        along_a_path = self._open_list == "path"
        stored, frontier = (0, g + 1) if along_a_path else (self._stored, self._open)
        return CounterSample(self._expanded, self._generated, stored, frontier, g, h, board)

    def series(self) -> CounterSeries:
        """The samples as columns, at most `points` of them, the last expansion among them."""
        rows = [*self._samples, self._now()] if self._expanded else []
        if len(rows) > self._points:
            last, kept = len(rows) - 1, max(self._points - 1, 1)
            rows = [rows[round(place * last / kept)] for place in range(self._points - 1)]
            rows.append(self._now())
        rows = list(dict.fromkeys(rows))
        names = [name for name in CounterSample._fields[:-1] if self._tells(name)]
        columns = {name: [getattr(row, name) for row in rows] for name in names}
        stride = max(1, -(-len(rows) // MOST_BOARDS))
        board_at = list(range(0, len(rows), stride))
        boards = [coded(rows[place].board) for place in board_at]
        return CounterSeries(**columns, board=boards, board_at=board_at)

    def _tells(self, counter: str) -> bool:
        """Whether the events tell a counter; not what waits in an order of the search's own."""
        return self._open_list != "own" or counter not in ("stored", "frontier")
