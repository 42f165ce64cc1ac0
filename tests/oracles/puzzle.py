"""An independent view of the puzzle: a simulator and a breadth-first search that share no code
with the package. Tests compare with it; the classes of the package only carry the boards."""

from __future__ import annotations

import random
from functools import cache

from tilewise import Board, Goal

Tiles = tuple[int, ...]

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
SMALL_SHAPES = [(2, 2), (2, 3), (3, 2)]
FIRST_OF_8 = Goal.blank_first(3, 3)


def slide(tiles: Tiles, columns: int, move: str) -> Tiles | None:
    """The tiles after the blank goes one step, None if it would leave the board."""
    row, column = divmod(tiles.index(0), columns)
    down, right = STEPS[move]
    if not (0 <= row + down < len(tiles) // columns and 0 <= column + right < columns):
        return None
    made = list(tiles)
    here, there = row * columns + column, (row + down) * columns + column + right
    made[here], made[there] = made[there], made[here]
    return tuple(made)


def neighbours(tiles: Tiles, columns: int, order: str = "UDLR") -> list[tuple[str, Tiles]]:
    """The legal moves in the order given, each with the tiles it makes."""
    made = [(move, slide(tiles, columns, move)) for move in order]
    return [(move, after) for move, after in made if after is not None]


def walked(goal: Goal, moves: int, seed: int = 1) -> Board:
    """Where a random walk from the goal ends."""
    draw, (rows, columns) = random.Random(seed), (goal.board.rows, goal.board.columns)
    tiles = goal.board.tiles
    for _ in range(moves):
        tiles = draw.choice(neighbours(tiles, columns))[1]
    return Board(rows, columns, tiles)


def replayed(board: Board, moves: str | None) -> Tiles | None:
    """Where the moves lead; None if there are none or one of them is not legal."""
    tiles: Tiles | None = None if moves is None else board.tiles
    for move in moves or "":
        if tiles is not None:
            tiles = slide(tiles, board.columns, move)
    return tiles


@cache
def distances(goal: Goal, deepest: int = 31) -> dict[Tiles, int]:
    """The distance to the goal of every state that is at most so deep, nearest first."""
    distance = {goal.board.tiles: 0}
    for tiles in (queue := [goal.board.tiles]):
        if distance[tiles] < deepest:
            for _, made in neighbours(tiles, goal.board.columns):
                if made not in distance:
                    distance[made] = distance[tiles] + 1
                    queue.append(made)
    return distance


@cache
def _layers(goal: Goal, deepest: int) -> list[list[Tiles]]:
    """The same states depth by depth."""
    layers: list[list[Tiles]] = []
    for tiles, depth in distances(goal, deepest).items():
        if depth == len(layers):
            layers.append([])
        layers[depth].append(tiles)
    return layers


@cache
def by_depth(goal: Goal, deepest: int = 31) -> list[list[Board]]:
    """The same as boards."""
    rows, columns = goal.board.rows, goal.board.columns
    return [[Board(rows, columns, tiles) for tiles in one] for one in _layers(goal, deepest)]


def sample(goal: Goal, depth: int, count: int, deepest: int = 31) -> list[Board]:
    """Some boards of one depth, spread evenly over all of them."""
    layer = _layers(goal, deepest)[depth]
    count = min(count, len(layer))
    chosen = [layer[number * len(layer) // count] for number in range(count)]
    return [Board(goal.board.rows, goal.board.columns, tiles) for tiles in chosen]


def small_goals() -> list[Goal]:
    """Both usual goals of every small shape."""
    return [make(*shape) for shape in SMALL_SHAPES for make in (Goal.blank_first, Goal.blank_last)]


def shuffled(goal: Goal, seed: int) -> Board:
    """Any board from which the goal can be reached: if the parity is wrong, 1 and 2 swap."""
    rows, columns = goal.board.rows, goal.board.columns
    tiles = list(goal.board.tiles)
    random.Random(seed).shuffle(tiles)
    if (inversions(tuple(tiles), goal) + blank_steps(tuple(tiles), goal)) % 2:
        one, two = tiles.index(1), tiles.index(2)
        tiles[one], tiles[two] = 2, 1
    return Board(rows, columns, tuple(tiles))


def inversions(tiles: Tiles, goal: Goal) -> int:
    """Pairs that stand the other way round than in the goal, the blank being one of the tiles."""
    place = {tile: cell for cell, tile in enumerate(goal.board.tiles)}
    places = [place[tile] for tile in tiles]
    return sum(a > b for i, a in enumerate(places) for b in places[i + 1 :])


def blank_steps(tiles: Tiles, goal: Goal) -> int:
    """Rows plus columns between the blank and its home."""
    row, column = divmod(tiles.index(0), goal.board.columns)
    home_row, home_column = divmod(goal.board.tiles.index(0), goal.board.columns)
    return abs(row - home_row) + abs(column - home_column)
