"""Proofs in passes: never wrong on boards of known distance, the same counters however often they
are stopped, by whatever, and whoever searches the subtrees."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import tilewise as tw
from tests.conftest import Run
from tests.oracles.samples import whole
from tilewise import native
from tilewise.core.build_context import BuildContext
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.result import StoppedBy
from tilewise.native import SubtreeCount
from tilewise.proofs import checkpoint, comparing, proving, tables
from tilewise.proofs import state as proof_state
from tilewise.proofs.executors import PassTask, Report, ThreadsHere
from tilewise.proofs.proving import prove
from tilewise.proofs.settled import Settled
from tilewise.proofs.state import ProofState
from tilewise.puzzle.board import Board, Goal, way_back
from tilewise.suites import load
from tilewise.tables.patterns.lookup import bytes_of

KORF = load("korf100").instances
BOARD, SPEC = KORF[16], "pdb(5-5-5)"
SOLUTION = "LLDDDRURRUULLLDDRRURULLLDRRDDLLURDRRUUULLLDRDDRRUUULLDDLDRRRUUULLL"
"""Number 17: 66 moves; the passes below generate some million nodes, cut into subtrees."""
SLOW = "pdb(3-3-3-3-3)"
"""With it a proof lasts long enough to be killed again and again: 34 million nodes for number 17,
170 million for number 88."""
HANG_GUARD = 300


def counters(state: ProofState) -> list[tuple[int, int, int, int]]:
    return [(each.bound, each.expanded, each.generated, each.max_depth) for each in state.passes]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> ProofState:
    path = tmp_path_factory.mktemp("proof") / "whole.proof"
    result = prove(BOARD.board, goal="first", incumbent=SOLUTION, heuristic=SPEC, checkpoint=path)
    assert result.optimal and result.cost == BOARD.optimal
    return checkpoint.read(path)


@pytest.mark.parametrize("spec", ["pdb(4-4)", "pdb(4-4, 3-5, 2-2-4)", "manhattan"])
def test_what_is_proved_is_the_distance(spec: str) -> None:
    known = whole("3x3", "first")
    for at in random.Random(spec).sample(range(len(known.tiles)), 12):
        board = Board(3, 3, tuple(map(int, known.tiles[at])))
        longer = tw.solve(board, goal="first", algorithm="human").moves
        result = prove(board, goal="first", incumbent=longer, heuristic=spec)
        assert result.optimal and result.cost == result.bound == known.distance[at]


def test_the_passes_are_those_of_idastar(uninterrupted: ProofState) -> None:
    found = tw.solve(
        BOARD.board,
        goal="first",
        algorithm="idastar(prune=8)",
        heuristic=SPEC,
        incumbent=SOLUTION,
    )
    assert found.stats.generated == uninterrupted.generated
    assert found.stats.expanded == sum(each.expanded for each in uninterrupted.passes)
    assert found.stats.iterations == len(uninterrupted.passes)


def test_a_proof_that_is_stopped_again_and_again_has_the_same_counters(
    tmp_path: Path, uninterrupted: ProofState
) -> None:
    path, stops = tmp_path / "stopped.proof", 0
    cancel = Event()

    class Stopping(ThreadsHere):
        """Does some subtrees, then gives up."""

        def search(
            self, task: PassTask, roots: Sequence[tuple[int, str]], report: Report
        ) -> str | None:
            some = random.Random(len(roots)).sample(roots, min(len(roots), 301))
            found = super().search(task, some, report)
            if len(some) < len(roots):
                cancel.set()
            return found

    while not (path.exists() and checkpoint.read(path).proved):
        assert stops < 200
        cancel.clear()
        prove(
            BOARD.board,
            goal="first",
            incumbent=SOLUTION,
            heuristic=SPEC,
            checkpoint=path,
            executor=Stopping(2),
            cancel=cancel,
        )
        stops += 1
    assert stops > 2 and counters(checkpoint.read(path)) == counters(uninterrupted)


def process(number: int, incumbent: str, path: Path) -> subprocess.Popen[bytes]:
    text = f"{KORF[number - 1].board} --goal first"
    command = [sys.executable, "-m", "tilewise", "prove", text, "-H", SLOW, "--threads", "1"]
    command += ["--incumbent", incumbent, "--checkpoint", str(path), "--every", "0.01"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def nodes_in(path: Path) -> int:
    return checkpoint.read(path).generated if path.exists() else 0


@pytest.mark.parametrize(
    ("number", "times"), [(17, 3), pytest.param(88, 20, marks=pytest.mark.full)]
)
def test_kill_9_after_checkpoints_have_moved_on_changes_nothing(
    tmp_path: Path, number: int, times: int
) -> None:
    board = KORF[number - 1]
    incumbent = tw.solve(board.board, goal="first").moves
    assert incumbent is not None
    path, moments, killed = tmp_path / "killed.proof", random.Random(times), 0
    for _ in range(times):
        before = nodes_in(path)
        running = process(number, incumbent, path)
        while running.poll() is None and nodes_in(path) == before:
            time.sleep(0.002)
        time.sleep(moments.uniform(0.0, 0.05))
        running.send_signal(signal.SIGKILL)
        killed += running.wait(HANG_GUARD) == -signal.SIGKILL and nodes_in(path) > before
    assert killed > times // 2  # the others had come to their end
    assert process(number, incumbent, path).wait(HANG_GUARD) == 0
    state, whole_path = checkpoint.read(path), tmp_path / "whole.proof"
    assert state.proved and state.bound == board.optimal
    prove(board.board, goal="first", incumbent=incumbent, heuristic=SLOW, checkpoint=whole_path)
    assert counters(state) == counters(checkpoint.read(whole_path))


def test_a_solution_that_is_too_long_is_replaced_by_the_shortest(tmp_path: Path) -> None:
    easy = KORF[11]
    longer = tw.solve(easy.board, goal="first", algorithm="human").moves
    assert longer is not None and len(longer) > easy.best
    result = prove(easy.board, goal="first", incumbent=longer, heuristic=SPEC)
    assert result.optimal and result.cost == easy.optimal


def test_a_probe_finds_a_shorter_solution_before_the_passes_come_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proof_state, "SMALL_PASS", 1)  # passes are small on this board
    easy = KORF[11]
    longer = tw.solve(easy.board, goal="first", algorithm="human").moves
    assert longer is not None and len(longer) > easy.best + 2
    bounds: list[tuple[int, str | None]] = []

    class Noting(ThreadsHere):
        """Notes what probes find."""

        def probe(
            self, task: PassTask, nodes: int, ended: Callable[[], bool]
        ) -> tuple[str | None, int]:
            moves, made = super().probe(task, nodes, ended)
            bounds.append((task.bound, moves))
            assert moves is None or len(moves) <= task.bound
            return moves, made

    def proof(incumbent: str | None, executor: ThreadsHere) -> tw.Result:
        return prove(
            easy.board,
            goal="first",
            incumbent=incumbent,
            heuristic="pdb(3-3-3-3-3)",
            executor=executor,
        )

    probed = proof(longer, Noting(2))
    assert probed.optimal and probed.cost == easy.optimal
    assert any(moves is not None for _, moves in bounds)
    optimal = proof(probed.moves, ThreadsHere(2))
    assert optimal.optimal and optimal.stats.generated <= probed.stats.generated


def test_a_probe_of_all_nodes_finds_the_shortest_solution_or_none() -> None:
    known = whole("3x3", "first")
    for at in random.Random(5).sample(range(len(known.tiles)), 25):
        board, depth = Board(3, 3, tuple(map(int, known.tiles[at]))), int(known.distance[at])
        for bound, found in ((depth, True), (depth - 2, False)):
            if bound < 0:
                continue
            task = PassTask(str(board), "first", "pdb(4-4, 3-5)", 8, "UDLR", bound, 0)
            moves, _ = ThreadsHere(2).probe(task, 10_000_000, lambda: False)
            assert (moves is not None) == found
            assert moves is None or len(moves) == depth


def test_the_memory_limit_counts_tables() -> None:
    made: list[int] = []

    def noted(*args: Any, memory: int, **more: Any) -> tuple[bool, str | None]:
        made.append(memory)
        return False, None

    task = PassTask("1b2 345 678", "first", "pdb(4-4)", 0, "UDLR", 1, 0)
    tables = bytes_of(build_heuristic(task.heuristic, Goal.blank_first(3, 3)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(native, "search_subtrees", noted)
        for memory in (tables + 7, 1):
            ThreadsHere(1, memory).search(task, [(0, "")], lambda done, nodes: False)
    assert tables > 0 and made == [7, 0]


def test_a_bound_never_rises_before_all_subtrees_are_done() -> None:
    bounds = []

    class Half(ThreadsHere):
        """Leaves out every other subtree."""

        def search(
            self, task: PassTask, roots: Sequence[tuple[int, str]], report: Report
        ) -> str | None:
            bounds.append(task.bound)
            return super().search(task, roots[::2] if len(roots) > 1 else roots, report)

    result = prove(
        BOARD.board,
        goal="first",
        incumbent=SOLUTION,
        heuristic=SPEC,
        executor=Half(1),
        limits=tw.Limits(seconds=60),
    )
    assert result.optimal and len(bounds) > len(set(bounds)) and bounds == sorted(bounds)


def test_a_subtree_that_is_told_twice_is_counted_once(uninterrupted: ProofState) -> None:
    counted = []

    class Repeating(ThreadsHere):
        """Tells of every subtree twice, as a cluster may whose worker was slow."""

        def search(
            self, task: PassTask, roots: Sequence[tuple[int, str]], report: Report
        ) -> str | None:
            def twice(done: list[SubtreeCount], generated: int) -> bool:
                return report(done + done, generated)

            return super().search(task, roots, twice)

    prove(
        BOARD.board,
        goal="first",
        incumbent=SOLUTION,
        heuristic=SPEC,
        executor=Repeating(2),
        watch=lambda state, _: counted.append(counters(state)),
    )
    assert counted[-1] == counters(uninterrupted)[: len(counted[-1])] != []


def test_the_time_of_very_many_passes_is_not_estimated(uninterrupted: ProofState) -> None:
    longer = replace(uninterrupted, incumbent="UD" * 900 + SOLUTION, bound=uninterrupted.bound - 4)
    assert longer.seconds_left is None
    assert replace(longer, incumbent=SOLUTION).seconds_left is not None


def test_a_board_of_more_than_25_cells_is_refused(tilewise: Run) -> None:
    board = "6x6:" + ",".join(map(str, [1, 0, *range(2, 36)]))
    done = tilewise("prove", board, "-H", "manhattan")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tilewise: error: expected a board of at most 25 cells, got 6x6\n"


INTERRUPTED = """
import os, signal, threading
from tilewise.proofs.proving import prove
from tilewise.proofs.settled import Settled
from tilewise.suites import load
board = load("korf24").instances[49].board
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    print(prove(board, goal="first", heuristic="manhattan").status)
except KeyboardInterrupt:  # it came before the proof, on a busy machine
    print("cancelled")
