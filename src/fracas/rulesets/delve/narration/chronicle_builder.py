"""Builds the chronicle from the events: a parser for the grammar of delve/README.md, "Order of rows"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any, TypeVar, cast

from fracas.errors import InputError
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.narration import chronicle as records
from fracas.rulesets.delve.narration.grouping import OF_A_STROKE, all_of, first_of
from fracas.rulesets.delve.rules import events as kinds

AnEvent = TypeVar("AnEvent", bound=Event)
Record = TypeVar("Record")

OUTSIDE_COMBAT = (kinds.Option, kinds.Choice, kinds.Check, kinds.Harm, kinds.Fall, kinds.Restore, kinds.Consequence)


def chronicle(events: Sequence[Event], document: Document) -> records.RunLog | records.EncounterLog:
    """Build the chronicle of a battle: a RunLog for a run, an EncounterLog for a lone encounter.

    Raises:
        InputError: no battle has its events in this order.
    """
    return _Chronicler(events, document).chronicle()


class _Chronicler:
    """Reads events from the first to the last."""

    def __init__(self, events: Sequence[Event], document: Document) -> None:
        self.events = events
        self.document = document
        self.place = 0

    def chronicle(self) -> records.RunLog | records.EncounterLog:
        self.take(kinds.Start)
        quest = self.document.get("quest")
        encounters = []
        while self.is_next(kinds.Encounter):
            encounters.append(self.encounter())
        if quest is None:
            self.take(kinds.Outcome)
            if len(encounters) != 1:
                raise self.wrong()
            return encounters[0]
        chest = self.item() if self.is_next(kinds.Item) else None
        spoils, outcome = self.take(kinds.Spoils), self.take(kinds.Outcome)
        found = [item for encounter in encounters if encounter.reward for item in encounter.reward.items]
        brought = (*found, *([chest] if chest else [])) if spoils.items else ()
        return records.RunLog(
            quest=str(quest["name"]),
            status="Completed" if outcome.winner == 1 else "Failed",
            reason=outcome.reason,
            encounters=tuple(encounters),
            chest=chest,
            spoils=_record(records.Spoils, spoils, items=brought),
        )

    # Reading

    def is_next(self, *wanted: type[Event]) -> bool:
        return self.place < len(self.events) and isinstance(self.events[self.place], wanted)

    def take(self, wanted: type[AnEvent]) -> AnEvent:
        event = self.events[self.place] if self.place < len(self.events) else None
        if not isinstance(event, wanted):
            raise self.wrong()
        self.place += 1
        return event

    def maybe(self, wanted: type[AnEvent]) -> AnEvent | None:
        return self.take(wanted) if self.is_next(wanted) else None

    def many(self, wanted: type[AnEvent]) -> list[AnEvent]:
        found = []
        while self.is_next(wanted):
            found.append(self.take(wanted))
        return found

    def next_event(self) -> Event:
        return self.take(Event)

    def wrong(self) -> InputError:
        return InputError.of("events", f"event {self.place} is out of place", "try fracas verify")

    # Encounters

    def encounter(self) -> records.EncounterLog:
        start = self.take(kinds.Encounter)
        steps: list[Event] = []
        while self.is_next(*OUTSIDE_COMBAT):
            steps.append(self.next_event())
        ambush = self.maybe(kinds.Ambush)
        ready = self.many(kinds.Ready)
        initiative = self.many(kinds.Initiative)
        rounds = []
        while self.is_next(kinds.Round):
            rounds.append(self.round())
        ended = self.take(kinds.EncounterEnd)
        choice, consequence = first_of(kinds.Choice, steps), first_of(kinds.Consequence, steps)
        fallen = {id(step) for step, after in pairwise(steps) if isinstance(after, kinds.Fall)}
        return _record(
            records.EncounterLog,
            start,
            name=self.name(start.number),
            outcome=ended.outcome,
            members=ended.members,
            enemies=tuple(event.actor for event in ready if event.actor.startswith("2.")),
            initiative=tuple((event.actor, event.total) for event in initiative),
            rounds=tuple(rounds),
            checks=tuple(_rolled(records.Check, step, "success") for step in all_of(kinds.Check, steps)),
            choice=None if choice is None else choice.option,
            consequence=None if consequence is None else _record(records.Consequence, consequence),
            ambush=ambush is not None,
            harms=tuple(
                _record(records.Harm, step, member=step.target, fell=id(step) in fallen)
                for step in all_of(kinds.Harm, steps)
            ),
            recoveries=tuple(
                _record(records.Recovery, step, member=step.target) for step in all_of(kinds.Restore, steps)
            ),
            reward=self.reward() if self.is_next(kinds.Reward) else None,
        )

    def name(self, number: int) -> str:
        """An encounter's name, or its type if it has none."""
        quest = self.document.get("quest")
        if quest is None or number >= len(quest["encounters"]):
            return str(self.document["id"])
        encounter = quest["encounters"][number]
        return str(encounter.get("name") or encounter["type"])

    def reward(self) -> records.Reward:
        paid = self.take(kinds.Reward)
        loot = []
        for roll in iter(lambda: self.maybe(kinds.LootRoll), None):
            item = self.item() if roll.roll <= roll.chance else None
            loot.append(_record(records.LootRoll, roll, item=item))
        return _record(records.Reward, paid, loot=tuple(loot))

    def item(self) -> records.Item:
        found, origin = self.take(kinds.Item), self.take(kinds.Origin)
        bonuses = tuple(_record(records.ItemBonus, bonus) for bonus in self.many(kinds.Bonus))
        return _record(records.Item, found, bonuses=bonuses, tick=origin.tick, lane=origin.lane, word=origin.word)

    # Rounds

    def round(self) -> records.RoundLog:
        start = self.take(kinds.Round)
        order = tuple(event.actor for event in self.many(kinds.TurnOrder))
        actions = []
        while self.is_next(kinds.Stunned, kinds.Phase, kinds.PassedOver, kinds.Use, kinds.Pass):
            actions.append(self.action())
        self.maybe(kinds.Rout)
        ticks = [self.tick(event) for event in iter(lambda: self.maybe(kinds.ConditionTick), None)]
        self.many(kinds.Regain)
        flee = self.maybe(kinds.Flee)
        flight = None if flee is None else _rolled(records.Flight, flee, "escaped", enemy=flee.target)
        return records.RoundLog(start.round, order, tuple(actions), tuple(ticks), flight)

    def tick(self, event: kinds.ConditionTick) -> records.ConditionTick:
        fell, ended = self.maybe(kinds.Fall) is not None, self.maybe(kinds.Expire) is not None
        return _record(records.ConditionTick, event, source=event.actor, ended=ended, fell=fell)

    def action(self) -> records.Action:
        stunned = self.maybe(kinds.Stunned)
        if stunned is not None:
            return records.Action(stunned.actor, "stunned")
        phases = tuple(event.phase for event in self.many(kinds.Phase))
        passed = tuple(_record(records.PassedOver, event) for event in self.many(kinds.PassedOver))
        nothing = self.maybe(kinds.Pass)
        if nothing is not None:
            return records.Action(nothing.actor, "pass", passed_over=passed, phases=phases)
        use, aim = self.take(kinds.Use), self.maybe(kinds.Target)
        return _record(
            records.Action,
            use,
            kind="use",
            selector=None if aim is None else aim.selector,
            passed_over=passed,
            phases=phases,
            strokes=tuple(self.strokes()),
        )

    def strokes(self) -> list[records.Stroke]:
        """What a skill did to each target; the rows of a target are adjacent."""
        rows: dict[str, list[Event]] = {}
        while self.is_next(*OF_A_STROKE):
            event = self.next_event()
            rows.setdefault(str(getattr(event, "target", "")), []).append(event)
        return [_stroke(target, own) for target, own in rows.items()]


