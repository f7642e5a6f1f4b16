"""A replay that is no file verifies as the file does, and no message names a path."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.scenarios import EXAMPLES, problems_of

import fracas
from fracas.engine.replay_file import LARGEST_REPLAY
from fracas.replay.bundle_file import bundle_bytes, bundle_of

FILE = EXAMPLES / "first-battle.toml"


@pytest.fixture(scope="module")
def battle():
    return fracas.run(FILE, seed="memory")


def test_the_bytes_are_those_of_the_file(battle, tmp_path):
    battle.save(tmp_path / "battle.json")
    assert battle.replay_bytes() == (tmp_path / "battle.json").read_bytes()


def test_bytes_a_mapping_and_a_file_verify_alike(battle, tmp_path):
    battle.save(tmp_path / "battle.json")
    given = [tmp_path / "battle.json", battle.replay_bytes(), json.loads(battle.replay_bytes())]
    found = [fracas.verify(each) for each in given]
    assert [each.matches for each in found] == [True] * 3
    assert {each.battle.digest for each in found} == {battle.digest}
    assert [each.file for each in found] == [str(tmp_path / "battle.json"), "replay", "replay"]


@pytest.mark.parametrize("as_bytes", [True, False])
def test_a_forged_event_is_found_in_memory_too(battle, as_bytes):
    document = json.loads(battle.replay_bytes())
    document["events"][-1][4] = 3 - document["events"][-1][4]
    found = fracas.verify(json.dumps(document).encode() if as_bytes else document)
    assert not found.matches
    assert found.stored != found.played


def test_a_bundle_verifies_from_memory(battle):
    assert fracas.verify(bundle_bytes(bundle_of(battle))).matches


def test_a_long_replay_is_accepted_as_a_mapping():
    units = ["gate_warden", "stone_sentinel", "bridge_keeper", "old_mountain", "spring_saint", "spring_saint"]
    side = {"units": [*units, "shield_bearer", "shield_bearer"]}
    battle = fracas.run({"ruleset": "squads", "sides": [side, side], "options": {"round_cap": 500}})
    assert battle.rows is not None
    assert len(battle.rows) * 8 > 500_000
    assert fracas.verify(json.loads(battle.replay_bytes())).matches


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b"", "invalid JSON"),
        (b"{", "invalid JSON"),
        (b"\xff", "is not UTF-8 text"),
        (b"ruleset = 'squads'", "invalid JSON"),
        ({}, "is not a Fracas replay"),
        ({"format": "fracas-replay", "format_version": 9}, "has replay format 9"),
        ({"format": "fracas-replay", "events": object()}, "does not consist of plain values"),
        ({"format": "\ud800"}, "does not consist of plain values"),
        (17, "is not a path, bytes or a mapping"),
    ],
)
def test_what_is_no_replay_is_refused_without_a_path(given: Any, message):
    (problem,) = problems_of(fracas.verify, given)
    assert message in problem.message
    assert problem.where.split(":")[0] == "replay"
    for text in (problem.where, problem.message, problem.suggestion or ""):
        assert tempfile.gettempdir() not in text
        assert str(Path(fracas.__file__).parent) not in text


def test_a_mapping_that_holds_itself_is_refused():
    document: dict[str, Any] = {"format": "fracas-replay"}
    document["scenario"] = document
    (problem,) = problems_of(fracas.verify, document)
    assert "does not consist of plain values" in problem.message


def test_too_many_bytes_are_refused():
    (problem,) = problems_of(fracas.verify, b" " * (LARGEST_REPLAY + 1))
    assert "is larger than" in problem.message


def test_a_battle_without_a_log_has_no_bytes():
    with pytest.raises(fracas.UsageError, match="played without a log"):
        fracas.run(FILE, log=False).replay_bytes()
