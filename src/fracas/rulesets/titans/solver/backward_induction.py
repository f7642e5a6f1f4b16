"""Backward induction: the value of a state if both play their best from there. titans/README.md, "Solving"."""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.expected_values import chance_to_act_first
from fracas.rulesets.titans.rules.mechanics import judge_shares
from fracas.rulesets.titans.rules.observation import mark_legal, see_duel, see_lasting
from fracas.rulesets.titans.rules.outcome_probabilities import apply_outcome, outcome_count
from fracas.rulesets.titans.rules.titan_stats import has_change, is_legal, titan_at, update_stat
from fracas.rulesets.titans.solver.matrix_game import solve_game
from fracas.rulesets.titans.solver.policy_mixes import policy_mix


@kernel
def enter_state(battle, space, states, index: int) -> None:
    """Put the duel into a state at the start of a round."""
    battle.reason = codes.UNDECIDED
    battle.winner = 0
    for player in range(codes.PLAYERS):
        one = titan_at(battle, player)
        one.hp = states[index, 1 + player]
        one.charge = states[index, 3 + player]
        one.shield = 0.0
        one.last_choice = codes.NOTHING_CHOSEN
        bear_changes(battle, space, one, states[index, 0])


@kernel
def bear_changes(battle, space, one, number: int) -> None:
    """Give a titan the stat changes that a number encodes."""
    if battle.change_count == 0:
        return
    one.active = 0
    for stat in range(len(codes.STATS)):
        one.sums[stat] = 0
    for change in range(battle.change_count):
        left = 0
        if space.longest[one.index, change] > 0:
            left = number // space.stride[one.index, change] % (space.longest[one.index, change] + 1)
        one.until[change] = battle.tick - 1 + left if left > 0 else 0
        if left > 0:
            one.active += 1
            one.sums[battle.changes[change].stat] += battle.changes[change].percent
    for stat in range(len(codes.STATS)):
        update_stat(one, stat)


@kernel
def stage_value(battle, space, following) -> float:
    """The value of a state: that of its stage game, or under fixed policies."""
    for player in range(codes.PLAYERS):
        list_legal(space, titan_at(battle, player))
        for number in range(codes.CHOICES):
            space.mixes[player, number] = 0.0
        if space.is_fixed[player] != 0:
            policy_mix(battle, space, titan_at(battle, player))
    keep(battle, space, 0)
    rows, columns = space.counts[0], space.counts[1]
    for row in range(rows):
        for column in range(columns):
            space.chances[row, column] = 0.0
            if is_wanted(space, 0, row) and is_wanted(space, 1, column):
                space.chances[row, column] = pair_value(battle, space, following, row, column)
    if space.is_fixed[0] == 0 and space.is_fixed[1] == 0:
        return solve_game(space, rows, columns)
    return value_of_mixes(space, rows, columns)


@kernel
def list_legal(space, one) -> None:
    """List a titan's legal choices (README, Choices)."""
    count = 0
    for choice in range(codes.FIRST_ABILITY + one.ability_count):
        if is_legal(one, choice):
            space.legal[one.index, count] = choice
            count += 1
    space.counts[one.index] = count


@kernel
def is_wanted(space, player: int, number: int) -> bool:
    """Whether a choice must be examined; a fixed policy may never make it."""
    return space.is_fixed[player] == 0 or space.mixes[player, number] > 0.0


@kernel
def value_of_mixes(space, rows: int, columns: int) -> float:
    """The value of a stage game if one or both players have fixed policies and the other answers its best.

    Changes: space.mixes of who answers.
    """
    if space.is_fixed[1] == 0:
        best, least = 0, 2.0
        for column in range(columns):
            value = 0.0
            for row in range(rows):
                value += space.mixes[0, row] * space.chances[row, column]
            if value < least:
                best, least = column, value
        space.mixes[1, best] = 1.0
        return least
    best, most, total = 0, -1.0, 0.0
    for row in range(rows):
        value = 0.0
        for column in range(columns):
            value += space.mixes[1, column] * space.chances[row, column]
        total += space.mixes[0, row] * value
        if value > most:
            best, most = row, value
    if space.is_fixed[0] != 0:
        return total
    space.mixes[0, best] = 1.0
    return most


@kernel
def pair_value(battle, space, following, row: int, column: int) -> float:
    """Player 1's chance to win after a pair of choices, over all outcomes (README, The round, steps 4 to 6)."""
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    undo_action(battle, space, 0)
    one.choice = space.legal[0, row]
    other.choice = space.legal[1, column]
    first = chance_to_act_first(one, other)
    value = 0.0
    for index in range(codes.PLAYERS):
        chance = first if index == 0 else 1.0 - first
        if chance > 0.0:
            value += chance * value_in_order(battle, space, following, index)
    return value


@kernel
def value_in_order(battle, space, following, first: int) -> float:
    """Player 1's chance to win after a pair of choices, given who acts first (README, Acting)."""
    value = 0.0
    undo_action(battle, space, 0)
    earlier, later = titan_at(battle, first), titan_at(battle, 1 - first)
    for outcome in range(outcome_count(battle, earlier)):
        undo_action(battle, space, 0)
        chance = apply_outcome(battle, earlier, outcome)
        if chance > 0.0 and battle.reason != codes.UNDECIDED:
            value += chance * won(battle)
        elif chance > 0.0:
            keep(battle, space, 1)
            for answer in range(outcome_count(battle, later)):
                undo_action(battle, space, 1)
                part = apply_outcome(battle, later, answer)
                if part > 0.0:
                    value += chance * part * value_after(battle, space, following)
    return value


