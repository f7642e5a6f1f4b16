"""Strike as a user's plug-in, which compare.py uses in place of the shipped Strike."""

# ruff: noqa: N805 - the class is a namespace; its functions take no self.

from __future__ import annotations

from typing import Any

import fracas
from fracas.rulesets.stacks.rules.participants import can_harm, participant_at
from fracas.rulesets.stacks.rules.rolls import damage_roll, hit_value, lose_health, put


@fracas.move_type
class StrikeAgain:
    """Two blows of attack against defence."""

    melee = True
    counts_as_strike = True
    usual_targets = True

    def is_viable(battle: Any, actor: int, target: int) -> bool:
        return can_harm(battle, actor, target)

    def expected_value(battle: Any, actor: int, target: int) -> float:
        one, other = participant_at(battle, actor), participant_at(battle, target)
        return hit_value(battle, one.attack, other.defence, one.damage, 2)

    def repeats(battle: Any, actor: int, target: int) -> int:
        return 2

    def generate(battle: Any, actor: int, target: int) -> None:
        one, other = participant_at(battle, actor), participant_at(battle, target)
        put(battle, target, damage_roll(battle, target, one.attack, other.defence, one.damage))

    def apply(battle: Any, actor: int, target: int, effect: int) -> None:
        lose_health(participant_at(battle, target), effect)
