"""Verify the published file of a league-day: seeds, numbers, digests, chain and ratings.

Anybody can verify it without a server: `fracas verify --league-day FILE`. A file alone can only be compared with
itself, because whoever made it could make all of it. What somebody noted before binds it: a commitment, heads, an
earlier day.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from fracas.content.canonical import canonical_digest
from fracas.errors import FracasError, InputError
from fracas.server.arena.chain import first_head, next_head
from fracas.server.arena.day_secrets import commitment_of, match_seed
from fracas.server.arena.domain import CASUAL, RANKED, TOURNAMENT
from fracas.server.arena.drawn_bots import bots_of
from fracas.server.arena.entries import check_entry, sealed_digest
from fracas.server.arena.league import League, installed_league
from fracas.server.arena.match_player import Combatant, Leg, MatchPlayer, Rules, result_digest
from fracas.server.arena.proofs.carried_ratings import CarriedRatings
from fracas.server.arena.proofs.day_file import (
    Differs,
    FileLeg,
    FileMatch,
    FileSeason,
    FileSide,
    LeagueDayFile,
    chained_of,
    read_league_day,
    same,
    season_of,
)
from fracas.server.arena.ratings import Rating, after_match, model_version
from fracas.version import RELEASE

# Days from the start of a tournament to its last match: a round robin of 64 has 63 rounds, a day apart at most.
LONGEST_EVENT = 92
UNBOUND = (
    "not bound by the chain: whose account an id is and who is a bot, times, the releases that the file names, when a "
    "tournament began, and the reasons and rounds of battles that were not played"
)


@dataclass(frozen=True)
class Noted:
    """What somebody noted before the day's file was published."""

    commitment: str | None = None
    """The day's commitment, noted before the day began: 64 hex digits."""
    heads: Mapping[int, str] = field(default_factory=dict)
    """Heads of the day's chain by the number of the match before them."""
    previous: Sequence[LeagueDayFile] = ()
    """Files of earlier days of the league, whose ratings carry over."""

    def __bool__(self) -> bool:
        return self.commitment is not None or bool(self.heads) or bool(self.previous)


NOTHING_NOTED = Noted()


@dataclass
class DayVerification:
    """The result of verifying a league-day."""

    file: str
    league: str
    day: str
    difference: str = ""
    """The first thing that differs; empty if nothing does."""
    obstacles: list[str] = field(default_factory=list)
    """Why it is not verified, although nothing differs."""
    against: list[str] = field(default_factory=list)
    """What was noted before and fits; with nothing, the file was compared with itself only."""
    matches_checked: int = 0
    """Matches whose number, seed, result and chain were recomputed."""
    replayed: int = 0
    """Matches that were played again."""
    hidden: int = 0
    """Matches with an entry that is not revealed yet, so that they could not be played again."""
    of_other_rules: int = 0
    """Matches of rules or content that are not installed, so that they could not be played again."""
    ratings_checked: int = 0
    """Changes of ratings that were recomputed."""
    notes: list[str] = field(default_factory=list)
    """What remains to be believed."""

    @property
    def matches(self) -> bool:
        """Whether everything that could be recomputed equals the file."""
        return not self.difference

    @property
    def is_verified(self) -> bool:
        """Whether all of it was recomputed and equals the file."""
        return self.matches and not self.obstacles

    @property
    def verdict(self) -> str:
        """The result as words."""
        if self.difference:
            return f"DIFFERS: {self.difference}"
        if self.obstacles:
            return "; ".join(self.obstacles)
        return f"verified against {' and '.join(self.against) or 'itself only'}"

    def as_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {**vars(self), "matches": self.matches, "verified": self.is_verified, "verdict": self.verdict}


def verify_league_day(path: Path, noted: Noted = NOTHING_NOTED) -> DayVerification:
    """Recompute all seeds, numbers, digests, the chain and the ratings of a league-day, and play its matches again.

    Raises:
        InputError: the file cannot be read, is not a league-day file, or is of another format; a previous day is not an
            earlier one of the same league.
    """
    return verify_document(read_league_day(path), str(path), noted)


def verify_document(document: LeagueDayFile, where: str, noted: Noted = NOTHING_NOTED) -> DayVerification:
    """Recompute everything in a league-day; `difference` names the first thing that differs.

    Raises:
        InputError: a previous day is not an earlier one of the same league.
    """
    verification = DayVerification(where, document.league, document.day)
    ratings = CarriedRatings()
    previous = sorted(noted.previous, key=lambda each: each.day)
    for each in previous:
        if each.league != document.league or each.day >= document.day:
            message = f"is {each.league}, {each.day}, and no earlier day of {document.league} than {document.day}"
            raise InputError.of("--previous", message, "name files of earlier days of the same league")
    for each in previous:
        if difference := _difference(_Walk(each, DayVerification("", each.league, each.day), ratings), each.matches):
            verification.difference = f"the previous day {each.day}: {difference}"
            return verification
    ratings.believed.clear()
    walk = _Walk(document, verification, ratings, _Player(document, verification), noted)
    verification.difference = _difference(walk, document.matches)
    return verification


