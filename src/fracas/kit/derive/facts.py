"""What conditions in files may ask: the vocabulary of a game, and the kernels that answer.

Whoever decides is `self`: a unit, or a side in games whose sides choose. `side` is its side, `enemy` the other one,
`battle` what belongs to nobody. `allies` and `enemies` are the units that are present, the unit itself included.
Hidden State is known of oneself and one's own side only, and no question about several units may ask for it.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import FunctionType

from fracas.conditions import Fact, FactKind, Flag, Units, Vocabulary
from fracas.conditions.vocabulary import RESERVED_WORDS
from fracas.errors import Problem
from fracas.kit.declare.fields import LEAST, MOST, Role
from fracas.kit.declare.records import Side, Unit
from fracas.kit.declare.rules import FACT
from fracas.kit.derive.functions import Functions, Play
from fracas.kit.derive.shape import Field, Form, Plan, Shape, file_name

KINDS = {"number": FactKind.PLAIN, "percent": FactKind.PERCENT, "truth": FactKind.FLAG}
ALLIES, ENEMIES = 1, 2
# What records keep for the kit, and what has no meaning as a number.
_NO_FACTS = (Role.OWN, Role.TEXT, Role.REFERENCE, Role.CONDITION, Role.STRATEGY, Role.LIST, Role.BOARD)


@dataclass(frozen=True)
class Answer:
    """One thing that may be asked of a record."""

    name: str
    """What stands behind the subject's dot, or inside a question about several units."""
    kind: FactKind
    doc: str
    numerator: str
    """Python, with `me` for the record."""
    denominator: str = "1"
    low: int | None = None
    high: int | None = None
    is_hidden: bool = False

    @property
    def limits(self) -> tuple[int | None, int | None]:
        """The bounds of what it may be compared with; a number without bounds has those of rows."""
        if self.kind is FactKind.PLAIN:
            return LEAST if self.low is None else self.low, MOST if self.high is None else self.high
        return self.low, self.high


