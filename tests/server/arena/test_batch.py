"""A batch of matches stores what the same matches store one by one, whole or not at all."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples_of
from hypothesis import strategies as st
from sqlalchemy import Connection, func, select, update
from tests.helpers.arena import TEAMS, Playground, arena_of, league
from tests.helpers.serving import RunningServer
from tests.server.arena.test_resolution import STEPS, TOLD, Killed

from fracas.server.arena import service
from fracas.server.arena.arena_loop import RunningArena
from fracas.server.arena.domain import STANDING, Planned, Seat
from fracas.server.arena.match_player import Combatant, MatchPlayer, MatchResult, Rules
from fracas.server.arena.matches.matchmaker import claim
from fracas.server.arena.matches.resolution import Interfered, note_meetings, resolve
from fracas.server.clock import SteppingClock
from fracas.server.database.engine import Database
from fracas.server.database.tables import (
    entry_version,
    event,
    league_day,
    leg,
    match,
    match_side,
    meeting,
    rating,
    stream,
    ticket,
)
from fracas.server.settings import Settings

ROLES = ("player", "player", "player", "player", "operator", "bot")
STORED = (match, match_side, leg, rating, meeting, ticket, league_day, entry_version, stream, event)


class Undone(Exception):
    """Takes a transaction back."""


def rows_of(connection: Connection) -> dict[str, list[str]]:
    """Every row of a match, with matches called by their numbers, because their ids are random."""
    names = dict(connection.execute(select(match.c.id, match.c.no)).all())
    found = {}
    for table in STORED:
        rows = [str(tuple(row)) for row in connection.execute(select(table))]
        for identifier, number in names.items():
            rows = [row.replace(identifier, f"match {number}") for row in rows]
        found[table.name] = sorted(rows)
    return found


def stored_by(playground: Playground, work: Any) -> tuple[Any, dict[str, list[str]]]:
    """What some work returns and stores; it is taken back."""
    found: tuple[Any, dict[str, list[str]]] = (None, {})
    with suppress(Undone), playground.write() as connection:
        made = work(connection)
        found = [None if each is None else replace(each, id="") for each in made], rows_of(connection)
        raise Undone
    return found


def filled(playground: Playground) -> list[Seat]:
    """Seats of accounts of all roles with claimed tickets, after a first round; some entries changed since."""
    name = next(iter(playground.arena.leagues))
    is_ranked = playground.arena.leagues[name].is_ranked
    players = []
    for number, role in enumerate(ROLES):
        owner = playground.account(f"{role}-{number}", role)
        team = {"units": TEAMS[number % len(TEAMS)]}
        players.append((owner, playground.entry(owner, name, ranked=is_ranked, document=team)))
    playground.fight(players[:4], name)
    for number, (owner, entry) in enumerate(players):
        if number % 2:
            with playground.write() as connection:
                service.change_entry(connection, playground.arena, owner, entry, {"units": ["scout"]}, playground.now)
        playground.queue(owner, entry, kind=STANDING if number in (0, 3) else "once", salt=f"salt {number}")
    playground.clock.step(61_000)
    with playground.write() as connection:
        planned = claim(connection, playground.arena, playground.arena.leagues[name], playground.now)
    # Who meets whom depends on how they fought; the bot may have stepped in more than once.
    seats = {seat.account: seat for each in planned for seat in each.seats if seat.ticket is not None}
    assert len(seats) >= len(ROLES) - 2
    return [seats[account] for account in sorted(seats)]


def check_batches(playground: Playground, seats: list[Seat], examples: int) -> None:
    places = st.integers(0, len(seats) - 1)
    pairs = st.tuples(places, places, st.booleans(), st.booleans()).filter(lambda pair: pair[0] != pair[1])

    @examples_of(max_examples=examples, deadline=None, derandomize=True, database=None)
    @given(st.lists(pairs, min_size=1, max_size=6))
    def check(batch: list[tuple[int, int, bool, bool]]) -> None:
        # With its ticket a seat fights once; without it fights again and again, as a bot does.
        matches = [
            Planned(
                next(iter(playground.arena.leagues)),
                seats[first] if own else replace(seats[first], ticket=None),
                seats[second] if other else replace(seats[second], ticket=None),
            )
            for first, second, own, other in batch
        ]

        def one_by_one(connection: Connection) -> Any:
            now = playground.now
            alone = [resolve(connection, playground.arena, [each], now, player=playground.player) for each in matches]
            return [found for (found,) in alone]

        def at_once(connection: Connection) -> Any:
            return resolve(connection, playground.arena, matches, playground.now, player=playground.player)

        assert stored_by(playground, at_once) == stored_by(playground, one_by_one)

    check()


def test_a_batch_stores_what_its_matches_store_one_by_one(playground: Playground):
    check_batches(playground, filled(playground), 12)


def test_a_casual_batch_reveals_and_rates_nothing(sqlite: Database, clock: SteppingClock):
    playground = Playground(sqlite, clock, arena_of(league(mode="casual", reveal="season_end")))
    check_batches(playground, filled(playground), 4)


def claimed(playground: Playground, count: int) -> list[Planned]:
    for owner, entry in playground.players(count):
        playground.queue(owner, entry)
    with playground.write() as connection:
        return claim(connection, playground.arena, playground.arena.leagues["squads"], playground.now)


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_at_any_step_leaves_nothing_of_a_batch(small: Playground, step: str):
    planned = claimed(small, 4)
    seen = []

    def notice(name: str) -> None:
        seen.append(name)
        if name == step:
            raise Killed

    with pytest.raises(Killed), small.write() as connection:
        resolve(connection, small.arena, planned, small.now, player=small.player, notice=notice)
    assert tuple(seen) == STEPS[: STEPS.index(step) + 1]
    with small.read() as connection:
        for table in TOLD:
            assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0
        assert connection.execute(select(func.sum(league_day.c.last_no))).scalar_one() == 0
        assert connection.execute(select(func.sum(rating.c.n))).scalar_one() in (None, 0)
        assert set(connection.execute(select(ticket.c.state)).scalars()) == {"matched"}
    with small.write() as connection:
        assert None not in resolve(connection, small.arena, planned, small.now, player=small.player)


def test_a_ticket_that_is_gone_takes_no_number(small: Playground):
    planned = claimed(small, 6)
    with small.write() as connection:
        connection.execute(update(ticket).where(ticket.c.id == planned[1].first.ticket).values(state="waiting"))
        found = resolve(connection, small.arena, planned, small.now, player=small.player)
    assert [each.number if each else None for each in found] == [1, None, 2]
    assert resolve(None, small.arena, [], small.now, player=small.player) == []  # type: ignore[arg-type]


def test_a_rating_that_changed_in_between_undoes_the_batch(playground: Playground):
    planned = claimed(playground, 4)

    def work(connection: Connection) -> None:
        def notice(step: str) -> None:
            if step == "update ratings":
                connection.execute(update(rating).where(rating.c.account == planned[1].first.account).values(n=1))

        resolve(connection, playground.arena, planned, playground.now, player=playground.player, notice=notice)

    with pytest.raises(Interfered), playground.write() as connection:
        work(connection)


def test_a_meeting_remembers_the_last_two_rated_matches(playground: Playground):
    with playground.write() as connection:
        for at, rated_at in ((1, 1), (2, None), (3, 3), (4, 4), (5, None)):
            row = {"league": "squads", "account": "a", "opponent": "b", "at": at, "rated_at": rated_at}
            note_meetings(connection, [row])
        (found,) = connection.execute(select(meeting.c.at, meeting.c.rated_at, meeting.c.rated_before_at)).all()
    assert tuple(found) == (5, 4, 3)


class Failing(MatchPlayer):
    """Fails in the matches of one entry."""

    fails = ""

    def play(self, rules: Rules, first: Combatant, second: Combatant, match_seed: str) -> MatchResult:
        if self.fails in (first.code, second.code):
            raise Killed
        return super().play(rules, first, second, match_seed)


def test_a_failing_match_of_a_batch_fails_alone(small: Playground, settings: Settings):
    with RunningServer(settings, small.database, small.clock) as server:
        running: RunningArena = server.context.parts["arena"]
        planned = claimed(small, 6)
        player = Failing()
        player.fails = planned[1].second.combatant.code
        work = running._prepare_and_resolve(small.arena, small.arena.leagues["squads"], planned, player)
        assert server.wait(work) == 2
    with small.read() as connection:
        assert sorted(connection.execute(select(match.c.no)).scalars()) == [1, 2]
        left = connection.execute(select(ticket.c.id, ticket.c.state, ticket.c.failures)).all()
        assert {tuple(row) for row in left} == {(seat.ticket, "waiting", 1) for seat in planned[1].seats}
