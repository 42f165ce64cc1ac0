"""Reads students' files as untrusted data: limited in size, never run.

Only regular files are opened, without following symbolic links, and of each student at most a
fixed number of bytes, files and folders is read. A note says what is left out.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from tilewise.errors import TilewiseError, shortened, visible
from tilewise.files import kind_of_file, open_plain

MOST_STUDENTS = 10_000
MOST_ENTRIES = 100 * MOST_STUDENTS
MOST_FILES = 200
"""Files and folders of one student that are looked at."""
DEEPEST = 6
"""The deepest level of folders that is read."""
_LIKELY = ("", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".log", ".out", ".md")
_REPARSE_POINT = 0x400  # a junction of Windows, which leads elsewhere as a link does


class FolderError(TilewiseError):
    """The folder with the answers cannot be read, or the folder for the grades not be written."""


@dataclass(frozen=True)
class Document:
    """The text of a file, and its name below the student's folder, with escapes."""

    name: str
    text: str


@dataclass
class Submission:
    """What one student handed in, and what could not be read of it."""

    student: str
    documents: list[Document] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def submissions(folder: Path, megabytes: float, name_ends: str = "") -> Iterator[Submission]:
    """What each student handed in, sorted by name.

    A student is a sub-folder, or the files in the folder itself whose names differ in their
    endings only; `ann.txt`, `ann.csv` and what is in `ann/` all belong to ann. With `name_ends`,
    as in "_", also `ann_q1.txt` and `ann_q2.txt` do. Hidden files are left out.
    """
    for student, entries in handed_in(folder, name_ends):
        reader = _SubmissionReader(visible(student), int(megabytes * 2**20))
        for entry in sorted(entries, key=_likely_first):
            reader.take(entry, "", 1)
        yield reader.finished()


def handed_in(folder: Path, name_ends: str = "") -> Iterator[tuple[str, list[os.DirEntry[str]]]]:
    """The files and folders of each student, sorted by name."""
    by_student: dict[str, list[os.DirEntry[str]]] = {}
    for entry in _entries(folder):
        if not entry.name.startswith("."):
            by_student.setdefault(_student_of(entry, name_ends), []).append(entry)
        if len(by_student) > MOST_STUDENTS:
            raise FolderError(
                f"expected at most {MOST_STUDENTS:,} students, got more in {shortened(str(folder))}"
            )
    for student in sorted(by_student):
        yield student, by_student[student]


def last_changes(folder: Path, name_ends: str = "") -> dict[str, float]:
    """When the files of each student were changed last, in seconds since 1970."""
    return {
        visible(student): max(
            (_last_change(entry, [MOST_FILES], 1) for entry in entries), default=0
        )
        for student, entries in handed_in(folder, name_ends)
    }


def _last_change(entry: os.DirEntry[str], left: list[int], depth: int) -> float:
    left[0] -= 1
    try:
        if left[0] < 0 or depth > DEEPEST:
            return 0.0
        if not entry.is_dir(follow_symlinks=False):
            return entry.stat(follow_symlinks=False).st_mtime
        with os.scandir(entry.path) as inside:
            return max((_last_change(each, left, depth + 1) for each in inside), default=0.0)
    except OSError:
        return 0.0


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            found = list(islice(entries, MOST_ENTRIES + 1))
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        reason = getattr(error, "strerror", None) or error
        raise FolderError(
            f"expected a folder with answers, got {shortened(str(folder))}: {reason}"
        ) from None
    if len(found) > MOST_ENTRIES:
        raise FolderError(
            f"expected at most {MOST_ENTRIES:,} files and folders, got more in "
            f"{shortened(str(folder))}"
        )
    return found


def _student_of(entry: os.DirEntry[str], name_ends: str) -> str:
    if entry.is_dir(follow_symlinks=False):
        return entry.name
    stem = Path(entry.name).stem
    return (stem.partition(name_ends)[0] if name_ends else stem) or stem


