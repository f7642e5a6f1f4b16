"""Read the facts of conditions and amounts from the battle, as a piece's owner sees it.

The rules: relics/README.md, Conditions.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import compare, evaluate
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.constants import (
    ARMOR,
    ATTACK,
    BASE_ARMOR_FACT,
    BASE_ATTACK_FACT,
    BASE_SPEED_FACT,
    COUNTER,
    EMPTY_SLOTS,
    ENEMY_FACTS,
    FACT_AMOUNT,
    FIRST_TAG_FACT,
    HP,
    HP_MAX,
    HP_MISSING,
    HP_PCT,
    IS_FASTER,
    IS_FIRST_TURN,
    IS_OWN_TURN,
    ITEM_COUNT,
    LARGEST,
    MAX_ITEMS,
    MAX_PHASES,
    OWN_TURN,
    PAYLOAD,
    PHASE_NUMBER,
    PIECE_MASK,
    QUANTITY_MASK,
    SPEED,
    STRIKE_NUMBER,
    STRIKES_MADE,
    STRUCK_FACT,
    TAG_SLOTS,
    TURN_NUMBER,
    VALUE_SLOTS,
    WAS_EXPOSED,
    WAS_WOUNDED,
)

_PHASE_MASK = MAX_PHASES - 1


@kernel
def fighter_of(battle: Any, side: int) -> Any:
    """A fighter by its number.

    Rule:    relics/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.fighters[side & 1]


@kernel
def build_of(battle: Any, side: int) -> Any:
    """The constant part of a fighter, its build.

    Rule:    relics/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.builds[side & 1]


@kernel
def base_of(battle: Any, side: int, quantity: int) -> int:
    """The base value of a quantity, in the fighter's current phase.

    Rule:    relics/README.md, Builds, Stats at the start; Death check, A phase.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    phase = fighter_of(battle, side).phase - 1
    return build_of(battle, side).phases[phase & _PHASE_MASK].start[quantity & QUANTITY_MASK]


@kernel
def is_true(battle: Any, condition: Any, side: int, piece: int, payload: int) -> bool:
    """Whether a condition holds for a piece of a fighter; no condition always does.

    Rule:    relics/README.md, Conditions.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    if condition.step_count == 0:
        return True
    return asked(battle, condition, side, piece, payload)


@kernel
def asked(battle: Any, condition: Any, side: int, piece: int, payload: int) -> bool:
    """Read the facts that a condition asks for, and evaluate it.

    Rule:    relics/README.md, Conditions; docs/reference/conditions.md.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
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
def fraction_of(battle: Any, fact: int, side: int, piece: int, payload: int) -> tuple[int, int]:
    """A fact as a fraction: a share of HP in per cent, or a number over 1.

    Rule:    docs/reference/conditions.md (percentages compare exactly).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact == HP_PCT or fact == ENEMY_FACTS + HP_PCT:
        values = fighter_of(battle, side if fact < ENEMY_FACTS else 1 - side).values
        return 100 * values[HP], values[HP_MAX]
    if fact < VALUE_SLOTS:
        return fighter_of(battle, side).values[fact & QUANTITY_MASK], 1
    return fact_value(battle, fact, side, piece, payload), 1


@kernel_noinline
def fact_value(battle: Any, fact: int, side: int, piece: int, payload: int) -> int:
    """A fact as a plain number; true is 1.

    Rule:    relics/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact >= FIRST_TAG_FACT:
        return build_of(battle, side).tags[(fact - FIRST_TAG_FACT) % TAG_SLOTS]
    if fact >= 2 * ENEMY_FACTS:
        return battle_fact(battle, fact, side, piece, payload)
    who = side if fact < ENEMY_FACTS else 1 - side
    return fighter_fact(battle, fact & (ENEMY_FACTS - 1), who)


@kernel
def battle_fact(battle: Any, fact: int, side: int, piece: int, payload: int) -> int:
    """A fact about the battle or the piece.

    Rule:    relics/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact == TURN_NUMBER:
        return battle.turn
    if fact == STRIKE_NUMBER:
        return battle.strike
    if fact == PAYLOAD:
        return payload
    if fact == COUNTER:
        return battle.counters[piece & PIECE_MASK]
    if fact == IS_FIRST_TURN:
        return 1 if fighter_of(battle, side).own_turn == 1 else 0
    if fact == IS_OWN_TURN:
        return 1 if battle.active == side else 0
    return 0


@kernel
def fighter_fact(battle: Any, fact: int, side: int) -> int:
    """A fact about a fighter.

    Rule:    relics/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    fighter = fighter_of(battle, side)
    if fact < VALUE_SLOTS:
        return fighter.values[fact & QUANTITY_MASK]
    if fact == HP_MISSING:
        return max(0, fighter.values[HP_MAX] - fighter.values[HP])
    if BASE_ATTACK_FACT <= fact <= BASE_SPEED_FACT:
        quantity = ATTACK if fact == BASE_ATTACK_FACT else SPEED
        return base_of(battle, side, ARMOR if fact == BASE_ARMOR_FACT else quantity)
    if fact == STRUCK_FACT:
        return fighter.struck
    if fact == WAS_EXPOSED:
        return fighter.exposed
    if fact == WAS_WOUNDED:
        return fighter.wounded
    if fact == ITEM_COUNT:
        return build_of(battle, side).item_count
    if fact == EMPTY_SLOTS:
        return MAX_ITEMS - build_of(battle, side).item_count
    if fact == PHASE_NUMBER:
        return fighter.phase
    if fact == STRIKES_MADE:
        return fighter.strikes_made
    if fact == OWN_TURN:
        return fighter.own_turn
    if fact == IS_FASTER:
        return 1 if fighter.values[SPEED] > fighter_of(battle, 1 - side).values[SPEED] else 0
    return 0


@kernel
def amount_of(battle: Any, amount: Any, side: int, piece: int, payload: int) -> int:
    """An amount in the current situation, limited to the range of numbers; may be negative.

    Rule:    relics/README.md, Ops, An amount; Modifiers.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if amount.kind != FACT_AMOUNT:
        return amount.number
    fact = fact_value(battle, amount.fact, side, piece, payload)
    return min(max(fact * amount.times // amount.per, -LARGEST), LARGEST)
