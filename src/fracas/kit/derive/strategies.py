"""Strategies and conditions of files: checked, compiled into a battle's record, and followed by generated kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field as ModelField

from fracas.conditions import parse
from fracas.conditions.compiler import Pool, compile_condition
from fracas.content.condition_model import WrittenCondition
from fracas.errors import UNKNOWN_NAME, InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.kit.declare.fields import Role
from fracas.kit.derive.facts import Facts
from fracas.kit.derive.functions import Functions, Play
from fracas.kit.derive.minds import AIM, FIRST, HIGHEST, LOWEST, MOST_LINES, RANDOM, SELF
from fracas.kit.derive.shape import Field, Shape, file_name

PLAIN_SELECTORS = {"first": FIRST, "random": RANDOM, "self": SELF}
EXTREMES = {"lowest": LOWEST, "highest": HIGHEST}


def strategy_field(shape: Shape) -> Field | None:
    """The field of a side that holds its strategy; None if the game has none."""
    return next((each for each in shape.side.fields if each.role is Role.STRATEGY), None)


def has_minds(shape: Shape) -> bool:
    """Whether records of the game hold conditions."""
    return any(each.role in (Role.CONDITION, Role.STRATEGY) for plan in shape.plans.values() for each in plan.fields)


def check_declared(shape: Shape, functions: Functions, where: str) -> Iterator[Problem]:
    """Strategies that nobody would follow."""
    for plan in shape.plans.values():
        found = [each for each in plan.fields if each.role is Role.STRATEGY]
        for each in found:
            path = f"{where}: {plan.name}.{each.name}"
            if plan is not shape.side:
                yield Problem(path, "is a strategy, which only sides have", f"declare it in {shape.side.name}")
            elif each is not found[0]:
                yield Problem(path, f"is a second strategy; {found[0].name} is one already")
            elif functions.has("choose"):
                yield Problem(path, "is never followed, because the game has a choose of its own", "remove one")
            elif functions.choices is None:
                yield Problem(path, "is never followed, because nobody chooses", "write legal and act")


@dataclass(frozen=True)
class Strategies:
    """The strategies of a game."""

    shape: Shape
    functions: Functions
    facts: Facts
    untargeted: frozenset[int]

    @property
    def field(self) -> Field | None:
        """The field of a side that holds its strategy."""
        return strategy_field(self.shape)

    @property
    def unit_part(self) -> int | None:
        """Which part of an action is a unit: 0 or 1; None for none."""
        return next((index for index, part in enumerate(self.functions.parts) if part.is_unit), None)

    # -- files -------------------------------------------------------------------------------------------------------

    @cached_property
    def choices(self) -> dict[str, int]:
        """The choices by their names in files."""
        return {} if self.functions.choices is None else {file_name(each): int(each) for each in self.functions.choices}

    @cached_property
    def selectors(self) -> dict[str, tuple[int, int]]:
        """The selectors by name: which, and of which fact."""
        if not self.functions.parts:
            return {}
        found = {name: (code, 0) for name, code in PLAIN_SELECTORS.items()}
        if self.unit_part is None or not self.functions.chooser_is_unit:
            del found["self"]
        if self.unit_part is not None:
            for word, code in EXTREMES.items():
                found |= {f"{word}_{name.replace('.', '_')}": (code, fact) for name, fact in self.facts.aims().items()}
        return found

    def line_fields(self) -> dict[str, Any]:
        """The fields of a line's model."""
        words = "When the line counts; without it always."
        fields: dict[str, Any] = {
            "when": (WrittenCondition, ModelField(None, description=words)),
            "do": (Literal[tuple(self.choices)], ModelField(..., description="What to do, if it is legal.")),
        }
        if self.selectors:
            told = "Which of the legal targets; without it the first."
            fields["target"] = (Annotated[str, ModelField(max_length=100)] | None, ModelField(None, description=told))
        return fields

    def problems(self, lines: Sequence[Mapping[str, Any]], where: str, strict: bool = False) -> Iterator[Problem]:
        """What is wrong with the conditions and targets of a strategy."""
        for index, line in enumerate(lines):
            at = f"{where}.{index}"
            yield from self.condition_problems(line.get("when"), f"{at}.when", strict)
            target = line.get("target")
            if target is None:
                continue
            if self.choices.get(str(line.get("do"))) in self.untargeted:
                yield Problem(f"{at}.target", f"{quoted(str(line['do']))} has no target", "leave the target out")
            elif target not in self.selectors:
                hint = nearest(target, self.selectors) or self._usual()
                message = f"there is no selector {quoted(target)}"
                yield Problem(f"{at}.target", message, hint, UNKNOWN_NAME, tuple(self.selectors))

    def _usual(self) -> str:
        plain = [name for name in PLAIN_SELECTORS if name in self.selectors]
        extremes = [name for name in self.selectors if name not in plain]
        return f"write {listed([*plain, *(extremes[:1]), *(extremes[-1:])])}"

    def condition_problems(self, written: Any, where: str, strict: bool = False) -> Iterator[Problem]:
        """What is wrong with a condition."""
        try:
            parse(written, self.facts.vocabulary, where=where, strict=strict, content=strict)
        except InputError as error:
            yield from error.problems

    # -- records -----------------------------------------------------------------------------------------------------

    def span(self, pool: Pool, written: Any, where: str) -> tuple[int, ...]:
        """Compile a condition, and say where it is."""
        parsed = parse(written, self.facts.vocabulary, where=where)
        return tuple(pool.add(compile_condition(parsed.tree, self.facts.vocabulary)))

    def write_lines(self, pool: Pool, rows: Any, lines: Sequence[Mapping[str, Any]], where: str) -> None:
        """Compile the lines of a strategy into the rows of a battle's record."""
        for index, line in enumerate(lines):
            row = rows[index]
            row["when"] = self.span(pool, line.get("when"), f"{where}.{index}.when")
            row["choice"] = self.choices[line["do"]]
            row["selector"], row["fact"] = self.selectors.get(line.get("target") or "first", (FIRST, 0))

    # -- kernels -----------------------------------------------------------------------------------------------------

    def source(self, arguments: str) -> Iterator[str]:
        """The kernels that find a line and its targets, as source; `arguments` are the parts as rules take them."""
        if self.field is None:
            return
        parts = self.functions.parts
        if not parts:
            yield _LINE_WITHOUT_PARTS.format(side=self.facts.side_of_me, field=self.field.name)
            return
        sizes = [*(part.size for part in parts), 1, 1][:2]
        if self.untargeted:
            test = " or ".join(f"line.choice == {each}" for each in sorted(self.untargeted))
            limits = [f"1 if {test} else {size}" for size in sizes]
        else:
            limits = [str(size) for size in sizes]
        unit = self.unit_part
        yield _AIM.format(
            firsts=limits[0],
            seconds=limits[1],
            arguments=arguments,
            own=f"{('first', 'second')[unit]} == me.number" if unit is not None else "True",
            read=(
                f"kit_unit_fact(battle, kit_unit(battle, {('first', 'second')[unit]}), line.fact, answer)"
                if unit is not None
                else "answer.numerator = 0"
            ),
            aim=AIM,
        )
        yield _LINE.format(side=self.facts.side_of_me, field=self.field.name)

    def following(self, me: str) -> list[str]:
        """The lines of `kit_choose` that follow a strategy; what stands below is the fallback."""
        if self.field is None:
            return []
        if self.functions.play is Play.BOTH or not self.functions.parts:
            behind = "" if self.functions.play is Play.BOTH else ", 0, 0"
            return [
                f"place = kit_line(battle, {me})",
                "if place >= 0:",
                f"    return battle.kit_minds.lines[place].choice{behind}",
            ]
        return [
            f"place, first, second = kit_line(battle, {me})",
            "if place >= 0:",
            "    return battle.kit_minds.lines[place].choice, first, second",
        ]


