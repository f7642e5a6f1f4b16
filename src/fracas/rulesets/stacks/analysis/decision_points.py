"""Stops a stacks battle at each turn's start and at each choice of a move, for `fracas why`.

A place, as `resume` takes it: (a place of kernel/snapshots.py; place in the order of play; the given move and its
target, both -1 for a turn without a move).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.rulesets.contract.analysis import DecisionPoint
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.shared.decision_walk import DecisionWalk, Pair
from fracas.rulesets.stacks.narration.labels import Participants
from fracas.rulesets.stacks.rules.constants import FIRST_PLUGIN_MOVE, NOT_VIABLE, UNDECIDED
from fracas.rulesets.stacks.rules.mechanics import end_turn, set_up, start_turn, take_turn
from fracas.rulesets.stacks.rules.moves.dispatch import worth
from fracas.rulesets.stacks.rules.participants import in_order, is_living, participant_at, relation
from fracas.rulesets.stacks.rules.policies import ask_plugins, candidate_at, candidate_count, candidates_of, choose_move
from fracas.rulesets.stacks.rules.state import GIVEN

WAITS: Pair = (NOBODY, NOBODY)


def decision_points(compiled: Compiled, document: Document, stream: int) -> list[DecisionPoint]:
    """The decision points of a battle, in order."""
    return _Walk(compiled, document).points(stream)


class _Walk(DecisionWalk):
    def __init__(self, compiled: Compiled, document: Document) -> None:
        super().__init__(compiled, GIVEN, WAITS)
        self.plugins = compiled.functions
        self.moves = compiled.books["move"]
        members = Participants(document).members
        self.titles = ["" if unit is None else members[unit].title for unit in compiled.books["unit"]]

    def moments(self) -> Iterator[DecisionPoint]:
        battle = self.battle
        set_up(battle, None)
        while battle.reason == UNDECIDED:
            tick = int(battle.first_tick + battle.turn)
            yield self.round_start(tick)
            start_turn(battle, None)
            for place in range(battle.involved_count):
                actor = int(in_order(battle, place))
                if is_living(battle, actor):
                    yield from self.decision(tick, actor, place)
                    take_turn(battle, actor, None, self.plugins)
            end_turn(battle, None)

    def choices(self, battle: Any, actor: int) -> tuple[list[Pair], Pair]:
        options = viable_options(battle, actor, self.plugins)
        choose_move(battle, actor, None, self.plugins)
        chosen = int(battle.chosen_move), int(battle.chosen_target)
        if chosen == WAITS and options:
            options.append(WAITS)
        return options, chosen

    def title(self, battle: Any, actor: int) -> tuple[int, str]:
        return int(participant_at(battle, actor).side) + 1, self.titles[actor]

    def label(self, battle: Any, actor: int, option: Pair) -> str:
        move, target = option
        if move == NOBODY:
            return "waiting"
        return f"{self.moves[move]} on {'itself' if target == actor else self.titles[target]}"


def viable_options(battle: Any, actor: int, plugins: Any) -> list[Pair]:
    """Every viable pair of move type and target, in the order in which they are considered."""
    one = participant_at(battle, actor)
    if plugins is not None:
        ask_plugins(battle, actor, plugins)
    group = candidates_of(one)
    options: list[Pair] = []
    for place in range(candidate_count(battle, group)):
        target = int(candidate_at(battle, group, place))
        if one.aims & relation(battle, actor, target) == 0:
            continue
        for entry in range(one.move_count):
            move = int(one.moves[entry])
            is_plugin = move >= FIRST_PLUGIN_MOVE
            value = battle.worths[entry, place] if is_plugin else worth(battle, move, actor, target)
            if value != NOT_VIABLE:
                options.append((move, target))
    return options
