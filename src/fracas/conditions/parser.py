"""Parse a condition from text or JSON to a tree, checking it against a vocabulary and limits on its size."""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from fracas.conditions.grammar import MIRRORED, Joined, Negation, Relation, Syntax, Test, Value, syntax_of
from fracas.conditions.tree import (
    ALWAYS,
    MULTIPLE_OF,
    QUANTIFIERS,
    And,
    Comparison,
    Constant,
    Group,
    Named,
    Not,
    Or,
    Parsed,
    Status,
    Tree,
    Versus,
    text_of,
)
from fracas.conditions.vocabulary import Flag, Vocabulary, filled
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, position, quoted
from fracas.kernel.fact_table import Fact, FactKind

# Limits on a condition. A part is a comparison, a status, a group with its question, a name (no matter for what), a
# `not`, a run of `and` or of `or`, or a JSON object. For JSON, the characters of its strings count.
MAX_CHARACTERS = 2_000
MAX_NODES = 128
MAX_DEPTH = 32
MAX_ALIAS_DEPTH = 8
JSON_FORMS = ("all", "any", "not")


def parse(source: object, vocabulary: Vocabulary, *, where: str, strict: bool = False, content: bool = False) -> Parsed:
    """Parse a condition from text or JSON; None and blank text mean no condition.

    An unknown condition name is a warning in what players write, an error if `strict` or in `content` packs.
    Conditions without problems are cached.

    Raises:
        InputError: everything that is wrong with the condition, each with its place.
    """
    if source is None or (isinstance(source, str) and not source.strip()):
        return Parsed(None)
    known = vocabulary.read.recall(source) if isinstance(source, str) else None
    if known is not None:
        return known
    _refuse_oversize(source, where)
    key = source if isinstance(source, str) else _key(source)
    known = vocabulary.read.recall(key) if isinstance(key, bytes) else None
    if known is not None:
        return known
    reader = _Reader(vocabulary, strict or content)
    tree = reader.read_json(source, _Place(where))
    if reader.problems:
        raise InputError(dict.fromkeys(reader.problems))
    parsed = Parsed(tree, tuple(dict.fromkeys(reader.warnings)))
    if key is None or parsed.warnings:
        return parsed
    return vocabulary.read.keep(key, parsed, len(key))


def _key(source: Any) -> bytes | None:
    """The cache key of a condition in JSON form; None if it contains values that no file could hold."""
    try:
        # Version 2 encodes equal values equally, and distinguishes 1, 1.0 and true.
        return marshal.dumps(source, 2)
    except ValueError:
        return None


_TOO_LONG = f"the condition is longer than {MAX_CHARACTERS:,} characters"
_TOO_MANY = f"the condition has more than {MAX_NODES} parts"
_TOO_DEEP = f"the condition is nested more than {MAX_DEPTH} deep"
_SPLIT_IT = "split it, or use fewer parts"
_ONE_QUESTION = 'a group asks one question of each unit; put "and", "or" and "not" outside it'


def check_names(vocabulary: Vocabulary) -> None:
    """Check every named condition of a vocabulary; called by a ruleset's tests.

    Raises:
        ValueError: a named condition is not valid in its vocabulary, or is too deep.
    """
    for name in vocabulary.names_like("_1_1"):
        # A family whose fact does not allow 1 is valid: only the number tried here is out of range.
        with suppress(InputError):
            parse(name, vocabulary, where=name, strict=True)


def _refuse_oversize(source: object, where: str) -> None:
    """Refuse conditions that are too large. Uses no recursion and stops at the first limit reached."""
    characters = parts = 0
    waiting = [(source, 1)]
    while waiting:
        part, depth = waiting.pop()
        parts += 1
        characters += len(part) if isinstance(part, str) else 0
        if characters > MAX_CHARACTERS:
            raise InputError.of(where, _TOO_LONG, _SPLIT_IT)
        if parts > MAX_NODES:
            raise InputError.of(where, _TOO_MANY, _SPLIT_IT)
        if depth - 1 + (_nesting(part) if isinstance(part, str) else 1) > MAX_DEPTH:
            raise InputError.of(where, _TOO_DEEP, _SPLIT_IT)
        below: Iterable[object] = part if isinstance(part, list) else ()
        if isinstance(part, dict):
            values = islice(part.values(), MAX_NODES + 1)
            below = chain.from_iterable(value if isinstance(value, list) else (value,) for value in values)
        waiting.extend((each, depth + 1) for each in islice(below, MAX_NODES + 1))


