"""Facts, amounts and conditions in lanes, as a piece's owner sees them: rules/condition_facts.py for 64 battles."""

from __future__ import annotations

from typing import Any

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
from fracas.rulesets.relics.lockstep.state import (
    COUNTERS,
    IS_EXPOSED,
    IS_WOUNDED,
    OWN_TURN,
    PHASE,
    STRIKE,
    STRIKES_MADE,
    STRUCK,
    TRUTHS,
    TURN,
    VALUES,
)
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
    MAX_ITEMS,
    MAX_PHASES,
    PAYLOAD,
    PHASE_NUMBER,
    PIECE_MASK,
    QUANTITY_MASK,
    SPEED,
    STRIKE_NUMBER,
    STRUCK_FACT,
    TAG_SLOTS,
    TURN_NUMBER,
    VALUE_SLOTS,
    WAS_EXPOSED,
    WAS_WOUNDED,
)
from fracas.rulesets.relics.rules.constants import OWN_TURN as OWN_TURN_FACT
from fracas.rulesets.relics.rules.constants import STRIKES_MADE as STRIKES_MADE_FACT

_PHASE_MASK = MAX_PHASES - 1
# No fact is as large; numbers in conditions beyond it are as good as it.
_FAR = 32_000


@kernel
def value(state: Any, side: int, quantity: int) -> Any:
    """A quantity of a fighter.

    Rule:    relics/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return load(state, VALUES + (side & 1) * VALUE_SLOTS + (quantity & QUANTITY_MASK))


@kernel_noinline
def base_of(state: Any, battle: Any, side: int, quantity: int) -> Any:
    """The base value of a quantity, in the fighter's current phase.

    Rule:    relics/README.md, Builds, Stats at the start; Death check, A phase.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    build = battle.builds[side & 1]
    base = number(state, build.phases[0].start[quantity & QUANTITY_MASK])
    phase = load(state, PHASE + side)
    for place in range(1, build.phase_count):
        start = build.phases[place & _PHASE_MASK].start
        base = select(phase == splat(state, place + 1), number(state, start[quantity & QUANTITY_MASK]), base)
    return base


@kernel_noinline
def fact_row(state: Any, battle: Any, fact: int, side: int, piece: int, payload: Any) -> Any:
    """A fact as a plain number; true is 1.

    Rule:    relics/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact >= FIRST_TAG_FACT:
        return splat(state, battle.builds[side & 1].tags[(fact - FIRST_TAG_FACT) % TAG_SLOTS])
    if fact >= 2 * ENEMY_FACTS:
        return battle_fact(state, fact, side, piece, payload)
    who = side if fact < ENEMY_FACTS else 1 - side
    return fighter_fact(state, battle, fact & (ENEMY_FACTS - 1), who)


@kernel
def battle_fact(state: Any, fact: int, side: int, piece: int, payload: Any) -> Any:
    """A fact about the battle or the piece.

    Rule:    relics/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact == TURN_NUMBER:
        return load(state, TURN)
    if fact == STRIKE_NUMBER:
        return load(state, STRIKE)
    if fact == PAYLOAD:
        return payload
    if fact == COUNTER:
        return load(state, COUNTERS + (piece & PIECE_MASK))
    if fact == IS_FIRST_TURN:
        return truth(state, load(state, OWN_TURN + side) == splat(state, 1))
    if fact == IS_OWN_TURN:
        return splat(state, 1 if state.active == side else 0)
    return splat(state, 0)


@kernel
def fighter_fact(state: Any, battle: Any, fact: int, side: int) -> Any:
    """A fact about a fighter.

    Rule:    relics/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact < VALUE_SLOTS:
        return value(state, side, fact)
    if fact == HP_MISSING:
        return most(state, splat(state, 0), value(state, side, HP_MAX) - value(state, side, HP))
    if BASE_ATTACK_FACT <= fact <= BASE_SPEED_FACT:
        quantity = ATTACK if fact == BASE_ATTACK_FACT else SPEED
        return base_of(state, battle, side, ARMOR if fact == BASE_ARMOR_FACT else quantity)
    if fact == STRUCK_FACT:
        return truth(state, load_mask(state, STRUCK + side))
    if fact == WAS_EXPOSED:
        return truth(state, load_mask(state, IS_EXPOSED + side))
    if fact == WAS_WOUNDED:
        return truth(state, load_mask(state, IS_WOUNDED + side))
    if fact == ITEM_COUNT:
        return splat(state, battle.builds[side & 1].item_count)
    if fact == EMPTY_SLOTS:
        return splat(state, MAX_ITEMS - battle.builds[side & 1].item_count)
    if fact == PHASE_NUMBER:
        return load(state, PHASE + side)
    if fact == STRIKES_MADE_FACT:
        return load(state, STRIKES_MADE + side)
    if fact == OWN_TURN_FACT:
        return load(state, OWN_TURN + side)
    if fact == IS_FASTER:
        return truth(state, is_less(state, value(state, 1 - side, SPEED), value(state, side, SPEED)))
    return splat(state, 0)


@kernel
def amount_of(state: Any, battle: Any, amount: Any, side: int, piece: int, payload: Any) -> Any:
    """An amount in the current situation, limited to the range of numbers; may be negative.

    Rule:    relics/README.md, Ops, An amount; Modifiers.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if amount.kind != FACT_AMOUNT:
        return number(state, amount.number)
    return counted(state, fact_row(state, battle, amount.fact, side, piece, payload), amount.times, amount.per)


@kernel
def holds(state: Any, battle: Any, condition: Any, side: int, piece: int, payload: Any, mask: Any) -> Any:
    """Where a condition holds for a piece of a fighter; no condition always does.

    Rule:    relics/README.md, Conditions.
    Changes: TRUTHS.
    Draws:   none.
    Emits:   nothing.
    """
    if condition.step_count == 0:
        return mask
    return mask & asked(state, battle, condition, side, piece, payload)


@kernel_noinline
def asked(state: Any, battle: Any, condition: Any, side: int, piece: int, payload: Any) -> Any:
    """Where a condition with steps holds.

    Rule:    relics/README.md, Conditions; docs/reference/conditions.md.
    Changes: TRUTHS.
    Draws:   none.
    Emits:   nothing.
    """
    top = TRUTHS
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
    return load_mask(state, TRUTHS)


@kernel
def step_holds(state: Any, battle: Any, condition: Any, step: Any, side: int, piece: int, payload: Any) -> Any:
    """Where a comparison holds.

    Rule:    docs/reference/conditions.md (percentages compare exactly).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    fact = battle.asks[condition.first_ask + step.subject].fact
    if fact == HP_PCT or fact == ENEMY_FACTS + HP_PCT:
        # 100 * HP against the number * full HP, both moved up as far as HP is by being flipped, then signed.
        who = side if fact < ENEMY_FACTS else 1 - side
        middle = splat_words(1 << 31)
        share = wide(flipped(state, value(state, who, HP))) * splat_words(100) + middle
        whole = wide(value(state, who, HP_MAX)) * splat_words(step.number & WORD_BITS)
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
def compared(one: Any, compare: int, other: Any) -> Any:
    """Where two vectors have a relation.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
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
