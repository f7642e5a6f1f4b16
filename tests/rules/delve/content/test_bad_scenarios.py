"""What is wrong with a delve scenario is said once, at its place, with what would be right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.helpers.delve import ENCOUNTER, RUN, encounter, foe, member, payer, quest, run, table
from tests.helpers.scenarios import edited, problems_of, written

import fracas
from fracas.errors import Problem

NUMBER = "is not a whole number"
STATS = ("level = 3", "hp = 44", "level = 2", "armor = 1")


def text_of(change: tuple[str, str]) -> str:
    """The text that holds the fragment."""
    return ENCOUNTER if change[0] in ENCOUNTER else RUN


@pytest.fixture
def refused(tmp_path):
    def load(*changes: tuple[str, str], text: str | None = None, **options) -> list[Problem]:
        path = written(tmp_path, edited(*changes, text=text or text_of(changes[0])))
        problems = problems_of(fracas.load, path, **options)
        assert all(problem.where.startswith(str(path)) for problem in problems)
        return [
            Problem(problem.where.removeprefix(str(path)).removeprefix(": "), problem.message, problem.suggestion)
            for problem in problems
        ]

    return load


def complaints(document: dict[str, Any], **options: Any) -> list[tuple[str, str]]:
    """Where in a document something is wrong, and what."""
    problems = problems_of(fracas.load, document, **options)
    return [(problem.where.removeprefix("scenario").removeprefix(": "), problem.message) for problem in problems]


# Documents of which one thing is refused: where, and what is said.


def _phased(*phases: dict[str, Any], boss: bool = True) -> dict[str, Any]:
    return encounter(enemies=[foe(boss=boss, phases=list(phases))])


def _trap(low: int = 1, high: int = 2, detect: int = 1) -> dict[str, Any]:
    return run({"type": "trap", "detect": detect, "avoid": 5, "damage": {"min": low, "max": high}})


def _rows(weight: int) -> dict[str, Any]:
    rows = [{"template": "stick", "weight": weight, "rarity_weights": {"common": 1}}]
    return run(loot_tables={"bag": {"id": "bag", "rows": rows}})


def _worn(*items: Any, **own: Any) -> dict[str, Any]:
    return encounter(party=[member(items=list(items))], **own)


def _crowds(encounters: int, *more: dict[str, Any], unlike: bool = False) -> dict[str, Any]:
    """A run with eight enemies in each encounter, all alike or all different."""
    fights = [[foe(f"f-{n}", **({"hp": 8 * e + n + 1} if unlike else {})) for n in range(8)] for e in range(encounters)]
    return run(*({"type": "combat", "enemies": enemies} for enemies in fights), *more)


BAD_RANGE = {"min": 3, "max": 2}
NOT_A_CHECK = (
    "is not one of might, logic, speed, presence, fortitude, luck, perception, acrobatics, athletics, arcana, lore or "
    "survival"
)
UNSAID_OF_THE_RAT = (
    "hp, attributes.logic, attributes.speed, attributes.presence, attributes.fortitude, attributes.luck, queue here"
)
NAMELESS = {key: value for key, value in member().items() if key != "id"}
AMBUSH = {"name": "on", "success": {"ambush": [foe(f"f-{n}") for n in range(8)]}}
HARSH = {"id": "harsh", "name": "Harsh", "rarity": {"common": 0}}
STONE = {"id": "hot", "name": "Hot", "stat": "might", "amounts": [1, 2, 3, 4], "slots": ["ring", "belt"]}
MANY_SKILLS = {f"s{n}": {**encounter()["skills"]["hit"], "id": f"s{n}"} for n in range(33)}
LATE = {"name": "late", "at": 50, "queue": ["s32"]}
BOMB: Any = "always"
for _ in range(60):
    BOMB = {"not": BOMB}

NONE_OF_THEM = "has 0 entries; at least 1 are needed"
REFUSED = [
    # How many there may be.
    (encounter(party=[]), "party", NONE_OF_THEM),
    (encounter(party=[member()] * 9), "party", "has too many entries; at most 8 are allowed"),
    (encounter(enemies=[]), "enemies", NONE_OF_THEM),
    (encounter(enemies=[foe()] * 9), "enemies", "has too many entries; at most 8 are allowed"),
    (encounter(party=[member(queue=[])]), "party.0.queue", NONE_OF_THEM),
    (encounter(party=[member(queue=["hit"] * 1000)]), "party.0.queue", "has too many entries; at most 32 are allowed"),
    (run(quest=quest() | {"encounters": []}), "quest.encounters", NONE_OF_THEM),
    (run(*[{"type": "rest"}] * 41), "quest.encounters", "has too many entries; at most 40 are allowed"),
    (run({"type": "combat", "enemies": []}), "quest.encounters.0.enemies", NONE_OF_THEM),
    (run({"type": "decision", "options": []}), "quest.encounters.0.options", NONE_OF_THEM),
    (
        run(*[{"type": "decision", "options": [AMBUSH] * 6}] * 11),
        "quest.encounters.10.options.4.success.ambush",
        "a battle can have at most 512 enemies",
    ),
    (_crowds(9, unlike=True), "quest.encounters.8.enemies.0", "a battle can have at most 64 different creatures"),
    (
        encounter(
            skills={**encounter()["skills"], **MANY_SKILLS},
            enemies=[foe(boss=True, queue=list(MANY_SKILLS)[:32], phases=[LATE])],
        ),
        "enemies.0",
        "its queues use 33 different skills; at most 32 are allowed",
    ),
    # Numbers.
    (encounter(party=[member(hp=0)]), "party.0.hp", "0 is out of range: it must be at least 1"),
    (encounter(party=[member(hp=10**6 + 1)]), "party.0.hp", "1000001 is out of range: it must be at most 1,000,000"),
    (encounter(party=[member(level=0)]), "party.0.level", "0 is out of range: it must be at least 1"),
    (encounter(party=[member(level=101)]), "party.0.level", "101 is out of range: it must be at most 100"),
    (
        encounter(party=[member(attributes={"luck": 256})]),
        "party.0.attributes.luck",
        "256 is out of range: it must be at most 255",
    ),
    (
        encounter(party=[member(training={"lore": 101})]),
        "party.0.training.lore",
        "101 is out of range: it must be at most 100",
    ),
    (
        encounter(party=[member(resource=payer(1001))]),
        "party.0.resource.max",
        "1001 is out of range: it must be at most 1,000",
    ),
    (
        encounter(party=[member(weapon_speed=101)]),
        "party.0.weapon_speed",
        "101 is out of range: it must be at most 100",
    ),
    (encounter(enemies=[foe(xp_reward=-1)]), "enemies.0.xp_reward", "-1 is out of range: it must be at least 0"),
    (
        encounter(enemies=[foe(armor=10**5 + 1)]),
        "enemies.0.armor",
        "100001 is out of range: it must be at most 100,000",
    ),
    (encounter(flee_below=101), "flee_below", "101 is out of range: it must be at most 100"),
    (encounter(options={"round_cap": 0}), "options.round_cap", "0 is out of range: it must be at least 1"),
    (encounter(options={"round_cap": 1001}), "options.round_cap", "1001 is out of range: it must be at most 1,000"),
    (
        encounter(options={"survived_share": 101}),
        "options.survived_share",
        "101 is out of range: it must be at most 100",
    ),
    (encounter(options={"armor_share": 1001}), "options.armor_share", "1001 is out of range: it must be at most 1,000"),
    (_trap(detect=101), "quest.encounters.0.detect", "101 is out of range: it must be at most 100"),
    (
        run({"type": "hazard", "check": "luck", "difficulty": -1, "damage": {"min": 1, "max": 2}}),
        "quest.encounters.0.difficulty",
        "-1 is out of range: it must be at least 0",
    ),
    (
        run({"type": "puzzle", "difficulty": 101}),
        "quest.encounters.0.difficulty",
        "101 is out of range: it must be at most 100",
    ),
    (
        run(difficulty={"id": "d", "name": "D", "check": 101}),
        "difficulty.check",
        "101 is out of range: it must be at most 100",
    ),
    (_rows(-1), "loot_tables.bag.rows.0.weight", "-1 is out of range: it must be at least 0"),
    (_rows(10_001), "loot_tables.bag.rows.0.weight", "10001 is out of range: it must be at most 10,000"),
    (
        run(loot_tables={"bag": table(common=10_001)}),
        "loot_tables.bag.rows.0.rarity_weights.common",
        "10001 is out of range: it must be at most 10,000",
    ),
    (
        _worn({"template": "long_knife", "enhancement": -1}),
        "party.0.items.0.enhancement",
        "-1 is out of range: it must be at least 0",
    ),
    (
        _worn({"template": "long_knife", "enhancement": 6}),
        "party.0.items.0.enhancement",
        "6 is out of range: it must be at most 5",
    ),
    (_phased({"name": "tired", "at": 0}), "enemies.0.phases.0.at", "0 is out of range: it must be at least 1"),
    (_phased({"name": "tired", "at": 100}), "enemies.0.phases.0.at", "100 is out of range: it must be at most 99"),
    (_phased({"name": "tired", "at": -5}), "enemies.0.phases.0.at", "-5 is out of range: it must be at least 1"),
    (
        encounter(party=[member(weapon={"min": 5, "max": 4})]),
        "party.0.weapon",
        "runs from 5 down to 4; min must not be above max",
    ),
    (_trap(low=3, high=2), "quest.encounters.0.damage", "runs from 3 down to 2; min must not be above max"),
    (
        run({"type": "rest", "gold": BAD_RANGE}),
        "quest.encounters.0.gold",
        "runs from 3 down to 2; min must not be above max",
    ),
    # What is written out.
    (
        encounter(party=[{"id": "ana", "hp": 5}]),
        "party.0",
        '"ana" names no template, so it needs might, logic, speed, presence, fortitude, luck, queue here',
    ),
    (
        encounter(enemies=[{"id": "rat", "attributes": {"might": 3}, "level": 1}]),
        "enemies.0",
        '"rat" names no template, so it needs ' + UNSAID_OF_THE_RAT,
    ),
    (encounter(party=[NAMELESS]), "party.0", "needs an id"),
    (encounter(party=[member(resource={"regeneration": 1})]), "party.0.resource", "needs kind and max"),
    (encounter(party=3), "party", "3 is neither a string nor a list"),
    (encounter(party={"id": "x"}), "party", "a table is neither a string nor a list"),
    (encounter(party=None), "party", "null is neither a string nor a list"),
    (encounter(party=[3]), "party.0", "3 is neither a string nor a table"),
    (encounter(enemies=[["goblin_sneak"]]), "enemies.0", "a list is neither a string nor a table"),
    (encounter(difficulty=1), "difficulty", "1 is neither a string nor a table"),
    (run(quest=["goblin_warrens"]), "quest", "a list is neither a string nor a table"),
    (encounter(party=[member(queue=[1])]), "party.0.queue.0", "1 is neither a string nor a table"),
    (_worn(1), "party.0.items.0", "1 is neither a string nor a table"),
    (
        run(skills={**run()["skills"], "mine": {**encounter()["skills"]["hit"], "id": "other"}}),
        "",
        'skills.mine has the id "other"; both must be the same',
    ),
    (
        run(loot_tables={**run()["loot_tables"], "mine": table("other")}),
        "",
        'loot_tables.mine has the id "other"; both must be the same',
    ),
    (
        run(resources={**run()["resources"], "mine": {"id": "other", "name": "Other"}}),
        "",
        'resources.mine has the id "other"; both must be the same',
    ),
    # Encounters and phases.
    (
        run({"type": "combatt", "enemies": [foe()]}),
        "quest.encounters.0",
        '"combatt" is not one of combat, trap, decision, hazard, rest or puzzle',
    ),
    (
        run({"type": "puzzle", "difficulty": 1, "checks": ["perceptoin"]}),
        "quest.encounters.0.checks.0",
        '"perceptoin" ' + NOT_A_CHECK,
    ),
    (
        run({"type": "puzzle", "difficulty": 1, "checks": [""]}),
        "quest.encounters.0.checks.0",
        '"" ' + NOT_A_CHECK,
    ),
    (
        run({"type": "puzzle", "difficulty": 1, "checks": ["hp"]}),
        "quest.encounters.0.checks.0",
        '"hp" ' + NOT_A_CHECK,
    ),
    (
        run({"type": "decision", "options": [{"name": "on", "failure": {"gold": 1}}]}),
        "quest.encounters.0.options.0",
        "has no check, so it cannot fail; add a check or remove the failure",
    ),
    (
        _phased({"name": "tired", "at": 30}, {"name": "angry", "at": 60}),
        "enemies.0.phases",
        'phases are out of order: "angry" begins at 60%, not below the 30% of "tired"',
    ),
    (
        _phased({"name": "tired", "at": 30}, boss=False),
        "enemies.0",
        "has phases, which only a boss can have; say boss = true",
    ),
    # Loot and equipment.
    (_rows(0), "loot_tables.bag", "all weights are 0, so nothing can ever be picked"),
    (run(loot_tables={"bag": table(common=0, rare=0)}), "loot_tables.bag.rows.0", "all rarity weights are 0"),
    (
        run(difficulty=HARSH),
        "loot_tables.bag.rows.0.rarity_weights",
        'under the difficulty "harsh" every rarity has the weight 0, so none can be picked',
    ),
    (_worn("notched_sword", "long_knife"), "party.0.items", "has too many items in main_hand: at most 1"),
    (_worn("ash_ring", "coil_ring", "seal_ring"), "party.0.items", "has too many items in ring: at most 2"),
    (
        _worn({"template": "stick", "bonuses": [{"bonus": "hot"}]}, items=run()["items"], bonuses={"hot": STONE}),
        "party.0.items.0.bonuses.0.bonus",
        '"hot" is found on ring or belt, and "stick" is worn in main_hand',
    ),
    # Hostile conditions.
    (
        encounter(party=[member(queue=[{"skill": "hit", "when": BOMB}])]),
        "party.0.queue.0.when",
        "the condition is nested more than 32 deep",
    ),
    (
        encounter(party=[member(queue=[{"skill": "hit", "when": "always and " * 500 + "always"}])]),
        "party.0.queue.0.when",
        "the condition is longer than 2,000 characters",
    ),
]
SOUND = [
    encounter(),
    run(),
    # As many as there may be.
    encounter(
        party=[member(f"m-{n}", queue=["hit"] * 32) for n in range(8)], enemies=[foe(f"f-{n}") for n in range(8)]
    ),
    _crowds(39, {"type": "decision", "options": [AMBUSH] * 6}),
    _crowds(8, unlike=True),
    _worn("ash_ring", "coil_ring"),
    # A lone encounter asks for no loot table, and rows without a rarity may stand beside others.
    encounter(enemies=[foe(loot_table_id="bagg")]),
    run(difficulty=HARSH, loot_tables={"bag": table(common=1, rare=1)}),
]


@pytest.mark.parametrize(("document", "where", "message"), REFUSED)
def test_what_is_refused_is_told_at_its_place(document, where, message):
    assert complaints(document) == [(where, message)]


@pytest.mark.parametrize("document", SOUND)
def test_what_the_rules_allow_is_sound(document):
    assert complaints(document, strict=True) == []


# Numbers.


@pytest.mark.parametrize("stat", STATS)
@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("-1", "-1 is out of range: it must be at least "),
        (str(10**7), f"{10**7} is out of range: it must be at most "),
        (str(10**30), f"{10**30} is out of range: it must be at most "),
        ("1.5", f"1.5 {NUMBER}"),
        ("9.0", f"9.0 {NUMBER}"),
        ("nan", f"nan {NUMBER}"),
        ("inf", f"inf {NUMBER}"),
        ('"9"', f'"9" {NUMBER}'),
        ("true", f"true {NUMBER}"),
    ],
)
def test_a_number_is_whole_and_within_limits(refused, stat, value, complaint):
    name = stat.split(" = ")[0]
    place = "party.1" if stat in STATS[:2] else "enemies.1"
    [problem] = refused((stat, f"{name} = {value}"))
    assert problem.where == f"{place}.{name}"
    assert problem.message.startswith(complaint)


@pytest.mark.parametrize(("key", "entry"), [("party", "vanguard_2"), ("enemies", "goblin_sneak")])
def test_who_means_a_template_is_told_how_to_say_so(key, entry):
    [problem] = problems_of(fracas.load, encounter(**{key: [{"id": entry, "hp": 5}]}))
    assert problem.suggestion == f'write template = "{entry}"'
    [problem] = problems_of(fracas.load, encounter(**{key: [{"id": entry[:-1], "hp": 5}]}))
    assert problem.suggestion == f'did you mean "{entry}"?'


def test_an_unknown_template_in_a_loot_table_is_told_with_the_nearest():
    bag = table()
    bag["rows"][0]["template"] = "stik"
    [problem] = problems_of(fracas.load, run(loot_tables={"bag": bag}))
    assert problem.where == "scenario: loot_tables.bag.rows.0.template"
    assert (problem.message, problem.suggestion) == ('there is no item "stik"', 'did you mean "stick"?')


@pytest.mark.parametrize(
    ("document", "where"),
    [
        (run(quest=quest(loot_table_id="bagg")), "quest.loot_table_id"),
        (run(quest=quest(chest_table_id="bagg")), "quest.chest_table_id"),
        (run({"type": "rest", "loot_table_id": "bagg"}), "quest.encounters.0.loot_table_id"),
        (run({"type": "combat", "enemies": [foe(loot_table_id="bagg")]}), "quest.encounters.0.enemies"),
    ],
)
def test_an_unknown_loot_table_is_told_where_it_is_named(document, where):
    [problem] = problems_of(fracas.load, document)
    assert problem.where == f"scenario: {where}"
    assert (problem.message, problem.suggestion) == ('there is no loot table "bagg"', 'did you mean "bag"?')


# Hostile files.


@pytest.mark.parametrize("key", ["hp", "level"])
@pytest.mark.parametrize("number", ["NaN", "Infinity"])
def test_json_has_no_other_numbers_than_json_has(tmp_path, key, number):
    text = json.dumps(encounter(party=[{**member(), key: 77}])).replace("77", number, 1)
    path = written(tmp_path, text, "battle.json")
    assert problems_of(fracas.load, path) == (Problem(str(path), f"{number} is not a valid number"),)
