"""Administer the arena of a database: check it, migrate it, unpark tickets, replace secrets after a restore."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from fracas.errors import InputError
from fracas.server.accounts import store
from fracas.server.admin.accounts import WHO
from fracas.server.arena.arena_loop import check_secret_setting, read_arena, secret_file
from fracas.server.arena.bots import install_bots
from fracas.server.arena.day_secrets import CLOSED, SecretBox
from fracas.server.arena.domain import Arena
from fracas.server.arena.league import read_leagues
from fracas.server.arena.matches import matchmaker
from fracas.server.arena.proofs.check import Report, check_arena
from fracas.server.arena.seasons.days import replace_secrets
from fracas.server.arena.seasons.season import latest_season, migrate_season
from fracas.server.arena.tournaments import service as tournaments
from fracas.server.arena.wars import war
from fracas.server.clock import Clock
from fracas.server.database import schema
from fracas.server.database.engine import Database, open_database
from fracas.server.database.tables import league_day
from fracas.server.settings import read_settings
from fracas.server.tables.check import check_tables

Options = Mapping[str, Any]


def check_database(options: Options) -> Report:
    """Check everything that the arena and live tables have stored, also while a server uses the database.

    Raises:
        InputError: the database is missing or has another schema; or a league file or the secret file is not valid.
    """
    settings = read_settings(options)
    opened = open_database(settings.database, shared=True)
    try:
        with opened.snapshot() as connection:
            problem = schema.problem(connection)
            if problem is not None:
                raise InputError.of("--database", problem)
            report = check_arena(connection, read_arena(settings, opened))
            check_tables(connection, report)
            return report
    finally:
        opened.close()


def migrate(
    database: Database, options: Options, clock: Clock, *, abandon: bool = False
) -> tuple[int, int, dict[str, int]]:
    """Bring a database to this program's schema, and end the seasons that pin other rules than this program's.

    It needs no secret file: ending a season opens no secret. Tournaments and wars that run in such a season are
    abandoned if `abandon` says so.

    Returns:
        The schema before and after, and how many entries each league withdrew whose season ended.

    Raises:
        InputError: a league file is not valid, and nothing was changed; or the database cannot be migrated; or a
            tournament or a war runs in a season that would end, and no season was ended.
    """
    settings = read_settings(options)
    leagues = read_leagues(Path(settings.leagues) if settings.leagues else None, settings.games)
    before, after = schema.migrate(database, clock)
    if not _has_days(database):
        return before, after, {}
    arena, now = Arena(leagues, CLOSED), clock.now_ms()
    with database.writing.begin() as connection:
        found = {name: _migrated(connection, arena, name, now, abandon=abandon) for name in leagues}
    return before, after, {name: withdrawn for name, withdrawn in found.items() if withdrawn >= 0}


def _migrated(connection: Connection, arena: Arena, name: str, now: int, *, abandon: bool) -> int:
    """How many entries a league withdrew at the end of its season; -1 if the season goes on.

    Raises:
        InputError: tournaments or wars run that only the older program can play.
    """
    league = arena.leagues[name]
    season = latest_season(connection, name)
    if season is None or season.ended_at is not None or season.fits(league):
        return -1
    running, wars = tournaments.running_in(connection, name), war.running_in(connection, name)
    if (running or wars) and not abandon:
        message = f"tournaments ({len(running)}) or guild wars ({wars}) run in {name}, whose rules have changed"
        hint = "play them to their end with the release that began them, or give --abandon: all in them are told"
        raise InputError.of("--database", message, hint)
    tournaments.abandon_all(connection, name, now)
    war.abandon_running(connection, name, now)
    withdrawn = migrate_season(connection, arena, league, now)
    install_bots(connection, arena, league, now)
    return len(withdrawn)


def check_secret_file_of(options: Options) -> None:
    """Check, before anything is restored, that the secret file can be used or made.

    Raises:
        InputError: it cannot.
    """
    check_secret_setting(read_settings(options))


def replace_day_secrets(database: Database, options: Options, now: int) -> None:
    """Give today and tomorrow new secrets: with the old ones the seeds after a restored backup could repeat.

    Raises:
        InputError: the secret file cannot be read or made.
    """
    if not _has_days(database):
        return
    box = SecretBox.of_file(secret_file(read_settings(options).secret_file, database.file), make=True)
    with database.writing.begin() as connection:
        replace_secrets(connection, box, now)


def unpark(connection: Connection, now: int) -> dict[str, int]:
    """Return the parked tickets of all leagues to their queues; returns how many by league."""
    unparked = matchmaker.unpark(connection, now)
    for league, count in unparked.items():
        store.note(connection, WHO, "unpark", league, now, f"{count} tickets")
    return unparked


def _has_days(database: Database) -> bool:
    with database.reading.connect() as connection:
        return bool(connection.execute(select(func.count()).select_from(league_day)).scalar_one())
