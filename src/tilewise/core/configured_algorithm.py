"""Algorithms made from their specs: every option has its value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from tilewise.core.algorithm_facts import Contract, Frontier
from tilewise.core.entries import AlgorithmEntry
from tilewise.core.registry import ALGORITHMS, WHEN_CHANGED, find, spec_of
from tilewise.core.spec import Spec
from tilewise.core.spec_options import completed, option_text
from tilewise.errors import SpecError


@dataclass(frozen=True)
class ConfiguredAlgorithm:
    """An algorithm with all its options set; `spec` is the normal form of the text."""

    spec: str
    entry: AlgorithmEntry
    options: dict[str, Any]

    @cached_property
    def native_options(self) -> dict[str, int]:
        """The options that are on and that only the native engine takes."""
        limits = self.entry.native_options
        return {
            name: value
            for name, value in self.options.items()
            if name in limits and value != limits[name].start
        }

    @cached_property
    def python_options(self) -> dict[str, Any]:
        """The options that the Python search takes."""
        return {
            name: value
            for name, value in self.options.items()
            if name not in self.entry.native_options
        }

    @property
    def native_loop(self) -> str | None:
        """The loop of the native engine that serves it with these options, if there is one."""
        return self.entry.native or (
            self.entry.native_with_options if self.native_options else None
        )

    @property
    def contract(self) -> Contract:
        """What a second implementation must equal, with these options."""
        if not self.native_options:
            return self.entry.contract
        return Contract.OPTIMAL if self.entry.optimal else Contract.VALID

    @cached_property
    def frontier(self) -> Frontier:
        """The frontier, with these options."""
        return self.entry.frontier.configured(self.options)


@lru_cache(maxsize=256)
def build_algorithm(text: str | Spec) -> ConfiguredAlgorithm:
    """The algorithm that a spec names, with its options converted and completed."""
    spec = spec_of(text, "algorithm")
    entry = find(ALGORITHMS, spec.name, "algorithm")
    options = completed(entry.name, entry.options, spec)
    for name, values in entry.native_options.items():
        if options[name] not in values:
            raise SpecError(
                f"expected {values.start} to {values[-1]} for {name} of {entry.name}, "
                f"got {options[name]}"
            )
    shown = tuple(
        (name, option_text(value))
        for name, value in options.items()
        if name not in entry.native_options or value != entry.native_options[name].start
    )
    return ConfiguredAlgorithm(str(Spec(entry.name, (), shown)), entry, options)


WHEN_CHANGED.append(build_algorithm.cache_clear)
