"""Where requests come from: the address of a caller, which names the server answers to, and which pages may write.

A page elsewhere can make a browser send requests here: to another name for this machine (DNS rebinding), or as a form
with the visitor's cookie. Both are refused before a route is found.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request

from fracas.server.http.middleware import App, Receive, Scope, Send, header_of, send_problem
from fracas.server.http.problems import ApiProblem, not_found
from fracas.server.settings import Settings

IPV6_NETWORK = 64
LONGEST_HEADER = 1_000


def address_of(scope: Mapping[str, Any], settings: Settings) -> str:
    """The address that limits and budgets count. IPv6 counts by /64, because one subscriber has a whole one."""
    peer = str((scope.get("client") or ("",))[0])
    if settings.trusted_proxy and is_trusted(peer, settings.trusted_proxy):
        peer = _forwarded(scope, settings) or peer
    return network_of(peer)


@lru_cache(maxsize=4_096)
def network_of(address: str) -> str:
    """An address as it is counted: IPv4 as it is, IPv6 by /64, other texts unchanged."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, IPV6_NETWORK), strict=False).network_address) + f"/{IPV6_NETWORK}"
    return str(parsed)


@lru_cache(maxsize=4_096)
def is_trusted(address: str, proxies: tuple[str, ...]) -> bool:
    """Whether an address belongs to a trusted proxy."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in ipaddress.ip_network(each, strict=False) for each in proxies)


def _forwarded(scope: Mapping[str, Any], settings: Settings) -> str | None:
    """The last address in X-Forwarded-For that is not a trusted proxy's: the others may be made up."""
    texts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    for each in reversed(",".join(texts)[-LONGEST_HEADER:].split(",")):
        address = each.strip()
        try:
            ipaddress.ip_address(address)
        except ValueError:
            return None
        if not is_trusted(address, settings.trusted_proxy):
            return address
    return None


SAFE_METHODS = frozenset({"GET", "HEAD"})
METHODS = SAFE_METHODS | {"POST", "PUT", "PATCH", "DELETE"}
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class Origins:
    """Checks Host on every request, and Origin on every one that writes and on WebSocket handshakes."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._hosts, self._origins = allowed(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or handshake."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        error = self._host_problem(scope) or self._origin_problem(scope)
        if error is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await send_problem(scope, send, error)

    def _host_problem(self, scope: Scope) -> ApiProblem | None:
        host = header_of(scope, b"host")
        if host is not None and host.lower() in self._hosts:
            return None
        return ApiProblem("misdirected", "This server does not answer to the Host of the request; see --public-url.")

    def _origin_problem(self, scope: Scope) -> ApiProblem | None:
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            return None
        origin = header_of(scope, b"origin")
        if origin is not None and origin.lower() in self._origins:
            return None
        # Browsers set Sec-Fetch-Site themselves; a page that sends no referrer has the origin `null`.
        if origin in (None, "null") and header_of(scope, b"sec-fetch-site") == "same-origin":
            return None
        if origin is None and header_of(scope, b"cookie") is None:
            return None  # Not a browser with somebody's cookie.
        if header_of(scope, b"authorization") is not None:
            return None  # The cookie is ignored then, and no page can make a browser send this header here.
        return ApiProblem("forbidden", "Only pages of this server may send this: the Origin is another or missing.")


def allowed(settings: Settings) -> tuple[frozenset[str], frozenset[str]]:
    """The values of Host and of Origin that are this server's own."""
    public = urlsplit(settings.url)
    hosts = {public.netloc.lower()}
    bound = f"[{settings.host}]" if ":" in settings.host else settings.host.lower()
    hosts |= {f"{name}:{settings.port}" for name in (*LOOPBACK, bound)}
    if settings.port == 80:
        hosts |= {*LOOPBACK, bound}
    origins = {f"{public.scheme}://{public.netloc}".lower()} | {f"http://{host}" for host in hosts}
    return frozenset(hosts), frozenset(origins)


def refuse_strangers(request: Request) -> None:
    """Let in callers on this machine only, unless --expose-metrics is set.

    Behind a proxy on this machine everybody would be here: a forwarded request is a stranger's.

    Raises:
        ApiProblem: 404, the caller is on another machine.
    """
    settings = request.app.state.settings
    peer = (request.scope.get("client") or ("",))[0]
    is_forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    if settings.expose_metrics or (peer in ("127.0.0.1", "::1") and not is_forwarded):
        return
    raise not_found()
