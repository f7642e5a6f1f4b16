"""Reads a game's classes into plans: which records there are, with which fields, and what each field is.

Everything else in this folder reads plans, never classes. Faults of the author's are collected and told all at once,
with the class and the field.
"""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import cached_property
from types import ModuleType
from typing import Any

from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest
from fracas.kit.declare.dice import MOST_UNITS
from fracas.kit.declare.fields import Role, Spec
from fracas.kit.declare.records import (
    Battle,
    Condition,
    Content,
    Declared,
    Dice,
    Options,
    OptionsT,
    Side,
    SideT,
    Strategy,
    Unit,
)

# Names that the kit needs for itself, in every record.
RESERVED = frozenset({"number", "side", "place", "winner", "reason", "tick", "dice", "asked", "actor", "entry"})
OWN_PREFIX = "kit_"


class Form(Enum):
    """How a field is kept."""

    NUMBER = "number"
    FLAG = "flag"
    ENUM = "enum"
    TEXT = "text"
    RECORD = "record"
    PROGRAM = "program"
    """A condition or a strategy."""


@dataclass(frozen=True)
class Field:
    """One field of a record."""

    name: str
    spec: Spec
    form: Form
    part: type
    """The enumeration or the record class; `int`, `bool` or `str` otherwise."""
    is_list: bool
    doc: str

    @property
    def role(self) -> Role:
        """What the field is."""
        return self.spec.role

    @property
    def is_given(self) -> bool:
        """Whether files say it and rules read it."""
        return self.role in (Role.GIVEN, Role.LIST, Role.REFERENCE) or (
            self.role is Role.BOARD and bool(self.spec.letters)
        )

    @property
    def is_in_files(self) -> bool:
        """Whether files say it."""
        return self.is_given or self.role in (Role.TEXT, Role.CONDITION, Role.STRATEGY)

    @property
    def is_state(self) -> bool:
        """Whether rules change it."""
        return self.role is Role.STATE

    @property
    def enum(self) -> type[IntEnum]:
        """The enumeration of a field of that form."""
        return self.part

    @property
    def length(self) -> int:
        """How many places a list has in the record, with its reserve; 1 for what is no list."""
        return self.spec.capacity + self.spec.reserve if self.is_list else 1


@dataclass(frozen=True)
class Plan:
    """One class of records."""

    cls: type[Declared]
    fields: tuple[Field, ...]
    doc: str

    @cached_property
    def by_name(self) -> Mapping[str, Field]:
        """The fields by name."""
        return {each.name: each for each in self.fields}

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.cls.__name__

    @property
    def kind(self) -> str:
        """The list of content files that holds such entries; empty for none."""
        return self.cls.KIND

    @property
    def is_unit(self) -> bool:
        """Whether these are units."""
        return issubclass(self.cls, Unit)

    @property
    def given(self) -> list[Field]:
        """The fields that files say, without the name."""
        return [each for each in self.fields if each.is_in_files and each.name != "name"]

    @property
    def states(self) -> list[Field]:
        """The fields that rules change."""
        return [each for each in self.fields if each.is_state]

    @cached_property
    def counts(self) -> Mapping[str, str]:
        """The name of the count of each list of records or given values."""
        named = {each.spec.field: each.name for each in self.fields if each.role is Role.COUNT}
        lists = [each.name for each in self.fields if each.role is Role.LIST]
        return {name: named.get(name, f"{name}_count") for name in lists}


