"""Lint: every rule finds what it is for, and leaves alone what is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.helpers.scenarios import EXAMPLES, duel, fighter, problems_of, written

from fracas.content.files import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract import Finding, Source

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


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_shipped_examples_can_be_linted(file):
    RULESET.lint(read_document(file), Source(str(file), file.parent))


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
    assert finding.suggestion == 'write "always" if that is meant'


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
        "enemies.count == 8",
        "enemies.count != 1",
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


def test_dead_priority_below_one_that_always_finds_somebody():
    findings = lint(with_strategy({"targetPriority": ["mages", "lowest_hp", "fastest"]}))
    assert [(finding.rule, finding.where) for finding in findings] == [
        ("dead-priority", "scenario: sides.0.strategy.targetPriority.2")
    ]
    assert '"lowest_hp" above it always finds somebody' in findings[0].message


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


def wall(*stages: dict[str, Any], **values: Any) -> dict[str, Any]:
    document = with_chain(*stages)
    document["sides"] = [{"units": [fighter()]}, {"units": [fighter("mira", defense=10**6, **values)]}]
    return document


def test_cannot_end():
    [finding] = lint(wall({"stage": "defense"}))
    assert (finding.rule, finding.where) == ("cannot-end", "scenario: sides.0")
    assert "the battle can only end at the cap" in finding.message


@pytest.mark.parametrize("stages", [[{"stage": "defense"}, MINIMUM], [FORMATION], [{"stage": "defense", "percent": 0}]])
def test_a_battle_that_can_end_is_left_alone(stages):
    assert "cannot-end" not in rules(wall(*stages))


def test_damage_over_time_gets_through_any_defense():
    wound = {"type": "damage_over_time", "attack": 50, "rounds": 3}
    ability = {"id": "burn", "name": "Burn", "reach": "one_enemy", "effects": [wound]}
    document = wall({"stage": "defense"})
    document["abilities"] = {"burn": ability}
    document["sides"][0]["units"] = [fighter(class_ability="burn")]
    assert "cannot-end" not in rules(document)


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
    written(tmp_path, UNUSED, "mine.toml")
    [finding] = findings_of(tmp_path)
    assert (finding.rule, finding.where) == ("unused-ability", "abilities.spare")


def test_an_ability_with_a_note_or_an_owner_is_left_alone(tmp_path):
    written(tmp_path, f'{UNUSED}note = "for scenarios"\n', "mine.toml")
    assert findings_of(tmp_path) == []
    stats = "hp = 1\nattack = 1\ndefense = 1\nspeed = 1\n"
    unit = f'[[units]]\nid = "x"\nname = "X"\nclass = "tank"\nultimate = "spare"\n{stats}'
    written(tmp_path, f"{UNUSED}{unit}", "mine.toml")
    assert findings_of(tmp_path) == []


def test_a_strategy_of_the_content_is_linted(tmp_path):
    text = '[[strategies]]\nid = "x"\nname = "X"\nabilities = { Heal = { when = "self.hp_pct > 100" } }'
    written(tmp_path, text, "mine.toml")
    [finding] = findings_of(tmp_path)
    assert (finding.rule, finding.where) == ("never-holds", "strategies.x.abilities.Heal.when")
