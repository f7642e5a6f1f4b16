"""`fracas duel`: a person plays with piped answers, goes away, comes back, and proves that nobody cheated."""

from __future__ import annotations

import io
import json
import os
import stat
import sys

import pytest
from tests.helpers import titans_fights as support
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE, INTERRUPTED

from fracas.files.locks import Hold
from fracas.rulesets.shared import commit_reveal as promises

SEED = "c4" * 32


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def answers(monkeypatch):
    """Let these lines be typed; then the input ends."""

    def type_in(*lines):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    return type_in


@pytest.fixture
def scenario(tmp_path):
    """A short duel in which Bo is played by rules."""
    bolt = support.ability("bolt", {"type": "damage", "amount": 9}, cost=60)
    ada, bo = support.titan(bolt, hp=20, attack=8, defense=4), support.titan(bolt, hp=15, attack=7, defense=3)
    rules = [{"do": "bolt"}, {"when": "enemy.charge >= 50", "do": "defend"}, {"do": "attack"}]
    document = support.document(ada, bo, [{"choices": []}, {"rules": rules}], round_cap=8)
    file = tmp_path / "duel-scenario.json"
    file.write_text(json.dumps(document))
    return file


def played(fracas_cli, answers, scenario, out, *options, lines=("attack",) * 12):
    answers(*lines)
    return fracas_cli("duel", scenario, "--salt", "heads", "--server-seed", SEED, "--out", out, *options)


def test_a_duel_is_played_and_proved_with_one_command(fracas_cli, answers, scenario, tmp_path):
    out = tmp_path / "duel.json"
    ended = played(fracas_cli, answers, scenario, out, lines=("rest", "bolt", "1", *("attack",) * 8))
    assert ended.status == DONE
    commitment = json.loads(out.read_text())["commitment"]
    assert ended.out.index(commitment) < ended.out.index("Ada chooses")
    assert SEED in ended.out
    assert f"fracas verify {out} --commitment {commitment}" in ended.out
    verified = fracas_cli("verify", out, "--commitment", commitment)
    assert verified.status == DONE
    assert "verified" in verified.out
    assert 'Ada "heads"' in verified.out
    shown = fracas_cli("verify", out, "--format", "json").json["replays"][0]
    assert shown["matches"] is True
    assert shown["digest"] in ended.out


def test_a_finished_duel_is_packed_as_it_was_played(fracas_cli, answers, scenario, tmp_path):
    out, bundle = tmp_path / "duel.json", tmp_path / "duel.fracas.json"
    assert played(fracas_cli, answers, scenario, out).status == DONE
    assert fracas_cli("publish", "pack", out, "-o", bundle).status == DONE
    digests = [fracas_cli("verify", file, "--format", "json").json["replays"][0]["digest"] for file in (out, bundle)]
    assert digests[0] == digests[1]


def test_every_round_shows_bars_legal_choices_and_the_arithmetic(fracas_cli, answers, scenario, tmp_path):
    ended = played(fracas_cli, answers, scenario, tmp_path / "d.json", lines=("bolt", "rest", "bolt", "quit"))
    first, second = ended.out.split("Round 2 ")[0], ended.out.split("Round 2 ")[1]
    assert "20/20 HP" in first
    assert "bolt (costs 60)" not in first
    assert "you do not have enough" in first
    assert "bolt (costs 60)" in second
    assert "value: Attack" in ended.out


def test_what_the_policy_thinks_is_not_told(fracas_cli, answers, scenario, tmp_path):
    ended = played(fracas_cli, answers, scenario, tmp_path / "d.json")
    assert "enemy.charge" not in ended.out
    assert "rule 3" not in ended.out
    assert "a rule of the policy" not in ended.out


def test_answers_that_are_none_are_asked_again(fracas_cli, answers, scenario, tmp_path):
    ended = played(fracas_cli, answers, scenario, tmp_path / "d.json", lines=("9", "attakc", "", "help", "1", "q"))
    assert ended.status == INTERRUPTED
    assert 'did you mean "attack"?' in ended.out
    assert "rest: +60 charge" in ended.out
    assert "Round 2" in ended.out


def test_a_duel_that_is_left_goes_on_as_it_would_have(fracas_cli, answers, scenario, tmp_path):
    whole, kept = tmp_path / "whole.json", tmp_path / "kept.json"
    played(fracas_cli, answers, scenario, whole, lines=("rest", "bolt", *("attack",) * 9))
    left = played(fracas_cli, answers, scenario, kept, lines=("rest",))
    assert left.status == INTERRUPTED
    assert f"--resume {kept}" in left.err
    assert SEED not in left.out
    assert fracas_cli("verify", kept).status == DONE
    answers("bolt", *("attack",) * 9)
    assert fracas_cli("duel", "--resume", kept).status == DONE
    assert json.loads(kept.read_text()) == json.loads(whole.read_text())
    again = fracas_cli("duel", "--resume", kept)
    assert (again.status, "the duel is over" in again.err) == (BAD_INPUT, True)


