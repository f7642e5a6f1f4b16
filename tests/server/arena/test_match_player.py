"""Every pair plays its own battles, whoever else met before it."""

from __future__ import annotations

import pytest

from fracas.player_entries.checking import NO_MODIFIER
from fracas.server.arena.bots import read_bots
from fracas.server.arena.league import read_leagues
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules, leg_battle


@pytest.mark.parametrize("name", ["delve", "relics", "squads", "stacks", "titans"])
def test_every_new_pair_plays_its_own_battle(name: str):
    """How to play is chosen once for a league; the battles are the pair's own."""
    own = read_leagues()[name]
    entries = [bot.entry for bot in read_bots(own)[:3]]
    first, second, third = (Combatant(f"e{number}", entry, bytes([number])) for number, entry in enumerate(entries))
    rules, player = Rules(own, NO_MODIFIER), MatchPlayer()
    for pair in ((first, second), (third, first), (second, third), (second, first)):
        assert player.play(rules, *pair, "seed") == MatchPlayer().play(rules, *pair, "seed")
    # What the sides are called changes no battle: the pages' stories name their people.
    one, other = (Combatant(f"Zoë Ω ({each.code})", each.document, each.digest) for each in (first, second))
    assert leg_battle(rules, one, other, 1, "seed").digest == leg_battle(rules, first, second, 1, "seed").digest
