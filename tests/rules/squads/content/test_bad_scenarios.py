"""What is wrong with a scenario is said once, at its place, with what would be right."""

from __future__ import annotations

import pytest
from tests.helpers.scenarios import SCENARIO, edited, problems_of, written

import fracas
from fracas.errors import Problem
from fracas.rulesets import registry

SELECTORS = (
    "priority, lowest_hp, highest_hp, highest_threat, fastest, random, "
    "lowest_hp_ally, self, tank_ally, strongest_ally or priority_ally"
)
PRIORITIES = "healers, mages, rangers, warriors, tanks, lowest_hp, highest_hp, highest_threat or fastest"
CLASSES = "warrior, ranger, mage, healer or tank"
NO_KEY = "there is no such key here"
STATS = ("hp = 90", "attack = 35", "defense = 10", "speed = 15")
ZAP = 'id = "zap", name = "Zap", reach = "one_enemy"'
NINE = ", ".join(['"scout"'] * 9)

UNKNOWN = {
    "a key at the top": (('id = "two-by-one"', 'idd = "x"'), "idd", NO_KEY, "id"),
    "a key of a side": (('name = "Red"', 'nname = "Red"'), "sides.0.nname", NO_KEY, "name"),
    "a key of a unit": (("attack = 35", "attack = 35, spede = 3"), "sides.0.units.1.spede", NO_KEY, "speed"),
    "a key of a strategy": (("formation =", "formatoin ="), "sides.0.strategy.formatoin", NO_KEY, "formation"),
    "a key of an order": (
        ('target = "', 'trgt = "'),
        "sides.0.strategy.abilities.Fireball.trgt",
        NO_KEY,
        "target",
    ),
    "a key of the options": (
        ('id = "two-by-one"', "options = { round_capp = 3 }"),
        "options.round_capp",
        NO_KEY,
        "round_cap",
    ),
    "a unit": (('"scout"', '"scuot"'), "sides.0.units.0", 'there is no unit "scuot"', "scout"),
    "an ability of a strategy": (
        ("Fireball =", "Firebal ="),
        "sides.0.strategy.abilities.Firebal",
        'there is no ability "Firebal"',
        "Fireball",
    ),
    "an ability of a unit": (
        ("speed = 15", 'speed = 15, ultimate = "faling_sky"'),
        "sides.0.units.1.ultimate",
        'there is no ability "faling_sky"',
        "falling_sky",
    ),
    "a selector": (
        ('target = "priority"', 'target = "lowest_hpp"'),
        "sides.0.strategy.abilities.Fireball.target",
        f'"lowest_hpp" is not one of {SELECTORS}',
        "lowest_hp",
    ),
    "a priority": (
        ('["healers", ', '["healer", '),
        "sides.0.strategy.targetPriority.0",
        f'"healer" is not one of {PRIORITIES}',
        "healers",
    ),
    "a formation": (
        ('"aggressive"', '"aggressiv"'),
        "sides.0.strategy.formation",
        '"aggressiv" is not one of aggressive, defensive, balanced or flanking',
        "aggressive",
    ),
    "a class": (('class = "mage"', 'class = "mag"'), "sides.0.units.1.class", f'"mag" is not one of {CLASSES}', "mage"),
    "a modifier": (
        ('id = "two-by-one"', 'modifier = "heavy_armour"'),
        "modifier",
        'there is no modifier "heavy_armour"',
        "heavy_armor",
    ),
    "a profile": (
        ('id = "two-by-one"', 'profile = "classik"'),
        "profile",
        'there is no profile "classik"',
        "classic",
    ),
    "a ruleset": (('"squads"', '"squad"'), "ruleset", 'there is no ruleset "squad"', "squads"),
    "an opponent": (
        ('units = ["bronze_knight"]', 'opponent = "novice_11"'),
        "sides.1.opponent",
        'there is no opponent "novice_11"',
        "novice_1",
    ),
    "a chain": (
        ('id = "two-by-one"', 'options = { chain = "clasik" }'),
        "options.chain",
        'there is no damage chain "clasik"',
        "classic",
    ),
    "a stage": (
        ('id = "two-by-one"', 'options = { chain = { stages = [{ stage = "critikal" }] } }'),
        "options.chain.stages.0.stage",
        'there is no stage "critikal"',
        "critical",
    ),
    "a formation table": (
        ('id = "two-by-one"', 'options = { formations = "standrad2" }'),
        "options.formations",
        'there is no formation table "standrad2"',
        "standard",
    ),
    "an option's word": (
        ('id = "two-by-one"', 'options = { ultimate_rule = "chrage" }'),
        "options.ultimate_rule",
        '"chrage" is not one of charge or cooldown',
        "charge",
    ),
    "an effect": (
        (
            'id = "two-by-one"',
            f"abilities = {{ zap = {{ {ZAP}, effects = [{{ type = 'damag', attack = 1 }}] }} }}",
        ),
        "abilities.zap.effects.0",
        '"damag" is not one of damage, heal, shield, attack_up, attack_down, taunt, stun or damage_over_time',
        "damage",
    ),
}


