"""A build against every opponent, and everything in place of each of its parts."""

from __future__ import annotations

import json
import math
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.relics import battle, item
from tests.helpers.scenarios import duel, problems_of

import fracas
from fracas.content.packs import Library
from fracas.engine.scenario import Scenario
from fracas.lab.statistics.intervals import paired_difference, wilson_interval
from fracas.lab.studies.ladder import run_ladder
from fracas.lab.studies.ladder_result import Ladder
from fracas.lab.studies.swaps import run_swaps
from fracas.lab.studies.swaps_result import Swaps
from fracas.rulesets.relics.analysis import search_space
from fracas.rulesets.relics.content import library as libraries

KEEN = {"name": "Keen", "weapon": "boomstick", "items": ["horned_helm", "iceblock_shield"]}
LUCKY = {**KEEN, "modifiers": [], "items": [item("coin", triggers={"turn_start": [["deal", 2, {"chance": 50}]]})]}


@pytest.fixture(autouse=True)
def plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Library:
    """A content of a handful of entries, so that all of it is soon tried."""
    whole = libraries.library_for(None, ())
    bare: dict[str, Any] = {"weapon": None, "upgrades": [], "items": [], "food": []}
    names = ("boomstick", "horned_helm", "iceblock_shield", "corroded_bone")
    entries = {
        **whole.entries,
        "items": {name: whole.of("items")[name] for name in names},
        "enemies": {"snow_hare": whole.of("enemies")["snow_hare"].model_copy(update=bare)},
        "bosses": {key: entry.model_copy(update=bare) for key, entry in list(whole.of("bosses").items())[:1]},
    }
    small = replace(whole, entries=entries)
    monkeypatch.setattr(search_space, "library_for", lambda profile, folders: small)
    return small


def loaded(left: dict[str, Any], right: dict[str, Any] | None = None, **values: Any) -> Scenario:
    return fracas.load(battle(left, right, **values))


def plain(found: Ladder | Swaps) -> Any:
    return json.loads(json.dumps(found.as_json()))


# Ladders.


def test_a_ladder_has_every_enemy_at_each_level_and_every_boss(few):
    found = run_ladder(loaded(KEEN), 3)
    whole = [rung.key for rung in found.rungs]
    (boss,) = few.of("bosses")
    assert whole == [
        ("enemy", "snow_hare", 1),
        ("enemy", "snow_hare", 2),
        ("enemy", "snow_hare", 3),
        ("boss", boss, None),
    ]
    assert found.opponents == 4
    assert not found.interrupted


def test_the_ladder_of_the_shipped_content_is_ordered_by_id():
    matches = loaded(KEEN).ruleset.ladder(loaded(KEEN).document)
    keys = [(match.kind == "boss", match.id, match.level or 0) for match in matches]
    assert keys == sorted(keys)
    assert len(keys) == len(set(keys)) >= 12 * 3 + 6


def test_each_rung_is_the_battle_that_a_scenario_of_the_two_would_be(few):
    hare = few.of("enemies")["snow_hare"]
    trait = hare.model_dump(include={"triggers", "flags", "modifiers"}, by_alias=True, exclude_none=True)
    for rung, level in zip(run_ladder(loaded(LUCKY), 8).rungs, hare.levels, strict=False):
        other = {"stats": level.stats.model_dump(), "tier": level.tier, **trait}
        for side, pair in enumerate([(LUCKY, other), (other, LUCKY)]):
            alone = fracas.simulate(fracas.load(battle(*pair)), n=8)
            assert rung.results[side].wins == alone.wins
            assert rung.wins[side] == alone.wins[side]


