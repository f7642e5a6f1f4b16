"""Content packs: folders over folders, by id."""

from __future__ import annotations

import pytest
from tests.helpers.scenarios import duel, loaded, problems_of, written

import fracas
from fracas.content.packs import OWN_CONTENT, read_library, read_pack, shipped_folder, unknown_name
from fracas.errors import Problem
from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source
from fracas.rulesets.squads.content.models.scenario import ContentFile

SCOUT = """
[[units]]
id = "scout"
name = "{name}"
class = "ranger"
hp = {hp}
attack = 20
defense = 5
speed = 9
"""


def scout(name: str = "Other Scout", hp: int = 77) -> str:
    return SCOUT.format(name=name, hp=hp)


def unit_in(scenario, side: int = 0):
    return scenario.document["sides"][side]["units"][0]


def scouts(**values):
    return duel(sides=[{"units": ["scout"]}, {"units": ["bronze_knight"]}], **values)


def test_the_shipped_content_is_sound():
    for name in registry.NAMES:
        library = registry.get(name).read_library(None, [])
        assert library.of("profiles")
        assert all(library.of(kind) for kind in library.entries), "a kind of content without an entry"
        assert sum(len(library.of(kind)) for kind in library.entries) > 50


@pytest.mark.parametrize("profile", ["classic", "tuned", "legacy"])
def test_every_shipped_profile_can_be_read(profile):
    assert registry.get("squads").read_library(profile, []).of("abilities")


def test_a_pack_replaces_the_shipped_entry_of_the_same_id_and_leaves_the_others(tmp_path):
    written(tmp_path, scout(), "mine.toml")
    scenario = loaded(scouts(), content=[tmp_path])
    assert (unit_in(scenario)["name"], unit_in(scenario)["hp"]) == ("Other Scout", 77)
    assert unit_in(scenario, 1) == unit_in(loaded(scouts()), 1)


@pytest.mark.parametrize("order", [("first", "second"), ("second", "first")])
def test_the_later_pack_counts(tmp_path, order):
    for place, name in enumerate(("first", "second")):
        written(tmp_path, scout(name, 70 + place), f"{name}/mine.toml")
    scenario = loaded(scouts(), content=[tmp_path / name for name in order])
    assert unit_in(scenario)["name"] == order[-1]


def test_an_entry_is_replaced_whole_not_key_by_key(tmp_path):
    written(tmp_path, scout(), "mine.toml")
    library = read_library("squads", ContentFile, [], [tmp_path])
    assert library.of("units")["scout"].tier is None
    assert library.origins["units", "scout"] == str(tmp_path / "mine.toml")


def test_a_replaced_entry_keeps_its_place(tmp_path):
    written(tmp_path, scout(), "mine.toml")
    before = list(read_library("squads", ContentFile, [], []).of("units"))
    assert list(read_library("squads", ContentFile, [], [tmp_path]).of("units")) == before


def test_all_files_of_a_pack_are_read_together(tmp_path):
    written(tmp_path, scout(), "b.toml")
    written(tmp_path, scout().replace('"scout"', '"other"'), "a.toml")
    written(tmp_path, "not read", "notes.txt")
    written(tmp_path, scout().replace('"scout"', '"deeper"'), "below/c.toml")
    assert list(read_pack(tmp_path, ContentFile).of("units")) == ["other", "scout"]


def test_of_few_names_all_are_listed_and_of_many_none():
    few, many = (
        unknown_name("profile", "profile", "nope", ["classic", "tuned"]),
        unknown_name("unit", "unit", "nope", map(str, range(9))),
    )
    assert few.suggestion == f"write classic or tuned; {OWN_CONTENT}"
    assert many.suggestion == OWN_CONTENT
    assert unknown_name("profile", "profile", "tund", ["classic", "tuned"]).suggestion == 'did you mean "tuned"?'


def test_an_id_that_stands_twice_in_a_file_is_refused(tmp_path):
    path = written(tmp_path, scout() + scout(), "mine.toml")
    expected = Problem(f"{path}: units.1.id", '"scout" is defined twice, first in the same file')
    assert problems_of(read_pack, tmp_path, ContentFile) == (expected,)


