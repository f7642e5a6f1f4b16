"""Files that are no scenarios at all: broken, too deep, too large, not text."""

from __future__ import annotations

import json
import re
import time
import tracemalloc
from pathlib import Path

import pytest
from tests.helpers.delve import ENCOUNTER, RUN
from tests.helpers.delve import encounter as delve_encounter
from tests.helpers.scenarios import SCENARIO, duel, problems_of, written

import fracas
from fracas.errors import Problem
from fracas.files import read
from fracas.files.read import DEEPEST_NESTING, LARGEST_TEXT, parse_json, read_document
from fracas.rulesets import registry

KNOWN = " or ".join(f'ruleset = "{name}"' for name in registry.NAMES)


@pytest.fixture(params=[SCENARIO, ENCOUNTER, RUN], ids=["squads", "delve-encounter", "delve-run"])
def sound(request) -> str:
    """A scenario of each kind there is."""
    text: str = request.param
    return text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x = = 3", "invalid TOML: Invalid value (column 5)"),
        ("x = [1 2]", "invalid TOML: Unclosed array (column 8)"),
        ('x = "open', "invalid TOML: Illegal character '\\n' (column 10)"),
        ('id = "twice"\nid = "twice"', 'invalid TOML: the key "id" appears twice in one table'),
        ("a.b = [\n{c = 1},\n]\na.b = 2", 'invalid TOML: the key "a.b" appears twice in one table'),
        ("x = {a = 1, a = 2}", 'invalid TOML: the key "a" appears twice in one table'),
        ("[[a.b]]\n[a.c]\n[a.c]", "invalid TOML: the table [a.c] appears twice"),
        ("just words", "invalid TOML: Expected '=' after a key in a key/value pair (column 6)"),
    ],
)
def test_broken_toml_is_told_with_its_line(tmp_path, sound, line, message):
    path = written(tmp_path, f"{line}\n{sound}")
    [problem] = problems_of(fracas.load, path)
    assert problem.where == f"{path}:{line.count(chr(10)) + 1}"
    assert problem.message == message


@pytest.mark.parametrize("text", ['{"a": [1,\n 2 , ]}', '{"a": [1,\n {"b": 2} , }', '{"a":\n {} , }'])
def test_a_comma_before_a_closing_bracket_of_json_is_named(tmp_path, text):
    path = written(tmp_path, text, "battle.json")
    column = text.split("\n")[1].rindex(",") + 1
    message = f"invalid JSON: there is a comma before the closing bracket (column {column})"
    assert problems_of(fracas.load, path) == (Problem(f"{path}:2", message, "remove the comma"),)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(tmp_path, encoding):
    path = tmp_path / "battle.toml"
    path.write_bytes(SCENARIO.encode(encoding))
    message = "is UTF-16 text, not UTF-8"
    assert problems_of(fracas.load, path) == (Problem(str(path), message, "save the file as UTF-8"),)


def test_a_bracket_that_is_never_closed_is_told_with_the_last_line(tmp_path, sound):
    path = written(tmp_path, f"{sound}x = [1,\n")
    [problem] = problems_of(fracas.load, path)
    lines = sound.count("\n")
    assert problem.where in (f"{path}:{lines + 1}", f"{path}:{lines + 2}")
    assert "at the end of the file" in problem.message


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"ruleset": "squads",\n "id": }', 2, "invalid JSON: Expecting value (column 8)"),
        ("", 1, "invalid JSON: Expecting value (column 1)"),
        ('{"ruleset": "squads"\n "id": 3}', 2, "invalid JSON: Expecting ',' delimiter (column 2)"),
        ('{"a": 1} {"b": 2}', 1, "invalid JSON: Extra data (column 10)"),
    ],
)
def test_broken_json_is_told_with_its_line(tmp_path, text, line, message):
    path = written(tmp_path, text, "battle.json")
    assert problems_of(fracas.load, path) == (Problem(f"{path}:{line}", message),)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("document", [duel(), delve_encounter()], ids=["squads", "delve"])
