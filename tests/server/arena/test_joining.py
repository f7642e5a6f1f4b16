"""Joined sides: the records of new pairs are byte by byte those that compiling the pair gives."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from fracas.player_entries.checking import NO_MODIFIER
from fracas.rulesets.contract.types import ResolvedScenario
from fracas.server.arena.bots import read_bots
from fracas.server.arena.entries.checking import resolve_entry
from fracas.server.arena.league import League, read_leagues
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules, leg_document


@pytest.fixture(scope="module")
def league() -> League:
    return read_leagues()["squads"]


def combatants_of(league: League) -> list[Combatant]:
    """The bots' entries."""
    entries = [bot.entry for bot in read_bots(league)]
    return [Combatant(f"e{number}", entry, bytes([number])) for number, entry in enumerate(entries)]


def combatants(league: League) -> list[Combatant]:
    """The bots' entries, and some of other lengths and with empty, equal and long orders."""
    entries: list[Any] = [bot.entry for bot in read_bots(league)]
    units = entries[0]["units"]
    always = {"target_priority": ["lowest_hp"], "abilities": {}}
    entries += [{"units": units[:1]}, {"units": units, "strategy": always}]
    return [Combatant(f"e{number}", entry, bytes([number])) for number, entry in enumerate(entries)]


@pytest.mark.parametrize("modifier", [NO_MODIFIER, "weekly"])
def test_a_joined_pair_is_the_compiled_pair(league: League, modifier: str):
    import datetime

    found = modifier if modifier == NO_MODIFIER else league.modifier_at(datetime.date(2026, 11, 23))
    rules, all_of_them = Rules(league, found), combatants(league)
    joiner = league.ruleset.side_joiner()
    assert joiner is not None
    parts = [joiner.part(resolve_entry(league, each.document, each.code, found)) for each in all_of_them]
    for one, other in [*pairwise(range(len(parts))), (len(parts) - 1, 0), (0, 0)]:
        for leg in (0, 1):
            document = leg_document(rules, all_of_them[one], all_of_them[other], leg)
            compiled = league.ruleset.compile(document, {})
            whole = compiled.record
            joined = joiner.join(*((parts[one], parts[other]) if leg == 0 else (parts[other], parts[one])))
            assert joined is not None
            assert joined.books == compiled.books
            for name in whole.dtype.names or ():
                assert np.array_equal(whole[name].view(np.uint8), joined.record[name].view(np.uint8)), (
                    one,
                    other,
                    leg,
                    name,
                )


def test_a_match_of_joined_sides_is_the_match_of_compiled_ones(league: League, monkeypatch: pytest.MonkeyPatch):
    rules, (first, second, *_) = Rules(league, NO_MODIFIER), combatants(league)
    joined = MatchPlayer().play(rules, first, second, "seed")
    monkeypatch.setattr(type(league.ruleset), "side_joiner", lambda self: None)
    assert joined == MatchPlayer().play(rules, first, second, "seed")


@pytest.mark.parametrize("name", ["delve", "relics", "squads", "stacks", "titans"])
def test_every_new_pair_plays_its_own_battle(name: str):
    """How to play is chosen once for a league; the battles are the pair's own."""
    own = read_leagues()[name]
    rules, (first, second, third, *_) = Rules(own, NO_MODIFIER), combatants_of(own)
    player = MatchPlayer()
    for pair in ((first, second), (third, first), (second, third)):
        assert player.play(rules, *pair, "seed") == MatchPlayer().play(rules, *pair, "seed")


def test_sides_with_one_name_for_two_abilities_are_not_joined(league: League):
    joiner, (first, *_) = league.ruleset.side_joiner(), combatants(league)
    assert joiner is not None
    resolution = resolve_entry(league, first.document, first.code, NO_MODIFIER)
    document = resolution.document
    name = document["sides"][0]["units"][0]["ultimate"]
    changed = {**document["abilities"][name], "cooldown": document["abilities"][name]["cooldown"] + 1}
    other = {**document, "abilities": {**document["abilities"], name: changed}}
    parts = [joiner.part(each) for each in (resolution, ResolvedScenario(other))]
    assert joiner.join(*parts) is None
