"""What is wrong with an attack is said once, at its place, with what would be right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.helpers.scenarios import problems_of, written
from tests.helpers.stacks import attack, campaign, stack, unit

import fracas
from fracas.engine.campaign import load_campaign


def complaints(document: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """Where in a document something is wrong, what, and what would be right."""
    problems = problems_of(fracas.load, document)
    return [(problem.where.removeprefix("scenario: "), problem.message, problem.suggestion) for problem in problems]


def test_an_attack_on_nobody_is_refused():
    document = attack(attack={"stack": "red-one", "tile": [0, 0]})
    assert complaints(document) == [("attack.tile", "the tile 0,0 has no owner, and no stack stands on it", None)]


@pytest.mark.parametrize(
    ("factions", "whose"),
    [
        ({"red": {"allies": ["blue"]}, "blue": {}}, 'an ally\'s: "blue" is allied with "red"'),
        ({"red": {}, "blue": {"allies": ["red"]}}, 'an ally\'s: "blue" is allied with "red"'),
    ],
)
def test_an_attack_on_an_ally_is_refused_whichever_of_the_two_says_it(factions, whose):
    assert complaints(attack(factions=factions)) == [("attack.tile", f"the tile 1,1 is {whose}", None)]


def test_an_attack_on_ones_own_is_refused():
    document = attack(stacks=[stack("red-one", "red", (1, 0)), stack("red-two", "red", (1, 1))])
    assert complaints(document) == [("attack.tile", 'the tile 1,1 is the attacker\'s own: "red"', None)]


def test_an_attack_off_the_map_is_refused():
    document = attack(attack={"stack": "red-one", "tile": [1, 9]})
    assert complaints(document) == [
        ("attack.tile", "the tile 1,9 is off the map", "x goes from 0 to 3, y from 0 to 3"),
    ]


def test_two_stacks_on_one_tile_are_refused():
    document = attack(stack("late", "grey", (1, 1)))
    assert complaints(document) == [
        ("stacks.2.at", 'the tile 1,1 is taken by "blue-one"', "a tile holds one stack"),
    ]


def test_stacks_and_tiles_off_the_map_are_refused_together():
    document = attack(stack("far", "grey", (4, 0)), tiles={"0,4": {"owner": "grey"}})
    assert [(where, message) for where, message, _ in complaints(document)] == [
        ("tiles.0,4", "the tile 0,4 is off the map"),
        ("stacks.2.at", "the tile 4,0 is off the map"),
    ]


def test_a_ninth_unit_is_refused():
    document = attack(stack("crowd", "grey", (3, 3), *[unit(f"u{number}") for number in range(9)]))
    assert complaints(document) == [("stacks.2.units", "has too many entries; at most 8 are allowed", None)]


def test_a_stack_without_units_is_refused():
    document = attack({**stack("empty", "grey", (3, 3)), "units": []})
    assert complaints(document) == [("stacks.2.units", "has 0 entries; at least 1 are needed", None)]


def test_contradicting_alliances_are_refused():
    factions = {"red": {"allies": ["grey"]}, "blue": {}, "grey": {"enemies": ["red"]}}
    assert complaints(attack(factions=factions)) == [
        (
            "factions.grey.enemies.0",
            '"red" is an ally by factions.red.allies, and an enemy here',
            "an alliance holds both ways; keep one of the two",
        )
    ]


def test_everything_that_is_wrong_is_told_at_once_whatever_its_kind():
    nine = [unit(f"u{number}") for number in range(9)]
    document = attack(
        stack("crowd", "grey", (1, 1), *nine),
        stack("far", "gray", (7, 0), "archr"),
        factions={"red": {"allies": ["blue"]}, "blue": {"enemies": ["red"]}, "grey": {}},
        tiles={"0,9": {"owner": "blu"}},
    )
    assert sorted(where for where, _, _ in complaints(document)) == [
        "factions.blue.enemies.0",
        "stacks.2.at",
        "stacks.2.units",
        "stacks.3.at",
        "stacks.3.owner",
        "stacks.3.units.0",
        "tiles.0,9",
        "tiles.0,9.owner",
    ]


def test_what_is_not_sound_is_not_held_against_the_rest():
    document = attack({"id": "odd", "owner": 3, "at": [1], "units": ["archer"]}, map={"kind": "hexx"})
    assert {where.split(".")[0] for where, _, _ in complaints(document)} == {"map", "stacks"}
    assert all(where.startswith("stacks.2") for where, _, _ in complaints(document) if where.startswith("stacks"))


def test_an_attack_is_looked_at_though_the_world_is_wrong():
    document = attack(stack("late", "grey", (0, 0), unit(moves=["strik"])), attack={"stack": "red-one", "tile": [3, 3]})
    assert [where for where, _, _ in complaints(document)] == ["stacks.2.units.0.moves", "attack.tile"]


@pytest.mark.parametrize(
    ("values", "where", "message"),
    [
        ({"attack": -1}, ".attack", "-1 is out of range: it must be at least 0"),
        ({"attack": 1001}, ".attack", "1001 is out of range: it must be at most 1,000"),
        ({"health": 0}, ".health", "0 is out of range: it must be at least 1"),
        ({"health": 2.5}, ".health", "2.5 is not a whole number"),
        ({"current": 10}, "", "has a current health of 10, above its full health of 9"),
        ({"moves": ["strike", "strike"]}, ".moves", 'has "strike" twice'),
        (
            {"moves": ["riposte"]},
            ".moves",
            '"riposte" cannot be chosen: units with "strike" answer melee moves with it',
        ),
        ({"moves": "strike"}, ".moves", '"strike" is not a list'),
    ],
)
def test_a_value_of_a_unit_that_is_none_is_refused(values, where, message):
    document = attack(stack("odd", "grey", (3, 3), unit(**values)))
    assert [(path, said) for path, said, _ in complaints(document)] == [(f"stacks.2.units.0{where}", message)]


def test_a_unit_needs_a_type_or_all_values():
    document = attack(stack("odd", "grey", (3, 3), {"id": "bare", "attack": 3}))
    [(where, message, _)] = complaints(document)
    assert where == "stacks.2.units.0"
    assert message == "needs a type, or defence, damage, health and moves of its own"


def test_somebody_wounded_beyond_its_types_health_is_refused():
    document = attack(stack("odd", "grey", (3, 3), {"type": "healer", "current": 9}))
    assert [message for _, message, _ in complaints(document)] == ["9 is above its full health of 6"]


def test_two_written_units_of_a_stack_need_ids_of_their_own():
    document = attack(stack("twins", "grey", (3, 3), unit("x"), unit("x")))
    assert complaints(document) == [
        ("stacks.2.units", 'two units of the stack have the id "x"', "give each its own id"),
    ]


def test_a_battle_is_an_attack_or_a_campaign():
    neither = {key: value for key, value in attack().items() if key != "attack"}
    both = attack(attacks=[{"stack": "red-one", "tile": [1, 1]}])
    assert "needs an attack" in complaints(neither)[0][1]
    assert "has both" in complaints(both)[0][1]


def test_a_campaign_is_no_battle_and_says_how_it_is_fought():
    [(where, message, hint)] = complaints(campaign(("red-one", (1, 1)), ("red-one", (1, 2))))
    assert (where, message) == ("attacks", "a campaign of 2 attacks is not a single battle")
    assert hint == "fight it with fracas world campaign FILE"


def test_a_campaigns_stacks_and_tiles_must_be_there_from_the_start():
    document = campaign(("red-one", (1, 1)), ("red-won", (9, 9)))
    problems = problems_of(load_campaign, document)
    assert [(problem.where, problem.message) for problem in problems] == [
        ("scenario: attacks.1.stack", 'there is no stack "red-won"'),
        ("scenario: attacks.1.tile", "the tile 9,9 is off the map"),
    ]


def test_a_world_is_named_or_written_here_but_not_both():
    document = attack(world="elsewhere.toml")
    assert "names a world" in complaints(document)[0][1]


def test_a_world_that_is_not_there_is_told(tmp_path):
    text = 'ruleset = "stacks"\nworld = "{}"\n[attack]\nstack = "a"\ntile = [0, 0]\n'
    for name, said in (
        ("nowhere", 'there is no world "nowhere"'),
        ("x.toml", "no such file"),
        ("../x.toml", "outside"),
    ):
        path = written(tmp_path, text.format(name))
        [problem] = problems_of(fracas.load, path)
        assert said in problem.message


def test_what_is_wrong_with_a_world_in_a_file_is_told_with_that_file(tmp_path):
    world = {key: attack()[key] for key in ("map", "factions", "stacks")}
    world["stacks"][0]["owner"] = "rde"
    file = written(tmp_path, json.dumps(world), "world.json")
    path = written(
        tmp_path, json.dumps({"ruleset": "stacks", "world": "world.json", "attack": attack()["attack"]}), "a.json"
    )
    [problem] = problems_of(fracas.load, path)
    assert (problem.where, problem.suggestion) == (f"{file}: stacks.0.owner", 'did you mean "red"?')


@pytest.mark.parametrize("key", ["map", "factions", "stacks"])
def test_a_world_needs_all_its_parts(key):
    document = {name: value for name, value in attack().items() if name != key}
    assert complaints(document)[0][1].startswith(f"needs {key}")


@pytest.mark.parametrize("world", ["deep", "huge"])
def test_a_world_that_is_no_text_is_refused_however_deep_or_large(world):
    nested: dict[str, Any] = {}
    for _ in range(5000):
        nested = {"a": nested}
    given = {"deep": nested, "huge": 16**5000}[world]
    document = {"ruleset": "stacks", "world": given, "attack": {"stack": "x", "tile": [1, 1]}}
    [problem] = problems_of(fracas.load, document)
    assert problem.where.startswith("scenario: world")
    assert problem.message in ("values are nested more than 64 deep", "is a number of more than 4,300 digits")
