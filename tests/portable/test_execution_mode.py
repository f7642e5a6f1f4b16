"""Who plays: by FRACAS_JIT, by what is compiled, and by which is sooner done."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.helpers.compiled import mark_as_compiled
from tests.helpers.scenarios import duel, loaded

import fracas
from fracas.engine import execution_mode
from fracas.engine.execution_mode import FEW_BATTLES, MANY_BATTLES, ExecutionMode, choose_mode
from fracas.engine.player import Player, make_player
from fracas.kernel import jit
from fracas.kernel.event_log import log_type
from fracas.portable import artefacts
from fracas.portable.wasm_machine import can_play, machine_code_file
from fracas.rulesets import registry

SQUADS = registry.get("squads")
ENTRY = SQUADS.kernels.play_many
PLAIN, NATIVE, WASM = ExecutionMode.PLAIN, ExecutionMode.NATIVE, ExecutionMode.WASM


@pytest.fixture(autouse=True)
def nothing_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("FRACAS_JIT", raising=False)
    monkeypatch.setattr(jit, "_loaded", set())
    monkeypatch.setattr("fracas.engine.player._measured", {})


def mode(battles: int, *, plugins: bool = False, soon: bool = False) -> ExecutionMode:
    form = "silent-plugins" if plugins else "silent"
    return choose_mode(SQUADS, ENTRY, form, battles, has_plugins=plugins, is_over_soon=soon)


@pytest.mark.parametrize(
    ("setting", "battles", "plugins", "wanted"),
    [
        ("0", MANY_BATTLES, False, PLAIN),
        ("1", 1, False, NATIVE),
        ("wasm", 1, False, WASM),
        ("wasm", MANY_BATTLES, False, WASM),
        # What no module can play is played as if nothing was said.
        ("wasm", 1, True, PLAIN),
        ("wasm", FEW_BATTLES + 1, True, NATIVE),
        ("auto", 1, False, PLAIN),
    ],
)
def test_the_setting_decides(
    monkeypatch: pytest.MonkeyPatch, setting: str, battles: int, plugins: bool, wanted: ExecutionMode
) -> None:
    monkeypatch.setenv("FRACAS_JIT", setting)
    assert mode(battles, plugins=plugins) == wanted


def test_while_nothing_is_compiled_the_module_plays_what_is_not_worth_compiling() -> None:
    assert [mode(battles) for battles in (1, FEW_BATTLES, FEW_BATTLES + 1, 10_000)] == [PLAIN, PLAIN, WASM, WASM]
    rates = artefacts.rates("squads")
    worth = rates.compile_seconds / (1 / rates.wasm - 1 / rates.native)
    assert [mode(int(worth * part)) for part in (0.99, 1.01)] == [WASM, NATIVE]


def test_with_compiled_code_at_hand_the_module_plays_what_is_done_before_that_is_loaded() -> None:
    mark_as_compiled(ENTRY, "silent")
    soon = int(execution_mode.LOADING_SECONDS * artefacts.rates("squads").wasm)
    assert [mode(battles) for battles in (1, soon - 1, soon + 1)] == [WASM, WASM, NATIVE]
    assert mode(1, soon=True) == PLAIN


@pytest.mark.parametrize(("soon_enough", "wanted"), [(True, WASM), (False, NATIVE)])
def test_a_scenario_is_measured_where_a_slow_one_should_be_compiled(
    monkeypatch: pytest.MonkeyPatch, soon_enough: bool, wanted: ExecutionMode
) -> None:
    measured = []

    def judge(name: str, battles: int, *, is_compiled: bool, seconds_per_battle: float) -> bool:
        measured.append(seconds_per_battle)
        return soon_enough

    monkeypatch.setattr(jit, "native", lambda entry: entry)
    monkeypatch.setattr("fracas.engine.player.is_soon_enough", judge)
    assert make_player(loaded(), logged=False, battles=1_000).mode == WASM
    assert not measured
    assert make_player(loaded(), logged=False, battles=300_000).mode == wanted
    assert measured[0] > 0


def test_what_the_module_takes_to_be_ready_does_not_count_as_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand battles are never worth a compilation because the first call took long."""
    played: list[int] = []
    clock = iter([0.0, 0.001] * 50)

    def play(self: object, first: int, count: int) -> None:
        played.append(count)

    monkeypatch.setattr(Player, "play", play)
    monkeypatch.setattr("fracas.engine.player.time.thread_time", lambda: next(clock))
    assert make_player(loaded(), logged=False, battles=100_000).mode == WASM
    assert played[:3] == [1, 2, 4]


