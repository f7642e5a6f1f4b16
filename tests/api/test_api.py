"""The Python API: what a backend calls."""

from __future__ import annotations

import inspect
import json
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.replays import put, saved, tampered
from tests.helpers.scenarios import EXAMPLES, SCENARIO, duel, events_of, fighter, loaded, problems_of, written

import fracas
from fracas.errors import Problem
from fracas.rulesets import registry

FIRST = EXAMPLES / "first-battle.toml"


def battle_of(battle: fracas.Battle) -> tuple:
    """What two equal battles have in common."""
    outcome = (battle.winner, battle.reason, battle.rounds, battle.hp_left, battle.units_left)
    return (*outcome, battle.scenario.seed, battle.stream)


# load


@pytest.mark.parametrize("kind", [str, Path])
def test_a_scenario_is_loaded_from_a_path_of_either_kind(kind):
    assert fracas.load(kind(FIRST)).id == "first-battle"


def test_a_scenario_is_loaded_from_a_mapping():
    assert loaded().id == "duel"


def test_a_scenario_says_what_it_is():
    scenario = loaded(profile="tuned", seed="x")
    assert (scenario.seed, scenario.profile, scenario.ruleset.name) == ("x", "tuned", "squads")
    assert len(scenario.fingerprint) == 64
    assert "duel" in repr(scenario)


def test_with_seed_is_loading_with_that_seed():
    scenario = loaded().with_seed("tuesday")
    expected = loaded(seed="tuesday")
    assert scenario.document == expected.document
    assert scenario.fingerprint == expected.fingerprint == loaded().fingerprint
    assert fracas.run(scenario).digest == fracas.run(expected).digest != fracas.run(loaded()).digest


def test_with_seed_leaves_the_original_alone():
    scenario = loaded()
    before = fracas.run(scenario).digest
    scenario.with_seed("tuesday")
    assert (scenario.seed, fracas.run(scenario).digest) == ("duel", before)


@pytest.mark.parametrize("seed", ["", "x" * 1001, "\ud800"])
def test_with_seed_checks_the_seed(seed):
    [problem] = problems_of(loaded().with_seed, seed)
    assert problem.where == "seed"


def test_overrides_are_a_mapping_or_texts():
    changed = {"sides.0.units.0.attack": 40, "options.round_cap": 9}
    texts = [f"{path}={value}" for path, value in changed.items()]
    assert loaded(overrides=changed).document == loaded(overrides=texts).document


def test_the_fingerprint_is_of_the_content_not_of_seed_or_name():
    assert loaded(duel(id="other", seed="other")).fingerprint == loaded().fingerprint
    assert loaded(overrides={"sides.0.units.0.hp": 61}).fingerprint != loaded().fingerprint


def test_strict_makes_warnings_errors():
    document = duel()
    document["sides"][0]["strategy"] = {"abilities": {"fireball": {"when": "alwayz", "target": "self"}}}
    assert len(loaded(document).warnings) == 2
    assert len(problems_of(loaded, document, strict=True)) == 2


def test_all_problems_are_in_the_error_and_in_its_text():
    document = duel(idd=1, options={"round_cap": 0})
    with pytest.raises(fracas.InputError) as caught:
        loaded(document)
    assert len(caught.value.problems) == 2
    assert all(str(problem) in str(caught.value) for problem in caught.value.problems)
    assert isinstance(caught.value, fracas.FracasError)


# run


def test_a_battle_says_how_it_ended():
    battle = fracas.run(FIRST, seed="tuesday")
    assert battle.winner in (0, 1, 2)
    assert battle.reason in registry.get("squads").reasons
    assert battle.events[-1].as_json()["winner"] == battle.winner
    assert battle.events[-1].tick == battle.rounds
    assert sum(battle.hp_left) > 0
    assert "first-battle" in repr(battle)


def test_run_takes_what_load_takes():
    expected = fracas.run(fracas.load(FIRST), seed="s", stream=3).digest
    for source in (FIRST, str(FIRST), fracas.load(FIRST).document):
        assert fracas.run(source, seed="s", stream=3).digest == expected


