"""Measures the kernels against the C programs in this folder, after checking that all play the same battles.

Each C program is built twice: with plain dice, and with wide dice that compute sixteen blocks at a time like the
kernels. The second is the fair comparison, so its ratio counts.

    python benchmarks/yardstick/compare.py [RULESET]... [--battles N] [--repeats K] [--check M]

RULESET is squads, delve, stacks, relics or titans; default: all of them.

Exit status: 0 all is well; 1 a battle differs or a target is missed; 2 there is nothing to compare.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lanes import in_lanes, least_of_one_by_one, one_by_one
from tasks import PLAIN, TASKS, WIDE, Speed, Task

import fracas
from fracas.engine.player import Player, make_player
from fracas.kernel import jit
from fracas.rulesets.contract.types import Rows

COMPILER = "gcc"
FLAGS = ("-std=c11", "-O3", "-march=native", "-ffp-contract=off", "-Wall", "-Wextra")
DICE_FLAGS: dict[str, tuple[str, ...]] = {PLAIN: (), WIDE: ("-DWIDE_DICE",)}

LANES, PLUGIN = "kernel, in lanes", "kernel, plug-in"

FAILED, NOTHING_TO_COMPARE = 1, 2

THREADS = 2
# Battles per kernel call, few like in `simulate`, so that their results stay small.
PORTION = 2_000
# Streams around here differ in the upper word, which is zero for small streams.
HIGH_STREAMS = 1 << 32

LEAST_OF_ONE_THREAD = 1.8

FNV_START, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


class CannotCompareError(Exception):
    """Something required for the comparison is missing."""


@dataclass(frozen=True)
class Run:
    """One contestant's results in one turn."""

    seconds: float
    rounds_total: int
    checksum: str


