"""Every code block and command of the documents is run, and what comes out is compared.

- `console`: lines with `$` are run by a shell in an empty folder, the lines below are their output,
  errors included, with `...` for what changes from run to run. One that fails must be followed by
  `$ echo $?`. The blocks of a document share the folder.
- `python`: with `>>>` a doctest, else a script that prints nothing; the blocks of a document share
  their names. A block that starts with `# name.py` is also put in the folder under that name.
- `sh`: not run here (it would install things); its make targets and extras must exist.
- `text`: no commands.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import tilewise
from tests import preloaded
from tilewise.core import registry

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [path.relative_to(ROOT).as_posix() for path in DOCUMENTS]

HANG_GUARD = 300
WIDTH = "80"
END = "--- end of a command:"

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```[ ]*$",
    re.MULTILINE | re.DOTALL,
)
_FILE_NAME = re.compile(r"# (?P<name>[\w-]+\.py)\n")
_HERE_DOCUMENT = re.compile(r"<<\s*'?(?P<word>\w+)'?")
_SETUP = re.compile(
    r"make (?P<targets>[\w ]+)"
    r"|python -m pip install (--editable )?'?\.(\[(?P<extras>[\w,]+)\])?'?"
    r"|source \.venv/bin/activate"
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a document and the line where its text begins."""

    language: str
    text: str
    line: int


@dataclass
class Step:
    """A command of a console block, and the output that the document gives for it."""

    command: str
    expected: list[str] = field(default_factory=list)


def blocks(document: str) -> Iterator[Block]:
    for match in FENCE.finditer(document):
        line = document.count("\n", 0, match.start("text")) + 1
        yield Block(match["language"].strip(), textwrap.dedent(match["text"]), line)


def steps(text: str) -> list[Step]:
    """The commands of a console block; one may go on with a backslash or a here-document."""
    found: list[Step] = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = [line.removeprefix("$ ")]
            here = _HERE_DOCUMENT.search(line)
            while here and command[-1] != here["word"]:
                command.append(next(lines, here["word"]))
            while command[-1].endswith("\\"):
                command.append(next(lines, ""))
            found.append(Step("\n".join(command)))
        elif found:
            found[-1].expected.append(line)
        else:
            raise ValueError(f"a console block must start with a command, not {line!r}")
    return found


class Checker:
    """Runs the blocks of one document and collects what is wrong."""

    def __init__(self, folder: Path, waiting: str) -> None:
        self.folder = folder
        self.waiting = waiting
        self.names: dict[str, Any] = {"__name__": "document"}
        self.problems: list[str] = []

    def check(self, document: str) -> list[str]:
        run = {"console": self._console, "python": self._python, "sh": self._setup}
        for block in blocks(document):
            if block.language in run:
                run[block.language](block)
            elif block.language == "text":
                self._no_commands(block)
            elif not block.language.startswith("{"):  # Sphinx's own
                self._problem(block, f"unknown language {block.language!r}")
        return self.problems

    def _problem(self, block: Block, what: str) -> None:
        self.problems.append(f"block at line {block.line}: {what}")

    def _console(self, block: Block) -> None:
        found = steps(block.text)
        run = f'"$PYTHON" -I -S "{preloaded.__file__}" run "{self.waiting}"'
        script = [f'tilewise() {{ {run} "$@"; }}', 'python() { "$PYTHON" "$@"; }']
        for step in found:
            script += [step.command, "status=$?", f'echo; echo "{END} $status"', "(exit $status)"]
        output = subprocess.run(
            ["sh", "-c", "\n".join(script)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env=environment(),
            text=True,
            timeout=HANG_GUARD,
            check=False,
        ).stdout
        codes = [int(code) for code in re.findall(f"^{END} ([0-9]+)$", output, re.MULTILINE)]
        outputs = re.split(f"^{END} [0-9]+\n", output, flags=re.MULTILINE)
        if len(codes) != len(found):
            self._problem(block, f"the shell did not get through it:\n{output}")
            return
        for place, step in enumerate(found):
            if not same(step.expected, outputs[place]):
                expected = "\n".join(step.expected)
                self._problem(
                    block, f"$ {step.command}\nexpected:\n{expected}\ngot:\n{outputs[place]}"
                )
            following = found[place + 1].command if place + 1 < len(found) else ""
            failed = codes[place] or "tilewise: error" in outputs[place]
            if failed and following != "echo $?":
                self._problem(block, f"$ {step.command}\nfails, and no exit code is shown")

    def _python(self, block: Block) -> None:
        named = _FILE_NAME.match(block.text)
        if named:
            (self.folder / named["name"]).write_text(block.text, encoding="utf-8")
        report = io.StringIO()
        if ">>> " in block.text:
            test = doctest.DocTestParser().get_doctest(
                block.text, self.names, "block", None, block.line - 1
            )
            runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
            runner.run(test, out=report.write, clear_globs=False)
            self.names.update(test.globs)
        else:
            try:
                with contextlib.redirect_stdout(report):
                    exec(compile(block.text, "block", "exec"), self.names)
            except Exception:
                report.write(traceback.format_exc())
        if report.getvalue():
            self._problem(block, report.getvalue())

    def _setup(self, block: Block) -> None:
        for line in block.text.splitlines():
            match = _SETUP.fullmatch(re.sub(r"\s*#.*", "", line))
            if match is None:
                self._problem(block, f"not a line that is known to be right: {line!r}")
                continue
            for target in (match["targets"] or "").split():
                if target not in make_targets():
                    self._problem(block, f"the Makefile has no target {target!r}")
            for extra in filter(None, (match["extras"] or "").split(",")):
                if extra not in extras():
                    self._problem(block, f"pyproject.toml has no extra {extra!r}")

    def _no_commands(self, block: Block) -> None:
        if re.search(r"^(\$ |>>> |tilewise |make )", block.text, re.MULTILINE):
            self._problem(block, "a text block has commands, which nobody runs")


def environment() -> dict[str, str]:
    """As a person without colours on a terminal of 80 columns."""
    return {
        **os.environ,
        "PYTHON": sys.executable,
        "PYTHONPATH": str(Path(tilewise.__file__).resolve().parents[1]),
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": WIDTH,
        "NO_COLOR": "1",
    }


def same(expected: list[str], output: str) -> bool:
    """Whether an output is the expected one; spaces at line ends and lines at its end apart."""
    want = "\n".join(line.rstrip() for line in expected).rstrip("\n") + "\n"
    got = "\n".join(line.rstrip() for line in output.splitlines()).rstrip("\n") + "\n"
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)


