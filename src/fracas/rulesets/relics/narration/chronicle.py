"""A relics battle as ledgers: what each piece of each fighter brought.

    import fracas
    ledgers = fracas.run("examples/relics/standard.toml").chronicle
    for piece in ledgers.left.pieces:
        print(piece.piece, piece.dealt, piece.absorbed, piece.healed)

Everything comes from the events; `reckoning.py` puts it together, and the rule book says under *Ledgers* what counts as
whose.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PieceLedger:
    """What a piece did in a battle; pieces that did nothing are there as well."""

    piece: str
    """Its name in events; `itself` is the fighter, `thorns` and `regen` are those statuses."""
    runs: int
    """How often an effect of it ran, whether conditions of single ops then held or not."""
    dealt: int
    """ARMOR and HP that its damage took of the enemy."""
    absorbed: int
    """Damage that its ARMOR took."""
    healed: int
    """HP that its owner gained by its heals."""
    own: tuple[tuple[str, int], ...] = ()
    """By how much it changed its owner's quantities, in all."""
    enemy: tuple[tuple[str, int], ...] = ()
    """By how much it changed the enemy's."""


@dataclass(frozen=True, slots=True)
class FighterLedger:
    """The ledger of a fighter."""

    fighter: str
    pieces: tuple[PieceLedger, ...]
    """Its pieces by number, then what is none."""
    lost: tuple[tuple[str, int], ...]
    """ARMOR and HP that it lost to nobody, or to itself, by what took them."""
    dealt: int
    """The sum over all pieces, as are the next two."""
    absorbed: int
    healed: int


@dataclass(frozen=True, slots=True)
class BattleLedgers:
    """Both ledgers of a battle."""

    left: FighterLedger
    right: FighterLedger