@dataclass(frozen=True)
class Facts:
    """The facts of a game: what may be asked of a unit, of a side and of the battle."""

    shape: Shape
    decides_unit: bool
    """Whether units decide, not sides."""
    of_unit: tuple[Answer, ...]
    of_side: tuple[Answer, ...]
    of_battle: tuple[Answer, ...]

    @property
    def side_of_me(self) -> str:
        """The number of the decider's side, in Python."""
        return "me.side" if self.decides_unit else "me.number"

    @cached_property
    def scalars(self) -> tuple[tuple[Answer, str], ...]:
        """The facts about the decider's situation, by code; each with the record that it is asked of, in Python.

        Those of the decider come first, so that a unit's facts have the same code of one unit and of several.
        """
        own, other = f"battle.sides[{self.side_of_me}]", f"battle.sides[1 - {self.side_of_me}]"
        made: list[tuple[Answer, str]] = []
        if self.decides_unit:
            made += [(replace(each, name=f"self.{each.name}"), "me") for each in self.of_unit]
        subject = "side" if self.decides_unit else "self"
        made += [(replace(each, name=f"{subject}.{each.name}"), own) for each in self.of_side]
        made += [(replace(each, name=f"enemy.{each.name}"), other) for each in self.of_side if not each.is_hidden]
        made += [(replace(each, name=f"battle.{each.name}"), "battle") for each in self.of_battle]
        made.append((Answer("round", FactKind.ROUND, "the round, from 1", "battle.tick"), "battle"))
        if self.shape.units is not None:
            for number, name in ((ALLIES, "allies"), (ENEMIES, "enemies")):
                words = "units of the own side that are present" if number == ALLIES else "units of the other side"
                count = f"kit_count(battle, {own if number == ALLIES else other})"
                made.append((Answer(f"{name}.count", FactKind.COUNT, words, count, high=self.shape.capacity), "battle"))
        return tuple(made)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What conditions may ask."""
        facts = tuple(_fact(each, code) for code, (each, _) in enumerate(self.scalars))
        if self.shape.units is None:
            return Vocabulary(facts=facts)
        known = [(code, each) for code, each in enumerate(self.of_unit) if not each.is_hidden]
        most = self.shape.capacity
        return Vocabulary(
            facts=facts,
            groups=(
                Units("allies", ALLIES, "the units of the own side, the unit itself included", most),
                Units("enemies", ENEMIES, "the units of the other side", most),
            ),
            unit_facts=tuple(_fact(each, code) for code, each in known if each.kind is not FactKind.FLAG),
            statuses=tuple(Flag(each.name, code, each.doc) for code, each in known if each.kind is FactKind.FLAG),
        )

    def aims(self) -> dict[str, int]:
        """The facts of a unit that targets can be the lowest or highest of, with their codes."""
        return {
            each.name: code
            for code, each in enumerate(self.of_unit)
            if each.kind is not FactKind.FLAG and not each.is_hidden
        }

    def source(self) -> Iterator[str]:
        """The kernels that answer, as source."""
        if self.shape.units is not None:
            units, count = self.shape.units.name, self.shape.side.counts[self.shape.units.name]
            yield _COUNT.format(units=units, count=count)
            yield _answering("kit_unit_fact", [(each, "me") for each in self.of_unit])
        yield _answering("kit_fact", self.scalars)
        group = "kit_matching(battle, {side}, ask, answer)" if self.shape.units is not None else "0"
        yield _READ.format(group=group.format(side=f"{self.side_of_me} if ask.group == {ALLIES} else {self._other}"))
        yield _HOLDS

    @property
    def _other(self) -> str:
        return f"1 - {self.side_of_me}"


def facts_of(shape: Shape, functions: Functions, where: str, problems: list[Problem]) -> Facts:
    """The facts of a game; what is wrong with the author's own is added to the problems."""
    decides_unit = shape.units is not None and (functions.chooser_is_unit or functions.play is Play.ROUNDS)
    own: dict[type, list[Answer]] = {Unit: [], Side: []}
    for name, function in functions.facts.items():
        about = _about(shape, function)
        path = f"{where}: {name}"
        kind = getattr(function, FACT)
        if about is None:
            owner = shape.unit.name if shape.units is not None else shape.side.name
            hint = f"write {name}(battle: {shape.battle.name}, me: {owner}) -> int"
            problems.append(Problem(path, "is no fact of a unit or a side", hint))
        elif kind not in KINDS:
            problems.append(Problem(path, f'"{kind}" is no kind of fact', "write number, percent or truth"))
        elif name in RESERVED_WORDS:
            problems.append(Problem(path, "is a word of the condition language", "take another name"))
        else:
            plan = shape.unit if about is Unit else shape.side
            if name in plan.by_name:
                problems.append(Problem(path, f"is a field of {plan.name} already", "take another name"))
            call = f"fact_{name}(battle, {{me}})"
            code = f"(1 if {call} else 0)" if kind == "truth" else call
            words = inspect.cleandoc(function.__doc__ or name).partition("\n")[0].rstrip(".")
            own[about].append(Answer(name, KINDS[kind], words[:1].lower() + words[1:], code))
    unit = tuple(_without_doubles(own[Unit], _answers(shape, shape.unit))) if shape.units is not None else ()
    side = tuple(_without_doubles(own[Side], _answers(shape, shape.side)))
    return Facts(shape, decides_unit, unit, side, tuple(_without_doubles([], _answers(shape, shape.battle))))


def _about(shape: Shape, function: FunctionType) -> type | None:
    """Whose fact a function answers: Unit or Side; None if its parameters are others."""
    names = list(inspect.signature(function).parameters)
    hint = typing.get_type_hints(function).get(names[1]) if len(names) == 2 else None
    if shape.units is not None and hint is shape.units.part:
        return Unit
    return Side if hint is shape.side.cls else None


def _without_doubles(own: Sequence[Answer], fields: Iterator[Answer]) -> Iterator[Answer]:
    """An author's fact comes before what is derived of a field under the same name."""
    seen: set[str] = set()
    for each in [*own, *fields]:
        if each.name not in seen and RESERVED_WORDS.isdisjoint(each.name.split(".")):
            seen.add(each.name)
            yield each


