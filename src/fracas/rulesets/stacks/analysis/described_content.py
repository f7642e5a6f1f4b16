"""What agents are told of an attack's content in version 2 of observations: rules, places, scores at full health."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.rulesets.contract.descriptions import Code, Number, Told, Words, flag
from fracas.rulesets.stacks.rules import constants as codes

_STAT = codes.LARGEST_STAT / 10


def _count(meaning: str) -> Number:
    return Number(meaning, "tens", 10, codes.LARGEST_COUNT / 10)


OPTIONS: Words = {
    "valuation": Code("how moves are valued", codes.VALUATIONS),
    "charge_estimate": Code("what Charge is valued by", codes.CHARGE_ESTIMATES),
    "charge_damage": Code("what Charge does damage by", codes.DAMAGE_SCORES),
    "riposte_damage": Code("what Riposte does damage by", codes.DAMAGE_SCORES),
    "riposte_to": Code("what Riposte answers", codes.PROVOCATIONS),
    "least_score": flag("the least that a score can be"),
    "heal_limit": _count("how often a unit may heal, 0 for any number"),
    "heal_self": flag("whether units may heal themselves"),
    "idle_rule": Code("whose harm counts against idleness", codes.IDLE_RULES),
    "first_turn_idle": flag("whether the first turn can be idle"),
    "idle_turns": _count("turns without harm after which an attack is repelled"),
    "stale_turns": _count("turns without change after which an attack is repelled, 0 for never"),
    "turn_cap": Number("turns after which an attack is repelled", "tens", 10, codes.LARGEST_TURN_CAP / 10),
}
PLACE: Words = {
    "role": Code("the stack there", codes.ROLES),
    "unit_count": Number("units that stand there", "of 8", codes.STACK_SLOTS),
    "adjacent": Number("the directions next to it, a bit for each", "thousands", 1000, 100),
}
PARTICIPANT: Words = {
    "first_health": Number("full health", "tens", 10, codes.LARGEST_HEALTH / 10),
    "first_attack": Number("attack at full health", "tens", 10, _STAT),
    "first_defence": Number("defence at full health", "tens", 10, _STAT),
    "first_damage": Number("damage at full health", "tens", 10, _STAT),
}


def tell(battle: Any, side: int) -> Iterator[Told]:
    """What a side is told: the same as the other, for directions are those of the map."""
    yield Told("options", "the rules", OPTIONS, battle["options"])
    for direction in range(codes.MAX_DIRECTIONS):
        place = battle["places"][direction]
        is_there = place["stack"] >= 0 and direction < battle["direction_count"]
        yield Told(f"place_{direction}", f"direction {direction}", PLACE, place, bool(is_there))
    for number in range(codes.SLOTS):
        direction, slot = divmod(number, codes.STACK_SLOTS)
        name = f"tile_{direction}.given_{slot + 1}"
        who = f"unit {slot + 1} of the stack in direction {direction}"
        yield Told(name, who, PARTICIPANT, battle["participants"][number], number in _involved(battle))


def _involved(battle: Any) -> list[int]:
    return list(battle["involved"][: battle["involved_count"]])
