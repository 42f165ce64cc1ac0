"""`tilewise verify`: certificates, checked by a program that shares nothing with the searches."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewise.cli import verify_certificate


def verify(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Certificates.")],
) -> None:
    """Verify certificates that `tilewise solve --certificate FILE` wrote.

    The moves are played, and up to 9 cells the shortest solution is found again from scratch;
    on larger boards too, near the goal (on 4x4 up to about 30 moves). What is not proved is called
    trusted.
    The verifier is one file that imports nothing of tilewise; it runs alone as well:
    python verify_certificate.py FILE...

    Exit code: 0 all hold, 1 one is rejected, 2 one cannot be read.

    Examples:

    tilewise solve "8b6 547 231" --certificate hardest.json

    tilewise verify hardest.json
    """
    raise typer.Exit(verify_certificate.main(files))
