"""A limit of time is one for a whole command: what is done before and after a search counts, too.

The clock of these tests goes on by one second at each look, so that they count looks, not time.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from threading import Event as Flag

import numpy as np
import pytest

import tilewise as tw
from tests.conftest import CACHE, HANG_GUARD, Run
from tests.test_budgets import FAR, Polls
from tilewise import BuildContext, Goal, Limits, Meter, drawing
from tilewise import scrambling as scrambling_module
from tilewise.cli import output, trace
from tilewise.cli.output import Show
from tilewise.core.events import Recorder
from tilewise.diagnosis.budget import Budget
from tilewise.errors import CancelledError
from tilewise.learning import model_file, models, regressions
from tilewise.learning.stretching import Shape, stretched
from tilewise.learning.training import SLICES, TrainingPlan, train
from tilewise.native import NATIVE, Training, train_round
from tilewise.optimal_paths import optimal_paths
from tilewise.scrambling import _numbers_of_sample, scramble
from tilewise.traces.watched import watch
from tilewise.training import fitting
from tilewise.training.fitting import Fit, fit
from tilewise.training.judging import AT_ONCE, judged
from tilewise.training.samples import sample

EIGHT = Goal.blank_first(3, 3)
native_only = pytest.mark.skipif(not NATIVE, reason="needs the native engine")


class Ticking(Meter):
    """A clock that goes on by one second at each look."""

    def __init__(self, seconds: float, cells: int = 9) -> None:
        self.looks = 0
        super().__init__(Limits(seconds=seconds), cells)

    @property
    def seconds(self) -> float:
        self.looks += 1
        return self.looks


def test_states_of_a_table_are_found_until_half_of_the_time_is_over() -> None:
    clock = Ticking(200)
    found = sample(EIGHT, seed=1, most=None, clock=clock)
    assert clock.looks <= 101 and 1000 < len(found.states) < 181_440 - 1000
    assert 0.09 < sum(found.held_out) / len(found.states) < 0.11
    table = tw.make_heuristic("perfect", EIGHT).estimate
    pairs = list(zip(found.states, found.distances, strict=True))
    assert all(table(state) == distance for state, distance in pairs[::997])


def test_boards_are_solved_until_half_of_the_time_is_over_and_one_is_held_out() -> None:
    clock = Ticking(600, 12)
    found = sample(Goal.blank_first(3, 4), seed=1, most=None, clock=clock)
    assert clock.looks <= 310 and any(found.held_out) and not all(found.held_out)


@pytest.mark.parametrize("model", ["linear", "network", "policy"])
def test_a_training_uses_the_states_that_there_is_time_for_and_says_how_many(model: str) -> None:
    pytest.importorskip("sklearn.neural_network")
    clock = Ticking(120)
    facts = fit(Fit(model, 3, 3, seconds=120, hidden=(8,)), clock=clock).facts
    assert clock.looks <= 140
    assert 0 < facts.states < 163_000 and 0 < facts.held_out <= facts.checked <= 181_440


def test_the_error_of_a_model_is_measured_on_states_held_out_first_while_there_is_time() -> None:
    layers = regressions.layers_for("linear", EIGHT)
    found = sample(EIGHT, seed=1, most=None, clock=Meter(Limits(), 9), moves=False)
    facts = judged(EIGHT, layers, found, Ticking(1))
    assert facts.held_out == facts.checked == AT_ONCE


@pytest.mark.parametrize("model", ["linear", "network", "policy"])
def test_a_training_without_time_to_find_states_is_stopped(model: str) -> None:
    clock = Ticking(5)
    with pytest.raises(CancelledError):
        fit(Fit(model, 3, 3, seconds=5), clock=clock)
    assert clock.looks <= 10


def test_scikit_learn_is_not_waited_for_longer_than_there_is_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded = Flag()
    monkeypatch.setattr(fitting, "import_module", lambda name: loaded.wait(HANG_GUARD))
    clock = Ticking(3)
    with pytest.raises(CancelledError, match="scikit-learn was being loaded"):
        fitting._Scikit().within(clock)
    loaded.set()
    assert clock.looks == 3


def test_a_limit_that_is_not_reached_changes_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = {"states": 5000, "epochs": 2, "hidden": (8,)}
    made = [fit(Fit("network", 3, 3, **plan))]  # type: ignore[arg-type]
    made.append(fit(Fit("network", 3, 3, seconds=1e6, **plan)))  # type: ignore[arg-type]
    monkeypatch.setattr(fitting, "BATCHES_IN_A_LOOK", fitting.BATCHES_AT_ONCE)
    made.append(fit(Fit("network", 3, 3, **plan)))  # type: ignore[arg-type]
    for other in made[1:]:
        pairs = zip(made[0].matrices, other.matrices, strict=True)
        assert all((one == two).all() for one, two in pairs)
        assert made[0].facts.mean_error == other.facts.mean_error


@native_only
def test_a_round_of_a_training_ends_at_the_poll_that_says_so() -> None:
    training, polls = Training(5, 5, 1), Polls(stop_at=1)
    before = [part.copy() for part in training.weights()]
    assert train_round(training, 1.0, 2, polls) is None and polls.count == 1
    assert all(map(np.array_equal, training.weights(), before))
    assert train_round(training, 1.0, 2, lambda: False) is not None


@native_only
def test_a_training_of_pairs_ends_with_the_clock_that_began_before_it() -> None:
    clock, saved = Ticking(1000, 15), list[object]()
    made = train(3, 5, TrainingPlan(seconds=1000), save=saved.append, clock=clock)
    assert 0 < sum(made.header.rounds) < 1000 and clock.looks <= 1100
    assert len(saved) <= SLICES - 1
    with pytest.raises(CancelledError):
        train(3, 5, TrainingPlan(seconds=3), clock=Ticking(3, 15))


@native_only
def test_stretching_a_model_ends_at_the_poll_that_says_so() -> None:
    weights, polls = models.weights_at_hand(Shape(5, 5)), Polls(stop_at=4)
    with pytest.raises(CancelledError):
        stretched(weights, Shape(5, 5), Shape(5, 6), polls)
    assert polls.count == 4


@native_only
def test_a_model_that_must_be_written_fast_is_larger_and_the_same(tmp_path: Path) -> None:
    made = train(3, 5, TrainingPlan(rounds=[1, *[0] * (SLICES - 1)]))
    small, large, polls = tmp_path / "small", tmp_path / "large", Polls(stop_at=1)
    model_file.write(small, made.header, made.weights)
    model_file.write(large, made.header, made.weights, hurry=polls)
    assert polls.count == 1 and large.stat().st_size > small.stat().st_size
    read = [model_file.read(path)[1] for path in (small, large)]
    assert np.array_equal(read[0].own, read[1].own)


@pytest.mark.parametrize("model", ["pairs", "linear", "network", "policy"])
def test_a_training_with_too_little_time_says_so_and_writes_nothing(
    tilewise: Run, tmp_path: Path, model: str
) -> None:
    if model == "pairs" and not NATIVE:
        pytest.skip("needs the native engine")
    env = {CACHE: str(tmp_path / "cache")}
    for shape in ("3x3", "4x5"):
        done = tilewise("learn", "train", shape, "--model", model, "--seconds", "1e-6", env=env)
        assert (done.returncode, done.stdout) == (20, "")
        assert "the time was up before anything was learned" in done.stderr
        assert "no model was written" in done.stderr
    assert not list(tmp_path.glob("cache/*.model"))


@pytest.mark.parametrize("how", [{}, {"distinct": True}, {"walk": 3}, {"depth": 20}])
def test_a_limit_of_time_is_one_for_all_boards_of_a_scramble(
    how: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        scrambling_module, "Meter", lambda limits, cells: Ticking(limits.seconds or 0, cells)
    )
    boards = scramble("3x3", count=10_000, seed=1, seconds=200, **how)  # type: ignore[arg-type]
    assert 0 < len(list(islice(boards, 10_000))) <= 200 and boards.gave_up


@pytest.mark.parametrize(
    ("size", "count"), [(12, 12), (22, 6), (85, 22), (277, 70), (1000, 999), (100_000, 3000)]
)
def test_numbers_of_a_sample_come_one_by_one_as_all_at_once(size: int, count: int) -> None:
    for seed in range(3):
        whole = Random(seed).sample(range(size), count)
        assert list(_numbers_of_sample(Random(seed), size, count)) == whole
    many = list(range(size))
    again = list(many)
    Random(1).shuffle(many)
    scrambling_module._shuffle(again, Random(1), BuildContext())  # type: ignore[arg-type]
    assert again == many


def test_all_optimal_solutions_are_looked_for_until_the_poll_that_says_stop() -> None:
    polls = Polls(stop_at=5)
    with pytest.raises(CancelledError):
        optimal_paths(tw.Board.parse("8b6 547 231"), EIGHT, 31, BuildContext(cancelled=polls))
    assert polls.count == 5


def shown(capsys: pytest.CaptureFixture[str], late: Callable[[], bool], **what: bool) -> str:
    recorder = Recorder(1000, 3, 3)
    result = tw.solve(
        "8b6 547 231", algorithm="astar", heuristic="manhattan", engine="python", observer=recorder
    )
    Show(**what).alone("it", result, recorder, late)  # type: ignore[arg-type]
    return capsys.readouterr().out


def test_what_there_is_no_time_to_print_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, Polls(stop_at=3))
    lines = text.splitlines()
    printed = sum(" expand " in line or " generate " in line for line in lines)
    assert 100 < printed < 192
    assert "809 more events; no time left to print them" in lines
    whole = shown(capsys, lambda: False)
    assert "no time left" not in whole and len(whole.splitlines()) > 1000
    text = shown(capsys, lambda: True, all_solutions=True)
    assert "no time left to find all optimal solutions" in text
    told = json.loads(shown(capsys, lambda: True, as_json=True, all_solutions=True))
    assert told["no_time_for"] == {"solutions": None, "events": 1000 - len(told["events"])}
    told = json.loads(shown(capsys, lambda: False, as_json=True))
    assert "no_time_for" not in told and len(told["events"]) == 1000


def test_optimal_solutions_that_there_is_no_time_to_print_are_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "LINES_AT_ONCE", 4)
    polls = Polls(stop_at=10**9)

    def found(*arguments: object) -> object:
        polls.stop_at = polls.count + 2
        return optimal_paths(tw.Board.parse("8b6 547 231"), EIGHT, 31)

    monkeypatch.setattr(output, "optimal_paths", found)
    text = shown(capsys, polls, all_solutions=True)
    assert "40 optimal solutions:" in text and "32 more; no time left to print them" in text


def test_printing_has_what_is_left_of_the_time_or_half_of_it_again() -> None:
    result = tw.solve("1b2 345 678")
    assert not Show().until(result)() and not Show(seconds=1e6).until(result)()
    assert Show(seconds=1e-9).until(result)() and Show(seconds=1e-9, as_json=True).until(result)()


@pytest.mark.parametrize("ending", ["gif", "png"])
def test_a_picture_ends_at_the_poll_that_says_so(ending: str, tmp_path: Path) -> None:
    polls, file = Polls(stop_at=7), tmp_path / f"a.{ending}"
    with pytest.raises(CancelledError):
        drawing.save(tw.solve("8b6 547 231"), file, polls)
    assert polls.count == 7 and not file.exists()


def test_a_picture_that_there_is_no_time_for_is_not_written_and_said(
    tilewise: Run, tmp_path: Path
) -> None:
    done = tilewise(
        *("solve", "8b6 547 231", "-a", "human", "--save", "a.gif", "--seconds", "1e-4"),
        cwd=tmp_path,
    )
    assert done.returncode == 20 and not (tmp_path / "a.gif").exists()
    assert "no time left to draw a.gif" in done.stderr


@native_only
def test_events_of_the_native_engine_are_taken_over_while_there_is_time() -> None:
    from tilewise.native import searching

    recorder = Recorder(100_000, 4, 4)
    event = (0, 0, -1, 255, 0, 5, 5, 5, bytes(range(16)))
    searching._take_over(recorder, Ticking(8, 16), [event] * 50_000, 60_000, 7)
    assert (len(recorder.events), recorder.count, recorder.digest) == (10 * 1024, 60_000, 7)
    assert searching._events_to_keep(recorder, Ticking(0.001, 16)) < 1000


@pytest.mark.parametrize("form", ["jsonl", "dot", "posthoc"])
def test_a_trace_has_as_many_events_as_there_is_time_to_write(form: str) -> None:
    search = watch(FAR, heuristic="manhattan", events=20_000, limits=Limits(generated=20_000))
    cut = trace._what_can_be_written(search, form, Ticking(10, 16))
    assert 2000 < len(cut.events) < len(search.events) and cut.count == search.count
    whole = trace._what_can_be_written(search, form, Ticking(1000, 16))
    assert whole.events == search.events


def test_processes_of_a_diagnosis_have_a_part_of_its_time_to_answer() -> None:
    assert Budget.of(None).grace == Budget.of(60).part(0.5).grace == 1.0
    assert Budget.of(0.4).part(0.5).grace == 0.1


def test_every_board_of_a_checked_file_has_its_time(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text('board,path\n"3x4:8,0,1,6,2,9,5,10,4,11,7,3",\n')
    done = tilewise(
        *("check", "--file", "rows.csv", "--seconds", "0.001", "--json"),
        env={CACHE: "nothing"},
        cwd=tmp_path,
    )
    told = json.loads(done.stdout)
    assert (told["heuristics"]["perfect"], told["heuristics"]["manhattan"]) == (None, 19)
