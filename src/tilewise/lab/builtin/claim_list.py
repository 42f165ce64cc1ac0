"""The claims: the source of each, the runs that test it, and the verdict on their rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewise.core.limits import Limits
from tilewise.lab import Boards, Part, Scramble
from tilewise.lab.builtin import verdicts
from tilewise.lab.builtin.printed_figures import HARD_BOARD, QUEUE_BOARDS
from tilewise.lab.builtin.verdicts import Verdict
from tilewise.lab.measurement_names import BUILT_IN
from tilewise.lab.row import Row

FIRST, SECOND = "eecs391", "eecs391-table"
RANDOM = Scramble("3x3", count=100, seed=1)
NEAR = Scramble("3x3", depth=(2, 4, 6, 8, 10), count=50, seed=1000)
EXACT = Scramble("3x3", depth=(8, 12, 16, 20), count=50, seed=1000)
BEAMS = tuple(f"beam(width={width})" for width in (1, 2, 5, 10, 100, 1000))
WIDTHS = tuple(f"beam(width={width})" for width in (10, 20, 40, 80, 160, 320))
GOAL_BOARD = Boards(("b12 345 678",), goal="first")
H1_H2 = ("h1", "h2")


@dataclass(frozen=True)
class Claim:
    """A sentence of a report and how it is tested."""

    name: str
    source: str
    text: str
    command: str
    parts: tuple[Part, ...]
    judge: Callable[[Sequence[Row]], Verdict]


def _claim(
    name: str,
    source: str,
    text: str,
    command: str,
    judge: Callable[[Sequence[Row]], Verdict],
    *parts: Part,
) -> Claim:
    return Claim(name, source, text, command, parts, judge)


def _nodes(*limits: int) -> tuple[Limits, ...]:
    return tuple(Limits(generated=nodes) for nodes in limits)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "hill-climbing",
        FIRST,
        "a beam of width 1 is hill climbing",
        'tilewise solve "312 475 68b" -a "beam(width=1)" --trace',
        verdicts.hill_climbing,
        Part("hill-climbing", (NEAR,), ("beam(width=1)",), ("sum(misplaced, manhattan)",)),
        Part(
            "hill-climbing",
            (NEAR,),
            heuristics=("sum(misplaced, manhattan)",),
            measure=f"{BUILT_IN}:plain_climbing",
        ),
    ),
    _claim(
        "unlimited-beam",
        FIRST,
        "a beam of unlimited width is breadth-first search",
        'tilewise compare "8b6 547 231" -a bfs -a "beam(width=200000)" --max-nodes 1000000',
        verdicts.unlimited_beam,
        Part("unlimited-beam", (EXACT,), ("bfs", "beam(width=200000)")),
    ),
    _claim(
        "wider-beam",
        FIRST,
        "a wider beam solves more boards",
        'tilewise classic --profile eecs391-table -setState "482 713 b56" -solveBeam 100 '
        "-maxNodes 1000",
        verdicts.wider_beam,
        Part("wider-beam", (RANDOM,), BEAMS, profile=SECOND, limits=_nodes(1000, 1_000_000)),
    ),
    _claim(
        "h1-admissible",
        FIRST,
        "h1, the number of misplaced tiles, is admissible",
        'tilewise check "1b2 345 678"',
        verdicts.h1_admissible,
        Part("h1-admissible", (GOAL_BOARD,), measure=f"{BUILT_IN}:course_heuristics"),
    ),
    _claim(
        "h1-optimal",
        FIRST,
        "A* with h1 finds shortest solutions",
        'tilewise classic -setState "312 475 68b" -solveAStar h1',
        verdicts.always_optimal,
        Part(
            "h1-optimal",
            (EXACT,),
            ("astar",),
            ("h1",),
            profile=FIRST,
            limits=_nodes(1_000_000),
            seeds=(42,),
        ),
    ),
    _claim(
        "h2-better",
        FIRST,
        "h2 is better than h1 in all cases",
        'tilewise compare "8b6 547 231" -a astar -H misplaced -H manhattan',
        verdicts.h2_better,
        Part("h2-better", (NEAR, EXACT), ("astar",), H1_H2, profile=SECOND, limits=_nodes(10**6)),
    ),
    _claim(
        "h2-against-beam",
        FIRST,
        "A* with h2 is also better than a beam below a limit of nodes",
        'tilewise classic --profile eecs391-table -setState "482 713 b56" -solveBeam 10 '
        "-maxNodes 1000",
        verdicts.h2_against_beam,
        Part(
            "h2-against-beam", (RANDOM,), ("astar",), ("h2",), profile=SECOND, limits=_nodes(1000)
        ),
        Part(
            "h2-against-beam", (RANDOM,), ("beam(width=10)",), profile=SECOND, limits=_nodes(1000)
        ),
    ),
    _claim(
        "walk-depth",
        FIRST,
        "a walk of n moves that repeats no state leads to a board n deep",
        "tilewise scramble 3x3 --walk 20 --no-repeats --seed 1 | tilewise solve --file -",
        verdicts.walk_depth,
        Part(
            "walk-depth",
            (Scramble("3x3", walk=tuple(range(2, 25, 2)), repeats=False, count=100, seed=1000),),
            ("astar",),
            ("manhattan",),
        ),
    ),
    _claim(
        "printed-factors",
        FIRST,
        "the printed branching factors are those of the printed nodes",
        "tilewise experiment run efficiency --out efficiency",
        verdicts.printed_factors,
    ),
    _claim(
        "consistent-needed",
        FIRST,
        "A* needs a consistent heuristic to find shortest solutions",
        'tilewise solve "8b6 547 231" -a astar -H "pdb(4-4, mirror=no)"',
        verdicts.consistent_needed,
        Part("consistent-needed", (EXACT,), ("astar",), ("pdb(4-4, mirror=no)",)),
    ),
    _claim(
        "linear-time",
        SECOND,
        "the run time of A* is linear in the nodes it makes",
        f'tilewise classic --profile eecs391-table -setState "{HARD_BOARD}" -solveAStar h2',
        verdicts.linear_time,
        Part(
            "linear-time",
            (EXACT,),
            heuristics=("manhattan",),
            measure=f"{BUILT_IN}:work_with_lists",
        ),
    ),
    _claim(
        "beam-exponential",
        SECOND,
        "the work of a beam grows exponentially with its width k",
        f'tilewise classic --profile eecs391-table -setState "{HARD_BOARD}" -solveBeam 100',
        verdicts.beam_exponential,
        Part("beam-exponential", (RANDOM,), WIDTHS, profile=SECOND, limits=_nodes(10**6)),
    ),
    _claim(
        "few-deviations",
        SECOND,
        "beam solutions are a few standard deviations longer than those of A* (our reading)",
        f'tilewise compare "{HARD_BOARD}" -a astar -a "beam(width=10)" -a "beam(width=100)"',
        verdicts.few_deviations,
        Part(
            "few-deviations", (RANDOM,), ("astar",), ("h2",), profile=SECOND, limits=_nodes(10**6)
        ),
        Part(
            "few-deviations",
            (RANDOM,),
            ("beam(width=10)", "beam(width=100)"),
            profile=SECOND,
            limits=_nodes(10**6),
        ),
    ),
    _claim(
        "none-at-1000",
        SECOND,
        f"at maxNodes 1000 none of the searches solves {HARD_BOARD}",
        f'tilewise classic --profile eecs391-table -setState "{HARD_BOARD}" -solveBeam 10 '
        "-maxNodes 1000",
        verdicts.none_solves,
        Part(
            "none-at-1000",
            (Boards((HARD_BOARD,)),),
            ("astar",),
            H1_H2,
            profile=SECOND,
            limits=_nodes(1000),
        ),
        Part(
            "none-at-1000",
            (Boards((HARD_BOARD,)),),
            ("beam(width=10)", "beam(width=100)"),
            profile=SECOND,
            limits=_nodes(1000),
        ),
    ),
    _claim(
        "h1-at-10000",
        SECOND,
        f"at maxNodes 10,000 A* with h1 solves {HARD_BOARD} with 9879 nodes",
        f'tilewise classic --profile eecs391-table -setState "{HARD_BOARD}" -solveAStar h1 '
        "-maxNodes 50000",
        verdicts.h1_at_10000,
        Part(
            "h1-at-10000",
            (Boards((HARD_BOARD,)),),
            ("astar",),
            ("h1",),
            profile=SECOND,
            limits=_nodes(10_000, 100_000),
        ),
    ),
    _claim(
        "success-at-250",
        SECOND,
        "at maxNodes 250 h1 solves 25 % and h2 60 % of the boards",
        "tilewise experiment run limits --out limits",
        verdicts.success_at_250,
        Part(
            "success-at-250",
            (Scramble("3x3", walk=(50, 60, 75, 100), count=500, seed=1),),
            ("astar",),
            H1_H2,
            profile=SECOND,
            limits=_nodes(250),
        ),
    ),
    _claim(
        "bfs-shortest",
        "columbia",
        "bfs finds a shortest path",
        "tilewise driver bfs 1,2,5,3,4,0,6,7,8 --output -",
        verdicts.always_optimal,
        Part("bfs-shortest", (NEAR,), ("bfs",), profile="columbia"),
    ),
    _claim(
        "ast-shortest",
        "columbia",
        "ast, A* with Manhattan, finds a shortest path",
        "tilewise driver ast 4,6,2,7,1,5,3,0,8 --output -",
        verdicts.always_optimal,
        Part("ast-shortest", (Boards(("4,6,2,7,1,5,3,0,8",)), EXACT), profile="columbia"),
    ),
    _claim(
        "set-membership",
        "columbia",
        "a set finds a state that is known faster than a list does",
        "tilewise driver bfs 1,2,5,3,4,0,6,7,8 --output -",
        verdicts.set_membership,
        Part("set-membership", (NEAR,), ("bfs",), measure=f"{BUILT_IN}:membership"),
    ),
    _claim(
        "queue-figures",
        "cs170",
        "the printed nodes and queue sizes (the last uniform-cost cell apart)",
        "tilewise experiment run queues --out queues",
        verdicts.queue_figures,
        Part("queue-figures", (Boards(tuple(QUEUE_BOARDS)[:-1]),), ("ucs",), profile="cs170"),
        Part(
            "queue-figures",
            (Boards(tuple(QUEUE_BOARDS)),),
            ("astar",),
            ("misplaced", "manhattan"),
            profile="cs170",
        ),
    ),
    _claim(
        "queue-order",
        "cs170",
        "Manhattan expands fewest nodes, misplaced more, uniform cost most",
        'tilewise compare "7 0 3/2 1 5/8 4 6" -a ucs -a astar -H misplaced -H manhattan',
        verdicts.queue_order,
        Part("queue-order", (Boards(tuple(QUEUE_BOARDS)[:-2]),), ("ucs",), profile="cs170"),
        Part(
            "queue-order",
            (Boards(tuple(QUEUE_BOARDS)[:-2]),),
            ("astar",),
            ("misplaced", "manhattan"),
            profile="cs170",
        ),
    ),
)
