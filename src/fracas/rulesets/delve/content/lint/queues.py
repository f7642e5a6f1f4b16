"""Lints queues: slots that are never used, conditions that always or never hold, phases that change nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fracas.conditions import Parsed, parse, to_text
from fracas.conditions.range_analysis import SHARE_SCALE, Bounds, constant_value, declared_values
from fracas.rulesets.contract.types import Finding
from fracas.rulesets.delve.content.models.characters import PhaseNumbers
from fracas.rulesets.delve.content.models.skills import QueueSlot, Skill
from fracas.rulesets.delve.content.resolver import Payer
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.shared.condition_lint import condition_findings

EVERY_CONDITION = frozenset(codes.CONDITIONS)
# A skill with this cooldown can be used again in the next round.
NO_WAIT = 1

Queue = Sequence[str | QueueSlot]


@dataclass(frozen=True)
class FactRanges(Bounds):
    """The bounds of a condition's facts: the participants, their conditions, and the owner's resource."""

    allies: int = codes.SIDE_SLOTS
    enemies: int = codes.SIDE_SLOTS
    round_cap: int = codes.LARGEST_ROUND_CAP
    most_resource: int = codes.LARGEST_RESOURCE
    on_allies: frozenset[str] = EVERY_CONDITION
    on_enemies: frozenset[str] = EVERY_CONDITION
    """The conditions that a participant can have."""
    boss: bool | None = None
    """Whether a living boss takes part; None if uncertain."""

    def values(self, fact: str) -> range:
        """The values that a fact can have where a condition is evaluated."""
        whole = range(100 * SHARE_SCALE + 1)
        match fact:
            case "self.hp_pct" | "hp_pct":
                return whole[1:]
            case "self.resource":
                return range(self.most_resource + 1)
            case "self.resource_pct":
                return whole if self.most_resource else range(1)
            case "resource_pct":
                return whole
            case "round":
                return range(1, self.round_cap + 1)
            case "used":
                return range(self.round_cap)
            case "allies.count" | "enemies.count":
                return range(1, self.size(fact.partition(".")[0]) + 1)
        return declared_values(VOCABULARY, fact)

    def size(self, group: str) -> int:
        """The most living units that a group can have."""
        return self.allies if group == "allies" else self.enemies

    def flag(self, subject: str, status: str) -> bool | None:
        """The value of a flag if it is certain: no skill causes the condition, or it is a stun of the deciding unit."""
        if status == "boss_present":
            return self.boss
        possible = self.on_enemies if subject == "enemies" else self.on_allies
        return None if status in possible and (subject, status) != ("self", "stunned") else False


def queue_findings(
    queue: Queue, where: str, skills: Mapping[str, Skill], payer: Payer, ranges: FactRanges, *, rests: bool = True
) -> Iterator[Finding]:
    """Lint one queue; `rests` if its owner may regain its resource between fights."""
    above: list[_Slot] = []
    for index, entry in enumerate(queue):
        slot = _slot(index, entry, skills, ranges)
        path = f"{where}.{index}"
        yield from condition_findings(
            slot.parsed,
            slot.holds,
            f"{path}.when",
            before=f"slot {slot.place}: ",
            never=", so the slot is never used",
            hint='leave it out, or write "always" if that is intended',
        )
        yield from _unreachable(slot, above, path)
        if payer and not rests and _never_payable(slot.skill, payer):
            message = f'slot {index}: "{slot.skill.id}" costs {slot.skill.cost}, which its user can never pay'
            start = payer["max"] * payer.get("start", 100) // 100
            hint = f"its user starts with {start} {payer['kind']} and regains none"
            yield Finding("never-payable", path, message, hint)
        above.append(slot)


@dataclass(frozen=True)
class _Slot:
    place: int
    skill: Skill
    parsed: Parsed
    holds: bool | None

    @property
    def is_always_used(self) -> bool:
        """Whether no obstacle can ever stop it."""
        skill = self.skill
        return self.holds is True and not skill.cost and skill.cooldown <= NO_WAIT and not skill.pure_heal


def _slot(index: int, entry: str | QueueSlot, skills: Mapping[str, Skill], ranges: FactRanges) -> _Slot:
    slot = QueueSlot(skill=entry) if isinstance(entry, str) else entry
    parsed = parse(slot.when, VOCABULARY, where="when")
    holds = True if parsed.tree is None else constant_value(parsed.tree, ranges)
    if parsed.warnings:
        # With an unknown name in it, the condition's value means nothing.
        holds = None
    return _Slot(index, skills[slot.skill], parsed, holds)


def _unreachable(slot: _Slot, above: Iterable[_Slot], where: str) -> Iterator[Finding]:
    """A slot below one that is always used, or below one with the same skill that holds whenever it does."""
    for other in above:
        if other.is_always_used:
            message = f'slot {slot.place} is never reached: slot {other.place}, "{other.skill.id}", is always used'
            yield Finding("unreachable-slot", where, message, "move it up, or give the slot above a condition")
            return
        same_condition = other.holds is True or to_text(other.parsed.tree) == to_text(slot.parsed.tree)
        if other.skill is slot.skill and same_condition:
            message = f"slot {slot.place} is never used: slot {other.place} has the same skill and is wanted as often"
            yield Finding("unreachable-slot", where, message)
            return


def _never_payable(skill: Skill, payer: Mapping[str, int]) -> bool:
    start = payer["max"] * payer.get("start", 100) // 100
    return skill.cost > start and not payer.get("regeneration", 0)


def phase_findings(phases: Sequence[PhaseNumbers], where: str) -> Iterator[Finding]:
    """Phases of a boss that change nothing."""
    for index, phase in enumerate(phases):
        changed = phase.model_dump(exclude={"name", "at", "attributes"}, exclude_none=True)
        if not changed and not phase.attributes.model_dump(exclude_none=True):
            yield Finding("idle-phase", f"{where}.{index}", f'the phase "{phase.name}" changes nothing')


def inflicted(skills: Iterable[Skill], *, on_enemies: bool) -> frozenset[str]:
    """The conditions that skills apply to enemies, or to allies."""
    return frozenset(entry.condition for skill in skills if skill.hostile is on_enemies for entry in skill.conditions)
