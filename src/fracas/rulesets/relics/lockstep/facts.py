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
from fracas.kernel.fact_table import FactKind
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
from fracas.rulesets.relics.rules.condition_facts import BATTLE_FACTS, FIGHTER_FACTS

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
    for index in range(1, build.phase_count):
        start = build.phases[index & _PHASE_MASK].start
        base = select(phase == splat(state, index + 1), number(state, start[quantity & codes.QUANTITY_MASK]), base)
    return base


@kernel
def hp_missing(state, battle, side: int):
    """A fighter's full HP less its HP."""
    return most(state, splat(state, 0), value(state, side, codes.HP_MAX) - value(state, side, codes.HP))


@kernel
def base_attack(state, battle, side: int):
    """A fighter's base ATK."""
    return base_of(state, battle, side, codes.ATTACK)


@kernel
def base_armor(state, battle, side: int):
    """A fighter's base ARMOR."""
    return base_of(state, battle, side, codes.ARMOR)


@kernel
def base_speed(state, battle, side: int):
    """A fighter's base SPEED."""
    return base_of(state, battle, side, codes.SPEED)


@kernel
def is_faster(state, battle, side: int):
    """Where a fighter has more SPEED than the other."""
    return truth(state, is_less(state, value(state, 1 - side, codes.SPEED), value(state, side, codes.SPEED)))


@kernel
def counter(state, battle, side: int, piece: int, payload):
    """The piece's counter."""
    return load(state, rows.COUNTERS + (piece & codes.PIECE_MASK))


@kernel
def is_first_turn(state, battle, side: int, piece: int, payload):
    """Where the owner has had exactly one turn."""
    return truth(state, load(state, rows.OWN_TURN + side) == splat(state, 1))


@kernel
def is_own_turn(state, battle, side: int, piece: int, payload):
    """Whether it is the owner's turn."""
    return splat(state, 1 if state.active == side else 0)


# Fields that are masks in lanes.
_MASKS = {"struck": rows.STRUCK, "reflected": rows.REFLECTED, "exposed": rows.IS_EXPOSED, "wounded": rows.IS_WOUNDED}


def _row(field: str, _: FactKind) -> str:
    """How lanes read a field of a fighter or of the battle; empty if no row holds it."""
    # The payload is in lanes already.
    owner, dot, name = field.rpartition(".")
    if not dot:
        return field
    if name in _MASKS:
        return f"truth(state, load_mask(state, {_MASKS[name]} + side))"
    if name.upper() not in vars(rows):
        return ""
    return f"load(state, {getattr(rows, name.upper())}{'' if owner == 'battle' else ' + side'})"


_SPREAD = "splat(state, {})"
_SCOPE = {"load": load, "load_mask": load_mask, "splat": splat, "truth": truth}
_FIGHTER = FIGHTER_FACTS.twin(
    "fighter_fact",
    "state, battle, side",
    _row,
    _SPREAD,
    _SCOPE,
    {
        "hp_missing": hp_missing,
        "base_attack": base_attack,
        "base_armor": base_armor,
        "base_speed": base_speed,
        "faster": is_faster,
    },
    ("hp_pct",),
)
_BATTLE = BATTLE_FACTS.twin(
    "battle_fact",
    "state, battle, side, piece, payload",
    _row,
    _SPREAD,
    _SCOPE,
    {"counter": counter, "first_turn": is_first_turn, "is_own_turn": is_own_turn},
)
fighter_fact, fighter_leaves_out = _FIGHTER.read, _FIGHTER.leaves_out
battle_fact, battle_leaves_out = _BATTLE.read, _BATTLE.leaves_out


@kernel
def is_beyond_lanes(fact: int) -> bool:
    """Whether lanes cannot read a fact, of the battle or of either fighter."""
    if fact >= 2 * codes.ENEMY_FACTS:
        answer: bool = battle_leaves_out(fact)
    else:
        answer = fighter_leaves_out(fact & (codes.ENEMY_FACTS - 1))
    return answer


@kernel_noinline
def fact_row(state, battle, fact: int, side: int, piece: int, payload):
    """A fact as a plain number; true is 1."""
    if fact >= codes.FIRST_TAG_FACT:
        return splat(state, battle.builds[side & 1].tags[(fact - codes.FIRST_TAG_FACT) % codes.TAG_SLOTS])
    if fact >= 2 * codes.ENEMY_FACTS:
        return battle_fact(state, battle, side, piece, payload, fact)
    who = side if fact < codes.ENEMY_FACTS else 1 - side
    what = fact & (codes.ENEMY_FACTS - 1)
    if what < codes.VALUE_SLOTS:
        return value(state, who, what)
    return fighter_fact(state, battle, who, what)


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
    for index in range(condition.first_step, condition.first_step + condition.step_count):
        step = battle.steps[index]
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
