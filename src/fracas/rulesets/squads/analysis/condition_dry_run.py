"""The dry run: one condition, for one unit, at its decision in one round of a real battle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fracas.conditions import parse
from fracas.conditions.compiler import Ask, Line, Program, compile_condition, subprograms
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest
from fracas.kernel.condition_evaluator import SCALAR, evaluate
from fracas.rulesets.contract.types import Compiled, ExplainedNode, Explanation, Override
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.rules.condition_facts import read_situation
from fracas.rulesets.squads.rules.constants import ALLIES, LARGEST_ROUND_CAP, SIDE_SLOTS
from fracas.rulesets.squads.rules.entry_points import play_until

# The state that may be overridden, with its largest value; HP end at the unit's own maximum.
UNIT_STATE = {
    "hp": 10**6,
    "charge": 100,
    "cooldown": LARGEST_ROUND_CAP,
    "ultimate_cooldown": LARGEST_ROUND_CAP,
    "shield": 10**9,
    "attack_up": 1000,
    "attack_down": 90,
    "taunt_until": LARGEST_ROUND_CAP,
    "stunned": 1,
    "wound": 10**9,
    "wound_strikes": LARGEST_ROUND_CAP,
}


def explain(
    compiled: Compiled,
    *,
    stream: int,
    unit: str,
    when: str,
    round: int,
    state: Sequence[Override],
    strict: bool,
    encounter: int | None,
) -> Explanation:
    """Play up to the unit's decision, apply the overrides, evaluate there.

    Raises:
        InputError: see the contract.
    """
    battle = compiled.record.copy()[0]
    index = unit_index(compiled, unit, "--unit")
    parsed = parse(when, VOCABULARY, where="--when", strict=strict)
    if parsed.tree is None:
        raise UsageError.of("--when", "is empty", "write a condition, e.g. ally_hp_below_50")
    if round < 1:
        raise UsageError.of("--round", f"{round} is not a round; they count from 1")
    plugins = tuple(plugin.function for plugin in compiled.plugins) or None
    if not play_until(battle, stream, round, index, plugins):
        raise UsageError.of("--round", f"{unit} makes no decision in round {round}: {why_none(battle, index)}")
    for override in state:
        apply_override(battle, compiled, override)
    program = compile_condition(parsed.tree, VOCABULARY)
    place_program(battle, program)
    read_situation(battle, battle.units[index], 0, len(program.asks))
    nodes = tuple(explain_line(battle, index, program, line) for line in subprograms(parsed.tree, VOCABULARY))
    value = bool(evaluate(battle, 0, len(program.steps)))
    return Explanation(unit, round, when, value, nodes, parsed.warnings)


def why_none(battle: Any, index: int) -> str:
    """Why a unit comes to no decision in the round at which `play_until` stopped."""
    if battle.units[index].hp == 0:
        return "it has fallen"
    if battle.units[index].just_stunned:
        return "it is stunned"
    return f"the battle is over in round {battle.tick}"


def unit_index(compiled: Compiled, unit: str, where: str) -> int:
    """The index of a unit called `1.scout-2`: side, dot, id.

    Raises:
        InputError: there is no such unit.
    """
    units = compiled.books["unit"]
    if unit not in units:
        known = [name for name in units if name is not None]
        hint = nearest(unit, known) or f"units are {', '.join(known)}"
        raise InputError.of(where, f'there is no unit "{unit}"', hint)
    return units.index(unit)


def apply_override(battle: Any, compiled: Compiled, override: Override) -> None:
    """Set one value of the battle's state, such as `units.1.scout.hp`.

    Raises:
        InputError: an unknown path, or a value out of range.
    """
    where = f"{override.where} {'.'.join(override.path)}"
    if override.path == ("round",):
        battle.tick = _checked(override.value, 1, LARGEST_ROUND_CAP, where)
        return
    if len(override.path) != 4 or override.path[0] != "units":
        raise InputError.of(where, "is not a path of the state", "write round=N, or units.SIDE.UNIT.FIELD=N")
    _, side, unit, name = override.path
    index = unit_index(compiled, f"{side}.{unit}", where)
    if name not in UNIT_STATE:
        raise InputError.of(where, f'a unit\'s state has no "{name}"', nearest(name, UNIT_STATE))
    record = battle.units[index]
    most = int(record.max_hp) if name == "hp" else UNIT_STATE[name]
    was_living = record.hp > 0
    # Whoever decides lives, and so does somebody on each side: otherwise there is no battle to ask about.
    least = 1 if name == "hp" and was_living else 0
    record[name] = _checked(override.value, least, most, where)
    battle.sides[index // SIDE_SLOTS].living += int(record.hp > 0) - int(was_living)


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


def explain_line(battle: Any, index: int, program: Program, line: Line) -> ExplainedNode:
    """One node's own value, by the same kernel that plays, and the numbers it compared."""
    detail = ", ".join(_read(battle, index, slot, program.asks[slot]) for slot in line.slots)
    return ExplainedNode(line.depth, line.text, bool(evaluate(battle, line.first, line.length)), detail)


def _read(battle: Any, index: int, slot: int, ask: Ask) -> str:
    """A fact as read: a count of a group as `2 of 3`, a percentage as HP of HP, anything else as it is."""
    numerator, denominator = int(battle.facts[slot].numerator), int(battle.facts[slot].denominator)
    group = ask[0]
    if group != SCALAR:
        side = index // SIDE_SLOTS if group == ALLIES else 1 - index // SIDE_SLOTS
        return f"{numerator} of {battle.sides[side].living}"
    if denominator == 1:
        return str(numerator)
    return f"{numerator / denominator:.4g}% ({numerator // 100}/{denominator})"
