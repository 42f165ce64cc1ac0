"""Experiments as data: products, keys, normal forms, TOML."""

from __future__ import annotations

import json
import pickle
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tilewise as tw
from tilewise import Board, Goal, Limits, TilewiseError
from tilewise.lab import (
    Boards,
    Experiment,
    FromFile,
    FromSuite,
    Instance,
    Part,
    Run,
    Scramble,
    from_toml,
    load,
)
from tilewise.lab.recorded_depth import ContradictionError
from tilewise.lab.run import RUN_COLUMNS
from tilewise.tables.distances import distance_table

ONE = Boards(("1b2 345 678",))
BOARDS = 'boards = ["1b2 345 678"]\n'
RUN = Run(board="1b2 345 678", goal="first", algorithm="astar", heuristic="manhattan")


def runs(part: Part) -> list[Run]:
    return [cell.run for cell in part.planned_runs()]


def test_a_part_is_the_product_of_all_that_it_lists() -> None:
    part = Part(
        "all",
        [Boards(("1b2 345 678", "312 b45 678"))],
        algorithms=["astar", "idastar"],
        heuristics=["manhattan", "misplaced", "zero"],
        rules=["default", "order=LRUD"],
        limits=[Limits(), Limits(generated=10)],
        seeds=[0, 1, 2],
    )
    assert len({run.key for run in runs(part)}) == 2 * 2 * 3 * 2 * 2 * 3


def test_an_algorithm_that_uses_no_heuristic_appears_once() -> None:
    found = runs(Part("all", [ONE], algorithms=["bfs", "astar"], heuristics=["h1", "manhattan"]))
    assert [(run.algorithm, run.heuristic) for run in found] == [
        ("bfs", ""),
        ("astar", "misplaced"),
        ("astar", "manhattan"),
    ]


def test_without_heuristics_an_algorithm_has_its_own() -> None:
    found = runs(Part("all", [ONE], algorithms=["beam(10)", "astar"]))
    assert [(run.algorithm, run.heuristic) for run in found] == [
        ("beam(width=10)", "sum(misplaced, manhattan)"),
        ("astar", "linear_conflict"),
    ]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("board", "b12 345 678"),
        ("goal", "last"),
        ("algorithm", "idastar"),
        ("heuristic", "zero"),
        ("rules", "fifo"),
        ("profile", "eecs391"),
        ("measure", "module:name"),
        ("max_nodes", 10),
        ("max_seconds", 1.0),
        ("max_memory", 10),
        ("seed", 1),
    ],
)
def test_every_field_of_a_run_changes_its_key(column: str, value: str | int) -> None:
    assert replace(RUN, **{column: value}).key != RUN.key  # type: ignore[arg-type]


def test_the_key_does_not_change_from_release_to_release() -> None:
    assert RUN.key == "0e8fbe5bf2be97fa6a2554c8854d8f65"
    assert [column.name for column in RUN_COLUMNS] == list(RUN.__dataclass_fields__)


def test_a_run_survives_a_journey() -> None:
    assert pickle.loads(pickle.dumps(RUN)) == RUN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"algorithms": ["wastar(3/2)"]}, {"algorithms": ["wastar(weight = 1.5)"]}),
        ({"heuristics": ["h2"]}, {"heuristics": ["manhattan"]}),
        ({"rules": ["ties=fifo, order=LRUD"]}, {"rules": ["order=LRUD,ties=oldest"]}),
        ({"rules": ["default"]}, {}),
        ({"limits": [Limits(seconds=2)]}, {"limits": [Limits(seconds=2.0)]}),
        ({"instances": [Boards(("1,0,2,3,4,5,6,7,8",))]}, {}),
        ({"goal": "b12 345 678"}, {"goal": "first"}),
    ],
)
def test_two_spellings_of_a_run_have_one_key(
    one: dict[str, object], other: dict[str, object]
) -> None:
    usual: dict[str, object] = {"name": "all", "instances": [ONE]}
    keys = [runs(Part(**{**usual, **each}))[0].key for each in (one, other)]  # type: ignore[arg-type]
    assert keys[0] == keys[1]


