"""Queries of tournaments, their entrants, pairings and games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, func, or_, select

from fracas.server.arena.refusals import Missing
from fracas.server.arena.store.people import PERSON, person
from fracas.server.arena.tournaments import pairing
from fracas.server.arena.tournaments.pairing import Decided, Pair
from fracas.server.clock import MINUTE
from fracas.server.database.tables import (
    account,
    match,
    tournament,
    tournament_entrant,
    tournament_game,
    tournament_pairing,
)
from fracas.server.http.answers import link, links, stored
from fracas.server_models import tournaments as models
from fracas.server_models.tournaments import Bracket, Entrant, Entrants, Pairing, Round

ENTERING, RUNNING, OVER, CANCELLED, ABANDONED = "entering", "running", "over", "cancelled", "abandoned"


class TournamentView(models.Tournament):
    """A tournament, and what answers leave out of it."""

    organiser_id: str = Field(exclude=True)
    created_ms: int = Field(exclude=True)


_COUNT = (
    select(func.count())
    .select_from(tournament_entrant)
    .where(tournament_entrant.c.tournament == tournament.c.id)
    .scalar_subquery()
    .label("entrants")
)
_TOURNAMENTS = select(tournament, tournament.c.organiser.label("account"), _COUNT, *PERSON).join(
    account, account.c.id == tournament.c.organiser
)


def row_of(connection: Connection, identifier: str, *, lock: bool = False) -> Any:
    """The row of a tournament; with `lock`, nobody else changes it before this transaction ends.

    Raises:
        Missing: there is no such tournament.
    """
    query = select(tournament).where(tournament.c.id == identifier)
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise Missing("tournament")
    return row


def tournament_by_id(connection: Connection, identifier: str) -> TournamentView:
    """A tournament.

    Raises:
        Missing: there is none.
    """
    row = connection.execute(_TOURNAMENTS.where(tournament.c.id == identifier)).first()
    if row is None:
        raise Missing("tournament")
    return _tournament(row)


def tournaments_before(
    connection: Connection,
    limit: int,
    *,
    league: str | None = None,
    state: str | None = None,
    before: tuple[int, str] | None = None,
) -> list[TournamentView]:
    """Tournaments, the newest first, or those before one's (created_at, id)."""
    query = _TOURNAMENTS
    if league is not None:
        query = query.where(tournament.c.league == league)
    if state is not None:
        query = query.where(tournament.c.state == state)
    if before is not None:
        at, identifier = before
        is_older = tournament.c.created_at < at
        same = (tournament.c.created_at == at) & (tournament.c.id > identifier)
        query = query.where(or_(is_older, same))
    rows = connection.execute(query.order_by(tournament.c.created_at.desc(), tournament.c.id).limit(limit))
    return [_tournament(row) for row in rows]


def _tournament(row: Any) -> TournamentView:
    given = {
        "organiser": person(row),
        "rated": bool(row.rated),
        "playing": bool(row.playing),
        "rounds": row.rounds if row.started_at is not None else None,
    }
    own = link("tournaments", row.id)
    return TournamentView(
        **{**stored(TournamentView, row), **given},
        organiser_id=row.account,
        created_ms=row.created_at,
        pause_minutes=row.pause_ms // MINUTE,
        links=links(
            self=own,
            league=link("leagues", row.league),
            entrants=f"{own}/entrants",
            bracket=f"{own}/bracket",
        ),
    )


def entrant_rows(connection: Connection, identifier: str) -> Sequence[Any]:
    """The rows of entrants with their accounts, by seed; before the start by when they entered."""
    query = (
        select(tournament_entrant, account.c.state.label("account_state"), *PERSON)
        .join(account, account.c.id == tournament_entrant.c.account)
        .where(tournament_entrant.c.tournament == identifier)
        .order_by(tournament_entrant.c.seed, tournament_entrant.c.entered_at, tournament_entrant.c.account)
    )
    return connection.execute(query).all()


def pairing_rows(connection: Connection, identifier: str, number: int | None = None) -> Sequence[Any]:
    """The rows of the pairings of a round, or of all, by round and slot."""
    mine = tournament_pairing.c.tournament == identifier
    if number is not None:
        mine &= tournament_pairing.c.round == number
    query = select(tournament_pairing).where(mine).order_by(tournament_pairing.c.round, tournament_pairing.c.slot)
    return connection.execute(query).all()


