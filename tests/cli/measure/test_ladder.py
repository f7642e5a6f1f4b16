"""`fracas lab ladder`, `swaps` and `share`."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.helpers.relics import BATTLE, EXAMPLES, battle, item
from tests.helpers.relics_content import ITEMS
from tests.helpers.scenarios import duel, written

from fracas.lab.studies import ladder as ladders
from fracas.lab.studies import swaps as exchanges
from fracas.rulesets import registry
from fracas.rulesets.relics.narration.item_text import item_text

KEEN = {"name": "Keen", "weapon": "boomstick", "items": ["horned_helm"]}


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def few(monkeypatch):
    """The first opponents, and the first exchanges, alone."""
    relics = type(registry.get("relics"))
    whole, all_swaps = relics.ladder, relics.swaps
    monkeypatch.setattr(relics, "ladder", lambda *arguments: whole(*arguments)[:4])
    monkeypatch.setattr(relics, "swaps", lambda *arguments: all_swaps(*arguments)[:6])


@pytest.fixture
def file(tmp_path):
    return written(tmp_path, json.dumps(battle(KEEN, {"enemy": "snow_hare"})), "keen.json")


def test_a_ladder_is_a_line_for_each_opponent(few, fracas_cli, file):
    answer = fracas_cli("lab", "ladder", file, "-n", 3)
    document = fracas_cli("lab", "ladder", file, "-n", 3, "--format", "json").json
    assert answer.status == DONE
    lines = answer.out.splitlines()
    assert lines[0].startswith("duel: relics, profile canvas")
    assert lines[2].startswith("Keen beats ")
    assert [line.split()[0] for line in lines[-4:]] == [rung["name"].split()[0] for rung in document["rungs"]]
    assert document["build"] == "Keen"
    assert document["opponents"] == len(document["rungs"]) == 4
    for rung in document["rungs"]:
        for side in ("as_1", "as_2"):
            assert rung[side]["wins"] + rung[side]["losses"] + rung[side]["draws"] == rung[side]["battles"] == 3


def test_a_ladder_takes_seed_profile_and_values(few, fracas_cli, file):
    options = ("--seed", "x", "--profile", "game", "--set", "left.stats.health=99")
    document = fracas_cli("lab", "ladder", file, "-n", 2, *options, "--format", "json").json
    assert (document["seed"], document["profile"]) == ("x", "game")
    assert document != fracas_cli("lab", "ladder", file, "-n", 2, "--format", "json").json


def test_ladders_of_several_builds_stand_beside_each_other(few, fracas_cli, file, tmp_path):
    other = written(tmp_path, json.dumps(battle({**KEEN, "name": "Bare", "items": []}) | {"id": "bare"}), "bare.json")
    answer = fracas_cli("lab", "ladder", file, other, "-n", 2)
    document = fracas_cli("lab", "ladder", file, other, "-n", 2, "--format", "json").json
    assert (answer.status, document["command"], document["interrupted"]) == (DONE, "ladders", False)
    assert [each["build"] for each in document["ladders"]] == ["Keen", "Bare"]
    alone = fracas_cli("lab", "ladder", other, "-n", 2, "--format", "json").json
    assert document["ladders"][1] == alone
    lines = answer.out.splitlines()
    first = alone["rungs"][0]
    share = (first["as_1"]["share"] + first["as_2"]["share"]) / 2
    [line] = [line for line in lines if line.strip().startswith(first["name"]) and f" {first['level']} " in line]
    assert line.split()[-1] == f"{share:.2%}"
    assert lines[-1].split()[:3] == ["all", "of", "them"]
    refused = fracas_cli("lab", "ladder", file, tmp_path / "none.json", tmp_path / "no.json", "--format", "json")
    assert (refused.status, len(refused.errors)) == (BAD_INPUT, 2)


def test_exchanges_are_shown_the_best_first(few, fracas_cli, file):
    answer = fracas_cli("lab", "swaps", file, "-n", 2, "--top", 3)
    document = fracas_cli("lab", "swaps", file, "-n", 2, "--format", "json").json
    assert answer.status == DONE
    assert answer.out.splitlines()[-1] == "  and 3 more; --format json lists all"
    assert len(document["swaps"]) == document["possible"] == 6
    best = document["swaps"][0]
    assert all(each["does"] == item_text(ITEMS[each["in"]]) for each in document["swaps"])
    assert best["does"][:40] in answer.out
    assert [each["share"] for each in document["swaps"]] == sorted(
        (e["share"] for e in document["swaps"]), reverse=True
    )
    assert "more; --format" not in fracas_cli("lab", "swaps", file, "-n", 2, "--top", 0).out


@pytest.mark.parametrize("command", ["lab ladder", "lab swaps"])
def test_ctrl_c_shows_what_is_done(few, fracas_cli, file, monkeypatch, command):
    module = ladders if command == "lab ladder" else exchanges
    real, calls = module.simulate, []

    def simulate(*arguments, **options):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(*arguments, **options)

    monkeypatch.setattr(module, "simulate", simulate)
    answer = fracas_cli(command, file, "-n", 2, "--format", "json")
    assert answer.status == INTERRUPTED
    assert answer.json["interrupted"] is True
    assert len(answer.json["rungs" if command == "lab ladder" else "swaps"]) == (1 if command == "lab ladder" else 2)
    assert "interrupted after " in answer.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("lab ladder", "-n", 0), "-n: 0 is out of range"),
        (("lab swaps", "-n", 0), "-n: 0 is out of range"),
        (("lab swaps", "--side", 3), "--side: 3 is neither 1 nor 2"),
        (("lab swaps", "--top", -1), "--top: -1 is out of range"),
        (("lab ladder", "--set", "left.waepon=1"), "left.waepon: there is no such key here"),
    ],
)
def test_bad_amounts_are_refused(few, fracas_cli, file, arguments, told):
    command, *options = arguments
    answer = fracas_cli(command, file, *options)
    assert answer.status == BAD_INPUT
    assert told in answer.err
    assert answer.out == ""


def test_what_other_rulesets_do_not_have_is_said(fracas_cli, tmp_path):
    file = written(tmp_path, json.dumps(duel()), "duel.json")
    assert "the content has no replacement" in fracas_cli("lab", "swaps", file).err
    for command in ("lab ladder", "publish share"):
        answer = fracas_cli(command, file)
        assert answer.status == BAD_INPUT
        assert "squads has no " in answer.err


# Share codes.


def test_codes_of_a_scenario_lead_back_to_its_builds(fracas_cli, tmp_path):
    answer = fracas_cli("publish", "share", EXAMPLES / "standard.toml")
    assert answer.status == DONE
    rows = [line.split("  ") for line in answer.out.splitlines()]
    assert [row[0] for row in rows] == ["left", "right"]
    for row in rows:
        code = row[-1].strip()
        build = fracas_cli("publish", "share", code)
        assert build.status == DONE
        again = fracas_cli("publish", "share", written(tmp_path, build.out, "build.toml"))
        assert again.out.split()[-1] == code


def test_a_code_as_json_is_the_build(fracas_cli, tmp_path):
    file = written(tmp_path, 'name = "Mine"\nweapon = "boomstick"\nitems = ["horned_helm"]\n', "mine.toml")
    (shared,) = fracas_cli("publish", "share", file, "--format", "json").json["builds"]
    assert (shared["place"], shared["name"], shared["problem"]) == ("", "Mine", None)
    document = fracas_cli("publish", "share", shared["code"], "--format", "json").json
    assert document["ruleset"] == "relics"
    assert document["build"] == {"weapon": "boomstick", "items": ["horned_helm"]}


def test_a_build_with_something_of_its_own_has_no_code(fracas_cli, tmp_path):
    answer = fracas_cli("publish", "share", written(tmp_path, BATTLE))
    assert answer.status == BAD_INPUT
    assert 'left.items.2: "spiked_cap" is not as the content has it' in answer.err
    assert "right.stats: has stats of its own" in answer.err
    bonus = {"sets": [{"id": "home", "name": "Home", "stats": {"armor": 3}}]}
    alone = written(tmp_path, json.dumps(battle(bonus, bonus)), "alone.json")
    answer = fracas_cli("publish", "share", alone)
    assert (answer.status, answer.err.count("sets: has sets of its own")) == (BAD_INPUT, 2)
    half = battle(KEEN, {"items": [item(stats={"armor": 1})]})
    answer = fracas_cli("publish", "share", written(tmp_path, json.dumps(half), "half.json"))
    assert answer.status == DONE
    assert answer.out.startswith("left  Keen  R1")
    assert "no share code: " in answer.err


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("R1", "the share code has a wrong checksum: it was changed, or is cut short"),
        ("R1AAAA", "the share code has a wrong checksum: it was changed, or is cut short"),
        ("nowhere.toml", "there is no such file"),
        ("R1" + "A" * 400, "the share code has a wrong checksum: it was changed, or is cut short"),
        ("x" * 400, "is neither a file nor a share code"),
        ("nul\0.toml", "nul"),
        ("r1AAAA", "is neither a file nor a share code (a code begins with R1)"),
    ],
)
def test_what_is_neither_a_file_nor_a_code_is_refused(fracas_cli, what, told):
    answer = fracas_cli("publish", "share", what)
    assert answer.status == BAD_INPUT
    assert told in answer.err


def test_content_has_no_code(fracas_cli, tmp_path):
    file = written(tmp_path, '[[items]]\nid = "a"\nstats = { armor = 1 }\n', "content.toml")
    answer = fracas_cli("publish", "share", file)
    assert answer.status == BAD_INPUT
    assert "is content; only scenarios and builds have share codes" in answer.err


# Builds and content as other commands see them.


def test_a_build_is_told_from_content(fracas_cli, tmp_path):
    build = written(tmp_path, 'items = ["horned_helm"]\n', "build.toml")
    content = written(tmp_path, '[[items]]\nid = "a"\nstats = { armor = 1 }\ntriggers = {}\n', "content.toml")
    assert fracas_cli("validate", build).out == f"{build}: valid relics build file\n"
    assert fracas_cli("validate", content).out == f"{content}: valid relics content file\n"
    assert fracas_cli("content", "lint", build).status == DONE


@pytest.mark.parametrize("kind", ["scenario", "content", "strategy"])
def test_schemas_name_what_can_be_written(fracas_cli, kind):
    schema = json.dumps(fracas_cli("content", "schema", "relics", kind).json)
    for word in ("gain_armor", "on_damaged_deal_damage", "battle_start", "thorns_kept", "diamond"):
        assert (word in schema) or (kind == "content" and word == "diamond"), word


def test_a_battle_without_luck_is_played_once(fracas_cli, file):
    document = fracas_cli("simulate", file, "-n", 1000, "--format", "json").json
    assert document["deterministic"] is True
    assert document["battles"] == 1000
    assert document["interval95"] == [[share, share] for share in document["shares"]]
    lucky = battle({"items": [item("coin", triggers={"turn_start": [["deal", 1, {"chance": 50}]]})]})
    chancy = written(file.parent, json.dumps(lucky), "lucky.json")
    assert fracas_cli("simulate", chancy, "-n", 20, "--format", "json").json["deterministic"] is False
