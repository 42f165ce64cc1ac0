"""Move sequences as text: `ULD`, `U3LD2R`, `up left down`, `['Up', 'Left', 'Down']`.

Inside tilewise a move is the direction of the blank. Some programs name the direction of the
tile, which is the opposite, so reading and writing both name the perspective.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby

from tilewise.errors import MoveError, shortened

LONGEST_TEXT = 10_000_000
MOST_MOVES = 1_000_000  # the longest depth-first solutions have some 100,000

_WORDS = {"U": "up", "D": "down", "L": "left", "R": "right"}
_LETTERS = {word: letter for letter, word in _WORDS.items()}
_OPPOSITE = str.maketrans("UDLR", "DURL")
_ITEM = re.compile(r"[^\s,;'\"]+")
_RUN = re.compile(r"([UDLRudlr])([0-9]*)")
_COUNT = re.compile(r"[1-9][0-9]{0,6}")


def read_moves(text: str, perspective: str = "blank") -> str:
    """The moves of the blank, as letters U D L R, that a text names in any of the styles.

    A path may be framed by 'start' and 'goal', as the solution paths of EECS 391 are.
    """
    _check_perspective(perspective)
    if not isinstance(text, str):
        raise MoveError(f"expected moves as text, got {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise MoveError(f"expected at most {LONGEST_TEXT} characters of moves, got {len(text)}")
    parts: list[str] = []
    total = 0
    for item in _items(text):
        part = _LETTERS.get(item[0].lower()) or _runs(item[0], item.start(), text)
        parts.append(part)
        total += len(part)
        if total > MOST_MOVES:
            raise MoveError(f"expected at most {MOST_MOVES} moves, got more: {shortened(text)}")
    return _seen_from(perspective, "".join(parts))


def write_moves(moves: str, style: str = "letters", perspective: str = "blank") -> str:
    """The moves of the blank, given as letters, in one of the styles."""
    _check_perspective(perspective)
    if style not in _STYLES:
        raise MoveError(f"expected a style {_listed(list(_STYLES))}, got {shortened(style)}")
    if not isinstance(moves, str):
        raise MoveError(f"expected moves as text, got {type(moves).__name__}")
    if not _WORDS.keys() >= set(moves):
        place, letter = next(each for each in enumerate(moves, start=1) if each[1] not in _WORDS)
        raise MoveError(f"expected moves U, D, L or R, got {shortened(letter)} at position {place}")
    return _STYLES[style](_seen_from(perspective, moves))


def _items(text: str) -> Iterator[re.Match[str]]:
    """The words of the text, without a 'start' before and a 'goal' behind all others."""
    found = _ITEM.finditer(_unbracketed(text))
    item = next(found, None)
    if item and item[0].lower() == "start":
        item = next(found, None)
    while item:
        following = next(found, None)
        if following or item[0].lower() != "goal":
            yield item
        item = following


def _unbracketed(text: str) -> str:
    """The text without the brackets of a list, of the same length to keep the positions."""
    body = text.replace("\ufeff", " ")
    opening, closing = body.find("["), body.rfind("]")
    outside = body[:opening] + body[closing + 1 :]
    if 0 <= opening < closing and not outside.strip(" \t\r\n'\""):
        return f"{body[:opening]} {body[opening + 1 : closing]} {body[closing + 1 :]}"
    return body


def _runs(item: str, start: int, text: str) -> str:
    """Letters, each with an optional number of repetitions: U3LD2R."""
    parts: list[str] = []
    place = total = 0
    while place < len(item):
        run = _RUN.match(item, place)
        if run is None:
            raise MoveError(
                f"expected moves U, D, L, R or up, down, left, right, "
                f"got {shortened(item[place:], 30)} at character {start + place + 1}: "
                f"{shortened(text)}"
            )
        count = run[2] or "1"
        if not _COUNT.fullmatch(count) or (total := total + int(count)) > MOST_MOVES:
            raise MoveError(
                f"expected 1 to {MOST_MOVES} moves, got {shortened(run[0], 30)} "
                f"at character {start + place + 1}: {shortened(text)}"
            )
        parts.append(run[1].upper() * int(count))
        place = run.end()
    return "".join(parts)


def _seen_from(perspective: str, moves: str) -> str:
    return moves.translate(_OPPOSITE) if perspective == "tile" else moves


def _check_perspective(perspective: str) -> None:
    if perspective not in ("blank", "tile"):
        raise MoveError(f"expected moves of the blank or tile, got {shortened(perspective)}")


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _written_runs(moves: str) -> str:
    runs = ((letter, len(list(same))) for letter, same in groupby(moves))
    return "".join(letter if count == 1 else f"{letter}{count}" for letter, count in runs)


_STYLES: dict[str, Callable[[str], str]] = {
    "letters": str,
    "runs": _written_runs,
    "words": lambda moves: " ".join(_WORDS[letter] for letter in moves),
    "columbia": lambda moves: str([_WORDS[letter].capitalize() for letter in moves]),
}
MOVE_STYLES = tuple(_STYLES)
"""The styles in which moves can be written."""
