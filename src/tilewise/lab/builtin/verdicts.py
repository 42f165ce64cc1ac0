"""Verdicts on claims: each is computed from the rows of its runs, none is written by hand."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tilewise.lab.builtin.efficiency import follows, series_name
from tilewise.lab.builtin.printed_figures import (
    DEPTHS,
    FACTORS,
    H1_NODES_ON_HARD_BOARD,
    QUEUE_BOARDS,
    QUEUES,
    SERIES,
    SUCCESS_AT_250,
)
from tilewise.lab.builtin.scaling import fit
from tilewise.lab.reports.summary import Group, group_by, select
from tilewise.lab.row import Row

HOLDS, FAILS, PARTLY = "holds", "does not hold", "holds in part"
ENOUGH = 0.05
"""Shares that differ by less are taken as the same."""
LINEAR = 1.2
"""What grows with a power of at most this is called linear."""
FEW = (2, 5)
"""How many "a few" are."""


@dataclass(frozen=True)
class Verdict:
    """A word and the finding it rests on."""

    word: str
    finding: str


def _verdict(holds: bool, finding: str) -> Verdict:
    return Verdict(HOLDS if holds else FAILS, finding)


def _by_board(rows: Iterable[Row], *columns: str) -> list[dict[tuple[object, ...], Row]]:
    """For each instance its rows by the values of columns."""
    return [
        {tuple(row[column] for column in columns): row for row in group.rows}
        for group in group_by(rows, "instance").values()
    ]


def hill_climbing(rows: Sequence[Row]) -> Verdict:
    """Compare the beam of width 1 with the hill climbing of textbooks, which stops on a top."""
    beam = [row for row in rows if not row["measure"]]
    plain = [row for row in rows if row["measure"]]
    solved = len([row for row in beam if row["status"] == "solved"])
    climbed = sum(row["measured"]["solved"] for row in plain)
    finding = (
        f"of {len(beam)} boards up to 10 deep the beam solves {solved}, hill climbing that stops "
        f"where nothing is better solves {climbed}"
    )
    if solved == climbed:
        return Verdict(HOLDS, finding)
    return Verdict(PARTLY, f"{finding}: the beam also goes on to worse states, never back")


def unlimited_beam(rows: Sequence[Row]) -> Verdict:
    """Compare lengths and nodes of both."""
    boards = _by_board(rows, "algorithm")
    lengths = [{row["cost"] for row in board.values()} for board in boards]
    optimal = all(row["cost"] == row["depth"] for row in rows)
    same = sum(len(found) == 1 for found in lengths)
    nodes = sum(len({row["expanded"] for row in board.values()}) == 1 for board in boards)
    finding = (
        f"solutions are equally long on {same} of {len(boards)} boards"
        f"{', and shortest' if optimal else ''}; the nodes expanded are the same on {nodes}, since "
        "the beam finishes the layer in which the goal appears, bfs stops when it is taken"
    )
    return _verdict(same == len(boards) and optimal, finding)


def wider_beam(rows: Sequence[Row]) -> Verdict:
    """Shares solved by width, with room and below a limit."""
    shown, monotone = [], []
    for limit in sorted({row["max_nodes"] for row in rows}, reverse=True):
        groups = group_by(
            [row.with_labels(series=series_name(row)) for row in rows if row["max_nodes"] == limit],
            "series",
        )
        shares = {name: len(group.solved) / group.runs for (name,), group in groups.items()}
        monotone.append(all(a <= b for a, b in pairwise(shares.values())))
        figures = ", ".join(
            f"{name.split()[1]}: {100 * share:.0f} %" for name, share in shares.items()
        )
        shown.append(f"at {limit:,} nodes {figures}")
    finding = f"solved by width, {'; '.join(shown)}"
    return Verdict(HOLDS if all(monotone) else PARTLY if any(monotone) else FAILS, finding)


def h1_admissible(rows: Sequence[Row]) -> Verdict:
    """Every state of 3x3, with and without the blank."""
    found = rows[0]["measured"]
    finding = (
        f"with the blank counted, as the programs of EECS 391 do, it overestimates on "
        f"{found['blank_counted']:,} of {found['states']:,} states, by at most {found['worst']}; "
        f"with the blank left out on {found['blank_left_out']:,}"
    )
    if found["blank_counted"] == 0:
        return Verdict(HOLDS, finding)
    return Verdict(PARTLY if found["blank_left_out"] == 0 else FAILS, finding)


def always_optimal(rows: Sequence[Row]) -> Verdict:
    """Whether all solutions are as short as the true distance."""
    longer = [row for row in rows if row["cost"] != row["depth"]]
    finding = f"shortest on {len(rows) - len(longer)} of {len(rows)} boards"
    if longer:
        worst = longer[0]
        finding += f"; {worst['board']} takes {worst['cost']} moves instead of {worst['depth']}"
    return _verdict(not longer, finding)


def h2_better(rows: Sequence[Row]) -> Verdict:
    """Count the boards on which h2 makes fewer, as many, and more nodes."""
    fewer = equal = more = 0
    for board in _by_board(rows, "heuristic"):
        h1, h2 = board["h1",]["generated"], board["h2",]["generated"]
        fewer, equal, more = fewer + (h2 < h1), equal + (h2 == h1), more + (h2 > h1)
    finding = (
        f"on {fewer + equal + more} boards: fewer nodes on {fewer}, as many on {equal}, "
        f"more on {more}"
    )
    return Verdict(HOLDS if not more + equal else PARTLY, finding)


def h2_against_beam(rows: Sequence[Row]) -> Verdict:
    """Shares solved below the limit."""
    shares = {name: len(group.solved) / group.runs for (name,), group in _series(rows).items()}
    shown = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
    return _verdict(shares["A* h2"] > shares["beam 10"], f"boards solved at maxNodes 1000: {shown}")


def _series(rows: Sequence[Row]) -> dict[tuple[object, ...], Group]:
    return group_by([row.with_labels(series=series_name(row)) for row in rows], "series")


def walk_depth(rows: Sequence[Row]) -> Verdict:
    """Share of walks that are as deep as they are long."""
    shares = {
        walk: sum(row["depth"] == walk for row in group.rows) / group.runs
        for (walk,), group in group_by(rows, "walk").items()
    }
    last_true = max((walk for walk, share in shares.items() if share == 1), default=0)
    some = ", ".join(f"{walk}: {100 * share:.0f} %" for walk, share in shares.items() if share < 1)
    finding = (
        f"all walks of up to {last_true} moves do; of longer ones {some}" if some else "all do"
    )
    return _verdict(not some, finding)


def printed_factors(rows: Sequence[Row]) -> Verdict:
    """The root for every printed number of nodes."""
    cells = [(name, depth) for name in SERIES for depth in DEPTHS[: len(FACTORS[name])]]
    wrong = [f"{name} at {depth}" for name, depth in cells if not follows(name, depth)]
    finding = f"{len(cells) - len(wrong)} of {len(cells)} are"
    return _verdict(not wrong, f"{finding}; not: {', '.join(wrong)}" if wrong else finding)


def consistent_needed(rows: Sequence[Row]) -> Verdict:
    """Whether A* finds shortest solutions with a heuristic that is not consistent."""
    reopened = sum(row["reopened"] > 0 for row in rows)
    optimal = sum(row["cost"] == row["depth"] for row in rows)
    finding = (
        f"with {rows[0]['heuristic']}, which is admissible and not consistent, shortest on "
        f"{optimal} of {len(rows)} boards; states were re-opened on {reopened} of them. "
        "A consistent one never needs that"
    )
    return _verdict(optimal < len(rows), finding)


def power(points: Sequence[tuple[float, float]]) -> float:
    """The exponent of the power of x that fits y best."""
    found = fit([(math.log(x), y) for x, y in points])
    return math.log(found.growth) if found else math.nan


def linear_time(rows: Sequence[Row]) -> Verdict:
    """Count what lists that are scanned and sorted do for each node."""
    found = [row["measured"] for row in rows]
    exponent = power([(each["nodes"], each["steps"]) for each in found])
    by_depth = {
        depth: sum(row["measured"]["steps"] for row in group.rows)
        / sum(row["measured"]["nodes"] for row in group.rows)
        for (depth,), group in group_by(rows, "depth").items()
    }
    shown = ", ".join(f"{depth} deep {steps:,.0f}" for depth, steps in sorted(by_depth.items()))
    finding = (
        "with known nodes in a list that is scanned and an open list that is sorted for each "
        f"expansion, entries looked at for each node: {shown}; their number grows like the nodes "
        f"to the power {exponent:.1f}"
    )
    return _verdict(exponent <= LINEAR, finding)


def beam_exponential(rows: Sequence[Row]) -> Verdict:
    """The growth of nodes with the width."""
    means = {
        int(str(name).split()[1]): group.value("generated") or math.nan
        for (name,), group in _series(rows).items()
    }
    shown = ", ".join(f"{width}: {nodes:,.0f}" for width, nodes in means.items())
    exponent = power(list(means.items()))
    finding = f"mean nodes by width {shown}; they grow like k to the power {exponent:.1f}"
    return _verdict(exponent > LINEAR, finding)


def few_deviations(rows: Sequence[Row]) -> Verdict:
    """How much longer beams are, in standard deviations of the lengths of A*."""
    lengths = {
        str(name): [row["cost"] for row in group.solved] for (name,), group in _series(rows).items()
    }
    shortest = lengths.pop("A* h2")
    mean, deviation = statistics.fmean(shortest), statistics.stdev(shortest)
    longer = {name: (statistics.fmean(found) - mean) / deviation for name, found in lengths.items()}
    shown = "; ".join(
        f"{name} {statistics.fmean(lengths[name]):.1f}, which is {times:.1f} of these more"
        for name, times in longer.items()
    )
    finding = f"A* {mean:.1f} moves on average, standard deviation {deviation:.1f}; {shown}"
    few = [FEW[0] <= times <= FEW[1] for times in longer.values()]
    return Verdict(HOLDS if all(few) else PARTLY if any(few) else FAILS, finding)


def set_membership(rows: Sequence[Row]) -> Verdict:
    """States compared to find one among those that are known."""
    groups = group_by(rows, "depth")
    compared = {
        depth: [
            sum(row["measured"][how] for row in group.rows)
            / sum(row["measured"]["looked_up"] for row in group.rows)
            for how in ("list", "set")
        ]
        for (depth,), group in groups.items()
    }
    shown = ", ".join(
        f"{depth} deep {by_list:,.1f} and {by_set:.1f}"
        for depth, (by_list, by_set) in sorted(compared.items())
    )
    finding = f"states compared for each look-up, by a list and by a set: {shown}"
    return _verdict(all(by_set < by_list for by_list, by_set in compared.values()), finding)


def none_solves(rows: Sequence[Row]) -> Verdict:
    """Name the searches that solve it."""
    solved = [f"{series_name(row)} with {row['generated']:,}" for row in rows if row["cost"]]
    return _verdict(not solved, f"{', '.join(solved)} nodes" if solved else "none does")


def h1_at_10000(rows: Sequence[Row]) -> Verdict:
    """The nodes it needs, and whether they are those printed."""
    below = select(rows, max_nodes=10_000).rows[0]
    above = max(rows, key=lambda row: int(row["max_nodes"]))
    outcome = f"at 10,000 it ends with: {below['status']}"
    return _verdict(
        below["generated"] == H1_NODES_ON_HARD_BOARD and below["status"] == "solved",
        f"{outcome}; it needs {above['generated']:,} nodes",
    )


def crossing(shares: Sequence[tuple[float, float]], wanted: float) -> float | None:
    """The second share where the first falls through the one wanted, between two neighbours."""
    for (a, x), (b, y) in pairwise(shares):
        if a >= wanted >= b and a > b:
            return x + (a - wanted) / (a - b) * (y - x)
    return None


def success_at_250(rows: Sequence[Row]) -> Verdict:
    """Where h2 solves its share, what does h1 solve?"""
    groups = group_by([row.with_labels(series=series_name(row)) for row in rows], "walk", "series")
    walks = sorted({walk for walk, _ in groups})
    pairs = []
    for walk in walks:
        h1, h2 = (groups[walk, name] for name in SUCCESS_AT_250)
        pairs.append((len(h2.solved) / h2.runs, len(h1.solved) / h1.runs))
    claimed_h1, claimed_h2 = SUCCESS_AT_250.values()
    found = crossing(pairs, claimed_h2)
    if found is None:
        return Verdict(FAILS, f"at no walk length does h2 solve {100 * claimed_h2:.0f} %")
    finding = f"where h2 solves {100 * claimed_h2:.0f} %, h1 solves {100 * found:.0f} %"
    return _verdict(abs(found - claimed_h1) < ENOUGH, finding)


def queue_figures(rows: Sequence[Row]) -> Verdict:
    """Compare every printed pair of figures."""
    places = list(QUEUE_BOARDS.values())
    wrong = []
    for row in rows:
        name = "uniform cost" if row["algorithm"] == "ucs" else row["heuristic"]
        printed = QUEUES[name][places.index(row["depth"])]
        if (row["expanded"], row["max_frontier"]) != printed:
            wrong.append(f"{name} at {row['depth']}")
    finding = f"{len(rows) - len(wrong)} of {len(rows)} pairs are reproduced to the node"
    return _verdict(not wrong, f"{finding}; not: {', '.join(wrong)}" if wrong else finding)


def queue_order(rows: Sequence[Row]) -> Verdict:
    """Whether the three searches come in this order on every board."""
    strictly = ties = 0
    boards = _by_board(rows, "heuristic")
    for board in boards:
        counts = [board[name,]["expanded"] for name in ("manhattan", "misplaced", None)]
        strictly += counts[0] < counts[1] < counts[2]
        ties += counts == sorted(counts)
    finding = f"strictly on {strictly} of {len(boards)} boards, with ties on {ties}"
    word = HOLDS if strictly == len(boards) else PARTLY if ties == len(boards) else FAILS
    return Verdict(word, finding)
