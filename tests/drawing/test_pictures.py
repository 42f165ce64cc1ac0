"""Pictures: notebooks, SVG, PNG, GIF and HTML, looked into as programs can."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import tilewise as tw
from tests.conftest import Run
from tilewise import drawing

SVG = "{http://www.w3.org/2000/svg}"
BOARD = "312 475 68b"


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("text", ["8b6 547 231", "2x5:1,2,3,4,5,6,7,8,9,0", "b1 32"])
def test_a_board_in_a_notebook_shows_every_tile_once_and_names_itself(text: str) -> None:
    board = tw.Board.parse(text)
    svg = board._repr_svg_()
    assert texts(svg) == [str(tile) for tile in board.tiles if tile]
    title = ElementTree.fromstring(svg).find(f"{SVG}title")
    assert title is not None and (title.text or "").startswith(f"{board.shape} board: ")


def test_the_largest_board_is_a_picture_too() -> None:
    assert len(texts(tw.Goal.snail(16, 16).board._repr_svg_())) == 255


def test_a_result_in_a_notebook_moves_each_tile_to_its_goal() -> None:
    result = tw.solve(BOARD)
    html = result._repr_html_()
    assert "4 moves, optimal" in html and f"<code>{result.moves}</code>" in html
    assert "<script" not in html and "http://www.w3.org/2000/svg" in html
    moving = re.findall(r"@keyframes t[0-9a-f]{8}-(\d+)\{(.*?)\}\}", html)
    boards = result.boards()
    moved = {before.tiles[after.blank] for before, after in itertools.pairwise(boards)}
    assert {int(tile) for tile, _ in moving} == moved
    for _, stops in moving:
        at = [float(percent) for percent in re.findall(r"([\d.]+)%", stops)]
        assert at[0] == 0 and at[-1] == 100 and at == sorted(at)


@pytest.mark.parametrize(
    ("board", "how", "words"),
    [
        ("b12 345 678", {}, "0 moves, optimal"),
        ("b21 345 678", {"goal": "first"}, "unsolvable"),
        ("8b6 547 231", {"algorithm": "dfs"}, "moves; at least 21 (gap "),
    ],
)
def test_a_result_that_has_nothing_to_play_shows_its_board(
    board: str, how: dict[str, str], words: str
) -> None:
    html = tw.solve(board, **how)._repr_html_()  # type: ignore[arg-type]
    assert words in html and "@keyframes" not in html


def test_a_sheet_has_every_board_with_its_label() -> None:
    result = tw.solve(BOARD)
    svg = drawing.sheet(result).decode()
    found = texts(svg)
    labels = ["start", *(f"{step} {move}" for step, move in enumerate(result.moves or "", 1))]
    assert [text for text in found if not text.isdigit()] == labels
    assert len(found) == 5 + 5 * 8


def test_a_film_has_the_boards_and_the_slides_between_them(tmp_path: Path) -> None:
    result = tw.solve(BOARD)
    assert drawing.save(result, tmp_path / "x.GIF") == (tmp_path / "x.GIF").stat().st_size
    with Image.open(tmp_path / "x.GIF") as film:
        assert film.format == "GIF" and film.n_frames == 1 + 4 * 4  # type: ignore[attr-defined]
        assert film.info["loop"] == 0


def test_a_painted_sheet_is_a_png_of_several_colours() -> None:
    with Image.open(BytesIO(drawing.painted_sheet(tw.solve(BOARD)))) as image:
        assert image.format == "PNG" and image.width > 600
        assert len(image.convert("RGB").getcolors(1_000_000) or []) > 5


def test_a_page_holds_every_board_and_needs_nothing_else() -> None:
    result = tw.solve(BOARD)
    page = drawing.page(result).decode()
    data = re.search(r'id="data">(.*?)</script>', page)
    assert data and json.loads(data[1])["boards"] == [list(b.tiles) for b in result.boards()]
    assert "http" not in page and "@" not in re.sub(r"@media", "", page)


@pytest.mark.parametrize("name", ["x.svg", "x.png", "x.gif", "x.html"])
def test_solve_saves_a_picture_and_answers_as_always(
    tilewise: Run, tmp_path: Path, name: str
) -> None:
    run = tilewise("solve", BOARD, "--json", "--save", name)
    assert run.returncode == 0 and json.loads(run.stdout)["moves"] == "LULU"
    assert run.stderr.startswith(f"tilewise: saved {name} (")
    assert (tmp_path / name).stat().st_size > 1_000


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([BOARD, "--save", "x.bmp"], "expected a file that ends in .svg, .png, .gif, .html"),
        ([BOARD, "1b2 345 678", "--save", "x.svg"], "expected one board with --save FILE"),
        ([BOARD, "--save", "nowhere/x.svg"], "No such file or directory: 'nowhere/x.svg'"),
        (["8b6 547 231", "-a", "dfs", "--save", "x.svg"], "at most 999 moves for a picture"),
    ],
)
def test_a_picture_that_cannot_be_is_told_in_one_line(
    tilewise: Run, tmp_path: Path, arguments: list[str], expected: str
) -> None:
    run = tilewise("solve", *arguments)
    assert run.returncode == 2 and expected in run.stderr and run.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_pillow_one_line_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['PIL'] = None; from tilewise.__main__ import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code, "solve", BOARD, "--save", "x.gif"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2 and "pip install 'tilewise[pictures]'" in run.stderr
    assert run.stdout.startswith("4 moves, optimal: LULU")
