"""`fracas run`, `verify` and `replay`: one battle, its document and its replay."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE
from tests.helpers.replays import DOUBLE, chain_with, plugin_file, put, tampered, with_digests
from tests.helpers.scenarios import EXAMPLES, SCENARIO, duel, edited, written

import fracas

FIRST = EXAMPLES / "first-battle.toml"
KEYS = ["ruleset", "rules_version", "scenario", "seed", "stream", "profile", "winner", "reason", "rounds", "digest"]


@pytest.fixture
def battle(tmp_path):
    return written(tmp_path, json.dumps(duel()), "duel.json")


# run


def test_a_battle_is_told_on_stdout_and_nothing_on_stderr(fracas_cli):
    ended = fracas_cli("run", FIRST)
    assert ended.status == DONE
    assert "Round 1" in ended.out
    assert ended.err == ""


def test_a_told_battle_is_text_without_colour_where_nobody_looks(fracas_cli):
    assert "\x1b" not in fracas_cli("run", FIRST, "--detail", "all").out


def test_the_document_has_the_keys_of_the_contract(fracas_cli):
    ended = fracas_cli("run", FIRST, "--format", "json", "--seed", "tuesday", "--stream", "4")
    document = ended.json
    assert list(document) == [*KEYS, "events"]
    assert (document["ruleset"], document["scenario"], document["profile"]) == ("squads", "first-battle", "classic")
    assert (document["seed"], document["stream"]) == ("tuesday", 4)
    expected = fracas.run(FIRST, seed="tuesday", stream=4)
    assert document == expected.as_json()
    assert document["winner"] in (0, 1, 2)
    assert all(list(event)[:2] == ["tick", "kind"] for event in document["events"])
    assert len(ended.out.splitlines()) == 1


def test_the_format_may_be_joined_to_its_option(fracas_cli):
    assert fracas_cli("run", FIRST, "--format=json").json["scenario"] == "first-battle"


def test_the_document_holds_no_time_path_or_host(fracas_cli, tmp_path, monkeypatch):
    text = SCENARIO.replace('id = "two-by-one"\n', "")
    documents = []
    for name in ("one", "two"):
        path = written(tmp_path / name, text, "bridge.toml")
        monkeypatch.chdir(path.parent)
        documents += [
            fracas_cli("run", path, "--format", "json").out,
            fracas_cli("run", path.name, "--format", "json").out,
        ]
    assert len(set(documents)) == 1
    assert json.loads(documents[0])["scenario"] == "bridge"
    assert str(tmp_path) not in documents[0]


def test_jsonl_is_one_event_a_line_and_the_outcome_last(fracas_cli):
    document = fracas_cli("run", FIRST, "--format", "json").json
    lines = [json.loads(line) for line in fracas_cli("run", FIRST, "--format", "jsonl").out.splitlines()]
    assert lines[:-1] == document["events"]
    assert lines[-1] == {key: document[key] for key in KEYS}


def test_the_seed_is_the_option_else_the_scenarios(fracas_cli, battle):
    assert fracas_cli("run", battle, "--format", "json").json["seed"] == "duel"
    assert fracas_cli("run", battle, "--format", "json", "--seed", "x").json["seed"] == "x"
    assert fracas_cli("run", battle, "--format", "json", "--set", "seed=x").json["seed"] == "x"


@pytest.mark.parametrize("stream", ["0", "1", str(2**32), str(2**63 - 1)])
def test_streams_are_battles_of_their_own(fracas_cli, battle, stream):
    document = fracas_cli("run", battle, "--format", "json", "--stream", stream).json
    assert document["stream"] == int(stream)
    assert document["digest"] == fracas.run(battle, stream=int(stream)).digest


@pytest.mark.parametrize("stream", ["-1", str(2**63)])
def test_a_stream_out_of_range_is_refused(fracas_cli, battle, stream):
    ended = fracas_cli("run", battle, f"--stream={stream}", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == "--stream"


def test_values_are_set_by_path(fracas_cli, battle):
    changes = ["--set", "sides.0.units.0.attack=500", "--set", "sides.0.units.0.speed=99"]
    assert fracas_cli("run", battle, "--format", "json", *changes).json["winner"] == 1


@pytest.mark.parametrize(
    ("change", "where", "suggestion"),
    [
        ("sides.0.units.0.attakk=3", "sides.0.units.0.attakk", 'did you mean "attack"?'),
        ("sides.0.units.0.attack=0", "sides.0.units.0.attack", None),
        ("sides.5.units.0.attack=3", "--set sides.5.units.0.attack", "sides.0 is side 1, sides.1 is side 2"),
        ("sides.0", "--set sides.0", None),
        ("profile=clasik", "profile", 'did you mean "classic"?'),
    ],
)
def test_a_path_or_value_that_is_none_is_refused(fracas_cli, battle, change, where, suggestion):
    ended = fracas_cli("run", battle, "--set", change, "--format", "json")
    assert ended.status == BAD_INPUT
    [error] = ended.errors
    assert error["where"].endswith(where)
    assert error["suggestion"] == suggestion


@pytest.mark.parametrize("profile", ["classic", "tuned", "legacy"])
def test_a_profile_is_chosen(fracas_cli, battle, profile):
    document = fracas_cli("run", battle, "--format", "json", "--profile", profile).json
    assert document["profile"] == profile
    assert document["digest"] == fracas.run(fracas.load(battle, profile=profile)).digest


def test_content_of_ones_own_goes_over_the_shipped(fracas_cli, tmp_path):
    path = written(tmp_path, SCENARIO)
    unit = '[[units]]\nid = "scout"\nname = "S"\nclass = "ranger"\nhp = 9\nattack = 9\ndefense = 0\nspeed = 9\n'
    for name, hp in (("one", 10), ("two", 20)):
        written(tmp_path / name, unit.replace("hp = 9", f"hp = {hp}"), "units.toml")
    folders = ["--content", tmp_path / "one", "--content", tmp_path / "two"]
    document = fracas_cli("run", path, "--format", "json", *folders).json
    expected = fracas.load(path, content=[tmp_path / "one", tmp_path / "two"])
    assert expected.document["sides"][0]["units"][0]["hp"] == 20
    assert document["digest"] == fracas.run(expected).digest


def test_a_plug_in_takes_part(fracas_cli, tmp_path):
    path = written(tmp_path, json.dumps(duel(options=chain_with("double"))), "duel.json")
    file = plugin_file(tmp_path, DOUBLE)
    ended = fracas_cli("run", path, "--plugin", file, "--format", "json")
    assert ended.status == DONE
    assert any(event.get("stage") == "double" for event in ended.json["events"])
    assert "Warning" not in ended.err
    refused = fracas_cli("run", path, "--format", "json")
    assert refused.status == BAD_INPUT
    assert "--plugin" in refused.errors[0]["suggestion"]


def test_detail_grows(fracas_cli):
    lengths = [len(fracas_cli("run", FIRST, "--detail", detail).out) for detail in ("story", "decisions", "all")]
    assert lengths == sorted(lengths)
    assert fracas_cli("run", FIRST).out == fracas_cli("run", FIRST, "--detail", "story").out


def test_warnings_go_to_stderr_and_strict_makes_them_errors(fracas_cli, tmp_path):
    path = written(tmp_path, edited(("enemy_count_gte_2", "enemy_cuont_gte_2")))
    ended = fracas_cli("run", path, "--format", "json")
    assert ended.status == DONE
    assert ended.json["scenario"] == "two-by-one"
    assert ended.err.startswith("warning: ")
    assert "enemy_cuont_gte_2" in ended.err
    strict = fracas_cli("run", path, "--format", "json", "--strict")
    assert strict.status == BAD_INPUT
    assert "enemy_cuont_gte_2" in strict.errors[0]["message"]


def test_all_errors_are_told_on_stderr_and_as_a_document(fracas_cli, tmp_path):
    path = written(tmp_path, edited(('"scout"', '"scuot"'), ('"bronze_knight"', '"bronze_knigt"')))
    as_text = fracas_cli("run", path)
    assert (as_text.status, as_text.out) == (BAD_INPUT, "")
    assert as_text.err.count("error: ") == 2
    as_json = fracas_cli("run", path, "--format", "json")
    assert as_json.err == as_text.err
    assert [error["where"] for error in as_json.errors] == [f"{path}: sides.0.units.0", f"{path}: sides.1.units.0"]


def test_output_that_knows_few_letters_is_no_fault(fracas_cli, monkeypatch):
    import io
    import sys

    narrow = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr(sys, "stdout", narrow)
    ended = fracas_cli("run", FIRST)
    assert ended.status == DONE, ended.err


# save, verify, replay


def test_a_saved_battle_verifies_and_is_told_again(fracas_cli, battle, tmp_path):
    replay = tmp_path / "replay.json"
    told = fracas_cli("run", battle, "--save", replay, "--format", "json")
    assert told.json["events"]
    assert str(replay) in told.err
    verified = fracas_cli("verify", replay)
    assert (verified.status, verified.err) == (DONE, "")
    assert told.json["digest"] in verified.out
    again = fracas_cli("lab", "replay", replay, "--format", "json")
    assert again.json == told.json


def test_a_verified_replay_as_a_document(fracas_cli, battle, tmp_path):
    replay = tmp_path / "replay.json"
    fracas_cli("run", battle, "--save", replay)
    document = fracas_cli("verify", replay, "--format", "json").json
    assert "errors" not in document
    assert '"matches": true' in json.dumps(document)


def test_a_replay_that_differs_is_a_failed_check_with_tick_and_both_events(fracas_cli, battle, tmp_path):
    replay = tmp_path / "replay.json"
    fracas_cli("run", battle, "--save", replay)
    rows = json.loads(replay.read_text())["events"]
    place = next(place for place, row in enumerate(rows) if row[:2] == [2, 10])
    tampered(replay, put("events", place, 4, value=77))
    ended = fracas_cli("verify", replay)
    assert ended.status == CHECK_FAILED
    assert "tick 2" in ended.out
    assert '"damage": 77' in ended.out
    assert f'"damage": {rows[place][4]}' in ended.out
    document = fracas_cli("verify", replay, "--format", "json")
    assert document.status == CHECK_FAILED
    assert '"matches": false' in document.out
    assert '"tick": 2' in document.out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("scenario", "sides", 0, "units", 0, "attack", value=21), "fingerprint"),
        (put("rules_version", value=1), "installed is"),
        (put("ruleset", value="chess"), "not installed"),
        (put("plugins", value=[{"name": "double", "source_hash": "0"}]), "plug-in"),
        (put("events", value=3), "not a valid replay"),
    ],
)
def test_a_replay_that_cannot_be_checked_is_bad_input(fracas_cli, battle, tmp_path, change, words):
    replay = tmp_path / "replay.json"
    fracas_cli("run", battle, "--save", replay)
    tampered(replay, change)
    ended = fracas_cli("verify", replay, "--format", "json")
    assert ended.status == BAD_INPUT
    [error] = ended.errors
    assert error["where"].startswith(str(replay))
    assert words in error["message"]


def test_a_replay_that_does_not_verify_is_told_with_a_line_that_says_so(fracas_cli, battle, tmp_path):
    replay = tmp_path / "replay.json"
    fracas_cli("run", battle, "--save", replay)
    assert fracas_cli("lab", "replay", replay).err == ""

    def forge(document):
        row = next(row for row in document["events"] if row[:2] == [2, 10])
        row[4] += 1
        with_digests(document)

    tampered(replay, forge)
    ended = fracas_cli("lab", "replay", replay)
    assert ended.status == DONE
    [line] = ended.err.splitlines()
    assert line.startswith(f"{replay}: DOES NOT VERIFY, is shown as stored: the first event that differs")
    assert fracas_cli("lab", "replay", replay, "--format", "json").json["verified"] is False


def test_a_replay_that_cannot_be_verified_here_is_told_with_a_line_that_says_so(fracas_cli, tmp_path):
    plugins = [plugin_file(tmp_path, DOUBLE)]
    scenario = fracas.load(duel(options=chain_with("double")), plugins=plugins)
    fracas.run(scenario).save(tmp_path / "replay.json")
    ended = fracas_cli("lab", "replay", tmp_path / "replay.json")
    assert ended.status == DONE
    [line] = ended.err.splitlines()
    assert 'not verified: was made with the plug-in "double"' in line
    assert fracas_cli("lab", "replay", tmp_path / "replay.json", "--format", "json").json["verified"] is None


@pytest.mark.parametrize("text", ["", "{}", "[1, 2", "\0\1\2"])
def test_what_is_no_replay_is_bad_input(fracas_cli, tmp_path, text):
    replay = written(tmp_path, text, "replay.json")
    for command in ("verify", "lab replay"):
        ended = fracas_cli(command, replay, "--format", "json")
        assert ended.status == BAD_INPUT
        assert ended.errors[0]["where"].startswith(str(replay))


def test_several_replays_are_verified_and_the_worst_decides(fracas_cli, battle, tmp_path):
    good, differs, broken = (tmp_path / f"{name}.json" for name in ("good", "differs", "broken"))
    fracas_cli("run", battle, "--save", good)
    fracas_cli("run", battle, "--save", differs)
    tampered(differs, put("digest", value="0" * 64))
    broken.write_text("{}")
    assert fracas_cli("verify", good, good).status == DONE
    assert fracas_cli("verify", good, differs, good).status == CHECK_FAILED
    ended = fracas_cli("verify", broken, differs, good)
    assert ended.status == BAD_INPUT
    assert str(good) in ended.out
    assert "DIFFERS" in ended.out


def test_a_replay_of_a_plug_in_needs_it_to_verify_and_not_to_be_told(fracas_cli, tmp_path):
    path = written(tmp_path, json.dumps(duel(options=chain_with("double"))), "duel.json")
    file, replay = plugin_file(tmp_path, DOUBLE), tmp_path / "replay.json"
    fracas_cli("run", path, "--plugin", file, "--save", replay)
    assert fracas_cli("verify", replay).status == BAD_INPUT
    assert fracas_cli("verify", replay, "--plugin", file).status == DONE
    assert fracas_cli("lab", "replay", replay).status == DONE
    other = plugin_file(tmp_path, f"{DOUBLE}# changed\n", "other.py")
    assert fracas_cli("verify", replay, "--plugin", other).status == BAD_INPUT


def test_some_rounds_of_a_replay_are_told(fracas_cli, tmp_path):
    replay = tmp_path / "replay.json"
    fracas_cli("run", FIRST, "--save", replay)
    events = fracas_cli("lab", "replay", replay, "--from", "2", "--to", "3", "--format", "json").json["events"]
    assert {event["tick"] for event in events} == {2, 3}
    whole = fracas_cli("lab", "replay", replay, "--format", "json").json["events"]
    assert events == [event for event in whole if event["tick"] in (2, 3)]
    told = fracas_cli("lab", "replay", replay, "--from", "2", "--to", "2").out
    assert "Round 2" in told
    assert "Round 1 " not in told
    assert "Round 3 " not in told


def test_a_replay_tells_what_run_told(fracas_cli, tmp_path):
    replay = tmp_path / "replay.json"
    for detail in ("story", "all"):
        told = fracas_cli("run", FIRST, "--save", replay, "--detail", detail).out
        assert fracas_cli("lab", "replay", replay, "--detail", detail).out in told


@pytest.mark.parametrize("rounds", [["--from", "3", "--to", "2"], ["--from=-1"], ["--to=-1"], ["--from", "99"]])
def test_rounds_that_are_none_are_refused(fracas_cli, tmp_path, rounds):
    replay = tmp_path / "replay.json"
    fracas_cli("run", FIRST, "--save", replay)
    assert fracas_cli("lab", "replay", replay, *rounds).status == BAD_INPUT


@pytest.mark.parametrize("name", ["missing/x.json", "file/x.json", "folder", f"{'x' * 300}.json"])
def test_a_place_that_cannot_be_written_leaves_nothing_behind(fracas_cli, battle, tmp_path, name):
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    ended = fracas_cli("run", battle, "--save", f"{tmp_path}/{name}", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == f"{tmp_path}/{name}"
    assert sorted(tmp_path.rglob("*")) == before
