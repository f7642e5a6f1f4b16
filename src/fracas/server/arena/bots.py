"""Bots: authored entries that step in when nobody else waits, and that people practise against.

Their documents, stories and strengths are in `data/bots`. A strength is measured (`benchmarks/bots.py`) and stays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Connection, insert, select, update

from fracas.content.validate import Model, validate
from fracas.errors import InputError, Problem
from fracas.files.read import read_document
from fracas.server.arena import service
from fracas.server.arena.entries.checking import check_entry
from fracas.server.arena.league import Id, League
from fracas.server.arena.ratings import MU, SHOWN_BASE, SHOWN_SCALE, Rating
from fracas.server.arena.records import Arena
from fracas.server.arena.seasons.season import latest_season, rating_row
from fracas.server.database import documents
from fracas.server.database.tables import account, entry, entry_version, rating
from fracas.server.database.upsert import insert_or_update
from fracas.server.ids import new_id

FOLDER = Path(__file__).parents[2] / "data" / "bots"
# How sure a measured strength is.
SIGMA = 1.0


class Bot(Model):
    """An authored entry."""

    id: Annotated[Id, Field(min_length=3, max_length=24)]
    """Also the handle of its account."""
    name: Annotated[str, Field(min_length=1, max_length=80)]
    story: Annotated[str, Field(min_length=1, max_length=200)]
    """One line about it."""
    strength: Annotated[int, Field(ge=0, le=5000)]
    """Its shown rating, measured against the other bots of its league, whose mean is 1500."""
    entry: dict[str, Any]

    @property
    def rating(self) -> Rating:
        """Its fixed rating."""
        return Rating(MU + (self.strength - SHOWN_BASE) / SHOWN_SCALE, SIGMA)


class BotsFile(Model):
    """The bots of a league."""

    bots: Annotated[list[Bot], Field(max_length=100)]


def read_bots(league: League) -> list[Bot]:
    """The authored bots of a league; none if it has no file of bots.

    Raises:
        InputError: everything that is wrong with them; the league must accept their entries.
    """
    file, found = _file(league), authored_bots(league)
    problems = []
    for bot in found:
        try:
            check_entry(league, bot.entry)
        except InputError as error:
            problems += [Problem(f"{file.name}: {bot.id}: {each.where}", each.message) for each in error.problems]
    if problems:
        raise InputError(problems)
    return found


def authored_bots(league: League) -> list[Bot]:
    """The bots of a league as they are written, not checked against it.

    Raises:
        InputError: the file is not one of bots.
    """
    file = _file(league)
    return validate(BotsFile, read_document(file), file.name).bots if file.is_file() else []


def _file(league: League) -> Path:
    return FOLDER / f"{league.file.bots or league.id}.toml"


def install_bots(connection: Connection, arena: Arena, league: League, now: int) -> int:
    """Make the accounts, entries and ratings of a league's bots, as far as they are missing or have changed."""
    bots = authored_bots(league)
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
    query = select(account.c.id, account.c.role).where(account.c.handle_key == bot.id)
    row = connection.execute(query).first()
    if row is not None and row.role == "bot":
        return str(row.id)
    # A person may have the handle already.
    handle = bot.id if row is None else f"bot-{bot.id}"[:24]
    found = connection.execute(select(account.c.id).where(account.c.handle_key == handle)).scalar_one_or_none()
    if found is not None:
        return str(found)
    values = {
        "id": new_id(now),
        "handle": handle,
        "handle_key": handle,
        "display_name": bot.name,
        "role": "bot",
        "created_at": now,
    }
    connection.execute(insert(account).values(values))
    return str(values["id"])


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
        .join(entry_version, (entry_version.c.entry == entry.c.id) & (entry_version.c.no == entry.c.last_no))
        .where(entry.c.account == owner, entry.c.league == league.id, entry.c.state == "active")
    )
    row = connection.execute(query).first()
    if row is None:
        check()
        made = service.submit_entry(connection, arena, owner, league.id, bot.name, bot.entry, now)
        identifier, version = made.entry, made.version
    elif bytes(row.document) != documents.hash_of(bot.entry):
        check()
        made = service.change_entry(connection, arena, owner, row.id, bot.entry, now)
        identifier, version = made.entry, made.version
    else:
        return
    # What a bot does is published with the program.
    where = (entry_version.c.entry == identifier) & (entry_version.c.no == version)
    connection.execute(update(entry_version).where(where).values(revealed_at=now))
