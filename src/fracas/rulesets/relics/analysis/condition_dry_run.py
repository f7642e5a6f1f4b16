"""The dry run: one condition, for one piece, where the turn_start effects of a turn are looked at.

A piece is called by its side and its name, written as an id: `left.horned_helm` for Horned Helm, `left.horned_helm_2`
for a second one; `left` alone is the fighter itself. The turn may be the enemy's: what the owner would see is asked.

What `--state` may change: `turn`, `strike`, `payload` and `counter` (the piece's), and of a fighter `left.QUANTITY`
(`left.hp`, `right.thorns`), `left.own_turn`, `left.strikes_made`, `left.struck`, `left.was_exposed`,
`left.was_wounded`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fracas.conditions import parse
from fracas.conditions.compiler import Ask, Line, Program, compile_condition, subprograms
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest
from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS
from fracas.rulesets.contract.types import Compiled, ExplainedNode, Explanation, Override
from fracas.rulesets.relics.content.vocabulary import vocabulary_of
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import is_true
from fracas.rulesets.relics.rules.entry_points import play_until

SIDES = ("left", "right")
# What of a battle and of a fighter may be changed besides quantities, with its largest value.
BATTLE_STATE = {"turn": codes.LARGEST_TURN_CAP, "strike": codes.MOST_STRIKES}
OWN_STATE = ("payload", "counter")
FIGHTER_STATE = {
    "own_turn": codes.LARGEST_TURN_CAP,
    "strikes_made": codes.LARGEST,
    "struck": 1,
    "was_exposed": 1,
    "was_wounded": 1,
}
FIELDS = {"was_exposed": "exposed", "was_wounded": "wounded"}
BELOW_ZERO = ("attack", "temp_attack", "speed")


def explain(
    compiled: Compiled,
    *,
    stream: int,
    unit: str,
    when: Any,
    round: int,
    state: Sequence[Override],
    strict: bool,
    encounter: int | None,
) -> Explanation:
    """Play up to the turn, apply the overrides, evaluate there as for the piece's owner.

    Raises:
        InputError: see the contract.
    """
    battle = compiled.record.copy()[0]
    piece = piece_number(compiled, battle, unit, "--unit")
    quantities = tuple(compiled.books["quantity"])
    vocabulary = vocabulary_of(tuple(compiled.books["own_tag"]), quantities[codes.FIRST_OWN_STATUS :])
    parsed = parse(when, vocabulary, where="--when", content=True)
    if parsed.tree is None:
        raise UsageError.of("--when", "is empty", "write a condition, e.g. self.armor > 0")
    if round < 1:
        raise UsageError.of("--round", f"{round} is not a turn; they count from 1")
    if not play_until(battle, stream, round):
        raise UsageError.of("--round", f"there is no turn {round}: the battle is over in turn {int(battle.turn)}")
    situation = Situation(battle, piece, quantities)
    for override in state:
        situation.apply(override)
    program = compile_condition(parsed.tree, vocabulary)
    situation.place(program)
    nodes = tuple(situation.line(program, line) for line in subprograms(parsed.tree, vocabulary))
    value = situation.holds(0, len(program.steps))
    return Explanation(unit, round, when, value, nodes, parsed.warnings)


def piece_number(compiled: Compiled, battle: Any, unit: str, where: str) -> int:
    """The number of a piece called `left.horned_helm`, or of a fighter's trait, `left`.

    Raises:
        InputError: there is no such piece.
    """
    side, dot, name = unit.partition(".")
    known = {
        f"{SIDES[number // codes.PIECES]}.{plain(str(source))}": number
        for number, source in enumerate(compiled.books["source"][: codes.PIECE_SLOTS])
        if source and number % codes.PIECES
    }
    known |= {word: place * codes.PIECES for place, word in enumerate(SIDES)}
    found = known.get(f"{side}.{plain(name)}" if dot else side)
    if found is None:
        own = [each for each in known if each.startswith(f"{side}.")] or list(known)
        hint = nearest(unit, known) or f"write {' or '.join(SIDES)}, or one of {', '.join(own)}"
        raise InputError.of(where, f'nobody wears "{unit}" in this battle', hint)
    return found


def plain(name: str) -> str:
    """A name as ids are written: Horned Helm as horned_helm."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


