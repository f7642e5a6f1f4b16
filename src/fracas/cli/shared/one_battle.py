"""The one battle of a file: played from a scenario, or loaded from a saved file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fracas.cli.shared.output import notice, print_warnings, results_only
from fracas.cli.shared.scenario_options import SavedBattleOptions, load_file
from fracas.errors import Problem, UsageError

if TYPE_CHECKING:
    from fracas.engine.battle import Battle


def battle_of_file(file: Path, options: SavedBattleOptions) -> Battle:
    """The battle of a scenario, a replay, a finished duel or a bundle, with its log.

    Raises:
        InputError: everything that is wrong with the file.
        UsageError: an option that belongs to scenarios goes with a battle that was played.
    """
    saved = _saved_battle(file, options.plugin)
    if saved is not None:
        given = {
            "--seed": options.seed,
            "--stream": options.stream,
            "--profile": options.profile,
            "--set": options.set_,
            "--content": options.content,
        }
        refused = [name for name, value in given.items() if value is not None]
        if refused:
            raise UsageError(Problem(name, f"applies only to scenarios; {file} is a saved battle") for name in refused)
        return saved
    from fracas.engine.battle import check_stream, play_battle

    stream = options.stream or 0
    check_stream(stream, "--stream")
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    with results_only():
        return play_battle(scenario, stream, notice=notice, alone=True)


def _saved_battle(file: Path, plugins: list[Path] | None) -> Battle | None:
    """The battle of a replay, a finished duel or a bundle; None if the file is none of these.

    Raises:
        InputError: it is one, and unsound.
    """
    from fracas.plugins.loader import load_plugins
    from fracas.replay.bundle import holds_bundle, packed_battle
    from fracas.replay.load_battle import load_saved_battle

    if holds_bundle(file):
        return packed_battle(file, notice)
    with results_only():
        return load_saved_battle(file, load_plugins(plugins or []), notice)
