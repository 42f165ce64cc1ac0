"""What the server accepts. The library judges the values, so that its messages are the same."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from tilewise.errors import shortened

Number = StrictInt | StrictFloat
BoardText = Annotated[
    StrictStr | list[list[StrictInt]],
    Field(
        description="A board in any notation of the schema's formats, or a list of rows.",
        examples=["312 475 68b", [[1, 2], [3, 0]]],
    ),
]
GoalText = Annotated[
    StrictStr | list[list[StrictInt]],
    Field(description="auto, first, last, snail, or a board.", examples=["auto"]),
]
Spec = Annotated[StrictStr | None, Field(description="As on the command line.")]
CourseName = Annotated[
    StrictStr | None,
    Field(description="A course, whose own search runs: with one of the schema's searches."),
]


class RequestModel(BaseModel):
    """A request. Unknown fields are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid")


class PositionRequest(RequestModel):
    """A board and the goal that it should reach."""

    board: BoardText
    goal: GoalText = "auto"


class BoardRequest(PositionRequest):
    """What a text means."""

    heuristics: StrictBool = Field(False, description="Whether to evaluate every heuristic.")


class DistanceRequest(PositionRequest):
    """How far a board is from its goal."""

    seconds: Number = Field(0.3, description="How long to search where there is no table.")


class HintRequest(DistanceRequest):
    """The next step. A higher level gives more away."""

    level: StrictInt = Field(1, description="1 distance, 2 region, 3 tile, 4 move and solution.")


class EstimateRequest(PositionRequest):
    """What a heuristic says of a board."""

    heuristic: StrictStr = Field(examples=["linear_conflict"])


class ScrambleRequest(RequestModel):
    """Boards drawn at random."""

    shape: StrictStr = Field("3x3", examples=["4x4"])
    goal: GoalText = "first"
    depth: StrictInt | None = Field(None, description="Moves of a shortest solution.")
    level: StrictStr | None = Field(None, description="easy, medium or hard, found at once.")
    walk: StrictInt | None = Field(None, description="Random moves from the goal.")
    repeats: StrictBool = Field(True, description="Whether a walk may enter a board twice.")
    count: StrictInt = 1
    distinct: StrictBool = False
    seed: StrictInt | None = None
    seconds: Number = 5.0


class SearchRequest(PositionRequest):
    """A board and what a search on it may use."""

    engine: StrictStr = Field("auto", description="auto, python or native.")
    max_nodes: StrictInt | None = Field(None, description="Nodes generated.")
    seconds: Number | None = None
    memory: StrictInt | None = Field(None, description="Megabytes.")


class SearchChoice(RequestModel):
    """Which search: an algorithm with its heuristic and rules, or one of a course."""

    algorithm: Spec = None
    heuristic: Spec = None
    rules: Spec = None
    profile: CourseName = None


class SolveRequest(SearchRequest, SearchChoice):
    """One board and how to solve it; the command line's defaults fill the rest."""


class TraceRequest(SolveRequest):
    """A search to watch event by event."""

    events: StrictInt | None = Field(None, description="How many events to keep.")
    reasons: StrictBool = Field(True, description="Whether to say why each node was taken.")


class TraceCheckRequest(RequestModel):
    """A trace of another solver, to be checked and replayed."""

    trace: StrictStr = Field(
        description="The text of a trace in JSON Lines.",
        examples=['{"format": "tilewise-trace", "version": 1, "board": "125 34b 678"}'],
    )
    seconds: Number | None = None


class CompareRequest(SearchRequest):
    """Several searches on one board; if none is named, those of `tilewise compare`."""

    searches: list[SearchChoice] | None = None
    points: StrictInt = Field(400, description="Samples of each search's counters; 0 for none.")


def refusal(errors: list[Any]) -> str:
    """What was wrong with a request, in one line, in the words of the command line."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"][1:] if not _is_type(part))
    what, got = first["type"], shortened(first.get("input"))
    named = f" for {place}" if place else ""
    if what == "json_invalid":
        reason = first.get("ctx", {}).get("error", "no JSON")
        return f"expected a JSON object, got something else: {reason}"
    if what == "missing":
        return f"expected a value{named or ' as body'}, got none"
    if what == "extra_forbidden":
        return f"expected no field {shortened(place)}, got {got}"
    return f"expected {_EXPECTED.get(what, 'another value')}{named}, got {got}"


_EXPECTED = {
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "a text",
    "bool_type": "true or false",
    "list_type": "a list",
    "model_type": "a JSON object",
    "model_attributes_type": "a JSON object",
    "dict_type": "a JSON object",
}


def _is_type(part: object) -> bool:
    """Whether a part of a place names an alternative of a union rather than a field."""
    return isinstance(part, str) and ("[" in part or part in ("str", "int", "float", "bool"))
