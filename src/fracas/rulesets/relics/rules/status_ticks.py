"""Building blocks of the order of play. Each resolves its consequences, and does nothing once the battle is over.

The rules: relics/README.md, Consequences; Changes.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule, has_listener
from fracas.rulesets.relics.rules.effects.quantity_changes import lose, write
from fracas.rulesets.relics.rules.effects.resolution import fire_trigger, resolve_stack


@kernel
def fire(battle, side: int, trigger: int, payload: int, log) -> None:
    """Raise a trigger for a fighter: run its effects with all consequences (README, An effect's turn)."""
    if battle.reason == codes.UNDECIDED and has_listener(battle, side, trigger):
        fire_trigger(battle, side, trigger, payload, NOBODY, log)


@kernel
def tick(battle, side: int, status: int, payload: int, log) -> None:
    """Raise status_ticked after a status changed its owner's HP or ARMOR (README, Order of play, A turn)."""
    if payload > 0 and battle.reason == codes.UNDECIDED and has_listener(battle, side, codes.STATUS_TICKED):
        fire_trigger(battle, side, codes.STATUS_TICKED, payload, status, log)


@kernel
def decay(battle, side: int, quantity: int, amount: int, source: int, log) -> int:
    """Take a quantity from a fighter by a rule, with all consequences; returns how much."""
    if amount <= 0 or battle.reason != codes.UNDECIDED:
        return 0
    if log is None and quantity >= codes.FIRST_STATUS and not has_listener(battle, side, codes.STATUS_LOST):
        caused_by_rule(battle, NOBODY, source)
        return -write(
            battle, side, quantity, fighter_of(battle, side).values[quantity & codes.QUANTITY_MASK] - amount, None
        )
    return wear_away(battle, side, quantity, amount, source, log)


@kernel_noinline
def wear_away(battle, side: int, quantity: int, amount: int, source: int, log) -> int:
    """Take a quantity by a rule and resolve the consequences."""
    caused_by_rule(battle, NOBODY, source)
    lost = lose(battle, side, quantity, amount, log)
    check_at_once(battle, log)
    resolve_stack(battle, log)
    return lost
