"""The tree of a condition, and its canonical text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fracas.errors import Problem

QUANTIFIERS = ("any", "all", "count")
# A relation for named conditions only (every_N_rounds); players may only write comparisons.
MULTIPLE_OF = "multiple_of"


# The tree. And and Or have at least two parts, none of their own type; the parser ensures this.


@dataclass(frozen=True, slots=True)
class Comparison:
    """A fact compared with a whole number; inside a group it is a fact of the unit in question."""

    fact: str
    operator: str
    number: int


@dataclass(frozen=True, slots=True)
class Versus:
    """A fact compared with another; both are facts of the situation, not of a group's unit."""

    fact: str
    operator: str
    other: str


@dataclass(frozen=True, slots=True)
class Status:
    """A status, which is true or false: `self.stunned`, or `stunned` (no subject) inside a group."""

    subject: str
    status: str


@dataclass(frozen=True, slots=True)
class Group:
    """A question about a group's living units: any and all are true or false, count is compared."""

    group: str
    quantifier: str
    inner: Comparison | Status
    operator: str | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A named condition as written, with its definition."""

    name: str
    tree: Tree


@dataclass(frozen=True, slots=True)
class And:
    """True if all parts are true."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """True if any part is true."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """True if its part is false."""

    part: Tree


@dataclass(frozen=True, slots=True)
class Constant:
    """`always`, or an unknown name, with the value that does not block."""

    value: bool
    name: str


Tree: TypeAlias = Comparison | Versus | Status | Group | Named | And | Or | Not | Constant

ALWAYS = Constant(True, "always")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A condition's tree (None if there is no condition) and its warnings."""

    tree: Tree | None
    warnings: tuple[Problem, ...] = ()


# From the tree back to text.


def to_text(tree: Tree | None) -> str:
    """Format a condition as text, with no more parentheses than needed; empty if there is none."""
    return "" if tree is None else text_of(tree)


def text_of(tree: Tree) -> str:
    """Format a tree in its canonical spelling, with no more parentheses than needed."""
    match tree:
        case Or(parts):
            return " or ".join(text_of(part) for part in parts)
        case And(parts):
            return " and ".join(_within(part, Or) for part in parts)
        case Not(part):
            return f"not {_within(part, Or, And)}"
        case Comparison(fact, operator, right) | Versus(fact, operator, right):
            return f"{fact} {operator} {right}"
        case Status(subject, status):
            return f"{subject}.{status}" if subject else status
        case Group(group, quantifier, inner, operator, number):
            return f"{group}.{quantifier}({text_of(inner)})" + (f" {operator} {number}" if operator else "")
        case Named(name) | Constant(_, name):
            return name


def _within(tree: Tree, *looser: type[Or] | type[And]) -> str:
    return f"({text_of(tree)})" if isinstance(tree, looser) else text_of(tree)
