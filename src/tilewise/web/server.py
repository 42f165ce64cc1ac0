"""The application: every request becomes a job, and its response is JSON or a stream of events."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

import tilewise
from tilewise.core.memo import CACHES
from tilewise.errors import CancelledError, TilewiseError
from tilewise.hints import Guide
from tilewise.puzzle.shapes import read_shape, solvable_states
from tilewise.tables.distances import SMALL_STATES
from tilewise.web import pages, positions, searches, trace_upload
from tilewise.web.budgets import MEGABYTE, Budgets, workers
from tilewise.web.connections import CLIENT_SECONDS
from tilewise.web.job_queue import BusyError, ClientGoneError, Job, JobQueues
from tilewise.web.requests import (
    BoardRequest,
    CompareRequest,
    DistanceRequest,
    EstimateRequest,
    HintRequest,
    ScrambleRequest,
    SolveRequest,
    TraceCheckRequest,
    TraceRequest,
    refusal,
)
from tilewise.web.responses import (
    BoardResponse,
    CompareResponse,
    DistanceResponse,
    ErrorResponse,
    EstimateResponse,
    HintResponse,
    ResponseModel,
    Running,
    ScrambleResponse,
    SolveResponse,
    StatusResponse,
    TraceCheckResponse,
    TraceResponse,
    Waiting,
)
from tilewise.web.schema import SchemaResponse, schema
from tilewise.web.security import SecurityMiddleware

JSON = "application/json"
STREAM = "text/event-stream"
PROGRESS_EVERY, PING_EVERY = 0.2, 15
FIRST_LOOK = 0.05
"""Seconds before a stream starts; most refusals are known by then, and are ordinary responses."""
LONGEST_MESSAGE = 350
MANY_EVENTS = 20_000
SWITCH_INTERVAL = 0.001
"""How long a Python search may keep the lock while the server wants to respond."""
CLIENT_GONE = 499
CHECK_PATH = "/api/trace/check"
REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": ErrorResponse, "description": about}
    for code, about in {
        400: "The request makes no sense; the message is the command line's.",
        403: "The request came from another site.",
        408: "The body did not arrive in time.",
        413: "The body is too large.",
        500: "A defect of tilewise.",
        503: "Too many requests are waiting.",
    }.items()
}

STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": (
            "The response. With `Accept: text/event-stream` a stream of events instead: `progress` "
            "with how far the work has come, and last `result` with the response or `error`."
        ),
        "content": {
            STREAM: {"schema": {"oneOf": [each.model_json_schema() for each in (Waiting, Running)]}}
        },
    }
}

Body = TypeVar("Body")
Operation = Callable[[Body, Budgets, Job], ResponseModel]


class Dispatcher:
    """Starts the job of a request and waits for it, or for the client to disconnect."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._queues = JobQueues(workers(), budgets.waiting)

    def status(self) -> StatusResponse:
        """How busy the queues are."""
        return self._queues.status()

    def close(self) -> None:
        """Stop all work."""
        self._queues.close()

    async def respond(
        self, request: Request, operation: Operation[Body], body: Body, *, long: bool = False
    ) -> Response:
        """The response to a request; the work ends when the client disconnects."""

        def work(job: Job) -> bytes:  # JSON is written here: a long trace must not block the server
            try:
                response = operation(body, self._budgets, job)
            except CancelledError:
                job.check()
                raise
            return response.model_dump_json().encode()

        job = Job(work, long=long)
        task = self._queues.start(job)
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
            self._queues.give_up(task)

    async def _stream(self, job: Job, task: asyncio.Task[bytes]) -> Response:
        """A stream, unless the request is refused at once."""
        try:
            await asyncio.wait({task}, timeout=FIRST_LOOK)
            if task.done():
                task.result()
        except BaseException:
            self._queues.give_up(task)
            raise
        return Stream(job, task, self._queues)


class Stream(EventSourceResponse):
    """Progress, and last the result; the work ends when the client disconnects."""

    def __init__(self, job: Job, task: asyncio.Task[bytes], queues: JobQueues) -> None:
        super().__init__(self._events(job, task), ping=PING_EVERY)
        self._task, self._queues = task, queues

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the end, or until the client disconnects."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._queues.give_up(self._task)

    @staticmethod
    async def _events(job: Job, task: asyncio.Task[bytes]) -> AsyncIterator[ServerSentEvent]:
        while not task.done():
            yield ServerSentEvent(job.progress().model_dump_json(), event="progress")
            await asyncio.wait({task}, timeout=PROGRESS_EVERY)
        try:
            yield ServerSentEvent(task.result().decode(), event="result")
        except Exception as error:
            _, message = status_and_message(error)
            yield ServerSentEvent(_error(message), event="error")


async def _client_gone(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def status_and_message(error: Exception) -> tuple[int, str]:
    """The status and the one line of an error."""
    if isinstance(error, TilewiseError):
        line = " ".join(str(error).split())
        return 400, line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]} ..."
    if isinstance(error, BusyError):
        return 503, "the server is busy: too many requests are waiting; try again in a moment"
    if isinstance(error, ClientGoneError):
        return CLIENT_GONE, "cancelled"
    if isinstance(error, MemoryError):
        return 503, "the server is out of memory; try again, or with a smaller search"
    # its text is for the terminal of the server: TILEWISE_DEBUG=1 shows all of it there
    return 500, f"internal error, a defect of tilewise: {type(error).__name__}"


