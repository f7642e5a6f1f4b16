"""Declare the facts of conditions and amounts, and read them as a piece's owner sees the battle.

The rules: relics/README.md, Conditions; State; docs/reference/conditions.md.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import compare, evaluate
from fracas.kernel.fact_table import FactKind, FactTable
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes

_PHASE_MASK = codes.MAX_PHASES - 1


@kernel
def fighter_of(battle, side: int):
    """A fighter by its number."""
    return battle.fighters[side & 1]


@kernel
def build_of(battle, side: int):
    """The constant part of a fighter, its build."""
    return battle.builds[side & 1]


@kernel
def base_of(battle, side: int, quantity: int) -> int:
    """The base value of a quantity, in the fighter's current phase.

    README, Builds, Stats at the start; Death check, A phase.
    """
    phase = fighter_of(battle, side).phase - 1
    return build_of(battle, side).phases[phase & _PHASE_MASK].start[quantity & codes.QUANTITY_MASK]


# What conditions ask of a fighter besides its quantities; of the enemy, ENEMY_FACTS above.
FIGHTER_FACTS = FactTable("battle", "side")


@FIGHTER_FACTS.fraction(codes.HP_PCT, "hp_pct", FactKind.PERCENT, "its share of full HP")
def hp_share(battle, side: int) -> tuple[int, int]:
    """A fighter's HP of its full HP, in per cent."""
    values = fighter_of(battle, side).values
    return 100 * values[codes.HP], values[codes.HP_MAX]


@FIGHTER_FACTS.fact(17, "hp_missing", FactKind.PLAIN, "full HP less HP")
def hp_missing(battle, side: int) -> int:
    """A fighter's full HP less its HP."""
    values = fighter_of(battle, side).values
    return max(0, values[codes.HP_MAX] - values[codes.HP])


@FIGHTER_FACTS.fact(18, "base_attack", FactKind.PLAIN, "its base ATK", codes.LEAST_RATE)
def base_attack(battle, side: int) -> int:
    """A fighter's base ATK."""
    return base_of(battle, side, codes.ATTACK)


@FIGHTER_FACTS.fact(19, "base_armor", FactKind.PLAIN, "its base ARMOR")
def base_armor(battle, side: int) -> int:
    """A fighter's base ARMOR."""
    return base_of(battle, side, codes.ARMOR)


@FIGHTER_FACTS.fact(20, "base_speed", FactKind.PLAIN, "its base SPEED", codes.LEAST_RATE)
def base_speed(battle, side: int) -> int:
    """A fighter's base SPEED."""
    return base_of(battle, side, codes.SPEED)


@FIGHTER_FACTS.fixed(24, "items", FactKind.PLAIN, "how many items it wears, without weapon, upgrades and food")
def item_count(battle, side: int) -> int:
    """How many items a fighter wears."""
    return build_of(battle, side).item_count


@FIGHTER_FACTS.fixed(25, "empty_slots", FactKind.PLAIN, "empty item slots, of 12")
def empty_slots(battle, side: int) -> int:
    """How many more items a fighter could wear."""
    return codes.MAX_ITEMS - build_of(battle, side).item_count


FIGHTER_FACTS.field(26, "phase", "fighter_of(battle, side).phase", FactKind.PLAIN, "its phase, from 1")
FIGHTER_FACTS.field(
    27, "strikes_made", "fighter_of(battle, side).strikes_made", FactKind.PLAIN, "strikes it made in this battle"
)
FIGHTER_FACTS.field(
    28, "own_turn", "fighter_of(battle, side).own_turn", FactKind.PLAIN, "turns it has had, including the current one"
)
FIGHTER_FACTS.field(
    21,
    "struck",
    "fighter_of(battle, side).struck",
    FactKind.FLAG,
    "lost ARMOR or HP in a strike step since the last end of a turn",
)
FIGHTER_FACTS.field(
    22, "was_exposed", "fighter_of(battle, side).exposed", FactKind.FLAG, "has become Exposed in this battle"
)
FIGHTER_FACTS.field(
    23, "was_wounded", "fighter_of(battle, side).wounded", FactKind.FLAG, "has become Wounded in this battle"
)


@FIGHTER_FACTS.fact(29, "faster", FactKind.FLAG, "has more SPEED than the other")
def is_faster(battle, side: int) -> int:
    """Whether a fighter has more SPEED than the other."""
    own, other = fighter_of(battle, side).values, fighter_of(battle, 1 - side).values
    return 1 if own[codes.SPEED] > other[codes.SPEED] else 0


