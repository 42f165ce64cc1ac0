"""prove(): the passes of IDA* below a known solution, one after the other, with checkpoints."""

from __future__ import annotations

import platform
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event as CancelFlag

from tilewise import native
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.incumbent import Incumbent
from tilewise.core.limits import Limits
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.problem import Problem
from tilewise.core.result import Result, Status, Stop, StoppedBy
from tilewise.core.stats import Stats
from tilewise.errors import (
    CancelledError,
    InternalError,
    MoveError,
    TableWarning,
    TilewiseError,
    in_one_line,
    shortened,
)
from tilewise.native import SubtreeCount
from tilewise.proofs import checkpoint as checkpoints
from tilewise.proofs.comparing import fastest_side, seen_from
from tilewise.proofs.executors import PassTask, SubtreeExecutor, ThreadsHere
from tilewise.proofs.settled import Settled
from tilewise.proofs.state import PassState, ProofState, digest_of
from tilewise.proofs.tables import by_cells, checksums_of, heuristic_for, partition_of
from tilewise.puzzle.board import Board, way_back
from tilewise.puzzle.parity import why_unsolvable
from tilewise.puzzle.position import Position, WantedGoal, read_position
from tilewise.solving import solve
from tilewise.tables.patterns.building import in_cache
from tilewise.tables.patterns.partitions import patterns_of

NAME = "prove"
WORDS, FEWER_WORDS, LARGE = 12, 8, 17
"""Words of up to 12 moves are left out where others replace them. On boards of fewer than 17 cells
only of 8: it takes longer than a second to find the longer ones."""
LOOKING, FIRST_LOOK, PATIENCE = 30.0, 1.0, 0.25
"""Seconds for finding a solution where none is given: a short look before the first pass, which
ends early when nothing better has come for a while, and the rest before passes that take longer."""
INTERVAL = 30.0
"""Seconds between two checkpoints."""
Watch = Callable[[ProofState, int], None]
"""Called with the state and the nodes of subtrees that are not done."""


def prove(
    board: Position | Board | str,
    *,
    goal: WantedGoal = None,
    incumbent: str | None = None,
    heuristic: str | None = None,
    words: int | None = None,
    order: str = "UDLR",
    checkpoint: str | Path | None = None,
    interval: float = INTERVAL,
    executor: SubtreeExecutor | None = None,
    limits: Limits | None = None,
    looking: float = LOOKING,
    cancel: CancelFlag | None = None,
    watch: Watch | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
) -> Result:
    """Prove how many moves a board needs, by the passes of IDA* below a known solution.

    The bound rises when all subtrees of a pass are done without a solution. A solution that a pass
    finds is shortest, because all shorter passes are done.

    Args:
        board: The start: a board, a position, or a text in any notation.
        goal: As for `solve`.
        incumbent: A solution that is known. With none, one is looked for first.
        heuristic: `pdb(...)` or `manhattan`; with none, the tables that measure best. Where they
            are not in the cache, they are built only for a proof that is long enough.
        words: Words of up to this many moves are left out, 0 for none; with None, 12 on boards
            of more than 16 cells, else 8.
        order: The order of successors.
        checkpoint: A file for the state of the proof. If it is there, the proof goes on from it.
        interval: Seconds between two checkpoints.
        executor: Who searches the subtrees; with none, all cores of this machine.
        limits: Seconds and memory.
        looking: Seconds for finding a solution.
        cancel: A flag that ends it when it is set.
        watch: Called with the `ProofState` as it grows.
        context: How tables may be built.

    Raises:
        MoveError: The incumbent does not solve the board.
        TilewiseError: The checkpoint is damaged, or belongs to another proof.

    Example:
        >>> result = prove("8b6 547 231", goal="first", heuristic="manhattan", looking=1)
        >>> result.summary
        '31 moves, optimal'
    """
    position = read_position(board, goal)
    limits = limits or Limits()
    if not position.goal.reachable_from(position.board):
        reason = why_unsolvable(position.board, position.goal)
        return _result(Status.UNSOLVABLE, position, None, reason, 0.0)
    run = _Run(position, limits, cancel, watch, interval, checkpoint)
    run.state = run.loaded(incumbent)
    within = replace(context, cancelled=lambda: run.over or context.cancelled())
    executor = executor or ThreadsHere(memory=limits.memory or ThreadsHere().memory)
    try:
        executor.connect(run.seconds_left, lambda: run.cancelled or context.cancelled())
        if run.state is None:
            h, if_long = heuristic_for(position.goal, heuristic, limits, within)
        else:
            goal_seen = seen_from(position, run.state.side).goal
            h, if_long = build_heuristic(run.state.heuristic, goal_seen, within), None
    except CancelledError:
        return run.ended_without_tables(order, incumbent)
    native.check_served(h)
    if run.state is None:
        if words is None:
            words = WORDS if len(position.board.tiles) >= LARGE else FEWER_WORDS
        run.state = _begun(position, h, words, order, incumbent)
        run.state.heuristic_if_long = if_long
        if heuristic is None:
            run.state.heuristic_by_cells = by_cells(position.goal, limits)
    elif checksums_of(h) != run.state.tables:
        raise TilewiseError(
            f"expected the tables that the checkpoint was made with, got others for {h.spec}"
        )
    state = run.state
    if platform.node() not in state.machines:
        state.machines.append(platform.node())
    if state.incumbent is None:
        run.look_for_solution(min(looking, FIRST_LOOK), PATIENCE)
    run.save()
    try:
        while not state.proved and not run.over:
            run.look_for_solution(min(looking, state.worth_looking) - state.looked)
            if state.worth_more_tables:
                run.save()  # a table that is being written is not waited for
                h = run.with_more_tables(within)
            if run.may_compare:
                run.save()
                h = run.compared(h, within)
            run.one_pass(h, executor)
    except CancelledError:  # while tables were built: the checkpoint goes on with building them
        run.interrupted = run.seconds_left > 0
    except KeyboardInterrupt:  # what is done stays, and the checkpoint has it
        run.interrupted = True
    run.save()
    return run.result()


