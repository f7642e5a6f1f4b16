"""The summary below a stacks story: each unit's damage, healing and fate, counted from the events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.events.story_layout import SummaryRow, summary_table
from fracas.events.styled_text import PLAIN, Span
from fracas.kernel.event_protocol import Event
from fracas.rulesets.stacks.narration.labels import Member, Participants, follow
from fracas.rulesets.stacks.rules import events as kinds
from fracas.rulesets.stacks.rules.constants import SIDES, TICKS_PER_ATTACK


@dataclass(slots=True)
class UnitTotals:
    """One unit's totals over a battle, in health except for the ripostes and the turn in which it fell."""

    member: Member
    dealt: int = 0
    healed: int = 0
    taken: int = 0
    answers: int = 0
    fell_in: int | None = None


def accounts(events: Sequence[Event], participants: Participants) -> dict[str, UnitTotals]:
    """Each unit's totals, by its name in events."""
    totals = {name: UnitTotals(member) for name, member in participants.members.items()}
    healths = participants.healths
    for event in events:
        change = follow(healths, event)
        match event:
            case kinds.Move(target=str(target)):
                own, other = totals[event.actor], totals[target]
                own.answers += event.move == "riposte"
                own.dealt -= min(change, 0) if own is not other else 0
                own.healed += max(change, 0)
                other.taken -= min(change, 0)
            case kinds.Health():
                totals[event.target].taken -= min(change, 0)
            case kinds.Fall():
                totals[event.target].fell_in = event.tick % TICKS_PER_ATTACK
    return totals


def summary_lines(events: Sequence[Event], participants: Participants) -> Iterator[list[Span]]:
    """A table of the units' totals, then each side's losses in a sentence."""
    totals = accounts(events, participants)
    if not any(isinstance(event, kinds.Turn) for event in events):
        return
    rows: list[SummaryRow] = []
    for unit in totals.values():
        fate = "" if unit.fell_in is None else f"  fell in turn {unit.fell_in}"
        figures = (unit.dealt, unit.healed, unit.taken, unit.answers)
        rows.append(((unit.member.title, unit.member.role), figures, [(fate, PLAIN)]))
    yield from summary_table(("dealt", "healed", "taken", "ripostes"), rows)
    yield []
    yield from _losses(totals, participants)


def losses(events: Sequence[Event], participants: Participants) -> Iterator[list[Span]]:
    """A sentence for each side with its damage and losses; nothing for an attack without a turn."""
    if any(isinstance(event, kinds.Turn) for event in events):
        yield from _losses(accounts(events, participants), participants)


def _losses(books: dict[str, UnitTotals], participants: Participants) -> Iterator[list[Span]]:
    for side in range(SIDES):
        own = [account for account in books.values() if account.member.side == side]
        fell = sum(account.fell_in is not None for account in own)
        dealt = sum(account.dealt for account in own)
        yield [
            (
                f"{side + 1} {participants.side_names[side]} dealt {dealt} damage and lost {fell} of {len(own)} units.",
                PLAIN,
            )
        ]
