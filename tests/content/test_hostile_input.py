"""Input that means to take all time or memory, or to make the reader wait; each is refused in a sentence."""

from __future__ import annotations

import json
import os
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.scenarios import SCENARIO, duel, problems_of, written

import fracas
from fracas.content.validate import MOST_PROBLEMS
from fracas.errors import Problem
from fracas.files import read
from fracas.files.read import DEEPEST_NESTING, MOST_KEYS, MOST_VALUES, parse_json, parse_toml, refuse_unfit
from fracas.lab.studies.sweep import MOST_POINTS, TOO_MANY_VALUES
from fracas.rulesets import registry
from fracas.rulesets.titans.session.session import DuelSession

LONG_KEY = f"a key has more than {DEEPEST_NESTING} parts"
MANY_KEYS = "has more than 200,000 keys, which is the limit"
DEEP = f"values are nested more than {DEEPEST_NESTING} deep"
HUGE = "is a number of more than 4,300 digits"
PARTS = 20_000


# Keys of TOML: its parser takes the square of their parts, in time and in memory.


@pytest.mark.parametrize(
    "line",
    [
        f"{'a.' * PARTS}a = 1",
        f"{'a . ' * PARTS}a = 1",
        f"{'a	.' * PARTS}a = 1",
        f"{chr(34)}x{chr(34)}{'.a' * PARTS} = 1",
        f"'{'.' * 70}'{'.a' * PARTS} = 1",
        f"[{'a.' * PARTS}a]",
        f"[[ {'a.' * PARTS}a ]]",
        f"x = {{ y = 1, {'a.' * PARTS}a = 1 }}",
        f"x = [{{ {'a.' * PARTS}a = 1 }}]",
    ],
)
def test_a_dotted_key_of_very_many_parts_is_refused_at_its_line(line):
    for before in ("", "# a.b\n", 'x1 = """\n"""\n', "x1 = '''\n'''\n"):
        [problem] = problems_of(parse_toml, f"{before}{line}\n", "keys.toml")
        assert (problem.where, problem.message) == (f"keys.toml:{before.count(chr(10)) + 1}", LONG_KEY)


@pytest.mark.parametrize("parts", [DEEPEST_NESTING - 1, DEEPEST_NESTING])
def test_as_many_parts_as_are_allowed_are_read(parts):
    assert "a" in parse_toml(f"{'.'.join('a' * parts)} = 1", "keys.toml")


@pytest.mark.parametrize(
    "text",
    [
        f"# {'a.' * PARTS}a = 1",
        f"x = 1 # {'a.' * PARTS}a = 1",
        f'x = "{"a." * PARTS}a = 1"',
        f"x = '{'a.' * PARTS}a = 1'",
        f'x = """\n[{"a." * PARTS}]\n\\""" "" {"a." * PARTS}a = 1"""""',
        f"x = '''\n[{'a.' * PARTS}]\n'' {'a.' * PARTS}a = 1'''''",
        f'"{"a." * PARTS}" = 1',
        f'x = "\\"{"a." * PARTS}a = 1"',
        f"x = [{', '.join(['1.5'] * 100)}]",
    ],
)
def test_dots_in_texts_comments_and_numbers_make_no_key_long(text):
    assert len(parse_toml(text, "keys.toml")) <= 1


def test_more_keys_than_are_read_are_refused_before_they_are_parsed(monkeypatch):
    monkeypatch.setattr(read, "MOST_KEYS", 100)
    message = "has more than 100 keys, which is the limit"
    fits = "".join(f"k{number} = 1.5\n" for number in range(100))
    assert len(parse_toml(fits, "keys.toml")) == 100
    for more in ("k.a = 1", "[k]\n", "x = { y = 1 }"):
        assert problems_of(parse_toml, f"{fits}{more}\n", "keys.toml") == (Problem("keys.toml", message),)
    # What only looks like keys from afar is looked at closely.
    assert parse_toml(f'x = "{"= . [" * 100}"', "keys.toml")


def test_headers_and_inline_tables_may_not_add_up_to_more_than_is_allowed():
    text = f"[{'.'.join('a' * 40)}]\n{'.'.join('b' * 40)} = 1\n"
    [problem] = problems_of(parse_toml, text, "keys.toml")
    assert problem.message == DEEP
    assert problem.where.startswith("keys.toml: a.a.a.")


# JSON objects.


def test_a_repeated_key_among_very_many_is_found_in_one_pass():
    text = f'{{{"".join(f"{chr(34)}k{number}{chr(34)}: 1, " for number in range(100_000))}"k99998": 1}}'
    message = 'the key "k99998" appears twice in one object'
    assert problems_of(parse_json, text, "keys.json") == (Problem("keys.json", message),)


@pytest.mark.parametrize("groups", [1, 3])
def test_very_many_keys_of_json_are_refused_wherever_they_stand(groups):
    size = MOST_KEYS // groups
    text = json.dumps([{f"k{number}": 1 for number in range(size)} for _ in range(groups)])
    assert len(parse_json(text, "keys.json")) == groups
    more = f"{text[:-1]}, {json.dumps({'a': 1, 'b': 2, 'c': 3})}]"
    assert problems_of(parse_json, more, "keys.json") == (Problem("keys.json", MANY_KEYS),)


