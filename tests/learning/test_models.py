"""Models of learned values: their files, the goals that they serve, the beam that uses them."""

from __future__ import annotations

import json
import os
import signal
import tracemalloc
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tilewise as tw
from tests.oracles.puzzle import replayed, walked
from tilewise import Board, Goal
from tilewise.core.limits import Limits, default_memory
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.memo import CACHES
from tilewise.core.result import Status
from tilewise.errors import TableError, TableWarning
from tilewise.learning import model_file, models
from tilewise.learning.frames import frame_of
from tilewise.learning.learned_beam import bytes_for, learned_beam
from tilewise.learning.model_file import Weights
from tilewise.learning.stretching import Shape, stretched
from tilewise.learning.training import SLICES, Trained, TrainingPlan, train
from tilewise.native import Training, folded_size, folded_weights, learned_sizes
from tilewise.scrambling import scramble

ROUNDS = [1, *[0] * (SLICES - 2), 1]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWISE_CACHE", str(tmp_path))


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(3, 5, TrainingPlan(rounds=ROUNDS, seed=3))


def every_goal(rows: int, columns: int) -> list[Goal]:
    shuffled = walked(Goal.blank_first(rows, columns), 501)
    named = (Goal.blank_first, Goal.blank_last, Goal.snail)
    return [*(make(rows, columns) for make in named), Goal(shuffled)]


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 3), (4, 5), (5, 4), (6, 6), (3, 9)])
@pytest.mark.parametrize("backwards", [False, True])
def test_every_goal_of_a_shape_is_reached(rows: int, columns: int, backwards: bool) -> None:
    for goal in every_goal(rows, columns):
        board = walked(goal, 40)
        outcome = learned_beam(board, goal, width=300, backwards=backwards)
        assert outcome.status is Status.SOLVED
        assert replayed(board, outcome.moves) == goal.board.tiles


def test_a_beam_backwards_is_the_beam_from_the_goal_turned_round() -> None:
    goal = Goal.blank_first(4, 4)
    board = walked(goal, 60)
    moves = learned_beam(board, goal, width=50, backwards=True).moves or ""
    opposite = str.maketrans("UDLR", "DURL")
    assert moves[::-1].translate(opposite) == learned_beam(goal.board, Goal(board), width=50).moves


def test_a_board_too_large_for_a_model_takes_a_stretched_one() -> None:
    goal = Goal.blank_last(9, 9)
    board = walked(goal, 20)
    outcome = learned_beam(board, goal, width=100)
    assert replayed(board, outcome.moves) == goal.board.tiles
    assert models.model_for(goal).source == "stretched"


def test_the_value_at_every_goal_is_0_and_transposed_goals_agree() -> None:
    for goal in every_goal(4, 5):
        assert tw.make_heuristic("learned", goal)(goal.board) == 0
    wide, high = Goal.blank_first(4, 6), Goal.blank_first(6, 4)
    board = walked(wide, 200)
    turned = tuple(board.tiles[column * 1 + row * 6] for column in range(6) for row in range(4))
    name = {tile: row + column * 4 for tile in range(24) for row, column in [divmod(tile, 6)]}
    image = Board(6, 4, tuple(name[tile] for tile in turned))
    value = tw.make_heuristic("learned", wide)(board)
    assert tw.make_heuristic("learned", high)(image) == value > 0


def test_a_beam_gives_the_same_answer_on_any_number_of_threads() -> None:
    goal = Goal.blank_first(5, 5)
    board = walked(goal, 300)
    outcomes = [learned_beam(board, goal, width=4200, threads=threads) for threads in (1, 2, 3)]
    assert len({outcome.moves for outcome in outcomes}) == 1
    assert len({outcome.stats.generated for outcome in outcomes}) == 1


def test_limits_stop_a_beam_before_they_are_exceeded() -> None:
    goal = Goal.blank_first(5, 5)
    board = walked(goal, 300)
    for limits in (Limits(generated=5000), Limits(memory=20_000), Limits(seconds=1e-6)):
        outcome = learned_beam(board, goal, width=500, limits=limits)
        assert outcome.status is Status.LIMIT and outcome.moves is None
        assert outcome.stats.generated <= 5000
    shortest = learned_beam(board, goal, width=500)
    most = len(shortest.moves or "") - 1
    assert learned_beam(board, goal, width=500, most_moves=most).status is Status.LIMIT
    assert shortest.stats.peak_memory <= bytes_for(25, 500, most + 1)


def test_a_cancelled_beam_ends() -> None:
    goal = Goal.blank_first(6, 6)
    outcome = learned_beam(walked(goal, 3000), goal, width=200_000, cancelled=lambda: True)
    assert outcome.status is Status.CANCELLED


