"""The public surface of the Python package: the names that others may rely on.

This is the one place that decides it. The reference of the API is generated from it
(`docs/generate.py`), and `tests/test_surface.py` checks that every name is there and documented.
What is not listed here may change in any version.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Page:
    """A page of the reference: its file, its title, what it is about, and the names on it."""

    file: str
    title: str
    about: str
    modules: tuple[tuple[str, str], ...]
    """Modules with their names; no names stand for all of the module's `__all__`."""

    def names(self) -> list[tuple[str, str]]:
        """Module and name of everything on the page."""
        found = []
        for module, names in self.modules:
            listed = names.split() if names else import_module(module).__all__
            found += [(module, name) for name in listed]
        return found

    def objects(self) -> list[tuple[str, Any]]:
        """The full name of everything on the page, and the thing itself."""
        return [
            (f"{module}.{name}", getattr(import_module(module), name))
            for module, name in self.names()
        ]


DATA = {
    "tilewise.COUNTERS": "Every counter of `Stats`: name, meaning, unit, whether less is better.",
    "tilewise.courses.COURSES": "Every course program, by the name that `--profile` takes.",
    "tilewise.grading.ITEMS": "What a question can give points for, with its meaning.",
}
"""The public values that are neither functions nor classes, and what they are."""

SOLVING = """solve solve_many improve trace Limits Result Status Stop StoppedBy Incumbent Stats
COUNTERS Trace"""
PUZZLE = "Board Move Goal Position read_position"
OWN = """heuristic algorithm make_heuristic load_file Heuristic Spec Rules Problem Meter Outcome
BuildContext"""

PAGES = (
    Page(
        "solving",
        "Solve and watch",
        "Solve one board or many, with limits, progress and a way to cancel; watch every step.",
        (("tilewise", SOLVING), ("tilewise", "Event Kind Observer Recorder")),
    ),
    Page(
        "puzzle",
        "Boards, moves and goals",
        "The values that everything else takes and returns. All of them are immutable.",
        (("tilewise", PUZZLE),),
    ),
    Page(
        "own",
        "Heuristics and algorithms",
        "Make heuristics by name, and register your own heuristics and algorithms. "
        "[Extending](../extending.md) has worked examples.",
        (("tilewise", OWN),),
    ),
    Page(
        "errors",
        "Errors",
        "Every error that a request can cause is a `TilewiseError`. No answer is not an error: "
        "look at `Result.status`. A message says what was expected and what it got.",
        (
            ("tilewise", "TilewiseError"),
            (
                "tilewise.errors",
                """BoardError MoveError GoalError SpecError LimitsError EngineError TableError
                TraceError CancelledError MissingExtraError TableWarning InternalError""",
            ),
        ),
    ),
    Page(
        "boards",
        "Scramble, check, compare, hint",
        "The other verbs of the command line, as functions.",
        (
            ("tilewise.scrambling", "scramble Scrambles"),
            ("tilewise.checking", "check_board check_path BoardCheck PathCheck HeuristicValue"),
            ("tilewise.comparing", "compare pairings ranked Pairing"),
            ("tilewise.hints", "find_route hint Route Hint Guide"),
            ("tilewise.optimal_paths", "optimal_paths OptimalPaths"),
            ("tilewise.suites", "names load Suite SuiteBoard"),
        ),
    ),
    Page(
        "diagnosis",
        "Why and audit",
        "The count doctor and the heuristic doctor: [why](../why.md) and [audit](../audit.md) "
        "from Python.",
        (
            ("tilewise.diagnosis.why", "diagnose"),
            ("tilewise.diagnosis.findings", "Observation Diagnosis Explanation"),
            ("tilewise.diagnosis.audit", "audit Audit Examined Violation Saving"),
            ("tilewise.diagnosis.audited", "read_audited from_callable AuditedHeuristic"),
        ),
    ),
    Page(
        "traces",
        "Explain, traces, certificates",
        "Why a node was taken, traces of other solvers, and answers that can be verified.",
        (
            ("tilewise.traces.explain", "explain explain_step Choice"),
            ("tilewise.traces.watched", "watch Watched"),
            ("tilewise.traces.reader", "read_trace"),
            ("tilewise.traces.conformance", "check_trace ConformanceReport Deviation"),
            ("tilewise.traces.certificates", "certificate"),
        ),
    ),
    Page(
        "tables",
        "Tables",
        "Distances of all boards of a small shape, and the pattern databases behind `pdb(...)`. "
        "[Tables](../tables.md) explains them.",
        (
            ("tilewise.tables.distances", "distance_table DistanceTable"),
            ("tilewise.tables.patterns.partitions", "patterns_of"),
            ("tilewise.tables.patterns.pattern", "Pattern"),
            ("tilewise.tables.patterns.building", "table memory_of memory_to_build"),
            ("tilewise.tables.patterns.proof", "verify"),
        ),
    ),
    Page(
        "lab",
        "Experiments",
        "Experiments as data, a store that loses nothing, and reports. "
        "[An experiment of your own](../own-experiment.md) shows how they work together.",
        (("tilewise.lab", ""), ("tilewise.lab.reports.store_report", "make_report")),
    ),
    Page(
        "courses",
        "Courses and grading",
        "The programs of the courses, and marks for answer files.",
        (
            ("tilewise.courses", "COURSES course_named"),
            ("tilewise.courses.running", "run_course"),
            ("tilewise.courses.course", "Course Method"),
            ("tilewise.grading", ""),
        ),
    ),
    Page(
        "drawing",
        "Pictures",
        "Solutions and search trees as files.",
        (("tilewise.drawing", "save save_tree"),),
    ),
)
