"""Requests about one board, as a client sends them."""

from __future__ import annotations

from typing import Any

import pytest

import tilewise as tw
from tests.web.client import Server

CYCLE = (
    "1,2,3,4,5,6,20,21,22,23,24,7,19,33,34,0,25,8,30,32,31,28,35,9,18,14,29,17,26,27,16,13,15,12,"
    "11,10"
)
"""A new search at every board would come back to a board of before."""
HARDEST = "8b6 547 231"


def test_a_board_is_read_in_any_notation_and_written_in_all(server: Server) -> None:
    answer = server.post("board", board="1 2 3/4 5 6/7 0 8", heuristics=True)
    assert answer["board"]["tiles"] == [1, 2, 3, 4, 5, 6, 7, 0, 8]
    assert (answer["notation"], answer["goal"]["name"]) == ("slidysim", "last")
    assert (answer["distance"], answer["solvable"], answer["explanation"]) == (1, True, None)
    assert answer["legal_moves"] == ["U", "L", "R"]
    values = {each["name"]: each["value"] for each in answer["heuristics"]}
    assert values["manhattan"] == 1
    for text in answer["notations"].values():
        assert server.post("board", board=text)["board"] == answer["board"]


def test_rows_are_taken_as_a_board_too(server: Server) -> None:
    answer = server.post("board", board=[[1, 2, 3], [0, 4, 5]])
    assert (answer["board"]["rows"], answer["board"]["tiles"]) == (2, [1, 2, 3, 0, 4, 5])
    assert server.post("board", board=answer["board"]["text"])["board"] == answer["board"]


def test_an_unsolvable_board_is_explained_and_mended(server: Server) -> None:
    answer = server.post("board", board="123 456 87b", goal="last")
    assert not answer["solvable"] and answer["distance"] is None
    why = answer["explanation"]
    assert (why["swaps"], why["blank_steps"], why["cycles"]) == (1, 0, [[7, 8]])
    for mend in why["mends"]:
        mended = server.post("board", board=mend["board"]["text"], goal="last")
        assert mended["solvable"]
    solved = server.post("solve", board="123 456 87b", goal="last")
    assert solved["status"] == "unsolvable" and solved["explanation"] == why


@pytest.mark.parametrize("shape", ["2x5", pytest.param("2x6", marks=pytest.mark.full), "3x4"])
def test_an_unsolvable_board_of_ten_to_twelve_cells_is_explained(
    server: Server, shape: str
) -> None:
    cells = {"2x5": 10}.get(shape, 12)
    swapped = f"{shape}:0,2,1,{','.join(map(str, range(3, cells)))}"
    answer = server.post("board", board=swapped, goal="first", heuristics=True)
    assert not answer["solvable"] and answer["explanation"]["swaps"] == 1
    assert {each["name"]: each["value"] for each in answer["heuristics"]}["perfect"] is None


def test_distances_of_a_small_board_are_exact_after_every_move(server: Server) -> None:
    answer = server.post("distance", board=HARDEST, seconds=5)
    assert (answer["distance"], answer["exact"], answer["method"]) == (31, True, "table")
    assert answer["lower_bound"] == answer["upper_bound"] == 31
    board = tw.Board.parse(HARDEST)
    for step in answer["moves"]:
        assert step["distance"] == tw.solve(board.move(step["move"])).cost
        assert (step["move"] in answer["best"]) == (step["distance"] == 30)


def test_the_distance_of_a_larger_board_is_exact_or_bounded(server: Server) -> None:
    near = server.post(
        "distance", board="1,2,3,4/5,6,7,8/9,10,11,12/13,0,14,15", goal="last", seconds=5
    )
    assert (near["distance"], near["exact"], near["best"]) == (2, True, ["R"])
    far = server.post("distance", board="16x16:" + ",".join(map(str, (*range(255, 1, -1), 1, 0))))
    assert far["distance"] is None and not far["exact"]
    assert 0 < far["lower_bound"] <= far["upper_bound"]