def test_a_match_up_without_luck_is_played_once_and_counts_as_all(few):
    certain, lucky = plain(run_ladder(loaded(KEEN), 7)), plain(run_ladder(loaded(LUCKY), 7))
    first, chancy = certain["rungs"][0]["as_1"], lucky["rungs"][0]["as_1"]
    assert (first["deterministic"], first["battles"]) == (True, 7)
    assert first["interval95"] == [first["share"]] * 2
    assert chancy["deterministic"] is False
    assert chancy["interval95"] == list(wilson_interval(chancy["wins"], 7))
    assert first["wins"] + first["losses"] + first["draws"] == 7


def test_options_profile_and_seed_are_the_scenarios(few):
    scenario = loaded(LUCKY, profile="game", seed="x", options={"turn_cap": 3})
    found = run_ladder(scenario, 2)
    assert (plain(found)["profile"], plain(found)["seed"]) == ("game", "x")
    for rung in found.rungs:
        for results in rung.results:
            assert results.loaded.document["options"] == scenario.document["options"]
            assert results.rounds.max <= 3


def test_a_ladder_of_a_ruleset_without_one_is_refused():
    (problem,) = problems_of(run_ladder, fracas.load(duel()))
    assert problem.message == "squads has no opponents for a ladder"


@pytest.mark.parametrize("n", [0, -1, 10**10])
def test_amounts_out_of_range_are_refused(n):
    assert problems_of(run_ladder, loaded(KEEN), n)[0].where == "-n"
    assert problems_of(run_swaps, loaded(KEEN), n)[0].where == "-n"


def pressed(number: int) -> Any:
    """What presses Ctrl-C when it is told of that step."""

    def step(done: int, total: int, said: str) -> None:
        if done == number:
            signal.raise_signal(signal.SIGINT)

    return step


def test_ctrl_c_leaves_the_rungs_that_are_whole(ctrl_c, few):
    found = run_ladder(loaded(KEEN), 3, steps=pressed(2))
    assert (len(found.rungs), found.interrupted, found.opponents) == (2, True, 4)


# Exchanges.


def test_everything_is_tried_in_every_place_of_its_bucket(few):
    swaps = loaded(KEEN).ruleset.swaps(loaded(KEEN).document, 1)
    assert [(swap.place, swap.removed, swap.added) for swap in swaps] == [
        ("left.items.0", "horned_helm", "corroded_bone"),
        ("left.items.0", "horned_helm", "iceblock_shield"),
        ("left.items.1", "iceblock_shield", "corroded_bone"),
        ("left.items.1", "iceblock_shield", "horned_helm"),
        ("left.items.2", None, "corroded_bone"),
        ("left.items.2", None, "horned_helm"),
        ("left.items.2", None, "iceblock_shield"),
    ]


def test_an_exchange_keeps_the_tier_and_changes_nothing_else(few):
    golden = {**KEEN, "items": [{"id": "horned_helm", "tier": "golden"}]}
    document = loaded(golden).document
    (first, *_) = loaded(golden).ruleset.swaps(document, 1)
    assert first.document["left"]["items"][0]["tier"] == "golden"
    assert {**first.document, "left": None} == {**document, "left": None}
    assert {**first.document["left"], "items": []} == {**document["left"], "items": []}


def test_a_unique_item_is_not_worn_twice(few):
    swaps = loaded({"items": ["corroded_bone"]}).ruleset.swaps(loaded({"items": ["corroded_bone"]}).document, 1)
    assert [swap.added for swap in swaps if swap.place == "left.items.1"] == ["horned_helm", "iceblock_shield"]


def test_the_other_side_can_be_changed_too(few):
    places = {swap.place for swap in loaded({}, KEEN).ruleset.swaps(loaded({}, KEEN).document, 2)}
    assert places == {"right.items.0", "right.items.1", "right.items.2"}
    assert problems_of(run_swaps, loaded(KEEN), 10**8 + 1)[0].where == "-n"
    assert problems_of(run_swaps, loaded(KEEN), side=3)[0].where == "--side"


