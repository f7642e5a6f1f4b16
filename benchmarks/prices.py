"""Proposes the prices of the shipped leagues, measured like the figures of the balance pages.

    python benchmarks/prices.py [LEAGUE] [-n N] [--write]

Every id takes each place, in turn, of a few sides drawn from the content, and the side then fights the other sides in
both orders. The share p of points that sides with the id got, over all of that, gives its price:

    price = 10 + 5 (s - m), rounded, at least 1 and at most 30, with s = ln(p / (1 - p)) and m the median of s

so that the middle id costs 10. The same N gives the same prices on every machine. --write puts them into the league
files.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from blake3 import blake3

from fracas.engine.scenario import Scenario
from fracas.lab.simulation.scores import play_scores
from fracas.rulesets.contract.analysis import WON, SideRef
from fracas.server.arena.entries import resolve_side
from fracas.server.arena.league import NO_MODIFIER, SHIPPED, League, read_leagues

Entry = dict[str, Any]

MIDDLE, SLOPE, LEAST, MOST = 10, 5, 1, 30
BATTLES = 200
# How many sides are drawn: those that take an id in turn, and those that they fight.
HOSTS, GUESTS = 3, 6
TEAM = {"squads": 5, "delve": 4, "stacks": 4}
ITEMS, POLICIES = 5, ("duelist", "greedy")


def drawn(names: Sequence[str], *address: object) -> str:
    """One of some names, the same one for the same address."""
    number = int.from_bytes(blake3(repr(address).encode()).digest()[:8], "little")
    return names[number % len(names)]


def bucket(league: League, wanted: str) -> list[str]:
    """The ids of a bucket of relics."""
    return [name for name, item in league.library.of("items").items() if item.bucket == wanted]


def side(league: League, number: int) -> Entry:
    """A side of ids drawn from the content."""
    names = list(league.library.of(league.kind.content))
    ruleset = league.file.ruleset
    if ruleset == "titans":
        return {"titan": drawn(names, number), "policy": POLICIES[number % len(POLICIES)]}
    if ruleset == "relics":
        items = bucket(league, "items")
        return {
            "weapon": drawn(bucket(league, "weapons"), number),
            "items": list(dict.fromkeys(drawn(items, number, place) for place in range(ITEMS))),
        }
    ids = [drawn(names, number, place) for place in range(TEAM[ruleset])]
    if ruleset == "delve":
        return {"members": [{"hero": name} for name in ids]}
    return {"stacks": [ids]} if ruleset == "stacks" else {"units": ids}


def with_id(league: League, entry: Entry, name: str) -> Iterator[Entry]:
    """A side with an id in each of its places in turn."""
    ruleset = league.file.ruleset
    if ruleset == "titans":
        yield {**entry, "titan": name}
    elif ruleset == "relics":
        kind = league.library.of("items")[name].bucket
        if kind == "weapons":
            yield {**entry, "weapon": name}
        elif kind != "items":
            yield {**entry, kind: [name]}
        elif name not in entry["items"]:
            yield {**entry, "items": [name, *entry["items"][1:]]}
            yield {**entry, "items": [*entry["items"][:-1], name]}
    else:
        key = {"squads": "units", "delve": "members", "stacks": "stacks"}[ruleset]
        team = entry[key][0] if ruleset == "stacks" else entry[key]
        piece: Any = {"hero": name} if ruleset == "delve" else name
        for place in range(len(team)):
            changed = [*team[:place], piece, *team[place + 1 :]]
            yield {key: [changed] if ruleset == "stacks" else changed}


def share(league: League, host: Mapping[str, Any], guest: Mapping[str, Any], battles: int) -> float:
    """The share of points of one resolved side against another, half of the battles in each order."""
    ruleset = league.ruleset
    points = 0
    for first, second, is_host in ((host, guest, True), (guest, host, False)):
        document = ruleset.analysis.matchup(SideRef(dict(first), 1), SideRef(dict(second), 1))
        scenario = Scenario(ruleset, document, ruleset.compile(document, {})).with_seed(
            f"prices: {league.file.ruleset}"
        )
        scores = play_scores(scenario, battles // 2, threads=1, planned=1 << 40).scores
        points += int(scores.sum()) if is_host else int((WON - scores).sum())
    return points / (WON * (battles // 2) * 2)


def shares(league: League, battles: int) -> Iterator[tuple[str, float]]:
    """The share of points that sides with each id got."""
    hosts = [side(league, number) for number in range(HOSTS)]
    guests = [resolve_side(league, side(league, HOSTS + number), "guest", NO_MODIFIER) for number in range(GUESTS)]
    for name in league.library.of(league.kind.content):
        found = [
            share(league, resolve_side(league, entry, "host", NO_MODIFIER), guest, battles)
            for host in hosts
            for entry in with_id(league, host, name)
            for guest in guests
        ]
        p = min(max(sum(found) / len(found), 0.005), 0.995)
        yield name, p


def prices(measured: Mapping[str, float]) -> dict[str, int]:
    """The prices that follow from those shares."""
    strengths = {name: math.log(p / (1 - p)) for name, p in measured.items()}
    middle = statistics.median(strengths.values())
    return {name: min(max(MIDDLE + round(SLOPE * (each - middle)), LEAST), MOST) for name, each in strengths.items()}


def write(file: Path, table: Sequence[str]) -> None:
    """Replace the price table at the end of a league file."""
    text = re.sub(r"\n# Printed by benchmarks/prices.py.*\Z", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    file.write_text(text.rstrip() + "\n\n" + "\n".join(table) + "\n", encoding="utf-8")


def main() -> None:
    """Measure, print, and write with --write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("league", nargs="?", help="league to measure; default: all shipped ones")
    parser.add_argument("-n", type=int, default=BATTLES, metavar="N", help="battles per fight; default: as shipped")
    parser.add_argument("--write", action="store_true", help="write the prices to the league files")
    arguments = parser.parse_args()
    for league in read_leagues().values():
        if arguments.league not in (None, league.id):
            continue
        table = [f"# Printed by benchmarks/prices.py {league.id} -n {arguments.n}.", "[price]", f"default = {MIDDLE}"]
        measured = dict(shares(league, arguments.n))
        table += [f"{name} = {price}  # {measured[name]:.1%}" for name, price in prices(measured).items()]
        print(*table, sep="\n", end="\n\n", flush=True)
        if arguments.write:
            write(SHIPPED / f"{league.id}.toml", table)


if __name__ == "__main__":
    main()