def _refused(status: int, message: str) -> Response:
    headers = {"Retry-After": "1"} if status == 503 else None
    return Response(_error(message), status, media_type=JSON, headers=headers)


def _error(message: str) -> str:
    return ErrorResponse(error=message).model_dump_json()


def create_app(
    budgets: Budgets | None = None,
    *,
    only_loopback: bool = True,
    body_seconds: float = CLIENT_SECONDS,
) -> FastAPI:
    """The application that `tilewise serve` runs."""
    budgets = budgets or Budgets()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.dispatcher = Dispatcher(budgets)
        CACHES.set_most_bytes(budgets.cache_memory * MEGABYTE)
        sys.setswitchinterval(SWITCH_INTERVAL)
        yield
        app.state.dispatcher.close()

    app = FastAPI(
        title="tilewise",
        summary="Sliding-tile puzzles: solve them, and watch how searches work.",
        version=str(tilewise.__version__),
        openapi_url="/api/openapi.json",
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        responses=REFUSALS,
    )
    app.add_middleware(
        SecurityMiddleware,
        largest_body=budgets.body,
        larger_bodies={CHECK_PATH: budgets.trace_body},
        body_seconds=body_seconds,
        only_loopback=only_loopback,
    )
    _handle_errors(app)
    _add_pages(app)
    _add_positions(app, budgets)
    _add_searches(app)
    return app


def _handle_errors(app: FastAPI) -> None:
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

    for kind in (TilewiseError, BusyError, ClientGoneError, MemoryError, Exception):
        app.add_exception_handler(kind, refuse)
    app.add_exception_handler(HTTPException, refuse_http)
    app.add_exception_handler(RequestValidationError, refuse_shape)


def _add_pages(app: FastAPI) -> None:
    files = pages.PageFiles()
    app.mount("/static", files)

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request) -> Response:
        return await files.get_response(pages.INDEX, request.scope)


def _add_positions(app: FastAPI, budgets: Budgets) -> None:
    """Requests that take a moment."""
    guide = Guide()

    @app.get("/api/schema")
    async def get_schema() -> SchemaResponse:
        """All available choices, and the budgets of this server."""
        return schema(budgets)

    @app.get("/api/status")
    async def status(request: Request) -> StatusResponse:
        """How busy the server is."""
        return _dispatcher(request).status()

    @app.post("/api/board", response_model=BoardResponse)
    async def board(request: Request, body: BoardRequest) -> Response:
        """What a text means: the board, its goal, whether it can be solved, and why not."""
        return await _dispatcher(request).respond(request, positions.about_board, body)

    @app.post("/api/distance", response_model=DistanceResponse)
    async def distance(request: Request, body: DistanceRequest) -> Response:
        """Moves from a board to its goal, exact where that can be had at once."""
        operation = partial(positions.about_distance, guide)
        return await _dispatcher(request).respond(request, operation, body)

    @app.post("/api/estimate", response_model=EstimateResponse)
    async def estimate(request: Request, body: EstimateRequest) -> Response:
        """The value of a heuristic, and what each tile or group of tiles adds to it."""
        return await _dispatcher(request).respond(request, positions.about_estimate, body)

    @app.post("/api/hint", response_model=HintResponse)
    async def hint(request: Request, body: HintRequest) -> Response:
        """The next step in part: distance, region, tile, move."""
        operation = partial(positions.about_hint, guide)
        return await _dispatcher(request).respond(request, operation, body)

    @app.post("/api/scramble", response_model=ScrambleResponse)
    async def scramble(request: Request, body: ScrambleRequest) -> Response:
        """Boards drawn at random: uniformly, by a walk, or of an exact depth."""
        long = body.depth is not None and solvable_states(*read_shape(body.shape)) > SMALL_STATES
        long = long or (body.walk is not None and not body.repeats)
        return await _dispatcher(request).respond(
            request, positions.about_scramble, body, long=long
        )


def _add_searches(app: FastAPI) -> None:
    """Requests that may take long; with `Accept: text/event-stream` progress is streamed."""

    @app.post("/api/solve", response_model=SolveResponse, responses=STREAMED)
    async def solve(request: Request, body: SolveRequest) -> Response:
        """The solution of a board, by any algorithm, heuristic and rules."""
        return await _dispatcher(request).respond(request, searches.solved, body)

    @app.post("/api/trace", response_model=TraceResponse, responses=STREAMED)
    async def trace(request: Request, body: TraceRequest) -> Response:
        """A search event by event, with the reason of every choice."""
        long = (body.events or 0) > MANY_EVENTS
        return await _dispatcher(request).respond(request, searches.traced, body, long=long)

    @app.post(CHECK_PATH, response_model=TraceCheckResponse, responses=STREAMED)
    async def check_trace(request: Request, body: TraceCheckRequest) -> Response:
        """A trace of another solver, checked against the rules that it claims, to be replayed."""
        long = len(body.trace) > trace_upload.LONG_TEXT
        return await _dispatcher(request).respond(request, trace_upload.checked, body, long=long)

    @app.post("/api/compare", response_model=CompareResponse, responses=STREAMED)
    async def compare(request: Request, body: CompareRequest) -> Response:
        """Several searches on one board, with their counters on the clock of expansions."""
        return await _dispatcher(request).respond(request, searches.compared, body, long=True)


def _dispatcher(request: Request) -> Dispatcher:
    dispatcher: Dispatcher = request.app.state.dispatcher
    return dispatcher
