"""The five knobs: what their texts mean, and that each search does what they say."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from zlib import crc32

import pytest

import tilewise as tw
from tests.conftest import SEARCHES
from tests.oracles.puzzle import FIRST_OF_8, Tiles, distances, neighbours, sample
from tests.oracles.search import PlainAnswer, Priority, plain_best_first
from tilewise import Board, Goal, Limits, Rules, Status, TilewiseError
from tilewise.core.events import Kind, Recorder
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.registry import ALGORITHMS
from tilewise.core.rules import rule_sets
from tilewise.tracing import Trace

ORDERS = ["".join(letters) for letters in itertools.permutations("UDLR")]
TIES = ["h-newest", "h-oldest", "largeh-newest", "largeh-oldest", "newest", "oldest"]
DUPLICATES = [
    "full",
    "skip-if-in-frontier",
    "closed-when-generated",
    "ancestors(2)",
    "ancestors(4)",
]
COUNTS = ["none", "root", "goal", "root+goal"]
FAMILY: dict[str, tuple[Priority, bool]] = {
    "astar": (lambda g, h: g + h, True),
    "wastar(weight=3/2)": (lambda g, h: 2 * g + 3 * h, True),
    "greedy": (lambda g, h: h, False),
    "ucs": (lambda g, h: g, True),
}
"""The best-first family: the priority, and whether states are re-opened."""
COUNTERS = [
    "generated",
    "stored",
    "duplicates",
    "reopened",
    "max_frontier",
    "max_depth",
    "expanded",
]


def trace_of(board: Board, goal: Goal, algorithm: str, h: Heuristic | None, rules: Rules) -> Trace:
    recorder = Recorder(10**9, board.rows, board.columns)
    result = tw.solve(
        board,
        goal=goal,
        algorithm=algorithm,
        heuristic=h,
        rules=rules,
        engine="python",
        observer=recorder,
    )
    return Trace(tuple(recorder.events), recorder.count, recorder.digest, result)


def check_agreement(
    board: Board, goal: Goal, algorithm: str, h: Heuristic, rules: Rules
) -> PlainAnswer:
    """The package's search expands the same states in the same order as the plain one."""
    priority, reopen = FAMILY[algorithm]
    needs = ALGORITHMS[algorithm.split("(")[0]].needs_heuristic
    estimate: Callable[[Tiles], int] = h.estimate if needs else lambda tiles: 0
    plain = plain_best_first(board, goal, estimate, rules, priority, reopen=reopen)
    trace = trace_of(board, goal, algorithm, h if needs else None, rules)
    stats = trace.result.stats
    assert [e.board.tiles for e in trace if e.kind is Kind.EXPAND] == plain.order
    assert trace.result.moves == plain.moves
    assert {name: getattr(stats, name) for name in COUNTERS} == {
        name: getattr(plain, name) for name in COUNTERS
    }
    return plain


def jumpy(goal: Goal) -> Heuristic:
    """Admissible and not consistent, so that states are re-opened."""
    distance = distances(goal)

    def estimate(tiles: Tiles) -> int:
        return 0 if crc32(bytes(tiles)) % 8 else distance[tiles]

    return Heuristic("jumpy", goal, estimate, admissible=True, consistent=False)


@pytest.mark.parametrize("algorithm", FAMILY)
def test_every_order_and_tie_break_takes_the_nodes_that_it_should(algorithm: str) -> None:
    h = build_heuristic("manhattan", FIRST_OF_8)
    board = sample(FIRST_OF_8, 9 if algorithm != "ucs" else 5, 5)[3]
    seen = set()
    for order, ties in itertools.product(ORDERS, TIES):
        rules = Rules(order=order, ties=ties)
        plain = check_agreement(board, FIRST_OF_8, algorithm, h, rules)
        seen.add(tuple(plain.order))
    assert len(seen) > 4


@pytest.mark.parametrize("algorithm", FAMILY)
@pytest.mark.parametrize("duplicates", DUPLICATES)
def test_every_way_to_treat_duplicates_goals_and_counts_does_what_it_says(
    algorithm: str, duplicates: str
) -> None:
    goal = Goal.blank_first(2, 3)
    depth = 7 if duplicates.startswith("ancestors") else 11
    boards = itertools.cycle(sample(goal, depth, 3))
    for h in (build_heuristic("manhattan", goal), jumpy(goal)):
        if algorithm == "greedy" and duplicates.startswith("ancestors"):
            continue  # without a memory, greedy search may go round in circles for ever
        for place, ties in enumerate(TIES):
            for goal_test, count in itertools.product(
                ["taken", "generated"], COUNTS[place % 2 :: 2]
            ):
                rules = Rules("RULD", ties, duplicates, goal_test, count)
                check_agreement(next(boards), goal, algorithm, h, rules)


