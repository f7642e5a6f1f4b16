"""Compile the tree of a condition to a program, as fracas.kernel.condition_evaluator defines it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from fracas.conditions import (
    MULTIPLE_OF,
    And,
    Comparison,
    Constant,
    Group,
    Named,
    Not,
    Or,
    Status,
    Tree,
    Versus,
    Vocabulary,
    to_text,
)
from fracas.errors import InputError
from fracas.kernel import condition_evaluator as codes

COMPARES = {
    "<": codes.LESS,
    "<=": codes.AT_MOST,
    ">": codes.MORE,
    ">=": codes.AT_LEAST,
    "==": codes.EQUAL,
    "!=": codes.UNEQUAL,
    MULTIPLE_OF: codes.MULTIPLE_OF,
}

# The fields of step_t and ask_t, in their order.
Step: TypeAlias = tuple[int, int, int, int]
Ask: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled condition: its steps, and the fact for each slot of the fact vector."""

    steps: tuple[Step, ...]
    asks: tuple[Ask, ...]


_EMPTY = Program((), ())


class Span(NamedTuple):
    """The location of a program in the arrays of a battle record."""

    first_step: int
    step_count: int
    first_ask: int
    ask_count: int


@dataclass(frozen=True, slots=True)
class Line:
    """One node of a condition, for explanations: its text, its steps and the slots that they compare.

    The steps of a node are contiguous, so that the kernel can evaluate each node alone. `first` counts from the
    program's first step.
    """

    depth: int
    text: str
    first: int
    length: int
    slots: tuple[int, ...]


def compile_condition(tree: Tree | None, vocabulary: Vocabulary) -> Program:
    """Compile a condition. Without a condition the program is empty, and an empty program is true.

    Programs are cached by tree: parsing the same text again gives the same tree.
    """
    if tree is None:
        return _EMPTY
    known = vocabulary.programs.recall(id(tree))
    if known is None:
        known = vocabulary.programs.keep(id(tree), (tree, _assemble(tree, vocabulary).program()))
    program: Program = known[1]
    return program


def subprograms(tree: Tree | None, vocabulary: Vocabulary) -> tuple[Line, ...]:
    """List every node of a condition from the top down, with its part of the compiled program."""
    assembler = _assemble(tree, vocabulary)
    return tuple(
        Line(node.depth, to_text(node.tree), node.first, node.length, assembler.slots(node)) for node in assembler.nodes
    )


@dataclass(slots=True)
class _Node:
    depth: int
    tree: Tree
    first: int
    length: int = 0


class _Assembler:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self.known = vocabulary
        self.steps: list[Step] = []
        self.asks: dict[Ask, int] = {}
        self.nodes: list[_Node] = []

    def program(self) -> Program:
        return Program(tuple(self.steps), tuple(self.asks))

    def slots(self, node: _Node) -> tuple[int, ...]:
        used: dict[int, None] = {}
        for op, subject, _, number in self.steps[node.first : node.first + node.length]:
            if op in (codes.COMPARE, codes.COMPARE_SLOTS):
                used[subject] = None
            if op == codes.COMPARE_SLOTS:
                used[number] = None
        return tuple(used)

    def add(self, tree: Tree, depth: int) -> None:
        node = _Node(depth, tree, len(self.steps))
        self.nodes.append(node)
        match tree:
            case And(parts):
                self.add_all(parts, codes.AND, depth + 1)
            case Or(parts):
                self.add_all(parts, codes.OR, depth + 1)
            case Not(part):
                self.add(part, depth + 1)
                self.steps.append((codes.NOT, 0, 0, 0))
            case Named(_, meaning):
                self.add(meaning, depth + 1)
            case Constant(value):
                self.steps.append((codes.PUSH_TRUE if value else codes.PUSH_FALSE, 0, 0, 0))
            case Comparison(name, operator, number):
                self.compare(self.scalar(name), operator, number)
            case Versus(name, operator, other):
                left, right = self.scalar(name), self.scalar(other)
                self.steps.append((codes.COMPARE_SLOTS, left, COMPARES[operator], right))
            case Status(subject, status):
                self.compare(self.scalar(f"{subject}.{status}" if subject else status), ">", 0)
            case Group():
                self.add_group(tree)
        node.length = len(self.steps) - node.first

    def add_all(self, parts: Iterable[Tree], op: int, depth: int) -> None:
        for index, part in enumerate(parts):
            self.add(part, depth)
            if index:
                self.steps.append((op, 0, 0, 0))

    def add_group(self, tree: Group) -> None:
        group = self.known.group_by_name[tree.group].code
        inner = tree.inner
        if isinstance(inner, Comparison):
            fact, compare, number = self.known.inner_by_name[inner.fact].code, COMPARES[inner.operator], inner.number
        else:
            fact, compare, number = self.known.inner_by_name[inner.status].code, codes.MORE, 0
        count = self.ask((group, fact, compare, number))
        if tree.quantifier == "all":
            everybody = self.ask((group, codes.EVERY_UNIT, 0, 0))
            self.steps.append((codes.COMPARE_SLOTS, count, codes.EQUAL, everybody))
        else:
            self.compare(count, tree.operator or ">", tree.number or 0)

    def scalar(self, name: str) -> int:
        return self.ask((codes.SCALAR, self.known.fact_by_name[name].code, 0, 0))

    def ask(self, ask: Ask) -> int:
        return self.asks.setdefault(ask, len(self.asks))

    def compare(self, slot: int, operator: str, number: int) -> None:
        self.steps.append((codes.COMPARE, slot, COMPARES[operator], number))


def _assemble(tree: Tree | None, vocabulary: Vocabulary) -> _Assembler:
    assembler = _Assembler(vocabulary)
    if tree is not None:
        assembler.add(tree, 0)
    return assembler


class Pool:
    """The programs of one battle, stored together; equal programs and equal runs of asks are stored once."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._asks: list[Ask] = []
        self._first_step: dict[tuple[Step, ...], int] = {}
        self._first_ask: dict[tuple[Ask, ...], int] = {}

    def add(self, program: Program) -> Span:
        """Add a program and return its location."""
        if program.steps not in self._first_step:
            self._first_step[program.steps] = len(self._steps)
            self._steps.extend(program.steps)
        if program.asks not in self._first_ask:
            self._first_ask[program.asks] = len(self._asks)
            self._asks.extend(program.asks)
        first_step, first_ask = self._first_step[program.steps], self._first_ask[program.asks]
        return Span(first_step, len(program.steps), first_ask, len(program.asks))

    def write(self, battle: Any, *, where: str = "conditions") -> None:
        """Write all programs to a record's `steps` and `asks`; the rest of the arrays becomes zero.

        Raises:
            InputError: the record has too little room for the steps, the asks, or the facts of the largest program.
        """
        largest = max(map(len, self._first_ask), default=0)
        for name, needed in (("steps", len(self._steps)), ("asks", len(self._asks)), ("facts", largest)):
            room = len(battle[name])
            if needed > room:
                message = f"the conditions of one battle may use {room:,} {name}, but these need {needed:,}"
                raise InputError.of(where, message, "use fewer or shorter conditions")
        for name, rows in (("steps", self._steps), ("asks", self._asks)):
            places = battle[name]
            places[...] = 0
            for index, row in enumerate(rows):
                places[index] = row
