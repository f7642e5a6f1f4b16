"""A small vocabulary, situations to ask about, a naive evaluator, and random trees: what the tests here share."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from fracas.conditions import (
    ALWAYS,
    MULTIPLE_OF,
    Alias,
    And,
    Comparison,
    Constant,
    Fact,
    FactKind,
    Flag,
    Group,
    Named,
    Not,
    Or,
    Status,
    Tree,
    Units,
    Versus,
    Vocabulary,
    parse,
)
from fracas.errors import InputError, Problem

ALLIES, ENEMIES = 1, 2
STATUSES = ("stunned", "shielded", "poisoned")
UNKNOWN = ("zzz", "ally_hp_blow_5", "typo")

VOCABULARY = Vocabulary(
    facts=(
        Fact("self.hp_pct", 0, FactKind.PERCENT, "The unit's share of its HP."),
        Fact("self.charge", 1, FactKind.PLAIN, "The unit's charge.", high=100),
        Fact("allies.count", 2, FactKind.COUNT, "Living allies."),
        Fact("enemies.count", 3, FactKind.COUNT, "Living enemies."),
        Fact("round", 4, FactKind.ROUND, "The round."),
        Fact("self.attack", 5, FactKind.PLAIN, "The unit's attack, which may be below zero.", low=-999, high=9999),
        Fact("used", 6, FactKind.COUNT, "How often this was used."),
        Fact("foe.share", 8, FactKind.PERCENT, "The first enemy's share of its HP."),
        Fact("boss_present", 7, FactKind.FLAG, "A boss is there."),
        *(
            Fact(f"self.{name}", 100 + place, FactKind.FLAG, f"The unit is {name}.")
            for place, name in enumerate(STATUSES)
        ),
    ),
    groups=(
        Units("allies", ALLIES, "The unit's side, the unit included."),
        Units("enemies", ENEMIES, "The others.", 5),
    ),
    unit_facts=(
        Fact("hp_pct", 0, FactKind.PERCENT, "Share of HP."),
        Fact("charge", 1, FactKind.PLAIN, "Charge.", high=100),
    ),
    statuses=tuple(Flag(name, 10 + place, f"Is {name}.") for place, name in enumerate(STATUSES)),
    names=(
        Alias("ally_hp_below_N", "allies.any(hp_pct < N)", "An ally has less than N per cent."),
        Alias("self_hp_below_N", "self.hp_pct < N", "The unit has less than N per cent."),
        Alias("self_hp_from_N_to_M", "self.hp_pct >= N and self.hp_pct <= M", "The unit has N to M per cent."),
        Alias("enemy_count_gte_N", "enemies.count >= N", "N enemies or more."),
        Alias("round_gte_N", "round >= N", "From round N on."),
        Alias("self_has_X", "self.X", "The unit is X."),
        Alias("self_has_buff", "self.shielded", "The unit has something good."),
        Alias("self_lacks_X", "not self_has_X", "The unit is not X."),
        Alias("enemy_has_X", "enemies.any(X)", "An enemy is X."),
        Alias("no_allies_have_buff", "not allies.any(shielded)", "No ally has something good."),
        Alias("every_N_rounds", "round multiple_of N", "In every Nth round."),
        Alias("once", "used == 0", "Only once."),
    ),
)


def tree_of(source: object, **options: bool) -> Tree:
    tree = parse(source, VOCABULARY, where="when", **options).tree
    assert tree is not None
    return tree


def problems_of(source: object, **options: bool) -> tuple[Problem, ...]:
    try:
        parse(source, VOCABULARY, where="when", **options)
    except InputError as error:
        return error.problems
    return ()


@dataclass(frozen=True)
class Someone:
    hp: int
    max_hp: int
    charge: int = 0
    statuses: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Situation:
    """Everything that the example vocabulary can ask about; `scalars` holds what is not about a side or the unit."""

    allies: tuple[Someone, ...]
    enemies: tuple[Someone, ...] = ()
    scalars: Mapping[str, int] = field(default_factory=dict)

    def scalar(self, name: str) -> Fraction:
        unit = self.allies[0]
        known: dict[str, int | Fraction] = {
            "self.hp_pct": Fraction(100 * unit.hp, unit.max_hp),
            "self.charge": unit.charge,
            "foe.share": Fraction(100 * self.enemies[0].hp, self.enemies[0].max_hp) if self.enemies else 0,
            "allies.count": len(self.group("allies")),
            "enemies.count": len(self.group("enemies")),
        }
        for status in STATUSES:
            known[f"self.{status}"] = status in unit.statuses
        return Fraction(known.get(name, self.scalars.get(name, 0)))

    def group(self, name: str) -> list[Someone]:
        return [unit for unit in (self.allies if name == "allies" else self.enemies) if unit.hp > 0]


RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    MULTIPLE_OF: lambda left, right: left % right == 0,
}


def naive(tree: Tree, situation: Situation, unknown: Mapping[str, bool] | None = None) -> bool:
    """What a condition means, as directly as it can be said; `unknown` gives values to unknown names."""
    match tree:
        case And(parts):
            return all(naive(part, situation, unknown) for part in parts)
        case Or(parts):
            return any(naive(part, situation, unknown) for part in parts)
        case Not(part):
            return not naive(part, situation, unknown)
        case Named(_, meaning):
            return naive(meaning, situation, unknown)
        case Constant(value, name):
            return (unknown or {}).get(name, value)
        case Comparison(fact, relation, number):
            return RELATIONS[relation](situation.scalar(fact), number)
        case Versus(fact, relation, other):
            return RELATIONS[relation](situation.scalar(fact), situation.scalar(other))
        case Status(subject, status):
            return situation.scalar(f"{subject}.{status}" if subject else status) == 1
        case Group(group, quantifier, inner, relation, number):
            answers = [_of_unit(inner, unit) for unit in situation.group(group)]
            if quantifier == "count":
                return RELATIONS[relation or ""](sum(answers), number)
            return any(answers) if quantifier == "any" else all(answers)


def _of_unit(inner: Comparison | Status, unit: Someone) -> bool:
    if isinstance(inner, Status):
        return inner.status in unit.statuses
    value = Fraction(100 * unit.hp, unit.max_hp) if inner.fact == "hp_pct" else Fraction(unit.charge)
    return RELATIONS[inner.operator](value, inner.number)


relations = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])


def _comparisons(facts: tuple[Fact, ...]) -> st.SearchStrategy[Comparison]:
    numeric = st.sampled_from([fact for fact in facts if fact.kind is not FactKind.FLAG])
    # Small numbers as well as the whole range, or counts and rounds would never come near what they are compared with.
    return numeric.flatmap(
        lambda fact: st.builds(
            Comparison,
            st.just(fact.name),
            relations,
            st.integers(*fact.limits) | st.integers(max(fact.limits[0], 0), min(fact.limits[1], 6)),
        )
    )


def _contests(facts: tuple[Fact, ...]) -> st.SearchStrategy[Versus]:
    names = [
        (one.name, other.name)
        for one in facts
        for other in facts
        if one is not other and FactKind.FLAG not in (one.kind, other.kind)
        if (one.kind is FactKind.PERCENT) == (other.kind is FactKind.PERCENT)
    ]
    return st.builds(lambda pair, relation: Versus(pair[0], relation, pair[1]), st.sampled_from(names), relations)


_names = (
    st.builds("{}{}".format, st.sampled_from(["ally_hp_below_", "self_hp_below_"]), st.integers(0, 100))
    | st.builds("{}{}".format, st.sampled_from(["enemy_count_gte_", "round_gte_"]), st.integers(0, 8))
    | st.builds("every_{}_rounds".format, st.integers(1, 4))
    | st.builds("self_hp_from_{}_to_{}".format, st.integers(0, 100), st.integers(0, 100))
    | st.builds("{}{}".format, st.sampled_from(["self_has_", "self_lacks_", "enemy_has_"]), st.sampled_from(STATUSES))
    | st.sampled_from(["self_has_buff", "no_allies_have_buff", "once", "always"])
)
_inner = _comparisons(VOCABULARY.unit_facts) | st.builds(Status, st.just(""), st.sampled_from(STATUSES))
_group_names = st.sampled_from(["allies", "enemies"])
_leaves: st.SearchStrategy[Tree] = st.one_of(
    _comparisons(VOCABULARY.facts),
    _contests(VOCABULARY.facts),
    st.builds(Status, st.just("self"), st.sampled_from(STATUSES)),
    st.just(Status("", "boss_present")),
    st.builds(Group, _group_names, st.sampled_from(["any", "all"]), _inner),
    st.builds(Group, _group_names, st.just("count"), _inner, relations, st.integers(0, 5)),
    _names.map(tree_of),
)
_unknown: st.SearchStrategy[Tree] = st.builds(Constant, st.just(True), st.sampled_from(UNKNOWN))


def normal(tree: Tree, negated: bool = False) -> Tree:
    """A tree as parsing leaves it: runs of one kind flattened, unknown names with the value that never blocks."""
    match tree:
        case And(parts) | Or(parts):
            kind = type(tree)
            flat: list[Tree] = []
            for part in (normal(part, negated) for part in parts):
                flat.extend(part.parts if isinstance(part, kind) else [part])
            return kind(tuple(flat))
        case Not(part):
            return Not(normal(part, not negated))
        case Constant(_, name) if tree != ALWAYS:
            return Constant(not negated, name)
    return tree


def _combined(parts: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    several = st.lists(parts, min_size=2, max_size=4).map(tuple)
    return st.one_of(st.builds(And, several), st.builds(Or, several), st.builds(Not, parts))


trees: st.SearchStrategy[Tree] = st.recursive(_leaves | _unknown, _combined, max_leaves=16).map(normal)

_someone = st.builds(
    lambda max_hp, share, charge, statuses: Someone(max_hp * share // 100, max_hp, charge, statuses),
    st.integers(1, 400),
    st.integers(0, 100),
    st.integers(0, 100),
    st.frozensets(st.sampled_from(STATUSES)),
)
situations: st.SearchStrategy[Situation] = st.builds(
    Situation,
    st.lists(_someone, min_size=1, max_size=5).map(tuple),
    st.lists(_someone, max_size=5).map(tuple),
    st.fixed_dictionaries(
        {
            "round": st.integers(1, 12),
            "self.attack": st.integers(-20, 20),
            "used": st.integers(0, 3),
            "boss_present": st.integers(0, 1),
        }
    ),
)
