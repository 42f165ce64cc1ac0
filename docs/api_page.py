"""The fields of the server's requests and responses, from its own OpenAPI schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tilewise.web.server import create_app

Table = Callable[[Sequence[str], Iterable[Sequence[str]]], str]
WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
    "object": "object",
}


def fields(table: Table) -> str:
    """Every address with what it takes and gives."""
    schema = create_app().openapi()
    parts = []
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            parts.append(f"### `{method.upper()} {path}`\n\n{operation['description']}\n")
            if "requestBody" in operation:
                parts.append("The request:\n")
                parts.append(_rows(schema, _json(operation["requestBody"]), table, request=True))
            parts.append("The response:\n")
            response = _json(operation["responses"]["200"])
            parts.append(_rows(schema, response, table, request=False))
    return "\n".join(parts)


def _json(part: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = part["content"]["application/json"]["schema"]
    return found


def _rows(schema: dict[str, Any], model: dict[str, Any], table: Table, *, request: bool) -> str:
    found = schema["components"]["schemas"][model["$ref"].rsplit("/", 1)[1]]
    required = found.get("required", ())
    rows = []
    for name, field in found["properties"].items():
        row = [f"`{name}`", _type(field), field.get("description", "")]
        if request:
            usual = field.get("default")
            missing = "" if usual is None else f"`{json.dumps(usual)}`"
            row.insert(2, "required" if name in required else missing)
        rows.append(row)
    titles = ["field", "type", "default", "meaning"] if request else ["field", "type", "meaning"]
    if not any(row[-1] for row in rows):
        titles, rows = titles[:-1], [row[:-1] for row in rows]
    return table(titles, rows)


def _type(field: dict[str, Any]) -> str:
    """A type in words."""
    if "$ref" in field:
        return "`" + str(field["$ref"]).rsplit("/", 1)[1] + "`"
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(_type(each) for each in field["anyOf"]))
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    return WORDS.get(field.get("type", ""), "any value")
