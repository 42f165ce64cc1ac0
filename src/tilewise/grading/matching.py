"""Which answer of a student belongs to which question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tilewise.core.problem import Problem
from tilewise.courses.answers import Answer
from tilewise.errors import MoveError, SpecError, shortened
from tilewise.grading.assignment import Assignment, Question
from tilewise.grading.structured import looks_like_csv, looks_like_json, read_csv, read_json
from tilewise.grading.submissions import Document, Submission

MOST_NOTES = 30
LONGEST_TRIED = 200
"""Moves of a path that are tried on several boards to find out which one it belongs to."""
_WORDS = re.compile(r"[a-z0-9]+")


def read_submission(
    assignment: Assignment, submission: Submission
) -> tuple[dict[str, Answer], list[str]]:
    """The student's answer to each question, by its name, and notes about everything else."""
    notes = list(submission.notes)
    answers: list[Answer] = []
    for document in submission.documents:
        found, trouble = _read(assignment, document)
        for answer in found:
            answer.understand(assignment.policy.moves)
        answers += found
        notes += trouble
    given, unmatched = matched(assignment, answers)
    notes += unmatched
    if len(notes) > MOST_NOTES:
        notes = [*notes[:MOST_NOTES], f"and {len(notes) - MOST_NOTES} more of the kind"]
    return given, notes


def _read(assignment: Assignment, document: Document) -> tuple[list[Answer], list[str]]:
    """The answers of a file in the course's own form, in JSON or in CSV."""
    grading = assignment.course.grading
    trouble: list[str] = []
    if looks_like_json(document.text):
        try:
            answers, notes = read_json(document, grading.read_method)
            if answers:
                return answers, notes
        except SpecError as error:
            trouble = [f"{document.name}: {error}"]
    answers = grading.read_answers(document.name, document.text)
    if answers:
        return answers, []
    if looks_like_csv(document.text):
        answers, notes = read_csv(document, grading.read_method)
        return answers, notes or ([] if answers else [f"{document.name}: no rows with answers"])
    return [], trouble or [f"{document.name}: no answer in a form that is known"]


def matched(
    assignment: Assignment, answers: Sequence[Answer]
) -> tuple[dict[str, Answer], list[str]]:
    """Give each answer to a question: by the name it gives, its board and method, its file's name,
    and the board that its path solves.

    What fits one question only goes first; what fits several is taken in the order of the
    questions. The first answer to a question counts.
    """
    given: dict[str, Answer] = {}
    notes: list[str] = []
    fitting = [(answer, _fitting(assignment, answer)) for answer in answers]
    for answer, fits in fitting:
        if not fits:
            notes.append(f"{answer.place}: {_misfit(answer)}")
        elif len(fits) == 1:
            if fits[0].name in given:
                notes.append(
                    f"{answer.place}: a second answer to {fits[0].name}; the first one counts"
                )
            given.setdefault(fits[0].name, answer)
    for answer, fits in fitting:
        if len(fits) > 1:
            free = [question for question in fits if question.name not in given]
            if free:
                given[free[0].name] = answer
            else:
                notes.append(f"{answer.place}: an answer more than there are questions for it")
    return given, notes


def _fitting(assignment: Assignment, answer: Answer) -> list[Question]:
    questions = assignment.questions
    if answer.question is not None:
        name = answer.question.lower()
        fits = [question for question in questions if question.name.lower() == name]
        if fits or answer.board is None:
            return fits
    fits = [
        question
        for question in questions
        if answer.board in (None, question.board) and answer.method in (None, question.method)
    ]
    for attribute in ("name", "method"):
        named = [each for each in fits if _inside(getattr(each, attribute), answer.file)]
        if named:
            fits = named
            break
    if len(fits) > 1 and answer.board is None:
        return [each for each in fits if _solves(assignment, each, answer.moves)] or fits
    return fits


def _solves(assignment: Assignment, question: Question, moves: str | None) -> bool:
    """Whether a path, if it is short enough to try, leads from the board to the goal."""
    if not moves or len(moves) > LONGEST_TRIED:
        return False
    problem = Problem(question.board, assignment.course.goal_for(question.board))
    try:
        return problem.replay(moves) == problem.goal
    except MoveError:
        return False


def _inside(name: str, file: str) -> bool:
    """Whether the words of a name stand in a row among those of a file's name."""
    part, whole = _WORDS.findall(name.lower()), _WORDS.findall(file.lower())
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def _misfit(answer: Answer) -> str:
    if answer.question is not None:
        return f"an answer to {shortened(answer.question, 40)}, which is no question"
    what = "a board that is not asked for" if answer.board else "a method that is not asked for"
    shown = f": {answer.board}" if answer.board else ""
    return f"{what}{shown}{f' by {answer.method}' if answer.method and answer.board else ''}"
