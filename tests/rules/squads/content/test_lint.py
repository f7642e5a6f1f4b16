"""Lint: every rule finds what it is for, and leaves alone what is meant."""

from __future__ import annotations

import datetime
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.scenarios import EXAMPLES, duel, fighter, problems_of, written

from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Finding, Source

RULESET = registry.get("squads")


def lint(document: dict[str, Any], **options: Any) -> list[Finding]:
    return RULESET.lint(document, Source("scenario"), **options)


def rules(document: dict[str, Any]) -> list[str]:
    return [finding.rule for finding in lint(document)]


def with_strategy(strategy: dict[str, Any], **values: Any) -> dict[str, Any]:
    """A mage with a strategy against a mage without one."""
    document = duel(**values)
    document["sides"] = [
        {"units": [fighter()], "strategy": strategy},
        {"units": [fighter("mira")]},
    ]
    return document


def with_condition(when: Any) -> dict[str, Any]:
    return with_strategy({"abilities": {"Fireball": {"when": when}}})


def with_chain(*stages: dict[str, Any], **values: Any) -> dict[str, Any]:
    return with_strategy({}, options={"chain": {"stages": list(stages)}}, **values)


# What is true of a shipped example all the same; its own comment says so.
TRUE_OF_EXAMPLES = {
    "border-clash": {"not-owned", "absent-class"},
    "legacy-profile": {"cannot-end"},
    "round-cap-draw": {"cannot-end"},
}


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_shipped_examples_have_no_findings_but_those_they_speak_of(file):
    findings = RULESET.lint(read_document(file), Source(str(file), file.parent))
    assert {finding.rule for finding in findings} == TRUE_OF_EXAMPLES.get(file.stem, set())
    assert all(finding.where.startswith(str(file)) for finding in findings)


def test_the_seeds_strategy_has_no_findings_of_its_own():
    file = EXAMPLES / "strategies" / "seed.json"
    assert RULESET.lint_file("strategy", read_document(file), Source(str(file), file.parent)) == []


def test_a_new_scenario_has_no_findings():
    assert lint(tomllib.loads(RULESET.template())) == []


def test_the_shipped_content_has_no_findings():
    assert RULESET.lint_content() == []


def test_an_empty_strategy_has_no_findings():
    assert lint(with_strategy({})) == []


def test_an_invalid_scenario_is_not_linted_but_refused():
    assert problems_of(lint, with_strategy({"formatoin": "balanced"}))


def test_not_owned():
    [finding] = lint(with_strategy({"abilities": {"Heal": {}}}))
    assert (finding.rule, finding.where) == ("not-owned", "scenario: sides.0.strategy.abilities.Heal")
    assert finding.message == 'nobody on this side has "Heal"'
    assert lint(with_strategy({"abilities": {"FIREBALL": {}, "falling_sky": {}, "Basic Attack": {}}})) == []


@pytest.mark.parametrize("target", ["self", "lowest_hp_ally"])
def test_target_without_effect_for_an_ability_that_cannot_take_it(target):
    [finding] = lint(with_strategy({"abilities": {"Fireball": {"target": target}}}))
    assert finding.rule == "target-without-effect"
    assert finding.where == "scenario: sides.0.strategy.abilities.Fireball.target"


def test_target_without_effect_for_an_ability_that_leaves_no_choice():
    assert rules(with_strategy({"abilities": {"falling_sky": {"target": "lowest_hp"}}})) == ["target-without-effect"]


def test_a_self_ability_that_is_aimed_at_oneself_is_left_alone():
    document = with_strategy({"abilities": {"Shield Wall": {"target": "self"}, "Dawn Chorus": {}}})
    document["sides"][0]["units"] = [fighter(class_ability="shield_wall", ultimate="dawn_chorus")]
    assert lint(document) == []


