"""A duel for agents, round by round: what they see, what they may choose, and the round that follows."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.rulesets.titans.rules.constants import (
    CHOICE_EVENT,
    CHOICES,
    EFFECT_SLOTS,
    FIRST_ABILITY,
    LARGEST_SEEN,
    MAX_CHARGE,
    OWN_ABILITIES,
    PLAYERS,
    STATS,
    SUBMITTED,
    UNDECIDED,
)
from fracas.rulesets.titans.rules.entry_points import write_result
from fracas.rulesets.titans.rules.mechanics import announce_outcome, carry_out, set_up, start_round
from fracas.rulesets.titans.rules.policies import ability_code, choose
from fracas.rulesets.titans.rules.titan_stats import ability_at, is_legal, is_sudden_death, opponent_of, titan_at


@kernel
def begin(battle: Any, agents: Any, cursor: Any, log: Any) -> None:
    """Set a duel up and start its first round.

    Rule:    README, Set-up; The round, step 1.
    Changes: the battle.
    Draws:   none.
    Emits:   nothing.
    """
    set_up(battle, log)
    start_round(battle, log)


@kernel
def take(battle: Any, agents: Any, actions: Any, cursor: Any, log: Any) -> None:
    """Both choose, those that are no agents by their policies; the round happens, and the next one starts.

    Rule:    README, The round.
    Changes: the battle.
    Draws:   as play_round.
    Emits:   nothing.
    """
    for index in range(PLAYERS):
        one = titan_at(battle, index)
        number = place_of(agents, index)
        if number >= 0:
            submit(battle, one, actions[number], log)
        else:
            choose(battle, one, log)
    carry_out(battle, log)
    if battle.reason == UNDECIDED:
        start_round(battle, log)


@kernel
def submit(battle: Any, one: Any, choice: int, log: Any) -> None:
    """A player's choice comes from outside.

    Rule:    README, The round, step 2; Policies, choices.
    Changes: the titan's choice, why, rule and missed.
    Draws:   none.
    Emits:   CHOICE.
    """
    one.choice = choice
    one.why = SUBMITTED
    one.rule = NOBODY
    one.missed = 0
    if log is not None:
        action, ability = min(choice, FIRST_ABILITY), ability_code(one, choice)
        emit(log, battle.tick, CHOICE_EVENT, one.index, NOBODY, action, ability, SUBMITTED, NOBODY)


@kernel
def actor_of(battle: Any, side: int, cursor: Any) -> int:
    """The player itself, who decides in every round; NOBODY once the duel is over.

    Rule:    README, The round, step 2.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return side if battle.reason == UNDECIDED else NOBODY


@kernel
def encode(battle: Any, side: int, choice: int, target: int) -> int:
    """The action of a choice, which has no target; NOBODY if there is none.

    Rule:    README, Choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return choice if 0 <= choice < CHOICES and target == NOBODY else NOBODY


@kernel
def legal_actions(battle: Any, side: int, cursor: Any, mask: Any) -> None:
    """Which of its choices a titan has and can pay for: 1, else 0.

    Rule:    README, Choices.
    Changes: the mask.
    Draws:   none.
    Emits:   nothing.
    """
    for choice in range(CHOICES):
        mask[choice] = 1 if battle.reason == UNDECIDED and is_legal(titan_at(battle, side), choice) else 0


@kernel
def observe(battle: Any, agents: Any, cursor: Any, seen: Any, masks: Any, anew: bool) -> None:
    """What players know at the start of a round, and what they may choose.

    Rule:    README, Session, view; analysis/agent_interface.py names the entries.
    Changes: seen, masks.
    Draws:   none.
    Emits:   nothing.
    """
    for number in range(len(agents)):
        side = agents[number]
        one = titan_at(battle, side)
        other = opponent_of(battle, one)
        legal_actions(battle, side, cursor, masks[number])
        seen[number, 0] = min(battle.tick / battle.options.round_cap, 1.0)
        seen[number, 1] = 1.0 if is_sudden_death(battle) else 0.0
        place = see_titan(battle, one, True, seen[number], 2)
        place = see_titan(battle, other, battle.options.stats_public != 0, seen[number], place)
        if anew:
            place = see_abilities(battle, one, seen[number], place)
            see_abilities(battle, other, seen[number], place)


@kernel
def see_titan(battle: Any, one: Any, with_stats: bool, seen: Any, place: int) -> int:
    """Write down what a player knows of a titan; where the next entry goes.

    Rule:    README, Session, view.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    seen[place] = one.hp / one.max_hp
    seen[place + 1] = min(one.max_hp / 1000, LARGEST_SEEN)
    seen[place + 2] = one.charge / MAX_CHARGE
    place += 3
    for stat in range(len(STATS)):
        seen[place + stat] = min(one.now[stat] / 100, LARGEST_SEEN) if with_stats else 0.0
    place += len(STATS)
    for choice in range(CHOICES):
        seen[place + choice] = 1.0 if one.last_choice == choice else 0.0
    return place + CHOICES


@kernel
def see_abilities(battle: Any, one: Any, seen: Any, place: int) -> int:
    """Write down what a titan's abilities cost and which kinds of effects they have; where the next entry goes.

    Rule:    README, Abilities.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    for slot in range(OWN_ABILITIES):
        for entry in range(EFFECT_SLOTS + 1):
            seen[place + entry] = 0.0
        if slot < one.ability_count:
            seen[place] = one.costs[slot] / MAX_CHARGE
            ability = ability_at(battle, one.abilities[slot])
            for number in range(ability.effect_count):
                seen[place + 1 + ability.effects[number].kind] = 1.0
        place += EFFECT_SLOTS + 1
    return place


step_many = stepper(begin, take, observe, last_hot="titans")
play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)
