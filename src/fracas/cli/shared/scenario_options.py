"""Options of all commands that load a scenario or a campaign, and the loading itself."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.games import same_games
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
class JudgedOptions(ScenarioOptions):
    """The same for commands that have --fail-if."""

    strict: Annotated[
        bool, Parameter(name="--strict", help="Treat warnings, and an undecided --fail-if, as errors.")
    ] = False


@Parameter(name="*")
@dataclass(frozen=True)
class BattleOptions(_LoadOptions, _StreamOption):
    """The same for commands that play one battle: these have --stream too."""


@Parameter(name="*")
@dataclass(frozen=True)
class SavedBattleOptions(_LoadOptions, _AnyStreamOption):
    """The same for commands that also take saved battles, which have a number of their own."""


AnyOptions = ScenarioOptions | BattleOptions | SavedBattleOptions
Given = Sequence[tuple[str, Any]]


def given(options: AnyOptions) -> Given:
    """The options that say which scenario is played, as names and values for `command_line`."""
    return [
        ("--seed", options.seed),
        ("--profile", options.profile),
        ("--set", options.set_),
        ("--content", options.content),
        ("--plugin", options.plugin),
        ("--strict", options.strict),
    ]


def command_line(words: Sequence[str | Path], options: Given = ()) -> str:
    """A command to try next: its words, the options that have a value, and the games of this command line."""
    line = [str(word) for word in words]
    for name, value in options:
        if isinstance(value, list):
            line += [word for each in value for word in (name, str(each))]
        elif value is True:
            line.append(name)
        elif value is not None and value is not False:
            line += [name, str(value)]
    return f"fracas {shlex.join(line)}{same_games()}"


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
