"""What many relics battles tell is what single ones tell, added up."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import fracas
from fracas.content.packs import examples_folder
from fracas.rulesets.relics.narration.labels import Participants
from fracas.rulesets.relics.narration.ledgers import ledgers
from fracas.rulesets.relics.rules import events as kinds

BATTLES = 24
STANDARD = examples_folder() / "relics" / "standard.toml"


@cache
def results() -> fracas.Results:
    return fracas.simulate(STANDARD, n=BATTLES)


@cache
def many() -> tuple[fracas.Battle, ...]:
    scenario = fracas.load(STANDARD)
    return tuple(fracas.run(scenario, stream=stream) for stream in range(BATTLES))


def last(battle: fracas.Battle) -> Any:
    return battle.events[-1]


def mean(values: list[int]) -> float:
    return sum(values) / len(values)


def test_endings_are_those_of_the_battles() -> None:
    counted = {row["ending"]: row["battles"] for row in results().statistics["endings"]}
    told = [battle.reason.replace("_", " ") for battle in many()]
    assert {ending: count for ending, count in counted.items() if count} == {each: told.count(each) for each in told}


@pytest.mark.parametrize("side", [0, 1])
def test_deeds_are_those_of_the_ledgers(side: int) -> None:
    row = results().statistics["deeds"][side]
    battles = many()
    books = [
        ledgers(each.events, Participants(each.scenario.document, each.scenario.compiled.books))[side]
        for each in battles
    ]
    assert row["damage_dealt"] == mean([book.total("dealt") for book in books])
    assert row["damage_absorbed"] == mean([book.total("absorbed") for book in books])
    assert row["hp_healed"] == mean([book.total("healed") for book in books])
    name = battles[0].scenario.document[("left", "right")[side]]["name"]
    strikes = [
        sum(isinstance(event, kinds.Strike) and event.actor == name for event in each.events) for each in battles
    ]
    assert row["strikes"] == mean(strikes)
    assert (row["fighter"], row["side"]) == (f"{side + 1} {name}", ("left", "right")[side])


def test_spreads_are_those_of_the_last_events() -> None:
    rows = {row["name"]: row for row in results().statistics["spreads"]}
    told = {
        "hp_left": [last(battle).hp_1 for battle in many()],
        "hp_right": [last(battle).hp_2 for battle in many()],
        "turns": [battle.rounds for battle in many()],
    }
    for name, values in told.items():
        row, ordered = rows[name], sorted(values)
        assert (row["least"], row["mean"], row["most"]) == (ordered[0], mean(values), ordered[-1])
        assert row["p50"] == ordered[(BATTLES + 1) // 2 - 1]


def test_cuts_are_told_only_if_there_are_any() -> None:
    assert "cuts" not in results().statistics
    looping = {"id": "loop", "triggers": {"armor_gained": [["gain_armor", 1]], "battle_start": [["gain_armor", 1]]}}
    (row,) = fracas.simulate({"ruleset": "relics", "left": {"items": [looping]}, "right": {}}, n=4).statistics["cuts"]
    assert (row["battles"], row["share"], row["most_in_one_battle"]) == (4, 1.0, 1)
