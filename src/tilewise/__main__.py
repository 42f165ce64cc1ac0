"""`python -m tilewise`."""

from __future__ import annotations

from tilewise.frontends.cli.app import main

if __name__ == "__main__":
    main()
