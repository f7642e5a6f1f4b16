"""Sentences of rule books that a reader from outside missed: what they say is so."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import squads_fights as squads
from tests.helpers import stacks_fights as stacks
from tests.helpers.scenarios import duel, fighter, loaded, problems_of

import fracas
from fracas.rulesets import registry
from fracas.rulesets.squads.rules.events import Choice, Roll, Stage
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.moves.ranged import splashed

EXAMPLES = Path(__file__).parents[2] / "examples"
DATA = Path(fracas.__file__).parent / "data"


# squads.


def test_a_stage_that_leaves_parameters_out_has_those_of_the_table():
    chain = [{"stage": "critical"}, {"stage": "defense"}, {"stage": "minimum"}, {"stage": "fatigue"}]
    target = squads.unit("b", defense=30)
    fight = squads.battle(squads.side(squads.unit("a", attack=10)), squads.side(target), chain=chain)
    events = fight.turn("1.a", "d100=11")
    assert [(roll.chance, roll.multiplier) for roll in squads.of(events, Roll)] == [(10, 150)]
    assert [(stage.stage, stage.figure, stage.after) for stage in squads.of(events, Stage)] == [
        ("critical", 100, 10),
        ("defense", 15, 0),
        ("minimum", 1, 1),
        ("fatigue", 100, 1),
    ]


@pytest.mark.parametrize(("rule", "verdict"), [("charge", "not charged"), ("cooldown", "cooling down")])
def test_the_verdict_on_an_ultimate_that_is_not_ready(rule, verdict):
    fight = squads.battle(squads.side(squads.unit("a")), squads.side(squads.unit("b")), options={"ultimate_rule": rule})
    fight["1.a"].ultimate_cooldown = 3
    [choice] = squads.of(fight.turn("1.a"), Choice)
    assert choice.ultimate == verdict


@pytest.mark.parametrize("when", ["", "   ", None])
def test_a_heal_with_a_blank_condition_waits_until_someone_is_hurt(when):
    mend = squads.ability("mend", "one_ally", squads.heal(attack=10))
    order = {} if when is None else {"when": when}
    caster = squads.unit("a", class_ability="mend")
    fight = squads.battle(squads.side(caster, orders={"mend": order}), squads.side(squads.unit("b")), abilities=[mend])
    [choice] = squads.of(fight.turn("1.a"), Choice)
    assert choice.class_ability == "nobody is hurt enough"


def test_a_power_of_nothing_is_refused_and_one_that_comes_to_nothing_counts():
    nothing = {"id": "tap", "name": "Tap", "reach": "one_enemy", "effects": [{"type": "damage", "attack": 0}]}
    document = duel(abilities={"tap": nothing})
    assert "needs a power" in problems_of(loaded, document)[0].message
    little = {**nothing, "effects": [{"type": "damage", "attack": 1}]}
    loaded(duel(abilities={"tap": little}))


def test_own_units_of_a_side_have_ids_of_their_own():
    document = duel()
    document["sides"][0]["units"] = [fighter("kael"), fighter("kael")]
    assert 'two units have the id "kael"' in problems_of(loaded, document)[0].message
    document["sides"][0]["units"] = ["scout", {"id": "scout", "hp": 5}]
    assert [unit["id"] for unit in loaded(document).document["sides"][0]["units"]] == ["scout", "scout-2"]


# delve.


def test_bonuses_of_a_resolved_run_stand_in_the_order_of_their_ids():
    shipped = [each["id"] for each in tomllib.loads((DATA / "delve" / "bonuses.toml").read_text())["bonuses"]]
    own = {name: {"id": name, "name": name, "stat": "might", "amounts": [1, 2, 3, 4]} for name in ("a_new", shipped[3])}
    document: dict[str, Any] = tomllib.loads((EXAMPLES / "delve" / "goblin-warrens.toml").read_text())
    resolved = fracas.load({**document, "bonuses": own}).document
    assert list(resolved["bonuses"]) == sorted([*shipped, "a_new"])
    assert resolved["bonuses"][shipped[3]]["name"] == shipped[3]


def test_used_tables_are_the_quests_its_chests_and_those_that_rewards_finds():
    document = fracas.load(EXAMPLES / "delve" / "goblin-warrens.toml").document
    quest = document["quest"]
    tables = [quest["loot_table_id"], quest["chest_table_id"]]
    for encounter in quest["encounters"]:
        # Only combats here have fights, and none of them a table of its own.
        enemies = encounter.get("enemies", [])
        found = next((each for each in enemies if each["boss"]), enemies[0]) if enemies else quest
        tables.append(encounter.get("loot_table_id") or found["loot_table_id"])
        for outcome in ("success", "failure"):
            consequences = [option.get(outcome) or {} for option in encounter.get("options", [encounter])]
            fights = [each["ambush"] for each in consequences if each.get("ambush")]
            tables += [fight[0]["loot_table_id"] for fight in fights]
    assert list(document["loot_tables"]) == sorted(set(tables))
    templates = [row["template"] for table in document["loot_tables"].values() for row in table["rows"]]
    assert list(document["items"]) == sorted(set(templates))


# stacks.


def test_a_plug_in_finds_all_participants_and_who_is_adjacent():
    fight = stacks.attack({"a": [stacks.unit("x")]}, {"t": [stacks.unit("y"), stacks.unit("z")]})
    battle = fight.record
    found = [int(battle.involved[place]) for place in range(battle.involved_count)]
    assert found == sorted(found)
    assert len(found) == 3
    sides = {int(battle.participants[number].side) for number in found}
    assert sides == {0, 1}
    own = battle.direction_count - 1
    for number in found:
        direction = int(battle.participants[number].direction)
        assert direction == number // codes.STACK_SLOTS
        # Every neighbour of the attacked tile is adjacent to it, and no tile to itself.
        assert bool(battle.places[own].adjacent >> direction & 1) == (direction != own)
    assert splashed(battle, found[-1]) == -1


def test_a_current_health_above_the_full_one_is_refused():
    document = tomllib.loads((EXAMPLES / "stacks" / "first-attack.toml").read_text())
    document["stacks"][0]["units"][0] = {"type": "swordsman", "current": 3}
    fracas.load(document)
    document["stacks"][0]["units"][0] = {"type": "swordsman", "current": 3000}
    [problem] = problems_of(fracas.load, document)
    assert "above its full health" in problem.message


def test_the_rule_books_name_the_version_that_is_installed():
    for name in registry.NAMES:
        text = (Path(fracas.__file__).parent / "rulesets" / name / "README.md").read_text()
        assert f"rules, version {registry.get(name).rules_version}" in " ".join(text.split()), name
