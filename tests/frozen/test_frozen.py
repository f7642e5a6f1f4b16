"""The hashes of `hashes.json` still hold: documents, rows, stories, search spaces, messages, schemas, events.

`python scripts/soak/frozen.py` says how to compare many more scenarios, and how to write the file anew when a change of
results has a reason and a line in the changelog.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.frozen.frozen import OF_A_BATTLE, SCENARIOS, hashes

import fracas
from fracas.rulesets import registry

FROZEN = json.loads(Path(__file__).with_name("hashes.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", registry.NAMES)
def test_nothing_that_a_ruleset_says_has_changed(name: str) -> None:
    assert hashes(name, range(SCENARIOS)) == FROZEN[name]


def test_one_other_event_row_gives_another_hash() -> None:
    battle = fracas.run(fracas.load(registry.get("stacks").random_scenario(0)))
    before = OF_A_BATTLE["rows"](battle)
    assert battle.rows is not None
    battle.rows[-1, -1] += 1
    assert OF_A_BATTLE["rows"](battle) != before
