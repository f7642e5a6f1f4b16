"""README, Order of play, Initiative and End."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.helpers.records import differences
from tests.helpers.rules import rule
from tests.helpers.scripted_dice import scripted_dice
from tests.helpers.squads_fights import (
    Fight,
    ability,
    battle,
    damage,
    names,
    of,
    shield,
    side,
    stun,
    unit,
    wound,
)

from fracas.kernel.event_log import NOBODY
from fracas.rulesets.squads.rules.constants import REASONS
from fracas.rulesets.squads.rules.events import Battle, Choice, Expire, Initiative, Outcome, Round, Suffer

LARGEST_WORD = 2**32 - 1
# README, State: everything of a unit that changes.
CHANGING = (
    *("hp", "charge", "cooldown", "ultimate_cooldown", "shield", "shield_until"),
    *("attack_up", "attack_up_until", "attack_down", "attack_down_until", "taunt_until"),
    *("stunned", "just_stunned", "wound", "wound_strikes", "wound_source"),
)


def ranks(speeds: Mapping[str, int], words: Mapping[str, int] | None = None, **scenario: Any) -> list[str]:
    """Who acts when, from `{"1.a": 12, ...}`."""
    sides = [
        side(*(unit(name[2:], speed=speed) for name, speed in speeds.items() if name.startswith(place)))
        for place in "12"
    ]
    fight = battle(*sides, **scenario)
    return [told.actor for told in of(fight.start_round(words), Initiative)]


@pytest.mark.parametrize(
    ("speeds", "words", "order"),
    [
        ({"1.a": 5, "1.b": 9, "2.c": 7, "2.d": 1}, {}, ["1.b", "2.c", "1.a", "2.d"]),
        ({"1.a": 5, "1.b": 6, "2.c": 5}, {"1.a": 0, "1.b": LARGEST_WORD, "2.c": 0}, ["1.b", "1.a", "2.c"]),
        ({"1.a": 5, "1.b": 5, "2.c": 5}, {"1.a": 30, "1.b": 20, "2.c": 10}, ["2.c", "1.b", "1.a"]),
        ({"1.a": 5, "2.c": 5}, {"1.a": LARGEST_WORD, "2.c": LARGEST_WORD - 1}, ["2.c", "1.a"]),
        ({"1.a": 5, "2.c": 5}, {"1.a": 2**31, "2.c": 2**31 - 1}, ["2.c", "1.a"]),
        ({"1.a": 5, "1.b": 5, "2.c": 5}, {"1.a": 7, "1.b": 7, "2.c": 7}, ["1.a", "1.b", "2.c"]),
        ({"1.a": 1, "1.b": 5, "2.c": 5}, {"1.a": 0, "1.b": 9, "2.c": 8}, ["2.c", "1.b", "1.a"]),
        ({"1.a": 10**6, "1.b": 1, "2.c": 10**6 - 1}, {"1.a": LARGEST_WORD}, ["1.a", "2.c", "1.b"]),
    ],
    ids=[
        "speed descending",
        "the word does not outweigh speed",
        "the word ascending among equals",
        "the two largest words",
        "words around the middle",
        "equal words: the index",
        "a tie of two among three",
        "the largest speeds",
    ],
)
def test_initiative_goes_by_speed_then_word_then_index(
    speeds: dict[str, int], words: dict[str, int], order: list[str]
) -> None:
    assert ranks(speeds, words) == order


def test_initiative_of_sixteen_round_after_round() -> None:
    """The slowest come first by index, so that every unit goes before all that are in order already."""
    sides = [side(*(unit(f"{letter}{n}", speed=start + n) for n in range(8))) for letter, start in (("a", 1), ("b", 9))]
    fight = battle(*sides)
    wanted = [f"2.b{n}" for n in reversed(range(8))] + [f"1.a{n}" for n in reversed(range(8))]
    for _ in range(3):
        assert [told.actor for told in of(fight.start_round(), Initiative)] == wanted


def test_initiative_tells_place_speed_and_word() -> None:
    fight = battle(side(unit("a", speed=5)), side(unit("b", speed=8)))
    told = of(fight.start_round({"1.a": 305_419_896, "2.b": LARGEST_WORD}), Initiative)
    assert [(event.actor, event.place, event.speed, event.word) for event in told] == [
        ("2.b", 1, 8, LARGEST_WORD),
        ("1.a", 2, 5, 305_419_896),
    ]


@pytest.mark.parametrize(
    ("speed", "percentage", "expected"), [(15, 70, 10), (15, 150, 22), (1, 50, 0), (9, 0, 0), (20, 100, 20)]
)
def test_the_environment_changes_speed_once_truncated(speed: int, percentage: int, expected: int) -> None:
    fight = battle(
        side(unit("a", speed=speed)),
        side(unit("b")),
        modifier={"id": "mud", "name": "Mud", "speed": percentage},
    )
    assert fight["1.a"].speed == expected
    assert [told.speed for told in of(fight.start_round(), Initiative) if told.actor == "1.a"] == [expected]


def test_the_table_rolls_16_words_whoever_is_there() -> None:
    small = battle(side(unit("a")), side(unit("b")))
    assert len(small.table()) == 1 + 16
    small.start_round()
    large = battle(side(*(unit(name) for name in "abcdefgh")), side(*(unit(name) for name in "abcdefgh")))
    large.start_round()


def test_word_k_belongs_to_index_k() -> None:
    """Slots that are empty or whose unit has fallen take their words too."""
    fight = battle(side(*(unit(name) for name in "abc")), side(unit("d"), unit("e")))
    fight.fell("1.b")
    with scripted_dice("open(1, table)", *(f"word={900 - index}" for index in range(16))):
        rule("start_round")(fight.record, fight.log)
    told = {event.actor: event.word for event in of(fight.events(), Initiative)}
    assert told == {"1.a": 900, "1.c": 898, "2.d": 892, "2.e": 891}


def test_only_the_living_have_a_place() -> None:
    fight = battle(side(unit("a"), unit("b")), side(unit("c")))
    fight.fell("1.a")
    events = fight.start_round()
    assert [told.actor for told in of(events, Initiative)] == ["1.b", "2.c"]
    assert [(told.living_1, told.living_2) for told in of(events, Round)] == [(1, 1)]


def test_a_battle_begins_with_everybody_fresh() -> None:
    fight = battle(side(unit("a", hp=70), unit("b")), side(unit("c")))
    (told,) = of(fight.events(), Battle)
    assert (told.tick, told.units_1, told.units_2) == (0, 2, 1)
    fields = ("hp", "charge", "cooldown", "ultimate_cooldown", "shield", "attack_up", "attack_down", "taunt_until")
    assert fight.state("1.a", *fields, "stunned", "just_stunned", "wound", "wound_strikes") == (70, *[0] * 11)


def test_set_up_forgets_whatever_was_there() -> None:
    """A batch plays one battle after the other in the same record."""
    fight = battle(side(unit("a", hp=70), unit("b")), side(unit("c")))
    fresh = fight.records.copy()
    fight.record.tick, fight.record.winner, fight.record.reason = 9, 2, 1
    fight.record.sides[0].living = 0
    for name in ("1.a", "1.b", "2.c"):
        for field in CHANGING:
            fight[name][field] += 3
    rule("set_up")(fight.record, None)
    assert not list(differences(fight.record, fresh[0]))
    assert fight["1.a"].wound_source == NOBODY


def test_rounds_count_from_one() -> None:
    fight = battle(side(unit("a", attack=1)), side(unit("b", attack=1)))
    told = [of(fight.round(*(fight.opening(name) for name in ("1.a", "2.b"))), Round)[0].tick for _ in range(3)]
    assert told == [1, 2, 3]


def test_every_living_unit_acts_once_in_the_order_of_the_round() -> None:
    fight = battle(
        side(unit("a", attack=1, speed=4), unit("b", attack=1, speed=9)),
        side(unit("c", attack=1, speed=7), unit("d", attack=1, speed=2)),
    )
    events = fight.round("open(1, 1)", "open(1, 8)", "open(1, 0)", "open(1, 9)")
    assert [told.actor for told in of(events, Choice)] == ["1.b", "2.c", "1.a", "2.d"]


def test_units_killed_in_the_round_are_skipped_and_open_no_address() -> None:
    fight = battle(
        side(unit("a", attack=100, speed=9)),
        side(unit("b", hp=50, speed=8), unit("c", hp=60, speed=7, attack=1)),
    )
    events = fight.round("open(1, 0)", "open(1, 9)")
    assert [told.actor for told in of(events, Choice)] == ["1.a", "2.c"]


def test_the_order_stays_as_it_was_settled() -> None:
    """A unit that is stunned, hurt or strengthened in the middle of the round keeps its place."""
    fight = battle(
        side(unit("a", attack=1, speed=9, class_ability="bash")),
        side(unit("b", attack=1, speed=5), unit("c", attack=1, speed=4)),
        abilities=[ability("bash", "one_enemy", stun())],
    )
    events = fight.round("open(1, 0)", "open(1, 9)")
    assert [event.actor for event in events if event.NAME in ("choice", "stunned")] == ["1.a", "2.b", "2.c"]  # type: ignore[attr-defined]


def test_a_battle_is_over_the_moment_a_side_is_wiped_out() -> None:
    """Nobody else acts, nothing strikes or expires at a round's end that does not come."""
    fight = battle(
        side(unit("a", attack=200, speed=9), unit("b", speed=8)),
        side(unit("c", speed=7)),
    )
    fight["1.b"].wound, fight["1.b"].wound_strikes = 50, 1
    fight["1.b"].shield, fight["1.b"].shield_until = 5, 1
    events = fight.round("open(1, 0)")
    assert [told.actor for told in of(events, Choice)] == ["1.a"]
    assert not of(events, Suffer)
    assert not of(events, Expire)
    assert (int(fight.record.winner), REASONS[int(fight.record.reason)]) == (1, "wiped_out")
    assert fight["1.b"].hp == 100


