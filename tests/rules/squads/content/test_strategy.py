"""README, Strategy, and what a scenario may say: spellings, names, defaults, bounds, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.squads_fights import Fight, ability, attack_down, battle, damage, heal, of, side, unit

from fracas import load
from fracas.errors import InputError
from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source
from fracas.rulesets.shared.seeds import fingerprint
from fracas.rulesets.squads.rules.events import Choice

EXAMPLES = Path(__file__).parents[4] / "examples" / "squads"
SEED_STRATEGY = EXAMPLES / "strategies" / "seed.json"
# The strategy document that the seed prints, as a fingerprint of its values.
SEED_FINGERPRINT = "c02a42148580f2bb62220e1734da9612ac000fefc8ea881da1de0810833f62f0"


def teams(strategy: Any = None, units: list[Any] | None = None, **scenario: Any) -> dict[str, Any]:
    """A scenario of shipped units in which side 1 has that strategy."""
    own: dict[str, Any] = {"units": units or ["bronze_knight", "apprentice_wizard", "novice_cleric", "shield_bearer"]}
    if strategy is not None:
        own["strategy"] = strategy
    return {"ruleset": "squads", "sides": [own, {"units": ["scout"]}], **scenario}


def resolved(strategy: Any = None, **more: Any) -> dict[str, Any]:
    """Side 1's strategy, resolved; its priority list under one of the two spellings, whichever was chosen."""
    found = dict(load(teams(strategy, **more)).document["sides"][0]["strategy"])
    (spelling,) = {"targetPriority", "target_priority"} & found.keys()
    return {**{key: value for key, value in found.items() if key != spelling}, "targetPriority": found[spelling]}


def problems(document: dict[str, Any]) -> str:
    """Everything that is wrong with a scenario, as text."""
    with pytest.raises(InputError) as caught:
        load(document)
    return str(caught.value)


def test_the_shipped_file_is_the_strategy_that_the_seed_prints() -> None:
    assert fingerprint(json.loads(SEED_STRATEGY.read_text(encoding="utf-8"))) == SEED_FINGERPRINT


def test_the_seeds_strategy_is_accepted_unchanged() -> None:
    strategy = json.loads(SEED_STRATEGY.read_text(encoding="utf-8"))
    scenario = load(teams(strategy), strict=True)
    assert not scenario.warnings
    assert resolved(strategy) == {
        "formation": "aggressive",
        "targetPriority": ["healers", "lowest_hp"],
        "abilities": {
            "fireball": {"when": "enemy_count_gte_2", "target": "priority"},
            "heal": {"when": "ally_hp_below_50", "target": "lowest_hp_ally"},
            "shield_wall": {"when": "ally_count_lte_2", "target": "self"},
        },
    }


def test_the_seeds_strategy_is_accepted_as_a_file_beside_the_scenario() -> None:
    document = teams("strategies/seed.json")
    resolution = registry.get("squads").resolve(document, Source(str(EXAMPLES / "test.toml"), EXAMPLES))
    inline = load(teams(json.loads(SEED_STRATEGY.read_text("utf-8"))))
    assert resolution.document["sides"] == inline.document["sides"]


def test_an_empty_strategy_is_legal_and_plays_reasonably() -> None:
    neutral = {"formation": "balanced", "targetPriority": [], "abilities": {}}
    assert resolved(None) == resolved({}) == neutral
    fight = Fight(teams({}))
    chosen = [
        of(fight.turn(name, *rolls), Choice)[0].ability
        for name, rolls in (
            ("1.bronze_knight", ("d100=99",)),
            ("1.apprentice_wizard", ("d100=99",)),
            ("1.novice_cleric", ("d100=99",)),
            ("1.shield_bearer", ()),
        )
    ]
    assert chosen == ["Reaping Arc", "Fireball", "Basic Attack", "Shield Wall"]


@pytest.mark.parametrize("key", ["targetPriority", "target_priority"])
def test_both_spellings_of_the_priority_list_are_read(key: str) -> None:
    assert resolved({key: ["mages", "fastest"]})["targetPriority"] == ["mages", "fastest"]


def test_both_spellings_together_are_refused() -> None:
    assert "targetPriority" in problems(teams({"targetPriority": [], "target_priority": []}))


