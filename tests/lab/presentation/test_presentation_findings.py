"""What results say of themselves: long names are cut, nothing is claimed that the figures do not bear out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fracas.lab.presentation.data_frames import cell_text
from fracas.lab.presentation.documents import document_of
from fracas.lab.presentation.types import IN_A_CELL, LONGEST_LABEL, SAID, Column
from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.studies.paired_battles import _mean

SAMPLES = Path(__file__).parents[2] / "reports" / "samples"


def shown(name: str, **replaced: Any) -> Any:
    """A sample of a command's document with values replaced, as it is shown."""
    return document_of(json.loads((SAMPLES / f"{name}.json").read_text()) | replaced, name)


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_text())


def told(document: Any) -> str:
    return " ".join(document.findings())


# Long names.


def test_seeds_conditions_and_names_of_changes_may_be_long_and_are_cut_where_they_are_said():
    long = "winner == 1 or " * 130 + "winner == 2"
    found = shown("find", condition=long, seed="s" * 1_000)
    assert long[:50] in told(found)
    assert len(found.title) < 2 * SAID
    changed = sample("compare")
    changed["b"]["label"] = "standard-5v5 with " + "x" * 2_000
    found = document_of(changed, "compare")
    assert all(len(text) < 6 * SAID for text in (found.title, *found.findings()))
    assert "x" * 2_000 not in told(found)
    assert len(cell_text(Column("after", "to"), "y" * 3_000)) == IN_A_CELL
    searched = sample("optimise")
    searched["changes"][0]["to"] = "z" * LONGEST_LABEL
    assert "z" * 2 * SAID not in told(document_of(searched, "optimise"))


def test_names_that_look_alike_where_they_are_cut_are_a_and_b():
    changed = sample("compare")
    for letter in "ab":
        changed[letter]["label"] = "x" * 2 * SAID + letter
    assert document_of(changed, "compare").title == "Which is better: A or B"


def test_luck_of_a_round_with_several_choices_may_be_more_than_everything():
    document = sample("why")
    document["odds"][0] |= {"luck": [1.4, -1.4], "decision": [-1.2, 1.2]}
    shown_luck = document_of(document, "why").shown_tables()[0].rows[0][-2:]
    assert shown_luck == (1.4, -1.2)


# A against B.


@pytest.mark.parametrize(
    ("verdict", "difference", "interval", "says"),
    [
        ("B", 0.02, (0.01, 0.03), "by 2.00 points (95%: +1.00 to +3.00)"),
        ("A", -0.02, (-0.03, -0.01), "by 2.00 points (95%: +1.00 to +3.00)"),
        ("B", 0.008, (-0.004, 0.02), "by how much is not clear: +0.80 points (95%: -0.40 to +2.00)"),
        ("A", -0.008, (-0.02, 0.004), "by how much is not clear: +0.80 points (95%: -0.40 to +2.00)"),
        ("A", 0.01, (-0.005, 0.025), "scores no more on average: -1.00 points (95%: -2.50 to +0.50)"),
        ("B", -0.01, (-0.02, -0.005), "scores no more on average: -1.00 points (95%: -2.00 to -0.50)"),
    ],
)
def test_by_how_much_one_is_better_is_said_from_its_own_side(verdict, difference, interval, says):
    found = shown("compare", verdict=verdict, difference=difference, difference95=list(interval))
    first = found.findings()[0]
    better, other = (found.a_name, found.b_name) if verdict == "A" else (found.b_name, found.a_name)
    assert first.startswith(f"{better} is better than {other} for {found.who}")
    assert says in first


def test_a_change_without_effect_is_not_called_undecided():
    found = shown("compare", verdict="undecided", differing={"a_better": 0, "b_better": 0}, difference=0)
    assert "score the same for Red in every pair" in found.findings()[0]
    assert "cannot decide" in shown("compare", verdict="undecided").findings()[0]
    test = {"delta": 0.02, "alpha": 0.05, "beta": 0.05, "differing": 25, "fewest": 95}
    told = shown("compare", verdict="undecided", test=test).findings()[0]
    assert "25 pairs differ, and the test needs at least 95" in told


# Odds.


def test_bounds_of_interrupted_exact_odds_are_no_interval():
    document = sample("odds-exact") | {"interrupted": True}
    for side in document["sides"]:
        side["win"] = side["loss"] = {"share": 0.25, "interval95": [0.25, 0.75]}
    document["draws"] = {"cap_equal": {"share": 0.0, "interval95": [0.0, 0.5]}}
    found = document_of(document, "odds")
    assert "at least 25.00% and at most 75.00%" in told(found)
    assert "exact enumeration" not in told(found)
    table = found.shown_tables()[0]
    assert [column.heading for column in table.columns[-2:]] == ["at least", "at most"]
    assert "95%" not in told(found) + table.caption
    whole = document_of(sample("odds-exact") | {"interrupted": True}, "odds")
    assert "by exact enumeration" in told(whole)


# The best of several.


@pytest.mark.parametrize("name", ["sensitivity", "sweep"])
def test_the_best_of_several_is_said_to_have_been_chosen_by_its_own_battles(name):
    number = len(sample(name)["stats" if name == "sensitivity" else "points"])
    assert f"as the best of {number}, measured on the battles that chose it" in told(shown(name))


def test_the_best_exchange_was_chosen_by_its_own_battles_too():
    document = sample("swaps")
    document["swaps"][0] |= {"gain": 0.1, "gain95": [0.05, 0.15]}
    assert "measured on the battles that chose it" in told(document_of(document, "swaps"))
    document["swaps"][0] |= {"gain95": [0.1, 0.1]}
    assert "measured on" not in told(document_of(document, "swaps"))


def test_a_proof_says_whether_the_opponents_were_known():
    document = sample("optimise")
    assert "against opponents that it knew" in told(document_of(document, "optimise"))
    for row in document["final"]["opponents"]:
        row["held_out"] = True
    assert "against opponents that it did not meet" in told(document_of(document, "optimise"))


# Sums.


@pytest.mark.parametrize(("least", "halves"), [(0.0, [0, 2, 1, 2, 0]), (-1.0, [-2, 2, 1, -1, 0, 0])])
def test_means_of_half_points_are_those_of_the_numbers(least, halves):
    mean, interval = _mean(np.array(halves, np.int8), least, False)
    points = [half / 2 for half in halves]
    assert mean == sum(points) / len(points)
    assert interval == mean_interval(sum(points), sum(point * point for point in points), len(points), least, 1.0)
