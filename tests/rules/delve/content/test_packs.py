"""Delve's content packs: shipped and of one's own, and everything in them that leads nowhere or cannot take part."""

from __future__ import annotations

import pytest
from tests.helpers.delve import CONTENT, encounter, foe, run
from tests.helpers.scenarios import problems_of, written
from tests.helpers.soak import some

import fracas
from fracas.cli.check.validate import examine
from fracas.content.packs import shipped_folder
from fracas.errors import Problem
from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source
from fracas.rulesets.delve.rules.constants import ATTRIBUTES

RULESET = registry.get("delve")

SKILL = """
[[skills]]
id = "{name}"
name = "Poke"
reach = "one_enemy"
attack = "might"
defense = "speed"
damage = {{ min = 1, max = 2 }}
{more}
"""
CREATURE = """
[[creatures]]
id = "marsh_cat"
name = "Marsh Cat"
level = 1
hp = 20
attributes = {{ might = 20, logic = 20, speed = 20, presence = 20, fortitude = 20, luck = 20 }}
queue = [{queue}]
{more}
"""
CLASS = """
[[classes]]
id = "tinker"
name = "Tinker"
resource = "{resource}"
queue = ["{skill}"]
[classes.base]
hp = 30
attributes = {{ might = 20, logic = 20, speed = 20, presence = 20, fortitude = 20, luck = 20 }}
resource = 5
"""
HERO = """
[[heroes]]
id = "odo"
name = "Odo"
class = "{role}"
items = [{items}]
"""
PARTY = '[[parties]]\nid = "two"\nname = "Two"\nmembers = [{members}]\n'
TABLE = '[[loot_tables]]\nid = "heap"\n[[loot_tables.rows]]\n{row}\n'
ROW = 'template = "long_knife"\nweight = 1\nrarity_weights = { common = 1 }'
QUEST = """
[[quests]]
id = "walk"
name = "A Walk"
loot_table_id = "{table}"
{encounters}
"""
FIGHT = '[[quests.encounters]]\ntype = "combat"\nenemies = ["{enemy}"]\n'
LACKS = ", ".join(f"attributes.{name}" for name in ATTRIBUTES)
PROFILE = '[[profiles]]\nid = "{name}"\n{more}\n'


def skill(name: str = "poke", more: str = "") -> str:
    return SKILL.format(name=name, more=more)


def creature(queue: str = '"strike"', more: str = "") -> str:
    return CREATURE.format(queue=queue, more=more)


@pytest.fixture
def complaints(tmp_path):
    def read(text: str, *more: str) -> list[Problem]:
        """What is wrong with a folder of these files, with paths that begin at the folder."""
        for place, each in enumerate((text, *more)):
            written(tmp_path, each, f"{'ab'[place]}.toml")
        problems = problems_of(fracas.load, encounter(), content=[tmp_path])
        return [
            Problem(problem.where.replace(f"{tmp_path}/", ""), problem.message, problem.suggestion)
            for problem in problems
        ]

    return read


# What is shipped.


def test_every_kind_of_content_is_shipped():
    library = RULESET.read_library(None, ())
    assert all(library.of(kind) for kind in RULESET.models.content.model_fields)


@pytest.mark.parametrize("file", sorted(CONTENT.glob("*.toml")), ids=lambda file: file.stem)
def test_every_shipped_file_is_sound_by_itself(file):
    assert RULESET.check_file("content", read_document(file), Source(str(file), file.parent), strict=True) == ()


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_every_shipped_file_is_told_by_its_ruleset(ruleset):
    files = sorted(shipped_folder(ruleset).glob("*.toml"))
    for file in some(files, min(3, len(files))):
        assert examine(file, [], [], True) == (f"{ruleset} content file", ())


@pytest.mark.parametrize("party", RULESET.read_library(None, ()).of("parties"))
@pytest.mark.parametrize("difficulty", RULESET.read_library(None, ()).of("difficulties"))
def test_every_party_can_go_on_every_quest(party, difficulty):
    for quest in RULESET.read_library(None, ()).of("quests"):
        document = {"ruleset": "delve", "quest": quest, "party": party, "difficulty": difficulty}
        assert fracas.load(document, strict=True).document["quest"]["id"] == quest


# What is one's own.


