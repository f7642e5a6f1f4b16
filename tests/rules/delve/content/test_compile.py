"""Names become numbers: what stands where in a delve battle's record, and what its numbers are called."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve import SKILLS, attributes, encounter, foe, member, payer, quest, rarities, run, table
from tests.helpers.scenarios import problems_of

from fracas.rulesets import registry
from fracas.rulesets.contract.types import Compiled, Source
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.shared.seeds import key_words

RULESET = registry.get("delve")


def compiled(document: dict[str, Any], **options: Any) -> Compiled:
    return RULESET.compile(RULESET.resolve(document, Source("scenario")).document, {}, **options)


def battle_of(document: dict[str, Any]) -> Any:
    return compiled(document).record[0]


def test_the_party_takes_the_first_slots():
    battle = battle_of(encounter(party=[member(), member(hp=9, level=3, armor=4, weapon_speed=-5)]))
    side = battle.sides[codes.PARTY]
    assert (side.first, side.count) == (0, 2)
    assert battle.sides[codes.DUNGEON].first == 8
    second = battle.participants[1]
    assert (second.index, second.number, second.side) == (1, 1, codes.PARTY)
    assert (second.max_hp, second.level, second.armor, second.weapon_speed) == (9, 3, 4, -5)
    assert second.damage_pct == 100
    assert battle.participants[2].max_hp == 0


def test_a_member_has_a_value_for_each_check():
    sheet = attributes(might=1, logic=2, speed=3, presence=4, fortitude=5, luck=6)
    training = {name: 10 * (place + 1) for place, name in enumerate(codes.TRAININGS)}
    battle = battle_of(encounter(party=[member(attributes=sheet, training=training)]))
    values = dict(zip(codes.CHECKS, battle.participants[0].checks.tolist(), strict=True))
    assert values == {
        "no skill": 0,
        "perception": 14,
        "acrobatics": 23,
        "athletics": 31,
        "arcana": 42,
        "lore": 52,
        "survival": 65,
        **sheet,
    }


@pytest.mark.parametrize(
    ("given", "expected"), [(None, (0, 0, 100)), (payer(30, regeneration=4, start=25), (30, 4, 25))]
)
def test_a_resource_becomes_three_numbers(given, expected):
    extra = {} if given is None else {"resource": given}
    record = battle_of(encounter(party=[member(**extra)])).participants[0]
    assert (record.max_resource, record.regeneration, record.start_pct) == expected


@pytest.mark.parametrize(
    ("share", "hp", "expected"), [(100, 33, 33), (150, 33, 49), (50, 33, 16), (0, 33, 1), (1, 33, 1), (1000, 33, 330)]
)
def test_difficulty_scales_a_creatures_hp_truncated_and_leaves_one(share, hp, expected):
    difficulty = {"id": "d", "name": "D", "creature_hp": share, "creature_damage": 77}
    battle = battle_of(encounter(enemies=[foe(hp=hp)], difficulty=difficulty))
    creature = battle.foes[battle.roster[0]]
    assert (creature.max_hp, creature.damage_pct, creature.side) == (expected, 77, codes.DUNGEON)
    assert battle.participants[0].max_hp == 60


def test_creatures_that_are_alike_share_a_record():
    fights = [
        {"type": "combat", "enemies": [foe("rat"), foe("mouse", name="Old Mouse"), foe("cat", hp=5)]},
        {"type": "combat", "enemies": [foe("cat", hp=5), foe("rat", loot_table_id="bag")]},
    ]
    battle = battle_of(run(*fights))
    assert battle.roster[:5].tolist() == [0, 0, 1, 1, 0]
    assert [(each.first_foe, each.foe_count) for each in battle.encounters[:2]] == [(0, 3), (3, 2)]


def test_creatures_that_differ_do_not():
    battle = battle_of(encounter(enemies=[foe(), foe(xp_reward=1), foe(queue=["hit", "hit"]), foe(evasion=1)]))
    assert battle.roster[:4].tolist() == [0, 1, 2, 3]


def test_the_partys_queues_and_skills_come_first():
    document = encounter(
        party=[member(queue=["hit", "brace"], resource=payer()), member(queue=["bind"], resource=payer())],
        enemies=[foe(queue=["bind", "hit"], resource=payer())],
    )
    battle = compiled(document)
    assert battle.books["skill"] == ["bind", "brace", "hit"]
    record = battle.record[0]
    spans = [(record.participants[place].first_slot, record.participants[place].slot_count) for place in (0, 1)]
    assert spans == [(0, 2), (2, 1)]
    assert record.queue_slots[:5]["skill"].tolist() == [2, 1, 0, 0, 2]
    assert record.foes[0].first_slot == 3


def test_a_skill_has_one_place_in_its_owners_memory():
    phases = [{"name": "late", "at": 50, "queue": ["brace", "hit"]}]
    boss = foe(queue=["hit", "bind", "hit"], boss=True, phases=phases, resource=payer())
    battle = battle_of(encounter(enemies=[boss]))
    creature = battle.foes[0]
    assert creature.known_count == 3
    first = int(creature.first_slot)
    assert battle.queue_slots[first : first + 3]["known"].tolist() == [0, 1, 0]
    phase = battle.phases[creature.first_phase]
    assert battle.queue_slots[phase.first_slot : phase.first_slot + 2]["known"].tolist() == [2, 0]


def test_a_phase_names_what_it_changes():
    phases = [
        {"name": "a", "at": 60, "armor": 0, "attributes": {"speed": 7}},
        {"name": "b", "at": 20, "regeneration": 3},
    ]
    battle = battle_of(encounter(enemies=[foe(boss=True, phases=phases)]))
    creature = battle.foes[0]
    assert (creature.boss, creature.phase_count) == (1, 2)
    first, second = (battle.phases[creature.first_phase + place] for place in (0, 1))
    assert (first.threshold, first.first_slot, first.armor, first.resistance, first.regeneration) == (60, -1, 0, -1, -1)
    assert first.attributes.tolist() == [-1, -1, 7, -1, -1, -1]
    assert (second.threshold, second.armor, second.regeneration) == (20, -1, 3)


def test_a_skill_becomes_numbers():
    flash = {
        "id": "flash",
        "name": "Flash",
        "reach": "all_enemies",
        "attack": "logic",
        "defense": "fortitude",
        "modifier": -7,
        "element": "magic",
        "damage": {"min": 2, "max": 9},
        "weapon": True,
        "cost": 3,
        "cooldown": 4,
        "conditions": [{"condition": "stunned"}, {"condition": "burning", "rounds": 2, "potency": 6}],
    }
    document = encounter(skills=SKILLS | {"flash": flash}, party=[member(queue=["flash", "bind"], resource=payer())])
    helpful, harmful = battle_of(document).skills[:2]
    assert (harmful.reach, harmful.hostile, harmful.damaging, harmful.healing) == (codes.ALL_ENEMIES, 1, 1, 0)
    assert (harmful.attack, harmful.defense, harmful.modifier) == (codes.LOGIC, codes.FORTITUDE, -7)
    assert (harmful.element, harmful.weapon, harmful.damage.low, harmful.damage.high) == (codes.MAGIC, 1, 2, 9)
    assert (harmful.cost, harmful.cooldown, harmful.condition_count) == (3, 4, 2)
    assert harmful.conditions[1].tolist() == (codes.BURNING, 2, 6)
    assert harmful.conditions[0].tolist() == (codes.STUNNED, 0, 0)
    assert (helpful.reach, helpful.hostile, helpful.healing, helpful.pure_heal) == (codes.ONE_ALLY, 0, 1, 1)
    assert (helpful.heal.low, helpful.heal.high, helpful.damaging) == (3, 6, 0)


def test_a_selector_is_lowest_hp_unless_it_is_said():
    queue = ["hit", {"skill": "hit", "target": "random"}, {"skill": "hit", "target": "highest_threat"}]
    slots = battle_of(encounter(party=[member(queue=queue)])).queue_slots[:3]
    assert slots["selector"].tolist() == [codes.BY_LOWEST_HP, codes.BY_RANDOM, codes.BY_HIGHEST_THREAT]


def test_equal_conditions_are_kept_once():
    queue = [{"skill": "hit", "when": when} for when in ("round_gte_2", "once", "round_gte_2", "always")]
    slots = battle_of(encounter(party=[member(queue=queue)])).queue_slots[:4]
    assert slots[0]["first_step"] == slots[2]["first_step"]
    assert slots[0]["first_step"] != slots[1]["first_step"]
    assert all(slots["step_count"] > 0)


def test_a_lone_encounter_is_the_only_one_and_pays_nothing():
    battle = battle_of(encounter(enemies=[foe(xp_reward=5)]))
    assert (battle.journey, battle.encounter_count) == (codes.LONE_ENCOUNTER, 1)
    only = battle.encounters[0]
    assert (only.type, only.foe_count, only.xp, only.loot) == (codes.COMBAT, 1, 0, 0)


def test_encounters_of_every_type():
    hurt = {"min": 2, "max": 5}
    battle = battle_of(
        run(
            {"type": "trap", "detect": 11, "avoid": 12, "damage": hurt, "xp": 3, "gold": {"min": 1, "max": 2}},
            {"type": "hazard", "check": "survival", "difficulty": 13, "damage": hurt, "loot": False},
            {"type": "rest"},
            {
                "type": "decision",
                "options": [
                    {"name": "a", "check": "luck", "difficulty": 14, "success": {"gold": 4, "skip": 2, "heal": 9}},
                    {"name": "b", "success": {"damage": {"min": 0, "max": 0}, "ambush": [foe(), foe()]}},
                ],
            },
            {"type": "puzzle", "difficulty": 15, "checks": ["arcana", "might"], "success": {"loot_rolls": 3}},
            {"type": "combat", "enemies": [foe()]},
        )
    )
    trap, hazard, rest, decision, puzzle, fight = battle.encounters[:6]
    assert battle.encounters[:6]["type"].tolist() == [
        codes.TRAP,
        codes.HAZARD,
        codes.REST,
        codes.DECISION,
        codes.PUZZLE,
        0,
    ]
    assert (trap.difficulty, trap.avoid, trap.damage.low, trap.damage.high) == (11, 12, 2, 5)
    assert (trap.xp, trap.gold.low, trap.gold.high, trap.loot) == (3, 1, 2, 1)
    assert (hazard.check, hazard.difficulty, hazard.loot) == (codes.SURVIVAL, 13, 0)
    assert (rest.gold.high, rest.foe_count) == (0, 0)
    assert (decision.first_option, decision.option_count, puzzle.first_option, puzzle.option_count) == (0, 2, 2, 2)
    first, second = battle.decision_options[:2]
    assert (first.check, first.difficulty) == (codes.CHECKS.index("luck"), 14)
    assert (first.success.gold, first.success.skip, first.success.heal, first.success.harms) == (4, 2, 9, 0)
    assert (first.failure.gold, first.failure.foe_count) == (0, 0)
    assert (second.check, second.success.harms, second.success.foe_count) == (codes.NO_CHECK, 1, 2)
    options = battle.decision_options[2:4]
    assert [option.check for option in options] == [codes.ARCANA, codes.CHECKS.index("might")]
    assert [(option.difficulty, option.success.loot_rolls) for option in options] == [(15, 3), (15, 3)]
    assert (fight.first_foe, fight.foe_count) == (2, 1)


def test_the_loot_table_of_each_encounter_is_looked_up():
    names = ("bag", "own", "boss", "first")
    ambush = {"name": "on", "success": {"ambush": [foe(loot_table_id="first")]}}
    encounters = [
        {"type": "combat", "enemies": [foe()]},
        {"type": "combat", "enemies": [foe(loot_table_id="first"), foe(boss=True, loot_table_id="boss")]},
        {"type": "combat", "enemies": [foe(loot_table_id="first"), foe(boss=True)]},
        {"type": "combat", "enemies": [foe(loot_table_id="first")], "loot_table_id": "own"},
        {"type": "decision", "options": [ambush]},
        {"type": "decision", "options": [ambush], "loot_table_id": "own"},
    ]
    document = run(quest=quest(*encounters, chest_table_id="own"), loot_tables={name: table(name) for name in names})
    battle = compiled(document)
    tables = list(RULESET.resolve(document, Source("scenario")).document["loot_tables"])
    record = battle.record[0]
    assert [tables[each.table] for each in record.encounters[:6]] == ["bag", "boss", "first", "own", "bag", "own"]
    assert [tables[each.success.table] for each in record.decision_options[:2]] == ["first", "own"]
    assert tables[record.chest_table] == "own"


def test_loot_becomes_weights():
    difficulty = {"id": "d", "name": "D", "rarity": {"common": 50, "rare": 0}}
    bag = table(common=7, rare=3, artifact=2)
    bag["rows"].append({"template": "hat", "weight": 5, "rarity_weights": {"common": 1}})
    stick, hat = ({"id": name, "name": name, "slot": slot} for name, slot in (("stick", "main_hand"), ("hat", "head")))
    sharp = {
        "id": "sharp",
        "name": "Sharp",
        "stat": "damage",
        "amounts": [1, 2, 3, 4],
        "slots": ["main_hand"],
        "weight": 6,
    }
    dull = {"id": "dull", "name": "Dull", "stat": "hp", "amounts": [5, 6, 7, 8], "weight": 0}
    document = run(
        difficulty=difficulty,
        loot_tables={"bag": bag},
        items={"stick": stick, "hat": hat},
        bonuses={"sharp": sharp, "dull": dull},
        rarities=rarities(rare={"bonuses": 2, "tiers": {"major": 9}}),
    )
    battle = compiled(document)
    record, places = battle.record[0], [battle.books["bonus"].index(name) for name in ("sharp", "dull")]
    assert record.tables[0].row_count == 2
    assert record.tables[0].weights[:3].tolist() == [1, 5, 0]
    assert record.tables[0].rows[0].rarity_weights.tolist() == [350, 0, 0, 0, 0, 200]
    assert [row.template for row in record.tables[0].rows[:2]] == [1, 0]
    assert battle.books["item"] == ["hat", "stick"]
    assert battle.books["bonus"] == sorted(battle.books["bonus"])
    assert record.templates[1].bonus_weights[places].tolist() == [6, 0]
    assert record.templates[0].bonus_weights[places].tolist() == [0, 0]
    assert all(each.bonus_total == each.bonus_weights.sum() for each in record.templates[:2])
    assert record.bonuses[places[1]].amounts.tolist() == [5, 6, 7, 8]
    rare = record.rarities[codes.RARE]
    assert (rare.bonus_count, rare.tier_weights.tolist()) == (2, [0, 0, 9, 0])


def test_units_have_a_name_each():
    books = compiled(encounter(party=[member(), member()], enemies=[foe(), foe(name="Rex")])).books
    assert books["unit"] == ["1.ana", "1.ana-2", *[None] * 6, "2.rat", "2.rat-2"]
    assert books["title"] == ["Ana", "Ana-2", *[None] * 6, "Rat", "Rex"]


def test_enemies_of_a_run_carry_the_number_of_their_encounter():
    ambush = [{"name": "on", "check": "lore", "success": {"ambush": [foe()]}, "failure": {"ambush": [foe(), foe()]}}]
    books = compiled(run({"type": "rest"}, {"type": "decision", "options": ambush})).books
    assert books["unit"][8:] == ["2.1.rat", "2.1.rat-2", "2.1.rat-3"]


def test_the_seed_text_is_the_key():
    document = run(run_id="a", started_at="b")
    assert battle_of(document).dice.key.tolist() == key_words("ab").tolist()


def test_options_and_difficulty_are_copied():
    difficulty = {"id": "d", "name": "D", "check": -5, "loot_chance": 33, "xp": 250}
    battle = battle_of(run(difficulty=difficulty, options={"armor_share": 7}, flee_below=9))
    assert battle.options.tolist() == (50, 7, 9, 50)
    assert battle.difficulty.tolist() == (-5, 33, 250)


# What only shows when names become numbers, in documents that nobody resolved.


def test_an_unknown_condition_name_is_an_error_if_it_is_strict():
    document = encounter(party=[member(queue=[{"skill": "hit", "when": "enemy_cuont_gte_2"}])])
    assert not problems_of(compiled, document)
    [problem] = problems_of(compiled, document, strict=True)
    assert problem.where == "party.0.queue.0.when"


@pytest.mark.parametrize(
    ("spoil", "where", "message"),
    [
        (lambda document: document["skills"].pop("hit"), "party.0.queue.0.skill", 'there is no skill "hit"'),
        (lambda document: document["loot_tables"].pop("bag"), "quest.encounters.0", 'there is no loot table "bag"'),
        (
            lambda document: document["items"].pop("stick"),
            "loot_tables.bag.rows.0.template",
            'there is no item "stick"',
        ),
        (lambda document: document["rarities"].pop("rare"), "scenario", "rarities lacks rare"),
        (lambda document: document.pop("quest"), "scenario", "needs either enemies or a quest"),
        (
            lambda document: document["party"][0]["queue"][0].update(when="self.hp"),
            "party.0.queue.0.when",
            'unknown fact "self.hp" (column 1)',
        ),
    ],
)
def test_a_document_with_a_hole_is_refused(spoil, where, message):
    document = RULESET.resolve(run(), Source("scenario")).document
    spoil(document)
    problems = problems_of(RULESET.compile, document, {})
    assert (where, message) in [(problem.where, problem.message) for problem in problems]


def test_there_is_room_for_a_thousand_and_twenty_four_slots():
    crowd = [member(f"m{n}", queue=["hit"] * 32) for n in range(8)]
    creatures = [[foe(f"f{n}", hp=8 * e + n + 1, queue=["hit"] * 32) for n in range(8)] for e in range(3)]
    assert not problems_of(compiled, run(*({"type": "combat", "enemies": each} for each in creatures), party=crowd))
    one_more = [*creatures, [foe("g", hp=99)]]
    document = run(*({"type": "combat", "enemies": each} for each in one_more), party=crowd)
    [problem] = problems_of(compiled, document)
    assert problem.message == "a battle can have at most 1,024 queue slots"
