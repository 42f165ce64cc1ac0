"""Templates: texts with named fields in braces. They write what a course prints, and read it back.

A template is data: `{length}` is replaced by a value and nothing else happens, so a course that
comes from a stranger's file runs no code. `{{` and `}}` stand for braces.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from tilewise.errors import SpecError, did_you_mean, shortened

MOST_FIELDS = 4
"""Fields on one line: with more of them it would not be clear how to read it."""
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|[{}]")
_BREAK = re.compile(r"\s+|([:=])")
_WORD = re.compile(r"[^\W\d_]")
_WORDS = ("board", "goal", "method", "path")
"""The fields that may have spaces in them; all others are one word."""


@dataclass(frozen=True)
class Field:
    """The place of a value in a template."""

    name: str


@dataclass(frozen=True)
class Template:
    """A text with fields, as `parsed` makes it.

    >>> Template.parsed("Moves: {length}", ["length"]).written({"length": "4"})
    'Moves: 4'
    """

    text: str
    parts: tuple[str | Field, ...]

    @classmethod
    def parsed(cls, text: str, known: Collection[str]) -> Template:
        """Read a template; its fields must be among the known ones.

        Raises:
            SpecError: A field is unknown, or a brace stands alone.
        """
        parts: list[str | Field] = []
        end = 0
        for piece in _PIECE.finditer(text):
            parts.append(text[end : piece.start()])
            end = piece.end()
            if piece[0] in ("{{", "}}"):
                parts.append(piece[0][0])
            elif piece[1] is None:
                raise SpecError(
                    "expected a field in braces, or {{ and }} for braces, got "
                    f"{piece[0]} alone in {shortened(_line_at(text, piece.start()))}"
                )
            elif piece[1] not in known:
                hint = did_you_mean(piece[1], known)
                raise SpecError(
                    f"expected the fields {', '.join(known)}; got {shortened(piece[1], 40)}{hint}"
                )
            else:
                parts.append(Field(piece[1]))
        parts.append(text[end:])
        made = cls(text, tuple(part for part in parts if part != ""))
        for line in made.lines():
            if len(line.fields) > MOST_FIELDS:
                raise SpecError(
                    f"expected at most {MOST_FIELDS} fields on a line, got {len(line.fields)} in "
                    f"{shortened(line.text)}"
                )
        return made

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields, in their order."""
        return tuple(part.name for part in self.parts if isinstance(part, Field))

    @property
    def labelled(self) -> bool:
        """Whether words stand beside its fields, by which it can be recognised."""
        return any(isinstance(part, str) and _WORD.search(part) for part in self.parts)

    @property
    def literals(self) -> str:
        """Its text without the fields."""
        return " ".join(part for part in self.parts if isinstance(part, str))

    @property
    def ambiguous(self) -> bool:
        """Whether several of its fields may have spaces in them."""
        return sum(name in _WORDS for name in self.fields) > 1

    def written(self, values: Mapping[str, str]) -> str:
        """The text with its fields filled in."""
        return "".join(
            values[part.name] if isinstance(part, Field) else part for part in self.parts
        )

    def lines(self) -> Iterator[Template]:
        """The lines that are not empty, each a template."""
        line: list[str | Field] = []
        for part in self.parts:
            pieces: list[str | Field] = [part]
            if isinstance(part, str):
                pieces = [*part.split("\n")]
            for number, piece in enumerate(pieces):
                if number:
                    yield from _made(line)
                    line = []
                if piece != "":
                    line.append(piece)
        yield from _made(line)

    def reader(self, whole: bool = False) -> re.Pattern[str]:
        """What recognises a line and finds its values.

        Case does not matter, nor does white space around colons and equal signs, which stand for
        each other. `whole`: no text may follow behind it.
        """
        pattern = [r"\s*"]
        seen: set[str] = set()
        for at, part in enumerate(self.parts):
            if not isinstance(part, Field):
                pattern.append(_literal(part.lstrip() if at == 0 else part))
                continue
            spaced = part.name in _WORDS
            last = at == len(self.parts) - 1
            value = (r"\S.*" if last else r"\S.*?") if spaced else r"[^\s:=]+"
            if part.name == "path" and last and self.labelled:
                value = ".*"  # a solved board has no moves
            pattern.append(value if part.name in seen else f"(?P<{part.name}>{value})")
            seen.add(part.name)
        return re.compile("".join(pattern) + (r"\s*\Z" if whole else ""), re.IGNORECASE)


def _made(line: list[str | Field]) -> Iterator[Template]:
    text = "".join(f"{{{part.name}}}" if isinstance(part, Field) else part for part in line)
    if text.strip():
        yield Template(text, tuple(line))


def _literal(text: str) -> str:
    """The pattern of a text, with any white space where it has some."""
    made, end = [], 0
    for gap in _BREAK.finditer(text):
        made.append(re.escape(text[end : gap.start()]))
        made.append(r"\s*[:=]\s*" if gap[1] else r"\s+")
        end = gap.end()
    joined = "".join([*made, re.escape(text[end:])])
    return re.sub(r"(\\s[+*])*\\s\*(\\s[+*])*", r"\\s*", joined)


def _line_at(text: str, place: int) -> str:
    return text[text.rfind("\n", 0, place) + 1 :].partition("\n")[0]
