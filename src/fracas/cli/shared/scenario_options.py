"""Options of all commands that load a scenario or a campaign, and the loading itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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


@dataclass(frozen=True)
class _AnyStreamOption(_SeedOption):
    stream: Annotated[
        int | None, Parameter(name="--stream", help="The battle's number under the seed. Default: 0.")
    ] = None


# --help lists the options in the order of the fields: first those of the last base class, then of the ones before it.
@dataclass(frozen=True)
class _LoadOptions:
    profile: Profile = None
    set_: Sets = None
    content: Folders = None
    plugin: Plugins = None
    strict: Strict = False

    @property
    def folders(self) -> list[Path]:
        """The folders whose content overrides the shipped content."""
        return self.content or []


@Parameter(name="*")
@dataclass(frozen=True)
class ScenarioOptions(_LoadOptions, _SeedOption):
    """The options of commands that play many battles of a scenario."""


@Parameter(name="*")
@dataclass(frozen=True)
class BattleOptions(_LoadOptions, _StreamOption):
    """The same for commands that play one battle: these have --stream too."""


@Parameter(name="*")
@dataclass(frozen=True)
class SavedBattleOptions(_LoadOptions, _AnyStreamOption):
    """The same for commands that also take saved battles, which have a number of their own."""


AnyOptions = ScenarioOptions | BattleOptions | SavedBattleOptions


def load_file(file: Path, options: AnyOptions) -> Scenario:
    """Load a scenario from a file, with the user's options applied.

    Raises:
        InputError: everything that is wrong with it.
    """
    from fracas.engine.scenario import load_scenario

    load_options = load_options_of(options)
    with results_only():
        return load_scenario(file, **load_options)


def load_plan(file: Path, options: BattleOptions) -> CampaignPlan:
    """Load a campaign from a file, with the user's options applied.

    Raises:
        InputError: everything that is wrong with it.
    """
    from fracas.engine.campaign import load_campaign

    load_options = load_options_of(options)
    with results_only():
        return load_campaign(file, **load_options)


def load_options_of(options: AnyOptions) -> LoadOptions:
    """Convert command-line options to the options of `load_scenario`.

    Raises:
        InputError: an override is not of the form PATH=VALUE.
    """
    from fracas.engine.overrides import parse_override

    return {
        "seed": options.seed,
        "profile": options.profile,
        "overrides": [parse_override(text) for text in options.set_ or []],
        "content": options.folders,
        "plugins": options.plugin or [],
        "strict": options.strict,
    }