# What conditions ask of the battle or the piece.
BATTLE_FACTS = FactTable("battle", "side", "piece", "payload")
BATTLE_FACTS.field(
    64, "turn", "battle.turn", FactKind.ROUND, "the common turn, from 1; 0 in set-up", 0, codes.LARGEST_TURN_CAP
)
BATTLE_FACTS.field(
    65, "strike", "battle.strike", FactKind.PLAIN, "the strikes made in this turn, including the current one", 0, 99
)
BATTLE_FACTS.field(66, "payload", "payload", FactKind.PLAIN, "the trigger's payload", 0, codes.LARGEST)


@BATTLE_FACTS.fact(67, "counter", FactKind.PLAIN, "the piece's own counter", 0, codes.LARGEST)
def counter(battle, side: int, piece: int, payload: int) -> int:
    """The piece's counter."""
    return battle.counters[piece & codes.PIECE_MASK]


@BATTLE_FACTS.fact(68, "first_turn", FactKind.FLAG, "the owner has had exactly one turn")
def is_first_turn(battle, side: int, piece: int, payload: int) -> int:
    """Whether the owner has had exactly one turn."""
    return 1 if fighter_of(battle, side).own_turn == 1 else 0


@BATTLE_FACTS.fact(69, "is_own_turn", FactKind.FLAG, "it is the owner's turn")
def is_own_turn(battle, side: int, piece: int, payload: int) -> int:
    """Whether it is the owner's turn."""
    return 1 if battle.active == side else 0


fighter_fact = FIGHTER_FACTS.reader("fighter_fact", {"fighter_of": fighter_of})
battle_fact = BATTLE_FACTS.reader("battle_fact")


@kernel
def fraction_of(battle, fact: int, side: int, piece: int, payload: int) -> tuple[int, int]:
    """A fact as a fraction: a share of HP in per cent, or a number over 1.

    Percentages compare exactly.
    """
    if fact == codes.HP_PCT or fact == codes.ENEMY_FACTS + codes.HP_PCT:
        return hp_share(battle, side if fact < codes.ENEMY_FACTS else 1 - side)
    if fact < codes.VALUE_SLOTS:
        return fighter_of(battle, side).values[fact & codes.QUANTITY_MASK], 1
    return fact_value(battle, fact, side, piece, payload), 1


@kernel_noinline
def fact_value(battle, fact: int, side: int, piece: int, payload: int) -> int:
    """A fact as a plain number; true is 1."""
    if fact >= codes.FIRST_TAG_FACT:
        return build_of(battle, side).tags[(fact - codes.FIRST_TAG_FACT) % codes.TAG_SLOTS]
    if fact >= 2 * codes.ENEMY_FACTS:
        return battle_fact(battle, side, piece, payload, fact)
    who = side if fact < codes.ENEMY_FACTS else 1 - side
    what = fact & (codes.ENEMY_FACTS - 1)
    if what < codes.VALUE_SLOTS:
        return fighter_of(battle, who).values[what & codes.QUANTITY_MASK]
    return fighter_fact(battle, who, what)[0]


@kernel
def is_true(battle, condition, side: int, piece: int, payload: int) -> bool:
    """Whether a condition holds for a piece of a fighter; no condition always does."""
    if condition.step_count == 0:
        return True
    return asked(battle, condition, side, piece, payload)


@kernel
def asked(battle, condition, side: int, piece: int, payload: int) -> bool:
    """Read the facts that a condition asks for, and evaluate it."""
    if condition.step_count == 1 and condition.ask_count == 1:
        step, fact = battle.steps[condition.first_step], battle.asks[condition.first_ask].fact
        numerator, denominator = fraction_of(battle, fact, side, piece, payload)
        battle.facts[0].numerator = numerator
        battle.facts[0].denominator = denominator
        return compare(numerator, denominator, step.compare, step.number)
    for slot in range(condition.ask_count):
        fact = battle.asks[condition.first_ask + slot].fact
        answer = battle.facts[slot]
        numerator, denominator = fraction_of(battle, fact, side, piece, payload)
        answer.numerator = numerator
        answer.denominator = denominator
    return evaluate(battle, condition.first_step, condition.step_count)


@kernel
def amount_of(battle, amount, side: int, piece: int, payload: int) -> int:
    """An amount in the current situation, limited to the range of numbers; may be negative.

    README, Ops, An amount; Modifiers.
    """
    if amount.kind != codes.FACT_AMOUNT:
        return amount.number
    fact = fact_value(battle, amount.fact, side, piece, payload)
    return min(max(fact * amount.times // amount.per, -codes.LARGEST), codes.LARGEST)
