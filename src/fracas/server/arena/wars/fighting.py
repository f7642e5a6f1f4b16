"""Fight the matches of running wars, while no transaction is open."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, select

from fracas.server.arena.domain import Seat
from fracas.server.arena.league import League, installed_league
from fracas.server.arena.match_player import MatchPlayer, Rules
from fracas.server.arena.matches.failures import is_operators_fault
from fracas.server.arena.matches.matchmaker import seat_of
from fracas.server.arena.wars.pairing import bouts
from fracas.server.arena.wars.war import RUNNING, Bout, Fought, bout_seed
from fracas.server.database import documents
from fracas.server.database.tables import account, entry, entry_version, war, war_entry, war_match

log = logging.getLogger("fracas.server.arena")


@dataclass(frozen=True)
class Front:
    """Matches of one war that are to be fought next."""

    war: str
    league: League
    """As it was when the war started."""
    modifier: str
    bouts: Sequence[Bout]


def next_front(connection: Connection, most: int) -> Front | None:
    """The next matches of the oldest war that runs; None if no war of this program's rules does."""
    for row in connection.execute(select(war).where(war.c.state == RUNNING).order_by(war.c.week, war.c.id)).all():
        document = documents.get(connection, bytes(row.revision))
        league = installed_league(document, row.rules_version, bytes(row.fingerprint).hex())
        if league is not None:
            return Front(row.id, league, row.modifier, _bouts(connection, row, most))
    return None


def _bouts(connection: Connection, row: Any, most: int) -> list[Bout]:
    seats = seats_of(connection, row.id)
    first, second = seats[row.guild_a], seats[row.guild_b]
    known = select(war_match.c.a_pos, war_match.c.b_pos).where(war_match.c.war == row.id)
    there = {(each.a_pos, each.b_pos) for each in connection.execute(known)}
    left = (each for each in bouts(len(first), len(second)) if each not in there)
    return [
        Bout((one, other), (first[one - 1], second[other - 1]), bout_seed(row.seed, (one, other)))
        for one, other in islice(left, most)
    ]


def seats_of(connection: Connection, war_id: str) -> dict[str, list[Seat]]:
    """The locked versions of both guilds of a war, by their positions."""
    is_of_war = (entry_version.c.entry == war_entry.c.entry) & (entry_version.c.no == war_entry.c.version)
    query = (
        select(war_entry, account.c.role, entry.c.code, entry_version.c.document, entry_version.c.sealed_digest)
        .join(account, account.c.id == war_entry.c.account)
        .join(entry, entry.c.id == war_entry.c.entry)
        .join(entry_version, is_of_war)
        .where(war_entry.c.war == war_id)
        .order_by(war_entry.c.guild, war_entry.c.pos)
    )
    rows = connection.execute(query).all()
    known = documents.get_many(connection, (bytes(row.document) for row in rows))
    found: dict[str, list[Seat]] = {}
    for row in rows:
        found.setdefault(row.guild, []).append(seat_of(row, known[bytes(row.document)]))
    return found


def fight(front: Front, player: MatchPlayer) -> list[Fought]:
    """Play matches of a war.

    Raises:
        Exception: what the operator has to mend, such as a full disk; they can be played again later.
    """
    rules, found = Rules(front.league, front.modifier), []
    for bout in front.bouts:
        result = None
        try:
            first, second = (seat.combatant for seat in bout.seats)
            result = player.play(rules, first, second, bout.seed)
        except Exception as error:
            if is_operators_fault(error):
                raise
            said = {"war": front.war, "positions": bout.positions}
            log.exception("a match of a war could not be fought and gives nobody points", extra=said)
        found.append(Fought(bout, result))
    return found
