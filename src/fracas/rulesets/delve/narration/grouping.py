"""Groups the events that a story tells together, such as a turn with everything that it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from fracas.kernel.event_protocol import Event
from fracas.rulesets.delve.rules import events as kinds

EventGroup = list[Event]
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

# The kinds that join a group, by the kind of its first event.
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


def group_events(events: Sequence[Event]) -> Iterator[EventGroup]:
    """The events in order, in groups that a story tells together."""
    group: EventGroup = []
    for event in events:
        if group and not _goes_on(group, event):
            yield group
            group = []
        group.append(event)
    if group:
        yield group


def _goes_on(group: EventGroup, event: Event) -> bool:
    """Whether an event belongs to the group before it."""
    first = group[0]
    if isinstance(first, kinds.Check):
        return _belongs_to_check(first, group, event)
    if isinstance(event, kinds.Item):
        return isinstance(group[-1], kinds.LootRoll) and group[-1].roll <= group[-1].chance
    if isinstance(event, kinds.PassedOver | kinds.Use | kinds.Pass):
        return isinstance(group[-1], kinds.PassedOver)
    return isinstance(event, FOLLOWING.get(type(first), ()))


def _belongs_to_check(first: kinds.Check, group: EventGroup, event: Event) -> bool:
    """Whether an event is the harm after a check of the same member, or the fall after that."""
    if isinstance(event, kinds.Harm):
        return len(group) == 1 and event.target == first.actor and event.tick == first.tick
    return isinstance(event, kinds.Fall) and isinstance(group[-1], kinds.Harm)


def strokes(group: EventGroup) -> list[tuple[str, EventGroup]]:
    """The events of a turn by target; those of one target are adjacent."""
    rows: dict[str, EventGroup] = {}
    for event in group:
        if isinstance(event, OF_A_STROKE):
            rows.setdefault(str(getattr(event, "target", "")), []).append(event)
    return list(rows.items())


def first_of(kind: type[AnEvent], group: EventGroup) -> AnEvent | None:
    """The first event of a kind in a group."""
    return next((event for event in group if isinstance(event, kind)), None)


def all_of(kind: type[AnEvent], group: EventGroup) -> list[AnEvent]:
    """All events of a kind in a group."""
    return [event for event in group if isinstance(event, kind)]
