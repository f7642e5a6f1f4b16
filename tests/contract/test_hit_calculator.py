"""`explain --hit`: what it promises of a hit is what battles are seen to do, in every ruleset."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.scenarios import problems_of

import fracas
from fracas.engine.overrides import parse_override
from fracas.rulesets import registry
from fracas.rulesets.titans.analysis.hit_calculator import mean_of_attack

EXAMPLES = Path(__file__).parents[2] / "examples"
STREAMS = 12


def hits(scenario: fracas.Scenario, actor: str, target: str, round: int | None = None, *state: str) -> list[Any]:
    changes = [parse_override(text, "--state") for text in state]
    asked: dict[str, Any] = {"stream": 0, "actor": actor, "target": target, "round": round, "state": changes}
    return scenario.ruleset.hits(scenario.compiled, **asked)


def load(name: str) -> fracas.Scenario:
    return fracas.load(EXAMPLES / f"{name}.toml")


def by_name(found: list[Any]) -> dict[tuple[str, str, str], Any]:
    return {(hit.actor, hit.target, hit.by): hit for hit in found}


def played(scenario: fracas.Scenario, stream: int = 0) -> list[Any]:
    return list(fracas.run(scenario, stream=stream).events)


def first(events: list[Any], name: str) -> int:
    return next(place for place, event in enumerate(events) if name == event.NAME)


def test_a_hit_of_squads_does_what_the_rule_book_says():
    [basic, *_] = hits(load("squads/first-battle"), "1.scout", "2.bronze_knight")
    # 30 attack, aggressive 115%, a ranger against a warrior 80%, 10% criticals, and 9 of defense.
    assert [(step.least, step.most) for step in basic.steps] == [
        (30, 30),
        (34, 34),
        (27, 27),
        (27, 40),
        (18, 31),
        (18, 31),
    ]
    assert basic.damages == {18: Fraction(9, 10), 31: Fraction(1, 10)}
    assert (basic.hit, basic.critical, basic.mean) == (1, 0.1, 19.3)


def test_the_state_counts_in_a_hit_of_squads():
    scenario = load("squads/first-battle")
    raised = hits(scenario, "1.scout", "2.bronze_knight", None, "units.1.scout.attack_up=100")[0]
    assert raised.steps[0].least == 60
    hurt = hits(scenario, "1.scout", "2.bronze_knight", None, "units.2.bronze_knight.hp=31")[0]
    assert hurt.falls == 0.1
    late = hits(scenario, "1.scout", "2.bronze_knight", 2)[0]
    assert late.damages == {18: Fraction(9, 10), 31: Fraction(1, 10)}


@pytest.mark.parametrize("name", ["first-battle", "standard-5v5", "custom-chain", "heavy-armor", "legacy-profile"])
def test_the_first_hits_of_squads_are_among_those_promised(name):
    scenario = load(f"squads/{name}")
    promised = by_name(hits(scenario, "1", "2") + hits(scenario, "2", "1"))
    seen = 0
    for stream in range(STREAMS):
        events = played(scenario, stream)
        place = first(events, "hit")
        earlier = {event.NAME for event in events[:place]}
        hit, ability = events[place], next(e.ability for e in reversed(events[:place]) if e.NAME == "choice")
        if not earlier & {"effect", "shield", "heal"}:
            seen += 1
            assert hit.damage in promised[hit.actor, hit.target, ability].damages
    assert seen


def test_the_first_attacks_of_delve_are_among_those_promised():
    scenario = load("delve/ambush-at-the-ford")
    promised = by_name(hits(scenario, "1", "2") + hits(scenario, "2", "1"))
    damaged = 0
    for stream in range(STREAMS):
        events = played(scenario, stream)
        place = first(events, "attack")
        attack, skill = events[place], next(e.skill for e in reversed(events[:place]) if e.NAME == "use")
        if "condition" in {event.NAME for event in events[:place]}:
            continue
        hit = promised[attack.actor, attack.target, skill]
        assert (hit.steps[0].least, hit.steps[1].least) == (attack.chance, attack.critical_up_to)
        if events[place + 1].NAME == "amount":
            damaged += 1
            assert events[place + 2].damage in hit.damages
            assert hit.steps[2].least <= events[place + 1].roll <= hit.steps[2].most
    assert damaged


def test_a_skill_of_delve_is_counted_out():
    found = by_name(hits(load("delve/ambush-at-the-ford"), "1.vanguard_2", "2.goblin_shaman"))
    strike = found["1.vanguard_2", "2.goblin_shaman", "strike"]
    # 68%, of which 6 are critical; 4 to 10 and 3 for might, doubled if critical.
    assert (strike.hit, strike.critical) == (0.68, 0.06)
    expected = {damage: Fraction(62, 68 * 7) for damage in range(7, 14)}
    for damage in range(14, 28, 2):
        expected[damage] = expected.get(damage, Fraction(0)) + Fraction(6, 68 * 7)
    assert strike.damages == expected


@pytest.mark.parametrize("name", ["first-attack", "three-rivers", "siege-of-ashgate"])
def test_a_blow_of_stacks_is_worth_what_the_choice_says(name):
    scenario = load(f"stacks/{name}")
    promised = by_name(hits(scenario, "1", "2") + hits(scenario, "2", "1"))
    events = played(scenario)
    seen = set()
    for event in events[: first(events, "move")]:
        key = None if event.NAME != "considered" else (event.actor, event.target, event.move)
        if key in promised and event.move != "bombard":
            seen.add(event.move)
            assert promised[key].mean_of_attempt * promised[key].times == pytest.approx(event.value)
    assert seen


def test_a_strike_of_relics_is_the_one_that_is_made():
    scenario = load("relics/first-duel")
    events = played(scenario)
    place = first(events, "strike")
    strike, damage = events[place], events[place + 1]
    # Nothing happens before the first strike but what the set-up does.
    sides = {scenario.document[side]["name"]: side for side in ("left", "right")}
    [hit] = hits(scenario, sides[strike.actor], sides[strike.target])
    assert (hit.damages, hit.steps[-1].least) == ({damage.absorbed + damage.lost: 1}, damage.lost)


@pytest.mark.parametrize(("low", "high"), [(4, 4), (12, 12), (30, 30), (4, 9), (6, 14), (15, 28), (0, 40)])
def test_the_mean_of_an_attack_of_titans_is_that_of_its_rolls(low, high):
    attack, parts = 10.0, 400
    values = [attack * (1 + (part + 0.5) / parts) for part in range(parts)]
    defenses = [low + (high - low) * (part + 0.5) / parts for part in range(parts if high > low else 1)]
    counted = sum(max(0.0, value - defense) for value in values for defense in defenses)
    assert mean_of_attack(attack, low, high) == pytest.approx(counted / len(values) / len(defenses), abs=1e-3)


def test_attacks_of_titans_lie_in_the_range_that_is_promised():
    scenario = load("titans/ada-and-bo")
    [open_to_it, defended, *_] = hits(scenario, "1", "2")
    assert (open_to_it.least, open_to_it.mean, open_to_it.most) == (0, 3, 6)
    assert (defended.least, defended.most) == (0, 3)


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_what_cannot_be_asked_is_refused_in_every_ruleset(ruleset):
    example = {"stacks": "first-attack", "titans": "ada-and-bo", "squads": "first-battle"}
    scenario = load(f"{ruleset}/{example.get(ruleset, {'delve': 'ambush-at-the-ford'}.get(ruleset, 'first-duel'))}")
    assert problems_of(hits, scenario, "1", "1")[0].where == "--hit"
    assert problems_of(hits, scenario, "1", "nobody-here")[0].where == "--hit"
    assert problems_of(hits, scenario, "1", "2", 900)[0].where == "--round"


def test_a_hit_is_written_as_json_with_all_of_its_numbers():
    [basic, *_] = hits(load("squads/first-battle"), "1.scout", "2.bronze_knight")
    document = json.loads(json.dumps(basic.as_json()))
    assert document["damages"] == [{"damage": 18, "chance": 0.9}, {"damage": 31, "chance": 0.1}]
    assert document["mean_of_attempt"] == 19.3