def _begun(
    position: Position, h: Heuristic, words: int, order: str, incumbent: str | None
) -> ProofState:
    _check_incumbent(position, incumbent)
    return ProofState(
        board=str(position.board),
        goal=position.goal.name,
        heuristic=h.spec,
        words=words,
        order=order,
        incumbent=incumbent,
        bound=h.estimate(position.board.tiles),
        tables=checksums_of(h),
    )


def _check_incumbent(position: Position, incumbent: str | None) -> None:
    if incumbent is None:
        return
    board = position.board
    for move in incumbent:
        board = board.move(move)
    if board != position.goal.board:
        raise MoveError(f"expected an incumbent that solves the board, got {shortened(incumbent)}")


class _Run:
    """One run of a proof, from a start or a checkpoint to its end or a limit."""

    def __init__(
        self,
        position: Position,
        limits: Limits,
        cancel: CancelFlag | None,
        watch: Watch | None,
        interval: float,
        checkpoint: str | Path | None,
    ) -> None:
        self.position = position
        self.state: ProofState | None = None
        self._limits = limits
        self._cancel = cancel
        self._watch = watch
        self._interval = interval
        self._path = None if checkpoint is None else Path(checkpoint)
        self._began = self._saved = time.monotonic()
        self._before = 0.0
        """Seconds of the runs before this one that are in the checkpoint."""
        self.interrupted = False
        self._unsaved: str | None = None

    @property
    def seconds_left(self) -> float:
        seconds = self._limits.seconds
        return 1e9 if seconds is None else max(0.0, seconds - (time.monotonic() - self._began))

    @property
    def seconds(self) -> float:
        """The time of this run so far."""
        return time.monotonic() - self._began

    @property
    def over(self) -> bool:
        """Whether the run must end before the proof does."""
        return self.cancelled or not self.seconds_left

    @property
    def cancelled(self) -> bool:
        """Whether somebody wants it to end."""
        return self.interrupted or (self._cancel is not None and self._cancel.is_set())

    def loaded(self, incumbent: str | None) -> ProofState | None:
        """The state in the checkpoint, if there is one; a shorter incumbent is taken over."""
        if self._path is None or not self._path.exists():
            return None
        state = checkpoints.read(self._path)
        wanted = (str(self.position.board), self.position.goal.name)
        if (state.board, state.goal) != wanted:
            raise TilewiseError(
                f"expected the checkpoint of {wanted[0]} (goal {wanted[1]}), got that of "
                f"{state.board} (goal {state.goal})"
            )
        _check_incumbent(self.position, state.incumbent)
        _check_incumbent(self.position, incumbent)
        self._before = state.looked + state.seconds
        if incumbent is not None and (state.cost is None or len(incumbent) < state.cost):
            state.incumbent = incumbent
        return state

    def save(self) -> None:
        """Write the checkpoint; if that fails, the old one stays and the proof goes on."""
        if self._path is None or self.state is None:
            return
        try:
            checkpoints.write(self._path, self.state)
            self._unsaved = None
        except OSError as error:
            if self._unsaved is None:
                self._unsaved = error.strerror or in_one_line(error)
                text = f"the checkpoint could not be written: {self._unsaved}; the proof goes on"
                warnings.warn(text, TableWarning, stacklevel=2)
        self._saved = time.monotonic()

    def one_pass(self, h: Heuristic, executor: SubtreeExecutor) -> None:
        """Go on with the current pass, or begin the next one."""
        state = self.state
        if state is None:
            raise InternalError("a proof without a state")
        seen = seen_from(self.position, state.side)
        problem = Problem(seen.board, seen.goal, state.order)
        if problem.start == problem.goal:
            state.incumbent, state.bound = "", 0
            return
        if state.current is None:
            self._probe(executor)
            if state.proved or self.over:
                return
        current = state.current or state.next_pass
        top = native.top_of_pass(
            problem,
            h,
            bound=current.bound,
            wanted=current.wanted,
            words=state.words,
            ended=lambda: self.over,
        )
        if top.stopped:
            return
        if top.moves is not None:
            self._found(top.moves)
            return
        if state.current is None:
            current.roots, current.digest = len(top.roots), digest_of(top.roots)
            current.add(top.expanded, top.generated, top.max_depth, top.least_above)
            state.current = current
        elif (current.roots, current.digest) != (len(top.roots), digest_of(top.roots)):
            raise TilewiseError("expected the subtrees of the checkpoint, got others")
        left = [(n, root) for n, root in enumerate(top.roots) if n not in current.done]
        task = self._task(state, current)
        moves = executor.search(task, left, self._reporter(current)) if left else None
        if moves is not None:
            self._found(moves)
        elif len(current.done) == current.roots:
            state.finish()

    def with_more_tables(self, context: BuildContext) -> Heuristic:
        """The heuristic for a long proof, from now on; its tables are built if need be."""
        state = self.state
        if state is None or state.heuristic_if_long is None:
            raise InternalError("no tables are named for a long proof")
        h = build_heuristic(state.heuristic_if_long, self.position.goal, context)
        tables = checksums_of(h, context.cancelled)
        state.heuristic, state.heuristic_if_long, state.tables = h.spec, None, tables
        return h

    @property
    def may_compare(self) -> bool:
        """Whether look-ups by cells are worth a try, and their tables there or worth building."""
        state = self.state
        if state is None or state.heuristic_by_cells is None or not state.worth_comparing:
            return False
        goal = self.position.goal
        return state.long or in_cache(patterns_of(goal, partition_of(state.heuristic_by_cells)))

    def compared(self, h: Heuristic, context: BuildContext) -> Heuristic:
        """The heuristic and the side that make the next passes fastest, from now on."""
        state = self.state
        if state is None or state.heuristic_by_cells is None:
            raise InternalError("nothing to compare")
        build_heuristic(state.heuristic_by_cells, self.position.goal, context)
        side = fastest_side(self.position, state, lambda: self.over)
        if self.over:
            return h
        if side is not None:
            goal = seen_from(self.position, side).goal
            h = build_heuristic(state.heuristic_by_cells, goal, context)
            state.tables = checksums_of(h, context.cancelled)
            state.heuristic, state.side = h.spec, side
        state.heuristic_by_cells = None
        return h

    def look_for_solution(self, seconds: float, patience: float = LOOKING) -> None:
        """Look for a solution by `anytime`; what it proves on the way is not used.

        It ends early when a solution is there and none better has come for so many seconds.
        """
        state, began = self.state, self.seconds
        seconds = min(seconds, self.seconds_left)
        if state is None or self.over or seconds <= 0:
            return
        after: dict[str | None, float] = {}
        settled = Settled(patience, self._cancel)

        def improved(incumbent: Incumbent) -> None:
            if incumbent.moves not in after:
                after[incumbent.moves] = incumbent.seconds
                settled.put_off()

        found = solve(
            self.position,
            algorithm="anytime",
            limits=Limits(seconds=seconds, memory=self._limits.memory),
            incumbent=state.incumbent,
            cancel=settled,
            improved=improved,
        )
        self.interrupted = found.status is Status.CANCELLED and not settled.seen
        if state.incumbent is None:
            state.first_cost = found.cost
        if found.moves is not None and found.moves != state.incumbent:
            state.incumbent = found.moves
            state.found_after = self._before + began + after.get(found.moves, 0.0)
        state.looked += self.seconds - began

    def _probe(self, executor: SubtreeExecutor) -> None:
        """Look for shorter and shorter solutions, which would make passes needless."""
        state = self.state
        while state is not None and state.cost is not None and state.nodes_of_probe:
            nodes = state.nodes_of_probe
            task = self._task(state, PassState(state.cost - 2, 1))
            moves, made = executor.probe(task, nodes, lambda: self.over)
            state.probed += made
            if moves is None:
                return
            self._found_after(self._from_start(moves))

    def _from_start(self, moves: str) -> str:
        """The solution that passes found, as moves from the board to the goal."""
        if self.state is not None and self.state.side == "goal":
            moves = way_back(moves)
        _check_incumbent(self.position, moves)
        return moves

    def _found_after(self, moves: str) -> None:
        if self.state is not None:
            self.state.incumbent = moves
            self.state.found_after = self._before + time.monotonic() - self._began

    def _task(self, state: ProofState, current: PassState) -> PassTask:
        expected = max(0, state.nodes_left - current.generated)
        seen = seen_from(self.position, state.side)
        return PassTask(
            str(seen.board),
            seen.goal.name,
            state.heuristic,
            state.words,
            state.order,
            current.bound,
            expected,
        )

    def _reporter(self, current: PassState) -> Callable[[list[SubtreeCount], int], bool]:
        began, before = time.monotonic(), current.seconds

        def report(done: list[SubtreeCount], unfinished: int) -> bool:
            for each in done:
                if each.number not in current.done:
                    current.done.add(each.number)
                    current.add(each.expanded, each.generated, each.max_depth, each.least_above)
            current.seconds = before + time.monotonic() - began
            if self._watch is not None and self.state is not None:
                self._watch(self.state, unfinished)
            if time.monotonic() - self._saved >= self._interval:
                self.save()
            return self.over

        return report

    def _found(self, moves: str) -> None:
        """A solution within the bound of a pass: no shorter one is left."""
        state = self.state
        if state is None:
            raise InternalError("a proof without a state")
        moves = self._from_start(moves)
        if len(moves) < state.bound:
            raise InternalError(f"found {len(moves)} moves where {state.bound} were proved")
        self._found_after(moves)
        state.bound = len(moves)

    def ended_without_tables(self, order: str, incumbent: str | None) -> Result:
        """The time was over while tables were built: nothing more is proved than before."""
        if self.state is None:
            h = build_heuristic("manhattan", self.position.goal)
            self.state = _begun(self.position, h, 0, order, incumbent)
        self.interrupted = self.seconds_left > 0  # somebody cancelled
        return self.result()

    def result(self) -> Result:
        """What the proof has come to."""
        state = self.state
        if state is None:
            raise InternalError("a proof without a state")
        if state.cost is not None and state.bound > state.cost:
            raise InternalError(f"proved {state.bound} moves where {state.cost} are enough")
        status = Status.SOLVED
        stop = None
        if self.cancelled:
            status = Status.CANCELLED
        elif not state.proved:
            status = Status.LIMIT if state.incumbent is None else Status.SOLVED
            seconds = self._limits.seconds or 0.0
            stop = Stop(StoppedBy.SECONDS, time.monotonic() - self._began, seconds)
        note = self.position.note
        if self._unsaved is not None:
            text = f"the last checkpoint could not be written: {self._unsaved}"
            note = text if note is None else f"{note}; {text}"
        made = _result(status, self.position, state, note, time.monotonic() - self._began)
        return replace(made, stop=stop)


def _result(
    status: Status, position: Position, state: ProofState | None, note: str | None, seconds: float
) -> Result:
    stats = Stats() if state is None else state.stats()
    stats.seconds = seconds
    if state is None or not state.proved:
        stats.expanded_below_cost = None
    return Result(
        status=status,
        moves=None if state is None else state.incumbent,
        board=position.board,
        goal=position.goal,
        algorithm=NAME,
        heuristic=None if state is None else state.heuristic,
        rules="default",
        engine="native",
        bound=None if state is None else state.bound,
        stats=stats,
        note=note,
    )
