"""What an agent sees of a game's battle: all numbers of both sides, of which it may know, scaled by declared bounds.

An observation is the round, the options, the battle's State, the own side, then the other; of the other nothing that is
hidden. A number of a file is a part of its bound, State of the bound of what it is a part of (`of`) or starts with;
where nothing bounds it, State is in hundreds and cut at 1. A number of a file that nothing bounds is in hundreds too,
and never cut, so that contents that differ never look equal. An author's `observation` replaces all of this.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np
from blake3 import blake3

from fracas.errors import InputError
from fracas.kit.declare.fields import MOST, Role
from fracas.kit.derive.functions import Functions
from fracas.kit.derive.shape import Field, Form, Plan, Shape, field_at, file_name, texts_below
from fracas.kit.rules_hash import rules_hash
from fracas.rulesets.contract.agents import Feature

# What numbers without a bound are divided by, before they are cut at 1.
UNBOUNDED = 100
OWN, ENEMY = "own", "enemy"
_SHOWN = (Role.GIVEN, Role.LIST, Role.COUNT, Role.STATE, Role.BOARD, Role.REFERENCE)


@dataclass(frozen=True)
class Sight:
    """What agents see, and the source of the kernel that writes it."""

    features: tuple[Feature, ...]
    source: str
    """Defines `kit_see(battle, number, who, seen)`: what side `number` sees while unit `who` may act."""
    key: str
    """The observation hash: names, bounds, and the author's `observation`."""


def sight_of(shape: Shape, functions: Functions, layout: np.dtype[Any]) -> Sight:
    """What agents see in a game's battles.

    Raises:
        InputError: the author's `observation` does not return a NamedTuple of numbers.
    """
    own = functions.replaced.get("observation")
    if own is not None:
        return _own_sight(shape, own, layout)
    seer = _Seer(shape, functions.chooser_is_unit)
    source = seer.source()
    features = tuple(seer.features())
    return Sight(features, source, _key(features, source))


def _key(features: tuple[Feature, ...], rest: str) -> str:
    lines = [f"{each.name} {each.low} {each.high}" for each in features]
    return blake3("\n".join([*lines, rest]).encode()).hexdigest()


_HUNDREDS = """\
def kit_hundreds_of(value, bound):
    return value / bound
"""
_SHARES = """\
def kit_part_of(value, bound):
    return min(max(value / bound, 0.0), 1.0)

def kit_signed_part_of(value, bound):
    return min(max(value / bound, -1.0), 1.0)
"""


