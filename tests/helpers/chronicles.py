"""Chronicles narrowed to their classes."""

from __future__ import annotations

import fracas
from fracas import delve, relics


def run_log(battle: fracas.Battle) -> delve.chronicle.RunLog:
    """The chronicle of a run."""
    assert isinstance(battle.chronicle, delve.chronicle.RunLog)
    return battle.chronicle


def encounter_log(battle: fracas.Battle) -> delve.chronicle.EncounterLog:
    """The chronicle of a single encounter."""
    assert isinstance(battle.chronicle, delve.chronicle.EncounterLog)
    return battle.chronicle


def ledgers_of(battle: fracas.Battle) -> relics.chronicle.BattleLedgers:
    """The ledgers of a battle of relics."""
    assert isinstance(battle.chronicle, relics.chronicle.BattleLedgers)
    return battle.chronicle
