"""The errors that tilewise raises on purpose; a message gives what was expected and what it got."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_PACKAGE = str(Path(__file__).parent)
LONGEST_GUESS = 40
"""Only this many characters of an unknown name are compared; longer names are no typos."""


class TilewiseError(ValueError):
    """Base of all errors that a user of the library can cause."""


class BoardError(TilewiseError):
    """A text or a tuple of tiles is not a board."""


class MoveError(TilewiseError):
    """A move is unknown, or not legal on this board."""


class GoalError(TilewiseError):
    """A goal is unknown or has another shape than the board."""


class SpecError(TilewiseError):
    """An algorithm, heuristic or rule text does not parse or names something unknown."""


class LimitsError(TilewiseError):
    """A limit is not a positive number."""


class EngineError(TilewiseError):
    """The engine is unknown or cannot serve the request."""


class TableError(TilewiseError):
    """A table would be too large, is damaged, or is not one that can be made."""


class EngineWarning(UserWarning):
    """The native engine is not the one of these sources."""


class TableWarning(UserWarning):
    """A table could not be kept or used; the answer is still right."""


class CancelledError(TilewiseError):
    """The caller cancelled while a table was being built."""


class TraceError(TilewiseError):
    """A trace of a search cannot be read, or contradicts the puzzle."""


class MissingExtraError(TilewiseError):
    """A library that only an extra installs is missing."""

    def __init__(self, library: str, purpose: str, extra: str) -> None:
        super().__init__(f"expected {library} {purpose}, got none: pip install 'tilewise[{extra}]'")


class InternalError(RuntimeError):
    """Something that must not happen: a defect of tilewise, not of its input."""


def did_you_mean(name: object, known: Iterable[str], form: str = " ({})") -> str:
    """The end of a message about an unknown name: ` (did you mean astar?)`, if a name is close.

    Capital letters make no difference. `form` says how the words are set off.

    >>> did_you_mean("astra", ["astar", "bfs"])
    ' (did you mean astar?)'
    """
    from difflib import get_close_matches  # only errors need it

    words = {word.lower(): word for word in known}
    close = get_close_matches(str(name)[:LONGEST_GUESS].lower(), words, n=1)
    return form.format(f"did you mean {words[close[0]]}?") if close else ""


def shortened(text: object, width: int = 60) -> str:
    """The repr of an input for an error message, cut in the middle when it is long."""
    if isinstance(text, str) and len(text) > 10 * width:
        text = text[: 5 * width] + text[-5 * width :]
    try:
        shown = repr(text)
    except ValueError:  # an integer of too many digits to print
        shown = "a number of thousands of digits"
    if len(shown) <= width:
        return shown
    half = (width - 5) // 2
    return f"{shown[:half]} ... {shown[-half:]}"


def visible(name: str) -> str:
    """A name on one line: control characters, wrong bytes and their like as escapes.

    A file name or a text of a stranger's file that is shown so cannot move the cursor, change
    colours, or look like a line of the program.

    >>> print(visible("a\\nb.json: valid"))
    a\\x0ab.json: valid
    """
    return "".join(
        character if character.isprintable() else _escape(character) for character in name
    )


def _escape(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # how Python keeps a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def in_one_line(error: BaseException) -> str:
    """An error of a user's own code in one line: what, and where in which file."""
    where = ""
    frame = error.__traceback__
    while frame is not None:
        file = frame.tb_frame.f_code.co_filename
        if not file.startswith(_PACKAGE):
            where = f" ({file}:{frame.tb_lineno})"
        frame = frame.tb_next
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = "an error that cannot be written"
    return f"{type(error).__name__}: {text}{where}"
