"""Conditions of titans tried at a player's choice, and what many duels say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fracas import load, simulate
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Explanation, Override

RULESET = registry.get("titans")
EXAMPLES = Path(__file__).parents[4] / "examples" / "titans"
DUEL = load(EXAMPLES / "ada-and-bo.toml")


def explained(when: Any, unit: str = "2", round: int = 4, *state: Override, **options: Any) -> Explanation:
    return RULESET.explain(DUEL.compiled, stream=0, unit=unit, when=when, round=round, state=state, **options)


def test_a_condition_is_read_as_the_player_reads_it() -> None:
    told = explained("enemy.charge >= 50 and self.charge >= 60")
    assert not told.value
    assert [(node.text, node.value, node.detail) for node in told.nodes[1:]] == [
        ("enemy.charge >= 50", True, "70"),
        ("self.charge >= 60", False, "0"),
    ]
    assert explained("self.charge >= 60", unit="1").value


def test_a_player_goes_by_number_or_name() -> None:
    assert explained("self.hp < 20", unit="Bo").nodes == explained("self.hp < 20", unit="2").nodes


def test_shares_are_told_with_what_they_are_made_of_and_stats_with_their_changes() -> None:
    assert explained("self.hp_pct < 60").nodes[0].detail == "53.12% (17/32)"
    assert explained("enemy.attack >= 6").nodes[0].detail == "6"


def test_the_state_may_be_another() -> None:
    change = Override(("players", "1", "charge"), 60, "--state")
    assert explained("self.charge >= 60", "2", 4, change).value
    assert explained("round == 9", "2", 4, Override(("round",), 9, "--state")).value
    assert explained("self.hp_pct < 10", "2", 4, Override(("players", "1", "hp"), 3, "--state")).value


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("players", "1", "hp"), 0, "0 is not a whole number from 1 to 32"),
        (("players", "1", "hp"), 33, "33 is not a whole number from 1 to 32"),
        (("players", "0", "charge"), 101, "101 is not a whole number from 0 to 100"),
        (("players", "0", "charge"), True, "True is not a whole number"),
        (("players", "2", "hp"), 3, "is not a path of the state"),
        (("players", "0"), 3, "is not a path of the state"),
        (("units", "1", "hp"), 3, "is not a path of the state"),
        (("players", "0", "chrge"), 3, 'a titan\'s state has no "chrge"'),
        (("round",), 0, "0 is not a whole number from 1 to 1,000"),
    ],
)
def test_a_state_that_cannot_be_is_refused(path: tuple[str, ...], value: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        explained("always", "1", 1, Override(path, value, "--state"))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("unit", "when", "round", "said"),
    [
        ("3", "always", 1, 'there is no player "3"'),
        ("Boo", "always", 1, 'there is no player "Boo" (did you mean "Bo"?)'),
        ("1", "", 1, "is empty"),
        ("1", "self.charge >=", 1, "--when"),
        ("1", "always", 0, "0 is not a round"),
        ("1", "always", 50, "the duel ends in round 7"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(unit: str, when: str, round: int, said: str) -> None:
    with pytest.raises(InputError) as refused:
        explained(when, unit, round)
    assert said in str(refused.value)


def test_explaining_leaves_the_compiled_duel_as_it_was() -> None:
    before = DUEL.compiled.record.copy()
    explained("self.charge >= 60")
    assert (DUEL.compiled.record == before).all()


def test_the_tables_of_many_duels_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")
    results = simulate(EXAMPLES / "striker-weaver.toml", n=20)
    first, second = results.statistics["titans"]
    assert (first["stands"], second["stands"]) == results.wins
    assert sum(row["battles"] for row in results.statistics["endings"]) == 20
    assert 0 <= first["hp_left"] <= first["hp"]
