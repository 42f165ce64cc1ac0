"""The application: every request is read, worked on in a lane, and answered as JSON or a stream."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

import tilewise
from tilewise.errors import CancelledError, TilewiseError, in_one_line
from tilewise.puzzle.shapes import read_shape, solvable_states
from tilewise.tables.distances import SMALL_STATES
from tilewise.web import pages, positions, searches, trace_upload
from tilewise.web.budgets import Budgets, workers
from tilewise.web.job_queue import BusyError, GoneError, Job, Lanes
from tilewise.web.requests import (
    AskedBoard,
    AskedCompare,
    AskedDistance,
    AskedHint,
    AskedScramble,
    AskedSolve,
    AskedTrace,
    AskedTraceCheck,
    refusal,
)
from tilewise.web.responses import (
    BoardAnswer,
    CheckedTraceAnswer,
    CompareAnswer,
    DistanceAnswer,
    HintAnswer,
    Refused,
    SchemaAnswer,
    ScrambleAnswer,
    SolveAnswer,
    StatusAnswer,
    TraceAnswer,
)
from tilewise.web.schema import schema
from tilewise.web.security import Guard

JSON = "application/json"
STREAM = "text/event-stream"
PROGRESS_EVERY, PING_EVERY = 0.2, 15
FIRST_LOOK = 0.05
"""A stream starts when a job is not done after so many seconds; what is wrong is known by then."""
LONGEST_MESSAGE = 350
MANY_EVENTS = 20_000
SWITCH_INTERVAL = 0.001
"""How long a Python search may keep the lock while the server wants to answer."""
CLIENT_GONE = 499
CHECK_PATH = "/api/trace/check"
REFUSED: dict[int | str, dict[str, Any]] = {
    code: {"model": Refused, "description": about}
    for code, about in {
        400: "What was asked for makes no sense; the message is the command line's.",
        403: "The request came from another site.",
        408: "The body did not arrive in time.",
        413: "The body is too large.",
        500: "A defect of tilewise.",
        503: "Too many requests are waiting.",
    }.items()
}

Asked = TypeVar("Asked")
Operation = Callable[[Asked, Budgets, Job], dict[str, Any]]


class Desk:
    """Takes requests in: starts their jobs and waits for them, or for the client to leave."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._lanes = Lanes(workers(), budgets.waiting)

    def status(self) -> dict[str, dict[str, int]]:
        """How busy the lanes are."""
        return self._lanes.status()

    def close(self) -> None:
        """Stop all work."""
        self._lanes.close()

    async def answer(
        self, request: Request, operation: Operation[Asked], asked: Asked, *, long: bool = False
    ) -> Response:
        """The answer to a request; the work ends when nobody waits for it."""

        def work(job: Job) -> bytes:
            try:
                answer = operation(asked, self._budgets, job)
            except CancelledError:
                job.check()
                raise
            return json.dumps(answer, separators=(",", ":")).encode()

        job = Job(work, long=long)
        task = self._lanes.start(job)
        if STREAM in request.headers.get("accept", ""):
            return await self._stream(job, task)
        gone = asyncio.create_task(_client_gone(request))
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                return Response(status_code=CLIENT_GONE)
            return Response(task.result(), media_type=JSON)
        finally:
            gone.cancel()
            self._lanes.give_up(task)

    async def _stream(self, job: Job, task: asyncio.Task[bytes]) -> Response:
        """A stream, unless it is known at once that there will be no answer."""
        try:
            await asyncio.wait({task}, timeout=FIRST_LOOK)
            if task.done():
                task.result()
        except BaseException:
            self._lanes.give_up(task)
            raise
        return Stream(job, task, self._lanes)


class Stream(EventSourceResponse):
    """Progress, and at last the result; the work ends when the client leaves."""

    def __init__(self, job: Job, task: asyncio.Task[bytes], lanes: Lanes) -> None:
        super().__init__(self._events(job, task), ping=PING_EVERY)
        self._task, self._lanes = task, lanes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the end, or until nobody listens."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._lanes.give_up(self._task)

    @staticmethod
    async def _events(job: Job, task: asyncio.Task[bytes]) -> AsyncIterator[ServerSentEvent]:
        while not task.done():
            yield ServerSentEvent(json.dumps(job.progress()), event="progress")
            await asyncio.wait({task}, timeout=PROGRESS_EVERY)
        try:
            yield ServerSentEvent(task.result().decode(), event="result")
        except Exception as error:
            _, message = status_and_message(error)
            yield ServerSentEvent(json.dumps({"error": message}), event="error")


async def _client_gone(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def status_and_message(error: Exception) -> tuple[int, str]:
    """How an error is answered: its status and one line."""
    if isinstance(error, TilewiseError):
        line = " ".join(str(error).split())
        return 400, line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]} ..."
    if isinstance(error, BusyError):
        return 503, "the server is busy: too many requests are waiting; try again in a moment"
    if isinstance(error, GoneError):
        return CLIENT_GONE, "cancelled"
    if isinstance(error, MemoryError):
        return 503, "the server is out of memory; try again, or with a smaller search"
    return 500, f"internal error, a defect of tilewise: {in_one_line(error)}"


