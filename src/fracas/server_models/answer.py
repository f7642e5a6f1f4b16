"""What all answers have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Item = TypeVar("Item")

Id = Annotated[str, Field(examples=["01kar7ms5rj9e7q2c4xw8v0tzd"])]
Time = Annotated[str, Field(examples=["2026-11-22T10:30:00.000Z"])]
Date = Annotated[str, Field(examples=["2026-11-22"])]
Digest = Annotated[str, Field(examples=["4be9" * 16])]
Links = Annotated[dict[str, str], Field(examples=[{"self": "/api/v1/…"}], description="Paths by what they lead to.")]


class Answer(BaseModel):
    """An answer, or a part of one. A reader ignores keys that a newer server adds."""

    # Built when they are first used: a client uses a few of them.
    model_config = ConfigDict(frozen=True, defer_build=True)

    def as_json(self) -> dict[str, Any]:
        """The answer as plain values; what was not set is left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Page(Answer, Generic[Item]):
    """A page of a list. `links.next` is there unless it is the last."""

    items: Sequence[Item]
    links: Links


class InputProblem(Answer):
    """One thing that is wrong with what was sent, or a warning about it."""

    where: str = Field(examples=["units.0"], description="The key, such as sides.0.units.1.attack.")
    message: str = Field(examples=['there is no unit "scot"'])
    suggestion: str | None = Field(examples=["did you mean scout?"])
    file: str | None = Field(examples=[None])
    path: str | None = Field(examples=[None])
