"""The golden cases, and which test module answers for which of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Case = dict[str, Any]

TESTS = Path(__file__).parent
_GOLDEN = json.loads((TESTS / "golden" / "cases.json").read_text(encoding="utf-8"))
CASES: list[Case] = _GOLDEN["cases"]
EXPERIMENTS: dict[str, Any] = _GOLDEN["experiments"]

CLAIMS: dict[str, Callable[[Case], bool]] = {
    "test_golden.py": lambda case: case["for"] == "correct" or case["system"] == "C",
    "courses/test_eecs391.py": lambda case: (
        case["for"] == "compat" and case["system"] in {"A", "B"}
    ),
    "courses/test_cs170.py": lambda case: case["for"] == "compat" and case["system"] == "D",
}
"""Test module (below tests/) and the cases that it runs: the sound searches and what the rules
can say of the columbia profile; the profiles with a search of their own."""


def claimed_by(module: str) -> list[Case]:
    """The cases that a test module must run."""
    return [case for case in CASES if CLAIMS[module](case)]
