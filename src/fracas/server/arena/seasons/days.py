"""League-days: a secret for each league and UTC day, made the day before and published the day after."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, select, update

from fracas.errors import InputError
from fracas.server.arena.chain import FIRST_FORMAT, NEWEST_FORMAT, first_head
from fracas.server.arena.day_secrets import SECRET_BYTES, SecretBox, SecretError, commitment_of, new_secret
from fracas.server.arena.domain import Arena
from fracas.server.clock import DAY, HOUR, day_of
from fracas.server.database import due
from fracas.server.database.tables import league_day, league_day_format, league_head, war
from fracas.server.database.upsert import insert_if_absent

# The kinds of due work.
PUBLISH, HEAD = "league-day", "league-head"

_FORMAT = select(league_day_format.c.format).where(
    league_day_format.c.league == bindparam("of_league"), league_day_format.c.day == bindparam("of_day")
)


def is_day(league: str, day: str) -> ColumnElement[bool]:
    """The row of a league-day."""
    return (league_day.c.league == league) & (league_day.c.day == day)


def start_of_day(day: str) -> int:
    """When a day (UTC) begins, in milliseconds."""
    return round(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp() * 1000)


def next_midnight(now: int) -> int:
    """When the day after `now` begins (UTC)."""
    return start_of_day(day_of(now)) + DAY


def add_day(connection: Connection, arena: Arena, league: str, day: str) -> None:
    """Make a league-day with its secret and its commitment, unless it exists."""
    if connection.execute(select(league_day.c.day).where(is_day(league, day))).first() is not None:
        return
    secret = new_secret()
    commitment = commitment_of(secret, league, day)
    values = {
        "league": league,
        "day": day,
        "commitment": commitment,
        "secret_enc": arena.box.lock(secret, league, day),
        "head": first_head(NEWEST_FORMAT, commitment, league, day),
    }
    if insert_if_absent(connection, league_day, values):
        insert_if_absent(connection, league_day_format, {"league": league, "day": day, "format": NEWEST_FORMAT})


def format_of(connection: Connection, league: str, day: str) -> int:
    """The format of a league-day, which says what its chain binds. A day keeps the one that it was made with."""
    found = connection.execute(_FORMAT, {"of_league": league, "of_day": day}).scalar_one_or_none()
    return FIRST_FORMAT if found is None else int(found)


def open_days(connection: Connection, arena: Arena, league: str, now: int) -> None:
    """Make today's and tomorrow's league-day, and note the work of their ends and hours."""
    today = day_of(now)
    for day in (today, _after(today)):
        add_day(connection, arena, league, day)
    disclose(connection, arena.box, league)
    due.schedule(connection, PUBLISH, league, next_midnight(now))
    due.schedule(connection, HEAD, league, now - now % HOUR + HOUR)


def publish_days(connection: Connection, arena: Arena, league: str, now: int) -> list[str]:
    """Publish the secrets of all days before today that are not published yet; make tomorrow's day."""
    today = day_of(now)
    rows = connection.execute(
        select(league_day.c.day)
        .where(league_day.c.league == league, league_day.c.day < today, league_day.c.published_at.is_(None))
        .order_by(league_day.c.day)
    )
    days = [row.day for row in rows]
    for day in days:
        connection.execute(update(league_day).where(is_day(league, day)).values(published_at=now))
    open_days(connection, arena, league, now)
    return days


def publish_when_due(connection: Connection, league: str, at: int, *, arena: Arena, now: int) -> None:
    """Publish the days that are over, at midnight; a league that this server no longer has rests."""
    if league in arena.leagues:
        publish_days(connection, arena, league, now)


def published_at(connection: Connection, league: str, now: int) -> list[str]:
    """The days of a league that were published at a time."""
    query = select(league_day.c.day).where(league_day.c.league == league, league_day.c.published_at == now)
    return list(connection.execute(query.order_by(league_day.c.day)).scalars())


def publish_past(connection: Connection, arena: Arena, league: str, now: int) -> None:
    """Publish a past day that was filled in later."""
    connection.execute(update(league_day).where(is_day(league, day_of(now))).values(published_at=now + DAY))
    disclose(connection, arena.box, league)


