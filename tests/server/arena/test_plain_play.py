"""Matches of the arena are the battles that plain Python plays from the same resolved documents."""

from __future__ import annotations

from itertools import pairwise

import pytest
from blake3 import blake3

import fracas
from fracas.engine.player import make_player
from fracas.player_entries.checking import NO_MODIFIER
from fracas.server.arena.bots import read_bots
from fracas.server.arena.league import read_leagues
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules, leg_document, leg_seed

LEAGUES = ("delve", "relics", "squads", "stacks", "titans")


@pytest.mark.parametrize("name", LEAGUES)
def test_the_arena_plays_what_plain_python_plays(name: str, monkeypatch: pytest.MonkeyPatch):
    league = read_leagues()[name]
    rules = Rules(league, NO_MODIFIER)
    entries = [Combatant(f"e{number}", bot.entry, bytes([number])) for number, bot in enumerate(read_bots(league))]
    player, compared = MatchPlayer(), 0
    for first, second in pairwise([*entries[:5], entries[0]]):
        monkeypatch.setenv("FRACAS_JIT", "wasm")
        match = player.play(rules, first, second, f"seed of {first.code} and {second.code}")
        monkeypatch.setenv("FRACAS_JIT", "0")
        for leg in match.legs[:4]:
            seed = leg_seed(f"seed of {first.code} and {second.code}", leg.no)
            # A reader of the league's day has this document and the seed, and nothing of the arena.
            scenario = fracas.load(leg_document(rules, first, second, leg.no) | {"seed": seed})
            row = make_player(scenario, logged=False, battles=1).play(0, 1)[0]
            assert blake3(row.tobytes()).digest() == leg.digest, (first.code, second.code, leg)
            assert league.ruleset.reasons[int(row.reason)] == leg.reason
            # Half points of place 1, which is side 2 in every second leg.
            won = {0: 1, 1: 2, 2: 0}[int(row.winner)]
            assert leg.result == (2 - won if leg.no % 2 else won), (first.code, second.code, leg)
            compared += 1
    assert compared >= 8
