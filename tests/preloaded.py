"""A Python that has loaded tilewise and forks for each command: the program as it is, started in
a hundredth of the time.

    python preloaded.py wait SOCKET            waits for commands until its standard input ends
    python preloaded.py run SOCKET [ARG...]    is `tilewise ARG...`, done by the one that waits

What is forked gets the files, the folder and the environment of who asked, and runs the module
`tilewise` as `python -m tilewise` does. What Python reads of the environment when it starts
(PYTHONIOENCODING, LANG) is that of the one that waits.
"""

from __future__ import annotations

import _socket  # socket itself takes as long to import as Python to start
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket

IMPORTED_LATE = (
    *("difflib", "mmap", "numpy", "pydantic", "rich.table", "statistics", "zipfile"),
    *("tilewise.cli.grade_actions", "tilewise.lab.reports", "tilewise.toml_models"),
)
"""What many commands import only when they need it."""
LENGTH = 4
"""Bytes of the length of a request."""
NO_ANSWER = 70


def ask(
    address: str, args: list[str], cwd: str, env: dict[str, str], files: list[int], seconds: float
) -> int:
    """The exit code of `tilewise ARGS` with these files as input, output and errors."""
    connection = _socket.socket(_socket.AF_UNIX)
    try:
        connection.settimeout(seconds)
        connection.connect(address)
        request = marshal.dumps([args, cwd, env])
        numbers = b"".join(file.to_bytes(4, sys.byteorder) for file in files)
        rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)
        connection.sendmsg([len(request).to_bytes(LENGTH, "little")], [rights])
        connection.sendall(request)
        answer = connection.recv(1)
    finally:
        connection.close()
    return answer[0] if answer else NO_ANSWER


def wait_for_commands(address: str) -> None:
    """Load what commands need, then fork for each one that comes, until the input ends."""
    import gc
    import importlib
    import select
    import signal
    import socket

    from tilewise.cli.app import COMMANDS, LazyCommands

    early = LazyCommands()
    for name in COMMANDS:
        if name not in ("serve", "play"):  # large, and started by few
            early[name]
    for name in IMPORTED_LATE:
        importlib.import_module(name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(address)
    listening.listen(64)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        ready, _, _ = select.select([listening.fileno(), 0], [], [])
        if 0 in ready:
            os._exit(0)
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _carry_out(connection)
        connection.close()


def _carry_out(connection: socket.socket) -> None:
    """Be the program that was asked for, and tell how it ended."""
    import socket

    length, files, _, _ = socket.recv_fds(connection, LENGTH, 3)
    request = b""
    while len(request) < int.from_bytes(length, "little"):
        request += connection.recv(2**16)
    args, cwd, env = marshal.loads(request)
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["tilewise", *args]
    sys.path[0] = cwd
    leave = os._exit

    def tell_and_leave(code: int) -> None:
        connection.send(bytes([code]))
        leave(code)

    os._exit = tell_and_leave  # type: ignore[assignment]  # the program may end so, too
    os._exit(_ended())


def _ended() -> int:
    """The exit code of the program, as the interpreter makes it; all is written then."""
    import atexit
    import runpy
    import threading
    import traceback

    code: object = 0
    try:
        runpy.run_module("tilewise", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    if isinstance(code, str):
        print(code, file=sys.stderr)
        code = 1
    getattr(threading, "_shutdown")()  # noqa: B009  (waits for threads that are not daemons)
    getattr(atexit, "_run_exitfuncs")()  # noqa: B009
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return 120
    return code & 255 if isinstance(code, int) else 0


if __name__ == "__main__":
    if sys.argv[1] == "wait":
        wait_for_commands(sys.argv[2])
    here = os.getcwd()  # noqa: PTH109  (pathlib takes longer to import than all the rest)
    sys.exit(ask(sys.argv[2], sys.argv[3:], here, dict(os.environ), [0, 1, 2], 3600))
