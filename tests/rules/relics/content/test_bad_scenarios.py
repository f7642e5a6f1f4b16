"""What is wrong with a battle of relics is said at its place, with what would be right, and all of it at once."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics import battle, item
from tests.helpers.scenarios import problems_of, written

import fracas
from fracas.cli.check.validate import examine

CLAMP = 'at most 20, or options.stat_cap_mode = "clamp"'


def complaints(document: dict[str, Any], **options: Any) -> list[tuple[str, str, str | None]]:
    """Where in a document something is wrong, what, and what would be right."""
    problems = problems_of(fracas.load, document, **options)
    return [(problem.where.removeprefix("scenario: "), problem.message, problem.suggestion) for problem in problems]


def said(document: dict[str, Any]) -> list[str]:
    """Where in a document something is wrong, and what, as texts."""
    return [f"{where}: {message}" for where, message, _ in complaints(document)]


def test_what_only_shows_when_content_is_there_is_said_at_once_too():
    left = {
        "weapon": "horned_helm",
        "items": [item(stats={"armor": 21}, triggers={"pre": [["deal", 1, {"if": "woundd"}]]}), "boomstick"],
    }
    right = {"stats": {"hp": 3}, "items": [item(stats={"health": -4})]}
    assert [where for where, _, _ in complaints(battle(left, right))] == [
        "left.weapon",
        "left.items.0.triggers.pre.0.if",
        "left.items.0.stats.armor",
        "left.items.1",
        "right.stats.health",
    ]


def test_what_is_wrong_with_the_shape_of_one_part_does_not_hide_what_is_wrong_with_others():
    own = {
        "odd": {"triggers": {"countdown": [["deal", 1]]}},
        "even": {"triggers": {"pre": [["deal", 1, {"if": "woundd"}]]}},
    }
    left = {
        "weapon": "horned_helm",
        "items": [item("big", stats={"armor": 21}), "odd", item(triggers={"pre": [["deel", 1]]}), "horned_hlm"],
    }
    assert [where for where, _, _ in complaints(battle(left, {"enemy": "nobody"}, items=own))] == [
        "left.items.3",
        "right.enemy",
        "items.even.triggers.pre.0.if",
        "left.weapon",
        "left.items.0.stats.armor",
        "items.odd.triggers",
        "left.items.2.triggers.pre.0",
    ]


# Stats and caps.


@pytest.mark.parametrize("stat", ["attack", "armor", "speed", "health"])
def test_a_stat_of_an_item_above_its_cap_is_refused(stat):
    found = complaints(battle({"items": [item(stats={stat: 21})]}))
    assert found == [(f"left.items.0.stats.{stat}", f'"thing" has 21 {stat}, above the cap of 20', CLAMP)]


@pytest.mark.parametrize("place", ["weapon", "upgrades.0", "items.0", "food.0"])
def test_the_caps_hold_in_every_place(place):
    key, _, number = place.partition(".")
    piece = item(stats={"attack": 99})
    assert [where for where, _, _ in complaints(battle({key: [piece] if number else piece}))] == [
        f"left.{place}.stats.attack"
    ]


def test_a_stat_at_its_cap_a_negative_one_and_a_golden_one_are_no_anomaly():
    pieces = [
        item("a", stats={"armor": 20}),
        item("b", stats={"attack": -3}),
        item("c", stats={"armor": 20}, tier="golden"),
    ]
    assert complaints(battle({"items": pieces})) == []


def test_a_fighter_and_a_set_have_no_cap():
    tagged = {"stats": {"attack": 500}, "sets": [{"id": "home", "name": "Home", "stats": {"armor": 90}}]}
    assert complaints(battle(tagged)) == []


def test_a_cap_of_the_scenarios_own_is_the_one_that_counts():
    document = battle({"items": [item(stats={"armor": 21})]}, options={"stat_caps": {"armor": 30}})
    assert complaints(document) == []
    assert fracas.load(document).document["options"]["stat_caps"] == {
        "attack": 20,
        "armor": 30,
        "speed": 20,
        "health": 20,
    }


def test_with_clamp_a_stat_is_held_to_its_cap_with_a_warning():
    document = battle({"items": [item(stats={"armor": 21})]}, options={"stat_cap_mode": "clamp"})
    scenario = fracas.load(document)
    assert scenario.document["left"]["items"][0]["stats"]["armor"] == 20
    (warning,) = scenario.warnings
    assert (warning.where, warning.message) == (
        "scenario: left.items.0.stats.armor",
        '"thing" has 21 armor, above the cap of 20; using 20',
    )
    assert complaints(document, strict=True)[0][0] == "left.items.0.stats.armor"


@pytest.mark.parametrize(
    ("fighter", "told"),
    [
        ({"stats": {"hp": -5}}, "left.stats: hp: -5 is out of range: it must be at least 1"),
        ({"stats": {"health": 0}}, "left.stats.health: 0 is out of range: it must be at least 1"),
        ({"stats": {"armor": -1}}, "left.stats.armor: -1 is out of range: it must be at least 0"),
        ({"stats": {"hp": 2.5}}, "left.stats: hp: 2.5 is not a whole number"),
        ({"stats": {"hp": 3, "health": 4}}, "left.stats: has hp and health, which mean the same; leave one out"),
        (
            {"stats": {"hp": 5}, "items": [item(stats={"health": -7})]},
            "left.stats.health: has 5 health, -2 with what it wears; it needs at least 1",
        ),
        (
            {"stats": {"hp": 8}, "items": [item(stats={"health": -2}, tier="diamond")]},
            "left.stats.health: has 8 health, 0 with what it wears; it needs at least 1",
        ),
        ({"state": {"hp": 5}}, "left.state.hp_max: is missing"),
        ({"state": {"hp": 5, "hp_max": 4, "atk": 1}}, "left.state: has 5 hp, more than its hp_max of 4"),
        (
            {"stats": {}, "state": {"hp": 1, "hp_max": 1, "atk": 1}},
            "left: has stats and state; use only one",
        ),
    ],
)
def test_a_fighter_that_cannot_be_is_refused(fighter, told):
    assert told in said(battle(fighter))


# What is worn.


@pytest.mark.parametrize(
    ("fighter", "told"),
    [
        (
            {"weapon": ["boomstick", "boomstick"]},
            "left.weapon: has 2 weapons; a fighter wears one: write it without brackets",
        ),
        ({"weapon": "horned_helm"}, 'left.weapon: "horned_helm" is an item, not a weapon'),
        ({"items": ["boomstick"]}, 'left.items.0: "boomstick" is a weapon, not an item'),
        ({"food": ["horned_helm"]}, 'left.food.0: "horned_helm" is an item, not food'),
        ({"upgrades": ["boomstick"]}, 'left.upgrades.0: "boomstick" is a weapon, not an upgrade'),
        ({"items": ["weapons/horned_helm"]}, 'left.items.0: "horned_helm" is an item, not a weapon'),
        ({"items": [item(bucket="food")]}, 'left.items.0.id: "thing" is food, not an item'),
        ({"items": [item("a", slot=2), item("b", slot=2)]}, "left: has two items in slot 2"),
        ({"items": [item(slot=13)]}, "left.items.0.slot: 13 is out of range: it must be at most 12"),
        ({"weapon": item(slot=1)}, "left: weapon: only items have slots"),
        ({"items": [item(f"i{n}") for n in range(13)]}, "left.items: has too many entries; at most 12 are allowed"),
        ({"food": [item(f"f{n}") for n in range(5)]}, "left.food: has too many entries; at most 4 are allowed"),
        ({"items": [item(unique=True), item(unique=True)]}, 'left: wears the unique item "thing" 2 times'),
        ({"items": [5]}, "left.items.0: 5 is neither a string nor a table"),
        ({"items": "horned_helm"}, 'left.items: "horned_helm" is not a list'),
        ({"items": [{"id": "nothing_said", "tier": "golden"}]}, 'left.items.0.id: there is no item "nothing_said"'),
    ],
)
def test_a_build_that_cannot_be_worn_is_refused(fighter, told):
    assert said(battle(fighter)) == [told]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (["deal"], 'deal needs amount: ["deal", amount, target]'),
        (["deal", 1, "enemy", 3], 'deal takes 2 arguments, not 3: ["deal", amount, target]'),
        (["onhit_remove_enemy_armor", 1], "onhit_remove_enemy_armor takes no arguments, not 1"),
        (["deal", "x"], 'amount: "x" is not an amount'),
        (["deal", "all"], 'amount: "all" is only for ops that take something away'),
        (["deal", 1, "enmy"], 'target: "enmy" is not one of self, enemy, both or random'),
        (["give", "hp", 1, "enemy"], 'status: "hp" is not one of freeze'),
        (["give", "poisn", 1, "enemy"], 'there is no status "poisn"'),
        (["give", "poison", 1], "give needs target"),
        (["gain", "luck", 1], 'stat: "luck" is not one of attack, armor, speed or health'),
        (["deal", 10_000], "amount: 10000 is out of range: it must be 0 to 9,999"),
        (["deal", 1, {"chance": 101}], "chance: 101 is out of range: it must be 0 to 100"),
        (["deal", 1, {"repeat": 21}], "repeat: 21 is out of range: it must be 1 to 20"),
        (["deal", 1, {"amount": 2}], "has amount twice, in the list and in the table at its end"),
        (["enemy_hp_to_enemy_armor_pct", 101], "percent: 101 is out of range: it must be 0 to 100"),
        (["retrigger", "on_hot"], 'there is no trigger "on_hot"'),
        ([], "has no name"),
        ([1], "has no name"),
        ("deal", "is neither an op such as"),
        ({"op": "deal", "amuont": 1}, 'deal takes no "amuont"'),
        ({"do": [], "n": 1}, "has 0 entries; at least 1 are needed"),
        ({"do": [["deal", 1]], "when": "wounded"}, "write the condition of an effect as `if`"),
        ({"do": [["deal", 1]], "per_trun": 1}, 'an effect has no key "per_trun"'),
    ],
)
def test_an_op_that_is_none_is_refused_at_its_place(wrong, told):
    found = complaints(battle({"items": [item(triggers={"on_hit": [["heal", 1], wrong]})]}))
    ((where, message, _), *_) = found
    assert where.startswith("left.items.0.triggers.on_hit.1")
    assert told in message


def test_a_tag_that_nothing_has_is_told_with_those_that_can_be_counted():
    counted = item(modifiers=[["attack", {"of": "tags.brewery"}]])
    asked = item(modifiers=[["attack", 1, {"if": "tags.brewery > 1"}], ["attack", 1, {"if": "tags.helms > 1"}]])
    ((_, message, hint),) = complaints(battle({"items": [counted]}))
    assert message == '"tags.brewery" cannot be counted: nothing has this tag'
    assert str(hint).startswith("only tags of items and sets can be counted, such as blade, blunt, ")
    hints = [str(hint) for _, _, hint in complaints(battle({"items": [asked]}))]
    assert hints[0].startswith("only tags of items and sets can be counted, such as blade, blunt, ")
    assert hints[1] == 'did you mean "tags.helm"?'
    # Whatever has it: the item itself, another one of the scenario, one of the enemy's.
    vat = item(tags=["brewery"])
    assert complaints(battle({"items": [{**counted, "tags": ["brewery"]}]})) == []
    assert complaints(battle({"items": [counted]}, {"items": [vat]})) == []
    assert complaints(battle({"items": [counted]}, items={"vat": {"tags": ["brewery"]}})) == []
    # Beside another complaint it is not told either.
    ((where, *_),) = complaints(battle({"items": [{**counted, "tags": ["brewery"]}], "shoes": "x"}))
    assert where == "left.shoes"


def test_an_op_without_a_list_around_it_is_told_once():
    found = complaints(battle({"items": [item(triggers={"on_hit": ["heal", 1]})]}))
    told = 'is a single op; put it in a list: [["heal", ...]]'
    assert found == [("left.items.0.triggers.on_hit", told, None)]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"flags": ["cant_atack"]}, 'left.flags: there is no flag "cant_atack"'),
        (
            {"flags": ["cant_attack", 1]},
            "left.flags: 1 belongs to no flag; write a number after the flag that takes it",
        ),
        (
            {"flags": ["on_damaged_deal_damage"]},
            'left.flags: on_damaged_deal_damage needs a number after it: ["on_damaged_deal_damage", 1]',
        ),
        ({"modifiers": ["thorns_kpt"]}, 'left.modifiers.0: there is no modifier "thorns_kpt"'),
        ({"modifiers": [["attack", 1, {"if": "self.hp <"}]]}, "left.modifiers.0.if: column 10: the condition ends"),
        (
            {"triggers": {"turn_start": [["onhit_gain_armor", 1]]}},
            "left.triggers: turn_start.0: onhit_gain_armor only works",
        ),
        ({"triggers": {"countdown": [["deal", 1]]}}, "left.triggers: countdown.0: countdown needs an n"),
        ({"triggers": {"pre": [{"n": 2, "do": [["deal", 1]]}]}}, "left.triggers: pre.0: pre takes no n"),
        ({"triggers": {"pre": [{"of": "acid", "do": [["deal", 1]]}]}}, "left.triggers: pre.0: pre takes no `of`"),
        (
            {"phases": [{"name": "Up", "stats": {}, "triggers": {"pre": [["deal", 1, {"if": "payload >"}]]}}]},
            "left.phases.0.triggers.pre.0.if: column 10: the condition ends",
        ),
    ],
)
def test_a_trait_that_is_none_is_refused(body, told):
    (found,) = said(battle(body))
    assert found.startswith(told)


# Enemies, bosses, share codes.


@pytest.mark.parametrize(
    ("fighter", "told"),
    [
        ({"boss": "nobody"}, 'left.boss: there is no boss "nobody"'),
        ({"level": 2}, "left: has a level, but only an enemy has levels"),
        ({"enemy": "snow_hare", "level": 4}, 'left.level: "snow_hare" has levels 1 to 3, not 4'),
        (
            {"enemy": "snow_hare", "weapon": "boomstick"},
            "left: has enemy and weapon; use only one of enemy, boss, code and a build",
        ),
        (
            {"enemy": "snow_hare", "stats": {"hp": 3}},
            "left: takes its enemy from the content, so it cannot set stats",
        ),
        ({"code": "X1AAAA"}, 'left.code: "X1AAAA" is not a share code: it does not start with R1'),
        ({"code": "R1A+"}, 'left.code: the share code contains "+"; only letters, digits, - and _ are allowed'),
        ({"code": "R1AAAAA"}, "left.code: the share code is cut short, or has extra characters"),
        (
            {"code": "R1AAAA"},
            "left.code: the share code has a wrong checksum: it was changed, or is cut short",
        ),
    ],
)
def test_somebody_who_is_not_there_is_refused(fighter, told):
    assert said(battle(fighter)) == [told]


@pytest.mark.parametrize("strange", ["Horned Helm", "", "items/", "/", "a b", "x" * 90, "items/weapons/x"])
def test_a_name_that_no_item_can_have_is_refused(strange):
    for document in (battle({"items": [strange]}), battle({"weapon": {"id": strange, "tier": "golden"}})):
        assert complaints(document)[0][0].startswith(("left.items.0", "left.weapon"))


STRANGE_IDS = ["weapon/boomstick", "ring/rusty_ring", "x" * 70]


@pytest.mark.parametrize("strange", STRANGE_IDS)
def test_a_reference_that_leads_nowhere_is_told_where_it_stands(tmp_path, strange):
    """Its shape is sound, and no item can have such an id."""
    for place in ("weapon", "items.0"):
        worn = strange if place == "weapon" else [strange]
        ((where, message, _),) = complaints(battle({place.removesuffix(".0"): worn}))
        assert (where, message[:17]) == (f"left.{place}", "there is no item ")
    build = written(tmp_path, f'weapon = "{strange}"', "build.toml")
    (problem,) = problems_of(examine, build, [], [], False)
    assert str(problem).startswith(f"{build}: weapon: there is no item ")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('items = [{ id = "horned_helm", slot = 2 }, { id = "rusty_ring", slot = 2 }]', "has two items in slot 2"),
        ('weapon = { id = "boomstick", slot = 1 }', "weapon: only items have slots"),
        ('items = ["lucky", "lucky"]', 'build: wears the unique item "lucky" 2 times'),
    ],
)
def test_a_build_file_that_cannot_be_worn_is_refused(tmp_path, text, told):
    pack = tmp_path / "pack"
    pack.mkdir()
    written(pack, '[[items]]\nid = "lucky"\nunique = true\nstats = { armor = 1 }\n', "own.toml")
    build = written(tmp_path, f"food = []\n{text}", "build.toml")
    assert [str(problem) for problem in problems_of(examine, build, [pack], [], False)] == [f"{build}: {told}"]


NONSENSE: list[Any] = [None, 5, "x", [], [[]], {"a": 1}, [None], {"triggers": 5}, [{"id": 5}]]


@pytest.mark.parametrize("key", ["left", "right", "items", "options", "profile"])
def test_nonsense_is_refused_as_input(key):
    """Whatever stands there, there is a complaint and no traceback."""
    for value in NONSENSE:
        assert complaints({**battle(), key: value}) or (key, value) == ("profile", None)


@pytest.mark.parametrize(
    "place", ["weapon", "items", "food", "stats", "state", "triggers", "flags", "modifiers", "code"]
)
def test_nonsense_in_a_fighter_is_refused_as_input(place):
    refused = [value for value in NONSENSE if complaints(battle({place: value}))]
    assert len(refused) >= len(NONSENSE) - 3


def test_a_bare_fighter_is_no_error():
    assert complaints(battle(), strict=True) == []


def test_an_item_of_its_own_has_its_key_for_an_id():
    own = {"spiked_cap": {"stats": {"armor": 2}}}
    assert complaints(battle({"items": ["spiked_cap"]}, items=own)) == []


def test_an_item_of_its_own_goes_by_its_key():
    assert said(battle(items={"a": item("b")})) == ['scenario: items.a has the id "b"; both must be the same']


def test_a_bad_item_that_nobody_wears_is_told_all_the_same():
    bad = item("a", triggers={"pre": [["deal", 1, {"if": "woundd"}]]})
    assert [where for where, _, _ in complaints(battle(items={"a": bad}))] == ["items.a.triggers.pre.0.if"]


def test_a_lost_name_beside_another_mistake_is_told_once():
    bad = item("woodpecker", triggers={"pre": [["deal", "much"]]})
    worn = ["woodpeker", {"id": "wodpecker", "tier": "golden"}]
    found = complaints(battle({"items": worn}, items={"woodpecker": bad}))
    places = ["items.woodpecker.triggers.pre.0", "left.items.0", "left.items.1.id"]
    assert sorted(where for where, _, _ in found) == places


HAND_WRITTEN = """
ruleset = "relics"

