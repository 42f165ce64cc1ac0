"""Networks in whole numbers, so that their values are the same on every machine and engine.

What a layer hands on is in 1/1024 and between 0 and 32,767; weights are 16-bit numbers in a power
of two that is chosen for each layer, as fine as sums of 32 bits allow. The native engine computes
with them; without it, numpy does: its 64-bit fractions hold every number that can occur exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilewise.errors import TableError
from tilewise.native import NATIVE, LearnedModel, Network

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tilewise.learning.frames import ModelFrame
    from tilewise.learning.regressions import Layers

    Floats = NDArray[np.float64]

ACTIVATION_BITS = 10
LARGEST = 2**15 - 1
FINEST_SHIFT = 12
MOST_MOVES = 10_000
"""Larger values are this: no board is that far from its goal."""

Model = Callable[[bytes, int], int]
"""Moves, from a board as the model has it and the Manhattan distance of the board."""


@dataclass(frozen=True, eq=False)
class WholeLayer:
    """Weights in 1/2^shift, a column for each output; biases as the sums are."""

    weights: Floats
    biases: Floats
    shift: int


@dataclass(frozen=True, eq=False)
class WholeNetwork:
    """A network whose numbers are all whole."""

    first: Floats
    """A row for each tile on each cell."""
    first_biases: Floats
    layers: tuple[WholeLayer, ...]

    @property
    def output_bits(self) -> int:
        """Outputs are in 1/2^bits."""
        return self.layers[-1].shift + ACTIVATION_BITS

    def outputs(self, boards: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The outputs for boards, a row each: for every cell the home of its tile."""
        import numpy as np

        cells = boards.shape[1]
        rows = self.first[np.arange(cells) * cells + boards]
        handed_on = np.clip(rows.sum(axis=1) + self.first_biases, 0, LARGEST)
        for layer in self.layers[:-1]:
            sums = handed_on @ layer.weights + layer.biases
            handed_on = np.clip(np.floor(sums / 2**layer.shift), 0, LARGEST)
        last = self.layers[-1]
        return np.asarray(handed_on @ last.weights + last.biases, np.int64)


def whole_network(layers: Layers) -> WholeNetwork:
    """The network of a model; refuses one whose weights are too large for it."""
    import numpy as np

    first, *others = zip(layers.matrices, layers.biases, strict=True)
    unit = 2**ACTIVATION_BITS
    rows = np.rint(first[0].astype(np.float64) * unit)
    biases = np.rint(first[1].astype(np.float64) * unit)
    if np.abs(rows).max() > LARGEST or np.abs(biases).max() > 2**30:
        raise _not_sensible(layers)
    made = [
        _whole_layer(matrix, bias, is_last=number == len(others) - 1)
        for number, (matrix, bias) in enumerate(others)
    ]
    whole = [layer for layer in made if layer is not None]
    if len(whole) < len(made):
        raise _not_sensible(layers)
    return WholeNetwork(rows, biases, tuple(whole))


def _not_sensible(layers: Layers) -> TableError:
    model, shape = layers.facts.model, layers.facts.shape
    return TableError(f"the model {model} for {shape} has weights that are no sensible numbers")


def _whole_layer(matrix: Any, bias: Any, *, is_last: bool) -> WholeLayer | None:
    """A layer by the finest numbers with which its sums are within their bits, if there are any."""
    import numpy as np

    for shift in range(FINEST_SHIFT, -1, -1):
        weights = np.rint(matrix.astype(np.float64) * 2**shift)
        biases = np.rint(bias.astype(np.float64) * 2 ** (shift + ACTIVATION_BITS))
        largest_sum = np.abs(weights).sum(axis=0) * LARGEST + np.abs(biases)
        fits = np.abs(weights).max() <= LARGEST and np.abs(biases).max() < 2**31
        if fits and (is_last or largest_sum.max() < 2**31):
            return WholeLayer(weights, biases, shift)
    return None


