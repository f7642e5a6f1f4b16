"""Measures the strengths of the shipped bots: every bot of a league against every other.

    python benchmarks/bots.py [LEAGUE] [-n N] [--write]

Each pair plays N matches of the league, without its modifier; one drawn match is added for each ten. The strengths are
those of the Bradley-Terry model under which the points are likeliest, on the scale of the ratings: 1500 is the mean,
and a difference of D points means that the stronger one wins a share of 1 / (1 + exp(-D / 235.7)). 235.7 is 40 times
the model's beta (25 / 6) times the root of 2. The same N gives the same strengths on every machine. --write puts them
into `data/bots`.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Mapping

from fracas.server.arena.bot_files import FOLDER, Bot
from fracas.server.arena.bots import read_bots
from fracas.server.arena.entries import check_entry
from fracas.server.arena.league import NO_MODIFIER, League, read_leagues
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules
from fracas.server.arena.ratings import MU, SHOWN_BASE, SHOWN_SCALE

MATCHES = 200
SCALE = SHOWN_SCALE * (MU / 6) * math.sqrt(2)
STEPS = 2_000
# For each ten matches of a pair one drawn match is added: twelve bots do not show everything of each other, and a bot
# that lost everything still needs a strength.
DRAWN = 0.1


def points(league: League, bots: list[Bot], matches: int) -> dict[tuple[int, int], float]:
    """The share of points of each bot against each later one."""
    player = MatchPlayer()
    rules = Rules(league, NO_MODIFIER)
    combatants = []
    for bot in bots:
        checked = check_entry(league, bot.entry)
        combatants.append(Combatant(bot.id, checked.document, checked.digest))
    found = {}
    for one, first in enumerate(combatants):
        for other, second in enumerate(combatants[one + 1 :], one + 1):
            total = 0
            for number in range(matches):
                own, _ = player.play(rules, first, second, f"bots: {league.file.ruleset}:{number}").scores
                total += own
            whole = 2 * league.file.legs * matches
            found[one, other] = (total / whole + DRAWN / 2) / (1 + DRAWN)
    return found


def strengths(count: int, shares: Mapping[tuple[int, int], float]) -> list[int]:
    """The Bradley-Terry strengths of the likeliest model, by iteration (Hunter, 2004), as shown ratings."""
    won = [0.0] * count
    for (one, other), share in shares.items():
        won[one] += share
        won[other] += 1 - share
    skill = [1.0] * count
    for _ in range(STEPS):
        skill = [
            won[one] / sum(1 / (skill[one] + skill[other]) for other in range(count) if other != one)
            for one in range(count)
        ]
        mean = math.exp(sum(math.log(each) for each in skill) / count)
        skill = [each / mean for each in skill]
    return [round(SHOWN_BASE + SCALE * math.log(each)) for each in skill]


def write(league: League, found: Mapping[str, int]) -> None:
    """Put strengths into the file of a league's bots."""
    file = FOLDER / f"{league.id}.toml"
    text = file.read_text(encoding="utf-8")
    for name, strength in found.items():
        pattern = rf'(id = "{re.escape(name)}"\n.*\n.*\nstrength = )-?\d+'
        text = re.sub(pattern, rf"\g<1>{strength}", text)
    file.write_text(text, encoding="utf-8")


def main() -> None:
    """Measure, print, and write with --write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("league", nargs="?", help="league to measure; default: all with bots of their own")
    parser.add_argument("-n", type=int, default=MATCHES, metavar="N", help="matches per pair; default: as shipped")
    parser.add_argument("--write", action="store_true", help="write the strengths to the files of the bots")
    arguments = parser.parse_args()
    for league in read_leagues().values():
        if arguments.league not in (None, league.id) or league.file.bots is not None:
            continue
        bots = read_bots(league)
        shares = points(league, bots, arguments.n)
        found = dict(zip((bot.id for bot in bots), strengths(len(bots), shares), strict=True))
        print(f"{league.id}, {arguments.n:,} matches per pair, rules version {league.rules_version}")
        for name, strength in sorted(found.items(), key=lambda each: -each[1]):
            print(f"    {strength:5}  {name}")
        if arguments.write:
            write(league, found)


if __name__ == "__main__":
    main()
