"""README, Combat: set-up, initiative, rounds, the end of a round and of a fight."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve_fights import (
    Fight,
    aid,
    attack,
    battle,
    combat,
    foe,
    inflict,
    journey,
    member,
    names,
    of,
    only,
)
from tests.helpers.rules import rule

from fracas.rulesets.delve.rules.events import Flee, Initiative, Outcome, Ready, Regain, Round, Rout, TurnOrder, Use

JAB = attack("jab", damage=(10, 10))


def order(fight: Fight) -> list[str]:
    """Who acts in the next round, in order."""
    return [told.actor for told in of(fight.start_round(), TurnOrder)]


# Set-up.


def test_set_up_tells_everybody_who_is_ready_and_then_their_initiative() -> None:
    fight = battle([member("a", hp=40, resource={"max": 9, "start": 50}), member("b")], [foe("c", resource=7)])
    events = fight.events()
    assert names(events) == ["start", "encounter", *["ready"] * 3, *["initiative"] * 3]
    assert {event.tick for event in events} == {0}
    told = of(events, Ready)[0]
    assert (told.actor, told.hp, told.max_hp, told.resource, told.max_resource) == ("1.a", 40, 40, 4, 9)
    assert [ready.resource for ready in of(events, Ready)] == [4, 0, 7]


@pytest.mark.parametrize(
    ("roll", "modifier", "speed", "total"),
    [(1, 0, 0, 1), (100, 0, 0, 100), (50, 0, 30, 20), (1, -100, 255, -354), (100, 100, 0, 200), (7, -5, 40, -38)],
)
def test_initiative_is_a_roll_plus_the_weapon_less_speed(roll: int, modifier: int, speed: int, total: int) -> None:
    fight = Fight(battle([member("a", speed=speed, weapon_speed=modifier)], [foe("b")]).document)
    fight.begin()
    told = of(fight.set_up({"1.a": roll}), Initiative)[0]
    assert (told.actor, told.roll, told.modifier, told.speed, told.total) == ("1.a", roll, modifier, speed, total)
    assert fight.state("1.a", "initiative") == (total,)


def test_the_dead_are_not_ready_roll_nothing_and_keep_their_slots() -> None:
    run = journey([member("a"), member("b"), member("c")], combat(foe("d")))
    run.fell("1.b")
    events = run.set_up()
    assert [told.actor for told in of(events, Ready)] == ["1.a", "1.c", "2.0.d"]
    assert [told.actor for told in of(events, Initiative)] == ["1.a", "1.c", "2.0.d"]
    assert order(run) == ["1.a", "1.c", "2.0.d"]


# The order of a round.


@pytest.mark.parametrize(
    ("totals", "speeds", "expected"),
    [
        ((10, 20, 30, 40), (30, 30, 30, 30), "abcd"),
        ((40, 30, 20, 10), (30, 30, 30, 30), "dcba"),
        ((10, -5, -354, 200), (30, 30, 30, 30), "cbad"),
        # equal totals: the faster first, then slots
        ((10, 10, 10, 10), (30, 30, 30, 30), "abcd"),
        ((10, 10, 10, 10), (10, 40, 20, 30), "bdca"),
        ((10, 10, 10, 10), (0, 255, 0, 255), "bdac"),
        ((10, 9, 10, 10), (255, 0, 0, 255), "badc"),
    ],
)
def test_the_lowest_total_acts_first(totals: tuple[int, ...], speeds: tuple[int, ...], expected: str) -> None:
    fight = battle([member("a"), member("b")], [foe("c"), foe("d")])
    for name, total, speed in zip(("1.a", "1.b", "2.c", "2.d"), totals, speeds, strict=True):
        fight[name].initiative = total
        fight[name].attributes[2] = speed
    assert "".join(name[2] for name in order(fight)) == expected


@pytest.mark.parametrize(
    ("conditions", "change"),
    [((), 0), (("slowed",), 50), (("hasted",), -25), (("slowed", "hasted"), 25), (("hasted", "slowed"), 25)],
)
def test_slowed_and_hasted_add_up(conditions: tuple[str, ...], change: int) -> None:
    fight = battle([member("a")], [foe("b")])
    for condition in conditions:
        fight.afflict("1.a", condition)
    told = {place.actor: place for place in of(fight.start_round(), TurnOrder)}["1.a"]
    assert (told.total, told.change, told.effective) == (20, change, 20 + change)


@pytest.mark.parametrize(
    ("condition", "totals", "before", "after"),
    [
        ("slowed", (10, 59), "ab", "ba"),
        ("slowed", (10, 60), "ab", "ab"),
        ("slowed", (11, 60), "ab", "ba"),
        ("hasted", (84, 60), "ba", "ab"),
        ("hasted", (85, 60), "ba", "ab"),
        ("hasted", (86, 60), "ba", "ba"),
    ],
)
def test_what_is_gained_in_a_fight_changes_the_order_of_the_next_round(
    condition: str, totals: tuple[int, int], before: str, after: str
) -> None:
    fight = battle([member("a", speed=40)], [foe("b")])
    fight["1.a"].initiative, fight["2.b"].initiative = totals
    assert "".join(name[2] for name in order(fight)) == before
    fight.afflict("1.a", condition, 2)
    assert "".join(name[2] for name in order(fight)) == after


def test_the_roll_stays_while_the_order_changes_and_comes_back() -> None:
    fight = battle([member("a", speed=31)], [foe("b")])
    assert order(fight) == ["1.a", "2.b"]
    fight.afflict("1.a", "slowed", 1)
    assert order(fight) == ["2.b", "1.a"]
    fight.end_round()
    assert order(fight) == ["1.a", "2.b"]
    assert fight.state("1.a", "initiative") == (19,)


def test_a_round_that_has_begun_keeps_its_order() -> None:
    """b slows a down, who was to act after b and does so before c, as settled."""
    slow = attack("slow", damage=None, conditions=[inflict("slowed", 3)])
    fight = battle(
        [member("a", speed=50, queue=["jab"])],
        [foe("b", speed=60, queue=["slow"]), foe("c", queue=["jab"])],
        skills=[JAB, slow],
    )
    rolls = [fight.opening("2.b"), "d100=20", fight.opening("1.a"), "d100=96", fight.opening("2.c"), "d100=96"]
    events = fight.round(*rolls)
    assert [told.actor for told in of(events, Use)] == ["2.b", "1.a", "2.c"]
    assert order(fight) == ["2.b", "2.c", "1.a"]


def test_a_round_is_told_with_its_number_and_the_living() -> None:
    fight = battle([member("a"), member("b")], [foe("c"), foe("d"), foe("e")])
    fight.fell("2.d")
    told = only(fight.start_round(), Round)
    assert (told.tick, told.round, told.living_1, told.living_2) == (1, 1, 2, 2)
    assert only(fight.start_round(), Round).tick == 2


def test_the_places_of_the_order_are_told() -> None:
    fight = battle([member("a"), member("b", speed=50)], [foe("c")])
    told = of(fight.start_round(), TurnOrder)
    assert [(place.place, place.actor, place.effective) for place in told] == [
        (1, "1.b", 0),
        (2, "1.a", 20),
        (3, "2.c", 20),
    ]


# Turns that do not happen.


def test_the_dead_have_no_turn() -> None:
    fight = battle([member("a", speed=60, queue=["jab"])], [foe("b", hp=5, queue=["jab"]), foe("c")], skills=[JAB])
    fight["2.b"].hp, fight["2.c"].hp = 5, 100
    events = fight.round(fight.opening("1.a"), "d100=20", "between(10, 10)=10")
    assert [told.actor for told in of(events, Use)] == ["1.a"]
    assert "rout" not in names(events)


def test_once_a_side_is_gone_nobody_else_acts_nor_loses_a_stun() -> None:
    party = [member("a", speed=60, queue=["jab"]), member("b", queue=["jab"]), member("c", queue=["jab"])]
    fight = battle(party, [foe("d", hp=5, queue=["jab"])], skills=[JAB])
    fight.afflict("1.b", "stunned")
    events = fight.round(fight.opening("1.a"), "d100=20", "between(10, 10)=10")
    told = only(events, Rout)
    assert (told.side, told.waiting) == (2, 2)
    assert [name for name in names(events) if name not in ("turn_order", "passed_over")] == [
        "round",
        *["use", "target", "odds", "attack", "amount", "damage", "hit", "fall", "rout"],
        "condition_tick",
    ]
    assert fight.conditions("1.b") == {"stunned": (0, 0)}


@pytest.mark.parametrize(("side", "waiting"), [(1, 0), (2, 0)])
def test_a_rout_by_the_last_to_act_leaves_nobody_waiting(side: int, waiting: int) -> None:
    strong: dict[str, Any] = {"queue": ["jab"], "speed": 10}
    party = [member("a", hp=5, **({} if side == 1 else strong))]
    enemies = [foe("b", hp=5, **(strong if side == 1 else {}))]
    fight = battle(party, enemies, skills=[JAB])
    actor = "2.b" if side == 1 else "1.a"
    events = fight.round(fight.opening(actor), "d100=20", "between(10, 10)=10")
    told = only(events, Rout)
    assert (told.side, told.waiting) == (side, waiting)


# Round end.


def ended(fight: Fight, *rolls: str) -> int:
    """What the end of the current round decides: an outcome's number."""
    outcome: list[int] = []
    fight.told(lambda: outcome.append(rule("end_round", "delve")(fight.record, fight.log)), *rolls)
    return outcome[0]