def test_json_has_no_other_numbers_than_json_has(tmp_path, document, number):
    text = json.dumps(document).replace('"hp": 60', f'"hp": {number}', 1)
    assert number in text
    path = written(tmp_path, text, "battle.json")
    assert problems_of(fracas.load, path) == (Problem(str(path), f"{number} is not a valid number"),)


def test_a_key_that_stands_twice_in_json_is_refused(tmp_path):
    path = written(tmp_path, '{"ruleset": "squads", "id": "a", "id": "b"}', "battle.json")
    assert problems_of(fracas.load, path) == (Problem(str(path), 'the key "id" appears twice in one object'),)


@pytest.mark.parametrize(
    ("text", "kind"), [("[1]", "a list"), ("null", "null"), ('"x"', "a string"), ("3", "a number")]
)
def test_a_scenario_is_a_table(tmp_path, text, kind):
    path = written(tmp_path, text, "battle.json")
    message = f"contains {kind} instead of a table (an object)"
    assert problems_of(fracas.load, path) == (Problem(str(path), message),)


def test_an_empty_file_is_told_what_to_write(tmp_path):
    path = written(tmp_path, "")
    message = "does not name a ruleset"
    assert problems_of(fracas.load, path) == (Problem(str(path), message, f"write {KNOWN}"),)


def test_a_file_is_utf8(tmp_path, sound):
    after = sound.encode() + b"# \xff\xfe"
    for raw, line in ((b"# \xe9\n", 1), (after, sound.count("\n") + 1)):
        path = written(tmp_path, raw)
        expected = Problem(f"{path}:{line}", "is not UTF-8 text", "save the file as UTF-8")
        assert problems_of(fracas.load, path) == (expected,)


def test_a_byte_order_mark_is_no_problem(tmp_path, sound):
    assert problems_of(fracas.load, written(tmp_path, b"\xef\xbb\xbf" + sound.encode())) == ()


@pytest.mark.parametrize("tail", [f"{'[' * 20_000}{']' * 20_000}", f"{'{ a = ' * 20_000}1{'}' * 20_000}"])
def test_twenty_thousand_brackets_are_refused_at_their_line(tmp_path, sound, tail):
    path = written(tmp_path, f"{sound}x = {tail}\n")
    where = f"{path}:{sound.count(chr(10)) + 1}"
    assert problems_of(fracas.load, path) == (Problem(where, "brackets are nested more than 64 deep"),)


@pytest.mark.parametrize("ruleset", registry.NAMES)
@pytest.mark.parametrize("tail", [f"{'[' * 20_000}{']' * 20_000}}}", "[" * 20_000])
def test_twenty_thousand_brackets_of_json_are_refused_at_their_line(tmp_path, ruleset, tail):
    path = written(tmp_path, f'{{"ruleset": "{ruleset}",\n"x": {tail}', "battle.json")
    assert problems_of(fracas.load, path) == (Problem(f"{path}:2", "brackets are nested more than 64 deep"),)


def test_brackets_in_texts_and_comments_do_not_count(tmp_path):
    path = written(tmp_path, SCENARIO.replace('"Red"', f'"{"[" * 70}"'))
    assert problems_of(fracas.load, path) == ()
    assert problems_of(fracas.load, written(tmp_path, f"# {'[' * 70}\n{SCENARIO}")) == ()


@pytest.mark.parametrize(
    "text",
    [
        f"x = '{'[' * 70}'",
        f"x = '''\n{'[' * 70}\n'''",
        f'x = """\n{"[" * 70}\n"""',
        f'x = """a \\""" {"[" * 70}"""',
        f'x = "a \\" {"[" * 70}"',
        f"x = 1 # isn't {'[' * 70}",
        f"x = 'a # b' # {'[' * 70}",
    ],
)
def test_brackets_in_every_kind_of_toml_text_do_not_count(tmp_path, text):
    assert "x" in read_document(written(tmp_path, text))


