"""What builds become: stats, tiers, sets, states, pieces, amounts and facts. README, Builds, Conditions."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics_fights import Fight, after, build, document, fighter, item, of

from fracas.errors import InputError
from fracas.rulesets.relics.content.compile import compile_battle
from fracas.rulesets.relics.content.vocabulary import VOCABULARY
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules import events as told


def test_a_bare_fighter() -> None:
    assert Fight(build()).set_up().left.has(hp=20, hp_max=20, attack=1, armor=0, speed=1)


def test_stats_are_summed() -> None:
    """The fighter's own, those of weapon, upgrades, items and food times their tiers, and those of sets."""
    pieces = [item("i", stats={"attack": 1, "armor": 2}, tier="golden"), item("j", stats={"speed": -3})]
    left = build(
        *pieces, stats={"health": 30, "attack": 5, "armor": 1, "speed": 2},
        weapon=item("w", stats={"attack": 3}, tier="diamond"),
        upgrades=[item("u", stats={"armor": 1})], food=[item("f", stats={"health": 4}, tier="golden")],
        sets=[{"id": "s", "name": "s", "stats": {"speed": 10}}],
    )  # fmt: skip
    assert Fight(left).set_up().left.has(hp=38, hp_max=38, attack=5 + 2 + 12, armor=1 + 4 + 1, speed=2 - 3 + 10)


@pytest.mark.parametrize(
    ("stats", "found"),
    [
        ({"armor": -5}, {"armor": 0}),
        ({"attack": -999}, {"attack": -998}),
        ({"health": -19}, {"hp": 1}),
        ({"armor": 9999, "attack": 9999}, {"armor": 9999, "attack": 9999}),
    ],
)
def test_stats_are_held(stats: dict[str, int], found: dict[str, int]) -> None:
    assert Fight(build(item("i", stats=stats))).set_up().left.has(**found)
    twice = [item(name, stats=stats, tier="diamond") for name in "ab"]
    if "health" not in stats:
        least = -999 if "attack" in stats and stats["attack"] < 0 else 0
        assert Fight(build(*twice)).set_up().left["attack"] >= least


@pytest.mark.parametrize("health", [-20, -999])
def test_a_fighter_needs_hp(health: int) -> None:
    with pytest.raises(InputError, match=r"left: has .* HP with everything it wears"):
        Fight(build(item("i", stats={"health": health})))


def test_a_state_is_all_there_is() -> None:
    """Stats of pieces are not added; what they do holds as ever; base values are the state's."""
    piece = item("i", stats={"attack": 9}, battle_start=[["lose", "attack", 2], ["restore", "attack"]])
    fight = Fight(fighter(piece, attack=3, exposed_triggered=True, struck_this_turn=True)).set_up()
    assert fight.told == ["attack of left -2", "attack of left +2"]
    assert fight.left.has(attack=3, exposed=1, struck=1, wounded=0)


# Tier, an op or modifier, and what it does at that tier: x1, x2, x4.
@pytest.mark.parametrize(
    ("op", "left", "lines"),
    [
        (["gain_armor", 3], {}, ["armor of left +{3x}"]),
        (["gain", "armor", {"of": "self.hp", "per": 10}], {}, ["armor of left +{2x}"]),
        # `per` 100 is a percentage: tiers leave it alone.
        (["gain", "armor", {"of": "self.hp", "times": 10, "per": 100}], {}, ["armor of left +2"]),
        (["set", "armor", 3], {}, ["armor of left +3"]),
        (["set_counter", 3], {}, ["counter of thing +3"]),
        (["execute", 5], {"_right": 6}, []),
        (["enemy_hp_to_enemy_armor_pct", 10], {}, ["hp of right -2", "armor of right +2"]),
        (["gain_armor", 1, {"repeat": 2}], {}, ["armor of left +{1x}", "armor of left +{1x}"]),
        (["lose", "armor", 3], {"armor": 20}, ["armor of left -{3x}"]),
        (["extra_strikes", 1], {}, ["{1x} strikes for left next_turn"]),
    ],
)
@pytest.mark.parametrize(("tier", "factor"), [("normal", 1), ("golden", 2), ("diamond", 4)])
def test_tiers(op: Any, left: dict[str, int], lines: list[str], tier: str, factor: int) -> None:
    hp = left.pop("_right", 20) if "_right" in left else 20
    one = fighter(item("thing", battle_start=[op], tier=tier), **left)
    expected = [line.format(**{f"{n}x": n * factor for n in (1, 2, 3)}) for line in lines]
    assert Fight(one, fighter(hp=hp, wounded_triggered=True)).set_up().told == expected


