"""The rules of titans, in the order of play. Every function cites the rule book, titans/README.md.

Choices are in policies.py, dice in rolls.py, effects of attacks and abilities in effects.py.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import below, open_address, open_in_turn, open_turn
from fracas.kernel.enumerating_dice import dispatch_on_dice
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.rules.constants import (
    ACT_EVENT,
    ATTACK,
    BOTH_FORFEIT,
    CAP_EQUAL,
    CAP_HP,
    DEFEND,
    DRAW,
    DUEL_EVENT,
    DUEL_OVER,
    EFFECT_MASK,
    EXPERIENCE_EVENT,
    FAIR_GROWTH,
    FIRST_ABILITY,
    FORFEIT,
    FROM_DEFENDING,
    FROM_HURTING,
    FROM_REST,
    GROWTH_EVENT,
    GROWTH_LANE,
    GROWTH_STATS,
    KNOCK_OUT,
    KNOCK_OUT_SHARE,
    LARGEST_LEVEL,
    LEAST_SHARE,
    LOSS_EXPERIENCE,
    MISSES_TO_FORFEIT,
    MOST_SHARE,
    NEXT_LEVEL,
    NO_GROWTH,
    NOTHING_CHOSEN,
    OUTCOME_EVENT,
    PAY_EVENT,
    PLAYERS,
    REST,
    ROUND_END_EVENT,
    ROUND_EVENT,
    SHARE_OF_A_LEVEL,
    SKIPPED_EVENT,
    SLIGHT_GROWTH,
    STATS,
    TITAN_EVENT,
    TOO_LITTLE_CHARGE,
    UNDECIDED,
    WIN_EXPERIENCE,
)
from fracas.rulesets.titans.rules.effects import add_charge, apply_effect, end_change, scaled_charge, strike
from fracas.rulesets.titans.rules.outcome_probabilities import attack_in_ways
from fracas.rulesets.titans.rules.policies import ability_code, choose
from fracas.rulesets.titans.rules.rolls import hits, is_critical, roll_damage, roll_speeds
from fracas.rulesets.titans.rules.titan_stats import (
    ability_at,
    cost_of,
    has_change,
    is_legal,
    opponent_of,
    restate,
    titan_at,
)


@kernel
def set_up(battle: Any, log: Any) -> None:
    """Set up both titans with full HP and no charge.

    Rule:    titans/README.md, Set-up.
    Changes: everything that a duel changes.
    Draws:   none.
    Emits:   DUEL, TITAN for each player.
    """
    battle.tick = 0
    battle.winner = DRAW
    battle.reason = UNDECIDED
    options = battle.options
    if log is not None:
        emit(log, 0, DUEL_EVENT, NOBODY, NOBODY, options.round_cap, options.sudden_death, 0, 0)
    for index in range(PLAYERS):
        one = titan_at(battle, index)
        refresh(battle, one)
        if log is not None:
            emit(log, 0, TITAN_EVENT, index, NOBODY, one.hp, one.charge, one.level, one.experience)


@kernel
def refresh(battle: Any, one: Any) -> None:
    """Reset a titan to its state at the start of a duel.

    Rule:    titans/README.md, Set-up.
    Changes: the titan.
    Draws:   none.
    Emits:   nothing.
    """
    one.hp = one.max_hp
    one.charge = 0
    one.shield = 0.0
    one.choice = NOTHING_CHOSEN
    one.last_choice = NOTHING_CHOSEN
    one.missed = 0
    one.active = 0
    for stat in range(len(STATS)):
        one.sums[stat] = 0
        restate(one, stat)
    for place in range(battle.change_count):
        one.until[place] = 0


@kernel
def play_round(battle: Any, log: Any) -> None:
    """Play a round: both choose, speed decides who acts first, both act, the round ends.

    Rule:    titans/README.md, The round.
    Changes: the battle.
    Draws:   as its parts, in this order.
    Emits:   what its parts emit, in this order.
    """
    start_round(battle, log)
    for index in range(PLAYERS):
        choose(battle, titan_at(battle, index), log)
    carry_out(battle, log)


@kernel
def carry_out(battle: Any, log: Any) -> None:
    """Play a round after the choices: speed decides who acts first, both act, the round ends.

    Rule:    titans/README.md, The round, from step 3.
    Changes: the battle.
    Draws:   as its parts, in this order.
    Emits:   what its parts emit, in this order.
    """
    judge_misses(battle)
    if battle.reason != UNDECIDED:
        return
    first = roll_speeds(battle, log)
    act(battle, titan_at(battle, first), 1, log)
    act(battle, titan_at(battle, 1 - first), 2, log)
    if battle.reason == UNDECIDED:
        end_round(battle, log)


@kernel
def start_round(battle: Any, log: Any) -> None:
    """Start a round; the choices of the previous round become public.

    Rule:    titans/README.md, The round, step 1.
    Changes: battle.tick, the titans' last_choice.
    Draws:   none.
    Emits:   ROUND.
    """
    battle.tick += 1
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    one.last_choice = one.choice
    other.last_choice = other.choice
    if log is not None:
        emit(log, battle.tick, ROUND_EVENT, NOBODY, NOBODY, one.hp, other.hp, one.charge, other.charge)


@kernel
def judge_misses(battle: Any) -> None:
    """End the duel if a player missed three deadlines in a row; if both did, it is a draw.

    Rule:    titans/README.md, Deadlines.
    Changes: battle.winner, battle.reason.
    Draws:   none.
    Emits:   nothing.
    """
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    if one.missed >= MISSES_TO_FORFEIT and other.missed >= MISSES_TO_FORFEIT:
        battle.reason = BOTH_FORFEIT
    elif one.missed >= MISSES_TO_FORFEIT:
        battle.reason = FORFEIT
        battle.winner = 2
    elif other.missed >= MISSES_TO_FORFEIT:
        battle.reason = FORFEIT
        battle.winner = 1


@kernel_noinline
def act(battle: Any, one: Any, place: int, log: Any) -> None:
    """Carry out a player's choice, unless the duel is over or the titan can no longer afford it.

    Rule:    titans/README.md, Acting.
    Changes: the battle.
    Draws:   opens (round, player); then as the action.
    Emits:   SKIPPED, or ACT and what the action emits.
    """
    choice = one.choice
    if battle.reason != UNDECIDED:
        tell_skipped(battle, one, DUEL_OVER, log)
        return
    if not is_legal(one, choice):
        tell_skipped(battle, one, TOO_LITTLE_CHARGE, log)
        return
    if log is not None:
        action = min(choice, FIRST_ABILITY)
        emit(log, battle.tick, ACT_EVENT, one.index, NOBODY, action, ability_code(one, choice), place, 0)
    if choice == ATTACK:
        open_in_turn(battle.dice, battle.tick, one.index, 1)
        attack(battle, one, log)
        return
    open_turn(battle.dice, battle.tick, one.index, 1)
    if choice == REST:
        add_charge(battle, one, one, scaled_charge(battle, one, battle.options.rest_charge), FROM_REST, log)
    elif choice >= FIRST_ABILITY:
        use_ability(battle, one, choice, log)


@kernel
def tell_skipped(battle: Any, one: Any, obstacle: int, log: Any) -> None:
    """Report an action that is skipped.

    Rule:    titans/README.md, Acting.
    Changes: nothing.
    Draws:   none.
    Emits:   SKIPPED.
    """
    if log is not None:
        action, ability = min(one.choice, FIRST_ABILITY), ability_code(one, one.choice)
        emit(log, battle.tick, SKIPPED_EVENT, one.index, NOBODY, action, ability, obstacle, 0)


@dispatch_on_dice(attack_in_ways)
@kernel
def attack(battle: Any, one: Any, log: Any) -> None:
    """Attack. Doing damage may give charge, and so does being attacked while defending.

    Rule:    titans/README.md, Attack.
    Changes: both titans; battle.winner and battle.reason.
    Draws:   as hits, is_critical and roll_damage, in this order; nothing more after a miss.
    Emits:   HIT, CRITICAL, ATTACK, DAMAGE, FALL, CHARGE.
    """
    other = opponent_of(battle, one)
    if hits(battle, one, other, log):
        critical = is_critical(battle, one, other, log)
        damage = roll_damage(battle, one, other, log)
        if critical:
            damage = damage * 1.5
        lost = strike(battle, one, other, damage, log)
        if battle.reason != UNDECIDED:
            return
        if lost > 0 and battle.options.attack_charge > 0:
            gain = scaled_charge(battle, one, battle.options.attack_charge)
            add_charge(battle, one, one, gain, FROM_HURTING, log)
    if other.choice == DEFEND:
        add_charge(battle, one, other, battle.options.defend_charge, FROM_DEFENDING, log)


@kernel
def use_ability(battle: Any, one: Any, choice: int, log: Any) -> None:
    """Pay for an ability and apply its effects in order until the duel is over.

    Rule:    titans/README.md, Abilities.
    Changes: both titans; battle.winner and battle.reason.
    Draws:   as apply_effect.
    Emits:   PAY, then what the effects emit.
    """
    code = ability_code(one, choice)
    ability = ability_at(battle, code)
    one.charge -= cost_of(one, choice)
    if log is not None:
        emit(log, battle.tick, PAY_EVENT, one.index, NOBODY, code, ability.cost, one.charge, 0)
    dealt = 0
    for place in range(ability.effect_count):
        if battle.reason == UNDECIDED:
            dealt += apply_effect(battle, one, ability.effects[place & EFFECT_MASK], dealt, log)


@kernel
def end_round(battle: Any, log: Any) -> None:
    """End a round: remove shields, end expired changes, and decide the duel after the last round.

    Rule:    titans/README.md, End of a round.
    Changes: the titans; battle.winner and battle.reason.
    Draws:   none.
    Emits:   EXPIRE by player and place; ROUND_END.
    """
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    for index in range(PLAYERS):
        who = titan_at(battle, index)
        who.shield = 0.0
        if who.active > 0:
            for place in range(battle.change_count):
                if has_change(who, place) and who.until[place] <= battle.tick:
                    end_change(battle, who, place, 1, log)
    if log is not None:
        emit(log, battle.tick, ROUND_END_EVENT, NOBODY, NOBODY, one.hp, other.hp, one.charge, other.charge)
    if battle.tick >= battle.options.round_cap:
        judge_shares(battle, one, other)


@kernel
def judge_shares(battle: Any, one: Any, other: Any) -> None:
    """Decide the duel after the last round: the higher share of HP wins, equal shares are a draw.

    Rule:    titans/README.md, End of a round, step 4.
    Changes: battle.winner, battle.reason.
    Draws:   none.
    Emits:   nothing.
    """
    first, second = one.hp * other.max_hp, other.hp * one.max_hp
    battle.reason = CAP_EQUAL if first == second else CAP_HP
    if first > second:
        battle.winner = 1
    elif second > first:
        battle.winner = 2


@kernel
def announce_outcome(battle: Any, log: Any) -> None:
    """Emit the outcome and both titans' experience.

    Rule:    titans/README.md, Outcome.
    Changes: the dice.
    Draws:   as learn, if there is experience.
    Emits:   OUTCOME; EXPERIENCE and GROWTH by player.
    """
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    if log is not None:
        emit(log, battle.tick, OUTCOME_EVENT, NOBODY, NOBODY, battle.winner, battle.reason, one.hp, other.hp)
    if battle.options.experience != 0:
        learn(battle, one, log)
        learn(battle, other, log)


@kernel
def experience_gained(battle: Any, one: Any) -> int:
    """The experience that a titan gains: more against a higher level, and for a knock-out.

    Rule:    titans/README.md, Experience.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    other = opponent_of(battle, one)
    share = min(max(100 + SHARE_OF_A_LEVEL * (other.level - one.level), LEAST_SHARE), MOST_SHARE)
    if battle.winner != one.index + 1:
        return (LOSS_EXPERIENCE * share + 50) // 100
    if battle.reason != KNOCK_OUT:
        return (WIN_EXPERIENCE * share + 50) // 100
    return (WIN_EXPERIENCE * share * KNOCK_OUT_SHARE + 5000) // 10000


