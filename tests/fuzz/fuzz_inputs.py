"""Throws random and mutated texts at everything that reads text.

    python tests/fuzz/fuzz_inputs.py [NUMBER] [--seed N]

Only a TilewiseError may come out. The first other error is shown with its input, and the
exit code is 1.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
from collections.abc import Callable, Iterator

from tilewise.errors import TilewiseError
from tilewise.puzzle import formats
from tilewise.puzzle.board import Board

Target = Callable[[str], object]

BOARDS = [
    *(each.example for each in formats.NOTATIONS),
    "12 3b",
    "123456780",
    "b12\r\n345\r\n678",
    "3x4:1,2,3,4,5,6,7,8,9,10,11,0",
    "-------------\n| 3 | 2 | 5 |\n-------------\n| 6 | 7 | 8 |\n-------------\n| 0 | 1 | 4 |",
    "# a comment\n3 # the size\n1 2 3\n8 0 4\n7 6 5",
    "[1,2,3,null]",
    "/".join(" ".join(str(16 * row + column) for column in range(16)) for row in range(16)),
]
MOVES = ["ULDR", "U3LD2R", "up left down", "['Up', 'Left']", "['start', 'left', 'goal']", "U" * 80]
SPECS = [
    "astar",
    "wastar(weight=1.5)",
    "beam(width=100)",
    "max(manhattan, pdb(7-8))",
    "sum(misplaced, manhattan)",
    "default",
    "order=LRUD,ties=lifo",
    "duplicates=ancestors(2),goal_test=generated",
]
SAMPLES = BOARDS + MOVES + SPECS
PIECES = [
    *"0123456789bB_. ,;:/|#-+x=()[]{}\"'\n\r\t",
    *"UDLRudlr",
    *(
        "007",
        "+3",
        "-1",
        "1e3",
        "1.5",
        "inf",
        "nan",
        "9" * 40,
        "9" * 5000,
        "3x4:",
        "0x0:",
        "99x99:",
    ),
    *("null", "true", "[[", "]]", "((", "))", "[" * 2000, "(" * 2000, "\0", "\ufeff", "\u0663"),
    *("\u00b2", "\u2502", "\u2028", "\udc80", "\U0001f600", "--", "#", "U99999999", "x" * 30_000),
]


def inputs(number: int, seed: int) -> Iterator[str]:
    """The texts of a seed: always the same ones in the same order."""
    chance = random.Random(seed)
    for _ in range(number):
        yield mutated(chance) if chance.random() < 0.7 else composed(chance)


def composed(chance: random.Random) -> str:
    """A text of random pieces."""
    return "".join(chance.choices(PIECES, k=chance.randrange(12)))


def mutated(chance: random.Random) -> str:
    """A right text with a few places spoiled."""
    text = chance.choice(SAMPLES)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 1, 2, 5)))
        middle = chance.choice(
            ("", chance.choice(PIECES), text[start:end] * 2, text[start:end][::-1], text[:start])
        )
        text = text[:start] + middle + text[end:]
        if chance.random() < 0.05:
            text = text[:start] + chance.choice(SAMPLES)
    return text


def read_board(text: str) -> None:
    """Read a board; one that is accepted must also survive its own text."""
    board = Board.parse(text)
    if Board.parse(str(board)) != board:
        raise RuntimeError(f"{board!r} is not what its own text {str(board)!r} says")


def known_targets() -> dict[str, Target]:
    """Everything that reads text, as far as it is part of the package."""
    targets: dict[str, Target] = {"Board.parse": read_board, "read_moves": formats.read_moves}
    for module, name in (("tilewise.core.spec", "Spec"), ("tilewise.core.rules", "Rules")):
        try:
            found = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
        else:
            targets[f"{name}.parse"] = found.parse
    return targets


def first_failure(texts: Iterator[str], targets: dict[str, Target]) -> str | None:
    """The first call that raises anything but a TilewiseError, or None."""
    for text in texts:
        for name, target in targets.items():
            try:
                target(text)
            except TilewiseError as error:
                if len(str(error).splitlines()) != 1:
                    return f"{name}({text!r}) gave a message that is not one line: {error!r}"
            except Exception as error:
                return f"{name}({text!r}) raised {error!r}"
    return None


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Throw random and mutated texts at the readers.")
    parser.add_argument("number", nargs="?", type=int, default=100_000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other inputs")
    chosen = parser.parse_args(arguments)
    targets = known_targets()
    print(f"seed {chosen.seed}: {', '.join(targets)}")
    failure = first_failure(inputs(chosen.number, chosen.seed), targets)
    if failure is not None:
        print(failure, file=sys.stderr)
        return 1
    print(f"{chosen.number} inputs, 0 failures")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
