"""Searches: planted answers are found, culling is fair, the last word is said by what nobody has seen."""

from __future__ import annotations

import json
import sys
from itertools import pairwise

import numpy as np
import pytest
from tests.helpers.fields import Field, numbers
from tests.helpers.scenarios import duel, fighter, problems_of

import fracas
from fracas.lab.search import candidate_race as searching
from fracas.lab.search.candidate_race import BattleBudget, Candidate, CandidateEvaluator, evaluate_one, race, survivors
from fracas.lab.search.final_test import IMPROVED, UNUSED
from fracas.lab.search.local_search import Polisher
from fracas.lab.search.optimise import optimise
from fracas.lab.search.optimise_result import SearchSettings
from fracas.lab.studies.roster import Entrant
from fracas.rulesets.contract.analysis import Dimension
from fracas.rulesets.squads.analysis.lab_hooks import LabHooks

UNIT = ("sides", "0", "units", "0")
LARGE = SearchSettings(trials=60, budget=4_000_000)


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


def knob(name, values, present=0, side=1, part="strategy"):
    path = ("sides", str(side - 1), "units", "0", name)
    return Dimension(name, part, path, values, [str(value) for value in values], present)


@pytest.fixture
def space(monkeypatch):
    """The knobs that the ruleset answers with: a setter."""

    def put(*knobs):
        monkeypatch.setattr(LabHooks, "search_space", lambda lab, side_ref, folders=(): list(knobs))

    return put


@pytest.fixture
def field(monkeypatch):
    """Chances in place of battles: a setter that returns what is asked for."""

    def put(chance, stop_after=None):
        played = Field(chance, stop_after)
        monkeypatch.setattr(searching, "play_scores", played)
        return played

    return put


def given(**values):
    return fracas.load(duel(**values))


def unit(document, side=1):
    return document["sides"][side - 1]["units"][0]


# What is found.


def by_attack_and_speed(document):
    """Attack 50 and speed 3 are best; HP are beside the point."""
    own = unit(document)
    return 0.4 + (0.2 if own["attack"] == 50 else 0.0) + (0.1 if own["speed"] == 3 else 0.0)


PLANTED = (
    knob("attack", [20, 30, 40, 50, 60]),
    knob("speed", [9, 1, 3, 5]),
    knob("hp", [60, 61, 62]),
)


@pytest.mark.parametrize("trials", [1000, 30])
def test_the_planted_best_is_found_and_nothing_else_is_changed(space, field, trials):
    """Once by trying all combinations, once by searching."""
    space(*PLANTED)
    field(by_attack_and_speed)
    found = optimise(given(), settings=SearchSettings(trials=trials))
    assert found.enumerated is (trials == 1000)
    assert {each.knob: each.value for each in found.changes} == {"attack": 50, "speed": 3}
    assert unit(found.document)["attack"] == 50
    assert unit(found.document)["hp"] == 60
    assert found.is_better
    assert found.final is not None
    assert found.final.gain == pytest.approx(0.3, abs=0.01)
    assert found.final.gain95[0] < 0.3 < found.final.gain95[1]


def test_each_change_is_worth_what_is_lost_without_it(space, field):
    space(*PLANTED)
    field(by_attack_and_speed)
    found = optimise(given())
    worths = {each.knob: each.worth for each in found.changes}
    assert worths == pytest.approx({"attack": 0.2, "speed": 0.1}, abs=0.02)
    for each in found.changes:
        assert each.worth is not None
        assert each.worth95 is not None
        assert each.worth95[0] < each.worth < each.worth95[1]


def test_a_large_space_is_searched_not_enumerated(space, field):
    many = [knob(name, list(range(1, 11)), 4) for name in ("attack", "defense", "hp", "speed")]
    space(*many)
    field(lambda document: 0.3 + sum(unit(document)[each.name] for each in many) / 100)
    found = optimise(given(), settings=LARGE)
    assert not found.enumerated
    assert found.combinations == 10_000
    assert found.stages[0].candidates == 60
    assert found.leaders[0].share > 0.3 + 4 * 8 / 100


