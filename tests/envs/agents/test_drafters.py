"""Drafters choose what is legal, repeat themselves, and files with preferences that do not fit are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fracas
from fracas.envs.agents import Player, strength_table
from fracas.envs.agents.drafters import (
    DescribedDrafter,
    Drafter,
    GreedyDrafter,
    LookAheadDrafter,
    PreferenceDrafter,
    RandomDrafter,
    drafted,
    load_preferences,
    offer_entries,
    preferences_document,
)
from fracas.envs.drafting.match import DraftMatch
from fracas.envs.drafting.single import DraftEnv
from fracas.envs.scenarios import scenarios_of

SHORT = "examples/relics/first-duel.toml"


@pytest.fixture(scope="module")
def match() -> DraftMatch:
    return DraftMatch(scenarios_of("relics", SHORT), 1)


@pytest.mark.parametrize(
    "make",
    [RandomDrafter, GreedyDrafter, LookAheadDrafter, lambda: LookAheadDrafter(4, curious=True)],
)
def test_drafters_are_legal_and_seeded(match: DraftMatch, make: Any) -> None:
    builds = []
    for _ in range(2):
        drafter: Drafter = make()
        drafter.begin("seed")
        match.begin_at("draft", 0)
        while match.current_state().offered:
            action = drafter.choose(match)
            assert match.mask()[action]
            match.choose(action)
        builds.append(match.current_state().worn)
    assert builds[0] == builds[1]
    assert sum(name is not None for name in builds[0]) == 4


def test_preferences_decide_and_leave(match: DraftMatch) -> None:
    match.begin_at("draft", 1)
    offered = match.current_state().offered
    assert PreferenceDrafter({offered[2]: 1.0}, 0.5).choose(match) == 26
    assert PreferenceDrafter({}, 0.5).choose(match) == 39
    assert PreferenceDrafter({}, -0.5).choose(match) == 0


def test_ratings_of_what_pieces_do_decide_and_leave() -> None:
    """Version 2: one that likes attack alone takes as greedily as attack goes; who likes nothing leaves."""
    match = DraftMatch(scenarios_of("relics", SHORT), 1, version=2)
    names = [feature.name for feature in match.spaces.features]
    attacks = []
    for number in range(5):
        match.begin_at("draft", number)
        seen = match.seen()["observation"]
        attacks.append([seen[names.index(f"offer_{piece}.attack")] for piece in (1, 2, 3)])
        assert DescribedDrafter({"attack": 1.0}, -9.0).choose(match) == 13 * int(np.argmax(attacks[-1]))
        assert DescribedDrafter({}, 0.5).choose(match) == 39
    assert len({tuple(each) for each in attacks}) > 1
    entries, places = offer_entries(match.spaces)
    assert "does.deal" in entries
    assert not {"number", "does.mark_1"} & set(entries)
    assert [names[place] for place in places[1][:2]] == [
        f"offer_2{name.removeprefix('offer_1')}" for name in (names[place] for place in places[0][:2])
    ]


def test_preferences_are_kept_in_a_file(match: DraftMatch, tmp_path: Path) -> None:
    file = tmp_path / "taste.json"
    document = preferences_document("relics", {"hazel_cudgel": 0.25}, -0.1)
    file.write_text(json.dumps(document))
    drafter = load_preferences(file)
    assert (drafter.name, drafter.worth, drafter.leaving) == ("taste", {"hazel_cudgel": 0.25}, -0.1)
    for change, message in (
        ({"version": 9}, "was trained in version 9 of the environment; this is version 1"),
        ({"ruleset": "chess"}, 'there is no ruleset "chess"'),
        ({"worth": {"a": 1e9}}, "worth.a"),
        ({"leaving": "much"}, "leaving"),
    ):
        file.write_text(json.dumps({"preferences": {**document["preferences"], **change}}))
        with pytest.raises(fracas.InputError, match=message):
            load_preferences(file)


def test_a_drafted_build_is_a_build_that_scenarios_take(match: DraftMatch) -> None:
    drafter = RandomDrafter()
    build = match.draft.build(drafted(match, drafter, "draft", 3))
    env = DraftEnv("relics", SHORT, side=2, opponent=build)
    own = env._match.scenarios[0].document["left"]
    assert [piece["id"] for piece in own["items"]] == build["items"]


def test_the_shipped_drafters_load() -> None:
    for name, version in (("relics", 1), ("relics-v2", 2)):
        drafter = load_preferences(f"examples/envs/policies/{name}.json")
        assert drafter.worth
        assert drafter.version == version


def test_builds_of_two_drafters_fight_from_both_sides() -> None:
    """A score is the mean of its drafts' scores, from either player's point of view and against all together."""
    players = [Player("random", RandomDrafter()), Player("greedy", GreedyDrafter()), Player("scenario")]
    table = strength_table("relics", players, 2, SHORT)
    meeting = table.meeting("random", "greedy")
    assert (len(meeting.samples), meeting.battles, table.drafts) == (2, 40, 2)
    assert np.mean(meeting.samples) == pytest.approx(meeting.score)
    assert np.mean(meeting.turned().samples) == pytest.approx(1 - meeting.score)
    assert meeting.turned().turned() == meeting
    for name in table.players:
        overall = table.overall(name)
        assert np.mean(overall.samples) == pytest.approx(overall.score)
    low, high = meeting.interval
    assert high - low > 0.5, "two drafts tell little, however often their builds fight"
