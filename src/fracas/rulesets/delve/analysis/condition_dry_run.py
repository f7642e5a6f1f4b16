"""The dry run: one condition, for one participant, where its queue would be read in one round of a real battle.

What `--state` may change: `round`, `used` (how often the slot's skill was used), and of anybody who takes part
`units.NAME.hp`, `units.NAME.resource` and each condition, which is there (1) or not (0): `units.1.vanguard_2.stunned`.
`used` is that of the first slot of the queue that has this condition, else of its first slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fracas.conditions import parse
from fracas.conditions.compiler import Ask, Line, Program, compile_condition, subprograms
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest
from fracas.kernel.condition_evaluator import SCALAR, evaluate
from fracas.rulesets.contract.types import Compiled, ExplainedNode, Explanation, Override
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules.condition_facts import read_situation
from fracas.rulesets.delve.rules.constants import ALLIES, CONDITIONS, LARGEST_ROUND_CAP, OUTCOMES, SLOTS, UNDECIDED
from fracas.rulesets.delve.rules.entry_points import play_until
from fracas.rulesets.delve.rules.state import queue_slot_t


def explain(
    compiled: Compiled,
    *,
    stream: int,
    unit: str,
    when: Any,
    round: int,
    encounter: int | None,
    state: Sequence[Override],
    strict: bool,
) -> Explanation:
    """Play up to the participant's decision, apply the overrides, evaluate there.

    Raises:
        InputError: see the contract.
    """
    battle = compiled.record.copy()[0]
    name = unit_name(compiled, unit, encounter, "--unit")
    number = compiled.books["unit"].index(name)
    parsed = parse(when, VOCABULARY, where="--when", strict=strict)
    if parsed.tree is None:
        raise UsageError.of("--when", "is empty", "write a condition, e.g. ally_hp_below_50")
    if round < 1:
        raise UsageError.of("--round", f"{round} is not a round; they count from 1")
    if not play_until(battle, stream, encounter or 0, round, number):
        place = f"round {round}" + ("" if encounter is None else f" of encounter {encounter}")
        reason = why_none(battle, number, encounter or 0)
        raise UsageError.of("--round", f"{name} makes no decision in {place}: {reason}")
    actor = participant_of(battle, number)
    assert actor is not None
    program = compile_condition(parsed.tree, VOCABULARY)
    slot = asking_slot(battle, actor, program)
    for override in state:
        apply_override(battle, compiled, encounter, actor, slot, override)
    place_program(battle, program)
    read_situation(battle, actor, slot)
    nodes = tuple(explain_line(battle, actor, program, line) for line in subprograms(parsed.tree, VOCABULARY))
    value = bool(evaluate(battle, 0, len(program.steps)))
    return Explanation(name, round, when, value, nodes, parsed.warnings, encounter)


def unit_name(compiled: Compiled, unit: str, encounter: int | None, where: str) -> str:
    """A participant's name in events: `1.vanguard_2`, `2.goblin`, in a run `2.3.goblin`, or `2.goblin` for short.

    Raises:
        InputError: there is no such participant.
    """
    known = [name for name in compiled.books["unit"] if name is not None]
    side, dot, rest = unit.partition(".")
    for name in (unit, f"{side}.{encounter}.{rest}" if dot else unit):
        if name in known:
            return name
    of_encounter = [name for name in known if encounter is None or name.startswith(("1.", f"2.{encounter}."))]
    hint = nearest(unit, of_encounter) or f"units are {', '.join(of_encounter)}"
    raise InputError.of(where, f'there is no unit "{unit}"', hint)


def participant_of(battle: Any, number: int) -> Any:
    """The participant of an event number in the fight at hand; None if it takes no part."""
    for side in battle.sides:
        for index in range(side.first, side.first + side.count):
            if battle.participants[index].number == number:
                return battle.participants[index]
    return None


def why_none(battle: Any, number: int, encounter: int) -> str:
    """Why a participant comes to no decision where `play_until` stopped."""
    if battle.reason != UNDECIDED:
        return f"the battle is over in encounter {battle.encounter}"
    if battle.encounter != encounter:
        return "that encounter is skipped"
    if not battle.fought_count:
        return "there is no fight in that encounter"
    participant = participant_of(battle, number)
    if participant is None:
        return "it takes no part in that fight"
    if battle.outcome != UNDECIDED:
        return f"the fight ends with {OUTCOMES[battle.outcome]} in round {battle.combat_round}"
    if participant.hp == 0:
        return "it is dead"
    if participant.guard:
        return "it is stunned"
    return "its side's last enemy has fallen before its turn"


def asking_slot(battle: Any, actor: Any, program: Program) -> Any:
    """A queue slot with the program at the start of the pools, for the skill of the slot that has the same program."""
    slot = np.zeros(1, queue_slot_t)[0]
    slots = [battle.queue_slots[actor.first_slot + place] for place in range(actor.slot_count)]
    own = next((each for each in slots if program_of(battle, each) == program_steps(program)), slots[0])
    slot.known, slot.skill = own.known, own.skill
    slot.step_count, slot.ask_count = len(program.steps), len(program.asks)
    return slot


def program_of(battle: Any, slot: Any) -> tuple[list[Any], list[Any]]:
    """The steps and asks of a slot's condition as plain values."""
    steps = battle.steps[slot.first_step : slot.first_step + slot.step_count]
    asks = battle.asks[slot.first_ask : slot.first_ask + slot.ask_count]
    return steps.tolist(), asks.tolist()