@kernel
def keep(battle, space, step: int) -> None:
    """Save everything that actions change."""
    kept = space.kept[step]
    for player in range(codes.PLAYERS):
        one = titan_at(battle, player)
        kept.hp[player] = one.hp
        kept.charge[player] = one.charge
        kept.shield[player] = one.shield
        kept.active[player] = one.active
        if battle.change_count > 0:
            for change in range(battle.change_count):
                kept.until[player, change] = one.until[change]
            for stat in range(len(codes.STATS)):
                kept.sums[player, stat] = one.sums[stat]
                kept.now[player, stat] = one.now[stat]


@kernel
def undo_action(battle, space, step: int) -> None:
    """Undo what an action has changed."""
    kept = space.kept[step]
    battle.reason = codes.UNDECIDED
    battle.winner = 0
    for player in range(codes.PLAYERS):
        one = titan_at(battle, player)
        one.hp = kept.hp[player]
        one.charge = kept.charge[player]
        one.shield = kept.shield[player]
        one.active = kept.active[player]
        if battle.change_count > 0:
            for change in range(battle.change_count):
                one.until[change] = kept.until[player, change]
            for stat in range(len(codes.STATS)):
                one.sums[stat] = kept.sums[player, stat]
                one.now[stat] = kept.now[player, stat]


@kernel
def won(battle) -> float:
    """The value of an outcome for player 1: 1 for a victory, 0.5 for a draw."""
    if battle.winner == 0:
        return 0.5
    return 1.0 if battle.winner == 1 else 0.0


@kernel
def value_after(battle, space, following) -> float:
    """The value of the state after both have acted (README, End of a round).

    Changes: battle.winner and battle.reason.
    """
    if battle.reason == codes.KNOCK_OUT:
        return won(battle)
    if battle.tick >= battle.options.round_cap:
        judge_shares(battle, titan_at(battle, 0), titan_at(battle, 1))
        return won(battle) if battle.reason >= codes.CAP_HP else 0.5
    return between_nodes(battle, space, following)


@kernel
def changes_borne(battle, space) -> int:
    """The number that encodes both titans' stat changes after this round."""
    number = 0
    for player in range(codes.PLAYERS):
        one = titan_at(battle, player)
        if one.active > 0:
            for change in range(battle.change_count):
                if has_change(one, change):
                    left = min(max(one.until[change] - battle.tick, 0), space.longest[player, change])
                    number += left * space.stride[player, change]
    return number


@kernel
def between_nodes(battle, space, following) -> float:
    """The value of a state, interpolated between the nodes around it."""
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    charges, others = space.charge_nodes[0], space.charge_nodes[1]
    start = changes_borne(battle, space) * space.hp_nodes[0]
    value = 0.0
    for a in range(2):
        share_a = share_of(space.hp_share[0, one.hp], a)
        if share_a > 0.0:
            place_a = (start + space.hp_low[0, one.hp] + a) * space.hp_nodes[1]
            for b in range(2):
                share_b = share_a * share_of(space.hp_share[1, other.hp], b)
                if share_b > 0.0:
                    place_b = (place_a + space.hp_low[1, other.hp] + b) * charges
                    for c in range(2):
                        share_c = share_b * share_of(space.charge_share[0, one.charge], c)
                        if share_c > 0.0:
                            place_c = (place_b + space.charge_low[0, one.charge] + c) * others
                            low = place_c + space.charge_low[1, other.charge]
                            above = space.charge_share[1, other.charge]
                            value += share_c * (1.0 - above) * following[low]
                            if above > 0.0:
                                value += share_c * above * following[low + 1]
    return value


@kernel
def share_of(above: float, side: int) -> float:
    """The weight of the node below (0) or above (1)."""
    return above if side == 1 else 1.0 - above


def sweep(battles, spaces, following, states, values, mixes) -> None:
    """The values of states for player 1 at the start of round battles[0].tick, and both players' mixes there.

    battles: (1,) of battle_t. spaces: (1,) of space_t. following: the value of every node a round later. states: (n,
    5) of int64: number of the changes borne, HP of both, charge of both. values: (n,). mixes: (n, 2, CHOICES).
    """
    battle, space = battles[0], spaces[0]
    for index in range(len(values)):
        enter_state(battle, space, states, index)
        values[index] = stage_value(battle, space, following)
        for player in range(codes.PLAYERS):
            for choice in range(codes.CHOICES):
                mixes[index, player, choice] = 0.0
            for number in range(space.counts[player]):
                mixes[index, player, space.legal[player, number]] = space.mixes[player, number]


def sweep_pairs(battles, spaces, following, states, chances) -> None:
    """Player 1's chance to win for each pair of choices of states, at the start of round battles[0].tick.

    As `sweep`, but following: (CHOICES, CHOICES, nodes), the value of every node a round later, by what both have
    chosen. chances: (n, CHOICES, CHOICES); pairs that are not legal stay as they are.
    """
    battle, space = battles[0], spaces[0]
    for index in range(len(states)):
        enter_state(battle, space, states, index)
        for player in range(codes.PLAYERS):
            list_legal(space, titan_at(battle, player))
        keep(battle, space, 0)
        for row in range(space.counts[0]):
            for column in range(space.counts[1]):
                one, other = space.legal[0, row], space.legal[1, column]
                chances[index, one, other] = pair_value(battle, space, following[one, other], row, column)


def sweep_views(battles, spaces, states, side: int, seen, masks) -> None:
    """What a player sees in states at the start of round battles[0].tick: version 2 of observations, without content.

    As `sweep`. seen: (n, FEATURES and what lasts), float32. masks: (n, CHOICES), int8, which choices are legal.
    """
    battle, space = battles[0], spaces[0]
    for index in range(len(states)):
        enter_state(battle, space, states, index)
        see_duel(battle, side, seen[index], True)
        see_lasting(battle, side, seen[index], codes.FEATURES)
        mark_legal(battle, side, masks[index])
