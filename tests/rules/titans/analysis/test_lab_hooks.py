"""Titans answers the lab."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fracas import load, run
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Document, Source

LAB = registry.get("titans").analysis
BITE: Document = {"id": "bite", "name": "Bite", "cost": 10, "effects": [{"type": "damage", "amount": 3}]}


def duel(policy: Any = None, ability: Document = BITE, **options: Any) -> Document:
    titan = {"hp": 30, "attack": 5, "defense": 5, "speed": 5, "stamina": 5, "abilities": ["bite"]}
    players = [
        {"name": name, "titan": {"name": f"{name}'s", **titan}, "policy": policy or [{"do": "bite"}, {"do": "rest"}]}
        for name in ("Ada", "Bo")
    ]
    return load(
        {"ruleset": "titans", "id": "duel", "options": options, "abilities": {"bite": ability}, "players": players}
    ).document


@pytest.mark.parametrize(
    ("policy", "renamed"),
    [
        ([{"do": "bite"}, {"do": "rest"}], {"rules": [{"do": "bite-2", "chance": 100}, {"do": "rest", "chance": 100}]}),
        ({"choices": ["rest", "bite"]}, {"choices": ["rest", "bite-2"]}),
        ("greedy", "greedy"),
    ],
)
def test_another_ability_under_the_same_id_gets_its_own_in_the_policy_too(policy: Any, renamed: Any) -> None:
    other = duel(policy, {**BITE, "cost": 20})
    met = LAB.matchup(SideRef(duel(), 1), SideRef(other, 2))
    assert met["players"][1]["titan"]["abilities"] == ["bite-2"]
    assert met["players"][1]["policy"] == renamed
    assert met["abilities"]["bite-2"]["cost"] == 20


def test_a_policy_that_asks_for_what_is_hidden_does_not_fit_everywhere() -> None:
    curious = duel([{"when": "enemy.attack > 4", "do": "defend"}, {"do": "attack"}])
    with pytest.raises(InputError, match=r'"enemy\.attack" is hidden from players'):
        LAB.matchup(SideRef(duel(stats_public=False), 1), SideRef(curious, 1))


def test_rules_about_another_titans_abilities_are_left_out() -> None:
    standard = load("examples/titans/standard.toml").document
    changed = LAB.with_part(SideRef(standard, 1), "policy", LAB.part(SideRef(duel(), 1), "policy"))
    assert changed["players"][0]["policy"] == {"rules": [{"do": "rest", "chance": 100}]}
    nothing_left = LAB.with_part(SideRef(standard, 1), "policy", LAB.part(SideRef(duel([{"do": "bite"}]), 1), "policy"))
    assert nothing_left["players"][0]["policy"] == {"rules": [{"do": "attack", "chance": 100}]}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"rules": [{"do": "bitte"}]}, 'there is no action or ability "bitte"'),
        ("charrger", 'there is no policy "charrger"'),
        ({"choices": ["meteor"]}, 'does not have the ability "meteor"|there is no action or ability "meteor"'),
        ({"policy": "greedy"}, "abilities: is missing"),
    ],
)
def test_a_policy_file_that_is_wrong_is_refused(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        LAB.with_part(SideRef(duel(), 1), "policy", value)


def test_a_policy_comes_as_files_hold_it() -> None:
    changed = LAB.with_part(SideRef(duel(), 2), "policy", "charger")
    assert changed["players"][1]["policy"]["rules"][0]["do"] == "ability"
    assert LAB.with_part(SideRef(duel(), 1), "policy", [{"do": "defend"}])["players"][0]["policy"]["rules"]


def test_another_titan_keeps_the_player_and_what_it_can_follow() -> None:
    standard = load("examples/titans/standard.toml").document
    changed = LAB.with_part(SideRef(standard, 1), "titan", LAB.part(SideRef(duel(), 1), "titan"))
    assert changed["players"][0]["name"] == "Ada"
    assert changed["players"][0]["titan"]["name"] == "Ada's"
    known = {"attack", "defend", "rest", "ability", "bite"}
    assert {rule["do"] for rule in changed["players"][0]["policy"]["rules"]} <= known
    assert set(changed["abilities"]) == {"bite", *standard["players"][1]["titan"]["abilities"]}


def test_choices_that_another_titan_cannot_make_are_refused() -> None:
    standard = load("examples/titans/standard.toml").document
    listed = duel({"choices": ["bite"]})
    with pytest.raises(InputError, match=r"policy\.choices\.0"):
        LAB.with_part(SideRef(listed, 1), "titan", LAB.part(SideRef(standard, 1), "titan"))


def test_rules_are_turned_one_by_one_and_other_policies_as_a_whole() -> None:
    knobs = LAB.search_space(SideRef(duel(), 1))
    assert [knob.name for knob in knobs] == [f"rule {n}: {what}" for n in (1, 2) for what in ("when", "do", "chance")]
    assert "never" in knobs[0].labels
    assert "never" not in knobs[3].labels, "the last rule must be able to fire"
    assert list(knobs[1].labels) == ["attack", "defend", "rest", "Bite", "ability"]
    (whole,) = LAB.search_space(SideRef(duel("greedy"), 1))
    assert list(whole.labels[:2]) == ["random", "greedy"]
    assert whole.current == 1


def test_all_rules_shut_off_but_the_last_is_still_a_policy() -> None:
    document = duel()
    knobs = {knob.name: knob for knob in LAB.search_space(SideRef(document, 1))}
    never = knobs["rule 1: when"]
    changed = LAB.with_choices(document, [(never, list(never.labels).index("never"))])
    registry.get("titans").resolve(changed, Source("here"))


def test_shields_and_charge_are_counted() -> None:
    wall: Document = {"id": "bite", "name": "Wall", "cost": 0, "effects": [{"type": "shield", "amount": 100}]}
    document = duel([{"do": "bite"}], wall, round_cap=1)
    attacker = LAB.with_part(SideRef(document, 2), "policy", [{"do": "attack"}])
    found: dict[tuple[int, str], list[Any]] = {}
    for stream in range(20):
        played = run(attacker, stream=stream)
        assert played.rows is not None
        for each in LAB.contributions(played.rows, played.scenario.compiled, attacker):
            found.setdefault((each.side, each.ability), []).append(each.amounts)
    stopped = [amounts["stopped"] for amounts in found[2, "attack"]]
    assert [amounts["absorbed"] for amounts in found[1, "Wall"]] == stopped
    damage = [amounts["damage"] for amounts in found[2, "attack"]]
    assert any(stopped)
    assert all(not lost or not held for lost, held in zip(damage, stopped, strict=True))
    rest = run(LAB.with_part(SideRef(document, 2), "policy", [{"do": "rest"}]))
    rows = rest.rows
    assert isinstance(rows, np.ndarray)
    amounts = {
        (each.side, each.ability): each.amounts for each in LAB.contributions(rows, rest.scenario.compiled, document)
    }
    assert amounts[2, "rest"] == {**dict.fromkeys(amounts[2, "rest"], 0), "uses": 1, "charge": 60}