def decided_of(rows: Sequence[Any]) -> list[Decided]:
    """The decided ones of pairings."""
    return [
        Decided(row.round, row.slot, row.first, row.second, (row.first_points, row.second_points))
        for row in rows
        if row.how is not None
    ]


def pair_of(row: Any) -> Pair:
    """Who meets in a pairing."""
    return Pair(row.slot, row.first, row.second)


def game_rows(connection: Connection, identifier: str, number: int | None = None) -> Sequence[Any]:
    """The games of a round, or of all, in their order, each with its match's points of place 1."""
    mine = tournament_game.c.tournament == identifier
    if number is not None:
        mine &= tournament_game.c.round == number
    query = (
        select(tournament_game, match.c.score_a, match.c.score_b)
        .join(match, match.c.id == tournament_game.c.match)
        .where(mine)
        .order_by(tournament_game.c.round, tournament_game.c.slot, tournament_game.c.game)
    )
    return connection.execute(query).all()


def game_points(row: Any) -> int:
    """The half points of the first one in a game."""
    return 1 if row.score_a == row.score_b else 2 if row.score_a > row.score_b else 0


def entrants_of(connection: Connection, identifier: str, viewer: str | None) -> Entrants:
    """Everybody who takes part, and how they stand.

    Raises:
        Missing: there is no such tournament.
    """
    row = row_of(connection, identifier)
    rows = entrant_rows(connection, identifier)
    own = link("tournaments", identifier)
    items = []
    if row.started_at is None:
        items = [_entrant(each, viewer) for each in rows]
    else:
        by_seed = {each.seed: each for each in rows}
        decided = decided_of(pairing_rows(connection, identifier))
        for standing in pairing.standings(row.format, len(rows), decided):
            view = _entrant(by_seed[standing.seed], viewer)
            values = {"rank": standing.rank, "points": standing.points, "buchholz": standing.buchholz}
            items.append(view.model_copy(update=values))
    return Entrants(items=items, links=links(self=f"{own}/entrants", tournament=own))


def _entrant(row: Any, viewer: str | None) -> Entrant:
    # Nobody else learns of an entry before it has fought.
    is_own = row.account == viewer
    return Entrant(
        **{**stored(Entrant, row), "account": person(row), **({} if is_own else {"entry": None, "version": None})},
        rank=None,
        points=0,
        buchholz=0,
        links=links(profile=link("profiles", row.handle), own_entry=link("entries", row.entry) if is_own else None),
    )


def bracket_of(connection: Connection, identifier: str, number: int | None = None) -> Bracket:
    """The rounds that are made so far, or one of them.

    Raises:
        Missing: there is no such tournament, or no such round.
    """
    row = row_of(connection, identifier)
    if number is not None and not 1 <= number <= row.round:
        raise Missing("round")
    matches: dict[tuple[int, int], list[str]] = {}
    for game in game_rows(connection, identifier, number):
        matches.setdefault((game.round, game.slot), []).append(game.match)
    rounds: dict[int, list[Pairing]] = {}
    for each in pairing_rows(connection, identifier, number):
        points = None if each.how is None else [each.first_points, each.second_points]
        found = Pairing(
            slot=each.slot,
            first=each.first,
            second=each.second,
            points=points,
            how=each.how,
            matches=matches.get((each.round, each.slot), []),
        )
        rounds.setdefault(each.round, []).append(found)
    people = [person(each) for each in entrant_rows(connection, identifier) if each.seed is not None]
    own = link("tournaments", identifier)
    return Bracket(
        tournament=identifier,
        format=row.format,
        people=people,
        rounds=[
            Round(round=each, name=_name(row, each), pairings=pairings) for each, pairings in sorted(rounds.items())
        ],
        links=links(self=link("tournaments", identifier, "bracket", round=number), tournament=own),
    )


def _name(row: Any, number: int) -> str:
    left = row.rounds - number
    if row.format == pairing.ELIMINATION and left < 3:
        return ("Final", "Semi-finals", "Quarter-finals")[left]
    return f"Round {number}"
