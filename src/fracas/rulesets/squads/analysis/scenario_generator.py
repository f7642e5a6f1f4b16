"""Random valid scenarios for property tests, benchmarks and fuzzing. The same number gives the same scenario."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.random_choices import Choices
from fracas.rulesets.squads.content.library import ABILITY_SLOTS
from fracas.rulesets.squads.content.models.abilities import EFFECTS, HOSTILE_EFFECTS, HOSTILE_REACHES
from fracas.rulesets.squads.content.models.rules_tables import STAGE_PARAMETERS
from fracas.rulesets.squads.rules.constants import CLASSES, PRIORITIES, REACHES, SELECTORS, SIDE_SLOTS

CONDITIONS = (
    "always",
    "ally_hp_below_50",
    "ally_hp_below_30",
    "enemy_count_gte_2",
    "ally_count_lte_2",
    "self_hp_below_50",
    "self_hp_above_80",
    "no_allies_have_buff",
    "any_enemy_charge_gte_80",
    "self_is_debuffed",
    "round_gte_5 and not enemies.any(stunned)",
    "enemies.count(hp_pct < 60) >= 2 or self.charge > 40",
    "not (allies.all(hp_pct > 90) and enemies.any(healer))",
    "enemies.lowest_hp_pct < 25 or allies.highest_hp_pct <= 70",
    "self.hp_pct > enemies.highest_hp_pct",
    "allies.count < enemies.count or allies.lowest_hp_pct >= self.hp_pct",
    "self.charge >= self.cooldown and not enemies.count > round",
    {"any": ["self_has_buff", {"not": {"all": ["enemy_count_lte_3", "self.cooldown == 0"]}}]},
)
# Damage and heals come more often than the rest: without them nothing happens.
HOSTILE = ("damage", "damage", *HOSTILE_EFFECTS)
FRIENDLY = ("heal", *(effect for effect in EFFECTS if effect not in HOSTILE_EFFECTS))
FRIENDLY_REACHES = tuple(reach for reach in REACHES if reach not in HOSTILE_REACHES)


def random_scenario(seed: int) -> Document:
    """A random scenario over all features of squads: own abilities, odd chains, environments, every option."""
    dice = Choices(f"squads scenario {seed}")
    abilities = {entry["id"]: entry for entry in (_ability(dice, number) for number in range(dice.between(4, 10)))}
    return {
        "ruleset": "squads",
        "id": f"random-{seed}",
        "modifier": _modifier(dice) if dice.below(2) else None,
        "options": _options(dice),
        "abilities": abilities,
        "sides": [_side(dice, list(abilities)) for _ in range(2)],
    }


def _ability(dice: Choices, number: int) -> Document:
    hostile = dice.below(3) > 0
    effects = [_effect(dice, dice.choose(HOSTILE if hostile else FRIENDLY)) for _ in range(dice.between(1, 3))]
    name = f"ability_{number}"
    return {
        "id": name,
        "name": f"Ability {number}",
        "reach": dice.choose(HOSTILE_REACHES if hostile else FRIENDLY_REACHES),
        "cooldown": dice.below(6),
        "effects": effects,
    }


def _effect(dice: Choices, kind: str) -> Document:
    power = {"attack": dice.between(10, 200), "defense": dice.below(80), "max_hp": dice.below(20)}
    if kind in ("damage", "heal"):
        return {"type": kind, **power}
    if kind in ("shield", "damage_over_time"):
        return {"type": kind, "attack": dice.between(1, 60), "rounds": dice.between(1, 4)}
    if kind in ("attack_up", "attack_down"):
        return {"type": kind, "percent": dice.between(1, 90), "rounds": dice.between(1, 4)}
    return {"type": kind, **{field: dice.between(1, 3) for field in EFFECTS[kind].model_fields if field != "type"}}


def _modifier(dice: Choices) -> Document:
    def numbers() -> dict[str, Any]:
        ranges = {
            "damage": 200,
            "defense": 250,
            "healing": 150,
            "speed": 200,
            "critical_chance": 100,
            "critical_multiplier": 250,
        }
        return {name: dice.below(most + 1) for name, most in ranges.items() if dice.below(2)}

    classes = {name: numbers() for name in CLASSES if dice.below(3) == 0}
    return {"id": "weather", "name": "Weather", **numbers(), "classes": classes}


def _options(dice: Choices) -> Document:
    options: Document = {
        "round_cap": dice.between(3, 60),
        "healer_threshold": dice.below(101),
        "healer_fallback": dice.choose(("unless_configured", "always")),
        "ultimate_rule": dice.choose(("charge", "charge", "cooldown")),
        "charge_action": dice.below(60),
        "charge_hit": dice.below(30),
        "cap_tie": dice.choose(("draw", "side1")),
    }
    if dice.below(3) == 0:
        stages = [dice.choose(list(STAGE_PARAMETERS)) for _ in range(dice.below(8))]
        options["chain"] = {"stages": [_stage(dice, name) for name in stages]}
    if dice.below(3) == 0:
        options["formations"] = {
            "flanking": {"attack": dice.below(200), "defense": dice.below(200), "taken": dice.below(200)}
        }
    return options


def _stage(dice: Choices, name: str) -> Document:
    """A stage with some of its parameters, each between half and twice its default."""
    defaults = STAGE_PARAMETERS[name]
    given = {key: dice.between(min(value, 100) // 2, min(2 * value, 100) + 1) for key, value in defaults.items()}
    return {"stage": name, **{key: min(value, 100) for key, value in given.items() if dice.below(2)}}


def _side(dice: Choices, abilities: Sequence[str]) -> Document:
    units = [_unit(dice, number, abilities) for number in range(dice.between(1, SIDE_SLOTS))]
    owned = sorted({unit[slot] for unit in units for slot in ABILITY_SLOTS})
    orders: Document = {
        name: {"when": dice.choose(CONDITIONS), "target": dice.choose(SELECTORS[1:])}
        for name in owned
        if dice.below(3) > 0
    }
    if dice.below(2):
        orders["basic_attack"] = {"target": dice.choose(SELECTORS[1:])}
    return {
        "units": units,
        "strategy": {
            "formation": dice.choose(("aggressive", "defensive", "balanced", "flanking")),
            "targetPriority": [dice.choose(list(PRIORITIES)) for _ in range(dice.below(4))],
            "allyPriority": [dice.choose(list(PRIORITIES)) for _ in range(dice.below(4))],
            "abilities": orders,
        },
    }


def _unit(dice: Choices, number: int, abilities: Sequence[str]) -> Document:
    return {
        "id": f"unit-{number}",
        "class": dice.choose(CLASSES),
        "hp": dice.between(1, 200),
        "attack": dice.between(1, 60),
        "defense": dice.below(50),
        "speed": dice.between(1, 12),
        "class_ability": dice.choose(abilities),
        "ultimate": dice.choose(abilities),
    }
