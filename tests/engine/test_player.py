"""Playing: the same plain and compiled, alone and in ranges; and our own limits are reported."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from tests.helpers.compiled import mark_as_compiled
from tests.helpers.scenarios import duel, fighter, loaded, problems_of

import fracas
from fracas.cli.app import run_command
from fracas.content.packs import examples_folder
from fracas.engine.battle import battle_of
from fracas.engine.decided_battle import decided_battle, decisions_of
from fracas.engine.execution_mode import FEW_BATTLES
from fracas.engine.player import compiled_form, make_player
from fracas.kernel import jit
from fracas.kernel.event_log import log_type
from fracas.rulesets import registry

RULESET = registry.get("squads")


def rows_of(scenario, stream, setting, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", setting)
    return fracas.run(scenario, stream=stream).rows


@pytest.mark.parametrize("stream", [0, 1, 812_345, 2**32 - 1, 2**32, 2**63 - 1])
def test_a_stream_is_the_same_plain_and_compiled(monkeypatch, stream):
    scenario = loaded()
    plain, compiled = (rows_of(scenario, stream, setting, monkeypatch) for setting in ("0", "1"))
    assert np.array_equal(plain, compiled)


@pytest.mark.parametrize("setting", ["0", "1"])
def test_a_battle_of_a_range_is_the_battle_alone(monkeypatch, setting):
    monkeypatch.setenv("FRACAS_JIT", setting)
    scenario = loaded()
    player = make_player(scenario, logged=False, battles=1)
    together = player.play(5, 12)
    apart = np.concatenate([player.play(stream, 1) for stream in range(5, 17)])
    backwards = np.concatenate([player.clone().play(stream, 1) for stream in range(16, 4, -1)])[::-1]
    for name in ("winner", "reason", "rounds", "hp_left", "units_left"):
        assert np.array_equal(together[name], apart[name])
        assert np.array_equal(together[name], backwards[name])


def test_a_battle_with_a_log_ends_like_one_without():
    scenario = loaded()
    for stream in range(5):
        logged, silent = (fracas.run(scenario, stream=stream, log=log) for log in (True, False))
        assert silent.rows is None
        assert (logged.winner, logged.reason, logged.rounds) == (silent.winner, silent.reason, silent.rounds)
        assert (logged.hp_left, logged.units_left) == (silent.hp_left, silent.units_left)


def test_playing_leaves_the_scenario_as_it_was():
    scenario = loaded()
    before = scenario.compiled.record.tobytes()
    first = fracas.run(scenario).digest
    fracas.simulate(scenario, n=10)
    assert scenario.compiled.record.tobytes() == before
    assert fracas.run(scenario).digest == first


def test_without_a_cache_a_few_battles_are_played_plain(monkeypatch, tmp_path):
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("FRACAS_JIT", raising=False)
    monkeypatch.setattr(jit, "_loaded", set())
    entry = RULESET.kernels.play_many
    player = make_player(loaded(), logged=False, battles=FEW_BATTLES)
    assert player.play_many is entry
    mark_as_compiled(entry, compiled_form(logged=True, with_plugins=False))
    assert make_player(loaded(), logged=False, battles=1).play_many is entry


@pytest.mark.parametrize(
    ("quickly", "alone", "plain"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_what_is_cached_is_loaded_unless_one_quick_battle_is_all(monkeypatch, quickly, alone, plain):
    monkeypatch.delenv("FRACAS_JIT", raising=False)
    monkeypatch.setattr(jit, "is_cached", lambda entry, form: True)
    monkeypatch.setattr(jit, "_loaded", set())
    monkeypatch.setattr(type(RULESET), "prefers_interpreter", lambda self, document: quickly)
    player = make_player(loaded(), logged=True, battles=1, alone=alone)
    assert (player.play_many is RULESET.kernels.play_many) == plain


@pytest.mark.parametrize(
    ("logged", "with_plugins", "name"),
    [
        (False, False, "silent"),
        (True, False, "logged"),
        (False, True, "silent-plugins"),
        (True, True, "logged-plugins"),
    ],
)
def test_the_variants_have_names(logged, with_plugins, name):
    assert compiled_form(logged, with_plugins) == name


def test_compiling_for_the_first_time_is_announced(monkeypatch, tmp_path):
    said: list[str] = []
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("FRACAS_JIT", "1")
    monkeypatch.setattr(jit, "native", lambda entry: entry)
    monkeypatch.setattr(jit, "mark_cached", mark_as_compiled)
    for _ in range(2):
        make_player(loaded(), logged=False, battles=1, notice=said.append)
    assert len(said) == 1
    assert "squads" in said[0]


@pytest.fixture
def small_log(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    monkeypatch.setattr(type(RULESET), "kernels", replace(RULESET.kernels, log_type=log_type(40)))


def test_a_full_log_names_the_battle_the_limit_and_what_would_have_fitted(small_log):
    with pytest.raises(fracas.InputError) as refused:
        fracas.run(loaded(duel(options={"round_cap": 50})), stream=7)
    (problem,) = refused.value.problems
    assert problem.where == "options.round_cap"
    assert problem.message == "is too large: battle 7 has more than the 40 events that a log holds"
    fitting = re.fullmatch(r"write at most (\d+), or play it without a log", problem.suggestion or "")
    assert fitting is not None
    assert fracas.run(loaded(duel(options={"round_cap": int(fitting[1])})), stream=7).rounds == int(fitting[1])


def test_a_battle_whose_log_is_full_is_played_without_one(small_log):
    scenario = loaded(duel(options={"round_cap": 50}))
    with pytest.raises(fracas.InputError, match="or play it without a log"):
        fracas.run(scenario, stream=7)
    battle = fracas.run(scenario, stream=7, log=False)
    outcome = battle.outcome_json()
    assert (outcome["winner"], outcome["rounds"], outcome["digest"]) == (battle.winner, battle.rounds, None)
    with pytest.raises(fracas.InputError, match="without a log"):
        battle.as_json()


def test_a_battle_of_legal_size_that_no_log_holds_is_no_fault_of_the_program(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("FRACAS_JIT", "wasm")
    tanks = ["shield_bearer", "gate_warden", "stone_sentinel", "bridge_keeper", "old_mountain", "old_mountain"]
    side = {"units": [*tanks, "spring_saint", "spring_saint"]}
    file = tmp_path / "tanks.json"
    file.write_text(json.dumps({"ruleset": "squads", "sides": [side, side], "options": {"round_cap": 1000}}))
    assert run_command(["run", str(file)]) == 2
    assert "options.round_cap: is too large" in capsys.readouterr().err
    fitting = fracas.run(file.as_posix(), log=False)
    assert (fitting.rounds, fitting.reason) == (1000, "cap_hp")


@pytest.mark.parametrize(
    ("file", "rows", "option", "advice"),
    [
        ("stacks/standard-16v16.toml", 20, "options.turn_cap", "play it without a log"),
        ("stacks/standard-16v16.toml", 1800, "options.turn_cap", r"write at most \d+, or play it without a log"),
        ("relics/standard.toml", 100, "options.turn_cap", r"write at most \d+, or play it without a log"),
        ("delve/goblin-warrens.toml", 100, "options.round_cap", "write a smaller number, or play it without a log"),
    ],
)
def test_a_full_log_names_the_option_of_its_ruleset(monkeypatch, file, rows, option, advice):
    monkeypatch.setenv("FRACAS_JIT", "0")
    rules = registry.get(file.split("/")[0])
    monkeypatch.setattr(type(rules), "kernels", replace(rules.kernels, log_type=log_type(rows)))
    scenario = fracas.load(examples_folder() / file)
    with pytest.raises(fracas.InputError) as refused:
        fracas.run(scenario)
    (problem,) = refused.value.problems
    assert problem.where == option
    assert re.fullmatch(advice, problem.suggestion or "")


def test_a_log_that_is_too_short_for_replayed_decisions_is_no_fault(small_log):
    scenario = loaded(duel(options={"round_cap": 50}))
    decided = decisions_of([1], [(1, 0, 0, 8)] * 50)
    with pytest.raises(fracas.InputError, match=r"options\.round_cap"):
        decided_battle(scenario, 0, decided, "x.json")


def test_a_battle_that_fits_into_the_log_is_no_fault(small_log):
    document = duel()
    document["sides"][0]["units"] = [fighter(attack=9999)]
    document["sides"][1]["units"] = [fighter("mira", attack=9999)]
    assert fracas.run(loaded(document)).rounds == 1


@pytest.mark.parametrize("setting", ["0", "1"])
def test_a_number_beyond_32_bits_is_a_fault(monkeypatch, setting):
    monkeypatch.setenv("FRACAS_JIT", setting)
    scenario = loaded()
    # No scenario can say so; the row that tells a unit's place in the order holds its speed.
    scenario.compiled.record[0].units[0].speed = 2**31
    with pytest.raises(fracas.FaultError, match="battle 0: an event contains a number that does not fit in 32 bits"):
        fracas.run(scenario)


def test_the_busiest_battle_of_the_usual_length_fits_into_the_log():
    storm = {"id": "storm", "name": "Storm", "reach": "all_enemies", "effects": [{"type": "damage", "attack": 1}]}
    units = [fighter(f"unit-{n}", hp=10**6, class_ability="storm", ultimate="storm") for n in range(8)]
    battle = fracas.run(loaded(duel(abilities={"storm": storm}, sides=[{"units": units}] * 2)))
    assert (battle.rounds, battle.units_left) == (50, (8, 8))


@pytest.mark.parametrize("log", [True, False])
def test_an_address_of_the_dice_without_words_is_a_fault(monkeypatch, log):
    monkeypatch.setenv("FRACAS_JIT", "0")
    monkeypatch.setattr("fracas.kernel.dice.LAST_BLOCK", 0)
    strikes = [{"type": "damage", "attack": 1}] * 4
    storm = {"id": "storm", "name": "Storm", "reach": "all_enemies", "effects": strikes}
    units = [fighter(f"unit-{n}", class_ability="storm", ultimate="storm") for n in range(8)]
    scenario = loaded(duel(abilities={"storm": storm}, sides=[{"units": units}] * 2))
    with pytest.raises(fracas.FaultError, match="battle 0: a dice address has no rolls left"):
        fracas.run(scenario, log=log)


def test_without_a_log_there_are_no_events():
    battle = fracas.run(loaded(), log=False)
    for name in ("events", "digest", "tick_digests"):
        [problem] = problems_of(getattr, battle, name)
        assert "without a log" in problem.message


def test_one_player_serves_many_streams():
    scenario = loaded()
    player = make_player(scenario, logged=True, battles=1)
    battles = [battle_of(scenario, player, stream) for stream in range(4)]
    assert [battle.digest for battle in battles] == [fracas.run(scenario, stream=stream).digest for stream in range(4)]
