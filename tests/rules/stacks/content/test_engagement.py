"""README, An attack: the defending party, who fights on which side, participants and the orders of play."""

from __future__ import annotations

from typing import Any

import pytest

from fracas.rulesets.stacks.content.engagement import Alliances, AttackRefused, Encounter, encounter, orders_of_play
from fracas.rulesets.stacks.content.world_models import ResolvedWorld
from fracas.rulesets.stacks.rules import constants as codes

TILE = [3, 3]
# The field of (3, 3), an odd column, by direction
AROUND = {
    "N": [3, 2],
    "NE": [4, 3],
    "SE": [4, 4],
    "S": [3, 4],
    "SW": [2, 4],
    "NW": [2, 3],
    "itself": TILE,
    "far": [6, 6],
}


def unit(name: str, initiative: int = 0) -> dict[str, Any]:
    return {
        "id": name,
        "name": name.title(),
        "attack": 3,
        "defence": 2,
        "damage": 2,
        "health": 8,
        "initiative": initiative,
        "moves": ["strike"],
    }


def stack(name: str, owner: str, direction: str, *initiatives: int) -> dict[str, Any]:
    units = [unit(f"u{place}", initiative) for place, initiative in enumerate(initiatives or (0,))]
    return {"id": name, "name": name.title(), "owner": owner, "at": AROUND[direction], "units": units}


def world(*stacks: dict[str, Any], owner: str | None = None, kind: str = "hex", **allies: list[str]) -> ResolvedWorld:
    """A world of the factions red, blue, gold and grey, with the tile's owner and who is allied with whom."""
    factions = {name: {"name": name, "allies": allies.get(name, [])} for name in ("red", "blue", "gold", "grey")}
    return ResolvedWorld.model_validate(
        {
            "map": {"kind": kind, "width": 7, "height": 7},
            "factions": factions,
            "tiles": {} if owner is None else {"3,3": {"owner": owner}},
            "stacks": list(stacks),
            "revision": 0,
        }
    )


def attack(where: ResolvedWorld, side_rule: str = "alliances") -> Encounter:
    return encounter(where, "van", TILE, side_rule)


VAN = stack("van", "red", "N")
HOLD = stack("hold", "blue", "itself")


@pytest.mark.parametrize(
    ("allies", "role", "role_by_factions"),
    [
        pytest.param({}, codes.OF_NEITHER_SIDE, codes.DEFENDS, id="neutral"),
        pytest.param({"red": ["gold"]}, codes.ATTACKS, codes.DEFENDS, id="the attacker names it"),
        pytest.param({"gold": ["red"]}, codes.ATTACKS, codes.DEFENDS, id="it names the attacker"),
        pytest.param({"blue": ["gold"]}, codes.DEFENDS, codes.DEFENDS, id="the defender names it"),
        pytest.param({"gold": ["blue"]}, codes.DEFENDS, codes.DEFENDS, id="it names the defender"),
        pytest.param({"gold": ["red", "blue"]}, codes.OF_BOTH_SIDES, codes.DEFENDS, id="doubly allied"),
        pytest.param({"red": ["gold"], "blue": ["gold"]}, codes.OF_BOTH_SIDES, codes.DEFENDS, id="both name it"),
        pytest.param({"red": ["grey"], "grey": ["gold"]}, codes.OF_NEITHER_SIDE, codes.DEFENDS, id="an ally's ally"),
    ],
)
def test_a_third_stack_takes_the_side_of_its_ally(allies, role, role_by_factions):
    where = world(VAN, HOLD, stack("third", "gold", "SE"), **allies)
    assert {each.stack.id: each.role for each in attack(where).standings} == {
        "van": codes.ATTACKS,
        "hold": codes.DEFENDS,
        "third": role,
    }
    assert {each.stack.id: each.role for each in attack(where, "factions").standings}["third"] == role_by_factions


def test_stacks_of_the_same_owner_fight_together_and_those_far_away_stay_out():
    where = world(VAN, HOLD, stack("wing", "red", "SW"), stack("home", "blue", "far"))
    assert [each.stack.id for each in attack(where).standings] == ["van", "wing", "hold"]


