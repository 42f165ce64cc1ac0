"""Every notation reads back what it writes, and every wrong text gets one clear line."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewise.errors import BoardError, TilewiseError
from tilewise.puzzle import formats
from tilewise.puzzle.board import MAX_SIDE, MIN_SIDE, Board, Goal

NAMES = [each.name for each in formats.NOTATIONS]
SIDES = st.integers(MIN_SIDE, MAX_SIDE)
SMALL_SIDES = st.integers(MIN_SIDE, 3)
MESSY = st.text(st.sampled_from(list("0123456789bB_. ,;:/|#-+x[]{}\"'\n\r\t\0\ufeff\u0663eul")))
lenient = settings(deadline=None, max_examples=60)


def shuffled(rows: int, columns: int, seed: int) -> Board:
    tiles = list(range(rows * columns))
    random.Random(seed).shuffle(tiles)
    return Board(rows, columns, tuple(tiles))


def can_express(name: str, board: Board) -> bool:
    if name == "eecs391":
        return max(board.rows, board.columns) <= 3
    return name != "42" or board.rows == board.columns


small_boards = st.builds(shuffled, SMALL_SIDES, SMALL_SIDES, st.integers(0, 2**32))
square_boards = st.builds(lambda n, seed: shuffled(n, n, seed), SIDES, st.integers(0, 2**32))
boards = small_boards | square_boards | st.builds(shuffled, SIDES, SIDES, st.integers(0, 2**32))


def outcome(read: Callable[[str], object], text: str) -> object:
    """What the reader returns, or the error of ours that it raises; others go through."""
    try:
        return read(text)
    except TilewiseError as error:
        return error


def message_for(text: object) -> str:
    with pytest.raises(BoardError) as caught:
        Board.parse(text)  # type: ignore[arg-type]
    return str(caught.value)


@lenient
@given(boards)
def test_every_notation_is_recognised_and_reads_back_what_it_writes(board: Board) -> None:
    for name in NAMES:
        if can_express(name, board):
            text = board.to(name)
            assert formats.detect(text).name == name
            assert formats.read(text).notation == name
            assert Board.parse(text) == board
        else:
            with pytest.raises(BoardError, match=f"notation {name}, got {board.shape}$"):
                board.to(name)


@lenient
@given(boards, st.sampled_from("0bB_."))
def test_every_spelling_of_the_blank_is_read_in_every_numeric_notation(
    board: Board, blank: str
) -> None:
    words = [str(tile) if tile else blank for tile in board.tiles]
    rows = [words[at : at + board.columns] for at in range(0, len(words), board.columns)]
    texts = [
        f"{board.shape}:{','.join(words)}",
        f"{board.shape}: {' '.join(words)}",
        "\n".join("\t".join(row) for row in rows),
        "\n".join(", ".join(row) for row in rows),
        "/".join(" ".join(row) for row in rows),
    ]
    if board.rows == board.columns:
        texts += [" ".join(words), ";".join(words)]
        texts += ["\n".join([f"{board.rows} # size", *(" ".join(row) for row in rows)])]
    for text in texts:
        assert Board.parse(text) == board


@lenient
@given(boards, st.sampled_from(NAMES), st.sampled_from(['"', "'", ""]))
def test_line_ends_marks_quotes_and_outer_space_are_harmless(
    board: Board, name: str, quote: str
) -> None:
    if can_express(name, board):
        text = board.to(name).replace("\n", " \r\n")
        messy = f"\ufeff \r\n{quote} {text}\r\n{quote} \n"
        assert Board.parse(messy) == board
        assert formats.detect(messy).name == name


@lenient
@given(boards, st.sampled_from(["---", "+---+", "=====", ""]), st.sampled_from(["0", "b", " "]))
def test_drawn_boards_can_be_pasted_back(board: Board, rule: str, blank: str) -> None:
    drawn = [rule]
    for row in board.grid():
        cells = (f"{tile or blank:>3}" for tile in row)
        drawn += [f"| {' | '.join(cells)} |", rule]
    assert Board.parse("\n".join(drawn)) == board
    assert formats.detect("\n".join(drawn)).name == "grid"


@settings(deadline=None, max_examples=300)
@given(MESSY | st.text())
def test_no_text_makes_a_reader_raise_anything_but_its_own_error(text: str) -> None:
    for read in (Board.parse, *(each.read for each in formats.NOTATIONS)):
        result = outcome(read, text)
        assert isinstance(result, Board | formats.Reading) or len(str(result).splitlines()) == 1


@settings(deadline=None, max_examples=300)
@given(boards, st.sampled_from(NAMES), st.integers(0, 4000), MESSY, st.integers(0, 3))
def test_a_spoiled_board_is_a_board_or_an_error(
    board: Board, name: str, place: int, inserted: str, removed: int
) -> None:
    if can_express(name, board):
        text = board.to(name)
        place %= len(text)
        result = outcome(Board.parse, text[:place] + inserted + text[place + removed :])
        if isinstance(result, Board):
            assert sorted(result.tiles) == list(range(result.rows * result.columns))
        else:
            assert str(result).startswith("expected ")


DRAWN = """
┌───┬───┬───┐
│ 1 │ 2 │ 3 │
├───┼───┼───┤
│ 4 │   │ 6 │
├───┼───┼───┤
│ 7 │ 5 │ 8 │
└───┴───┴───┘
"""
SCHOOL = "# This puzzle is solvable / easy | [1,2]\n3\n1 2 3 # first\n\n8 0 4\n7 6 5\n# end"

READ = [
    ("b12 345 678", "eecs391", "b12 345 678"),
    ("120 453 786", "eecs391", "12b 453 786"),
    ("12 3b", "eecs391", "12 3b"),
    ("12 3.", "eecs391", "12 3b"),
    ("_1 23 45", "eecs391", "b1 23 45"),
    ("B12 345", "eecs391", "b12 345"),
    ("b12\n345\n678", "eecs391", "b12 345 678"),
    ("123\r\n456\r\n780\r\n", "eecs391", "123 456 78b"),
    ("123456780", "eecs391", "123 456 78b"),
    ("1230", "eecs391", "12 3b"),
    ("1 2 3 0", "korf", "12 3b"),
    ("2x3:1 2 3 4 5 0", "korf", "123 45b"),
    ("2X3 :\n1 2 3\n4 5 0", "korf", "123 45b"),
    ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "korf", "14,13,15,7,11,12,9,5,6,0,2,1,4,8,10,3"),
    ("1,2,5,3,4,0,6,7,8", "columbia", "125 34b 678"),
    ("1; 2; 3; b", "columbia", "12 3b"),
    ("3x2: 1, 2, 5, 3, 4, 0", "columbia", "12 53 4b"),
    ("1 2 3/4 5 6/7 8 0", "slidysim", "123 456 78b"),
    ("1,2 / 3,_", "slidysim", "12 3b"),
    ("1 2 3\n4\t0\t6\n7,5,8", "grid", "123 4b6 758"),
    ("1 2\n\n3 0", "grid", "12 3b"),
    ("1|2\n-+-\n3|0", "grid", "12 3b"),
    ("| 1 2 |\n| 3 b |", "grid", "12 3b"),
    (DRAWN, "grid", "123 4b6 758"),
    (SCHOOL, "42", "123 8b4 765"),
    ("3\n1 2 3\n8 0 4\n7 6 5", "42", "123 8b4 765"),
    ("[[1,2,3],[4,5,6],[7,8,0]]", "json", "123 456 78b"),
    ('[[1, 2],\n [3, "b"]]', "json", "12 3b"),
    ("[1,2,3,null]", "json", "12 3b"),
    ("\u201cb12 345 678\u201d", "eecs391", "b12 345 678"),
]


@pytest.mark.parametrize(("text", "name", "board"), READ)
def test_usual_spellings_are_read_in_the_notation_they_are_meant_in(
    text: str, name: str, board: str
) -> None:
    assert formats.detect(text).name == name
    assert str(Board.parse(text)) == board


NUMBER = "expected a tile number, or 0, b, _ or . for the blank,"
SQUARE = (
    "expected 4, 9, 16 or another square number of tiles when no shape is given "
    "(as in 3x4:1,2,...), got"
)
JSON_TILE = "expected a whole number, or 0 or null for the blank,"
LONG = "'[1,2,3,9999999999999999999 ... 9999999999999999999999999]'"

REFUSED = [
    ("", "expected a board, got an empty text: ''"),
    (" \r\n ", r"expected a board, got an empty text: ' \r\n '"),
    ('""', "expected a board, got an empty text: '\"\"'"),
    (None, "expected the text of a board, got NoneType"),
    (10**5000, "expected the text of a board, got int"),
    (b"12 3b", "expected the text of a board, got bytes"),
    ("12\0", r"expected the text of a board, got a NUL byte at character 3: '12\x00'"),
    ("7" * 3_000_000, "expected at most 20000 characters for a board, got 3000000: "
     f"'{'7' * 40}' ..."),
    # one character a tile
    ("b12 345 67", "expected 9 tiles for a 3x3 board, got 8: 'b12 345 67'"),
    ("b12 345 6788", "expected 9 tiles for a 3x3 board, got 10: 'b12 345 6788'"),
    ("b12 34 5678", "expected 3 tiles in each row, got 2 in row 2: 'b12 34 5678'"),
    ("b12 345 6x8", "expected a digit, or b, 0, _ or . for the blank, at position 8, got 'x': "
     "'b12 345 6x8'"),
    ("b12 345 67\u0668", "expected a digit, or b, 0, _ or . for the blank, at position 9, "
     "got '\u0668': 'b12 345 67\u0668'"),
    ("b12 345 677", "expected each tile once on a 3x3 board, got 7 at positions 8 and 9: "
     "'b12 345 677'"),
    ("b12 345 679", "expected tiles 0 to 8 on a 3x3 board, got 9 at position 9: 'b12 345 679'"),
    ("12345b", "expected 4 or 9 characters, or rows separated by spaces as in 'b12 345 678', "
     "got one row of 6: '12345b'"),
    ("1234 5678 9abc def0", "expected at most 3 rows of 3 tiles when a tile is one character, "
     "got 4 rows of 4: '1234 5678 9abc def0'"),
    # one line
    ("1,2,3,4,5,6,7,0", f"{SQUARE} 8: '1,2,3,4,5,6,7,0'"),
    ("1 2 3", f"{SQUARE} 3: '1 2 3'"),
    ("0", "expected 2 to 16 rows and columns, got a 1x1 board: '0'"),
    ("3x4:1,2,0", "expected 12 tiles for a 3x4 board, got 3: '3x4:1,2,0'"),
    ("3x4:", "expected 12 tiles for a 3x4 board, got 0: '3x4:'"),
    ("17x2:1,0", "expected 2 to 16 rows and columns, got a 17x2 board: '17x2:1,0'"),
    ("1,,3,0", "expected a tile at position 2, got nothing: '1,,3,0'"),
    ("1,2,3,0,", "expected a tile at position 5, got nothing: '1,2,3,0,'"),
    ("1 -2 3 0", f"{NUMBER} at position 2, got '-2': '1 -2 3 0'"),
    ("1 2 +3 0", f"{NUMBER} at position 3, got '+3': '1 2 +3 0'"),
    ("1,2,1e3,0", f"{NUMBER} at position 3, got '1e3': '1,2,1e3,0'"),
    ("1 2 \u0663 0", f"{NUMBER} at position 3, got '\u0663': '1 2 \u0663 0'"),
    ("1 2 \u00b2 0", f"{NUMBER} at position 3, got '\u00b2': '1 2 \u00b2 0'"),
    ("1,2,007,0", "expected a tile number without leading zeros at position 3, got '007': "
     "'1,2,007,0'"),
    ("1,2,3," + "9" * 5000, f"{NUMBER} at position 4, got '99999999999 ... 99999999999': "
     "'1,2,3,99999999999999999999 ... 99999999999999999999999999'"),
    ("1 2 3 4", "expected tiles 0 to 3 on a 2x2 board, got 4 at position 4: '1 2 3 4'"),
    ("1 0 3 0", "expected each tile once on a 2x2 board, got the blank at positions 2 and 4: "
     "'1 0 3 0'"),
    # rows
    ("1 2 3\n4 5\n6 7 0", r"expected 3 tiles in each row, got 2 in row 2: '1 2 3\n4 5\n6 7 0'"),
    ("1 2\n3 ?", rf"{NUMBER} in row 2, column 2, got '?': '1 2\n3 ?'"),
    ("+---+\n|---|", r"expected rows of tiles, got only rules: '+---+\n|---|'"),
    ("1 2/3", "expected 2 tiles in each row, got 1 in row 2: '1 2/3'"),
    ("1 2/3 0/", "expected 2 tiles in each row, got 0 in row 3: '1 2/3 0/'"),
    ("/", "expected 2 to 16 rows and columns, got a 2x0 board: '/'"),
    # 42 school
    ("# nothing", "expected a line with the size, then rows, got only comments: '# nothing'"),
    ("# no size\n1 2\n3 0", "expected the size alone on the first line, as 3 for 3x3, "
     r"got '1 2': '# no size\n1 2\n3 0'"),
    ("3\n1 2 3\n8 0 4", r"expected 3 rows below the size 3, got 2: '3\n1 2 3\n8 0 4'"),
    ("2\n1 2\n3 0 4", "expected 2 tiles in each row for the size 2, got 3 in row 2: "
     r"'2\n1 2\n3 0 4'"),
    # JSON
    ("[[1,2],[3]]", "expected 2 tiles in each row, got 1 in row 2: '[[1,2],[3]]'"),
    ("[[1,2],3]", "expected a list as row 2, got 3: '[[1,2],3]'"),
    ("[[1,2],[3,true]]", f"{JSON_TILE} in row 2, column 2, got True: '[[1,2],[3,true]]'"),
    ("[1,2.0,3,0]", f"{JSON_TILE} at position 2, got 2.0: '[1,2.0,3,0]'"),
    ("[1,1e3,3,0]", f"{JSON_TILE} at position 2, got 1000.0: '[1,1e3,3,0]'"),
    ("[1,-1,3,0]", "expected tiles 0 to 3 on a 2x2 board, got -1 at position 2: '[1,-1,3,0]'"),
    ("[]", f"{SQUARE} 0: '[]'"),
    ("{}", "expected a list of rows, got {}: '{}'"),
    ("[[1,2],[3,0]", "expected JSON such as [[1,2],[3,0]], got an early end: '[[1,2],[3,0]'"),
    ("[[1 2],[3,0]]", "expected JSON such as [[1,2],[3,0]], got something else before "
     "'2],[3,0]]': '[[1 2],[3,0]]'"),
    ("[" * 9000, "expected a list of rows of tiles, got lists nested deeper than that: "
     f"'{'[' * 26} ... {'[' * 26}'"),
    ("[1,2,3," + "9" * 5000 + "]", "expected JSON with tile numbers, got a number that is too "
     f"long: {LONG}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[m[:60] for _, m in REFUSED])
def test_a_wrong_board_is_refused_with_exactly_this_line(text: object, message: str) -> None:
    assert message_for(text) == message


def test_a_board_of_more_than_sixteen_rows_is_refused_by_its_shape() -> None:
    grid = "\n".join(" ".join(str(row * 17 + column) for column in range(17)) for row in range(17))
    assert message_for(grid).startswith(
        "expected 2 to 16 rows and columns, got a 17x17 board: '0 1 2 "
    )


def test_a_reader_chosen_by_name_quotes_the_text_as_well() -> None:
    with pytest.raises(BoardError) as caught:
        formats.notation("42").read("b12 345 678")
    assert str(caught.value) == (
        "expected the size alone on the first line, as 3 for 3x3, got 'b12 345 678': 'b12 345 678'"
    )


@pytest.mark.parametrize("each", formats.NOTATIONS, ids=NAMES)
def test_the_example_of_a_notation_is_a_solvable_board_in_that_notation(
    each: formats.Notation,
) -> None:
    board = Board.parse(each.example)
    assert formats.detect(each.example) is each
    assert board.to(each.name) == each.example
    assert Goal.named(each.goal or "last", board.rows, board.columns).reachable_from(board)
    assert "\n" not in each.about


def test_each_notation_implies_the_goal_of_its_users() -> None:
    assert {each.name: each.goal for each in formats.NOTATIONS} == {
        "eecs391": "first",
        "columbia": "first",
        "korf": "first",
        "grid": "last",
        "slidysim": "last",
        "42": "snail",
        "json": None,
    }


def test_names_and_aliases_find_their_notation_and_are_all_different() -> None:
    names = [name for each in formats.NOTATIONS for name in (each.name, *each.aliases)]
    assert len(names) == len(set(names))
    for each in formats.NOTATIONS:
        for name in (each.name, *each.aliases):
            assert formats.notation(name.upper()) is each
    assert {"cs170", "cstimer", "slash", "snail"} <= set(names)


def test_an_unknown_notation_is_refused_with_the_known_ones_and_the_closest() -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse("12 3b").to("slidysym")
    assert str(caught.value) == (
        "expected a notation (json, 42, slidysim, eecs391, grid, columbia, korf), "
        "got 'slidysym'; did you mean slidysim?"
    )


@pytest.mark.parametrize(("name", "start"), [("", "expected a notation ("), (42, "expected the ")])
def test_what_is_no_name_at_all_is_refused_too(name: str, start: str) -> None:
    with pytest.raises(BoardError, match="^" + start.replace("(", r"\(")):
        formats.notation(name)


def test_writing_refuses_tiles_that_do_not_fill_the_shape() -> None:
    with pytest.raises(BoardError, match=r"^expected 4 tiles for a 2x2 board, got 3$"):
        formats.write("grid", 2, 2, (1, 2, 3))