def disclose(connection: Connection, box: SecretBox, league: str) -> None:
    """Store the secrets of published days in clear: they are public, and outlive the secret file that way.

    Those of another secret file stay as they are.
    """
    query = select(league_day.c.day, league_day.c.secret_enc).where(
        league_day.c.league == league,
        league_day.c.published_at.is_not(None),
        func.length(league_day.c.secret_enc) > SECRET_BYTES,
    )
    for row in connection.execute(query).all():
        with suppress(InputError):
            secret = box.open(bytes(row.secret_enc), league, row.day)
            connection.execute(update(league_day).where(is_day(league, row.day)).values(secret_enc=secret))


def note_head(connection: Connection, league: str, now: int) -> None:
    """Keep the head of today's chain, as it is published each hour."""
    day = day_of(now)
    row = connection.execute(select(league_day.c.last_no, league_day.c.head).where(is_day(league, day))).first()
    if row is not None:
        values = {"league": league, "day": day, "no": row.last_no, "head": row.head, "at": now}
        insert_if_absent(connection, league_head, values)
    due.schedule(connection, HEAD, league, now - now % HOUR + HOUR)


def note_head_when_due(connection: Connection, league: str, at: int, *, arena: Arena, now: int) -> None:
    """Keep the head of the hour; a league that this server no longer has rests."""
    if league in arena.leagues:
        note_head(connection, league, now)


def open_box(connection: Connection, file: Path) -> SecretBox:
    """The box of a secret file that opens every secret which is still to be used or published.

    The file is made only for a database without a league-day. Any other database has a file already, and with a second
    one no match could be played.

    Raises:
        SecretError: the file is missing, cannot be used, or is another database's.
    """
    is_new = connection.execute(select(league_day.c.day).limit(1)).first() is None
    box = SecretBox.of_file(file, make=is_new)
    check_secrets(connection, box)
    return box


def check_secrets(connection: Connection, box: SecretBox) -> None:
    """Check that a box opens the secrets of all days that are not published.

    Raises:
        SecretError: it does not open one.
    """
    query = select(league_day.c.league, league_day.c.day, league_day.c.secret_enc).where(_is_locked())
    for row in connection.execute(query.order_by(league_day.c.league, league_day.c.day)):
        box.open(bytes(row.secret_enc), row.league, row.day)


def _is_locked() -> ColumnElement[bool]:
    """The days that are not published and whose secrets are there. An import has none of them."""
    return league_day.c.published_at.is_(None) & (func.length(league_day.c.secret_enc) > SECRET_BYTES)


def secret_of(connection: Connection, arena: Arena, league: str, day: str) -> bytes:
    """The secret of a league-day. It leaves the server only once the day is published.

    Raises:
        SecretError: the secret file is not the one that it was encrypted with.
        LookupError: there is no such league-day.
    """
    stored = connection.execute(select(league_day.c.secret_enc).where(is_day(league, day))).scalar_one_or_none()
    if stored is None:
        raise LookupError(day)
    return bytes(stored) if len(stored) == SECRET_BYTES else arena.box.open(bytes(stored), league, day)


def replace_secrets(connection: Connection, box: SecretBox, now: int) -> None:
    """Give today and tomorrow new secrets after a backup was restored: with the old ones seeds could repeat.

    A day that has matches or made the seeds of wars already ends at once, and its secret is published; its league rests
    until midnight. Secrets of days before that another file encrypted are lost with that file.
    """
    past = select(league_day).where(_is_locked(), league_day.c.day < day_of(now))
    for row in connection.execute(past).all():
        try:
            box.open(bytes(row.secret_enc), row.league, row.day)
        except SecretError:
            lost = update(league_day).where(is_day(row.league, row.day))
            connection.execute(lost.values(secret_enc=b""))
    days = (day_of(now), _after(day_of(now)))
    for row in connection.execute(select(league_day).where(league_day.c.day.in_(days))).all():
        secret = new_secret()
        commitment = commitment_of(secret, row.league, row.day)
        values = {
            "commitment": commitment,
            "secret_enc": box.lock(secret, row.league, row.day),
            "head": first_head(format_of(connection, row.league, row.day), commitment, row.league, row.day),
        }
        this_day = update(league_day).where(is_day(row.league, row.day))
        of_war = select(war.c.id).where(war.c.league == row.league, war.c.day == row.day).limit(1)
        if row.last_no or connection.execute(of_war).first() is not None:
            connection.execute(this_day.values(published_at=now))
            disclose(connection, box, row.league)
            continue
        connection.execute(this_day.values(**values))
        # Heads that were noted before the first match belong to the secret that is gone.
        noted = (league_head.c.league == row.league) & (league_head.c.day == row.day)
        connection.execute(delete(league_head).where(noted))


def _after(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
