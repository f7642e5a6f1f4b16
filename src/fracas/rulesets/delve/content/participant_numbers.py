"""What participants and skills are as numbers, apart from their places in a battle's record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from fracas.conditions import parse
from fracas.conditions.compiler import Program, compile_condition
from fracas.content.part_cache import made_once
from fracas.errors import InputError
from fracas.rulesets.delve.content.fights import queues
from fracas.rulesets.delve.content.models.characters import PhaseNumbers
from fracas.rulesets.delve.content.models.fields import Range
from fracas.rulesets.delve.content.models.quests import ResolvedCreature
from fracas.rulesets.delve.content.models.scenario import ResolvedMember
from fracas.rulesets.delve.content.models.skills import QueueSlot, Skill
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.state import participant_t, skill_t
from fracas.rulesets.shared.fill import fill

Participant = ResolvedMember | ResolvedCreature
UNCHANGED = -1


class SlotNumbers(NamedTuple):
    """A slot of a queue as numbers, in the order of `queue_slot_t`."""

    skill: int = 0
    known: int = 0
    cost: int = 0
    selector: int = 0
    first_step: int = 0
    step_count: int = 0
    first_ask: int = 0
    ask_count: int = 0


def program_of(slot: QueueSlot, where: str, *, strict: bool) -> Program:
    """The condition of a slot, compiled.

    Raises:
        InputError: it is not valid.
    """
    return compile_condition(parse(slot.when, VOCABULARY, where=where, strict=strict).tree, VOCABULARY)


def programs_of(participant: Participant, *, strict: bool) -> Mapping[str, tuple[Program, ...]]:
    """The conditions of a participant's queues by path, compiled; none if one is not valid."""

    def compiled() -> Mapping[str, tuple[Program, ...]]:
        return {
            where: tuple(program_of(slot, where, strict=strict) for slot in queue)
            for where, queue in queues(participant)
        }

    try:
        return made_once(participant, "strict programs" if strict else "programs", compiled)
    except InputError:
        # The compiler reports it, in its place among the other problems.
        return {}


def ends(values: Range | None) -> tuple[int, int]:
    """A range as numbers; no range is 0 to 0."""
    return (values.min, values.max) if values is not None else (0, 0)


def own_numbers(participant: Participant) -> Any:
    """A record with the numbers of a participant that depend on nothing else."""
    return made_once(participant, "numbers", lambda: _numbers_of(participant))


def _numbers_of(participant: Participant) -> Any:
    record = np.zeros(1, participant_t)[0]
    fill(record, participant, {"hp": "max_hp"})
    record.attributes[:] = [getattr(participant.attributes, name) for name in codes.ATTRIBUTES]
    record.weapon = ends(participant.weapon)
    record.start_pct = 100
    if participant.resource is not None:
        record.max_resource = participant.resource.max
        record.regeneration = participant.resource.regeneration
        if participant.resource.start is not None:
            record.start_pct = participant.resource.start
    if isinstance(participant, ResolvedMember):
        record.checks[:] = list(check_values(participant))
    return record


def skill_numbers(skill: Skill) -> Any:
    """A record with the numbers of a skill."""
    return made_once(skill, "numbers", lambda: _numbers_of_skill(skill))


def _numbers_of_skill(skill: Skill) -> Any:
    record = np.zeros(1, skill_t)[0]
    fill(record, skill)
    record.hostile, record.damaging, record.pure_heal = skill.hostile, skill.damaging, skill.pure_heal
    record.healing = skill.heal is not None
    record.damage, record.heal = ends(skill.damage), ends(skill.heal)
    record.condition_count = len(skill.conditions)
    for index, condition in enumerate(skill.conditions):
        fill(record.conditions[index], condition)
    return record


def write_phase(record: Any, phase: PhaseNumbers) -> None:
    """Write a phase as numbers, without its queue."""
    record.first_slot = record.armor = record.resistance = record.evasion = record.regeneration = UNCHANGED
    fill(record, phase, {"at": "threshold"})
    given = [getattr(phase.attributes, name) for name in codes.ATTRIBUTES]
    record.attributes[:] = [UNCHANGED if value is None else value for value in given]


def check_values(member: ResolvedMember) -> Iterator[int]:
    """A member's values for all checks, in the order of their codes (delve/README.md, "A check")."""
    attributes = [getattr(member.attributes, name) for name in codes.ATTRIBUTES]
    yield 0
    for name, attribute in zip(codes.TRAININGS, codes.TRAINED_BY, strict=True):
        yield attributes[attribute] + getattr(member.training, name)
    yield from attributes
