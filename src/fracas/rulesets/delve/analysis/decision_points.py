"""Stops a delve run or lone encounter at each encounter, each round and each decision in a fight, for `fracas why`.

A place, as `resume` takes it: (a place of kernel/snapshots.py; place in the round's order, -1 at an encounter's
beginning; the given slot of the queue, -1 to pass; its target, -1 if it has none).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY
from fracas.kernel.networks import has_network
from fracas.rulesets.contract.analysis import DecisionPoint
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.delve.analysis.agent_interface import decode
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.combat import begin_turn, end_round, set_up_combat, start_round, take_turn
from fracas.rulesets.delve.rules.observation import mark_legal
from fracas.rulesets.delve.rules.participants import is_for_one, participant_at, queue_slot_at, skill_at
from fracas.rulesets.delve.rules.policies import evaluate_queue
from fracas.rulesets.delve.rules.run.run import begin_encounter, end_fight, next_encounter, start_run
from fracas.rulesets.delve.rules.state import GIVEN
from fracas.rulesets.delve.rules.targeting import select_target
from fracas.rulesets.delve.rules.trained import trained_action
from fracas.rulesets.shared.decision_walk import DecisionWalk, Pair

PASSES: Pair = (NOBODY, NOBODY)


def decision_points(compiled: Compiled, document: Document, stream: int) -> list[DecisionPoint]:
    """The decision points of a run, in order."""
    return _Walk(compiled, document).points(stream)


class _Walk(DecisionWalk):
    def __init__(self, compiled: Compiled, document: Document) -> None:
        super().__init__(compiled, GIVEN, PASSES)
        self.titles = compiled.books["title"]
        self.skills = [document["skills"][name]["name"] for name in compiled.books["skill"]]

    def moments(self) -> Iterator[DecisionPoint]:
        battle = self.battle
        start_run(battle, None)
        while battle.reason == codes.UNDECIDED:
            yield self.round_start(int(battle.encounter) * codes.TICKS_PER_ENCOUNTER, NOBODY)
            begin_encounter(battle, None)
            if battle.fought_count > 0:
                yield from self.fight()
            next_encounter(battle, None)

    def fight(self) -> Iterator[DecisionPoint]:
        """A fight, from its set-up to its outcome."""
        battle = self.battle
        set_up_combat(battle, None)
        outcome = codes.UNDECIDED
        while outcome == codes.UNDECIDED:
            yield self.round_start(int(battle.tick) + 1)
            start_round(battle, None)
            for index in range(battle.order_count):
                actor = participant_at(battle, battle.order_keys[index])
                if actor.hp > 0:
                    yield from self.decision(int(battle.tick), int(actor.index), index)
                    take_turn(battle, actor, None)
                    if battle.sides[0].living == 0 or battle.sides[1].living == 0:
                        break
            outcome = int(end_round(battle, None))
        end_fight(battle, outcome)

    def choices(self, battle: Any, actor: int) -> tuple[list[Pair], Pair]:
        participant = participant_at(battle, actor)
        if not begin_turn(battle, participant, None):
            return [], PASSES
        chosen = chosen_option(battle, participant)
        return usable_options(battle, participant, chosen), chosen

    def title(self, battle: Any, actor: int) -> tuple[int, str]:
        participant = participant_at(battle, actor)
        return int(participant.side) + 1, f"{participant.side + 1} {self.titles[participant.number]}"

    def label(self, battle: Any, actor: int, option: Pair) -> str:
        place, target = option
        if place == NOBODY:
            return "passing"
        name = str(self.skills[queue_slot_at(battle, participant_at(battle, actor), place).skill])
        if target == NOBODY:
            return name
        return f"{name} on {'itself' if target == actor else self.title(battle, target)[1]}"


def chosen_option(battle: Any, actor: Any) -> Pair:
    """The slot and target that a participant's queue or trained policy picks, with the dice of this battle."""
    if has_network(battle.networks[actor.side]):
        return decode(int(actor.side), int(trained_action(battle, actor.side, actor.index, codes.IN_FIGHT)))
    place = int(evaluate_queue(battle, actor, None))
    if place == NOBODY:
        return PASSES
    slot = queue_slot_at(battle, actor, place)
    if not is_for_one(skill_at(battle, slot.skill)):
        return place, NOBODY
    open_address(battle.dice, battle.tick, actor.index)
    return place, int(select_target(battle, actor, slot))


def usable_options(battle: Any, actor: Any, chosen: Pair) -> list[Pair]:
    """What an agent might do in the participant's place; passing only if the queue chose to pass.

    A skill in several slots counts once: in the slot that was chosen, or else the first.
    """
    mask = np.zeros(codes.ACTIONS, np.int8)
    mark_legal(battle, int(actor.index), codes.IN_FIGHT, mask)
    options = [decode(int(actor.side), action) for action in np.flatnonzero(mask).tolist()]
    if chosen == PASSES:
        return options
    skills = [int(queue_slot_at(battle, actor, place).skill) for place in range(actor.slot_count)]
    same = {place: chosen[0] for place, skill in enumerate(skills) if skill == skills[chosen[0]]}
    placed = [(same.get(place, place), target) for place, target in options if place != NOBODY]
    return sorted(placed, key=lambda option: option[0])
