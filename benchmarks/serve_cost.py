"""Splits the processor time of a match: load its entries, meet, play, digest, store.

    python benchmarks/serve_cost.py [LEAGUE] [-n ROUNDS]

Every two bots of a league meet in every round. Prints milliseconds of processor time of one thread:

* load: an entry's document becomes a compiled side; once for each new version.
* meet: two sides become the battles of a pair; once for each new pair.
* play and digest: all legs of a warm pair, without a log, and the hash of each result row and of the match.
* store: rate the match and write its rows to a SQLite file, in batches of about twenty. From `benchmarks/arena.py`.
* two legs: play and digest of two legs, beside the most that they may take.

The first round warms up and is not counted. The checksum is a hash of all results: equal rules give equal checksums.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import arena
from blake3 import blake3

from fracas.server.arena.bots import read_bots
from fracas.server.arena.entries import check_entry
from fracas.server.arena.league import NO_MODIFIER, League, read_leagues
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules

ROUNDS = 5
# Milliseconds that two silent legs of a warm pair may take.
MOST = {"squads": 0.5, "stacks": 0.5, "titans": 0.5, "relics": 1.0, "delve": 1.0}

Pairs = Sequence[tuple[Combatant, Combatant]]


class Spent:
    """Processor time by stage."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._times: Counter[str] = Counter()

    @contextmanager
    def on(self, stage: str, times: int) -> Iterator[None]:
        """Time a stage that is done so many times."""
        started = time.process_time()
        yield
        self._seconds[stage] += time.process_time() - started
        self._times[stage] += times

    def ms(self, stage: str) -> float:
        """Milliseconds of a stage, each time."""
        return 1_000 * self._seconds[stage] / self._times[stage]


def pairs_of(league: League) -> Pairs:
    """Every two bots of a league."""
    checked = [(bot.id, check_entry(league, bot.entry)) for bot in read_bots(league)]
    combatants = [Combatant(name[:4], entry.document, entry.digest) for name, entry in checked]
    return list(combinations(combatants, 2))


def measure(league: League, rounds: int) -> tuple[Spent, int, str]:
    """The time of each stage but the last, the matches played, and the checksum of their results."""
    rules, pairs = Rules(league, NO_MODIFIER), pairs_of(league)
    spent, checksum, made = Spent(), blake3(), 0
    warm = MatchPlayer(len(pairs))
    for number in range(rounds + 1):
        if number == 1:
            spent = Spent()
        # One pair at a time: none was met before. Sides are known from the second time on.
        cold = MatchPlayer(1)
        with spent.on("load and meet", 1):
            for pair in pairs:
                cold.ready(rules, *pair)
        with spent.on("meet", len(pairs)):
            for pair in pairs:
                cold.ready(rules, *pair)
        for pair in pairs:
            warm.ready(rules, *pair)
        seeds = [f"{number}.{place}" for place in range(len(pairs))]
        with spent.on("play and digest", len(pairs)):
            results = [warm.play(rules, *pair, seed) for pair, seed in zip(pairs, seeds, strict=True)]
        rows = [[player.play(0, 1).tobytes() for player in warm.ready(rules, *pair).players] for pair in pairs]
        with spent.on("digest", len(pairs)):
            for both in rows:
                for leg in range(league.file.legs):
                    blake3(both[leg % 2]).digest()
            digests = [result.digest for result in results]
        made += len(results)
        for digest in digests:
            checksum.update(digest)
    return spent, made, checksum.hexdigest()[:16]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("league", nargs="?", help="league to measure; default: all ranked ones that ship")
    parser.add_argument("-n", type=int, default=ROUNDS, metavar="ROUNDS", help=f"rounds; default: {ROUNDS}")
    arguments = parser.parse_args()
    leagues = {name: league for name, league in read_leagues().items() if league.is_ranked}
    print("league    legs   load   meet   play  digest  store   two legs   checksum")
    for name in [arguments.league] if arguments.league else leagues:
        league = leagues[name]
        spent, made, checksum = measure(league, arguments.n)
        with tempfile.TemporaryDirectory() as folder:
            stored, stages = arena.measure(name, 3 * arguments.n, Path(folder) / "arena.db")
        legs, sides = league.file.legs, len(read_bots(league))
        meet, both, digest = spent.ms("meet"), spent.ms("play and digest"), spent.ms("digest")
        load = (spent.ms("load and meet") - meet * len(pairs_of(league))) / sides
        store = 1_000 * stages["resolve"] / stored - both
        two, most = 2 * both / legs, MOST[league.file.ruleset]
        print(
            f"{name:9}{legs:5}{load:7.2f}{meet:7.2f}{both - digest:7.3f}{digest:8.3f}{store:7.2f}"
            f"{two:7.3f} of {most} {'' if two <= most else 'MISSED'}  {checksum} ({made:,} matches)",
            flush=True,
        )


if __name__ == "__main__":
    main()
