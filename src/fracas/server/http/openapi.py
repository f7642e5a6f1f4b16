"""The OpenAPI 3.1 document: what FastAPI knows of the routes, and what the authorisation table adds to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from fracas.server.http.answers import ERRORS
from fracas.server.http.authorisation import ACCESS, Needs, Table
from fracas.server.http.idempotency import HEADER, LONGEST_KEY
from fracas.server.http.problems import KINDS, MEDIA_TYPE, ApiProblem, body_of

_PROBLEM = {
    "type": "object",
    "title": "Problem",
    "description": "An error, as RFC 9457 says, with the list that the command line prints.",
    "required": ["type", "title", "status", "detail", "request_id", "problems"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "examples": ["/problems/not-found"]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "request_id": {"type": ["string", "null"], "description": "What the server's log knows the request by."},
        "problems": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["where", "message", "suggestion", "file", "path"],
                "properties": {
                    "where": {"type": "string", "description": "The key, such as sides.0.units.1.attack."},
                    "message": {"type": "string"},
                    "suggestion": {"type": ["string", "null"]},
                    "file": {"type": ["string", "null"]},
                    "path": {"type": ["string", "null"]},
                },
            },
        },
    },
}
_ALWAYS = ("invalid-request", "misdirected", "head-too-large", "too-many-requests", "fault", "unavailable")
_WITH_BODY = ("forbidden", "too-slow", "too-large", "unsupported-media-type", "invalid-input")
_IDEMPOTENT = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "A text of your choice. A repeated request with it gets the first answer and does nothing again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
}


def document(app: FastAPI, table: Table, url: str, version: str) -> dict[str, Any]:
    """Make the OpenAPI document of the services that are on."""
    found = get_openapi(
        title="Fracas",
        version=version,
        openapi_version="3.1.0",
        summary="Turn-based battles resolved from data, and leagues of strategies.",
        description=(
            "Times are ISO 8601 in UTC. Lists have a `next` link until the last page. Every error is a problem of "
            "RFC 9457. Requests of an account that create something may carry an Idempotency-Key."
        ),
        routes=app.routes,
        servers=[{"url": url}],
    )
    components = found.setdefault("components", {})
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A session's token or an API key."}
    }
    schemas = components.setdefault("schemas", {})
    # FastAPI's own shape of a validation error is never sent.
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["Problem"] = _PROBLEM
    for path, method, operation in _operations(found):
        _complete(operation, method, path, table)
        for answer in operation["responses"].values():
            content = answer.get("content", {}).get("application/json", {})
            if "example" not in content and content.get("schema"):
                content["example"] = _example(content["schema"], schemas)
    return found


def _example(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """A value of a schema, made of the examples of its parts."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if "examples" in schema:
        return schema["examples"][0]
    if "anyOf" in schema:
        return _example(schema["anyOf"][0], schemas)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        # What may be left out is left out.
        needed = {name: schema["properties"][name] for name in schema.get("required", ())}
        return {name: _example(each, schemas) for name, each in needed.items()}
    if kind == "array":
        return [_example(schema["items"], schemas)] * schema.get("minItems", 1)
    return {"string": "text", "integer": 1, "number": 0.5, "boolean": False}.get(str(kind))


def _operations(found: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in found.get("paths", {}).items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def _complete(operation: dict[str, Any], method: str, path: str, table: Table) -> None:
    """Add to an operation what follows from its row in the authorisation table, and from having a body."""
    access = table.row(method, path)
    del operation[ACCESS]
    kinds = [*operation.pop(ERRORS, ()), *_ALWAYS]
    if method != "GET":
        kinds += _WITH_BODY
    # Any query with a NUL character.
    kinds.append("invalid-input")
    # A bearer token that is not valid is refused everywhere.
    kinds.append("signed-out")
    if access.needs is not Needs.NOTHING:
        operation["security"] = [{"token": []}]
        kinds.append("forbidden")
    if access.needs in (Needs.OWNER, Needs.OPERATOR):
        kinds.append("not-found")
    if method == "POST" and access.needs is not Needs.NOTHING:
        operation.setdefault("parameters", []).append(_IDEMPOTENT)
        kinds.append("conflict")
    operation["responses"].pop("422", None)
    for answer in operation["responses"].values():
        content = answer.get("content", {})
        # FastAPI adds JSON to answers that are declared as something else.
        if len(content) > 1 and content.get("application/json") == {"schema": {}}:
            del content["application/json"]
    operation["x-needs"] = access.needs.value
    for kind in dict.fromkeys(kinds):
        _add_problem(operation["responses"], kind)
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _add_problem(responses: dict[str, Any], name: str) -> None:
    kind = KINDS[name]
    example = body_of(ApiProblem(name, f"{kind.title}."), "4c2xw8v0tzd01kar7ms5rj9e7q")
    known = responses.setdefault(
        str(kind.status),
        {"description": kind.title, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}},
    )
    known["content"][MEDIA_TYPE].setdefault("examples", {})[kind.name] = {"value": example}
    if kind.status in (429, 503):
        known["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