def test_equal_seeds_find_equal_things_and_others_look_elsewhere(space, field):
    space(*(knob(name, list(range(1, 11)), 4) for name in ("attack", "defense", "hp", "speed")))

    def tried(seed):
        played = field(lambda document: 0.3 + unit(document)["attack"] / 50)
        found = optimise(given(), settings=LARGE, search_seed=seed)
        return json.dumps(found.as_json()), [(json.dumps(unit(document)), *rest) for document, *rest in played.calls]

    one, again, two = map(tried, ("one", "one", "two"))
    assert one == again
    assert one[1] != two[1]


def test_the_search_seed_comes_from_the_scenarios(space, field):
    space(*PLANTED)
    field(by_attack_and_speed)
    assert optimise(given(seed="x")).search_seed == "x/optimise"


def test_the_second_side_is_searched_for_its_own_good(space, field):
    space(knob("attack", [20, 50], side=2))
    field(lambda document: 0.7 if unit(document, 2)["attack"] == 20 else 0.4)
    found = optimise(given(), side=2)
    assert unit(found.document, 2)["attack"] == 50
    assert unit(found.document, 1)["attack"] == 20
    assert found.final is not None
    assert found.final.gain == pytest.approx(0.3, abs=0.02)


def test_nothing_better_is_an_answer(space, field):
    space(knob("attack", [20, 50]))
    field(lambda document: 0.5 if unit(document)["attack"] == 20 else 0.4)
    found = optimise(given())
    assert found.changes == []
    assert found.final is None
    assert not found.is_better


def test_what_makes_no_difference_is_taken_back(space, field):
    space(knob("attack", [20, 21, 22, 23]), knob("hp", [60, 61, 62]))
    field(lambda document: 0.5)
    assert optimise(given()).changes == []


def test_without_luck_one_battle_says_it_all(space, field):
    space(knob("attack", [20, 50]))
    field(lambda document: 1.0 if unit(document)["attack"] == 50 else 0.0)
    found = optimise(given())
    assert found.final is not None
    assert found.final.deterministic
    assert found.is_better
    assert found.final.gain95 == (1.0, 1.0)


# Opponents.


def opponent(name, attack):
    document = duel()
    document["sides"][0]["units"] = [fighter(name, attack=attack)]
    return Entrant(name, fracas.load(document))


def other(document):
    """Who sits on the other side."""
    return unit(document, 2)["id"].split("-")[0]


def test_opponents_held_out_are_not_seen_before_the_end(space, field):
    space(knob("attack", [20, 50]))
    played = field(lambda document: 0.6 if unit(document)["attack"] == 50 else 0.5)
    known, unseen = opponent("anna", 21), opponent("ben", 22)
    found = optimise(given(), against=[known], held_out=[unseen])
    for document, start, _ in played.calls:
        if other(document) == "ben":
            assert start >= UNUSED
        if start < UNUSED:
            assert other(document) == "anna"
    starts = {other(document): start for document, start, _ in played.calls if start >= UNUSED}
    assert starts["anna"] != starts["ben"]
    assert found.final is not None
    assert [(row.opponent, row.held_out) for row in found.final.opponents] == [("anna", False), ("ben", True)]
    assert found.final.pairs == found.final.opponents[1].pairs == SearchSettings().pairs


def test_what_only_helps_against_known_opponents_is_no_improvement(space, field):
    """The search overfits, and the opponent that was held out tells."""
    space(knob("attack", [20, 50]))

    def chance(document):
        change = 0.2 if unit(document)["attack"] == 50 else 0.0
        return 0.5 + (change if other(document) == "anna" else -change)

    field(chance)
    found = optimise(given(), against=[opponent("anna", 21)], held_out=[opponent("ben", 22)])
    assert [each.knob for each in found.changes] == ["attack"]
    assert not found.is_better
    assert found.final is not None
    assert found.final.verdict == "given"
    assert found.final.opponents[0].gain == pytest.approx(0.2, abs=0.02)
    assert found.final.gain == pytest.approx(-0.2, abs=0.02)


