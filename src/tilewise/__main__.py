"""`python -m tilewise`."""

from __future__ import annotations


def main() -> None:
    """Load the program and run it; see startup.py for Ctrl-C while it loads."""
    from tilewise.cli.app import main as run

    run()


if __name__ == "__main__":
    main()
