"""The chronicle: runs, encounters, rounds and actions as records, and everything in it is what the events say."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import FrozenInstanceError
from functools import cache
from typing import Any

import msgspec
import pytest
from tests.helpers.chronicles import encounter_log, run_log
from tests.helpers.compiled import quickest
from tests.helpers.delve_scenarios import creature, duel, loaded, played, run, run_that_ends
from tests.helpers.scenarios import problems_of

import fracas
from fracas.rulesets import registry
from fracas.rulesets.delve.narration.chronicle import EncounterLog, RunLog

DELVE = registry.get("delve")
RANDOM = range(20)


@cache
def random_battle(number: int) -> fracas.Battle:
    return fracas.run(DELVE.random_scenario(number))


def events(battle: fracas.Battle, *kinds: str) -> list[Any]:
    return [event for event in battle.events if event.NAME in kinds]


def encounters(battle: fracas.Battle) -> tuple[EncounterLog, ...]:
    return battle.chronicle.encounters if isinstance(battle.chronicle, RunLog) else (encounter_log(battle),)


def rounds(battle: fracas.Battle) -> list[Any]:
    return [entry for encounter in encounters(battle) for entry in encounter.rounds]


def actions(battle: fracas.Battle) -> list[Any]:
    return [action for entry in rounds(battle) for action in entry.actions]


def test_a_run_is_a_run_log_and_a_lone_encounter_an_encounter_log():
    assert isinstance(played(run()).chronicle, RunLog)
    assert isinstance(played(duel()).chronicle, EncounterLog)


def test_other_rulesets_have_none():
    assert fracas.run("examples/squads/first-battle.toml").chronicle is None


@pytest.mark.parametrize(
    ("reason", "status", "outcome"),
    [("completed", "Completed", "Victory"), ("party_wipe", "Failed", "PartyWipe"), ("fled", "Failed", "Fled")],
)
def test_a_run_ends_with_its_status(reason, status, outcome):
    battle = run_that_ends(reason)
    log = run_log(battle)
    assert (log.status, log.reason, log.encounters[-1].outcome) == (status, reason, outcome)
    assert (log.quest, log.rounds) == ("The Burrow", battle.rounds)
    assert (log.chest is not None) == (reason == "completed")
    lost = events(battle, "spoils")[0]
    assert (log.spoils.xp, log.spoils.gold, len(log.spoils.items)) == (lost.xp, lost.gold, lost.items)
    assert (log.spoils.items == ()) == (lost.items == 0)


def test_all_outcomes_of_encounters_occur(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", quickest())
    scenario = loaded(run(flee_below=40, options={"round_cap": 4}))
    seen = {encounter.outcome for stream in range(60) for encounter in encounters(fracas.run(scenario, stream=stream))}
    wiped = {encounter.outcome for encounter in encounters(run_that_ends("party_wipe"))}
    assert seen | wiped == {"Victory", "Survived", "PartyWipe", "Fled"}


@pytest.mark.parametrize("number", RANDOM)
def test_everything_in_it_is_what_the_events_say(number):
    battle = random_battle(number)
    own = actions(battle)
    strokes = [stroke for action in own for stroke in action.strokes]
    assert len(rounds(battle)) == battle.rounds
    assert [encounter.number for encounter in encounters(battle)] == [e.number for e in events(battle, "encounter")]
    assert (
        Counter(action.kind for action in own)
        == Counter(
            {"use": len(events(battle, "use")), "pass": len(events(battle, "pass"))}
            | {"stunned": len(events(battle, "stunned"))}
        )
        - Counter()
    )
    assert sum(len(action.passed_over) for action in own) == len(events(battle, "passed_over"))
    assert sum(stroke.lost for stroke in strokes) == sum(event.lost for event in events(battle, "hit"))
    assert sum(stroke.restored for stroke in strokes) == sum(event.restored for event in events(battle, "heal"))
    assert [s.roll for s in strokes if s.roll is not None] == [event.roll for event in events(battle, "attack")]
    assert sum(len(stroke.conditions) for stroke in strokes) == len(events(battle, "condition"))
    ticks = [tick for entry in rounds(battle) for tick in entry.ticks]
    assert [(t.source, t.target, t.amount) for t in ticks] == [
        (e.actor, e.target, e.amount) for e in events(battle, "condition_tick")
    ]
    falls = sum(stroke.fell for stroke in strokes) + sum(tick.fell for tick in ticks)
    harmed = [harm for encounter in encounters(battle) for harm in encounter.harms]
    assert falls + sum(harm.fell for harm in harmed) == len(events(battle, "fall"))
    assert [check.roll for encounter in encounters(battle) for check in encounter.checks] == [
        event.roll for event in events(battle, "check")
    ]
    assert sum(entry.flight is not None for entry in rounds(battle)) == len(events(battle, "flee"))


@pytest.mark.parametrize("number", RANDOM)
def test_rewards_and_items_are_those_of_the_events(number):
    battle = random_battle(number)
    rewards = [encounter.reward for encounter in encounters(battle) if encounter.reward is not None]
    assert [(r.xp, r.gold, r.reduced) for r in rewards] == [
        (event.xp, event.gold, event.reduced) for event in events(battle, "reward")
    ]
    assert [roll.roll for reward in rewards for roll in reward.loot] == [e.roll for e in events(battle, "loot_roll")]
    items = [item for reward in rewards for item in reward.items]
    chest = getattr(battle.chronicle, "chest", None)
    found = [*items, *([chest] if chest else [])]
    assert [(item.item, item.rarity) for item in found] == [(e.item, e.rarity) for e in events(battle, "item")]
    assert [(item.lane, item.word) for item in found] == [(e.lane, e.word) for e in events(battle, "origin")]
    assert [bonus.bonus for item in found for bonus in item.bonuses] == [e.bonus for e in events(battle, "bonus")]


def test_an_ambush_has_its_rounds_within_its_encounter():
    fork = run_log(played()).encounters[2]
    assert (fork.type, fork.ambush, fork.choice) == ("decision", True, 0)
    assert fork.rounds
    assert fork.enemies == ("2.2.rat",)
    assert fork.consequence is not None
    assert fork.consequence.gold == 7
    assert fork.outcome == "Victory"


def test_encounters_that_are_no_fights_have_what_happened_in_them():
    cord, _, _, smoke, cave, stones, _ = run_log(run_that_ends("completed")).encounters
    assert [cord.type, smoke.type, cave.type, stones.type] == ["trap", "hazard", "rest", "puzzle"]
    assert cord.checks[0].check == "perception"
    assert len(smoke.checks) == len(smoke.harms) == smoke.members
    assert len(cave.recoveries) == cave.members
    assert stones.consequence is not None
    assert not any(encounter.rounds for encounter in (cord, smoke, cave, stones))


def test_skipped_encounters_are_missing():
    document = run()
    document["quest"]["encounters"][2]["options"][0]["success"] = {"skip": 2}
    numbers = [encounter.number for encounter in run_log(played(document)).encounters]
    assert numbers[:4] == [0, 1, 2, 5]


def test_an_action_says_what_it_did_and_what_was_passed_over():
    battle = played(duel())
    use = next(action for action in actions(battle) if action.skill == "sweep")
    assert (use.kind, use.slot, use.selector) == ("use", 0, None)
    assert len(use.strokes) > 1
    assert all(stroke.hit == (stroke.verdict in ("hit", "critical")) for stroke in use.strokes)
    ward = next(action for action in actions(battle) if action.skill == "ward")
    assert [(passed.slot, passed.skill) for passed in ward.passed_over] == [(0, "mend")]
    assert ward.strokes[0].hit
    assert [change.condition for change in ward.strokes[0].conditions] == ["shielded", "empowered"]
    entered = [action.phases for action in actions(battle) if action.phases]
    assert entered in ([], [(0,)])


def test_an_encounter_without_a_name_goes_by_its_type_and_a_lone_one_by_the_scenario():
    document = run()
    del document["quest"]["encounters"][0]["name"]
    assert run_log(played(document)).encounters[0].name == "trap"
    assert encounter_log(played(duel())).name == "duel"


def test_it_is_plain_data_that_stands_in_the_document():
    for document in (run(), duel()):
        battle = played(document)
        shown = battle.as_json()
        assert list(shown)[-2:] == ["events", "chronicle"]
        assert shown["chronicle"] == json.loads(msgspec.json.encode(battle.chronicle))
        assert msgspec.convert(shown["chronicle"], type(battle.chronicle)) == battle.chronicle


def test_it_does_not_change():
    with pytest.raises(FrozenInstanceError):
        run_log(played()).status = "Completed"  # type: ignore[misc]


def test_a_battle_without_a_log_has_none_to_show():
    battle = fracas.run(loaded(), log=False)
    [problem] = problems_of(lambda: battle.chronicle)
    assert problem.where == "log"


@pytest.mark.parametrize(
    "edit",
    [
        lambda own: own[1:],
        lambda own: own[:-1],
        lambda own: [event for event in own if event.NAME != "encounter_end"],
        lambda own: [event for event in own if event.NAME != "use"],
        lambda own: [*own, own[-1]][::-1],
        lambda own: [],
    ],
    ids=["no start", "no outcome", "no end of an encounter", "no use", "backwards", "nothing"],
)
def test_events_out_of_order_are_refused(edit):
    battle = played(duel(enemies=[creature("rat")]))
    [problem] = problems_of(DELVE.chronicle, edit(battle.events), battle.scenario.document)
    assert problem.where == "events"
    assert "is out of place" in problem.message
