"""The Python interface as Markdown, read from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any

import msgspec

import fracas
from fracas.lab.presentation.notebook import Document, OfScenario, OfSide

# Docstrings also name their source, for readers of the code; the page leaves it out.
SECTIONS = ("Args", "Returns", "Raises", "Source")
_SECTION = re.compile(rf"^({'|'.join(SECTIONS)}):[ ]?(.*)$")
_SOURCE = re.compile(r" \((?:core|lab), [^()]*\)| Source: [^\n]*$", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+): (.*)$")


def api_page() -> str:
    """Every public name: functions, then the classes they take and return, then errors."""
    public = [(name, getattr(fracas, name)) for name in fracas.__all__]
    functions = sorted((entry for entry in public if inspect.isfunction(entry[1])), key=_order)
    errors = [entry for entry in public if inspect.isclass(entry[1]) and issubclass(entry[1], Exception)]
    classes = [entry for entry in public if entry not in functions and entry not in errors]
    parts = ["## Functions", *(function_page(name, value, "### ") for name, value in functions)]
    parts += ["## Classes", *(class_page(name, value) for name, value in classes)]
    shared = (class_page(each.__name__, each) for each in (Document, OfScenario, OfSide))
    parts += ["## What all results have", *shared]
    parts += [
        "## Errors",
        *(f"### `{name}`\n\n{docstring_page(inspect.getdoc(value) or '')}" for name, value in errors),
    ]
    return "\n\n".join(parts)


# The interface module by module, then the names for plug-ins.
_MODULES = tuple(
    f"fracas.api.{name}"
    for name in ("arguments", "battles", "player_entries", "content", "analysis", "variations", "comparisons")
)


def _order(entry: tuple[str, Any]) -> tuple[int, int]:
    """The order in the interface's source."""
    module = entry[1].__module__
    place = _MODULES.index(module) if module in _MODULES else len(_MODULES)
    return place, inspect.getsourcelines(entry[1])[1]


def function_page(name: str, function: Any, level: str, owner: str = "") -> str:
    """A function's signature and docstring."""
    signature = inspect.signature(function)
    own = [p.replace(annotation=_plain(p.annotation)) for p in signature.parameters.values() if p.name != "self"]
    returned = _plain(signature.return_annotation)
    shown = str(signature.replace(parameters=own, return_annotation=returned)).replace("'", "")
    code = "\n".join(textwrap.wrap(f"{owner}{name}{shown}", 100, subsequent_indent="    ", break_long_words=False))
    return f"{level}`{name}`\n\n```text\n{code}\n```\n\n{docstring_page(inspect.getdoc(function) or '')}"


def class_page(name: str, class_: type) -> str:
    """A class: its docstring, its fields and properties as a list, its methods.

    A result of the lab is without what all of them have.
    """
    shared = {each for base in class_.__mro__[1:] if issubclass(base, Document) for each in dir(base)}
    parts = [f"### `{name}`", docstring_page(inspect.getdoc(class_) or "")]
    attributes = [entry for entry in _attributes(class_) if entry[0] not in shared]
    if attributes:
        parts.append("\n".join(f"* `{attribute}`{f': {told}' if told else ''}" for attribute, told in attributes))
    for method, value in vars(class_).items():
        # Static and class methods are called on the class, and without it as first argument.
        function = getattr(class_, method) if isinstance(value, staticmethod | classmethod) else value
        is_method = inspect.isfunction(function) or inspect.ismethod(function)
        if is_method and not method.startswith("_") and method not in shared:
            parts.append(function_page(method, function, "#### ", f"{name}."))
    return "\n\n".join(parts)


def _attributes(class_: type) -> Iterator[tuple[str, str]]:
    notes = field_notes(class_)
    if is_dataclass(class_):
        for field in fields(class_):
            yield field.name, notes.get(field.name, "")
    elif issubclass(class_, msgspec.Struct):
        for base in reversed([each for each in class_.__mro__ if each.__module__.startswith("fracas")]):
            notes |= field_notes(base)
        for name in class_.__struct_fields__:
            yield name, notes.get(name, "")
    for name, value in vars(class_).items():
        getter = value.fget if isinstance(value, property) else getattr(value, "func", None)
        if isinstance(value, property | cached_property) and getter is not None and not name.startswith("_"):
            yield name, " ".join((inspect.getdoc(getter) or "").split("\n\n")[0].split())


def field_notes(class_: type) -> dict[str, str]:
    """The texts below fields in the source."""
    source = inspect.getsource(class_)
    return dict(re.findall(r'^    (\w+): [^\n]+\n    """([^"]+)"""', source, re.MULTILINE))


def docstring_page(text: str) -> str:
    """A docstring in this project's style as Markdown: prose, lists for its sections, code for examples."""
    parts: list[str] = []
    for block in _SOURCE.sub("", text).split("\n\n"):
        first, _, rest = block.partition("\n")
        found = _SECTION.match(first)
        if block.startswith("    "):
            parts.append(f"```{'pycon' if '>>>' in block else 'text'}\n{textwrap.dedent(block)}\n```")
        elif found and found[1] == "Source":
            continue
        elif found:
            body = textwrap.dedent(f"{found[2]}\n{rest}" if found[2] else rest)
            parts.append(f"**{found[1]}.**{_listed(body) if found[1] in ('Args', 'Raises') else ' ' + _joined(body)}")
        else:
            parts.append(_joined(block))
    return "\n\n".join(parts)


def _joined(text: str) -> str:
    return " ".join(text.split())


def _listed(body: str) -> str:
    entries: list[list[str]] = []
    for line in body.splitlines():
        found = _ENTRY.match(line)
        if found:
            entries.append([f"`{found[1]}`: {found[2]}"])
        elif entries:
            entries[-1].append(line.strip())
    return "\n\n" + "\n".join(f"* {' '.join(entry)}" for entry in entries)


def _plain(annotation: Any) -> Any:
    """An annotation as written in the source, without module paths."""
    return (
        re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", str(annotation))
        if annotation is not inspect.Parameter.empty
        else annotation
    )
