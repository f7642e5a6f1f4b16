"""The rules of a run, or of a lone encounter, in the order of play. delve/README.md, A run.

The rules: delve/README.md, End; An encounter; Rewards.
"""

from __future__ import annotations

from fracas.kernel.dice import between, open_address
from fracas.kernel.enumerating_dice import dispatch_on_dice
from fracas.kernel.event_log import NOBODY
from fracas.kernel.integer_math import clamp, floor_div, percent
from fracas.kernel.jit import kernel
from fracas.kernel.networks import has_network
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.combat import resolve_combat_encounter
from fracas.rulesets.delve.rules.events import (
    emit_encounter,
    emit_encounter_end,
    emit_outcome,
    emit_reward,
    emit_spoils,
    emit_start,
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
def resolve_run(battle, log) -> None:
    """Play encounters until the last is passed or the party fails; a lone encounter is the first and last."""
    start_run(battle, log)
    while battle.reason == codes.UNDECIDED:
        resolve_encounter(battle, log)
        next_encounter(battle, log)
    announce_outcome(battle, log)


@kernel
def start_run(battle, log) -> None:
    """Start a run: the party is at full HP and carries nothing."""
    battle.tick = 0
    battle.winner = codes.DRAW
    battle.reason = codes.UNDECIDED
    battle.encounter = 0
    battle.rounds = 0
    battle.passed = 0
    battle.survived_fights = 0
    battle.last_killer = NOBODY
    lose_everything(battle)
    for position in range(battle.counted_skills):
        battle.skill_damage[position] = 0
    for position in range(battle.counted_slots):
        battle.slot_uses[position] = 0
    side = battle.sides[codes.PARTY]
    side.living = side.count
    battle.sides[codes.DUNGEON].count = 0
    battle.sides[codes.DUNGEON].living = 0
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        member.hp = member.max_hp
        member.resource = percent(member.max_resource, member.start_pct)
        member.xp = 0
        forget_conditions(member)
    emit_start(log, 0, battle.journey, side.count, battle.encounter_count, battle.options.flee_below)


@kernel
def lose_everything(battle) -> None:
    """Take away everything that the party has collected."""
    battle.xp = 0
    battle.gold = 0
    battle.drop_count = 0
    for index in range(codes.SIDE_SLOTS):
        participant_at(battle, index).xp = 0


@kernel
def resolve_encounter(battle, log) -> None:
    """Play the current encounter from its beginning to its end."""
    begin_encounter(battle, log)
    if battle.fought_count > 0:
        end_fight(battle, resolve_combat_encounter(battle, log))
    log_encounter_end(battle, log)


@kernel
def log_encounter_end(battle, log) -> None:
    """Log how an encounter ended."""
    if log is not None:
        outcome, rounds, members = battle.outcome, battle.combat_round, battle.sides[codes.PARTY].living
        emit_encounter_end(log, battle.tick, battle.encounter, outcome, rounds, members)


@kernel
def begin_encounter(battle, log) -> None:
    """Play the current encounter up to its fight, or to its end if it has none."""
    meet_encounter(battle, log)
    play_encounter(battle, NOBODY, log)


@kernel
def meet_encounter(battle, log) -> None:
    """Begin the current encounter."""
    encounter = battle.encounters[battle.encounter]
    battle.tick = battle.encounter * codes.TICKS_PER_ENCOUNTER
    battle.outcome = codes.UNDECIDED
    battle.combat_round = 0
    battle.reduced = 0
    battle.skip = 0
    battle.found_gold = 0
    battle.extra_rolls = 0
    battle.table = encounter.table
    battle.fought_first = encounter.first_foe
    battle.fought_count = encounter.foe_count if encounter.type == codes.COMBAT else 0
    if log is not None:
        members, enemies = battle.sides[codes.PARTY].living, battle.fought_count
        emit_encounter(log, battle.tick, battle.encounter, encounter.type, members, enemies)


@kernel
def play_encounter(battle, option: int, log) -> None:
    """Play an encounter without a fight.

    The party takes the given option, or that of its trained policy, or the one it is best at.
    """
    encounter = battle.encounters[battle.encounter]
    is_choice = encounter.type == codes.DECISION or encounter.type == codes.PUZZLE
    if is_choice and option == NOBODY and has_network(battle.networks[codes.PARTY]):
        option = trained_action(battle, codes.PARTY, 0, codes.AT_OPTION) - codes.FIRST_OPTION
    if encounter.type == codes.TRAP:
        battle.outcome = resolve_trap(battle, encounter, log)
    elif encounter.type == codes.DECISION:
        battle.outcome = resolve_decision(battle, encounter, option, log)
    elif encounter.type == codes.HAZARD:
        battle.outcome = resolve_hazard(battle, encounter, log)
    elif encounter.type == codes.REST:
        battle.outcome = resolve_rest_point(battle, log)
    elif encounter.type == codes.PUZZLE:
        battle.outcome = resolve_puzzle(battle, encounter, option, log)


@kernel
def end_fight(battle, outcome: int) -> None:
    """Turn a fight's outcome into its encounter's: after a beaten ambush, the check's outcome counts.

    README, Traps, decisions, hazards, rest, puzzles, the last paragraph.
    """
    battle.rounds += battle.combat_round
    if outcome == codes.SURVIVED:
        battle.reduced = 1
        battle.survived_fights += 1
    if outcome != codes.VICTORY or battle.outcome == codes.UNDECIDED:
        battle.outcome = outcome


@kernel
def next_encounter(battle, log) -> None:
    """Move on after an encounter: its rewards, then the next one or the end."""
    if battle.outcome == codes.VICTORY or battle.outcome == codes.SURVIVED:
        battle.passed += 1
    if battle.journey == codes.LONE_ENCOUNTER:
        battle.reason = battle.outcome
        if battle.outcome == codes.VICTORY:
            battle.winner = 1
        elif battle.outcome == codes.PARTY_WIPE:
            battle.winner = 2
    elif battle.outcome == codes.PARTY_WIPE or battle.outcome == codes.FLED:
        battle.reason = battle.outcome
        battle.winner = 2
        battle.tick = battle.encounter * codes.TICKS_PER_ENCOUNTER + codes.REWARD_TICK
        if battle.outcome == codes.PARTY_WIPE:
            lose_everything(battle)
    else:
        battle.tick = battle.encounter * codes.TICKS_PER_ENCOUNTER + codes.REWARD_TICK
        reward_party(battle, log)
        battle.encounter += 1 + battle.skip
        if battle.encounter >= battle.encounter_count:
            complete(battle, log)


@kernel
def skip_rewards(battle, log) -> None:
    """Skip rewards for exact odds: they decide nothing."""


@dispatch_on_dice(skip_rewards)
@kernel
def reward_party(battle, log) -> None:
    """Pay XP, gold and loot for a passed encounter."""
    encounter = battle.encounters[battle.encounter]
    share = battle.options.survived_share
    xp = experience(battle, encounter)
    gold = battle.found_gold
    if encounter.gold.high > 0:
        open_address(battle.dice, battle.tick, codes.GOLD_LANE)
        gold += between(battle.dice, encounter.gold.low, encounter.gold.high)
    chance = battle.difficulty.loot_chance
    if battle.reduced:
        gold = percent(gold, share)
        chance = percent(chance, share)
    battle.gold += gold
    battle.xp = clamp(battle.xp + xp)
    side = battle.sides[codes.PARTY]
    for index in range(side.first, side.first + side.count):
        member = participant_at(battle, index)
        if member.hp > 0:
            member.xp = clamp(member.xp + xp)
    emit_reward(log, battle.tick, xp, gold, side.living, battle.reduced)
    if encounter.loot:
        roll_loot(battle, chance, codes.BY_ENCOUNTER, codes.LOOT_LANE, log)
    for position in range(battle.extra_rolls):
        roll_loot(battle, chance, codes.BY_EXTRA_ROLL, codes.FIRST_EXTRA_LANE + position, log)


@kernel
def experience(battle, encounter) -> int:
    """The XP of an encounter, truncated once."""
    total = encounter.xp
    for index in range(battle.fought_first, battle.fought_first + battle.fought_count):
        total += battle.foes[battle.roster[index]].xp_reward
    if battle.reduced:
        return floor_div(total * battle.difficulty.xp * battle.options.survived_share, 10_000)
    return percent(total, battle.difficulty.xp)


@kernel
def complete(battle, log) -> None:
    """Complete the run; the chest opens unless a fight was survived and not won."""
    battle.encounter = battle.encounter_count - 1
    battle.tick = battle.encounter * codes.TICKS_PER_ENCOUNTER + codes.REWARD_TICK
    battle.reason = codes.COMPLETED
    battle.winner = 1
    if battle.survived_fights == 0:
        open_chest(battle, log)


@kernel
def announce_outcome(battle, log) -> None:
    """Log what a run brought home, and how it ended."""
    if log is not None:
        if battle.journey != codes.LONE_ENCOUNTER:
            emit_spoils(log, battle.tick, battle.xp, battle.gold, battle.drop_count, battle.passed)
        left = hp_left(battle, codes.PARTY), hp_left(battle, codes.DUNGEON)
        emit_outcome(log, battle.tick, battle.winner, battle.reason, left[0], left[1])
