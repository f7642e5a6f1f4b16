"""Write the file of a league-day from the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, select

from fracas.server.arena.proofs.day_file import (
    FORMAT,
    FileHead,
    FileLeg,
    FileMatch,
    FileSeason,
    FileSide,
    LeagueDayFile,
)
from fracas.server.arena.records import Arena, Missing
from fracas.server.arena.seasons import days
from fracas.server.arena.seasons.season import tools_of
from fracas.server.database import documents
from fracas.server.database.tables import entry, entry_version, league_day, league_head, leg, match, match_side, season
from fracas.version import RELEASE

# Matches that are read at once.
AT_ONCE = 500


def league_day_file(connection: Connection, arena: Arena, league: str, day: str) -> LeagueDayFile:
    """The file of a day whose secret is published.

    Raises:
        Missing: there was no such day, or its secret is not published yet.
    """
    row = connection.execute(select(league_day).where(league_day.c.league == league, league_day.c.day == day)).first()
    if row is None:
        raise Missing("league-day")
    if row.published_at is None:
        raise Missing("file of a day before it is over, at midnight UTC,")
    found = _without_matches(connection, row, days.secret_of(connection, arena, league, day))
    found.matches = list(matches_of(connection, league, day))
    revealed = {side.document for each in found.matches for side in each.sides if side.document is not None}
    found.documents = {digest: documents.get(connection, bytes.fromhex(digest)) for digest in sorted(revealed)}
    return found


def day_without_matches(connection: Connection, arena: Arena, league: str, day: str) -> LeagueDayFile:
    """The head of the file of any day, also of the running one: for the server's own checks, never for others.

    Raises:
        LookupError: there was no such day.
        InputError: the secret file is not the one that the day's secret was encrypted with.
    """
    row = connection.execute(select(league_day).where(league_day.c.league == league, league_day.c.day == day)).first()
    if row is None:
        raise LookupError(day)
    return _without_matches(connection, row, days.secret_of(connection, arena, league, day))


def matches_of(connection: Connection, league: str, day: str) -> Iterator[FileMatch]:
    """The numbered matches of a league-day in their order; read in portions."""
    of_day = (match.c.league == league) & (match.c.day == day) & match.c.no.is_not(None)
    last = None
    while True:
        query = select(match).where(of_day if last is None else of_day & (match.c.no > last))
        rows = connection.execute(query.order_by(match.c.no).limit(AT_ONCE)).all()
        if not rows:
            return
        portion = of_day & match.c.no.between(rows[0].no, rows[-1].no)
        sides: dict[str, list[Any]] = {}
        for side in connection.execute(_sides().where(portion).order_by(match.c.no, match_side.c.place)):
            sides.setdefault(side.match, []).append(side)
        legs: dict[str, list[FileLeg]] = {}
        fought = select(leg).join(match, match.c.id == leg.c.match).where(portion).order_by(match.c.no, leg.c.no)
        for each in connection.execute(fought):
            told = FileLeg(each.result, each.reason, each.rounds, bytes(each.digest).hex())
            legs.setdefault(each.match, []).append(told)
        for row in rows:
            yield _match(row, sides[row.id], legs[row.id])
        last = rows[-1].no


def _without_matches(connection: Connection, row: Any, secret: bytes) -> LeagueDayFile:
    heads = connection.execute(
        select(league_head)
        .where(league_head.c.league == row.league, league_head.c.day == row.day)
        .order_by(league_head.c.no)
    )
    numbered = (match.c.league == row.league) & (match.c.day == row.day) & match.c.no.is_not(None)
    seasons = connection.execute(select(match.c.season).where(numbered).distinct()).scalars().all()
    return LeagueDayFile(
        format=FORMAT,
        version=days.format_of(connection, row.league, row.day),
        tool=RELEASE,
        league=row.league,
        day=row.day,
        secret=secret.hex(),
        commitment=bytes(row.commitment).hex(),
        last_number=row.last_no,
        head=bytes(row.head).hex(),
        seasons=_seasons(connection, row.league, seasons),
        documents={},
        heads=[FileHead(each.no, bytes(each.head).hex(), each.at) for each in heads],
        matches=[],
    )


def _sides() -> Any:
    return (
        select(
            match_side,
            entry.c.code,
            entry_version.c.document,
            entry_version.c.salt,
            entry_version.c.sealed_digest,
            entry_version.c.revealed_at,
        )
        .join(match, match.c.id == match_side.c.match)
        .join(entry, entry.c.id == match_side.c.entry)
        .join(
            entry_version,
            (entry_version.c.entry == match_side.c.entry) & (entry_version.c.no == match_side.c.version),
        )
    )


def _match(row: Any, sides: list[Any], legs: list[FileLeg]) -> FileMatch:
    first, second = map(_side, sides)
    return FileMatch(
        number=row.no,
        season=row.season,
        kind=row.kind,
        modifier=row.modifier,
        seed=row.seed,
        sides=(first, second),
        legs=legs,
        score=(row.score_a, row.score_b),
        result_digest=bytes(row.result_digest).hex(),
        chain=bytes(row.chain).hex(),
    )


def _side(row: Any) -> FileSide:
    is_revealed = row.revealed_at is not None
    return FileSide(
        account=row.account,
        entry=row.code,
        version=row.version,
        sealed_digest=bytes(row.sealed_digest).hex(),
        ticket_salt=bytes(row.ticket_salt).hex(),
        rated=bool(row.rated),
        n=row.n,
        before=None if row.mu0 is None else (row.mu0, row.sigma0),
        after=None if row.mu1 is None else (row.mu1, row.sigma1),
        document=bytes(row.document).hex() if is_revealed else None,
        salt=bytes(row.salt).hex() if is_revealed else None,
    )


def _seasons(connection: Connection, league: str, numbers: Iterable[int]) -> dict[str, FileSeason]:
    """What the seasons of a day's matches pin; the league's document is stored by its revision."""
    query = select(season).where(season.c.league == league, season.c.no.in_(list(numbers))).order_by(season.c.no)
    tools = tools_of(connection, league)
    return {
        str(row.no): FileSeason(
            rules_version=row.rules_version,
            fingerprint=bytes(row.fingerprint).hex(),
            revision=bytes(row.revision).hex(),
            rating_model=row.rating_model,
            tool=tools.get(row.no),
            league=documents.get(connection, bytes(row.revision)),
        )
        for row in connection.execute(query)
    }
