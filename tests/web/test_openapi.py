"""Requests made at random from the OpenAPI schema: none of them breaks the server."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.client import Server
from tilewise.web.server import create_app

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 8

described = create_app().openapi()
schema = schemathesis.openapi.from_dict(described)


@pytest.mark.parametrize("path", sorted(described["paths"]))
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_no_request_breaks_the_server(server: Server, path: str, mode: GenerationMode) -> None:
    method = next(iter(described["paths"][path]))
    if mode is GenerationMode.NEGATIVE and method == "get":
        assert "parameters" not in described["paths"][path][method]  # nothing that could be wrong
        return

    @given(schema[path][method].as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(base_url=server.url, checks=CHECKS)

    ask()


def test_the_examples_of_the_schema_are_answered(server: Server) -> None:
    for path in described["paths"]:
        if path == "/api/trace/check":
            header = described["components"]["schemas"]["TraceCheckRequest"]["properties"]["trace"]
            assert server.post("trace/check", trace=header["examples"][0])
        elif path not in ("/api/schema", "/api/status", "/api/scramble"):
            more = {"heuristic": "manhattan"} if path == "/api/estimate" else {}
            assert server.post(path.removeprefix("/api/"), board="312 475 68b", **more)
