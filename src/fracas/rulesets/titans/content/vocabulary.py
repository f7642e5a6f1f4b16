"""The facts that the rules of titans policies can ask for; table in titans/README.md, "Conditions"."""

from __future__ import annotations

from fracas.conditions import Alias, Fact, Kind, Vocabulary
from fracas.rulesets.titans.rules import constants as codes

# Ten times the largest stat: the most that changes can make of it.
LARGEST_CURRENT_STAT = 1_000_000


def _facts_of(subject: str, who: str, offset: int) -> tuple[Fact, ...]:
    flags = {
        "ready": (codes.IS_READY, f"{who} charge is enough for one of its abilities"),
        "buffed": (codes.IS_BUFFED, f"a change raises one of {who} stats"),
        "debuffed": (codes.IS_DEBUFFED, f"a change lowers one of {who} stats"),
        "attacked": (codes.HAS_ATTACKED, f"{who} last choice was to attack"),
        "defended": (codes.HAS_DEFENDED, f"{who} last choice was to defend"),
        "rested": (codes.HAS_RESTED, f"{who} last choice was to rest"),
        "used_ability": (codes.HAS_USED_ABILITY, f"{who} last choice was an ability"),
    }
    return (
        Fact(f"{subject}.hp_pct", offset + codes.HP_PCT, Kind.PERCENT, f"{who} share of its HP"),
        Fact(f"{subject}.hp", offset + codes.HP, Kind.PLAIN, f"{who} HP", 0, codes.LARGEST_HP),
        Fact(f"{subject}.charge", offset + codes.CHARGE, Kind.PLAIN, f"{who} charge", 0, codes.MAX_CHARGE),
        *(
            Fact(
                f"{subject}.{stat}",
                offset + codes.FIRST_STAT_FACT + code,
                Kind.PLAIN,
                f"{who} current {stat}",
                0,
                LARGEST_CURRENT_STAT,
            )
            for code, stat in enumerate(codes.STATS)
        ),
        *(Fact(f"{subject}.{name}", offset + code, Kind.FLAG, doc) for name, (code, doc) in flags.items()),
    )


VOCABULARY = Vocabulary(
    facts=(
        Fact("round", codes.ROUND_NUMBER, Kind.ROUND, "the round, from 1"),
        Fact("sudden_death", codes.IS_SUDDEN_DEATH, Kind.FLAG, "it is a round of sudden death"),
        *_facts_of("self", "the titan's", codes.SELF_FACTS),
        *_facts_of("enemy", "the opponent's", codes.ENEMY_FACTS),
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
