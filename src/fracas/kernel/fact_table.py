"""Declares the facts of conditions once: name, kind and limits for the language, and how the rules read them.

    FACTS = FactTable("battle", "unit")
    FACTS.field(1, "self.charge", "unit.charge", FactKind.PLAIN, "the unit's charge", 0, 100)


    @FACTS.fact(4, "allies.count", FactKind.COUNT, "living units of the own side, the unit included")
    def ally_count(battle, unit) -> int:
        return own_side(battle, unit).living


    read_number = FACTS.reader("read_number")

Battles' records hold the number of a fact, so it stays what it is. Lanes read the same facts through a twin of the
table. What is no field there and not fixed needs a kernel of their own; without one, the rules play who asks for it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, TypeVar

from fracas.kernel.generated_source import run_source
from fracas.kernel.jit import kernel

Reader = Callable[..., Any]
Function = TypeVar("Function", bound=Callable[..., Any])
NOTHING: Mapping[str, Any] = MappingProxyType({})


class FactKind(Enum):
    """The type of a fact's number: an example comparison, and the numbers allowed by default."""

    PERCENT = "<", 50, 0, 100
    COUNT = ">=", 2, 0, 8
    ROUND = ">=", 3, 0, 10**6
    PLAIN = ">=", 50, 0, 10**9
    FLAG = "", 1, 0, 1


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that conditions can ask for, about the deciding unit or a group's unit; a FLAG is true or false."""

    name: str
    code: int
    kind: FactKind
    doc: str
    low: int | None = None
    high: int | None = None

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest number that the fact may be compared with."""
        low, high = self.kind.value[2:]
        return (low if self.low is None else self.low, high if self.high is None else self.high)

    @property
    def example(self) -> str:
        """An example condition with this fact."""
        relation, number = self.kind.value[:2]
        low, high = self.limits
        return f"{self.name} {relation} {min(max(number, low), high)}" if relation else self.name


@dataclass(frozen=True, slots=True)
class Reading:
    """How a fact is read: as fields, or by a kernel."""

    fact: Fact
    fields: tuple[str, ...] = ()
    kernel: Reader | None = None
    is_fixed: bool = False
    is_fraction: bool = False


@dataclass(frozen=True, slots=True)
class Twin:
    """How lanes read the facts of a table."""

    read: Reader
    leaves_out: Reader
    """The kernel that tells of a fact whether lanes cannot read it: rules play whoever asks for it."""


class FactTable:
    """The facts about one subject, in the order in which documentation lists them."""

    def __init__(self, *parameters: str) -> None:
        """parameters: those of the kernels that read a fact."""
        self.parameters = parameters
        self.readings: list[Reading] = []

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts as conditions know them."""
        return tuple(reading.fact for reading in self.readings)

    def field(
        self,
        code: int,
        name: str,
        fields: str,
        kind: FactKind,
        doc: str,
        low: int | None = None,
        high: int | None = None,
    ) -> None:
        """Declare a fact that is a field of a parameter, such as `unit.charge`.

        fields: one, or, of a FLAG, several with `or` between them; a FLAG is true if any is not 0.
        """
        self.readings.append(Reading(Fact(name, code, kind, doc, low, high), tuple(fields.split(" or "))))

    def fact(
        self, code: int, name: str, kind: FactKind, doc: str, low: int | None = None, high: int | None = None
    ) -> Callable[[Function], Function]:
        """Declare a fact by the kernel that reads it; one that reads several facts takes `fact`, too."""
        return self._by_kernel(Fact(name, code, kind, doc, low, high))

    def fixed(
        self, code: int, name: str, kind: FactKind, doc: str, low: int | None = None, high: int | None = None
    ) -> Callable[[Function], Function]:
        """Declare a fact by its kernel, whose number is the same in all battles of a scenario: lanes read it once."""
        return self._by_kernel(Fact(name, code, kind, doc, low, high), is_fixed=True)

    def fraction(
        self, code: int, name: str, kind: FactKind, doc: str, low: int | None = None, high: int | None = None
    ) -> Callable[[Function], Function]:
        """Declare a fact by its kernel, which returns numerator and denominator; lanes read it in their own way."""
        return self._by_kernel(Fact(name, code, kind, doc, low, high), is_fraction=True)

    def _by_kernel(
        self, fact: Fact, *, is_fixed: bool = False, is_fraction: bool = False
    ) -> Callable[[Function], Function]:
        def declare(function: Function) -> Function:
            self.readings.append(Reading(fact, (), function, is_fixed, is_fraction))
            return kernel(function)

        return declare

    def reader(self, name: str, scope: Mapping[str, Any] = NOTHING) -> Reader:
        """The kernel `name(parameters, fact)` that reads a fact, as a fraction if the table has fractions.

        Its code is generated, a comparison for each fact. scope: functions that fields call.
        """
        has_fractions = any(reading.is_fraction for reading in self.readings)
        over_one = ", 1" if has_fractions else ""
        answers = {}
        for reading in self.readings:
            source = _call(reading, self.parameters) or " or ".join(f"{field} != 0" for field in reading.fields)
            if reading.fields and reading.fact.kind is FactKind.FLAG:
                source = f"1 if {source} else 0"
            elif reading.fields:
                source = reading.fields[0]
            answers[reading.fact.code] = source if reading.is_fraction else source + over_one
        return _ladder(name, self.parameters, answers, {**_kernels(self.readings), **scope})

    def twin(
        self,
        name: str,
        parameters: str,
        field: Callable[[str, FactKind], str],
        fixed: str,
        scope: Mapping[str, Any],
        own: Mapping[str, Reader] = NOTHING,
        elsewhere: Iterable[str] = (),
    ) -> Twin:
        """The kernel `name(parameters, fact)` that reads a fact in lanes, and the facts that it leaves to the rules.

        field: how lanes read a field, in Python; empty if they cannot. fixed: how they spread a number, such as
        `splat(state, {})`. scope: functions that these call. own: kernels by the name of the fact, for what is no field
        and not fixed. elsewhere: facts that lanes read in another way.
        """
        answers, kernels = {}, _kernels(self.readings)
        left_out = set()
        for reading in self.readings:
            fact = reading.fact
            fields = [field(each, fact.kind) for each in reading.fields]
            if fact.name in own:
                kernels[f"lane_{fact.code}"] = own[fact.name]
                answers[fact.code] = f"lane_{fact.code}({parameters})"
            elif fields and all(fields):
                answers[fact.code] = " | ".join(fields)
            elif reading.is_fixed:
                answers[fact.code] = fixed.format(_call(reading, self.parameters))
            elif fact.name not in elsewhere:
                left_out.add(fact.code)
        read = _ladder(name, tuple(parameters.split(", ")), answers, {**kernels, **scope})
        return Twin(read, _membership(f"{name}_leaves_out", left_out))


