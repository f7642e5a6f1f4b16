"""Dry-run a condition for one piece, at the turn_start effects of a turn.

Name a piece by its side and its name as an id: `left.horned_helm` for Horned Helm, `left.horned_helm_2` for a second
one; `left` alone is the fighter itself. The turn may be the enemy's; facts are read as the owner sees them.

`--state` can change `turn`, `strike`, `payload` and `counter` (the piece's), and of a fighter `left.QUANTITY`
(`left.hp`, `right.thorns`), `left.own_turn`, `left.strikes_made`, `left.struck`, `left.was_exposed`,
`left.was_wounded`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Unpack

from fracas.conditions.compiler import Program
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest
from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS
from fracas.rulesets.contract.types import Asked, Compiled, Explanation, Override
from fracas.rulesets.relics.content.places import SIDES
from fracas.rulesets.relics.content.vocabulary import least_of, vocabulary_of
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import is_true
from fracas.rulesets.relics.rules.entry_points import play_until
from fracas.rulesets.shared.condition_dry_run import Situation, dry_run, whole_number

# State paths of a battle and a fighter apart from quantities, with their largest values.
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


def explain(compiled: Compiled, **asked: Unpack[Asked]) -> Explanation:
    """Play up to the turn, apply the overrides, and evaluate the condition for the piece's owner.

    Raises:
        InputError: see the contract.
    """
    round = asked["round"]
    piece = piece_number(compiled, asked["unit"], "--unit")
    quantities = tuple(compiled.books["quantity"])

    def reach(_: Program) -> PieceSituation:
        battle = compiled.own_record()[0]
        if not play_until(battle, asked["stream"], round):
            raise UsageError.of("--round", f"there is no turn {round}: the battle ends in turn {int(battle.turn)}")
        return PieceSituation(battle, piece, quantities)

    vocabulary = vocabulary_of(tuple(compiled.books["own_tag"]), quantities[codes.FIRST_OWN_STATUS :])
    return dry_run(reach, vocabulary, asked, content=True, example="self.armor > 0", tick="turn")


def explained_units(compiled: Compiled) -> list[str]:
    """Both fighters, for their traits, then the pieces that they wear."""
    return [*SIDES, *_worn(compiled)]


def _worn(compiled: Compiled) -> dict[str, int]:
    """The numbers of the worn pieces by name."""
    return {
        f"{SIDES[number // codes.PIECES]}.{plain(str(source))}": number
        for number, source in enumerate(compiled.books["source"][: codes.PIECE_SLOTS])
        if source and number % codes.PIECES
    }


def piece_number(compiled: Compiled, unit: str, where: str) -> int:
    """The number of a piece named like `left.horned_helm`, or of a fighter's trait, `left`.

    Raises:
        InputError: there is no such piece.
    """
    side, dot, name = unit.partition(".")
    known = _worn(compiled) | {word: index * codes.PIECES for index, word in enumerate(SIDES)}
    found = known.get(f"{side}.{plain(name)}" if dot else side)
    if found is None:
        own = [each for each in known if each.startswith(f"{side}.")] or list(known)
        hint = nearest(unit, known) or f"write {' or '.join(SIDES)}, or one of {', '.join(own)}"
        raise InputError.of(where, f'no fighter wears "{unit}" in this battle', hint)
    return found


def plain(name: str) -> str:
    """A name in the form of ids: Horned Helm as horned_helm."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


@dataclass
class PieceSituation(Situation):
    """A battle as the owner of a piece sees it."""

    piece: int
    quantities: tuple[str, ...]
    payload: int = 0
    ask_count: int = 0

    def apply(self, override: Override) -> None:
        """Set one value, such as `left.hp`."""
        where = override.label
        match override.path:
            case (name,) if name in BATTLE_STATE:
                self.battle[name] = whole_number(override.value, 0, BATTLE_STATE[name], where)
            case ("payload",):
                self.payload = whole_number(override.value, 0, codes.LARGEST, where)
            case ("counter",):
                self.battle.counters[self.piece] = whole_number(override.value, 0, codes.LARGEST, where)
            case (side, name) if side in SIDES:
                self._set_of_fighter(self.battle.fighters[SIDES.index(side)], name, override.value, where)
            case _:
                known = listed_paths(self.quantities)
                raise InputError.of(where, "is not a path of the state", nearest(".".join(override.path), known))

    def _set_of_fighter(self, fighter: Any, name: str, value: Any, where: str) -> None:
        if name in self.quantities:
            least = 1 if name in ("hp", "hp_max") else least_of(f"self.{name}")
            fighter.values[self.quantities.index(name)] = whole_number(value, least, codes.LARGEST, where)
        elif name in FIGHTER_STATE:
            fighter[FIELDS.get(name, name)] = whole_number(value, 0, FIGHTER_STATE[name], where)
        else:
            known = (*self.quantities, *FIGHTER_STATE)
            raise InputError.of(where, f'a fighter\'s state has no "{name}"', nearest(name, known))

    def read(self, program: Program) -> None:
        """Read nothing in advance; the kernel reads facts on evaluation."""
        self.ask_count = len(program.asks)

    def holds(self, first: int, length: int) -> bool:
        """Whether a run of the program's steps is true; an empty run is."""
        condition = self.battle.effects[0].condition
        condition.first_ask, condition.first_step, condition.step_count = 0, first, length
        # Without comparisons, as in `always`, there must be no asks: one step with one ask means a comparison.
        is_asking = any(step.op in (COMPARE, COMPARE_SLOTS) for step in self.battle.steps[first : first + length])
        condition.ask_count = self.ask_count if is_asking else 0
        return bool(is_true(self.battle, condition, self.piece // codes.PIECES, self.piece, self.payload))


def listed_paths(quantities: tuple[str, ...]) -> list[str]:
    """All state paths of a battle with these quantities."""
    own = (*quantities, *FIGHTER_STATE)
    return [*BATTLE_STATE, *OWN_STATE, *(f"{side}.{name}" for side in SIDES for name in own)]