def test_an_id_that_stands_in_two_files_of_a_pack_is_refused(tmp_path):
    first, second = written(tmp_path, scout(), "a.toml"), written(tmp_path, scout(), "b.toml")
    expected = Problem(f"{second}: units.0.id", f'"scout" is defined twice, first in {first}')
    assert problems_of(read_pack, tmp_path, ContentFile) == (expected,)


def test_one_id_may_name_entries_of_two_kinds(tmp_path):
    entry = '[[modifiers]]\nid = "scout"\nname = "Scouting"\n'
    written(tmp_path, scout() + entry, "mine.toml")
    library = read_pack(tmp_path, ContentFile)
    assert set(library.of("units")) == set(library.of("modifiers")) == {"scout"}


def test_all_problems_of_all_files_and_folders_are_told(tmp_path):
    first = written(tmp_path, scout(hp=0), "one/a.toml")
    second = written(tmp_path, "broken = = 1", "one/b.toml")
    third = written(tmp_path, scout().replace("speed", "spede"), "two/c.toml")
    problems = problems_of(loaded, scouts(), content=[tmp_path / "one", tmp_path / "two", tmp_path / "three"])
    assert [problem.where for problem in problems] == [
        f"{first}: units.0.hp",
        f"{second}:1",
        f"{third}: units.0.speed",
        f"{third}: units.0.spede",
        str(tmp_path / "three"),
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "there is no such content folder"),
        (lambda path: path.write_text(""), "is a file; a content pack is a folder"),
        (lambda path: path.mkdir(), "contains no TOML files"),
    ],
)
def test_a_pack_is_a_folder_with_toml_files(tmp_path, make, message):
    make(tmp_path / "pack")
    expected = Problem(str(tmp_path / "pack"), message)
    assert problems_of(loaded, duel(), content=[tmp_path / "pack"]) == (expected,)


def test_a_name_that_no_folder_can_have_is_refused():
    expected = Problem("x" * 300, "there is no such content folder")
    assert problems_of(loaded, duel(), content=["x" * 300]) == (expected,)


@pytest.mark.parametrize(
    ("text", "where", "message", "suggestion"),
    [
        ("[[unit]]\nid = 'x'", "unit", "there is no such key here", 'did you mean "units"?'),
        (scout(hp=0), "units.0.hp", "0 is out of range: it must be at least 1", None),
        (scout(hp=10**6 + 1), "units.0.hp", "1000001 is out of range: it must be at most 1,000,000", None),
        (
            scout().replace('"ranger"', '"archer"'),
            "units.0.class",
            '"archer" is not one of warrior, ranger, mage, healer or tank',
            None,
        ),
        (
            scout().replace('"scout"', '"The Scout"'),
            "units.0.id",
            '"The Scout" is not an identifier: lower-case letters, digits, _ and - only',
            None,
        ),
        (
            '[[formations]]\nid = "x"\ntable = { aggressive = {}, balanced = {} }',
            "formations.0.table",
            "lacks defensive, flanking",
            None,
        ),
    ],
)
def test_what_is_wrong_in_a_pack_is_told_with_file_and_path(tmp_path, text, where, message, suggestion):
    path = written(tmp_path, text, "mine.toml")
    [problem] = problems_of(read_pack, tmp_path, ContentFile)
    assert (problem.where, problem.message) == (f"{path}: {where}", message)
    assert suggestion is None or problem.suggestion == suggestion


