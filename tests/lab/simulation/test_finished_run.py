"""A complete result is continued by --resume: the bytes are those of one run, and another run is refused."""

from __future__ import annotations

import json

import pytest
from tests.helpers.relics import battle as relics_battle
from tests.helpers.runs import bytes_of
from tests.helpers.scenarios import loaded, problems_of

from fracas.lab.simulation.export import simulate_to_file

FIRST, ALL = 40, 100


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "1")


@pytest.fixture(params=["battles.parquet", "battles.json"])
def out(request, tmp_path):
    (tmp_path / "run").mkdir()
    return tmp_path / "run" / request.param


def of_one_run(folder, name, scenario, n, **options):
    folder.mkdir()
    simulate_to_file(folder / name, scenario, n, **options)
    return bytes_of(folder)


@pytest.mark.parametrize("options", [{}, {"contributions": None, "timeline": 10}, {"contributions": 60}, {"start": 7}])
def test_only_the_battles_that_follow_are_played(tmp_path, out, options):
    scenario = loaded()
    simulate_to_file(out, scenario, FIRST, **options)
    said: list[str] = []
    results = simulate_to_file(out, scenario, ALL, resume=True, notice=said.append, **options)
    assert (results.battles, results.resumed) == (ALL, FIRST)
    assert said == [f"{out} has {FIRST} battles already; plays those that follow"]
    assert bytes_of(out.parent) == of_one_run(tmp_path / "whole", out.name, scenario, ALL, **options)


def test_a_continuation_that_was_stopped_is_continued(monkeypatch, tmp_path, out):
    scenario = loaded()
    simulate_to_file(out, scenario, FIRST)

    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr("fracas.lab.simulation.export.continued", die)
        with pytest.raises(KeyboardInterrupt):
            simulate_to_file(out, scenario, ALL, resume=True)
    assert simulate_to_file(out, scenario, ALL, resume=True).resumed == ALL
    assert bytes_of(out.parent) == of_one_run(tmp_path / "whole", out.name, scenario, ALL)


def test_a_complete_run_plays_nothing(out):
    scenario = loaded()
    simulate_to_file(out, scenario, FIRST)
    before = bytes_of(out.parent)
    said: list[str] = []
    results = simulate_to_file(out, scenario, FIRST, resume=True, notice=said.append)
    assert (results.resumed, said) == (FIRST, [f"{out} has {FIRST} battles already; nothing is left to play"])
    assert bytes_of(out.parent) == before


def test_a_battle_without_luck_is_continued_too(tmp_path, out):
    sure = loaded(relics_battle({"weapon": "boomstick"}))
    simulate_to_file(out, sure, FIRST)
    simulate_to_file(out, sure, ALL, resume=True)
    assert bytes_of(out.parent) == of_one_run(tmp_path / "whole", out.name, sure, ALL)


@pytest.mark.parametrize(
    ("seed", "options", "message"),
    [
        ("other", {"n": ALL}, "is a complete result of another run: the seed differs"),
        (None, {"n": ALL, "start": 5}, "is a complete result of another run: the first battle differs"),
        (None, {"n": 10}, "has 40 battles, more than the 10 of this run"),
        (None, {"precision": 5.0}, "more battles to a precision cannot be added"),
    ],
)
def test_a_finished_result_is_not_replaced_by_another_run(out, seed, options, message):
    scenario = loaded()
    simulate_to_file(out, scenario, FIRST)
    before = bytes_of(out.parent)
    [problem] = problems_of(
        simulate_to_file, out, scenario if seed is None else scenario.with_seed(seed), resume=True, **options
    )
    assert (problem.where, message in problem.message) == (str(out), True)
    assert "--resume to replace it" in (problem.suggestion or "")
    assert bytes_of(out.parent) == before


def test_without_resume_a_finished_result_is_replaced(out):
    simulate_to_file(out, loaded(), FIRST)
    simulate_to_file(out, loaded().with_seed("other"), 10)
    summary = next(out.parent.glob("*.json"))
    assert json.loads(summary.read_bytes())["battles"] == 10