def test_a_pack_adds_and_replaces(tmp_path):
    written(tmp_path, creature('"poke"') + skill(), "mine.toml")
    written(tmp_path, creature().replace('"marsh_cat"', '"goblin_sneak"'), "other.toml")
    document = encounter(enemies=["marsh_cat", "goblin_sneak", "goblin_spear"])
    enemies = fracas.load(document, content=[tmp_path], strict=True).document["enemies"]
    assert [enemy["name"] for enemy in enemies] == ["Marsh Cat", "Marsh Cat-2", "Goblin Spear"]
    assert enemies[0]["queue"] == [{"skill": "poke"}]


@pytest.mark.parametrize(
    ("text", "where", "message", "hint"),
    [
        (skill(more='resource = "stamnia"'), "skills.poke.resource", 'no resource "stamnia"', "stamina"),
        (creature('"strik"'), "creatures.marsh_cat.queue.0", 'no skill "strik"', "strike"),
        (creature('{ skill = "strik" }'), "creatures.marsh_cat.queue.0.skill", 'no skill "strik"', "strike"),
        (
            creature(more='boss = true\nphases = [{ name = "last", at = 5, queue = ["strik"] }]'),
            "creatures.marsh_cat.phases.0.queue.0",
            'no skill "strik"',
            "strike",
        ),
        (
            creature(more='resource = { kind = "stamnia", max = 5 }'),
            "creatures.marsh_cat.resource.kind",
            'no resource "stamnia"',
            "stamina",
        ),
        (
            creature(more='loot_table_id = "goblin_pocket"'),
            "creatures.marsh_cat.loot_table_id",
            'no loot table "goblin_pocket"',
            "goblin_pockets",
        ),
        (CLASS.format(resource="mana", skill="strik"), "classes.tinker.queue.0", 'no skill "strik"', "strike"),
        (CLASS.format(resource="manna", skill="strike"), "classes.tinker.resource", 'no resource "manna"', "mana"),
        (HERO.format(role="vangard", items=""), "heroes.odo.class", 'no class "vangard"', "vanguard"),
        (HERO.format(role="vanguard", items='"long_knif"'), "heroes.odo.items.0", 'no item "long_knif"', "long_knife"),
        (
            HERO.format(role="vanguard", items='{ template = "long_knife", bonuses = [{ bonus = "keeen" }] }'),
            "heroes.odo.items.0.bonuses.0.bonus",
            'no bonus "keeen"',
            "keen",
        ),
        (PARTY.format(members='"vangard_2"'), "parties.two.members.0", 'no hero "vangard_2"', "vanguard_2"),
        (
            PARTY.format(members='{ template = "vangard_2" }'),
            "parties.two.members.0.template",
            'no hero "vangard_2"',
            "vanguard_2",
        ),
        (
            TABLE.format(row=ROW.replace("long_knife", "long_knif")),
            "loot_tables.heap.rows.0.template",
            'no item "long_knif"',
            "long_knife",
        ),
        (
            QUEST.format(table="goblin_pocket", encounters=FIGHT.format(enemy="goblin_sneak")),
            "quests.walk.loot_table_id",
            'no loot table "goblin_pocket"',
            "goblin_pockets",
        ),
        (
            QUEST.format(table="goblin_pockets", encounters=FIGHT.format(enemy="goblin_snak")),
            "quests.walk.encounters.0.enemies.0",
            'no creature "goblin_snak"',
            "goblin_sneak",
        ),
        (
            QUEST.format(
                table="goblin_pockets",
                encounters='[[quests.encounters]]\ntype = "decision"\noptions = [\n'
                '{ name = "on", check = "lore", failure = { ambush = ["goblin_snak"] } }]',
            ),
            "quests.walk.encounters.0.options.0.failure.ambush.0",
            'no creature "goblin_snak"',
            "goblin_sneak",
        ),
        (PROFILE.format(name="mine", more='base = "sead"'), "profiles.mine.base", 'no profile "sead"', "seed"),
    ],
)
def test_what_leads_nowhere_is_told_once_with_the_nearest(complaints, text, where, message, hint):
    assert complaints(text) == [
        Problem(f"a.toml: {where}", f"there is {message}", f'did you mean "{hint}"?'),
    ]


