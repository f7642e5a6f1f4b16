"""The model of a trained policy in files and scenarios, and its way into a record."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from fracas.content.validate import Model
from fracas.errors import InputError
from fracas.kernel.networks import MAX_HIDDEN, MAX_WEIGHTS
from fracas.rulesets.contract.readings import NetworkShape, Reading

# The rules that version 1 of a ruleset's environments played. Each later RULES_VERSION raises the version by one.
FIRST_RULES_VERSIONS = {"delve": 2, "relics": 3, "squads": 2, "stacks": 2, "titans": 2}
WEIGHT_BYTES = 4
# Base64 of the most weights.
MOST_LETTERS = (MAX_WEIGHTS * WEIGHT_BYTES + 2) // 3 * 4

Weights = np.ndarray[Any, np.dtype[np.int32]]


class Network(Model):
    """A trained policy: a small network of whole numbers that scores every legal action."""

    ruleset: Annotated[str, Field(min_length=1, max_length=40)]
    """The ruleset that it plays."""
    version: Annotated[int, Field(ge=1, le=10_000)]
    """The version of the environment that it was trained in: 1 for fracas/Titans-v1."""
    inputs: Annotated[int, Field(ge=1, le=MAX_WEIGHTS)]
    """The number of inputs, which the ruleset decides."""
    hidden: Annotated[int, Field(ge=1, le=MAX_HIDDEN)]
    """The number of units between inputs and scores."""
    choices: Annotated[int, Field(ge=1, le=MAX_WEIGHTS)]
    """The number of choices that are scored, which the ruleset decides."""
    mixes: bool = False
    """Whether actions are drawn by their scores; else the best is taken. Only in titans."""
    weights: Annotated[str, Field(max_length=MOST_LETTERS)]
    """Base64 of int32 numbers, little-endian: the layer of inputs, its biases, the layer of choices, its biases."""

    @property
    def size(self) -> int:
        """The number of weights."""
        return (self.inputs + 1) * self.hidden + (self.hidden + 1) * self.choices

    def decoded(self) -> Weights:
        """The weights, (size,).

        Raises:
            ValueError: the text is not base64, or does not fit the layers.
        """
        try:
            data = base64.b64decode(self.weights, validate=True)
        except (binascii.Error, ValueError):
            raise ValueError("the weights are not base64") from None
        if len(data) != self.size * WEIGHT_BYTES:
            raise ValueError(
                f"has {len(data):,} bytes of weights; {self.inputs} inputs, {self.hidden} units and {self.choices} "
                f"choices need {self.size * WEIGHT_BYTES:,}"
            )
        return np.frombuffer(data, "<i4").astype(np.int32)

    @model_validator(mode="after")
    def _is_complete(self) -> Network:
        if self.size > MAX_WEIGHTS:
            raise ValueError(f"has {self.size:,} weights; at most {MAX_WEIGHTS:,} fit")
        self.decoded()
        return self


class TrainedPolicy(Model):
    """A file with a trained policy."""

    network: Network
    note: Annotated[str, Field(max_length=10_000)] = ""


def environment_version(ruleset: str, rules_version: int) -> int:
    """The version of a ruleset's environments under a version of its rules; of a game the version of its rules."""
    return rules_version - FIRST_RULES_VERSIONS.get(ruleset, 1) + 1


def encoded(weights: Weights) -> str:
    """Weights as the text that a file holds."""
    return base64.b64encode(weights.astype("<i4").tobytes()).decode()


def check_network(
    network: Network, ruleset: str, rules_version: int, shape: NetworkShape | Reading, where: str, version: int = 1
) -> None:
    """Check that a trained policy plays this ruleset, in this version of its environment.

    version: of observations. Scenarios name policies that read version 1.

    Raises:
        InputError: it does not.
    """
    wanted_version = environment_version(ruleset, rules_version) + version - 1
    if network.ruleset != ruleset:
        raise InputError.of(
            where,
            f"is a trained policy for {network.ruleset}; this scenario is of {ruleset}",
            f"train one for {ruleset}",
        )
    if network.version == wanted_version + 1 and version == 1:
        message = (
            f"reads fracas/{ruleset.capitalize()}-v{network.version}; scenarios name policies of -v{wanted_version}"
        )
        raise InputError.of(where, message, "it plays as an agent: fracas.envs.agents.load_policy()")
    if network.version != wanted_version:
        message = f"was trained in version {network.version} of the environment; this is version {wanted_version}"
        raise InputError.of(where, message, "train it again and export it")
    given, wanted = (network.inputs, network.choices), (shape.inputs, shape.choices)
    if given != wanted:
        message = f"has {given[0]} inputs and {given[1]} choices; {ruleset} has {wanted[0]} and {wanted[1]}"
        raise InputError.of(where, message, "export it with fracas.envs.agents")
    if network.mixes and not shape.may_mix:
        raise InputError.of(f"{where}.mixes", f"is true, but trained policies of {ruleset} take the best action")


def write_network(record: Any, network: Network) -> None:
    """Write a trained policy into a record of `kernel/networks.py`."""
    record.inputs, record.hidden, record.choices = network.inputs, network.hidden, network.choices
    record.mixes = int(network.mixes)
    weights = network.decoded()
    record.weights[: len(weights)] = weights