def test_ties_set_on_purpose_are_not_those_of_a_named_set() -> None:
    fifo, on_purpose = runs(Part("all", [ONE], algorithms=["dfs"], rules=["fifo", "ties=fifo"]))
    assert fifo.key != on_purpose.key


def test_the_order_of_runs_is_shuffled_by_the_seed_and_each_run_is_there_once() -> None:
    part = Part("all", [Scramble("3x3", count=50, distinct=True)])
    first, again, other = (Experiment("x", [part, part], order_seed=seed) for seed in (1, 1, 2))
    cells = first.planned_runs()
    assert len(cells) == 100
    assert len(first.shuffled(cells)) == 50
    assert first.shuffled(cells) == again.shuffled(again.planned_runs())
    assert first.shuffled(cells) != other.shuffled(other.planned_runs())
    assert set(first.shuffled(cells)) == set(other.shuffled(other.planned_runs()))


def test_parts_marked_full_are_left_out() -> None:
    experiment = Experiment("x", [Part("a", [ONE]), Part("b", [ONE], ["bfs"], full=True)])
    assert [cell.part for cell in experiment.planned_runs()] == ["a"]
    assert [cell.part for cell in experiment.planned_runs(full=True)] == ["a", "b"]


def test_boards_of_a_depth_are_a_sample_of_all_sorted_states() -> None:
    table = distance_table(Goal.blank_first(3, 3))
    drawn = [
        instance.board.tiles
        for instance in Scramble("3x3", depth=(6, 14), count=100, seed=1000).draw(0)
    ]
    assert sorted(drawn[:39]) == list(table.states(6))
    assert drawn[39:] == random.Random(1014).sample(list(table.states(14)), 100)


def test_a_source_without_a_seed_uses_that_of_the_part() -> None:
    part = Part("all", [Scramble("4x4", walk=(30,), count=2)], ["human"], seeds=[1, 2])
    boards = [run.board for run in runs(part)]
    assert len(set(boards)) == 4
    assert boards[:2] == [
        str(instance.board) for instance in Scramble("4x4", walk=(30,), count=2, seed=1).draw(9)
    ]


def test_labels_are_those_of_the_part_and_of_the_instance_and_the_true_depth() -> None:
    walk = Scramble("3x3", walk=(40,), count=1, seed=3)
    cell = next(Part("all", [walk], labels={"series": "A*"}).planned_runs())
    depth = distance_table(Goal.blank_first(3, 3)).distance(Board.parse(cell.run.board).tiles)
    assert cell.labels == {"series": "A*", "walk": 40, "depth": depth}
    suite = next(Part("all", [FromSuite("korf100", numbers=("79",))], ["idastar"]).planned_runs())
    assert (suite.instance, suite.labels) == ("korf100:79", {"depth": 42})


def test_a_label_must_be_a_new_word() -> None:
    board = Board.parse("1b2 345 678")
    wrong: list[dict[str, Any]] = [{"cost": 1}, {"two words": 1}, {"list": []}]
    for labels in wrong:
        with pytest.raises(TilewiseError, match="label"):
            list(Part("all", [Boards((Instance(board, labels=labels),))]).planned_runs())


def test_a_notation_brings_its_goal_and_a_part_may_set_another() -> None:
    grid = Boards(("1 2 3/4 5 6/7 0 8",))
    assert runs(Part("all", [grid]))[0].goal == "last"
    assert runs(Part("all", [grid], goal="snail"))[0].goal == "snail"


