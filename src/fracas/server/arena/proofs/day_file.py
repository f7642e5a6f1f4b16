"""The published file of a league-day: what it holds, and how it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from fracas.errors import InputError
from fracas.files.read import read_text
from fracas.server.arena.archive.contents import PinnedRules
from fracas.server.arena.league import League, content_fingerprint, read_league

FORMAT = "fracas league day"
VERSION = 1
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


class FileModule(msgspec.Struct):
    """A module of the rules of a season that the program which wrote the file does not have."""

    ruleset: str
    rules_version: int
    layout_key: str
    tool: str
    """The wheel that it is from."""
    description: bytes
    """JSON, zstd, base64."""
    module: bytes
    """WebAssembly, zstd, base64."""


class FilePair(msgspec.Struct):
    """Both compiled battles of a pair of entries, as a module of `modules` plays them."""

    module: str
    digest: str
    """Of the content as it stands here, before base64."""
    content: bytes
    """zstd, base64."""


class LeagueDayFile(msgspec.Struct):
    """A league-day after its end. `tool` is the program that wrote it; that of a season plays its battles again.

    Keys that this program does not know are left out, so that the version that played a season can still read what a
    later server writes.
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
    modules: dict[str, FileModule] = {}
    """By the digest of their descriptions."""
    pairs: dict[str, FilePair] = {}
    """By their keys, see `archived_key`; only of entries that are revealed."""


def read_league_day(path: Path) -> LeagueDayFile:
    """Read a league-day file.

    Raises:
        InputError: it cannot be read, or is not a league-day file.
    """
    text = read_text(path, LARGEST_FILE)
    try:
        found = msgspec.json.decode(text, type=LeagueDayFile)
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
    if found.format != FORMAT or found.version != VERSION:
        raise InputError.of(str(path), "is not a league-day file of this version", f"install {found.tool}")
    return found


def _refusal_in(text: str) -> str | None:
    """What a problem of RFC 9457 says, which curl stores like any answer; None if the text is none."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
    is_problem = isinstance(found, dict) and str(found.get("type", "")).startswith("/problems/")
    return str(found.get("detail") or found.get("title")) if is_problem else None


def installed_league(season: FileSeason) -> League | None:
    """A season's league, if this program has its rules and its content."""
    try:
        league = read_league(season.league, "league")
    except InputError:
        return None
    is_same = league.rules_version == season.rules_version
    return league if is_same and content_fingerprint(league.library).hex() == season.fingerprint else None


def archived_key(season: FileSeason, match: FileMatch) -> bytes | None:
    """What the pair of a match is archived under; None while an entry of it is hidden.

    Raises:
        ValueError: a digest is not hexadecimal.
    """
    first, second = ((side.entry, side.document) for side in match.sides)
    if first[1] is None or second[1] is None:
        return None
    fingerprint, revision = bytes.fromhex(season.fingerprint), bytes.fromhex(season.revision)
    ruleset = str(season.league.get("ruleset"))
    rules = PinnedRules(ruleset, season.rules_version, fingerprint, revision, match.modifier)
    return rules.pair_key((first[0], bytes.fromhex(first[1])), (second[0], bytes.fromhex(second[1])))
