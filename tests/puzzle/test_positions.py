"""A position that is written reads back to the same board and goal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewise import Board, Goal, Position, read_position
from tilewise.errors import BoardError
from tilewise.puzzle import formats
from tilewise.puzzle.board import NAMED_GOALS
from tilewise.puzzle.board_files import entries
from tilewise.puzzle.position import board_text, text_for

NOTATIONS = [each.name for each in formats.NOTATIONS]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any board of a small shape, often a named goal itself, with any goal, reachable or not."""
    rows, columns = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    named = [Goal.named(name, rows, columns).board for name in NAMED_GOALS]
    shuffled = st.permutations(range(rows * columns)).map(
        lambda tiles: Board(rows, columns, tuple(tiles))
    )
    board = draw(shuffled | st.sampled_from(named))
    return Position(board, Goal(draw(st.sampled_from(named) | shuffled)))


@given(positions())
def test_what_is_written_reads_back_to_the_same_board_and_goal(position: Position) -> None:
    board, goal = position.board, position.goal
    texts = [str(position), text_for(board, goal, one_word=True)]
    assert " " not in texts[1].partition(" --goal ")[0]
    for notation in NOTATIONS:
        try:
            texts.append(text_for(board, goal, notation))
        except BoardError:
            continue
    for text in texts:
        again = read_position(text)
        assert (again.board, again.goal) == (board, goal)


@given(st.lists(positions(), min_size=1, max_size=5), st.sampled_from(NOTATIONS))
def test_a_file_of_boards_keeps_their_goals(written: list[Position], notation: str) -> None:
    if notation == "42":
        written = [each for each in written if each.board.rows == each.board.columns]
    elif notation == "eecs391":
        written = [each for each in written if max(each.board.rows, each.board.columns) <= 3]
    texts = [text_for(each.board, each.goal, notation) for each in written]
    lines = "\n\n".join(texts).splitlines()
    found = [read_position(entry.text) for entry in entries("file", lines)]
    assert [(each.board, each.goal) for each in found] == [
        (each.board, each.goal) for each in written
    ]


@pytest.mark.parametrize(
    ("board", "goal", "text", "one_word"),
    [
        ("312 475 68b", "first", "312 475 68b", "3,1,2,4,7,5,6,8,0"),
        ("312 475 68b", "last", "3 1 2/4 7 5/6 8 0", "3,1,2/4,7,5/6,8,0"),
        ("312 475 68b", "snail", "312 475 68b --goal snail", "3,1,2,4,7,5,6,8,0 --goal snail"),
        ("123 456 78b", "first", "123 456 78b --goal first", "1,2,3,4,5,6,7,8,0 --goal first"),
        ("b12 345 678", "last", "0 1 2/3 4 5/6 7 8 --goal last", "0,1,2/3,4,5/6,7,8 --goal last"),
        ("1b 32", "first", "1b 32 --goal first", "1,0,3,2 --goal first"),
        ("12 3b", "12 b3", "12 3b --goal snail", "1,2,3,0 --goal snail"),
        ("12 3b", "2b 13", "12 3b --goal 2,0,1,3", "1,2,3,0 --goal 2,0,1,3"),
    ],
)
def test_the_notation_implies_the_goal_or_the_goal_stands_beside_the_board(
    board: str, goal: str, text: str, one_word: str
) -> None:
    position = read_position(Board.parse(board), goal)
    assert str(position) == text
    assert text_for(position.board, position.goal, one_word=True) == one_word
    assert board_text(position.board, position.goal) == text.partition(" --goal")[0]


def test_a_position_is_read_as_it_is_unless_another_goal_is_named() -> None:
    position = read_position("1 2 3/4 0 6/7 5 8")
    assert read_position(position) is position and read_position(position, "auto") is position
    other = read_position(position, "snail")
    assert (other.board, other.goal, other.note) == (position.board, Goal.snail(3, 3), None)
