"""How long the program takes to start: `tilewise solve` against `import rich, numpy`.

    python benchmarks/startup.py                  this Python
    python benchmarks/startup.py --plain          a plain installation, made for the purpose
    python benchmarks/startup.py --plain --with web

The processes run in turn, so that all see the same machine. Seconds of the processor are steadier
than those of the clock where other programs run as well; the ratios are what counts, and at most
1.5 is wanted.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

WANTED = 1.5
ROOT = Path(__file__).resolve().parent.parent
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import rich, numpy": ["-c", "import rich, numpy"],
    "tilewise solve": ["-m", "tilewise", "solve", "8b6 547 231"],
}


class Took(NamedTuple):
    """What a process took, in seconds."""

    clock: float
    processor: float


def took(command: list[str]) -> Took:
    """Run a process to its end; os.wait4 tells what it used of the processor."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.perf_counter() - began
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return Took(clock, usage.ru_utime + usage.ru_stime)


def measured(python: str, rounds: int) -> dict[str, list[Took]]:
    """Every command once in each round; a first round warms the files up."""
    found: dict[str, list[Took]] = {name: [] for name in COMMANDS}
    for number in range(rounds + 1):
        for name, command in COMMANDS.items():
            one = took([python, *command])
            if number:
                found[name].append(one)
    return found


def lines(found: dict[str, list[Took]]) -> list[str]:
    """A line for each command, and one for the ratios."""
    titles = ("clock: least", "median", "CPU: least", "median")
    shown = [f"{'milliseconds':<22}" + "".join(f"{title:>14}" for title in titles)]
    figures = {name: _figures(runs) for name, runs in found.items()}
    for name, row in figures.items():
        shown.append(f"{name:<22}" + "".join(f"{1000 * figure:>14.1f}" for figure in row))
    pairs = zip(figures["tilewise solve"], figures["import rich, numpy"], strict=True)
    ratios = "".join(f"{ours / theirs:>14.2f}" for ours, theirs in pairs)
    return [*shown, f"{'times the imports':<22}{ratios}   (wanted: at most {WANTED})"]


def _figures(runs: list[Took]) -> list[float]:
    columns = ([each.clock for each in runs], [each.processor for each in runs])
    return [of(column) for column in columns for of in (min, statistics.median)]


def installed(folder: Path, extras: str) -> str:
    """The Python of a fresh environment with tilewise in it, not editable."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    wanted = f"{ROOT}[{extras}]" if extras else str(ROOT)
    pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted]
    subprocess.run([python, *pip], check=True)
    return python


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--plain", action="store_true", help="install into a fresh environment")
    parser.add_argument("--with", dest="extras", default="", help="extras to install, as web,lab")
    parser.add_argument("--python", default=sys.executable, help="another Python that has tilewise")
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # `-m` looks into the current folder first
        python = installed(Path(folder), options.extras) if options.plain else options.python
        print(*lines(measured(python, options.rounds)), sep="\n")


if __name__ == "__main__":
    main()
