"""The base classes of a game's records. Their attributes are what rules read and change.

At run time a rule gets NumPy records with these fields, not objects of these classes; an enumeration is a plain number
there. `derive/shape.py` reads the classes.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform

from fracas.kit.declare.fields import (
    board,
    choice,
    chosen,
    condition,
    count,
    hidden,
    number,
    own,
    percent,
    ref,
    result,
    state,
    strategy,
    text,
    up_to,
)

SideT = TypeVar("SideT")
OptionsT = TypeVar("OptionsT")

# A game that never ends is ended by this many rounds at most.
LARGEST_ROUND_CAP = 10_000


@dataclass_transform(
    kw_only_default=True,
    field_specifiers=(
        number, percent, choice, text, up_to, count, state, hidden, chosen, result, board, ref, condition, strategy,
        own,
    ),
)  # fmt: skip
class Declared:
    """The base of all records."""

    KIND: ClassVar[str] = ""
    """The name of the list of such entries in content files; empty if it is no kind of content."""

    def __init_subclass__(cls, kind: str = "", **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls.KIND = kind


class Content(Declared):
    """A kind of entry in content files, or in the options or sides that contain it."""

    name: str = text()
    """What people call it."""
    entry: int = own()
    """Its number in the scenario's table of names, which events log; 0 if the place is empty."""


class Unit(Content):
    """Content that acts or is aimed at. Without a kind it is a place in a line-up, written in place only."""

    number: int = own()
    """Its number in the battle: both sides' places are counted through."""
    side: int = own()
    """0 or 1."""
    place: int = own()
    """Its place on its side, from 0."""


class Options(Declared):
    """The options of a game."""

    round_cap: int = number(1, LARGEST_ROUND_CAP, default=100)
    """Rounds after which the battle is a draw."""


class Side(Declared):
    """One of the two sides."""

    name: str = text()
    """What people call it."""
    number: int = own()
    """0 or 1."""


class Dice:
    """A battle's dice; see `dice.py`."""


class Condition:
    """A condition of a file, for `holds`."""


class Strategy:
    """A strategy of a file, which the kit's own `choose` follows."""


class Log:
    """Where events go; None in a silent battle."""


class Battle(Declared, Generic[SideT, OptionsT]):
    """What rules read and change. Its own fields are State."""

    tick: int = own()
    """The round; 0 is the set-up."""
    winner: int = own()
    """0 for nobody, else 1 or 2."""
    reason: int = own()
    """0 while the battle goes on."""
    asked: int = own()
    """Which sides must choose now, a bit each; only in games with `advance`."""
    actor: int = own()
    """Who must choose now, as a number in the rows of events; only in games with `advance`."""
    options: OptionsT = own()
    sides: list[SideT] = own()
    dice: Dice = own()


AnyBattle = Battle[Any, Any]
