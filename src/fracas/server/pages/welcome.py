"""The start page of a server that has accounts and pages, but no leagues."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from fracas.server.http.authorisation import Needs, admits
from fracas.server.pages.happening import happening
from fracas.server.pages.rendering import page

router = APIRouter(include_in_schema=False)


@router.get("/", **admits(Needs.NOTHING))
async def show_welcome(request: Request) -> HTMLResponse:
    """Show what this server has, and what happens now."""
    return page(request, "welcome.html", now=await happening(request))
