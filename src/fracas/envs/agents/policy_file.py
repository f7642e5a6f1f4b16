"""Writes trained policies to files and reads them again: docs/reference/policy-files.md."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from fracas.content.validate import validate
from fracas.envs.agents.network import Layers, NetworkAgent
from fracas.errors import InputError
from fracas.files.atomic_write import write_atomic
from fracas.files.read import read_named_document
from fracas.kit.load import short
from fracas.rulesets import registry
from fracas.rulesets.shared.network_model import Network, TrainedPolicy, check_network, encoded, environment_version


class PolicyFile(TrainedPolicy):
    """A file with a trained policy; of a game it says which observation it reads."""

    observation: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""


def network_of(ruleset: str, layers: Layers, mixes: bool = False, version: int = 1) -> Network:
    """A trained policy of a ruleset that reads a version of observations; its numbers are rounded to 1/65,536.

    Raises:
        InputError: the layers do not fit the ruleset, or a number is not finite or too large.
    """
    rules_version = registry.get(ruleset).rules_version
    reading = registry.get(ruleset).agent_interface().trained(ruleset, version)
    check_shapes(layers, reading.inputs, reading.choices)
    inputs, hidden = layers.first.shape
    whole = layers.rounded()
    values = {
        "ruleset": ruleset,
        "version": environment_version(ruleset, rules_version) + version - 1,
        "inputs": inputs,
        "hidden": hidden,
        "choices": len(layers.second),
        "mixes": mixes,
        "weights": encoded(whole.flat()),
    }
    network = validate(Network, values, "network")
    check_network(network, ruleset, rules_version, reading, "network", version)
    return network


def check_shapes(layers: Layers, inputs: int, choices: int) -> None:
    """Check that the arrays of a network fit together: other libraries keep some of them the other way round.

    Raises:
        InputError: an array of another shape, or of something else than real numbers.
    """
    units = np.shape(layers.first)[1] if np.ndim(layers.first) == 2 else 1
    wanted = {"first": (inputs, units), "bias": (units,), "second": (choices, units), "second_bias": (choices,)}
    for name, shape in wanted.items():
        part = getattr(layers, name)
        if not isinstance(part, np.ndarray) or part.dtype.kind not in "iuf":
            raise InputError.of(f"layers.{name}", "must be a NumPy array of real numbers")
        if part.shape != shape:
            meaning = f"inputs {inputs}, units {units}, choices {choices}"
            raise InputError.of(f"layers.{name}", f"has the shape {part.shape}; {shape} is needed: {meaning}")


def save_policy(path: str | Path, network: Network, note: str = "") -> None:
    """Write a trained policy to a file that scenarios can name.

    Raises:
        InputError: the file cannot be written.
    """
    import msgspec

    document: dict[str, Any] = {"network": network.model_dump()}
    hashed = registry.get(network.ruleset).agent_interface().observation_hash
    document |= {key: value for key, value in (("observation", hashed), ("note", note)) if value}
    write_atomic(Path(path), msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n")


def load_policy(path: str | Path, name: str | None = None) -> NetworkAgent:
    """The agent in a policy file.

    Raises:
        InputError: the file is broken, or of another version or shape than this version plays.
    """
    found = validate(PolicyFile, read_named_document(Path(path)), str(path))
    network = found.network
    ruleset = registry.get(network.ruleset, f"{path}: network.ruleset")
    interface = ruleset.agent_interface()
    check_observation(found.observation, ruleset.name, interface.observation_hash, str(path))
    first = environment_version(ruleset.name, ruleset.rules_version)
    version = 2 if interface.described and network.version == first + 1 else 1
    reading = interface.trained(ruleset.name, version)
    check_network(network, network.ruleset, ruleset.rules_version, reading, f"{path}: network", version)
    return NetworkAgent(network, reading, name or Path(path).stem)


def check_observation(given: str, ruleset: str, now: str, where: str) -> None:
    """Check that a policy reads what its game shows now.

    Raises:
        InputError: it was trained with another observation.
    """
    if given != now:
        message = f"reads the observation {short(given) or 'of no game'}; {ruleset} shows {short(now) or 'none'}"
        raise InputError.of(f"{where}: observation", message, "train again, or use the old rules")
