"""`fracas server`: operators, passwords, backups and migrations of a server's database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from cyclopts import Parameter

from fracas.cli.serve.library import check_server_library
from fracas.cli.shared.exit_status import CHECK_FAILED, DONE
from fracas.cli.shared.output import columns, count, say

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from fracas.server.database.engine import Database

Result = TypeVar("Result")
At = Annotated[
    str | None, Parameter(name="--database", help="A SQLite file, or postgresql://name@host/db. Default: fracas.db.")
]
Handle = Annotated[str, Parameter(help="The account's handle.")]


def create_admin(handle: Handle, /, *, database: At = None) -> int:
    """Create an operator's account and print the code that sets its password.

    Operators may suspend accounts and read what was done. They are marked, and never rated.

    Try:

        fracas server create-admin ann
    """
    check_server_library("fracas server")
    from fracas.server.admin import accounts

    code = _changed(database, lambda connection, now: accounts.create_admin(connection, handle, now))
    say(code, f"Set the password of {handle} with this code within a day, at /recover or POST /api/v1/recovery.")
    return DONE


def reset_password(handle: Handle, /, *, database: At = None) -> int:
    """Print a code that sets a new password for an account, once, within a day.

    Try:

        fracas server reset-password zoe
    """
    check_server_library("fracas server")
    from fracas.server.admin import accounts

    code = _changed(database, lambda connection, now: accounts.reset_password(connection, handle, now))
    say(code, f"Set the password of {handle} with this code within a day, at /recover or POST /api/v1/recovery.")
    return DONE


def suspend(
    handle: Handle,
    /,
    *,
    reason: Annotated[str | None, Parameter(name="--reason", help="Why. The account's owner reads it.")] = None,
    lift: Annotated[bool, Parameter(name="--lift", help="Let the account in again.")] = False,
    database: At = None,
) -> int:
    """Suspend an account with a reason, or let it in again.

    Try:

        fracas server suspend zoe --reason "sold matches"
        fracas server suspend zoe --lift
    """
    check_server_library("fracas server")
    from fracas.errors import UsageError
    from fracas.server.admin import accounts

    if lift == (reason is not None):
        raise UsageError.of("--reason", "is needed to suspend, and only then", 'write --reason "…", or --lift')
    _changed(database, lambda connection, now: accounts.suspend(connection, handle, reason, now))
    say(f"{handle} is {'active' if lift else 'suspended'}")
    return DONE


def grant(
    handle: Handle, role: Annotated[str, Parameter(help="player or operator.")], /, *, database: At = None
) -> int:
    """Make an account an operator's, or a player's again.

    Try:

        fracas server grant ann operator
    """
    check_server_library("fracas server")
    from fracas.server.admin import accounts

    _changed(database, lambda connection, now: accounts.grant(connection, handle, role, now))
    say(f"{handle} is {role}")
    return DONE


def invite(
    *,
    number: Annotated[int, Parameter(name="--count", help="How many codes.")] = 1,
    database: At = None,
) -> int:
    """Print invitation codes, each for one registration within fourteen days.

    Try:

        fracas server invite --count 20
    """
    check_server_library("fracas server")
    from fracas.server.admin import accounts

    say(*_changed(database, lambda connection, now: accounts.invite(connection, number, now)))
    return DONE


def backup(file: Annotated[Path, Parameter(help="The backup to write.")], /, *, database: At = None) -> int:
    """Write a backup, also while a server runs: a copy of a SQLite file, an export of PostgreSQL.

    The secrets of unpublished days in it are encrypted: keep the secret file too.

    Try:

        fracas server backup monday.db
    """
    check_server_library("fracas server")
    from fracas.server.admin.backup import back_up

    opened = _open_database(database, shared=True)
    try:
        back_up(opened, file)
    finally:
        opened.close()
    say(f"saved {file}")
    return DONE


def restore(file: Annotated[Path, Parameter(help="A backup or an export.")], /, *, database: At = None) -> int:
    """Fill an empty or missing database from a backup or an export.

    Try:

        fracas server restore monday.db --database new.db
    """
    check_server_library("fracas server")
    from fracas.server.admin.arena import check_secret_file_of, replace_day_secrets
    from fracas.server.admin.backup import restore as restore_file
    from fracas.server.clock import Clock

    check_secret_file_of({"database": database})
    opened = restore_file(_url(database), file, Clock())
    try:
        replace_day_secrets(opened, {"database": database}, Clock().now_ms())
    finally:
        opened.close()
    say(f"restored {file}; today and tomorrow have new secrets")
    return DONE


def export(file: Annotated[Path, Parameter(help="The zip file to write.")], /, *, database: At = None) -> int:
    """Export all tables to a zip file of JSON lines, to move them between SQLite and PostgreSQL.

    Secrets of days that are not published yet are left out; those of published days are in it, in clear. Entries that
    are still hidden are in it too.

    Try:

        fracas server export all.zip
    """
    check_server_library("fracas server")
    from fracas.server.admin import transfer

    opened = _open_database(database, shared=True)
    try:
        with opened.snapshot() as connection:
            counts = transfer.export(connection, file)
    finally:
        opened.close()
    say(*columns([(name, f"{rows:,}") for name, rows in counts.items() if rows], right=(1,)), f"saved {file}")
    return DONE


def import_(file: Annotated[Path, Parameter(help="An export.")], /, *, database: At = None) -> int:
    """Fill an empty database from an export. PostgreSQL must have its tables: run fracas server migrate first.

    Try:

        fracas server import all.zip --database postgresql://fracas@db/fracas
    """
    check_server_library("fracas server")
    from fracas.server.admin import transfer
    from fracas.server.admin.arena import check_secret_file_of, replace_day_secrets
    from fracas.server.clock import Clock
    from fracas.server.database import schema

    transfer.refuse_unless_export(file)
    check_secret_file_of({"database": database})
    opened = _open_database(database, shared=False)
    try:
        if opened.is_sqlite:
            schema.migrate(opened, Clock())
        with opened.writing.begin() as connection:
            counts = transfer.import_into(connection, file)
        replace_day_secrets(opened, {"database": database}, Clock().now_ms())
    finally:
        opened.close()
    say(f"imported {count(sum(counts.values()), 'row')}")
    return DONE


def check(
    *,
    database: At = None,
    leagues: Annotated[
        str | None, Parameter(name="--leagues", help="The folder of league files of the server.")
    ] = None,
    games: Annotated[
        list[str] | None, Parameter(name="--games", help="Game of an installed package that leagues may play.")
    ] = None,
    secret_file: Annotated[
        str | None, Parameter(name="--secret-file", help="The secret file. Default: beside the SQLite file.")
    ] = None,
) -> int:
    """Check everything that is stored: play every match again, add up every rating, follow every chain.

    Exit status 1 if anything is wrong. Matches of older rules, or of content that is not installed, are counted; they
    are no fault.

    Try:

        fracas server check
    """
    check_server_library("fracas server")
    from fracas.server.admin.arena import check_database

    report = check_database(
        {
            "database": database,
            "leagues": leagues,
            "games": None if games is None else tuple(games),
            "secret_file": secret_file,
        }
    )
    say(
        *columns(
            [
                ("matches played again", f"{report.matches:,}"),
                ("matches of other rules, not played", f"{report.of_other_rules:,}"),
                ("ratings added up", f"{report.ratings:,}"),
                ("league-days followed", f"{report.days:,}"),
                ("guild wars compared", f"{report.wars:,}"),
                ("tournaments recomputed", f"{report.tournaments:,}"),
                ("rated tables rated again", f"{report.tables:,}"),
                ("documents hashed", f"{report.documents:,}"),
            ],
            right=(1,),
        ),
        *report.faults,
        "everything fits" if report.is_sound else f"{count(len(report.faults), 'fault')}",
    )
    return DONE if report.is_sound else CHECK_FAILED


def migrate(
    *,
    database: At = None,
    abandon: Annotated[
        bool,
        Parameter(name="--abandon", negative="", help="End tournaments and wars that run in a season which ends."),
    ] = False,
) -> int:
    """Bring the database to the schema that this release needs. SQLite is copied first, and needs no such command.

    Seasons that were played by other rules end: ratings fold into the next, and entries are checked again. No such
    season ends while a tournament or a guild war runs in it, unless you give --abandon; all in it are told, and what it
    has played stays.

    Try:

        fracas server migrate --database postgresql://fracas@db/fracas
    """
    check_server_library("fracas server")
    from fracas.server.admin.arena import migrate as migrate_arena
    from fracas.server.clock import Clock

    opened = _open_database(database, shared=False)
    try:
        before, after, ended = migrate_arena(opened, {"database": database}, Clock(), abandon=abandon)
    finally:
        opened.close()
    for league, withdrawn in ended.items():
        say(f"{league}: the season ended, entries withdrawn: {withdrawn:,}")
    say(f"schema {after}, as before" if before == after else f"schema {before} is now {after}")
    return DONE


def unpark(*, database: At = None) -> int:
    """Let parked tickets wait again, also while a server runs.

    A ticket is parked when its matches failed three times. The server's log names the file that says why; mend that
    first.

    Try:

        fracas server unpark
    """
    check_server_library("fracas server")
    from fracas.server.admin import arena

    found = _changed(database, arena.unpark)
    say(*columns([(league, f"{number:,}") for league, number in found.items()], right=(1,)))
    say(f"{count(sum(found.values()), 'ticket')} of {count(len(found), 'league')} wait again")
    return DONE


def _url(database: str | None) -> str:
    from fracas.server.settings import read_settings

    return read_settings({"database": database}).database


def _open_database(database: str | None, *, shared: bool) -> Database:
    from fracas.server.database.engine import open_database

    return open_database(_url(database), shared=shared)


def _changed(database: str | None, command: Callable[[Connection, int], Result]) -> Result:
    """Run a command on the database, also while a server uses it.

    Raises:
        InputError: the database is missing or has another schema; or the command refuses.
    """
    from fracas.errors import InputError
    from fracas.server.clock import Clock
    from fracas.server.database import schema

    opened = _open_database(database, shared=True)
    try:
        with opened.reading.connect() as connection:
            problem = schema.problem(connection)
        if problem is not None:
            raise InputError.of("--database", problem)
        with opened.writing.begin() as connection:
            return command(connection, Clock().now_ms())
    finally:
        opened.close()