@pytest.mark.parametrize("target", ["priority", "lowest_hp", "random", "fastest"])
def test_a_target_that_chooses_is_left_alone(target):
    assert (
        lint(with_strategy({"abilities": {"Fireball": {"target": target}, "basic_attack": {"target": target}}})) == []
    )


def test_unknown_condition():
    [finding] = lint(with_condition("enemy_cuont_gte_2"))
    assert (finding.rule, finding.where) == ("unknown-condition", "scenario: sides.0.strategy.abilities.Fireball.when")
    assert finding.suggestion == 'did you mean "enemy_count_gte_2" or "enemy_count_lte_2"?'


@pytest.mark.parametrize(
    "when",
    [
        "self.hp_pct < 0",
        "self.hp_pct > 100",
        "self_hp_above_100",
        "self_hp_below_0",
        "enemies.count == 0",
        "enemies.count < 1",
        "self.charge > 100",
        "not always",
        "always and not always",
        "self.hp_pct < 30 and self.hp_pct > 50",
        "self_hp_below_30 and self_hp_above_50",
        "enemies.count >= 3 and enemies.count <= 2",
        "self.hp_pct < 0 or self.hp_pct > 100",
        "round >= 5 and round < 3",
        {"any": []},
        {"all": ["ally_hp_below_50", {"not": "always"}]},
    ],
)
def test_never_holds(when):
    [finding] = lint(with_condition(when))
    assert (finding.rule, finding.where) == ("never-holds", "scenario: sides.0.strategy.abilities.Fireball.when")
    assert "never used" in finding.message


@pytest.mark.parametrize(
    "when",
    [
        "self.hp_pct >= 0",
        "self.hp_pct <= 100",
        "enemies.count >= 1",
        "allies.count <= 8",
        "self.charge >= 0",
        "not self.hp_pct > 100",
        "always or self.hp_pct < 3",
    ],
)
def test_always_holds(when):
    [finding] = lint(with_condition(when))
    assert finding.rule == "always-holds"
    assert finding.suggestion == 'if that is intended, write "always"'


@pytest.mark.parametrize(
    "when",
    [
        "always",
        "self.hp_pct > 99",
        "self.hp_pct < 1",
        "self.hp_pct >= 1",
        "self.hp_pct == 100",
        "self.hp_pct > 30 and self.hp_pct < 50",
        "self.hp_pct < 30 or self.hp_pct > 50",
        "self.charge == 100",
        "ally_hp_below_50",
        "not enemies.any(stunned)",
        "round >= 3 and round < 5",
        "round_gte_2",
        {"all": ["round_gte_2", "self.shielded"]},
    ],
)
def test_a_condition_that_may_come_out_either_way_is_left_alone(when):
    assert lint(with_condition(when)) == []


def crowd(when: Any, allies: int = 1, enemies: int = 1, **options: Any) -> dict[str, Any]:
    """A condition of a mage's class ability among so many on both sides."""
    document = with_condition(when)
    document["options"] = options
    document["sides"][0]["units"] = [fighter(f"ally-{number}") for number in range(allies)]
    document["sides"][1]["units"] = [fighter(f"enemy-{number}") for number in range(enemies)]
    return document


