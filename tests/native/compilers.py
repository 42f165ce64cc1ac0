"""Build the native engine with every compiler that is supported: `make compilers`.

The core, its tests and the Python module are built and run with each of g++ 11 to 14 and clang 14
to 22 that is there. As root on Debian a missing one is installed; those that cannot be had are
named. Names as arguments (`g++-12 clang++-14`) choose some of them, `--jobs 1` compiles one file at
a time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = (
    *(f"g++-{version}" for version in range(11, 15)),
    *(f"clang++-{version}" for version in range(14, 23)),
)
PROGRAMS = "^(core|loops|tables|learned)$"
"""The tests that run; the headers alone are checked by `make core`."""
SOLVED = """
import sys; sys.path.insert(0, sys.argv[1])
import _native
estimate = _native.Estimate(3, 3, bytes(range(9)), ["manhattan"])
assert estimate(bytes([1, 0, *range(2, 9)])) == 1
print(" ".join(_native.kernels()))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description="Build with every compiler that is supported.")
    parser.add_argument("names", nargs="*", default=list(COMPILERS), help="only these compilers")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files at a time")
    arguments = parser.parse_args()
    wanted = arguments.names
    there = [name for name in wanted if shutil.which(name) or _installed(name)]
    failed = [name for name in there if not _works(name, arguments.jobs)]
    print(f"built and tested: {_listed(name for name in there if name not in failed)}")
    print(f"failed:           {_listed(failed)}")
    print(f"cannot be had:    {_listed(name for name in wanted if name not in there)}")
    return 1 if failed or not there else 0


def _listed(names: Iterable[str]) -> str:
    return " ".join(names) or "none"


def _installed(name: str) -> bool:
    """Install Debian's package of a compiler, if that can be done."""
    apt = shutil.which("apt-get")
    if apt is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    package = name.replace("clang++", "clang")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [apt, "install", "--yes", "-qq", "--no-install-recommends", package]
    subprocess.run(install, env=environment, capture_output=True, check=False)
    return shutil.which(name) is not None


def _works(name: str, jobs: int) -> bool:
    """Whether all that is built with a compiler builds and passes its tests."""
    folder = ROOT / "build" / "compilers" / name
    tools = Path(sys.executable).parent
    nanobind = _output(sys.executable, "-m", "nanobind", "--cmake_dir")
    steps = [
        [
            *(str(tools / "cmake"), "-S", str(ROOT), "-B", str(folder), "-DTILEWISE_TESTS=ON"),
            *(f"-DCMAKE_CXX_COMPILER={name}", f"-DPython_EXECUTABLE={sys.executable}"),
            f"-Dnanobind_DIR={nanobind}",
        ],
        [str(tools / "cmake"), "--build", str(folder), "--parallel", str(jobs)],
        [str(tools / "ctest"), "--test-dir", str(folder), "--output-on-failure", "-R", PROGRAMS],
        [sys.executable, "-c", SOLVED, str(folder)],
    ]
    print(f"{name} ...", flush=True)
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{(done.stdout + done.stderr)[-4000:]}\n{name} failed: {' '.join(step)}")
            return False
    print(f"{name} builds and passes; kernels for tables: {done.stdout.strip()}", flush=True)
    return True


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
