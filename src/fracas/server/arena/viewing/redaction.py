"""What others see of a match while an entry in it is hidden: what happened, and not why.

Where an event is declared, `Reasoning` flags the columns that tell why its actor decided so. A hidden side's events
lose them; an event that has nothing else is left out. Outcome, HP and the story stay.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fracas.engine.battle import Battle
from fracas.events.protocol import STORY
from fracas.kernel.event_log import COLUMNS

_ACTOR = COLUMNS.index("actor")


def public_events(battle: Battle, hidden: Collection[int]) -> list[dict[str, Any]]:
    """The events of a battle as plain values, without the reasoning of the hidden sides (1, 2)."""
    assert battle.rows is not None
    ruleset = battle.scenario.ruleset
    sides = ruleset.analysis.vitals(battle.scenario.compiled, battle.scenario.document).sides
    found = []
    for row, event in zip(battle.rows.tolist(), battle.events, strict=True):
        is_hidden = sides.get(row[_ACTOR]) in hidden
        plain = ruleset.protocol.public_json(event) if is_hidden else event.as_json()
        if plain is not None:
            found.append(plain)
    return found


def public_outcome(battle: Battle, hidden: Collection[int]) -> dict[str, Any]:
    """The outcome of a battle as plain values. The digest of a hidden battle would confirm a guessed strategy."""
    outcome = battle.outcome_json()
    return {key: value for key, value in outcome.items() if key != "digest" or not hidden}


def public_story(battle: Battle) -> str:
    """The battle as text. A story tells what can be seen on the field, whoever is hidden."""
    return battle.story(STORY)
