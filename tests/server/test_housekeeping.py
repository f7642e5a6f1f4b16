"""What is kept for a time only is forgotten after it, and not before."""

from __future__ import annotations

from sqlalchemy import insert, select
from tests.helpers.accounts import signed_in
from tests.helpers.serving import RunningServer

from fracas.server.accounts import tokens
from fracas.server.clock import DAY
from fracas.server.database import streams
from fracas.server.database.tables import budget, event, token
from fracas.server.housekeeping import forget_old


def test_old_rows_go_and_others_stay(server: RunningServer):
    member = signed_in(server, "ann")
    begin = server.clock.now_ms()

    def fill(connection):
        streams.append(connection, [(member.account, "old", {})], begin)
        tokens.issue(connection, member.account, tokens.RECOVERY, begin, life=tokens.RECOVERY_LIFE)
        connection.execute(
            insert(budget), {"subject": "address:192.0.2.1", "window": "2026-11-23T00", "battles": 1, "cpu_ms": 1}
        )

    server.write(fill)
    member.post("/api/v1/keys", {"name": "bot", "scopes": ["read"], "days": 90}, headers={"Idempotency-Key": "k"})
    assert server.write(lambda c: forget_old(c, begin + DAY - 1)) == 0
    # The recovery code, the stored answer.
    assert server.write(lambda c: forget_old(c, begin + DAY)) == 2
    # The event, the budget; the key and the session live on.
    assert server.write(lambda c: forget_old(c, begin + streams.KEPT + 1)) == 2
    assert server.read(lambda c: c.execute(select(event)).all()) == []
    kinds = server.read(lambda c: c.execute(select(token.c.kind)).scalars().all())
    assert sorted(kinds) == [tokens.API_KEY, tokens.SESSION]
