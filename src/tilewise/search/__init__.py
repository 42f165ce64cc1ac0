"""The searches, one short file each. Importing this package registers all of them."""

from __future__ import annotations

from tilewise.search import (
    astar,
    beam,
    bfs,
    bidirectional,
    dfs,
    greedy,
    human,
    idastar,
    ids,
    rbfs,
    ucs,
    wastar,
)

__all__ = [
    "astar",
    "beam",
    "bfs",
    "bidirectional",
    "dfs",
    "greedy",
    "human",
    "idastar",
    "ids",
    "rbfs",
    "ucs",
    "wastar",
]
