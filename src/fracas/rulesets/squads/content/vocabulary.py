"""The facts, flags and short names that squads conditions can use.

squads/README.md, "Conditions", has the same table.
"""

from __future__ import annotations

from fracas.conditions import Alias, Fact, FactKind, Flag, Units, Vocabulary
from fracas.rulesets.squads.rules.condition_facts import FACTS, STATUSES, UNIT_FACTS
from fracas.rulesets.squads.rules.constants import (
    ALLIES,
    CLASSES,
    ENEMIES,
    FIRST_CLASS_FACT,
    SELF_STATUS_OFFSET,
    SIDE_SLOTS,
)

_STATUSES = (
    *(Flag(status.name, status.code, status.doc) for status in STATUSES.facts),
    *(Flag(name, FIRST_CLASS_FACT + code, f"is a {name}") for code, name in enumerate(CLASSES)),
)

VOCABULARY = Vocabulary(
    facts=(
        *FACTS.facts,
        *(
            Fact(f"self.{flag.name}", SELF_STATUS_OFFSET + flag.code, FactKind.FLAG, f"the unit {flag.doc}")
            for flag in _STATUSES
        ),
    ),
    groups=(
        Units("allies", ALLIES, "the living units of the own side, the unit included", SIDE_SLOTS),
        Units("enemies", ENEMIES, "the living units of the other side", SIDE_SLOTS),
    ),
    unit_facts=UNIT_FACTS.facts,
    statuses=_STATUSES,
    names=(
        Alias(
            "ally_hp_below_N", "allies.any(hp_pct < N)", "some living ally, the unit included, is below N % of its HP"
        ),
        Alias("self_hp_below_N", "self.hp_pct < N", "the unit is below N % of its HP"),
        Alias("self_hp_above_N", "self.hp_pct > N", "the unit is above N % of its HP"),
        Alias("enemy_hp_below_N", "enemies.any(hp_pct < N)", "some living enemy is below N % of its HP"),
        Alias("enemy_count_gte_N", "enemies.count >= N", "at least N enemies live"),
        Alias("enemy_count_lte_N", "enemies.count <= N", "at most N enemies live"),
        Alias("ally_count_gte_N", "allies.count >= N", "at least N allies live, the unit included"),
        Alias("ally_count_lte_N", "allies.count <= N", "at most N allies live, the unit included"),
        Alias("round_gte_N", "round >= N", "round N or later"),
        Alias("no_allies_have_buff", "not allies.any(buffed)", "no living ally has a shield, attack up or a taunt"),
        Alias("self_has_buff", "self.buffed", "the unit has a shield, attack up or a taunt"),
        Alias("any_enemy_has_buff", "enemies.any(buffed)", "some living enemy has a shield, attack up or a taunt"),
        Alias("self_is_debuffed", "self.debuffed", "the unit has attack down, a stun or damage over time"),
        Alias("self_charge_gte_N", "self.charge >= N", "the unit's charge is at least N"),
        Alias("any_enemy_charge_gte_N", "enemies.any(charge >= N)", "some living enemy's charge is at least N"),
    ),
)
