"""Plays battles in lanes and one by one, and compares every result row, then the speed.

    python benchmarks/lockstep.py                        # all shipped scenarios: equal rows, and how much faster
    python benchmarks/lockstep.py squads tuned-profile --battles 100000
    python benchmarks/lockstep.py relics --random 10000  # random scenarios: equal rows, in lanes of every width

The exit status is 1 if any row differs. Both ways run on one thread and take turns, in processor time; the ratio is the
median of the turns. Where a battle draws no dice, relics in lanes plays one and repeats its row. Scenarios that are not
played in lanes are shown with the reason.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

import fracas
from fracas.engine.lockstep import fit_for_lanes, lane_code, play_rest
from fracas.kernel import jit
from fracas.lanes.memory import aligned_records
from fracas.rulesets import registry
from fracas.rulesets.contract.kernels import Kernels
from fracas.rulesets.contract.types import Rows

EXAMPLES = Path(__file__).parent.parent / "examples"
RULESETS = [name for name in registry.NAMES if registry.get(name).kernels.lockstep is not None]
# Where battles of random scenarios begin: both halves of a stream's number change within these ranges.
STARTS = (0, 2**32 - 70, 2**40, 2**63 - 200)
RANDOM_BATTLES = 150
# About as many as `fracas simulate` plays at a time.
CHUNK = 16_384


def one_by_one(kernels: Kernels, record: Rows, first: int, count: int) -> Rows:
    """Result rows by the rules of rules/, compiled."""
    results = np.zeros(count, kernels.result_type)
    jit.native(kernels.play_many)(record.copy(), first, results, None, None)
    return results


def in_lanes(kernels: Kernels, record: Rows, first: int, count: int, bits: int) -> Rows:
    """The same rows, in lanes of at least as many bits as the scenario needs."""
    code = lane_code(kernels, bits)
    code.finish()
    assert code.entries is not None
    plan, play = code.entries
    plans, states = np.zeros(1, code.lockstep.plan_type), aligned_records(code.lockstep.state_types[bits])
    plan(record, plans)
    plans["bits"] = bits
    results = np.zeros(count, kernels.result_type)
    battles = record.copy()
    for start in range(0, count, CHUNK):
        play(battles, plans, states, first + start, results[start : start + CHUNK])
    play_rest(jit.native(kernels.play_many), battles, first, results)
    return results


def compare_random(name: str, first: int, count: int) -> int:
    """Compare random scenarios and print what became of them; returns how many differ."""
    ruleset = registry.get(name)
    kernels = ruleset.kernels
    found: Counter[str] = Counter()
    different = 0
    for number in range(first, first + count):
        record = fracas.load(ruleset.random_scenario(number)).compiled.record
        fit = fit_for_lanes(kernels, record)
        assert fit is not None
        found[str(fit)] += 1
        if fit.code is None:
            continue
        start = STARTS[number % len(STARTS)]
        expected = one_by_one(kernels, record, start, RANDOM_BATTLES)
        for bits in fit.code.lockstep.state_types:
            if bits < fit.code.bits:
                continue
            if not np.array_equal(in_lanes(kernels, record, start, RANDOM_BATTLES, bits), expected):
                different += 1
                print(f"random scenario {number} of {name} differs in lanes of {bits} bits")
    for text, times in found.most_common():
        print(f"{name} {times:7,} {text}")
    return different


def compare_shipped(name: str, scenarios: list[str], battles: int, turns: int) -> int:
    """Compare shipped scenarios and print their speed; returns how many differ."""
    kernels = registry.get(name).kernels
    different = 0
    for file in sorted((EXAMPLES / name).glob("*.toml")):
        if scenarios and file.stem not in scenarios:
            continue
        record = fracas.load(file).compiled.record
        fit = fit_for_lanes(kernels, record)
        assert fit is not None
        if fit.code is None:
            print(f"{file.stem:24} {fit}")
            continue
        bits = fit.code.bits
        if not np.array_equal(in_lanes(kernels, record, 0, battles, bits), one_by_one(kernels, record, 0, battles)):
            different += 1
            print(f"{file.stem:24} differs")
        rates = [
            (_seconds(one_by_one, kernels, record, 0, battles), _seconds(in_lanes, kernels, record, 0, battles, bits))
            for _ in range(turns)
        ]
        usual, fast = (statistics.median(battles / seconds for seconds in way) for way in zip(*rates, strict=True))
        ratio = statistics.median(before / after for before, after in rates)
        print(f"{file.stem:24} {usual:11,.0f} one by one {fast:11,.0f} in lanes of {bits} {ratio:7.2f} x")
    return different


def _seconds(play: Callable[..., Rows], *arguments: object) -> float:
    started = time.process_time()
    play(*arguments)
    return time.process_time() - started


def main() -> int:
    """Compare what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("ruleset", nargs="?", choices=RULESETS, help="default: all that have lanes")
    parser.add_argument("scenarios", nargs="*", help="names of shipped scenarios; default: all")
    parser.add_argument("--battles", type=int, default=50_000, help="battles of a shipped scenario")
    parser.add_argument("--turns", type=int, default=3, help="how often each way is timed")
    parser.add_argument("--random", type=int, default=0, help="compare this many random scenarios instead")
    parser.add_argument("--first", type=int, default=0, help="the number of the first random scenario")
    options = parser.parse_args()
    different = 0
    for name in [options.ruleset] if options.ruleset else RULESETS:
        if options.random:
            different += compare_random(name, options.first, options.random)
        else:
            different += compare_shipped(name, options.scenarios, options.battles, options.turns)
    print(f"{different} differ" if different else "all rows are equal")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
