"""Scenarios as the commands that play take them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fracas.cli.show import results_only

if TYPE_CHECKING:
    from fracas.replay.scenario import Scenario


def load_file(
    file: Path,
    *,
    seed: str | None,
    profile: str | None,
    set_: list[str] | None,
    content: list[Path] | None,
    plugin: list[Path] | None,
    strict: bool,
) -> Scenario:
    """The scenario of a file, under the options that all commands that play have.

    Raises:
        InputError: everything that is wrong with it.
    """
    from fracas.replay.scenario import load_scenario, parse_override

    overrides = [parse_override(text) for text in set_ or []]
    with results_only():
        return load_scenario(
            file,
            seed=seed,
            profile=profile,
            overrides=overrides,
            content=content or [],
            plugins=plugin or [],
            strict=strict,
        )
