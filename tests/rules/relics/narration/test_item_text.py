"""The texts of items say what the items do: they read well, and change with every number and word of the data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.helpers.relics_content import ITEMS, LIBRARY, bodies

from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.relics.content.models.items import Item, ItemSet
from fracas.rulesets.relics.content.op_forms import AmountOf
from fracas.rulesets.relics.content.vocabulary import AMOUNT_FACTS, VOCABULARY
from fracas.rulesets.relics.narration.item_text import item_lines, item_text
from fracas.rulesets.relics.narration.item_text_words import condition_words, for_each

# What no text may hold: places that were not filled, plurals not made, names that only files know, doubled words.
BROKEN = re.compile(r"[{}_]|\(s\)|None|  |\b(\w+) \1\b|\b1 (?:times|pieces|points|stacks|slots|turns|items|counts)\b")


def item(**parts: Any) -> Item:
    return Item.model_validate({"id": "test", **parts})


def text(tier: str = "normal", **parts: Any) -> str:
    return item_text(item(**parts), tier)


def on(trigger: str, *entries: Any, tier: str = "normal") -> str:
    return text(tier, triggers={trigger: list(entries)})


def test_every_text_reads_as_a_sentence():
    for body in bodies():
        for tier in ("normal", "golden", "diamond"):
            for line in item_lines(body, tier):
                assert not BROKEN.search(line), line
                assert line[0] in "+-" or line[0].isdigit() or line[0].isupper()
                assert line[-1] in ".:"
                assert len(line) < 200


@pytest.mark.parametrize(
    "line", ["Heal 1 more time(s).", "Strike 1 times.", "Lose all of of it.", "Deal {amount}.", "if x_y."]
)
def test_a_broken_text_would_be_found(line):
    assert BROKEN.search(line)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ({"stats": {"armor": 2, "speed": -1}}, "+2 armor, -1 speed."),
        ({}, "Does nothing."),
        ({"unique": True}, "You can wear only one."),
        (
            {"flags": ["cant_attack", "on_damaged_deal_damage", 2]},
            "You cannot attack. When damaged: deal 2 damage to the enemy.",
        ),
        ({"modifiers": [["attack", -2]]}, "2 less attack."),
        ({"modifiers": [["attack", 2, {"if": "wounded"}]]}, "2 more attack while you have at most half of your HP."),
        ({"modifiers": [["damage_taken_pct", -15]]}, "Take 15% less damage."),
        ({"modifiers": [["strikes", -1]]}, "Strike 1 fewer time each turn."),
        ({"modifiers": [["stacks_given", "poison", 2]]}, "Give 2 more Poison each time."),
        ({"modifiers": [["attack", {"of": "counter", "per": 2}]]}, "1 more attack for every 2 counts."),
        ({"modifiers": ["thorns_kept"]}, "You keep your Thorns."),
    ],
)
def test_parts_of_items_in_words(written, expected):
    assert text(**written) == expected


@pytest.mark.parametrize(
    ("trigger", "entries", "expected"),
    [
        ("battle_start", [["gain_armor", 8], ["gain_freeze", 2]], "Battle start: gain 8 armor, gain 2 Freeze."),
        ("battle_start", [["self_hp_plus", 1, {"repeat": 5}]], "Battle start: heal 1, 5 times."),
        ("battle_start", [["deal", 1, {"repeat": 2}]], "Battle start: deal 1 damage to the enemy twice."),
        (
            "on_hit",
            [{"chance": 20, "do": [["give", "stun", 1, "enemy"]]}],
            "On hit: give the enemy 1 Stun; 20% chance.",
        ),
        ("every_n_turns", [{"n": 1, "do": [["heal", 1]]}], "Every turn: heal 1."),
        (
            "every_n_strikes",
            [{"n": 3, "do": [["deal", 2, "both"]]}],
            "Every 3 strikes: deal 2 damage to both fighters.",
        ),
        ("countdown", [{"n": 3, "do": [["extra_strikes", 2]]}], "Countdown 3: strike 2 more times this turn."),
        ("wounded", [["extra_strikes", 1, "every_turn"]], "Wounded: strike 1 more time every turn from now on."),
        ("pre", [["remove", "each", "all", "enemy"]], "Before battle: remove all of each status from the enemy."),
        ("turn_start", [["move", "random", 1]], "Turn start: move 1 of a random status to the enemy."),
        ("turn_start", [["move", "poison", 1, "self"]], "Turn start: take 1 Poison from the enemy."),
        (
            "turn_end",
            [["convert", "random", "armor", "all"]],
            "Turn end: convert all of your stacks of a random status into armor.",
        ),
        ("exposed", [["lose", "speed", 2, "random"]], "Exposed: a random fighter loses 2 speed."),
        ("exposed", [["double", "armor", "both"]], "Exposed: double both fighters' armor."),
        ("status_gained", [{"of": "freeze", "do": [["heal", 1]]}], "When you gain Freeze: heal 1."),
        ("status_lost", [["heal", 1]], "When you lose a status: heal 1."),
        (
            "hp_lost",
            [{"if": "payload >= 5", "per_turn": 1, "do": [["heal", 1]]}],
            "When you lose HP: heal 1; if the loss is at least 5, once a turn.",
        ),
        (
            "on_overheal",
            [["gain_armor", {"of": "payload"}]],
            "When overhealed: gain 1 armor for each point of the excess.",
        ),
        (
            "battle_start",
            [["deal", {"of": "tags.fire", "times": 2}]],
            "Battle start: deal 2 damage to the enemy for each fire piece you wear.",
        ),
        (
            "turn_end",
            [{"per_battle": 2, "do": [["retrigger", "battle_start", "random", "ring"]]}],
            "Turn end: run “Battle start” of one of your other ring pieces at random again; at most twice a battle.",
        ),
        (
            "turn_start",
            [["heal", 1, {"if": "not faster", "chance": 50}]],
            "Turn start: heal 1 (if you are not faster, 50% chance).",
        ),
    ],
)
def test_effects_in_words(trigger, entries, expected):
    assert on(trigger, *entries) == expected


def test_tiers_multiply_what_they_multiply_and_nothing_else():
    entry = {
        "n": 3,
        "chance": 25,
        "per_turn": 2,
        "do": [["deal", 2, {"repeat": 3}], ["execute", 4], ["set_counter", 5]],
    }
    plain: dict[str, Any] = {
        "stats": {"armor": 2},
        "triggers": {"every_n_turns": [entry]},
        "modifiers": [["attack_pct", 20], ["attack", 1]],
    }
    assert text(**plain) == (
        "+2 armor. Every 3 turns: deal 2 damage to the enemy 3 times, execute the enemy at 4 HP or less, "
        "set the counter to 5; 25% chance, at most twice a turn. 20% more attack. 1 more attack."
    )
    assert text("diamond", **plain) == (
        "+8 armor. Every 3 turns: deal 8 damage to the enemy 3 times, execute the enemy at 4 HP or less, "
        "set the counter to 5; 25% chance, at most twice a turn. 20% more attack. 4 more attack."
    )


def test_amounts_that_are_percentages_do_not_grow():
    assert for_each(AmountOf(of="self.armor", times=50, per=100), 4) == (1, " for every 2 points of armor you have")
    assert for_each(AmountOf(of="self.armor", times=1, per=4), 4) == (1, " for each point of armor you have")
    assert for_each(AmountOf(of="self.armor", times=2, per=3), 1)[1].endswith(", rounded down")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("have_armor and not enemy_has_poison", "you have armor and the enemy has no Poison"),
        ("not (have_armor and faster)", "you have no armor or you are not faster"),
        ("have_armor and (faster or slower)", "you have armor and (you are faster or the enemy is faster)"),
        ("even_turn", "your turn is even"),
        ("odd_turn", "your turn is odd"),
        ("first_strike", "it is the first strike of the turn"),
        ("turn_gte_5", "the turn is at least 5"),
        ("self.own_turn <= 1", "you have had at most 1 turn"),
        ("self.empty_slots < 2", "you have fewer than 2 empty slots"),
        ("tags.fire >= 3", "you wear at least 3 fire pieces"),
        ("enemy_hp_below_30", "the enemy has less than 30% of its HP"),
        ("self.was_exposed", "you have been exposed"),
        ("self.armor > enemy.armor", "your armor is more than the enemy's"),
        ("not enemy.thorns < self.thorns", "the enemy's Thorns is at least yours"),
        ("self.items == enemy.items", "the number of your items is exactly the enemy's"),
        ("self.speed > counter", "your speed is more than the counter"),
        ("tags.ring >= enemy.phase", "the number of your ring pieces is at least the enemy's phase"),
        ("self.hp_pct < enemy.hp_pct", "your share of HP is less than the enemy's"),
        ("self.attack < 0", "you have less than 0 attack"),
        ("self.speed <= -3", "you have at most -3 speed"),
        ("self.speed > -3", "you have more than -3 speed"),
        ("not self.hp > 4", "you have at most 4 HP"),
        ("always", "always"),
        ("not always", "never"),
    ],
)
def test_conditions_in_words(condition, expected):
    assert condition_words(condition) == expected


def test_there_are_words_for_all_that_can_be_asked_and_counted():
    for fact in VOCABULARY.facts:
        assert not BROKEN.search(condition_words(fact.example, "on_hit"))
    for name in AMOUNT_FACTS:
        assert not BROKEN.search(for_each(AmountOf(of=name, per=3), 1, "on_hit")[1])


def test_what_is_no_condition_has_no_words():
    with pytest.raises(InputError, match=r"self\.hp_pct"):
        condition_words("self.hp_pct > 300")


# Every number and every word of an item shows in its text.
OTHER_WORDS = {
    "target": {"self": "enemy", "enemy": "self", "both": "enemy", "random": "self"},
    "when": {"now": "next_turn", "next_turn": "every_turn", "every_turn": "now"},
    "which": {"all": "left", "left": "right", "right": "random", "random": "all"},
    "stat": {"attack": "armor", "armor": "speed", "speed": "health", "health": "attack"},
}


def changed_items(entry: Item) -> Iterator[tuple[str, Item]]:
    """The item with one thing changed, for each thing that can be."""
    plain = entry.model_dump(by_alias=True, exclude_none=True)

    def changes(node: Any, path: str) -> Iterator[tuple[str, Any]]:
        if isinstance(node, dict):
            for key, value in node.items():
                for where, other in changes(value, f"{path}.{key}"):
                    yield where, {**node, key: other}
                if str(value) in OTHER_WORDS.get(key, {}):
                    yield f"{path}.{key}", {**node, key: OTHER_WORDS[key][value]}
                if key == "if":
                    yield f"{path}.if", {name: each for name, each in node.items() if name != "if"}
        elif isinstance(node, list):
            for place, value in enumerate(node):
                for where, other in changes(value, f"{path}.{place}"):
                    yield where, [*node[:place], other, *node[place + 1 :]]
        elif isinstance(node, int) and not isinstance(node, bool):
            yield path, node + 1 if node != 99 else 98

    for part in ("stats", "triggers", "flags", "modifiers"):
        for where, other in changes(plain.get(part, {}), part):
            yield where, Item.model_validate({**plain, part: other})


def test_every_number_and_word_of_an_item_shows_in_its_text():
    tried = 0
    for entry in ITEMS.values():
        shown = item_text(entry)
        for where, other in changed_items(entry):
            tried += 1
            assert item_text(other) != shown, f"{entry.id}: {where}"
    assert tried > 500


def test_a_set_says_what_it_takes():
    found = ItemSet.model_validate({"id": "test", "tag": "gem", "pieces": 1, "stats": {"armor": 1}})
    assert item_lines(found) == ["With 1 gem piece:", "+1 armor."]


def test_entries_are_shown_with_their_texts():
    relics = registry.get("relics")
    lines = relics.describe_entry(LIBRARY.of("bosses")["lamplighter"])
    assert lines[-1].startswith("Phase 2, The Burning House: Battle start: deal 4 damage to the enemy.")
    assert relics.describe_entry(LIBRARY.of("profiles")["game"]) == []
    assert registry.get("squads").describe_entry(object()) == ()
