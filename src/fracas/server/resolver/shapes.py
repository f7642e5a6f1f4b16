"""The bodies and answers of the resolver's routes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from fracas.server.http.answers import Body, Shape

SCENARIO = {
    "ruleset": "relics",
    "left": {"items": ["horned_helm"]},
    "right": {"items": []},
}
_SEED = Field(None, max_length=1_000, description="The seed text. Default: the scenario's.", examples=["tuesday"])
_STREAM = Field(0, ge=0, le=2**53, description="The battle's number under the seed.")


class ScenarioBody(Body):
    """A scenario: the keys of a scenario file, without references to files. At most 256 kB, 32 levels deep."""

    scenario: dict[str, Any] = Field(examples=[SCENARIO])


class RunBody(ScenarioBody):
    """A scenario to play."""

    seed: str | None = _SEED
    stream: int = _STREAM
    include: list[Literal["events", "story", "chronicle", "replay"]] = Field(
        default_factory=list, max_length=4, description="What to add to the outcome.", examples=[["story"]]
    )
    detail: Literal["story", "decisions", "all"] = Field("story", description="How much the story tells.")


class CompileBody(ScenarioBody):
    """A scenario to pack for fracas.js."""

    seed: str | None = _SEED
    stream: int = _STREAM


class ExplainBody(ScenarioBody):
    """A moment of a battle. Give `unit` and `when` for a condition, or `hit` for a calculation of damage."""

    seed: str | None = _SEED
    stream: int = _STREAM
    unit: str | None = Field(None, max_length=200, examples=["left"])
    when: Any = Field(None, description="The condition, as text or JSON. Not in stacks.")
    hit: list[str] | None = Field(None, min_length=2, max_length=2, examples=[["left", "right"]])
    round: str | None = Field(None, max_length=20, description="The round; in a run ENCOUNTER.ROUND.")
    state: dict[str, Any] = Field(default_factory=dict, description="Values to change, by dotted path.")


class ItemsShape(Shape):
    """A list."""

    items: list[dict[str, Any]]
    links: dict[str, str]


class RulesetShape(Shape):
    """A ruleset."""

    name: str
    title: str
    summary: str
    rules_version: int
    default_profile: str
    links: dict[str, str]


class ValidationShape(Shape):
    """Whether a scenario is valid, with every problem and warning."""

    valid: bool
    ruleset: str | None
    problems: list[dict[str, Any]]
    warnings: list[dict[str, Any]]


class FindingsShape(Shape):
    """What is valid but probably a mistake."""

    findings: list[dict[str, Any]]


class OutcomeShape(Shape):
    """How a battle ended, with the parts that were asked for."""

    ruleset: str
    rules_version: int
    scenario: str
    seed: str
    stream: int
    profile: str
    winner: int = Field(description="1 or 2; 0 for a draw.")
    reason: str
    rounds: int
    digest: str
    warnings: list[dict[str, Any]]


class VerificationShape(Shape):
    """Whether a replay, a bundle or a duel is what these rules play."""

    matches: bool
    explanation: str
    digest: str | None


class BudgetShape(Shape):
    """What you may use in the running window, and what you have used."""

    window: str | None
    ends_at: str | None
    limit: dict[str, float] | None
    used: dict[str, float]
    links: dict[str, str]


RULESET_EXAMPLE = {
    "name": "relics",
    "title": "Relics",
    "summary": "two fighters in turn, and what they wear decides by its triggers",
    "rules_version": 1,
    "default_profile": "canvas",
    "links": {"self": "/api/v1/rulesets/relics", "content": "/api/v1/rulesets/relics/content"},
}
OUTCOME_EXAMPLE = {
    "ruleset": "relics",
    "rules_version": 1,
    "scenario": "scenario",
    "seed": "tuesday",
    "stream": 0,
    "profile": "canvas",
    "winner": 1,
    "reason": "defeat",
    "rounds": 7,
    "digest": "0" * 64,
    "warnings": [],
}
