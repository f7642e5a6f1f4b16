"""A battle that is saved verifies, here and elsewhere, plain and compiled."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.helpers.replays import fields, saved
from tests.helpers.scenarios import EXAMPLES, duel, loaded, problems_of

import fracas
from fracas.engine.replay_file import read_replay, rows_of
from fracas.replay.verify import narrate_replay, verify_replay
from fracas.rulesets import registry

RULESET = registry.get("squads")


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_every_example_verifies(tmp_path, file):
    battle = fracas.run(file, seed="replays")
    battle.save(tmp_path / "battle.json")
    verification = fracas.verify(tmp_path / "battle.json")
    assert verification.matches
    assert verification.battle.digest == battle.digest


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 2**63 - 1))
def test_random_scenarios_verify_on_any_stream(tmp_path_factory, seed, stream):
    path = tmp_path_factory.mktemp("replay") / "battle.json"
    fracas.run(RULESET.random_scenario(seed), stream=stream).save(path)
    assert verify_replay(path).matches


@pytest.mark.parametrize(("saving", "verifying"), [("0", "1"), ("1", "0")])
def test_a_battle_saved_plain_verifies_compiled_and_the_other_way(monkeypatch, tmp_path, saving, verifying):
    monkeypatch.setenv("FRACAS_JIT", saving)
    path = saved(tmp_path, stream=3)
    monkeypatch.setenv("FRACAS_JIT", verifying)
    assert verify_replay(path).matches


def test_a_replay_holds_every_input_and_the_result(tmp_path):
    scenario = loaded(
        duel(profile="tuned", modifier="heavy_armor"), seed="tuesday", overrides=["sides.0.units.0.hp=61"]
    )
    battle = fracas.run(scenario, stream=5)
    battle.save(tmp_path / "battle.json")
    document = json.loads((tmp_path / "battle.json").read_text())
    assert set(document) == set(fields()) - {"decisions", "game"}  # no agents, and a shipped ruleset
    assert document["format"] == "fracas-replay"
    assert (document["ruleset"], document["rules_version"]) == ("squads", RULESET.rules_version)
    assert (document["seed"], document["stream"], document["profile"]) == ("tuesday", 5, "tuned")
    assert document["scenario"] == scenario.document
    assert document["scenario"]["sides"][0]["units"][0]["hp"] == 61
    assert document["content_fingerprint"] == scenario.fingerprint
    assert document["result"] == {"winner": battle.winner, "reason": battle.reason, "rounds": battle.rounds}
    assert document["event_count"] == len(document["events"]) == len(battle.events)
    assert document["digest"] == battle.digest
    assert dict(document["tick_digests"]) == battle.tick_digests
    assert document["choices"] == document["plugins"] == []


def test_the_stored_rows_are_the_rows(tmp_path):
    battle = fracas.run(loaded())
    battle.save(tmp_path / "battle.json")
    assert battle.rows is not None
    assert (rows_of(read_replay(tmp_path / "battle.json")) == battle.rows).all()


def test_saving_twice_gives_the_same_bytes(tmp_path):
    first = saved(tmp_path, stream=7).read_bytes()
    assert saved(tmp_path, stream=7).read_bytes() == first
    assert first.endswith(b"}\n")


def test_a_replay_holds_no_time_path_or_host(tmp_path):
    path = tmp_path / "battle.json"
    fracas.run(EXAMPLES / "first-battle.toml").save(path)
    assert str(EXAMPLES) not in path.read_text()
    assert str(tmp_path) not in path.read_text()


def test_a_replay_is_told_as_the_battle_was(tmp_path):
    battle = fracas.run(loaded())
    battle.save(tmp_path / "battle.json")
    told = narrate_replay(tmp_path / "battle.json")
    for detail in ("story", "decisions", "all"):
        assert told.story(detail) == battle.story(detail)
    assert told.as_json() == battle.as_json()


def test_a_battle_without_a_log_cannot_be_saved(tmp_path):
    battle = fracas.run(loaded(), log=False)
    [problem] = problems_of(battle.save, tmp_path / "battle.json")
    assert "without a log" in problem.message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["missing/battle.json", "file/battle.json", "folder", "a\0b.json", f"{'x' * 300}.json"]
)
def test_a_place_that_cannot_be_written_is_refused_and_nothing_is_left_behind(tmp_path, name):
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    [problem] = problems_of(fracas.run(loaded()).save, f"{tmp_path}/{name}")
    assert problem.where == f"{tmp_path}/{name}"
    assert problem.message.startswith("cannot be written: ")
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "file").read_text() == "kept"


def test_saving_over_a_replay_replaces_it_whole(tmp_path):
    path = saved(tmp_path, stream=1)
    saved(tmp_path, stream=2)
    assert read_replay(path).stream == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["battle.json"]


def test_a_replay_that_cannot_be_put_in_place_leaves_the_old_one(monkeypatch, tmp_path):
    path = saved(tmp_path, stream=1)
    before = path.read_bytes()

    def refuse(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", refuse)
    [problem] = problems_of(fracas.run(loaded(), stream=2).save, path)
    assert (problem.message, problem.suggestion) == (
        "cannot be written: the disk is full",
        "make room, or write to another disk",
    )
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["battle.json"]
