"""Delve answers the lab."""

from __future__ import annotations

from typing import Any

import pytest

from fracas import load, run
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import Dimension, SideRef
from fracas.rulesets.contract.types import Document, Source

RULESET = registry.get("delve")
LAB = RULESET.analysis
STANDARD, RUN = "examples/delve/standard-4v4.toml", "examples/delve/standard-run.toml"


@pytest.fixture(scope="module")
def standard() -> Document:
    return load(STANDARD).document


@pytest.fixture(scope="module")
def journey() -> Document:
    return load(RUN).document


def is_settled(document: Document) -> bool:
    return RULESET.resolve(document, Source("here")).document == document


def test_a_party_meets_the_quest_of_another_file(standard: Document, journey: Document) -> None:
    met = LAB.matchup(SideRef(standard, 1), SideRef(journey, 2))
    assert is_settled(met)
    assert met["quest"] == journey["quest"]
    assert met["party"] == standard["party"]
    assert met["loot_tables"] == journey["loot_tables"]
    assert run(met).rounds > 0


def test_a_party_of_a_run_meets_the_enemies_of_a_lone_fight(standard: Document, journey: Document) -> None:
    met = LAB.matchup(SideRef(journey, 1), SideRef(standard, 2))
    assert is_settled(met)
    assert met["enemies"] == standard["enemies"]
    assert not {"quest", "rarities", "loot_tables", "items", "bonuses"} & set(met)


def test_a_difficulty_goes_with_its_creatures_and_holds_for_no_party(standard: Document) -> None:
    hard = {**standard, "difficulty": {**standard["difficulty"], "creature_hp": 150, "creature_damage": 120}}
    assert LAB.matchup(SideRef(standard, 1), SideRef(hard, 2))["difficulty"] == hard["difficulty"]
    parties = LAB.matchup(SideRef(standard, 1), SideRef(hard, 1))["difficulty"]
    assert (parties["creature_hp"], parties["creature_damage"]) == (100, 100)


def test_two_parties_are_alike_but_for_what_no_fight_asks_for(standard: Document) -> None:
    met = LAB.matchup(SideRef(standard, 1), SideRef(standard, 1))
    for member, enemy in zip(met["party"], met["enemies"], strict=True):
        shared = set(member) & set(enemy)
        assert {key: member[key] for key in shared} == {key: enemy[key] for key in shared}
        assert set(member) - shared <= {"class", "training"}
        assert set(enemy) - shared == {"boss", "phases", "xp_reward"}


def test_bosses_with_phases_and_quests_are_no_side_1(journey: Document) -> None:
    boss = load("examples/delve/boss-phases.toml").document
    with pytest.raises(InputError, match=r"is a boss with phases.*\(use it as side 2\)"):
        LAB.matchup(SideRef(boss, 2), SideRef(boss, 2))
    with pytest.raises(InputError, match="side 2 of a run is its quest"):
        LAB.matchup(SideRef(journey, 2), SideRef(boss, 2))


def test_another_skill_under_the_same_id_gets_its_own_in_all_queues(standard: Document) -> None:
    strike = {**standard["skills"]["strike"], "modifier": 99}
    other = {**standard, "skills": {**standard["skills"], "strike": strike}}
    met = LAB.matchup(SideRef(standard, 1), SideRef(other, 1))
    assert met["skills"]["strike"] == standard["skills"]["strike"]
    assert met["skills"]["strike-2"]["modifier"] == 99
    assert {slot["skill"] for slot in met["party"][0]["queue"]} >= {"strike"}
    assert {slot["skill"] for slot in met["enemies"][0]["queue"]} >= {"strike-2"}
    assert is_settled(met)


# Queues.