def _stroke(target: str, rows: list[Event]) -> records.Stroke:
    attack, hit, heal = first_of(kinds.Attack, rows), first_of(kinds.Hit, rows), first_of(kinds.Heal, rows)
    changes = (_record(records.ConditionChange, row) for row in all_of(kinds.Condition, rows))
    known: dict[str, Any] = {"target": target, "conditions": tuple(changes)}
    if attack is not None:
        known |= {"roll": attack.roll, "chance": attack.chance, "verdict": attack.verdict}
    if hit is not None:
        known |= {"damage": hit.damage, "absorbed": hit.absorbed, "lost": hit.lost}
    if heal is not None:
        known |= {"healing": heal.effective, "restored": heal.restored}
    return records.Stroke(fell=first_of(kinds.Fall, rows) is not None, **known)


def _rolled(record: type[Record], event: kinds.Check | kinds.Flee, verdict: str, **own: Any) -> Record:
    """The record of a member's d100 against a chance."""
    return _record(record, event, member=event.actor, **{verdict: event.roll <= event.chance}, **own)


def _record(record: type[Record], event: Event, **own: Any) -> Record:
    """A record with what an event has under the same names, and with what is its own."""
    same = [entry.name for entry in fields(cast(Any, record)) if entry.name not in own and hasattr(event, entry.name)]
    return record(**{name: getattr(event, name) for name in same}, **own)
