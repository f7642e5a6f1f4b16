#!/usr/bin/env python3
"""Run a demo server through a month in minutes: its clock is stepped, and everything with a date happens by itself.

    python scripts/soak/month.py
    python scripts/soak/month.py --days 60 --database month.db

Each week is a server of its own, so the month has restarts. What happens weekly besides is in PARTS: each part is a
function that is called before a week, such as one that holds a tournament. At the end `fracas server check` has to
agree with every table.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, func, select

from fracas.server.accounts import leaving
from fracas.server.app import create_app
from fracas.server.arena.arena_loop import RunningArena
from fracas.server.arena.demo import OF_GUILDS, Demo
from fracas.server.arena.guilds import service
from fracas.server.arena.tournaments import service as tournaments
from fracas.server.arena.tournaments.pairing import FORMATS
from fracas.server.clock import DAY, HOUR, SteppingClock, day_of
from fracas.server.database.tables import due, guild, guild_member, match, season, tournament, war
from fracas.server.http.authorisation import Role
from fracas.server.http.context import Context
from fracas.server.settings import Settings

# Locks are at 20:00 and starts at 00:00.
STEP = 4 * HOUR
NOW = 1_795_392_000_000


@dataclass(frozen=True)
class Week:
    """A week that begins: the running server, and its number from 0."""

    context: Context
    arena: RunningArena
    number: int


async def stir_guilds(week: Week) -> None:
    """Let a member leave for another guild each week, and an owner go, so that strengths and sizes change."""

    def moved(connection: Connection) -> None:
        now = week.arena.now
        guilds = connection.execute(select(guild).where(guild.c.dissolved_at.is_(None)).order_by(guild.c.id)).all()
        largest = max(guilds, key=lambda each: len(leaving.members_of(connection, each.id)))
        other = next(each for each in guilds[week.number % len(guilds) :] + guilds if each.id != largest.id)
        member = leaving.members_of(connection, largest.id)[-(week.number % 2)]
        leaving.leave_guild(connection, member.account, now)
        service.join_guild(connection, member.account, other.code, now)
        if member.entry is not None:
            service.name_entry(connection, member.account, other.id, member.entry)

    await week.context.writer.run(moved)


async def hold_tournaments(week: Week) -> None:
    """Hold a tournament of each format, started by the clock on the second day, for all members of guilds."""
    arena = await week.arena.ready()

    def held(connection: Connection) -> None:
        now = week.arena.now
        members = connection.execute(select(guild_member).order_by(guild_member.c.account)).all()
        for number, form in enumerate(FORMATS):
            organiser = members[(week.number + number) % len(members)].account
            plan = tournaments.Plan(f"Week {week.number + 1}, {form}", OF_GUILDS, form, starts_at=now + DAY)
            made = tournaments.make(connection, arena, organiser, Role.PLAYER, plan, now)
            for each in members:
                if each.entry is not None:
                    tournaments.enter(connection, arena, each.account, made, each.entry, now)

    await week.context.writer.run(held)


Part = Callable[[Week], Awaitable[None]]
PARTS: tuple[Part, ...] = (stir_guilds, hold_tournaments)


async def run_week(settings: Settings, clock: SteppingClock, number: int, days: int) -> None:
    """Start a server, run it for some days, and stop it."""
    app = create_app(settings, clock=clock, preload=False)
    async with app.router.lifespan_context(app):
        context: Context = app.state.context
        arena: RunningArena = context.parts["arena"]
        if number == 0:
            await Demo(context, await arena.ready(), arena.now).fill()
        for part in PARTS:
            await part(Week(context, arena, number))
        for _ in range(days * DAY // STEP):
            clock.step(STEP)
            await arena.tick()
        counts = await context.readers.run(counted)
        print(f"{day_of(clock.now_ms())}: " + ", ".join(f"{count:,} {what}" for what, count in counts.items()))


def counted(connection: Connection) -> dict[str, int]:
    """How much there is of everything that has a date."""

    def count(query: object) -> int:
        return int(connection.execute(select(func.count()).select_from(query)).scalar_one())  # type: ignore[arg-type]

    found = {"matches": count(match), "seasons": count(season), "guilds": count(guild)}
    found["members"] = count(guild_member)
    states = select(war.c.state, func.count()).group_by(war.c.state).order_by(war.c.state)
    of_tournaments = select(tournament.c.state, func.count()).group_by(tournament.c.state)
    found |= {f"tournaments {state}": number for state, number in connection.execute(of_tournaments).all()}
    found |= {f"wars {state}": number for state, number in connection.execute(states).all()}
    found["dues done"] = count(select(due).where(due.c.done_at.is_not(None)).subquery())
    return found


def run(database: Path, days: int) -> int:
    """Run the month, then the check; return the exit status."""
    settings = Settings(database=str(database), rate_limit=0, secret_file=str(database.with_suffix(".secret")))
    clock, begun = SteppingClock(NOW), time.perf_counter()
    for number, first in enumerate(range(0, days, 7)):
        asyncio.run(run_week(settings, clock, number, min(7, days - first)))
    print(f"{days} days in {time.perf_counter() - begun:.0f} s")
    check = partial(subprocess.run, check=False)
    command = [sys.executable, "-m", "fracas", "server", "check"]
    return check([*command, "--database", settings.database, "--secret-file", settings.secret_file]).returncode


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--database", type=Path, help="keep the database in this file; default: a temporary one")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return run(asked.database or Path(folder) / "month.db", asked.days)


if __name__ == "__main__":
    sys.exit(main())
