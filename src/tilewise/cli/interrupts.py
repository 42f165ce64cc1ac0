"""Ctrl-C and SIGTERM are answered soon, whatever the program is doing.

Python sees a signal only between two instructions of its own, in the main thread, and raises
KeyboardInterrupt there. That ends most commands in order. It is not relied on: native code may
not look for a while, a library may turn the exception into another one, and giving back
gigabytes takes seconds. So a thread watches, and ends the process `GRACE` seconds after the
signal wherever it is. A command that has something to keep says so, with `keep` or `keeping`,
from the moment that it has it until it is shown or written.

The thread needs Python's lock. Where native code holds that for long, a thread of the native
engine, which needs no lock, is the last resort.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from tilewise.cli import exit_codes
from tilewise.native import stand_by

GRACE = 0.08
"""Seconds after the signal in which a command that keeps nothing may end in order."""
ON_DISK = 0.13
"""Seconds for a command that has on the disk already what is worth most."""
AGAIN = 0.1
"""Seconds after which another signal is another Ctrl-C: the first is sent twice by some shells.
It ends the process at once, whatever it keeps."""
LOOK = 0.01
"""Seconds between two looks, once a signal has come."""
LAST_RESORT = 0.06
"""Seconds that the native engine waits longer than the thread does."""
IMPORTING = "<frozen importlib"
"""How the files of Python's machinery of imports begin."""


class _State:
    """What is known of signals and of the command. It is read and set without locks: a handler
    of signals that waits for a lock may wait for itself."""

    came = False
    raised = False
    """Whether the main thread has got its exception."""
    patience = GRACE
    code = exit_codes.INTERRUPTED
    retry = False
    """Whether the exception was not raised, or got lost: the signal is sent again."""
    native: Callable[[float, int], None] | None = None
    end: Callable[[], None] = staticmethod(lambda: os._exit(exit_codes.INTERRUPTED))


_state = _State()


def came() -> bool:
    """Whether Ctrl-C or SIGTERM has come: nothing is waited for when the command has ended."""
    return _state.came


class CameFlag(threading.Event):
    """A flag to cancel work by: set once a signal has come, whoever got the exception."""

    def is_set(self) -> bool:
        """Whether to end."""
        return _state.came or super().is_set()


def code() -> int:
    """The exit code of a command that was interrupted."""
    return _state.code


def keep(seconds: float = math.inf) -> None:
    """Give the command so many seconds from the signal: there is something to keep now."""
    _state.patience = seconds
    _tell_native()


def keep_nothing() -> None:
    """What there was to keep is shown or written, or there is nothing: nobody waits."""
    keep(GRACE)


@contextlib.contextmanager
def keeping(seconds: float = math.inf) -> Iterator[None]:
    """What runs here has something to keep."""
    keep(seconds)
    try:
        yield
    finally:
        keep_nothing()


def end_with(exit_code: int) -> None:
    """Set the code of a command whose ordinary end is Ctrl-C."""
    _state.code = exit_code
    _tell_native()


def end() -> None:
    """End the process now, as it ends when its time after a signal is over."""
    _state.end()


def _tell_native() -> None:
    if _state.native is not None:
        _state.native(_state.patience + LAST_RESORT, _state.code)


def watch(at_once: Callable[[], None]) -> None:
    """Answer signals from now on; called by the main thread. `at_once` ends the process."""
    _state.end = at_once
    answered = [each for each in (signal.SIGINT, signal.SIGTERM) if _is_answered(each)]
    if not answered:
        return
    outermost = sys._getframe(1)  # a program that is imported itself is no import

    def see(number: int, frame: FrameType | None) -> None:
        if _state.raised and not _state.retry:
            return  # the thread decides what another one means
        _state.came, _state.raised, _state.retry = True, True, False
        if not _imports(frame, outermost):
            raise KeyboardInterrupt
        # Libraries that are interrupted while they load raise other errors, or say something.
        if _state.patience <= GRACE:
            end()
        _state.retry = True

    reading = _to_read()
    threading.Thread(target=_wait, args=(reading, answered), daemon=True).start()
    _be_quiet_after_the_signal()
    for each in answered:
        signal.signal(each, see)


def stop_watching() -> None:
    """The command is over: a signal that comes now changes nothing."""
    for each in (signal.SIGINT, signal.SIGTERM):
        if _is_answered(each):
            signal.signal(each, signal.SIG_IGN)


def _is_answered(number: int) -> bool:
    """Whether a signal is not ignored, as it is in the background of some shells."""
    return signal.getsignal(number) not in (signal.SIG_IGN, None)


def _to_read() -> int:
    """A file in which the numbers of signals arrive, whoever holds Python's lock."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    passed_on, to_thread = os.pipe()
    _state.native = stand_by(reading, to_thread, AGAIN)
    if _state.native is None:
        os.close(passed_on)
        os.close(to_thread)
        return reading
    _tell_native()
    return passed_on


def _wait(reading: int, answered: list[signal.Signals]) -> None:
    """End the process when its time after the first signal is over, or when another one comes."""
    signal.pthread_sigmask(signal.SIG_BLOCK, answered)  # they are for the main thread
    first = math.inf
    main = threading.main_thread().ident or 0
    while True:
        ready, _, _ = select.select([reading], [], [], None if first == math.inf else LOOK)
        if ready and os.read(reading, 1)[0] in answered:
            if time.monotonic() - first > AGAIN:
                end()
            first = min(first, time.monotonic())
            _state.came = True
        if time.monotonic() - first > _state.patience:
            end()
        if _state.retry:
            signal.pthread_kill(main, answered[0])


def _imports(frame: FrameType | None, outermost: FrameType) -> bool:
    while frame is not None and frame is not outermost:
        if frame.f_code.co_filename.startswith(IMPORTING):
            return True
        frame = frame.f_back
    return False


def _be_quiet_after_the_signal() -> None:
    """No traceback of what an end in a hurry leaves: finalizers, callbacks, other threads."""
    unraisable, in_thread = sys.unraisablehook, threading.excepthook

    def lost(found: Any) -> None:
        if not _state.came:
            unraisable(found)
        elif found.exc_type is KeyboardInterrupt:  # a finalizer has swallowed it
            _state.retry = True

    def ended(found: Any) -> None:
        if not _state.came:
            in_thread(found)

    sys.unraisablehook, threading.excepthook = lost, ended
