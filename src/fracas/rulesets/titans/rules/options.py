"""The rule options, declared once: files check them so, and the record has their fields.

A word's number in the record is its place among the words here; constants.py names those numbers.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Le

from fracas.kernel.records import record
from fracas.rulesets.titans.rules import constants as codes

Gain = Annotated[int, Ge(0), Le(codes.MAX_CHARGE)]
Hp = Annotated[int, Ge(1), Le(codes.LARGEST_HP)]


class RuleOptions:
    """The rule options."""

    round_cap: Annotated[int, Ge(1), Le(codes.LARGEST_ROUND_CAP)]
    """The last round; after it the shares of HP decide."""
    sudden_death: Annotated[int, Ge(0), Le(codes.LARGEST_ROUND_CAP)]
    """The round from which Defense and heals are 0; 0 means never."""
    misses: bool
    """Whether attacks and abilities can miss, by Accuracy and Evasion."""
    criticals: bool
    """Whether hits can be critical."""
    stamina_charges: bool
    """Whether Stamina increases gains of charge."""
    rest_charge: Gain
    """Charge for a rest."""
    defend_charge: Gain
    """Charge for being attacked while defending."""
    attack_charge: Gain
    """Charge for an attack that does damage."""
    experience: bool
    """Whether titans gain experience and levels."""
    generated_hp_low: Hp
    """The least HP of a generated titan."""
    generated_hp_high: Hp
    """The most HP of a generated titan."""
    generated_abilities: Annotated[int, Ge(1), Le(codes.OWN_ABILITIES)]
    """How many abilities a generated titan has."""
    generated_stats: Literal["four", "seven"]
    """seven: evasion, accuracy and critical are generated too."""
    stats_public: bool
    """Whether players see the opponent's stats."""
    locked: bool
    """Whether a submitted choice is final."""


# Options that matter only before the duel: they are in no record.
BEFOREHAND = frozenset(("generated_hp_low", "generated_hp_high", "generated_abilities", "generated_stats", "locked"))

options_t = record(*((name, np.int64) for name in RuleOptions.__annotations__ if name not in BEFOREHAND))
