"""The public API as the README shows it, what users register, and what it refuses."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import tilewise as tw
from tests.oracles.puzzle import replayed
from tilewise.core import registry
from tilewise.core.result import Outcome
from tilewise.defaults import FASTEST
from tilewise.errors import (
    BoardError,
    EngineError,
    GoalError,
    LimitsError,
    MoveError,
    SpecError,
    TableError,
)
from tilewise.plugins import load_file

EASY = "1b2 345 678"
HARD = "8b6 547 231"
MIDDLE = "4,6,2,7,1,5,3,0,8"
SLOW = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
FIRST = tw.Goal.blank_first(3, 3)
ANY: Any = tw
"""The package without its types: for calls that a type checker would refuse."""


@pytest.fixture(autouse=True)
def unchanged_registry() -> Iterator[None]:
    """What a test registers is gone after it."""
    heuristics, algorithms = dict(registry.HEURISTICS), dict(registry.ALGORITHMS)
    yield
    registry.HEURISTICS.clear()
    registry.HEURISTICS.update(heuristics)
    registry.ALGORITHMS.clear()
    registry.ALGORITHMS.update(algorithms)


def test_the_old_call_that_makes_a_heuristic_works_and_names_the_new_one() -> None:
    with pytest.warns(DeprecationWarning, match=r"tilewise\.make_heuristic\(spec, goal\)"):
        made = tw.heuristic("manhattan", goal=FIRST)
    assert made is tw.make_heuristic("manhattan", FIRST)


def test_the_lines_of_the_readme_do_what_it_says() -> None:
    board = tw.Board.parse(HARD)
    result = tw.solve(board)
    assert (result.cost, result.optimal, result.solved) == (31, True, True)
    assert replayed(board, result.moves) == FIRST.board.tiles
    assert result.stats.expanded > 0
    weighted = tw.solve(
        board,
        algorithm="wastar(weight=1.5)",
        heuristic="linear_conflict",
        limits=tw.Limits(generated=100_000),
    )
    assert weighted.cost is not None and 31 <= weighted.cost <= 46
    trace = tw.trace(board, algorithm="astar", heuristic="manhattan", events=200)
    assert len(list(trace)) == 200
    assert tw.make_heuristic("max(manhattan, linear_conflict)", FIRST)(board) == 23


def test_every_public_name_is_there() -> None:
    assert all(hasattr(tw, name) for name in tw.__all__)


def test_a_text_has_the_goal_of_its_notation_and_a_board_blank_first() -> None:
    for text in ("1 2 3\n4 0 6\n7 5 8", "1 2 3/4 0 6/7 5 8"):
        for result in (tw.solve(text), tw.solve(text, goal="auto"), tw.trace(text).result):
            assert (result.moves, result.goal.name, result.note) == ("DR", "last", None)
        assert tw.solve(tw.Board.parse(text)).goal == FIRST
    assert tw.solve("123 4b6 758").goal == FIRST


def test_a_board_that_is_a_named_goal_is_solved_unless_another_goal_is_named() -> None:
    for text in ("1 2 3 4 5 6 7 8 0", "123 456 78b", tw.Goal.blank_last(3, 3).board):
        result = tw.solve(text)
        assert (result.cost, result.goal.name) == (0, "last")
        assert result.note == "goal: last (this board already is that goal)"
        assert tw.solve(text, goal="first").cost == 22


def test_the_goal_is_blank_last_where_only_that_can_be_reached() -> None:
    result = tw.solve("1b 32")
    assert (result.cost, result.goal.name) == (1, "last")
    assert result.note == "goal: last (the goal first cannot be reached from this board)"
    assert tw.solve("1b 32", goal="first").status is tw.Status.UNSOLVABLE


@pytest.mark.parametrize("goal", ["snail", tw.Goal.snail(3, 3), "123 8b4 765"])
def test_a_goal_is_a_name_or_a_goal_or_the_text_of_a_board(goal: tw.Goal | str) -> None:
    result = tw.solve("123 b84 765", goal=goal)
    assert (result.cost, result.goal.name, result.note) == (1, "snail", None)


def test_a_goal_may_be_a_board() -> None:
    result = ANY.solve("123 b84 765", goal=tw.Board.parse("123 8b4 765"))
    assert (result.cost, result.goal) == (1, tw.Goal.snail(3, 3))


def test_no_answer_is_a_status_with_a_reason() -> None:
    result = tw.solve("21b 345 678")
    assert result.status is tw.Status.UNSOLVABLE
    assert (result.moves, result.cost, result.boards()) == (None, None, [])
    assert "odd number of swaps away (1)" in str(result.note)
    assert tw.solve(HARD, algorithm="astar", limits=tw.Limits(generated=7)).stats.generated == 7


def test_a_result_replays_its_boards_and_becomes_json_and_survives_a_pickle() -> None:
    result = tw.solve("142 3b5 678")
    assert [str(board) for board in result.boards()] == ["142 3b5 678", EASY, "b12 345 678"]
    said = json.loads(json.dumps(result.to_dict()))
    assert (said["moves"], said["cost"], said["status"]) == ("UL", 2, "solved")
    assert set(said["stats"]) == {counter.name for counter in tw.COUNTERS}
    assert pickle.loads(pickle.dumps(result)) == result


def test_a_search_that_nobody_named_hands_over_to_human_and_says_so() -> None:
    result = tw.solve(SLOW, limits=tw.Limits(generated=300))
    assert (result.algorithm, result.solved, result.optimal) == ("human", True, False)
    assert f"{FASTEST} reached its limit" in str(result.note) and "300 nodes" in str(result.note)
    named = tw.solve(SLOW, algorithm="idastar", limits=tw.Limits(generated=300))
    assert (named.status, named.moves) == (tw.Status.LIMIT, None)


def test_a_search_can_be_cancelled() -> None:
    cancel = Event()
    cancel.set()
    assert tw.solve(SLOW, cancel=cancel).status is tw.Status.CANCELLED


def test_a_trace_keeps_the_first_events_and_counts_and_digests_all() -> None:
    short, long = (tw.trace("142 3b5 678", events=number) for number in (3, 1000))
    assert list(short) == list(long)[:3] and len(short) == 3
    assert (short.count, short.digest) == (long.count, long.digest) == (len(long), long.digest)
    assert short.result.moves == long.result.moves == "UL"
    assert [event.seq for event in long] == list(range(len(long)))
    assert (long.events[0].kind.value, long.events[-1].kind.value) == ("start", "stop")
    assert tw.trace("142 3b5 678", events=0).events == ()
    assert tw.trace("142 3b5 678", rules="order=RLDU").digest != long.digest


def test_a_trace_cannot_have_fewer_than_no_events() -> None:
    with pytest.raises(SpecError, match="number of events of at least 0, got -1"):
        tw.trace(EASY, events=-1)


def test_a_heuristic_refuses_a_board_of_another_shape_and_what_is_no_board() -> None:
    manhattan = tw.make_heuristic("manhattan", FIRST)
    assert (manhattan(tw.Board.parse(EASY)), manhattan.admissible) == (1, True)
    with pytest.raises(BoardError, match="expected a 3x3 board, got 2x2"):
        manhattan(tw.Board.parse("12 3b"))
    with pytest.raises(BoardError):
        manhattan(EASY)  # type: ignore[arg-type]


def test_a_heuristic_that_was_made_serves_its_own_goal_only() -> None:
    made = tw.make_heuristic("manhattan", tw.Goal.blank_last(3, 3))
    result = tw.solve(EASY, goal="last", heuristic=made)
    assert result.solved and result.heuristic == "manhattan"
    with pytest.raises(SpecError, match="heuristic for goal first, got last"):
        tw.solve(EASY, heuristic=made)


REFUSED: dict[str, tuple[Callable[[], object], type[tw.TilewiseError]]] = {
    "a bad board": (lambda: tw.solve("b12 345 67"), BoardError),
    "no board": (lambda: ANY.solve(None), BoardError),
    "bytes": (lambda: ANY.solve(EASY.encode()), BoardError),
    "a list": (lambda: ANY.solve([1, 0, 2, 3]), BoardError),
    "a trace of no board": (lambda: ANY.trace(5), BoardError),
    "tiles that are true": (lambda: tw.Board(2, 2, (0, True, 2, 3)), BoardError),
    "a move in small letters": (lambda: tw.Board.parse(EASY).move("l"), MoveError),
    "a move over the edge": (lambda: tw.Board.parse(EASY).move("U"), MoveError),
    "an unknown notation": (lambda: tw.Board.parse(EASY).to("morse"), BoardError),
    "an unknown goal": (lambda: tw.solve(EASY, goal="middle"), GoalError),
    "a goal of another shape": (lambda: tw.solve(EASY, goal=tw.Goal.snail(4, 4)), GoalError),
    "a goal of no board": (lambda: ANY.Goal("b12 345 678"), GoalError),
    "an unknown algorithm": (lambda: tw.solve(EASY, algorithm="magic"), SpecError),
    "an empty algorithm": (lambda: tw.solve(EASY, algorithm=""), SpecError),
    "an unknown heuristic": (lambda: tw.solve(EASY, heuristic="magic"), SpecError),
    "an empty heuristic": (lambda: tw.solve(EASY, heuristic=""), SpecError),
    "a number as heuristic": (lambda: ANY.solve(EASY, heuristic=7), SpecError),
    "a heuristic too many": (lambda: tw.solve(EASY, algorithm="ids", heuristic="zero"), SpecError),
    "a heuristic for no goal": (lambda: ANY.make_heuristic("manhattan", "first"), GoalError),
    "a table too large": (lambda: tw.solve(SLOW, heuristic="perfect"), TableError),
    "a table far too large": (
        lambda: tw.make_heuristic("perfect", tw.Goal.blank_first(16, 16)),
        TableError,
    ),
    "an enormous weight": (lambda: tw.solve(EASY, algorithm="wastar(1e99999)"), SpecError),
    "unknown rules": (lambda: tw.solve(EASY, rules="magic"), SpecError),
    "an unknown engine": (lambda: tw.solve(EASY, engine="steam"), EngineError),
    "no engine": (lambda: ANY.solve(EASY, engine=None), EngineError),
    "native with other rules": (
        lambda: tw.solve(EASY, engine="native", rules="fifo"),
        EngineError,
    ),
    "a number as limits": (lambda: ANY.solve(EASY, limits=100), LimitsError),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_what_makes_no_sense_is_refused_with_one_line(
    case: tuple[Callable[[], object], type[tw.TilewiseError]],
) -> None:
    call, kind = case
    with pytest.raises(kind) as refusal:
        call()
    assert str(refusal.value).strip() and "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["generated", "memory"])
@pytest.mark.parametrize("value", [0, -1, 1.0, 1.5, "5", float("nan"), float("inf"), [1]])
def test_limits_are_positive_whole_numbers(name: str, value: object) -> None:
    with pytest.raises(LimitsError, match=name):
        ANY.Limits(**{name: value})


@pytest.mark.parametrize("value", [0, -1, 0.0, "5", float("nan"), float("inf"), [1]])
def test_a_limit_of_seconds_is_a_positive_number(value: object) -> None:
    with pytest.raises(LimitsError, match="seconds"):
        ANY.Limits(seconds=value)


def test_limits_may_be_as_large_as_one_likes() -> None:
    limits = tw.Limits(generated=10**30, seconds=1e9, memory=10**30)
    assert tw.solve(EASY, limits=limits).moves == "L"


def register_half(name: str = "half") -> None:
    def half(goal: tw.Goal) -> Callable[[tw.Board], int]:
        """Half of the Manhattan distance."""
        manhattan = tw.make_heuristic("manhattan", goal)
        return lambda board: int(manhattan(board)) // 2

    tw.heuristic(name, admissible=True)(half)


def test_a_heuristic_is_registered_with_one_decorator() -> None:
    register_half()
    result = tw.solve(MIDDLE, heuristic="half")
    assert (result.cost, result.optimal, result.heuristic) == (13, True, "half")
    assert result.stats.expanded > tw.solve(MIDDLE, heuristic="manhattan").stats.expanded
    assert tw.make_heuristic("max(half, manhattan)", FIRST)(tw.Board.parse(HARD)) == 21
    assert registry.HEURISTICS["half"].about == "Half of the Manhattan distance."


def test_what_is_not_declared_admissible_proves_nothing() -> None:
    tw.heuristic("guess")(lambda goal: lambda board: 0)
    for name in ("guess", "max(guess, manhattan)"):
        result = tw.solve(MIDDLE, heuristic=name)
        assert (result.cost, result.optimal, result.bound) == (13, False, 9)


def test_a_heuristic_may_be_registered_anew_but_not_over_one_of_tilewise() -> None:
    register_half()
    register_half()
    for name in ("manhattan", "h2"):
        with pytest.raises(SpecError, match=name):
            register_half(name)


@pytest.mark.parametrize("name", ["", "two words", "half(", "a,b"])
def test_the_name_of_a_heuristic_is_a_plain_word(name: str) -> None:
    with pytest.raises(SpecError):
        register_half(name)
    assert name not in registry.HEURISTICS


def test_a_decorator_without_its_name_is_refused() -> None:
    def mine(goal: tw.Goal) -> Callable[[tw.Board], int]:
        return lambda board: 0

    with pytest.raises(SpecError, match="name"):
        ANY.heuristic(mine)
    with pytest.raises(SpecError, match="name"):
        ANY.algorithm(mine)


@pytest.mark.parametrize("value", [-1, 1.5, Fraction(1), None, "1", True])
def test_a_heuristic_must_give_whole_numbers(value: object) -> None:
    tw.heuristic("odd")(lambda goal: lambda board: value)
    with pytest.raises(SpecError, match="whole number of at least 0 from heuristic odd"):
        tw.solve(EASY, heuristic="odd")


def test_a_value_that_is_too_large_for_a_trace_is_refused() -> None:
    tw.heuristic("far")(lambda goal: lambda board: 10**40)
    with pytest.raises(SpecError, match="far"):
        tw.trace("142 3b5 678", heuristic="far")


def failing_at_once(goal: tw.Goal) -> Callable[[tw.Board], int]:
    raise RuntimeError("the table is missing")


def failing_later(goal: tw.Goal) -> Callable[[tw.Board], int]:
    return lambda board: board.tiles[99]


@pytest.mark.parametrize("factory", [failing_at_once, failing_later])
def test_a_heuristic_that_fails_is_named(factory: Callable[..., Any]) -> None:
    tw.heuristic("failing")(factory)
    with pytest.raises(SpecError, match=r"heuristic failing .*(RuntimeError|IndexError)") as error:
        tw.solve(EASY, heuristic="failing")
    assert isinstance(error.value.__cause__, RuntimeError | IndexError)


def test_an_algorithm_is_registered_with_one_decorator_and_its_options_make_its_spec() -> None:
    @tw.algorithm("spin", optimal=False)
    def spin(
        problem: Any, heuristic: Any, meter: Any, rules: Any, observer: Any, *, rounds: int = 2
    ) -> Outcome:
        """In circles, then home."""
        return Outcome(tw.Status.SOLVED, "RL" * rounds + "L", tw.Stats(generated=rounds))

    result = tw.solve(EASY, algorithm="spin(3)")
    assert (result.moves, result.algorithm) == ("RLRLRLL", "spin(rounds=3)")
    assert (result.optimal, result.stats.generated) == (False, 3)
    assert tw.solve(EASY, algorithm="spin").algorithm == "spin(rounds=2)"
    with pytest.raises(SpecError, match="positive whole number for rounds of spin"):
        tw.solve(EASY, algorithm="spin(rounds=0)")
    with pytest.raises(SpecError, match="expected no heuristic for spin"):
        tw.solve(EASY, algorithm="spin", heuristic="zero")


def answering(outcome: object) -> None:
    """Register an algorithm that always gives the same answer."""
    ANY.algorithm("sure", optimal=True)(lambda *request: outcome)


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(tw.Status.SOLVED, "D", tw.Stats()),
        Outcome(tw.Status.SOLVED, "UU", tw.Stats()),
        Outcome(tw.Status.SOLVED, "x", tw.Stats()),
        Outcome(tw.Status.SOLVED, None, tw.Stats()),
        Outcome(ANY.Status.SOLVED.value, "D", tw.Stats()),
        Outcome(ANY.COUNTERS, "L", tw.Stats()),
        Outcome(tw.Status.SOLVED, "L", ANY.COUNTERS),
        None,
        "L",
    ],
    ids=[
        "astray",
        "over the edge",
        "no move",
        "no moves",
        "a status that is text",
        "no status",
        "no stats",
        "nothing",
        "only moves",
    ],
)
def test_a_wrong_answer_of_an_algorithm_is_never_passed_on(outcome: object) -> None:
    answering(outcome)
    with pytest.raises(SpecError, match="algorithm sure"):
        tw.solve(EASY, algorithm="sure")


def test_an_algorithm_cannot_call_a_solvable_board_unsolvable() -> None:
    answering(Outcome(tw.Status.UNSOLVABLE, None, tw.Stats()))
    with pytest.raises(SpecError, match="algorithm sure"):
        tw.solve(EASY, algorithm="sure")


def test_an_algorithm_without_a_solution_has_no_moves() -> None:
    for moves in ("D", "L"):  # the second is a solution
        answering(Outcome(tw.Status.LIMIT, moves, tw.Stats()))
        with pytest.raises(SpecError, match=r"algorithm sure .* returned moves with status limit"):
            tw.solve(EASY, algorithm="sure")


def test_an_option_of_an_algorithm_needs_a_default() -> None:
    def wanting(
        problem: Any, heuristic: Any, meter: Any, rules: Any, observer: Any, *, size: int
    ) -> Outcome:
        return Outcome(tw.Status.SOLVED, "L", tw.Stats())

    def register_and_solve() -> None:
        tw.algorithm("wanting")(wanting)
        tw.solve(EASY, algorithm="wanting")

    with pytest.raises(SpecError, match="size"):
        register_and_solve()


OWN = """
import tilewise as tw