# The number of the line that counts, and its action; -1 if none does.
_LINE_WITHOUT_PARTS = """\
def kit_line(battle, me):
    minds = battle.kit_minds
    plan = battle.sides[{side}].{field}
    for place in range(plan.first, plan.first + plan.lines):
        line = minds.lines[place]
        if kit_legal(battle, me, line.choice) and kit_meets(battle, me, minds, line.when):
            return place
    return -1"""

_LINE = """\
def kit_line(battle, me):
    minds = battle.kit_minds
    plan = battle.sides[{side}].{field}
    for place in range(plan.first, plan.first + plan.lines):
        line = minds.lines[place]
        if kit_meets(battle, me, minds, line.when):
            found, first, second = kit_aim(battle, me, minds, line)
            if found > 0:
                return place, first, second
    return -1, 0, 0"""

_AIM = """\
def kit_aim(battle, me, minds, line):
    answer = minds.facts[{aim}]
    found, at_first, at_second = 0, 0, 0
    most, whole = 0, 1
    for first in range({firsts}):
        for second in range({seconds}):
            if not kit_legal(battle, me, line.choice{arguments}):
                continue
            if line.selector == FIRST or (line.selector == SELF and {own}):
                return 1, first, second
            if line.selector == SELF:
                continue
            if line.selector != RANDOM:
                {read}
                left, right = answer.numerator * whole, most * answer.denominator
                if found > 0 and (left >= right if line.selector == LOWEST else left <= right):
                    continue
                most, whole = answer.numerator, answer.denominator
            found += 1
            at_first, at_second = first, second
    if line.selector == RANDOM and found > 1:
        wanted = below(battle.dice, found)
        for first in range({firsts}):
            for second in range({seconds}):
                if kit_legal(battle, me, line.choice{arguments}):
                    if wanted == 0:
                        return found, first, second
                    wanted -= 1
    return found, at_first, at_second"""

__all__ = ["MOST_LINES", "Strategies", "check_declared", "has_minds", "strategy_field"]
