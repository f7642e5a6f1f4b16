"""The exact expected values of loot and enhancement. delve/README.md, An item, and Enhancement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from fracas.content.packs import Library
from fracas.content.validate import validate
from fracas.errors import InputError, Problem, UsageError
from fracas.errors.suggestions import nearest, quoted
from fracas.kernel import jit
from fracas.rulesets.contract.measures import LootCounts, LootPlan, LootSource
from fracas.rulesets.contract.types import Source, copied
from fracas.rulesets.delve.content.compile import compile_battle
from fracas.rulesets.delve.content.fights import table_after
from fracas.rulesets.delve.content.models.items import Difficulty, LootTable
from fracas.rulesets.delve.content.models.quests import ResolvedCombat, ResolvedQuest
from fracas.rulesets.delve.content.models.scenario import Resolved
from fracas.rulesets.delve.content.quest_resolver import rarity_weights
from fracas.rulesets.delve.content.scenario_resolver import resolve
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.run.loot_simulation import roll_many

CHEST = "chest"
# Above this many runs, compiling the kernels pays off.
FEW_RUNS = 300


def plan(
    library: Library, quest: str, difficulty: str, seed: str | None, encounters: int | None, folders: Sequence[Path]
) -> LootPlan:
    """The expected loot of a quest, and the record to roll loot with; the party does not matter.

    Raises:
        InputError: there is no such quest, difficulty or number of encounters.
    """
    problems: list[Problem] = []
    for where, kind, word, name in (
        ("QUEST", "quests", "quest", quest),
        ("--difficulty", "difficulties", "difficulty", difficulty),
    ):
        known = library.of(kind)
        if name not in known:
            hint = nearest(name, known) or f"known: {', '.join(known)}"
            problems.append(Problem(where, f"there is no {word} {quoted(name)}", hint))
    if problems:
        raise InputError(problems)
    scenario = {"ruleset": "delve", "id": quest, "quest": quest, "difficulty": difficulty}
    scenario |= {"party": next(iter(library.of("parties"))), "seed": seed or quest}
    document = resolve(scenario, Source("fracas content loot"), folders, {}).document
    resolved = validate(Resolved, document, "fracas content loot")
    assert resolved.quest is not None
    most = len(resolved.quest.encounters)
    count = most if encounters is None else encounters
    if not 1 <= count <= most:
        raise UsageError.of("--encounters", f"{count} is out of range: {quest} has {most}")
    sources = loot_sources(resolved, count)
    compiled = compile_battle(document, {})
    return LootPlan(
        ruleset="delve",
        quest=quest,
        difficulty=difficulty,
        seed=str(document["seed"]),
        encounters=count,
        sources=tuple(sources),
        items={name: item.name for name, item in resolved.items.items()},
        rarities=codes.RARITIES,
        bonuses=expected_bonuses(resolved, expected_drops(sources)),
        record=compiled.record,
        books=compiled.books,
    )


def roll(plan: LootPlan, runs: int, notice: Callable[[str], None] | None = None) -> LootCounts:
    """Roll the loot of runs 0 to runs - 1 with the rules' kernels, and count it."""
    record, books = copied(plan.record), plan.books
    battle = record[0]
    found = np.zeros((int(battle.encounter_count) + 1, len(books["item"]), len(codes.RARITIES)), np.int64)
    bonuses = np.zeros((max(1, len(books["bonus"])), len(codes.TIERS)), np.int64)
    roll = roll_many
    setting = jit.jit_setting()
    if setting == "always" or (setting in ("auto", "wasm") and (runs > FEW_RUNS or jit.is_cached(roll_many, "loot"))):
        if not jit.is_cached(roll_many, "loot") and notice is not None:
            notice("Compiling the loot of delve for this machine, once; it takes a few seconds.")
        roll = jit.native(roll_many)
    roll(record, 0, runs, plan.encounters, found, bonuses)
    if roll is not roll_many:
        jit.mark_cached(roll_many, "loot")
    names = [f"encounter {number}" for number in range(len(found) - 1)] + [CHEST]
    items = {
        (names[source], books["item"][item], codes.RARITIES[rarity]): int(found[source, item, rarity])
        for source, item, rarity in zip(*np.nonzero(found), strict=True)
    }
    tiers = {
        (name, tier): int(bonuses[b, t]) for b, name in enumerate(books["bonus"]) for t, tier in enumerate(codes.TIERS)
    }
    return LootCounts(items, {key: count for key, count in tiers.items() if count})


