"""How late the event loop is, which bounds how long every answer waits for others; and what keeps that short."""

from __future__ import annotations

import asyncio
import gc
import math
import sys
import time

from fracas.server.give_way import expect
from fracas.server.http.context import Context
from fracas.server.http.metrics import Metrics

BEAT_SECONDS = 0.005
# How long a thread keeps the interpreter when others want it. At the default of 5 ms, the loop waits for several.
SWITCH_SECONDS = 0.001
# Objects until a collection of the youngest, and how many of those until one of the next generation, and of all.
COLLECTIONS = (10_000, 20, 100)


async def beat(metrics: Metrics) -> None:
    """Wake every 5 ms and count by how much that was too late, until cancelled."""
    try:
        while True:
            due = time.monotonic() + BEAT_SECONDS
            expect(due)
            await asyncio.sleep(BEAT_SECONDS)
            metrics.loop_late.observe(max(0.0, time.monotonic() - due))
    finally:
        expect(math.inf)


async def keep_pauses_short(context: Context) -> None:
    """Let threads take turns more often, and have the collector leave alone what stays for ever.

    Rules, content, leagues and routes are hundreds of thousands of objects, and nobody is answered while the collector
    looks through them.
    """
    await asyncio.to_thread(context.rules_loaded.wait)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)
