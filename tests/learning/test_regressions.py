"""Models that are trained on known distances: what they say, their files, their training."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import tilewise as tw
from tests.conftest import Run
from tilewise import Limits, Meter
from tilewise.errors import CancelledError, EngineError, SpecError, TableError
from tilewise.learning import networks, regressions
from tilewise.learning.frames import frame_of
from tilewise.learning.regressions import Layers, ModelFacts
from tilewise.puzzle.board import Goal
from tilewise.tables.distances import distance_table
from tilewise.training import fitting, judging
from tilewise.training.fitting import Fit, FitProgress, fit
from tilewise.training.judging import values
from tilewise.training.samples import Sample, sample

FIRST = Goal.blank_first(2, 3)
"""A small shape: 360 states."""


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWISE_CACHE", str(tmp_path))


@pytest.fixture(scope="module", params=regressions.MODELS)
def trained(request: pytest.FixtureRequest) -> Layers:
    return fit(Fit(request.param, 2, 3, epochs=150, hidden=(32, 16)))


def keep(layers: Layers) -> Path:
    facts = layers.facts
    path = regressions.cached_path(facts.model, facts.rows, facts.columns)
    regressions.write(path, layers)
    return path


def states(goal: Goal) -> list[tuple[tuple[int, ...], int]]:
    table = distance_table(goal)
    return [(state, d) for d in range(len(table.levels)) for state in table.states(d)]


def test_a_model_learns_something_and_says_how_good_it_is(trained: Layers) -> None:
    keep(trained)
    facts = trained.facts
    h = tw.make_heuristic(f"learned({facts.model})", FIRST).estimate
    assert facts.states + facts.held_out == 360 and h(FIRST.board.tiles) == 0
    if facts.model == "policy":
        assert sum(h(state) == d for state, d in states(FIRST)) > 20
    else:
        errors = [abs(h(state) - d) for state, d in states(FIRST)]
        manhattan = tw.make_heuristic("manhattan", FIRST).estimate
        of_manhattan = [abs(manhattan(state) - d) for state, d in states(FIRST)]
        assert sum(errors) < 0.7 * sum(of_manhattan)
        assert max(h(state) - d for state, d in states(FIRST)) == facts.lowered_by


def test_values_have_the_parity_of_the_distance_and_batches_agree(trained: Layers) -> None:
    if trained.facts.model == "policy":
        return
    keep(trained)
    h = tw.make_heuristic(f"learned({trained.facts.model})", FIRST).estimate
    known = states(FIRST)
    assert all((h(state) - d) % 2 == 0 for state, d in known)
    batch = values(FIRST, trained, [state for state, _ in known])
    assert [h(state) for state, _ in known] == batch.tolist()


def test_a_lowered_model_is_above_no_known_distance_and_claims_nothing(trained: Layers) -> None:
    keep(trained)
    model = trained.facts.model
    if model == "policy":  # nothing bounds by how much it is too large
        with pytest.raises(SpecError, match=r"that can be lowered \(linear or network\)"):
            tw.make_heuristic("learned(policy, lowered=yes)", FIRST)
        return
    lowered = tw.make_heuristic(f"learned({model}, lowered=yes)", FIRST)
    assert all(lowered.estimate(state) <= d for state, d in states(FIRST))
    assert not lowered.admissible and lowered.spec == f"learned({model}, lowered=yes)"
    result = tw.solve("2x3:1,0,2,3,4,5", algorithm="astar", heuristic=lowered)
    assert result.solved and result.heuristic == lowered.spec


@pytest.mark.parametrize("make", [Goal.blank_first, Goal.blank_last])
@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_a_model_serves_every_corner_and_the_turned_shape(
    trained: Layers, make: Callable[[int, int], Goal], shape: tuple[int, int]
) -> None:
    keep(trained)
    goal = make(*shape)
    if trained.facts.model != "network":  # ties of a policy go by the order of moves
        return
    h = tw.make_heuristic(f"learned({trained.facts.model})", goal).estimate
    known = states(goal)
    errors = sorted(abs(h(state) - d) for state, d in known)
    first = tw.make_heuristic(f"learned({trained.facts.model})", FIRST).estimate
    assert errors == sorted(abs(first(state) - d) for state, d in states(FIRST))


def test_a_model_works_in_every_search(trained: Layers) -> None:
    keep(trained)
    spec = f"learned({trained.facts.model})"
    board = FIRST.board.after("RDLURRDLLU")
    for algorithm in ("astar", "idastar", "wastar", "greedy", "beam", "hill_climbing", "rbfs"):
        limits = tw.Limits(generated=20_000)
        result = tw.solve(board, algorithm=algorithm, heuristic=spec, limits=limits)
        assert result.status in (tw.Status.SOLVED, tw.Status.STUCK, tw.Status.LIMIT)
        assert not result.optimal
        native = trained.facts.model != "linear" and algorithm != "rbfs"
        assert result.engine == ("native" if native else "python")


def test_both_engines_search_alike_with_a_network_or_a_policy(trained: Layers) -> None:
    if trained.facts.model == "linear":
        keep(trained)
        with pytest.raises(EngineError, match=r"it has no heuristic learned\(linear\)"):
            tw.solve(FIRST.board, algorithm="astar", heuristic="learned(linear)", engine="native")
        return
    keep(trained)
    spec = f"max(learned({trained.facts.model}), manhattan)"
    for goal in (FIRST, Goal.blank_last(3, 2), Goal.snail(2, 3)):
        for state, _ in states(goal)[5::90]:
            board = tw.Board(goal.board.rows, goal.board.columns, state)
            for algorithm in ("wastar", "beam(width=5)", "idastar"):
                one, other = (
                    tw.solve(board, goal=goal, algorithm=algorithm, heuristic=spec, engine=engine)
                    for engine in ("python", "native")
                )
                assert one.moves == other.moves and one.engine != other.engine
                assert one.stats.generated == other.stats.generated


def test_without_the_native_engine_a_model_has_the_same_values(trained: Layers) -> None:
    if trained.facts.model == "linear":
        return
    network, known = networks.whole_network(trained), states(FIRST)
    for goal in (FIRST, Goal.blank_last(3, 2), Goal.snail(2, 3)):
        frame = frame_of(goal)
        if trained.facts.model == "policy":
            native = networks.policy_model(network, frame)
            plain: networks.Model = networks.PolicyModel(
                network, frame.rows, frame.columns, frame.solved
            )
        else:
            native = networks.network_model(network, frame, 2)
            plain = networks.NetworkModel(network, 2)
        boards = [(frame.homes(state), depth) for state, depth in known[::7]]
        found = [plain(*board) for board in boards]
        assert found == [native(*board) for board in boards] and len(set(found)) > 5


@pytest.mark.parametrize("size", [0.05, 0.3, 20.0, 32.0])
def test_a_network_of_any_weights_is_the_same_in_both_engines(size: float) -> None:
    draw = np.random.default_rng(1)
    facts = ModelFacts("network", 2, 3, (36, 40, 20, 1), 1, 1.0, 10, 1, 0.5, 2, 11)
    sizes = list(pairwise(facts.layers))
    matrices = tuple(draw.uniform(-size, size, pair).astype(np.float32) for pair in sizes)
    biases = tuple(draw.uniform(-size, size, pair[1]).astype(np.float32) for pair in sizes)
    network = networks.whole_network(Layers(facts, matrices, biases))
    boards = np.array([np.random.default_rng(n).permutation(6) for n in range(200)], np.uint8)
    outputs = network.outputs(boards)
    assert (networks.native_network(network, 6).outputs(boards) == outputs).all()
    assert len(np.unique(outputs)) > 100
    if size == 0.3:  # rounding costs little
        values = matrices[0][np.arange(6) * 6 + boards].sum(axis=1) + biases[0]
        for matrix, bias in zip(matrices[1:], biases[1:], strict=True):
            values = np.maximum(values, 0) @ matrix + bias
        assert np.abs(outputs / 2**network.output_bits - values).max() < 0.02


def test_weights_too_large_for_whole_numbers_are_refused() -> None:
    path = regressions.cached_path("network", 2, 3)
    for place in (0, 37 * 4):
        numbers = list(WEIGHTS)
        numbers[place] = 1e5
        path.write_bytes(file_of(facts_of(), numbers))
        with pytest.raises(TableError, match="network for 2x3 has weights that are no sensible"):
            tw.make_heuristic("learned(network)", FIRST)


def test_a_process_notices_that_a_model_was_replaced() -> None:
    boards = [tw.Board(2, 3, state) for state, _ in states(FIRST)[::40]]

    def costs(spec: str) -> list[int]:
        found = []
        for board in boards:
            h = tw.make_heuristic(spec, FIRST)
            result = tw.solve(board, goal=FIRST, algorithm="wastar", heuristic=spec)
            assert result.engine == ("python" if "linear" in spec else "native")
            found += [h(board), result.stats.generated]
        return found

    for spec in ("learned(network)", "sum(learned(network), manhattan)", "learned(linear)"):
        model = "linear" if "linear" in spec else "network"
        seen = []
        for states_trained in (10, 300):
            keep(fit(Fit(model, 2, 3, states=states_trained, epochs=2, hidden=(8,))))
            seen.append(costs(spec))
        assert seen[0] != seen[1], spec


def test_the_same_seed_and_epochs_give_the_same_model() -> None:
    one, other = (fit(Fit("network", 2, 2, epochs=3, hidden=(8,))) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one.matrices, other.matrices, strict=True))


@pytest.mark.full
def test_boards_of_a_larger_shape_are_solved_for_their_distances() -> None:
    goal = Goal.blank_first(3, 4)
    found = sample(goal, seed=3, most=60, clock=Meter(Limits(seconds=40.0), 12))
    assert len(found.part(held_out=False).states) >= 60
    assert len(set(found.states)) == len(found.states)
    for state, distance in list(zip(found.states, found.distances, strict=True))[::9]:
        assert tw.solve(tw.Board(3, 4, state), goal=goal, algorithm="idastar").cost == distance


def facts_of(**changes: object) -> dict[str, object]:
    facts = ModelFacts("network", 2, 3, (36, 4, 1), 1, 1.0, 10, 1, 0.5, 2, 11).to_dict()
    return {"kind": regressions.KIND, "version": 1, **facts, **changes}


def file_of(facts: dict[str, object], numbers: object) -> bytes:
    data = zlib.compress(np.asarray(numbers, "<f4").tobytes())
    known = {"size": len(data), "checksum": zlib.crc32(data), **facts}
    return json.dumps(known).encode() + b"\n" + data


WEIGHTS = [0.1] * (37 * 4 + 5)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a trained model"),
        (b"[" * 5000, "is not a trained model"),
        (file_of(facts_of(version=2), WEIGHTS), "of another version"),
        (file_of(facts_of(), WEIGHTS)[:-1], "was cut off"),
        (file_of(facts_of(checksum=1), WEIGHTS), "is damaged"),
        (file_of(facts_of(), WEIGHTS[1:]), "other weights"),
        (file_of(facts_of(), [*WEIGHTS, 1]), "other weights"),
        (file_of(facts_of(), [float("nan"), *WEIGHTS[1:]]), "no sensible numbers"),
        (file_of(facts_of(layers=[36, 10**9, 1]), WEIGHTS), "makes no sense"),
        (file_of(facts_of(layers=[36, 4, 4]), WEIGHTS), "makes no sense"),
        (file_of(facts_of(layers=["36", 4, 1]), WEIGHTS), "makes no sense"),
        (file_of(facts_of(model="pickle"), WEIGHTS), "makes no sense"),
        (file_of(facts_of(rows=True), WEIGHTS), "makes no sense"),
        (file_of(facts_of(seconds=float("inf")), WEIGHTS), "makes no sense"),
        (file_of(facts_of(further=1), WEIGHTS), "makes no sense"),
        (file_of(facts_of(rows=1, columns=6), WEIGHTS), "makes no sense"),
    ],
)
def test_a_file_of_a_stranger_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = regressions.cached_path("network", 2, 3)
    path.write_bytes(content)
    with pytest.raises(TableError, match=message):
        regressions.layers_for("network", FIRST)


def test_a_whole_file_of_a_stranger_is_read(tmp_path: Path) -> None:
    path = regressions.cached_path("network", 2, 3)
    path.write_bytes(file_of(facts_of(), WEIGHTS))
    assert regressions.layers_for("network", FIRST).facts.layers == (36, 4, 1)
    path.write_bytes(file_of(facts_of(rows=3, columns=3, layers=[81, 1, 1]), [0.0] * 84))
    with pytest.raises(TableError, match="is a model network for 3x3"):
        regressions.layers_for("network", FIRST)


def test_what_is_missing_names_the_command() -> None:
    with pytest.raises(TableError, match="`tilewise learn train 2x5 --model network` makes one"):
        tw.make_heuristic("learned(network)", Goal.blank_first(2, 5))
    with pytest.raises(SpecError, match="expected a model pairs, linear, network, policy; got"):
        tw.make_heuristic("learned(deep)", FIRST)


def test_the_command_trains_lists_shows_and_removes(tilewise: Run, tmp_path: Path) -> None:
    env = {"TILEWISE_CACHE": str(tmp_path / "cache")}
    made = tilewise("learn", "train", "2x3", "--model", "linear", env=env)
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("learned-2x3-linear.model: 2x3, trained on 324 states\n")
    assert "linear, 324 states, seed 1" in tilewise("learn", "list", env=env).stdout
    shown = tilewise("learn", "show", "2x3", "--model", "linear", env=env).stdout
    assert "36 states held out: mean error" in shown
    audited = tilewise("audit", "learned(linear)", "--shape", "2x3", env=env)
    assert audited.returncode == 0 and "too large" in audited.stdout, audited.stderr
    refused = tilewise("learn", "train", "2x3", "--model", "linear", "--rounds", "3", env=env)
    assert (
        refused.returncode == 2
        and "expected --rounds, --begin, --ranks, --squares and --beams for the model"
        in refused.stderr
    )
    assert tilewise("learn", "remove", "2x3", env=env).stdout == "removed 1 model\n"


def by_flag(clock: Meter) -> None:
    clock.cancel()


def by_ctrl_c(clock: Meter) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("end", [by_flag, by_ctrl_c])
@pytest.mark.parametrize("model", ["network", "policy"])
def test_who_ends_a_training_does_not_wait_until_all_states_are_judged(
    model: str, end: Callable[[Meter], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn.neural_network")
    monkeypatch.setattr(judging, "AT_ONCE", 10)
    assert fit(Fit(model, 2, 3, epochs=1, hidden=(8,))).facts.held_out == 36
    plan, told = Fit(model, 2, 3, epochs=1000, hidden=(8,)), list[int]()
    clock = plan.clock()

    def watch(progress: FitProgress) -> None:
        told.append(progress.epoch)
        if progress.epoch == 2:
            end(clock)

    ended = fit(plan, watch, clock).facts
    assert told == [0, 1, 2] and ended.checked == ended.held_out == 10


@pytest.mark.parametrize("model", regressions.MODELS)
def test_ctrl_c_while_a_model_is_judged_keeps_it(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if model != "linear":
        pytest.importorskip("sklearn.neural_network")
    over: list[bool] = []

    def interrupted(goal: Goal, layers: Layers, found: Sample, clock: Meter) -> ModelFacts:
        over.append(clock.over)
        if len(over) == 1:
            raise KeyboardInterrupt
        return judging.judged(goal, layers, found, clock)

    monkeypatch.setattr(judging, "AT_ONCE", 10)
    monkeypatch.setattr(fitting, "judged", interrupted)
    facts = fit(Fit(model, 2, 3, epochs=1, hidden=(8,))).facts
    assert over == [False, True] and facts.checked == facts.held_out == 10


def test_a_training_that_is_ended_before_there_are_states_learns_nothing() -> None:
    plan = Fit("linear", 2, 3)
    clock = plan.clock()
    clock.cancel()
    with pytest.raises(CancelledError):
        fit(plan, clock=clock)
