"""Explains what the compiler refused, as far as its texts tell: the line, and the first sentence that means something.

`rules_check.py` tells nearly everything before; what is left is rare.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from fracas.errors import InputError, Problem

_LINE = re.compile(r'File "([^"]+)", line (\d+)')
_INSTEAD = "docs/reference/errors-in-games.md lists what rules may not use"
# Texts of the compiler, and what they mean to authors. The first that fits is used.
_MEANINGS = (
    (r"No implementation of function .*?(?:built-in function |function )(\w+)", "{0}() does not compile"),
    (r"Unknown attribute '(\w+)'", "there is no {0} here"),
    (r"Field '(\w+)' was not found", "there is no field {0}"),
    (r"Cannot unify ", "a name is of one kind in one place and of another kind in another place"),
    (r"Untyped global name '(\w+)'", "{0} is nothing that a rule can read"),
    (r"variable '(\w+)' .*not defined", "{0} may have no value here"),
    (r"[Uu]nsupported opcode|UnsupportedError|unsupported", "this does not compile"),
    (r"Cannot determine Numba type of <class '(\w+)'>", "a value of type {0} does not compile"),
)


def is_of_compiler(error: BaseException) -> bool:
    """Whether an error is the compiler's."""
    return any(each.__module__.startswith(("numba.", "llvmlite.")) for each in type(error).__mro__)


def refused(error: BaseException, name: str, files: Mapping[str, str]) -> InputError:
    """The compiler's error as a message for authors.

    files: what the files of games are called in messages.
    """
    # Errors are nested: the innermost, which says what is wrong, is the last one that begins and the first that ends.
    innermost = str(error).rpartition("pipeline (step:")[2].partition("\n")[2]
    own = [
        (files[path], line) for file, line in _LINE.findall(innermost) if (path := str(Path(file).resolve())) in files
    ]
    where = f"{own[0][0]}:{own[0][1]}" if own else name
    for pattern, meaning in _MEANINGS:
        match = re.search(pattern, innermost)
        if match is not None:
            return InputError(Problem(where, meaning.format(*match.groups()), _INSTEAD))
    return InputError(Problem(where, "this does not compile", _INSTEAD))