def test_profiles_that_build_on_each_other_across_files_are_told_in_both(complaints):
    problems = complaints(
        PROFILE.format(name="one", more='base = "two"'), PROFILE.format(name="two", more='base = "one"')
    )
    assert problems == [
        Problem("a.toml: profiles.one", 'the profile "one" builds on itself'),
        Problem("b.toml: profiles.two", 'the profile "two" builds on itself'),
    ]


def test_a_profile_that_says_too_little_is_told_what_is_missing(complaints):
    [problem] = complaints(PROFILE.format(name="mine", more="options = { round_cap = 9 }"))
    assert problem == Problem(
        "a.toml: profiles.mine",
        'the profile "mine" does not set survived_share, armor_share, flee_below',
        'let it build on another: base = "seed"',
    )


def test_a_profile_of_ones_own_counts(tmp_path):
    written(tmp_path, PROFILE.format(name="mine", more='base = "seed"\noptions = { round_cap = 9 }'), "mine.toml")
    options = fracas.load(encounter(profile="mine"), content=[tmp_path]).document["options"]
    assert options == {"survived_share": 50, "armor_share": 100, "flee_below": 0, "round_cap": 9}


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        (
            skill(more="cost = 6") + CLASS.format(resource="mana", skill="poke"),
            "classes.tinker.queue.0",
            '"poke" costs 6, and its user has at most 5',
        ),
        (
            skill(more='cost = 2\nresource = "stamina"') + CLASS.format(resource="mana", skill="poke"),
            "classes.tinker.queue.0",
            '"poke" costs 2 stamina, and its user pays with mana',
        ),
        (
            skill(more="cost = 2") + creature('"poke"'),
            "creatures.marsh_cat.queue.0",
            '"poke" costs 2, and its user has nothing to pay with',
        ),
        (
            creature('{ skill = "strike", when = "enemy_cuont_gte_2" }'),
            "creatures.marsh_cat.queue.0.when",
            'unknown condition "enemy_cuont_gte_2"',
        ),
        (
            HERO.format(role="vanguard", items='"long_knife", "ash_spear"'),
            "heroes.odo.items",
            "has too many items in main_hand: at most 1",
        ),
        (
            PARTY.format(members='{ template = "vanguard_2", queue = [{ skill = "strike", when = "self.hp" }] }'),
            "parties.two.members.0.queue.0.when",
            'unknown fact "self.hp" (column 1)',
        ),
        (
            QUEST.format(
                table="goblin_pockets",
                encounters='[[quests.encounters]]\ntype = "combat"\nenemies = [{ id = "x", hp = 3 }]\n',
            ),
            "quests.walk.encounters.0.enemies.0",
            f'"x" names no template, so it needs level, {LACKS}, queue here',
        ),
        (
            TABLE.format(row=ROW) + '[[difficulties]]\nid = "odd"\nname = "Odd"\nrarity = { common = 0 }\n',
            "loot_tables.heap.rows.0.rarity_weights",
            'under the difficulty "odd" every rarity has the weight 0, so none can be picked',
        ),
    ],
)
def test_what_could_not_take_part_is_told(complaints, text, where, message):
    problems = [problem for problem in complaints(text) if "/" not in problem.where]
    assert [(problem.where, problem.message) for problem in problems] == [(f"a.toml: {where}", message)]


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("[[quest]]\nid = 'x'", "quest", "there is no such key here"),
        (
            QUEST.format(table="goblin_pockets", encounters="encounters = []"),
            "quests.0.encounters",
            "has 0 entries; at least 1 are needed",
        ),
        (
            TABLE.format(row=ROW.replace("weight = 1", "weight = 0", 1)),
            "loot_tables.0",
            "all weights are 0, so nothing can ever be picked",
        ),
        (
            TABLE.format(row=ROW.replace("weight = 1", "weight = -1", 1)),
            "loot_tables.0.rows.0.weight",
            "-1 is out of range: it must be at least 0",
        ),
        (
            '[[rarities]]\nid = "rare"\nbonuses = 1\n',
            "rarities.0",
            "has bonuses, so at least one tier weight must be above 0",
        ),
        (
            '[[bonuses]]\nid = "b"\nname = "B"\nstat = "might"\namounts = [1, 2]\n',
            "bonuses.0.amounts",
            "has 2 entries; at least 4 are needed",
        ),
        (
            '[[items]]\nid = "hat"\nname = "Hat"\nslot = "head"\nspeed = 3\n',
            "items.0",
            "damage and speed belong to items for the main hand",
        ),
        (
            skill(more="heal = { min = 1, max = 2 }").replace('reach = "one_enemy"', 'reach = "all_enemies"'),
            "skills.0",
            "reaches enemies, so it cannot heal",
        ),
        (
            skill().replace('attack = "might"\n', ""),
            "skills.0",
            "reaches enemies, so it needs attack: the attributes that are compared",
        ),
        (
            skill(more='conditions = [{ condition = "stunned", rounds = 1 }]'),
            "skills.0.conditions.0",
            "stunned takes no rounds",
        ),
        (
            skill(more='conditions = [{ condition = "hasted", rounds = 1 }]'),
            "skills.0",
            'the condition "hasted" does not fit a skill that reaches enemies',
        ),
        (
            skill(more='conditions = [{ condition = "poisoned", rounds = 1 }]'),
            "skills.0.conditions.0",
            "poisoned needs potency",
        ),
        (
            creature(more='boss = true\nphases = [{ name = "a", at = 20 }, { name = "b", at = 20 }]'),
            "creatures.0.phases",
            'phases are out of order: "b" begins at 20%, not below the 20% of "a"',
        ),
        (
            '[[parties]]\nid = "none"\nname = "None"\nmembers = []\n',
            "parties.0.members",
            "has 0 entries; at least 1 are needed",
        ),
        (
            '[[difficulties]]\nid = "odd"\nname = "Odd"\ncheck = 101\n',
            "difficulties.0.check",
            "101 is out of range: it must be at most 100",
        ),
        (
            '[[difficulties]]\nid = "odd"\nname = "Odd"\nloot_chance = 101\n',
            "difficulties.0.loot_chance",
            "101 is out of range: it must be at most 100",
        ),
    ],
)
def test_what_is_no_content_is_told(complaints, text, where, message):
    assert [(problem.where, problem.message) for problem in complaints(text)] == [(f"a.toml: {where}", message)]


