"""What is left of tables: those that are over go after a time, and backups hold no seed of one that is played."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, select, update

from fracas.server.clock import DAY
from fracas.server.database import documents
from fracas.server.database.tables import game_choice, game_seat, game_table
from fracas.server.tables import store

# How long a table that is over is kept with its choices and its proof; of a rated one the result stays for good.
KEPT = 90 * DAY
# One at which no step was played. Longer than the day for which quick match counts who left.
UNPLAYED_KEPT = 7 * DAY
# How many go in one transaction; the others the next hour.
MOST_AT_ONCE = 1_000
NO_SEED = b""


def forget_old(connection: Connection, now: int) -> int:
    """Delete tables that have been over for long, with all that belongs to them; return how many rows that were."""
    is_unplayed = (game_table.c.step == 1) & (game_table.c.ended_at <= now - UNPLAYED_KEPT)
    is_old = (game_table.c.state == store.OVER) & (is_unplayed | (game_table.c.ended_at <= now - KEPT))
    columns = (game_table.c.id, game_table.c.document, game_table.c.proof)
    rows = connection.execute(select(*columns).where(is_old).order_by(game_table.c.ended_at).limit(MOST_AT_ONCE)).all()
    names = [row.id for row in rows]
    count = 0
    for table, column in (
        (game_choice, game_choice.c.table),
        (game_seat, game_seat.c.table),
        (game_table, game_table.c.id),
    ):
        count += connection.execute(delete(table).where(column.in_(names))).rowcount
    documents.forget_unused(connection, {bytes(key) for row in rows for key in (row.document, row.proof) if key})
    return count


def forget_seeds(connection: Connection) -> int:
    """Take the seeds out of tables that are not over, which then nobody can play on; return how many those are."""
    running = update(game_table).where(game_table.c.state != store.OVER, game_table.c.server_seed != NO_SEED)
    return connection.execute(running.values(server_seed=NO_SEED)).rowcount


def close_without_seed(connection: Connection, now: int) -> int:
    """End the tables whose seed a backup did not hold: unrated, and as if nothing had been played.

    Who plays on from a backup would know dice that were rolled after it.
    """
    is_lost: ColumnElement[bool] = (game_table.c.state != store.OVER) & (game_table.c.server_seed == NO_SEED)
    lost = connection.execute(select(game_table.c.id).where(is_lost)).scalars().all()
    connection.execute(delete(game_choice).where(game_choice.c.table.in_(lost)))
    sealed = update(game_seat).where(game_seat.c.table.in_(lost))
    connection.execute(sealed.values(seal=None, salt=None, nonce=None))
    for identifier in lost:
        store.finish(connection, identifier, 0, store.CLOSED, now)
    # Without a commitment there is nothing to prove.
    connection.execute(update(game_table).where(game_table.c.id.in_(lost)).values(commitment=None, step=1))
    return len(lost)