def _likely_first(entry: os.DirEntry[str]) -> tuple[bool, bool, str]:
    """The order of reading: what looks like an answer before programs, and folders last."""
    likely = Path(entry.name).suffix.lower() in _LIKELY
    return entry.is_dir(follow_symlinks=False), not likely, entry.name


class _SubmissionReader:
    """Reads the files of one student until the bounds are reached."""

    def __init__(self, student: str, most_bytes: int) -> None:
        self._found = Submission(student)
        self._left = most_bytes
        self._most = most_bytes
        self._seen = 0

    def finished(self) -> Submission:
        """Everything that was read; a note if there was nothing."""
        if not self._found.documents and not self._found.notes:
            self._found.notes.append("no files were handed in")
        return self._found

    def take(self, entry: os.DirEntry[str], above: str, depth: int) -> None:
        """Read a file, or a folder and what is in it."""
        name = visible(f"{above}{entry.name}")
        self._seen += 1
        if self._seen > MOST_FILES:
            if self._seen == MOST_FILES + 1:
                self._note(f"more than {MOST_FILES} files and folders: the rest was not looked at")
            return
        try:
            status = entry.stat(follow_symlinks=False)
            if _is_link(status):
                self._note(f"{name}: a symbolic link, which was not followed")
            elif stat.S_ISDIR(status.st_mode):
                # the student's own folder need not be named
                self._folder(entry, name, f"{above}{entry.name}/" if depth > 1 else "", depth)
            elif not stat.S_ISREG(status.st_mode):
                kind = kind_of_file(status.st_mode)
                self._note(f"{name}: no regular file but {kind}, which was not opened")
            else:
                self._file(entry.path, name)
        except (OSError, ValueError) as error:
            self._note(f"{name}: could not be read: {getattr(error, 'strerror', None) or error}")

    def _folder(self, entry: os.DirEntry[str], name: str, path: str, depth: int) -> None:
        if depth > DEEPEST:
            self._note(f"{name}: more than {DEEPEST} folders deep, which was not looked into")
            return
        with os.scandir(entry.path) as entries:
            visible_ones = (each for each in entries if not each.name.startswith("."))
            inside = list(islice(visible_ones, MOST_FILES + 1))
        for each in sorted(inside, key=_likely_first):
            self.take(each, path, depth + 1)

    def _file(self, path: str, name: str) -> None:
        data = _first_bytes(path, self._left)
        if len(data) > self._left:
            read = f"only the first {_size(self._left)} were read" if self._left else "not read"
            self._note(f"{name}: {read}, since at most {_size(self._most)} of a student are")
            data = data[: self._left]
            if not data:
                return
        self._left -= len(data)
        text, trouble = _text(data)
        if trouble:
            self._note(f"{name}: {trouble}")
        if text.strip():
            self._found.documents.append(Document(name, text))

    def _note(self, note: str) -> None:
        self._found.notes.append(note)


def _is_link(status: os.stat_result) -> bool:
    attributes: int = getattr(status, "st_file_attributes", 0)
    return stat.S_ISLNK(status.st_mode) or bool(attributes & _REPARSE_POINT)


def _first_bytes(path: str, most: int) -> bytes:
    """At most one byte more than `most`; the file is looked at again once it is open."""
    with open_plain(path) as file:
        return file.read(most + 1)


def _text(data: bytes) -> tuple[str, str | None]:
    """The text of a file, and what is wrong with it."""
    if not data:
        return "", "an empty file"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", errors="replace")
    else:
        text = data.decode("utf-8-sig", errors="replace")
    if "\0" in text:
        return "", "binary data, not a text"
    if not text.strip():
        return "", "an empty file"
    if "\ufffd" in text:
        bad = text.count("\ufffd")
        if bad > len(text) // 10:
            return "", "binary data, not a text"
        return text, "not in UTF-8; the wrong bytes were replaced"
    return text, None


def _size(count: int) -> str:
    if count >= 2**20:
        return f"{count / 2**20:.3g} MB"
    return f"{count:,} bytes"
