"""The rules of a run, or of a lone encounter, in the order of play. delve/README.md, A run."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import between, open_address
from fracas.kernel.enumerating_dice import dispatch_on_dice
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.integer_math import clamp, floor_div, percent
from fracas.kernel.jit import kernel
from fracas.kernel.networks import has_network
from fracas.rulesets.delve.rules.combat import resolve_combat_encounter
from fracas.rulesets.delve.rules.constants import (
    AT_OPTION,
    BY_ENCOUNTER,
    BY_EXTRA_ROLL,
    COMBAT,
    COMPLETED,
    DECISION,
    DRAW,
    DUNGEON,
    ENCOUNTER_END_EVENT,
    ENCOUNTER_EVENT,
    FIRST_EXTRA_LANE,
    FIRST_OPTION,
    FLED,
    GOLD_LANE,
    HAZARD,
    LONE_ENCOUNTER,
    LOOT_LANE,
    OUTCOME_EVENT,
    PARTY,
    PARTY_WIPE,
    PUZZLE,
    REST,
    REWARD_EVENT,
    REWARD_TICK,
    SIDE_SLOTS,
    SPOILS_EVENT,
    START_EVENT,
    SURVIVED,
    TICKS_PER_ENCOUNTER,
    TRAP,
    UNDECIDED,
    VICTORY,
)
from fracas.rulesets.delve.rules.participants import hp_left, participant_at
from fracas.rulesets.delve.rules.run.encounters import (
    resolve_decision,
    resolve_hazard,
    resolve_puzzle,
    resolve_rest_point,
    resolve_trap,
)
from fracas.rulesets.delve.rules.run.loot import open_chest, roll_loot
from fracas.rulesets.delve.rules.status_conditions import forget_conditions
from fracas.rulesets.delve.rules.trained import trained_action


@kernel
def resolve_run(battle: Any, log: Any) -> None:
    """Play encounters until the last is passed or the party fails; a lone encounter is the first and last.

    Rule:    delve/README.md, A run.
    Changes: the battle.
    Draws:   as resolve_encounter and move_on.
    Emits:   as the functions below, in their order.
    """
    set_out(battle, log)
    while battle.reason == UNDECIDED:
        resolve_encounter(battle, log)
        move_on(battle, log)
    announce_outcome(battle, log)


@kernel
def set_out(battle: Any, log: Any) -> None:
    """Start a run: the party is at full HP and carries nothing.

    Rule:    delve/README.md, A run, step 1.
    Changes: everything that a battle changes.
    Draws:   none.
    Emits:   START.
    """
    battle.tick = 0
    battle.winner = DRAW
    battle.reason = UNDECIDED
    battle.encounter = 0
    battle.rounds = 0
    battle.passed = 0
    battle.survived_fights = 0
    battle.last_killer = NOBODY
    lose_everything(battle)
    for place in range(battle.counted_skills):
        battle.skill_damage[place] = 0
    for place in range(battle.counted_slots):
        battle.slot_uses[place] = 0
    side = battle.sides[PARTY]
    side.living = side.count
    battle.sides[DUNGEON].count = 0
    battle.sides[DUNGEON].living = 0
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        member.hp = member.max_hp
        member.resource = percent(member.max_resource, member.start_pct)
        member.xp = 0
        forget_conditions(member)
    if log is not None:
        journey, encounters, flee_below = battle.journey, battle.encounter_count, battle.options.flee_below
        emit(log, 0, START_EVENT, NOBODY, NOBODY, journey, side.count, encounters, flee_below)


@kernel
def lose_everything(battle: Any) -> None:
    """Take away everything that the party has collected.

    Rule:    delve/README.md, End.
    Changes: battle.xp, battle.gold, battle.drop_count; the members' XP.
    Draws:   none.
    Emits:   nothing.
    """
    battle.xp = 0
    battle.gold = 0
    battle.drop_count = 0
    for index in range(SIDE_SLOTS):
        participant_at(battle, index).xp = 0


@kernel
def resolve_encounter(battle: Any, log: Any) -> None:
    """Play the current encounter from its beginning to its end.

    Rule:    delve/README.md, An encounter.
    Changes: the battle; battle.outcome says how it ended.
    Draws:   as begin_encounter, then as resolve_combat_encounter.
    Emits:   as begin_encounter, then as resolve_combat_encounter; ENCOUNTER_END.
    """
    begin_encounter(battle, log)
    if battle.fought_count > 0:
        end_fight(battle, resolve_combat_encounter(battle, log))
    tell_encounter_end(battle, log)


@kernel
def tell_encounter_end(battle: Any, log: Any) -> None:
    """Log how an encounter ended.

    Rule:    delve/README.md, An encounter.
    Changes: nothing.
    Draws:   none.
    Emits:   ENCOUNTER_END.
    """
    if log is not None:
        outcome, rounds, members = battle.outcome, battle.combat_round, battle.sides[PARTY].living
        emit(log, battle.tick, ENCOUNTER_END_EVENT, NOBODY, NOBODY, battle.encounter, outcome, rounds, members)


@kernel
def begin_encounter(battle: Any, log: Any) -> None:
    """Play the current encounter up to its fight, or to its end if it has none.

    Rule:    delve/README.md, An encounter.
    Changes: the battle; battle.fought_count says whether there is a fight, battle.outcome how it ended if it is none.
    Draws:   as go_through.
    Emits:   ENCOUNTER, then as go_through.
    """
    meet_encounter(battle, log)
    go_through(battle, NOBODY, log)


@kernel
def meet_encounter(battle: Any, log: Any) -> None:
    """Begin the current encounter.

    Rule:    delve/README.md, An encounter.
    Changes: the battle's fields of an encounter.
    Draws:   none.
    Emits:   ENCOUNTER.
    """
    encounter = battle.encounters[battle.encounter]
    battle.tick = battle.encounter * TICKS_PER_ENCOUNTER
    battle.outcome = UNDECIDED
    battle.combat_round = 0
    battle.reduced = 0
    battle.skip = 0
    battle.found_gold = 0
    battle.extra_rolls = 0
    battle.table = encounter.table
    battle.fought_first = encounter.first_foe
    battle.fought_count = encounter.foe_count if encounter.type == COMBAT else 0
    if log is not None:
        members, enemies = battle.sides[PARTY].living, battle.fought_count
        emit(log, battle.tick, ENCOUNTER_EVENT, NOBODY, NOBODY, battle.encounter, encounter.type, members, enemies)


@kernel
def go_through(battle: Any, option: int, log: Any) -> None:
    """Play an encounter without a fight.

    The party takes the given option, or that of its trained policy, or the one it is best at.

    Rule:    delve/README.md, An encounter.
    Changes: the battle; battle.fought_count says whether there is a fight, battle.outcome how it ended if it is none.
    Draws:   as the function for the encounter's type.
    Emits:   as the function for the encounter's type.
    """
    encounter = battle.encounters[battle.encounter]
    is_choice = encounter.type == DECISION or encounter.type == PUZZLE
    if is_choice and option == NOBODY and has_network(battle.networks[PARTY]):
        option = trained_action(battle, PARTY, 0, AT_OPTION) - FIRST_OPTION
    if encounter.type == TRAP:
        battle.outcome = resolve_trap(battle, encounter, log)
    elif encounter.type == DECISION:
        battle.outcome = resolve_decision(battle, encounter, option, log)
    elif encounter.type == HAZARD:
        battle.outcome = resolve_hazard(battle, encounter, log)
    elif encounter.type == REST:
        battle.outcome = resolve_rest_point(battle, log)
    elif encounter.type == PUZZLE:
        battle.outcome = resolve_puzzle(battle, encounter, option, log)


@kernel
def end_fight(battle: Any, outcome: int) -> None:
    """Turn a fight's outcome into its encounter's: after a beaten ambush, the check's outcome counts.

    Rule:    delve/README.md, Traps, decisions, hazards, rest, puzzles, the last paragraph; Rewards.
    Changes: battle.outcome, battle.reduced, battle.survived_fights, battle.rounds.
    Draws:   none.
    Emits:   nothing.
    """
    battle.rounds += battle.combat_round
    if outcome == SURVIVED:
        battle.reduced = 1
        battle.survived_fights += 1
    if outcome != VICTORY or battle.outcome == UNDECIDED:
        battle.outcome = outcome


@kernel
def move_on(battle: Any, log: Any) -> None:
    """Move on after an encounter: its rewards, then the next one or the end.

    Rule:    delve/README.md, A run, step 2; End.
    Changes: the battle; battle.reason if it is over.
    Draws:   as reward_party, complete.
    Emits:   as reward_party, complete.
    """
    if battle.outcome == VICTORY or battle.outcome == SURVIVED:
        battle.passed += 1
    if battle.journey == LONE_ENCOUNTER:
        battle.reason = battle.outcome
        if battle.outcome == VICTORY:
            battle.winner = 1
        elif battle.outcome == PARTY_WIPE:
            battle.winner = 2
    elif battle.outcome == PARTY_WIPE or battle.outcome == FLED:
        battle.reason = battle.outcome
        battle.winner = 2
        battle.tick = battle.encounter * TICKS_PER_ENCOUNTER + REWARD_TICK
        if battle.outcome == PARTY_WIPE:
            lose_everything(battle)
    else:
        battle.tick = battle.encounter * TICKS_PER_ENCOUNTER + REWARD_TICK
        reward_party(battle, log)
        battle.encounter += 1 + battle.skip
        if battle.encounter >= battle.encounter_count:
            complete(battle, log)


@kernel
def forgo_rewards(battle: Any, log: Any) -> None:
    """Skip rewards for exact odds: they decide nothing.

    Rule:    delve/README.md, Rewards.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """


@dispatch_on_dice(forgo_rewards)
@kernel
def reward_party(battle: Any, log: Any) -> None:
    """Pay XP, gold and loot for a passed encounter.

    Rule:    delve/README.md, Rewards.
    Changes: what was collected; the living members' XP.
    Draws:   between(min, max) from (tick, the lane of gold) if there is a range of gold; then as roll_loot.
    Emits:   REWARD, then as roll_loot.
    """
    encounter = battle.encounters[battle.encounter]
    share = battle.options.survived_share
    xp = experience(battle, encounter)
    gold = battle.found_gold
    if encounter.gold.high > 0:
        open_address(battle.dice, battle.tick, GOLD_LANE)
        gold += between(battle.dice, encounter.gold.low, encounter.gold.high)
    chance = battle.difficulty.loot_chance
    if battle.reduced:
        gold = percent(gold, share)
        chance = percent(chance, share)
    battle.gold += gold
    battle.xp = clamp(battle.xp + xp)
    side = battle.sides[PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0:
            member.xp = clamp(member.xp + xp)
    if log is not None:
        emit(log, battle.tick, REWARD_EVENT, NOBODY, NOBODY, xp, gold, side.living, battle.reduced)
    if encounter.loot:
        roll_loot(battle, chance, BY_ENCOUNTER, LOOT_LANE, log)
    for place in range(battle.extra_rolls):
        roll_loot(battle, chance, BY_EXTRA_ROLL, FIRST_EXTRA_LANE + place, log)


@kernel
def experience(battle: Any, encounter: Any) -> int:
    """The XP of an encounter, truncated once.

    Rule:    delve/README.md, Rewards, step 1.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    total = encounter.xp
    for place in range(battle.fought_first, battle.fought_first + battle.fought_count):
        total += battle.foes[battle.roster[place]].xp_reward
    if battle.reduced:
        return floor_div(total * battle.difficulty.xp * battle.options.survived_share, 10_000)
    return percent(total, battle.difficulty.xp)