UNDECIDED, VICTORY, SURVIVED, WIPE, FLED = range(5)


@pytest.mark.parametrize(
    ("fallen", "outcome"),
    [((), UNDECIDED), (("2.b",), VICTORY), (("1.a",), WIPE), (("1.a", "2.b"), WIPE)],
)
def test_who_is_gone_decides(fallen: tuple[str, ...], outcome: int) -> None:
    fight = battle([member("a")], [foe("b")])
    for name in fallen:
        fight.fell(name)
    assert ended(fight) == outcome


@pytest.mark.parametrize(("members", "outcome"), [((4, 100), VICTORY), ((4, 4), WIPE)])
def test_both_sides_may_fall_in_one_tick(members: tuple[int, int], outcome: int) -> None:
    fight = battle([member("a", hp=members[0]), member("b", hp=members[1])], [foe("c", hp=4)])
    for name in ("1.a", "1.b", "2.c"):
        fight.afflict(name, "poisoned", 3, 4)
    assert ended(fight) == outcome


def test_a_party_that_dies_of_poison_after_its_victory_has_not_won() -> None:
    fight = battle([member("a", hp=4, queue=["jab"])], [foe("b", hp=5)], skills=[JAB])
    fight.afflict("1.a", "poisoned", 3, 4)
    events = fight.round(fight.opening("1.a"), "d100=20", "between(10, 10)=10")
    assert names(events)[-3:] == ["rout", "condition_tick", "fall"]
    assert fight.living == (0, 0)


