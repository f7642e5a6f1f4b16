"""For documents with entries of their own in tables by id: the key of an entry is its id."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel

AnyModel = TypeVar("AnyModel", bound=BaseModel)


def keys_are_ids(*kinds: str) -> Callable[[AnyModel], AnyModel]:
    """Make a validator of a document for the entries of these kinds: `model_validator(mode="after")(keys_are_ids(…))`.

    The validator raises ValueError for the first entry whose key is not its id.
    """

    def checked(document: AnyModel) -> AnyModel:
        for kind in kinds:
            for key, entry in getattr(document, kind, {}).items():
                if key != entry.id:
                    raise ValueError(f'{kind}.{key} has the id "{entry.id}"; both must be the same')
        return document

    return checked
