"""The facts, flags and short names that squads conditions can use.

squads/README.md, "Conditions", has the same table.
"""

from __future__ import annotations

from fracas.conditions import Alias, Fact, Flag, Kind, Units, Vocabulary
from fracas.rulesets.squads.rules.constants import (
    ALLIES,
    ALLIES_HIGHEST,
    ALLIES_LOWEST,
    ALLY_COUNT,
    CLASSES,
    ENEMIES,
    ENEMIES_HIGHEST,
    ENEMIES_LOWEST,
    ENEMY_COUNT,
    FIRST_CLASS_FACT,
    IS_ATTACK_DOWN,
    IS_ATTACK_UP,
    IS_BUFFED,
    IS_DAMAGED_OVER_TIME,
    IS_DEBUFFED,
    IS_SHIELDED,
    IS_STUNNED,
    IS_TAUNTING,
    MAX_CHARGE,
    ROUND_NUMBER,
    SELF_CHARGE,
    SELF_COOLDOWN,
    SELF_HP_PCT,
    SELF_STATUS_OFFSET,
    SIDE_SLOTS,
    UNIT_CHARGE,
    UNIT_HP_PCT,
)

_STATUSES = (
    Flag("buffed", IS_BUFFED, "has a shield, attack up or a taunt"),
    Flag("debuffed", IS_DEBUFFED, "has attack down, a stun or damage over time"),
    Flag("shielded", IS_SHIELDED, "has a shield"),
    Flag("attack_up", IS_ATTACK_UP, "has its attack raised"),
    Flag("attack_down", IS_ATTACK_DOWN, "has its attack lowered"),
    Flag("taunting", IS_TAUNTING, "is taunting"),
    Flag("stunned", IS_STUNNED, "will lose its next action"),
    Flag("damage_over_time", IS_DAMAGED_OVER_TIME, "suffers damage over time"),
    *(Flag(name, FIRST_CLASS_FACT + code, f"is a {name}") for code, name in enumerate(CLASSES)),
)

VOCABULARY = Vocabulary(
    facts=(
        Fact("self.hp_pct", SELF_HP_PCT, Kind.PERCENT, "the unit's share of its HP"),
        Fact("self.charge", SELF_CHARGE, Kind.PLAIN, "the unit's charge", 0, MAX_CHARGE),
        Fact("self.cooldown", SELF_COOLDOWN, Kind.PLAIN, "rounds until the class ability is ready", 0, 1000),
        Fact("round", ROUND_NUMBER, Kind.ROUND, "the round, from 1"),
        Fact("allies.count", ALLY_COUNT, Kind.COUNT, "living units of the own side, the unit included"),
        Fact("enemies.count", ENEMY_COUNT, Kind.COUNT, "living units of the other side"),
        Fact("allies.lowest_hp_pct", ALLIES_LOWEST, Kind.PERCENT, "the lowest share of HP on the own side"),
        Fact("allies.highest_hp_pct", ALLIES_HIGHEST, Kind.PERCENT, "the highest share of HP on the own side"),
        Fact("enemies.lowest_hp_pct", ENEMIES_LOWEST, Kind.PERCENT, "the lowest share of HP on the other side"),
        Fact("enemies.highest_hp_pct", ENEMIES_HIGHEST, Kind.PERCENT, "the highest share of HP on the other side"),
        *(
            Fact(f"self.{flag.name}", SELF_STATUS_OFFSET + flag.code, Kind.FLAG, f"the unit {flag.doc}")
            for flag in _STATUSES
        ),
    ),
    groups=(
        Units("allies", ALLIES, "the living units of the own side, the unit included", SIDE_SLOTS),
        Units("enemies", ENEMIES, "the living units of the other side", SIDE_SLOTS),
    ),
    unit_facts=(
        Fact("hp_pct", UNIT_HP_PCT, Kind.PERCENT, "a unit's share of its HP"),
        Fact("charge", UNIT_CHARGE, Kind.PLAIN, "a unit's charge", 0, MAX_CHARGE),
    ),
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