def test_control_c_keeps_the_duel(fracas_cli, scenario, tmp_path, monkeypatch):
    class Impatient(io.StringIO):
        def readline(self, *_):
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Impatient())
    out = tmp_path / "d.json"
    ended = fracas_cli("duel", scenario, "--salt", "x", "--out", out)
    assert ended.status == INTERRUPTED
    assert json.loads(out.read_text())["salts"] == ["x", ""]


def test_a_salt_is_asked_for_after_the_commitment(fracas_cli, answers, scenario, tmp_path):
    answers("my word", "q")
    ended = fracas_cli("duel", scenario, "--out", tmp_path / "d.json")
    assert ended.out.index("commitment") < ended.out.index("your part of the seed")
    assert json.loads((tmp_path / "d.json").read_text())["salts"] == ["my word", ""]


def test_two_duels_have_different_seeds(fracas_cli, answers, scenario, tmp_path):
    seeds = set()
    for name in ("a.json", "b.json"):
        answers("q")
        fracas_cli("duel", scenario, "--salt", "", "--out", tmp_path / name)
        seeds.add(json.loads((tmp_path / name).read_text())["server_seed"])
    assert len(seeds) == 2


def test_the_person_may_play_either_and_the_opponent_any_policy(fracas_cli, answers, scenario, tmp_path):
    out = tmp_path / "d.json"
    played(fracas_cli, answers, scenario, out, "--player", "Bo", "--against", "random", lines=("q",))
    document = json.loads(out.read_text())
    assert [player["policy"] for player in document["scenario"]["players"]] == ["random", {"choices": []}]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--player", "Cy"), "no such player"),
        (("--against", "nobody"), "nobody"),
        (("--resume", "missing.json"), "scenario file, or --resume"),
        (("--server-seed", "12"), "server_seed"),
    ],
)
def test_options_that_fit_nothing_are_refused(fracas_cli, answers, scenario, tmp_path, options, words):
    answers()
    ended = fracas_cli("duel", scenario, "--salt", "x", "--out", tmp_path / "d.json", *options)
    assert ended.status == BAD_INPUT
    assert words in ended.err


def test_a_file_that_is_there_is_not_written_over(fracas_cli, answers, scenario, tmp_path):
    out = tmp_path / "d.json"
    out.write_text("precious")
    ended = played(fracas_cli, answers, scenario, out)
    assert ended.status == BAD_INPUT
    assert out.read_text() == "precious"


def test_another_rulesets_scenario_is_no_duel(fracas_cli, tmp_path):
    ended = fracas_cli("duel", "examples/squads/first-battle.toml", "--out", str(tmp_path / "none.json"))
    assert ended.status == BAD_INPUT
    assert "squads" in ended.err


def modes(folder):
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_nobody_else_can_read_a_kept_duel(fracas_cli, answers, scenario, tmp_path):
    folder = tmp_path / "kept"
    folder.mkdir()
    played(fracas_cli, answers, scenario, folder / "d.json", lines=("rest",))
    assert modes(folder) == {"d.json": 0o600}
    (folder / "d.json").chmod(0o644)
    answers("rest")
    assert fracas_cli("duel", "--resume", folder / "d.json").status == INTERRUPTED
    assert modes(folder) == {"d.json": 0o600}


def test_one_program_at_a_time_plays_a_kept_duel(fracas_cli, answers, scenario, tmp_path):
    out, link = tmp_path / "d.json", tmp_path / "link.json"
    played(fracas_cli, answers, scenario, out, lines=("rest",))
    link.symlink_to(out)
    before = out.read_bytes()
    with Hold(out):
        assert "d.json.lock" in {file.name for file in tmp_path.iterdir()}
        for name in (out, link):
            answers("rest")
            ended = fracas_cli("duel", "--resume", name)
            assert ended.status == BAD_INPUT
            assert f"is in use by process {os.getpid()}" in ended.err
        assert played(fracas_cli, answers, scenario, out).status == BAD_INPUT
        assert fracas_cli("verify", out).status == DONE
        assert out.read_bytes() == before
    answers("rest")
    assert fracas_cli("duel", "--resume", out).status == INTERRUPTED
    assert "d.json.lock" not in {file.name for file in tmp_path.iterdir()}


def test_a_place_where_no_lock_can_be_is_refused_at_once(fracas_cli, answers, scenario, tmp_path):
    for place, words in (("none/d.json", "no such folder"), (".", "it is a folder")):
        ended = played(fracas_cli, answers, scenario, tmp_path / place)
        assert (ended.status, words in ended.err) == (BAD_INPUT, True)


