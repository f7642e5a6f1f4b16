"""Reads rules as text and says what compiled rules do not know, and what their author did not mean.

Rules are Python, so a rule that compiles also runs; not every rule that runs also compiles. What does not compile is
told here, with its line and with what to write instead, before anything is played. Types follow from the annotations
of rules and from the declared classes. Where they do not tell a type, nothing is said about it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import typing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from fracas.errors import Problem
from fracas.errors.suggestions import nearest
from fracas.kernel.jit import kernels
from fracas.kit.author_errors.places import tree_of
from fracas.kit.declare.events import EVENT
from fracas.kit.declare.fields import Role
from fracas.kit.declare.moves import LOOKS_UP
from fracas.kit.declare.records import Battle, Content, Declared, Side, Unit
from fracas.kit.declare.rules import fact, rule
from fracas.kit.derive.functions import RULES, modules_of
from fracas.kit.derive.shape import Field, Form, Plan, Shape

# What is said about names that Python has and compiled rules do not.
BUILTINS = {
    "any": ("any() does not compile", "write a loop that returns True"),
    "all": ("all() does not compile", "write a loop that returns False"),
    "reversed": ("reversed() does not compile", "write for i in range(n - 1, -1, -1)"),
    "sorted": ("sorted() makes a list", "look for the best one in a loop; initiative() is for the order of turns"),
    "list": ("list() makes a list", "keep numbers in state(capacity=5)"),
    "dict": ("dict() makes a dictionary", "use match, or a field for each value"),
    "set": ("set() makes a set", "keep a flag in a field"),
    "map": ("map() does not compile", "write a loop"),
    "filter": ("filter() does not compile", "write a loop with an if"),
    "iter": ("iter() does not compile", "write a for loop"),
    "next": ("next() does not compile", "write a loop that returns"),
    "str": ("text does not compile", "emit an event and say it in its story"),
    "repr": ("text does not compile", "emit an event and say it in its story"),
    "format": ("text does not compile", "emit an event and say it in its story"),
    "print": ("print() does not compile", "emit an event, or play plain under a debugger"),
    "input": ("input() asks people, and battles are played without them", "declare choices"),
    "open": (
        "open() reads a file, and a battle is a function of its scenario",
        "declare a field of Options or Content",
    ),
    "float": ("float() makes a fraction", "count in hundredths, and divide with //"),
    "round": ("round() makes a fraction first", "write (2 * a + b) // (2 * b)"),
    "isinstance": ("isinstance() does not compile", "keep an IntEnum in a field and compare it"),
    "hasattr": ("hasattr() does not compile", "every record of a class has the same fields"),
    "getattr": ("getattr() does not compile", "write the field's name"),
    "setattr": ("setattr() does not compile", "write the field's name"),
    "eval": ("eval() does not compile", "write the rule"),
    "exec": ("exec() does not compile", "write the rule"),
    "type": ("type() does not compile", "keep an IntEnum in a field and compare it"),
    "id": ("id() is another number in every process", "compare number, which every unit and side has"),
    "hash": ("hash() is another number in every process", "compute a number from fields"),
}
# Modules with what would make a battle depend on more than its scenario.
RANDOM = {"random": "below(), d100() or chance()", "secrets": "below(), d100() or chance()"}
CLOCKS = ("time", "datetime")
LIST_METHODS = frozenset(
    {
        "append",
        "extend",
        "insert",
        "remove",
        "pop",
        "clear",
        "sort",
        "reverse",
        "index",
        "count",
        "copy",
        "keys",
        "items",
    }
)
STATEMENTS: tuple[tuple[tuple[type[ast.AST], ...], str, str], ...] = (
    ((ast.Try, ast.TryStar), "exceptions do not compile", "test before you act"),
    ((ast.Raise,), "exceptions do not compile", "end the battle with draw(), or refuse scenarios in valid()"),
    ((ast.Assert,), "assert does not compile", "test it in a test of the game"),
    ((ast.With,), "with does not compile", "rules open nothing"),
    ((ast.Import, ast.ImportFrom), "import does not compile inside a rule", "import at the top of the file"),
    (
        (ast.FunctionDef, ast.AsyncFunctionDef),
        "a function inside a rule does not compile",
        "put it outside, with @rule",
    ),
    ((ast.ClassDef,), "a class inside a rule does not compile", "put it at the top of the file"),
    ((ast.Global, ast.Nonlocal), "rules change nothing but the battle", "declare a field of the battle: state()"),
    ((ast.Delete,), "del does not compile", "set the field to 0"),
)
EXPRESSIONS: tuple[tuple[tuple[type[ast.AST], ...], str, str], ...] = (
    ((ast.List,), "a list is made here, and rules make nothing", "keep numbers in state(capacity=5), or use a tuple"),
    ((ast.Dict,), "a dictionary is made here, and rules make nothing", "use match, or a field for each value"),
    ((ast.Set,), "a set is made here, and rules make nothing", "compare the values, or use a tuple"),
    ((ast.ListComp, ast.SetComp, ast.DictComp), "comprehensions do not compile", "write a loop"),
    ((ast.GeneratorExp,), "generator expressions do not compile", "write a loop"),
    ((ast.Lambda,), "lambda does not compile", "write a rule of its own, with @rule"),
    ((ast.JoinedStr,), "text does not compile", "emit an event and say it in its story"),
    ((ast.Await, ast.Yield, ast.YieldFrom), "rules run to their end and never wait", "return the value"),
    ((ast.Starred,), "an argument with * does not compile", "write the arguments one by one"),
)
# Where a list in brackets compiles: its numbers are only added or compared.
OVER_LISTS = ("sum", "min", "max")
BITS = 63


@dataclass(frozen=True)
class Number:
    """A whole number or a truth value; of an enumeration, if that is known."""

    of: type[IntEnum] | None = None


@dataclass(frozen=True)
class Record:
    """A record."""

    plan: Plan
    is_state: bool = False
    """Whether it lies in a State field, so that all of it may be changed."""


@dataclass(frozen=True)
class Array:
    """A list of a record."""

    inner: Kind
    length: int | None
    name: str


Kind = Number | Record | Array | None
"""What is known of a value; None for nothing."""


def check_rules(shape: Shape) -> list[Problem]:
    """Everything that is wrong with the rules of a game's modules."""
    problems: list[Problem] = []
    known = {id(each) for each in kernels()}
    calls: dict[FunctionType, list[tuple[FunctionType, int]]] = {}
    for module in modules_of(shape.module):
        tree = tree_of(module)
        for node in tree.body if tree is not None else ():
            if not isinstance(node, ast.FunctionDef):
                continue
            function = getattr(module, node.name, None)
            if not isinstance(function, FunctionType) or function.__module__ != module.__name__:
                continue
            where = f"{module.__file__}:{node.lineno}: {node.name}"
            if not any(_marks(each, module) for each in node.decorator_list):
                if node.name in RULES and module is shape.module:
                    problems.append(
                        Problem(where, "is a rule that the kit calls, and is not marked", "write @rule above it")
                    )
                continue
            if node.name == "observation" and module is shape.module:
                continue  # No rule of a battle: it makes a NamedTuple of fractions.
            reader = _Rule(shape, module, function, node, known)
            problems += reader.problems()
            calls[function] = reader.calls
    return problems + list(_circles(calls))


