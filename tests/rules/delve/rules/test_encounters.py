"""README, Traps, decisions, hazards, rest, puzzles: checks, who makes them, what comes of them, ambushes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve_fights import (
    Fight,
    attack,
    combat,
    decision,
    difficulty,
    foe,
    journey,
    member,
    names,
    of,
    only,
    span,
)
from tests.helpers.rules import rule

from fracas.rulesets.delve.rules.constants import CHECKS
from fracas.rulesets.delve.rules.events import (
    Ambush,
    Check,
    Choice,
    Consequence,
    Encounter,
    EncounterEnd,
    Fall,
    Harm,
    Option,
    Restore,
)

FOUR = span((4, 4))
DOOM = span((500, 500))


def trap(**values: Any) -> dict[str, Any]:
    return {"type": "trap", "detect": 20, "avoid": 10, "damage": span((2, 9)), **values}


def hazard(**values: Any) -> dict[str, Any]:
    return {"type": "hazard", "check": "survival", "difficulty": 20, "damage": span((2, 9)), **values}


def puzzle(**values: Any) -> dict[str, Any]:
    return {"type": "puzzle", "difficulty": 20, "checks": ["logic"], "success": {}, "failure": {}, **values}


def option(**values: Any) -> dict[str, Any]:
    return {"name": "So", **values}


def opening(run: Fight, step: int, name: str) -> str:
    return f"open({run.step(step)}, {run.index(name)})"


def end(events: list[Any]) -> tuple[str, int, int]:
    """How an encounter ended: outcome, rounds, living members."""
    told = only(events, EncounterEnd)
    return told.outcome, told.rounds, told.members


def checks(events: list[Any]) -> list[tuple[str, str, int, int]]:
    return [(told.actor, told.check, told.value, told.chance) for told in of(events, Check)]


def harms(events: list[Any]) -> list[tuple[str, int, int, int]]:
    return [(told.target, told.damage, told.lost, told.hp) for told in of(events, Harm)]


# Checks.


@pytest.mark.parametrize("check", CHECKS[1:])
def test_the_value_of_each_check(check: str) -> None:
    attributes: dict[str, Any] = {"might": 41, "logic": 42, "speed": 43, "presence": 44, "fortitude": 45, "luck": 46}
    trained = {"perception": "presence", "acrobatics": "speed", "athletics": "might", "survival": "fortitude"}
    trained |= {"arcana": "logic", "lore": "logic"}
    training = {name: place for place, name in enumerate(trained, 1)}
    run = journey([member("a", training=training, **attributes)], hazard(check=check))
    events = run.encounter(opening(run, 0, "1.a"), "d100=1", "between(2, 9)=2")
    value = attributes[trained.get(check, check)] + training.get(check, 0)
    assert checks(events) == [("1.a", check, value, 50 + value - 20)]


@pytest.mark.parametrize(
    ("value", "against", "overall", "chance"),
    [
        (30, 20, 0, 60),
        (30, 20, 15, 45),
        (30, 20, -15, 75),
        (30, 0, 0, 80),
        (0, 44, 0, 6),
        (0, 45, 0, 5),
        (0, 46, 0, 5),
        (0, 100, 100, 5),
        (44, 0, 0, 94),
        (45, 0, 0, 95),
        (46, 0, 0, 95),
        (255, 0, -100, 95),
        (200, 100, 100, 50),
    ],
)
def test_the_chance_of_a_check(value: int, against: int, overall: int, chance: int) -> None:
    for roll, damage in ((chance, 2), (chance + 1, 4)):
        run = journey(
            [member("a", fortitude=value)],
            hazard(difficulty=against),
            difficulty=difficulty(check=overall, loot_chance=0),
        )
        events = run.encounter(opening(run, 0, "1.a"), f"d100={roll}", "between(2, 9)=4")
        assert checks(events)[0][3] == chance
        assert harms(events)[0][1] == damage


# Traps.


@pytest.mark.parametrize(
    ("presences", "training", "scout"),
    [((30, 31), (0, 0), "1.b"), ((30, 30), (0, 0), "1.a"), ((30, 30), (0, 1), "1.b"), ((40, 30), (0, 10), "1.a")],
)
def test_the_most_perceptive_looks_for_the_trap(
    presences: tuple[int, int], training: tuple[int, int], scout: str
) -> None:
    party = [
        member(name, presence=presence, training={"perception": trained})
        for name, presence, trained in zip("ab", presences, training, strict=True)
    ]
    run = journey(party, trap())
    events = run.encounter(opening(run, 0, scout), "d100=1")
    assert names(events) == ["encounter", "check", "encounter_end"]
    assert checks(events)[0][:2] == (scout, "perception")
    assert end(events) == ("Victory", 0, 2)


def test_the_fallen_look_for_nothing() -> None:
    run = journey([member("a", presence=90), member("b")], trap())
    run.fell("1.a")
    assert checks(run.encounter(opening(run, 0, "1.b"), "d100=1"))[0][0] == "1.b"


@pytest.mark.parametrize(
    ("speed", "might", "trained", "check", "value"),
    [
        (30, 30, 0, "acrobatics", 30),
        (30, 31, 0, "athletics", 31),
        (31, 30, 0, "acrobatics", 31),
        (30, 31, 1, "acrobatics", 31),
        (10, 30, 25, "acrobatics", 35),
    ],
)
def test_a_trap_is_avoided_with_the_better_of_two_skills(
    speed: int, might: int, trained: int, check: str, value: int
) -> None:
    run = journey([member("a", speed=speed, might=might, training={"acrobatics": trained})], trap())
    events = run.encounter(opening(run, 0, "1.a"), "d100=95", opening(run, 1, "1.a"), "d100=1")
    assert checks(events)[1] == ("1.a", check, value, 50 + value - 10)
    assert end(events) == ("Victory", 0, 1)


def test_everybody_who_does_not_avoid_a_trap_suffers() -> None:
    run = journey([member("a", hp=6), member("b"), member("c")], trap())
    rolls = [opening(run, 0, "1.a"), "d100=95"]
    rolls += [opening(run, 1, "1.a"), "d100=95", "between(2, 9)=6"]
    rolls += [opening(run, 1, "1.b"), "d100=1", opening(run, 1, "1.c"), "d100=95", "between(2, 9)=9"]
    events = run.encounter(*rolls)
    assert names(events)[1:-1] == ["check", "check", "harm", "fall", "check", "check", "harm"]
    assert harms(events) == [("1.a", 6, 6, 0), ("1.c", 9, 9, 91)]
    assert [(told.actor, told.target) for told in of(events, Fall)] == [(None, "1.a")]
    assert end(events) == ("Survived", 0, 2)


def test_a_trap_may_be_the_end() -> None:
    run = journey([member("a")], trap(damage=DOOM))
    rolls = [opening(run, 0, "1.a"), "d100=95", opening(run, 1, "1.a"), "d100=95", "between(500, 500)=500"]
    events = run.encounter(*rolls)
    assert harms(events) == [("1.a", 500, 100, 0)]
    assert end(events) == ("PartyWipe", 0, 0)
    assert run.move_on() == []
    assert run.record.reason == 3


# Hazards.


@pytest.mark.parametrize(("roll", "passed", "damage"), [(2, True, 1), (3, True, 1), (9, True, 4), (9, False, 9)])
def test_a_hazard_hurts_everybody_and_half_as_much_who_passes(roll: int, passed: bool, damage: int) -> None:
    run = journey([member("a")], hazard())
    d100 = "d100=60" if passed else "d100=61"
    events = run.encounter(opening(run, 0, "1.a"), d100, f"between(2, 9)={roll}")
    assert names(events)[1:-1] == ["check", "harm"]
    assert only(events, Harm).roll == roll
    assert harms(events) == [("1.a", damage, damage, 100 - damage)]
    assert end(events)[0] == ("Victory" if passed else "Survived")


def test_a_hazard_goes_from_member_to_member() -> None:
    run = journey([member("a", hp=3), member("b"), member("c")], hazard())
    run.fell("1.b")
    rolls = [opening(run, 0, "1.a"), "d100=90", "between(2, 9)=3", opening(run, 0, "1.c"), "d100=1", "between(2, 9)=3"]
    events = run.encounter(*rolls)
    assert names(events)[1:-1] == ["check", "harm", "fall", "check", "harm"]
    assert end(events) == ("Survived", 0, 1)


def test_a_hazard_that_everybody_passes_is_a_victory_even_if_somebody_dies_of_it() -> None:
    run = journey([member("a", hp=2), member("b")], hazard())
    rolls = [opening(run, 0, "1.a"), "d100=1", "between(2, 9)=9", opening(run, 0, "1.b"), "d100=1", "between(2, 9)=9"]
    assert end(run.encounter(*rolls)) == ("Victory", 0, 1)


def test_a_hazard_that_nobody_lives_through_is_the_end_whatever_was_passed() -> None:
    run = journey([member("a", hp=2)], hazard())
    assert end(run.encounter(opening(run, 0, "1.a"), "d100=1", "between(2, 9)=9")) == ("PartyWipe", 0, 0)


def test_harm_outside_of_fights_meets_no_armor() -> None:
    run = journey([member("a", armor=50, resistance=50)], hazard())
    assert harms(run.encounter(opening(run, 0, "1.a"), "d100=90", "between(2, 9)=9")) == [("1.a", 9, 9, 91)]


# Rest.


@pytest.mark.parametrize(
    ("most", "hp", "restored"), [(100, 10, 25), (100, 75, 25), (100, 76, 24), (100, 100, 0), (99, 10, 24), (3, 1, 0)]
)
def test_rest_restores_a_quarter_of_the_maximum(most: int, hp: int, restored: int) -> None:
    run = journey([member("a", hp=most, resource=most)], {"type": "rest"})
    run["1.a"].hp = run["1.a"].resource = hp
    told = only(run.encounter(), Restore)
    assert (told.target, told.restored, told.hp, told.gained, told.resource) == (
        "1.a",
        restored,
        hp + restored,
        restored,
        hp + restored,
    )


def test_rest_revives_nobody_and_is_always_a_victory() -> None:
    run = journey([member("a"), member("b")], {"type": "rest"})
    run.fell("1.a")
    events = run.encounter()
    assert [told.target for told in of(events, Restore)] == ["1.b"]
    assert end(events) == ("Victory", 0, 1)
    assert run.hp("1.a") == (0,)


# Decisions.


def test_the_option_that_a_member_is_best_at_is_taken() -> None:
    party = [member("a", luck=50), member("b", logic=44, training={"lore": 3})]
    run = journey(
        party,
        decision(
            option(check="survival", difficulty=1),
            option(check="lore", difficulty=12),
            option(check="luck", difficulty=30),
            option(),
        ),
    )
    events = run.encounter(opening(run, 0, "1.a"), "d100=70")
    told = [(row.actor, row.option, row.check, row.value) for row in of(events, Option)]
    assert told == [
        ("1.a", 0, "survival", 30),
        ("1.b", 1, "lore", 47),
        ("1.a", 2, "luck", 50),
        (None, 3, "no skill", 0),
    ]
    choice = only(events, Choice)
    assert (choice.actor, choice.option, choice.check, choice.value) == ("1.a", 2, "luck", 50)
    assert checks(events) == [("1.a", "luck", 50, 70)]
    assert names(events)[-3:] == ["check", "consequence", "encounter_end"]
    assert end(events)[0] == "Victory"


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ((option(check="lore"), option(check="arcana")), 0),  # both by logic
        ((option(), option(check="lore")), 1),
        ((option(), option()), 0),
        ((option(check="luck"), option()), 0),
    ],
)
def test_of_equal_options_the_first_is_taken(options: tuple[dict[str, Any], ...], chosen: int) -> None:
    run = journey([member("a", luck=0)], decision(*options))
    rolls = [opening(run, 0, "1.a"), "d100=1"] if options[chosen].get("check") else []
    assert only(run.encounter(*rolls), Choice).option == chosen


def test_an_option_without_a_check_succeeds_without_a_roll() -> None:
    run = journey([member("a")], decision(option(success={"gold": 5})))
    events = run.encounter()
    assert names(events) == ["encounter", "option", "choice", "consequence", "encounter_end"]
    assert only(events, Consequence).success
    assert end(events) == ("Victory", 0, 1)


@pytest.mark.parametrize(("roll", "well"), [(60, True), (61, False)])
def test_a_check_decides_which_consequence_follows(roll: int, well: bool) -> None:
    brings = {"success": {"gold": 7, "loot_rolls": 2}, "failure": {"gold": 1, "skip": 1}}
    run = journey([member("a")], decision(option(check="luck", difficulty=20, **brings)), {"type": "rest"})
    told = only(run.encounter(opening(run, 0, "1.a"), f"d100={roll}"), Consequence)
    expected = (True, 7, 2, 0) if well else (False, 1, 0, 1)
    assert (told.success, told.gold, told.loot_rolls, told.skip) == expected
    assert told.tick == run.step(1)
    assert end(run.events()) == ("Victory" if well else "Survived", 0, 1)


# Puzzles.


def test_a_puzzle_is_tried_with_the_check_that_somebody_is_best_at() -> None:
    party = [member("a", logic=35), member("b", logic=40, training={"arcana": 1})]
    run = journey(party, puzzle(checks=["logic", "perception", "arcana", "lore"]))
    events = run.encounter(opening(run, 0, "1.b"), "d100=71")
    assert checks(events) == [("1.b", "arcana", 41, 71)]
    assert names(events) == ["encounter", "check", "consequence", "encounter_end"]


def test_of_equal_checks_of_a_puzzle_the_first_listed_is_used() -> None:
    run = journey([member("a")], puzzle(checks=["arcana", "logic", "perception"]))
    assert checks(run.encounter(opening(run, 0, "1.a"), "d100=1"))[0][1] == "arcana"


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(("roll", "gold"), [(1, 9), (95, 2)])
def test_whatever_check_a_puzzle_is_tried_with_the_same_comes_of_it(place: int, roll: int, gold: int) -> None:
    names = ["luck", "might", "fortitude"]
    attributes: dict[str, Any] = {names[place]: 44}
    run = journey(
        [member("a", **attributes)],
        puzzle(checks=names, difficulty=40, success={"gold": 9}, failure={"gold": 2}),
    )
    events = run.encounter(opening(run, 0, "1.a"), f"d100={roll}")
    assert checks(events) == [("1.a", names[place], 44, 54)]
    assert only(events, Consequence).gold == gold


# Consequences.


def after(consequence: dict[str, Any], *party: dict[str, Any], rolls: tuple[str, ...] = ()) -> tuple[Fight, list[Any]]:
    """A run in which this consequence has just followed."""
    run = journey(list(party) or [member("a"), member("b")], decision(option(success=consequence)))
    return run, run.encounter(*rolls)


def test_a_consequence_without_anything_is_told_all_the_same() -> None:
    _, events = after({})
    told = only(events, Consequence)
    assert (told.success, told.gold, told.loot_rolls, told.skip) == (True, 0, 0, 0)


@pytest.mark.parametrize(("percent", "restored"), [(10, 9), (33, 32), (100, 49), (1, 0)])
def test_a_consequence_heals_a_share_of_the_maximum(percent: int, restored: int) -> None:
    run = journey([member("a", hp=99, resource={"max": 9, "start": 0})], decision(option(success={"heal": percent})))
    run["1.a"].hp = 50
    told = only(run.encounter(), Restore)
    assert (told.restored, told.hp, told.gained, told.resource) == (restored, 50 + restored, 0, 0)


def test_healing_by_a_consequence_is_told_for_those_who_need_none_and_not_for_the_fallen() -> None:
    run = journey([member("a"), member("b")], decision(option(success={"heal": 50})))
    run.fell("1.b")
    assert [(told.target, told.restored) for told in of(run.encounter(), Restore)] == [("1.a", 0)]


def test_no_healing_is_no_row() -> None:
    assert "restore" not in names(after({"heal": 0})[1])


def test_a_consequence_hurts_everybody_after_healing_them() -> None:
    run = journey([member("a", hp=8), member("b")], decision(option(success={"heal": 25, "damage": span((2, 9))})))
    run["1.a"].hp = 3
    rolls = [opening(run, 1, "1.a"), "between(2, 9)=5", opening(run, 1, "1.b"), "between(2, 9)=9"]
    events = run.encounter(*rolls)
    assert names(events)[3:-1] == ["consequence", "restore", "restore", "harm", "fall", "harm"]
    assert harms(events) == [("1.a", 5, 5, 0), ("1.b", 9, 9, 91)]
    assert end(events) == ("Victory", 0, 1)


def test_damage_of_nothing_is_still_rolled() -> None:
    rolls = ("open(32769, 0)", "between(0, 0)=0", "open(32769, 1)", "between(0, 0)=0")
    assert harms(after({"damage": span((0, 0))}, rolls=rolls)[1]) == [("1.a", 0, 0, 100), ("1.b", 0, 0, 100)]


def test_a_consequence_that_nobody_lives_through_brings_nothing_else() -> None:
    brings = {"damage": DOOM, "gold": 50, "loot_rolls": 3, "skip": 1, "ambush": [foe("x")]}
    run, events = after(brings, member("a"), rolls=("open(32769, 0)", "between(500, 500)=500"))
    assert names(events)[-3:] == ["harm", "fall", "encounter_end"]
    assert end(events) == ("PartyWipe", 0, 0)
    assert (run.record.found_gold, run.record.extra_rolls, run.record.fought_count) == (0, 0, 0)


# Ambushes.


def ambushed(*enemies: dict[str, Any], check: str | None = None, **scenario: Any) -> Fight:
    """A decision that leads into a fight, by failure if there is a check, with a rest after it."""
    brings = {"ambush": list(enemies)}
    choice = option(check=check, failure=brings) if check else option(success=brings)
    party = [member("a", queue=["jab"], speed=40), member("b")]
    return journey(party, decision(choice, xp=3), {"type": "rest"}, skills=[attack("jab", damage=(10, 10))], **scenario)


INITIATIVES = ["open(0, 0)", "d100=50", "open(0, 1)", "d100=50", "open(0, 8)", "d100=50"]


def test_an_ambush_is_fought_within_the_encounter_in_rounds_of_its_own() -> None:
    run = ambushed(foe("x", hp=13))
    events = run.encounter(*INITIATIVES, "open(1, 0)", "d100=20", "between(10, 10)=10")
    assert names(events)[:6] == ["encounter", "option", "choice", "consequence", "ambush", "ready"]
    told = only(events, Ambush)
    assert (told.tick, told.enemies) == (run.step(1), 1)
    assert [event.tick for event in events if event.NAME == "ready"] == [0, 0, 0]
    assert [event.tick for event in events if event.NAME == "round"] == [1]
    assert only(events, Encounter).enemies == 0
    assert end(events) == ("Victory", 1, 2)


def test_after_a_victory_over_an_ambush_the_checks_outcome_stands() -> None:
    run = ambushed(foe("x", hp=13), check="luck")
    rolls = [opening(run, 0, "1.a"), "d100=95", *INITIATIVES, "open(1, 0)", "d100=20", "between(10, 10)=10"]
    assert end(run.encounter(*rolls)) == ("Survived", 1, 2)
    assert run.record.reduced == 0
    assert run.record.survived_fights == 0


@pytest.mark.parametrize(
    ("options", "rolls", "outcome"),
    [
        ({"round_cap": 1}, ["open(1, 0)", "d100=96"], "Survived"),
        ({"flee_below": 100}, ["open(1, 0)", "d100=96", "open(1, flee)", "d100=5"], "Fled"),
    ],
)
def test_otherwise_the_outcome_is_the_fights(options: dict[str, int], rolls: list[str], outcome: str) -> None:
    run = ambushed(foe("x"), options=options)
    if "flee_below" in options:
        run["1.b"].hp = 1
    assert end(run.encounter(*INITIATIVES, *rolls)) == (outcome, 1, 2)
    assert run.record.reduced == int(outcome == "Survived")


def test_enemies_of_ambushes_have_numbers_of_their_own_in_the_roster() -> None:
    branches = {"success": {"ambush": [foe("s")]}, "failure": {"ambush": [foe("f"), foe("g")]}}
    run = journey([member("a")], combat(foe("x")), decision(option(check="luck", **branches)), combat(foe("y")))
    assert list(run.compiled.books["unit"])[8:] == ["2.0.x", "2.1.s", "2.1.f", "2.1.g", "2.2.y"]
    run.record.encounter = 1
    begin = rule("begin_encounter", "delve")
    run.told(lambda: begin(run.record, run.log), opening(run, 0, "1.a"), "d100=95")
    assert (run.record.fought_first, run.record.fought_count) == (2, 2)
