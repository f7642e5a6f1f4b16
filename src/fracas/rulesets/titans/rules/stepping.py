"""A duel for agents, round by round: what they see, what they may choose, and the round that follows."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.rulesets.titans.rules.constants import (
    CHOICE_EVENT,
    CHOICES,
    FIRST_ABILITY,
    PLAYERS,
    SUBMITTED,
    UNDECIDED,
)
from fracas.rulesets.titans.rules.entry_points import write_result
from fracas.rulesets.titans.rules.mechanics import announce_outcome, carry_out, set_up, start_round
from fracas.rulesets.titans.rules.observation import mark_legal, see_duel
from fracas.rulesets.titans.rules.policies import ability_code, choose
from fracas.rulesets.titans.rules.titan_stats import titan_at


@kernel
def begin(battle: Any, agents: Any, cursor: Any, log: Any) -> None:
    """Set a duel up and start its first round.

    Rule:    titans/README.md, Set-up; The round, step 1.
    Changes: the battle.
    Draws:   none.
    Emits:   nothing.
    """
    set_up(battle, log)
    start_round(battle, log)


@kernel
def take(battle: Any, agents: Any, actions: Any, cursor: Any, log: Any) -> None:
    """Both choose, those that are no agents by their policies; the round happens, and the next one starts.

    Rule:    titans/README.md, The round.
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

    Rule:    titans/README.md, The round, step 2; Policies, choices.
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

    Rule:    titans/README.md, The round, step 2.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return side if battle.reason == UNDECIDED else NOBODY


@kernel
def encode(battle: Any, side: int, choice: int, target: int) -> int:
    """The action of a choice, which has no target; NOBODY if there is none.

    Rule:    titans/README.md, Choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return choice if 0 <= choice < CHOICES and target == NOBODY else NOBODY


@kernel
def legal_actions(battle: Any, side: int, cursor: Any, mask: Any) -> None:
    """What a side may choose: 1, else 0.

    Rule:    as mark_legal.
    Changes: the mask.
    Draws:   none.
    Emits:   nothing.
    """
    mark_legal(battle, side, mask)


@kernel
def observe(battle: Any, agents: Any, cursor: Any, seen: Any, masks: Any, anew: bool) -> None:
    """What agents see, and what they may choose.

    Rule:    as see_duel.
    Changes: seen; as legal_actions.
    Draws:   none.
    Emits:   nothing.
    """
    for number in range(len(agents)):
        legal_actions(battle, agents[number], cursor, masks[number])
        see_duel(battle, agents[number], seen[number], anew)


step_many = stepper(begin, take, observe, last_hot="titans")
play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)
