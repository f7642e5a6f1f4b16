"""Types of a presentation: tables, charts, findings, themes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from fracas.events.styled_text import clipped

if TYPE_CHECKING:
    from typing import TypeAlias

    import altair

    AltairChart: TypeAlias = altair.ChartType

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Gain = Annotated[float, msgspec.Meta(ge=-1, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
# The limit that the commands use for text they write: seeds, conditions, replaced values. Longer text is cut.
LONGEST_LABEL = 4_000
Label = Annotated[str, msgspec.Meta(max_length=LONGEST_LABEL)]
Interval = tuple[Share, Share]
GainInterval = tuple[Gain, Gain]

# Labels are cut to this length in sentences and headings, and to this one in table cells.
SAID, IN_A_CELL = 100, 200

# The headings of an interval's two columns.
INTERVAL_ENDS = ("95% from", "to")
# Shown in place of an interval that is a point: nothing depends on luck.
CERTAIN = "certain"


class CellKind(Enum):
    """What a column contains."""

    TEXT = "a text"
    WHOLE = "a whole number"
    NUMBER = "a number with a fraction"
    SHARE = "a share from 0 to 1, shown in per cent"
    EXACT = "the same, known exactly: with more digits"
    WHOLE_SHARE = "the same, shown in whole per cent"
    GAIN = "a difference of shares, shown in percentage points with its sign"
    CHANCE = "the probability of a test, shown with three digits, and below 0.001 as that"
    FLAG = "yes or no"


@dataclass(frozen=True)
class Column:
    """A column of a table: its name for programs, its heading for people, and its kind."""

    key: str
    heading: str
    kind: CellKind = CellKind.TEXT
    is_drawn: bool = False
    """Whether a terminal draws a bar for each share, and for each gain that is surely above or below nothing."""
    is_detail: bool = False
    """Whether a terminal leaves it out unless it is asked for."""


@dataclass(frozen=True)
class Edit:
    """A change of the scenario that a row of a table proposes."""

    path: str
    """The dotted path in the resolved document."""
    value: Any


def interval_columns(kind: CellKind, key: str = "") -> tuple[Column, Column]:
    """The columns of a 95% interval's ends; their keys are `low` and `high` after `key`."""
    return Column(f"{key}low", INTERVAL_ENDS[0], kind), Column(f"{key}high", INTERVAL_ENDS[1], kind)


@dataclass(frozen=True)
class Table:
    """Rows under columns. A cell may be None."""

    name: str
    caption: str
    """A sentence that says what it shows."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    is_course: bool = False
    """Whether rows follow each other in time, so that a few of many are taken at equal distances."""
    is_detail: bool = False
    """Whether a terminal leaves it out unless it is asked for."""
    signs: tuple[tuple[int, ...], ...] = ()
    """For each cell 1 if it is surely high, -1 if surely low, and 0 if neither: a terminal colours them."""
    edits: tuple[Edit, ...] = ()
    """For each row the change that it proposes, which an editor can make; empty if the rows propose none."""


@dataclass(frozen=True)
class Theme:
    """How figures look. Colours may be CSS variables of the page that holds the figure."""

    side_1: str
    side_2: str
    draw: str
    accent: str
    ink: str
    faint: str
    width: int
    """The figure's width in pixels, including axes."""

    @property
    def is_narrow(self) -> bool:
        """True on a phone: fewer ticks, shorter labels."""
        return self.width < 500

    @property
    def labels(self) -> int:
        """How many pixels the names next to bars may take."""
        return 138 if self.is_narrow else 220

    def side(self, number: int) -> str:
        """The colour of a side, 1 or 2."""
        return self.side_1 if number == 1 else self.side_2


@dataclass(frozen=True)
class Chart:
    """A chart with a title, and a caption that says what it shows."""

    name: str
    title: str
    caption: str
    chart: AltairChart


class Best(msgspec.Struct):
    """A warning for the best of several options measured on the same battles: its gain is flattered."""

    of: Count
    measured_on: str = "the battles that chose it"


def plain(value: Any) -> Any:
    """A result as the plain values of its document: a field is a key, and tuples are lists.

    A class orders its keys by `FIRST` and `LAST`, leaves those in `OPTIONAL` out where they hold nothing (a measured
    0.0 is something), and always those that are unset.
    """
    if isinstance(value, msgspec.Struct):
        kind = type(value)
        names = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
        first, last = (getattr(kind, each, ()) for each in ("FIRST", "LAST"))
        keys = [key for key in (*first, *(key for key in names if key not in (*first, *last)), *last) if key in names]
        found = {key: getattr(value, names[key]) for key in keys if not key.startswith("_")}
        found = {key: each for key, each in found.items() if each is not msgspec.UNSET}
        optional = getattr(kind, "OPTIONAL", ())
        return {
            key: plain(each) for key, each in found.items() if each or isinstance(each, float) or key not in optional
        }
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return {key: plain(each) for key, each in value.items()} if isinstance(value, Mapping) else value


def short(label: str, longest: int = SAID) -> str:
    """A label cut to a length; a mark shows the cut."""
    return clipped(label, longest)


def chosen_of(number: int, interval: tuple[float, float]) -> str:
    """A warning for the best of several options measured on the same battles; empty if the result is certain."""
    low, high = interval
    is_sure = number < 2 or low == high
    return "" if is_sure else f", as the best of {number:,}, measured on the battles that chose it"


def sign_of(interval: tuple[float, float]) -> int:
    """1 for an interval of shares above half, -1 below half, 0 if it holds half."""
    low, high = interval
    return (low > 0.5) - (high < 0.5)


def per_cent(share: float) -> str:
    """A share as text: 50.99%."""
    return f"{share:.2%}"


def points(gain: float) -> str:
    """A difference of shares as text: +1.30 points."""
    # A loss that rounds to nothing has no minus.
    return f"{round(100 * gain, 2) + 0.0:+.2f} points"


def between(interval: tuple[float, float]) -> str:
    """A share's 95% interval as text; empty if it is a point."""
    low, high = interval
    return "" if low == high else f" (95%: {low:.2%} to {high:.2%})"


def gain_between(interval: tuple[float, float]) -> str:
    """The 95% interval of a difference of shares as text."""
    low, high = interval
    return "" if low == high else f" (95%: {100 * low:+.2f} to {100 * high:+.2f})"
