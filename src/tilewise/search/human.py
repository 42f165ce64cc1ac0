"""How people solve it: row by row, then column by column, then turn the last four cells."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import lru_cache

from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.puzzle.board import Move


@algorithm(
    "human",
    complete=True,
    title="Row by row",
    choice="no search: the next move of a method that people use, row by row",
    pseudo_code="""
        begin at the start <- start
        for each row but the last two, then for each column but the last two:
            bring its tiles home one by one, the last two together <- expand, generate
        turn the last four cells until they are right
        return the moves, without those that take the one before back <- goal
        """,
)
def human(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Row by row as people do: any board at once, a long way from the shortest solution.

    A goal whose blank is elsewhere is first turned into one with the blank in the last corner,
    by walking the blank there; the walk back ends the solution.
    """
    rows, columns = problem.rows, problem.columns
    goal = problem.board(problem.goal)
    down, right = rows - 1 - goal.blank // columns, columns - 1 - goal.blank % columns
    walk = [Move.D] * down + [Move.R] * right
    solver = _Solver(problem.start, goal.after(walk).tiles, rows, columns)
    solver.solve()
    if tuple(solver.tiles) != solver.goal:
        return Outcome(Status.UNSOLVABLE, None, Stats())
    moves = _without_detours([*solver.moves, *(move.opposite for move in reversed(walk))])
    return _played(problem, h, meter, observer, moves)


class _Solver:
    """Moves tiles home one after the other; cells whose tile is home stay locked."""

    def __init__(self, start: State, goal: State, rows: int, columns: int) -> None:
        self.tiles = list(start)
        self.goal, self.rows, self.columns = goal, rows, columns
        self.locked: set[int] = set()
        self.moves: list[Move] = []
        self._blank = self.tiles.index(0)
        self._beside = _neighbours(rows, columns)

    def solve(self) -> None:
        for row in range(self.rows - 2):
            line = [self._cell(row, column) for column in range(self.columns)]
            window = [self._cell(row + i, self.columns - 2 + j) for i in range(3) for j in range(2)]
            self._solve_line(line, window)
        top = self.rows - 2
        for column in range(self.columns - 2):
            line = [self._cell(top, column), self._cell(top + 1, column)]
            window = [self._cell(top + i, column + j) for i in range(2) for j in range(3)]
            self._solve_line(line, window)
        rest = [cell for cell in range(len(self.tiles)) if cell not in self.locked]
        self._arrange({self.goal[cell]: cell for cell in rest if self.goal[cell]}, rest)

    def _solve_line(self, line: list[int], window: list[int]) -> None:
        """All tiles of a line but the last two one by one, those two together in a window."""
        *singles, first, second = line
        for cell in singles:
            self._bring(self.goal[cell], [cell])
            self.locked.add(cell)
        pair = {self.goal[first]: first, self.goal[second]: second}
        if any(self.tiles[cell] != tile for tile, cell in pair.items()):
            tile_a, tile_b = pair
            # the first of the pair waits in the line's last cell, out of the other's way
            self._bring(tile_a, [second])
            self.locked.add(second)
            self._bring(tile_b, window)
            self.locked.discard(second)
            self._arrange(pair, window)
        self.locked |= {first, second}

    def _bring(self, tile: int, targets: list[int]) -> None:
        """Slide a tile to the nearest of the targets, the blank going around it each step."""
        while (at := self.tiles.index(tile)) not in targets:
            path = self._path(at, targets, blocked=self.locked)
            self._walk_blank(path[0], blocked=self.locked | {at})
            self._swap(at)

    def _walk_blank(self, target: int, blocked: set[int]) -> None:
        if self._blank != target:
            for cell in self._path(self._blank, [target], blocked):
                self._swap(cell)

    def _arrange(self, homes: dict[int, int], window: list[int]) -> None:
        """Bring a few tiles home by breadth-first search over their cells inside a window."""
        tiles = list(homes)
        free = set(window) - self.locked
        blank = self._blank
        held = {self.tiles.index(tile) for tile in tiles}
        if blank not in free:
            for cell in self._path(blank, sorted(free - held), blocked=self.locked | held):
                self._swap(cell)
        start = (self._blank, *(self.tiles.index(tile) for tile in tiles))
        wanted = tuple(homes.values())
        came_from: dict[tuple[int, ...], tuple[int, ...] | None] = {start: None}
        queue = deque([start])
        while queue:
            now = queue.popleft()
            if now[1:] == wanted:
                break
            for cell in self._beside[now[0]]:
                if cell in free:
                    step = (cell, *(now[0] if at == cell else at for at in now[1:]))
                    if step not in came_from:
                        came_from[step] = now
                        queue.append(step)
        steps: list[int] = []
        before: tuple[int, ...] | None = now
        while before is not None and before != start:
            steps.append(before[0])
            before = came_from[before]
        for cell in reversed(steps):
            self._swap(cell)

    def _path(self, start: int, targets: Iterable[int], blocked: set[int]) -> list[int]:
        """The cells of a shortest path from one cell to one of the targets, the first left out."""
        wanted = set(targets)
        came_from = {start: start}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            if cell in wanted:
                path = []
                while cell != start:
                    path.append(cell)
                    cell = came_from[cell]
                return path[::-1]
            for neighbour in self._beside[cell]:
                if neighbour not in came_from and neighbour not in blocked:
                    came_from[neighbour] = cell
                    queue.append(neighbour)
        raise RuntimeError("no path around the locked cells")

    def _cell(self, row: int, column: int) -> int:
        return row * self.columns + column

    def _swap(self, cell: int) -> None:
        """Move the blank to a neighbouring cell."""
        blank = self._blank
        self.tiles[blank], self.tiles[cell] = self.tiles[cell], 0
        self.moves.append(self._beside[blank][cell])
        self._blank = cell


