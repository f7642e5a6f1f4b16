"""Steps a second of the environments: on one core and on two threads, one side and both, with checksums.

    python benchmarks/envs.py                     all rulesets whose battles agents decide in
    python benchmarks/envs.py titans squads --seconds 2
    python benchmarks/envs.py squads --sizes 512 --versions 2

A step is one decision; in titans it is both choices. Choosing actions, at random among the legal ones, is not timed.
Bars are of version 1 of observations. Rows of version 2 are several times as wide, and say which share of its speed
they reach.
One core is timed by processor time, in short turns whose best counts, so that neighbours matter less. Two threads are
timed by the clock, in short turns that alternate with those of one thread, and the medians count; they must not be
slower than one thread. They gain nothing while other work has most of the cores, so the load average is printed too.
Beside them stand a plain loop over `gymnasium.make`, Gymnasium's own CartPole, and pgx's connect four if pgx is
installed. A checksum is a function of id, size and sides: one and two threads agree.
Exit status: 0 all bars are reached, 1 one is missed or checksums differ.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import zlib
from collections.abc import Callable
from importlib.util import find_spec
from itertools import product
from statistics import median
from typing import Any

import gymnasium
import numpy as np
from figures import table
from gymnasium.vector import AutoresetMode

import fracas.envs  # noqa: F401  # registers the environments
from fracas.envs.batch import LEAST_SLICE
from fracas.envs.battles.vector import BattleVectorEnv
from fracas.envs.descriptions import describe
from fracas.envs.names import RULESETS, VERSIONS, environment_id

SIZES = (64, 512, 4096)
# Steps a second on one core, by ruleset and size. Those of delve and stacks are about four fifths of the best of
# several turns beside other work.
BARS = {
    ("titans", 512): 2e6,
    ("titans", 4096): 2e6,
    ("squads", 512): 1.5e6,
    ("squads", 4096): 5e5,
    ("delve", 512): 4e5,
    ("delve", 4096): 3e5,
    ("stacks", 512): 4.5e5,
    ("stacks", 4096): 2.5e5,
}
# How fast two threads must be, as a multiple of one; a twentieth is noise. Turns of one core are of so many batches.
LEAST_GAIN, TURNS, SHORT_TURNS = 0.95, 3, 16
# Steps whose arrays go into a checksum.
SUMMED = 64
ACTIONS = 32

Clock = Callable[[], float]


def main() -> int:
    """Measure, print, compare with the bars."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ruleset", nargs="*", choices=[*RULESETS, []], help="absent: all")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each row takes, choosing aside")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--versions", type=int, nargs="+", choices=VERSIONS, default=VERSIONS, help="of observations")
    options = parser.parse_args()
    os.environ["FRACAS_JIT"] = "1"
    names = options.ruleset or RULESETS
    rows, missed = [], []
    for name, size, side in product(names, options.sizes, (1, "both")):
        plain = None
        for version in options.versions:
            one, checksum = best_of_turns(name, size, side, version, options.seconds)
            plain = one if version == 1 else plain
            gain, again = gain_of_two(name, size, side, version, options.seconds)
            bars = list(verdicts(name, size, version, one, gain))
            if checksum != again:
                bars.append((False, "checksums differ"))
            row = f"{name}, {size}, side {side}, version {version}"
            missed += [f"{row}: {told}" for reached, told in bars if not reached]
            told = "; ".join(f"{told} {'reached' if reached else 'missed'}" for reached, told in bars)
            rows.append(
                (
                    environment_id(name, version),
                    f"{size:,}",
                    str(side),
                    f"{one:,.0f}",
                    "-" if plain is None else f"{one / plain:.2f}",
                    "-" if gain is None else f"{gain:.2f}",
                    checksum,
                    told or "-",
                )
            )
            print(" ".join(rows[-1]), file=sys.stderr)
    header = ("id", "environments", "side", "steps/s, one core", "of version 1", "two threads", "checksum", "bars")
    print(table(header, rows), end="\n\n")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", end="\n\n")
    singles = [(environment_id(name), f"{single(environment_id(name), options.seconds):,.0f}") for name in names]
    singles.append(("CartPole-v1", f"{single('CartPole-v1', options.seconds):,.0f}"))
    print(table(("one environment, a plain loop", "steps/s"), singles), end="\n\n")
    described = [describe(name, version) for name in names for version in options.versions]
    kilobytes = [(one.id, f"{one.bytes_per_environment / 1000:,.1f}") for one in described]
    print(table(("memory for each environment", "kB"), kilobytes), end="\n\n")
    print(connect_four(options.sizes, options.seconds))
    for each in missed:
        print(f"missed: {each}", file=sys.stderr)
    return 1 if missed else 0


