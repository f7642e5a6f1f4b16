"""What two connections do at the same time happens once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import IntegrityError, OperationalError
from tests.helpers.arena import TEAMS, Playground

from fracas.server.arena import service
from fracas.server.arena.day_secrets import SeedInputs, match_seed
from fracas.server.arena.match_player import MatchPlayer
from fracas.server.arena.matches.matchmaker import claim
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.matches.rows import ResolvedMatch
from fracas.server.arena.refusals import Conflict
from fracas.server.arena.seasons.days import add_day
from fracas.server.database.tables import entry, league_day, match, ticket


def both(playground: Playground, command: Any) -> list[Any]:
    """Run a command in two transactions at the same time."""

    def run(_: int) -> Any:
        try:
            with playground.database.writing.begin() as connection:
                return command(connection)
        except (Conflict, IntegrityError, OperationalError) as error:
            return error

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(run, range(2)))


def count(playground: Playground, table: Any) -> int:
    with playground.read() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def test_one_ranked_entry_per_account_and_league(playground: Playground):
    owner = playground.account("ann")

    def submit(connection: Connection) -> Any:
        return service.submit_entry(
            connection, playground.arena, owner, "squads", "x", {"units": TEAMS[0]}, playground.now, ranked=True
        )

    found = both(playground, submit)
    assert sum(isinstance(each, Exception) for each in found) == 1
    assert count(playground, entry) == 1


def test_one_ticket_per_account_league_and_mode(playground: Playground):
    ((owner, own),) = playground.players(1)
    found = both(
        playground, lambda connection: service.enter_queue(connection, playground.arena, owner, own, playground.now)
    )
    assert sum(isinstance(each, Exception) for each in found) == 1
    assert count(playground, ticket) == 1


def test_one_secret_per_league_day(playground: Playground):
    both(playground, lambda connection: add_day(connection, playground.arena, "squads", "2027-01-01"))
    with playground.read() as connection:
        rows = connection.execute(select(league_day.c.secret_enc).where(league_day.c.day == "2027-01-01")).all()
    assert len(rows) == 1


def test_two_matchmakers_do_not_take_the_same_tickets(playground: Playground):
    for owner, own in playground.players(4):
        playground.queue(owner, own)
    league = playground.arena.leagues["squads"]
    found = both(playground, lambda connection: claim(connection, playground.arena, league, playground.now))
    tickets = [seat.ticket for planned in found if isinstance(planned, list) for each in planned for seat in each.seats]
    assert len(set(tickets)) == len(tickets) == 4


def test_a_pair_that_two_processes_resolve_fights_once(playground: Playground):
    for owner, own in playground.players(2):
        playground.queue(owner, own)
    with playground.write() as connection:
        (planned,) = claim(connection, playground.arena, playground.arena.leagues["squads"], playground.now)

    def alone(connection: Connection) -> ResolvedMatch | None:
        (found,) = resolve(connection, playground.arena, [planned], playground.now, player=MatchPlayer())
        return found

    found = both(playground, alone)
    assert sum(isinstance(each, ResolvedMatch) for each in found) == 1
    assert count(playground, match) == 1


def test_seeds_depend_on_every_input():
    base = SeedInputs("squads", "2026-11-22", 1, (b"a", b"b"), (b"c", b"d"))
    others = [
        replace(base, league="relics"),
        replace(base, day="2026-11-23"),
        replace(base, number=2),
        replace(base, digests=(b"b", b"a")),
        replace(base, digests=(b"ab", b"")),
        replace(base, salts=(b"", b"cd")),
        replace(base, salts=(b"c", b"e")),
    ]
    seeds = {match_seed(b"secret", each) for each in (base, *others)} | {match_seed(b"other", base)}
    assert len(seeds) == len(others) + 2
