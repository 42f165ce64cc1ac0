"""Options of a spec: set by place or by name, in the type of their defaults."""

from __future__ import annotations

import inspect
import re
from fractions import Fraction
from typing import Any

from tilewise.core.spec import Spec
from tilewise.errors import SpecError, shortened

_BOOLEANS = {"yes": True, "no": False, "true": True, "false": False}
_NUMBER = re.compile(r"\d{1,12}(\.\d{1,9})?|\d{1,12}/\d{1,12}", re.ASCII)


def completed(owner: str, parameters: dict[str, inspect.Parameter], spec: Spec) -> dict[str, Any]:
    """All options that a spec sets, by place or by name, and the defaults of the others.

    A parameter such as `*more` takes all further parts of the spec, as texts.
    """
    given: dict[str, str] = {}
    rest = next((name for name, p in parameters.items() if p.kind is p.VAR_POSITIONAL), None)
    by_place = [name for name in parameters if rest is None or name != rest]
    if rest is not None:
        by_place = by_place[: list(parameters).index(rest)]
    further = spec.parts[len(by_place) :]
    parameters = {name: p for name, p in parameters.items() if name != rest}
    wanted = ", ".join(parameters) or "no options"
    if further and rest is None:
        raise SpecError(f"expected {owner} with {wanted}, got {spec}")
    positional = [(name, str(part)) for name, part in zip(by_place, spec.parts, strict=False)]
    for name, value in (*positional, *spec.options):
        if name not in parameters:
            raise SpecError(f"expected {owner} with {wanted}, got option {name!r} in {spec}")
        if name in given:
            raise SpecError(f"expected option {name} once, got it twice in {spec}")
        given[name] = value
    options = {
        name: _convert(owner, parameter, given[name]) if name in given else parameter.default
        for name, parameter in parameters.items()
    }
    return options | ({} if rest is None else {rest: tuple(map(str, further))})


def check_defaults(owner: str, options: dict[str, inspect.Parameter]) -> None:
    """Refuse options whose defaults do not say what type they have."""
    for option in options.values():
        if option.kind is not option.VAR_POSITIONAL and type(option.default) not in (
            int,
            bool,
            str,
            float,
            Fraction,
        ):
            raise SpecError(f"expected a default for option {option.name} of {owner}")


def _convert(owner: str, parameter: inspect.Parameter, text: str) -> Any:
    """An option's value in the type of its default; numbers are positive, or 0 if that is usual."""
    kind = type(parameter.default)
    if kind is str:
        return text
    if kind is bool and text in _BOOLEANS:
        return _BOOLEANS[text]
    words = {
        bool: "yes or no",
        int: "a positive whole number",
        Fraction: "a positive number such as 1.5 or 3/2",
        float: "a positive number",
    }
    try:
        if kind not in (int, float, Fraction) or not _NUMBER.fullmatch(text):
            raise ValueError
        value = kind(text)
        if value < 0 or (value == 0 and parameter.default != 0):
            raise ValueError
    except (ValueError, ZeroDivisionError):
        size = " of at most 12 digits" if len(text) > 12 else ""
        size += " or 0" if parameter.default == 0 and kind is not bool else ""
        raise SpecError(
            f"expected {words[kind]}{size} for {parameter.name} of {owner}, got {shortened(text)}"
        ) from None
    return value


def option_text(value: Any) -> str:
    """1.5 rather than 3/2 where a decimal fraction is exact."""
    if isinstance(value, Fraction):
        as_float = float(value)
        return f"{as_float:g}" if Fraction(f"{as_float:g}") == value else str(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
