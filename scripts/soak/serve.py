"""Kill `fracas serve` in the middle of load, start it again, and check everything it stored; again and again.

    python scripts/soak/serve.py [--kills N] [--accounts N]

Clients enter queues, submit new versions and read, without a pause, and their entries meet in tournaments. After a
random part of a second the server is ended with kill -9. `fracas server check` then plays every match again, adds up
every rating, follows every chain and makes every bracket anew, and every answer that a client got before the kill must
still be true. At the end all tournaments must end. Exit status 1 if anything is lost or wrong.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.live_server import LiveServer  # noqa: E402
from blake3 import blake3  # noqa: E402

from fracas.client import Client, ConnectionFailed, ServerProblem  # noqa: E402
from fracas.server.arena.tournaments.pairing import FORMATS  # noqa: E402

LEAGUE = ROOT / "src/fracas/data/leagues/squads.toml"
TEAMS = (["scout", "bronze_knight", "novice_cleric"], ["apprentice_wizard", "bronze_knight", "bronze_knight"])
PASSWORD = "correct horse battery"
# How long the last tournament may take.
CUP_SECONDS = 120


class Player(threading.Thread):
    """An account that asks for something all the time, and remembers what was acknowledged."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(daemon=True)
        self.number = number
        self.client = Client(url, timeout=5)
        self.client.register(f"soak-{number}", PASSWORD)
        made = self.client.arena.submit("squads", f"Soak {number}", {"units": TEAMS[number % 2]}, ranked=True)
        self.entry, self.version = made.entry, made.version
        self.matches: set[str] = set()
        self.stopping = threading.Event()

    def run(self) -> None:
        """Ask until the server is gone."""
        step = 0
        # One request after another is repeated by the client; a killed server answers none of them.
        while not self.stopping.is_set():
            step += 1
            try:
                self.ask(step)
            except ConnectionFailed:
                return
            except ServerProblem as problem:
                if problem.status not in (409, 503):
                    raise

    def ask(self, step: int) -> None:
        """Do one thing."""
        if step % 3 == 0:
            made = self.client.arena.change(self.entry, {"units": TEAMS[(self.number + step) % 2]})
            self.version = made.version
        elif step % 3 == 1:
            self.client.arena.enter(self.entry)
        else:
            for place, match in enumerate(self.client.arena.matches(account=f"soak-{self.number}")):
                self.matches.add(match.id)
                if place > 20:
                    break


def write_league(folder: Path) -> None:
    """Write a folder of one league, in which strangers meet at once."""
    (folder / "leagues").mkdir()
    text = LEAGUE.read_text(encoding="utf-8").replace('mode = "ranked"', 'mode = "ranked"\nwindow = 10000')
    (folder / "leagues" / "squads.toml").write_text(text, encoding="utf-8")


def soak(folder: Path, kills: int, accounts: int, say: Any = print) -> list[str]:
    """Kill and check; returns what was lost or wrong."""
    write_league(folder)
    server = LiveServer(folder, ["--leagues", "leagues"])
    server.start()
    problems: list[str] = []
    try:
        players = [Player(server.url, number) for number in range(accounts)]
        cups = [begin_cup(players, 0)]
        for number in range(kills):
            for player in players:
                player.start()
            time.sleep(0.3 + 1.2 * blake3(f"soak {number}".encode()).digest()[0] / 255)
            server.kill()
            for player in players:
                player.stopping.set()
                player.join(30)
            problems += checked(folder, "fracas.db")
            started = server.start()
            problems += [lost for player in players for lost in lost_by(server.url, player)]
            fought = len(set().union(*(player.matches for player in players)))
            say(f"kill {number + 1}: {fought} matches seen, started again in {started:.1f} s, {len(problems)} problems")
            if problems:
                return problems
            players = [again(server.url, player) for player in players]
            if players[0].client.tournaments.get(cups[-1]).state == "over":
                cups.append(begin_cup(players, len(cups)))
        problems += finished(players[0].client, cups[-1])
        problems += checked(folder, "fracas.db")
        say(f"{len(cups)} tournaments are over")
    finally:
        server.stop()
    return problems


def begin_cup(players: list[Player], number: int) -> str:
    """Let all accounts meet in a tournament, each time in another format."""
    client = players[0].client
    format = FORMATS[number % len(FORMATS)]
    cup = client.tournaments.make(f"Cup {number}", "squads", format, best_of=5).id
    for player in players:
        player.client.tournaments.enter(cup, player.entry)
    client.tournaments.start(cup)
    return cup


def finished(client: Client, cup: str) -> list[str]:
    """Wait until a tournament is over; what is wrong if it does not end."""
    for _ in range(CUP_SECONDS):
        if client.tournaments.get(cup).state == "over":
            return []
        time.sleep(1)
    return [f"tournament {cup} does not end"]


def checked(folder: Path, database: str) -> list[str]:
    """What `fracas server check` finds."""
    command = [sys.executable, "-m", "fracas", "server", "check", "--database", database, "--leagues", "leagues"]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return [] if found.returncode == 0 else [found.stdout + found.stderr]


def lost_by(url: str, player: Player) -> list[str]:
    """What was acknowledged to an account and is no longer there."""
    with Client(url, token=player.client.token) as client:
        lost = []
        versions = client.arena.entry(player.entry).versions
        if versions < player.version:
            lost.append(f"version {player.version} of {player.entry} was acknowledged, and {versions} are there")
        for match in player.matches:
            try:
                client.arena.match(match)
            except ServerProblem:
                lost.append(f"match {match} was shown, and is not there")
        return lost


def again(url: str, player: Player) -> Player:
    """The same account, to run once more: a thread starts only once."""
    found = Player.__new__(Player)
    threading.Thread.__init__(found, daemon=True)
    found.number, found.entry, found.version = player.number, player.entry, player.version
    found.matches, found.stopping = player.matches, threading.Event()
    player.client.close()
    found.client = Client(url, token=player.client.token, timeout=5)
    return found


def main() -> None:
    """Soak, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--accounts", type=int, default=16)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        problems = soak(Path(name), arguments.kills, arguments.accounts)
    print("\n".join(problems) or "nothing was lost")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
