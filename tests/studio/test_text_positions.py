"""Where keys and values stand, against the parser; and what belongs at the cursor."""

from __future__ import annotations

import json
import tomllib

import pytest

from fracas.content.packs import examples_folder
from fracas.rulesets import registry
from fracas.studio.text_positions import cursor_at, from_utf16, spans_of, utf16

FILES = [file for name in registry.NAMES for file in sorted((examples_folder() / name).glob("*.toml"))[:4]]


def plain_values(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from plain_values(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from plain_values(inner, (*path, str(place)))
    else:
        yield path, value


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_spans_hold_what_the_parser_reads(file):
    text = file.read_text(encoding="utf-8")
    document = tomllib.loads(text)
    spans = spans_of(text)
    for path, value in plain_values(document):
        start, end = spans[path].value
        assert tomllib.loads(f"x = {text[start:end]}")["x"] == value
        key = spans[path].key
        assert key is None or path[-1] in text[slice(*key)].replace("\\", "")
    # The same as JSON.
    written = json.dumps(document, indent=1, default=str)
    spans = spans_of(written, is_json=True)
    for path, value in plain_values(json.loads(written)):
        assert json.loads(written[slice(*spans[path].value)]) == value


CURSORS = [
    ("", "key", (), ""),
    ('ruleset = "squads"\nfor', "key", (), ""),
    ("[si", "key", (), ""),
    ("[[sides]]\n[sides.str", "key", ("sides", "0"), ""),
    ("[[sides]]\n[[sides]]\n[sides.strategy]\nformation = ", "value", ("sides", "1", "strategy", "formation"), ""),
    ("a = 'x", "value", ("a",), "'"),
    ('a = """x', "value", ("a",), '"""'),
    ('units = ["scout", {id = "sc', "value", ("units", "1", "id"), '"'),
    ("units = [{ id = 1, na", "key", ("units", "0"), ""),
    ('b."c d".e', "key", ("b", "c d"), ""),
    ("a = 1 # note", "none", (), ""),
    ("# note", "none", (), ""),
    ("a = 1\n= broken\nb = tr", "value", ("b",), ""),
    ('a = "never closed\nb = "x', "value", ("b",), '"'),
]


@pytest.mark.parametrize(("text", "part", "path", "quote"), CURSORS)
def test_the_cursor_knows_where_it_is(text, part, path, quote):
    cursor = cursor_at(text, len(text))
    assert (cursor.part, cursor.path if part != "none" else (), cursor.quote) == (part, path, quote)


def test_the_cursor_in_json():
    text = '{"sides": [{"units": ["sc'
    assert cursor_at(text, len(text), is_json=True)[:2] == ("value", ("sides", "0", "units", "0"))
    text = '{"sides": [{"un'
    assert cursor_at(text, len(text), is_json=True)[:2] == ("key", ("sides", "0"))


@pytest.mark.parametrize("text", ["[" * 100_000, "a=" + "[" * 100_000, "a=" + "{b=" * 50_000, '"' * 99_999, "\\" * 999])
@pytest.mark.parametrize("is_json", [False, True])
def test_hostile_texts_end(text, is_json):
    spans_of(text, is_json=is_json)
    cursor_at(text, len(text), is_json=is_json)


def test_offsets_of_browsers():
    text = "a🎲b"
    assert [utf16(text, place) for place in range(4)] == [0, 1, 3, 4]
    assert [from_utf16(text, place) for place in (0, 1, 3, 4)] == [0, 1, 2, 3]
