"""Requests made at random from the OpenAPI schema: none of them breaks the server."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from web.conftest import Server

from tilewise.web.server import create_app

EXAMPLES = 8


schema = schemathesis.openapi.from_dict(create_app().openapi())


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_no_request_breaks_the_server(server: Server, case: schemathesis.Case) -> None:
    case.call_and_validate(
        base_url=server.url,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
        ],
    )