@pytest.mark.parametrize(
    ("text", "where", "name", "suggestion"),
    [
        (scout() + 'ultimate = "black_hale"', "units.scout.ultimate", "black_hale", "black_hail"),
        (
            '[[classes]]\nid = "mage"\nclass_ability = "firebal"\nultimate = "falling_sky"',
            "classes.mage.class_ability",
            "firebal",
            "fireball",
        ),
        (
            '[[opponents]]\nid = "x"\nname = "X"\ntier = "novice"\nunits = ["scuot"]\nstrategy = "blank_page"',
            "opponents.x.units",
            "scuot",
            "scout",
        ),
        (
            '[[opponents]]\nid = "x"\nname = "X"\ntier = "novice"\nunits = ["scout"]\nstrategy = "blank_pag"',
            "opponents.x.strategy",
            "blank_pag",
            "blank_page",
        ),
        ('[[profiles]]\nid = "x"\nbase = "clasik"', "profiles.x.base", "clasik", "classic"),
        (
            '[[profiles]]\nid = "x"\nbase = "classic"\noptions = { chain = "clasik" }',
            "profiles.x.options.chain",
            "clasik",
            "classic",
        ),
        ('[[profiles]]\nid = "x"\nbase = "classic"\npacks = ["legacyy"]', "profiles.x.packs.0", "legacyy", "legacy"),
    ],
)
def test_a_reference_that_leads_nowhere_is_told_when_the_library_is_checked(tmp_path, text, where, name, suggestion):
    path = written(tmp_path, text, "mine.toml")
    [problem] = problems_of(registry.get("squads").read_library, None, [tmp_path])
    assert problem.where == f"{path}: {where}"
    assert f'"{name}"' in problem.message
    assert problem.suggestion == f'did you mean "{suggestion}"?'


def test_a_strategy_of_the_content_with_a_broken_condition_is_told(tmp_path):
    text = '[[strategies]]\nid = "x"\nname = "X"\nabilities = { Heal = { when = "self.hp <" } }'
    path = written(tmp_path, text, "mine.toml")
    [problem] = problems_of(registry.get("squads").read_library, None, [tmp_path])
    assert problem.where == f"{path}: strategies.x.abilities.Heal.when"


def test_profiles_that_build_on_each_other_are_refused(tmp_path):
    text = '[[profiles]]\nid = "a"\nbase = "b"\n[[profiles]]\nid = "b"\nbase = "a"\n'
    path = written(tmp_path, text, "mine.toml")
    assert problems_of(loaded, duel(profile="a"), content=[tmp_path]) == (
        Problem(f"{path}: profiles.a", 'the profile "a" builds on itself'),
        Problem(f"{path}: profiles.b", 'the profile "b" builds on itself'),
    )


def test_a_profile_that_leaves_options_open_is_told_with_what_it_lacks(tmp_path):
    path = written(tmp_path, '[[profiles]]\nid = "x"\noptions = { round_cap = 9, formations = "tuned" }', "mine.toml")
    lacks = "healer_threshold, healer_fallback, ultimate_rule, charge_action, charge_hit, cap_tie, chain"
    expected = Problem(
        f"{path}: profiles.x", f'the profile "x" does not set {lacks}', 'let it build on another: base = "classic"'
    )
    assert problems_of(loaded, duel(profile="x"), content=[tmp_path]) == (expected,)


def test_a_profile_with_an_unknown_pack_is_told_by_its_name_not_by_a_folder_of_ours(tmp_path):
    path = written(tmp_path, '[[profiles]]\nid = "x"\nbase = "classic"\npacks = ["nope"]', "mine.toml")
    expected = Problem(f"{path}: profiles.x.packs.0", 'there is no shipped pack "nope"')
    assert problems_of(loaded, duel(profile="x"), content=[tmp_path]) == (expected,)
    assert problems_of(registry.get("squads").read_library, "x", [tmp_path]) == (expected,)


def test_a_pack_in_which_something_leads_nowhere_is_refused_when_it_is_used(tmp_path):
    path = written(tmp_path, scout() + 'ultimate = "black_hale"', "mine.toml")
    [problem] = problems_of(loaded, duel(), content=[tmp_path])
    assert problem.where == f"{path}: units.scout.ultimate"


OPPONENT = """
[[opponents]]
id = "x"
name = "X"
tier = "novice"
units = ["scout"]
strategy = { abilities = { "Black Hail" = { when = "enemy_cuont_gte_2" } } }
"""


def test_an_opponents_own_strategy_is_checked_like_all_content(tmp_path):
    path = written(tmp_path, OPPONENT, "mine.toml")
    [problem] = problems_of(registry.get("squads").read_library, None, [tmp_path])
    assert problem.where == f"{path}: opponents.x.strategy.abilities.Black Hail.when"
    assert problem.message == 'unknown condition "enemy_cuont_gte_2"'