@pytest.mark.parametrize(("tier", "factor"), [("normal", 1), ("golden", 2), ("diamond", 4)])
def test_tiers_of_modifiers_and_flags(tier: str, factor: int) -> None:
    keen = item("keen", modifiers=[["attack", 2], ["attack_pct", 50]], flags=["on_damaged_gain_thorns", 2], tier=tier)
    fight = Fight(fighter(keen, speed=1), fighter(thorns=1)).struck()
    (attack,) = of(fight.events, told.Attack)
    assert (attack.bonus, attack.percent) == (2 * factor, 50)
    assert f"thorns of left +{2 * factor}" in fight.told


def test_tiers_leave_n_limits_and_chances_alone() -> None:
    clock = item(
        "clock", countdown=[{"n": 2, "per_battle": 1, "chance": 100, "do": [["gain_armor", 1]]}], tier="diamond"
    )
    fight = Fight(fighter(clock, speed=1)).set_up().turn().turn().turn()
    assert fight.left["armor"] == 4


def test_products_are_held() -> None:
    one = fighter(item("thing", battle_start=[["gain_armor", 9000]], tier="diamond"))
    assert Fight(one).set_up().left["armor"] == 9999


def test_a_fighter_s_tier_is_its_trait_s() -> None:
    trait: Any = {"triggers": {"battle_start": [["gain_armor", 1]]}}
    plain = item("thing", battle_start=[["gain_speed", 1]])
    assert Fight(fighter(plain, tier="diamond", **trait)).set_up().left.has(armor=4, speed=1)


def test_firing_order_is_by_entry_then_flag_within_a_piece() -> None:
    piece = item("i", on_damaged=[["gain_armor", 1], {"do": [["gain_speed", 1]]}], flags=["on_damaged_gain_thorns", 1])
    fight = Fight(fighter(piece), fighter(item("axe", battle_start=[["deal", 1]]))).set_up()
    assert fight.told[1:] == ["armor of left +1", "speed of left +1", "thorns of left +1"]


# Fact, what its owner must be like, the right fighter, and its value.
FACTS: list[tuple[str, dict[str, Any], dict[str, Any], int]] = [
    *((f"self.{name}", {name: 7}, {}, 7) for name in codes.QUANTITIES if name not in ("hp", "hp_max")),
    *((f"enemy.{name}", {}, {name: 7}, 7) for name in codes.QUANTITIES if name not in ("hp", "hp_max")),
    ("self.hp", {"hp": 7}, {}, 7),
    ("self.hp_max", {"hp": 7}, {}, 20),
    ("enemy.hp", {}, {"hp": 7}, 7),
    ("enemy.hp_max", {}, {"hp": 30}, 30),
    ("self.hp_missing", {"hp": 7}, {}, 13),
    ("enemy.hp_missing", {}, {"hp": 7}, 13),
    *((f"self.base_{name}", {name: 3}, {}, 3) for name in ("attack", "armor", "speed")),
    *((f"enemy.base_{name}", {}, {name: 3}, 3) for name in ("attack", "armor", "speed")),
    ("self.items", {}, {}, 1),
    ("self.empty_slots", {}, {}, 11),
    ("enemy.items", {}, {}, 0),
    ("enemy.empty_slots", {}, {}, 12),
    ("self.phase", {}, {}, 1),
    ("enemy.phase", {}, {}, 1),
    ("self.strikes_made", {}, {}, 0),
    ("enemy.strikes_made", {}, {}, 0),
    ("self.own_turn", {}, {}, 0),
    ("enemy.own_turn", {}, {}, 0),
    ("turn", {}, {}, 0),
    ("strike", {}, {}, 0),
    ("payload", {}, {}, 0),
    ("counter", {}, {}, 0),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "left", "right", "value"), FACTS, ids=[row[0] for row in FACTS])
