"""Encounters without a fight: traps, decisions, hazards, rest, puzzles. delve/README.md has a section of that name.

The rules: delve/README.md, Traps.
"""

from __future__ import annotations

from fracas.kernel.dice import between, open_address
from fracas.kernel.event_log import NOBODY
from fracas.kernel.integer_math import floor_div, percent
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.events import (
    emit_ambush,
    emit_check,
    emit_choice,
    emit_consequence,
    emit_harm,
    emit_option,
    emit_restore,
)
from fracas.rulesets.delve.rules.participants import participant_at
from fracas.rulesets.delve.rules.rolls import held_to_chance, roll_within
from fracas.rulesets.delve.rules.status_conditions import fall


@kernel
def resolve_trap(battle, encounter, log) -> int:
    """Resolve a trap: the most perceptive member may detect it; otherwise each member must avoid it or take damage.

    Changes: the members; battle.tick.
    """
    begin_step(battle, 0)
    scout = participant_at(battle, best_member(battle, codes.PERCEPTION))
    open_address(battle.dice, battle.tick, scout.index)
    if passes_check(battle, scout, codes.PERCEPTION, encounter.difficulty, log):
        return codes.VICTORY
    begin_step(battle, 1)
    caught = 0
    side = battle.sides[codes.PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0:
            open_address(battle.dice, battle.tick, member.index)
            check = (
                codes.ACROBATICS
                if member.checks[codes.ACROBATICS] >= member.checks[codes.ATHLETICS]
                else codes.ATHLETICS
            )
            if not passes_check(battle, member, check, encounter.avoid, log):
                caught += 1
                harm(battle, member, encounter.damage.low, encounter.damage.high, 1, log)
    return outcome_of_step(battle, caught == 0)


@kernel
def resolve_decision(battle, encounter, option: int, log) -> int:
    """Resolve a decision: the party takes the given option, or the one at which one of its members is best."""
    begin_step(battle, 0)
    chosen = best_option(battle, encounter) if option == NOBODY else option
    if log is not None:
        for index in range(encounter.option_count):
            member, check, value = best_at(battle, encounter, index)
            emit_option(log, battle.tick, member, index, check, value)
        member, check, value = best_at(battle, encounter, chosen)
        emit_choice(log, battle.tick, member, chosen, check, value)
    return try_option(battle, battle.decision_options[encounter.first_option + chosen], log)


@kernel
def resolve_hazard(battle, encounter, log) -> int:
    """Resolve a hazard: each member takes damage, half of it on a successful check.

    Changes: the members; battle.tick.
    """
    begin_step(battle, 0)
    failed = 0
    side = battle.sides[codes.PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0:
            open_address(battle.dice, battle.tick, member.index)
            passed = passes_check(battle, member, encounter.check, encounter.difficulty, log)
            if not passed:
                failed += 1
            harm(battle, member, encounter.damage.low, encounter.damage.high, 2 if passed else 1, log)
    return outcome_of_step(battle, failed == 0)


@kernel
def resolve_rest_point(battle, log) -> int:
    """Resolve a rest: every living member regains a quarter of its HP and of its resource.

    Changes: the members; battle.tick.
    """
    begin_step(battle, 0)
    side = battle.sides[codes.PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0:
            hp, resource = floor_div(member.max_hp, codes.REST_SHARE), floor_div(member.max_resource, codes.REST_SHARE)
            restore(battle, member, hp, resource, log)
    return codes.VICTORY


@kernel
def resolve_puzzle(battle, encounter, option: int, log) -> int:
    """Resolve a puzzle: the party uses the given check, or the one at which one of its members is best."""
    begin_step(battle, 0)
    chosen = best_option(battle, encounter) if option == NOBODY else option
    return try_option(battle, battle.decision_options[encounter.first_option + chosen], log)


@kernel
def begin_step(battle, step: int) -> None:
    """Begin a step of an encounter without a fight (README, Dice, the table of ticks)."""
    battle.tick = battle.encounter * codes.TICKS_PER_ENCOUNTER + codes.FIRST_STEP_TICK + step


@kernel
def outcome_of_step(battle, well: bool) -> int:
    """The outcome of an encounter without a fight."""
    if battle.sides[codes.PARTY].living == 0:
        return codes.PARTY_WIPE
    return codes.VICTORY if well else codes.SURVIVED


@kernel
def best_member(battle, check: int) -> int:
    """Find the living member who is best at a check, the lowest slot among equals; NOBODY if it needs no skill."""
    found = NOBODY
    if check != codes.NO_CHECK:
        side = battle.sides[codes.PARTY]
        for index in range(side.first, side.first + side.count):
            member = participant_at(battle, index)
            if member.hp > 0 and (
                found == NOBODY or member.checks[check] > participant_at(battle, found).checks[check]
            ):
                found = index
    return found


@kernel
def best_value(battle, check: int) -> int:
    """The value of the living member who is best at a check; 0 if it needs no skill."""
    return 0 if check == codes.NO_CHECK else participant_at(battle, best_member(battle, check)).checks[check]


@kernel_noinline
def best_option(battle, encounter) -> int:
    """Find the option, or a puzzle's check, with the highest best value, the first among equals."""
    chosen = 0
    most = -1
    for index in range(encounter.option_count):
        value = best_value(battle, battle.decision_options[encounter.first_option + index].check)
        if value > most:
            chosen = index
            most = value
    return chosen


@kernel_noinline
def best_at(battle, encounter, index: int) -> tuple[int, int, int]:
    """The member who is best at an option, the skill that it needs, and the member's value."""
    check = battle.decision_options[encounter.first_option + index].check
    return best_member(battle, check), check, best_value(battle, check)


@kernel_noinline
def try_option(battle, option, log) -> int:
    """Make the best member's check, if the option needs one, and apply the consequence."""
    success = True
    if option.check != codes.NO_CHECK:
        member = participant_at(battle, best_member(battle, option.check))
        open_address(battle.dice, battle.tick, member.index)
        success = passes_check(battle, member, option.check, option.difficulty, log)
    return bring_about(battle, option.success if success else option.failure, success, log)


@kernel
def bring_about(battle, consequence, success: bool, log) -> int:
    """Apply the consequence of a decision or a puzzle. An ambush is announced here and fought later.

    Changes: the members; the encounter's gold, loot rolls, skips, creatures met and loot table.
    """
    begin_step(battle, 1)
    if log is not None:
        well, gold, rolls, skip = 1 if success else 0, consequence.gold, consequence.loot_rolls, consequence.skip
        emit_consequence(log, battle.tick, well, gold, rolls, skip)
    side = battle.sides[codes.PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0 and consequence.heal > 0:
            restore(battle, member, percent(member.max_hp, consequence.heal), 0, log)
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0 and consequence.harms:
            open_address(battle.dice, battle.tick, member.index)
            harm(battle, member, consequence.damage.low, consequence.damage.high, 1, log)
    if side.living == 0:
        return codes.PARTY_WIPE
    battle.found_gold = consequence.gold
    battle.extra_rolls = consequence.loot_rolls
    battle.skip = consequence.skip
    if consequence.foe_count > 0:
        battle.fought_first = consequence.first_foe
        battle.fought_count = consequence.foe_count
        battle.table = consequence.table
        emit_ambush(log, battle.tick, consequence.foe_count)
    return outcome_of_step(battle, success)


@kernel_noinline
def passes_check(battle, member, check: int, difficulty: int, log) -> bool:
    """Make a member's check against a difficulty."""
    value = member.checks[check]
    chance = held_to_chance(codes.BASE_CHANCE + value - difficulty - battle.difficulty.check)
    roll = roll_within(battle.dice, chance)
    emit_check(log, battle.tick, member.number, check, value, roll, chance)
    return roll <= chance


@kernel_noinline
def harm(battle, member, low: int, high: int, divisor: int, log) -> None:
    """Damage a member outside combat; neither armor nor shield helps."""
    roll = between(battle.dice, low, high)
    damage = floor_div(roll, divisor)
    lost = min(damage, member.hp)
    member.hp -= lost
    emit_harm(log, battle.tick, member.number, roll, damage, lost, member.hp)
    if member.hp == 0:
        fall(battle, NOBODY, member, log)


@kernel_noinline
def restore(battle, member, hp: int, resource: int, log) -> None:
    """Restore a member's HP and resource outside combat, up to their maximums (README, "A consequence")."""
    restored = min(hp, member.max_hp - member.hp)
    gained = min(resource, member.max_resource - member.resource)
    member.hp += restored
    member.resource += gained
    emit_restore(log, battle.tick, member.number, restored, member.hp, gained, member.resource)
