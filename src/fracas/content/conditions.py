"""The condition language: the tree of a condition, a ruleset's vocabulary, and the way from text or JSON to a tree.

A condition is text or JSON with text at its leaves; docs and messages speak of it as players write it:

    ally_hp_below_35 and enemy_count_gte_3
    self.hp_pct < 50 and not enemies.any(stunned)
    {"all": ["ally_hp_below_50", {"not": "enemy_count_gte_3"}]}

Everything that is not in the vocabulary is refused, except an unknown condition name: that never blocks, because a
typo must not brick a strategy. Nothing here evaluates a condition; fracas.compile.conditions makes it a program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache, cached_property
from itertools import chain, islice
from typing import Any, TypeAlias, TypeVar, cast

from fracas.content.suggest import listed, nearest, pointer, position, quoted
from fracas.errors import InputError, Problem

# Bounds on what is written. A part is a comparison, a status, a group with its question, a name, a `not`, a run of
# `and` or of `or`, or a JSON object; a name is one part whatever it stands for. JSON has the characters of its texts.
MAX_CHARACTERS = 2_000
MAX_NODES = 128
MAX_DEPTH = 32
MAX_ALIAS_DEPTH = 8

QUANTIFIERS = ("any", "all", "count")
JSON_FORMS = ("all", "any", "not")
# A relation that named conditions may use (every_N_rounds) and players' text may not: theirs is comparison only.
MULTIPLE_OF = "multiple_of"
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


# The tree. And and Or have at least two parts, none of their own kind; parsing keeps it so.


@dataclass(frozen=True, slots=True)
class Comparison:
    """One fact against one whole number; inside a group the fact is one of the unit that is looked at."""

    fact: str
    operator: str
    number: int


@dataclass(frozen=True, slots=True)
class Status:
    """Something that is true or false by itself: `self.stunned`, or `stunned` (no subject) inside a group."""

    subject: str
    status: str


@dataclass(frozen=True, slots=True)
class Group:
    """A question about the living units of a group: any and all are true or false, count is compared."""

    group: str
    quantifier: str
    inner: Comparison | Status
    operator: str | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A named condition as it was written, with what it stands for."""

    name: str
    tree: Tree


@dataclass(frozen=True, slots=True)
class And:
    """True if all parts are."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """True if any part is."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """True if its part is false."""

    part: Tree


@dataclass(frozen=True, slots=True)
class Constant:
    """`always`, or an unknown name, whose value is the one that does not block."""

    value: bool
    name: str


Tree: TypeAlias = Comparison | Status | Group | Named | And | Or | Not | Constant

ALWAYS = Constant(True, "always")


# The vocabulary of a ruleset.


class Kind(Enum):
    """What sort of number a fact is: a comparison to show, and the numbers allowed unless the fact says otherwise."""

    PERCENT = "<", 50, 0, 100
    COUNT = ">=", 2, 0, 8
    ROUND = ">=", 3, 0, 10**6
    PLAIN = ">=", 50, 0, 10**9
    FLAG = "", 1, 0, 1


@dataclass(frozen=True, slots=True)
class Fact:
    """A number about the deciding unit's situation, or about one unit of a group; a FLAG is used without comparison."""

    name: str
    code: int
    kind: Kind
    doc: str
    low: int | None = None
    high: int | None = None

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest number that the fact may be compared with."""
        low, high = self.kind.value[2:]
        return (low if self.low is None else self.low, high if self.high is None else self.high)

    @property
    def example(self) -> str:
        """A condition that uses the fact as it should be used."""
        relation, number = self.kind.value[:2]
        low, high = self.limits
        return f"{self.name} {relation} {min(max(number, low), high)}" if relation else self.name


@dataclass(frozen=True, slots=True)
class Flag:
    """A status of one unit of a group: true or false by itself. Its code is one of the unit facts'."""

    name: str
    code: int
    doc: str

    @property
    def example(self) -> str:
        """A condition that uses the status as it should be used."""
        return self.name


@dataclass(frozen=True, slots=True)
class Units:
    """A group of units that any, all and count range over; at most `most` of them."""

    name: str
    code: int
    doc: str
    most: int = 8


