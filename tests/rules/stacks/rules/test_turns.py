"""README, Order of play: choices, makings, Ripostes, repeats and the order in which participants act."""

from __future__ import annotations

import math

import pytest
from tests.helpers.stacks_fights import attack, names, of, unit

from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules import mechanics, policies
from fracas.rulesets.stacks.rules.events import Choice, Considered, Fall, Health, Move, Roll, Trial, TurnEnd, Wait

MISS = (0, 0)


def duel(*moves, target=None, **options):
    """One with attack 4, damage 3 against one with defence 2, which strikes back with attack 3, damage 2."""
    struck = target or unit("y", "strike", attack=3, defence=2, damage=2)
    return attack({"a": [unit("x", *moves, attack=4, damage=3)]}, {"t": [struck]}, **options)


def moves_of(events):
    return [(event.actor, event.target, event.move, event.effect, event.making) for event in of(events, Move)]


def test_a_strike_is_made_twice_and_each_is_answered():
    fight = duel("strike")
    events = fight.turn("a.x", (4, 3), (2, 1), (3, 2), (2, 0), (0, 0), (4, 2), (2, 1), (3, 3), (2, 1), (0, 0), (1, 1))
    assert moves_of(events) == [
        ("a.x", "t.y", "strike", 2, 1),
        ("t.y", "a.x", "riposte", 0, 1),
        ("a.x", "t.y", "strike", 3, 2),
        ("t.y", "a.x", "riposte", 1, 2),
    ]
    assert fight.health("a.x", "t.y") == [9, 5]
    assert names(events) == [
        "considered",
        "choice",
        *("roll", "amount", "move"),
        *("roll", "move"),
        *("roll", "amount", "move"),
        *("roll", "amount", "move"),
    ]


def test_nobody_answers_who_cannot_strike():
    fight = duel("strike", target=unit("y", "archery", attack=9, damage=9))
    assert len(moves_of(fight.turn("a.x", (4, 0), MISS, (4, 0), MISS))) == 2


@pytest.mark.parametrize("move", ["archery", "bombard", "javelin"])
def test_nobody_answers_from_afar(move):
    fight = duel(move)
    count = 2 if move == "archery" else 1
    extra = 2 if move == "javelin" else 0
    events = fight.turn("a.x", *[(4 + extra, 0), (2, 0)] * count)
    assert {made[2] for made in moves_of(events)} == {move}


@pytest.mark.parametrize(("rule", "answers"), [("melee", 1), ("strike", 0)])
def test_a_charge_is_answered_if_all_melee_is(rule, answers):
    fight = duel("charge", riposte_to=rule)
    events = fight.turn("a.x", (6, 0), (2, 0), *[(2, 0), (0, 0)] * answers)
    assert len(moves_of(events)) == 1 + answers


def test_the_dead_do_not_answer_and_repeats_stop():
    fight = duel("strike", target=unit("y", "strike", attack=3, defence=2, damage=2, health=2))
    events = fight.turn("a.x", (4, 4), (2, 0), (3, 2))
    assert moves_of(events) == [("a.x", "t.y", "strike", 2, 1)]
    assert names(events)[-2:] == ["move", "fall"]
    [choice] = of(events, Choice)
    assert choice.repeats == 2


def test_a_riposte_that_kills_ends_the_repeats():
    fight = attack(
        {"a": [unit("x", "strike", attack=4, damage=3, health=1)]},
        {"t": [unit("y", "strike", attack=9, defence=2, damage=9)]},
    )
    events = fight.turn("a.x", (4, 0), MISS2, (8, 8), (0, 0), (8, 7))
    assert [event.target for event in of(events, Fall)] == ["a.x"]
    assert len(moves_of(events)) == 2
    assert fight.health("a.x") == [0]


MISS2 = (2, 0)


def test_a_riposte_without_scores_is_made_all_the_same():
    fight = duel("charge", target=unit("y", "strike"))
    events = fight.turn("a.x", (6, 0), (0, 0), (0, 0), (0, 0))
    assert moves_of(events)[-1] == ("t.y", "a.x", "riposte", 0, 1)