def program_steps(program: Program) -> tuple[list[Any], list[Any]]:
    """A compiled condition as plain values."""
    return [tuple(step) for step in program.steps], [tuple(ask) for ask in program.asks]


def apply_override(
    battle: Any, compiled: Compiled, encounter: int | None, actor: Any, slot: Any, override: Override
) -> None:
    """Set one value of the battle's state, such as `units.1.vanguard_2.hp`.

    Raises:
        InputError: an unknown path, or a value out of range.
    """
    where = f"{override.where} {'.'.join(override.path)}"
    if override.path == ("round",):
        battle.combat_round = _checked(override.value, 1, LARGEST_ROUND_CAP, where)
        return
    if override.path == ("used",):
        actor.used[slot.known] = _checked(override.value, 0, LARGEST_ROUND_CAP, where)
        return
    if len(override.path) < 4 or override.path[0] != "units":
        hint = "write round=N, used=N, or units.SIDE.UNIT.FIELD=N"
        raise InputError.of(where, "is not a path of the state", hint)
    name = unit_name(compiled, ".".join(override.path[1:-1]), encounter, where)
    participant = participant_of(battle, compiled.books["unit"].index(name))
    if participant is None:
        raise InputError.of(where, f"{name} takes no part in this fight")
    _set(battle, participant, override, where)


def _set(battle: Any, participant: Any, override: Override, where: str) -> None:
    name = override.path[-1]
    if name == "hp":
        # Whoever decides lives, and so does somebody on each side: otherwise there is no fight to ask about.
        was_living = int(participant.hp > 0)
        participant.hp = _checked(override.value, was_living, int(participant.max_hp), where)
        battle.sides[participant.index * 2 // SLOTS].living += int(participant.hp > 0) - was_living
    elif name == "resource":
        participant.resource = _checked(override.value, 0, int(participant.max_resource), where)
    elif name in CONDITIONS:
        bit = 1 << CONDITIONS.index(name)
        has_it = _checked(override.value, 0, 1, where)
        participant.conditions = participant.conditions | bit if has_it else participant.conditions & ~bit
    else:
        known = ("hp", "resource", *CONDITIONS)
        raise InputError.of(where, f'a unit\'s state has no "{name}"', nearest(name, known))


def _checked(value: Any, least: int, most: int, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError.of(where, f"{value!r} is not a whole number from {least} to {most:,}")
    return value


def place_program(battle: Any, program: Program) -> None:
    """Put a program at the start of the record's pools, over what was there: the battle is not played on."""
    for place, step in enumerate(program.steps):
        battle.steps[place] = step
    for place, ask in enumerate(program.asks):
        battle.asks[place] = ask


def explain_line(battle: Any, actor: Any, program: Program, line: Line) -> ExplainedNode:
    """One node's own value, by the same kernel that plays, and the numbers it compared."""
    detail = ", ".join(_read(battle, actor, slot, program.asks[slot]) for slot in line.slots)
    return ExplainedNode(line.depth, line.text, bool(evaluate(battle, line.first, line.length)), detail)


def _read(battle: Any, actor: Any, slot: int, ask: Ask) -> str:
    """A fact as read: a count of a group as `2 of 3`, a percentage as HP of HP, anything else as it is."""
    numerator, denominator = int(battle.facts[slot].numerator), int(battle.facts[slot].denominator)
    group = ask[0]
    if group != SCALAR:
        own = int(actor.index) * 2 // SLOTS
        return f"{numerator} of {battle.sides[own if group == ALLIES else 1 - own].living}"
    if denominator == 1:
        return str(numerator)
    return f"{numerator / denominator:.4g}% ({numerator // 100}/{denominator})"