def loot_sources(resolved: Resolved, encounters: int | None = None) -> list[LootSource]:
    """The loot rolls of a run that passes the first `encounters` of a quest; if it passes all, the chest too.

    Ambushes, extra rolls and skipped encounters depend on the run and are left out.
    """
    quest = resolved.quest
    if quest is None:
        return []
    count = len(quest.encounters) if encounters is None else encounters
    chance = Fraction(resolved.difficulty.loot_chance, 100)
    places = [
        (f"encounter {number}", table_of(quest, number), chance)
        for number in range(count)
        if quest.encounters[number].loot
    ]
    if count == len(quest.encounters):
        places.append((CHEST, quest.chest_table_id or quest.loot_table_id, Fraction(1)))
    return [
        LootSource(name, table, odds, item_odds(resolved.loot_tables[table], resolved.difficulty))
        for name, table, odds in places
    ]


def table_of(quest: ResolvedQuest, number: int) -> str:
    """The loot table of an encounter without an ambush."""
    encounter = quest.encounters[number]
    return table_after(quest, encounter, encounter.enemies if isinstance(encounter, ResolvedCombat) else [])


def item_odds(table: LootTable, difficulty: Difficulty) -> dict[tuple[str, str], Fraction]:
    """The probability of each template and rarity for an item from a table under a difficulty.

    >>> row = {"template": "spear", "weight": 1, "rarity_weights": {"common": 60, "rare": 20}}
    >>> table = LootTable.model_validate({"id": "t", "rows": [row, {**row, "template": "cap", "weight": 3}]})
    >>> hard = Difficulty.model_validate({"id": "hard", "name": "Hard", "rarity": {"rare": 300}})
    >>> {item: str(odds) for item, odds in item_odds(table, hard).items()}[("cap", "rare")]
    '3/8'
    """
    odds: dict[tuple[str, str], Fraction] = {}
    weights = sum(row.weight for row in table.rows)
    for row in table.rows:
        rarities = rarity_weights(row.rarity_weights, difficulty)
        whole = sum(rarities.values())
        for rarity, weight in rarities.items():
            if row.weight and weight:
                key = (row.template, rarity)
                odds[key] = odds.get(key, Fraction(0)) + Fraction(row.weight * weight, weights * whole)
    return odds


def expected_drops(sources: Sequence[LootSource]) -> dict[tuple[str, str], Fraction]:
    """The expected number of items of each template and rarity in a run."""
    expected: dict[tuple[str, str], Fraction] = {}
    for source in sources:
        for key, share in source.drops.items():
            expected[key] = expected.get(key, Fraction(0)) + source.chance * share
    return expected


def expected_bonuses(resolved: Resolved, drops: dict[tuple[str, str], Fraction]) -> dict[tuple[str, str], Fraction]:
    """The expected number of bonuses of each kind and tier on the items of a run."""
    expected: dict[tuple[str, str], Fraction] = {}
    for (template, rarity), count in drops.items():
        slot = resolved.items[template].slot
        fitting = {
            name: bonus.weight
            for name, bonus in resolved.bonuses.items()
            if bonus.weight and (not bonus.slots or slot in bonus.slots)
        }
        rules = next(entry for name, entry in resolved.rarities.items() if name == rarity)
        tiers = {tier: getattr(rules.tiers, tier) for tier in codes.TIERS}
        for name, weight in fitting.items():
            for tier, tier_weight in tiers.items():
                if rules.bonuses and tier_weight:
                    share = Fraction(weight, sum(fitting.values())) * Fraction(tier_weight, sum(tiers.values()))
                    key = (name, tier)
                    expected[key] = expected.get(key, Fraction(0)) + count * rules.bonuses * share
    return expected


def enhancement_odds(attempts: int, begun_at: int = 0) -> tuple[Fraction, ...]:
    """The probabilities that an item is +0, +1, ... +5 after this many enhancement attempts; a failure keeps the level.

    >>> [str(share) for share in enhancement_odds(3)]
    ['0', '1/25', '12/25', '12/25', '0', '0']
    """
    odds = [Fraction(int(level == begun_at)) for level in range(codes.MAX_ENHANCEMENT + 1)]
    for _ in range(attempts):
        after = [Fraction(0)] * len(odds)
        for level, share in enumerate(odds):
            chance = Fraction(codes.ENHANCEMENT_CHANCES[level], 100) if level < codes.MAX_ENHANCEMENT else Fraction(0)
            after[level] += share * (1 - chance)
            if chance:
                after[level + 1] += share * chance
        odds = after
    return tuple(odds)


def expected_attempts(level: int, begun_at: int = 0) -> Fraction:
    """The expected number of attempts until an item is +level.

    >>> expected_attempts(5)
    Fraction(137, 12)
    """
    return sum((Fraction(100, codes.ENHANCEMENT_CHANCES[step]) for step in range(begun_at, level)), Fraction(0))