@dataclass
class _Seer:
    """Writes features and source side by side, from the same walk over the declarations."""

    shape: Shape
    marks_actor: bool
    """Whether a unit acts, so that agents must see which."""
    written: dict[tuple[type, str], str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    # -- what is seen ------------------------------------------------------------------------------------------------

    def features(self) -> Iterator[Feature]:
        """All entries, in order."""
        yield Feature("round", "the round, of the round cap", "share", 0, 1)
        yield from self._features(self.shape.options, "options", "")
        yield from self._features(self.shape.battle, "battle", "")
        for whose in (OWN, ENEMY):
            yield from self._features(self.shape.side, whose, whose)

    def _features(self, plan: Plan, path: str, whose: str, vitals: bool = True) -> Iterator[Feature]:
        vital = self.shape.vital(plan) if plan in self._with_bars() else None
        for each in self._seen(plan, whose):
            names = [f"{each.name}.{index + 1}" for index in range(each.length)] if each.is_list else [each.name]
            for name in names:
                if each.form is Form.RECORD:
                    yield from self._features(self.shape.of(each.part), f"{path}.{name}", whose)
                else:
                    yield self._feature(plan, each, f"{path}.{name}", is_vital=each is vital)
            if each.role is Role.LIST and self._derives_count(plan, each):
                meaning = f"how many {each.name} there are"
                yield Feature(f"{path}.{plan.counts[each.name]}", meaning, f"of {each.length}", 0, 1)
        if self._is_marked(plan):
            yield Feature(f"{path}.acting", "whether it is the turn of this one", "0 or 1", 0, 1)

    def _with_bars(self) -> tuple[Plan, ...]:
        """Whose bars tell how a battle stands."""
        return (self.shape.side if self.shape.units is None else self.shape.unit,)

    def _feature(self, plan: Plan, each: Field, name: str, *, is_vital: bool) -> Feature:
        bound = self._bound(plan, each)
        words = each.doc.partition("\n")[0].rstrip(".") or each.name.replace("_", " ")
        unit = f"of {bound:,}" if bound else "hundreds, at most 1"
        if each.form is Form.FLAG:
            unit = "0 or 1"
        elif each.form is Form.ENUM:
            words += f": {', '.join(f'{file_name(member)} {int(member)}' for member in each.enum)}"
        if self._is_whole(plan, each):
            return Feature(name, words, "hundreds", each.spec.low / UNBOUNDED, each.spec.high / UNBOUNDED, is_vital)
        return Feature(name, words, unit, -1 if self._is_signed(each) else 0, 1, is_vital)

    def _seen(self, plan: Plan, whose: str) -> list[Field]:
        """The fields of a record that a side sees: all of its own, of others none that is hidden."""
        return [
            each
            for each in plan.fields
            if each.role in _SHOWN
            and each.form is not Form.TEXT
            and not (each.role is Role.BOARD and not each.spec.letters)
            and not (each.spec.is_hidden and whose != OWN)
            # What the round is a part of.
            and not (plan is self.shape.options and each.name == "round_cap")
        ]

    def _derives_count(self, plan: Plan, each: Field) -> bool:
        return all(other.role is not Role.COUNT or other.spec.field != each.name for other in plan.fields)

    def _is_marked(self, plan: Plan) -> bool:
        return self.marks_actor and self.shape.units is not None and plan is self.shape.unit

    def _is_whole(self, plan: Plan, each: Field) -> bool:
        """Whether a number is seen without a cut: a file's number that nothing bounds."""
        return each.form is Form.NUMBER and each.role is Role.GIVEN and not self._bound(plan, each)

    def _is_signed(self, each: Field) -> bool:
        if each.form is not Form.NUMBER or each.role is Role.COUNT:
            return False
        return each.is_state or each.spec.low < 0

    def _bound(self, plan: Plan, each: Field, seen: frozenset[str] = frozenset()) -> int:
        """What a number is divided by; 0 if nothing bounds it."""
        spec = each.spec
        if each.form is Form.FLAG:
            return 1
        if each.form is Form.ENUM:
            return max(1, *(int(member) for member in each.enum))
        if spec.board:
            assert self.shape.board is not None
            return max(1, self.shape.board.spec.capacity - 1)
        if each.role is Role.COUNT:
            return plan.by_name[spec.field].length
        if each.role is Role.REFERENCE:
            target = field_at(self.shape, plan, spec.field)
            return target.length if target is not None else 0
        if each.is_state:
            for path in (spec.of, spec.starts):
                found = self._bounded_at(plan, path, seen | {each.name})
                if found:
                    return found
            return 0
        widest = max(abs(spec.low), abs(spec.high))
        return widest if 0 < widest < MOST else 0

    def _bounded_at(self, plan: Plan, path: str, seen: frozenset[str]) -> int:
        found = field_at(self.shape, plan, path) if path and path not in seen else None
        if found is None or found.form is Form.RECORD:
            return 0
        return self._bound(self._plan_at(plan, path), found, seen)

    def _plan_at(self, plan: Plan, path: str) -> Plan:
        """The record in which the field at a dotted path lies."""
        parts = path.split(".")
        if parts[0] == "options" and "options" not in plan.by_name:
            plan, parts = self.shape.options, parts[1:]
        for part in parts[:-1]:
            plan = self.shape.of(plan.by_name[part].part)
        return plan

    # -- the kernel that writes it -----------------------------------------------------------------------------------

    def source(self) -> str:
        """The source of `kit_see` and of what it calls."""
        lines = ["seen[0] = kit_part_of(battle.tick, battle.options.round_cap)"]
        at = 1
        for plan, record, whose in (
            (self.shape.options, "battle.options", ""),
            (self.shape.battle, "battle", ""),
            (self.shape.side, "battle.sides[number]", OWN),
            (self.shape.side, "battle.sides[1 - number]", ENEMY),
        ):
            lines.append(f"{self._function(plan, whose)}({record}, who, seen, {at})")
            at += self._width(plan, whose)
        body = "\n    ".join(lines)
        # Only where it is used, so that other games keep their observation hash.
        more = [_HUNDREDS] if any("kit_hundreds_of" in text for text in self.texts) else []
        return "\n\n".join([_SHARES, *more, *self.texts, f"def kit_see(battle, number, who, seen):\n    {body}\n"])

    def _width(self, plan: Plan, whose: str) -> int:
        return sum(1 for _ in self._features(plan, "", whose))

    def _function(self, plan: Plan, whose: str) -> str:
        """The name of the function that writes a record, from entry `at` on; it is written once."""
        key = (plan.cls, whose if self._has_hidden(plan) else "")
        if key not in self.written:
            lines = list(self._lines(plan, whose)) or ["pass"]
            name = self.written[key] = f"kit_see_{len(self.written)}"
            self.texts.append(f"def {name}(record, who, seen, at):\n    " + "\n    ".join(lines))
        return self.written[key]

    def _has_hidden(self, plan: Plan) -> bool:
        """Whether a record shows its own side more than the other."""
        return any(
            each.spec.is_hidden or (each.form is Form.RECORD and self._has_hidden(self.shape.of(each.part)))
            for each in self._seen(plan, OWN)
        )

    def _lines(self, plan: Plan, whose: str) -> Iterator[str]:
        at = 0
        for each in self._seen(plan, whose):
            if each.form is Form.RECORD:
                inner = self.shape.of(each.part)
                width, name = self._width(inner, whose), self._function(inner, whose)
                if each.is_list:
                    yield f"for place in range({each.length}):"
                    yield f"    {name}(record.{each.name}[place], who, seen, at + {at} + place * {width})"
                else:
                    yield f"{name}(record.{each.name}, who, seen, at + {at})"
                at += each.length * width
            else:
                share = "kit_signed_part_of" if self._is_signed(each) else "kit_part_of"
                share = "kit_hundreds_of" if self._is_whole(plan, each) else share
                bound = float(self._bound(plan, each) or UNBOUNDED)
                if each.is_list:
                    yield f"for place in range({each.length}):"
                    yield f"    seen[at + {at} + place] = {share}(record.{each.name}[place], {bound})"
                else:
                    yield f"seen[at + {at}] = {share}(record.{each.name}, {bound})"
                at += each.length
            if each.role is Role.LIST and self._derives_count(plan, each):
                yield f"seen[at + {at}] = kit_part_of(record.{plan.counts[each.name]}, {float(each.length)})"
                at += 1
        if self._is_marked(plan):
            yield f"seen[at + {at}] = 1.0 if record.number == who else 0.0"


def _own_sight(shape: Shape, function: FunctionType, layout: np.dtype[Any]) -> Sight:
    """What the author's `observation` shows: each field of the NamedTuple that it returns is an entry, from -1 to 1.

    Raises:
        InputError: it returns something else, or takes other parameters.
    """
    where = f"{inspect.getsourcefile(function) or shape.module.__name__}: observation"
    kind = typing.get_type_hints(function).get("return")
    if not (isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")):
        shown = getattr(kind, "__name__", kind)
        hint = "write a class Seen(NamedTuple) with a float for each number that agents see, and return one"
        raise InputError.of(where, f"returns {shown}, and entries need names", hint)
    parameters = len(inspect.signature(function).parameters)
    if parameters not in (2, 3):
        hint = "write observation(battle: Duel, me: Player) -> Seen; a third parameter is the number of the unit to act"
        raise InputError.of(where, "takes other parameters than the kit passes", hint)
    texts = texts_below(kind)
    names: tuple[str, ...] = kind._fields
    features = tuple(
        Feature(name, texts.get(name, name.replace("_", " ")).rstrip("."), "at most 1", -1, 1) for name in names
    )
    rest = ", who" if parameters == 3 else ""
    lines = [f"found = own_observation(battle, battle.sides[number]{rest})"]
    lines += [f"seen[{index}] = kit_signed_part_of(found[{index}], 1.0)" for index in range(len(names))]
    source = _SHARES + "\n\ndef kit_see(battle, number, who, seen):\n    " + "\n    ".join(lines) + "\n"
    rules = rules_hash({"observation": function}, layout, {}, (), shape.module.__name__)
    return Sight(features, source, _key(features, rules))
