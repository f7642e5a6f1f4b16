"""What a server keeps in memory: pairs up to a bound, and nothing that was freed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import date

import pytest
from tests.helpers.arena import league

from fracas.server.arena import arena_loop, match_player
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules

# Blocks of 1 MB between small ones that live on, as records are between everything else; then only the small ones stay.
FREEING = """
import sys
from pathlib import Path
import numpy as np
from fracas.server.memory import return_large_blocks

def kept():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6

if sys.argv[1] == "returned":
    return_large_blocks()
for _ in range(3):
    np.ones(2_000_000)
before, large, small = kept(), [], []
for _ in range(200):
    large.append(np.ones(125_000))
    small.append(np.ones(1_000))
del large
print(round(kept() - before))
"""


def kept(how: str) -> int:
    """How many MB a process keeps of 200 after they were freed."""
    done = subprocess.run([sys.executable, "-c", FREEING, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only glibc has the switch")
def test_large_blocks_return_to_the_system():
    assert kept("returned") < 30
    # The planted fault: a server that does not ask for it.
    assert kept("left alone") > 100


def test_pairs_are_kept_up_to_a_bound():
    squads = league()
    rules = Rules(squads, squads.modifier_at(date(2026, 11, 22)))
    first = Combatant("a", {"units": ["scout"]}, bytes(32))
    player = MatchPlayer(3)
    pairs = [player.ready(rules, first, replace(first, code=f"rival-{number}")) for number in range(8)]
    assert len(player._pairs) == 3
    # What was asked for last stays longest.
    for number, is_kept in ((5, True), (8, False), (5, True), (6, False)):
        found = player.ready(rules, first, replace(first, code=f"rival-{number}"))
        assert any(found is each for each in pairs) == is_kept, number


def test_a_whole_batch_stays_ready():
    """Its pairs are compiled outside the transaction in which they are played."""
    assert match_player.MOST_PAIRS >= arena_loop.MOST_AT_ONCE
