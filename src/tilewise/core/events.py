"""The events that a search reports to an observer, and the digest over all of them."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from tilewise.core.problem import State
from tilewise.puzzle.board import Board


class Kind(StrEnum):
    """The kinds of events. Their order is part of the digest.

    Example:
        >>> Kind.EXPAND == "expand"
        True
    """

    START = "start"
    """The root enters the search."""
    EXPAND = "expand"
    """A node is taken and its successors are made."""
    GENERATE = "generate"
    """A successor is kept."""
    DUPLICATE = "duplicate"
    """A successor is thrown away, because its state is known."""
    REOPEN = "reopen"
    """A successor is kept although its state was expanded: the new path is cheaper."""
    STALE = "stale"
    """A node is taken and skipped, because a cheaper copy was made later."""
    BOUND = "bound"
    """A deepening search starts again with a new bound."""
    GOAL = "goal"
    """The goal is found."""
    STOP = "stop"
    """The search is over."""


Key = tuple[int, int]
"""What the open list sorts by: the priority, then the tie-break (0 where there is none)."""


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a search.

    A node is numbered when it enters the search: 0 is the root. Graph searches number the nodes
    they store, and a duplicate event names the node that already has the state; searches that
    store no nodes number every successor.

    Example:
        >>> import tilewise as tw
        >>> event = tw.trace("1b2 345 678", algorithm="astar", heuristic="manhattan").events[2]
        >>> event.kind.value, event.move, event.g, event.h, event.key, str(event.board)
        ('generate', 'D', 1, 2, (3, 2), '142 3b5 678')
    """

    seq: int
    """Its number, from 0."""
    kind: Kind
    """What happened."""
    node: int
    """The node that it happened to; 0 is the root."""
    parent: int
    """The node that made it, -1 for the root."""
    move: str
    """The move from the parent, empty for the root."""
    g: int
    """The moves from the start."""
    h: int
    """The value of the heuristic."""
    key: Key
    """What the open list sorts by: the priority and the tie-break."""
    board: Board
    """The board of the node."""


EventFields = tuple[Kind, int, int, str, int, int, Key, State]
"""The arguments of an observer: kind, node, parent, move, g, h, key and board."""


class Observer(Protocol):
    """A function that a search calls at every step. `board` is the plain tuple of tiles.

    Example:
        >>> import tilewise as tw
        >>> expanded = []
        >>> def watch(kind, node, parent=-1, move="", g=0, h=0, key=(0, 0), board=()):
        ...     if kind is Kind.EXPAND:
        ...         expanded.append((node, g, h))
        >>> result = tw.solve("312 475 68b", heuristic="manhattan", observer=watch)
        >>> expanded
        [(0, 0, 4), (2, 1, 3), (3, 2, 2), (6, 3, 1)]
    """

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
    ) -> None: ...


_FNV_OFFSET, _FNV_PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 0xFFFFFFFFFFFFFFFF
_FIELDS = struct.Struct("<QBqqBiiqq")
_KIND_CODE = {kind: code for code, kind in enumerate(Kind)}
_MOVE_CODE = {"U": 0, "D": 1, "L": 2, "R": 3, "": 255}


class Recorder:
    """An observer that keeps the first events and a 64-bit FNV-1a digest of all of them.

    Each event enters the digest as seq, kind, node, parent, move, g, h and the two parts of the
    key, little-endian with fixed widths (8 1 8 8 1 4 4 8 8 bytes), then one byte a tile.

    Args:
        keep: How many events to keep.
        rows: The rows of the board.
        columns: The columns of the board.

    Example:
        >>> import tilewise as tw
        >>> recorder = Recorder(keep=5, rows=3, columns=3)
        >>> result = tw.solve("1b2 345 678", algorithm="bfs", observer=recorder)
        >>> len(recorder.events), recorder.count
        (5, 12)
    """

    def __init__(self, keep: int, rows: int, columns: int) -> None:
        self.events: list[Event] = []
        self.count = 0
        self.digest = _FNV_OFFSET
        self.keep = keep
        self._shape = rows, columns

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
        if self.count < self.keep:
            self.keep_event(kind, node, parent, move, g, h, key, board)
        fields = _FIELDS.pack(
            self.count, _KIND_CODE[kind], node, parent, _MOVE_CODE[move], g, h, *key
        )
        self.add(fields + bytes(board))
        self.count += 1

    def add(self, event: bytes) -> None:
        """Add the bytes of one more event to the digest."""
        digest = self.digest
        for byte in event:
            digest = (digest ^ byte) * _FNV_PRIME & _MASK
        self.digest = digest

    def keep_event(self, *fields: *EventFields) -> None:
        """Keep one more event, without adding it to the digest."""
        kind, node, parent, move, g, h, key, board = fields
        shown = Board.trusted(*self._shape, board)
        self.events.append(Event(len(self.events), kind, node, parent, move, g, h, key, shown))