def test_astar_re_opens_states_only_if_all_duplicates_are_looked_at() -> None:
    goal, totals = Goal.blank_first(2, 3), dict.fromkeys(DUPLICATES[:3], 0)
    for board in sample(goal, 17, 12):
        for duplicates in totals:
            rules = Rules(duplicates=duplicates)
            plain = check_agreement(board, goal, "astar", jumpy(goal), rules)
            totals[duplicates] += plain.reopened
    assert totals["full"] > 0
    assert totals["closed-when-generated"] == 0


def test_skipping_states_of_the_frontier_can_miss_the_optimum_and_says_so() -> None:
    board = Board.parse("4,6,2,7,1,5,3,0,8")
    optimal = tw.solve(board, algorithm="astar", heuristic="manhattan", rules="fifo")
    course = tw.solve(board, algorithm="astar", heuristic="manhattan", rules="columbia")
    assert (optimal.cost, optimal.optimal) == (13, True)
    assert (course.cost, course.optimal) == (15, False)
    assert course.stats.expanded_below_cost is None


def test_testing_for_the_goal_when_it_is_generated_ends_sooner() -> None:
    board = sample(FIRST_OF_8, 10, 1)[0]
    taken = tw.solve(board, algorithm="bfs", rules="goal_test=taken")
    generated = tw.solve(board, algorithm="bfs", rules="goal_test=generated")
    assert (taken.cost, generated.cost) == (10, 10)
    assert generated.stats.expanded < taken.stats.expanded
    assert generated.optimal


def test_astar_is_not_called_optimal_if_it_stops_at_the_first_goal_it_generates() -> None:
    result = tw.solve("8b6 547 231", algorithm="astar", rules="goal_test=generated")
    assert result.solved and not result.optimal


@pytest.mark.parametrize("algorithm", ["bfs", "dfs", "ucs", "astar", "greedy", "wastar"])
@pytest.mark.parametrize("count", COUNTS)
def test_counting_the_root_and_the_goal_adds_one_each(algorithm: str, count: str) -> None:
    board = sample(Goal.blank_first(2, 3), 9, 1)[0]
    plain = tw.solve(board, algorithm=algorithm, rules="count=none").stats
    other = tw.solve(board, algorithm=algorithm, rules=f"count={count}").stats
    root, goal = "root" in count, "goal" in count
    assert other.generated - plain.generated == other.stored - plain.stored == root
    assert other.expanded - plain.expanded == goal


def plain_queue_or_stack(board: Board, order: str, stack: bool) -> list[Tiles]:
    """Breadth- or depth-first to blank first: no state enters the list twice."""
    waiting, entered, expanded = [board.tiles], {board.tiles}, []
    goal = Goal.blank_first(board.rows, board.columns).board.tiles
    while (tiles := waiting.pop() if stack else waiting.pop(0)) != goal:
        expanded.append(tiles)
        made = [after for _, after in neighbours(tiles, board.columns, order)]
        for after in reversed(made) if stack else made:
            if after not in entered:
                entered.add(after)
                waiting.append(after)
    return expanded


@pytest.mark.parametrize("algorithm", ["bfs", "dfs"])
@pytest.mark.parametrize("named", ["", "columbia,"])
def test_breadth_and_depth_first_are_a_queue_and_a_stack_under_every_order(
    algorithm: str, named: str
) -> None:
    board = sample(Goal.blank_first(2, 3), 14, 1)[0]
    seen = set()
    for order in ORDERS:
        trace = tw.trace(board, algorithm=algorithm, rules=f"{named}order={order}", events=10**6)
        expanded = [event.board.tiles for event in trace if event.kind is Kind.EXPAND]
        assert expanded == plain_queue_or_stack(board, order, algorithm == "dfs")
        seen.add(tuple(expanded))
    assert len(seen) > 1


# a random one, and those with the smallest f first
OUT_OF_ORDER = {"human", "annealing", "epeastar"}


