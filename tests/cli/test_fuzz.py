"""The fuzzer: a few of its inputs, and that it sees what must not happen."""

from __future__ import annotations

import copy
import json
import re
import signal
import subprocess
import sys
from random import Random

import pytest
from benchmarks import fuzz, fuzz_extremes, fuzz_inputs
from benchmarks.fuzz_specimens import Specimen
from tests.helpers.guards import ROOT

DUEL = Specimen("duel.toml", {"ruleset": "relics"}, ("run {main} --format json",))
KINDS = {"relics scenario": [DUEL]}


def test_a_few_inputs_end_as_documented_and_have_a_checksum(tmp_path):
    command = [sys.executable, ROOT / "benchmarks" / "fuzz.py", "-n", "20", "--kind", "titans", "--out", tmp_path]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^ +all +20 .* 0 +\d+\.\d\d +\d+$", done.stdout, re.MULTILINE)
    assert re.search(r"^20 inputs in \d+ s, checksum [0-9a-f]{32}$", done.stdout, re.MULTILINE)
    assert list(tmp_path.iterdir()) == []


def test_the_same_number_is_the_same_input():
    made = [fuzz_inputs.input_of("a", index, KINDS) for index in range(30)]
    assert made == [fuzz_inputs.input_of("a", index, KINDS) for index in range(30)]
    assert len({str(each.files) for each in made}) > 10
    assert made != [fuzz_inputs.input_of("b", index, KINDS) for index in range(30)]


def test_doubling_ends(monkeypatch):
    """Twelve doublings of lists in lists made documents of 17 MB, which took 20 s and 700 MB before any command ran."""
    monkeypatch.setattr(fuzz_inputs, "MOST_PLACES", 500)
    holder, dice = [{"a": [[[[1, 2]]]]}], Random(0)
    for _ in range(1_500):
        fuzz_inputs._mutate(holder, dice, {}, (fuzz_inputs._double,))
    assert 250 < len(fuzz_extremes.places_of(holder)) < 2_000


DOCUMENT = {"ruleset": "squads", "n": 3, "sides": [{"units": ["scout"], "name": "Red"}, {"units": [{"hp": 4}]}]}


@pytest.mark.parametrize("change", list(dict.fromkeys(fuzz_extremes.CHANGES)))
def test_every_change_at_a_bound_makes_a_file(change, monkeypatch):
    monkeypatch.setattr(fuzz_extremes, "CHANGES", (change,))
    texts = set()
    for number in range(12):
        holder = [copy.deepcopy(DOCUMENT)]
        fuzz_extremes.extreme(holder, Random(number))
        texts.add(fuzz_extremes.written_out(json.dumps(holder[0]).encode()))
    assert len(texts) > 3
    assert not any(b"@raw" in text or b"@again" in text for text in texts)
    assert any(text != json.dumps(DOCUMENT).encode() for text in texts)


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        ("@raw:brackets:3@", b"[[[]]]"),
        ("@raw:tables:2@", b'{"a":{"a":1}}'),
        ("@raw:digits:5@", b"99999"),
        ("@raw:json:0@", b"NaN"),
        ("@raw:text:0@", rb'"\ud800"'),
        ("@raw:of nobody:9@", b"0"),
    ],
)
def test_a_mark_stands_for_what_no_document_holds(mark, text):
    assert fuzz_extremes.written_out(json.dumps({"a": mark, "a@again@": 1}).encode()) == b'{"a": %s, "a": 1}' % text


def test_packed_files_are_of_many_kinds():
    assert len({fuzz_extremes.packed(b'{"a": [1, 2, 3]}', Random(number)) for number in range(99)}) > 20


def played(tmp_path, monkeypatch, command, seconds=5):
    """How a command ends that stands in the place of the program's."""
    monkeypatch.setattr(fuzz, "run_command", command)
    before = signal.signal(signal.SIGPROF, fuzz._stop)
    try:
        return fuzz.played(fuzz_inputs.Input("a kind", {"a.toml": b""}, "run {folder}/a.toml"), 3, tmp_path, seconds)
    finally:
        signal.signal(signal.SIGPROF, before)


def say(text, status):
    def command(_):
        print(text, file=sys.stderr)
        return status

    return command


def fail(error):
    def command(_):
        raise error

    return command


def never_end(_):
    while True:
        pass


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (say("fault: KeyError: 'x'", 70), "status 70: fault: KeyError"),
        (say("", 2), "no sentence about what is wrong"),
        (say("error: Traceback (most recent call last)", 2), "a traceback"),
        (say("error: \u202e", 2), "moves the cursor"),
        (say("interrupted", 130), "status 130"),
        (fail(MemoryError()), "raises MemoryError"),
        (fail(RecursionError("deep")), "raises RecursionError: deep"),
    ],
)
def test_what_is_not_documented_is_found(tmp_path, monkeypatch, command, why):
    found = played(tmp_path, monkeypatch, command)
    assert found.ending == fuzz.UNDOCUMENTED
    assert found.why.startswith(why)


def test_what_takes_too_long_is_found(tmp_path, monkeypatch):
    found = played(tmp_path, monkeypatch, never_end, seconds=0.05)
    assert (found.ending, found.why) == (fuzz.UNDOCUMENTED, "takes more than 0.05 s of processor time")


@pytest.mark.parametrize(
    ("command", "ending"),
    [
        (say("", 0), fuzz.FINE),
        (say("", 1), fuzz.REMARKED),
        (say("error: x", 2), fuzz.REFUSED),
        (say("fault: battle 0: a dice address has no rolls left", 70), fuzz.LIMIT),
    ],
)
def test_what_is_documented_is_none_of_its_business(tmp_path, monkeypatch, command, ending):
    assert played(tmp_path, monkeypatch, command).ending == ending


def test_a_finding_is_kept_with_its_files_and_its_command(tmp_path, monkeypatch):
    found = played(tmp_path, monkeypatch, say("fault: x", 70))
    fuzz.keep(found, fuzz_inputs.Input("a kind", {"a.toml": b"x = 1"}, "run {folder}/a.toml"), tmp_path / "out")
    folder = tmp_path / "out" / "00000003"
    assert (folder / "a.toml").read_bytes() == b"x = 1"
    assert (folder / "ending.txt").read_text().startswith("a kind\nfracas run ./a.toml\nstatus 70")