def _refused(status: int, message: str) -> Response:
    headers = {"Retry-After": "1"} if status == 503 else None
    body = json.dumps({"error": message}).encode()
    return Response(body, status, media_type=JSON, headers=headers)


def create_app(budgets: Budgets | None = None, *, only_loopback: bool = True) -> FastAPI:
    """The application that `tilewise serve` runs."""
    budgets = budgets or Budgets()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.desk = Desk(budgets)
        sys.setswitchinterval(SWITCH_INTERVAL)
        yield
        app.state.desk.close()

    app = FastAPI(
        title="tilewise",
        summary="Sliding-tile puzzles: solve them, and watch how searches work.",
        version=str(tilewise.__version__),
        openapi_url="/api/openapi.json",
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        responses=REFUSED,
    )
    app.add_middleware(
        Guard,
        largest_body=budgets.body,
        larger={CHECK_PATH: budgets.trace_body},
        only_loopback=only_loopback,
    )
    _answer_errors(app)
    _add_pages(app)
    _add_positions(app, budgets)
    _add_searches(app)
    return app


def _answer_errors(app: FastAPI) -> None:
    """Every error is one line of JSON."""

    async def refuse(request: Request, error: Exception) -> Response:
        return _refused(*status_and_message(error))

    async def refuse_http(request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 500)
        unread = "expected a JSON object, got a body that cannot be read"
        return _refused(status, unread if status == 400 else str(getattr(error, "detail", error)))

    async def refuse_shape(request: Request, error: Exception) -> Response:
        errors = list(error.errors()) if isinstance(error, RequestValidationError) else []
        return _refused(400, refusal(errors))

    for kind in (TilewiseError, BusyError, GoneError, MemoryError, Exception):
        app.add_exception_handler(kind, refuse)
    app.add_exception_handler(HTTPException, refuse_http)
    app.add_exception_handler(RequestValidationError, refuse_shape)


def _add_pages(app: FastAPI) -> None:
    files = pages.load()

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request) -> Response:
        return pages.answer(request, files["index.html"])

    @app.api_route("/static/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def static(request: Request, path: str) -> Response:
        if path not in files:
            raise HTTPException(404, "expected a file of the page, got another path")
        return pages.answer(request, files[path])


def _add_positions(app: FastAPI, budgets: Budgets) -> None:
    """What is answered at once."""

    @app.get("/api/schema", response_model=SchemaAnswer)
    async def get_schema() -> Response:
        """Everything there is to choose from, and the budgets of this server."""
        return Response(json.dumps(schema(budgets)), media_type=JSON)

    @app.get("/api/status", response_model=StatusAnswer)
    async def status(request: Request) -> Response:
        """How busy the server is."""
        return Response(json.dumps(_desk(request).status()), media_type=JSON)

    @app.post("/api/board", response_model=BoardAnswer)
    async def board(request: Request, asked: AskedBoard) -> Response:
        """What a text means: the board, its goal, whether it can be solved, and why not."""
        return await _desk(request).answer(request, positions.about_board, asked)

    @app.post("/api/distance", response_model=DistanceAnswer)
    async def distance(request: Request, asked: AskedDistance) -> Response:
        """Moves from a board to its goal, exact where that can be had at once."""
        return await _desk(request).answer(request, positions.about_distance, asked)

    @app.post("/api/hint", response_model=HintAnswer)
    async def hint(request: Request, asked: AskedHint) -> Response:
        """The next step, told in part: distance, region, tile, move."""
        return await _desk(request).answer(request, positions.about_hint, asked)

    @app.post("/api/scramble", response_model=ScrambleAnswer)
    async def scramble(request: Request, asked: AskedScramble) -> Response:
        """Boards drawn at random: uniformly, by a walk, or of an exact depth."""
        long = asked.depth is not None and solvable_states(*read_shape(asked.shape)) > SMALL_STATES
        long = long or (asked.walk is not None and not asked.repeats)
        return await _desk(request).answer(request, positions.about_scramble, asked, long=long)


def _add_searches(app: FastAPI) -> None:
    """What may take long; with `Accept: text/event-stream` progress is streamed."""

    @app.post("/api/solve", response_model=SolveAnswer)
    async def solve(request: Request, asked: AskedSolve) -> Response:
        """The solution of a board, by any algorithm, heuristic and rules."""
        return await _desk(request).answer(request, searches.solved, asked)

    @app.post("/api/trace", response_model=TraceAnswer)
    async def trace(request: Request, asked: AskedTrace) -> Response:
        """A search event by event, with the reason of every choice."""
        long = (asked.events or 0) > MANY_EVENTS
        return await _desk(request).answer(request, searches.traced, asked, long=long)

    @app.post(CHECK_PATH, response_model=CheckedTraceAnswer)
    async def check_trace(request: Request, asked: AskedTraceCheck) -> Response:
        """Somebody's trace checked against the rules that it claims, to be replayed."""
        long = len(asked.trace) > trace_upload.LONG_TEXT
        return await _desk(request).answer(request, trace_upload.checked, asked, long=long)

    @app.post("/api/compare", response_model=CompareAnswer)
    async def compare(request: Request, asked: AskedCompare) -> Response:
        """Several searches on one board, with their counters on the clock of expansions."""
        return await _desk(request).answer(request, searches.compared, asked, long=True)


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk
