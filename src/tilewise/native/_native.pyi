"""The native engine of tilewise: the default rules at full speed."""

import enum
from collections.abc import Sequence
from typing import Annotated, Any

import numpy
import tilewise.errors
from numpy.typing import NDArray

sources_hash: str
"""Of the C++ files that the module was built from."""

class Ended(Exception):
    pass

class NoThreads(tilewise.errors.EngineError):
    pass

class Algorithm(enum.Enum):
    QUEUE = 0

    STACK = 1

    BUCKETS = 2

    DEEPENING = 3

    ASTAR_IDASTAR = 4

    BEAM = 5

class SpreadTables:
    """Spread forms of tables that estimates share while they are in use."""

    def __init__(self) -> None: ...

_Groups = Sequence[
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

class Estimate:
    """The largest or the sum of named heuristics, for one goal."""

    def __init__(
        self,
        rows: int,
        columns: int,
        goal: bytes,
        names: Sequence[str],
        combined: str = "max",
        patterns: Sequence[tuple[_Groups, Sequence[_Groups]]] = [],
        models: Sequence[LearnedModel] = [],
        poll: object | None = None,
        shared: SpreadTables | None = None,
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

def roots(
    estimate: Estimate,
    start: bytes,
    *,
    bound: int,
    wanted: int,
    order: str,
    automaton: MoveAutomaton | None,
    poll: object | None,
) -> tuple[list[str], bool, str | None, int | None, int, int, int]: ...

def probe_roots(
    estimate: Estimate,
    start: bytes,
    *,
    bound: int,
    nodes: int,
    wanted: int,
    order: str,
    poll: object | None,
) -> tuple[list[str], bool, str | None, int | None, int, int, int]: ...

def search_roots(
    estimate: Estimate,
    start: bytes,
    roots: Sequence[str],
    *,
    bound: int,
    order: str,
    automaton: MoveAutomaton | None,
    threads: int,
    memory: int,
    expected: int,
    poll: object | None,
) -> tuple[bool, str | None]: ...

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
    below: int,
    nodes: int,
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
        squares: Annotated[
            NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    @staticmethod
    def stretched(
        rows: int,
        columns: int,
        side: int,
        singles: Annotated[
            NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        own: Annotated[
            NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        shared: Annotated[
            NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        poll: object | None = None,
    ) -> LearnedValues:
        """A model for a large shape, by the weights of a smaller square one."""

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
    partly: bool = False,
    narrows: bool = False,
    ends_in: float = 0.0,
    poll: object | None = None,
) -> tuple[int, bytes, dict[str, int]]:
    """
    A beam by learned values alone: status, the cells that the blank goes to, counters. Partly: without a solution, the way to the board that promised the shortest one. Narrows: fewer boards near the goal.
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

def learned_sizes(rows: int, columns: int) -> tuple[int, int, int, int]:
    """The numbers of weights of a model: of single tiles, of pairs, shared, of squares."""

def folded_weights(
    side: int, own: Annotated[NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)]
) -> Annotated[NDArray[numpy.int16], dict(shape=(None,))] | None:
    """
    Half of the weights of pairs of a square shape, or None if a board and its transposed image differ.
    """

def unfolded_weights(
    side: int, half: Annotated[NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)]
) -> Annotated[NDArray[numpy.int16], dict(shape=(None,))]:
    """All weights of pairs, from that half."""

def folded_size(side: int) -> int:
    """The number of weights of that half."""

class Network:
    """A multi-layer network in whole numbers."""

    def __init__(
        self,
        cells: int,
        first: Annotated[
            NDArray[numpy.int16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        first_biases: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        layers: Sequence[
            tuple[
                int,
                int,
                int,
                Annotated[
                    NDArray[numpy.int16],
                    dict(shape=(None,), order="C", device="cpu", writable=False),
                ],
                Annotated[
                    NDArray[numpy.int32],
                    dict(shape=(None,), order="C", device="cpu", writable=False),
                ],
            ]
        ],
    ) -> None: ...
    def outputs(
        self,
        boards: Annotated[
            NDArray[numpy.uint8], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None))]:
        """The outputs for boards: for each cell the home of its tile."""

    @property
    def output_bits(self) -> int:
        """Outputs are in 1/2^bits."""

    @property
    def nbytes(self) -> int: ...

class LearnedModel:
    """A model as a heuristic: how boards are turned for it, and its moves."""

    @staticmethod
    def of_pairs(
        values: LearnedValues, cells: bytes, homes: bytes, at_goal: int
    ) -> LearnedModel: ...
    @staticmethod
    def of_network(
        network: Network, cells: bytes, homes: bytes, lowered_by: int
    ) -> LearnedModel: ...
    @staticmethod
    def of_policy(
        rows: int, columns: int, network: Network, cells: bytes, homes: bytes, goal: bytes
    ) -> LearnedModel: ...
    def __call__(self, board: bytes, manhattan: int) -> int:
        """Moves, from a board as the model has it."""

class Training:
    """Training of learned values for one shape."""

    def __init__(self, rows: int, columns: int, seed: int, shared_only: bool = False) -> None: ...
    def round(
        self, lesson: str, rate: float, threads: int, poll: object | None = None
    ) -> dict[str, Any]:
        """
        Solve boards and learn from those of before: rest, differences or ranks. A round that is ended leaves the weights.
        """

    @property
    def walks_are_long(self) -> bool: ...
    def weights(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
    ]:
        """The weights: of single tiles, of pairs, shared, of squares if there are any."""

    def begin_squares(self) -> None:
        """From now on values of squares are learned, too."""

    def set_beams(self, wide: int, narrow: int) -> None:
        """
        How wide the beams of ranks are: the one that finds paths, and the one to keep to them.
        """

    def beyond(
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
    ) -> tuple[
        Annotated[NDArray[numpy.int16], dict(shape=(None,))],
        Annotated[NDArray[numpy.int16], dict(shape=(None,))],
        Annotated[NDArray[numpy.int16], dict(shape=(None,))],
        Annotated[NDArray[numpy.int16], dict(shape=(None,))],
    ]:
        """
        What the weights are beyond these, as models have them: whole numbers in 1/128 of a move.
        """

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
        squares: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        long_walks: bool,
    ) -> None: ...

def watch_signals(reading: int, writing: int, again: float) -> None:
    """Pass on the numbers of signals from one file to another, and end the process if Python does not."""

def set_patience(seconds: float, code: int) -> None:
    """Seconds after the first signal until the process is ended, and its exit code."""
