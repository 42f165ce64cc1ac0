"""The last resort at a signal: a thread that needs no lock of Python's."""

from __future__ import annotations

from collections.abc import Callable

from tilewise.native.compiled import compiled


def stand_by(reading: int, writing: int, again: float) -> Callable[[float, int], None] | None:
    """Watch the numbers of signals that arrive in a file, and pass them on to another one.

    Args:
        reading: Where Python writes the number of each signal (`signal.set_wakeup_fd`).
        writing: Where they go on to.
        again: Seconds after which another signal ends the process at once.

    Returns:
        A function that sets after how many seconds from the first signal the process is ended,
        and with which exit code; None without the native engine. Until it is called, nothing is
        ended.
    """
    start = getattr(compiled, "watch_signals", None)
    if start is None:
        return None
    start(reading, writing, again)
    return compiled.set_patience
