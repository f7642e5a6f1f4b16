"""The bots of a league: authored ones, or for a game drawn ones, whose strength is measured when they are first needed.

They are drawn and measured from fixed seeds, so everybody who has the game gets the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from fracas.errors import FaultError, InputError
from fracas.player_entries.checking import NO_MODIFIER
from fracas.server.arena.bot_files import Bot, authored_bots
from fracas.server.arena.entries import check_entry
from fracas.server.arena.league import League
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules
from fracas.server.arena.ratings import SHOWN_BASE

# How many are drawn, from how many random scenarios, and how many matches each pair of them plays.
DRAWN, SCENARIOS, MATCHES = 6, 300, 6
LONGEST_ID = 16
# Nobody is called stronger than this share of points shows.
MOST_SHARE = 0.95
_kept: dict[bytes, list[Bot]] = {}


def bots_of(league: League) -> list[Bot]:
    """The bots of a league as they are written, or drawn.

    Raises:
        InputError: the file is not one of bots.
    """
    if not league.is_of_a_game:
        return authored_bots(league)
    if league.revision not in _kept:
        _kept[league.revision] = _drawn(league)
    return _kept[league.revision]


def _drawn(league: League) -> list[Bot]:
    documents = list(_documents(league))
    shares = _shares(league, documents)
    return [
        Bot(
            id=f"{league.id[:LONGEST_ID]}-bot-{number}",
            name=f"Bot {number}",
            story="Drawn at random from what the league accepts.",
            strength=_strength(share),
            entry=document,
        )
        for number, (document, share) in enumerate(zip(documents, shares, strict=True), 1)
    ]


def _documents(league: League) -> Iterator[dict[str, Any]]:
    """Different random entries that the league accepts."""
    seen = set()
    for seed in range(SCENARIOS):
        scenario = league.ruleset.random_scenario(seed)
        for sides in (scenario["sides"], scenario["sides"][::-1]):
            try:
                checked = check_entry(league, league.kind.decided({**scenario, "sides": sides}))
            except InputError:
                continue
            if checked.digest not in seen:
                seen.add(checked.digest)
                yield checked.document
            if len(seen) == DRAWN:
                return


def _shares(league: League, documents: list[dict[str, Any]]) -> list[float]:
    """The share of the points that each wins against the others."""
    player, rules = MatchPlayer(), Rules(league, NO_MODIFIER)
    fighters = [Combatant(f"drawn{n}", each, check_entry(league, each).digest) for n, each in enumerate(documents)]
    won, most = [0] * len(fighters), [0] * len(fighters)
    for one, other in combinations(range(len(fighters)), 2):
        for number in range(MATCHES):
            try:
                scores = player.play(rules, fighters[one], fighters[other], f"fracas drawn bots {number}").scores
            except (InputError, FaultError):
                # The game's own rules may refuse a pair.
                break
            for fighter, score in zip((one, other), scores, strict=True):
                won[fighter] += score
                most[fighter] += sum(scores)
    return [mine / of if of else 0.5 for mine, of in zip(won, most, strict=True)]


def _strength(share: float) -> int:
    """The shown rating of a share of points against the others, whose mean is 1500."""
    sure = min(max(share, 1 - MOST_SHARE), MOST_SHARE)
    return round(SHOWN_BASE + 400 * math.log10(sure / (1 - sure)))
