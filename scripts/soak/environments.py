"""Random play in the environments: a million decisions of each ruleset, with every mask and observation checked.

    python scripts/soak/environments.py
    python scripts/soak/environments.py delve --steps 100000 --seed 8
    python scripts/soak/environments.py --threads 2

Steps are of one agent and of agents on both sides, in the standard example and in scenarios of the generator, as far as
a ruleset has these. Actions are random among the legal ones, one in fifty any number at all. With several threads a
batch on one thread plays the same, and all arrays are compared.
Exit status: 0 nothing was wrong, 1 something was, which is printed.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

import fracas
from fracas.envs.batch import LEAST_SLICE
from fracas.envs.battles.vector import BattleVectorEnv
from fracas.envs.drafting.vector import DraftVectorEnv
from fracas.envs.names import DRAFTED, RULESETS

SIZE = 256
# Every so many steps of the batch, observations are compared with a look at everything.
LOOKS = 16
# One action in so many is any number.
WILD = 50


def main() -> int:
    """Play, check, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    names = (*RULESETS, *DRAFTED)
    parser.add_argument("ruleset", nargs="*", choices=[*names, []], help="absent: all")
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions of each ruleset")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="step batches of battles on so many threads")
    options = parser.parse_args()
    os.environ.setdefault("FRACAS_JIT", "1")
    wrong = 0
    for ruleset in options.ruleset or names:
        started = time.monotonic()
        plans = [(scenario, side) for side in ("both", 1) for scenario in ("random", None)]
        steps = battles = 0
        for number, (scenario, side) in enumerate(plans):
            size = max(SIZE, options.threads * LEAST_SLICE)
            env = batch_of(ruleset, scenario, side, size, options.threads)
            if env is None:
                continue
            alone = batch_of(ruleset, scenario, side, size) if options.threads > 1 and ruleset in RULESETS else None
            # What earlier plans could not play, the later ones play too.
            share = (
                (options.steps - steps) // (len(plans) - number) if number < len(plans) - 1 else options.steps - steps
            )
            played, ended, faults = soak(env, alone, max(share, 1), options.seed + number)
            steps, battles, wrong = steps + played, battles + ended, wrong + len(faults)
            for fault in faults:
                print(f"{ruleset}, {scenario or 'standard'}, side {side}: {fault}", file=sys.stderr)
            env.close()
        seconds = time.monotonic() - started
        print(f"{ruleset}: {steps:,} decisions, {battles:,} battles, {seconds:.0f} s", flush=True)
    return 1 if wrong else 0


def batch_of(
    ruleset: str, scenario: Any, side: Any, size: int, threads: int = 1
) -> BattleVectorEnv | DraftVectorEnv | None:
    """A batch; None if there is none for these agents.

    Runs of delve are the party's alone, drafts one agent's.
    """
    if ruleset in DRAFTED:
        if side == "both":
            return None
        return DraftVectorEnv(ruleset, size, scenario=scenario, side=side, autoreset_mode=AutoresetMode.SAME_STEP)
    try:
        mode = AutoresetMode.SAME_STEP
        env = BattleVectorEnv(
            ruleset, size, scenario=scenario, side=side, autoreset_mode=mode, threads=threads, copy=False
        )
        env.reset(seed=0)
    except fracas.UsageError:
        return None
    return env


def soak(env: BattleVectorEnv | DraftVectorEnv, alone: Any, steps: int, seed: int) -> tuple[int, int, list[str]]:
    """Play so many decisions; how many there were, battles that ended, and what was wrong, ten things at most.

    alone: a batch that has to play the same, or None.
    """
    rng = np.random.default_rng(seed)  # noqa: TID251  # agents may choose by any generator
    batch = env._batch if isinstance(env, BattleVectorEnv) else None
    features = batch.interface.features if batch else env._matches[0].spaces.features
    low = np.array([feature.low for feature in features], np.float32)
    high = np.array([feature.high for feature in features], np.float32)
    seen, _ = env.reset(seed=seed)
    if alone is not None:
        alone.reset(seed=seed)
    played = ended = turn = 0
    faults: list[str] = []
    while played < steps and len(faults) < 10:
        masks = seen["action_mask"]
        played += int(masks.any(axis=-1).sum())
        actions = (rng.random(masks.shape, np.float32) * masks).argmax(axis=-1)
        wild = rng.random(actions.shape) < 1 / WILD
        actions[wild] = rng.integers(-(1 << 40), 1 << 40, int(wild.sum()))
        seen, rewards, over, _, _ = env.step(actions)
        ended += int(over.sum())
        turn += 1
        faults += list(faults_in(seen, rewards, over, low, high))
        if alone is not None:
            others, *theirs = alone.step(actions)
            mine = (*seen.values(), rewards, over)
            if not all(map(np.array_equal, mine, (*others.values(), *theirs[:2]))):
                faults.append(f"step {turn}: threads change what is played")
        if batch is not None and turn % LOOKS == 0:
            written = batch.seen.copy(), batch.masks.copy()
            batch.look()
            if not all(map(np.array_equal, written, (batch.seen, batch.masks))):
                faults.append(f"step {turn}: an observation is not what a look at everything shows")
    return played, ended, faults


def faults_in(seen: Any, rewards: Any, over: Any, low: Any, high: Any) -> Iterator[str]:
    """What is wrong with the arrays of a step."""
    observations, masks = seen["observation"], seen["action_mask"]
    if not np.isfinite(observations).all():
        yield "an observation is not a number"
    if (observations < low).any() or (observations > high).any():
        outside = ((observations < low) | (observations > high)).reshape(-1, observations.shape[-1]).any(axis=0)
        yield f"entries {np.flatnonzero(outside).tolist()} are outside their ranges"
    if not np.isin(masks, (0, 1)).all():
        yield "a mask has an entry besides 0 and 1"
    decides = masks.any(axis=-1)
    if not (decides if decides.ndim == 1 else decides.any(axis=1)).all():
        yield "nobody may do anything"
    if not np.isin(rewards, (-1.0, 0.0, 1.0)).all() or rewards[~over].any():
        yield "a reward is not one of an ending, or comes before it"
    if rewards.ndim == 2 and rewards.sum(axis=1).any():
        yield "rewards of both sides do not cancel"


if __name__ == "__main__":
    sys.exit(main())