def test_variants_of_one_study_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measuring takes longer than most variants do: a thousand item swaps once took a minute instead of seconds."""
    measured: list[str] = []

    def seconds_per_battle(player: Player, battles: int) -> float:
        measured.append(player.mode)
        return 1e-6

    monkeypatch.setattr("fracas.engine.player._seconds_per_battle", seconds_per_battle)
    variants = [fracas.load(duel(), overrides={"sides.0.units.0.attack": attack}) for attack in (10, 11, 12)]
    assert {make_player(variant, logged=False, battles=300_000).mode for variant in variants} == {WASM}
    assert len(measured) == 1
    make_player(variants[0], logged=False, battles=300_001)
    make_player(fracas.load(duel(id="another")), logged=False, battles=300_000)
    assert len(measured) == 3


def test_how_slow_a_scenario_may_be() -> None:
    rates = artefacts.rates("squads")
    slowest = rates.compile_seconds / (1 - rates.wasm / rates.native) / 1_000
    for part in (0.99, 1.01):
        soon = execution_mode.is_soon_enough("squads", 1_000, is_compiled=False, seconds_per_battle=part * slowest)
        assert soon == (part < 1)
    assert execution_mode.is_soon_enough("squads", 1_000, is_compiled=True, seconds_per_battle=0.0004)
    assert not execution_mode.is_soon_enough("squads", 1_000, is_compiled=True, seconds_per_battle=0.0006)


def test_what_is_loaded_already_plays() -> None:
    jit.mark_cached(ENTRY, "silent")
    assert mode(1) == NATIVE


def test_plug_ins_are_never_played_by_a_module() -> None:
    assert [mode(battles, plugins=True) for battles in (1, FEW_BATTLES + 1)] == [PLAIN, NATIVE]


def test_an_old_module_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fracas.portable.wasm_machine.is_current", lambda name: False)
    assert [mode(battles) for battles in (1, 10_000)] == [PLAIN, NATIVE]


def test_a_module_for_other_records_is_not_played() -> None:
    assert can_play("squads", SQUADS.kernels)
    assert not can_play("squads", replace(SQUADS.kernels, log_type=log_type(40)))


@pytest.mark.parametrize("logged", [False, True])
def test_a_player_says_who_plays(monkeypatch: pytest.MonkeyPatch, logged: bool) -> None:
    results = {}
    for setting, wanted in (("0", PLAIN), ("wasm", WASM)):
        monkeypatch.setenv("FRACAS_JIT", setting)
        player = make_player(loaded(), logged=logged, battles=20)
        assert player.mode == wanted
        results[setting] = player.clone().play(2**32 - 9, 20)
    assert np.array_equal(results["0"], results["wasm"])


def test_the_notice_comes_only_with_work_that_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(jit, "native", lambda entry: entry)
    make_player(loaded(), logged=False, battles=10_000, notice=said.append)
    assert said == []
    make_player(loaded(), logged=False, battles=MANY_BATTLES, notice=said.append)
    assert len(said) == 1


def test_translated_code_is_kept_sealed_and_a_damaged_file_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from fracas.portable import wasm_machine

    file = machine_code_file("squads")
    for damage in (None, b"", b"something else"):
        if damage is not None:
            file.write_bytes(damage)
        wasm_machine._module.cache_clear()
        wasm_machine._pools.cache_clear()
        monkeypatch.setenv("FRACAS_JIT", "wasm")
        assert fracas.simulate(loaded(), n=3).battles == 3
        assert file.stat().st_size > 100_000
    assert file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix", reason="modes of folders")
def test_a_cache_that_others_can_write_to_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from fracas.portable import wasm_machine

    tmp_path.chmod(0o777)
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    wasm_machine._forget()
    wasm_machine._module(registry.get("squads").identity, True)
    assert f"Translated rules are neither read nor stored: others can write {tmp_path}" in caplog.text
    wasm_machine._forget()


def test_threads_share_nothing_that_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "wasm")
    counts = [fracas.simulate(loaded(), n=6_000, threads=threads).wins for threads in (1, 4)]
    assert counts[0] == counts[1]
