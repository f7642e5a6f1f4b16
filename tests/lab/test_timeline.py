"""How HP go round by round: what is followed ends where the battle ends, medians are those of all battles."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest
from tests.helpers.commands import BAD_INPUT, Command, call
from tests.helpers.guards import ROOT
from tests.helpers.presses import interrupted_by, pressed
from tests.helpers.scenarios import duel, problems_of, written

import fracas
from fracas.lab.simulation import timeline as module
from fracas.lab.simulation.first_battles import with_timeline
from fracas.lab.simulation.timeline import MOST_ROUNDS, rounds_shown, summed, timeline
from fracas.rulesets.contract.analysis import AnalysisHooks

BATTLES = (
    "squads/first-battle.toml", "delve/poison-bleed-burn.toml", "delve/fleeing.toml", "stacks/first-attack.toml",
    "relics/standard.toml", "titans/standard.toml",
)  # fmt: skip


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.mark.parametrize("name", BATTLES)
def test_what_is_followed_ends_with_the_hp_that_are_left(name):
    scenario = fracas.load(ROOT / "examples" / name)
    battle, one = fracas.run(scenario), timeline(scenario, 1)
    assert [one.rounds[-1].hp[side][1] for side in (0, 1)] == [max(0, left) for left in battle.hp_left]
    assert one.unit == ("encounter" if name == "delve/fleeing.toml" else "round")


def test_hp_lost_are_the_blows_of_the_battle():
    scenario = fracas.load(duel())
    battle = fracas.run(scenario)
    found = timeline(scenario, 1)
    full = sum(unit["hp"] for side in scenario.document["sides"] for unit in side["units"])
    assert not [event for event in battle.events if event.NAME == "heal"]
    assert sum(each.lost[0][1] + each.lost[1][1] for each in found.rounds) == full - sum(battle.hp_left)
    assert [each.number for each in found.rounds] == list(range(battle.rounds + 1))


def test_what_is_over_stays_as_it_ended_and_loses_no_more():
    short = np.zeros((2, 2, 3), np.int64)
    short[:, 0] = [[9, 0, 1], [9, 3, 1]]
    long = np.zeros((4, 2, 3), np.int64)
    long[:, 0, 0] = [20, 15, 10, 5]
    long[:, 0, 1] = 5
    found = summed([short, long, long])
    assert [each.going for each in found.rounds] == [3, 3, 2, 2]
    assert [each.hp[0] for each in found.rounds] == [(9, 20, 20), (9, 15, 15), (9, 10, 10), (5, 5, 9)]
    assert [each.lost[0][1] for each in found.rounds] == [5, 5, 5, 5]
    assert (found.battles, found.is_cut) == (3, False)
    endless = summed([np.zeros((MOST_ROUNDS + 2, 2, 3), np.int64)])
    assert (len(endless.rounds), endless.is_cut) == (MOST_ROUNDS + 1, True)


def test_as_many_rounds_are_shown_as_there_is_room_for():
    rounds = summed([np.zeros((101, 2, 3), np.int64)]).rounds
    shown = rounds_shown(rounds, 24)
    assert len(shown) <= 24
    assert shown[-1].number == 100
    assert list(rounds_shown(rounds[:5], 24)) == list(rounds[:5])


def test_the_command_the_document_and_the_page_tell_it(capsys, tmp_path):
    fracas_cli: Command = partial(call, capsys)
    file = written(tmp_path, json.dumps(duel()), "duel.json")
    answer = fracas_cli("simulate", file, "-n", 12, "--timeline", 12)
    document = fracas_cli("simulate", file, "-n", 12, "--timeline", 12, "--format", "json").json
    assert "How HP go" in answer.out
    rounds = document["timeline"]["rounds"]
    assert document["timeline"]["battles"] == rounds[0]["going"] == 12
    assert set(rounds[0]["sides"][0]) == {"hp", "lost", "standing"}
    assert "timeline" not in fracas_cli("simulate", file, "-n", 12, "--format", "json").json
    out = tmp_path / "out.json"
    fracas_cli("simulate", file, "-n", 12, "--timeline", 12, "--out", out)
    assert json.loads(out.read_text(encoding="utf-8"))["timeline"] == document["timeline"]
    page = fracas.report([out])
    assert "How HP go" in page.html
    assert fracas.simulate(duel(), n=12, timeline=12).to_document().tables()[-1].name == "timeline"
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
