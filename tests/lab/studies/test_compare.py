"""A against B with the same dice: the pairs as they are, stopped where the test says, by any number of threads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import astuple
from tests.helpers.relics import battle, item
from tests.helpers.scenarios import EXAMPLES, problems_of

import fracas
from fracas.engine.overrides import parse_override
from fracas.lab.simulation.scores import play_scores
from fracas.lab.statistics.sequential_test import NO_DIFFERENCE, UNDECIDED, A, B, SignTest
from fracas.lab.studies import compare as comparing
from fracas.lab.studies.compare import compare
from fracas.lab.studies.compare_result import Comparison
from fracas.lab.studies.overrides import with_overrides

ATTACK = "sides.0.units.0.attack"
STANDARD = EXAMPLES / "standard-5v5.toml"


def with_values(scenario: fracas.Scenario, *changes: str) -> fracas.Scenario:
    return with_overrides(scenario, [parse_override(change) for change in changes])


@pytest.fixture(scope="module")
def standard():
    return fracas.load(STANDARD)


@pytest.fixture(scope="module")
def stronger(standard):
    return with_values(standard, f"{ATTACK}=26")


def counted(found: Comparison) -> Any:
    return json.loads(json.dumps(found.as_json()))


def test_pairs_are_battles_of_the_same_number(standard, stronger):
    found = compare(standard, stronger, 3_000, stop=False)
    one, two = (play_scores(each, 3_000).scores.astype(int) for each in (standard, stronger))
    assert found.pairs == 3_000
    for first in range(3):
        for second in range(3):
            assert found.scores[first][second] == ((one == first) & (two == second)).sum()
    gaps = (two - one) / 2
    assert found.difference == pytest.approx(gaps.mean())
    assert astuple(found.differing) == ((gaps < 0).sum(), (gaps > 0).sum())
    reduction = (one.var() + two.var()) / 4 / gaps.var()
    assert found.variance_reduction == pytest.approx(reduction)
    low, high = found.difference95
    reach = 1.96 * gaps.std() / 3_000**0.5
    assert (low, high) == pytest.approx((gaps.mean() - reach, gaps.mean() + reach), abs=3e-4)
    assert [mark.score for mark in (found.a, found.b)] == pytest.approx([one.mean() / 2, two.mean() / 2])


def test_one_more_attack_in_an_even_fight_varies_a_third_as_much_in_pairs(standard, stronger):
    found = compare(standard, stronger, 8_000, stop=False)
    assert 0.45 < found.a.score < 0.55
    assert found.variance_reduction is not None
    assert found.variance_reduction >= 3


def test_it_stops_with_the_pair_that_decides(standard, stronger):
    found = compare(standard, stronger)
    one, two = (play_scores(each, 4_096).scores for each in (standard, stronger))
    test = SignTest()
    test.add(two - one)
    assert found.verdict == test.verdict == B
    assert found.pairs == found.test.pairs == test.pairs
    assert not found.interrupted


def test_neither_threads_nor_blocks_change_a_figure(standard, monkeypatch):
    other = with_values(standard, "sides.0.units.0.attack=24", "sides.0.units.1.hp=91")
    whole = counted(compare(standard, other, 9_000))
    for threads, block in ((1, 2_048), (3, 64), (2, 5_000)):
        monkeypatch.setattr(comparing, "FIRST_BLOCK", block)
        assert counted(compare(standard, other, 9_000, threads=threads)) == whole


def test_without_stopping_all_pairs_are_played_and_the_verdict_is_the_same(standard, stronger):
    found, whole = compare(standard, stronger), compare(standard, stronger, 6_000, stop=False)
    assert whole.pairs == 6_000 > whole.test.pairs == found.pairs
    assert whole.verdict == found.verdict


def test_running_figures_end_with_the_final_ones(standard, stronger):
    found = compare(standard, stronger, 2_500, stop=False)
    running = counted(found)["running"]
    assert [each[0] for each in running[:4]] == [64, 96, 128, 192]
    assert running[-1] == [2_500, found.difference, *found.difference95]
    first = compare(standard, stronger, 96, stop=False)
    assert running[1] == counted(first)["running"][-1]


def test_the_other_side_sees_the_opposite(standard, stronger):
    red, blue = (compare(standard, stronger, 2_000, side=side, stop=False) for side in (1, 2))
    assert blue.difference == -red.difference
    assert blue.difference95 == pytest.approx((-red.difference95[1], -red.difference95[0]))
    assert (red.verdict, blue.verdict) == (B, A)
    assert (blue.a.wins, blue.a.losses) == (red.a.losses, red.a.wins)


def test_b_is_played_under_the_seed_of_a(standard, stronger):
    assert counted(compare(standard, stronger.with_seed("another"), 500)) == counted(compare(standard, stronger, 500))


def test_too_few_pairs_are_undecided(standard, stronger):
    found = compare(standard, stronger, 30)
    assert (found.verdict, found.pairs) == (UNDECIDED, 30)
    assert found.test.differing == sum(astuple(found.differing)) < found.test.fewest == 95
    assert found.as_json()["test"]["fewest"] == 95


def test_so_many_pairs_as_are_said_to_do_do(standard, stronger):
    """Not always, but where the difference is plain."""
    few = compare(standard, stronger, 60)
    assert few.further is not None
    assert compare(standard, stronger, 2 * few.further).verdict == B
    assert compare(standard, stronger, 2 * few.further).further is None


def test_a_change_that_nothing_notices_has_no_difference_and_an_honest_interval(standard):
    found = compare(standard, with_values(standard, "options.round_cap=49"), 40, stop=False)
    assert found.difference == 0
    assert found.variance_reduction is None
    low, high = found.difference95
    assert low < 0 < high


def without_luck(**left: Any) -> fracas.Scenario:
    """Two who only strike, in turn; the left one first."""
    return fracas.load(battle({"name": "Keen", "weapon": "boomstick", **left}))


@pytest.mark.parametrize(
    ("health", "verdict", "difference"), [(1, A, -1.0), (19, NO_DIFFERENCE, 0.0)], ids=["worse", "the same"]
)
def test_without_luck_one_pair_says_it_all(monkeypatch, health, verdict, difference):
    monkeypatch.setenv("FRACAS_JIT", "0")
    base = without_luck()
    found = compare(base, with_values(base, f"left.stats.health={health}"), 1_000)
    assert (found.deterministic, found.verdict, found.pairs) == (True, verdict, 1_000)
    assert (found.difference, found.difference95) == (difference, (difference, difference))
    assert all(low == mark.score == high for mark in (found.a, found.b) for low, high in [mark.interval95])
    reverse = compare(with_values(base, f"left.stats.health={health}"), base, 1_000)
    assert reverse.verdict == {A: B}.get(verdict, verdict)


def test_luck_in_one_of_the_two_is_luck(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    lucky = item("coin", triggers={"turn_start": [["deal", 2, {"chance": 50}]]})
    found = compare(without_luck(), fracas.load(battle({"name": "Keen", "items": [lucky]})), 40)
    assert not found.deterministic
    assert found.pairs == 40


def test_a_part_of_another_file_is_what_b_fights_with(standard):
    found = fracas.compare(standard, parts={"strategy": EXAMPLES / "border-clash.toml"}, n=500)
    strategy = fracas.load(EXAMPLES / "border-clash.toml").document["sides"][0]["strategy"]
    assert found.scenarios[1].document["sides"][0]["strategy"]["targetPriority"] == strategy["targetPriority"]
    assert found.scenarios[1].document["sides"][1] == standard.document["sides"][1]
    alone = fracas.compare(standard, parts={"strategy": EXAMPLES / "strategies" / "seed.json"}, n=500)
    assert alone.scenarios[1].document["sides"][0]["strategy"]["targetPriority"] == ["healers", "lowest_hp"]


def test_ctrl_c_leaves_the_pairs_that_are_complete(standard, stronger):
    def press(done: int, total: int, said: str) -> None:
        raise KeyboardInterrupt

    found = compare(standard, stronger, 50_000, stop=False, steps=press)
    assert found.interrupted
    assert found.pairs == comparing.FIRST_BLOCK
    whole = compare(standard, stronger, comparing.FIRST_BLOCK, stop=False)
    assert found.scores == whole.scores


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"n": 0}, "n"),
        ({"n": 2.5}, "n"),
        ({"side": 3}, "side"),
        ({"side": True}, "side"),
        ({"delta": 0}, "delta"),
        ({"delta": 0.5}, "delta"),
        ({"delta": "much"}, "delta"),
        ({"delta": float("nan")}, "delta"),
        ({"threads": 0}, "threads"),
        ({"overrides": {"sides.0.units.0.attak": 3}}, "sides.0.units.0.attak"),
        ({"overrides": ["nonsense"]}, "overrides"),
        ({"parts": {"moves": "x.toml"}}, "parts"),
        ({"parts": {"strategy": "nowhere.toml"}}, "nowhere.toml"),
        ({"parts": {"strategy": 3}}, "parts[strategy]"),
        ({"b": "examples/titans/standard.toml"}, "standard"),
        ({}, "standard-5v5"),
    ],
)
def test_what_cannot_be_compared_is_refused(standard, monkeypatch, values, where):
    monkeypatch.setattr(comparing, "play_scores", None)
    changes = {} if not values or {"b", "overrides"} & set(values) else {"overrides": {ATTACK: 26}}
    problems = problems_of(fracas.compare, standard, **{**changes, **values})
    assert any(where in problem.where for problem in problems), problems


def test_several_bad_amounts_are_said_at_once(standard, stronger):
    problems = problems_of(compare, standard, stronger, 0, side=5, delta=9)
    assert [problem.where for problem in problems] == ["-n", "--side", "--delta"]