@dataclass(frozen=True)
class Shape:
    """All records of a game."""

    battle: Plan
    side: Plan
    options: Plan
    plans: Mapping[type, Plan]
    units: Field | None
    """The list of units of a side; None in games without units."""
    module: ModuleType

    def of(self, part: type) -> Plan:
        """The plan of a class."""
        return self.plans[part]

    @property
    def unit(self) -> Plan:
        """The plan of the units of a game that has some."""
        assert self.units is not None
        return self.plans[self.units.part]

    @property
    def content_of_units(self) -> Field | None:
        """The content that stands in a unit's place, which the unit is called by; None for none."""
        given = [] if self.units is None else self.unit.given
        return next((each for each in given if each.form is Form.RECORD and not each.is_list), None)

    @property
    def capacity(self) -> int:
        """How many places for units a side has."""
        return 0 if self.units is None else self.units.length

    @property
    def most_units(self) -> int:
        """How many numbers units have."""
        return 2 * self.capacity

    @cached_property
    def kinds(self) -> Mapping[str, Plan]:
        """The kinds of content, by their lists in files."""
        return {plan.kind: plan for plan in self.plans.values() if plan.kind}

    @cached_property
    def enums(self) -> Mapping[str, type[IntEnum]]:
        """The enumerations of all fields, by the names of their classes."""
        found = [each.enum for plan in self.plans.values() for each in plan.fields if each.form is Form.ENUM]
        return {each.__name__: each for each in dict.fromkeys(found)}

    @cached_property
    def board(self) -> Field | None:
        """The board of the game, of its options or its battle; None for none."""
        boards = [each for plan in (self.options, self.battle) for each in plan.fields if each.role is Role.BOARD]
        return boards[0] if boards else None

    def vital(self, plan: Plan) -> Field | None:
        """The State that bars show: the first with `of`; None for none."""
        return next((each for each in plan.states if each.spec.of), None)


def shape_of(battle: type[Battle[Any, Any]], module: ModuleType) -> Shape:
    """Read a game's classes, from its battle on.

    Raises:
        InputError: everything that is wrong with them.
    """
    reader = _Reader(module)
    try:
        arguments = _arguments(battle)
    except LookupError:
        where = f"{reader.where}: {battle.__name__}"
        raise InputError.of(
            where, "is no battle of a side and options", "write class Duel(Battle[Player, Rules])"
        ) from None
    reader.given = dict(zip((SideT, OptionsT), arguments, strict=True))
    whole = reader.read(battle)
    side, options = (reader.plans.get(each) for each in arguments)
    if side is None or options is None or not issubclass(side.cls, Side) or not issubclass(options.cls, Options):
        reader.complain(battle.__name__, "", "needs a class of Side, then one of Options, in brackets")
        raise InputError(reader.problems)
    lists = [
        each
        for each in side.fields
        if each.role is Role.LIST and each.form is Form.RECORD and issubclass(each.part, Unit)
    ]
    for other in lists[1:]:
        reader.complain(side.name, other.name, f"is a second list of units; {lists[0].name} is one already")
    if lists and 2 * lists[0].length > MOST_UNITS:
        reader.complain(side.name, lists[0].name, f"has more than {MOST_UNITS // 2:,} places")
    if reader.problems:
        raise InputError(reader.problems)
    shape = Shape(whole, side, options, reader.plans, lists[0] if lists else None, module)
    problems = list(_dangling_paths(shape, reader.where))
    if problems:
        raise InputError(problems)
    return shape


def _arguments(battle: type) -> tuple[type, ...]:
    """The classes in the brackets of Battle."""
    for owner in battle.__mro__:
        for base in getattr(owner, "__orig_bases__", ()):
            if typing.get_origin(base) is Battle:
                found = typing.get_args(base)
                if all(isinstance(each, type) for each in found):
                    return found
    raise LookupError


