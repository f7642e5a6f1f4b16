"""What ships with stacks: enough of everything, in numbers that make sense, and nothing to remark."""

from __future__ import annotations

import json
from collections import Counter
from statistics import mean

import pytest
from tests.helpers.scenarios import problems_of, written
from tests.helpers.stacks import CAMPAIGN_EXAMPLE, EXAMPLES, attack, stack, unit
from tests.helpers.stacks_record import CENTRE, fighter, record

import fracas
from fracas.engine.campaign import load_campaign
from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source
from fracas.rulesets.stacks.content.world_resolver import CHOSEN_MOVES
from fracas.rulesets.stacks.content.world_writer import world_text
from fracas.rulesets.stacks.rules.constants import AS_VALUE, BY_ATTACK, HARMFUL_MOVES, MOVES
from fracas.rulesets.stacks.rules.moves.dispatch import expected_value

STACKS = registry.get("stacks")
TYPES = STACKS.read_library(None, ()).of("types")
GROUPS = STACKS.read_library(None, ()).of("groups")
DEFENCES = sorted({kind.defence for kind in TYPES.values()})


def findings_of(document):
    return [(found.rule, found.where.removeprefix("x: ")) for found in STACKS.lint(document, Source("x"))]


def test_there_are_many_types_in_eight_groups():
    assert len(TYPES) >= 40
    assert len(GROUPS) == 8
    assert min(Counter(kind.group for kind in TYPES.values()).values()) >= 5


@pytest.mark.parametrize(
    ("score", "low", "high", "about"), [("attack", 1, 8, 4.2), ("defence", 1, 7, 2.8), ("damage", 1, 8, 3.1)]
)
def test_scores_are_spread_as_they_should_be(score, low, high, about):
    values = [getattr(kind, score) for kind in TYPES.values()]
    assert (min(values), max(values)) == (low, high)
    assert mean(values) == pytest.approx(about, abs=0.4)


def test_health_is_spread_as_it_should_be():
    values = [kind.health for kind in TYPES.values()]
    assert (min(values), max(values)) == (4, 30)
    assert mean(values) == pytest.approx(9, abs=1)


@pytest.mark.parametrize("move", CHOSEN_MOVES)
def test_every_shipped_move_belongs_to_several_types(move):
    assert sum(move in kind.moves for kind in TYPES.values()) >= 3


def test_everybody_can_harm_somebody():
    assert all(set(kind.moves) & set(HARMFUL_MOVES) for kind in TYPES.values())


def first_choice(kind, defence, *, beside=0, **options):
    """The harmful move that a unit of a type makes in turn 0 on somebody with a defence, others beside that one."""
    splashed = {number: fighter(1, defence=defence) for number in range(8, 8 + beside)}
    enemies = {CENTRE: fighter(1, defence=defence), **splashed}
    battle = record({0: fighter(attack=kind.attack, damage=kind.damage), **enemies}, **options)
    harmful = [code for code, name in enumerate(MOVES) if name in kind.moves and name in HARMFUL_MOVES]
    return MOVES[max(harmful, key=lambda move: expected_value(battle, move, 0, CENTRE, None))]


def chargers(**options):
    """The types that charge at somebody of the shipped defences."""
    able = {name: kind for name, kind in TYPES.items() if "charge" in kind.moves}
    return {
        name for name, kind in able.items() if "charge" in {first_choice(kind, each, **options) for each in DEFENCES}
    }


def test_under_the_default_rules_types_of_several_groups_charge():
    found = chargers()
    assert len(found) >= 7
    assert len({TYPES[name].group for name in found}) >= 6


def test_under_the_original_rules_everybody_charges_who_can():
    as_published = {"least_score": 1, "charge_estimate": AS_VALUE, "charge_damage": BY_ATTACK}
    assert chargers(**as_published) == {name for name, kind in TYPES.items() if "charge" in kind.moves}


def test_what_is_said_of_the_horse_and_the_wagon_is_so():
    lancer, rider, wagon = (TYPES[name] for name in ("hedge_lancer", "border_rider", "scythe_wagon"))
    assert [first_choice(lancer, each) for each in (1, 2, 3, 4, 7)] == [
        "strike",
        "strike",
        "charge",
        "charge",
        "charge",
    ]
    assert [first_choice(rider, each) for each in (1, 3, 4, 7)] == ["strike", "strike", "javelin", "javelin"]
    for defence in DEFENCES:
        assert first_choice(wagon, defence) == "charge"
        assert first_choice(wagon, defence, beside=6) == "bombard"


def test_every_type_can_be_fielded_under_its_id():
    for name in TYPES:
        scenario = fracas.load(attack(stack("one", "grey", (3, 3), name)))
        assert scenario.document["stacks"][2]["units"][0]["type"] == name


def test_the_second_of_a_type_is_numbered():
    document = fracas.load(attack(stack("two", "grey", (3, 3), "archer", "archer", "archer"))).document
    units = document["stacks"][2]["units"]
    assert [entry["id"] for entry in units] == ["archer", "archer-2", "archer-3"]
    assert [entry["name"] for entry in units] == ["Archer", "Archer-2", "Archer-3"]


