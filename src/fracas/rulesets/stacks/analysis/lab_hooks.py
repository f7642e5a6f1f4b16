"""The hooks that the lab calls for stacks: match-ups, parts, stats, search space, contributions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.model_limits import bounds
from fracas.content.references import to_plain
from fracas.content.validate import validate
from fracas.rulesets.contract.analysis import (
    AnalysisHooks,
    Contribution,
    DecisionPoint,
    Dimension,
    SideRef,
    Stat,
    Vitals,
)
from fracas.rulesets.contract.types import Compiled, Document, Rows
from fracas.rulesets.shared.event_totals import (
    ACTOR,
    KIND,
    TARGET,
    A,
    B,
    C,
    EventTotals,
    last_index_by_key,
    latest,
    take_or,
)
from fracas.rulesets.stacks.analysis.decision_points import decision_points
from fracas.rulesets.stacks.analysis.hit_calculator import hits
from fracas.rulesets.stacks.analysis.move_values import explain
from fracas.rulesets.stacks.analysis.scenario_generator import random_scenario
from fracas.rulesets.stacks.analysis.search_space import ARMY, dimensions_of
from fracas.rulesets.stacks.analysis.sides import Army, army_of, drawn_of, drawn_up
from fracas.rulesets.stacks.content.engagement import Participant
from fracas.rulesets.stacks.content.world_models import ResolvedUnit
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules import events as kinds

STATS = ("attack", "defence", "damage", "health", "initiative")


class LabHooks(AnalysisHooks):
    """The lab's questions, answered for stacks.

    A side is an army: all stacks that an attack draws in on that side. Armies meet on a new field with the first one's
    kind of map and options. The first attacks, the second defends, each army belongs to one faction, and there are no
    other stacks. Stacks that keep their role keep their directions from the attacked tile. If attackers become
    defenders, their leading stack takes the tile and the others stand opposite their old places. If the kind of map has
    too little room, the next roomier kind is used.
    The two sides of the same attack meet as they are, in their own world.
    """

    parts = (ARMY,)
    explain = staticmethod(explain)
    hits = staticmethod(hits)
    random_scenario = staticmethod(random_scenario)

    def matchup(self, first: SideRef, second: SideRef) -> Document:
        self.check_side_refs(first, second)
        if (first.side, second.side) == (1, 2) and first.document == second.document:
            return first.document
        return drawn_up(first.document, army_of(first.document, first.side), army_of(second.document, second.side))

    def part(self, side_ref: SideRef, part: str) -> Any:
        self.check_side_refs(side_ref)
        self.check_part(part)
        return to_plain(army_of(side_ref.document, side_ref.side))

    def with_part(self, side_ref: SideRef, part: str, value: Any) -> Document:
        """As the contract says, on a new field; the same army again changes nothing."""
        self.check_side_refs(side_ref)
        self.check_part(part)
        given = validate(Army, value, "army")
        if value == self.part(side_ref, part):
            return side_ref.document
        other = army_of(side_ref.document, 3 - side_ref.side)
        return drawn_up(side_ref.document, *((given, other) if side_ref.side == 1 else (other, given)))

    def stats(self, side_ref: SideRef) -> Sequence[Stat]:
        """The numbers of all participants of a side; full health is at least what a wounded unit has left."""
        self.check_side_refs(side_ref)
        found = []
        for stack, place, unit in units_of(side_ref):
            for name in STATS:
                least, most = bounds(ResolvedUnit, name)
                if name == "health":
                    least = unit.get("current", least)
                path = ("stacks", str(stack), "units", str(place), name)
                found.append(Stat(path, name, _called(side_ref.document, stack, unit), unit[name], least, most))
        return found

    def search_space(self, side_ref: SideRef, folders: Sequence[Path] = ()) -> Sequence[Dimension]:
        self.check_side_refs(side_ref)
        return list(dimensions_of(side_ref, units_of(side_ref), folders))

    def vitals(self, compiled: Compiled, document: Document) -> Vitals:
        """All participants; HP are health."""
        sides = {fighter.id: fighter.side + 1 for fighter in drawn_of(document).fighters}
        return Vitals(sides, (kinds.Ready, kinds.Move, kinds.Health))

    def contributions(self, rows: Rows, compiled: Compiled, document: Document) -> Sequence[Contribution]:
        """What each move type contributed: `damage` to enemies and `healing` of friends or the actor, in health.

        `uses` is the number of times the move was chosen, or for Riposte made; `falls` is the number of enemies killed.
        """
        participants = compiled.record[0].participants
        moves = list(compiled.books["move"])
        tally = _tally(rows, np.asarray(participants["side"]), len(moves))
        units: list[tuple[int, int, str]] = []
        owned: list[tuple[int, int]] = []
        for fighter in drawn_of(document).fighters:
            record = participants[fighter.id]
            units.append((fighter.id, fighter.side + 1, _title(document, fighter)))
            known = [int(move) for move in record["moves"][: record["move_count"]]]
            owned += [(fighter.id, move) for move in sorted([*known, *[codes.RIPOSTE] * int(record["can_riposte"])])]
        units.sort(key=lambda unit: unit[1])
        return list(tally.contributions(units, moves, owned))

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Sequence[DecisionPoint]:
        return decision_points(compiled, document, stream)


def units_of(side_ref: SideRef) -> list[tuple[int, int, Document]]:
    """All participants of a side: the number of the stack, the place in it, and the unit."""
    fighters = [each for each in drawn_of(side_ref.document).fighters if each.side == side_ref.side - 1]
    places = sorted((each.standing.number, each.id % codes.STACK_SLOTS) for each in fighters)
    return [(stack, place, side_ref.document["stacks"][stack]["units"][place]) for stack, place in places]


def _title(document: Document, fighter: Participant) -> str:
    return _called(document, fighter.standing.number, {"name": fighter.unit.name})


def _called(document: Document, stack: int, unit: Document) -> str:
    """A unit's label with its stack's name, since several stacks may have units of the same name."""
    return f"{document['stacks'][stack]['name']}: {unit['name']}"


# Events.


def _tally(rows: Rows, sides: Rows, moves: int) -> EventTotals:
    """Count what each participant and move type did, from event rows."""
    tally = EventTotals(codes.CAPACITY, moves)
    kind, actor, target, move = rows[:, KIND], rows[:, ACTOR], rows[:, TARGET], rows[:, A]
    ready, made, felt = kind == kinds.Ready.KIND, kind == kinds.Move.KIND, kind == kinds.Health.KIND
    # The participant whose health a row states, and the health.
    stated = ready | made | felt
    whose = np.where(ready | made & (target < 0), actor, target)
    health = np.where(made, rows[:, C], rows[:, B])
    before = take_or(last_index_by_key(stated, whose, before=True), health, 0)
    concerns = made & (target >= 0)
    is_enemy = sides[np.maximum(actor, 0)] != sides[np.maximum(target, 0)]
    tally.add("uses", (kind == kinds.Choice.KIND) | made & (move == codes.RIPOSTE), actor, move)
    tally.add("damage", concerns & is_enemy, actor, move, np.maximum(before - health, 0))
    tally.add("healing", concerns & ~is_enemy, actor, move, np.maximum(health - before, 0))
    fell = (kind == kinds.Fall.KIND) & is_enemy
    tally.add("falls", fell, actor, take_or(latest(made), move))
    return tally
