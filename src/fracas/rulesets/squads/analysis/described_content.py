"""What agents are told of a battle's content in version 2 of observations: rules, sides, units and their abilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.rulesets.contract.descriptions import Code, Number, Told, Words, flag
from fracas.rulesets.squads.rules import constants as codes

_STATS, _LARGEST = "hundreds", codes.LARGEST_STAT / 100
_ROUNDS = codes.LARGEST_ROUND_CAP / 10


def _per_cent(meaning: str, most: float = 100, least: float = 0) -> Number:
    return Number(meaning, "hundreds of per cent", 100, most, least)


OPTIONS: Words = {
    "round_cap": Number("rounds until the HP left decide", "tens", 10, _ROUNDS),
    "healer_threshold": _per_cent("HP below which a heal without a condition is used"),
    "healer_fallback": flag("whether healers heal even if their condition does not hold"),
    "ultimate_rule": flag("whether ultimates cool down, and need no charge"),
    "charge_action": Number("charge for a class ability or basic attack", "of 100", 100),
    "charge_hit": Number("charge for a hit that takes HP", "of 100", 100),
    "cap_tie": flag("whether side 1 wins with equal HP at the cap"),
}
RULES: Words = {
    "chain[chain_length]": {
        "kind": Code("this stage of damage", codes.STAGES),
        "first": Number("its first number", "hundreds", 100, 1e7, -1e7),
        "second": Number("its second number", "hundreds", 100, 1e7, -1e7),
    },
}
SIDE: Words = {
    "attack_pct": _per_cent("attack by the formation", 10, -10),
    "defense_pct": _per_cent("defense by the formation", 10, -10),
    "taken_pct": _per_cent("damage taken by the formation", 10, -10),
}
UNIT: Words = {
    "max_hp": Number("full HP", _STATS, 100, _LARGEST),
    "attack": Number("attack", _STATS, 100, _LARGEST),
    "defense": Number("defense", _STATS, 100, _LARGEST),
    "speed": Number("speed", _STATS, 100, _LARGEST),
    "damage_pct": _per_cent("damage dealt by the environment"),
    "defense_pct": _per_cent("defense by the environment"),
    "healing_pct": _per_cent("healing by the environment"),
    "critical_chance": _per_cent("chance of a critical hit, below 0 the stage's", 10, -1),
    "critical_multiplier": _per_cent("what a critical hit is multiplied by, below 0 the stage's", 100, -1),
}
EFFECT: Words = {
    "kind": Code("this effect", codes.EFFECTS),
    "attack": _per_cent("part of attack in its amount"),
    "defense": _per_cent("part of defense in its amount"),
    "max_hp": _per_cent("part of full HP in its amount"),
    "percentage": _per_cent("by how much it changes attack"),
    "rounds": Number("how long it lasts", "tens of rounds", 10, _ROUNDS),
}
ABILITY: Words = {
    "reach": Code("its reach", codes.REACHES),
    "hostile": flag("whether it reaches enemies"),
    "healing": flag("whether it heals"),
    "cooldown": Number("rounds until it may be used again", "tens", 10, _ROUNDS),
    "effects[effect_count]": EFFECT,
}


def tell(battle: Any, side: int) -> Iterator[Told]:
    """What a side is told: its own units first, with what each of them can do."""
    yield Told("options", "the rules", OPTIONS, battle["options"])
    yield Told("rules", "the rules", RULES, battle)
    for whose, number in (("own", side), ("enemy", 1 - side)):
        yield Told(whose, "your side" if whose == "own" else "the enemy", SIDE, battle["sides"][number])
    for whose, number in (("own", side), ("enemy", 1 - side)):
        for slot in range(codes.SIDE_SLOTS):
            unit = battle["units"][number * codes.SIDE_SLOTS + slot]
            is_there = bool(unit["max_hp"])
            name = f"{whose}_{slot + 1}"
            who = f"unit {slot + 1} of {'your side' if whose == 'own' else 'the enemy'}"
            yield Told(f"{name}.given", who, UNIT, unit, is_there)
            for use in ("basic", "class_ability", "ultimate"):
                ability = battle["abilities"][unit[use]["ability"]]
                yield Told(f"{name}.{use}", f"{use.replace('_', ' ')} of {who}", ABILITY, ability, is_there)
