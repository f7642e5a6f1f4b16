"""From text to syntax, with complaints in the words of those who write conditions."""

from __future__ import annotations

import io
import pickle
from functools import cache, lru_cache
from typing import Any, cast

from blake3 import blake3

from fracas.errors import InputError
from fracas.errors.suggestions import listed, pointer, position, quoted

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

_GRAMMAR = r"""
?start: either
?either: both ("or" both)*
?both: negative ("and" negative)*
?negative: "not" negative -> negation
    | single
?single: "(" either ")"
    | value -> bare
    | value (RELATION | MULTIPLE_OF) value -> compared
value: WORD | NUMBER | WORD "(" either ")"

MULTIPLE_OF: "multiple_of"
RELATION: /<=|>=|==|!=|<|>/
NUMBER: /[+-]?\.?[0-9][0-9A-Za-z_.%]*/
WORD: /[A-Za-z_][0-9A-Za-z_]*(\.[A-Za-z_][0-9A-Za-z_]*)*/
%ignore /[ \t\r\n]+/
"""

# What people write who know another language, and what is meant here.
_HABITS = {"&": 'write "and"', "|": 'write "or"', "!": 'write "not"', "=": 'write "=="'}
_HABITS |= {word.upper(): f'write "{word}" in lower case' for word in ("and", "or", "not")}


@cache
def _parser() -> Any:
    """The parser, from tables that are worked out already if they are of this grammar and of this lark."""
    # Imported late: every --help, and every battle without conditions, does without the parser library.
    import lark

    from fracas.conditions import grammar_tables

    if (lark.__version__, fingerprint()) != (grammar_tables.LARK, grammar_tables.GRAMMAR):
        return built_parser()
    return lark.Lark.load(io.BytesIO(pickle.dumps(grammar_tables.TABLES)))


def built_parser() -> Any:
    """The parser, worked out from the grammar."""
    from lark import Lark

    # The basic lexer keeps "and", "or" and "not" from being taken for names where they do not fit.
    return Lark(_GRAMMAR, parser="lalr", lexer="basic")


def fingerprint() -> str:
    """What tells this grammar from others."""
    return blake3(_GRAMMAR.encode()).hexdigest()


@lru_cache(maxsize=1024)
def _syntax(text: str) -> Any:
    """The same comparisons stand in many conditions."""
    return _parser().parse(text)


@cache
def syntax_of_alias(text: str) -> Any:
    """The syntax of what a named condition stands for; every alias is parsed once."""
    return _parser().parse(text)


def syntax_of(text: str, where: str) -> Any:
    """The syntax of a text, or the one place where it cannot be understood."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        return _syntax(text)
    except UnexpectedCharacters as error:
        at = cast(int, error.pos_in_stream)
        found = text[at]
    except UnexpectedToken as error:
        found = str(error.token)
        at = int(error.token.start_pos or 0) if found else len(text.rstrip())
    session = _parser().parse_interactive(text[:at])
    session.exhaust_lexer()
    what = f"found {quoted(found)}" if found else "the condition ends"
    message = f"{position(text, at)}: {what}, expected {_expectation(session.accepts())}\n{pointer(text, at)}"
    raise InputError.of(where, message, _habit(found, text[:at]))


def _habit(found: str, before: str) -> str | None:
    words = before.split()
    if found in MIRRORED and words and words[-1] not in MIRRORED:
        return 'join two comparisons with "and"'
    if found.startswith("."):
        return "numbers are whole"
    if found == ")" and before.count("(") <= before.count(")"):
        return 'there is no "(" for it'
    if not found and before.count("(") > before.count(")"):
        return 'a "(" is not closed'
    # In "NOT a" it is the word before that is wrong.
    return _HABITS.get(found) or _HABITS.get(words[-1] if words else "")


def _expectation(accepted: set[str]) -> str:
    if "NOT" in accepted:
        return 'a name, a fact, "not" or "("'
    if "WORD" in accepted:
        return "a whole number or a fact"
    words = {"RELATION": 'a comparison such as "< 50"', "AND": '"and"', "OR": '"or"', "RPAR": '")"', "$END": "the end"}
    return listed([text for name, text in words.items() if name in accepted])