@dataclass
class _Reader:
    """Reads classes, each once."""

    module: ModuleType
    given: Mapping[Any, type] = field(default_factory=dict)
    plans: dict[type, Plan] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    open: list[type] = field(default_factory=list)

    @property
    def where(self) -> str:
        return str(getattr(self.module, "__file__", None) or self.module.__name__)

    def complain(self, owner: str, name: str, message: str, hint: str | None = None) -> None:
        place = f"{owner}.{name}" if name else owner
        self.problems.append(Problem(f"{self.where}: {place}", message, hint))

    def read(self, cls: type) -> Plan:
        """The plan of a class and, before it, of all that it contains."""
        if cls in self.plans:
            return self.plans[cls]
        self.open.append(cls)
        hints = typing.get_type_hints(cls, localns={"KIND": str})
        texts = texts_below(cls)
        found = [
            made
            for name, hint in hints.items()
            if name != "KIND" and (made := self._field(cls, name, hint, texts.get(name, ""))) is not None
        ]
        self.open.pop()
        plan = Plan(cls, tuple(found), inspect.cleandoc(cls.__doc__ or "") if "__doc__" in vars(cls) else "")
        self._check(plan)
        self.plans[cls] = plan
        return plan

    def _field(self, cls: type, name: str, hint: Any, doc: str) -> Field | None:
        spec = getattr(cls, name, None)
        hint = self.given.get(hint, hint)
        is_list = typing.get_origin(hint) is list
        part = typing.get_args(hint)[0] if is_list else hint
        part = self.given.get(part, part)
        if part is Dice:
            return Field(name, Spec(Role.OWN), Form.NUMBER, int, False, doc)
        if not isinstance(spec, Spec):
            if spec is not None:
                self.complain(
                    cls.__name__, name, f"is {spec!r}, and fields are declared", "write for example number(1, 9)"
                )
                return None
            if is_list:
                self.complain(cls.__name__, name, "is a list of unknown length", "write up_to(5), or state(capacity=5)")
                return None
            if part is int:
                self.complain(cls.__name__, name, "is a number without bounds", "write number(1, 100), or state()")
                return None
            spec = Spec(Role.GIVEN)
        if name == "sides" and issubclass(cls, Battle):
            spec = Spec(Role.OWN, capacity=2)
        form = self._form(cls, name, part)
        if form is None:
            return None
        if form is Form.RECORD:
            if part in self.open and spec.role is not Role.OWN:
                names = " > ".join(each.__name__ for each in [*self.open[self.open.index(part) :], part])
                self.complain(cls.__name__, name, f"contains itself: {names}", "name it by ref() instead")
                return None
            self.read(part)
        if is_list and not spec.capacity:
            self.complain(cls.__name__, name, "is a list of unknown length", "write state(capacity=5)")
            return None
        return Field(name, spec, form, part, is_list, doc)

    def _form(self, cls: type, name: str, part: Any) -> Form | None:
        if isinstance(part, type):
            if issubclass(part, Declared):
                return Form.RECORD
            if issubclass(part, Condition | Strategy):
                return Form.PROGRAM
            if issubclass(part, IntEnum):
                return Form.ENUM
            known = {int: Form.NUMBER, bool: Form.FLAG, str: Form.TEXT}
            if part in known:
                return known[part]
        shown = getattr(part, "__name__", str(part))
        message = f"is of type {shown}, which records cannot hold"
        self.complain(cls.__name__, name, message, "use int, bool, an IntEnum, a class of the kit, or a list of these")
        return None

    def _check(self, plan: Plan) -> None:
        own = {name for base in plan.cls.__mro__ if base.__module__ == Declared.__module__ for name in vars(base)}
        for each in plan.fields:
            if each.name in RESERVED and each.role is not Role.OWN:
                self.complain(plan.name, each.name, "is a name that the kit needs", "take another one")
            if each.name in own and each.role not in (Role.OWN, Role.TEXT, Role.GIVEN):
                self.complain(plan.name, each.name, "is a name that the kit needs", "take another one")
            if each.name.startswith(OWN_PREFIX):
                self.complain(plan.name, each.name, f"begins with {OWN_PREFIX}, as only fields of the kit do")
            if each.is_state and not issubclass(plan.cls, Unit | Side | Battle):
                message = "is State, which only units, sides and the battle have"
                self.complain(plan.name, each.name, message, "declare it there, with starts= if it has a value")
            wanted = {Role.CONDITION: Condition, Role.STRATEGY: Strategy}.get(each.role)
            if (each.form is Form.PROGRAM or wanted is not None) and (each.part is not wanted or each.is_list):
                message = "is declared as one thing and annotated as another"
                advice = "write when: Condition = condition(), or plan: Strategy = strategy()"
                self.complain(plan.name, each.name, message, advice)
            if each.spec.in_result and not issubclass(plan.cls, Side | Battle):
                self.complain(plan.name, each.name, "is no part of a result", "only State of a side or the battle is")
            if each.role is Role.COUNT and each.spec.field not in plan.counts:
                lists = [other.name for other in plan.fields if other.role is Role.LIST]
                hint = nearest(each.spec.field, lists)
                self.complain(
                    plan.name, each.name, f'counts "{each.spec.field}", which is no list of {plan.name}', hint
                )
            if each.form is Form.ENUM and any(int(member) < 0 for member in each.enum):
                self.complain(plan.name, each.name, f"{each.enum.__name__} has a member below 0")
        counted = set(plan.counts.values()) - {each.name for each in plan.fields if each.role is Role.COUNT}
        for each in plan.fields:
            if each.name in counted:
                self.complain(plan.name, each.name, "is the name of a list's count", "declare it with count()")
        if issubclass(plan.cls, Content) and plan.kind and plan.kind in ("profiles", "sides", "options", "seed", "id"):
            self.complain(plan.name, "", f'cannot be the kind "{plan.kind}": files have this key already')


