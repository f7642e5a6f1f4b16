"""Loot beside its tables: exact expectations, tests that pass for what is right and fail for what is not."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from scipy import stats
from tests.helpers import soak
from tests.helpers.scenarios import problems_of

from fracas.lab.simulation.loot import ChiSquare, DropRow, compared, loot
from fracas.lab.statistics.intervals import chi_square_tail
from fracas.rulesets import registry
from fracas.rulesets.contract.measures import LootCounts, LootPlan
from fracas.rulesets.delve.analysis import loot_expectations
from fracas.rulesets.delve.analysis.loot_expectations import enhancement_odds, expected_attempts
from fracas.rulesets.delve.rules.constants import ENHANCEMENT_CHANCES, RARITIES

DELVE = registry.get("delve")
LIBRARY = DELVE.read_library(None, ())
QUESTS = sorted(LIBRARY.of("quests"))


def planned(quest: str, difficulty: str, encounters: int | None = None) -> LootPlan:
    return loot_expectations.plan(LIBRARY, quest, difficulty, None, encounters, ())


DIFFICULTIES = ("trivial", "normal", "hard", "deadly")
# Each comparison of a quest with its tables is at p = 0.001 by seeds that do not change: it passes for good or fails
# for good.
RUNS = 20_000


@pytest.mark.parametrize("degrees", [1, 2, 3, 10, 99, 500])
@pytest.mark.parametrize("value", [0.001, 1.0, 12.5, 80.0, 700.0])
def test_the_tail_of_chi_square_is_scipys(value, degrees):
    assert chi_square_tail(value, degrees) == pytest.approx(stats.chi2.sf(value, degrees), rel=1e-9, abs=1e-300)


def test_without_degrees_nothing_is_unlikely():
    assert chi_square_tail(5.0, 0) == chi_square_tail(0.0, 3) == 1.0


@pytest.mark.parametrize(("quest", "difficulty"), soak.some(list(itertools.product(QUESTS, DIFFICULTIES)), 7))
def test_drops_are_as_the_tables_promise(quest, difficulty):
    results = loot("delve", quest, difficulty, RUNS)
    assert results.is_as_promised, results.chi_square.p_value
    assert results.items == sum(row.found for row in results.rarities) == sum(row.found for row in results.sources)


@pytest.mark.parametrize("quest", QUESTS)
def test_expectations_are_exact_and_add_up(quest):
    plan = planned(quest, "hard")
    for source in plan.sources:
        assert sum(source.drops.values()) == 1
        assert all(0 < share <= 1 for share in source.drops.values())
    assert plan.sources[-1].name == "chest"
    assert plan.sources[-1].chance == 1
    results = loot("delve", quest, "hard", 500)
    expected = sum((row.expected for row in results.drops), Fraction(0))
    assert expected == sum((source.chance for source in plan.sources), Fraction(0)) * 500


def test_a_higher_difficulty_finds_more_and_better():
    """Exactly, not statistically: the share of each rarity or a better one grows with the difficulty."""
    for quest in QUESTS:
        shares = []
        for difficulty in DIFFICULTIES:
            results = loot("delve", quest, difficulty, 10)
            whole = sum((row.expected for row in results.rarities), Fraction(0))
            own = [row.expected / whole for row in results.rarities]
            shares.append([sum(own[place:], Fraction(0)) for place in range(1, len(RARITIES))])
        for lower, higher in itertools.pairwise(shares):
            assert all(before <= after for before, after in zip(lower, higher, strict=True))
            assert any(before < after for before, after in zip(lower, higher, strict=True))


def test_the_same_seed_finds_the_same_and_another_something_else():
    first, again, other = (loot("delve", QUESTS[0], "normal", 300, seed=seed).as_json() for seed in ("a", "a", "b"))
    assert first == again
    assert first["drops"] != other["drops"]


def test_the_compiler_changes_nothing(monkeypatch):
    documents = []
    for setting in ("0", "1"):
        monkeypatch.setenv("FRACAS_JIT", setting)
        documents.append(loot("delve", QUESTS[0], "normal", 200).as_json())
    assert documents[0] == documents[1]


def test_fewer_encounters_have_no_chest():
    plan = planned("goblin_warrens", "normal", 2)
    assert {source.name for source in plan.sources} <= {"encounter 0", "encounter 1"}
    assert loot("delve", "goblin_warrens", "normal", 400, encounters=2).is_as_promised


def test_bonuses_are_as_often_and_as_strong_as_promised():
    results = loot("delve", "chalk_court", "deadly", RUNS)
    whole = sum(row.found for row in results.bonuses)
    assert whole > RUNS
    for row in results.bonuses:
        expected = float(row.expected)
        if expected > 200:
            assert abs(row.found - expected) < 6 * (expected * 6) ** 0.5, row


def test_wrong_tables_are_found():
    """Negative controls: a chance that is too high, and a rarity that is too likely."""
    plan = planned("goblin_warrens", "normal")
    found = loot_expectations.roll(plan, RUNS)
    assert compared(plan, RUNS, found).is_as_promised
    (source, item, rarity), count = next(iter(found.items.items()))
    more = LootCounts({**found.items, (source, item, rarity): count + 6 * int(count**0.5) + 50}, found.bonuses)
    results = compared(plan, RUNS, more)
    assert not results.is_as_promised
    assert any(row.is_far for row in (*results.drops, *results.sources))
    swapped = {
        (where, what, {"common": "uncommon", "uncommon": "common"}.get(how, how)): n
        for (where, what, how), n in found.items.items()
    }
    assert compared(plan, RUNS, LootCounts(swapped, found.bonuses)).chi_square.is_suspicious


def test_a_row_that_cannot_vary_is_far_from_anything_else():
    assert DropRow(("a",), Fraction(5), 0.0, 5).distance == 0.0
    assert DropRow(("a",), Fraction(5), 0.0, 6).is_far
    assert DropRow(("a",), Fraction(5), 0.0, 4).is_far
    assert ChiSquare(0.0, 0).p_value == 1.0


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (("goblin_warens", "normal", 10), "QUEST"),
        (("goblin_warrens", "hrad", 10), "--difficulty"),
        (("goblin_warrens", "normal", 0), "-n"),
        (("goblin_warrens", "normal", 10**9), "-n"),
    ],
)
def test_what_is_no_quest_difficulty_or_amount_is_refused(arguments, where):
    [problem] = problems_of(loot, "delve", *arguments)
    assert problem.where == where


@pytest.mark.parametrize("encounters", [0, -1, 99])
def test_encounters_that_a_quest_does_not_have_are_refused(encounters):
    [problem] = problems_of(loot, "delve", "goblin_warrens", "normal", 10, encounters=encounters)
    assert problem.where == "--encounters"


def test_a_ruleset_without_quests_says_so():
    [problem] = problems_of(loot, "squads", "x", "y", 10)
    assert "no quests" in problem.message


# Enhancement.


def test_enhancement_odds_are_those_of_counting_every_case():
    for attempts in range(5):
        odds = [Fraction(0)] * 6
        for outcomes in itertools.product((True, False), repeat=attempts):
            level, share = 0, Fraction(1)
            for success in outcomes:
                chance = Fraction(ENHANCEMENT_CHANCES[level], 100) if level < 5 else Fraction(0)
                share *= chance if success else 1 - chance
                level += int(success and level < 5)
            odds[level] += share
        assert enhancement_odds(attempts) == tuple(odds)
        assert sum(enhancement_odds(attempts)) == 1


def test_a_finished_item_stays_finished():
    assert list(enhancement_odds(3, begun_at=5)) == [Fraction(int(level == 5)) for level in range(6)]


def test_attempts_add_up_level_by_level():
    assert expected_attempts(1) == 1
    assert expected_attempts(5) == expected_attempts(3) + expected_attempts(5, begun_at=3)
