"""Plays a delve run in small steps, so that exact odds can merge equal states after each step.

The beginning of an encounter is a step. A fight's initiative is settled number by number: each step decides who has
rolled the current number. Then each turn is a step. The rules are those of run/run.py and combat.py. `dice.place` is
the encounter's stage: its beginning, a number of initiative, or a place in a round's order. Loot and rewards decide
nothing and are skipped.
"""

from __future__ import annotations

from fracas.kernel.enumerating_dice import outcome_of_chance
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.combat import end_round, set_up_combat, start_round, take_turn
from fracas.rulesets.delve.rules.initiative import NOT_ROLLED
from fracas.rulesets.delve.rules.participants import participant_at
from fracas.rulesets.delve.rules.run.run import begin_encounter, end_fight, next_encounter, start_run

# An encounter's stage: the beginning, then numbers of initiative, then places in the order.
BEGINNING, FIRST_NUMBER, FIGHT = 0, 1, 1 + 4 * codes.INITIATIVE_OFFSET
PLACES = FIGHT + codes.SLOTS + 1
# Two initiatives further apart than this keep their order in any case.
FURTHEST = codes.SLOWED_DELAY + codes.HASTED_LEAD + 1
# The flags that the first step sets.
ORDER_CAN_CHANGE, USES_ARE_ASKED = 1, 2

# The parts of the record that one step changes and a later one reads. The rest is given, or written before it is read.
STATE = (
    "tick",
    "winner",
    "reason",
    "encounter",
    "combat_round",
    "outcome",
    "quiet",
    "stirred",
    "skip",
    "fought_first",
    "fought_count",
    "order_count",
    "order_keys",
    "rounds",
    "sides",
    "dice.place",
)


@kernel
def step(battle, page) -> None:
    """Play one step: the start of the run, an encounter's beginning, a number of initiative, or a turn.

    README, A run; An encounter; Combat.
    """
    if page.begins:
        start_run(battle, None)
        battle.dice.place = BEGINNING
        battle.dice.mark = (ORDER_CAN_CHANGE if order_can_change(battle) else 0) | (
            USES_ARE_ASKED if uses_are_asked(battle) else 0
        )
    elif battle.dice.place == BEGINNING:
        begin(battle)
    elif battle.dice.place < FIGHT:
        settle_number(battle, battle.dice.place - FIRST_NUMBER - codes.INITIATIVE_OFFSET)
    else:
        take_next_turn(battle)
    page.over = battle.reason != codes.UNDECIDED
    page.rounds = battle.rounds
    page.moment = moment(battle)
    forget(battle)


@kernel
def moment(battle) -> int:
    """A number that grows from step to step (README, A run)."""
    in_encounter = 0
    if battle.dice.place == FIGHT:
        in_encounter = (battle.combat_round + 1) * PLACES
    elif battle.dice.place != BEGINNING:
        in_encounter = battle.combat_round * PLACES + battle.dice.place
    return (battle.encounter + 1) * codes.TICKS_PER_ENCOUNTER * PLACES + in_encounter


@kernel
def begin(battle) -> None:
    """Begin an encounter: play a fight up to its initiative rolls, everything else to its end.

    README, An encounter; Combat, Set-up.
    """
    begin_encounter(battle, None)
    if battle.fought_count > 0:
        set_up_combat(battle, None)
        battle.dice.place = FIRST_NUMBER + codes.INITIATIVE_OFFSET + least_number(battle)
    else:
        pass_encounter(battle)


@kernel
def pass_encounter(battle) -> None:
    """End the encounter and go to the next one, or end the run (README, A run, step 2)."""
    next_encounter(battle, None)
    battle.dice.place = BEGINNING
    battle.order_count = 0
    battle.combat_round = 0
    for index in range(codes.SIDE_SLOTS, codes.SLOTS):
        participant_at(battle, index).hp = 0


@kernel
def rolls_above(participant) -> int:
    """The number just below a participant's lowest possible initiative (README, Set-up, step 3)."""
    return participant.weapon_speed - participant.attributes[codes.SPEED]


@kernel
def least_number(battle) -> int:
    """The lowest initiative that any participant can have (README, Set-up, step 3)."""
    least = codes.INITIATIVE_OFFSET
    for index in range(battle.order_count):
        least = min(least, rolls_above(participant_at(battle, battle.order_keys[index])) + 1)
    return least


