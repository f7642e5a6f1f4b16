"""Train the drafter of relics: a bandit over builds, in NumPy, on one core, in some minutes.

    FRACAS_JIT=1 python examples/envs/train_relics.py
    FRACAS_JIT=1 python examples/envs/train_relics.py --version 1
    fracas agents strength relics --card

A build is worth the sum of what its pieces are worth (Thompson sampling for linear payoffs: S. Agrawal and N. Goyal,
2013). Version 2 rates what pieces do, so that each battle says something about all pieces; it writes
policies/relics-v2.json and curves/relics.json. Version 1 rates each piece by its id; it writes policies/relics.json
and the build that it drafts as policies/relics-build.json.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from fracas.envs.agents.card import standard_battles
from fracas.envs.agents.drafters import (
    DescribedDrafter,
    PreferenceDrafter,
    drafted,
    offer_entries,
    offers_told,
    preferences_document,
)
from fracas.envs.agents.strength import load_standard
from fracas.envs.batch import Array
from fracas.envs.drafting.match import DraftMatch
from fracas.envs.scenarios import Random, random_scenarios
from fracas.rulesets import registry

HERE = Path(__file__).parent
BATTLES = 16
# How far the worth of a piece is believed to be from 0, and the noise of a build's score.
SPREAD, NOISE = 0.3, 0.7
# In version 2 every second draft is for a scenario of the generator's train split.
CONTENTS = 256


def train(drafts: int, seed: str) -> None:
    """Draft and fight, alternating sides; each result says something about every piece that was worn."""
    names = sorted(registry.get("relics").read_library(None, ()).of("items"))
    numbers = {name: number for number, name in enumerate(names)}
    precision, sums = np.eye(len(names)) / SPREAD**2, np.zeros(len(names))
    rng = np.random.default_rng(list(seed.encode()))
    matches = [DraftMatch([load_standard("relics", None)], side, BATTLES) for side in (1, 2)]
    started, points = time.monotonic(), []
    for number in range(drafts):
        match = matches[number % 2]
        spread = np.linalg.inv(precision)
        believed = rng.multivariate_normal(spread @ sums, spread, method="cholesky")
        drafter = PreferenceDrafter(dict(zip(names, believed, strict=True)), float(np.quantile(believed, 0.7)))
        state = drafted(match, drafter, f"{seed}/draft", number)
        reward = match.value(state, seed, number)
        worn = np.bincount([numbers[name] for name in state.worn if name], minlength=len(names)).astype(float)
        precision += np.outer(worn, worn) / NOISE**2
        sums += worn * reward / NOISE**2
        points.append({"battles": (number + 1) * BATTLES, "score": (1 + reward) / 2})
        if number % 50 == 49:
            recent = np.mean([point["score"] for point in points[-50:]])
            print(f"{number + 1:4d} of {drafts}  {time.monotonic() - started:5.0f} s  score {recent:.3f}", flush=True)
            worth = np.linalg.inv(precision) @ sums
            leaving = float(np.quantile(worth, 0.7))
            write(dict(zip(names, worth.tolist(), strict=True)), leaving, matches[0], seed)


def write(worth: dict[str, float], leaving: float, match: DraftMatch, seed: str) -> None:
    """Write the preferences, and the build of the best of ten drafts."""
    document = preferences_document("relics", worth, leaving)
    (HERE / "policies" / "relics.json").write_text(json.dumps(document, indent=1) + "\n")
    drafter = PreferenceDrafter(worth, leaving)
    states = [drafted(match, drafter, f"{seed}/build", number) for number in range(10)]
    best = max(states, key=lambda state: sum(worth.get(name, 0.0) for name in state.worn if name))
    build = match.draft.build(best)
    (HERE / "policies" / "relics-build.json").write_text(json.dumps(build, indent=1) + "\n")


class Watched(DescribedDrafter):
    """Notes what it was told of each offer, and of what it took."""

    def __init__(self, worth: dict[str, float], leaving: float) -> None:
        super().__init__(worth, leaving)
        self.offers: list[Array] = []
        self.taken: list[Array] = []

    def choose(self, match: DraftMatch) -> int:
        """As it rates them."""
        action, told = super().choose(match), offers_told(match)
        self.offers.append(told)
        if action != match.spaces.actions - 1:
            self.taken.append(told[action // ((match.spaces.actions - 1) // len(told))])
        return action


def train_described(drafts: int, seed: str) -> None:
    """The same over what pieces do, in many scenarios."""
    standard = load_standard("relics", None)
    drawn = random_scenarios("relics", Random(count=CONTENTS))
    mixed = [each for other in drawn for each in (*standard_battles(standard), other, other)]
    matches = [DraftMatch(mixed, side, BATTLES, version=2) for side in (1, 2)]
    matches[0].begin_at(seed, 0)
    names, _ = offer_entries(matches[0].spaces)
    precision, sums = np.eye(len(names)) / SPREAD**2, np.zeros(len(names))
    rng = np.random.default_rng(list(seed.encode()))
    # Rewards differ more by scenario than by build, so what is learned from is how a draft did beside another one of
    # the same scenario.
    started, points, leaving = time.monotonic(), [], 0.0
    for number in range(drafts):
        match, stream = matches[number % 2], number // 2
        spread = np.linalg.inv(precision)
        seen, rewards, offers = [], [], []
        for turn in range(2):
            believed = rng.multivariate_normal(spread @ sums, spread, method="cholesky")
            drafter = Watched(dict(zip(names, believed, strict=True)), leaving)
            state = drafted(match, drafter, f"{seed}/draft/{turn}", stream)
            rewards.append(match.value(state, seed, stream))
            seen.append(np.sum(drafter.taken, axis=0) if drafter.taken else np.zeros(len(names)))
            offers += drafter.offers
        told, won = seen[0] - seen[1], rewards[0] - rewards[1]
        precision += np.outer(told, told) / (2 * NOISE**2)
        sums += told * won / (2 * NOISE**2)
        worth = np.linalg.inv(precision) @ sums
        leaving = float(np.quantile(np.concatenate(offers) @ worth, 0.7))
        points.append({"battles": (number + 1) * 2 * BATTLES, "score": (2 + sum(rewards)) / 4})
        if number % 50 == 49:
            recent = np.mean([point["score"] for point in points[-50:]])
            print(f"{number + 1:4d} of {drafts}  {time.monotonic() - started:5.0f} s  score {recent:.3f}", flush=True)
            document = preferences_document("relics", dict(zip(names, worth.tolist(), strict=True)), leaving, 2)
            (HERE / "policies" / "relics-v2.json").write_text(json.dumps(document, indent=1) + "\n")
            curve = {"ruleset": "relics", "seed": seed, "opponents": ["scenario"], "points": points}
            (HERE / "curves" / "relics.json").write_text(json.dumps(curve) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--drafts", type=int, help="how many; absent: 400, in version 2 twice 3,200")
    parser.add_argument("--seed", default="training")
    parser.add_argument("--version", type=int, choices=(1, 2), default=2, help="of observations")
    arguments = parser.parse_args()
    for folder in ("policies", "curves"):
        (HERE / folder).mkdir(exist_ok=True)
    if arguments.version == 1:
        train(arguments.drafts or 400, arguments.seed)
    else:
        train_described(arguments.drafts or 3200, arguments.seed)
