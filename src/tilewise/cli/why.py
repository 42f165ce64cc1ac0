"""`tilewise why`: which rules are behind a count of nodes?"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence

import click

from tilewise.cli import commands, exit_codes, interrupts, render
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Whole
from tilewise.cli.progress import WorkLine
from tilewise.core.limits import Limits
from tilewise.courses import course_named
from tilewise.courses.course import Course, Method
from tilewise.courses.running import run_course
from tilewise.diagnosis.findings import MOST_COUNTED
from tilewise.diagnosis.why import (
    Diagnosis,
    DiagnosisInterrupted,
    Explanation,
    Observation,
    diagnose,
)
from tilewise.errors import SpecError
from tilewise.puzzle.parity import explain
from tilewise.puzzle.position import GOAL_MARK, Position, board_text, read_position, text_for

SHOWN = 8
NARROWEST = 40
PATIENCE = 60.0
OWN_PATIENCE, OWN_SHARE = 10.0, 0.25
"""Seconds for the search of the course that is named, but no more than this share of --seconds."""


@commands.command()
@click.argument(
    "boards",
    nargs=-1,
    required=True,
    metavar="BOARD...",
    help="In any notation, one for each count.",
)
@click.option(
    "--count",
    "-n",
    multiple=True,
    required=True,
    metavar="N",
    type=Whole(0, MOST_COUNTED),
    help="What your program counted.",
)
@click.option(
    "--counter",
    multiple=True,
    metavar="NAME",
    help="What it counts: expanded, generated, stored or max_frontier. Without it, each of the "
    "first three is tried.",
)
@shared.algorithm(help="If you know which you use.")
@shared.heuristic(help="If you know which you use.")
@shared.goal()
@shared.profile(help="The course of your program: a name or a file. Its count is shown beside.")
@click.option(
    "--all", "everything", is_flag=True, help="Show all explanations, each with its counterexample."
)
@shared.seconds(default=PATIENCE, help="End after S seconds with what was found.")
@click.option(
    "--processes",
    metavar="N",
    type=Whole(most=64),
    help="Processes to share the work; one per core by default.",
)
@shared.as_json()
@shared.load(expose_value=True)
def why(
    boards: tuple[str, ...],
    count: tuple[int, ...],
    counter: tuple[str, ...],
    algorithm: str | None,
    heuristic: str | None,
    goal: str,
    profile: str | None,
    everything: bool,
    seconds: float,
    processes: int | None,
    as_json: bool,
    load: tuple[str, ...],
) -> int:
    """Find the rules behind a count of nodes.

    All orders of successors, ties, rules for duplicates, goal tests,
    counts of the root and the goal, Manhattan and misplaced tiles with
    and without the blank, and the searches of the course profiles are run;
    each stops at 1.2 times the count. Those that give the number are named
    by how far they are from the default, with a proof if they are unsound.

    Several boards with a count each narrow it down. A board with several
    counts, each with its --counter, does so as well.

    The likely rules come first. When the time is over, or at Ctrl-C, what
    was found is shown, and which searches were not tried.

    Exit code: 0 explained, 1 not explained, 2 bad input, 10 unsolvable,
    20 not explained within the time, 130 interrupted.

    Examples:

    tilewise why 8,6,4,2,1,3,5,7,0 --count 1585

    tilewise why "321 574 6b8" --count 524 --counter generated

    tilewise why 1,2,5,3,4,0,6,7,8 --count 10 -a bfs

    tilewise why "312 475 68b" "8b6 547 231" --count 5 --count 1893 -H manhattan

    tilewise why "0 1 3/4 2 5/7 8 6" --count 13 --profile princeton
    """
    course = None
    if profile is not None:
        course = course_named(profile)
        method = course.method(algorithm, heuristic)
        if method.diagnosed is None:
            raise SpecError(f"expected a method that can be diagnosed, got {method.word}")
        algorithm, heuristic = method.diagnosed
        goal = course.goal if goal == "auto" else goal
    positions = [read_position(board, goal) for board in boards]
    observations = _observations(positions, count, counter)
    for each in positions:
        if not each.solvable:
            print(explain(each.board, each.goal))
            return exit_codes.UNSOLVABLE
    line = WorkLine("runs")
    code = None
    interrupts.keep()
    try:
        found = diagnose(
            observations,
            algorithm=algorithm,
            heuristic=heuristic,
            processes=processes,
            seconds=seconds,
            examples=None if everything else SHOWN,
            progress=line.show,
            files=load,
        )
    except DiagnosisInterrupted as interrupted:
        found, code = interrupted.found, exit_codes.INTERRUPTED
    finally:
        line.clear()
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        notes = dict.fromkeys(each.note for each in positions if each.note)
        own = () if course is None or code else _own_counts(course, method, positions, seconds)
        for text in (*notes, *own, *report_lines(found, None if everything else SHOWN)):
            print(text)
    interrupts.keep_nothing()
    return _exit_code(found) if code is None else code


def _own_counts(
    course: Course, method: Method, positions: Sequence[Position], seconds: float
) -> Iterator[str]:
    """What the course's own program counts, in a part of the time again."""
    boards = dict.fromkeys(position.board for position in positions)
    limits = Limits(seconds=min(OWN_PATIENCE, OWN_SHARE * seconds / len(boards)))
    for each in boards:
        result = run_course(course, method, each, limits=limits)
        counts = [
            f"{value:,} {name}"
            for name, value in (
                ("expanded", result.stats.expanded),
                ("generated", method.generated(result)),
            )
            if course.has(name)
        ]
        yield f"{course.name}, {method.word}: {' and '.join(counts)} ({result.status.value})"


