"""The OpenAPI document, and a page that shows it without any script or file from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from jinja2 import Environment
from markupsafe import Markup, escape

from fracas.server.http.answers import ROOT, Document, answers
from fracas.server.http.authorisation import Needs
from fracas.server.http.openapi import document
from fracas.server.http.origins import refuse_strangers
from fracas.version import __version__

router = APIRouter()

_HERE = Path(__file__).parent


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
    return Response((_HERE / "documentation.css").read_text(encoding="utf-8"), media_type="text/css")


def page(found: dict[str, Any]) -> str:
    """The OpenAPI document as one HTML page: contents, operations, schemas."""
    operations = [
        (method.upper(), path, operation)
        for path, methods in found["paths"].items()
        for method, operation in methods.items()
    ]
    environment = Environment(autoescape=True, trim_blocks=True)
    environment.filters |= {"prose": _prose, "text": _text}
    template = environment.from_string((_HERE / "documentation.html").read_text(encoding="utf-8"))
    schemas = found["components"]["schemas"]
    return template.render(info=found["info"], operations=operations, schemas=schemas, root=ROOT, anchor=_anchor)


def _anchor(method: str, path: str) -> str:
    return f"{method.lower()}{path.replace('/', '-').replace('{', '').replace('}', '')}"


def _prose(text: str | None) -> Markup:
    """A description, whose code stands between backticks."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text or ""))))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value or {}, indent=2, ensure_ascii=False)
