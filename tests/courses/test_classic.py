"""`tilewise classic` prints what the two EECS 391 programs print."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

RULE = "-------------"
UNSOLVABLE = "7b2 853 641"
SOLVED_12 = """\
Solution found!
Solution Length:  4
Solution Path ['start', 'left', 'up', 'left', 'up', 'goal']
Total nodes generated: 12
"""


def block(title: str, state: str, closing: bool = False) -> str:
    """A pretty block of the transcripts."""
    lines = ["", title]
    for row in state.replace("b", "0").split():
        lines += [RULE, f"| {row[0]} | {row[1]} | {row[2]} |"]
    return "\n".join([*lines, RULE] if closing else lines) + "\n"


def state(text: str) -> str:
    return f"Current puzzle state:\n{text}\n"


def solved(length: int, path: str, nodes: int) -> str:
    words = ["start", *path.split(), "goal"]
    return (
        f"Solution found!\nSolution Length:  {length}\nSolution Path {words}\n"
        f"Total nodes generated: {nodes}\n"
    )


def table_solved(length: int, nodes: int, printed: str) -> bool:
    """Whether the lines of eecs391-table are there, with a path of that length."""
    first, second, path, last = printed.splitlines()
    moves = path.removeprefix("Solution Path ").strip("[]").split(", ")
    return (first, second, last, len(moves)) == (
        "Solution is below",
        f"Solution Length: {length}",
        f"Total nodes generated: {nodes}",
        length + 2,
    )


BEAM_FILE = 'setState "3b2 615 748" printState solveBeam 50 maxNodes 2000'
ASTAR_FILE = "randomizeState 16 solveAStar h2 prettyPrintSolution"

TRANSCRIPTS = [
    (
        ["-setState", "325 678 b14", "-printState", "-prettyPrintState"],
        0,
        """\
Current puzzle state:
325 678 b14

Current State
-------------
| 3 | 2 | 5 |
-------------
| 6 | 7 | 8 |
-------------
| 0 | 1 | 4 |
""",
    ),
    (
        ["-randomizeState", "50", "-printState", "-prettyPrintState"],
        0,
        state("154 3b2 678") + block("Current State", "154 3b2 678"),
    ),
    (["-setState", "b12 345 678", "-move", "right", "-printState"], 0, state("1b2 345 678")),
    (
        ["-setState", "b12 345 678", "-move", "up"],
        2,
        "Move not allowed\nAllowed moves: ['right', 'down']\n",
    ),
    (
        ["-setState", "312 475 68b", "-solveAStar", "h1", "-prettyPrintSolution"],
        0,
        SOLVED_12
        + block("Starting State", "312 475 68b")
        + block("Depth: 1", "312 475 6b8")
        + block("Depth: 2", "312 4b5 678")
        + block("Depth: 3", "312 b45 678")
        + block("GOAL!!!!!!!!!", "b12 345 678"),
    ),
    (
        ["-setState", UNSOLVABLE, "-solveAStar", "h1", "-maxNodes", "10"],
        20,
        "No Solution Found in first 10 nodes generated\n",
    ),
    (
        ["-randomizeState", "10", "-solveAStar", "h2", "-maxNodes", "500"],
        0,
        solved(2, "left left", 5),
    ),
    (
        ["-setState", "125 348 67b", "-solveBeam", "10", "-prettyPrintSolution"],
        0,
        solved(4, "up up left left", 38)
        + block("Starting State", "125 348 67b")
        + block("Depth: 1", "125 34b 678")
        + block("Depth: 2", "12b 345 678")
        + block("Depth: 3", "1b2 345 678")
        + block("GOAL!!!!!!!!!", "b12 345 678"),
    ),
    (
        ["-randomizeState", "20", "-solveBeam", "10", "-maxNodes", "5000"],
        0,
        solved(8, "up up right down right up left left", 101),
    ),
    (
        ["-readCommands", "set_state_solve_beam.txt"],
        0,
        state("3b2 615 748") + solved(5, "down down left up up", 92),
    ),
    (
        ["-readCommands", ".\\set_state_solve_beam.txt"],  # a path of Windows
        0,
        state("3b2 615 748") + solved(5, "down down left up up", 92),
    ),
    (
        ["-readCommands", "randomize_solve_astar.txt"],
        0,
        solved(6, "left down right up left left", 19)
        + block("Starting State", "15b 324 678")
        + block("Depth: 1", "1b5 324 678")
        + block("Depth: 2", "125 3b4 678")
        + block("Depth: 3", "125 34b 678")
        + block("Depth: 4", "12b 345 678")
        + block("Depth: 5", "1b2 345 678")
        + block("GOAL!!!!!!!!!", "b12 345 678"),
    ),
    (
        ["--profile", "eecs391-table", "-randomizeState", "15", "-printState", "-tablePrintState"],
        0,
        state("125 34b 678") + block("Current State", "125 34b 678"),
    ),
]


@pytest.mark.parametrize(("arguments", "code", "printed"), TRANSCRIPTS)
def test_a_transcript_is_printed(
    tilewise: Run, tmp_path: Path, arguments: list[str], code: int, printed: str
) -> None:
    (tmp_path / "set_state_solve_beam.txt").write_text(BEAM_FILE)
    (tmp_path / "randomize_solve_astar.txt").write_text(ASTAR_FILE)
    done = tilewise("classic", *arguments)
    assert done.stdout == printed
    assert done.returncode == code


def test_the_nine_line_file_shares_one_generator(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "nine.txt").write_text(
        """\
