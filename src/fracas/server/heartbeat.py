"""A heartbeat: how late the event loop is, which bounds how long every answer waits for others."""

from __future__ import annotations

import asyncio

from fracas.server.http.metrics import Metrics

BEAT_SECONDS = 0.005


async def beat(metrics: Metrics) -> None:
    """Wake every 5 ms and count by how much that was too late, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + BEAT_SECONDS
        await asyncio.sleep(BEAT_SECONDS)
        metrics.loop_late.observe(max(0.0, loop.time() - due))
