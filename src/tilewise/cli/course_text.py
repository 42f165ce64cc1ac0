"""How `tilewise course` shows a course, and what came of its examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tilewise.courses.course import Course, Method, Output
from tilewise.courses.reading import read_back


def check_lines(course: Course, results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each example, and below it the line that differs."""
    wrong = [each for each in results if not each["as_expected"]]
    for each in results:
        verdict = "as expected" if each["as_expected"] else f"line {each['line']} differs"
        yield f"{each['example']}: {each['method']} on {each['board']}: {verdict}"
        if not each["as_expected"]:
            yield f"  expected {each['expected']!r}"
            yield f"  got      {each['got']!r}"
    count = len(results)
    methods = ", ".join(method.name for method in course.methods)
    searches = len(course.methods)
    yield f"{course.name}: {searches} method{'s' * (searches != 1)} ({methods}), goal {course.goal}"
    if not count:
        yield "no [[examples]]: nothing was compared"
    elif wrong:
        yield f"{len(wrong)} of {count} examples differ"
    else:
        yield f"{count} example{'s' * (count != 1)}, all as expected"
    if unread := unread_items(course):
        yield (
            f"output, solved: expected lines with words beside {', '.join(unread)}, by which "
            "answers are read, since they have points; got none"
        )


def unread_items(course: Course) -> list[str]:
    """The items with points that answers in the form of the output could not give."""
    if course.output is None:
        return []
    found = read_back(course.output)
    return [item for item in course.grading.points if item not in found]


def page(course: Course) -> Iterator[str]:
    """A course for people."""
    yield f"{course.name}: {course.about}"
    yield ""
    yield f"goal      {course.goal}"
    yield f"notation  {course.grading.notation}"
    yield f"rules     {course.rules.knobs_text() or 'default'}"
    yield f"command   {course.command}"
    if course.source:
        yield f"file      {course.source}"
    yield ""
    yield "Methods"
    width = max(len(method.name) for method in course.methods) + 2
    for method in course.methods:
        yield f"  {method.name:<{width}}{_search(method)}"
    if course.differences:
        yield ""
        yield "What is special"
        yield from (f"  - {text}" for text in course.differences)
    if course.output is not None:
        yield ""
        yield from _output(course.output)
    points = dict(course.grading.points)
    if points:
        yield ""
        yield f"Graded  {', '.join(f'{item} {worth:g}' for item, worth in points.items())}"


def _search(method: Method) -> str:
    parts = [method.search, method.heuristic or method.estimate or ""]
    if method.rules is not None:
        parts.append(f"rules {method.rules.knobs_text() or 'default'}")
    if method.title:
        parts.append(method.title)
    return ", ".join(part for part in parts if part)


def _output(output: Output) -> Iterator[str]:
    yield "Output"
    yield from (f"  {line}" for line in output.solved.text.split("\n"))
    yield "  without a solution:"
    yield from (f"  {line}" for line in output.unsolvable.text.split("\n"))


def course_object(course: Course) -> dict[str, object]:
    """A course for programs."""
    return {
        "course": course.name,
        "about": course.about,
        "goal": course.goal,
        "notation": course.grading.notation,
        "rules": course.rules.knobs_text() or "default",
        "command": course.command,
        "file": course.source or None,
        "methods": [
            {
                "name": method.name,
                "title": method.title,
                "algorithm": method.spec,
                "heuristic": method.heuristic,
                "rules": None if method.rules is None else method.rules.knobs_text(),
            }
            for method in course.methods
        ],
        "differs": list(course.differences),
        "points": dict(course.grading.points),
        "examples": len(course.examples),
    }
