"""README, End of a turn: idle and stale turns, and everything that ends a battle."""

from __future__ import annotations

import pytest
from tests.helpers.stacks_fights import attack, of, unit

from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import Outcome, TurnEnd

HIT, MISS = [(9, 9), (0, 0), (2, 1)], [(9, 0), (0, 0)]


def shooting(**options):
    """One who shoots twice a turn for up to 2 against one who does nothing."""
    return attack({"a": [unit("x", "archery", attack=9, damage=2)]}, {"t": [unit("y", health=90)]}, **options)


def judged(events):
    [end] = of(events, TurnEnd)
    return end.idle, end.stale


def test_three_idle_turns_repel_the_attack():
    fight = shooting()
    assert judged(fight.whole_turn(*MISS, *MISS)) == (1, 1)
    assert judged(fight.whole_turn(*HIT, *MISS)) == (0, 0)
    for count in (1, 2):
        assert judged(fight.whole_turn(*MISS, *MISS)) == (count, count)
        assert fight.record.reason == codes.UNDECIDED
    fight.whole_turn(*MISS, *MISS)
    assert (fight.record.reason, fight.record.winner, fight.record.turns_played) == (codes.REPELLED, codes.DRAW, 5)


def test_turn_0_can_be_spared():
    fight = shooting(first_turn_idle=False)
    assert judged(fight.whole_turn(*MISS, *MISS)) == (0, 1)
    assert judged(fight.whole_turn(*MISS, *MISS)) == (1, 2)


def test_a_hit_for_0_is_no_harm():
    assert judged(shooting().whole_turn((9, 9), (0, 0), (2, 0), *MISS)) == (1, 1)


def test_what_defenders_do_leaves_a_turn_idle_unless_anyones_counts():
    for rule, idle in (("attackers", 1), ("anyone", 0)):
        fight = attack({"a": [unit("x")]}, {"t": [unit("y", "archery", attack=9, damage=2)]}, idle_rule=rule)
        assert judged(fight.whole_turn(*HIT, *MISS)) == (idle, 0)


def test_a_riposte_of_an_attacker_is_harm():
    striker = unit("y", "strike", attack=1, damage=1)
    fight = attack({"a": [unit("x", "strike", attack=9, damage=2)]}, {"t": [striker]}, order="id")
    fight["a.x"].move_count = 0
    riposte = [(1, 0), (0, 0), (8, 8), (0, 0), (1, 1)]
    assert judged(fight.whole_turn(*riposte, *riposte)) == (0, 0)


def test_harm_that_is_healed_again_is_harm_to_the_attackers_rule_alone():
    for rule, idle in (("attackers", 0), ("anyone", 1)):
        blue = {"t": [unit("y", "healing", health=20)]}
        red = {"a": [unit("x", "archery", attack=9, damage=2)]}
        fight = attack(red, blue, idle_rule=rule)
        assert judged(fight.whole_turn(*HIT, *MISS)) == (idle, 1)


def test_healing_and_harm_without_a_new_low_are_stale_and_stale_turns_repel():
    red = {"a": [unit("x", "archery", attack=9, damage=2)]}
    fight = attack(red, {"t": [unit("y", "healing", health=20)]}, stale_turns=4, heal_limit=0, order="id")
    for count in (1, 2, 3, 4):
        assert judged(fight.whole_turn(*HIT, *MISS)) == (0, count)
    assert fight.record.reason == codes.REPELLED
    fight = attack(red, {"t": [unit("y", "healing", health=20)]}, stale_turns=0, heal_limit=0, turn_cap=6, order="id")
    for _ in range(6):
        fight.whole_turn(*HIT, *MISS)
    assert fight.record.reason == codes.TURN_CAP


def test_a_new_low_ends_a_row_of_stale_turns():
    fight = shooting(idle_turns=9)
    assert [judged(fight.whole_turn(*MISS, *MISS))[1] for _ in range(2)] == [1, 2]
    assert judged(fight.whole_turn(*HIT, *MISS)) == (0, 0)


def test_the_200th_turn_is_the_last():
    red = {"a": [unit("x", "archery", attack=9, damage=2)]}
    fight = attack(red, {"t": [unit("y", "healing", health=20)]}, stale_turns=0, heal_limit=0, order="id")
    for _ in range(199):
        fight.whole_turn(*HIT, *MISS)
        assert fight.record.reason == codes.UNDECIDED
    fight.whole_turn(*HIT, *MISS)
    ended = fight.record
    assert (ended.reason, ended.winner, ended.turns_played) == (codes.TURN_CAP, codes.DRAW, 200)


def test_a_fallen_side_goes_before_the_cap():
    fight = attack({"a": [unit("x", "archery", attack=9, damage=9)]}, {"t": [unit("y", health=1)]}, turn_cap=1)
    fight.whole_turn((9, 9), (0, 0), (9, 4))
    assert (fight.record.reason, fight.record.winner) == (codes.DEFENDERS_FELL, 1)


@pytest.mark.parametrize(
    ("fallen", "reason", "winner"),
    [
        (["a.x"], codes.ATTACKERS_FELL, 2),
        (["t.y"], codes.DEFENDERS_FELL, 1),
        (["a.x", "t.y"], codes.BOTH_FELL, codes.DRAW),
    ],
)
def test_a_side_without_anybody_loses(fallen, reason, winner):
    fight = shooting()
    for name in fallen:
        fight[name].health = 0
    fight.end()
    assert (fight.record.reason, fight.record.winner) == (reason, winner)


def test_an_attack_that_nobody_opposes_is_won_without_a_turn():
    fight = attack({"a": [unit("x")]}, {"t": [unit("y")]})
    document = fight.document | {"stacks": fight.document["stacks"][:1]}
    fight = type(fight)(document)
    result = fight.play()
    assert (result.winner, result.reason, result.rounds) == (1, codes.UNOPPOSED, 0)
    [outcome] = of(fight.events(), Outcome)
    assert (outcome.winner, outcome.reason) == (1, "unopposed")


def test_the_result_keeps_what_is_left():
    fight = shooting()
    result = fight.play(3)
    assert result.fault == 0
    assert list(result.hp_left) == [10, result.health[1]]
    assert list(result.units_left) == [1, result.health[1] > 0]
    assert list(result.health[:2]) == fight.health("a.x", "t.y")
