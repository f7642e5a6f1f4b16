"""Rolls the loot of many runs without playing them: every encounter is passed without a fight."""

from __future__ import annotations

from fracas.kernel.dice import seek_stream
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.run.loot import open_chest, roll_loot


@kernel
def roll_run(battle, encounters: int) -> None:
    """Roll the loot of a run that passes its first encounters, and opens the chest if these are all.

    README, Rewards, step 3, and "The chest".
    """
    battle.drop_count = 0
    for number in range(encounters):
        encounter = battle.encounters[number]
        battle.tick = number * codes.TICKS_PER_ENCOUNTER + codes.REWARD_TICK
        battle.table = encounter.table
        if encounter.loot:
            roll_loot(battle, battle.difficulty.loot_chance, codes.BY_ENCOUNTER, codes.LOOT_LANE, None)
    if encounters == battle.encounter_count:
        battle.tick = (encounters - 1) * codes.TICKS_PER_ENCOUNTER + codes.REWARD_TICK
        open_chest(battle, None)


@kernel
def count_drops(battle, chest: int, found, bonuses) -> None:
    """Count items by source, template and rarity, and their bonuses by kind and tier.

    A count for statistics.
    """
    for index in range(battle.drop_count):
        drop = battle.drops[index]
        source = chest if drop.source != codes.BY_ENCOUNTER else drop.tick // codes.TICKS_PER_ENCOUNTER
        found[source, drop.template, drop.rarity] += 1
        for number in range(drop.bonus_count):
            bonuses[drop.bonuses[number], drop.tiers[number]] += 1


def roll_many(battles, first_stream: int, runs: int, encounters: int, found, bonuses) -> None:
    """Roll the loot of runs first_stream, first_stream + 1, ...

    battles: (1,) of battle_t. found: (encounters of the quest + 1, templates, rarities) of int64, the last of the first
    axis for the chest. bonuses: (bonuses, tiers) of int64.
    """
    battle = battles[0]
    for run in range(runs):
        seek_stream(battle.dice, first_stream + run)
        roll_run(battle, encounters)
        count_drops(battle, len(found) - 1, found, bonuses)
