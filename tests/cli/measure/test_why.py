"""`fracas why`: how a battle came to end as it did, in words and as a document."""

from __future__ import annotations

import json

import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import duel, written

import fracas
from fracas.lab.explain.rollouts import RolloutRunner

FEW = ("-n", 64)


@pytest.fixture
def file(tmp_path):
    return written(tmp_path, json.dumps(duel()), "duel.json")


@pytest.fixture
def kept(tmp_path, file):
    path = tmp_path / "kept.json"
    fracas.run(file, stream=3).save(path)
    return path


def test_what_changes_nothing_has_no_sign(fracas_cli, file):
    for stream in range(soak.times(2)):
        ended = fracas_cli("why", file, "--stream", stream, *FEW)
        assert "-0.0 " not in f"{ended.out} ".replace("\n", " ")
        document = fracas_cli("why", file, "--stream", stream, *FEW, "--format", "json")
        assert "-0.0," not in document.out.replace(" ", "").replace("]", ",")


def test_the_document_says_what_the_text_says(fracas_cli, file):
    document = fracas_cli("why", file, "--stream", 3, *FEW, "--format", "json").json
    battle = fracas.run(file, stream=3)
    assert document["command"] == "why"
    assert (document["stream"], document["winner"], document["digest"]) == (3, battle.winner, battle.digest)
    assert document["loser"] == 3 - battle.winner
    assert (document["branches"], document["branch_seed"]) == (64, "duel/why")
    assert len(document["odds"]) == battle.rounds
    for standing in document["odds"]:
        assert sum(standing["odds"]) == pytest.approx(1)
        assert sum(standing["change"]) == pytest.approx(0)
    assert set(document["turning_point"]) == {
        "tick", "place", "side", "odds", "after", "change", "luck", "turn", "story",
    }  # fmt: skip
    assert {search["side"] for search in document["changes"]} == {document["loser"]}
    assert document["interrupted"] is False


def test_a_replay_is_explained_as_its_scenario_is(fracas_cli, file, kept):
    documents = [fracas_cli("why", *asked, *FEW, "--format", "json").json for asked in ((kept,), (file, "--stream", 3))]
    for document in documents:
        del document["timing"]
    assert documents[0] == documents[1]


def test_what_a_replay_settles_cannot_be_asked_for(fracas_cli, kept):
    ended = fracas_cli("why", kept, "--seed", "other", "--stream", 2, "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == "--stream, --seed"


def test_a_replay_that_was_edited_is_refused(fracas_cli, kept):
    document = json.loads(kept.read_text())
    document["result"]["rounds"] += 1
    kept.write_text(json.dumps(document))
    ended = fracas_cli("why", kept)
    assert ended.status == BAD_INPUT
    assert "does not verify" in ended.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-n", 3), "-n"),
        (("-n", "many"), "-n"),
        (("--stream", -1), "--stream"),
        (("--threads", 0), "--threads"),
        (("--part", "bank"), "--part"),
        (("--set", "nonsense"), "--set"),
        (("--profile", "nobody"), "profile"),
        (("--winner", 1), "--winner"),
    ],
)
def test_bad_options_are_refused(fracas_cli, file, options, said):
    ended = fracas_cli("why", file, *options)
    assert ended.status == BAD_INPUT
    assert ended.out == ""
    assert said in ended.err


@pytest.mark.parametrize("text", ["", "{", '{"format": "fracas-replay"', "ruleset = 3", "\x00"])
def test_a_file_that_is_no_battle_is_refused(fracas_cli, tmp_path, text):
    ended = fracas_cli("why", written(tmp_path, text, "odd.toml"))
    assert ended.status == BAD_INPUT
    assert ended.err.startswith("error: ")


def test_a_missing_file_is_refused(fracas_cli, tmp_path):
    assert fracas_cli("why", tmp_path / "nowhere.toml").status == BAD_INPUT


def test_an_interruption_prints_what_is_done(fracas_cli, file, monkeypatch):
    played = RolloutRunner.all_outcomes

    def interrupted(self, branches, first, end):
        for number, outcomes in enumerate(played(self, branches, first, end)):
            if number == 2:
                raise KeyboardInterrupt
            yield outcomes

    monkeypatch.setattr(RolloutRunner, "all_outcomes", interrupted)
    ended = fracas_cli("why", file, "--stream", 3, *FEW, "--format", "json")
    assert ended.status == INTERRUPTED
    assert ended.json["interrupted"] is True
    assert len(ended.json["odds"]) <= 2
    ended = fracas_cli("why", file, "--stream", 3, *FEW)
    assert (ended.status, ended.out.splitlines()[1][:11]) == (INTERRUPTED, "interrupted")


def test_a_battle_without_luck_is_explained_without_odds(fracas_cli, tmp_path, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    from fracas.rulesets.relics.analysis.lab_hooks import LabHooks

    monkeypatch.setattr(LabHooks, "search_space", lambda self, side_ref, folders=(): [])
    ended = fracas_cli("why", ROOT / "examples" / "relics" / "first-duel.toml")
    assert ended.status == DONE
    assert "Nothing in this battle depends on luck" in ended.out
