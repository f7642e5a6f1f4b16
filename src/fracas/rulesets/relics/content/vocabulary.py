"""The facts that conditions can ask for and amounts can be counted from; tables in relics/README.md, "Conditions"."""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from fracas.conditions import Alias, Fact, FactKind, Flag, Vocabulary
from fracas.conditions.vocabulary import RESERVED_WORDS
from fracas.rulesets.relics.declarations.triggers import STATUS_DOCS
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import BATTLE_FACTS, FIGHTER_FACTS

# Quantities that are not stacks of a status: what they are, and their minimums.
_QUANTITIES = {
    "hp": ("HP", codes.LEAST_HP),
    "hp_max": ("its full HP", 0),
    "attack": ("its ATK without temporary ATK", codes.LEAST_RATE),
    "temp_attack": ("its temporary ATK", codes.LEAST_RATE),
    "armor": ("its ARMOR", 0),
    "speed": ("its SPEED", codes.LEAST_RATE),
}

# A vocabulary may have more own statuses than one battle; codes of the surplus only need to be distinct.
_FURTHER_STATUS, _APART = 1024, 64


def _status_code(index: int) -> int:
    """The code of an own status, by its place among those of a vocabulary."""
    return codes.FIRST_OWN_STATUS + index if index < codes.OWN_STATUSES else _FURTHER_STATUS + _APART * index


def _stacks_fact(prefix: str, offset: int, who: str, name: str, code: int) -> Fact:
    return Fact(f"{prefix}.{name}", offset + code, FactKind.PLAIN, f"{who}: its stacks of {name}", 0, codes.LARGEST)


def _fighter_facts(prefix: str, offset: int, who: str) -> Iterator[Fact]:
    for code, name in enumerate(codes.QUANTITIES):
        doc, least = _QUANTITIES.get(name, (f"its stacks of {name}", 0))
        yield Fact(f"{prefix}.{name}", offset + code, FactKind.PLAIN, f"{who}: {doc}", least, codes.LARGEST)
    for fact in FIGHTER_FACTS.facts:
        own = f"{prefix}.{fact.name}", offset + fact.code, fact.kind
        if fact.kind is FactKind.PLAIN:
            yield Fact(*own, f"{who}: {fact.doc}", fact.low or 0, codes.LARGEST)
        else:
            yield Fact(*own, f"{who} {fact.doc}" if fact.kind is FactKind.FLAG else f"{who}: {fact.doc}")


_FACTS = (
    *_fighter_facts("self", 0, "the owner"),
    *_fighter_facts("enemy", codes.ENEMY_FACTS, "the enemy"),
    *BATTLE_FACTS.facts,
)


def _tag_fact(tag: str, index: int) -> Fact:
    return Fact(
        f"tags.{tag}", codes.FIRST_TAG_FACT + index, FactKind.PLAIN, f"the owner's pieces with the tag {tag}", 0, 99
    )


_NAMES = (
    Alias("have_armor", "self.armor > 0", "the owner has ARMOR"),
    Alias("no_armor", "self.armor == 0", "the owner has no ARMOR"),
    Alias("enemy_has_armor", "enemy.armor > 0", "the enemy has ARMOR"),
    Alias("enemy_no_armor", "enemy.armor == 0", "the enemy has no ARMOR"),
    Alias("wounded", "self.hp_pct <= 50", "the owner has at most half of its full HP"),
    Alias("enemy_wounded", "enemy.hp_pct <= 50", "the enemy has at most half of its full HP"),
    Alias("full_hp", "self.hp_missing == 0", "the owner has full HP"),
    Alias("enemy_full_hp", "enemy.hp_missing == 0", "the enemy has full HP"),
    Alias("self_hp_below_N", "self.hp_pct < N", "the owner is below N % of its HP"),
    Alias("enemy_hp_below_N", "enemy.hp_pct < N", "the enemy is below N % of its HP"),
    Alias("self_has_X", "self.X > 0", "the owner has stacks of X"),
    Alias("self_lacks_X", "self.X == 0", "the owner has no stacks of X"),
    Alias("enemy_has_X", "enemy.X > 0", "the enemy has stacks of X"),
    Alias("enemy_lacks_X", "enemy.X == 0", "the enemy has no stacks of X"),
    Alias("faster", "self.faster", "the owner has more SPEED than the enemy"),
    Alias("slower", "enemy.faster", "the owner has less SPEED than the enemy"),
    Alias("even_turn", "self.own_turn multiple_of 2", "the owner's turns 2, 4, 6…, and before its first"),
    Alias("odd_turn", "not self.own_turn multiple_of 2", "the owner's turns 1, 3, 5…"),
    Alias("turn_gte_N", "turn >= N", "common turn N or later"),
    Alias("first_strike", "strike == 1", "the first strike of the turn"),
    Alias("payload_gte_N", "payload >= N", "the trigger's payload is at least N"),
)