@dataclass(frozen=True, slots=True)
class Alias:
    """A named condition, or a family of them: capitals N and M in its name are numbers, X is a status."""

    name: str
    text: str
    doc: str


Entry = TypeVar("Entry", Fact, Flag, Units)
_PLACEHOLDER = re.compile(r"(?<![A-Za-z0-9])[MNX](?![A-Za-z0-9])")
_PATH = re.compile(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*")
_RESERVED = frozenset({"and", "or", "not", ALWAYS.name, MULTIPLE_OF})


@dataclass(frozen=True)
class Vocabulary:
    """The closed list of all that a ruleset's conditions may mention."""

    facts: tuple[Fact, ...]
    groups: tuple[Units, ...] = ()
    unit_facts: tuple[Fact, ...] = ()
    statuses: tuple[Flag, ...] = ()
    names: tuple[Alias, ...] = ()

    def __post_init__(self) -> None:
        inner: tuple[Fact | Flag, ...] = (*self.unit_facts, *self.statuses)
        outer: tuple[Fact | Units | Alias, ...] = (*self.facts, *self.groups, *self.names)
        _refuse_doubles("name", [entry.name for entry in outer])
        _refuse_doubles("unit fact or status", [entry.name for entry in inner])
        _refuse_doubles("code of a fact", [fact.code for fact in self.facts])
        _refuse_doubles("code of a group", [0, *(group.code for group in self.groups)])
        _refuse_doubles("code of a unit fact or status", [-1, *(entry.code for entry in inner)])
        for entry in (*outer, *inner):
            name = _fill(entry.name, {"N": "n", "M": "m", "X": "x"}) if isinstance(entry, Alias) else entry.name
            if not _PATH.fullmatch(name) or not _RESERVED.isdisjoint(name.split(".")):
                raise ValueError(f"{entry.name!r} cannot be a name in conditions")

    def check(self) -> None:
        """Try every named condition; a ruleset's tests call it.

        Raises:
            ValueError: a named condition is not a condition of this vocabulary, or is too deep.
        """
        for name in self.names_like("_1_1"):
            # A family whose fact does not go down to 1 is in order: the number tried here is what is out of range.
            with suppress(InputError):
                parse(name, self, where=name, strict=True)

    @cached_property
    def fact_by_name(self) -> Mapping[str, Fact]:
        """The facts of the deciding unit's situation."""
        return _by_name(self.facts)

    @cached_property
    def group_by_name(self) -> Mapping[str, Units]:
        """The groups."""
        return _by_name(self.groups)

    @cached_property
    def inner_by_name(self) -> Mapping[str, Fact | Flag]:
        """What may be asked of one unit of a group: its facts and statuses."""
        return {**_by_name(self.unit_facts), **_by_name(self.statuses)}

    @cached_property
    def _families(self) -> tuple[tuple[Alias, re.Pattern[str]], ...]:
        numbers, statuses = "[0-9]+", "|".join(status.name for status in self.statuses) or "(?!)"
        patterns = {"N": f"(?P<N>{numbers})", "M": f"(?P<M>{numbers})", "X": f"(?P<X>{statuses})"}
        # A name of its own comes before a family that it would also belong to.
        aliases = sorted(self.names, key=lambda alias: bool(_PLACEHOLDER.search(alias.name)))
        return tuple((alias, re.compile(_fill(alias.name, patterns))) for alias in aliases)

    def find_alias(self, name: str) -> tuple[Alias, dict[str, str]] | None:
        """The named condition or family that a name belongs to, with what its placeholders stand for."""
        matches = ((alias, pattern.fullmatch(name)) for alias, pattern in self._families)
        return next(((alias, match.groupdict()) for alias, match in matches if match), None)

    def names_like(self, name: str) -> Iterator[str]:
        """Every named condition; families with the numbers of the given name, and with each status in turn."""
        numbers = dict(zip("NM", re.findall("(?<=_)[0-9]+", name), strict=False))
        yield ALWAYS.name
        for alias in self.names:
            filled = _fill(alias.name, numbers)
            yield from (_fill(filled, {"X": status.name}) for status in self.statuses) if "X" in filled else (filled,)

    def usage(self, word: str) -> str | None:
        """How to write a word that is known but stands where it does not belong; None if it is not known."""
        head, _, tail = word.rpartition(".")
        if tail in self.group_by_name and not head:
            head, tail = tail, "any"
        if head in self.group_by_name and tail in QUANTIFIERS:
            examples = [_call(head, tail, entry.example) for entry in list(self.inner_by_name.values())[-1:]]
        else:
            same = [fact.example for fact in self.facts if fact.name.rpartition(".")[2] == tail] if not head else []
            groups = [group for group in self.groups if head in ("", group.name)]
            known = self.inner_by_name.get(tail)
            examples = same + [_call(group.name, "any", known.example) for group in groups if known]
        return f"write {listed([quoted(example) for example in examples])}" if examples else None


def _call(group: str, quantifier: str, inner: str) -> str:
    return f"{group}.{quantifier}({inner})" + (" >= 2" if quantifier == "count" else "")


def _fill(text: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda letter: values.get(letter[0], letter[0]), text)


def _by_name(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries}


def _refuse_doubles(what: str, values: list[Any]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{what} {value!r} is there twice")


# From text to syntax.

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
    # Imported late: every --help, and every battle without conditions, does without the parser library. The basic
    # lexer keeps "and", "or" and "not" from being taken for names where they do not fit.
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", lexer="basic")


@cache
def _template(text: str) -> Any:
    return _parser().parse(text)


def _syntax(text: str, where: str) -> Any:
    """The syntax of a text, or the one place where it cannot be understood."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        return _parser().parse(text)
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
    if found in _MIRRORED and words and words[-1] not in _MIRRORED:
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
        return "a whole number"
    words = {"RELATION": 'a comparison such as "< 50"', "AND": '"and"', "OR": '"or"', "RPAR": '")"', "$END": "the end"}
    return listed([text for name, text in words.items() if name in accepted])


# From syntax, and from JSON, to the tree.


@dataclass(frozen=True, slots=True)
class Parsed:
    """A condition's tree, None if there is no condition, and what its author should be told."""

    tree: Tree | None
    warnings: tuple[Problem, ...] = ()


def parse(source: object, vocabulary: Vocabulary, *, where: str, strict: bool = False, content: bool = False) -> Parsed:
    """Read a condition from text or JSON; None and blank text are no condition.

    An unknown condition name is a warning in what players write, an error if `strict` or in `content` packs.

    Raises:
        InputError: everything that is wrong with the condition, each with where it stands.
    """
    if source is None or (isinstance(source, str) and not source.strip()):
        return Parsed(None)
    _refuse_oversize(source, where)
    reader = _Reader(vocabulary, strict or content)
    tree = reader.read_json(source, _Place(where))
    if reader.problems:
        raise InputError(dict.fromkeys(reader.problems))
    return Parsed(tree, tuple(dict.fromkeys(reader.warnings)))


_TOO_LONG = f"the condition is longer than {MAX_CHARACTERS:,} characters"
_TOO_MANY = f"the condition has more than {MAX_NODES} parts"
_TOO_DEEP = f"the condition is nested more than {MAX_DEPTH} deep"
_SPLIT_IT = "split it, or use fewer parts"


def _refuse_oversize(source: object, where: str) -> None:
    """Measure without recursion and stop at the first bound, so that what is too large is never looked at further."""
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
    """How deep parentheses and `not` are nested in a text, which bounds how deep its syntax can be."""
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
    """Where a reader is: in which text, how deep, under how many `not`, and inside which named condition."""

    where: str
    text: str = ""
    depth: int = 1
    negated: bool = False
    alias: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


class _Reader:
    """Turns one condition into its tree and collects every problem on the way."""

    def __init__(self, vocabulary: Vocabulary, strict: bool) -> None:
        self.known = vocabulary
        self.strict = strict
        self.nodes = 0
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def refuse(self, place: _Place, message: str, hint: str | None = None, at: Any = None) -> Tree:
        """Note a problem down; the tree goes on with something harmless so that the next problem is found too."""
        if place.alias and at is not None:
            raise ValueError(f"{place.alias}: {message}")
        column = "" if at is None else f" ({position(place.text, at.start_pos)})"
        self.problems.append(Problem(place.where, message + column, hint))
        return ALWAYS

    def measure(self, place: _Place) -> None:
        """Hold the bounds for what was written; what a named condition stands for is the vocabulary's business."""
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
        """A condition in either form."""
        if isinstance(source, str) and source.strip():
            try:
                return self.read(_syntax(source, place.where), replace(place, text=source))
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

    def read(self, syntax: Any, place: _Place) -> Tree:
        """A condition in text."""
        self.measure(place)
        below = replace(place, depth=place.depth + 1)
        if syntax.data in ("either", "both"):
            return _joined(Or if syntax.data == "either" else And, [self.read(part, below) for part in syntax.children])
        if syntax.data == "negation":
            return Not(self.read(syntax.children[0], replace(below, negated=not place.negated)))
        token, *inner = syntax.children[0].children
        relation = syntax.children[1:]
        if token.type == "NUMBER":
            return self.refuse(place, f"{quoted(token)} stands where a fact belongs", _turned(token, relation), token)
        if inner:
            return self.group(token, inner[0], relation, place)
        word = _fill(token, place.values)
        return self.comparison(token, word, relation, place) if relation else self.bare(token, word, place)

    def comparison(self, token: Any, word: str, relation: list[Any], place: _Place) -> Tree:
        """A fact compared with a number."""
        fact = self.known.fact_by_name.get(word)
        if fact and fact.kind is not Kind.FLAG:
            return Comparison(word, str(relation[0]), self.number(relation, fact.limits, word, place))
        if fact or word == ALWAYS.name or self.known.find_alias(word):
            return self.is_true_or_false(word, place, token)
        return self.unknown_fact(token, word, place)

    def is_true_or_false(self, text: str, place: _Place, token: Any) -> Tree:
        """The answer to those who compare what cannot be compared."""
        hint = f"write {quoted(text)} or {quoted(f'not {text}')}"
        return self.refuse(place, f"{quoted(text)} is true or false by itself and is not compared", hint, token)

    def unknown_fact(self, token: Any, word: str, place: _Place) -> Tree:
        """The answer to a fact that the vocabulary does not have."""
        hint = self.known.usage(word) or nearest(word, self.known.fact_by_name)
        return self.refuse(place, f"unknown fact {quoted(word)}", hint, token)

    def number(self, relation: list[Any], limits: tuple[int, int], subject: str, place: _Place) -> int:
        """The number of a comparison: whole, and within the limits of what it is compared with."""
        operator, value = relation
        low, high = limits
        token = value.children[0]
        text = _fill(token, place.values)
        if operator == MULTIPLE_OF:
            low = max(low, 1)
            if not place.alias:
                self.refuse(place, f"{quoted(MULTIPLE_OF)} is not a comparison", "use < <= > >= == or !=", operator)
        hint = f"write a whole number from {low} to {high}"
        if not re.fullmatch("-?[0-9]+", text) or len(value.children) > 1:
            message = f"{quoted(subject)} is compared with {quoted(text)}, not with a whole number"
            self.refuse(place, message, hint, token)
        elif low <= int(text) <= high:
            return int(text)
        elif token != text:
            self.refuse(place, f"{text} is out of range in {quoted(place.alias)}", hint)
        else:
            self.refuse(place, f"{text} is out of range for {quoted(subject)}", hint, token)
        return low

    def bare(self, token: Any, word: str, place: _Place) -> Tree:
        """A word by itself: a flag, a named condition or an unknown one."""
        fact = self.known.fact_by_name.get(word)
        if fact and fact.kind is Kind.FLAG:
            subject, _, status = word.rpartition(".")
            return Status(subject, status)
        if fact:
            hint = f"write {quoted(fact.example)}"
            return self.refuse(place, f"{quoted(word)} is a number and has to be compared", hint, token)
        if word == ALWAYS.name:
            return ALWAYS
        found = self.known.find_alias(word)
        if found:
            depth = place.depth + 1 if place.alias else 1
            inside = replace(place, alias=place.alias or word, values=found[1], depth=depth)
            return Named(word, self.read(_template(found[0].text), inside))
        if "." in word or place.alias:
            return self.unknown_fact(token, word, place)
        return self.unknown_condition(word, place)

    def unknown_condition(self, word: str, place: _Place) -> Tree:
        """A name that no one knows never blocks: true, or false under an odd number of `not`."""
        hint = self.known.usage(word) or nearest(word, self.known.names_like(word), limit=3)
        message = f"unknown condition {quoted(word)}"
        if self.strict:
            self.problems.append(Problem(place.where, message, hint))
        else:
            value = "false, being negated" if place.negated else "true"
            self.warnings.append(Problem(place.where, f"{message} counts as {value}, so that it never blocks", hint))
        return Constant(not place.negated, word)

    def group(self, token: Any, syntax: Any, relation: list[Any], place: _Place) -> Tree:
        """A question about the units of a group."""
        head, _, quantifier = token.rpartition(".")
        group = self.known.group_by_name.get(head)
        if group is None or quantifier not in QUANTIFIERS:
            groups = list(self.known.group_by_name)
            hint = nearest(token, [f"{name}.{each}" for name in groups for each in QUANTIFIERS])
            if groups and not hint:
                hint = f"ask {listed(groups)} with any, all or count"
            return self.refuse(place, f"{quoted(token)} cannot be asked", hint, token)
        inner = self.inner(token, syntax, place)
        if inner is None:
            return ALWAYS
        tree = Group(head, quantifier, inner)
        if quantifier == "count" and relation:
            number = self.number(relation, (0, group.most), token, place)
            return replace(tree, operator=str(relation[0]), number=number)
        if quantifier == "count":
            hint = f"write {quoted(f'{_text_of(tree)} >= 2')}"
            return self.refuse(place, f"{quoted(token)} is a number and has to be compared", hint, token)
        return self.is_true_or_false(_text_of(tree), place, token) if relation else tree

    def inner(self, question: Any, syntax: Any, place: _Place) -> Comparison | Status | None:
        """What is asked of each unit: one status or one comparison."""
        value = syntax.children[0]
        if syntax.data not in ("bare", "compared") or len(value.children) > 1 or value.children[0].type == "NUMBER":
            message = f"{quoted(question)} takes one status or one comparison of a unit's fact"
            self.refuse(place, message, self.known.usage(question), question)
            return None
        token, relation = value.children[0], syntax.children[1:]
        word = _fill(token, place.values)
        entry = self.known.inner_by_name.get(word)
        if entry is None:
            short = word.rpartition(".")[2]
            hint = nearest(short, self.known.inner_by_name)
            hint = f"write {quoted(short)}" if short in self.known.inner_by_name else hint
            self.refuse(place, f"{quoted(question)} does not know {quoted(word)}", hint, token)
        elif isinstance(entry, Flag) or entry.kind is Kind.FLAG:
            if not relation:
                return Status("", word)
            hint = f"write {quoted(f'{question}({word})')}"
            self.refuse(place, f"{quoted(word)} is true or false by itself and is not compared", hint, token)
        elif relation:
            return Comparison(word, str(relation[0]), self.number(relation, entry.limits, word, place))
        else:
            hint = f"write {quoted(f'{question}({entry.example})')}"
            self.refuse(place, f"{quoted(word)} is a number and has to be compared", hint, token)
        return None


def _turned(number: Any, relation: list[Any]) -> str | None:
    if not relation or relation[0] not in _MIRRORED:
        return None
    return f"write the fact first: {quoted(f'{relation[1].children[0]} {_MIRRORED[relation[0]]} {number}')}"


# From the tree back to text.


def to_text(tree: Tree | None) -> str:
    """A condition as its author could have written it, with no more parentheses than needed."""
    return "" if tree is None else _text_of(tree)


def _text_of(tree: Tree) -> str:
    match tree:
        case Or(parts):
            return " or ".join(_text_of(part) for part in parts)
        case And(parts):
            return " and ".join(_within(part, Or) for part in parts)
        case Not(part):
            return f"not {_within(part, Or, And)}"
        case Comparison(fact, operator, number):
            return f"{fact} {operator} {number}"
        case Status(subject, status):
            return f"{subject}.{status}" if subject else status
        case Group(group, quantifier, inner, operator, number):
            return f"{group}.{quantifier}({_text_of(inner)})" + (f" {operator} {number}" if operator else "")
        case Named(name) | Constant(_, name):
            return name


def _within(tree: Tree, *looser: type[Or] | type[And]) -> str:
    return f"({_text_of(tree)})" if isinstance(tree, looser) else _text_of(tree)
