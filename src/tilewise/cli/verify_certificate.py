"""Verify certificates of sliding-tile solutions: python verify_certificate.py FILE...

This file stands alone. It imports nothing of tilewise and shares no code with its searches, so a
fault there cannot hide here. It plays the moves, and then looks for the shortest solution itself,
breadth-first from both ends: that always succeeds up to 9 cells, and on larger boards while all
states it has seen have no more than CELLS. What it could not prove it calls trusted.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

CELLS, LARGEST_FILE, MOST_MOVES, SMALL = 16_000_000, 1_000_000, 100_000, 9
PART, MOST_PARTS = 16, 60  # of a solution that is too long for a proof: moves looked at together
KEYS = "format version program rows columns board goal solvable moves cost optimal proof log"


class RejectedError(Exception):
    """The certificate claims what does not hold; the message says what."""


def verify(claim: Any) -> str:
    """What holds, in words, of a certificate that claims nothing else."""
    complete = isinstance(claim, dict) and sorted(claim) == sorted(KEYS.split())
    require(complete, f"the fields are not {KEYS}")
    expect(claim, "format", "tilewise-certificate")
    expect(claim, "version", 1)
    rows, columns = claim["rows"], claim["columns"]
    for side in (rows, columns):
        require(type(side) is int and 2 <= side <= 16, "rows and columns are not from 2 to 16")
    for name in ("board", "goal"):
        whole = isinstance(claim[name], list) and all(type(tile) is int for tile in claim[name])
        complete = whole and sorted(claim[name]) == [*range(rows * columns)]
        require(complete, f"{name} does not have the tiles 0 to {rows * columns - 1} once each")
    board, goal, moves = bytes(claim["board"]), bytes(claim["goal"]), claim["moves"]
    expect(claim, "solvable", same_parity(board, goal, columns))
    if not claim["solvable"]:
        for name in ("moves", "cost", "optimal", "log"):
            expect(claim, name, None)
        expect(claim, "proof", "parity")
        return "no moves lead to the goal (proved here, by parity)"
    require(isinstance(moves, str) and len(moves) <= MOST_MOVES, "moves is not a text of U D L R")
    expect(claim, "cost", len(moves))
    require(play(board, moves, columns) == goal, "the moves do not end on the goal")
    distance, states = shortest(board, goal, columns)
    said, proved = f"{len(moves)} moves lead to the goal", f"(proved here, with {states:,} states)"
    if rows * columns <= SMALL:
        expect(claim, "proof", "exhaustive")
        expect(claim, "log", None)
        expect(claim, "optimal", distance == len(moves))
    else:
        expect(claim, "proof", "search" if claim["optimal"] is True else "none")
        require(claim["optimal"] is True or claim["optimal"] is None, "optimal is not true or null")
        require(isinstance(claim["log"], dict) is (claim["proof"] == "search"), "log is not right")
    if distance == len(moves):
        return f"{said} and no fewer do {proved}"
    if distance is not None:
        require(claim["optimal"] is not True, f"it is not optimal: {distance} moves are enough")
        return f"{said}, {distance} would be enough {proved}"
    said += f"; at least {manhattan(board, goal, columns)} are needed (proved here)"
    if claim["optimal"] is None:
        return f"{said}; whether fewer than {len(moves)} do is not known"
    require_no_detour(board, moves, columns)
    log = shown(claim["log"], 400)
    return f"{said}; that no fewer than {len(moves)} do is trusted, not proved: {log}"


def require(holds: bool, otherwise: str) -> None:
    """Reject a certificate for which this does not hold."""
    if not holds:
        raise RejectedError(otherwise)


def expect(claim: dict[str, Any], name: str, value: Any) -> None:
    """Reject a certificate whose field is not exactly this value."""
    same = type(claim[name]) is type(value) and claim[name] == value
    require(same, f"{name} is {shown(claim[name])}, not {shown(value)}")


def shown(value: Any, longest: int = 80) -> str:
    """A value of a certificate, or a file name, on one line and in ASCII: no verdict of ours."""
    try:
        text = value if isinstance(value, str) else str(value)
    except (ValueError, RecursionError):  # a number of thousands of digits
        text = "a value too large to show"
    cut = text[:longest]
    return "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in cut)


def same_parity(board: bytes, goal: bytes, columns: int) -> bool:
    """A move is a swap and a step of the blank, so both parities change together."""
    tiles, swaps = [*board], 0
    for cell, tile in enumerate(goal):
        other = tiles.index(tile)
        tiles[cell], tiles[other], swaps = tile, tiles[cell], swaps + (cell != other)
    return swaps % 2 == apart(board.index(0), goal.index(0), columns) % 2


def apart(cell: int, other: int, columns: int) -> int:
    """Rows plus columns between two cells."""
    return abs(cell // columns - other // columns) + abs(cell % columns - other % columns)


def manhattan(board: bytes, goal: bytes, columns: int) -> int:
    """Each move brings one tile one cell on, so no fewer moves can do."""
    return sum(apart(c, goal.index(tile), columns) for c, tile in enumerate(board) if tile)


def neighbours(board: bytes, columns: int) -> dict[str, bytes]:
    """The boards one move away, by the direction of the blank."""
    found, blank = {}, board.index(0)
    for move, target in zip("UDLR", (-columns, columns, -1, 1), strict=True):
        cell = blank + target
        if 0 <= cell < len(board) and apart(blank, cell, columns) == 1:
            tiles = bytearray(board)
            tiles[blank], tiles[cell] = tiles[cell], 0
            found[move] = bytes(tiles)
    return found


def play(board: bytes, moves: str, columns: int) -> bytes:
    """The board after the moves, each of which must be possible."""
    for number, move in enumerate(moves, start=1):
        after = neighbours(board, columns)
        require(move in after, f"move {number} of the solution is not possible")
        board = after[move]
    return board


def require_no_detour(board: bytes, moves: str, columns: int) -> None:
    """Reject a solution of which some part can be done in fewer moves: it is not a shortest one."""
    for number in range(0, min(len(moves), MOST_PARTS * PART), PART // 2):
        part = moves[number : number + PART]
        fewer, _ = shortest(board, play(board, part, columns), columns)
        require(fewer == len(part), f"it is not optimal: {fewer} moves can replace {part}")
        board = play(board, part[: PART // 2], columns)


def shortest(board: bytes, goal: bytes, columns: int) -> tuple[int | None, int]:
    """The fewest moves, None where that takes too many states; and the states it took."""
    seen, layers, depth = ({board}, {goal}), [{board}, {goal}], 0
    while seen[0].isdisjoint(seen[1]) and len(seen[0]) + len(seen[1]) <= CELLS // len(board):
        side = len(layers[0]) > len(layers[1])  # a whole layer, where there is less to do
        made = {near for each in layers[side] for near in neighbours(each, columns).values()}
        layers[side] = made - seen[side]
        seen[side].update(layers[side])
        depth += 1
    return None if seen[0].isdisjoint(seen[1]) else depth, len(seen[0]) + len(seen[1])


def judged(path: str) -> tuple[int, str]:
    """The exit code for one file, and what to say about it."""
    try:
        with Path(path).open("rb") as stream:
            text = stream.read(LARGEST_FILE + 1)
        require(len(text) <= LARGEST_FILE, f"the file has more than {LARGEST_FILE:,} bytes")
        return 0, f"valid: {verify(json.loads(text))}"
    except RejectedError as error:
        return 1, f"REJECTED: {error}"
    except OSError as error:
        return 2, f"cannot be read: {error.strerror or error}"
    except (ValueError, RecursionError) as error:
        return 2, f"cannot be read: {shown(error)}"


def main(paths: list[str]) -> int:
    """Exit code: 0 all hold, 1 one is rejected, 2 one cannot be read."""
    worst = 0 if paths else 2
    for path in paths:
        code, said = judged(path)
        worst = max(worst, code)
        line, out = f"{shown(path, 4096)}: {said}", sys.stderr if code == 2 else sys.stdout
        try:
            print(line, file=out, flush=True)
        except OSError as error:  # the exit code still says what holds, unless the disk is full
            os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
            if not isinstance(error, BrokenPipeError):
                worst = 2
                with contextlib.suppress(OSError):
                    print(f"cannot write the verdict: {error.strerror}", file=sys.stderr)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
