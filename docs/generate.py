"""Write the parts of the documents that come from the program itself: tables and pictures.

`python docs/generate.py` writes them; with `--check` it only says which are out of date.
A document marks a part with `<!-- generated: NAME -->` and `<!-- end of generated -->`. NAME is one
of `PARTS`, a Python file, or a result file in benchmarks/results.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import api_page
import command_parts
import course_pictures
import proof_parts
import reference_pages
import results
from markdown_parts import code, prose, table

import tilewise as tw
from tilewise import drawing, native, solving  # noqa: F401  (registers all algorithms)
from tilewise.cli.list_ import text_rows
from tilewise.core import events, rules
from tilewise.core.algorithm_facts import Frontier
from tilewise.core.registry import ALGORITHMS
from tilewise.core.stats import COUNTERS
from tilewise.courses import COURSES
from tilewise.courses.printed_output import FIELDS, STEP_FIELDS
from tilewise.diagnosis.zoo import ZOO
from tilewise.drawing.search_tree import tree_svg
from tilewise.drawing.svg import moving_svg
from tilewise.grading import ITEMS
from tilewise.lab.row import COLUMNS

ROOT = Path(__file__).resolve().parents[1]
_PART = re.compile(
    r"(?P<start><!-- generated: (?P<name>[\w./-]+) -->\n).*?(?P<end><!-- end of generated -->)",
    re.DOTALL,
)


def _in_order(things: Iterable[Any], name: Callable[[Any], str]) -> list[Any]:
    """Algorithms by name, those that run others last, whichever module was imported first."""
    return sorted(things, key=lambda each: (ALGORITHMS[name(each)].combines, name(each)))


def algorithms() -> str:
    """Every algorithm, with its facts."""
    titles = ("algorithm", "optimal", "complete", "default heuristic", "what it does")
    rows = []
    for row in _in_order(text_rows("algorithms"), lambda row: row["algorithm"].partition("(")[0]):
        heuristic = "-" if row["heuristic"] == "-" else code(row["heuristic"])
        facts = row["optimal"], row["complete"], heuristic
        rows.append((code(row["algorithm"]), *facts, prose(row["about"])))
    return table(titles, rows)


def contracts() -> str:
    """What each algorithm promises, whether it runs natively, and the knobs it takes."""
    return table(
        ("algorithm", "contract", "its solutions", "native", "rules it takes"),
        [
            (
                code(each.name),
                each.contract,
                each.guarantee,
                "yes" if each.native else "with options" if each.native_with_options else "no",
                ", ".join(each.knobs),
            )
            for each in _in_order(ALGORITHMS.values(), lambda entry: entry.name)
        ],
    )


def pseudo_code() -> str:
    """Every algorithm: what it keeps, which node it takes, and its lines."""
    parts = []
    for entry in _in_order(ALGORITHMS.values(), lambda entry: entry.name):
        frontier = entry.frontier
        takes = entry.choice or f"takes the node with the {frontier.best} {frontier.formula}"
        ties = f", of equals {frontier.usual_ties}" if frontier.best_first else ""
        lines = "\n".join(entry.pseudo_code.lines)
        facts = f"frontier: {frontier.kind}; {prose(takes)}{ties}"
        parts.append(
            f"**{prose(entry.title)}** (`{entry.name}`), {facts}\n\n```text\n{lines}\n```\n"
        )
    return "\n".join(parts)


def heuristics() -> str:
    """Every heuristic, with its facts."""
    return table(
        ("heuristic", "admissible", "consistent", "what it counts"),
        [
            (
                " ".join(code(name) for name in (row["heuristic"], row["aliases"]) if name != "-"),
                row["admissible"],
                row["consistent"],
                prose(row["about"]),
            )
            for row in text_rows("heuristics")
        ],
    )


def native_loops() -> str:
    """Which loop of the native engine serves which search."""
    return table(
        ("search", "heuristic", "shape", "order", "can also", "loop", "what is special"),
        [
            (
                " ".join(code(name) for name in _served(row)),
                row.heuristic,
                row.shape,
                row.order,
                ", ".join("be watched" if name == "watched" else code(name) for name in row.options)
                or "-",
                code(row.header),
                row.about,
            )
            for row in native.LOOPS
        ],
    )


def _served(row: Any) -> list[str]:
    """The algorithms that a row of the table is about."""
    return [
        name
        for name, entry in ALGORITHMS.items()
        if row.search.name in (entry.native, entry.native_with_options)
        and (not row.by_f or _sorted_by_f(entry.frontier))
    ]


def _sorted_by_f(frontier: Frontier) -> bool:
    return (frontier.g, frontier.h) == (1, 1) and frontier.reopens


def formats() -> str:
    """Every notation, in the order in which the detector tries them."""
    return table(
        ("format", "also called", "goal", "example", "how it is written"),
        [
            (code(row["format"]), row["aliases"], row["goal"], code(row["example"]), row["about"])
            for row in text_rows("formats")
        ],
    )


def profiles() -> str:
    """The courses, their commands and goals."""
    return table(
        ("profile", "command", "goal", "what it is"),
        [
            (code(profile.name), code(profile.command), profile.goal, prose(profile.about))
            for profile in COURSES.values()
        ],
    )


def differences() -> str:
    """For each profile: in what it differs from the default."""
    parts = []
    for profile in COURSES.values():
        names = ", ".join(f"{short} is {long}" for short, long in profile.heuristics.items())
        lines = [*profile.differences, f"heuristics: {names}"]
        parts.append(f"**`{profile.name}`**\n\n" + "".join(f"- {prose(line)}\n" for line in lines))
    return "\n".join(parts)


def template_fields() -> str:
    """The fields of the templates of a course file."""
    rows = [(code("{" + name + "}"), meaning) for name, meaning in FIELDS.items()]
    rows += [
        (code("{" + name + "}") + " in `step`", meaning) for name, meaning in STEP_FIELDS.items()
    ]
    return table(("field", "is"), rows)


def rule_sets() -> str:
    """The rule sets that have a name."""
    names = list(text_rows("rules")[0])
    return table(names, [[code(text) for text in row.values()] for row in text_rows("rules")])


def knobs() -> str:
    """The five knobs and what each can be set to."""
    settings = {
        "order": ("the letters U D L R in any order",),
        "ties": rules.TIES,
        "duplicates": rules.DUPLICATES,
        "goal_test": rules.GOAL_TESTS,
        "count": rules.COUNTS,
    }
    takers = {
        knob: [
            entry.name
            for entry in _in_order(ALGORITHMS.values(), lambda e: e.name)
            if knob in entry.knobs
        ]
        for knob in rules.KNOBS
    }
    return table(
        ("knob", "settings, the default in bold", "taken by"),
        [
            (
                code(knob),
                _settings(settings[knob], getattr(rules.DEFAULT, knob)),
                _takers(takers[knob]),
            )
            for knob in rules.KNOBS
        ],
    )


def _takers(names: Sequence[str]) -> str:
    """Who takes a knob, in the fewest words."""
    others = [name for name in ALGORITHMS if name not in names]
    if len(others) > 3:
        return ", ".join(names)
    return f"all but {', '.join(sorted(others))}" if others else "all"


def _settings(known: Iterable[str], default: str) -> str:
    words = [f"**`{word}`**" if word == default else f"`{word}`" for word in known]
    return ", ".join(words) if default in known else f"{', '.join(known)}: **`{default}`**"


def counters() -> str:
    """Every counter, with its meaning."""
    return table(
        ("counter", "unit", "better", "over many runs", "meaning"),
        [(code(c.name), c.unit, c.better, c.aggregate, prose(c.meaning)) for c in COUNTERS],
    )


def grade_items() -> str:
    """What an assignment can ask for."""
    return table(("item", "what earns the points"), [(code(k), v) for k, v in ITEMS.items()])


def event_kinds() -> str:
    """The kinds of events, in their order."""
    return ", ".join(f"`{kind.value}`" for kind in events.Kind) + "\n"


def columns() -> str:
    """The columns of an experiment's rows."""
    return table(
        ("column", "what it is"), [(code(c.name), prose(c.meaning)) for c in COLUMNS.values()]
    )


