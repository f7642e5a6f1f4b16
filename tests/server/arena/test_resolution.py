"""A match happens once or not at all, and everything about it is stored together."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, func, select
from tests.helpers.arena import Playground

from fracas.server.arena.matches.matchmaker import claim, give_up, release
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.ratings import Rating
from fracas.server.database import streams
from fracas.server.database.tables import event as events
from fracas.server.database.tables import league_day, leg, match, match_side, meeting, rating, ticket

STEPS = (
    "lock ratings",
    "check tickets",
    "take number",
    "play",
    "insert match",
    "update ratings",
    "note meeting",
    "reveal versions",
    "settle tickets",
    "append to streams",
    "move head",
    "end",
)
TOLD = (match, match_side, leg, meeting)


class Killed(Exception):
    """The process dies here."""


def claimed(playground: Playground):
    for owner, entry in playground.players(2):
        playground.queue(owner, entry, salt="a word of mine")
    with playground.write() as connection:
        (planned,) = claim(connection, playground.arena, playground.arena.leagues["squads"], playground.now)
    return planned


def test_a_match_is_stored_whole(playground: Playground):
    first, second = playground.players(2)
    (resolved,) = playground.fight([first, second])
    with playground.read() as connection:
        row = connection.execute(select(match)).one()
        assert (row.id, row.no, row.legs) == (resolved.id, 1, 2)
        assert (row.score_a, row.score_b) == resolved.scores
        assert connection.execute(select(func.count()).select_from(leg)).scalar_one() == 2
        assert connection.execute(select(func.count()).select_from(ticket)).scalar_one() == 0
        today = select(league_day.c.last_no, league_day.c.head).where(league_day.c.day == resolved.day)
        assert connection.execute(today).one() == (1, resolved.head)
        for owner, entry in (first, second):
            found = connection.execute(select(rating).where(rating.c.account == owner)).one()
            assert found.n == found.wins + found.draws + found.losses == 1
            assert Rating.of_hex(found.mu, found.sigma).sigma < Rating().sigma
            told, event = streams.after(connection, owner, 0) or []
            assert (told.type, told.body["entry"]) == ("ticket.matched", entry)
            assert (event.type, event.body["match"]) == ("match.resolved", resolved.id)


def test_a_match_is_resolved_once(playground: Playground):
    planned = claimed(playground)
    with playground.write() as connection:
        assert resolve(connection, playground.arena, [planned], playground.now, player=playground.player) != [None]
    with playground.write() as connection:
        assert resolve(connection, playground.arena, [planned], playground.now, player=playground.player) == [None]
    with playground.read() as connection:
        assert connection.execute(select(func.count()).select_from(match)).scalar_one() == 1


def test_tickets_of_a_dead_process_wait_again_when_their_lease_ends(playground: Playground):
    claimed(playground)
    assert not playground.match_up()
    playground.clock.step(21_000)
    assert len(playground.match_up()) == 1


def test_released_tickets_wait_again(small: Playground):
    planned = claimed(small)
    with small.write() as connection:
        release(connection, [planned])
    assert len(small.match_up()) == 1


def test_a_ticket_that_fails_three_times_is_parked(small: Playground):
    planned = claimed(small)
    for number in range(3):
        with small.write() as connection:
            parked = give_up(connection, planned, small.now)
        assert len(parked) == (2 if number == 2 else 0)
        with small.write() as connection:
            again = claim(connection, small.arena, small.arena.leagues["squads"], small.now)
        assert len(again) == (0 if number == 2 else 1)
    with small.read() as connection:
        *_, event = streams.after(connection, planned.first.account, 0) or []
        assert event.type == "ticket.parked"


def test_a_change_of_an_entry_does_not_change_a_waiting_ticket(small: Playground):
    planned = claimed(small)
    from fracas.server.arena.service import change_entry

    with small.write() as connection:
        change_entry(
            connection, small.arena, planned.first.account, planned.first.entry, {"units": ["scout"]}, small.now
        )
    with small.write() as connection:
        assert resolve(connection, small.arena, [planned], small.now, player=small.player) != [None]
    with small.read() as connection:
        assert set(connection.execute(select(match_side.c.version)).scalars()) == {1}


def test_a_claim_tells_each_player_that_it_is_paired_and_nothing_about_whom_with(playground: Playground):
    planned = claimed(playground)
    with playground.read() as connection:
        for seat, other in (planned.seats, planned.seats[::-1]):
            (event,) = streams.after(connection, seat.account, 0) or []
            assert event.type == "ticket.matched"
            assert event.body == {"ticket": seat.ticket, "league": "squads", "entry": seat.entry, "version": 1}
            hidden = (other.account, other.entry, other.ticket, other.combatant.code)
            assert not any(str(name) in str(event.body) for name in hidden)


def test_a_claim_that_is_lost_tells_nobody(small: Playground):
    for owner, entry in small.players(2):
        small.queue(owner, entry)

    def dies(connection: Connection) -> None:
        assert claim(connection, small.arena, small.arena.leagues["squads"], small.now)
        raise Killed

    with pytest.raises(Killed), small.write() as connection:
        dies(connection)
    with small.read() as connection:
        assert not connection.execute(select(func.count()).select_from(events)).scalar_one()
