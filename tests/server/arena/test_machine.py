"""Whatever accounts, clocks and failing processes do: the arena stays sound."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule
from sqlalchemy import func, select
from tests.helpers.arena import TEAMS, Playground, arena_of, league
from tests.helpers.wars import do_due

from fracas.server.arena import service
from fracas.server.arena.matches import matchmaker
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.proofs.check import check_arena
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.arena.seasons.season import latest_season
from fracas.server.clock import DAY, HOUR, MINUTE, SteppingClock
from fracas.server.database.engine import open_database
from fracas.server.database.tables import match, match_side, meeting, rating, ticket

STEPS = ("check tickets", "play", "insert match", "update ratings", "settle tickets", "move head", "end")


class Killed(Exception):
    """The process dies here."""


class ArenaMachine(RuleBasedStateMachine):
    """Accounts enter, change, withdraw and queue; matches are made, killed half-way, days and seasons end."""

    empty: Path
    accounts: Bundle[str] = Bundle("accounts")
    planned: Bundle[Any] = Bundle("planned")

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        file = self.folder / "fracas.db"
        file.write_bytes(self.empty.read_bytes())
        arena = arena_of(league(season_days=3), league(id="casual", mode="casual"))
        self.playground = Playground(open_database(str(file)), SteppingClock(), arena)
        self.entries: dict[tuple[str, str], str] = {}
        self.count = 0

    def teardown(self) -> None:
        if not hasattr(self, "playground"):
            return
        try:
            with self.playground.read() as connection:
                report = check_arena(connection, self.playground.arena)
                assert report.is_sound, report.faults
        finally:
            self.playground.database.close()
            shutil.rmtree(self.folder)

    @rule(target=accounts, role=st.sampled_from(["player", "player", "player", "operator"]))
    def sign_up(self, role: str) -> str:
        self.count += 1
        return self.playground.account(f"account-{self.count}", role)

    @rule(who=accounts, where=st.sampled_from(["squads", "casual"]), team=st.sampled_from(TEAMS))
    def submit(self, who: str, where: str, team: list[str]) -> None:
        known = self.entries.get((who, where))
        with self.playground.write() as connection:
            if known is not None:
                service.change_entry(
                    connection, self.playground.arena, who, known, {"units": team}, self.playground.now
                )
                return
        self.entries[who, where] = self.playground.entry(who, where, ranked=where == "squads", document={"units": team})

    @rule(who=accounts, where=st.sampled_from(["squads", "casual"]))
    def withdraw(self, who: str, where: str) -> None:
        known = self.entries.get((who, where))
        if known is None:
            return
        try:
            with self.playground.write() as connection:
                service.withdraw_entry(connection, who, known)
            del self.entries[who, where]
        except Conflict:
            pass

    @rule(who=accounts, where=st.sampled_from(["squads", "casual"]), kind=st.sampled_from(["once", "standing"]))
    def queue(self, who: str, where: str, kind: str) -> None:
        known = self.entries.get((who, where))
        if known is None:
            return
        with self.playground.read() as connection:
            waits = select(func.count()).select_from(ticket)
            where_ = (ticket.c.account == who) & (ticket.c.league == where)
            is_in = connection.execute(waits.where(where_)).scalar_one()
        try:
            self.playground.queue(who, known, kind=kind)
            assert not is_in
        except Conflict:
            assert is_in

    @rule(who=accounts)
    def leave(self, who: str) -> None:
        with self.playground.read() as connection:
            tickets = service.own_tickets(connection, who)
        for each in tickets:
            try:
                with self.playground.write() as connection:
                    service.leave_queue(connection, who, each.id)
                assert each.state != "matched"
            except Conflict:
                assert each.state == "matched"

    @rule(target=planned, where=st.sampled_from(["squads", "casual"]))
    def claim(self, where: str) -> Any:
        with self.playground.write() as connection:
            return matchmaker.claim(
                connection, self.playground.arena, self.playground.arena.leagues[where], self.playground.now
            )

    @rule(pairs=consumes(planned), step=st.none() | st.sampled_from(STEPS))
    def fight(self, pairs: Any, step: str | None) -> None:
        def notice(name: str) -> None:
            if name == step:
                raise Killed

        for each in pairs:
            try:
                with self.playground.write() as connection:
                    found = resolve(
                        connection,
                        self.playground.arena,
                        each,
                        self.playground.now,
                        player=self.playground.player,
                        notice=notice,
                    )
                with self.playground.write() as connection:
                    if found is None:
                        matchmaker.release(connection, [each])
            except Killed:
                with self.playground.write() as connection:
                    matchmaker.give_up(connection, each, self.playground.now)

    @rule(time=st.sampled_from([MINUTE, HOUR, DAY, 4 * DAY, -MINUTE]))
    def pass_time(self, time: int) -> None:
        self.playground.clock.step(time)

    @rule()
    def do_due_work(self) -> None:
        do_due(self.playground)

    @invariant()
    def ratings_count_their_matches(self) -> None:
        if not hasattr(self, "playground"):
            return
        with self.playground.read() as connection:
            season = latest_season(connection, "squads")
            assert season is not None
            number = season.no
            counted = dict(
                connection.execute(
                    select(match_side.c.account, func.count())
                    .where(match_side.c.season == number, match_side.c.rated == 1)
                    .group_by(match_side.c.account)
                ).all()
            )
            stored = connection.execute(select(rating.c.account, rating.c.n).where(rating.c.season == number)).all()
            assert {row.account: row.n for row in stored if row.n} == counted
            casual = select(func.count()).select_from(match_side).where(match_side.c.league == "casual")
            assert connection.execute(casual.where(match_side.c.rated == 1)).scalar_one() == 0
            assert (
                connection.execute(select(func.count()).where(meeting.c.account == meeting.c.opponent)).scalar_one()
                == 0
            )
            assert (
                connection.execute(select(func.count()).where(match.c.score_a + match.c.score_b != 4)).scalar_one() == 0
            )


def test_the_arena_stays_sound(empty_sqlite: Path):
    class Machine(ArenaMachine):
        empty = empty_sqlite

    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=12, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


def test_what_is_missing_is_missing(small: Playground):
    with small.write() as connection, pytest.raises(Missing):
        service.leave_queue(connection, "nobody", "nothing")
