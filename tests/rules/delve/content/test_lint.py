"""Lint for delve: every rule finds what it is for, and leaves alone what is meant."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from tests.helpers.delve import EXAMPLES, SKILLS, encounter, foe, member, payer, run, table
from tests.helpers.scenarios import problems_of, written

from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Finding, Source

RULESET = registry.get("delve")
FREE_BIND = SKILLS | {"bind": {**SKILLS["bind"], "cost": 0, "cooldown": 0}}


def lint(document: dict[str, Any]) -> list[Finding]:
    return RULESET.lint(document, Source("scenario"))


def rules(document: dict[str, Any]) -> list[str]:
    return [finding.rule for finding in lint(document)]


def told(document: dict[str, Any]) -> list[tuple[str, str]]:
    return [(finding.rule, finding.where.removeprefix("scenario: ")) for finding in lint(document)]


def own_skills(queue: list[Any], skills: dict[str, Any]) -> dict[str, Any]:
    """The skills of a queue, so that none is left over."""
    names = [slot if isinstance(slot, str) else slot["skill"] for slot in [*queue, "hit"]]
    return {name: skill for name, skill in skills.items() if name in names}


def with_queue(*queue: Any, skills: dict[str, Any] = SKILLS, **values: Any) -> dict[str, Any]:
    """A member with a queue against a rat."""
    ana = member(queue=list(queue), resource=payer(regeneration=2), **values)
    return encounter(party=[ana], skills=own_skills(list(queue), skills))


def with_condition(when: Any, **values: Any) -> dict[str, Any]:
    return with_queue({"skill": "hit", "when": when}, "hit", **values)


# What is meant.


# What is true of a shipped example all the same; its own comment says so.
TRUE_OF_EXAMPLES = {"quiet-rounds": {"cannot-end", "outhealed"}, "stalemate": {"cannot-end", "outhealed"}}


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_shipped_examples_have_no_findings_but_those_they_speak_of(file):
    findings = RULESET.lint(read_document(file), Source(str(file), file.parent))
    assert {finding.rule for finding in findings} == TRUE_OF_EXAMPLES.get(file.stem, set())


@pytest.mark.parametrize("name", RULESET.read_library(None, ()).of("quests"))
def test_the_shipped_quests_have_no_findings_for_whom_they_are_made(name):
    library = RULESET.read_library(None, ())
    level = library.of("quests")[name].level
    heroes = library.of("heroes")
    meant = [party for party in library.of("parties").values() if heroes[str(party.members[0])].level >= level]
    for difficulty in ("normal", "hard"):
        assert lint({"ruleset": "delve", "quest": name, "party": meant[0].id, "difficulty": difficulty}) == []


def test_a_new_scenario_has_no_findings():
    assert lint(tomllib.loads(RULESET.template())) == []


def test_the_shipped_content_has_no_findings():
    assert RULESET.lint_content() == []


@pytest.mark.parametrize("document", [encounter(skills={"hit": SKILLS["hit"]}, resources={}), with_queue("hit")])
def test_what_is_plain_has_no_findings(document):
    assert lint(document) == []


def test_an_invalid_scenario_is_not_linted_but_refused():
    assert problems_of(lint, encounter(partyy=[]))


def test_linting_what_is_resolved_finds_the_same():
    document = with_condition("self_hp_below_0")
    resolved = RULESET.resolve(document, Source("scenario")).document
    assert told(resolved) == told(document) == [("never-holds", "party.0.queue.0.when")]


# Conditions.


def test_unknown_condition():
    [finding] = lint(with_condition("enemy_cuont_gte_2"))
    assert (finding.rule, finding.where) == ("unknown-condition", "scenario: party.0.queue.0.when")
    assert finding.suggestion == 'did you mean "enemy_count_gte_2"?'


@pytest.mark.parametrize(
    "when",
    [
        "self_hp_below_0",
        "self.hp_pct > 100",
        "not always",
        "self.stunned",
        "enemies.count == 0",
        "enemy_count_gte_2",
        "ally_count_lte_0",
        "self_hp_below_30 and self_hp_above_50",
        "round_gte_51",
        "resource_gte_21",
        "used >= 50",
        "boss_present",
        "enemy_has_poisoned",
        "enemies.any(shielded)",
        "self_has_blinded",
        "allies.count(hasted) >= 1",
        "enemies.all(stunned)",
        "every_2_rounds and round == 3",
        {"any": []},
    ],
)
def test_never_holds(when):
    [finding] = lint(with_condition(when))
    assert (finding.rule, finding.where) == ("never-holds", "scenario: party.0.queue.0.when")
    assert finding.message.startswith("slot 0: ")
    assert finding.message.endswith("can never hold, so the slot is never used")


@pytest.mark.parametrize(
    "when",
    [
        "self.hp_pct >= 0",
        "enemies.count >= 1",
        "ally_count_lte_1",
        "round <= 50",
        "resource_gte_0",
        "self_lacks_poisoned",
        "not boss_present",
        "enemies.count(stunned) == 0",
        "not enemies.any(burning)",
        "every_1_rounds",
    ],
)
def test_always_holds(when):
    [finding] = [finding for finding in lint(with_condition(when)) if finding.rule != "unreachable-slot"]
    assert (finding.rule, finding.where) == ("always-holds", "scenario: party.0.queue.0.when")


@pytest.mark.parametrize(
    "when",
    [
        "self_hp_below_50",
        "self.hp_pct == 100",
        "round_gte_50",
        "every_3_rounds",
        "once",
        "resource_gte_20",
        "self.resource_pct > 99",
        "enemies.any(resource_pct < 1)",
        "enemy_hp_above_99 and round >= 2",
    ],
)
def test_a_condition_that_may_come_out_either_way_is_left_alone(when):
    assert lint(with_condition(when)) == []


def test_always_is_what_it_says():
    assert lint(with_queue({"skill": "hit", "when": "always"})) == []


CURSE = {**SKILLS["hit"], "id": "curse", "name": "Curse", "conditions": [{"condition": "slowed", "rounds": 1}]}


def test_what_can_hold_depends_on_who_is_there():
    document = with_condition("enemy_count_gte_2")
    assert rules(document) == ["never-holds"]
    document["enemies"] = [foe(), foe()]
    assert rules(document) == []


def test_what_can_hold_depends_on_what_the_skills_do():
    document = with_condition("enemy_has_slowed or self_has_slowed")
    document["party"].append(member("bo", queue=["hit"]))
    assert rules(document) == ["never-holds"]
    document["skills"] = {"hit": SKILLS["hit"], "curse": CURSE}
    document["party"][1]["queue"] = ["curse"]
    assert rules(document) == []
    document["party"][1]["queue"] = ["hit"]
    document["enemies"] = [foe(queue=["curse"])]
    assert rules(document) == []


def test_what_can_hold_depends_on_a_boss():
    document = with_condition("boss_present")
    document["enemies"] = [foe(boss=True)]
    assert rules(document) == []
    document["enemies"] = [foe(), foe(boss=True, queue=[{"skill": "hit", "when": "boss_present"}, "hit"])]
    assert rules(document) == ["always-holds", "unreachable-slot"]


def test_what_can_hold_depends_on_all_fights_of_a_run():
    document = run(skills={"hit": SKILLS["hit"]}, resources={})
    document["party"] = [member(queue=[{"skill": "hit", "when": "enemy_count_gte_2"}, "hit"])]
    assert rules(document) == ["never-holds"]
    document["quest"]["encounters"].append({"type": "combat", "enemies": [foe(), foe()]})
    assert rules(document) == []


def test_the_enemies_of_a_scenario_are_looked_at_too():
    document = encounter(skills={"hit": SKILLS["hit"]}, resources={})
    phases = [{"name": "late", "at": 50, "queue": [{"skill": "hit", "when": "ally_count_lte_0"}, "hit"]}]
    document["enemies"] = [foe(queue=[{"skill": "hit", "when": "enemy_count_gte_2"}, "hit"], boss=True, phases=phases)]
    assert told(document) == [
        ("never-holds", "enemies.0.queue.0.when"),
        ("never-holds", "enemies.0.phases.0.queue.0.when"),
    ]


def test_queues_of_the_content_are_not_the_scenarios_concern():
    assert lint({"ruleset": "delve", "party": ["warden_2", "footpad_2"], "enemies": ["goblin_shaman"]}) == []


# Slots.


def test_unreachable_slot_below_one_that_is_always_used():
    [finding] = lint(with_queue("brace", "hit", {"skill": "bind", "when": "self_hp_below_50"}))
    assert (finding.rule, finding.where) == ("unreachable-slot", "scenario: party.0.queue.2")
    assert finding.message == 'slot 2 is never reached: slot 1, "hit", is always used'


@pytest.mark.parametrize(
    ("first", "skills"),
    [
        ({"skill": "hit", "when": "self_hp_below_50"}, SKILLS),
        ("bind", SKILLS),
        ("bind", FREE_BIND),
        ("brace", SKILLS),
        ("brace", SKILLS | {"brace": {**SKILLS["brace"], "cost": 0, "cooldown": 2}}),
    ],
)
def test_a_slot_below_one_that_may_be_passed_over_is_reached(first, skills):
    """Passed over for a condition, because nobody is hurt, for its cost, for its cooldown."""
    assert "unreachable-slot" not in rules(with_queue(first, "hit", skills=skills))


@pytest.mark.parametrize("cooldown", [0, 1])
def test_a_cooldown_of_one_keeps_nobody_waiting(cooldown):
    skills = SKILLS | {"brace": {**SKILLS["brace"], "cost": 0, "cooldown": cooldown}}
    assert rules(with_queue("brace", "hit", skills=skills)).count("unreachable-slot") == 1


@pytest.mark.parametrize(
    ("queue", "place"),
    [
        (["bind", {"skill": "bind", "when": "self_hp_below_50"}, "hit"], 1),
        ([{"skill": "bind", "when": "once"}, "brace", {"skill": "bind", "when": "once"}, "hit"], 2),
    ],
)
def test_unreachable_slot_with_the_same_skill_for_the_same_reasons(queue, place):
    assert told(with_queue(*queue)) == [("unreachable-slot", f"party.0.queue.{place}")]


def test_the_same_skill_for_other_reasons_is_left_alone():
    queue = [{"skill": "bind", "when": "self_hp_below_50"}, "brace", "bind", "hit"]
    assert lint(with_queue(*queue)) == []


def dear(**values: Any) -> dict[str, Any]:
    """A member who starts with less than its skill costs."""
    resource = payer(start=10, **values)
    skills = {name: SKILLS[name] for name in ("hit", "brace")}
    return encounter(party=[member(queue=["brace", "hit"], resource=resource)], skills=skills)


def test_never_payable():
    [finding] = lint(dear())
    assert (finding.rule, finding.where) == ("never-payable", "scenario: party.0.queue.0")
    assert finding.suggestion == "its user starts with 2 air and regains none"


def test_what_can_be_saved_up_is_left_alone():
    assert lint(dear(regeneration=1)) == []


def test_a_rest_gives_strength_for_what_could_not_be_paid():
    document = dear()
    fight = {"type": "combat", "enemies": [foe()]}
    journey = run(fight, fight, party=document["party"], skills=document["skills"])
    assert rules(journey) == ["never-payable"]
    journey = run(fight, {"type": "rest"}, fight, party=document["party"], skills=document["skills"])
    assert rules(journey) == []


def test_enemies_never_rest_but_phases_may_bring_strength():
    document = run({"type": "rest"}, {"type": "combat", "enemies": [foe()]}, skills=dear()["skills"])
    resource = payer(start=10)
    document["quest"]["encounters"][1]["enemies"] = [foe(queue=["brace", "hit"], resource=resource)]
    assert rules(document) == ["never-payable"]
    phases = [{"name": "late", "at": 50, "regeneration": 2}]
    document["quest"]["encounters"][1]["enemies"][0] |= {"boss": True, "phases": phases}
    assert rules(document) == []


# Options, phases, items, stuns.


def plain_encounter(**values: Any) -> dict[str, Any]:
    return encounter(skills={"hit": SKILLS["hit"]}, resources={}, **values)


def plain_run(*encounters: dict[str, Any], **values: Any) -> dict[str, Any]:
    return run(*encounters, skills={"hit": SKILLS["hit"]}, resources={}, **values)


def test_option_without_effect_in_a_lone_encounter():
    document = plain_encounter(options={"survived_share": 10})
    assert told(document) == [("option-without-effect", "options.survived_share")]
    assert lint(plain_run(options={"survived_share": 10})) == []


def test_option_without_effect_below_another():
    document = plain_encounter(options={"flee_below": 10}, flee_below=20)
    assert told(document) == [("option-without-effect", "options.flee_below")]
    assert lint(plain_encounter(options={"flee_below": 10})) == []


def test_idle_phase():
    phases = [{"name": "a", "at": 60}, {"name": "b", "at": 40, "armor": 0}, {"name": "c", "at": 20, "queue": ["hit"]}]
    document = plain_encounter(enemies=[foe(boss=True, phases=phases)])
    [finding] = lint(document)
    assert (finding.rule, finding.where) == ("idle-phase", "scenario: enemies.0.phases.0")
    assert finding.message == 'the phase "a" changes nothing'


def test_a_phase_that_changes_an_attribute_is_left_alone():
    phases = [{"name": "a", "at": 60, "attributes": {"luck": 0}}]
    assert lint(plain_encounter(enemies=[foe(boss=True, phases=phases)])) == []


RING = {"id": "band", "name": "Band", "slot": "ring"}
GIFT = {"id": "gift", "name": "Gift", "stat": "luck", "amounts": [1, 2, 3, 4]}


def wearing(rarity: str, bonuses: int) -> dict[str, Any]:
    worn = {"template": "band", "rarity": rarity, "bonuses": [{"bonus": "gift"}] * bonuses}
    return plain_encounter(party=[member(items=[worn])], items={"band": RING}, bonuses={"gift": GIFT})


def test_impossible_item():
    [finding] = lint(wearing("common", 1))
    assert (finding.rule, finding.where) == ("impossible-item", "scenario: party.0.items.0")


def test_an_item_that_can_be_found_is_left_alone():
    rarity = RULESET.read_library(None, ()).of("rarities")["rare"]
    assert lint(wearing("rare", rarity.bonuses)) == []
    assert rules(wearing("rare", rarity.bonuses + 1)) == ["impossible-item"]


@pytest.mark.parametrize(("cost", "cooldown", "found"), [(5, 2, True), (0, 3, True), (5, 3, False), (1, 9, False)])
def test_cheap_stun(cost, cooldown, found):
    stun = {
        **SKILLS["hit"],
        "id": "daze",
        "name": "Daze",
        "conditions": [{"condition": "stunned"}],
        "cost": cost,
        "cooldown": cooldown,
    }
    document = with_queue("daze", "hit", skills=SKILLS | {"daze": stun})
    assert told(document) == ([("cheap-stun", "skills.daze")] if found else [])


# Content of the scenario's own.


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("skills", SKILLS["brace"]),
        ("resources", {"id": "air", "name": "Air"}),
        ("items", RING),
        ("bonuses", GIFT),
        ("rarities", {"id": "rare", "bonuses": 0}),
        ("loot_tables", {"id": "heap", "rows": table()["rows"]}),
    ],
)
def test_unused_content_of_a_scenario(kind, entry):
    document = plain_encounter()
    document["items"] = {"stick": run()["items"]["stick"]} if kind == "loot_tables" else {}
    document[kind] = {**document.get(kind, {}), entry["id"]: entry}
    assert ("unused-content", f"{kind}.{entry['id']}") in told(document)


def test_content_that_is_used_is_left_alone():
    document = plain_run(bonuses={"gift": GIFT}, rarities={"rare": {"id": "rare", "bonuses": 0}})
    assert lint(document) == []
    document = plain_encounter(party=["vanguard_2"], enemies=["goblin_sneak"])
    weapon = {**RING, "id": RULESET.read_library(None, ()).of("heroes")["vanguard_2"].items[0], "slot": "main_hand"}
    document |= {"items": {weapon["id"]: weapon}, "skills": {}}
    assert lint(document) == []


# Quests.


def choosing(*checks: str | None) -> dict[str, Any]:
    options = [{"name": f"way {n}", **({"check": check} if check else {})} for n, check in enumerate(checks)]
    return plain_run({"type": "decision", "options": options}, {"type": "combat", "enemies": [foe()]})


def test_never_chosen_because_another_comes_first():
    [finding] = lint(choosing("lore", "luck", "lore"))
    assert (finding.rule, finding.where) == ("never-chosen", "scenario: quest.encounters.0.options.2")


def test_never_chosen_because_it_needs_nothing():
    [finding] = lint(choosing("lore", None))
    assert (finding.rule, finding.where) == ("never-chosen", "scenario: quest.encounters.0.options.1")


@pytest.mark.parametrize("checks", [("lore", "luck"), (None,), ("arcana", "logic")])
def test_options_that_may_be_taken_are_left_alone(checks):
    assert lint(choosing(*checks)) == []


def test_never_chosen_among_the_checks_of_a_puzzle():
    document = plain_run({"type": "puzzle", "difficulty": 5, "checks": ["lore", "lore"]})
    assert told(document) == [("never-chosen", "quest.encounters.0.checks.1")]


@pytest.mark.parametrize(
    ("encounter_", "where"),
    [
        ({"type": "combat"}, "enemies"),
        ({"type": "decision", "options": [{"name": "on"}]}, "options.0.success.ambush"),
        ({"type": "puzzle", "difficulty": 5}, "failure.ambush"),
    ],
)
def test_enemies_written_in_a_quest_are_looked_at(encounter_, where):
    enemies = [foe(boss=True, phases=[{"name": "a", "at": 60}])]
    if where == "enemies":
        encounter_ = encounter_ | {"enemies": enemies}
    elif encounter_["type"] == "decision":
        encounter_ = encounter_ | {"options": [{"name": "on", "success": {"ambush": enemies}}]}
    else:
        encounter_ = encounter_ | {"failure": {"ambush": enemies}}
    assert told(plain_run(encounter_)) == [("idle-phase", f"quest.encounters.0.{where}.0.phases.0")]


# Fights.

MENDER = {
    **SKILLS["bind"],
    "id": "mend_all",
    "reach": "one_ally",
    "heal": {"min": 40, "max": 60},
    "cost": 0,
    "cooldown": 0,
}


def test_outhealed():
    skills = {"hit": SKILLS["hit"], "mend_all": MENDER}
    document = encounter(skills=skills, resources={}, enemies=[foe(queue=["mend_all", "hit"])])
    finding = lint(document)[0]
    assert (finding.rule, finding.where) == ("outhealed", "scenario: enemies")
    # A hit of 4 to 8 and a tenth of might 30 is 9, at even odds and 6% criticals 5.04; mending is 50 and 3.
    assert finding.message == "the party can deal about 5.0 a round, and these enemies can heal about 53.0"


@pytest.mark.parametrize("change", [{"cooldown": 30}, {"heal": {"min": 1, "max": 1}}])
def test_mending_that_can_be_overcome_is_left_alone(change):
    skills = {"hit": SKILLS["hit"], "mend_all": MENDER | change}
    document = encounter(skills=skills, resources={}, enemies=[foe(queue=["mend_all", "hit"])])
    assert "outhealed" not in rules(document)


def test_mending_that_cannot_be_paid_for_long_is_left_alone():
    skills = {"hit": SKILLS["hit"], "mend_all": MENDER | {"cost": 20}}
    enemy = foe(queue=["mend_all", "hit"], resource=payer(20, regeneration=1))
    assert "outhealed" not in rules(encounter(skills=skills, enemies=[enemy]))


def test_who_would_rather_heal_can_strike_all_the_same():
    skills = {"hit": SKILLS["hit"], "bind": FREE_BIND["bind"]}
    weak = foe(queue=["bind"], attributes={**foe()["attributes"], "presence": 0})
    document = encounter(skills=skills, resources={}, party=[member(queue=["bind", "hit"])], enemies=[weak])
    assert "outhealed" not in rules(document)


def test_each_fight_of_a_quest_is_looked_at():
    skills = {"hit": SKILLS["hit"], "mend_all": MENDER}
    hopeless = {"type": "combat", "enemies": [foe(queue=["mend_all", "hit"])]}
    document = run({"type": "combat", "enemies": [foe()]}, hopeless, hopeless, skills=skills, resources={})
    found = [finding for finding in told(document) if finding[0] == "outhealed"]
    assert found == [("outhealed", "quest.encounters.1.enemies")]


def walls(**options: Any) -> dict[str, Any]:
    """Two who cannot hurt each other before the cap."""
    sides = {"party": [member(armor=99, hp=900)], "enemies": [foe(armor=99, hp=900)]}
    return plain_encounter(**sides, options=options)


def test_cannot_end():
    [finding] = lint(walls())
    assert (finding.rule, finding.where) == ("cannot-end", "scenario: enemies")
    assert finding.message == "the battles 0 to 9 end with both sides alive"


def test_a_fight_that_armor_does_not_keep_from_ending_is_left_alone():
    assert lint(walls(armor_share=0, round_cap=1000)) == []


def test_a_very_long_fight_is_tried_less_often():
    document = walls(round_cap=1000)
    document["enemies"][0]["hp"] = document["party"][0]["hp"] = 10**6
    [finding] = lint(document)
    assert finding.message == "the battles 0 to 1 end with both sides alive"


def test_nobody_who_harms_nobody_comes_to_an_end():
    skills = {"brace": SKILLS["brace"] | {"cost": 0, "cooldown": 2}}
    document = encounter(skills=skills, resources={}, party=[member(queue=["brace"])], enemies=[foe(queue=["brace"])])
    assert set(rules(document)) == {"cannot-end", "outhealed"}


# Content and queues by themselves.

TABLE = '[[loot_tables]]\nid = "t"\nrows = [{ template = "ash_ring", weight = 1, rarity_weights = { rare = 1 } }]\n'
PACK = """
[[skills]]
id = "{name}"
name = "Poke"
reach = "one_enemy"
attack = "might"
defense = "speed"
damage = {{ min = 1, max = 2 }}
{more}
"""


def lint_file(folder: Any, text: str) -> list[tuple[str, str]]:
    path = written(folder, text, "mine.toml")
    findings = RULESET.lint_file("content", read_document(path), Source(str(path), path.parent))
    return [(finding.rule, finding.where.removeprefix(f"{path}: ")) for finding in findings]


def test_unused_content_of_a_pack(tmp_path):
    assert lint_file(tmp_path, PACK.format(name="poke", more="")) == [("unused-content", "skills.poke")]


@pytest.mark.parametrize(
    "text",
    [
        PACK.format(name="poke", more='note = "for whoever wants it"'),
        PACK.format(name="strike", more=""),
        '[[parties]]\nid = "pair"\nname = "Pair"\nmembers = ["vanguard_2", "cantor_2"]\n',
    ],
)
def test_content_that_says_what_it_is_for_is_left_alone(tmp_path, text):
    assert lint_file(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[[items]]\nid = "hat"\nname = "Hat"\nslot = "head"\n', "items.hat"),
        ('[[resources]]\nid = "dew"\nname = "Dew"\n', "resources.dew"),
        ('[[bonuses]]\nid = "b"\nname = "B"\nstat = "hp"\namounts = [1, 2, 3, 4]\nweight = 0\n', "bonuses.b"),
        (
            TABLE,
            "loot_tables.t",
        ),
    ],
)
def test_unused_content_of_every_kind(tmp_path, text, kind):
    assert lint_file(tmp_path, text) == [("unused-content", kind)]


HERO = '[[heroes]]\nid = "odo"\nname = "Odo"\nclass = "vanguard"\n'
CREATURE = '[[creatures]]\nid = "cat"\nname = "Cat"\nlevel = 1\nhp = 9\n'
QUEST = '[[quests]]\nid = "q"\nname = "Q"\nloot_table_id = "goblin_pockets"\n[[quests.encounters]]\n'
SHEET = "attributes = { might = 9, logic = 9, speed = 9, presence = 9, fortitude = 9, luck = 9 }\n"


@pytest.mark.parametrize(
    ("text", "rule", "where"),
    [
        (f'{HERO}queue = ["strike", "cleave"]', "unreachable-slot", "heroes.odo.queue.1"),
        (
            f'{HERO}items = [{{ template = "ash_ring", bonuses = [{{ bonus = "of_the_ox" }}] }}]',
            "impossible-item",
            "heroes.odo.items.0",
        ),
        (f'{CREATURE}{SHEET}queue = ["strike", "shoot"]', "unreachable-slot", "creatures.cat.queue.1"),
        (
            f'{CREATURE}{SHEET}queue = ["strike"]\nboss = true\nphases = [{{ name = "a", at = 9 }}]',
            "idle-phase",
            "creatures.cat.phases.0",
        ),
        (
            f'{CREATURE}{SHEET}queue = [{{ skill = "strike", when = "self.hp_pct > 100" }}]',
            "never-holds",
            "creatures.cat.queue.0.when",
        ),
        (
            f'{CREATURE}{SHEET}queue = ["cleave", "strike"]\nresource = {{ kind = "stamina", max = 40, start = 0 }}',
            "never-payable",
            "creatures.cat.queue.0",
        ),
        (
            PACK.format(name="strike", more='cost = 1\nconditions = [{ condition = "stunned" }]'),
            "cheap-stun",
            "skills.strike",
        ),
        (
            '[[parties]]\nid = "p"\nname = "P"\nmembers = [{ template = "vanguard_2", queue = ["strike", "cleave"] }]',
            "unreachable-slot",
            "parties.p.members.0.queue.1",
        ),
        (
            f'{QUEST}type = "decision"\noptions = [{{ name = "a", check = "lore" }}, {{ name = "b" }}]',
            "never-chosen",
            "quests.q.encounters.0.options.1",
        ),
    ],
)
def test_every_rule_looks_at_content(tmp_path, text, rule, where):
    assert (rule, where) in lint_file(tmp_path, text)


def test_a_folder_of_content_is_linted_with_all_content(tmp_path):
    path = written(tmp_path, PACK.format(name="poke", more=""), "mine.toml")
    findings = RULESET.lint_content([tmp_path])
    assert [(finding.rule, finding.where) for finding in findings] == [("unused-content", f"{path}: skills.poke")]


def lint_queue(**values: Any) -> list[tuple[str, str]]:
    source = Source("queue.toml")
    assert RULESET.check_file("strategy", values, source) == ()
    findings = RULESET.lint_file("strategy", values, source)
    return [(finding.rule, finding.where) for finding in findings]


def test_a_queue_by_itself():
    queue: list[Any] = ["strike", "cleave"]
    assert lint_queue(queue=queue) == [("unreachable-slot", "queue.toml: queue.1")]
    queue = [{"skill": "cleave", "when": "resource_gte_1000"}, "strike"]
    assert lint_queue(**{"class": "vanguard", "queue": queue}) == [("never-holds", "queue.toml: queue.0.when")]
    assert lint_queue(queue=queue) == []


def test_a_payers_maximum_is_what_its_level_makes_it():
    role = RULESET.read_library(None, ()).of("classes")["vanguard"]
    most = role.base.resource
    assert most < 1000
    queue = [{"skill": "cleave", "when": f"resource_gte_{most + 1}"}, "strike"]
    assert lint_queue(**{"class": "vanguard", "level": 1, "queue": queue})
    assert not lint_queue(**{"class": "vanguard", "level": 2, "queue": queue})
