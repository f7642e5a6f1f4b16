"""Check a tournament: every round is the one that its format makes, every result that of its matches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from fracas.server.arena.domain import TOURNAMENT
from fracas.server.arena.tournaments import pairing
from fracas.server.arena.tournaments.store import (
    OVER,
    decided_of,
    entrant_rows,
    game_points,
    game_rows,
    pair_of,
    pairing_rows,
    row_of,
)
from fracas.server.database.tables import match, match_side, tournament_game


def tournament_faults(connection: Connection, identifier: str) -> Iterator[str]:
    """What is wrong with a tournament, as sentences."""
    row, name = row_of(connection, identifier), f"tournament {identifier}"
    entrants = entrant_rows(connection, identifier)
    if row.started_at is None:
        if pairing_rows(connection, identifier):
            yield f"{name} has pairings before its start"
        return
    if [each.seed for each in entrants] != list(range(1, len(entrants) + 1)):
        yield f"{name} does not have each seed once"
        return
    pairings = pairing_rows(connection, identifier)
    for number in range(1, row.round + 1):
        before = [each for each in decided_of(pairings) if each.round < number]
        gone = {each.seed for each in entrants if each.left_in is not None and each.left_in < number}
        expected = pairing.pairs_of(row.format, len(entrants), number, before, gone)
        if expected != [pair_of(each) for each in pairings if each.round == number]:
            yield f"{name}: round {number} has other pairings than those before it make"
        is_done = number < row.round or row.state == OVER
        if is_done and any(each.how is None for each in pairings if each.round == number):
            yield f"{name}: a pairing of round {number} is not decided"
    if row.state == OVER and row.round < row.rounds:
        gone = {each.seed for each in entrants if each.left_in is not None}
        if pairing.pairs_of(row.format, len(entrants), row.round + 1, decided_of(pairings), gone):
            yield f"{name} is over, and some could still meet"
    yield from _wrong_results(connection, row, name, entrants, pairings)


def _wrong_results(connection: Connection, row: Any, name: str, entrants: Any, pairings: Any) -> Iterator[str]:
    """Every game is a match of those who were to meet, with the versions that were locked, and makes the result."""
    games: dict[tuple[int, int], list[Any]] = {}
    for each in game_rows(connection, row.id):
        games.setdefault((each.round, each.slot), []).append(each)
    sides: dict[str, list[tuple[str, int]]] = {}
    query = (
        select(match_side, match.c.kind, match.c.modifier)
        .join(tournament_game, tournament_game.c.match == match_side.c.match)
        .join(match, match.c.id == match_side.c.match)
        .where(tournament_game.c.tournament == row.id)
        .order_by(match_side.c.match, match_side.c.place)
    )
    for each in connection.execute(query):
        sides.setdefault(each.match, []).append((each.account, each.version))
        if (each.kind, each.modifier) != (TOURNAMENT, row.modifier):
            yield f"{name}: match {each.match} is of another kind or has another modifier"
    by_seed = {each.seed: each for each in entrants}
    for each in pairings:
        where = f"{name}: slot {each.slot} of round {each.round}"
        played = games.pop((each.round, each.slot), [])
        if [game.game for game in played] != list(range(1, len(played) + 1)):
            yield f"{where} lacks a game"
        seats = [by_seed[seed] for seed in (each.first, each.second) if seed is not None]
        expected = [(seat.account, seat.version) for seat in seats]
        if any(sides.get(game.match) != expected for game in played):
            yield f"{where} has a match of others"
        if each.how is None:
            continue
        gone = {seat.seed for seat in seats if seat.left_in is not None and seat.left_in <= each.round}
        points = [game_points(game) for game in played]
        found = pairing.failed(row.format)
        if each.how != found.how:
            found = pairing.decide(row.format, row.best_of, pair_of(each), points, _gone(each, gone)) or found
        if (found.points, found.how) != ((each.first_points, each.second_points), each.how):
            yield f"{where} has another result than its games"
    if games:
        yield f"{name} has games without a pairing"


def _gone(row: Any, left: set[int]) -> set[int]:
    """Who was gone when a pairing was decided: somebody may have left later in the same round."""
    if row.how == "walkover" or row.how == "bye":
        return {
            seed for seed, points in ((row.first, row.first_points), (row.second, row.second_points)) if not points
        } & left
    return set()
