"""The battles behind a class's table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from fracas.engine.battle import Battle, play_battle
from fracas.engine.scenario import Scenario
from fracas.player_entries.checking import NO_MODIFIER
from fracas.rulesets.contract.analysis import SideRef
from fracas.server.arena.classes.service import class_of
from fracas.server.arena.entries.checking import resolve_side
from fracas.server.arena.league import read_league
from fracas.server.arena.records import Missing
from fracas.server.database import documents
from fracas.server.database.tables import job


@dataclass(frozen=True)
class TableCell:
    """Two entries of a class's table, in the table's order."""

    league: dict[str, Any]
    entries: tuple[dict[str, Any], dict[str, Any]]
    seed: str

    @property
    def codes(self) -> tuple[str, str]:
        """What the entries' sides are called."""
        return self.entries[0]["code"], self.entries[1]["code"]

    def battle(self) -> Battle:
        """The first battle that the table counted for this pair, with its log.

        Raises:
            InputError: an entry does not fit the content any more.
        """
        league = read_league(self.league, "league")
        one, other = (resolve_side(league, each["document"], each["code"], NO_MODIFIER) for each in self.entries)
        document = league.ruleset.analysis.matchup(SideRef(one, 1), SideRef(other, 1)) | {"seed": self.seed}
        return play_battle(Scenario(league.ruleset, document, league.ruleset.compile(document, {})))


def cell_of(connection: Connection, whom: str, identifier: str, codes: tuple[str, str]) -> TableCell:
    """Two entries, by their codes, of the newest table of a class that an account teaches or is in.

    Raises:
        Missing: there is no such class for the account, no table, or no such entry in it.
    """
    class_of(connection, whom, identifier)
    done = select(job.c.document).where(job.c.subject == identifier, job.c.state == "done")
    newest = connection.execute(done.order_by(job.c.id.desc()).limit(1)).first()
    if newest is None:
        raise Missing("table")
    table = documents.get(connection, bytes(newest.document))
    found = [each for each in table["entries"] if each["code"] in codes]
    if len(found) != 2:
        raise Missing("pair of entries in the table")
    return TableCell(table["league"], (found[0], found[1]), table["seed"])
