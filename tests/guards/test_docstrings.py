"""What docstrings name is there."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).parents[2] / "src" / "fracas").rglob("*.py"))
RAISES = re.compile(r"^ *Raises:\n((?: +\S.*(?:\n|$))+)", re.MULTILINE)
CLASS = re.compile(r"^ *class (\w+)[(:]", re.MULTILINE)
NAME = re.compile(r"^ *([A-Z]\w+):", re.MULTILINE)


def classes(texts: list[str]) -> set[str]:
    """The names of all classes, Python's own exceptions included."""
    found = {name for name in dir(builtins) if name[0].isupper()}
    return found.union(*(CLASS.findall(text) for text in texts))


def named_exceptions(text: str) -> Iterator[str]:
    """The exceptions that the docstrings of a module name under Raises."""
    if "Raises:" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            for part in RAISES.findall(ast.get_docstring(node) or ""):
                yield from NAME.findall(part)


@pytest.fixture(scope="module")
def known() -> set[str]:
    return classes([file.read_text() for file in SOURCES])


def test_every_exception_that_a_docstring_names_exists(known: set[str]) -> None:
    strange = [
        (file.name, name) for file in SOURCES for name in named_exceptions(file.read_text()) if name not in known
    ]
    assert not strange


def test_a_name_that_a_renaming_left_behind_is_found(known: set[str]) -> None:
    planted = (
        'def f():\n    """Do it.\n\n    Raises:\n        Stopped: Ctrl-C came.\n        InputError: no.\n    """\n'
    )
    assert [name for name in named_exceptions(planted) if name not in known] == ["Stopped"]
