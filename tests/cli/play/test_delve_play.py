"""`fracas run`, `verify`, `replay` and `explain` on lone encounters and runs of delve."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE
from tests.helpers.delve_scenarios import DELVES, creature, duel, played, run, run_that_ends
from tests.helpers.replays import put, tampered, with_digests
from tests.helpers.scenarios import written

import fracas

KEYS = ["ruleset", "rules_version", "scenario", "seed", "stream", "profile", "winner", "reason", "rounds", "digest"]
KINDS = pytest.mark.parametrize("kind", ["run", "encounter"])


@pytest.fixture
def file(tmp_path):
    """A scenario file of a kind."""

    def of(kind, **values):
        document = (run if kind == "run" else duel)(**values)
        return written(tmp_path, json.dumps(document), f"{kind}.json")

    return of


@pytest.fixture
def saved(fracas_cli, file, tmp_path):
    """A replay of a kind."""

    def of(kind, *options, **values):
        replay = tmp_path / f"{kind}-replay.json"
        assert fracas_cli("run", file(kind, **values), "--save", replay, *options).status == DONE
        return replay

    return of


# run


@KINDS
def test_a_battle_is_told_on_stdout_and_nothing_on_stderr(fracas_cli, file, kind):
    ended = fracas_cli("run", file(kind))
    assert (ended.status, ended.err) == (DONE, "")
    assert "Round 1" in ended.out
    assert "\x1b" not in ended.out
    assert ("Brought home" in ended.out) == (kind == "run")


@KINDS
def test_the_document_has_the_keys_of_the_contract_and_the_chronicle(fracas_cli, file, kind):
    path = file(kind)
    document = fracas_cli("run", path, "--format", "json", "--stream", "3").json
    assert list(document) == [*KEYS, "events", "chronicle"]
    assert document == fracas.run(path, stream=3).as_json()
    assert (document["ruleset"], document["profile"], document["stream"]) == ("delve", "seed", 3)
    assert list(document["chronicle"])[:2] == (["quest", "status"] if kind == "run" else ["number", "name"])


@pytest.mark.parametrize(
    ("reason", "winner"), [("completed", 1), ("party_wipe", 2), ("fled", 2)], ids=["completed", "wiped out", "fled"]
)
def test_a_run_is_won_if_it_is_completed_and_lost_if_not(reason, winner):
    battle = run_that_ends(reason)
    assert (battle.winner, battle.reason) == (winner, reason)
    assert battle.rounds == sum(event.NAME == "round" for event in battle.events)
    assert f"after {battle.rounds} rounds" in repr(battle)


def test_a_lone_encounter_may_be_a_draw():
    wall = creature("wall", hp=900, queue=["mend"], resource={"kind": "breath", "max": 50, "regeneration": 9})
    battle = played(duel(enemies=[wall], options={"round_cap": 3}))
    assert (battle.winner, battle.reason, battle.rounds) == (0, "survived", 3)
    assert "in round 3" in repr(battle)


def test_the_seed_of_a_run_is_its_id_and_its_start(fracas_cli, file):
    started = {"run_id": "7b1e", "started_at": "2026-11-20T08:00:00Z"}
    assert fracas_cli("run", file("run", **started), "--format", "json").json["seed"] == "7b1e2026-11-20T08:00:00Z"
    assert fracas_cli("run", file("run", **started), "--format", "json", "--seed", "x").json["seed"] == "x"
    assert fracas_cli("run", file("run"), "--format", "json").json["seed"] == "burrow-run"


def test_the_first_example_tells_a_run_as_a_story(fracas_cli):
    ended = fracas_cli("run", DELVES / "goblin-warrens.toml")
    assert ended.status == DONE
    for words in ("The Goblin Warrens", "Encounter 0: ", "Round 1.1 ", "loot ", "Brought home"):
        assert words in ended.out


# verify


@KINDS
def test_a_saved_battle_verifies_and_is_told_again(fracas_cli, file, saved, kind):
    replay = saved(kind)
    verified = fracas_cli("verify", replay)
    assert (verified.status, verified.err) == (DONE, "")
    document = fracas_cli("run", file(kind), "--format", "json").json
    assert document["digest"] in verified.out
    assert fracas_cli("lab", "replay", replay, "--format", "json").json == document
    assert (
        fracas_cli("lab", "replay", replay, "--detail", "all").out
        in fracas_cli("run", file(kind), "--detail", "all").out
    )


def place_of(document, kind, number=0):
    """The place of the n-th event of a kind in a replay's rows."""
    return [place for place, row in enumerate(document["events"]) if row[1] == kind][number]


def kind_of(name):
    from fracas.rulesets.delve.rules.events import PROTOCOL

    return next(kind for kind, declared in PROTOCOL.kinds.items() if name == declared.NAME)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("attack", r"encounter 1, round 1"),
        ("check", r"encounter 0, step 0"),
        ("consequence", r"encounter 2, step 1"),
        ("reward", r"encounter 0, rewards"),
        ("initiative", r"encounter 1, set-up"),
    ],
)
def test_a_difference_is_named_by_its_encounter_and_round(fracas_cli, saved, name, words):
    replay = saved("run")
    place = place_of(json.loads(replay.read_text()), kind_of(name))
    tampered(replay, put("events", place, 5, value=99))
    ended = fracas_cli("verify", replay)
    assert ended.status == CHECK_FAILED
    assert re.search(rf"DIFFERS in {words}: the first event that differs is number {place}, in {words}", ended.out)
    assert f'"kind": "{name}"' in ended.out


