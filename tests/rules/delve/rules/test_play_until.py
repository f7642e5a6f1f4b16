"""A battle up to somebody's decision, as `fracas lab explain` looks at it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve_fights import Fight, attack, battle, combat, decision, foe, inflict, journey, member, of
from tests.helpers.rules import rule

from fracas.rulesets.delve.rules.entry_points import play_until
from fracas.rulesets.delve.rules.events import Stunned, Use

REST = {"type": "rest"}


def brawl() -> Fight:
    skills = [attack("jab", damage=(3, 9)), attack("bash", damage=None, conditions=[inflict("stunned")], cooldown=4)]
    party = [member("a", hp=50, queue=["bash", "jab"]), member("b", hp=50, queue=["jab"], speed=40)]
    return battle(party, [foe("c", hp=60, queue=["jab"]), foe("d", hp=60, queue=["bash", "jab"])], skills=skills)


def number(fight: Fight, name: str) -> int:
    return list(fight.compiled.books["unit"]).index(name)


def reached(fight: Fight, encounter: int, rounds: int, name: str, stream: int = 0) -> bool:
    return play_until(fight.record, stream, encounter, rounds, number(fight, name))


def test_it_comes_to_exactly_those_decisions_that_were_made() -> None:
    told = brawl()
    result = told.play(0)
    decided = {(event.tick, event.actor) for event in told.events() if event.NAME in ("use", "pass")}  # type: ignore[attr-defined]
    assert len(of(told.events(), Stunned)) > 0
    for rounds in range(1, int(result.rounds) + 3):
        for name in ("1.a", "1.b", "2.c", "2.d"):
            assert reached(brawl(), 0, rounds, name) == ((rounds, name) in decided)


def test_the_state_is_that_of_the_decision() -> None:
    told = brawl()
    told.play(1)
    for event in of(told.events(), Use)[4:9]:
        fight = brawl()
        assert reached(fight, 0, event.tick, event.actor, 1)
        assert fight.record.combat_round == event.tick
        assert rule("evaluate_queue", "delve")(fight.record, fight[event.actor], None) == event.slot


def test_a_boss_has_entered_its_phases_and_a_guard_is_gone() -> None:
    phases = [{"name": "Wild", "at": 99, "armor": 7}]
    fight = battle(
        [member("a", might=255, luck=255, speed=60, queue=["jab"])],
        [foe("b", hp=1000, phases=phases)],
        skills=[attack("jab", damage=(20, 20))],
    )
    assert reached(fight, 0, 3, "2.b")
    assert fight.state("2.b", "armor", "next_phase", "guard") == (7, 1, 0)


def long_way() -> Fight:
    sure: dict[str, Any] = {"might": 255, "luck": 255}
    return journey(
        [member("a", hp=900, queue=["jab"], **sure)],
        combat(foe("x", hp=300)),
        decision({"success": {"ambush": [foe("y", hp=300)], "skip": 1}}),
        combat(foe("z")),
        combat(foe("w", hp=300)),
        skills=[attack("jab", damage=(5, 5))],
    )


@pytest.mark.parametrize(("encounter", "name"), [(0, "2.0.x"), (1, "2.1.y"), (3, "2.3.w"), (3, "1.a")])
def test_it_finds_fights_of_runs_and_ambushes(encounter: int, name: str) -> None:
    run = long_way()
    assert reached(run, encounter, 1, name)
    assert (int(run.record.encounter), int(run.record.combat_round)) == (encounter, 1)
    assert run[name].hp > 0


def test_it_says_how_far_it_came_if_it_never_comes_there() -> None:
    skipped = long_way()
    assert not reached(skipped, 2, 1, "1.a")
    assert (int(skipped.record.encounter), int(skipped.record.reason)) == (3, 0)
    beyond = long_way()
    assert not reached(beyond, 9, 1, "1.a")
    assert beyond.record.reason == 5
    quiet = journey([member("a")], REST, combat(foe("x")))
    assert not reached(quiet, 0, 1, "1.a")
    assert quiet.record.fought_count == 0
    over = long_way()
    assert not reached(over, 0, 40, "1.a")
    assert over.record.outcome == 1
    assert 0 < over.record.combat_round < 40


def test_somebody_else_of_that_encounter_is_not_mistaken_for_the_wanted() -> None:
    assert not reached(long_way(), 0, 1, "2.3.w")