@pytest.fixture
def refused(tmp_path):
    def load(*changes: tuple[str, str], name: str = "battle.toml", **options) -> list[Problem]:
        path = written(tmp_path, edited(*changes), name)
        problems = problems_of(fracas.load, path, **options)
        assert all(problem.where.startswith(str(path)) for problem in problems)
        return [
            Problem(problem.where.removeprefix(str(path)).removeprefix(": "), problem.message, problem.suggestion)
            for problem in problems
        ]

    return load


def test_the_scenario_that_is_broken_here_is_sound(tmp_path):
    assert problems_of(fracas.load, written(tmp_path, SCENARIO), strict=True) == ()


@pytest.mark.parametrize("case", UNKNOWN)
def test_an_unknown_name_is_told_with_the_nearest_one(refused, case):
    change, where, message, nearest = UNKNOWN[case]
    assert refused(change) == [Problem(where, message, f'did you mean "{nearest}"?')]


def test_a_unit_in_capitals_is_told_once_and_with_its_id(refused):
    [problem] = refused(('"scout"', '"Scout"'))
    assert problem.where == "sides.0.units.0"


def test_an_unknown_ruleset_without_a_near_one_names_those_that_exist(refused):
    known = ", ".join(registry.NAMES)
    [problem] = refused(('"squads"', '"chess"'))
    assert (problem.where, problem.message) == ("ruleset", 'there is no ruleset "chess"')
    assert (problem.suggestion or "").startswith(f"known: {known};")


def test_a_scenario_without_a_ruleset_is_told_what_to_write(refused):
    message = "does not name a ruleset"
    known = " or ".join(f'ruleset = "{name}"' for name in registry.NAMES)
    assert refused(('ruleset = "squads"', "")) == [Problem("", message, f"write {known}")]


def test_a_side_needs_a_unit(refused):
    expected = Problem("sides.1.units", "has 0 entries; at least 1 are needed")
    assert refused(('["bronze_knight"]', "[]")) == [expected]


def test_a_side_has_at_most_eight_units(refused):
    expected = Problem("sides.1.units", "has too many entries; at most 8 are allowed")
    assert refused(('["bronze_knight"]', f"[{NINE}]")) == [expected]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (('units = ["bronze_knight"]', ""), Problem("sides.1", "needs either units or an opponent")),
        (
            ('units = ["bronze_knight"]', 'units = ["bronze_knight"]\nopponent = "novice_1"'),
            Problem("sides.1", "has both units and an opponent"),
        ),
        (
            ('[[sides]]\nunits = ["bronze_knight"]\n', ""),
            Problem("sides", "has 1 entries; at least 2 are needed"),
        ),
        (
            ('units = ["bronze_knight"]\n', 'units = ["scout"]\n[[sides]]\nunits = ["scout"]\n'),
            Problem("sides", "has too many entries; at most 2 are allowed"),
        ),
    ],
)
def test_there_are_two_sides_with_units_each(refused, change, problem):
    assert refused(change) == [problem]


@pytest.mark.parametrize("stat", STATS)
@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("-1", "-1 is out of range: it must be at least "),
        ("1000001", "1000001 is out of range: it must be at most 1,000,000"),
        (str(10**30), f"{10**30} is out of range: it must be at most 1,000,000"),
        ("1.5", "1.5 is not a whole number"),
        ("9.0", "9.0 is not a whole number"),
        ("1e3", "1000.0 is not a whole number"),
        ("nan", "nan is not a whole number"),
        ("inf", "inf is not a whole number"),
        ('"90"', '"90" is not a whole number'),
        ("true", "true is not a whole number"),
    ],
)
def test_a_stat_is_a_whole_number_within_limits(refused, stat, value, complaint):
    name = stat.split(" = ")[0]
    complaint += ("0" if name == "defense" else "1") if complaint.endswith("at least ") else ""
    assert refused((stat, f"{name} = {value}")) == [Problem(f"sides.0.units.1.{name}", complaint)]


