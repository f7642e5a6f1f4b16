"""What fracas.js plays in Node is what Python plays: results, event rows, digests and events with their names."""

from __future__ import annotations

import base64
import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from blake3 import blake3
from tests.helpers import soak
from tests.helpers.javascript import drive
from tests.helpers.scenarios import STANDARD_FIGHTS

import fracas
from fracas.content.packs import examples_folder
from fracas.engine.battle import battle_of
from fracas.engine.player import make_player
from fracas.engine.scenario import Scenario
from fracas.errors import FaultError
from fracas.files.read import read_document
from fracas.lab.statistics.intervals import wilson_interval
from fracas.replay.bundle_file import bundle_of, save_bundle, seal_of
from fracas.rulesets import registry

RANDOM_SCENARIOS, BATTLES = soak.times(4), 3
# From so many battles on they share a table of what strikes do.
ENOUGH = {"squads": 20}
# Where the halves of a stream's number part.
EDGES = [0, 2**32 - 2, 2**40 + 7]
RULESETS = pytest.mark.parametrize("name", registry.NAMES)


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's side is compiled, which is the same as plain (tests/modes) and quicker."""
    monkeypatch.setenv("FRACAS_JIT", "1")


def expected(scenario: Scenario, first: int, count: int, stream: int) -> dict[str, Any]:
    results = make_player(scenario, logged=False, battles=count).play(first, count)
    battle = battle_of(scenario, make_player(scenario, logged=True, battles=1), stream)
    assert battle.rows is not None
    return {"results": blake3(results.tobytes()).hexdigest(), "digest": battle.digest, "count": len(battle.rows)}


def packed(scenario: Scenario, path: Path) -> str:
    save_bundle(bundle_of(fracas.run(scenario)), path)
    return str(path)


@RULESETS
def test_random_scenarios_come_out_alike(name: str, tmp_path: Path) -> None:
    jobs, wanted = [], []
    count = ENOUGH.get(name, BATTLES)
    for number in range(RANDOM_SCENARIOS):
        scenario = fracas.load(registry.get(name).random_scenario(7000 + number))
        first = EDGES[number % len(EDGES)]
        stream = first + number
        try:
            wanted.append(expected(scenario, first, count, stream))
        except FaultError:
            continue
        file = packed(scenario, tmp_path / f"{number}.json")
        jobs.append({"bundle": file, "first": str(first), "count": count, "streams": [str(stream)]})
    assert len(jobs) >= RANDOM_SCENARIOS // 2
    answers = drive(name, jobs, tmp_path)
    found = [
        {
            "results": each.get("results"),
            "digest": each["played"][0]["digest"],
            "count": each["played"][0]["count"],
        }
        for each in answers
    ]
    assert found == wanted


@cache
def examples(name: str) -> list[Path]:
    files = sorted((examples_folder() / name).glob("*.toml"))
    return [file for file in files if not registry.get(name).is_campaign(read_document(file))]


@RULESETS
def test_every_example_verifies(name: str, tmp_path: Path) -> None:
    """Two examples of each ruleset; in a soak all of them."""
    jobs, digests = [], []
    for file in soak.some(examples(name), 2):
        battle = fracas.run(fracas.load(file))
        save_bundle(bundle_of(battle), tmp_path / f"{file.stem}.json")
        jobs.append({"bundle": str(tmp_path / f"{file.stem}.json"), "verify": {"workers": 0}})
        digests.append(battle.digest)
    answers = [answer["verified"] for answer in drive(name, jobs, tmp_path)]
    assert [answer["digest"] for answer in answers] == digests
    assert all(answer["ok"] for answer in answers)


def standard(name: str) -> Path:
    return examples_folder() / name / f"{STANDARD_FIGHTS[name]}.toml"


def test_workers_change_nothing(tmp_path: Path) -> None:
    scenario = fracas.load(standard("squads"))
    # A worker takes 32 battles first, so each of the three has some to play.
    job = {"bundle": packed(scenario, tmp_path / "battle.json"), "count": 96}
    answers = drive("squads", [{**job, "workers": workers} for workers in (0, 1, 3)], tmp_path)
    assert all(answer == answers[0] for answer in answers)
    results = fracas.simulate(scenario, 96)
    draws, first, second = answers[0]["wins"]
    assert (first, second, draws) == (*results.wins, results.draws)
    assert answers[0]["interval"] == pytest.approx(wilson_interval(first, 96), abs=1e-12)


