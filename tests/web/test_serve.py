"""The command `tilewise serve`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import Run
from tests.web.client import HANG_GUARD, Server, serving


def test_a_port_in_use_is_an_error_of_one_line(server: Server, tilewise: Run) -> None:
    run = tilewise("serve", "--port", str(server.port))
    assert run.returncode == 2 and run.stdout == ""
    assert f"127.0.0.1:{server.port}" in run.stderr and run.stderr.count("\n") == 1
    assert "already in use" in run.stderr


@pytest.mark.parametrize("options", [["--port", "x"], ["--port", "99999"], ["--host", "999.1.1.1"]])
def test_a_bad_address_is_an_error_of_one_line(tilewise: Run, options: list[str]) -> None:
    run = tilewise("serve", *options)
    assert run.returncode == 2 and run.stderr.startswith("tilewise: error: expected ")
    assert run.stderr.count("\n") == 1


def test_without_the_extra_one_line_says_what_to_install(tilewise: Run) -> None:
    code = "import sys; sys.modules['uvicorn'] = None; from tilewise.__main__ import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code, "serve"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2 and "pip install 'tilewise[web]'" in run.stderr
    assert run.stderr.count("\n") == 1


def test_an_interrupted_server_ends_quietly_and_at_once() -> None:
    process = serving("--port", "0")
    assert process.stdout is not None
    address = process.stdout.readline()
    port = int(address.rpartition(":")[2].partition("/")[0])
    far = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    busy = Server(port, process).start("solve", board=far, algorithm="idastar", seconds=60)
    busy.getresponse().readline()
    process.send_signal(2)
    _, errors = process.communicate(timeout=HANG_GUARD)
    busy.close()
    assert errors == "" and process.returncode in (0, 130)