@pytest.mark.parametrize("text", ["x = 'a # b'", 'x = """"a"""""', "x = ''''a'''''"])
def test_brackets_after_a_text_do_count(tmp_path, text):
    path = written(tmp_path, f"{text}\ny = {'[' * 70}{']' * 70}\n")
    assert problems_of(read_document, path) == (Problem(f"{path}:2", "brackets are nested more than 64 deep"),)


@pytest.mark.parametrize("text", ['"\\', '"""\\', '"""\\"""', "'''", "'"])
@pytest.mark.parametrize("name", ["battle.toml", "battle.json"])
def test_a_text_of_quotes_alone_is_looked_at_once(tmp_path, name, text):
    # A quarter of what a file may have: who looks at each quote anew would take hours for that too.
    path = written(tmp_path, text * (LARGEST_TEXT // 4 // len(text)), name)
    begun = time.perf_counter()
    assert problems_of(read_document, path)
    assert time.perf_counter() - begun < 60


def test_as_many_brackets_as_are_allowed_are_read(tmp_path):
    path = written(tmp_path, f"x = {'[' * DEEPEST_NESTING}{']' * DEEPEST_NESTING}")
    assert "x" in read_document(path)


def test_a_key_of_twenty_thousand_parts_is_refused_and_nothing_breaks(tmp_path, sound):
    path = written(tmp_path, f"{sound}[{'.'.join('a' * 20_000)}]\nx = 1\n")
    assert len(problems_of(fracas.load, path)) == 1


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = written(tmp_path, "#" * (LARGEST_TEXT + 1))
    message = f"is larger than {LARGEST_TEXT:,} bytes, the limit for this kind of file"
    assert problems_of(fracas.load, path) == (Problem(str(path), message),)


def test_what_never_ends_is_not_read_to_its_end():
    message = f"is larger than {LARGEST_TEXT:,} bytes, the limit for this kind of file"
    assert problems_of(read_document, Path("/dev/zero")) == (Problem("/dev/zero", message),)


def test_a_folder_is_no_file(tmp_path):
    assert problems_of(fracas.load, tmp_path) == (Problem(str(tmp_path), "is a folder, not a file"),)


def test_a_file_that_is_not_there_is_told_with_one_that_is(tmp_path):
    written(tmp_path, SCENARIO)
    path = tmp_path / "batle.toml"
    expected = Problem(str(path), "there is no such file", 'did you mean "battle.toml"?')
    assert problems_of(fracas.load, path) == (expected,)


@pytest.mark.parametrize("name", ["mine.toml", "a.toml", "stun.json"])
def test_a_file_that_only_ends_alike_is_not_meant(tmp_path, name):
    written(tmp_path, SCENARIO, "b.toml")
    written(tmp_path, SCENARIO, "duel.json")
    assert problems_of(fracas.load, tmp_path / name) == (Problem(str(tmp_path / name), "there is no such file"),)


@pytest.mark.parametrize("text", ['{"ruleset": "squ\\ud800ads"}', '{"\\uDFff": 1}', '[["\\udc00\\ud800"]]'])
def test_half_of_a_surrogate_pair_is_refused(tmp_path, text):
    path = written(tmp_path, text, "battle.json")
    [problem] = problems_of(fracas.load, path)
    assert problem.where == str(path)
    assert problem.message.endswith("is half of a surrogate pair, not a character")
    assert problem.message.isprintable()


def test_a_whole_surrogate_pair_is_a_character(tmp_path):
    path = written(tmp_path, '{"a": "\\ud83d\\ude00", "b": "\\\\ud800"}', "battle.json")
    assert read_document(path) == {"a": "\U0001f600", "b": "\\ud800"}


@pytest.mark.parametrize("name", ["battle.toml/inner.toml", "a\0b.toml", f"{'x' * 300}.toml"])
def test_a_name_that_cannot_be_a_file_is_refused(tmp_path, name):
    path = Path(f"{written(tmp_path, SCENARIO).parent}/{name}")
    [problem] = problems_of(fracas.load, path)
    assert problem.where == str(path)


def test_a_mapping_is_called_a_scenario_in_messages():
    assert problems_of(fracas.load, duel(modifierr="x")) == (
        Problem("scenario: modifierr", "there is no such key here", 'did you mean "modifier"?'),
    )


STRATEGY = 'formation = "defensive"\n'


def strategy_of(folder: Path, name: str) -> tuple[Problem, ...]:
    document = duel()
    document["sides"][0]["strategy"] = name
    return problems_of(fracas.load, written(folder, json.dumps(document), "battle.json"))


@pytest.mark.parametrize("name", ["plan.toml", "plans/plan.toml", "./plan.toml"])
def test_a_strategy_may_be_a_file_beside_the_scenario(tmp_path, name):
    written(tmp_path, STRATEGY, "plan.toml")
    written(tmp_path, STRATEGY, "plans/plan.toml")
    assert strategy_of(tmp_path, name) == ()


@pytest.mark.parametrize("name", ["../plan.toml", "inner/../../plan.toml", "/plan.toml"])
def test_a_strategy_is_not_read_from_elsewhere(tmp_path, name):
    written(tmp_path, STRATEGY, "plan.toml")
    folder = tmp_path / "deeper"
    folder.mkdir()
    [problem] = strategy_of(folder, name)
    assert problem.where == f"{folder / 'battle.json'}: sides.0.strategy"
    assert problem.message == f'"{name}" is outside the scenario\'s folder'


def test_a_link_does_not_lead_elsewhere_either(tmp_path):
    written(tmp_path, STRATEGY, "plan.toml")
    folder = tmp_path / "deeper"
    folder.mkdir()
    (folder / "link.toml").symlink_to(tmp_path / "plan.toml")
    [problem] = strategy_of(folder, "link.toml")
    assert "outside" in problem.message


def test_links_in_a_circle_lead_nowhere(tmp_path):
    (tmp_path / "a.toml").symlink_to(tmp_path / "b.toml")
    (tmp_path / "b.toml").symlink_to(tmp_path / "a.toml")
    assert len(strategy_of(tmp_path, "a.toml")) == 1


def test_what_is_wrong_in_a_strategy_file_is_told_with_that_file(tmp_path):
    file = written(tmp_path, 'formatoin = "defensive"\n', "plan.toml")
    expected = Problem(f"{file}: formatoin", "there is no such key here", 'did you mean "formation"?')
    assert strategy_of(tmp_path, "plan.toml") == (expected,)


def test_a_strategy_file_that_is_not_there_is_told(tmp_path):
    [problem] = strategy_of(tmp_path, "plan.json")
    assert (problem.where, problem.message) == (str(tmp_path / "plan.json"), "there is no such file")


def test_an_unknown_strategy_is_told_with_the_nearest():
    document = duel()
    document["sides"][0]["strategy"] = "healer_hunts"
    message = 'there is no strategy "healer_hunts"'
    expected = Problem("scenario: sides.0.strategy", message, 'did you mean "healer_hunt"?')
    assert problems_of(fracas.load, document) == (expected,)


LONG_TEXTS = {"letters": "x" * 400_000, "escapes": r"\n" * 200_000, "both": r"x\n" * 130_000}


def room_for(text: str) -> int:
    """Bytes that are in use at once while a JSON text is read."""
    tracemalloc.start()
    try:
        parse_json(text, "it")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", LONG_TEXTS)
def test_one_long_text_in_a_replay_takes_no_more_room_than_a_few_of_itself(name):
    text = f'{{"format": "{LONG_TEXTS[name]}", "events": []}}'
    assert room_for(text) < 6 * len(text)


def test_a_pattern_that_keeps_something_for_every_character_is_found(monkeypatch):
    monkeypatch.setattr(read, "_JSON_MARKS", re.compile(r'"(?:[^"\\\n]|\\.)*"?|[\[{\]}]'))
    assert room_for(f'["{LONG_TEXTS["letters"]}"]') > 40 * len(LONG_TEXTS["letters"])
