"""`fracas content` and `modifiers`: what there is to play with."""

from __future__ import annotations

import datetime
import json

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.scenarios import written

import fracas
from fracas.rulesets import registry

LIBRARY = registry.get("squads").read_library(None, [])
KINDS = ["units", "classes", "abilities", "modifiers", "chains", "formations", "profiles", "strategies", "opponents"]
UNIT = '[[units]]\nid = "mine"\nname = "Mine"\nclass = "tank"\nhp = 9\nattack = 9\ndefense = 0\nspeed = 9\n'


def test_all_content_is_listed_by_kind(fracas_cli):
    ended = fracas_cli("content", "list", "squads")
    assert (ended.status, ended.err) == (DONE, "")
    for kind in KINDS:
        assert kind in ended.out.splitlines()
        assert all(identifier in ended.out for identifier in LIBRARY.of(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_one_kind_is_listed(fracas_cli, kind):
    document = fracas_cli("content", "list", "squads", kind, "--format", "json").json
    assert [entry["id"] for entry in document[kind]] == list(LIBRARY.of(kind))


def test_the_shipped_content_is_what_was_promised():
    assert len(LIBRARY.of("units")) == 25
    classes = [unit.class_ for unit in LIBRARY.of("units").values()]
    assert {name: classes.count(name) for name in set(classes)} == dict.fromkeys(
        ("warrior", "ranger", "mage", "healer", "tank"), 5
    )
    assert len(LIBRARY.of("abilities")) >= 15
    assert len(LIBRARY.of("modifiers")) == 8
    tiers = [opponent.tier for opponent in LIBRARY.of("opponents").values()]
    assert {name: tiers.count(name) for name in set(tiers)} == {"novice": 3, "intermediate": 3, "expert": 3}
    assert len(LIBRARY.of("strategies")) >= 12
    assert {"classic", "tuned", "legacy"} <= set(LIBRARY.of("profiles"))
    names = {ability.name for ability in LIBRARY.of("abilities").values()}
    assert {"Fireball", "Heal", "Shield Wall", "Fortify", "Basic Attack"} <= names


@pytest.mark.parametrize("arguments", [["squads", "unit"], ["squad"], ["squads", "poems"]])
def test_a_kind_or_ruleset_that_is_none_is_refused(fracas_cli, arguments):
    ended = fracas_cli("content", "list", *arguments, "--format", "json")
    assert ended.status == BAD_INPUT
    assert len(ended.errors) == 1


def test_an_entry_is_shown(fracas_cli):
    ended = fracas_cli("content", "show", "squads", "fireball")
    assert ended.status == DONE
    assert "Fireball" in ended.out
    document = fracas_cli("content", "show", "squads", "fireball", "--format", "json").json
    assert document["abilities"]["reach"] == LIBRARY.of("abilities")["fireball"].reach


def test_entries_that_share_an_id_are_all_shown(fracas_cli):
    document = fracas_cli("content", "show", "squads", "classic", "--format", "json").json
    assert {"chains", "profiles"} <= set(document)


def test_an_entry_takes_one_short_line_of_the_list(fracas_cli, tmp_path):
    note = "A long story.\\n" + "It goes on and on. " * 20
    written(tmp_path, UNIT + f'note = "{note}"\n', "units.toml")
    out = fracas_cli("content", "list", "squads", "units", "--content", tmp_path).out
    assert len(out.splitlines()) == 1 + len(LIBRARY.of("units")) + 1
    [line] = [line for line in out.splitlines() if line.startswith("  mine ")]
    assert line.endswith(" …")
    assert len(line[line.index("A long") :]) <= 100


def test_what_an_entry_leaves_empty_is_not_shown(fracas_cli):
    text = fracas_cli("content", "show", "squads", "classic").out
    assert not [line for line in text.splitlines() if line.split()[1:] in ([], ["[]"], ["{}"])]


def test_an_unknown_entry_is_told_with_the_nearest(fracas_cli):
    ended = fracas_cli("content", "show", "squads", "firebal", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["suggestion"] == 'did you mean "fireball"?'


@pytest.mark.parametrize("command", [["list", "squads", "units"], ["show", "squads", "mine"]])
def test_content_of_ones_own_is_shown_too(fracas_cli, tmp_path, command):
    written(tmp_path, UNIT, "units.toml")
    ended = fracas_cli("content", *command, "--content", tmp_path)
    assert ended.status == DONE
    assert "mine" in ended.out


def test_broken_content_is_told_with_its_file(fracas_cli, tmp_path):
    path = written(tmp_path, UNIT.replace("hp = 9", "hp = 0"), "units.toml")
    ended = fracas_cli("content", "list", "squads", "--content", tmp_path, "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == f"{path}: units.0.hp"


@pytest.mark.parametrize("kind", ["scenario", "content", "strategy", "replay"])
def test_a_schema_is_printed_as_one_document(fracas_cli, kind):
    ended = fracas_cli("content", "schema", "squads", kind)
    assert (ended.status, ended.err) == (DONE, "")
    assert isinstance(ended.json, dict)
    assert "$defs" in ended.json


def test_worlds_have_a_schema_where_there_are_worlds(fracas_cli):
    told = fracas_cli("content", "schema", "stacks", "world")
    assert {"map", "factions", "tiles", "stacks", "revision"} <= set(told.json["properties"])
    assert told.out == fracas_cli("content", "schema", "stacks", "strategy").out
    refused = fracas_cli("content", "schema", "squads", "world")
    assert refused.status == BAD_INPUT
    assert "squads has no files of the kind world (write strategy)" in refused.err


def test_the_schema_of_scenarios_is_the_usual_one(fracas_cli):
    assert fracas_cli("content", "schema", "squads").out == fracas_cli("content", "schema", "squads", "scenario").out


# modifiers


@pytest.mark.parametrize(
    ("date", "monday", "first", "second"),
    [
        ("1970-01-05", "1970-01-05", "witch_moon", "deep_mud"),
        ("1970-01-11", "1970-01-05", "witch_moon", "deep_mud"),
        ("1970-03-01", "1970-02-23", "heavy_armor", "witch_moon"),
    ],
)
def test_the_weeks_modifier_and_the_coming_ones_are_shown(fracas_cli, date, monday, first, second):
    document = fracas_cli("content", "modifiers", "--date", date, "--format", "json").json
    assert document["date"] == date
    assert document["weeks"][0]["from"] == monday
    assert [week["modifier"]["id"] for week in document["weeks"][:2]] == [first, second]
    assert len({week["modifier"]["id"] for week in document["weeks"]}) == 8
    text = fracas_cli("content", "modifiers", "--date", date).out.splitlines()
    for line, identifier in zip(text, (first, second), strict=False):
        assert identifier in line
        assert LIBRARY.of("modifiers")[identifier].name in line


def test_the_modifier_shown_is_the_one_that_is_played(fracas_cli, tmp_path):
    shown = fracas_cli("content", "modifiers", "--date", "2026-11-20", "--format", "json").json["weeks"][0]["modifier"][
        "id"
    ]
    scenario = {"ruleset": "squads", "date": "2026-11-20", "sides": [{"units": ["scout"]}] * 2}
    path = written(tmp_path, json.dumps(scenario), "dated.json")
    replay = tmp_path / "replay.json"
    fracas_cli("run", path, "--save", replay)
    assert json.loads(replay.read_text())["scenario"]["modifier"]["id"] == shown


def test_without_a_date_it_is_today(fracas_cli):
    ended = fracas_cli("content", "modifiers")
    assert ended.status == DONE
    assert len(ended.out.splitlines()) == 8


@pytest.mark.parametrize("date", ["tomorrow", "2026-13-01", "2026-02-30", "", "9999-12-31", "0001-01-01", "20-11-2026"])
def test_a_date_is_a_day(fracas_cli, date):
    ended = fracas_cli("content", "modifiers", f"--date={date}", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == "--date"


@pytest.mark.parametrize("weeks", ["0", "-1", "1000000"])
def test_weeks_have_limits(fracas_cli, weeks):
    assert fracas_cli("content", "modifiers", f"--weeks={weeks}").status == BAD_INPUT


def test_a_ruleset_without_seasons_says_so():
    with pytest.raises(fracas.InputError, match="delve has no seasons"):
        registry.get("delve").calendar(datetime.date(2026, 11, 20), 1)


def test_what_an_entry_does_is_said_in_sentences(fracas_cli):
    shown = fracas_cli("content", "show", "relics", "spine_locket").out.splitlines()
    assert shown[1].strip() == "Turn end: spend 3 Thorns, deal 6 damage to the enemy."
    assert not any("repeat" in line for line in shown)
    listed = fracas_cli("content", "list", "relics", "items").out
    assert "Battle start: gain 8 armor, gain 2 Freeze." in listed


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        (["relics", "items", "--tag", "ice", "--tag", "shield"], ["iceblock_shield"]),
        (["relics", "items", "--tag", "ice", "--search", "FREEZE riposte"], []),
        (["relics", "items", "--search", "freeze gain", "--tag", "shield"], ["iceblock_shield"]),
        (["relics", "bosses", "--search", "printer"], ["night_printer"]),
        (["relics", "sets", "--tag", "clockwork"], ["clock_tower"]),
        (["squads", "units", "--tag", "mage", "--search", "apprentice wizard"], ["apprentice_wizard"]),
    ],
)
def test_a_list_can_be_narrowed(fracas_cli, arguments, first):
    (kind,) = found = fracas_cli("content", "list", *arguments, "--format", "json").json
    assert [entry["id"] for entry in found[kind]] == first
    out = fracas_cli("content", "list", *arguments).out
    assert out.startswith(f"{kind}\n  {first[0]}" if first else "no entries match\n")


def test_kinds_in_which_nothing_fits_are_left_out(fracas_cli):
    out = fracas_cli("content", "list", "relics", "--tag", "honey").out
    assert [line for line in out.splitlines() if not line.startswith(" ")] == ["items", "sets"]


def test_a_tag_that_nothing_has_is_told_with_one_that_is_near(fracas_cli):
    ended = fracas_cli("content", "list", "relics", "--tag", "icy", "--tag", "shild")
    assert ended.status == BAD_INPUT
    assert 'no entry has "icy" (did you mean "ice"?)' in ended.err
    assert 'no entry has "shild" (did you mean "shield"?)' in ended.err
