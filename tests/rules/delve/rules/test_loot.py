"""README, Rewards, An item, and Enhancement: when loot is found, how an item is made, and that it can be proved."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak
from tests.helpers.delve_fights import (
    Fight,
    attack,
    combat,
    decision,
    difficulty,
    foe,
    item,
    journey,
    member,
    names,
    of,
    only,
    row,
    span,
)
from tests.helpers.scripted_dice import PEEKED, scripted_dice

from fracas.kernel.dice import dice_t, open_address, seek_stream, word
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source
from fracas.rulesets.delve.rules.constants import CHEST_LANE, FIRST_EXTRA_LANE, LOOT_LANE, RARITIES, REWARD_TICK, TIERS
from fracas.rulesets.delve.rules.events import Bonus, Item, LootRoll, Origin, Reward
from fracas.rulesets.delve.rules.run import loot
from fracas.rulesets.shared.seeds import key_words

REST = {"type": "rest"}
# One seed in 10^9 would be beyond this many standard deviations.
FAR = 6.1


def bonus(name: str, *amounts: int, **values: Any) -> dict[str, Any]:
    return {"id": name, "name": name.title(), "stat": "might", "amounts": list(amounts or (1, 2, 3, 5)), **values}


def place(run: Fight, book: str, name: str) -> int:
    return list(run.compiled.books[book]).index(name)


def rolled(run: Fight, *rolls: str, lane: int = LOOT_LANE, chance: int = 100) -> list[Any]:
    """A roll for loot at the rewards of the first encounter, from the table of the quest."""
    run.record.tick = REWARD_TICK
    run.record.table = place_of_table(run, "bag")
    return run.told(
        lambda: loot.roll_loot(run.record, chance, 0, lane, run.log), f"open({REWARD_TICK}, {lane})", *rolls
    )


def place_of_table(run: Fight, name: str) -> int:
    return list(run.document["loot_tables"]).index(name)


# When there is an item.


@pytest.mark.parametrize(
    ("chance", "roll", "found"),
    [(0, 1, False), (1, 1, True), (1, 2, False), (40, 40, True), (40, 41, False), (100, 100, True)],
)
def test_an_item_is_found_if_the_roll_is_within_the_chance(chance: int, roll: int, found: bool) -> None:
    run = journey([member("a")], REST)
    picks = ["pick=0", "pick=0"] if found else []
    events = rolled(run, f"d100={roll}", *picks, chance=chance)
    told = only(events, LootRoll)
    assert (told.roll, told.chance, told.source, told.lane) == (roll, chance, "encounter", LOOT_LANE)
    assert names(events) == ["loot_roll", *(["item", "origin"] if found else [])]
    assert run.record.drop_count == int(found)


@pytest.mark.parametrize(
    ("chance", "share", "reduced", "expected"),
    [(60, 50, False, 60), (60, 50, True, 30), (55, 33, True, 18), (60, 0, True, 0)],
)
def test_a_fight_that_was_only_survived_lowers_the_chance(
    chance: int, share: int, reduced: bool, expected: int
) -> None:
    plain = difficulty(loot_chance=chance)
    run = journey([member("a")], REST, REST, difficulty=plain, options={"survived_share": share})
    run.record.outcome, run.record.reduced = 1, int(reduced)
    events = run.move_on(f"open({run.rewards}, loot)", "d100=100")
    assert only(events, LootRoll).chance == expected


def test_an_encounter_may_have_no_loot_and_extra_rolls_all_the_same() -> None:
    brings = {"success": {"loot_rolls": 3}}
    run = journey([member("a")], decision(brings, loot=False), REST, difficulty=difficulty(loot_chance=50))
    run.encounter()
    rolls = [f"open({REWARD_TICK}, {FIRST_EXTRA_LANE + place})" for place in range(3)]
    events = run.move_on(rolls[0], "d100=51", rolls[1], "d100=50", "pick=0", "pick=0", rolls[2], "d100=100")
    assert [(told.roll, told.source, told.lane) for told in of(events, LootRoll)] == [
        (51, "extra", 0xFF10),
        (50, "extra", 0xFF11),
        (100, "extra", 0xFF12),
    ]
    assert only(events, Item).source == "extra"


def test_the_roll_of_the_encounter_comes_before_the_extra_ones_and_after_the_reward() -> None:
    run = journey([member("a")], decision({"success": {"loot_rolls": 1}}), REST)
    run.encounter()
    events = run.move_on(f"open({REWARD_TICK}, loot)", "d100=50", f"open({REWARD_TICK}, 65296)", "d100=50")
    assert names(events) == ["reward", "loot_roll", "loot_roll"]
    assert [told.source for told in of(events, LootRoll)] == ["encounter", "extra"]
    assert only(events, Reward).gold == 0


# Which table.


TABLES = {name: [row(f"{name}-thing")] for name in ("own", "boss", "first", "chest")}
THINGS = [item(f"{name}-thing") for name in TABLES]


@pytest.mark.parametrize(
    ("encounter", "found"),
    [
        (REST, "pebble"),
        ({**REST, "loot_table_id": "own"}, "own-thing"),
        (combat(foe("x")), "pebble"),
        (combat(foe("x", loot_table_id="first"), foe("y")), "first-thing"),
        (combat(foe("x"), foe("y", loot_table_id="first")), "pebble"),
        (combat(foe("x", loot_table_id="first"), foe("y", boss=True, loot_table_id="boss")), "boss-thing"),
        (combat(foe("x", loot_table_id="first"), foe("y", boss=True)), "first-thing"),
        (combat(foe("x", boss=True, loot_table_id="boss"), loot_table_id="own"), "own-thing"),
        (decision({"success": {"ambush": [foe("x", loot_table_id="first")]}}), "first-thing"),
        (decision({"success": {"ambush": [foe("x", loot_table_id="first")]}}, loot_table_id="own"), "own-thing"),
    ],
)
def test_the_first_table_that_there_is_counts(encounter: dict[str, Any], found: str) -> None:
    sure: dict[str, Any] = {"might": 255, "luck": 255, "queue": ["jab"]}
    run = journey(
        [member("a", **sure)],
        encounter,
        REST,
        skills=[attack("jab", damage=(500, 500))],
        items=THINGS,
        tables=TABLES,
        difficulty=difficulty(loot_chance=100),
    )
    run.play()
    assert of(run.events(), Item)[0].item == found


@pytest.mark.parametrize(("chest", "found"), [(None, "pebble"), ("chest", "chest-thing")])
def test_the_chest_is_filled_from_its_own_table_or_the_quests(chest: str | None, found: str) -> None:
    run = journey([member("a")], REST, items=THINGS, tables=TABLES, chest=chest)
    run.encounter()
    events = run.move_on(f"open({REWARD_TICK}, loot)", "d100=50", f"open({REWARD_TICK}, chest)", "pick=0", "pick=0")
    assert names(events) == ["reward", "loot_roll", "item", "origin"]
    assert (only(events, Item).item, only(events, Item).source) == (found, "chest")
    assert only(events, Origin).lane == CHEST_LANE


# An item.


def workshop(**counts: int) -> Fight:
    """A run whose table holds a ring and a sword in all rarities; some bonuses are for one of them only."""
    rarities = dict.fromkeys(RARITIES, 1)
    return journey(
        [member("a")],
        REST,
        items=[item("ring"), item("sword", "main_hand")],
        tables={"bag": [row("ring", 1, **rarities), row("sword", 1, **rarities)]},
        bonuses=[bonus("of-all"), bonus("of-swords", 10, 20, 30, 40, slots=["main_hand"])],
        bonus_counts=counts,
    )


def picks(run: Fight, template: int, rarity: str, *bonuses: tuple[str, str]) -> list[str]:
    numbers = [template, RARITIES.index(rarity)]
    for name, tier in bonuses:
        numbers += [place(run, "bonus", name), TIERS.index(tier)]
    return [f"pick={number}" for number in numbers]


def test_template_then_rarity_then_bonus_and_tier_by_turns() -> None:
    run = workshop(rare=2)
    bonuses = (("of-swords", "major"), ("of-all", "minor"))
    events = rolled(run, "d100=1", *picks(run, 1, "rare", *bonuses))
    told = only(events, Item)
    assert (told.item, told.rarity, told.bonuses, told.source) == ("sword", "rare", 2, "encounter")
    assert [(row.bonus, row.tier, row.amount) for row in of(events, Bonus)] == [
        ("of-swords", "major", 30),
        ("of-all", "minor", 1),
    ]
    assert names(events) == ["loot_roll", "item", "origin", "bonus", "bonus"]
    drop = run.record.drops[0]
    assert (drop.template, drop.rarity, drop.bonus_count) == (place(run, "item", "sword"), 2, 2)
    assert (drop.tick, drop.lane, drop.word) == (REWARD_TICK, LOOT_LANE, PEEKED)


def test_the_same_bonus_may_come_twice() -> None:
    run = workshop(common=2)
    events = rolled(run, "d100=1", *picks(run, 0, "common", ("of-all", "minor"), ("of-all", "grand")))
    assert [row.amount for row in of(events, Bonus)] == [1, 5]


@pytest.mark.parametrize("rarity", RARITIES)
def test_each_rarity_has_its_number_of_bonuses(rarity: str) -> None:
    counts = {name: number for number, name in enumerate(RARITIES)}
    run = workshop(**counts)
    events = rolled(run, "d100=1", *picks(run, 0, rarity, *[("of-all", "minor")] * counts[rarity]))
    assert (only(events, Item).rarity, len(of(events, Bonus))) == (rarity, counts[rarity])


def test_an_item_that_no_bonus_fits_has_none_and_draws_nothing_for_them() -> None:
    run = workshop(rare=3)
    ring = run.record.templates[place(run, "item", "ring")]
    ring.bonus_weights[:] = ring.bonus_total = 0
    assert only(rolled(run, "d100=1", *picks(run, 0, "rare")), Item).bonuses == 0


def weights_seen(run: Fight, *answers: int) -> list[list[int]]:
    """The weights that an item's picks are made with, answered so."""
    seen: list[list[int]] = []
    pending = list(answers)

    def pick(dice: Any, weights: Any) -> int:
        seen.append([int(weight) for weight in weights])
        return pending.pop(0)

    run.record.tick = REWARD_TICK
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loot, "pick", pick)
        loot.generate_item(run.record, place_of_table(run, "bag"), 0, LOOT_LANE, 0, None)
    return seen


