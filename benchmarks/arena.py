"""Measures what a match of the arena costs: entering the queue, pairing, compiling, resolving.

    python benchmarks/arena.py [LEAGUE] [-n ROUNDS]
    python benchmarks/arena.py [LEAGUE] --tournaments

Forty accounts with the entries of the league's bots fight round after round on a SQLite file, each round in one batch
of about twenty matches. Prints milliseconds of processor time per match. The first third of the rounds warms up and is
not counted.

With `--tournaments`: the seconds of a round robin of 64 entrants and of a Swiss of 512, each with an entry of its own,
through the transactions of the server's loop. Default: in squads.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import insert

from fracas.server.arena import service
from fracas.server.arena.bots import read_bots
from fracas.server.arena.day_secrets import SecretBox
from fracas.server.arena.domain import Arena, Planned
from fracas.server.arena.league import read_leagues
from fracas.server.arena.match_player import MatchPlayer, Rules
from fracas.server.arena.matches.matchmaker import claim
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.seasons.season import open_league
from fracas.server.arena.tournaments import service as cups
from fracas.server.arena.tournaments.loop import TournamentPlayer
from fracas.server.arena.tournaments.pairing import MOST, MOST_IN_ROUND_ROBIN, ROUND_ROBIN, SWISS
from fracas.server.arena.tournaments.store import game_rows, row_of
from fracas.server.clock import MINUTE, SteppingClock
from fracas.server.database.engine import Database, open_database
from fracas.server.database.notices import Listeners
from fracas.server.database.readers import Readers
from fracas.server.database.tables import account, meeting, metadata, ticket
from fracas.server.database.writer import Writer
from fracas.server.ids import new_id

ACCOUNTS, ROUNDS = 40, 45


def measure(name: str, rounds: int, file: Path) -> tuple[int, Counter[str]]:
    """The number of matches, and the seconds of processor time of each stage."""
    league = read_leagues()[name]
    arena, clock, player = Arena({name: league}, SecretBox(bytes(32))), SteppingClock(), MatchPlayer(2 * ACCOUNTS**2)
    entries = [bot.entry for bot in read_bots(league)]
    database = open_database(str(file))
    spent: Counter[str] = Counter()
    made = 0

    @contextmanager
    def stage(what: str) -> Iterator[None]:
        started = time.process_time()
        yield
        spent[what] += time.process_time() - started

    with database.writing.begin() as connection:
        metadata.create_all(connection)
        open_league(connection, arena, league, clock.now_ms())
        players = []
        for number in range(ACCOUNTS):
            owner, handle, now = new_id(clock.now_ms()), f"account-{number}", clock.now_ms()
            values = {"id": owner, "handle": handle, "handle_key": handle, "created_at": now}
            connection.execute(insert(account).values(**values))
            document = entries[number % len(entries)]
            ranked = league.is_ranked
            made_entry = service.submit_entry(connection, arena, owner, name, "x", document, now, ranked=ranked)
            players.append((owner, made_entry.entry))
    for number in range(rounds):
        if number == rounds // 3:
            spent.clear()
            made = 0
        with database.writing.begin() as connection:
            # Everybody may meet anybody again, and nobody is left over from the last round.
            connection.execute(meeting.delete())
            connection.execute(ticket.delete())
        with stage("queue"), database.writing.begin() as connection:
            for owner, entry in players:
                service.enter_queue(connection, arena, owner, entry, clock.now_ms())
        clock.step(2 * MINUTE)
        now = clock.now_ms()
        with stage("pair"), database.writing.begin() as connection:
            planned = claim(connection, arena, league, now)
        rules = Rules.at(league, now)
        with stage("compile"):
            for each in planned:
                player.ready(rules, each.first.combatant, each.second.combatant)
        with stage("resolve"), database.writing.begin() as connection:
            made += sum(each is not None for each in resolve(connection, arena, planned, now, player=player))
    database.close()
    return made, spent


def tournaments(name: str, file: Path) -> None:
    """Play a round robin and a Swiss, and print how long they took."""
    league = read_leagues()[name]
    arena, clock = Arena({name: league}, SecretBox(bytes(32))), SteppingClock()
    documents = [bot.entry for bot in read_bots(league)]
    database = open_database(str(file))
    entrants = []
    with database.writing.begin() as connection:
        metadata.create_all(connection)
        open_league(connection, arena, league, clock.now_ms())
        for number in range(MOST):
            owner, now = new_id(clock.now_ms()), clock.now_ms()
            values = {"id": owner, "handle": f"account-{number}", "handle_key": f"account-{number}", "created_at": now}
            connection.execute(insert(account).values(**values))
            document = documents[number % len(documents)]
            entrants.append((owner, service.submit_entry(connection, arena, owner, name, "x", document, now).entry))
    for format, count in ((ROUND_ROBIN, MOST_IN_ROUND_ROBIN), (SWISS, MOST)):
        with database.writing.begin() as connection:
            now = clock.now_ms()
            plan = cups.Plan("Cup", name, format)
            cup = cups.make(connection, arena, entrants[0][0], "player", plan, now)
            for owner, entry in entrants[:count]:
                cups.enter(connection, arena, owner, cup, entry, now)
        started, spent = time.perf_counter(), time.process_time()
        with database.writing.begin() as connection:
            cups.start_now(connection, arena, entrants[0][0], cup, now)
        asyncio.run(_play(arena, clock, database))
        seconds, cpu = time.perf_counter() - started, time.process_time() - spent
        with database.reading.connect() as connection:
            row = row_of(connection, cup)
            games = len(game_rows(connection, cup))
        told = f"{format} of {count}: {row.state} after {row.round} rounds and {games:,} matches"
        print(f"{name}, {told}; {seconds:.1f} s, {games / seconds:.0f} a second, {cpu:.1f} s of processor", flush=True)
    database.close()


async def _play(arena: Arena, clock: SteppingClock, database: Database) -> None:
    async def keep(arena: Arena, planned: Planned, error: Exception, now: int) -> str:
        raise error

    writer, readers = Writer(database, Listeners()), Readers(database)
    player = TournamentPlayer(clock, writer, readers, keep)
    while await player.play(arena):
        pass
    writer.stop()
    readers.stop()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("league", nargs="?", help="league to measure; default: all shipped ones")
    parser.add_argument("-n", type=int, default=ROUNDS, metavar="ROUNDS", help=f"rounds; default: {ROUNDS}")
    parser.add_argument("--tournaments", action="store_true", help="measure a round robin and a Swiss")
    arguments = parser.parse_args()
    if arguments.tournaments:
        with tempfile.TemporaryDirectory() as folder:
            tournaments(arguments.league or "squads", Path(folder) / "arena.db")
        return
    for name in [arguments.league] if arguments.league else read_leagues():
        with tempfile.TemporaryDirectory() as folder:
            made, spent = measure(name, arguments.n, Path(folder) / "arena.db")
        costs = ", ".join(f"{what} {1000 * seconds / made:.2f} ms" for what, seconds in spent.items())
        print(f"{name}: {made} matches; {costs}", flush=True)


if __name__ == "__main__":
    main()
