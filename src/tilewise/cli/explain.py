"""`tilewise explain`: why each node was expanded, and worksheets of a search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tilewise.cli import exit_codes, explain_text, numbers, render
from tilewise.cli.profile_option import ProfileOption
from tilewise.cli.progress import shown_tables
from tilewise.cli.shared_options import (
    AlgorithmOption,
    GoalOption,
    LoadOption,
    RulesOption,
)
from tilewise.core.result import Status
from tilewise.errors import SpecError, shortened
from tilewise.files import write_file
from tilewise.plugins import load_file
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


def explain(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="A board in any notation.")],
    step: Annotated[
        str | None, typer.Option(metavar="N", help="Explain the N-th expansion at length.")
    ] = None,
    steps: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help=f"List the first N (default: {LISTED}), or so many on the "
            f"worksheet (default: {worksheet.DEFAULT_STEPS}).",
        ),
    ] = None,
    algorithm: AlgorithmOption = None,
    heuristic: Annotated[
        str | None,
        typer.Option(
            "--heuristic",
            "-H",
            metavar="SPEC",
            help="As solve has it; on a worksheet manhattan unless another is named.",
        ),
    ] = None,
    goal: GoalOption = "auto",
    rules: RulesOption = None,
    profile: ProfileOption = None,
    show: Annotated[
        str | None,
        typer.Option(metavar="N", help=f"Entries of the open list (default: {SHOWN_OPEN})."),
    ] = None,
    as_worksheet: Annotated[
        bool, typer.Option("--worksheet", help="A worksheet to fill in, with an answer key.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the worksheet: .md or .html."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a step.")] = False,
    load: LoadOption = None,
) -> None:
    """Explain a search: why each node was taken, what tied, what other rules would take.

    The open list is shown in the very order in which it will be taken if nothing is added. The
    goal, when it is taken, is the last step. With --worksheet the search becomes an exercise:
    blanks for h, f and the choice at each step, the answers on pages of their own.

    Examples:

    tilewise explain "867 254 3b1" --step 5

    tilewise explain "867 254 3b1" -a greedy -H manhattan

    tilewise explain 1,2,5,3,4,0,6,7,8 --profile columbia

    tilewise explain "125 34b 678" --worksheet -o sheet.html
    """
    for path in load or []:
        load_file(path)
    wanted = numbers.whole("--step", step, most=MOST_STEPS)
    count = numbers.whole("--steps", steps, most=MOST_ON_SHEET if as_worksheet else MOST_STEPS)
    if as_worksheet and (wanted or as_json):
        raise SpecError("expected --worksheet, or --step or --json: not both")
    if output and not as_worksheet:
        raise SpecError("expected --output together with --worksheet")
    if wanted and count:
        raise SpecError("expected --step N for one, or --steps N for the first ones: not both")
    by_hand = worksheet.usual_heuristic
    count = count or (worksheet.DEFAULT_STEPS if as_worksheet else LISTED)
    search = watch(
        board,
        goal=goal,
        algorithm=algorithm,
        heuristic=heuristic or (by_hand(algorithm) if as_worksheet and not profile else None),
        rules=rules,
        profile=profile,
        steps=wanted or count,
        context=shown_tables(),
    )
    if search.status is Status.UNSOLVABLE:
        print(why_unsolvable(search.board, search.goal))
        raise typer.Exit(exit_codes.UNSOLVABLE)
    if as_worksheet:
        _worksheet(search, count, output)
    elif wanted:
        _one(search, wanted, numbers.whole("--show", show, least=0), as_json)
    else:
        _first(search, count, numbers.whole("--show", show, least=0), as_json)


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