def _nesting(text: str) -> int:
    """Count how deep parentheses and `not` are nested in a text, which bounds the depth of its syntax."""
    deepest = level = negations = 0
    opened: list[int] = []
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            opened.append(negations + 1)
            level += negations + 1
        elif word == ")" and opened:
            level -= opened.pop()
        negations = negations + 1 if word == "not" else 0
        deepest = max(deepest, level + negations)
    return deepest


def _joined(kind: type[And] | type[Or], parts: Iterable[Tree]) -> Tree:
    flat: list[Tree] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, kind) else (part,))
    if not flat:
        return ALWAYS if kind is And else Not(ALWAYS)
    return kind(tuple(flat)) if len(flat) > 1 else flat[0]


def _json_name(value: object) -> str:
    names = {type(None): "null", bool: "true or false", int: "a number", float: "a number", str: "text"}
    return names.get(type(value), "a list" if isinstance(value, list) else "an object")


@dataclass(frozen=True, slots=True)
class _Place:
    """The reader's position: its text, its depth, whether it is negated, and the named condition it is in."""

    where: str
    text: str = ""
    depth: int = 1
    negated: bool = False
    alias: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


class _Reader:
    """Converts one condition to its tree and collects all problems."""

    def __init__(self, vocabulary: Vocabulary, strict: bool) -> None:
        self.known = vocabulary
        self.strict = strict
        self.nodes = 0
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def refuse(self, place: _Place, message: str, hint: str | None = None, at: int | None = None) -> Tree:
        """Record a problem and return a harmless node, so that reading continues and finds further problems."""
        if place.alias and at is not None:
            raise ValueError(f"{place.alias}: {message}")
        column = "" if at is None else f" ({position(place.text, at)})"
        self.problems.append(Problem(place.where, message + column, hint))
        return ALWAYS

    def measure(self, place: _Place) -> None:
        """Check the limits for what the user wrote; definitions of named conditions have their own limit."""
        if place.alias:
            if place.depth > MAX_ALIAS_DEPTH:
                raise ValueError(f"{place.alias}: a named condition is at most {MAX_ALIAS_DEPTH} deep")
            return
        self.nodes += 1
        if self.nodes == MAX_NODES + 1:
            self.refuse(place, _TOO_MANY, _SPLIT_IT)
        if place.depth == MAX_DEPTH + 1:
            self.refuse(place, _TOO_DEEP, _SPLIT_IT)

    def read_json(self, source: object, place: _Place) -> Tree:
        """Read a condition in either form, text or JSON."""
        if isinstance(source, str) and source.strip():
            try:
                return self.read(syntax_of(source, place.where), replace(place, text=source))
            except InputError as error:
                self.problems.extend(error.problems)
                return ALWAYS
        if not isinstance(source, dict):
            hint = 'write text, {"all": [...]}, {"any": [...]} or {"not": ...}'
            found = "empty text" if isinstance(source, str) else _json_name(source)
            return self.refuse(place, f"{found} is not a condition", hint)
        self.measure(place)
        if len(source) != 1:
            return self.refuse(place, f"a condition has one key, all, any or not; this one has {len(source)}")
        key, value = next(iter(source.items()))
        below = replace(place, where=f"{place.where}.{key}", depth=place.depth + 1)
        if key == "not":
            return Not(self.read_json(value, replace(below, negated=not place.negated)))
        if key not in JSON_FORMS:
            hint = nearest(str(key), JSON_FORMS) or "write all, any or not"
            return self.refuse(place, f"unknown key {quoted(str(key))}", hint)
        if not isinstance(value, list):
            return self.refuse(below, f"{key} takes a list of conditions, not {_json_name(value)}")
        parts = [self.read_json(part, replace(below, where=f"{below.where}.{i}")) for i, part in enumerate(value)]
        return _joined(And if key == "all" else Or, parts)

    def read(self, syntax: Syntax, place: _Place) -> Tree:
        """Read a condition from the syntax of its text."""
        self.measure(place)
        below = replace(place, depth=place.depth + 1)
        if isinstance(syntax, Joined):
            return _joined(Or if syntax.word == "or" else And, [self.read(part, below) for part in syntax.parts])
        if isinstance(syntax, Negation):
            return Not(self.read(syntax.part, replace(below, negated=not place.negated)))
        left, relation = syntax
        if left.is_number:
            return self.refuse(place, f"{quoted(left.text)} is not a fact", _turned(left, relation), left.at)
        if left.inner:
            return self.group(left, left.inner, relation, place)
        word = filled(left.text, place.values)
        return self.comparison(left, word, relation, place) if relation else self.bare(left, word, place)

    def comparison(self, left: Value, word: str, relation: Relation, place: _Place) -> Tree:
        """Read a fact compared with a number."""
        fact = self.known.fact_by_name.get(word)
        if fact and fact.kind is not FactKind.FLAG:
            right = relation.right
            is_name = not right.is_number and not filled(right.text, place.values).isdigit()
            if is_name and not right.inner and relation.operator != MULTIPLE_OF:
                return self.versus(fact, relation.operator, right, place)
            return Comparison(word, relation.operator, self.number(relation, fact.limits, word, place))
        if fact or word == ALWAYS.name or self.known.find_alias(word):
            return self.is_true_or_false(word, place, left)
        return self.unknown_fact(left, word, place)

    def versus(self, fact: Fact, operator: str, right: Value, place: _Place) -> Tree:
        """Read a fact compared with another: both percentages, or neither."""
        word = filled(right.text, place.values)
        other = self.known.fact_by_name.get(word)
        if other is None and (self.known.find_alias(word) or word == ALWAYS.name):
            return self.is_true_or_false(word, place, right)
        if other is None and "." in word:
            return self.unknown_fact(right, word, place)
        if other is None:
            low, high = fact.limits
            message = f"{quoted(fact.name)} is compared with {quoted(word)}, not with a whole number or a fact"
            hint = self.known.usage(word) or nearest(word, self.known.fact_by_name)
            return self.refuse(place, message, hint or f"write a whole number from {low} to {high}", right.at)
        if other.kind is FactKind.FLAG:
            return self.is_true_or_false(word, place, right)
        if other is fact:
            return self.refuse(place, f"{quoted(word)} is compared with itself", None, right.at)
        if (fact.kind is FactKind.PERCENT) is not (other.kind is FactKind.PERCENT):
            share, number = (fact, other) if fact.kind is FactKind.PERCENT else (other, fact)
            message = f"{quoted(share.name)} is a percentage and {quoted(number.name)} is not"
            return self.refuse(place, message, "compare a percentage with a number or another percentage", right.at)
        return Versus(fact.name, operator, other.name)

    def is_true_or_false(self, text: str, place: _Place, value: Value) -> Tree:
        """Refuse a comparison of a value that is true or false."""
        hint = f"write {quoted(text)} or {quoted(f'not {text}')}"
        return self.refuse(place, f"{quoted(text)} is true or false by itself and cannot be compared", hint, value.at)

    def unknown_fact(self, value: Value, word: str, place: _Place) -> Tree:
        """Refuse a fact that the vocabulary does not have."""
        hint = self.known.usage(word) or self.known.near_fact(word)
        return self.refuse(place, f"unknown fact {quoted(word)}", hint, value.at)

    def number(self, relation: Relation, limits: tuple[int, int], subject: str, place: _Place) -> int:
        """Read the number of a comparison: whole, and within the fact's limits."""
        low, high = limits
        right = relation.right
        text = filled(right.text, place.values)
        if relation.operator == MULTIPLE_OF:
            low = max(low, 1)
            if not place.alias:
                self.refuse(place, f"{quoted(MULTIPLE_OF)} is not a comparison", "use < <= > >= == or !=", relation.at)
        hint = f"write a whole number from {low} to {high}"
        if not re.fullmatch("-?[0-9]+", text) or right.inner:
            message = f"{quoted(subject)} is compared with {quoted(text)}, not with a whole number"
            self.refuse(place, message, hint, right.at)
        elif low <= int(text) <= high:
            return int(text)
        elif right.text != text:
            self.refuse(place, f"{text} is out of range in {quoted(place.alias)}", hint)
        else:
            self.refuse(place, f"{text} is out of range for {quoted(subject)}", hint, right.at)
        return low

    def bare(self, left: Value, word: str, place: _Place) -> Tree:
        """Read a single word: a flag, a named condition or an unknown one."""
        fact = self.known.fact_by_name.get(word)
        if fact and fact.kind is FactKind.FLAG:
            subject, _, status = word.rpartition(".")
            return Status(subject, status)
        if fact:
            hint = f"write {quoted(fact.example)}"
            return self.refuse(place, f"{quoted(word)} is a number and has to be compared", hint, left.at)
        if word == ALWAYS.name:
            return ALWAYS
        alias = self.known.find_alias(word)
        if alias:
            depth = place.depth + 1 if place.alias else 1
            inside = replace(place, alias=place.alias or word, values=alias[1], depth=depth)
            return Named(word, self.read(syntax_of(alias[0].text, word), inside))
        if "." in word or place.alias:
            return self.unknown_fact(left, word, place)
        return self.unknown_condition(word, place)

    def unknown_condition(self, word: str, place: _Place) -> Tree:
        """Warn about an unknown name, which never blocks: it counts as true, or false if negated."""
        hint = self.known.usage(word) or nearest(word, self.known.names_like(word), limit=3)
        message = f"unknown condition {quoted(word)}"
        if self.strict:
            self.problems.append(Problem(place.where, message, hint))
        else:
            value = "false, being negated" if place.negated else "true"
            self.warnings.append(Problem(place.where, f"{message} counts as {value}, so it never blocks", hint))
        return Constant(not place.negated, word)

    def group(self, question: Value, syntax: Syntax, relation: Relation | None, place: _Place) -> Tree:
        """Read a question about the units of a group."""
        head, _, quantifier = question.text.rpartition(".")
        group = self.known.group_by_name.get(head)
        if group is None or quantifier not in QUANTIFIERS:
            groups = list(self.known.group_by_name)
            hint = nearest(question.text, [f"{name}.{each}" for name in groups for each in QUANTIFIERS])
            if groups and not hint:
                hint = f"ask {listed(groups)} with any, all or count"
            return self.refuse(place, f"{quoted(question.text)} cannot be asked", hint, question.at)
        inner = self.inner(question, syntax, place)
        if inner is None:
            return ALWAYS
        tree = Group(head, quantifier, inner)
        if quantifier == "count" and relation:
            number = self.number(relation, (0, group.most), question.text, place)
            return replace(tree, operator=relation.operator, number=number)
        if quantifier == "count":
            hint = f"write {quoted(f'{text_of(tree)} >= 2')}"
            return self.refuse(place, f"{quoted(question.text)} is a number and has to be compared", hint, question.at)
        return self.is_true_or_false(text_of(tree), place, question) if relation else tree

    def inner(self, question: Value, syntax: Syntax, place: _Place) -> Comparison | Status | None:
        """Read the question that is asked of each unit: one status or one comparison."""
        if not isinstance(syntax, Test) or syntax.left.inner or syntax.left.is_number:
            message = f"{quoted(question.text)} takes one status or one comparison of a unit's fact"
            hint = self.known.usage(question.text) if isinstance(syntax, Test) else _ONE_QUESTION
            self.refuse(place, message, hint, question.at)
            return None
        left, relation = syntax
        word = filled(left.text, place.values)
        entry = self.known.inner_by_name.get(word)
        if entry is None:
            short = word.rpartition(".")[2]
            hint = nearest(short, self.known.inner_by_name)
            hint = f"write {quoted(short)}" if short in self.known.inner_by_name else hint
            self.refuse(place, f"{quoted(question.text)} does not know {quoted(word)}", hint, left.at)
        elif isinstance(entry, Flag) or entry.kind is FactKind.FLAG:
            if not relation:
                return Status("", word)
            hint = f"write {quoted(f'{question.text}({word})')}"
            self.refuse(place, f"{quoted(word)} is true or false by itself and cannot be compared", hint, left.at)
        elif relation:
            return Comparison(word, relation.operator, self.number(relation, entry.limits, word, place))
        else:
            hint = f"write {quoted(f'{question.text}({entry.example})')}"
            self.refuse(place, f"{quoted(word)} is a number and has to be compared", hint, left.at)
        return None


def _turned(number: Value, relation: Relation | None) -> str | None:
    if not relation or relation.operator not in MIRRORED:
        return None
    return f"write the fact first: {quoted(f'{relation.right.text} {MIRRORED[relation.operator]} {number.text}')}"
