"""Leagues: the rules under which entries fight, as TOML files.

The shipped ones are in `data/leagues`; `fracas serve --leagues FOLDER` serves those of a folder instead. A league's
revision is a hash of its document, so that a season and a match can say under which rules they were made.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from fracas.content.canonical import canonical, canonical_bytes, canonical_digest
from fracas.content.packs import Library, plain_entry
from fracas.content.references import to_plain
from fracas.content.validate import Model, validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest, quoted
from fracas.files.read import read_document
from fracas.kit import load
from fracas.player_entries.checking import NO_MODIFIER, EntryGround
from fracas.rulesets import registry
from fracas.rulesets.contract.player_entries import EntryKind
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.version import RELEASE

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
Title = Annotated[str, Field(min_length=1, max_length=80)]
Price = Annotated[int, Field(ge=0, le=10_000)]

DEFAULT = "default"
WEEKLY = "weekly"
SHIPPED = Path(__file__).parents[2] / "data" / "leagues"
MOST_LEAGUES = 100


class Size(Model):
    """How many pieces an entry has."""

    least: Annotated[int, Field(ge=0, le=100)] = 1
    most: Annotated[int, Field(ge=1, le=100)]

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if self.least > self.most:
            raise ValueError(f"least {self.least} is above most {self.most}")
        return self


class LeagueFile(Model):
    """A league file."""

    id: Id
    title: Title
    note: Annotated[str, Field(max_length=2000)] = ""
    ruleset: str
    """A shipped ruleset, or a game of an installed package that the server's operator has listed."""
    rules: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    """The rules hash of a game, which the server fills in: with other rules it is another league. Absent for shipped
    rulesets, whose version says it."""
    profile: Id | None = None
    """The profile that gives the rule options. Absent means the ruleset's default."""
    mode: Literal["ranked", "casual"] = "ranked"
    modifier: Id = NO_MODIFIER
    """none; the id of an environment modifier; or weekly, which takes the week's modifier from Monday 00:00 UTC on."""
    size: Size
    points: Annotated[int, Field(ge=0, le=1_000_000)]
    """The budget of an entry: its prices add up to at most this."""
    max_copies: Annotated[int, Field(ge=1, le=100)]
    """How often an entry may name the same id."""
    banned: Annotated[list[Id], Field(max_length=1000)] = []
    """Ids that no entry may name."""
    price: Annotated[dict[Id, Price], Field(max_length=2000)] = {}
    """The price of each id; `default` is the price of all others."""
    season_days: Annotated[int, Field(ge=1, le=366)] = 28
    rating: Literal["openskill BradleyTerryFull"] = "openskill BradleyTerryFull"
    legs: Annotated[int, Field(ge=2, le=20, multiple_of=2)] = 2
    """Battles per match; every second one is fought with swapped sides."""
    reveal: Literal["after_match", "season_end"] = "after_match"
    """When others may read an entry: after the version's first match, or when the season ends."""
    matches_per_day: Annotated[int, Field(ge=1, le=1000)] = 48
    """How many matches a standing entry fights in a day (UTC)."""
    window: Annotated[int, Field(ge=1, le=10_000)] = 100
    """The difference of shown ratings that two entries may have at first."""
    widening: Annotated[int, Field(ge=0, le=10_000)] = 100
    """By how much the window widens for each minute that an entry waits."""
    bots: Id | None = None
    """The folder of its bots in `data/bots`. Absent means its id."""
    bot_after: Annotated[int, Field(ge=0, le=86_400)] = 60
    """After how many seconds of waiting an entry may meet a bot."""


@dataclass(frozen=True)
class League:
    """A league, checked against the content that it prices."""

    file: LeagueFile

    @property
    def id(self) -> str:
        """The league's id."""
        return self.file.id

    @property
    def is_ranked(self) -> bool:
        """Whether its matches change ratings."""
        return self.file.mode == "ranked"

    @property
    def hides_entries(self) -> bool:
        """Whether entries stay hidden until the season ends; else the first match of a version reveals it."""
        return self.file.reveal == "season_end"

    @cached_property
    def ruleset(self) -> Ruleset:
        """The ruleset whose battles it plays."""
        return registry.get(self.file.ruleset)

    @cached_property
    def ground(self) -> EntryGround:
        """What its entries are checked on."""
        return EntryGround(self.file.ruleset, self.profile, self.id)

    @property
    def kind(self) -> EntryKind:
        """The kind of its entries."""
        return self.ground.kind

    @property
    def profile(self) -> str:
        """The profile that gives the rule options."""
        return self.file.profile or self.ruleset.default_profile

    @property
    def tool(self) -> str:
        """What plays it, as pip takes it: this release, and the package of a game."""
        return f"{RELEASE} {load.package_of(self.file.ruleset)}".strip() if self.is_of_a_game else RELEASE

    @property
    def is_of_a_game(self) -> bool:
        """Whether it plays a game of an installed package."""
        return self.file.ruleset not in registry.NAMES

    @property
    def rules_version(self) -> int:
        """The version of the ruleset's rules in this program."""
        return self.ruleset.rules_version

    @property
    def library(self) -> Library:
        """The content that its entries may name."""
        return self.ground.library

    @cached_property
    def document(self) -> dict[str, Any]:
        """The league as plain values, in canonical order."""
        plain: dict[str, Any] = canonical(to_plain(self.file))
        return plain

    @cached_property
    def revision(self) -> bytes:
        """blake3 of the league's document, 32 bytes."""
        return canonical_digest(self.document)

    @cached_property
    def fingerprint(self) -> bytes:
        """blake3 of the content that its entries may name, without its notes, 32 bytes."""
        return canonical_digest(
            {
                kind: {name: {**plain_entry(entry), "note": ""} for name, entry in entries.items()}
                for kind, entries in self.library.entries.items()
            }
        )

    def price(self, identifier: str) -> int:
        """The price of an id of the content."""
        prices = self.file.price
        return prices.get(identifier, prices.get(DEFAULT, 0))

    def modifier_at(self, day: datetime.date) -> str:
        """The environment modifier of a day (UTC) by id; `none` if there is none."""
        if self.file.modifier != WEEKLY:
            return self.file.modifier
        entry = self.ruleset.calendar(day, 1)[0][1]
        return NO_MODIFIER if entry is None else str(entry.id)


