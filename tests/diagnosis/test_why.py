"""The count doctor: it names the rule behind a count, and what it says of the rule is true."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.conftest import Run
from tests.oracles.puzzle import by_depth, distances
from tilewise import Board, Goal, Limits, Rules, TilewiseError, solve
from tilewise.core.result import Status
from tilewise.diagnosis.counterexamples import smallest
from tilewise.diagnosis.counting import CountLimit, Measuring, run
from tilewise.diagnosis.findings import Diagnosis, Explanation
from tilewise.diagnosis.rule_variants import (
    ORDERS,
    RuleVariant,
    Settings,
    profile_variants,
    variants,
)
from tilewise.diagnosis.why import Observation, diagnose

COURSE = Board.parse("8,6,4,2,1,3,5,7,0")
TABLE = Board.parse("321 574 6b8")
DEEP = Board.parse("4,6,2,7,1,5,3,0,8")
FIRST = Goal.blank_first(3, 3)
A_STAR = ("-a", "astar", "-H", "manhattan")


def rules_of(found: Diagnosis) -> list[str | None]:
    return [each.rules for each in found.explanations]


def explained(found: Diagnosis, rules: str, **facts: object) -> Explanation:
    """The explanation with these rules and facts."""
    fitting = [
        each
        for each in found.explanations
        if each.rules == rules and all(getattr(each, k) == v for k, v in facts.items())
    ]
    assert fitting, (rules, rules_of(found))
    return fitting[0]


@pytest.fixture(scope="module")
def sound_count() -> Diagnosis:
    """The count of the sound rule of the course; it measures what the other count needs, too."""
    return diagnose(
        [Observation(COURSE, 1660)], algorithm="astar", heuristic="manhattan", examples=1
    )


@pytest.mark.full
def test_1660_is_the_sound_rule(sound_count: Diagnosis) -> None:
    best = sound_count.explanations[0]
    assert best.rules == "ties=oldest" and best.departures == 1
    assert best.sound and best.counterexample is None and "sound" in best.verdict
    assert best.orders[0] == "UDLR"


@pytest.mark.full
def test_1585_is_the_rule_of_the_course_and_can_miss_the_optimum(sound_count: Diagnosis) -> None:
    found = diagnose(
        [Observation(COURSE, 1585)], algorithm="astar", heuristic="manhattan", examples=1
    )
    best = found.explanations[0]
    assert best.rules == "ties=oldest,duplicates=skip-if-in-frontier"
    assert best.profile == "columbia" and not best.sound
    assert "oldest first" in best.words and "U D L R" in best.words
    assert "skip-if-in-frontier" in best.words and "can miss the optimum" in found.sentence
    example = best.counterexample
    assert example is not None and example.optimal <= 13
    assert distances(FIRST)[example.board.tiles] == example.optimal
    course = solve(example.board, algorithm="astar", heuristic="manhattan", rules="columbia")
    assert course.cost == example.moves > example.optimal


@pytest.mark.parametrize(
    ("count", "heuristic", "blank"),
    [pytest.param(524, "misplaced", True, marks=pytest.mark.full), (213, "manhattan", False)],
)
def test_the_counts_of_the_table_profile_are_explained(
    count: int, heuristic: str, blank: bool
) -> None:
    found = diagnose([Observation(TABLE, count, "generated")], heuristic=heuristic, examples=1)
    profiles = [each for each in found.explanations if each.profile == "eecs391-table"]
    assert [(each.heuristic, each.variant.blank) for each in profiles] == [(heuristic, blank)]
    assert profiles[0].departures == 1
    assert ("blank counted" in profiles[0].words) == blank


def test_without_a_counter_a_profile_is_found_by_what_it_counts() -> None:
    found = diagnose(
        [Observation(TABLE, 213)], algorithm="astar", heuristic="manhattan", examples=0
    )
    assert {each.profile for each in found.explanations[:2]} == {"eecs391", "eecs391-table"}
    assert found.explanations[0].counter == "generated"


HIDDEN = [
    pytest.param(
        *("astar", "manhattan", "order=RLDU,ties=largeh-newest", "expanded"),
        marks=pytest.mark.full,
    ),
    ("astar", "misplaced", "order=LRUD,ties=newest,goal_test=generated", "generated"),
    ("astar", "manhattan", "order=DLRU,ties=h-oldest,duplicates=ancestors(2)", "stored"),
    ("astar", "manhattan", "ties=oldest,duplicates=ancestors(1),count=goal", "expanded"),
    ("astar", "misplaced", "duplicates=closed-when-generated,count=root", "stored"),
    ("astar", "manhattan", "order=URDL,ties=newest,duplicates=skip-if-in-frontier", "max_frontier"),
    ("bfs", None, "order=LUDR,goal_test=generated", "expanded"),
    ("ucs", None, "order=RULD,count=root", "generated"),
    ("dfs", None, "order=RDLU", "max_frontier"),
    ("greedy", "misplaced", "order=UDRL,ties=oldest", "expanded"),
]


@pytest.mark.parametrize(("algorithm", "heuristic", "rules", "counter"), HIDDEN)
def test_a_rule_that_was_hidden_is_found(
    algorithm: str, heuristic: str | None, rules: str, counter: str
) -> None:
    small = Goal.blank_first(2, 3)  # depth-first search walks through most of 3x3
    board = by_depth(small)[9][0] if algorithm == "dfs" else by_depth(FIRST)[8][7]
    result = solve(board, algorithm=algorithm, heuristic=heuristic, rules=rules, engine="python")
    count = getattr(result.stats, counter)
    assert 3 < count < 2000
    seen = Observation(board, count, counter)
    found = diagnose([seen], algorithm=algorithm, heuristic=heuristic, examples=0)
    wanted = Rules.parse(rules)
    ties = wanted.ties if "ties" in rules else Settings.of(algorithm).ties[0]
    assert any(
        wanted.order in each.orders
        and each.variant.rules.duplicates == wanted.duplicates
        and each.variant.rules.goal_test == wanted.goal_test
        and each.variant.rules.ties == ties
        and (each.counting.rule or "none") == wanted.count
        for each in found.explanations
    ), rules_of(found)
    assert all(each.counts == (count,) for each in found.explanations)
    assert [each.departures for each in found.explanations] == sorted(
        each.departures for each in found.explanations
    )


def test_every_way_is_measured_as_the_ordinary_search_counts() -> None:
    stop = CountLimit("expanded", 300, optimal=13)
    compared = stopped = 0
    batches = list(variants(None, None))
    for batch in batches[::29]:
        for variant, counts in zip(batch, Measuring(DEEP, FIRST, stop).counts(batch), strict=True):
            if variant.blank:
                continue
            result = solve(
                DEEP,
                algorithm=variant.algorithm,
                heuristic=variant.heuristic,
                rules=variant.rules,
                engine="python",
                limits=Limits(generated=3000),
            )
            compared += 1
            if counts is None:
                stopped += 1
                assert not result.solved or result.stats.expanded >= 300, variant
            else:
                stats = result.stats
                assert counts[:4] == (
                    stats.expanded,
                    stats.generated,
                    stats.stored,
                    stats.max_frontier,
                )
                assert counts.cost == result.cost
    assert compared > 100 and 0 < stopped < compared


def test_all_orders_ties_duplicates_and_goal_tests_are_in_the_space() -> None:
    manhattan = [
        variant
        for batch in variants("astar", "manhattan")
        for variant in batch
        if not variant.blank
    ]
    assert len(manhattan) == len({variant.rules for variant in manhattan}) == 24 * 6 * 5 * 2
    assert len(ORDERS) == 24 and ORDERS[0] == "UDLR"
    blank = {
        (variant.heuristic, variant.blank) for batch in variants("astar", None) for variant in batch
    }
    assert len(blank) == 4
    assert {variant.profile for variant in profile_variants(None, None)} == {
        "eecs391",
        "eecs391-table",
        "cs170",
    }


def test_a_way_that_is_called_sound_never_misses_the_optimum() -> None:
    goal = Goal.blank_first(2, 3)
    known = distances(goal)
    boards = [Board(2, 3, tiles) for tiles in list(known)[::20]]
    sound = [
        variant
        for batch in variants("astar", None)
        for variant in batch
        if variant.rules.order == "UDLR" and variant.sound
    ]
    assert any(variant.rules.goal_test == "generated" for variant in sound)
    assert any(variant.blank for variant in sound)
    assert any(variant.rules.duplicates == "closed-when-generated" for variant in sound)
    solved = 0
    for variant in sound:
        for board in boards:
            outcome = run(variant, board, goal, CountLimit("expanded", 300))
            if outcome.status is Status.SOLVED:
                solved += 1
                assert len(outcome.moves or "") == known[board.tiles], (variant, board)
    assert solved > len(sound) * len(boards) // 2


@pytest.mark.parametrize("depth", [15, 18])
def test_larger_h_first_makes_careless_duplicates_harmless(depth: int) -> None:
    boards = by_depth(FIRST)[depth][:: len(by_depth(FIRST)[depth]) // 8]
    for ties in ("largeh-newest", "largeh-oldest"):
        for heuristic in ("manhattan", "misplaced"):
            rules = Rules(ties=ties, duplicates="closed-when-generated", goal_test="generated")
            variant = RuleVariant("astar", heuristic, False, rules)
            assert variant.sound and not replace(variant, blank=True).sound
            for board in boards:
                outcome = run(variant, board, FIRST, CountLimit("expanded", 50_000))
                assert len(outcome.moves or "") == depth


def test_the_smallest_counterexample_is_the_smallest() -> None:
    variant = RuleVariant("astar", "manhattan", False, Rules(duplicates="skip-if-in-frontier"))
    finding = smallest(variant, FIRST)
    example = finding.counterexample
    assert example is not None and example.optimal == finding.depth + 1
    for layer in by_depth(FIRST)[: example.optimal]:
        for board in layer:
            result = solve(
                board,
                algorithm="astar",
                heuristic="manhattan",
                rules=variant.rules,
                engine="python",
            )
            assert result.cost == distances(FIRST)[board.tiles]


@pytest.mark.full
def test_a_second_board_narrows_it_down() -> None:
    boards = [Board.parse("312 645 78b"), DEEP]
    counts = [
        solve(board, algorithm="astar", heuristic="manhattan", rules="columbia").stats.expanded
        for board in boards
    ]
    seen = [Observation(b, count, "expanded") for b, count in zip(boards, counts, strict=True)]
    one = diagnose(seen[:1], algorithm="astar", heuristic="manhattan", examples=0)
    both = diagnose(seen, algorithm="astar", heuristic="manhattan", examples=0)
    assert 0 < len(both.explanations) < len(one.explanations)
    assert "ties=oldest,duplicates=skip-if-in-frontier" in rules_of(both)
    assert both.matched == 2


def test_what_tells_explanations_apart_does() -> None:
    found = diagnose(
        [Observation(DEEP, 117, "expanded")], algorithm="astar", heuristic="manhattan", examples=0
    )
    assert found.apart is not None and len(set(found.apart.counts)) > 1
    for each, count in zip(found.explanations, found.apart.counts, strict=False):
        if not each.variant.blank and each.variant.profile is None and each.counting.rule == "none":
            result = solve(
                found.apart.board,
                algorithm="astar",
                heuristic=each.heuristic,
                rules=each.variant.rules,
                engine="python",
            )
            assert result.stats.expanded == count


def test_a_count_that_nothing_gives_has_nearest_ones() -> None:
    found = diagnose([Observation(Board.parse("312 475 68b"), 1, "expanded")])
    assert not found.explanations and found.complete
    assert found.nearest and "no rule known here" in found.sentence
    errors = [abs((each.counts[0] or 0) - 1) for each in found.nearest]
    assert errors == sorted(errors) and errors[0] > 0


def test_when_the_time_is_over_it_says_so() -> None:
    found = diagnose([Observation(Board.parse("8b6 547 231"), 30_000)], seconds=0.05)
    assert not found.complete
    assert found.explanations or "time" in found.sentence


def test_a_board_of_another_shape_and_goal_is_explained() -> None:
    board = Board.parse("1 2 3 4/5 6 7 8/9 10 0 11/13 14 15 12")
    result = solve(board, goal="last", algorithm="astar", heuristic="manhattan", rules="fifo")
    seen = Observation(board, result.stats.generated, "generated")
    found = diagnose([seen], goal="last", algorithm="astar", heuristic="manhattan", examples=0)
    assert "ties=oldest" in rules_of(found)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Observation(COURSE, -1),
        lambda: Observation(COURSE, 5, "seconds"),
        lambda: diagnose([]),
        lambda: diagnose([Observation(COURSE, 5)], algorithm="nonesuch"),
        lambda: diagnose([Observation(COURSE, 5)], heuristic="nothing"),
        lambda: diagnose([Observation(COURSE, 5)], processes=0),
        lambda: diagnose([Observation(Board.parse("b21 345 678"), 5)], goal="first"),
    ],
)
def test_a_request_that_makes_no_sense_is_an_error(wrong: object) -> None:
    with pytest.raises(TilewiseError, match="expected"):
        wrong()  # type: ignore[operator]


@pytest.mark.full
def test_the_program_explains_a_count_on_all_cores(tilewise: Run) -> None:
    answer = tilewise("why", "4,6,2,7,1,5,3,0,8", "--count", "117", *A_STAR)
    assert answer.returncode == 0, answer.stderr
    assert "ties oldest first" in answer.stdout and "order U D L R" in answer.stdout
    assert "skip-if-in-frontier" in answer.stdout
    assert "can miss the optimum: 4,0,5,2,3,1,6,7,8 is solved in 13 moves, 11 are enough" in (
        answer.stdout
    )


def test_the_program_answers_in_json_and_with_an_exit_code(tilewise: Run) -> None:
    found = tilewise("why", "1b2 345 678", "-n", "2", "--json", "-a", "bfs")
    assert found.returncode == 0
    answer = json.loads(found.stdout)
    assert answer["explanations"][0]["departures"] == 0 and answer["complete"]
    missed = tilewise("why", "312 475 68b", "--count", "1", *A_STAR)
    assert missed.returncode == 1 and "no rule known here gives 1" in missed.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("1b2 345 678",), 2, "--count"),
        (("1b2 345 678", "--count", "-5"), 2, "whole number of at least 0"),
        (("1b2 345 678", "--count", "9", "--counter", "nodes"), 2, "expected a counter"),
        (("1b2 345 678", "--count", "9", "--processes", "1000"), 2, "--processes"),
        (("1b2", "--count", "9"), 2, "expected"),
        (("1b2 345 678", "b12 345 678", "-n", "9"), 2, "one --count for each board"),
        (("b21 345 678", "-n", "9"), 10, ""),
    ],
)
def test_the_program_refuses_what_makes_no_sense(
    tilewise: Run, arguments: tuple[str, ...], code: int, words: str
) -> None:
    answer = tilewise("why", *arguments)
    assert answer.returncode == code, answer.stderr
    assert words in answer.stderr and "Traceback" not in answer.stderr
