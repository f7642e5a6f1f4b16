"""The summary below a squads story: each unit's damage, healing and fate, counted from the events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.events.story_layout import SummaryRow, summary_table
from fracas.events.styled_text import ASIDE, EMPHASIS, SIDE_1, SIDE_2, Span
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.squads.rules import events as kinds


@dataclass(slots=True)
class UnitTotals:
    """One unit's totals over a battle, in HP except for the turns lost and the round in which it fell."""

    title: str
    side: int
    dealt: int = 0
    healed: int = 0
    shielded: int = 0
    taken: int = 0
    stunned: int = 0
    fell_in: int = 0


def unit_totals(events: Sequence[Event], document: Document) -> dict[str, UnitTotals]:
    """Each unit's totals, by its name in events."""
    totals = {
        f"{place + 1}.{unit['id']}": UnitTotals(f"{place + 1} {unit['name']}", place)
        for place, side in enumerate(document["sides"])
        for unit in side["units"]
    }
    for event in events:
        told = event.as_json()
        actor, target = (totals.get(told.get(who, "")) for who in ("actor", "target"))
        if actor is not None and target is not None:
            actor.dealt += told.get("lost", 0)
            actor.healed += told.get("restored", 0)
            target.taken += told.get("lost", 0)
            target.shielded += told.get("absorbed", 0)
        match event:
            case kinds.Stunned():
                totals[event.actor].stunned += 1
            case kinds.Fall():
                totals[event.target].fell_in = event.tick
    return totals


def summary_lines(events: Sequence[Event], document: Document) -> Iterator[list[Span]]:
    """A table of the units' totals, then a sentence for each side."""
    totals = unit_totals(events, document)
    rows: list[SummaryRow] = []
    for unit in totals.values():
        fate = f"  fell in round {unit.fell_in}" if unit.fell_in else ""
        fate += f"  turns lost to stuns: {unit.stunned}" if unit.stunned else ""
        figures = (unit.dealt, unit.healed, unit.taken, unit.shielded)
        rows.append(((unit.title, (SIDE_1, SIDE_2)[unit.side]), figures, [(fate, ASIDE)]))
    yield from summary_table(("dealt", "healed", "taken", "absorbed"), rows)
    yield []
    for sentence in _sentences(list(totals.values()), [side["name"] for side in document["sides"]]):
        yield [("  " + sentence, EMPHASIS)]
    first = next((event for event in events if isinstance(event, kinds.Fall)), None)
    if first is not None:
        yield [(f"  First to fall: {totals[first.target].title}, in round {first.tick}.", EMPHASIS)]


def _sentences(totals: Sequence[UnitTotals], names: Sequence[str]) -> Iterator[str]:
    for place, name in enumerate(names):
        own = [unit for unit in totals if unit.side == place]
        other = [unit for unit in totals if unit.side != place]
        dealt, undone = sum(unit.dealt for unit in own), sum(unit.healed for unit in other)
        share = f", of which {undone} ({100 * undone // dealt}%) was healed" if dealt and undone else ""
        absorbed = sum(unit.shielded for unit in other)
        stopped = f"; shields absorbed another {absorbed}" if absorbed else ""
        yield f"{place + 1} {name} dealt {dealt} damage{share}{stopped}."
