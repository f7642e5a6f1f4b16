"""What becomes of a delve scenario: everything looked up, nothing changed by doing it again."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.helpers.delve import (
    AIR,
    ENCOUNTER,
    EXAMPLES,
    ITEM,
    RUN,
    SKILLS,
    encounter,
    foe,
    member,
    payer,
    quest,
    run,
    table,
)
from tests.helpers.scenarios import written

import fracas
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source

RULESET = registry.get("delve")


def resolved(document: dict[str, Any], where: str = "scenario", **options: Any) -> dict[str, Any]:
    return RULESET.resolve(document, Source(where), **options).document


# Those who take part.


def test_a_member_of_its_own_is_what_it_says():
    [ana] = resolved(encounter(party=[member(hp=44, armor=2, training={"lore": 7})]))["party"]
    assert ana["id"] == "ana"
    assert ana["name"] == "Ana"
    assert (ana["hp"], ana["armor"], ana["evasion"], ana["level"]) == (44, 2, 0, 1)
    assert ana["training"]["lore"] == 7
    assert ana["training"]["survival"] == 0
    assert ana["weapon"] == {"min": 0, "max": 0}
    assert ana["queue"] == [{"skill": "hit"}]
    assert "resource" not in ana
    assert "class" not in ana


def test_a_hero_is_its_class_at_its_level_with_its_items():
    library = RULESET.read_library(None, ())
    hero, role = library.of("heroes")["vanguard_2"], library.of("classes")["vanguard"]
    [found] = resolved(encounter(party=["vanguard_2"]))["party"]
    assert (found["id"], found["name"], found["class"], found["level"]) == ("vanguard_2", hero.name, "vanguard", 2)
    assert found["hp"] == role.base.hp + role.per_level.hp
    assert found["resource"]["kind"] == role.resource
    assert found["resource"]["max"] == role.base.resource + role.per_level.resource
    weapon = library.of("items")[hero.items[0]]
    assert found["weapon"] == {"min": weapon.damage.min, "max": weapon.damage.max}
    assert found["weapon_speed"] == weapon.speed
    assert len(found["queue"]) == len(role.queue)


def test_what_a_table_says_goes_over_its_template():
    table_ = {"template": "vanguard_2", "name": "Ysolde", "hp": 99, "attributes": {"luck": 60}, "queue": ["strike"]}
    plain, changed = resolved(encounter(party=["vanguard_2", table_]))["party"]
    assert (changed["id"], changed["name"], changed["hp"]) == ("vanguard_2-2", "Ysolde", 99)
    assert changed["attributes"] == plain["attributes"] | {"luck": changed["attributes"]["luck"]}
    assert changed["attributes"]["luck"] - 60 == plain["attributes"]["luck"] - (
        RULESET.read_library(None, ()).of("classes")["vanguard"].base.attributes.luck
        + RULESET.read_library(None, ()).of("classes")["vanguard"].per_level.attributes.luck
    )
    assert changed["queue"] == [{"skill": "strike"}]
    assert changed["resource"] == plain["resource"]


def test_items_of_a_table_replace_those_of_its_template():
    [bare] = resolved(encounter(party=[{"template": "vanguard_2", "items": []}]))["party"]
    assert bare["weapon"] == {"min": 0, "max": 0}
    assert bare["weapon_speed"] == 0


def test_another_level_and_another_class_count():
    older, other = resolved(
        encounter(party=[{"template": "vanguard_2", "level": 5}, {"template": "vanguard_2", "class": "arcanist"}])
    )["party"]
    library = RULESET.read_library(None, ()).of("classes")
    assert older["hp"] == library["vanguard"].base.hp + 4 * library["vanguard"].per_level.hp
    assert other["hp"] == library["arcanist"].base.hp + library["arcanist"].per_level.hp
    assert other["resource"]["kind"] == library["arcanist"].resource


def test_a_class_alone_makes_a_member():
    [found] = resolved(encounter(party=[{"class": "warden", "level": 3}]))["party"]
    assert (found["id"], found["class"], found["level"]) == ("warden", "warden", 3)


def test_a_creature_is_its_own_numbers_before_difficulty():
    library = RULESET.read_library(None, ()).of("creatures")
    easy, hard = (
        resolved(encounter(enemies=["goblin_sneak"], difficulty=name))["enemies"][0] for name in ("trivial", "deadly")
    )
    assert easy == hard
    assert easy["hp"] == library["goblin_sneak"].hp
    assert easy["xp_reward"] == library["goblin_sneak"].xp_reward


def test_what_an_enemy_says_goes_over_its_template_table_by_table():
    said = {"template": "goblin_shaman", "attributes": {"luck": 1}, "resource": {"max": 30}, "boss": True}
    plain, changed = resolved(encounter(enemies=["goblin_shaman", said]))["enemies"]
    assert changed["attributes"] == plain["attributes"] | {"luck": 1}
    assert changed["resource"] == plain["resource"] | {"max": 30}
    assert (plain["boss"], changed["boss"]) == (False, True)
    assert changed["queue"] == plain["queue"]


def test_the_phases_of_a_boss_are_looked_up():
    phases = [{"name": "a", "at": 60, "queue": ["hit"], "armor": 3}, {"name": "b", "at": 20, "regeneration": 2}]
    [boss] = resolved(encounter(enemies=[foe(boss=True, phases=phases)]))["enemies"]
    assert boss["phases"] == [
        {"name": "a", "at": 60, "armor": 3, "attributes": {}, "queue": [{"skill": "hit"}]},
        {"name": "b", "at": 20, "attributes": {}, "regeneration": 2},
    ]


def test_the_second_of_an_id_is_numbered():
    document = encounter(party=[member(), member(), member(name="Bo")], enemies=[foe("rat-2"), foe("rat"), foe("rat")])
    found = resolved(document)
    assert [entry["id"] for entry in found["party"]] == ["ana", "ana-2", "ana-3"]
    assert [entry["name"] for entry in found["party"]] == ["Ana", "Ana-2", "Bo"]
    assert [entry["id"] for entry in found["enemies"]] == ["rat-2", "rat", "rat-3"]


def test_each_fight_numbers_its_own():
    fight = {"type": "combat", "enemies": [foe(), foe()]}
    found = resolved(run(fight, copy.deepcopy(fight)))["quest"]["encounters"]
    assert [[enemy["id"] for enemy in each["enemies"]] for each in found] == [["rat", "rat-2"]] * 2


@pytest.mark.parametrize(("given", "expected"), [({}, 60), ({"start": 25}, 25), ({"start": 0}, 0)])
def test_a_resource_starts_as_its_kind_does_unless_it_says_otherwise(given, expected):
    kinds = {"air": AIR["air"] | {"start": 60}}
    document = encounter(resources=kinds, party=[member(resource=payer(**given))], enemies=[foe(resource=payer())])
    found = resolved(document)
    assert found["party"][0]["resource"] == {"kind": "air", "max": 20, "regeneration": 0, "start": expected}
    assert found["enemies"][0]["resource"]["start"] == 60
    assert found["resources"] == {"air": {"id": "air", "name": "Air", "start": 60}}


# The rest of the document.


def test_only_the_skills_of_queues_come_along():
    phases = [{"name": "late", "at": 50, "queue": ["brace", "bite"]}]
    skills = SKILLS | {"bite": {**SKILLS["hit"], "id": "bite"}, "spare": {**SKILLS["hit"], "id": "spare"}}
    boss = foe(queue=["bind", "hit"], boss=True, phases=phases, resource=payer())
    document = encounter(skills=skills, enemies=[boss], party=[member(), member(queue=["brace"], resource=payer())])
    assert list(resolved(document)["skills"]) == ["bind", "bite", "brace", "hit"]


def test_skills_of_a_run_follow_the_roster():
    skills = {name: {**SKILLS["hit"], "id": name} for name in ("hit", "s0", "s1", "s2", "s3", "s4")}

    def consequence(number: int) -> dict[str, Any]:
        return {"ambush": [foe(queue=[f"s{number}"])]}

    document = run(
        {
            "type": "decision",
            "options": [
                {"name": "a", "check": "lore", "failure": consequence(1), "success": consequence(0)},
                {"name": "b", "success": consequence(2)},
            ],
        },
        {"type": "combat", "enemies": [foe(queue=["s3"])]},
        {"type": "puzzle", "difficulty": 1, "failure": consequence(4)},
        skills=skills,
    )
    found = resolved(document)
    assert list(found["skills"]) == ["hit", "s0", "s1", "s2", "s3", "s4"]
    units = RULESET.compile(found, {}).books["unit"]
    assert [name for name in units if name] == ["1.ana", "2.0.rat", "2.0.rat-2", "2.0.rat-3", "2.1.rat", "2.2.rat"]


def test_own_content_goes_over_the_shipped():
    strike = {**SKILLS["hit"], "id": "strike", "name": "My Strike"}
    found = resolved(encounter(skills=SKILLS | {"strike": strike}, enemies=["goblin_spear"]))
    assert found["skills"]["strike"]["name"] == "My Strike"


def test_a_condition_that_says_nothing_is_left_out():
    queue = [{"skill": "hit", "when": "  "}, {"skill": "hit", "when": "always"}]
    [ana] = resolved(encounter(party=[member(queue=queue)]))["party"]
    assert ana["queue"] == [{"skill": "hit"}, {"skill": "hit", "when": "always"}]


def test_an_unknown_condition_warns_in_what_players_write_and_only_there():
    queue = [{"skill": "hit", "when": "enemy_cuont_gte_2"}]
    resolution = RULESET.resolve(encounter(party=[member(queue=queue)]), Source("scenario"))
    [warning] = resolution.warnings
    assert warning.where == "scenario: party.0.queue.0.when"
    assert "counts as true" in warning.message


OPTIONS = {"survived_share": 50, "armor_share": 100, "flee_below": 0, "round_cap": 50}


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({}, {}),
        ({"options": {"round_cap": 7}}, {"round_cap": 7}),
        ({"flee_below": 30}, {"flee_below": 30}),
        ({"flee_below": 0, "options": {"flee_below": 30}}, {"flee_below": 0}),
        ({"options": {"flee_below": 30, "armor_share": 0}}, {"flee_below": 30, "armor_share": 0}),
    ],
)
def test_options_come_from_the_profile_unless_the_scenario_says_more(given, changed):
    assert resolved(encounter(**given))["options"] == OPTIONS | changed


@pytest.mark.parametrize(
    ("document", "seed"),
    [
        (run(run_id="7b1e", started_at="2026"), "7b1e2026"),
        (run(run_id="7b1e", started_at="2026", seed="own"), "own"),
        (run(), "lone"),
        ({key: value for key, value in run().items() if key != "id"}, "fracas"),
        (encounter(), "lone"),
    ],
)
def test_the_seed_text(document, seed):
    assert resolved(document)["seed"] == seed


def test_a_name_comes_from_the_file_if_there_is_none(tmp_path):
    scenario = fracas.load(written(tmp_path, RUN, "cellar.toml"))
    assert (scenario.id, scenario.seed) == ("cellar", "7b1e2026-11-20T08:00:00Z")


def test_the_difficulty_is_normal_unless_it_is_said():
    assert resolved(encounter())["difficulty"]["id"] == "normal"
    own = {"id": "mine", "name": "Mine", "creature_hp": 5}
    found = resolved(encounter(difficulty=own))["difficulty"]
    assert found == own | {
        "creature_damage": 100,
        "check": 0,
        "loot_chance": 50,
        "rarity": {},
        "xp": 100,
    }


def test_a_lone_encounter_has_no_loot():
    assert {"quest", "loot_tables", "items", "bonuses", "rarities"}.isdisjoint(resolved(encounter()))


# Loot.


def test_only_the_tables_in_use_and_their_templates_come_along():
    names = ("bag", "own", "boss", "first", "chest", "spare")
    items = {f"in_{name}": {**ITEM, "id": f"in_{name}"} for name in names}
    tables = {name: table(name) for name in names}
    for name in names:
        tables[name]["rows"][0]["template"] = f"in_{name}"
    chief = foe(boss=True, loot_table_id="boss")
    encounters: list[dict[str, Any]] = [
        {"type": "combat", "enemies": [foe(loot_table_id="first"), foe()]},
        {"type": "combat", "enemies": [foe(loot_table_id="spare"), chief]},
        {"type": "rest", "loot_table_id": "own"},
        {"type": "combat", "enemies": [foe(), foe(loot_table_id="spare")]},
    ]
    way = quest(*encounters, chest_table_id="chest")
    found = resolved(run(quest=way, loot_tables=tables, items=items))
    assert list(found["loot_tables"]) == ["bag", "boss", "chest", "first", "own"]
    assert list(found["items"]) == ["in_bag", "in_boss", "in_chest", "in_first", "in_own"]


def test_all_bonuses_and_rarities_come_along():
    found = resolved(run())
    library = RULESET.read_library(None, ())
    assert list(found["bonuses"]) == sorted(library.of("bonuses"))
    assert set(found["rarities"]) == {"common", "uncommon", "rare", "very_rare", "legendary", "artifact"}


def test_notes_stay_behind():
    found = resolved(run(quest=quest() | {"note": "x"}, skills={"hit": {**SKILLS["hit"], "note": "y"}}))
    assert "note" not in str(found)


# Again.


def documents() -> dict[str, dict[str, Any]]:
    """Scenarios of every kind: small ones, shipped ones, random ones."""
    library = RULESET.read_library(None, ())
    found = {"encounter": encounter(), "run": run()}
    for number, name in enumerate(library.of("quests")):
        party = list(library.of("parties"))[number % 4]
        found[name] = {"ruleset": "delve", "quest": name, "party": party, "difficulty": "hard"}
    creatures = list(library.of("creatures"))
    for first in range(0, len(creatures), 8):
        found[f"creatures {first}"] = encounter(enemies=creatures[first : first + 8])
    heroes = list(library.of("heroes"))
    for first in range(0, len(heroes), 8):
        found[f"heroes {first}"] = encounter(party=heroes[first : first + 8])
    return found


@pytest.mark.parametrize("name", documents())
def test_resolving_again_changes_nothing(name):
    once = resolved(documents()[name])
    again = resolved(once)
    assert again == once
    assert [list(again[key]) for key in ("skills", "resources")] == [list(once[key]) for key in ("skills", "resources")]
    assert list(again.get("items", ())) == list(once.get("items", ()))
    first, second = (RULESET.compile(document, {}) for document in (once, again))
    assert first.record.tobytes() == second.record.tobytes()
    assert first.books == second.books


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_resolve_to_themselves(path):
    scenario = fracas.load(path)
    assert fracas.load(scenario.document).document == scenario.document


@pytest.mark.parametrize(
    ("override", "read"),
    [
        ("party.0.hp=5", lambda document: document["party"][0]["hp"]),
        ("enemies.1.armor=5", lambda document: document["enemies"][1]["armor"]),
        ("options.round_cap=5", lambda document: document["options"]["round_cap"]),
        ("skills.spark.modifier=5", lambda document: document["skills"]["spark"]["modifier"]),
        ("difficulty.check=5", lambda document: document["difficulty"]["check"]),
        ("flee_below=5", lambda document: document["options"]["flee_below"]),
    ],
)
def test_any_value_can_be_set_by_its_path(tmp_path, override, read):
    scenario = fracas.load(written(tmp_path, ENCOUNTER), overrides=[override])
    assert read(scenario.document) == 5


@pytest.mark.parametrize(
    ("override", "key", "identifier"),
    [("difficulty=deadly", "difficulty", "deadly"), ("quest=bridge_of_hooks", "quest", "bridge_of_hooks")],
)
def test_what_is_named_can_be_set_by_another_name(tmp_path, override, key, identifier):
    scenario = fracas.load(written(tmp_path, RUN), overrides=[override])
    assert scenario.document[key]["id"] == identifier


def test_a_broken_override_is_told_as_such(tmp_path):
    with pytest.raises(fracas.InputError, match=r"party\.0\.hp: -5 is out of range"):
        fracas.load(written(tmp_path, ENCOUNTER), overrides=["party.0.hp=-5"])