@pytest.mark.parametrize(
    ("owner", "holder", "allies", "party"),
    [
        pytest.param("blue", None, {}, "blue", id="the tile's owner, with nobody on it"),
        pytest.param("blue", "gold", {}, "blue", id="the tile's owner before that of the stack"),
        pytest.param(None, "gold", {}, "gold", id="the stack's owner on a tile of nobody"),
        pytest.param("red", "gold", {}, "gold", id="the stack's owner on the attacker's own tile"),
        pytest.param("blue", "gold", {"red": ["blue"]}, "gold", id="the stack's owner on an ally's tile"),
        pytest.param("blue", "gold", {"gold": ["red"]}, "blue", id="the tile's owner under an ally's stack"),
    ],
)
def test_the_defending_party_is_the_first_that_is_not_allied(owner, holder, allies, party):
    stacks = [VAN] if holder is None else [VAN, stack("hold", holder, "itself")]
    assert attack(world(*stacks, owner=owner, **allies)).defender == party


@pytest.mark.parametrize(
    ("owner", "holder", "allies", "code"),
    [
        pytest.param(None, None, {}, codes.NOBODY_THERE, id="nobody's tile"),
        pytest.param("red", None, {}, codes.ALLYS_TILE, id="its own tile"),
        pytest.param("gold", None, {"gold": ["red"]}, codes.ALLYS_TILE, id="an ally's tile"),
        pytest.param(None, "gold", {"red": ["gold"]}, codes.ALLYS_TILE, id="an ally's stack"),
        pytest.param("red", "gold", {"red": ["gold"]}, codes.ALLYS_TILE, id="its own tile with an ally's stack"),
    ],
)
def test_there_must_be_somebody_to_attack(owner, holder, allies, code):
    stacks = [VAN] if holder is None else [VAN, stack("hold", holder, "itself")]
    with pytest.raises(AttackRefused) as caught:
        attack(world(*stacks, owner=owner, **allies))
    assert caught.value.code == code
    assert "3,3" in str(caught.value)


def test_alliances_count_nowhere_between_factions():
    where = world(VAN, stack("hold", "gold", "itself"), red=["gold"])
    assert attack(where, "factions").defender == "gold"


@pytest.mark.parametrize(("name", "at", "code"), [("van", "far", codes.NO_NEIGHBOUR), ("lost", "N", codes.STACK_GONE)])
def test_the_attacker_must_stand_beside_the_tile(name, at, code):
    with pytest.raises(AttackRefused) as caught:
        encounter(world(stack("van", "red", at), HOLD), name, TILE, "alliances")
    assert caught.value.code == code


def test_a_stack_cannot_attack_its_own_tile():
    with pytest.raises(AttackRefused) as caught:
        encounter(world(VAN, HOLD), "hold", TILE, "alliances")
    assert caught.value.code == codes.NO_NEIGHBOUR


def test_ids_go_by_direction_then_by_place_in_the_stack_and_have_gaps():
    where = world(stack("wing", "red", "NW", 0, 0), HOLD, stack("van", "red", "N", 0, 0, 0), stack("out", "grey", "S"))
    fighters = attack(where).fighters
    assert [(fighter.id, fighter.side) for fighter in fighters] == [(0, 0), (1, 0), (2, 0), (40, 0), (41, 0), (48, 1)]
    assert [fighter.standing.number for fighter in fighters] == [2, 2, 2, 0, 0, 1]


def test_a_square_field_numbers_itself_last():
    where = world(stack("van", "red", "N"), stack("hold", "blue", "itself", 0, 0), kind="square8")
    assert [fighter.id for fighter in attack(where).fighters] == [0, 64, 65]


@pytest.mark.parametrize(
    ("order", "even", "odd"),
    [
        ("alternate", [0, 16, 1, 48, 2], [16, 0, 48, 1, 2]),
        ("id", [0, 1, 2, 16, 48], [0, 1, 2, 16, 48]),
        ("initiative", [1, 16, 0, 2, 48], [1, 16, 0, 2, 48]),
    ],
)
def test_the_order_of_play(order, even, odd):
    where = world(stack("van", "red", "N", 3, 7, 3), stack("wing", "blue", "SE", 7), stack("hold", "blue", "itself", 1))
    assert orders_of_play(attack(where).fighters, order) == (even, odd)


def test_alliance_is_symmetric_and_not_transitive():
    factions = world(VAN, red=["gold"], gold=["blue"]).factions
    alliances = Alliances.of(factions)
    allied = {(one, other) for one in factions for other in factions if alliances.are_allied(one, other)}
    assert allied == {(name, name) for name in factions} | {
        ("red", "gold"),
        ("gold", "red"),
        ("gold", "blue"),
        ("blue", "gold"),
    }
    assert not alliances.are_allied(None, None)
