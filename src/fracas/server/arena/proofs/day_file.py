"""The published file of a league-day: what it holds, how it is read, and how it is said what differs in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from fracas.errors import InputError
from fracas.files.read import read_text
from fracas.server.arena.chain import FIRST_FORMAT, NEWEST_FORMAT, ChainedMatch, SeasonPins, SideChange
from fracas.server.arena.day_secrets import SeedInputs

FORMAT = "fracas league day"
LARGEST_FILE = 512 * 1024 * 1024


class FileLeg(msgspec.Struct):
    """What one battle of a match came to, for place 1."""

    result: int
    reason: str
    rounds: int
    digest: str


class FileSide(msgspec.Struct):
    """One side of a match."""

    account: str
    entry: str
    """The entry's code."""
    version: int
    sealed_digest: str
    ticket_salt: str
    """Hexadecimal digits."""
    rated: bool
    n: int | None = None
    """Counts the account's rated matches of the season from 1."""
    before: tuple[str, str] | None = None
    """mu and sigma as hexadecimal floats."""
    after: tuple[str, str] | None = None
    document: str | None = None
    """The digest of the entry, once it is revealed."""
    salt: str | None = None
    """What sealed the digest, once it is revealed."""


class FileMatch(msgspec.Struct):
    """One match."""

    number: int
    season: int
    kind: str
    modifier: str
    seed: str
    sides: tuple[FileSide, FileSide]
    legs: list[FileLeg]
    score: tuple[int, int]
    result_digest: str
    chain: str


class FileSeason(msgspec.Struct):
    """What a season pins."""

    rules_version: int
    fingerprint: str
    revision: str
    rating_model: str
    league: dict[str, Any]
    tool: str | None = None
    """The wheel that played it; None if nobody noted it."""


class FileHead(msgspec.Struct):
    """A head of the chain as it was published during the day."""

    number: int
    head: str
    at: int


class LeagueDayFile(msgspec.Struct):
    """A league-day after its end. `tool` is the program that wrote it; that of a season plays its battles again.

    `version` is the format of its day, which says what its chain binds (`arena/chain.py`). Keys that this program does
    not know are left out, so that the version that played a season can still read what a later server writes.
    """

    format: str
    version: int
    tool: str
    league: str
    day: str
    secret: str
    commitment: str
    last_number: int
    head: str
    seasons: dict[str, FileSeason]
    documents: dict[str, Any]
    """The revealed entries by their digests."""
    heads: list[FileHead]
    matches: list[FileMatch]


def read_league_day(path: Path) -> LeagueDayFile:
    """Read a league-day file.

    Raises:
        InputError: it cannot be read, is not a league-day file, or is of another format.
    """
    text = read_text(path, LARGEST_FILE)
    try:
        document = msgspec.json.decode(text, type=LeagueDayFile)
    except (msgspec.MsgspecError, RecursionError) as error:
        refusal = _refusal_in(text)
        if refusal is not None:
            advice = "download a day that is over; its file is published after midnight UTC"
            raise InputError.of(
                str(path), f"is what a server answered in place of the file: {refusal}", advice
            ) from None
        raise InputError.of(
            str(path), f"is not a league-day file: {error}", "GET /api/v1/leagues/LEAGUE/days/DAY answers one"
        ) from None
    if document.format != FORMAT:
        raise InputError.of(str(path), "is not a league-day file", "GET /api/v1/leagues/LEAGUE/days/DAY answers one")
    if document.version == FIRST_FORMAT:
        message = "format 1 does not bind accounts and ratings"
        raise InputError.of(str(path), message, "days that began after the server's update have format 2")
    if document.version != NEWEST_FORMAT:
        raise InputError.of(
            str(path), f"has format {document.version}, which is not known here", f"install {document.tool}"
        )
    return document


def _refusal_in(text: str) -> str | None:
    """What a problem of RFC 9457 says, which curl stores like any answer; None if the text is none."""
    try:
        document = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
    is_problem = isinstance(document, dict) and str(document.get("type", "")).startswith("/problems/")
    return str(document.get("detail") or document.get("title")) if is_problem else None


def season_of(document: LeagueDayFile, match: FileMatch) -> FileSeason | None:
    """The season of a match; None if the file lacks it."""
    return document.seasons.get(str(match.season))


def chained_of(document: LeagueDayFile, match: FileMatch, season: FileSeason) -> ChainedMatch:
    """What the chain binds of a match.

    Raises:
        ValueError: a digest is not hexadecimal.
    """
    one, other = match.sides
    digests = bytes.fromhex(one.sealed_digest), bytes.fromhex(other.sealed_digest)
    salts = bytes.fromhex(one.ticket_salt), bytes.fromhex(other.ticket_salt)
    return ChainedMatch(
        SeedInputs(document.league, document.day, match.number, digests, salts),
        bytes.fromhex(match.result_digest),
        match.kind,
        match.modifier,
        SeasonPins(
            match.season,
            season.rules_version,
            bytes.fromhex(season.fingerprint),
            bytes.fromhex(season.revision),
            season.rating_model,
        ),
        (_side_change(one), _side_change(other)),
    )


def _side_change(side: FileSide) -> SideChange:
    return SideChange(side.account, side.entry, side.version, side.rated, side.n, side.before, side.after)


class Differs(Exception):
    """The first thing that differs, as a sentence."""


def same(what: str, stored: Any, computed: Any) -> None:
    """Compare a value of the file with the recomputed one.

    Raises:
        Differs: they differ.
    """
    if stored != computed:
        raise Differs(f"{what} differs: the file says {_short(stored)}, recomputed is {_short(computed)}")


def _short(value: Any) -> str:
    text = str(msgspec.to_builtins(value))
    return text if len(text) <= 100 else f"{text[:97]}..."
