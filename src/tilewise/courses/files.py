"""Courses that are not of the package: by a TOML file, or by a Python file that is named as such.

A TOML file is data. No key of it loads or runs anything, so a stranger's file can be used. A Python
file is a program; it is loaded only where its name is given by the user, never because a file
names it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tilewise.core.rules import add_rule_set
from tilewise.courses import BUILT_IN, COURSES
from tilewise.courses.course import Course
from tilewise.courses.form import course_of, form_of
from tilewise.errors import SpecError, TilewiseError, did_you_mean, shortened, visible
from tilewise.files import read_text
from tilewise.plugins import load_file

LARGEST = 1_000_000
"""Bytes of a course file."""
ATTRIBUTE = "COURSE"
"""The name of the course in a Python file."""


_READ: dict[tuple[str, int], Course] = {}
"""Courses of files that were read, by the file and the time of its last change."""


def read_course(text: str, where: str = "", source: str = "") -> Course:
    """Read a course from the text of a TOML file.

    Args:
        text: The course.
        where: The name of its file, for errors.
        source: The name of its file, for the command lines that name it.

    Raises:
        SpecError: A key is wrong.
        MissingExtraError: pydantic is missing.

    Example:
        >>> course = read_course('''
        ... name = "evening"
        ... title = "An evening course"
        ... goal = "last"
        ... [[methods]]
        ... name = "astar"
        ... algorithm = "astar"
        ... heuristic = "h2"
        ... ''')
        >>> course.usual.heuristic
        'manhattan'
    """
    # late: pydantic takes about 90 ms, and an installation without the extra has none
    from tilewise.courses.course_tables import CourseTable
    from tilewise.toml_models import TomlText, read_model

    table = read_model(CourseTable, TomlText(text, where))
    try:
        return course_of(form_of(table.model_dump(exclude_unset=True)), source)
    except TilewiseError as error:
        raise SpecError(f"{where}: {error}" if where else str(error)) from None


def find_course(name: str, *, folder: Path | None = None, python: bool = False) -> Course:
    """The course that a name or a file means; one of a file is known by its name from then on.

    Args:
        name: The name of a course, or a file that ends in `.toml`; with `python` also `.py`.
        folder: From where the file is seen.
        python: Whether a Python file may be run: only where the user wrote its name.

    Raises:
        SpecError: There is no such course, or the file is wrong.

    Example:
        >>> find_course("columbia").goal
        'first'
    """
    if name in COURSES:
        return COURSES[name]
    suffix = Path(name).suffix.lower()
    path = Path(name) if folder is None else folder / name
    if suffix == ".toml":
        course = _from_toml(path, name)
    elif suffix == ".py" and python:
        course = _from_python(name)
    elif suffix == ".py":
        raise SpecError(
            f"expected the name of a course or a TOML file, got a Python file: {shortened(name)} "
            "(a program is loaded only from the command line)"
        )
    else:
        raise _unknown(name, path)
    return add_course(course)


def _unknown(name: str, path: Path) -> SpecError:
    """No course has the name; a file is named with its ending."""
    file = f"{name}.toml"
    there = bool(path.name) and path.with_name(f"{path.name}.toml").is_file()
    hint = f" (did you mean {shortened(file)}?)" if there else did_you_mean(name, COURSES)
    known = ", ".join(COURSES)
    return SpecError(
        f"expected a profile {known} or a file such as my_course.toml; got {shortened(name)}{hint}"
    )


def add_course(course: Course) -> Course:
    """Make a course known by its name; the names of the package's courses are taken."""
    if course.name in BUILT_IN:
        raise SpecError(
            f"expected a name that no course of tilewise has, got {course.name} in "
            f"{shortened(course.source)}"
        )
    known = COURSES.get(course.name)
    if known is not None and known.source != course.source:
        raise SpecError(
            f"expected courses of different names, got {course.name} in "
            f"{shortened(known.source)} and in {shortened(course.source)}"
        )
    COURSES[course.name] = course
    if course.rule_set == course.name:
        add_rule_set(course.name, course.rules)
    return course


def _from_toml(path: Path, name: str) -> Course:
    try:
        seen = (str(path.resolve()), path.stat().st_mtime_ns) if path.exists() else None
        if seen in _READ:
            return _READ[seen]
        text = read_text(path, LARGEST, "a course file", plain=True)
    except TilewiseError as error:
        raise SpecError(str(error)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        raise SpecError(f"expected a course file, got {shortened(name)}: {error}") from None
    course = read_course(text, where=visible(name), source=str(path))
    if seen is not None:
        _READ[seen] = course
    return course


def _from_python(name: str) -> Course:
    course = getattr(load_file(name), ATTRIBUTE, None)
    if not isinstance(course, Course):
        raise SpecError(
            f"expected a Python file with a Course named {ATTRIBUTE}, got {shortened(name)}"
        )
    return replace(course, source=name)
