"""Reads arguments, command files and typed lines into commands; carries nothing out."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from tilewise.errors import TilewiseError, did_you_mean, shortened

LARGEST_FILE = 10_000_000
SOLVES = ("solveAStar", "solveBeam")

_TOKEN = re.compile(
    r"""
    "(?P<double>[^"]*)" | '(?P<single>[^']*)'
    | (?P<open>["'].*)          # a quote that is not closed on its line
    | (?P<comment>\#.*)
    | (?P<plain>[^\s"']+)
    """,
    re.VERBOSE,
)


class CommandError(TilewiseError):
    """A command is unknown, lacks its argument or has a wrong one."""


class Word(NamedTuple):
    """A word or quoted text, and where it stood, such as `line 3 of FILE`."""

    text: str
    where: str = ""
    open_quote: bool = False


@dataclass(frozen=True)
class Call:
    """A command to carry out, or a `fault` to report in its place.

    `limit` is the maxNodes that stands behind a solve; `bound` marks that maxNodes.
    """

    name: str
    argument: str = ""
    where: str = ""
    fault: str = ""
    limit: str = ""
    bound: bool = False


def split_line(line: str, where: str = "") -> list[Word]:
    """The words of a line; quoted texts are one word, # starts a comment."""
    words = []
    for token in _TOKEN.finditer(line):
        if token.lastgroup != "comment":
            text = token[token.lastgroup or 0]
            words.append(Word(text, where, token.lastgroup == "open"))
    return words


def _file(name: str) -> Path:
    """The file of a name; a path of Windows, as Koehrsen's report has it, works on every system."""
    path = Path(name)
    return path if path.exists() else Path(name.replace("\\", "/"))


def read_file(name: str) -> list[Word]:
    """The words of a command file."""
    try:
        with _file(name).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        reason = getattr(error, "strerror", None) or error
        raise CommandError(
            f"expected a readable command file, got {shortened(name)}: {reason}"
        ) from None
    if len(data) > LARGEST_FILE:
        raise CommandError(
            f"expected a command file of at most {LARGEST_FILE} bytes, got more: {shortened(name)}"
        )
    lines = re.split(r"\r\n|\r|\n", _text(data, name))
    return [
        word
        for number, line in enumerate(lines, start=1)
        for word in split_line(line, f"line {number} of {shortened(name)}")
    ]


def _text(data: bytes, name: str) -> str:
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"expected a text file, got other bytes: {shortened(name)}") from None
    if "\0" in text:
        raise CommandError(f"expected a text file, got a NUL byte: {shortened(name)}")
    return text


def read_calls(words: Iterable[Word], names: Mapping[str, bool]) -> list[Call]:
    """The commands that words make; `names` says which commands take an argument.

    A command word is never taken for an argument. Words that belong to no command are one fault.
    """
    known = {name.lower(): name for name in names}
    calls: list[Call] = []
    strays: list[Word] = []
    expecting = False  # the last call still wants its argument

    def report_strays() -> None:
        if strays:
            text = " ".join(word.text for word in strays)
            calls.append(_unknown(text, strays[0].where, names))
            strays.clear()

    for word in (part for given in words for part in _parts(given, known)):
        name = _command_word(word.text, known)
        if name is None and expecting:
            calls[-1] = _with_argument(calls[-1], word)
            expecting = False
        elif name is None and not strays and calls and _more_rows(calls[-1], word):
            calls[-1] = replace(calls[-1], argument=f"{calls[-1].argument} {word.text}")
        elif name is None:
            strays.append(word)
        else:
            report_strays()
            is_command = name in names
            calls.append(
                Call(name, where=word.where) if is_command else _unknown(name, word.where, names)
            )
            expecting = is_command and names[name]
    report_strays()
    return calls


def _parts(word: Word, known: Mapping[str, str]) -> list[Word]:
    """A word, or the command and the argument of -maxNodes=10."""
    head, equals, tail = word.text.partition("=")
    if equals and head.startswith("-") and head.lstrip("-").lower() in known:
        return [word._replace(text=head), word._replace(text=tail)]
    return [word]


def _command_word(text: str, known: Mapping[str, str]) -> str | None:
    """The command that a word names; an unknown option names itself; None for an argument."""
    dashes = len(text) - len(text.lstrip("-"))
    bare = text[dashes:]
    if dashes <= 2 and bare.lower() in known:
        return known[bare.lower()]
    return text if dashes and bare[:1].isalpha() else None


def _unknown(text: str, where: str, names: Iterable[str]) -> Call:
    bare = text.lstrip("-")
    hint = did_you_mean(bare, names, "; {}")
    if bare.lower().startswith("tableprint"):
        hint = "; the profile eecs391-table has it"
    return Call("", where=where, fault=f"expected a command, got {shortened(text)}{hint}")


def _with_argument(call: Call, word: Word) -> Call:
    if word.open_quote:
        fault = f"{call.name}: expected a closing {word.text[0]}, got {shortened(word.text)}"
        return replace(call, fault=fault)
    return replace(call, argument=word.text)


def _more_rows(call: Call, word: Word) -> bool:
    """Whether a word goes on with a state without quotes: `setState b12 345 678`."""
    rows = call.argument.split(" ")
    return (
        call.name == "setState"
        and len(rows) < 3
        and all(len(row) == 3 for row in (*rows, word.text))
    )


def bind_limits(calls: list[Call]) -> list[Call]:
    """Give each maxNodes to the nearest solve before it; without one it is for all that follow."""
    bound = list(calls)
    solve: int | None = None
    for place, call in enumerate(calls):
        if call.name in SOLVES:
            solve = place
        elif call.name == "maxNodes" and solve is not None:
            bound[place] = replace(call, bound=True)
            bound[solve] = replace(bound[solve], limit=call.argument)
    return bound


def in_order_of_effect(calls: list[Call], stage: Callable[[str], int]) -> list[Call]:
    """The calls of a command line in the order of their effects; faults come first."""
    return sorted(calls, key=lambda call: -1 if call.fault else stage(call.name))


def whole_number(text: str, lowest: int, highest: int) -> int:
    """A number within bounds."""
    if re.fullmatch(r"[0-9]{1,18}", text) and lowest <= int(text) <= highest:
        return int(text)
    raise CommandError(
        f"expected a whole number from {lowest} to {highest}, got {shortened(text, 40)}"
    )
