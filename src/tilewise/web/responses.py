"""What answers look like: the schema that programs can rely on."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Told(BaseModel):
    """An answer, or a part of one."""

    model_config = ConfigDict(extra="forbid")


class Refused(Told):
    """Why there is no answer."""

    error: str = Field(description="One line, as the command line says it.")


class ToldBoard(Told):
    """A board; 0 is the blank, and `text` can be sent back."""

    rows: int
    columns: int
    tiles: list[int]
    text: str


class ToldGoal(ToldBoard):
    """A goal and its name."""

    name: str


class Mend(Told):
    """Two tiles to lift out and swap, and the board that this makes."""

    swap: list[int]
    board: ToldBoard


class Explanation(Told):
    """Why a board cannot reach its goal."""

    summary: str
    text: str
    swaps: int
    blank_steps: int
    cycles: list[list[int]]
    mends: list[Mend]


class Estimate(Told):
    """What a heuristic says of a board, or why it says nothing."""

    name: str
    value: int | None
    admissible: bool
    why_not: str | None


class BoardAnswer(Told):
    """What a text means, and what is known about the board at once."""

    board: ToldBoard
    notation: str
    goal: ToldGoal
    note: str | None
    solvable: bool
    solved: bool
    legal_moves: list[str]
    explanation: Explanation | None
    distance: int | None
    lower_bound: int
    heuristics: list[Estimate]
    notations: dict[str, str | None]


class Step(Told):
    """A legal move, the tile that slides, and the distance after it where it is known."""

    move: str
    tile: int
    distance: int | None


class DistanceAnswer(Told):
    """Moves from a board to its goal."""

    distance: int | None
    exact: bool
    lower_bound: int
    upper_bound: int | None
    method: str
    solvable: bool
    solved: bool
    best: list[str]
    moves: list[Step]


class HintAnswer(Told):
    """A hint, and what it gives away."""

    level: int
    text: str
    distance: int | None
    exact: bool
    area: list[int] | None
    tile: int | None
    move: str | None
    moves: str | None


class ScrambleAnswer(Told):
    """Boards drawn at random; `uniform`: all that could come had the same chance."""

    boards: list[ToldBoard]
    goal: ToldGoal
    seed: int
    uniform: bool
    gave_up: bool


class SolveAnswer(Told):
    """The result of a search."""

    status: str
    cost: int | None
    moves: str | None
    optimal: bool
    headline: str
    note: str | None
    board: ToldBoard
    goal: ToldGoal
    algorithm: str
    heuristic: str | None
    rules: str
    engine: str
    stats: dict[str, float | None]
    written: dict[str, dict[str, str]] | None = Field(
        description="The moves in every style, as the blank and as the tiles go."
    )
    explanation: Explanation | None


class OpenListRule(Told):
    """How the open list is kept: queue, layers, path or two-sided."""

    kind: str
    last: str | None = Field(description="What decides between equal keys: newest or oldest.")
    width: int | None


class Events(Told):
    """The events as columns of equal length; `move` has one character each, - for none."""

    kind: list[int]
    node: list[int]
    parent: list[int]
    move: str
    g: list[int]
    h: list[int]
    priority: list[int]
    tie: list[int]


class Replayable(Told):
    """Events to replay. A board is a text: the tile is the character's code minus 48."""

    count: int
    kept: int
    open_list: OpenListRule
    kinds: list[str]
    events: Events
    boards: list[str | None]
    expansions: list[int]
    reasons: list[str] | None


class TraceAnswer(Replayable):
    """A search event by event."""

    result: SolveAnswer
    digest: str


class Claims(Told):
    """What the header of a trace says of its search; what it leaves out is null or not stated."""

    board: ToldBoard
    goal: ToldGoal
    algorithm: str | None
    heuristic: str | None
    rules: str
    stated: list[str] = Field(description="The knobs of the rules that the header names.")
    profile: str | None = Field(description="The course whose own search it is.")
    method: str | None = Field(description="The `algorithm` to name beside that profile.")
    program: str | None


class Verdict(Told):
    """Whether a trace does what it claims; if not, where it first departs and what was expected."""

    ok: bool
    line: int | None
    event: int | None = Field(description="The number of the event that departs, from 0.")
    deviation: str | None
    checked: list[str]
    not_checked: list[str]
    reached_goal: bool


class CheckedTraceAnswer(Replayable):
    """Somebody's trace, checked against its claims."""

    claims: Claims
    verdict: Verdict


class Series(Told):
    """Counters on the clock of expansions."""

    expanded: list[int]
    generated: list[int]
    stored: list[int]
    frontier: list[int]
    g: list[int]
    h: list[int]
    board: list[str]
    complete: bool


class Compared(Told):
    """One of the searches compared."""

    result: SolveAnswer
    series: Series | None


class CompareAnswer(Told):
    """Several searches on one board."""

    board: ToldBoard
    goal: ToldGoal
    note: str | None
    searches: list[Compared]


class SchemaAnswer(Told):
    """What there is, from the registry, and the budgets of this server."""

    version: str
    algorithms: list[dict[str, Any]]
    heuristics: list[dict[str, Any]]
    rules: dict[str, Any]
    profiles: list[dict[str, Any]]
    counters: list[dict[str, Any]]
    event_kinds: list[str]
    formats: list[dict[str, Any]]
    move_styles: list[str]
    goals: list[str]
    suites: list[dict[str, Any]]
    engines: list[dict[str, Any]]
    budgets: dict[str, float]
    shapes: dict[str, int]


class LaneStatus(Told):
    """How busy a lane is."""

    threads: int
    running: int
    waiting: int
    room: int


class StatusAnswer(Told):
    """How busy the server is: short work has a lane of its own."""

    quick: LaneStatus
    long: LaneStatus
