"""What a league publishes: heads and commitments, bots, the price of an entry, and the file of each day that is over.

The file of a day is assembled once, when its day is published, and kept on the disk. The database has everything
that is in it, so the folder may be deleted at any time. It is written anew when it changes: a day of a league that
reveals at the end of its season gains the entries then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
from blake3 import blake3
from sqlalchemy import Connection, func, select

from fracas.errors import InputError
from fracas.files.atomic_write import write_atomic
from fracas.server.arena.bot_files import Bot
from fracas.server.arena.chain import NEWEST_FORMAT
from fracas.server.arena.domain import Arena
from fracas.server.arena.entries import check_entry, cost
from fracas.server.arena.league import League
from fracas.server.arena.proofs.day_file import (
    FORMAT,
    FileHead,
    FileLeg,
    FileMatch,
    FileSeason,
    FileSide,
    LeagueDayFile,
)
from fracas.server.arena.refusals import Missing
from fracas.server.arena.seasons import days as league_days
from fracas.server.arena.seasons.season import tools_of
from fracas.server.arena.store.entries import bots_in
from fracas.server.arena.store.matches import sides_of
from fracas.server.arena.visibility import is_in_chain, is_revealed
from fracas.server.clock import date_of, iso
from fracas.server.database import documents
from fracas.server.database.tables import (
    entry,
    entry_version,
    is_of_side,
    league_day,
    league_head,
    leg,
    match,
    match_side,
    season,
)
from fracas.server.http.answers import link, links
from fracas.server.http.problems import input_problem
from fracas.server_models import arena as models
from fracas.server_models.arena import Checked, Day, Head, Promise, PublishedHead
from fracas.version import RELEASE

# Matches that are read at once.
AT_ONCE = 500
FOLDER = "fracas.days"
PRIVATE_FOLDER = 0o700


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
        .where(entry.c.id == entry_id, is_in_chain)
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


def bots_of(connection: Connection, league: str, bots: Iterable[Bot]) -> list[models.Bot]:
    """A league's bots, the strongest first. `bots` are the authored ones."""
    known = {bot.id: bot for bot in bots}
    found = []
    for each in bots_in(connection, league):
        bot = known.get(each.account.handle.removeprefix("bot-"))
        if bot is None:
            continue
        handle = each.account.handle
        paths = links(entry=link("entries", each.id), profile=link("profiles", handle))
        found.append(models.Bot(handle=handle, name=bot.name, story=bot.story, strength=bot.strength, links=paths))
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


# --- The file of a day ----------------------------------------------------------------------------------------------


def league_day_file(connection: Connection, arena: Arena, league: str, day: str) -> LeagueDayFile:
    """The file of a day whose secret is published.

    Raises:
        Missing: there was no such day, or its secret is not published yet.
    """
    row = connection.execute(select(league_day).where(league_days.is_day(league, day))).first()
    if row is None:
        raise Missing("league-day")
    if row.published_at is None:
        raise Missing("file of a day before it is over, at midnight UTC,")
    found = _without_matches(connection, row, league_days.secret_of(connection, arena, league, day))
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
    row = connection.execute(select(league_day).where(league_days.is_day(league, day))).first()
    if row is None:
        raise LookupError(day)
    return _without_matches(connection, row, league_days.secret_of(connection, arena, league, day))


def matches_of(connection: Connection, league: str, day: str) -> Iterator[FileMatch]:
    """The numbered matches of a league-day in their order; read in portions."""
    of_day = (match.c.league == league) & (match.c.day == day) & is_in_chain
    last = None
    while True:
        query = select(match).where(of_day if last is None else of_day & (match.c.no > last))
        rows = connection.execute(query.order_by(match.c.no).limit(AT_ONCE)).all()
        if not rows:
            return
        portion = of_day & match.c.no.between(rows[0].no, rows[-1].no)
        sides = sides_of(connection, [row.id for row in rows])
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
    numbered = (match.c.league == row.league) & (match.c.day == row.day) & is_in_chain
    seasons = connection.execute(select(match.c.season).where(numbered).distinct()).scalars().all()
    return LeagueDayFile(
        format=FORMAT,
        version=league_days.format_of(connection, row.league, row.day),
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
    is_shown = row.revealed_at is not None
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
        document=bytes(row.document).hex() if is_shown else None,
        salt=bytes(row.salt).hex() if is_shown else None,
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


@dataclass(frozen=True)
class StoredDay:
    """The file of a published day: on the disk, or in memory where it cannot be written."""

    tag: str
    """Changes when the file does."""
    file: Path | None
    content: bytes | None


def tag_of(connection: Connection, arena: Arena, league: str, day: str) -> str | None:
    """The tag of a day's file, without assembling it; None if the day is not published."""
    published = league_day.c.published_at.is_not(None)
    row = connection.execute(select(league_day).where(league_days.is_day(league, day), published)).first()
    if row is None:
        return None
    hidden = (
        select(func.count())
        .select_from(match)
        .join(match_side, match_side.c.match == match.c.id)
        .join(
            entry_version,
            is_of_side,
        )
        .where(match.c.league == league, match.c.day == day, is_in_chain, ~is_revealed)
    )
    revision, commitment, head = arena.league(league).revision, bytes(row.commitment), bytes(row.head)
    parts = [RELEASE, NEWEST_FORMAT, revision.hex(), commitment.hex(), head.hex()]
    parts += [len(row.secret_enc), connection.execute(hidden).scalar_one()]
    return blake3(" ".join(map(str, parts)).encode()).hexdigest(16)


def stored_day(connection: Connection, arena: Arena, folder: Path, league: str, day: str) -> StoredDay:
    """The file of a published day, which is assembled and written if it is not there yet.

    Raises:
        Missing: there was no such day, or its secret is not published yet.
        InputError: the server no longer has the day's secret.
    """
    tag = tag_of(connection, arena, league, day)
    file = None if tag is None else folder / f"{league}_{day}_{tag}.json"
    if tag is not None and file is not None and file.is_file():
        return StoredDay(tag, file, None)
    content = msgspec.json.encode(league_day_file(connection, arena, league, day))
    assert tag is not None
    assert file is not None
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        write_atomic(file, content, is_private=True)
    except (OSError, InputError):
        # A full disk, or one that may not be written: the answer is the same, and costs as much each time.
        return StoredDay(tag, None, content)
    for old in folder.glob(f"{league}_{day}_*.json"):
        if old != file:
            with suppress(OSError):
                old.unlink()
    return StoredDay(tag, file, None)
