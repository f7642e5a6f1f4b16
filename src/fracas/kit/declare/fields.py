"""The right-hand sides of fields: the annotation is the Python type that rules see, these say what the field is.

    heads: int = percent()
    units: list[Pet] = up_to(5, least=1)
    hp: int = state(starts="health", of="health")

Each returns a `Spec`, which `derive/shape.py` reads. To type checkers they return `Any`, so that the annotation holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any, Literal

# Numbers that files may have; the record has 64 bits, and event columns 32.
LEAST, MOST = -(1 << 31), (1 << 31) - 1


class Role(Enum):
    """What a field is."""

    GIVEN = "given"
    TEXT = "text"
    LIST = "list"
    COUNT = "count"
    STATE = "state"
    BOARD = "board"
    REFERENCE = "reference"
    CONDITION = "condition"
    STRATEGY = "strategy"
    OWN = "own"
    """Kept by the kit: a unit's number, the round."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What the right-hand side of a field says."""

    role: Role
    low: int = 0
    high: int = 0
    default: Any = None
    only: int | None = None
    capacity: int = 0
    of_sides: tuple[int, int] | None = None
    """The capacities of a list for the two sides, where they differ; `capacity` is the greater."""
    least: int = 0
    reserve: int = 0
    distinct: str = ""
    field: str = ""
    starts: str = ""
    of: str = ""
    board: str = ""
    turns: str = ""
    is_shown: bool = False
    is_hidden: bool = False
    is_chosen: bool = False
    in_result: bool = False
    width: int = 0
    height: int = 0
    letters: str = ""
    shape: str = "square"


def number(
    low: int = 0, high: int = MOST, *, default: int | None = None, only: int | None = None, board: str = ""
) -> Any:
    """A whole number of a file, from `low` to `high`.

    default: the value if files leave it out. only: the side, 0 or 1, whose files may set it. board: the name of a
    board; the number is one of its cells then, and files write `[column, row]`.
    """
    return Spec(Role.GIVEN, low=low, high=high, default=default, only=only, board=board)


def percent(*, default: int | None = None, only: int | None = None) -> Any:
    """A whole number of a file, from 0 to 100."""
    return Spec(Role.GIVEN, low=0, high=100, default=default, only=only)


def choice(*, default: IntEnum | None = None, only: int | None = None) -> Any:
    """A member of an enumeration; files write its name in lower case.

    default: the value if files leave it out.
    """
    return Spec(Role.GIVEN, default=default, only=only)


def text(*, default: str = "") -> Any:
    """Words for people: rules never see them."""
    return Spec(Role.TEXT, default=default)


def up_to(
    capacity: int | tuple[int, int],
    *,
    least: int = 0,
    reserve: int = 0,
    distinct: str = "",
    low: int = 0,
    high: int = MOST,
    only: int | None = None,
) -> Any:
    """A list of a file with `least` to `capacity` entries; rules see an array of that length, absent entries all 0.

    capacity: two numbers are those of the two sides. reserve: places behind them that files cannot fill, for who joins
    (`join`); stories call these as an event about them says that has a column of the units' content, else `newcomer 6`,
    by their place. distinct: the field in which entries must differ. low, high: the bounds of a list of numbers.
    """
    of_sides = None if isinstance(capacity, int) else capacity
    most = capacity if isinstance(capacity, int) else max(capacity)
    return Spec(
        Role.LIST,
        capacity=most,
        of_sides=of_sides,
        least=least,
        reserve=reserve,
        distinct=distinct,
        low=low,
        high=high,
        only=only,
    )


def count(field: str, *, init: Literal[False] = False) -> Any:
    """How many entries a list of the same class has; for units, the highest place in use."""
    return Spec(Role.COUNT, field=field)


def state(
    *,
    starts: str = "",
    of: str = "",
    capacity: int = 0,
    board: str = "",
    turns: str = "",
    shown: bool = False,
    init: Literal[False] = False,
) -> Any:
    """What changes during a battle. It starts at 0.

    starts: the field with which it starts instead: `health`, `hero.health`, `options.hp`. of: the field that it is a
    part of, for bars. capacity: the length of a list. board: it is a cell of this board. turns: the cell field whose
    token it turns. shown: pages show it.
    """
    return Spec(Role.STATE, starts=starts, of=of, capacity=capacity, board=board, turns=turns, is_shown=shown)


def hidden(*, starts: str = "", of: str = "", capacity: int = 0, init: Literal[False] = False) -> Any:
    """State that only its own side sees."""
    return Spec(Role.STATE, starts=starts, of=of, capacity=capacity, is_hidden=True)


def chosen(*, init: Literal[False] = False) -> Any:
    """What a side chose in this round; nobody sees it before both have chosen."""
    return Spec(Role.STATE, is_hidden=True, is_chosen=True)


def result(*, starts: str = "", of: str = "", init: Literal[False] = False) -> Any:
    """State of a side or of the battle whose last value is kept in results: `simulate` tells its mean and spread."""
    return Spec(Role.STATE, starts=starts, of=of, in_result=True)


def board(width: int, height: int, *, letters: str = "", shape: Literal["square", "hex"] = "square") -> Any:
    """A grid of cells, row by row; files write a row as letters, one for each member of the enumeration.

    Without letters it has no content, only a geometry. On hexes odd rows lie half a cell to the right.
    """
    return Spec(Role.BOARD, width=width, height=height, capacity=width * height, letters=letters, shape=shape)


def ref(path: str, *, init: Literal[True] = True) -> Any:
    """Files name an entry of a list by its id; rules see its index + 1, and 0 for none: `ref("options.minions")`."""
    return Spec(Role.REFERENCE, field=path, default="")


def condition(*, default: str = "always") -> Any:
    """A condition in a file; rules ask for its answer by `holds`."""
    return Spec(Role.CONDITION, default=default)


def strategy() -> Any:
    """A strategy of a side in a file: lines of `{ when = CONDITION, do = CHOICE, target = SELECTOR }`, in order.

    In games without a `choose` of their own, who must choose takes the first line whose condition holds and that has a
    legal action; if no line has one, the first legal action of all.
    """
    return Spec(Role.STRATEGY)


def own(*, init: Literal[False] = False) -> Any:
    """A field that the kit keeps; only for the base classes of `records.py`."""
    return Spec(Role.OWN)
