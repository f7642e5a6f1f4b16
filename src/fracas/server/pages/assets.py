"""The files that pages need: one style sheet, made of the player's design and the pages' own rules, and the icon.

The editor of entries is the studio, with the modules of the rules beside it; only pages with an editor ask for them.
"""

from __future__ import annotations

import asyncio
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
_TYPES = {"wasm": "application/wasm", "json": "application/json"}


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
        for ending, file in (("wasm", module), ("json", layout)):
            found[f"{_MODULES}/{file.name}"] = _TYPES[ending], file.read_bytes()
    return found


def _of_game(address: str) -> tuple[str, bytes] | None:
    """The module, or its layout, of a game that is played here; it may be built while the server runs."""
    folder, _, file = address.rpartition("/")
    name, _, ending = file.rpartition(".")
    if folder != _MODULES or ending not in _TYPES or name not in registry.loaded():
        return None
    identity = registry.identity(name)
    if not artefacts.is_current(identity):
        return None
    found = artefacts.module_file(identity) if ending == "wasm" else artefacts.layout_file(identity)
    return _TYPES[ending], found.read_bytes()


@router.get("/assets/{path:path}", **admits(Needs.NOTHING))
async def read_asset(path: str) -> Response:
    """Read a part of the editor, or the module of a game; nothing else is served."""
    address = f"/assets/{path}"
    found = assets().get(address) or _modules().get(address) or await asyncio.to_thread(_of_game, address)
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