@pytest.mark.parametrize("level", [model_file.SMALL, model_file.QUICK])
def test_a_model_read_back_is_the_one_that_was_written(
    tmp_path: Path, trained: Trained, level: int
) -> None:
    path = tmp_path / "one.model"
    model_file.write(path, trained.header, trained.weights, level)
    header, weights = model_file.read(path)
    assert header == trained.header
    for name in ("singles", "own", "shared", "squares"):
        assert np.array_equal(getattr(weights, name), getattr(trained.weights, name))
    assert np.any(weights.own) and np.any(weights.shared)


def test_a_model_in_the_cache_is_used_until_it_is_removed(trained: Trained) -> None:
    goal = Goal.blank_last(5, 3)
    path = models.cached_path(3, 5)
    before = models.model_for(goal)
    assert before.source == "stretched" and not before.trained
    model_file.write(path, trained.header, trained.weights)
    assert models.model_for(goal).header == trained.header
    path.unlink()
    assert models.model_for(goal).source == "stretched"


def test_a_square_model_is_kept_by_half_and_read_back_whole(tmp_path: Path) -> None:
    header, weights = model_file.read(models.shipped_path(4, 4))
    half = folded_weights(4, weights.own)
    assert half is not None and len(half) == folded_size(4) < 0.6 * len(weights.own)
    assert len(np.unique(half)) > 50
    model_file.write(tmp_path / "a.model", header, weights)
    read_header, read = model_file.read(tmp_path / "a.model")
    assert read_header == header and np.array_equal(read.own, weights.own)


def test_square_weights_that_are_no_images_of_each_other_are_kept_whole(tmp_path: Path) -> None:
    header, weights = model_file.read(models.shipped_path(4, 4))
    weights.own[7] += 1
    assert folded_weights(4, weights.own) is None
    model_file.write(tmp_path / "a.model", header, weights)
    assert np.array_equal(model_file.read(tmp_path / "a.model")[1].own, weights.own)


