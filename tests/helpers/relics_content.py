"""All that ships with relics, for tests of it."""

from __future__ import annotations

from fracas.rulesets import registry
from fracas.rulesets.relics.content.models.items import Body

RELICS = registry.get("relics")
LIBRARY = RELICS.read_library(None, ())
ITEMS = LIBRARY.of("items")
ENEMIES = LIBRARY.of("enemies")
BOSSES = LIBRARY.of("bosses")


def bodies() -> list[Body]:
    """Everything that has triggers, flags and modifiers."""
    phases = [phase for boss in BOSSES.values() for phase in boss.phases]
    return [*ITEMS.values(), *LIBRARY.of("sets").values(), *ENEMIES.values(), *BOSSES.values(), *phases]
