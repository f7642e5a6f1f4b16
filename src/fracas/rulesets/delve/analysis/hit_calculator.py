"""The exact damage distribution of one attack, computed with the kernels that play it.

delve/README.md, Attack rolls; Damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Unpack

from fracas.errors import InputError
from fracas.kernel.dice import open_address, seek_stream
from fracas.rulesets.contract.hits import NAMES_OF_SIDES, Hit, HitStep, counted_hit, enemies
from fracas.rulesets.contract.types import AskedHit, Compiled
from fracas.rulesets.delve.analysis.condition_dry_run import FightSituation, participant_of, unit_name, why_none
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.combat import set_up_combat
from fracas.rulesets.delve.rules.effects import judge_attack
from fracas.rulesets.delve.rules.entry_points import play_until
from fracas.rulesets.delve.rules.rolls import calculate_damage, calculate_hit_chance, hit_penalty
from fracas.rulesets.delve.rules.run.run import begin_encounter, start_run
from fracas.rulesets.delve.rules.status_conditions import has_condition

# Wider ranges are refused, because every amount of damage is computed.
WIDEST_RANGE = 20_000


def hits(compiled: Compiled, **asked: Unpack[AskedHit]) -> list[Hit]:
    """Every damaging skill in the actors' queues on each target, at the fight's set-up, or at an actor's decision.

    Raises:
        InputError: no such unit, no such fight or decision, an unknown state path.
    """
    units, encounter = list(compiled.books["unit"]), asked.get("encounter")
    battle = situation(compiled, asked["stream"], None, asked["round"], encounter)
    sides = [
        [str(units[battle.participants[index].number]) for index in range(side.first, side.first + side.count)]
        for side in battle.sides
    ]
    called = [
        name if name in NAMES_OF_SIDES else unit_name(compiled, name, encounter, "--hit")
        for name in (asked["actor"], asked["target"])
    ]
    found: list[Hit] = []
    for one, other in enemies(called[0], called[1], sides):
        battle = situation(compiled, asked["stream"], units.index(one), asked["round"], encounter)
        first, second = (participant_of(battle, units.index(name)) for name in (one, other))
        slot = battle.queue_slots[first.first_slot]
        for override in asked["state"]:
            FightSituation(battle, compiled, encounter, first, slot).apply(override)
        found += _hits_of(compiled, battle, first, second, (one, other))
    return found


def situation(compiled: Compiled, stream: int, number: int | None, round: int | None, encounter: int | None) -> Any:
    """A fight at its set-up with everyone at full HP, or at a participant's decision in a round."""
    battle = compiled.own_record()[0]
    if round is not None and number is not None:
        if not play_until(battle, stream, encounter or 0, round, number):
            name = compiled.books["unit"][number]
            reason = why_none(battle, number, encounter or 0)
            raise InputError.of("--round", f"{name} makes no decision in round {round}: {reason}")
        return battle
    seek_stream(battle.dice, stream)
    start_run(battle, None)
    battle.encounter = encounter or 0
    begin_encounter(battle, None)
    if not battle.fought_count:
        raise InputError.of("--round", f"there is no fight in encounter {encounter}", "write ENCOUNTER.ROUND of one")
    set_up_combat(battle, None)
    return battle


def _hits_of(compiled: Compiled, battle: Any, attacker: Any, defender: Any, names: tuple[str, str]) -> Iterator[Hit]:
    slots = [battle.queue_slots[attacker.first_slot + index] for index in range(attacker.slot_count)]
    for code in dict.fromkeys(int(slot.skill) for slot in slots):
        skill = battle.skills[code]
        if skill.hostile and skill.damaging:
            by = str(compiled.books["skill"][code])
            yield _counted(battle, attacker, defender, code, (*names, by))


def _counted(battle: Any, attacker: Any, defender: Any, code: int, names: tuple[str, str, str]) -> Hit:
    skill = battle.skills[code]
    chance = int(calculate_hit_chance(attacker, defender, skill))
    verdicts = [int(judge_attack(attacker, roll, chance)) for roll in range(1, 101)]
    critical, plain = verdicts.count(codes.CRITICAL), verdicts.count(codes.HIT)
    low, high = int(skill.damage.low), int(skill.damage.high)
    if skill.weapon:
        low, high = low + int(attacker.weapon.low), high + int(attacker.weapon.high)
    if high - low > WIDEST_RANGE:
        raise InputError.of("--hit", f"{names[2]} rolls {low:,} to {high:,}; at most {WIDEST_RANGE:,} are supported")
    by_verdict = {flag: _damages(battle, attacker, defender, code, (low, high), flag) for flag in (False, True)}
    damages: dict[int, Fraction] = {}
    for flag, count in ((False, plain), (True, critical)):
        for damage in by_verdict[flag] if count else ():
            share = Fraction(count, (plain + critical) * (high - low + 1))
            damages[damage] = damages.get(damage, Fraction(0)) + share
    shield = int(defender.afflictions[codes.SHIELDED].potency) if has_condition(defender, codes.SHIELDED) else 0
    return counted_hit(
        names,
        _steps(battle, attacker, defender, skill, (low, high), by_verdict, (chance, critical)),
        damages,
        hit=Fraction(plain + critical, 100),
        critical=Fraction(critical, 100),
        left=int(defender.hp) + shield,
    )


def _damages(
    battle: Any, attacker: Any, defender: Any, code: int, ends: tuple[int, int], is_critical: bool
) -> list[int]:
    """The damage of each roll from lowest to highest, from the kernel with a range of only that roll."""
    trial = battle.copy()
    skill, unarmed = trial.skills[code], trial.participants[attacker.index]
    unarmed.weapon.low = unarmed.weapon.high = 0
    found = []
    for roll in range(ends[0], ends[1] + 1):
        skill.damage.low = skill.damage.high = roll
        open_address(trial.dice, trial.tick, attacker.index)
        found.append(
            int(calculate_damage(trial, unarmed, trial.participants[defender.index], skill, is_critical, None))
        )
    return found


def _steps(
    battle: Any,
    attacker: Any,
    defender: Any,
    skill: Any,
    ends: tuple[int, int],
    by_verdict: dict[bool, list[int]],
    odds: tuple[int, int],
) -> Iterator[HitStep]:
    chance, critical = odds
    attribute, against = int(attacker.attributes[skill.attack]), int(defender.attributes[skill.defense])
    made_of = (
        f"50 + {codes.ATTRIBUTES[skill.attack]} {attribute} - {codes.ATTRIBUTES[skill.defense]} {against}"
        f" + {int(skill.modifier)} - {int(hit_penalty(attacker, defender))}"
    )
    yield HitStep("chance", made_of, chance, chance)
    yield HitStep("critical", f"up to {critical}, damage doubled", critical, critical)
    yield HitStep("roll", f"{ends[0]} to {ends[1]}" + (" with the weapon" if skill.weapon else ""), *ends)
    is_physical = skill.element == codes.PHYSICAL
    attribute = int(attacker.attributes[codes.MIGHT if is_physical else codes.LOGIC])
    bonus = attribute // codes.ATTRIBUTE_PER_POINT
    yield HitStep("might" if is_physical else "logic", f"+{bonus}", ends[0] + bonus, ends[1] + bonus)
    plain = by_verdict[False]
    guard = int(defender.armor if is_physical else defender.resistance)
    figure = f"{int(attacker.damage_pct)}%, {'armor' if is_physical else 'resistance'} {guard}, at least 1"
    yield HitStep("damage", figure, min(plain), max(plain))