@lru_cache(maxsize=64)
def _neighbours(rows: int, columns: int) -> list[dict[int, Move]]:
    """For each cell those beside it, with the moves of the blank that lead there."""
    beside: list[dict[int, Move]] = []
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        steps = ((row + move.step[0], column + move.step[1], move) for move in Move)
        beside.append(
            {r * columns + c: m for r, c, m in steps if 0 <= r < rows and 0 <= c < columns}
        )
    return beside


def _without_detours(moves: Iterable[Move]) -> list[Move]:
    """The moves without steps that are taken straight back."""
    kept: list[Move] = []
    for move in moves:
        if kept and kept[-1] is move.opposite:
            kept.pop()
        else:
            kept.append(move)
    return kept


def _played(
    problem: Problem, h: Estimate, meter: Meter, observer: Observer | None, moves: list[Move]
) -> Outcome:
    """Play the moves, counting each as one expansion that makes one successor."""
    stats = Stats(peak_stored=1)
    board = problem.board(problem.start)
    if observer:
        observer(Kind.START, 0, board=board.tiles)
    for g, move in enumerate(moves, start=1):
        if stats.generated == meter.pause and meter.stop(stats):
            if observer:
                observer(Kind.STOP, g - 1, board=board.tiles)
            return Outcome(meter.status, None, stats)
        stats.expanded += 1
        if observer:
            observer(Kind.EXPAND, g - 1, g - 2, g=g - 1, board=board.tiles)
        stats.generated += 1
        stats.max_depth = g
        if observer:
            board = board.move(move)
            observer(Kind.GENERATE, g, g - 1, move.value, g, board=board.tiles)
    if observer:
        observer(Kind.GOAL, len(moves), len(moves) - 1, g=len(moves), board=board.tiles)
        observer(Kind.STOP, len(moves), len(moves) - 1, g=len(moves), board=board.tiles)
    return Outcome(Status.SOLVED, "".join(moves), stats)