def test_an_area_attack_is_finished_before_the_end_is_tested() -> None:
    fight = battle(
        side(unit("a", attack=200, class_ability="storm")),
        side(unit("b", hp=10), unit("c", hp=10)),
        abilities=[ability("storm", "all_enemies", damage(attack=100), damage(attack=100))],
    )
    events = fight.round("open(1, 0)")
    assert names(events)[-5:] == ["fall", "power", "hit", "fall", "charge"]


def test_side_2_may_wipe_out_side_1() -> None:
    fight = battle(side(unit("a", hp=5)), side(unit("b", speed=20)))
    fight.round("open(1, 8)")
    assert (int(fight.record.winner), REASONS[int(fight.record.reason)]) == (2, "wiped_out")


def standoff(first: tuple[int, ...], second: tuple[int, ...], **options: Any) -> Fight:
    """Two sides that cannot hurt each other, with so much HP each."""
    sides = [
        side(*(unit(f"{letter}{place}", hp=hp, attack=1) for place, hp in enumerate(each)))
        for letter, each in (("a", first), ("b", second))
    ]
    return battle(*sides, chain=[{"stage": "scale", "percent": 0}], options=options)


@pytest.mark.parametrize("cap", [1, 2, 7])
def test_at_the_round_cap_the_battle_is_over(cap: int) -> None:
    fight = standoff((10,), (20,), round_cap=cap)
    result = fight.play()
    assert (int(result.rounds), int(result.winner), REASONS[int(result.reason)]) == (cap, 2, "cap_hp")


