"""README, Scenarios: what a world and a scenario may say, and what people are told when they are wrong."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.stacks_fights import SEED_OPTIONS

from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.rulesets.stacks.content.models import Options, Resolved, ResolvedOptions, Scenario
from fracas.rulesets.stacks.content.world_checks import world_problems

FIGHTER = {"name": "Guard", "attack": 4, "defence": 3, "damage": 2, "health": 9, "moves": ["strike"]}


def scenario(**changes: Any) -> dict[str, Any]:
    """A sound scenario with some keys replaced; None takes a key out."""
    document: dict[str, Any] = {
        "ruleset": "stacks",
        "map": {"kind": "hex", "width": 8, "height": 6},
        "factions": {"red": {"allies": ["gold"]}, "blue": {}, "gold": {}},
        "tiles": {"3,3": {"owner": "blue"}},
        "stacks": [
            {"id": "van", "owner": "red", "at": [3, 2], "units": ["swordsman", {"type": "healer", "current": 3}]},
            {"id": "hold", "owner": "blue", "at": [3, 3], "units": [FIGHTER]},
        ],
        "attack": {"stack": "van", "tile": [3, 3]},
    }
    return {key: value for key, value in (document | changes).items() if value is not None}


def stacks(**changes: Any) -> dict[str, Any]:
    """A sound scenario with its second stack changed."""
    document = scenario()
    document["stacks"][1] |= changes
    return document


def told(document: dict[str, Any]) -> list[str]:
    """What is wrong with a scenario's shape, and then with its world."""
    try:
        read = validate(Scenario, document, "file")
    except InputError as error:
        return [str(problem) for problem in error.problems]
    assert read.map is not None
    assert read.factions is not None
    problems = world_problems(read.map, read.factions, read.tiles or {}, read.stacks or [], "file")
    return [str(problem) for problem in problems]


def test_the_example_of_the_rule_book_is_sound():
    assert told(scenario()) == []
    assert told(scenario(attack=None, attacks=[{"stack": "van", "tile": [3, 3]}])) == []


BAD_SHAPES = [
    ("nine units", stacks(units=["pike"] * 9), "file: stacks.1.units: has too many entries; at most 8 are allowed"),
    ("no units", stacks(units=[]), "file: stacks.1.units: has 0 entries; at least 1 are needed"),
    ("three numbers", stacks(at=[1, 2, 3]), "file: stacks.1.at: has 3 numbers; a tile has two, [x, y]"),
    ("a negative tile", stacks(at=[-1, 2]), "file: stacks.1.at.0: -1 is out of range: it must be at least 0"),
    ("a tile with a point", stacks(at=[1.5, 2]), "file: stacks.1.at.0: 1.5 is not a whole number"),
    (
        "a key with a blank",
        scenario(tiles={"3, 3": {"owner": "blue"}}),
        'file: tiles.3, 3: "3, 3" is not a tile; write its x and y like "3,3", without blanks',
    ),
    (
        "a key with a leading zero",
        scenario(tiles={"03,3": {"owner": "blue"}}),
        'file: tiles.03,3: "03,3" is not a tile; write its x and y like "3,3", without blanks',
    ),
    (
        "an unknown kind",
        scenario(map={"kind": "hexes", "width": 3, "height": 3}),
        'file: map.kind: "hexes" is not one of hex, square4 or square8 (did you mean "hex"?)',
    ),
    (
        "an unknown key",
        stacks(owners="blue"),
        'file: stacks.1.owners: there is no such key here (did you mean "owner"?)',
    ),
    (
        "riposte chosen",
        stacks(units=[FIGHTER | {"moves": ["riposte"]}]),
        ('file: stacks.1.units.0.moves: "riposte" cannot be chosen: units with "strike" answer melee moves with it'),
    ),
    (
        "a move twice",
        stacks(units=[FIGHTER | {"moves": ["strike", "archery", "strike"]}]),
        'file: stacks.1.units.0.moves: has "strike" twice',
    ),
    (
        "half a unit",
        stacks(units=[{"name": "Guard", "attack": 4, "moves": []}]),
        "file: stacks.1.units.0: needs a type, or defence, damage and health of its own",
    ),
    (
        "more health than it can have",
        stacks(units=[FIGHTER | {"current": 10}]),
        "file: stacks.1.units.0: has a current health of 10, above its full health of 9",
    ),
    (
        "a dead unit",
        stacks(units=[FIGHTER | {"current": 0}]),
        "file: stacks.1.units.0.current: 0 is out of range: it must be at least 1",
    ),
    (
        "attack beyond the bound",
        stacks(units=[FIGHTER | {"attack": 1001}]),
        "file: stacks.1.units.0.attack: 1001 is out of range: it must be at most 1,000",
    ),
    (
        "no attack",
        scenario(attack=None),
        "file: needs an attack (a stack and a tile), or in a campaign attacks",
    ),
    (
        "attack and attacks",
        scenario(attacks=[{"stack": "van", "tile": [3, 3]}]),
        "file: has both an attack and attacks; a battle has one, a campaign a list",
    ),
    (
        "a number in a campaign",
        scenario(attack=None, attacks=[{"stack": "van", "tile": [3, 3], "number": 1}]),
        "file: attacks.0.number: there is no such key here",
    ),
    (
        "a world twice",
        scenario(world="the_ford"),
        "file: names a world, so it cannot also have map, factions, tiles and stacks",
    ),
    (
        "no world",
        scenario(map=None, factions=None, tiles=None, stacks=None),
        "file: needs map, factions and stacks, or the name of a world",
    ),
    ("half a world", scenario(factions=None), "file: needs factions"),
]


