"""Search trees as pictures: every node with its numbers, the solution marked, as SVG and PNG."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import tilewise as tw
from tests.conftest import Run
from tilewise import drawing
from tilewise.drawing.search_tree import EXPANDED, MOST_NODES, SOLUTION, tree_svg
from tilewise.errors import SpecError

SVG = "{http://www.w3.org/2000/svg}"
BOARD = "315 624 b78"


def searched() -> tw.Trace:
    return tw.trace(BOARD, algorithm="astar", heuristic="manhattan", rules="fifo")


def fills(picture: str) -> list[str]:
    return [node.get("fill", "") for node in ElementTree.fromstring(picture).iter(f"{SVG}rect")]


def test_a_tree_shows_the_numbers_of_every_node_and_marks_the_solution() -> None:
    trace = searched()
    picture = tree_svg(trace)
    texts = [node.text for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    made = [event for event in trace if event.kind in ("start", "generate")]
    for event in made:
        assert f"{event.g}+{event.h}={event.g + event.h}" in texts
    assert fills(picture).count(SOLUTION) == (trace.result.cost or 0) + 1
    in_vain = trace.result.stats.expanded - (trace.result.cost or 0)
    assert fills(picture).count(EXPANDED) == in_vain


def test_every_node_but_the_root_hangs_on_a_line() -> None:
    trace = searched()
    lines = list(ElementTree.fromstring(tree_svg(trace)).iter(f"{SVG}line"))
    assert len(lines) == sum(event.kind == "generate" for event in trace)


def test_a_search_without_a_heuristic_shows_its_depths() -> None:
    picture = tree_svg(tw.trace("125 34b 678", algorithm="bfs"))
    assert "g=3" in picture and "3+" not in picture


def test_a_trace_shows_its_tree_in_a_notebook_unless_it_is_too_large() -> None:
    assert (searched()._repr_svg_() or "").startswith("<svg")
    large = tw.trace("8b6 547 231", algorithm="bfs", events=5_000)
    assert large._repr_svg_() is None
    with pytest.raises(SpecError, match=f"at most {MOST_NODES} nodes"):
        tree_svg(large)


def test_a_deep_tree_needs_no_recursion() -> None:
    trace = tw.trace("8b6 547 231", algorithm="dfs", events=1_000)
    assert tree_svg(trace.events[:800]).startswith("<svg")


def test_the_command_line_writes_trees_as_svg_and_png(tmp_path: Path, tilewise: Run) -> None:
    how = ("trace", "export", BOARD, "-H", "manhattan", "--rules", "fifo", "-o")
    for name in ("tree.svg", "tree.png"):
        assert tilewise(*how, str(tmp_path / name)).returncode == 0
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == tree_svg(searched())
    with Image.open(BytesIO((tmp_path / "tree.png").read_bytes())) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(2**20) or []}
    assert (0x8E, 0xED, 0xC7) in colours and (0xF7, 0xC9, 0x48) in colours


def test_a_picture_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"\.svg, \.png"):
        drawing.save_tree(searched(), tmp_path / "tree.gif")
