"""A machine's clock that is set back or jumps: days are published once, and no match is fought on a published day."""

from __future__ import annotations

from sqlalchemy import func, select
from tests.helpers import soak
from tests.helpers.arena import Playground
from tests.helpers.wars import do_due

from fracas.server.arena.matches.matchmaker import claim, release
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.proofs.check import check_arena
from fracas.server.clock import DAY
from fracas.server.database.tables import league_day, match

# What these do with SQL is done on both databases by others.
DATABASES = soak.some(("sqlite", "postgresql"), 1)


def test_a_clock_that_is_set_back_over_midnight_makes_no_match_until_it_is_right(playground: Playground):
    players = playground.players(2)
    (first,) = playground.fight(players)
    playground.clock.step(DAY)
    do_due(playground)
    with playground.read() as connection:
        published = connection.execute(select(league_day).where(league_day.c.day == first.day)).one()
    assert published.published_at is not None
    playground.clock.step(-DAY)
    do_due(playground)
    for owner, entry in players:
        playground.queue(owner, entry)
    playground.clock.step(61_000)
    with playground.write() as connection:
        (planned,) = claim(connection, playground.arena, playground.arena.leagues["squads"], playground.now)
    with playground.write() as connection:
        # The secret of that day is public, so anyone could know the seed.
        assert resolve(connection, playground.arena, [planned], playground.now, player=playground.player) == [None]
        release(connection, [planned])
    playground.clock.step(DAY)
    do_due(playground)
    (second,) = playground.match_up()
    assert second.day > first.day
    with playground.read() as connection:
        again = connection.execute(select(league_day).where(league_day.c.day == first.day)).one()
        assert again == published
        assert connection.execute(select(func.count()).select_from(match)).scalar_one() == 2
        assert check_arena(connection, playground.arena).is_sound


def test_a_jump_of_weeks_publishes_every_day_and_goes_on(playground: Playground):
    players = playground.players(2)
    (first,) = playground.fight(players)
    playground.clock.step(20 * DAY)
    do_due(playground)
    do_due(playground)
    (second,) = playground.fight(players)
    with playground.read() as connection:
        kept = connection.execute(select(league_day.c.day, league_day.c.published_at).order_by(league_day.c.day)).all()
        assert check_arena(connection, playground.arena).is_sound
    assert all((row.published_at is not None) == (row.day < second.day) for row in kept)
    assert second.day > first.day
