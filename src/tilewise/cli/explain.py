"""`tilewise explain`: why each node was expanded, and worksheets of a search."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tilewise.cli import commands, exit_codes, explain_text, render
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Whole
from tilewise.cli.progress import shown_tables
from tilewise.core.result import Status
from tilewise.errors import LimitsError, SpecError, shortened
from tilewise.files import write_file
from tilewise.puzzle.parity import explain as why_unsolvable
from tilewise.traces import worksheet
from tilewise.traces.explain import explain as explain_events
from tilewise.traces.explain import explain_step
from tilewise.traces.watched import Watched, watch
from tilewise.traces.worksheet_page import page
from tilewise.traces.worksheet_text import markdown

WRITERS = {".md": markdown, ".html": page}
LISTED, SHOWN_OPEN = 20, 20
MOST_STEPS, MOST_ON_SHEET = 100_000, 40


@commands.command()
@shared.board()
@click.option(
    "--step", metavar="N", type=Whole(most=MOST_STEPS), help="Explain the N-th expansion at length."
)
@click.option(
    "--steps",
    metavar="N",
    type=Whole(most=MOST_STEPS),
    help=f"List the first N (default: {LISTED}); on a worksheet {worksheet.DEFAULT_STEPS}.",
)
@shared.algorithm()
@shared.heuristic(help="As in solve; on a worksheet manhattan unless you name another.")
@shared.goal()
@shared.rules()
@shared.profile()
@click.option(
    "--show", metavar="N", type=Whole(0), help=f"Entries of the open list (default: {SHOWN_OPEN})."
)
@click.option(
    "--worksheet", "as_worksheet", is_flag=True, help="A worksheet to fill in, with an answer key."
)
@click.option("--output", "-o", metavar="FILE", help="Write the worksheet: .md or .html.")
@shared.as_json(help="One JSON object per step.")
@shared.load()
def explain(
    board: str,
    step: int | None,
    steps: int | None,
    algorithm: str | None,
    heuristic: str | None,
    goal: str,
    rules: str | None,
    profile: str | None,
    show: int | None,
    as_worksheet: bool,
    output: str | None,
    as_json: bool,
) -> int:
    """Explain a search: why each node was taken, and what tied with it.

    It also shows what other rules would have taken. The open list is shown in the very order in
    which it will be taken if nothing is added. The goal, when it is taken, is the last step.
    With --worksheet the search becomes an exercise: blanks for h, f and the choice at each
    step, the answers on pages of their own.

    Examples:

    tilewise explain "867 254 3b1" --step 5

    tilewise explain "867 254 3b1" -a greedy -H manhattan

    tilewise explain 1,2,5,3,4,0,6,7,8 --profile columbia

    tilewise explain "125 34b 678" --worksheet -o sheet.html
    """
    if as_worksheet and (step or as_json):
        raise SpecError("expected --worksheet, or --step or --json: not both")
    if as_worksheet and steps and steps > MOST_ON_SHEET:
        raise LimitsError(
            f"expected a whole number of at most {MOST_ON_SHEET:,} for --steps, got {steps:,}"
        )
    if output and not as_worksheet:
        raise SpecError("expected --output together with --worksheet")
    if step and steps:
        raise SpecError("expected --step N for one, or --steps N for the first ones: not both")
    by_hand = worksheet.usual_heuristic
    count = steps or (worksheet.DEFAULT_STEPS if as_worksheet else LISTED)
    search = watch(
        board,
        goal=goal,
        algorithm=algorithm,
        heuristic=heuristic or (by_hand(algorithm) if as_worksheet and not profile else None),
        rules=rules,
        profile=profile,
        steps=step or count,
        context=shown_tables(),
    )
    if search.status is Status.UNSOLVABLE:
        print(why_unsolvable(search.board, search.goal))
        return exit_codes.UNSOLVABLE
    if as_worksheet:
        _worksheet(search, count, output)
    elif step:
        _one(search, step, show, as_json)
    else:
        _first(search, count, show, as_json)
    return exit_codes.OK


def _one(search: Watched, step: int, show: int | None, as_json: bool) -> None:
    show = SHOWN_OPEN if show is None else show
    choice = explain_step(search.events, step, search.algorithm, search.rules, show=show)
    if as_json:
        print(json.dumps(choice.to_dict()))
        return
    for line in explain_text.page(search, choice, render.terminal_width()):
        print(line)


def _first(search: Watched, count: int, show: int | None, as_json: bool) -> None:
    choices = explain_events(search.events, search.algorithm, search.rules, show=show or 0)
    first = [choice for choice in choices if choice.step <= count]
    if as_json:
        for choice in first:
            print(json.dumps(choice.to_dict()))
        return
    for line in explain_text.listing(search, first, render.terminal_width()):
        print(line)


def _worksheet(search: Watched, steps: int, output: str | None) -> None:
    suffix = Path(output).suffix.lower() if output else ".md"
    if suffix not in WRITERS:
        raise SpecError(
            f"expected a file ending in {' or '.join(WRITERS)}, got {shortened(output)}"
        )
    text = WRITERS[suffix](worksheet.sheet(search, steps))
    if output is None:
        print(text, end="")
        return
    write_file(output, text)
    print(f"wrote {output}")
