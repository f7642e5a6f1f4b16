"""Evaluates one condition for one participant at its decision in one round of a real battle (`fracas lab explain`).

`--state` can change `round`, `used` (how often the slot's skill was used), and for each participant `units.NAME.hp`,
`units.NAME.resource` and each condition as 1 or 0, such as `units.1.vanguard_2.stunned`. `used` belongs to the first
slot of the queue with this condition, else to the first slot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from fracas.conditions.compiler import Program
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest
from fracas.rulesets.contract.types import Asked, Compiled, Explanation, Override
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.condition_facts import read_situation
from fracas.rulesets.delve.rules.entry_points import play_until
from fracas.rulesets.delve.rules.state import queue_slot_t
from fracas.rulesets.shared.condition_dry_run import GroupSituation, dry_run, units_of, whole_number


def explain(compiled: Compiled, **asked: Unpack[Asked]) -> Explanation:
    """Play up to the participant's decision, apply the overrides, and evaluate the condition there.

    Raises:
        InputError: see the contract.
    """
    round, encounter = asked["round"], asked.get("encounter")
    name = unit_name(compiled, asked["unit"], encounter, "--unit")
    number = compiled.books["unit"].index(name)

    def reach(program: Program) -> FightSituation:
        battle = compiled.own_record()[0]
        if not play_until(battle, asked["stream"], encounter or 0, round, number):
            moment = f"round {round}" + ("" if encounter is None else f" of encounter {encounter}")
            reason = why_none(battle, number, encounter or 0)
            raise UsageError.of("--round", f"{name} makes no decision in {moment}: {reason}")
        actor = participant_of(battle, number)
        return FightSituation(battle, compiled, encounter, actor, asking_slot(battle, actor, program))

    return dry_run(reach, VOCABULARY, {**asked, "unit": name})


def unit_name(compiled: Compiled, unit: str, encounter: int | None, where: str) -> str:
    """A participant's name in events: `1.vanguard_2`, `2.goblin`, in a run `2.3.goblin`, or `2.goblin` for short.

    Raises:
        InputError: there is no such participant.
    """
    known = units_of(compiled)
    side, dot, rest = unit.partition(".")
    for name in (unit, f"{side}.{encounter}.{rest}" if dot else unit):
        if name in known:
            return name
    of_encounter = [name for name in known if encounter is None or name.startswith(("1.", f"2.{encounter}."))]
    hint = nearest(unit, of_encounter) or f"units are {', '.join(of_encounter)}"
    raise InputError.of(where, f'there is no unit "{unit}"', hint)


def participant_of(battle: Any, number: int) -> Any:
    """The participant with an event number in the current fight; None if it takes no part."""
    for side in battle.sides:
        for index in range(side.first, side.first + side.count):
            if battle.participants[index].number == number:
                return battle.participants[index]
    return None


def why_none(battle: Any, number: int, encounter: int) -> str:
    """Why a participant makes no decision where `play_until` stopped."""
    if battle.reason != codes.UNDECIDED:
        return f"the battle is over in encounter {battle.encounter}"
    if battle.encounter != encounter:
        return "that encounter is skipped"
    if not battle.fought_count:
        return "there is no fight in that encounter"
    participant = participant_of(battle, number)
    if participant is None:
        return "it takes no part in that fight"
    if battle.outcome != codes.UNDECIDED:
        return f"the fight ends with {codes.OUTCOMES[battle.outcome]} in round {battle.combat_round}"
    if participant.hp == 0:
        return "it is dead"
    if participant.guard:
        return "it is stunned"
    return "its side's last enemy has fallen before its turn"


def asking_slot(battle: Any, actor: Any, program: Program) -> Any:
    """A queue slot whose condition is the program, for the skill of the first slot that has the same program."""
    slot = np.zeros(1, queue_slot_t)[0]
    slots = [battle.queue_slots[actor.first_slot + index] for index in range(actor.slot_count)]
    own = next((each for each in slots if program_of(battle, each) == program_steps(program)), slots[0])
    slot.known, slot.skill = own.known, own.skill
    slot.step_count, slot.ask_count = len(program.steps), len(program.asks)
    return slot


def program_of(battle: Any, slot: Any) -> tuple[list[Any], list[Any]]:
    """A slot's compiled condition, its steps and asks, as plain values."""
    steps = battle.steps[slot.first_step : slot.first_step + slot.step_count]
    asks = battle.asks[slot.first_ask : slot.first_ask + slot.ask_count]
    return steps.tolist(), asks.tolist()


def program_steps(program: Program) -> tuple[list[Any], list[Any]]:
    """A compiled condition as plain values."""
    return [tuple(step) for step in program.steps], [tuple(ask) for ask in program.asks]


@dataclass
class FightSituation(GroupSituation):
    """A fight as one participant sees it when a slot of its queue is read."""

    compiled: Compiled
    encounter: int | None
    actor: Any
    slot: Any

    def apply(self, override: Override) -> None:
        """Set one value, such as `units.1.vanguard_2.hp`."""
        path, value, where = override.path, override.value, override.label
        if path == ("round",):
            self.battle.combat_round = whole_number(value, 1, codes.LARGEST_ROUND_CAP, where)
            return
        if path == ("used",):
            self.actor.used[self.slot.known] = whole_number(value, 0, codes.LARGEST_ROUND_CAP, where)
            return
        if len(path) < 4 or path[0] != "units":
            hint = "write round=N, used=N, or units.SIDE.UNIT.FIELD=N"
            raise InputError.of(where, "is not a path of the state", hint)
        name = unit_name(self.compiled, ".".join(path[1:-1]), self.encounter, where)
        participant = participant_of(self.battle, self.compiled.books["unit"].index(name))
        if participant is None:
            raise InputError.of(where, f"{name} takes no part in this fight")
        self._set(participant, path[-1], value, where)

    def _set(self, participant: Any, name: str, value: Any, where: str) -> None:
        if name == "hp":
            # The deciding participant must live, and so must one on each side, or there is no fight to evaluate in.
            was_living = int(participant.hp > 0)
            participant.hp = whole_number(value, was_living, int(participant.max_hp), where)
            self.battle.sides[participant.index * 2 // codes.SLOTS].living += int(participant.hp > 0) - was_living
        elif name == "resource":
            participant.resource = whole_number(value, 0, int(participant.max_resource), where)
        elif name in codes.CONDITIONS:
            bit = 1 << codes.CONDITIONS.index(name)
            has_it = whole_number(value, 0, 1, where)
            participant.conditions = participant.conditions | bit if has_it else participant.conditions & ~bit
        else:
            known = ("hp", "resource", *codes.CONDITIONS)
            raise InputError.of(where, f'a unit\'s state has no "{name}"', nearest(name, known))

    def read(self, program: Program) -> None:
        """Read the facts that the condition asks for, as the slot sees them."""
        read_situation(self.battle, self.actor, self.slot)

    def living(self, group: int) -> int:
        """The number of living participants on the participant's own side or on the other."""
        own = int(self.actor.index) * 2 // codes.SLOTS
        return int(self.battle.sides[own if group == codes.ALLIES else 1 - own].living)