def test_an_exchange_is_the_battle_with_it_in_place(few):
    found = run_swaps(loaded(LUCKY, KEEN), 8)
    assert len(found.tried) == found.possible
    for tried in found.tried[:3]:
        items = [tried.swap.added] if tried.swap.place == "left.items.0" else [*LUCKY["items"], tried.swap.added]
        changed = {**LUCKY, "items": items}
        assert tried.results.wins == fracas.simulate(loaded(changed, KEEN), n=8).wins


def test_the_best_exchange_comes_first(few):
    found = run_swaps(loaded(LUCKY, KEEN), 8)
    order = [(-tried.results.shares[0], -tried.results.draw_share, -tried.margin) for tried in found.tried]
    assert order == sorted(order)
    assert len(set(order)) > 1


def test_what_an_exchange_gains_lies_in_its_interval(few):
    found = run_swaps(loaded(LUCKY, KEEN), 8)
    for tried in found.tried:
        low, high = tried.gain95
        assert -1 <= low <= tried.gain <= high <= 1
        assert tried.gain == pytest.approx(tried.results.shares[0] - found.base.shares[0])


def test_without_luck_a_gain_is_certain(few):
    found = run_swaps(loaded(KEEN, {"enemy": "snow_hare"}), 5)
    assert found.base.deterministic
    assert {tried.gain95 for tried in found.tried} <= {(0.0, 0.0), (-1.0, -1.0), (1.0, 1.0)}


def test_ctrl_c_leaves_what_was_tried(ctrl_c, few):
    found = run_swaps(loaded(KEEN), 3, steps=pressed(3))
    assert (len(found.tried), found.interrupted, found.possible) == (3, True, 7)
    assert plain(found)["interrupted"] is True


def test_exchanges_of_a_ruleset_without_parts_are_refused():
    (problem,) = problems_of(run_swaps, fracas.load(duel()))
    assert problem.message == "the content has no replacement for anything of this side"


def test_content_of_ones_own_is_tried_too(tmp_path: Path):
    (tmp_path / "mine.toml").write_text('[[items]]\nid = "my_own"\nstats = { armor = 3 }\n')
    swaps = loaded({}).ruleset.swaps(loaded({}).document, 1, [tmp_path])
    assert "my_own" in [swap.added for swap in swaps]


# Intervals of paired differences.


@pytest.mark.parametrize("chances", [(0.4, 0.2, 0.1, 0.3), (0.1, 0.3, 0.3, 0.3), (0.05, 0.6, 0.05, 0.3)])
def test_paired_intervals_hold_the_truth_about_as_often_as_they_say(chances):
    """Every outcome of sixteen trials, weighed by how likely it is."""
    truth, covered = chances[1] - chances[2], 0.0
    for both in range(17):
        for first in range(17 - both):
            for second in range(17 - both - first):
                counts = (both, first, second, 16 - both - first - second)
                low, high = paired_difference(*counts)
                if low <= truth <= high:
                    ways = math.factorial(16) / math.prod(map(math.factorial, counts))
                    covered += ways * math.prod(p**count for p, count in zip(chances, counts, strict=True))
    assert 0.93 < covered < 0.99


@pytest.mark.parametrize(
    "counts", [(5, 3, 1, 4), (0, 9, 0, 0), (7, 0, 0, 0), (0, 0, 0, 7), (1, 2, 3, 4), (50, 1, 0, 2)]
)
def test_paired_intervals_hold_the_difference_and_turn_with_it(counts):
    both, first, second, neither = counts
    low, high = paired_difference(*counts)
    assert -1 <= low <= (first - second) / sum(counts) <= high <= 1
    again = paired_difference(both, second, first, neither)
    assert again == pytest.approx((-high, -low))


def test_pairs_tell_more_than_as_many_battles_apart():
    """Agreement narrows the interval."""
    narrow, wide = paired_difference(45, 5, 0, 50), paired_difference(22, 28, 23, 27)
    assert narrow[1] - narrow[0] < wide[1] - wide[0]
    assert paired_difference(0, 0, 0, 0) == (-1.0, 1.0)
