"""`python -m tilewise`."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal without its slow imports
import gc
import os

OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""Collections look at all that was imported; a program that ends soon makes little to collect."""


def main() -> None:
    """Load the program and run it; Ctrl-C while it loads ends it as quietly as later.

    The handler stays until that of the program takes its place.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    # Not by an exception: libraries that are interrupted while they load raise others instead.
    for number in (_signal.SIGINT, _signal.SIGTERM):
        if _signal.getsignal(number) in (_signal.SIG_DFL, _signal.default_int_handler):
            _signal.signal(number, _leave)  # it is another one where it is ignored
    from tilewise.cli.app import main as run

    run()


def _leave(*_: object) -> None:
    os._exit(130)


if __name__ == "__main__":
    main()
