"""Train the policies in examples/envs/policies: NumPy, two cores, a few minutes each.

    python examples/envs/train.py squads
    fracas agents strength squads

Writes policies/RULESET.json, which scenarios can name, and curves/RULESET.json, which the documentation draws.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path

from fracas.envs.agents import network_of, reference_agents, save_policy
from fracas.envs.agents.strength import load_standard
from fracas.envs.agents.training import Settings, Trainer
from fracas.envs.batch import BattleBatch
from fracas.envs.scenarios import Opponent, scenarios_of
from fracas.rulesets.titans.rules.constants import ENEMY_LAST, OWN_LAST

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Plan:
    """What is trained against whom, and for how long."""

    opponents: tuple[str, ...]
    """Players of the content; none: both sides are played by the policy itself."""
    iterations: int
    battles: int
    """Battles of each iteration."""
    settings: Settings
    mixes: bool = False


# Against itself and without memory, averaged, so that it learns a mix that is hard to exploit.
MIXING = Settings(rate=0.01, shaping=0.5, entropy=0.03, averaging=0.98, ignored=[0, *OWN_LAST, *ENEMY_LAST])
PLANS = {
    "titans": Plan((), 200, 256, MIXING, mixes=True),
    "squads": Plan(("kill_line", "long_game", "spell_breakers"), 160, 256, Settings()),
    "delve": Plan(("scenario",), 60, 192, Settings()),
    "stacks": Plan(("scenario",), 60, 96, Settings(rate=0.02)),
}


def batches_of(ruleset: str, plan: Plan) -> list[BattleBatch]:
    """The batches that take turns: against each opponent, from each side."""
    scenario = load_standard(ruleset, None)
    if not plan.opponents:
        return [BattleBatch([scenario], (0, 1), plan.battles)]
    players = {player.name: player for player in reference_agents(ruleset)}
    return [
        BattleBatch(scenarios_of(ruleset, scenario, Opponent(1 - side, players[name].policy)), (side,), plan.battles)
        for name in plan.opponents
        for side in (0, 1)
    ]


def train(ruleset: str, seed: str) -> None:
    """Train one policy, and write it with its curve."""
    plan = PLANS[ruleset]
    batches = batches_of(ruleset, plan)
    trainer = Trainer(load_standard(ruleset, None), plan.settings, seed)
    started, points = time.monotonic(), []
    for number in range(plan.iterations):
        batch = batches[number % len(batches)]
        reward = trainer.iterate(batch, range(len(batch.agents)), {}, f"{seed}/{number}")
        points.append({"battles": (number + 1) * plan.battles, "score": (1 + reward) / 2})
        if number % 10 == 9:
            recent = sum(point["score"] for point in points[-len(batches) :]) / len(points[-len(batches) :])
            seconds = time.monotonic() - started
            print(f"{number + 1:4d} of {plan.iterations}  {seconds:5.0f} s  score {recent:.3f}", flush=True)
            save_policy(HERE / "policies" / f"{ruleset}.json", network_of(ruleset, trainer.averaged, plan.mixes))
            curve = {"ruleset": ruleset, "seed": seed, "opponents": plan.opponents or ["itself"], "points": points}
            (HERE / "curves" / f"{ruleset}.json").write_text(json.dumps(curve) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("ruleset", choices=PLANS)
    parser.add_argument("--seed", default="training")
    arguments = parser.parse_args()
    for folder in ("policies", "curves"):
        (HERE / folder).mkdir(exist_ok=True)
    train(arguments.ruleset, arguments.seed)
