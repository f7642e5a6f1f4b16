"""Builds the chronicle from the events: a parser for the grammar of delve/README.md, "Order of rows"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from fracas.errors import InputError
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.narration.chronicle import (
    Action,
    Check,
    ConditionChange,
    ConditionTick,
    Consequence,
    EncounterLog,
    Flight,
    Harm,
    Item,
    ItemBonus,
    LootRoll,
    PassedOver,
    Recovery,
    Reward,
    RoundLog,
    RunLog,
    Spoils,
    Stroke,
)
from fracas.rulesets.delve.narration.grouping import OF_A_STROKE
from fracas.rulesets.delve.rules import events as kinds

AnEvent = TypeVar("AnEvent", bound=Event)

OUTSIDE_COMBAT = (kinds.Option, kinds.Choice, kinds.Check, kinds.Harm, kinds.Fall, kinds.Restore, kinds.Consequence)


def chronicle(events: Sequence[Event], document: Document) -> RunLog | EncounterLog:
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

    def chronicle(self) -> RunLog | EncounterLog:
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
        return RunLog(
            quest=str(quest["name"]),
            status="Completed" if outcome.winner == 1 else "Failed",
            reason=outcome.reason,
            encounters=tuple(encounters),
            chest=chest,
            spoils=Spoils(spoils.xp, spoils.gold, brought),
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

    def encounter(self) -> EncounterLog:
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
        choice = next((step.option for step in steps if isinstance(step, kinds.Choice)), None)
        consequence = next((step for step in steps if isinstance(step, kinds.Consequence)), None)
        fallen = {id(step) for step, after in pairwise(steps) if isinstance(after, kinds.Fall)}
        return EncounterLog(
            number=start.number,
            name=self.name(start.number),
            type=start.type,
            outcome=ended.outcome,
            members=ended.members,
            enemies=tuple(event.actor for event in ready if event.actor.startswith("2.")),
            initiative=tuple((event.actor, event.total) for event in initiative),
            rounds=tuple(rounds),
            checks=tuple(_check(step) for step in steps if isinstance(step, kinds.Check)),
            choice=choice,
            consequence=None if consequence is None else _consequence(consequence),
            ambush=ambush is not None,
            harms=tuple(_harm(step, id(step) in fallen) for step in steps if isinstance(step, kinds.Harm)),
            recoveries=tuple(_recovery(step) for step in steps if isinstance(step, kinds.Restore)),
            reward=self.reward() if self.is_next(kinds.Reward) else None,
        )

    def name(self, number: int) -> str:
        """An encounter's name, or its type if it has none."""
        quest = self.document.get("quest")
        if quest is None or number >= len(quest["encounters"]):
            return str(self.document["id"])
        encounter = quest["encounters"][number]
        return str(encounter.get("name") or encounter["type"])

    def reward(self) -> Reward:
        paid = self.take(kinds.Reward)
        loot = []
        for roll in iter(lambda: self.maybe(kinds.LootRoll), None):
            item = self.item() if roll.roll <= roll.chance else None
            loot.append(LootRoll(roll.source, roll.roll, roll.chance, item))
        return Reward(paid.xp, paid.gold, paid.members, paid.reduced, tuple(loot))

    def item(self) -> Item:
        found, origin = self.take(kinds.Item), self.take(kinds.Origin)
        bonuses = tuple(ItemBonus(bonus.bonus, bonus.tier, bonus.amount) for bonus in self.many(kinds.Bonus))
        return Item(found.item, found.rarity, bonuses, found.source, origin.tick, origin.lane, origin.word)

    # Rounds

    def round(self) -> RoundLog:
        start = self.take(kinds.Round)
        order = tuple(event.actor for event in self.many(kinds.TurnOrder))
        actions = []
        while self.is_next(kinds.Stunned, kinds.Phase, kinds.PassedOver, kinds.Use, kinds.Pass):
            actions.append(self.action())
        self.maybe(kinds.Rout)
        ticks = [self.tick(event) for event in iter(lambda: self.maybe(kinds.ConditionTick), None)]
        self.many(kinds.Regain)
        flee = self.maybe(kinds.Flee)
        return RoundLog(start.round, order, tuple(actions), tuple(ticks), None if flee is None else _flight(flee))

    def tick(self, event: kinds.ConditionTick) -> ConditionTick:
        fell, ended = self.maybe(kinds.Fall), self.maybe(kinds.Expire)
        return ConditionTick(
            target=event.target,
            condition=event.condition,
            source=event.actor,
            amount=event.amount,
            hp=event.hp,
            rounds=event.rounds,
            ended=ended is not None,
            fell=fell is not None,
        )

    def action(self) -> Action:
        stunned = self.maybe(kinds.Stunned)
        if stunned is not None:
            return Action(stunned.actor, "stunned")
        phases = tuple(event.phase for event in self.many(kinds.Phase))
        passed = tuple(PassedOver(e.slot, e.skill, e.obstacle, e.figure) for e in self.many(kinds.PassedOver))
        nothing = self.maybe(kinds.Pass)
        if nothing is not None:
            return Action(nothing.actor, "pass", passed_over=passed, phases=phases)
        use, aim = self.take(kinds.Use), self.maybe(kinds.Target)
        return Action(
            actor=use.actor,
            kind="use",
            slot=use.slot,
            skill=use.skill,
            cost=use.cost,
            selector=None if aim is None else aim.selector,
            passed_over=passed,
            phases=phases,
            strokes=tuple(self.strokes()),
        )

    def strokes(self) -> list[Stroke]:
        """What a skill did to each target; the rows of a target are adjacent."""
        rows: dict[str, list[Event]] = {}
        while self.is_next(*OF_A_STROKE):
            event = self.next_event()
            rows.setdefault(str(getattr(event, "target", "")), []).append(event)
        return [_stroke(target, own) for target, own in rows.items()]


def _stroke(target: str, rows: Sequence[Event]) -> Stroke:
    attack = next((row for row in rows if isinstance(row, kinds.Attack)), None)
    hit = next((row for row in rows if isinstance(row, kinds.Hit)), None)
    heal = next((row for row in rows if isinstance(row, kinds.Heal)), None)
    changes = (row for row in rows if isinstance(row, kinds.Condition))
    return Stroke(
        target=target,
        roll=attack.roll if attack else None,
        chance=attack.chance if attack else None,
        verdict=attack.verdict if attack else None,
        damage=hit.damage if hit else 0,
        absorbed=hit.absorbed if hit else 0,
        lost=hit.lost if hit else 0,
        healing=heal.effective if heal else 0,
        restored=heal.restored if heal else 0,
        conditions=tuple(ConditionChange(row.condition, row.potency, row.rounds, row.effect) for row in changes),
        fell=any(isinstance(row, kinds.Fall) for row in rows),
    )


def _flight(event: kinds.Flee) -> Flight:
    return Flight(event.actor, event.target, event.roll, event.chance, event.roll <= event.chance)


def _check(event: kinds.Check) -> Check:
    return Check(event.actor, event.check, event.value, event.roll, event.chance, event.roll <= event.chance)


def _harm(event: kinds.Harm, fell: bool) -> Harm:
    return Harm(event.target, event.roll, event.damage, event.lost, event.hp, fell)


def _recovery(event: kinds.Restore) -> Recovery:
    return Recovery(event.target, event.restored, event.hp, event.gained, event.resource)


def _consequence(event: kinds.Consequence) -> Consequence:
    return Consequence(event.success, event.gold, event.loot_rolls, event.skip)
