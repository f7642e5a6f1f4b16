"""What rules of games may not use, as Markdown, read from the check that refuses it."""

from __future__ import annotations

import ast

from fracas.events.markdown import table
from fracas.kit.author_errors.rules_check import BUILTINS, EXPRESSIONS, STATEMENTS

# What the parts of the syntax tree are called by people.
WORDS = {
    ast.Try: "`try`", ast.TryStar: "`except*`", ast.Raise: "`raise`", ast.Assert: "`assert`", ast.With: "`with`",
    ast.Import: "`import`", ast.ImportFrom: "`from`", ast.FunctionDef: "`def`", ast.AsyncFunctionDef: "`async def`",
    ast.ClassDef: "`class`", ast.Global: "`global`", ast.Nonlocal: "`nonlocal`", ast.Delete: "`del`",
    ast.List: "`[1, 2]`", ast.Dict: "`{1: 2}`", ast.Set: "`{1, 2}`", ast.ListComp: "`[x for x in …]`",
    ast.SetComp: "`{x for x in …}`", ast.DictComp: "`{x: y for x in …}`", ast.GeneratorExp: "`(x for x in …)`",
    ast.Lambda: "`lambda`", ast.JoinedStr: '`f"…"`', ast.Await: "`await`", ast.Yield: "`yield`",
    ast.YieldFrom: "`yield from`", ast.Starred: "`f(*x)`",
}  # fmt: skip


def refused_syntax() -> str:
    """Statements and expressions, with what is said and what to write instead."""
    rows = [
        (", ".join(WORDS[kind] for kind in kinds), message, hint)
        for kinds, message, hint in (*STATEMENTS, *EXPRESSIONS)
    ]
    return table(("you wrote", "message", "instead"), [tuple(map(_cell, row)) for row in rows])


def refused_names() -> str:
    """Built-in functions, with what is said and what to write instead."""
    rows = [(f"`{name}()`", message, hint) for name, (message, hint) in BUILTINS.items()]
    return table(("you wrote", "message", "instead"), [tuple(map(_cell, row)) for row in rows])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace(" * ", " \\* ")
