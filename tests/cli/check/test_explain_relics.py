"""`fracas lab explain` in relics: a condition, as the owner of a piece sees it in a turn."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.scenarios import written

import fracas
from fracas.rulesets.relics.rules import events as kinds


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


CAP = {"id": "cap", "name": "Tin Cap", "tags": ["helm"], "stats": {"armor": 2}}
COUNTER = {"id": "beads", "name": "Beads", "triggers": {"turn_start": [["count", 2]]}}
DUEL = {
    "ruleset": "relics",
    "left": {"name": "Ann", "stats": {"speed": 3, "attack": 3}, "items": [CAP, COUNTER]},
    "right": {"name": "Bob", "stats": {"attack": 2}, "weapon": "rusty_blade"},
}


@pytest.fixture
def file(tmp_path: Any) -> str:
    return str(written(tmp_path, json.dumps(DUEL), "duel.json"))


def explained(cli: Any, file: str, when: str, *options: str, unit: str = "left.tin_cap") -> dict[str, Any]:
    ended = cli("lab", "explain", file, "--unit", unit, "--when", when, "--format", "json", *options)
    assert ended.status == DONE, ended.err
    told: dict[str, Any] = ended.json
    return told


def test_a_condition_is_evaluated_for_the_pieces_owner(fracas_cli, file):
    told = explained(fracas_cli, file, "self.armor == 2 and tags.helm >= 1", unit="left.tin_cap")
    assert (told["unit"], told["round"], told["value"]) == ("left.tin_cap", 1, True)
    assert [(node["text"], node["value"], node["detail"]) for node in told["nodes"]] == [
        ("self.armor == 2 and tags.helm >= 1", True, "2, 1"),
        ("self.armor == 2", True, "2"),
        ("tags.helm >= 1", True, "1"),
    ]
    assert not explained(fracas_cli, file, "self.armor == 2", unit="right")["value"]
    assert explained(fracas_cli, file, "enemy.armor == 2", unit="right.rusty_blade")["value"]


@pytest.mark.parametrize("always", ["always", "not (not always)"])
def test_what_compares_nothing_is_true_beside_one_comparison(fracas_cli, file, always):
    told = explained(fracas_cli, file, f"self.armor == 3 or {always}")
    assert told["value"]
    values = {node["text"]: node["value"] for node in told["nodes"]}
    assert (values["self.armor == 3"], values["always"]) == (False, True)


def test_turns_go_on_and_counters_are_the_pieces_own(fracas_cli, file):
    for turn in (1, 2, 3):
        told = explained(
            fracas_cli, file, f"turn == {turn} and self.own_turn == {(turn + 1) // 2}", "--round", str(turn)
        )
        assert told["value"]
    # The third turn is Ann's second: one count of 2 was made before its turn_start effects.
    assert explained(fracas_cli, file, "counter == 2", "--round", "3", unit="left.beads")["value"]
    assert explained(fracas_cli, file, "counter == 0", "--round", "3", unit="left.tin_cap")["value"]


def test_hp_are_those_of_the_battle(fracas_cli, file):
    turns = [event for event in fracas.run(file).events if isinstance(event, kinds.Turn)]
    for event in turns[:6]:
        when = f"self.hp == {event.hp_1} and enemy.hp == {event.hp_2}"
        assert explained(fracas_cli, file, when, "--round", str(event.turn))["value"]


@pytest.mark.parametrize(
    ("state", "when"),
    [
        ("left.hp=3", "self.hp == 3 and wounded"),
        ("right.thorns=4", "enemy_has_thorns and enemy.thorns == 4"),
        ("left.speed=-2", "slower"),
        ("left.attack=-2", "self.attack < 1"),
        ("turn=40", "turn_gte_40"),
        ("strike=2", "strike == 2"),
        ("payload=5", "payload_gte_5"),
        ("counter=7", "counter == 7"),
        ("left.was_exposed=1", "self.was_exposed"),
        ("right.struck=1", "enemy.struck"),
        ("left.own_turn=2", "even_turn"),
    ],
)
def test_the_situation_can_be_changed(fracas_cli, file, state, when):
    assert explained(fracas_cli, file, when, "--state", state)["value"]
    assert not explained(fracas_cli, file, when)["value"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--unit", "left.hat"], 'no fighter wears "left.hat" in this battle'),
        (["--unit", "middle"], 'no fighter wears "middle"'),
        (["--unit", "left.tin_cap", "--round", "0"], "0 is not a turn; they count from 1"),
        (["--unit", "left.tin_cap", "--round", "2.1"], '"2.1" is not a turn'),
        (["--unit", "left.tin_cap", "--round", "400"], "there is no turn 400: the battle ends in turn"),
        (["--unit", "left.tin_cap", "--state", "left.hpp=3"], 'state has no "hpp"'),
        (["--unit", "left.tin_cap", "--state", "units.1.cap.hp=3"], "is not a path of the state"),
        (["--unit", "left.tin_cap", "--state", "left.hp=0"], "0 is not a whole number from 1 to 9,999"),
        (["--unit", "left.tin_cap", "--state", "left.thorns=true"], "True is not a whole number"),
        (["--unit", "left.tin_cap", "--when", "self.amor > 1"], "self.amor"),
    ],
)
def test_what_makes_no_sense_is_refused(fracas_cli, file, options, said):
    when = [] if "--when" in options else ["--when", "self.armor > 1"]
    ended = fracas_cli("lab", "explain", file, *when, *options)
    assert ended.status == BAD_INPUT
    assert said in ended.err


def test_an_own_status_is_asked_for_and_changed_like_any_quantity(fracas_cli, tmp_path):
    file = str(written(tmp_path, json.dumps(DUEL | {"left": {"items": ["turnip_ghost"]}}), "dread.json"))
    assert explained(fracas_cli, file, "self.dread >= 3", unit="right.dread")["value"] is True
    changed = explained(fracas_cli, file, "self.dread >= 3", "--state", "right.dread=1", unit="right")
    assert changed["value"] is False
    ended = fracas_cli("lab", "explain", file, "--unit", "right", "--when", "self.dred > 1")
    assert ended.status == BAD_INPUT
    assert 'did you mean "self.dread"?' in ended.err
    ended = fracas_cli("lab", "explain", file, "--unit", "right", "--when", "self.dread > 1", "--state", "right.dred=1")
    assert 'did you mean "dread"?' in ended.err