def test_the_weights_of_a_table_under_a_difficulty() -> None:
    run = journey(
        [member("a")],
        REST,
        items=[item("ring"), item("cap", "head")],
        tables={"bag": [row("ring", 3, common=60, rare=10, artifact=1), row("cap", 5, uncommon=2)]},
        difficulty=difficulty(rarity={"common": 80, "rare": 150, "legendary": 900}, loot_chance=0),
        bonus_counts={"uncommon": 1},
        bonuses=[bonus("of-all", weight=7), bonus("of-rings", weight=9, slots=["ring"])],
    )
    assert [each[:6] for each in weights_seen(run, 0, 0)] == [[3, 5, 0, 0, 0, 0], [4800, 0, 1500, 0, 0, 100]]
    template, rarity, bonuses, tier = weights_seen(run, 1, 1, place(run, "bonus", "of-all"), 0)
    assert (template[:3], rarity) == ([3, 5, 0], [0, 200, 0, 0, 0, 0])
    assert bonuses[place(run, "bonus", "of-all")] == 7
    assert bonuses[place(run, "bonus", "of-rings")] == 0
    assert tier == [1, 0, 0, 0]


# Proof.


def test_an_item_can_be_rolled_again_from_its_address_alone() -> None:
    brings = {"success": {"loot_rolls": 4}}
    bonuses = [bonus(f"of-{number}", weight=number) for number in range(1, 5)]
    run = journey(
        [member("a")],
        *[decision(brings)] * 6,
        items=[item("ring"), item("sword", "main_hand")],
        tables={"bag": [row("ring", 2, common=5, rare=4), row("sword", 3, uncommon=1, artifact=3)]},
        difficulty=difficulty(loot_chance=60),
        bonuses=bonuses,
        bonus_counts={"rare": 2, "artifact": 4},
    )
    run.play(77)
    found = run.record.drops[: run.record.drop_count].copy()
    assert len(found) > 12
    assert {int(drop.lane) for drop in found} == {LOOT_LANE, CHEST_LANE, *range(FIRST_EXTRA_LANE, FIRST_EXTRA_LANE + 4)}
    dice: Any = np.zeros(1, dice_t)[0]
    dice.key[:] = key_words(run.document["seed"])
    seek_stream(dice, 77)
    for drop in found:
        open_address(dice, int(drop.tick), int(drop.lane))
        assert word(dice) == drop.word
        run.record.drop_count = 0
        run.record.drops[:1] = np.zeros(1, run.record.drops.dtype)
        run.record.tick = drop.tick
        if drop.lane == CHEST_LANE:
            loot.open_chest(run.record, None)
        else:
            run.record.table = place_of_table(run, "bag")
            assert loot.roll_loot(run.record, 60, int(drop.source), int(drop.lane), None)
        assert run.record.drops[0].tobytes() == drop.tobytes()
    told = of(run.events(), Origin)
    assert [(row.lane, row.word) for row in told] == [(int(drop.lane), int(drop.word)) for drop in found]


