"""Writes files atomically: a name always refers to a complete file, the old or the new one."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tilewise.errors import TilewiseError, shortened


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
    target = path.resolve() if follow_links else path
    if target.is_dir() and not (target.is_symlink() and not follow_links):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if follow_links and is_device(target):
        yield target
        return
    unfinished = target.with_name(temporary or f".tilewise-{os.urandom(6).hex()}.tmp")
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
    if sync:
        _sync_folder(target.parent)


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
            beside = file.resolve().with_name(f".tilewise-{os.urandom(6).hex()}.tmp")
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