def test_fact_in_amounts_and_conditions(fact: str, left: Any, right: Any, value: int) -> None:
    counted = after([["set_counter", 0], ["gain", "health", {"of": fact}]], left, right)
    assert counted.left["hp_max"] == 20 + value
    for condition, count in ((f"{fact} == {value}", 1), (f"{fact} != {value}", 0)):
        assert after(["count", 1, {"if": condition}], left, right).told.count("counter of thing +1") == count


@pytest.mark.parametrize(
    ("condition", "left", "right", "holds"),
    [
        ("self.hp_pct <= 50", {"hp": 10}, {}, True),
        ("self.hp_pct <= 49", {"hp": 10}, {}, False),
        ("enemy.hp_pct < 50", {}, {"hp": 9}, True),
        ("self.struck", {"struck_this_turn": True}, {}, True),
        ("self.struck", {}, {"struck_this_turn": True}, False),
        ("enemy.struck", {}, {"struck_this_turn": True}, True),
        ("self.was_exposed", {"exposed_triggered": True}, {}, True),
        ("self.was_wounded", {"wounded_triggered": True}, {}, True),
        ("enemy.was_exposed", {}, {"exposed_triggered": True}, True),
        ("enemy.was_wounded", {}, {"exposed_triggered": True}, False),
        ("self.faster", {"speed": 1}, {}, True),
        ("self.faster", {}, {}, False),
        ("enemy.faster", {}, {"speed": 1}, True),
        ("first_turn", {}, {}, False),
        ("is_own_turn", {}, {}, False),
        ("even_turn", {}, {}, True),
        ("odd_turn", {}, {}, False),
        ("have_armor and enemy_no_armor", {"armor": 1}, {}, True),
        ("full_hp or enemy_full_hp", {"hp": 1}, {"hp": 1}, False),
        ("self_has_poison and not enemy_has_poison", {"poison": 1}, {}, True),
        ("enemy_lacks_stun", {}, {"stun": 1}, False),
        ("self_hp_below_30", {"hp": 5}, {}, True),
        ("turn_gte_1", {}, {}, False),
        ({"all": ["always", {"not": "wounded"}]}, {}, {}, True),
    ],
)
def test_condition(condition: Any, left: Any, right: Any, holds: bool) -> None:
    fight = after(["count", 1, {"if": condition}], left, right)
    assert ("counter of thing +1" in fight.told) is holds


def test_facts_of_a_turn() -> None:
    """On hit, in the second turn of the left: everything that only turns know."""
    counts = ["turn", "strike", "payload", "self.own_turn", "enemy.own_turn", "self.strikes_made"]
    piece = item("i", on_hit=[["gain", "health", {"of": fact}, {"if": "turn == 3"}] for fact in counts])
    flags = item("j", on_hit=[["count", 1, {"if": "is_own_turn and first_turn"}]])
    fight = Fight(fighter(piece, flags, attack=2, hp=50, speed=1), fighter(hp=50)).set_up()
    fight.turn()
    assert "counter of j +1" in fight.told
    fight.turn().turn()
    grown = [each.change for each in of(fight.events, told.Change) if each.quantity == "hp_max"]
    assert grown == [3, 1, 2, 2, 1, 2]
    assert "counter of j +1" not in fight.told


def test_tags_are_counted() -> None:
    """Weapon, upgrades, items and food; sets have none."""
    gem = {"tags": ["gem"]}
    left = fighter(
        item("i", battle_start=[["gain", "armor", {"of": "tags.gem"}]], **gem), item("k", tags=["gem", "ring"]),
        weapon=item("w", **gem), upgrades=[item("u", **gem)], food=[item("f", **gem)],
    )  # fmt: skip
    assert Fight(left).set_up().left["armor"] == 5


def test_every_fact_is_here() -> None:
    seen = {row[0] for row in FACTS} | {f"tags.{tag}" for tag in codes.TAGS}
    seen |= {
        f"{who}.{name}"
        for who in ("self", "enemy")
        for name in ("hp_pct", "struck", "was_exposed", "was_wounded", "faster")
    }
    assert seen | {"first_turn", "is_own_turn"} == {fact.name for fact in VOCABULARY.facts}


@pytest.mark.parametrize(
    ("chance", "expected"), [({}, 1), ({"chance": 0}, 1), ({"chance": 100}, 1), ({"chance": 50}, 0)]
)
def test_deterministic_unless_something_can_draw(chance: dict[str, int], expected: int) -> None:
    op = ["gain_armor", 1, chance] if chance else ["gain_armor", 1]
    assert Fight(fighter(item("i", turn_end=[op]))).record.deterministic == expected
    assert Fight(fighter(item("i", turn_end=[{**chance, "do": [["gain_armor", 1]]}]))).record.deterministic == expected


