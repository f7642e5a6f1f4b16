"""A ruleset's vocabulary: the facts, groups, statuses and named conditions that its conditions may use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from fracas.conditions.tree import ALWAYS, MULTIPLE_OF, QUANTIFIERS, Parsed, Tree
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.files.process_cache import Memory
from fracas.kernel.fact_table import Fact

# Each vocabulary caches parsed conditions up to this many characters in all.
MOST_READ = 250_000
# Each vocabulary caches this many compiled conditions.
MOST_PROGRAMS = 2_000
# An error about an unknown fact lists the facts of its subject if there are at most this many.
MOST_LISTED = 16


@dataclass(frozen=True, slots=True)
class Flag:
    """A status of a unit in a group: true or false by itself. Its code is unique among unit facts."""

    name: str
    code: int
    doc: str

    @property
    def example(self) -> str:
        """An example condition with this status."""
        return self.name


@dataclass(frozen=True, slots=True)
class Units:
    """A group of at most `most` units that any, all and count range over."""

    name: str
    code: int
    doc: str
    most: int = 8


@dataclass(frozen=True, slots=True)
class Alias:
    """A named condition, or a family of them: N and M in its name stand for numbers, X for a status."""

    name: str
    text: str
    doc: str


Entry = TypeVar("Entry", Fact, Flag, Units)
_PLACEHOLDER = re.compile(r"(?<![A-Za-z0-9])[MNX](?![A-Za-z0-9])")
_PATH = re.compile(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*")
# Words of the language itself, which no name may be or contain between dots.
RESERVED_WORDS = frozenset({"and", "or", "not", ALWAYS.name, MULTIPLE_OF})


@dataclass(frozen=True)
class Vocabulary:
    """Everything that a ruleset's conditions may use."""

    facts: tuple[Fact, ...]
    groups: tuple[Units, ...] = ()
    unit_facts: tuple[Fact, ...] = ()
    statuses: tuple[Flag, ...] = ()
    names: tuple[Alias, ...] = ()
    lists: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Hints for unknown names, by the part before the dot, used if no fact is similar."""

    def __post_init__(self) -> None:
        inner: tuple[Fact | Flag, ...] = (*self.unit_facts, *self.statuses)
        outer: tuple[Fact | Units | Alias, ...] = (*self.facts, *self.groups, *self.names)
        _refuse_doubles("name", [entry.name for entry in outer])
        _refuse_doubles("unit fact or status", [entry.name for entry in inner])
        _refuse_doubles("code of a fact", [fact.code for fact in self.facts])
        _refuse_doubles("code of a group", [0, *(group.code for group in self.groups)])
        _refuse_doubles("code of a unit fact or status", [-1, *(entry.code for entry in inner)])
        for entry in (*outer, *inner):
            name = filled(entry.name, {"N": "n", "M": "m", "X": "x"}) if isinstance(entry, Alias) else entry.name
            if not _PATH.fullmatch(name) or not RESERVED_WORDS.isdisjoint(name.split(".")):
                raise ValueError(f"{entry.name!r} cannot be a name in conditions")

    @cached_property
    def read(self) -> Memory[Parsed]:
        """The cache of parsed conditions by text; only conditions without problems."""
        return Memory(MOST_READ)

    @cached_property
    def programs(self) -> Memory[tuple[Tree, Any]]:
        """The cache of compiled conditions by the identity of their trees, which it keeps alive."""
        return Memory(MOST_PROGRAMS)

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
        """The facts and statuses of one unit of a group."""
        return {**_by_name(self.unit_facts), **_by_name(self.statuses)}

    @cached_property
    def _families(self) -> tuple[tuple[Alias, re.Pattern[str]], ...]:
        numbers, statuses = "[0-9]+", "|".join(status.name for status in self.statuses) or "(?!)"
        patterns = {"N": f"(?P<N>{numbers})", "M": f"(?P<M>{numbers})", "X": f"(?P<X>{statuses})"}
        # An exact name takes precedence over a family that matches it.
        aliases = sorted(self.names, key=lambda alias: bool(_PLACEHOLDER.search(alias.name)))
        return tuple((alias, re.compile(filled(alias.name, patterns))) for alias in aliases)

    def find_alias(self, name: str) -> tuple[Alias, dict[str, str]] | None:
        """Find the named condition or family that a name matches, with the values of its placeholders."""
        matches = ((alias, pattern.fullmatch(name)) for alias, pattern in self._families)
        return next(((alias, match.groupdict()) for alias, match in matches if match), None)

    def names_like(self, name: str) -> Iterator[str]:
        """Generate all named conditions, for suggestions; families use the given name's numbers, and each status."""
        numbers = dict(zip("NM", re.findall("(?<=_)[0-9]+", name), strict=False))
        yield ALWAYS.name
        for alias in self.names:
            name_ = filled(alias.name, numbers)
            yield from (filled(name_, {"X": status.name}) for status in self.statuses) if "X" in name_ else (name_,)

    def near_fact(self, word: str) -> str | None:
        """Suggest a fact for an unknown one, or list those of its subject; None if there is nothing to suggest."""
        head, _, tail = word.rpartition(".")
        own = [name.removeprefix(f"{head}.") for name in self.fact_by_name if name.startswith(f"{head}.")]
        if head in self.lists and nearest(tail, own) is None:
            return self.lists[head]
        hint = nearest(word, self.fact_by_name)
        return f"{head} has {listed(own, 'and')}" if hint is None and 0 < len(own) <= MOST_LISTED else hint

    def usage(self, word: str) -> str | None:
        """Show how to write a known word that is used in the wrong place; None if it is not known."""
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


def filled(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders N, M and X in a name or an alias."""
    return _PLACEHOLDER.sub(lambda letter: values.get(letter[0], letter[0]), text)


def _by_name(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries}


def _refuse_doubles(what: str, values: list[Any]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{what} {value!r} appears twice")
