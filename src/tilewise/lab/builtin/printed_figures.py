"""Figures that four reports on course programs and a textbook print, as data, beside our own.

The source stands at each constant. They are quoted, never computed.
"""

from __future__ import annotations

DEPTHS = tuple(range(2, 25, 2))
SERIES = ("A* h1", "A* h2", "beam 100", "beam 10")

NODES: dict[str, tuple[int, ...]] = {
    "A* h1": (6, 12, 24, 44, 101, 238, 580, 1276, 2814, 5210),
    "A* h2": (6, 12, 19, 29, 45, 80, 144, 276, 435, 688, 1072, 1544),
    "beam 100": (13, 47, 162, 421, 678, 976, 1236, 1459, 1735),
    "beam 10": (13, 39, 70, 101, 155, 236, 427, 615, 603),
}
"""Koehrsen's EECS 391 report (2017): mean nodes generated at depth 2, 4, 6, ..."""

FACTORS: dict[str, tuple[float, ...]] = {
    "A* h1": (2, 1.49, 1.42, 1.38, 1.41, 1.43, 1.45, 1.45, 1.46, 1.45),
    "A* h2": (2, 1.49, 1.34, 1.28, 1.26, 1.27, 1.28, 1.30, 1.29, 1.29, 1.32, 1.35),
    "beam 100": (3.14, 2.29, 2.10, 1.95, 1.77, 1.64, 1.54, 1.47, 1.41),
    "beam 10": (3.14, 2.17, 1.79, 1.58, 1.48, 1.43, 1.41, 1.38, 1.32),
}
"""Koehrsen's EECS 391 report (2017): effective branching factors at depth 2, 4, 6, ..."""

QUEUE_BOARDS = {
    "120 453 786": 2,
    "012 453 786": 4,
    "703 215 846": 11,
    "751 230 846": 15,
    "871 602 543": 22,
    "862 734 501": 27,
}
"""The boards of Grigsby's CS170 report, and the steps to the goal with its blank last."""

QUEUES: dict[str, tuple[tuple[int, int], ...]] = {
    "uniform cost": (
        (3, 4),
        (28, 18),
        (1739, 1158),
        (13214, 9168),
        (580368, 455874),
        (7382676, 5596218),
    ),
    "misplaced": ((2, 3), (4, 4), (60, 47), (352, 259), (11123, 8116), (161113, 117753)),
    "manhattan": ((2, 3), (4, 4), (17, 17), (52, 39), (370, 255), (8434, 5636)),
}
"""Grigsby's CS170 report: nodes expanded and maximum size of the queue, board by board."""

HARD_BOARD = "482 713 b56"
"""The board of Saifudeen's second version, randomised 10,000 times."""
H1_NODES_ON_HARD_BOARD = 9879
"""Saifudeen's second version: the nodes of A* h1, at maxNodes 10,000."""
SUCCESS_AT_250 = {"A* h1": 0.25, "A* h2": 0.60}
"""Saifudeen's second version: share of boards solved at maxNodes 250."""

BOOK_DEPTHS = tuple(range(2, 29, 2))
BOOK_NODES: dict[str, dict[int, int]] = {
    "BFS": dict(
        zip(
            range(6, 29, 2),
            (128, 368, 1033, 2672, 6783, 17270, 41558, 91493, 175921, 290082, 395355, 463234),
            strict=True,
        )
    ),
    "A* h1": dict(
        zip(
            range(6, 29, 2),
            (24, 48, 116, 279, 678, 1683, 4102, 9905, 22955, 53039, 110372, 202565),
            strict=True,
        )
    ),
    "A* h2": dict(
        zip(
            range(6, 29, 2),
            (19, 31, 48, 84, 174, 364, 751, 1318, 2548, 5733, 10080, 22055),
            strict=True,
        )
    ),
}
"""Russell and Norvig, fourth edition (2020), Figure 3.26, page 117: nodes generated at depth 6 to
28, means over 100 puzzles each."""

BOOK_FACTORS: dict[str, dict[int, float]] = {
    "BFS": dict(
        zip(
            range(6, 29, 2),
            (2.01, 1.91, 1.85, 1.80, 1.77, 1.74, 1.72, 1.69, 1.66, 1.62, 1.58, 1.53),
            strict=True,
        )
    ),
    "A* h1": dict(
        zip(
            range(6, 29, 2),
            (1.42, 1.40, 1.43, 1.45, 1.47, 1.48, 1.49, 1.50, 1.50, 1.50, 1.50, 1.49),
            strict=True,
        )
    ),
    "A* h2": dict(
        zip(
            range(6, 29, 2),
            (1.34, 1.30, 1.27, 1.28, 1.31, 1.32, 1.34, 1.34, 1.34, 1.36, 1.35, 1.36),
            strict=True,
        )
    ),
}
"""The same figure: effective branching factors."""

EARLIER_NODES: dict[str, dict[int, int]] = {
    "IDS": {2: 10, 4: 112, 8: 6384, 12: 364404, 14: 3473941},
    "A* h1": dict(
        zip(
            range(2, 25, 2),
            (6, 13, 20, 39, 93, 227, 539, 1301, 3056, 7276, 18094, 39135),
            strict=True,
        )
    ),
    "A* h2": dict(
        zip(
            range(2, 25, 2),
            (6, 12, 18, 25, 39, 73, 113, 211, 363, 676, 1219, 1641),
            strict=True,
        )
    ),
}
"""Russell and Norvig, second edition (2003), Figure 4.8, and third (2010), Figure 3.29: nodes
generated, means over 100 puzzles each, as course material quotes them; of iterative deepening only
the depths that were found there."""