def test_queues_go_by_ids_and_skills_are_what_they_are_here(standard: Document) -> None:
    other = {"queues": {"front": ["cleave", "strike"], "stranger": ["strike"]}}
    changed = LAB.with_part(SideRef(standard, 1), "queues", other)
    assert [slot["skill"] for slot in changed["party"][0]["queue"]] == ["cleave", "strike"]
    assert changed["party"][1:] == standard["party"][1:]
    assert "shield_bash" not in changed["skills"], "nobody uses it any more"
    assert is_settled(changed)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"queues": {"nobody": ["strike"]}}, "has no queue for front, knife, flame and root"),
        ({"queues": {"front": ["strikke"]}}, 'there is no skill "strikke"'),
        ({"queues": {"front": ["firebolt"]}}, '"firebolt" costs 2 mana, and its user pays with stamina'),
        ({"queue": ["strike"], "class": "hexer"}, "has no queue for front"),
        ({"queue": "strike"}, "is not a list"),
        ({"queues": {"front": [{"skill": "cleave", "target": "random"}]}}, "leaves no choice"),
    ],
)
def test_queues_that_do_not_fit_are_refused(standard: Document, value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        LAB.with_part(SideRef(standard, 1), "queues", value)


def test_a_queue_file_is_for_all_of_its_class(journey: Document) -> None:
    changed = LAB.with_part(SideRef(journey, 1), "queues", {"class": "vanguard", "queue": ["strike"]})
    queues = [[slot["skill"] for slot in member["queue"]] for member in changed["party"]]
    assert queues[0] == ["strike"]
    assert [member["queue"] for member in changed["party"][1:]] == [m["queue"] for m in journey["party"][1:]]


def test_a_quest_has_no_parts_and_no_knobs_but_stats(journey: Document) -> None:
    side_ref = SideRef(journey, 2)
    for part in LAB.parts:
        with pytest.raises(InputError, match="side 2 of a run is its quest"):
            LAB.part(side_ref, part)
    assert LAB.search_space(side_ref) == []
    assert {stat.path[0] for stat in LAB.stats(side_ref)} == {"quest"}
    assert len({stat.path[2] for stat in LAB.stats(side_ref)}) > 3


# Knobs.


def knob_named(document: Document, name: str) -> Dimension:
    return next(knob for knob in LAB.search_space(SideRef(document, 1)) if knob.name == name)


def test_a_condition_stays_with_its_slot_wherever_the_order_puts_it(standard: Document) -> None:
    order, when = knob_named(standard, "Front: order"), knob_named(standard, "Front, Cleave: when")
    choices = [(order, list(order.labels).index("Cleave to place 4")), (when, list(when.labels).index("once"))]
    for each in (choices, choices[::-1]):
        queue = LAB.with_choices(standard, each)["party"][0]["queue"]
        assert [slot["skill"] for slot in queue] == ["second_wind", "shield_bash", "strike", "cleave"]
        assert queue[3]["when"] == "once"


def test_who_comes_along_brings_a_queue_of_his_own(journey: Document) -> None:
    place, when = knob_named(journey, "place 1"), knob_named(journey, "Orsolya, Cleave: when")
    choices = [(when, list(when.labels).index("once")), (place, list(place.labels).index("Gerent"))]
    changed = LAB.with_choices(journey, choices)
    newcomer = changed["party"][0]
    assert newcomer["id"] == "oathkeeper_2-1"
    assert all(slot.get("when") != "once" for slot in newcomer["queue"])
    assert all(slot["skill"] in changed["skills"] for slot in newcomer["queue"])
    assert {value["level"] for value in place.values} == {journey["party"][0]["level"]}
    assert not [knob for knob in LAB.search_space(SideRef(load(STANDARD).document, 1)) if knob.part == "party"]


def test_only_what_is_aimed_has_a_target_to_turn(standard: Document) -> None:
    names = [knob.name for knob in LAB.search_space(SideRef(standard, 1))]
    assert "Front, Strike: target" in names
    assert "Front, Cleave: target" not in names


# Stats.


def test_ends_of_a_range_and_the_dearest_skill_bound_each_other(standard: Document) -> None:
    found = {stat.name: stat for stat in LAB.stats(SideRef(standard, 1)) if stat.owner == "Front"}
    assert (found["weapon min"].most, found["weapon max"].least) == (7, 4)
    assert found["stamina"].least == 10
    assert "perception" not in found, "trainings count in runs alone"


def test_trainings_count_in_runs(journey: Document) -> None:
    assert "perception" in {stat.name for stat in LAB.stats(SideRef(journey, 1))}


# Contributions.


def test_conditions_shields_and_falls_go_to_the_skills_that_they_are_due_to() -> None:
    def skill(name: str, reach: str, **more: Any) -> Document:
        hostile = {"attack": "might", "defense": "might", "modifier": 95} if reach == "one_enemy" else {}
        return {"id": name, "name": name.title(), "reach": reach, **hostile, **more}

    poison = {"condition": "poisoned", "rounds": 3, "potency": 4}
    ward = {"condition": "shielded", "rounds": 9, "potency": 6}
    even = dict.fromkeys(("might", "logic", "speed", "presence", "fortitude", "luck"), 0)
    document = load(
        {
            "ruleset": "delve",
            "id": "poison",
            "options": {"round_cap": 6},
            "skills": {
                "spit": skill("spit", "one_enemy", conditions=[poison], cooldown=9),
                "jab": skill("jab", "one_enemy", damage={"min": 3, "max": 3}),
                "ward": skill("ward", "self", conditions=[ward], cooldown=9),
            },
            "party": [{"id": "snake", "level": 1, "hp": 30, "attributes": even, "queue": ["spit", "jab"]}],
            "enemies": [{"id": "rock", "level": 1, "hp": 16, "attributes": even, "queue": ["ward", "ward"]}],
        }
    ).document
    played = run(document)
    assert played.rows is not None
    hits = [event.as_json() for event in played.events if event.NAME == "hit"]
    ticks = [event.as_json() for event in played.events if event.NAME == "condition_tick"]
    found = LAB.contributions(played.rows, played.scenario.compiled, document)
    amounts = {(each.unit, each.ability): each.amounts for each in found}
    poisoned = sum(tick["amount"] for tick in ticks if tick["condition"] == "poisoned")
    assert poisoned > 0
    assert amounts["Snake", "Spit"]["damage"] == poisoned
    assert amounts["Snake", "Jab"]["damage"] == sum(hit["lost"] for hit in hits)
    absorbed = sum(hit["absorbed"] for hit in hits)
    assert absorbed > 0
    assert amounts["Snake", "Jab"]["stopped"] == amounts["Rock", "Ward"]["absorbed"] == absorbed
    assert sum(each.amounts["falls"] for each in found) == sum(event.NAME == "fall" for event in played.events)
