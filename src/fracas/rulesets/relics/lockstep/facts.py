"""Facts, amounts and conditions in lanes, as a piece's owner sees them: rules/condition_facts.py for 64 battles.

The rules: relics/README.md, Conditions; docs/reference/conditions.md.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import (
    AND,
    AT_LEAST,
    AT_MOST,
    COMPARE,
    COMPARE_SLOTS,
    EQUAL,
    LESS,
    MORE,
    MULTIPLE_OF,
    NOT,
    OR,
    PUSH_TRUE,
)
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import truth
from fracas.lanes.operations import load, load_mask, no_lanes, select, splat, splat_words, store_mask, wide
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.signed_lanes import (
    HIGHEST_BIT,
    WORD_BITS,
    counted,
    flipped,
    is_less,
    is_multiple,
    most,
    number,
)
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.constants import OWN_TURN as OWN_TURN_FACT
from fracas.rulesets.relics.rules.constants import STRIKES_MADE as STRIKES_MADE_FACT

_PHASE_MASK = codes.MAX_PHASES - 1
# No fact is as large; numbers in conditions beyond it are as good as it.
_FAR = 32_000


@kernel
def value(state, side: int, quantity: int):
    """A quantity of a fighter (README, State)."""
    return load(state, rows.VALUES + (side & 1) * codes.VALUE_SLOTS + (quantity & codes.QUANTITY_MASK))


@kernel_noinline
def base_of(state, battle, side: int, quantity: int):
    """The base value of a quantity, in the fighter's current phase.

    README, Builds, Stats at the start; Death check, A phase.
    """
    build = battle.builds[side & 1]
    base = number(state, build.phases[0].start[quantity & codes.QUANTITY_MASK])
    phase = load(state, rows.PHASE + side)
    for place in range(1, build.phase_count):
        start = build.phases[place & _PHASE_MASK].start
        base = select(phase == splat(state, place + 1), number(state, start[quantity & codes.QUANTITY_MASK]), base)
    return base


@kernel_noinline
def fact_row(state, battle, fact: int, side: int, piece: int, payload):
    """A fact as a plain number; true is 1."""
    if fact >= codes.FIRST_TAG_FACT:
        return splat(state, battle.builds[side & 1].tags[(fact - codes.FIRST_TAG_FACT) % codes.TAG_SLOTS])
    if fact >= 2 * codes.ENEMY_FACTS:
        return battle_fact(state, fact, side, piece, payload)
    who = side if fact < codes.ENEMY_FACTS else 1 - side
    return fighter_fact(state, battle, fact & (codes.ENEMY_FACTS - 1), who)


@kernel
def battle_fact(state, fact: int, side: int, piece: int, payload):
    """A fact about the battle or the piece."""
    if fact == codes.TURN_NUMBER:
        return load(state, rows.TURN)
    if fact == codes.STRIKE_NUMBER:
        return load(state, rows.STRIKE)
    if fact == codes.PAYLOAD:
        return payload
    if fact == codes.COUNTER:
        return load(state, rows.COUNTERS + (piece & codes.PIECE_MASK))
    if fact == codes.IS_FIRST_TURN:
        return truth(state, load(state, rows.OWN_TURN + side) == splat(state, 1))
    if fact == codes.IS_OWN_TURN:
        return splat(state, 1 if state.active == side else 0)
    return splat(state, 0)


@kernel
def fighter_fact(state, battle, fact: int, side: int):
    """A fact about a fighter."""
    if fact < codes.VALUE_SLOTS:
        return value(state, side, fact)
    if fact == codes.HP_MISSING:
        return most(state, splat(state, 0), value(state, side, codes.HP_MAX) - value(state, side, codes.HP))
    if codes.BASE_ATTACK_FACT <= fact <= codes.BASE_SPEED_FACT:
        quantity = codes.ATTACK if fact == codes.BASE_ATTACK_FACT else codes.SPEED
        return base_of(state, battle, side, codes.ARMOR if fact == codes.BASE_ARMOR_FACT else quantity)
    if fact == codes.STRUCK_FACT:
        return truth(state, load_mask(state, rows.STRUCK + side))
    if fact == codes.WAS_EXPOSED:
        return truth(state, load_mask(state, rows.IS_EXPOSED + side))
    if fact == codes.WAS_WOUNDED:
        return truth(state, load_mask(state, rows.IS_WOUNDED + side))
    if fact == codes.ITEM_COUNT:
        return splat(state, battle.builds[side & 1].item_count)
    if fact == codes.EMPTY_SLOTS:
        return splat(state, codes.MAX_ITEMS - battle.builds[side & 1].item_count)
    if fact == codes.PHASE_NUMBER:
        return load(state, rows.PHASE + side)
    if fact == STRIKES_MADE_FACT:
        return load(state, rows.STRIKES_MADE + side)
    if fact == OWN_TURN_FACT:
        return load(state, rows.OWN_TURN + side)
    if fact == codes.IS_FASTER:
        return truth(state, is_less(state, value(state, 1 - side, codes.SPEED), value(state, side, codes.SPEED)))
    return splat(state, 0)


@kernel
def amount_of(state, battle, amount, side: int, piece: int, payload):
    """An amount in the current situation, limited to the range of numbers; may be negative.

    README, Ops, An amount; Modifiers.
    """
    if amount.kind != codes.FACT_AMOUNT:
        return number(state, amount.number)
    return counted(state, fact_row(state, battle, amount.fact, side, piece, payload), amount.times, amount.per)


@kernel
def holds(state, battle, condition, side: int, piece: int, payload, mask):
    """Where a condition holds for a piece of a fighter; no condition always does."""
    if condition.step_count == 0:
        return mask
    return mask & asked(state, battle, condition, side, piece, payload)


@kernel_noinline
def asked(state, battle, condition, side: int, piece: int, payload):
    """Where a condition with steps holds."""
    top = rows.TRUTHS
    for place in range(condition.first_step, condition.first_step + condition.step_count):
        step = battle.steps[place]
        op = step.op
        if op == NOT:
            store_mask(state, top - 1, ~load_mask(state, top - 1))
        elif op == AND:
            top -= 1
            store_mask(state, top - 1, load_mask(state, top - 1) & load_mask(state, top))
        elif op == OR:
            top -= 1
            store_mask(state, top - 1, load_mask(state, top - 1) | load_mask(state, top))
        else:
            answer = no_lanes()
            if op == COMPARE or op == COMPARE_SLOTS:
                answer = step_holds(state, battle, condition, step, side, piece, payload)
            elif op == PUSH_TRUE:
                answer = ~answer
            store_mask(state, top, answer)
            top += 1
    return load_mask(state, rows.TRUTHS)


@kernel
def step_holds(state, battle, condition, step, side: int, piece: int, payload):
    """Where a comparison holds.

    Percentages compare exactly.
    """
    fact = battle.asks[condition.first_ask + step.subject].fact
    if fact == codes.HP_PCT or fact == codes.ENEMY_FACTS + codes.HP_PCT:
        # 100 * HP against the number * full HP, both moved up as far as HP is by being flipped, then signed.
        who = side if fact < codes.ENEMY_FACTS else 1 - side
        middle = splat_words(1 << 31)
        share = wide(flipped(state, value(state, who, codes.HP))) * splat_words(100) + middle
        whole = wide(value(state, who, codes.HP_MAX)) * splat_words(step.number & WORD_BITS)
        return compared(share, step.compare, whole + splat_words(100 * HIGHEST_BIT) + middle)
    row = fact_row(state, battle, fact, side, piece, payload)
    if step.op == COMPARE_SLOTS:
        other = battle.asks[condition.first_ask + step.number].fact
        return compared(
            flipped(state, row), step.compare, flipped(state, fact_row(state, battle, other, side, piece, payload))
        )
    if step.compare == MULTIPLE_OF:
        return is_multiple(state, row, step.number)
    bound = number(state, min(max(step.number, -_FAR), _FAR))
    return compared(flipped(state, row), step.compare, flipped(state, bound))


@kernel
def compared(one, compare: int, other):
    """Where two vectors have a relation."""
    if compare == LESS:
        return one < other
    if compare == AT_MOST:
        return one <= other
    if compare == MORE:
        return one > other
    if compare == AT_LEAST:
        return one >= other
    if compare == EQUAL:
        return one == other
    return one != other
