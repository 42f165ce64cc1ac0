"""Which answer of a student belongs to which question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

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
_NUMBER = re.compile(r"[0-9]{1,4}")
_QUESTION = re.compile(
    r"(question|problem|exercise|task|part|puzzle|board|q|p|ex)?[\s_.#-]*[0-9]{1,4}", re.IGNORECASE
)
"""Names of files that are about one question: "Question 3", "4", "task_02"."""


def read_submission(
    assignment: Assignment, submission: Submission
) -> tuple[dict[str, Answer], list[str]]:
    """The student's answer to each question, by its name, and notes about everything else."""
    notes = list(submission.notes)
    answers: list[Answer] = []
    for document in submission.documents:
        found, trouble = read_document(assignment, document)
        for answer in found:
            answer.understand(assignment.policy.moves)
        answers += found
        notes += trouble
    given, unmatched = matched(assignment, answers)
    notes += unmatched
    if len(notes) > MOST_NOTES:
        notes = [*notes[:MOST_NOTES], f"and {len(notes) - MOST_NOTES} more of the kind"]
    return given, notes


def read_document(assignment: Assignment, document: Document) -> tuple[list[Answer], list[str]]:
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
    in_file = Counter(answer.file for answer in answers)
    fitting = [
        (answer, _fitting(assignment, answer, notes, alone=in_file[answer.file] == 1))
        for answer in answers
    ]
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


def _fitting(
    assignment: Assignment, answer: Answer, notes: list[str], *, alone: bool
) -> list[Question]:
    """The questions that an answer may belong to; a note says where another name was understood.

    `alone`: no other answer is in its file, so that a number in the file's name is that of a
    question.
    """
    questions = assignment.questions
    if answer.question is not None:
        name = answer.question.lower()
        fits = [question for question in questions if question.name.lower() == name]
        if not fits:
            fits, how = _by_content(assignment, answer)
            if fits:
                shown = shortened(answer.question, 40)
                notes.append(f"{answer.place}: {shown} was taken for {fits[0].name}, by its {how}")
        return fits
    fits = [
        question
        for question in questions
        if answer.board in (None, question.board) and answer.method in (None, question.method)
    ]
    if not fits and answer.board is not None and (file := _file_of(questions, answer)):
        shown = assignment.course.text(answer.board)
        answer.moves, answer.path_fault = None, f"it begins with another board, {shown}"
        return [file]
    for attribute in ("name", "method"):
        named = [each for each in fits if _inside(getattr(each, attribute), answer.file)]
        if named:
            fits = named
            break
    if len(fits) == 1 or answer.board is not None:
        return fits
    fits = [each for each in fits if _solves(assignment, each, answer.moves)] or fits
    stem = PurePath(answer.file).stem
    named_so = alone and len(fits) > 1 and _QUESTION.fullmatch(stem)
    numbered = _numbered(fits, stem) if named_so else None
    if numbered is not None:
        notes.append(f"{answer.place}: taken for {numbered.name}, by the number in its name")
        return [numbered]
    if answer.no_solution:
        return [each for each in fits if "no_solution" in each.points] or fits
    return fits


def _numbered(questions: Sequence[Question], text: str) -> Question | None:
    """The question whose name has the only number of a text: q3 for "Question 3"."""
    numbers = _numbers(text)
    fits = [each for each in questions if _numbers(each.name) == numbers]
    return fits[0] if len(numbers) == 1 and len(fits) == 1 else None


def _numbers(text: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(text)]


def _by_content(assignment: Assignment, answer: Answer) -> tuple[list[Question], str]:
    """The question that an answer of an unknown name is about, and by what it was found."""
    questions = assignment.questions
    if answer.board is not None:
        fits = [each for each in questions if each.board == answer.board]
        by_method = [each for each in fits if answer.method in (None, each.method)]
        return (by_method or fits)[:1] if len(by_method or fits) == 1 else [], "board"
    numbers = _numbers(str(answer.question))
    if len(numbers) == 1:
        named = _numbered(questions, str(answer.question))
        if named is not None:
            return [named], "number"
        place = numbers[0]
        if not any(_numbers(each.name) for each in questions):
            return list(questions[place - 1 : place]) if place else [], "number"
    fits = [each for each in questions if _solves(assignment, each, answer.moves)]
    return fits if len(fits) == 1 else [], "path"


def _file_of(questions: Sequence[Question], answer: Answer) -> Question | None:
    """The question that the file of an answer is named after."""
    stem = PurePath(answer.file).stem.lower()
    return next((each for each in questions if each.name.lower() == stem), None)


def _solves(assignment: Assignment, question: Question, moves: str | None) -> bool:
    """Whether a path, if it is short enough to try, leads from the board to the goal."""
    if not moves or len(moves) > LONGEST_TRIED:
        return False
    problem = Problem(question.board, assignment.goal_of(question))
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
