"""The base class looks up every ruleset's functions by name, where mypy cannot follow: these tests can."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unittest.mock import Mock

import pytest

from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import AnalysisHooks
from fracas.rulesets.contract.parts import OPTIONAL_PARTS, PARTS
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.relics.ruleset import Relics

RULESETS = pytest.mark.parametrize("name", registry.NAMES)
Call = tuple[str, tuple[Any, ...], dict[str, Any]]


class _Recording(Ruleset):
    """The base class alone; its parts note what they are called with."""

    def __init__(self) -> None:
        self.name = Mock(parameter="ruleset")
        self.calls: list[Call] = []

    def part(self, name: str) -> Any:
        def called(*args: Any, **kwargs: Any) -> Any:
            self.calls.append((name, args, kwargs))
            return Mock(parameter=None, once=lambda check: check(Mock(parameter="library")))

        return called

    def has_part(self, name: str) -> bool:
        return True

    def optional_part(self, name: str, where: str, refusal: type[InputError] = InputError) -> Any:
        return self.part(name)


def _given(method: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
    """An argument for every parameter of a method but `self`; each knows which parameter it is for."""
    _, *parameters = inspect.signature(method).parameters.values()
    given = {each.name: Mock(parameter=each.name) for each in parameters}
    by_name = {each.name for each in parameters if each.kind is each.KEYWORD_ONLY}
    return [given[name] for name in given if name not in by_name], {name: given[name] for name in by_name}


def calls() -> Iterator[Call]:
    """Every call of a part by a method of the base class, for both kinds of files."""
    for member in (member for base in Ruleset.__mro__ for member in vars(base).values()):
        method = member.fget if isinstance(member, property) else member
        if not inspect.isfunction(method) or method.__name__ in vars(_Recording):
            continue
        if re.search(r"self\.(optional_)?part\(", inspect.getsource(method)):
            for kind in ("content", "strategy"):
                recording = _Recording()
                args, kwargs = _given(method)
                method(recording, *(kind if each.parameter == "kind" else each for each in args), **kwargs)
                yield from recording.calls


CALLS = list(calls())


def mismatch(part: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Why a part cannot be called like this, or which argument it takes for another; None if all is well."""
    try:
        bound = inspect.signature(part).bind(*args, **kwargs)
    except TypeError as error:
        return str(error)
    mixed = [
        f"{name} is given {value.parameter}"
        for name, value in bound.arguments.items()
        if getattr(value, "parameter", None) not in (None, name)
    ]
    return ", ".join(mixed) or None


def needs(ruleset: Ruleset, part: str) -> bool:
    """Whether a ruleset has to have a part: one without statistics says so in its class."""
    if part in OPTIONAL_PARTS:
        return ruleset.has_part(part)
    return not (part in ("measures", "statistics") and part in vars(type(ruleset)))


def test_the_base_class_calls_every_part() -> None:
    assert sorted({part for part, _, _ in CALLS}) == sorted([*PARTS, *OPTIONAL_PARTS])


@RULESETS
def test_every_part_takes_what_the_base_class_passes(name: str) -> None:
    ruleset = registry.get(name)
    found = {part: mismatch(ruleset.part(part), args, kwargs) for part, args, kwargs in CALLS if needs(ruleset, part)}
    assert {part: why for part, why in found.items() if why} == {}


@RULESETS
def test_its_part_modules_are_of_parts_and_elsewhere(name: str) -> None:
    modules = registry.get(name).part_modules
    assert set(modules) <= {*PARTS, *OPTIONAL_PARTS}
    assert {part for part, module in modules.items() if module == PARTS.get(part)} == set()


@RULESETS
def test_it_answers_the_lab_by_hooks_of_its_own(name: str) -> None:
    hooks = registry.get(name).analysis
    assert type(hooks) is not AnalysisHooks
    assert isinstance(hooks, AnalysisHooks)
    assert hooks.ruleset == name


@pytest.mark.parametrize(
    "part",
    [
        lambda compiled, *, stream, unit, when, wanted_turn, state, strict, encounter: None,
        lambda compiled, *, stream, unit, when, round, state, strict: None,
        lambda compiled, *, stream, unit, when, round, state, strict, encounter, seed: None,
        lambda document, *, stream, unit, when, round, state, strict, encounter: None,
    ],
    ids=["renamed", "missing", "one-more", "another-argument"],
)
def test_a_part_of_another_signature_is_found(part: Callable[..., Any]) -> None:
    """A negative control."""
    (args, kwargs) = next((args, kwargs) for name, args, kwargs in CALLS if name == "explain")
    assert mismatch(part, args, kwargs)


def test_a_part_that_is_not_where_it_should_be_is_found() -> None:
    """A negative control."""

    class Misplaced(Relics):
        part_modules: Mapping[str, str] = {"narrate": "narration.nowhere", "explain": "narration.story"}

    with pytest.raises(ModuleNotFoundError):
        Misplaced().part("narrate")
    with pytest.raises(AttributeError):
        Misplaced().part("explain")