@pytest.mark.parametrize(
    ("regeneration", "before", "gained"), [(4, 0, 4), (4, 6, 4), (4, 7, 3), (4, 10, 0), (0, 5, 0), (1000, 2, 8)]
)
def test_resources_grow_up_to_their_maximum(regeneration: int, before: int, gained: int) -> None:
    fight = battle([member("a", resource={"max": 10, "regeneration": regeneration})], [foe("b")])
    fight["1.a"].resource = before
    told = of(fight.end_round(), Regain)
    assert [(row.actor, row.gained, row.resource) for row in told] == (
        [("1.a", gained, before + gained)] if gained else []
    )


def test_the_dead_regain_nothing_and_ticks_come_before() -> None:
    resource = {"max": 10, "regeneration": 2, "start": 0}
    fight = battle(
        [member("a", hp=3, resource=resource), member("b", resource=resource)], [foe("c", resource=resource)]
    )
    fight.afflict("1.a", "burning", 2, 5)
    fight.afflict("2.c", "slowed", 2)
    events = fight.end_round()
    assert names(events) == ["condition_tick", "fall", "condition_tick", "regain", "regain"]
    assert [told.actor for told in of(events, Regain)] == ["1.b", "2.c"]


# The end of a fight.


@pytest.mark.parametrize("cap", [1, 2, 7, 50])
def test_a_fight_ends_with_its_last_round(cap: int) -> None:
    fight = battle(
        [member("a", hp=10**6, queue=["jab"])], [foe("b", hp=10**6)], skills=[JAB], options={"round_cap": cap}
    )
    result = fight.play()
    assert result.rounds == cap
    assert len(of(fight.events(), Round)) == cap
    assert only(fight.events(), Outcome).reason == "survived"


