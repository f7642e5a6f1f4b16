"""A ruleset's vocabulary: the closed list of all that its conditions may mention."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, TypeVar

from fracas.conditions.tree import ALWAYS, MULTIPLE_OF, QUANTIFIERS, Parsed
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.files.process_cache import Memory

# Of each vocabulary conditions of so many characters together are kept in memory.
MOST_READ = 250_000


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
    lists: Mapping[str, str] = field(default_factory=dict, hash=False)
    """By what stands before the dot, what to answer to a name behind it that is near to none of the facts."""

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
            if not _PATH.fullmatch(name) or not _RESERVED.isdisjoint(name.split(".")):
                raise ValueError(f"{entry.name!r} cannot be a name in conditions")

    @cached_property
    def read(self) -> Memory[Parsed]:
        """The conditions that were read before, by their text; only those that nothing had to be said about."""
        return Memory(MOST_READ)

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
        return tuple((alias, re.compile(filled(alias.name, patterns))) for alias in aliases)

    def find_alias(self, name: str) -> tuple[Alias, dict[str, str]] | None:
        """The named condition or family that a name belongs to, with what its placeholders stand for."""
        matches = ((alias, pattern.fullmatch(name)) for alias, pattern in self._families)
        return next(((alias, match.groupdict()) for alias, match in matches if match), None)

    def names_like(self, name: str) -> Iterator[str]:
        """Every named condition; families with the numbers of the given name, and with each status in turn."""
        numbers = dict(zip("NM", re.findall("(?<=_)[0-9]+", name), strict=False))
        yield ALWAYS.name
        for alias in self.names:
            name_ = filled(alias.name, numbers)
            yield from (filled(name_, {"X": status.name}) for status in self.statuses) if "X" in name_ else (name_,)

    def near_fact(self, word: str) -> str | None:
        """What to write in place of a fact that is not known; None if nothing is near."""
        head, _, tail = word.rpartition(".")
        own = [name.removeprefix(f"{head}.") for name in self.fact_by_name if name.startswith(f"{head}.")]
        if head in self.lists and nearest(tail, own) is None:
            return self.lists[head]
        return nearest(word, self.fact_by_name)

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


def filled(text: str, values: Mapping[str, str]) -> str:
    """A name or an alias with its placeholders N, M and X replaced."""
    return _PLACEHOLDER.sub(lambda letter: values.get(letter[0], letter[0]), text)


def _by_name(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries}


def _refuse_doubles(what: str, values: list[Any]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{what} {value!r} is there twice")