def zoo() -> str:
    """Every wrong solver and heuristic, and what betrays it."""
    return table(
        ("name", "kind", "what is wrong", "what betrays it"),
        [
            (code(each.name), each.kind, prose(each.wrong), prose(each.betrayed_by))
            for each in ZOO.values()
        ],
    )


def suites() -> str:
    """The named lists of boards."""
    return table(
        ("suite", "boards", "goal", "what it is", "source"),
        [
            (code(row["suite"]), row["boards"], row["goal"], row["about"], row["source"])
            for row in text_rows("suites")
        ],
    )


PARTS: dict[str, Callable[[], str]] = {
    "algorithms": algorithms,
    "api-fields": partial(api_page.fields, table),
    "columns": columns,
    "contracts": contracts,
    "counters": counters,
    "differences": differences,
    "event-kinds": event_kinds,
    "formats": formats,
    "grade-items": grade_items,
    "heuristics": heuristics,
    "knobs": knobs,
    "native-loops": native_loops,
    "profiles": profiles,
    "template-fields": template_fields,
    "pseudo-code": pseudo_code,
    "rules": rule_sets,
    "suites": suites,
    "zoo": zoo,
    **command_parts.PARTS,
}


def solution() -> str:
    """Every board of the longest shortest solution of the 8-puzzle."""
    return drawing.sheet(tw.solve("8b6 547 231")).decode()


