"""A relics battle as ledgers: what each piece of each fighter contributed.

    import fracas
    from fracas import relics
    ledgers = fracas.run("examples/relics/standard.toml").chronicle
    assert isinstance(ledgers, relics.chronicle.BattleLedgers)
    for piece in ledgers.left.pieces:
        print(piece.piece, piece.dealt, piece.absorbed, piece.healed)

`ledgers.py` builds them from the events; the rule book defines under *Ledgers* what counts for which piece.
"""

from __future__ import annotations

from dataclasses import dataclass

from fracas.events.chronicle import Chronicle


@dataclass(frozen=True, slots=True)
class PieceLedger:
    """What a piece did in a battle; includes pieces that did nothing."""

    piece: str
    """Its name in events; `itself` is the fighter, `thorns` and `regen` are those statuses."""
    runs: int
    """How often one of its effects ran, whether or not the conditions of single ops held."""
    dealt: int
    """ARMOR and HP that its damage took from the enemy."""
    absorbed: int
    """Damage that its ARMOR took."""
    healed: int
    """HP that its owner gained from its heals."""
    own: tuple[tuple[str, int], ...] = ()
    """Net changes of its owner's quantities, as pairs of name and sum."""
    enemy: tuple[tuple[str, int], ...] = ()
    """Net changes of the enemy's quantities."""


@dataclass(frozen=True, slots=True)
class FighterLedger:
    """The ledger of a fighter."""

    fighter: str
    pieces: tuple[PieceLedger, ...]
    """Its pieces by number, then `itself`, `thorns` and `regen`."""
    lost: tuple[tuple[str, int], ...]
    """ARMOR and HP lost to rules or to itself, by source."""
    dealt: int
    """Sum over all pieces, like the next two."""
    absorbed: int
    healed: int


@dataclass(frozen=True, slots=True)
class BattleLedgers(Chronicle):
    """Both ledgers of a battle."""

    left: FighterLedger
    right: FighterLedger
