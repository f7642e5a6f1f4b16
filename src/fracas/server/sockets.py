"""Connections of slow and of many clients: bounds that uvicorn does not have."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from fracas.server.http.addresses import network_of
from fracas.server.settings import Settings


def protocol_class(settings: Settings) -> type[H11Protocol]:
    """Make a protocol that bounds the time of each request's head, and the connections of each address.

    The time of a body is bounded by http/bodies.py. Behind a proxy all connections are the proxy's, and only the time
    is bounded here.
    """
    held: Counter[str] = Counter()

    class BoundedProtocol(H11Protocol):
        _timer: asyncio.TimerHandle | None = None
        _address: str | None = None
        _is_refused = False

        def connection_made(self, transport: Any) -> None:
            address = network_of(str((transport.get_extra_info("peername") or ("",))[0]))
            if not settings.trusted_proxy and held[address] >= settings.sockets_per_address:
                self._is_refused = True
                transport.abort()
                return
            self._address = address
            held[address] += 1
            super().connection_made(transport)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_timer()
            if self._is_refused:
                return
            if self._address is not None:
                held[self._address] -= 1
                if not held[self._address]:
                    del held[self._address]
                self._address = None
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self._is_refused:
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
            # uvicorn's type hides that there is no cycle before the first request.
            cycle: RequestResponseCycle | None = self.cycle
            return cycle is not None and not cycle.response_complete

        def _watch(self) -> None:
            """Give the next head its time, from the first byte on; stop when it is there."""
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
