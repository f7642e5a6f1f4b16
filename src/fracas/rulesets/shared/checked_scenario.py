"""The last step of every resolver: validate the resolved document once."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel

from fracas.content.validate import ordered_and_sound
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document, ResolvedScenario


def checked_scenario(
    model: type[BaseModel], document: Document, where: str, warnings: Iterable[Problem] = ()
) -> ResolvedScenario:
    """Validate a resolved document and keep its model, so that the compiler need not validate again.

    Raises:
        InputError: every problem found.
    """
    ordered, sound = ordered_and_sound(model, document, where)
    return ResolvedScenario(ordered, tuple(warnings), sound)
