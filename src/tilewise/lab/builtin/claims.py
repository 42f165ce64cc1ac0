"""What four reports on course programs claim, each claim tested by runs and judged by them."""

from __future__ import annotations

from collections.abc import Sequence

from tilewise.lab import Experiment
from tilewise.lab.builtin.claim_list import CLAIMS
from tilewise.lab.reports.report import Section, Table
from tilewise.lab.row import Row

EXPERIMENT = Experiment(
    name="claims",
    title="claims of four reports on course programs, each with a test and a verdict",
    parts=tuple(part for claim in CLAIMS for part in claim.parts),
    report="claims",
)


def report(rows: Sequence[Row]) -> list[Section]:
    """A row for each claim whose runs are there; the verdict follows from them alone."""
    lines, commands = [], []
    for claim in CLAIMS:
        mine = [row for row in rows if row["part"] == claim.name]
        if not mine and claim.parts:
            continue
        verdict = claim.judge(mine)
        lines.append([claim.source, claim.text, verdict.word, verdict.finding])
        commands.append([claim.text, claim.command])
    table = Table.of(
        "claims", "Claims and verdicts", ["about", "claim", "verdict", "what was found"], lines
    )
    how = Table.of("commands", "A command that shows each", ["claim", "command"], commands)
    words = [line[2] for line in lines]
    counts = "; ".join(f"{word}: {words.count(word)}" for word in sorted(set(words)))
    text = (
        "What four reports say, or what their readers take from them, tested. The word of "
        f"each verdict follows from the runs alone. {len(lines)} claims. {counts.capitalize()}."
    )
    missing = len(CLAIMS) - len(lines)
    if missing:
        text += f" {missing} more are left out: their runs are not done."
    return [Section("Verdicts", (text,), (table, how))]
