"""Scenarios and campaigns as the commands that play take them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from fracas.cli.shared.output import results_only

if TYPE_CHECKING:
    from fracas.engine.campaign import CampaignPlan
    from fracas.engine.scenario import LoadOptions, Scenario


class Options(TypedDict):
    """The options that all commands that play have, as they are typed."""

    seed: str | None
    profile: str | None
    set_: list[str] | None
    content: list[Path] | None
    plugin: list[Path] | None
    strict: bool


def load_file(file: Path, **options: Unpack[Options]) -> Scenario:
    """The scenario of a file, under the options that all commands that play have.

    Raises:
        InputError: everything that is wrong with it.
    """
    from fracas.engine.scenario import load_scenario

    asked = asked_of(**options)
    with results_only():
        return load_scenario(file, **asked)


def load_plan(file: Path, **options: Unpack[Options]) -> CampaignPlan:
    """The campaign of a file, under the same options.

    Raises:
        InputError: everything that is wrong with it.
    """
    from fracas.engine.campaign import load_campaign

    asked = asked_of(**options)
    with results_only():
        return load_campaign(file, **asked)


def asked_of(**options: Unpack[Options]) -> LoadOptions:
    """Options as they are typed, as what is asked of a file.

    Raises:
        InputError: what shall be set is not of the form PATH=VALUE.
    """
    from fracas.engine.scenario import parse_override

    return {
        "seed": options["seed"],
        "profile": options["profile"],
        "overrides": [parse_override(text) for text in options["set_"] or []],
        "content": options["content"] or [],
        "plugins": options["plugin"] or [],
        "strict": options["strict"],
    }
