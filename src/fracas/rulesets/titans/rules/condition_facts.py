"""Declare the facts of a policy's conditions: the round, the titan and its opponent. titans/README.md, Conditions."""

from __future__ import annotations

from fracas.kernel.fact_table import FactKind, FactTable
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.titan_stats import has_change, is_sudden_death, opponent_of


@kernel
def bears_any(battle, who, sign: int) -> bool:
    """Whether a titan has a change that raises a stat (1) or lowers one (-1)."""
    if who.active > 0:
        for index in range(battle.change_count):
            if has_change(who, index) and battle.changes[index & codes.CHANGE_MASK].percent * sign > 0:
                return True
    return False


# What the rules of a policy ask of the duel.
DUEL_FACTS = FactTable("battle")
DUEL_FACTS.field(0, "round", "battle.tick", FactKind.ROUND, "the round, from 1")


@DUEL_FACTS.fact(1, "sudden_death", FactKind.FLAG, "it is a round of sudden death")
def in_sudden_death(battle) -> int:
    """Whether it is a round of sudden death."""
    return 1 if is_sudden_death(battle) else 0


read_duel = DUEL_FACTS.reader("read_duel")

# What they ask of a titan, with SELF_FACTS or ENEMY_FACTS on top; {who} is "the titan's" or "the opponent's".
TITAN_FACTS = FactTable("battle", "who")


@TITAN_FACTS.fraction(codes.HP_PCT, "hp_pct", FactKind.PERCENT, "{who} share of its HP")
def hp_share(battle, who) -> tuple[int, int]:
    """A titan's share of its HP."""
    return 100 * who.hp, who.max_hp


TITAN_FACTS.field(codes.HP, "hp", "who.hp", FactKind.PLAIN, "{who} HP", 0, codes.LARGEST_HP)
TITAN_FACTS.field(codes.CHARGE, "charge", "who.charge", FactKind.PLAIN, "{who} charge", 0, codes.MAX_CHARGE)


@kernel
def current_stat(battle, who, fact: int) -> tuple[int, int]:
    """A stat with the changes that are active."""
    stat = fact - codes.FIRST_STAT_FACT & codes.STAT_MASK
    return who.stats[stat] * (100 + max(who.sums[stat], codes.LEAST_SUM)), 100


for _stat, _name in enumerate(codes.STATS):
    TITAN_FACTS.fraction(
        codes.FIRST_STAT_FACT + _stat, _name, FactKind.PLAIN, f"{{who}} current {_name}", 0, codes.LARGEST_CURRENT_STAT
    )(current_stat)


@TITAN_FACTS.fact(codes.IS_READY, "ready", FactKind.FLAG, "{who} charge is enough for one of its abilities")
def is_ready(battle, who) -> int:
    """Whether a titan can afford one of its abilities."""
    return 1 if who.charge >= who.cheapest else 0


@TITAN_FACTS.fact(codes.IS_BUFFED, "buffed", FactKind.FLAG, "a change raises one of {who} stats")
def is_buffed(battle, who) -> int:
    """Whether a titan has a change that raises a stat."""
    return 1 if bears_any(battle, who, 1) else 0


@TITAN_FACTS.fact(codes.IS_DEBUFFED, "debuffed", FactKind.FLAG, "a change lowers one of {who} stats")
def is_debuffed(battle, who) -> int:
    """Whether a titan has a change that lowers a stat."""
    return 1 if bears_any(battle, who, -1) else 0


@TITAN_FACTS.fact(codes.HAS_ATTACKED, "attacked", FactKind.FLAG, "{who} last choice was to attack")
def has_attacked(battle, who) -> int:
    """Whether a titan attacked in the round before."""
    return 1 if who.last_choice == codes.ATTACK else 0


@TITAN_FACTS.fact(codes.HAS_DEFENDED, "defended", FactKind.FLAG, "{who} last choice was to defend")
def has_defended(battle, who) -> int:
    """Whether a titan defended in the round before."""
    return 1 if who.last_choice == codes.DEFEND else 0


@TITAN_FACTS.fact(codes.HAS_RESTED, "rested", FactKind.FLAG, "{who} last choice was to rest")
def has_rested(battle, who) -> int:
    """Whether a titan rested in the round before."""
    return 1 if who.last_choice == codes.REST else 0


@TITAN_FACTS.fact(codes.HAS_USED_ABILITY, "used_ability", FactKind.FLAG, "{who} last choice was an ability")
def has_used_ability(battle, who) -> int:
    """Whether a titan used an ability in the round before."""
    return 1 if who.last_choice >= codes.FIRST_ABILITY else 0


read_titan = TITAN_FACTS.reader("read_titan")


@kernel_noinline
def read_situation(battle, one, first_ask: int, ask_count: int) -> None:
    """Fill the fact vector for a condition."""
    for slot in range(ask_count):
        fact = battle.asks[first_ask + slot].fact
        answer = battle.facts[slot]
        if fact >= codes.ENEMY_FACTS:
            other = opponent_of(battle, one)
            answer.numerator, answer.denominator = read_titan(battle, other, fact - codes.ENEMY_FACTS)
        elif fact >= codes.SELF_FACTS:
            answer.numerator, answer.denominator = read_titan(battle, one, fact - codes.SELF_FACTS)
        else:
            answer.numerator, answer.denominator = read_duel(battle, fact), 1
