"""Students' programs, run on the boards of an assignment; what they print is graded as answers."""

from __future__ import annotations

import os
import re
import shlex
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tilewise.courses.answers import Answer
from tilewise.errors import SpecError, shortened, visible
from tilewise.files import open_plain, temporary_folder
from tilewise.grading.assignment import Assignment, Question
from tilewise.grading.containment import BOARD, Boundaries, Ran, check, run
from tilewise.grading.matching import read_document
from tilewise.grading.submissions import DEEPEST, MOST_FILES, Document, handed_in

PLACES = ("file", "board", "method", "input")
"""What a command may name in braces."""
PROGRAMS = (".py", ".java", ".jar", ".js", ".ts", ".rb", ".lua", ".pl", ".sh", ".c", ".cpp", ".go")
"""The endings by which a program is found among other files."""
_PLACE = re.compile(r"\{(\w*)\}")


@dataclass
class RanPrograms:
    """What came of one student's program: answers by question, what it printed, notes."""

    answers: dict[str, Answer] = field(default_factory=dict)
    printed: dict[str, Ran] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Programs:
    """How programs are run.

    `command` is a line such as `python3 {file} {method} {board}`: `{file}` is the student's
    program, `{board}` the board and `{input}` a file with it, which is the standard input as well.
    `program` is the name of the program's file, needed where a student hands in several. `collect`
    is a file that the program writes and that counts as printed.
    """

    command: str
    program: str = ""
    collect: str = ""
    boundaries: Boundaries = field(default_factory=Boundaries)
    readable: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.words()
        for name in (self.program, self.collect):
            if name and (Path(name).name != name or name.startswith("-")):
                raise SpecError(f"expected the name of a file, got {shortened(name)}")
        for place in self.readable:
            if not Path(place).is_absolute() or not Path(place).is_dir():
                raise SpecError(f"expected the full path of a folder, got {shortened(place)}")

    def words(self) -> list[str]:
        """The words of the command, its places not yet filled in."""
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            shown = shortened(self.command)
            raise SpecError(f"expected a command line, got {shown}: {error}") from None
        for name in _PLACE.findall(self.command):
            if name not in PLACES:
                known = ", ".join(f"{{{place}}}" for place in PLACES)
                raise SpecError(f"expected {known} in the command, got {{{name}}}")
        if not words:
            raise SpecError("expected a command such as python3 {file} {board}, got nothing")
        return words

    def run_all(self, assignment: Assignment, folder: Path) -> Iterator[tuple[str, RanPrograms]]:
        """Run the program of every student on every board.

        Raises:
            ContainmentError: Programs cannot be contained here; none is run then.
        """
        check()
        for student, entries in handed_in(folder, assignment.policy.name_ends):
            yield visible(student), self._run_student(assignment, entries)

    def _run_student(self, assignment: Assignment, entries: list[os.DirEntry[str]]) -> RanPrograms:
        found = RanPrograms()
        with temporary_folder("tilewise-run-") as place:
            place.chmod(0o755)  # inside it is read by nobody
            files = place / "files"
            files.mkdir(mode=0o755)
            copy = _Copy(files, int(assignment.policy.megabytes * 2**20), found.notes)
            for entry in entries:
                copy.take(entry, files, 1)
            program = self._program(files, found.notes)
            if program is None:
                return found
            for question in assignment.questions:
                self._run_question(assignment, question, program, place, found)
        return found

    def _program(self, files: Path, notes: list[str]) -> str | None:
        """The file of the program: the one that is named, or the only one there is."""
        names = sorted(each.name for each in files.iterdir() if each.is_file())
        if self.program:
            if self.program in names:
                return self.program
            notes.append(f"expected a file {self.program}, got none of that name")
            return None
        likely = [name for name in names if Path(name).suffix.lower() in PROGRAMS]
        if len(likely) == 1:
            return likely[0]
        came = ", ".join(map(visible, likely[:5])) or "none"
        notes.append(f"expected one program, got {came} (--program NAME)")
        return None

    def _run_question(
        self,
        assignment: Assignment,
        question: Question,
        program: str,
        place: Path,
        found: RanPrograms,
    ) -> None:
        course = assignment.course
        board = place / "board.txt"
        board.write_text(question.board.to(course.grading.notation) + "\n", encoding="utf-8")
        board.chmod(0o644)
        values = {
            "file": program,
            "board": course.text(question.board),
            "method": question.method,
            "input": BOARD,
        }
        words = [_PLACE.sub(lambda name: values[name[1]], word) for word in self.words()]
        ran = run(
            words,
            place / "files",
            board,
            self.boundaries,
            typed=board.read_text(encoding="utf-8"),
            collect=self.collect,
            readable=self.readable,
        )
        found.printed[question.name] = ran
        if ran.ending:
            found.notes.append(f"{question.name}: the program {_with_reason(ran)}")
        answers, _ = read_document(assignment, Document(question.name, ran.output))
        if not answers:
            found.notes.append(f"{question.name}: no answer in what the program printed")
            return
        answer = answers[0]
        answer.understand(assignment.policy.moves)
        if answer.board not in (None, question.board):
            answer.moves = None
            answer.path_fault = f"it is about another board, {course.text(answer.board)}"
        found.answers[question.name] = answer


def _with_reason(ran: Ran) -> str:
    """How a program ended, with the last line of its errors."""
    last = (ran.errors.strip().splitlines() or [""])[-1]
    return f"{ran.ending}{f': {shortened(visible(last), 80)}' if last else ''}"


class _Copy:
    """Copies what a student handed in: plain files only, no links, within bounds."""

    def __init__(self, root: Path, most_bytes: int, notes: list[str]) -> None:
        self._root, self._left, self._notes = root, most_bytes, notes
        self._seen = 0

    def take(self, entry: os.DirEntry[str], target: Path, depth: int) -> None:
        """Copy a file, or what is in a folder."""
        self._seen += 1
        name = visible(entry.name)
        if self._seen > MOST_FILES or depth > DEEPEST:
            if self._seen == MOST_FILES + 1:
                self._notes.append(f"more than {MOST_FILES} files: the rest was not copied")
            return
        try:
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                self._notes.append(f"{name}: a symbolic link, which was not followed")
            elif stat.S_ISDIR(mode):
                inner = target if depth == 1 else target / entry.name
                inner.mkdir(mode=0o755, exist_ok=True)
                with os.scandir(entry.path) as inside:
                    for each in sorted(inside, key=lambda one: one.name):
                        self.take(each, inner, depth + 1)
            elif stat.S_ISREG(mode):
                self._file(entry, target / entry.name, mode)
            else:
                self._notes.append(f"{name}: no regular file, which was not copied")
        except OSError as error:
            self._notes.append(f"{name}: could not be copied: {error.strerror}")

    def _file(self, entry: os.DirEntry[str], target: Path, mode: int) -> None:
        with open_plain(entry.path) as file:
            data = file.read(self._left + 1)
        if len(data) > self._left:
            self._notes.append(f"{visible(entry.name)}: too large, not copied")
            return
        self._left -= len(data)
        target.write_bytes(data)
        target.chmod(0o755 if mode & stat.S_IXUSR else 0o644)
