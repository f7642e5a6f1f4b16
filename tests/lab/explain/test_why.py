"""Why a battle was lost: odds at every round, luck and decisions, the turning point, the best change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.helpers.relics import battle as relics_battle
from tests.helpers.scenarios import duel, fighter, problems_of

import fracas
from fracas.engine.scenario import Scenario
from fracas.kernel.snapshots import as_words, mutable_spans
from fracas.lab.explain import why as whys
from fracas.lab.explain.rollouts import BRANCH, RolloutRunner
from fracas.lab.explain.why import why
from fracas.lab.explain.why_result import Why
from fracas.lab.simulation.scores import ScoreSample, play_scores, with_document
from fracas.rulesets.contract.analysis import AnalysisHooks, Dimension, SideRef
from fracas.rulesets.shared.seeds import key_words
from fracas.rulesets.squads.analysis.lab_hooks import LabHooks

N = 64


def attack_of(side: int, *values: int) -> Dimension:
    """A knob that no strategy has, and whose worth is plain: how hard the unit strikes."""
    path = ("sides", str(side - 1), "units", "0", "attack")
    return Dimension("attack", "strategy", path, (20, *values), [str(value) for value in (20, *values)], 0)


@pytest.fixture(scope="module", autouse=True)
def few_knobs() -> Iterator[None]:
    """Something that helps, something that helps more, something that harms."""

    def knobs(self: AnalysisHooks, side_ref: SideRef, folders: Any = ()) -> list[Dimension]:
        return [attack_of(side_ref.side, 21, 22, 10)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LabHooks, "search_space", knobs)
        yield


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return fracas.load(duel())


def figures(found: Any) -> dict[str, Any]:
    """A document without what may differ from run to run."""
    document: dict[str, Any] = json.loads(json.dumps(found.as_json()))
    del document["timing"]
    return document


@pytest.fixture(scope="module")
def found(scenario: Scenario, few_knobs: None) -> Why:
    return why(scenario, 3, N)


def test_the_first_odds_are_those_of_whole_battles(scenario, found):
    """In squads nothing is rolled before the first round, so the first branch is the battle under the other seed."""
    whole = play_scores(scenario.with_seed(scenario.seed + BRANCH), N)
    assert found.standings[0].odds[0] == whole.mean


def test_changes_add_up_from_the_first_odds_to_the_outcome(found):
    first = found.standings[0].odds[0]
    end = {0: 0.5, 1: 1.0, 2: 0.0}[found.battle.winner]
    assert first + sum(standing.change[0] for standing in found.standings) == pytest.approx(end)
    for standing in found.standings:
        assert standing.luck[0] + standing.decision[0] == pytest.approx(standing.change[0])
    assert [standing.place for standing in found.standings] == [
        f"round {number + 1}" for number in range(found.battle.rounds)
    ]


def test_odds_have_intervals_around_them(found):
    for standing in found.standings:
        low, high = standing.interval95[0]
        assert 0 <= low <= standing.odds[0] <= high <= 1
        assert low < high


def test_a_strategy_that_leaves_nothing_to_chance_has_luck_alone(found):
    assert [standing.decision for standing in found.standings] == [(0.0, 0.0)] * len(found.standings)


def test_what_a_choice_left_to_chance_changes_is_a_decisions_part():
    """Of two enemies one is nearly dead from the start: whom chance chooses decides."""
    orders = {"abilities": {name: {"when": "not always"} for name in ("fireball", "falling_sky")}}
    aimed = {**orders["abilities"], "basic_attack": {"target": "random"}}
    sides = [
        {"units": [fighter("kael", hp=40)], "strategy": {"abilities": aimed}},
        {"units": [fighter("weak", hp=8, attack=30), fighter("strong", hp=40, attack=8)], "strategy": orders},
    ]
    found = why(fracas.load(duel(sides=sides)), 0, N)
    assert any(standing.decision[0] for standing in found.standings)
    for standing in found.standings:
        assert standing.luck[0] + standing.decision[0] == pytest.approx(standing.change[0])


def outcomes(scenario: Scenario, moment: Any, place: tuple[int, ...], first: int, end: int) -> Any:
    """Side 1's scores of a branch, straight from the kernels."""
    kernels, records = scenario.ruleset.kernels, scenario.compiled.record.copy()
    records[0].dice.key[:] = key_words(scenario.seed + "/why")
    spans = mutable_spans(records.dtype, kernels.constant_fields)
    results = np.zeros(end - first, kernels.result_type)
    where = np.array(place, np.int64)
    assert kernels.resume_many is not None
    kernels.resume_many(records, as_words(records), moment.snapshot, spans, first, results, where, None)
    return scenario.ruleset.analysis.score(results) / 2


