"""The normal form of a run: names checked, specs completed, so that equal runs have equal texts."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from tilewise.core.registry import build_algorithm, heuristic_name
from tilewise.core.rules import KNOBS, Rules
from tilewise.courses import PROFILES
from tilewise.courses.eecs391.search import DEFAULT_MAX_NODES, DIALECTS
from tilewise.errors import SpecError, shortened
from tilewise.lab.run import Run

COLUMBIA = {"bfs": "", "dfs": "", "astar": "manhattan"}
CS170 = {"ucs": ("",), "astar": ("misplaced", "manhattan")}


def normal_run(run: Run) -> Run:
    """The run with every text in its normal form; what cannot be run is an error."""
    if type(run.seed) is not int or run.seed < 0:
        raise SpecError(f"expected a seed of at least 0, got {shortened(run.seed)}")
    if run.measure:
        heuristic = heuristic_name(run.heuristic) if run.heuristic else ""
        return replace(run, heuristic=heuristic, rules=_rules_text(run.rules))
    algorithm, heuristic, rules = _search(run.profile, run.algorithm, run.heuristic, run.rules)
    nodes = DEFAULT_MAX_NODES if run.profile in DIALECTS and not run.max_nodes else run.max_nodes
    return replace(run, algorithm=algorithm, heuristic=heuristic, rules=rules, max_nodes=nodes)


@lru_cache(maxsize=1024)
def _search(profile: str, algorithm: str, heuristic: str, rules: str) -> tuple[str, str, str]:
    """Algorithm, heuristic and rules in their normal form."""
    if profile:
        return _of_profile(profile, algorithm, heuristic)
    configured = build_algorithm(algorithm)
    entry = configured.entry
    if not entry.needs_heuristic:
        if heuristic:
            raise SpecError(f"expected no heuristic for {entry.name}, which uses none")
        estimate = ""
    else:
        estimate = heuristic_name(heuristic or str(entry.default_heuristic))
    text = _rules_text(rules)
    for knob in sorted((Rules.parse(text).given or set()) - set(entry.knobs)):
        taken = ", ".join(entry.knobs)
        raise SpecError(f"expected rules for {entry.name} among {taken}; got {knob}")
    return configured.spec, estimate, text


def _of_profile(profile: str, algorithm: str, heuristic: str) -> tuple[str, str, str]:
    if profile not in PROFILES:
        raise SpecError(f"expected a profile ({', '.join(PROFILES)}), got {shortened(profile)}")
    configured = build_algorithm(algorithm)
    name = configured.entry.name
    known: dict[str, tuple[str, ...]]
    if profile in DIALECTS:
        known = {"astar": ("h1", "h2"), "beam": ("",)}
    elif profile == "cs170":
        known = CS170
    else:
        known = {name: (heuristic,) for name, heuristic in COLUMBIA.items()}
        heuristic = heuristic or COLUMBIA.get(name, "")
    if name not in known:
        raise SpecError(f"expected {' or '.join(known)} in profile {profile}, got {algorithm}")
    if heuristic not in known[name]:
        wanted = " or ".join(filter(None, known[name])) or "no heuristic"
        raise SpecError(
            f"expected {wanted} for {name} in profile {profile}, got {shortened(heuristic)}"
        )
    return configured.spec, heuristic, profile


def _rules_text(text: str) -> str:
    """A name, then the knobs that were set on purpose, in their order."""
    rules = Rules.parse(text)
    base = text.partition(",")[0].strip()
    parts = [] if "=" in base or base == "default" else [base]
    parts += [f"{knob}={getattr(rules, knob)}" for knob in KNOBS if knob in (rules.given or ())]
    return ",".join(parts) or "default"