def follow_chain(document: LeagueDayFile, matches: Iterable[FileMatch], ratings: CarriedRatings) -> str:
    """Recompute seeds, numbers, digests, chain and ratings of a day of any format; nothing is played again.

    `matches` are taken one after the other, for days that do not fit in memory, and `ratings` are those of the days
    before. This is the server's own check.

    Returns:
        The first thing that differs; empty if nothing does.
    """
    return _difference(_Walk(document, DayVerification("", document.league, document.day), ratings), matches)


def _difference(walk: _Walk, matches: Iterable[FileMatch]) -> str:
    """The first thing that differs in a day; empty if nothing does."""
    try:
        walk.verify(matches)
    except Differs as difference:
        return str(difference)
    except (ValueError, OverflowError) as error:
        return f"a value is not hexadecimal, not a number or not a day: {error}"
    return ""


class _Walk:
    """Walks through a league-day in the order of its matches."""

    def __init__(
        self,
        document: LeagueDayFile,
        verification: DayVerification,
        ratings: CarriedRatings,
        player: _Player | None = None,
        noted: Noted = NOTHING_NOTED,
    ) -> None:
        self.document = document
        self.found = verification
        self.ratings = ratings
        self.player = player
        self.noted = noted
        self.can_rate = importlib.util.find_spec("openskill") is not None
        self.models: set[str] = set()
        """Rating models of matches whose ratings were not recomputed."""

    def verify(self, matches: Iterable[FileMatch]) -> None:
        """Check everything.

        Raises:
            Differs: at the first thing that differs.
            ValueError: a value is not hexadecimal, or not a day.
        """
        document = self.document
        self.ratings.next_day(document.day)
        for season, pinned in document.seasons.items():
            same(f"the revision of season {season}", pinned.revision, canonical_digest(pinned.league).hex())
        for digest, entry in document.documents.items():
            same(f"the digest of entry {digest[:12]}", digest, canonical_digest(entry).hex())
        commitment = commitment_of(bytes.fromhex(document.secret), document.league, document.day)
        same("the commitment of the day's secret", document.commitment, commitment.hex())
        if self.noted.commitment is not None:
            _as_noted("the commitment", document.commitment, self.noted.commitment)
        if self.player is not None:
            self.player.check_seasons()
        head = first_head(document.version, commitment, document.league, document.day)
        wanted = {noted.number for noted in document.heads} | self.noted.heads.keys()
        chain, count = {0: head.hex()}, 0
        for count, match in enumerate(matches, 1):
            same(f"the number of the {count}. match", match.number, count)
            head = self._match(match, head)
            if count in wanted:
                chain[count] = head.hex()
            self.found.matches_checked += 1
        same("the number of matches", document.last_number, count)
        same("the head of the chain", document.head, head.hex())
        for published in document.heads:
            same(f"the head published after match {published.number}", published.head, chain.get(published.number))
        for number, noted in sorted(self.noted.heads.items()):
            if number not in chain:
                raise Differs(f"you noted a head after match {number}, and the file ends with match {count}")
            _as_noted(f"the head after match {number}", chain[number], noted)
        if self.player is not None:
            self._conclude()

    def _match(self, match: FileMatch, previous: bytes) -> bytes:
        """Check a match; return the head of the chain after it."""
        name = f"match {match.number}"
        season = season_of(self.document, match)
        if season is None:
            raise Differs(f"{name}: the file lacks season {match.season}")
        for number, side in enumerate(match.sides, 1):
            self._check_seal(side, f"{name}: the sealed digest of place {number}")
        chained = chained_of(self.document, match, season)
        same(f"{name}: the seed", match.seed, match_seed(bytes.fromhex(self.document.secret), chained.inputs))
        self._check_legs(match, name)
        if self.player is not None:
            self.player.check(match, name)
        self.ratings.check(match, name)
        self._recompute_ratings(match, season, name)
        head = next_head(self.document.version, previous, chained)
        same(f"{name}: the chain", match.chain, head.hex())
        return head

    def _check_seal(self, side: FileSide, what: str) -> None:
        if side.document is None and side.salt is None:
            return
        if side.document is None or side.salt is None:
            raise Differs(f"{what}: the file has only one of the entry and the salt that sealed it")
        if side.document not in self.document.documents:
            raise Differs(f"{what}: the file lacks the entry {side.document[:12]}")
        sealed = sealed_digest(bytes.fromhex(side.salt), bytes.fromhex(side.document))
        same(what, side.sealed_digest, sealed.hex())

    def _check_legs(self, match: FileMatch, name: str) -> None:
        first = sum(leg.result for leg in match.legs)
        same(f"{name}: the score", match.score, (first, 2 * len(match.legs) - first))
        digest = result_digest((leg.result, bytes.fromhex(leg.digest)) for leg in match.legs)
        same(f"{name}: the digest of its result", match.result_digest, digest.hex())

    def _recompute_ratings(self, match: FileMatch, season: FileSeason, name: str) -> None:
        """Check that ratings change as the model says."""
        one, other = match.sides
        if one.before is None or other.before is None or not (one.rated or other.rated):
            return
        if not self.can_rate or season.rating_model != model_version():
            self.models.add(season.rating_model)
            return
        after = after_match(Rating.of_hex(*one.before), Rating.of_hex(*other.before), match.score)
        for number, (side, rating) in enumerate(zip(match.sides, after, strict=True), 1):
            if side.rated:
                same(f"{name}: the rating of place {number} afterwards", side.after, rating.as_hex())
                self.found.ratings_checked += 1

    def _conclude(self) -> None:
        """Say what was not checked, and what the file was checked against."""
        found, noted, believed = self.found, self.noted, len(self.ratings.believed)
        found.obstacles += self._obstacles()
        if self.models:
            need = ", ".join(sorted(self.models)) if self.can_rate else "pip install 'fracas[server]'"
            found.obstacles.append(f"not verified: ratings could not be computed again: {need}")
        if noted.previous and believed:
            found.obstacles.append(
                f"not verified: {believed} accounts have a rating from before the previous days; give more of them"
            )
        if noted.commitment is not None:
            found.against.append("the noted commitment")
        else:
            found.notes.append("no commitment was noted: another secret, drawn after the day, would not show")
        if noted.heads:
            last = max(noted.heads)
            found.against.append(f"{len(noted.heads)} noted heads" if len(noted.heads) > 1 else "a noted head")
            if last < found.matches_checked:
                found.notes.append(f"the noted heads bind matches 1 to {last} of {found.matches_checked}")
        else:
            found.notes.append("no head was noted: a match dropped, added or rated otherwise would not show")
        if noted.previous:
            days = [each.day for each in noted.previous]
            found.against.append(f"the ratings of {min(days)}" + (f" to {max(days)}" if len(days) > 1 else ""))
        elif believed:
            found.notes.append(f"no previous day was given: the first ratings of {believed} accounts are believed")
        found.notes.append(UNBOUND)

    def _obstacles(self) -> Iterator[str]:
        found, player = self.found, self.player
        if player is not None:
            yield from player.older()
            yield from player.strange_bots
        if found.hidden:
            total = found.matches_checked
            hint = "an entry of each is hidden until the season ends"
            yield f"not verified: {found.hidden} of {total} matches could not be played: {hint}"
        if not found.matches_checked and not self.noted.heads:
            yield "not verified: the file has no match, and no noted head says that there was none"


