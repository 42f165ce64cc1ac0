"""Boards from files: every layout, every line end, and what cannot be read."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewise import Board
from tilewise.cli.board_input import lines_of
from tilewise.errors import BoardError, TilewiseError
from tilewise.puzzle import formats
from tilewise.puzzle.board_files import LONGEST_DRAWING, entries

EASY = "1b2 345 678"
ONE_LINE = ["json", "slidysim", "eecs391", "columbia", "korf"]


def texts(file: str) -> list[str]:
    """The texts that a file of these lines holds."""
    return [entry.text for entry in entries("f", file.split("\n"))]


def places(file: str) -> list[str]:
    """Where they stand."""
    return [entry.place for entry in entries("f", file.split("\n"))]


def boards(file: str) -> list[Board]:
    """The boards that they are."""
    return [Board.parse(text) for text in texts(file)]


def test_one_board_a_line() -> None:
    file = "1b2 345 678\n8b6 547 231\n12b 345 678"
    assert texts(file) == file.split("\n")
    assert places(file) == ["f:1", "f:2", "f:3"]


@pytest.mark.parametrize(
    "file",
    [
        "1,2,5,3,4,0,6,7,8\n8,6,4,2,1,3,5,7,0",
        "1 2 5 3 4 0 6 7 8\n8 6 4 2 1 3 5 7 0",
        "[[1,2,3],[4,5,6],[7,8,0]]\n[[1,2],[3,0]]",
        "1 2 3/4 5 6/7 8 0\n3 2 1/4 5 6/7 8 0",
        "12 3b\n1b 32",
        "123b\n1b32\n3b12",
        "2x3:1,2,5,3,4,0\n3x2:1 2 5 3 4 0",
        '"1b2 345 678"\n"8b6 547 231"',
        "1 2 3 0\n0 1 2 3\n3 2 1 0",
        "1b2 345 678\n1,2,5,3,4,0,6,7,8\n[[1,2],[3,0]]\n1 2/3 0",
    ],
)
def test_one_board_a_line_in_every_notation_of_one_line(file: str) -> None:
    assert texts(file) == file.split("\n")


@pytest.mark.parametrize(
    "file",
    [
        "1 2 3\n4 5 6\n7 8 0",
        "0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15",
        "3,0,1,2\n4,5,6,7\n8,9,10,11\n12,13,14,15",
        "0 1 2 3\n4 5 6 7",
        "2 0 3 1 4 8 6 7 5\n9 10 11 12 13 14 15 16 17",
        "b12\n345\n678",
        "+---+---+\n| 1 | 2 |\n+---+---+\n| 3 |   |\n+---+---+",
        "3\n1 2 3\n8 0 4\n7 6 5",
        "3 # the size\n1 2 3 # a row\n8 0 4\n7 6 5",
        "[[1, 2],\n [3, 0]]",
        "2x3:\n1 2 3\n4 5 0",
    ],
)
def test_a_drawn_board_takes_several_lines(file: str) -> None:
    assert [" ".join(text.split()) for text in texts(file)] == [" ".join(file.split())]
    assert boards(file) == [Board.parse(file)]
    assert places(file) == ["f:1"]


def test_blank_lines_part_drawn_boards() -> None:
    file = "\n\n1 2 3\n4 5 6\n7 8 0\n\n \n\t\n3\n1 2 3\n8 0 4\n7 6 5\n\nb12 345 678\n"
    assert places(file) == ["f:3", "f:9", "f:14"]
    assert [formats.detect(text).name for text in texts(file)] == ["grid", "42", "eecs391"]


def test_comment_lines_are_left_out_everywhere() -> None:
    file = "# easy\n1b2 345 678\n  # harder\n8b6 547 231\n\n3\n# the rows\n1 2 3\n8 0 4\n7 6 5"
    assert places(file) == ["f:2", "f:4", "f:6"]
    assert texts(file)[2] == "3\n1 2 3\n8 0 4\n7 6 5"


def test_a_line_that_is_no_board_among_boards_is_an_entry_of_its_own() -> None:
    file = "1b2 345 678\n12b 345 67\nhello\n12b 345 678"
    assert texts(file) == file.split("\n")


def test_a_bad_board_after_one_with_other_words_is_an_entry_of_its_own() -> None:
    file = "1b2 345 678\n8b6 547 23\n12b 345 678"
    assert texts(file) == file.split("\n")


def test_a_bad_first_line_does_not_swallow_the_boards_below() -> None:
    file = "b12 345 67\n\n1b2 345 678\n8b6 547 231"
    assert texts(file) == ["b12 345 67", "1b2 345 678", "8b6 547 231"]


@pytest.mark.parametrize("file", ["", "\n\n", "# nothing\n", "  \t \n#\n"])
def test_a_file_without_boards_has_no_entries(file: str) -> None:
    assert texts(file) == []


def test_an_endless_drawing_is_refused_after_a_while() -> None:
    with pytest.raises(BoardError, match="too many lines at f:"):
        list(entries("f", itertools.repeat("hello")))
    largest = [" ".join(map(str, range(16 * row, 16 * row + 16))) for row in range(16)]
    ruled = [line for row in largest for line in ("-" * 40, row)]
    assert len(ruled) <= LONGEST_DRAWING
    assert boards("\n".join(ruled)) == [Board(16, 16, tuple(range(256)))]


@pytest.mark.parametrize("column", ["board", "tiles", "state", "Board", " TILES "])
def test_a_table_has_a_column_for_the_board(column: str) -> None:
    file = f'id,{column},note\n1,1b2 345 678,easy\n\n2,"1,2,5,3,4,0,6,7,8",\n# no\n3,foo,"a, b"'
    assert texts(file) == ["1b2 345 678", "1,2,5,3,4,0,6,7,8", "foo"]
    assert places(file) == ["f:2", "f:4", "f:6"]


def test_a_table_of_one_column_needs_no_commas() -> None:
    assert texts("board\n1b2 345 678\n8b6 547 231") == ["1b2 345 678", "8b6 547 231"]


def test_the_header_of_a_table_may_be_quoted_as_r_writes_it() -> None:
    assert texts('"id","board"\n"1","1b2 345 678"') == ["1b2 345 678"]


def test_a_table_may_start_after_blank_lines() -> None:
    assert texts("\nid,board\n1,1b2 345 678") == ["1b2 345 678"]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_boards_come_back_from_a_file_of_any_notations(data: st.DataObject) -> None:
    shapes = st.tuples(st.integers(2, 4), st.integers(2, 5))
    written: list[tuple[Board, str]] = []
    for rows, columns in data.draw(st.lists(shapes, max_size=4)):
        tiles = data.draw(st.permutations(range(rows * columns)))
        board = Board(rows, columns, tuple(tiles))
        able = [notation.name for notation in formats.NOTATIONS if expresses(board, notation.name)]
        written.append((board, board.to(data.draw(st.sampled_from(able)))))
    assert boards("\n\n".join(text for _, text in written)) == [board for board, _ in written]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_boards_come_back_from_a_file_of_one_line_each(data: st.DataObject) -> None:
    shapes = st.tuples(st.integers(2, 4), st.integers(2, 4))
    notation = data.draw(st.sampled_from(ONE_LINE))
    written = []
    for rows, columns in data.draw(st.lists(shapes, max_size=5)):
        board = Board(rows, columns, tuple(data.draw(st.permutations(range(rows * columns)))))
        if expresses(board, notation):
            written.append(board)
    assert boards("\n".join(board.to(notation) for board in written)) == written


def expresses(board: Board, notation: str) -> bool:
    """Whether the notation has a text for the board."""
    try:
        board.to(notation)
    except TilewiseError:
        return False
    return True


def read(path: Path) -> list[str]:
    """The entries of a real file."""
    with lines_of(str(path)) as lines:
        return [entry.text for entry in entries(path.name, lines)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_do_not_matter(tmp_path: Path, end: str, mark: str) -> None:
    file = tmp_path / "boards.txt"
    file.write_bytes((mark + end.join([EASY, "", "1 2", "3 0", ""])).encode())
    assert read(file) == [EASY, "1 2\n3 0"]


def test_a_last_line_needs_no_end(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_bytes(EASY.encode())
    assert read(tmp_path / "boards.txt") == [EASY]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1b2 345 678\n\0\n", "binary"),
        (b"caf\xe9\n", "UTF-8"),
        (EASY.encode("utf-16"), "expected a"),
        (b"\x89PNG\r\n\x1a\n", "expected a"),
    ],
)
def test_a_file_that_is_no_text_is_refused_by_name(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "boards.txt").write_bytes(content)
    with pytest.raises(BoardError, match=f"{message}.*boards.txt'$"):
        read(tmp_path / "boards.txt")


def test_a_missing_file_and_a_folder_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match=r"No such file.*missing.txt'$"):
        read(tmp_path / "missing.txt")
    with pytest.raises(BoardError, match="got a folder"):
        read(tmp_path)


def test_an_error_of_whoever_uses_the_lines_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text(EASY)
    with pytest.raises(BrokenPipeError), lines_of(str(tmp_path / "boards.txt")):
        raise BrokenPipeError
