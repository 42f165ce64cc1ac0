"""Every case that once failed, and one of each kind, replayed; `make fuzz` looks for more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import targets

CORPUS = Path(__file__).parent / "corpus"
CASES = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.glob("*/*"))


@pytest.mark.parametrize("case", CASES)
def test_a_case_of_the_corpus_gives_nothing_but_an_answer_or_one_line(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    targets.run(case.partition("/")[0], (CORPUS / case).read_bytes())


def test_every_target_has_cases_and_every_case_a_target() -> None:
    assert {case.partition("/")[0] for case in CASES} == set(targets.TARGETS)


def test_an_error_that_is_not_ours_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(data: bytes) -> None:
        raise KeyError(data)

    monkeypatch.setitem(targets.TARGETS, "planted", planted)
    with pytest.raises(KeyError):
        targets.run("planted", b"anything")
