"""Grading: students' answer files against a teacher's assignment. No code of students is run."""

from __future__ import annotations

from tilewise.courses.answers import ITEMS
from tilewise.grading.assignment import Assignment, Policy, Question, read_assignment
from tilewise.grading.gradebook import Gradebook, Graded, grade
from tilewise.grading.model_answers import ModelAnswer, answer_key

__all__ = [
    "ITEMS",
    "Assignment",
    "Gradebook",
    "Graded",
    "ModelAnswer",
    "Policy",
    "Question",
    "answer_key",
    "grade",
    "read_assignment",
]
