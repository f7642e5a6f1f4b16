"""A scenario that was loaded before is not made again, and nobody can tell by anything but the time."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.helpers.scenarios import duel, problems_of

import fracas
from fracas.content.packs import examples_folder
from fracas.content.validate import validate
from fracas.engine import scenario as scenarios
from fracas.engine.execution_mode import FEW_BATTLES
from fracas.engine.scenario import compile_document
from fracas.files.process_cache import Memory
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source

EXAMPLES = {name: sorted((examples_folder() / name).glob("*.toml")) for name in registry.NAMES}


@pytest.fixture(autouse=True)
def loaded_anew(monkeypatch):
    """Nothing is remembered yet; the scenarios that are made from now on, by their ids."""
    made: list[str] = []
    really = scenarios._load

    def noting(*given: Any) -> fracas.Scenario:
        scenario = really(*given)
        made.append(scenario.id)
        return scenario

    monkeypatch.setattr(scenarios, "_scenario_cache", Memory(scenarios.MOST_LOADED))
    monkeypatch.setattr(scenarios, "_load", noting)
    return made


def told(scenario: fracas.Scenario) -> Any:
    """All of a scenario, with the order of its keys."""
    books = {key: list(names) for key, names in scenario.compiled.books.items()}
    return json.dumps(scenario.document), scenario.compiled.record.tobytes(), scenario.warnings, books


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_example_is_the_same_again_under_any_seed(name, loaded_anew):
    for file in EXAMPLES[name]:
        fresh = told(fracas.load(file))
        loaded_anew.clear()
        assert told(fracas.load(file)) == fresh
        other = told(fracas.load(file, seed="another"))
        assert not loaded_anew
        scenarios._scenario_cache.clear()
        # The rules' own way, without the shortcut: an override keeps it out.
        changed = fracas.load(file, overrides={"seed": "another"})
        assert told(changed)[:2] == other[:2]


@pytest.mark.parametrize("name", registry.NAMES)
def test_mappings_that_differ_in_their_seed_alone_are_made_once(name, loaded_anew):
    document = registry.get(name).random_scenario(1)
    for seed in ("a", "b", "a"):
        scenario = fracas.load({**document, "seed": seed})
        assert scenario.document["seed"] == seed
        assert fracas.run(scenario, log=False).winner == fracas.run(fracas.load(scenario.document), log=False).winner
    # The document as written, and the resolved one.
    assert len(loaded_anew) == 2


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_scenario_is_checked_once_on_its_way(name, monkeypatch):
    """Checks are counted by what is checked: the file's scenario once, the resolved document once."""
    models = registry.get(name).models
    checked: list[str] = []
    for model in (models.scenario, models.resolved):
        really = model.model_validate

        def counting(document: Any, model: Any = model, really: Any = really) -> Any:
            checked.append(model.__name__)
            return really(document)

        monkeypatch.setattr(model, "model_validate", counting)
    document = fracas.load(EXAMPLES[name][0]).document
    # What a battle of delve uses of the content shows only when the rest is sound; then both are checked together.
    once = ["Scenario", "Resolved", "Resolved"] if name == "delve" else ["Scenario", "Resolved"]
    assert checked == once
    fracas.load({**document, "id": "of-its-own"})
    assert checked == once * 2
    fracas.load(EXAMPLES[name][0], seed="another")
    fracas.load(document, seed="another").with_seed("a third")
    assert checked == once * 3
    compile_document(document, {})
    assert checked == [*once * 3, "Resolved"]


@pytest.mark.parametrize("name", registry.NAMES)
def test_what_the_resolver_hands_on_is_what_a_check_would_say(name):
    ruleset = registry.get(name)
    for file in EXAMPLES[name][:6]:
        resolution = ruleset.resolve(fracas.load(file).document, Source("scenario"))
        assert resolution.sound == validate(ruleset.models.resolved, resolution.document, "")
        known = ruleset.compile(resolution.document, {}, sound=resolution.sound)
        assert known.record.tobytes() == ruleset.compile(resolution.document, {}).record.tobytes()


def test_another_seed_is_another_scenario():
    first = fracas.load(duel())
    as_loaded = told(first)
    other = first.with_seed("another")
    other.document["sides"][0]["units"][0]["attack"] = 1
    assert told(first) == as_loaded
    first.document["sides"][1]["units"][0]["attack"] = 2
    assert other.document["sides"][1]["units"][0]["attack"] != 2
    assert list(other.document) == list(first.document)


def test_what_somebody_gave_may_change_afterwards():
    given = duel()
    scenario = fracas.load(given)
    given["sides"][0]["units"][0]["attack"] = 1
    assert scenario.written is not None
    assert scenario.written.document["sides"][0]["units"][0] != given["sides"][0]["units"][0]


def test_nothing_that_is_handed_out_can_be_spoiled():
    document = duel()
    first = told(fracas.load(document))
    for _ in range(2):
        scenario = fracas.load(document)
        scenario.document["sides"][0]["units"][0]["attack"] = 1
        scenario.document.clear()
        scenario.compiled.record[0].dice.key[:] = 0
        assert told(fracas.load(document)) == first


