"""The grammar of conditions: parse text to a syntax tree, with readable error messages."""

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

# Suggestions for operators of other languages.
_HABITS = {"&": 'write "and"', "|": 'write "or"', "!": 'write "not"', "=": 'write "=="'}
_HABITS |= {word.upper(): f'write "{word}" in lower case' for word in ("and", "or", "not")}


@cache
def _parser() -> Any:
    """Load the parser from the prebuilt tables, if they match this grammar and lark version; otherwise build it."""
    # Imported late, because --help and battles without conditions do not need the parser library.
    import lark

    from fracas.conditions import grammar_tables

    if (lark.__version__, fingerprint()) != (grammar_tables.LARK, grammar_tables.GRAMMAR):
        return built_parser()
    return lark.Lark.load(io.BytesIO(pickle.dumps(grammar_tables.TABLES)))


def built_parser() -> Any:
    """Build the parser from the grammar."""
    from lark import Lark

    # The basic lexer never reads "and", "or" and "not" as names, even where they do not fit.
    return Lark(_GRAMMAR, parser="lalr", lexer="basic")


def fingerprint() -> str:
    """A hash that identifies this grammar."""
    return blake3(_GRAMMAR.encode()).hexdigest()


@lru_cache(maxsize=1024)
def _syntax(text: str) -> Any:
    """Parse text with a cache, because many conditions contain the same comparisons."""
    return _parser().parse(text)


@cache
def syntax_of_alias(text: str) -> Any:
    """Parse the definition of a named condition; every alias is parsed once."""
    return _parser().parse(text)


def syntax_of(text: str, where: str) -> Any:
    """Parse text to a syntax tree; raise an error at the first place that cannot be parsed."""
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
        return 'there is no matching "("'
    if not found and before.count("(") > before.count(")"):
        return 'a "(" is not closed'
    # In "NOT a" the word before is wrong.
    return _HABITS.get(found) or _HABITS.get(words[-1] if words else "")


def _expectation(accepted: set[str]) -> str:
    if "NOT" in accepted:
        return 'a name, a fact, "not" or "("'
    if "WORD" in accepted:
        return "a whole number or a fact"
    words = {"RELATION": 'a comparison such as "< 50"', "AND": '"and"', "OR": '"or"', "RPAR": '")"', "$END": "the end"}
    return listed([text for name, text in words.items() if name in accepted])