@pytest.mark.parametrize(
    ("settings", "run"),
    [
        (
            {"heuristics": ["h1"]},
            Run("1b2 345 678", "first", "astar", "h1", "eecs391", "eecs391", max_nodes=10_000),
        ),
        (
            {"algorithms": ["beam(7)"]},
            Run(
                "1b2 345 678", "first", "beam(width=7)", "", "eecs391", "eecs391", max_nodes=10_000
            ),
        ),
        (
            {"profile": "columbia"},
            Run("1b2 345 678", "first", "astar", "manhattan", "columbia", "columbia"),
        ),
        (
            {"profile": "cs170", "algorithms": ["ucs"]},
            Run("1b2 345 678", "last", "ucs", "", "cs170", "cs170"),
        ),
    ],
)
def test_a_profile_has_its_own_searches(settings: dict[str, object], run: Run) -> None:
    part = Part(**{"name": "all", "instances": [ONE], "profile": "eecs391", **settings})  # type: ignore[arg-type]
    assert runs(part) == [run]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"algorithms": ["astarr"]}, "did you mean astar"),
        ({"heuristics": ["max("]}, "max"),
        ({"rules": ["order=UUUU"]}, "order"),
        ({"algorithms": ["idastar"], "rules": ["ties=fifo"]}, "among order; got ties"),
        ({"profile": "mit"}, "expected a profile"),
        ({"profile": "eecs391", "algorithms": ["bfs"]}, "astar or beam"),
        ({"profile": "eecs391", "heuristics": ["manhattan"]}, "h1 or h2"),
        ({"profile": "eecs391"}, "h1 or h2"),
        ({"seeds": [-1]}, "seed"),
        ({"instances": [FromSuite("korf")]}, "korf100"),
        ({"instances": [FromSuite("korf100", numbers=("101",))]}, "'101'"),
        ({"instances": [FromSuite("korf100", first=0)]}, "first"),
        ({"instances": [Boards(("12 34",))]}, "expected"),
        ({"instances": [FromFile("nowhere.txt")]}, "nowhere.txt"),
        ({"instances": [Scramble("3x3", depth=(32,))]}, "at most 31"),
        ({"instances": [Scramble("3x3", depth=(2,), walk=(3,))]}, "both"),
        ({"instances": [Scramble("3x3", count=0)]}, "count"),
        ({"instances": [Scramble("x")]}, "shape"),
        ({"goal": "corner"}, "goal"),
        ({"instances": []}, "at least one run"),
        ({"algorithms": []}, "at least one run"),
    ],
)
def test_what_cannot_be_run_is_refused(settings: dict[str, object], message: str) -> None:
    part = Part(**{"name": "all", "instances": [ONE], **settings})  # type: ignore[arg-type]
    with pytest.raises(TilewiseError, match=message):
        Experiment("x", [part]).planned_runs()


TOML = """
name = "mine"
title = "a test"
order_seed = 7
heuristics = ["manhattan", "zero"]
max_nodes = [100, 1000]
seconds = 5

[[instances]]
suite = "korf100"
numbers = [1, 2]

[[part]]
name = "informed"
algorithms = "astar"

[[part]]
name = "blind"
algorithms = ["bfs"]
labels = { series = "blind" }
full = true

[[part.instances]]
scramble = "2x3"
depth = [3, 4]
count = 5
seed = 3
"""


def test_a_toml_file_says_what_python_says() -> None:
    limits = (Limits(100, 5), Limits(1000, 5))
    assert from_toml(TOML).planned_runs(full=True) == Experiment(
        "mine",
        [
            Part(
                "informed",
                [FromSuite("korf100", numbers=("1", "2"))],
                heuristics=["manhattan", "zero"],
                limits=limits,
            ),
            Part(
                "blind",
                [Scramble("2x3", depth=(3, 4), count=5, seed=3)],
                ["bfs"],
                ["manhattan", "zero"],
                limits=limits,
                labels={"series": "blind"},
                full=True,
            ),
        ],
    ).planned_runs(full=True)


def test_limits_in_a_toml_file_may_be_written_as_on_the_command_line() -> None:
    boards = 'name = "mine"\nboards = ["1b2 345 678"]\n'
    units = 'max_nodes = ["10k", 1e6]\nseconds = "1m30s"\nmemory = "2GB"'
    plain = "max_nodes = [10000, 1000000]\nseconds = 90\nmemory = 2048"
    assert from_toml(boards + units).planned_runs() == from_toml(boards + plain).planned_runs()


