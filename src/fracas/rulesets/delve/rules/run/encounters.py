"""Encounters without a fight: traps, decisions, hazards, rest, puzzles. delve/README.md has a section of that name."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import between, open_address
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.integer_math import floor_div, percent
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.delve.rules.constants import (
    ACROBATICS,
    AMBUSH_EVENT,
    ATHLETICS,
    BASE_CHANCE,
    CHECK_EVENT,
    CHOICE_EVENT,
    CONSEQUENCE_EVENT,
    FIRST_STEP_TICK,
    HARM_EVENT,
    NO_CHECK,
    OPTION_EVENT,
    PARTY,
    PARTY_WIPE,
    PERCEPTION,
    REST_SHARE,
    RESTORE_EVENT,
    SURVIVED,
    TICKS_PER_ENCOUNTER,
    VICTORY,
)
from fracas.rulesets.delve.rules.participants import participant_at
from fracas.rulesets.delve.rules.rolls import held_to_chance, roll_within
from fracas.rulesets.delve.rules.status_conditions import fall


@kernel
def resolve_trap(battle: Any, encounter: Any, log: Any) -> int:
    """Resolve a trap: the most perceptive member may detect it; otherwise each member must avoid it or take damage.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: trap.
    Changes: the members; battle.tick.
    Draws:   as passes_check from (step 0, slot of the best member); if that fails, for each living member from (step 1,
             its slot) as passes_check and, on failure, as suffer.
    Emits:   CHECK; for each member CHECK, HARM, FALL.
    """
    begin_step(battle, 0)
    scout = participant_at(battle, best_member(battle, PERCEPTION))
    open_address(battle.dice, battle.tick, scout.index)
    if passes_check(battle, scout, PERCEPTION, encounter.difficulty, log):
        return VICTORY
    begin_step(battle, 1)
    caught = 0
    side = battle.sides[PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0:
            open_address(battle.dice, battle.tick, member.index)
            check = ACROBATICS if member.checks[ACROBATICS] >= member.checks[ATHLETICS] else ATHLETICS
            if not passes_check(battle, member, check, encounter.avoid, log):
                caught += 1
                suffer(battle, member, encounter.damage.low, encounter.damage.high, 1, log)
    return outcome_of_step(battle, caught == 0)


@kernel
def resolve_decision(battle: Any, encounter: Any, option: int, log: Any) -> int:
    """Resolve a decision: the party takes the given option, or the one at which one of its members is best.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: decision.
    Changes: the battle.
    Draws:   as try_option.
    Emits:   OPTION for each option, CHOICE, then as try_option.
    """
    begin_step(battle, 0)
    chosen = best_option(battle, encounter) if option == NOBODY else option
    if log is not None:
        for place in range(encounter.option_count):
            tell_option(battle, encounter, OPTION_EVENT, place, log)
        tell_option(battle, encounter, CHOICE_EVENT, chosen, log)
    return try_option(battle, battle.decision_options[encounter.first_option + chosen], log)


@kernel
def resolve_hazard(battle: Any, encounter: Any, log: Any) -> int:
    """Resolve a hazard: each member takes damage, half of it on a successful check.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: hazard.
    Changes: the members; battle.tick.
    Draws:   for each living member from (step 0, its slot): as passes_check, then as suffer.
    Emits:   for each member CHECK, HARM, FALL.
    """
    begin_step(battle, 0)
    failed = 0
    side = battle.sides[PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0:
            open_address(battle.dice, battle.tick, member.index)
            passed = passes_check(battle, member, encounter.check, encounter.difficulty, log)
            if not passed:
                failed += 1
            suffer(battle, member, encounter.damage.low, encounter.damage.high, 2 if passed else 1, log)
    return outcome_of_step(battle, failed == 0)


@kernel
def resolve_rest_point(battle: Any, log: Any) -> int:
    """Resolve a rest: every living member regains a quarter of its HP and of its resource.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: rest.
    Changes: the members; battle.tick.
    Draws:   none.
    Emits:   RESTORE for each living member.
    """
    begin_step(battle, 0)
    side = battle.sides[PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0:
            hp, resource = floor_div(member.max_hp, REST_SHARE), floor_div(member.max_resource, REST_SHARE)
            restore(battle, member, hp, resource, log)
    return VICTORY


@kernel
def resolve_puzzle(battle: Any, encounter: Any, option: int, log: Any) -> int:
    """Resolve a puzzle: the party uses the given check, or the one at which one of its members is best.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: puzzle.
    Changes: the battle.
    Draws:   as try_option.
    Emits:   as try_option.
    """
    begin_step(battle, 0)
    chosen = best_option(battle, encounter) if option == NOBODY else option
    return try_option(battle, battle.decision_options[encounter.first_option + chosen], log)


@kernel
def begin_step(battle: Any, step: int) -> None:
    """Begin a step of an encounter without a fight.

    Rule:    delve/README.md, Dice, the table of ticks.
    Changes: battle.tick.
    Draws:   none.
    Emits:   nothing.
    """
    battle.tick = battle.encounter * TICKS_PER_ENCOUNTER + FIRST_STEP_TICK + step


@kernel
def outcome_of_step(battle: Any, well: bool) -> int:
    """The outcome of an encounter without a fight.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.sides[PARTY].living == 0:
        return PARTY_WIPE
    return VICTORY if well else SURVIVED


