"""Whatever guilds, their members, clocks and dying processes do: every war is fought once and to its end."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, rule, run_state_machine_as_test
from sqlalchemy import select
from tests.helpers.arena import TEAMS, Playground, arena_of, league
from tests.helpers.soak import times
from tests.helpers.wars import code_of, do_due, fight_all, plan, wars_of

from fracas.server.accounts.deletion import delete_account
from fracas.server.arena import dues, service
from fracas.server.arena.guilds import service as guilds
from fracas.server.arena.proofs.check import check_arena
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.arena.wars import fighting, war
from fracas.server.clock import DAY, HOUR, WEEK, SteppingClock, monday_of
from fracas.server.database.engine import open_database
from fracas.server.database.tables import entry, guild_member


class Killed(Exception):
    """The process dies here."""


class WarMachine(RuleBasedStateMachine):
    """People found, join, leave and dissolve guilds, name and change entries, and go; weeks pass; servers die."""

    empty: Path
    people: Bundle[str] = Bundle("people")

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        file = self.folder / "fracas.db"
        file.write_bytes(self.empty.read_bytes())
        arena = arena_of(league(season_days=10, modifier="weekly"))
        self.playground = Playground(open_database(str(file)), SteppingClock(), arena)
        self.count = 0
        self.handles: dict[str, str] = {}
        plan(self.playground)
        for size in (2, 1, 1):
            self._found(size)

    def teardown(self) -> None:
        if not hasattr(self, "playground"):
            return
        try:
            do_due(self.playground)
            fight_all(self.playground)
            assert {each.state for each in wars_of(self.playground)} <= {"locked", "over", "bye"}
            with self.playground.read() as connection:
                report = check_arena(connection, self.playground.arena)
            assert report.is_sound, report.faults
        finally:
            self.playground.database.close()
            shutil.rmtree(self.folder)

    def _person(self, team: list[str]) -> str:
        self.count += 1
        who = self.playground.account(f"person-{self.count}")
        self.handles[who] = f"person-{self.count}"
        self.playground.entry(who, document={"units": team})
        return who

    def _found(self, size: int) -> None:
        owner = self._person(TEAMS[self.count % len(TEAMS)])
        with self.playground.write() as connection:
            name = f"Guild {self.count}"
            found = guilds.found_guild(connection, self.playground.arena, owner, name, "squads", self.playground.now)
        self._name(owner)
        for _ in range(size - 1):
            member = self._person(TEAMS[self.count % len(TEAMS)])
            with self.playground.write() as connection:
                guilds.join_guild(connection, member, code_of(connection, found), self.playground.now)
            self._name(member)

    def _guild(self, who: str) -> str | None:
        with self.playground.read() as connection:
            query = select(guild_member.c.guild).where(guild_member.c.account == who)
            found: str | None = connection.execute(query).scalar_one_or_none()
            return found

    def _name(self, who: str) -> None:
        with self.playground.read() as connection:
            query = select(entry.c.id).where(entry.c.account == who, entry.c.state == "active")
            own = connection.execute(query).scalars().first()
        if own is not None:
            with suppress(Missing), self.playground.write() as connection:
                guilds.name_entry(connection, who, self._guild(who) or "", own)

    @rule(target=people, team=st.sampled_from(TEAMS), founds=st.booleans())
    def come(self, team: list[str], founds: bool) -> str:
        who = self._person(team)
        if founds:
            with self.playground.write() as connection:
                name = f"Guild {self.count}"
                guilds.found_guild(connection, self.playground.arena, who, name, "squads", self.playground.now)
        return who

    @rule(who=people, whose=people)
    def join(self, who: str, whose: str) -> None:
        found = self._guild(whose)
        if found is not None:
            with suppress(Conflict), self.playground.write() as connection:
                guilds.join_guild(connection, who, code_of(connection, found), self.playground.now)

    @rule(who=people)
    def name(self, who: str) -> None:
        self._name(who)

    @rule(who=people, how=st.sampled_from(["leave", "dissolve", "withdraw"]))
    def go(self, who: str, how: str) -> None:
        found, now = self._guild(who) or "", self.playground.now
        with suppress(Missing), self.playground.write() as connection:
            if how == "leave":
                guilds.remove_member(connection, who, found, self.handles[who], now)
            elif how == "dissolve":
                guilds.dissolve(connection, who, found, now)
            else:
                for own in connection.execute(select(entry.c.id).where(entry.c.account == who)).scalars().all():
                    service.withdraw_entry(connection, who, own)

    @rule(who=consumes(people))
    def delete(self, who: str) -> None:
        with self.playground.write() as connection:
            delete_account(connection, who, self.playground.now)

    @rule(time=st.sampled_from(["lock", "start", "lock", "start", "weeks", "hour", "back"]))
    def pass_time(self, time: str) -> None:
        now = self.playground.now
        monday = monday_of(now) + WEEK
        steps = {"lock": monday - war.LOCKED_FOR - now, "start": monday - now, "weeks": 2 * WEEK + DAY, "hour": HOUR}
        self.playground.clock.step(steps.get(time, -DAY))

    @rule(most=st.integers(1, 8), dies=st.booleans())
    def do_some_due_work(self, most: int, dies: bool) -> None:
        for number in range(most):
            with suppress(Killed), self.playground.write() as connection:
                dues.do_next(connection, self.playground.arena, self.playground.now)
                if dies and number == most - 1:
                    raise Killed

    @rule(most=st.integers(1, 3), dies=st.booleans())
    def fight_some(self, most: int, dies: bool) -> None:
        with self.playground.read() as connection:
            front = fighting.next_front(connection, most)
        if front is not None:
            fought = fighting.fight(front, self.playground.player)
            with suppress(Killed), self.playground.write() as connection:
                war.store(connection, front.war, fought, reveals=True, now=self.playground.now)
                if dies:
                    raise Killed


def test_wars_stay_sound(empty_sqlite: Path):
    class Machine(WarMachine):
        empty = empty_sqlite

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=times(8), stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
