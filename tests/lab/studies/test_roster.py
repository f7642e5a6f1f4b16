"""Who takes part: files, sides, rosters, content."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import SCENARIO, problems_of, written

import fracas
from fracas.lab.studies.roster import entrants_of, entrants_of_sources, read_roster, roster_of, split_side

ROSTERS = ROOT / "examples" / "squads" / "rosters"

ROSTER = """\
ruleset = "squads"

[[entrants]]
file = "a.toml"

[[entrants]]
file = "a.toml"
side = 2
"""


@pytest.fixture
def folder(tmp_path):
    written(tmp_path, SCENARIO, "a.toml")
    written(tmp_path, SCENARIO.replace("two-by-one", "again"), "b.toml")
    return tmp_path


def roster(folder: Path, text: str) -> Path:
    return Path(written(folder, text, "roster.toml"))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a.toml", ("a.toml", 1)),
        ("a.toml:1", ("a.toml", 1)),
        ("a.toml:2", ("a.toml", 2)),
        ("a.toml:3", ("a.toml:3", 1)),
        (":2", (":2", 1)),
        ("c:2/a.toml", ("c:2/a.toml", 1)),
    ],
)
def test_a_file_may_name_its_side(text, meant):
    assert split_side(text) == (Path(meant[0]), meant[1])


def test_sides_of_files_take_part_under_names_of_their_own(folder):
    found = roster_of([folder / "a.toml", f"{folder / 'b.toml'}:2", folder / "b.toml"], {})
    assert [(entrant.name, entrant.side) for entrant in found.entrants] == [("two-by-one", 1), ("b", 2), ("again", 1)]
    assert found.seed == "two-by-one"


def test_who_shares_every_name_is_numbered(folder):
    found = roster_of([folder / "a.toml", folder / "a.toml", folder / "a.toml"], {"seed": "x"})
    assert [entrant.name for entrant in found.entrants] == ["two-by-one", "two-by-one 2", "two-by-one 3"]
    assert found.seed == "x"


def test_a_number_does_not_make_a_name_that_somebody_has(folder):
    (folder / "c.toml").write_text((folder / "a.toml").read_text().replace('"Red"', '"two-by-one 2"'))
    found = roster_of([folder / name for name in ("a.toml", "a.toml", "c.toml")], {})
    assert [entrant.name for entrant in found.entrants] == ["two-by-one", "two-by-one 3", "two-by-one 2"]


def test_a_roster_names_files_sides_values_and_seed(folder):
    text = ROSTER + 'name = "Changed"\nset = { "sides.1.units.0.hp" = 77 }\n'
    found = read_roster(roster(folder, 'seed = "mine"\nid = "cup"\n' + text), {})
    first, second = found.entrants
    assert (found.id, found.seed, first.name, second.name) == ("cup", "mine", "Red", "Changed")
    assert second.scenario.document["sides"][1]["units"][0]["hp"] == 77
    assert first.scenario.document["sides"][1]["units"][0]["hp"] != 77


def test_what_the_user_asks_for_replaces_what_the_roster_says(folder):
    path = roster(folder, 'seed = "mine"\nprofile = "tuned"\n' + ROSTER)
    assert read_roster(path, {}).rules.profile == "tuned"
    found = read_roster(path, {"seed": "yours", "profile": "classic"})
    assert (found.seed, found.rules.profile) == ("yours", "classic")


def test_all_of_a_kind_of_content_takes_part():
    found = roster_of([ROSTERS / "plans.toml"], {})
    library = found.rules.ruleset.read_library(None, ())
    assert [entrant.name for entrant in found.entrants] == [each.name for each in library.of("strategies").values()]
    strategies = [entrant.scenario.document["sides"][0]["strategy"] for entrant in found.entrants]
    assert len({str(strategy) for strategy in strategies}) == len(strategies)


def test_content_can_be_chosen_and_wrapped(folder):
    text = """\
ruleset = "squads"

