"""The rule options, declared once: files check them so, and the record has their fields."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Le

from fracas.kernel.records import record
from fracas.rulesets.delve.rules import constants as codes

PerCent = Annotated[int, Ge(0), Le(100)]


class RuleOptions:
    """The rule options that the rules read: all of them."""

    survived_share: PerCent
    """Per cent of XP, gold and loot chance for a fight that was survived and not won."""
    armor_share: Annotated[int, Ge(0), Le(codes.LARGEST_PERCENT)]
    """Per cent of armor and resistance that count."""
    flee_below: PerCent
    """The party tries to flee below this per cent of its HP; 0 means never."""
    round_cap: Annotated[int, Ge(1), Le(codes.LARGEST_ROUND_CAP)]
    """Rounds until an undecided fight counts as survived."""


options_t = record(*((name, np.int64) for name in RuleOptions.__annotations__))
