"""What a player of a session may see. README, "Session", view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fracas.events.protocol import Event
from fracas.rulesets.shapes import Document
from fracas.rulesets.titans import constants as codes
from fracas.rulesets.titans.events import Chance, Choice
from fracas.rulesets.titans.field import bears


def view_of(document: Document, record: Any, events: Sequence[Event], place: int, session: Document) -> Document:
    """The duel as player `place` sees it; `session` is what the session itself says to that player."""
    players = document["players"]
    names = [player["name"] for player in players]
    other = 1 - place
    hides_stats = not document["options"]["stats_public"]
    return {
        "player": names[place],
        "ownTitan": _titan(document, record, place, knows_all=True),
        "opponentTitan": _titan(document, record, other, knows_all=False, hides_stats=hides_stats),
        "titanHPs": {name: int(record.titans[number].hp) for number, name in enumerate(names)},
        "titanCharges": {name: int(record.titans[number].charge) for number, name in enumerate(names)},
        "titanAbilities": {
            name: [document["abilities"][ability] for ability in player["titan"]["abilities"]]
            for name, player in zip(names, players, strict=True)
        },
        "options": document["options"],
        **session,
        "roundLog": [_told(event, names[other]) for event in events if not _is_policys_roll(event, names[other])],
    }


def _titan(document: Document, record: Any, place: int, *, knows_all: bool, hides_stats: bool = False) -> Document:
    """A titan in full, or the public part of it."""
    titan, given = record.titans[place], document["players"][place]["titan"]
    public = {
        "name": given["name"],
        "fullHP": given["hp"],
        "hp": int(titan.hp),
        "charge": int(titan.charge),
        "abilities": list(given["abilities"]),
        "changes": _changes(record, titan),
    }
    if not hides_stats:
        public["stats"] = {stat: given[stat] for stat in codes.STATS}
        public["statsNow"] = {stat: float(titan.now[code]) for code, stat in enumerate(codes.STATS)}
    if knows_all:
        own = {"level": given["level"], "experience": given["experience"], "missedDeadlines": int(titan.missed)}
        return public | own
    return public


def _changes(record: Any, titan: Any) -> list[Document]:
    return [
        {
            "stat": codes.STATS[record.changes[number].stat],
            "percent": int(record.changes[number].percent),
            "untilRound": int(titan.until[number]),
        }
        for number in range(record.change_count)
        if bears(titan, number)
    ]


def _is_policys_roll(event: Event, other: str) -> bool:
    """What the other's policy rolls would tell how it thinks."""
    return isinstance(event, Chance) and event.actor == other


def _told(event: Event, other: str) -> Document:
    """An event as plain values; of the other's choice what it was, not why."""
    told = event.as_json()
    if isinstance(event, Choice) and event.actor == other:
        return {key: value for key, value in told.items() if key not in ("why", "rule")}
    return told
