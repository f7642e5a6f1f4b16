"""README, Order of play, Rewards and End: what carries over, what encounters pay, skips, and how runs end."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve_fights import (
    Fight,
    attack,
    battle,
    combat,
    decision,
    difficulty,
    foe,
    inflict,
    journey,
    member,
    names,
    of,
    only,
    span,
)

from fracas.rulesets.delve.rules.events import Encounter, EncounterEnd, Outcome, Ready, Reward, Spoils, Start

REST = {"type": "rest", "loot": False}
JAB = attack("jab", damage=(10, 10))
SURE: dict[str, Any] = {"might": 255, "luck": 255, "queue": ["jab"]}
UNDECIDED, VICTORY, SURVIVED, WIPE, FLED, COMPLETED = range(6)


def passed(run: Fight, outcome: int = VICTORY, *, reduced: bool = False) -> None:
    """Take it that the encounter at hand has been passed, with nobody met so far but those of its own fight."""
    run.record.outcome = outcome
    run.record.reduced = int(reduced)
    run.record.survived_fights += int(reduced)
    encounter = run.record.encounters[run.record.encounter]
    run.record.fought_first, run.record.fought_count = encounter.first_foe, encounter.foe_count
    run.record.found_gold = run.record.extra_rolls = run.record.skip = 0
    run.record.table = encounter.table


def paid(run: Fight, *rolls: str) -> Reward:
    """What the encounter at hand pays."""
    return only(run.move_on(*rolls), Reward)


# Setting out.


def test_a_run_begins_with_its_members_unhurt() -> None:
    party = [member("a", hp=40, resource={"max": 9, "start": 50}), member("b", hp=7)]
    run = journey(party, REST, REST, flee_below=20)
    told = only(run.events(), Start)
    assert (told.tick, told.journey, told.members, told.encounters, told.flee_below) == (0, "run", 2, 2, 20)
    assert run.state("1.a", "hp", "resource") == (40, 4)
    assert run.hp("1.b") == (7,)


def test_a_lone_encounter_is_told_as_one() -> None:
    told = only(battle([member("a")], [foe("b")]).events(), Start)
    assert (told.journey, told.members, told.encounters, told.flee_below) == ("encounter", 1, 1, 0)


def test_encounters_own_their_ticks() -> None:
    party = [member("a", hp=10**5, **SURE)]
    run = journey(party, combat(foe("x", hp=13)), REST, combat(foe("y", hp=13)), skills=[JAB])
    run.play()
    ticks = {event.NAME: set[int]() for event in run.events()}
    for event in run.events():
        ticks[event.NAME].add(event.tick)
    assert ticks["encounter"] == {0, 0x10000, 0x20000}
    assert ticks["ready"] == ticks["initiative"] == {0, 0x20000}
    assert ticks["restore"] == {0x18000}
    assert {tick & 0xFFFF for tick in ticks["round"]} <= set(range(1, 51))
    assert ticks["reward"] == {0xFFFF, 0x1FFFF, 0x2FFFF}
    assert ticks["spoils"] == ticks["outcome"] == {0x2FFFF}


# What carries over.


def test_hp_and_resource_carry_over_and_nothing_else_does() -> None:
    party = [member("a", resource={"max": 20}, queue=["big"]), member("b")]
    skills = [attack("big", cost=6, cooldown=9)]
    run = journey(party, combat(foe("x")), combat(foe("y", hp=40)), skills=skills)
    run.set_up()
    run.turn("1.a", "d100=99")
    run["1.b"].hp = 33
    for name in ("1.a", "2.0.x"):
        run.afflict(name, "stunned")
        run.afflict(name, "poisoned", 9, 2)
        run[name].guard = 1
    passed(run)
    run.move_on("open(65535, loot)", "d100=50")
    events = run.set_up()
    told = {row.actor: (row.hp, row.max_hp, row.resource) for row in of(events, Ready)}
    assert told == {"1.a": (100, 100, 14), "1.b": (33, 100, 0), "2.1.y": (40, 40, 0)}
    for name in ("1.a", "2.1.y"):
        assert run.conditions(name) == {}
        assert run.state(name, "guard") == (0,)
    assert run.used("1.a", "big") == 0
    assert "use" in names(run.turn("1.a", "d100=99"))  # nothing cools down


def test_the_dead_stay_dead() -> None:
    run = journey([member("a"), member("b")], combat(foe("x")), {"type": "rest"}, combat(foe("y")))
    run.fell("1.a")
    for place in range(2):
        passed(run)
        run.move_on(f"open({run.rewards}, loot)", "d100=50")
        assert only(run.encounter() if place == 0 else run.set_up(), Encounter).members == 1
    assert run.hp("1.a") == (0,)
    assert run.living == (1, 1)


def test_bosses_come_back_as_they_were() -> None:
    """The same creature met twice begins anew, whatever phase it was in."""
    phases = [{"name": "Wild", "at": 50, "armor": 9, "queue": ["big"], "attributes": {"might": 99}}]
    boss = foe("x", queue=["jab"], armor=1, phases=phases)
    run = journey([member("a")], combat(boss), combat(boss), skills=[JAB, attack("big")])
    run.set_up()
    run["2.0.x"].hp = 10
    run.turn("2.0.x", "d100=99")
    assert run.state("2.0.x", "armor", "next_phase") == (9, 1)
    passed(run)
    run.move_on("open(65535, loot)", "d100=50")
    run.set_up()
    assert run.state("2.1.x", "hp", "armor", "next_phase", "slot_count") == (100, 1, 0, 1)
    assert run["2.1.x"].attributes.tolist() == [30] * 6
    assert [told.skill for told in run.turn("2.1.x", "d100=99") if told.NAME == "use"] == ["jab"]  # type: ignore[attr-defined]


# Rewards.


@pytest.mark.parametrize(
    ("worth", "own", "percent", "share", "reduced", "xp"),
    [
        ((10, 5), 0, 100, 50, False, 15),
        ((10, 5), 7, 100, 50, False, 22),
        ((10, 5), 0, 150, 50, False, 22),
        ((10, 5), 0, 75, 50, False, 11),
        ((10, 5), 0, 0, 50, False, 0),
        ((10, 5), 0, 100, 50, True, 7),
        ((10, 5), 0, 100, 33, True, 4),
        ((10, 5), 0, 100, 0, True, 0),
        ((10, 5), 0, 100, 100, True, 15),
        # truncated once: 15 * 150% are 22.5, of which 50% are 11.25; and 15 * 75% are 11.25, half of which is 5.6
        ((10, 5), 0, 150, 50, True, 11),
        ((10, 5), 0, 75, 50, True, 5),
        ((7, 6), 0, 150, 50, True, 9),  # 9.75; 19 and then half of it would be 9 as well
        ((7, 0), 0, 130, 90, True, 8),  # 8.19; 9 and then 90% would be 8
        ((11, 0), 0, 150, 90, True, 14),  # 14.85; 16 and then 90% would be 14
        ((3, 0), 0, 150, 70, True, 3),  # 3.15; 4 and then 70% would be 2
    ],
)
def test_xp(worth: tuple[int, int], own: int, percent: int, share: int, reduced: bool, xp: int) -> None:
    enemies = [foe(name, xp_reward=value) for name, value in zip("xy", worth, strict=True)]
    run = journey(
        [member("a"), member("b"), member("c")],
        combat(*enemies, xp=own, loot=False),
        REST,
        difficulty=difficulty(xp=percent, loot_chance=0),
        options={"survived_share": share},
    )
    run.fell("1.b")
    passed(run, SURVIVED if reduced else VICTORY, reduced=reduced)
    told = paid(run)
    assert (told.xp, told.gold, told.members, told.reduced) == (xp, 0, 2, reduced)
    assert [run.state(name, "xp") for name in ("1.a", "1.b", "1.c")] == [(xp,), (0,), (xp,)]
    assert run.record.xp == xp


@pytest.mark.parametrize(
    ("ends", "found", "reduced", "gold"),
    [
        (None, 0, False, 0),
        (None, 9, False, 9),
        ((2, 8), 0, False, 5),
        ((2, 8), 9, False, 14),
        ((2, 8), 0, True, 2),
        ((2, 8), 8, True, 6),
        ((0, 0), 4, False, 4),
    ],
)
def test_gold(ends: tuple[int, int] | None, found: int, reduced: bool, gold: int) -> None:
    run = journey([member("a")], combat(foe("x"), gold=span(ends) or None, loot=False), REST)
    passed(run, SURVIVED if reduced else VICTORY, reduced=reduced)
    run.record.found_gold = found
    rolls = [f"open({run.rewards}, gold)", "between(2, 8)=5"] if ends == (2, 8) else []
    assert paid(run, *rolls).gold == gold
    assert run.record.gold == gold


def test_a_fixed_range_of_gold_takes_its_roll() -> None:
    run = journey([member("a")], {**REST, "gold": span((5, 5))}, REST)
    passed(run)
    assert paid(run, f"open({run.rewards}, gold)", "between(5, 5)=5").gold == 5


@pytest.mark.parametrize("outcome", [VICTORY, SURVIVED])
def test_encounters_without_a_fight_pay_in_full_however_they_went(outcome: int) -> None:
    run = journey([member("a")], {**REST, "xp": 9}, REST)
    passed(run, outcome)
    told = paid(run)
    assert (told.xp, told.reduced) == (9, False)


def test_the_enemies_of_an_ambush_are_paid_for_and_those_that_were_not_met_are_not() -> None:
    brings = {"success": {"ambush": [foe("s", xp_reward=5), foe("t", xp_reward=6)]}}
    away = {"failure": {"ambush": [foe("f", xp_reward=100)]}}
    run = journey(
        [member("a")],
        combat(foe("x", xp_reward=1000)),
        decision({"check": "luck", **brings, **away}, xp=3, loot=False),
        REST,
    )
    run.record.encounter = 1
    passed(run)
    run.record.fought_first, run.record.fought_count = 1, 2
    assert paid(run).xp == 14


def test_whoever_dies_before_an_encounters_end_gets_none_of_its_xp_and_keeps_what_it_had() -> None:
    run = journey([member("a"), member("b")], {**REST, "xp": 5}, {**REST, "xp": 7}, {**REST, "xp": 11})
    for place in range(3):
        if place == 1:
            run.fell("1.b")
        passed(run)
        run.move_on(*(["open(196607, chest)", "pick=0", "pick=0"] if place == 2 else []))
    assert [run.state(name, "xp") for name in ("1.a", "1.b")] == [(23,), (5,)]
    assert run.record.xp == 23


def test_sums_of_xp_stay_within_their_limit() -> None:
    rich = combat(*(foe(name, xp_reward=10**6) for name in "stuvwxyz"), loot=False)
    run = journey([member("a")], *[rich] * 14, difficulty=difficulty(xp=1000))
    for _ in range(13):
        passed(run)
        run.move_on()
    assert run.record.xp == 10**9
    assert run.state("1.a", "xp") == (10**9,)


# Skips.


@pytest.mark.parametrize(("skip", "following"), [(0, 1), (1, 2), (2, 3)])
def test_skipped_encounters_keep_their_numbers_and_give_nothing(skip: int, following: int) -> None:
    run = journey([member("a")], REST, *[{**REST, "xp": 50}] * 3)
    passed(run)
    run.record.skip = skip
    run.move_on()
    told = only(run.encounter(), Encounter)
    assert (told.number, told.tick) == (following, following * 0x10000)
    assert run.record.xp == 0


@pytest.mark.parametrize("skip", [1, 2, 39])
def test_a_skip_past_the_end_completes_the_run(skip: int) -> None:
    run = journey([member("a")], REST, REST)
    passed(run)
    run.record.skip = skip
    run.move_on("open(131071, chest)", "pick=0", "pick=0")
    assert (run.record.reason, run.record.winner, run.record.tick) == (COMPLETED, 1, 0x1FFFF)


def test_a_skip_is_for_once() -> None:
    run = journey(
        [member("a")], decision({"success": {"skip": 1}}, loot=False), *[REST] * 4, difficulty=difficulty(loot_chance=0)
    )
    run.play()
    assert [told.number for told in of(run.events(), Encounter)] == [0, 2, 3, 4]


# The end.


@pytest.mark.parametrize(
    ("outcome", "winner", "reason"),
    [(VICTORY, 1, VICTORY), (WIPE, 2, WIPE), (SURVIVED, 0, SURVIVED), (FLED, 0, FLED)],
)
def test_how_a_lone_encounter_ends(outcome: int, winner: int, reason: int) -> None:
    fight = battle([member("a")], [foe("b", xp_reward=50)])
    fight.record.outcome = outcome
    assert fight.move_on() == []
    assert (fight.record.winner, fight.record.reason) == (winner, reason)
    assert (fight.record.xp, fight.record.gold, fight.record.drop_count) == (0, 0, 0)


@pytest.mark.parametrize(("outcome", "kept"), [(WIPE, False), (FLED, True)])
def test_a_run_that_fails(outcome: int, kept: bool) -> None:
    run = journey(
        [member("a")],
        {**REST, "xp": 9, "gold": span((4, 4)), "loot": True},
        REST,
        REST,
        difficulty=difficulty(loot_chance=100),
    )
    passed(run)
    run.move_on("open(65535, gold)", "between(4, 4)=4", "open(65535, loot)", "d100=1", "pick=0", "pick=0")
    run.record.outcome = outcome
    assert run.move_on() == []
    assert (run.record.winner, run.record.reason, run.record.tick) == (2, outcome, 0x1FFFF)
    found = (run.record.xp, run.record.gold, run.record.drop_count, run["1.a"].xp)
    assert found == ((9, 4, 1, 9) if kept else (0, 0, 0, 0))
    assert run.record.passed == 1


def told_at_the_end(run: Fight) -> tuple[Spoils | None, Outcome]:
    run.play()
    return next(iter(of(run.events(), Spoils)), None), only(run.events(), Outcome)


def test_spoils_and_outcome_of_a_completed_run() -> None:
    party = [member("a", hp=60), member("b", hp=50)]
    run = journey(party, {**REST, "xp": 9, "gold": span((4, 4))}, {**REST, "xp": 2})
    spoils, outcome = told_at_the_end(run)
    assert spoils is not None
    assert (spoils.tick, spoils.xp, spoils.gold, spoils.items, spoils.encounters) == (0x1FFFF, 11, 4, 1, 2)
    assert (outcome.tick, outcome.winner, outcome.reason, outcome.hp_1, outcome.hp_2) == (
        0x1FFFF,
        1,
        "completed",
        110,
        0,
    )


def test_spoils_after_a_wipe_are_nothing_but_the_encounters_that_were_passed() -> None:
    strong = foe("x", hp=77, **SURE)
    spoils, outcome = told_at_the_end(
        journey([member("a", hp=20)], {**REST, "xp": 9}, combat(strong), REST, skills=[JAB])
    )
    assert spoils is not None
    assert (spoils.tick, spoils.xp, spoils.gold, spoils.items, spoils.encounters) == (0x1FFFF, 0, 0, 0, 1)
    assert (outcome.winner, outcome.reason, outcome.hp_1, outcome.hp_2) == (2, "party_wipe", 0, 77)


def test_a_lone_encounter_has_no_spoils_and_ends_at_its_last_round() -> None:
    fight = battle([member("a", **SURE)], [foe("b", hp=1, xp_reward=9)], skills=[JAB])
    spoils, outcome = told_at_the_end(fight)
    rounds = only(fight.events(), EncounterEnd).rounds
    assert spoils is None
    assert (outcome.tick, outcome.winner, outcome.reason) == (rounds, 1, "victory")
    assert "reward" not in names(fight.events())


@pytest.mark.parametrize(("reduced", "opened"), [(False, True), (True, False)])
def test_the_chest_is_for_who_survived_no_fight_merely(reduced: bool, opened: bool) -> None:
    run = journey([member("a")], REST, REST)
    passed(run, SURVIVED if reduced else VICTORY, reduced=reduced)
    run.move_on()
    passed(run, SURVIVED)
    run.move_on(*(["open(131071, chest)", "pick=0", "pick=0"] if opened else []))
    assert run.record.reason == COMPLETED
    assert run.record.drop_count == int(opened)


def test_a_battle_leaves_nothing_behind_for_the_next() -> None:
    """The same record plays number 3 after others as it plays it first."""
    skills = [
        attack("jab", damage=(2, 9), conditions=[inflict("poisoned", 2, 2)]),
        attack("big", "all_enemies", cost=4),
    ]
    party = [member(name, hp=40, queue=["big", "jab"], resource={"max": 12, "regeneration": 2}) for name in "abc"]
    enemies = [foe(name, hp=30, queue=["jab"]) for name in "xyz"]

    def made() -> Fight:
        quest = (combat(*enemies), {"type": "hazard", "check": "luck", "difficulty": 20, "damage": span((1, 9))}, REST)
        return journey(party, *quest, combat(*enemies[:2]), skills=skills, difficulty=difficulty(loot_chance=70))

    fresh, used = made(), made()
    for stream in (0, 1, 2):
        used.play(stream)
    first, again = fresh.play(3), used.play(3)
    assert first.tobytes() == again.tobytes()
    assert fresh.rows().tobytes() == used.rows().tobytes()


def test_what_a_result_holds() -> None:
    party = [member("a", hp=60, **SURE), member("b", hp=50)]
    run = journey(party, combat(foe("x", hp=1, xp_reward=4)), {**REST, "gold": span((3, 3))}, skills=[JAB])
    result = run.play()
    assert (result.winner, result.reason, result.encounters_passed) == (1, COMPLETED, 2)
    assert (result.wipe_encounter, result.wiped_by) == (-1, -1)
    assert (result.xp, result.gold) == (4, 3)
    assert result.items.tolist() == [1, 0, 0, 0, 0, 0]
    assert result.member_hp.tolist() == [60, 50, 0, 0, 0, 0, 0, 0]
    assert result.hp_left.tolist() == [110, 0]
    assert result.units_left.tolist() == [2, 0]
    code = list(run.compiled.books["skill"]).index("jab")
    assert result.skill_damage[code] == 1
    assert result.slot_uses.sum() == result.slot_uses[0] == of(run.events(), EncounterEnd)[0].rounds


def test_a_result_says_where_and_by_whom_the_last_member_fell() -> None:
    strong = foe("y", **SURE)
    run = journey([member("a", hp=20)], REST, combat(foe("x"), strong), skills=[JAB])
    result = run.play()
    assert (result.wipe_encounter, run.compiled.books["unit"][result.wiped_by]) == (1, "2.1.y")
    trapped = journey([member("a", hp=1)], {"type": "hazard", "check": "luck", "difficulty": 0, "damage": span((9, 9))})
    result = trapped.play()
    assert (result.wipe_encounter, result.wiped_by) == (0, -1)
