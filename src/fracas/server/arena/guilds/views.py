"""Queries of guilds, as what their members and everybody else may see of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from fracas.server.accounts.leaving import OWNER, members_of
from fracas.server.arena.refusals import Missing
from fracas.server.arena.store.people import PERSON, person
from fracas.server.arena.wars.war import OVER
from fracas.server.clock import iso
from fracas.server.database.tables import account, entry, guild, guild_member, war
from fracas.server.http.answers import link, links, stored
from fracas.server_models import guilds as models


def guilds_after(
    connection: Connection, limit: int, league: str | None = None, after: tuple[str, str] | None = None
) -> list[models.Guild]:
    """The guilds that are not dissolved, by their names, or those behind a guild's (name_key, id)."""
    query = select(guild).where(guild.c.dissolved_at.is_(None))
    if league is not None:
        query = query.where(guild.c.league == league)
    if after is not None:
        query = query.where(guild.c.name_key > after[0])
    rows = connection.execute(query.order_by(guild.c.name_key).limit(limit)).all()
    return _views(connection, rows)


def guild_by_id(connection: Connection, identifier: str, viewer: str | None) -> models.Guild:
    """A guild with its members. Members see what others named, and the owner sees the code.

    Raises:
        Missing: there is no such guild.
    """
    row = connection.execute(select(guild).where(guild.c.id == identifier)).first()
    if row is None:
        raise Missing("guild")
    (view,) = _views(connection, [row])
    members = members_of(connection, identifier)
    mine = next((each for each in members if each.account == viewer), None)
    more: dict[str, Any] = {"members": _members(connection, identifier, sees_entries=mine is not None)}
    if mine is not None and mine.role == OWNER:
        more["code"] = row.code
    return view.model_copy(update=more)


def own_guild(connection: Connection, whom: str) -> models.Guild:
    """The guild that an account is in.

    Raises:
        Missing: it is in none.
    """
    query = select(guild_member.c.guild).where(guild_member.c.account == whom)
    identifier = connection.execute(query).scalar_one_or_none()
    if identifier is None:
        raise Missing("guild of yours")
    return guild_by_id(connection, identifier, whom)


def _members(connection: Connection, identifier: str, *, sees_entries: bool) -> list[models.Member]:
    query = (
        select(
            guild_member,
            *PERSON,
            entry.c.id.label("entry_id"),
            entry.c.title,
            entry.c.code,
            entry.c.last_no,
            entry.c.state,
        )
        .join(account, account.c.id == guild_member.c.account)
        .outerjoin(entry, (entry.c.id == guild_member.c.entry) & (entry.c.state == "active"))
        .where(guild_member.c.guild == identifier)
        .order_by(guild_member.c.joined_at, guild_member.c.account)
    )
    found = []
    for row in connection.execute(query):
        named = {}
        if sees_entries and row.entry_id is not None:
            named["entry"] = models.NamedEntry(id=row.entry_id, title=row.title, code=row.code, version=row.last_no)
        found.append(models.Member(account=person(row), role=row.role, joined_at=iso(row.joined_at), **named))
    return found


def _views(connection: Connection, rows: Sequence[Any]) -> list[models.Guild]:
    found = [row.id for row in rows]
    stands = (entry.c.id == guild_member.c.entry) & (entry.c.state == "active")
    counting = (
        select(guild_member.c.guild, func.count().label("size"), func.count(entry.c.id).label("named"))
        .outerjoin(entry, stands)
        .where(guild_member.c.guild.in_(found))
        .group_by(guild_member.c.guild)
    )
    counts = {row.guild: row for row in connection.execute(counting)}
    records = _records(connection, found)
    return [
        models.Guild(
            **stored(models.Guild, row, but="code"),
            size=counts[row.id].size if row.id in counts else 0,
            named=counts[row.id].named if row.id in counts else 0,
            record=models.WarRecord(**{name: records[row.id][name] for name in ("won", "drawn", "lost")}),
            links=links(
                self=link("guilds", row.id), league=link("leagues", row.league), wars=link("wars", guild=row.id)
            ),
        )
        for row in rows
    ]


def _records(connection: Connection, guilds: Sequence[str]) -> dict[str, Counter[str]]:
    """How many wars each guild won, drew and lost."""
    is_theirs = war.c.guild_a.in_(guilds) | war.c.guild_b.in_(guilds)
    found: dict[str, Counter[str]] = {each: Counter() for each in guilds}
    for row in connection.execute(select(war).where(war.c.state == OVER, is_theirs)):
        lead = row.points_a - row.points_b
        for identifier, own in ((row.guild_a, lead), (row.guild_b, -lead)):
            if identifier in found:
                found[identifier]["won" if own > 0 else "lost" if own < 0 else "drawn"] += 1
    return found