def test_the_cap_is_50_unless_said_otherwise() -> None:
    assert int(standoff((10,), (20,)).play().rounds) == 50


@pytest.mark.parametrize(
    ("first", "second", "options", "winner", "reason"),
    [
        ((100, 50), (149,), {}, 1, "cap_hp"),
        ((100, 50), (151,), {}, 2, "cap_hp"),
        ((100, 50), (150,), {}, 0, "cap_equal"),
        ((100, 50), (75, 75), {"cap_tie": "draw"}, 0, "cap_equal"),
        ((100, 50), (75, 75), {"cap_tie": "side1"}, 1, "cap_equal"),
        ((100, 50), (75, 76), {"cap_tie": "side1"}, 2, "cap_hp"),
        ((1,) * 8, (8,), {}, 0, "cap_equal"),
    ],
)
def test_at_the_cap_the_larger_sum_of_hp_wins(
    first: tuple[int, ...], second: tuple[int, ...], options: dict[str, Any], winner: int, reason: str
) -> None:
    fight = standoff(first, second, round_cap=1, **options)
    result = fight.play()
    assert (int(result.winner), REASONS[int(result.reason)]) == (winner, reason)
    (told,) = of(fight.events(), Outcome)
    assert (told.winner, told.reason, told.hp_1, told.hp_2) == (winner, reason, sum(first), sum(second))