def test_a_board_and_its_transposed_image_have_the_same_value() -> None:
    goal = Goal.blank_first(5, 5)
    board = walked(goal, 301)
    turned = [0] * 25
    for cell, tile in enumerate(board.tiles):
        turned[cell % 5 * 5 + cell // 5] = tile % 5 * 5 + tile // 5
    h = build_heuristic("learned", goal)
    assert h.estimate(board.tiles) == h.estimate(tuple(turned))
    assert turned != list(board.tiles)


def damaged(content: bytes, how: str) -> bytes:
    line, _, data = content.partition(b"\n")
    facts = json.loads(line)
    if how == "cut off":
        return content[:-10]
    if how == "changed":
        return content[:-10] + b"0123456789"
    if how == "foreign":
        return b"\x7fELF" + content
    if how == "another version":
        facts["version"] = 999
    if how == "no shape":
        facts["rows"] = "three"
    if how == "another shape":
        facts["columns"] = 6
    if how == "folded, but not square":
        facts["folded"] = True
    if how == "neither folded nor whole":
        del facts["folded"]
    if how == "packed, and said not to be":
        facts["packed"] = False
    if how == "neither packed nor not":
        facts["packed"] = 1
    return json.dumps(facts).encode() + b"\n" + data


@pytest.mark.parametrize(
    "how",
    [
        "cut off",
        "changed",
        "foreign",
        "another version",
        "no shape",
        "another shape",
        "folded, but not square",
        "neither folded nor whole",
        "packed, and said not to be",
        "neither packed nor not",
    ],
)
def test_a_damaged_model_is_refused_and_not_used(how: str, trained: Trained) -> None:
    path = models.cached_path(3, 5)
    path.write_bytes(damaged(model_file.packed(trained.header, trained.weights), how))
    with pytest.raises(TableError, match="model file"):
        model_file.read(path)
    with pytest.warns(TableWarning, match="not used"):
        assert models.model_for(Goal.blank_first(3, 5)).source == "stretched"


def test_a_model_for_another_shape_is_not_used(trained: Trained) -> None:
    model_file.write(models.cached_path(4, 5), trained.header, trained.weights)
    with pytest.warns(TableWarning, match="is a model for 3x5; it is not used"):
        assert models.model_for(Goal.blank_first(4, 5)).source == "stretched"


def forged(content: bytes, **facts: object) -> bytes:
    """A model whose header says something else; its checksum still holds."""
    line, _, data = content.partition(b"\n")
    return json.dumps(json.loads(line) | facts).encode() + b"\n" + data


@pytest.mark.parametrize(
    "facts",
    [
        {"seconds": "long"},
        {"seconds": float("nan")},
        {"seconds": 10**400},
        {"begins_with": "\x1b[32mvalid"},
        {"begins_with": {"a": 1}},
        {"seed": 10**400},
        {"rounds": "twenty"},
        {"rounds": [-1]},
        {"rows": True},
        {"more": 1},
    ],
)
def test_a_forged_header_is_refused(facts: dict[str, object], trained: Trained) -> None:
    path = models.cached_path(3, 5)
    path.write_bytes(forged(model_file.packed(trained.header, trained.weights), **facts))
    with pytest.raises(TableError, match="makes no sense"):
        model_file.read(path)


def test_a_header_without_an_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.model"
    path.write_bytes(b"[" * 8000)
    with pytest.raises(TableError, match="is not a model"):
        model_file.read(path)


def test_weights_that_unpack_to_more_than_the_shape_has_are_refused(
    tmp_path: Path, trained: Trained
) -> None:
    path = tmp_path / "bomb.model"
    data = zlib.compress(bytes(50_000_000), 9)
    content = model_file.packed(trained.header, trained.weights).partition(b"\n")[0] + b"\n" + data
    path.write_bytes(forged(content, size=len(data), checksum=zlib.crc32(data)))
    tracemalloc.start()
    with pytest.raises(TableError, match="cannot be read"):
        model_file.read(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000


def in_place_of_a_file(path: Path, what: str) -> None:
    if what == "a pipe":
        os.mkfifo(path)
    elif what == "a link":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()


@pytest.mark.parametrize("what", ["a pipe", "a link", "a folder"])
def test_what_is_no_plain_file_is_not_read(what: str) -> None:
    in_place_of_a_file(models.cached_path(3, 5), what)
    with pytest.raises(TableError, match=f"{what} in place of a file"):
        model_file.read(models.cached_path(3, 5))
    with pytest.warns(TableWarning, match=f"{what} in place of a file; it is not used"):
        assert models.model_for(Goal.blank_first(3, 5)).source == "stretched"


@pytest.mark.parametrize("what", ["a pipe", "a link", "a folder"])
def test_shared_weights_that_cannot_be_read_are_those_of_the_package(what: str) -> None:
    usual = models.shared_part()
    in_place_of_a_file(models.cached_shared(), what)
    with pytest.warns(TableWarning, match="it is not used"):
        assert np.array_equal(models.shared_part(), usual)


def test_a_file_that_is_too_large_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_file, "LARGEST", 1000)
    path = tmp_path / "large.model"
    path.write_bytes(bytes(1001))
    with pytest.raises(TableError, match="more than 1,000 bytes"):
        model_file.read(path)


def test_models_are_bounded_by_bytes_with_everything_else_that_is_kept() -> None:
    goal = Goal.blank_first(4, 7)
    models.forget()
    before = CACHES.bytes
    made = models.model_for(goal)
    assert models.model_for(goal) is made
    assert CACHES.bytes - before == made.values.bytes > 2_000_000
    assert build_heuristic("learned", goal).table_bytes == made.values.bytes
    CACHES.set_most_bytes(1000)
    try:
        assert models.model_for(goal) is not made
    finally:
        CACHES.set_most_bytes(default_memory() // 2)


class SignalledError(Exception):
    """What the handler of a signal raises; Ctrl-C itself would end the tests if it came late."""


def test_a_signal_ends_a_round_and_leaves_the_weights_of_before() -> None:
    training = Training(6, 6, 1)
    for _ in range(3):
        training.round("rest", 1.0, 2)
    before = [part.copy() for part in training.weights()]

    def interrupt(*_: object) -> None:
        raise SignalledError

    def interrupted_round() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        training.round("differences", 1.0, 2)

    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(SignalledError):
            interrupted_round()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    for now, then in zip(training.weights(), before, strict=True):
        assert np.array_equal(now, then)


def test_training_is_reproducible_and_goes_on_from_a_model(trained: Trained) -> None:
    again = train(3, 5, TrainingPlan(rounds=ROUNDS, seed=3, threads=2))
    assert np.array_equal(again.weights.own, trained.weights.own)
    other = train(3, 5, TrainingPlan(rounds=ROUNDS, seed=4))
    assert not np.array_equal(other.weights.own, trained.weights.own)
    longer = train(
        3, 5, TrainingPlan(rounds=ROUNDS, seed=3, begin=trained.weights, begins_with="it")
    )
    assert longer.header.begins_with == "it"
    assert not np.array_equal(longer.weights.own, trained.weights.own)


def test_a_training_from_nothing_begins_on_smaller_boards() -> None:
    shapes: list[str] = []
    rounds = [1, *[0] * (SLICES - 2), 1]
    plan = TrainingPlan(rounds=rounds, threads=2)
    made = train(6, 6, plan, watch=lambda progress: shapes.append(progress.shape))
    assert shapes == ["5x5", "6x6"]
    assert (made.header.shape, made.header.rounds) == ("6x6", tuple(rounds))
    shapes.clear()
    goes_on = TrainingPlan(rounds=rounds, threads=2, begin=made.weights, begins_with="6x6")
    train(6, 6, goes_on, watch=lambda progress: shapes.append(progress.shape))
    assert shapes == ["6x6", "6x6"]


def test_every_slice_of_a_training_belongs_to_one_stage_and_its_steps_become_smaller() -> None:
    for side, sides in ((4, [4]), (5, [5]), (6, [5, 6]), (8, [5, 6, 7, 8])):
        stages = TrainingPlan(seconds=1).stages(side, side)
        assert [stage.shape for stage in stages] == [(each, each) for each in sides]
        slices = [number for stage in stages for number in range(stage.begin, stage.end)]
        assert slices == [*range(SLICES)]
        for stage in stages:
            rates = [stage.rate(number) for number in range(stage.begin, stage.end)]
            assert rates == sorted(rates, reverse=True) and rates[0] == stage.first_rate


def test_a_training_that_ends_on_smaller_boards_can_be_repeated() -> None:
    rounds = [2, *[0] * (SLICES - 1)]
    whole = train(7, 7, TrainingPlan(rounds=rounds, seed=5))
    calls = iter([False, False, True])
    stopped = train(7, 7, TrainingPlan(rounds=[9] * SLICES, seed=5), cancelled=lambda: next(calls))
    assert stopped.header.rounds == whole.header.rounds
    assert np.array_equal(stopped.weights.own, whole.weights.own)
    assert np.array_equal(stopped.weights.singles, whole.weights.singles)


def test_training_makes_solutions_shorter() -> None:
    goal = Goal.blank_first(4, 4)
    boards = [walked(goal, 2000, seed) for seed in range(12)]

    def total() -> int:
        return sum(len(learned_beam(board, goal, width=30).moves or "") for board in boards)

    made = train(4, 4, TrainingPlan(rounds=[1] * SLICES, threads=2))
    untrained = Weights(*(np.zeros(count, np.int16) for count in learned_sizes(4, 4)))
    model_file.write(models.cached_path(4, 4), made.header, untrained)
    before = total()
    model_file.write(models.cached_path(4, 4), made.header, made.weights)
    assert total() < before


def test_the_shipped_models_are_whole() -> None:
    shipped = [path for source, path in models.files() if source == "package"]
    pairs = [path for path in shipped if "-" not in path.stem]  # 3x3-linear is of another kind
    assert len(pairs) == len(models.SHAPES) + 1  # and the shared weights
    for path in pairs:
        header, _ = model_file.read(path)
        assert sum(header.rounds) > 0 or header.begins_with == "7x7"
    assert sum(path.stat().st_size for path in shipped) < 10_000_000


def test_a_frame_names_every_tile_by_its_home() -> None:
    for goal in every_goal(3, 5):
        frame = frame_of(goal)
        assert sorted(frame.home) == sorted(frame.cell) == list(range(15))
        assert frame.home[0] == 0
        if goal.name in ("first", "last"):
            assert frame.solved == bytes(range(15))


def test_a_process_notices_that_a_model_was_replaced_that_it_stretches(trained: Trained) -> None:
    goal = Goal.blank_first(5, 6)
    board = walked(goal, 60)
    before = tw.make_heuristic("max(learned, misplaced)", goal)(board)
    nothing = Weights(*(np.zeros(count, np.int16) for count in learned_sizes(5, 5)))
    header = replace(trained.header, rows=5, columns=5)
    model_file.write(models.cached_path(5, 5), header, nothing)
    after = tw.make_heuristic("max(learned, misplaced)", goal)(board)
    untrained = models.native_values(5, 6, stretched(nothing, Shape(5, 5), Shape(5, 6))).value(
        frame_of(goal).homes(board.tiles)
    )
    assert before != after == (untrained + 64) // 128


@pytest.mark.parametrize(
    ("shape", "depth", "most"),
    [("3x3", 26, 26.3), pytest.param("3x4", 38, 39.5, marks=pytest.mark.full)],
)
def test_narrow_beams_find_short_solutions_of_small_boards(
    shape: str, depth: int, most: float
) -> None:
    boards = list(scramble(shape, depth=depth, count=12, seed=1))
    found = [tw.solve(board, algorithm="beam(width=20)", heuristic="learned") for board in boards]
    assert all(result.engine == "native" for result in found)
    assert sum(result.cost or 100 for result in found) / len(found) < most
