"""Scenarios and campaigns as the commands that play take them: their options, and what these load."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from fracas.cli.shared.output import results_only
from fracas.cli.shared.parameters import Folders, Plugins, Profile, Seed, Sets, Stream, Strict

if TYPE_CHECKING:
    from fracas.engine.campaign import CampaignPlan
    from fracas.engine.scenario import LoadOptions, Scenario


@dataclass(frozen=True)
class _SeedOption:
    seed: Seed = None


@dataclass(frozen=True)
class _StreamOption(_SeedOption):
    stream: Stream = 0


# A class's fields come after those of the bases that stand behind it, and --help lists them in that order.
@dataclass(frozen=True)
class _LoadOptions:
    profile: Profile = None
    set_: Sets = None
    content: Folders = None
    plugin: Plugins = None
    strict: Strict = False

    @property
    def folders(self) -> list[Path]:
        """The folders of content over the shipped one."""
        return self.content or []


@Parameter(name="*")
@dataclass(frozen=True)
class ScenarioOptions(_LoadOptions, _SeedOption):
    """The options that all commands that play have, as they are typed."""


@Parameter(name="*")
@dataclass(frozen=True)
class BattleOptions(_LoadOptions, _StreamOption):
    """The same, for commands that play one battle."""


def load_file(file: Path, options: ScenarioOptions | BattleOptions) -> Scenario:
    """The scenario of a file, under the options that all commands that play have.

    Raises:
        InputError: everything that is wrong with it.
    """
    from fracas.engine.scenario import load_scenario

    asked = asked_of(options)
    with results_only():
        return load_scenario(file, **asked)


def load_plan(file: Path, options: BattleOptions) -> CampaignPlan:
    """The campaign of a file, under the same options.

    Raises:
        InputError: everything that is wrong with it.
    """
    from fracas.engine.campaign import load_campaign

    asked = asked_of(options)
    with results_only():
        return load_campaign(file, **asked)


def asked_of(options: ScenarioOptions | BattleOptions) -> LoadOptions:
    """Options as they are typed, as what is asked of a file.

    Raises:
        InputError: what shall be set is not of the form PATH=VALUE.
    """
    from fracas.engine.scenario import parse_override

    return {
        "seed": options.seed,
        "profile": options.profile,
        "overrides": [parse_override(text) for text in options.set_ or []],
        "content": options.folders,
        "plugins": options.plugin or [],
        "strict": options.strict,
    }
