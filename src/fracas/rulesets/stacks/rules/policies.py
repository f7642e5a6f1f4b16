"""Chooses moves: every participant takes the one with the highest value. stacks/README.md, A participant's turn.

The rules: stacks/README.md, Sampled values; Scores; Event rows.
"""

from __future__ import annotations

from fracas.kernel.dice import between, open_address
from fracas.kernel.enumerating_dice import dispatch_on_dice, outcome_of_chance
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import emit_considered, emit_trial, emit_wait
from fracas.rulesets.stacks.rules.move_ranking import choose_ranked, is_ranked
from fracas.rulesets.stacks.rules.moves.dispatch import repeats, worth
from fracas.rulesets.stacks.rules.moves.melee import charge_damage
from fracas.rulesets.stacks.rules.moves.ranged import splashed
from fracas.rulesets.stacks.rules.participants import involved_at, is_living, member_at, participant_at, relation
from fracas.rulesets.stacks.rules.rolls import hits, score


@kernel
def choose_move(battle, actor: int, log, plugins) -> float:
    """Choose the viable target and move type with the highest value, the first of equals; returns the value, or 0.

    Battles without a log look the choice up, where they can, and return 0 (move_ranking.py).
    """
    if log is None and plugins is None and is_ranked(battle):
        choose_ranked(battle, actor)
        # Only logs tell the value.
        return 0.0
    one = participant_at(battle, actor)
    # Local until the end: the compiler would read the record's fields back at every pair.
    best, best_target, best_move, viable_count = 0.0, NOBODY, NOBODY, 0
    is_sampled = battle.options.valuation == codes.SAMPLED
    if is_sampled:
        open_address(battle.dice, battle.tick, codes.TRIAL_LANE + actor)
    if plugins is not None:
        ask_plugins(battle, actor, plugins)
    # Skip at once all who are no possible target of the actor's moves, even a whole side.
    group = candidates_of(one)
    for index in range(candidate_count(battle, group)):
        target = candidate_at(battle, group, index)
        related = relation(battle, actor, target)
        for entry in range(one.move_count if one.aims & related != 0 else 0):
            move = one.moves[entry & codes.UNIT_MOVE_MASK]
            if move >= codes.FIRST_PLUGIN_MOVE:
                value = battle.worths[entry & codes.UNIT_MOVE_MASK, index & codes.PARTICIPANT_MASK]
            else:
                value = value_of(battle, move, actor, target, is_sampled, log)
            is_best = value > best
            if is_best:
                best, best_target, best_move = value, target, move
            if log is not None and value != codes.NOT_VIABLE:
                viable_count += 1
                emit_considered(log, battle.tick, actor, target, move, value, is_best)
    battle.chosen_target = best_target
    battle.chosen_move = best_move
    if log is not None and best_target == NOBODY:
        emit_wait(log, battle.tick, actor, viable_count)
    return best


@kernel
def candidates_of(one) -> int:
    """The possible targets of a participant's moves: the number of a side, or SIDES for everyone.

    The others are not viable targets.
    """
    if one.aims == codes.LIVING_ENEMIES:
        return 1 - one.side
    if one.aims == codes.LIVING_FRIENDS:
        return one.side
    return codes.SIDES


@kernel
def candidate_count(battle, group: int) -> int:
    """The number of participants in an answer of `candidates_of`, living or dead."""
    return battle.involved_count if group == codes.SIDES else battle.sides[group & 1].member_count


@kernel
def candidate_at(battle, group: int, index: int) -> int:
    """The id of a participant in an answer of `candidates_of`, by its place in ascending order."""
    return involved_at(battle, index) if group == codes.SIDES else member_at(battle, group, index)


@kernel
def ask_plugins(battle, actor: int, plugins) -> None:
    """Let every plug-in move of the actor value all targets, with one call each; plug-ins' answers are pure.

    README, Plug-in moves.
    """
    one = participant_at(battle, actor)
    for entry in range(one.move_count):
        move = one.moves[entry & codes.UNIT_MOVE_MASK]
        if move >= codes.FIRST_PLUGIN_MOVE:
            battle.move_type = move
            plugins[codes.WEIGH][move - codes.FIRST_PLUGIN_MOVE & codes.PLUGIN_MASK](battle, actor, entry)


@kernel
def value_of(battle, move: int, actor: int, target: int, is_sampled: bool, log) -> float:
    """The value of a shipped move, by trial rolls if the rules say so and it allows them, else exact; or NOT_VIABLE."""
    value = worth(battle, move, actor, target)
    if is_sampled and value != codes.NOT_VIABLE and can_be_tried(move):
        return sampled_value(battle, move, actor, target, log)
    return value


@kernel
def can_be_tried(move: int) -> bool:
    """Whether a move allows trial rolls: only harmful shipped ones do."""
    return (
        move == codes.STRIKE
        or move == codes.ARCHERY
        or move == codes.CHARGE
        or move == codes.BOMBARD
        or move == codes.JAVELIN
    )


@kernel_noinline
def sampled_value(battle, move: int, actor: int, target: int, log) -> float:
    """The value of a harmful shipped move from five trials, over all its repeats."""
    total = 0
    for _ in range(codes.TRIALS):
        total += try_move(battle, move, actor, target, log)
    return total * repeats(battle, move, actor, target, None) / codes.TRIALS


@kernel
def try_move(battle, move: int, actor: int, target: int, log) -> int:
    """One trial: the damage of making the move once, over all targets that it strikes."""
    one = participant_at(battle, actor)
    attack, damage = one.attack, one.damage
    bonus = 0
    if move == codes.CHARGE:
        if battle.options.charge_estimate == codes.AS_VALUE:
            bonus = codes.CHARGE_BONUS
        else:
            attack += codes.CHARGE_BONUS
            damage = charge_damage(battle, one)
    elif move == codes.JAVELIN:
        attack += codes.JAVELIN_BONUS
        damage += codes.JAVELIN_BONUS
    total = bonus + trial_roll(battle, move, actor, target, attack, damage, log)
    if move == codes.BOMBARD:
        first = splashed(battle, target)
        if first != NOBODY:
            for struck in range(first, first + codes.STACK_SLOTS):
                if is_living(battle, struck):
                    weaker = attack - codes.SPLASH_LOSS, damage - codes.SPLASH_LOSS
                    total += trial_roll(battle, move, actor, struck, weaker[0], weaker[1], log)
    return total


@kernel_noinline
def trial_roll_in_ways(battle, move: int, actor: int, target: int, attack: int, damage: int, log) -> int:
    """A trial damage roll for exact odds: the health that it would take."""
    a, d = score(battle, attack), score(battle, participant_at(battle, target).defence)
    if outcome_of_chance(battle.dice, hits(a, d), (a + 1) * (d + 1)):
        return between(battle.dice, 0, score(battle, damage))
    return 0


@dispatch_on_dice(trial_roll_in_ways)
@kernel_noinline
def trial_roll(battle, move: int, actor: int, target: int, attack: int, damage: int, log) -> int:
    """A trial damage roll: the health that it would take; it changes nothing."""
    roll = between(battle.dice, 0, score(battle, attack))
    against = between(battle.dice, 0, score(battle, participant_at(battle, target).defence))
    amount = NOBODY
    if roll > against:
        amount = between(battle.dice, 0, score(battle, damage))
    emit_trial(log, battle.tick, actor, target, move, roll, against, amount)
    return max(amount, 0)
