"""Compare two results of bench.py: counters must be equal, times are shown as ratios.

    python benchmarks/compare.py old.json new.json        two files
    python benchmarks/compare.py --revisions HEAD~5 HEAD  two revisions, measured in turn

Two revisions are checked out, installed into environments of their own and measured in turn, each
by its own bench.py, so that both see the same machine; the best of several rounds counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROUNDS = 3
Results = dict[str, dict[str, Any]]


def compared(old: Results, new: Results) -> tuple[list[str], bool]:
    """A line for each case that both have, and whether all counters are equal."""
    lines, equal = [], True
    for name in old:
        if name not in new:
            continue
        before, after = old[name], new[name]
        same = before["counters"] == after["counters"]
        equal &= same
        ratio = after["seconds"] / before["seconds"]
        note = "" if same else f"   counters differ: {before['counters']} {after['counters']}"
        seconds = f"{before['seconds']:>9.4f} {after['seconds']:>9.4f}"
        lines.append(f"{name:<52} {seconds} {ratio:>6.2f}{note}")
    return lines, equal


def best_of(rounds: list[Results]) -> Results:
    """The fastest round of each case; a case whose counters change between rounds is an error."""
    best: Results = {}
    for results in rounds:
        for name, found in results.items():
            known = best.get(name)
            if known is not None and known["counters"] != found["counters"]:
                raise SystemExit(f"{name}: counters differ between rounds")
            if known is None or found["seconds"] < known["seconds"]:
                best[name] = found
    return best


def prepare(revision: str, folder: Path) -> None:
    """Clone this repository at a revision into a folder and install it there."""
    repository = Path(__file__).resolve().parent.parent
    subprocess.run(["git", "clone", "--quiet", str(repository), str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "checkout", "--quiet", revision], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder / ".venv")], check=True)
    python = folder / ".venv" / "bin" / "python"
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(folder)], check=True)


def measured(clone: Path, only: str) -> Results:
    """One round of a revision's own bench.py: names of modules change, cases stay."""
    out = clone / "out.json"
    python, bench = clone / ".venv" / "bin" / "python", clone / "benchmarks" / "bench.py"
    command = [str(python), str(bench), "--out", str(out), "--only", only]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    results: Results = json.loads(out.read_text())["results"]
    return results


def of_revisions(old: str, new: str, only: str) -> tuple[Results, Results]:
    """Both revisions, round by round in turn."""
    with tempfile.TemporaryDirectory() as folder:
        clones = [Path(folder) / "old", Path(folder) / "new"]
        for revision, clone in zip((old, new), clones, strict=True):
            prepare(revision, clone)
        rounds = [[measured(clone, only) for clone in clones] for _ in range(ROUNDS)]
    return best_of([each[0] for each in rounds]), best_of([each[1] for each in rounds])


def main() -> None:
    """Compare; the exit code is 1 when counters differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("old", help="a JSON file of bench.py, or a revision")
    parser.add_argument("new", help="a JSON file of bench.py, or a revision")
    parser.add_argument("--revisions", action="store_true", help="old and new are revisions")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    options = parser.parse_args()
    if options.revisions:
        old, new = of_revisions(options.old, options.new, options.only)
    else:
        old, new = (json.loads(Path(f).read_text())["results"] for f in (options.old, options.new))
    lines, equal = compared(old, new)
    print(f"{'case':<52} {'old s':>9} {'new s':>9} {'ratio':>6}", *lines, sep="\n")
    print("all counters are equal" if equal else "COUNTERS DIFFER")
    sys.exit(not equal)


if __name__ == "__main__":
    main()