def _dangling_paths(shape: Shape, where: str) -> Iterator[Problem]:
    """Paths of `starts`, `of`, `ref`, `board` and `turns` that lead nowhere."""
    for plan in shape.plans.values():
        for each in plan.fields:
            spec = each.spec
            for word, path in (("starts", spec.starts), ("of", spec.of)):
                if not isinstance(path, str):
                    message = f"{word}={path!r} is no text; it names a field, such as one of number(default=...)"
                    yield Problem(f"{where}: {plan.name}.{each.name}", message)
                elif path and field_at(shape, plan, path) is None:
                    known = [other.name for other in plan.fields if other.role is not Role.TEXT]
                    message = f'{word}="{path}" leads to no field'
                    yield Problem(f"{where}: {plan.name}.{each.name}", message, nearest(path, known))
            if each.role is Role.REFERENCE:
                target = field_at(shape, plan, spec.field)
                if target is None or not target.is_list or target.form is not Form.RECORD:
                    yield Problem(f"{where}: {plan.name}.{each.name}", f'"{spec.field}" is no list of entries')
            if spec.board and (shape.board is None or shape.board.name != spec.board):
                yield Problem(f"{where}: {plan.name}.{each.name}", f'there is no board "{spec.board}"')
            if spec.turns and spec.turns not in plan.by_name:
                yield Problem(f"{where}: {plan.name}.{each.name}", f'turns="{spec.turns}" is no field of {plan.name}')


def field_at(shape: Shape, plan: Plan, path: str) -> Field | None:
    """The field at a dotted path, from a record or from `options`; None if the path leads nowhere."""
    parts: Sequence[str] = path.split(".")
    if parts[0] == "options" and "options" not in plan.by_name:
        plan, parts = shape.options, parts[1:]
    found: Field | None = None
    for index, part in enumerate(parts):
        found = plan.by_name.get(part)
        if found is None:
            return None
        if index + 1 < len(parts):
            if found.form is not Form.RECORD or found.is_list:
                return None
            plan = shape.of(found.part)
    return found


def file_name(member: Enum) -> str:
    """What files call a member of an enumeration.

    >>> file_name(Form.RECORD)
    'record'
    """
    return member.name.lower()


def texts_below(cls: type) -> dict[str, str]:
    """The string literals below the fields of a class, or below the members of an enumeration, and its bases'."""
    found: dict[str, str] = {}
    for owner in reversed(cls.__mro__):
        if owner.__module__ not in ("builtins", "enum", "typing"):
            found.update(_texts_of_module(owner.__module__).get(owner.__qualname__, {}))
    return found


_texts: dict[tuple[str, int], dict[str, dict[str, str]]] = {}


def _texts_of_module(name: str) -> dict[str, dict[str, str]]:
    """The literals below assignments, by class; nothing where the source cannot be read."""
    import sys

    module = sys.modules.get(name)
    if module is None:
        return {}
    # A module that was loaded again is another object.
    key = (name, id(module))
    if key not in _texts:
        try:
            tree = ast.parse(inspect.getsource(module))
        except (OSError, TypeError):
            return {}
        _texts[key] = {each.name: _texts_of_class(each) for each in tree.body if isinstance(each, ast.ClassDef)}
    return _texts[key]


def _texts_of_class(body: ast.ClassDef) -> dict[str, str]:
    found: dict[str, str] = {}
    for statement, text in zip(body.body, body.body[1:], strict=False):
        match statement, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                found[name] = inspect.cleandoc(words)
    return found
