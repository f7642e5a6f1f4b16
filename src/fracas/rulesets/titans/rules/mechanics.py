"""The rules of titans, in the order of play. Every function cites the rule book, titans/README.md.

Choices are in policies.py, dice in rolls.py, effects of attacks and abilities in effects.py.
"""

from __future__ import annotations

from fracas.kernel.dice import below, open_address, open_in_turn, open_turn
from fracas.kernel.enumerating_dice import dispatch_on_dice
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.effects import add_charge, apply_effect, end_change, scaled_charge, strike
from fracas.rulesets.titans.rules.events import (
    emit_act,
    emit_duel,
    emit_experience,
    emit_growth,
    emit_outcome,
    emit_pay,
    emit_round,
    emit_round_end,
    emit_skipped,
    emit_titan,
)
from fracas.rulesets.titans.rules.outcome_probabilities import attack_in_ways
from fracas.rulesets.titans.rules.policies import ability_code, choose
from fracas.rulesets.titans.rules.rolls import hits, is_critical, roll_damage, roll_speeds
from fracas.rulesets.titans.rules.titan_stats import (
    ability_at,
    cost_of,
    has_change,
    is_legal,
    opponent_of,
    titan_at,
    update_stat,
)


@kernel
def set_up(battle, log) -> None:
    """Set up both titans with full HP and no charge (README, Set-up)."""
    battle.tick = 0
    battle.winner = codes.DRAW
    battle.reason = codes.UNDECIDED
    options = battle.options
    emit_duel(log, 0, options.round_cap, options.sudden_death)
    for index in range(codes.PLAYERS):
        one = titan_at(battle, index)
        refresh(battle, one)
        emit_titan(log, 0, index, one.hp, one.charge, one.level, one.experience)


@kernel
def refresh(battle, one) -> None:
    """Reset a titan to its state at the start of a duel (README, Set-up)."""
    one.hp = one.max_hp
    one.charge = 0
    one.shield = 0.0
    one.choice = codes.NOTHING_CHOSEN
    one.last_choice = codes.NOTHING_CHOSEN
    one.missed = 0
    one.active = 0
    for stat in range(len(codes.STATS)):
        one.sums[stat] = 0
        update_stat(one, stat)
    for index in range(battle.change_count):
        one.until[index] = 0


@kernel
def play_round(battle, log) -> None:
    """Play a round: both choose, speed decides who acts first, both act, the round ends (README, The round)."""
    start_round(battle, log)
    for index in range(codes.PLAYERS):
        choose(battle, titan_at(battle, index), log)
    carry_out(battle, log)


@kernel
def carry_out(battle, log) -> None:
    """Play a round after the choices: speed decides who acts first, both act, the round ends.

    README, The round, from step 3.
    """
    judge_misses(battle)
    if battle.reason != codes.UNDECIDED:
        return
    first = roll_speeds(battle, log)
    act(battle, titan_at(battle, first), 1, log)
    act(battle, titan_at(battle, 1 - first), 2, log)
    if battle.reason == codes.UNDECIDED:
        end_round(battle, log)


@kernel
def start_round(battle, log) -> None:
    """Start a round; the choices of the previous round become public (README, The round, step 1)."""
    battle.tick += 1
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    one.last_choice = one.choice
    other.last_choice = other.choice
    emit_round(log, battle.tick, one.hp, other.hp, one.charge, other.charge)


@kernel
def judge_misses(battle) -> None:
    """End the duel if a player missed three deadlines in a row; if both did, it is a draw (README, Deadlines)."""
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    if one.missed >= codes.MISSES_TO_FORFEIT and other.missed >= codes.MISSES_TO_FORFEIT:
        battle.reason = codes.BOTH_FORFEIT
    elif one.missed >= codes.MISSES_TO_FORFEIT:
        battle.reason = codes.FORFEIT
        battle.winner = 2
    elif other.missed >= codes.MISSES_TO_FORFEIT:
        battle.reason = codes.FORFEIT
        battle.winner = 1


@kernel_noinline
def act(battle, one, index: int, log) -> None:
    """Carry out a player's choice, unless the duel is over or the titan can no longer afford it (README, Acting)."""
    choice = one.choice
    if battle.reason != codes.UNDECIDED:
        log_skipped(battle, one, codes.DUEL_OVER, log)
        return
    if not is_legal(one, choice):
        log_skipped(battle, one, codes.TOO_LITTLE_CHARGE, log)
        return
    if log is not None:
        action = min(choice, codes.FIRST_ABILITY)
        emit_act(log, battle.tick, one.index, action, ability_code(one, choice), index)
    if choice == codes.ATTACK:
        open_in_turn(battle.dice, battle.tick, one.index, 1)
        attack(battle, one, log)
        return
    open_turn(battle.dice, battle.tick, one.index, 1)
    if choice == codes.REST:
        add_charge(battle, one, one, scaled_charge(battle, one, battle.options.rest_charge), codes.FROM_REST, log)
    elif choice >= codes.FIRST_ABILITY:
        use_ability(battle, one, choice, log)


