"""Generate random valid scenarios for property tests, benchmarks and fuzzing. Equal numbers give equal scenarios."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.random_choices import Choices
from fracas.rulesets.titans.rules.constants import EFFECTS, STATS

CONDITIONS = (
    "always",
    "self.hp_pct < 50",
    "enemy.hp_pct <= 40 and self.ready",
    "enemy.charge >= 50",
    "self.charge > 40 or enemy.charge < 20",
    "self_hp_below_35",
    "enemy_is_ready and not enemy.debuffed",
    "self.debuffed",
    "self.buffed or enemy.attacked",
    "enemy.defended and not self.rested",
    "enemy.used_ability or enemy.rested",
    "self.speed >= 7 and self.attack > 5",
    "every_3_rounds",
    "sudden_death or round_gte_5",
    "self.hp_pct > enemy.hp_pct",
    "self.attack >= enemy.defense or enemy.speed > self.speed",
    "enemy.charge != self.charge and not self.hp <= round",
    {"any": ["enemy.hp < 12", {"not": {"all": ["self.hp > 10", "round < 4"]}}]},
)
BASIC = ("attack", "defend", "rest")
# Damage more often than the rest, so that duels end.
KINDS = ("damage", "damage", "change", *EFFECTS)


def random_scenario(seed: int) -> Document:
    """A random scenario: own abilities, every kind of policy, any options."""
    dice = Choices(f"titans scenario {seed}")
    abilities = {entry["id"]: entry for entry in (_ability(dice, number) for number in range(dice.between(2, 8)))}
    return {
        "ruleset": "titans",
        "id": f"random-{seed}",
        "profile": dice.choose(("seed", "head")),
        "options": _options(dice),
        "abilities": abilities,
        "players": [_player(dice, name, list(abilities)) for name in ("Ada", "Bo")],
    }


def _options(dice: Choices) -> Document:
    options: Document = {
        "round_cap": dice.choose((1, 3, 12, 40)),
        "sudden_death": dice.choose((0, 0, 1, 6, 60)),
        "misses": dice.below(2) == 1,
        "criticals": dice.below(2) == 1,
        "stamina_charges": dice.below(2) == 1,
        "rest_charge": dice.choose((0, 20, 60, 100)),
        "defend_charge": dice.choose((0, 20)),
        "attack_charge": dice.choose((0, 10)),
        "experience": dice.below(2) == 1,
    }
    return {name: value for name, value in options.items() if dice.below(3) == 0}


def _ability(dice: Choices, number: int) -> Document:
    kinds = [dice.choose(KINDS) for _ in range(dice.between(1, 4))]
    return {
        "id": f"ability_{number}",
        "name": f"Ability {number}",
        "cost": dice.choose((0, 5, 20, 35, 60, 100)),
        "effects": [_effect(dice, kind) for kind in kinds],
    }


def _effect(dice: Choices, kind: str) -> Document:
    who = dice.choose(("self", "opponent"))
    match kind:
        case "heal" if dice.below(3) == 0:
            return {"type": kind, "dealt": dice.choose((50, 100, 130))}
        case "damage" | "heal" | "shield":
            return {"type": kind, **_amount(dice)}
        case "charge":
            return {"type": kind, "amount": dice.between(-60, 60), "on": who}
        case "set_charge":
            return {"type": kind, "amount": dice.between(0, 100), "on": who}
        case "change":
            percent = dice.choose((-90, -50, -20, 15, 50, 300))
            return {"type": kind, "stat": dice.choose(STATS), "percent": percent, "rounds": dice.below(4), "on": who}
    return {"type": "cleanse"}


def _amount(dice: Choices) -> Document:
    if dice.below(2):
        return {"amount": dice.between(0, 15)}
    return {"stat": dice.choose(STATS), "times": dice.choose((0.1, 0.5, 0.75, 1.5, 2.5))}


def _player(dice: Choices, name: str, known: Sequence[str]) -> Document:
    own = dice.some(known, 1, 5)
    titan: Document = {
        "name": f"{name}'s titan",
        "hp": dice.choose((1, 20, 32, 50, 400)),
        **{stat: dice.choose((0, 5, 7, 8, 10, 30)) for stat in STATS},
        "abilities": own,
        "level": dice.choose((1, 1, 2, 9, 50)),
        "experience": dice.choose((0, 60, 90)),
    }
    if dice.below(5) == 0:
        titan, own = {"generate": f"text {dice.below(1000)}"}, []
    return {"name": name, "titan": titan, "policy": _policy(dice, own)}


def _policy(dice: Choices, own: Sequence[str]) -> object:
    what = dice.below(6)
    if what < 2:
        return ("random", "greedy")[what]
    if what == 2:
        return {"choices": [dice.choose((*BASIC, *own, "missed")) for _ in range(dice.below(30))]}
    if what == 3:
        return {"solved": _table(dice, [*BASIC, *own])}
    rules = [_rule(dice, [*BASIC, "ability", *own, *own]) for _ in range(dice.between(1, 6))]
    return [*rules, {"do": dice.choose(BASIC)}]


def _rule(dice: Choices, choices: Sequence[str]) -> Document:
    rule: Document = {"when": dice.choose(CONDITIONS), "do": dice.choose(choices)}
    return rule | ({"chance": dice.between(1, 100)} if dice.below(3) == 0 else {})


def _table(dice: Choices, choices: Sequence[str]) -> Document:
    steps = {axis: dice.choose((1, 2, 3)) for axis in ("own_hp", "enemy_hp", "own_charge", "enemy_charge")}
    cells = steps["own_hp"] * steps["enemy_hp"] * steps["own_charge"] * steps["enemy_charge"]
    weights = bytes(dice.choose((0, 0, 1, 40, 255)) for _ in range(cells * len(choices)))
    return {**steps, "choices": list(choices), "weights": base64.b64encode(weights).decode()}
