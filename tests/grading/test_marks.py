"""Marks and reports: the reason for every lost point, and texts that are no markup."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.one_student import FAR, csv_of, reasons
from tilewise.courses import COURSES
from tilewise.courses.answers import number_in
from tilewise.grading.reports import file_name, plain
from tilewise.puzzle.board import Goal

Lost = Callable[..., list[str]]


@pytest.fixture
def lost(tmp_path: Path) -> Lost:
    """The reasons for the points that a student loses in the two columbia questions."""
    return partial(reasons, tmp_path)


@pytest.mark.parametrize(
    ("short", "reasons"),
    [
        (
            "UUL,3,10,4",
            [
                "short path: illegal move at position 2: up, but on 1,2,0,3,4,5,6,7,8 the blank "
                "can go down or left",
                "short optimal: the path is no solution",
            ],
        ),
        (
            "ULLR,4,10,4",
            [
                "short path: reaches another board: its 4 moves lead to 1,0,2,3,4,5,6,7,8, not to "
                "0,1,2,3,4,5,6,7,8 (it was there after 3)",
                "short optimal: the path is no solution",
                "short length: cost_of_path is 4, expected 3",
            ],
        ),
        (
            "DRR,3,10,4",
            [
                "short path: illegal move at position 2: right, but on 1,2,5,3,4,8,6,7,0 the "
                "blank can go up or left; read as moves of the tiles it would be a solution",
                "short optimal: the path is no solution",
            ],
        ),
        ("DUULL,5,10,4", ["short optimal: 5 moves where 3 is optimal"]),
        (
            "DUULL,3,10,4",
            [
                "short optimal: 5 moves where 3 is optimal",
                "short length: cost_of_path is 3, but the path has 5 moves",
            ],
        ),
        (
            ",3,10,4",
            [
                "short path: reaches another board: its 0 moves lead to 1,2,5,3,4,0,6,7,8, not to "
                "0,1,2,3,4,5,6,7,8",
                "short optimal: the path is no solution",
            ],
        ),
        (
            "unsolvable,,10,4",
            [
                "short path: says that there is no solution, but 3 moves are one",
                "short optimal: says that there is no solution, but 3 moves are one",
                "short length: says that there is no solution, but 3 moves are one",
            ],
        ),
        ("ULL,3,,4", ["short expanded: nodes_expanded is not given"]),
        ("ULL,3,1e9,4", ["short expanded: nodes_expanded: expected a whole number, got '1e9'"]),
        ("ULL,3,-10,4", ["short expanded: nodes_expanded: expected a whole number, got '-10'"]),
        ("ULL,3,11,4", ["short expanded: nodes_expanded is 11, expected 10"]),
        (
            "ULL,3,1585,4",
            ["short expanded: nodes_expanded is 1,585, expected 10; that is the answer to far"],
        ),
        (
            "ULL,3,4,4",
            [
                "short expanded: nodes_expanded is 4, expected 10; that is the profile's number "
                "for max_search_depth"
            ],
        ),
        (
            "UXL,3,10,4",
            [
                f"short {item}: the path cannot be read: expected moves U, D, L, R or up, down, "
                "left, right, got 'XL' at character 2: 'UXL'"
                for item in ("path", "optimal")
            ],
        ),
        (
            f"{'UD' * 200_000},3,10,4",
            [
                f"short {item}: the path cannot be read: expected a path of at most 250,000 moves, "
                "got 400,000, which were not played"
                for item in ("path", "optimal")
            ],
        ),
    ],
)
def test_every_lost_point_has_its_reason(lost: Lost, short: str, reasons: list[str]) -> None:
    assert lost(a__csv=csv_of(short, f"{FAR},26,1585,26")) == reasons


@pytest.mark.parametrize(
    ("policy", "count", "accepted"),
    [
        ("tolerance = 2", 12, True),
        ("tolerance = 2", 13, False),
        ("tolerance = '20%'", 8, True),
        ("tolerance = '20%'", 13, False),
    ],
)
def test_a_count_may_be_off_by_the_tolerance(
    lost: Lost, policy: str, count: int, accepted: bool
) -> None:
    text = csv_of(f"ULL,3,{count},4", f"{FAR},26,1585,26")
    assert (lost(f"diagnose = 0\n{policy}", a__csv=text) == []) == accepted


def test_moves_of_the_tiles_are_taken_where_the_teacher_says_so(lost: Lost) -> None:
    opposite = FAR.translate(str.maketrans("UDLR", "DURL"))
    text = csv_of("DRR,3,10,4", f"{opposite},26,1585,26")
    assert lost("diagnose = 0\nmoves = 'tile'", a__csv=text) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[("1585", 1585), (" 1,585 ", 1585), ("1585.00", 1585), ("1585.5", None), ("", None)],
        *[("-1", None), ("1e3", None), ("nan", None), ("9" * 16, None), ("\u0661", None)],
    ],
)
def test_a_number_is_read_only_if_it_is_whole(text: str, number: int | None) -> None:
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("profile", "text", "method"),
    [
        ("columbia", "A*", "ast"),
        ("columbia", "greedy", None),
        ("eecs391", "astar h1", "solveAStar h1"),
        ("eecs391", "H2", "solveAStar h2"),
        ("eecs391", "beam 10", "solveBeam 10"),
        ("eecs391", "beam(width=10)", "solveBeam 10"),
        ("eecs391", "solveBeam 0", None),
        ("cs170", "Uniform Cost Search", "ucs"),
        ("cs170", "2", "misplaced"),
        ("cs170", "A* with the Manhattan distance heuristic", "manhattan"),
        ("cs170", "4", None),
    ],
)
def test_methods_are_known_by_several_names(profile: str, text: str, method: str | None) -> None:
    assert COURSES[profile].grading.read_method(text) == method


def test_every_course_has_the_goal_of_its_profile() -> None:
    board = Goal.blank_last(3, 3).board
    goals = {name: course.goal_for(board).name for name, course in COURSES.items()}
    assert goals == {
        "columbia": "first",
        "eecs391": "first",
        "eecs391-table": "first",
        "cs170": "last",
        "princeton": "last",
        "n-puzzle": "snail",
        "aima": "first",
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("nodes_expanded is 1", "nodes_expanded is 1"),
        ("_x_ *b* `c`", "\\_x\\_ \\*b\\* \\`c\\`"),
        ("[a](http://b) <b>|", "\\[a\\](http\\://b) \\<b\\>\\|"),
        ("two\nlines", "two lines"),
        ("&lt;", "\\&lt;"),
    ],
)
def test_a_text_in_a_report_is_no_markup(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_names_of_reports_are_distinct_whatever_the_file_system_ignores() -> None:
    taken: set[str] = set()
    names = [file_name(name, taken) for name in ("Ann", "ann", "a/b", "a:b", "", "..", "nul.x")]
    assert len({name.lower() for name in names}) == 7
    assert not any(set(name) & set("/\\:") or name in ("", ".", "..") for name in names)
