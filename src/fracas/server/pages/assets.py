"""The files that pages need: one style sheet, made of the player's design and the pages' own rules, and the icon.

The editor of entries is the studio, with the modules of the rules beside it; only pages with an editor ask for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Response

from fracas.portable import artefacts
from fracas.rulesets import registry
from fracas.server.http.authorisation import Needs, admits
from fracas.server.http.problems import not_found
from fracas.studio.assets import assets
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


_MODULES = "/assets/wasm"


def module_address(ruleset: str) -> str:
    """Where the module of a shipped ruleset is; empty if none fits the rules, and for games."""
    if ruleset not in registry.NAMES:
        return ""
    return f"{_MODULES}/{ruleset}.wasm" if artefacts.is_current(registry.shipped(ruleset).identity) else ""


@cache
def _modules() -> Mapping[str, tuple[str, bytes]]:
    found = {}
    for name in filter(module_address, registry.NAMES):
        module, layout = artefacts.module_file(name), artefacts.layout_file(name)
        found[f"{_MODULES}/{module.name}"] = "application/wasm", module.read_bytes()
        found[f"{_MODULES}/{layout.name}"] = "application/json", layout.read_bytes()
    return found


@router.get("/assets/{path:path}", **admits(Needs.NOTHING))
async def read_asset(path: str) -> Response:
    """Read a part of the editor; nothing else is served."""
    address = f"/assets/{path}"
    found = assets().get(address) or _modules().get(address)
    if found is None:
        raise not_found()
    return Response(found[1], media_type=found[0], headers=_KEPT)


@router.get("/icon.svg", **admits(Needs.NOTHING))
async def read_icon() -> Response:
    """Read the icon."""
    return Response((FOLDER / "icon.svg").read_text(encoding="utf-8"), media_type="image/svg+xml", headers=_KEPT)


@router.get("/robots.txt", **admits(Needs.NOTHING))
async def read_robots() -> Response:
    """Read what robots should leave alone."""
    return Response(_ROBOTS, media_type="text/plain", headers=_KEPT)
