"""A native module that was built from other C++ files than those of the checkout is recognised."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tilewise import native
from tilewise.native import _native
from tilewise.native.built_from import sources_hash

HANG_GUARD = 120
ROOT = Path(__file__).resolve().parents[2]


def test_the_module_under_test_is_built_from_the_files_of_this_checkout() -> None:
    assert native.why_stale() is None, native.why_stale()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the package is made of, with its module, as an editable installation has."""
    package = tmp_path / "src" / "tilewise"
    shutil.copytree(ROOT / "src" / "tilewise", package, ignore=shutil.ignore_patterns("*.so"))
    shutil.copytree(ROOT / "cpp", tmp_path / "cpp")
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    assert _native.__file__ is not None
    shutil.copy(_native.__file__, package / "native")
    return tmp_path


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """`tilewise ARGS` of a checkout; -S: an editable installation would come before it."""
    installed = [entry for entry in sys.path if "site-packages" in entry]
    path = os.pathsep.join([str(folder / "src"), *installed])
    return subprocess.run(
        [sys.executable, "-S", "-m", "tilewise", *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )


def test_a_module_of_these_files_says_nothing(checkout: Path) -> None:
    done = run(checkout, "solve", "312 475 68b", "--engine", "native")
    assert (done.returncode, done.stderr) == (0, "")
    assert "other C++ files" not in run(checkout, "--version").stdout


@pytest.mark.parametrize("changed", ["cpp/include/tilewise/meter.hpp", "cpp/src/added.cpp"])
def test_a_changed_or_added_file_makes_it_stale(checkout: Path, changed: str) -> None:
    with (checkout / changed).open("a", encoding="utf-8") as file:
        file.write("// changed\n")
    done = run(checkout, "solve", "312 475 68b", "--engine", "native")
    assert done.returncode == 0
    assert done.stderr.startswith("tilewise: warning: the native engine was built from other C++")
    assert done.stderr.count("\n") == 1
    assert "other C++ files" in run(checkout, "--version").stdout
    assert "other C++ files" in " ".join(run(checkout, "list", "engines").stdout.split())


def test_a_test_of_the_core_is_no_part_of_the_module(checkout: Path) -> None:
    before = sources_hash(str(checkout))
    (checkout / "cpp/tests/added.cpp").write_text("// added\n", encoding="utf-8")
    assert sources_hash(str(checkout)) == before


def test_without_the_sources_nothing_is_compared(checkout: Path) -> None:
    shutil.rmtree(checkout / "cpp")
    done = run(checkout, "solve", "312 475 68b", "--engine", "native")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_module_that_cannot_be_loaded_is_named_as_the_reason(checkout: Path) -> None:
    (module,) = (checkout / "src/tilewise/native").glob("_native.*.so")
    module.write_bytes(b"not a module")
    done = run(checkout, "--version")
    assert done.returncode == 0
    assert "without its native engine: its module cannot be loaded: " in done.stdout
    assert "python engine" in run(checkout, "solve", "312 475 68b").stdout
