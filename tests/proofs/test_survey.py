"""Surveys of proofs: exact where all subtrees are searched, near the truth where some are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tilewise as tw
from tests.conftest import Run
from tilewise.proofs import checkpoint
from tilewise.proofs.executors import ThreadsHere
from tilewise.proofs.proving import prove
from tilewise.proofs.state import PassState, ProofState
from tilewise.proofs.survey import PassSurvey, Sampler, SurveyClock, survey

BOARD = "14 1 9 6/4 8 12 5/7 2 3 0/10 11 13 15 --goal first"
"""Korf's number 12: 45 moves."""
LONG = "9 8 0 2/15 1 4 14/3 10 7 5/11 13 6 12 --goal first"
"""Korf's number 29: 54 moves, 20 million nodes below."""


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> ProofState:
    """A proof with all of its passes."""
    path = tmp_path_factory.mktemp("survey") / "whole.proof"
    assert prove(LONG, heuristic="manhattan", checkpoint=path).optimal
    return checkpoint.read(path)


def unfinished(whole: ProofState, passes: int) -> ProofState:
    """The proof as it was before its last passes."""
    done = whole.passes[:-passes]
    left: PassState = whole.passes[-passes]
    return ProofState(
        board=whole.board,
        goal=whole.goal,
        heuristic=whole.heuristic,
        words=whole.words,
        order=whole.order,
        incumbent=whole.incumbent,
        bound=left.bound,
        tables=whole.tables,
        passes=done,
    )


def sampled(state: ProofState, subtrees: int | None, seed: int = 1) -> tuple[PassSurvey, ...]:
    position = tw.read_position(LONG)
    sampler = Sampler(position, state, ThreadsHere(2), SurveyClock(600.0, None), seed, subtrees)
    return sampler.passes()


def test_a_survey_of_all_subtrees_counts_the_nodes_of_the_passes(proved: ProofState) -> None:
    assert len(proved.passes) >= 3
    found = sampled(unfinished(proved, 3), subtrees=None)
    assert [each.bound for each in found] == [each.bound for each in proved.passes[-3:]]
    assert [each.nodes for each in found] == [each.generated for each in proved.passes[-3:]]
    assert all(each.error == 0 and each.searched == each.subtrees for each in found)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_sample_is_as_near_to_the_nodes_as_its_error_says(proved: ProofState, seed: int) -> None:
    (found,) = sampled(unfinished(proved, 1), subtrees=500, seed=seed)
    nodes = proved.passes[-1].generated
    assert found.searched == 500 < found.subtrees
    assert found.error is not None and 0 < found.error < nodes / 2
    assert abs(found.nodes - nodes) < 4 * found.error


def test_a_sample_is_the_same_for_one_seed_and_another_for_another(proved: ProofState) -> None:
    def nodes(seed: int) -> float:
        return sampled(unfinished(proved, 1), subtrees=64, seed=seed)[0].nodes

    assert nodes(1) == nodes(1) != nodes(2)


def test_a_solution_in_a_sample_makes_larger_passes_needless(proved: ProofState) -> None:
    state = unfinished(proved, 1)
    assert state.incumbent is not None
    state.incumbent += "LRLR" if state.incumbent[-1] in "UD" else "UDUD"
    too_long = len(state.incumbent)
    found = sampled(state, subtrees=None)
    assert too_long > proved.bound
    assert [each.bound for each in found] == [proved.bound - 2]
    assert state.cost == proved.bound


def test_a_pass_whose_subtrees_are_too_large_is_guessed_by_growth(proved: ProofState) -> None:
    state = unfinished(proved, 1)
    last, before = state.passes[-1].generated, state.passes[-2].generated
    position, no_time = tw.read_position(LONG), SurveyClock(0.0, None)
    (found,) = Sampler(position, state, ThreadsHere(2), no_time).passes()
    assert found.error is None
    assert found.nodes == last * last / before


def test_a_proof_that_ends_within_the_survey_leaves_nothing() -> None:
    found = survey(BOARD, heuristic="manhattan")
    assert found.proved and found.passes == () and found.nodes == 0
    assert found.cost == 45


def test_a_survey_goes_on_with_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "one.proof"
    found = survey(BOARD, heuristic="manhattan", checkpoint=path)
    assert checkpoint.read(path).bound == found.bound


def test_the_command_says_what_is_left_and_that_it_is_an_estimate(tilewise: Run) -> None:
    hard = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0 --goal first"
    done = tilewise("prove", hard, "-H", "manhattan", "--survey", "--seconds", "4")
    assert done.returncode == 0, done.stderr
    first, left, head, *rows = done.stdout.splitlines()
    assert "; at least " in first and "so far" in first
    assert left.startswith("left, an estimate: ") and ", about " in left
    assert head.split() == ["bound", "subtrees", "searched", "nodes"]
    assert rows


def test_the_json_of_a_survey_that_is_proved(tilewise: Run) -> None:
    done = tilewise("prove", BOARD, "-H", "manhattan", "--survey", "--json")
    facts = json.loads(done.stdout)
    assert facts["proved"] and facts["gap"] == 0 and facts["estimated_nodes_left"] == 0


def test_a_survey_of_an_unsolvable_board_says_so(tilewise: Run) -> None:
    done = tilewise("prove", "2 1 3 4/5 6 7 8/9 10 11 12/13 14 15 0 --goal last", "--survey")
    assert done.returncode == 10
    assert "cannot reach" in done.stdout


def test_a_survey_writes_no_certificate(tilewise: Run, tmp_path: Path) -> None:
    files = ("--checkpoint", str(tmp_path / "a.proof"), "--certificate", str(tmp_path / "a.json"))
    done = tilewise("prove", BOARD, "--survey", *files)
    assert done.returncode == 2
    assert "a survey proves nothing" in done.stderr