@kernel
def log_skipped(battle, one, obstacle: int, log) -> None:
    """Report an action that is skipped (README, Acting)."""
    if log is not None:
        action, ability = min(one.choice, codes.FIRST_ABILITY), ability_code(one, one.choice)
        emit_skipped(log, battle.tick, one.index, action, ability, obstacle)


@dispatch_on_dice(attack_in_ways)
@kernel
def attack(battle, one, log) -> None:
    """Attack. Doing damage may give charge, and so does being attacked while defending (README, Attack)."""
    other = opponent_of(battle, one)
    if hits(battle, one, other, log):
        critical = is_critical(battle, one, other, log)
        damage = roll_damage(battle, one, other, log)
        if critical:
            damage = damage * 1.5
        lost = strike(battle, one, other, damage, log)
        if battle.reason != codes.UNDECIDED:
            return
        if lost > 0 and battle.options.attack_charge > 0:
            gain = scaled_charge(battle, one, battle.options.attack_charge)
            add_charge(battle, one, one, gain, codes.FROM_HURTING, log)
    if other.choice == codes.DEFEND:
        add_charge(battle, one, other, battle.options.defend_charge, codes.FROM_DEFENDING, log)


@kernel
def use_ability(battle, one, choice: int, log) -> None:
    """Pay for an ability and apply its effects in order until the duel is over (README, Abilities)."""
    code = ability_code(one, choice)
    ability = ability_at(battle, code)
    one.charge -= cost_of(one, choice)
    emit_pay(log, battle.tick, one.index, code, ability.cost, one.charge)
    dealt = 0
    for index in range(ability.effect_count):
        if battle.reason == codes.UNDECIDED:
            dealt += apply_effect(battle, one, ability.effects[index & codes.EFFECT_MASK], dealt, log)


@kernel
def end_round(battle, log) -> None:
    """End a round: remove shields, end expired changes, and decide the duel after the last round.

    README, End of a round.
    """
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    for index in range(codes.PLAYERS):
        who = titan_at(battle, index)
        who.shield = 0.0
        if who.active > 0:
            for position in range(battle.change_count):
                if has_change(who, position) and who.until[position] <= battle.tick:
                    end_change(battle, who, position, 1, log)
    emit_round_end(log, battle.tick, one.hp, other.hp, one.charge, other.charge)
    if battle.tick >= battle.options.round_cap:
        judge_shares(battle, one, other)


@kernel
def judge_shares(battle, one, other) -> None:
    """Decide the duel after the last round: the higher share of HP wins, equal shares are a draw.

    README, End of a round, step 4.
    """
    first, second = one.hp * other.max_hp, other.hp * one.max_hp
    battle.reason = codes.CAP_EQUAL if first == second else codes.CAP_HP
    if first > second:
        battle.winner = 1
    elif second > first:
        battle.winner = 2


@kernel
def announce_outcome(battle, log) -> None:
    """Emit the outcome and both titans' experience (README, Outcome)."""
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    emit_outcome(log, battle.tick, battle.winner, battle.reason, one.hp, other.hp)
    if battle.options.experience != 0:
        gain_xp(battle, one, log)
        gain_xp(battle, other, log)


@kernel
def experience_gained(battle, one) -> int:
    """The experience that a titan gains: more against a higher level, and for a knock-out (README, Experience)."""
    other = opponent_of(battle, one)
    share = min(max(100 + codes.SHARE_OF_A_LEVEL * (other.level - one.level), codes.LEAST_SHARE), codes.MOST_SHARE)
    if battle.winner != one.index + 1:
        return (codes.LOSS_EXPERIENCE * share + 50) // 100
    if battle.reason != codes.KNOCK_OUT:
        return (codes.WIN_EXPERIENCE * share + 50) // 100
    return (codes.WIN_EXPERIENCE * share * codes.KNOCK_OUT_SHARE + 5000) // 10000


@kernel
def gain_xp(battle, one, log) -> None:
    """Give a titan experience; each new level raises its stats (README, Experience)."""
    gained = experience_gained(battle, one)
    level, experience = one.level, one.experience + gained
    while level < codes.LARGEST_LEVEL and experience >= codes.NEXT_LEVEL[level - 1]:
        experience -= codes.NEXT_LEVEL[level - 1]
        level += 1
    risen = level - one.level
    emit_experience(log, battle.tick, one.index, gained, level, experience, risen)
    for step in range(risen):
        level_up(battle, one, one.level + step + 1, log)


@kernel
def level_up(battle, one, level: int, log) -> None:
    """Raise each stat by up to three points at a new level (README, Experience)."""
    open_address(battle.dice, level, codes.GROWTH_LANE + one.index)
    for stat in range(len(codes.GROWTH_STATS)):
        roll = below(battle.dice, 100)
        gained = 3
        if roll < codes.NO_GROWTH:
            gained = 0
        elif roll < codes.SLIGHT_GROWTH:
            gained = 1
        elif roll < codes.FAIR_GROWTH:
            gained = 2
        emit_growth(log, battle.tick, one.index, stat, level, roll, gained)