def test_the_streams_of_the_end_are_unused_before(space, field):
    space(knob("attack", [20, 50]))
    played = field(lambda document: 0.6 if unit(document)["attack"] == 50 else 0.5)
    optimise(given())
    searched = [start + count for _, start, count in played.calls if start < UNUSED]
    assert max(searched) < UNUSED
    assert min(start for _, start, _ in played.calls if start >= UNUSED) == UNUSED


def test_many_opponents_count_alike(space, field):
    space(knob("attack", [20, 50]))

    def chance(document):
        if unit(document)["attack"] == 20:
            return 0.5
        return 0.9 if other(document) == "anna" else 0.2

    field(chance)
    found = optimise(given(), against=[opponent("anna", 21), opponent("ben", 22), opponent("cleo", 23)])
    assert found.changes == []


def test_the_second_side_meets_others_under_the_given_rules(space, field):
    space(knob("attack", [20, 50], side=2))
    played = field(lambda document: 0.5)
    stranger = opponent("anna", 21)
    optimise(given(options={"round_cap": 9}), side=2, against=[stranger])
    for document, _, _ in played.calls:
        assert document["options"]["round_cap"] == 9
        assert unit(document, 1)["id"].startswith("anna")
        assert unit(document, 2)["id"].startswith("mira")


# Measuring and culling.


def candidate(chance, streams, choices=(0,)):
    points = np.where(numbers(0, streams) < chance, 2, 0).astype(np.int32)
    return Candidate(choices, points)


def test_who_is_surely_behind_drops_out_and_who_may_be_level_stays():
    best, level, behind = candidate(0.6, 4000), candidate(0.5998, 4000, (1,)), candidate(0.5, 4000, (2,))
    assert survivors([behind, level, best]) == [best, level]
    assert survivors([behind]) == [behind]


def test_pairs_are_of_streams_that_both_have():
    short, long = candidate(0.6, 1000), candidate(0.6, 4000, (1,))
    assert long.gain_over(short) == (0.0, pytest.approx((-0.0, 0.0), abs=0.01))


def test_a_candidate_is_measured_until_it_is_as_sure_as_wanted(space, field):
    space(knob("attack", [20, 50]))
    field(lambda document: 0.5)
    scenario = given()
    ground = CandidateEvaluator(scenario, 1, scenario.ruleset.analysis.search_space(None), [Entrant("b", scenario, 2)])
    one = ground.candidate((0,))
    evaluate_one(ground, one, None, 0.01, BattleBudget(10**6))
    assert 0.008 < one.half_width <= 0.01
    assert one.streams == ground.battles
    again = ground.candidate((0,))
    ground.measure(again, one.streams, BattleBudget(10**6))
    assert again.points.tolist() == one.points.tolist()


def test_a_race_narrows_until_one_is_left_or_all_are_sure(space, field):
    space(knob("attack", [20, 30, 40, 50]))
    chances = {20: 0.5, 30: 0.6, 40: 0.61, 50: 0.6105}
    field(lambda document: chances[unit(document)["attack"]])
    scenario = given()
    ground = CandidateEvaluator(scenario, 1, scenario.ruleset.analysis.search_space(None), [Entrant("b", scenario, 2)])
    everybody = [ground.candidate((place,)) for place in range(4)]
    for each in everybody:
        ground.measure(each, 1024, BattleBudget(10**9))
    alive, stage = race(ground, everybody, 0.002, 3, BattleBudget(10**9), lambda alive: None)
    assert [each.choices for each in alive] in ([(3,)], [(3,), (2,)])
    assert (stage.candidates, stage.survivors, stage.cut) == (4, len(alive), False)
    # What dropped out was not measured to the end.
    assert everybody[0].streams < everybody[3].streams


