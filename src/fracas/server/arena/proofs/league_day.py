"""Verify the published file of a league-day: seeds, numbers, digests, chain and ratings.

Anybody can verify it without a server: `fracas verify --league-day FILE`. Only recomputing ratings needs openskill.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from blake3 import blake3

from fracas.content.canonical import canonical_bytes
from fracas.errors import FracasError
from fracas.portable.archived_module import ArchiveFault, can_play
from fracas.server.arena.archive.contents import StoredPair
from fracas.server.arena.archive.modules import StoredModule
from fracas.server.arena.archived_player import ArchivedPlayer
from fracas.server.arena.entries.checking import sealed_digest
from fracas.server.arena.league import League
from fracas.server.arena.match_player import Combatant, Leg, MatchPlayer, Rules
from fracas.server.arena.proofs.day_file import (
    FileLeg,
    FileMatch,
    FileModule,
    FileSeason,
    FileSide,
    LeagueDayFile,
    archived_key,
    installed_league,
    read_league_day,
)
from fracas.server.arena.ratings import Rating, after_match, model_version, with_new_version
from fracas.server.arena.secrets import SeedInputs, commitment_of, first_head, hash_fields, match_seed, next_head


class Differs(Exception):
    """The first thing that differs, as a sentence."""


@dataclass
class DayVerification:
    """The result of verifying a league-day."""

    file: str
    league: str
    day: str
    difference: str = ""
    """The first thing that differs; empty if nothing does."""
    matches_checked: int = 0
    """Matches whose number, seed, result and chain were recomputed."""
    replayed: int = 0
    """Matches that were played again by the installed rules."""
    by_module: int = 0
    """Matches of other rules that were played again by a module in the file."""
    hidden: int = 0
    """Matches with an entry that is not revealed yet, so that they could not be played again."""
    of_other_rules: int = 0
    """Matches of rules or content that are neither installed nor in the file, so that nothing could play them."""
    ratings_checked: int = 0
    """Changes of ratings that were recomputed."""
    notes: list[str] = field(default_factory=list)
    """What could not be checked, and what would be needed."""

    @property
    def matches(self) -> bool:
        """Whether everything that could be recomputed equals the file."""
        return not self.difference

    def as_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {**vars(self), "matches": self.matches}


def verify_league_day(path: Path) -> DayVerification:
    """Recompute all seeds, numbers, digests, the chain and the ratings of a league-day.

    Raises:
        InputError: the file cannot be read, or is not a league-day file.
    """
    return verify_document(read_league_day(path), str(path))


def verify_document(document: LeagueDayFile, where: str, matches: Iterable[FileMatch] | None = None) -> DayVerification:
    """Recompute everything in a league-day; `difference` names the first thing that differs.

    `matches` are taken one after the other instead of those of the document, for days that do not fit in memory.
    """
    found = DayVerification(where, document.league, document.day)
    try:
        _Verifier(document, found).verify(document.matches if matches is None else matches)
    except Differs as difference:
        found.difference = str(difference)
    except ValueError as error:
        found.difference = f"a value is not hexadecimal, or not a number: {error}"
    return found


class _Verifier:
    """Walks through a league-day in the order of its matches."""

    def __init__(self, document: LeagueDayFile, found: DayVerification) -> None:
        self.document = document
        self.found = found
        self.player = MatchPlayer()
        self.leagues = {name: installed_league(season) for name, season in document.seasons.items()}
        self.last: dict[tuple[int, str], tuple[int, Rating, str, int]] = {}
        self.modules: dict[str, FileModule] = {}
        self.can_play_archived = can_play() and importlib.util.find_spec("zstandard") is not None
        self.can_rate = importlib.util.find_spec("openskill") is not None

    def verify(self, matches: Iterable[FileMatch]) -> None:
        """Check everything.

        Raises:
            Differs: at the first thing that differs.
        """
        document = self.document
        for season, pinned in document.seasons.items():
            _same(f"the revision of season {season}", pinned.revision, _digest(pinned.league).hex())
        for digest, entry in document.documents.items():
            _same(f"the digest of entry {digest[:12]}", digest, _digest(entry).hex())
        commitment = commitment_of(bytes.fromhex(document.secret), document.league, document.day)
        _same("the commitment of the day's secret", document.commitment, commitment.hex())
        head = first_head(commitment, document.league, document.day)
        published = {noted.number for noted in document.heads}
        chain, place = {0: head.hex()}, 0
        for place, match in enumerate(matches, 1):
            _same(f"the number of the {place}. match", match.number, place)
            head = self._match(match, head)
            if place in published:
                chain[place] = head.hex()
            self.found.matches_checked += 1
        _same("the number of matches", document.last_number, place)
        _same("the head of the chain", document.head, head.hex())
        for noted in document.heads:
            _same(f"the head published after match {noted.number}", noted.head, chain.get(noted.number))
        self._note()

    def _match(self, match: FileMatch, previous: bytes) -> bytes:
        """Check a match; return the head of the chain after it."""
        name = f"match {match.number}"
        digests, salts = [], []
        for place, side in enumerate(match.sides, 1):
            self._check_seal(side, f"{name}: the sealed digest of place {place}")
            digests.append(bytes.fromhex(side.sealed_digest))
            salts.append(bytes.fromhex(side.ticket_salt))
        inputs = SeedInputs(
            self.document.league, self.document.day, match.number, (digests[0], digests[1]), (salts[0], salts[1])
        )
        _same(f"{name}: the seed", match.seed, match_seed(bytes.fromhex(self.document.secret), inputs))
        self._check_legs(match, name)
        self._replay(match, name)
        self._check_ratings(match, name)
        head = next_head(previous, inputs, bytes.fromhex(match.result_digest))
        _same(f"{name}: the chain", match.chain, head.hex())
        return head

    def _check_seal(self, side: FileSide, what: str) -> None:
        if side.document is None and side.salt is None:
            return
        if side.document is None or side.salt is None:
            raise Differs(f"{what}: the file has only one of the entry and the salt that sealed it")
        if side.document not in self.document.documents:
            raise Differs(f"{what}: the file lacks the entry {side.document[:12]}")
        sealed = sealed_digest(bytes.fromhex(side.salt), bytes.fromhex(side.document))
        _same(what, side.sealed_digest, sealed.hex())

    def _check_legs(self, match: FileMatch, name: str) -> None:
        first = sum(leg.result for leg in match.legs)
        _same(f"{name}: the score", match.score, (first, 2 * len(match.legs) - first))
        parts = (part for leg in match.legs for part in (leg.result, bytes.fromhex(leg.digest)))
        _same(
            f"{name}: the digest of its result", match.result_digest, hash_fields("fracas match result", *parts).hex()
        )

    def _replay(self, match: FileMatch, name: str) -> None:
        """Play a match again, if both entries are revealed and its rules are installed."""
        combatants = [self._combatant(side) for side in match.sides]
        if None in combatants:
            self.found.hidden += 1
            return
        league = self._league(match)
        first, second = (each for each in combatants if each is not None)
        try:
            if league is not None:
                result = self.player.play(Rules(league, match.modifier), first, second, match.seed)
                self._compare(match, result.legs, name)
                self.found.replayed += 1
                return
            archived = self._archived(match, first, second)
            if archived is None:
                self.found.of_other_rules += 1
                return
            self._compare(match, [archived.play(match.seed, number) for number in range(len(match.legs))], name)
            self.found.by_module += 1
        except FracasError as error:
            raise Differs(f"{name}: cannot be played again: {error}") from None

    def _compare(self, match: FileMatch, legs: Sequence[Leg], name: str) -> None:
        played = [FileLeg(leg.result, leg.reason, leg.rounds, leg.digest.hex()) for leg in legs]
        for number, (stored, again) in enumerate(zip(match.legs, played, strict=False)):
            _same(f"{name}: leg {number}", stored, again)
        _same(f"{name}: the number of legs", len(match.legs), len(played))

    def _archived(self, match: FileMatch, first: Combatant, second: Combatant) -> ArchivedPlayer | None:
        """What plays a match of older rules; None if the file does not have it, or what it needs is not installed.

        Raises:
            ArchiveFault: what the file has is damaged, or of other rules than the season's.
        """
        season = self.document.seasons[str(match.season)]
        key = archived_key(season, match)
        pair = None if key is None else self.document.pairs.get(key.hex())
        module = None if pair is None else self.document.modules.get(pair.module)
        if not self.can_play_archived or key is None or pair is None or module is None:
            return None
        if (module.ruleset, module.rules_version) != (season.league.get("ruleset"), season.rules_version):
            raise ArchiveFault("its module is of other rules than its season")
        self.modules[pair.module] = module
        digest = bytes.fromhex(pair.module)
        parts = module.ruleset, module.rules_version, module.layout_key, module.tool, module.description, module.module
        stored = StoredPair(key, digest, bytes.fromhex(pair.digest), pair.content)
        return ArchivedPlayer(StoredModule(digest, *parts), stored, first.side, second.side)

    def _combatant(self, side: FileSide) -> Combatant | None:
        if side.document is None:
            return None
        return Combatant(side.entry, self.document.documents[side.document], bytes.fromhex(side.document))

    def _league(self, match: FileMatch) -> League | None:
        if str(match.season) not in self.leagues:
            raise Differs(f"match {match.number}: the file lacks season {match.season}")
        return self.leagues[str(match.season)]

    def _check_ratings(self, match: FileMatch, name: str) -> None:
        """Check that each rating begins where the account's last match left it, and changes as the model says."""
        rated = [side for side in match.sides if side.rated]
        if not rated:
            return
        before = [_rating(side.before, name) for side in match.sides]
        for side, rating in zip(match.sides, before, strict=True):
            if side.rated:
                self._check_start(match, side, rating, name)
        if not self.can_rate or self.document.seasons[str(match.season)].rating_model != model_version():
            return
        after = after_match(before[0], before[1], match.score)
        for place, (side, rating) in enumerate(zip(match.sides, after, strict=True), 1):
            if side.rated:
                _same(f"{name}: the rating of place {place} afterwards", side.after, rating.as_hex())
                self.found.ratings_checked += 1

    def _check_start(self, match: FileMatch, side: FileSide, rating: Rating, name: str) -> None:
        if side.n is None or side.after is None:
            raise Differs(f"{name}: a rated side has no number or no rating")
        key = match.season, side.account
        known = self.last.get(key)
        if known is not None:
            number, last, entry, version = known
            is_new = (entry, version) != (side.entry, side.version)
            expected = with_new_version(last) if is_new else last
            _same(f"{name}: the number of a rated match of {side.entry}", side.n, number + 1)
            _same(f"{name}: the rating of {side.entry} before it", side.before, expected.as_hex())
        self.last[key] = side.n, Rating.of_hex(*side.after), side.entry, side.version

    def _note(self) -> None:
        found = self.found
        if found.hidden:
            found.notes.append(f"{found.hidden} matches have an entry that is hidden until the season ends")
        if found.of_other_rules:
            tools = sorted({season.tool for season in self._older() if season.tool is not None})
            remedy = f": install {' or '.join(tools)}" if tools else ""
            found.notes.append(f"{found.of_other_rules} matches need other rules{remedy}")
            if self.document.pairs and not self.can_play_archived:
                found.notes.append("the file has modules that play them: pip install 'fracas[server]'")
        if found.by_module:
            names = ", ".join(f"{digest[:12]} of {module.tool}" for digest, module in sorted(self.modules.items()))
            found.notes.append(
                f"{found.by_module} matches were played by modules in the file ({names}); that those are the rules and "
                "the battles are the entries', only that version can show"
            )
        models = {season.rating_model for season in self.document.seasons.values()}
        if not self.can_rate:
            found.notes.append("ratings were not recomputed: pip install 'fracas[server]'")
        elif models - {model_version()}:
            found.notes.append(f"ratings were not recomputed: they need {', '.join(sorted(models))}")

    def _older(self) -> Iterator[FileSeason]:
        """The seasons whose rules are not installed."""
        yield from (season for name, season in self.document.seasons.items() if self.leagues[name] is None)