def native_network(network: WholeNetwork, cells: int) -> Network:
    """The network as the native engine has it."""
    import numpy as np

    layers = [
        (
            *layer.weights.shape,
            layer.shift,
            np.ascontiguousarray(layer.weights.T).astype(np.int16).ravel(),
            layer.biases.astype(np.int32),
        )
        for layer in network.layers
    ]
    first, biases = network.first.astype(np.int16).ravel(), network.first_biases.astype(np.int32)
    return Network(cells, first, biases, layers)


def network_model(network: WholeNetwork, frame: ModelFrame, lowered_by: int) -> Model:
    """A network as a model of distances, by the native engine where it is there."""
    if NATIVE:
        made = native_network(network, len(frame.cell))
        return LearnedModel.of_network(made, bytes(frame.cell), bytes(frame.home), lowered_by)
    return NetworkModel(network, lowered_by)


def policy_model(network: WholeNetwork, frame: ModelFrame) -> Model:
    """A network as a policy, by the native engine where it is there."""
    if NATIVE:
        made = native_network(network, len(frame.cell))
        turned = (bytes(frame.cell), bytes(frame.home))
        return LearnedModel.of_policy(frame.rows, frame.columns, made, *turned, frame.solved)
    return PolicyModel(network, frame.rows, frame.columns, frame.solved)


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """A network as a model of distances, as numpy evaluates it."""

    network: WholeNetwork
    lowered_by: int

    def __call__(self, board: bytes, manhattan: int) -> int:
        import numpy as np

        outputs = self.network.outputs(as_boards([board]))
        (moves,) = in_moves(outputs[:, 0], self.network.output_bits, np.array([manhattan]))
        return max(0, int(moves) - self.lowered_by)


def in_moves(
    outputs: NDArray[np.int64], bits: int, manhattan: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Outputs as the nearest numbers of moves that are possible.

    Every solution of a board has the parity of its Manhattan distance.
    """
    import numpy as np

    parity = manhattan % 2
    pairs = (outputs - (parity - 1) * 2**bits) >> (bits + 1)
    return np.where(manhattan == 0, 0, np.clip(2 * pairs + parity, parity, MOST_MOVES))


class PolicyModel:
    """A network that predicts the next move, as numpy evaluates it.

    Its value is the number of moves it takes to the goal; where they come to a circle, Manhattan
    distance is added from there.
    """

    def __init__(self, network: WholeNetwork, rows: int, columns: int, goal: bytes) -> None:
        self._network, self._rows, self._columns, self._goal = network, rows, columns, goal

    def __call__(self, board: bytes, manhattan: int) -> int:
        seen: dict[bytes, int] = {}
        while board != self._goal:
            if board in seen:
                return seen[board] + self._manhattan(board)
            seen[board] = len(seen)
            board = self._after_best(board)
        return len(seen)

    def _after_best(self, board: bytes) -> bytes:
        outputs = self._network.outputs(as_boards([board]))[0]
        row, column = divmod(board.index(0), self._columns)
        cells = {
            way: (row + down) * self._columns + column + right
            for way, (down, right) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1)))
            if 0 <= row + down < self._rows and 0 <= column + right < self._columns
        }
        blank, to = row * self._columns + column, cells[max(cells, key=lambda way: outputs[way])]
        after = bytearray(board)
        after[blank], after[to] = after[to], 0
        return bytes(after)

    def _manhattan(self, board: bytes) -> int:
        places = ((divmod(cell, self._columns), home) for cell, home in enumerate(board) if home)
        wanted = {home: divmod(cell, self._columns) for cell, home in enumerate(self._goal)}
        return sum(
            abs(row - wanted[home][0]) + abs(column - wanted[home][1])
            for (row, column), home in places
        )


def as_boards(boards: list[bytes]) -> NDArray[np.uint8]:
    """Boards of a model as rows of an array."""
    import numpy as np

    return np.frombuffer(b"".join(boards), np.uint8).reshape(len(boards), -1)
