"""Lints squads conditions: unknown names, and conditions that always or never hold."""

from __future__ import annotations

from dataclasses import dataclass

from fracas.conditions.range_analysis import SHARE_SCALE, Bounds
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.rules.constants import LARGEST_ROUND_CAP, MAX_CHARGE, SIDE_SLOTS


@dataclass(frozen=True)
class Setting(Bounds):
    """The bounds of a condition's facts: the sizes of both sides, the round cap, and the slot of its ability."""

    allies: int = SIDE_SLOTS
    enemies: int = SIDE_SLOTS
    round_cap: int = LARGEST_ROUND_CAP
    has_charge: bool = True
    """False under ultimate_rule = "cooldown", where no unit gains charge."""
    slot: str = ""
    """class_ability or ultimate; empty if it may be either. A condition is evaluated only when its ability is ready."""

    def values(self, fact: str) -> range:
        """The values that a fact can have where a condition is evaluated."""
        if fact.endswith("hp_pct"):
            return range(1, 100 * SHARE_SCALE + 1)
        if fact.endswith("charge"):
            low = MAX_CHARGE if fact == "self.charge" and self.slot == "ultimate" else 0
            return range(low, MAX_CHARGE + 1) if self.has_charge else range(1)
        if fact == "self.cooldown" and self.slot == "class_ability":
            return range(1)
        if fact in ("allies.count", "enemies.count"):
            return range(1, self.size(fact.partition(".")[0]) + 1)
        low, high = VOCABULARY.fact_by_name[fact].limits
        return range(1, self.round_cap + 1) if fact == "round" else range(low, high + 1)

    def size(self, group: str) -> int:
        """The most living units that a group can have."""
        return self.allies if group == "allies" else self.enemies

    def flag(self, subject: str, status: str) -> bool | None:
        """The value of a flag if it is certain: the deciding unit is never stunned."""
        return False if (subject, status) == ("self", "stunned") else None
