"""Reads facts in lanes and compares them: rules/condition_facts.py for 64 battles at once.

A share of HP is compared with a per cent by comparing HP with a bound, so nothing is multiplied in lanes. Only two
facts compared with each other are cross-multiplied, with 64 bits.

The rules: docs/reference/conditions.md; squads/README.md, Conditions.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import (
    AT_LEAST,
    AT_MOST,
    EQUAL,
    EVERY_UNIT,
    LESS,
    MORE,
    SCALAR,
)
from fracas.kernel.fact_table import FactKind
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.condition_logic import by_relation
from fracas.lanes.lane_state import truth
from fracas.lanes.operations import (
    load,
    no_lanes,
    select,
    splat,
    splat_words,
    widest,
)
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.condition_facts import FACTS, STATUSES, UNIT_FACTS, is_status
from fracas.rulesets.squads.rules.units import unit_at

# No number of lanes is as large.
BEYOND = (1 << 16) - 1


@kernel
def is_share(ask) -> bool:
    """Whether an ask is for a share of HP (README, Conditions, facts)."""
    answer: bool = ask.group == SCALAR and (
        ask.fact == codes.SELF_HP_PCT or (ask.fact >= codes.ALLIES_LOWEST and ask.fact <= codes.ENEMIES_HIGHEST)
    )
    return answer


@kernel
def compares(state, value, relation: int, number: int):
    """Where a value has a relation to a number. Conditions of squads know no `multiple_of`."""
    bound = splat(state, min(number, BEYOND))
    if relation == LESS:
        answer = value < bound
    elif relation == AT_MOST:
        answer = value <= bound
    elif relation == MORE:
        answer = value > bound
    elif relation == AT_LEAST:
        answer = value >= bound
    elif relation == EQUAL:
        answer = value == bound
    else:
        answer = value != bound
    return answer


@kernel
def share_compares(state, unit, relation: int, number: int):
    """Where a unit's share of its HP has a relation to a per cent: 100 * hp < number * max_hp is hp < a bound."""
    hp = load(state, rows.HP + unit.index)
    bound = number * unit.max_hp
    # No HP is above max_hp, whatever the number.
    is_below = hp < splat(state, min((bound + 99) // 100, unit.max_hp + 1))
    is_at_most = hp < splat(state, min(bound // 100, unit.max_hp) + 1)
    return by_relation(is_below, is_at_most, relation)


@kernel
def extreme_share_compares(state, battle, unit, fact: int, relation: int, number: int):
    """Where a side's lowest or highest share has a relation to a per cent.

    The lowest is below a number if any unit's is, the highest if every unit's is.
    """
    own = fact == codes.ALLIES_LOWEST or fact == codes.ALLIES_HIGHEST
    lowest = fact == codes.ALLIES_LOWEST or fact == codes.ENEMIES_LOWEST
    side = battle.sides[unit.side if own else 1 - unit.side]
    is_below, is_at_most = no_lanes(), no_lanes()
    for index in range(side.first, side.first + side.unit_count):
        other = unit_at(battle, index)
        lives = load(state, rows.HP + index) != splat(state, 0)
        below = share_compares(state, other, LESS, number)
        at_most = share_compares(state, other, AT_MOST, number)
        is_below = is_below | (lives & (below if lowest else ~below))
        is_at_most = is_at_most | (lives & (at_most if lowest else ~at_most))
    if not lowest:
        is_below, is_at_most = ~is_below, ~is_at_most
    return by_relation(is_below, is_at_most, relation)


@kernel
def living_allies(state, battle, unit) -> Any:
    """The living units of the own side, in lanes."""
    return load(state, rows.LIVING + unit.side)


@kernel
def living_enemies(state, battle, unit) -> Any:
    """The living units of the other side, in lanes."""
    return load(state, rows.LIVING + 1 - unit.side)


# Rows that hold a place in a list of the plan: not 0 where the rules' field is not, but another number.
_PLACES = {"attack_up", "attack_down"}


def _row(field: str, kind: FactKind) -> str:
    """How lanes read a field of a unit or of the battle: a number, or where it is not 0; empty if no row holds it."""
    owner, _, name = field.partition(".")
    if not hasattr(rows, name.upper()) or (name in _PLACES and kind is not FactKind.FLAG):
        return ""
    number = f"load(state, {getattr(rows, name.upper())}{' + unit.index' if owner == 'unit' else ''})"
    return f"({number} != splat(state, 0))" if kind is FactKind.FLAG else number


_SPREAD = "splat(state, {})"
_SCOPE = {"load": load, "splat": splat}
_NUMBERS = UNIT_FACTS.twin("read_number", "state, unit", _row, _SPREAD, _SCOPE, elsewhere=("hp_pct",))
_STATUSES = STATUSES.twin("read_status", "state, unit", _row, f"({_SPREAD} != splat(state, 0))", _SCOPE)
_SITUATION = FACTS.twin(
    "read_situational",
    "state, battle, unit",
    _row,
    _SPREAD,
    _SCOPE,
    {"allies.count": living_allies, "enemies.count": living_enemies},
    ("self.hp_pct", *(f"{side}.{end}_hp_pct" for side in ("allies", "enemies") for end in ("lowest", "highest"))),
)
read_number, numbers_leave_out = _NUMBERS.read, _NUMBERS.leaves_out
read_status, statuses_leave_out = _STATUSES.read, _STATUSES.leaves_out
read_situational, situation_leaves_out = _SITUATION.read, _SITUATION.leaves_out


@kernel
def asks_beyond_lanes(battle, order) -> bool:
    """Whether the condition of an order asks for a fact that lanes cannot read."""
    answer = False
    for place in range(order.first_ask, order.first_ask + order.ask_count):
        ask = battle.asks[place]
        if ask.group != SCALAR:
            answer |= statuses_leave_out(ask.fact) if is_status(ask.fact) else numbers_leave_out(ask.fact)
        elif ask.fact >= codes.SELF_STATUS_OFFSET:
            answer |= statuses_leave_out(ask.fact - codes.SELF_STATUS_OFFSET)
        else:
            answer |= situation_leaves_out(ask.fact)
    return answer


@kernel
def plain_fact(state, battle, unit, ask) -> Any:
    """A fact that is no share of HP, in lanes."""
    if ask.group != SCALAR:
        value = count_matching(state, battle, unit.side if ask.group == codes.ALLIES else 1 - unit.side, ask)
    elif ask.fact >= codes.SELF_STATUS_OFFSET:
        value = truth(state, has_status(state, unit, ask.fact - codes.SELF_STATUS_OFFSET))
    else:
        value = read_situational(state, battle, unit, ask.fact)
    return value


@kernel_noinline
def count_matching(state, battle, side_index: int, ask):
    """How many living units of a side match an ask."""
    side = battle.sides[side_index]
    count = splat(state, 0)
    if ask.fact == EVERY_UNIT:
        return load(state, rows.LIVING + side_index)
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if ask.fact == codes.UNIT_HP_PCT:
            matches = share_compares(state, unit, ask.compare, ask.number)
        elif is_status(ask.fact):
            matches = compares(state, truth(state, has_status(state, unit, ask.fact)), ask.compare, ask.number)
        else:
            matches = compares(state, read_number(state, unit, ask.fact), ask.compare, ask.number)
        matches = matches & (load(state, rows.HP + index) != splat(state, 0))
        count = count + truth(state, matches)
    return count


@kernel_noinline
def has_status(state, unit, status: int):
    """Where a unit has a status or is of a class."""
    if codes.FIRST_CLASS_FACT <= status < codes.FIRST_CLASS_FACT + codes.CLASS_COUNT:
        return ~no_lanes() if unit.role == status - codes.FIRST_CLASS_FACT else no_lanes()
    return read_status(state, unit, status)


@kernel
def fraction(state, battle, unit, ask) -> Any:
    """A fact as numerator and denominator, with 64 bits each."""
    one = widest(splat_words(1))
    if not is_share(ask):
        return widest(plain_fact(state, battle, unit, ask)), one
    if ask.fact == codes.SELF_HP_PCT:
        return share(state, unit)
    own = ask.fact == codes.ALLIES_LOWEST or ask.fact == codes.ALLIES_HIGHEST
    highest = ask.fact == codes.ALLIES_HIGHEST or ask.fact == codes.ENEMIES_HIGHEST
    side = battle.sides[unit.side if own else 1 - unit.side]
    found = no_lanes()
    best, best_of = one, one
    for index in range(side.first, side.first + side.unit_count):
        lives = load(state, rows.HP + index) != splat(state, 0)
        hp, hp_of = share(state, unit_at(battle, index))
        left, right = hp * best_of, best * hp_of
        is_better = left > right if highest else left < right
        chosen = lives & (~found | is_better)
        best, best_of = select(chosen, hp, best), select(chosen, hp_of, best_of)
        found = found | lives
    return best, best_of


@kernel
def share(state, unit) -> Any:
    """A unit's share of its HP as a fraction, with 64 bits."""
    hp = widest(load(state, rows.HP + unit.index))
    return hp * widest(splat_words(100)), widest(splat_words(unit.max_hp))


@kernel
def someone_is_hurt(state, battle, unit) -> Any:
    """Where a living ally, the unit included, is below the healer threshold.

    README, A turn, "Configured and unconfigured".
    """
    side = battle.sides[unit.side]
    answer = no_lanes()
    for index in range(side.first, side.first + side.unit_count):
        is_below = share_compares(state, unit_at(battle, index), LESS, battle.options.healer_threshold)
        answer = answer | (is_below & (load(state, rows.HP + index) != splat(state, 0)))
    return answer
