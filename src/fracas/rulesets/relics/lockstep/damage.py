"""Packets of damage and heals in lanes: rules/effects/damage.py for 64 battles. relics/README.md, Changes."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, splat
from fracas.rulesets.relics.lockstep.agenda import has_listener, put, put_thresholds
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.modifiers import modified, modified_by_percent
from fracas.rulesets.relics.lockstep.quantity_changes import answer_where, is_quiet, mend, note_losses
from fracas.rulesets.relics.lockstep.signed_lanes import add_to_words, is_above_0, least, most, number
from fracas.rulesets.relics.lockstep.state import ABSORBED, DEALT, VALUES
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF
from fracas.rulesets.relics.rules.effects.damage import ABOUT_DEALING, ABOUT_HEALING, ABOUT_TAKING
from fracas.rulesets.relics.rules.effects.fast_path import ABOUT_LOSING
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING


@kernel
def packet(state, battle, target: int, amount, is_blow: int, to_armor: int, mask):
    """Apply a packet of damage; returns what it takes from ARMOR and HP together, also in other lanes."""
    is_from_enemy = state.actor == 1 - target
    amount = landing(state, battle, target, amount, is_blow == 1 and is_from_enemy)
    take(state, battle, target, amount, to_armor, is_from_enemy, mask)
    return amount


@kernel
def landing(state, battle, target: int, amount, is_enemys_blow: bool):
    """The size of a packet after all modifiers."""
    enemy = 1 - target
    amount = least(state, most(state, amount, splat(state, 0)), splat(state, codes.LARGEST))
    if is_enemys_blow and battle.builds[enemy & 1].holds & ABOUT_DEALING != 0:
        amount = modified(state, battle, enemy, codes.DAMAGE_DEALT, ANYTHING, amount)
        amount = modified_by_percent(state, battle, enemy, codes.DAMAGE_DEALT_PCT, amount)
    if battle.builds[target & 1].holds & ABOUT_TAKING != 0:
        amount = modified(state, battle, target, codes.DAMAGE_TAKEN, ANYTHING, amount)
        amount = modified_by_percent(state, battle, target, codes.DAMAGE_TAKEN_PCT, amount)
    return amount


@kernel_noinline
def take(state, battle, target: int, amount, to_armor: int, is_from_enemy: bool, mask) -> None:
    """Apply a packet whose size includes all modifiers; run its answers or put them on the agenda."""
    absorbed = splat(state, 0)
    if to_armor == 1:
        armor = value(state, target, codes.ARMOR)
        absorbed = least(state, armor, amount)
        change(state, VALUES + target * codes.VALUE_SLOTS + codes.ARMOR, mask, armor - absorbed)
        add_to_words(state, ABSORBED + target, mask, absorbed)
    lost = amount - absorbed
    left = most(state, value(state, target, codes.HP) - lost, number(state, codes.LEAST_HP))
    change(state, VALUES + target * codes.VALUE_SLOTS + codes.HP, mask, left)
    if is_from_enemy:
        add_to_words(state, DEALT + 1 - target, mask, amount)
    mask = mask & is_above_0(state, amount)
    if not any_lane(mask):
        return
    crosses = note_losses(state, target, absorbed, lost, mask)
    is_quick = is_quiet(state, battle, target, ABOUT_LOSING)
    if is_quick and not has_listener(battle, 1 - target, codes.DAMAGE_OUTSIDE_STRIKES):
        if state.deferring == 0:
            put_thresholds(state, battle, target, crosses)
        answer_where(state, battle, target, codes.ARMOR_LOST, absorbed, mask & is_above_0(state, absorbed))
        answer_where(state, battle, target, codes.HP_LOST, lost, mask & is_above_0(state, lost))
        if is_from_enemy and state.marked == 0:
            answer_where(state, battle, target, codes.ON_DAMAGED, amount, mask)
    else:
        if state.deferring == 0:
            put_thresholds(state, battle, target, mask)
        if is_from_enemy and state.source != codes.BY_STRIKE:
            put(state, battle, 1 - target, codes.DAMAGE_OUTSIDE_STRIKES, amount, NOTHING_OF, mask)
        if is_from_enemy and state.marked == 0:
            put(state, battle, target, codes.ON_DAMAGED, amount, NOTHING_OF, mask)
        put(state, battle, target, codes.HP_LOST, lost, NOTHING_OF, mask & is_above_0(state, lost))
        put(state, battle, target, codes.ARMOR_LOST, absorbed, NOTHING_OF, mask & is_above_0(state, absorbed))


@kernel
def heal(state, battle, target: int, amount, mask):
    """Heal a fighter, at most to full HP, with its modifiers; returns the HP healed, 0 in other lanes."""
    mask = mask & is_above_0(state, amount)
    if battle.builds[target & 1].holds & ABOUT_HEALING != 0:
        amount = modified(state, battle, target, codes.HEALING, ANYTHING, amount)
        amount = modified_by_percent(state, battle, target, codes.HEALING_PCT, amount)
    return mend(state, battle, target, amount, mask)