def verdicts(name: str, size: int, version: int, speed: float, gain: float | None) -> Any:
    """Each bar of a row, and whether it is reached."""
    if version == 1 and (name, size) in BARS:
        yield speed >= BARS[name, size], f"{BARS[name, size]:,.0f} steps/s"
    if gain is not None:
        yield gain >= LEAST_GAIN, "two threads not slower"


def best_of_turns(name: str, size: int, side: Any, version: int, seconds: float) -> tuple[float, str]:
    """The best of several measurements on one core, for neighbours slow memory down too; and the checksum."""
    turns = []
    for _ in range(TURNS):
        timed = Timed(name, size, side, version, 1)
        turns += [timed.speed(seconds / TURNS / SHORT_TURNS, time.thread_time) for _ in range(SHORT_TURNS)]
        timed.env.close()
    return max(turns), timed.summed()


def gain_of_two(name: str, size: int, side: Any, version: int, seconds: float) -> tuple[float | None, str]:
    """How much faster two threads are, by the medians of turns that alternate, and the checksum of what they played.

    None where a batch is too small to be shared out. Each of two batches is made first once, for it may decide where in
    memory they are.
    """
    speeds: dict[int, list[float]] = {1: [], 2: []}
    for order in ((1, 2), (2, 1)):
        made = {threads: Timed(name, size, side, version, threads) for threads in order}
        for _ in range(SHORT_TURNS):
            for threads, timed in made.items():
                speeds[threads].append(timed.speed(seconds / SHORT_TURNS / 4, time.perf_counter))
        checksum = made[2].summed()
    return (median(speeds[2]) / median(speeds[1]) if size >= 2 * LEAST_SLICE else None), checksum


class Timed:
    """A batch that agents play at random, with a checksum of its first steps."""

    def __init__(self, name: str, size: int, side: Any, version: int, threads: int) -> None:
        mode = AutoresetMode.SAME_STEP
        self.env = BattleVectorEnv(
            name, size, side=side, threads=threads, autoreset_mode=mode, copy=False, version=version
        )
        self.size, self._checksum = size, 0
        self._rng = np.random.default_rng(1)  # noqa: TID251  # agents may choose by any generator
        self._seen, _ = self.env.reset(seed=1)
        # The first steps compile, and fill the caches.
        for _ in range(SUMMED):
            self._step(time.perf_counter, is_summed=True)

    def _step(self, clock: Clock, *, is_summed: bool = False) -> float:
        masks = self._seen["action_mask"]
        actions = (self._rng.random(masks.shape, np.float32) * masks).argmax(axis=-1)
        started = clock()
        self._seen, rewards, ended, *_ = self.env.step(actions)
        elapsed = clock() - started
        if is_summed:
            for part in (self._seen["observation"], self._seen["action_mask"], rewards, ended):
                self._checksum = zlib.crc32(np.ascontiguousarray(part), self._checksum)
        return elapsed

    def speed(self, seconds: float, clock: Clock) -> float:
        """Steps a second, by a clock that runs while the batch steps."""
        spent, steps = 0.0, 0
        while spent < seconds:
            spent += self._step(clock)
            steps += 1
        return self.size * steps / spent

    def summed(self) -> str:
        """The checksum."""
        return f"{self._checksum:08x}"


def single(name: str, seconds: float) -> float:
    """Steps a second of one environment in a loop of Python."""
    env: Any = gymnasium.make(name, disable_env_checker=True).unwrapped
    seen, _ = env.reset(seed=1)
    steps, spent = 0, 0.0
    while spent < seconds:
        action = int(seen["action_mask"].argmax()) if isinstance(seen, dict) else steps & 1
        started = time.thread_time()
        seen, _, over, _, _ = env.step(action)
        if over:
            seen, _ = env.reset()
        spent += time.thread_time() - started if steps >= ACTIONS else 0.0
        steps += 1
    return (steps - ACTIONS) / spent


def connect_four(sizes: Any, seconds: float) -> str:
    """pgx's connect four in the same run, or a sentence."""
    if find_spec("pgx") is None or find_spec("jax") is None:
        return "pgx is not installed, so its connect four was not measured."
    import jax
    import pgx

    env = pgx.make("connect_four")
    begin, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    rows = []
    for size in sizes:
        keys = jax.random.split(jax.random.PRNGKey(1), size)
        state, spent, steps = begin(keys), 0.0, 0
        while spent < seconds:
            actions = state.legal_action_mask.argmax(axis=-1)
            started = time.perf_counter()
            state = jax.block_until_ready(step(state, actions))
            spent += time.perf_counter() - started if steps else 0.0
            steps += 1
            if bool(state.terminated.all()):
                state = begin(keys)
        rows.append((f"{size:,}", f"{size * (steps - 1) / spent:,.0f}"))
    return table(("pgx's connect four", "steps/s"), rows)


if __name__ == "__main__":
    sys.exit(main())
