"""The hooks that the lab calls for squads: match-ups, parts, stats, search space, contributions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from fracas.content.document_edits import bring_along, check_known, free_name
from fracas.content.field_types import Id
from fracas.content.model_limits import bounds
from fracas.content.validate import Model, validate
from fracas.errors import InputError
from fracas.rulesets.contract.analysis import (
    ALL_STATUSES,
    AnalysisHooks,
    Contribution,
    DecisionPoint,
    Dimension,
    SideRef,
    Stat,
    StatusChange,
    Statuses,
    Vitals,
)
from fracas.rulesets.contract.types import Compiled, Document, Rows, Source
from fracas.rulesets.shared import event_totals as totals
from fracas.rulesets.shared.event_totals import ACTOR, KIND, TARGET, A, B, D
from fracas.rulesets.squads.analysis.condition_dry_run import explain
from fracas.rulesets.squads.analysis.decision_points import decision_points
from fracas.rulesets.squads.analysis.hit_calculator import hits
from fracas.rulesets.squads.analysis.scenario_generator import random_scenario
from fracas.rulesets.squads.analysis.search_space import LINE_UP, STRATEGY, dimensions_of
from fracas.rulesets.squads.content.checks import bare_resolver
from fracas.rulesets.squads.content.library import ABILITY_SLOTS, library_for
from fracas.rulesets.squads.content.models.abilities import Ability
from fracas.rulesets.squads.content.models.names import BASIC_ATTACK
from fracas.rulesets.squads.content.models.scenario import ResolvedUnit
from fracas.rulesets.squads.content.models.units import Strategy
from fracas.rulesets.squads.content.resolver import strategy_document
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules import events as kinds

STATS = ("hp", "attack", "defense", "speed")


class LineUp(Model):
    """The part `line-up`: units with their abilities."""

    units: Annotated[list[ResolvedUnit], Field(min_length=1, max_length=codes.SIDE_SLOTS)]
    abilities: dict[Id, Ability]

    @model_validator(mode="after")
    def _has_their_abilities(self) -> LineUp:
        wanted = [BASIC_ATTACK, *(getattr(unit, slot) for unit in self.units for slot in ABILITY_SLOTS)]
        check_known(wanted, self.abilities, "ability")
        return self


class BroughtStrategy(Model):
    """The part `strategy`: a strategy with the abilities that it refers to."""

    strategy: Strategy
    abilities: dict[Id, Ability]


class LabHooks(AnalysisHooks):
    """The lab's questions, answered for squads.

    Any side can meet any other. The environment, the damage chain and everything else around the sides come from the
    first side's document. If the second side has a different ability under the same id, that ability gets a new id. The
    basic attack is shared, so both documents must define it alike.
    """

    parts = (STRATEGY, LINE_UP)
    explain = staticmethod(explain)
    hits = staticmethod(hits)
    random_scenario = staticmethod(random_scenario)

    def matchup(self, first: SideRef, second: SideRef) -> Document:
        self.check_side_refs(first, second)
        host, guest = _side(first), _side(second)
        guest, brought = _moved(guest, second.document["abilities"], _owned_abilities(first.document, [host]))
        guest["name"] = free_name(guest["name"], [host["name"]])
        return _with_sides(first.document, [host, guest], brought)

    def part(self, side_ref: SideRef, part: str) -> Any:
        """A side's strategy or units, with the abilities that they refer to."""
        self.check_side_refs(side_ref)
        self.check_part(part)
        side = _side(side_ref)
        key = STRATEGY if part == STRATEGY else "units"
        return {key: side[key], "abilities": _owned_abilities(side_ref.document, [side])}

    def with_part(self, side_ref: SideRef, part: str, value: Any) -> Document:
        """As the contract says; a strategy may also be in the form that files have.

        Orders for abilities that the new side does not have are left out.
        """
        self.check_side_refs(side_ref)
        self.check_part(part)
        side, other = _side(side_ref), _side(SideRef(side_ref.document, 3 - side_ref.side))
        brought: Mapping[str, Document] = {}
        if part == STRATEGY:
            side = {**side, "strategy": _strategy(side_ref, value)}
        else:
            validate(LineUp, value, part)
            there = _owned_abilities(side_ref.document, [other])
            moved, brought = _moved({**side, "units": value["units"]}, value["abilities"], there)
            side = {**side, "units": moved["units"]}
        return _with_sides(side_ref.document, [side, other] if side_ref.side == 1 else [other, side], brought)

    def stats(self, side_ref: SideRef) -> Sequence[Stat]:
        self.check_side_refs(side_ref)
        place = str(side_ref.side - 1)
        return [
            Stat(("sides", place, "units", str(number), stat), stat, unit["name"], unit[stat], *_bounds(stat))
            for number, unit in enumerate(_side(side_ref)["units"])
            for stat in STATS
        ]

    def search_space(self, side_ref: SideRef, folders: Sequence[Path] = ()) -> Sequence[Dimension]:
        self.check_side_refs(side_ref)
        return list(dimensions_of(side_ref, folders))

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Sequence[DecisionPoint]:
        return decision_points(compiled, stream)

    def vitals(self, compiled: Compiled, document: Document) -> Vitals:
        """The units by their slots; all start with full HP."""
        slots = {
            place * codes.SIDE_SLOTS + number: (place + 1, int(unit["hp"]))
            for place, side in enumerate(document["sides"])
            for number, unit in enumerate(side["units"])
        }
        return Vitals(
            {slot: side for slot, (side, _) in slots.items()},
            tuple(kind for kind in kinds.PROTOCOL.kinds.values() if "hp" in kind.__slots__),
            {slot: hp for slot, (_, hp) in slots.items()},
            STATUSES,
        )

    def contributions(self, rows: Rows, compiled: Compiled, document: Document) -> Sequence[Contribution]:
        """What each ability contributed: amounts in HP, except for `uses` and `falls`.

        `damage` is the HP that others lost, damage over time included; `stopped` is the damage that their shields
        absorbed; `absorbed` is the damage that shields raised by the unit absorbed. Damage over time, shields and falls
        count for the ability that caused them.
        """
        abilities = list(compiled.books["ability"])
        tally = _tally(rows, len(abilities))
        numbers = {name: number for number, name in enumerate(compiled.books["ability_id"])}
        units: list[tuple[int, int, str]] = []
        owned: list[tuple[int, int]] = []
        for place, side in enumerate(document["sides"]):
            for number, unit in enumerate(side["units"]):
                slot = place * codes.SIDE_SLOTS + number
                units.append((slot, place + 1, unit["name"]))
                owned += [(slot, numbers[name]) for name in _abilities_of(unit)]
        return list(tally.contributions(units, abilities, owned))


