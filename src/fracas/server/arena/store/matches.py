"""Queries of matches and their legs, as what others may see of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, and_, bindparam, or_, select

from fracas.server.arena.domain import TOURNAMENT, WAR
from fracas.server.arena.ratings import Rating, outcome
from fracas.server.arena.refusals import Missing
from fracas.server.arena.store.people import PERSON, Person, person
from fracas.server.arena.visibility import may_read, shown_to
from fracas.server.database.tables import (
    account,
    entry,
    entry_version,
    is_of_side,
    leg,
    match,
    match_side,
    tournament_game,
    war_match,
)
from fracas.server.http.answers import link, links, stored
from fracas.server_models import arena
from fracas.server_models.arena import LegResult


class SideView(arena.Side):
    """One side of a match, and what answers leave out of it."""

    account: Person
    document: bytes = Field(exclude=True)
    """The digest of the version's document."""


class MatchView(arena.Match):
    """A match, and what answers leave out of it."""

    sides: Sequence[SideView]
    leg_count: int = Field(exclude=True)
    played_ms: int = Field(exclude=True)

    def place_of(self, viewer: str | None) -> int | None:
        """The place of an account in the match; None if it did not play."""
        return next((side.place for side in self.sides if side.account.id == viewer), None)

    @property
    def is_public(self) -> bool:
        """Whether anybody may know of it: it is in its league's chain, or of a war."""
        return self.number is not None or self.kind == WAR

    def hidden_from(self, viewer: str | None) -> tuple[int, ...]:
        """The places whose decisions an account must not see; authors see their own."""
        return tuple(side.place for side in self.sides if not may_read(side.account.id, viewer, revealed=side.revealed))


# Built once: to build a statement costs as much as to run it.
_MATCH = select(match).where(match.c.id == bindparam("the_match"))
_LEGS = select(leg).where(leg.c.match == bindparam("the_match")).order_by(leg.c.no)
_SIDES = (
    select(
        match_side,
        *PERSON,
        entry.c.title,
        entry.c.code,
        entry_version.c.document,
        entry_version.c.salt,
        entry_version.c.sealed_digest,
        entry_version.c.revealed_at,
    )
    .join(account, account.c.id == match_side.c.account)
    .join(entry, entry.c.id == match_side.c.entry)
    .join(entry_version, is_of_side)
    .where(match_side.c.match.in_(bindparam("the_matches", expanding=True)))
    .order_by(match_side.c.match, match_side.c.place)
)


def match_by_id(connection: Connection, identifier: str) -> MatchView:
    """A match.

    Raises:
        Missing: there is no such match.
    """
    row = connection.execute(_MATCH, {"the_match": identifier}).first()
    if row is None:
        raise Missing("match")
    return _views(connection, [row])[0]


def visible_match(connection: Connection, identifier: str, viewer: str | None) -> MatchView:
    """A match that the viewer may know of: a public one, or its own.

    Raises:
        Missing: there is no such match for the viewer.
    """
    view = match_by_id(connection, identifier)
    if not view.is_public and view.place_of(viewer) is None:
        raise Missing("match")
    return view


def matches_before(
    connection: Connection,
    limit: int,
    *,
    league: str | None = None,
    season: int | None = None,
    whom: str | None = None,
    opponent: str | None = None,
    viewer: str | None = None,
    before: tuple[int, str] | None = None,
) -> list[MatchView]:
    """Matches, the newest first, or those before a match's (played_at, id).

    `whom` wants an account's matches, `opponent` among them those against another. Matches outside the chain, such as
    practice, are listed for `viewer` alone.
    """
    query = select(match).where(shown_to(viewer))
    if league is not None:
        query = query.where(match.c.league == league)
    if season is not None:
        query = query.where(match.c.season == season)
    for each in (whom, opponent):
        if each is not None:
            query = query.where(match.c.id.in_(select(match_side.c.match).where(match_side.c.account == each)))
    if before is not None:
        at, identifier = before
        query = query.where(or_(match.c.played_at < at, and_(match.c.played_at == at, match.c.id > identifier)))
    rows = connection.execute(query.order_by(match.c.played_at.desc(), match.c.id).limit(limit)).all()
    return _views(connection, rows)


def match_with_legs(connection: Connection, view: MatchView) -> MatchView:
    """A match with what its battles came to, and where it belongs."""
    paths = dict(view.links)
    if view.kind == TOURNAMENT:
        of = select(tournament_game.c.tournament).where(tournament_game.c.match == view.id)
        paths["tournament"] = link("tournaments", connection.execute(of).scalar_one())
    if view.kind == WAR:
        of = select(war_match.c.war).where(war_match.c.match == view.id)
        paths["war"] = link("wars", connection.execute(of).scalar_one())
    return view.model_copy(update={"legs": legs_of(connection, view.id), "links": paths})


def legs_of(connection: Connection, identifier: str) -> list[LegResult]:
    """The legs of a match."""
    rows = connection.execute(_LEGS, {"the_match": identifier})
    return [
        LegResult(**stored(LegResult, row), links=links(self=link("matches", identifier, "legs", row.no)))
        for row in rows
    ]


def _views(connection: Connection, rows: Sequence[Any]) -> list[MatchView]:
    if not rows:
        return []
    sides = sides_of(connection, [row.id for row in rows])
    return [_view(row, sides[row.id]) for row in rows]


def sides_of(connection: Connection, matches: Sequence[str]) -> dict[str, list[Any]]:
    """The rows of both sides of matches, with whose they are and which version fought."""
    found: dict[str, list[Any]] = {}
    for side in connection.execute(_SIDES, {"the_matches": matches}):
        found.setdefault(side.match, []).append(side)
    return found


def _view(row: Any, sides: Sequence[Any]) -> MatchView:
    scores = (row.score_a, row.score_b)
    return MatchView(
        **stored(MatchView, row, but="legs"),
        number=row.no,
        sides=[_side(side, scores[side_index], scores[1 - side_index]) for side_index, side in enumerate(sides)],
        links=links(self=link("matches", row.id), league=link("leagues", row.league)),
        leg_count=row.legs,
        played_ms=row.played_at,
    )


def _side(row: Any, own: int, other: int) -> SideView:
    return SideView(
        **{**stored(SideView, row), "account": person(row)},
        revealed=row.revealed_at is not None,
        score=own,
        outcome=outcome(own, other),
        before=_rating(row.mu0, row.sigma0),
        after=_rating(row.mu1, row.sigma1),
    )


def _rating(mu: str | None, sigma: str) -> arena.Rating | None:
    return None if mu is None else arena.Rating(**Rating.of_hex(mu, sigma).as_json())