def _kernels(readings: Iterable[Reading]) -> dict[str, Any]:
    return {f"read_{reading.fact.code}": reading.kernel for reading in readings if reading.kernel is not None}


def _call(reading: Reading, parameters: Iterable[str]) -> str:
    if reading.kernel is None:
        return ""
    which = ("fact",) if "fact" in inspect.signature(reading.kernel).parameters else ()
    return f"read_{reading.fact.code}({', '.join((*parameters, *which))})"


def _ladder(name: str, parameters: Iterable[str], answers: Mapping[int, str], scope: Mapping[str, Any]) -> Reader:
    """A kernel with a comparison for each fact. The last needs none: programs ask for nothing else."""
    *compared, last = answers.items()
    lines = [f"def {name}({', '.join((*parameters, 'fact'))}):"]
    lines += [f"    if fact == {code}:\n        return {source}" for code, source in compared]
    lines.append(f"    return {last[1]}")
    function: Reader = run_source("\n".join(lines) + "\n", {"__name__": __name__, **scope})[name]
    return kernel(function)


def _membership(name: str, facts: Iterable[int]) -> Reader:
    """A kernel that tells whether a fact is one of these."""
    source = " or ".join(f"fact == {code}" for code in sorted(facts)) or "False"
    function: Reader = run_source(f"def {name}(fact):\n    return {source}\n", {"__name__": __name__})[name]
    return kernel(function)
