"""`fracas lab explain`: one condition, every node with its value, without a battle to its end."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.scenarios import EXAMPLES, duel, events_of, fighter, written

import fracas

FIRST = EXAMPLES / "first-battle.toml"


@pytest.fixture
def ask(fracas_cli, tmp_path):
    """Explain in the duel, with kael always first."""
    document = duel()
    document["sides"][0]["units"] = [fighter("kael", speed=99, hp=200), fighter("mira", hp=300, speed=1)]
    document["sides"][1]["units"] = [fighter("nemo", hp=200)]
    path = written(tmp_path, json.dumps(document), "duel.json")

    def explain(when, *options, unit="1.kael"):
        return fracas_cli("lab", "explain", path, "--unit", unit, "--when", when, *options, "--format", "json")

    return explain


def values(document):
    return [(node["depth"], node["text"], node["value"]) for node in document["nodes"]]


def test_every_node_is_shown_with_its_value(ask):
    ended = ask("enemy_count_gte_2 or (self.hp_pct >= 100 and not allies.any(stunned))")
    assert ended.status == DONE
    assert ended.json["value"] is True
    assert values(ended.json) == [
        (0, "enemy_count_gte_2 or self.hp_pct >= 100 and not allies.any(stunned)", True),
        (1, "enemy_count_gte_2", False),
        (2, "enemies.count >= 2", False),
        (1, "self.hp_pct >= 100 and not allies.any(stunned)", True),
        (2, "self.hp_pct >= 100", True),
        (2, "not allies.any(stunned)", True),
        (3, "allies.any(stunned)", False),
    ]


def test_the_round_is_the_first_unless_another_is_given(ask):
    assert ask("round == 1").json["value"] is True
    assert ask("round == 3", "--round", "3").json["value"] is True


def test_the_situation_is_the_one_of_that_battle(ask, tmp_path):
    battle = fracas.run(tmp_path / "duel.json", seed="s", stream=2)
    hits = events_of(battle, "hit", tick=1, target="1.kael")
    share = 100 * hits[-1].hp // 200
    for number, value in ((share, True), (share + 1, False)):
        ended = ask(f"self.hp_pct >= {number}", "--round", "2", "--seed", "s", "--stream", "2")
        assert ended.json["value"] is value


def test_a_unit_that_acts_later_decides_after_those_before_it(ask, tmp_path):
    first = events_of(fracas.run(tmp_path / "duel.json"), "hit")[0]
    assert (first.actor, first.target) == ("1.kael", "2.nemo")
    share = 100 * first.hp // 200
    assert ask(f"self.hp_pct >= {share} and self.hp_pct < {share + 1}", unit="2.nemo").json["value"] is True


@pytest.mark.parametrize(
    ("state", "when"),
    [
        ("units.1.kael.hp=20", "self.hp_pct == 10"),
        ("units.1.mira.hp=1", "ally_hp_below_2"),
        ("units.1.mira.hp=2", "allies.count(hp_pct < 1) == 1"),
        ("units.2.nemo.charge=100", "any_enemy_charge_gte_100"),
        ("units.2.nemo.stunned=1", "enemies.any(stunned)"),
        ("units.1.kael.shield=5", "self.shielded and self_has_buff"),
        ("round=30", "round_gte_30"),
    ],
)
def test_the_situation_may_be_changed(ask, state, when):
    assert ask(when).json["value"] is False
    assert ask(when, "--state", state).json["value"] is True


def test_several_changes_apply(ask):
    state = ["--state", "units.1.kael.hp=20", "--state", "units.1.mira.hp=1"]
    assert ask("self.hp_pct == 10 and allies.count(hp_pct < 11) == 2", *state).json["value"] is True


def test_an_unknown_condition_fires_with_a_warning(ask):
    ended = ask("enemy_cuont_gte_2")
    assert ended.json["value"] is True
    assert "enemy_cuont_gte_2" in ended.err
    assert ask("enemy_cuont_gte_2", "--strict").status == BAD_INPUT


@pytest.mark.parametrize(
    ("options", "where"),
    [
        (["always", "--round", "0"], "--round"),
        (["always", "--round", "1000000"], "--round"),
        (["always", "--state", "units.1.kale.hp=3"], "--state units.1.kale.hp"),
        (["always", "--state", "units.1.kael.hpp=3"], "--state units.1.kael.hpp"),
        (["always", "--state", "units.1.kael.hp=201"], "--state units.1.kael.hp"),
        (["always", "--state", "units.1.kael.hp=-1"], "--state units.1.kael.hp"),
        (["always", "--state", "units.1.kael.hp=x"], "--state units.1.kael.hp"),
        (["always", "--state", "weather=3"], "--state weather"),
        (["always", "--state", "units.1.kael.hp"], "--state units.1.kael.hp"),
        (["self.hp <"], "--when"),
        (["self.hpp < 3"], "--when"),
        (["(" * 3000], "--when"),
        (["always", "--stream=-1"], "--stream"),
    ],
)
def test_what_cannot_be_asked_is_refused(ask, options, where):
    ended = ask(*options)
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == where


@pytest.mark.parametrize(("unit", "nearest"), [("1.kale", "1.kael"), ("2.nemmo", "2.nemo"), ("nemo", "2.nemo")])
def test_an_unknown_unit_is_told_with_the_nearest(ask, unit, nearest):
    ended = ask("always", unit=unit)
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == "--unit"
    assert nearest in ended.errors[0]["suggestion"]


def test_a_fallen_unit_makes_no_decision(fracas_cli, tmp_path):
    document = duel()
    document["sides"][0]["units"] = [fighter("kael", hp=1, speed=1), fighter("wall", hp=10**6)]
    path = written(tmp_path, json.dumps(document), "duel.json")
    ended = fracas_cli(
        "lab", "explain", path, "--unit", "1.kael", "--when", "always", "--round", "3", "--format", "json"
    )
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == "--round"


def test_the_text_shows_the_verdict_and_the_tree(fracas_cli):
    ended = fracas_cli("lab", "explain", FIRST, "--unit", "1.scout", "--when", "enemy_count_gte_2 and self.hp_pct > 50")
    assert ended.status == DONE
    assert "holds" in ended.out
    assert "enemies.count >= 2" in ended.out
    assert ended.err == ""


def test_a_numbered_unit_is_reached(fracas_cli):
    assert fracas_cli("lab", "explain", FIRST, "--unit", "1.scout-2", "--when", "always").status == DONE


def test_a_condition_in_json_is_the_same_condition(ask):
    parts = ["enemies.count >= 1", "self.hp_pct > 50"]
    in_text = ask(" and ".join(parts)).json
    in_json = ask(json.dumps({"all": parts})).json
    assert (in_json["value"], in_json["condition"]) == (True, {"all": parts})
    assert values(in_json) == values(in_text)
    assert ask(json.dumps({"any": ["self.hp_pct < 50", {"not": "always"}]})).json["value"] is False


@pytest.mark.parametrize("when", ["", " ", "{", '{"all": }', '{"al": ["always"]}', "[3]"])
def test_what_is_no_condition_is_refused(ask, when):
    ended = ask(when)
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"].startswith("--when")


def test_a_hit_is_told_step_by_step_and_many_as_a_table(fracas_cli):
    told = fracas_cli("lab", "explain", FIRST, "--hit", "1.scout", "2.bronze_knight")
    assert told.status == DONE
    assert "1.scout → 2.bronze_knight: Basic Attack" in told.out
    assert "always hits, critical 10.00%; damage 18 to 31, mean 19.3" in told.out
    table = fracas_cli("lab", "explain", FIRST, "--hit", "1", "2").out.splitlines()
    assert table[0].split()[:3] == ["who", "whom", "with"]
    document = json.loads(fracas_cli("lab", "explain", FIRST, "--hit", "1", "2", "--format", "json").out)
    assert len(document["hits"]) == len(table) - 1


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ((), "--unit"),
        (("--hit", "1", "2", "--unit", "1.scout"), "--hit"),
        (("--hit", "1", "2", "--when", "always"), "--hit"),
        (("--hit", "1", "1.scout"), "--hit"),
    ],
)
def test_a_question_that_is_none_is_refused(fracas_cli, words, where):
    ended = fracas_cli("lab", "explain", FIRST, *words)
    assert ended.status == BAD_INPUT
    assert ended.err.startswith(f"error: {where}: ")
