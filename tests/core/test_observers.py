"""Observers: the events agree with the counters, and the digest is what its definition says."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

import tilewise as tw
from tests.conftest import SEARCHES
from tests.oracles.puzzle import FIRST_OF_8, Tiles, distances, sample, slide
from tilewise import Board, Goal, Heuristic, Limits, Status, TilewiseError
from tilewise.core.algorithm_facts import FrontierKind
from tilewise.core.events import Event, Kind, Recorder
from tilewise.core.registry import ALGORITHMS
from tilewise.tracing import Trace

ALL_EVENTS = 10**9
TREES = {name for name, entry in ALGORITHMS.items() if entry.tree}
BLIND_TREES = {name for name in TREES if not ALGORITHMS[name].needs_heuristic}
TWO_SIDED = {
    name for name, entry in ALGORITHMS.items() if entry.frontier.kind is FrontierKind.TWO_SIDED
}
SPECS = {"depth_limited": "depth_limited(depth=12)"}
"""A search whose events would be very many."""
KIND_CODES = [
    "start",
    "expand",
    "generate",
    "duplicate",
    "reopen",
    "stale",
    "bound",
    "goal",
    "stop",
]


def modest(algorithm: str) -> Board:
    """A board whose search is short enough to look at every event."""
    if algorithm == "dfs":
        return sample(Goal.blank_first(2, 3), 15, 1)[0]
    return sample(FIRST_OF_8, 8 if algorithm in BLIND_TREES else 11, 3)[2]


def traced(
    algorithm: str,
    board: Board | None = None,
    *,
    keep: int = ALL_EVENTS,
    heuristic: str | Heuristic | None = None,
    rules: str | None = None,
    limits: Limits | None = None,
) -> Trace:
    """The events of a search of the Python engine, which are the specification."""
    board = board or modest(algorithm)
    recorder = Recorder(keep, board.rows, board.columns)
    result = tw.solve(
        board,
        goal="first",
        algorithm=SPECS.get(algorithm, algorithm),
        heuristic=heuristic,
        rules=rules,
        limits=limits,
        engine="python",
        observer=recorder,
    )
    return Trace(tuple(recorder.events), recorder.count, recorder.digest, result)


def inconsistent(goal: Goal) -> Heuristic:
    """The distance on some states and 0 on the others, so that states are re-opened."""
    distance = distances(goal)

    def estimate(tiles: Tiles) -> int:
        return distance[tiles] if tiles[1] == 3 or tiles == goal.board.tiles else 0

    return Heuristic("some", goal, estimate, admissible=True, consistent=False)


def fnv1a(data: bytes, digest: int = 0xCBF29CE484222325) -> int:
    for byte in data:
        digest = ((digest ^ byte) * 0x100000001B3) % 2**64
    return digest


def as_bytes(event: Event) -> bytes:
    """seq, kind, node, parent, move, g, h, the two parts of the key, the tiles."""
    move = "UDLR".index(event.move) if event.move else 255
    fields = [(event.seq, 8), (KIND_CODES.index(event.kind), 1), (event.node, 8), (event.parent, 8)]
    fields += [(move, 1), (event.g, 4), (event.h, 4), (event.key[0], 8), (event.key[1], 8)]
    packed = b"".join((value % 256**width).to_bytes(width, "little") for value, width in fields)
    return packed + bytes(event.board.tiles)


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_the_events_of_a_search_add_up_to_its_counters(algorithm: str) -> None:
    trace = traced(algorithm)
    stats, kinds = trace.result.stats, Counter(event.kind for event in trace)
    made = kinds[Kind.GENERATE] + kinds[Kind.REOPEN]
    assert trace.result.solved
    assert kinds[Kind.EXPAND] == stats.expanded
    assert made + kinds[Kind.DUPLICATE] == stats.generated
    assert kinds[Kind.DUPLICATE] == stats.duplicates
    assert kinds[Kind.REOPEN] == stats.reopened
    assert (kinds[Kind.GOAL], kinds[Kind.STOP]) == (1, 1)
    if algorithm not in TREES | {"human"}:
        assert made == stats.stored
    if kinds[Kind.BOUND]:
        assert kinds[Kind.BOUND] == stats.iterations


@pytest.mark.parametrize("algorithm", sorted(SEARCHES - TREES))
def test_the_deepest_node_that_was_made_is_the_greatest_depth(algorithm: str) -> None:
    trace = traced(algorithm)
    made = [event.g for event in trace if event.kind in (Kind.GENERATE, Kind.REOPEN)]
    assert trace.result.stats.max_depth == max(made)


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_events_are_numbered_and_lie_between_a_start_and_a_stop(algorithm: str) -> None:
    trace = traced(algorithm)
    assert [event.seq for event in trace] == list(range(trace.count))
    assert trace.events[0].kind is Kind.START and trace.events[-1].kind is Kind.STOP
    assert trace.events[0].board == trace.result.board
    assert trace.events[-2].kind is Kind.GOAL


@pytest.mark.parametrize("algorithm", sorted(SEARCHES - TWO_SIDED))
def test_each_new_node_is_one_move_from_the_board_of_its_parent(algorithm: str) -> None:
    trace = traced(algorithm)
    boards = {0: trace.result.board}
    depths = {0: 0}
    for event in trace:
        if event.kind in (Kind.GENERATE, Kind.REOPEN):
            assert event.node not in boards and event.parent in boards
            boards[event.node], depths[event.node] = event.board, event.g
        if event.kind in (Kind.GENERATE, Kind.REOPEN, Kind.DUPLICATE):
            parent = boards[event.parent]
            assert slide(parent.tiles, parent.columns, event.move) == event.board.tiles
            assert event.g == depths[event.parent] + 1
        if event.kind in (Kind.EXPAND, Kind.DUPLICATE, Kind.GOAL):
            assert boards[event.node] == event.board
    assert trace.events[-2].board == trace.result.goal.board
    assert trace.events[-2].g == trace.result.cost


def test_astar_takes_nodes_in_the_order_of_f_with_the_smaller_h_first_among_equals() -> None:
    trace = traced("astar", heuristic="manhattan")
    h = tw.make_heuristic("manhattan", FIRST_OF_8)
    expanded = [event for event in trace if event.kind is Kind.EXPAND]
    assert len(expanded) > 10
    assert all(event.h == h(event.board) for event in trace)
    assert all(event.key == (event.g + event.h, event.h) for event in expanded)
    assert all(before.key[0] <= after.key[0] for before, after in pairwise(expanded))


def test_reopened_states_show_in_the_events() -> None:
    goal, seen = Goal.blank_first(2, 3), 0
    for tiles in list(distances(goal))[::12]:
        trace = traced("astar", Board(2, 3, tiles), heuristic=inconsistent(goal))
        kinds, stats = Counter(event.kind for event in trace), trace.result.stats
        assert kinds[Kind.REOPEN] == stats.reopened
        assert kinds[Kind.GENERATE] + kinds[Kind.REOPEN] == stats.stored
        assert stats.stored + stats.duplicates == stats.generated
        expanded = [event.board for event in trace if event.kind is Kind.EXPAND]
        assert len(expanded) - len(set(expanded)) <= stats.reopened
        seen += stats.reopened
    assert seen > 0


def test_a_stale_entry_is_one_whose_state_was_taken_before_with_a_shorter_path() -> None:
    stale = 0
    for board in sample(FIRST_OF_8, 24, 3):
        best: dict[Board, int] = {}
        for event in traced("astar", board, heuristic="manhattan"):
            if event.kind is Kind.EXPAND:
                best[event.board] = event.g
            elif event.kind is Kind.STALE:
                assert best[event.board] < event.g
                stale += 1
    assert stale > 0


@pytest.mark.parametrize("algorithm", ["idastar", "ids"])
def test_each_pass_announces_a_greater_bound(algorithm: str) -> None:
    trace = traced(algorithm)
    bounds = [event.key[0] for event in trace if event.kind is Kind.BOUND]
    assert bounds[-1] == trace.result.cost and sorted(set(bounds)) == bounds
    assert len(bounds) == trace.result.stats.iterations > 1


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_a_search_that_stops_at_a_limit_ends_with_a_stop_and_no_goal(algorithm: str) -> None:
    trace = traced(algorithm, limits=Limits(generated=3))
    assert trace.result.status is Status.LIMIT
    assert trace.events[-1].kind is Kind.STOP
    assert Kind.GOAL not in {event.kind for event in trace}
    assert sum(event.kind in KIND_CODES[2:5] for event in trace) == 3


@pytest.mark.parametrize(
    ("text", "digest"),
    [(b"", 0xCBF29CE484222325), (b"a", 0xAF63DC4C8601EC8C), (b"foobar", 0x85944171F73967E8)],
)
def test_the_digest_function_of_this_file_is_fnv_1a(text: bytes, digest: int) -> None:
    assert fnv1a(text) == digest


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_the_digest_is_fnv_1a_over_the_fields_of_all_events(algorithm: str) -> None:
    trace = traced(algorithm)
    assert trace.digest == fnv1a(b"".join(map(as_bytes, trace)))
    assert trace.digest != fnv1a(b"".join(map(as_bytes, trace.events[:-1])))


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_the_digest_is_that_of_all_events_however_few_are_kept(algorithm: str) -> None:
    whole = traced(algorithm)
    for keep in (0, 7):
        part = traced(algorithm, keep=keep)
        assert len(part) == keep and part.events == whole.events[:keep]
        assert (part.digest, part.count) == (whole.digest, whole.count)


def test_different_searches_have_different_digests() -> None:
    board = sample(FIRST_OF_8, 12, 3)[1]
    digests = {}
    # every move costs 1, so iterative lengthening is iterative deepening; the others do on a board
    # as easy as this what their relatives do
    alike = {"iterative_lengthening", "bts", "idastar_tt", "astar_idastar", "rwastar", "epeastar"}
    for algorithm in sorted(SEARCHES - {"dfs", "human"} - alike):
        for order in ("UDLR", "UDRL", "RLDU"):
            digests[algorithm, order] = traced(algorithm, board, rules=f"order={order}").digest
    for heuristic in ("misplaced", "gaschnig"):
        digests["astar", heuristic] = traced("astar", board, heuristic=heuristic).digest
    for other in sample(FIRST_OF_8, 10, 4):
        digests["astar", str(other)] = traced("astar", other).digest
    assert len(set(digests.values())) == len(digests)
    assert traced("astar", board, heuristic="zero").digest == digests["ucs", "UDLR"]


def test_one_changed_field_changes_the_digest() -> None:
    fields: dict[str, object] = {"kind": Kind.GENERATE, "node": 1, "parent": 0, "move": "U"}
    fields |= {"g": 1, "h": 2, "key": (3, 2), "board": (1, 0, 2, 3)}
    changes: list[dict[str, object]] = [{}, {"node": 2}, {"parent": -1}, {"move": "D"}, {"g": 2}]
    changes += [{"h": 3}, {"key": (4, 2)}, {"key": (3, 3)}, {"board": (0, 1, 2, 3)}]
    changes += [{"kind": Kind.DUPLICATE}]
    digests = set()
    for change in changes:
        recorder = Recorder(0, 2, 2)
        recorder(**{**fields, **change})  # type: ignore[arg-type]
        digests.add(recorder.digest)
    assert len(digests) == len(changes)


def test_an_observer_changes_nothing_about_the_search() -> None:
    for algorithm in sorted(SEARCHES):
        watched = traced(algorithm).result
        spec = SPECS.get(algorithm, algorithm)
        alone = tw.solve(modest(algorithm), goal="first", algorithm=spec, engine="python")
        assert watched.moves == alone.moves
        watched.stats.seconds = alone.stats.seconds
        assert watched.stats == alone.stats


def test_trace_keeps_the_first_events_and_counts_all_of_them() -> None:
    whole = tw.trace("8b6 547 231", algorithm="astar", heuristic="manhattan", events=200)
    assert len(whole) == len(list(whole)) == 200 < whole.count
    assert whole.result.cost == 31
    with pytest.raises(TilewiseError, match="at least 0"):
        tw.trace("8b6 547 231", events=-1)
