"""Random valid scenarios for property tests, benchmarks and fuzzing. The same number gives the same scenario.

Even numbers give lone encounters, odd ones runs. Scenarios use no shipped content, so new content changes none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.resolver import AIMED
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.shared.random_choices import Choices

WHENS = (
    "always",
    "self_hp_below_50",
    "ally_hp_below_70",
    "enemy_hp_above_50",
    "resource_gte_5",
    "enemy_count_gte_2",
    "ally_count_lte_2",
    "round_gte_3",
    "every_2_rounds",
    "once",
    "boss_present",
    *(f"enemy_has_{name}" for name in codes.HARMFUL_CONDITIONS),
    *(f"self_lacks_{name}" for name in codes.HELPFUL_CONDITIONS),
    "ally_has_bleeding and not self.blinded",
    "enemies.count(hp_pct < 60) >= 2 or self.resource_pct > 40",
    "not (allies.all(hp_pct > 90) and enemies.any(stunned))",
    "self.resource_pct > self.hp_pct",
    "allies.count < enemies.count or used >= round",
    "self.resource != round and not enemies.count > allies.count",
    {"any": ["self_has_slowed", {"not": {"all": ["used == 2", "self.hp_pct >= 30"]}}]},
)
KINDS = ("breath", "spirit")
HELPFUL_REACHES = tuple(reach for reach in codes.REACHES if reach not in codes.HOSTILE_REACHES)
# Every queue has attacks, so that most fights end.
ATTACKS = ("strike", "spark")


def random_scenario(seed: int) -> Document:
    """A random scenario over all features of delve: own skills, items and tables, every encounter type and option."""
    dice = Choices(f"delve scenario {seed}")
    skills = _skills(dice)
    document: Document = {
        "ruleset": "delve",
        "id": f"random-{seed}",
        "difficulty": _difficulty(dice),
        "options": _options(dice),
        "resources": {kind: {"id": kind, "name": kind.title(), "start": dice.between(30, 100)} for kind in KINDS},
        "skills": skills,
        **_treasures(dice),
    }
    document["party"] = [_member(dice, number, document) for number in range(dice.between(1, 6))]
    if seed % 2 == 0:
        document["enemies"] = _enemies(dice, skills)
    else:
        document["quest"] = _quest(dice, skills)
        if dice.below(3) == 0:
            document |= {"run_id": f"run{seed}", "started_at": "2026-11-20T08:00:00Z"}
    if dice.below(4) == 0:
        document["flee_below"] = dice.between(30, 90)
    return document


def _options(dice: Choices) -> Document:
    options = {
        "survived_share": dice.below(101),
        "armor_share": dice.choose((0, 50, 100, 100, 300)),
        "flee_below": dice.choose((0, 0, 0, 60)),
        "round_cap": dice.between(3, 25),
    }
    return {name: value for name, value in options.items() if dice.below(3)}


def _difficulty(dice: Choices) -> Document:
    return {
        "id": "odd",
        "name": "Odd",
        "creature_hp": dice.between(10, 130),
        "creature_damage": dice.between(20, 130),
        "check": dice.between(-20, 20),
        "loot_chance": dice.between(20, 100),
        "rarity": {rarity: dice.between(1, 300) for rarity in codes.RARITIES if dice.below(2)},
        "xp": dice.below(200),
    }


# Skills.


def _skills(dice: Choices) -> dict[str, Document]:
    numbers = range(dice.between(5, 12))
    made = [_attack(dice, name, element) for name, element in zip(ATTACKS, codes.ELEMENTS, strict=True)]
    made += [_hostile(dice, f"harm_{n}") if dice.below(5) > 1 else _helpful(dice, f"help_{n}") for n in numbers]
    return {skill["id"]: skill for skill in made}


def _named(identifier: str) -> Document:
    return {"id": identifier, "name": identifier.replace("_", " ").title()}


def _attack(dice: Choices, name: str, element: str) -> Document:
    """An attack that anyone can use at any time."""
    attack = "might" if element == "physical" else "logic"
    numbers = {"damage": _range(dice, 2, 9), "modifier": dice.between(0, 30), "weapon": element == "physical"}
    return {**_named(name), "reach": "one_enemy", "attack": attack, "defense": "speed", "element": element, **numbers}


def _hostile(dice: Choices, name: str) -> Document:
    skill = _named(name) | {
        "reach": dice.choose(codes.HOSTILE_REACHES),
        "attack": dice.choose(codes.ATTRIBUTES),
        "defense": dice.choose(codes.ATTRIBUTES),
        "modifier": dice.between(-20, 40),
        "element": dice.choose(codes.ELEMENTS),
        "conditions": [_condition(dice, each) for each in dice.some(codes.HARMFUL_CONDITIONS, 0, 3)],
        **_price(dice),
    }
    if dice.below(4) or not skill["conditions"]:
        skill["damage"] = _range(dice, 1, 14)
        skill["weapon"] = dice.below(3) == 0
    return skill


def _helpful(dice: Choices, name: str) -> Document:
    skill = _named(name) | {
        "reach": dice.choose(HELPFUL_REACHES),
        "conditions": [_condition(dice, each) for each in dice.some(codes.HELPFUL_CONDITIONS, 0, 3)],
        **_price(dice),
    }
    if dice.below(2) or not skill["conditions"]:
        skill["heal"] = _range(dice, 1, 12)
    return skill


def _price(dice: Choices) -> Document:
    return {"cost": dice.choose((0, 0, 3, 8)), "cooldown": dice.choose((0, 1, 2, 4))}


def _condition(dice: Choices, name: str) -> Document:
    condition: Document = {"condition": name}
    if name != "stunned":
        condition["rounds"] = dice.between(1, 4)
    if name in codes.POTENT_CONDITIONS:
        condition["potency"] = dice.between(1, 8)
    return condition


def _range(dice: Choices, low: int, high: int) -> Document:
    ends = sorted((dice.between(low, high), dice.between(low, high)))
    return {"min": ends[0], "max": ends[1]}


def _queue(dice: Choices, skills: dict[str, Document]) -> list[Any]:
    """A queue of some skills, each with a condition; usually ends with one that can always be used."""
    slots = [_slot(dice, skills[name]) for name in dice.some(list(skills), 1, 5)]
    return slots if dice.below(8) == 0 else [*slots, dice.choose(ATTACKS)]


def _slot(dice: Choices, skill: Document) -> Document:
    slot: Document = {"skill": skill["id"]}
    if dice.below(3):
        slot["when"] = dice.choose(WHENS)
    if skill["reach"] in AIMED and dice.below(2):
        slot["target"] = dice.choose(codes.SELECTORS)
    return slot


# Participants.


def _attributes(dice: Choices) -> Document:
    return {name: dice.choose((0, 255)) if dice.below(60) == 0 else dice.between(5, 60) for name in codes.ATTRIBUTES}


def _body(dice: Choices, skills: dict[str, Document]) -> Document:
    return {
        "level": dice.between(1, 10),
        "hp": dice.between(8, 70),
        "attributes": _attributes(dice),
        "resource": {"kind": dice.choose(KINDS), "max": dice.between(8, 30), "regeneration": dice.below(5)},
        "armor": dice.below(6),
        "resistance": dice.below(6),
        "evasion": dice.below(12),
        "weapon_speed": dice.between(-10, 10),
        "weapon": _range(dice, 0, 4),
        "queue": _queue(dice, skills),
    }


def _member(dice: Choices, number: int, document: Document) -> Document:
    items = list(document["items"])
    return {
        "id": f"member-{number}",
        **_body(dice, document["skills"]),
        "training": {name: dice.below(30) for name in codes.TRAININGS if dice.below(3) == 0},
        "items": [_worn(dice, name, document) for name in dice.some(items, 0, 3)],
    }


def _worn(dice: Choices, template: str, document: Document) -> Document:
    slot = document["items"][template]["slot"]
    fitting = [name for name, bonus in document["bonuses"].items() if slot in bonus.get("slots", [slot])]
    bonuses = [{"bonus": name, "tier": dice.choose(codes.TIERS)} for name in dice.some(fitting, 0, 2)]
    rarity = dice.choose(codes.RARITIES)
    return {
        "template": template,
        "rarity": rarity,
        "bonuses": bonuses,
        "enhancement": dice.below(codes.MAX_ENHANCEMENT + 1),
    }


def _enemies(dice: Choices, skills: dict[str, Document], most: int = codes.SIDE_SLOTS) -> list[Document]:
    return [_enemy(dice, dice.below(4), skills) for _ in range(dice.between(1, most))]


def _enemy(dice: Choices, number: int, skills: dict[str, Document]) -> Document:
    enemy = {"id": f"enemy-{number}", **_body(dice, skills), "xp_reward": dice.below(60)}
    if dice.below(4) == 0:
        thresholds = sorted({dice.between(10, 95) for _ in range(dice.between(1, 3))}, reverse=True)
        enemy |= {"boss": True, "phases": [_phase(dice, at, skills) for at in thresholds]}
    if dice.below(5) == 0:
        enemy["loot_table_id"] = "den"
    return enemy


def _phase(dice: Choices, at: int, skills: dict[str, Document]) -> Document:
    changes = {
        "queue": _queue(dice, skills),
        "armor": dice.below(8),
        "resistance": dice.below(8),
        "evasion": dice.below(10),
        "regeneration": dice.below(6),
        "attributes": {name: dice.between(5, 70) for name in dice.some(codes.ATTRIBUTES, 1, 3)},
    }
    return {"name": f"at {at}", "at": at, **{key: value for key, value in changes.items() if dice.below(2)}}


# Quests and their loot.


def _quest(dice: Choices, skills: dict[str, Document]) -> Document:
    types = [dice.choose(("combat", *codes.ENCOUNTER_TYPES)) for _ in range(dice.between(1, 7))]
    quest = {**_named("odd_quest"), "loot_table_id": "den"}
    if dice.below(2):
        quest["chest_table_id"] = "chest"
    return {**quest, "encounters": [_encounter(dice, name, skills) for name in types]}


def _encounter(dice: Choices, kind: str, skills: dict[str, Document]) -> Document:
    encounter: Document = {"type": kind, "xp": dice.below(40), "loot": dice.below(5) > 0}
    if dice.below(2):
        encounter["gold"] = _range(dice, 0, 20)
    if dice.below(4) == 0:
        encounter["loot_table_id"] = "chest"
    return encounter | _particulars(dice, kind, skills)


def _particulars(dice: Choices, kind: str, skills: dict[str, Document]) -> Document:
    """The fields of an encounter's type."""
    checks = codes.CHECKS[1:]
    match kind:
        case "combat":
            return {"enemies": _enemies(dice, skills, 4)}
        case "trap":
            return {"detect": dice.below(60), "avoid": dice.below(60), "damage": _range(dice, 0, 9)}
        case "hazard":
            return {"check": dice.choose(checks), "difficulty": dice.below(60), "damage": _range(dice, 0, 9)}
        case "decision":
            return {"options": [_option(dice, number, checks, skills) for number in range(dice.between(1, 4))]}
        case "puzzle":
            outcomes = {key: _consequence(dice, skills) for key in ("success", "failure")}
            return {"checks": dice.some(checks, 1, 3), "difficulty": dice.below(60), **outcomes}
    return {}


