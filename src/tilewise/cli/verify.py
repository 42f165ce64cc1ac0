"""`tilewise verify`: certificates, checked by a program that shares nothing with the searches."""

from __future__ import annotations

import click

from tilewise.cli import commands, verify_certificate


@commands.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", help="Certificates.")
def verify(files: tuple[str, ...]) -> int:
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
    return verify_certificate.main(list(files))
