"""`fracas why`: how a battle came to end as it did, in words and as a document."""

from __future__ import annotations

import json
import sys

import pytest
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import duel, written

import fracas
from fracas.cli.measure.why import _folded, _narrowed, _shown
from fracas.cli.shared.output import width
from fracas.lab.explain.explanation import RoundOdds
from fracas.lab.explain.rollout_scores import Estimate
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


def test_an_explanation_reads_from_the_odds_to_the_best_change(fracas_cli, file):
    ended = fracas_cli("why", file, "--stream", 3, *FEW)
    assert ended.status == DONE
    said = [line for line in ended.out.splitlines() if line and not line.startswith(" ")]
    assert said[0] == 'duel: squads, profile classic, seed "duel", battle 3'
    assert "won (wiped_out, " in said[1]
    assert [line.split(" of ")[0].split(" for ")[0] for line in said[2:]] == [
        "Odds",
        "The turning point",
        "Luck and decisions",
        "The most costly decisions",
        "The most costly decisions",
        "The best single change",
    ]
    assert "█" in ended.out
    assert "  the end  lost" in ended.out
    assert "It is the best of the changes tried" in " ".join(ended.out.split())


def test_what_changes_nothing_has_no_sign(fracas_cli, file):
    for stream in range(4):
        ended = fracas_cli("why", file, "--stream", stream, *FEW)
        assert "-0.0 " not in f"{ended.out} ".replace("\n", " ")
        document = fracas_cli("why", file, "--stream", stream, *FEW, "--format", "json")
        assert "-0.0," not in document.out.replace(" ", "").replace("]", ",")


def test_lines_fit_into_a_terminal(fracas_cli, file):
    ended = fracas_cli("why", file, "--stream", 3, *FEW)
    assert max(map(len, ended.out.splitlines())) <= 82


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
    assert (ended.status, ended.out.splitlines()[-1][:11]) == (INTERRUPTED, "interrupted")


def test_a_battle_without_luck_is_explained_without_odds(fracas_cli, tmp_path, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    from fracas.rulesets.relics.analysis.lab_hooks import LabHooks

    monkeypatch.setattr(LabHooks, "search_space", lambda self, side_ref, folders=(): [])
    ended = fracas_cli("why", ROOT / "examples" / "relics" / "first-duel.toml")
    assert ended.status == DONE
    assert "Nothing in this battle depends on luck" in ended.out
    assert "Odds of" not in ended.out


def test_a_quoted_line_is_folded_where_there_is_no_room(monkeypatch):
    told = "  Kael: " + "Fireball on a Bronze Knight, 12 damage; " * 6
    folded = ["".join(text for text, _ in line) for line in _folded(told)]
    assert len(folded) > 2
    assert max(map(len, folded)) <= 80
    assert " ".join(folded).split() == told.split()
    assert [len(line) - len(line.lstrip()) for line in folded] == [4] + [8] * (len(folded) - 1)
    monkeypatch.setattr("fracas.cli.measure.why.width", lambda: 300)
    assert len(list(_folded(told))) == 1


def test_columns_stand_closer_together_where_there_is_no_room():
    story = [
        "Round 3 ────────── 12",
        "  1 Kael      Fireball   → 2 Knight   -57  0/150",
        "  2 Knight    Heal       → 2 Knight   +8",
        "                           2 Knight falls.",
    ]
    assert _narrowed(story, 48) == story
    assert _narrowed(story, 45) == [
        "Round 3 ────────── 12",
        "  1 Kael    Fireball  → 2 Knight   -57  0/150",
        "  2 Knight  Heal      → 2 Knight   +8",
        "                        2 Knight falls.",
    ]
    assert _narrowed(story, 20) == _narrowed(story, 45)


def test_the_width_is_that_of_the_terminal_and_else_80(monkeypatch):
    monkeypatch.setenv("COLUMNS", "132")
    assert width() == 80
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert width() == 132


def test_rounds_of_a_lost_cause_are_folded():
    def standing(tick: int, odds: float, after: float) -> RoundOdds:
        return RoundOdds(tick, f"round {tick}", Estimate(odds, (odds, odds)), after, 0.0)

    curve = [standing(1, 0.4, 0.0), *(standing(tick, 0.0, 0.0001) for tick in range(2, 24))]
    assert [each and each.tick for each in _shown(curve)] == [1, 2, None, 23]
    moving = [standing(tick, tick / 10, (tick + 1) / 10) for tick in range(1, 6)]
    assert _shown(moving) == moving
