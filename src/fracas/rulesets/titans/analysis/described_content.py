"""What agents are told of a duel's content in version 2 of observations: rules, both titans and their abilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.rulesets.contract.descriptions import Code, Number, Told, Words, flag
from fracas.rulesets.titans.rules import constants as codes

_ROUNDS = codes.LARGEST_ROUND_CAP / 10


def _charge(meaning: str, least: float = 0) -> Number:
    return Number(meaning, "of 100 charge", codes.MAX_CHARGE, 1, least)


OPTIONS: Words = {
    "round_cap": Number("rounds until the HP left decide", "tens", 10, _ROUNDS),
    "sudden_death": Number("the round in which sudden death begins, 0 for never", "tens", 10, _ROUNDS),
    "misses": flag("whether attacks can miss"),
    "criticals": flag("whether there are critical hits"),
    "stamina_charges": flag("whether stamina raises gains of charge"),
    "rest_charge": _charge("what a rest gains"),
    "defend_charge": _charge("what an attack on a defender gains it"),
    "attack_charge": _charge("what an attack that hurts gains"),
    "stats_public": flag("whether the other's stats are seen"),
}
TITAN: Words = {
    "max_hp": Number("full HP", "thousands", 1000, codes.LARGEST_HP / 1000),
    "level": Number("level", "tens", 10, codes.LARGEST_LEVEL / 10),
}
STATS: Words = {
    "stats": Number("stat without changes", "hundreds", 100, codes.LARGEST_STAT / 100, places=codes.STATS),
}
EFFECT: Words = {
    "kind": Code("this effect", codes.EFFECTS),
    "source": Code("the source of its amount", ("fixed", "stat", "damage dealt")),
    "amount": Number("its amount", "hundreds", 100, codes.LARGEST_AMOUNT / 100, -codes.LARGEST_AMOUNT / 100),
    "stat": Code("the stat of its amount or change", codes.STATS),
    "times": Number("what its amount is multiplied by", "", 1, codes.LARGEST_TIMES),
    "on_self": flag("whether what it changes or cleanses is who uses it"),
    "rounds": Number("how long its change lasts", "tens of rounds", 10, _ROUNDS),
}
ABILITY: Words = {"cost": _charge("what it costs"), "effects[effect_count]": EFFECT}
CHANGE: Words = {"percent": Number("by how much it changes the stat", "hundreds of per cent", 100, 10, -1)}


def tell(battle: Any, side: int) -> Iterator[Told]:
    """What a player is told: its own titan first."""
    yield Told("options", "the rules", OPTIONS, battle["options"])
    for whose, number in (("own", side), ("enemy", 1 - side)):
        titan, who = battle["titans"][number], "your titan" if whose == "own" else "the other titan"
        yield Told(f"{whose}.given", who, TITAN, titan)
        yield Told(f"{whose}.given", who, STATS, titan, whose == "own" or bool(battle["options"]["stats_public"]))
    for whose, number in (("own", side), ("enemy", 1 - side)):
        titan, who = battle["titans"][number], "your titan" if whose == "own" else "the other titan"
        for slot in range(codes.OWN_ABILITIES):
            ability, is_there = battle["abilities"][titan["abilities"][slot]], slot < titan["ability_count"]
            name, of = f"{whose}.ability_{slot + 1}.given", f"ability {slot + 1} of {who}"
            yield Told(name, of, ABILITY, ability, bool(is_there))
            for effect in range(codes.MAX_EFFECTS):
                one = ability["effects"][effect]
                changes = is_there and effect < ability["effect_count"] and one["kind"] == codes.CHANGE_EFFECT
                yield Told(
                    f"{name}.effect_{effect + 1}", f"effect {effect + 1} of {of}", CHANGE,
                    battle["changes"][one["change"]], bool(changes),
                )  # fmt: skip
