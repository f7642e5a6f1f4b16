"""Trained policies of stacks: which numbers they read, whether one fits, who plays by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from fracas.content.references import Collector, to_plain
from fracas.content.validate import Model, TextOrTable, validate
from fracas.errors import InputError
from fracas.files.read import read_named_document
from fracas.rulesets.contract.agents import NetworkShape
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.shared.network_model import TrainedPolicy, check_network, write_network
from fracas.rulesets.stacks.rules.constants import NETWORK_SHAPE, RULES_VERSION

NETWORK = NetworkShape(*NETWORK_SHAPE)
# The keys of both sides, in order.
SIDES = ("attackers", "defenders")
FILE_ENDINGS = (".toml", ".json")

File = Annotated[str, Field(min_length=1, max_length=1000)]


class Policies(Model):
    """Sides that trained policies play; the others play as ever."""

    attackers: TextOrTable[File, TrainedPolicy] | None = None
    """A file beside the scenario, or a trained policy written here."""
    defenders: TextOrTable[File, TrainedPolicy] | None = None
    """A file beside the scenario, or a trained policy written here."""


class ResolvedPolicies(Model):
    """Sides that trained policies play."""

    attackers: TrainedPolicy | None = None
    defenders: TrainedPolicy | None = None


def resolve_policies(resolver: Collector, policies: Policies | None, source: Source) -> Document:
    """The trained policies of a scenario, read and checked; empty if there are none."""
    found: Document = {}
    for key in SIDES if policies is not None else ():
        chosen = getattr(policies, key)
        with resolver.collecting():
            if isinstance(chosen, str):
                chosen = _policy_file(resolver, f"policies.{key}", chosen, source)
            if chosen is not None:
                check_network(
                    chosen.network, "stacks", RULES_VERSION, NETWORK, resolver.where(f"policies.{key}.network")
                )
                found[key] = to_plain(chosen)
    return {"policies": found} if found else {}


def _policy_file(resolver: Collector, path: str, name: str, source: Source) -> TrainedPolicy:
    """The trained policy in a file beside the scenario."""
    if not name.endswith(FILE_ENDINGS):
        raise InputError.of(resolver.where(path), f'"{name}" is no file', "write the name of a .json or .toml file")
    file = resolver.named_file(path, name, source.folder)
    return validate(TrainedPolicy, read_named_document(file), str(file))


def write_policies(battle: Any, policies: ResolvedPolicies | None) -> None:
    """Write trained policies into a battle's record.

    Raises:
        InputError: one is of another ruleset, version or shape.
    """
    for place, key in enumerate(SIDES):
        policy: TrainedPolicy | None = getattr(policies, key, None)
        if policy is not None:
            check_network(policy.network, "stacks", RULES_VERSION, NETWORK, f"policies.{key}.network")
            write_network(battle.networks[place], policy.network)


def with_network(document: Document, side: int, network: Mapping[str, Any]) -> Document:
    """The scenario in which a trained policy plays a side."""
    policies = {**document.get("policies", {}), SIDES[side]: {"network": network}}
    return {**document, "policies": policies}