def test_a_riposte_rolls_from_the_lane_of_the_one_it_answers(monkeypatch):
    opened = []
    monkeypatch.setattr(mechanics, "open_address", lambda dice, tick, lane: opened.append((int(tick), int(lane))))
    fight = duel("charge", number=2)
    fight.turn("a.x", (6, 0), (2, 0), (2, 0), (0, 0))
    assert opened == [(2 * 65536, fight.id("a.x"))]


def test_charge_belongs_to_turn_0():
    fight = duel("charge")
    assert of(fight.turn("a.x", (6, 0), (2, 0), (2, 0), (0, 0)), Choice)
    fight.end()
    assert names(fight.turn("a.x")) == ["wait"]


def test_who_can_do_nothing_waits_and_says_how_much_it_looked_at():
    fight = attack({"a": [unit("x", "strike", "archery", "healing")]}, {"t": [unit("y"), unit("z")]})
    events = fight.turn("a.x")
    [wait] = of(events, Wait)
    assert wait.viable == len(of(events, Considered)) == 5
    assert {event.value for event in of(events, Considered)} == {0.0}


def test_pairs_are_considered_by_target_and_then_in_registry_order_and_the_first_best_is_chosen():
    red = {"a": [unit("x", "strike", "archery", attack=4, damage=4), unit("w")]}
    fight = attack(red, {"t": [unit("y", defence=1), unit("z", defence=1)]})
    considered = of(fight.turn("a.x", *[(4, 0), (1, 0)] * 2), Considered)
    assert [(event.target, event.move, event.is_best) for event in considered] == [
        ("t.y", "archery", True),
        ("t.y", "strike", False),
        ("t.z", "archery", False),
        ("t.z", "strike", False),
    ]
    assert len({event.value for event in considered}) == 1


def test_the_value_stands_in_two_columns():
    fight = duel("strike")
    [choice] = of(fight.turn("a.x", *[(4, 0), (2, 0), (2, 0), (0, 0)] * 2), Choice)
    assert choice.value == 9 * 3 * 2 / (2 * 5 * 3)


def test_a_value_that_is_no_number_never_wins(monkeypatch):
    monkeypatch.setattr(policies, "worth", lambda *_: math.nan)
    assert of(duel("strike").turn("a.x"), Wait)


@pytest.mark.parametrize(("repeats", "made"), [(-3, 1), (0, 1), (5, 5), (99, 8)])
def test_repeats_are_held_to_1_to_8(monkeypatch, repeats, made):
    monkeypatch.setattr(mechanics, "repeats", lambda *_: repeats)
    fight = duel("archery")
    assert len(moves_of(fight.turn("a.x", *[(4, 0), (2, 0)] * made))) == made


# Healing and the other moves that spend themselves.


def test_a_healer_heals_three_times_and_itself_too():
    fight = attack({"a": [unit("x", "healing", health=40)]}, {"t": [unit("y")]})
    fight["a.x"].health = 1
    for health in (6, 11, 16):
        assert of(fight.turn("a.x"), Move)[0].effect == 5
        assert fight.health("a.x") == [health]
    assert names(fight.turn("a.x")) == ["wait"]


@pytest.mark.parametrize(("limit", "times"), [(1, 1), (0, 7)])
def test_the_limit_of_healing_is_an_option(limit, times):
    fight = attack({"a": [unit("x", "healing", health=100)]}, {"t": [unit("y")]}, heal_limit=limit)
    fight["a.x"].health = 1
    for _ in range(times):
        assert of(fight.turn("a.x"), Move)
    assert bool(of(fight.turn("a.x"), Move)) == (limit == 0)


def test_healing_oneself_is_an_option():
    fight = attack({"a": [unit("x", "healing")]}, {"t": [unit("y")]}, heal_self=False)
    fight["a.x"].health = 1
    assert names(fight.turn("a.x")) == ["wait"]


def test_a_sacrifice_tells_of_both():
    fight = attack({"a": [unit("x", "sacrifice", health=4), unit("w", health=30)]}, {"t": [unit("y")]})
    fight["a.w"].health = 10
    events = fight.turn("a.x")
    assert fight.health("a.x", "a.w") == [0, 18]
    assert names(events, "considered") == ["choice", "move", "health", "fall"]
    [health] = of(events, Health)
    assert (health.target, health.before, health.health) == ("a.x", 4, 0)


