"""Throw wrong arguments at every function of the native module; print what was not refused.

A program of its own: what crashes must not take the tests with it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import random
import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from tilewise.native import _native

faulthandler.enable()
LARGE = [2**31 - 1, 2**31, 2**63, 2**64, 10**30]
ODD: list[Any] = [None, "x", b"x", 1.5, float("nan"), [], [None], (), {}, object(), lambda: 1]
"""What no argument may be."""
SIZES = [-(2**31), -(2**63), -1, 0, 1, 17, 256, *LARGE]
"""No rows or columns, and no cells of a whole space."""
THREADS = [-(2**31), -1, 0, 1025, *LARGE]
GOAL = bytes(range(9))
WEIGHTS = {
    name: np.zeros(size, np.int16)
    for name, size in zip(
        ("singles", "own", "shared", "squares"), _native.learned_sizes(2, 3), strict=True
    )
}
REAL_WEIGHTS = {name: weights.astype(np.float32) for name, weights in WEIGHTS.items()}
NOT_WEIGHTS = [np.zeros(5, np.int16), np.zeros((540, 1), np.int16), np.zeros(0, np.int16)]
SIX = bytes(range(6))
NOT_SIX = [b"", bytes(6), bytes(5), bytes(range(1, 7)), b"\xff" * 6]


def layer(inputs: int = 4, outputs: int = 1, shift: int = 3, size: int = 4, biases: int = 1) -> Any:
    return (inputs, outputs, shift, np.ones(size, np.int16), np.ones(biases, np.int32))


def network_of(outputs: int) -> _native.Network:
    made = layer(4, outputs, 3, 4 * outputs, outputs)
    return _native.Network(6, np.ones(36 * 4, np.int16), np.ones(4, np.int32), [made])


large = (4, 4, 0, np.full(16, 32767, np.int16), np.ones(4, np.int32))
LAYERS = [
    [],
    [layer(inputs=5)],
    [layer(inputs=-4)],
    [layer(outputs=0)],
    [layer(outputs=5, size=20, biases=5)],
    [layer(shift=-1)],
    [layer(shift=13)],
    [layer(size=5)],
    [layer(biases=2)],
    [layer()[:4]],
    [layer(), layer()],
    [large, layer()],
    [layer(inputs=2**31 - 1)],
]
NOT_TILES = [b"", GOAL[:8], GOAL + b"\t", bytes([0, *range(8)]), bytes(9), b"\xff" * 9]
ORDERS = ["", "UDL", "UDLRU", "UDLX", "UUDD", "udlr", "\0\0\0\0", "U" * 1000]


def table(entries: int, fill: int = 0) -> Any:
    return np.full(entries, fill, np.uint8)


def lookup(entries: int = 9, cells: Any = range(9), tiles: Any = (255, 0, *[255] * 7)) -> Any:
    return (table(entries), list(cells), list(tiles))


LOOKUPS = [
    lookup(entries=8),
    lookup(entries=0),
    lookup(cells=[]),
    lookup(cells=range(8)),
    lookup(cells=[0] * 9),
    lookup(cells=range(1, 10)),
    lookup(cells=[-1, *range(8)]),
    lookup(cells=[2**31 - 1, *range(8)]),
    lookup(tiles=[]),
    lookup(tiles=[255] * 9),
    lookup(tiles=[0, *[255] * 8]),
    lookup(tiles=[255, 1, *[255] * 7]),
    lookup(tiles=[255, -1, *[255] * 7]),
    lookup(tiles=[255, 256, *[255] * 7]),
    lookup(entries=72, tiles=[255, 0, 0, *[255] * 6]),
    (table(9).reshape(3, 3), [*range(9)], [255, 0, *[255] * 7]),
    (table(9), [*range(9)], "255"),
    (table(9), [*range(9)]),
]


def by_tiles(*lookups: Any) -> Any:
    return ([list(lookups)], [])


def by_cells(blank: int, **changes: Any) -> Any:
    """A look-up that is right for all cells of the blank but those of the pattern."""
    return lookup(**{"tiles": [255 if blank == 1 or c != 1 else 0 for c in range(9)], **changes})


BY_CELLS = [
    [[[by_cells(0)]]],
    [[[by_cells(c)]] for c in range(10)],
    [[] for _ in range(9)],
    [[[]] for _ in range(9)],
    [[[by_cells(c)]] for c in range(9)],  # with the blank on cell 1 the pattern has no tile
    *([[[each]] for _ in range(9)] for each in LOOKUPS),
]
PATTERNS = [
    [],
    [[]],
    [([], [])],
    [([[]], [])],
    [by_tiles(lookup()), by_tiles(lookup())],
    *([by_tiles(each)] for each in LOOKUPS),
    *([([[lookup()]], each)] for each in BY_CELLS),
]

estimate = _native.Estimate(3, 3, GOAL, ["manhattan"])
automaton = _native.MoveAutomaton(2, "UDLR")
other_order = _native.MoveAutomaton(2, "RLDU")
space = table(_native.distance_bytes(2, 3))
_native.build_distances(2, 3, 0, space)
readonly = table(9)
readonly.flags.writeable = False
READING, WRITING = os.pipe()


def run(**wrong: Any) -> Any:
    usual: dict[str, Any] = {
        "algorithm": _native.Algorithm.BUCKETS,
        "estimate": estimate,
        "start": bytes([1, 0, *range(2, 9)]),
        "for_g": 1,
        "for_h": 1,
        "reopen": True,
        "width": 1,
        "order": "UDLR",
        "automaton": None,
        "batch": 0,
        "threads": 1,
        "below": 0,
        "nodes": 0,
        "generated": 1000,
        "seconds": 1.0,
        "memory": 10**8,
        "keep_events": None,
        "poll": None,
    }
    return _native.search(**{**usual, **wrong})


Function = Callable[..., Any]
Wrong = dict[str, list[Any]]
CELLS = [[], [-1], [9], [2, 1], [1, 1], [*range(11)], [2**31 - 1], [2**31]]
WRONG: dict[str, tuple[Function, dict[str, Any], Wrong]] = {
    "Estimate": (
        _native.Estimate,
        {"rows": 3, "columns": 3, "goal": GOAL, "names": ["manhattan"]},
        {
            "rows": SIZES,
            "columns": SIZES,
            "goal": NOT_TILES,
            "names": [[], [""], ["none"], ["pdb"], ["manhattan"] * 65],
            "combined": ["", "min", "MAX"],
            "patterns": [[[]], [by_tiles(lookup())]],
            "shared": [1, estimate],
        },
    ),
    "Estimate of tables": (
        _native.Estimate,
        {
            "rows": 3,
            "columns": 3,
            "goal": GOAL,
            "names": ["pdb"],
            "patterns": [by_tiles(lookup())],
        },
        {"patterns": PATTERNS, "names": [["manhattan"], ["pdb", "pdb"]], "rows": SIZES},
    ),
    "Estimate of walking distance": (
        _native.Estimate,
        {"rows": 16, "columns": 16, "goal": bytes(range(256)), "names": ["manhattan"]},
        {"names": [["walking_distance"]]},
    ),
    "Estimate.__call__": (estimate, {"tiles": GOAL}, {"tiles": NOT_TILES}),
    "MoveAutomaton": (
        _native.MoveAutomaton,
        {"length": 2, "order": "UDLR"},
        {"length": [-1, 0, 13, *LARGE], "order": ORDERS},
    ),
    "search": (
        run,
        {},
        {
            "algorithm": [-1, 99, "QUEUE"],
            "estimate": [automaton],
            "start": NOT_TILES,
            "for_g": [-1, 1001, *LARGE],
            "for_h": [-1, -(2**63), 1001, *LARGE],
            "width": [-1, 0, *LARGE[-2:]],
            "order": ORDERS,
            "automaton": [estimate, other_order],
            "batch": [-1, 1025, *LARGE],
            "threads": THREADS,
            "nodes": [-1, *LARGE[-2:]],
            "generated": [-1, *LARGE[-2:]],
            "seconds": [-1.0, float("nan")],
            "memory": [-1, *LARGE[-2:]],
            "keep_events": [-1, *LARGE[-2:]],
            "poll": [1],
        },
    ),
    "build_pattern": (
        _native.build_pattern,
        {"rows": 3, "columns": 3, "cells": [1], "blank": 0, "out": table(9)},
        {
            "rows": SIZES,
            "columns": SIZES,
            "cells": CELLS,
            "blank": [-1, 1, 9, *LARGE],
            "out": [table(8), table(0), readonly, table(9).reshape(3, 3), np.zeros(9, np.int8)],
            "threads": THREADS,
            "kernels": ["none", "x" * 10_000],
            "poll": [1],
        },
    ),
    "wrong_entries": (
        _native.wrong_entries,
        {"rows": 3, "columns": 3, "cells": [1], "blank": 0, "table": table(9)},
        {
            "rows": SIZES,
            "columns": SIZES,
            "cells": CELLS,
            "blank": [-1, 1, 9, *LARGE],
            "table": [table(8), table(0), table(9).reshape(3, 3), np.zeros(9, np.int8)],
            "threads": THREADS,
            "poll": [1],
        },
    ),
    "distance_bytes": (
        _native.distance_bytes,
        {"rows": 3, "columns": 3},
        {"rows": [*SIZES, 5], "columns": [*SIZES, 5]},
    ),
    "build_distances": (
        _native.build_distances,
        {"rows": 2, "columns": 3, "blank": 0, "out": None},
        {
            "rows": [*SIZES, 5],
            "columns": [*SIZES, 7],
            "blank": [-1, 6, *LARGE],
            "out": [table(1), readonly, table(len(space) + 1)[1:]],
            "threads": THREADS,
            "poll": [1],
        },
    ),
    "states_at": (
        _native.states_at,
        {"rows": 2, "columns": 3, "blank": 0, "depth": 2, "most": 3, "seed": 1},
        {
            "rows": [*SIZES, 5],
            "columns": [*SIZES, 7],
            "blank": [-1, 6, *LARGE],
            "depth": [-1, -(2**31), *LARGE[1:]],
            "most": [-1, *LARGE[-2:]],
            "seed": [-1, *LARGE[-2:]],
            "threads": THREADS,
            "poll": [1],
        },
    ),
    "distance": (
        _native.distance,
        {"rows": 2, "columns": 3, "blank": 0, "table": space, "homes": bytes(range(6))},
        {
            "rows": [*SIZES, 5],
            "columns": [*SIZES, 7],
            "blank": [-1, 6, *LARGE],
            "table": [table(1), space[1:], space[::2]],
            "homes": [b"", bytes(5), bytes(6), b"\xff" * 6, bytes([0, 2, 1, 3, 4, 5])],
        },
    ),
    "probe_roots": (
        _native.probe_roots,
        {
            "estimate": estimate,
            "start": bytes([1, 0, *range(2, 9)]),
            "bound": 1,
            "nodes": 4,
            "wanted": 4,
            "order": "UDLR",
            "poll": None,
        },
        {"estimate": [automaton], "start": NOT_TILES, "order": ORDERS},
    ),
    "roots": (
        _native.roots,
        {
            "estimate": estimate,
            "start": bytes([1, 0, *range(2, 9)]),
            "bound": 1,
            "wanted": 4,
            "order": "UDLR",
            "automaton": None,
            "poll": None,
        },
        {"estimate": [automaton], "start": NOT_TILES, "order": ORDERS, "automaton": [estimate]},
    ),
    "search_roots": (
        _native.search_roots,
        {
            "estimate": estimate,
            "start": bytes([1, 0, *range(2, 9)]),
            "roots": ["L"],
            "bound": 1,
            "order": "UDLR",
            "automaton": None,
            "threads": 1,
            "memory": 10**8,
            "expected": 100,
            "poll": None,
        },
        {"estimate": [automaton], "start": NOT_TILES, "order": ORDERS, "automaton": [estimate]},
    ),
    "shorten_path": (
        _native.shorten_path,
        {
            "rows": 3,
            "columns": 3,
            "start": GOAL,
            "moves": "RLRLDURL",
            "length": 4,
            "nodes": 100,
            "offset": 0,
            "threads": 1,
            "seconds": 1.0,
            "poll": None,
        },
        {
            "rows": SIZES,
            "columns": SIZES,
            "start": NOT_TILES,
            "moves": ["X", "U", "L" * 9, "rl", "\0"],
            "length": [-1, 0, 3, 201, *LARGE],
            "nodes": [-1, *LARGE[-2:]],
            "offset": [-1, *LARGE[-2:]],
            "threads": THREADS,
            "seconds": [-1.0, float("nan")],
            "poll": [1],
        },
    ),
    "solve_lines": (
        _native.solve_lines,
        {
            "rows": 4,
            "columns": 4,
            "start": bytes(range(16)),
            "goal": bytes(range(16)),
            "core_row": 0,
            "core_column": 0,
            "core_rows": 2,
            "core_columns": 2,
            "width": 1,
            "threads": 1,
            "seconds": 1.0,
            "poll": None,
        },
        {
            "rows": SIZES,
            "columns": SIZES,
            "start": NOT_TILES,
            "goal": NOT_TILES,
            "core_row": [-1, 3, *LARGE],
            "core_column": [-1, 3, *LARGE],
            "core_rows": [-1, 1, 5, *LARGE],
            "core_columns": [-1, 1, 5, *LARGE],
            "width": [-1, 0, 100_001, *LARGE],
            "threads": THREADS,
            "seconds": [-1.0, float("nan")],
            "poll": [1],
        },
    ),
    "learned_sizes": (
        _native.learned_sizes,
        {"rows": 3, "columns": 3},
        {"rows": SIZES, "columns": SIZES},
    ),
    "folded_size": (_native.folded_size, {"side": 3}, {"side": SIZES}),
    "folded_weights": (
        _native.folded_weights,
        {"side": 3, "own": np.zeros(_native.learned_sizes(3, 3)[1], np.int16)},
        {"side": [*SIZES, 4], "own": NOT_WEIGHTS},
    ),
    "unfolded_weights": (
        _native.unfolded_weights,
        {"side": 3, "half": np.zeros(_native.folded_size(3), np.int16)},
        {"side": [*SIZES, 4], "half": NOT_WEIGHTS},
    ),
    "learned_beam_bytes": (
        _native.learned_beam_bytes,
        {"cells": 16, "width": 10, "moves": 10},
        {"cells": [-1, 0, 3, 257, *LARGE], "width": [-1, *LARGE[2:]], "moves": [-1, *LARGE[-2:]]},
    ),
    "wide_beam": (
        _native.wide_beam,
        {
            "estimate": _native.Estimate(3, 3, GOAL, ["manhattan"]),
            "start": GOAL,
            "width": 10,
            "most_moves": 100,
            "generated": 1000,
            "seconds": 1.0,
            "memory": 2**30,
            "threads": 1,
            "poll": None,
        },
        {
            "start": [b"", bytes(9), bytes(8)],
            "width": [-1, 0, *LARGE[-2:]],
            "threads": THREADS,
            "seconds": [-1.0, float("nan")],
            "poll": [1],
        },
    ),
    "LearnedValues": (
        _native.LearnedValues,
        {"rows": 2, "columns": 3, **WEIGHTS},
        {
            "rows": SIZES,
            "columns": SIZES,
            "singles": [np.zeros(5, np.int16), np.zeros((36, 1), np.int16)],
            "own": NOT_WEIGHTS,
            "shared": [np.zeros(5, np.int16)],
            "squares": [np.zeros(5, np.int16), np.zeros(26**4 - 1, np.int16)],
        },
    ),
    "Network": (
        _native.Network,
        {
            "cells": 6,
            "first": np.ones(36 * 4, np.int16),
            "first_biases": np.ones(4, np.int32),
            "layers": [layer()],
        },
        {
            "cells": [-6, 0, 3, 5, 7, 65, *LARGE],
            "first": [np.ones(5, np.int16), np.ones((36, 4), np.int16)],
            "first_biases": [np.ones(0, np.int32), np.full(4, -(2**31), np.int32)],
            "layers": LAYERS,
        },
    ),
    "Network.outputs": (
        network_of(1).outputs,
        {"boards": np.array([list(SIX)], np.uint8)},
        {
            "boards": [
                np.zeros(6, np.uint8),
                np.zeros((2, 5), np.uint8),
                np.full((1, 6), 6, np.uint8),
                np.full((3, 6), 255, np.uint8),
            ]
        },
    ),
    "LearnedModel.of_pairs": (
        _native.LearnedModel.of_pairs,
        {
            "values": _native.LearnedValues(2, 3, **WEIGHTS),
            "cells": SIX,
            "homes": SIX,
            "at_goal": 0,
        },
        {"values": [network_of(1)], "cells": NOT_SIX, "homes": NOT_SIX, "at_goal": LARGE[1:]},
    ),
    "LearnedModel.of_network": (
        _native.LearnedModel.of_network,
        {"network": network_of(1), "cells": SIX, "homes": SIX, "lowered_by": 0},
        {"network": [estimate], "cells": NOT_SIX, "homes": NOT_SIX, "lowered_by": [-1, *LARGE[1:]]},
    ),
    "LearnedModel.of_policy": (
        _native.LearnedModel.of_policy,
        {
            "rows": 2,
            "columns": 3,
            "network": network_of(4),
            "cells": SIX,
            "homes": SIX,
            "goal": SIX,
        },
        {
            "rows": [*SIZES, 4],
            "columns": [*SIZES, 4],
            "network": [network_of(1)],
            "cells": NOT_SIX,
            "homes": NOT_SIX,
            "goal": NOT_SIX,
        },
    ),
    "LearnedModel.__call__": (
        _native.LearnedModel.of_network(network_of(1), SIX, SIX, 0),
        {"board": SIX, "manhattan": 3},
        {"board": NOT_SIX, "manhattan": LARGE[1:]},
    ),
    "Estimate of a model": (
        _native.Estimate,
        {
            "rows": 2,
            "columns": 3,
            "goal": SIX,
            "names": ["learned"],
            "models": [_native.LearnedModel.of_network(network_of(1), SIX, SIX, 0)],
        },
        {"models": [[], [estimate]], "names": [["manhattan"], ["learned", "learned"]], "rows": [3]},
    ),
    "learned_beam": (
        _native.learned_beam,
        {
            "values": _native.LearnedValues(2, 3, **WEIGHTS),
            "start": bytes([1, 0, 2, 3, 4, 5]),
            "goal": bytes(range(6)),
            "width": 10,
            "most_moves": 100,
            "generated": 1000,
            "seconds": 1.0,
            "memory": 2**30,
            "threads": 1,
            "poll": None,
        },
        {
            "start": [b"", bytes(6), bytes(5), bytes(range(1, 7))],
            "goal": [b"", bytes(6), bytes(5), bytes(range(1, 7))],
            "width": [-1, 0, 2**29, *LARGE[-2:]],
            "most_moves": [-1, *LARGE[-2:]],
            "generated": [-1, *LARGE[-2:]],
            "memory": [-1, *LARGE[-2:]],
            "threads": THREADS,
            "seconds": [-1.0, float("nan")],
            "ends_in": [-1.0, float("nan")],
            "poll": [1],
        },
    ),
    "Training": (
        _native.Training,
        {"rows": 4, "columns": 4, "seed": 1},
        {"rows": SIZES, "columns": SIZES, "seed": [-1, *LARGE[-2:]]},
    ),
    "Training.round": (
        _native.Training(2, 3, 1).round,
        {"lesson": "rest", "rate": 1.0, "threads": 1},
        {
            "lesson": ["", "ways", "rest\0"],
            "rate": [-1.0, 1.5, float("nan"), float("inf")],
            "threads": THREADS,
        },
    ),
    "Training.load": (
        _native.Training(2, 3, 1).load,
        {**REAL_WEIGHTS, "long_walks": True},
        {name: [np.zeros(7, np.float32), np.zeros((7, 1), np.float32)] for name in WEIGHTS},
    ),
    "Training.set_beams": (
        _native.Training(2, 3, 1).set_beams,
        {"wide": 30, "narrow": 3},
        {"wide": [-1, 0, 2, 1_000_001, *LARGE], "narrow": [-1, 0, 31, *LARGE]},
    ),
    "watch_signals": (
        _native.watch_signals,
        {"reading": READING, "writing": WRITING, "again": 0.1},
        {"reading": [-1, *LARGE[-2:]], "writing": [-1, *LARGE[-2:]], "again": [-1.0, float("nan")]},
    ),
    "set_patience": (
        _native.set_patience,
        {"seconds": 1.0, "code": 130},
        {"seconds": [-1.0, float("nan")], "code": [-1, 256, *LARGE]},
    ),
    "loops": (_native.loops, {}, {}),
    "heuristics": (_native.heuristics, {}, {}),
    "kernels": (_native.kernels, {}, {}),
}
MAY_BE_NONE = {"automaton", "keep_events", "poll", "out", "shared"}
DURATIONS = {"seconds", "again", "ends_in"}
MAY_BE_EMPTY = {"patterns"}
"""An empty list of tables is the usual one."""


def refused(function: Function, arguments: dict[str, Any]) -> bool:
    try:
        function(**arguments)
    except (TypeError, ValueError, OverflowError, IndexError):
        return True
    return False


def throw(name: str) -> None:
    """One argument wrong, all others as they should be."""
    function, usual, wrong = WRONG[name]
    assert not refused(function, usual), f"{name}: the usual arguments are refused"
    assert refused(function, {**usual, "no_such_argument": 1})
    for argument, values in wrong.items():
        for value in [*values, *ODD]:
            harmless = (
                (value is None and argument in MAY_BE_NONE)
                or (argument in MAY_BE_EMPTY and value in ([], ()) and "pdb" not in usual["names"])
                or (callable(value) and argument == "poll")
                or (isinstance(value, float) and argument in DURATIONS and value == value > 0)
                or (argument == "kernels" and value == "")
            )
            if not harmless and not refused(function, {**usual, argument: value}):
                print(f"{name}: {argument}={str(value)[:60]!r} is not refused")


def throw_many_at_once(random_numbers: random.Random) -> None:
    """Several wrong at once: refused or not, the module survives."""
    for _ in range(3000):
        function, usual, wrong = WRONG[random_numbers.choice(sorted(WRONG))]
        chosen = [each for each in wrong if random_numbers.random() < 0.4]
        refused(
            function,
            {**usual, **{each: random_numbers.choice([*wrong[each], *ODD]) for each in chosen}},
        )


def throw_at_objects() -> None:
    """Objects that were never made, and tables that say nonsense."""
    for kind in (_native.Estimate, _native.MoveAutomaton, _native.Loop, _native.SpreadTables):
        try:
            empty = kind.__new__(kind)
        except TypeError:
            continue
        refused(run, {"estimate": empty})
        refused(run, {"automaton": empty})
        for attribute in dir(kind):
            try:
                value = getattr(empty, attribute)
                value() if attribute == "__call__" else repr(value)
            except (TypeError, ValueError, RuntimeError):
                continue
    for fill in (1, 85, 255):
        nonsense = table(len(space), fill)
        with contextlib.suppress(ValueError, RuntimeError):
            _native.distance(2, 3, 0, nonsense, bytes([1, 0, 2, 3, 4, 5]))
        assert _native.wrong_entries(3, 3, [1], 0, table(9, fill))
        one = (table(9, fill), [*range(9)], [255, 0, *[255] * 7])
        other = (table(9, fill), [*range(9)], [255, 255, 0, *[255] * 6])
        of_cells = [[[other if blank == 1 else one]] for blank in range(9)]
        for algorithm, exchanged in product(_native.Algorithm, ([], of_cells)):
            misleading = _native.Estimate(3, 3, GOAL, ["pdb"], "max", [([[one]], exchanged)])
            stores = algorithm == _native.Algorithm.ASTAR_IDASTAR  # always with words left out
            words = {"automaton": automaton, "nodes": 100} if stores else {}
            run(algorithm=algorithm, estimate=misleading, **words)


def everything_is_covered() -> bool:
    public = {
        name
        for name, value in vars(_native).items()
        if callable(value) and not name.startswith("_")
    }
    apart = {"Algorithm", "Ended", "Loop", "NoThreads", "SpreadTables"}
    return public - apart <= {name.split()[0].split(".")[0] for name in WRONG}


def main() -> None:
    if not everything_is_covered():
        print("a function of the module is not covered here")
    for name in WRONG:
        print(f"at {name}", file=sys.stderr, flush=True)
        throw(name)
    throw_at_objects()
    throw_many_at_once(random.Random(1))
    print("survived")


if __name__ == "__main__":
    main()
