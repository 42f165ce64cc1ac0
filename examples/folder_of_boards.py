"""Solve every board of a folder: one file a board, in any notation; the goal is blank first.

python examples/folder_of_boards.py examples/boards
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import tilewise as tw


def solved(folder: Path) -> Iterator[tuple[str, str]]:
    """For each text file its name and the answer, or what is wrong with it."""
    for file in sorted(folder.glob("*.txt")):
        try:
            result = tw.solve(file.read_text(encoding="utf-8"), goal="first")
        except tw.TilewiseError as error:
            yield file.name, f"not a board: {error}"
            continue
        if result.solved:
            yield file.name, f"{result.cost} moves: {result.moves}"
        else:
            yield file.name, f"{result.status}: {result.note}"


if __name__ == "__main__":
    for name, answer in solved(Path(sys.argv[1])):
        print(f"{name:<12} {answer}")