# Distributions.


def shipped(quest: str, level: str) -> Fight:
    """A shipped quest at a shipped difficulty."""
    return Fight({"ruleset": "delve", "quest": quest, "party": "first_company", "difficulty": level})


def expected_rarities(run: Fight, table: int) -> np.ndarray[Any, Any]:
    """The share of each rarity among the items of a table."""
    entry = run.record.tables[table]
    shares = [
        entry.weights[place] * entry.rows[place].rarity_weights / entry.rows[place].rarity_weights.sum()
        for place in range(entry.row_count)
    ]
    return np.array(np.sum(shares, axis=0) / entry.weights.sum())


def sampled_rarities(run: Fight, table: int, number: int) -> np.ndarray[Any, Any]:
    """How many of so many items of a table have each rarity."""
    seek_stream(run.record.dice, 0)
    counts = np.zeros(len(RARITIES))
    for encounter in range(number):
        run.record.drop_count = 0
        run.record.tick = encounter * 0x10000 + REWARD_TICK
        open_address(run.record.dice, encounter * 0x10000 + REWARD_TICK, LOOT_LANE)
        loot.generate_item(run.record, table, 0, LOOT_LANE, 0, None)
        counts[run.record.drops[0].rarity] += 1
    return counts


LEVELS = ("trivial", "normal", "hard", "deadly")


