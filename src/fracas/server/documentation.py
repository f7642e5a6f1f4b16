"""The OpenAPI document, and a page that shows it without any script or file from elsewhere."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse

from fracas.server.http.answers import ROOT, Document, answers
from fracas.server.http.authorisation import Needs
from fracas.server.http.openapi import document
from fracas.server.http.origins import refuse_strangers
from fracas.version import __version__

router = APIRouter()


def document_of(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an application, made once."""
    if not hasattr(app.state, "openapi"):
        app.state.openapi = document(app, app.state.access, app.state.settings.url, __version__)
    found: dict[str, Any] = app.state.openapi
    return found


@router.get(f"{ROOT}/openapi.json", **answers(200, Document, needs=Needs.NOTHING, example={"openapi": "3.1.0"}))
async def read_openapi(request: Request) -> Response:
    """Read the OpenAPI 3.1 document of the services that are on."""
    return JSONResponse(document_of(request.app))


@router.get(
    "/docs",
    **answers(200, needs=Needs.NOTHING, example="<!doctype html>", media_type="text/html", errors=("not-found",)),
)
async def show_documentation(request: Request) -> Response:
    """Show the interface as a page. Only to this machine, unless --expose-metrics is set."""
    refuse_strangers(request)
    return HTMLResponse(page(document_of(request.app)))


@router.get("/docs/style.css", **answers(200, needs=Needs.NOTHING, example="body {}", media_type="text/css"))
async def style_documentation() -> Response:
    """Read the page's style sheet."""
    return Response(_STYLE, media_type="text/css")


def page(found: dict[str, Any]) -> str:
    """The OpenAPI document as one HTML page: contents, operations, schemas."""
    operations = [
        (method.upper(), path, operation)
        for path, methods in found["paths"].items()
        for method, operation in methods.items()
    ]
    contents = "".join(
        f'<li><a href="#{_anchor(method, path)}"><code>{method} {escape(path)}</code></a> '
        f"{escape(operation.get('summary', ''))}</li>"
        for method, path, operation in operations
    )
    schemas = "".join(
        f'<section id="schema-{escape(name)}"><h3>{escape(name)}</h3><pre>{_json(schema)}</pre></section>'
        for name, schema in found["components"]["schemas"].items()
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<title>Fracas: the interface</title><link rel="stylesheet" href="/docs/style.css"></head><body><main>'
        f"<h1>{escape(found['info']['title'])} {escape(found['info']['version'])}</h1>"
        f"<p>{_prose(found['info']['description'])}</p>"
        f'<p><a href="{ROOT}/openapi.json">The OpenAPI document</a></p>'
        f"<nav><ul>{contents}</ul></nav>{''.join(_operation(*each) for each in operations)}"
        f"<h2>Schemas</h2>{schemas}</main></body></html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    parts = [
        f'<section id="{_anchor(method, path)}"><h2><code>{method} {escape(path)}</code></h2>',
        f"<p>{_prose(operation.get('description', ''))}</p><p>Needs: {escape(operation['x-needs'])}</p>",
    ]
    if operation.get("parameters"):
        rows = "".join(
            f"<tr><td><code>{escape(each['name'])}</code></td><td>{escape(each['in'])}</td>"
            f"<td>{_prose(each.get('description', ''))}</td><td><code>{_json(each.get('schema', {}))}</code></td></tr>"
            for each in operation["parameters"]
        )
        parts.append(f"<table><tr><th>Parameter</th><th>In</th><th>Meaning</th><th>Schema</th></tr>{rows}</table>")
    if "requestBody" in operation:
        parts.append(f"<h3>Body</h3>{_content(operation['requestBody'].get('content', {}))}")
    for status, answer in operation["responses"].items():
        parts.append(f"<details><summary>{status} {escape(answer.get('description', ''))}</summary>")
        parts.append(_content(answer.get("content", {})) + "</details>")
    return "".join(parts) + "</section>"


def _content(content: dict[str, Any]) -> str:
    parts = []
    for kind, described in content.items():
        parts.append(f"<p><code>{escape(kind)}</code></p>")
        name = described.get("schema", {}).get("$ref", "").rpartition("/")[2]
        if name:
            parts.append(f'<p>Schema: <a href="#schema-{escape(name)}">{escape(name)}</a></p>')
        examples = [described["example"]] if "example" in described else []
        examples += [each["value"] for each in described.get("examples", {}).values()]
        parts += [f"<pre>{_json(each)}</pre>" for each in examples]
    return "".join(parts)


def _anchor(method: str, path: str) -> str:
    return escape(f"{method.lower()}{path.replace('/', '-').replace('{', '').replace('}', '')}")


def _prose(text: str) -> str:
    """A description, whose code stands between backticks."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _json(value: Any) -> str:
    return escape(value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False))


_STYLE = """:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
h2 { margin-top: 2.5rem; font-size: 1.15rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; }
nav ul { padding-left: 1.25rem; }
"""
