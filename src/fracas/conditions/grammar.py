"""The grammar of conditions: parse text to a syntax tree, with readable error messages.

either:   both ("or" both)*
both:     negative ("and" negative)*
negative: "not" negative | single
single:   "(" either ")" | value [relation value]
value:    WORD | NUMBER | WORD "(" either ")"
relation: "<" | "<=" | ">" | ">=" | "==" | "!=" | "multiple_of"
WORD:     names of letters, digits and "_", with dots between them
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from fracas.errors import InputError
from fracas.errors.suggestions import listed, pointer, position, quoted

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
    (?P<relation><=|>=|==|!=|<|>|multiple_of(?![0-9A-Za-z_]|\.[A-Za-z_]))
    | (?P<number>[+-]?\.?[0-9][0-9A-Za-z_.%]*)
    | (?P<word>[A-Za-z_][0-9A-Za-z_]*(?:\.[A-Za-z_][0-9A-Za-z_]*)*)
    | (?P<mark>[()])
    | (?P<end>\Z)
    | (?P<unknown>.)
    )""",
    re.VERBOSE | re.DOTALL,
)
_RESERVED = ("and", "or", "not")

# Suggestions for operators of other languages.
_HABITS = {"&": 'write "and"', "|": 'write "or"', "!": 'write "not"', "=": 'write "=="'}
_HABITS |= {word.upper(): f'write "{word}" in lower case' for word in _RESERVED}

_AN_OPERAND = 'a name, a fact, "not" or "("'
_A_VALUE = "a whole number or a fact"


class Value(NamedTuple):
    """A word, a number, or a question to a group with what it asks; `at` is its first character."""

    text: str
    at: int
    is_number: bool
    inner: Syntax | None


class Relation(NamedTuple):
    """What a value is compared with."""

    operator: str
    at: int
    right: Value


class Test(NamedTuple):
    """A value, compared or by itself."""

    left: Value
    relation: Relation | None


class Negation(NamedTuple):
    """`not` and what it negates."""

    part: Syntax


class Joined(NamedTuple):
    """Two or more parts, joined with `and` or with `or`."""

    word: str
    parts: list[Syntax]


Syntax = Test | Negation | Joined


def syntax_of(text: str, where: str) -> Syntax:
    """Parse text to a syntax tree; raise an error at the first place that cannot be parsed.

    Text from outside has to be of bounded depth: each `not` and each parenthesis takes a few calls.
    """
    return _Parser(text, where).whole()


class _Parser:
    """Reads a text from left to right, one token ahead."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.open = 0
        self.comparable = False
        """Whether a comparison may follow: what was read last is a value by itself."""
        self.end = 0
        self.next()

    def next(self) -> None:
        """Read the next token: its kind (a mark, `and`, `or` and `not` are their own), its text and its place."""
        match = _TOKEN.match(self.text, self.end)
        assert match is not None  # one of the groups always matches
        assert match.lastgroup is not None
        self.token = match[match.lastgroup]
        self.at, self.end = match.span(match.lastgroup)
        is_its_own = match.lastgroup == "mark" or self.token in _RESERVED
        self.kind = self.token if is_its_own else match.lastgroup

    def whole(self) -> Syntax:
        syntax = self.either()
        return syntax if self.kind == "end" else self.fail()

    def either(self) -> Syntax:
        return self.run("or", self.both)

    def both(self) -> Syntax:
        return self.run("and", self.negative)

    def run(self, word: str, part: Callable[[], Syntax]) -> Syntax:
        parts = [part()]
        while self.kind == word:
            self.next()
            parts.append(part())
        return Joined(word, parts) if len(parts) > 1 else parts[0]

    def negative(self) -> Syntax:
        if self.kind != "not":
            return self.single()
        self.next()
        return Negation(self.negative())

    def single(self) -> Syntax:
        if self.kind == "(":
            syntax = self.enclosed()
            self.comparable = False
            return syntax
        left = self.value(_AN_OPERAND)
        self.comparable = True
        if self.kind != "relation":
            return Test(left, None)
        operator, at = self.token, self.at
        self.next()
        relation = Relation(operator, at, self.value(_A_VALUE))
        self.comparable = False
        return Test(left, relation)

    def value(self, expected: str) -> Value:
        text, at, kind = self.token, self.at, self.kind
        if kind not in ("word", "number"):
            self.fail(expected)
        self.next()
        return Value(text, at, kind == "number", self.enclosed() if kind == "word" and self.kind == "(" else None)

    def enclosed(self) -> Syntax:
        self.open += 1
        self.next()
        syntax = self.either()
        if self.kind != ")":
            self.fail()
        self.open -= 1
        self.next()
        return syntax

    def fail(self, expected: str | None = None) -> NoReturn:
        """Refuse the token; what was expected is by default what may follow a whole part."""
        following = ['a comparison such as "< 50"'] * self.comparable + ['"and"', '"or"']
        expected = expected or listed([*following, '")"' if self.open else "the end"])
        at = self.at if self.token else len(self.text.rstrip())
        what = f"found {quoted(self.token)}" if self.token else "the condition ends"
        message = f"{position(self.text, at)}: {what}, expected {expected}\n{pointer(self.text, at)}"
        raise InputError.of(self.where, message, _habit(self.token, self.text[:at]))


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
