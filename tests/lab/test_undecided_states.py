"""Battles played on from where counting stopped end as often as they would; what is decided counts as it is."""

from __future__ import annotations

import math
import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import fracas
from fracas.kernel import dice, enumerating_dice
from fracas.kernel.enumerating_dice import REALS, branching_t
from fracas.lab.exact import undecided_states
from fracas.lab.exact.state_enumeration import ONE, enumerate_states
from fracas.lab.exact.undecided_states import _at
from fracas.lab.studies.odds import find_odds
from fracas.rulesets.delve.rules.rolls import roll_attack

GOLDEN = Path(__file__).parents[1] / "golden" / "odds"
SMALL = GOLDEN / "squads" / "two-scouts-and-a-knight.toml"
SIGMAS = 4


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


def drawing():
    die = np.zeros(1, branching_t)[0]
    die.draws = 1
    die.key[:] = 7
    return die


@pytest.mark.parametrize(
    ("roll", "wanted"),
    [
        (lambda die: dice.below(die, 3), {0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3)}),
        (lambda die: dice.d100_within(die, 30) <= 30, {True: Fraction(3, 10), False: Fraction(7, 10)}),
        (lambda die: dice.unit_within(die, 0.25) < 0.25, {True: Fraction(1, 4), False: Fraction(3, 4)}),
        (lambda die: dice.pick(die, np.array([0, 2, 0, 3])), {1: Fraction(2, 5), 3: Fraction(3, 5)}),
        (lambda die: dice.word(die) & 1, {0: Fraction(1, 2), 1: Fraction(1, 2)}),
        (lambda die: dice.unit(die) < 0.25, {True: Fraction(1, 4), False: Fraction(3, 4)}),
        # Luck 0 and a chance of 40: 1 to 5 are critical, 96 to 100 are fumbles.
        (
            lambda die: roll_attack(die, 0, 40),
            {5: Fraction(5, 100), 40: Fraction(35, 100), 95: Fraction(55, 100), 100: Fraction(5, 100)},
        ),
    ],
)
def test_a_roll_is_drawn_by_its_weight(roll, wanted):
    die, times = drawing(), 2000
    drawn = [roll(die) for _ in range(times)]
    assert set(drawn) == set(wanted)
    for answer, share in wanted.items():
        deviation = math.sqrt(times * share * (1 - share))
        assert abs(drawn.count(answer) - times * share) < SIGMAS * deviation
    assert die.refused == 0
    assert die.made == 0


def test_words_that_are_drawn_are_those_of_chacha8():
    die, ordinary = drawing(), np.zeros(1, dice.dice_t)[0]
    ordinary.key[:] = 7
    dice.seek_stream(ordinary, 0)
    words = [enumerating_dice.draw_word(die) for _ in range(600)]
    assert words[0] == dice.word(ordinary)
    # A block's sixteen words, and sixteen blocks after that, are not the same again.
    assert len(set(words)) > 590


def levies():
    document = tomllib.loads((GOLDEN / "stacks" / "levy-against-levy.toml").read_text())
    document["stacks"][0]["units"] = [{"type": "fork_levy", "health": 1}]
    document["stacks"][1]["units"] = [{"type": "fork_levy", "health": 3}]
    return document


def titans():
    document = tomllib.loads((GOLDEN / "titans" / "first-blow.toml").read_text())
    for player in document["players"]:
        player["titan"]["hp"] = 4
        player["titan"]["attack"] = 4
    document["options"] = {"round_cap": 3}
    return document


@pytest.mark.parametrize(
    ("battle", "battles", "jit"),
    [
        (SMALL, 300, "0"),
        # Plain, a battle of delve takes a tenth of a second.
        (GOLDEN / "delve/one-breath-each.toml", 150, "1"),
        (GOLDEN / "relics/flail-against-pistol.toml", 150, "0"),
        (levies(), 300, "0"),
        (titans(), 300, "0"),
    ],
    ids=["squads", "delve", "relics", "stacks", "titans"],
)
def test_battles_that_go_on_end_as_often_as_they_would(battle, battles, jit, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", jit)
    scenario = fracas.load(battle)
    right = enumerate_states(scenario)
    assert right.is_complete
    ways = enumerate_states(scenario, right.states // 2)
    undecided = ways.undecided
    assert undecided is not None
    assert undecided.chance + ways.resolved_mass == ONE
    endings = undecided.play_on(battles, "a")
    assert endings.total() == battles
    assert set(endings) <= set(right.endings)
    for winner in (0, 1, 2):
        whole, decided = (
            sum(chance for (who, *_), chance in each.endings.items() if who == winner) for each in (right, ways)
        )
        share = (whole - decided) / undecided.chance
        found = sum(times for (who, *_), times in endings.items() if who == winner)
        deviation = math.sqrt(battles * share * (1 - share))
        assert abs(found - battles * share) <= SIGMAS * deviation + 1e-9


def test_the_same_seed_plays_the_same_battles(monkeypatch):
    def found(seed):
        undecided = enumerate_states(fracas.load(SMALL), 70).undecided
        assert undecided is not None
        return undecided.play_on(50, seed)

    once = found("a")
    monkeypatch.setattr(undecided_states, "PAGE", 7)
    assert found("a") == once
    assert found("b") != once


def test_a_state_is_drawn_by_its_chance():
    groups = [{b"a": 2, b"b": 1}, {}, {b"c": 3}]
    assert list(_at(range(6), groups)) == [b"a", b"a", b"b", b"c", b"c", b"c"]
    assert list(_at([1, 1, 5], groups)) == [b"a", b"a", b"c"]


def test_what_is_decided_is_not_simulated(monkeypatch):
    monkeypatch.setattr("fracas.lab.simulation.simulate.DEFAULT_BATTLES", 300)
    scenario = fracas.load(SMALL)
    truth = find_odds(scenario)
    found = find_odds(scenario, budget=141)
    assert found.method == "simulation"
    assert found.exact is not None
    assert found.exact.played_on == 300
    for side, exact in zip(found.sides, truth.sides, strict=True):
        low, high = side.win.interval95
        # Of 300 whole battles it would be more than 0.1 wide.
        assert low - 1e-9 <= exact.win.share <= high + 1e-9
        assert high - low < 0.1
        assert abs(side.win.share - exact.win.share) < 0.05
    assert sum(found.reasons.values()) == pytest.approx(1)
    assert found.rounds.mean == pytest.approx(truth.rounds.mean, rel=0.1)
    assert 0 < found.decided < 1


def test_where_nothing_is_decided_whole_battles_are_simulated(monkeypatch):
    monkeypatch.setattr("fracas.lab.simulation.simulate.DEFAULT_BATTLES", 30)
    found = find_odds(fracas.load(SMALL), budget=40)
    assert found.decided < 0.01
    assert found.exact is None or found.exact.played_on == 0


def test_chances_of_a_roll_reach_all_of_its_number():
    assert enumerating_dice.draw_below(drawing(), REALS) > 2**33
    assert enumerating_dice.draw_below(drawing(), 1) == 0
