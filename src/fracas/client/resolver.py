"""The engine over HTTP; it needs no account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.client.transport import Transport, path

Scenario = Mapping[str, Any]


class Resolver:
    """The resolver of one server. Every method raises `ServerProblem` when the server refuses."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def rulesets(self) -> list[dict[str, Any]]:
        """The rulesets with their versions."""
        return list(self._transport.items(dict[str, Any], path("rulesets")))

    def validate(self, scenario: Scenario) -> dict[str, Any]:
        """Check a scenario."""
        return self._asked("validate", {"scenario": scenario})

    def lint(self, scenario: Scenario) -> dict[str, Any]:
        """Lint a scenario: find what is valid but probably a mistake."""
        return self._asked("lint", {"scenario": scenario})

    def run(
        self, scenario: Scenario, *, seed: str | None = None, stream: int = 0, include: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Play a battle. `include` adds `events`, `story`, `chronicle` or `replay` to the outcome."""
        return self._asked("run", {"scenario": scenario, "seed": seed, "stream": stream, "include": list(include)})

    def compile(self, scenario: Scenario, *, seed: str | None = None, stream: int = 0) -> dict[str, Any]:
        """Pack a battle as a bundle for fracas.js."""
        return self._asked("compile", {"scenario": scenario, "seed": seed, "stream": stream})

    def explain(self, scenario: Scenario, **question: Any) -> dict[str, Any]:
        """Ask about a moment of a battle: `unit` and `when`, or `hit`; see the OpenAPI document."""
        return self._asked("explain", {"scenario": scenario, **question})

    def verify(self, replay: Mapping[str, Any]) -> dict[str, Any]:
        """Play a replay again and compare."""
        return self._asked("verify", dict(replay))

    def budget(self) -> dict[str, Any]:
        """What is left of your battles and processor time."""
        return self._transport.ask(dict[str, Any], "GET", path("budget"))

    def _asked(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        given = {key: value for key, value in body.items() if value is not None}
        return self._transport.ask(dict[str, Any], "POST", path(name), given)
