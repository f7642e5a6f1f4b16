"""Bots: authored entries that step in when nobody else waits, and that people practise against."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from sqlalchemy import Connection, select

from fracas.content.canonical import canonical_digest
from fracas.errors import InputError, Problem
from fracas.server.accounts import names, store
from fracas.server.arena import service, visibility
from fracas.server.arena.bot_files import Bot, bots_file
from fracas.server.arena.domain import Arena
from fracas.server.arena.drawn_bots import bots_of
from fracas.server.arena.entries import check_entry
from fracas.server.arena.league import League
from fracas.server.arena.seasons.season import latest_season, rating_row
from fracas.server.database.tables import entry, entry_version, is_newest, rating
from fracas.server.database.upsert import insert_or_update
from fracas.server.http.authorisation import Role


def read_bots(league: League) -> list[Bot]:
    """The bots of a league; none if it has no file of bots, and is of no game, for which they are drawn.

    Raises:
        InputError: everything that is wrong with them; the league must accept their entries.
    """
    file, found = bots_file(league), bots_of(league)
    problems = []
    for bot in found:
        try:
            check_entry(league, bot.entry)
        except InputError as error:
            problems += [Problem(f"{file.name}: {bot.id}: {each.where}", each.message) for each in error.problems]
    if problems:
        raise InputError(problems)
    return found


def install_bots(connection: Connection, arena: Arena, league: League, now: int) -> int:
    """Make the accounts, entries and ratings of a league's bots, as far as they are missing or have changed."""
    bots = bots_of(league)
    season = latest_season(connection, league.id)
    # What is stored was checked; all of them are checked as soon as one is to be stored.
    check = cache(partial(read_bots, league))
    for bot in bots:
        owner = _account(connection, bot, now)
        _entry(connection, arena, league, bot, owner, now, check)
        if league.is_ranked and season is not None:
            insert_or_update(connection, rating, rating_row(league.id, season.no, owner, bot.rating))
    return len(bots)


def _account(connection: Connection, bot: Bot, now: int) -> str:
    """The account of a bot. A person may have its handle, but none that begins like the second."""
    for handle in (bot.id, f"{names.BOT}{bot.id}"[: names.LONGEST_HANDLE]):
        known = store.by_handle(connection, handle)
        if known is not None and known.role == Role.BOT:
            return known.id
        if known is None:
            made = store.create(connection, handle, None, now, role=Role.BOT, display_name=bot.name)
            if made is not None:
                return made
    raise AssertionError("unreachable: only bots have such handles")


def _entry(
    connection: Connection,
    arena: Arena,
    league: League,
    bot: Bot,
    owner: str,
    now: int,
    check: Callable[[], object],
) -> None:
    query = (
        select(entry.c.id, entry.c.last_no, entry_version.c.document)
        .join(entry_version, is_newest)
        .where(entry.c.account == owner, entry.c.league == league.id, entry.c.state == "active")
    )
    row = connection.execute(query).first()
    if row is None:
        check()
        made = service.submit_entry(connection, arena, owner, league.id, bot.name, bot.entry, now)
        identifier, version = made.entry, made.version
    elif bytes(row.document) != canonical_digest(bot.entry):
        check()
        made = service.change_entry(connection, arena, owner, row.id, bot.entry, now)
        identifier, version = made.entry, made.version
    else:
        return
    # What a bot does is published with the program.
    visibility.reveal(connection, (entry_version.c.entry == identifier) & (entry_version.c.no == version), now)