@kernel
def best_member(battle: Any, check: int) -> int:
    """Find the living member who is best at a check, the lowest slot among equals; NOBODY if it needs no skill.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles, "best member".
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    found = NOBODY
    if check != NO_CHECK:
        side = battle.sides[PARTY]
        for index in range(side.first, side.first + side.count):
            member = participant_at(battle, index)
            if member.hp > 0 and (
                found == NOBODY or member.checks[check] > participant_at(battle, found).checks[check]
            ):
                found = index
    return found


@kernel
def best_value(battle: Any, check: int) -> int:
    """The value of the living member who is best at a check; 0 if it needs no skill.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: decision.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 0 if check == NO_CHECK else participant_at(battle, best_member(battle, check)).checks[check]


@kernel_noinline
def best_option(battle: Any, encounter: Any) -> int:
    """Find the option, or a puzzle's check, with the highest best value, the first among equals.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: decision, puzzle.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    chosen = 0
    most = -1
    for place in range(encounter.option_count):
        value = best_value(battle, battle.decision_options[encounter.first_option + place].check)
        if value > most:
            chosen = place
            most = value
    return chosen


@kernel_noinline
def tell_option(battle: Any, encounter: Any, kind: int, place: int, log: Any) -> None:
    """Log who is best at an option.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: decision.
    Changes: nothing.
    Draws:   none.
    Emits:   OPTION or CHOICE.
    """
    check = battle.decision_options[encounter.first_option + place].check
    value, member = best_value(battle, check), best_member(battle, check)
    emit(log, battle.tick, kind, member, NOBODY, place, check, value, 0)


@kernel_noinline
def try_option(battle: Any, option: Any, log: Any) -> int:
    """Make the best member's check, if the option needs one, and apply the consequence.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: decision, puzzle.
    Changes: the battle.
    Draws:   as passes_check from (step 0, slot of the best member); then as bring_about.
    Emits:   CHECK, then as bring_about.
    """
    success = True
    if option.check != NO_CHECK:
        member = participant_at(battle, best_member(battle, option.check))
        open_address(battle.dice, battle.tick, member.index)
        success = passes_check(battle, member, option.check, option.difficulty, log)
    return bring_about(battle, option.success if success else option.failure, success, log)


@kernel
def bring_about(battle: Any, consequence: Any, success: bool, log: Any) -> int:
    """Apply the consequence of a decision or a puzzle. An ambush is announced here and fought later.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles, "A consequence".
    Changes: the members; the encounter's gold, loot rolls, skips, creatures met and loot table.
    Draws:   for each living member between(min, max) from (step 1, its slot), if there is damage.
    Emits:   CONSEQUENCE, RESTORE, HARM, FALL, AMBUSH.
    """
    begin_step(battle, 1)
    if log is not None:
        well, gold, rolls, skip = 1 if success else 0, consequence.gold, consequence.loot_rolls, consequence.skip
        emit(log, battle.tick, CONSEQUENCE_EVENT, NOBODY, NOBODY, well, gold, rolls, skip)
    side = battle.sides[PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0 and consequence.heal > 0:
            restore(battle, member, percent(member.max_hp, consequence.heal), 0, log)
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0 and consequence.harms:
            open_address(battle.dice, battle.tick, member.index)
            suffer(battle, member, consequence.damage.low, consequence.damage.high, 1, log)
    if side.living == 0:
        return PARTY_WIPE
    battle.found_gold = consequence.gold
    battle.extra_rolls = consequence.loot_rolls
    battle.skip = consequence.skip
    if consequence.foe_count > 0:
        battle.fought_first = consequence.first_foe
        battle.fought_count = consequence.foe_count
        battle.table = consequence.table
        if log is not None:
            emit(log, battle.tick, AMBUSH_EVENT, NOBODY, NOBODY, consequence.foe_count, 0, 0, 0)
    return outcome_of_step(battle, success)


@kernel_noinline
def passes_check(battle: Any, member: Any, check: int, difficulty: int, log: Any) -> bool:
    """Make a member's check against a difficulty.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles, "A check".
    Changes: nothing.
    Draws:   d100().
    Emits:   CHECK.
    """
    value = member.checks[check]
    chance = held_to_chance(BASE_CHANCE + value - difficulty - battle.difficulty.check)
    roll = roll_within(battle.dice, chance)
    if log is not None:
        emit(log, battle.tick, CHECK_EVENT, member.number, NOBODY, check, value, roll, chance)
    return roll <= chance


@kernel_noinline
def suffer(battle: Any, member: Any, low: int, high: int, divisor: int, log: Any) -> None:
    """Damage a member outside combat; neither armor nor shield helps.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles.
    Changes: the member.
    Draws:   between(low, high).
    Emits:   HARM, FALL.
    """
    roll = between(battle.dice, low, high)
    damage = floor_div(roll, divisor)
    lost = min(damage, member.hp)
    member.hp -= lost
    if log is not None:
        emit(log, battle.tick, HARM_EVENT, NOBODY, member.number, roll, damage, lost, member.hp)
    if member.hp == 0:
        fall(battle, NOBODY, member, log)


@kernel_noinline
def restore(battle: Any, member: Any, hp: int, resource: int, log: Any) -> None:
    """Restore a member's HP and resource outside combat, up to their maximums.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles: rest; "A consequence".
    Changes: the member.
    Draws:   none.
    Emits:   RESTORE.
    """
    restored = min(hp, member.max_hp - member.hp)
    gained = min(resource, member.max_resource - member.resource)
    member.hp += restored
    member.resource += gained
    if log is not None:
        emit(log, battle.tick, RESTORE_EVENT, NOBODY, member.number, restored, member.hp, gained, member.resource)
