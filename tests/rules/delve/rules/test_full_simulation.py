"""The whole simulation: known parties, known enemies, a fixed seed, and every event of what follows.

The expected events were written down from the second implementation (tests/oracle), and compared with the first.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tests.helpers.delve_fights import (
    Fight,
    aid,
    attack,
    battle,
    combat,
    decision,
    difficulty,
    foe,
    inflict,
    item,
    journey,
    member,
    row,
    span,
)
from tests.oracle import delve as oracle


def known_fight() -> Fight:
    """Two against two: a shield, a stun, poison, healing, random aim."""
    skills = [
        attack("jab", damage=(4, 9)),
        attack("prick", damage=(2, 4), conditions=[inflict("poisoned", 2, 3)], cooldown=3, cost=3),
        attack("bash", damage=(1, 3), against="fortitude", conditions=[inflict("stunned")], cooldown=4),
        aid("mend", "one_ally", heal=(5, 8), cost=4),
        aid("ward", "self", conditions=[inflict("shielded", 2, 6)], cooldown=9),
    ]
    healing: list[Any] = [{"skill": "mend", "when": "ally_hp_below_60"}, "prick", "jab"]
    party = [
        member("ana", hp=26, speed=34, armor=1, queue=[{"skill": "ward", "when": "once"}, "jab"]),
        member("bo", hp=22, presence=40, resource={"max": 9, "regeneration": 1}, queue=healing),
    ]
    enemies = [
        foe("imp", hp=18, level=2, speed=38, queue=[{"skill": "bash", "target": "highest_hp"}, "jab"]),
        foe("rat", hp=15, queue=[{"skill": "jab", "target": "random"}]),
    ]
    return battle(party, enemies, skills=skills, seed="a known seed")


def known_run() -> Fight:
    """A trap, a fork with an ambush behind it, and a fight, with loot."""
    left = {
        "name": "Left",
        "check": "luck",
        "difficulty": 5,
        "success": {"gold": 4},
        "failure": {"ambush": [foe("imp", hp=9, xp_reward=7)]},
    }
    resource = {"max": 8, "regeneration": 1, "start": 50}
    healing: list[Any] = [{"skill": "mend", "when": "ally_hp_below_60"}, "jab"]
    return journey(
        [
            member("ana", hp=24, speed=34, queue=["jab"]),
            member("bo", hp=20, presence=40, training={"perception": 5}, resource=resource, queue=healing),
        ],
        {"type": "trap", "detect": 45, "avoid": 20, "damage": span((2, 6)), "xp": 5},
        decision(left, {"name": "Right"}),
        combat(foe("rat", hp=13, queue=["jab"], xp_reward=9), gold=span((3, 9))),
        skills=[attack("jab", damage=(4, 9)), aid("mend", "one_ally", heal=(5, 8), cost=4)],
        items=[item("ring")],
        tables={"bag": [row("pebble", 2, common=3, rare=1), row("ring", 1, uncommon=2, rare=1)]},
        bonuses=[{"id": "of-test", "name": "Of Test", "stat": "might", "amounts": [1, 2, 3, 5], "weight": 10_000}],
        bonus_counts={"uncommon": 1, "rare": 2},
        difficulty=difficulty(loot_chance=60, xp=150),
        seed="another known seed",
    )


def told(battle: Fight) -> list[str]:
    """Every event as its tick, its name and its columns."""
    return [
        " ".join([str(event.tick), event.NAME, *(str(getattr(event, each.name)) for each in fields(event)[1:])])
        for event in battle.events()
    ]


FIGHT = [
    "0 start encounter 2 1 0",
    "0 encounter 0 combat 2 2",
    "0 ready 1.ana 26 26 0 0",
    "0 ready 1.bo 22 22 9 9",
    "0 ready 2.imp 18 18 0 0",
    "0 ready 2.rat 15 15 0 0",
    "0 initiative 1.ana 48 0 34 14",
    "0 initiative 1.bo 5 0 30 -25",
    "0 initiative 2.imp 44 0 38 6",
    "0 initiative 2.rat 33 0 30 3",
    "1 round 1 2 2",
    "1 turn_order 1.bo 1 -25 0 -25",
    "1 turn_order 2.rat 2 3 0 3",
    "1 turn_order 2.imp 3 6 0 6",
    "1 turn_order 1.ana 4 14 0 14",
    "1 passed_over 1.bo 0 mend its condition does not hold 0",
    "1 use 1.bo 1 prick 3 6",
    "1 target 1.bo 2.rat lowest_hp 2 -1",
    "1 odds 1.bo 2.rat 30 30 0 0",
    "1 attack 1.bo 2.rat 97 50 6 fumble",
    "1 use 2.rat 0 jab 0 0",
    "1 target 2.rat 1.ana random 2 0",
    "1 odds 2.rat 1.ana 30 34 0 0",
    "1 attack 2.rat 1.ana 99 46 6 fumble",
    "1 use 2.imp 0 bash 0 0",
    "1 target 2.imp 1.ana highest_hp 2 -1",
    "1 odds 2.imp 1.ana 30 30 0 0",
    "1 attack 2.imp 1.ana 45 50 6 hit",
    "1 amount 2.imp 1.ana 3 1 3 3",
    "1 damage 2.imp 1.ana 6 6 1 5",
    "1 hit 2.imp 1.ana 5 0 5 21",
    "1 condition 2.imp 1.ana stunned 0 0 applied",
    "1 stunned 1.ana",
    "1 regain 1.bo 1 7",
    "2 round 2 2 2",
    "2 turn_order 1.bo 1 -25 0 -25",
    "2 turn_order 2.rat 2 3 0 3",
    "2 turn_order 2.imp 3 6 0 6",
    "2 turn_order 1.ana 4 14 0 14",
    "2 passed_over 1.bo 0 mend its condition does not hold 0",
    "2 passed_over 1.bo 1 prick cooling down 2",
    "2 use 1.bo 2 jab 0 7",
    "2 target 1.bo 2.rat lowest_hp 2 -1",
    "2 odds 1.bo 2.rat 30 30 0 0",
    "2 attack 1.bo 2.rat 1 50 6 critical",
    "2 amount 1.bo 2.rat 9 4 9 3",
    "2 damage 1.bo 2.rat 12 12 0 24",
    "2 hit 1.bo 2.rat 24 0 15 0",
    "2 fall 1.bo 2.rat",
    "2 passed_over 2.imp 0 bash cooling down 3",
    "2 use 2.imp 1 jab 0 0",
    "2 target 2.imp 1.ana lowest_hp 2 -1",
    "2 odds 2.imp 1.ana 30 34 0 0",
    "2 attack 2.imp 1.ana 85 46 6 miss",
    "2 use 1.ana 0 ward 0 0",
    "2 condition 1.ana 1.ana shielded 6 2 applied",
    "2 condition_tick 1.ana 1.ana shielded 0 21 1",
    "2 regain 1.bo 1 8",
    "3 round 3 2 1",
    "3 turn_order 1.bo 1 -25 0 -25",
    "3 turn_order 2.imp 2 6 0 6",
    "3 turn_order 1.ana 3 14 0 14",
    "3 passed_over 1.bo 0 mend its condition does not hold 0",
    "3 passed_over 1.bo 1 prick cooling down 1",
    "3 use 1.bo 2 jab 0 8",
    "3 target 1.bo 2.imp lowest_hp 1 -1",
    "3 odds 1.bo 2.imp 30 38 0 0",
    "3 attack 1.bo 2.imp 4 42 6 critical",
    "3 amount 1.bo 2.imp 7 4 9 3",
    "3 damage 1.bo 2.imp 10 10 0 20",
    "3 hit 1.bo 2.imp 20 0 18 0",
    "3 fall 1.bo 2.imp",
    "3 rout 2 1",
    "3 condition_tick 1.ana 1.ana shielded 0 21 0",
    "3 expire 1.ana shielded True",
    "3 regain 1.bo 1 9",
    "3 encounter_end 0 Victory 3 2",
    "3 outcome 1 victory 43 0",
]

RUN = [
    "0 start run 2 3 0",
    "0 encounter 0 trap 2 0",
    "32768 check 1.bo perception 45 65 50",
    "32769 check 1.ana acrobatics 34 81 64",
    "32769 harm 1.ana 5 5 5 19",
    "32769 check 1.bo acrobatics 30 85 60",
    "32769 harm 1.bo 5 5 5 15",
    "32769 encounter_end 0 Survived 0 2",
    "65535 reward 7 0 2 False",
    "65535 loot_roll 74 60 encounter 65282",
    "65536 encounter 1 decision 2 0",
    "98304 option 1.ana 0 luck 30",
    "98304 option None 1 no skill 0",
    "98304 choice 1.ana 0 luck 30",
    "98304 check 1.ana luck 30 100 75",
    "98305 consequence False 0 0 0",
    "98305 ambush 1",
    "65536 ready 1.ana 19 24 0 0",
    "65536 ready 1.bo 15 20 4 8",
    "65536 ready 2.1.imp 9 9 0 0",
    "65536 initiative 1.ana 73 0 34 39",
    "65536 initiative 1.bo 17 0 30 -13",
    "65536 initiative 2.1.imp 15 0 30 -15",
    "65537 round 1 2 1",
    "65537 turn_order 2.1.imp 1 -15 0 -15",
    "65537 turn_order 1.bo 2 -13 0 -13",
    "65537 turn_order 1.ana 3 39 0 39",
    "65537 passed_over 2.1.imp 0 idle its condition does not hold 0",
    "65537 pass 2.1.imp 1",
    "65537 passed_over 1.bo 0 mend its condition does not hold 0",
    "65537 use 1.bo 1 jab 0 4",
    "65537 target 1.bo 2.1.imp lowest_hp 1 -1",
    "65537 odds 1.bo 2.1.imp 30 30 0 0",
    "65537 attack 1.bo 2.1.imp 21 50 6 hit",
    "65537 amount 1.bo 2.1.imp 7 4 9 3",
    "65537 damage 1.bo 2.1.imp 10 10 0 10",
    "65537 hit 1.bo 2.1.imp 10 0 9 0",
    "65537 fall 1.bo 2.1.imp",
    "65537 rout 2 1",
    "65537 regain 1.bo 1 5",
    "65537 encounter_end 1 Survived 1 2",
    "131071 reward 10 0 2 False",
    "131071 loot_roll 53 60 encounter 65282",
    "131071 item ring uncommon 1 encounter",
    "131071 origin 65282 2265200626",
    "131071 bonus of-test minor 1",
    "131072 encounter 2 combat 2 1",
    "131072 ready 1.ana 19 24 0 0",
    "131072 ready 1.bo 15 20 5 8",
    "131072 ready 2.2.rat 13 13 0 0",
    "131072 initiative 1.ana 54 0 34 20",
    "131072 initiative 1.bo 81 0 30 51",
    "131072 initiative 2.2.rat 77 0 30 47",
    "131073 round 1 2 1",
    "131073 turn_order 1.ana 1 20 0 20",
    "131073 turn_order 2.2.rat 2 47 0 47",
    "131073 turn_order 1.bo 3 51 0 51",
    "131073 use 1.ana 0 jab 0 0",
    "131073 target 1.ana 2.2.rat lowest_hp 1 -1",
    "131073 odds 1.ana 2.2.rat 30 30 0 0",
    "131073 attack 1.ana 2.2.rat 4 50 6 critical",
    "131073 amount 1.ana 2.2.rat 7 4 9 3",
    "131073 damage 1.ana 2.2.rat 10 10 0 20",
    "131073 hit 1.ana 2.2.rat 20 0 13 0",
    "131073 fall 1.ana 2.2.rat",
    "131073 rout 2 1",
    "131073 regain 1.bo 1 6",
    "131073 encounter_end 2 Victory 1 2",
    "196607 reward 13 8 2 False",
    "196607 loot_roll 79 60 encounter 65282",
    "196607 item ring uncommon 1 chest",
    "196607 origin 65283 3807204184",
    "196607 bonus of-test minor 1",
    "196607 spoils 30 8 2 3",
    "196607 outcome 1 completed 34 0",
]


def test_a_known_fight_goes_exactly_so() -> None:
    fight = known_fight()
    fight.play(396)
    assert told(fight) == FIGHT
    assert oracle.play(fight.document, 396).rows == fight.rows().tolist()


def test_a_known_run_goes_exactly_so() -> None:
    run = known_run()
    run.play(348)
    assert told(run) == RUN
    assert oracle.play(run.document, 348).rows == run.rows().tolist()


def test_another_battle_under_the_same_seed_goes_otherwise() -> None:
    """A negative control."""
    fight = known_fight()
    fight.play(395)
    assert told(fight) != FIGHT