@pytest.mark.parametrize("seed", ["tuesday", " ", "žluť", "0"])
def test_a_seed_means_the_same_for_a_file_and_for_a_loaded_scenario(seed):
    first, second = fracas.run(FIRST, seed=seed), fracas.run(fracas.load(FIRST), seed=seed)
    assert (first.scenario.seed, first.digest) == (second.scenario.seed, second.digest)
    assert first.scenario.seed == seed


def test_an_empty_seed_is_refused_wherever_it_is_given():
    for source in (FIRST, duel(), loaded()):
        assert "seed" in problems_of(fracas.run, source, seed="")[0].where
    assert "seed" in problems_of(loaded, duel(seed=""))[0].where


@pytest.mark.parametrize("stream", [-1, 2**63, 10**30])
def test_a_stream_is_a_63_bit_number(stream):
    assert problems_of(fracas.run, loaded(), stream=stream)[0].where == "stream"


def test_streams_are_battles_of_their_own():
    digests = {fracas.run(loaded(), stream=stream).digest for stream in (*range(20), 2**32, 2**63 - 1)}
    assert len(digests) == 22


def test_running_twice_gives_the_same_bytes():
    first, second = fracas.run(loaded()), fracas.run(loaded())
    assert first.rows is not None
    assert second.rows is not None
    assert first.rows.tobytes() == second.rows.tobytes()


def test_events_are_typed_and_the_document_is_made_of_them():
    battle = fracas.run(loaded())
    document = battle.as_json()
    assert [event["kind"] for event in document["events"]] == [event.NAME for event in battle.events]
    assert document["events"][0]["kind"] == "battle"
    assert json.loads(json.dumps(document)) == document


def test_a_story_grows_with_detail():
    battle = fracas.run(FIRST)
    lengths = [len(battle.story(detail)) for detail in ("story", "decisions", "all")]
    assert lengths == sorted(lengths)
    assert len(set(lengths)) == 3


def test_a_battle_and_results_show_themselves_in_notebooks():
    name = "<script>alert(1)</script>"
    document = duel()
    document["sides"][0]["name"] = name
    pages = [fracas.run(loaded(document))._repr_html_(), fracas.simulate(loaded(document), n=50)._repr_html_()]
    for page in pages:
        assert name not in page
        assert "&lt;script&gt;" in page


# run_many


def test_run_many_is_run_of_each():
    scenarios: list[Any] = [loaded(), FIRST, str(FIRST), duel(id="other")]
    seeds = ["a", "b", "c", "d"]
    battles = fracas.run_many(scenarios, seeds=seeds, log=True)
    expected = [fracas.run(scenario, seed=seed) for scenario, seed in zip(scenarios, seeds, strict=True)]
    assert [battle_of(battle) for battle in battles] == [battle_of(battle) for battle in expected]
    assert [battle.digest for battle in battles] == [battle.digest for battle in expected]


@pytest.mark.parametrize("threads", [1, 2, 16, None])
def test_run_many_does_not_depend_on_threads(threads):
    scenario = loaded()
    seeds = [f"seed {number}" for number in range(40)]
    battles = fracas.run_many([scenario] * 40, seeds=seeds, log=True, threads=threads)
    assert [battle.scenario.seed for battle in battles] == seeds
    assert [battle.digest for battle in battles] == [fracas.run(scenario, seed=seed).digest for seed in seeds]


def test_run_many_keeps_no_log_unless_it_is_asked_to():
    [battle] = fracas.run_many([loaded()])
    assert battle.rows is None
    assert battle_of(battle) == battle_of(fracas.run(loaded()))


def test_run_many_of_nothing_is_nothing():
    assert fracas.run_many([]) == []


def test_run_many_plays_different_scenarios_of_different_sizes():
    documents = [registry.get("squads").random_scenario(seed) for seed in range(12)]
    battles = fracas.run_many(documents, log=True, threads=3)
    assert [battle.digest for battle in battles] == [fracas.run(document).digest for document in documents]


