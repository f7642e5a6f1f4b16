"""Stacks answers the lab."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fracas import load, run
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Document
from fracas.rulesets.stacks.analysis.sides import army_of, drawn_up
from fracas.rulesets.stacks.rules.events import Stack

RULESET = registry.get("stacks")
LAB = RULESET.analysis
FIGHTER: Document = {"name": "Guard", "attack": 4, "defence": 3, "damage": 2, "health": 9, "moves": ["strike"]}
# A hexagon's neighbours of (2, 2) by direction, and the tile itself.
N, SE, S, NW, ITSELF = [2, 1], [3, 2], [2, 3], [1, 1], [2, 2]


def attack(places: dict[str, list[int]], kind: str = "hex", **changes: Any) -> Document:
    """An attack on (2, 2); the stacks red-... attack, the first of them leads, and all others defend."""
    stacks = [
        {"id": name, "owner": name.partition("-")[0], "at": at, "units": [FIGHTER]} for name, at in places.items()
    ]
    return load(
        {
            "ruleset": "stacks",
            "id": "attack",
            "map": {"kind": kind, "width": 5, "height": 5},
            "factions": {"red": {}, "blue": {}},
            "tiles": {"2,2": {"owner": "blue"}},
            "stacks": stacks,
            "attack": {"stack": next(iter(places)), "tile": ITSELF},
            **changes,
        }
    ).document


def places_of(document: Document) -> dict[str, list[int]]:
    return {stack["id"]: stack["at"] for stack in document["stacks"]}


@pytest.mark.parametrize("number", range(12))
def test_armies_fight_on_a_field_of_their_own_as_in_their_world(number: int) -> None:
    document = load(RULESET.random_scenario(number)).document
    try:
        own = drawn_up(document, army_of(document, 1), army_of(document, 2))
    except InputError:
        return
    first, second = (run(each).rows for each in (document, own))
    assert first is not None
    assert second is not None
    # Only the numbers of the stacks among all of the world differ.
    assert np.array_equal(first[first[:, 1] > Stack.KIND], second[second[:, 1] > Stack.KIND])


def test_whoever_attacked_and_now_defends_takes_the_tile_and_stands_opposite() -> None:
    first = attack({"red-a": N, "blue-b": ITSELF})
    second = attack({"red-van": N, "red-left": NW, "blue-b": ITSELF})
    met = LAB.matchup(SideRef(first, 1), SideRef(second, 1))
    assert places_of(met) == {"red-a": N, "red-van": ITSELF, "red-left": SE}
    assert met["attack"]["stack"] == "red-a"
    assert {stack["id"]: stack["owner"] for stack in met["stacks"]} == {
        "red-a": "red",
        "red-van": "red-2",
        "red-left": "red-2",
    }
    assert met["tiles"] == {"2,2": {"owner": "red-2"}}


def test_whoever_defended_and_now_attacks_leaves_the_tile() -> None:
    document = attack({"red-a": N, "blue-b": ITSELF, "blue-c": S})
    met = LAB.matchup(SideRef(document, 2), SideRef(document, 2))
    assert met["attack"]["stack"] == "blue-b"
    assert places_of(met)["blue-c"] == N
    assert places_of(met)["blue-b"] != ITSELF
    assert places_of(met)["blue-b-2"] == ITSELF
    assert places_of(met)["blue-c-2"] == S


def test_the_field_is_as_roomy_as_it_has_to_be() -> None:
    crowded = attack({"red-a": [2, 1], "red-b": [3, 2], "red-c": [2, 3], "blue": ITSELF}, kind="square4")
    assert LAB.matchup(SideRef(crowded, 1), SideRef(crowded, 2))["map"]["kind"] == "square4"
    assert LAB.matchup(SideRef(crowded, 1), SideRef(crowded, 1))["map"]["kind"] == "hex"


def test_more_stacks_than_any_field_has_room_for_are_refused() -> None:
    around = [[1, 1], [2, 1], [3, 1], [1, 2], [3, 2], [1, 3], [2, 3]]
    host = attack({**{f"red-{n}": at for n, at in enumerate(around)}, "blue": ITSELF}, kind="square8")
    with pytest.raises(InputError, match=r"7 stacks cannot attack 7: .* \(use fewer, larger stacks\)"):
        LAB.matchup(SideRef(host, 1), SideRef(host, 1))


def test_nobody_is_no_army() -> None:
    empty = attack({"red": N})
    assert LAB.matchup(SideRef(empty, 1), SideRef(empty, 2)) == empty
    with pytest.raises(InputError, match="no one defends the attacked tile"):
        LAB.matchup(SideRef(attack({"red": N, "blue": ITSELF}), 1), SideRef(empty, 2))


def test_an_army_can_be_exchanged_on_either_side() -> None:
    document = attack({"red-a": N, "blue-b": ITSELF})
    other = LAB.part(SideRef(attack({"red-x": SE, "red-y": S, "blue": ITSELF}), 1), "army")
    attacked = LAB.with_part(SideRef(document, 1), "army", other)
    assert places_of(attacked) == {"red-x": SE, "red-y": S, "blue-b": ITSELF}
    defended = LAB.with_part(SideRef(document, 2), "army", other)
    assert places_of(defended) == {"red-a": N, "red-x": ITSELF, "red-y": [3, 1]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lead": "nobody"}, "one of them"),
        ({"stacks": []}, "stacks: has 0 entries"),
        ({"map": "round"}, '"round" is not one of'),
        ({"hat": 1}, "there is no such key"),
    ],
)
def test_what_is_no_army_is_refused(change: Document, message: str) -> None:
    document = attack({"red-a": N, "blue-b": ITSELF})
    with pytest.raises(InputError, match=message):
        LAB.with_part(SideRef(document, 1), "army", {**LAB.part(SideRef(document, 1), "army"), **change})


def test_units_of_the_content_can_be_others_of_their_group() -> None:
    document = load("examples/stacks/standard-16v16.toml").document
    knobs = LAB.search_space(SideRef(document, 2))
    assert {knob.path[1] for knob in knobs} == {"2", "3"}
    knob = next(each for each in knobs if "Archer" in each.labels)
    changed = LAB.with_choices(document, [(knob, list(knob.labels).index("Crank Bow"))])
    unit = changed["stacks"][int(knob.path[1])]["units"][int(knob.path[3])]
    assert unit["type"] == "crank_bow"
    assert unit["id"] == f"crank_bow-{int(knob.path[3]) + 1}"
    assert not LAB.search_space(SideRef(attack({"red-a": N, "blue-b": ITSELF}), 1)), (
        "a unit without a type has no equals"
    )


def test_full_health_is_at_least_what_is_left_of_it() -> None:
    document = attack({"red-a": N, "blue-b": ITSELF})
    document["stacks"][0]["units"][0]["current"] = 4
    least = {stat.name: stat.least for stat in LAB.stats(SideRef(document, 1))}
    assert (least["health"], least["attack"]) == (4, 0)
