"""Checkpoints: the state of a proof as a file, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tilewise.errors import TilewiseError, shortened
from tilewise.files import read_text, replacing
from tilewise.proofs.state import PassState, ProofState

FORMAT, VERSION = "tilewise-proof", 1
LARGEST = 64 * 2**20


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
    text = read_text(path, LARGEST, "a checkpoint")
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
        return ProofState(**body, passes=passes, current=current and PassState.from_dict(current))
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        raise TilewiseError(
            f"expected a checkpoint of `tilewise prove`, got another or a damaged file: "
            f"{shortened(str(path))}"
        ) from None


def _check(body: dict[str, Any]) -> str:
    """A hash of everything else."""
    rest = {name: value for name, value in body.items() if name != "check"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()[:16]