def test_only_problems_that_are_told_are_put_into_words(tmp_path, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr("fracas.content.validate.nearest", lambda name, known: asked.append(name))
    text = json.dumps(duel() | {f"k{number}": 1 for number in range(1_000)})
    path = written(tmp_path, text, "battle.json")
    problems = problems_of(fracas.load, path)
    assert len(asked) == MOST_PROBLEMS
    assert problems[-1] == Problem(str(path), f"and {1_000 - MOST_PROBLEMS} more problems of this kind")


# Values that no file can hold, and numbers that only some can.


def deep(levels: int, kind: str) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if kind == "table" else [value]
    return value


@pytest.mark.parametrize("ruleset", registry.NAMES)
@pytest.mark.parametrize("kind", ["table", "list"])
def test_a_mapping_that_is_nested_too_deep_is_refused(ruleset, kind):
    for key in ("world", "items", "sides", "anything"):
        [problem] = problems_of(fracas.load, {"ruleset": ruleset, key: deep(5_000, kind)})
        assert problem.message == DEEP
        assert problem.where.startswith(f"scenario: {key}.")


def test_a_mapping_that_holds_itself_or_itself_very_often_is_refused():
    circle: dict[str, Any] = {"ruleset": "stacks"}
    circle["world"] = circle
    assert [problem.message for problem in problems_of(fracas.load, circle)] == [DEEP]
    wide: Any = 1
    for _ in range(40):
        wide = [wide, wide]
    message = f"has more than {MOST_VALUES:,} values"
    assert problems_of(fracas.load, {"ruleset": "stacks", "world": wide}) == (Problem("scenario", message),)


@pytest.mark.parametrize("value", ["\ud800", ["\udfff"], {"a\udc00": 1}])
def test_a_mapping_with_half_of_a_surrogate_pair_is_refused(value):
    [problem] = problems_of(fracas.load, {"ruleset": "stacks", "world": value})
    assert problem.message.endswith("is half of a surrogate pair, not a character")
    [problem] = problems_of(DuelSession.resume, {"format": "fracas-session", "scenario": value})
    assert problem.message.endswith("is half of a surrogate pair, not a character")


HEXADECIMAL = f"0x{'f' * 4000}"


@pytest.mark.parametrize(
    ("ruleset", "line", "place"),
    [
        ("squads", f"sides = [{{ strategy = {HEXADECIMAL} }}]", "sides.0.strategy"),
        ("titans", f"players = [{{ policy = {HEXADECIMAL} }}]", "players.0.policy"),
        ("stacks", f"world = {HEXADECIMAL}", "world"),
        ("relics", f"id = {HEXADECIMAL}", "id"),
        ("relics", f"left = {{ stats = {{ armor = {HEXADECIMAL} }} }}", "left.stats.armor"),
    ],
)
def test_a_number_that_cannot_be_written_out_is_refused_where_it_stands(tmp_path, ruleset, line, place):
    path = written(tmp_path, f'ruleset = "{ruleset}"\n{line}\n')
    assert problems_of(fracas.load, path) == (Problem(f"{path}: {place}", HUGE),)


def test_a_value_of_the_command_line_has_the_bounds_of_a_file(tmp_path):
    path = written(tmp_path, SCENARIO)
    for value, message in ((f"{{{'a.' * PARTS}a = 1}}", LONG_KEY), (HEXADECIMAL, HUGE)):
        [problem] = problems_of(fracas.load, path, overrides=[f"sides.0.name={value}"])
        assert problem.message == message
        [problem] = problems_of(fracas.sweep, path, {"sides.0.name": f"1,{value}"})
        assert problem.message == message
    [problem] = problems_of(fracas.load, path, overrides={"sides.0.name": deep(5_000, "list")})
    assert problem.message == DEEP


def test_what_all_files_and_mappings_hold_is_let_through():
    refuse_unfit({"a": [1, -1.5, True, None, "ä", {"b": (10**4299, deep(60, "list"))}]}, "here")


# What never ends.


@pytest.mark.parametrize("values", [range(10**12), count()])
def test_a_range_without_end_is_not_written_out(tmp_path, values):
    path = written(tmp_path, SCENARIO)
    assert problems_of(fracas.sweep, path, {"sides.0.units.0.attack": values}) == (
        Problem("sides.0.units.0.attack", TOO_MANY_VALUES),
    )
    attacks = list(islice(iter(values), MOST_POINTS + 1))
    assert problems_of(fracas.sweep, path, {"sides.0.units.0.attack": attacks})[0].message == TOO_MANY_VALUES


PIPE = "is a pipe or a device, not a regular file"


def with_pipe(folder: Path, document: dict[str, Any]) -> tuple[Problem, ...]:
    os.mkfifo(folder / "pipe.toml")
    return problems_of(fracas.load, written(folder, json.dumps(document), "battle.json"))


@pytest.mark.parametrize(
    "document",
    [
        {**duel(), "sides": [{**duel()["sides"][0], "strategy": "pipe.toml"}, duel()["sides"][1]]},
        {"ruleset": "stacks", "world": "pipe.toml", "attack": {"stack": "a", "tile": [0, 0]}},
        {"ruleset": "titans", "players": [{"titan": "ember", "policy": "pipe.toml"}, {"titan": "ember"}]},
    ],
    ids=["strategy", "world", "policy"],
)
def test_a_pipe_that_a_file_names_is_not_waited_for(tmp_path, document):
    assert Problem(str(tmp_path / "pipe.toml"), PIPE) in with_pipe(tmp_path, document)


def test_a_pipe_in_a_folder_of_content_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    problems = problems_of(fracas.load, duel(), content=[tmp_path])
    assert problems == (Problem(str(tmp_path / "pipe.toml"), PIPE),)
