"""What there is, for the page: everything comes from the registry."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import tilewise
from tilewise import suites
from tilewise.core import rules
from tilewise.core.events import Kind
from tilewise.core.registry import ALGORITHMS, HEURISTICS, AlgorithmEntry, build_algorithm
from tilewise.core.spec import Spec
from tilewise.core.stats import COUNTERS
from tilewise.courses import PROFILES
from tilewise.courses.running import METHODS
from tilewise.native import ENGINES
from tilewise.puzzle import formats
from tilewise.puzzle.board import MAX_SIDE, MIN_SIDE
from tilewise.web.budgets import Budgets

GOALS = ("auto", "first", "last", "snail")


def schema(budgets: Budgets) -> dict[str, Any]:
    """Algorithms, heuristics, rules, profiles, counters, notations, suites, and the budgets."""
    return {
        "version": tilewise.__version__,
        "algorithms": [_algorithm(entry) for entry in ALGORITHMS.values()],
        "heuristics": [
            {
                "name": name,
                "aliases": list(entry.aliases),
                "about": entry.about,
                "admissible": entry.admissible,
                "consistent": entry.consistent,
                "combines": entry.combines,
            }
            for name, entry in HEURISTICS.items()
        ],
        "rules": _rules(),
        "profiles": [
            {
                **asdict(profile),
                "differences": list(profile.differences),
                "rules": profile.name,
                "searches": [method._asdict() for method in METHODS[profile.name]],
            }
            for profile in PROFILES.values()
        ],
        "counters": [asdict(counter) for counter in COUNTERS],
        "event_kinds": [kind.value for kind in Kind],
        "formats": [
            {
                "name": each.name,
                "aliases": list(each.aliases),
                "goal": each.goal,
                "example": each.example,
                "about": each.about,
            }
            for each in formats.NOTATIONS
        ],
        "move_styles": list(formats.MOVE_STYLES),
        "goals": list(GOALS),
        "suites": [
            {
                "name": suite.name,
                "boards": len(suite.instances),
                "goal": suite.goal,
                "about": suite.title,
                "source": suite.source,
            }
            for suite in map(suites.load, suites.names())
        ],
        "engines": [{"name": name, "about": about} for name, about in ENGINES.items()],
        "budgets": asdict(budgets),
        "shapes": {"least": MIN_SIDE, "most": MAX_SIDE},
    }


def _algorithm(entry: AlgorithmEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "about": entry.about,
        "optimal": entry.optimal,
        "complete": entry.complete,
        "needs_heuristic": entry.needs_heuristic,
        "default_heuristic": entry.default_heuristic,
        "knobs": list(entry.knobs),
        "options": [
            {"name": name, "default": default}
            for name, default in Spec.parse(build_algorithm(entry.name).spec).options
        ],
        "tree": entry.tree,
    }


def _rules() -> dict[str, Any]:
    return {
        "knobs": {
            "order": [],
            "ties": list(rules.TIES),
            "duplicates": list(rules.DUPLICATES),
            "goal_test": list(rules.GOAL_TESTS),
            "count": list(rules.COUNTS),
        },
        "named": [
            {"name": name, **{knob: getattr(each, knob) for knob in rules.KNOBS}}
            for name, each in rules.NAMED.items()
        ],
    }