@pytest.mark.parametrize(
    "op",
    [
        ["give", "acid", 1, "random"],
        ["remove", "random", 1, "enemy"],
        ["convert", "random", "armor", 1],
        ["retrigger", "pre", "random"],
    ],
)
def test_whatever_is_random_can_draw(op: Any) -> None:
    assert Fight(fighter(item("i", turn_end=[op]))).record.deterministic == 0


def test_a_random_tie_breaker_can_draw() -> None:
    assert Fight(fighter(), tie_breaker="random").record.deterministic == 0


def test_a_deterministic_battle_draws_no_word() -> None:
    piece = item("i", turn_start=[["gain_armor", 1]], on_hit=[["deal", 1]])
    result = Fight(fighter(piece, attack=2), fighter(attack=3)).play()
    assert result.blocks_drawn == 0


def test_an_unknown_name_in_a_condition_is_an_error() -> None:
    wrong = item("i", turn_end=[["gain_armor", 1, {"if": "self_has_armour"}]])
    with pytest.raises(InputError, match=r"left\.items\.0\.triggers\.turn_end\.0\.do\.0\.if"):
        compile_battle(document(fighter(wrong), fighter()), {})


def test_there_is_room_for_so_much_and_no_more() -> None:
    many = [
        item(f"i{n}", **{name: [{"do": [["gain_armor", 1]] * 16}] * 16 for name in list(codes.TRIGGERS)[:5]})
        for n in range(12)
    ]
    with pytest.raises(InputError) as caught:
        compile_battle(document(fighter(*many), fighter(*many)), {})
    text = str(caught.value)
    assert "1,024 effects" in text
    assert "4,096 ops" in text


def test_names_of_sources_differ() -> None:
    pieces = [item("i"), item("i"), item("poison")]
    names = Fight(fighter(*pieces)).compiled.books["source"]
    assert len(set(filter(None, names))) == len(list(filter(None, names)))


def test_tags_of_one_s_own_are_counted() -> None:
    cogs = [item(f"cog{number}", tags=["clockwork", "gem"]) for number in range(2)]
    wind = item(
        "key",
        tags=["clock-work"],
        battle_start=[["gain_armor", {"of": "tags.clockwork", "times": 3}], ["gain_speed", {"of": "tags.spring"}]],
        modifiers=[["attack", 4, {"if": "tags.clockwork >= 2 and tags.gem == tags.clockwork"}]],
    )
    fight = Fight(fighter(*cogs, wind, speed=1), fighter(item("cog", tags=["clockwork"]))).struck()
    assert fight.left.has(armor=6, speed=1)
    assert fight.right["hp"] == 16


def test_so_many_tags_of_one_s_own_are_counted_and_no_more() -> None:
    def counting(most: int) -> Any:
        counts = [["gain_armor", {"of": f"tags.own{number:02}"}] for number in range(most)]
        return fighter(item("tally", tags=["own21"], battle_start=counts[:16], turn_start=counts[16:]))

    assert Fight(counting(codes.OWN_TAGS)).set_up().begin().left["armor"] == 1
    with pytest.raises(InputError, match="count 22 own tags; this one counts 23"):
        Fight(counting(codes.OWN_TAGS + 1))


@pytest.mark.parametrize("word", ["always", "and", "multiple_of"])
def test_a_tag_may_be_a_word_of_conditions_but_cannot_be_counted(word: str) -> None:
    assert Fight(build(item("charm", tags=[word], stats={"armor": 2}))).set_up().left["armor"] == 2
    counting = item("tally", tags=[word], battle_start=[{"do": [["gain_armor", 1]], "if": f"tags.{word} > 0"}])
    with pytest.raises(InputError, match=r"left\.items\.0\.triggers\.battle_start\.0\.if: "):
        Fight(build(counting))


def test_the_product_of_a_stat_and_a_tier_is_held_before_it_is_added() -> None:
    pieces = [item("i", stats={"armor": 3000}, tier="diamond"), item("j", stats={"armor": -500}, tier="diamond")]
    assert Fight(build(*pieces)).set_up().left["armor"] == 9_999 - 999