randomizeState 50 printState
setState "b12 345 678" move "right" printState
setState "b12 345 678" move "up"
setState "312 475 68b" solveAStar h1
setState "7b2 853 641" solveAStar h1 maxNodes 10
randomizeState 10 printState solveAStar h2 maxNodes 500
setState "125 348 67b" solveBeam 10
setState "3b2 615 748" solveBeam 50 maxNodes 2000
randomizeState 16 printState solveAStar h2
"""
    )
    done = tilewise("classic", "-readCommands", "nine.txt")
    assert done.stdout == (
        state("154 3b2 678")
        + state("1b2 345 678")
        + "Move not allowed\nAllowed moves: ['down', 'right']\n"
        + SOLVED_12
        + "No Solution Found in first 10 nodes generated\n"
        + state("312 645 78b")
        + solved(4, "left left up up", 10)
        + solved(4, "up up left left", 38)
        + solved(5, "down down left up up", 92)
        + state("32b 615 748")
        + solved(6, "left down down left up up", 17)
    )
    assert done.returncode == 2
    assert done.stderr.startswith("tilewise: unsolvable: no moves lead from 7b2 853 641")


def test_the_table_solution_is_printed(tilewise: Run) -> None:
    done = tilewise(
        "classic",
        *("--profile", "eecs391-table"),
        *("-setState", "321 574 6b8", "-solveAStar", "h1", "-tablePrintSolution"),
    )
    path = "up up right down left left up right right down left up left"
    blocks = done.stdout.split("\n\n")
    assert blocks[0] == (
        "Solution is below\nSolution Length: 13\n"
        f"Solution Path {['start', *path.split(), 'goal']}\nTotal nodes generated: 524"
    )
    assert f"\n{blocks[1]}\n" == block("Starting State", "321 574 6b8", closing=True)
    assert f"\n{blocks[2]}\n" == block("The current depth is: 1", "321 5b4 678", closing=True)
    assert [text.splitlines()[0] for text in blocks[3:-1]] == [
        f"The current depth is: {depth}" for depth in range(2, 13)
    ]
    assert f"\n{blocks[-1]}" == block("We have reached the goal", "b12 345 678", closing=True)


@pytest.mark.parametrize(
    ("commands", "length", "nodes"),
    [
        ('setState "321 574 6b8" solveAStar h2', 13, 213),
        ('setState "321 574 6b8" solveBeam 10', 31, 418),
        ('setState "321 574 6b8" solveBeam 1000', 13, 3453),
        ('setState "3b2 615 748"\nsolveBeam\n20\nmaxNodes 2000', 5, 50),
        ("randomizeState 10000 solveAStar h2", 22, 1988),
        ("randomizeState 10000 solveBeam 100", 34, 3975),
        ("randomizeState 10000 solveBeam 10", 36, 491),
    ],
)
def test_the_table_figures_are_printed(
    tilewise: Run, tmp_path: Path, commands: str, length: int, nodes: int
) -> None:
    (tmp_path / "commands.txt").write_text(commands)
    done = tilewise("classic", "--profile", "eecs391-table", "-readCommands", "commands.txt")
    assert table_solved(length, nodes, done.stdout)


def test_the_table_wording_of_failures(tilewise: Run) -> None:
    done = tilewise(
        "classic",
        *("--profile", "eecs391-table"),
        input='move up printState setState "b12 345 345" printState\n'
        'setState "482 713 b56" solveAStar h1\nsolveBeam 10 maxNodes 100 tablePrintSolution\n',
    )
    assert done.stdout == (
        "This move is not allowed\n"
        + state("b12 345 678") * 2
        + "This solution could not be found in 10000 nodes\n"
        "The solution was not found in the first 100 generated nodes\nNo solution to print\n"
    )
    assert done.stderr == (
        "tilewise: error: line 1: setState: expected each tile once on a 3x3 board, "
        "got 3 at positions 4 and 7: 'b12 345 345'\n"
    )
    assert done.returncode == 2


def test_effects_come_in_a_fixed_order_whatever_the_order_of_the_words(tilewise: Run) -> None:
    done = tilewise(
        "classic",
        *("-prettyPrintSolution", "-maxNodes", "500", "-solveAStar", "h2", "-prettyPrintState"),
        *("-printState", "-move", "left", "-move", "left", "-setState", "12b 345 678"),
    )
    assert done.stdout == (
        state("b12 345 678")
        + block("Current State", "b12 345 678")
        + solved(0, "", 2)
        + block("Starting State", "b12 345 678")
        + block("GOAL!!!!!!!!!", "b12 345 678")
    )
    assert (done.returncode, done.stderr) == (0, "")


def limits_hit(printed: str) -> list[str]:
    """The searches of a run: `found`, or the number in the line that says that none was."""
    return [
        "found" if line.startswith("Solution found") else line.split("first ")[1].split()[0]
        for line in printed.splitlines()
        if line.startswith(("Solution found", "No Solution Found in"))
    ]


def test_max_nodes_in_a_file_belongs_to_the_nearest_solve_before_it(
    tilewise: Run, tmp_path: Path
) -> None:
    (tmp_path / "limits.txt").write_text(
        'setState "312 475 68b"\n'
        "maxNodes 3 solveAStar h1\n"  # no solve before it: for all that follow
        "solveAStar h2 printState\n\nmaxNodes 7\n"  # for the solve two lines above
        "solveAStar h1 solveAStar h1 maxNodes 20 solveBeam 1\n"
    )
    done = tilewise("classic", "-readCommands", "limits.txt")
    assert limits_hit(done.stdout) == ["3", "7", "3", "found", "3"]
    assert done.returncode == 20


def test_max_nodes_on_the_command_line_applies_wherever_it_stands(
    tilewise: Run, tmp_path: Path
) -> None:
    (tmp_path / "solve.txt").write_text("solveAStar h1 solveAStar h1 maxNodes 20")
    done = tilewise(
        "classic",
        *("-solveAStar", "h1", "-readCommands", "solve.txt"),
        *("-setState", "312 475 68b", "-maxNodes", "5"),
    )
    assert limits_hit(done.stdout) == ["5", "5", "found"]


def test_a_typed_max_nodes_is_for_its_line_or_for_the_lines_that_follow(tilewise: Run) -> None:
    done = tilewise(
        "classic",
        input='setState "312 475 68b"\nsolveAStar h1 maxNodes 4\nsolveAStar h1\n'
        "maxNodes 6\nsolveAStar h1\n",
    )
    assert limits_hit(done.stdout) == ["4", "found", "6"]


def test_the_seed_changes_the_run_and_42_is_the_default(tilewise: Run) -> None:
    def board(*arguments: str) -> str:
        return tilewise("classic", "-randomizeState", "50", "-printState", *arguments).stdout

    assert board() == board("-seed", "42") == state("154 3b2 678")
    assert board("-seed", "7") == board("-seed", "7") != board()
    again = tilewise("classic", input="randomizeState 50 seed 42 randomizeState 50 printState")
    assert again.stdout == state("154 3b2 678")


def test_a_walk_of_no_moves_is_the_goal_whatever_board_is_set(tilewise: Run) -> None:
    done = tilewise("classic", input='setState "15b 324 678" randomizeState 0 printState')
    assert (done.stdout, done.returncode) == (state("b12 345 678"), 0)


def test_a_solve_leaves_the_current_board_as_it_was(tilewise: Run) -> None:
    done = tilewise("classic", input='setState "12b 345 678" solveAStar h2 solveBeam 5 printState')
    assert done.stdout.endswith(state("12b 345 678"))


def test_there_is_no_solution_to_print_after_a_failed_search(tilewise: Run) -> None:
    done = tilewise(
        "classic",
        input='setState "12b 345 678" solveAStar h2\n'
        f'setState "{UNSOLVABLE}" solveAStar h1 maxNodes 10 prettyPrintSolution\n',
    )
    assert done.stdout.endswith("first 10 nodes generated\nNo solution to print\n")


def test_an_empty_beam_and_an_exhausted_search_have_lines_of_their_own(tilewise: Run) -> None:
    stuck = tilewise("classic", "-setState", UNSOLVABLE, "-solveBeam", "1")
    assert stuck.stdout == "No Solution Found: the beam became empty after 5 generated nodes\n"
    assert stuck.returncode == 20
    table = ("--profile", "eecs391-table")
    arguments = ("-setState", UNSOLVABLE, "-solveAStar", "h2", "-maxNodes", "1000000")
    exhausted = tilewise("classic", *table, *arguments)
    assert exhausted.stdout == (
        "No Solution Found: all 483840 nodes that can be generated were generated\n"
    )
    assert exhausted.returncode == 10
    reason = "tilewise: unsolvable: no moves lead from 7b2 853 641 to b12 345 678"
    assert stuck.stderr == exhausted.stderr
    assert stuck.stderr.startswith(reason)


def test_the_exit_code_is_that_of_the_first_failure(tilewise: Run) -> None:
    limit, illegal = f'setState "{UNSOLVABLE}" solveBeam 2 maxNodes 5\n', "move sideways\n"
    assert tilewise("classic", input=limit + illegal + "printState").returncode == 20
    assert tilewise("classic", input=illegal + limit + "printState").returncode == 2
