"""Board and Move: immutable values that say what is wrong with an input."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from tests.oracles.puzzle import STEPS, distances, shuffled, slide
from tilewise import Board, Goal, Move, TilewiseError

SHAPES = list(itertools.product(range(2, 17), repeat=2))
BOARD = Board(3, 3, (1, 0, 2, 3, 4, 5, 6, 7, 8))


def test_moves_are_the_ways_of_the_blank_in_the_order_u_d_l_r() -> None:
    assert [str(move) for move in Move] == ["U", "D", "L", "R"]
    assert {str(move): move.step for move in Move} == STEPS


def test_a_move_and_its_opposite_lead_back() -> None:
    for move in BOARD.legal_moves():
        assert move.opposite.opposite is move
        assert BOARD.move(move).move(move.opposite) == BOARD


def test_a_board_knows_its_blank_its_rows_and_its_shape() -> None:
    board = Board(2, 3, (3, 1, 2, 4, 0, 5))
    assert (board.blank, board.shape) == (4, "2x3")
    assert list(board.grid()) == [(3, 1, 2), (4, 0, 5)]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape[0]}x{shape[1]}")
def test_the_text_and_the_repr_of_a_board_read_back(shape: tuple[int, int]) -> None:
    board = shuffled(Goal.blank_first(*shape), 1)
    assert Board.parse(str(board)) == board
    assert eval(repr(board)) == board


def test_boards_are_equal_by_value_and_serve_as_keys() -> None:
    same = Board(3, 3, [1, 0, 2, 3, 4, 5, 6, 7, 8])  # type: ignore[arg-type]
    assert same == BOARD and hash(same) == hash(BOARD) and same.tiles == BOARD.tiles
    assert {BOARD: "here"}[same] == "here"
    assert Board(2, 3, (0, 1, 2, 3, 4, 5)) != Board(3, 2, (0, 1, 2, 3, 4, 5))


def test_a_board_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        BOARD.tiles = (0, 1, 2, 3, 4, 5, 6, 7, 8)  # type: ignore[misc]
    before = BOARD.tiles
    assert BOARD.move("L") != BOARD
    assert BOARD.tiles == before


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (4, 3)])
def test_the_legal_moves_are_those_that_keep_the_blank_on_the_board(shape: tuple[int, int]) -> None:
    for tiles in distances(Goal.blank_first(*shape), 10):
        board = Board(*shape, tiles)
        after = {move: slide(tiles, shape[1], move) for move in "UDLR"}
        assert list(board.legal_moves()) == [move for move in "UDLR" if after[move] is not None]
        for move, made in after.items():
            if made is None:
                with pytest.raises(TilewiseError, match=f"got {move}"):
                    board.move(move)
            else:
                assert board.move(move) == board.move(Move(move)) == Board(*shape, made)


def test_an_illegal_move_names_the_legal_ones() -> None:
    with pytest.raises(TilewiseError, match=r"D L R.*1b2 345 678.*U"):
        BOARD.move("U")


@pytest.mark.parametrize(
    "move", ["", "X", "u", "UD", "up", "\N{LATIN CAPITAL LETTER U WITH DIAERESIS}"]
)
def test_a_move_that_is_none_of_the_four_is_refused(move: str) -> None:
    with pytest.raises(TilewiseError, match="U, D, L or R"):
        BOARD.move(move)


def test_moves_are_made_one_after_the_other() -> None:
    assert BOARD.after("") == BOARD
    assert BOARD.after("DLU") == BOARD.move("D").move("L").move("U")
    assert BOARD.after([Move.D, "L"]) == BOARD.after("DL")
    with pytest.raises(TilewiseError, match="got L"):
        BOARD.after("LL")


@pytest.mark.parametrize(
    ("rows", "columns", "tiles", "message"),
    [
        (3, 3, range(8), "expected 9 tiles for a 3x3 board, got 8"),
        (3, 3, range(10), "expected 9 tiles for a 3x3 board, got 10"),
        (2, 2, (), "expected 4 tiles for a 2x2 board, got 0"),
        (2, 2, (0, 1, 2, 4), "expected tiles 0 to 3 .*got 4 at position 4"),
        (2, 2, (0, -1, 2, 3), "expected tiles 0 to 3 .*got -1 at position 2"),
        (2, 2, (0, 1.5, 2, 3), "expected tiles 0 to 3 .*got 1.5 at position 2"),
        (2, 2, (0, "1", 2, 3), "expected tiles 0 to 3 .*got '1' at position 2"),
        (2, 2, (0, 1, 1, 3), "each tile once .*got 1 at positions 2 and 3"),
        (2, 2, (0, 1, 0, 3), "each tile once .*got the blank at positions 1 and 3"),
        (1, 4, range(4), "2 to 16 rows and columns, got a 1x4 board"),
        (4, 17, range(68), "2 to 16 rows and columns, got a 4x17 board"),
        (0, 0, (), "2 to 16 rows and columns, got a 0x0 board"),
        (-3, -3, range(9), "2 to 16 rows and columns"),
    ],
)
def test_what_is_not_a_board_is_refused_with_what_was_expected_and_what_came(
    rows: int, columns: int, tiles: tuple[int, ...], message: str
) -> None:
    with pytest.raises(TilewiseError, match=message) as caught:
        Board(rows, columns, tuple(tiles))
    assert "\n" not in str(caught.value)


def test_a_text_with_a_tile_too_few_is_quoted_in_the_message() -> None:
    with pytest.raises(TilewiseError) as caught:
        Board.parse("b12 345 67")
    assert str(caught.value) == "expected 9 tiles for a 3x3 board, got 8: 'b12 345 67'"
