"""anytime: an incumbent that improves, a bound that is true, and what ends it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import nullcontext
from itertools import pairwise

import pytest

import tilewise as tw
from tests.conftest import HANG_GUARD
from tests.oracles.puzzle import replayed, sample, shuffled
from tilewise import Goal, Incumbent, Limits, Status, TilewiseError, suites
from tilewise.anytime.algorithm import side_by_side
from tilewise.anytime.parts import RacePart
from tilewise.anytime.race import Race
from tilewise.anytime.shortening import _beams_have_the_time, _last_beams
from tilewise.core.incumbent import Gap
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import ALGORITHMS
from tilewise.core.stats import Stats

SIX = shuffled(Goal.blank_first(6, 6), 1)


def test_without_an_algorithm_a_large_board_gets_an_incumbent_a_bound_and_a_gap() -> None:
    result = tw.solve(SIX, goal="first", limits=Limits(seconds=0.5))
    assert (result.algorithm, result.status, result.stopped_by) == ("anytime", "solved", "seconds")
    assert replayed(SIX, result.moves) == result.goal.board.tiles
    assert result.cost is not None and result.bound is not None
    assert result.gap == result.cost - result.bound > 0 and not result.optimal
    assert result.summary == f"{result.cost} moves; at least {result.bound} (gap {result.gap})"
    answer = result.to_dict()
    assert answer["gap"] == result.gap and answer["stopped_by"] == "seconds"
    assert answer["stopped_at"]["allowed"] == 0.5


def test_the_shortest_time_leaves_room_for_a_first_answer() -> None:
    result = tw.solve(SIX, goal="first", limits=Limits(seconds=1e-6))
    assert (result.algorithm, result.status, result.stopped_by) == ("anytime", "solved", "seconds")
    assert replayed(SIX, result.moves) == result.goal.board.tiles


@pytest.mark.parametrize(
    ("goal", "shape"),
    [
        pytest.param(goal, shape, marks=() if (g + s) % 2 == 0 else pytest.mark.full)
        for g, goal in enumerate(("first", "last", "snail"))
        for s, shape in enumerate(("5x5", "2x9", "7x5", "9x8"))
    ],
)
def test_every_shape_and_goal_is_solved_with_moves_that_replay(shape: str, goal: str) -> None:
    rows, columns = map(int, shape.split("x"))
    target = Goal.named(goal, rows, columns)
    board = shuffled(target, 7)
    result = tw.solve(board, goal=target, algorithm="anytime", limits=Limits(generated=30_000))
    assert result.solved and replayed(board, result.moves) == target.board.tiles


def test_what_improves_is_reported_in_order_with_the_last_one_as_the_result() -> None:
    seen: list[Incumbent] = []
    board = shuffled(Goal.blank_first(5, 5), 3)
    result = tw.solve(board, goal="first", limits=Limits(seconds=0.7), improved=seen.append)
    assert seen[-1].cost == result.cost and seen[-1].bound == result.bound
    for before, after in pairwise(seen):
        assert after.bound >= before.bound and after.seconds >= before.seconds
        assert before.cost is None or (after.cost or 0) <= before.cost
        assert (after.cost, after.bound) != (before.cost, before.bound)


@pytest.mark.parametrize(
    ("goal", "depths"),
    [
        (Goal.blank_first(2, 2), range(7)),
        (Goal.blank_last(2, 3), range(0, 22, 3)),
        (Goal.snail(3, 3), range(0, 32, 5)),
    ],
    ids=["2x2", "2x3", "3x3"],
)
def test_it_ends_by_itself_when_bound_and_incumbent_meet(goal: Goal, depths: range) -> None:
    for depth in depths:
        for board in sample(goal, depth, 1):
            result = tw.solve(board, goal=goal, algorithm="anytime")
            assert (result.cost, result.bound, result.optimal) == (depth, depth, True)
            assert result.stopped_by is None


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_the_bound_of_every_search_is_true_however_early_it_stops(algorithm: str) -> None:
    goal = Goal.blank_first(3, 3)
    for depth in (9, 20, 27):
        for board in sample(goal, depth, 2):
            for nodes in (1, 50, 2_000):
                result = tw.solve(
                    board, goal=goal, algorithm=algorithm, limits=Limits(generated=nodes)
                )
                assert result.bound is not None and result.bound <= depth
                assert (depth - result.bound) % 2 == 0
                assert result.optimal == (result.cost is not None and result.cost == result.bound)


def test_the_bound_is_true_on_the_boards_of_the_field() -> None:
    for name, count in (("korf100", 12), ("korf24", 6)):
        suite = suites.load(name)
        for instance in suite.instances[:count]:
            result = tw.solve(
                instance.board,
                goal=suite.goal,
                algorithm="anytime",
                limits=Limits(generated=20_000),
            )
            assert instance.optimal is not None and result.bound is not None
            assert result.bound <= instance.optimal <= (result.cost or 0)


def test_a_limit_of_nodes_gives_the_same_answer_on_every_run() -> None:
    limits = Limits(generated=60_000)
    results = [tw.solve(SIX, goal="first", limits=limits) for _ in range(2)]
    assert results[0].moves == results[1].moves and results[0].bound == results[1].bound
    assert results[0].stats.generated == results[1].stats.generated <= 60_000
    assert results[0].stopped_by == "nodes"


def test_cancelling_keeps_the_best_solution() -> None:
    cancel = threading.Event()

    def stop_when_there_is_one(incumbent: Incumbent) -> None:
        if incumbent.moves is not None:
            cancel.set()

    result = tw.solve(SIX, goal="first", cancel=cancel, improved=stop_when_there_is_one)
    assert result.status is Status.CANCELLED
    assert replayed(SIX, result.moves) == result.goal.board.tiles
    assert result.note is not None and "best solution so far" in result.note


def test_a_gap_ends_the_search_when_it_is_small_enough() -> None:
    board = shuffled(Goal.blank_first(5, 5), 4)
    result = tw.solve(board, goal="first", limits=Limits(gap="90%"))
    assert result.stopped_by == "gap" and result.cost is not None and result.gap is not None
    assert 0 < result.gap <= 0.9 * result.cost


@pytest.mark.parametrize("gap", ["", "-1", "5%%", "x", "101%", "1e3", "nan%", True, -2])
def test_a_gap_that_makes_no_sense_is_refused(gap: int | str) -> None:
    with pytest.raises(TilewiseError, match="expected a gap"):
        Limits(gap=gap)


def test_a_gap_is_only_for_searches_that_have_one() -> None:
    with pytest.raises(TilewiseError, match="expected an anytime algorithm"):
        tw.solve(SIX, goal="first", algorithm="greedy", limits=Limits(gap=4))


def test_a_percentage_is_of_the_cost() -> None:
    assert Gap.parse("5%").allows(cost=200, bound=190) and str(Gap.parse("5 %")) == "5%"
    assert not Gap.parse("4.9%").allows(cost=200, bound=190)


def test_it_has_no_events_of_its_own() -> None:
    with pytest.raises(TilewiseError, match="which runs other searches"):
        tw.trace(SIX, goal="first", algorithm="anytime")
    events = tw.trace(SIX, goal="first", events=5, limits=Limits(generated=100))
    assert len(events) == 5 and events.result.algorithm != "anytime"


def test_the_python_engine_alone_solves_large_boards_too() -> None:
    result = tw.solve(
        SIX, goal="first", algorithm="anytime", engine="python", limits=Limits(generated=4_000)
    )
    assert result.engine == "python" and replayed(SIX, result.moves) == result.goal.board.tiles


INTERRUPTED = """
import tilewise as tw
seen = []
def improved(incumbent):
    if incumbent.moves and not seen:
        seen.append(print("now", flush=True))
