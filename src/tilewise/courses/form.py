"""A course as data: the form in which course files are written, and the course made of it.

The courses of the package have such a file, too; what the form cannot say, as a search of its own,
is added in their packages.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from tilewise import heuristics, search  # noqa: F401  (registers them)
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.made_heuristic import heuristic_name
from tilewise.core.rules import Rules
from tilewise.courses.answers import ITEMS
from tilewise.courses.course import ONE_LINE, Course, Draft, Example, Grading, Method, Output
from tilewise.courses.printed_output import (
    FIELDS,
    MOVE_STYLES,
    STEP_FIELDS,
    UNSOLVED_FIELDS,
    template,
)
from tilewise.courses.reading import OutputReader, read_method
from tilewise.courses.templates import Template
from tilewise.errors import SpecError, TilewiseError, shortened
from tilewise.puzzle import formats
from tilewise.puzzle.board import NAMED_GOALS, Board, Goal

FILE = "course.toml"
"""The file of a course of the package."""
SOLVED = "Solved in {length} moves: {path}\nExpanded: {expanded}\nGenerated: {generated}"
UNSOLVABLE, LIMIT = "No solution", "Stopped at a limit"
STEP = "{grid}\n"
POINTS = {"path": 4.0, "length": 1.0, "expanded": 3.0}
DEPTHS = (6, 10, 14, 18)
"""The depths of the boards of a sample assignment."""


@dataclass(frozen=True)
class MethodForm:
    """A search: the course's word for it, and the algorithm and heuristic of tilewise."""

    name: str
    algorithm: str
    heuristic: str | None = None
    title: str = ""
    aliases: tuple[str, ...] = ()
    rules: str | None = None


@dataclass(frozen=True)
class OutputForm:
    """The templates of the output, and how boards and moves are written in it."""

    solved: str = SOLVED
    unsolvable: str = UNSOLVABLE
    limit: str = LIMIT
    step: str = STEP
    also: tuple[str, ...] = ()
    also_unsolvable: tuple[str, ...] = ()
    moves: str = "letters"
    moves_of: str = "blank"
    cell_width: int = 1
    blank: str = "0"


@dataclass(frozen=True)
class GradingForm:
    """What is asked and graded where an assignment does not say so."""

    points: Mapping[str, float] = field(default_factory=lambda: dict(POINTS))
    tolerance: int | str = 0
    counts: str = "profile"
    words: Mapping[str, str] = field(default_factory=dict)
    sample: tuple[Draft, ...] = ()


@dataclass(frozen=True)
class CourseForm:
    """A whole course file."""

    name: str
    title: str
    goal: str
    methods: tuple[MethodForm, ...]
    notation: str = "slidysim"
    shape: str | None = None
    usual: str | None = None
    rules: str = "default"
    notes: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    output: OutputForm = field(default_factory=OutputForm)
    grading: GradingForm = field(default_factory=GradingForm)
    examples: tuple[Example, ...] = ()


def form_of(table: Mapping[str, Any]) -> CourseForm:
    """The form of the tables of a file, whose keys and types were checked or are the package's."""
    grading = dict(table.get("grading", {}))
    grading["sample"] = tuple(Draft(**_tuples(each)) for each in grading.get("sample", ()))
    settings = {
        **_tuples(table),
        "methods": tuple(MethodForm(**_tuples(each)) for each in table["methods"]),
        "output": OutputForm(**_tuples(table.get("output", {}))),
        "grading": GradingForm(**grading),
        "examples": tuple(Example(**each) for each in table.get("examples", ())),
    }
    return CourseForm(**settings)


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def packaged(module_file: str, name: str = FILE) -> Course:
    """The course of a package, from the file beside a module of it."""
    path = Path(module_file).with_name(name)
    text = path.read_text(encoding="utf-8")
    return replace(course_of(form_of(tomllib.loads(text))), form=str(path))


def course_of(form: CourseForm, source: str = "") -> Course:
    """The course that a form describes; an error names the key that is wrong."""
    shape = _shape(form.shape)
    shape = with_key("goal", partial(_shape_for, form.goal, shape))
    with_key("notation", partial(formats.notation, form.notation))
    rules = with_key("rules", partial(_rules, form.rules))
    methods = tuple(method_of_form(each) for each in form.methods)
    names = [each.name.lower() for each in methods]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"methods: expected different names, got {name} twice")
    output = _output(form.output)
    usual = form.usual or methods[0].name
    if usual not in [each.name for each in methods]:
        known = ", ".join(each.name for each in methods)
        raise SpecError(f"usual: expected one of the methods {known}; got {usual!r}")
    course = Course(
        name=form.name,
        about=form.title,
        command=f"tilewise course run {shlex.quote(source or form.name)}",
        goal=form.goal,
        heuristics={each.name: each.heuristic for each in methods if each.heuristic},
        differences=form.notes,
        methods=methods,
        usual=next(each for each in methods if each.name == usual),
        rule_set=form.rules if form.rules.isalnum() else form.name,
        rules=rules,
        counters=form.counters,
        shape=None,
        any_goal=True,
        output=output,
        examples=form.examples,
        source=source,
        form=source,
        grading=Grading(
            methods=_either([each.name for each in methods]),
            read_method=partial(read_method, methods),
            read_answers=OutputReader(output, methods, shape).answers,
            command=partial(_command_line, source or form.name),
            words=dict(form.grading.words),
            notation=form.notation,
            sample=form.grading.sample or _sample(form),
            shape=shape,
            points=dict(form.grading.points),
            tolerance=form.grading.tolerance,
            counts=form.grading.counts,
        ),
    )
    for number, draft in enumerate(form.grading.sample, start=1):
        with_key(f"grading, sample {number}", partial(_check_draft, course, draft))
    for number, example in enumerate(form.examples, start=1):
        with_key(f"example {example.name or number}", partial(_check_example, course, example))
    return course


