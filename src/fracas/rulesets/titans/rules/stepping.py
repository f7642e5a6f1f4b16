"""A duel for agents, round by round: what they see, what they may choose, and the round that follows.

The rules: titans/README.md, The round.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.entry_points import write_result
from fracas.rulesets.titans.rules.events import emit_choice
from fracas.rulesets.titans.rules.mechanics import announce_outcome, carry_out, set_up, start_round
from fracas.rulesets.titans.rules.observation import mark_legal, see_duel, see_lasting
from fracas.rulesets.titans.rules.policies import ability_code, choose
from fracas.rulesets.titans.rules.titan_stats import titan_at


@kernel
def begin(battle, agents, cursor, log) -> None:
    """Set a duel up and start its first round (README, Set-up)."""
    set_up(battle, log)
    start_round(battle, log)


@kernel
def take(battle, agents, actions, cursor, log) -> None:
    """Both choose, those that are no agents by their policies; the round happens, and the next one starts."""
    for index in range(codes.PLAYERS):
        one = titan_at(battle, index)
        number = place_of(agents, index)
        if number >= 0:
            submit(battle, one, actions[number], log)
        else:
            choose(battle, one, log)
    carry_out(battle, log)
    if battle.reason == codes.UNDECIDED:
        start_round(battle, log)


@kernel
def submit(battle, one, choice: int, log) -> None:
    """A player's choice comes from outside (README, Policies, choices)."""
    one.choice = choice
    one.why = codes.SUBMITTED
    one.rule = NOBODY
    one.missed = 0
    if log is not None:
        action, ability = min(choice, codes.FIRST_ABILITY), ability_code(one, choice)
        emit_choice(log, battle.tick, one.index, action, ability, codes.SUBMITTED, NOBODY)


@kernel
def actor_of(battle, side: int, cursor) -> int:
    """The player itself, who decides in every round; NOBODY once the duel is over."""
    return side if battle.reason == codes.UNDECIDED else NOBODY


@kernel
def encode(battle, side: int, choice: int, target: int) -> int:
    """The action of a choice, which has no target; NOBODY if there is none (README, Choices)."""
    return choice if 0 <= choice < codes.CHOICES and target == NOBODY else NOBODY


@kernel
def legal_actions(battle, side: int, cursor, mask) -> None:
    """What a side may choose: 1, else 0 (as mark_legal)."""
    mark_legal(battle, side, mask)


@kernel
def observe(battle, agents, cursor, seen, masks, anew: bool) -> None:
    """What agents see, and what they may choose (as see_duel)."""
    for number in range(len(agents)):
        legal_actions(battle, agents[number], cursor, masks[number])
        see_duel(battle, agents[number], seen[number], anew)


step_many = stepper(begin, take, observe, last_hot="titans", see_lasting=see_lasting)
play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)
