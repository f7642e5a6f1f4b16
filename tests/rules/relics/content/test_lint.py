"""What is valid in relics and yet probably not meant is found, and what is meant is left alone."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics import battle, item

from fracas.rulesets import registry
from fracas.rulesets.contract.types import Finding, Source
from fracas.rulesets.relics.content.library import library_for
from fracas.rulesets.relics.content.share_codes import CodePiece, code_of

RELICS = registry.get("relics")
SOURCE = Source("scenario")


@pytest.fixture(autouse=True)
def plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


def findings(left: dict[str, Any] | None = None, **values: Any) -> list[Finding]:
    """What is found in a battle, apart from empty builds."""
    found = RELICS.lint(battle(left, **values), SOURCE)
    return [each for each in found if each.rule != "empty-build"]


def of_item(**body: Any) -> list[tuple[str, str]]:
    """Which rules an item breaks, and where in it."""
    found = findings({"items": [item(**body)]})
    lead = "scenario: left.items.0."
    return [
        (each.rule, each.where.removeprefix(lead)) for each in found if each.where.startswith("scenario: left.items")
    ]


def test_a_bare_fighter_is_an_empty_build():
    found = RELICS.lint(battle({}, {"items": ["horned_helm"]}), SOURCE)
    assert [(each.rule, each.where) for each in found] == [("empty-build", "scenario: left")]


@pytest.mark.parametrize(
    ("triggers", "rule", "where"),
    [
        ({"pre": [["deal", 1, {"chance": 0}]]}, "never-runs", "pre.0.chance"),
        ({"pre": [{"chance": 0, "do": [["deal", 1]]}]}, "never-runs", "pre.0.chance"),
        ({"battle_start": [["deal", 1, {"if": "turn > 0"}]]}, "never-holds", "battle_start.0.if"),
        ({"battle_start": [["deal", 1, {"if": "turn == 0"}]]}, "always-holds", "battle_start.0.if"),
        ({"turn_start": [["deal", 1, {"if": "payload_gte_1"}]]}, "never-holds", "turn_start.0.if"),
        ({"turn_start": [["deal", 1, {"if": "self.hp > 5 and self.hp < 3"}]]}, "never-holds", "turn_start.0.if"),
        ({"on_hit": [["deal", 1, {"if": "strike >= 1"}]]}, "always-holds", "on_hit.0.if"),
        ({"pre": [["gain", "armor", 0]]}, "does-nothing", "pre.0"),
        ({"pre": [["give", "poison", {"of": "self.armor", "times": 0}, "enemy"]]}, "does-nothing", "pre.0"),
        ({"pre": [["enemy_hp_to_enemy_armor_pct", 0]]}, "does-nothing", "pre.0"),
        ({"pre": [["convert", "armor", "armor", 2]]}, "does-nothing", "pre.0"),
        ({"pre": [["deal", 1], ["spend", "armor", 1]]}, "spends-for-nothing", "pre"),
        ({"every_n_turns": {"n": 251, "do": [["deal", 1]]}}, "never-runs", "every_n_turns.0.n"),
        ({"countdown": {"n": 300, "do": [["deal", 1]]}}, "never-runs", "countdown.0.n"),
        ({"status_ticked": {"of": "stun", "do": [["deal", 1]]}}, "never-runs", "status_ticked.0.of"),
        ({"armor_gained": [["gain_armor", 1]]}, "answers-itself", "armor_gained.0"),
        ({"thorns_gained": [["give", "thorns", 1, "self"]]}, "answers-itself", "thorns_gained.0"),
        ({"status_gained": {"of": "regen", "do": [["give", "each", 1, "both"]]}}, "answers-itself", "status_gained.0"),
        ({"enemy_status_gained": [["give", "acid", 1, "enemy"]]}, "answers-itself", "enemy_status_gained.0"),
        ({"on_heal": [["heal", 1]]}, "answers-itself", "on_heal.0"),
        ({"hp_lost": [["lose_hp", 1]]}, "answers-itself", "hp_lost.0"),
        ({"hp_lost": [["deal", 1, "self"]]}, "answers-itself", "hp_lost.0"),
        ({"armor_gained": [["heal", 1]], "on_heal": [["gain_armor", 1]]}, "answers-itself", "armor_gained.0"),
        ({"hp_lost": [["lose", "health", 1]]}, "answers-itself", "hp_lost.0"),
        ({"hp_lost": [["halve", "health", "self"]]}, "answers-itself", "hp_lost.0"),
        ({"hp_lost": [["set", "health", 9]]}, "answers-itself", "hp_lost.0"),
        ({"turn_start": [["count", 1]]}, "unread-counter", ""),
    ],
)
def test_what_an_effect_should_not_be_is_found(triggers, rule, where):
    assert (rule, f"triggers.{where}".removesuffix(".")) in of_item(triggers=triggers)


@pytest.mark.parametrize(
    "triggers",
    [
        {"armor_gained": [["gain", "armor", 1, "enemy"]]},
        {"armor_gained": [["enemy_hp_to_enemy_armor_pct", 10]]},
        {"hp_lost": [["halve", "health", "enemy"]]},
        {"armor_gained": [{"per_turn": 1, "do": [["gain_armor", 1]]}]},
        {"status_gained": {"of": "regen", "do": [["give", "acid", 1, "self"]]}},
        {"status_gained": {"of": "acid", "do": [["give", "acid", 1, "enemy"]]}},
        {"on_damaged": [["deal", 1]]},
        {"wounded": [["heal", 5]]},
        {"pre": [["spend", "armor", 1], ["deal", 1]]},
        {"pre": [["set", "armor", 0]]},
        {"pre": [["deal", 0]]},
        {"turn_start": [["count", 1], ["deal", {"of": "counter"}]]},
        {"turn_start": [["count", 1], ["deal", 1, {"if": "counter > 2"}]]},
        {"every_n_turns": {"n": 250, "do": [["deal", 1]]}},
        {"turn_start": [["deal", 1, {"if": "self.attack >= 0"}]]},
        {"turn_start": [["deal", 1, {"if": "self.hp > 0"}]]},
    ],
)
def test_what_may_be_meant_is_left_alone(triggers):
    assert of_item(triggers=triggers) == []


def test_the_items_that_the_content_ships_are_left_alone():
    assert RELICS.lint_content() == []


def test_a_condition_that_the_gear_of_an_enemy_can_never_meet_is_found():
    asks = {"modifiers": [["attack", 1, {"if": "tags.helm > 0 and enemy.armor > 0"}]]}
    bare = {"id": "bare", "levels": [{"stats": {}}], **asks}
    phases = [{"name": "Up", "stats": {}, "triggers": {"pre": [["heal", 1, {"if": "tags.helm == 2"}]]}}]
    boss = {"id": "chief", "stats": {}, "items": ["horned_helm"], "phases": phases, **asks}
    found = RELICS.lint_file("content", {"enemies": [bare, {**bare, "id": "clad", "items": ["horned_helm"]}],
                                         "bosses": [boss]}, SOURCE)  # fmt: skip
    assert [(each.rule, each.where) for each in found] == [
        ("never-holds", "scenario: enemies.bare.modifiers.0.if"),
        ("never-holds", "scenario: bosses.chief.phases.0.triggers.pre.0.if"),
    ]


def test_modifiers_and_flags_are_looked_at():
    assert of_item(modifiers=[["attack", 0]]) == [("does-nothing", "modifiers.0")]
    assert of_item(modifiers=[["attack", 1, {"if": "payload > 0"}]]) == [("never-holds", "modifiers.0.if")]
    assert of_item(modifiers=[["attack", {"of": "counter"}]])[0][0] == "idle-counter"
    assert ("never-runs", "triggers.on_hit") in of_item(flags=["cant_attack"], triggers={"on_hit": [["heal", 1]]})
    assert of_item(modifiers=[["cannot_attack", {"if": "wounded"}]], triggers={"on_hit": [["heal", 1]]}) == []


def test_on_hit_effects_of_somebody_who_never_strikes_are_found():
    build = [item("still", flags=["cant_attack"]), item("keen", name="Keen", triggers={"on_hit": [["heal", 1]]})]
    (found,) = [each for each in findings({"items": build}) if each.rule == "never-runs"]
    assert found.where == "scenario: left"
    assert found.message.endswith(": Keen")


def test_an_item_that_nobody_wears_and_one_that_does_nothing_are_found():
    own = {"idle": item("idle"), "worn": item("worn", stats={"armor": 1})}
    found = findings({"items": ["items/worn"]}, items=own)
    assert [(each.rule, each.where) for each in found] == [
        ("unused-item", "scenario: items.idle"),
        ("does-nothing", "scenario: items.idle"),
    ]


def test_what_an_enemy_wears_or_a_share_code_names_is_worn():
    own = {
        "rust_powder": item("rust_powder", stats={"armor": 1}),
        "horned_helm": item("horned_helm", stats={"armor": 1}),
    }
    code = code_of({"items": [CodePiece("horned_helm", "normal")]}, library_for(None, ()).of("items"), "x")
    assert findings({"enemy": "salt_ghoul"}, right={"code": code}, items=own) == []
    assert [each.rule for each in findings({"enemy": "salt_ghoul"}, items=own)] == ["unused-item"]


def test_armor_of_a_bone_answers_itself_where_its_owner_gets_it():
    triggers = {"armor_gained": [["enemy_hp_to_enemy_armor_pct", 10]]}
    found = findings({"items": [item(triggers=triggers)]}, profile="game")
    assert [each.where for each in found if each.rule == "answers-itself"] == [
        "scenario: left.items.0.triggers.armor_gained.0"
    ]
    # Content may be worn under either.
    content = RELICS.lint_file("content", {"items": [item(triggers=triggers)]}, SOURCE)
    assert [each.rule for each in content] == ["answers-itself"]


@pytest.mark.parametrize(
    ("option", "needed"),
    [
        ({"corroded_bone_receiver": "owner"}, [["enemy_hp_to_enemy_armor_pct", 10]]),
        ({"onhit_damage_route": "armor"}, None),
        ({"hp_minus_route": "armor"}, [["enemy_hp_minus", 1]]),
        ({"cadence_parity": "odd"}, None),
        ({"allow_pre_phase": False}, [["deal", 1]]),
    ],
)
def test_an_option_that_matters_to_nothing_is_found(option, needed):
    (name,) = option
    found = findings({"items": ["horned_helm"]}, options=option)
    assert [(each.rule, each.where) for each in found] == [("option-without-effect", f"scenario: options.{name}")]
    if needed is not None:
        assert findings({"items": [item(triggers={"pre": needed})]}, options=option) == []


def test_a_battle_that_only_fatigue_ends_is_found():
    walls = {"stats": {"attack": 0}, "items": [item(stats={"armor": 3})]}
    found = RELICS.lint(battle(walls, walls), SOURCE)
    assert [each.rule for each in found] == ["cannot-end"]
    assert "until fatigue begins (turn 40)" in found[0].message


def test_pieces_that_answer_each_other_are_found_by_trying():
    build = [
        item("a", triggers={"armor_gained": [["heal", 1]], "battle_start": [["gain_armor", 1]]}),
        item("b", triggers={"on_heal": [["gain_armor", 1]]}),
    ]
    found = findings({"items": build, "state": {"hp": 10, "hp_max": 20, "atk": 1}})
    assert "cut" in [each.rule for each in found]


def test_a_build_file_and_a_content_file_are_linted():
    assert [each.rule for each in RELICS.lint_file("strategy", {"name": "Nobody"}, SOURCE)] == ["empty-build"]
    assert RELICS.lint_file("strategy", {"items": ["horned_helm"]}, SOURCE) == []
    own = {"items": [item("a"), item("b", triggers={"pre": [["retrigger", "exposed", "all", "no-such-tag"]]})]}
    own |= {"sets": [{"id": "s", "tag": "no-such-tag", "pieces": 2, "stats": {"armor": 1}}]}
    found = RELICS.lint_file("content", own, SOURCE)
    assert [(each.rule, each.where) for each in found] == [
        ("does-nothing", "scenario: items.a"),
        ("never-holds", "scenario: sets.s.tag"),
        ("does-nothing", "scenario: items.b.triggers.pre.0"),
    ]
