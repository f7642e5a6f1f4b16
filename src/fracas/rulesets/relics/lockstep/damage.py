"""Packets of damage and heals in lanes: rules/effects/damage.py for 64 battles."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, splat
from fracas.rulesets.relics.lockstep.agenda import has_listener, put, put_thresholds
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.modifiers import modified, modified_by_percent
from fracas.rulesets.relics.lockstep.quantity_changes import answer_where, is_quiet, mend, note_losses
from fracas.rulesets.relics.lockstep.signed_lanes import add_to_words, is_above_0, least, most, number
from fracas.rulesets.relics.lockstep.state import ABSORBED, DEALT, VALUES
from fracas.rulesets.relics.rules.constants import (
    ARMOR,
    ARMOR_LOST,
    BY_STRIKE,
    DAMAGE_DEALT,
    DAMAGE_DEALT_PCT,
    DAMAGE_OUTSIDE_STRIKES,
    DAMAGE_TAKEN,
    DAMAGE_TAKEN_PCT,
    HEALING,
    HEALING_PCT,
    HP,
    HP_LOST,
    LARGEST,
    LEAST_HP,
    ON_DAMAGED,
    VALUE_SLOTS,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF
from fracas.rulesets.relics.rules.effects.damage import ABOUT_DEALING, ABOUT_HEALING, ABOUT_TAKING
from fracas.rulesets.relics.rules.effects.fast_path import ABOUT_LOSING
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING


@kernel
def packet(state: Any, battle: Any, target: int, amount: Any, is_blow: int, to_armor: int, mask: Any) -> Any:
    """Apply a packet of damage; returns what it takes from ARMOR and HP together, also in other lanes.

    Rule:    relics/README.md, Changes, A packet.
    Changes: the target's ARMOR, HP and marks; sums; the agenda.
    Draws:   as the effects that answer at once.
    Emits:   nothing.
    """
    is_from_enemy = state.actor == 1 - target
    amount = landing(state, battle, target, amount, is_blow == 1 and is_from_enemy)
    take(state, battle, target, amount, to_armor, is_from_enemy, mask)
    return amount


@kernel
def landing(state: Any, battle: Any, target: int, amount: Any, is_enemys_blow: bool) -> Any:
    """The size of a packet after all modifiers.

    Rule:    relics/README.md, Changes, A packet, steps 1 and 2.
    Changes: as asked.
    Draws:   none.
    Emits:   nothing.
    """
    enemy = 1 - target
    amount = least(state, most(state, amount, splat(state, 0)), splat(state, LARGEST))
    if is_enemys_blow and battle.builds[enemy & 1].holds & ABOUT_DEALING != 0:
        amount = modified(state, battle, enemy, DAMAGE_DEALT, ANYTHING, amount)
        amount = modified_by_percent(state, battle, enemy, DAMAGE_DEALT_PCT, amount)
    if battle.builds[target & 1].holds & ABOUT_TAKING != 0:
        amount = modified(state, battle, target, DAMAGE_TAKEN, ANYTHING, amount)
        amount = modified_by_percent(state, battle, target, DAMAGE_TAKEN_PCT, amount)
    return amount


@kernel_noinline
def take(state: Any, battle: Any, target: int, amount: Any, to_armor: int, is_from_enemy: bool, mask: Any) -> None:
    """Apply a packet whose size includes all modifiers; run its answers or put them on the agenda.

    Rule:    relics/README.md, Changes, A packet, steps 3 and 4.
    Changes: the target's ARMOR, HP and marks; sums; the agenda.
    Draws:   as the effects that answer at once.
    Emits:   nothing.
    """
    absorbed = splat(state, 0)
    if to_armor == 1:
        armor = value(state, target, ARMOR)
        absorbed = least(state, armor, amount)
        change(state, VALUES + target * VALUE_SLOTS + ARMOR, mask, armor - absorbed)
        add_to_words(state, ABSORBED + target, mask, absorbed)
    lost = amount - absorbed
    left = most(state, value(state, target, HP) - lost, number(state, LEAST_HP))
    change(state, VALUES + target * VALUE_SLOTS + HP, mask, left)
    if is_from_enemy:
        add_to_words(state, DEALT + 1 - target, mask, amount)
    mask = mask & is_above_0(state, amount)
    if not any_lane(mask):
        return
    crosses = note_losses(state, target, absorbed, lost, mask)
    is_quick = is_quiet(state, battle, target, ABOUT_LOSING)
    if is_quick and not has_listener(battle, 1 - target, DAMAGE_OUTSIDE_STRIKES):
        if state.deferring == 0:
            put_thresholds(state, battle, target, crosses)
        answer_where(state, battle, target, ARMOR_LOST, absorbed, mask & is_above_0(state, absorbed))
        answer_where(state, battle, target, HP_LOST, lost, mask & is_above_0(state, lost))
        if is_from_enemy and state.marked == 0:
            answer_where(state, battle, target, ON_DAMAGED, amount, mask)
    else:
        if state.deferring == 0:
            put_thresholds(state, battle, target, mask)
        if is_from_enemy and state.source != BY_STRIKE:
            put(state, battle, 1 - target, DAMAGE_OUTSIDE_STRIKES, amount, NOTHING_OF, mask)
        if is_from_enemy and state.marked == 0:
            put(state, battle, target, ON_DAMAGED, amount, NOTHING_OF, mask)
        put(state, battle, target, HP_LOST, lost, NOTHING_OF, mask & is_above_0(state, lost))
        put(state, battle, target, ARMOR_LOST, absorbed, NOTHING_OF, mask & is_above_0(state, absorbed))


@kernel
def heal(state: Any, battle: Any, target: int, amount: Any, mask: Any) -> Any:
    """Heal a fighter, at most to full HP, with its modifiers; returns the HP healed, 0 in other lanes.

    Rule:    relics/README.md, Changes, A heal.
    Changes: the target's HP; sums; the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    mask = mask & is_above_0(state, amount)
    if battle.builds[target & 1].holds & ABOUT_HEALING != 0:
        amount = modified(state, battle, target, HEALING, ANYTHING, amount)
        amount = modified_by_percent(state, battle, target, HEALING_PCT, amount)
    return mend(state, battle, target, amount, mask)
