"""After the story: what everybody of the party did and suffered, and what it brings home, from the events alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.events.protocol import Event
from fracas.events.story_layout import SummaryRow, summary_table
from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, PLAIN, SIDE_1, SIDE_2, Span
from fracas.rulesets.delve import events as kinds
from fracas.rulesets.delve.narration.encounter_text import item_lines
from fracas.rulesets.delve.narration.grouping import beats, first_of
from fracas.rulesets.delve.narration.labels import Cast
from fracas.rulesets.delve.rules.constants import TICKS_PER_ENCOUNTER


@dataclass(slots=True)
class UnitTotals:
    """Somebody's battle in figures, all in HP but kills and lost turns."""

    title: str
    side: int
    dealt: int = 0
    healed: int = 0
    taken: int = 0
    absorbed: int = 0
    kills: int = 0
    stunned: int = 0
    fell_at: int = -1


def unit_totals(events: Sequence[Event], cast: Cast) -> dict[str, UnitTotals]:
    """Everybody's account: members by their names in events; of the enemies those who took part."""
    books: dict[str, UnitTotals] = {}

    def of(name: str) -> UnitTotals:
        character = cast.of(name)
        return books.setdefault(name, UnitTotals(character.title, character.side))

    for name in list(cast.characters)[: len(cast.members())]:
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
    return books


def summary_lines(events: Sequence[Event], cast: Cast) -> Iterator[list[Span]]:
    """The accounts as a table; of a run those of the party, and what was found."""
    is_run = bool(cast.document.get("quest"))
    rows: list[SummaryRow] = []
    for account in unit_totals(events, cast).values():
        if not is_run or account.side == 0:
            figures = (account.dealt, account.healed, account.taken, account.absorbed, account.kills)
            rows.append(((account.title, (SIDE_1, SIDE_2)[account.side]), figures, [(fate(account, is_run), ASIDE)]))
    yield from summary_table(("dealt", "healed", "taken", "absorbed", "kills"), rows)
    if is_run:
        yield from spoils(events, cast)


def fate(account: UnitTotals, is_run: bool) -> str:
    """When somebody fell, and what it lost to stuns."""
    encounter, within = divmod(account.fell_at, TICKS_PER_ENCOUNTER)
    where = f"{encounter}.{within}" if within < TICKS_PER_ENCOUNTER // 2 else f"{encounter}"
    fell = f"  fell in {where if is_run else account.fell_at}" if account.fell_at >= 0 else ""
    return fell + (f"  turns lost: {account.stunned}" if account.stunned else "")


def spoils(events: Sequence[Event], cast: Cast) -> Iterator[list[Span]]:
    """What a run brings home."""
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
            yield from found(events, cast)


def found(events: Sequence[Event], cast: Cast) -> Iterator[list[Span]]:
    """Every item, with the encounter that gave it."""
    for beat in beats(events):
        item = first_of(kinds.Item, beat)
        if item is not None:
            origin = "chest" if item.source == "chest" else f"encounter {item.tick // TICKS_PER_ENCOUNTER}"
            yield from item_lines(cast.document, ("    ", PLAIN), beat, f" ({origin})")
