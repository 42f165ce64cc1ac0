"""What requests look like. Values are judged by the library, so that its messages are the same."""

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


class Asked(BaseModel):
    """A request; fields that it does not have are refused, so that misspelt ones are seen."""

    model_config = ConfigDict(extra="forbid")


class Position(Asked):
    """A board and the goal that it should reach."""

    board: BoardText
    goal: GoalText = "auto"


class AskedBoard(Position):
    """What a text means."""

    heuristics: StrictBool = Field(False, description="Whether to evaluate every heuristic.")


class AskedDistance(Position):
    """How far a board is from its goal."""

    seconds: Number = Field(0.3, description="How long to search where no table tells.")


class AskedHint(AskedDistance):
    """The next step: the more, the higher the level."""

    level: StrictInt = Field(1, description="1 distance, 2 region, 3 tile, 4 move and solution.")


class AskedScramble(Asked):
    """Boards drawn at random."""

    shape: StrictStr = Field("3x3", examples=["4x4"])
    goal: GoalText = "first"
    depth: StrictInt | None = Field(None, description="Moves of a shortest solution.")
    walk: StrictInt | None = Field(None, description="Random moves from the goal.")
    repeats: StrictBool = Field(True, description="Whether a walk may enter a board twice.")
    count: StrictInt = 1
    distinct: StrictBool = False
    seed: StrictInt | None = None
    seconds: Number = 5.0


class Bounded(Position):
    """A board and what a search on it may use."""

    engine: StrictStr = Field("auto", description="auto, python or native.")
    max_nodes: StrictInt | None = Field(None, description="Nodes generated.")
    seconds: Number | None = None
    memory: StrictInt | None = Field(None, description="Megabytes.")


class AskedSolve(Bounded):
    """One board and how to solve it; what is left open is chosen as on the command line."""

    algorithm: Spec = None
    heuristic: Spec = None
    rules: Spec = None
    profile: CourseName = None


class AskedTrace(AskedSolve):
    """A search to be seen event by event."""

    events: StrictInt | None = Field(None, description="How many events to keep.")
    reasons: StrictBool = Field(True, description="Whether to say why each node was taken.")


class AskedTraceCheck(Asked):
    """Somebody's trace, to be checked and replayed."""

    trace: StrictStr = Field(
        description="The text of a trace in JSON Lines.",
        examples=['{"format": "tilewise-trace", "version": 1, "board": "125 34b 678"}'],
    )
    seconds: Number | None = None


class Contestant(Asked):
    """One of the searches to compare."""

    algorithm: Spec = None
    heuristic: Spec = None
    rules: Spec = None
    profile: CourseName = None


class AskedCompare(Bounded):
    """Several searches on one board; with none named, the usual dozen."""

    searches: list[Contestant] | None = None
    points: StrictInt = Field(400, description="Samples of each search's counters; 0 for none.")


def refusal(errors: list[Any]) -> str:
    """What was wrong with a request, in one line, in the words of the command line."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"][1:] if not _is_type(part))
    what, came = first["type"], shortened(first.get("input"))
    named = f" for {place}" if place else ""
    if what == "json_invalid":
        reason = first.get("ctx", {}).get("error", "no JSON")
        return f"expected a JSON object, got something else: {reason}"
    if what == "missing":
        return f"expected a value{named or ' as body'}, got none"
    if what == "extra_forbidden":
        return f"expected no field {shortened(place)}, got {came}"
    return f"expected {_EXPECTED.get(what, 'another value')}{named}, got {came}"


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
