"""Common mistakes of people who begin: each is answered with what is right."""

from __future__ import annotations

import pytest
from tests.helpers.commands import BAD_INPUT
from tests.helpers.scenarios import EXAMPLES, SCENARIO, edited, written
from tests.helpers.stacks import CAMPAIGN_EXAMPLE

import fracas

FIRST = EXAMPLES / "first-battle.toml"


def refused(fracas_cli, *words):
    """The errors of a command that was refused, as (where, message, suggestion)."""
    ended = fracas_cli(*words, "--format", "json")
    assert ended.status == BAD_INPUT
    return [(error["where"], error["message"], error["suggestion"]) for error in ended.errors]


@pytest.mark.parametrize("command", ["verify", "lab replay"])
def test_a_scenario_is_no_replay_and_the_hint_says_how_to_make_one(fracas_cli, command):
    hint = f"to make one: fracas run {FIRST} --save battle.json"
    assert refused(fracas_cli, command, FIRST) == [(str(FIRST), "is TOML; a replay is JSON", hint)]


def test_a_misspelt_ruleset_key_is_told_what_was_meant(fracas_cli, tmp_path):
    path = written(tmp_path, SCENARIO.replace("ruleset =", "rulset ="))
    hint = 'did you mean "ruleset"?'
    assert refused(fracas_cli, "run", path) == [(f"{path}: rulset", "there is no such key here", hint)]


def test_validate_tells_it_of_a_misspelt_ruleset_key_too(fracas_cli, tmp_path):
    path = written(tmp_path, SCENARIO.replace("ruleset =", "rulset ="))
    assert refused(fracas_cli, "validate", path) == [
        (f"{path}: rulset", "there is no such key here", 'did you mean "ruleset"?')
    ]


def test_an_unknown_fact_is_told_with_those_of_its_subject(fracas_cli):
    edit = 'sides.0.strategy.abilities.Black Hail.when="self.mana > 3"'
    [(_, message, suggestion)] = refused(fracas_cli, "run", FIRST, "--set", edit)
    assert 'unknown fact "self.mana"' in message
    assert suggestion.startswith("self has hp_pct, charge, ")


@pytest.mark.parametrize("words", [["-V"], ["version"], ["--version"]])
def test_the_version_has_the_names_that_people_try(fracas_cli, words):
    assert fracas_cli(*words).out == f"{fracas.__version__}\n"


@pytest.mark.parametrize(("words", "same"), [(["help", "run"], ["run", "--help"]), (["help"], ["--help"])])
def test_help_may_come_first(fracas_cli, words, same):
    assert fracas_cli(*words).out == fracas_cli(*same).out


def test_a_dash_is_told_how_to_read_standard_input(fracas_cli):
    hint = "write /dev/stdin to read TOML from standard input, where the system has it"
    assert refused(fracas_cli, "run", "-") == [("-", "is not a file", hint)]


def test_a_name_of_any_length_is_told_in_a_short_line(fracas_cli):
    name = "x" * 400_000
    for words in ["run", name], ["run", FIRST, "--set", name], [name], ["run", FIRST, "--detail", name]:
        ended = fracas_cli(*words)
        assert ended.status == BAD_INPUT
        assert len(ended.err) < 600


def test_a_file_without_a_ruleset_is_told_to_name_one(fracas_cli, tmp_path):
    path = written(tmp_path, 'id = "x"\n')
    [(where, message, suggestion)] = refused(fracas_cli, "run", path)
    assert (where, message) == (str(path), "does not name a ruleset")
    assert 'ruleset = "squads"' in suggestion


def test_one_table_where_a_list_of_tables_stands_is_told_the_brackets(fracas_cli, tmp_path):
    path = written(tmp_path, 'ruleset = "squads"\n[sides]\nunits = ["scout"]\n')
    hint = "write [[sides]] above each entry"
    assert refused(fracas_cli, "run", path) == [(f"{path}: sides", "a table is not a list", hint)]


@pytest.mark.parametrize(("named", "message"), [("relics", "sides belongs"), ("titans", "sides belongs")])
def test_a_file_for_another_ruleset_is_told_which(fracas_cli, tmp_path, named, message):
    path = written(tmp_path, edited(('"squads"', f'"{named}"')))
    first, *_ = refused(fracas_cli, "run", path)
    wanted = f'is "{named}", but {message} to a scenario of squads'
    assert first == (f"{path}: ruleset", wanted, 'did you mean ruleset = "squads"?')


def test_a_wrong_key_alone_does_not_make_a_file_one_of_another_ruleset(fracas_cli, tmp_path):
    path = written(tmp_path, edited(('id = "two-by-one"', 'quest = "goblin_warrens"')))
    assert [where for where, *_ in refused(fracas_cli, "run", path)] == [f"{path}: quest"]


def test_a_side_in_a_path_is_told_where_lists_count_from(fracas_cli):
    [(where, message, suggestion)] = refused(fracas_cli, "run", FIRST, "--set", "sides.2.name=X")
    assert (where, message) == ("--set sides.2.name", 'sides has entries 0 to 1, not "2"')
    assert suggestion == "sides.0 is side 1, sides.1 is side 2"


@pytest.mark.parametrize(("command", "file"), [("world campaign", CAMPAIGN_EXAMPLE), ("run", FIRST)])
def test_a_second_file_where_one_is_taken_is_one_argument_too_many(fracas_cli, command, file):
    hint = f"see fracas {command} --help"
    assert refused(fracas_cli, command, file, "b.toml") == [("b.toml", "unexpected argument", hint)]
