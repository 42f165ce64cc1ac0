"""`tilewise solve --certificate FILE`: writing the certificate of a result."""

from __future__ import annotations

import json
import sys

import tilewise
from tilewise.core.result import Result
from tilewise.files import write_file
from tilewise.proofs.state import ProofState


def write(path: str, result: Result, proof: ProofState | None = None) -> None:
    """Write the certificate of a result; without an answer, say that there is none to write."""
    from tilewise.traces.certificates import certificate

    claim = certificate(result, f"tilewise {tilewise.__version__}", proof)
    if claim is None:
        print(f"tilewise: no answer, so no certificate was written to {path}", file=sys.stderr)
        return
    write_file(path, json.dumps(claim) + "\n")
