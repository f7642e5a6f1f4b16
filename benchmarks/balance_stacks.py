"""Measures how the order of play and the valuation of moves affect attacks in stacks.

Equal fights are two stacks of the same units, one attacking the other's tile: whoever wins more is favoured by the
rules. The same options are then tried on shipped scenarios.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.figures import ROOT, share, table

import fracas
from fracas.rulesets import registry
from fracas.rulesets.stacks.rules.events import Choice, Fall

EXAMPLES = ROOT / "examples" / "stacks"
PAGES = (ROOT / "docs/explanation/why-order-matters.md",)
MARK = "printed by benchmarks/balance.py stacks"
BATTLES = 20_000
# Narrated battles cost more than results, and averages need fewer of them.
STORIES = 200

ORDERS = ("alternate", "id", "initiative")
VALUATIONS = ("exact", "sampled")
VALUATION_HEADER = ("attackers win", "exact", "turns", "sampled", "turns")
# Melee, ranged, charging, few, and mixed.
STACKS = {
    "eight swordsmen": ["swordsman"] * 8,
    "eight archers": ["archer"] * 8,
    "eight axe sworn": ["axe_sworn"] * 8,
    "two swordsmen": ["swordsman"] * 2,
    "a mixed stack": ["swordsman", "swordsman", "spearman", "spearman", "archer", "archer", "axe_sworn", "healer"],
}
EXAMPLES_TRIED = ("first-attack", "siege-of-ashgate", "healer-behind-the-line", "ambush-in-the-reeds", "stone-carts")

Document = dict[str, Any]


def equal_fight(units: list[str], **options: str) -> Document:
    """A stack attacks an equal stack."""
    stacks = [
        {"id": "attackers", "owner": "one", "at": [2, 1], "units": units},
        {"id": "defenders", "owner": "two", "at": [2, 2], "units": units},
    ]
    return {
        "ruleset": "stacks",
        "id": "equal",
        "options": options,
        "map": {"kind": "hex", "width": 5, "height": 5},
        "factions": {"one": {}, "two": {}},
        "stacks": stacks,
        "attack": {"stack": "attackers", "tile": [2, 2]},
    }


def decided(results: fracas.Results) -> str:
    """The attackers' share of the decided battles."""
    return share(results.wins[0], sum(results.wins))


def order_table(battles: int) -> str:
    """Who wins equal fights, by the order of play."""
    rows = []
    for name, units in STACKS.items():
        results = [fracas.simulate(equal_fight(units, order=order), battles) for order in ORDERS]
        rows.append([name, *(decided(each) for each in results)])
    return table(["attackers win, of what is decided", *ORDERS], rows)


def example(name: str, battles: int, **options: str) -> fracas.Results:
    """A shipped scenario with other options, always under the same seed."""
    overrides = {f"options.{key}": value for key, value in options.items()}
    return fracas.simulate(fracas.load(EXAMPLES / f"{name}.toml", overrides=overrides), battles)


def example_order_table(battles: int) -> str:
    """How the order of play changes the shipped scenarios."""
    rows = []
    for name in EXAMPLES_TRIED:
        results = [example(name, battles, order=order) for order in ORDERS]
        rows.append([name, *(share(each.wins[0], each.battles) for each in results)])
    return table(["attackers win", *ORDERS], rows)


def valuation_table(battles: int) -> str:
    """Equal fights, by the valuation of moves."""
    rows = []
    for name, units in STACKS.items():
        results = [fracas.simulate(equal_fight(units, valuation=each), battles) for each in VALUATIONS]
        rows.append([name, *cells_of(results)])
    return table(VALUATION_HEADER, rows)


def example_valuation_table(battles: int) -> str:
    """How the valuation of moves changes the shipped scenarios."""
    rows = []
    for name in EXAMPLES_TRIED:
        results = [example(name, battles, valuation=each) for each in VALUATIONS]
        rows.append([name, *cells_of(results)])
    return table(VALUATION_HEADER, rows)


def cells_of(results: list[fracas.Results]) -> Iterator[str]:
    """How often the attackers win, and how many turns the battles take."""
    for each in results:
        yield share(each.wins[0], each.battles)
        yield f"{each.rounds.mean:.1f}"


def choice_table() -> str:
    """The first turn of equal fights: how many units are targeted, fall, and choose to strike."""
    rows = []
    for name in ("eight swordsmen", "eight archers"):
        for valuation in VALUATIONS:
            aimed = falls = strikes = choices = 0
            scenario = fracas.load(equal_fight(STACKS[name], valuation=valuation))
            for stream in range(STORIES):
                first = [event for event in fracas.run(scenario, stream=stream).events if event.tick == 0]
                chosen = [event for event in first if isinstance(event, Choice)]
                aimed += len({event.target for event in chosen})
                falls += sum(isinstance(event, Fall) for event in first)
                strikes += sum(event.move == "strike" for event in chosen)
                choices += len(chosen)
            means = (f"{each / STORIES:.1f}" for each in (aimed, falls))
            rows.append([f"{name}, {valuation}", *means, f"{100 * strikes / choices:.0f} %"])
    return table(["turn 0", "are aimed at", "fall", "choose strike"], rows)


def report(battles: int) -> Iterator[str]:
    """The parts of the page, one by one as they are measured."""
    stacks = registry.get("stacks")
    yield f"Rules version {stacks.rules_version}, {battles:,} battles a cell; per cent, with 95% Wilson intervals."
    yield "**Equal fights, by the order of play**"
    yield order_table(battles)
    yield "**Shipped scenarios, by the order of play**"
    yield example_order_table(battles)
    yield "**Equal fights, by how moves are valued**"
    yield valuation_table(battles)
    yield "**Shipped scenarios, by how moves are valued**"
    yield example_valuation_table(battles)
    yield f"**The first turn of equal fights, {STORIES} of them**"
    yield choice_table()