@pytest.mark.parametrize("name", ["hp", "attack", "speed"])
def test_zero_is_too_little(refused, name):
    stat = next(stat for stat in STATS if stat.startswith(name))
    complaint = "0 is out of range: it must be at least 1"
    assert refused((stat, f"{name} = 0")) == [Problem(f"sides.0.units.1.{name}", complaint)]


@pytest.mark.parametrize("value", [0, 10**6])
def test_defense_may_be_zero_and_all_may_be_a_million(refused, value):
    assert refused(("defense = 10", f"defense = {value}")) == []
    assert refused(*((stat, f"{stat.split()[0]} = {10**6}") for stat in STATS)) == []


@pytest.mark.parametrize("stat", STATS)
def test_an_override_of_a_content_unit_has_the_same_limits(refused, stat):
    name = stat.split(" = ")[0]
    complaint = "1000001 is out of range: it must be at most 1,000,000"
    change = ('"bronze_knight"', f'{{ id = "bronze_knight", {name} = 1000001 }}')
    assert refused(change) == [Problem(f"sides.1.units.0.{name}", complaint)]


def test_a_unit_that_is_not_in_the_content_says_everything_about_itself(refused):
    message = '"kael" is not a unit of the content, so it needs attack, speed here'
    assert refused(("attack = 35, ", ""), (", speed = 15", "")) == [Problem("sides.0.units.1", message)]


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        (('"scout"', "3"), "sides.0.units.0", "3 is neither a string nor a table"),
        (
            ('["bronze_knight"]', '["bronze_knight", ["scout"]]'),
            "sides.1.units.1",
            "a list is neither a string nor a table",
        ),
        (
            ('units = ["bronze_knight"]', 'units = ["scout"]\nstrategy = 1.5'),
            "sides.1.strategy",
            "1.5 is neither a string nor a table",
        ),
        (('id = "two-by-one"', "modifier = true"), "modifier", "true is neither a string nor a table"),
        (('id = "two-by-one"', "options.chain = []"), "options.chain", "a list is neither a string nor a table"),
        (
            ('id = "two-by-one"', "options.formations.flanking.attack = -1"),
            "options.formations.flanking.attack",
            "-1 is out of range: it must be at least 0",
        ),
        (
            ('id = "two-by-one"', "options.formations.wedge = {}"),
            "options.formations.wedge",
            '"wedge" is not one of aggressive, defensive, balanced or flanking',
        ),
    ],
)
def test_what_may_be_named_or_written_out_is_told_once_and_at_its_place(refused, change, where, message):
    assert [(problem.where, problem.message) for problem in refused(change)] == [(where, message)]


@pytest.mark.parametrize(("when", "what"), [("true", "true or false"), ("3", "a number"), ("1979-01-01", "an object")])
def test_what_is_no_condition_is_told_once(refused, when, what):
    problems = refused(('when = "enemy_count_gte_2"', f"when = {when}"))
    assert [(problem.where, problem.message) for problem in problems] == [
        ("sides.0.strategy.abilities.Fireball.when", f"{what} is not a condition")
    ]


@pytest.mark.parametrize("name", ["two\\nlines", "\\u001b[31mred", "bell\\u0007"])
@pytest.mark.parametrize("place", ['id = "two-by-one"', 'name = "Red"'])
def test_a_name_that_would_move_the_cursor_is_refused(refused, place, name):
    key = place.split()[0]
    [problem] = refused((place, f'{key} = "{name}"'))
    assert problem.where in ("id", "sides.0.name")
    assert problem.message.endswith("contains a character that cannot be printed")
    assert problem.message.isprintable()


def test_a_key_that_would_move_the_cursor_is_made_visible(refused):
    [problem] = refused(('id = "two-by-one"', '"\\u001b[31m" = 1'))
    assert problem == Problem("·[31m", "there is no such key here")


def test_the_basic_attack_is_aimed_at_one_enemy(refused):
    taunt = '{ id = "basic_attack", name = "Shout", reach = "self", effects = [{ type = "taunt", rounds = 1 }] }'
    expected = Problem("abilities.basic_attack", "the basic attack reaches one_enemy, not self")
    assert refused(('id = "two-by-one"', f"abilities.basic_attack = {taunt}")) == [expected]


def test_a_name_without_a_near_one_is_told_where_names_come_from(refused):
    hint = "add your own content with content=[DIR]"
    assert refused(('"scout"', '"qqq"')) == [Problem("sides.0.units.0", 'there is no unit "qqq"', hint)]