@tw.heuristic("loaded", admissible=True)
def loaded(goal):
    return lambda board: 0
"""


def test_a_file_can_be_loaded_and_loaded_again(tmp_path: Path) -> None:
    file = tmp_path / "my file.py"
    file.write_text(OWN)
    load_file(str(file))
    load_file(str(file))
    assert tw.solve(EASY, heuristic="loaded").optimal
    assert list(tmp_path.iterdir()) == [file]


def test_a_loaded_file_may_use_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "tables_of_mine.py").write_text("VALUE = 0\n")
    (tmp_path / "mine.py").write_text(OWN + "\nfrom tables_of_mine import VALUE\n")
    load_file(str(tmp_path / "mine.py"))
    assert "loaded" in registry.HEURISTICS
    assert {file.name for file in tmp_path.iterdir()} == {"mine.py", "tables_of_mine.py"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(:", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("import sys\nsys.exit(3)", "SystemExit"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("class E(Exception):\n    __str__ = None\nraise E", "E: an error that cannot be written"),
        ("import no_such_module", "no_such_module"),
        ("import tilewise as tw\ntw.heuristic('zero')(lambda goal: None)", "'zero'"),
    ],
)
def test_a_file_that_cannot_be_loaded_says_why(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(SpecError, match=message):
        load_file(str(file))


def test_a_missing_file_and_a_folder_cannot_be_loaded(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.py"):
        with pytest.raises(SpecError, match="expected a Python file"):
            load_file(str(path))


def test_a_heuristic_that_raises_what_is_no_exception_is_named() -> None:
    @tw.heuristic("leaving")
    def leaving(goal: tw.Goal) -> Callable[[tw.Board], int]:
        def estimate(board: tw.Board) -> int:
            raise GeneratorExit

        return estimate

    for how in ("leaving", leaving(tw.Goal.blank_first(3, 3))):
        with pytest.raises(tw.TilewiseError, match="GeneratorExit"):
            tw.solve(EASY, algorithm="astar", heuristic=how)
