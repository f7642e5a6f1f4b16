"""Rolls the loot of many runs without playing them: every encounter is passed without a fight. For `fracas loot`."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules.constants import BY_ENCOUNTER, LOOT_LANE, REWARD_TICK, TICKS_PER_ENCOUNTER
from fracas.rulesets.delve.rules.run.loot import open_chest, roll_loot


@kernel
def roll_run(battle: Any, encounters: int) -> None:
    """Roll the loot of a run that passes its first encounters, and opens the chest if these are all.

    Rule:    delve/README.md, Rewards, step 3, and "The chest".
    Changes: battle.drops.
    Draws:   as roll_loot for each encounter with loot, as open_chest.
    Emits:   nothing.
    """
    battle.drop_count = 0
    for number in range(encounters):
        encounter = battle.encounters[number]
        battle.tick = number * TICKS_PER_ENCOUNTER + REWARD_TICK
        battle.table = encounter.table
        if encounter.loot:
            roll_loot(battle, battle.difficulty.loot_chance, BY_ENCOUNTER, LOOT_LANE, None)
    if encounters == battle.encounter_count:
        battle.tick = (encounters - 1) * TICKS_PER_ENCOUNTER + REWARD_TICK
        open_chest(battle, None)


@kernel
def count_drops(battle: Any, chest: int, found: Any, bonuses: Any) -> None:
    """Count items by source, template and rarity, and their bonuses by kind and tier.

    Rule:    none; a count for statistics.
    Changes: found and bonuses.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(battle.drop_count):
        drop = battle.drops[place]
        source = chest if drop.source != BY_ENCOUNTER else drop.tick // TICKS_PER_ENCOUNTER
        found[source, drop.template, drop.rarity] += 1
        for number in range(drop.bonus_count):
            bonuses[drop.bonuses[number], drop.tiers[number]] += 1


def roll_many(battles: Any, first_stream: int, runs: int, encounters: int, found: Any, bonuses: Any) -> None:
    """Roll the loot of runs first_stream, first_stream + 1, ...

    battles: (1,) of battle_t. found: (encounters of the quest + 1, templates, rarities) of int64, the last of the first
    axis for the chest. bonuses: (bonuses, tiers) of int64.
    """
    battle = battles[0]
    for run in range(runs):
        seek_stream(battle.dice, first_stream + run)
        roll_run(battle, encounters)
        count_drops(battle, len(found) - 1, found, bonuses)