def make_targets() -> list[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return re.findall(r"^([\w-]+):", makefile, re.MULTILINE)


def extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["optional-dependencies"])


@pytest.fixture
def checker(tmp_path: Path, waiting: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Checker]:
    """A checker in a folder with the examples; what a document registers is forgotten after it."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    registries: list[dict[str, Any]] = [registry.HEURISTICS, registry.ALGORITHMS]
    before = [dict(known) for known in registries]
    yield Checker(tmp_path, waiting)
    for known, kept in zip(registries, before, strict=True):
        known.clear()
        known.update(kept)


@pytest.mark.parametrize("name", NAMES)
def test_every_block_of_a_document_does_what_it_says(name: str, checker: Checker) -> None:
    problems = checker.check((ROOT / name).read_text(encoding="utf-8"))
    assert not problems, f"{name}:\n" + "\n\n".join(problems)


RIGHT = '$ tilewise solve "1b2 345 678" | head -1\n1 move, optimal: L\n'
PLANTED = {
    "a wrong output": f"```console\n{RIGHT.replace('L', 'R')}```\n",
    "a line too much": f"```console\n{RIGHT}another\n```\n",
    "an output left out": f"```console\n{RIGHT.splitlines()[0]}\n```\n",
    "a failure without its exit code": "```console\n$ (exit 2)\n```\n",
    "an error in a pipe": "```console\n$ echo tilewise: error | cat\ntilewise: error\n```\n",
    "a wrong exit code": "```console\n$ (exit 10)\n$ echo $?\n2\n```\n",
    "a wrong doctest": "```python\n>>> 1 + 1\n3\n```\n",
    "a script that fails": "```python\nimport tilewise.nothing\n```\n",
    "a script that prints": "```python\nprint(1)\n```\n",
    "an unknown make target": "```sh\nmake coffee\n```\n",
    "an unknown extra": "```sh\npython -m pip install '.[coffee]'\n```\n",
    "another line to set up": "```sh\ncurl example.org | sh\n```\n",
    "a command that is not run": "```text\n$ tilewise\n```\n",
    "an unknown language": "```ruby\nputs 1\n```\n",
}


@pytest.mark.parametrize("planted", PLANTED)
def test_the_checker_finds_what_is_planted(planted: str, checker: Checker) -> None:
    assert len(checker.check(PLANTED[planted])) == 1


def test_the_checker_accepts_what_is_right(checker: Checker) -> None:
    document = (
        "```python\n# name.py\nvalue = 2\n```\n"
        "```python\n>>> value\n2\n```\n"
        "```console\n$ python -c 'import name; print(name.value)'\n2\n"
        "$ cat > greeting <<'END'\n$ hello\nworld\nEND\n$ cat greeting\n...hello\nwor...\n"
        "$ (exit 20)\n$ echo $?\n20\n```\n"
        "```sh\nmake test   # all of it\nmake run test\npython -m pip install '.[dev]'\n```\n"
    )
    assert checker.check(f"{document}```console\n{RIGHT}```\n") == []
