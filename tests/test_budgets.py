"""A budget is a budget: what takes long polls the meter of its search, and ends when it is over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from threading import Event as CancelFlag

import pytest

import tilewise as tw
from tests.conftest import CACHE, HANG_GUARD, Run
from tilewise import BuildContext, Goal, Limits, Meter, Status, native
from tilewise.comparing import Pairing, compare, pairings
from tilewise.core import made_heuristic
from tilewise.core.result import StoppedBy
from tilewise.errors import CancelledError, EngineError, SpecError
from tilewise.heuristics import walking_distance
from tilewise.native import NATIVE, searching
from tilewise.scrambling import scramble
from tilewise.tables import table_file
from tilewise.tables.distances.layers import layers
from tilewise.tables.distances.small import packed_layers
from tilewise.tables.patterns.pattern import Pattern

FAR = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
SOON = 1e-6
"""Seconds that are over before anything is done."""


def test_an_unsolvable_board_is_called_so_even_where_the_time_is_up_at_once() -> None:
    for algorithm in (None, "astar"):
        result = tw.solve(
            "2x5:0,2,1,3,4,5,6,7,8,9",
            algorithm=algorithm,
            heuristic="walking_distance",
            limits=Limits(seconds=SOON),
        )
        assert result.status is Status.UNSOLVABLE and "swaps" in (result.note or "")


class Polls:
    """Counts how often it is called, and says stop at one of the calls."""

    def __init__(self, stop_at: int) -> None:
        self.count, self.stop_at = 0, stop_at

    def __call__(self) -> bool:
        self.count += 1
        return self.count >= self.stop_at


@pytest.mark.parametrize(
    "build",
    [
        lambda context: walking_distance.table(4, 4, 1, context),
        lambda context: packed_layers(Goal.blank_last(3, 3), context=context),
        lambda context: list(islice(layers(Goal.snail(6, 6), context), 12)),
    ],
    ids=["walking distance", "small table", "layers"],
)
def test_building_ends_at_the_poll_that_says_so(build: Callable[[BuildContext], object]) -> None:
    walking_distance._tables.clear()
    polls = Polls(stop_at=5)
    with pytest.raises(CancelledError):
        build(BuildContext(cancelled=polls))
    assert polls.count == 5


@pytest.mark.skipif(not NATIVE, reason="needs the native engine")
@pytest.mark.parametrize("thing", ["automaton", "estimate"])
def test_the_native_core_polls_while_it_makes_tables(thing: str) -> None:
    from tilewise.native.compiled import compiled

    polls = Polls(stop_at=1)
    make: dict[str, Callable[[], object]] = {
        "automaton": lambda: compiled.MoveAutomaton(12, "UDLR", polls),
        "estimate": lambda: compiled.Estimate(
            3, 5, bytes(range(15)), ["walking_distance"], poll=polls
        ),
    }
    with pytest.raises(compiled.Ended):
        make[thing]()
    assert polls.count == 1


@pytest.mark.parametrize(
    "how",
    [
        {"algorithm": "idastar(prune=12)", "heuristic": "manhattan"},
        {"algorithm": "astar", "heuristic": "walking_distance"},
        {"algorithm": "astar", "heuristic": "pdb(6-6-3)"},
        {"algorithm": "astar", "heuristic": "walking_distance", "engine": "python"},
    ],
)
def test_a_limit_of_time_counts_what_is_built_for_the_search(how: dict[str, str]) -> None:
    if not NATIVE and how.get("engine") != "python":
        pytest.skip("needs the native engine")
    searching._automata.clear()
    walking_distance._tables.clear()
    made_heuristic._heuristics_made.clear()
    limited = tw.solve(FAR, limits=Limits(seconds=SOON), **how)  # type: ignore[arg-type]
    assert limited.status is Status.LIMIT and limited.stats.generated == 0
    cancel = CancelFlag()
    cancel.set()
    assert tw.solve(FAR, cancel=cancel, **how).status is Status.CANCELLED  # type: ignore[arg-type]


def test_a_search_that_ran_out_of_time_with_its_tables_says_so() -> None:
    walking_distance._tables.clear()
    made_heuristic._heuristics_made.clear()
    result = tw.solve(
        FAR, algorithm="astar", heuristic="walking_distance", limits=Limits(seconds=SOON)
    )
    assert result.note == "the time was up while the tables of walking_distance were being built"


def test_the_meter_counts_all_time_and_the_search_apart() -> None:
    meter = Meter(Limits(seconds=1e9), 9)
    meter.begin_search()
    assert meter.search_seconds <= meter.seconds
    left = meter.seconds_left
    assert left is not None and left < 1e9 and not meter.over


def test_a_scramble_gives_up_when_its_time_is_over_before_the_first_board() -> None:
    boards = scramble("16x16", depth=80, seconds=SOON)
    assert list(boards) == [] and boards.gave_up
    later = scramble("3x3", depth=20, count=2, seed=1, seconds=60)
    assert len(list(later)) == 2 and not later.gave_up


def test_a_scramble_on_the_command_line_keeps_to_its_seconds(tilewise: Run) -> None:
    done = tilewise("scramble", "16x16", "--depth", "80", "--seconds", "0.2")
    assert done.returncode == 20 and done.stdout == ""
    assert "gave up after 0 of 1 boards" in done.stderr


def test_a_raw_heuristic_that_fails_is_named(tmp_path: Path) -> None:
    @tw.heuristic("falls_over", on_boards=False)
    def falls_over(goal: Goal) -> Callable[[tuple[int, ...]], int]:
        return lambda state: 1 // 0

    @tw.heuristic("no_number", on_boards=False)
    def no_number(goal: Goal) -> Callable[[tuple[int, ...]], str]:
        return lambda state: "7"

    for name, words in (
        ("falls_over", "heuristic falls_over failed on 1b2 345 678: ZeroDivisionError"),
        ("no_number", "expected a whole number of at least 0 from heuristic no_number, got '7'"),
        ("max(falls_over, manhattan)", "heuristic falls_over failed on 1b2 345 678"),
    ):
        with pytest.raises(tw.TilewiseError) as refused:
            tw.solve("1b2 345 678", algorithm="astar", heuristic=name)
        assert words in str(refused.value)


AT_IMPORT = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
        return None
sys.meta_path.insert(0, Interrupts())
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("module", ["tilewise.solving", "tilewise.cli.app", "tilewise.cli.solve"])
def test_ctrl_c_while_the_program_loads_ends_it_without_a_word(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(AT_IMPORT.format(name=module), encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "tilewise", "solve", "1b2 345 678"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_a_heuristic_that_is_slow_does_not_put_off_the_look_at_the_clock(engine: str) -> None:
    asked = 0

    @tw.heuristic("slow_one", on_boards=False)
    def slow_one(goal: Goal) -> Callable[[tuple[int, ...]], int]:
        def h(state: tuple[int, ...]) -> int:
            nonlocal asked
            asked += 1
            time.sleep(0.01)
            return 0

        return h

    limits = Limits(seconds=0.1)
    result = tw.solve(FAR, algorithm="astar", heuristic="slow_one", limits=limits, engine=engine)
    assert result.stopped_by is StoppedBy.SECONDS and asked < 500


def test_what_takes_longer_than_the_time_is_left_out_of_a_check(tilewise: Run) -> None:
    board, within = "3x4:8,0,1,6,2,9,5,10,4,11,7,3", ("--seconds", "0.001", "--json")
    found = json.loads(tilewise("check", board, *within, env={CACHE: "nothing"}).stdout)
    assert found["distance"] is None
    assert (found["heuristics"]["perfect"], found["heuristics"]["manhattan"]) == (None, 19)
    page = tilewise("check", board, *within[:2], env={CACHE: "nothing"}).stdout
    assert "the time was up before its tables were built" in " ".join(page.split())


def test_tables_for_a_comparison_are_built_within_the_limit_of_time() -> None:
    made_heuristic._heuristics_made.clear()
    walking_distance._tables.clear()
    chosen = pairings(tw.Board.parse(FAR), ["astar"], ["walking_distance", "manhattan"])
    limits = Limits(seconds=SOON, generated=10)
    found = list(compare(FAR, None, chosen, limits=limits))
    assert [each.stopped_by for each in found] == [StoppedBy.SECONDS, StoppedBy.SECONDS]
    assert found[0].note == "the time was up while the tables of walking_distance were being built"


@pytest.mark.skipif(not NATIVE, reason="needs the native engine")
def test_a_comparison_with_a_limit_of_time_builds_tables_within_that_of_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE, str(tmp_path))
    made_heuristic._heuristics_made.clear()
    built: list[str] = []
    context = BuildContext(progress=lambda name, done, total: built.append(name))
    chosen = pairings(tw.Board.parse("8b6 547 231"), ["astar"], ["pdb(4-4)"])
    found = compare("8b6 547 231", None, chosen, limits=Limits(seconds=600), context=context)
    assert not built
    assert next(found).cost == 31 and built


def test_a_comparison_with_a_limit_of_time_checks_all_specs_before_it_searches() -> None:
    made_heuristic._heuristics_made.clear()
    wrong = "max(walking_distance, nonsense)"
    with pytest.raises(SpecError, match="nonsense"):
        compare(FAR, None, [Pairing("astar", wrong)], limits=Limits(seconds=600))


@pytest.mark.skipif(not NATIVE, reason="needs the native engine")
def test_the_sets_of_a_pattern_are_found_with_looks_at_the_clock() -> None:
    pattern = Pattern(8, 8, (1, 2, 3, 4), 0)
    data = table_file.new_table(pattern.entries)
    polls = Polls(stop_at=1)
    with pytest.raises(EngineError, match="cancelled"):
        native.build_pattern(
            8, 8, pattern.cells, 0, data, threads=1, poll=lambda done, total: polls()
        )
    assert polls.count == 1 and not any(data[:1000])
