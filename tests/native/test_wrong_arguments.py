"""Wrong arguments to the native module raise: nothing crashes and nothing is done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tilewise as tw
from tilewise.core.configured_algorithm import build_algorithm

HANG_GUARD = 120
PROGRAM = Path(__file__).with_name("throw_wrong_arguments.py")


def test_every_function_refuses_every_wrong_argument() -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAM)],
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "survived\n"), done.stderr[-2000:]


def test_more_heuristics_than_the_module_takes_are_left_to_the_python_engine() -> None:
    many = f"max({', '.join(['manhattan'] * 65)})"
    assert tw.solve("312 475 68b", algorithm="astar", heuristic=many).engine == "python"
    fewer = f"max({', '.join(['manhattan'] * 64)})"
    assert tw.solve("312 475 68b", algorithm="astar", heuristic=fewer).engine == "native"


@pytest.mark.parametrize("spec", ["idastar(threads=-1)", "idastar(threads=1025)"])
def test_a_number_of_threads_that_cannot_be_is_a_wrong_option(spec: str) -> None:
    with pytest.raises(tw.TilewiseError, match="threads"):
        build_algorithm(spec)
