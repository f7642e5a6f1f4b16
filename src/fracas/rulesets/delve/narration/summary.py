"""The summary below a delve story: each character's damage, healing and fate, and what the party brings home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.events.story_layout import SummaryRow, summary_table
from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, PLAIN, SIDE_1, SIDE_2, Span
from fracas.kernel.event_protocol import Event
from fracas.rulesets.delve.narration.encounter_text import item_lines
from fracas.rulesets.delve.narration.grouping import first_of, group_events
from fracas.rulesets.delve.narration.labels import Participants
from fracas.rulesets.delve.rules import events as kinds
from fracas.rulesets.delve.rules.constants import TICKS_PER_ENCOUNTER


@dataclass(slots=True)
class UnitTotals:
    """A character's totals over a battle, in HP except for kills and lost turns."""

    title: str
    side: int
    dealt: int = 0
    healed: int = 0
    taken: int = 0
    absorbed: int = 0
    kills: int = 0
    stunned: int = 0
    fell_at: int = -1


def unit_totals(events: Sequence[Event], participants: Participants) -> dict[str, UnitTotals]:
    """Everybody's totals by name in events: all members, and the enemies who took part."""
    totals: dict[str, UnitTotals] = {}

    def of(name: str) -> UnitTotals:
        character = participants.of(name)
        return totals.setdefault(name, UnitTotals(character.title, character.side))

    for name in list(participants.characters)[: len(participants.members())]:
        of(name)
    for event in events:
        match event:
            case kinds.Ready():
                of(event.actor)
            case kinds.Hit():
                of(event.actor).dealt += event.lost
                of(event.target).taken += event.lost
                of(event.target).absorbed += event.absorbed
            case kinds.ConditionTick() if event.condition == "regenerating":
                of(event.actor).healed += event.amount
            case kinds.ConditionTick():
                of(event.actor).dealt += event.amount
                of(event.target).taken += event.amount
            case kinds.Harm():
                of(event.target).taken += event.lost
            case kinds.Heal():
                of(event.actor).healed += event.restored
            case kinds.Stunned():
                of(event.actor).stunned += 1
            case kinds.Fall():
                of(event.target).fell_at = event.tick
                if event.actor is not None and event.actor != event.target:
                    of(event.actor).kills += 1
    return totals


def summary_lines(events: Sequence[Event], participants: Participants) -> Iterator[list[Span]]:
    """The totals as a table; for a run those of the party, followed by what was found."""
    is_run = bool(participants.document.get("quest"))
    rows: list[SummaryRow] = []
    for unit in unit_totals(events, participants).values():
        if not is_run or unit.side == 0:
            figures = (unit.dealt, unit.healed, unit.taken, unit.absorbed, unit.kills)
            rows.append(((unit.title, (SIDE_1, SIDE_2)[unit.side]), figures, [(fate(unit, is_run), ASIDE)]))
    yield from summary_table(("dealt", "healed", "taken", "absorbed", "kills"), rows)
    if is_run:
        yield from spoils(events, participants)


def fate(unit: UnitTotals, is_run: bool) -> str:
    """When a character fell, and the turns it lost to stuns."""
    encounter, within = divmod(unit.fell_at, TICKS_PER_ENCOUNTER)
    where = f"{encounter}.{within}" if within < TICKS_PER_ENCOUNTER // 2 else f"{encounter}"
    fell = f"  fell in {where if is_run else unit.fell_at}" if unit.fell_at >= 0 else ""
    return fell + (f"  turns lost: {unit.stunned}" if unit.stunned else "")


def spoils(events: Sequence[Event], participants: Participants) -> Iterator[list[Span]]:
    """The XP, gold and items that a run brings home."""
    brought = next((event for event in events if isinstance(event, kinds.Spoils)), None)
    if brought is None:
        return
    lost = "" if brought.items or brought.xp or brought.gold else ", nothing"
    yield []
    yield [(f"Brought home{lost}", HEADING)]
    if not lost:
        items = f"{brought.items} item{'' if brought.items == 1 else 's'}"
        yield [(f"  {brought.xp} XP, {brought.gold} gold, {items}", EMPHASIS)]
        if brought.items:
            yield from found(events, participants)


def found(events: Sequence[Event], participants: Participants) -> Iterator[list[Span]]:
    """Every item, with the encounter that gave it."""
    for group in group_events(events):
        item = first_of(kinds.Item, group)
        if item is not None:
            origin = "chest" if item.source == "chest" else f"encounter {item.tick // TICKS_PER_ENCOUNTER}"
            yield from item_lines(participants.document, ("    ", PLAIN), group, f" ({origin})")
