"""Read the facts of conditions and amounts from the battle, as a piece's owner sees it.

The rules: relics/README.md, Conditions; State; docs/reference/conditions.md.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import compare, evaluate
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
def fraction_of(battle, fact: int, side: int, piece: int, payload: int) -> tuple[int, int]:
    """A fact as a fraction: a share of HP in per cent, or a number over 1.

    Percentages compare exactly.
    """
    if fact == codes.HP_PCT or fact == codes.ENEMY_FACTS + codes.HP_PCT:
        values = fighter_of(battle, side if fact < codes.ENEMY_FACTS else 1 - side).values
        return 100 * values[codes.HP], values[codes.HP_MAX]
    if fact < codes.VALUE_SLOTS:
        return fighter_of(battle, side).values[fact & codes.QUANTITY_MASK], 1
    return fact_value(battle, fact, side, piece, payload), 1


@kernel_noinline
def fact_value(battle, fact: int, side: int, piece: int, payload: int) -> int:
    """A fact as a plain number; true is 1."""
    if fact >= codes.FIRST_TAG_FACT:
        return build_of(battle, side).tags[(fact - codes.FIRST_TAG_FACT) % codes.TAG_SLOTS]
    if fact >= 2 * codes.ENEMY_FACTS:
        return battle_fact(battle, fact, side, piece, payload)
    who = side if fact < codes.ENEMY_FACTS else 1 - side
    return fighter_fact(battle, fact & (codes.ENEMY_FACTS - 1), who)


@kernel
def battle_fact(battle, fact: int, side: int, piece: int, payload: int) -> int:
    """A fact about the battle or the piece."""
    if fact == codes.TURN_NUMBER:
        return battle.turn
    if fact == codes.STRIKE_NUMBER:
        return battle.strike
    if fact == codes.PAYLOAD:
        return payload
    if fact == codes.COUNTER:
        return battle.counters[piece & codes.PIECE_MASK]
    if fact == codes.IS_FIRST_TURN:
        return 1 if fighter_of(battle, side).own_turn == 1 else 0
    if fact == codes.IS_OWN_TURN:
        return 1 if battle.active == side else 0
    return 0


@kernel
def fighter_fact(battle, fact: int, side: int) -> int:
    """A fact about a fighter."""
    fighter = fighter_of(battle, side)
    if fact < codes.VALUE_SLOTS:
        return fighter.values[fact & codes.QUANTITY_MASK]
    if fact == codes.HP_MISSING:
        return max(0, fighter.values[codes.HP_MAX] - fighter.values[codes.HP])
    if codes.BASE_ATTACK_FACT <= fact <= codes.BASE_SPEED_FACT:
        quantity = codes.ATTACK if fact == codes.BASE_ATTACK_FACT else codes.SPEED
        return base_of(battle, side, codes.ARMOR if fact == codes.BASE_ARMOR_FACT else quantity)
    if fact == codes.STRUCK_FACT:
        return fighter.struck
    if fact == codes.WAS_EXPOSED:
        return fighter.exposed
    if fact == codes.WAS_WOUNDED:
        return fighter.wounded
    if fact == codes.ITEM_COUNT:
        return build_of(battle, side).item_count
    if fact == codes.EMPTY_SLOTS:
        return codes.MAX_ITEMS - build_of(battle, side).item_count
    if fact == codes.PHASE_NUMBER:
        return fighter.phase
    if fact == codes.STRIKES_MADE:
        return fighter.strikes_made
    if fact == codes.OWN_TURN:
        return fighter.own_turn
    if fact == codes.IS_FASTER:
        return 1 if fighter.values[codes.SPEED] > fighter_of(battle, 1 - side).values[codes.SPEED] else 0
    return 0


@kernel
def amount_of(battle, amount, side: int, piece: int, payload: int) -> int:
    """An amount in the current situation, limited to the range of numbers; may be negative.

    README, Ops, An amount; Modifiers.
    """
    if amount.kind != codes.FACT_AMOUNT:
        return amount.number
    fact = fact_value(battle, amount.fact, side, piece, payload)
    return min(max(fact * amount.times // amount.per, -codes.LARGEST), codes.LARGEST)
