"""After the battle: what every unit did and suffered, worked out from the events alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.events.protocol import Event
from fracas.events.story_layout import SummaryRow, summary_table
from fracas.events.styled_text import PLAIN, Span
from fracas.rulesets.stacks import events as kinds
from fracas.rulesets.stacks.narration.labels import Cast, Member, follow
from fracas.rulesets.stacks.rules.constants import SIDES, TICKS_PER_ATTACK


@dataclass(slots=True)
class UnitTotals:
    """One unit's battle in figures, all in health but the turn in which it fell."""

    member: Member
    dealt: int = 0
    healed: int = 0
    taken: int = 0
    answers: int = 0
    fell_in: int | None = None


def accounts(events: Sequence[Event], cast: Cast) -> dict[str, UnitTotals]:
    """Every unit's account, by its name in events."""
    books = {name: UnitTotals(member) for name, member in cast.members.items()}
    healths = cast.healths
    for event in events:
        change = follow(healths, event)
        match event:
            case kinds.Move(target=str(target)):
                own, other = books[event.actor], books[target]
                own.answers += event.move == "riposte"
                own.dealt -= min(change, 0) if own is not other else 0
                own.healed += max(change, 0)
                other.taken -= min(change, 0)
            case kinds.Health():
                books[event.target].taken -= min(change, 0)
            case kinds.Fall():
                books[event.target].fell_in = event.tick % TICKS_PER_ATTACK
    return books


def summary_lines(events: Sequence[Event], cast: Cast) -> Iterator[list[Span]]:
    """The accounts as a table, then each side's losses in a sentence."""
    books = accounts(events, cast)
    if not any(isinstance(event, kinds.Turn) for event in events):
        return
    rows: list[SummaryRow] = []
    for account in books.values():
        fate = "" if account.fell_in is None else f"  fell in turn {account.fell_in}"
        figures = (account.dealt, account.healed, account.taken, account.answers)
        rows.append(((account.member.title, account.member.role), figures, [(fate, PLAIN)]))
    yield from summary_table(("dealt", "healed", "taken", "ripostes"), rows)
    yield []
    yield from _losses(books, cast)


def losses(events: Sequence[Event], cast: Cast) -> Iterator[list[Span]]:
    """What each side dealt and lost, in a sentence each; nothing of an attack without a turn."""
    if any(isinstance(event, kinds.Turn) for event in events):
        yield from _losses(accounts(events, cast), cast)


def _losses(books: dict[str, UnitTotals], cast: Cast) -> Iterator[list[Span]]:
    for side in range(SIDES):
        own = [account for account in books.values() if account.member.side == side]
        fell = sum(account.fell_in is not None for account in own)
        dealt = sum(account.dealt for account in own)
        yield [(f"{side + 1} {cast.side_names[side]} dealt {dealt} damage and lost {fell} of {len(own)} units.", PLAIN)]
