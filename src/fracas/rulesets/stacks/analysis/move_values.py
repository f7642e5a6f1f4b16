"""Explains a participant's choice of a move: the exact value of every target and move type at its turn.

`--state` can change `turn`, and for each participant `units.STACK.UNIT.health`, `.attack`, `.defence` and `.damage`,
such as `units.vanguard.archer-2.health=3`.
"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest
from fracas.rulesets.contract.types import Asked, Compiled, ExplainedNode, Explanation, Override
from fracas.rulesets.shared.condition_dry_run import unit_index, whole_number
from fracas.rulesets.stacks.rules.constants import EXACT, LARGEST_STAT, LARGEST_TURN_CAP, SAMPLED, UNDECIDED
from fracas.rulesets.stacks.rules.entry_points import play_until
from fracas.rulesets.stacks.rules.moves.dispatch import expected_value, is_viable, repeats
from fracas.rulesets.stacks.rules.policies import choose_move

SCORES = ("attack", "defence", "damage")


def explain(compiled: Compiled, **asked: Unpack[Asked]) -> Explanation:
    """Play up to the participant's turn, apply the overrides, and value every possible move there.

    Raises:
        InputError: see the contract; also if a condition is given, because stacks has none.
    """
    if asked["when"] is not None:
        raise UsageError.of("--when", "stacks has no conditions", "leave it out to see the values of the moves")
    unit, round = asked["unit"], asked["round"]
    battle = compiled.own_record()[0]
    number = unit_index(compiled, unit, "--unit", " in this battle")
    # Plain calls take the plug-ins as they are; only compiled ones need tuples of a fixed length.
    plugins = compiled.functions
    if not play_until(battle, asked["stream"], round, number, plugins):
        raise UsageError.of("--round", f"{unit} has no turn {round}: {why_none(battle, number, round)}")
    for override in asked["state"]:
        apply_override(battle, compiled, override)
    worth = float(choose_move(battle, number, None, plugins))
    nodes = tuple(_pairs(battle, compiled, number, plugins))
    return Explanation(unit, round, None, worth > 0, nodes, verdict=_verdict(battle, compiled, worth))


def _pairs(battle: Any, compiled: Compiled, number: int, plugins: Any) -> list[ExplainedNode]:
    """Every viable target and move type in order, with its exact value."""
    actor, units, moves = battle.participants[number], compiled.books["unit"], compiled.books["move"]
    nodes = []
    for target in map(int, battle.involved[: battle.involved_count]):
        for move in map(int, actor.moves[: actor.move_count]):
            if is_viable(battle, move, number, target, plugins):
                value = float(expected_value(battle, move, number, target, plugins))
                times = min(max(int(repeats(battle, move, number, target, plugins)), 1), 8)
                is_chosen = (move, target) == (int(battle.chosen_move), int(battle.chosen_target))
                made = f", made {times} times" if times > 1 else ""
                nodes.append(ExplainedNode(0, f"{moves[move]} on {units[target]}", is_chosen, f"{value:.4g}{made}"))
    return nodes


def _verdict(battle: Any, compiled: Compiled, worth: float) -> str:
    """The choice in words."""
    if worth <= 0:
        return "waits, because no move is worth more than 0"
    move = compiled.books["move"][int(battle.chosen_move)]
    target = compiled.books["unit"][int(battle.chosen_target)]
    guess = " by trial rolls; the values below are exact" if battle.options.valuation == SAMPLED else ""
    first = ", the first with the highest value" if battle.options.valuation == EXACT else ""
    return f"chooses {move} on {target}, worth {worth:.4g}{guess}{first}"


def why_none(battle: Any, number: int, round: int) -> str:
    """Why a participant has no turn where `play_until` stopped."""
    if battle.reason != UNDECIDED:
        last = int(battle.turns_played) - 1
        return "no one defends the tile, so there are no turns" if last < 0 else f"the battle ends with turn {last}"
    if battle.participants[number].health == 0:
        return "it has fallen"
    return f"the battle is in turn {battle.turn}"


def apply_override(battle: Any, compiled: Compiled, override: Override) -> None:
    """Set one value of the battle's state, such as `units.vanguard.archer.health`.

    Raises:
        InputError: an unknown path, or a value out of range.
    """
    where = override.label
    if override.path == ("turn",):
        battle.turn = whole_number(override.value, 0, LARGEST_TURN_CAP, where)
        return
    if len(override.path) != 4 or override.path[0] != "units":
        raise InputError.of(where, "is not a path of the state", "write turn=N, or units.STACK.UNIT.FIELD=N")
    _, stack, unit, name = override.path
    participant = battle.participants[unit_index(compiled, f"{stack}.{unit}", where, " in this battle")]
    if name == "health":
        # A living participant must stay alive, so that it still has its turn.
        least = int(participant.health > 0)
        participant.health = whole_number(override.value, least, int(participant.full_health), where)
    elif name in SCORES:
        participant[name] = np.int64(whole_number(override.value, 0, LARGEST_STAT, where))
    else:
        raise InputError.of(where, f'a unit\'s state has no "{name}"', nearest(name, ("health", *SCORES)))
