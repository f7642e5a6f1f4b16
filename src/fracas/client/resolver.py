"""The engine over HTTP; it needs no account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.client.transport import Result, Transport, path
from fracas.server_models.resolver import Battle, Budget, Findings, Ruleset, Validation, Verification

Scenario = Mapping[str, Any]


class Resolver:
    """The resolver of one server. Every method raises `ServerProblem` when the server refuses."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def rulesets(self) -> list[Ruleset]:
        """The rulesets with their versions."""
        return list(self._transport.items(Ruleset, path("rulesets")))

    def validate(self, scenario: Scenario) -> Validation:
        """Check a scenario."""
        return self._asked(Validation, "validate", {"scenario": scenario})

    def lint(self, scenario: Scenario) -> Findings:
        """Lint a scenario: find what is valid but probably a mistake."""
        return self._asked(Findings, "lint", {"scenario": scenario})

    def run(
        self, scenario: Scenario, *, seed: str | None = None, stream: int = 0, include: Sequence[str] = ()
    ) -> Battle:
        """Play a battle. `include` adds `events`, `story`, `chronicle` or `replay` to the outcome."""
        body = {"scenario": scenario, "seed": seed, "stream": stream, "include": list(include)}
        return self._asked(Battle, "run", body)

    def compile(self, scenario: Scenario, *, seed: str | None = None, stream: int = 0) -> dict[str, Any]:
        """Pack a battle as a bundle for fracas.js."""
        return self._asked(dict[str, Any], "compile", {"scenario": scenario, "seed": seed, "stream": stream})

    def explain(self, scenario: Scenario, **question: Any) -> dict[str, Any]:
        """Ask about a moment of a battle: `unit` and `when`, or `hit`; see the OpenAPI document."""
        return self._asked(dict[str, Any], "explain", {"scenario": scenario, **question})

    def verify(self, replay: Mapping[str, Any]) -> Verification:
        """Play a replay again and compare."""
        return self._asked(Verification, "verify", dict(replay))

    def budget(self) -> Budget:
        """What is left of your battles and processor time."""
        return self._transport.ask(Budget, "GET", path("budget"))

    def _asked(self, model: type[Result], name: str, body: dict[str, Any]) -> Result:
        given = {key: value for key, value in body.items() if value is not None}
        return self._transport.ask(model, "POST", path(name), given)
