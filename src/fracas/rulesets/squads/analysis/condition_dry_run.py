"""Evaluates one condition for one unit at its decision in one round of a real battle (`fracas lab explain`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

from fracas.conditions.compiler import Program
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest
from fracas.rulesets.contract.types import Asked, Compiled, Explanation, Override
from fracas.rulesets.shared.condition_dry_run import GroupSituation, dry_run, unit_index, whole_number
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.rules.condition_facts import read_situation
from fracas.rulesets.squads.rules.constants import ALLIES, LARGEST_ROUND_CAP, SIDE_SLOTS
from fracas.rulesets.squads.rules.entry_points import play_until

# The fields that `--state` can override, with their largest values; HP stop at the unit's own maximum.
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


def explain(compiled: Compiled, **asked: Unpack[Asked]) -> Explanation:
    """Play up to the unit's decision, apply the overrides, and evaluate the condition there.

    Raises:
        InputError: see the contract.
    """
    unit = asked["unit"]
    index = unit_index(compiled, unit, "--unit")

    def reach(_: Program) -> UnitSituation:
        battle = compiled.own_record()[0]
        plugins = compiled.functions
        if not play_until(battle, asked["stream"], asked["round"], index, plugins):
            message = f"{unit} makes no decision in round {asked['round']}: {why_none(battle, index)}"
            raise UsageError.of("--round", message)
        return UnitSituation(battle, compiled, index)

    return dry_run(reach, VOCABULARY, asked)


def why_none(battle: Any, index: int) -> str:
    """Why a unit makes no decision in the round at which `play_until` stopped."""
    if battle.units[index].hp == 0:
        return "it has fallen"
    if battle.units[index].just_stunned:
        return "it is stunned"
    return f"the battle is over in round {battle.tick}"


@dataclass
class UnitSituation(GroupSituation):
    """A battle as one of its units sees it."""

    compiled: Compiled
    index: int

    def apply(self, override: Override) -> None:
        """Set one value, such as `units.1.scout.hp`."""
        battle, where = self.battle, override.label
        if override.path == ("round",):
            battle.tick = whole_number(override.value, 1, LARGEST_ROUND_CAP, where)
            return
        if len(override.path) != 4 or override.path[0] != "units":
            raise InputError.of(where, "is not a path of the state", "write round=N, or units.SIDE.UNIT.FIELD=N")
        _, side, unit, name = override.path
        index = unit_index(self.compiled, f"{side}.{unit}", where)
        if name not in UNIT_STATE:
            raise InputError.of(where, f'a unit\'s state has no "{name}"', nearest(name, UNIT_STATE))
        record = battle.units[index]
        most = int(record.max_hp) if name == "hp" else UNIT_STATE[name]
        was_living = record.hp > 0
        # The deciding unit must live, and so must at least one unit on each side, or there is no battle to evaluate in.
        least = 1 if name == "hp" and was_living else 0
        record[name] = whole_number(override.value, least, most, where)
        battle.sides[index // SIDE_SLOTS].living += int(record.hp > 0) - int(was_living)

    def read(self, program: Program) -> None:
        """Read the facts that the condition asks for, as the unit sees them."""
        read_situation(self.battle, self.battle.units[self.index], 0, len(program.asks))

    def living(self, group: int) -> int:
        """The number of living units on the unit's own side or on the other."""
        own = self.index // SIDE_SLOTS
        return int(self.battle.sides[own if group == ALLIES else 1 - own].living)