def test_resolving_what_is_resolved_changes_nothing():
    for path in sorted(EXAMPLES.glob("*.toml")):
        document = fracas.load(path).document
        assert fracas.load(document).document == document


def test_a_type_of_the_scenarios_own_goes_over_the_contents():
    own = {"id": "archer", "name": "Other", "attack": 1, "defence": 1, "damage": 1, "health": 2, "moves": ["archery"]}
    document = attack(stack("one", "grey", (3, 3), "archer"), types={"archer": own})
    assert fracas.load(document).document["stacks"][2]["units"][0]["name"] == "Other"


def test_nothing_can_be_remarked_about_what_ships():
    assert STACKS.lint_content() == []
    for path in (*EXAMPLES.glob("*.toml"), CAMPAIGN_EXAMPLE):
        assert STACKS.lint(read_document(path), Source(str(path), path.parent)) == []
    world = CAMPAIGN_EXAMPLE.with_name("river-war-world.toml")
    assert STACKS.lint_file("strategy", read_document(world), Source(str(world), world.parent)) == []


def test_there_are_eight_worlds_with_a_story_and_all_kinds_of_maps():
    documents = [fracas.load(path).document for path in EXAMPLES.glob("*.toml")]
    assert len(documents) >= 9
    assert {document["map"]["kind"] for document in documents} == {"hex", "square4", "square8"}
    assert {document["profile"] for document in documents} == {"seed", "original"}


def test_the_benchmark_is_eight_by_eight_on_each_side():
    document = fracas.load(EXAMPLES / "standard-16v16.toml").document
    assert [(each["owner"], len(each["units"])) for each in document["stacks"]] == [("red", 8)] * 2 + [("blue", 8)] * 2
    moves = {move for each in document["stacks"] for entry in each["units"] for move in entry["moves"]}
    assert moves == set(CHOSEN_MOVES)


def test_a_world_is_written_so_that_it_can_be_read_again(tmp_path):
    plan = load_campaign(CAMPAIGN_EXAMPLE)
    path = written(tmp_path, world_text(plan.document), "world.toml")
    again = {"ruleset": "stacks", "id": "river-war", "world": "world.toml", "attacks": plan.document["attacks"]}
    written(tmp_path, json.dumps(again), "again.json")
    assert load_campaign(tmp_path / "again.json").document == plan.document
    assert problems_of(STACKS.check_file, "strategy", read_document(path), Source(str(path))) == ()


@pytest.mark.parametrize(
    ("units", "rule"),
    [
        ([unit(moves=["healing"])], "harmless"),
        ([unit(moves=[])], "no-moves"),
        ([unit(moves=["charge", "javelin"])], "harmless-soon"),
        ([unit(damage=0)], "no-damage"),
        ([unit(attack=0)], "no-hit"),
    ],
)
def test_a_unit_that_cannot_harm_is_remarked(units, rule):
    found = findings_of(attack(stack("odd", "grey", (3, 3), *units)))
    assert [(each, where.split(".units")[0]) for each, where in found] == [(rule, "stacks.2")]


def test_the_sound_attack_has_no_finding():
    assert findings_of(attack(stack("one", "grey", (3, 3)))) == []


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"heal_limit": 2}, "option-without-effect"),
        ({"charge_damage": "attack"}, "option-without-effect"),
        ({"order": "initiative"}, "equal-initiative"),
        ({"idle_turns": 9, "turn_cap": 5}, "option-without-effect"),
    ],
)
def test_an_option_that_changes_nothing_is_remarked(options, rule):
    assert rule in {found for found, _ in findings_of(attack(stack("one", "grey", (3, 3)), options=options))}


def test_an_attack_that_decides_nothing_is_remarked():
    stacks = [stack("red-one", "red", (1, 0), unit(attack=1)), stack("blue-one", "blue", (1, 1), unit(defence=9))]
    stacks[1]["units"][0]["moves"] = ["healing"]
    stacks[0]["units"][0]["moves"] = ["healing"]
    rules = {rule for rule, _ in findings_of(attack(stacks=[*stacks, stack("one", "grey", (3, 3))]))}
    assert rules == {"harmless", "never-decided"}


def test_an_attack_on_nobody_in_particular_is_remarked():
    document = attack(
        stacks=[stack("red-one", "red", (1, 0)), stack("watch", "grey", (1, 1))], tiles={"1,1": {"owner": "blue"}}
    )
    assert {rule for rule, _ in findings_of(document)} == {"unopposed", "bystander-on-target"}


def test_a_group_without_types_is_remarked(tmp_path):
    path = written(tmp_path, '[[groups]]\nid = "empty"\nname = "Empty"\n', "groups.toml")
    [found] = STACKS.lint_file("content", read_document(path), Source(str(path), path.parent))
    assert (found.rule, found.where) == ("unused-group", f"{path}: groups.empty")
