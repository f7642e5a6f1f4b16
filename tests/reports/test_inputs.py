"""What a report is made of: what is read, and what is refused with a sentence that says where and what is right."""

from __future__ import annotations

import json

import pytest
from tests.reports.conftest import SAMPLES

from fracas.errors import InputError
from fracas.lab.presentation.documents import document_of, printed_by
from fracas.reports.build import build, check_out
from fracas.reports.inputs import LARGEST_RESULT, MOST_SOURCES


def refused(*sources) -> str:
    with pytest.raises(InputError) as caught:
        build(sources)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "invalid JSON"),
        ("{", "invalid JSON"),
        ('{"command": "simulate"', "invalid JSON"),
        ("[]", "expected one JSON object"),
        ("3", "expected one JSON object"),
        ("{}", 'no key "command"'),
        ('{"interrupted": true}', 'no key "command"'),
        ('{"errors": []}', "errors of a failed command"),
        ('{"command": "simulat"}', 'did you mean "simulate"?'),
        ('{"command": 3}', "command: results of 3 cannot be shown"),
        ('{"command": "simulate"}', "is not a result of simulate"),
        ('{"command": "simulate", "ruleset": NaN}', "NaN is not a valid number"),
        ('{"command": "find", "command": "find"}', 'the key "command" appears twice in one object'),
        ('{"format": "fracas-replay"}', "is a replay"),
        ('{"ruleset": "squads", "events": [], "digest": ""}', "is a single narrated battle"),
        ("[" * 70 + "]" * 70, "nested more than"),
    ],
)
def test_files_that_are_no_results_are_refused(tmp_path, text, words):
    path = tmp_path / "given.json"
    path.write_text(text)
    told = refused(path)
    assert words in told
    assert "given.json" in told


@pytest.mark.parametrize(
    ("name", "replaced", "words"),
    [
        ("simulate", {"shares": [2, 0.5]}, "shares[0]"),
        ("simulate", {"wins": [1]}, "wins"),
        ("simulate", {"battles": -1}, "battles"),
        ("simulate", {"contributions": {"battles": 0, "rows": []}}, "contributions.battles"),
        ("simulate", {"names": [1, 2]}, "names[0]"),
        ("simulate", {"names": ["x" * 4001, "b"]}, "names[0]"),
        ("compare", {"difference": 1.5}, "difference"),
        ("compare", {"a": None}, ": a: "),
        ("sweep", {"points": [{}]}, "points[0]"),
        ("why", {"odds": [[]]}, "odds[0]"),
        ("matchups", {"cells": "none"}, "cells"),
        ("sensitivity", {"stats": [{"gain": "much"}]}, "stats[0]"),
    ],
)
def test_a_broken_result_names_the_place(saved, name, replaced, words):
    told = refused(saved(name, **replaced))
    assert f"{name}.json: " in told
    assert words in told
    assert f"fracas {printed_by(name)} --format json" in told


def test_ladders_of_several_builds_are_one_table(tmp_path):
    content = json.loads((SAMPLES / "ladders.json").read_text())
    content["ladders"][1]["rungs"].pop()
    path = tmp_path / "ladders.json"
    path.write_text(json.dumps(content))
    document = document_of(content, "ladders.json")
    [table] = document.shown_tables()
    assert [column.heading for column in table.columns] == ["opponent", "level", "kind", "Woodcutter", "Miller"]
    assert table.rows[1][-2:] == (0.0, 1.0)
    assert table.rows[-2][-1] is None
    assert table.rows[-1][0] == "all of them"
    assert table.rows[-1][-1] > table.rows[-1][-2]
    [sentence] = document.findings()
    assert sentence.startswith("Against 5 opponents Miller wins most: ")
    page = build([path]).html
    assert "Builds against every opponent" in page
    assert "Miller" in page


def test_two_builds_of_one_name_are_told_apart():
    same = json.loads((SAMPLES / "ladder.json").read_text())
    [table] = document_of({"command": "ladders", "ladders": [same, same]}, "x").shown_tables()
    assert len({column.heading for column in table.columns[3:]}) == 2


@pytest.mark.parametrize("broken", [{"ladders": []}, {"ladders": [{}]}, {"ladders": None}])
def test_broken_ladders_are_refused(saved, broken):
    told = refused(saved("ladders", **broken))
    assert "is not a result of ladders" in told
    assert "fracas lab ladder --format json" in told


def test_everything_that_is_wrong_is_told_at_once(tmp_path, saved):
    told = refused(tmp_path / "a.json", saved("find"), tmp_path / "b.toml")
    assert "a.json: there is no such file" in told
    assert "b.toml: there is no such file" in told


def test_nothing_and_too_much_are_refused(saved):
    assert "no files to report on" in refused()
    assert f"at most {MOST_SOURCES}" in refused(*[saved("find")] * (MOST_SOURCES + 1))


def test_a_file_that_is_too_large_is_refused_unread(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(LARGEST_RESULT + 1)
    assert f"is larger than {LARGEST_RESULT:,} bytes, the limit for this kind of file" in refused(path)


def test_keys_that_are_not_known_are_left_alone(saved):
    assert build([saved("find", added={"later": 1})]).summary == build([saved("find")]).summary


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_every_document_has_findings_and_tables(path):
    document = document_of(json.loads(path.read_text()), str(path))
    assert all(finding.endswith((".", "!")) for finding in document.findings())
    assert document.findings()
    assert document.shown_tables()
    assert all(len(row) == len(table.columns) for table in document.shown_tables() for row in table.rows)


def test_the_page_cannot_overwrite_what_it_is_made_of(saved, tmp_path):
    source = saved("find")
    with pytest.raises(InputError, match="one of the report"):
        check_out(source, [source])
    with pytest.raises(InputError, match="no such folder"):
        check_out(tmp_path / "none" / "page.html", [source])
    check_out(tmp_path / "page.html", [source])
