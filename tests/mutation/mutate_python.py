"""Plants defects in the Python side and shows that the tests find each one.

    python tests/mutation/mutate_python.py [WORDS...] [--jobs N]

The defects are in python_defects.toml, each an edit of one place with the tests that should find
it. With words, only those whose description has one of them. Each is planted in a copy of the
project, and its tests run until the first one fails. At the end all tests that found something run
once more without any defect: they must pass. A defect that survives, or whose text is no longer in
its file exactly once, gives exit code 1.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("python_defects.toml")
PACKAGE = Path("src/tilewise")
COPIED = ("pyproject.toml", "README.md", "src", "tests", "docs", "examples")
PASSED, FAILED = 0, 1
"""Exit codes of pytest; others mean that the tests could not be run."""
HANG_GUARD = 600
OPTIONS = ("-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=no", "-rfE")
WIDTH = 74
_FOUND_BY = re.compile(r"^(?:FAILED|ERROR) (?P<test>\S+?\.py::\w+)", re.MULTILINE)
# an editable installation would come before the copy, in the tests' own processes too
_SITE = """
import sys
sys.meta_path[:] = [each for each in sys.meta_path if not hasattr(each, "known_source_files")]
"""


@dataclass(frozen=True)
class Defect:
    """An edit: a text of a file, which must be there exactly once, and what takes its place."""

    breaks: str
    file: str
    old: str
    new: str
    tests: list[str]
    matters: str
    select: str = ""


@dataclass(frozen=True)
class Finding:
    """What came of one defect: the test that found it, or why none did."""

    defect: Defect
    test: str | None
    remark: str


def defects() -> list[Defect]:
    """All defects of the list."""
    return [Defect(**each) for each in tomllib.loads(LIST.read_text("utf-8"))["defect"]]


def misfits() -> list[str]:
    """The defects that can no longer be planted, or whose tests are gone.

    >>> misfits()
    []
    """
    listed = defects()
    names = [each.breaks for each in listed]
    return [
        each.breaks
        for each in listed
        if (ROOT / PACKAGE / each.file).read_text("utf-8").count(each.old) != 1
        or each.old == each.new
        or names.count(each.breaks) > 1
        or not all((ROOT / test.partition("::")[0]).exists() for test in each.tests)
    ]


class Tree:
    """A copy of the project in which one defect is planted at a time."""

    _times = count(1)

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        leave_out = shutil.ignore_patterns("__pycache__", ".*")
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=leave_out)
            else:
                shutil.copy(source, folder)
        from tilewise.native.compiled import NATIVE, compiled

        if NATIVE:
            shutil.copy(str(compiled.__file__), folder / PACKAGE / "native")
        (folder / "site").mkdir()
        (folder / "site/sitecustomize.py").write_text(_SITE, encoding="utf-8")

    def test(self, tests: list[str], select: str = "") -> tuple[int, str]:
        """Run tests until the first that fails: pytest's exit code and its output."""
        chosen = ("-k", select) if select else ()
        path = os.pathsep.join(str(self.folder / name) for name in ("site", "src"))
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *tests, *OPTIONS, "-m", "not full", *chosen],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=HANG_GUARD,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def plant(self, defect: Defect) -> Finding:
        """Run the tests of a defect with the defect in place."""
        file = self.folder / PACKAGE / defect.file
        text = file.read_text(encoding="utf-8")
        self._write(file, text.replace(defect.old, defect.new))
        try:
            code, output = self.test(defect.tests, defect.select)
        except subprocess.TimeoutExpired:
            return Finding(defect, None, "the tests did not end")
        finally:
            self._write(file, text)
        if code == PASSED:
            return Finding(defect, None, "SURVIVED")
        found = _FOUND_BY.search(output)
        if code != FAILED or found is None:
            return Finding(defect, None, f"the tests could not be run: {output}")
        return Finding(defect, found["test"], found["test"].partition("::test_")[2])

    def _write(self, file: Path, text: str) -> None:
        """Write a file with a time of its own: compiled modules are told apart by seconds."""
        file.write_text(text, encoding="utf-8")
        changed = 1_000_000_000 + next(self._times)
        os.utime(file, (changed, changed))


def trees(folder: Path, number: int) -> SimpleQueue[Tree]:
    """Copies of the project, of which each job takes one."""
    free: SimpleQueue[Tree] = SimpleQueue()
    for name in map(str, range(number)):
        (folder / name).mkdir()
        free.put(Tree(folder / name))
    return free


def planted(chosen: list[Defect], jobs: int, free: SimpleQueue[Tree]) -> Iterator[Finding]:
    """The findings, in the order of the list."""

    def plant(defect: Defect) -> Finding:
        tree = free.get()
        try:
            return tree.plant(defect)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(plant, chosen)


def check_tests(tests: set[str], tree: Tree) -> None:
    """End the program unless the tests that found defects pass without any."""
    if tests:
        code, output = tree.test(sorted(tests))
        if code != PASSED:
            sys.exit(f"tests that found a defect fail without any:\n{output}")


def main() -> int:
    """Plant the defects and print a table."""
    parser = argparse.ArgumentParser(description="Plant defects in the Python side.")
    parser.add_argument("words", nargs="*", default=[""], help="words of the descriptions wanted")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies at work")
    wanted = parser.parse_args()
    chosen = [each for each in defects() if any(word in each.breaks for word in wanted.words)]
    if misfits():
        sys.exit(f"they no longer fit their files or tests: {'; '.join(misfits())}")
    print(f"{'defect':<{WIDTH}}found by\n{'-' * (WIDTH + 40)}", flush=True)
    jobs, found, tests = max(1, wanted.jobs), 0, set()
    with tempfile.TemporaryDirectory(prefix="tilewise-mutation-") as folder:
        free = trees(Path(folder), jobs)
        for finding in planted(chosen, jobs, free):
            print(f"{finding.defect.breaks:<{WIDTH}}{finding.remark}", flush=True)
            if finding.test is not None:
                found += 1
                tests.add(finding.test)
        check_tests(tests, free.get())
    print(f"{len(chosen)} planted, {found} found")
    return int(found < len(chosen) or not chosen)


if __name__ == "__main__":
    sys.exit(main())
