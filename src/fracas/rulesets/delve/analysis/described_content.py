"""What agents are told of content in version 2 of observations: rules, the own side's members, and all their skills."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.errors import UsageError
from fracas.rulesets.contract.descriptions import Code, Number, Told, Words, flag
from fracas.rulesets.delve.rules import constants as codes

# How many skills are told: of one side, whose numbers are close to each other.
SKILLS = 48
_CHECKS = tuple(f"check_{name.replace(' ', '_')}" for name in codes.CHECKS)
_AMOUNT = codes.LARGEST_AMOUNT / 100
_ROUNDS = codes.LARGEST_DURATION / 10


def _hundreds(meaning: str, most: float = 1e4, least: float = 0, places: tuple[str, ...] = ()) -> Number:
    return Number(meaning, "hundreds", 100, most, least, places)


RANGE: Words = {"low": _hundreds("at least"), "high": _hundreds("at most")}
OPTIONS: Words = {
    "survived_share": _hundreds("per cent of the party that must live to have survived"),
    "armor_share": _hundreds("per cent of damage that armor can take"),
    "flee_below": _hundreds("per cent of HP below which a party flees"),
    "round_cap": Number("rounds of a fight", "tens", 10, codes.LARGEST_ROUND_CAP / 10),
}
DIFFICULTY: Words = {
    "check": _hundreds("what checks are harder by", 1e4, -1e4),
    "loot_chance": _hundreds("per cent of loot"),
    "xp": _hundreds("per cent of experience"),
}
MEMBER: Words = {
    "max_resource": Number("most resource", "tens", 10, codes.LARGEST_RESOURCE / 10),
    "start_pct": _hundreds("per cent of its resource that it begins with"),
    "level": Number("level", "tens", 10, codes.LARGEST_LEVEL / 10),
    "max_hp": _hundreds("full HP", _AMOUNT),
    "armor": _hundreds("armor", 1e4, -1e4),
    "resistance": _hundreds("resistance", 1e4, -1e4),
    "evasion": _hundreds("evasion", 1e4, -1e4),
    "regeneration": _hundreds("resource gained each round", 1e4, -1e4),
    "damage_pct": _hundreds("per cent of damage dealt", 1e4, -1e4),
    "weapon_speed": _hundreds("speed of its weapon", 1e4, -1e4),
    "weapon": RANGE,
    "attributes": _hundreds("attribute", 1e4, -1e4, codes.ATTRIBUTES),
    "checks": _hundreds("value of a check", 1e4, -1e4, _CHECKS),
}
SKILL: Words = {
    "reach": Code("its reach", codes.REACHES),
    "hostile": flag("whether it reaches enemies"),
    "damaging": flag("whether it does damage"),
    "healing": flag("whether it heals"),
    "pure_heal": flag("whether it only heals"),
    "attack": Number("the attribute that it attacks by", "number from 0, tens", 10, 10, -1),
    "defense": Number("what it is defended by", "number from 0, tens", 10, 10, -1),
    "modifier": _hundreds("what its attack is easier by", 10, -10),
    "element": Code("its element", codes.ELEMENTS),
    "weapon": flag("whether it strikes with the weapon"),
    "damage": RANGE,
    "heal": RANGE,
    "cost": Number("its cost", "tens of resource", 10, codes.LARGEST_RESOURCE / 10),
    "cooldown": Number("rounds until it may be used again", "tens", 10, _ROUNDS),
    "conditions[condition_count]": {
        "condition": Code("this condition", codes.CONDITIONS),
        "rounds": Number("how long it lasts", "tens of rounds", 10, _ROUNDS),
        "potency": _hundreds("how strong it is", _AMOUNT),
    },
}


def tell(battle: Any, side: int) -> Iterator[Told]:
    """What a side is told. Skills are told if one of the side's own participants may use them.

    Raises:
        UsageError: there are too many of them.
    """
    yield Told("options", "the rules", OPTIONS, battle["options"])
    yield Told("difficulty", "the rules", DIFFICULTY, battle["difficulty"])
    own = list(owners_of(battle, side))
    for slot in range(codes.SIDE_SLOTS):
        member = battle["participants"][slot]
        is_there = side == codes.PARTY and bool(member["max_hp"])
        yield Told(f"own_{slot + 1}.given", f"slot {slot + 1} of your side", MEMBER, member, is_there)
    known = {int(skill) % SKILLS: int(skill) for owner in own for skill in skills_of(battle, owner)}
    if len(known) < len({int(skill) for owner in own for skill in skills_of(battle, owner)}):
        hint = "take version 1 of observations, which does not describe them"
        raise UsageError.of("scenario", f"has too many skills on one side: {SKILLS} in a row can be described", hint)
    for place in range(SKILLS):
        who = f"the skill whose number less 1, modulo {SKILLS}, is {place}"
        yield Told(f"skill_{place}", who, SKILL, battle["skills"][known.get(place, 0)], place in known)


def owners_of(battle: Any, side: int) -> Iterator[Any]:
    """Those whose queues a side's agent decides with: members; creatures and their phases."""
    if side == codes.PARTY:
        yield from (each for each in battle["participants"][: codes.SIDE_SLOTS] if each["max_hp"])
        return
    for foe in battle["foes"]:
        if foe["max_hp"]:
            yield foe
            yield from battle["phases"][foe["first_phase"] : foe["first_phase"] + foe["phase_count"]]


def skills_of(battle: Any, owner: Any) -> Any:
    """The numbers of the skills in a queue."""
    return battle["queue_slots"]["skill"][owner["first_slot"] : owner["first_slot"] + owner["slot_count"]]