def test_a_single_source_may_stand_at_the_top(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("1b2 345 678\n312 b45 678\n", encoding="utf-8")
    for text, boards in (
        ('boards = ["1b2 345 678"]', 1),
        ('scramble = "3x3"\ncount = 4', 4),
        ('suite = "korf100"\nfirst = 3', 3),
        ('file = "boards.txt"', 2),
    ):
        assert len(from_toml(text, name="x", folder=tmp_path).planned_runs()) == boards


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = ", "expected TOML"),
        ("[" * 10_000, "expected TOML"),
        ('algoritms = ["astar"]', "did you mean algorithms"),
        (
            'boards = ["1b2 345 678"]\nalgorithms = [1]',
            "^line 2: algorithms: expected texts, got 1$",
        ),
        (
            'boards = ["1b2 345 678"]\nseeds = [0.5]',
            "^line 2: seeds: expected whole numbers, got 0.5$",
        ),
        (
            'boards = ["1b2 345 678"]\nmax_nodes = 0',
            '^line 2: max_nodes: expected whole numbers of at least 1 or texts .* "10k", got 0$',
        ),
        (
            'boards = ["1b2 345 678"]\nseconds = "long"',
            "^line 2: seconds: expected numbers above 0 or texts such as \"1m30s\", got 'long'$",
        ),
        ('boards = ["1b2 345 678"]\nfull = 1', "^line 2: full: expected true or false, got 1$"),
        (
            'boards = ["1b2 345 678"]\nlabels = 1',
            "^line 2: labels: expected a table of keys, got 1$",
        ),
        ('boards = ["1b2 345 678"]\nname = 3', "^line 2: name: expected a text, got 3$"),
        ('boards = ["1b2 345 678"]\nname = ""', "short name"),
        ('[instances]\nsuite = "korf100"', r"\[\[instances\]\]"),
        ("[[instances]]\ncount = 3", "suite, scramble, boards, file"),
        ('[[instances]]\nsuite = "korf100"\ndepth = 3', "instance 1: expected the keys suite"),
        ('[[part]]\nname = "a"', "at least one run"),
        ("boards = []", "at least one run"),
    ],
)
def test_a_toml_text_that_makes_no_sense_is_refused(text: str, message: str) -> None:
    with pytest.raises(TilewiseError, match=message):
        from_toml(text, name="x").planned_runs()


def test_an_error_in_a_file_names_file_part_key_and_what_was_meant(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    boards = 'boards = ["1b2 345 678"]\n'
    for text, message in (
        (
            '[[part]]\nname = "blind"\nmax_nodes = [9, "ten"]',
            ", line 4: part blind, max_nodes: expected",
        ),
        (
            '[[part]]\n[[part]]\nalgoritms = ["bfs"]',
            ", line 4: part 2: expected the keys .* algorithms",
        ),
        ("[[part]]\nfull = 3", ", line 3: part 1, full: expected true or false, got 3"),
        ("x = [", ": expected TOML: "),
    ):
        file.write_text(boards + text, encoding="utf-8")
        with pytest.raises(TilewiseError, match=f"^{re.escape(str(file))}{message}"):
            load(str(file))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('# first\n\nboards = [\n  "1b2 345 678",\n]\nmax_nodes = 0', "line 6: max_nodes: "),
        ('boards = [\n  "1b2 345 678",\n  3,\n]', "line 1: instance 1, boards: expected texts"),
        ('scramble = "3x3"\ncount = 2\ndepth = "far"', "line 3: instance 1, depth: "),
        ('[[instances]]\nsuite = "korf100"\n[[instances]]\nsuite = "korf100"\nx = 3', "line 5: "),
        ('[[instances]]\nboards = ["1b2 345 678"]\ngoal = 3', "line 3: instance 1, goal: "),
        ("title = '''\none = [\n'''\nfull = 1", "line 4: full: "),
        ('suite = "korf"', "line 1: instance 1, suite: expected the name of a suite"),
        ('[[part]]\nalgorithms = [\n "bfs", "asta"]', "line 2: part 1, algorithms: .* astar"),
        ('rules = "default"\nheuristics = ["max("]', "line 2: heuristics: "),
        ('rules = ["order=UUUU"]', "line 1: rules: "),
        ('\nprofile = "mit"', "line 2: profile: "),
        ('scramble = "3x3"\ngoal = "corner"', "line 2: goal: "),
        ('scramble = "x"', "line 1: instance 1, scramble: expected a shape"),
    ],
)
def test_an_error_names_the_line_of_its_key(text: str, message: str) -> None:
    with pytest.raises(TilewiseError, match=f"^{message}"):
        from_toml(text, name="x")


