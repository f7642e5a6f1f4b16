"""Routes of the resolver."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from fracas.rulesets import registry
from fracas.server.http.authorisation import Access, Needs
from fracas.server.http.links import ROOT, link, with_links

router = APIRouter(prefix=ROOT)

ACCESS = (Access("GET", f"{ROOT}/rulesets", Needs.NOTHING),)


@router.get("/rulesets")
async def list_rulesets() -> dict[str, Any]:
    """List the rulesets."""
    items = [{"name": name, "rules_version": registry.get(name).rules_version} for name in registry.NAMES]
    return with_links({"items": items}, self=link("rulesets"))
