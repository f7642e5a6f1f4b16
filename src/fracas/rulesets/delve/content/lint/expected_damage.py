"""Estimates damage and healing per round, precisely enough to find fights in which enemies heal more than they lose.

Each participant uses the first slot of its first queue that cooldown and cost allow, as if every condition held. Damage
is estimated as if no one ever helped instead of attacking, so it is an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fracas.rulesets.delve.content.models.fields import Range
from fracas.rulesets.delve.content.models.quests import ResolvedCreature
from fracas.rulesets.delve.content.models.scenario import Resolved, ResolvedMember
from fracas.rulesets.delve.content.models.skills import Skill
from fracas.rulesets.delve.rules import constants as codes

Participant = ResolvedMember | ResolvedCreature
WOUNDS = ("poisoned", "bleeding", "burning")


def shares_of_turns(participant: Participant, skills: Sequence[Skill], rounds: int) -> Iterator[tuple[Skill, float]]:
    """A participant's skills in queue order, each with the share of turns in which it can be used."""
    left = 1.0
    for skill in skills:
        share = min(left, 1 / max(skill.cooldown, 1))
        if skill.cost:
            payer = participant.resource
            amount = (payer.regeneration + payer.max / rounds) if payer is not None else 0
            share = min(share, amount / skill.cost)
        left -= share
        if share > 0:
            yield skill, share


def wanted_skills(participant: Participant, skills: Mapping[str, Skill]) -> list[Skill]:
    """The skills of a participant's queue, each once, from the top."""
    return [skills[name] for name in dict.fromkeys(slot.skill for slot in participant.queue)]


def expected_damage(attackers: Sequence[Participant], targets: Sequence[Participant], resolved: Resolved) -> float:
    """The HP that one side can cost the other per round while no one has fallen."""
    total = 0.0
    for attacker in attackers:
        attacks = [skill for skill in wanted_skills(attacker, resolved.skills) if skill.hostile]
        for skill, share in shares_of_turns(attacker, attacks, resolved.options.round_cap):
            struck = sum(_strike(attacker, target, skill, share, resolved) for target in targets)
            total += struck if skill.reach == "all_enemies" else struck / len(targets)
    return total


def _strike(attacker: Participant, target: Participant, skill: Skill, share: float, resolved: Resolved) -> float:
    """The HP that a skill costs one target per round if used in this share of turns."""
    against: int = getattr(attacker.attributes, skill.attack or "") - getattr(target.attributes, skill.defense or "")
    chance = codes.BASE_CHANCE + against + skill.modifier - target.evasion
    chance = min(max(chance, codes.LEAST_CHANCE), codes.GREATEST_CHANCE)
    critical = min(codes.GREATEST_CRITICAL, codes.CRITICAL_UP_TO + attacker.attributes.luck // codes.LUCK_PER_POINT)
    damage = 0.0
    if skill.damaging:
        physical = skill.element != "magic"
        attribute = attacker.attributes.might if physical else attacker.attributes.logic
        amount = _mean(skill.damage) + (_mean(attacker.weapon) if skill.weapon else 0)
        amount += attribute // codes.ATTRIBUTE_PER_POINT
        if isinstance(attacker, ResolvedCreature):
            amount = amount * resolved.difficulty.creature_damage / 100
        armor = target.armor if physical else target.resistance
        damage = max(1.0, amount - armor * resolved.options.armor_share / 100)
    wounds: float = sum(
        (entry.potency or 0) * min(1.0, share * (entry.rounds or 0))
        for entry in skill.conditions
        if entry.condition in WOUNDS
    )
    return (share * damage * (chance + critical) + wounds * chance) / 100


def expected_healing(healers: Sequence[Participant], resolved: Resolved) -> float:
    """The HP per round that a side without losses can heal or shield for the target under attack."""
    total = 0.0
    for healer in healers:
        wanted = wanted_skills(healer, resolved.skills)
        for skill, share in shares_of_turns(healer, wanted, resolved.options.round_cap):
            if not skill.hostile:
                total += _mending(healer, skill, share)
    return total


def _mending(healer: Participant, skill: Skill, share: float) -> float:
    amount = 0.0
    if skill.heal is not None:
        amount = share * (_mean(skill.heal) + healer.attributes.presence // codes.ATTRIBUTE_PER_POINT)
    for entry in skill.conditions:
        if entry.condition == "shielded":
            amount += share * (entry.potency or 0)
        if entry.condition == "regenerating":
            amount += (entry.potency or 0) * min(1.0, share * (entry.rounds or 0))
    return amount


def _mean(values: Range | None) -> float:
    return (values.min + values.max) / 2 if values is not None else 0.0
