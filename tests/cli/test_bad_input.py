"""Bad input gives exit code 2 and one clear line on standard error, and changes nothing."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Case = tuple[list[str], str]

EASY = "1b2 345 678"
HARD = "8b6 547 231"
FIFTEEN = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"
LARGEST = ",".join(map(str, range(256)))

OWN = """
import sys
from fractions import Fraction

import tilewise as tw
from tilewise.core.result import Outcome


def register(name, value):
    @tw.heuristic(name)
    def factory(goal):
        return lambda board: value


register("negative", -1)
register("fraction", Fraction(3, 2))
register("real", 1.5)
register("true", True)
register("nothing", None)
register("word", "many")


@tw.heuristic("failing")
def failing(goal):
    return lambda board: board.no_such_thing


@tw.heuristic("talkative")
def talkative(goal):
    def estimate(board):
        raise RuntimeError("two\\nlines")

    return estimate


@tw.heuristic("leaving")
def leaving(goal):
    return lambda board: sys.exit(0)


@tw.heuristic("no_function")
def no_function(goal):
    return 5


@tw.heuristic("no_table")
def no_table(goal):
    raise RuntimeError("the table is missing")


@tw.heuristic("no_goal")
def no_goal():
    return lambda board: 0


@tw.algorithm("astray")
def astray(problem, heuristic, meter, rules, observer):
    return Outcome(tw.Status.SOLVED, "D", tw.Stats())


@tw.algorithm("outside")
def outside(problem, heuristic, meter, rules, observer):
    return Outcome(tw.Status.SOLVED, "UUUU", tw.Stats())


@tw.algorithm("dumb")
def dumb(problem, heuristic, meter, rules, observer):
    return None


@tw.algorithm("crashing")
def crashing(problem, heuristic, meter, rules, observer):
    return problem.no_such_thing


@tw.algorithm("too_few")
def too_few(problem):
    return None


@tw.algorithm("uncounted")
def uncounted(problem, heuristic, meter, rules, observer):
    return Outcome(tw.Status.SOLVED, "L", None)
