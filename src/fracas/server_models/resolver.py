"""The resolver: rulesets, and what becomes of a document."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AliasChoices, Field

from fracas.server_models.answer import Answer, Date, Digest, InputProblem, Links, Time


class Ruleset(Answer):
    """A ruleset."""

    name: str = Field(examples=["relics"])
    title: str = Field(examples=["Relics"])
    summary: str
    rules_version: int
    default_profile: str = Field(examples=["canvas"])
    links: Links


class Kind(Answer):
    """A kind of content."""

    kind: str = Field(examples=["items"])
    entries: int = Field(examples=[90])
    links: Links


# An entry of content with the keys of content files, sentences that say what it does, and links.
Content = Annotated[dict[str, Any], Field(examples=[{"id": "horned_helm", "description": ["…"]}])]


class Week(Answer):
    """The environment modifier of a week."""

    monday: Date = Field(serialization_alias="from", validation_alias=AliasChoices("from", "monday"))
    modifier: dict[str, Any] | None = Field(examples=[{"id": "fog"}])


class Validation(Answer):
    """Whether a scenario is valid, with every problem and warning."""

    valid: bool
    ruleset: str | None = Field(examples=["relics"])
    problems: list[InputProblem]
    warnings: list[InputProblem]


class Finding(Answer):
    """Something that is valid but probably a mistake."""

    rule: str
    where: str
    message: str
    suggestion: str | None


class Findings(Answer):
    """What is valid but probably a mistake."""

    findings: list[Finding]


class Battle(Answer):
    """How a battle ended, with the parts that were asked for."""

    ruleset: str = Field(examples=["relics"])
    rules_version: int
    scenario: str
    seed: str = Field(examples=["tuesday"])
    stream: int = Field(examples=[0])
    profile: str = Field(examples=["canvas"])
    winner: int = Field(description="1 or 2; 0 for a draw.")
    reason: str = Field(examples=["defeat"])
    rounds: int = Field(examples=[7])
    digest: Digest
    warnings: list[InputProblem]
    events: list[dict[str, Any]] = []
    story: list[str] = []
    chronicle: dict[str, Any] | None = None
    replay: dict[str, Any] | None = None


class Verification(Answer):
    """Whether a replay, a bundle or a duel is what these rules play; of a duel also what its players promised."""

    matches: bool
    explanation: str
    commitment: str | None = None
    handshake: str | None = None
    salts: dict[str, str | None] = {}
    rounds: int = 0
    is_over: bool = True
    tick: int | None = Field(default=None, description="Of the first event that differs.")
    stored: Any = None
    played: Any = None
    digest: Digest | None


class Price(Answer):
    """Battles, and processor time."""

    battles: int
    cpu_seconds: float


class Budget(Answer):
    """What you may use in the running window, and what you have used."""

    window: str | None = Field(examples=["2026-11-22T10"])
    ends_at: Time | None
    limit: Price | None
    used: Price
    links: Links
