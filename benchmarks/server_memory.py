"""Print how much memory `fracas serve` keeps while accounts fight in all leagues, with a SQLite file.

    python benchmarks/server_memory.py [--accounts N] [--rounds N]

Every account enters the queues of all leagues once a round, with the entries of the shipped bots. A line tells what the
process keeps (RSS) and the most that it kept so far, in MB. Linux only.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from pathlib import Path

import httpx
from live_server import LiveServer

from fracas.server.arena.bots import read_bots
from fracas.server.arena.league import read_leagues

ROUND_SECONDS = 10.0


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accounts", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        LiveServer(Path(folder)) as server,
        httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=120) as client,
    ):
        _say("ready", server)
        players = [_player(client, number) for number in range(options.accounts)]
        _say(f"{options.accounts} accounts", server)
        for number in range(1, options.rounds + 1):
            _fight(client, players)
            _say(f"round {number}, {_matches(client):,} matches", server)


def _say(what: str, server: LiveServer) -> None:
    status = Path(f"/proc/{server.pid}/status").read_text()
    kept, most = (int(re.search(rf"{name}:\s+(\d+)", status)[1]) // 1024 for name in ("VmRSS", "VmHWM"))  # type: ignore[index]
    print(f"{what:<32} {kept:>5} MB, at most {most:>5} MB", flush=True)


def _player(client: httpx.Client, number: int) -> tuple[dict[str, str], list[str]]:
    """An account with an entry in each league: what it shows, and its entries."""
    body = {"handle": f"player-{number}", "password": f"four random words {number}"}
    token = client.post("/api/v1/accounts", json=body).raise_for_status().json()["token"]
    client.cookies.clear()
    shown = {"Authorization": f"Bearer {token}"}
    entries = []
    for name, league in read_leagues(None).items():
        bots = read_bots(league)
        entry = {"league": name, "title": "A team", "document": bots[number % len(bots)].entry}
        entry["ranked"] = league.is_ranked
        answer = client.post("/api/v1/entries", headers=shown, json=entry).raise_for_status()
        entries.append(answer.json()["entry"])
    return shown, entries


def _fight(client: httpx.Client, players: list[tuple[dict[str, str], list[str]]]) -> None:
    """Let everybody queue once in each league, and wait until hardly anybody waits."""
    for shown, entries in players:
        for entry in entries:
            # Who still waits from the round before is refused.
            client.post("/api/v1/tickets", headers=shown, json={"entry": entry})
    ends = time.monotonic() + ROUND_SECONDS
    while _metric(client, "fracas_queue_length") > len(players) / 10 and time.monotonic() < ends:
        time.sleep(0.5)


def _matches(client: httpx.Client) -> int:
    return int(_metric(client, "fracas_matches_total"))


def _metric(client: httpx.Client, name: str) -> float:
    """A metric, added up over the leagues."""
    found = re.findall(rf"(?m)^{name}{{.*}} (\S+)$", client.get("/metrics").text)
    return sum(map(float, found))


if __name__ == "__main__":
    main()
