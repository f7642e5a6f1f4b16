"""The tables of the rulesets: what they name is there, for events change and a table is only text."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.javascript import drive
from tests.helpers.player import tables
from tests.helpers.scenarios import STANDARD_FIGHTS

import fracas
from fracas.content.packs import examples_folder
from fracas.portable import artefacts
from fracas.replay.bundle_file import bundle_of, save_bundle
from fracas.rulesets import registry
from fracas.rulesets.delve.rules.constants import ATTRIBUTES
from fracas.rulesets.titans.rules.constants import STATS


@pytest.fixture(scope="module")
def named():
    return tables()


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_every_kind_and_field_of_a_table_is_one_of_its_events(named, ruleset):
    kinds = {
        kind["name"]: {"tick", *(field["name"] for field in kind["fields"])}
        for kind in artefacts.layout(ruleset)["events"]
    }
    table = named[ruleset]
    assert set(table["kinds"]) <= set(kinds)
    assert set(table["joined"]) <= set(kinds)
    unknown = {kind: set(fields) - kinds[kind] for kind, fields in table["kinds"].items()}
    assert not {kind: fields for kind, fields in unknown.items() if fields}
    assert table["cast"] in {
        field.get("book") for kind in artefacts.layout(ruleset)["events"] for field in kind["fields"]
    }


# What each change of the page's "what if" is in a scenario: the way to the value of the unit in place 1, and of some of
# those of the second ability and of the rules.
PLACES: dict[str, dict[str, tuple[Any, ...]]] = {
    "squads": {
        "attack": ("sides", 0, "units", 1, "attack"),
        "defence": ("sides", 0, "units", 1, "defense"),
        "HP": ("sides", 0, "units", 1, "hp"),
        "speed": ("sides", 0, "units", 1, "speed"),
        "cooldown": ("abilities", 1, "cooldown"),
        "% of attack": ("abilities", 1, "effects", 0, "attack"),
        "% of defence": ("abilities", 1, "effects", 0, "defense"),
        "% of full HP": ("abilities", 1, "effects", 0, "max_hp"),
        "last round": ("options", "round_cap"),
        "charge for an action": ("options", "charge_action"),
        "charge for a hit": ("options", "charge_hit"),
        "healers heal below % HP": ("options", "healer_threshold"),
    },
    "delve": {
        "HP": ("party", 1, "hp"),
        **{name: ("party", 1, "attributes", name) for name in ATTRIBUTES},
        "armour": ("party", 1, "armor"),
        "resistance": ("party", 1, "resistance"),
        "evasion": ("party", 1, "evasion"),
        "resource": ("party", 1, "resource", "max"),
        "regeneration": ("party", 1, "resource", "regeneration"),
        "weapon from": ("party", 1, "weapon", "min"),
        "weapon to": ("party", 1, "weapon", "max"),
        "cooldown": ("skills", 1, "cooldown"),
        "bonus": ("skills", 1, "modifier"),
        "last round": ("options", "round_cap"),
        "% of armour that counts": ("options", "armor_share"),
        "flee below % HP": ("options", "flee_below"),
        "% of rewards if only survived": ("options", "survived_share"),
    },
    "stacks": {
        "attack": ("stacks", 0, "units", 1, "attack"),
        "defence": ("stacks", 0, "units", 1, "defence"),
        "damage": ("stacks", 0, "units", 1, "damage"),
        "health": ("stacks", 0, "units", 1, "health"),
        "last turn": ("options", "turn_cap"),
        "idle turns until repelled": ("options", "idle_turns"),
        "heals of a healer (0: no limit)": ("options", "heal_limit"),
    },
    "relics": {
        "ATK": ("right", "stats", "attack"),
        "HP": ("right", "stats", "health"),
        "ARMOR": ("right", "stats", "armor"),
        "SPEED": ("right", "stats", "speed"),
        "fatigue after turn": ("options", "fatigue_start"),
    },
    "titans": {
        "HP": ("players", 1, "titan", "hp"),
        "defence": ("players", 1, "titan", "defense"),
        **{name: ("players", 1, "titan", name) for name in STATS if name != "defense"},
        "amount": ("abilities", 1, "effects", 0, "amount"),
        "last round": ("options", "round_cap"),
        "sudden death from round (0: never)": ("options", "sudden_death"),
        "charge for a rest": ("options", "rest_charge"),
        "charge for a defence": ("options", "defend_charge"),
        "charge for an attack": ("options", "attack_charge"),
    },
}


# The books that number abilities and skills.
BOOKS = {("squads", "abilities"): "ability_id", ("titans", "abilities"): "ability", ("delve", "skills"): "skill"}


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_a_what_if_in_the_record_is_the_same_change_in_the_scenario(named, ruleset, tmp_path):
    path = examples_folder() / ruleset / f"{STANDARD_FIGHTS[ruleset]}.toml"
    packed = tmp_path / "battle.fracas.json"
    scenario = fracas.load(path)
    save_bundle(bundle_of(fracas.run(scenario)), packed)
    record, layout = scenario.compiled.record[0], artefacts.layout(ruleset)
    assert layout["ruleset"] == ruleset
    changes = {name: paths for name, paths, _ in named[ruleset]["changes"] if name in PLACES[ruleset]}
    of_units = {name for name, _, is_owned in named[ruleset]["changes"] if not is_owned}
    assert of_units <= set(changes) == set(PLACES[ruleset])
    jobs, expected = [], []
    for name, paths in changes.items():
        edits = []
        for each in paths:
            value = record
            for part in each.split("."):
                value = value[int(part)] if part.isdecimal() else value[part]
            edits.append((each, int(value) + 2))
        jobs.append({"bundle": str(packed), "edits": edits, "streams": [0, 1]})
        document: Any = fracas.load(path).document
        *way, last = PLACES[ruleset][name]
        place = document
        if book := BOOKS.get((ruleset, way[0])):
            way[1] = scenario.compiled.books[book][way[1]]
        for part in way:
            place = place[part]
        place[last] += 2
        changed = fracas.load(document)
        expected.append([fracas.run(changed, stream=stream).digest for stream in (0, 1)])
    answers = drive(ruleset, jobs, tmp_path)
    found = [[battle["digest"] for battle in each["played"]] for each in answers]
    assert dict(zip(changes, found, strict=True)) == dict(zip(changes, expected, strict=True))
