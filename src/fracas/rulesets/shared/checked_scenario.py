"""The last step of every resolver: validate the resolved document once."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pydantic import BaseModel, ValidationError

from fracas.content.part_cache import in_order
from fracas.content.validate import ordered_and_sound
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document, ResolvedScenario


def checked_scenario(
    model: type[BaseModel],
    document: Document,
    where: str,
    warnings: Iterable[Problem] = (),
    ready: Collection[int] = (),
) -> ResolvedScenario:
    """Validate a resolved document and keep its model, so that the compiler need not validate again.

    For `ready` see `canonical_around`.

    Raises:
        InputError: every problem found.
    """
    ordered, sound = ordered_and_sound(model, document, where, ready)
    return ResolvedScenario(ordered, tuple(warnings), sound)


def checked_addition(
    sound: BaseModel, document: Document, added: Iterable[str], where: str, warnings: Iterable[Problem] = ()
) -> ResolvedScenario:
    """`checked_scenario` for a document that was sound before it got the `added` keys, with the model it had then.

    The document must be in canonical order except for its own keys, and belongs to the scenario now.

    Raises:
        InputError: every problem found.
    """
    model = type(sound)
    document = {key: document[key] for key in sorted(document)}
    kept = {field.alias or name: getattr(sound, name) for name, field in model.model_fields.items()}
    try:
        # Models in a document are valid as they are, so only what was added is checked.
        with in_order():
            whole = model.model_validate(
                {**{key: kept[key] for key in document}, **{key: document[key] for key in added}}
            )
    except ValidationError:
        return checked_scenario(model, document, where, warnings)
    return ResolvedScenario(document, tuple(warnings), whole)
