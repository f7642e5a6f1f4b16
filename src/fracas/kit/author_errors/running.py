"""Explains what a rule raised: the line of the author's that ran, and what is wrong with it.

Plain rules are Python, so a mistake raises where it is made. `strictly` makes plain play as strict as it can be: what
NumPy would only warn of raises, and fields take whole numbers only.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest
from fracas.kernel.records import checked

_PLACE = re.compile(r"index (-?\d+) is out of bounds .*size (\d+)")
_NUMBERS = re.compile(r"too large|out of bounds|overflow")
Explanation = tuple[str, str | None]


class RuleFault(Exception):
    """A rule did what no rule may; the message is for its author."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@contextmanager
def strict() -> Iterator[None]:
    """Raise what NumPy would only warn of: divisions by 0, numbers beyond 64 bits."""
    with np.errstate(all="raise"):
        yield


def strictly(entry: Callable[..., None]) -> Callable[..., None]:
    """A plain entry point that raises where compiled code would stop, or count on with a wrong number."""

    def play(*arguments: Any) -> None:
        with strict():
            entry(*arguments)

    return play


def play_checked(entry: Callable[..., None], records: Any, first: int, results: Any, log: Any) -> None:
    """Play battles in plain Python as strictly as possible; fields refuse fractions."""
    with strict():
        entry(records.view(checked(records.dtype)), first, results, log, None)


def explained(error: BaseException, files: Mapping[str, str]) -> Problem | None:
    """What an error of a plain rule means; None if no line of these files ran.

    files: what the files of games are called in messages.
    """
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename in files]
    if not frames:
        return None
    last = frames[-1]
    return Problem(f"{files[last.filename]}:{last.lineno}: {last.name}", *_words(error))


def _words(error: BaseException) -> Explanation:
    """What went wrong, and what to do instead."""
    match error:
        case RuleFault():
            return str(error), error.hint
        case AttributeError(name=name, obj=np.void() as record) if name:
            known = [each for each in record.dtype.names or () if not each.startswith("kit_")]
            return f"there is no field {name}", nearest(name, known)
        case AttributeError(name=("name" | "value") as name):
            return f"an enumeration is a plain number inside a rule and has no .{name}", "compare it with a member"
        case IndexError():
            match = _PLACE.search(str(error))
            hint = "compiled code would read on behind it, and not stop"
            if match is not None:
                most = int(match[2]) - 1
                return f"there is no place {match[1]}: the list has {match[2]} places, 0 to {most}", hint
            return str(error), hint
        case ZeroDivisionError():
            return "divides by 0", "test it before, or write max(x, 1)"
        case FloatingPointError() if "divide" in str(error):
            return "divides by 0", "test it before, or write max(x, 1)"
        case FloatingPointError() | OverflowError():
            return "a number grows beyond 64 bits", "keep it in bounds with min()"
        case RecursionError():
            return "rules call each other without end", "store it with later()"
        case TypeError() if "takes a whole number" in str(error):
            text, _, hint = str(error).partition("; ")
            return text, hint
        case ValueError() | KeyError() if _NUMBERS.search(str(error)):
            return "a number grows beyond 64 bits", "keep it in bounds with min()"
    return f"{type(error).__name__}: {error}", None


def try_out(entry: Callable[..., None], records: Any, result_type: Any, files: Mapping[str, str]) -> None:
    """Play one battle in plain Python before the compiler is asked, whose messages are for nobody.

    Raises:
        InputError: a rule does what no rule may.
    """
    try:
        play_checked(entry, records.copy(), 0, np.zeros(1, result_type), None)
    except Exception as error:
        problem = explained(error, files)
        if problem is None:
            raise
        raise InputError(problem) from None


def of_declaring(error: BaseException) -> Explanation | None:
    """What an error means that a file raised while its classes were declared; None if Python says it well."""
    text = str(error)
    if isinstance(error, TypeError) and "records.Battle" in text:
        return "Battle needs two classes in its brackets", "the sides' and the options': Battle[Player, Rules]"
    if isinstance(error, TypeError) and "is not a generic class" in text:
        return f"only Battle has brackets: {text}", "write class Duel(Battle[Player, Rules])"
    return None
