"""Dry-run a condition: play a battle up to a decision, apply overrides, and evaluate the condition there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fracas.conditions import Vocabulary, parse
from fracas.conditions.compiler import Ask, Line, Program, compile_condition, subprograms
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest
from fracas.kernel.condition_evaluator import SCALAR, evaluate
from fracas.rulesets.contract.types import Asked, Compiled, ExplainedNode, Explanation, Override


@dataclass
class Situation(ABC):
    """A battle stopped at a decision."""

    battle: Any

    @abstractmethod
    def apply(self, override: Override) -> None:
        """Set one value of the battle's state.

        Raises:
            InputError: an unknown path, or a value out of range.
        """

    @abstractmethod
    def read(self, program: Program) -> None:
        """Read the facts that a program compares; the program is at the start of the record's pools."""

    def holds(self, first: int, length: int) -> bool:
        """Whether a run of the program's steps is true, evaluated by the kernels that play."""
        return bool(evaluate(self.battle, first, length))

    def shown(self, slot: int, ask: Ask) -> str:
        """A fact as text: a percentage with its HP, anything else as a number."""
        numerator, denominator = int(self.battle.facts[slot].numerator), int(self.battle.facts[slot].denominator)
        if denominator == 1:
            return str(numerator)
        return f"{numerator / denominator:.4g}% ({numerator // 100}/{denominator})"

    def line(self, program: Program, line: Line) -> ExplainedNode:
        """One node's value and the numbers that it compared."""
        value = self.holds(line.first, line.length)
        detail = ", ".join(self.shown(slot, program.asks[slot]) for slot in line.slots)
        return ExplainedNode(line.depth, line.text, value, detail)


@dataclass
class GroupSituation(Situation):
    """A situation of a ruleset whose conditions ask about groups of units."""

    @abstractmethod
    def living(self, group: int) -> int:
        """The number of living units in a group."""

    def shown(self, slot: int, ask: Ask) -> str:
        """A fact as text: a count of a group as `2 of 3`, anything else as in every ruleset."""
        if ask[0] == SCALAR:
            return super().shown(slot, ask)
        return f"{int(self.battle.facts[slot].numerator)} of {self.living(ask[0])}"


def dry_run(
    reach: Callable[[Program], Situation],
    vocabulary: Vocabulary,
    asked: Asked,
    *,
    content: bool = False,
    example: str = "ally_hp_below_50",
    tick: str = "round",
) -> Explanation:
    """Play up to a decision, apply the overrides, and evaluate the condition.

    `reach` plays up to the decision, given the condition's program, and raises InputError if there is none. Messages
    show `example` if the condition is missing, and call a round `tick`. For the rest see Ruleset.explain and
    fracas.conditions.parse.

    Raises:
        InputError: a problem with the condition, the round or an override.
    """
    round = asked["round"]
    parsed = parse(asked["when"], vocabulary, where="--when", strict=asked.get("strict", False), content=content)
    if parsed.tree is None:
        raise UsageError.of("--when", "is empty", f"write a condition, e.g. {example}")
    if round < 1:
        raise UsageError.of("--round", f"{round} is not a {tick}; they count from 1")
    program = compile_condition(parsed.tree, vocabulary)
    situation = reach(program)
    for override in asked["state"]:
        situation.apply(override)
    place_program(situation.battle, program)
    situation.read(program)
    nodes = tuple(situation.line(program, line) for line in subprograms(parsed.tree, vocabulary))
    value = situation.holds(0, len(program.steps))
    return Explanation(asked["unit"], round, asked["when"], value, nodes, parsed.warnings, asked.get("encounter"))


def units_of(compiled: Compiled) -> list[str]:
    """The names of all units, as events have them."""
    return [name for name in compiled.books["unit"] if name is not None]


def unit_index(compiled: Compiled, unit: str, where: str, place: str = "") -> int:
    """The index of a unit called `1.scout-2` or `vanguard.archer-2`; `place` ends the message.

    Raises:
        InputError: there is no such unit.
    """
    known = units_of(compiled)
    if unit not in known:
        hint = nearest(unit, known) or f"units are {', '.join(known)}"
        raise InputError.of(where, f'there is no unit "{unit}"{place}', hint)
    return list(compiled.books["unit"]).index(unit)


def place_program(battle: Any, program: Program) -> None:
    """Write a program over the start of the record's pools; the battle is not played on."""
    for number, step in enumerate(program.steps):
        battle.steps[number] = step
    for number, ask in enumerate(program.asks):
        battle.asks[number] = ask


def whole_number(value: Any, least: int, most: int, where: str) -> int:
    """A user's value as a whole number within a range.

    Raises:
        InputError: it is not a whole number or out of range.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError.of(where, f"{value!r} is not a whole number from {least} to {most:,}")
    return value