def test_run_many_collects_the_problems_of_all_scenarios():
    scenarios = [duel(), duel(idd="x"), "missing.toml", loaded(), duel(options={"round_cap": 0})]
    problems = problems_of(fracas.run_many, scenarios)
    assert [problem.where for problem in problems] == [
        "scenarios[1]: scenario: idd",
        "scenarios[2]: missing.toml",
        "scenarios[4]: scenario: options.round_cap",
    ]
    assert problems[0].suggestion == 'did you mean "id"?'


def test_run_many_takes_a_seed_for_each_scenario():
    expected = Problem("seeds", "there are 1 seeds for 2 scenarios")
    assert problems_of(fracas.run_many, [duel(), duel()], seeds=["a"]) == (expected,)


@pytest.mark.parametrize("threads", [0, -1, 10**6])
def test_run_many_refuses_numbers_of_threads_that_cannot_be_meant(threads):
    assert problems_of(fracas.run_many, [loaded()] * 3, threads=threads)


def test_run_many_reports_a_fault():
    def broken(*_):
        raise fracas.FaultError("planted")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fracas.api.battles.battle_of", broken)
        with pytest.raises(fracas.FaultError, match="planted"):
            fracas.run_many([loaded()] * 3)


# simulate


def test_simulate_takes_what_load_takes_and_a_seed():
    expected = fracas.simulate(fracas.load(FIRST, seed="s"), n=50).as_json()
    for results in (fracas.simulate(FIRST, 50, seed="s"), fracas.simulate(fracas.load(FIRST), n=50, seed="s")):
        assert results.as_json() | {"timing": 0} == expected | {"timing": 0}


def test_simulate_counts_what_run_shows():
    results = fracas.simulate(loaded(), n=30)
    winners = [fracas.run(loaded(), stream=stream).winner for stream in range(30)]
    assert (results.draws, *results.wins) == tuple(winners.count(side) for side in range(3))


def test_simulate_says_its_amounts_were_wrong():
    assert problems_of(fracas.simulate, loaded(), n=0)
    assert problems_of(fracas.simulate, loaded(), n=10, precision=1.0)


def test_overrides_change_the_odds():
    weak = fracas.simulate(fracas.load(duel(), overrides={"sides.0.units.0.attack": 5}), n=100)
    strong = fracas.simulate(fracas.load(duel(), overrides={"sides.0.units.0.attack": 500}), n=100)
    assert weak.shares[0] == 0
    assert strong.shares[0] >= 0.4


# verify


def test_verify_says_whether_a_replay_is_true(tmp_path):
    path = saved(tmp_path)
    assert fracas.verify(path).matches
    assert fracas.verify(str(path)).matches
    tampered(path, put("events", 5, 4, value=77))
    assert not fracas.verify(path).matches


# Paired luck: what one side changes does not re-roll the other side's dice.


def test_one_unit_more_does_not_reroll_the_others():
    def initiative(document):
        battle = fracas.run(document, seed="paired")
        return {event.actor: event.word for event in events_of(battle, "initiative", tick=1)}

    small = duel()
    large = duel()
    large["sides"][0]["units"] = [*large["sides"][0]["units"], fighter("third")]
    words = initiative(large)
    del words["1.third"]
    assert words == initiative(small)


def test_the_example_of_the_package_docstring_runs(monkeypatch, capsys):
    monkeypatch.chdir(EXAMPLES.parent.parent)
    lines = [line for line in (fracas.__doc__ or "").splitlines() if line.startswith("    ")]
    exec(compile(textwrap.dedent("\n".join(lines)), "docstring", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_a_scenario_that_is_written_by_hand_and_one_that_is_loaded_are_one(tmp_path):
    path = written(tmp_path, SCENARIO)
    assert fracas.run(path).digest == fracas.run(fracas.load(path).document).digest


def test_public_functions_take_options_by_name_only():
    for name in ("load", "run", "run_many", "verify"):
        parameters = list(inspect.signature(getattr(fracas, name)).parameters.values())
        assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters[1:])


def test_rows_are_int32_and_of_their_own():
    battle = fracas.run(loaded())
    assert battle.rows is not None
    assert battle.rows.dtype == np.int32
    assert battle.rows.shape[1] == 8
    assert battle.rows.base is None or battle.rows.base.nbytes == battle.rows.nbytes