@pytest.mark.parametrize("key", ["shield_wall", "Shield Wall", "SHIELD WALL", "sHiElD wAlL", "Shield_Wall"])
def test_an_ability_goes_by_its_id_or_its_display_name_whatever_the_case(key: str) -> None:
    assert resolved({"abilities": {key: {"when": "always"}}})["abilities"] == {"shield_wall": {"when": "always"}}


def test_of_two_abilities_with_one_display_name_the_one_that_the_side_has_is_meant() -> None:
    """README, Strategy: a key is an id or a display name; it must not be lost on an ability that nobody fields."""
    own = {**ability("ember", "one_enemy", damage(attack=10)), "name": "Fireball"}
    document = teams(
        {"abilities": {"Fireball": {"when": "not always"}}},
        units=[{"id": "apprentice_wizard", "class_ability": "ember"}],
        abilities={"ember": own},
    )
    assert load(document).document["sides"][0]["strategy"]["abilities"] == {"ember": {"when": "not always"}}


def test_one_ability_configured_twice_is_refused() -> None:
    orders = {"Shield Wall": {"when": "always"}, "shield_wall": {"when": "round_gte_3"}}
    assert "twice" in problems(teams({"abilities": orders}))


def test_an_unknown_ability_is_refused_with_the_nearest_name() -> None:
    found = problems(teams({"abilities": {"Fierball": {}}}))
    assert "Fierball" in found
    assert "Fireball" in found


def test_a_known_ability_that_nobody_owns_is_no_error_but_a_finding() -> None:
    document = teams({"abilities": {"Black Hail": {"when": "always"}}})
    assert load(document).document["sides"][0]["strategy"]["abilities"] == {}
    findings = registry.get("squads").lint(document, Source("test"))
    assert [finding.rule for finding in findings if "Black Hail" in finding.where] == ["not-owned"]


@pytest.mark.parametrize("key", ["Basic Attack", "basic_attack", "BASIC ATTACK"])
def test_the_basic_attack_takes_a_target(key: str) -> None:
    assert resolved({"abilities": {key: {"target": "fastest"}}})["abilities"] == {"basic_attack": {"target": "fastest"}}


def test_the_basic_attack_takes_no_condition() -> None:
    assert "basic attack" in problems(teams({"abilities": {"Basic Attack": {"when": "always"}}}))


@pytest.mark.parametrize("when", [None, "", "  "])
def test_a_blank_condition_of_the_basic_attack_is_none(when: str | None) -> None:
    """core, Decision 9: `when` null or blank is the same as absent."""
    orders = {"Basic Attack": {"when": when, "target": "fastest"}}
    assert resolved({"abilities": orders})["abilities"]["basic_attack"]["target"] == "fastest"


@pytest.mark.parametrize("formation", ["aggro", "Aggressive", "", "wedge", 3])
def test_an_unknown_formation_is_an_error(formation: Any) -> None:
    assert "formation" in problems(teams({"formation": formation}))


@pytest.mark.parametrize("entry", ["healer", "lowest_hp_ally", "random", "all_enemies", "self", ""])
def test_an_unknown_priority_entry_is_an_error(entry: str) -> None:
    assert "targetPriority.0" in problems(teams({"targetPriority": [entry]}))


@pytest.mark.parametrize("target", ["healers", "lowest_ally_hp", "all_enemies", "default", ""])
def test_an_unknown_selector_is_an_error(target: str) -> None:
    assert "Fireball.target" in problems(teams({"abilities": {"Fireball": {"target": target}}}))


def test_an_unknown_key_names_the_nearest_one() -> None:
    assert "formation" in problems(teams({"formaton": "balanced"}))


def test_a_priority_list_has_up_to_16_entries() -> None:
    assert len(resolved({"targetPriority": ["mages"] * 16})["targetPriority"]) == 16
    assert "16" in problems(teams({"targetPriority": ["mages"] * 17}))


@pytest.mark.parametrize("when", ["self.hp_pct <", "self.mana > 3", "ally_hp_below_101", "__import__('os')"])
def test_a_broken_condition_is_an_error_that_says_where(when: str) -> None:
    assert "Fireball.when" in problems(teams({"abilities": {"Fireball": {"when": when}}}))


def test_an_unknown_condition_name_is_a_warning_and_strict_makes_it_an_error() -> None:
    document = teams({"abilities": {"Fireball": {"when": "enemy_cuont_gte_2"}}})
    (warning,) = load(document).warnings
    assert "enemy_count_gte_2" in f"{warning.suggestion}"
    with pytest.raises(InputError, match="enemy_cuont_gte_2"):
        load(document, strict=True)


