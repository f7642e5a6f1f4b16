"""Building blocks of the order of play. Each resolves its consequences, and does nothing once the battle is over."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.constants import FIRST_STATUS, QUANTITY_MASK, STATUS_LOST, STATUS_TICKED, UNDECIDED
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule, has_listener
from fracas.rulesets.relics.rules.effects.quantity_changes import lose, write
from fracas.rulesets.relics.rules.effects.resolution import fire_trigger, resolve_stack


@kernel
def come_up(battle: Any, side: int, trigger: int, payload: int, log: Any) -> None:
    """Raise a trigger for a fighter: run its effects with all consequences.

    Rule:    relics/README.md, An effect's turn; Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    if battle.reason == UNDECIDED and has_listener(battle, side, trigger):
        fire_trigger(battle, side, trigger, payload, NOBODY, log)


@kernel
def tick(battle: Any, side: int, status: int, payload: int, log: Any) -> None:
    """Raise status_ticked after a status changed its owner's HP or ARMOR.

    Rule:    relics/README.md, Order of play, A turn.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    if payload > 0 and battle.reason == UNDECIDED and has_listener(battle, side, STATUS_TICKED):
        fire_trigger(battle, side, STATUS_TICKED, payload, status, log)


@kernel
def fall_off(battle: Any, side: int, quantity: int, amount: int, source: int, log: Any) -> int:
    """Take a quantity from a fighter by a rule, with all consequences; returns how much.

    Rule:    relics/README.md, Changes, Loss; Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as wear_away.
    """
    if amount <= 0 or battle.reason != UNDECIDED:
        return 0
    if log is None and quantity >= FIRST_STATUS and not has_listener(battle, side, STATUS_LOST):
        caused_by_rule(battle, NOBODY, source)
        return -write(battle, side, quantity, fighter_of(battle, side).values[quantity & QUANTITY_MASK] - amount, None)
    return wear_away(battle, side, quantity, amount, source, log)


@kernel_noinline
def wear_away(battle: Any, side: int, quantity: int, amount: int, source: int, log: Any) -> int:
    """Take a quantity by a rule and resolve the consequences.

    Rule:    relics/README.md, Changes, Loss; Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   CHANGE, MARK; as the effects.
    """
    caused_by_rule(battle, NOBODY, source)
    lost = lose(battle, side, quantity, amount, log)
    check_at_once(battle, log)
    resolve_stack(battle, log)
    return lost
