"""Titans made from a text. titans/README.md, "Generated titans"."""

from __future__ import annotations

import numpy as np

from fracas.kernel.dice import below, between, dice_t, open_address, seek_stream
from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.seeds import key_words
from fracas.rulesets.titans.content.models import ResolvedOptions
from fracas.rulesets.titans.rules.constants import CLASSIC_ABILITIES, GENERATE_LANE, GENERATED_STAT, STATS, TITAN_NAMES

FOUR_STATS = 4


def generated_titan(text: str, player: int, options: ResolvedOptions) -> Document:
    """Generate a player's titan from a text; the same text, player and options give the same titan."""
    dice = np.zeros(1, dice_t)[0]
    dice.key[:] = key_words(text)
    seek_stream(dice, 0)
    open_address(dice, 0, GENERATE_LANE + player)
    hp = int(between(dice, options.generated_hp_low, options.generated_hp_high))
    wanted = STATS if options.generated_stats == "seven" else STATS[:FOUR_STATS]
    stats = {stat: int(between(dice, *GENERATED_STAT)) for stat in wanted}
    left = list(CLASSIC_ABILITIES)
    abilities = [left.pop(below(dice, len(left))) for _ in range(options.generated_abilities)]
    name = TITAN_NAMES[below(dice, len(TITAN_NAMES))]
    return {"name": name, "hp": hp, **stats, "abilities": abilities}