def warned(reach: str, target: str) -> list[str]:
    """What is warned about if an ability of that reach is told to aim so."""
    effect = damage(attack=10) if reach.endswith(("enemy", "enemies")) else heal(attack=10)
    fight = battle(
        side(unit("a", class_ability="spell"), orders={"spell": {"target": target}}),
        side(unit("b")),
        abilities=[ability("spell", reach, effect)],
    )
    return [warning.where for warning in fight.resolution.warnings]


ENEMY_SELECTORS = ("priority", "lowest_hp", "highest_hp", "highest_threat", "fastest", "random")
ALLY_SELECTORS = ("lowest_hp_ally", "self")


@pytest.mark.parametrize(
    ("reach", "target"),
    [
        *(("one_enemy", target) for target in ALLY_SELECTORS),
        *(("one_ally", target) for target in ENEMY_SELECTORS),
        *(("self", target) for target in ENEMY_SELECTORS),
        ("all_enemies", "lowest_hp_ally"),
        ("all_allies", "lowest_hp"),
    ],
)
def test_an_attack_told_to_target_an_ally_and_a_heal_told_to_target_an_enemy_are_warned_about(
    reach: str, target: str
) -> None:
    (where,) = warned(reach, target)
    assert where.endswith("sides.0.strategy.abilities.spell.target")


@pytest.mark.parametrize(
    ("reach", "target"),
    [
        *(("one_enemy", target) for target in ENEMY_SELECTORS),
        *(("one_ally", target) for target in ALLY_SELECTORS),
        ("self", "self"),
    ],
)
def test_a_selector_that_fits_is_not_warned_about(reach: str, target: str) -> None:
    assert not warned(reach, target)


def test_the_shipped_match_up_that_cannot_end_is_a_finding() -> None:
    """core, Scenarios and content: lint looks for a match-up that cannot end, and this example is there to be found."""
    path = EXAMPLES / "round-cap-draw.toml"
    findings = registry.get("squads").lint(read_document(path), Source(str(path), path.parent))
    assert "cannot-end" in [finding.rule for finding in findings]


def test_one_content_id_may_be_fielded_repeatedly() -> None:
    document = load(teams(units=["scout", "scout", "scout"])).document
    units = document["sides"][0]["units"]
    assert [entry["id"] for entry in units] == ["scout", "scout-2", "scout-3"]
    assert [entry["name"] for entry in units] == ["Scout", "Scout-2", "Scout-3"]


def test_the_same_unit_may_stand_on_both_sides() -> None:
    fight = Fight(teams(units=["scout"]))
    assert (fight.index("1.scout"), fight.index("2.scout")) == (0, 8)


def test_two_units_written_in_the_scenario_may_not_share_an_id() -> None:
    entry = {"id": "kael", "class": "mage", "hp": 90, "attack": 35, "defense": 10, "speed": 15}
    assert "kael" in problems(teams(units=[entry, entry]))


def test_a_unit_of_the_content_may_have_single_values_replaced() -> None:
    document = load(teams(units=[{"id": "scout", "attack": 33}])).document
    (entry,) = document["sides"][0]["units"]
    assert (entry["attack"], entry["hp"], entry["speed"], entry["class"]) == (33, 90, 20, "ranger")


def test_a_unit_that_the_content_does_not_know_must_be_complete() -> None:
    found = problems(teams(units=[{"id": "kael", "class": "mage", "hp": 90}]))
    assert all(word in found for word in ("kael", "attack", "defense", "speed"))


BOUNDS = [
    ("hp", 0, False),
    ("hp", 1, True),
    ("hp", 10**6, True),
    ("hp", 10**6 + 1, False),
    ("attack", 0, False),
    ("attack", 1, True),
    ("attack", 10**6, True),
    ("attack", 10**6 + 1, False),
    ("defense", -1, False),
    ("defense", 0, True),
    ("defense", 10**6, True),
    ("defense", 10**6 + 1, False),
    ("speed", 0, False),
    ("speed", 1, True),
    ("speed", 10**6, True),
    ("speed", 10**6 + 1, False),
    ("hp", 1.5, False),
    ("hp", "90", False),
    ("hp", True, False),
]


