"""The last step of every resolver: what was resolved passes its model, once."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel

from fracas.content.validate import ordered_and_sound
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document, ResolvedScenario


def checked_scenario(
    model: type[BaseModel], document: Document, where: str, warnings: Iterable[Problem] = ()
) -> ResolvedScenario:
    """A resolved document with what its model made of it, so that the compiler need not check it again.

    Raises:
        InputError: everything that is wrong with it.
    """
    ordered, sound = ordered_and_sound(model, document, where)
    return ResolvedScenario(ordered, tuple(warnings), sound)
