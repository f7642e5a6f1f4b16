"""Scenarios, battles, results and errors go from process to process, as documents and not as code."""

from __future__ import annotations

import multiprocessing
import pickle
import pickletools
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pytest
from tests.helpers.guards import ROOT
from tests.helpers.replays import chain_with, plugin_file
from tests.helpers.scenarios import EXAMPLES, attempt, duel, loaded, problems_of

import fracas
from fracas.rulesets import registry

FIRST = EXAMPLES / "first-battle.toml"
RELICS = EXAMPLES.parent / "relics" / "first-duel.toml"
COIN = EXAMPLES / "coin-toss.toml"
LUCKY = ROOT / "tests/golden/odds/squads/coin-toss.toml"


@pytest.fixture(autouse=True)
def plain_mode(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


def there_and_back(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_scenario_and_its_battle_are_the_same_elsewhere(name):
    scenario = fracas.load(registry.get(name).random_scenario(2), seed="elsewhere")
    found = there_and_back(scenario)
    assert (found.document, found.fingerprint, found.warnings) == (
        scenario.document,
        scenario.fingerprint,
        scenario.warnings,
    )
    assert found.ruleset is scenario.ruleset
    assert found.compiled.record.tobytes() == scenario.compiled.record.tobytes()
    battle = fracas.run(scenario, stream=3)
    assert battle.digest
    copy = there_and_back(battle)
    assert (copy.digest, copy.story("all"), copy.as_json()) == (battle.digest, battle.story("all"), battle.as_json())
    assert fracas.run(found, stream=3).digest == battle.digest


def test_a_battle_without_a_log_goes_along():
    battle = there_and_back(fracas.run(FIRST, log=False))
    assert battle.rows is None
    assert battle.outcome_json()["digest"] is None


def test_what_is_pickled_is_the_document_and_no_array_of_the_engine():
    raw = pickle.dumps(loaded())
    names = {str(argument) for _, argument, _ in pickletools.genops(raw) if isinstance(argument, str)}
    assert "fracas.engine.scenario" in names
    assert not {name for name in names if "numpy" in name or "kernel" in name or "Compiled" in name}


ASKED = {
    "simulate": lambda: fracas.simulate(LUCKY, 20, contributions=3),
    "compare": lambda: fracas.compare(LUCKY, overrides={"sides.0.units.0.attack": 41}, n=10),
    "find": lambda: fracas.find(LUCKY, "winner == 1", limit=20),
    "odds": lambda: fracas.odds(LUCKY),
    "sensitivity": lambda: fracas.sensitivity(LUCKY, n=4),
    "sweep": lambda: fracas.sweep(LUCKY, ["sides.0.units.0.attack=10,20"], n=4),
    "matchups": lambda: fracas.matchups([LUCKY, COIN], n=4),
    "ladder": lambda: fracas.ladder(RELICS, n=1),
}


@pytest.mark.parametrize("name", ASKED)
def test_results_go_along_and_say_the_same(name):
    result = ASKED[name]()
    assert repr(there_and_back(result)) == repr(result)
    if name == "simulate":
        assert there_and_back(result).as_json() == result.as_json()


def test_a_verification_goes_along(tmp_path):
    fracas.run(FIRST).save(tmp_path / "battle.json")
    assert there_and_back(fracas.verify(tmp_path / "battle.json")).matches


def test_errors_go_along_with_all_that_they_say():
    error = there_and_back(fracas.InputError([fracas.Problem("a", "b", "c"), fracas.Problem("d", "e")]))
    assert error.problems == (fracas.Problem("a", "b", "c"), fracas.Problem("d", "e"))
    assert str(error) == "a: b (c)\nd: e"
    assert str(there_and_back(fracas.FaultError("battle 0"))) == "battle 0"


def test_other_processes_play_scenarios_and_hand_back_battles_and_errors():
    scenarios = [loaded(seed=seed) for seed in ("one", "two")]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        battles = list(pool.map(partial(fracas.run, stream=5), scenarios))
        refused = pool.submit(fracas.run, {"ruleset": "squads", "sides": 3})
        with pytest.raises(fracas.InputError) as caught:
            refused.result()
    assert [battle.digest for battle in battles] == [fracas.run(each, stream=5).digest for each in scenarios]
    assert any("sides" in problem.where for problem in caught.value.problems)


def test_plug_ins_are_loaded_again_from_their_files(tmp_path, monkeypatch):
    file = plugin_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    scenario = fracas.load(duel(options=chain_with("double")), plugins=[file.name])
    raw = pickle.dumps(scenario)
    monkeypatch.chdir("/")
    assert fracas.run(pickle.loads(raw)).digest == fracas.run(scenario).digest
    file.write_text(file.read_text() + "\n# another version\n")
    [problem] = problems_of(pickle.loads, raw)
    assert 'another version of the plug-in "double"' in problem.message
    file.unlink()
    assert attempt(pickle.loads, raw)[1]


def test_a_scenario_of_other_rules_is_refused_in_a_sentence(monkeypatch):
    raw = pickle.dumps(loaded())
    monkeypatch.setattr(type(registry.get("squads")), "rules_version", 99)
    [problem] = problems_of(pickle.loads, raw)
    assert "installed is 99" in problem.message
