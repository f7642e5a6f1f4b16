"""What agents are told of a battle's content: chosen numbers of its compiled record, named and scaled.

A ruleset says for each kind of record which of its fields a player may know (`Words`), and in `tell` which records its
observation holds (`Told`). Names, meanings, ranges and values all follow from these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.rulesets.contract.agents import Feature

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Number:
    """A field that is a number: what it means, of which unit it counts, and its range in that unit.

    `places` names the entries of a field that is an array; those without a name are not told.
    """

    meaning: str
    unit: str = ""
    per: float = 1
    most: float = 1
    least: float = 0
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Code:
    """A field that is one of several words, each an entry of its own."""

    meaning: str
    names: tuple[str, ...]


# The fields of a record that are told, in order. `effects[effect_count]` is a list as long as another field says, with
# the words of its records; further entries are 0.
Words = Mapping[str, Any]


def flag(meaning: str) -> Number:
    """A field that is 0 or 1."""
    return Number(meaning, "0 or 1")


@dataclass(frozen=True)
class Told:
    """A record that agents are told of, under a name; all 0 if it is not there."""

    name: str
    who: str
    words: Words
    record: Any
    is_there: bool = True


Tell = Callable[[Any, int], Iterable[Told]]


def features_of(tell: Tell, kind: np.dtype[Any]) -> Iterator[Feature]:
    """The entries that describe battles of a record type."""
    for each in tell(np.zeros(1, kind)[0], 0):
        yield from _features(each.words, each.record.dtype, each.name, each.who)


def described(tell: Tell, battle: Any, side: int) -> Array:
    """What a side is told of a battle, (entries,) float32."""
    rows = [_values(each.words, _row(each.record))[0] * each.is_there for each in tell(battle, side)]
    return np.concatenate(rows).astype(np.float32)


def paths_of(words: Words) -> Iterator[str]:
    """The fields that are told, as dotted paths."""
    for key, word in words.items():
        field, count = _split(key)
        yield from (count,) if count else ()
        yield from (f"{field}.{path}" for path in paths_of(word)) if isinstance(word, Mapping) else (field,)


def _row(record: Any) -> Array:
    return np.asarray(record)[None]


def _split(key: str) -> tuple[str, str]:
    field, _, count = key.rstrip("]").partition("[")
    return field, count


def _features(words: Words, kind: np.dtype[Any], name: str, who: str) -> Iterator[Feature]:
    for key, word in words.items():
        field, _ = _split(key)
        base, shape = kind[field].subdtype or (kind[field], ())
        one = field.removesuffix("s")
        places = [f"{one}_{place + 1}" for place in range(int(np.prod(shape)))] if shape else [field]
        if isinstance(word, Number) and word.places:
            places = list(word.places)
        for place in places:
            of = f" ({place.replace('_', ' ')})" if shape else ""
            if isinstance(word, Mapping):
                yield from _features(word, base, f"{name}.{place}", f"{who}{of}")
            elif isinstance(word, Code):
                for each in word.names:
                    meaning = f"whether {word.meaning} is {each.replace('_', ' ')}{of}: {who}"
                    yield Feature(f"{name}.{place}.{each.replace(' ', '_')}", meaning, "0 or 1", 0, 1)
            else:
                meaning, unit = f"{word.meaning}{of}: {who}", word.unit or f"of {word.per:,g}"
                yield Feature(f"{name}.{place}", meaning, unit, word.least, word.most)


def _values(words: Words, rows: Array) -> Array:
    """The entries of records (n,): (n, entries)."""
    parts: list[Array] = []
    for key, word in words.items():
        field, count = _split(key)
        values = rows[field].reshape(len(rows), -1)
        if isinstance(word, Mapping):
            told = _values(word, values.reshape(-1)).reshape(*values.shape, -1)
        elif isinstance(word, Code):
            told = (values[..., None] == np.arange(len(word.names))).astype(np.float64)
        else:
            values = values[:, : len(word.places) or None]
            # What np.clip does, without its overhead, which is most of the time for rows of one.
            told = np.minimum(np.maximum(values / word.per, word.least), word.most)[..., None]
        if count:
            told = told * (np.arange(values.shape[1]) < rows[count][:, None])[..., None]
        parts.append(told.reshape(len(rows), -1))
    return np.concatenate(parts, axis=1)
