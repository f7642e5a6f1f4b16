"""`fracas lab explain` on delve: a condition at somebody's decision, in a lone encounter, a run, an ambush."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.delve_scenarios import creature, duel, member, run
from tests.helpers.scenarios import events_of, written

import fracas


@pytest.fixture
def ask(fracas_cli, tmp_path):
    """Explain in a lone encounter or a run, with kael always first and everybody alive for long."""

    def explain(when, *options, unit="1.kael", kind="encounter", **values):
        document = (run if kind == "run" else slow_duel)(**values)
        if kind == "run":
            document["party"][0]["attributes"]["speed"] = 200
            document["party"][0]["hp"] = document["party"][1]["hp"] = 500
        path = written(tmp_path, json.dumps(document), f"{kind}.json")
        return fracas_cli("lab", "explain", path, "--unit", unit, "--when", when, *options, "--format", "json")

    return explain


def slow_duel(**values):
    """Kael acts first, then mira, then the rats."""
    document = duel(enemies=[creature("rat", hp=200), creature("rat", hp=200, boss=True)])
    speeds = dict.fromkeys(("might", "logic", "presence", "fortitude", "luck"), 30)
    breath = {"kind": "breath", "max": 20, "start": 50}
    document["party"] = [
        member("kael", hp=200, attributes={**speeds, "speed": 255}),
        member("mira", hp=300, attributes={**speeds, "speed": 140}, resource=breath, queue=["strike", "mend"]),
    ]
    return document | values


def test_every_node_is_shown_with_its_value_and_what_it_compared(ask):
    ended = ask("enemy_count_gte_3 or (self.hp_pct >= 100 and not allies.any(stunned))")
    assert ended.status == DONE
    assert ended.json["value"] is True
    assert [(node["depth"], node["text"], node["value"], node["detail"]) for node in ended.json["nodes"]][1:4] == [
        (1, "enemy_count_gte_3", False, "2"),
        (2, "enemies.count >= 3", False, "2"),
        (1, "self.hp_pct >= 100 and not allies.any(stunned)", True, "100% (200/200), 0 of 2"),
    ]


def test_a_lone_encounters_document_names_no_encounter(ask):
    assert list(ask("always", "--round", "2").json) == ["unit", "round", "condition", "value", "nodes", "warnings"]


def test_a_runs_document_names_the_encounter(ask):
    document = ask("always", "--round", "1.1", kind="run").json
    assert (document["unit"], document["encounter"], document["round"]) == ("1.kael", 1, 1)


def test_the_first_round_is_that_of_the_first_fight(ask):
    assert ask("round == 1", kind="run").json["encounter"] == 1
    assert ask("round == 1").json["round"] == 1


def test_the_situation_is_the_one_of_that_battle(ask, tmp_path):
    ask("always")
    battle = fracas.run(tmp_path / "encounter.json", seed="s", stream=2)
    hits = events_of(battle, "hit", tick=1, target="2.rat")
    share = 100 * hits[-1].hp // 200 if hits else 100
    for number, value in ((share, True), (share + 1, False)):
        when = f"enemies.all(hp_pct >= {number})"
        assert ask(when, "--round", "2", "--seed", "s", "--stream", "2").json["value"] is value


def test_a_decision_inside_an_ambush(ask):
    document = ask("enemies.count == 1 and round == 1", "--round", "2.1", kind="run").json
    assert (document["encounter"], document["value"]) == (2, True)
    assert ask("always", "--round", "2.1", unit="2.2.rat", kind="run").json["unit"] == "2.2.rat"


def test_an_enemy_of_a_run_may_leave_its_encounter_out(ask):
    assert ask("always", "--round", "1.1", unit="2.rat-2", kind="run").json["unit"] == "2.1.rat-2"


def test_used_is_that_of_the_slot_with_the_same_condition(ask):
    queue = ["strike", {"skill": "sweep", "when": "used == 0 and round > 0"}]
    party = [member("kael", hp=200, queue=queue)]
    assert ask("used == 0 and round > 0", "--round", "3", party=party).json["value"] is True
    assert ask("used == 0", "--round", "3", party=party).json["value"] is False


@pytest.mark.parametrize(
    ("state", "when"),
    [
        ("units.1.kael.hp=20", "self.hp_pct == 10"),
        ("units.1.mira.hp=3", "ally_hp_below_2"),
        ("units.1.mira.resource=20", "allies.any(resource >= 20)"),
        ("units.1.kael.stunned=1", "self_has_stunned"),
        ("units.2.rat-2.burning=1", "enemy_has_burning"),
        ("round=30", "round_gte_30"),
        ("used=3", "used == 3"),
    ],
)
def test_the_situation_may_be_changed(ask, state, when):
    assert ask(when).json["value"] is False
    assert ask(when, "--state", state).json["value"] is True


@pytest.mark.parametrize(
    ("options", "where"),
    [
        (["--round", "0"], "--round"),
        (["--round", "1.1"], "--round"),
        (["--round", "x"], "--round"),
        (["--round", "999"], "--round"),
        (["--state", "units.1.kale.hp=3"], "--state units.1.kale.hp"),
        (["--state", "units.1.kael.hpp=3"], "--state units.1.kael.hpp"),
        (["--state", "units.1.kael.hp=201"], "--state units.1.kael.hp"),
        (["--state", "units.1.kael.hp=0"], "--state units.1.kael.hp"),
        (["--state", "units.1.kael.resource=1"], "--state units.1.kael.resource"),
        (["--state", "units.1.kael.stunned=2"], "--state units.1.kael.stunned"),
        (["--state", "weather=3"], "--state weather"),
        (["--state", "units.1.hp=3"], "--state units.1.hp"),
    ],
)
def test_what_cannot_be_asked_is_refused(ask, options, where):
    ended = ask("always", *options)
    assert ended.status == BAD_INPUT
    assert [error["where"] for error in ended.errors] == [where]


@pytest.mark.parametrize(
    ("place", "unit", "words"),
    [
        ("0.1", "1.kael", "there is no fight in that encounter"),
        ("1.1", "2.6.king", "it takes no part in that fight"),
        ("1.300", "1.kael", "the fight ends with"),
        ("2", "1.kael", "write ENCOUNTER.ROUND, such as 2.1"),
        ("9.1", "1.kael", "there is no encounter 9"),
        ("x", "1.kael", "not a place in a run"),
    ],
)
def test_a_place_without_a_decision_is_refused_with_the_reason(ask, place, unit, words):
    ended = ask("always", "--round", place, unit=unit, kind="run")
    assert ended.status == BAD_INPUT
    assert words in ended.errors[0]["message"]


def test_a_skipped_encounter_has_no_decisions(ask, tmp_path):
    quest = run()["quest"]
    quest["encounters"][2]["options"][0]["success"] = {"skip": 3}
    ended = ask("always", "--round", "5.1", kind="run", quest=quest)
    assert "that encounter is skipped" in ended.errors[0]["message"]


def test_a_dead_and_a_stunned_member_make_no_decision(ask):
    weak = [member("kael", hp=1), member("wall", hp=100_000)]
    strong = [
        creature("rat", hp=5000, weapon={"min": 90, "max": 99}, queue=[{"skill": "strike", "target": "lowest_hp"}])
    ]
    ended = ask("always", "--round", "9", party=weak, enemies=strong)
    assert "it is dead" in ended.errors[0]["message"]


@pytest.mark.parametrize(("unit", "nearest"), [("1.kale", "1.kael"), ("2.raat", "2.rat"), ("rat", "2.rat")])
def test_an_unknown_unit_is_told_with_the_nearest(ask, unit, nearest):
    ended = ask("always", unit=unit)
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == "--unit"
    assert nearest in ended.errors[0]["suggestion"]


def test_an_unknown_condition_fires_with_a_warning(ask):
    ended = ask("enemy_cuont_gte_2")
    assert ended.json["value"] is True
    assert "enemy_cuont_gte_2" in ended.err
    assert ask("enemy_cuont_gte_2", "--strict").status == BAD_INPUT


def test_the_text_names_the_encounter(fracas_cli, tmp_path):
    path = written(tmp_path, json.dumps(run()), "run.json")
    ended = fracas_cli(
        "lab", "explain", path, "--unit", "1.mira", "--when", "resource_gte_5 and once", "--round", "1.1"
    )
    assert ended.status == DONE
    assert ended.out.startswith("1.mira, encounter 1, round 1: the condition ")
