"""A plan holds the runs of an experiment on the disk, and says how far its making is."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from tilewise.lab import Moment, plan, run_experiment
from tilewise.lab.experiment import Experiment, Part
from tilewise.lab.instances import Scramble
from tilewise.lab.plan import PendingRuns, Plan
from tilewise.lab.runner import LOOK_EVERY
from tilewise.lab.store import Store


def experiment(count: int) -> Experiment:
    part = Part(
        "all", [Scramble("3x3", count=count)], heuristics=["manhattan"], labels={"a": "ü\t"}
    )
    return Experiment("x", [part, part], order_seed=3)


@pytest.mark.parametrize("in_memory", [plan.IN_MEMORY, 1])
def test_a_plan_gives_back_the_runs_it_was_given(
    in_memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "IN_MEMORY", in_memory)
    planned = experiment(40).planned_runs()
    with Plan() as made, Plan() as same, Plan() as other:
        made.fill(planned)
        assert list(made) == planned and len(made) == len(planned) and made[7] == planned[7]
        assert made.digest == same.fill(planned).digest != other.fill(planned[1:]).digest


def test_pending_runs_come_in_the_order_of_the_experiment_and_those_put_back_last() -> None:
    wanted = experiment(30)
    planned = wanted.planned_runs()
    first = {each.run.key: place for place, each in reversed(list(enumerate(planned)))}
    expected = wanted.shuffled(planned)
    with Plan() as made:
        pending = PendingRuns(made.fill(planned), sorted(first.values()), wanted.order_seed)
        assert len(pending) == len(expected)
        taken = pending.take(4)
        pending.put_back(taken)
        assert taken == expected[:4]
        assert pending.take(1000) == expected[4:] + taken and len(pending) == 0


def test_the_making_of_a_plan_is_shown(tmp_path: Path) -> None:
    moments: list[Moment] = []

    class EnoughError(Exception):
        pass

    def watch(moment: Moment) -> None:
        moments.append(moment)
        if moment.planned:
            raise EnoughError

    with pytest.raises(EnoughError):
        run_experiment(experiment(LOOK_EVERY), tmp_path / "out", watch=watch)
    assert [each.planning for each in moments[:3]] == [0, LOOK_EVERY, 0]
    with Store.open(tmp_path / "out") as store:
        assert store.planned() == moments[-1].planned


def test_the_memory_of_a_plan_is_a_few_bytes_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "IN_MEMORY", 1)
    runs = experiment(2000).each_planned()
    next(runs)
    with Plan() as made:
        tracemalloc.start()
        made.fill(runs)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(made) == 3999 and held < 200 * len(made)
