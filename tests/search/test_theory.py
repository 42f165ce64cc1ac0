"""What the papers prove about their searches, shown by counters on graphs that are small."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import pairwise
from math import log2
from zlib import crc32

import pytest

import tilewise as tw
from tests.oracles.puzzle import FIRST_OF_8, Tiles, by_depth, distances, neighbours, sample
from tilewise import Board, Goal, Heuristic, Limits, Result, Status
from tilewise.core.events import Kind
from tilewise.core.limits import Meter
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.registry import ALGORITHMS
from tilewise.core.rules import Rules
from tilewise.errors import SpecError, TilewiseError

solve = partial(tw.solve, engine="python")
SMALL = Goal.blank_first(2, 3)


def small_boards(step: int, least: int = 0) -> list[tuple[int, Board]]:
    """Boards of 2x3 with their depths."""
    layers = list(enumerate(by_depth(SMALL)))[least:]
    return [(depth, board) for depth, layer in layers for board in layer[::step]]


def inconsistent(goal: Goal) -> Heuristic:
    """The distance on some states and 0 on the others."""
    distance = distances(goal)
    return Heuristic(
        "some",
        goal,
        lambda tiles: 0 if crc32(bytes(tiles)) % 4 else distance[tiles],
        admissible=True,
        consistent=False,
    )


# ---- bidirectional: MM and NBS


def smallest_cover(edges: dict[int, set[int]]) -> int:
    """Nodes of a minimal vertex cover of a bipartite graph: as many as a largest matching has."""
    partner: dict[int, int] = {}

    def find(left: int, tried: set[int]) -> bool:
        for right in edges[left] - tried:
            tried.add(right)
            if right not in partner or find(partner[right], tried):
                partner[right] = left
                return True
        return False

    return sum(find(left, set()) for left in list(edges))


def must_expand(board: Board, heuristic: str, cost: int) -> int:
    """The fewest nodes that any search with this knowledge must expand below the cost.

    Of every pair of states, one from each end, whose paths could be joined below the cost, one
    must be expanded (Eckerle and others 2017).
    """
    to_goal = build_heuristic(heuristic, SMALL).estimate
    to_start = build_heuristic(heuristic, Goal(board)).estimate
    forward, back = distances(Goal(board)), distances(SMALL)
    near = [(g, g + to_goal(tiles)) for tiles, g in forward.items()]
    far = [(g, g + to_start(tiles)) for tiles, g in back.items()]
    edges: dict[int, set[int]] = defaultdict(set)
    for i, (g, f) in enumerate(near):
        for j, (other_g, other_f) in enumerate(far):
            if max(f, other_f, g + other_g + 1) < cost:
                edges[i].add(j)
    return smallest_cover(edges)


@pytest.mark.parametrize("heuristic", ["manhattan", pytest.param("zero", marks=pytest.mark.full)])
def test_nbs_expands_at_most_twice_the_smallest_vertex_cover(heuristic: str) -> None:
    covers, beyond = [], 0
    for depth, board in small_boards(30, least=3):
        cover = must_expand(board, heuristic, depth)
        found = solve(board, goal=SMALL, algorithm="nbs", heuristic=heuristic)
        below = found.stats.expanded_below_cost
        assert found.cost == depth and below is not None
        assert below <= 2 * cover
        # what any other search expands below the cost is a cover, too
        for other in ("astar", "mm"):
            result = solve(board, goal=SMALL, algorithm=other, heuristic=heuristic)
            assert (result.stats.expanded_below_cost or 0) >= cover
            beyond += (result.stats.expanded_below_cost or 0) > 2 * cover
        covers.append(cover)
    assert max(covers) > 10 and beyond  # others do exceed what NBS keeps to


@pytest.mark.parametrize("heuristic", ["manhattan", "misplaced", "zero"])
def test_mm_expands_nothing_beyond_the_middle(heuristic: str) -> None:
    deepest = 0
    boards = [(depth, sample(FIRST_OF_8, depth, 1)[0], FIRST_OF_8) for depth in (6, 11, 16)]
    boards += [(depth, board, SMALL) for depth, board in small_boards(40)]
    for depth, board, goal in boards:
        trace = tw.trace(board, goal=goal, algorithm="mm", heuristic=heuristic, events=10**9)
        expanded = [event.g for event in trace if event.kind is Kind.EXPAND]
        assert trace.result.cost == depth
        assert all(2 * g < depth or depth == 0 for g in expanded)
        deepest = max([deepest, *expanded])
    assert deepest > 5


def test_a_perimeter_leaves_fewer_states_to_the_search_from_the_start() -> None:
    board, counts = sample(FIRST_OF_8, 20, 1)[0], []
    for depth in (1, 5, 10, 12):
        spec = f"perimeter(depth={depth})"
        trace = tw.trace(board, goal="first", algorithm=spec, heuristic="misplaced", events=10**9)
        assert trace.result.cost == 20
        counts.append(sum(e.kind is Kind.EXPAND and e.h > 0 for e in trace))
    assert counts == sorted(counts, reverse=True) and counts[-1] < counts[0] / 2


# ---- memory: frontier search, SMA*, PEA*, EPEA*, tables


def layer_sizes(board: Board, deepest: int) -> list[int]:
    sizes = [0] * (deepest + 1)
    for depth in distances(Goal(board), deepest).values():
        sizes[depth] += 1
    return sizes


def test_frontier_search_holds_two_layers_and_finds_the_depths_of_breadth_first_search() -> None:
    boards = [(depth, board) for depth, board in small_boards(25)]
    boards += [(depth, sample(FIRST_OF_8, depth, 1)[0]) for depth in (5, 10, 15)]
    for depth, board in boards:
        goal = SMALL if board.rows == 2 else FIRST_OF_8
        found = solve(board, goal=goal, algorithm="frontier_search")
        plain = solve(board, goal=goal, algorithm="bfs")
        assert found.cost == plain.cost == depth and found.optimal
        pairs = [a + b for a, b in pairwise(layer_sizes(board, depth))]
        assert found.stats.peak_stored <= max([1, *pairs])
        assert depth < 8 or found.stats.peak_stored < plain.stats.peak_stored
        # no state of the layer before is made again, so all duplicates are within a layer
        assert found.stats.generated <= plain.stats.generated * (1 + log2(depth + 1))


@pytest.mark.parametrize("spare", [1, *(pytest.param(n, marks=pytest.mark.full) for n in (2, 10))])
def test_smastar_finds_the_shortest_solution_in_the_memory_of_its_path(spare: int) -> None:
    full = 0
    for depth, board in small_boards(20):
        result = solve(board, goal=SMALL, algorithm=f"smastar(nodes={depth + spare})")
        assert result.optimal and result.cost == depth
        assert result.stats.peak_stored <= depth + spare
        full += result.stats.peak_stored == depth + spare
        if depth:
            short = solve(board, goal=SMALL, algorithm=f"smastar(nodes={depth})")
            assert short.status is Status.STUCK and short.stats.peak_stored <= depth
    assert full > 5


def test_smastar_with_enough_memory_forgets_nothing() -> None:
    for depth, board in small_boards(20):
        result = solve(board, goal=SMALL, algorithm="smastar(nodes=100000)")
        assert result.cost == depth and result.stats.peak_stored == result.stats.generated + 1


def test_partial_expansion_stores_only_nodes_within_the_optimal_cost() -> None:
    for depth in (16, 21, 24):
        board = sample(FIRST_OF_8, depth, 1)[0]
        astar = solve(board, goal="first", algorithm="astar", heuristic="manhattan")
        for spec, heuristic in (("peastar", "manhattan"), ("epeastar", None)):
            trace = tw.trace(board, goal="first", algorithm=spec, heuristic=heuristic, events=10**9)
            assert trace.result.cost == depth
            assert trace.result.stats.peak_stored < astar.stats.peak_stored
            if spec == "epeastar":  # what is above the cost is not even made
                made = [event for event in trace if event.kind is Kind.GENERATE]
                assert all(event.g + event.h <= depth for event in made)
        with_room = solve(board, goal="first", algorithm="peastar(cutoff=2)", heuristic="manhattan")
        assert with_room.stats.generated == astar.stats.generated


@pytest.mark.parametrize("algorithm", ["idastar_tt", "astar_idastar"])
def test_more_memory_saves_nodes_and_is_never_exceeded(algorithm: str) -> None:
    board = sample(FIRST_OF_8, 26, 1)[0]
    counts = []
    for nodes in (1, 50, 1000, 100_000):
        result = solve(
            board, goal="first", algorithm=f"{algorithm}(nodes={nodes})", heuristic="manhattan"
        )
        assert result.cost == 26 and result.optimal
        assert result.stats.peak_stored <= nodes + 26 + 1  # and the current path
        counts.append(result.stats.generated)
    assert counts[-1] < counts[0]
    plain = solve(board, goal="first", algorithm="idastar", heuristic="manhattan")
    assert counts[0] == plain.stats.generated


# ---- IBEX: a logarithm


def within(board: Board, goal: Goal, h: Heuristic, cost: int) -> int:
    """States that are reached by paths on which f is nowhere above the cost."""
    g_of: dict[Tiles, int] = {board.tiles: 0}
    for tiles in (queue := [board.tiles]):
        for _, made in neighbours(tiles, board.columns):
            g = g_of[tiles] + 1
            if made not in g_of and g + h.estimate(made) <= cost:
                g_of[made] = g
                queue.append(made)
    return len(queue)


def test_budgeted_graph_search_expands_at_most_a_logarithm_more_than_a_star_may() -> None:
    h, most = inconsistent(SMALL), 0.0
    for depth, board in small_boards(10, least=2):
        result = solve(board, goal=SMALL, algorithm="bgs", heuristic=h)
        states = within(board, SMALL, h, depth)
        assert result.cost == depth
        assert result.stats.expanded <= 2 * (log2(depth) + 1) * states
        most = max(most, result.stats.expanded / states)
    assert most > 1


class Corridor:
    """A puzzle whose states lie in a line, so that every pass of IDA* adds one of them."""

    def __init__(self, length: int) -> None:
        self.start, self.goal = (0,), (length,)

    def successors(self, state: tuple[int], last: str = "") -> list[tuple[str, tuple[int]]]:
        (at,) = state
        steps = [("L", at - 1, "R"), ("R", at + 1, "L")]
        return [
            (move, (to,)) for move, to, back in steps if 0 <= to <= self.goal[0] and last != back
        ]


@pytest.mark.parametrize("algorithm", ["bgs", "bts", "idastar"])
@pytest.mark.parametrize("length", [30, 100, 300])
def test_budgeted_searches_expand_a_logarithm_more_where_ida_star_expands_the_square(
    algorithm: str, length: int
) -> None:
    search, meter = ALGORITHMS[algorithm].search, Meter(Limits(), 9)
    found = search(Corridor(length), lambda state: 0, meter, Rules(), None)
    assert found.moves == "R" * length
    by_a_star = length
    most = 2 * by_a_star * log2(length)
    assert (found.stats.expanded <= most) == (algorithm != "idastar")


def test_budgeted_tree_search_takes_fewer_passes_than_ida_star_where_those_grow_slowly() -> None:
    passes: list[tuple[int, int]] = []
    for depth, board in small_boards(10, least=12):
        budgeted = solve(board, goal=SMALL, algorithm="bts", heuristic="zero")
        plain = solve(board, goal=SMALL, algorithm="idastar", heuristic="zero")
        assert budgeted.cost == plain.cost == depth
        assert budgeted.stats.expanded <= 4 * (log2(depth) + 1) * plain.stats.expanded
        passes.append((budgeted.stats.iterations, plain.stats.iterations))
    assert any(few != many for few, many in passes)


# ---- textbook


def test_iterative_lengthening_is_iterative_deepening_where_all_moves_cost_one() -> None:
    for _, board in small_boards(60):
        one, two = (
            tw.trace(board, goal=SMALL, algorithm=name, events=0)
            for name in ("iterative_lengthening", "ids")
        )
        assert (one.digest, one.result.moves) == (two.digest, two.result.moves)


def test_depth_limited_search_finds_what_is_within_its_depth_and_proves_the_rest() -> None:
    for depth, board in small_boards(30, least=1):
        found = solve(board, goal=SMALL, algorithm=f"depth_limited(depth={depth})")
        assert found.cost == depth
        stuck = solve(board, goal=SMALL, algorithm=f"depth_limited(depth={max(1, depth - 1)})")
        if depth > 1:
            assert stuck.status is Status.STUCK and stuck.bound == depth


def test_trials_of_lrtastar_come_to_a_shortest_solution_and_prove_it() -> None:
    for depth, board in small_boards(15):
        result = solve(board, goal=SMALL, algorithm="lrtastar(trials=10000)")
        assert result.cost == depth and result.optimal
        first = solve(board, goal=SMALL, algorithm="lrtastar")
        assert first.solved and first.bound is not None and first.bound <= depth
        assert first.stats.generated <= result.stats.generated


def climbed(spec: str, heuristic: str = "misplaced") -> tuple[int, int]:
    """Boards solved, and all nodes generated, of some boards of 2x3."""
    results = [
        solve(board, goal=SMALL, algorithm=spec, heuristic=heuristic)
        for _, board in small_boards(15)
    ]
    assert all(result.status in (Status.SOLVED, Status.STUCK) for result in results)
    return sum(r.solved for r in results), sum(r.stats.generated for r in results)


def test_sideways_moves_and_restarts_solve_more_boards() -> None:
    alone, nodes = climbed("climbing(climbs=1)")
    sideways, _ = climbed("climbing(climbs=1, sideways=10)")
    again, more_nodes = climbed("climbing(climbs=1000)")
    assert 0 < alone < sideways < again
    assert nodes < more_nodes


def test_the_variants_of_climbing_differ_and_the_first_choice_makes_fewer_nodes() -> None:
    counts = {
        choice: climbed(
            f"climbing(choice={choice}, climbs=20, sideways=5)", "sum(misplaced, manhattan)"
        )
        for choice in ("steepest", "first", "stochastic")
    }
    assert len(set(counts.values())) == 3
    first, steepest = climbed("climbing(choice=first, climbs=1)"), climbed("climbing(climbs=1)")
    assert first[1] < steepest[1]
    with pytest.raises(SpecError, match="steepest, first, stochastic for choice, got 'best'"):
        solve("1b2 345 678", algorithm="climbing(choice=best)")
    with pytest.raises(SpecError, match="or 0 for sideways of climbing, got 'few'"):
        solve("1b2 345 678", algorithm="climbing(sideways=few)")


@pytest.mark.parametrize("algorithm", ["climbing", "annealing", "stochastic_beam"])
def test_a_random_search_is_the_same_for_the_same_seed_and_differs_for_another(
    algorithm: str,
) -> None:
    board = sample(FIRST_OF_8, 14, 5)[2]
    options = "width=5, " if algorithm == "stochastic_beam" else ""

    def run(seed: int) -> Result:
        return solve(board, goal="first", algorithm=f"{algorithm}({options}seed={seed})")

    one, again = run(1), run(1)
    assert (one.moves, one.stats.generated) == (again.moves, again.stats.generated)
    assert len({run(seed).stats.generated for seed in range(1, 6)}) > 1


# ---- bounded and anytime


@pytest.mark.parametrize("width", [1, 2, 7])
def test_beam_stack_search_of_any_width_ends_with_a_shortest_solution(width: int) -> None:
    for depth, board in small_boards(40):
        spec = f"beam_stack(width={width})"
        result = solve(board, goal=SMALL, algorithm=spec, heuristic="manhattan")
        assert result.cost == depth and result.optimal


def test_bulb_goes_on_where_a_beam_is_stuck() -> None:
    rescued = 0
    for _, board in small_boards(6):
        beam = solve(board, goal=SMALL, algorithm="beam(width=1)")
        bulb = solve(board, goal=SMALL, algorithm="bulb(width=1, nodes=60)")
        assert bulb.solved and bulb.stats.peak_stored <= 60
        rescued += not beam.solved
    assert rescued > 10
    deep = by_depth(SMALL)[-1][0]
    small = solve(deep, goal=SMALL, algorithm="bulb(width=1, nodes=5)")
    assert small.status is Status.STUCK


def test_the_weights_of_anytime_searches_lead_from_fast_to_short() -> None:
    board = sample(FIRST_OF_8, 28, 3)[1]
    for algorithm in ("arastar(weight=5)", "rwastar"):
        costs: list[int | None] = []
        result = solve(
            board,
            goal="first",
            algorithm=algorithm,
            improved=lambda incumbent, costs=costs: costs.append(incumbent.cost),  # type: ignore[misc]
        )
        assert result.optimal and result.cost == 28
        found = [cost for cost in costs if cost is not None]
        assert found[0] > found[-1] == 28 and found == sorted(found, reverse=True)


# ---- larger boards, with the native engine as the oracle

FOUND_ON = {"3x4": "2 0 6 7/1 9 4 8/5 10 3 11", "4x4": "1 6 11 2/5 0 10 3/9 8 15 4/13 14 12 7"}
BLIND = {"frontier_search", "iterative_lengthening", "bfs", "ucs", "ids", "bidirectional"}


@pytest.mark.parametrize("shape", list(FOUND_ON))
def test_optimal_searches_agree_on_larger_boards(shape: str) -> None:
    board, goal = Board.parse(FOUND_ON[shape]), "last"
    shortest = tw.solve(board, goal=goal, algorithm="idastar", heuristic="manhattan").cost
    assert shortest is not None and shortest > 8
    for name, entry in tw.core.registry.ALGORITHMS.items():
        if not entry.optimal or entry.combines or (name in BLIND and shortest > 14):
            continue
        heuristic = "manhattan" if entry.needs_heuristic else None
        result = solve(board, goal=goal, algorithm=name, heuristic=heuristic)
        assert (result.cost, result.optimal) == (shortest, True), name


def test_limits_of_memory_in_nodes_must_be_positive() -> None:
    with pytest.raises(TilewiseError, match="positive whole number for nodes of smastar"):
        solve("1b2 345 678", algorithm="smastar(nodes=0)", limits=Limits(generated=5))