def test_an_id_that_stands_twice_is_refused(complaints):
    [problem] = complaints(creature(), creature())
    assert problem.where == "b.toml: creatures.0.id"
    assert problem.message.startswith('"marsh_cat" is defined twice, first in ')
    assert problem.message.endswith("a.toml")


def test_everything_wrong_with_all_entries_is_told_at_once(complaints):
    problems = complaints(
        creature('"strik"') + skill(more='resource = "manna"'), HERO.format(role="vangard", items='"cap"')
    )
    assert [problem.where for problem in problems] == [
        "a.toml: skills.poke.resource",
        "b.toml: heroes.odo.class",
        "b.toml: heroes.odo.items.0",
        "a.toml: creatures.marsh_cat.queue.0",
    ]


def test_a_file_of_a_pack_is_looked_at_with_its_neighbours(tmp_path):
    path = written(tmp_path, creature('"poke"'), "mine.toml")
    source = Source(str(path), tmp_path)
    assert [problem.message for problem in problems_of(RULESET.check_file, "content", read_document(path), source)] == [
        'there is no skill "poke"'
    ]
    written(tmp_path, skill(), "skills.toml")
    assert RULESET.check_file("content", read_document(path), source) == ()


def test_a_file_is_not_blamed_for_its_neighbours(tmp_path):
    path = written(tmp_path, creature(), "mine.toml")
    written(tmp_path, HERO.format(role="vangard", items=""), "other.toml")
    assert RULESET.check_file("content", read_document(path), Source(str(path), tmp_path)) == ()


def test_content_without_all_rarities_is_refused(monkeypatch, tmp_path):
    for file in CONTENT.glob("*.toml"):
        written(tmp_path, file.read_bytes(), file.name)
    rarities = (CONTENT / "rarities.toml").read_text(encoding="utf-8")
    written(tmp_path, rarities[: rarities.index('[[rarities]]\nid = "artifact"')], "rarities.toml")
    monkeypatch.setattr("fracas.content.packs.shipped_folder", lambda ruleset: tmp_path)
    message = "these are not defined: artifact"
    assert problems_of(RULESET.read_library, None, ()) == (Problem("rarities", message),)
    assert problems_of(fracas.load, run()) == (Problem("scenario: rarities", message),)
    assert problems_of(fracas.load, encounter(enemies=[foe()])) == ()
