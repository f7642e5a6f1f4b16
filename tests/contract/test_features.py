"""What only some rulesets have is there or None, and what is missing is refused in words."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fracas
from fracas.content.packs import examples_folder
from fracas.errors import InputError, UsageError
from fracas.kit import load
from fracas.lab.simulation.loot import loot
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import AnalysisHooks

FEATURES = {
    "squads": {"agents", "player_entries"},
    "delve": {"agents", "player_entries", "loot"},
    "stacks": {"agents", "player_entries", "campaign"},
    "relics": {"player_entries", "draft", "share_codes"},
    "titans": {"agents", "player_entries", "session", "solver"},
}
ALL = set().union(*FEATURES.values())
ROSHAMBO = Path(__file__).parents[2] / "examples" / "games" / "roshambo" / "roshambo.py"


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_feature_is_there_or_none(name: str) -> None:
    ruleset = registry.get(name)
    assert {feature for feature in ALL if getattr(ruleset, feature) is not None} == FEATURES[name]


def test_a_game_has_agents_and_entries_at_most() -> None:
    with load.fresh():
        game = fracas.use(ROSHAMBO)
        assert {feature for feature in ALL if getattr(game, feature) is not None} == {"agents", "player_entries"}


@pytest.mark.parametrize("name", registry.NAMES)
def test_it_answers_the_lab_by_hooks_of_its_own(name: str) -> None:
    hooks = registry.get(name).analysis
    assert type(hooks) is not AnalysisHooks
    assert hooks.ruleset == name


SQUADS = registry.get("squads")
FIRST = examples_folder() / "squads" / "first-battle.toml"
MISSING: list[tuple[Callable[[], Any], str, str]] = [
    (lambda: registry.get("relics").agent_interface(), "RULESET", "relics has no decisions for agents in its battles"),
    (lambda: loot("squads", "cave", "hard"), "RULESET", "squads has no quests and no loot"),
    (lambda: registry.get("titans").calendar(datetime.date(2026, 1, 1), 1), "RULESET", "titans has no seasons"),
    (lambda: fracas.share_codes(FIRST), str(FIRST), "squads has no share codes"),
    (lambda: fracas.ladder(FIRST, n=1), "ladder", "squads has no opponents for a ladder"),
    (lambda: SQUADS.required(SQUADS.campaign, "campaigns", "mine"), "mine", "squads has no campaigns"),
    (lambda: SQUADS.required(SQUADS.draft, "draft", "RULESET", UsageError), "RULESET", "squads has no draft"),
]


@pytest.mark.parametrize(("ask", "where", "message"), MISSING, ids=[message for _, _, message in MISSING])
def test_what_a_ruleset_lacks_is_refused(ask: Callable[[], Any], where: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        ask()
    assert [(each.where, each.message) for each in caught.value.problems] == [(where, message)]