def test_no_command_prints_the_seed_of_a_duel_that_goes_on(fracas_cli, answers, scenario, tmp_path):
    out = tmp_path / "d.json"
    played(fracas_cli, answers, scenario, out, lines=("rest",))
    whole = out.read_text()
    broken = {"whole": whole, "cut": whole[:-40], "upper": whole.replace(SEED, SEED.upper())}
    for name, text in broken.items():
        file = tmp_path / f"{name}.json"
        file.write_text(text)
        for command in (
            "verify",
            "lab replay",
            "validate",
            "why",
            "run",
            "content lint",
            "lab explain",
            "lab solve",
            "report",
            "simulate",
        ):
            ended = fracas_cli(command, file)
            assert SEED[:12] not in (ended.out + ended.err).casefold(), (command, name)


# Proving


@pytest.fixture
def kept(fracas_cli, answers, scenario, tmp_path):
    out = tmp_path / "duel.json"
    played(fracas_cli, answers, scenario, out)
    return out


def reseal(file, **changes):
    document = {**json.loads(file.read_text()), **changes}
    file.write_text(json.dumps({**document, "seal": promises.seal_of(document)}))


def test_a_finished_duel_can_be_told_again_and_validated(fracas_cli, kept):
    assert "valid duel session" in fracas_cli("validate", kept).out
    told = fracas_cli("lab", "replay", kept, "--detail", "all")
    assert told.status == DONE
    assert "Round 1" in told.out
    document = json.loads(kept.read_text())
    reseal(kept, rounds=document["rounds"][:1], digests=document["digests"][:1])
    assert "is not over" in fracas_cli("lab", "replay", kept).err


def test_an_edited_file_is_refused(fracas_cli, kept):
    kept.write_text(kept.read_text().replace('"heads"', '"tails"'))
    ended = fracas_cli("verify", kept)
    assert ended.status == BAD_INPUT
    assert "edited" in ended.err


@pytest.mark.parametrize("another", ["seed", "promise", "salt", "round", "choice", "policy", "option", "deadline"])
def test_a_server_that_cheats_and_seals_again_is_found_out(fracas_cli, kept, another):
    document = json.loads(kept.read_text())
    if another == "seed":
        reseal(kept, server_seed="d5" * 32)
    elif another == "promise":
        reseal(kept, commitment="d5" * 32)
    elif another == "salt":
        reseal(kept, salts=["other", ""])
    elif another == "policy":
        # It would have chosen the same: what counts is that it is another one.
        rules = document["scenario"]["players"][1]["policy"]["rules"]
        rules.append(rules[-1])
        reseal(kept, scenario=document["scenario"])
    elif another == "option":
        document["scenario"]["options"]["round_cap"] += 1
        reseal(kept, scenario=document["scenario"])
    elif another == "deadline":
        reseal(kept, deadline=1)
    elif another == "round":
        reseal(kept, digests=["0" * 64, *document["digests"][1:]])
    else:
        first = [document["rounds"][0][0], "rest"]
        reseal(kept, rounds=[first, *document["rounds"][1:]])
    ended = fracas_cli("verify", kept)
    assert ended.status == CHECK_FAILED
    assert "DIFFERS" in ended.out


def test_another_commitment_than_the_one_noted_is_found_out(fracas_cli, kept):
    document = json.loads(kept.read_text())
    ended = fracas_cli("verify", kept, "--commitment", "d5" * 32)
    assert ended.status == CHECK_FAILED
    assert "noted down" in ended.out
    assert fracas_cli("verify", kept, "--commitment", document["commitment"].upper()).status == DONE


def test_another_salt_than_the_one_given_is_found_out(fracas_cli, kept):
    """A server that may choose the salt can try many until the dice suit it, within the commitment that it showed."""
    document = json.loads(kept.read_text())
    [given] = [salt for salt in document["salts"] if salt]
    assert "including yours" in fracas_cli("verify", kept, "--salt", given).out
    ended = fracas_cli("verify", kept, "--commitment", document["commitment"], "--salt", f"{given}!")
    assert ended.status == CHECK_FAILED
    assert "none of its salts matches the one given" in ended.out


@pytest.mark.parametrize("text", ["", "{}", '{"format": "fracas duel session"}', "[]"])
def test_what_is_no_session_is_bad_input(fracas_cli, tmp_path, text):
    file = tmp_path / "d.json"
    file.write_text(text)
    assert fracas_cli("verify", file, "--commitment", "00").status == BAD_INPUT
    assert fracas_cli("verify", file).status == BAD_INPUT
    assert fracas_cli("duel", "--resume", file).status == BAD_INPUT
