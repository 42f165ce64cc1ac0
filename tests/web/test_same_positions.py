"""The server reads a text as everything else does."""

from __future__ import annotations

from tests.test_positions import Case, every_case
from tests.web.client import Server


@every_case
def test_a_text_means_the_same_to_the_server(server: Server, case: Case) -> None:
    asked = {"board": case.text, **({"goal": case.named} if case.named else {})}
    about = server.post("board", **asked)
    assert (about["board"]["text"], about["goal"]["name"]) == (case.board, case.goal)
    assert (about["note"], about["solvable"]) == (case.note, case.cost is not None)
    solved = server.post("solve", **asked)
    assert (solved["goal"]["name"], solved["cost"]) == (case.goal, case.cost)
    assert case.cost is None or solved["note"] == case.note