# Tags are free words, but only tags that something has can be counted.
_COUNTED_TAGS = f"only tags of items and sets can be counted, such as {', '.join(codes.TAGS)}"
_COUNTED_TAG = re.compile(r"\btags\.([a-z_][a-z0-9_]*)")

# Ids of own statuses appear in conditions, so they must not clash with facts or reserved words.
_STATUS_ID = re.compile(r"[a-z][a-z0-9_]*")
_IN_CONDITIONS = re.compile(r"\b(?:self|enemy)(?:\.|_has_|_lacks_)([a-z][a-z0-9_]*)")
LONGEST_STATUS_ID = 40
RESERVED = frozenset(
    (
        *(fact.name.rpartition(".")[2] for fact in _FACTS),
        *codes.STATS,
        *codes.RULE_SOURCES,
        *("self", "enemy", "both", "random", "each", "all", "tags", "pieces"),
        *("and", "or", "not", "always", "multiple_of"),
    )
)


@lru_cache(maxsize=256)
def vocabulary_of(own_tags: tuple[str, ...], own_statuses: tuple[str, ...] = ()) -> Vocabulary:
    """The vocabulary of conditions, given the tags and statuses that exist beside the built-in ones."""
    tags = (*codes.TAGS, *own_tags)
    stacks = tuple(
        _stacks_fact(prefix, offset, who, name, _status_code(index))
        for index, name in enumerate(own_statuses)
        for prefix, offset, who in (("self", 0, "the owner"), ("enemy", codes.ENEMY_FACTS, "the enemy"))
    )
    own = (Flag(name, _status_code(index), f"stacks of {name}") for index, name in enumerate(own_statuses))
    return Vocabulary(
        facts=(*_FACTS, *stacks, *(_tag_fact(tag, index) for index, tag in enumerate(tags))),
        # The words that X in the aliases stands for.
        statuses=(
            *(Flag(name, codes.FIRST_STATUS + code, STATUS_DOCS[name]) for code, name in enumerate(codes.STATUSES)),
            *own,
        ),
        names=_NAMES,
        lists={"tags": _COUNTED_TAGS},
    )


VOCABULARY = vocabulary_of(())


def least_of(fact: str) -> int:
    """The least value of a fact; below 0 for quantities that may be negative."""
    known = VOCABULARY.fact_by_name.get(fact)
    return 0 if known is None else known.limits[0]


def may_contain(value: Any, words: Iterable[str]) -> bool:
    """Whether any string in plain values may contain one of these words; a quick look before a careful one."""
    try:
        whole = marshal.dumps(value, 2)
    except ValueError:  # Not a plain value.
        return True
    return any(word.encode() in whole for word in words)


def own_tags_in(value: Any) -> list[str]:
    """The tags, apart from built-in ones, that conditions and amounts in a value count, sorted."""
    texts = texts_in(value) if may_contain(value, ("tags.",)) else ()
    found = {tag for text in texts for tag in _COUNTED_TAG.findall(text)}
    return sorted(found.difference(codes.TAGS, RESERVED_WORDS))


def texts_in(value: Any) -> Iterator[str]:
    """The texts in a plain value, in no order; keys do not count."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict | list):
            waiting.extend(part.values() if isinstance(part, dict) else part)


def is_own_status(name: object) -> bool:
    """Whether a word is a valid id of an own status; does not check that the status exists."""
    is_id = isinstance(name, str) and len(name) <= LONGEST_STATUS_ID and _STATUS_ID.fullmatch(name) is not None
    return is_id and name not in RESERVED


def own_statuses_in(value: Any) -> list[str]:
    """The own statuses that conditions and amounts in a value may refer to, sorted."""
    names = {name for text in texts_in(value) for name in _IN_CONDITIONS.findall(text)}
    return sorted(filter(is_own_status, names))


def vocabulary_for(condition: Any) -> Vocabulary:
    """A vocabulary with every tag and status that a condition mentions; does not check that they exist."""
    return vocabulary_of(tuple(own_tags_in(condition)), tuple(own_statuses_in(condition)))


def countable(tags: Iterable[str]) -> list[str]:
    """The tags that conditions can name, without the built-in ones, sorted."""
    return sorted({tag for tag in tags if _COUNTED_TAG.fullmatch(f"tags.{tag}")}.difference(codes.TAGS, RESERVED_WORDS))


def _is_amount(fact: Fact) -> bool:
    return fact.kind in (FactKind.PLAIN, FactKind.ROUND)


# The facts that amounts can be counted from: all numbers, and built-in tags.
AMOUNT_FACTS = {fact.name: fact.code for fact in VOCABULARY.facts if _is_amount(fact)}


def is_amount_fact(name: str) -> bool:
    """Whether an amount can be counted from a fact; does not check that an own tag or status exists."""
    who, dot, status = name.partition(".")
    is_stacks = who in ("self", "enemy") and bool(dot) and is_own_status(status)
    return name in AMOUNT_FACTS or is_stacks or _COUNTED_TAG.fullmatch(name) is not None