def test_the_goal_itself_and_the_unreachable_have_plain_distances(server: Server) -> None:
    goal = server.post("distance", board="b12 345 678", goal="first")
    assert (goal["distance"], goal["solved"], goal["best"]) == (0, True, [])
    never = server.post("distance", board="b21 345 678", goal="first")
    assert (never["distance"], never["solvable"], never["moves"]) == (None, False, [])


def test_hints_give_away_more_at_each_level(server: Server) -> None:
    hints = [server.post("hint", board=HARDEST, level=level) for level in (1, 2, 3, 4)]
    assert hints[0]["text"] == "31 moves from here, and no fewer."
    assert hints[0]["tile"] is hints[0]["move"] is hints[1]["tile"] is hints[2]["move"] is None
    assert hints[1]["area"] and hints[1]["text"].startswith("Look at the ")
    solution = hints[3]["moves"]
    board = tw.Board.parse(HARDEST)
    assert board.after(solution) == tw.Goal.blank_first(3, 3).board and len(solution) == 31
    assert hints[2]["tile"] == hints[3]["tile"] == board.move(solution[0]).tiles[board.blank]
    done = server.post("hint", board="b12 345 678", level=4)
    assert (done["text"], done["move"]) == ("This is the goal.", None)


def test_following_hints_leads_home_within_the_first_plan(server: Server) -> None:
    board, goal = tw.Board.parse(CYCLE), tw.Goal.snail(6, 6)
    lengths: list[int] = []
    while board != goal.board:
        answer = server.post("hint", board=str(board), goal="snail", level=4, seconds=0.001)
        assert not lengths or len(answer["moves"]) < lengths[-1]
        lengths.append(len(answer["moves"]))
        board = board.move(answer["move"])
    assert len(lengths) <= lengths[0]


@pytest.mark.parametrize(
    "body",
    [
        {"shape": "3x3", "depth": 20},
        {"shape": "4x4", "goal": "last", "walk": 40, "repeats": False},
        {"shape": "3x4", "goal": "snail"},
    ],
)
def test_a_seed_scrambles_the_same_board_twice(server: Server, body: dict[str, Any]) -> None:
    once, again = (server.post("scramble", seed=7, **body) for _ in range(2))
    assert once == again and not once["gave_up"] and once["seed"] == 7
    board = once["boards"][0]
    assert f"{board['rows']}x{board['columns']}" == body["shape"]
    if "depth" in body:
        found = server.post("distance", board=board["text"], goal=once["goal"]["name"])
        assert found["distance"] == body["depth"]


@pytest.mark.parametrize(
    ("level", "least", "most"), [("easy", 8, 14), ("medium", 14, 22), ("hard", 22, 29)]
)
def test_a_level_is_a_band_of_depths_where_there_is_a_table(
    server: Server, level: str, least: int, most: int
) -> None:
    boards = server.post("scramble", shape="3x3", goal="last", level=level, count=6, seed=4)
    for board in boards["boards"]:
        asked = server.post("distance", board=board["text"], goal="last")
        assert least <= asked["distance"] <= most
    again = server.post("scramble", shape="3x3", goal="last", level=level, count=6, seed=4)
    assert again["boards"] == boards["boards"]


def test_levels_of_large_shapes_need_no_search(server: Server) -> None:
    easy = server.post("scramble", shape="5x5", level="easy", seed=1)["boards"][0]
    assert server.post("distance", board=easy["text"], goal="first")["lower_bound"] <= 16
    hard = server.post("scramble", shape="6x6", level="hard", seed=1)["boards"][0]
    assert server.post("board", board=hard["text"], goal="first")["lower_bound"] > 100


@pytest.mark.parametrize("heuristic", ["manhattan", "misplaced", "linear_conflict", "pdb(3-3-2)"])
def test_the_shares_of_an_estimate_add_up_to_it(server: Server, heuristic: str) -> None:
    for board in ("321 654 87b", "8b6 547 231", "123 456 78b"):
        answer = server.post("estimate", board=board, goal="last", heuristic=heuristic)
        assert sum(share["value"] for share in answer["shares"]) == answer["value"]
    walking = server.post("estimate", board="8b6 547 231", heuristic="walking_distance")
    assert walking["value"] > 0 and walking["shares"] is None
