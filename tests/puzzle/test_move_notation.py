"""Moves as text: every style reads back, and tile directions are the opposite ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewise.errors import MoveError
from tilewise.puzzle.board import Board, Move
from tilewise.puzzle.formats import read_moves, write_moves

STYLES = ["letters", "runs", "words", "columbia"]
lenient = settings(deadline=None)


@lenient
@given(
    st.text(st.sampled_from("UDLR"), max_size=200),
    st.sampled_from(STYLES),
    st.sampled_from(["blank", "tile"]),
)
def test_every_style_reads_back_from_both_perspectives(
    moves: str, style: str, perspective: str
) -> None:
    assert read_moves(write_moves(moves, style, perspective), perspective) == moves


@lenient
@given(st.text(st.sampled_from("UDLR"), max_size=50), st.sampled_from(STYLES))
def test_the_tile_goes_the_opposite_way_of_the_blank(moves: str, style: str) -> None:
    opposite = "".join(Move(letter).opposite for letter in moves)
    assert write_moves(moves, style, "tile") == write_moves(opposite, style)
    assert read_moves(write_moves(moves, style), "tile") == opposite


def test_each_style_writes_moves_in_its_own_way() -> None:
    assert write_moves("UUULDDR") == "UUULDDR"
    assert write_moves("UUULDDR", "runs") == "U3LD2R"
    assert write_moves("ULD", "words") == "up left down"
    assert write_moves("ULR", "columbia") == "['Up', 'Left', 'Right']"
    assert [write_moves("", style) for style in STYLES] == ["", "", "", "[]"]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", ""),
        (" \n", ""),
        ("[]", ""),
        ("ULD", "ULD"),
        ("uld", "ULD"),
        ("U L\r\nD", "ULD"),
        ("U,L;D", "ULD"),
        ("U3LD2R", "UUULDDR"),
        ("u3 l d2 r", "UUULDDR"),
        ("R12", "R" * 12),
        ("up left down", "ULD"),
        ("Up, LEFT, Down", "ULD"),
        ("['Up', 'Left', 'Left']", "ULL"),
        ('["up","left"]', "UL"),
        ("\ufeff\"['Up', 'Left']\"\n", "UL"),
        ("'Up', 'Left'", "UL"),
        ("['start', 'left', 'up', 'left', 'up', 'goal']", "LULU"),
        ("['start', 'goal']", ""),
    ],
)
def test_usual_spellings_of_moves_are_read(text: str, moves: str) -> None:
    assert read_moves(text) == moves


def test_moves_of_the_tile_lead_to_the_same_board_as_those_of_the_blank() -> None:
    start = Board.parse("1 2 3/4 5 6/7 8 0")
    assert start.after(read_moves("D2R", "tile")) == start.after("UUL")


MOVES = "expected moves U, D, L, R or up, down, left, right,"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ULX", f"{MOVES} got 'X' at character 3: 'ULX'"),
        ("['Up', 'Leftt']", f"{MOVES} got 'eftt' at character 10: \"['Up', 'Leftt']\""),
        ("up sideways", f"{MOVES} got 'sideways' at character 4: 'up sideways'"),
        ("3U", f"{MOVES} got '3U' at character 1: '3U'"),
        ("U-1", f"{MOVES} got '-1' at character 2: 'U-1'"),
        ("U\u0663", f"{MOVES} got '\u0663' at character 2: 'U\u0663'"),
        ("[U", f"{MOVES} got '[U' at character 1: '[U'"),
        ("goal up", f"{MOVES} got 'goal' at character 1: 'goal up'"),
        ("U\0", rf"{MOVES} got '\x00' at character 2: 'U\x00'"),
        ("U0", "expected 1 to 1000000 moves, got 'U0' at character 1: 'U0'"),
        ("LU03", "expected 1 to 1000000 moves, got 'U03' at character 2: 'LU03'"),
        ("U1000001", "expected 1 to 1000000 moves, got 'U1000001' at character 1: 'U1000001'"),
        (
            "U" + "9" * 5000,
            "expected 1 to 1000000 moves, got 'U9999999999 ... 99999999999' at character 1: "
            "'U9999999999999999999999999 ... 99999999999999999999999999'",
        ),
        (
            "U600000 D600000",
            "expected at most 1000000 moves, got more: 'U600000 D600000'",
        ),
        (
            "U600000D600000",
            "expected 1 to 1000000 moves, got 'D600000' at character 8: 'U600000D600000'",
        ),
        ("U" * 10_000_001, "expected at most 10000000 characters of moves, got 10000001"),
        (None, "expected moves as text, got NoneType"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_wrong_moves_are_refused_with_exactly_this_line(text: str, message: str) -> None:
    with pytest.raises(MoveError) as caught:
        read_moves(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("UXD",), "expected moves U, D, L or R, got 'X' at position 2"),
        (("u",), "expected moves U, D, L or R, got 'u' at position 1"),
        ((5,), "expected moves as text, got int"),
        (("U", "arrows"), "expected a style letters, runs, words or columbia, got 'arrows'"),
        (("U", "letters", "hand"), "expected moves of the blank or tile, got 'hand'"),
    ],
)
def test_what_cannot_be_written_is_refused(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(MoveError) as caught:
        write_moves(*arguments)
    assert str(caught.value) == message


def test_an_unknown_perspective_is_refused_when_reading() -> None:
    with pytest.raises(MoveError, match=r"^expected moves of the blank or tile, got 'me'$"):
        read_moves("U", "me")


@settings(deadline=None, max_examples=300)
@given(st.text() | st.text(st.sampled_from(list("UDLRudlr0123456789 ,;'\"[]upleft\n"))))
def test_any_text_is_moves_or_an_error_of_one_line(text: str) -> None:
    try:
        moves, message = read_moves(text), "none"
    except MoveError as error:
        moves, message = "", str(error)
    assert set(moves) <= set("UDLR")
    assert len(message.splitlines()) == 1