def _bounds(stat: str) -> tuple[int | float, int | float]:
    return bounds(ResolvedUnit, stat)


# Sides.


def _side(side_ref: SideRef) -> Document:
    side: Document = side_ref.document["sides"][side_ref.side - 1]
    return side


def _abilities_of(unit: Document) -> tuple[str, ...]:
    """The ids of a unit's abilities."""
    return (BASIC_ATTACK, *(unit[slot] for slot in ABILITY_SLOTS))


def _owned_abilities(document: Document, sides: Sequence[Document]) -> dict[str, Document]:
    """The abilities of all units of these sides in order of first appearance, the basic attack first."""
    units = [unit for side in sides for unit in side["units"]]
    names = dict.fromkeys([BASIC_ATTACK, *(name for unit in units for name in _abilities_of(unit))])
    return {name: document["abilities"][name] for name in names}


def _moved(
    side: Document, abilities: Mapping[str, Document], there: Mapping[str, Document]
) -> tuple[Document, dict[str, Document]]:
    """A side moved into a document with other abilities: the side, and its abilities under the ids they get there.

    Raises:
        InputError: its basic attack differs.
    """
    owned = dict.fromkeys([BASIC_ATTACK, *(name for unit in side["units"] for name in _abilities_of(unit))])
    names, brought = bring_along(abilities, there, owned)
    if names[BASIC_ATTACK] != BASIC_ATTACK:
        message = "both sides share it, and theirs differ"
        raise InputError.of(f"abilities.{BASIC_ATTACK}", message, "write the same into both files, or into neither")
    units = [{**unit, **{slot: names[unit[slot]] for slot in ABILITY_SLOTS}} for unit in side["units"]]
    orders = side["strategy"]["abilities"]
    strategy = {**side["strategy"], "abilities": {names.get(name, name): order for name, order in orders.items()}}
    return {**side, "units": units, "strategy": strategy}, brought


