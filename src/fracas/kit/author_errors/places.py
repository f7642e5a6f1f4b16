"""Finds the line of what a problem names: `pets.py: Pet.hp` becomes `pets.py:41: Pet.hp`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from fracas.errors import InputError, Problem

_HAS_LINE = re.compile(r":\d+(: |$)")
GAME = "Game"


def tree_of(module: ModuleType) -> ast.Module | None:
    """A module as a syntax tree; None where its source cannot be read."""
    try:
        return ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return None


def lines_in(tree: ast.Module | None) -> dict[str, int]:
    """The lines of a module's classes, their fields, its functions, and of the call of `Game`."""
    found: dict[str, int] = {}
    for statement in tree.body if tree is not None else ():
        match statement:
            case ast.ClassDef(name=name):
                found[name] = statement.lineno
                found.update(_fields(statement))
            case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                found.setdefault(name, statement.lineno)
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == GAME:
                found[GAME] = node.lineno
    return found


def trees_of(modules: Iterable[ModuleType]) -> dict[str, ast.Module | None]:
    """The syntax trees of modules, by their paths."""
    return {str(getattr(each, "__file__", None)): tree_of(each) for each in modules}


def _fields(body: ast.ClassDef) -> Iterator[tuple[str, int]]:
    for statement in body.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield f"{body.name}.{name}", statement.lineno


def with_lines(problems: Iterable[Problem], trees: Mapping[str, ast.Module | None]) -> list[Problem]:
    """The problems, each with the line of what it names, in the order of lines; those that have lines keep them.

    trees: the syntax trees of a game's files, by their paths.
    """
    known = {file: lines_in(tree) for file, tree in trees.items()}
    found = [_with_line(problem, known) for problem in problems]
    return sorted(dict.fromkeys(found), key=_line_number)


def _with_line(problem: Problem, known: dict[str, dict[str, int]]) -> Problem:
    for file, lines in known.items():
        if not problem.where.startswith(file) or _HAS_LINE.match(problem.where[len(file) :]):
            continue
        name = problem.where[len(file) :].removeprefix(": ")
        # A field that a base class declares has no line in this file; its class has.
        line = lines.get(name) or lines.get(name.partition(".")[0]) or (None if name else lines.get(GAME))
        # The class may stand in another file of the same game.
        home = file
        if line is None:
            home, line = next(((other, each[name]) for other, each in known.items() if name in each), (file, None))
        if line is not None:
            return replace(problem, where=f"{home}:{line}" + (f": {name}" if name else ""))
    return problem


def _line_number(problem: Problem) -> tuple[str, int]:
    file, _, rest = problem.where.partition(".py:")
    digits = rest.partition(":")[0]
    return file, int(digits) if digits.isdecimal() else 0


def as_named(error: InputError, path: Path, named: str) -> InputError:
    """The same problems, with the file or folder called what the user called it."""

    def shown(where: str) -> str:
        return f"{named}{where[len(str(path)) :]}" if where.startswith(str(path)) else where

    return type(error)([replace(problem, where=shown(problem.where)) for problem in error.problems])