@pytest.mark.parametrize(
    ("when", "sizes", "rule"),
    [
        ("enemy_count_gte_5", {}, "never-holds"),
        ("enemy_count_gte_5", {"enemies": 4}, "never-holds"),
        ("enemy_count_gte_5", {"enemies": 5}, None),
        ("enemy_count_gte_1", {"enemies": 5}, "always-holds"),
        ("enemy_count_lte_5", {"enemies": 5}, "always-holds"),
        ("ally_count_gte_3", {}, "never-holds"),
        ("ally_count_gte_3", {"allies": 3}, None),
        ("enemies.count == 8", {"enemies": 8}, None),
        ("enemies.count != 1", {}, "never-holds"),
        ("enemies.count(stunned) >= 2", {}, "never-holds"),
        ("enemies.count(stunned) >= 2", {"enemies": 2}, None),
        ("enemies.count(stunned) <= 2", {"enemies": 2}, "always-holds"),
        ("enemies.count(hp_pct < 0) >= 1", {"enemies": 2}, "never-holds"),
        ("enemies.any(hp_pct > 100)", {}, "never-holds"),
        ("not enemies.all(charge >= 0)", {}, "never-holds"),
        ("round_gte_60", {}, "never-holds"),
        ("round_gte_60", {"round_cap": 60}, None),
        ("round <= 50", {}, "always-holds"),
        ("round >= 1", {}, "always-holds"),
        ("self.cooldown > 0", {}, "never-holds"),
        ("self.cooldown == 0", {}, "always-holds"),
        ("self.stunned", {}, "never-holds"),
        ("self_charge_gte_50", {}, None),
        ("self_charge_gte_50", {"ultimate_rule": "cooldown"}, "never-holds"),
        ("any_enemy_charge_gte_80", {"ultimate_rule": "cooldown"}, "never-holds"),
    ],
)
def test_what_can_hold_depends_on_the_battle(when, sizes, rule):
    assert rules(crowd(when, **sizes)) == ([rule] if rule else [])


@pytest.mark.parametrize(("when", "rule"), [("self.cooldown > 0", None), ("self_charge_gte_100", "always-holds")])
def test_an_ultimate_is_asked_about_with_full_charge(when, rule):
    assert rules(with_strategy({"abilities": {"Falling Sky": {"when": when}}})) == ([rule] if rule else [])


def test_an_ability_in_two_places_is_asked_about_in_both():
    document = crowd("self.cooldown > 0", allies=2)
    document["sides"][0]["units"][1] |= {"class_ability": "heal", "ultimate": "fireball"}
    assert "never-holds" not in rules(document)


def test_dead_priority_below_one_that_always_finds_somebody():
    findings = lint(with_strategy({"targetPriority": ["mages", "lowest_hp", "fastest"]}))
    assert [(finding.rule, finding.where) for finding in findings] == [
        ("dead-priority", "scenario: sides.0.strategy.targetPriority.2")
    ]
    assert '"lowest_hp" above it always finds somebody' in findings[0].message


@pytest.mark.parametrize("key", ["target_priority", "targetPriority"])
def test_a_priority_is_named_as_the_file_spells_it(key):
    [finding] = lint(with_strategy({key: ["mages", "mages", "lowest_hp"]}))
    assert finding.where == f"scenario: sides.0.strategy.{key}.1"


def test_dead_priority_that_stands_above_already():
    findings = lint(with_strategy({"targetPriority": ["mages", "mages", "lowest_hp"]}))
    assert [(finding.rule, finding.where) for finding in findings] == [
        ("dead-priority", "scenario: sides.0.strategy.targetPriority.1")
    ]


@pytest.mark.parametrize("priorities", [[], ["mages"], ["mages", "lowest_hp"], ["highest_threat"]])
def test_a_priority_list_that_is_walked_is_left_alone(priorities):
    assert lint(with_strategy({"targetPriority": priorities})) == []


def test_absent_class():
    [finding] = lint(with_strategy({"targetPriority": ["healers", "mages"]}))
    assert (finding.rule, finding.where) == ("absent-class", "scenario: sides.0.strategy.targetPriority.0")


def test_a_list_of_allies_is_looked_at_like_the_other():
    aimed = {"abilities": {"Fireball": {"target": "lowest_hp"}}}
    [finding] = lint(with_strategy({"allyPriority": ["lowest_hp", "mages"], **aimed}))[:1]
    assert (finding.rule, finding.where) == ("dead-priority", "scenario: sides.0.strategy.allyPriority.1")
    assert "unused-list" in [each.rule for each in lint(with_strategy({"allyPriority": ["mages"]}))]


