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
    """All options that a spec sets, by place or by name, and the defaults of the others."""
    given: dict[str, str] = {}
    wanted = ", ".join(parameters) or "no options"
    if len(spec.parts) > len(parameters):
        raise SpecError(f"expected {owner} with {wanted}, got {spec}")
    positional = [(name, str(part)) for name, part in zip(parameters, spec.parts, strict=False)]
    for name, value in (*positional, *spec.options):
        if name not in parameters:
            raise SpecError(f"expected {owner} with {wanted}, got option {name!r} in {spec}")
        if name in given:
            raise SpecError(f"expected option {name} once, got it twice in {spec}")
        given[name] = value
    return {
        name: _convert(owner, parameter, given[name]) if name in given else parameter.default
        for name, parameter in parameters.items()
    }


def check_defaults(owner: str, options: dict[str, inspect.Parameter]) -> None:
    """Refuse options whose defaults do not say what type they have."""
    for option in options.values():
        if type(option.default) not in (int, bool, str, float, Fraction):
            raise SpecError(f"expected a default for option {option.name} of {owner}")


def _convert(owner: str, parameter: inspect.Parameter, text: str) -> Any:
    """An option's value in the type of its default; numbers must be positive."""
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
        if value <= 0:
            raise ValueError
    except (ValueError, ZeroDivisionError):
        size = " of at most 12 digits" if len(text) > 12 else ""
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
