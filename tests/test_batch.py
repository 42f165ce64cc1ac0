"""Many boards at once: in order, equal to one by one, cancelled when nobody wants the rest."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

import tilewise as tw
from tilewise import suites
from tilewise.batch import in_order, shared_limits, useful_threads
from tilewise.errors import BoardError, LimitsError

HANG_GUARD = 60
SLOW = suites.load("korf100").instances[0].board


def boards(count: int, seed: int = 3) -> list[tw.Board]:
    rng = random.Random(seed)
    board, made = tw.Goal.blank_first(3, 3).board, []
    for _ in range(count):
        for _ in range(rng.randint(0, 40)):
            board = board.move(rng.choice(board.legal_moves()))
        made.append(board)
    return made


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("engine", ["python", "native"])
def test_results_come_in_the_order_of_the_boards(threads: int, engine: str) -> None:
    some = boards(150 if engine == "native" else 40)
    results = list(tw.solve_many(some, threads=threads, engine=engine, algorithm="astar"))
    assert [result.board for result in results] == some
    for board, result in zip(some, results, strict=True):
        alone = tw.solve(board, engine=engine, algorithm="astar")
        assert (result.moves, result.stats.expanded) == (alone.moves, alone.stats.expanded)


@pytest.mark.parametrize("slow", [1, 7, 40, 99])
def test_an_answer_does_not_wait_for_a_slow_item_after_it(slow: int) -> None:
    received = threading.Event()

    def answer(number: int) -> int:
        if number == slow:
            assert received.wait(HANG_GUARD)
        return number

    answers = []
    for number in in_order(answer, range(100), 2, threading.Event()):
        answers.append(number)
        if number == slow - 1:
            received.set()
    assert answers == list(range(100))


def test_no_boards_give_no_results() -> None:
    assert list(tw.solve_many([], threads=2)) == []


def test_a_bad_board_is_an_error_after_the_results_before_it() -> None:
    results = tw.solve_many([*["1b2 345 678"] * 20, "b12 345 677"], threads=2)
    assert [next(results).cost for _ in range(20)] == [1] * 20
    with pytest.raises(BoardError, match="each tile once"):
        next(results)


def test_a_caller_who_stops_early_cancels_the_rest() -> None:
    def endless() -> Iterator[tw.Board]:
        yield tw.Board.parse("1b2 345 678")
        while True:
            yield SLOW

    results = tw.solve_many(endless(), threads=2, algorithm="ids")
    assert next(results).cost == 1
    results.close()  # type: ignore[attr-defined]


def test_a_cancel_from_another_thread_ends_every_search() -> None:
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    results = list(tw.solve_many([SLOW] * 4, threads=2, algorithm="ids", cancel=cancel))
    assert [result.status for result in results] == [tw.Status.CANCELLED] * 4


def test_threads_are_used_where_the_native_engine_may_serve() -> None:
    assert useful_threads(None, {"engine": "python"}) == 1
    assert useful_threads(None, {"rules": "fifo"}) == 1
    assert useful_threads(None, {"heuristic": "gaschnig"}) == 1
    assert useful_threads(3, {"engine": "python"}) == 3
    assert useful_threads(None, {"heuristic": "h2"}) == useful_threads(None, {})
    for wrong in (0, -1, 1.5, "2"):
        with pytest.raises(LimitsError):
            useful_threads(wrong, {})  # type: ignore[arg-type]


def test_threads_share_the_default_memory() -> None:
    whole = shared_limits(None, 2)
    assert whole is not None
    assert whole.memory is not None
    quarter = shared_limits(tw.Limits(generated=5), 4)
    assert quarter is not None
    assert (quarter.generated, quarter.memory) == (5, whole.memory // 2)
    assert shared_limits(tw.Limits(memory=7), 4) == tw.Limits(memory=7)


def test_an_interrupt_ends_a_suite_at_once() -> None:
    command = [sys.executable, "-m", "tilewise", "solve", "--suite", "korf100", "-a", "ids"]
    with subprocess.Popen(
        [*command, "--threads", "2", "--trace", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=HANG_GUARD)
    assert (process.returncode, errors) == (130, "")