class _Player:
    """Plays the matches of a day again, and checks them against the rules of their leagues."""

    def __init__(self, document: LeagueDayFile, verification: DayVerification) -> None:
        self.document = document
        self.found = verification
        self.player = MatchPlayer()
        self.leagues = {
            name: installed_league(season.league, season.rules_version, season.fingerprint)
            for name, season in document.seasons.items()
        }
        self.fit: set[tuple[int, str]] = set()
        """The season and digest of each entry that its league accepts."""
        self.modifiers: dict[str, set[str]] = {}
        self.strange_bots: list[str] = []
        """What is said of unrated rivals that have the rating of no known bot."""
        self.bots = {
            name: {bot.rating.as_hex() for bot in bots_of(league)} if league is not None else set()
            for name, league in self.leagues.items()
        }

    def check_seasons(self) -> None:
        """Check what the seasons pin.

        Raises:
            Differs: the file names this very release, which does not know it; or the league is another one.
        """
        for name, season in self.document.seasons.items():
            same(f"the league of season {name}", season.league.get("id"), self.document.league)
            if self.leagues[name] is None and season.tool == RELEASE:
                pinned = f"rules {season.rules_version} and content {season.fingerprint[:12]}…"
                raise Differs(
                    f"season {name} pins {pinned}, which {RELEASE} does not have, the release that the file names"
                )

    def older(self) -> Iterator[str]:
        """What the matches of other rules need."""
        if not self.found.of_other_rules:
            return
        for season in {(each.rules_version, each.revision): each for each in self._older_seasons()}.values():
            remedy = f"{season.tool} verifies it" if season.tool else "the file does not say which release verifies it"
            rules = season.league.get("rules")
            of_game = "" if rules is None else f" ({str(rules)[:12]}) of {season.league.get('ruleset')}"
            yield f"not verified here: made by rules {season.rules_version}{of_game}; {remedy}"
        if self.found.of_other_rules < self.found.matches_checked:
            count, total = self.found.of_other_rules, self.found.matches_checked
            yield f"not verified: {count} of {total} matches could not be played"

    def _older_seasons(self) -> Iterator[FileSeason]:
        yield from (season for name, season in self.document.seasons.items() if self.leagues[name] is None)

    def check(self, match: FileMatch, name: str) -> None:
        """Play a match again, if its rules are installed and both entries are revealed.

        Raises:
            Differs: it ends otherwise, or contradicts its league.
        """
        league = self.leagues[str(match.season)]
        if league is None:
            self.found.of_other_rules += 1
            return
        self._check_league(match, league, name)
        first, second = (
            self._combatant(side, match.season, league, f"{name}: place {number}")
            for number, side in enumerate(match.sides, 1)
        )
        if first is None or second is None:
            if not league.hides_entries:
                raise Differs(f"{name}: an entry is hidden, and the league reveals entries after a match")
            self.found.hidden += 1
            return
        try:
            result = self.player.play(Rules(league, match.modifier), first, second, match.seed)
        except FracasError as error:
            raise Differs(f"{name}: cannot be played again: {error}") from None
        self._compare(match, result.legs, name)
        self.found.replayed += 1

    def _check_league(self, match: FileMatch, league: League, name: str) -> None:
        """Check what follows from the league of a match."""
        if match.kind == TOURNAMENT:
            # Taken when the tournament began, which the file does not say.
            if match.modifier not in self._recent_modifiers(league):
                raise Differs(f"{name}: its league has not had the modifier {match.modifier} for {LONGEST_EVENT} days")
        else:
            same(f"{name}: its kind", match.kind, RANKED if league.is_ranked else CASUAL)
            same(f"{name}: its modifier", match.modifier, league.modifier_at(date.fromisoformat(self.document.day)))
        same(f"{name}: the number of legs", len(match.legs), league.file.legs)
        rated = [side.rated for side in match.sides]
        if any(rated) and not league.is_ranked:
            raise Differs(f"{name}: a side is rated in a league without ratings")
        # Only a bot's rating stays when its rival's changes.
        if any(rated) and not all(rated):
            index = rated.index(False)
            if match.sides[index].before not in self.bots[str(match.season)]:
                known = f"the rating of no bot of {league.id} in {RELEASE}"
                self.strange_bots.append(f"not verified: {name}: place {index + 1} is unrated and has {known}")

    def _recent_modifiers(self, league: League) -> set[str]:
        """The modifiers that a tournament which still runs on the day can have taken."""
        if league.id not in self.modifiers:
            day = date.fromisoformat(self.document.day)
            weeks = range(0, LONGEST_EVENT + 7, 7)
            self.modifiers[league.id] = {league.modifier_at(day - timedelta(days=back)) for back in weeks}
        return self.modifiers[league.id]

    def _compare(self, match: FileMatch, legs: Sequence[Leg], name: str) -> None:
        played = [FileLeg(leg.result, leg.reason, leg.rounds, leg.digest.hex()) for leg in legs]
        for number, (stored, again) in enumerate(zip(match.legs, played, strict=True)):
            same(f"{name}: leg {number}", stored, again)

    def _combatant(self, side: FileSide, season: int, league: League, where: str) -> Combatant | None:
        """A side with its revealed entry; None while it is hidden.

        Raises:
            Differs: the league refuses the entry, so a server that follows its rules never accepted it.
        """
        if side.document is None:
            return None
        document = self.document.documents[side.document]
        if (season, side.document) not in self.fit:
            try:
                check_entry(league, document)
            except InputError as error:
                problems = "; ".join(map(str, error.problems))
                raise Differs(f"{where}: its league refuses the entry: {problems}") from None
            self.fit.add((season, side.document))
        return Combatant(side.entry, document, bytes.fromhex(side.document))


def _as_noted(what: str, stored: str, noted: str) -> None:
    """Compare a value of the file with the one that somebody noted.

    Raises:
        Differs: they differ.
    """
    if stored != noted.lower():
        raise Differs(f"{what} differs: you noted {noted.lower()}, the file says {stored}")


def render(verification: DayVerification) -> Iterator[str]:
    """The result as lines of text."""
    yield f"{verification.file}: {verification.league}, {verification.day}: {verification.verdict}"
    counts: Mapping[str, int] = {
        "matches checked": verification.matches_checked,
        "played again": verification.replayed,
        "ratings recomputed": verification.ratings_checked,
    }
    yield "  " + ", ".join(f"{count:,} {what}" for what, count in counts.items())
    yield from (f"  {note}" for note in verification.notes)