@kernel
def complete(battle: Any, log: Any) -> None:
    """Complete the run; the chest opens unless a fight was survived and not won.

    Rule:    delve/README.md, A run, step 3; Rewards, "The chest".
    Changes: the battle.
    Draws:   as open_chest.
    Emits:   as open_chest.
    """
    battle.encounter = battle.encounter_count - 1
    battle.tick = battle.encounter * TICKS_PER_ENCOUNTER + REWARD_TICK
    battle.reason = COMPLETED
    battle.winner = 1
    if battle.survived_fights == 0:
        open_chest(battle, log)


@kernel
def announce_outcome(battle: Any, log: Any) -> None:
    """Log what a run brought home, and how it ended.

    Rule:    delve/README.md, End.
    Changes: nothing.
    Draws:   none.
    Emits:   SPOILS after a run, OUTCOME.
    """
    if log is not None:
        if battle.journey != LONE_ENCOUNTER:
            xp, gold, items = battle.xp, battle.gold, battle.drop_count
            emit(log, battle.tick, SPOILS_EVENT, NOBODY, NOBODY, xp, gold, items, battle.passed)
        left = hp_left(battle, PARTY), hp_left(battle, DUNGEON)
        emit(log, battle.tick, OUTCOME_EVENT, NOBODY, NOBODY, battle.winner, battle.reason, left[0], left[1])
