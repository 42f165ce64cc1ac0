"""How `tilewise grade` shows a gradebook and the key of an assignment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tilewise.grading import Assignment, Gradebook, ModelAnswer
from tilewise.grading.reports import TABLE, points_text, reasons

MOST_NOTES = 10
LONGEST_STUDENT = 32
GAP = 2


def page(book: Gradebook, width: int) -> Iterator[str]:
    """The table of a class, and what could not be read."""
    assignment = book.assignment
    students, questions = len(book.students), len(assignment.questions)
    yield (
        f"{assignment.title} ({assignment.course.name}): "
        f"{students:,} student{'s' * (students != 1)}, "
        f"{questions} question{'s' * (questions != 1)}, {_worth(assignment.worth)}"
    )
    yield from _table(book, width)
    notes = [f"{graded.student}: {note}" for graded in book.students for note in graded.notes]
    if notes:
        yield ""
        yield "Files:"
    yield from (f"  {note}" for note in notes[:MOST_NOTES])
    if len(notes) > MOST_NOTES:
        yield f"  and {len(notes) - MOST_NOTES:,} more, in the reports"


def _worth(points: float) -> str:
    return f"{points_text(points)} point{'s' * (points != 1)}"


def _table(book: Gradebook, width: int) -> Iterator[str]:
    """A row a student; the points of each question as far as there is room."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    questions = book.assignment.questions
    rows = [
        [
            _cut(graded.student),
            points_text(graded.points),
            *(points_text(graded.points_for(question.name)) for question in questions),
        ]
        for graded in book.students
    ]
    titles = ["student", "points", *(question.name for question in questions)]
    rows.append(
        ["of", points_text(book.assignment.worth), *(points_text(q.worth) for q in questions)]
    )
    needed = [max(len(row[at]) for row in [titles, *rows]) + GAP for at in range(len(titles))]
    shown = len(titles) if sum(needed) - GAP <= width else 2
    console = Console(width=max(width, sum(needed[:shown])), highlight=False, markup=False)
    table = Table(box=SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False, show_edge=False)
    for at, title in enumerate(titles[:shown]):
        table.add_column(title, justify="right" if at else "left", no_wrap=True)
    for row in rows[:-1]:
        table.add_row(*row[:shown])
    table.add_section()
    table.add_row(*rows[-1][:shown])
    with console.capture() as captured:
        console.print(table)
    yield from (line.rstrip() for line in captured.get().rstrip("\n").split("\n"))
    if shown < len(titles):
        yield f"{len(questions)} columns do not fit: {TABLE} has the points of each question"


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_STUDENT else f"{name[: LONGEST_STUDENT - 4]} ..."


def objects(book: Gradebook) -> Iterator[dict[str, object]]:
    """One object per student."""
    for graded in book.students:
        yield {
            "student": graded.student,
            "points": graded.points,
            "of": book.assignment.worth,
            "marks": [
                {
                    "question": mark.question,
                    "item": mark.item,
                    "points": mark.points,
                    "of": mark.worth,
                    "reason": mark.reason,
                }
                for mark in graded.marks
            ],
            "lost": reasons(graded),
            "notes": list(graded.notes),
        }


def key_page(assignment: Assignment, found: Mapping[str, ModelAnswer]) -> Iterator[str]:
    """The model answers, and the commands that print them."""
    course = assignment.course
    yield f"{assignment.title} ({course.name}), {_worth(assignment.worth)}"
    for model in found.values():
        question = model.question
        yield ""
        yield (
            f"{question.name}: {question.method} on {course.text(question.board)}, "
            f"{_worth(question.worth)}"
        )
        for item, points in question.points.items():
            yield f"  {item:<12} {points_text(points):>4}  {_expected(assignment, model, item)}"
        yield f"  $ {model.command}"


def _expected(assignment: Assignment, model: ModelAnswer, item: str) -> str:
    number = model.expected(item)
    if number is not None:
        return f"{assignment.course.word(item)} {number:,}"
    moves = model.found.moves
    if item == "path" and moves is not None:
        shown = moves if len(moves) <= 40 else f"{moves[:30]} ... ({len(moves):,} moves)"
        return f"any solution, such as {shown or 'no move at all'}"
    if item == "optimal":
        return f"a solution of {model.optimum} moves"
    if item == "no_solution":
        return f"says that there is none ({model.found.status.value})"
    return "complete, in the course's form"


def key_object(model: ModelAnswer) -> dict[str, object]:
    """A model answer for programs."""
    question = model.question
    return {
        "question": question.name,
        "board": str(question.board),
        "method": question.method,
        "points": question.points,
        "status": model.found.status.value,
        "moves": model.found.moves,
        "length": model.length,
        "optimum": model.optimum,
        "counts": model.found.counts,
        "command": model.command,
        "warning": model.warning,
    }
