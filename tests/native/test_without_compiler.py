"""Without a C++ compiler the package is installed all the same, and it says what it lacks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewise.lab import Store

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM = ("pyproject.toml", "README.md", "LICENSE", "CMakeLists.txt", "building", "cpp", "src")
HANG_GUARD = 120

Installed = Callable[..., subprocess.CompletedProcess[str]]


def run(*command: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with an empty PATH, so that it finds no compiler."""
    (cwd / "empty").mkdir(exist_ok=True)
    nothing = {"PATH": str(cwd / "empty"), "CC": "/nonexistent", "CXX": "/nonexistent"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100", **nothing, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )


@pytest.fixture(scope="module")
def building(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder into which the package was installed from its sources, and what pip said."""
    folder = tmp_path_factory.mktemp("without_compiler")
    sources = folder / "sources"
    sources.mkdir()
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, sources / name)
        else:
            shutil.copy(ROOT / name, sources)
    pip = ("-m", "pip", "--disable-pip-version-check", "--verbose", "install", "--no-index")
    done = run(*pip, "--no-deps", "--no-build-isolation", "--target=site", "./sources", cwd=folder)
    assert done.returncode == 0, done.stdout
    return folder, done.stdout


@pytest.fixture
def tilewise(building: tuple[Path, str]) -> Installed:
    """Run `tilewise ARGS` of that installation."""
    folder = building[0]
    path = os.pathsep.join([str(folder / "site"), sysconfig.get_path("purelib")])
    # -S and PYTHONPATH: an editable installation would come before the folder
    return lambda *args: run("-S", "-m", "tilewise", *args, cwd=folder, PYTHONPATH=path)


def test_every_file_of_the_package_is_installed(building: tuple[Path, str]) -> None:
    made = ("__pycache__", ".pyc", ".so", ".pyd")
    package = ROOT / "src" / "tilewise"
    files = {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()}
    wanted = {name for name in files if not any(part in name for part in made)}
    assert "web/static/index.html" in wanted and "py.typed" in wanted
    site = building[0] / "site" / "tilewise"
    assert {name for name in wanted if not (site / name).is_file()} == set()


def test_the_installation_says_that_it_has_no_native_engine(building: tuple[Path, str]) -> None:
    folder, said = building
    assert "tilewise was built WITHOUT its native engine" in said
    assert (folder / "site/tilewise/native/searching.py").is_file()
    assert list((folder / "site").rglob("_native.*so")) == []


def test_it_solves_with_the_python_engine(tilewise: Installed) -> None:
    done = tilewise("solve", "312 475 68b")
    assert done.returncode == 0
    assert "4 moves, optimal: LULU" in done.stdout
    assert "python engine" in done.stdout


def test_the_list_of_engines_says_that_native_is_not_built(tilewise: Installed) -> None:
    done = tilewise("list", "engines")
    assert done.returncode == 0
    assert "not built in this installation" in " ".join(done.stdout.split())


def test_asking_for_the_native_engine_is_an_error_that_says_why(tilewise: Installed) -> None:
    done = tilewise("solve", "312 475 68b", "--engine", "native")
    assert done.returncode != 0
    assert "built without a C++ compiler" in " ".join(done.stdout.split())


def test_an_experiment_under_default_rules_demands_the_native_engine(
    tilewise: Installed, building: tuple[Path, str]
) -> None:
    out = building[0] / "out"
    (building[0] / "two.toml").write_text(
        'boards = ["312 475 68b", "1b2 345 678"]\n', encoding="utf-8"
    )
    asked = ("experiment", "run", "two.toml", "--out", "out", "--workers", "1")
    refused = tilewise(*asked)
    assert refused.returncode == 2
    assert "expected the native engine, which runs under default rules demand" in refused.stdout
    assert not out.exists()
    done = tilewise(*asked, "--engine", "python")
    assert done.returncode == 0 and "2 runs in out, 2 of them done now" in done.stdout
    with Store.open(out) as store:
        assert [(row["engine"], row["cost"]) for row in store.rows()] == [
            ("python", 4),
            ("python", 1),
        ]
