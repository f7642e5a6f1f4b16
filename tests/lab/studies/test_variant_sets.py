"""Named variants: read and refused, ranked, and corrected for how many they are."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.helpers.fields import Field
from tests.helpers.scenarios import duel, problems_of

import fracas
from fracas.lab.studies import paired_battles
from fracas.lab.studies.variant_sets import Named, play_variants, read_variants, variants_of

ATTACK = "sides.0.units.0.attack"


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def field(monkeypatch):
    def put(chance):
        played = Field(chance)
        monkeypatch.setattr(paired_battles, "play_scores", played)
        return played

    return put


def by_attack(document):
    return 0.5 + (document["sides"][0]["units"][0]["attack"] - 20) / 100


def named(base, *attacks):
    return variants_of({f"attack {attack}": {ATTACK: attack} for attack in attacks}, base)


def test_variants_are_ranked_and_told_apart_from_a(field):
    field(by_attack)
    base = fracas.load(duel(), overrides={ATTACK: 20})
    found = play_variants(base, named(base, 10, 30, 31, 20, 40), 4000)
    assert found.variants[0].name == "attack 40"
    assert {each.name: each.verdict for each in found.variants} == {
        "attack 40": "better",
        "attack 31": "better",
        "attack 30": "better",
        "attack 20": "not told apart",
        "attack 10": "worse",
    }
    assert [each.rank for each in found.variants] == [1, 2, 3, 4, 5]
    groups = {each.name: each.group for each in found.variants}
    assert groups["attack 20"] == found.base.group
    assert groups["attack 40"] < groups["attack 31"] <= groups["attack 30"] < groups["attack 20"] < groups["attack 10"]


def test_intervals_of_all_at_once_are_wider_than_of_each(field):
    field(by_attack)
    base = fracas.load(duel(), overrides={ATTACK: 20})
    for each in play_variants(base, named(base, 25, 30), 2000).variants:
        (low, high), (least, most) = each.gain95, each.together95
        assert least < low < high < most


@pytest.mark.parametrize("count", [2, 12])
def test_equals_are_called_different_in_at_most_5_of_100_sets(monkeypatch, count):
    """Without a correction 2 of them would be in 9 of 100, and 12 in over 40."""
    numbers = np.random.default_rng(count)
    base = fracas.load(duel())
    variants = [Named(str(place), fracas.load(duel(), overrides={ATTACK: 21 + place})) for place in range(count)]
    played = Field(lambda document: 0.5)

    def luck(scenario, n, **options):
        return played(scenario, n, start=int(numbers.integers(1 << 40)))

    monkeypatch.setattr(paired_battles, "play_scores", luck)
    tries, wrong = 150, 0
    for _ in range(tries):
        found = play_variants(base, variants, 300)
        wrong += any(each.verdict != "not told apart" for each in found.variants)
    assert wrong <= 0.05 * tries + 3 * (0.05 * 0.95 * tries) ** 0.5


@pytest.mark.parametrize("seed", range(8))
def test_verdict_interval_and_group_never_contradict_each_other(monkeypatch, seed):
    """With a correction each, every third set called a variant better than A and put both into one group."""
    numbers = np.random.default_rng(seed)
    played = Field(by_attack)
    monkeypatch.setattr(
        paired_battles,
        "play_scores",
        lambda scenario, n, **options: played(scenario, n, start=int(numbers.integers(1 << 40))),
    )
    base = fracas.load(duel(), overrides={ATTACK: 20})
    found = play_variants(base, named(base, *numbers.integers(15, 26, 15).tolist()), 700)
    for each in found.variants:
        low, high = each.together95
        assert (each.verdict == "better") == (low > 0), each
        assert (each.verdict == "worse") == (high < 0), each
        assert (each.verdict == "not told apart") == (each.p > 0.05)
        if each.verdict == "better":
            assert each.group < found.base.group
        if each.verdict == "worse":
            assert each.group > found.base.group


def test_parts_and_files_come_from_the_folder_of_the_set(tmp_path):
    (tmp_path / "other.json").write_text(json.dumps(duel(id="other")))
    file = tmp_path / "set.json"

    def read(**entry):
        file.write_text(json.dumps({"variants": [{"name": "x", **entry}]}))
        base = fracas.load(duel())
        return read_variants(file, base, 1, lambda path, values: fracas.load(path))

    assert read(file="other.json")[0].scenario.id == "other"
    assert read(part={"strategy": "other.json:2"})[0].scenario.id == "duel"
    [problem] = problems_of(read, file="../other.json")
    assert "lies outside" in problem.message


@pytest.mark.parametrize(
    ("document", "where", "message"),
    [
        ({"variants": []}, "variants", "at least 1"),
        ({"variants": [{"name": "x"}]}, "variants.0", "does not differ from A"),
        ({"variants": [{"name": "x", "set": {"a": 1}}] * 2}, "", 'two variants are called "x"'),
        ({"variants": [{"name": "x", "set": {"sides.0.units.0.attak": 1}}]}, "variants.0", "no such key"),
        ({"variants": [{"name": "x", "sets": {"a": 1}}]}, "variants.0.sets", "no such key"),
    ],
)
def test_what_is_wrong_with_a_set_is_said(tmp_path, document, where, message):
    file = tmp_path / "set.json"
    file.write_text(json.dumps(document))
    problems = problems_of(read_variants, file, fracas.load(duel()), 1, lambda path, values: fracas.load(path))
    assert any(where in problem.where and message in problem.message for problem in problems), problems


def test_more_scores_than_can_be_held_are_refused():
    base = fracas.load(duel())
    [problem] = problems_of(play_variants, base, named(base, *range(1, 21)), 10**8)
    assert "is too many for 20 variants" in problem.message
