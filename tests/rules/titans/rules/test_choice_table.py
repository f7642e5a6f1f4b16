"""The table of choices says what a policy's conditions say: policies.py is its oracle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.prepared_battles import Preparation

import fracas
from fracas.kernel import jit
from fracas.rulesets import registry
from fracas.rulesets.titans.rules.choice_table import ROLLS
from fracas.rulesets.titans.rules.constants import CHOICES, PREPARED, UNPREPARED, WITHOUT_TABLE
from fracas.rulesets.titans.rules.entry_points import prepare_battles
from fracas.rulesets.titans.rules.policies import choose
from fracas.rulesets.titans.rules.preparation import prepare

EXAMPLES = Path(__file__).parents[4] / "examples" / "titans"
STANDARD = EXAMPLES / "standard.toml"
KERNELS = registry.get("titans").kernels
BATTLES = 48
SCENARIOS = 40
TABLES = Preparation("titans", "choice_tables", PREPARED, WITHOUT_TABLE, BATTLES, besides=("facts",))


def with_rules(*rules: dict[str, Any]) -> Any:
    """The standard duel with these rules for player 1."""
    document = fracas.load(STANDARD).document
    document["players"][0]["policy"] = list(rules)
    return fracas.load(document)


def test_random_duels_come_out_as_by_the_conditions() -> None:
    assert TABLES.compare_random(SCENARIOS) > 10


def test_all_shipped_scenarios_come_out_as_by_the_conditions() -> None:
    for file in sorted(EXAMPLES.glob("*.toml")):
        records = fracas.load(file).compiled.record
        assert np.array_equal(TABLES.results(records, prepared=True), TABLES.results(records, prepared=False)), file


@pytest.mark.parametrize(
    "conditions",
    [
        ["enemy.charge >= 30 and self.charge < 70", "self.hp_pct < 40 or enemy.hp <= 12", "enemy.rested", "round >= 9"],
        ["enemy.ready and not self.ready", "self.attacked and enemy.defended", "self.used_ability", "round == 4"],
        ["enemy.attack > 9 or self.defense < 6", "self.buffed", "enemy.debuffed and enemy.hp_pct > 50"],
    ],
)
def test_each_choice_is_the_one_of_the_conditions(conditions: list[str]) -> None:
    """Row for row: the choices in situations drawn at random, with and without stat changes."""
    rules = [
        {"when": condition, "do": choice}
        for condition, choice in zip(conditions, ("defend", "rest", "ability", "defend"), strict=False)
    ]
    records = with_rules(*rules, {"do": "attack"}).compiled.record.copy()
    jit.native(prepare_battles)(records)
    battle, one = records[0], records[0].titans[0]
    draw = np.random.default_rng(7)
    looked_up_choices = set()
    for _ in range(400):
        battle.tick = draw.integers(1, 13)
        for each in battle.titans:
            each.hp, each.charge = draw.integers(1, each.max_hp + 1), draw.integers(0, 101)
            each.last_choice = draw.integers(-1, CHOICES)
            each.active = int(draw.integers(0, 4) == 0)
            each.sums[:7] = draw.integers(-90, 90, 7) * each.active
        battle.choice_tables["state"] = PREPARED
        choose(battle, one, None)
        looked_up = int(one.choice), int(one.why), int(one.rule)
        battle.choice_tables["state"] = WITHOUT_TABLE
        choose(battle, one, None)
        assert looked_up == (int(one.choice), int(one.why), int(one.rule))
        looked_up_choices.add(looked_up)
    assert len(looked_up_choices) > 1


def test_a_wrong_entry_is_noticed() -> None:
    """A negative control."""
    records = fracas.load(STANDARD).compiled.record.copy()
    right = TABLES.results(records, prepared=True)
    jit.native(prepare_battles)(records)
    entries = records[0].choice_tables[0].entries
    entries[entries == np.unique(entries)[1]] ^= 1
    assert not np.array_equal(TABLES.results(records, prepared=True), right)


def test_an_edited_record_that_is_prepared_again_equals_one_that_is_compiled_anew() -> None:
    scenario = fracas.load(STANDARD)
    edited, anew = scenario.compiled.record.copy(), scenario.compiled.record.copy()
    # As it is after duels: hurt, charged, with last choices.
    jit.native(KERNELS.play_many)(edited, 0, np.zeros(BATTLES, KERNELS.result_type), None, None)
    for record in (edited, anew):
        record[0].titans[0].max_hp += 25
        record[0].titans[1].costs[:2] = 0
        record[0].titans[1].cheapest = 0
    stale = TABLES.results(edited, prepared=True)
    for record in (edited, anew):
        jit.native(prepare_battles)(record)
    assert edited[0].choice_tables.tobytes() == anew[0].choice_tables.tobytes()
    wanted = TABLES.results(anew, prepared=False)
    assert np.array_equal(TABLES.results(edited, prepared=True), wanted)
    assert not np.array_equal(stale, wanted), "the edit matters"


def any_below(*facts: str) -> str:
    """A condition that distinguishes 20 ranges of each of these facts."""
    return " or ".join(f"{fact} < {number}" for fact in facts for number in range(2, 21))


@pytest.mark.parametrize(
    ("conditions", "has_one", "asks_stats"),
    [
        (["self.hp_pct < 50 and enemy.charge >= 30"], True, False),
        (["round == 3 or sudden_death", "enemy.rested"], True, False),
        (["enemy.attack > 6 or self.buffed"], True, True),
        (["self.hp > enemy.hp"], False, False),
        # 20 x 20 ranges, and 20 times as many.
        ([any_below("self.hp", "enemy.hp")], True, False),
        ([any_below("self.hp", "enemy.hp"), any_below("enemy.charge")], False, False),
        # 256 comparisons, and one more.
        ([" or ".join(["self.hp < 7"] * 32)] * 8, True, False),
        ([*[" or ".join(["self.hp < 7"] * 32)] * 8, "self.hp < 7"], False, False),
    ],
)
def test_which_policies_have_a_table(conditions: list[str], has_one: bool, asks_stats: bool) -> None:
    rules = [{"when": condition, "do": "defend"} for condition in conditions]
    records = with_rules(*rules, {"do": "attack"}).compiled.record.copy()
    jit.native(prepare_battles)(records)
    table = records[0].choice_tables[0]
    assert (table.state == PREPARED, bool(table.asks_stats)) == (has_one, asks_stats)
    assert np.array_equal(TABLES.results(records, prepared=True), TABLES.results(records, prepared=False))


def test_rules_with_a_chance_are_rolled() -> None:
    scenario = with_rules({"when": "self.hp_pct < 90", "do": "defend", "chance": 40}, {"do": "ability"}, {"do": "rest"})
    records = scenario.compiled.record.copy()
    jit.native(prepare_battles)(records)
    assert ROLLS in records[0].choice_tables[0].entries
    assert np.array_equal(TABLES.results(records, prepared=True), TABLES.results(records, prepared=False))


def test_few_duels_and_logged_ones_fill_no_table() -> None:
    records = fracas.load(STANDARD).compiled.record.copy()
    KERNELS.play_many(records, 0, np.zeros(2, KERNELS.result_type), None, None)
    KERNELS.play_many(records, 0, np.zeros(1, KERNELS.result_type), np.zeros(1, KERNELS.log_type), None)
    assert (records[0].choice_tables["state"] == UNPREPARED).all()


def test_plain_and_compiled_fill_the_same_tables() -> None:
    one, other = (fracas.load(STANDARD).compiled.record.copy() for _ in range(2))
    prepare(one[0])
    jit.native(prepare_battles)(other)
    assert one.tobytes() == other.tobytes()
    assert (one[0].choice_tables["state"] == PREPARED).all()