# Of each ruleset values of a document, and what they become in the record.
BUILD = "builds.0.start", "builds.0.phases.0.start"
EDITS = {
    "squads": [
        ("sides.0.units.0.attack=61", {"units.0.attack": 61}),
        ("sides.0.units.0.hp=333", {"units.0.max_hp": 333}),
    ],
    "delve": [("enemies.0.hp=99", {"foes.0.max_hp": 99})],
    "stacks": [
        ("stacks.0.units.0.health=12", {f"participants.0.{which}_health": 12 for which in ("full", "first")}),
    ],
    # 3 come from the items.
    "relics": [("left.stats.health=29", {f"{place}.{quantity}": 32 for place in BUILD for quantity in (0, 1)})],
    "titans": [("players.0.titan.hp=77", {"titans.0.max_hp": 77})],
}


@RULESETS
def test_events_are_told_alike_and_an_edited_record_is_the_edited_document(name: str, tmp_path: Path) -> None:
    scenario = fracas.load(standard(name))
    file = packed(scenario, tmp_path / "battle.json")
    jobs: list[dict[str, Any]] = [{"bundle": file, "streams": ["1"], "events": True}]
    for _, edits in EDITS[name]:
        jobs.append({"bundle": file, "edits": list(edits.items()), "count": 10, "streams": ["3"]})
    answer, *edited = drive(name, jobs, tmp_path)
    battle = fracas.run(scenario, stream=1)
    (played,) = answer["played"]
    assert played["events"] == json.loads(json.dumps([event.as_json() for event in battle.events]))
    result = played["result"]
    assert (result["winner"], result["reason"], result["rounds"]) == (battle.winner, battle.reason, battle.rounds)
    assert (tuple(result["hp_left"]), tuple(result["units_left"])) == (battle.hp_left, battle.units_left)
    unedited = expected(scenario, 0, 10, 3)["results"]
    for (override, _), answer in zip(EDITS[name], edited, strict=True):
        wanted = expected(fracas.load(standard(name), overrides=[override]), 0, 10, 3)
        assert answer["results"] == wanted["results"] != unedited
        assert answer["played"][0]["digest"] == wanted["digest"]


def test_what_a_record_has_worked_out_already_follows_an_edit(tmp_path: Path) -> None:
    """A record that was prepared holds what its rules derive from it, such as the ranking of moves of stacks."""
    ((override, changed),) = EDITS["stacks"]
    edits = list(changed.items())
    scenario = fracas.load(standard("stacks"))
    record = scenario.compiled.record.copy()
    assert scenario.ruleset.kernels.prepare is not None
    scenario.ruleset.kernels.prepare(record)
    assert record.tobytes() != scenario.compiled.record.tobytes()
    document = json.loads(Path(packed(scenario, tmp_path / "battle.json")).read_text(encoding="utf-8"))
    document["record"] = base64.b64encode(zlib.compress(record.tobytes())).decode()
    document["record_digest"] = blake3(record.tobytes()).hexdigest()
    (tmp_path / "played.json").write_text(json.dumps(document | {"seal": seal_of(document)}), encoding="utf-8")
    job = {"bundle": str(tmp_path / "played.json"), "edits": edits, "count": 64, "streams": ["3"]}
    (answer,) = drive("stacks", [job], tmp_path)
    wanted = expected(fracas.load(standard("stacks"), overrides=[override]), 0, 64, 3)
    assert (answer["results"], answer["played"][0]["digest"]) == (wanted["results"], wanted["digest"])


def test_a_seed_text_gives_the_same_dice_and_a_planted_difference_is_noticed(tmp_path: Path) -> None:
    """One point more of attack for one unit: other results, other rows."""
    scenario = fracas.load(standard("squads"))
    asked = {"bundle": packed(scenario, tmp_path / "battle.json"), "count": 20, "streams": ["3"]}
    attack = int(scenario.compiled.record[0].units[0].attack)
    jobs = [{**asked, "edits": [["units.0.attack", attack + more]]} for more in (0, 1)]
    same, other, seeded = drive("squads", [*jobs, {**asked, "seed": "Überfall 7"}], tmp_path)
    wanted = expected(scenario, 0, 20, 3)
    assert (same["results"], same["played"][0]["digest"]) == (wanted["results"], wanted["digest"])
    assert other["results"] != wanted["results"]
    assert other["played"][0]["digest"] != wanted["digest"]
    wanted = expected(scenario.with_seed("Überfall 7"), 0, 20, 3)
    assert (seeded["results"], seeded["played"][0]["digest"]) == (wanted["results"], wanted["digest"])
