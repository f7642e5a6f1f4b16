"""The hash of a game's rules: replays name it, and compiled code and modules are kept by it.

It covers the tokens of every rule that the kit's loops reach, by name; the values of the constants that they read; the
record's layout; the numbers and columns of events; and the version of the kit's own rules. Comments, docstrings, blank
lines, story templates, texts, bounds and defaults are not rules.
"""

from __future__ import annotations

import inspect
import io
import textwrap
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from blake3 import blake3

from fracas.kit.declare.events import EVENT
from fracas.kit.declare.moves import LOOKS_UP

# The version of the kit's loops and helpers. Raise it whenever a battle of an unchanged game gets other rows.
KIT_RULES = 2
_BLANK = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER)
_OUR_OWN = "fracas."


def rules_hash(
    rules: Mapping[str, FunctionType],
    layout: np.dtype[Any],
    events: Mapping[str, tuple[int, tuple[str, ...]]],
    facts: Iterable[str],
    root: str,
) -> str:
    """The rules hash of a game, 64 hex digits.

    rules: the functions that the kit calls, by the names that it calls them. layout: the battle's record. events: the
    number and the columns of each event, by name. facts: what else decides how the kit's loops play. root: the name of
    the game's module, which its loader chose, so that it is no part of the hash.
    """
    parts = [f"kit {KIT_RULES}", *facts, *sorted(_layout(layout))]
    parts += [f"event {name} {value}" for name, value in events.items()]
    found: dict[str, str] = {}
    for name, function in sorted(rules.items()):
        parts.append(f"rule {name}")
        _reach(function, found, root)
    parts += [f"{name} = {text}" for name, text in sorted(found.items())]
    return blake3("\0".join(parts).encode()).hexdigest()


def _layout(kind: np.dtype[Any], path: str = "") -> Iterator[str]:
    """A record type as lines: each field's place, type and shape."""
    assert kind.fields is not None
    for name, (inner, offset, *_) in kind.fields.items():
        base, shape = inner.subdtype or (inner, ())
        if base.names is not None:
            yield f"record {path}{name} {offset} {shape} {base.itemsize}"
            yield from _layout(base, f"{path}{name}.")
        else:
            yield f"field {path}{name} {offset} {shape} {base.str}"


def _reach(function: FunctionType, found: dict[str, str], root: str) -> None:
    """Add a function and everything that it reads, by name."""
    name = _name_of(function, root)
    if name in found:
        return
    found[name] = tokens(function)
    scope = function.__globals__
    for read in sorted(_names(function.__code__)):
        if read in scope:
            _read(read, scope[read], f"{name}: {read}", found, root)
    for variable, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        _read(variable, cell.cell_contents, f"{name}: {variable}", found, root)


def _name_of(function: FunctionType, root: str) -> str:
    """A function's name, with its module inside the game's."""
    return f"{function.__module__.removeprefix(root)}.{function.__qualname__}"


def _read(name: str, value: Any, where: str, found: dict[str, str], root: str) -> None:
    """Add a value that a rule reads."""
    if isinstance(value, FunctionType):
        if hasattr(value, EVENT):
            found[where] = f"event {getattr(value, EVENT).name}"
        elif hasattr(value, LOOKS_UP):
            found[where] = f"units of {getattr(value, LOOKS_UP).__name__}"
        elif (value.__module__ or "").startswith(_OUR_OWN) or value.__name__.startswith("kit_"):
            found[where] = f"kit {value.__name__}"
        else:
            _reach(value, found, root)
    elif isinstance(value, type) and issubclass(value, IntEnum):
        found[where] = repr([(member.name, int(member)) for member in value])
    elif isinstance(value, ModuleType):
        found[where] = f"module {value.__name__.rpartition('.')[2]}"
    elif isinstance(value, np.ndarray):
        found[where] = f"{value.dtype.str} {value.shape} {value.tolist()}"
    elif isinstance(value, int | float | str | bytes | tuple | frozenset | np.generic) or value is None:
        found[where] = f"{type(value).__name__} {value!r}"
    else:
        found[where] = f"{type(value).__name__} {name}"


def _names(code: CodeType) -> set[str]:
    """The names that a function's code reads from its module, also inside comprehensions."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


def tokens(function: FunctionType) -> str:
    """A function's source as tokens, without comments, docstrings and blank lines; blocks as > and <."""
    source = textwrap.dedent(inspect.getsource(function))
    return " ".join(_tokens(source))


def _tokens(source: str) -> Iterator[str]:
    lines = source.splitlines(keepends=True)
    at_start = True
    opened: tuple[int, int] | None = None
    depth = 0
    held: str | None = None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind, text = token.type, token.string
        name = tokenize.tok_name[kind]
        # From Python 3.12 on a formatted string is several tokens; before, it is one.
        if name == "FSTRING_START":
            opened = token.start if depth == 0 else opened
            depth += 1
            continue
        if depth:
            if name == "FSTRING_END":
                depth -= 1
                if depth == 0 and opened is not None:
                    yield _between(lines, opened, token.end)
            continue
        if kind in _BLANK:
            continue
        if held is not None:
            # A string that is a statement of its own is a docstring.
            if kind != tokenize.NEWLINE:
                yield held
            held = None
            if kind == tokenize.NEWLINE:
                at_start = True
                continue
        if kind == tokenize.STRING and at_start:
            held = text
        elif kind == tokenize.NEWLINE:
            yield ";"
            at_start = True
            continue
        elif kind == tokenize.INDENT:
            yield ">"
            continue
        elif kind == tokenize.DEDENT:
            yield "<"
            continue
        else:
            yield text
        at_start = False


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The source between two places."""
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    inner = "".join(lines[start[0] : end[0] - 1])
    return lines[start[0] - 1][start[1] :] + inner + lines[end[0] - 1][: end[1]]