def test_a_mistyped_content_unit_with_changes_is_recognised(refused):
    [problem] = refused(('"bronze_knight"', '{ id = "bronze_knigt", hp = 5 }'))
    assert problem.where == "sides.1.units.0"
    assert problem.suggestion == 'did you mean "bronze_knight"?'


def test_two_units_written_in_a_side_have_ids_of_their_own(refused):
    twin = '{ id = "kael", class = "tank", hp = 9, attack = 3, defense = 1, speed = 1 }'
    expected = Problem("sides.0.units", 'two units have the id "kael"', "give each its own id")
    assert refused(('"scout"', twin)) == [expected]


def test_the_same_id_on_both_sides_is_no_problem(refused):
    assert (
        refused(('"bronze_knight"', '{ id = "kael", class = "tank", hp = 9, attack = 3, defense = 1, speed = 1 }'))
        == []
    )


def test_both_spellings_of_the_priority_key_are_one_too_many(refused):
    message = 'has both "targetPriority" and "target_priority"; keep one'
    change = ("targetPriority =", 'target_priority = ["mages"]\ntargetPriority =')
    assert refused(change) == [Problem("sides.0.strategy", message)]


def test_the_basic_attack_takes_no_condition(refused):
    message = "the basic attack is always available; it takes a target only"
    expected = Problem("sides.0.strategy.abilities.Basic Attack.when", message)
    assert refused(("Fireball =", '"Basic Attack" =')) == [expected]


def test_an_ability_is_configured_once_however_it_is_called(refused):
    message = '"fireball" is configured twice'
    expected = Problem("sides.0.strategy.abilities.fireball", message)
    assert refused(("Fireball =", "fireball = {}\nFIREBALL =")) == [expected]


@pytest.mark.parametrize(
    ("date", "shown"), [('"2026-13-01"', '"2026-13-01"'), ('"next week"', '"next week"'), ("20261120", "20261120")]
)
def test_a_date_is_a_day(refused, date, shown):
    expected = Problem("date", f"{shown} is not a date such as 2026-11-20")
    assert refused(('id = "two-by-one"', f"date = {date}")) == [expected]


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("round_cap = 0", "0 is out of range: it must be at least 1"),
        ("round_cap = 1001", "1001 is out of range: it must be at most 1,000"),
        ("healer_threshold = 101", "101 is out of range: it must be at most 100"),
        ("charge_hit = -1", "-1 is out of range: it must be at least 0"),
        ('charge_action = "much"', '"much" is not a whole number'),
    ],
)
def test_options_have_limits(refused, option, complaint):
    where = f"options.{option.split()[0]}"
    assert refused(('id = "two-by-one"', f"options = {{ {option} }}")) == [Problem(where, complaint)]


def test_a_stage_takes_its_own_parameters(refused):
    message = 'stage "critical" does not take percent; it takes chance, multiplier'
    change = ('id = "two-by-one"', 'options = { chain = { stages = [{ stage = "critical", percent = 3 }] } }')
    assert refused(change) == [Problem("options.chain.stages.0", message)]


def test_an_ability_of_a_scenario_does_what_its_reach_allows(refused):
    ability = '{ id = "zap", name = "Zap", reach = "self", effects = [{ type = "stun" }] }'
    message = 'the effect "stun" does not fit an ability that reaches allies'
    assert refused(('id = "two-by-one"', f"abilities.zap = {ability}")) == [Problem("abilities.zap", message)]


def test_an_effect_without_power_is_told_at_its_place(refused):
    ability = '{ id = "zap", name = "Zap", reach = "self", effects = [{ type = "shield", rounds = 1 }] }'
    message = "needs a power: attack, defense or max_hp above 0"
    expected = Problem("abilities.zap.effects.0", message)
    assert refused(('id = "two-by-one"', f"abilities.zap = {ability}")) == [expected]


def test_several_wrong_values_are_told_at_once(refused):
    problems = refused(
        ('id = "two-by-one"', 'idd = "x"\noptions = { round_cap = 0 }'),
        ("hp = 90", "hp = 0"),
        ("speed = 15", "spede = 15"),
        ('"aggressive"', '"aggressiv"'),
        ('["bronze_knight"]', "[]"),
    )
    assert {problem.where for problem in problems} == {
        "idd",
        "options.round_cap",
        "sides.0.units.1.hp",
        "sides.0.units.1.spede",
        "sides.0.strategy.formation",
        "sides.1.units",
    }


