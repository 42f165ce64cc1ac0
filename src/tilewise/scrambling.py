"""scramble(): boards drawn at random: from all of them, by a walk, or of one exact depth.

The same seed gives the same boards on every platform: randomness is `random.Random(seed)`, and
nothing but where a search gives up depends on the speed of the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, factorial, log
from random import Random
from secrets import randbits

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.limits import Limits, Meter
from tilewise.core.problem import Problem, State
from tilewise.errors import CancelledError, LimitsError, SpecError, TableError, shortened
from tilewise.native import NATIVE
from tilewise.puzzle.board import Board, Goal, Move
from tilewise.puzzle.shapes import depth_bound, goal_of_shape, solvable_states
from tilewise.solving import solve
from tilewise.tables.distances import PYTHON_STATES, WHOLE_CELLS, WholeTable, distance_table
from tilewise.tables.distances.layers import layers, states_at

PATIENCE = 10.0
"""Seconds that one board may take by default."""
MOST_LISTED = 200_000
"""On large shapes the boards of a depth are listed if at most this many boards are nearer."""
MOST_SAMPLED = 2**31
"""Numbers below this are drawn without repeats by `Random.sample`."""
LONGEST_MEMORY = 1_000_000
"""A walk without repeats remembers at most this many states."""
_CLOCK_EVERY = 4096

Draw = Callable[[Random, float], State | None]
"""Makes one state before a moment of the monotonic clock, or gives up with None."""


@dataclass(frozen=True)
class Pool:
    """States that can be counted and numbered, so that each is drawn with the same chance."""

    size: int
    state: Callable[[int], State]


class Scrambles:
    """The boards that `scramble` draws, one after the other: an iterator.

    `goal` and `seed` are those used. `uniform` says whether all boards that could come have the
    same chance. `gave_up` is set at the end if there are fewer boards than wanted.

    Example:
        >>> boards = scramble("3x3", depth=8, count=3, seed=7)
        >>> len(list(boards)), boards.uniform, boards.gave_up
        (3, True, False)
    """

    def __init__(self, goal: Goal, seed: int, uniform: bool, states: Iterator[State | None]):
        self.goal = goal
        self.seed = seed
        self.uniform = uniform
        self.gave_up = False
        self._states = states

    def __iter__(self) -> Iterator[Board]:
        return self

    def __next__(self) -> Board:
        state = next(self._states)
        if state is None:
            self.gave_up = True
            raise StopIteration
        return Board.trusted(self.goal.board.rows, self.goal.board.columns, state)


def scramble(
    shape: str,
    *,
    goal: Goal | str = "first",
    depth: int | None = None,
    walk: int | None = None,
    repeats: bool = True,
    count: int = 1,
    distinct: bool = False,
    all_if_fewer: bool = False,
    seed: int | None = None,
    seconds: float | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
) -> Scrambles:
    """Draw boards at random from which the goal can be reached.

    Without `depth` and `walk`, all boards of the shape have the same chance.

    Args:
        shape: Rows and columns, as in `3x3`.
        goal: The goal, or its name.
        depth: Draw boards whose shortest solution has exactly this length.
        walk: Draw the end of a random walk of this length from the goal.
        repeats: With False, a walk enters no state twice.
        count: How many boards.
        distinct: No board twice.
        all_if_fewer: With `distinct`, a count that is too large means all boards.
        seed: The same seed gives the same boards on every machine. With None, a random one.
        seconds: How long all boards may take together, with tables, the counting of boards, and
            what is done with a board before the next one is drawn. With None, ten seconds a
            board, without what is done once.
        context: How tables of distances may be built.

    Raises:
        SpecError: The request cannot be met: no board has that depth, say.
        LimitsError: A number is negative.

    Example:
        >>> [str(board) for board in scramble("3x3", depth=20, count=2, seed=1)]
        ['153 4b2 768', 'b53 146 782']
    """
    target = goal_of_shape(shape, goal)
    _check(depth=depth, walk=walk, count=count, seed=seed)
    if depth is not None and walk is not None:
        raise SpecError("expected a depth or a walk, got both")
    seed = randbits(32) if seed is None else seed
    meter = Meter(Limits(seconds=seconds), len(target.board.tiles))
    most: int | None
    try:
        source, most = _source(
            target, depth, walk, repeats, count, distinct, seed, context, context.within(meter)
        )
    except CancelledError:
        if context.cancelled():
            raise
        return Scrambles(target, seed, False, iter([None]))
    if all_if_fewer and distinct and most is not None:
        count = min(count, most)
    if distinct and most is not None and count > most:
        raise SpecError(f"expected at most {most:,} distinct boards, as there are, got {count:,}")
    if isinstance(source, Pool):
        states = _from_pool(source, Random(seed), count, distinct)
        return Scrambles(target, seed, True, _in_time(states, meter))
    drawn = _drawn(source, Random(seed), count, distinct, meter)
    return Scrambles(target, seed, False, drawn)


def _source(
    goal: Goal,
    depth: int | None,
    walk: int | None,
    repeats: bool,
    count: int,
    distinct: bool,
    seed: int,
    context: BuildContext,
    before: BuildContext,
) -> tuple[Pool | Draw, int | None]:
    """Where boards come from, and how many different ones there are, where that is known.

    What is done `before` the first board has its time, the drawing of boards the caller's context.
    """
    if walk is not None:
        most = _ends_of_walks(goal, walk, count, before) if distinct else None
        return _walks(goal, walk, repeats), most
    if depth is not None:
        pool_of_depth = _of_depth(goal, depth, count, seed, before)
        if pool_of_depth is None:
            return _proved_depth(goal, depth, context), None
        return pool_of_depth, pool_of_depth.size
    pool = _all_boards(goal)
    return pool, pool.size


def _check(**numbers: int | None) -> None:
    for name, value in numbers.items():
        if value is not None and (not isinstance(value, int) or value < 0):
            raise LimitsError(f"expected a {name} of at least 0, got {shortened(value)}")


def _from_pool(pool: Pool, rng: Random, count: int, distinct: bool) -> Iterator[State]:
    numbers: Iterator[int]
    if not distinct:
        numbers = (rng.randrange(pool.size) for _ in range(count))
    elif pool.size <= MOST_SAMPLED:
        numbers = _numbers_of_sample(rng, pool.size, count)
    else:
        numbers = _different(rng, pool.size, count)
    return map(pool.state, numbers)


def _in_time(states: Iterator[State], meter: Meter) -> Iterator[State | None]:
    """The states until the time is over; None says that."""
    for state in states:
        if meter.over:
            yield None
            return
        yield state


def _numbers_of_sample(rng: Random, size: int, count: int) -> Iterator[int]:
    """The numbers of `rng.sample(range(size), count)` one by one: a list may have a billion."""
    few = 21 + (4 ** ceil(log(count * 3, 4)) if count > 5 else 0)
    if size > few:
        yield from _different(rng, size, count)
        return
    moved: dict[int, int] = {}
    for last in range(size - 1, size - count - 1, -1):
        place = rng.randrange(last + 1)
        yield moved.get(place, place)
        moved[place] = moved.pop(last, last)


def _different(rng: Random, size: int, count: int) -> Iterator[int]:
    """Different numbers below a size that is so large that two are hardly ever the same."""
    seen: set[int] = set()
    while len(seen) < count:
        number = rng.randrange(size)
        if number not in seen:
            seen.add(number)
            yield number


def _drawn(
    draw: Draw, rng: Random, count: int, distinct: bool, meter: Meter
) -> Iterator[State | None]:
    """States one after the other; the meter has counted the time before the first one."""
    seen: set[State] = set()
    for _ in range(count):
        left = meter.seconds_left
        deadline = time.monotonic() + (PATIENCE if left is None else left)
        state = draw(rng, deadline) if time.monotonic() < deadline else None
        while state in seen:
            state = draw(rng, deadline) if time.monotonic() < deadline else None
        if distinct and state is not None:
            seen.add(state)
        yield state


def _all_boards(goal: Goal) -> Pool:
    """Every board that reaches the goal, numbered.

    A number is read digit by digit: the cell of the blank, then the tile of each other cell among
    those still left. The last two tiles are no choice: only one order has the right parity.
    """
    rows, columns = goal.board.rows, goal.board.columns
    cells = rows * columns

    def state(number: int) -> State:
        blank, number = divmod(number, factorial(cells - 1) // 2)
        left = list(range(1, cells))
        tiles = []
        while len(left) > 2:
            number, place = divmod(number, len(left))
            tiles.append(left.pop(place))
        tiles += left
        tiles.insert(blank, 0)
        if not goal.reachable_from(Board.trusted(rows, columns, tuple(tiles))):
            last, other = (cell for cell in range(cells - 1, -1, -1) if tiles[cell] in left)
            tiles[last], tiles[other] = tiles[other], tiles[last]
        return tuple(tiles)

    return Pool(solvable_states(rows, columns), state)


def _walks(goal: Goal, length: int, repeats: bool) -> Draw:
    """Random walks from the goal; each legal move has the same chance.

    Without repeats: each legal move to a new state. A walk that cannot go on starts again.
    """
    if repeats:
        return _plain_walk(goal, length)
    longest = min(LONGEST_MEMORY, solvable_states(goal.board.rows, goal.board.columns) - 1)
    if length > longest:
        raise SpecError(
            f"expected a walk of at most {longest:,} moves without repeats on {goal.board.shape}, "
            f"got {length:,}"
        )
    return lambda rng, deadline: _walk_without_repeats(goal, length, rng, deadline)


def _plain_walk(goal: Goal, length: int) -> Draw:
    rows, columns = goal.board.rows, goal.board.columns
    beside = [
        [
            cell + down * columns + right
            for down, right in (move.step for move in Move)
            if 0 <= cell // columns + down < rows and 0 <= cell % columns + right < columns
        ]
        for cell in range(rows * columns)
    ]

    def draw(rng: Random, deadline: float) -> State | None:
        tiles, blank = list(goal.board.tiles), goal.board.blank
        for step in range(length):
            if step % _CLOCK_EVERY == 0 and time.monotonic() > deadline:
                return None
            following = rng.choice(beside[blank])
            tiles[blank], tiles[following] = tiles[following], 0
            blank = following
        return tuple(tiles)

    return draw


def _walk_without_repeats(goal: Goal, length: int, rng: Random, deadline: float) -> State | None:
    problem = Problem(goal.board, goal)
    state, entered, steps = problem.goal, {problem.goal}, 0
    while len(entered) <= length:
        if steps % _CLOCK_EVERY == 0 and time.monotonic() > deadline:
            return None
        steps += 1
        unvisited = [child for _, child in problem.successors(state) if child not in entered]
        if unvisited:
            state = rng.choice(unvisited)
            entered.add(state)
        else:
            state, entered = problem.goal, {problem.goal}
    return state


def _ends_of_walks(goal: Goal, length: int, enough: int, context: BuildContext) -> int | None:
    """How many boards a walk can end on, None as soon as there are enough.

    They are the boards at most that deep whose depth is odd or even as the length is.
    """
    boards = 0
    for depth, layer in enumerate(layers(goal, context)):
        if depth > length:
            break
        if depth % 2 == length % 2:
            boards += len(layer)
        if boards >= enough:
            return None
    return boards


def _of_depth(goal: Goal, depth: int, count: int, seed: int, context: BuildContext) -> Pool | None:
    """All boards of a depth, where they can be counted."""
    bound = depth_bound(goal)
    states: list[State] | None
    boards = solvable_states(goal.board.rows, goal.board.columns)
    if boards <= PYTHON_STATES or (NATIVE and len(goal.board.tiles) <= WHOLE_CELLS):
        try:
            table = distance_table(goal, context, most_in_python=PYTHON_STATES)
            bound = len(table.levels) - 1
            many = depth <= bound and table.levels[depth] > MOST_LISTED
            if isinstance(table, WholeTable) and many:
                return _sampled(table, depth, count, seed, context)
            states = table.states(depth, context) if depth <= bound else []
        except TableError:  # it may not be built now
            return None
    else:
        states = states_at(goal, depth, MOST_LISTED, context) if depth <= bound else []
    if states == []:
        raise SpecError(
            f"expected a depth of at most {bound} for {goal.board.shape}: no board needs more "
            f"moves to the goal {goal.name}; got {depth}"
        )
    return None if states is None else Pool(len(states), states.__getitem__)


def _sampled(table: WholeTable, depth: int, count: int, seed: int, context: BuildContext) -> Pool:
    """A pool too large to list: a number drawn for the first time takes the next of a sample."""
    size = table.levels[depth]
    sample = table.sample(depth, min(count, size), seed, context)
    _shuffle(sample, Random(seed), context)
    taken: dict[int, State] = {}

    def state(number: int) -> State:
        return (
            taken.setdefault(number, sample[len(taken)]) if number not in taken else taken[number]
        )

    return Pool(size, state)


def _shuffle(sample: list[State], rng: Random, context: BuildContext) -> None:
    """`rng.shuffle(sample)`, which can be ended: there may be millions."""
    for place in range(len(sample) - 1, 0, -1):
        if place % _CLOCK_EVERY == 0:
            context.check()
        other = rng.randrange(place + 1)
        sample[place], sample[other] = sample[other], sample[place]


def _proved_depth(goal: Goal, depth: int, context: BuildContext) -> Draw:
    """Boards of a depth, taken from the solutions of deeper ones.

    A walk without repeats is solved optimally. If that takes at least `depth` moves, the board on
    the solution that is `depth` moves from the goal has exactly this depth, since every part of a
    shortest path is a shortest path. Walks get longer when they end too near, shorter when they
    do not.
    """
    length = depth

    def draw(rng: Random, deadline: float) -> State | None:
        nonlocal length
        while True:
            end = _walk_without_repeats(goal, length, rng, deadline)
            seconds = deadline - time.monotonic()
            if end is None or seconds <= 0:
                return None
            board = Board.trusted(goal.board.rows, goal.board.columns, end)
            result = solve(
                board,
                goal=goal,
                algorithm="idastar",
                limits=Limits(seconds=seconds),
                context=context,
            )
            if result.cost is None:
                return None
            if result.cost >= depth:
                length = max(depth, length - 2)
                return result.boards()[result.cost - depth].tiles
            length += 2

    return draw
