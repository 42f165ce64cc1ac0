"""A summary for the class: how the points of each question are spread, and what went wrong most."""

from __future__ import annotations

from collections import defaultdict
from statistics import mean, median

from tilewise.grading.gradebook import Gradebook
from tilewise.grading.reports import plain, points_text

SUMMARY = "summary.md"
MOST_MISTAKES = 10


def summary_text(book: Gradebook) -> str:
    """The summary, in Markdown."""
    students, worth = book.students, book.assignment.worth
    totals = [graded.points for graded in students]
    lines = [
        f"# {plain(book.assignment.title)}: the class",
        "",
        f"{len(students):,} students; of {points_text(worth)} points: mean "
        f"{mean(totals):.1f}, median {median(totals):.1f}, least {points_text(min(totals))}, "
        f"most {points_text(max(totals))}",
        "",
        "| question | points | mean | median | all points | some | none | spread |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for question in book.assignment.questions:
        points = [graded.points_for(question.name) for graded in students]
        everything = sum(each >= question.worth for each in points)
        nothing = sum(each == 0 for each in points)
        lines.append(
            f"| {question.name} | {points_text(question.worth)} | {mean(points):.1f} "
            f"| {median(points):.1f} | {everything} | {len(points) - everything - nothing} "
            f"| {nothing} | `{_spread(points, question.worth)}` |"
        )
    lines += ["", "## The commonest mistakes", "", *_mistakes(book)]
    return "\n".join(lines) + "\n"


def _spread(points: list[float], worth: float) -> str:
    """How many students have up to a fifth, two fifths ... and all of the points."""
    bins = [0] * 5
    for each in points:
        share = each / worth if worth else 1
        bins[min(4, int(share * 5))] += 1
    return " ".join(map(str, bins))


def _mistakes(book: Gradebook) -> list[str]:
    """Reasons for lost points, those of most students first, with what the doctor found."""
    who: dict[tuple[str, str], set[str]] = defaultdict(set)
    items: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for graded in book.students:
        for mark in graded.marks:
            if mark.points < mark.worth and mark.reason:
                who[mark.question, mark.reason].add(graded.student)
                items[mark.question, mark.reason][mark.item] = None
    if not who:
        return ["None: nobody lost a point."]
    ranked = sorted(who, key=lambda each: -len(who[each]))[:MOST_MISTAKES]
    return [
        f"- {len(who[each]):,} student{'s' * (len(who[each]) != 1)}, {each[0]} "
        f"({', '.join(items[each])}): {plain(each[1])}"
        for each in ranked
    ]