def _strategy(side_ref: SideRef, value: Any) -> Document:
    """A strategy in the form of resolved documents, for a side.

    Raises:
        InputError: it is not a valid strategy, or names unknown abilities.
    """
    brought: Mapping[str, Ability] = {}
    if isinstance(value, dict) and STRATEGY in value:
        given = validate(BroughtStrategy, value, STRATEGY)
        strategy, brought = given.strategy, given.abilities
    else:
        strategy = validate(Strategy, value, STRATEGY)
    own = {name: validate(Ability, each, name) for name, each in side_ref.document["abilities"].items()}
    library = library_for(None, ())
    resolver = bare_resolver(Source(STRATEGY), library)
    resolver.abilities = {**library.of("abilities"), **brought, **own}
    orders = resolver.orders("abilities", strategy, set(_owned_abilities(side_ref.document, [_side(side_ref)])))
    resolver.raise_problems()
    return strategy_document(strategy, orders)


def _with_sides(document: Document, sides: list[Document], brought: Mapping[str, Document]) -> Document:
    """A document with other sides, their abilities, and their strategies' orders for these."""
    known = {**document, "abilities": {**document["abilities"], **brought}}
    settled = []
    for side in sides:
        owned, strategy = _owned_abilities(known, [side]), side["strategy"]
        orders = {name: order for name, order in strategy["abilities"].items() if name in owned}
        settled.append({**side, "strategy": {**strategy, "abilities": orders}})
    return {**document, "sides": settled, "abilities": _owned_abilities(known, sides)}


# Events.


# An effect lasts until its `expire` event, a stun until the turn it costs, damage over time until its last strike.
LASTING = codes.EFFECTS[codes.SHIELD :]


def _status_changes(row: Sequence[int]) -> Iterator[StatusChange]:
    kind = row[KIND]
    if kind == kinds.Effect.KIND and row[D] == codes.APPLIED:
        yield StatusChange(row[TARGET], codes.EFFECTS[row[A]], 1)
    elif kind == kinds.Shield.KIND and row[D] == codes.APPLIED:
        yield StatusChange(row[TARGET], codes.EFFECTS[codes.SHIELD], 1)
    elif kind == kinds.Expire.KIND:
        yield StatusChange(row[TARGET], codes.EFFECTS[row[A]], 0)
    elif kind == kinds.Stunned.KIND:
        yield StatusChange(row[ACTOR], codes.EFFECTS[codes.STUN], 0)
    elif kind == kinds.Suffer.KIND and row[D] == 0:
        yield StatusChange(row[TARGET], codes.EFFECTS[codes.DAMAGE_OVER_TIME], 0)
    elif kind == kinds.Fall.KIND:
        yield StatusChange(row[TARGET], ALL_STATUSES, 0)


STATUSES = Statuses(
    LASTING, (kinds.Effect, kinds.Shield, kinds.Expire, kinds.Stunned, kinds.Suffer, kinds.Fall), _status_changes
)


# What is counted, by the column of the events that have it.
COUNTED = {"damage": "lost", "stopped": "absorbed", "healing": "restored"}


def _tally(rows: Rows, abilities: int) -> totals.EventTotals:
    """Count what each unit and ability did, from event rows."""
    tally = totals.EventTotals(codes.SLOTS, abilities)
    kind, actor, target = rows[:, KIND], rows[:, ACTOR], rows[:, TARGET]
    chosen, hit = kind == kinds.Choice.KIND, kind == kinds.Hit.KIND
    at_work = totals.take_or(totals.latest(chosen), rows[:, A])
    tally.add("uses", chosen, actor, at_work)
    cause, blow = at_work, np.zeros(len(rows), bool)
    for each, later in kinds.LATER.items():
        now = kind == each.KIND
        applied = (kind == kinds.Effect.KIND) & (rows[:, A] == later.effect) & (rows[:, D] == codes.APPLIED)
        bearer = np.where(now, actor if later.bearer == "actor" else target, target)
        cause = np.where(now, totals.take_or(totals.last_index_by_key(applied, bearer), at_work), cause)
    for each in kinds.PROTOCOL.kinds.values():
        columns = {plan.name: rows[:, plan.column] for plan in kinds.PROTOCOL.plan(each.KIND)}
        for name, counted in COUNTED.items():
            if counted in columns:
                tally.add(name, kind == each.KIND, actor, cause, columns[counted])
        if "lost" in columns:
            blow |= kind == each.KIND
    raised = (kind == kinds.Shield.KIND) & (rows[:, D] == codes.APPLIED)
    shield = totals.last_index_by_key(raised, target)
    tally.add("absorbed", hit, totals.take_or(shield, actor), totals.take_or(shield, at_work), rows[:, B])
    tally.add("falls", kind == kinds.Fall.KIND, actor, totals.take_or(totals.latest(blow), cause))
    return tally