def _answers(shape: Shape, plan: Plan, path: str = "", *, hidden: bool = False) -> Iterator[Answer]:
    """What the fields of a record answer; `path` leads to it and ends in a dot."""
    for each in plan.fields:
        spec = each.spec
        if each.role in _NO_FACTS or each.is_list or spec.is_chosen or spec.board:
            continue
        if plan is shape.battle and not each.is_state:
            continue
        secret = hidden or spec.is_hidden
        name, code = path + each.name, f"{{me}}.{path}{each.name}"
        words = each.doc.partition("\n")[0].rstrip(".") or name.replace("_", " ").replace(".", ": ")
        words = words[:1].lower() + words[1:]
        match each.form:
            case Form.RECORD:
                yield from _answers(shape, shape.of(each.part), f"{name}.", hidden=secret)
            case Form.FLAG:
                yield Answer(name, FactKind.FLAG, words, code, is_hidden=secret)
            case Form.ENUM:
                for member in each.enum:
                    told = f"{words}: {file_name(member)}"
                    test = f"(1 if {code} == {int(member)} else 0)"
                    yield Answer(f"{name}.{file_name(member)}", FactKind.FLAG, told, test, is_hidden=secret)
            case Form.NUMBER:
                yield _number(each, name, code, words, secret)
                if spec.of:
                    whole = f"battle.{spec.of}" if spec.of.startswith("options.") else f"{{me}}.{path}{spec.of}"
                    told = f"percent that {each.name} is of {spec.of}"
                    share = (f"100 * {code}", f"max({whole}, 1)")
                    yield Answer(f"{name}_pct", FactKind.PERCENT, told, *share, is_hidden=secret)


def _number(field: Field, name: str, code: str, words: str, secret: bool) -> Answer:
    low, high = None, None
    if field.role is Role.GIVEN:
        low, high = field.spec.low, field.spec.high
    elif field.role is Role.COUNT:
        low = 0
    return Answer(name, FactKind.PLAIN, words, code, low=low, high=high, is_hidden=secret)


def _fact(answer: Answer, code: int) -> Fact:
    return Fact(answer.name, code, answer.kind, answer.doc, *answer.limits)


def _answering(name: str, answers: Sequence[tuple[Answer, str]]) -> str:
    """A kernel that puts a fact into `answer`, by code."""
    lines = [f"def {name}(battle, me, fact, answer):", "    answer.denominator = 1"]
    for code, (each, owner) in enumerate(answers):
        lines.append(f"    {'if' if code == 0 else 'elif'} fact == {code}:")
        lines.append(f"        answer.numerator = {each.numerator.format(me=owner)}")
        if each.denominator != "1":
            lines.append(f"        answer.denominator = {each.denominator.format(me=owner)}")
    return "\n".join(lines)


_COUNT = """\
def kit_count(battle, side):
    count = 0
    for unit in side.{units}[: side.{count}]:
        if kit_present(battle, unit):
            count += 1
    return count

def kit_matching(battle, number, ask, answer):
    side = battle.sides[number]
    if ask.fact == EVERY_UNIT:
        return kit_count(battle, side)
    count = 0
    for unit in side.{units}[: side.{count}]:
        if kit_present(battle, unit):
            kit_unit_fact(battle, unit, ask.fact, answer)
            if compare(answer.numerator, answer.denominator, ask.compare, ask.number):
                count += 1
    return count"""

_READ = """\
def kit_read(battle, me, minds, first, count):
    for slot in range(count):
        ask = minds.asks[first + slot]
        answer = minds.facts[slot]
        if ask.group == SCALAR:
            kit_fact(battle, me, ask.fact, answer)
        else:
            answer.numerator = {group}
            answer.denominator = 1"""

_HOLDS = """\
def kit_meets(battle, me, minds, when):
    if when.step_count == 0:
        return True
    kit_read(battle, me, minds, when.first_ask, when.ask_count)
    return evaluate(minds, when.first_step, when.step_count)"""