def test_a_bombardment_is_several_tuples_with_all_rolls_before_them():
    red = {"a": [unit("x", "bombard", attack=5, damage=5)]}
    fight = attack(red, {"t": [unit("y", defence=1)], "u": [unit("v"), unit("w")]})
    events = fight.turn("a.x", (5, 5), (1, 0), (5, 2), (3, 0), (0, 0), (3, 3), (0, 0), (3, 1))
    assert [made[1:4] for made in moves_of(events)] == [
        ("t.y", "bombard", 2),
        ("u.v", "bombard", 0),
        ("u.w", "bombard", 1),
    ]
    rolls = [place for place, event in enumerate(events) if isinstance(event, Roll)]
    moves = [place for place, event in enumerate(events) if isinstance(event, Move)]
    assert max(rolls) < min(moves)


# Sampled values.


def test_sampled_values_are_five_trials_from_a_lane_of_their_own(monkeypatch):
    opened = []
    monkeypatch.setattr(policies, "open_address", lambda dice, tick, lane: opened.append((int(tick), int(lane))))
    trials = iter([4, 0, 3, 4, 0, 3, 0, 0, 0, 0, 0, 0])
    monkeypatch.setattr(policies, "between", lambda dice, low, high: next(trials))
    fight = duel("strike", "healing", valuation="sampled", riposte_to="strike")
    events = fight.turn("a.x", *[(4, 0), (2, 0), (2, 0), (0, 0)] * 2)
    assert opened == [(0, 0x8000 + fight.id("a.x"))]
    assert [event.amount for event in of(events, Trial)] == [3, 3, -1, -1, -1]
    assert [(event.move, event.value) for event in of(events, Considered)] == [("healing", 0.0), ("strike", 6 * 2 / 5)]


def test_a_charge_may_be_tried_as_a_plain_blow_to_which_2_is_added(monkeypatch):
    asked = []

    def between(dice, low, high):
        asked.append(int(high))
        return 1 if high == 4 else 0

    monkeypatch.setattr(policies, "between", between)
    fight = duel("charge", valuation="sampled", charge_estimate="value", charge_damage="attack")
    events = fight.turn("a.x", (6, 0), (2, 0), (2, 0), (0, 0))
    assert asked == [4, 2, 3] * 5
    assert [event.value for event in of(events, Considered)] == [2.0]


# Orders.


def acting(events):
    return [event.actor for event in events if isinstance(event, Choice | Wait)]


@pytest.mark.parametrize(
    ("order", "even", "odd"),
    [
        ("alternate", "a.p t.k a.q t.l a.r", "t.k a.p t.l a.q a.r"),
        ("id", "a.p a.q a.r t.k t.l", "a.p a.q a.r t.k t.l"),
        ("initiative", "t.l a.q a.p a.r t.k", "t.l a.q a.p a.r t.k"),
    ],
)
def test_the_order_of_play_is_an_option(order, even, odd):
    red = {"a": [unit("p"), unit("q", initiative=4), unit("r")]}
    fight = attack(red, {"t": [unit("k"), unit("l", initiative=9)]}, order=order)
    assert acting(fight.whole_turn()) == even.split()
    assert acting(fight.whole_turn()) == odd.split()
    fight["a.q"].health = 0
    assert acting(fight.whole_turn()) == [name for name in even.split() if name != "a.q"]


def test_the_turn_goes_on_when_a_side_has_fallen():
    red = {"a": [unit("x", "archery", attack=9, damage=9), unit("w", "healing", health=20)]}
    fight = attack(red, {"t": [unit("y", health=1)]})
    fight["a.w"].health = 3
    events = fight.whole_turn((9, 9), (0, 0), (9, 9))
    assert acting(events) == ["a.x", "a.w"]
    [end] = of(events, TurnEnd)
    assert fight.record.reason == codes.DEFENDERS_FELL
    assert (end.idle, end.health_2) == (0, 0)