@dataclass(frozen=True)
class Yardstick:
    """A built C program with its dice key."""

    program: Path
    key: str

    def ask(self, *arguments: object) -> str:
        """Run the program and return its output."""
        command = [str(self.program), self.key, *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def outcomes(self, first: int, count: int) -> Rows:
        """Winner and rounds of each battle, (count, 2)."""
        return np.array(self.ask(first, count, "print").split(), np.int64).reshape(count, 2)

    def run(self, count: int) -> Run:
        """Play battles 0 to count - 1; the program measures its own time."""
        _, seconds, _, _, _, rounds_total, checksum = self.ask(0, count).split()
        return Run(float(seconds), int(rounds_total), checksum)


def build(source: Path, dice: str, folder: Path) -> Path:
    """Compile a C program into a folder, with plain or wide dice.

    Raises:
        CannotCompareError: there is no compiler, or it fails.
    """
    compiler = shutil.which(COMPILER)
    if compiler is None:
        raise CannotCompareError(f"no C compiler: {COMPILER} is not on the path")
    program = folder / (source.stem + "".join(DICE_FLAGS[dice]))
    command = [compiler, *FLAGS, *DICE_FLAGS[dice], "-o", str(program), str(source)]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    if built.returncode != 0:
        raise CannotCompareError(f"{COMPILER} does not build {source.name}:\n{built.stderr}")
    return program


def dice_key(scenario: fracas.Scenario) -> str:
    """The key of a scenario's dice, in the form that a C program takes."""
    key: bytes = scenario.compiled.record[0].dice.key.astype("<u4").tobytes()
    return key.hex()


def outcomes_of(results: Rows) -> Rows:
    """Winner and rounds of each battle, (count, 2)."""
    return np.stack((results["winner"], results["rounds"]), axis=1)


def checksum_of(outcomes: Rows) -> str:
    """FNV-1a as the C programs compute it: winner, low and high byte of the rounds, battle by battle."""
    value = FNV_START
    for winner, rounds in outcomes.tolist():
        for byte in (winner, rounds & 0xFF, rounds >> 8 & 0xFF):
            value = (value ^ byte) * FNV_PRIME & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def first_difference(yardstick: Yardstick, player: Player, first: int, count: int) -> str | None:
    """The first battle in a range that the C program and the kernel play differently, as text."""
    by_c, by_kernel = yardstick.outcomes(first, count), outcomes_of(player.play(first, count))
    differing = np.flatnonzero((by_c != by_kernel).any(axis=1))
    if not differing.size:
        return None
    place = int(differing[0])
    c, kernel = (f"winner {winner} after {rounds} rounds" for winner, rounds in (by_c[place], by_kernel[place]))
    return f"battle {first + place}: C says {c}, the kernel {kernel}; {differing.size} of {count} differ"


def check_battle_by_battle(yardstick: Yardstick, player: Player, count: int) -> str | None:
    """Compare this many battles, most from stream 0 on and some around 2^32."""
    high = count // 4
    for first, many in ((0, count - high), (HIGH_STREAMS - high // 2, high)):
        difference = first_difference(yardstick, player, first, many) if many else None
        if difference is not None:
            return difference
    return None


def play_portions(player: Player, first: int, end: int) -> Rows:
    """Winner and rounds of battles first to end - 1, (count, 2)."""
    starts = range(first, end, PORTION)
    return np.concatenate([outcomes_of(player.play(start, min(PORTION, end - start))) for start in starts])


def timed(players: Sequence[Player], count: int) -> tuple[float, Rows]:
    """Play battles 0 to count - 1, an equal share for each player on a thread of its own."""
    bounds = [count * place // len(players) for place in range(len(players) + 1)]
    with ThreadPoolExecutor(len(players)) as pool:
        began = time.perf_counter()
        shares = [
            pool.submit(play_portions, player, first, end)
            for player, first, end in zip(players, bounds, bounds[1:], strict=False)
        ]
        outcomes = [share.result() for share in shares]
        seconds = time.perf_counter() - began
    return seconds, np.concatenate(outcomes)


def kernel_contestant(players: Sequence[Player], count: int) -> Callable[[], Run]:
    """A callable for one turn of the kernel; every turn must play the same battles."""
    seen: list[tuple[Rows, str]] = []

    def run() -> Run:
        seconds, outcomes = timed(players, count)
        if not seen:
            seen.append((outcomes, checksum_of(outcomes)))
        known, checksum = seen[0]
        if not np.array_equal(outcomes, known):
            checksum = checksum_of(outcomes)
        return Run(seconds, int(outcomes[:, 1].sum()), checksum)

    return run


def c_contestant(yardstick: Yardstick, count: int) -> Callable[[], Run]:
    """A callable for one turn of a C program."""
    return lambda: yardstick.run(count)


def contestants(
    task: Task, scenario: fracas.Scenario, yardsticks: dict[str, Yardstick], count: int
) -> dict[str, Callable[[], Run]]:
    """The contestants by their names in the table."""
    silent, side_by_side = one_by_one(scenario, count), in_lanes(scenario, count)
    logged = make_player(scenario, logged=True, battles=count)
    takers = {
        **{dice: c_contestant(yardstick, count) for dice, yardstick in yardsticks.items()},
        "kernel": kernel_contestant([silent], count),
        f"kernel, {THREADS} threads": kernel_contestant([silent.clone() for _ in range(THREADS)], count),
        "kernel, logging": kernel_contestant([logged], count),
    }
    if side_by_side is not None:
        takers[LANES] = kernel_contestant([side_by_side], count)
    if task.rewriting is not None:
        rewritten = make_player(task.rewriting.scenario(scenario), logged=False, battles=count)
        takers[PLUGIN] = kernel_contestant([rewritten], count)
    return takers


def measure(takers: dict[str, Callable[[], Run]], repeats: int) -> dict[str, list[Run]]:
    """Give every contestant this many turns; turns alternate, so that slow periods affect all of them."""
    runs: dict[str, list[Run]] = {name: [] for name in takers}
    for _ in range(repeats):
        for name, take_turn in takers.items():
            runs[name].append(take_turn())
    return runs


def speed_ratio(faster: Sequence[Run], slower: Sequence[Run]) -> float:
    """How many times faster one contestant is than another: the median over the repeats."""
    return statistics.median(b.seconds / a.seconds for a, b in zip(faster, slower, strict=True))


def table(runs: dict[str, list[Run]], count: int) -> Iterator[str]:
    """The lines of the table."""
    plain, wide, one = list(runs.values())[:3]
    yield f"{'':20}{'battles/s':>12}{'x plain C':>12}{'x wide C':>11}{'x one thread':>14}{'rounds_total':>14}  checksum"
    for name, turns in runs.items():
        rate = count / statistics.median(turn.seconds for turn in turns)
        to_plain, to_wide, to_one = (speed_ratio(turns, other) for other in (plain, wide, one))
        last = turns[-1]
        ratios = f"{to_plain:12.2f}{to_wide:11.2f}{to_one:14.2f}"
        yield f"{name:20}{rate:12,.0f}{ratios}{last.rounds_total:14,}  {last.checksum}"


def verdicts(task: Task, runs: dict[str, list[Run]]) -> Iterator[tuple[bool, str]]:
    """Each target: whether it is met, and its text."""
    _, _, one, two, logged, *_ = runs.values()
    same = len({(turn.rounds_total, turn.checksum) for turns in runs.values() for turn in turns}) == 1
    yield same, "all contestants played the same battles in every turn"
    for dice, least in task.least_of.items():
        ratio = speed_ratio(one, runs[dice])
        yield ratio >= least, f"kernel at least {least} x {dice}: {ratio:.2f}"
    ratio = speed_ratio(two, one)
    yield ratio >= LEAST_OF_ONE_THREAD, f"{THREADS} threads at least {LEAST_OF_ONE_THREAD} x one: {ratio:.2f}"
    ratio = speed_ratio(one, logged)
    yield ratio <= task.most_for_logging, f"logging takes at most {task.most_for_logging} x as long: {ratio:.2f}"
    if LANES in runs:
        ratio, least = speed_ratio(runs[LANES], one), least_of_one_by_one()
        yield ratio >= least, f"lanes at least {least} x one battle at a time: {ratio:.2f}"
    if task.rewriting is not None:
        ratio = speed_ratio(one, runs[PLUGIN])
        most = task.rewriting.most_times_as_long
        yield ratio <= most, f"{task.rewriting.shipped} as a plug-in takes at most {most} x as long: {ratio:.2f}"


def speed_verdict(speed: Speed, battles: int, repeats: int) -> tuple[bool, str]:
    """Whether a scenario is fast enough, and the text."""
    take_turn = kernel_contestant([one_by_one(fracas.load(speed.scenario), battles)], battles)
    take_turn()
    rate = battles / statistics.median(take_turn().seconds for _ in range(repeats))
    name = speed.scenario.stem
    return rate >= speed.least, f"{name} on one thread at least {speed.least:,} a second: {rate:,.0f}"


def compare(task: Task, battles: int, repeats: int, check: int, folder: Path) -> int:
    """Build, check, measure and print; returns the exit status."""
    scenario = fracas.load(task.scenario)
    key = dice_key(scenario)
    yardsticks = {dice: Yardstick(build(task.source, dice, folder), key) for dice in DICE_FLAGS}
    print(f"\n{task.ruleset}: {task.scenario.name} against {task.source.name}\n")
    takers = contestants(task, scenario, yardsticks, battles)
    players = [player for player in (one_by_one(scenario, battles), in_lanes(scenario, battles)) if player is not None]
    for dice, yardstick in yardsticks.items():
        for player in players:
            difference = check_battle_by_battle(yardstick, player, check)
            if difference is not None:
                print(f"NOT EQUAL  {dice}: {difference}")
                return FAILED
    print(f"equal      winner and rounds of {check:,} battles, one by one\n")
    runs = measure(takers, repeats)
    print("\n".join(table(runs, battles)))
    print(f"\n{battles:,} battles a turn; medians of {repeats} alternating turns, ratios within a turn\n")
    judged = list(verdicts(task, runs))
    if task.besides is not None:
        judged.append(speed_verdict(task.besides, battles, repeats))
    for holds, text in judged:
        print(f"{'holds' if holds else 'MISSED':11}{text}")
    return 0 if all(holds for holds, _ in judged) else FAILED


def positive(text: str) -> int:
    """A number of at least 1."""
    if int(text) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return int(text)


def main() -> int:
    """Parse the command line and compare; returns the exit status."""
    parser = argparse.ArgumentParser(description="Measure the kernels against the same battles in plain C.")
    parser.add_argument("ruleset", nargs="*", help=f"{' or '.join(TASKS)} (default: all)")
    parser.add_argument("--battles", type=positive, default=100_000, help="battles in a turn (default 100,000)")
    parser.add_argument("--repeats", type=positive, default=5, help="turns of each contestant (default 5)")
    parser.add_argument("--check", type=positive, default=20_000, help="battles to compare first (default 20,000)")
    options = parser.parse_args()
    unknown = [name for name in options.ruleset if name not in TASKS]
    if unknown:
        parser.error(f"no yardstick for {', '.join(unknown)}; available: {', '.join(TASKS)}")
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if busy > 0.5:
        print(f"note: this machine is busy (load {busy:.1f}); expect noise, above all with threads", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        try:
            if jit.jit_setting() == "never":
                raise CannotCompareError("FRACAS_JIT=0 turns off the compiled code to measure")
            os.environ["FRACAS_JIT"] = "1"
            statuses = [
                compare(TASKS[name], options.battles, options.repeats, options.check, Path(folder))
                for name in options.ruleset or TASKS
            ]
            return max(statuses)
        except CannotCompareError as error:
            print(f"cannot compare: {error}", file=sys.stderr)
            return NOTHING_TO_COMPARE


if __name__ == "__main__":
    sys.exit(main())
