"""Measures formations in squads, how fights between equals end, and the effect of Heavy Armor.

Both sides use the line-up of examples/squads/standard-5v5.toml, with strategies that only set a formation.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import chain
from typing import Any

from benchmarks.figures import ROOT, share, table

import fracas
from fracas.rulesets import registry

SCENARIO = ROOT / "examples" / "squads" / "standard-5v5.toml"
PAGES = (ROOT / "src/fracas/rulesets/squads/README.md", ROOT / "docs/explanation/balance.md")
MARK = "printed by benchmarks/balance.py"

FORMATIONS = ("aggressive", "defensive", "balanced", "flanking")
PROFILES = ("classic", "tuned")
HEAVY_ARMOR = "heavy_armor"
BATTLES = 100_000

Matrix = dict[tuple[str, str], fracas.Results]


def line_up() -> list[Any]:
    """The units of one side of the standard scenario."""
    with SCENARIO.open("rb") as file:
        first, second = tomllib.load(file)["sides"]
    assert first["units"] == second["units"], "the standard scenario has equal teams"
    units: list[Any] = first["units"]
    return units


def formation_fight(first: str, second: str, profile: str, modifier: str | None, battles: int) -> fracas.Results:
    """Two equal teams that differ only in their formations."""
    units = line_up()
    sides = [{"units": units, "strategy": {"formation": formation}} for formation in (first, second)]
    return play({"sides": sides, "modifier": modifier, "profile": profile}, f"{first} against {second}", battles)


def mirrored_preset(preset: str, profile: str, battles: int) -> fracas.Results:
    """A preset opponent against a copy of itself."""
    sides = [{"opponent": preset}, {"opponent": preset}]
    return play({"sides": sides, "profile": profile}, f"{preset} against itself", battles)


def play(scenario: dict[str, Any], name: str, battles: int) -> fracas.Results:
    """Play a fight with its own seed: its name, which includes profile and weather."""
    weather = scenario.get("modifier") or "no modifier"
    seed = f"balance: {name}, {scenario['profile']}, {weather}"
    return fracas.simulate({"ruleset": "squads", "id": "balance", "seed": seed, **scenario}, battles)


def all_fights(profile: str, modifier: str | None, battles: int) -> Matrix:
    """Every formation against every formation, including itself."""
    return {
        (first, second): formation_fight(first, second, profile, modifier, battles)
        for first in FORMATIONS
        for second in FORMATIONS
    }


def against_others(fights: Matrix, formation: str) -> str:
    """How often a formation wins against the other three, over both sides."""
    others = [name for name in FORMATIONS if name != formation]
    won = sum(fights[formation, other].wins[0] + fights[other, formation].wins[1] for other in others)
    return share(won, 2 * sum(fights[formation, other].battles for other in others))


def matrix_table(fights: Matrix) -> str:
    """How often the row's formation, as side 1, beats the column's."""
    rows = []
    for first in FORMATIONS:
        cells = (share(fights[first, second].wins[0], fights[first, second].battles) for second in FORMATIONS)
        rows.append([first, *cells, against_others(fights, first)])
    return table(["wins of ↓ against →", *FORMATIONS, "the other three"], rows)


def ending(results: fracas.Results) -> list[str]:
    """How fights between equals end: the share that reaches the cap, the share of draws, rounds."""
    capped = sum(count for reason, count in results.reasons.items() if reason.startswith("cap"))
    return [share(capped, results.battles), share(results.draws, results.battles), f"{results.rounds.mean:.1f}"]


def endings_table(what: str, fights: dict[str, list[fracas.Results]]) -> str:
    """Mirror fights under both profiles side by side."""
    header = [what, *(f"{profile}: {key}" for profile in PROFILES for key in ("at the cap", "drawn", "rounds"))]
    return table(header, [[name, *chain.from_iterable(map(ending, both))] for name, both in fights.items()])


def report(battles: int) -> Iterator[str]:
    """The parts of the page, one by one as they are measured."""
    squads = registry.get("squads")
    yield f"Rules version {squads.rules_version}, {battles:,} battles a fight; per cent, with 95% Wilson intervals."
    plain = {}
    for profile in PROFILES:
        plain[profile] = all_fights(profile, None, battles)
        yield f"**Formations, profile {profile}**"
        yield matrix_table(plain[profile])
    for profile in PROFILES:
        yield f"**Formations under Heavy Armor, profile {profile}**"
        yield matrix_table(all_fights(profile, HEAVY_ARMOR, battles))
    yield "**Mirror fights: a formation against itself**"
    yield endings_table(
        "formation", {name: [plain[profile][name, name] for profile in PROFILES] for name in FORMATIONS}
    )
    yield "**Mirror fights: a preset opponent against itself**"
    presets = squads.read_library(None, []).of("opponents")
    yield endings_table(
        "preset", {name: [mirrored_preset(name, profile, battles) for profile in PROFILES] for name in presets}
    )
