"""Files are written atomically and read with a limit.

A name always refers to a complete file, the old or the new one. No reader takes more of a file
than its limit, so that an endless one such as /dev/zero is refused like any that is too large.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from tilewise.errors import TilewiseError, shortened

_PLAIN_ONLY = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_unfinished: set[Path] = set()
"""Files and folders that are not to be left behind, whatever ends the process."""
_KINDS = (
    (stat.S_ISLNK, "a link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def write_file(path: str | Path, content: str | bytes, *, follow_links: bool = True) -> None:
    """Write a whole file; text is written as UTF-8 with its line ends as they are.

    An OSError names the file that was wanted; `explained` turns it into one of ours.
    """
    with replacing(Path(path), follow_links=follow_links) as unfinished:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def replacing(
    path: Path, *, follow_links: bool = True, temporary: str = "", sync: bool = False
) -> Iterator[Path]:
    """A name to write to; what stands there gets the wanted name when the block ends well.

    The new file lies beside the wanted one, under a random name or the `temporary` one, and has
    the mode of the file that it replaces. A link stays and its target is replaced, unless links
    are not followed: then the link is replaced. A device such as /dev/null is written directly.
    With `sync` the new name is on the disk when the block is left.
    """
    target = resolved(path) if follow_links else path
    if target.is_dir() and not (target.is_symlink() and not follow_links):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if follow_links and is_device(target):
        yield target
        return
    unfinished = target.with_name(temporary or f".tilewise-{os.urandom(6).hex()}.tmp")
    _unfinished.add(unfinished)
    try:
        yield unfinished
        if target.is_file() and not target.is_symlink():
            unfinished.chmod(stat.S_IMODE(target.stat().st_mode))
        unfinished.replace(target)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(unfinished):
            error.filename = str(path)  # the name that the caller knows
            error.filename2 = None
        raise
    finally:
        _unfinished.discard(unfinished)
    if sync:
        _sync_folder(target.parent)


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """A folder that is removed with all that is in it when the block is left."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix=prefix) as name:
        _unfinished.add(Path(name))
        try:
            yield Path(name)
        finally:
            _unfinished.discard(Path(name))


def remove_unfinished() -> None:
    """Remove what is half written, for a process that ends without leaving its blocks."""
    for path in list(_unfinished):
        with suppress(OSError):
            if path.is_dir():
                import shutil

                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def resolved(path: str | Path) -> Path:
    """Where a name leads, through all links; links in a circle are an OSError in every Python."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def version_of(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is replaced or written to; None where there is no file."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def check_writable(path: str | Path) -> None:
    """Refuse a name that cannot be written, before long work is done for it."""
    text, file = str(path), Path(path)
    if not text:
        raise TilewiseError("expected the name of a file to write, got ''")
    with explained(path):
        with suppress(FileNotFoundError):
            file.lstat()  # fails for a name that no file can have
        if text.endswith(("/", os.sep)) or file.is_dir():
            raise TilewiseError(f"expected a file to write, got a folder: {shortened(text)}")
        if file.exists() and not os.access(file, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if not is_device(file):
            beside = resolved(file).with_name(f".tilewise-{os.urandom(6).hex()}.tmp")
            beside.touch(exist_ok=False)
            beside.unlink()


def is_device(path: Path) -> bool:
    """Whether the name is there but no plain file, such as /dev/null or a pipe."""
    return path.exists() and not path.is_file()


@contextmanager
def explained(path: str | Path) -> Iterator[None]:
    """Turn what the system says about a file that is written into one line."""
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, TilewiseError):
            raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise TilewiseError(f"cannot write {shortened(str(path))}: {reason}") from None


def _sync_folder(folder: Path) -> None:
    """Make sure that new names in a folder survive a power cut, where the system can."""
    if sys.platform != "win32":
        with suppress(OSError):
            number = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(number)
            finally:
                os.close(number)


def read_text(path: str | Path, most: int, what: str, *, plain: bool = False) -> str:
    """The text of a whole file in UTF-8, of at most that many bytes.

    `what` is for errors, with its article: "a TOML file". `plain`: a pipe or a device in its place
    is refused; the other end of a pipe may never come.
    """
    try:
        with open_plain(os.path.realpath(path)) if plain else Path(path).open("rb") as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise TilewiseError(
                f"expected {what} of at most {most:,} bytes, got more: {shortened(str(path))}"
            )
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TilewiseError(
            f"expected a UTF-8 text file, got other bytes: {shortened(str(path))}"
        ) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        if isinstance(error, TilewiseError):
            raise
        reason = getattr(error, "strerror", None) or error
        noun = what.partition(" ")[2]
        raise TilewiseError(
            f"expected a readable {noun}: {reason}: {shortened(str(path))}"
        ) from None


def lines_in(stream: BinaryIO, longest: int) -> Iterator[str]:
    """The lines of UTF-8 text without their ends, which may be LF, CR LF or CR.

    A longer line is cut after `longest` characters and one more, for the caller to refuse. Wrong
    bytes come as lone surrogates, so that the lines before them can still be used: `is_text`.
    """
    text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline=None)
    try:
        while line := text.readline(longest + 2):
            yield line.removesuffix("\n")
    finally:
        with suppress(ValueError):  # closed by its owner meanwhile
            text.detach()


def is_text(line: str) -> bool:
    """Whether a line of `lines_in` was right UTF-8."""
    return line.isascii() or not any("\udc80" <= character <= "\udcff" for character in line)


def kind_of_file(mode: int) -> str | None:
    """What a file is that is no plain file, in words; None for a plain one."""
    if stat.S_ISREG(mode):
        return None
    return next((words for is_kind, words in _KINDS if is_kind(mode)), "something else")


def open_plain(path: str | Path) -> BinaryIO:
    """Open a plain file to read; a link, a pipe or a device in its place is an OSError.

    Nothing is waited for: the other end of a pipe may never come.
    """
    found = kind_of_file(os.lstat(path).st_mode)
    if found is None:
        file = os.fdopen(os.open(path, _PLAIN_ONLY), "rb")
        found = kind_of_file(os.fstat(file.fileno()).st_mode)  # it may have changed meanwhile
        if found is None:
            return file
        file.close()
    raise OSError(errno.EINVAL, f"{found} in place of a file", str(path))
