"""Models that say of another model's fields what may be left out, so that each field is declared once."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel

AnyModel = TypeVar("AnyModel", bound=BaseModel)


def partial(*needed: str, otherwise: Any = None) -> Callable[[type[AnyModel]], type[AnyModel]]:
    """Make all fields of a model optional but the `needed` ones: what is left out is None, or what is said.

    @partial()
    class Options(RuleOptions):
        "Rule options; absent means the profile's value."
    """

    def made(model: type[AnyModel]) -> type[AnyModel]:
        for name, field in model.model_fields.items():
            if field.is_required() and name not in needed:
                kind: Any = field.annotation
                for mark in field.metadata:
                    kind = Annotated[kind, mark]
                absent = copy(field)
                absent.annotation, absent.metadata = kind if otherwise is not None else kind | None, []
                absent.default = otherwise
                model.model_fields[name] = absent
        model.model_rebuild(force=True)
        return model

    return made