def _option(dice: Choices, number: int, checks: Sequence[str], skills: dict[str, Document]) -> Document:
    option: Document = {"name": f"way {number}", "success": _consequence(dice, skills)}
    if dice.below(4):
        option |= {"check": dice.choose(checks), "difficulty": dice.below(60)}
        if dice.below(3):
            option["failure"] = _consequence(dice, skills)
    return option


def _consequence(dice: Choices, skills: dict[str, Document]) -> Document:
    everything: Document = {
        "gold": dice.below(30),
        "loot_rolls": dice.between(1, 4),
        "skip": dice.between(1, 2),
        "heal": dice.between(1, 40),
        "damage": _range(dice, 0, 8),
        "ambush": _enemies(dice, skills, 3),
    }
    return {key: everything[key] for key in dice.some(list(everything), 0, 3)}


def _treasures(dice: Choices) -> Document:
    """The content for items: templates, bonuses, rarities and two loot tables."""
    bonuses = [_bonus(dice, number) for number in range(dice.between(1, 6))]
    items = [_template(dice, number) for number in range(dice.between(3, 6))]
    names = [item["id"] for item in items]
    return {
        "bonuses": {bonus["id"]: bonus for bonus in bonuses},
        "items": {item["id"]: item for item in items},
        "rarities": {name: _rarity(dice, name, index) for index, name in enumerate(codes.RARITIES)},
        "loot_tables": {name: _table(dice, name, names) for name in ("den", "chest")},
    }


