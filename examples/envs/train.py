"""Train the policies in examples/envs/policies: NumPy, one core, some minutes each.

    python examples/envs/train.py squads
    python examples/envs/train.py squads --version 1
    fracas agents strength squads --card

Writes policies/RULESET-v2.json, which reads version 2 of observations, and curves/RULESET.json, which the documentation
draws. Version 1 writes policies/RULESET.json, which scenarios can name.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fracas.engine.scenario import Scenario
from fracas.envs.agents import network_of, save_policy
from fracas.envs.agents.card import standard_battles
from fracas.envs.agents.strength import load_standard
from fracas.envs.agents.training import Settings, Trainer
from fracas.envs.batch import BattleBatch
from fracas.envs.scenarios import Opponent, Random, scenarios_of
from fracas.rulesets.titans.rules.constants import ENEMY_LAST, OWN_LAST

HERE = Path(__file__).parent
DRAWN = "opponents at random"


@dataclass(frozen=True)
class Plan:
    """What is trained against whom, and for how long."""

    opponents: tuple[str, ...]
    """Players of the content, in the standard battle; none: both sides are played by the policy itself."""
    iterations: int
    battles: int
    """Battles of each iteration."""
    settings: Settings
    mixes: bool = False
    contents: int = 0
    """How many scenarios of the generator's train split it meets too, from each side and against itself."""


# Against itself and without memory, averaged, so that it learns a mix that is hard to exploit.
MIXING = Settings(rate=0.01, shaping=0.5, entropy=0.03, averaging=0.98, ignored=[0, *OWN_LAST, *ENEMY_LAST])
PLANS = {
    "titans": Plan((), 200, 256, MIXING, mixes=True),
    "squads": Plan(("kill_line", "long_game", "spell_breakers"), 160, 256, Settings()),
    "delve": Plan(("scenario",), 60, 192, Settings()),
    "stacks": Plan(("scenario",), 60, 96, Settings(rate=0.02)),
}
# Of version 2. What abilities do is told, so that what is learned in many contents holds in others.
WIDE = {
    "titans": Plan(("scenario",), 400, 512, Settings(hidden=24, rate=0.01, entropy=0.02, averaging=0.98), True, 512),
    "squads": Plan(("kill_line", "long_game"), 210, 256, Settings(averaging=0.9), contents=512),
    "delve": Plan(("scenario",), 60, 96, Settings(averaging=0.9), contents=256),
    "stacks": Plan(("scenario",), 120, 96, Settings(rate=0.02, averaging=0.9), contents=256),
}


def batches_of(ruleset: str, plan: Plan, version: int) -> list[BattleBatch]:
    """The batches that take turns: against each opponent, from each side."""
    standard = load_standard(ruleset, None)
    played = [standard] if version == 1 else [standard, *standard_battles(standard)]
    met: list[tuple[Sequence[Scenario], Sequence[int]]] = [
        (scenarios_of(ruleset, played, Opponent(1 - side, name)), (side,)) for name in plan.opponents for side in (0, 1)
    ]
    if not plan.opponents or plan.contents:
        met.append((tuple(played), (0, 1)))
    if plan.contents:
        drawn = Random(count=plan.contents)
        met += [(scenarios_of(ruleset, drawn, agents=agents), agents) for agents in ((0,), (1,), (0, 1))]
    return [BattleBatch(scenarios, agents, plan.battles, version=version) for scenarios, agents in met]


def train(ruleset: str, seed: str, version: int) -> None:
    """Train one policy, and write it with its curve."""
    plan = (PLANS if version == 1 else WIDE)[ruleset]
    name = ruleset if version == 1 else f"{ruleset}-v{version}"
    batches = batches_of(ruleset, plan, version)
    trainer = Trainer(load_standard(ruleset, None), plan.settings, seed, version)
    started, points = time.monotonic(), []
    for number in range(plan.iterations):
        batch = batches[number % len(batches)]
        if plan.contents:
            # Other ones each time.
            batch.streams[:] = np.arange(plan.battles) + number // len(batches) * plan.battles
        reward = trainer.iterate(batch, range(len(batch.agents)), {}, f"{seed}/{number}")
        if len(batch.agents) == 1:
            points.append({"battles": (number + 1) * plan.battles, "score": (1 + reward) / 2})
        if number % 10 == 9:
            recent = [point["score"] for point in points[-len(batches) :]] or [0.5]
            seconds = time.monotonic() - started
            score = sum(recent) / len(recent)
            print(f"{number + 1:4d} of {plan.iterations}  {seconds:5.0f} s  score {score:.3f}", flush=True)
            network = network_of(ruleset, trainer.averaged, plan.mixes, version)
            save_policy(HERE / "policies" / f"{name}.json", network)
            if version == 2:
                curve = {"ruleset": ruleset, "seed": seed, "opponents": [*plan.opponents, DRAWN], "points": points}
                (HERE / "curves" / f"{ruleset}.json").write_text(json.dumps(curve) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("ruleset", choices=PLANS)
    parser.add_argument("--seed", default="training")
    parser.add_argument("--version", type=int, choices=(1, 2), default=2, help="of observations")
    arguments = parser.parse_args()
    for folder in ("policies", "curves"):
        (HERE / folder).mkdir(exist_ok=True)
    train(arguments.ruleset, arguments.seed, arguments.version)