MODIFIER = {"id": "weather", "name": "Weather"}
FORMATION, MINIMUM = {"stage": "formation"}, {"stage": "minimum"}


@pytest.mark.parametrize("numbers", [{"damage": 120}, {"critical_chance": 50}, {"defense": 200}])
def test_modifier_without_effect(numbers):
    document = with_chain(FORMATION, MINIMUM, modifier={**MODIFIER, **numbers})
    assert rules(document) == ["modifier-without-effect"]


@pytest.mark.parametrize(
    ("numbers", "stage"),
    [
        ({"damage": 120}, {"stage": "environment"}),
        ({"critical_chance": 50}, {"stage": "critical"}),
        ({"defense": 200}, {"stage": "defense"}),
    ],
)
def test_a_modifier_that_a_stage_looks_at_is_left_alone(numbers, stage):
    assert lint(with_chain(stage, MINIMUM, modifier={**MODIFIER, **numbers})) == []


@pytest.mark.parametrize("numbers", [{"speed": 50}, {"healing": 50}, {"classes": {"mage": {"speed": 50}}}])
def test_a_modifier_of_speed_or_healing_needs_no_stage(numbers):
    assert lint(with_chain(FORMATION, MINIMUM, modifier={**MODIFIER, **numbers})) == []


def test_no_damage():
    assert "no-damage" in rules(with_chain({"stage": "scale", "percent": 0}))


@pytest.mark.parametrize(
    "stages",
    [
        [{"stage": "scale", "percent": 1}, MINIMUM],
        [{"stage": "scale", "percent": 0}, {"stage": "minimum", "at_least": 1}],
        [{"stage": "scale", "percent": 0}, {"stage": "add", "amount": 5}],
    ],
)
def test_a_chain_that_leaves_damage_is_left_alone(stages):
    assert "no-damage" not in rules(with_chain(*stages))


WALL = {"defense": 10**6}


def walls(*stages: dict[str, Any], **values: Any) -> dict[str, Any]:
    """Two mages whom no blow gets through to."""
    document = with_chain(*stages)
    document["sides"] = [{"units": [fighter(name, **WALL, **values)]} for name in ("kael", "mira")]
    return document


def test_cannot_end():
    [finding] = lint(walls({"stage": "defense"}))
    assert (finding.rule, finding.where) == ("cannot-end", "scenario")
    assert finding.message == "the battles 0 to 9 all end at the cap, after 50 rounds"


def test_cannot_end_where_all_damage_is_mended():
    document = with_strategy({})
    mend = {"id": "mend", "name": "Mend", "reach": "self", "cooldown": 3, "effects": [{"type": "heal", "max_hp": 100}]}
    document |= {"abilities": {"mend": mend}, "options": {"round_cap": 20}}
    document["sides"] = [{"units": [fighter(name, hp=200, class_ability="mend")]} for name in ("kael", "mira")]
    assert rules(document) == ["cannot-end"]
    document["abilities"]["mend"]["effects"][0]["max_hp"] = 1
    assert rules(document) == []


def test_a_very_long_battle_is_tried_less_often():
    document = walls({"stage": "defense"})
    document["options"]["round_cap"] = 1000
    [finding] = lint(document)
    assert finding.message == "the battles 0 to 1 all end at the cap, after 1000 rounds"


@pytest.mark.parametrize("stages", [[{"stage": "defense"}, MINIMUM], [FORMATION], [{"stage": "defense", "percent": 0}]])
def test_a_battle_that_can_end_is_left_alone(stages):
    document = walls(*stages)
    document["options"]["round_cap"] = 200
    assert "cannot-end" not in rules(document)


def test_a_battle_that_one_side_can_end_is_left_alone():
    document = walls({"stage": "defense"})
    document["sides"][0]["units"] = [fighter()]
    assert "cannot-end" not in rules(document)


