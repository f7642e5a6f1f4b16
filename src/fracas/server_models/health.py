"""Whether a server lives and is ready."""

from __future__ import annotations

from pydantic import Field

from fracas.server_models.answer import Answer


class Health(Answer):
    """That the process answers."""

    status: str = Field(examples=["alive"])


class Readiness(Answer):
    """Whether the server is ready, and why not."""

    status: str = Field(examples=["ready"], description="ready, or not ready.")
    schema_number: int | None = Field(serialization_alias="schema", examples=[1])
    rules: bool = Field(examples=[True], description="Whether rules are loaded.")
    reason: str = Field(default="", examples=["rules are being loaded"])