def test_names_of_files_that_are_still_to_be_loaded_are_not_refused() -> None:
    text = 'boards = ["1b2 345 678"]\nheuristics = ["mine"]\nload = ["mine.py"]'
    assert from_toml(text, name="x").parts[0].heuristics == ("mine",)


@pytest.mark.parametrize("goal", ["last", "snail", "123 8b4 765"])
def test_the_goal_of_a_file_holds_for_boards_that_are_drawn(goal: str) -> None:
    scramble = 'scramble = "3x3"\ndepth = [6, 9]\ncount = 3\nseed = 1'
    in_part = f'[[part]]\ngoal = "{goal}"\n[[part.instances]]\n{scramble}'
    for text in (f'goal = "{goal}"\n{scramble}', in_part):
        planned = from_toml(text, name="x").planned_runs()
        depths = [
            tw.solve(each.run.board, goal=each.run.goal, algorithm="astar").cost for each in planned
        ]
        assert depths == [each.labels["depth"] for each in planned] == [6, 6, 6, 9, 9, 9]


def test_boards_are_drawn_for_the_goal_of_a_course() -> None:
    boards = Scramble("3x3", depth=(8,), count=2, seed=1)
    part = Part("all", [boards], ["ucs"], profile="cs170")
    planned = [(each.run.goal, each.labels["depth"]) for each in part.planned_runs()]
    assert planned == [("last", 8)] * 2


@pytest.mark.parametrize(
    "part",
    [
        Part("all", [Scramble("3x3", depth=(6,), goal="first")], goal="last"),
        Part("all", [Boards(("1b2 345 678",), goal="first")], goal="last"),
        Part("all", [ONE], ["ucs"], profile="cs170", goal="first"),
    ],
)
def test_two_goals_that_differ_are_an_error(part: Part) -> None:
    with pytest.raises(TilewiseError, match=r"^expected .*goal.*, got .*first"):
        list(part.planned_runs())


def test_the_known_depths_of_a_suite_are_those_to_its_own_goal() -> None:
    part = Part("all", [FromSuite("korf100", first=1)], ["human"], goal="snail")
    assert next(part.planned_runs()).labels == {}


@pytest.mark.parametrize(("depth", "message"), [(7, "recorded depth 7, got one that is 1 moves")])
def test_a_recorded_depth_is_checked_against_the_table(depth: int, message: str) -> None:
    with pytest.raises(ContradictionError, match=message):
        list(Part("all", [ONE], labels={"depth": depth}).planned_runs())


@pytest.mark.parametrize("depth", ["deep", 1.5, -1])
def test_a_depth_is_a_number_of_moves(depth: Any) -> None:
    with pytest.raises(TilewiseError, match="expected a whole number of at least 0 as label depth"):
        list(Part("all", [ONE], labels={"depth": depth}).planned_runs())


def test_the_definition_can_be_written_as_json() -> None:
    described = from_toml(TOML).to_dict()
    assert json.loads(json.dumps(described)) == json.loads(json.dumps(described))
    assert described["parts"][1]["instances"] == [
        {"scramble": "2x3", "depth": (3, 4), "count": 5, "seed": 3}
    ]
