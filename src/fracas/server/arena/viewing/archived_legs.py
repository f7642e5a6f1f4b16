"""Legs of other rules than the installed ones, as far as the archive plays them.

Their documents are not read, because only their rules could. The archived battle is played by the archived module, and
its code books name what happened. Which columns tell an actor's reasons is not archived, so while an entry is hidden
there is nothing but what the match itself tells.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from fracas.events.digest import digest
from fracas.events.protocol import STORY
from fracas.portable.archived_module import ArchiveFault, PlayedRow
from fracas.server.arena.archive import store as archive
from fracas.server.arena.archive.contents import PinnedRules, Side, StoredPair
from fracas.server.arena.archive.modules import StoredModule
from fracas.server.arena.archived_player import ArchivedPlayer
from fracas.server.arena.match_player import is_swapped, leg_seed
from fracas.server.arena.store.matches import MatchView, SideView, legs_of
from fracas.server.database.tables import entry_version
from fracas.server_models.arena import LegResult


class OtherRules(Exception):
    """A match was fought under rules or content that this program does not have, and no archive plays it."""

    def __init__(self, tool: str | None = None, fault: str = "") -> None:
        super().__init__(tool)
        self.tool = tool
        """The wheel that has the rules; None if nobody noted it."""
        self.fault = fault
        """What is wrong with the archive; empty if there is none."""

    def __str__(self) -> str:
        told = "This match was fought under rules that this server no longer has."
        if self.fault:
            told += f" Its archive cannot play it: {self.fault}."
        return f"{told} {self.tool} verifies the file of its day." if self.tool else told


@dataclass(frozen=True)
class ArchivedLeg:
    """A leg of other rules that the archive plays, without the database."""

    match: MatchView
    no: int
    stored: LegResult
    ruleset: str
    hidden: tuple[int, ...]
    """The places that the viewer must not see into."""
    tool: str | None
    """The wheel that played it."""
    module: StoredModule
    pair: StoredPair
    sides: tuple[Side, Side]

    @property
    def hidden_sides(self) -> Collection[int]:
        """The sides of the battle, 1 and 2, that are hidden."""
        return {3 - place if is_swapped(self.no) else place for place in self.hidden}

    def player(self) -> ArchivedPlayer:
        """What plays the legs of its match.

        Raises:
            ArchiveFault: the module or the pair is damaged.
        """
        return ArchivedPlayer(self.module, self.pair, *self.sides)


def archived_leg(
    connection: Connection, found: MatchView, number: int, ruleset: str, viewer: str | None
) -> ArchivedLeg:
    """A leg of a match of other rules.

    Raises:
        OtherRules: the archive does not have it.
    """
    first, second = ((side.code, entry_digest(connection, side)) for side in found.sides)
    pins = bytes.fromhex(found.fingerprint), bytes.fromhex(found.revision)
    rules = PinnedRules(ruleset, found.rules_version, *pins, found.modifier)
    key = rules.pair_key(first, second)
    tool = archive.tool_of(connection, found.league, found.season)
    pair = archive.pairs_of(connection, [key]).get(key)
    module = None if pair is None else archive.module_of(connection, pair.module)
    if pair is None or module is None:
        raise OtherRules(tool)
    stored = legs_of(connection, found.id)[number]
    hidden = found.hidden_from(viewer)
    return ArchivedLeg(found, number, stored, ruleset, hidden, tool, module, pair, (first, second))


def entry_digest(connection: Connection, side: SideView) -> bytes:
    """The digest of the entry that fought as a side."""
    query = select(entry_version.c.document).where(
        entry_version.c.entry == side.entry, entry_version.c.no == side.version
    )
    return bytes(connection.execute(query).scalar_one())


def archived_document(leg: ArchivedLeg) -> dict[str, Any]:
    """A leg of other rules as plain values. While a side is hidden, only what the match itself tells."""
    winners = (0, 2, 1) if is_swapped(leg.no) else (0, 1, 2)
    body: dict[str, Any] = {
        "leg": leg.no,
        "seed": leg_seed(leg.match.seed, leg.no),
        "places": [2, 1] if is_swapped(leg.no) else [1, 2],
        "hidden_sides": sorted(leg.hidden_sides),
        "ruleset": leg.ruleset,
        "rules_version": leg.match.rules_version,
        "winner": winners[{2: 1, 1: 0, 0: 2}[leg.stored.result]],
        "reason": leg.stored.reason,
        "rounds": leg.stored.rounds,
        "archive": {"tool": leg.tool, "module": leg.module.digest.hex()},
        "story": "",
    }
    if leg.hidden:
        return body
    played, events = _played(leg)
    assert played.events is not None
    story = "".join(f"{_told(event)}\n" for detail, event in events if detail == STORY)
    return {**body, "digest": digest(played.events), "figures": played.figures, "story": story}


def _played(leg: ArchivedLeg) -> tuple[PlayedRow, list[tuple[str, dict[str, Any]]]]:
    """A leg of other rules played with its events, and compared with what is stored of it.

    Raises:
        OtherRules: the archive does not play it, or plays another battle than the stored one.
    """
    try:
        player = leg.player()
        if player.play(leg.match.seed, leg.no).digest.hex() != leg.stored.digest:
            raise ArchiveFault("it plays another battle than the stored one")
        return player.logged(leg.match.seed, leg.no)
    except ArchiveFault as fault:
        raise OtherRules(leg.tool, str(fault)) from None


def archived_events(leg: ArchivedLeg) -> list[dict[str, Any]]:
    """The events of a leg of other rules.

    Raises:
        OtherRules: the archive does not play it, or a side is hidden.
    """
    if leg.hidden:
        raise OtherRules(leg.tool)
    return [event for _, event in _played(leg)[1]]


def _told(event: dict[str, Any]) -> str:
    """An event as a line. The sentences of its rules are gone; their names are not."""
    values = (f"{name} {value}" for name, value in event.items() if name not in ("tick", "kind") and value is not None)
    return f"{event['tick']:>4}  {event['kind']}: {', '.join(values)}".replace("_", " ")
