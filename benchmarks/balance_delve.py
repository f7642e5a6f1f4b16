"""Measures how often the shipped companies complete the shipped quests in delve, and what moves a fight by how much.

Each quest is played by the company that it was made for, according to the content. Changes are tried on
examples/delve/standard-4v4.toml, an even fight of four against four.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks.figures import ROOT, share, table

import fracas
from fracas.rulesets import registry

SCENARIO = ROOT / "examples" / "delve" / "standard-4v4.toml"
PAGES = (ROOT / "docs/explanation/balance-of-quests.md",)
MARK = "printed by benchmarks/balance.py delve"

# From the notes of the content: which company each quest was made for.
COMPANIES = {
    "bridge_of_hooks": "first_company",
    "goblin_warrens": "first_company",
    "tannery_beast": "lantern_watch",
    "drowned_abbey": "lantern_watch",
    "still_foundry": "copper_seal",
    "chalk_court": "night_register",
}
DIFFICULTIES = ("trivial", "normal", "hard", "deadly")
RARITY_QUEST = "drowned_abbey"
BATTLES = 50_000

Document = dict[str, Any]
Change = Callable[[Document], None]
Runs = dict[tuple[str, str], fracas.Results]


def run_results(quest: str, difficulty: str, battles: int) -> fracas.Results:
    """A quest at a difficulty, with the company that it was made for; always under the same seed."""
    scenario = {"ruleset": "delve", "quest": quest, "party": COMPANIES[quest], "difficulty": difficulty}
    return fracas.simulate({**scenario, "id": "balance", "seed": f"balance: {quest}"}, battles)


def completion_table(runs: Runs) -> str:
    """How often each quest is completed, by difficulty."""
    library = registry.get("delve").read_library(None, [])
    rows = []
    for quest, company in COMPANIES.items():
        entry = library.of("quests")[quest]
        cells = (share(runs[quest, each].wins[0], runs[quest, each].battles) for each in DIFFICULTIES)
        about = (entry.name, library.of("parties")[company].name, str(entry.level), str(len(entry.encounters)))
        rows.append([*about, *cells])
    return table(["completed", "company", "level", "encounters", *DIFFICULTIES], rows)


def homecoming_table(runs: Runs) -> str:
    """The average run at normal difficulty."""
    rows = []
    for quest in COMPANIES:
        results = runs[quest, "normal"]
        spreads = {row["what"]: row["mean"] for row in results.statistics["distributions"]}
        items = sum(row["per_run"] for row in results.statistics["rarities"])
        alive = sum(row["members"] * row["share"] for row in results.statistics["survivors"])
        deadliest = max(results.statistics["wipes"], key=lambda row: row["runs"], default=None)
        fallen = "nowhere" if deadliest is None else f"{deadliest['name']}: {100 * deadliest['share']:.1f}"
        figures = (results.rounds.mean, alive, spreads["xp"], spreads["gold"], items)
        rows.append([quest, *(f"{figure:.1f}" for figure in figures), fallen])
    return table(["quest", "rounds", "members alive", "XP", "gold", "items", "most fall in"], rows)


def rarity_table(runs: Runs) -> str:
    """The loot of one quest, by rarity and difficulty."""
    counted = {each: runs[RARITY_QUEST, each].statistics["rarities"] for each in DIFFICULTIES}
    rows = [
        [row["rarity"], *(f"{counted[each][place]['per_run']:.3f}" for each in DIFFICULTIES)]
        for place, row in enumerate(counted["normal"])
    ]
    return table(["items a run", *DIFFICULTIES], rows)


def fight(change: Change, battles: int) -> fracas.Results:
    """The even fight with a change, always under the same seed."""
    with SCENARIO.open("rb") as file:
        document = tomllib.load(file)
    document["difficulty"] = {"id": "even", "name": "Even"}
    change(document)
    return fracas.simulate(document, battles)


def levers() -> Iterator[tuple[str, Change]]:
    """Ways to strengthen the enemies of the even fight."""
    yield "nothing changed", partial(set_difficulty)
    for percent in (110, 125, 150):
        yield f"{percent} % of their HP", partial(set_difficulty, creature_hp=percent)
    for percent in (110, 125, 150):
        yield f"{percent} % of their damage", partial(set_difficulty, creature_damage=percent)
    for more in (1, 2, 5, 10):
        yield f"{more} more on each of their attributes", partial(raise_attributes, more=more)
    yield "one more of them, the second again", add_enemy


def set_difficulty(document: Document, **numbers: int) -> None:
    """Set numbers of a difficulty that changes nothing else."""
    document["difficulty"] |= numbers


def raise_attributes(document: Document, more: int) -> None:
    """Raise every attribute of every enemy."""
    for enemy in document["enemies"]:
        enemy["attributes"] = {name: value + more for name, value in enemy["attributes"].items()}


def add_enemy(document: Document) -> None:
    """Add a copy of the second enemy."""
    document["enemies"].append(document["enemies"][1])


def lever_table(battles: int) -> str:
    """How often the party wins the even fight, by change."""
    rows = []
    for name, change in levers():
        results = fight(change, battles)
        rows.append([name, share(results.wins[0], results.battles), f"{results.rounds.mean:.1f}"])
    return table(["the enemies have", "the party wins", "rounds"], rows)


def armor_table(battles: int) -> str:
    """The effect of armor and resistance on both sides of the even fight."""
    rows = []
    for points in (0, 2, 4, 6, 8, 10):
        results = fight(partial(put_on, points=points), battles)
        undecided = sum(count for reason, count in results.reasons.items() if reason == "survived")
        rows.append([str(points), share(undecided, results.battles), f"{results.rounds.mean:.1f}"])
    return table(["armor and resistance of everybody", "nobody wins", "rounds"], rows)


def put_on(document: Document, points: int) -> None:
    """Give everybody the same armor and resistance."""
    for participant in (*document["party"], *document["enemies"]):
        participant |= {"armor": points, "resistance": points}


def report(battles: int) -> Iterator[str]:
    """The parts of the page, one by one as they are measured."""
    delve = registry.get("delve")
    yield f"Rules version {delve.rules_version}, {battles:,} battles a cell; per cent, with 95% Wilson intervals."
    runs = {(quest, each): run_results(quest, each, battles) for quest in COMPANIES for each in DIFFICULTIES}
    yield "**Quests that are completed**"
    yield completion_table(runs)
    yield "**What a run at the difficulty normal comes to, on average**"
    yield homecoming_table(runs)
    yield f"**Items that come home from {RARITY_QUEST}, a run**"
    yield rarity_table(runs)
    yield "**Levers on an even fight**"
    yield lever_table(battles)
    yield "**Armor on an even fight**"
    yield armor_table(battles)
