"""`fracas agents strength`: a table of players, in text and JSON, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.helpers.commands import BAD_INPUT
from tests.helpers.networks import network_with

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
    assert sorted(each["player"] for each in table["players"]) == ["greedy", "random", "scenario"]
    assert table["drafts"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("titans", "--players", "chargr"), 'there is no player "chargr"'),
        (("chess",), "chess"),
        (("relics", "--policy", "mine.json"), "is for rulesets in which battles have decisions"),
        (("titans", "--players", "random", "-n", "4"), "players: are 1; 2 to 64"),
    ],
)
def test_what_is_wrong_is_said(fracas_cli, arguments: tuple[str, ...], message: str) -> None:
    refused = fracas_cli("agents", "strength", *arguments)
    assert refused.status == BAD_INPUT
    assert message in refused.err