def test_at_the_cap_what_is_left_counts_not_maximum_and_not_shields() -> None:
    fight = battle(
        side(unit("a", hp=100, attack=1, class_ability="ward", speed=9)),
        side(unit("b", hp=90, attack=31, speed=1)),
        abilities=[ability("ward", "self", shield(3, max_hp=20))],
        options={"round_cap": 1},
    )
    fight.round(fight.opening("1.a"), fight.opening("2.b"))
    assert fight.state("1.a", "hp", "shield") == (89, 0)
    assert (int(fight.record.winner), REASONS[int(fight.record.reason)]) == (2, "cap_hp")


def test_damage_over_time_in_the_last_round_counts_before_the_cap_decides() -> None:
    fight = battle(
        side(unit("a", hp=100, attack=20, class_ability="poison")),
        side(unit("b", hp=110, attack=1)),
        abilities=[ability("poison", "one_enemy", wound(3, attack=100))],
        options={"round_cap": 1},
    )
    fight.round(fight.opening("1.a"), fight.opening("2.b"))
    assert (fight["1.a"].hp, fight["2.b"].hp) == (99, 90)
    assert REASONS[int(fight.record.reason)] == "cap_hp"
    assert int(fight.record.winner) == 1


def test_a_side_wiped_out_in_the_last_round_has_lost_whatever_the_sums() -> None:
    fight = battle(side(unit("a", attack=100)), side(unit("b", hp=100)), options={"round_cap": 1})
    result = fight.play()
    assert REASONS[int(result.reason)] == "wiped_out"


def test_a_whole_battle_by_hand() -> None:
    """Two units, three rounds, every roll and every row foreseen."""
    fight = battle(
        side(unit("a", "warrior", hp=60, attack=30, defense=10, speed=7), formation="aggressive"),
        side(unit("b", "mage", hp=70, attack=25, defense=8, speed=7)),
        chain="classic",
    )
    # a strikes b: 30 * 115% = 34, * 80% = 27, less 8 * 50% = 4: 23; critical 40 - 4 = 36.
    # b strikes a: 25 * 100% = 25, * 120% = 30, less 10 * 90% * 50% = 4.5: 26; critical 45 - 4 = 41.
    first = ("open(1, 0)", "d100=11", "open(1, 8)", "d100=11")
    fight.round(*first, words={"1.a": 1, "2.b": 2})
    assert (fight["1.a"].hp, fight["2.b"].hp) == (34, 47)
    assert (fight["1.a"].charge, fight["2.b"].charge) == (30, 30)
    second = ("open(2, 8)", "d100=100", "open(2, 0)", "d100=10")
    fight.round(*second, words={"1.a": 2, "2.b": 1})
    assert (fight["1.a"].hp, fight["2.b"].hp) == (8, 11)
    last = fight.round("open(3, 8)", "d100=50", words={"1.a": 9, "2.b": 3})
    assert " ".join(names(last)) == (
        "round initiative initiative choice target power stage stage roll stage stage stage hit fall charge"
    )
    assert (int(fight.record.winner), REASONS[int(fight.record.reason)]) == (2, "wiped_out")