def test_a_difference_in_an_ambush_is_named_by_its_round(fracas_cli, saved):
    replay = saved("run")
    rows = json.loads(replay.read_text())["events"]
    place = next(place for place, row in enumerate(rows) if row[0] == 2 * 65536 + 1 and row[1] == kind_of("attack"))
    tampered(replay, put("events", place, 4, value=0))
    assert "in encounter 2, round 1" in fracas_cli("verify", replay).out


def test_a_missing_event_is_named_where_it_is_missing(fracas_cli, saved):
    """The ambush's set-up has an earlier tick than the step that brought it, and comes later all the same."""
    replay = saved("run")
    document = json.loads(replay.read_text())
    place = place_of(document, kind_of("ambush"))
    tampered(replay, lambda document: document["events"].pop(place))
    ended = fracas_cli("verify", replay, "--format", "json").json["replays"][0]
    assert ended["tick"] == 2 * 65536 + 0x8001
    assert "encounter 2, step 1" in ended["explanation"]


def test_a_lone_encounters_difference_is_named_by_its_tick(fracas_cli, saved):
    replay = saved("encounter")
    place = place_of(json.loads(replay.read_text()), kind_of("attack"))
    tampered(replay, put("events", place, 5, value=99))
    assert "in tick 1" in fracas_cli("verify", replay).out


def test_forged_events_with_digests_to_match_are_no_fault_of_ours(fracas_cli, saved):
    for number in range(soak.times(4)):
        replay = saved("run")

        def forge(document, number=number):
            rows = document["events"]
            chance = np.random.default_rng(number)
            for _ in range(3):
                rows[int(chance.integers(len(rows)))][int(chance.integers(2, 8))] = int(chance.integers(-1, 50))
            with_digests(document)

        tampered(replay, forge)
        for options in ([], ["--detail", "all"], ["--format", "json"], ["--from", "2", "--to", "4"]):
            assert fracas_cli("lab", "replay", replay, *options).status in (DONE, BAD_INPUT)


# replay --from --to


def test_an_encounter_of_a_replay_is_told_with_its_ambush(fracas_cli, saved):
    replay = saved("run")
    part = fracas_cli("lab", "replay", replay, "--from", "2", "--to", "2", "--format", "json").json
    whole = fracas_cli("lab", "replay", replay, "--format", "json").json
    assert part["events"] == [event for event in whole["events"] if event["tick"] >> 16 == 2]
    assert "chronicle" not in part
    kinds = [event["kind"] for event in part["events"]]
    assert (kinds[0], "ambush" in kinds, kinds[-1]) == ("encounter", True, "loot_roll")
    told = fracas_cli("lab", "replay", replay, "--from", "2", "--to", "2").out
    assert "An ambush!" in told
    assert "Encounter 3" not in told


def test_a_round_of_a_replay_is_told(fracas_cli, saved):
    told = fracas_cli("lab", "replay", saved("run"), "--from", "1.2", "--to", "1.3").out
    assert re.findall(r"^Round (\S+)", told, re.MULTILINE) == ["1.2", "1.3"]


def test_from_and_to_stand_alone(fracas_cli, saved):
    replay = saved("run")
    whole = fracas_cli("lab", "replay", replay, "--format", "json").json["events"]
    head = fracas_cli("lab", "replay", replay, "--to", "1.1", "--format", "json").json["events"]
    tail = fracas_cli("lab", "replay", replay, "--from", "1.2", "--format", "json").json["events"]
    assert head + tail == whole


def test_a_lone_encounters_places_are_rounds(fracas_cli, saved):
    told = fracas_cli("lab", "replay", saved("encounter"), "--from", "2", "--to", "3").out
    assert re.findall(r"^Round (\S+)", told, re.MULTILINE) == ["2", "3"]


@pytest.mark.parametrize(
    ("kind", "places", "where"),
    [
        ("run", ["--from", "3", "--to", "2"], "--from, --to"),
        ("run", ["--from", "1.3", "--to", "1.2"], "--from, --to"),
        ("run", ["--from", "7"], "--from"),
        ("run", ["--to", "x"], "--to"),
        ("run", ["--to=-1"], "--to"),
        ("run", ["--from", "1.2.3"], "--from"),
        ("encounter", ["--from", "1.2"], "--from"),
        ("encounter", ["--from", "3", "--to", "2"], "--from, --to"),
    ],
)
def test_places_that_are_none_are_refused(fracas_cli, saved, kind, places, where):
    ended = fracas_cli("lab", "replay", saved(kind), *places, "--format", "json")
    assert ended.status == BAD_INPUT
    assert [error["where"] for error in ended.errors] == [where]
