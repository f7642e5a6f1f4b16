"""The files that pages need: one style sheet, made of the player's design and the pages' own rules, and the icon."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fastapi import APIRouter, Response

from fracas.server.http.authorisation import Needs, admits
from fracas.web.modules import FOLDER

router = APIRouter(include_in_schema=False)


# An hour: a new release changes them under the same address.
_KEPT = {"Cache-Control": "public, max-age=3600"}
# Legs are played again for every visitor; robots have no need for that.
_ROBOTS = "User-agent: *\nDisallow: /api/\nDisallow: /m/*/legs/\n"


@cache
def style() -> str:
    """The style sheet of all pages."""
    return (FOLDER / "design.css").read_text(encoding="utf-8") + (Path(__file__).parent / "pages.css").read_text(
        encoding="utf-8"
    )


@router.get("/pages.css", **admits(Needs.NOTHING))
async def read_style() -> Response:
    """Read the style sheet."""
    return Response(style(), media_type="text/css", headers=_KEPT)


@router.get("/icon.svg", **admits(Needs.NOTHING))
async def read_icon() -> Response:
    """Read the icon."""
    return Response((FOLDER / "icon.svg").read_text(encoding="utf-8"), media_type="image/svg+xml", headers=_KEPT)


@router.get("/robots.txt", **admits(Needs.NOTHING))
async def read_robots() -> Response:
    """Read what robots should leave alone."""
    return Response(_ROBOTS, media_type="text/plain", headers=_KEPT)