def test_a_decision_costs_what_its_best_choice_gains_on_the_other_half(scenario, found):
    moments = scenario.ruleset.analysis.decision_points(scenario.compiled, scenario.document, 3)
    assert found.decisions
    for weighed in found.decisions:
        moment = next(
            each
            for each in moments
            if each.decision and each.tick == weighed.tick and each.decision.side == weighed.side
        )
        assert moment.decision is not None
        labels = {choice.label: choice.resume_at for choice in moment.decision.choices}
        assert weighed.chosen == moment.decision.choices[moment.decision.chosen].label
        chosen, best = (
            outcomes(scenario, moment, labels[label], N // 2, N).mean() for label in (weighed.chosen, weighed.best)
        )
        sign = 1 if weighed.side == 1 else -1
        assert weighed.cost == pytest.approx(sign * (best - chosen))
        low, high = weighed.cost95
        assert low <= weighed.cost <= high


def test_the_costly_decisions_stand_in_their_order(found):
    sides = [weighed.side for weighed in found.decisions]
    assert sides == sorted(sides, key=lambda side: side != found.loser)
    for side in (1, 2):
        costs = [weighed.cost for weighed in found.decisions if weighed.side == side]
        assert costs == sorted(costs, reverse=True)
    assert found.weighed >= len(found.decisions)


def test_the_turning_point_is_the_losers_largest_fall(found):
    point = found.turning_point
    sign = 1 if found.loser == 1 else -1
    falls = {standing.place: -sign * standing.change[0] for standing in found.standings}
    assert point.side == found.loser
    assert falls[point.place] == max(falls.values()) == pytest.approx(point.before - point.after)
    assert point.story[0].strip().startswith(point.place.capitalize())
    assert point.turn is None or point.turn.before > point.turn.after


def with_attack(scenario: Scenario, side: int, value: int) -> Any:
    return scenario.ruleset.analysis.with_choices(scenario.document, [(attack_of(side, value), 1)])


def odds_of_loser(played: ScoreSample, found: Why) -> float:
    return played.mean if found.loser == 1 else 1 - played.mean


def test_the_best_change_is_measured_on_battles_that_did_not_choose_it(scenario, found):
    change = found.best_change
    values = ("20", "21", "22", "10")
    others = [with_document(scenario, with_attack(scenario, found.loser, int(value))) for value in values]
    choosing, measuring = (
        [
            odds_of_loser(play_scores(each.with_seed(scenario.seed + BRANCH), N // 2, start=start), found)
            for each in others
        ]
        for start in (0, N // 2)
    )
    best = choosing.index(max(choosing))
    assert best > 0
    assert (change.name, change.before, change.after) == ("attack", "20", values[best])
    assert change.odds == pytest.approx(measuring[0])
    assert change.changed_odds == pytest.approx(measuring[best])
    assert change.gain == pytest.approx(measuring[best] - measuring[0])
    assert change.same_dice_winner == fracas.run(others[best], stream=3).winner
    (search,) = found.searches
    assert (search.side, search.tried, search.possible) == (found.loser, 3, 3)


def test_a_change_that_only_looked_better_is_measured_as_what_it_is(scenario, monkeypatch):
    """The negative control: nothing but noise to choose from, and the measured gain is not the one that chose it."""
    monkeypatch.setattr(
        LabHooks, "search_space", lambda self, side_ref, folders=(): [attack_of(side_ref.side, 10, 12, 14)]
    )
    (search,) = why(scenario, 3, N).searches
    assert search.best is None or search.best.gain95[0] <= 0


def test_a_draw_is_explained_to_both():
    found = why(fracas.load(duel(options={"round_cap": 1})), 0, N)
    assert found.battle.winner == 0
    assert found.loser is None
    assert [search.side for search in found.searches] == [1, 2]
    assert found.standings[-1].after == 0.5


def test_a_battle_without_luck_says_so(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    scenario = fracas.load(relics_battle({"name": "Keen", "weapon": "boomstick", "items": []}))
    monkeypatch.setattr(type(scenario.ruleset.analysis), "search_space", lambda self, side_ref, folders=(): [])
    found = why(scenario, 0, N)
    assert found.deterministic
    assert found.turning_point is None
    end = {0: 0.5, 1: 1.0, 2: 0.0}[found.battle.winner]
    for standing in found.standings:
        assert standing.odds[0] == end
        assert standing.interval95[0] == (end, end)


def test_threads_change_no_figure(scenario, found, monkeypatch):
    monkeypatch.setattr("fracas.lab.explain.rollouts.thread_count", lambda threads: 3)
    assert figures(why(scenario, 3, N)) == figures(found)


def test_branches_are_the_same_in_pieces(scenario, monkeypatch):
    brancher = RolloutRunner(scenario, planned=1, threads=1, notice=None)
    whole = brancher.outcomes(brancher.from_start(scenario), 5, 28)
    monkeypatch.setattr("fracas.lab.explain.rollouts.PIECE", 4)
    pieces = brancher.outcomes(brancher.from_start(scenario), 5, 28)
    assert len(whole.scores) == 23
    assert len(set(whole.scores.tolist())) > 1
    assert pieces.scores.tolist() == whole.scores.tolist()


@pytest.mark.parametrize("calls", [1, 4, 12, 30])
def test_an_interruption_leaves_what_is_whole(scenario, found, calls):
    done = 0

    def stop(*_: Any) -> None:
        nonlocal done
        done += 1
        if done > calls:
            raise KeyboardInterrupt

    part = why(scenario, 3, N, steps=stop)
    assert part.interrupted
    assert part.searches == []
    odds = [standing.odds for standing in found.standings]
    assert [standing.odds for standing in part.standings] == odds[: len(part.standings)]
    assert len(part.standings) <= min(calls, len(odds))


def test_a_ruleset_that_has_no_answer_is_refused_in_a_sentence(scenario, monkeypatch):
    monkeypatch.setattr(type(scenario.ruleset), "kernels", replace(scenario.ruleset.kernels, resume_many=None))
    (problem,) = problems_of(why, scenario, 0, N)
    assert "not available for this ruleset (squads)" in str(problem)


def test_without_a_search_the_rest_is_explained(scenario, monkeypatch):
    monkeypatch.setattr(LabHooks, "search_space", AnalysisHooks.search_space)
    found = why(scenario, 3, N)
    assert found.best_change is None
    assert "not available" in (found.searches[0].refusal or "")
    assert found.standings


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"n": 31}, "-n"),
        ({"n": 10**6 + 1}, "-n"),
        ({"n": 64.5}, "-n"),
        ({"stream": -1}, "--stream"),
        ({"stream": 2**63}, "--stream"),
        ({"threads": 0}, "--threads"),
        ({"part": "stratagy"}, "--part"),
    ],
)
def test_what_cannot_be_meant_is_refused(scenario, asked, said):
    (problem,) = problems_of(why, scenario, **asked)
    assert said in problem.where


def test_a_great_many_choices_are_looked_at_under_fewer_streams(scenario, monkeypatch):
    inquiry = whys._Explainer(fracas.run(scenario), [], 1_000, None, "", [], None)  # type: ignore[arg-type]
    assert inquiry.first_streams(10) == 125
    assert inquiry.first_streams(2_000) == 50
    assert inquiry.first_streams(10**6) == whys.LEAST_STREAMS