LOST = (
    ('id = "two-by-one"', 'modifier = "heavy_armour"'),
    ('"scout"', '"scuot"'),
    ("Fireball =", "Firebal ="),
    ('"bronze_knight"', '"bronze_knigt"'),
)
LOST_PLACES = {"modifier", "sides.0.units.0", "sides.0.strategy.abilities.Firebal", "sides.1.units.0"}


def test_several_names_that_lead_nowhere_are_told_at_once(refused):
    assert {problem.where for problem in refused(*LOST)} == LOST_PLACES


def test_an_unknown_profile_does_not_hide_other_unknown_names(refused):
    problems = refused(
        *LOST, ('name = "Red"', 'name = "Red"'), ('ruleset = "squads"', 'ruleset = "squads"\nprofile = "x"')
    )
    assert {problem.where for problem in problems} == LOST_PLACES | {"profile"}


def test_a_wrong_value_does_not_hide_a_name_that_leads_nowhere(refused):
    assert {problem.where for problem in refused(("hp = 90", "hp = 0"), ('"bronze_knight"', '"bronze_knigt"'))} == {
        "sides.0.units.1.hp",
        "sides.1.units.0",
    }


BROKEN = (("hp = 90", "hp = 0"), ('formation = "aggressive"', 'formation = "wedge"'))
BROKEN_PLACES = {"sides.0.units.1.hp", "sides.0.strategy.formation"}


def test_wrong_values_and_names_that_lead_nowhere_are_told_together(refused):
    assert {problem.where for problem in refused(*LOST, *BROKEN)} == LOST_PLACES | BROKEN_PLACES


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (('id = "two-by-one"', 'profile = "x"'), "profile"),
        (('id = "two-by-one"', 'options.chain = "x"'), "options.chain"),
        (('id = "two-by-one"', 'options.formations = "x"'), "options.formations"),
        (('units = ["bronze_knight"]', 'opponent = "x"'), "sides.1.opponent"),
        (('units = ["bronze_knight"]', 'units = ["scout"]\nstrategy = "x"'), "sides.1.strategy"),
        (("speed = 15", 'speed = 15, ultimate = "x"'), "sides.0.units.1.ultimate"),
    ],
)
def test_every_name_is_looked_up_though_values_are_wrong(refused, change, where):
    assert {problem.where for problem in refused(change, *BROKEN)} == {where} | BROKEN_PLACES


def test_wrong_values_make_no_name_unknown(refused):
    zap = f"{{ {ZAP}, effects = [] }}"
    problems = refused(
        *BROKEN,
        ('id = "two-by-one"', f"abilities.zap = {zap}"),
        ("speed = 15", 'speed = 15, ultimate = "zap"'),
        ("Fireball =", "ZAP ="),
        ('units = ["bronze_knight"]', 'units = ["scout"]\nstrategy = "strategies/none.json"'),
    )
    assert {problem.where for problem in problems} == BROKEN_PLACES | {"abilities.zap.effects"}


def test_a_flood_of_unknown_names_is_cut_off(tmp_path):
    units = ", ".join(f'"unit-{number}"' for number in range(5000))
    path = written(tmp_path, edited(('["bronze_knight"]', f"[{units}]")))
    assert len(problems_of(fracas.load, path)) < 60


def test_a_key_of_a_strategy_that_would_move_the_cursor_is_made_visible(refused):
    problems = refused(("Fireball =", '"\\u001b[31m" ='), *BROKEN)
    assert all(problem.where.isprintable() and problem.message.isprintable() for problem in problems)
    assert "sides.0.strategy.abilities.·[31m" in {problem.where for problem in problems}


def test_options_are_all_looked_up_though_one_leads_nowhere(refused):
    problems = refused(('id = "two-by-one"', 'options = { chain = "x", formations = "y" }'))
    assert {problem.where for problem in problems} == {"options.chain", "options.formations"}


def test_both_abilities_of_a_unit_are_looked_up(refused):
    problems = refused(("speed = 15", 'speed = 15, ultimate = "x", class_ability = "y"'))
    assert {problem.where for problem in problems} == {"sides.0.units.1.ultimate", "sides.0.units.1.class_ability"}


def test_a_flood_of_problems_is_cut_off_with_a_count(tmp_path):
    lines = "\n".join(f"key_{number} = 1" for number in range(70))
    path = written(tmp_path, f"{lines}\n{SCENARIO}")
    problems = problems_of(fracas.load, path)
    assert len(problems) == 51
    assert problems[-1] == Problem(str(path), "and 20 more problems of this kind")
