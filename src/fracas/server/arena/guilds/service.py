"""What people do with guilds: found and join one, leave it, hand it over, dissolve it, name entries for its wars.

A guild has one owner and members, and an account is in one guild at most. Each function is a command: it takes the
connection of a transaction, and raises to undo it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select, update

from fracas.errors import InputError, Problem
from fracas.server.accounts import leaving
from fracas.server.accounts.leaving import MEMBER, OWNER
from fracas.server.accounts.names import LONGEST_NAME, display_name_problems
from fracas.server.arena import service
from fracas.server.arena.domain import Arena
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.arena.store.people import account_by_handle
from fracas.server.arena.wars.war import MOST_NAMED
from fracas.server.database.tables import guild, guild_member
from fracas.server.database.upsert import insert_if_absent
from fracas.server.ids import new_id, random_code

CODE_LETTERS = 8
MOST_MEMBERS = 50


def found_guild(connection: Connection, arena: Arena, whom: str, name: str, league: str, now: int) -> str:
    """Found a guild, which the account owns; its wars are fought by a league's rules. Returns its id.

    Raises:
        InputError: there is no such league, or the name is not valid.
        Conflict: the account is in a guild, or another guild has the name.
    """
    arena.league(league)
    problems = name_problems(name)
    if problems:
        raise InputError(problems)
    _refuse_second_guild(connection, whom)
    shown = _clean(name)
    values: dict[str, Any] = {
        "id": new_id(now),
        "league": league,
        "name": shown,
        "name_key": shown.casefold(),
        "code": random_code(CODE_LETTERS),
        "founded_at": now,
    }
    if not insert_if_absent(connection, guild, values):
        raise Conflict(f"there is a guild “{shown}” already; choose another name")
    _add(connection, values["id"], whom, OWNER, now)
    return str(values["id"])


def name_problems(name: str) -> list[Problem]:
    """What is wrong with a guild's name: what would be wrong with a person's, or that it is empty."""
    if not _clean(name):
        return [Problem("name", f"must have 1 to {LONGEST_NAME} characters")]
    return [replace(each, where="name") for each in display_name_problems(name)]


def _clean(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def join_guild(connection: Connection, whom: str, code: str, now: int) -> str:
    """Join a guild by its code; joining again changes nothing. Returns its id.

    Raises:
        Missing: no guild has this code.
        Conflict: the account is in another guild, or this one is full.
    """
    query = select(guild.c.id).where(guild.c.code == code.strip().lower(), guild.c.dissolved_at.is_(None))
    found = connection.execute(query.with_for_update()).scalar_one_or_none()
    if found is None:
        raise Missing("guild of this code")
    if _guild_of(connection, whom) == found:
        return str(found)
    _refuse_second_guild(connection, whom)
    members = leaving.members_of(connection, found)
    if len(members) >= MOST_MEMBERS:
        raise Conflict(f"this guild has {MOST_MEMBERS} members, which is the limit")
    _add(connection, found, whom, MEMBER, now)
    leaving.tell(connection, members, "guild.joined", found, now)
    return str(found)


def _add(connection: Connection, identifier: str, whom: str, role: str, now: int) -> None:
    values = {"account": whom, "guild": identifier, "role": role, "joined_at": now}
    if not insert_if_absent(connection, guild_member, values):
        raise Conflict("you are in a guild already; leave it first")


def _refuse_second_guild(connection: Connection, whom: str) -> None:
    if _guild_of(connection, whom) is not None:
        raise Conflict("you are in a guild already; leave it first")


def _guild_of(connection: Connection, whom: str) -> str | None:
    return connection.execute(select(guild_member.c.guild).where(guild_member.c.account == whom)).scalar_one_or_none()


def membership(connection: Connection, whom: str, identifier: str, *, owner: bool = False) -> Any:
    """The row of an account's membership; the guild is locked until the transaction ends.

    Raises:
        Missing: it is not in the guild, or does not own it and has to.
    """
    is_mine = (guild_member.c.guild == identifier) & (guild_member.c.account == whom)
    if connection.execute(select(guild_member.c.role).where(is_mine)).first() is None:
        raise Missing("guild of yours")
    leaving.locked(connection, identifier)
    row = connection.execute(select(guild_member).where(is_mine)).first()
    if row is None or (owner and row.role != OWNER):
        raise Missing("guild of yours")
    return row


def remove_member(connection: Connection, whom: str, identifier: str, handle: str, now: int) -> None:
    """Leave a guild, or remove a member from one's own. The owner's place goes to the longest member.

    Raises:
        Missing: the account is not in the guild, may not remove others, or the guild has no such member.
    """
    account = _member(connection, whom, identifier, handle)
    row = membership(connection, account, identifier)
    leaving.leave_guild(connection, account, now)
    if account != whom:
        leaving.tell(connection, [row], "guild.removed", identifier, now)


def _member(connection: Connection, whom: str, identifier: str, handle: str) -> str:
    """The account of a member that is the caller, or that the caller, who owns the guild, names."""
    account = account_by_handle(connection, handle).id
    membership(connection, whom, identifier, owner=account != whom)
    if _guild_of(connection, account) != identifier:
        raise Missing("member of this handle")
    return account


def hand_over(connection: Connection, whom: str, identifier: str, handle: str, now: int) -> None:
    """Make another member the owner of one's guild.

    Raises:
        Missing: the account does not own the guild, or it has no such member.
    """
    membership(connection, whom, identifier, owner=True)
    account = _member(connection, whom, identifier, handle)
    if account != whom:
        leaving.make_owner(connection, identifier, account, now)


def renew_code(connection: Connection, whom: str, identifier: str) -> None:
    """Give a guild a new code; the old one ends.

    Raises:
        Missing: the account does not own the guild.
    """
    membership(connection, whom, identifier, owner=True)
    connection.execute(update(guild).where(guild.c.id == identifier).values(code=random_code(CODE_LETTERS)))


def dissolve(connection: Connection, whom: str, identifier: str, now: int) -> None:
    """Dissolve a guild. What a war has locked fights on.

    Raises:
        Missing: the account does not own the guild.
    """
    membership(connection, whom, identifier, owner=True)
    leaving.dissolve_guild(connection, identifier, now)


def name_entry(connection: Connection, whom: str, identifier: str, entry_id: str) -> None:
    """Name an own entry for the wars of one's guild, in place of the one that the member named before.

    Raises:
        Missing: the account is not in the guild, or has no such entry.
        Conflict: the entry cannot fight for the guild, or ten others are named.
    """
    member = membership(connection, whom, identifier)
    row = service.own_entry(connection, whom, entry_id, lock=True)
    league = leaving.locked(connection, identifier).league
    if row.league != league:
        raise Conflict(f"this guild fights in {league}, and the entry is one of {row.league}")
    if row.state != "active":
        raise Conflict("this entry is withdrawn")
    if row._mapping["class"] is not None:
        raise Conflict("an entry of a class fights in its class only")
    named = [each for each in leaving.members_of(connection, identifier) if each.entry is not None]
    if member.entry is None and len(named) >= MOST_NAMED:
        raise Conflict(f"your guild has named {MOST_NAMED} entries; somebody has to take one back")
    _name(connection, whom, entry_id)


def take_back(connection: Connection, whom: str, identifier: str, handle: str) -> None:
    """Take back what a member named: oneself, or another one in one's own guild.

    Raises:
        Missing: the account is not in the guild, may not do it for others, or the guild has no such member.
    """
    _name(connection, _member(connection, whom, identifier, handle), None)


def _name(connection: Connection, whom: str, entry_id: str | None) -> None:
    connection.execute(update(guild_member).where(guild_member.c.account == whom).values(entry=entry_id))
