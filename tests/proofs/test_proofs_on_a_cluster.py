"""One proof on a Dask cluster: the same counters as here, also when a worker is killed."""

from __future__ import annotations

import math
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.proofs.test_proofs import BOARD, SOLUTION, SPEC, counters
from tilewise import Limits, Status
from tilewise.core.build_context import never
from tilewise.core.result import StoppedBy
from tilewise.lab.executors import connection
from tilewise.lab.executors.executor import ExecutorError
from tilewise.lab.executors.subtrees import SubtreesOnCluster
from tilewise.proofs import checkpoint
from tilewise.proofs.executors import PassTask
from tilewise.proofs.proving import prove

HANG_GUARD = 200


class Killing(SubtreesOnCluster):
    """Kills a worker once, when it has batches to do."""

    sent = killed = 0

    def _sent(self, task: PassTask, batch: Sequence[tuple[int, str]]) -> Any:
        future = super()._sent(task, batch)
        self.sent += 1
        if self.sent == 30:
            self.killed = next(iter(self._connection.client.run(os.getpid).values()))
            os.kill(self.killed, signal.SIGKILL)
        return future


def test_a_worker_that_is_killed_changes_no_counter(tmp_path: Path) -> None:
    states = []
    for name, executor in (("here", None), ("cluster", Killing("local", 2))):
        path = tmp_path / f"{name}.proof"
        try:
            result = prove(
                BOARD.board,
                goal="first",
                incumbent=SOLUTION,
                heuristic=SPEC,
                checkpoint=path,
                executor=executor,
            )
        finally:
            if executor is not None:
                executor.close()
        assert result.optimal and result.cost == BOARD.optimal
        states.append(checkpoint.read(path))
    assert executor is not None and executor.killed and executor.sent > 30
    assert counters(states[0]) == counters(states[1])


@contextmanager
def server(says: bytes, when_called: Callable[[], None] = lambda: None) -> Iterator[str]:
    """The address of a server that is no scheduler: it says something to everybody, or nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        callers = []

        def serve() -> None:
            with suppress(OSError):  # the server is closed
                while True:
                    caller, _ = listening.accept()
                    callers.append(caller)
                    caller.sendall(says)
                    when_called()

        Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        for caller in callers:
            caller.close()


def test_a_server_that_is_no_scheduler_is_told_in_one_line() -> None:
    with server(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address:
        command = [sys.executable, "-m", "tilewise", "prove", "8b6 547 231", "--cluster", address]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=HANG_GUARD, check=False
        )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"got another kind of answer from '{address}'" in done.stderr


def test_a_server_that_says_nothing_is_waited_for_some_seconds_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.5)
    with server(b"") as address, pytest.raises(ExecutorError, match=r"no answer from .* 0.5 s"):
        SubtreesOnCluster(address, 1).connect(math.inf, never)


def test_a_name_that_is_looked_up_for_minutes_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    over = Event()

    def slow(*_: object) -> None:
        assert over.wait(HANG_GUARD)
        raise socket.gaierror

    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.5)
    monkeypatch.setattr(socket, "getaddrinfo", slow)
    with pytest.raises(ExecutorError, match=r"no answer from .* 0.5 s"):
        SubtreesOnCluster("far.invalid:8786", 1).connect(math.inf, never)
    over.set()


def test_a_name_that_nobody_knows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ExecutorError, match="a host whose name is not known"):
        SubtreesOnCluster("far.invalid:8786", 1).connect(math.inf, never)


def test_waiting_for_a_scheduler_counts_in_the_limit_of_time() -> None:
    with server(b"") as address:
        command = [sys.executable, "-m", "tilewise", "prove", "8b6 547 231", "--seconds", "0.5"]
        done = subprocess.run(
            [*command, "--cluster", address],
            capture_output=True,
            text=True,
            timeout=HANG_GUARD,
            check=False,
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "tilewise: error: expected a Dask scheduler such as tcp://host:8786, "
        f"got no answer from '{address}' within 0.5 s\n"
    )


def test_a_flag_ends_the_waiting_for_a_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", HANG_GUARD)
    cancel = Event()
    with server(b"", when_called=cancel.set) as address:
        executor = SubtreesOnCluster(address, 1)
        result = prove("8b6 547 231", executor=executor, heuristic="manhattan", cancel=cancel)
    assert result.status is Status.CANCELLED and result.bound == 21


def test_ctrl_c_ends_the_waiting_for_a_scheduler() -> None:
    called = Event()
    with server(b"", when_called=called.set) as address:
        command = [sys.executable, "-m", "tilewise", "prove", "8b6 547 231", "--cluster", address]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        ) as process:
            assert called.wait(HANG_GUARD)
            os.killpg(process.pid, signal.SIGINT)
            text, _ = process.communicate(timeout=HANG_GUARD)
    assert (process.returncode, text) == (130, b"")


def test_a_cluster_that_is_not_up_in_time_is_a_limit_and_is_closed_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late, closed = Event(), Event()

    class Client:
        def close(self, timeout: float) -> None:
            closed.set()

    def opened(*_: object) -> connection._Opened:
        assert late.wait(HANG_GUARD)
        return connection._Opened(Client(), None)

    monkeypatch.setattr(connection, "_opened", opened)
    executor = SubtreesOnCluster("local", 1)
    result = prove("8b6 547 231", executor=executor, limits=Limits(seconds=0.1))
    assert result.status is Status.LIMIT and result.stopped_by is StoppedBy.SECONDS
    late.set()
    assert closed.wait(HANG_GUARD)
