"""Measures what a match of the arena costs: entering the queue, pairing, compiling, resolving.

    python benchmarks/arena.py [LEAGUE] [-n ROUNDS]

Forty accounts with the entries of the league's bots fight round after round on a SQLite file, each round in one batch
of about twenty matches. Prints milliseconds of processor time per match. The first third of the rounds warms up and is
not counted.
"""

from __future__ import annotations

import argparse
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
from fracas.server.arena.domain import Arena
from fracas.server.arena.league import read_leagues
from fracas.server.arena.match_player import MatchPlayer, Rules
from fracas.server.arena.matches.matchmaker import claim
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.seasons.season import open_league
from fracas.server.clock import MINUTE, SteppingClock
from fracas.server.database.engine import open_database
from fracas.server.database.tables import account, meeting, metadata, ticket
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


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("league", nargs="?", help="league to measure; default: all shipped ones")
    parser.add_argument("-n", type=int, default=ROUNDS, metavar="ROUNDS", help=f"rounds; default: {ROUNDS}")
    arguments = parser.parse_args()
    for name in [arguments.league] if arguments.league else read_leagues():
        with tempfile.TemporaryDirectory() as folder:
            made, spent = measure(name, arguments.n, Path(folder) / "arena.db")
        costs = ", ".join(f"{what} {1000 * seconds / made:.2f} ms" for what, seconds in spent.items())
        print(f"{name}: {made} matches; {costs}", flush=True)


if __name__ == "__main__":
    main()
