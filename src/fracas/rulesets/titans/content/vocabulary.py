"""The facts that the rules of titans policies can ask for; table in titans/README.md, "Conditions"."""

from __future__ import annotations

from fracas.conditions import Alias, Fact, Kind, Vocabulary
from fracas.rulesets.titans.rules.constants import (
    CHARGE,
    ENEMY_FACTS,
    FIRST_STAT_FACT,
    HAS_ATTACKED,
    HAS_DEFENDED,
    HAS_RESTED,
    HAS_USED_ABILITY,
    HP,
    HP_PCT,
    IS_BUFFED,
    IS_DEBUFFED,
    IS_READY,
    IS_SUDDEN_DEATH,
    LARGEST_HP,
    MAX_CHARGE,
    ROUND_NUMBER,
    SELF_FACTS,
    STATS,
)

# Ten times the largest stat: the most that changes can make of it.
LARGEST_CURRENT_STAT = 1_000_000


def _facts_of(subject: str, who: str, offset: int) -> tuple[Fact, ...]:
    return (
        Fact(f"{subject}.hp_pct", offset + HP_PCT, Kind.PERCENT, f"{who} share of its HP"),
        Fact(f"{subject}.hp", offset + HP, Kind.PLAIN, f"{who} HP", 0, LARGEST_HP),
        Fact(f"{subject}.charge", offset + CHARGE, Kind.PLAIN, f"{who} charge", 0, MAX_CHARGE),
        *(
            Fact(
                f"{subject}.{stat}",
                offset + FIRST_STAT_FACT + code,
                Kind.PLAIN,
                f"{who} current {stat}",
                0,
                LARGEST_CURRENT_STAT,
            )
            for code, stat in enumerate(STATS)
        ),
        Fact(f"{subject}.ready", offset + IS_READY, Kind.FLAG, f"{who} charge is enough for one of its abilities"),
        Fact(f"{subject}.buffed", offset + IS_BUFFED, Kind.FLAG, f"a change raises one of {who} stats"),
        Fact(f"{subject}.debuffed", offset + IS_DEBUFFED, Kind.FLAG, f"a change lowers one of {who} stats"),
        Fact(f"{subject}.attacked", offset + HAS_ATTACKED, Kind.FLAG, f"{who} last choice was to attack"),
        Fact(f"{subject}.defended", offset + HAS_DEFENDED, Kind.FLAG, f"{who} last choice was to defend"),
        Fact(f"{subject}.rested", offset + HAS_RESTED, Kind.FLAG, f"{who} last choice was to rest"),
        Fact(f"{subject}.used_ability", offset + HAS_USED_ABILITY, Kind.FLAG, f"{who} last choice was an ability"),
    )


VOCABULARY = Vocabulary(
    facts=(
        Fact("round", ROUND_NUMBER, Kind.ROUND, "the round, from 1"),
        Fact("sudden_death", IS_SUDDEN_DEATH, Kind.FLAG, "it is a round of sudden death"),
        *_facts_of("self", "the titan's", SELF_FACTS),
        *_facts_of("enemy", "the opponent's", ENEMY_FACTS),
    ),
    names=(
        Alias("self_hp_below_N", "self.hp_pct < N", "the titan is below N % of its HP"),
        Alias("self_hp_above_N", "self.hp_pct > N", "the titan is above N % of its HP"),
        Alias("enemy_hp_below_N", "enemy.hp_pct < N", "the opponent is below N % of its HP"),
        Alias("enemy_hp_above_N", "enemy.hp_pct > N", "the opponent is above N % of its HP"),
        Alias("self_charge_gte_N", "self.charge >= N", "the titan's charge is at least N"),
        Alias("self_charge_lte_N", "self.charge <= N", "the titan's charge is at most N"),
        Alias("enemy_charge_gte_N", "enemy.charge >= N", "the opponent's charge is at least N"),
        Alias("enemy_charge_lte_N", "enemy.charge <= N", "the opponent's charge is at most N"),
        Alias("self_is_ready", "self.ready", "the titan can afford one of its abilities"),
        Alias("enemy_is_ready", "enemy.ready", "the opponent can afford one of its abilities"),
        Alias("round_gte_N", "round >= N", "round N or later"),
        Alias("every_N_rounds", "round multiple_of N", "the round is a multiple of N (at least 1)"),
    ),
)
