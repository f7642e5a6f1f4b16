"""HP by round: what is followed ends where the battle ends, medians are those of all battles."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, Command, call
from tests.helpers.compiled import quickest
from tests.helpers.guards import ROOT
from tests.helpers.presses import interrupted_by, pressed
from tests.helpers.scenarios import duel, problems_of, written

import fracas
from fracas.engine.player import make_player
from fracas.lab.simulation import timeline as module
from fracas.lab.simulation.first_battles import with_timeline
from fracas.lab.simulation.timeline import MOST_ROUNDS, summed, timeline
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import AnalysisHooks
from fracas.rulesets.delve.rules.constants import CONDITIONS
from fracas.rulesets.relics.rules.constants import FREEZE, STATUSES
from fracas.rulesets.titans.rules import events as titans

CAP = {"squads": "options.round_cap", "delve": "options.round_cap", "relics": "options.turn_cap"}

BATTLES = (
    "squads/first-battle.toml", "delve/poison-bleed-burn.toml", "delve/fleeing.toml", "stacks/first-attack.toml",
    "relics/standard.toml", "titans/standard.toml",
)  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", quickest())


@pytest.mark.parametrize("name", BATTLES)
def test_what_is_followed_ends_with_the_hp_that_are_left(name):
    scenario = fracas.load(ROOT / "examples" / name)
    battle, one = fracas.run(scenario), timeline(scenario, 1)
    assert [side.hp[1] for side in one.rounds[-1].sides] == [max(0, left) for left in battle.hp_left]
    assert one.unit == ("encounter" if name == "delve/fleeing.toml" else "round")


def test_hp_lost_are_the_blows_of_the_battle():
    scenario = fracas.load(duel())
    battle = fracas.run(scenario)
    found = timeline(scenario, 1)
    full = sum(unit["hp"] for side in scenario.document["sides"] for unit in side["units"])
    assert not [event for event in battle.events if event.NAME == "heal"]
    assert sum(side.lost[1] for each in found.rounds for side in each.sides) == full - sum(battle.hp_left)
    assert [each.round for each in found.rounds] == list(range(battle.rounds + 1))


def test_each_side_loses_its_own_hp_and_heals_take_nothing_off():
    scenario = fracas.load(ROOT / "examples" / "squads" / "damage-over-time.toml")
    battle = fracas.run(scenario)
    heals: list[Any] = [event for event in battle.events if event.NAME == "heal"]
    rounds = timeline(scenario, 1).rounds
    assert heals
    for side in (0, 1):
        full = sum(unit["hp"] for unit in scenario.document["sides"][side]["units"])
        healed = sum(event.restored for event in heals if event.target.startswith(f"{side + 1}."))
        assert sum(each.sides[side].lost[1] for each in rounds) == full + healed - battle.hp_left[side]


def test_what_is_over_stays_as_it_ended_and_loses_no_more():
    short = np.zeros((2, 2, 3), np.int64)
    short[:, 0] = [[9, 0, 1], [9, 3, 1]]
    long = np.zeros((4, 2, 3), np.int64)
    long[:, 0, 0] = [20, 15, 10, 5]
    long[:, 0, 1] = 5
    found = summed([short, long, long])
    assert [each.going for each in found.rounds] == [3, 3, 2, 2]
    assert [each.sides[0].hp for each in found.rounds] == [(9, 20, 20), (9, 15, 15), (9, 10, 10), (5, 5, 9)]
    assert [each.sides[0].lost[1] for each in found.rounds] == [5, 5, 5, 5]
    assert (found.battles, found.is_cut) == (3, False)
    endless = summed([np.zeros((MOST_ROUNDS + 2, 2, 3), np.int64)])
    assert (len(endless.rounds), endless.is_cut) == (MOST_ROUNDS + 1, True)


def test_the_command_the_document_and_the_page_tell_it(capsys, tmp_path):
    fracas_cli: Command = partial(call, capsys)
    file = written(tmp_path, json.dumps(duel()), "duel.json")
    answer = fracas_cli("simulate", file, "-n", 12, "--timeline", 12)
    document = fracas_cli("simulate", file, "-n", 12, "--timeline", 12, "--format", "json").json
    assert "How 12 battles go" in answer.out
    rounds = document["timeline"]["rounds"]
    assert document["timeline"]["battles"] == rounds[0]["going"] == 12
    assert set(rounds[0]["sides"][0]) == {"hp", "lost", "standing", "statuses"}
    assert "timeline" not in fracas_cli("simulate", file, "-n", 12, "--format", "json").json
    out = tmp_path / "out.json"
    fracas_cli("simulate", file, "-n", 12, "--timeline", 12, "--out", out)
    assert json.loads(out.read_text(encoding="utf-8"))["timeline"] == document["timeline"]
    page = fracas.report([out])
    assert "HP over time" in page.html
    # In the colours of the sides, as in every other chart.
    assert re.search(r"HP of [^()]+ \(orange\) and of [^()]+ \(blue\)", page.html)
    assert fracas.simulate(duel(), n=12, timeline=12).shown_tables()[-1].name == "timeline"
    stunned = fracas.simulate(ROOT / "examples" / "squads" / "stun.toml", n=12, timeline=12)
    [statuses] = [table for table in stunned.shown_tables() if table.name == "statuses"]
    assert [column.key for column in statuses.columns] == ["round", "stun_1", "stun_2"]
    assert any(row[1] > 0 for row in statuses.rows)
    told = fracas_cli("simulate", ROOT / "examples" / "squads" / "stun.toml", "-n", 12, "--timeline", 12)
    assert "How many units of a side have a status" in told.out
    refused = fracas_cli("simulate", file, "--timeline", 10**6, "--format", "json")
    assert (refused.status, refused.errors[0]["where"]) == (BAD_INPUT, "--timeline")


def test_a_ruleset_that_does_not_tell_says_so(monkeypatch):
    scenario = fracas.load(duel())
    monkeypatch.setattr(type(scenario.ruleset.analysis), "vitals", AnalysisHooks.vitals)
    [problem] = problems_of(fracas.simulate, scenario, n=2, timeline=2)
    assert "not available for this ruleset" in problem.message


def test_ctrl_c_leaves_whole_battles():
    results = fracas.simulate(duel(), n=8)
    with pressed(3):
        found = interrupted_by(with_timeline, results, 8)
    assert found.interrupted
    assert found.timeline.battles == 3
    assert module.MOST_TIMED == 20_000


# Statuses are read from event rows; the state that a battle ended in says whether they were read aright.


def of_squads(battle):
    units = battle.units
    return {
        "shield": [int(unit["shield"] > 0 and unit["hp"] > 0) for unit in units],
        "attack_up": [int(unit["attack_up"] > 0 and unit["hp"] > 0) for unit in units],
        "attack_down": [int(unit["attack_down"] > 0 and unit["hp"] > 0) for unit in units],
        "stun": [int(unit["stunned"] > 0 and unit["hp"] > 0) for unit in units],
        "damage_over_time": [int(unit["wound_strikes"] > 0 and unit["hp"] > 0) for unit in units],
    }


def of_delve(battle):
    if battle.fought_count == 0:
        # What is left of a fight is forgotten when the next one is set up, and nobody asks until then.
        return {}
    whose = [each for each in battle.participants if each["hp"] > 0]
    found = {}
    for place, name in enumerate(CONDITIONS):
        found[name] = [0] * len(battle.participants)
        for each in whose:
            found[name][each["index"]] = int(each["conditions"] >> place & 1)
    return found


def of_relics(battle):
    return {
        name: [max(0, int(fighter["values"][FREEZE + place])) for fighter in battle.fighters]
        for place, name in enumerate(STATUSES)
    }


@pytest.mark.parametrize(
    ("name", "state", "sides"),
    [("squads", of_squads, 8), ("delve", of_delve, 8), ("relics", of_relics, 1)],
)
def test_statuses_are_those_of_the_state_that_the_battle_ended_in(name, state, sides):
    met = set()
    for number in range(soak.times(16)):
        document = registry.get(name).random_scenario(number)
        scenario = fracas.load(document, overrides={CAP[name]: 2 + number % 7})
        player = make_player(scenario, logged=True, battles=1)
        player.play(0, 1)
        follower = module._Follower(scenario)
        rows = player.rows()
        last = follower.statuses_of(rows, len(follower.course(rows)))[-1]
        for status, amounts in state(player.record[0]).items():
            wanted = [sum(amounts[:sides]), sum(amounts[sides:])]
            assert last[:, follower.names.index(status)].tolist() == wanted, (number, status)
            met |= {status} if sum(wanted) else set()
    assert len(met) >= 3


def test_changes_of_stats_are_statuses():
    scenario = fracas.load(ROOT / "examples" / "titans" / "standard.toml")
    rows = np.zeros((4, 8), np.int32)
    # Tick, kind, actor, target, stat, percent, until, total.
    changed, expired = titans.Change.KIND, titans.Expire.KIND
    rows[:, :4] = [[1, changed, 0, 1], [1, changed, 1, 1], [2, expired, -1, 1], [3, expired, -1, 1]]
    rows[:, 4] = [0, 2, 0, 2]
    rows[:, 7] = [-20, 15, 0, 0]
    follower = module._Follower(scenario)
    found = follower.statuses_of(rows, 5)
    lowered, raised = follower.names.index("attack_lowered"), follower.names.index("speed_raised")
    assert found[:, 1, lowered].tolist() == [0, 1, 0, 0, 0]
    assert found[:, 1, raised].tolist() == [0, 1, 1, 0, 0]
    assert not found[:, 0].any()


def test_a_status_that_nobody_has_is_not_told_and_a_battle_that_is_over_counts_no_more():
    courses = [np.zeros((2, 2, 3), np.int64), np.zeros((3, 2, 3), np.int64)]
    statuses = [np.zeros((2, 2, 2), np.int32), np.zeros((3, 2, 2), np.int32)]
    statuses[0][1, 0, 1] = 4
    statuses[1][2, 0, 1] = 2
    found = summed(courses, "round", statuses, ("stun", "shield"))
    readings = [each.sides[0].statuses for each in found.rounds]
    assert [list(each) for each in readings] == [["shield"]] * 3
    assert [each["shield"].mean for each in readings] == [0, 2, 2]
    assert readings[1]["shield"].band == (0, 0, 4)
