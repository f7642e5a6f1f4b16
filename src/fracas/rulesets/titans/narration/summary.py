"""The summary table after a duel: what each titan did, from the events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.events.story_layout import SummaryRow, summary_table
from fracas.events.styled_text import Span
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans.narration.labels import Duelist, duelists_of
from fracas.rulesets.titans.rules import events as kinds


@dataclass(slots=True)
class UnitTotals:
    """One titan's totals: HP dealt, healed and absorbed, and how often it took each action."""

    duelist: Duelist
    dealt: int = 0
    healed: int = 0
    absorbed: float = 0.0
    attacks: int = 0
    abilities: int = 0
    defends: int = 0
    rests: int = 0


def unit_totals(events: Sequence[Event], document: Document) -> dict[str, UnitTotals]:
    """Both titans' totals, by their players' names."""
    books = {name: UnitTotals(duelist) for name, duelist in duelists_of(document).items()}
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
    """Both titans' totals as a table."""
    books = unit_totals(events, document)
    if not any(isinstance(event, kinds.Act) for event in events):
        return
    heads = ("dealt", "healed", "absorbed", "attacks", "abilities", "defends", "rests")
    rows: list[SummaryRow] = []
    for account in books.values():
        did = (account.attacks, account.abilities, account.defends, account.rests)
        figures = (account.dealt, account.healed, f"{account.absorbed:.1f}", *did)
        rows.append(((account.duelist.title, account.duelist.role), figures, ()))
    yield from summary_table(heads, rows, gap=0)
