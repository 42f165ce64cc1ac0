"""The native engine of tilewise: the default rules at full speed."""

import enum
from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

sources_hash: str
"""Of the C++ files that the module was built from."""

class Ended(Exception):
    pass

class Algorithm(enum.Enum):
    QUEUE = 0

    STACK = 1

    BUCKETS = 2

    DEEPENING = 3

    BEAM = 4

class Estimate:
    """The largest or the sum of named heuristics, for one goal."""

    def __init__(
        self,
        rows: int,
        columns: int,
        goal: bytes,
        names: Sequence[str],
        combined: str = "max",
        patterns: Sequence[
            Sequence[
                Sequence[
                    tuple[
                        Annotated[
                            NDArray[numpy.uint8],
                            dict(shape=(None,), order="C", device="cpu", writable=False),
                        ],
                        Sequence[int],
                        Sequence[int],
                    ]
                ]
            ]
        ] = [],
        poll: object | None = None,
    ) -> None: ...
    def __call__(self, tiles: bytes) -> int: ...
    @property
    def nbytes(self) -> int:
        """The memory of the tables that were made for it."""

class MoveAutomaton:
    """Words of moves that IDA* may leave out, for an order of successors."""

    def __init__(self, length: int, order: str, poll: object | None = None) -> None: ...
    @property
    def nbytes(self) -> int:
        """Its memory."""

    @property
    def words(self) -> int:
        """How many words are forbidden that have no forbidden part."""

def search(
    algorithm: Algorithm,
    estimate: Estimate,
    start: bytes,
    *,
    for_g: int,
    for_h: int,
    reopen: bool,
    width: int,
    order: str,
    automaton: MoveAutomaton | None,
    batch: int,
    threads: int,
    generated: int,
    seconds: float,
    memory: int,
    keep_events: int | None,
    poll: object | None,
) -> tuple[int, bool, str, dict[str, int], Any]:
    """
    Run one search without the GIL: status, whether the time was over, moves, counters, and the events if they are kept.
    """

class Loop:
    """A row of the table that says which loop serves which search."""

    @property
    def search(self) -> Algorithm: ...
    @property
    def by_f(self) -> bool:
        """Only where the priority is g + h and cheaper paths re-open states."""

    @property
    def heuristic(self) -> str: ...
    @property
    def shape(self) -> str: ...
    @property
    def most_cells(self) -> int: ...
    @property
    def order(self) -> str: ...
    @property
    def options(self) -> list[str]:
        """What the loop can also do."""

    @property
    def about(self) -> str: ...
    @property
    def header(self) -> str: ...

def loops() -> list[Loop]:
    """The table of the loops; the first row that serves a search is taken."""

def heuristics() -> list[tuple[str, bool]]:
    """
    The heuristics of the engine, and whether every move changes them by exactly one.
    """

def solve_lines(
    rows: int,
    columns: int,
    start: bytes,
    goal: bytes,
    *,
    core_row: int,
    core_column: int,
    core_rows: int,
    core_columns: int,
    width: int,
    threads: int,
    seconds: float,
    poll: object | None,
) -> str:
    """
    Bring all tiles outside of a core home; empty if the time is over or there is nothing to do.
    """

def shorten_path(
    rows: int,
    columns: int,
    start: bytes,
    moves: str,
    *,
    length: int,
    nodes: int,
    offset: int,
    threads: int,
    seconds: float,
    poll: object | None,
) -> tuple[str, int]:
    """
    Solve windows of a path again, each within a number of nodes: the path by then, and the nodes generated.
    """

def kernels() -> list[str]:
    """
    The levels of instructions that tables can be built with here, the best first.
    """

def build_pattern(
    rows: int,
    columns: int,
    cells: Sequence[int],
    blank: int,
    out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    *,
    threads: int = 1,
    kernels: str = "",
    poll: object | None = None,
) -> bool:
    """Fill the table of a pattern; False if poll ended it."""

def wrong_entries(
    rows: int,
    columns: int,
    cells: Sequence[int],
    blank: int,
    table: Annotated[
        NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    *,
    threads: int = 1,
    poll: object | None = None,
) -> int | None:
    """
    How many entries of a pattern's table a proof finds wrong; None if poll ended it.
    """

def distance_bytes(rows: int, columns: int) -> int:
    """The size of a table of distances."""

def build_distances(
    rows: int,
    columns: int,
    blank: int,
    out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")] | None,
    *,
    threads: int = 1,
    poll: object | None = None,
) -> list[int] | None:
    """
    Count the states of a shape by depth, and fill a table; None if poll ended it.
    """

def states_at(
    rows: int,
    columns: int,
    blank: int,
    depth: int,
    most: int,
    seed: int,
    *,
    threads: int = 1,
    poll: object | None = None,
) -> tuple[int, list[list[int]]] | None:
    """
    The number of states at a depth, and some of them; None if poll ended it.
    """

def distance(
    rows: int,
    columns: int,
    blank: int,
    table: Annotated[
        NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    homes: bytes,
) -> int:
    """The distance of a state by a table of distances."""

class LearnedValues:
    """A model of learned values for one shape, the goal's blank on cell 0."""

    def __init__(
        self,
        rows: int,
        columns: int,
        singles: Annotated[
            NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        own: Annotated[
            NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        shared: Annotated[
            NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    @staticmethod
    def of_shared(
        rows: int,
        columns: int,
        shared: Annotated[
            NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> LearnedValues:
        """A model of shared weights alone, for any shape."""

    def value(self, homes: bytes) -> int:
        """The value of a board, in 1/128 of a move."""

    @property
    def bytes(self) -> int: ...

def learned_beam(
    values: LearnedValues,
    start: bytes,
    goal: bytes,
    *,
    width: int,
    most_moves: int,
    generated: int,
    seconds: float,
    memory: int,
    threads: int,
    poll: object | None = None,
) -> tuple[int, bytes, dict[str, int]]:
    """
    A beam by learned values alone: status, the cells that the blank goes to, counters.
    """

def wide_beam(
    estimate: Estimate,
    start: bytes,
    *,
    width: int,
    most_moves: int,
    generated: int,
    seconds: float,
    memory: int,
    threads: int,
    poll: object | None = None,
) -> tuple[int, bytes, dict[str, int]]:
    """
    A beam by an estimate, at full speed: status, the cells that the blank goes to, counters.
    """

def learned_beam_bytes(cells: int, width: int, moves: int) -> int:
    """What a beam of that width needs at most."""

def learned_sizes(rows: int, columns: int) -> tuple[int, int, int]:
    """The numbers of weights of a model: of single tiles, of pairs, shared."""

class Training:
    """Training of learned values for one shape."""

    def __init__(self, rows: int, columns: int, seed: int, shared_only: bool = False) -> None: ...
    def round(self, differences: bool, rate: float, threads: int) -> dict[str, Any]:
        """Solve boards and learn from them."""

    @property
    def walks_are_long(self) -> bool: ...
    def weights(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
    ]:
        """The weights: of single tiles, of pairs, shared."""

    def load(
        self,
        singles: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        own: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        shared: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        long_walks: bool,
    ) -> None: ...