@pytest.mark.parametrize(("document", "message"), [row[1:] for row in BAD_SHAPES], ids=[row[0] for row in BAD_SHAPES])
def test_what_is_wrong_with_a_file_is_told(document, message):
    assert told(document) == [message]


BAD_WORLDS = [
    (
        "a stack off the map",
        stacks(at=[8, 3]),
        "file: stacks.1.at: the tile 8,3 is off the map (x goes from 0 to 7, y from 0 to 5)",
    ),
    (
        "a tile off the map",
        scenario(tiles={"3,6": {"owner": "blue"}}),
        "file: tiles.3,6: the tile 3,6 is off the map (x goes from 0 to 7, y from 0 to 5)",
    ),
    (
        "overlapping stacks",
        stacks(at=[3, 2]),
        'file: stacks.1.at: the tile 3,2 is taken by "van" (a tile holds one stack)',
    ),
    (
        "the same id",
        stacks(id="van"),
        'file: stacks.1.id: "van" is the id of stacks.0 already (give each its own id)',
    ),
    (
        "an unknown owner",
        stacks(owner="blu"),
        'file: stacks.1.owner: there is no faction "blu" (did you mean "blue"?)',
    ),
    (
        "an unknown owner of a tile",
        scenario(tiles={"3,3": {"owner": "golden"}}),
        'file: tiles.3,3.owner: there is no faction "golden" (did you mean "gold"?)',
    ),
    (
        "an unknown ally",
        scenario(factions={"red": {"allies": ["bleu"]}, "blue": {}}),
        'file: factions.red.allies.0: there is no faction "bleu" (did you mean "blue"?)',
    ),
    (
        "contradicting alliances",
        scenario(factions={"red": {"allies": ["gold"]}, "blue": {}, "gold": {"enemies": ["blue", "red"]}}),
        (
            'file: factions.gold.enemies.1: "red" is an ally by factions.red.allies, and an enemy here '
            "(an alliance holds both ways; keep one of the two)"
        ),
    ),
    (
        "its own enemy",
        scenario(factions={"red": {"enemies": ["red"]}, "blue": {}}),
        'file: factions.red.enemies.0: "red" cannot be its own enemy',
    ),
]


@pytest.mark.parametrize(("document", "message"), [row[1:] for row in BAD_WORLDS], ids=[row[0] for row in BAD_WORLDS])
def test_what_is_wrong_with_a_world_is_told(document, message):
    assert told(document) == [message]


def test_everything_is_told_at_once():
    document = stacks(at=[8, 3], owner="blu", id="van")
    document["tiles"]["9,9"] = {}
    assert len(told(document)) == 4


def test_problems_have_a_place():
    document = scenario()
    read = validate(Scenario, document | {"tiles": {"9,9": {}}}, "file")
    assert read.map is not None
    problems = list(world_problems(read.map, read.factions or {}, read.tiles or {}, read.stacks or [], "x.toml"))
    assert problems == [
        Problem("x.toml: tiles.9,9", "the tile 9,9 is off the map", "x goes from 0 to 7, y from 0 to 5")
    ]


def test_every_option_has_a_resolved_counterpart():
    assert list(Options.model_fields) == list(ResolvedOptions.model_fields)


def test_a_resolved_document_is_a_scenario():
    unit = FIGHTER | {"id": "guard", "initiative": 0}
    document = {
        "ruleset": "stacks",
        "id": "ford",
        "seed": "ford",
        "profile": "seed",
        "options": SEED_OPTIONS,
        "map": {"kind": "hex", "width": 8, "height": 6},
        "factions": {"red": {"name": "Red", "allies": [], "enemies": []}, "blue": {"name": "Blue"}},
        "tiles": {"3,3": {"owner": "blue"}},
        "stacks": [
            {"id": "van", "name": "Van", "owner": "red", "at": [3, 2], "units": [unit, unit | {"current": 4}]},
            {"id": "hold", "name": "Hold", "owner": "blue", "at": [3, 3], "units": [unit]},
        ],
        "revision": 2,
        "attack": {"stack": "van", "tile": [3, 3], "number": 0},
    }
    resolved = validate(Resolved, document, "file")
    assert [one.health_left for one in resolved.stacks[0].units] == [9, 4]
    validate(Scenario, document, "file")
    validate(Scenario, resolved.model_dump(mode="json", exclude_none=True), "file")