def test_damage_over_time_gets_through_any_defense():
    wound = {"type": "damage_over_time", "attack": 50, "rounds": 3}
    ability = {"id": "burn", "name": "Burn", "reach": "one_enemy", "effects": [wound]}
    document = walls({"stage": "defense"}, class_ability="burn")
    document["abilities"] = {"burn": ability}
    assert "cannot-end" not in rules(document)


@pytest.mark.parametrize(
    "stage",
    [{"stage": "scale", "percent": 100}, {"stage": "add"}, {"stage": "class_advantage", "strong": 100, "weak": 100}],
)
def test_idle_stage(stage):
    [finding] = lint(with_chain(FORMATION, stage, MINIMUM))
    assert (finding.rule, finding.where) == ("idle-stage", "scenario: options.chain.stages.1")


@pytest.mark.parametrize("stage", [{"stage": "scale", "percent": 99}, {"stage": "add", "amount": 1}])
def test_a_stage_that_changes_something_is_left_alone(stage):
    assert lint(with_chain(stage, MINIMUM)) == []


@pytest.mark.parametrize("key", ["charge_action", "charge_hit"])
def test_option_without_effect(key):
    document = with_strategy({}, options={"ultimate_rule": "cooldown", key: 30})
    [finding] = lint(document)
    assert (finding.rule, finding.where) == ("option-without-effect", f"scenario: options.{key}")
    assert lint(with_strategy({}, options={key: 30})) == []


SPARE = {"id": "spare", "name": "Spare", "reach": "self", "effects": [{"type": "taunt", "rounds": 1}]}


def test_unused_ability_of_a_scenario():
    document = with_strategy({}, abilities={"spare": SPARE})
    [finding] = lint(document)
    assert (finding.rule, finding.where) == ("unused-ability", "scenario: abilities.spare")
    document["sides"][1]["units"] = [fighter(class_ability="spare")]
    assert lint(document) == []


@pytest.mark.parametrize(("slot", "name"), [("class_ability", "falling_sky"), ("ultimate", "heal")])
def test_wrong_slot(slot, name):
    document = with_strategy({})
    document["sides"][0]["units"] = [fighter(**{slot: name})]
    [finding] = lint(document)
    assert (finding.rule, finding.where) == ("wrong-slot", f"scenario: sides.0.units.0.{slot}")


def test_a_strategy_of_the_content_is_no_matter_of_the_scenario():
    document = with_strategy({})
    document["sides"][0]["strategy"] = "closed_gate"
    assert lint(document) == []


def test_a_stage_of_a_plug_in_is_not_unknown_to_lint(tmp_path):
    double = Plugin("double", (lambda battle, actor, target, value: value * 2,), "0" * 64, "test")
    document = with_chain({"stage": "scale", "percent": 0}, {"stage": "double"})
    assert problems_of(lint, document)
    assert "no-damage" not in [finding.rule for finding in lint(document, plugins={"double": double})]


def test_findings_of_a_strategy_file_and_of_an_opponent_are_found(tmp_path):
    written(tmp_path, 'targetPriority = ["mages", "mages"]', "plan.toml")
    document = with_strategy({})
    document["sides"][0]["strategy"] = "plan.toml"
    findings = RULESET.lint(document, Source(str(tmp_path / "battle.toml"), tmp_path))
    assert [finding.rule for finding in findings] == ["dead-priority"]


UNUSED = '[[abilities]]\nid = "spare"\nname = "Spare"\nreach = "self"\neffects = [{ type = "taunt", rounds = 1 }]\n'


def findings_of(folder: Path) -> list[Finding]:
    """What a folder brings beyond the shipped content."""
    shipped = RULESET.lint_content()
    return [finding for finding in RULESET.lint_content([folder]) if finding not in shipped]


def test_unused_ability(tmp_path):
    path = written(tmp_path, UNUSED, "mine.toml")
    [finding] = findings_of(tmp_path)
    assert (finding.rule, finding.where) == ("unused-ability", f"{path}: abilities.spare")


