"""`fracas world campaign`: attacks in order, each on the world as the ones before left it."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.scenarios import written
from tests.helpers.stacks import CAMPAIGN_EXAMPLE, attack, campaign, stack, unit

import fracas
from fracas.engine.campaign import load_campaign, run_campaign
from fracas.rulesets.stacks.analysis.scenario_generator import random_campaign
from fracas.rulesets.stacks.rules.constants import TICKS_PER_ATTACK
from fracas.rulesets.stacks.rules.events import Commit, Skipped


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


STRONG = unit(attack=12, damage=20, health=60)
WEAK = unit(attack=0, defence=0, health=1)


def conquest(*attacks, **values):
    """Red is sure to win wherever it comes."""
    stacks = [stack("red-one", "red", (1, 0), STRONG), stack("blue-one", "blue", (1, 1), WEAK)]
    return campaign(*attacks, stacks=[*stacks, stack("blue-two", "blue", (1, 3), WEAK)], **values)


def fought(document, **options):
    return run_campaign(load_campaign(document, **options))


def test_who_wins_moves_on_and_attacks_from_there(tmp_path, fracas_cli):
    document = conquest(("red-one", (1, 1)), ("red-one", (1, 2)), tiles={"1,2": {"owner": "blue"}})
    told = fracas_cli("world", "campaign", written(tmp_path, json.dumps(document), "c.json"), "--format", "json").json
    assert [each["winner"] for each in told["attacks"]] == [1, 1]
    assert told["world"]["revision"] == 2
    [red] = told["world"]["stacks"]
    assert (red["id"], red["at"]) == ("red-one", [1, 2])
    assert told["world"]["tiles"]["1,1"]["owner"] == told["world"]["tiles"]["1,2"]["owner"] == "red"


@pytest.mark.parametrize(
    ("second", "obstacle"),
    [
        (("blue-one", (1, 2)), "the stack is gone"),
        (("red-one", (1, 0)), "nobody is there to attack"),
        (("red-one", (3, 3)), "the tile is no neighbour of the stack's"),
        (("blue-two", (1, 2)), "nobody is there to attack"),
    ],
)
def test_an_attack_that_is_not_possible_any_more_is_skipped(second, obstacle):
    run = fought(conquest(("red-one", (1, 1)), second))
    assert run.fought[1].skip is not None
    assert obstacle in run.fought[1].lines(None)[0].text
    assert run.world["revision"] == 1
    row = run.fought[1].rows.tolist()[0]
    assert row[:2] == [TICKS_PER_ATTACK, Skipped.KIND]


def test_the_rows_are_those_of_the_battles_each_followed_by_a_commit():
    run = fought(conquest(("red-one", (1, 1)), ("red-one", (1, 2)), tiles={"1,2": {"owner": "blue"}}))
    assert run.rows[:, 1].tolist().count(Commit.KIND) == 2
    for number, each in enumerate(run.fought):
        assert each.battle is not None
        assert each.rows[:-1].tolist() == each.battle.rows.tolist()
        assert each.rows[0][0] == number * TICKS_PER_ATTACK
        tick, kind, _, _, of, removed, advanced, revision = each.rows[-1].tolist()
        assert (tick, kind, of, revision) == (each.rows[-2][0], Commit.KIND, number, number + 1)
        assert (removed, advanced) == (1, 1)


def test_a_battle_of_a_campaign_is_the_attack_with_its_number_on_the_world_of_its_time():
    run = fought(conquest(("red-one", (1, 1)), ("red-one", (1, 2)), tiles={"1,2": {"owner": "blue"}}))
    for each in run.fought:
        assert each.battle is not None
        assert fracas.run(fracas.load(each.battle.scenario.document)).digest == each.battle.digest


def test_a_single_attack_is_a_campaign_of_one():
    run = fought(attack())
    assert len(run.fought) == 1
    assert run.fought[0].battle is not None
    assert run.fought[0].battle.digest == fracas.run(attack()).digest
    assert run.world["revision"] == 1


def test_random_campaigns_are_fought_to_their_end_the_same_way_twice():
    kinds = set()
    for seed in range(6):
        document = random_campaign(seed)
        run = fought(document)
        assert len(run.fought) == len(document["attacks"])
        assert run.world["revision"] == sum(each.battle is not None for each in run.fought)
        assert run.as_json() == fought(document).as_json()
        kinds |= set(run.rows[:, 1].tolist())
    assert {Commit.KIND, Skipped.KIND} <= kinds


@pytest.mark.parametrize("name", ["after.toml", "after.json"])
def test_it_ends_with_the_world_as_a_file_that_the_next_can_begin_with(tmp_path, fracas_cli, name):
    out = tmp_path / name
    document = conquest(("red-one", (1, 1)))
    file = written(tmp_path, json.dumps(document), "c.json")
    ended = fracas_cli("world", "campaign", file, "--out", out)
    assert ended.status == DONE
    assert str(out) in ended.err
    told = fracas_cli("world", "campaign", file, "--format", "json").json
    following = {"ruleset": "stacks", "world": name, "attacks": [{"stack": "blue-two", "tile": [1, 2]}]}
    following["attacks"].append({"stack": "red-one", "tile": [1, 2]})
    plan = load_campaign(written(tmp_path, json.dumps(following), "next.json"))
    world = {key: plan.document[key] for key in told["world"]}
    assert world == told["world"]
    assert fracas_cli("validate", out).status == DONE


@pytest.mark.parametrize("name", ["after.txt", "nowhere/after.toml"])
def test_a_world_that_cannot_be_written_is_refused_before_anything_is_fought(tmp_path, fracas_cli, name):
    ended = fracas_cli("world", "campaign", CAMPAIGN_EXAMPLE, "--out", tmp_path / name, "--format", "json")
    assert ended.status == BAD_INPUT
    assert len(ended.errors) == 1


def test_the_example_is_told_in_short_and_at_length(fracas_cli):
    short = fracas_cli("world", "campaign", CAMPAIGN_EXAMPLE)
    assert short.status == DONE
    assert "The Lords' Own against 4,2 The Lower Ford. Skipped: the tile is the attacker's or an ally's." in short.out
    assert "The world at revision 4" in short.out
    long = fracas_cli("world", "campaign", CAMPAIGN_EXAMPLE, "--detail", "story")
    assert "Turn 0" in long.out
    assert len(long.out) > 3 * len(short.out)


def test_values_are_set_by_path(tmp_path, fracas_cli):
    file = written(tmp_path, json.dumps(conquest(("red-one", (1, 1)))), "c.json")
    change = ("--set", "stacks.0.units.0.attack=0", "--set", "options.idle_turns=1")
    told = fracas_cli("world", "campaign", file, "--format", "json", *change).json
    assert told["attacks"][0]["winner"] != 1


def test_rulesets_without_campaigns_say_so(fracas_cli):
    ended = fracas_cli("world", "campaign", "examples/squads/first-battle.toml", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["message"] == "squads has no campaigns"


def test_a_campaign_is_valid_and_can_be_linted(fracas_cli, tmp_path):
    assert "valid stacks campaign" in fracas_cli("validate", CAMPAIGN_EXAMPLE).out
    file = written(tmp_path, json.dumps(conquest(("red-one", (2, 0)))), "c.json")
    ended = fracas_cli("content", "lint", file, "--format", "json")
    assert "skipped" in {found["rule"] for found in ended.json["findings"]}