def test_a_victory_in_the_last_round_is_one() -> None:
    fight = battle([member("a")], [foe("b")], options={"round_cap": 1})
    fight.next_round()
    fight.record.combat_round = 1
    fight.fell("2.b")
    assert ended(fight) == VICTORY


@pytest.mark.parametrize(
    ("fighters", "rounds"),
    [
        ({}, 3),  # everybody passes
        ({"queue": ["boast"]}, 3),  # a helpful skill rolls nothing
        ({"queue": ["jab"]}, 20),
        ({"queue": ["hex"]}, 20),  # a d100 without damage
        ({"queue": ["mend"]}, 20),  # healing that is not a pure heal rolls at full HP too
    ],
)
def test_three_rounds_in_which_nobody_rolls_end_a_fight(fighters: dict[str, Any], rounds: int) -> None:
    skills = [
        attack("jab", damage=(0, 0)),
        attack("hex", damage=None, conditions=[inflict("slowed", 1)]),
        aid("boast", "all_allies", conditions=[inflict("empowered", 9)]),
        aid("mend", heal=(1, 1), conditions=[inflict("hasted", 9)]),
    ]
    fight = battle([member("a", hp=10**6, **fighters)], [foe("b", hp=10**6)], skills=skills, options={"round_cap": 20})
    assert fight.play().rounds == rounds


def test_a_random_target_is_a_roll() -> None:
    skills = [aid("boast", "one_ally", conditions=[inflict("empowered", 9)])]
    queue = [{"skill": "boast", "target": "random"}]
    fight = battle([member("a", queue=queue)], [foe("b")], skills=skills, options={"round_cap": 9})
    assert fight.play().rounds == 9


@pytest.mark.parametrize(
    ("conditions", "rounds"),
    [
        ((("slowed", 0),), 3),
        ((("poisoned", 1),), 5),  # two rounds of poison, then three that are quiet
        ((("regenerating", 1),), 3),  # nothing is missing
        ((("regenerating", 1), ("poisoned", 1)), 5),  # what undoes the other counts
        ((("shielded", 9),), 3),
    ],
)
def test_a_tick_that_changes_hp_is_no_quiet_round(conditions: tuple[tuple[str, int], ...], rounds: int) -> None:
    fight = battle([member("a")], [foe("b")])
    for name, potency in conditions:
        fight.afflict("2.b", name, 2, potency)
    played = 0
    while True:
        played += 1
        fight.start_round()
        if ended(fight) != UNDECIDED:
            break
    assert played == rounds


def test_quiet_rounds_count_only_in_a_row() -> None:
    fight = battle([member("a", queue=[{"skill": "jab", "when": "round == 3"}])], [foe("b")], skills=[JAB])
    rolls: list[list[str]] = [[], [], ["open(3, 0)", "d100=99"], [], [], []]
    decided = []
    for script in rolls:
        fight.round(*script)
        decided.append(int(fight.record.quiet))
    assert decided == [1, 2, 0, 1, 2, 3]


