"""What is wrong with a delve scenario is said once, at its place, with what would be right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.helpers.delve import ENCOUNTER, RUN, encounter, foe, member, payer, quest, run, table
from tests.helpers.scenarios import edited, problems_of, written

import fracas
from fracas.errors import Problem

NO_KEY = "there is no such key here"
CONTENT_HINT = "add your own content with content=[DIR]"
NUMBER = "is not a whole number"
STATS = ("level = 3", "hp = 44", "level = 2", "armor = 1")

UNKNOWN = {
    "a key at the top": (("difficulty =", "diffficulty ="), "diffficulty", NO_KEY, "difficulty"),
    "a key of a member": (("hp = 44", "hp = 44, armr = 1"), "party.1.armr", NO_KEY, "armor"),
    "a key of a slot": (('when = "', 'wenhe = "'), "party.1.queue.0.wenhe", NO_KEY, "when"),
    "a key of an enemy": (("armor = 1", "armour = 1"), "enemies.1.armour", NO_KEY, "armor"),
    "a key of the options": (
        ('id = "at-the-ford"', "options = { round_capp = 3 }"),
        "options.round_capp",
        NO_KEY,
        "round_cap",
    ),
    "a hero": (('"vanguard_2"', '"vangard_2"'), "party.0", 'there is no hero "vangard_2"', "vanguard_2"),
    "a class": (
        ('"arcanist"', '"archanist"'),
        "party.1.class",
        'there is no class "archanist"',
        "arcanist",
    ),
    "an item": (('"bone_wand"', '"bone_want"'), "party.1.items.0", 'there is no item "bone_want"', "bone_wand"),
    "a bonus": (
        ('"bone_wand"', '{ template = "bone_wand", bonuses = [{ bonus = "of_the_oxx" }] }'),
        "party.1.items.0.bonuses.0.bonus",
        'there is no bonus "of_the_oxx"',
        "of_the_ox",
    ),
    "a skill": (
        ('"firebolt"', '"fire_bolt"'),
        "party.1.queue.1.skill",
        'there is no skill "fire_bolt"',
        "firebolt",
    ),
    "a skill that is only named": (
        ('["spark"]', '["sprk"]'),
        "enemies.1.queue.0",
        'there is no skill "sprk"',
        "spark",
    ),
    "a creature": (
        ('"goblin_sneak"', '"goblin_snek"'),
        "enemies.0",
        'there is no creature "goblin_snek"',
        "goblin_sneak",
    ),
    "a template": (
        ('"goblin_shaman"', '"goblin_shamann"'),
        "enemies.1.template",
        'there is no creature "goblin_shamann"',
        "goblin_shaman",
    ),
    "a difficulty": (
        ('"normal"', '"normalx"'),
        "difficulty",
        'there is no difficulty "normalx"',
        "normal",
    ),
    "a profile": (('id = "at-the-ford"', 'profile = "sead"'), "profile", 'there is no profile "sead"', "seed"),
    "a selector": (
        ('"highest_hp"', '"higest_hp"'),
        "party.1.queue.1.target",
        '"higest_hp" is not one of lowest_hp, highest_hp, highest_threat, lowest_hp_pct or random',
        "highest_hp",
    ),
    "a fact": (
        ('"ally_hp_below_40"', '"self.hp_pc < 40"'),
        "party.1.queue.0.when",
        'unknown fact "self.hp_pc" (column 1)',
        "self.hp_pct",
    ),
    "a resource": (
        ("hp = 44", 'hp = 44, resource = { kind = "manna", max = 30 }'),
        "party.1.resource.kind",
        'there is no resource "manna"',
        "mana",
    ),
    "a quest": (('"goblin_warrens"', '"goblin_waren"'), "quest", 'there is no quest "goblin_waren"', "goblin_warrens"),
    "a party": (('"first_company"', '"frist_company"'), "party", 'there is no party "frist_company"', "first_company"),
}


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


@pytest.mark.parametrize("text", [ENCOUNTER, RUN])
def test_the_scenarios_that_are_broken_here_are_sound(tmp_path, text):
    assert problems_of(fracas.load, written(tmp_path, text), strict=True) == ()


@pytest.mark.parametrize("document", [encounter(), run()])
def test_the_documents_that_are_broken_here_are_sound(document):
    assert complaints(document, strict=True) == []


@pytest.mark.parametrize("case", UNKNOWN)
def test_an_unknown_name_is_told_with_the_nearest_one(refused, case):
    change, where, message, nearest = UNKNOWN[case]
    assert refused(change) == [Problem(where, message, f'did you mean "{nearest}"?')]


def test_everything_is_told_at_once(refused):
    problems = refused(
        ('"normal"', '"normalx"'),
        ('"vanguard_2"', '"vangard_2"'),
        ('"arcanist"', '"archanist"'),
        ('"firebolt"', '"fire_bolt"'),
        ('"goblin_sneak"', '"goblin_snek"'),
        ('["spark"]', '["sprk"]'),
    )
    assert [problem.where for problem in problems] == [
        "difficulty",
        "party.0",
        "party.1.queue.1.skill",
        "party.1.class",
        "enemies.0",
        "enemies.1.queue.0",
    ]


def test_names_and_shapes_are_told_together(refused):
    problems = refused(('"vanguard_2"', '"Vanguard_2"'), ("hp = 44", "hp = 0"), ('["spark"]', '["sprk"]'))
    assert {problem.where for problem in problems} == {"party.0", "party.1.hp", "enemies.1.queue.0"}


def test_a_name_without_a_near_one_is_told_where_names_come_from(refused):
    assert refused(('"vanguard_2"', '"qqq"')) == [Problem("party.0", 'there is no hero "qqq"', CONTENT_HINT)]


# How many there may be.


@pytest.mark.parametrize(
    ("document", "where", "message"),
    [
        (encounter(party=[]), "party", "has 0 entries; at least 1 are needed"),
        (encounter(party=[member()] * 9), "party", "has too many entries; at most 8 are allowed"),
        (encounter(enemies=[]), "enemies", "has 0 entries; at least 1 are needed"),
        (encounter(enemies=[foe()] * 9), "enemies", "has too many entries; at most 8 are allowed"),
        (encounter(party=[member(queue=[])]), "party.0.queue", "has 0 entries; at least 1 are needed"),
        (
            encounter(party=[member(queue=["hit"] * 1000)]),
            "party.0.queue",
            "has too many entries; at most 32 are allowed",
        ),
        (run(quest=quest() | {"encounters": []}), "quest.encounters", "has 0 entries; at least 1 are needed"),
        (
            run(*[{"type": "rest"}] * 41),
            "quest.encounters",
            "has too many entries; at most 40 are allowed",
        ),
        (
            run({"type": "combat", "enemies": []}),
            "quest.encounters.0.enemies",
            "has 0 entries; at least 1 are needed",
        ),
        (
            run({"type": "decision", "options": []}),
            "quest.encounters.0.options",
            "has 0 entries; at least 1 are needed",
        ),
    ],
)
def test_there_are_bounds_to_how_many(document, where, message):
    assert complaints(document) == [(where, message)]


def test_a_queue_of_thirty_two_slots_and_eight_of_everybody_are_allowed():
    crowd = [member(f"m-{n}", queue=["hit"] * 32) for n in range(8)]
    assert complaints(encounter(party=crowd, enemies=[foe(f"f-{n}") for n in range(8)])) == []


def test_a_scenario_is_an_encounter_or_a_run(refused):
    neither = "needs either enemies (an encounter) or a quest (a run)"
    both = "has both enemies and a quest; an encounter has enemies, a run has a quest"
    assert refused(('quest = "goblin_warrens"\n', ""), text=RUN)[0].message == neither
    assert refused(("flee_below = 20", 'enemies = ["goblin_sneak"]'), text=RUN)[0].message == both


@pytest.mark.parametrize(("missing", "given"), [("run_id", "started_at"), ("started_at", "run_id")])
def test_a_runs_two_stamps_go_together(refused, missing, given):
    line = next(line for line in RUN.splitlines() if line.startswith(missing))
    [problem] = refused((f"{line}\n", ""), text=RUN)
    assert problem.message == f"has {given}, so it needs {missing} too: together they are the seed text"


def test_an_encounter_has_no_stamps(refused):
    [problem] = refused(('id = "at-the-ford"', 'run_id = "1"\nstarted_at = "2"'))
    assert problem.message == "run_id and started_at belong to a run, which has a quest"


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


@pytest.mark.parametrize(
    ("document", "where", "bound"),
    [
        (encounter(party=[member(hp=0)]), "party.0.hp", "at least 1"),
        (encounter(party=[member(hp=10**6 + 1)]), "party.0.hp", "at most 1,000,000"),
        (encounter(party=[member(level=0)]), "party.0.level", "at least 1"),
        (encounter(party=[member(level=101)]), "party.0.level", "at most 100"),
        (encounter(party=[member(attributes={"luck": 256})]), "party.0.attributes.luck", "at most 255"),
        (encounter(party=[member(training={"lore": 101})]), "party.0.training.lore", "at most 100"),
        (encounter(party=[member(resource=payer(1001))]), "party.0.resource.max", "at most 1,000"),
        (encounter(party=[member(weapon_speed=101)]), "party.0.weapon_speed", "at most 100"),
        (encounter(enemies=[foe(xp_reward=-1)]), "enemies.0.xp_reward", "at least 0"),
        (encounter(enemies=[foe(armor=10**5 + 1)]), "enemies.0.armor", "at most 100,000"),
        (encounter(flee_below=101), "flee_below", "at most 100"),
        (encounter(options={"round_cap": 0}), "options.round_cap", "at least 1"),
        (encounter(options={"round_cap": 1001}), "options.round_cap", "at most 1,000"),
        (encounter(options={"survived_share": 101}), "options.survived_share", "at most 100"),
        (encounter(options={"armor_share": 1001}), "options.armor_share", "at most 1,000"),
        (
            run({"type": "trap", "detect": 101, "avoid": 5, "damage": {"min": 1, "max": 2}}),
            "quest.encounters.0.detect",
            "at most 100",
        ),
        (
            run({"type": "hazard", "check": "luck", "difficulty": -1, "damage": {"min": 1, "max": 2}}),
            "quest.encounters.0.difficulty",
            "at least 0",
        ),
        (run({"type": "puzzle", "difficulty": 101}), "quest.encounters.0.difficulty", "at most 100"),
        (
            run(difficulty={"id": "d", "name": "D", "check": 101}),
            "difficulty.check",
            "at most 100",
        ),
    ],
)
def test_numbers_have_limits(document, where, bound):
    [(place, message)] = complaints(document)
    assert place == where
    assert message.endswith(f"out of range: it must be {bound}")


@pytest.mark.parametrize(
    ("document", "where"),
    [
        (encounter(party=[member(weapon={"min": 5, "max": 4})]), "party.0.weapon"),
        (
            run({"type": "trap", "detect": 1, "avoid": 5, "damage": {"min": 3, "max": 2}}),
            "quest.encounters.0.damage",
        ),
        (run({"type": "rest", "gold": {"min": 3, "max": 2}}), "quest.encounters.0.gold"),
    ],
)
def test_a_range_runs_upwards(document, where):
    [(place, message)] = complaints(document)
    assert place == where
    assert "min must not be above max" in message


# What is written out.


def test_a_member_without_a_template_says_everything(refused):
    assert complaints(encounter(party=[{"id": "ana", "hp": 5}])) == [
        (
            "party.0",
            '"ana" names no template, so it needs might, logic, speed, presence, fortitude, luck, queue here',
        )
    ]


def test_an_enemy_without_a_template_says_everything():
    document = encounter(enemies=[{"id": "rat", "attributes": {"might": 3}, "level": 1}])
    lacks = ", ".join(f"attributes.{name}" for name in ("logic", "speed", "presence", "fortitude", "luck"))
    assert complaints(document) == [
        ("enemies.0", f'"rat" names no template, so it needs hp, {lacks}, queue here'),
    ]


@pytest.mark.parametrize(("key", "entry"), [("party", "vanguard_2"), ("enemies", "goblin_sneak")])
def test_who_means_a_template_is_told_how_to_say_so(key, entry):
    [problem] = problems_of(fracas.load, encounter(**{key: [{"id": entry, "hp": 5}]}))
    assert problem.suggestion == f'write template = "{entry}"'
    [problem] = problems_of(fracas.load, encounter(**{key: [{"id": entry[:-1], "hp": 5}]}))
    assert problem.suggestion == f'did you mean "{entry}"?'


def test_somebody_without_anything_to_go_by_needs_an_id():
    nameless = member()
    del nameless["id"]
    assert complaints(encounter(party=[nameless])) == [("party.0", "needs an id")]


def test_a_resource_needs_kind_and_maximum():
    assert complaints(encounter(party=[member(resource={"regeneration": 1})])) == [
        ("party.0.resource", "needs kind and max")
    ]


@pytest.mark.parametrize("party", [3, {"id": "x"}, None])
def test_a_party_is_a_name_or_a_list(party):
    [(where, message)] = complaints(encounter(party=party))
    assert where == "party"
    assert message.endswith("is neither a string nor a list")


@pytest.mark.parametrize(
    ("document", "where"),
    [
        (encounter(party=[3]), "party.0"),
        (encounter(enemies=[["goblin_sneak"]]), "enemies.0"),
        (encounter(difficulty=1), "difficulty"),
        (run(quest=["goblin_warrens"]), "quest"),
        (encounter(party=[member(queue=[1])]), "party.0.queue.0"),
        (encounter(party=[member(items=[1])]), "party.0.items.0"),
    ],
)
def test_what_may_be_named_or_written_out_is_told_once(document, where):
    [(place, message)] = complaints(document)
    assert place == where
    assert message.endswith("is neither a string nor a table")


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("skills", {**encounter()["skills"]["hit"], "id": "other"}),
        ("loot_tables", table("other")),
        ("resources", {"id": "other", "name": "Other"}),
    ],
)
def test_own_content_stands_under_its_id(kind, entry):
    [(_, message)] = complaints(run(**{kind: {**run()[kind], "mine": entry}}))
    assert message == f'{kind}.mine has the id "other"; both must be the same'


@pytest.mark.parametrize("name", ["two\\nlines", "\\u001b[31mred", "bell\\u0007"])
def test_a_name_that_would_move_the_cursor_is_refused(refused, name):
    [problem] = refused(('id = "at-the-ford"', f'id = "{name}"'))
    assert problem.where == "id"
    assert problem.message.isprintable()


def test_an_unknown_type_of_encounter_is_told_with_those_there_are():
    [(where, message)] = complaints(run({"type": "combatt", "enemies": [foe()]}))
    assert where == "quest.encounters.0"
    assert message == '"combatt" is not one of combat, trap, decision, hazard, rest or puzzle'


@pytest.mark.parametrize("check", ["perceptoin", "", "hp"])
def test_an_unknown_check_is_refused(check):
    [(where, message)] = complaints(run({"type": "puzzle", "difficulty": 1, "checks": [check]}))
    assert where == "quest.encounters.0.checks.0"
    assert "is not one of might, logic, speed" in message


def test_an_option_without_a_check_cannot_fail():
    option = {"name": "on", "failure": {"gold": 1}}
    [(_, message)] = complaints(run({"type": "decision", "options": [option]}))
    assert message == "has no check, so it cannot fail; add a check or remove the failure"


def test_phases_out_of_order_are_refused():
    phases = [{"name": "tired", "at": 30}, {"name": "angry", "at": 60}]
    [(where, message)] = complaints(encounter(enemies=[foe(boss=True, phases=phases)]))
    assert where == "enemies.0.phases"
    assert message == 'phases are out of order: "angry" begins at 60%, not below the 30% of "tired"'


def test_only_a_boss_has_phases():
    [(_, message)] = complaints(encounter(enemies=[foe(phases=[{"name": "tired", "at": 30}])]))
    assert message == "has phases, which only a boss can have; say boss = true"


@pytest.mark.parametrize("at", [0, 100, -5])
def test_a_phase_begins_somewhere_between(at):
    [(where, _)] = complaints(encounter(enemies=[foe(boss=True, phases=[{"name": "tired", "at": at}])]))
    assert where == "enemies.0.phases.0.at"


# Loot.


def test_a_loot_table_needs_a_row_that_can_be_picked():
    rows = [{"template": "stick", "weight": 0, "rarity_weights": {"common": 1}}]
    document = run(loot_tables={"bag": {"id": "bag", "rows": rows}})
    assert complaints(document) == [
        ("loot_tables.bag", "all weights are 0, so nothing can ever be picked"),
    ]


def test_a_loot_table_row_needs_a_rarity_that_can_be_picked():
    assert complaints(run(loot_tables={"bag": table(common=0, rare=0)})) == [
        ("loot_tables.bag.rows.0", "all rarity weights are 0"),
    ]


@pytest.mark.parametrize(("weight", "bound"), [(-1, "at least 0"), (10_001, "at most 10,000")])
def test_weights_have_limits(weight, bound):
    rows = [{"template": "stick", "weight": weight, "rarity_weights": {"rare": weight}}]
    assert complaints(run(loot_tables={"bag": {"id": "bag", "rows": rows}})) == [
        ("loot_tables.bag.rows.0.weight", f"{weight} is out of range: it must be {bound}"),
        ("loot_tables.bag.rows.0.rarity_weights.rare", f"{weight} is out of range: it must be {bound}"),
    ]


def test_an_unknown_template_in_a_loot_table_is_told_with_the_nearest():
    bag = table()
    bag["rows"][0]["template"] = "stik"
    [problem] = problems_of(fracas.load, run(loot_tables={"bag": bag}))
    assert problem.where == "scenario: loot_tables.bag.rows.0.template"
    assert (problem.message, problem.suggestion) == ('there is no item "stik"', 'did you mean "stick"?')


def test_rarity_weights_that_a_difficulty_makes_zero_are_refused():
    harsh = {"id": "harsh", "name": "Harsh", "rarity": {"common": 0}}
    message = 'under the difficulty "harsh" every rarity has the weight 0, so none can be picked'
    assert complaints(run(difficulty=harsh)) == [("loot_tables.bag.rows.0.rarity_weights", message)]
    assert complaints(run(difficulty=harsh, loot_tables={"bag": table(common=1, rare=1)})) == []


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


def test_a_lone_encounter_asks_for_no_loot_table():
    assert complaints(encounter(enemies=[foe(loot_table_id="bagg")])) == []


# Equipment.


def test_a_hand_holds_one_weapon():
    document = encounter(party=[member(items=["notched_sword", "long_knife"])])
    assert complaints(document) == [("party.0.items", "has too many items in main_hand: at most 1")]


def test_there_are_fingers_for_two_rings():
    assert complaints(encounter(party=[member(items=["ash_ring", "coil_ring"])])) == []
    document = encounter(party=[member(items=["ash_ring", "coil_ring", "seal_ring"])])
    assert complaints(document) == [("party.0.items", "has too many items in ring: at most 2")]


def test_a_bonus_stays_where_it_is_found():
    stone = {"id": "hot", "name": "Hot", "stat": "might", "amounts": [1, 2, 3, 4], "slots": ["ring", "belt"]}
    worn = {"template": "stick", "bonuses": [{"bonus": "hot"}]}
    document = encounter(party=[member(items=[worn])], items=run()["items"], bonuses={"hot": stone})
    assert complaints(document) == [
        ("party.0.items.0.bonuses.0.bonus", '"hot" is found on ring or belt, and "stick" is worn in main_hand'),
    ]


@pytest.mark.parametrize("enhancement", [-1, 6])
def test_an_item_is_enhanced_five_times_at_most(enhancement):
    document = encounter(party=[member(items=[{"template": "long_knife", "enhancement": enhancement}])])
    [(where, _)] = complaints(document)
    assert where == "party.0.items.0.enhancement"


# Hostile files.


def test_a_condition_bomb_is_refused_and_costs_nothing():
    bomb: Any = "always"
    for _ in range(60):
        bomb = {"not": bomb}
    document = encounter(party=[member(queue=[{"skill": "hit", "when": bomb}])])
    assert complaints(document) == [("party.0.queue.0.when", "the condition is nested more than 32 deep")]
    document = encounter(party=[member(queue=[{"skill": "hit", "when": "always and " * 500 + "always"}])])
    assert complaints(document) == [("party.0.queue.0.when", "the condition is longer than 2,000 characters")]


@pytest.mark.parametrize("key", ["hp", "level"])
@pytest.mark.parametrize("number", ["NaN", "Infinity"])
def test_json_has_no_other_numbers_than_json_has(tmp_path, key, number):
    text = json.dumps(encounter(party=[{**member(), key: 77}])).replace("77", number, 1)
    path = written(tmp_path, text, "battle.json")
    assert problems_of(fracas.load, path) == (Problem(str(path), f"{number} is not a valid number"),)


def test_so_many_enemies_are_refused_and_counted():
    crowds = [{"type": "combat", "enemies": [foe(f"f-{n}") for n in range(8)]} for _ in range(39)]
    ambush = {"name": "on", "success": {"ambush": [foe(f"f-{n}") for n in range(8)]}}
    assert complaints(run(*crowds, {"type": "decision", "options": [ambush] * 6})) == []
    many = [{"type": "decision", "options": [ambush] * 6}] * 11
    assert complaints(run(*many)) == [
        ("quest.encounters.10.options.4.success.ambush", "a battle can have at most 512 enemies")
    ]


def test_so_many_different_creatures_are_refused():
    crowds = [{"type": "combat", "enemies": [foe(f"f-{n}", hp=8 * e + n + 1) for n in range(8)]} for e in range(9)]
    [(_, message)] = complaints(run(*crowds))
    assert message == "a battle can have at most 64 different creatures"
    assert complaints(run(*crowds[:8])) == []


def test_one_participant_knows_thirty_two_skills_at_most():
    skills = {f"s{n}": {**encounter()["skills"]["hit"], "id": f"s{n}"} for n in range(33)}
    phases = [{"name": "late", "at": 50, "queue": ["s32"]}]
    document = encounter(skills={**encounter()["skills"], **skills})
    document["enemies"] = [foe(boss=True, queue=list(skills)[:32], phases=phases)]
    assert complaints(document) == [
        ("enemies.0", "its queues use 33 different skills; at most 32 are allowed"),
    ]
