"""After the duel: what both titans did and suffered, worked out from the events alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.events.protocol import Event
from fracas.events.styled_text import HEADING, PLAIN, Span
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans import events as kinds
from fracas.rulesets.titans.narration.labels import Duelist, cast_of


@dataclass(slots=True)
class UnitTotals:
    """One titan's duel in figures: HP, and how often it did what."""

    duelist: Duelist
    dealt: int = 0
    healed: int = 0
    absorbed: float = 0.0
    attacks: int = 0
    abilities: int = 0
    defends: int = 0
    rests: int = 0


def unit_totals(events: Sequence[Event], document: Document) -> dict[str, UnitTotals]:
    """Both accounts, by the players' names."""
    books = {name: UnitTotals(duelist) for name, duelist in cast_of(document).items()}
    for event in events:
        match event:
            case kinds.Act():
                own = books[event.actor]
                own.attacks += event.action == "attack"
                own.abilities += event.action == "ability"
                own.defends += event.action == "defend"
                own.rests += event.action == "rest"
            case kinds.Damage():
                books[event.actor].dealt += event.before - event.hp
                books[event.target].absorbed += event.absorbed
            case kinds.Heal():
                books[event.actor].healed += event.hp - event.before
    return books


def summary_lines(events: Sequence[Event], document: Document) -> Iterator[list[Span]]:
    """Both accounts as a table."""
    books = unit_totals(events, document)
    if not any(isinstance(event, kinds.Act) for event in events):
        return
    width = max(len(account.duelist.title) for account in books.values())
    yield []
    heading = f"{'dealt':>7}{'healed':>8}{'absorbed':>10}{'attacks':>9}{'abilities':>11}{'defends':>9}{'rests':>7}"
    yield [(f"{'':{width + 2}}{heading}", HEADING)]
    for account in books.values():
        did = f"{account.attacks:>9}{account.abilities:>11}{account.defends:>9}{account.rests:>7}"
        figures = f"{account.dealt:>7}{account.healed:>8}{account.absorbed:>10.1f}{did}"
        yield [(f"  {account.duelist.title:{width}}", account.duelist.role), (figures, PLAIN)]