@pytest.mark.parametrize("level", LEVELS)
def test_rarities_come_as_often_as_the_table_says(level: str) -> None:
    """Each share within 6.1 standard deviations: one seed in ten million is refused for one of the six."""
    run = shipped("goblin_warrens", level)
    table = place_of_table(run, run.document["quest"]["loot_table_id"])
    shares, number = expected_rarities(run, table), 2000
    counts = sampled_rarities(run, table, number)
    deviations = np.sqrt(number * shares * (1 - shares)) + 1e-9
    assert (abs(counts - number * shares) <= FAR * deviations + 1).all()


def test_the_harder_the_difficulty_the_rarer_are_the_items() -> None:
    """Exactly, for each table of each quest: the share of every rarity and those above it grows with difficulty."""
    quests = ("goblin_warrens", "drowned_abbey", "bridge_of_hooks", "tannery_beast", "still_foundry", "chalk_court")
    for quest in quests:
        runs = [shipped(quest, level) for level in LEVELS]
        for table in range(len(runs[0].document["loot_tables"])):
            above = [np.cumsum(expected_rarities(run, table)[::-1])[::-1][1:] for run in runs]
            for easier, harder in itertools.pairwise(above):
                assert (harder >= easier - 1e-12).all(), (quest, table)
                assert (harder > easier).any()


