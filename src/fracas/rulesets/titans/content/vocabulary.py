"""The facts that the rules of titans policies can ask for; table in titans/README.md, "Conditions"."""

from __future__ import annotations

from dataclasses import replace

from fracas.conditions import Alias, Fact, Vocabulary
from fracas.rulesets.titans.rules.condition_facts import DUEL_FACTS, TITAN_FACTS
from fracas.rulesets.titans.rules.constants import ENEMY_FACTS, SELF_FACTS


def _facts_of(subject: str, who: str, offset: int) -> tuple[Fact, ...]:
    return tuple(
        replace(fact, name=f"{subject}.{fact.name}", code=offset + fact.code, doc=fact.doc.format(who=who))
        for fact in TITAN_FACTS.facts
    )


VOCABULARY = Vocabulary(
    facts=(
        *DUEL_FACTS.facts,
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
