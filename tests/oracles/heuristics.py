"""The heuristics as their definitions read, slow and plain, and two well-known wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

from tests.oracles.puzzle import Tiles
from tilewise import Goal

Rule = Callable[[list[int]], int]


def plain_misplaced(tiles: Tiles, goal: Goal) -> int:
    return sum(tile != home for tile, home in zip(tiles, goal.board.tiles, strict=True) if tile)


def plain_manhattan(tiles: Tiles, goal: Goal) -> int:
    columns, value = goal.board.columns, 0
    for cell, tile in enumerate(tiles):
        home = goal.board.tiles.index(tile)
        if tile:
            value += abs(cell // columns - home // columns) + abs(cell % columns - home % columns)
    return value


def plain_gaschnig(tiles: Tiles, goal: Goal) -> int:
    """Play the relaxed game: the tile that belongs where the blank is jumps there."""
    board, jumps = list(tiles), 0
    while tuple(board) != goal.board.tiles:
        blank = board.index(0)
        wanted = goal.board.tiles[blank]
        if wanted:
            source = board.index(wanted)
        else:  # the blank is at home: any tile that is not must make room
            cells = range(len(board))
            source = next(cell for cell in cells if board[cell] != goal.board.tiles[cell])
        board[blank], board[source] = board[source], 0
        jumps += 1
    return jumps


def lines(tiles: Tiles, goal: Goal) -> Iterator[list[int]]:
    """For each row and column: the places in that line of the tiles that stand and belong there."""
    rows, columns = goal.board.rows, goal.board.columns
    home = {tile: divmod(cell, columns) for cell, tile in enumerate(goal.board.tiles)}
    for row in range(rows):
        line = tiles[row * columns : (row + 1) * columns]
        yield [home[tile][1] for tile in line if tile and home[tile][0] == row]
    for column in range(columns):
        yield [home[tile][0] for tile in tiles[column::columns] if tile and home[tile][1] == column]


def crossings(line: list[int]) -> list[tuple[int, int]]:
    return [(i, j) for i, j in combinations(range(len(line)), 2) if line[i] > line[j]]


def each_pair(line: list[int]) -> int:
    """Wrong: 2 for every conflicting pair."""
    return 2 * len(crossings(line))


def running_maximum(line: list[int]) -> int:
    """Wrong: 2 for every tile that comes after a larger one."""
    return 2 * sum(place < max(line[:i], default=-1) for i, place in enumerate(line))


def fewest_removed(line: list[int]) -> int:
    """Right, by trying all sets: 2 for each of the fewest tiles that must leave the line."""
    wrong = crossings(line)
    count = 0
    while True:
        for gone in combinations(range(len(line)), count):
            if all(i in gone or j in gone for i, j in wrong):
                return 2 * count
        count += 1


def conflicts(goal: Goal, rule: Rule) -> Callable[[Tiles], int]:
    """Manhattan distance plus what a rule says of each line."""
    return lambda tiles: plain_manhattan(tiles, goal) + sum(map(rule, lines(tiles, goal)))


def plain_linear_conflict(tiles: Tiles, goal: Goal) -> int:
    return conflicts(goal, fewest_removed)(tiles)


def plain_walking_distance(tiles: Tiles, goal: Goal) -> int:
    """Moves between rows if tiles knew only their home row, and the same for columns."""
    rows, columns = goal.board.rows, goal.board.columns
    turned = [cell * columns % (rows * columns) + cell // rows for cell in range(rows * columns)]
    total = 0
    for count, cells in ((rows, list(range(rows * columns))), (columns, turned)):
        length = rows * columns // count
        home = {goal.board.tiles[cell]: place // length + 1 for place, cell in enumerate(cells)}
        home[0] = 0
        split = [cells[start : start + length] for start in range(0, rows * columns, length)]
        at_goal = tuple(_known_of(goal.board.tiles, line, home) for line in split)
        total += _walks(at_goal)[tuple(_known_of(tiles, line, home) for line in split)]
    return total


def _known_of(tiles: Tiles, line: list[int], home: dict[int, int]) -> Tiles:
    return tuple(sorted(home[tiles[cell]] for cell in line))


@cache
def _walks(at_goal: tuple[Tiles, ...]) -> dict[tuple[Tiles, ...], int]:
    """Breadth-first over the lines, each a sorted tuple of home lines with 0 for the blank."""
    distance = {at_goal: 0}
    for state in (queue := [at_goal]):
        blank = next(line for line, homes in enumerate(state) if 0 in homes)
        for other in {blank - 1, blank + 1} & set(range(len(state))):
            for tile in set(state[other]):
                made = [list(line) for line in state]
                made[blank][made[blank].index(0)] = tile
                made[other][made[other].index(tile)] = 0
                key = tuple(tuple(sorted(line)) for line in made)
                if key not in distance:
                    distance[key] = distance[state] + 1
                    queue.append(key)
    return distance


PLAINLY: dict[str, Callable[[Tiles, Goal], int]] = {
    "zero": lambda tiles, goal: 0,
    "misplaced": plain_misplaced,
    "manhattan": plain_manhattan,
    "gaschnig": plain_gaschnig,
    "linear_conflict": plain_linear_conflict,
    "walking_distance": plain_walking_distance,
}
