"""The condition language of `docs/reference/conditions.md`, for the oracles: answered as it stands, never compiled.

What there is to ask about is a matter of the rule book: an oracle derives its situation from `Situation` and says there
what names mean and which facts exist. Conditions that the project refuses to load are not refused here once more.
"""

from __future__ import annotations

import ast
import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Protocol

Number = int | Fraction

SIGNS: dict[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class Asked(Protocol):
    """Somebody whom a group's question can be put to."""

    def number(self, name: str) -> Number:
        """Answer a fact that is compared."""

    def status(self, name: str) -> bool:
        """Answer a fact that stands alone."""


class Situation(ABC):
    """What somebody who decides sees, and how conditions are answered in it."""

    groups: Mapping[str, Sequence[Asked]]

    @abstractmethod
    def number(self, fact: str) -> Number:
        """Answer a fact of the vocabulary that is compared."""

    @abstractmethod
    def flag(self, fact: str) -> bool | None:
        """Answer a fact of the vocabulary that stands alone; nothing if there is no such fact."""

    @abstractmethod
    def named(self, name: str) -> str | bool | None:
        """Give what a name means, or its answer; nothing if the rule book does not have it."""

    def holds(self, source: object, even: bool = True) -> bool:
        """Answer a condition given as JSON or as text; `even` counts the `not` around it."""
        match source:
            case {"not": inside}:
                return not self.holds(inside, not even)
            case {"all": [*parts]}:
                return all(self.holds(part, even) for part in parts)
            case {"any": [*parts]}:
                return any(self.holds(part, even) for part in parts)
            case str():  # a small part of Python, down to the precedence; only zeros may not lead there
                text = re.sub(r"\b0+(?=\d)", "", source)
                return self._answer(ast.parse(f"({text})", mode="eval").body, even)
        raise ValueError(f"not a condition: {source!r}")

    def _answer(self, node: ast.expr, even: bool) -> bool:
        """Answer a part of a condition that was given as text."""
        match node:
            case ast.BoolOp(op=op, values=values):
                answers = [self._answer(value, even) for value in values]
                return all(answers) if isinstance(op, ast.And) else any(answers)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._answer(operand, not even)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=group), attr="any" | "all" as word), args=[inside]):
                members = [self._ask(unit, inside) for unit in self.groups[group]]
                return any(members) if word == "any" else all(members)
            case ast.Compare(left=fact, ops=[sign], comparators=[bound]):
                right = self._number(bound) if isinstance(bound, ast.Attribute | ast.Name) else whole(bound)
                return SIGNS[type(sign)](self._number(fact), right)
            case ast.Attribute() | ast.Name():
                return self._stands_alone(ast.unparse(node), even)
        raise ValueError(f"not in the language: {ast.dump(node)}")

    def _stands_alone(self, word: str, even: bool) -> bool:
        """Answer a word by itself: a fact, `always`, a named condition, or a name that nobody knows."""
        fact = self.flag(word)
        if fact is not None:
            return fact
        if word == "always":
            return True
        meaning = self.named(word)
        if isinstance(meaning, str):
            return self.holds(meaning, even)
        return even if meaning is None else meaning  # an unknown name must not block a strategy

    def _ask(self, unit: Asked, node: ast.expr) -> bool:
        """Ask a member of a group one status or one comparison."""
        match node:
            case ast.Name(id=status):
                return unit.status(status)
            case ast.Compare(left=ast.Name(id=fact), ops=[sign], comparators=[bound]):
                return SIGNS[type(sign)](unit.number(fact), whole(bound))
        raise ValueError(f"not in the language: {ast.dump(node)}")

    def _number(self, node: ast.expr) -> Number:
        """Answer the left of a comparison: a fact, or a group that is counted."""
        match node:
            case ast.Attribute() | ast.Name():
                return self.number(ast.unparse(node))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=group), attr="count"), args=[inside]):
                return sum(self._ask(member, inside) for member in self.groups[group])
        raise ValueError(f"not in the language: {ast.dump(node)}")


def whole(node: ast.expr) -> int:
    """Read a number."""
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=inside):
            return -whole(inside)
    raise ValueError(f"not a whole number: {ast.dump(node)}")


def filled_in(name: str, families: Mapping[str, str], words: Mapping[str, str]) -> str | None:
    """Give the meaning of a name that belongs to a family, with what stands for its capital letter put in.

    `words` says for each capital what may stand there, as a regular expression.
    """
    for family, meaning in families.items():
        letter = next((capital for capital in words if capital in family.split("_")), None)
        if letter is None:
            if name == family:
                return meaning
            continue
        before, after = family.split(letter)
        found = re.fullmatch(f"{before}({words[letter]}){after}", name)
        if found is not None:
            return re.sub(rf"\b{letter}\b", found[1], meaning)
    return None
