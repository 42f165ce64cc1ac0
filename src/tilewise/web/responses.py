"""The responses of the server. Every response is one of these models."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from tilewise.puzzle import parity
from tilewise.puzzle.board import Board, Goal

MOST_EXPLAINED_CELLS = 100
"""On larger boards the whole explanation is too long to read."""
_FOLDERS = re.compile(
    r"""(?<![\w.~\\/])(?:[A-Za-z]:)?[\\/]+[A-Za-z._~][^'"()]*[\\/]"""
    r"""(?P<last>[^'"().:,;]+?(?=\s*(?:['"():,;]|$)))?"""
)
"""From the root to the last slash before a quote or a bracket: names may contain spaces.

A last name without a suffix is that of a folder too.
"""


def without_folders(message: str) -> str:
    """A message with the folders of absolute paths left out: they are the server's own affair.

    >>> without_folders("PermissionError: '/home/of a user/tables/3x3.table' (/srv/mine.py:12)")
    "PermissionError: '3x3.table' (mine.py:12)"
    """
    return _FOLDERS.sub(lambda found: "a folder" if found["last"] else "", message)


Message = Annotated[str, AfterValidator(without_folders)]
"""Text of an error. It may come from a heuristic that was loaded, or from the system."""


class ResponseModel(BaseModel):
    """A response, or a part of one."""

    model_config = ConfigDict(extra="forbid")

    @classmethod
    def from_object(cls, source: object, **others: Any) -> Self:
        """The model with `others`, and the attributes of `source` for all other fields."""
        names = cls.model_fields.keys() - others.keys()
        return cls(**{name: getattr(source, name) for name in names}, **others)


class ErrorResponse(ResponseModel):
    """Why a request was refused."""

    error: Message = Field(description="One line, as the command line says it.")


class BoardData(ResponseModel):
    """A board; 0 is the blank, and `text` can be sent back."""

    rows: int
    columns: int
    tiles: list[int]
    text: str

    @classmethod
    def of(cls, board: Board) -> BoardData:
        """The data of a board."""
        return cls.from_object(board, text=str(board))


class GoalData(BoardData):
    """A goal and its name."""

    name: str

    @classmethod
    def of_goal(cls, goal: Goal) -> GoalData:
        """The data of a goal."""
        return cls.from_object(goal.board, text=str(goal.board), name=goal.name)


class Repair(ResponseModel):
    """Two tiles to lift out and swap, and the board that this makes."""

    swap: list[int]
    board: BoardData


class ParityExplanation(ResponseModel):
    """Why a board cannot reach its goal."""

    summary: str
    text: str
    swaps: int
    blank_steps: int
    cycles: list[list[int]]
    mends: list[Repair]

    @classmethod
    def of(cls, board: Board, goal: Goal) -> ParityExplanation:
        """The reason in words, and in numbers to draw."""
        small = len(board.tiles) <= MOST_EXPLAINED_CELLS
        summary = parity.why_unsolvable(board, goal)
        return cls(
            summary=summary,
            text=parity.explain(board, goal) if small else summary,
            swaps=goal.swaps_from(board),
            blank_steps=goal.blank_steps_from(board),
            cycles=goal.cycles_from(board),
            mends=[
                Repair(swap=[first, second], board=BoardData.of(mended))
                for first, second, mended in (parity.nearest_solvable(board, goal) if small else ())
            ],
        )


class HeuristicEstimate(ResponseModel):
    """The value of a heuristic on a board, or why it has none."""

    name: str
    value: int | None
    admissible: bool
    why_not: Message | None


class BoardResponse(ResponseModel):
    """What a text means, and what is known about the board at once."""

    board: BoardData
    notation: str
    goal: GoalData
    note: str | None
    solvable: bool
    solved: bool
    legal_moves: list[str]
    explanation: ParityExplanation | None
    distance: int | None
    lower_bound: int
    heuristics: list[HeuristicEstimate]
    notations: dict[str, str | None]


class ShareData(ResponseModel):
    """What some tiles add to the value of a heuristic."""

    tiles: list[int]
    value: int
    why: str


class EstimateResponse(ResponseModel):
    """The value of a heuristic on a board, and the shares of tiles that it is the sum of."""

    heuristic: str
    value: int | float
    shares: list[ShareData] | None = Field(description="Null where the value is no such sum.")


class LegalMove(ResponseModel):
    """A legal move, the tile that slides, and the distance after it where it is known."""

    move: str
    tile: int
    distance: int | None


class DistanceResponse(ResponseModel):
    """Moves from a board to its goal."""

    distance: int | None
    exact: bool
    lower_bound: int
    upper_bound: int | None
    method: str
    solvable: bool
    solved: bool
    best: list[str]
    moves: list[LegalMove]


class HintResponse(ResponseModel):
    """A hint, and what it gives away."""

    level: int
    text: str
    distance: int | None
    exact: bool
    area: list[int] | None
    tile: int | None
    move: str | None
    moves: str | None


