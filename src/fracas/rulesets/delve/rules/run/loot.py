"""Rolls for, makes and enhances items. delve/README.md, Rewards, An item, and Enhancement."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import open_address, peek, pick
from fracas.kernel.enumerating_dice import dispatch_on_dice
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.delve.rules.constants import (
    BONUS_EVENT,
    BY_CHEST,
    CHEST_LANE,
    ENHANCEMENT_CHANCES,
    ENHANCEMENT_LANE,
    ITEM_EVENT,
    LOOT_ROLL_EVENT,
    ORIGIN_EVENT,
)
from fracas.rulesets.delve.rules.rolls import roll_d100

_LOW_WORD = 0xFFFF


@kernel_noinline
def roll_loot(battle: Any, chance: int, source: int, lane: int, log: Any) -> bool:
    """Roll for an item from the current encounter's table, and make it if the roll succeeds.

    Rule:    delve/README.md, Rewards, steps 3 and 4.
    Changes: battle.drops.
    Draws:   d100() from (tick, lane); on success as generate_item.
    Emits:   LOOT_ROLL, then as generate_item.
    """
    open_address(battle.dice, battle.tick, lane)
    first_word = peek(battle.dice)
    roll = roll_d100(battle.dice)
    if log is not None:
        emit(log, battle.tick, LOOT_ROLL_EVENT, NOBODY, NOBODY, roll, chance, source, lane)
    if roll > chance:
        return False
    generate_item(battle, battle.table, source, lane, first_word, log)
    return True


@kernel
def leave_chest(battle: Any, log: Any) -> None:
    """Skip the chest for exact odds: loot decides nothing.

    Rule:    delve/README.md, Rewards, "The chest".
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """


@dispatch_on_dice(leave_chest)
@kernel
def open_chest(battle: Any, log: Any) -> None:
    """Open the chest at the end of a quest, which always holds an item.

    Rule:    delve/README.md, Rewards, "The chest".
    Changes: battle.drops.
    Draws:   as generate_item, from (tick, the chest's lane).
    Emits:   as generate_item.
    """
    open_address(battle.dice, battle.tick, CHEST_LANE)
    generate_item(battle, battle.chest_table, BY_CHEST, CHEST_LANE, peek(battle.dice), log)


@kernel_noinline
def generate_item(battle: Any, table_code: int, source: int, lane: int, first_word: int, log: Any) -> None:
    """Make an item from a loot table: template, rarity, bonuses and their tiers.

    Rule:    delve/README.md, An item.
    Changes: battle.drops.
    Draws:   pick(template), pick(rarity); for each bonus pick(bonus), pick(tier). The address is open.
    Emits:   ITEM, ORIGIN, BONUS for each bonus.
    """
    table = battle.tables[table_code]
    row = table.rows[pick(battle.dice, table.weights)]
    drop = battle.drops[battle.drop_count]
    battle.drop_count += 1
    drop.template = row.template
    drop.rarity = pick(battle.dice, row.rarity_weights)
    drop.source = source
    drop.tick = battle.tick
    drop.lane = lane
    drop.word = first_word
    template = battle.templates[drop.template]
    rarity = battle.rarities[drop.rarity]
    drop.bonus_count = rarity.bonus_count if template.bonus_total > 0 else 0
    for place in range(drop.bonus_count):
        drop.bonuses[place] = pick(battle.dice, template.bonus_weights)
        drop.tiers[place] = pick(battle.dice, rarity.tier_weights)
    if log is not None:
        tell_item(battle, drop, log)


@kernel_noinline
def tell_item(battle: Any, drop: Any, log: Any) -> None:
    """Log an item and its dice address.

    Rule:    delve/README.md, An item.
    Changes: nothing.
    Draws:   none.
    Emits:   ITEM, ORIGIN, BONUS for each bonus.
    """
    count = drop.bonus_count
    emit(log, battle.tick, ITEM_EVENT, NOBODY, NOBODY, drop.template, drop.rarity, count, drop.source)
    low, high = drop.word & _LOW_WORD, drop.word >> 16
    emit(log, battle.tick, ORIGIN_EVENT, NOBODY, NOBODY, drop.lane, low, high, 0)
    for place in range(count):
        bonus, tier = drop.bonuses[place], drop.tiers[place]
        amount = battle.bonuses[bonus].amounts[tier]
        emit(log, battle.tick, BONUS_EVENT, NOBODY, NOBODY, bonus, tier, amount, 0)


@kernel
def enhance_item(dice: Any, attempt: int, enhancement: int) -> int:
    """Try to enhance an item from +n, below +5, to +(n + 1); returns its new level.

    The dice are the item's own, and `attempt` counts over the item's life.

    Rule:    delve/README.md, From class to participant, "Enhancement".
    Changes: nothing.
    Draws:   d100() from (attempt, the lane of enhancement).
    Emits:   nothing.
    """
    open_address(dice, attempt, ENHANCEMENT_LANE)
    return enhancement + 1 if roll_d100(dice) <= ENHANCEMENT_CHANCES[enhancement] else enhancement
