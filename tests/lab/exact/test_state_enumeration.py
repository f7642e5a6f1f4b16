"""All ways of a battle: what dice make of rolls, what is taken together, and what is caught if it goes wrong."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import fracas
from fracas.errors import FaultError
from fracas.kernel import dice, enumerating_dice, turn_order
from fracas.kernel.entry_points import enumerator
from fracas.kernel.enumerating_dice import REALS, begin_outcomes, branching_t, next_outcome, outcome_among_equals
from fracas.lab.exact.state_enumeration import ONE, enumerate_states
from fracas.lab.studies.odds import chance_of, find_odds
from fracas.rulesets import registry
from fracas.rulesets.squads.rules import state_enumeration as squads_branching

# 142 states: two equals against two others, critical hits, an order that is settled by ties.
SMALL = Path(__file__).parents[2] / "golden" / "odds" / "squads" / "two-scouts-and-a-knight.toml"


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture(scope="module")
def right():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRACAS_JIT", "0")
        return enumerate_states(fracas.load(SMALL))


def endings(rolls):
    """The chance of each answer of a function of dice, over all ways."""
    die = np.zeros(1, branching_t)[0]
    begin_outcomes(die)
    found: dict[object, Fraction] = {}
    while True:
        answer = rolls(die)
        share = Fraction(1)
        for place in range(die.made):
            share *= Fraction(int(die.weight[place]), int(die.total[place]))
        found[answer] = found.get(answer, Fraction(0)) + share
        if not next_outcome(die):
            assert not die.refused
            return found


@pytest.mark.parametrize(
    ("rolls", "wanted"),
    [
        (lambda die: dice.below(die, 3), {0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3)}),
        (lambda die: dice.below(die, 1), {0: Fraction(1)}),
        (lambda die: dice.between(die, 4, 5), {4: Fraction(1, 2), 5: Fraction(1, 2)}),
        (lambda die: dice.d100(die) <= 30, {True: Fraction(3, 10), False: Fraction(7, 10)}),
        (lambda die: dice.d100_within(die, 30) <= 30, {True: Fraction(3, 10), False: Fraction(7, 10)}),
        (lambda die: dice.d100_within(die, 0) <= 0, {False: Fraction(1)}),
        (lambda die: dice.d100_within(die, 100) <= 100, {True: Fraction(1)}),
        (lambda die: dice.unit_within(die, 0.25) < 0.25, {True: Fraction(1, 4), False: Fraction(3, 4)}),
        (
            lambda die: dice.unit_within(die, 0.1) < 0.1,
            {True: Fraction(900719925474100, REALS), False: 1 - Fraction(900719925474100, REALS)},
        ),
        (
            lambda die: dice.pick(die, np.array([0, 2, 0, 3])),
            {1: Fraction(2, 5), 3: Fraction(3, 5)},
        ),
        (lambda die: dice.pick(die, np.array([0, 2])), {1: Fraction(1)}),
        (lambda die: (dice.below(die, 2), dice.tie_word(die)), {(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 2)}),
        # A later roll that only some ways have.
        (
            lambda die: dice.below(die, 2) and 1 + dice.below(die, 3),
            {0: Fraction(1, 2), 1: Fraction(1, 6), 2: Fraction(1, 6), 3: Fraction(1, 6)},
        ),
        (lambda die: (dice.open_address(die, 1, 2), dice.below(die, 2))[1], {0: Fraction(1, 2), 1: Fraction(1, 2)}),
    ],
)
def test_a_roll_goes_every_way_by_its_weight(rolls, wanted):
    assert endings(rolls) == wanted


def test_words_and_reals_cannot_be_counted_out():
    die = np.zeros(1, branching_t)[0]
    for roll in (dice.word, dice.unit):
        begin_outcomes(die)
        roll(die)
        assert die.refused == 1


def test_ties_are_as_likely_as_they_are_up_to_words_that_tie():
    die = np.zeros(1, branching_t)[0]
    begin_outcomes(die)
    outcome_among_equals(die, 3)
    assert die.slack == 3 / 2**32


def play_by_steps(monkeypatch, step):
    """Let squads' battles be enumerated by another step."""
    kernels = replace(registry.get("squads").kernels, enumerate_step=enumerator(step))
    monkeypatch.setattr(type(registry.get("squads")), "kernels", kernels)


def chances(ways):
    return [sum(weight for (who, _, _), weight in ways.endings.items() if who == winner) for winner in (1, 2, 0)]


def test_chances_add_up_to_one_exactly(right):
    assert right.is_complete
    assert sum(chances(right)) == ONE
    assert right.transitions > right.states > right.steps


def test_the_order_of_equals_is_open(monkeypatch, right):
    monkeypatch.setattr(turn_order, "outcome_among_equals", lambda die, n: 0)
    wrong = enumerate_states(fracas.load(SMALL))
    assert chances(wrong) != chances(right)


def test_a_weight_that_is_wrong_is_a_fault(monkeypatch):
    right = enumerating_dice.weigh
    monkeypatch.setattr(enumerating_dice, "weigh", lambda die, weight, total: right(die, weight + 1, total))
    with pytest.raises(FaultError, match="do not add up to 1"):
        enumerate_states(fracas.load(SMALL))


