"""How duels of titans are told: eighty columns, HP and charge in every round, and formulas whose numbers are right."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fracas import Battle, load, run
from fracas.kernel.event_protocol import ALL, DETAILS, STORY
from fracas.rulesets.titans.analysis.scenario_generator import random_scenario
from fracas.rulesets.titans.narration.arithmetic import Arithmetic
from fracas.rulesets.titans.narration.summary import unit_totals
from fracas.rulesets.titans.rules import events as kinds

EXAMPLES = sorted((Path(__file__).parents[4] / "examples" / "titans").glob("*.toml"))
WIDTH = 80
SCENARIOS = 14


@cache
def duels() -> tuple[Battle, ...]:
    return (*(run(path) for path in EXAMPLES), *(run(random_scenario(number)) for number in range(SCENARIOS)))


def long_named() -> Battle:
    """Names and numbers as long as they may be."""
    document: dict[str, Any] = random_scenario(3)
    for place, player in enumerate(document["players"]):
        player["name"] = f"{place} " + "Zephyrine" * 8
        player["titan"] = {
            "name": "Wilhelmina " * 7 + "x",
            "hp": 10_000,
            "attack": 1000,
            "defense": 900,
            "speed": 1000,
            "stamina": 1000,
            "abilities": ["ability_0"],
        }
        player["policy"] = [{"do": "ability"}, {"do": "rest", "chance": 30}, {"do": "attack"}]
    document["abilities"]["ability_0"]["name"] = "Unspeakable " * 6
    return run(document)


@pytest.mark.parametrize("detail", DETAILS)
def test_no_line_is_longer_than_a_terminal(detail: str) -> None:
    for battle in (*duels(), long_named()):
        for line in battle.lines(detail):
            assert len(line.text) <= WIDTH, f"{battle.scenario.id}: {line.text}"


def test_every_round_begins_with_the_hp_and_the_charge_of_both() -> None:
    for battle in duels():
        lines = [line.text for line in battle.lines(STORY)]
        rounds = [event for event in battle.events if isinstance(event, kinds.Round)]
        headings = [place for place, text in enumerate(lines) if text.startswith("Round ")]
        assert len(headings) == len(rounds)
        full = [player["titan"]["hp"] for player in battle.scenario.document["players"]]
        for place, event in zip(headings, rounds, strict=True):
            for text, hp, most, charge in zip(
                lines[place + 1 : place + 3],
                (event.hp_1, event.hp_2),
                full,
                (event.charge_1, event.charge_2),
                strict=True,
            ):
                assert f" {hp}/{most} HP" in text
                assert re.search(rf"charge \S+ {charge}$", text)


def test_the_formulas_lead_to_the_hp_that_the_events_tell() -> None:
    """What a line says HP come to, rounded half up and held, is what the event says."""
    seen = 0
    for battle in duels():
        arithmetic = Arithmetic(battle.scenario.document)
        for event in battle.events:
            lines = arithmetic.lines(event)
            if not isinstance(event, kinds.Damage | kinds.Heal):
                continue
            (hp,) = [line for line in lines if line.startswith("HP: ")]
            assert led_to(hp) == event.hp, hp
            seen += 1
    assert seen > 100


def led_to(line: str) -> int:
    """The HP that a formula leads to, rounded half up and held, whatever else the line says."""
    found = re.match(r"HP: .* = ([\d.]+)(?:, rounded to \d+|, at most (\d+))?$", line)
    assert found, line
    value, most = found.groups()
    return min(math.floor(float(value) + 0.5), int(most or 10_000))


def test_the_formulas_of_attacks_and_speeds_are_sums_that_add_up() -> None:
    seen = set()
    for battle in duels():
        arithmetic = Arithmetic(battle.scenario.document)
        for event in battle.events:
            for line in arithmetic.lines(event):
                equation = line.partition(": ")[2].partition(";")[0]
                left, equals, right = equation.partition(" = ")
                if not equals or line.startswith("HP: max"):
                    continue
                right = right.partition(",")[0].partition(" (")[0]
                worked = re.sub(r"[A-Z][a-z]+ ", "", left.replace("×", "*")).replace("% of", "/ 100 *")
                worked = re.sub(r" HP dealt|^(attack|defense|speed|stamina|evasion|accuracy|critical) ", "", worked)
                value = eval(worked, {"__builtins__": {}, "max": max})  # our own formula
                assert value == pytest.approx(float(right), rel=2e-3, abs=0.06), line
                seen.add(line.partition(":")[0])
    assert {"value", "damage", "HP", "charge", "gain", "to hit", "defense", "shield"} <= seen


def test_a_formula_that_is_wrong_is_found() -> None:
    """A negative control: damage that forgets the shield does not lead to the HP of the event."""
    battle = run(EXAMPLES[0])
    event = next(event for event in battle.events if isinstance(event, kinds.Damage) and event.hp)
    arithmetic = Arithmetic(battle.scenario.document)
    for each in battle.events[: battle.events.index(event)]:
        arithmetic.lines(each)
    text, damage = arithmetic.damage
    arithmetic.damage = (text, damage + 5)
    (hp,) = [line for line in arithmetic.lines(event) if line.startswith("HP: ")]
    assert led_to(hp) == event.hp - 5


def test_the_account_of_a_duel_agrees_with_its_result() -> None:
    for battle in duels():
        document = battle.scenario.document
        books = unit_totals(battle.events, document)
        outcome = next(event for event in battle.events if isinstance(event, kinds.Outcome))
        left = dict(zip(books, (outcome.hp_1, outcome.hp_2), strict=True))
        for name, other in (tuple(books), tuple(books)[::-1]):
            assert left[name] == books[name].duelist.max_hp - books[other].dealt + books[name].healed


def test_decisions_name_the_rule_that_decided() -> None:
    battle = run(EXAMPLES[0].parent / "ada-and-bo.toml")
    text = "\n".join(line.text for line in battle.lines("decisions"))
    assert "2 Bo chooses defend\n      rule 2: enemy.charge >= 50" in text


def test_all_shows_the_arithmetic_and_the_story_does_not() -> None:
    battle = run(EXAMPLES[0].parent / "ada-and-bo.toml")
    story, everything = ("\n".join(line.text for line in battle.lines(detail)) for detail in (STORY, ALL))
    assert "Attack 8 × (1 + " in everything
    assert "rounded to" in everything
    assert "×" not in story


def test_a_generated_titan_is_told_by_the_name_it_was_given() -> None:
    battle = run(load(EXAMPLES[0].parent / "generated.toml"))
    name = battle.scenario.document["players"][0]["titan"]["name"]
    assert name in battle.lines(STORY)[0].text
