"""`fracas agents strength`: a table of players, in text and JSON, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.helpers.commands import BAD_INPUT
from tests.helpers.networks import network_with

from fracas.envs.agents import card as cards
from fracas.envs.agents import save_policy


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


def test_players_are_ranked_and_a_policy_of_ones_own_takes_part(fracas_cli, tmp_path: Path) -> None:
    save_policy(tmp_path / "mine.json", network_with("titans", 1))
    command = (
        "agents",
        "strength",
        "titans",
        "--policy",
        str(tmp_path / "mine.json"),
        "--players",
        "mine,charger,random",
        "-n",
        "4",
    )
    table = fracas_cli(*command, "--format", "json").json
    assert sorted(each["player"] for each in table["players"]) == ["charger", "mine", "random"]
    assert len(table["meetings"]) == 6
    assert all(low <= each["score"] <= high for each in table["meetings"] for low, high in [each["interval"]])
    text = fracas_cli(*command).out
    best = table["players"][0]
    assert text.splitlines()[0] == "standard: scores in per cent, 4 battles of each pair"
    assert best["player"] in next(line for line in text.splitlines() if line.strip().startswith("1 "))


def test_builds_are_drafted_and_fight(fracas_cli) -> None:
    table = fracas_cli(
        "agents", "strength", "relics", "--scenario", "examples/relics/first-duel.toml", "--players", "random,greedy",
        "-n", "1", "--format", "json",
    ).json  # fmt: skip
    assert sorted(each["player"] for each in table["players"]) == ["greedy", "random"]
    assert table["drafts"] == 1


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards of three battles, against players that do not search."""
    monkeypatch.setattr(cards, "ITEMS", 1)
    monkeypatch.setattr(cards, "ITEMS_OF_DRAFTS", 1)
    monkeypatch.setattr(cards, "POOL", ("random", "trained", "scenario"))


@pytest.fixture
def against_random(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards against one opponent."""
    monkeypatch.setattr(cards, "POOL", ("random",))


def test_a_card_ranks_an_agent_among_the_published_pool(fracas_cli, tmp_path: Path, against_random: None) -> None:
    file = tmp_path / "mine.py"
    file.write_text('def choose(seen):\n    return int(seen["action_mask"].argmax())\n')
    command = ("agents", "strength", "titans", "--card", "--agent", f"{file}:choose")
    found = fracas_cli(*command, "--format", "json").json
    (own,) = found["players"]
    assert own["player"] == "choose"
    assert list(own["parts"]) == ["standard", "train", "test"]
    assert found["published"] == cards.published("titans")["players"] != []
    lines = fracas_cli(*command).out.splitlines()
    assert lines[0].startswith("card of titans: mean score against the pool in per cent; 1 standard, 1 train, 1 test")
    ranked = [line.split()[1] for line in lines if line[:1].isdigit()]
    assert "choose" in ranked
    assert "tree" in ranked
    assert sum("(yours)" in line for line in lines) == 1


def test_a_card_of_relics_takes_drafters(fracas_cli, against_random: None) -> None:
    command = ("agents", "strength", "relics", "--card", "--agent", "examples/envs/policies/relics.json")
    assert fracas_cli(*command, "--format", "json").json["players"][0]["player"] == "relics"


def test_the_card_of_a_game_says_what_is_missing(fracas_cli, small: None) -> None:
    file = "examples/games/cards/cards.py"
    found = fracas_cli("agents", "strength", "cards", "--card", "--game", file, "--format", "json").json
    assert found["pool"] == ["random", "scenario"]
    assert len(found["observation"]) == 64
    assert any("trained bot: none" in note for note in found["notes"])


def test_scenario_is_a_player_of_relics_too(fracas_cli) -> None:
    """E6: the table listed it, and --players refused it."""
    table = fracas_cli(
        "agents", "strength", "relics", "--scenario", "examples/relics/first-duel.toml", "--players", "random,scenario",
        "-n", "1", "--format", "json",
    ).json  # fmt: skip
    assert sorted(each["player"] for each in table["players"]) == ["random", "scenario"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("titans", "--players", "chargr"), 'there is no player "chargr"'),
        (("chess",), "chess"),
        (("relics", "--agent", "mine.json"), "mine.json: there is no such file"),
        (("relics", "--agent", "examples/envs/policies/squads.json"), "take a Drafter"),
        (("titans", "--agent", "mine.py"), "mine.py: is a Python file"),
        (("titans", "--card", "-n", "4", "--seed", "x"), "--battles: is fixed on the card"),
        (("titans", "--players", "random", "-n", "4"), "players: are 1; 2 to 64"),
    ],
)
def test_what_is_wrong_is_said(fracas_cli, arguments: tuple[str, ...], message: str) -> None:
    refused = fracas_cli("agents", "strength", *arguments)
    assert refused.status == BAD_INPUT
    assert message in refused.err
