"""The tables that the parser begins with are those of the grammar, and anything else is worked out anew."""

from __future__ import annotations

from unittest.mock import Mock

import lark
import pytest
from lark.exceptions import UnexpectedInput

from fracas.conditions import grammar, grammar_tables

TEXTS = (
    "always",
    "self.hp_pct < 41 and (bloodied or not target.stunned)",
    "allies.count(hp_pct <= 50 or stunned) >= 2",
    "not not round multiple_of 3",
    "a == b.c or d != -7 and e",
)
BROKEN = ("", "a and", "a b", "(a", "a)", "1 <", "< 1", "NOT a", "a not", "a < 1 < 2")


def parsed(parser: lark.Lark, text: str) -> object:
    """The syntax of a text; of a broken one where it breaks and what would have been right."""
    try:
        return parser.parse(text)
    except UnexpectedInput as error:
        place = getattr(error, "pos_in_stream", None)
        at = len(text) if place is None else place
        session = parser.parse_interactive(text[:at])
        session.exhaust_lexer()
        return at, session.accepts()


@pytest.fixture
def unbuilt():
    """No parser is there yet, nor afterwards."""
    grammar._parser.cache_clear()
    yield
    grammar._parser.cache_clear()


def test_they_are_of_this_grammar_and_of_the_pinned_lark():
    """If not: python scripts/grammar_tables.py."""
    assert (lark.__version__, grammar.fingerprint()) == (grammar_tables.LARK, grammar_tables.GRAMMAR)


@pytest.mark.parametrize("text", [*TEXTS, *BROKEN])
def test_both_parsers_say_the_same(text):
    assert parsed(grammar._parser(), text) == parsed(grammar.built_parser(), text)


def test_nothing_is_worked_out_that_stands_in_the_tables(unbuilt, monkeypatch):
    monkeypatch.setattr(grammar, "built_parser", Mock(side_effect=AssertionError))
    assert grammar.syntax_of("a", "here").data == "bare"


@pytest.mark.parametrize("name", ["LARK", "GRAMMAR"])
def test_tables_of_another_grammar_or_lark_are_left_alone(name, unbuilt, monkeypatch):
    monkeypatch.setattr(grammar_tables, name, "another")
    monkeypatch.setattr(grammar_tables, "TABLES", {})
    assert parsed(grammar._parser(), "a and") == parsed(grammar.built_parser(), "a and")