# Fleeing.


def hurt(below: int, *hps: int, **values: Any) -> Fight:
    """A party of members with 100 HP of which so many are left."""
    names = "abcd"[: len(hps)]
    speeds = values.pop("speeds", (30,) * len(hps))
    party = [member(name, speed=speed) for name, speed in zip(names, speeds, strict=True)]
    fight = battle(party, [foe("x", speed=values.pop("hunter", 30)), foe("y", speed=20)], flee_below=below)
    for name, hp in zip(names, hps, strict=True):
        fight[f"1.{name}"].hp = hp
        if hp == 0:
            fight.record.sides[0].living -= 1
    fight.next_round()
    fight.record.combat_round, fight.record.tick = 1, 1
    return fight


@pytest.mark.parametrize(
    ("below", "hps", "tries"),
    [
        (0, (1, 1), False),
        (50, (100, 0), False),  # half is not below half; the dead count with their maximum
        (50, (99, 0), True),
        (50, (50, 50), False),
        (50, (50, 49), True),
        (100, (100, 99), True),
        (100, (100, 100), False),
        (1, (1, 1), False),
        (1, (1, 0), True),
    ],
)
def test_a_party_tries_to_flee_below_a_share_of_its_hp(below: int, hps: tuple[int, ...], tries: bool) -> None:
    fight = hurt(below, *hps)
    events = fight.told(lambda: None)
    rolls = ["open(1, flee)", "d100=51"] if tries else []
    assert ended(fight, *rolls) == UNDECIDED
    told = of(fight.events()[len(events) :], Flee)
    assert [(flee.hp, flee.max_hp) for flee in told] == ([(sum(hps), 100 * len(hps))] if tries else [])


@pytest.mark.parametrize(
    ("speeds", "hunter", "chance", "runner"),
    [
        ((30, 30), 30, 50, "1.a"),
        ((30, 44), 30, 64, "1.b"),
        ((30, 44), 60, 34, "1.b"),
        ((200, 30), 30, 95, "1.a"),
        ((0, 1), 255, 5, "1.b"),
        ((10, 10), 0, 40, "1.a"),  # y is faster than x then
    ],
)
def test_the_fastest_lead_the_flight(speeds: tuple[int, int], hunter: int, chance: int, runner: str) -> None:
    for roll, outcome in ((chance, FLED), (chance + 1, UNDECIDED)):
        fight = hurt(50, 20, 20, speeds=speeds, hunter=hunter)
        assert ended(fight, "open(1, flee)", f"d100={roll}") == outcome
        told = of(fight.events(), Flee)[-1]
        assert (told.actor, told.roll, told.chance) == (runner, roll, chance)
        assert told.target == ("2.x" if hunter >= 20 else "2.y")


def test_the_fallen_lead_nobody_and_hunt_nobody() -> None:
    fight = hurt(50, 0, 40, speeds=(90, 35), hunter=80)
    fight.fell("2.x")
    assert ended(fight, "open(1, flee)", "d100=65") == FLED
    told = of(fight.events(), Flee)[-1]
    assert (told.actor, told.target, told.chance) == ("1.b", "2.y", 65)


def test_flight_comes_before_the_last_round_and_after_victory() -> None:
    fight = hurt(50, 20, 20)
    fight.record.options.round_cap = 1
    assert ended(fight, "open(1, flee)", "d100=50") == FLED
    beaten = hurt(50, 20, 20)
    beaten.fell("2.x")
    beaten.fell("2.y")
    assert ended(beaten) == VICTORY


def test_a_flight_that_fails_in_the_last_round_is_survived() -> None:
    fight = hurt(50, 20, 20)
    fight.record.options.round_cap = 1
    assert ended(fight, "open(1, flee)", "d100=51") == SURVIVED