@kernel
def learn(battle: Any, one: Any, log: Any) -> None:
    """Give a titan experience; each new level raises its stats.

    Rule:    titans/README.md, Experience.
    Changes: the dice.
    Draws:   as grow, for each new level.
    Emits:   EXPERIENCE; GROWTH for each stat of each new level.
    """
    gained = experience_gained(battle, one)
    level, experience = one.level, one.experience + gained
    while level < LARGEST_LEVEL and experience >= NEXT_LEVEL[level - 1]:
        experience -= NEXT_LEVEL[level - 1]
        level += 1
    risen = level - one.level
    if log is not None:
        emit(log, battle.tick, EXPERIENCE_EVENT, one.index, NOBODY, gained, level, experience, risen)
    for step in range(risen):
        grow(battle, one, one.level + step + 1, log)


@kernel
def grow(battle: Any, one: Any, level: int, log: Any) -> None:
    """Raise each stat by up to three points at a new level.

    Rule:    titans/README.md, Experience.
    Changes: the dice.
    Draws:   opens (level, 0xFF10 + player); below(100) for each stat.
    Emits:   GROWTH for each stat.
    """
    open_address(battle.dice, level, GROWTH_LANE + one.index)
    for stat in range(len(GROWTH_STATS)):
        roll = below(battle.dice, 100)
        gained = 3
        if roll < NO_GROWTH:
            gained = 0
        elif roll < SLIGHT_GROWTH:
            gained = 1
        elif roll < FAIR_GROWTH:
            gained = 2
        if log is not None:
            emit(log, battle.tick, GROWTH_EVENT, one.index, NOBODY, stat, level, roll, gained)
