"""Version 2 of what a drafter sees: pieces that differ never look equal, and amounts stand where they should."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import fracas
from fracas.engine.scenario import Scenario
from fracas.envs.drafting.single import DraftEnv
from fracas.rulesets.relics.analysis.described_pieces import ENTRIES, seen_of_piece
from fracas.rulesets.relics.analysis.draft import spaces
from fracas.rulesets.relics.analysis.draft_pieces import pool_for

SHORT = "examples/relics/first-duel.toml"


def pieces() -> dict[str, Any]:
    return pool_for(fracas.load(SHORT).document).pieces


def test_version_2_begins_with_version_1_and_stays_in_its_space() -> None:
    one, two = (DraftEnv("relics", SHORT, version=version) for version in (1, 2))
    first, second = one.reset(seed=3)[0], two.reset(seed=3)[0]
    over = False
    while not over:
        count = len(first["observation"])
        np.testing.assert_array_equal(first["observation"], second["observation"][:count])
        assert two.observation_space.contains(second)
        assert len(second["observation"]) == len(spaces(2).features)
        action = int(np.flatnonzero(first["action_mask"])[-2])
        first, *_ = one.step(action)
        second, _, over, *_ = two.step(action)


def test_a_piece_by_hand() -> None:
    """An apple wreath heals 3 at a turn's end, under a condition, once in a battle; a sling gives 2 acid."""
    wreath, sling = (
        dict(zip(ENTRIES, seen_of_piece(pieces()[name]).tolist(), strict=True))
        for name in ("apple_wreath", "vinegar_sling")
    )
    shown = {name: round(value, 4) for name, value in wreath.items() if value and not name.startswith("mark")}
    assert shown == {"heal": 0.3, "per_battle": 0.1, "repeat": 0.1, "conditions": 0.1}
    shown = {name: round(value, 4) for name, value in sling.items() if value and not name.startswith("mark")}
    assert shown == {"give": 0.2, "repeat": 0.1}


def test_no_two_pieces_look_equal() -> None:
    rows: dict[bytes, Any] = {}
    for piece in pieces().values():
        does = {key: value for key, value in piece.items() if key not in ("id", "name", "place")}
        assert rows.setdefault(seen_of_piece(piece).tobytes(), does) == does


@pytest.mark.parametrize("side", ["left", "right"])
def test_amounts_of_the_enemy_are_seen_and_the_own_build_is_not(side: str) -> None:
    """The drafter wears nothing yet, so what its own fighter wore in the scenario makes no difference."""
    scenario = fracas.load(SHORT)
    document = copy.deepcopy(dict(scenario.document))
    effects = [
        effect
        for piece in document[side]["items"]
        for each in piece["triggers"].values()
        for effect in each
        if isinstance(effect.get("amount"), int)
    ]
    assert effects
    effects[0]["amount"] += 1
    other = Scenario(scenario.ruleset, document, scenario.ruleset.compile(document, {}))
    for version in (1, 2):
        one, two = (
            DraftEnv("relics", each, version=version).reset(seed=1)[0]["observation"] for each in (scenario, other)
        )
        assert (one != two).any() == (side == "right" and version == 2)


def test_rules_that_differ_do_not_look_equal() -> None:
    document = dict(fracas.load(SHORT).document)
    earlier = {**document, "options": {**document["options"], "turn_cap": document["options"]["turn_cap"] - 1}}
    ruleset = fracas.load(SHORT).ruleset
    one, two = (
        DraftEnv("relics", Scenario(ruleset, each, ruleset.compile(each, {})), version=2).reset(seed=1)[0]
        for each in (document, earlier)
    )
    assert (one["observation"] != two["observation"]).any()
    with pytest.raises(fracas.UsageError, match="version: is 3; observations have versions 1 and 2"):
        DraftEnv("relics", SHORT, version=3)
