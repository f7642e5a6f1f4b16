"""Leave a guild: an owner's place goes to the longest member, and a guild without members is dissolved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, delete, exists, select, update

from fracas.server.database import streams
from fracas.server.database.tables import guild, guild_member, war

OWNER, MEMBER = "owner", "member"


def leave_guild(connection: Connection, whom: str, now: int) -> bool:
    """Take an account out of its guild; return whether it was in one. What a war has locked fights on."""
    mine = guild_member.c.account == whom
    row = connection.execute(select(guild_member).where(mine)).first()
    if row is None:
        return False
    locked(connection, row.guild)
    if connection.execute(delete(guild_member).where(mine)).rowcount == 0:
        return False
    left = members_of(connection, row.guild)
    if not left:
        dissolve_guild(connection, row.guild, now)
        return True
    tell(connection, left, "guild.left", row.guild, now)
    if all(each.role != OWNER for each in left):
        make_owner(connection, row.guild, left[0].account, now)
    return True


def make_owner(connection: Connection, identifier: str, whom: str, now: int) -> None:
    """Make a member the only owner of a guild, and tell all members."""
    is_of_guild = guild_member.c.guild == identifier
    connection.execute(update(guild_member).where(is_of_guild, guild_member.c.role == OWNER).values(role=MEMBER))
    connection.execute(update(guild_member).where(is_of_guild, guild_member.c.account == whom).values(role=OWNER))
    tell(connection, members_of(connection, identifier), "guild.owner", identifier, now)


def dissolve_guild(connection: Connection, identifier: str, now: int) -> None:
    """Dissolve a guild. One that is in no war is forgotten; the name of any other one stays its own."""
    row, left = locked(connection, identifier), members_of(connection, identifier)
    connection.execute(delete(guild_member).where(guild_member.c.guild == identifier))
    fights = exists().where((war.c.guild_a == identifier) | (war.c.guild_b == identifier))
    if connection.execute(select(fights)).scalar_one():
        connection.execute(update(guild).where(guild.c.id == identifier).values(dissolved_at=now))
    else:
        connection.execute(delete(guild).where(guild.c.id == identifier))
    body = {"guild": identifier, "name": row.name}
    streams.append(connection, [(each.account, "guild.dissolved", body) for each in left], now)


def locked(connection: Connection, identifier: str) -> Any:
    """The row of a guild, which exists; who else changes its members waits for this transaction."""
    return connection.execute(select(guild).where(guild.c.id == identifier).with_for_update()).one()


def members_of(connection: Connection, identifier: str) -> list[Any]:
    """The rows of a guild's members, who has been in it longest first."""
    query = select(guild_member).where(guild_member.c.guild == identifier)
    return list(connection.execute(query.order_by(guild_member.c.joined_at, guild_member.c.account)))


def tell(connection: Connection, members: Iterable[Any], kind: str, identifier: str, now: int) -> None:
    """Tell members of a guild what happened in it. Nobody is named: whoever deletes an account is forgotten at once."""
    streams.append(connection, [(each.account, kind, {"guild": identifier}) for each in members], now)