result = tw.solve(tw.read_position("{board}", "first"), improved=improved)
print(result.status.value, len(result.moves) > 0)
"""


def test_ctrl_c_keeps_the_best_solution_and_no_part_goes_on() -> None:
    script = INTERRUPTED.format(board=",".join(map(str, SIX.tiles)))
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "now\n"
        process.send_signal(signal.SIGINT)
        rest, complaint = process.communicate(timeout=HANG_GUARD)
    assert (process.returncode, rest, complaint) == (0, "cancelled True\n", "")


@pytest.mark.parametrize("how", ["time", "Ctrl-C"])
def test_a_part_that_is_slow_to_end_is_not_waited_for(how: str) -> None:
    may_end, ended = threading.Event(), threading.Event()
    position = tw.read_position("142 3b5 678", "first")

    def interrupt(_: Stats) -> None:
        raise KeyboardInterrupt

    meter = Meter(Limits(seconds=1e-6), 9, progress=None if how == "time" else interrupt)
    race = Race(Problem(position.board, position.goal), meter, Gap.parse(0))
    race.offer("DULRUL", "given")

    def slow(_: RacePart) -> None:
        may_end.wait(HANG_GUARD)
        ended.set()

    part = RacePart("improving", race, "python", 1, 1000, None)
    with nullcontext() if how == "time" else pytest.raises(KeyboardInterrupt):
        side_by_side(race, [(slow, part)])
    assert race.over.is_set() and not ended.is_set()
    may_end.set()
    assert ended.wait(HANG_GUARD)


def part_that_improves(side: int, nodes: int | None = None, memory: int = 2**30) -> RacePart:
    goal = Goal.blank_first(side, side)
    meter = Meter(Limits(seconds=1000, generated=nodes), side * side)
    race = Race(Problem(shuffled(goal, 1), goal), meter, Gap.parse(0))
    return RacePart("improving", race, "native", 2, memory, nodes)


def test_the_last_beams_take_the_time_where_neither_a_proof_nor_long_sweeps_need_it() -> None:
    assert _beams_have_the_time(part_that_improves(6))
    assert _beams_have_the_time(part_that_improves(8))
    assert not _beams_have_the_time(part_that_improves(5))
    assert not _beams_have_the_time(part_that_improves(9))
    assert not _beams_have_the_time(part_that_improves(6, nodes=10**6))


def test_the_last_beams_are_as_wide_as_the_time_and_the_memory_allow() -> None:
    part = part_that_improves(6, memory=2**24)
    assert _last_beams(part, 100, seconds=10_000) == 100, "there is no time for another"
    assert part.race.cost is None
    assert 400 < _last_beams(part, 100, seconds=200) < 500
    assert part.race.cost is not None
    assert _last_beams(part, 100, seconds=1e-3) > 10**6, "that there is not the memory for"
