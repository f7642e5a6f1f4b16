"""Kept tables are what their commands print: what they hold fits this version, and some of their pairs play again."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import soak

from fracas.envs.agents import Player, reference_agents, strength_table
from fracas.envs.agents.card import PARTS, card_contest, card_pool
from fracas.envs.names import version_of
from fracas.rulesets import registry

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "examples" / "envs"
CARDS = sorted(file.stem for file in (KEPT / "cards").glob("*.json"))
# Pairs that take seconds, and one in a check; scripts/agent_tables.py --check plays all.
SAMPLE = soak.some([("titans", "trained", "scenario"), ("squads", "random", "scenario")], 1)
TABLES = soak.some(
    [("titans", ("patient", "duelist")), ("titans", ("charger", "turtle")), ("squads", ("triage", "kill_line"))], 1
)


def kept(name: str) -> Any:
    return json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("ruleset", CARDS)
def test_a_kept_card_is_of_this_version_and_this_pool(ruleset: str) -> None:
    card = kept(f"cards/{ruleset}")
    names = [player.name for player in card_pool(ruleset)]
    assert card["pool"] == names
    assert card["version"] == version_of(ruleset)
    assert sorted(entry["player"] for entry in card["players"]) == sorted(names)
    scores = {entry["player"]: entry for entry in card["players"]}
    assert [entry["score"] for entry in card["players"]] == sorted((e["score"] for e in card["players"]), reverse=True)
    for one in names:
        assert list(scores[one]["parts"]) == list(PARTS)
        for other, score in scores[one]["against"].items():
            assert score == pytest.approx(1 - scores[other]["against"][one])


@pytest.mark.parametrize(("ruleset", "one", "other"), [each for each in SAMPLE if each[0] in CARDS])
def test_a_pair_of_a_card_plays_again(ruleset: str, one: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")
    players = {player.name: player for player in card_pool(ruleset)}
    meeting = card_contest(ruleset).meet(players[one], players[other])
    (entry,) = (each for each in kept(f"cards/{ruleset}")["players"] if each["player"] == one)
    assert meeting.score == entry["against"][other]


@pytest.mark.parametrize(("ruleset", "pair"), TABLES)
def test_a_pair_of_a_table_plays_again(ruleset: str, pair: tuple[str, str]) -> None:
    """E1: the table of titans was not what its own command printed."""
    table = kept(f"strength/{ruleset}")
    players = [player for player in reference_agents(ruleset) if player.name in pair]
    (again,) = strength_table(ruleset, players, table["battles_per_pair"], None, table["seed"]).meetings
    (entry,) = (e for e in table["meetings"] if (e["player"], e["against"]) == (again.first, again.second))
    assert (again.wins, again.draws, again.battles) == (entry["wins"], entry["draws"], entry["battles"])
    assert again.score == entry["score"]


def test_exploitability_is_kept_with_its_error() -> None:
    found = kept("strength/exploitability")
    assert found["rules_version"] == registry.get("titans").rules_version
    assert all(gain > 0 for gain in found["exploitability"])
    assert all(error > 0 for error in found["exploitability_error"])


def test_each_kept_table_has_its_command() -> None:
    spec = importlib.util.spec_from_file_location("agent_tables", ROOT / "scripts" / "agent_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    files = {
        f"{file.parent.name}/{file.stem}" for folder in ("cards", "strength") for file in (KEPT / folder).iterdir()
    }
    assert files <= set(module.COMMANDS)


def test_players_of_tables_have_one_name_each() -> None:
    for ruleset in CARDS:
        names = [player.name for player in [*reference_agents(ruleset), Player("scenario")]]
        assert names.count("trained") == 1
