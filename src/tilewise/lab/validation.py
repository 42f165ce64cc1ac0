"""The normal form of a run: names checked, specs completed, so that equal runs have equal texts."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.made_heuristic import heuristic_name
from tilewise.core.rules import KNOBS, Rules
from tilewise.courses import course_named
from tilewise.errors import SpecError, shortened
from tilewise.lab.run import Run


def normal_run(run: Run) -> Run:
    """The run with every text in its normal form; what cannot be run is an error."""
    if type(run.seed) is not int or run.seed < 0:
        raise SpecError(f"expected a seed of at least 0, got {shortened(run.seed)}")
    if run.measure:
        heuristic = heuristic_name(run.heuristic) if run.heuristic else ""
        return replace(run, heuristic=heuristic, rules=_rules_text(run.rules))
    algorithm, heuristic, rules = _search(run.profile, run.algorithm, run.heuristic, run.rules)
    own_limit = course_named(run.profile).max_nodes if run.profile else None
    nodes = run.max_nodes or own_limit
    return replace(run, algorithm=algorithm, heuristic=heuristic, rules=rules, max_nodes=nodes)


@lru_cache(maxsize=1024)
def _search(profile: str, algorithm: str, heuristic: str, rules: str) -> tuple[str, str, str]:
    """Algorithm, heuristic and rules in their normal form."""
    if profile:
        return _of_course(profile, algorithm, heuristic)
    configured = build_algorithm(algorithm)
    entry = configured.entry
    if not entry.needs_heuristic:
        if heuristic:
            raise SpecError(f"expected no heuristic for {entry.name}, which {entry.without_one}")
        estimate = ""
    else:
        estimate = heuristic_name(heuristic or str(entry.default_heuristic))
    text = _rules_text(rules)
    for knob in sorted((Rules.parse(text).given or set()) - set(entry.knobs)):
        taken = ", ".join(entry.knobs)
        raise SpecError(f"expected rules for {entry.name} among {taken}; got {knob}")
    return configured.spec, estimate, text


def _of_course(name: str, algorithm: str, heuristic: str) -> tuple[str, str, str]:
    """A method of a course; its rules are named as the course is."""
    course = course_named(name)
    method = course.method(algorithm, heuristic or None, usual=False)
    called = course.request_name(method)
    spec = method.spec if called == method.algorithm else called
    return spec, method.heuristic or "", name


def _rules_text(text: str) -> str:
    """A name, then the knobs that were set on purpose, in their order."""
    rules = Rules.parse(text)
    base = text.partition(",")[0].strip()
    parts = [] if "=" in base or base == "default" else [base]
    parts += [f"{knob}={getattr(rules, knob)}" for knob in KNOBS if knob in (rules.given or ())]
    return ",".join(parts) or "default"
