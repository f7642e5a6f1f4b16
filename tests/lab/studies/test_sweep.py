"""Values varied over ranges and lists, and a step of each stat: the same battles each time, checked before any."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.helpers.relics import battle
from tests.helpers.scenarios import EXAMPLES, duel, fighter, loaded, problems_of

import fracas
from fracas.content.document_edits import with_value
from fracas.content.validate import dotted
from fracas.lab.presentation.data_frames import value_text
from fracas.lab.simulation.scores import play_scores, with_document
from fracas.lab.studies import paired_battles
from fracas.lab.studies.sensitivity_result import Sensitivity
from fracas.lab.studies.sweep import MOST_POINTS, parse_axis
from fracas.lab.studies.sweep_result import Sweep
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef, Stat

ATTACK = "sides.0.units.0.attack"
SIZES = {"squads": "examples/squads/first-battle.toml", "titans": "examples/titans/standard.toml"}


@pytest.fixture
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture(scope="module")
def scenario():
    """A duel of a few blows."""
    short = duel()
    return loaded({**short, "sides": [{**side, "units": [fighter(hp=36)]} for side in short["sides"]]})


def document(found: Sweep | Sensitivity) -> Any:
    return json.loads(json.dumps(found.as_json()))


# Ranges and lists.


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("20:40:5", (20, 25, 30, 35, 40)),
        ("20:41:5", (20, 25, 30, 35, 40)),
        ("40:20:-10", (40, 30, 20)),
        ("7:7:1", (7,)),
        ("0.1:0.5:0.1", (0.1, 0.2, 0.3, 0.4, 0.5)),
        (" 1 : 3 : 1 ", (1, 2, 3)),
        ("1,2,4", (1, 2, 4)),
        ("aggressive, balanced", ("aggressive", "balanced")),
        ("true,false", (True, False)),
        ('["mages"],["healers", "lowest_hp"]', (["mages"], ["healers", "lowest_hp"])),
        ('"a:b:c"', ("a:b:c",)),
        ("always", ("always",)),
        ("10", (10,)),
    ],
)
def test_ranges_include_both_ends_and_lists_hold_anything(scenario, text, values):
    axis = parse_axis(f"{ATTACK}={text}", scenario.document)
    assert axis.values == values
    assert [type(value) for value in axis.values] == [type(value) for value in values]
    assert axis.name == ATTACK


@pytest.mark.parametrize(
    "text",
    [
        "",
        "=1",
        ATTACK,
        f"{ATTACK}=",
        f"{ATTACK}=1:2",
        f"{ATTACK}=1:2:0",
        f"{ATTACK}=2:1:1",
        f"{ATTACK}=1:9:-1",
        f"{ATTACK}=1:inf:1",
        f"{ATTACK}=nan:1:1",
        f"{ATTACK}=1:100000:1",
        f"{ATTACK}=0:1e5000:1",
        f"{ATTACK}=0:1e999999:1e-999999",
        f"{ATTACK}=0:1:1e-5000",
        f"{ATTACK}={10**4000}0:{10**4000}0:1",
        f"{ATTACK}=3,3",
        "sides..attack=3",
        "units.0.attack=1:2:1",
    ],
)
def test_what_is_no_range_is_refused(scenario, text):
    assert len(problems_of(parse_axis, text, scenario.document)) == 1


def test_a_path_that_begins_in_one_place_only_may_begin_there(plain):
    lone = loaded({"ruleset": "squads", "sides": [{"units": ["scout", "shield_bearer"]}, {"units": ["scout"]}]})
    assert parse_axis("units.1.attack=1,2", lone.document).name == "sides.0.units.1.attack"
    problems = problems_of(parse_axis, "units.0.attack=1,2", lone.document)
    assert "fits 2 places" in problems[0].message
    assert problems[0].suggestion == "write sides.0.units.0.attack or sides.1.units.0.attack"


# Sweeps.


def test_each_point_is_the_scenario_with_that_value(plain, scenario):
    found = fracas.sweep(scenario, {ATTACK: [15, 20, 25]}, n=30)
    assert [point.values for point in found.points] == [(15,), (20,), (25,)]
    base = play_scores(scenario, 30)
    assert found.base.values == (20,)
    assert found.base.score == base.mean
    for (value,), outcome in ((point.values, point) for point in found.points):
        own = play_scores(fracas.load(scenario.document, overrides={ATTACK: value}), 30)
        assert outcome.score == own.mean
        assert outcome.gain == pytest.approx(own.mean - base.mean)
        assert outcome.interval95[0] <= outcome.score <= outcome.interval95[1]
        assert outcome.gain95[0] <= outcome.gain <= outcome.gain95[1]
    assert found.points[1].gain95 == (0.0, 0.0)


def test_a_grid_has_every_combination_the_last_axis_first(plain, scenario):
    found = fracas.sweep(scenario, [f"{ATTACK}=18:20:2", "sides.1.units.0.hp=30,36"], n=10)
    assert [point.values for point in found.points] == [(18, 30), (18, 36), (20, 30), (20, 36)]
    assert [each.label for each in found.fields] == ["attack", "hp"]
    assert found.base.values == (20, 36)


def test_gains_of_the_other_side_are_opposite(plain, scenario):
    red, blue = (fracas.sweep(scenario, {ATTACK: [5]}, n=30, side=side).points[0] for side in (1, 2))
    assert blue.gain == -red.gain > 0


def test_what_is_decided_before_anything_is_looked_up_needs_what_the_file_says(plain):
    file = EXAMPLES / "first-battle.toml"
    for source in (file, fracas.load(file, seed="x")):
        found = fracas.sweep(source, {"profile": ["classic", "tuned"]}, n=4)
        assert [point.results.loaded.profile for point in found.points] == ["classic", "tuned"]
        assert len({point.results.loaded.seed for point in found.points}) == 1
    alone = fracas.load(file)
    [problem] = problems_of(fracas.sweep, with_document(alone, alone.document), {"profile": ["tuned"]}, n=4)
    assert problem.suggestion == "load it from a file"


def test_another_id_is_another_unit_and_not_another_name(plain):
    file = EXAMPLES / "standard-5v5.toml"
    found = fracas.sweep(file, {"sides.1.units.1.id": ["scout", "bronze_knight"]}, n=2)
    units = [point.results.loaded.document["sides"][1]["units"] for point in found.points]
    assert [unit[1]["class"] for unit in units] == ["ranger", "warrior"]
    assert [unit[1]["attack"] for unit in units] == [unit["attack"] for unit in (units[0][1], units[0][0])]
    assert found.base.values == ("scout",)


def test_values_that_only_rename_are_refused(plain, scenario):
    for path in ("sides.0.units.0.id", "sides.0.name"):
        [problem] = problems_of(fracas.sweep, scenario, {path: ["somebody", "else"]}, n=2)
        assert (problem.where, "another name" in problem.message) == (path, True)


def test_all_that_is_wrong_is_said_before_anything_is_played(plain, scenario, monkeypatch):
    monkeypatch.setattr(paired_battles, "play_scores", None)
    problems = problems_of(
        fracas.sweep, scenario, {ATTACK: [20, 0, -3], "sides.0.units.0.hq": [1, 2], "sides.7.units.0.hp": [1]}, n=10
    )
    told = [str(problem) for problem in problems]
    assert len(told) == 4
    assert sum("out of range" in each for each in told) == 2
    assert any("hq" in each and "no such key" in each for each in told)
    assert any("sides has entries 0 to 1" in each for each in told)


@pytest.mark.parametrize(
    ("ranges", "values", "where"),
    [
        ({}, {}, "sweep"),
        ([], {}, "sweep"),
        ("x=1", {}, "ranges"),
        (3, {}, "ranges"),
        ([3], {}, "ranges"),
        ({ATTACK: 3}, {}, f"ranges[{ATTACK}]"),
        ({ATTACK: []}, {}, ATTACK),
        ({ATTACK: "1:x:2"}, {}, f"{ATTACK}=1:x:2"),
        ({ATTACK: range(1, 1500)}, {}, ATTACK),
        ({ATTACK: range(1, 60), "sides.0.units.0.hp": range(1, 60)}, {}, "sweep"),
        ([f"{ATTACK}=1,2", f"{ATTACK}=3,4"], {}, ATTACK),
        ({ATTACK: [21]}, {"n": 0}, "n"),
        ({ATTACK: [21]}, {"n": 10**9}, "n"),
        ({ATTACK: [21]}, {"side": 0}, "side"),
        ({ATTACK: [21]}, {"threads": 999}, "threads"),
    ],
)
def test_what_cannot_be_swept_is_refused(plain, scenario, monkeypatch, ranges, values, where):
    monkeypatch.setattr(paired_battles, "play_scores", None)
    assert where in [problem.where for problem in problems_of(fracas.sweep, scenario, ranges, **values)]


def test_numbers_of_numpy_are_numbers(plain, scenario):
    assert [point.values for point in fracas.sweep(scenario, {ATTACK: np.arange(21, 23)}, n=2).points] == [(21,), (22,)]
    assert MOST_POINTS == 1_000


def test_without_luck_gains_are_certain(plain):
    found = fracas.sweep(battle({"weapon": "boomstick"}), {"left.stats.health": [1, 20]}, n=500)
    assert [point.gain for point in found.points] == [-1.0, 0.0]
    assert all(low == high for point in found.points for low, high in [point.gain95])


@pytest.mark.parametrize("name", SIZES)
def test_threads_change_no_figure(name):
    source = SIZES[name]
    scenario = fracas.load(source)
    stat = scenario.ruleset.analysis.stats(SideRef(scenario.document, 1))[0]
    path = ".".join(stat.path)
    once, again = (
        document(fracas.sweep(scenario, {path: [stat.value + 1, stat.value + 3]}, n=3_000, threads=threads))
        for threads in (1, 3)
    )
    assert once == again


def test_ctrl_c_leaves_whole_points(plain, scenario):
    def press(done: int, total: int, said: str) -> None:
        if done == 1:
            raise KeyboardInterrupt

    from fracas.lab.studies.sweep import axes_of, sweep

    axes = axes_of({ATTACK: [21, 22, 23]}, scenario.document)
    found = sweep(scenario, axes, 20, steps=press)
    assert (found.interrupted, [point.values for point in found.points], found.possible) == (True, [(21,)], 3)


# Sensitivity.


def test_each_stat_is_raised_by_itself_and_the_best_come_first(plain, scenario):
    found = fracas.sensitivity(scenario, n=20, step=5)
    stats = scenario.ruleset.analysis.stats(SideRef(scenario.document, 1))
    assert sorted(each.path for each in found.stats) == sorted(dotted(stat.path) for stat in stats)
    gains = [each.gain for each in found.stats]
    assert gains == sorted(gains, reverse=True)
    base = play_scores(scenario, 20)
    for each in found.stats:
        assert each.step == 5
        own = play_scores(
            with_document(scenario, with_value(scenario.document, tuple(each.path.split(".")), each.value + each.step)),
            20,
        )
        assert each.gain == pytest.approx(own.mean - base.mean)


def test_the_scenario_itself_is_left_alone(plain, scenario):
    before = json.dumps(scenario.document)
    fracas.sensitivity(scenario, n=4)
    fracas.sweep(scenario, {ATTACK: [1]}, n=4)
    assert json.dumps(scenario.document) == before


def test_stats_at_the_end_of_their_range_are_skipped_and_said(plain, monkeypatch, scenario):
    lab = type(registry.get("squads").analysis)
    path = ("sides", "0", "units", "0", "attack")
    stats = [
        Stat(path, "attack", "Kael", 20, 1, 20),
        Stat((*path[:-1], "hp"), "hp", "Kael", 36, 1, 900),
        Stat((*path[:-1], "speed"), "speed", "Kael", 9, 9, 900),
    ]
    monkeypatch.setattr(lab, "stats", lambda self, side_ref: stats)
    up = fracas.sensitivity(scenario, n=5)
    assert [(each.name, each.reason) for each in up.skipped] == [("attack", "20 is the largest value allowed")]
    down = fracas.sensitivity(scenario, n=5, step=-1)
    assert [(each.name, each.reason) for each in down.skipped] == [("speed", "9 is the smallest value allowed")]
    halves = fracas.sensitivity(scenario, n=5, step=0.5)
    assert len(halves.stats) + len(halves.skipped) == 3
    assert halves.skipped[1].reason == "it takes whole numbers"
    assert up.possible == 3


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"step": 0}, "step"),
        ({"step": "one"}, "step"),
        ({"step": float("inf")}, "step"),
        ({"step": float("nan")}, "step"),
        ({"n": -1}, "n"),
        ({"side": 4}, "side"),
    ],
)
def test_what_cannot_be_tried_is_refused(plain, scenario, values, where):
    assert where in [problem.where for problem in problems_of(fracas.sensitivity, scenario, **values)]


def test_ctrl_c_leaves_whole_stats(plain, scenario):
    def press(done: int, total: int, said: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    from fracas.lab.studies.sensitivity import sensitivity

    found = sensitivity(scenario, 10, steps=press)
    assert (found.interrupted, len(found.stats)) == (True, 2)
    assert document(found)["interrupted"] is True


def test_places_are_called_by_what_tells_them_apart(plain):
    both = [f"sides.{side}.units.0.attack=20,21" for side in (0, 1)]
    document = duel(sides=[{"name": "Red", "units": [fighter()]}, {"name": "Blue", "units": [fighter(id="mira")]}])
    found = fracas.sweep(document, both, n=1)
    names = [side["units"][0]["name"] for side in fracas.load(document).document["sides"]]
    assert [each.label for each in found.fields] == [f"Red, {names[0]}: attack", f"Blue, {names[1]}: attack"]
    assert [each.label for each in fracas.sweep(document, both[:1], n=1).fields] == ["attack"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1200, "1,200"),
        (0.1, "0.1"),
        (True, "true"),
        ("aggressive", "aggressive"),
        (["mages"], '["mages"]'),
        ({"attack": 3}, '{"attack":3}'),
        ({"id": "x", "name": "Scout", "what": "x" * 90}, "Scout"),
        ({str(number): "x" * 9 for number in range(9)}, "a table of 9 keys"),
        ("x" * 99, "x" * 59 + "…"),
    ],
)
def test_a_value_is_told_in_few_words(value, text):
    assert value_text(value) == text
