"""Forget, once an hour, what is kept for a time only: events, stored answers, expired tokens, used budgets, results.

Live tables that are over go too, some time after.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from sqlalchemy import Connection

from fracas.server.accounts import tokens
from fracas.server.database import streams
from fracas.server.http import idempotency
from fracas.server.http.context import Context
from fracas.server.jobs import service as jobs
from fracas.server.resolver import budgets
from fracas.server.tables import leftovers

EVERY_SECONDS = 3_600.0
log = logging.getLogger("fracas.server.housekeeping")


def forget_old(connection: Connection, now: int) -> int:
    """Delete what is no longer kept; return how many rows that were."""
    return (
        streams.forget_old(connection, now)
        + idempotency.forget_old(connection, now)
        + tokens.forget_expired(connection, now)
        + budgets.forget_old(connection, now)
        + jobs.forget_old(connection, now)
        + leftovers.forget_old(connection, now)
    )


async def keep_house(context: Context) -> None:
    """Forget what is old, now and every hour, until cancelled. Several processes may do so at once."""
    while True:
        try:
            now = context.clock.now_ms()
            count = await context.writer.run(partial(forget_old, now=now), alone=True)
            log.info("forgot old rows", extra={"count": count})
        except Exception:
            log.exception("housekeeping failed; it is tried again in an hour")
        await asyncio.sleep(EVERY_SECONDS)
