"""What a league publishes about itself: heads and commitments, days, bots, the price of an entry."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, select

from fracas.server.arena.bot_files import Bot
from fracas.server.arena.entries.budget import cost
from fracas.server.arena.entries.checking import check_entry
from fracas.server.arena.league import League
from fracas.server.arena.records import Missing
from fracas.server.arena.seasons.days import date_of
from fracas.server.arena.store.entries import bots_in
from fracas.server.clock import iso
from fracas.server.database.tables import entry, league_day, league_head, match, match_side
from fracas.server.http.answers import link, links
from fracas.server.http.problems import input_problem
from fracas.server_models import arena
from fracas.server_models.arena import Checked, Day, Head, Promise, PublishedHead


def head_of(connection: Connection, league: str, now: int) -> Head:
    """Today's commitment and head, what was published each hour, and tomorrow's commitment.

    Raises:
        Missing: the day is not open yet.
    """
    day = date_of(now)
    rows = {
        row.day: row
        for row in connection.execute(
            select(league_day).where(
                league_day.c.league == league,
                league_day.c.day.in_((day.isoformat(), (day + timedelta(days=1)).isoformat())),
            )
        )
    }
    if day.isoformat() not in rows:
        raise Missing("open day")
    today, tomorrow = rows[day.isoformat()], rows.get((day + timedelta(days=1)).isoformat())
    heads = connection.execute(
        select(league_head)
        .where(league_head.c.league == league, league_head.c.day == today.day)
        .order_by(league_head.c.no)
    )
    return Head(
        league=league,
        day=today.day,
        commitment=bytes(today.commitment).hex(),
        number=today.last_no,
        head=bytes(today.head).hex(),
        tomorrow=None if tomorrow is None else Promise(day=tomorrow.day, commitment=bytes(tomorrow.commitment).hex()),
        published=[_published(row) for row in heads],
        links=links(self=link("leagues", league, "head"), days=link("leagues", league, "days")),
    )


def _published(row: Any) -> PublishedHead:
    return PublishedHead(number=row.no, head=bytes(row.head).hex(), at=iso(row.at))


def days(connection: Connection, league: str, before: str | None, limit: int) -> list[Day]:
    """A league's days, the newest first."""
    query = select(league_day).where(league_day.c.league == league)
    if before is not None:
        query = query.where(league_day.c.day < before)
    rows = connection.execute(query.order_by(league_day.c.day.desc()).limit(limit))
    return [
        Day(
            day=row.day,
            commitment=bytes(row.commitment).hex(),
            matches=row.last_no,
            head=bytes(row.head).hex(),
            published_at=None if row.published_at is None else iso(row.published_at),
            links=links(file=link("leagues", league, "days", row.day)),
        )
        for row in rows
    ]


def head_over(connection: Connection, league: str, day: str, number: int) -> PublishedHead | None:
    """The first head that was published on the hour after a match, which binds it; None before that hour."""
    query = select(league_head).where(
        league_head.c.league == league, league_head.c.day == day, league_head.c.no >= number
    )
    row = connection.execute(query.order_by(league_head.c.no).limit(1)).first()
    return None if row is None else _published(row)


def proofs_of_entry(connection: Connection, entry_id: str, limit: int) -> list[dict[str, Any]]:
    """What binds the newest matches of an entry that are in its league's chain, the newest first."""
    query = (
        select(match.c.id, match.c.league, match.c.day, match.c.no, match.c.chain, league_day.c.commitment)
        .join(match_side, match_side.c.match == match.c.id)
        .join(entry, (entry.c.id == match_side.c.entry) & (entry.c.account == match_side.c.account))
        .join(league_day, (league_day.c.league == match.c.league) & (league_day.c.day == match.c.day))
        .where(entry.c.id == entry_id, match.c.no.is_not(None))
        .order_by(match.c.day.desc(), match.c.no.desc())
        .limit(limit)
    )
    return [
        {
            "match": row.id,
            "day": row.day,
            "number": row.no,
            "chain": bytes(row.chain).hex(),
            "commitment": bytes(row.commitment).hex(),
            "published": head_over(connection, row.league, row.day, row.no),
        }
        for row in connection.execute(query).all()
    ]


def bots_of(connection: Connection, league: str, bots: Iterable[Bot]) -> list[arena.Bot]:
    """A league's bots, the strongest first. `bots` are the authored ones."""
    known = {bot.id: bot for bot in bots}
    found = []
    for each in bots_in(connection, league):
        bot = known.get(each.account.handle.removeprefix("bot-"))
        if bot is None:
            continue
        handle = each.account.handle
        paths = links(entry=link("entries", each.id), profile=link("profiles", handle))
        found.append(arena.Bot(handle=handle, name=bot.name, story=bot.story, strength=bot.strength, links=paths))
    return sorted(found, key=lambda row: (-row.strength, row.handle))


def checked(league: League, document: Any) -> Checked:
    """What an entry costs, and its warnings.

    Raises:
        InputError: everything that the league refuses.
    """
    found = check_entry(league, document)
    return Checked(
        league=league.id,
        cost=cost(league, league.kind.model.model_validate(found.document)),
        points=league.file.points,
        digest=found.digest.hex(),
        warnings=[input_problem(each) for each in found.warnings],
        links=links(league=link("leagues", league.id), submit=link("entries")),
    )