def test_changed_files_are_seen(tmp_path, monkeypatch, loaded_anew):
    monkeypatch.chdir(tmp_path)
    strategy, pack, file = tmp_path / "plan.json", tmp_path / "pack", tmp_path / "mine.json"
    pack.mkdir()
    document = duel()
    document["sides"][0]["strategy"] = "plan.json"

    def write(formation: str, hp: int, seed: str) -> None:
        strategy.write_text(json.dumps({"formation": formation}))
        (pack / "units.toml").write_text(f'[[profiles]]\nid = "mine{hp}"\nbase = "classic"\n')
        file.write_text(json.dumps({**document, "seed": seed}))

    def load() -> fracas.Scenario:
        return fracas.load(file, content=[pack])

    write("flanking", 50, "a")
    assert told(load()) == told(load())
    assert len(loaded_anew) == 1
    for number, given in enumerate((("defensive", 50, "a"), ("defensive", 60, "a"), ("defensive", 60, "b")), 2):
        write(*given)
        scenario = load()
        assert len(loaded_anew) == number
        assert (scenario.document["sides"][0]["strategy"]["formation"], scenario.seed) == (given[0], given[2])
    strategy.unlink()
    assert "there is no such file" in problems_of(load)[0].message


def test_values_that_are_equal_and_not_the_same_are_kept_apart():
    assert problems_of(fracas.load, {**duel(), "profile": 1})
    fracas.load(duel(), profile=None)
    assert problems_of(fracas.load, duel(), profile="")
    one, true = duel(), duel()
    one["sides"][0]["units"][0]["speed"] = 1
    true["sides"][0]["units"][0]["speed"] = True
    fracas.load(one)
    assert problems_of(fracas.load, true)


@pytest.mark.parametrize("seed", ["", "x" * 1001, "\ud800", 7])
def test_a_seed_that_is_none_is_told_as_ever(seed):
    fracas.load(duel())
    fracas.load({**duel(), "seed": "fine"})
    assert "seed" in problems_of(fracas.load, {**duel(), "seed": seed})[0].where
    if isinstance(seed, str):
        assert problems_of(fracas.load, duel(), seed=seed)[0].where == "seed"
        assert problems_of(fracas.load, {**duel(), "seed": "fine"}, seed=seed)[0].where == "seed"
        if seed == "\ud800":
            # What no file could hold is refused wherever it stands, replaced or not.
            [problem] = problems_of(fracas.load, {**duel(), "seed": seed}, seed="fine")
            assert problem.where == "scenario: seed"
            assert "surrogate" in problem.message
        else:
            assert fracas.load({**duel(), "seed": seed}, seed="fine").seed == "fine"


def test_the_working_folder_counts(tmp_path, monkeypatch):
    for name, formation in (("one", "flanking"), ("two", "defensive")):
        folder = tmp_path / name
        folder.mkdir()
        side = {**duel()["sides"][0], "strategy": {"formation": formation}}
        (folder / "mine.json").write_text(json.dumps({**duel(), "sides": [side, duel()["sides"][1]]}))
    found = []
    for name in ("one", "two", "one"):
        monkeypatch.chdir(tmp_path / name)
        found.append(fracas.load(Path("mine.json")).document["sides"][0]["strategy"]["formation"])
    assert found == ["flanking", "defensive", "flanking"]


def test_threads_get_the_same(loaded_anew):
    file = EXAMPLES["delve"][0]
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: told(fracas.load(file))[:2], range(24)))
    assert len(found) == 1
    assert len(loaded_anew) <= 8


def test_memory_is_bounded(monkeypatch):
    one = fracas.load(duel())
    assert 0 < scenarios._scenario_cache.weight < one.compiled.record.nbytes / 4
    monkeypatch.setattr(scenarios, "_scenario_cache", Memory(70_000))
    for seed in range(6):
        fracas.load(registry.get("squads").random_scenario(seed))
    assert 0 < len(scenarios._scenario_cache) <= 2
    assert scenarios._scenario_cache.weight <= 70_000


def test_preparing_leaves_nothing_for_the_first_request(monkeypatch, loaded_anew):
    prepared: list[tuple[str, bool]] = []

    def noting(scenario: fracas.Scenario, *, logged: bool, battles: int) -> Any:
        prepared.append((scenario.ruleset.name, logged))
        assert battles > FEW_BATTLES
        return SimpleNamespace(play=lambda first, count: None)

    monkeypatch.setattr("fracas.api.battles.make_player", noting)
    fracas.prepare("squads")
    assert prepared == [("squads", False), ("squads", True)]
    fracas.prepare()
    assert {name for name, _ in prepared} == set(registry.NAMES)
    loaded_anew.clear()
    fracas.load(examples_folder() / "stacks" / f"{registry.get('stacks').benchmarks[0]}.toml")
    assert not loaded_anew
    assert problems_of(fracas.prepare, "chess")[0].where == "rulesets"
