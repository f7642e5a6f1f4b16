"""README, Conditions and Round end: every condition alone and in pairs, refreshed, expiring, killing; stuns."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from tests.helpers.delve_fights import Fight, aid, attack, battle, foe, inflict, member, names, of, only

from fracas.rulesets.delve.rules.constants import CONDITIONS, HARMFUL_CONDITIONS, POTENT_CONDITIONS
from fracas.rulesets.delve.rules.events import Condition, ConditionTick, Expire, Fall, Heal, Hit, Stunned

COSTLY = ("poisoned", "bleeding", "burning")
TIMED = tuple(name for name in CONDITIONS if name != "stunned")


def pair(hp: int = 100, **values: Any) -> Fight:
    """a, who can bring every condition upon b, and b."""
    harmful = [
        attack(f"do-{name}", damage=None, conditions=[inflict(name, 3, 4 if name in POTENT_CONDITIONS else None)])
        for name in HARMFUL_CONDITIONS
    ]
    queue = [{"skill": entry["id"], "when": "not always"} for entry in harmful]
    return battle([member("a", queue=queue)], [foe("b", hp=hp, **values)], skills=harmful)


def potency(name: str, value: int = 4) -> int:
    return value if name in POTENT_CONDITIONS else 0


def effects(events: list[Any]) -> list[tuple[str, int, int, str]]:
    return [(told.condition, told.potency, told.rounds, told.effect) for told in of(events, Condition)]


# Applying.


@pytest.mark.parametrize("name", CONDITIONS)
def test_each_condition_is_applied(name: str) -> None:
    fight = pair()
    rounds = 0 if name == "stunned" else 3
    events = fight.afflict("2.b", name, 3, potency(name), by="1.a")
    (told,) = of(events, Condition)
    assert (told.actor, told.target) == ("1.a", "2.b")
    assert effects(events) == [(name, potency(name), rounds, "applied")]
    assert fight.conditions("2.b") == {name: (rounds, potency(name))}


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize(("rounds", "added"), [(5, 9), (5, 3), (1, 1), (7, 4)])
def test_a_refreshed_condition_has_the_new_rounds_and_the_larger_potency(name: str, rounds: int, added: int) -> None:
    fight = pair()
    fight.afflict("2.b", name, 3, potency(name, 4))
    events = fight.afflict("2.b", name, rounds, potency(name, added))
    larger = potency(name, max(4, added))
    assert effects(events) == [(name, larger, rounds, "refreshed")]
    assert fight.conditions("2.b") == {name: (rounds, larger)}


def test_a_refreshed_shield_keeps_the_larger_of_what_is_left_and_the_new() -> None:
    for added, expected in ((5, 6), (6, 6), (7, 7)):
        fight = battle([member("a", queue=["jab"])], [foe("b")], skills=[attack("jab", damage=(1, 1), conditions=[])])
        fight.afflict("2.b", "shielded", 3, 10)
        fight.turn("1.a", "d100=50", "between(1, 1)=1")  # 4 of 10
        fight.afflict("2.b", "shielded", 2, added)
        assert fight.conditions("2.b") == {"shielded": (2, expected)}


@pytest.mark.parametrize(("again", "credited"), [(3, "1.a"), (4, "1.c"), (5, "1.c")])
def test_a_refreshed_condition_is_credited_to_whose_potency_counts(again: int, credited: str) -> None:
    fight = battle([member("a"), member("c")], [foe("b", hp=4)])
    fight.afflict("2.b", "poisoned", 3, 4, by="1.a")
    fight.afflict("2.b", "poisoned", 3, again, by="1.c")
    events = fight.end_round()
    assert only(events, ConditionTick).actor == credited
    assert only(events, Fall).actor == credited


def test_a_refreshed_condition_without_potency_is_credited_to_the_later() -> None:
    fight = battle([member("a"), member("c")], [foe("b")])
    fight.afflict("2.b", "slowed", 3, by="1.a")
    fight.afflict("2.b", "slowed", 3, by="1.c")
    assert only(fight.end_round(), ConditionTick).actor == "1.c"


def test_a_refreshed_condition_keeps_its_place() -> None:
    fight = pair()
    for name in ("slowed", "poisoned", "blinded"):
        fight.afflict("2.b", name, 3, potency(name))
    fight.afflict("2.b", "slowed", 9)
    assert list(fight.conditions("2.b")) == ["slowed", "poisoned", "blinded"]
    assert [told.condition for told in of(fight.end_round(), ConditionTick)] == ["slowed", "poisoned", "blinded"]


def test_a_condition_that_ended_comes_back_behind_the_others() -> None:
    fight = pair()
    fight.afflict("2.b", "slowed", 1)
    fight.afflict("2.b", "poisoned", 3, 4)
    fight.end_round()
    fight.afflict("2.b", "slowed", 3)
    assert list(fight.conditions("2.b")) == ["poisoned", "slowed"]


def test_a_potency_does_not_outlive_its_condition() -> None:
    fight = pair()
    fight.afflict("2.b", "poisoned", 1, 50)
    fight.end_round()
    fight.afflict("2.b", "poisoned", 3, 2)
    assert fight.conditions("2.b") == {"poisoned": (3, 2)}


def test_all_eleven_at_once() -> None:
    fight = pair()
    for name in CONDITIONS[::-1]:
        fight.afflict("2.b", name, 5, potency(name))
    assert list(fight.conditions("2.b")) == list(CONDITIONS[::-1])
    told = of(fight.end_round(), ConditionTick)
    assert [tick.condition for tick in told] == list(CONDITIONS[::-1])
    # Regenerating ticks third and finds nothing missing; burning, bleeding and poison cost 4 each.
    assert fight.hp("2.b") == (88,)


def test_a_skill_applies_its_conditions_in_their_order() -> None:
    order = ["weakened", "blinded", "poisoned"]
    conditions = [inflict(name, 2, 3 if name == "poisoned" else None) for name in order]
    fight = battle([member("a", queue=["jab"])], [foe("b")], skills=[attack("jab", conditions=conditions)])
    events = fight.turn("1.a", "d100=50", "between(5, 5)=5")
    assert names(events)[-4:] == ["hit", "condition", "condition", "condition"]
    assert [told.condition for told in of(events, Condition)] == order


# Ticks.


@pytest.mark.parametrize("name", CONDITIONS)
def test_each_condition_ticks_by_itself(name: str) -> None:
    fight = pair()
    fight["2.b"].hp = 50
    fight.afflict("2.b", name, 3, potency(name), by="1.a")
    told = only(fight.end_round(), ConditionTick)
    change = -4 if name in COSTLY else 4 if name == "regenerating" else 0
    rounds = 0 if name == "stunned" else 2
    assert (told.actor, told.target, told.condition) == ("1.a", "2.b", name)
    assert (told.amount, told.hp, told.rounds) == (abs(change), 50 + change, rounds)
    assert fight.conditions("2.b") == {name: (rounds, potency(name))}


@pytest.mark.parametrize("name", TIMED)
def test_each_condition_lasts_its_rounds_this_one_included(name: str) -> None:
    fight = pair(hp=1000)
    fight.afflict("2.b", name, 3, potency(name))
    held = []
    for _ in range(4):
        events = fight.end_round()
        held.append(name in fight.conditions("2.b"))
        assert [told.by_time for told in of(events, Expire)] == ([True] if len(held) == 3 else [])
        assert not of(events, Expire) or of(events, Expire)[0].target == "2.b"
    assert held == [True, True, False, False]


def test_a_stun_does_not_go_by_time() -> None:
    fight = pair()
    fight.afflict("2.b", "stunned")
    for _ in range(5):
        fight.end_round()
    assert fight.conditions("2.b") == {"stunned": (0, 0)}


@pytest.mark.parametrize("name", COSTLY)
def test_ticks_pass_armor_and_shield(name: str) -> None:
    fight = pair(armor=50, resistance=50)
    fight.afflict("2.b", "shielded", 5, 50)
    fight.afflict("2.b", name, 5, 4)
    fight.end_round()
    assert fight.hp("2.b") == (96,)
    assert fight.conditions("2.b")["shielded"] == (4, 50)


@pytest.mark.parametrize("name", COSTLY)
@pytest.mark.parametrize(("hp", "amount"), [(5, 4), (4, 4), (3, 3), (1, 1)])
def test_ticks_kill(name: str, hp: int, amount: int) -> None:
    fight = pair(hp=hp)
    fight.afflict("2.b", name, 3, 4, by="1.a")
    events = fight.end_round()
    told = only(events, ConditionTick)
    assert (told.amount, told.hp) == (amount, hp - amount)
    assert [(fall.actor, fall.target) for fall in of(events, Fall)] == ([("1.a", "2.b")] if hp <= 4 else [])
    assert (fight.conditions("2.b") == {}) == (hp <= 4)
    assert fight.living == (1, int(hp > 4))


def test_somebody_killed_by_a_tick_has_no_more_ticks() -> None:
    fight = pair(hp=4)
    for name in ("slowed", "poisoned", "regenerating", "burning"):
        fight.afflict("2.b", name, 1, potency(name))
    events = fight.end_round()
    assert names(events) == ["condition_tick", "expire", "condition_tick", "fall"]
    assert fight.conditions("2.b") == {}


def test_the_death_of_an_afflicted_participant_is_credited_to_a_source_that_died_before() -> None:
    fight = battle([member("a"), member("c")], [foe("b", hp=4), foe("d")])
    fight.afflict("2.b", "burning", 3, 4, by="1.a")
    fight.fell("1.a")
    assert only(fight.end_round(), Fall).actor == "1.a"


def test_everybody_ticks_in_slot_order() -> None:
    fight = battle([member("a"), member("b")], [foe("c"), foe("d")])
    for name in ("2.d", "1.b", "2.c", "1.a"):
        fight.afflict(name, "poisoned", 3, 1)
    assert [told.target for told in of(fight.end_round(), ConditionTick)] == ["1.a", "1.b", "2.c", "2.d"]


def test_what_expires_at_one_participant_does_not_disturb_the_next() -> None:
    fight = battle([member("a"), member("b")], [foe("c")])
    for name, rounds in (("slowed", 1), ("poisoned", 2), ("blinded", 1), ("burning", 2), ("hasted", 1)):
        fight.afflict("1.a", name, rounds, potency(name))
        fight.afflict("1.b", name, rounds, potency(name))
    fight.end_round()
    for name in ("1.a", "1.b"):
        assert fight.conditions(name) == {"poisoned": (1, 4), "burning": (1, 4)}
        assert fight.hp(name) == (92,)


# In pairs.


@pytest.mark.parametrize("first", CONDITIONS)
def test_each_pair_ticks_as_each_alone_does_unless_one_halves_the_other(first: str) -> None:
    for second in CONDITIONS:
        if first == second:
            continue
        fight = pair()
        fight["2.b"].hp = 50
        fight.afflict("2.b", first, 1, potency(first))
        fight.afflict("2.b", second, 2, potency(second))
        told = of(fight.end_round(), ConditionTick)
        change = dict.fromkeys(COSTLY, -4) | {"regenerating": 4}
        amounts = [change.get(first, 0), change.get(second, 0)]
        # Bleeding that ticks first and ends is gone when Regenerating ticks.
        if first == "regenerating" and second == "bleeding":
            amounts = [2, -4]
        assert [tick.condition for tick in told] == [first, second]
        assert [tick.hp for tick in told] == list(itertools.accumulate([50 + amounts[0], amounts[1]]))
        expected = {name: (0 if name == "stunned" else rounds, potency(name)) for name, rounds in (
            (first, 0), (second, 1)
        ) if rounds or name == "stunned"}  # fmt: skip
        assert fight.conditions("2.b") == expected


@pytest.mark.parametrize(("rounds", "restored"), [(1, 4), (2, 2)])
def test_bleeding_halves_regeneration_for_as_long_as_it_is_there(rounds: int, restored: int) -> None:
    fight = pair()
    fight["2.b"].hp = 50
    fight.afflict("2.b", "bleeding", rounds, 4)
    fight.afflict("2.b", "regenerating", 5, 4)
    ticks = of(fight.end_round(), ConditionTick)
    assert [(tick.condition, tick.amount) for tick in ticks] == [("bleeding", 4), ("regenerating", restored)]


@pytest.mark.parametrize(("pool", "restored"), [(1, 0), (2, 1), (3, 1), (5, 2)])
def test_halved_regeneration_is_truncated(pool: int, restored: int) -> None:
    fight = pair()
    fight["2.b"].hp = 50
    fight.afflict("2.b", "regenerating", 5, pool)
    fight.afflict("2.b", "bleeding", 5, 1)
    assert of(fight.end_round(), ConditionTick)[0].amount == restored


@pytest.mark.parametrize(("missing", "restored"), [(9, 4), (4, 4), (3, 3), (0, 0)])
def test_regeneration_restores_at_most_what_is_missing(missing: int, restored: int) -> None:
    fight = pair()
    fight["2.b"].hp = 100 - missing
    fight.afflict("2.b", "regenerating", 5, 4)
    assert only(fight.end_round(), ConditionTick).amount == restored
    assert fight.hp("2.b") == (100 - missing + restored,)


@pytest.mark.parametrize(
    ("order", "left", "kinds"),
    [
        (("poisoned", "regenerating"), 0, ["condition_tick", "fall"]),
        (("regenerating", "poisoned"), 4, ["condition_tick", "condition_tick"]),
    ],
)
def test_whether_poison_or_regeneration_came_first_can_be_a_matter_of_life_and_death(
    order: tuple[str, str], left: int, kinds: list[str]
) -> None:
    fight = pair()
    fight["2.b"].hp = 4
    for name in order:
        fight.afflict("2.b", name, 3, 4)
    assert names(fight.end_round())[: len(kinds)] == kinds
    assert fight.hp("2.b") == (left,)


@pytest.mark.parametrize(("bleeding", "roll", "effective"), [(False, 4, 7), (True, 4, 3), (True, 5, 4), (False, 5, 8)])
def test_bleeding_halves_healing_by_skills(bleeding: bool, roll: int, effective: int) -> None:
    fight = battle([member("a", queue=["mend"])], [foe("b")], skills=[aid("mend", heal=(4, 5))])
    fight["1.a"].hp = 50
    if bleeding:
        fight.afflict("1.a", "bleeding", 3, 1)
    told = only(fight.turn("1.a", f"between(4, 5)={roll}"), Heal)
    assert (told.healing, told.effective, told.restored) == (roll + 3, effective, effective)


# Stuns.


def stunners() -> Fight:
    """a and b stun whomever they attack, and so does c."""
    skill = attack("bash", damage=None, conditions=[inflict("stunned")])
    party = [member("a", queue=["bash"]), member("b", queue=["bash"])]
    return battle(party, [foe("c", queue=["bash"])], skills=[skill])


def test_a_stunned_participant_loses_its_action_and_the_stun_without_a_row_for_its_end() -> None:
    fight = stunners()
    fight.turn("1.a", "d100=50")
    events = fight.turn("2.c", opens=False)
    assert names(events) == ["stunned"]
    assert only(events, Stunned).actor == "2.c"
    assert fight.conditions("2.c") == {}
    assert fight.state("2.c", "guard") == (1,)


def test_a_stun_costs_one_action_only() -> None:
    fight = stunners()
    fight.turn("1.a", "d100=50")
    fight.turn("2.c", opens=False)
    fight.next_round()
    assert "use" in names(fight.turn("2.c", "d100=99"))


def test_stunning_the_stunned_is_lost() -> None:
    fight = stunners()
    fight.turn("1.a", "d100=50")
    assert effects(fight.turn("1.b", "d100=50")) == [("stunned", 0, 0, "already stunned")]
    fight.turn("2.c", opens=False)
    assert fight.conditions("2.c") == {}


def test_who_just_lost_an_action_cannot_be_stunned_until_it_has_acted() -> None:
    fight = stunners()
    fight.turn("1.a", "d100=50")
    fight.turn("2.c", opens=False)
    assert effects(fight.turn("1.b", "d100=50")) == [("stunned", 0, 0, "just lost an action to a stun")]
    fight.end_round()
    fight.next_round()
    assert effects(fight.turn("1.a", "d100=50")) == [("stunned", 0, 0, "just lost an action to a stun")]
    assert fight.conditions("2.c") == {}
    fight.turn("2.c", "d100=99")
    assert effects(fight.turn("1.b", "d100=50")) == [("stunned", 0, 0, "applied")]


def test_passing_ends_the_guard_too() -> None:
    fight = battle([member("a")], [foe("c")])
    fight["2.c"].guard = 1
    assert names(fight.turn("2.c", opens=False)) == ["passed_over", "pass"]
    assert fight.state("2.c", "guard") == (0,)


def test_a_stun_on_somebody_who_already_acted_costs_the_next_rounds_action() -> None:
    skills = [attack("bash", damage=None, conditions=[inflict("stunned")]), attack("jab")]
    fight = battle([member("a", queue=["bash"])], [foe("c", queue=["jab"], speed=60)], skills=skills)
    first = fight.round(
        fight.opening("2.c"), "d100=50", "between(5, 5)=5", fight.opening("1.a"), "d100=20"
    )  # c acts, then is stunned
    assert [told.actor for told in of(first, Hit)] == ["2.c"]
    assert only(first, ConditionTick).condition == "stunned"
    second = fight.round(fight.opening("1.a"), "d100=20")
    assert [name for name in names(second) if name in ("stunned", "use")] == ["stunned", "use"]
    assert effects(second) == [("stunned", 0, 0, "just lost an action to a stun")]


def test_a_stun_leaves_other_conditions_where_they_are() -> None:
    fight = pair()
    for name in ("slowed", "stunned", "burning"):
        fight.afflict("2.b", name, 3, potency(name))
    fight.turn("2.b", opens=False)
    assert fight.conditions("2.b") == {"slowed": (3, 0), "burning": (3, 4)}


def test_cooldowns_fall_for_the_stunned_too() -> None:
    fight = battle([member("a", queue=["jab"])], [foe("b")], skills=[attack("jab", cooldown=2)])
    fight.turn("1.a", "d100=99")
    fight.next_round()
    fight.afflict("1.a", "stunned")
    fight.turn("1.a", opens=False)
    fight.next_round()
    assert "use" in names(fight.turn("1.a", "d100=99"))