[[entrants]]
file = "a.toml"
content = "opponents"
at = "sides.0"
value = { opponent = "*", name = "Preset" }
only = ["training_yard", "shield_ring"]
"""
    library = fracas.load(folder / "a.toml").ruleset.read_library(None, ())
    names = list(library.of("opponents"))[:2]
    text = text.replace('"training_yard", "shield_ring"', ", ".join(f'"{name}"' for name in names))
    found = read_roster(roster(folder, text), {})
    assert [entrant.name for entrant in found.entrants] == [library.of("opponents")[name].name for name in names]
    assert {entrant.scenario.document["sides"][0]["name"] for entrant in found.entrants} == {"Preset"}


def test_content_of_ones_own_takes_part_too(folder, tmp_path):
    pack = tmp_path / "pack"
    pack.mkdir()
    written(pack, '[[strategies]]\nid = "mine"\nname = "Mine"\nformation = "flanking"\n', "s.toml")
    text = 'ruleset = "squads"\n[[entrants]]\nfile = "a.toml"\ncontent = "strategies"\nat = "sides.0.strategy"\n'
    found = read_roster(roster(folder, text), {"content": [pack]})
    assert "Mine" in [entrant.name for entrant in found.entrants]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ROSTER.replace("squads", "squad"), "squad"),
        (ROSTER.replace('ruleset = "squads"', ""), "ruleset"),
        (ROSTER.replace("side = 2", "side = 3"), "side"),
        (ROSTER.replace("side = 2", "sied = 2"), "sied"),
        (ROSTER.replace("side = 2", 'content = "strategies"'), "content and at belong together"),
        (ROSTER.replace("side = 2", 'only = ["x"]'), "only and value need content"),
        (ROSTER.replace("side = 2", 'content = "strategys"\nat = "sides.0.strategy"'), "no content of kind"),
        (
            ROSTER.replace("side = 2", 'content = "strategies"\nat = "sides.0.strategy"\nonly = ["trige"]'),
            'there is no strategies "trige"',
        ),
        (
            ROSTER.replace("side = 2", 'content = "strategies"\nat = "sides.0.strategy"\nname = "x"'),
            "entrants from content have their own names",
        ),
        (ROSTER.replace("side = 2", 'set = { "sides.0.units.7.hp" = 1 }'), "units"),
        (ROSTER.replace('file = "a.toml"\nside', 'file = "../a.toml"\nside'), "outside the roster's folder"),
        (ROSTER.replace('file = "a.toml"\nside', 'file = "zz.toml"\nside'), "there is no such file"),
        ('ruleset = "squads"\nentrants = []\n', "entrants"),
        ('ruleset = "squads"\n[[entrants]]\nfile = "a.toml"\n', "there must be 2 to 200 entrants, not 1"),
        (ROSTER.replace("squads", "relics"), "not for relics"),
    ],
)
def test_what_is_wrong_with_a_roster_is_said(folder, text, told):
    problems = problems_of(roster_of, [roster(folder, text)], {})
    assert any(told in f"{problem.where}: {problem.message}" for problem in problems)


def test_all_that_is_wrong_is_said_at_once(folder):
    text = ROSTER.replace('"a.toml"', '"x.toml"', 1).replace('"a.toml"', '"y.toml"')
    problems = problems_of(roster_of, [roster(folder, text)], {})
    assert [Path(problem.where).name for problem in problems] == ["x.toml", "y.toml"]
    problems = problems_of(entrants_of, [folder / "x.toml", folder / "y.toml"], {})
    assert len(problems) == 2


def test_a_roster_stands_alone(folder):
    problems = problems_of(roster_of, [folder / "a.toml", roster(folder, ROSTER)], {})
    assert problems[0].message == "is a roster, which cannot be combined with other files"


def test_different_rulesets_do_not_meet(folder):
    files = [folder / "a.toml", ROOT / "examples" / "relics" / "first-duel.toml"]
    (problem,) = problems_of(roster_of, files, {})
    assert "different rulesets" in problem.message


def test_programs_name_scenarios_paths_and_pairs(folder):
    path = folder / "a.toml"
    scenario = fracas.load(path)
    sources = [scenario, (scenario, 2), f"{path}:2", (path, 1), SCENARIO_TABLE]
    found = entrants_of_sources("x", sources, lambda each: each if each is scenario else fracas.load(each))
    assert [entrant.side for entrant in found] == [1, 2, 2, 1, 1]
    assert len({entrant.name for entrant in found}) == 5


SCENARIO_TABLE = {
    "ruleset": "squads",
    "id": "table",
    "sides": [{"name": "T", "units": ["scout"]}, {"units": ["scout"]}],
}


@pytest.mark.parametrize("source", [(SCENARIO_TABLE, 3), (SCENARIO_TABLE, True), (SCENARIO_TABLE, "2")])
def test_what_is_no_side_is_refused(source):
    (problem,) = problems_of(entrants_of_sources, "entrants", [SCENARIO_TABLE, source], fracas.load)
    assert problem.where == "entrants[1]: side"
