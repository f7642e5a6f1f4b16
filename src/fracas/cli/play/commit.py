"""`fracas world commit`: apply the result of a saved battle to its world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.play.campaign import check_place, write_world
from fracas.cli.shared.exit_status import CHECK_FAILED, DONE
from fracas.cli.shared.output import notice, print_json, print_lines, results_only, say
from fracas.cli.shared.parameters import Folders, Format, Plugins
from fracas.cli.shared.verification import as_json, render
from fracas.events.styled_text import Line


def commit(
    replay: Annotated[Path, Parameter(help="A replay.")],
    /,
    *,
    world: Annotated[
        Path | None,
        Parameter(
            name="--world",
            help="The world to change: a world file, or a scenario that has one. Default: the battle's own.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(name=("--out", "--save"), help="Write the changed world to this .toml or .json file."),
    ] = None,
    content: Folders = None,
    plugin: Plugins = None,
    format: Format = "text",
) -> int:
    """Apply a saved battle's result to its world: wounds stay, the dead are removed, the winner moves onto the tile.

    The replay is verified first. Then its moves are applied to the world without dice. The exit status is 2 if the
    battle was fought on another world, or if the world has changed since or already has this result.

    Try:

        fracas run examples/stacks/first-attack.toml --save attack.json
        fracas world commit attack.json --out after.toml
        fracas world commit attack.json --world examples/stacks/first-attack.toml
    """
    from fracas.engine.campaign import commit_battle
    from fracas.plugins.loader import load_plugins
    from fracas.replay.verify import verify_replay

    if out is not None:
        check_place(out)
    with results_only():
        plugins = load_plugins(plugin or [])
        verification = verify_replay(replay, plugins, notice, alone=True)
    if not verification.matches:
        if format == "json":
            print_json(as_json(verification))
        else:
            say(*render(verification))
        return CHECK_FAILED
    with results_only():
        committed = commit_battle(verification.battle, world, content=content or [], plugins=plugins)
    if out is not None:
        write_world(out, committed.world, committed.world_text)
    if format == "json":
        print_json(committed.as_json())
    else:
        print_lines([*committed.taken.summary, *committed.taken.lines, Line(0), *committed.world_lines])
    if out is not None:
        notice(f"wrote the world to {out}")
    return DONE