def _exit_code(found: Diagnosis) -> int:
    if found.explanations:
        return exit_codes.OK
    return exit_codes.FAILED if found.complete else exit_codes.LIMIT


def _observations(
    positions: Sequence[Position], counts: Sequence[int], counters: Sequence[str]
) -> list[Observation]:
    """A board for each count, or one board for all; a counter for each, one for all, or none."""
    if len(positions) not in (1, len(counts)):
        raise SpecError(
            f"expected one --count for each board, got {len(positions)} boards and {len(counts)}"
        )
    if len(counters) not in (0, 1, len(counts)):
        raise SpecError(
            f"expected one --counter, or one for each --count, got {len(counters)} "
            f"for {len(counts)}"
        )
    names: list[str | None] = [*counters] or [None]
    found = []
    for place, count in enumerate(counts):
        position = positions[place % len(positions)]
        counter = names[place % len(names)]
        found.append(Observation(position.board, count, counter, position.goal))
    return found


def report_lines(found: Diagnosis, shown: int | None) -> Iterator[str]:
    """What was found, for people; at most `shown` explanations."""
    width = max(NARROWEST, render.terminal_width())
    for each, goal, default in zip(found.observations, found.goals, found.default, strict=True):
        name = each.counter or "expanded"
        usual = f"; the default rules give {default:,} {name}" if default is not None else ""
        what = f" {each.counter}" if each.counter else ""
        board = board_text(each.board, goal, one_word=True)
        text = f"{board}, goal {goal.name}: {each.count:,}{what}{usual}"
        yield from _wrap(text, width, "", "  ")
    yield from _compared(found, width)
    yield ""
    if found.explanations:
        yield from _explanations(found, shown, width)
    elif found.complete:
        yield from _nearest(found, width)
    else:
        yield "nothing found until then"


def _compared(found: Diagnosis, width: int) -> Iterator[str]:
    """How many searches were compared, and which were not."""
    if found.complete:
        yield f"{found.runs:,} searches compared"
        return
    yield f"{found.compared:,} of {found.runs:,} searches compared"
    reason = {
        "time": "the time ran out (--seconds)",
        "memory": "the memory ran out (--processes 1 leaves more)",
        "interrupted": "interrupted",
    }[found.ended]
    yield f"{reason}: there may be more explanations"
    if found.left:
        left = "; ".join(f"{who} ({count:,})" for who, count in found.left)
        yield from _wrap(f"not tried: {left}", width, "", "  ")
    untouched = found.observations[found.matched + 1 :]
    if untouched:
        counts = ", ".join(f"{each.count:,}" for each in untouched)
        yield from _wrap(f"not compared yet with the counts {counts}", width, "", "  ")


def _wrap(text: str, width: int, first: str, others: str) -> Iterator[str]:
    """Lines of a text; a board stays whole with its goal, so that it can be copied."""
    mark = f" {GOAL_MARK} "
    lines = textwrap.wrap(
        text.replace(mark, mark.replace(" ", "\0")),
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
        break_long_words=False,
    )
    yield from (line.replace("\0", " ") for line in lines)


def _explanations(found: Diagnosis, shown: int | None, width: int) -> Iterator[str]:
    few = found.explanations[:shown]
    for number, each in enumerate(few, start=1):
        yield from _card(f"{number}.", each, width)
        yield from _wrapped(each.verdict, width)
        yield ""
    more = len(found.explanations) - len(few)
    if more:
        least = found.explanations[len(few)].departures
        farther = f"with {least} departures or more" if least > 1 else "as near"
        yield f"{more:,} more explanations {farther}: --all shows them"
    if found.apart is not None:
        counts = [f"{number:,} ({place})" for place, number in enumerate(found.apart.counts, 1)]
        yield "to tell them apart, count on"
        yield f"  {text_for(found.apart.board, found.apart.goal, one_word=True)}"
        yield from _wrap(", ".join(counts), width, "  ", "  ")
    if found.skipped:
        yield from _wrap(f"not looked for to the end: {'; '.join(found.skipped)}", width, "", "  ")


def _card(number: str, each: Explanation, width: int) -> Iterator[str]:
    far = {0: "the default", 1: "1 departure"}.get(each.departures, f"{each.departures} departures")
    named = f", {each.name}" if each.name and each.departures else ""
    text = f"{number} {each.variant.who}: {each.counter} ({far}{named})"
    yield from _wrap(text, width, "", "   ")
    for part in each.parts:
        yield from _wrapped(part, width)
    if each.rules is not None and not each.variant.blank and each.counting.rule is not None:
        chosen = f"-a {each.algorithm}" + (f" -H {each.heuristic}" if each.heuristic else "")
        yield from _wrapped(f"tilewise solve ... {chosen} --rules {each.rules}", width)


def _wrapped(text: str, width: int) -> Iterator[str]:
    yield from _wrap(text, width, "   ", "     ")


def _nearest(found: Diagnosis, width: int) -> Iterator[str]:
    missed = found.observations[found.matched]
    if found.matched:
        yield f"there are rules for the other counts, but none of them gives {missed.count:,} on"
        yield text_for(missed.board, found.goals[found.matched], one_word=True)
    else:
        yield f"no rule known here gives {missed.count:,}"
    if found.nearest:
        yield ""
        yield "the nearest:"
        for each in found.nearest:
            value = each.counts[found.matched]
            yield from _card(f"{value:,}:" if value is not None else "?", each, width)
