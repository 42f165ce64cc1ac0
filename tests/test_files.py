"""Files that are written whole: through links, with their mode, devices directly."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import HANG_GUARD
from tilewise.errors import TilewiseError
from tilewise.files import check_writable, explained, replacing, write_file


def names(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


def test_a_new_file_holds_the_text_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_file(tmp_path / "new.txt", "Grüße\n")
    assert (tmp_path / "new.txt").read_bytes() == "Grüße\n".encode()
    assert names(tmp_path) == ["new.txt"]


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "run.sh"
    file.write_text("old")
    file.chmod(0o750)
    write_file(file, b"new")
    assert file.read_bytes() == b"new" and stat.S_IMODE(file.stat().st_mode) == 0o750


def test_links_in_a_circle_are_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"):
        write_file(tmp_path / "a", "text")
    with pytest.raises(TilewiseError, match=r"cannot write .*symbolic links"):
        check_writable(tmp_path / "b")
    assert sorted(names(tmp_path)) == ["a", "b"]


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_file(link, "new")
    assert link.is_symlink() and target.read_text() == "new"


def test_a_link_that_is_not_followed_is_replaced_and_its_target_left_alone(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_file(link, "new", follow_links=False)
    assert not link.is_symlink() and link.read_text() == "new" and target.read_text() == "old"


def test_a_device_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code = "import sys; print(open(sys.argv[1]).read())"
    reader = subprocess.Popen(
        [sys.executable, "-c", code, str(pipe)], stdout=subprocess.PIPE, text=True
    )
    write_file(pipe, "through the pipe")
    assert reader.communicate(timeout=HANG_GUARD)[0] == "through the pipe\n"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_file("/dev/null", "gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_what_fails_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")

    def interrupted() -> None:
        with replacing(file) as unfinished:
            unfinished.write_text("half of the n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_text() == "old" and names(tmp_path) == ["file"]


def test_an_error_names_the_file_that_was_wanted(tmp_path: Path) -> None:
    wanted = tmp_path / "no" / "file.txt"
    with pytest.raises(FileNotFoundError) as raised:
        write_file(wanted, "text")
    assert raised.value.filename == str(wanted)
    with pytest.raises(IsADirectoryError) as refused:
        write_file(tmp_path, "text")
    assert refused.value.filename == str(tmp_path)
    with (
        pytest.raises(TilewiseError, match=r"^cannot write '.*': No such file or directory$"),
        explained("file.txt"),
    ):
        write_file(wanted, "text")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "expected the name of a file"),
        ("folder", "got a folder"),
        ("folder/", "got a folder"),
        ("no/file", "No such file or directory"),
        ("x" * 300, "File name too long"),
        ("a\0b", "null byte"),
    ],
)
def test_a_name_that_cannot_be_written_is_refused_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    with pytest.raises(TilewiseError, match=reason):
        check_writable(name)
    assert names(tmp_path) == ["folder"]


def test_a_name_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    check_writable(tmp_path / "new")
    check_writable("/dev/null")
    assert names(tmp_path) == []
