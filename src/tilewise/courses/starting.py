"""Course files to begin with: a new one in which every key is explained, or a copy of another."""

from __future__ import annotations

import re

from tilewise.courses import BUILT_IN
from tilewise.courses.course import Course
from tilewise.courses.course_tables import NAME
from tilewise.courses.files import LARGEST, find_course
from tilewise.courses.printed_output import FIELDS, MOVE_STYLES, STEP_FIELDS
from tilewise.errors import SpecError, shortened
from tilewise.files import read_text
from tilewise.puzzle import formats

_NAME_KEY = re.compile(r'^name = "[^"\n]*"$', re.MULTILINE)
_NEW = '''\
# A course for tilewise: data, no code. `tilewise course check FILE` runs its examples.
name = "NAME"                    # by this name everything finds it once its file is given
title = "A course of my own"
goal = "last"                    # first, last, snail, or a board such as "1 2 3/8 0 4/7 6 5"
notation = "slidysim"            # how boards are written: NOTATIONS
# shape = "3x3"                  # the only shape that assignments may ask for
rules = "ties=oldest"            # of all methods: a rule set, or knobs (tilewise list rules)
# usual = "astar"                # the method where none is named (default: the first one)
notes = ["ties go to the oldest node"]

# A search for each word of the course: an algorithm of tilewise and its heuristic.
[[methods]]
name = "bfs"
algorithm = "bfs"
title = "Breadth-first search"

[[methods]]
name = "astar"
algorithm = "astar"
heuristic = "manhattan"
title = "A* with Manhattan distance"
aliases = ["A*", "a star"]       # other words that students may use
# rules = "fifo"                 # where they are not those of the course

# What the course's program prints. The same lines read the students' answers.
[output]
solved = """
Moves: {length}
Path: {path}
Nodes expanded: {expanded}"""
unsolvable = "No solution"
limit = "Gave up after {generated} nodes"
moves = "words"                  # the style of {path}: STYLES
moves_of = "blank"               # moves of the blank or of the tile
also = ["Expanded nodes: {expanded}"]            # other spellings that are understood
also_unsolvable = ["cannot be solved"]
# step = "{grid}\\n"              # each board of {boards}: STEP_FIELDS
# cell_width = 1                 # of {grid}
# blank = "0"                    # of {grid}
#
# The fields:
FIELDS

# What an assignment grades if it says nothing else.
[grading]
points = { path = 4, length = 1, expanded = 3 }
tolerance = 0                    # how far a count may be off: nodes, or a share as in "5%"
counts = "profile"               # "sound", "known": also what other rules give
words = { length = "Moves", expanded = "Nodes expanded" }

# What the program must print; ... stands for what changes from run to run.
[[examples]]
board = "1 2 3/4 5 6/0 7 8"
method = "astar"
output = """
Moves: 2
Path: right right
Nodes expanded: 2"""

[[examples]]
board = "1 2 3/4 5 6/8 7 0"
method = "bfs"
output = "No solution"
'''


def starting_text(name: str, model: str | None = None) -> str:
    """The text of a new course file, or of a copy of another course under a new name."""
    if not re.fullmatch(NAME, name):
        raise SpecError(
            "expected a name of letters, digits, - _ * + and . for the course, got "
            f"{shortened(name)} (--name NAME)"
        )
    if name in BUILT_IN:
        raise SpecError(f"expected a name that no course of tilewise has, got {name} (--name NAME)")
    if model is not None:
        return _NAME_KEY.sub(f'name = "{name}"', file_text(model), count=1)
    fields = "\n".join(f"#   {field:<20} {meaning}" for field, meaning in FIELDS.items())
    changes = {
        "NAME": name,
        "NOTATIONS": ", ".join(each.name for each in formats.NOTATIONS),
        "STEP_FIELDS": ", ".join(STEP_FIELDS),
        "STYLES": ", ".join(MOVE_STYLES),
        "FIELDS": fields,
    }
    return re.sub("|".join(changes), lambda found: changes[found[0]], _NEW)


def file_text(name: str) -> str:
    """The file of a course; those of the package have one as far as the form reaches."""
    course: Course = find_course(name)
    return read_text(course.form, LARGEST, "a course file")
