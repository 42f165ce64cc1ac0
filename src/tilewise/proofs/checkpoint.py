"""Checkpoints: the state of a proof as a file, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import math
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from tilewise.core.problem import DEFAULT_ORDER
from tilewise.errors import TilewiseError, shortened
from tilewise.files import read_text, replacing
from tilewise.proofs.state import MOST_SUBTREES, PassState, ProofState, Side

FORMAT, VERSION = "tilewise-proof", 1
SIDES = get_args(Side)
LARGEST = 64 * 2**20
"""Bytes of a file."""
LARGEST_BOUND, LONGEST_WORDS = 10_000, 12
"""Moves of the passes that the native engine makes, and of the words that it can leave out."""


def write(path: Path, state: ProofState) -> None:
    """Replace the file; a process that is killed leaves the old one or the new one."""
    body: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        **asdict(state),
        "passes": [{**each.to_dict(), "done": ""} for each in state.passes],
        "current": state.current and state.current.to_dict(),
    }
    body["check"] = _check(body)
    with replacing(path, sync=True) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        json.dump(body, file)
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> ProofState:
    """The state in a file; damage is an error."""
    text = read_text(path, LARGEST, "a checkpoint", plain=True)
    try:
        body = json.loads(text)
        if not isinstance(body, dict) or (body.get("format"), body.get("version")) != (
            FORMAT,
            VERSION,
        ):
            raise ValueError
        if body.pop("check") != _check(body):
            raise ValueError
        current = body.pop("current")
        passes = [PassState(**{**each, "done": set()}) for each in body.pop("passes")]
        del body["format"], body["version"]
        current = current and PassState.from_dict(current)
        state = ProofState(**body, passes=passes, current=current)
        if not (all(map(_sensible_pass, state.counted)) and _sensible(state)):
            raise ValueError
        return state
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise TilewiseError(
            f"expected a checkpoint of `tilewise prove`, got another or a damaged file: "
            f"{shortened(str(path))}"
        ) from None


def _sensible(state: ProofState) -> bool:
    """Whether a state has the right types, and no bound that its solution refutes."""
    texts = (state.board, state.goal, state.heuristic, state.order, *state.machines)
    if_any = (state.incumbent, state.heuristic_if_long, state.heuristic_by_cells)
    return (
        all(isinstance(text, str) for text in texts)
        and _whole(state.words, state.bound, *state.tables.values())
        and state.bound <= LARGEST_BOUND
        and state.words <= LONGEST_WORDS
        and sorted(state.order) == sorted(DEFAULT_ORDER)
        and state.side in SIDES
        and all(text is None or isinstance(text, str) for text in if_any)
        and _whole(state.probed, 0 if state.first_cost is None else state.first_cost)
        and _finite(state.looked, state.found_after)
        and (state.cost is None or state.bound <= state.cost)
    )


def _sensible_pass(each: PassState) -> bool:
    counted = (each.bound, each.wanted, each.roots, each.digest)
    counters = (each.expanded, each.generated, each.max_depth)
    above = 0 if each.least_above is None else each.least_above
    return (
        _whole(*counted, *counters, above)
        and each.bound <= LARGEST_BOUND
        and each.wanted <= MOST_SUBTREES
        and isinstance(each.heuristic, str)
        and each.side in SIDES
        and _finite(each.seconds)
    )


def _whole(*numbers: object) -> bool:
    return all(type(number) is int and 0 <= number < 2**63 for number in numbers)


def _finite(*seconds: object) -> bool:
    return all(isinstance(each, int | float) and 0 <= each < math.inf for each in seconds)


def _check(body: dict[str, Any]) -> str:
    """A hash of everything else."""
    rest = {name: value for name, value in body.items() if name != "check"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()[:16]