@pytest.mark.parametrize("algorithm", sorted(SEARCHES - OUT_OF_ORDER))
def test_every_search_makes_the_successors_of_the_root_in_the_order_given(algorithm: str) -> None:
    board = next(board for board in sample(FIRST_OF_8, 14, 100) if board.blank == 4)
    for order in ORDERS:
        trace = tw.trace(
            board,
            goal="first",
            algorithm="depth_limited(depth=2)" if algorithm == "depth_limited" else algorithm,
            heuristic="zero" if ALGORITHMS[algorithm].needs_heuristic else None,
            rules=f"order={order}",
            limits=Limits(generated=500 if algorithm == "perimeter" else 60),
        )
        made = [event.move for event in trace if event.kind is Kind.GENERATE and event.parent == 0]
        assert "".join(made[:4]) == (order[::-1] if algorithm == "dfs" else order)


@pytest.mark.parametrize("algorithm", ["idastar", "ids", "rbfs", "beam", "hill_climbing", "human"])
@pytest.mark.parametrize(
    "knob", ["ties=oldest", "duplicates=full", "goal_test=taken", "count=root"]
)
def test_a_search_refuses_a_knob_that_it_does_not_have(algorithm: str, knob: str) -> None:
    with pytest.raises(TilewiseError, match=f"{algorithm}.*order.*{knob.split('=')[0]}"):
        tw.solve("1b2 345 678", algorithm=algorithm, rules=knob)


@pytest.mark.parametrize("algorithm", ["bfs", "dfs", "ucs", "greedy", "astar", "wastar"])
@pytest.mark.parametrize(
    "knob", ["order=RLDU", "ties=oldest", "duplicates=full", "goal_test=taken", "count=root"]
)
def test_the_best_first_family_takes_all_five_knobs(algorithm: str, knob: str) -> None:
    assert tw.solve("1b2 345 678", algorithm=algorithm, rules=knob).status is Status.SOLVED


@pytest.mark.parametrize("algorithm", ["idastar", "beam"])
def test_a_knob_is_not_silently_ignored_when_it_comes_as_a_value(algorithm: str) -> None:
    with pytest.raises(TilewiseError, match="duplicates"):
        tw.solve("1b2 345 678", algorithm=algorithm, rules=Rules(duplicates="ancestors(2)"))


def test_the_default_rules_are_those_of_the_documentation() -> None:
    assert Rules() == Rules("UDLR", "h-newest", "full", "taken", "none") == rule_sets()["default"]
    assert rule_sets()["fifo"] == Rules(ties="oldest")
    assert tw.solve("1b2 345 678").rules == "default"


@pytest.mark.parametrize("name", sorted(rule_sets()))
def test_a_named_set_of_rules_is_written_as_something_that_reads_back(name: str) -> None:
    assert Rules.parse(name) == rule_sets()[name]
    assert Rules.parse(str(rule_sets()[name])) == rule_sets()[name]


def test_all_rules_are_written_as_something_that_reads_back() -> None:
    every = [*DUPLICATES, "ancestors(1)"]
    for knobs in itertools.product(ORDERS[::7], TIES, every, ["taken", "generated"], COUNTS):
        rules = Rules(*knobs)
        assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("order=LRUD,ties=lifo", Rules(order="LRUD", ties="newest")),
        ("ties=fifo", Rules(ties="oldest")),
        (" order = lrud , count = root+goal ", Rules(order="LRUD", count="root+goal")),
        ("columbia,order=RLDU", Rules("RLDU", "oldest", "skip-if-in-frontier")),
        ("default", Rules()),
        ("duplicates=ancestors(3)", Rules(duplicates="ancestors(3)")),
    ],
)
def test_rules_are_read_from_names_and_knobs(text: str, rules: Rules) -> None:
    assert Rules.parse(text) == rules


@pytest.mark.parametrize(
    "text",
    [
        " ",
        "fif",
        "order=UDL",
        "order=UDLL",
        "order=",
        "order=ÜDLR",
        "order=UDLR,",
        "ties",
        "ties=random",
        "ties=oldest,columbia",
        "count=1",
        "fifo,fifo",
        "goal_test=x",
        "speed=fast",
        ",",
        "ties=oldest,ties=newest",
        "duplicates=ancestors(0)",
        "duplicates=ancestors(-1)",
        "duplicates=ancestors()",
        "duplicates=ancestors(99999)",
        "",
    ],
)
def test_rules_that_make_no_sense_are_refused_in_one_line(text: str) -> None:
    for wrong in (text, f"{text * 5000}%"):
        with pytest.raises(TilewiseError, match="expected") as caught:
            Rules.parse(wrong)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
