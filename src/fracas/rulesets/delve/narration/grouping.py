"""Events put together that are told together: a turn with all that it does, a tick with what ends by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from fracas.events.protocol import Event
from fracas.rulesets.delve import events as kinds

Beat = list[Event]
AnEvent = TypeVar("AnEvent", bound=Event)

OF_A_STROKE = (
    kinds.Odds,
    kinds.Attack,
    kinds.Amount,
    kinds.Damage,
    kinds.Hit,
    kinds.Heal,
    kinds.Condition,
    kinds.Expire,
    kinds.Fall,
)

# What belongs to what stands before it, by the kind that begins.
FOLLOWING: dict[type[Event], tuple[type[Event], ...]] = {
    kinds.Ready: (kinds.Ready,),
    kinds.Initiative: (kinds.Initiative,),
    kinds.TurnOrder: (kinds.TurnOrder,),
    kinds.PassedOver: (kinds.PassedOver, kinds.Use, kinds.Pass, kinds.Target, *OF_A_STROKE),
    kinds.Use: (kinds.Target, *OF_A_STROKE),
    kinds.ConditionTick: (kinds.Fall, kinds.Expire),
    kinds.Regain: (kinds.Regain,),
    kinds.Option: (kinds.Option,),
    kinds.Harm: (kinds.Fall,),
    kinds.LootRoll: (kinds.Item, kinds.Origin, kinds.Bonus),
    kinds.Item: (kinds.Origin, kinds.Bonus),
}


def beats(events: Sequence[Event]) -> Iterator[Beat]:
    """The events in their order, in groups that are told together."""
    beat: Beat = []
    for event in events:
        if beat and not _goes_on(beat, event):
            yield beat
            beat = []
        beat.append(event)
    if beat:
        yield beat


def _goes_on(beat: Beat, event: Event) -> bool:
    """True if an event belongs to those before it."""
    first = beat[0]
    if isinstance(first, kinds.Check):
        return _belongs_to_check(first, beat, event)
    if isinstance(event, kinds.Item):
        return isinstance(beat[-1], kinds.LootRoll) and beat[-1].roll <= beat[-1].chance
    if isinstance(event, kinds.PassedOver | kinds.Use | kinds.Pass):
        return isinstance(beat[-1], kinds.PassedOver)
    return isinstance(event, FOLLOWING.get(type(first), ()))


def _belongs_to_check(first: kinds.Check, beat: Beat, event: Event) -> bool:
    """A hazard hurts after the check, and a trap: the one who was put to the test."""
    if isinstance(event, kinds.Harm):
        return len(beat) == 1 and event.target == first.actor and event.tick == first.tick
    return isinstance(event, kinds.Fall) and isinstance(beat[-1], kinds.Harm)


def strokes(beat: Beat) -> list[tuple[str, Beat]]:
    """What a turn does, target by target: all events of a target stand together."""
    rows: dict[str, Beat] = {}
    for event in beat:
        if isinstance(event, OF_A_STROKE):
            rows.setdefault(str(getattr(event, "target", "")), []).append(event)
    return list(rows.items())


def first_of(kind: type[AnEvent], beat: Beat) -> AnEvent | None:
    """The first event of a kind in a beat."""
    return next((event for event in beat if isinstance(event, kind)), None)


def all_of(kind: type[AnEvent], beat: Beat) -> list[AnEvent]:
    """All events of a kind in a beat."""
    return [event for event in beat if isinstance(event, kind)]
