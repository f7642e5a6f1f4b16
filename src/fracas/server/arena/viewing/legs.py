"""Play a leg of a stored match again: its outcome, events, story and replay, as far as the viewer may see them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import Connection

from fracas.engine.battle import Battle
from fracas.errors import InputError
from fracas.server.arena.league import League, read_league
from fracas.server.arena.match_player import Combatant, Rules, is_swapped, leg_battle, leg_seed
from fracas.server.arena.records import Missing
from fracas.server.arena.store.leagues import stored_league
from fracas.server.arena.store.matches import MatchView, SideView, match_by_id
from fracas.server.arena.viewing.archived_legs import (
    ArchivedLeg,
    OtherRules,
    archived_document,
    archived_events,
    archived_leg,
    entry_digest,
)
from fracas.server.arena.viewing.redaction import public_events, public_outcome, public_story
from fracas.server.database import documents


@dataclass(frozen=True)
class StoredLeg:
    """Everything that a leg is played from; it plays without the database."""

    match: MatchView
    no: int
    league: League
    combatants: tuple[Combatant, Combatant]
    hidden: tuple[int, ...]
    """The places that the viewer must not see into."""

    @property
    def hidden_sides(self) -> Collection[int]:
        """The sides of the battle, 1 and 2, that are hidden."""
        return {3 - place if is_swapped(self.no) else place for place in self.hidden}

    def battle(self) -> Battle:
        """The battle, played again."""
        rules = Rules(self.league, self.match.modifier)
        return leg_battle(rules, *self.combatants, self.no, self.match.seed)


def viewed_leg(connection: Connection, identifier: str, number: int, viewer: str | None) -> StoredLeg | ArchivedLeg:
    """A leg of a match, from its rules if this program has them, else from the archive.

    Raises:
        Missing: there is no such match or leg, or the viewer must not know of it.
        OtherRules: it was fought under other rules, and the archive does not have it.
    """
    found = visible_match(connection, identifier, viewer)
    if not 0 <= number < found.leg_count:
        raise Missing("leg")
    document = stored_league(connection, bytes.fromhex(found.revision))
    try:
        return _installed_leg(connection, found, number, document, viewer)
    except OtherRules:
        return archived_leg(connection, found, number, document["ruleset"], viewer)


def _installed_leg(
    connection: Connection, found: MatchView, number: int, document: Any, viewer: str | None
) -> StoredLeg:
    league = _installed_league(document, found)
    if league is None:
        raise OtherRules
    first, second = (_combatant(connection, side) for side in found.sides)
    return StoredLeg(found, number, league, (first, second), found.hidden_from(viewer))


def has_installed_rules(connection: Connection, found: MatchView) -> bool:
    """Whether a match was fought under the rules and the content of this program."""
    return _installed_league(stored_league(connection, bytes.fromhex(found.revision)), found) is not None


def _installed_league(document: Any, found: MatchView) -> League | None:
    """The league of a match as it was stored; None if its rules or its content are not the installed ones."""
    try:
        league = _league(msgspec.json.encode(document))
    except InputError:
        # The content that it prices is gone.
        return None
    is_same = league.rules_version == found.rules_version and league.fingerprint.hex() == found.fingerprint
    return league if is_same else None


def visible_match(connection: Connection, identifier: str, viewer: str | None) -> MatchView:
    """A match that the viewer may know of: a public one, or its own.

    Raises:
        Missing: there is no such match for the viewer.
    """
    found = match_by_id(connection, identifier)
    if not found.is_public and found.place_of(viewer) is None:
        raise Missing("match")
    return found


@lru_cache(maxsize=64)
def _league(document: bytes) -> League:
    """A stored league; kept, because reading it loads its content."""
    return read_league(msgspec.json.decode(document), "league")


def _combatant(connection: Connection, side: SideView) -> Combatant:
    digest = entry_digest(connection, side)
    return Combatant(side.code, documents.get(connection, digest), digest)


def leg_document(leg: StoredLeg | ArchivedLeg) -> dict[str, Any]:
    """A leg as plain values: outcome and story; the replay only if nothing is hidden from the viewer.

    Raises:
        OtherRules: the archive does not play it.
    """
    if isinstance(leg, ArchivedLeg):
        return archived_document(leg)
    battle = leg.battle()
    hidden = leg.hidden_sides
    return {
        "leg": leg.no,
        "seed": leg_seed(leg.match.seed, leg.no),
        "places": [2, 1] if is_swapped(leg.no) else [1, 2],
        "hidden_sides": sorted(hidden),
        **public_outcome(battle, hidden),
        "story": public_story(battle),
    }


def leg_events(leg: StoredLeg | ArchivedLeg) -> list[dict[str, Any]]:
    """The events of a leg; those of hidden sides without their reasons.

    Raises:
        OtherRules: the archive does not play it, or a side is hidden.
    """
    if isinstance(leg, ArchivedLeg):
        return archived_events(leg)
    return public_events(leg.battle(), leg.hidden_sides)


def installed(leg: StoredLeg | ArchivedLeg) -> StoredLeg:
    """A leg of the installed rules.

    Raises:
        OtherRules: it is of others.
    """
    if isinstance(leg, ArchivedLeg):
        raise OtherRules(leg.tool)
    return leg


def leg_replay(leg: StoredLeg | ArchivedLeg) -> Any:
    """The replay of a leg, as plain values.

    Raises:
        Missing: a side is hidden from the viewer.
        OtherRules: it is of other rules, whose documents only they can read.
    """
    leg = installed(leg)
    if leg.hidden:
        raise Missing("replay")
    return msgspec.to_builtins(leg.battle().as_replay())
