"""Connections of slow and of many clients: bounds that uvicorn does not have."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fracas.server.http.middleware import LARGEST_HEAD
from fracas.server.http.origins import network_of
from fracas.server.http.problems import MEDIA_TYPE, ApiProblem, body_of
from fracas.server.settings import Settings

# Requests of a connection that were read and not answered. Browsers send none ahead.
MOST_PIPELINED = 8
# How long a connection that is one too many may take to ask, and to read that it is one too many.
REFUSING_SECONDS = 2.0


class WithBoundedHeads(HttpToolsProtocol):
    """Bounds what the parser keeps of a head that does not end, and how many requests are read ahead."""

    _unfinished = 0
    """Bytes since a head or a part of a body was finished."""

    def data_received(self, data: bytes) -> None:
        """Read what arrived."""
        self._unfinished += len(data)
        super().data_received(data)
        if self._unfinished > LARGEST_HEAD + len(data) and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_headers_complete(self) -> None:
        """Begin a request."""
        self._unfinished = 0
        if len(self.pipeline) >= MOST_PIPELINED:
            # The parser makes a refusal of it: all that is in one packet is parsed before anything is answered.
            raise ValueError("too many requests were sent ahead of their answers")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Hand on a part of a body."""
        self._unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request."""
        self._unfinished = 0
        super().on_message_complete()


def protocol_class(settings: Settings, room: Callable[[str], int] = lambda _: 1) -> Any:
    """Make a protocol that bounds the time of each request's head, and the connections of each address.

    A connection that is one too many is answered with 503. The time of a body is bounded by http/bodies.py. Behind a
    proxy all connections are the proxy's, and only the time is bounded here.

    Args:
        settings: the bounds.
        room: how many times the bound an address may hold; more than one where a class is.
    """
    held: Counter[str] = Counter()
    refused: Counter[str] = Counter()

    class BoundedProtocol(WithBoundedHeads):
        _timer: asyncio.TimerHandle | None = None
        _address: str | None = None
        _is_refused = False
        _is_told = False
        _is_upgraded = False

        def connection_made(self, transport: Any) -> None:
            address = network_of(str((transport.get_extra_info("peername") or ("",))[0]))
            most = settings.sockets_per_address * room(address)
            if not settings.trusted_proxy and held[address] >= most:
                self._refuse(transport, address, most)
                return
            self._address = address
            held[address] += 1
            super().connection_made(transport)
            self._watch()

        def _refuse(self, transport: Any, address: str, most: int) -> None:
            """Keep a connection that is one too many only until it was told so; of a flood not even that."""
            self._is_refused = True
            self.transport = transport
            if refused[address] >= most:
                transport.abort()
                return
            self._address = address
            refused[address] += 1
            self._timer = asyncio.get_running_loop().call_later(REFUSING_SECONDS, transport.abort)

        def handle_websocket_upgrade(self) -> None:
            # From here on another protocol has the connection, and tables count their sockets themselves.
            self._is_upgraded = True
            self._stop_timer()
            self._let_go()
            super().handle_websocket_upgrade()

        def _let_go(self) -> None:
            """Count the connection no longer."""
            if self._address is not None:
                counts = refused if self._is_refused else held
                counts[self._address] -= 1
                if not counts[self._address]:
                    del counts[self._address]
                self._address = None

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_timer()
            self._let_go()
            if not self._is_refused:
                super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self._is_refused:
                # Said once the request arrives: an answer before it would be lost when the connection closes on it.
                if not self._is_told:
                    self._is_told = True
                    self.transport.write(_refusal(data.startswith(b"HEAD ")))
                    self.transport.write_eof()
                return
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            # A request that was already in the buffer begins at once.
            if self._is_busy():
                self._stop_timer()

        def _is_busy(self) -> bool:
            """Whether a request's head has arrived and its answer is not finished."""
            cycle: Any = self.cycle  # None before the first request.
            return cycle is not None and not cycle.response_complete

        def _watch(self) -> None:
            """Give the next head its time, from the first byte on; stop when it is there."""
            if self._is_upgraded:
                return
            if self._is_busy():
                self._stop_timer()
            elif self._timer is None and not self.transport.is_closing():
                self._timer = self.loop.call_later(settings.header_seconds, self._end)

        def _stop_timer(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _end(self) -> None:
            self._timer = None
            if not self._is_busy() and not self.transport.is_closing():
                self.transport.abort()

    return BoundedProtocol


def _refusal(is_head: bool) -> bytes:
    """The whole answer to a connection that is one too many."""
    detail = "Your address holds as many connections as it may. Close some, or use one for several requests."
    error = ApiProblem("unavailable", detail, headers={"Retry-After": "2"})
    body = json.dumps(body_of(error, None)).encode()
    head = {"Content-Type": MEDIA_TYPE, "Content-Length": str(len(body)), "Connection": "close", **error.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    answer = f"HTTP/1.1 {error.kind.status} Service Unavailable\r\n{lines}\r\n".encode()
    return answer if is_head else answer + body


def raise_file_limit() -> int | None:
    """Allow this process as many open files as the system lets it, and return that number; None if it is unknown."""
    try:
        import resource
    except ImportError:
        return None
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if hard == resource.RLIM_INFINITY else hard