def test_weights_that_are_left_out_are_seen_in_the_odds(monkeypatch, right):
    monkeypatch.setattr(enumerating_dice, "weigh", lambda die, weight, total: True)
    assert chances(enumerate_states(fracas.load(SMALL))) != chances(right)


def test_states_that_differ_are_not_taken_together(monkeypatch, right):
    squads = registry.get("squads")
    whole = squads.kernels.state_fields
    assert whole is not None

    def careless(battle):
        return [part for part in whole(battle) if part != "units.0"]

    monkeypatch.setattr(type(squads), "kernels", replace(squads.kernels, state_fields=careless))
    assert chances(enumerate_states(fracas.load(SMALL))) != chances(right)


def test_time_that_stands_still_is_a_fault(monkeypatch):
    step = squads_branching.step

    def careless(battle, page):
        step(battle, page)
        page.moment = 0

    play_by_steps(monkeypatch, careless)
    with pytest.raises(FaultError, match="does not advance the time"):
        enumerate_states(fracas.load(SMALL))


def test_a_budget_is_kept(right):
    ways = enumerate_states(fracas.load(SMALL), 50)
    assert not ways.is_complete
    assert ways.stopped == "there are more than 50 states"
    assert enumerate_states(fracas.load(SMALL), right.states).is_complete
    assert not enumerate_states(fracas.load(SMALL), right.states - 1).is_complete


@pytest.mark.parametrize("limit", ["WAYS_OF_A_STATE", "WORK_OF_A_STATE"])
def test_work_is_bounded_within_a_page(monkeypatch, limit, right):
    """A page of states can have millions of ways; what is allowed is looked at after each part of them."""
    monkeypatch.setattr("fracas.lab.exact.state_reader.ROOM", 16)
    scenario, budget = fracas.load(SMALL), right.states
    of_a_way = right.work // right.transitions
    monkeypatch.setattr(f"fracas.lab.exact.state_enumeration.{limit}", 1 if limit == "WAYS_OF_A_STATE" else of_a_way)
    ways = enumerate_states(scenario, budget)
    assert right.transitions > budget + 2 * 16
    assert budget < ways.transitions <= budget + 2 * 16
    assert ("transitions" in ways.stopped) is True
    assert enumerate_states(scenario, budget).work == ways.work


def test_what_was_decided_before_the_budget_was_spent_bounds_the_odds(monkeypatch, right):
    whole = [chance / ONE for chance in chances(right)]
    monkeypatch.setattr("fracas.lab.simulation.simulate.DEFAULT_BATTLES", 40)
    found = find_odds(fracas.load(SMALL), budget=141)
    assert found.method == "simulation"
    assert 0.4 < found.decided < 1
    for side, truth in zip(found.sides, whole, strict=False):
        assert side.win.bounds is not None
        low, high = side.win.bounds
        assert low <= truth <= high
        assert high - low == pytest.approx(1 - found.decided)
        assert low <= side.win.interval95[0] <= side.win.share <= side.win.interval95[1] <= high


@pytest.mark.parametrize(
    ("count", "bounds", "share", "interval"),
    [
        (50, None, 0.5, (0.404, 0.596)),
        (50, (0.45, 0.9), 0.5, (0.45, 0.596)),
        (50, (0.52, 0.53), 0.52, (0.52, 0.53)),
        (10, (0.8, 0.9), 0.8, (0.8, 0.9)),
    ],
)
def test_an_estimate_lies_within_what_is_certain(count, bounds, share, interval):
    chance = chance_of(count, 100, bounds=bounds)
    assert chance.share == pytest.approx(share)
    assert chance.interval95 == pytest.approx(interval, abs=1e-3)


def test_a_rule_that_takes_words_is_told(monkeypatch):
    step = squads_branching.step

    def careless(battle, page):
        step(battle, page)
        dice.word(battle.dice)

    play_by_steps(monkeypatch, careless)
    assert enumerate_states(fracas.load(SMALL)).stopped == "a step has rolls that cannot be enumerated"


def test_after_an_interruption_the_truth_lies_between_the_bounds(monkeypatch, right):
    whole = [chance / ONE for chance in chances(right)]
    monkeypatch.setattr("fracas.lab.exact.state_enumeration.PAGE", 4)

    def stop(ways):
        if ways.resolved_mass > ONE // 10:
            raise KeyboardInterrupt

    found = find_odds(fracas.load(SMALL), watch=stop)
    assert found.interrupted
    assert found.method == "exact"
    low, high = found.sides[0].win.interval95
    assert low < whole[0] < high
    assert high - low == pytest.approx(1 - found.decided)


def test_plug_ins_are_simulated(tmp_path):
    file = tmp_path / "stages.py"
    file.write_text(
        "import fracas\n\n\n@fracas.damage_stage\ndef half(battle, actor, target, value):\n    return value // 2\n"
    )
    document = tomllib.loads(SMALL.read_text())
    document["options"] = {"chain": {"stages": [{"stage": "half"}, {"stage": "minimum"}]}}
    scenario = fracas.load(document, plugins=[file])
    assert enumerate_states(scenario).stopped == "battles with plug-ins cannot be enumerated"
