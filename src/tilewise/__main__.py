"""`python -m tilewise`."""

from __future__ import annotations

import sys


def main() -> None:
    """Load the program and run it; Ctrl-C while it loads ends it as quietly as later."""
    try:
        from tilewise.cli.app import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