@pytest.mark.parametrize(("field", "value", "is_legal"), BOUNDS)
def test_the_bounds_of_a_units_numbers(field: str, value: Any, is_legal: bool) -> None:
    document = teams(units=[{"id": "scout", field: value}])
    if is_legal:
        assert load(document).document["sides"][0]["units"][0][field] == value
    else:
        assert f"sides.0.units.0.{field}" in problems(document)


@pytest.mark.parametrize(("count", "is_legal"), [(0, False), (1, True), (8, True), (9, False)])
def test_a_side_has_one_to_eight_units(count: int, is_legal: bool) -> None:
    document = {"ruleset": "squads", "sides": [{"units": ["scout"] * count}, {"units": ["scout"]}]}
    if is_legal:
        assert len(load(document).document["sides"][0]["units"]) == count
    else:
        assert "sides.0.units" in problems(document)


@pytest.mark.parametrize("sides", [0, 1, 3])
def test_there_are_two_sides(sides: int) -> None:
    assert "sides" in problems({"ruleset": "squads", "sides": [{"units": ["scout"]}] * sides})


@pytest.mark.parametrize(("cap", "is_legal"), [(0, False), (1, True), (1000, True), (1001, False)])
def test_the_round_cap_is_1_to_1000(cap: int, is_legal: bool) -> None:
    document = teams(options={"round_cap": cap})
    if is_legal:
        assert load(document).document["options"]["round_cap"] == cap
    else:
        assert "options.round_cap" in problems(document)


@pytest.mark.parametrize(
    ("effect", "reach"),
    [
        (attack_down(91, 1), "one_enemy"),
        (attack_down(0, 1), "one_enemy"),
        (attack_down(30, 0), "one_enemy"),
        (damage(), "one_enemy"),
        (damage(attack=-1), "one_enemy"),
        (damage(attack=10), "one_ally"),
        (heal(attack=10), "one_enemy"),
        (heal(attack=10), "all_enemies"),
        ({"type": "curse"}, "one_enemy"),
    ],
)
def test_effects_that_cannot_be_are_refused(effect: dict[str, Any], reach: str) -> None:
    with pytest.raises(InputError, match=r"abilities\.spell"):
        battle(side(unit("a")), side(unit("b")), abilities=[ability("spell", reach, effect)])


def test_an_ability_has_one_to_four_effects() -> None:
    for count in (1, 4):
        spell = ability("spell", "one_enemy", *[damage(attack=1)] * count)
        battle(side(unit("a", class_ability="spell")), side(unit("b")), abilities=[spell])
    for count in (0, 5):
        spell = ability("spell", "one_enemy", *[damage(attack=1)] * count)
        with pytest.raises(InputError, match=r"abilities\.spell\.effects"):
            battle(side(unit("a")), side(unit("b")), abilities=[spell])


def test_all_problems_of_a_scenario_are_told_at_once() -> None:
    strategy = {"formation": "wedge", "targetPriority": ["nobody"], "abilities": {"Fireball": {"target": "all"}}}
    found = problems(teams(strategy, options={"round_cap": 0}, colour="red"))
    for word in ("wedge", "nobody", "Fireball.target", "round_cap", "colour"):
        assert word in found


def test_an_opponent_brings_units_and_strategy() -> None:
    document = load({"ruleset": "squads", "sides": [{"units": ["scout"]}, {"opponent": "novice_1"}]}).document
    assert [entry["id"] for entry in document["sides"][1]["units"]] == ["bronze_knight", "scout", "novice_cleric"]


def test_a_side_has_units_or_an_opponent_not_both() -> None:
    both = {"opponent": "novice_1", "units": ["scout"]}
    assert "both" in problems({"ruleset": "squads", "sides": [{"units": ["scout"]}, both]})
    assert "sides.1" in problems({"ruleset": "squads", "sides": [{"units": ["scout"]}, {}]})


@pytest.mark.parametrize(
    ("scenario", "argument", "seed"),
    [
        ({"id": "duel", "seed": "moon"}, "sun", "sun"),
        ({"id": "duel", "seed": "moon"}, None, "moon"),
        ({"id": "duel"}, None, "duel"),
        ({}, None, "fracas"),
    ],
    ids=["the argument", "the scenario's seed", "its id", "nothing"],
)
def test_the_seed_text(scenario: dict[str, Any], argument: str | None, seed: str) -> None:
    assert load(teams(**scenario), seed=argument).seed == seed
