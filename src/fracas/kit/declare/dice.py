"""Dice for rules. The kit opens the addresses: one for each round, each unit's turn, and each choice of a side.

So what one side rolls never changes what the other side rolls, nor does an agent in the place of a strategy.
"""

from __future__ import annotations

from fracas.kernel import dice as _dice
from fracas.kernel.dice import FIRST_NAMED_LANE, TABLE
from fracas.kernel.jit import kernel
from fracas.kit.declare.records import AnyBattle

# The lanes of a tick. Units have their numbers; `act` and `choose` of the shape *advance* count the tick's asks.
MOST_UNITS = 1 << 12
ROUND_LANE = TABLE
END_LANE = TABLE - 1
ORDER_LANE = TABLE - 2
ACT_LANES, CHOICE_LANES = 1 << 12, 1 << 15
# Lanes that authors open by number, from 0.
OWN_LANES = FIRST_NAMED_LANE
MOST_OWN_LANES = 128


@kernel
def below(battle: AnyBattle, sides: int) -> int:
    """A number from 0 to `sides` - 1; `sides` is at least 1."""
    roll: int = _dice.below(battle.dice, sides)
    return roll


@kernel
def d100(battle: AnyBattle, limit: int) -> int:
    """A number from 1 to 100. Compare it only with `limit`: exact odds then need two branches, not a hundred."""
    roll: int = _dice.d100_within(battle.dice, limit)
    return roll


@kernel
def chance(battle: AnyBattle, percent: int) -> bool:
    """Whether something with this chance in per cent happens."""
    roll: int = _dice.d100_within(battle.dice, percent)
    return roll <= percent


@kernel
def open_dice(battle: AnyBattle, lane: int) -> None:
    """Open the author's own address 0 to 127 of this round, once in a round; what is rolled there stays apart."""
    _dice.open_address(battle.dice, battle.tick, OWN_LANES + lane)
