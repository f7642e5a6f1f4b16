"""Trained policies named by side in a scenario, for rulesets that name their sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from fracas.content.catalogue import Origin
from fracas.content.references import Collector, to_plain
from fracas.content.validate import validate
from fracas.errors import InputError
from fracas.files.read import read_named_document
from fracas.rulesets.contract.readings import NetworkShape
from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.network_model import Network, TrainedPolicy, check_network, write_network

FILE_ENDINGS = (".toml", ".json")

File = Annotated[str, Field(min_length=1, max_length=1000)]


@dataclass(frozen=True)
class SidePolicies:
    """How one ruleset names the sides that trained policies may play, and which networks fit it."""

    ruleset: str
    rules_version: int
    shape: NetworkShape
    sides: tuple[str, str]
    """The keys of both sides under `policies`, in order."""

    def resolve(self, resolver: Collector, policies: Any, source: Origin) -> Document:
        """The trained policies of a scenario, read and checked; empty if there are none."""
        found: Document = {}
        for key in self.sides if policies is not None else ():
            chosen = getattr(policies, key)
            with resolver.collecting():
                if isinstance(chosen, str):
                    chosen = _policy_file(resolver, f"policies.{key}", chosen, source)
                if chosen is not None:
                    self._check(chosen.network, resolver.where(f"policies.{key}.network"))
                    found[key] = to_plain(chosen)
        return {"policies": found} if found else {}

    def write(self, battle: Any, policies: Any) -> None:
        """Write trained policies into a battle's record.

        Raises:
            InputError: one is of another ruleset, version or shape.
        """
        for side_index, key in enumerate(self.sides):
            policy: TrainedPolicy | None = getattr(policies, key, None)
            if policy is not None:
                self._check(policy.network, f"policies.{key}.network")
                write_network(battle.networks[side_index], policy.network)

    def with_network(self, document: Document, side: int, network: Mapping[str, Any]) -> Document:
        """The scenario in which a trained policy plays a side, 0 or 1."""
        policies = {**document.get("policies", {}), self.sides[side]: {"network": network}}
        return {**document, "policies": policies}

    def _check(self, network: Network, where: str) -> None:
        check_network(network, self.ruleset, self.rules_version, self.shape, where)


def _policy_file(resolver: Collector, path: str, name: str, source: Origin) -> TrainedPolicy:
    """The trained policy in a file beside the scenario."""
    if not name.endswith(FILE_ENDINGS):
        raise InputError.of(resolver.where(path), f'"{name}" is no file', "write the name of a .json or .toml file")
    file = resolver.named_file(path, name, source.folder)
    return validate(TrainedPolicy, read_named_document(file), str(file))
