"""Fixtures for tests that run the real program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import pytest

from tests import preloaded
from tilewise import solving  # noqa: F401  (registers everything before a test looks)
from tilewise.core.registry import ALGORITHMS, HEURISTICS

Run = Callable[..., subprocess.CompletedProcess[str]]

HANG_GUARD = 120
CACHE = "TILEWISE_CACHE"
SEARCHES = {name for name, entry in ALGORITHMS.items() if not entry.combines}
"""The algorithms that expand nodes themselves and make events."""


def pytest_configure(config: pytest.Config) -> None:
    """Give all processes of a test run a cache of their own, empty at the start."""
    if not hasattr(config, "workerinput"):
        os.environ[CACHE] = tempfile.mkdtemp(prefix="tilewise-tables-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the cache of the test run."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(CACHE), ignore_errors=True)


@pytest.fixture(autouse=True)
def registry_as_it_was() -> Iterator[None]:
    """What a test registers is forgotten after it."""
    heuristics, algorithms = dict(HEURISTICS), dict(ALGORITHMS)
    yield
    HEURISTICS.clear()
    HEURISTICS.update(heuristics)
    ALGORITHMS.clear()
    ALGORITHMS.update(algorithms)


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Python that has loaded tilewise and forks for each command."""
    address = tmp_path_factory.mktemp("waiting") / "socket"
    with subprocess.Popen(
        [sys.executable, preloaded.__file__, "wait", str(address)],
        env={**os.environ, "NO_COLOR": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        assert process.stdout.readline() == b"ready\n"
        yield str(address)
        process.stdin.close()


@pytest.fixture
def tilewise(tmp_path: Path, waiting: str) -> Run:
    """Run `tilewise ARGS` as a process of its own, in an empty folder, without a terminal."""

    def run(
        *args: str,
        input: str | None = None,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        everything = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", **(env or {})}
        if env is not None and set(env) - {"COLUMNS"}:
            return _from_the_start(args, input or "", cwd or tmp_path, everything)
        with ExitStack() as stack:
            files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
            files[0].write((input or "").encode())
            files[0].seek(0)
            numbers = [file.fileno() for file in files]
            code = preloaded.ask(
                waiting, list(args), str(cwd or tmp_path), everything, numbers, HANG_GUARD
            )
            texts = [_read(file) for file in files[1:]]
        return subprocess.CompletedProcess(args, code, *texts)

    return run


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")


def _from_the_start(
    args: Sequence[str], input: str, cwd: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """With a Python of its own, which reads some of the environment when it starts."""
    return subprocess.run(
        [sys.executable, "-m", "tilewise", *args],
        input=input,
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )
