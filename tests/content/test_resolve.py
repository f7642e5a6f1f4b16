"""From what people write to a document with nothing left to look up."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.helpers.scenarios import EXAMPLES, SCENARIO, duel, fighter, loaded, problems_of, written

import fracas
from fracas.errors import Problem
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source

RULESET = registry.get("squads")
EXAMPLE_FILES = sorted(EXAMPLES.glob("*.toml"))


@pytest.mark.parametrize("file", EXAMPLE_FILES, ids=lambda file: file.stem)
def test_resolving_what_is_resolved_changes_nothing(file):
    document = fracas.load(file).document
    assert RULESET.resolve(document, Source("again")).document == document


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_resolving_a_random_scenario_twice_is_resolving_it_once(seed):
    document = RULESET.resolve(RULESET.random_scenario(seed), Source("scenario")).document
    assert RULESET.resolve(document, Source("again")).document == document
    assert json.loads(json.dumps(document)) == document


@pytest.mark.parametrize("file", EXAMPLE_FILES, ids=lambda file: file.stem)
def test_a_resolved_document_plays_the_same_battle(file):
    scenario = fracas.load(file)
    assert fracas.run(scenario.document).digest == fracas.run(scenario).digest


def test_what_is_resolved_has_all_formations():
    document = loaded().document
    partial: list[dict[str, Any]] = [{}, {"balanced": {}}]
    for formations in partial:
        [problem] = problems_of(
            RULESET.compile, {**document, "options": {**document["options"], "formations": formations}}, {}
        )
        assert problem.where == "scenario: options.formations"
        assert problem.message.startswith("lacks aggressive, defensive, ")


def test_what_is_resolved_has_no_more_abilities_than_fit():
    document = loaded().document
    spare = {f"spare-{number}": {**ZAPS["zap"], "id": f"spare-{number}"} for number in range(64)}
    [problem] = problems_of(RULESET.compile, {**document, "abilities": {**document["abilities"], **spare}}, {})
    assert problem == Problem("scenario: abilities", "has too many entries; at most 64 are allowed")


def test_toml_and_json_of_the_same_scenario_are_the_same(tmp_path):
    import tomllib

    first = fracas.load(written(tmp_path, SCENARIO))
    second = fracas.load(written(tmp_path, json.dumps(tomllib.loads(SCENARIO)), "battle.json"))
    assert first.document == second.document


def test_one_unit_of_the_content_may_be_fielded_repeatedly():
    document = duel(sides=[{"units": ["scout"] * 3}, {"units": ["scout"]}])
    first, second = loaded(document).document["sides"]
    assert [unit["id"] for unit in first["units"]] == ["scout", "scout-2", "scout-3"]
    assert len({unit["name"] for unit in first["units"]}) == 3
    assert [unit["id"] for unit in second["units"]] == ["scout"]


def test_values_replace_those_of_a_content_unit():
    document = duel(sides=[{"units": [{"id": "scout", "attack": 33}]}, {"units": ["scout"]}])
    changed, plain = (side["units"][0] for side in loaded(document).document["sides"])
    assert changed == {**plain, "attack": 33}


def test_a_long_name_or_id_has_room_for_a_number():
    units = [{**fighter(name), "name": "N" * 80} for name in ("a", "b", "c")]
    first = loaded(duel(sides=[{"units": units}, {"units": ["scout"]}])).document["sides"][0]["units"]
    assert len({unit["name"] for unit in first}) == 3
    assert first[0]["name"] == "N" * 80


def test_a_long_id_of_the_content_may_be_fielded_repeatedly(tmp_path):
    stats = "hp = 9\nattack = 9\ndefense = 9\nspeed = 9\n"
    written(tmp_path, f'[[units]]\nid = "{"x" * 64}"\nname = "X"\nclass = "tank"\n{stats}', "mine.toml")
    sides = [{"units": ["x" * 64] * 3}, {"units": ["scout"]}]
    units = loaded(duel(sides=sides), content=[tmp_path]).document["sides"][0]["units"]
    assert len({unit["id"] for unit in units}) == 3


ZAPS = {
    name: {"id": name, "name": "Zap", "reach": "one_enemy", "effects": [{"type": "damage", "attack": 1}]}
    for name in ("first", "second", "zap")
}


def with_zaps(*names: str, owned: str = "fireball", other: str = "falling_sky") -> dict[str, Any]:
    document = duel(abilities={name: ZAPS[name] for name in names})
    document["sides"][0]["units"] = [fighter(class_ability=owned, ultimate=other)]
    document["sides"][0]["strategy"] = {"abilities": {"Zap": {"target": "random"}}}
    return document


@pytest.mark.parametrize(
    ("names", "owned", "meant"),
    [
        (("first", "second"), "second", "second"),
        (("second", "first"), "second", "second"),
        (("first", "zap"), "zap", "zap"),
    ],
)
def test_of_several_abilities_with_one_name_the_sides_own_is_meant(names, owned, meant):
    orders = loaded(with_zaps(*names, owned=owned)).document["sides"][0]["strategy"]["abilities"]
    assert orders == {meant: {"target": "random"}}


def test_a_key_that_is_exactly_an_id_means_that_ability_even_if_another_is_called_so():
    document = with_zaps("first", "zap", owned="first")
    assert loaded(document).document["sides"][0]["strategy"]["abilities"] == {"first": {"target": "random"}}
    document["sides"][0]["strategy"] = {"abilities": {"zap": {"target": "random"}}}
    assert loaded(document).document["sides"][0]["strategy"]["abilities"] == {}


def test_a_name_that_several_abilities_of_a_side_have_is_refused():
    expected = Problem(
        "scenario: sides.0.strategy.abilities.Zap", '"Zap" may be several abilities', 'write "first" or "second"'
    )
    document = with_zaps("first", "second", owned="first", other="second")
    assert problems_of(fracas.load, document) == (expected,)


def test_notes_are_not_part_of_what_is_resolved(tmp_path):
    noted = duel(modifier={"id": "weather", "name": "Weather", "damage": 120, "note": "Wet."}, note="A fight.")
    noted["abilities"] = {"zap": {**ZAPS["zap"], "note": "Fast."}}
    noted["sides"][0]["units"] = [fighter(class_ability="zap", note="Mine.")]
    scenario = loaded(noted)
    assert "note" not in json.dumps(scenario.document)
    plain = json.loads(json.dumps(noted))
    del plain["modifier"]["note"], plain["note"], plain["abilities"]["zap"]["note"]
    assert loaded(plain).fingerprint == scenario.fingerprint


def test_a_blank_condition_is_left_out():
    document = duel()
    document["sides"][0]["strategy"] = {"abilities": {"Fireball": {"when": " ", "target": "random"}}}
    assert loaded(document).document["sides"][0]["strategy"]["abilities"] == {"fireball": {"target": "random"}}


def test_the_display_name_and_the_id_of_an_ability_mean_the_same():
    by_name = duel()
    by_name["sides"][0]["strategy"] = {"abilities": {"FireBall": {"when": "round_gte_2"}}}
    by_id = duel()
    by_id["sides"][0]["strategy"] = {"abilities": {"fireball": {"when": "round_gte_2"}}}
    assert loaded(by_name).document == loaded(by_id).document


def test_the_strategy_of_the_seed_document_is_accepted_unchanged():
    document = duel(sides=[{"units": ["scout"], "strategy": "strategies/seed.json"}, {"units": ["scout"]}])
    assert problems_of(fracas.load, document) != ()
    strategy = json.loads((EXAMPLES / "strategies" / "seed.json").read_text())
    document["sides"][0]["strategy"] = strategy
    assert "targetPriority" in strategy
    assert loaded(document).document["sides"][0]["strategy"]["targetPriority"] == strategy["targetPriority"]


@pytest.mark.parametrize(
    ("values", "option", "seed"),
    [
        ({"id": "duel"}, None, "duel"),
        ({"id": "duel", "seed": "own"}, None, "own"),
        ({"id": "duel", "seed": "own"}, "given", "given"),
        ({"id": None}, None, "fracas"),
        ({"id": None}, "given", "given"),
    ],
)
def test_the_seed_is_the_given_one_else_the_scenarios_else_its_id(values, option, seed):
    document = {key: value for key, value in duel(**values).items() if value is not None}
    assert loaded(document, seed=option).seed == seed


def test_a_file_without_an_id_goes_by_its_name_and_is_seeded_by_fracas(tmp_path):
    path = written(tmp_path, SCENARIO.replace('id = "two-by-one"\n', ""), "bridge.toml")
    scenario = fracas.load(path)
    assert (scenario.id, scenario.seed) == ("bridge", "fracas")


@pytest.mark.parametrize("stem", ["x" * 100, "two\nlines", "\x1b[31mred"])
def test_a_file_with_an_odd_name_is_a_scenario_all_the_same(tmp_path, stem):
    path = written(tmp_path, SCENARIO.replace('id = "two-by-one"\n', ""), f"{stem}.toml")
    assert fracas.load(path).id.isprintable()


ROTATION = [
    "witch_moon",
    "deep_mud",
    "razor_wind",
    "dry_wells",
    "blood_harvest",
    "brittle_days",
    "thin_air",
    "heavy_armor",
]


@pytest.mark.parametrize(
    ("day", "place"),
    [
        ("1970-01-05", 0),
        ("1970-01-11", 0),
        ("1970-01-12", 1),
        ("1970-02-23", 7),
        ("1970-03-02", 0),
        ("1970-01-04", 7),
        ("2026-11-16", (datetime.date(2026, 11, 16) - datetime.date(1970, 1, 5)).days // 7 % 8),
    ],
)
def test_a_date_chooses_the_weeks_modifier(day, place):
    for date in (day, datetime.date.fromisoformat(day)):
        modifier = loaded(duel(date=date)).document["modifier"]
        assert (modifier["rotation"], modifier["id"]) == (place, ROTATION[place])


def test_a_named_modifier_goes_before_a_date_and_without_either_there_is_none():
    named = loaded(duel(date="1970-01-05", modifier="heavy_armor"))
    assert named.document["modifier"]["id"] == "heavy_armor"
    assert loaded(duel()).document["modifier"] is None


def test_an_opponent_brings_units_strategy_and_name():
    document = duel(sides=[{"units": ["scout"]}, {"opponent": "novice_1"}])
    side = loaded(document).document["sides"][1]
    preset = RULESET.read_library(None, []).of("opponents")["novice_1"]
    assert len(side["units"]) == len(preset.units)
    assert side["name"] == preset.name
    document["sides"][1] |= {"name": "Them", "strategy": {"formation": "flanking"}}
    changed = loaded(document).document["sides"][1]
    assert (changed["name"], changed["strategy"]["formation"]) == ("Them", "flanking")


def test_options_of_the_scenario_go_over_those_of_the_profile():
    options = loaded(duel(profile="legacy", options={"round_cap": 9})).document["options"]
    assert (options["round_cap"], options["cap_tie"]) == (9, "side1")


def test_formations_are_merged_number_by_number_wherever_they_are_said():
    def aggressive(*overrides: str, **options: Any) -> tuple[int, ...]:
        found = loaded(duel(options=options), overrides=overrides).document["options"]["formations"]
        assert found["flanking"] == {"attack": 110, "defense": 95, "taken": 100}
        return tuple(found["aggressive"][key] for key in ("attack", "defense", "taken"))

    assert aggressive() == (115, 90, 100)
    assert aggressive(formations={"aggressive": {"attack": 116}}) == (116, 90, 100)
    assert aggressive("options.formations.aggressive.attack=116") == (116, 90, 100)
    assert aggressive("options.formations.aggressive={attack = 116}") == (116, 90, 100)
    written = {"formations": {"aggressive": {"defense": 50}}}
    assert aggressive("options.formations.aggressive={attack = 116}", **written) == (116, 50, 100)
    assert aggressive("options.formations={aggressive = {attack = 116}}", **written) == (116, 50, 100)


# A path means what the file says, and else what was found.


def test_a_path_means_what_the_file_says_before_what_was_found():
    battle = duel(sides=[{"units": ["scout", {"id": "scout", "attack": 44}]}, {"opponent": "novice_1"}])

    def sides(*overrides: str) -> Any:
        return loaded(battle, overrides=overrides).document["sides"]

    found = loaded({**battle, "sides": [{"units": ["bronze_knight"]}, {"opponent": "intermediate_3"}]}).document[
        "sides"
    ]
    assert sides("sides.1.opponent=intermediate_3")[1] == found[1]
    knight = sides("sides.0.units.0.id=bronze_knight", "sides.0.units.0.speed=3")[0]["units"][0]
    assert knight == {**found[0]["units"][0], "speed": 3}
    of_the_file = sides("sides.0.units.1.id=bronze_knight")[0]["units"][1]
    assert (of_the_file["class"], of_the_file["attack"]) == (knight["class"], 44)
    of_the_content = sides("sides.1.units.0.id=bronze_knight")[1]["units"][0]
    assert {**of_the_content, "id": "", "name": ""} == {**found[0]["units"][0], "id": "", "name": ""}
    assert sides("sides.1.units.0.attack=7", "sides.1.name=Reds")[1]["units"][0]["attack"] == 7


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("sides.1.opponent=novice_9", 'sides.1.opponent: there is no opponent "novice_9"'),
        ("sides.1.opponent.name=x", 'sides.1.opponent is a plain value and has no "name"'),
        ("sides.1.units.0.id=nobody", 'sides.1.units.0: there is no unit "nobody"'),
        ("sides.0.units.0.id=nobody", 'sides.0.units.0: there is no unit "nobody"'),
        ("sides.1.zzz=3", "sides.1.zzz: there is no such key here (known keys are opponent, name, strategy and units)"),
        ("sides.1.units.9.attack=3", "sides.1.units has entries 0 to"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused_in_the_words_of_the_file(change, told):
    battle = duel(sides=[{"units": ["scout"]}, {"opponent": "novice_1"}])
    [problem] = problems_of(loaded, battle, overrides=[change])
    assert "overrides" in problem.where
    assert told in str(problem)


# Overrides by path, counted from zero, after content is resolved.


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("sides.0.units.0.attack", 40),
        ("sides.1.units.0.hp", 1),
        ("sides.0.strategy.formation", "defensive"),
        ("sides.0.strategy.targetPriority", ["mages"]),
        ("sides.0.strategy.abilities.fireball.when", "round_gte_3"),
        ("sides.0.name", "Red"),
        ("options.round_cap", 7),
        ("options.chain.stages.0.stage", "environment"),
        ("options.formations.flanking.attack", 130),
        ("abilities.fireball.cooldown", 9),
    ],
)
def test_a_value_is_replaced_by_its_path(path, value):
    here: Any = loaded(overrides={path: value}).document
    for part in path.split("."):
        here = here[int(part)] if isinstance(here, list) else here[part]
    assert here == value


@pytest.mark.parametrize(
    ("path", "spelling", "value"),
    [
        ("sides.0.strategy.targetPriority", "sides.0.strategy.target_priority", ["mages"]),
        ("sides.0.strategy.targetPriority", "sides.0.strategy.TARGET_PRIORITY", ["mages"]),
        ("sides.0.units.0.class_ability", "sides.0.units.0.classAbility", "heal"),
        ("sides.0.strategy.abilities.falling_sky.when", "sides.0.strategy.abilities.Falling Sky.when", "always"),
        ("options.round_cap", "Options.ROUND CAP", 7),
        ("profile", "Profile", "tuned"),
    ],
)
def test_a_path_finds_its_keys_in_every_spelling(path, spelling, value):
    changed = loaded(overrides={spelling: value}).document
    assert changed == loaded(overrides={path: value}).document
    assert changed != loaded().document


def test_a_unit_that_was_given_by_its_id_is_reached_by_the_same_path():
    document = duel(sides=[{"units": ["scout", "scout"]}, {"units": ["scout"]}])
    scenario = loaded(document, overrides=["sides.0.units.1.attack=41"])
    assert [unit["attack"] == 41 for unit in scenario.document["sides"][0]["units"]] == [False, True]


@pytest.mark.parametrize(
    ("path", "value"), [("profile", "tuned"), ("seed", "s"), ("id", "other"), ("modifier", "deep_mud")]
)
def test_what_decides_where_to_look_is_replaced_before_looking(path, value):
    scenario = loaded(overrides={path: value})
    expected = loaded(duel(**{path: value})).document
    assert scenario.document == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sides.0.name=Red", "Red"),
        ('sides.0.name="Red"', "Red"),
        ("options.round_cap=7", 7),
        ("options.round_cap = 7 ", 7),
        ("sides.0.strategy.targetPriority=['mages', 'tanks']", ["mages", "tanks"]),
    ],
)
def test_the_value_of_an_override_is_read_as_toml_or_else_as_text(text, value):
    here: Any = loaded(overrides=[text]).document
    for part in text.partition("=")[0].strip().split("."):
        here = here[int(part)] if isinstance(here, list) else here[part]
    assert here == value


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("sides.0.units.0.attakk", "scenario with overrides: sides.0.units.0.attakk"),
        ("sides.2.units.0.attack", "overrides sides.2.units.0.attack"),
        ("sides.0.units.1.attack", "overrides sides.0.units.1.attack"),
        ("sides.x.units.0.attack", "overrides sides.x.units.0.attack"),
        ("sides.-1.units.0.attack", "overrides sides.-1.units.0.attack"),
        ("sides.0.units.0.attack.more", "overrides sides.0.units.0.attack.more"),
        (f"sides.{'9' * 5000}.name", f"overrides sides.{'9' * 5000}.name"),
        ("optioons.round_cap", "scenario with overrides: optioons"),
        (".".join("a" * 20_000), "overrides"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(path, where):
    problems = problems_of(loaded, overrides={path: 3})
    assert [problem.where for problem in problems] == [where]


def test_a_mistyped_end_of_a_path_is_told_with_the_nearest():
    [problem] = problems_of(loaded, overrides={"sides.0.units.0.attakk": 3})
    assert (problem.message, problem.suggestion) == ("there is no such key here", 'did you mean "attack"?')


@pytest.mark.parametrize(
    "value", [0, -1, 10**6 + 1, 1.5, "x", True, None, [], {}, object(), pytest.param(10**5000, id="huge")]
)
def test_an_overriding_value_is_checked_like_any_other(value):
    assert problems_of(loaded, overrides={"sides.0.units.0.attack": value})


@pytest.mark.parametrize("value", [{"file": "other.toml"}, [1], {}])
def test_a_table_for_what_nothing_says_is_refused_like_any_other(value):
    [problem] = problems_of(loaded, overrides={"sides.0.strategy.sett": value})
    assert "there is no" in problem.message


def test_a_number_of_five_thousand_digits_is_no_fault_of_ours():
    assert problems_of(loaded, overrides=[f"sides.0.units.0.attack={'9' * 5000}"])
    assert problems_of(loaded, overrides=[f"sides.0.units.{'9' * 5000}.attack=1"])
    [problem] = problems_of(loaded, overrides={"options.cap_tie": 10**400})
    assert problem.message == "a number of 39 digits or more is not one of draw or side1"


@pytest.mark.parametrize("text", ["", "=", "=3", "attack", "a..b=3", ".a=3", "a.=3"])
def test_an_override_is_a_path_and_a_value(text):
    assert problems_of(loaded, overrides=[text]) == (Problem(f"overrides {text}", "is not of the form PATH=VALUE"),)


def test_overrides_apply_in_order():
    assert loaded(overrides=["options.round_cap=7", "options.round_cap=8"]).document["options"]["round_cap"] == 8


def test_an_empty_seed_is_refused_wherever_it_stands():
    assert problems_of(fracas.load, duel(seed="")) == (Problem("scenario: seed", "must not be empty"),)
    assert problems_of(loaded, overrides=["seed="]) == (Problem("scenario with overrides: seed", "must not be empty"),)
    assert problems_of(loaded, seed="") == (Problem("seed", "must not be empty"),)
    assert problems_of(loaded().with_seed, "") == (Problem("seed", "must not be empty"),)


@pytest.mark.parametrize("seed", ["", "x" * 1001, "\ud800"])
def test_a_seed_is_unicode_text_of_at_most_a_thousand_characters(seed):
    [problem] = problems_of(loaded, seed=seed)
    assert problem.where.endswith("seed")


def test_a_scenario_of_a_mapping_is_not_changed_by_loading():
    document = duel(sides=[{"units": [fighter()]}, {"units": ["scout"]}])
    before = json.dumps(document)
    loaded(document, seed="x", profile="tuned", overrides={"sides.0.units.0.attack": 3})
    assert json.dumps(document) == before
