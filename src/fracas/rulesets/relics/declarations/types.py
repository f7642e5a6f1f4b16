"""The dataclasses in which ops, triggers, flags, modifiers and statuses are declared.

In texts, {who} is the target as subject with its verb ending {s}, {whom} as object, {whose} as possessive; every other
name in braces is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from fracas.rulesets.relics.rules import constants as codes


class ArgumentKind(Enum):
    """What an argument may be."""

    AMOUNT = "an amount"
    AMOUNT_OR_ALL = "an amount or all"
    NUMBER = "a number that tiers leave alone"
    STAT = "a stat"
    STATUS = "a status"
    STATUS_WORD = "a status, random or each"
    QUANTITY = "hp, a stat or a status"
    QUANTITY_WORD = "hp, a stat, a status or random"
    TARGET = "self, enemy, both or random"
    FIGHTER = "self or enemy"
    MOMENT = "now, next_turn or every_turn"
    TRIGGER = "a trigger"
    SELECTION = "all, random, left or right"
    TAG = "a tag"
    PERCENT = "a percentage"
    BONUS = "an amount that may be below 0"
    BONUS_PERCENT = "a percentage that may be below 0"


# Quantities to spend and convert. Not `health`, which is the maximum; `hp` is the current value.
CONVERTIBLE = ("hp", "armor", "attack", "speed", *codes.STATUSES)
WORDS: Mapping[ArgumentKind, tuple[str, ...]] = {
    ArgumentKind.STAT: codes.STATS,
    ArgumentKind.STATUS: codes.STATUSES,
    ArgumentKind.STATUS_WORD: (*codes.STATUSES, "random", "each"),
    ArgumentKind.QUANTITY: CONVERTIBLE,
    ArgumentKind.QUANTITY_WORD: (*CONVERTIBLE, "random"),
    ArgumentKind.TARGET: codes.TARGETS,
    ArgumentKind.FIGHTER: ("self", "enemy"),
    ArgumentKind.MOMENT: codes.MOMENTS,
    ArgumentKind.TRIGGER: codes.TRIGGERS,
    ArgumentKind.SELECTION: codes.SELECTIONS,
}
# Arguments that may also be the id of a status that content declares itself.
STATUS_KINDS = frozenset(
    (ArgumentKind.STATUS, ArgumentKind.STATUS_WORD, ArgumentKind.QUANTITY, ArgumentKind.QUANTITY_WORD)
)
LEAST_BONUS, LEAST_BONUS_PERCENT, LARGEST_PERCENT = -999, -100, 1000
AMOUNTS = (ArgumentKind.AMOUNT, ArgumentKind.AMOUNT_OR_ALL, ArgumentKind.BONUS)


def bounds_of(kind: ArgumentKind) -> tuple[int, int]:
    """The smallest and the largest number that an argument may be."""
    match kind:
        case ArgumentKind.PERCENT:
            return 0, 100
        case ArgumentKind.BONUS:
            return LEAST_BONUS, codes.LARGEST
        case ArgumentKind.BONUS_PERCENT:
            return LEAST_BONUS_PERCENT, LARGEST_PERCENT
    return 0, codes.LARGEST


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of an op or a modifier; one with a default may be left out."""

    name: str
    kind: ArgumentKind
    default: str | int | None = None

    @property
    def tiered(self) -> bool:
        """True if golden and diamond items multiply it."""
        return self.kind in AMOUNTS


@dataclass(frozen=True, slots=True)
class OpForm:
    """An op as items write it, and the code that kernels run for it."""

    name: str
    verb: int
    arguments: tuple[Argument, ...]
    doc: str
    text: str
    self_text: str = ""
    """The text if the target is the owner; if empty, `text`."""
    fixed: Mapping[str, str | int] = field(default_factory=dict)
    """Arguments that the name implies, by name; they are not written."""
    when: str = ""
    """A condition that the name implies."""
    on_hit: int = codes.OTHER_ON_HIT
    """Its class among on-hit effects."""
    on_hit_only: bool = False

    @property
    def needed(self) -> tuple[Argument, ...]:
        """The required arguments."""
        return tuple(argument for argument in self.arguments if argument.default is None)

    @property
    def limits(self) -> tuple[str, ...]:
        """The keys that limit it; always empty for an op."""
        return ()


@dataclass(frozen=True, slots=True)
class Payload:
    """The number that comes with a trigger: in the rule book, and in the texts of items."""

    doc: str
    text: str


NO_PAYLOAD = Payload("0", "0")


@dataclass(frozen=True, slots=True)
class TriggerForm:
    """A moment at which effects run. Its text says which of them take a number and which a status."""

    name: str
    doc: str
    text: str
    payload: Payload = NO_PAYLOAD

    @property
    def takes_n(self) -> bool:
        """Whether its effects need an n."""
        return "{n}" in self.text

    @property
    def takes_status(self) -> bool:
        """Whether its effects may be limited to a status."""
        return "{of}" in self.text


@dataclass(frozen=True, slots=True)
class FlagForm:
    """A word in an item's `flags`, and the effect or modifier that it stands for."""

    name: str
    doc: str
    trigger: str = ""
    op: str = ""
    modifier: str = ""

    @property
    def takes_number(self) -> bool:
        """Whether a number follows it: that of its op."""
        return bool(self.op)


@dataclass(frozen=True, slots=True)
class ModifierForm:
    """A modifier: applies while its item is worn and its condition is true."""

    name: str
    arguments: tuple[Argument, ...]
    doc: str
    text: str
    sources: tuple[str, ...] | None = None
    """The sources that it may be limited to, beside pieces with a tag; None if it cannot be limited."""

    @property
    def limits(self) -> tuple[str, ...]:
        """The keys that limit it."""
        if self.sources is None:
            return ()
        return ("tag", "source") if self.sources else ("tag",)

    @property
    def needed(self) -> tuple[Argument, ...]:
        """The required arguments."""
        return tuple(argument for argument in self.arguments if argument.default is None)


Form = OpForm | ModifierForm
"""What a list such as `["gain_armor", 2]` is written by."""
