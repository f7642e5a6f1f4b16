"""Rolls for, makes and enhances items. delve/README.md, Rewards, An item, and Enhancement."""

from __future__ import annotations

from fracas.kernel.dice import open_address, peek, pick
from fracas.kernel.enumerating_dice import dispatch_on_dice
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.events import emit_bonus, emit_item, emit_loot_roll, emit_origin
from fracas.rulesets.delve.rules.rolls import roll_d100


@kernel_noinline
def roll_loot(battle, chance: int, source: int, lane: int, log) -> bool:
    """Roll for an item from the current encounter's table, and make it if the roll succeeds."""
    open_address(battle.dice, battle.tick, lane)
    first_word = peek(battle.dice)
    roll = roll_d100(battle.dice)
    emit_loot_roll(log, battle.tick, roll, chance, source, lane)
    if roll > chance:
        return False
    generate_item(battle, battle.table, source, lane, first_word, log)
    return True


@kernel
def leave_chest(battle, log) -> None:
    """Skip the chest for exact odds: loot decides nothing."""


@dispatch_on_dice(leave_chest)
@kernel
def open_chest(battle, log) -> None:
    """Open the chest at the end of a quest, which always holds an item."""
    open_address(battle.dice, battle.tick, codes.CHEST_LANE)
    generate_item(battle, battle.chest_table, codes.BY_CHEST, codes.CHEST_LANE, peek(battle.dice), log)


@kernel_noinline
def generate_item(battle, table_code: int, source: int, lane: int, first_word: int, log) -> None:
    """Make an item from a loot table: template, rarity, bonuses and their tiers."""
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
    for index in range(drop.bonus_count):
        drop.bonuses[index] = pick(battle.dice, template.bonus_weights)
        drop.tiers[index] = pick(battle.dice, rarity.tier_weights)
    if log is not None:
        log_item(battle, drop, log)


@kernel_noinline
def log_item(battle, drop, log) -> None:
    """Log an item and its dice address."""
    count = drop.bonus_count
    emit_item(log, battle.tick, drop.template, drop.rarity, count, drop.source)
    emit_origin(log, battle.tick, drop.lane, drop.word)
    for index in range(count):
        bonus, tier = drop.bonuses[index], drop.tiers[index]
        emit_bonus(log, battle.tick, bonus, tier, battle.bonuses[bonus].amounts[tier])


@kernel
def enhance_item(dice, attempt: int, enhancement: int) -> int:
    """Try to enhance an item from +n, below +5, to +(n + 1); returns its new level.

    The dice are the item's own, and `attempt` counts over the item's life.

    README, From class to participant, "Enhancement".
    """
    open_address(dice, attempt, codes.ENHANCEMENT_LANE)
    return enhancement + 1 if roll_d100(dice) <= codes.ENHANCEMENT_CHANCES[enhancement] else enhancement
