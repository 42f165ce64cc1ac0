"""Coverage-guided fuzzing with atheris, as `make fuzz` runs it.

    python tests/fuzz/fuzz.py [TARGET...] [--seconds N] [--jobs N]

Each target gets its share of the seconds, in a process of its own. It starts from the cases of
corpus/TARGET; what it finds on the way is kept in build/fuzz/TARGET, and so are inputs that fail.
The exit code is 1 if there are any. `make test` replays the corpus, without atheris.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
KEPT = HERE.parents[1] / "build" / "fuzz"
SLOW = 20
"""Seconds after which an input counts as a failure."""


def fuzz_one(target: str) -> None:
    """Fuzz a target in this process; the arguments behind `--one TARGET` are libFuzzer's."""
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["tilewise"]):
        targets = importlib.import_module("tests.fuzz.targets")
    atheris.Setup([sys.argv[0], *sys.argv[3:]], lambda data: targets.run(target, data))
    atheris.Fuzz()


def tried(target: str, seconds: int) -> tuple[str, int, str]:
    """Fuzz a target in a process of its own: its name, the number of inputs, what failed."""
    kept = KEPT / target
    kept.mkdir(parents=True, exist_ok=True)
    seeds = CORPUS / target
    with tempfile.TemporaryDirectory(prefix="tilewise-fuzz-") as folder:
        done = subprocess.run(
            [
                *(sys.executable, __file__, "--one", target),
                *(str(kept), *([str(seeds)] if seeds.is_dir() else [])),
                f"-max_total_time={seconds}",
                f"-timeout={SLOW}",
                f"-artifact_prefix={kept}.failed-",
                *("-max_len=4096", "-rss_limit_mb=4096", "-print_final_stats=1"),
            ],
            cwd=folder,
            env={**os.environ, "TILEWISE_CACHE": folder, "PYTHONPATH": _path()},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    counted = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    number = int(counted[1]) if counted else 0
    return target, number, "" if done.returncode == 0 else done.stderr[-3000:]


def _path() -> str:
    root = HERE.parents[1]
    return os.pathsep.join(str(root / name) for name in ("src", ""))


def main() -> int:
    """Fuzz all targets, or those named."""
    from tests.fuzz.targets import TARGETS

    parser = argparse.ArgumentParser(description="Fuzz the readers and the searches.")
    parser.add_argument("targets", nargs="*", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=300, help="for all targets together")
    parser.add_argument("--jobs", type=int, default=1, help="targets at the same time")
    chosen = parser.parse_args()
    names = chosen.targets or list(TARGETS)
    if not set(names) <= set(TARGETS):
        parser.error(f"expected {', '.join(TARGETS)}")
    each = max(5, chosen.seconds * chosen.jobs // len(names))
    failures = total = 0
    with ThreadPoolExecutor(chosen.jobs) as pool:
        for name, number, failure in pool.map(lambda name: tried(name, each), names):
            total += number
            failures += bool(failure)
            print(f"{name:<15} {number:>10,} inputs {'FAILED' if failure else ''}", flush=True)
            if failure:
                print(failure, file=sys.stderr, flush=True)
    print(f"{total:,} inputs, {failures} failures; failed inputs are in {KEPT}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.path[:0] = _path().split(os.pathsep)
    if sys.argv[1:2] == ["--one"]:
        fuzz_one(sys.argv[2])
    else:
        sys.exit(main())
