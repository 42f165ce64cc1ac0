"""What the pages say and where they lead: links, figures of time, sources, generated parts."""

from __future__ import annotations

import re
import shutil
from importlib import util
from pathlib import Path
from typing import Any

import tilewise
from tests.test_documents import DOCUMENTS, FENCE, NAMES, ROOT, blocks, extras
from tilewise.cli import exit_codes
from tilewise.cli.app import COMMANDS
from tilewise.core.registry import ALGORITHMS, HEURISTICS

_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#+ (?P<title>.+)$", re.MULTILINE)


def test_every_link_inside_the_project_leads_somewhere() -> None:
    broken = []
    for name, path in zip(NAMES, DOCUMENTS, strict=True):
        text = FENCE.sub("", path.read_text(encoding="utf-8"))
        for link in _LINK.finditer(text):
            target, _, anchor = link["target"].partition("#")
            if target.startswith(("https://", "http://")):
                continue
            file = (path.parent / target).resolve() if target else path
            if not file.exists() or (anchor and anchor not in anchors(file)):
                broken.append(f"{name}: {link['target']}")
    assert broken == []


def anchors(document: Path) -> set[str]:
    titles = _HEADING.findall(FENCE.sub("", document.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def clicks(page: Path) -> dict[Path, int]:
    """The documents that links and tables of contents lead to, and how many clicks away."""
    found, waiting = {page: 0}, [page]
    for here in waiting:
        text = here.read_text(encoding="utf-8")
        named = [match["target"].partition("#")[0] for match in _LINK.finditer(text)]
        for block in blocks(text):
            if block.language == "{toctree}":
                named += [f"{line}.md" for line in block.text.split() if line[0] != ":"]
        for name in named:
            file = (here.parent / name).resolve()
            if name.endswith(".md") and file.is_file() and file not in found:
                found[file] = found[here] + 1
                waiting.append(file)
    return found


def test_every_page_is_at_most_three_clicks_from_the_front_page() -> None:
    away = clicks(ROOT / "docs/index.md")
    pages = {path for path in DOCUMENTS if path.parent != ROOT}
    assert sorted(page for page in pages if away.get(page, 99) > 3) == []


def test_a_page_that_nothing_leads_to_is_found(tmp_path: Path) -> None:
    front, other = tmp_path / "index.md", tmp_path / "other.md"
    front.write_text("```{toctree}\n:hidden:\n\nlisted\n```\n", encoding="utf-8")
    (tmp_path / "listed.md").write_text("[home](index.md)\n", encoding="utf-8")
    other.write_text("# Nobody links here\n", encoding="utf-8")
    assert clicks(front) == {front: 0, tmp_path / "listed.md": 1}


MEASURED = re.compile(
    r"20\d\d-\d\d-\d\d[^.|]*\bcores?\b"  # a date with a machine: a figure of time follows
    r"|(?<!-)\b\d[\d.,]* ?(?:s|ms|us|µs|seconds?|minutes?|hours?|milliseconds?|microseconds?)\b"
    r"|\b\d[\d.,]* ?[kM]? ?(?:nodes|states|boards|expanded|generated)/s\b"
    r"|\b[\w.,]+ times (?:faster|slower|more slowly|as fast|as slow)\b"
)
SETTINGS = {
    "CHANGELOG.md": (
        "for 10 seconds",
        "10 seconds a board",
        "after 60 seconds",
        "after 30 seconds",
    ),
    "CONTRIBUTING.md": ("for 20 minutes",),
    "docs/command-line.md": ("90, 0.5s or 1m30s",),
    "docs/grade.md": ("time (10 s)",),
    "docs/large-boards.md": ("instead of 10 seconds", "after 10 seconds", "5, 20 and 60 seconds"),
    "docs/proofs.md": ("every 30 seconds",),
    "docs/reliability.md": (
        "server, 12 minutes",
        "server, 20 minutes",
        "0.1 seconds with every",
        "after 4 seconds",
    ),
    "docs/tables.md": ("called every 50 ms",),
    "docs/web.md": ("within 10 seconds", "for 30 seconds", "for 20 seconds"),
    "docs/why.md": ("after 60 seconds",),
}
"""Times that are set and not measured, by document."""
HAS_TIMES = "docs/performance.md"
_FROM_RESULTS = re.compile(
    r"<!-- generated: benchmarks/results/[\w.-]+ -->.*?<!-- end of generated -->", re.DOTALL
)


def measured_times(name: str, text: str) -> list[str]:
    """Figures of time where none may stand: outside of one page and of what results generate."""
    if name == HAS_TIMES:
        return []
    prose = FENCE.sub("", _FROM_RESULTS.sub("", text))
    plain = " ".join(re.sub(r"`[^`\n]+`|\$[^$\n]+\$", "", prose).split())
    for setting in SETTINGS.get(name, ()):
        plain = plain.replace(setting, "")
    return MEASURED.findall(plain)


def test_figures_of_time_stand_on_the_page_of_performance_and_in_generated_parts() -> None:
    found = {
        name: measured_times(name, path.read_text(encoding="utf-8"))
        for name, path in zip(NAMES, DOCUMENTS, strict=True)
    }
    assert {name: times for name, times in found.items() if times} == {}


def test_a_figure_of_time_elsewhere_is_found() -> None:
    text = "On 2026-11-16, on 2 virtual cores of an\nIntel Xeon: 3 ms."
    marker = "<!-- generated: benchmarks/results/ties.json -->"
    generated = f"{marker}\n{text}\n<!-- end of generated -->"
    assert measured_times("docs/web.md", text)
    figures = "3.5 seconds or 12 s, at 40 M nodes/s: ten times faster."
    found = ["3.5 seconds", "12 s", "40 M nodes/s", "ten times faster"]
    assert measured_times("docs/web.md", figures) == found
    assert not measured_times("docs/web.md", "The body within 10 seconds (`--seconds 0.5s`).")
    assert not measured_times("docs/performance.md", text)
    assert not measured_times("docs/experiments/ties.md", generated)
    assert measured_times("docs/experiments/ties.md", f"{generated}\n{text}")


def test_every_time_that_is_set_is_still_in_its_document() -> None:
    gone = [
        f"{name}: {setting}"
        for name, settings in SETTINGS.items()
        for setting in settings
        if setting not in " ".join((ROOT / name).read_text(encoding="utf-8").split())
    ]
    assert gone == []


def bare_stars(text: str) -> list[str]:
    """Stars behind a name, as in A*, that Markdown may take for the end of italics."""
    prose = re.sub(r"`[^`\n]+`|!\[[^\]]*\]", "", FENCE.sub("", text))
    return re.findall(r"\w*A\*(?=[\s,.;:)'])", prose)


def test_a_star_behind_a_name_is_escaped() -> None:
    found = {
        name: bare_stars(path.read_text(encoding="utf-8"))
        for name, path in zip(NAMES, DOCUMENTS, strict=True)
    }
    assert {name: stars for name, stars in found.items() if stars} == {}
    assert bare_stars("**IDA* on 3x3**, and A\\* or `A*` beside it") == ["IDA*"]


def test_the_readme_stays_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 250


def test_every_part_of_the_package_has_its_layer_in_the_page_on_contributing() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    parts = {path.stem for path in (ROOT / "src/tilewise").iterdir() if path.suffix in ("", ".py")}
    named = {part for part in parts if f"`{part}`" in page}
    assert {part for part in parts if not part.startswith("_")} - named == set()


def test_every_extra_is_on_the_page_of_installation() -> None:
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    assert [extra for extra in extras() if f"| `{extra}` |" not in page] == []


_SOURCE = re.compile(r"(?P<author>[A-Z][\w']+)(?:(?:,| and) [\w' ]+?)* (?P<year>(?:19|20)\d\d)\b")


def missing_sources(text: str, page: str) -> list[str]:
    """The sources that a text names by author and year, and that the page does not have."""
    lines = re.split(r"\n(?=- )", page)
    return [
        match[0]
        for match in _SOURCE.finditer(text)
        if not any(match["author"] in line and match["year"] in line for line in lines)
    ]


def test_every_source_of_an_algorithm_or_a_heuristic_is_on_the_page_of_sources() -> None:
    page = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
    texts = [(entry.name, entry.about) for entry in ALGORITHMS.values() if entry.built_in]
    texts += [(entry.name, entry.about) for entry in HEURISTICS.values() if entry.built_in]
    missing = {name: missing_sources(about, page) for name, about in texts}
    assert {name: found for name, found in missing.items() if found} == {}


def test_a_source_that_is_missing_is_found() -> None:
    page = "- R. E. Korf. IDA*, 1985.\n- J. Pearl. *Heuristics*.\n  1984.\n"
    assert missing_sources("as Korf 1985 and Pearl 1984 show", page) == []
    assert missing_sources("by Korf 1984, then Hart, Nilsson, Raphael 1968", page) == [
        "Korf 1984",
        "Hart, Nilsson, Raphael 1968",
    ]


def test_every_command_and_exit_code_is_described() -> None:
    page = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    missing = [name for name in COMMANDS if f"## `tilewise {name}`" not in page]
    codes = [value for name, value in vars(exit_codes).items() if name.isupper()]
    missing += [str(code) for code in codes if isinstance(code, int) and f"| {code} |" not in page]
    assert missing == []


def test_every_field_of_a_result_is_described() -> None:
    page = (ROOT / "docs/json.md").read_text(encoding="utf-8")
    fields = tilewise.solve("1b2 345 678").to_dict()
    assert [name for name in fields if f"`{name}`" not in page] == []


def generator() -> Any:
    spec = util.spec_from_file_location("docs_generate", ROOT / "docs/generate.py")
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_tables_and_pictures_are_as_the_registry_makes_them() -> None:
    assert generator().outdated() == []


def test_a_generated_table_that_was_changed_by_hand_is_found(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "benchmarks/results", tmp_path / "benchmarks/results")
    shutil.copy(ROOT / "README.md", tmp_path)
    page = tmp_path / "docs/heuristics.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("| `misplaced`", "| `mislaid`"), encoding="utf-8")
    assert generator().outdated(tmp_path) == ["docs/heuristics.md"]
