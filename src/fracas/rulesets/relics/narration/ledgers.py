"""Add up what each item contributed to a battle, from its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.narration.chronicle import BattleLedgers, FighterLedger, PieceLedger
from fracas.rulesets.relics.narration.labels import RULE_WORDS, Participants
from fracas.rulesets.relics.rules import events as kinds
from fracas.rulesets.relics.rules.constants import SIDES

# Accounts that belong to no piece: the fighter itself, Thorns that hit back, and Regen.
ITSELF, THORNS, REGEN = "itself", "thorns", "regen"


FIGURES = ("runs", "dealt", "absorbed", "healed")


@dataclass(slots=True)
class ItemTotals:
    """Totals of one piece: how often it ran, what it dealt, absorbed and healed, and the changes it made."""

    runs: int = 0
    dealt: int = 0
    """ARMOR and HP that its damage took from the enemy."""
    absorbed: int = 0
    """Damage that its ARMOR took."""
    healed: int = 0
    own: dict[str, int] = field(default_factory=dict)
    """Net changes of its owner's quantities, by name."""
    enemy: dict[str, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether the piece did nothing."""
        return self == ItemTotals()


@dataclass(slots=True)
class Ledger:
    """One fighter's totals by piece, and its losses to rules rather than to the enemy."""

    side: int
    accounts: dict[str, ItemTotals] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    layers: list[tuple[str, int]] = field(default_factory=list)
    """ARMOR by the piece that gave it, oldest first."""

    def account(self, piece: str) -> ItemTotals:
        """A piece's totals, created on first use."""
        return self.accounts.setdefault(piece, ItemTotals())

    def total(self, figure: str) -> int:
        """The sum of a figure over all pieces."""
        return sum(int(getattr(account, figure)) for account in self.accounts.values())

    def lose_armor(self, amount: int) -> Iterator[tuple[str, int]]:
        """Remove the oldest ARMOR; yields the piece it came from and how much."""
        while amount > 0 and self.layers:
            piece, there = self.layers[0]
            taken = min(there, amount)
            amount -= taken
            self.layers[:1] = [(piece, there - taken)] if there > taken else []
            yield piece, taken


def ledgers(events: Sequence[Event], participants: Participants) -> tuple[Ledger, ...]:
    """Both fighters' ledgers after the events."""
    books = tuple(Ledger(side) for side in range(SIDES))
    for side in range(SIDES):
        for piece in participants.pieces[side]:
            books[side].account(ITSELF if piece.number % 32 == 0 else participants.name_of(piece))
    for event in events:
        _enter(event, books, participants)
    return books


def chronicle(events: Sequence[Event], document: Document) -> BattleLedgers:
    """Both ledgers of a battle as public records."""
    participants = Participants(document)
    left, right = (_as_record(ledger, participants.names[ledger.side]) for ledger in ledgers(events, participants))
    return BattleLedgers(left, right)


def _as_record(ledger: Ledger, name: str) -> FighterLedger:
    pieces = tuple(
        PieceLedger(
            piece,
            **{figure: getattr(account, figure) for figure in FIGURES},
            own=tuple(account.own.items()),
            enemy=tuple(account.enemy.items()),
        )
        for piece, account in ledger.accounts.items()
    )
    sums = {figure: ledger.total(figure) for figure in ("dealt", "absorbed", "healed")}
    return FighterLedger(name, pieces, tuple(ledger.losses.items()), **sums)


def _enter(event: Event, books: Sequence[Ledger], participants: Participants) -> None:
    """Enter one event into the ledgers."""
    match event:
        case kinds.Fighter():
            own = books[participants.side(event.actor)]
            own.layers = starting_layers(participants, own.side, event.armor)
        case kinds.PhaseBegins():
            books[participants.side(event.target)].layers = [(ITSELF, event.armor)] if event.armor else []
        case kinds.Trigger():
            account_of(books, participants, event.actor, event.source).runs += 1
        case kinds.Damage():
            own = books[participants.side(event.target)]
            for piece, taken in own.lose_armor(event.absorbed):
                own.account(piece).absorbed += taken
            if event.actor not in (None, event.target):
                account_of(books, participants, event.actor, event.source).dealt += event.absorbed + event.lost
            else:
                _lose(own, event.source, event.absorbed + event.lost)
        case kinds.Heal():
            _enter_heal(event, books, participants)
        case kinds.Change():
            _enter_change(event, books, participants)


def _enter_change(event: kinds.Change, books: Sequence[Ledger], participants: Participants) -> None:
    """Enter a gain or a loss: ARMOR into its layers, what a piece did into its totals."""
    target = books[participants.side(event.target)]
    if event.quantity == "armor" and event.change < 0:
        list(target.lose_armor(-event.change))
    elif event.quantity == "armor":
        is_own = event.actor == event.target
        target.layers.append((_name(participants, event.target, event.source) if is_own else ITSELF, event.change))
    if event.actor is None:
        if event.quantity in ("hp", "armor"):
            _lose(target, event.source, -event.change)
        return
    account = account_of(books, participants, event.actor, event.source)
    changed = account.own if event.actor == event.target else account.enemy
    changed[event.quantity] = changed.get(event.quantity, 0) + event.change


def _enter_heal(event: kinds.Heal, books: Sequence[Ledger], participants: Participants) -> None:
    """Enter a heal of the owner or of the enemy; the enemy books the latter under itself."""
    if event.actor in (None, event.target):
        account_of(books, participants, event.target, event.source).healed += event.healed
    elif event.actor is not None:
        given = account_of(books, participants, event.actor, event.source).enemy
        given["hp"] = given.get("hp", 0) + event.healed
        books[participants.side(event.target)].account(ITSELF).healed += event.healed


def _lose(ledger: Ledger, source: str, amount: int) -> None:
    if amount:
        ledger.losses[source] = ledger.losses.get(source, 0) + amount


def account_of(books: Sequence[Ledger], participants: Participants, actor: str, source: str) -> ItemTotals:
    """The totals to which an event belongs: those of the piece, or of the piece behind the rule."""
    return books[participants.side(actor)].account(_name(participants, actor, source))


def _name(participants: Participants, actor: str, source: str) -> str:
    if source == "strike":
        return participants.weapon(participants.side(actor)) or ITSELF
    if source == participants.sources[32 * participants.side(actor)] or (
        source in RULE_WORDS and source not in (THORNS, REGEN)
    ):
        return ITSELF
    return source


def starting_layers(participants: Participants, side: int, armor: int) -> list[tuple[str, int]]:
    """Starting ARMOR by the piece that gives it; negative ARMOR of other pieces is taken off the last."""
    fighter = participants.fighters[side]
    if fighter.state is not None:
        return [(ITSELF, armor)] if armor else []
    layers = [(ITSELF, fighter.stats.armor)]
    for piece in participants.pieces[side]:
        stats = getattr(piece.body, "stats", None)
        if piece.number % 32 and stats is not None and stats.armor > 0:
            layers.append((participants.name_of(piece), stats.armor * piece.factor))
    found: list[tuple[str, int]] = []
    for name, amount in layers:
        amount = min(amount, armor - sum(taken for _, taken in found))
        if amount > 0:
            found.append((name, amount))
    return found