def _marks(decorator: ast.expr, module: ModuleType) -> bool:
    """Whether a decorator is `rule` or `fact`, by whatever name."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    match target:
        case ast.Name(id=name):
            value = vars(module).get(name)
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            value = getattr(vars(module).get(owner), name, None)
        case _:
            return False
    return value is rule or value is fact


def _circles(calls: dict[FunctionType, list[tuple[FunctionType, int]]]) -> Iterator[Problem]:
    """Rules that call each other in a circle, each circle once."""
    seen: set[frozenset[FunctionType]] = set()
    for start in calls:
        path = _way_back(start, start, calls, [start])
        if path is None or frozenset(path) in seen:
            continue
        seen.add(frozenset(path))
        names = " > ".join(each.__name__ for each in [*path, start])
        line = next(line for target, line in calls[start] if target is (path[1] if len(path) > 1 else start))
        where = f"{start.__code__.co_filename}:{line}: {start.__name__}"
        message = f"calls itself: {names}" if len(path) == 1 else f"rules call each other in a circle: {names}"
        yield Problem(where, message, "store it with later(); the kit calls happen() once this rule has ended")


def _way_back(
    start: FunctionType,
    here: FunctionType,
    calls: dict[FunctionType, list[tuple[FunctionType, int]]],
    path: list[FunctionType],
) -> list[FunctionType] | None:
    """The calls that lead from a rule back to it; None if none do."""
    for target, _ in calls.get(here, ()):
        if target is start:
            return path
        if target not in path and target in calls:
            found = _way_back(start, target, calls, [*path, target])
            if found is not None:
                return found
    return None


@dataclass
class _Rule:
    """Reads one rule."""

    shape: Shape
    module: ModuleType
    function: FunctionType
    node: ast.FunctionDef
    kernels: set[int]
    calls: list[tuple[FunctionType, int]] = field(default_factory=list)
    found: list[Problem] = field(default_factory=list)
    kinds: dict[str, Kind] = field(default_factory=dict)

    def problems(self) -> list[Problem]:
        """What is wrong with the rule."""
        arguments = self.node.args
        if arguments.kwonlyargs:
            self.complain(arguments.kwonlyargs[0], "keyword-only parameters do not compile", "remove the *")
        for each in (arguments.vararg, arguments.kwarg):
            if each is not None:
                self.complain(each, f"*{each.arg} does not compile", "name every parameter")
        hints = _hints(self.function)
        self.kinds = {
            each.arg: self.kind_of_hint(hints.get(each.arg)) for each in [*arguments.posonlyargs, *arguments.args]
        }
        self.locals = {*self.kinds, *(each.arg for each in arguments.kwonlyargs), *_assigned(self.node)}
        self.statements(self.node.body)
        return self.found

    def complain(self, node: Any, message: str, hint: str | None = None) -> None:
        """Note a problem, once for each line."""
        where = f"{self.module.__file__}:{node.lineno}: {self.node.name}"
        problem = Problem(where, message, hint)
        if problem not in self.found:
            self.found.append(problem)

    def kind_of_hint(self, hint: Any) -> Kind:
        """What an annotation says."""
        if not isinstance(hint, type):
            if typing.get_origin(hint) is list:
                return Array(self.kind_of_hint(typing.get_args(hint)[0]), None, "the list")
            return None
        if issubclass(hint, Battle):
            return Record(self.shape.battle)
        if hint in self.shape.plans:
            return Record(self.shape.plans[hint])
        if issubclass(hint, IntEnum):
            return Number(hint)
        return Number() if hint in (int, bool) else None

    # -- Statements --------------------------------------------------------------------------------------------------

    def statements(self, body: Sequence[ast.stmt]) -> None:
        for each in body:
            self.statement(each)

    def statement(self, node: ast.stmt) -> None:
        for kinds, message, hint in STATEMENTS:
            if isinstance(node, kinds):
                self.complain(node, message, hint)
                return
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                return
            case ast.Assign(targets=targets, value=value):
                kind = self.kind(value)
                for target in targets:
                    self.assign(target, kind, value)
            case ast.AnnAssign(target=target, value=value):
                self.assign(target, self.kind(value) if value is not None else None, value)
            case ast.AugAssign(target=target, op=op, value=value):
                self.operator(node, op, value)
                self.kind(value)
                self.assign(target, Number(), None)
            case ast.For(target=target, iter=source, body=body, orelse=rest):
                self.assign(target, self.element(source), None)
                self.statements([*body, *rest])
            case ast.While(test=test, body=body, orelse=rest):
                self.kind(test)
                if isinstance(test, ast.Constant) and test.value and not _leaves(body):
                    self.complain(node, "this loop never ends", "break or return out of it")
                self.statements([*body, *rest])
            case ast.If(test=test, body=body, orelse=rest):
                self.kind(test)
                before = dict(self.kinds)
                self.statements(body)
                after, self.kinds = self.kinds, before
                self.statements(rest)
                for name, kind in after.items():
                    if self.kinds.setdefault(name, kind) != kind:
                        self.kinds[name] = None
            case ast.Match(subject=subject, cases=cases):
                self.kind(subject)
                for case in cases:
                    self.pattern(case.pattern)
                    if case.guard is not None:
                        self.kind(case.guard)
                    self.statements(case.body)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.kind(child)

    def pattern(self, node: ast.pattern) -> None:
        match node:
            case ast.MatchValue(value=value):
                self.kind(value)
            case ast.MatchOr(patterns=patterns):
                for each in patterns:
                    self.pattern(each)
            case ast.MatchSingleton() | ast.MatchAs(pattern=None):
                pass
            case ast.MatchAs(pattern=inner) if inner is not None:
                self.pattern(inner)
            case _:
                self.complain(node, "this pattern does not compile", "match only numbers and members of enumerations")

    def element(self, source: ast.expr) -> Kind:
        """What a loop gets from what it goes through."""
        match source:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
                self.element(inner)
                return None
            case ast.Tuple(elts=each):
                kinds = [self.kind(one) for one in each]
                return kinds[0] if kinds and all(kind == kinds[0] for kind in kinds) else None
        kind = self.kind(source)
        if isinstance(kind, Number):
            text = ast.unparse(source)
            self.complain(source, f"{text} is a number, and a loop needs a list", f"write for i in range({text})")
        return kind.inner if isinstance(kind, Array) else None

    def assign(self, target: ast.expr, kind: Kind, value: ast.expr | None) -> None:
        """Note what a name is from now on, or check what is written to."""
        match target:
            case ast.Name(id=name):
                self.kinds[name] = kind
            case ast.Tuple(elts=targets):
                values = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(targets) else None
                for position, each in enumerate(targets):
                    inner = kind.inner if isinstance(kind, Array) else None
                    self.assign(each, self.kind(values[position]) if values is not None else inner, None)
            case ast.Attribute():
                self.write(target, kind)
            case ast.Subscript(value=base, slice=index):
                if isinstance(index, ast.Slice):
                    self.complain(target, "slices are read and never assigned", "write a loop over the places")
                    return
                self.kind(target)
                if isinstance(base, ast.Attribute):
                    self.write(base, None)
                elif isinstance(base, ast.Name) and base.id not in self.locals:
                    hint = "declare a field of the battle: state(capacity=5)"
                    self.complain(target, f"writes to {base.id}, and rules change nothing but the battle", hint)

    def write(self, target: ast.Attribute, kind: Kind) -> None:
        """Check that a rule may change a field."""
        owner = self.kind(target.value)
        if not isinstance(owner, Record):
            self.kind(target)
            return
        name, plan = target.attr, owner.plan
        each = plan.by_name.get(name)
        if each is None:
            units = self.shape.units
            if plan is self.shape.side and units is not None and name == plan.counts[units.name]:
                return
            self.kind(target)
            return
        if owner.is_state or each.is_state:
            if isinstance(kind, Record) and each.form is not Form.RECORD:
                hint = f"write {ast.unparse(target)} = ….number" if kind.plan.by_name.get("number") else None
                self.complain(target, f"{plan.name}.{name} is a number, and a {kind.plan.name} is written to it", hint)
            return
        units = self.shape.units
        if each.role is Role.COUNT and units is not None and each.spec.field == units.name and plan is self.shape.side:
            return
        if plan is self.shape.battle and name in ("winner", "reason"):
            self.complain(target, f"writes {name}, which the kit keeps", "end the battle with win() or draw()")
        elif each.role is Role.OWN:
            self.complain(target, f"writes {name}, which the kit keeps", "declare a State field of your own: state()")
        else:
            hint = f'declare State for it: {name}_now: int = state(starts="{name}")'
            if not issubclass(plan.cls, Unit | Side | Battle):
                hint = "declare State for it in a unit, a side or the battle: state()"
            self.complain(target, f"writes {plan.name}.{name}, which files give and battles never change", hint)

    # -- Expressions -------------------------------------------------------------------------------------------------

    def kind(self, node: ast.expr) -> Kind:
        """What is known of an expression, after checking it and all that it contains."""
        for kinds, message, hint in EXPRESSIONS:
            if isinstance(node, kinds):
                self.complain(node, message, hint)
                return None
        match node:
            case ast.Constant(value=value):
                return self.constant(node, value)
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Call():
                return self.call(node)
            case ast.BinOp(left=left, op=op, right=right):
                self.kind(left)
                self.kind(right)
                self.operator(node, op, right)
                return Number()
            case ast.UnaryOp(operand=operand):
                self.kind(operand)
                return Number()
            case ast.Compare(left=left, comparators=rest):
                for each in (left, *rest):
                    self.kind(each)
                return Number()
            case ast.IfExp(test=test, body=body, orelse=other):
                self.kind(test)
                one, two = self.kind(body), self.kind(other)
                return one if one == two else None
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                self.kinds[name] = self.kind(value)
                return self.kinds[name]
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.kind(child)
        return None

    def constant(self, node: ast.expr, value: Any) -> Kind:
        if isinstance(value, str | bytes):
            self.complain(node, "text does not compile", "use an IntEnum, or emit an event and say it in its story")
        elif isinstance(value, float | complex):
            message = f"{value} is a fraction, and rules count in whole numbers"
            self.complain(node, message, "count in hundredths: 150 for 1.5")
        elif isinstance(value, int):
            if value.bit_length() > BITS:
                self.complain(node, f"{value:,} does not fit 64 bits", None)
            return Number()
        return None

    def operator(self, node: Any, op: ast.operator, right: ast.expr) -> None:
        if isinstance(op, ast.Div):
            self.complain(node, "/ makes a fraction, and records hold whole numbers", "divide with //")
        if isinstance(op, ast.FloorDiv | ast.Mod | ast.Div) and isinstance(right, ast.Constant) and right.value == 0:
            self.complain(node, "divides by 0", "plain Python says 0 here, and compiled code stops")

    def name(self, node: ast.Name, name: str) -> Kind:
        if name in self.locals:
            return self.kinds.get(name)
        scope = self.function.__globals__
        if name not in scope:
            if not hasattr(builtins, name):
                self.complain(node, f"there is no {name}", nearest(name, [*self.locals, *scope]))
            return None
        value = scope[name]
        if isinstance(value, IntEnum):
            return Number(type(value))
        if isinstance(value, bool | int):
            return Number()
        words = {list: "a list", dict: "a dictionary", set: "a set", str: "text", float: "a fraction"}.get(type(value))
        if words is not None:
            hints = {"a list": "make it a tuple", "a dictionary": "use match", "text": "use an IntEnum"}
            self.complain(node, f"{name} is {words}, which rules cannot read", hints.get(words, "use whole numbers"))
        return None

    def value_of(self, node: ast.expr) -> Any:
        """The object that a name of the module stands for; None for local names and everything else."""
        match node:
            case ast.Name(id=name) if name not in self.locals:
                return self.function.__globals__.get(name, getattr(builtins, name, None))
            case ast.Attribute(value=owner, attr=name):
                value = self.value_of(owner)
                return getattr(value, name, None) if isinstance(value, ModuleType) else None
        return None

    def attribute(self, node: ast.Attribute) -> Kind:
        value = self.value_of(node.value)
        if isinstance(value, type) and issubclass(value, IntEnum):
            if node.attr not in value.__members__:
                self.complain(node, f"{value.__name__} has no {node.attr}", nearest(node.attr, value.__members__))
            return Number(value)
        if isinstance(value, ModuleType):
            return self.of_module(node, value)
        owner = self.kind(node.value)
        text = ast.unparse(node.value)
        if isinstance(owner, Number):
            if owner.of is not None or node.attr in ("name", "value"):
                message = f"{text} is a plain number inside a rule and has no .{node.attr}"
                hint = f"compare it: {text} == {owner.of.__name__}.{next(iter(owner.of)).name}" if owner.of else None
                self.complain(node, message, hint)
            else:
                self.complain(node, f"{text} is a number and has no .{node.attr}")
            return None
        if isinstance(owner, Array):
            if node.attr in LIST_METHODS:
                message = f"{text} has places of a fixed number and no .{node.attr}()"
                self.complain(node, message, "write to a place, and keep how many are in use in a State field")
            elif isinstance(owner.inner, Record):
                hint = f"write for each in {text}, or {text}[0].{node.attr}"
                self.complain(node, f"{text} is a list of {owner.inner.plan.name} and has no .{node.attr}", hint)
            return None
        return self.field(node, owner, text) if isinstance(owner, Record) else None

    def of_module(self, node: ast.Attribute, module: ModuleType) -> Kind:
        name = module.__name__
        head = name.partition(".")[0]
        if head in RANDOM or "random" in name.split("."):
            hint = f"use {RANDOM['random']}"
            self.complain(node, f"{name} would make every battle another one", hint)
        elif head in CLOCKS:
            self.complain(node, f"{name} reads a clock, and a battle is a function of its scenario")
        elif head == "numpy":
            self.complain(node, f"numpy.{node.attr} makes arrays, and rules make nothing", "use state(capacity=5)")
        else:
            value = getattr(module, node.attr, None)
            return Number() if isinstance(value, int) else None
        return None

    def field(self, node: ast.Attribute, owner: Record, text: str) -> Kind:
        """What a field of a record is."""
        plan, name = owner.plan, node.attr
        if plan is self.shape.battle and name == "dice":
            self.complain(node, "the dice are kept by the kit", "use below(), d100(), chance() and open_dice()")
            return None
        each = plan.by_name.get(name)
        if each is None:
            if name in plan.counts.values():
                return Number()
            if not name.startswith("kit_"):
                known = [other.name for other in plan.fields if other.role not in _UNSEEN]
                self.complain(node, f"{plan.name} has no field {name}", nearest(name, [*known, *plan.counts.values()]))
            return None
        if each.role is Role.CONDITION:
            # For `holds`.
            return None
        if each.role in _UNSEEN:
            words = {Role.TEXT: "text for people", Role.STRATEGY: "a strategy"}[each.role]
            self.complain(node, f"{plan.name}.{name} is {words}, which rules never see", _instead(each, plan))
            return None
        return self.kind_of_field(each, owner.is_state or each.is_state, f"{text}.{name}")

    def kind_of_field(self, each: Field, is_state: bool, text: str) -> Kind:
        one: Kind = Number(each.enum if each.form is Form.ENUM else None)
        if each.form is Form.RECORD:
            one = Record(self.shape.of(each.part), is_state)
        if each.name == "dice" and each.role is Role.OWN:
            return None
        if each.name == "sides" and each.role is Role.OWN:
            return Array(one, 2, text)
        return Array(one, each.length, text) if each.is_list or each.role is Role.BOARD else one

    def subscript(self, node: ast.Subscript) -> Kind:
        base = self.kind(node.value)
        text = ast.unparse(node.value)
        if isinstance(node.slice, ast.Slice):
            for part in (node.slice.lower, node.slice.upper, node.slice.step):
                if part is not None:
                    self.kind(part)
            return Array(base.inner, None, text) if isinstance(base, Array) else None
        index = self.kind(node.slice)
        if isinstance(index, Record):
            hint = f"write {text}[{ast.unparse(node.slice)}.place]" if index.plan.is_unit else None
            self.complain(node, f"{ast.unparse(node.slice)} is a {index.plan.name} and no index", hint)
        if isinstance(base, Record):
            self.complain(node, f"{text} is a {base.plan.name} and no list")
            return None
        if not isinstance(base, Array):
            return None
        place = _whole(node.slice)
        if place is not None and base.length is not None and not -base.length <= place < base.length:
            message = f"{text} has {base.length} places, 0 to {base.length - 1}, and no place {place}"
            self.complain(node, message, "compiled code would read on behind it, and not stop")
        return base.inner

    # -- Calls -------------------------------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> Kind:
        function = self.value_of(node.func)
        kinds = []
        for each in node.args:
            if (
                isinstance(each, ast.List)
                and isinstance(node.func, ast.Name)
                and node.func.id in OVER_LISTS
                and len(node.args) == 1
            ):
                kinds += [self.kind(one) for one in each.elts]
                continue
            kinds.append(self.kind(each))
        for keyword in node.keywords:
            if keyword.arg is None:
                self.complain(keyword.value, "an argument with ** does not compile", "write the arguments one by one")
            self.kind(keyword.value)
        if isinstance(node.func, ast.Name):
            name = node.func.id
            if name in BUILTINS and function is getattr(builtins, name, None):
                self.complain(node, *BUILTINS[name])
                return None
            if name not in self.locals and name not in self.function.__globals__ and not hasattr(builtins, name):
                scope = [each for each, value in self.function.__globals__.items() if callable(value)]
                self.complain(node, f"there is no rule {name}", nearest(name, scope))
                return None
        elif isinstance(node.func, ast.Attribute):
            self.kind(node.func)
        if isinstance(function, type):
            return self.of_class(node, function)
        if isinstance(function, FunctionType):
            return self.of_function(node, function, kinds)
        if isinstance(function, BuiltinFunctionType) and function.__name__ in ("len", "abs", "sum", "min", "max"):
            return (
                kinds[0] if function.__name__ in ("min", "max") and kinds and isinstance(kinds[0], Number) else Number()
            )
        return None

    def of_class(self, node: ast.Call, made: type) -> Kind:
        if issubclass(made, IntEnum):
            text = ast.unparse(node.args[0]) if node.args else "number"
            hint = f"enumerations are plain numbers inside rules: use {text} as it is"
            self.complain(node, f"{made.__name__}({text}) does not compile", hint)
            return Number(made)
        if issubclass(made, Declared):
            self.complain(node, f"makes a {made.__name__}, and rules make nothing", "change a record that is there")
            return None
        if made in (int, bool):
            return Number()
        if made.__module__ != "builtins":
            self.complain(node, f"makes a {made.__name__}, and rules make nothing", "keep its numbers in State fields")
        return None

    def of_function(self, node: ast.Call, function: FunctionType, kinds: Sequence[Kind]) -> Kind:
        name = ast.unparse(node.func)
        if hasattr(function, EVENT):
            self.emitted(node, function, kinds)
            return None
        if hasattr(function, LOOKS_UP):
            return self.kind_of_hint(getattr(function, LOOKS_UP))
        is_own = not function.__module__.startswith("fracas.")
        if is_own and id(function) not in self.kernels:
            self.complain(node, f"calls {name}, which is no rule", f"write @rule above def {function.__name__}")
            return None
        if not is_own and id(function) not in self.kernels and not function.__module__.startswith(_MOVES):
            self.complain(node, f"{name}() declares, and cannot be called in rules")
            return None
        self.arguments(node, function, name)
        if is_own:
            self.calls.append((function, node.lineno))
        return self.kind_of_hint(_hints(function).get("return"))

    def arguments(self, node: ast.Call, function: FunctionType, name: str) -> None:
        """Check how many arguments a function gets, and their names."""
        if any(each.arg is None for each in node.keywords) or any(isinstance(each, ast.Starred) for each in node.args):
            return
        signature = inspect.signature(function)
        try:
            signature.bind(*node.args, **{str(each.arg): None for each in node.keywords})
        except TypeError as error:
            wanted = ", ".join(signature.parameters)
            self.complain(node, f"calls {name} with other arguments than it takes: {error}", f"write {name}({wanted})")

    def emitted(self, node: ast.Call, function: FunctionType, kinds: Sequence[Kind]) -> None:
        """Check the columns of an event."""
        before = len(self.found)
        self.arguments(node, function, function.__name__)
        if len(self.found) > before:
            return
        declared = getattr(function, EVENT).function
        hints = _hints(declared)
        for column, kind, argument in zip(getattr(function, EVENT).columns, kinds[2:], node.args[2:], strict=False):
            hint, text = hints.get(column), ast.unparse(argument)
            if not isinstance(hint, type):
                continue
            if issubclass(hint, Content | Side) and isinstance(kind, Number):
                message = f"{column} of {function.__name__} is a {hint.__name__}, and {text} is a number"
                self.complain(argument, message, "pass the record itself: the row keeps its number")
            elif isinstance(kind, Record) and not issubclass(hint, Content | Side):
                message = f"{column} of {function.__name__} is a number, and {text} is a {kind.plan.name}"
                self.complain(argument, message, f"pass one of its fields, or write {column}: {kind.plan.name}")


_UNSEEN = (Role.TEXT, Role.STRATEGY)
_MOVES = ("fracas.kit.declare.moves", "fracas.kit.declare.dice", "fracas.kit.declare.boards")


def _instead(each: Field, plan: Plan) -> str | None:
    if each.role is not Role.TEXT:
        return "the kit asks it in choose()"
    return "compare number" if plan.by_name.get("number") else "compare entry"


def _hints(function: FunctionType) -> dict[str, Any]:
    """The annotations of a function; those that cannot be read are left out."""
    try:
        return typing.get_type_hints(function)
    except Exception:
        return {}


def _whole(node: ast.expr) -> int | None:
    """A number as it is written; None for anything else."""
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return None


def _assigned(node: ast.FunctionDef) -> set[str]:
    """The names that a function assigns to."""
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return found | {each.name for each in ast.walk(node) if isinstance(each, ast.MatchAs) and each.name}


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether anything in a loop's body can leave the loop."""
    for statement in body:
        if isinstance(statement, ast.Break | ast.Return):
            return True
        if isinstance(statement, ast.For | ast.While):
            if any(isinstance(each, ast.Return) for each in ast.walk(statement)):
                return True
            continue
        for name in ("body", "orelse", "cases"):
            for inner in getattr(statement, name, ()):
                if _leaves(inner.body if isinstance(inner, ast.match_case) else [inner]):
                    return True
    return False
