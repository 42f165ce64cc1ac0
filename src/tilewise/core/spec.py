"""Spec: a configured thing as text, such as `wastar(weight=1.5)` or `max(manhattan, pdb(7-8))`.

One grammar serves algorithms and heuristics, on the command line, in tables and in run keys:

    spec    = name [ "(" [ item { "," item } ] ")" ]
    item    = spec | key "=" value
    name    = letters, digits and any of _ . + - / * :
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tilewise.errors import SpecError, shortened

_TOKEN = re.compile(r"\s*(?:([A-Za-z0-9_.+\-/*:]+)|([(),=]))")
_MAX_LENGTH, _MAX_NESTING = 2_000, 20


@dataclass(frozen=True)
class Spec:
    """A configured thing: a name with positional parts, which are specs, and named options.

    Example:
        >>> str(Spec.parse("max( manhattan,wastar(weight = 1.5) )"))
        'max(manhattan, wastar(weight=1.5))'
    """

    name: str
    """The name of an algorithm or a heuristic."""
    parts: tuple[Spec, ...] = ()
    """What stands in the parentheses without a key."""
    options: tuple[tuple[str, str], ...] = ()
    """Keys and values, as text."""

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read a spec; `Spec.parse(str(spec)) == spec`.

        Args:
            text: Such as `astar` or `beam(width=10)`.

        Raises:
            SpecError: The text does not parse.
        """
        if not isinstance(text, str):
            raise SpecError(f"expected a spec such as astar or beam(width=10), got {text!r}")
        return _parsed(text)

    def __hash__(self) -> int:
        return hash(self.name)  # each search looks its heuristic up

    def __str__(self) -> str:
        items = [str(part) for part in self.parts]
        items += [f"{key}={value}" for key, value in self.options]
        return f"{self.name}({', '.join(items)})" if items else self.name


@lru_cache(maxsize=256)
def _parsed(text: str) -> Spec:
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        if len(text) > _MAX_LENGTH:
            raise SpecError(f"expected a spec of at most {_MAX_LENGTH} characters, got {len(text)}")
        self.text = text
        self.tokens = self._split()
        self.next = 0

    def whole(self) -> Spec:
        spec = self._spec(nesting=0)
        if self._peek() is not None:
            self._fail("the end")
        return spec

    def _split(self) -> list[str]:
        tokens, position = [], 0
        text = self.text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                bad = text[position:].lstrip()[0]
                raise SpecError(
                    f"expected a spec such as astar or beam(width=10), "
                    f"got character {bad!r} in {shortened(self.text)}"
                )
            tokens.append(match.group(1) or match.group(2))
            position = match.end()
        return tokens

    def _spec(self, nesting: int) -> Spec:
        if nesting > _MAX_NESTING:
            raise SpecError(f"expected at most {_MAX_NESTING} nested parentheses, got more")
        name = self._name("a name")
        if self._peek() != "(":
            return Spec(name)
        self.next += 1
        parts: list[Spec] = []
        options: list[tuple[str, str]] = []
        while self._peek() != ")":
            item = self._spec(nesting + 1)
            if self._peek() == "=" and not item.parts and not item.options:
                self.next += 1
                options.append((item.name, self._name("a value")))
            elif options:
                self._fail("a named option after the first named option")
            else:
                parts.append(item)
            if self._peek() == ",":
                self.next += 1
                if self._peek() == ")":
                    self._fail("a spec or an option after ','")
            elif self._peek() != ")":
                self._fail("',' or ')'")
        self.next += 1
        return Spec(name, tuple(parts), tuple(options))

    def _name(self, wanted: str) -> str:
        token = self._peek()
        if token is None or token in "(),=":
            self._fail(wanted)
        self.next += 1
        return str(token)

    def _peek(self) -> str | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def _fail(self, wanted: str) -> None:
        came = self._peek()
        found = "the end" if came is None else repr(came)
        raise SpecError(f"expected {wanted}, got {found} in spec {shortened(self.text)}")
