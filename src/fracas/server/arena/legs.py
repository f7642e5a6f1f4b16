"""Play a leg of a stored match again: its outcome, events, story and replay, as far as the viewer may see them.

While an entry is hidden, others see what happened, and not why. Where an event is declared, `Reasoning` flags the
columns that tell why its actor decided so. A hidden side's events lose them; an event that has nothing else is left
out. Outcome, HP and the story stay.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import Connection

from fracas.engine.battle import Battle
from fracas.kernel.event_log import COLUMNS
from fracas.kernel.event_protocol import STORY
from fracas.server.arena.league import League, installed_league
from fracas.server.arena.match_player import Combatant, Rules, is_swapped, leg_battle, leg_seed
from fracas.server.arena.refusals import Missing, OtherRules
from fracas.server.arena.seasons.season import tools_of
from fracas.server.arena.store.matches import MatchView, visible_match
from fracas.server.database import documents

_ACTOR = COLUMNS.index("actor")
# The longest name that a story is laid out with.
LONGEST_NAME = 16


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

    def peopled(self) -> StoredLeg:
        """The same leg, whose sides are called by their players' names beside the codes. It plays the same."""
        names = [f"{cut(side.account.name)} ({side.code})" for side in self.match.sides]
        first, second = (replace(each, code=name) for each, name in zip(self.combatants, names, strict=True))
        return replace(self, combatants=(first, second))

    def battle(self) -> Battle:
        """The battle, played again."""
        rules = Rules(self.league, self.match.modifier)
        return leg_battle(rules, *self.combatants, self.no, self.match.seed)


def cut(name: str) -> str:
    """A name that is not too long for a story."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def viewed_leg(connection: Connection, identifier: str, number: int, viewer: str | None) -> StoredLeg:
    """A leg of a match.

    Raises:
        Missing: there is no such match or leg, or the viewer must not know of it.
        OtherRules: it was fought under other rules.
    """
    match = visible_match(connection, identifier, viewer)
    if not 0 <= number < match.leg_count:
        raise Missing("leg")
    league = installed_rules(connection, match)
    if league is None:
        raise OtherRules(tools_of(connection, match.league).get(match.season))
    first, second = (
        Combatant(side.code, documents.get(connection, side.document), side.document) for side in match.sides
    )
    return StoredLeg(match, number, league, (first, second), match.hidden_from(viewer))


def installed_rules(connection: Connection, match: MatchView) -> League | None:
    """The league of a match as it was stored; None if its rules or its content are not those of this program."""
    document = documents.get(connection, bytes.fromhex(match.revision))
    return installed_league(document, match.rules_version, match.fingerprint)


def leg_document(leg: StoredLeg, *, with_people: bool = False) -> dict[str, Any]:
    """A leg as plain values: outcome and story; the story may call the sides by their people, too."""
    battle, hidden = (leg.peopled() if with_people else leg).battle(), leg.hidden_sides
    return {
        "leg": leg.no,
        "seed": leg_seed(leg.match.seed, leg.no),
        "places": [2, 1] if is_swapped(leg.no) else [1, 2],
        "hidden_sides": sorted(hidden),
        **public_outcome(battle, hidden),
        "story": battle.story(STORY),
    }


def leg_events(leg: StoredLeg) -> list[dict[str, Any]]:
    """The events of a leg; those of hidden sides without their reasons."""
    return public_events(leg.battle(), leg.hidden_sides)


def public_outcome(battle: Battle, hidden: Collection[int]) -> dict[str, Any]:
    """The outcome of a battle as plain values. The digest of a hidden battle would confirm a guessed strategy."""
    outcome = battle.outcome_json()
    return {key: value for key, value in outcome.items() if key != "digest" or not hidden}


def public_events(battle: Battle, hidden: Collection[int]) -> list[dict[str, Any]]:
    """The events of a battle as plain values, without the reasoning of the hidden sides (1, 2)."""
    assert battle.rows is not None
    ruleset = battle.scenario.ruleset
    sides = ruleset.analysis.vitals(battle.scenario.compiled, battle.scenario.document).sides
    found = []
    for row, event in zip(battle.rows.tolist(), battle.events, strict=True):
        is_hidden = sides.get(row[_ACTOR]) in hidden
        plain = ruleset.protocol.public_json(event) if is_hidden else event.as_json()
        if plain is not None:
            found.append(plain)
    return found


def leg_replay(leg: StoredLeg) -> Any:
    """The replay of a leg, as plain values.

    Raises:
        Missing: a side is hidden from the viewer.
    """
    if leg.hidden:
        raise Missing("replay")
    return msgspec.to_builtins(leg.battle().as_replay())
