"""Routers that see from the beginning of a path whether it can be theirs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.routing import Match

from fracas.server.http.asgi import Scope
from fracas.server.http.links import ROOT

_PARAMETER = "{"


class Room(APIRouter):
    """A router that compares a path with its routes only if one of them begins like it.

    Otherwise every request would be compared with the routes of all rooms before its own, twice.
    """

    _beginnings: tuple[int, frozenset[str]] = (-1, frozenset())

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a route of this room answers a request."""
        if scope["type"] == "http" and not scope.get("root_path"):
            known = self._known()
            if _PARAMETER not in known and _beginning(scope["path"]) not in known:
                return Match.NONE, {}
        return super().matches(scope)

    def _known(self) -> frozenset[str]:
        """How the paths of this room's routes begin."""
        count, found = self._beginnings
        if count != len(self.routes):
            found = frozenset(_beginning_of(route) for route in self.routes)
            self._beginnings = len(self.routes), found
        return found


def _beginning(path: str) -> str:
    """The first segment of a path, under /api/v1 the first one after that."""
    return path.removeprefix(f"{ROOT}/").removeprefix("/").partition("/")[0]


def _beginning_of(route: Any) -> str:
    first = _beginning(str(getattr(route, "path", _PARAMETER)))
    # A parameter may stand for anything, a router in a router too.
    return _PARAMETER if _PARAMETER in first else first
