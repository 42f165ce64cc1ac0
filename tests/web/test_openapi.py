"""Requests made at random from the OpenAPI schema: none of them breaks the server."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.web.client import Server

PATHS = "board compare distance estimate hint schema scramble solve status trace trace/check"
EXAMPLES = 8


@pytest.fixture(scope="module")
def described() -> Any:
    # imported by who needs it: each process of the tests would, and it takes a second
    from tilewise.web.server import create_app

    return create_app().openapi()


def test_every_path_is_tried(described: Any) -> None:
    assert [f"/api/{name}" for name in PATHS.split()] == sorted(described["paths"])


@pytest.mark.parametrize("name", PATHS.split())
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_no_request_breaks_the_server(server: Server, described: Any, name: str, mode: str) -> None:
    path = f"/api/{name}"
    method = next(iter(described["paths"][path]))
    if mode == "negative" and method == "get":
        assert "parameters" not in described["paths"][path][method]  # nothing that could be wrong
        return

    import schemathesis
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    schema = schemathesis.openapi.from_dict(described)
    checked = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]

    @given(schema[path][method].as_strategy(generation_mode=GenerationMode(mode)))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(base_url=server.url, checks=checked)

    ask()


def test_the_examples_of_the_schema_are_answered(server: Server, described: Any) -> None:
    for path in described["paths"]:
        if path == "/api/trace/check":
            header = described["components"]["schemas"]["TraceCheckRequest"]["properties"]["trace"]
            assert server.post("trace/check", trace=header["examples"][0])
        elif path not in ("/api/schema", "/api/status", "/api/scramble"):
            more = {"heuristic": "manhattan"} if path == "/api/estimate" else {}
            assert server.post(path.removeprefix("/api/"), board="312 475 68b", **more)
