"""Without a C++ compiler the package is installed all the same, and it says what it lacks."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
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
            built = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
            shutil.copytree(ROOT / name, sources / name, ignore=built)
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
    installed = [entry for entry in sys.path if "site-packages" in entry]
    path = os.pathsep.join([str(folder / "site"), *installed])
    # -S and PYTHONPATH: an editable installation would come before the folder
    return lambda *args: run("-S", "-m", "tilewise", *args, cwd=folder, PYTHONPATH=path)


@pytest.fixture
def reason(building: tuple[Path, str]) -> str:
    """Why the native engine could not be built, as the installation has kept it."""
    (report,) = (building[0] / "site").glob("tilewise-*.dist-info/native_build.txt")
    return report.read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        ("a\nsrc/a.cpp:3:5: error: no such thing\nb\n", "src/a.cpp:3:5: error: no such thing"),
        (
            "CMake Error at X:2 (project):\n  No compiler\n\n  found.\n\n  Set CXX.\n",
            "CMake: No compiler found.",
        ),
        ("g++: fatal error: Killed signal\n", "g++: fatal error: Killed signal"),
        ("ninja: build stopped: subcommand failed.\n", "ninja: build stopped: subcommand failed."),
        ("", "CMake failed"),
    ],
)
def test_the_reason_is_the_first_error_that_was_printed(printed: str, reason: str) -> None:
    spec = importlib.util.spec_from_file_location("b", ROOT / "building" / "tilewise_build.py")
    assert spec is not None and spec.loader is not None
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    assert backend.reason_in(printed) == reason


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


def test_the_list_of_engines_and_the_version_give_the_reason(
    tilewise: Installed, reason: str
) -> None:
    assert reason.startswith("CMake: ") and "compiler" in reason and "/nonexistent" in reason
    done = tilewise("list", "engines")
    assert done.returncode == 0
    about = " ".join(done.stdout.split())
    assert f"not in this installation: its build failed: {reason}" in about
    done = tilewise("--version")
    assert done.returncode == 0
    assert f"\nwithout its native engine: its build failed: {reason}\n" in done.stdout


def test_the_output_of_the_failed_build_is_kept_beside_the_metadata(
    building: tuple[Path, str],
) -> None:
    (report,) = (building[0] / "site").glob("tilewise-*.dist-info/native_build.txt")
    assert "CMake Error" in report.read_text(encoding="utf-8")
    record = report.with_name("RECORD").read_text(encoding="utf-8")
    assert f"{report.parent.name}/native_build.txt,sha256=" in record


def test_asking_for_the_native_engine_is_an_error_that_says_why(
    tilewise: Installed, reason: str
) -> None:
    done = tilewise("solve", "312 475 68b", "--engine", "native")
    assert done.returncode != 0
    said = " ".join(done.stdout.split())
    assert f"this installation has none: its build failed: {reason}" in said


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