[items.cone]
stats = { speed = 31, armour = 2 }
triggers.battle_start = [["gain_armr", 3], ["heal", 3, { if = "enmy.armor > 1", chanec = 20, repeat = 0 }]]
triggers.countdown = [["heal", 1]]
modifiers = [["damage_taken", 1, { if = "self.hpp > 5" }]]

[items.acorn]
triggers.countdown = { do = [["heal", 1]] }
tags = "wood"

[left]
items = ["cone"]

[right]
"""


def test_an_item_with_one_mistake_is_told_all_its_others(tmp_path):
    problems = problems_of(fracas.load, written(tmp_path, HAND_WRITTEN))
    told = {problem.where.rpartition(": ")[2]: problem.message for problem in problems}
    assert set(told) == {
        "items.cone.stats.speed",
        "items.cone.stats.armour",
        "items.cone.triggers.battle_start.0",
        "items.cone.triggers.battle_start.1",
        "items.cone.triggers.battle_start.1.if",
        "items.cone.triggers.countdown.0",
        "items.cone.modifiers.0.if",
        "items.acorn.triggers",
        "items.acorn.tags",
    }
    assert len(problems) == len(told)
    op = told["items.cone.triggers.battle_start.1"]
    assert 'takes no "chanec"' in op
    assert "repeat: 0 is out of range" in op
    assert told["items.cone.triggers.countdown.0"].startswith("countdown needs an n")


def test_an_item_that_is_deeper_than_any_is_refused_like_another():
    deep: list[Any] = []
    for _ in range(50):
        deep = [deep]
    document = battle() | {"items": {"cone": {"tags": 3, "triggers": {"pre": deep}}}}
    assert {problem.where for problem in problems_of(fracas.load, document)} == {
        "scenario: items.cone.tags",
        "scenario: items.cone.triggers.pre.0",
    }