def with_key(key: str, make: Any) -> Any:
    """What a function gives; an error of it begins with the key that it is about."""
    try:
        return make()
    except TilewiseError as error:
        raise SpecError(f"{key}: {error}") from None


def _shape_for(goal: str, shape: tuple[int, int] | None) -> tuple[int, int] | None:
    """The only shape that assignments may ask for; a goal that is a board has its own."""
    if goal in NAMED_GOALS:
        return shape
    if goal.isalpha():
        Goal.named(goal, 3, 3)  # raises, and names those that there are
    board = Board.parse(goal)
    if shape is not None and (board.rows, board.columns) != shape:
        raise SpecError(f"expected a {shape[0]}x{shape[1]} goal, got {board.shape}")
    return board.rows, board.columns


def _check_example(course: Course, example: Example) -> None:
    with_key("board", partial(Board.parse, example.board))
    if course.grading.read_method(example.method) is None:
        raise SpecError(f"method: expected {course.grading.methods}, got {example.method!r}")


def _check_draft(course: Course, draft: Draft) -> None:
    if course.grading.read_method(draft.method) is None:
        raise SpecError(f"method: expected {course.grading.methods}, got {draft.method!r}")
    try:
        points = tomllib.loads(f"points = {{ {draft.points} }}")["points"]
    except tomllib.TOMLDecodeError:
        points = {}
    if not points or any(
        item not in ITEMS or isinstance(worth, bool) or not isinstance(worth, int | float)
        for item, worth in points.items()
    ):
        raise SpecError(
            f"points: expected points such as path = 4, length = 1, got {shortened(draft.points)}"
        )


def _shape(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    rows, _, columns = text.partition("x")
    return int(rows), int(columns)


def _rules(text: str) -> Rules:
    """The rules; as those of a course they leave a queue or a stack its own order."""
    return replace(Rules.parse(text), given=frozenset())


def method_of_form(form: MethodForm) -> Method:
    """The method that a form describes; an error names the key that is wrong."""

    def made() -> Method:
        configured = with_key("algorithm", partial(build_algorithm, form.algorithm))
        heuristic = form.heuristic
        if heuristic is None and configured.entry.needs_heuristic:
            heuristic = str(configured.entry.default_heuristic)
        if heuristic is not None and not configured.entry.needs_heuristic:
            raise SpecError(f"heuristic: expected none for {form.algorithm}, got {heuristic!r}")
        if heuristic is not None:
            heuristic = with_key("heuristic", partial(heuristic_name, heuristic))
        rules = None if form.rules is None else with_key("rules", partial(Rules.parse, form.rules))
        return Method(
            name=form.name,
            algorithm=configured.spec,
            heuristic=heuristic,
            estimate=heuristic,
            title=form.title,
            diagnosed=(configured.spec, heuristic),
            rules=rules,
            aliases=form.aliases,
        )

    method: Method = with_key(f"method {form.name}", made)
    return method


def _output(form: OutputForm) -> Output:
    def made(key: str, text: str, known: Any) -> Any:
        return with_key(f"output, {key}", partial(template, text, known))

    if form.moves not in MOVE_STYLES:
        styles = ", ".join(MOVE_STYLES)
        raise SpecError(f"output, moves: expected {styles}; got {form.moves!r}")
    return Output(
        solved=made("solved", form.solved, FIELDS),
        unsolvable=made("unsolvable", form.unsolvable, UNSOLVED_FIELDS),
        limit=made("limit", form.limit, UNSOLVED_FIELDS),
        step=with_key("output, step", partial(_step, form.step)),
        also=tuple(made("also", text, FIELDS) for text in form.also),
        also_unsolvable=form.also_unsolvable,
        moves=form.moves,
        moves_of=form.moves_of,
        cell_width=form.cell_width,
        blank=form.blank,
    )


def _step(text: str) -> Template:
    return Template.parsed(text, tuple(STEP_FIELDS))


def _sample(form: CourseForm) -> tuple[Draft, ...]:
    """A question for each of the first methods, and a board that cannot be solved."""
    points = ", ".join(f"{item} = {worth:g}" for item, worth in form.grading.points.items())
    methods = form.methods[: len(DEPTHS)]
    drafts = [
        Draft(method.name, depth, points) for method, depth in zip(methods, DEPTHS, strict=False)
    ]
    return (*drafts, Draft(methods[0].name, None, "no_solution = 5"))


def _command_line(name: str, board: Board, method: Method, max_nodes: int | None) -> str:
    limit = f" --max-nodes {max_nodes}" if max_nodes else ""
    word = f'"{method.word}"' if " " in method.word else method.word
    return f'tilewise course run {shlex.quote(name)} {word} "{board.to(ONE_LINE)}"{limit}'


def _either(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
