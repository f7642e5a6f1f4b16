"""`fracas lab explain` in stacks: why a participant chose its move, with every value."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.scenarios import written
from tests.helpers.stacks import attack, stack, unit

import fracas
from fracas.rulesets import registry
from fracas.rulesets.stacks.rules.events import Choice


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def file(tmp_path):
    stacks = [
        stack("red-one", "red", (1, 0), unit("guard"), unit("nurse", moves=["healing", "strike"])),
        stack("blue-one", "blue", (1, 1), unit("soft", defence=0), unit("hard", defence=6)),
    ]
    return written(tmp_path, json.dumps(attack(stacks=stacks)), "small.json")


def explained(cli, file, unit, *options):
    return cli("lab", "explain", file, "--unit", unit, "--format", "json", *options)


def test_every_pair_has_its_exact_value_and_one_is_chosen(fracas_cli, file):
    told = explained(fracas_cli, file, "red-one.guard").json
    assert (told["unit"], told["round"], told["value"]) == ("red-one.guard", 0, True)
    values = {node["text"]: node["detail"] for node in told["nodes"]}
    # 10 of 5 * 1 pairs hit soft, 10 of 5 * 7 hit hard; a hit takes 1.5 on average, and there are two.
    assert values == {
        "strike on blue-one.soft": "2.4, made 2 times",
        "strike on blue-one.hard": "0.8571, made 2 times",
    }
    assert [node["value"] for node in told["nodes"]] == [True, False]
    assert "chooses strike on blue-one.soft" in told["verdict"]


def test_it_is_what_the_battle_chose(fracas_cli):
    for seed in (0, 3, 6):
        document = registry.get("stacks").random_scenario(seed)
        battle = fracas.run(document)
        scenario = battle.scenario
        for event in [each for each in battle.events if isinstance(each, Choice)][:5]:
            turn = event.tick - scenario.document["attack"]["number"] * 65536
            told = scenario.ruleset.explain(
                scenario.compiled, stream=0, unit=event.actor, when=None, round=turn, state=()
            )
            [chosen] = [node.text for node in told.nodes if node.value]
            assert chosen == f"{event.move} on {event.target}"


def test_a_changed_situation_is_valued_anew(fracas_cli, file):
    told = explained(fracas_cli, file, "red-one.nurse", "--state", "units.red-one.guard.health=3").json
    assert "chooses healing on red-one.guard, worth 5" in told["verdict"]
    weak = explained(fracas_cli, file, "red-one.guard", "--state", "units.red-one.guard.damage=0").json
    assert weak["verdict"].startswith("waits")


def test_as_text_the_choice_is_marked(fracas_cli, file):
    ended = fracas_cli("lab", "explain", file, "--unit", "red-one.guard")
    assert ended.status == DONE
    assert ended.out.splitlines()[0].startswith("red-one.guard, turn 0: chooses strike")
    assert sum("→" in line for line in ended.out.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "where", "said"),
    [
        (("--unit", "red-one.guar"), "--unit", 'there is no unit "red-one.guar"'),
        (("--unit", "red-one.guard", "--when", "always"), "--when", "stacks has no conditions"),
        (("--unit", "red-one.guard", "--round", "150"), "--round", "has no turn 150"),
        (("--unit", "red-one.guard", "--round", "x"), "--round", "is not a turn"),
        (("--unit", "red-one.guard", "--state", "turn=-1"), "--state turn", "not a whole number"),
        (("--unit", "red-one.guard", "--state", "units.red-one.guard.hp=1"), "--state", 'has no "hp"'),
        (("--unit", "red-one.guard", "--state", "x=1"), "--state x", "not a path of the state"),
        (("--unit", "red-one.guard", "--state", "units.red-one.guard.health=99"), "--state", "from 1 to 9"),
    ],
)
def test_what_cannot_be_explained_is_refused(fracas_cli, file, options, where, said):
    ended = fracas_cli("lab", "explain", file, *options, "--format", "json")
    assert ended.status == BAD_INPUT
    [error] = ended.errors
    assert error["where"].startswith(where)
    assert said in error["message"]


def test_where_units_have_conditions_one_is_needed(fracas_cli):
    ended = fracas_cli("lab", "explain", "examples/squads/first-battle.toml", "--unit", "1.scout", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == "--when"
