"""Filter a duel to what one player may see. titans/README.md, "Session", view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document, Rows
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.events import PROTOCOL, Chance, Choice
from fracas.rulesets.titans.rules.titan_stats import has_change


def view_of(document: Document, record: Any, seat: int, session: Document) -> Document:
    """The duel as the player in a seat sees it; `session` adds the session's own values for that player."""
    players = document["players"]
    names = [player["name"] for player in players]
    other = 1 - seat
    hides_stats = not document["options"]["stats_public"]
    return {
        "player": names[seat],
        "ownTitan": _titan(document, record, seat, knows_all=True),
        "opponentTitan": _titan(document, record, other, knows_all=False, hides_stats=hides_stats),
        "titanHPs": {name: int(record.titans[number].hp) for number, name in enumerate(names)},
        "titanCharges": {name: int(record.titans[number].charge) for number, name in enumerate(names)},
        "titanAbilities": {
            name: [document["abilities"][ability] for ability in player["titan"]["abilities"]]
            for name, player in zip(names, players, strict=True)
        },
        "options": document["options"],
        **session,
    }


def _titan(document: Document, record: Any, seat: int, *, knows_all: bool, hides_stats: bool = False) -> Document:
    """A titan in full, or its public part."""
    titan, given = record.titans[seat], document["players"][seat]["titan"]
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
        if has_change(titan, number)
    ]


def is_told(rows: Rows, seat: int) -> Rows:
    """Which event rows the player in a seat may see: all but the rolls of the other's policy."""
    seen_by: Rows = (rows[:, 1] != Chance.KIND) | (rows[:, 2] != 1 - seat)
    return seen_by


def events_seen_by(events: Sequence[Event], other: str) -> list[Document]:
    """Events as plain values; the other's choices without their reasons."""
    return [_seen_by(event, other) for event in events]


def _seen_by(event: Event, other: str) -> Document:
    public = PROTOCOL.public_json(event) if isinstance(event, Choice) and event.actor == other else None
    return event.as_json() if public is None else public