def read_league(document: Mapping[str, Any], where: str) -> League:
    """A league of plain values.

    Raises:
        InputError: everything that is wrong with it, ids that the content does not have among it.
    """
    league = _with_rules(League(validate(LeagueFile, dict(document), where)), where)
    try:
        library = league.library
    except InputError as error:
        raise InputError(
            Problem(f"{where}: {_key(each)}", each.message, each.suggestion) for each in error.problems
        ) from None
    problems = list(_unknown(league, library, where))
    if problems:
        raise InputError(problems)
    return league


def _with_rules(league: League, where: str) -> League:
    """A league whose file has the hash of the rules that are installed.

    Raises:
        InputError: it names other rules, or there is no such ruleset.
    """
    try:
        ruleset = league.ruleset
    except InputError as error:
        raise InputError(
            Problem(f"{where}: ruleset", each.message, each.suggestion) for each in error.problems
        ) from None
    installed = ruleset.rules_hash if league.is_of_a_game else None
    if league.file.rules is not None and league.file.rules != installed:
        raise InputError.of(
            f"{where}: rules", f"are not the rules of {ruleset.name} here: {installed or 'it has none'}"
        )
    return league if installed is None else League(league.file.model_copy(update={"rules": installed}))


def installed_league(document: Mapping[str, Any], rules_version: int, fingerprint: str) -> League | None:
    """A stored league; None if this program does not have its rules or its content.

    Args:
        document: the league's document.
        rules_version: that of the rules it was played by.
        fingerprint: that of the content, as hex digits.
    """
    try:
        league = _stored_league(canonical_bytes(document))
    except InputError:
        # The content that it prices is gone.
        return None
    is_same = league.rules_version == rules_version and league.fingerprint.hex() == fingerprint
    return league if is_same else None


@lru_cache(maxsize=64)
def _stored_league(document: bytes) -> League:
    """A stored league; kept, because reading it loads its content."""
    return read_league(json.loads(document), "league")


def _key(problem: Problem) -> str:
    return "profile" if "profile" in problem.message else "ruleset"


def _unknown(league: League, library: Library, where: str) -> list[Problem]:
    """The ids that the content does not have."""
    known, what = league.kind.known(library), league.kind.what
    named = [("price", name) for name in league.file.price if name != DEFAULT]
    named += [("banned", name) for name in league.file.banned]
    problems = [
        Problem(f"{where}: {key}.{name}", f"there is no {what} {quoted(name)}", nearest(name, known))
        for key, name in named
        if name not in known
    ]
    modifiers = library.of("modifiers")
    if league.file.modifier not in (NO_MODIFIER, WEEKLY) and league.file.modifier not in modifiers:
        hint = nearest(league.file.modifier, [*modifiers, NO_MODIFIER, WEEKLY])
        problems.append(Problem(f"{where}: modifier", f"there is no modifier {quoted(league.file.modifier)}", hint))
    if league.file.modifier == WEEKLY and not modifiers:
        problems.append(Problem(f"{where}: modifier", f"{league.file.ruleset} has no weekly modifiers", "write none"))
    return problems


def read_leagues(folder: Path | None = None, games: Collection[str] = ()) -> dict[str, League]:
    """The leagues of a folder by id; without a folder the shipped ones.

    Args:
        folder: TOML files.
        games: the games that the operator lets leagues play; each must be of an installed package.

    Raises:
        InputError: every problem in every file.
    """
    if folder is not None and not folder.is_dir():
        raise InputError.of(
            str(folder), "is not a folder", "--leagues names a folder of TOML files, one for each league"
        )
    for name in games:
        load.installed(name, "--games")
    files = sorted((folder or SHIPPED).glob("*.toml"))
    if not files:
        raise InputError.of(str(folder), "contains no league files", "a league is a TOML file")
    found: dict[str, League] = {}
    problems: list[Problem] = []
    if len(files) > MOST_LEAGUES:
        raise InputError.of(str(folder), f"has {len(files)} league files; at most {MOST_LEAGUES} are allowed")
    for file in files:
        try:
            document = read_document(file)
            _refuse_unlisted(document.get("ruleset"), games, str(file))
            league = read_league(document, str(file))
            if league.id in found:
                raise InputError.of(f"{file}: id", f"there is another league {quoted(league.id)} in this folder")
            found[league.id] = league
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return found


def _refuse_unlisted(ruleset: Any, games: Collection[str], where: str) -> None:
    """Refuse a game that the operator has not listed, before its package is imported.

    Raises:
        InputError: it is not listed.
    """
    if isinstance(ruleset, str) and ruleset not in registry.NAMES and ruleset not in games:
        hint = nearest(ruleset, [*registry.NAMES, *games]) or f"list an installed game with --games {ruleset}"
        raise InputError.of(f"{where}: ruleset", f"there is no ruleset {quoted(ruleset)}", hint)