def _rating(stored: tuple[str, str] | None, name: str) -> Rating:
    if stored is None:
        raise Differs(f"{name}: a side of a rated match has no rating")
    return Rating.of_hex(*stored)


def _digest(document: Any) -> bytes:
    return blake3(canonical_bytes(document)).digest()


def _same(what: str, stored: Any, computed: Any) -> None:
    """Compare a value of the file with the recomputed one.

    Raises:
        Differs: they differ.
    """
    if stored != computed:
        raise Differs(f"{what} differs: the file says {_short(stored)}, recomputed is {_short(computed)}")


def _short(value: Any) -> str:
    text = str(msgspec.to_builtins(value))
    return text if len(text) <= 100 else f"{text[:97]}..."


def render(found: DayVerification) -> Iterator[str]:
    """The result as lines of text."""
    verdict = "verified" if found.matches else f"DIFFERS: {found.difference}"
    yield f"{found.file}: {found.league}, {found.day}: {verdict}"
    counts: Mapping[str, int] = {
        "matches checked": found.matches_checked,
        "played again": found.replayed,
        **({"played by their module": found.by_module} if found.by_module else {}),
        "ratings recomputed": found.ratings_checked,
    }
    yield "  " + ", ".join(f"{count:,} {what}" for what, count in counts.items())
    yield from (f"  {note}" for note in found.notes)