def test_an_ability_with_a_note_or_an_owner_is_left_alone(tmp_path):
    written(tmp_path, f'{UNUSED}note = "for scenarios"\n', "mine.toml")
    assert findings_of(tmp_path) == []
    stats = "hp = 1\nattack = 1\ndefense = 1\nspeed = 1\n"
    unit = f'[[units]]\nid = "x"\nname = "X"\nclass = "tank"\nclass_ability = "spare"\n{stats}'
    written(tmp_path, f"{UNUSED}{unit}", "mine.toml")
    assert findings_of(tmp_path) == []


def test_a_strategy_of_the_content_is_linted(tmp_path):
    text = '[[strategies]]\nid = "x"\nname = "X"\nabilities = { Heal = { when = "self.hp_pct > 100" } }'
    path = written(tmp_path, text, "mine.toml")
    [finding] = findings_of(tmp_path)
    assert (finding.rule, finding.where) == ("never-holds", f"{path}: strategies.x.abilities.Heal.when")


def test_an_opponents_own_strategy_is_linted(tmp_path):
    own = 'strategy = { targetPriority = ["lowest_hp", "mages"] }'
    text = f'[[opponents]]\nid = "x"\nname = "X"\ntier = "novice"\nunits = ["scout"]\n{own}'
    path = written(tmp_path, text, "mine.toml")
    [finding] = findings_of(tmp_path)
    assert (finding.rule, finding.where) == ("dead-priority", f"{path}: opponents.x.strategy.targetPriority.1")


def test_an_ability_in_the_wrong_place_of_the_content_is_found(tmp_path):
    path = written(tmp_path, '[[classes]]\nid = "mage"\nclass_ability = "falling_sky"\nultimate = "heal"', "mine.toml")
    assert [(finding.rule, finding.where) for finding in findings_of(tmp_path)] == [
        ("wrong-slot", f"{path}: classes.mage.class_ability"),
        ("wrong-slot", f"{path}: classes.mage.ultimate"),
    ]


def test_a_content_file_is_linted_without_what_stands_beside_it(tmp_path):
    path = written(tmp_path, UNUSED, "mine.toml")
    written(tmp_path, UNUSED.replace("spare", "other").replace("Spare", "Other"), "beside.toml")
    [finding] = RULESET.lint_file("content", read_document(path), Source(str(path), tmp_path))
    assert finding.where == f"{path}: abilities.spare"


def test_a_strategy_file_is_linted_for_any_side():
    source = Source("plan.toml")
    assert RULESET.lint_file("strategy", {"abilities": {"Heal": {"when": "enemy_count_gte_5"}}}, source) == []
    [finding] = RULESET.lint_file("strategy", {"abilities": {"Heal": {"when": "self.cooldown > 0"}}}, source)
    assert (finding.rule, finding.where) == ("never-holds", "plan.toml: abilities.Heal.when")


HEAD = '[[{kind}]]\nid = "{id}"\nname = "{name}"\n'


def test_two_modifiers_with_one_place_and_the_first_that_was_read_comes_first(tmp_path):
    modifier = '[[modifiers]]\nid = "{id}"\nname = "{id}"\nrotation = {place}\ndamage = 110\n'
    text = modifier.format(id="first-rain", place=3) + modifier.format(id="late-rain", place=40)
    (tmp_path / "a.toml").write_text(text + modifier.format(id="later-rain", place=40), encoding="utf-8")
    found = [each for each in RULESET.lint_content([tmp_path]) if each.rule == "shared-place"]
    assert [each.where.rpartition(": ")[2] for each in found] == [
        "modifiers.first-rain.rotation",
        "modifiers.later-rain.rotation",
    ]
    days = RULESET.calendar(datetime.date(1970, 1, 5), 11, [tmp_path])
    order = [entry.id for _, entry in days]
    assert order[-2:] == ["late-rain", "later-rain"]
    assert order.index("first-rain") == 4