def _bonus(dice: Choices, number: int) -> Document:
    amounts = sorted(dice.between(0, 9) for _ in codes.TIERS)
    bonus = {**_named(f"bonus_{number}"), "stat": dice.choose(codes.BONUS_STATS), "amounts": amounts}
    slots = {"slots": dice.some(codes.SLOT_NAMES, 1, 6)} if dice.below(2) else {}
    return {**bonus, **slots, "weight": dice.below(5)}


def _template(dice: Choices, number: int) -> Document:
    # Each template has its own slot, so that any of them can be worn together.
    slot = codes.SLOT_NAMES[number]
    template = {**_named(f"item_{number}"), "slot": slot, "armor": dice.below(4), "resistance": dice.below(3)}
    if slot == "main_hand":
        template |= {"damage": _range(dice, 0, 5), "speed": dice.between(-10, 10)}
    signature = [{"stat": dice.choose(codes.BONUS_STATS), "amount": dice.between(-2, 4)} for _ in range(dice.below(3))]
    return {**template, "evasion": dice.below(3), "signature": signature}


def _rarity(dice: Choices, name: str, index: int) -> Document:
    tiers = {tier: dice.below(4) for tier in codes.TIERS} | {dice.choose(codes.TIERS): 1}
    return {"id": name, "bonuses": min(index, 4), "tiers": tiers}


def _table(dice: Choices, name: str, templates: Sequence[str]) -> Document:
    chosen = dice.some(templates, 1, 5)
    rows = [
        {
            "template": template,
            "weight": dice.below(4) if index else dice.between(1, 4),
            "rarity_weights": {rarity: dice.between(1, 60) for rarity in dice.some(codes.RARITIES, 1, 4)},
        }
        for index, template in enumerate(chosen)
    ]
    return {"id": name, "rows": rows}
