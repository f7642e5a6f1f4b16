"""Commands and their options as Markdown, read from the commands' functions."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cyclopts import App, Parameter

from fracas.cli.app import app
from fracas.events.markdown import table

SHOWN = {str: "TEXT", int: "N", float: "N", Path: "PATH"}


def commands() -> dict[str, Callable[..., Any]]:
    """Every command by its words, in the order of --help."""
    found: dict[str, Callable[..., Any]] = {}

    def gather(parent: App, words: tuple[str, ...]) -> None:
        for name in parent:
            if name.startswith("-"):
                continue
            child = parent[name]
            if child.default_command is not None:
                found[" ".join((*words, name))] = child.default_command
            else:
                gather(child, (*words, name))

    gather(app, ())
    return found


def command_page(words: str) -> str:
    """One command: its usage, arguments and options."""
    function = commands()[words]
    entries = list(_entries(function))
    arguments = "".join(f" {entry[0]}" for entry in entries if not entry[0].startswith("-"))
    call = f"    fracas {words}{' [OPTIONS]' if any(e[0].startswith('-') for e in entries) else ''}{arguments}"
    rows = [(f"`{name}`", default, meaning) for name, default, meaning in entries]
    return f"{call}\n\n{table(('argument', 'default', 'is'), rows)}"


def _entries(function: Callable[..., Any]) -> Iterator[tuple[str, str, str]]:
    hints = typing.get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        kind, note = _unwrapped(hints[parameter.name])
        if dataclasses.is_dataclass(kind):
            yield from _entries(kind)
            continue
        choices = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
        is_list = typing.get_origin(kind) is list
        is_optional = parameter.default is not parameter.empty
        default = "" if parameter.default in (None, parameter.empty, False) else f"`{parameter.default}`"
        meaning = note.help or ""
        if choices:
            listed = ", ".join(f"`{choice}`" for choice in choices)
            meaning = f"{meaning} One of {listed}."
        if parameter.kind is parameter.POSITIONAL_ONLY:
            name = parameter.name.rstrip("_").upper() + ("..." if is_list else "")
            yield f"[{name}]" if is_optional else name, default, meaning
            continue
        named = next(iter(note.name)) if note.name else f"--{parameter.name.rstrip('_').replace('_', '-')}"
        takes = "" if kind is bool else " " + SHOWN.get(typing.get_args(kind)[0] if is_list else kind, "WORD")
        yield named + takes, "required" if not is_optional else default, meaning


def _unwrapped(hint: Any) -> tuple[Any, Parameter]:
    """A hint's plain type, without None, and the Parameter in its annotation."""
    note = Parameter()
    while True:
        arguments = typing.get_args(hint)
        if typing.get_origin(hint) is typing.Annotated:
            note = next((mark for mark in arguments[1:] if isinstance(mark, Parameter)), note)
            hint = arguments[0]
        elif typing.get_origin(hint) in (typing.Union, types.UnionType):
            hint = next(each for each in arguments if each is not type(None))
        else:
            return hint, note
