"""Plain Python, compiled code and the WebAssembly module play the same, and no index leaves its list."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fracas.engine.player import prepare_native
from fracas.errors import FracasError, InputError, Problem
from fracas.gamecheck import decided
from fracas.gamecheck.report import Check
from fracas.gamecheck.subject import Played, Subject
from fracas.kernel import jit
from fracas.kit.author_errors.running import explained, play_checked
from fracas.kit.load import file_of
from fracas.portable.artefacts import EXTRA, is_current
from fracas.portable.build import build_game, can_build
from fracas.portable.wasm_machine import wasm_decide, wasm_play
from fracas.replay.bundle_file import takes_decisions
from fracas.rulesets.contract.types import Rows

# How many battles of each scenario are played with indices checked, and compared between compiled code and module.
FURTHER = 16
# A run with checked indices that takes longer counts as one without an end.
LONGEST_SECONDS = 300
# How long battles are counted, in seconds.
COUNTED_SECONDS = 0.3

PlayMany = Callable[..., None]


def compiled(subject: Subject) -> tuple[Check, PlayMany | None]:
    """Compare compiled code with plain Python; returns compiled code for silent battles, if there is any."""
    check = Check("compiled", "compiled code plays the same")
    game, log = subject.game, subject.log()
    if not subject.sound:
        return check.skip("no battle was played in plain Python"), None
    record = subject.sound[0].scenario.compiled.own_record()
    subject.watch(0, len(subject.sound), "compiling")
    try:
        logged = prepare_native(game.kernels, game.name, record, log, None, None)
        silent = prepare_native(game.kernels, game.name, record, None, None, None)
    except InputError as error:
        for problem in error.problems:
            check.complain(problem)
        return check, None
    rows = _compare(subject, check, logged, silent, log, "compiled code")
    check.counted = f"{len(subject.sound):,} battles, {rows:,} rows"
    return check, silent


def module(subject: Subject, silent: PlayMany | None, build: Callable[[], str] | None) -> Check:
    """Compare the WebAssembly module with plain Python, and in further battles with compiled code.

    build: waits for the module, and says why there is none; None if nobody asked for one.
    """
    check = Check("module", "the WebAssembly module plays the same")
    game = subject.game
    if silent is None or not subject.sound:
        return check.skip("there is no compiled code")
    if build is None:
        return check.skip("not asked for" if can_build() else f"building modules needs an extra: {EXTRA}")
    subject.watch(0, 1, "building the module")
    problem = build()
    if problem:
        check.complain(Problem(subject.where, problem))
        return check
    identity, log = game.identity, subject.log()
    played = [wasm_play(identity, game.kernels, logged=each) for each in (True, False)]
    rows = _compare(subject, check, played[0], played[1], log, "the module")
    further = 0
    for each in subject.watched(subject.sound, "the module"):
        results = [np.zeros(FURTHER, game.kernels.result_type) for _ in range(2)]
        for play, found in zip((silent, played[1]), results, strict=True):
            play(each.scenario.compiled.own_record(), 0, found, None, None)
        further += FURTHER
        if results[0].tobytes() != results[1].tobytes():
            stream = next(index for index in range(FURTHER) if results[0][index] != results[1][index])
            message = f"the module and compiled code end battle {stream} differently"
            check.complain(
                Problem(f"random scenario {each.number}", message, "please report it: the rules are not to blame")
            )
    check.counted = f"{len(subject.sound):,} battles, {rows:,} rows; {further:,} more by result"
    if takes_decisions(game):
        check.counted += f"; {decided.compare(subject, check, wasm_decide(identity, game.kernels)):,} decisions"
    return check


def build_module(subject: Subject) -> str:
    """Build the module of a game; returns why it cannot be built, or nothing."""
    try:
        if not is_current(subject.game.identity):
            build_game(subject.game)
    except FracasError as error:
        return str(error)
    return ""


def _compare(subject: Subject, check: Check, logged: PlayMany, silent: PlayMany, log: Rows, called: str) -> int:
    """Compare rows and results of all battles with those of plain Python; returns how many rows were compared."""
    rows = 0
    for each in subject.watched(subject.sound, called):
        found = [np.zeros(1, subject.game.kernels.result_type) for _ in range(2)]
        try:
            logged(each.scenario.compiled.own_record(), each.number, found[0], log, None)
            silent(each.scenario.compiled.own_record(), each.number, found[1], None, None)
        except Exception as error:
            check.complain(
                Problem(each.where, f"{called} stops, and plain Python does not: {type(error).__name__}: {error}")
            )
            continue
        got = np.array(log[0].rows[: log[0].count])
        rows += len(got)
        difference = _difference(subject, each, got)
        if difference:
            check.complain(Problem(each.where, f"{called} differs {difference}"))
        elif found[0].tobytes() != each.result.tobytes():
            check.complain(Problem(each.where, f"{called} has other results: {_fields(found[0], each.result)}"))
        elif found[1].tobytes() != each.result.tobytes():
            message = f"a battle without a log has other results: {_fields(found[1], each.result)}"
            check.complain(Problem(each.where, message, "a rule must not ask whether there is a log"))
    return rows


def _difference(subject: Subject, each: Played, got: Rows) -> str:
    """Where rows differ, in words; nothing if they are equal."""
    for index, (one, other) in enumerate(zip(each.rows.tolist(), got.tolist(), strict=False)):
        if one != other:
            names = {event.kind: event.declared.name for event in subject.game.built.events}
            kinds = [names.get(int(row[1]), f"kind {row[1]}") for row in (one, other)]
            return f"in row {index}, round {one[0]}: plain {kinds[0]} {one[2:]}, here {kinds[1]} {other[2:]}"
    if len(got) != len(each.rows):
        return f"after row {min(len(got), len(each.rows))}: plain has {len(each.rows)} rows, here are {len(got)}"
    return ""


def _fields(one: Rows, other: Rows) -> str:
    names = [name for name in one.dtype.names or () if one[name].tolist() != other[name].tolist()]
    return ", ".join(f"{name} {one[name][0]}, plain {other[name][0]}" for name in names)


# -- Indices -----------------------------------------------------------------------------------------------------------


def start_checked(subject: Subject) -> subprocess.Popen[bytes] | None:
    """Begin to play further battles with checked indices, in a process of its own; None if there is nothing to play."""
    if not subject.sound:
        return None
    file = file_of(subject.game.name)
    asked = {
        "name": subject.game.name,
        "file": None if file is None else str(file),
        "battles": FURTHER,
        "documents": [each.scenario.document for each in subject.sound],
    }
    # Compiled code with checks is another one, so it has a folder of its own.
    folder = jit.cache_root() / "checked"
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "FRACAS_CACHE_DIR": str(folder), "FRACAS_JIT": "1"}
    command = [sys.executable, "-P", "-m", "fracas.gamecheck.checked_indices"]
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as written:
        json.dump(asked, written)
    return subprocess.Popen(
        [*command, written.name],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )


def indices(subject: Subject, process: subprocess.Popen[bytes] | None) -> Check:
    """Tell what the battles with checked indices found."""
    check = Check("indices", "no index leaves its list")
    if process is None:
        return check.skip("no battle was played in plain Python")
    subject.watch(0, 1, "checking indices")
    try:
        out, errors = process.communicate(timeout=LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        check.complain(Problem(subject.where, f"further battles are not over after {LONGEST_SECONDS} seconds"))
        return check
    finally:
        Path(str(process.args[-1])).unlink(missing_ok=True)  # type: ignore[index]
    if process.returncode:
        last = (errors.decode(errors="replace").strip().splitlines() or ["no reason given"])[-1]
        check.complain(Problem(subject.where, f"cannot be played with checked indices: {last}"))
        return check
    document = json.loads(out.splitlines()[-1])
    check.counted = f"{document['battles']:,} battles"
    for index, stream, message in document["faults"]:
        check.complain(_with_line(subject, subject.sound[index], stream, message))
    return check


def _with_line(subject: Subject, each: Played, stream: int, message: str) -> Problem:
    """The fault of a compiled battle as plain Python tells it; as it is, if plain Python has none."""
    try:
        kernels = subject.game.kernels
        results = np.zeros(1, kernels.result_type)
        play_checked(kernels.play_many, each.scenario.compiled.own_record(), stream, results, None)
    except Exception as error:
        problem = explained(error, subject.files)
        if problem is not None:
            return problem
    return Problem(f"random scenario {each.number}, battle {stream}", message)


# -- Speed -------------------------------------------------------------------------------------------------------------


def speed(subject: Subject, silent: PlayMany | None) -> Check:
    """Count battles a second, of the first scenario with content."""
    check = Check("speed", "battles a second")
    if silent is None:
        return check.skip("there is no compiled code")
    each = subject.sound[0]
    count, seconds = 64, 0.0
    results: Any = None
    while seconds < COUNTED_SECONDS:
        count *= 2
        results = np.zeros(count, subject.game.kernels.result_type)
        record = each.scenario.compiled.own_record()
        started = time.perf_counter()
        silent(record, 0, results, None, None)
        seconds = time.perf_counter() - started
    rounds = float(results["rounds"].mean())
    check.counted = f"{count / seconds:,.0f}, of {rounds:.1f} rounds, on one thread"
    return check