@kernel
def settle_number(battle, number: int) -> None:
    """Decide for each participant that has not rolled yet whether it rolled this number.

    All numbers left are equally likely. If no one can be slowed or hastened, only the order matters, and places in it
    replace the numbers.

    README, Set-up, step 3; A round, step 1.
    """
    waiting = 0
    rolled = 0
    for position in range(battle.order_count):
        if participant_at(battle, battle.order_keys[position]).initiative != NOT_ROLLED:
            rolled += 1
    keeps_numbers = battle.dice.mark & ORDER_CAN_CHANGE != 0
    # Among equal rolls the faster acts first, then the lower slot.
    for position in range(battle.order_count):
        index = nth_in_ties(battle, position)
        one = participant_at(battle, index)
        if one.initiative == NOT_ROLLED:
            left = rolls_above(one) + 100 - number
            if number > rolls_above(one) and outcome_of_chance(battle.dice, 1, left + 1):
                one.initiative = number if keeps_numbers else rolled
                rolled += 1
            else:
                waiting += 1
    battle.dice.place += 1
    if waiting == 0:
        battle.dice.place = FIGHT
        if keeps_numbers and battle.order_count == 2:
            take_alike(battle)


@kernel
def take_alike(battle) -> None:
    """Merge the initiatives of two participants that act in the same order, no matter which is slowed or hastened.

    50 more for the slowed, 25 less for the hastened.

    README, A round, step 1.
    """
    one = participant_at(battle, battle.order_keys[0])
    other = participant_at(battle, battle.order_keys[1])
    apart = min(max(one.initiative - other.initiative, -FURTHEST), FURTHEST)
    if apart % codes.HASTED_LEAD != 0:
        apart = apart // codes.HASTED_LEAD * codes.HASTED_LEAD + 1
    one.initiative = apart
    other.initiative = 0


@kernel
def nth_in_ties(battle, n: int) -> int:
    """The slot of the n-th participant in the order of equal rolls (README, A round, step 1)."""
    for position in range(battle.order_count):
        index: int = battle.order_keys[position]
        speed = participant_at(battle, index).attributes[codes.SPEED]
        before = 0
        for other in range(battle.order_count):
            rival = battle.order_keys[other]
            faster = participant_at(battle, rival).attributes[codes.SPEED]
            if faster > speed or (faster == speed and rival < index):
                before += 1
        if before == n:
            return index
    return 0


@kernel
def order_can_change(battle) -> bool:
    """Whether any skill of the battle slows or hastens (README, A round, step 1)."""
    for code in range(len(battle.skills)):
        skill = battle.skills[code]
        for index in range(skill.condition_count):
            condition = skill.conditions[index].condition
            if condition == codes.SLOWED or condition == codes.HASTED:
                return True
    return False


@kernel
def uses_are_asked(battle) -> bool:
    """Whether a condition may ask how often a skill was used (README, Conditions)."""
    asked = 0
    for index in range(len(battle.asks)):
        asked += 1 if battle.asks[index].fact == codes.TIMES_USED else 0
    return asked > 0


@kernel
def take_next_turn(battle) -> None:
    """Play the next turn, with the round's start before the first and its end after the last (README, A round)."""
    if battle.dice.place == FIGHT:
        start_round(battle, None)
    take_turn(battle, participant_at(battle, battle.order_keys[battle.dice.place - FIGHT]), None)
    battle.dice.place += 1
    while battle.dice.place - FIGHT < battle.order_count and has_fallen(battle, battle.dice.place - FIGHT):
        battle.dice.place += 1
    is_rout = battle.sides[codes.PARTY].living == 0 or battle.sides[codes.DUNGEON].living == 0
    if is_rout or battle.dice.place - FIGHT >= battle.order_count:
        battle.dice.place = FIGHT
        outcome = end_round(battle, None)
        if outcome != codes.UNDECIDED:
            end_fight(battle, outcome)
            pass_encounter(battle)


@kernel
def has_fallen(battle, index: int) -> bool:
    """Whether the participant at a place in the order has fallen (README, A round)."""
    return participant_at(battle, battle.order_keys[index]).hp == 0


@kernel
def forget(battle) -> None:
    """Clear everything that no rule reads any more, so that states with the same future are equal (README, State)."""
    if battle.dice.place >= FIGHT:
        for position in range(battle.dice.place - FIGHT):
            battle.order_keys[position] &= codes.LAST_SLOT
    for position in range(battle.order_count, codes.SLOTS):
        battle.order_keys[position] = 0
    for index in range(codes.SLOTS):
        one = participant_at(battle, index)
        if one.hp == 0:
            forget_fallen(one)
        for position in range(one.known_count):
            if one.ready_from[position] <= battle.combat_round:
                one.ready_from[position] = 0
            if battle.dice.mark & USES_ARE_ASKED == 0:
                one.used[position] = 0
        for code in range(len(codes.CONDITIONS)):
            affliction = one.afflictions[code]
            affliction.source = NOBODY
            affliction.skill = 0
            if one.conditions >> code & 1 == 0:
                affliction.rounds = 0
                affliction.potency = 0
        for position in range(one.affliction_count, len(codes.CONDITIONS)):
            one.affliction_order[position] = 0


@kernel
def forget_fallen(one) -> None:
    """Clear all fields of a fallen participant (README, Death)."""
    one.resource = 0
    one.guard = 0
    one.conditions = 0
    one.affliction_count = 0
    one.xp = 0
    for index in range(one.known_count):
        one.ready_from[index] = 0
        one.used[index] = 0
