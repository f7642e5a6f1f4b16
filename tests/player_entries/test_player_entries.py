"""What players may send, in every ruleset: ids and decisions, and nothing that changes a number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from tests.helpers.scenarios import problems_of

import fracas
from fracas.player_entries.checking import LARGEST_ENTRY
from fracas.rulesets import registry

ENTRIES: dict[str, dict[str, Any]] = {
    "squads": {"units": ["scout", "novice_cleric"], "strategy": {"formation": "flanking"}},
    "delve": {"members": [{"hero": "vanguard_2"}, {"hero": "arcanist_2"}]},
    "stacks": {"stacks": [["marsh_hound", "marsh_hound"], [], ["marsh_hound"]]},
    "relics": {"weapon": "rusty_blade", "items": ["oak_targe"]},
    "titans": {"titan": "stone_warden", "policy": "greedy"},
}
# A side of the scenario, as designers may write it: with numbers of its own.
WITH_STATS: dict[str, dict[str, Any]] = {
    "squads": {"units": [{"id": "scout", "hp": 1_000_000}]},
    "delve": {"members": [{"hero": {"id": "vanguard_2", "strength": 100}}]},
    "stacks": {"stacks": [[{"id": "marsh_hound", "attack": 99}]]},
    "relics": {"items": [{"id": "oak_targe", "armor": 99}]},
    "titans": {"titan": {"id": "stone_warden", "hp": 9_999}, "policy": "greedy"},
}
PATHS = (str(Path(fracas.__file__).parent), "/tmp", ".toml")


def pair(ruleset: str) -> tuple[fracas.Entry, fracas.Entry]:
    return fracas.check_entry(ruleset, ENTRIES[ruleset]), fracas.check_entry(ruleset, ENTRIES[ruleset])


def test_every_ruleset_is_here():
    assert set(ENTRIES) == set(WITH_STATS) == set(registry.NAMES)


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_two_entries_fight_and_the_replay_verifies(ruleset, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    battle = fracas.run(fracas.match(*pair(ruleset), names=("Anna K.", "Ben"), seed="late"))
    assert (battle.scenario.seed, battle.scenario.ruleset.name) == ("late", ruleset)
    assert fracas.verify(battle.replay_bytes()).matches
    again = fracas.run(fracas.match(*pair(ruleset), names=("Anna K.", "Ben"), seed="late"))
    assert again.digest == battle.digest


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_numbers_of_ones_own_are_refused(ruleset):
    for problem in problems_of(fracas.check_entry, ruleset, WITH_STATS[ruleset]):
        assert problem.where.startswith("entry: ")


@pytest.mark.parametrize("key", ["hp", "stats", "state", "abilities", "name", "note", "options", "world", "policies"])
@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_a_key_that_entries_do_not_have_is_refused(ruleset, key):
    (problem,) = problems_of(fracas.check_entry, ruleset, {**ENTRIES[ruleset], key: {"x": 1}})
    assert (problem.where, problem.message) == (f"entry: {key}", "there is no such key here")


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_pieces_name_what_the_entry_names(ruleset):
    entry = fracas.check_entry(ruleset, ENTRIES[ruleset])
    said = json.dumps(ENTRIES[ruleset])
    assert entry.pieces
    assert all(f'"{piece.id}"' in said for piece in entry.pieces)
    assert fracas.check_entry(ruleset, entry.document).document == entry.document
    assert entry.ruleset == ruleset


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_an_unknown_id_is_told_once_with_a_suggestion_and_no_path(ruleset):
    text = json.dumps(ENTRIES[ruleset])
    first = fracas.check_entry(ruleset, ENTRIES[ruleset]).pieces[0].id
    for problem in problems_of(fracas.check_entry, ruleset, json.loads(text.replace(f'"{first}"', f'"{first}x"'))):
        assert f'"{first}x"' in problem.message
        assert not any(path in str(problem) for path in PATHS)


def test_the_server_checks_with_the_same_code():
    from fracas.player_entries.checking import check_on
    from fracas.server.arena import entries
    from fracas.server.arena.league import read_leagues

    assert vars(entries)["check_on"] is check_on
    league = next(each for each in read_leagues().values() if each.file.ruleset == "squads")
    assert league.ground.profile == league.profile


def test_a_file_that_an_entry_names_is_not_opened(tmp_path):
    file = tmp_path / "strategy.toml"
    file.write_text('formation = "flanking"')
    for problem in problems_of(fracas.check_entry, "squads", {"units": ["scout"], "strategy": str(file)}):
        assert problem.where == "entry: strategy"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ([], "is not a table"),
        ({"units": ["x" * LARGEST_ENTRY]}, "is larger than"),
        ({"units": [{"a": {}}] * 200_000}, "is larger than"),
        ({"units": [object()]}, "not valid in JSON"),
        ({"units": [float("nan")]}, "not valid in JSON"),
        ({1: 2}, "a key that is not a string"),
    ],
)
def test_what_is_too_large_or_no_data_is_refused(entry, said):
    assert any(said in problem.message for problem in problems_of(fracas.check_entry, "squads", entry))


def test_content_of_ones_own_can_be_named(tmp_path):
    tiger = {**fracas.entries("squads", "units")["scout"], "id": "paper_tiger", "name": "Paper Tiger"}
    (tmp_path / "units.toml").write_text(tomlkit.dumps({"units": [tiger]}))
    assert "paper_tiger" in str(problems_of(fracas.check_entry, "squads", {"units": ["paper_tiger"]}))
    own = fracas.check_entry("squads", {"units": ["paper_tiger"]}, content=[tmp_path])
    assert fracas.match(own, own).ruleset.name == "squads"
    other = fracas.check_entry("squads", {"units": ["scout"]})
    with pytest.raises(fracas.UsageError, match="another ruleset, profile or content"):
        fracas.match(own, other)


def test_profiles_are_checked_and_kept():
    (problem,) = problems_of(fracas.check_entry, "squads", ENTRIES["squads"], profile="tunde")
    assert "profile" in str(problem)
    entry = fracas.check_entry("squads", ENTRIES["squads"], profile="tuned")
    assert fracas.match(entry, entry).profile == "tuned"


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"names": ("x" * 400, "y")}, "names[0]"),
        ({"names": ("x", "")}, "names[1]"),
        ({"names": ("x", "x")}, "names"),
        ({"names": ("x",)}, "names"),
        ({"modifier": "nope"}, "modifier"),
        ({"seed": 7}, "seed"),
    ],
)
def test_a_match_that_cannot_be_is_refused(options, where):
    problems = problems_of(fracas.match, *pair("squads"), **options)
    assert {problem.where for problem in problems} == {where}


@pytest.mark.parametrize("names", [("Anna!", "Anna?"), ("!", "?"), ("nobody", "hex"), ("Ä", "ß")])
def test_armies_may_be_called_anything(names, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    scenario = fracas.match(*pair("stacks"), names=names)
    assert {each["name"] for each in scenario.document["factions"].values()} == set(names)
    assert fracas.run(scenario).winner in (0, 1, 2)


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_the_schema_accepts_what_is_accepted(ruleset):
    import jsonschema

    jsonschema.validate(ENTRIES[ruleset], fracas.entry_schema(ruleset))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**ENTRIES[ruleset], "hp": 1}, fracas.entry_schema(ruleset))
