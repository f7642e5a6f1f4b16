"""Run two processes of `fracas serve` on one PostgreSQL under load, kill one of them again and again, and check it all.

    python scripts/soak/two_processes.py [--kills N] [--accounts N]

Half of the clients ask one process and half the other; they enter queues, submit new versions and read, without a
pause. One process is ended with kill -9, the other must go on making matches, and the first is started again while
it does. After each kill `fracas server check` plays every match again, adds up every rating, follows every chain; all
ratings are computed once more by another program; and every answer that a client got must still be true. At the end,
what the dead processes had claimed must have been let go. Exit status 1 if anything is lost or wrong.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.live_postgresql import LivePostgresql  # noqa: E402
from benchmarks.live_server import LiveServer  # noqa: E402
from benchmarks.serve_recount import Counted, recount  # noqa: E402
from blake3 import blake3  # noqa: E402
from scripts.soak.serve import Player, again, checked, lost_by, write_league  # noqa: E402

# A dead process's claims end after 20 seconds; then the next look of the other one lets them go. If it had claimed all
# who wait, the other one has nobody to pair before that.
LEASE_SECONDS = 35.0
LOOK_SECONDS = 0.05


def soak(
    folder: Path, database: str, kills: int, accounts: int, *, leases: bool = True, say: Callable[[str], object] = print
) -> list[str]:
    """Kill and check; returns what was lost or wrong. With `leases`, wait until claims of the dead have ended."""
    write_league(folder)
    migrate = [sys.executable, "-m", "fracas", "server", "migrate", "--database", database]
    subprocess.run(migrate, cwd=folder, check=True, capture_output=True)
    options = ["--leagues", "leagues", "--database", database, "--processes", "2"]
    servers = [LiveServer(folder, options, log=f"server-{number}.log") for number in (1, 2)]
    counted = Counted(database)
    problems: list[str] = []
    players: list[Player] = []
    try:
        for server in servers:
            server.start()
        players = [Player(servers[number % 2].url, number) for number in range(accounts)]
        for number in range(kills):
            victim, survivor = servers[number % 2], servers[1 - number % 2]
            for player in players:
                player.start()
            time.sleep(0.3 + 1.2 * blake3(f"two {number}".encode()).digest()[0] / 255)
            victim.kill()
            alone = _matches_in(counted, LEASE_SECONDS)
            claimed = _claimed(counted)
            if not alone:
                problems.append("the other process made no match while one was dead")
            started = victim.start()
            time.sleep(0.3)
            for player in players:
                player.stopping.set()
            for player in players:
                player.join(30)
            problems += checked(folder, database)
            compared, differing = recount(counted)
            if differing:
                problems.append(f"{differing} of {compared} ratings are not what the matches make of them")
            problems += [lost for player in players for lost in lost_by(survivor.url, player)]
            problems += [fault for server in servers for fault in server.faults()]
            say(
                f"kill {number + 1}: {counted.count('match')} matches, one {alone:.2f} s after it, {claimed} tickets "
                f"claimed then, started again in {started:.1f} s, {differing} of {compared} ratings differ, "
                f"{len(problems)} problems"
            )
            if problems:
                return problems
            players = [again(servers[each.number % 2].url, each) for each in players]
        if leases:
            problems += _still_claimed(counted)
    finally:
        for player in players:
            player.client.close()
        for server in servers:
            server.stop()
        counted.close()
    return problems


def _matches_in(counted: Counted, seconds: float) -> float:
    """How many seconds it took until a match was made; 0 if none was."""
    before, begun = counted.count("match"), time.perf_counter()
    while (passed := time.perf_counter() - begun) < seconds:
        if counted.count("match") > before:
            return passed
        time.sleep(LOOK_SECONDS)
    return 0.0


def _claimed(counted: Counted) -> int:
    """How many tickets somebody has claimed."""
    return int(counted.rows("SELECT count(*) FROM ticket WHERE state = 'matched'")[0][0])


def _still_claimed(counted: Counted) -> list[str]:
    """Tickets that a dead process claimed and nobody let go."""
    ends = time.perf_counter() + LEASE_SECONDS
    claimed = 0
    while time.perf_counter() < ends:
        claimed = _claimed(counted)
        if not claimed:
            return []
        time.sleep(1)
    return [f"{claimed} tickets are claimed by a process that is dead"]


def main() -> None:
    """Soak, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--accounts", type=int, default=48)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, LivePostgresql() as postgresql:
        problems = soak(Path(name), postgresql.url, arguments.kills, arguments.accounts)
    print("\n".join(problems) or "nothing was lost")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