def test_a_file_of_a_pack_may_refer_to_the_files_beside_it(tmp_path):
    squads = registry.get("squads")
    path = written(tmp_path, scout() + 'ultimate = "spare"', "units.toml")
    source, document = Source(str(path), tmp_path), read_document(path)
    [problem] = problems_of(squads.check_file, "content", document, source)
    assert problem.where == f"{path}: units.scout.ultimate"
    written(tmp_path, 'ruleset = "squads"', "battle.toml")
    ability = 'id = "spare"\nname = "Spare"\nreach = "self"\neffects = [{ type = "taunt", rounds = 1 }]'
    written(tmp_path, f"[[abilities]]\n{ability}\n", "abilities.toml")
    assert problems_of(squads.check_file, "content", document, source) == ()


def test_what_is_wrong_beside_a_file_is_not_told_with_it(tmp_path):
    path = written(tmp_path, scout(), "units.toml")
    written(tmp_path, '[[classes]]\nid = "mage"\nclass_ability = "nothing"\nultimate = "nothing"', "classes.toml")
    source = Source(str(path), tmp_path)
    assert problems_of(registry.get("squads").check_file, "content", read_document(path), source) == ()


def test_a_part_may_refer_to_the_content_of_a_folder(tmp_path):
    written(tmp_path / "pack", scout().replace('"scout"', '"other"'), "units.toml")
    path = written(tmp_path, OPPONENT.replace("cuont", "count").replace('"scout"', '"other"'), "mine.toml")
    squads, source = registry.get("squads"), Source(str(path), tmp_path)
    assert problems_of(squads.check_file, "content", read_document(path), source)
    assert problems_of(squads.check_file, "content", read_document(path), source, [tmp_path / "pack"]) == ()


def test_a_profile_of_ones_own_builds_on_a_shipped_one(tmp_path):
    written(tmp_path, '[[profiles]]\nid = "short"\nbase = "legacy"\noptions = { round_cap = 7 }', "mine.toml")
    options = loaded(duel(profile="short"), content=[tmp_path]).document["options"]
    assert options["round_cap"] == 7
    assert options["ultimate_rule"] == "cooldown"


def test_the_legacy_profile_brings_its_own_ability_table():
    document = duel(sides=[{"units": ["shield_bearer"]}, {"units": ["novice_cleric"]}])
    classic = loaded(document).document["abilities"]
    legacy = loaded(document | {"profile": "legacy"}).document["abilities"]
    assert legacy != classic
    ultimates = [ability for ability in legacy.values() if ability["kind"] == "ultimate"]
    classes = [ability for ability in legacy.values() if ability["kind"] == "class"]
    assert {ability["cooldown"] for ability in ultimates} == {5}
    assert {ability["cooldown"] for ability in classes} == {3}


def test_the_users_folder_goes_over_the_profiles_pack(tmp_path):
    document = duel(profile="legacy", sides=[{"units": ["novice_cleric"]}, {"units": ["scout"]}])
    ability = unit_in(loaded(document))["class_ability"]
    entry = f'id = "{ability}"\nname = "Mine"\nreach = "self"\neffects = [{{ type = "heal", attack = 1 }}]'
    written(tmp_path, f"[[abilities]]\n{entry}\n", "mine.toml")
    assert loaded(document, content=[tmp_path]).document["abilities"][ability]["name"] == "Mine"


def test_the_shipped_folder_holds_toml_only():
    for name in registry.NAMES:
        files = [path for path in shipped_folder(name).rglob("*") if path.is_file()]
        assert {path.suffix for path in files} == {".toml"}


def test_content_that_is_not_used_does_not_change_the_fingerprint(tmp_path):
    written(tmp_path, scout(), "mine.toml")
    document = duel()
    assert fracas.load(document).fingerprint == fracas.load(document, content=[tmp_path]).fingerprint
    assert loaded(scouts()).fingerprint != loaded(scouts(), content=[tmp_path]).fingerprint
