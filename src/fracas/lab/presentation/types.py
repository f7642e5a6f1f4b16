"""What is shown of a result: tables, figures, findings; and how figures look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

if TYPE_CHECKING:
    from typing import TypeAlias

    import altair

    AltairChart: TypeAlias = altair.ChartType

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Gain = Annotated[float, msgspec.Meta(ge=-1, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
# As long as our own commands write them: seeds, conditions, what is replaced. Shown they are cut.
LONGEST_LABEL = 4_000
Label = Annotated[str, msgspec.Meta(max_length=LONGEST_LABEL)]
Interval = tuple[Share, Share]
GainInterval = tuple[Gain, Gain]

# A label in a sentence or a heading, and one in a cell of a table, is cut to so many characters.
SAID, IN_A_CELL = 100, 200

# What the two columns of an interval are headed.
INTERVAL_ENDS = ("95% from", "to")


class Kind(Enum):
    """What stands in a column."""

    TEXT = "a text"
    WHOLE = "a whole number"
    NUMBER = "a number with a fraction"
    SHARE = "a share from 0 to 1, shown in per cent"
    GAIN = "a difference of shares, shown in percentage points with its sign"
    FLAG = "yes or no"


@dataclass(frozen=True)
class Column:
    """A column of a table: its name for programs, its heading for people, and what stands in it."""

    key: str
    heading: str
    kind: Kind = Kind.TEXT


@dataclass(frozen=True)
class Table:
    """Rows under columns. A cell may be None."""

    name: str
    caption: str
    """What it shows, in a sentence."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Theme:
    """What a figure is drawn with. Colours may be CSS variables, where the page that holds the figure says which."""

    side_1: str
    side_2: str
    draw: str
    accent: str
    ink: str
    faint: str
    width: int
    """Of the figure in pixels, axes included."""

    @property
    def is_narrow(self) -> bool:
        """True on a phone: fewer ticks, shorter labels."""
        return self.width < 500

    @property
    def labels(self) -> int:
        """How many pixels the names beside bars may take."""
        return 138 if self.is_narrow else 220

    def side(self, number: int) -> str:
        """The colour of a side, 1 or 2."""
        return self.side_1 if number == 1 else self.side_2


@dataclass(frozen=True)
class Chart:
    """A chart with its title, and a caption that says what it shows."""

    name: str
    title: str
    caption: str
    chart: AltairChart


class Document(msgspec.Struct, kw_only=True):
    """What the document of every command says. Keys that are not needed here are left alone."""

    command: str
    ruleset: Label
    seed: Label = ""
    profile: Label = ""
    rules_version: int = 0
    content_fingerprint: Label = ""
    interrupted: bool = False

    @property
    def title(self) -> str:
        """What the section about it is called."""
        return self.command.capitalize()

    @property
    def about(self) -> str:
        """What it is about, in a few words: a scenario, several of them."""
        return self.ruleset

    def findings(self) -> Sequence[str]:
        """What was found, in whole sentences, the most important one first."""
        return ()

    def tables(self) -> Sequence[Table]:
        """The main table first."""
        return ()

    def figures(self, look: Theme) -> Sequence[Chart]:
        """The main figure first."""
        return ()


class OfScenario(Document, kw_only=True):
    """A document about the battles of one scenario."""

    scenario: Label
    names: tuple[Label, Label] = ("side 1", "side 2")

    @property
    def about(self) -> str:
        """The scenario's id."""
        return self.scenario


def short(label: str, longest: int = SAID) -> str:
    """A label as it is shown: what is too long ends with a mark."""
    return label if len(label) <= longest else f"{label[: longest - 1]}…"


def chosen_of(number: int, interval: tuple[float, float]) -> str:
    """What has to be said of the best of several that were measured on the same battles; nothing if it is certain."""
    low, high = interval
    is_sure = number < 2 or low == high
    return "" if is_sure else f", as the best of {number:,}, measured on the battles that chose it"


def per_cent(share: float) -> str:
    """A share as a sentence says it: 50.99%."""
    return f"{share:.2%}"


def points(gain: float) -> str:
    """A difference of shares as a sentence says it: +1.30 points."""
    return f"{100 * gain:+.2f} points"


def between(interval: tuple[float, float]) -> str:
    """The 95% interval of a share as a sentence says it; nothing if it is a point."""
    low, high = interval
    return "" if low == high else f" (95%: {low:.2%} to {high:.2%})"


def gain_between(interval: tuple[float, float]) -> str:
    """The same of a difference of shares."""
    low, high = interval
    return "" if low == high else f" (95%: {100 * low:+.2f} to {100 * high:+.2f})"
