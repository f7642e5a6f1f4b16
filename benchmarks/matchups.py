"""Measures how long a round robin takes: twenty squads strategies against each other, from both sides.

    python benchmarks/matchups.py                        # +-0.5 % in each of the 190 match-ups, on all cores
    python benchmarks/matchups.py --battles 4000 --threads 1

An even match-up needs 38,416 battles for that, 19,208 in each order. Compilation finishes before the clock starts. The
checksum covers all shares, so a faster wrong answer would show.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from blake3 import blake3

import fracas
from fracas.lab.studies.matchups import matchups
from fracas.lab.studies.matchups_result import Matchups
from fracas.lab.studies.roster import roster_of

BASE = Path(__file__).parent.parent / "examples" / "squads" / "rosters" / "one-of-each.toml"
# The twelve shipped strategies, and eight more: each formation with two priority lists.
FORMATIONS = ("aggressive", "balanced", "defensive", "flanking")
PRIORITIES = {"healers first": ["healers", "lowest_hp"], "threats first": ["highest_threat"]}


def roster_text() -> str:
    """The twenty strategies as a roster file."""
    lines = ['ruleset = "squads"', 'id = "twenty"', ""]
    lines += ["[[entrants]]", 'file = "base.toml"', 'content = "strategies"', 'at = "sides.0.strategy"', ""]
    for formation in FORMATIONS:
        for name, priorities in PRIORITIES.items():
            lines += ["[[entrants]]", f'name = "{formation}, {name}"', 'file = "base.toml"']
            strategy = f'{{ formation = "{formation}", target_priority = {priorities} }}'.replace("'", '"')
            lines += [f'set = {{ "sides.0.strategy" = {strategy} }}', ""]
    return "\n".join(lines)


def measured(battles: int, threads: int | None) -> tuple[Matchups, float]:
    """The round robin, and the seconds it took without compilation."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "base.toml").write_text(BASE.read_text(encoding="utf-8"), encoding="utf-8")
        path = Path(folder, "twenty.toml")
        path.write_text(roster_text(), encoding="utf-8")
        fracas.simulate(BASE, n=2000)
        started = time.perf_counter()
        found = matchups(roster_of([path], {}), battles, threads=threads)
        return found, time.perf_counter() - started


def main() -> None:
    """Measure and print one line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--battles", type=int, default=38_416, help="battles of a match-up, over both orders")
    parser.add_argument("--threads", type=int, default=None, help="default: one for each core")
    options = parser.parse_args()
    found, seconds = measured(options.battles, options.threads)
    checksum = blake3(repr(found.shares).encode()).hexdigest()[:12]
    print(f"{len(found.roster.entrants)} entrants, {len(found.cells)} match-ups, {found.battles:,} battles")
    print(f"{seconds:.1f} s, {found.battles / seconds:,.0f} battles/s, ±{found.half_width:.3%} or better, {checksum}")


if __name__ == "__main__":
    main()
