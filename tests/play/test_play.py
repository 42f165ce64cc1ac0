"""The game in the terminal, driven by Textual's own pilot."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.conftest import Run
from tilewise.cli.play import new_game
from tilewise.play.game import Game
from tilewise.play.screen import BoardView, PlayScreen
from tilewise.puzzle.board import Board, Goal, Move

Steps = Callable[[PlayScreen, Pilot[None]], Awaitable[None]]
BOARD = "312 475 68b"  # LULU leads to the goal first


def played(
    steps: Steps,
    game: Game | None = None,
    size: tuple[int, int] = (80, 24),
    step_seconds: float = 0.01,
) -> PlayScreen:
    """Carry out steps in a game of its own."""
    game = game or new_game(BOARD, "first", None, None)
    app = PlayScreen(game, step_seconds=step_seconds)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            await steps(app, pilot)

    # in a thread of its own: a browser test before this one may have left a running event loop
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(asyncio.run, run()).result()
    return app


def said(app: PlayScreen, name: str = "#said") -> str:
    return str(app.query_one(name, Static).render())


def test_arrow_keys_slide_tiles_and_the_goal_is_noticed() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        assert "4 from here" in said(app, "#state")
        await pilot.press("right", "down", "right")
        assert not app.game.solved
        await pilot.press("down")
        assert app.game.solved and "Solved in 4 moves" in said(app)

    app = played(steps)
    assert app.game.done == [Move.L, Move.U, Move.L, Move.U]


def test_a_key_that_moves_nothing_is_no_move() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("left", "up")

    assert played(steps).game.done == []


def test_undo_redo_and_begin_again() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("right", "down", "u")
        assert app.game.done == [Move.L]
        await pilot.press("r")
        assert app.game.done == [Move.L, Move.U]
        await pilot.press("b")
        assert app.game.board == app.game.start and not app.game.done

    played(steps)


def test_hints_say_more_and_more_and_mark_the_tile() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        texts = []
        for _ in range(4):
            await pilot.press("h")
            texts.append(said(app))
        assert texts[0].startswith("4 moves from here") and texts[1].startswith("Look at")
        assert texts[2] == "Move tile 8." and texts[3].startswith("Move tile 8 right.")
        assert app.query_one(BoardView).marked == {7}

    played(steps)


def test_solve_plays_the_solution_to_the_end() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("s")
        while not app.game.solved:
            await pilot.pause(0.01)

        assert said(app).startswith("Solved for you in 4 moves."), "it is not the player's"

    app = played(steps)
    assert len(app.game.done) == app.game.helped == 4


def test_a_solution_that_the_player_ends_says_how_much_was_done_for_them() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("s", "space")
        app.paused = False
        app._play_on()
        await pilot.press("down", "right", "down")
        assert said(app).startswith("Solved in 4 moves, 1 of them made for you.")
        await pilot.press("b", "right", "down", "right", "down")
        assert said(app).startswith("Solved in 4 moves. ")

    played(steps, step_seconds=3600)


def test_a_solution_can_be_paused_and_left() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("s", "space")
        assert app.paused and app.playing
        await pilot.press("u")
        assert not app.playing

    played(steps, step_seconds=3600)


def test_a_click_slides_a_whole_row() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        await pilot.click(BoardView, offset=(1, 7))

    app = played(steps)
    assert app.game.board == Board.parse("312 475 b68") and len(app.game.done) == 2


def test_a_new_board_comes_from_the_seed_and_a_single_board_has_none() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        first = app.game.board
        await pilot.press("n")
        assert app.game.board != first

    played(steps, new_game("3x3", "auto", 5, 1))

    async def nothing(app: PlayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("n")
        assert "no other board" in said(app)

    played(nothing)


def test_a_large_board_fits_a_small_terminal() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        assert app.query_one(BoardView).size == (40, 10)

    played(steps, new_game("10x10", "auto", 3, 1), size=(60, 20))


def test_a_shape_is_played_towards_the_goal_of_the_toy() -> None:
    game = new_game("4x4", "auto", None, 1)
    assert game.goal == Goal.blank_last(4, 4) and game.goal.reachable_from(game.board)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["3x3"], "expected a terminal to play in"),
        (["99x99"], "expected 2 to 16 rows and columns"),
        (["12x12"], "expected a shape up to 10x10"),
        (["3x"], "expected a shape such as 3x3"),
        (["b21 345 678", "--goal", "first"], "no moves lead from"),
        (["b12 345 678", "--depth", "3"], "expected a shape with --depth D"),
        (["3x3", "--depth", "99"], "expected a depth of at most 31"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(
    tilewise: Run, arguments: list[str], expected: str
) -> None:
    run = tilewise("play", *arguments)
    assert run.returncode == 2 and expected in run.stderr and run.stderr.count("\n") == 1


def test_the_goal_is_shown_and_why_it_is_that_one() -> None:
    async def steps(app: PlayScreen, pilot: Pilot[None]) -> None:
        assert "goal last" in said(app, "#state")
        assert said(app) == "goal: last (the goal first cannot be reached from this board)"

    played(steps, new_game("1,0,3,2", "auto", None, None))
