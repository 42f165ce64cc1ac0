"""The courses: one package each, one table of all of them.

A course says in its package what it is: goal, rules, searches, words, transcripts, how it is
graded. Its searches are run by `tilewise.courses.running.run_course`. Where the five knobs can say
what matters, its rules are a rule set of its name.
"""

from __future__ import annotations

from tilewise.core.rules import add_rule_set, refuse_rule_set
from tilewise.courses import aima, columbia, cs170, eecs391, npuzzle, princeton
from tilewise.courses.course import Course, Method
from tilewise.errors import SpecError, did_you_mean, shortened

COURSES: dict[str, Course] = {
    course.name: course
    for course in (
        *eecs391.COURSES,
        columbia.COURSE,
        cs170.COURSE,
        princeton.COURSE,
        npuzzle.COURSE,
        aima.COURSE,
    )
}
"""Every version of every course, by the name that `--profile` takes; files add to them."""
BUILT_IN = tuple(COURSES)
"""The names of the courses of the package."""

for _course in COURSES.values():
    if _course.rule_set == _course.name:
        add_rule_set(_course.name, _course.rules)
    else:
        refuse_rule_set(
            _course.name,
            f"the rules nearest to it are {_course.rule_set}; its own search is that of "
            f"`{_course.command.split(' --')[0]}` and of --profile {_course.name}",
        )


def course_named(name: str) -> Course:
    """The course of a name.

    Args:
        name: A name that `--profile` takes.

    Raises:
        SpecError: There is no such course.

    Example:
        >>> course_named("cs170").goal
        'last'
    """
    if name not in COURSES:
        hint = did_you_mean(name, COURSES)
        raise SpecError(f"expected a profile {', '.join(COURSES)}; got {shortened(name)}{hint}")
    return COURSES[name]


def own_search(search: str | None, heuristic: str | None = None) -> tuple[Course, Method] | None:
    """The course and method that a search is, as `Result` names it and its heuristic.

    None for every search that is not a course's own. An unknown heuristic stands for any.
    """
    name = str(search).partition("(")[0]
    found = [
        (course, method)
        for course in COURSES.values()
        for method in course.methods
        if method.own is not None and method.own.name == name
    ]
    if not found:
        return None
    course, method = next((each for each in found if each[1].estimate == heuristic), found[-1])
    option = str(search).removeprefix(name)
    return course, course.with_algorithm(method.algorithm + option)[0] if option else method