"""


def test_ctrl_c_while_a_solution_is_looked_for_ends_the_proof() -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.split(), done.stderr) == (["cancelled"], "")


def test_a_shorter_incumbent_takes_the_place_of_the_checkpoints_and_no_other(
    tmp_path: Path, uninterrupted: ProofState
) -> None:
    path = _written(tmp_path / "x.proof", uninterrupted)
    stopped = Event()
    stopped.set()
    for incumbent, length in (("RL" + SOLUTION, 66), (SOLUTION, 66)):
        prove(BOARD.board, goal="first", incumbent=incumbent, checkpoint=path, cancel=stopped)
        assert checkpoint.read(path).cost == length
    longer = checkpoint.read(path)
    longer.incumbent, longer.bound = "RL" + SOLUTION, 64
    checkpoint.write(path, longer)
    prove(BOARD.board, goal="first", incumbent=SOLUTION, checkpoint=path, cancel=stopped)
    assert checkpoint.read(path).cost == 66


@pytest.mark.parametrize("damage", ["cut", "bit", "other"])
def test_a_damaged_checkpoint_is_refused(
    tmp_path: Path, uninterrupted: ProofState, damage: str
) -> None:
    path = tmp_path / "bad.proof"
    checkpoint.write(path, uninterrupted)
    text = path.read_text()
    if damage == "cut":
        path.write_text(text[:-20])
    elif damage == "bit":
        bound = uninterrupted.bound  # the changed one would be sensible
        path.write_text(text.replace(f'"bound": {bound}', f'"bound": {bound - 2}', 1))
    else:
        path.write_text("{}")
    with pytest.raises(tw.TilewiseError, match="expected a checkpoint"):
        prove(BOARD.board, goal="first", checkpoint=path)


@pytest.mark.parametrize(
    "forged",
    [
        {"bound": "31"},
        {"bound": -5},
        {"bound": 67},
        {"bound": 10**30},
        {"words": 13},
        {"order": "UUUU"},
        {"incumbent": ["U"]},
        {"tables": [1]},
        {"tables": {"a": "b"}},
        {"machines": 5},
        {"heuristic_if_long": 5},
        {"looked": "x"},
        {"found_after": float("inf")},
        {"probed": -1},
        {"first_cost": "long"},
        {"passes": [3]},
        {"passes": [{"bound": 60, "wanted": 1, "generated": "many"}]},
        {"passes": [{"bound": 60, "wanted": 1, "seconds": float("nan")}]},
        {"passes": [{"bound": 60, "wanted": 1, "heuristic": 4}]},
        {"current": {"bound": 60, "wanted": 1, "roots": 10**12, "done": "00"}},
        {"current": {"bound": 60, "wanted": 10**15, "roots": 1, "done": "00"}},
        {"current": {"bound": 2**40, "wanted": 1, "roots": 1, "done": "00"}},
        {"current": "x"},
    ],
)
def test_a_checkpoint_that_makes_no_sense_is_refused_whatever_its_checksum(
    tmp_path: Path, uninterrupted: ProofState, forged: dict[str, object]
) -> None:
    path = _written(tmp_path / "forged.proof", uninterrupted)
    body = {**json.loads(path.read_text()), **forged}
    path.write_text(json.dumps({**body, "check": checkpoint._check(body)}))
    with pytest.raises(tw.TilewiseError, match="expected a checkpoint"):
        prove(BOARD.board, goal="first", checkpoint=path)


def test_a_heuristic_in_a_checkpoint_must_be_one_for_proofs(
    tmp_path: Path, uninterrupted: ProofState
) -> None:
    state = checkpoint.read(_written(tmp_path / "other.proof", uninterrupted))
    state.heuristic, state.tables = "sum(misplaced, manhattan)", {}
    checkpoint.write(tmp_path / "other.proof", state)
    with pytest.raises(tw.TilewiseError, match=r"expected pdb.* or manhattan for a proof"):
        prove(BOARD.board, goal="first", checkpoint=tmp_path / "other.proof")


def test_a_pipe_in_place_of_a_checkpoint_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.proof")
    with pytest.raises(tw.TilewiseError, match="a pipe in place of a file"):
        prove(BOARD.board, goal="first", checkpoint=tmp_path / "pipe.proof")


def test_the_checkpoint_of_another_board_is_refused(
    tmp_path: Path, uninterrupted: ProofState
) -> None:
    path = tmp_path / "other.proof"
    checkpoint.write(path, uninterrupted)
    with pytest.raises(tw.TilewiseError, match="expected the checkpoint of"):
        prove(KORF[0].board, goal="first", checkpoint=path)


def test_tables_that_changed_are_refused(tmp_path: Path, uninterrupted: ProofState) -> None:
    path = tmp_path / "tables.proof"
    state = checkpoint.read(_written(path, uninterrupted))
    state.tables = dict.fromkeys(state.tables, 1)
    checkpoint.write(path, state)
    with pytest.raises(tw.TilewiseError, match="expected the tables"):
        prove(BOARD.board, goal="first", checkpoint=path)


def _written(path: Path, state: ProofState) -> Path:
    checkpoint.write(path, state)
    return path


@pytest.mark.filterwarnings("ignore:the checkpoint could not be written")
def test_a_folder_that_is_gone_does_not_end_a_proof(tmp_path: Path) -> None:
    result = prove(
        BOARD.board,
        goal="first",
        incumbent=SOLUTION,
        heuristic=SPEC,
        checkpoint=tmp_path / "gone" / "x.proof",
    )
    assert result.optimal and result.note is not None and "could not be written" in result.note


def test_tables_are_built_within_the_limit_of_time(tmp_path: Path) -> None:
    goal = Goal(Board(4, 4, (1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 4, 8, 12, 0)))
    board = goal.board.move("U").move("L")
    scattered = "pdb(ABAC/BABC/ACAB/CBA.)"  # no other test has made its tables
    for incumbent, status in ((None, tw.Status.LIMIT), ("LRRD", tw.Status.SOLVED)):
        result = prove(
            board,
            goal=goal.board,
            heuristic=scattered,
            incumbent=incumbent,
            checkpoint=tmp_path / "x.proof",
            limits=tw.Limits(seconds=1e-3),
        )
        assert result.status is status and result.stopped_by is StoppedBy.SECONDS
        assert (result.bound, result.stats.generated) == (2, 0)
    assert not (tmp_path / "x.proof").exists()


def test_an_incumbent_must_solve_the_board() -> None:
    with pytest.raises(tw.TilewiseError, match="expected an incumbent that solves"):
        prove("142 3b5 678", goal="first", incumbent="DU", heuristic="manhattan")


def test_a_heuristic_without_tables_is_refused() -> None:
    with pytest.raises(tw.TilewiseError, match=r"expected pdb.* or manhattan for a proof"):
        prove("142 3b5 678", goal="first", heuristic="linear_conflict")


def test_solved_and_unsolvable_boards_need_no_pass() -> None:
    assert prove(Goal.blank_first(3, 3).board, heuristic="manhattan").cost == 0
    assert prove("b12 345 687", goal="first").status is tw.Status.UNSOLVABLE


def test_the_list_of_proofs_says_how_far_they_are(
    tmp_path: Path, uninterrupted: ProofState
) -> None:
    checkpoint.write(tmp_path / "a.proof", uninterrupted)
    begun = checkpoint.read(tmp_path / "a.proof")
    while begun.proved:
        last = begun.passes.pop()
        begun.bound = last.bound
    checkpoint.write(tmp_path / "b.proof", begun)
    command = [sys.executable, "-m", "tilewise", "proofs", str(tmp_path)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0].startswith("a.proof: 66 moves, proved with")
    assert lines[1].startswith("b.proof: 66 moves, at least 64 (gap 2)")
    answer = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    facts = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [each["proved"] for each in facts] == [True, False]
    assert facts[0]["generated"] == uninterrupted.generated
    (tmp_path / "a.proof").write_text("damaged")
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 2 and "a.proof" in answer.stderr
    assert answer.stdout.splitlines() == lines[1:]


def test_beams_look_for_a_solution_again_before_a_long_pass(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(proof_state, "LONG_PASS", 10_000)
    monkeypatch.setattr(proving, "FIRST_LOOK", 1e-3)
    looks: list[tuple[str | None, float]] = []

    def noted(*args: Any, incumbent: str | None, limits: tw.Limits, **more: Any) -> tw.Result:
        looks.append((incumbent, limits.seconds or 0.0))
        return tw.solve(*args, incumbent=incumbent, limits=limits, **more)

    monkeypatch.setattr(proving, "solve", noted)
    path = tmp_path / "look.proof"
    result = prove(BOARD.board, goal="first", heuristic=SPEC, checkpoint=path, looking=0.5)
    assert result.optimal and result.cost == BOARD.optimal
    assert looks[0] == (None, 1e-3) and len(looks) > 1 and looks[1][0] is not None
    state = checkpoint.read(path)
    assert state.first_cost is not None and state.first_cost >= BOARD.best
    assert state.looked > 0 and state.found_after > 0
    looks.clear()
    given = prove(BOARD.board, goal="first", heuristic=SPEC, incumbent=SOLUTION)
    assert given.optimal and not looks


def test_a_long_proof_goes_on_with_more_tables_and_the_counters_of_each(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, uninterrupted: ProofState
) -> None:
    few, many, cancel = "pdb(5-5-5)", "pdb(6-6-3)", Event()
    path = tmp_path / "all.proof"
    prove(BOARD.board, goal="first", incumbent=SOLUTION, heuristic=many, checkpoint=path)
    with_many = checkpoint.read(path)

    def begun(path: Path) -> Path:
        cancel.set()
        proof(path, heuristic=few)
        state = checkpoint.read(path)
        assert not state.passes
        state.heuristic_if_long = many
        cancel.clear()
        return _written(path, state)

    def proof(path: Path, heuristic: str | None = None) -> tw.Result:
        return prove(
            BOARD.board,
            goal="first",
            incumbent=SOLUTION,
            heuristic=heuristic,
            checkpoint=path,
            cancel=cancel,
        )

    monkeypatch.setattr(proof_state, "LONG_PASS", 10_000)
    for long, changes in ((10**12, False), (1_000_000, True)):
        monkeypatch.setattr(proof_state, "LONG_PROOF", long)
        path = begun(tmp_path / f"{long}.proof")
        result, state = proof(path), checkpoint.read(path)
        assert result.optimal and result.cost == BOARD.optimal
        assert state.heuristic == (many if changes else few)
        used = [each.heuristic for each in state.passes]
        assert used[0] == few and used[-1] == state.heuristic
        change = used.index(state.heuristic)
        known = {each[0]: each for each in counters(with_many if changes else uninterrupted)}
        assert counters(state)[:change] == counters(uninterrupted)[:change]
        assert counters(state)[change:] == [known[each.bound] for each in state.passes[change:]]


def test_a_proof_begins_with_one_partition_where_the_collection_is_not_in_the_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(tables, "build_heuristic", lambda spec, *rest: begun.append(spec))
    goal, limits = Goal.blank_last(5, 5), tw.Limits(memory=2**40)
    for there, spec, later in (
        (True, "pdb(6-6-6-6x4)", None),
        (False, "pdb(6-6-6-6)", "pdb(6-6-6-6x4)"),
    ):
        monkeypatch.setattr(tables, "in_cache", lambda patterns, cancelled, there=there: there)
        assert tables.heuristic_for(goal, None, limits, BuildContext())[1] == later
        assert begun.pop() == spec
    assert tables.heuristic_for(goal, "manhattan", limits, BuildContext())[1] is None


def test_a_look_ends_when_nothing_better_has_come_for_a_while() -> None:
    cancel = Event()
    settled = Settled(0.0, cancel)
    assert not settled.is_set()  # it waits for a first solution
    settled.put_off()
    assert settled.is_set()
    patient = Settled(1e9, cancel)
    patient.put_off()
    assert not patient.is_set()
    cancel.set()
    assert patient.is_set()


def test_an_unsolvable_board_gets_its_certificate_without_a_checkpoint(
    tilewise: Run, tmp_path: Path
) -> None:
    files = ("--checkpoint", "u.proof", "--certificate", "u.json")
    assert tilewise("prove", "b12 345 687", "--goal", "first", *files).returncode == 10
    assert json.loads((tmp_path / "u.json").read_text())["proof"] == "parity"


@pytest.mark.parametrize(
    ("option", "value"),
    [("--every", "nan"), ("--every", "-1"), ("--every", "0"), ("--threads", "1025")],
)
def test_an_option_that_makes_no_sense_is_refused(tilewise: Run, option: str, value: str) -> None:
    refused = tilewise("prove", "8b6 547 231", "-H", "manhattan", option, value)
    assert refused.returncode == 2 and f"for {option}, got" in refused.stderr


def test_the_checksums_of_tables_end_when_they_are_cancelled() -> None:
    h = build_heuristic("pdb(4-4)", Goal.blank_first(3, 3))
    looks = 0

    def second_look() -> bool:
        nonlocal looks
        looks += 1
        return looks == 2

    with pytest.raises(tw.TilewiseError, match="stopped"):
        tables.checksums_of(h, second_look)
    assert looks == 2 and len(tables.checksums_of(h)) == 2


def test_a_proof_that_is_cancelled_at_the_checksums_of_more_tables_keeps_its_heuristic() -> None:
    board = load("korf24").instances[0].board
    position = tw.read_position(board, "first")
    run = proving._Run(position, tw.Limits(), None, None, 30.0, None)
    small, more = "manhattan", "pdb(3-3-3-3-3-3-3-3)"
    run.state = ProofState(
        board=str(board), goal="first", heuristic=small, words=0, order="UDLR", incumbent=None,
        bound=0, heuristic_if_long=more,
    )  # fmt: skip
    h = build_heuristic(more, position.goal)  # the tables are there: only checksums are left
    assert len(tables.checksums_of(h)) > 1
    asked = []

    def cancelled() -> bool:
        asked.append(run.state)
        return True

    with pytest.raises(tw.TilewiseError):
        run.with_more_tables(BuildContext(cancelled=cancelled))
    assert asked and (run.state.heuristic, run.state.heuristic_if_long) == (small, more)
    assert run.state.tables == {}


def test_a_proof_goes_on_from_the_side_that_has_fewer_nodes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, uninterrupted: ProofState
) -> None:
    by_cells = "pdb(5-5-5+dual)"
    monkeypatch.setattr(proof_state, "COMPARED_PASS", 20_000)
    monkeypatch.setattr(proof_state, "LONG_PASS", 20_000)
    monkeypatch.setattr(proof_state, "LONG_PROOF", 1)
    monkeypatch.setattr(comparing, "TIME_OF_A_NODE", 1)
    goal = Goal.blank_first(4, 4)
    nodes = {}
    for side, seen in (
        ("start", (BOARD.board, goal, SOLUTION)),
        ("goal", (goal.board, Goal(BOARD.board), way_back(SOLUTION))),
    ):
        path = tmp_path / f"{side}.proof"
        board, to, moves = seen
        prove(board, goal=to, incumbent=moves, heuristic=by_cells, checkpoint=path)
        nodes[side] = {each.bound: each.generated for each in checkpoint.read(path).passes}
    state = _begun_with(tmp_path / "both.proof", heuristic_by_cells=by_cells)
    result = prove(BOARD.board, goal="first", checkpoint=state)
    done = checkpoint.read(state)
    assert result.optimal and result.cost == BOARD.optimal and done.heuristic_by_cells is None
    changed = next(n for n, each in enumerate(done.passes) if each.heuristic == by_cells)
    last = done.passes[changed - 1]
    counted = {side: of_side[last.bound] for side, of_side in nodes.items()}
    assert min(counted.values()) < last.generated
    assert done.side == min(counted, key=counted.__getitem__)
    assert counters(done)[:changed] == counters(uninterrupted)[:changed]
    for each in done.passes[changed:]:
        assert each.side == done.side and each.generated == nodes[done.side][each.bound]


@pytest.mark.parametrize("side", ["start", "goal"])
def test_a_solution_found_from_either_side_solves_the_board(tmp_path: Path, side: str) -> None:
    solved = tw.solve("8b6 547 231", goal="first", algorithm="human")
    assert solved.moves is not None and len(solved.moves) > 31
    heuristic = "pdb(4-4+dual)"
    goal = Goal.blank_first(3, 3) if side == "start" else Goal(Board.parse("8b6 547 231"))
    path = _begun_with(
        tmp_path / "long.proof",
        board="8b6 547 231",
        incumbent=solved.moves,
        heuristic=heuristic,
        side=side,
        tables=tables.checksums_of(build_heuristic(heuristic, goal)),
    )
    result = prove("8b6 547 231", goal="first", checkpoint=path)
    assert result.optimal and result.cost == 31
    assert all(each.side == side for each in checkpoint.read(path).passes)


def test_a_side_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    path = _begun_with(tmp_path / "side.proof", side="middle")
    with pytest.raises(tw.TilewiseError, match="expected a checkpoint"):
        prove(BOARD.board, goal="first", checkpoint=path)


def _begun_with(path: Path, **changes: Any) -> Path:
    """The checkpoint of a proof that has not begun its passes, with other values."""
    board = changes.pop("board", BOARD.board)
    cancel = Event()
    cancel.set()
    prove(
        board,
        goal="first",
        incumbent=changes.pop("incumbent", SOLUTION),
        heuristic=changes.pop("heuristic", SPEC),
        checkpoint=path,
        cancel=cancel,
    )
    return _written(path, replace(checkpoint.read(path), **changes))