@soak.only
def test_the_harder_the_difficulty_the_rarer_are_the_items_that_are_found() -> None:
    """By dice, over 1,500 items: so many that fewer than one seed in ten thousand gets two neighbours the wrong way."""
    number, means, variances = 1500, [], []
    expected = []
    for level in LEVELS:
        run = shipped("goblin_warrens", level)
        table = place_of_table(run, run.document["quest"]["loot_table_id"])
        shares, ranks = expected_rarities(run, table), np.arange(len(RARITIES))
        counts = sampled_rarities(run, table, number)
        means.append(float((counts * ranks).sum() / number))
        expected.append(float((shares * ranks).sum()))
        variances.append(float((shares * ranks**2).sum() - expected[-1] ** 2) / number)
    assert means == sorted(means)
    for place in range(3):
        apart = (expected[place + 1] - expected[place]) / math.sqrt(variances[place] + variances[place + 1])
        assert apart > 3.72  # one in ten thousand
    for mean, middle, variance in zip(means, expected, variances, strict=True):
        assert abs(mean - middle) < FAR * math.sqrt(variance)


# Enhancement.


@pytest.mark.parametrize(("level", "chance"), list(enumerate((100, 80, 60, 40, 20))))
def test_each_enhancement_is_less_likely_than_the_one_before(level: int, chance: int) -> None:
    for roll in {1, chance, min(chance + 1, 100), 100}:
        with scripted_dice("open(7, 65285)", f"d100={roll}", ruleset="delve"):
            assert loot.enhance_item(None, 7, level) == level + (roll <= chance)


def test_every_attempt_has_an_address_of_its_own_and_comes_out_the_same_again() -> None:
    dice: Any = np.zeros(1, dice_t)[0]
    dice.key[:] = key_words(f"seed/{REWARD_TICK}/{LOOT_LANE}")
    seek_stream(dice, 3)
    attempts = [loot.enhance_item(dice, attempt, 2) for attempt in range(400)]
    assert attempts == [loot.enhance_item(dice, attempt, 2) for attempt in range(400)]
    # 60% of 400 with a standard deviation of 9.8: at most one seed in 10^9 is further off.
    assert abs(attempts.count(3) - 240) < FAR * 9.8
    assert set(attempts) == {2, 3}


def test_a_patient_smith_comes_to_the_fifth_enhancement() -> None:
    dice: Any = np.zeros(1, dice_t)[0]
    dice.key[:] = key_words("seed/65535/65282")
    seek_stream(dice, 0)
    level, path = 0, []
    for attempt in range(200):
        if level < 5:
            level = loot.enhance_item(dice, attempt, level)
            path.append(level)
    assert level == 5
    assert path == sorted(path)
    assert path[0] == 1  # the first never fails


def test_members_that_are_dead_change_nothing_about_loot() -> None:
    """A wipe loses what was found, and changes no roll: the same encounters drop the same items."""
    ways: list[Any] = []
    for hp in (500, 9):
        doom = {"type": "hazard", "check": "luck", "difficulty": 0, "damage": span((20, 20))}
        run = journey([member("a", hp=hp)], REST, REST, doom, REST, difficulty=difficulty(loot_chance=70))
        run.play(4)
        ways.append([told.roll for told in of(run.events(), LootRoll)][:2])
    assert ways[0] == ways[1]


def test_content_that_was_resolved_once_drops_the_same_items_when_resolved_again() -> None:
    run = shipped("goblin_warrens", "hard")
    again = registry.get("delve").resolve(run.document, Source("again")).document
    assert again["loot_tables"] == run.document["loot_tables"]