class ScrambleResponse(ResponseModel):
    """Boards drawn at random; `uniform`: all that could come had the same chance."""

    boards: list[BoardData]
    goal: GoalData
    seed: int
    uniform: bool
    gave_up: bool


class SolveResponse(ResponseModel):
    """The result of a search."""

    status: str
    cost: int | None
    moves: str | None
    bound: int | None = Field(description="Moves that are proved to be needed at least.")
    gap: int | None = Field(description="The cost minus the bound; 0 is optimal.")
    optimal: bool
    stopped_by: str | None = Field(
        description="What ended the search: nodes, seconds, memory or gap."
    )
    headline: str
    note: str | None
    board: BoardData
    goal: GoalData
    algorithm: str
    heuristic: str | None
    rules: str
    engine: str
    stats: dict[str, int | float | None]
    written: dict[str, dict[str, str]] | None = Field(
        description="The moves in every style, as the blank and as the tiles go."
    )
    explanation: ParityExplanation | None


class OpenListRule(ResponseModel):
    """How the open list is kept: queue, heap, layers, path, two-sided or own.

    The events do not tell the open list of a search with an order of its own.
    """

    kind: str
    last: str | None = Field(description="What decides between equal keys: newest or oldest.")
    width: int | None
    copies: bool = Field(description="Whether every copy of a state is a node of its own.")


class Events(ResponseModel):
    """The events as columns of equal length; `move` has one character each, - for none."""

    kind: list[int]
    node: list[int]
    parent: list[int]
    move: str
    g: list[int]
    h: list[int]
    priority: list[int]
    tie: list[int]


class Replayable(ResponseModel):
    """Events to replay. A board is a text: the tile is the character's code minus 48."""

    count: int
    kept: int
    open_list: OpenListRule
    kinds: list[str]
    events: Events
    boards: list[str | None]
    expansions: list[int]
    reasons: list[str] | None


class TraceResponse(Replayable):
    """A search event by event."""

    result: SolveResponse
    digest: str


class ClaimsData(ResponseModel):
    """What the header of a trace says of its search; what it leaves out is null or not stated."""

    board: BoardData
    goal: GoalData
    algorithm: str | None
    heuristic: str | None
    rules: str
    stated: list[str] = Field(description="The knobs of the rules that the header names.")
    profile: str | None = Field(description="The course whose own search it is.")
    method: str | None = Field(description="The `algorithm` to name beside that profile.")
    program: str | None


class TraceVerdict(ResponseModel):
    """Whether a trace does what it claims; if not, where it first departs and what was expected."""

    ok: bool
    line: int | None
    event: int | None = Field(description="The number of the event that departs, from 0.")
    deviation: str | None
    checked: list[str]
    not_checked: list[str]
    reached_goal: bool


class TraceCheckResponse(Replayable):
    """A trace of another solver, checked against its claims."""

    claims: ClaimsData
    verdict: TraceVerdict


class CounterSeries(ResponseModel):
    """Counters on the clock of expansions."""

    expanded: list[int]
    generated: list[int]
    stored: list[int] | None = Field(None, description="None where the events do not tell it.")
    frontier: list[int] | None = Field(None, description="None where the events do not tell it.")
    g: list[int]
    h: list[int]
    board: list[str] = Field(description="The node expanded last, for some of the samples.")
    board_at: list[int] = Field(description="The places of those samples.")


class ComparedSearch(ResponseModel):
    """One of the searches compared."""

    result: SolveResponse
    series: CounterSeries | None


class CompareResponse(ResponseModel):
    """Several searches on one board."""

    board: BoardData
    goal: GoalData
    note: str | None
    searches: list[ComparedSearch]


class QueueStatus(ResponseModel):
    """How busy a queue is."""

    threads: int
    running: int
    waiting: int
    room: int


class StatusResponse(ResponseModel):
    """How busy the server is: short work has a queue of its own."""

    quick: QueueStatus
    long: QueueStatus


class Waiting(ResponseModel):
    """A `progress` event of a request that waits, and how many wait before it."""

    state: Literal["waiting"] = "waiting"
    waiting: int


class IncumbentData(ResponseModel):
    """The best solution so far of a search that goes on, and what is proved."""

    cost: int | None
    bound: int = Field(description="Moves that are proved to be needed at least.")
    gap: int | None
    moves: str | None
    seconds: float
    source: str = Field(description="Which part of the search made the last change.")


class Running(ResponseModel):
    """A `progress` event of a request that is worked on."""

    state: Literal["running"] = "running"
    seconds: float
    stats: dict[str, int] | None = Field(description="Counters of the search so far.")
    search: int | None = Field(description="Which of the searches compared runs, from 0.")
    incumbent: IncumbentData | None = Field(description="Of `anytime`, as soon as there is one.")
