"""Tournaments on a database: whoever is killed, leaves or is deleted, each finishes and plays every game once."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import func, select, update
from tests.helpers.arena import Playground, arena_of, league
from tests.helpers.wars import do_due

from fracas.errors import InputError
from fracas.server.accounts.deletion import delete_account
from fracas.server.arena import service as entries
from fracas.server.arena.proofs.check import check_arena
from fracas.server.arena.proofs.league_day import verify_document
from fracas.server.arena.proofs.published import league_day_file
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.arena.seasons.days import publish_days
from fracas.server.arena.tournaments import rounds, service, store
from fracas.server.arena.tournaments.pairing import ELIMINATION, FORMATS, ROUND_ROBIN, SWISS
from fracas.server.arena.tournaments.service import Plan
from fracas.server.clock import DAY, HOUR, MINUTE, SteppingClock, day_of
from fracas.server.database.tables import (
    account,
    event,
    match,
    tournament,
    tournament_game,
    tournament_pairing,
)

NOTICES = ("lock ratings", "insert match", "update ratings", "insert games", "decide pairings", "end of games")


class Killed(Exception):
    """The process dies here."""


class Cup:
    """A tournament in a playground, which a test plays step by step."""

    def __init__(self, playground: Playground, format: Any, players: list[tuple[str, str]], **plan: Any) -> None:
        self.playground = playground
        role = "operator" if plan.get("rated") else "player"
        self.organiser = playground.account(f"organiser-{playground.clock.step(1)}", role)
        wanted = Plan("Cup", "squads", format, **plan)
        with playground.write() as connection:
            self.id = service.make(connection, playground.arena, self.organiser, role, wanted, playground.now)
        for whom, entry in players:
            with playground.write() as connection:
                service.enter(connection, playground.arena, whom, self.id, entry, playground.now)

    @property
    def row(self) -> Any:
        with self.playground.read() as connection:
            return store.row_of(connection, self.id)

    def start(self) -> None:
        with self.playground.write() as connection:
            service.start_now(connection, self.playground.arena, self.organiser, self.id, self.playground.now)

    def step(self, dies_at: str = "", most: int = 4) -> None:
        """One transaction, or one that is killed."""
        arena, now = self.playground.arena, self.playground.now

        def notice(step: str) -> None:
            if step == dies_at:
                raise Killed

        try:
            do_due(self.playground)
            with self.playground.read() as connection:
                found = rounds.next_games(connection, arena, self.id, now, most)
            with self.playground.write() as connection:
                if found is not None and found.games:
                    rounds.play(connection, arena, found, now, player=self.playground.player, notice=notice)
                elif found is not None:
                    rounds.advance(connection, arena, self.id, now)
                    if dies_at:
                        raise Killed
        except Killed:
            pass

    def finish(self) -> None:
        for _ in range(10_000):
            if self.row.state != "running":
                return
            self.playground.clock.step(MINUTE if self.row.pause_ms else 0)
            self.step(most=32)
        raise AssertionError("it does not end")

    def check(self) -> None:
        with self.playground.read() as connection:
            report = check_arena(connection, self.playground.arena)
            assert report.is_sound, report.faults
            pairs = connection.execute(select(tournament_pairing.c.first, tournament_pairing.c.second)).all()
            assert max(Counter(pair for pair in pairs if pair.second is not None).values()) == 1
            games = connection.execute(select(func.count()).select_from(tournament_game)).scalar_one()
            matches = select(func.count()).select_from(match).where(match.c.kind == "tournament")
            assert connection.execute(matches).scalar_one() == games


@pytest.mark.parametrize("format", FORMATS)
def test_killed_anywhere_it_finishes_with_every_game_played_once(small: Playground, format):
    random = Random(format)
    players = small.players(7)
    cup = Cup(small, format, players, best_of=3, pause_minutes=1 if format == SWISS else 0)
    cup.start()
    for number in range(25):
        cup.step(random.choice(["", *NOTICES]))
        small.clock.step(20_000)
        if number == 4:
            with small.write() as connection:
                service.leave(connection, players[2][0], cup.id)
        if number == 8:
            with small.write() as connection:
                delete_account(connection, players[5][0], small.now)
        if number == 12:
            with small.write() as connection:
                gone = account.c.id == players[0][0]
                connection.execute(update(account).where(gone).values(state="suspended"))
    cup.finish()
    cup.check()
    with small.read() as connection:
        stands = store.entrants_of(connection, cup.id, players[1][0]).items
        bracket = store.bracket_of(connection, cup.id)
    assert len(stands) == 7
    assert sum(each.left_in is not None for each in stands) >= 2
    assert [each.entry for each in stands if each.entry] == [players[1][1]]
    assert {each.how for round in bracket.rounds for each in round.pairings} >= {"played", "walkover"}
    if format == ROUND_ROBIN:
        assert sum(len(round.pairings) for round in bracket.rounds) == 21
    if format == ELIMINATION:
        assert [round.name for round in bracket.rounds] == ["Quarter-finals", "Semi-finals", "Final"]


def test_its_matches_are_in_the_days_file_with_the_modifier_of_its_start(clock: SteppingClock, one_database):
    play = Playground(one_database, clock, arena_of(league(modifier="weekly")))
    cup = Cup(play, ROUND_ROBIN, play.players(3), pause_minutes=1440)
    cup.start()
    taken = cup.row.modifier
    cup.step()
    # Into the next week: the league has another modifier, the tournament has not.
    while play.arena.league("squads").modifier_at(_date(play)) == taken:
        clock.step(DAY)
        _publish(play)
    for _ in range(40):
        cup.step()
        clock.step(HOUR)
    day = day_of(clock.now_ms())
    clock.step(DAY)
    _publish(play)
    cup.finish()
    with play.read() as connection:
        played = connection.execute(select(match.c.day, match.c.modifier)).all()
        assert {row.modifier for row in played} == {taken}
        assert len({row.day for row in played}) == 3
        for day in {row.day for row in played} - {day_of(clock.now_ms())}:
            found = verify_document(league_day_file(connection, play.arena, "squads", day), "day")
            assert found.matches, found.difference
            assert found.replayed == found.matches_checked > 0
    cup.check()


def _date(play: Playground) -> Any:
    from fracas.server.clock import date_of

    return date_of(play.now)


def _publish(play: Playground) -> None:
    with play.write() as connection:
        publish_days(connection, play.arena, "squads", play.now)


def test_a_rated_tournament_rates_two_matches_of_a_pair_a_day(small: Playground):
    players = small.players(2)
    with small.write() as connection, pytest.raises(InputError, match="only operators"):
        service.make(
            connection, small.arena, players[0][0], "player", Plan("A", "squads", SWISS, rated=True), small.now
        )
    cup = Cup(small, ELIMINATION, players, best_of=9, rated=True)
    cup.start()
    cup.finish()
    cup.check()
    with small.read() as connection:
        from fracas.server.database.tables import match_side

        rated = connection.execute(select(match_side.c.match).where(match_side.c.rated == 1)).all()
        assert len(rated) == 4


def test_the_clock_starts_it_and_one_without_rivals_is_called_off(small: Playground):
    players = small.players(3)
    at = small.now + HOUR
    cup, empty = Cup(small, SWISS, players, starts_at=at), Cup(small, SWISS, players[:1], starts_at=at)
    cup.step()
    assert cup.row.state == "entering"
    small.clock.step(2 * HOUR)
    with small.write() as connection, pytest.raises(Conflict, match="no more"):
        service.enter(connection, small.arena, players[0][0], cup.id, players[0][1], small.now)
    cup.step()
    assert (cup.row.state, cup.row.round) == ("running", 1)
    assert (empty.row.state, empty.row.reason) == ("cancelled", "too few had entered")
    cup.finish()
    cup.check()
    with small.read() as connection:
        told = [row.type for row in connection.execute(select(event.c.type).where(event.c.account == players[0][0]))]
    assert {"tournament.round", "tournament.result", "tournament.over", "match.resolved"} <= set(told)
    assert told.count("tournament.cancelled") == 1


def test_what_is_not_possible_is_refused(small: Playground):
    (ann, entry), (bob, other) = small.players(2)
    plans = {
        "best_of": Plan("A", "squads", SWISS, best_of=2),
        "rounds": Plan("A", "squads", ELIMINATION, rounds=3),
        "most": Plan("A", "squads", ROUND_ROBIN, most=65),
        "starts_at": Plan("A", "squads", SWISS, starts_at=1),
        "pause_minutes": Plan("A", "squads", SWISS, pause_minutes=-1),
        "title": Plan("", "squads", SWISS),
    }
    for key, plan in plans.items():
        with small.write() as connection, pytest.raises(InputError, match=key):
            service.make(connection, small.arena, ann, "player", plan, small.now)
    cup = Cup(small, SWISS, [(ann, entry)], most=2)
    with small.write() as connection:
        for work, refusal in (
            (partial(service.start_now, arena=small.arena, whom=bob, identifier=cup.id, now=small.now), Missing),
            (partial(service.start_now, arena=small.arena, whom=cup.organiser, identifier=cup.id, now=1), Conflict),
            (partial(service.leave, whom=bob, identifier=cup.id), Missing),
            (partial(service.enter, arena=small.arena, whom=bob, identifier=cup.id, entry_id=entry, now=1), Missing),
            (partial(entries.withdraw_entry, account=ann, entry_id=entry), Conflict),
        ):
            with pytest.raises(refusal), connection.begin_nested():
                work(connection)
        service.enter(connection, small.arena, bob, cup.id, other, small.now)
        service.leave(connection, ann, cup.id)
        entries.withdraw_entry(connection, ann, entry)
        with pytest.raises(Missing):
            service.cancel(connection, bob, cup.id, small.now)
        service.cancel(connection, cup.organiser, cup.id, small.now)
    assert cup.row.state == "cancelled"


def test_battles_that_cannot_be_played_do_not_hold_it_up(small: Playground):
    cup = Cup(small, SWISS, small.players(2))
    cup.start()
    with small.write() as connection:
        rounds.give_up(connection, cup.id, 1, 0, small.now)
    cup.finish()
    cup.check()
    with small.read() as connection:
        (only,) = connection.execute(select(tournament_pairing)).all()
    assert (only.how, only.first_points, only.second_points) == ("failed", 1, 1)


def test_check_tells_what_does_not_fit(small: Playground):
    cup = Cup(small, SWISS, small.players(4))
    cup.start()
    cup.finish()
    for wrong, told in (
        ({"first_points": 1, "second_points": 1, "how": "played"}, "another result than its games"),
        ({"how": None}, "is not decided"),
        ({"first": 2, "second": 3}, "other pairings"),
    ):
        with small.write() as connection:
            which = (tournament_pairing.c.round == 1) & (tournament_pairing.c.slot == 0)
            row = connection.execute(select(tournament_pairing).where(which)).one()
            if "first_points" in wrong and row.first_points == 1:
                wrong = {"first_points": 2, "second_points": 0}
            connection.execute(update(tournament_pairing).where(which).values(wrong))
        with small.read() as connection:
            faults = check_arena(connection, small.arena).faults
        assert any(told in fault for fault in faults), (told, faults)
        with small.write() as connection:
            back = {name: getattr(row, name) for name in ("first", "second", "first_points", "second_points", "how")}
            connection.execute(update(tournament_pairing).where(which).values(back))
    cup.check()


def test_changed_rules_keep_a_season_until_its_tournaments_are_abandoned(small: Playground):
    from fracas.server.admin.arena import _migrated
    from fracas.server.arena.arena_loop import open_arena

    cup = Cup(small, SWISS, small.players(2))
    cup.start()
    small.arena = arena_of(league(points=999))
    with small.write() as connection:
        open_arena(connection, small.arena, small.now, migrates=True)
    cup.step()
    assert cup.row.state == "running"
    with small.write() as connection, pytest.raises(InputError, match=r"tournaments \(1\)"):
        _migrated(connection, small.arena, "squads", small.now, abandon=False)
    with small.write() as connection:
        assert _migrated(connection, small.arena, "squads", small.now, abandon=True) == 0
    assert (cup.row.state, cup.row.reason) == ("abandoned", "the rules of its league changed")
    with small.read() as connection:
        assert connection.execute(select(tournament.c.state)).scalar_one() == "abandoned"
