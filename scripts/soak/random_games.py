"""Random declarations: games that a program writes, played in plain Python, compiled, and as WebAssembly modules.

    python scripts/soak/random_games.py
    python scripts/soak/random_games.py --games 1000 --first 200 --processes 4
    python scripts/soak/random_games.py --show 17

Each game has random fields, lists, enumerations, State, events, choices and rules; its scenarios are random too. Rows,
results, snapshots, choices and stories are compared as `fracas game check` does. Modules need the extra `artefacts`.
Exit status: 0 nothing was wrong, 1 something was, which is printed with the number of the game.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.gamecheck.random_check import failures
from tests.helpers.random_games import random_game

from fracas.portable.build import can_build

SCENARIOS = 12


def check(number: int) -> list[str]:
    """What is wrong with one game, in a folder of its own, compiled into a cache of its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FRACAS_CACHE_DIR"] = str(Path(folder) / "cache")
        try:
            return failures(number, Path(folder), scenarios=SCENARIOS, with_module=can_build())
        except Exception as error:
            return [f"random game {number}: {type(error).__name__}: {error}"]


def main() -> int:
    """Check, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", type=int, help="print a game and stop")
    options = parser.parse_args()
    if options.show is not None:
        print(random_game(options.show), end="")
        return 0
    if not can_build():
        print("without modules: ziglang is not installed", file=sys.stderr)
    started, wrong, done = time.monotonic(), 0, 0
    numbers = range(options.first, options.first + options.games)
    # A process for each game: compiled code of many games would fill the memory of one.
    with ProcessPoolExecutor(options.processes, get_context("spawn"), max_tasks_per_child=1) as pool:
        for future in as_completed([pool.submit(check, number) for number in numbers]):
            done += 1
            for problem in future.result():
                wrong += 1
                print(problem, flush=True)
            if done % 10 == 0:
                print(
                    f"{done} games, {wrong} problems, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True
                )
    print(f"{options.games} games of {SCENARIOS} scenarios: {wrong} problems, {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
