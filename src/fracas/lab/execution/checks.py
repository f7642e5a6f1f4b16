"""Argument checks that many studies share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fracas.content.validate import shown
from fracas.errors import InputError, UsageError


def run_checks(*checks: Callable[[], Any]) -> None:
    """Run independent checks and raise their problems together.

    Raises:
        InputError: the problems of all of them.
    """
    refused: list[InputError] = []
    for check in checks:
        try:
            check()
        except InputError as error:
            refused.append(error)
    if refused:
        is_usage = all(isinstance(error, UsageError) for error in refused)
        raise (UsageError if is_usage else InputError)([problem for error in refused for problem in error.problems])


def check_side(side: int) -> None:
    """Check a side number.

    Raises:
        InputError: it is neither 1 nor 2.
    """
    if isinstance(side, bool) or side not in (1, 2):
        raise UsageError.of("--side", f"{shown(side)} is neither 1 nor 2")
