"""After the battle: what every unit did and suffered, and what decided it, worked out from the events alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.events.protocol import Event
from fracas.events.story_layout import SummaryRow, summary_table
from fracas.events.styled_text import ASIDE, EMPHASIS, SIDE_1, SIDE_2, Span
from fracas.rulesets.contract.types import Document
from fracas.rulesets.squads import events as kinds


@dataclass(slots=True)
class UnitTotals:
    """One unit's battle in figures, all in HP but the turns."""

    title: str
    side: int
    dealt: int = 0
    healed: int = 0
    shielded: int = 0
    taken: int = 0
    stunned: int = 0
    fell_in: int = 0


def unit_totals(events: Sequence[Event], document: Document) -> dict[str, UnitTotals]:
    """Every unit's account, by its name in events."""
    books = {
        f"{place + 1}.{unit['id']}": UnitTotals(f"{place + 1} {unit['name']}", place)
        for place, side in enumerate(document["sides"])
        for unit in side["units"]
    }
    for event in events:
        match event:
            case kinds.Hit():
                books[event.actor].dealt += event.lost
                books[event.target].taken += event.lost
                books[event.target].shielded += event.absorbed
            case kinds.Suffer():
                books[event.actor].dealt += event.lost
                books[event.target].taken += event.lost
            case kinds.Heal():
                books[event.actor].healed += event.restored
            case kinds.Stunned():
                books[event.actor].stunned += 1
            case kinds.Fall():
                books[event.target].fell_in = event.tick
    return books


def summary_lines(events: Sequence[Event], document: Document) -> Iterator[list[Span]]:
    """The accounts as a table, then what the two sides' sums say."""
    books = unit_totals(events, document)
    rows: list[SummaryRow] = []
    for account in books.values():
        fate = f"  fell in round {account.fell_in}" if account.fell_in else ""
        fate += f"  turns lost to stuns: {account.stunned}" if account.stunned else ""
        figures = (account.dealt, account.healed, account.taken, account.shielded)
        rows.append(((account.title, (SIDE_1, SIDE_2)[account.side]), figures, [(fate, ASIDE)]))
    yield from summary_table(("dealt", "healed", "taken", "absorbed"), rows)
    yield []
    for sentence in _sentences(list(books.values()), [side["name"] for side in document["sides"]]):
        yield [("  " + sentence, EMPHASIS)]
    first = next((event for event in events if isinstance(event, kinds.Fall)), None)
    if first is not None:
        yield [(f"  First to fall: {books[first.target].title}, in round {first.tick}.", EMPHASIS)]


def _sentences(books: Sequence[UnitTotals], names: Sequence[str]) -> Iterator[str]:
    for place, name in enumerate(names):
        own = [account for account in books if account.side == place]
        other = [account for account in books if account.side != place]
        dealt, undone = sum(a.dealt for a in own), sum(a.healed for a in other)
        share = f", {undone} of it healed again ({100 * undone // dealt} %)" if dealt and undone else ""
        absorbed = sum(a.shielded for a in other)
        stopped = f"; another {absorbed} stopped at shields" if absorbed else ""
        yield f"{place + 1} {name} dealt {dealt} damage{share}{stopped}."