@pytest.mark.parametrize("keep", [1, 2, 4])
def test_a_race_without_budget_says_so_however_few_it_keeps(keep, space, field):
    space(knob("attack", [20, 30, 40, 50]))
    field(lambda document: 0.5 + unit(document)["attack"] / 1e6)
    scenario = given()
    ground = CandidateEvaluator(scenario, 1, scenario.ruleset.analysis.search_space(None), [Entrant("b", scenario, 2)])
    everybody = [ground.candidate((place,)) for place in range(4)]
    for each in everybody:
        ground.measure(each, 256, BattleBudget(10**9))
    alive, stage = race(ground, everybody, 0.0001, keep, BattleBudget(1_000), lambda alive: None)
    assert (len(alive), stage.survivors, stage.cut) == (keep, keep, True)


def test_the_budget_ends_a_stage_and_it_says_so(space, field):
    space(knob("attack", [20, 30, 40, 50]))
    field(lambda document: 0.5 + unit(document)["attack"] / 1e6)
    found = optimise(given(), settings=SearchSettings(budget=40_000))
    assert found.stages[1].cut
    assert sum(stage.battles for stage in found.stages) <= 50_000
    assert found.stages[-1].reached is not None
    assert found.stages[-1].reached > found.stages[-1].half_width


def test_stages_narrow_down(space, field):
    space(knob("attack", list(range(1, 41)), 19))
    field(lambda document: 0.5 + unit(document)["attack"] / 4000)
    found = optimise(given(), settings=SearchSettings(budget=10**7))
    counts = [(stage.candidates, stage.survivors) for stage in found.stages]
    assert counts[0][0] == 40
    assert counts[0][1] <= 8
    assert all(earlier[1] == later[0] for earlier, later in pairwise(counts))
    assert [stage.half_width for stage in found.stages] == [0.01, 0.002, 0.0005]


# Ctrl-C.


def test_ctrl_c_gives_the_best_so_far_and_proves_nothing(space, field):
    space(*PLANTED)
    field(by_attack_and_speed, stop_after=40)
    found = optimise(given())
    assert found.interrupted
    assert found.leaders[0].share == max(each.share for each in found.leaders)
    assert found.final is None
    assert json.loads(json.dumps(found.as_json()))["interrupted"] is True


def test_ctrl_c_at_once_gives_the_given_one(space, field):
    space(*PLANTED)
    field(by_attack_and_speed, stop_after=0)
    found = optimise(given())
    assert (found.interrupted, found.changes, found.stages) == (True, [], [])


# What is refused.


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"side": 3}, "--side"),
        ({"part": "strategie"}, "--part"),
        ({"part": "line-up"}, "--part"),
        ({"settings": SearchSettings(trials=0)}, "--trials"),
        ({"settings": SearchSettings(budget=0)}, "--budget"),
        ({"settings": SearchSettings(pairs=0)}, "--pairs"),
        ({"settings": SearchSettings(delta=0.9)}, "--delta"),
        ({"settings": SearchSettings(stages=())}, "--stages"),
        ({"settings": SearchSettings(stages=(1.0, 2.0), keep=(1,))}, "--stages"),
        ({"settings": SearchSettings(stages=(60.0,), keep=())}, "--stages"),
        ({"settings": SearchSettings(stages=(1.0, 0.5), keep=())}, "--keep"),
        ({"settings": SearchSettings(stages=(1.0, 0.5), keep=(0,))}, "--keep"),
        ({"threads": 0}, "--threads"),
    ],
)
def test_what_cannot_be_meant(space, options, where):
    space(*PLANTED)
    assert problems_of(optimise, given(), **options)[0].where == where


def test_a_part_that_is_meant_is_suggested():
    (problem,) = problems_of(optimise, given(), part="strategi")
    assert "strategy" in str(problem.suggestion)


def test_opponents_of_another_ruleset_are_refused(space):
    space(*PLANTED)
    stranger = Entrant("Duel", fracas.load("examples/relics/first-duel.toml"))
    assert "relics" in problems_of(optimise, given(), against=[stranger])[0].message