class Situation:
    """A battle that is played no further, as the owner of a piece sees it."""

    def __init__(self, battle: Any, piece: int, quantities: tuple[str, ...]) -> None:
        self.battle = battle
        self.quantities = quantities
        self.piece = piece
        self.side = piece // codes.PIECES
        self.payload = 0
        self.ask_count = 0
        self.condition = battle.effects[0].condition

    def apply(self, override: Override) -> None:
        """Set one value, such as `left.hp`.

        Raises:
            InputError: an unknown path, or a value out of range.
        """
        where = f"{override.where} {'.'.join(override.path)}"
        match override.path:
            case (name,) if name in BATTLE_STATE:
                self.battle[name] = _checked(override.value, 0, BATTLE_STATE[name], where)
            case ("payload",):
                self.payload = _checked(override.value, 0, codes.LARGEST, where)
            case ("counter",):
                self.battle.counters[self.piece] = _checked(override.value, 0, codes.LARGEST, where)
            case (side, name) if side in SIDES:
                self._set_of_fighter(self.battle.fighters[SIDES.index(side)], name, override.value, where)
            case _:
                known = listed_paths(self.quantities)
                raise InputError.of(where, "is not a path of the state", nearest(".".join(override.path), known))

    def _set_of_fighter(self, fighter: Any, name: str, value: Any, where: str) -> None:
        if name in self.quantities:
            least = codes.LEAST_RATE if name in BELOW_ZERO else 1 if name in ("hp", "hp_max") else 0
            fighter.values[self.quantities.index(name)] = _checked(value, least, codes.LARGEST, where)
        elif name in FIGHTER_STATE:
            fighter[FIELDS.get(name, name)] = _checked(value, 0, FIGHTER_STATE[name], where)
        else:
            known = (*self.quantities, *FIGHTER_STATE)
            raise InputError.of(where, f'a fighter\'s state has no "{name}"', nearest(name, known))

    def place(self, program: Program) -> None:
        """Put a program at the start of the record's pools, over what was there."""
        for number, step in enumerate(program.steps):
            self.battle.steps[number] = step
        for number, ask in enumerate(program.asks):
            self.battle.asks[number] = ask
        self.ask_count = len(program.asks)
        self.condition.first_ask = 0

    def holds(self, first: int, length: int) -> bool:
        """Whether a run of the program's steps is true; an empty one is."""
        self.condition.first_step = first
        self.condition.step_count = length
        # Where nothing is compared, as in `always`, nothing may be asked: one step with one ask is a comparison.
        is_asking = any(step.op in (COMPARE, COMPARE_SLOTS) for step in self.battle.steps[first : first + length])
        self.condition.ask_count = self.ask_count if is_asking else 0
        return bool(is_true(self.battle, self.condition, self.side, self.piece, self.payload))

    def line(self, program: Program, line: Line) -> ExplainedNode:
        """One node's own value, by the same kernel that plays, and the numbers it compared."""
        value = self.holds(line.first, line.length)
        detail = ", ".join(self.read(slot, program.asks[slot]) for slot in line.slots)
        return ExplainedNode(line.depth, line.text, value, detail)

    def read(self, slot: int, ask: Ask) -> str:
        """A fact as it was read: a percentage as HP of HP, anything else as it is."""
        numerator, denominator = int(self.battle.facts[slot].numerator), int(self.battle.facts[slot].denominator)
        if denominator == 1:
            return str(numerator)
        return f"{numerator / denominator:.4g}% ({numerator // 100}/{denominator})"


def listed_paths(quantities: tuple[str, ...]) -> list[str]:
    """Everything that may be changed in a battle of these quantities."""
    own = (*quantities, *FIGHTER_STATE)
    return [*BATTLE_STATE, *OWN_STATE, *(f"{side}.{name}" for side in SIDES for name in own)]


def _checked(value: Any, least: int, most: int, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError.of(where, f"{value!r} is not a whole number from {least} to {most:,}")
    return value
