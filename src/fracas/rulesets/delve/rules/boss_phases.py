"""Applies the phases of bosses."""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules.constants import ATTRIBUTES


@kernel
def enter_phase(actor, phase) -> None:
    """Apply a phase to a boss (README, A turn, step 2)."""
    actor.next_phase += 1
    if phase.first_slot >= 0:
        actor.first_slot = phase.first_slot
        actor.slot_count = phase.slot_count
    actor.armor = phase.armor if phase.armor >= 0 else actor.armor
    actor.resistance = phase.resistance if phase.resistance >= 0 else actor.resistance
    actor.evasion = phase.evasion if phase.evasion >= 0 else actor.evasion
    actor.regeneration = phase.regeneration if phase.regeneration >= 0 else actor.regeneration
    for index in range(len(ATTRIBUTES)):
        if phase.attributes[index] >= 0:
            actor.attributes[index] = phase.attributes[index]