def test_without_the_optimiser_small_spaces_are_tried_and_large_ones_name_the_extra(space, field, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    space(*PLANTED)
    field(by_attack_and_speed)
    assert optimise(given()).is_better
    (problem,) = problems_of(optimise, given(), settings=SearchSettings(trials=5))
    assert problem.suggestion == "pip install 'fracas[lab]'"


# With real battles.


def test_the_strategy_of_a_real_battle_gets_better(monkeypatch):
    """Compiled, because even few battles are too many for plain Python."""
    monkeypatch.delenv("FRACAS_JIT")
    document = duel()
    document["sides"][0]["strategy"] = {"formation": "defensive", "abilities": {"fireball": {"when": "not always"}}}
    found = optimise(fracas.load(document), settings=SearchSettings(trials=24, stages=(3.0,), keep=(), budget=60_000))
    assert found.is_better
    assert found.final is not None
    assert found.final.verdict == IMPROVED
    improved = fracas.load(found.document)
    shares = [fracas.simulate(each, n=20_000).shares[0] for each in (found.given, improved)]
    assert shares[1] - shares[0] == pytest.approx(found.final.gain, abs=0.02)


# Single knobs at the end.


def polished(space, field, knobs, chance, **settings):
    space(*knobs)
    field(chance)
    return optimise(given(), settings=SearchSettings(**{"trials": 4, "budget": 4_000_000} | settings))


# Seven values of each around the one that is given.
MANY = [
    knob(name, list(range(value - 3, value + 4)), 3)
    for name, value in (("attack", 20), ("defense", 4), ("hp", 60), ("speed", 9))
]


def test_no_single_turn_is_left_that_is_better(space, field):
    """Four candidates find nothing of it; the passes find all of it."""
    found = polished(space, field, MANY, lambda document: sum(unit(document)[each.name] for each in MANY) / 100 - 0.4)
    assert [unit(found.document)[each.name] for each in MANY] == [23, 7, 63, 12]
    assert found.polish is not None
    assert found.polish.taken >= 4
    assert not found.polish.cut
    assert found.as_json()["polish"]["restarts"] == 3


def test_another_start_gets_over_a_ditch(space, field):
    """No single turn leads on from attack 26 with 56 HP; from the given choices HP alone do."""

    def chance(document):
        above = unit(document)["hp"] - 56
        return {26: 0.74 - above / 20, 20: 0.5 + above / 25}.get(unit(document)["attack"], 0.2)

    knobs = [knob("attack", list(range(19, 27)), 1), knob("hp", list(range(56, 66)), 4)]
    space(*knobs)
    field(chance)
    ground = CandidateEvaluator(given(), 1, knobs, [Entrant("other", given(), 2)])
    polisher = Polisher(ground, "seed", {}, BattleBudget(10**6), lambda text: None)
    best = polisher.run(ground.candidate((7, 0)))
    assert best.choices == (1, 9)


def test_a_budget_that_is_spent_before_the_last_pass_is_told(space, field):
    found = polished(space, field, MANY, lambda document: unit(document)["attack"] / 500 + 0.4, budget=30_000)
    assert found.polish is not None
    assert found.polish.cut
    assert found.polish.battles < 60_000


def test_a_change_that_is_surely_worth_nothing_much_is_taken_back(space, field):
    """One change is worth 20 points, one a twentieth of a point, one nothing."""
    knobs = [knob("attack", [20, 50]), knob("hp", [60, 61]), knob("speed", [9, 8])]

    def chance(document):
        own = unit(document)
        return 0.4 + 0.2 * (own["attack"] == 50) + 0.0005 * (own["hp"] == 61)

    for seed in ("a", "b", "c"):
        space(*knobs)
        field(chance)
        found = optimise(given(), search_seed=seed, settings=SearchSettings(budget=400_000))
        assert [each.knob for each in found.changes] == ["attack"]
