"""README, The result: tuples, their replay without dice, and what a commit makes of the world."""

from __future__ import annotations

from copy import deepcopy
from functools import cache

import pytest
from tests.helpers.scenarios import problems_of
from tests.helpers.stacks_fights import Fight, attack, random_documents, unit

from fracas.rulesets.stacks.campaign.commit import (
    Made,
    attackers_won,
    commit,
    committed,
    healths_of,
    replayed,
    world_fingerprint,
    world_of,
)


@cache
def fights():
    """Random attacks, fought to their end."""
    return [played(document) for document in random_documents(0, 50)]


def played(document, stream=0):
    fight = Fight(document)
    fight.play(stream)
    return fight


def state_of(battle):
    """Everything about the participants."""
    return battle.participants.tobytes()


def test_tuples_lead_to_the_same_state_without_dice():
    total = 0
    for fight in fights():
        tuples = fight.tuples()
        total += len(tuples)
        assert state_of(replayed(fight.compiled, tuples)) == state_of(fight.record)
    assert total > 500


def test_a_changed_tuple_leads_to_another_state():
    """A negative control."""
    for fight in fights():
        tuples = fight.tuples()
        if any(made.effect > 0 for made in tuples):
            fewer = [made for made in tuples if made.effect == 0]
            assert state_of(replayed(fight.compiled, fewer)) != state_of(fight.record)


def test_who_won_shows_in_the_state_that_the_tuples_lead_to():
    winners = set()
    for fight in fights():
        winner = int(fight.record.winner)
        winners.add(winner)
        assert attackers_won(replayed(fight.compiled, fight.tuples())) == (winner == 1)
    assert winners == {0, 1, 2}


def test_committing_the_tuples_equals_committing_the_healths_that_were_fought_for():
    for fight in fights():
        by_tuples = commit(fight.document, fight.compiled, fight.tuples(), world_of(fight.document))
        assert by_tuples == committed(fight.document, healths_of(fight.record), fight.record.winner == 1)


def sure_victory(**options):
    """Three shots that cannot miss much: x survives hurt, y and z fall."""
    red = {"a": [unit("x", "archery", health=9), unit("w", health=5)]}
    return attack(red, {"t": [unit("y", health=3), unit("z", health=3)], "u": [unit("v")]}, **options)


def outcome_of(fight, healths, won):
    return committed(fight.document, {fight.id(name): health for name, health in healths.items()}, won)


HEALTHS = {"a.x": 4, "a.w": 5, "t.y": 0, "t.z": 0, "u.v": 10}


def test_a_commit_saves_healths_removes_the_dead_and_raises_the_revision():
    after = outcome_of(sure_victory(), {**HEALTHS, "t.z": 2}, False)
    first, second, third = after.world["stacks"]
    assert [(each["id"], each.get("current")) for each in first["units"]] == [("x", 4), ("w", None)]
    assert [each["id"] for each in second["units"]] == ["z"]
    assert [each["id"] for each in third["units"]] == ["v"]
    assert (after.removed, after.advanced, after.revision) == (1, False, 1)


def test_a_victorious_stack_moves_onto_the_tile_which_becomes_its_owners():
    after = outcome_of(sure_victory(), HEALTHS, True)
    assert [stack["id"] for stack in after.world["stacks"]] == ["a", "u"]
    assert after.world["stacks"][0]["at"] == [3, 3]
    assert after.world["tiles"]["3,3"]["owner"] == "red"
    assert (after.removed, after.advanced) == (2, True)


@pytest.mark.parametrize(
    ("options", "healths", "won"),
    [
        ({"advance": False}, HEALTHS, True),
        ({}, HEALTHS, False),
        ({}, {**HEALTHS, "t.z": 1}, True),
        ({}, {**HEALTHS, "a.x": 0, "a.w": 0}, True),
    ],
    ids=["as the option says", "not victorious", "the tile is taken", "the stack is gone"],
)
def test_a_stack_may_have_to_stay_where_it_is(options, healths, won):
    after = outcome_of(sure_victory(**options), healths, won)
    assert not after.advanced
    assert after.world["tiles"]["3,3"]["owner"] == "blue"


def test_until_the_commit_the_world_is_untouched():
    fight = sure_victory()
    before = deepcopy(fight.document)
    fight.play()
    commit(fight.document, fight.compiled, fight.tuples(), world_of(fight.document))
    assert fight.document == before


def test_a_result_is_committed_once():
    fight = sure_victory()
    fight.play()
    after = commit(fight.document, fight.compiled, fight.tuples(), world_of(fight.document))
    [problem] = problems_of(commit, fight.document, fight.compiled, fight.tuples(), after.world)
    assert "revision 1, the result at 0" in problem.message


def test_a_world_that_has_changed_refuses_a_result():
    fight = sure_victory()
    fight.play()
    world = deepcopy(world_of(fight.document))
    world["stacks"][2]["units"][0]["current"] = 9
    [problem] = problems_of(commit, fight.document, fight.compiled, fight.tuples(), world)
    assert "not the world of this result" in problem.message


def test_the_fingerprint_is_that_of_the_world_alone():
    first, second = sure_victory(), sure_victory(idle_turns=9)
    assert world_fingerprint(first.document) == world_fingerprint(second.document)
    second.document["factions"]["blue"]["allies"] = ["red"]
    assert world_fingerprint(first.document) != world_fingerprint(second.document)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Made(0, 48, "stryke", 3), 'there is no move type "stryke"'),
        (Made(7, 48, "strike", 3), "there is no participant 7"),
        (Made(0, 500, "strike", 3), "there is no participant 500"),
    ],
)
def test_tuples_of_another_battle_are_refused(made, words):
    [problem] = problems_of(replayed, sure_victory().compiled, [made])
    assert (problem.where, problem.message) == ("moves.0", words)
