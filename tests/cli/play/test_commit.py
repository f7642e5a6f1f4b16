"""`fracas world commit`: a saved battle's result is saved back to the world that it was fought on, once."""

from __future__ import annotations

import json

import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE
from tests.helpers.scenarios import edited, written
from tests.helpers.stacks import ATTACK, EXAMPLES, attack, stack

from fracas.engine.campaign import load_campaign, run_campaign

SHIPPED = sorted(EXAMPLES.glob("*.toml"))


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def fought(tmp_path, fracas_cli):
    """A scenario's file, and the replay of its battle."""
    file, replay = written(tmp_path, ATTACK), tmp_path / "battle.json"
    assert fracas_cli("run", file, "--save", replay).status == DONE
    return file, replay


def test_the_world_after_a_commit_is_that_after_a_campaign_of_the_one_attack(fought, fracas_cli):
    file, replay = fought
    told = fracas_cli("world", "commit", replay, "--world", file, "--format", "json").json
    assert told["world"] == run_campaign(load_campaign(file)).world
    assert told == fracas_cli("world", "commit", replay, "--format", "json").json
    assert told["world"]["revision"] == 1


def test_the_moves_are_the_tuples_of_the_battle(fought, fracas_cli):
    _, replay = fought
    told = fracas_cli("world", "commit", replay, "--format", "json").json
    events = fracas_cli("lab", "replay", replay, "--format", "json").json["events"]
    made = [[event["move"], event["effect"]] for event in events if event["kind"] == "move"]
    assert [[move, effect] for _, _, move, effect in told["moves"]] == made
    assert {actor for actor, *_ in told["moves"]} <= {0, 1, 48}


@pytest.mark.parametrize("name", ["after.toml", "after.json"])
def test_a_result_is_committed_once(fought, tmp_path, fracas_cli, name):
    _, replay = fought
    out = tmp_path / name
    committed = fracas_cli("world", "commit", replay, "--out", out)
    assert committed.status == DONE
    assert "The world at revision 1" in committed.out
    before = out.read_bytes()
    ended = fracas_cli("world", "commit", replay, "--world", out, "--out", out, "--format", "json")
    assert ended.status == BAD_INPUT
    [error] = ended.errors
    assert error["where"] == str(out)
    assert "already contains this result or another: it is at revision 1, the result at 0" in error["message"]
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [("at = [3, 2]", 'at = [3, 2]\nname = "Others"'), ("health = 12", "health = 13"), ('allies = ["gold"]', "")],
)
def test_a_world_that_has_changed_refuses_the_result(fought, tmp_path, fracas_cli, change):
    _, replay = fought
    changed = written(tmp_path, edited(change, text=ATTACK), "changed.toml")
    ended = fracas_cli("world", "commit", replay, "--world", changed, "--format", "json")
    assert ended.status == BAD_INPUT
    [error] = ended.errors
    assert error["message"] == "is not the world of this result"
    assert error["where"] == str(changed)


def test_a_replay_that_does_not_tell_the_truth_is_not_committed(fought, tmp_path, fracas_cli):
    _, replay = fought
    document = json.loads(replay.read_text())
    document["result"]["winner"] = 3 - document["result"]["winner"]
    false = written(tmp_path, json.dumps(document), "false.json")
    out = tmp_path / "after.toml"
    ended = fracas_cli("world", "commit", false, "--out", out)
    assert ended.status == CHECK_FAILED
    assert "DIFFERS" in ended.out
    assert not out.exists()


def test_a_world_must_be_sound_and_the_file_for_it_be_possible(fought, tmp_path, fracas_cli):
    _, replay = fought
    crowded = attack(stack("late", "grey", (1, 1)), stack("far", "grey", (9, 9)))
    ended = fracas_cli(
        "world", "commit", replay, "--world", written(tmp_path, json.dumps(crowded), "w.json"), "--format", "json"
    )
    assert ended.status == BAD_INPUT
    assert len(ended.errors) == 2
    ended = fracas_cli("world", "commit", replay, "--out", tmp_path / "after.txt", "--format", "json")
    assert [error["message"] for error in ended.errors] == ["must end in .toml or .json"]


def test_rulesets_without_worlds_say_so(tmp_path, fracas_cli):
    replay = tmp_path / "battle.json"
    fracas_cli("run", "examples/squads/first-battle.toml", "--save", replay)
    ended = fracas_cli("world", "commit", replay, "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["message"] == "squads has no campaigns"


@pytest.mark.parametrize("path", soak.some(SHIPPED, 1), ids=lambda path: path.stem)
def test_what_ships_can_be_fought_told_again_committed_and_shows_odds(path, tmp_path, fracas_cli):
    replay, out = tmp_path / "battle.json", tmp_path / "after.toml"
    assert fracas_cli("run", path, "--save", replay).status == DONE
    assert fracas_cli("verify", replay).status == DONE
    assert "◎" in fracas_cli("lab", "replay", replay).out
    assert fracas_cli("world", "commit", replay, "--world", path, "--out", out).status == DONE
    assert fracas_cli("world", "commit", replay, "--world", out).status == BAD_INPUT
    assert fracas_cli("validate", out).status == DONE
    odds = fracas_cli("odds", path, "-n", "2", "--format", "json").json
    assert odds["battles"] == 2
    assert {"stacks", "units", "attackers_left", "defenders_left"} == set(odds["statistics"])
