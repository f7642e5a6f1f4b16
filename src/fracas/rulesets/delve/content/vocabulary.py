"""The facts, flags and short names of queue conditions. delve/README.md, "Queue vocabulary", has the same table."""

from __future__ import annotations

from fracas.conditions import Alias, Fact, FactKind, Flag, Units, Vocabulary
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.condition_facts import FACTS, UNIT_FACTS

_STATUSES = tuple(
    Flag(name, codes.FIRST_CONDITION_FACT + code, f"is {name}") for code, name in enumerate(codes.CONDITIONS)
)

_SHARES = (
    Alias("self_hp_below_N", "self.hp_pct < N", "the unit is below N % of its HP"),
    Alias("self_hp_above_N", "self.hp_pct > N", "the unit is above N % of its HP"),
    Alias("ally_hp_below_N", "allies.any(hp_pct < N)", "some living ally, the unit included, is below N % of its HP"),
    Alias("ally_hp_above_N", "allies.any(hp_pct > N)", "some living ally, the unit included, is above N % of its HP"),
    Alias("enemy_hp_below_N", "enemies.any(hp_pct < N)", "some living enemy is below N % of its HP"),
    Alias("enemy_hp_above_N", "enemies.any(hp_pct > N)", "some living enemy is above N % of its HP"),
)

_COUNTS = (
    Alias("resource_gte_N", "self.resource >= N", "the unit has at least N of its resource"),
    Alias("enemy_count_gte_N", "enemies.count >= N", "at least N enemies live"),
    Alias("ally_count_lte_N", "allies.count <= N", "at most N allies live, the unit included"),
    Alias("round_gte_N", "round >= N", "round N or later"),
    Alias("every_N_rounds", "round multiple_of N", "the round is a multiple of N, which is at least 1"),
    Alias("once", "used == 0", "the slot's skill has not been used by the unit in this encounter"),
)

_CONDITIONS = (
    Alias("self_has_X", "self.X", "the unit has the condition X"),
    Alias("ally_has_X", "allies.any(X)", "some living ally, the unit included, has the condition X"),
    Alias("enemy_has_X", "enemies.any(X)", "some living enemy has the condition X"),
    Alias("self_lacks_X", "not self.X", "the unit does not have the condition X"),
)

VOCABULARY = Vocabulary(
    facts=(
        *FACTS.facts,
        *(
            Fact(f"self.{flag.name}", codes.SELF_CONDITION_OFFSET + flag.code, FactKind.FLAG, f"the unit {flag.doc}")
            for flag in _STATUSES
        ),
    ),
    groups=(
        Units("allies", codes.ALLIES, "the living units of the own side, the unit included", codes.SIDE_SLOTS),
        Units("enemies", codes.ENEMIES, "the living units of the other side", codes.SIDE_SLOTS),
    ),
    unit_facts=UNIT_FACTS.facts,
    statuses=_STATUSES,
    names=(*_SHARES, *_COUNTS, *_CONDITIONS),
)