def moving() -> str:
    """The same solution, playing itself as in a notebook."""
    result = tw.solve("8b6 547 231")
    return moving_svg(3, 3, [board.tiles for board in result.boards()])


def search_tree() -> str:
    """What A* stored on an 8-puzzle: `tilewise trace export "315 624 b78" ... -o tree.svg`."""
    return tree_svg(tw.trace("315 624 b78", algorithm="astar", heuristic="manhattan", rules="fifo"))


PICTURES: dict[str, Callable[[], str]] = {
    "docs/images/moving.svg": moving,
    "docs/images/search-tree.svg": search_tree,
    "docs/images/solution.svg": solution,
    **course_pictures.PICTURES,
}


def rewritten(text: str, root: Path = ROOT) -> str:
    """A document with its generated parts as they must be now."""

    def part(match: re.Match[str]) -> str:
        name = match["name"]
        body = _file(root / name) if "/" in name else PARTS[name]()
        return f"{match['start']}\n{body}\n{match['end']}"

    return _PART.sub(part, text)


def _file(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return results.markdown(results.from_json(text))
    if path.suffix == ".csv":
        return proof_parts.TABLES[path.name]()
    return f"```python\n{text}```\n"


def files(root: Path = ROOT) -> dict[Path, str]:
    """Every file with something generated in it, and what it must hold."""
    documents = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    whole = {path: path.read_text(encoding="utf-8") for path in documents}
    result = {path: rewritten(text, root) for path, text in whole.items() if _PART.search(text)}
    result |= {root / name: text for name, text in reference_pages.pages().items()}
    return result | {root / name: draw() for name, draw in PICTURES.items()}


def outdated(root: Path = ROOT) -> list[str]:
    """The names of the files that do not hold what they must."""
    return [
        path.relative_to(root).as_posix()
        for path, text in files(root).items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    """Write the files, or with --check name those that are out of date."""
    old = outdated()
    if arguments == ["--check"]:
        for name in old:
            print(f"out of date: {name} (python docs/generate.py)")
        return 1 if old else 0
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"written: {', '.join(old)}" if old else "everything is up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