"""

FILES = {
    "binary.dat": bytes(range(256)) * 4,
    "utf16.txt": EASY.encode("utf-16"),
    "latin1.txt": "caf\xe9\n".encode("latin-1"),
    "empty.txt": b"",
    "comments.txt": b"# nothing here\n\n   \n",
    "header.csv": b"id,board\n",
    "boards.txt": EASY.encode(),
    "own.py": OWN.encode(),
    "syntax.py": b"def estimate(:\n",
    "raising.py": b"1 / 0\n",
    "leaving.py": b"import sys\nsys.exit(0)\n",
    "importing.py": b"import no_such_module\n",
    "taken.py": (
        b"import tilewise as tw\n"
        b"@tw.heuristic('manhattan')\n"
        b"def mine(goal):\n    return lambda board: 0\n"
    ),
    "misspelt.py": (
        b"import tilewise as tw\n"
        b"@tw.heuristic('mine', admisible=True)\n"
        b"def mine(goal):\n    return lambda board: 0\n"
    ),
}

BOARDS: dict[str, Case] = {
    "too short": (["solve", "b12 345 67"], "expected 9 tiles for a 3x3 board, got 8"),
    "too long": (["solve", "b12 345 6789"], "got 10"),
    "a tile twice": (["solve", "b12 345 677"], "7 at positions 8 and 9"),
    "two blanks": (["solve", "b12 345 b78"], "positions 1 and 7"),
    "a tile too large": (["solve", "b12 345 679"], "expected tiles 0 to 8"),
    "an unknown character": (["solve", "b12 345 67x"], "'x'"),
    "digits of another script": (["solve", "\uff11\uff12 \uff13\uff10"], "expected a"),
    "an empty text": (["solve", ""], "empty"),
    "only spaces": (["solve", "   "], "empty"),
    "one cell": (["solve", "0"], "2 to 16 rows"),
    "one row": (["solve", "1x4:1,2,3,0"], "1x4"),
    "seventeen rows": (["solve", "17x2:" + ",".join(map(str, range(34)))], "17x2"),
    "no square": (["solve", "1,2,3,4,0"], "square"),
    "a negative tile": (["solve", "1,2,-3,0"], "'-3'"),
    "a leading zero": (["solve", "1,2,03,0"], "leading zeros"),
    "a fraction": (["solve", "1,2,3.5,0"], "'3.5'"),
    "a very large number": (["solve", "1,2," + "9" * 400 + ",0"], "999 ... 999"),
    "rows of different length": (["solve", "1 2 3/4 5/6 7 0"], "row 2"),
    "lines of different length": (["solve", "1 2 3\n4 5\n6 7 0"], "row 2"),
    "JSON of different length": (["solve", "[[1,2],[3]]"], "row 2"),
    "JSON that ends early": (["solve", "[[1,2],[3,0]"], "JSON"),
    "JSON nested deep": (["solve", "[" * 3000], "nested"),
    "a JSON object": (["solve", '{"board": 1}'], "list"),
    "an enormous text": (["solve", "1 " * 20_000], "20000 characters"),
    "a word": (["solve", "hello"], "'hello'"),
    "the second of two": (["solve", EASY, "b12 345 67"], "got 8"),
    "without solve": (["b12 345 67"], "got 8"),
    "no board at all": (["solve"], "--file"),
}

REQUESTS: dict[str, Case] = {
    "a goal of another shape": (["solve", EASY, "--goal", "12 3b"], "3x3"),
    "an unknown goal": (["solve", EASY, "--goal", "middle"], "first, last, snail"),
    "a goal with a tile twice": (["solve", EASY, "--goal", "b12 345 677"], "7 at positions"),
    "an empty goal": (["solve", EASY, "--goal", ""], "goal"),
    "an unknown algorithm": (["solve", EASY, "-a", "asta"], "did you mean astar?"),
    "an empty algorithm": (["solve", EASY, "-a", ""], "algorithm"),
    "an open parenthesis": (["solve", EASY, "-a", "beam("], "the end"),
    "a closed parenthesis": (["solve", EASY, "-a", "beam)"], "')'"),
    "two equals signs": (["solve", EASY, "-a", "beam(width==3)"], "'='"),
    "two names": (["solve", EASY, "-a", "beam 10"], "'10'"),
    "a character outside specs": (["solve", EASY, "-a", "beam[10]"], "'['"),
    "an enormous spec": (["solve", EASY, "-a", "(" * 30_000], "2000 characters"),
    "deep parentheses": (["solve", EASY, "-H", "max(" * 200], "nested"),
    "an unknown option": (["solve", EASY, "-a", "beam(height=3)"], "'height'"),
    "an option twice": (["solve", EASY, "-a", "beam(10, width=3)"], "twice"),
    "an option too many": (["solve", EASY, "-a", "beam(10, 20, 30)"], "width"),
    "a width of zero": (["solve", EASY, "-a", "beam(width=0)"], "positive whole number"),
    "a negative width": (["solve", EASY, "-a", "beam(width=-3)"], "positive whole number"),
    "a fractional width": (["solve", EASY, "-a", "beam(width=1.5)"], "positive whole number"),
    "an enormous width": (["solve", EASY, "-a", f"beam({'9' * 300})"], "positive whole number"),
    "a weight of zero": (["solve", EASY, "-a", "wastar(weight=0)"], "positive number"),
    "a weight that is no number": (["solve", EASY, "-a", "wastar(weight=nan)"], "'nan'"),
    "a weight over zero": (["solve", EASY, "-a", "wastar(weight=1/0)"], "'1/0'"),
    "an enormous weight": (["solve", EASY, "-a", "wastar(weight=1e999999)"], "weight"),
    "a weight of 18 digits": (
        ["solve", HARD, "-a", f"wastar({'9' * 18})", "--trace"],
        "weight",
    ),
    "a tiny weight": (["solve", EASY, "-a", "wastar(weight=1e-999999)"], "weight"),
    "an unknown heuristic": (["solve", EASY, "-H", "manhatan"], "did you mean manhattan?"),
    "an empty heuristic": (["solve", EASY, "-H", ""], "heuristic"),
    "a heuristic with options": (["solve", EASY, "-H", "manhattan(x=1)"], "no options"),
    "a heuristic with parts": (["solve", EASY, "-H", "manhattan(zero)"], "with no options"),
    "a combination of nothing": (["solve", EASY, "-H", "max()"], "combine"),
    "a heuristic where none is used": (["solve", EASY, "-a", "bfs", "-H", "zero"], "bfs"),
    "a table too large": (["solve", FIFTEEN, "-H", "perfect"], "at most 12 cells"),
    "a table far too large": (["solve", LARGEST, "-H", "perfect"], "at most 12 cells"),
    "unknown rules": (["solve", EASY, "--rules", "fif"], "did you mean fifo?"),
    "empty rules": (["solve", EASY, "--rules", ""], "rule set"),
    "a direction twice": (["solve", EASY, "--rules", "order=UUDL"], "once each"),
    "unknown ties": (["solve", EASY, "--rules", "ties=best"], "'best'"),
    "no ancestors": (["solve", EASY, "--rules", "duplicates=ancestors(0)"], "ancestors"),
    "an unknown knob": (["solve", EASY, "--rules", "colour=red"], "colour"),
    "a knob not obeyed": (["solve", EASY, "-a", "human", "--rules", "ties=fifo"], "ties"),
    "an unknown engine": (["solve", EASY, "--engine", "steam"], "'steam'"),
    "moves of nobody": (["solve", EASY, "--moves", "hand"], "blank or tile"),
    "all of a search without proof": (["solve", HARD, "--all", "-a", "greedy"], "--all"),
    "no nodes": (["solve", EASY, "--max-nodes", "0"], "--max-nodes, got '0'"),
    "negative nodes": (["solve", EASY, "--max-nodes", "-1"], "--max-nodes, got '-1'"),
    "half a node": (["solve", EASY, "--max-nodes", "1.5"], "--max-nodes, got '1.5'"),
    "a word of nodes": (["solve", EASY, "--max-nodes", "many"], "--max-nodes, got 'many'"),
    "enormous nodes": (["solve", EASY, "--max-nodes", "9" * 5000], "--max-nodes, got '999"),
    "no seconds": (["solve", EASY, "--seconds", "0"], "--seconds, got '0'"),
    "negative seconds": (["solve", EASY, "--seconds", "-1"], "--seconds, got '-1'"),
    "endless seconds": (["solve", EASY, "--seconds", "inf"], "--seconds, got 'inf'"),
    "seconds that are no number": (["solve", EASY, "--seconds", "nan"], "--seconds, got 'nan'"),
    "no memory": (["solve", EASY, "--memory", "0"], "--memory, got '0'"),
    "negative memory": (["solve", EASY, "--memory", "-1"], "--memory, got '-1'"),
    "a word of memory": (["solve", EASY, "--memory", "much"], "--memory, got 'much'"),
    "no events": (["solve", EASY, "--trace=0"], "--trace, got '0'"),
    "negative events": (["solve", EASY, "--trace=-1"], "--trace, got '-1'"),
    "a word of events": (["solve", EASY, "--trace=many"], "--trace, got 'many'"),
    "an unknown switch": (["solve", EASY, "--algoritm", "astar"], "--algorithm"),
    "a switch without its value": (["solve", EASY, "--seconds"], "--seconds"),
    "an unknown table of list": (["list", "algoritms"], "algorithms, heuristics"),
    "two tables of list": (["list", "algorithms", "heuristics"], "heuristics"),
    "an unknown sub-command": (["sovle", EASY], "'solve'"),
    "an empty sub-command": ([""], "''"),
    "an unknown switch of the program": (["--colour"], "--colour"),
}

SOURCES: dict[str, Case] = {
    "a missing file": (["solve", "--file", "missing.txt"], "'missing.txt'"),
    "a folder": (["solve", "--file", "folder"], "folder: 'folder'"),
    "a binary file": (["solve", "--file", "binary.dat"], "'binary.dat'"),
    "a file in UTF-16": (["solve", "--file", "utf16.txt"], "'utf16.txt'"),
    "a file in Latin-1": (["solve", "--file", "latin1.txt"], "UTF-8"),
    "an empty file": (["solve", "--file", "empty.txt"], "empty.txt"),
    "a file of comments": (["solve", "--file", "comments.txt"], "comments.txt"),
    "a table without rows": (["solve", "--file", "header.csv"], "header.csv"),
    "an empty input": (["solve", "--file", "-"], "-"),
    "an empty file name": (["solve", "--file", ""], "file"),
    "a file name of 5,000 characters": (["solve", "--file", "x" * 5000], "too long"),
    "a board and a file": (["solve", EASY, "--file", "boards.txt"], "one of the three"),
    "a file and a suite": (
        ["solve", "--suite", "korf100", "--file", "boards.txt"],
        "one of the three",
    ),
    "an unknown suite": (["solve", "--suite", "korf99"], "korf100"),
    "a suite outside the package": (["solve", "--suite", "../korf100"], "suite"),
    "a missing file to load": (["solve", EASY, "--load", "missing.py"], "'missing.py'"),
    "a folder to load": (["solve", EASY, "--load", "folder"], "'folder'"),
    "a binary file to load": (["solve", EASY, "--load", "binary.dat"], "'binary.dat'"),
    "a syntax error": (["solve", EASY, "--load", "syntax.py"], "syntax.py, line 1"),
    "an exception when loading": (["solve", EASY, "--load", "raising.py"], "ZeroDivisionError"),
    "an exit when loading": (["solve", EASY, "--load", "leaving.py"], "leaving.py"),
    "an import that fails": (["solve", EASY, "--load", "importing.py"], "no_such_module"),
    "a name that is taken": (["solve", EASY, "--load", "taken.py"], "'manhattan'"),
    "a misspelt fact": (["solve", EASY, "--load", "misspelt.py"], "admisible"),
    "list with a missing file": (["list", "--load", "missing.py"], "'missing.py'"),
}


def own(heuristic: str) -> list[str]:
    return ["solve", EASY, "--load", "own.py", "-H", heuristic]


def own_search(algorithm: str) -> list[str]:
    return ["solve", EASY, "--load", "own.py", "-a", algorithm]


OWN_CODE: dict[str, Case] = {
    **{
        f"a heuristic that gives {shown}": (own(name), f"whole number of at least 0 .*{name}")
        for name, shown in {
            "negative": "-1",
            "fraction": "3/2",
            "real": "1.5",
            "true": "True",
            "nothing": "None",
            "word": "a word",
        }.items()
    },
    "a heuristic that fails": (own("failing"), "heuristic failing failed on 1b2 345 678"),
    "a heuristic that fails in two lines": (own("talkative"), "two lines"),
    "a heuristic that leaves": (own("leaving"), "leaving"),
    "a heuristic that is no function": (own("no_function"), "no_function"),
    "a heuristic that cannot be made": (own("no_table"), "no_table.* the table is missing"),
    "a heuristic that takes no goal": (own("no_goal"), "no_goal"),
    "one bad part of a combination": (own("max(manhattan, negative)"), "negative"),
    "moves that miss the goal": (own_search("astray"), "algorithm astray"),
    "moves that leave the board": (own_search("outside"), "algorithm outside"),
    "an algorithm that returns nothing": (own_search("dumb"), "algorithm dumb"),
    "an algorithm that fails": (own_search("crashing"), "algorithm crashing failed"),
    "an algorithm with too few parameters": (own_search("too_few"), "algorithm too_few"),
    "an algorithm without counters": (own_search("uncounted"), "algorithm uncounted"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that the program runs in, with files of every unfit kind."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    return tmp_path


def refusal(tilewise: Run, *args: str) -> str:
    """The one line that a refused request prints; nothing may be on standard output."""
    run = tilewise(*args)
    assert "Traceback" not in run.stderr
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    assert run.stderr.startswith("tilewise: error: ")
    assert run.stderr.count("\n") == 1 and run.stderr.endswith("\n")
    return run.stderr


@pytest.mark.parametrize("case", BOARDS.values(), ids=BOARDS.keys())
def test_a_text_that_is_no_board_is_refused(tilewise: Run, case: Case) -> None:
    args, words = case
    assert words in refusal(tilewise, *args)


@pytest.mark.parametrize("case", REQUESTS.values(), ids=REQUESTS.keys())
def test_a_request_that_makes_no_sense_is_refused(tilewise: Run, case: Case) -> None:
    args, words = case
    assert words in refusal(tilewise, *args)


@pytest.mark.parametrize("case", SOURCES.values(), ids=SOURCES.keys())
def test_a_file_that_cannot_be_used_is_refused_and_left_as_it_was(
    tilewise: Run, folder: Path, case: Case
) -> None:
    args, words = case
    assert words in refusal(tilewise, *args)
    assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, "folder"])
    assert all((folder / name).read_bytes() == content for name, content in FILES.items())


@pytest.mark.parametrize("case", OWN_CODE.values(), ids=OWN_CODE.keys())
@pytest.mark.usefixtures("folder")
def test_a_mistake_in_the_code_of_the_user_is_named(tilewise: Run, case: Case) -> None:
    args, words = case
    assert re.search(words, refusal(tilewise, *args))


@pytest.mark.parametrize(
    "args",
    [
        ["x" * 30_000],
        ["--" + "x" * 30_000],
        ["list", "x" * 30_000],
        ["solve", EASY, "--moves", "x" * 30_000],
        ["solve", EASY, "--goal", "x" * 15_000],
        ["solve", EASY, "--rules", "x" * 30_000],
        ["solve", EASY, "--engine", "x" * 30_000],
        ["solve", EASY, "--seconds", "9" * 30_000],
        ["solve", "--file", "x" * 30_000],
        ["solve", "--suite", "x" * 30_000],
        ["solve", EASY, "--load", "x" * 30_000],
        ["solve", "1x" * 9_000],
    ],
    ids=lambda args: " ".join(text for text in args if len(text) < 20) or "a sub-command",
)
def test_an_enormous_text_is_quoted_in_part_only(tilewise: Run, args: list[str]) -> None:
    assert len(refusal(tilewise, *args)) < 400
