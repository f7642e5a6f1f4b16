"""A battle of stacks stopped at each turn's start and at each choice of a move, for `fracas why`.

A place, as `resume` takes it: (one of those of kernel/snapshots.py; place in the order of play; the given move and its
target, both -1 for a turn without a move).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.event_log import NOBODY
from fracas.kernel.snapshots import FROM_DECISION, FROM_ROUND, WITH_CHOICE, mutable_spans, save_snapshot
from fracas.rulesets.contract.analysis import Decision, DecisionPoint, Option
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.stacks.narration.labels import Cast
from fracas.rulesets.stacks.rules.constants import FIRST_PLUGIN_MOVE, NOT_VIABLE, UNDECIDED
from fracas.rulesets.stacks.rules.mechanics import end_turn, set_up, start_turn, take_turn
from fracas.rulesets.stacks.rules.moves.dispatch import worth
from fracas.rulesets.stacks.rules.participants import in_order, is_living, participant_at, relation
from fracas.rulesets.stacks.rules.policies import ask_plugins, candidate_at, candidate_count, candidates_of, choose_move

Pair = tuple[int, int]
WAITS: Pair = (NOBODY, NOBODY)


def decision_points(compiled: Compiled, document: Document, stream: int) -> list[DecisionPoint]:
    """The moments of a battle, in order."""
    return list(_Course(compiled, document).moments(stream))


class _Course:
    def __init__(self, compiled: Compiled, document: Document) -> None:
        self.records = compiled.record.copy()
        self.battle = self.records[0]
        self.spans = mutable_spans(self.records.dtype, frozenset())
        self.plugins = tuple(zip(*(plugin.functions for plugin in compiled.plugins), strict=True)) or None
        self.moves = compiled.books["move"]
        members = Cast(document).members
        self.titles = ["" if unit is None else members[unit].title for unit in compiled.books["unit"]]

    def moments(self, stream: int) -> Iterator[DecisionPoint]:
        battle = self.battle
        seek_stream(battle.dice, stream)
        set_up(battle, None)
        while battle.reason == UNDECIDED:
            tick = int(battle.first_tick + battle.turn)
            yield DecisionPoint(tick, save_snapshot(self.records, self.spans), (FROM_ROUND, 0, *WAITS))
            start_turn(battle, None)
            for place in range(battle.involved_count):
                actor = int(in_order(battle, place))
                if is_living(battle, actor):
                    decision = self.decision(actor, place)
                    if decision is not None:
                        kept = save_snapshot(self.records, self.spans)
                        yield DecisionPoint(tick, kept, (FROM_DECISION, place, *WAITS), decision)
                    take_turn(battle, actor, None, self.plugins)
            end_turn(battle, None)

    def decision(self, actor: int, place: int) -> Decision | None:
        """What a participant can do in its turn, and what it will do; None if it has no choice."""
        battle = self.records.copy()[0]
        options = viable_options(battle, actor, self.plugins)
        choose_move(battle, actor, None, self.plugins)
        chosen = int(battle.chosen_move), int(battle.chosen_target)
        if chosen == WAITS and options:
            options.append(WAITS)
        if len(options) < 2:
            return None
        choices = [Option(self.label(actor, option), (WITH_CHOICE, place, *option)) for option in options]
        side = int(participant_at(battle, actor).side) + 1
        return Decision(side, self.titles[actor], options.index(chosen), choices)

    def label(self, actor: int, option: Pair) -> str:
        """A choice in words."""
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
